// A job without files, for tests of what items are given.
#ifndef TESTS_APPS_FIGURE_KIT_H
#define TESTS_APPS_FIGURE_KIT_H

#include "apps/figures/figure.h"

static const figure_item kit_item = {"kit", "Nobody 1999", "A title", "A paragraph.", NULL};

typedef struct figure_kit {
    figure_result result;
    figure_job job;
} figure_kit;

static inline void figure_kit_open(figure_kit *kit, const char *folder)
{
    *kit = (figure_kit){.result = {.item = &kit_item}};
    kit->job = (figure_job){
        .quick = true, .folder = folder, .scenes = SOURCE_FOLDER "/scenes", .result = &kit->result};
}

static inline void figure_kit_close(figure_kit *kit)
{
    SN_LIST_FREE(&kit->result.measures);
    SN_LIST_FREE(&kit->result.images);
    SN_LIST_FREE(&kit->result.hashes);
    free(kit->job.pixels);
    if (kit->job.renderer != NULL) {
        renderer_destroy(kit->job.renderer);
    }
}

#endif
