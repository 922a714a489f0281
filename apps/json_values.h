// JSON for programs that read what the command prints.
#ifndef SINEW_APPS_JSON_VALUES_H
#define SINEW_APPS_JSON_VALUES_H

#include <jansson.h>

// JSON knows no NaN and no infinity; they become null.
json_t *json_number(double value);
// Names in saved states may be any bytes; what is not UTF-8 becomes "?".
json_t *json_text(const char *value);

// Prints the object on stdout, lets go of it, and returns the exit code; a null object is missing memory.
int json_print(const char *command, json_t *object);

#endif
