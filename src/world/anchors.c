// Anchors come and go, and what the solver sees of them.
#include "world/anchors.h"

#include "geometry/check.h"
#include "world/exact.h"

#include <math.h>
#include <string.h>

#define MOST_RAMP_STEPS 1000000

sn_anchor_def sn_anchor_def_default(void)
{
    return (sn_anchor_def){.cookie = SN_COOKIE_ANCHOR,
                           .max_force = INFINITY,
                           .break_force = INFINITY,
                           .active = true,
                           .active_until = INFINITY,
                           .ramp_steps = 1};
}

static sn_anchor_data *find_anchor(const sn_world *world, sn_anchor anchor)
{
    if (sn_anchor_is_valid(world, anchor)) {
        return &world->anchors.data[anchor.index - 1];
    }
    (void)sn_fail(world ? world->error : NULL, SN_ERROR_ID,
                  "anchor id (index %u, generation %u, world %u) is %s, expected one that exists",
                  anchor.index, (unsigned)anchor.generation, (unsigned)anchor.world,
                  anchor.index == 0 ? "zero" : "stale");
    return NULL;
}

static bool can_move(const sn_world *world, const sn_point *point)
{
    if (point->type == SN_POINT_RIGID) {
        return sn_body_is_dynamic(sn_world_body(world, point->rigid));
    }
    return point->type != SN_POINT_WORLD; // even a fixed node may be let go of
}

static sn_status check_mobility(const sn_world *world, const sn_point *a, const sn_point *b,
                                const char *object)
{
    return can_move(world, a) || can_move(world, b)
               ? SN_OK
               : sn_fail(world->error, SN_ERROR_IMMOVABLE, "%s: neither end can move, expected one that can",
                         object);
}

static sn_status check_force(float force, sn_error *error, const char *field)
{
    return force > 0.0f ? SN_OK
                        : sn_fail(error, force == force ? SN_ERROR_RANGE : SN_ERROR_NOT_FINITE,
                                  "anchor: %s is %g, expected more than 0", field, (double)force);
}

static sn_status check_time(float time, float least, sn_error *error, const char *field)
{
    return time >= least
               ? SN_OK
               : sn_fail(error, time == time ? SN_ERROR_RANGE : SN_ERROR_NOT_FINITE,
                         "anchor: %s is %g, expected %g or later", field, (double)time, (double)least);
}

static sn_status check_times(const sn_anchor_def *def, sn_error *error)
{
    sn_status status = check_time(def->active_from, 0.0f, error, "active_from");
    status = status ? status : check_time(def->active_until, def->active_from, error, "active_until");
    if (status == SN_OK && !(def->active_until > def->active_from)) {
        status = sn_fail(error, SN_ERROR_RANGE, "anchor: active_until is %g, expected more than active_from",
                         (double)def->active_until);
    }
    return status;
}

// What only exact anchors can have, and what they cannot.
static sn_status check_exact(const sn_anchor_def *def, sn_error *error)
{
    if (def->exact && (def->compliance > 0.0f || def->max_force < INFINITY)) {
        return sn_fail(error, SN_ERROR_RANGE,
                       "anchor: exact with compliance %g and max_force %g, expected 0 and infinite",
                       (double)def->compliance, (double)def->max_force);
    }
    if (def->ramp_steps < 1 || def->ramp_steps > MOST_RAMP_STEPS) {
        return sn_fail(error, SN_ERROR_RANGE, "anchor: ramp_steps is %d, expected 1 to %d", def->ramp_steps,
                       MOST_RAMP_STEPS);
    }
    return sn_check_range(def->friction, 0.0f, 1000.0f, error, "anchor", "friction");
}

sn_status sn_anchor_check(const sn_world *world, const sn_anchor_def *def)
{
    sn_error *error = world->error;
    sn_status status = sn_point_check(world, &def->a, "anchor", "a");
    status = status ? status : sn_point_check(world, &def->b, "anchor", "b");
    status = status ? status : sn_check_range(def->compliance, 0.0f, 1.0e12f, error, "anchor", "compliance");
    status = status ? status : sn_check_range(def->damping, 0.0f, 1.0e12f, error, "anchor", "damping");
    status = status ? status : check_force(def->max_force, error, "max_force");
    status = status ? status : check_force(def->break_force, error, "break_force");
    status = status ? status : check_times(def, error);
    status = status ? status : check_exact(def, error);
    return status ? status : sn_anchor_check_surfaces(world, def);
}

