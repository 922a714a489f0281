// Deformables of every mesh, model and integrator.
#include "random/random_world.h"

static sn_status draw_mesh(test_random *random, float size, int type, sn_mesh **mesh)
{
    int n = 1 + random_below(random, 4);
    switch (type) {
    case 0:
        return sn_mesh_line(2.0f * size, 2 + 4 * n, mesh);
    case 1:
        return sn_mesh_strip(2.0f * size, 0.3f * size, 2 + 2 * n, mesh);
    case 2:
        return sn_mesh_grid(2.0f * size, 1.5f * size, 2 + n, 2 + n, (sn_grid_pattern)random_below(random, 2),
                            mesh);
    case 3:
        return sn_mesh_disc(size, 1 + n / 2, mesh);
    case 4:
        return sn_mesh_sphere_surface(size, 1 + n / 2, mesh);
    case 5:
        return sn_mesh_box(sn_v(1.4f * size, size, size), 1 + n / 2, 1 + n / 3, 1 + n / 3, mesh);
    case 6:
        return sn_mesh_sphere(size, 1 + n / 3, mesh);
    default:
        return sn_mesh_cylinder(0.5f * size, size, 1, 1 + n / 2, mesh);
    }
}

enum { FIRST_SOLID = 5, MESH_TYPES = 8, CLOSED_SURFACE = 4 };
static const char *const mesh_names[] = {"line",    "strip", "grid", "disc",
                                         "balloon", "block", "ball", "cylinder"};

static const char *const model_names[] = {
    "none",           "springs",     "spring_forces",  "corotational",   "corot_explicit",
    "corot_implicit", "neo_hookean", "position_based", "shape_matching", "energy"};
static const char *const integrator_names[] = {"cromer", "explicit_euler", "midpoint",
                                               "heun",   "verlet",         "implicit_euler"};

static sn_model draw_model(test_random *random, bool is_solid, float mass)
{
    sn_model model = {.type = (sn_model_type)random_below(random, SN_MODEL_COUNT)};
    bool has_elements = model.type >= SN_MODEL_COROTATIONAL && model.type <= SN_MODEL_NEO_HOOKEAN;
    if (has_elements && !is_solid) {
        model.type = SN_MODEL_SPRINGS;
    }
    bool is_goal = model.type == SN_MODEL_POSITION_BASED || model.type == SN_MODEL_SHAPE_MATCHING;
    if (is_goal) {
        model.stiffness = test_random_float(random, 0.0f, 1.0f);
        model.damping = test_random_float(random, 0.0f, 1.0f);
        model.volume_stiffness = test_random_float(random, 0.0f, 1.0f);
        model.matching = (sn_matching)random_below(random, 3);
        model.matching_share = test_random_float(random, 0.0f, 1.0f);
        model.cluster_rings = random_below(random, 3);
        return model;
    }
    // By the mass, so that soft and stiff ones of all weights come up.
    float scale = mass * random_log(random, 10.0f, 1e5f);
    model.stiffness = scale;
    model.area_stiffness = model.volume_stiffness = 0.1f * scale;
    model.damping = random_chance(random, 0.5f) ? 0.0f : 0.01f * scale * random_log(random, 0.01f, 1.0f);
    if (has_elements) {
        model.young = random_log(random, 1e3f, 1e7f);
        model.poisson = test_random_float(random, 0.0f, 0.49f);
        model.damping = random_chance(random, 0.5f) ? 0.0f : random_log(random, 1e-4f, 0.1f);
    }
    return model;
}

static void draw_edges(test_random *random, sn_deformable_def *def)
{
    def->inextensible.on = def->model.type == SN_MODEL_NONE || random_chance(random, 0.2f);
    def->inextensible.side = (sn_limit_side)random_below(random, 3);
    if (random_chance(random, 0.3f)) {
        def->inextensible.compliance = random_log(random, 1e-7f, 1e-2f);
        def->inextensible.damping = random_chance(random, 0.5f) ? 0.1f : 0.0f;
    }
    if (random_chance(random, 0.2f)) {
        def->inextensible.shear_stiffness = random_log(random, 1.0f, 1e3f);
    }
}

