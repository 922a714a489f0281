// Bodies of all shapes, from a gram to ten tons.
#include "random/random_world.h"

static sn_hull *random_hull(test_random *random, float size)
{
    sn_vec3 points[24];
    int count = 6 + random_below(random, 18);
    for (int i = 0; i < count; ++i) {
        points[i] = sn_scale(test_random_direction(random), size * test_random_float(random, 0.7f, 1.0f));
    }
    sn_hull *hull = NULL;
    return sn_hull_create(points, count, 0, &hull) == SN_OK ? hull : NULL;
}

static sn_status add_hull(random_world *w, sn_rigid rigid, const sn_shape_def *def, test_random *random,
                          float size)
{
    sn_hull *hull = random_hull(random, size);
    sn_status status = hull != NULL ? sn_hull_add(w->world, rigid, def, hull, NULL)
                                    : sn_sphere_add(w->world, rigid, def, (sn_sphere){.radius = size}, NULL);
    sn_hull_destroy(hull);
    return status;
}

static sn_status add_compound(random_world *w, sn_rigid rigid, const sn_shape_def *def, test_random *random,
                              float size)
{
    sn_solid parts[3] = {
        {.type = SN_SPHERE, .sphere = {sn_v(0.5f * size, 0, 0), 0.4f * size}},
        {.type = SN_BOX, .box = {sn_v(0.4f * size, 0.2f * size, 0.2f * size)}},
        {.type = SN_CAPSULE, .capsule = {sn_v(0, -0.4f * size, 0), sn_v(0, 0.5f * size, 0), 0.15f * size}}};
    for (int i = 0; i < 3; ++i) {
        parts[i].pose.rotation = test_random_rotation(random);
    }
    sn_compound *compound = NULL;
    sn_status status = sn_compound_create(parts, 2 + random_below(random, 2), &compound);
    status = status ? status : sn_compound_add(w->world, rigid, def, compound, NULL);
    sn_compound_destroy(compound);
    return status;
}

static sn_status add_surface(random_world *w, sn_rigid rigid, const sn_shape_def *def, float size)
{
    sn_vec3 v[5] = {sn_v(-size, 0, -size), sn_v(size, 0, -size), sn_v(size, 0, size), sn_v(-size, 0, size),
                    sn_v(0, -0.4f * size, 0)};
    uint32_t t[12] = {0, 4, 1, 1, 4, 2, 2, 4, 3, 3, 4, 0};
    sn_surface *surface = NULL;
    sn_status status = sn_surface_create(v, 5, t, 4, true, &surface);
    status = status ? status : sn_surface_add(w->world, rigid, def, surface, NULL);
    sn_surface_destroy(surface);
    return status;
}

static sn_status add_shape(random_world *w, item *one, test_random *random, bool may_be_surface)
{
    static const char *const names[] = {"sphere", "capsule", "box", "hull", "compound", "surface"};
    sn_shape_def def = sn_shape_def_default();
    float size = random_log(random, 0.05f, 0.6f);
    def.friction = random_chance(random, 0.2f) ? 0.0f : test_random_float(random, 0.0f, 1.0f);
    def.restitution = random_chance(random, 0.3f) ? test_random_float(random, 0.0f, 1.0f) : 0.0f;
    def.rolling_resistance = random_chance(random, 0.1f) ? 0.01f : 0.0f;
    if (w->kind.is_driven && random_chance(random, 0.05f)) {
        def.surface_velocity = sn_v(1, 0, 0);
    }
    int type = random_below(random, may_be_surface ? 6 : 5);
    char before[64];
    snprintf(before, sizeof before, "%s", one->what);
    snprintf(one->what, sizeof one->what, "%s %s", before, names[type]);
    switch (type) {
    case 0:
        return sn_sphere_add(w->world, one->rigid, &def, (sn_sphere){.radius = size}, NULL);
    case 1:
        return sn_capsule_add(w->world, one->rigid, &def,
                              (sn_capsule){sn_v(-0.6f * size, 0, 0), sn_v(0.6f * size, 0, 0), 0.4f * size},
                              NULL);
    case 2:
        return sn_box_add(w->world, one->rigid, &def,
                          (sn_box){sn_v(size, size * test_random_float(random, 0.2f, 1.0f),
                                        size * test_random_float(random, 0.2f, 1.0f))},
                          NULL);
    case 3:
        return add_hull(w, one->rigid, &def, random, size);
    case 4:
        return add_compound(w, one->rigid, &def, random, size);
    default:
        return add_surface(w, one->rigid, &def, size);
    }
}

static sn_status weigh(random_world *w, sn_rigid rigid, float mass)
{
    sn_mass now = sn_rigid_mass(w->world, rigid);
    float scale = mass / now.mass;
    now.mass = mass;
    float *entries = (float *)(void *)&now.inertia;
    for (int i = 0; i < 9; ++i) {
        entries[i] *= scale;
    }
    return sn_rigid_mass_set(w->world, rigid, &now);
}

static sn_rigid_def draw_def(random_world *w, int number, test_random *random)
{
    sn_rigid_def def = sn_rigid_def_default();
    float kind = test_random_float(random, 0.0f, 1.0f);
    def.position = random_cell(w, number);
    def.rotation = test_random_rotation(random);
    def.type = w->kind.is_floating || kind < 0.75f ? SN_DYNAMIC : kind < 0.9f ? SN_STATIC : SN_KINEMATIC;
    if (def.type == SN_DYNAMIC || (def.type == SN_KINEMATIC && w->kind.is_driven)) {
        bool is_fast = random_chance(random, 0.6f);
        float speed = def.type == SN_KINEMATIC ? 2.0f : random_log(random, 0.1f, 100.0f);
        def.linear_velocity = is_fast ? sn_scale(test_random_direction(random), speed) : sn_v(0, 0, 0);
        def.angular_velocity = is_fast
                                   ? sn_scale(test_random_direction(random), random_log(random, 0.1f, 30.0f))
                                   : sn_v(0, 0, 0);
    }
    if (!w->kind.is_floating && random_chance(random, 0.1f)) {
        def.linear_damping = test_random_float(random, 0.0f, 2.0f);
        def.angular_damping = test_random_float(random, 0.0f, 2.0f);
    }
    if (!w->kind.is_floating && random_chance(random, 0.15f)) {
        def.locks = test_random_u32(random) & 63u;
    }
    def.bullet = random_chance(random, 0.2f);
    return def;
}

bool random_body_add(random_world *w, int number)
{
    static const char *const types[] = {"static", "kinematic", "dynamic"};
    item *one = &w->items[number];
    test_random random = {one->seed};
    sn_rigid_def def = draw_def(w, number, &random);
    snprintf(one->what, sizeof one->what, "%s%s", types[def.type], def.locks != 0 ? " locked" : "");
    sn_status status = sn_rigid_add(w->world, &def, &one->rigid);
    status = status ? status : add_shape(w, one, &random, def.type != SN_DYNAMIC);
    if (status == SN_OK && def.type == SN_DYNAMIC) {
        status = weigh(w, one->rigid, random_log(&random, 1e-3f, 1e4f));
    }
    one->is_built = status == SN_OK;
    return !random_refused(w, number, status);
}
