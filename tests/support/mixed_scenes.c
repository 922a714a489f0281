// The ten mixed scenes, one function to build and one to measure each. Damping only makes them come to rest.
#include "support/mixed_scenes.h"

#include "support/physics.h"

#include <math.h>

// --- parts -------------------------------------------------------------------------------------------------

static void damp(sn_world *world, sn_rigid rigid, float rate)
{
    must(sn_rigid_damping_set(world, rigid, rate, rate));
}

static sn_rigid add_box(sn_world *world, sn_vec3 half, float mass, sn_vec3 position)
{
    sn_shape_def material = sn_shape_def_default();
    material.density = mass / (8.0f * half.x * half.y * half.z);
    return physics_box(world, material, half, physics_at(position.x, position.y, position.z));
}

static sn_deformable add_soft(sn_world *world, sn_mesh *mesh, sn_deformable_def def)
{
    sn_deformable soft = {0};
    def.mesh = mesh;
    must(sn_deformable_add(world, &def, &soft));
    sn_mesh_destroy(mesh);
    return soft;
}

// A cube of 0.4 m, 64 kg.
static sn_deformable add_jelly(sn_world *world, sn_model model, sn_vec3 position)
{
    sn_mesh *mesh = NULL;
    must(sn_mesh_box(sn_v(0.4f, 0.4f, 0.4f), 3, 3, 3, &mesh));
    sn_deformable_def def = sn_deformable_def_default();
    def.model = model;
    def.model.damping = 0.01f;
    def.pose.position = position;
    def.linear_damping = 0.5f;
    return add_soft(world, mesh, def);
}

static void tie(sn_world *world, mixed_things *things, sn_point a, sn_point b)
{
    sn_ball_def def = sn_ball_def_default();
    def.common.a = a;
    def.common.b = b;
    must(sn_ball_add(world, &def, &things->links[things->link_count++]));
}

// --- measures ----------------------------------------------------------------------------------------------

static double height_of(const sn_world *world, sn_rigid rigid)
{
    return (double)sn_rigid_pose(world, rigid).position.y;
}

static double node_height(const sn_world *world, sn_deformable soft, int node)
{
    return (double)sn_deformable_nodes(world, soft)[node].position.y;
}

// Mean height of nodes whose place in the mesh is beyond `limit` along `axis`.
static double mean_height(const sn_world *world, sn_deformable soft, sn_vec3 axis, float limit)
{
    const sn_mesh *mesh = sn_deformable_mesh(world, soft);
    const sn_node_state *nodes = sn_deformable_nodes(world, soft);
    double sum = 0.0, count = 0.0;
    for (int i = 0; i < sn_deformable_node_count(world, soft); ++i) {
        if (sn_dot(sn_mesh_nodes(mesh)[i], axis) > limit) {
            sum += (double)nodes[i].position.y;
            count += 1.0;
        }
    }
    return sum / count;
}

// Upwards, on a deformable by all shapes.
static double soft_force(const sn_world *world, sn_deformable soft, float step)
{
    enum { CAPACITY = 4096 };
    static sn_soft_contact contacts[CAPACITY];
    int count = sn_deformable_contacts(world, soft, contacts, CAPACITY);
    double sum = 0.0;
    for (int i = 0; i < count && i < CAPACITY; ++i) {
        sum += (double)(contacts[i].normal_impulse * contacts[i].normal.y + contacts[i].friction_impulse.y);
    }
    return sum / (double)step;
}

static double force_of(const sn_world *world, sn_constraint link)
{
    return (double)sn_length(sn_constraint_force(world, link));
}

// --- scenes ------------------------------------------------------------------------------------------------

static void build_stack(sn_world *world, mixed_things *things)
{
    physics_floor(world, sn_shape_def_default());
    for (int i = 0; i < 8; ++i) {
        things->rigids[i] =
            add_box(world, sn_v(0.1f, 0.1f, 0.1f), 8.0f, sn_v(0.0f, 0.1f + 0.2f * (float)i, 0.0f));
    }
}

