// What is measured of the position solver by tests and benchmarks alike: the net of methods D.6, a box on a
// slope, a spring pendulum, a free system of rigid and deformable things.
#ifndef TESTS_SUPPORT_POSITION_RIG_H
#define TESTS_SUPPORT_POSITION_RIG_H

#include "sinew/sinew.h"
#include "support/physics.h"
#include "support/random.h"
#include <math.h>

static inline sn_world_def position_def(int sub_steps, int iterations)
{
    sn_world_def def = sn_world_def_default();
    def.solver = SN_SOLVER_POSITION;
    def.sub_steps = sub_steps;
    def.position.iterations = iterations;
    def.sleep = false;
    def.long_range = sn_long_range_off();
    return def;
}

static inline sn_world *position_world(const sn_world_def *def)
{
    sn_world *world = NULL;
    must(sn_world_create(def, &world));
    return world;
}

// --- the net -----------------------------------------------------------------------------------------------

// 14 × 14 nodes, hard edges along and across, the top row held; places are off by up to `disorder`, so that
// directions are nearly random.
#define NET_SPEED 0.5 // of the lower rows, downwards [m/s]
enum { NET_SIDE = 14, NET_NODES = NET_SIDE * NET_SIDE, NET_EDGES = 2 * NET_SIDE * (NET_SIDE - 1) };

static inline sn_mesh *net_make(float disorder)
{
    static sn_vec3 nodes[NET_NODES];
    static uint32_t edges[2 * NET_EDGES];
    test_random random = {7};
    int count = 0;
    for (int i = 0; i < NET_NODES; ++i) {
        sn_vec3 place = sn_v((float)(i % NET_SIDE) - 6.5f, 6.5f - (float)(i / NET_SIDE), 0.0f);
        nodes[i] = sn_add(place, test_random_vec3(&random, disorder));
    }
    for (int i = 0; i < NET_NODES; ++i) {
        if (i % NET_SIDE + 1 < NET_SIDE) {
            edges[2 * count] = (uint32_t)i, edges[2 * count++ + 1] = (uint32_t)(i + 1);
        }
        if (i + NET_SIDE < NET_NODES) {
            edges[2 * count] = (uint32_t)i, edges[2 * count++ + 1] = (uint32_t)(i + NET_SIDE);
        }
    }
    sn_mesh_def def = sn_mesh_def_default();
    def.nodes = nodes;
    def.node_count = NET_NODES;
    def.edges = edges;
    def.edge_count = count;
    sn_mesh *mesh = NULL;
    must(sn_mesh_create(&def, &mesh));
    return mesh;
}

// Displacements by one step from a small velocity downwards. Positions are small next to the unit edges, so
// the step is not smaller than they can tell.
static inline void net_step(const sn_mesh *mesh, sn_position_method method, int iterations,
                            double moved[NET_NODES][3])
{
    sn_world_def settings = position_def(1, iterations);
    settings.gravity = sn_v(0.0f, 0.0f, 0.0f);
    settings.position.method = method;
    sn_world *world = position_world(&settings);
    sn_deformable_def def = sn_deformable_def_default();
    def.mesh = mesh;
    def.collide = false;
    def.mass = 1.0f;
    def.inextensible.on = true;
    sn_deformable net;
    must(sn_deformable_add(world, &def, &net));
    sn_node_state *states;
    sn_node_velocity *velocities;
    must(sn_deformable_edit(world, net, &states, &velocities));
    for (int i = 0; i < NET_NODES; ++i) {
        velocities[i].velocity = sn_v(0.0f, i < NET_SIDE ? 0.0f : -(float)NET_SPEED, 0.0f);
    }
    for (int i = 0; i < NET_SIDE; ++i) {
        must(sn_node_fix(world, net, i, true));
    }
    must(sn_world_step(world, 1.0f / 60.0f));
    const sn_node_state *nodes = sn_deformable_nodes(world, net);
    for (int i = 0; i < NET_NODES; ++i) {
        sn_vec3 way = sn_sub(nodes[i].position, sn_mesh_nodes(mesh)[i]);
        moved[i][0] = (double)way.x, moved[i][1] = (double)way.y, moved[i][2] = (double)way.z;
    }
    sn_world_destroy(world);
}

