// Constraints whose function the user brings. What the name stands for and how large the data are, the world
// knows.
#include "constraint/kind.h"

sn_custom_def sn_custom_def_default(void)
{
    return sn_definition_default(&sn_kind_custom).custom;
}

static sn_status check(const sn_definition *definition, sn_error *error, const char *object)
{
    if (!definition->custom.kind_name) {
        return sn_fail(error, SN_ERROR_NULL, "%s: kind_name is null, expected a registered name", object);
    }
    return SN_OK;
}

const sn_kind sn_kind_custom = {.name = "custom",
                                .text = "Whatever its function says.",
                                .cookie = 0x63757374,
                                .definition_size = sizeof(sn_custom_def),
                                .check = check};