static void measure_stack(const sn_world *world, const mixed_things *things, float step, mixed_value *values)
{
    (void)step;
    values[0] = (mixed_value){"height", height_of(world, things->rigids[7])};
    values[1] =
        (mixed_value){"force on the top box", (double)sn_rigid_contact_force(world, things->rigids[7]).y};
}

static void build_jelly(sn_world *world, mixed_things *things)
{
    physics_floor(world, sn_shape_def_default());
    things->soft = add_jelly(world, sn_model_corotational(5.0e4f, 0.3f), sn_v(0.0f, 0.206f, 0.0f));
}

static void measure_jelly(const sn_world *world, const mixed_things *things, float step, mixed_value *values)
{
    double height = mean_height(world, things->soft, sn_v(0.0f, 1.0f, 0.0f), 0.19f);
    double bottom = mean_height(world, things->soft, sn_v(0.0f, -1.0f, 0.0f), 0.19f);
    values[0] = (mixed_value){"height", height};
    values[1] = (mixed_value){"sag", 0.4 - (height - bottom)};
    values[2] = (mixed_value){"force of the floor", soft_force(world, things->soft, step)};
}

static void build_slab(sn_world *world, mixed_things *things)
{
    build_jelly(world, things);
    things->rigids[0] = add_box(world, sn_v(0.25f, 0.05f, 0.25f), 20.0f, sn_v(0.0f, 0.465f, 0.0f));
    damp(world, things->rigids[0], 0.5f);
}

static void measure_slab(const sn_world *world, const mixed_things *things, float step, mixed_value *values)
{
    double bottom = mean_height(world, things->soft, sn_v(0.0f, -1.0f, 0.0f), 0.19f);
    double top = mean_height(world, things->soft, sn_v(0.0f, 1.0f, 0.0f), 0.19f);
    values[0] = (mixed_value){"height", height_of(world, things->rigids[0])};
    values[1] = (mixed_value){"sag of the jelly", 0.4 - (top - bottom)};
    values[2] = (mixed_value){"force on jelly", soft_force(world, things->soft, step)};
}

// A rope of 1 m between two places 0.8 m apart, a weight tied to its middle.
static void build_rope(sn_world *world, mixed_things *things)
{
    sn_mesh *mesh = NULL;
    must(sn_mesh_line(1.0f, 20, &mesh));
    sn_deformable_def def = sn_deformable_def_default();
    def.density = 0.2f;
    def.inextensible.on = true;
    def.collide = false;
    def.linear_damping = 2.0f;
    things->soft = add_soft(world, mesh, def);
    sn_node_state *nodes;
    sn_node_velocity *velocities;
    must(sn_deformable_edit(world, things->soft, &nodes, &velocities));
    for (int i = 0; i <= 20; ++i) { // a V
        float along = (float)i / 20.0f - 0.5f;
        nodes[i].position = sn_v(0.8f * along, -0.3f + 0.6f * fabsf(along), 0.0f);
    }
    tie(world, things, sn_point_world(sn_v(-0.4f, 0.0f, 0.0f)), sn_point_node(things->soft, 0));
    tie(world, things, sn_point_world(sn_v(0.4f, 0.0f, 0.0f)), sn_point_node(things->soft, 20));
    things->rigids[0] = physics_lump(world, 1.0f, physics_ball_inertia(1.0f, 0.1f), physics_at(0, -0.4f, 0));
    damp(world, things->rigids[0], 2.0f);
    tie(world, things, sn_point_node(things->soft, 10),
        sn_point_rigid(things->rigids[0], sn_v(0.0f, 0.1f, 0.0f)));
}

static void measure_rope(const sn_world *world, const mixed_things *things, float step, mixed_value *values)
{
    (void)step;
    values[0] = (mixed_value){"sag", -node_height(world, things->soft, 10)};
    values[1] = (mixed_value){"tension at the end", force_of(world, things->links[0])};
    values[2] = (mixed_value){"load", force_of(world, things->links[2])};
}