static inline double net_distance(double (*a)[3], double (*b)[3])
{
    double sum = 0.0;
    for (int i = 0; i < 3 * NET_NODES; ++i) {
        double d = a[i / 3][i % 3] - (b != NULL                         ? b[i / 3][i % 3]
                                      : i / 3 >= NET_SIDE && i % 3 == 1 ? -NET_SPEED / 60.0
                                                                        : 0.0);
        sum += d * d;
    }
    return sqrt(sum);
}

// What a method leaves of its error after 10, 20, 50 and 100 iterations. Directions turn a little with the
// motion, so that the place where it ends depends on the way there, by 0.2 % for these three: frozen
// directions have one, and each is measured against its own: where it is once rounding alone moves it.
enum { NET_COUNTS = 4, NET_METHODS = 3 };
static const int net_converged[NET_METHODS] = {1000, 300, 1000}; // iterations
static const int net_counts[NET_COUNTS] = {10, 20, 50, 100};
static const char *const net_names[NET_METHODS] = {"Gauss-Seidel", "accelerated Jacobi", "Jacobi"};
// Of methods D.6.
static const double net_expected[NET_METHODS][NET_COUNTS] = {
    {0.32, 0.16, 0.022, 0.0011}, {0.54, 0.23, 0.014, 0.00018}, {0.68, 0.55, 0.33, 0.17}};

static inline void net_errors(const sn_mesh *mesh, sn_position_method method, double errors[NET_COUNTS])
{
    static double solution[NET_NODES][3], moved[NET_NODES][3];
    net_step(mesh, method, net_converged[method], solution);
    for (int k = 0; k < NET_COUNTS; ++k) {
        net_step(mesh, method, net_counts[k], moved);
        errors[k] = net_distance(moved, solution) / net_distance(solution, NULL);
    }
}

// --- a slope -----------------------------------------------------------------------------------------------

// How far, how fast and how high above the slope a box is that was let go on it for a second.
static inline void slope_slide(sn_position_method method, float angle, float friction, double *way,
                               double *speed, double *lift)
{
    sn_world_def def = position_def(4, 8);
    def.position.method = method;
    sn_world *world = position_world(&def);
    sn_shape_def material = physics_material(friction, 0.0f);
    physics_slope(world, material, angle);
    sn_rigid box = physics_box(world, material, sn_v(0.2f, 0.1f, 0.2f), physics_on_slope(angle, 0.1f));
    sn_vec3 down = physics_downhill(angle), up = sn_v(sinf(angle), cosf(angle), 0.0f);
    up = sn_dot(up, down) > 0.1f ? sn_v(-up.x, up.y, 0.0f) : up;
    physics_run(world, 1.0f / 60.0f, 0.5f);
    sn_vec3 start = sn_rigid_pose(world, box).position, velocity = sn_rigid_linear_velocity(world, box);
    double before = (double)sn_dot(velocity, down);
    *lift = 0.0;
    for (int i = 0; i < 60; ++i) {
        must(sn_world_step(world, 1.0f / 60.0f));
        sn_vec3 moved = sn_sub(sn_rigid_pose(world, box).position, start);
        *lift = fmax(*lift, fabs((double)sn_dot(moved, up)));
    }
    *way = (double)sn_dot(sn_sub(sn_rigid_pose(world, box).position, start), down);
    *speed = (double)sn_dot(sn_rigid_linear_velocity(world, box), down) - before;
    sn_world_destroy(world);
}

