// Constraints whose function the user brings. What the name stands for and how large the data are, the world
// knows.
#include "constraint/kind.h"

sn_custom_def sn_custom_def_default(void)
{
    sn_custom_def def = {.common = sn_common_default(SN_CUSTOM_COOKIE)};
    return def;
}

sn_status sn_custom_check(const sn_definition *definition, sn_error *error, const char *object)
{
    if (!definition->custom.kind_name) {
        return sn_fail(error, SN_ERROR_NULL, "%s: kind_name is null, expected a registered name", object);
    }
    return SN_OK;
}
