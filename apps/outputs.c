// Trace and export side by side, at their own rhythms.
#include "apps/outputs.h"

#include "apps/command.h"
#include "apps/loading.h"

#include <string.h>

static bool succeed(const outputs *outputs, sn_status status)
{
    if (status != SN_OK) {
        command_fail(outputs->command, EXIT_FAILED, "%s", sn_scene_error());
    }
    return status == SN_OK;
}

bool outputs_step(outputs *outputs, uint64_t step)
{
    if (outputs->trace != NULL && !succeed(outputs, sn_trace_row(outputs->trace))) {
        return false;
    }
    while (outputs->frames != NULL && timeline_frame_step(&outputs->timeline, outputs->next_frame) <= step) {
        if (!succeed(outputs, sn_export_frame(outputs->frames))) {
            return false;
        }
        ++outputs->next_frame;
    }
    return true;
}

bool outputs_open(outputs *outputs, const char *command, const sn_scene *scene, const outputs_wanted *wanted)
{
    memset(outputs, 0, sizeof *outputs);
    outputs->command = command;
    outputs->timeline = wanted->timeline;
    if (wanted->trace != NULL && !succeed(outputs, sn_trace_begin(scene, wanted->trace, &outputs->trace))) {
        return false;
    }
    if (wanted->folder != NULL) {
        timeline_note(&wanted->timeline, command);
        if (!succeed(outputs, sn_export_begin(scene, wanted->format, wanted->folder, wanted->name,
                                              &outputs->frames))) {
            return false;
        }
    }
    return outputs_step(outputs, 0);
}

bool outputs_close(outputs *outputs, bool keep)
{
    bool fine = true;
    if (!keep) {
        sn_trace_drop(outputs->trace);
    } else if (outputs->trace != NULL) {
        fine = succeed(outputs, sn_trace_end(outputs->trace));
    }
    if (outputs->frames != NULL) {
        sn_status status = sn_export_end(outputs->frames, outputs->frames_path, sizeof outputs->frames_path);
        fine = succeed(outputs, status) && fine;
    }
    outputs->trace = NULL;
    outputs->frames = NULL;
    return fine;
}
