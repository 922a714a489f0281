// Deformables that touch: bodies, each other, themselves. Small, because every build of the library runs
// them, and near to what they fall on, because it runs them for a second only.
#include "support/scene_builder.h"

static sn_deformable add(scene_builder *builder, const sn_deformable_def *def)
{
    sn_deformable deformable = {0};
    if (builder->status == SN_OK) {
        builder->status = sn_deformable_add(builder->world, def, &deformable);
    }
    return deformable;
}

static void tie(scene_builder *builder, sn_point a, sn_point b)
{
    sn_anchor_def def = sn_anchor_def_default();
    def.a = a;
    def.b = b;
    if (builder->status == SN_OK) {
        builder->status = sn_anchor_add(builder->world, &def, NULL);
    }
}

// Lets go of the makers' handles; deformables keep theirs.
static sn_status finish(scene_builder *builder, sn_mesh *first, sn_mesh *second)
{
    sn_mesh_destroy(first);
    sn_mesh_destroy(second);
    return builder->status;
}

static sn_deformable_def sheet_def(const sn_mesh *mesh, sn_vec3 position, sn_vec3 axis, float angle)
{
    sn_deformable_def def = sn_deformable_def_default();
    def.mesh = mesh;
    def.mass = 0.2f;
    def.inextensible.on = true;
    def.bending = (sn_bending){SN_BENDING_ISOMETRIC, 1.0e-4f, 0.01f, def.bending.max_impulse};
    def.self_collide = true;
    def.pose.position = position;
    def.pose.rotation = sn_quat_axis_angle(axis, angle);
    return def;
}

// --- cloth -------------------------------------------------------------------------------------------------

// Over a ball that does not move, and over one that rolls from under it.
sn_status scene_build_cloth_on_spheres(sn_world *world)
{
    scene_builder builder = {world, SN_OK};
    sn_mesh *mesh = NULL;
    builder.status = sn_mesh_grid(0.8f, 0.8f, 12, 12, SN_GRID_ALTERNATING, &mesh);
    scene_floor(&builder);
    for (int i = 0; i < 2; ++i) {
        float x = 2.0f * (float)i;
        sn_deformable_def def = sheet_def(mesh, sn_v(x, 0.42f, 0.0f), sn_v(1.0f, 0.0f, 0.0f), -0.5f * SN_PI);
        (void)add(&builder, &def);
        sn_rigid ball = scene_sphere(&builder, scene_at(x, 0.2f, 0.05f), 0.2f);
        if (builder.status == SN_OK) {
            builder.status = i == 0 ? sn_rigid_type_set(world, ball, SN_STATIC)
                                    : sn_rigid_linear_velocity_set(world, ball, sn_v(0.5f, 0.0f, 0.2f));
        }
    }
    return finish(&builder, mesh, NULL);
}

// A curtain stands on the floor and falls into folds; another comes down across it.
sn_status scene_build_folding_cloth(sn_world *world)
{
    scene_builder builder = {world, SN_OK};
    sn_mesh *mesh = NULL;
    builder.status = sn_mesh_grid(0.3f, 0.9f, 4, 12, SN_GRID_CROSSED, &mesh);
    scene_floor(&builder);
    for (int i = 0; i < 2; ++i) {
        sn_deformable_def def = sheet_def(mesh, sn_v(0.0f, 0.46f + 0.01f * (float)i, 0.12f * (float)i),
                                          sn_v(1.0f, 0.3f * (float)i, 0.0f), 0.04f - 0.1f * (float)i);
        def.pose.rotation = sn_quat_normalize(def.pose.rotation);
        def.linear_velocity.y = -2.0f;
        (void)add(&builder, &def);
    }
    return finish(&builder, mesh, NULL);
}

// --- jellies -----------------------------------------------------------------------------------------------

// Four on top of each other, each glued to a rod that lies on the next.
sn_status scene_build_jelly_stack(sn_world *world)
{
    scene_builder builder = {world, SN_OK};
    sn_mesh *cube = NULL;
    builder.status = sn_mesh_box(sn_v(0.4f, 0.3f, 0.4f), 3, 2, 3, &cube);
    scene_floor(&builder);
    for (int i = 0; i < 4; ++i) {
        float y = 0.16f + 0.375f * (float)i, x = 0.03f * (float)(i % 2);
        sn_deformable_def def = sn_deformable_def_default();
        def.mesh = cube;
        def.pose.position = sn_v(x, y, 0.0f);
        def.model = i % 2 == 0 ? sn_model_corotational(1.0e5f, 0.4f) : sn_model_neo_hookean(1.0e5f, 0.3f);
        def.model.damping = 0.01f;
        sn_deformable jelly = add(&builder, &def);
        sn_rigid rod = scene_box(&builder, scene_at(x, y + 0.185f, 0.0f), sn_v(0.25f, 0.03f, 0.03f), 800.0f);
        for (int end = -1; end <= 1 && builder.status == SN_OK; end += 2) {
            sn_vec3 place = sn_v(x + 0.15f * (float)end, y + 0.15f, 0.0f);
            tie(&builder, sn_point_on_rigid(world, rod, place), sn_point_on_deformable(world, jelly, place));
        }
    }
    return finish(&builder, cube, NULL);
}

