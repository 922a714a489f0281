// sn_world_assemble: sweeps of position projection over all constraints and all overlaps of shapes, until the
// constraints are met and the overlaps are gone.
#include "geometry/shapes/check.h"
#include "solver/assemble.h"
#include "world/core/world.h"

// Shapes are collided again after this many sweeps; in between, overlaps are treated as rows.
enum { SWEEPS_PER_LOOK = 4 };

// A point where two shapes are near each other.
typedef struct meeting {
    int body_a, body_b;
    sn_contact_def contact;
} meeting;

typedef struct assembly {
    sn_world *world;
    float tolerance;
    sn_start_pose *starts; // of all bodies; in the arena
    SN_ARRAY(meeting) meetings;
    sn_assembly report;
} assembly;

// --- where shapes meet ---------------------------------------------------------------------------

static bool add_meetings(assembly *it, const sn_contact_data *contact)
{
    const sn_world *world = it->world;
    const sn_body *a = &world->bodies.data[contact->body_a], *b = &world->bodies.data[contact->body_b];
    const sn_shape_data *shape_a = &world->shapes.data[contact->shape_a],
                        *shape_b = &world->shapes.data[contact->shape_b];
    if (contact->is_sensor || contact->is_ignored || (!sn_body_is_dynamic(a) && !sn_body_is_dynamic(b)) ||
        !sn_bounds_overlap(shape_a->fat, shape_b->fat)) {
        return true;
    }
    sn_patch patches[SN_MAX_PATCHES];
    int count = sn_collide_shapes(shape_a, sn_body_placement(a), shape_b, sn_body_placement(b),
                                  world->def.speculative_margin, patches, SN_MAX_PATCHES);
    for (int i = 0; i < count; ++i) {
        meeting found = {contact->body_a, contact->body_b,
                         sn_contact_def_of(&patches[i], sn_body_pose(a), a->local_center, sn_body_pose(b),
                                           b->local_center)};
        if (!sn_array_push(&it->meetings, found)) {
            return false;
        }
    }
    return true;
}

// Collides all shapes where they are now. False without memory.
static bool look_for_meetings(assembly *it)
{
    sn_world *world = it->world;
    for (int i = 0; i < world->bodies.count; ++i) {
        if (sn_id_pool_in_use(&world->body_ids, i) && sn_body_is_dynamic(&world->bodies.data[i])) {
            sn_world_keep_in_boxes(world, i);
        }
    }
    it->meetings.count = 0;
    bool ok = sn_world_find_pairs(world);
    for (int i = 0; ok && i < world->contacts.count; ++i) {
        ok = !sn_id_pool_in_use(&world->contact_ids, i) || add_meetings(it, &world->contacts.data[i]);
    }
    return ok;
}

static int evaluate_meeting(const sn_world *world, const meeting *meeting, sn_row *rows)
{
    const sn_body *a = &world->bodies.data[meeting->body_a], *b = &world->bodies.data[meeting->body_b];
    sn_row_input input = sn_row_input_make(sn_body_pose(a), a->local_center, sn_body_pose(b), b->local_center,
                                           &meeting->contact.common);
    sn_rows_clear(rows, SN_MAX_ROWS);
    return sn_contact_rows(&input, &meeting->contact, rows);
}

// --- sweeps --------------------------------------------------------------------------------------

// Moves two bodies so that rows are met, unless the result is non-finite: rows of custom kinds may be.
static void project(sn_world *world, int body_a, int body_b, const sn_row *rows, int count)
{
    sn_body *bodies[2] = {&world->bodies.data[body_a], &world->bodies.data[body_b]};
    const sn_body before[2] = {*bodies[0], *bodies[1]};
    sn_project_rows(bodies[0], bodies[1], rows, count);
    for (int k = 0; k < 2; ++k) {
        if (!sn_vec3_is_finite(bodies[k]->center) || !sn_quat_is_finite(bodies[k]->rotation)) {
            *bodies[0] = before[0];
            *bodies[1] = before[1];
        }
    }
}

// Whether it is on and holds only bodies and places in the world: nodes are not moved.
static bool is_of_bodies(const sn_constraint_link *link)
{
    return link->is_on && !sn_member_is_soft(link->member[0]) && !sn_member_is_soft(link->member[1]);
}

static void sweep_constraints(assembly *it)
{
    sn_world *world = it->world;
    for (int i = 0; i < world->constraints.count; ++i) {
        const sn_constraint_link *link = &world->constraint_links.data[i];
        if (!sn_id_pool_in_use(&world->constraint_ids, i) || !is_of_bodies(link)) {
            continue;
        }
        const sn_constraint_data *data = &world->constraints.data[i];
        sn_row rows[SN_MAX_ROWS];
        int count = sn_world_evaluate(world, data, rows);
        float error = sn_rows_error(rows, count);
        if (!(error <= it->tolerance)) {
            ++it->report.unmet_count;
            if (!(error <= it->report.worst_error)) {
                it->report.worst_error = error;
                it->report.worst = sn_constraint_id(world, i);
            }
        }
        project(world, sn_member_body(link->member[0]), sn_member_body(link->member[1]), rows, count);
    }
}

