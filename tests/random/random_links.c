// Joints of every kind and anchors of every sort, met where things are when they are added.
#include "random/random_world.h"

#include <math.h>

static void draw_common(const random_world *w, test_random *random, sn_constraint_common *common)
{
    if (random_chance(random, 0.3f)) {
        common->compliance = random_log(random, 1e-8f, 1e-2f);
        common->damping = random_chance(random, 0.5f) ? random_log(random, 1e-2f, 100.0f) : 0.0f;
    }
    if (random_chance(random, 0.3f)) {
        common->angular_compliance = random_log(random, 1e-6f, 1e-1f);
        common->angular_damping = random_chance(random, 0.5f) ? random_log(random, 1e-3f, 10.0f) : 0.0f;
    }
    if (random_chance(random, 0.1f)) {
        common->break_force = random_log(random, 10.0f, 1e5f);
    }
    common->collide_connected = random_chance(random, 0.3f);
    if (random_chance(random, 0.1f)) {
        common->active_from = test_random_float(random, 0.0f, 1.0f) * (w->kind.is_driven ? 1.0f : 0.0f);
        common->active_until = common->active_from + test_random_float(random, 0.1f, 2.0f);
    }
}

// Limits, motors and springs by the tables of the kind, around where the joint is now.
static void draw_fields(const random_world *w, test_random *random, sn_constraint_kind kind, char *def,
                        float length)
{
    const sn_constraint_field *fields;
    int count = sn_constraint_kind_fields(kind, &fields);
    bool on = false;
    for (int i = 0; i < count; ++i) {
        const sn_constraint_field *field = &fields[i];
        bool is_first = i == 0 || fields[i - 1].group == NULL || field->group == NULL ||
                        field->group[0] != fields[i - 1].group[0];
        bool is_motor = field->group != NULL && field->group[0] == 'm';
        if (is_first) {
            on = random_chance(random, 0.35f) && (!is_motor || w->kind.is_driven);
        }
        float *number = (float *)(void *)(def + field->offset);
        if (!on) {
            continue;
        }
        if (field->type == SN_CONSTRAINT_FIELD_BOOL) {
            *(bool *)(void *)number = true;
        } else if (field->type == SN_CONSTRAINT_FIELD_FLOAT && field->ordered) {
            *number = kind == SN_DISTANCE ? length * test_random_float(random, 0.3f, 1.0f)
                                          : -test_random_float(random, 0.0f, 1.0f);
        } else if (field->type == SN_CONSTRAINT_FIELD_FLOAT && i > 0 && fields[i - 1].ordered) {
            *number = kind == SN_DISTANCE ? length * test_random_float(random, 1.0f, 1.5f)
                                          : test_random_float(random, 0.0f, 1.0f);
        } else if (field->type == SN_CONSTRAINT_FIELD_FLOAT && is_motor) {
            *number = test_random_float(random, 0.5f, 20.0f);
        } else if (field->type == SN_CONSTRAINT_FIELD_FLOAT && field->upper > 100.0f &&
                   field->initial == 0.0f && field->lower >= 0.0f) {
            *number = random_log(random, 0.1f, 1e4f); // stiffness or damping
        }
    }
    if (kind == SN_DISTANCE) {
        ((sn_distance_def *)(void *)def)->spring_length = length; // at rest now
    }
    if (kind == SN_BALL) {
        sn_ball_def *ball = (sn_ball_def *)(void *)def;
        ball->cone_angle = ball->limit_cone ? test_random_float(random, 0.1f, 3.0f) : SN_PI;
        ball->motor_velocity = ball->motor ? test_random_vec3(random, 5.0f) : sn_v(0, 0, 0);
    }
}

static sn_status place(random_world *w, test_random *random, sn_constraint_kind kind,
                       sn_constraint_common *common, const item *a, const item *b, float *length)
{
    sn_rigid first = a != NULL ? a->rigid : sn_world_ground(w->world);
    sn_vec3 center_b = sn_rigid_center(w->world, b->rigid);
    sn_vec3 center_a =
        a != NULL ? sn_rigid_center(w->world, first) : sn_add(center_b, test_random_vec3(random, 0.5f));
    *length = sn_distance_between(center_a, center_b);
    if (kind == SN_DISTANCE) {
        return sn_constraint_place_points(w->world, common, first, b->rigid, center_a, center_b);
    }
    sn_vec3 at = sn_lerp(center_a, center_b, test_random_float(random, 0.0f, 1.0f));
    return sn_constraint_place(w->world, common, first, b->rigid, at, test_random_direction(random));
}