static void draw_rest(const random_world *w, test_random *random, int mesh_type, sn_deformable_def *def)
{
    if (mesh_type > 0 && mesh_type < FIRST_SOLID && random_chance(random, 0.5f)) {
        def->bending.type = (sn_bending_type)random_below(random, 4);
        def->bending.stiffness = random_log(random, 1e-6f, 1.0f);
        def->bending.damping = random_chance(random, 0.5f) ? 0.0f : 0.01f;
    }
    if (mesh_type == CLOSED_SURFACE && random_chance(random, 0.5f)) {
        def->enclosure.preserve = true;
        def->enclosure.compliance = random_chance(random, 0.5f) ? 0.0f : 1e-6f;
    }
    def->thickness = random_log(random, 0.002f, 0.03f);
    def->friction = test_random_float(random, 0.0f, 1.0f);
    def->restitution = random_chance(random, 0.2f) ? 0.5f : 0.0f;
    def->collide = random_chance(random, 0.9f);
    def->self_collide = random_chance(random, 0.3f);
    if (w->kind.is_driven && random_chance(random, 0.3f)) {
        def->drag = 1.0f;
        def->lift = 0.5f;
    }
    if (random_chance(random, 0.3f)) {
        def->linear_velocity = sn_scale(test_random_direction(random), random_log(random, 0.1f, 30.0f));
        def->angular_velocity = sn_scale(test_random_direction(random), random_log(random, 0.1f, 10.0f));
    }
}

bool random_soft_add(random_world *w, int number)
{
    item *one = &w->items[number];
    test_random random = {one->seed};
    int mesh_type = random_below(&random, MESH_TYPES);
    sn_mesh *mesh = NULL;
    sn_status status = draw_mesh(&random, test_random_float(&random, 0.15f, 0.6f), mesh_type, &mesh);
    sn_deformable_def def = sn_deformable_def_default();
    def.mesh = mesh;
    def.pose.position = random_cell(w, number);
    def.pose.rotation = test_random_rotation(&random);
    def.mass = random_log(&random, 1e-2f, 1e3f);
    def.model = draw_model(&random, mesh_type >= FIRST_SOLID, def.mass);
    bool has_forces = def.model.type == SN_MODEL_SPRING_FORCES ||
                      def.model.type == SN_MODEL_COROTATIONAL_EXPLICIT || def.model.type == SN_MODEL_ENERGY ||
                      def.model.type == SN_MODEL_NONE;
    if (has_forces && random_chance(&random, 0.6f)) {
        def.integrator = (sn_integrator)random_below(&random, SN_INTEGRATOR_COUNT);
    }
    draw_edges(&random, &def);
    draw_rest(w, &random, mesh_type, &def);
    snprintf(one->what, sizeof one->what, "%s %s%s%s%s%s", mesh_names[mesh_type], model_names[def.model.type],
             def.integrator != SN_INTEGRATOR_EULER_CROMER ? " " : "",
             def.integrator != SN_INTEGRATOR_EULER_CROMER ? integrator_names[def.integrator] : "",
             def.inextensible.on ? " inextensible" : "", def.self_collide ? " self" : "");
    status = status ? status : sn_deformable_add(w->world, &def, &one->soft);
    sn_mesh_destroy(mesh);
    one->is_built = status == SN_OK;
    bool refused = random_refused(w, number, status);
    for (int i = 0; one->is_built && !w->kind.is_floating && random_chance(&random, 0.3f) && i < 3; ++i) {
        sn_node_fix(w->world, one->soft, random_below(&random, sn_deformable_node_count(w->world, one->soft)),
                    true);
    }
    return !refused;
}