// The same of a soft block's mass centre.
static inline void slope_slide_soft(sn_position_method method, float angle, float friction, double *speed,
                                    double *lift)
{
    sn_world_def def = position_def(4, 8);
    def.position.method = method;
    sn_world *world = position_world(&def);
    physics_slope(world, physics_material(friction, 0.0f), angle);
    sn_mesh *mesh = NULL;
    must(sn_mesh_box(sn_v(0.4f, 0.2f, 0.4f), 2, 1, 2, &mesh));
    sn_deformable_def soft = sn_deformable_def_default();
    soft.mesh = mesh;
    soft.model = sn_model_corotational(1.0e5f, 0.3f);
    soft.friction = friction;
    soft.thickness = 0.01f;
    soft.pose = physics_on_slope(angle, 0.1f + 0.5f * soft.thickness);
    sn_deformable block;
    must(sn_deformable_add(world, &soft, &block));
    sn_mesh_destroy(mesh);
    sn_vec3 down = physics_downhill(angle), up = sn_v(-down.y, down.x, 0.0f);
    physics_run(world, 1.0f / 60.0f, 1.0f);
    double before = 0.0, after = 0.0, height = 0.0;
    *lift = 0.0;
    for (int i = 0; i <= 60; ++i) {
        sn_vec3 place = sn_v(0.0f, 0.0f, 0.0f), velocity = place;
        int count = sn_deformable_node_count(world, block);
        for (int k = 0; k < count; ++k) {
            place = sn_add_scaled(place, 1.0f / (float)count, sn_deformable_nodes(world, block)[k].position);
            velocity = sn_add_scaled(velocity, 1.0f / (float)count,
                                     sn_deformable_velocities(world, block)[k].velocity);
        }
        after = (double)sn_dot(velocity, down);
        before = i == 0 ? after : before;
        height = i == 0 ? (double)sn_dot(place, up) : height;
        *lift = fmax(*lift, fabs((double)sn_dot(place, up) - height));
        must(sn_world_step(world, 1.0f / 60.0f));
    }
    *speed = after - before;
    sn_world_destroy(world);
}

// --- a spring pendulum -------------------------------------------------------------------------------------

static const float pendulum_stiffness = 40.0f, pendulum_length = 1.0f; // [N/m], [m]

// A lump of 1 kg on a spring, let go at the side of where it is hung up.
static inline sn_rigid pendulum_hang(sn_world *world, sn_constraint *spring)
{
    sn_rigid lump = physics_lump(world, 1.0f, sn_v(0.01f, 0.01f, 0.01f), physics_at(1.0f, 0.0f, 0.0f));
    sn_distance_def def = sn_distance_def_default();
    def.common.a = sn_point_world(sn_v(0.0f, 0.0f, 0.0f));
    def.common.b = sn_point_rigid(lump, sn_v(0.0f, 0.0f, 0.0f));
    def.spring_stiffness = pendulum_stiffness;
    def.spring_length = pendulum_length;
    must(sn_distance_add(world, &def, spring));
    return lump;
}

static inline double pendulum_energy(const sn_world *world, sn_rigid lump)
{
    sn_energy energy = sn_world_energy(world);
    double stretch = (double)(sn_length(sn_rigid_pose(world, lump).position) - pendulum_length);
    return energy.kinetic + energy.potential + 0.5 * (double)pendulum_stiffness * stretch * stretch;
}

// Largest deviation from the initial energy in 20 s of 1/60 s, and the mean one of the last second, by m g L.
static inline void pendulum_swing(bool newmark, double *largest, double *last)
{
    sn_world_def def = position_def(2, 10);
    def.position.newmark = newmark;
    sn_world *world = position_world(&def);
    sn_rigid lump = pendulum_hang(world, NULL);
    double start = pendulum_energy(world, lump), scale = 9.81 * (double)pendulum_length;
    *largest = *last = 0.0;
    for (int i = 0; i < 1200; ++i) {
        must(sn_world_step(world, 1.0f / 60.0f));
        double off = (pendulum_energy(world, lump) - start) / scale;
        *largest = fmax(*largest, fabs(off));
        *last += i >= 1140 ? off / 60.0 : 0.0;
    }
    sn_world_destroy(world);
}

// --- free systems ------------------------------------------------------------------------------------------