static void build_cloth(sn_world *world, mixed_things *things)
{
    sn_mesh *mesh = NULL;
    must(sn_mesh_grid(1.0f, 1.0f, 10, 10, SN_GRID_ALTERNATING, &mesh));
    sn_deformable_def def = sn_deformable_def_default();
    def.mass = 0.3f;
    def.inextensible.on = true;
    def.inextensible.compliance = 0.005f; // with hard threads its sag is that of their last bit of slack
    def.inextensible.damping = 0.05f;
    def.linear_damping = 2.0f;
    def.pose.rotation = sn_quat_axis_angle(sn_v(1.0f, 0.0f, 0.0f), -1.57079633f);
    things->soft = add_soft(world, mesh, def);
    static const int corners[4] = {0, 10, 110, 120};
    for (int i = 0; i < 4; ++i) {
        must(sn_node_fix(world, things->soft, corners[i], true));
    }
    sn_shape_def material = sn_shape_def_default();
    material.density = 0.5f / 0.0041888f;
    things->rigids[0] = physics_sphere(world, material, 0.1f, physics_at(0.0f, 0.12f, 0.0f));
    damp(world, things->rigids[0], 1.0f);
}

static void measure_cloth(const sn_world *world, const mixed_things *things, float step, mixed_value *values)
{
    values[0] = (mixed_value){"sag under the ball", 0.1 - height_of(world, things->rigids[0])};
    values[1] = (mixed_value){"force of the ball", -soft_force(world, things->soft, step)};
}

// Three boxes, one below the other, on springs.
static void build_springs(sn_world *world, mixed_things *things)
{
    for (int i = 0; i < 3; ++i) {
        things->rigids[i] =
            add_box(world, sn_v(0.05f, 0.05f, 0.05f), 2.0f, sn_v(0.0f, -0.3f - 0.3f * (float)i, 0.0f));
        damp(world, things->rigids[i], 1.0f);
        sn_distance_def def = sn_distance_def_default();
        def.common.a = i == 0 ? sn_point_world(sn_v(0.0f, 0.0f, 0.0f))
                              : sn_point_rigid(things->rigids[i - 1], sn_v(0.0f, -0.05f, 0.0f));
        def.common.b = sn_point_rigid(things->rigids[i], sn_v(0.0f, 0.05f, 0.0f));
        def.spring_stiffness = 800.0f;
        def.spring_damping = 10.0f;
        def.spring_length = 0.2f;
        must(sn_distance_add(world, &def, &things->links[i]));
    }
}

static void measure_springs(const sn_world *world, const mixed_things *things, float step,
                            mixed_value *values)
{
    (void)step;
    values[0] = (mixed_value){"sag", -height_of(world, things->rigids[2]) - 0.85};
    values[1] = (mixed_value){"tension", force_of(world, things->links[0])};
    values[2] = (mixed_value){"tension below", force_of(world, things->links[2])};
}

static void build_beam(sn_world *world, mixed_things *things)
{
    sn_mesh *mesh = NULL;
    must(sn_mesh_box(sn_v(0.6f, 0.15f, 0.15f), 8, 2, 2, &mesh));
    sn_deformable_def def = sn_deformable_def_default();
    def.model = sn_model_corotational(2.0e5f, 0.3f);
    def.model.damping = 0.01f;
    def.collide = false;
    def.linear_damping = 1.0f;
    things->soft = add_soft(world, mesh, def);
    mesh = (sn_mesh *)(uintptr_t)sn_deformable_mesh(world, things->soft);
    for (int i = 0; i < sn_mesh_node_count(mesh); ++i) {
        if (sn_mesh_nodes(mesh)[i].x < -0.299f) {
            must(sn_node_fix(world, things->soft, i, true));
        }
    }
    things->rigids[0] = add_box(world, sn_v(0.05f, 0.05f, 0.05f), 1.0f, sn_v(0.3f, -0.125f, 0.0f));
    damp(world, things->rigids[0], 1.0f);
    tie(world, things, sn_point_on_deformable(world, things->soft, sn_v(0.3f, -0.075f, 0.0f)),
        sn_point_rigid(things->rigids[0], sn_v(0.0f, 0.05f, 0.0f)));
}

static void measure_beam(const sn_world *world, const mixed_things *things, float step, mixed_value *values)
{
    (void)step;
    values[0] = (mixed_value){"sag", -mean_height(world, things->soft, sn_v(1.0f, 0.0f, 0.0f), 0.299f)};
    values[1] = (mixed_value){"load", force_of(world, things->links[0])};
}