// Counts overlaps beyond the tolerance, and removes them if `apart`. Static bodies are not moved.
static void sweep_meetings(assembly *it, bool apart)
{
    for (int i = 0; i < it->meetings.count; ++i) {
        const meeting *meeting = &it->meetings.data[i];
        sn_row rows[SN_MAX_ROWS];
        int count = evaluate_meeting(it->world, meeting, rows);
        float overlap = sn_rows_error(rows, count);
        if (overlap > it->tolerance) {
            ++it->report.overlap_count;
            it->report.deepest_overlap = sn_max(it->report.deepest_overlap, overlap);
            if (apart) {
                project(it->world, meeting->body_a, meeting->body_b, rows, count);
            }
        }
    }
}

// False without memory.
static bool sweep_until_met(assembly *it, int max_iterations, bool *met)
{
    bool ok = true;
    *met = false;
    for (int i = 0; ok && !*met && i < max_iterations; ++i) {
        it->report = (sn_assembly){.iterations = i + 1};
        ok = i % SWEEPS_PER_LOOK > 0 || look_for_meetings(it);
        sweep_constraints(it);
        sweep_meetings(it, true);
        if (ok && it->report.unmet_count == 0 && it->report.overlap_count == 0) {
            // The sweep itself may have moved something into something else.
            ok = look_for_meetings(it);
            sweep_meetings(it, false);
            *met = ok && it->report.overlap_count == 0;
        }
    }
    return ok;
}

// --- before and after ----------------------------------------------------------------------------

static bool keep_starts(assembly *it)
{
    sn_world *world = it->world;
    sn_arena_reset(&world->arena);
    it->starts = sn_arena_take(&world->arena, (size_t)world->bodies.count, sizeof *it->starts);
    for (int i = 0; it->starts != NULL && i < world->bodies.count; ++i) {
        it->starts[i] = (sn_start_pose){.center = world->bodies.data[i].center,
                                        .rotation = world->bodies.data[i].rotation};
    }
    return it->starts != NULL;
}

static void restore_starts(assembly *it)
{
    for (int i = 0; i < it->world->bodies.count; ++i) {
        it->world->bodies.data[i].center = it->starts[i].center;
        it->world->bodies.data[i].rotation = it->starts[i].rotation;
    }
}

// Updates boxes, pairs and sleep after bodies have moved.
static void refresh_bodies(const assembly *it)
{
    sn_world *world = it->world;
    for (int i = SN_GROUND + 1; i < world->bodies.count; ++i) {
        const sn_body *body = &world->bodies.data[i];
        if (!sn_id_pool_in_use(&world->body_ids, i) ||
            (body->first_constraint < 0 && !sn_body_has_moved(body, &it->starts[i]))) {
            continue;
        }
        sn_world_wake(world, i);
        for (int s = body->first_shape; s >= 0; s = world->shapes.data[s].next) {
            sn_world_shape_refresh(world, s);
        }
    }
}

static sn_status fail_unmet(const assembly *it)
{
    const sn_assembly *report = &it->report;
    if (report->unmet_count == 0) {
        return sn_fail(it->world->error, SN_ERROR_NOT_CONVERGED,
                       "sn_world_assemble: shapes overlap in %d places after %d iterations, by up to %g m, "
                       "expected at most %g",
                       report->overlap_count, report->iterations, (double)report->deepest_overlap,
                       (double)it->tolerance);
    }
    sn_label label = sn_constraint_label(it->world, (int)report->worst.index - 1);
    return sn_fail(it->world->error, SN_ERROR_NOT_CONVERGED,
                   "sn_world_assemble: %d constraints unmet after %d iterations; worst is %s, off by %g, "
                   "expected at most %g",
                   report->unmet_count, report->iterations, label.text, (double)report->worst_error,
                   (double)it->tolerance);
}

sn_status sn_world_assemble(sn_world *world, float tolerance, int max_iterations, sn_assembly *report)
{
    if (report != NULL) {
        *report = (sn_assembly){0};
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
    assembly it = {.world = world, .tolerance = tolerance};
    bool met = false, ok = keep_starts(&it);
    if (ok) {
        world->locked = true; // functions of custom kinds run inside
        ok = sweep_until_met(&it, max_iterations, &met);
        world->locked = false;
        if (!ok) {
            restore_starts(&it);
        }
        refresh_bodies(&it);
    }
    sn_array_release(&it.meetings);
    if (!ok) {
        return sn_fail(world->error, SN_ERROR_MEMORY, "sn_world_assemble: out of memory; nothing has moved");
    }
    if (report != NULL) {
        *report = it.report;
    }
    return met ? SN_OK : fail_unmet(&it);
}
