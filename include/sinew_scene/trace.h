/// \file
/// A run as a table: one row a step, one column a probe, as comma-separated text that spreadsheets, gnuplot
/// and `sinew plot` read.
#ifndef SINEW_SCENE_TRACE_H
#define SINEW_SCENE_TRACE_H

#include "sinew_scene/scene.h"

#ifdef __cplusplus
extern "C" {
#endif

/// A trace under way. Opaque.
typedef struct sn_trace sn_trace;

/// Begins a trace in the file `path`, which is replaced when the trace ends, and writes its first line: `time
/// [s]` and then name and unit of every probe, quoted as RFC 4180 says. A scene without probes is traced by
/// its kinetic, potential and total energy, the size of its momentum, the number of its contacts and the
/// deepest penetration, those of deformables included. The scene must outlive the trace. `*out` is null on
/// failure: SN_ERROR_NULL, SN_ERROR_FILE, SN_ERROR_MEMORY. Message in sn_scene_error().
SN_API sn_status sn_trace_begin(const sn_scene *scene, const char *path, sn_trace **out);
/// Adds the values of now, of nine significant digits; a value that is not finite leaves its cell empty.
/// SN_ERROR_NULL, SN_ERROR_FILE, SN_ERROR_MEMORY.
SN_API sn_status sn_trace_row(sn_trace *trace);
/// Closes the file and frees the trace, whatever it returns: SN_ERROR_FILE if not all of it could be written.
/// Null is fine.
SN_API sn_status sn_trace_end(sn_trace *trace);
/// Frees the trace without a file: what was at its path before stays. Null is fine.
SN_API void sn_trace_drop(sn_trace *trace);

#ifdef __cplusplus
}
#endif
#endif
