// The ten hostile scenes: see hostile_scenes.h.
#include "support/hostile_scenes.h"

#include "support/physics.h"
#include "support/random.h"

#include <math.h>

#define STIFF 1.0e9f

static sn_rigid add_box(sn_world *world, float half, float mass, sn_vec3 position)
{
    sn_shape_def material = sn_shape_def_default();
    material.density = mass / (8.0f * half * half * half);
    return physics_box(world, material, sn_v(half, half, half),
                       physics_at(position.x, position.y, position.z));
}

static sn_deformable add_soft(sn_world *world, sn_mesh *mesh, sn_model model, float mass, sn_vec3 position)
{
    sn_deformable_def def = sn_deformable_def_default();
    sn_deformable soft;
    def.mesh = mesh;
    def.model = model;
    def.mass = mass;
    def.pose.position = position;
    def.inextensible.on = model.type == SN_MODEL_NONE;
    must(sn_deformable_add(world, &def, &soft));
    sn_mesh_destroy(mesh);
    return soft;
}

static void tie(sn_world *world, sn_point a, sn_point b)
{
    sn_ball_def def = sn_ball_def_default();
    def.common.a = a;
    def.common.b = b;
    must(sn_ball_add(world, &def, NULL));
}

static void spring(sn_world *world, sn_point a, sn_point b, float length)
{
    sn_distance_def def = sn_distance_def_default();
    def.common.a = a;
    def.common.b = b;
    def.spring_stiffness = STIFF;
    def.spring_length = length;
    must(sn_distance_add(world, &def, NULL));
}

static sn_mesh *cube(int cells)
{
    sn_mesh *mesh = NULL;
    must(sn_mesh_box(sn_v(0.4f, 0.4f, 0.4f), cells, cells, cells, &mesh));
    return mesh;
}

static sn_mesh *sheet(int cells)
{
    sn_mesh *mesh = NULL;
    must(sn_mesh_grid(1.0f, 1.0f, cells, cells, SN_GRID_ALTERNATING, &mesh));
    return mesh;
}

// --- scenes ------------------------------------------------------------------------------------------------

static void build_spring_rope(sn_world *world)
{
    sn_mesh *mesh = NULL;
    must(sn_mesh_line(1.0f, 20, &mesh));
    sn_deformable rope = add_soft(world, mesh, sn_model_springs(STIFF, 0.0f), 0.2f, sn_v(0.0f, 3.0f, 0.0f));
    must(sn_node_fix(world, rope, 0, true));
    sn_rigid weight = add_box(world, 0.1f, 10.0f, sn_v(0.6f, 3.0f, 0.0f));
    tie(world, sn_point_node(rope, 20), sn_point_rigid(weight, sn_v(-0.1f, 0.0f, 0.0f)));
}

static void build_stiff_jelly(sn_world *world)
{
    physics_floor(world, sn_shape_def_default());
    add_soft(world, cube(3), sn_model_corotational(STIFF, 0.3f), 1.0f, sn_v(0.0f, 1.0f, 0.0f));
}

static void build_pressed_jelly(sn_world *world)
{
    physics_floor(world, sn_shape_def_default());
    add_soft(world, cube(2), sn_model_neo_hookean(STIFF, 0.45f), 0.5f, sn_v(0.0f, 0.21f, 0.0f));
    add_box(world, 0.2f, 500.0f, sn_v(0.0f, 0.8f, 0.0f));
}

static void build_heavy_chain(sn_world *world)
{
    sn_rigid last = sn_world_ground(world);
    for (int i = 0; i < 10; ++i) {
        sn_rigid link =
            add_box(world, 0.05f, i == 9 ? 1000.0f : 1.0f, sn_v(0.1f + 0.2f * (float)i, 3.0f, 0.0f));
        tie(world,
            i == 0 ? sn_point_world(sn_v(0.0f, 3.0f, 0.0f)) : sn_point_rigid(last, sn_v(0.1f, 0.0f, 0.0f)),
            sn_point_rigid(link, sn_v(-0.1f, 0.0f, 0.0f)));
        last = link;
    }
}

