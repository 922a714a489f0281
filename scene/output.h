// A file being written: text, and numbers as little-endian bytes. The first failure is kept and told when the
// file is closed, so that writers need not ask after every line. Only a file that is closed without a failure
// takes the place of what was there before (replacement.h).
#ifndef SN_SCENE_OUTPUT_H
#define SN_SCENE_OUTPUT_H

#include "scene/replacement.h"
#include "sinew/math.h"

#include <stdio.h>

typedef struct sn_output {
    FILE *file;
    char *path;
    sn_replacement replacement;
    int error; // errno of the first failure, 0 for none
} sn_output;

// "-" is standard output. SN_ERROR_FILE, SN_ERROR_MEMORY; a failed output needs no closing.
sn_status sn_output_open(sn_output *output, const char *path);
// SN_ERROR_FILE if anything has failed so far; what waits in the buffer has not been tried.
sn_status sn_output_status(const sn_output *output);
// The same of the whole file, which is there only now.
sn_status sn_output_close(sn_output *output);
// Ends it without a trace: what was there before stays.
void sn_output_drop(sn_output *output);

// No %g and the like: see sn_output_number.
#if defined(__GNUC__)
__attribute__((format(printf, 2, 3)))
#endif
void
sn_output_text(sn_output *output, const char *format, ...);
// A number of so many significant digits with a point, whatever the locale says.
void sn_output_number(sn_output *output, double value, int digits);
// Text for an attribute or an element of XML.
void sn_output_xml(sn_output *output, const char *text);

void sn_output_bytes(sn_output *output, const void *bytes, size_t size);
void sn_output_u16(sn_output *output, uint16_t value);
void sn_output_u32(sn_output *output, uint32_t value);
void sn_output_u64(sn_output *output, uint64_t value);
void sn_output_f32(sn_output *output, float value);
void sn_output_vec3(sn_output *output, sn_vec3 value);

#endif