static sn_status check_def(const sn_world *world, const sn_anchor_def *def)
{
    if (def == NULL) {
        return sn_fail(world->error, SN_ERROR_NULL, "anchor: definition is null");
    }
    if (def->cookie != SN_COOKIE_ANCHOR) {
        return sn_fail(world->error, SN_ERROR_DEFINITION,
                       "anchor: definition does not come from sn_anchor_def_default");
    }
    sn_status status = sn_anchor_check(world, def);
    return status ? status : check_mobility(world, &def->a, &def->b, "anchor");
}

static void wake_ends(sn_world *world, int index)
{
    sn_tie tie = sn_anchor_ends(world, index);
    for (int side = 0; side < 2; ++side) {
        if (tie.ends[side] >= 0) {
            sn_world_wake_member(world, tie.ends[side]);
        }
    }
}

// Where its end is that is a place.
static sn_vec3 nail_of(const sn_anchor_def *def)
{
    return (def->a.type == SN_POINT_WORLD ? def->a : def->b).position;
}

// It begins to hold, or ceases to.
static void begin(sn_world *world, int index)
{
    sn_anchor_data *data = &world->anchors.data[index];
    data->was_on = sn_anchor_is_on(world, index);
    data->impulse = world->anchor_forces.data[index] = sn_v(0.0f, 0.0f, 0.0f);
    data->nail = nail_of(&data->def);
    data->ramp_done = 0;
    sn_anchor_find_foot(world, data);
    sn_world_forget_exact(world);
    wake_ends(world, index);
}

// What its ends slide along. False without memory.
static bool make_slides(sn_world *world, const sn_anchor_def *def)
{
    return (def->a.type != SN_POINT_SURFACE || sn_anchor_make_slide(world, &def->a)) &&
           (def->b.type != SN_POINT_SURFACE || sn_anchor_make_slide(world, &def->b));
}

sn_status sn_anchor_add(sn_world *world, const sn_anchor_def *def, sn_anchor *anchor)
{
    if (anchor != NULL) {
        *anchor = (sn_anchor){0};
    }
    sn_status status = sn_world_check_open(world, "sn_anchor_add");
    status = status ? status : check_def(world, def);
    sn_anchor_data data = {0};
    char text[SN_MAX_NAME + 1];
    status = status ? status : sn_name_copy(text, def->name, world->error, "anchor");
    if (status != SN_OK) {
        return status;
    }
    if (!make_slides(world, def) || !sn_id_pool_reserve(&world->anchor_ids) ||
        !sn_array_reserve(&world->anchors, world->anchors.count + 1) ||
        !sn_array_reserve(&world->anchor_forces, world->anchors.count + 1) ||
        !sn_name_set(&data.name, text)) {
        return sn_fail(world->error, SN_ERROR_MEMORY, "anchor: out of memory");
    }
    data.def = *def;
    data.def.name = NULL;
    int index = sn_id_pool_take(&world->anchor_ids);
    world->anchors.count = index >= world->anchors.count ? index + 1 : world->anchors.count;
    world->anchor_forces.count = world->anchors.count;
    world->anchors.data[index] = data;
    begin(world, index);
    if (anchor != NULL) {
        *anchor = sn_anchor_id(world, index);
    }
    return SN_OK;
}

static void drop(sn_world *world, int index)
{
    wake_ends(world, index);
    sn_name_release(&world->anchors.data[index].name);
    memset(&world->anchors.data[index], 0, sizeof world->anchors.data[index]);
    world->anchor_forces.data[index] = sn_v(0.0f, 0.0f, 0.0f);
    sn_id_pool_give_back(&world->anchor_ids, index);
    sn_world_forget_exact(world);
}