static void build_heavy_stack(sn_world *world)
{
    physics_floor(world, sn_shape_def_default());
    for (int i = 0; i < 6; ++i) {
        add_box(world, 0.1f, i == 5 ? 1000.0f : 1.0f, sn_v(0.0f, 0.11f + 0.21f * (float)i, 0.0f));
    }
}

static void build_ball_on_cloth(sn_world *world)
{
    sn_deformable cloth = add_soft(world, sheet(8), sn_model_none(), 0.1f, sn_v(0.0f, 2.0f, 0.0f));
    must(sn_node_fix(world, cloth, 72, true));
    must(sn_node_fix(world, cloth, 80, true));
    sn_rigid ball = add_box(world, 0.08f, 1.3f, sn_v(0.0f, 1.2f, 0.0f));
    tie(world, sn_point_node(cloth, 4), sn_point_rigid(ball, sn_v(0.0f, 0.08f, 0.0f)));
    physics_floor(world, sn_shape_def_default());
}

static void build_spring_ring(sn_world *world)
{
    enum { COUNT = 6 };
    sn_rigid bodies[COUNT];
    physics_floor(world, sn_shape_def_default());
    for (int i = 0; i < COUNT; ++i) {
        float angle = 6.2831853f * (float)i / COUNT;
        bodies[i] = add_box(world, 0.08f, i % 2 ? 1.0f : 1000.0f,
                            sn_v(0.5f * sn_cos(angle), 1.5f + 0.5f * sn_sin(angle), 0.0f));
        must(sn_rigid_angular_velocity_set(world, bodies[i], sn_v(0.0f, 5.0f, 1.0f)));
    }
    for (int i = 0; i < COUNT; ++i) {
        spring(world, sn_point_rigid(bodies[i], sn_v(0.0f, 0.05f, 0.0f)),
               sn_point_rigid(bodies[(i + 1) % COUNT], sn_v(0.0f, -0.05f, 0.0f)), 0.45f);
    }
}

static void build_stiff_rod(sn_world *world)
{
    sn_mesh *mesh = NULL;
    must(sn_mesh_strip(1.0f, 0.1f, 12, &mesh));
    sn_deformable_def def = sn_deformable_def_default();
    sn_deformable strip;
    def.mesh = mesh;
    def.mass = 0.1f;
    def.inextensible.on = true;
    def.inextensible.compliance = 1.0f / STIFF;
    def.bending.type = SN_BENDING_DIHEDRAL;
    def.bending.stiffness = 1.0e6f;
    def.pose.position = sn_v(0.0f, 1.5f, 0.0f);
    def.angular_velocity = sn_v(0.0f, 0.0f, 5.0f);
    must(sn_deformable_add(world, &def, &strip));
    sn_mesh_destroy(mesh);
    physics_floor(world, sn_shape_def_default());
}

static void build_crumpled(sn_world *world)
{
    sn_deformable cloth =
        add_soft(world, sheet(8), sn_model_springs(STIFF, 0.0f), 0.2f, sn_v(0.0f, 1.5f, 0.0f));
    sn_node_state *nodes;
    sn_node_velocity *velocities;
    test_random random = {5};
    must(sn_deformable_edit(world, cloth, &nodes, &velocities));
    for (int i = 0; i < sn_deformable_node_count(world, cloth); ++i) {
        nodes[i].position = sn_add(nodes[i].position, test_random_vec3(&random, 0.03f));
    }
    physics_floor(world, sn_shape_def_default());
}