// A cube of 0.4 m on its way down to the floor, a little turned.
static sn_deformable_def thrown_def(const sn_mesh *cube, sn_model model, float x)
{
    sn_deformable_def def = sn_deformable_def_default();
    def.mesh = cube;
    def.density = 100.0f;
    def.model = model;
    def.pose.position = sn_v(x, 0.26f, 0.0f);
    def.pose.rotation = sn_quat_axis_angle(sn_v(0.0f, 0.6f, 0.8f), 0.1f);
    def.linear_velocity = sn_v(0.0f, -1.0f, 0.2f);
    return def;
}

static void add_with_box(scene_builder *builder, const sn_deformable_def *def)
{
    (void)add(builder, def);
    (void)scene_box(builder, scene_at(def->pose.position.x, 0.65f, 0.03f), sn_v(0.15f, 0.1f, 0.15f), 100.0f);
}

// One of every paradigm, side by side, a little above the floor, each with a box on top.
sn_status scene_build_models(sn_world *world)
{
    const sn_model models[] = {
        {.type = SN_MODEL_SPRINGS, .stiffness = 3.0e3f, .damping = 3.0f},
        {.type = SN_MODEL_SPRING_FORCES, .stiffness = 3.0e3f, .damping = 3.0f},
        {.type = SN_MODEL_COROTATIONAL, .young = 5.0e4f, .poisson = 0.4f, .damping = 0.01f},
        {.type = SN_MODEL_COROTATIONAL_EXPLICIT, .young = 1.0e4f, .poisson = 0.3f, .damping = 0.01f},
        {.type = SN_MODEL_COROTATIONAL_IMPLICIT, .young = 5.0e4f, .poisson = 0.3f, .damping = 0.01f},
        {.type = SN_MODEL_NEO_HOOKEAN, .young = 5.0e4f, .poisson = 0.4f, .damping = 0.01f},
        {.type = SN_MODEL_POSITION_BASED, .stiffness = 0.8f, .volume_stiffness = 0.8f},
        {.type = SN_MODEL_SHAPE_MATCHING, .stiffness = 0.8f, .matching = SN_MATCH_RIGID},
        {.type = SN_MODEL_SHAPE_MATCHING,
         .stiffness = 0.8f,
         .matching = SN_MATCH_QUADRATIC,
         .matching_share = 0.5f,
         .damping = 0.1f},
        {.type = SN_MODEL_SHAPE_MATCHING,
         .stiffness = 0.8f,
         .matching = SN_MATCH_LINEAR,
         .matching_share = 0.3f,
         .cluster_rings = 1},
        {.type = SN_MODEL_ENERGY, .stiffness = 1.0e3f, .area_stiffness = 10.0f, .volume_stiffness = 10.0f},
    };
    scene_builder builder = {world, SN_OK};
    sn_mesh *cube = NULL;
    builder.status = sn_mesh_box(sn_v(0.4f, 0.4f, 0.4f), 2, 2, 2, &cube);
    scene_floor(&builder);
    for (int i = 0; i < (int)(sizeof models / sizeof *models); ++i) {
        sn_deformable_def def = thrown_def(cube, models[i], 0.7f * (float)i);
        add_with_box(&builder, &def);
    }
    return finish(&builder, cube, NULL);
}

// Models made of forces, each by every integrator but the default, in a row with a box on each.
sn_status scene_build_integrators(sn_world *world)
{
    const sn_model models[] = {
        {.type = SN_MODEL_SPRING_FORCES, .stiffness = 1.5e3f, .damping = 4.0f},
        {.type = SN_MODEL_COROTATIONAL_EXPLICIT, .young = 1.0e4f, .poisson = 0.3f, .damping = 0.005f},
        {.type = SN_MODEL_ENERGY,
         .stiffness = 20.0f,
         .area_stiffness = 2.0f,
         .volume_stiffness = 2.0f,
         .damping = 0.08f},
    };
    scene_builder builder = {world, SN_OK};
    sn_mesh *cube = NULL;
    builder.status = sn_mesh_box(sn_v(0.4f, 0.4f, 0.4f), 3, 3, 3, &cube);
    scene_floor(&builder);
    for (int i = 0; i < 3 * (SN_INTEGRATOR_COUNT - 1); ++i) {
        sn_deformable_def def = thrown_def(cube, models[i % 3], 0.5f * (float)i);
        def.integrator = (sn_integrator)(1 + i / 3);
        def.linear_damping = i % 2 == 0 ? 0.5f : 0.0f;
        add_with_box(&builder, &def);
    }
    return finish(&builder, cube, NULL);
}

