// Semi-implicit Euler–Cromer: û = v⁺ = v + h a(x, v), the default.
//
// Nothing is done here: the solver applies gravity and the user's forces, models their own, in a form that is
// this scheme while ωh < 2 and stable beyond (explicit.h).
// Tested by tests/model/test_integrators.c.
#include "model/integrators/integrator.h"

const sn_integrator_kind sn_euler_cromer_kind = {.name = "Euler-Cromer", .order = 1, .c = 1.0f, .d = 1.0f};
