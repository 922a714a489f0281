// The files a run writes while it goes: a trace of every step, and frames for other programs.
#ifndef SINEW_APPS_OUTPUTS_H
#define SINEW_APPS_OUTPUTS_H

#include "apps/timeline.h"
#include "sinew_scene/export.h"
#include "sinew_scene/trace.h"

enum { OUTPUTS_PATH_SIZE = 4096 };

// What is asked for; null paths for what is not.
typedef struct outputs_wanted {
    const char *trace;  // CSV file
    const char *folder; // of the frames
    const char *name;   // their files begin with it
    sn_export_format format;
    timeline timeline;
} outputs_wanted;

typedef struct outputs {
    const char *command;
    sn_trace *trace;
    sn_export *frames;
    timeline timeline;
    uint64_t next_frame;
    char frames_path[OUTPUTS_PATH_SIZE]; // what to open to see the frames, once closed; empty without any
} outputs;

// Each of these says on stderr what went wrong if it returns false. Opening writes the start.
bool outputs_open(outputs *outputs, const char *command, const sn_scene *scene, const outputs_wanted *wanted);
// After step number `step`, the first of which is 1.
bool outputs_step(outputs *outputs, uint64_t step);
// Completes the files; without `keep`, after a failure, the trace that was there before stays.
bool outputs_close(outputs *outputs, bool keep);

#endif
