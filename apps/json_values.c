// Values JSON cannot hold, and the one way to print.
#include "apps/json_values.h"

#include "apps/command.h"

#include <math.h>

json_t *json_number(double value)
{
    return isfinite(value) ? json_real(value) : json_null();
}

json_t *json_text(const char *value)
{
    json_t *string = json_string(value);
    return string != NULL ? string : json_string("?");
}

int json_print(const char *command, json_t *object)
{
    if (object == NULL) {
        return command_fail(command, EXIT_FAILED, "no memory for the answer");
    }
    int failed = json_dumpf(object, stdout, JSON_INDENT(2) | JSON_REAL_PRECISION(9));
    json_decref(object);
    fputc('\n', stdout);
    return failed == 0 ? EXIT_FINE : command_fail(command, EXIT_FAILED, "the output could not be written");
}
