// Changes while a world runs: things come, go, break, are switched and tuned.
#include "random/random_world.h"

#include <math.h>

static const item *some(random_world *w, test_random *random, item_type type)
{
    const item *one = random_item(w, random, type, NULL);
    if (one == NULL) {
        return NULL;
    }
    bool exists = type == ITEM_BODY   ? sn_rigid_is_valid(w->world, one->rigid)
                  : type == ITEM_SOFT ? sn_deformable_is_valid(w->world, one->soft)
                                      : sn_constraint_is_valid(w->world, one->constraint);
    return exists ? one : NULL;
}

static sn_status add_ball(random_world *w, test_random *random)
{
    sn_rigid_def def = sn_rigid_def_default();
    def.position = sn_v(test_random_float(random, 0, 6), 12.0f, test_random_float(random, 0, 6));
    sn_rigid rigid;
    sn_status status = sn_rigid_add(w->world, &def, &rigid);
    return status ? status : sn_sphere_add(w->world, rigid, NULL, (sn_sphere){.radius = 0.1f}, NULL);
}

static sn_status change_settings(random_world *w, test_random *random, bool *unknown)
{
    sn_world_def def = sn_world_settings(w->world);
    switch (random_below(random, 4)) {
    case 0:
        def.sub_steps = 1 + random_below(random, 30);
        break;
    case 1:
        def.solver = def.solver == SN_SOLVER_POSITION ? SN_SOLVER_VELOCITY : (sn_solver_type)(def.solver + 1);
        break;
    case 2:
        def.sleep = !def.sleep;
        break;
    default:
        def.gravity = w->kind.is_floating ? def.gravity : sn_scale(test_random_direction(random), 9.81f);
        *unknown = true; // planes in the way are fine, but what leans on joints is not measured
        break;
    }
    return sn_world_settings_set(w->world, &def);
}

static sn_status switch_link(random_world *w, test_random *random, const item *link, bool *unknown)
{
    *unknown = true; // joints that were off are not met when they are switched on
    switch (random_below(random, 3)) {
    case 0:
        return sn_constraint_remove(w->world, link->constraint);
    case 1:
        return sn_constraint_active_set(w->world, link->constraint, random_chance(random, 0.5f));
    default:
        return sn_constraint_break_set(w->world, link->constraint, random_log(random, 1.0f, 1e4f), INFINITY);
    }
}

static sn_status change_soft(random_world *w, test_random *random, sn_deformable soft, bool *unknown)
{
    *unknown = true;
    switch (random_below(random, 5)) {
    case 0:
        return sn_deformable_remove(w->world, soft);
    case 1:
        return w->kind.is_floating
                   ? SN_OK
                   : sn_node_fix(w->world, soft,
                                 random_below(random, sn_deformable_node_count(w->world, soft)), true);
    case 2:
        return sn_deformable_friction_set(w->world, soft, 0.1f);
    case 3:
        return sn_deformable_thickness_set(w->world, soft, 0.01f);
    default:
        sn_deformable_stiffness_set(w->world, soft, 0.5f); // not every model has one
        return SN_OK;
    }
}

static sn_status change_body(random_world *w, test_random *random, sn_rigid rigid)
{
    if (random_chance(random, 0.4f)) {
        return sn_rigid_remove(w->world, rigid);
    }
    return sn_rigid_get_type(w->world, rigid) == SN_DYNAMIC && !w->kind.is_floating
               ? sn_rigid_linear_velocity_set(w->world, rigid, test_random_vec3(random, 10.0f))
               : SN_OK;
}

bool random_world_change(random_world *w, int step, bool *energy_unknown)
{
    bool fine = true;
    for (int i = 0; i < w->item_count && fine; ++i) {
        item *one = &w->items[i];
        if (one->type != ITEM_CHANGE || one->is_off || one->step != step) {
            continue;
        }
        test_random random = {one->seed};
        int what = random_below(&random, 5);
        const item *body = some(w, &random, ITEM_BODY), *soft = some(w, &random, ITEM_SOFT),
                   *link = some(w, &random, random_chance(&random, 0.5f) ? ITEM_JOINT : ITEM_ANCHOR);
        snprintf(one->what, sizeof one->what, "change %d", what);
        sn_status status = SN_OK;
        status = what == 0           ? (w->kind.is_floating ? SN_OK : add_ball(w, &random))
                 : what == 1         ? change_settings(w, &random, energy_unknown)
                 : what == 2 && link ? switch_link(w, &random, link, energy_unknown)
                 : what == 3 && soft ? change_soft(w, &random, soft->soft, energy_unknown)
                 : what == 4 && body ? change_body(w, &random, body->rigid)
                                     : SN_OK;
        fine = !random_refused(w, i, status);
    }
    return fine;
}