// Eight planks hinged to each other and to both banks, a box on the middle.
static void build_bridge(sn_world *world, mixed_things *things)
{
    enum { PLANKS = 8 };
    const float half = 0.14f, reach = 1.1f; // hangs through
    for (int i = 0; i <= PLANKS; ++i) {
        float middle = (float)i - 0.5f * (float)(PLANKS - 1);
        if (i < PLANKS) {
            float drop = 0.1f * (fabsf(middle) - 4.0f);
            things->rigids[i] =
                add_box(world, sn_v(half, 0.02f, 0.2f), 1.0f, sn_v(middle * 2.0f * reach / 8.0f, drop, 0.0f));
            damp(world, things->rigids[i], 1.0f);
        }
        sn_hinge_def def = sn_hinge_def_default();
        sn_quat turn = sn_quat_axis_angle(sn_v(0.0f, 1.0f, 0.0f), -1.57079633f); // x along the world's z
        sn_pose left = {sn_v(half, 0.0f, 0.0f), turn}, right = {sn_v(-half, 0.0f, 0.0f), turn};
        sn_pose bank = {sn_v(i == 0 ? -reach : reach, 0.0f, 0.0f), turn};
        def.common.a =
            i == 0 ? sn_point_world_frame(bank) : sn_point_rigid_frame(things->rigids[i - 1], left);
        def.common.b =
            i == PLANKS ? sn_point_world_frame(bank) : sn_point_rigid_frame(things->rigids[i], right);
        sn_constraint hinge;
        must(sn_hinge_add(world, &def, &hinge));
        if (i == 0 || i == PLANKS) {
            things->links[things->link_count++] = hinge;
        }
    }
    must(sn_world_assemble(world, 1.0e-4f, 20000, NULL)); // planks were placed roughly
    things->rigids[PLANKS] = add_box(world, sn_v(0.2f, 0.1f, 0.2f), 5.0f, sn_v(0.0f, 0.15f, 0.0f));
}

static void measure_bridge(const sn_world *world, const mixed_things *things, float step, mixed_value *values)
{
    (void)step;
    double middle = height_of(world, things->rigids[3]) + height_of(world, things->rigids[4]);
    values[0] = (mixed_value){"sag", -0.5 * middle};
    values[1] = (mixed_value){"tension at the bank", force_of(world, things->links[0])};
    values[2] = (mixed_value){"force on the box", (double)sn_rigid_contact_force(world, things->rigids[8]).y};
}

// A neo-Hookean cube, held at its upper face, a box tied below it.
static void build_hanging(sn_world *world, mixed_things *things)
{
    things->soft = add_jelly(world, sn_model_neo_hookean(5.0e4f, 0.3f), sn_v(0.0f, 0.0f, 0.0f));
    const sn_node_state *nodes = sn_deformable_nodes(world, things->soft);
    for (int i = 0; i < sn_deformable_node_count(world, things->soft); ++i) {
        if (nodes[i].position.y > 0.19f) {
            must(sn_node_fix(world, things->soft, i, true));
        }
    }
    things->rigids[0] = add_box(world, sn_v(0.15f, 0.05f, 0.15f), 20.0f, sn_v(0.0f, -0.3f, 0.0f));
    damp(world, things->rigids[0], 1.0f);
    for (int i = 0; i < 4; ++i) {
        float x = i % 2 == 0 ? -0.1f : 0.1f, z = i / 2 == 0 ? -0.1f : 0.1f;
        tie(world, things, sn_point_on_deformable(world, things->soft, sn_v(x, -0.2f, z)),
            sn_point_rigid(things->rigids[0], sn_v(x, 0.1f, z)));
    }
}

static void measure_hanging(const sn_world *world, const mixed_things *things, float step,
                            mixed_value *values)
{
    (void)step;
    double sum = 0.0;
    for (int i = 0; i < 4; ++i) {
        sum += (double)fabsf(sn_constraint_force(world, things->links[i]).y);
    }
    values[0] = (mixed_value){"sag", -0.3 - height_of(world, things->rigids[0])};
    values[1] = (mixed_value){"load of the ties", sum};
}