static inline void free_tie(sn_world *world, sn_point a, sn_point b)
{
    sn_ball_def ball = sn_ball_def_default();
    ball.common.a = a;
    ball.common.b = b;
    must(sn_ball_add(world, &ball, NULL));
}

static inline sn_deformable free_soft(sn_world *world, sn_mesh *mesh, sn_model model, sn_vec3 position)
{
    sn_deformable_def def = sn_deformable_def_default();
    sn_deformable soft;
    def.mesh = mesh;
    def.model = model;
    def.mass = 2.0f;
    def.inextensible.on = model.type == SN_MODEL_NONE;
    def.pose.position = position;
    def.collide = false;
    must(sn_deformable_add(world, &def, &soft));
    sn_mesh_destroy(mesh);
    return soft;
}

// A chain of boxes, a cloth anchored to its one end and a jelly to the other, without gravity and in motion:
// boxes move across, all turn.
static inline sn_world *free_system(const sn_world_def *settings)
{
    sn_world *world = position_world(settings);
    must(sn_world_gravity_set(world, sn_v(0.0f, 0.0f, 0.0f)));
    sn_rigid boxes[4];
    for (int i = 0; i < 4; ++i) {
        boxes[i] = physics_box(world, sn_shape_def_default(), sn_v(0.1f, 0.1f, 0.1f),
                               physics_at(0.3f * (float)i, 0.0f, 0.0f));
        must(sn_rigid_linear_velocity_set(world, boxes[i], sn_v(0.0f, i % 2 ? 1.0f : -1.0f, 0.3f)));
        must(sn_rigid_angular_velocity_set(world, boxes[i], sn_v(1.0f, 2.0f, (float)i)));
        if (i > 0) {
            free_tie(world, sn_point_rigid(boxes[i - 1], sn_v(0.15f, 0.0f, 0.0f)),
                     sn_point_rigid(boxes[i], sn_v(-0.15f, 0.0f, 0.0f)));
        }
    }
    sn_mesh *mesh = NULL;
    must(sn_mesh_grid(1.0f, 1.0f, 6, 6, SN_GRID_ALTERNATING, &mesh));
    sn_deformable cloth = free_soft(world, mesh, sn_model_none(), sn_v(0.4f, 0.5f, 0.0f));
    free_tie(world, sn_point_node(cloth, 0), sn_point_rigid(boxes[0], sn_v(-0.1f, 0.0f, 0.0f)));
    must(sn_mesh_box(sn_v(0.4f, 0.4f, 0.4f), 2, 2, 2, &mesh));
    sn_deformable jelly = free_soft(world, mesh, sn_model_corotational(1.0e6f, 0.4f), sn_v(1.2f, 0.2f, 0.2f));
    free_tie(world, sn_point_node(jelly, 0), sn_point_rigid(boxes[3], sn_v(0.1f, 0.0f, 0.0f)));
    return world;
}

// Changes of a free system's momenta in a second: of momentum by Σ m |v|, of angular momentum by what it was.
typedef struct free_drift {
    double linear, angular, energy; // energy: what is left of it
} free_drift;

static inline double free_change(const double *a, const double *b)
{
    double d[3] = {a[0] - b[0], a[1] - b[1], a[2] - b[2]};
    return sqrt(d[0] * d[0] + d[1] * d[1] + d[2] * d[2]);
}

static inline free_drift free_system_drift(const sn_world_def *settings)
{
    static const double none[3] = {0.0, 0.0, 0.0};
    sn_world *world = free_system(settings);
    sn_energy start = sn_world_energy(world);
    physics_run(world, 1.0f / 60.0f, 1.0f);
    sn_energy end = sn_world_energy(world);
    sn_world_destroy(world);
    return (free_drift){.linear = free_change(end.momentum, start.momentum) /
                                  sqrt(2.0 * start.kinetic * start.mass),
                        .angular = free_change(end.angular_momentum, start.angular_momentum) /
                                   free_change(start.angular_momentum, none),
                        .energy = end.kinetic / start.kinetic};
}

#endif