bool random_joint_add(random_world *w, int number)
{
    static const sn_constraint_kind kinds[] = {SN_BALL, SN_HINGE, SN_SLIDER, SN_FIXED, SN_DISTANCE, SN_AXIS};
    item *one = &w->items[number];
    test_random random = {one->seed};
    sn_constraint_kind kind = kinds[random_below(&random, 6)];
    bool to_world = !w->kind.is_floating && random_chance(&random, 0.3f);
    const item *b = random_item(w, &random, ITEM_BODY, NULL),
               *a = to_world ? NULL : random_item(w, &random, ITEM_BODY, b);
    _Alignas(16) char def[SN_MAX_CONSTRAINT_DEF];
    if (b == NULL || (a == NULL && !to_world) || sn_rigid_get_type(w->world, b->rigid) != SN_DYNAMIC) {
        return true;
    }
    float length = 1.0f;
    sn_constraint_def_default(kind, def);
    sn_constraint_common *common = (sn_constraint_common *)(void *)def;
    draw_common(w, &random, common);
    // Else what hangs on the ground could fall through the floor, and the floor lift what it pulls along.
    common->collide_connected = common->collide_connected || to_world;
    sn_status status = place(w, &random, kind, common, a, b, &length);
    draw_fields(w, &random, kind, def, length);
    snprintf(one->what, sizeof one->what, "joint %s%s%s", sn_constraint_kind_name(kind),
             common->compliance > 0.0f || common->angular_compliance > 0.0f ? " compliant" : "",
             to_world ? " to world" : "");
    status = status ? status : sn_constraint_add(w->world, kind, def, &one->constraint);
    one->is_built = status == SN_OK;
    return !random_refused(w, number, status);
}

// --- anchors -----------------------------------------------------------------------------------------------

static sn_point random_soft_point(const random_world *w, test_random *random, const item *soft,
                                  bool may_be_sum)
{
    int count = sn_deformable_node_count(w->world, soft->soft);
    if (may_be_sum && random_chance(random, 0.3f)) {
        sn_vec3 near = sn_deformable_nodes(w->world, soft->soft)[random_below(random, count)].position;
        return sn_point_on_deformable(w->world, soft->soft, sn_add(near, test_random_vec3(random, 0.05f)));
    }
    return sn_point_node(soft->soft, random_below(random, count));
}

// The other end: where the first one is now, on a body, on another deformable, or in the world.
static bool draw_other_end(random_world *w, test_random *random, const item *soft, sn_anchor_def *def,
                           char **what)
{
    sn_vec3 at;
    sn_point_place(w->world, &def->a, &at);
    float kind = test_random_float(random, 0.0f, 1.0f);
    const item *body = random_item(w, random, ITEM_BODY, NULL),
               *other = random_item(w, random, ITEM_SOFT, soft);
    if (kind < 0.35f && !w->kind.is_floating) {
        def->b = sn_point_world(at);
        *what = "world";
        return true;
    }
    if (kind < 0.75f) {
        if (body == NULL) {
            return false;
        }
        def->b = sn_point_on_rigid(w->world, body->rigid, at);
        *what = "body";
        return true;
    }
    if (other == NULL) {
        return false;
    }
    def->b = random_soft_point(w, random, other, true);
    *what = "soft";
    return true;
}

bool random_anchor_add(random_world *w, int number)
{
    item *one = &w->items[number];
    test_random random = {one->seed};
    const item *soft = random_item(w, &random, ITEM_SOFT, NULL);
    if (soft == NULL) {
        return true;
    }
    sn_anchor_def def = sn_anchor_def_default();
    char *to = "";
    bool exact = random_chance(&random, 0.5f);
    def.a = random_soft_point(w, &random, soft, true);
    if (!draw_other_end(w, &random, soft, &def, &to)) {
        return true;
    }
    sn_vec3 place_a, place_b;
    sn_point_place(w->world, &def.a, &place_a);
    sn_point_place(w->world, &def.b, &place_b);
    // What is not met at the start pulls its ends together, which is work from outside.
    bool is_met = sn_distance_between(place_a, place_b) < 1e-3f;
    if (!is_met && !w->kind.is_driven) {
        return true;
    }
    def.exact = exact;
    def.ramp_steps = exact && !is_met ? 1 + random_below(&random, 100) : 1;
    if (exact && random_chance(&random, 0.2f) && def.b.type != SN_POINT_NODES) {
        def.a = sn_point_surface(soft->soft);
        def.friction = random_chance(&random, 0.5f) ? 0.3f : 0.0f;
    }
    if (!exact && random_chance(&random, 0.4f)) {
        def.compliance = random_log(&random, 1e-7f, 1e-1f);
        def.damping = random_chance(&random, 0.5f) ? random_log(&random, 1e-3f, 10.0f) : 0.0f;
    }
    if (!exact && random_chance(&random, 0.1f)) {
        def.max_force = random_log(&random, 1.0f, 1e4f);
    }
    snprintf(one->what, sizeof one->what, "anchor%s%s%s to %s", exact ? " exact" : "",
             def.a.type == SN_POINT_SURFACE ? " sliding" : "", def.compliance > 0.0f ? " compliant" : "", to);
    sn_status status = sn_anchor_add(w->world, &def, &one->constraint);
    if (status == SN_ERROR_IMMOVABLE) { // both ends are fixed
        return true;
    }
    // The same of nodes within a volume, which are apart from the surface that they shall slide along.
    if (status == SN_OK && !w->kind.is_driven && def.a.type == SN_POINT_SURFACE &&
        sn_anchor_error(w->world, one->constraint) >= 1e-3f) {
        return sn_constraint_remove(w->world, one->constraint) == SN_OK;
    }
    one->is_built = status == SN_OK;
    return !random_refused(w, number, status);
}