// A box on a slope of 0.4 rad without friction, held by a rope.
static void build_slope(sn_world *world, mixed_things *things)
{
    const float angle = 0.4f;
    sn_shape_def material = physics_material(0.0f, 0.0f);
    physics_slope(world, material, angle);
    things->rigids[0] = physics_box(world, material, sn_v(0.1f, 0.1f, 0.1f), physics_on_slope(angle, 0.1f));
    damp(world, things->rigids[0], 1.0f);
    sn_mesh *mesh = NULL;
    must(sn_mesh_line(0.5f, 10, &mesh));
    sn_deformable_def def = sn_deformable_def_default();
    def.density = 0.2f;
    def.inextensible.on = true;
    def.collide = false;
    def.linear_damping = 2.0f;
    sn_pose pose = physics_on_slope(angle, 0.1f);
    def.pose.rotation = pose.rotation;
    def.pose.position = sn_add_scaled(pose.position, -0.35f, physics_downhill(angle));
    things->soft = add_soft(world, mesh, def);
    tie(world, things, sn_point_node(things->soft, 10),
        sn_point_rigid(things->rigids[0], sn_v(-0.1f, 0.0f, 0.0f)));
    must(sn_node_fix(world, things->soft, 0, true));
}

static void measure_slope(const sn_world *world, const mixed_things *things, float step, mixed_value *values)
{
    (void)step;
    sn_vec3 up = sn_v(sn_sin(0.4f), sn_cos(0.4f), 0.0f);
    values[0] = (mixed_value){"height", (double)sn_dot(sn_rigid_pose(world, things->rigids[0]).position, up)};
    values[1] = (mixed_value){"tension", force_of(world, things->links[0])};
    values[2] =
        (mixed_value){"normal force", (double)sn_dot(sn_rigid_contact_force(world, things->rigids[0]), up)};
}

const mixed_scene mixed_scenes[MIXED_SCENES] = {
    {"stack of boxes", 2.0f, build_stack, measure_stack},
    {"jelly on the floor", 4.0f, build_jelly, measure_jelly},
    {"slab on a jelly", 4.0f, build_slab, measure_slab},
    {"weight on a rope", 8.0f, build_rope, measure_rope},
    {"ball on a cloth", 8.0f, build_cloth, measure_cloth},
    {"boxes on springs", 8.0f, build_springs, measure_springs},
    {"loaded beam", 6.0f, build_beam, measure_beam},
    {"bridge of planks", 8.0f, build_bridge, measure_bridge},
    {"box below a jelly", 6.0f, build_hanging, measure_hanging},
    {"box on a slope, by a rope", 6.0f, build_slope, measure_slope},
};

// --- running -----------------------------------------------------------------------------------------------

sn_world *mixed_open(const mixed_scene *scene, const sn_world_def *settings, mixed_things *things)
{
    sn_world *world = NULL;
    *things = (mixed_things){0};
    must(sn_world_create(settings, &world));
    scene->build(world, things);
    return world;
}

void mixed_run(const mixed_scene *scene, const sn_world_def *settings, float step,
               mixed_value values[MIXED_VALUES])
{
    mixed_things things;
    sn_world *world = mixed_open(scene, settings, &things);
    physics_run(world, step, scene->seconds);
    int steps = (int)(0.5f / step);
    for (int v = 0; v < MIXED_VALUES; ++v) {
        values[v] = (mixed_value){NULL, 0.0};
    }
    for (int i = 0; i < steps; ++i) {
        mixed_value now[MIXED_VALUES] = {{NULL, 0.0}};
        must(sn_world_step(world, step));
        scene->measure(world, &things, step, now);
        for (int v = 0; v < MIXED_VALUES; ++v) {
            values[v].name = now[v].name;
            values[v].value += now[v].value / steps;
        }
    }
    sn_world_destroy(world);
}

double mixed_difference(const mixed_value *values, const mixed_value *others, int *which)
{
    double worst = 0.0;
    *which = 0;
    for (int v = 0; v < MIXED_VALUES && values[v].name != NULL; ++v) {
        double off = fabs(values[v].value / others[v].value - 1.0);
        if (!(off <= worst)) {
            worst = off;
            *which = v;
        }
    }
    return worst;
}