// Four bars in a square with more joints than needed, none of which fits exactly, turned by a motor.
static void build_linkage(sn_world *world)
{
    sn_rigid bars[4];
    for (int i = 0; i < 4; ++i) {
        float x = i % 2 == 0 ? 0.0f : i == 1 ? 0.5f : -0.5f, y = i % 2 == 0 ? (i == 0 ? -0.5f : 0.5f) : 0.0f;
        bars[i] = add_box(world, 0.05f, i == 2 ? 1000.0f : 1.0f, sn_v(x, 3.0f + y, 0.0f));
    }
    for (int i = 0; i < 4; ++i) {
        sn_vec3 a = sn_rigid_position(world, bars[i]), b = sn_rigid_position(world, bars[(i + 1) % 4]);
        sn_vec3 corner = sn_scale(sn_add(a, b), 0.5f);
        for (int k = 0; k < 2; ++k) {
            sn_vec3 off = sn_v(0.001f * (float)k, 0.0f, 0.2f * (float)k);
            tie(world, sn_point_on_rigid(world, bars[i], sn_add(corner, off)),
                sn_point_on_rigid(world, bars[(i + 1) % 4], corner));
        }
    }
    sn_hinge_def hinge = sn_hinge_def_default();
    hinge.common.a = sn_point_world(sn_v(0.0f, 2.5f, 0.0f));
    hinge.common.b = sn_point_rigid(bars[0], sn_v(0.0f, 0.0f, 0.0f));
    hinge.motor = true;
    hinge.motor_speed = 3.0f;
    must(sn_hinge_add(world, &hinge, NULL));
}

const hostile_scene hostile_scenes[HOSTILE_SCENES] = {
    {"10 kg on a rope of 10 g springs of 1e9 N/m", build_spring_rope},
    {"jelly of 1 GPa and 1 kg dropped", build_stiff_jelly},
    {"500 kg on a neo-Hookean jelly of 1 GPa and 0.5 kg", build_pressed_jelly},
    {"1000 kg on a chain of 1 kg links, swinging", build_heavy_chain},
    {"1000 kg on a stack of 1 kg boxes", build_heavy_stack},
    {"1.3 kg on one node of 1.2 g of a cloth", build_ball_on_cloth},
    {"ring of springs of 1e9 N/m, 1 and 1000 kg, thrown", build_spring_ring},
    {"strip with bending of 1e6 N m, thrown", build_stiff_rod},
    {"crumpled sheet of springs of 1e9 N/m", build_crumpled},
    {"redundant linkage that does not fit, 1 : 1000, motor", build_linkage},
};

// --- running -----------------------------------------------------------------------------------------------

static void look(const sn_world *world, hostile_result *result)
{
    sn_rigid rigids[16];
    sn_deformable softs[2];
    int bodies = sn_world_rigids(world, rigids, 16), deformables = sn_world_deformables(world, softs, 2);
    for (int i = 0; i < bodies && i < 16; ++i) {
        result->farthest = fmax(result->farthest, (double)sn_length(sn_rigid_position(world, rigids[i])));
        result->fastest =
            fmax(result->fastest, (double)sn_length(sn_rigid_linear_velocity(world, rigids[i])));
    }
    for (int d = 0; d < deformables && d < 2; ++d) {
        const sn_node_state *nodes = sn_deformable_nodes(world, softs[d]);
        const sn_node_velocity *velocities = sn_deformable_velocities(world, softs[d]);
        for (int i = 0; i < sn_deformable_node_count(world, softs[d]); ++i) {
            result->farthest = fmax(result->farthest, (double)sn_length(nodes[i].position));
            result->fastest = fmax(result->fastest, (double)sn_length(velocities[i].velocity));
        }
    }
}

hostile_result hostile_run(const hostile_scene *scene, int steps)
{
    sn_world_def def = sn_world_def_default();
    sn_world *world = NULL;
    hostile_result result = {0};
    def.solver = SN_SOLVER_POSITION;
    def.sleep = false;
    must(sn_world_create(&def, &world));
    scene->build(world);
    for (int i = 0; i < steps; ++i) {
        must(sn_world_step(world, 1.0f / 30.0f));
        look(world, &result);
    }
    sn_statistics statistics = sn_world_statistics(world);
    result.frozen = statistics.frozen_count + statistics.frozen_node_count;
    sn_world_destroy(world);
    return result;
}

bool hostile_is_sane(const hostile_result *result)
{
    return result->frozen == 0 && result->farthest < 20.0 && result->fastest < 50.0;
}