sn_status sn_anchor_remove(sn_world *world, sn_anchor anchor)
{
    sn_status status = sn_world_check_open(world, "sn_anchor_remove");
    if (status == SN_OK && find_anchor(world, anchor) == NULL) {
        status = SN_ERROR_ID;
    }
    if (status == SN_OK) {
        drop(world, (int)anchor.index - 1);
    }
    return status;
}

bool sn_anchor_is_valid(const sn_world *world, sn_anchor anchor)
{
    return world != NULL && anchor.index > 0 && anchor.index <= (uint32_t)INT32_MAX &&
           anchor.world == world->tag &&
           sn_id_pool_holds(&world->anchor_ids, (int)(anchor.index - 1), anchor.generation);
}

// Whether the anchor can have that point at that end.
static sn_status check_point(const sn_world *world, const sn_anchor_data *data, int end,
                             const sn_point *point)
{
    sn_anchor_def def = data->def;
    *(end == 0 ? &def.a : &def.b) = *point;
    sn_status status = sn_point_check(world, point, "sn_anchor_point_set", "point");
    status = status ? status : check_mobility(world, &def.a, &def.b, "sn_anchor_point_set");
    return status ? status : sn_anchor_check_surfaces(world, &def);
}

// A place that goes to another changes nothing else.
static void set_point(sn_world *world, int index, sn_point *target, const sn_point *point)
{
    sn_anchor_data *data = &world->anchors.data[index];
    bool goes = target->type == SN_POINT_WORLD && point->type == SN_POINT_WORLD;
    wake_ends(world, index); // what is let go of
    *target = *point;
    wake_ends(world, index);
    if (goes) {
        sn_world_move_nail(world, index, point->position);
    } else {
        data->nail = nail_of(&data->def);
        sn_anchor_find_foot(world, data);
        sn_world_forget_exact(world);
    }
}

sn_status sn_anchor_point_set(sn_world *world, sn_anchor anchor, int end, const sn_point *point)
{
    sn_status status = sn_world_check_open(world, "sn_anchor_point_set");
    sn_anchor_data *data = status ? NULL : find_anchor(world, anchor);
    if (data == NULL) {
        return status ? status : SN_ERROR_ID;
    }
    if (point == NULL || end < 0 || end > 1) {
        return sn_fail(
            world->error, point == NULL ? SN_ERROR_NULL : SN_ERROR_RANGE,
            "sn_anchor_point_set: point is %s and end is %d, expected a point, and 0 for a or 1 for b",
            point == NULL ? "null" : "given", end);
    }
    status = check_point(world, data, end, point);
    if (status == SN_OK && point->type == SN_POINT_SURFACE && !sn_anchor_make_slide(world, point)) {
        status = sn_fail(world->error, SN_ERROR_MEMORY, "sn_anchor_point_set: out of memory");
    }
    if (status == SN_OK) {
        set_point(world, (int)anchor.index - 1, end == 0 ? &data->def.a : &data->def.b, point);
    }
    return status;
}

sn_status sn_anchor_active_set(sn_world *world, sn_anchor anchor, bool active)
{
    sn_status status = sn_world_check_open(world, "sn_anchor_active_set");
    sn_anchor_data *data = status ? NULL : find_anchor(world, anchor);
    if (data == NULL) {
        return status ? status : SN_ERROR_ID;
    }
    if (data->def.active != active) {
        data->def.active = active;
        begin(world, (int)anchor.index - 1);
    }
    return SN_OK;
}

sn_anchor_hold sn_anchor_hold_now(const sn_world *world, sn_anchor anchor)
{
    const sn_anchor_data *data = find_anchor(world, anchor);
    if (data == NULL) {
        return SN_ANCHOR_OFF;
    }
    if (!sn_world_plan_exact(world)) {
        (void)sn_fail(world->error, SN_ERROR_MEMORY, "sn_anchor_hold_now: out of memory");
        return data->def.exact ? SN_ANCHOR_ROWS_INSTEAD : SN_ANCHOR_ROWS;
    }
    return (sn_anchor_hold)world->exact->holds.data[anchor.index - 1];
}

sn_vec3 sn_anchor_force(const sn_world *world, sn_anchor anchor)
{
    const sn_anchor_data *data = find_anchor(world, anchor);
    return data != NULL ? world->anchor_forces.data[anchor.index - 1] : sn_v(0.0f, 0.0f, 0.0f);
}