// --- what is full of air, and ropes ------------------------------------------------------------------------

// A cushion with over-pressure, and a closed bag that keeps its volume, under a box each; bodies of a hull, a
// capsule and triangles about them.
sn_status scene_build_cushions(sn_world *world)
{
    scene_builder builder = {world, SN_OK};
    sn_mesh *cushion = NULL, *bag = NULL;
    builder.status = sn_mesh_box_surface(sn_v(0.6f, 0.2f, 0.6f), 5, 2, 5, &cushion);
    builder.status = builder.status ? builder.status : sn_mesh_sphere_surface(0.2f, 3, &bag);
    const sn_vec3 vertices[4] = {{-20, 0, -20}, {-20, 0, 20}, {20, 0, 20}, {20, 0, -20}};
    const uint32_t triangles[6] = {0, 1, 2, 0, 2, 3};
    sn_surface *floor = NULL;
    if (builder.status == SN_OK) {
        builder.status = sn_surface_create(vertices, 4, triangles, 2, false, &floor);
    }
    if (builder.status == SN_OK) {
        builder.status = sn_surface_add(world, sn_world_ground(world), NULL, floor, NULL);
    }
    sn_surface_destroy(floor);
    for (int i = 0; i < 2; ++i) {
        sn_deformable_def def = sn_deformable_def_default();
        def.mesh = i == 0 ? cushion : bag;
        def.density = 0.5f;
        def.model = sn_model_springs(2.0e3f, 1.0f);
        def.inextensible.on = i == 0;
        def.inextensible.side = SN_HOLD_STRETCH;
        def.enclosure.pressure = i == 0 ? 300.0f : 0.0f;
        def.enclosure.preserve = i != 0;
        def.pose.position = sn_v((float)i, i == 0 ? 0.11f : 0.21f, 0.0f);
        (void)add(&builder, &def);
    }
    (void)scene_box(&builder, scene_at(0.0f, 0.33f, 0.0f), sn_v(0.15f, 0.1f, 0.15f), 100.0f);
    (void)scene_capsule(&builder, scene_at(1.0f, 0.62f, 0.0f), 0.1f, 0.08f);
    return finish(&builder, cushion, bag);
}

// A rope over a round beam with unequal weights, and a strip that slides over the beam's edge beside it.
sn_status scene_build_ropes(sn_world *world)
{
    scene_builder builder = {world, SN_OK};
    sn_mesh *line = NULL, *strip = NULL;
    builder.status = sn_mesh_line(1.2f, 30, &line);
    builder.status = builder.status ? builder.status : sn_mesh_strip(1.0f, 0.05f, 16, &strip);
    scene_floor(&builder);
    sn_rigid beam = scene_body(&builder, SN_STATIC, scene_at(0.0f, 1.0f, 0.0f));
    sn_capsule round = {{0.0f, 0.0f, -0.6f}, {0.0f, 0.0f, 0.6f}, 0.15f};
    if (builder.status == SN_OK) {
        builder.status = sn_capsule_add(world, beam, NULL, round, NULL);
    }
    for (int i = 0; i < 2; ++i) {
        sn_deformable_def def = sn_deformable_def_default();
        def.mesh = i == 0 ? line : strip;
        def.mass = 0.2f;
        def.inextensible.on = true;
        def.friction = 0.3f;
        def.bending.type = i == 0 ? SN_BENDING_NONE : SN_BENDING_DIAGONAL;
        def.bending.stiffness = 1.0e-3f;
        def.pose.position = sn_v(0.1f, 1.16f, 0.4f * (float)i - 0.2f);
        if (i == 1) {
            def.pose.rotation = sn_quat_axis_angle(sn_v(1.0f, 0.0f, 0.0f), -0.5f * SN_PI);
        }
        sn_deformable rope = add(&builder, &def);
        const int last = i == 0 ? 30 : 16;
        for (int end = 0; end < 2 && builder.status == SN_OK; ++end) {
            sn_vec3 place = sn_deformable_nodes(world, rope)[end * last].position;
            sn_rigid weight =
                scene_sphere(&builder, scene_at(place.x, place.y, place.z), 0.04f + 0.01f * (float)end);
            tie(&builder, sn_point_on_rigid(world, weight, place), sn_point_node(rope, end * last));
        }
    }
    return finish(&builder, line, strip);
}
