// sn_world_assemble: sweeps of position projection over all constraints until they are met.
#include "solver/assemble.h"
#include "geometry/check.h"
#include "world/world.h"

// Moves the two bodies of a constraint so that its rows are met, unless that leads nowhere: rows of the
// user's own may be no numbers.
static void project(sn_world *world, const sn_constraint_data *data, const sn_row *rows, int count)
{
    sn_body *bodies[2] = {&world->bodies.data[data->body_a], &world->bodies.data[data->body_b]};
    const sn_body before[2] = {*bodies[0], *bodies[1]};
    sn_project_rows(bodies[0], bodies[1], rows, count);
    for (int k = 0; k < 2; ++k) {
        if (!sn_vec3_is_finite(bodies[k]->center) || !sn_quat_is_finite(bodies[k]->rotation)) {
            *bodies[0] = before[0];
            *bodies[1] = before[1];
        }
    }
}

// One sweep. Returns how many constraints were violated beyond the tolerance before they were projected.
static int project_all(sn_world *world, float tolerance, sn_assembly *report)
{
    *report = (sn_assembly){.iterations = report->iterations};
    for (int i = 0; i < world->constraints.count; ++i) {
        if (!sn_id_pool_in_use(&world->constraint_ids, i)) {
            continue;
        }
        const sn_constraint_data *data = &world->constraints.data[i];
        sn_row rows[SN_MAX_ROWS];
        int count = sn_world_evaluate(world, data, rows);
        float error = sn_rows_error(rows, count);
        if (!(error <= tolerance)) {
            ++report->unmet_count;
            if (!(error <= report->worst_error)) {
                report->worst_error = error;
                report->worst = sn_constraint_id(world, i);
            }
        }
        project(world, data, rows, count);
    }
    return report->unmet_count;
}

// Bodies have moved: boxes, partners and sleep follow.
static void refresh_bodies(sn_world *world)
{
    for (int i = 0; i < world->bodies.count; ++i) {
        if (!sn_id_pool_in_use(&world->body_ids, i) || world->bodies.data[i].first_constraint < 0) {
            continue;
        }
        sn_world_wake(world, i);
        for (int s = world->bodies.data[i].first_shape; i != SN_GROUND && s >= 0;
             s = world->shapes.data[s].next) {
            sn_world_shape_refresh(world, s);
        }
    }
}

sn_status sn_world_assemble(sn_world *world, float tolerance, int max_iterations, sn_assembly *report)
{
    sn_assembly own = {0};
    if (report != NULL) {
        *report = own;
    }
    sn_status status = sn_world_check_open(world, "sn_world_assemble");
    status = status
                 ? status
                 : sn_check_range(tolerance, 1.0e-7f, 1.0e6f, world->error, "sn_world_assemble", "tolerance");
    status = status ? status
                    : sn_check_range((float)max_iterations, 1.0f, 100000.0f, world->error,
                                     "sn_world_assemble", "max_iterations");
    if (status != SN_OK) {
        return status;
    }
    bool met = false;
    world->locked = true; // functions of custom kinds run inside
    while (!met && own.iterations < max_iterations) {
        met = project_all(world, tolerance, &own) == 0;
        ++own.iterations;
    }
    world->locked = false;
    refresh_bodies(world);
    if (report != NULL) {
        *report = own;
    }
    if (met) {
        return SN_OK;
    }
    sn_label label = sn_constraint_label(world, (int)own.worst.index - 1);
    return sn_fail(world->error, SN_ERROR_NOT_CONVERGED,
                   "sn_world_assemble: %d constraints unmet after %d iterations; worst is %s, off by %g, "
                   "expected at most %g",
                   own.unmet_count, own.iterations, label.text, (double)own.worst_error, (double)tolerance);
}