float sn_anchor_error(const sn_world *world, sn_anchor anchor)
{
    const sn_anchor_data *data = find_anchor(world, anchor);
    return data != NULL
               ? sn_distance_between(sn_point_now(world, &data->def.a), sn_point_now(world, &data->def.b))
               : 0.0f;
}

sn_anchor_def sn_anchor_definition(const sn_world *world, sn_anchor anchor)
{
    const sn_anchor_data *data = find_anchor(world, anchor);
    if (data == NULL) {
        return (sn_anchor_def){0};
    }
    sn_anchor_def def = data->def;
    def.name = data->name;
    return def;
}

int sn_world_anchors(const sn_world *world, sn_anchor *out, int capacity)
{
    int count = 0;
    for (int i = 0; world != NULL && i < world->anchors.count; ++i) {
        if (sn_id_pool_in_use(&world->anchor_ids, i)) {
            if (out != NULL && count < capacity) {
                out[count] = sn_anchor_id(world, i);
            }
            ++count;
        }
    }
    return count;
}

// --- in a step ---------------------------------------------------------------------------------------------

// Whoever asks between steps how anchors are held plans anew, but wakes nothing: that is left to the step.
void sn_world_time_anchors(sn_world *world)
{
    bool is_done = world->exact->is_timed && sn_world_plan_is_fresh(world);
    world->exact->is_timed = true;
    for (int i = 0; !is_done && i < world->anchors.count; ++i) {
        if (sn_id_pool_in_use(&world->anchor_ids, i) &&
            sn_anchor_is_on(world, i) != world->anchors.data[i].was_on) {
            begin(world, i);
        }
    }
}

bool sn_anchor_takes_part(const sn_world *world, int index, const int *number)
{
    sn_tie tie = sn_anchor_ends(world, index);
    for (int side = 0; side < 2; ++side) {
        int member = tie.ends[side];
        if (member >= 0 &&
            ((member & SN_SOFT_MEMBER) ? !sn_world_member_sleeps(world, member) : number[member] > 0)) {
            return true;
        }
    }
    return false;
}

bool sn_world_load_anchors(sn_world *world, float h, const int *number, sn_anchor_stage *stage)
{
    const sn_exact_plan *plan = world->exact;
    *stage = (sn_anchor_stage){0};
    stage->inputs = sn_arena_take(&world->arena, (size_t)plan->rows.count, sizeof *stage->inputs);
    if (stage->inputs == NULL) {
        return false;
    }
    for (int i = 0; i < plan->rows.count; ++i) {
        sn_anchor_data *data = &world->anchors.data[plan->rows.data[i]];
        if (sn_anchor_takes_part(world, plan->rows.data[i], number)) {
            data->impulse = sn_scale(data->impulse, sn_impulse_scale(data->sub_step, h));
            data->sub_step = h;
            stage->inputs[stage->count++] =
                (sn_anchor_input){.ends = {sn_world_load_end(world, &data->def.a, number),
                                           sn_world_load_end(world, &data->def.b, number)},
                                  .compliance = data->def.compliance,
                                  .damping = data->def.damping,
                                  .max_force = data->def.max_force,
                                  .impulse = &data->impulse,
                                  .force = &world->anchor_forces.data[plan->rows.data[i]]};
        }
    }
    return true;
}

void sn_world_break_anchors(sn_world *world)
{
    for (int i = 0; i < world->exact->breakable.count; ++i) {
        int index = world->exact->breakable.data[i];
        const sn_anchor_data *data = &world->anchors.data[index];
        float force = sn_length(world->anchor_forces.data[index]);
        if (force > data->def.break_force) {
            sn_anchor_break_event event = {sn_anchor_id(world, index), data->def.user, force};
            (void)sn_array_push(&world->events.anchor_breaks.list, event);
            drop(world, index);
        }
    }
}

void sn_world_drop_anchors(sn_world *world, int member)
{
    for (int i = 0; i < world->anchors.count; ++i) {
        sn_tie tie = sn_anchor_ends(world, i);
        if (tie.ends[0] == member || tie.ends[1] == member) {
            drop(world, i);
        }
    }
}
