// Building free systems, setting them going and watching their momenta.
#include "support/free_systems.h"

#include "support/physics.h"

enum { MOST_BODIES = 64 };

// --- systems -----------------------------------------------------------------------------------------------

static sn_rigid bodies[MOST_BODIES];
static int body_count;

static void add_link(sn_world *world, float mass, float x)
{
    bodies[body_count++] =
        physics_lump(world, mass, physics_ball_inertia(mass, 0.05f), physics_at(x, 0.0f, 0.0f));
}

// Links of 0.1 m along x, joined at their ends; heavy ones at either end.
static void add_chain(sn_world *world, int count, float light, float heavy, sn_constraint_kind kind)
{
    for (int i = 0; i < count; ++i) {
        float x = 0.1f * ((float)i - 0.5f * (float)(count - 1));
        add_link(world, i == 0 || i == count - 1 ? heavy : light, x);
        union {
            sn_constraint_common common;
            sn_ball_def ball;
            sn_hinge_def hinge;
            sn_fixed_def fixed;
        } def;
        must(sn_constraint_def_default(kind, &def));
        if (i > 0) {
            must(sn_constraint_place(world, &def.common, bodies[i - 1], bodies[i],
                                     sn_v(x - 0.05f, 0.0f, 0.0f), sn_v(0.0f, 0.0f, 1.0f)));
            must(sn_constraint_add(world, kind, &def, NULL));
        }
    }
}

static void add_balls(sn_world *world)
{
    add_chain(world, 50, 0.01f, 1.0f, SN_BALL);
}

static void add_equal_balls(sn_world *world)
{
    add_chain(world, 20, 0.01f, 0.01f, SN_BALL);
}

static void add_hinges(sn_world *world)
{
    add_chain(world, 20, 0.1f, 0.1f, SN_HINGE);
}

static void add_union(sn_world *world)
{
    add_chain(world, 10, 0.1f, 1.0f, SN_FIXED);
}

static void add_soft(sn_world *world, sn_mesh *mesh)
{
    sn_deformable_def def = sn_deformable_def_default();
    def.mesh = mesh;
    def.mass = 0.5f;
    def.inextensible.on = true;
    must(sn_deformable_add(world, &def, NULL));
    sn_mesh_destroy(mesh);
}

static void add_rope(sn_world *world)
{
    sn_mesh *mesh = NULL;
    must(sn_mesh_line(2.0f, 100, &mesh));
    add_soft(world, mesh);
}

static void add_sheet(sn_world *world)
{
    sn_mesh *mesh = NULL;
    must(sn_mesh_grid(2.0f, 0.2f, 60, 6, SN_GRID_ALTERNATING, &mesh));
    add_soft(world, mesh);
}

// A heavy body that bears it at one hem: bounds pull on both.
static void add_borne_sheet(sn_world *world)
{
    add_link(world, 200.0f, -1.0f);
    add_sheet(world);
    sn_deformable sheet;
    (void)sn_world_deformables(world, &sheet, 1);
    for (int row = 0; row <= 6; ++row) {
        sn_anchor_def def = sn_anchor_def_default();
        def.a = sn_point_node(sheet, row * 61);
        def.b = sn_point_on_rigid(world, bodies[0], sn_deformable_nodes(world, sheet)[row * 61].position);
        must(sn_anchor_add(world, &def, NULL));
    }
}

// --- momenta -----------------------------------------------------------------------------------------------

// Σ m, Σ m x, Σ m v, angular momentum about the mass centre; Σ m |v| and Σ |m r × u| + |I ω|.
typedef struct momenta {
    double mass, moment[3], linear[3], angular[3], speeds, spins;
} momenta;

static void add_mass(momenta *sum, double mass, sn_vec3 place, sn_vec3 velocity)
{
    const double x[3] = {(double)place.x, (double)place.y, (double)place.z};
    const double v[3] = {(double)velocity.x, (double)velocity.y, (double)velocity.z};
    sum->mass += mass;
    sum->speeds += mass * (double)sn_length(velocity);
    for (int i = 0; i < 3; ++i) {
        sum->moment[i] += mass * x[i];
        sum->linear[i] += mass * v[i];
    }
}

static void add_spin(momenta *sum, double mass, double inertia, sn_vec3 place, sn_vec3 velocity, sn_vec3 spin)
{
    const double x[3] = {(double)place.x, (double)place.y, (double)place.z};
    const double v[3] = {(double)velocity.x, (double)velocity.y, (double)velocity.z};
    const double w[3] = {(double)spin.x, (double)spin.y, (double)spin.z};
    double r[3], u[3], size = 0.0;
    for (int i = 0; i < 3; ++i) {
        r[i] = x[i] - sum->moment[i] / sum->mass;
        u[i] = v[i] - sum->linear[i] / sum->mass;
    }
    for (int i = 0; i < 3; ++i) {
        int j = (i + 1) % 3, k = (i + 2) % 3;
        double part = mass * (r[j] * u[k] - r[k] * u[j]) + inertia * w[i];
        sum->angular[i] += part;
        size += part * part;
    }
    sum->spins += sqrt(size);
}

static momenta momenta_of(const sn_world *world)
{
    momenta sum = {0};
    sn_deformable soft[1];
    int soft_count = sn_world_deformables(world, soft, 1);
    const sn_node_state *nodes = soft_count > 0 ? sn_deformable_nodes(world, soft[0]) : NULL;
    const sn_node_velocity *velocities = soft_count > 0 ? sn_deformable_velocities(world, soft[0]) : NULL;
    int node_count = soft_count > 0 ? sn_deformable_node_count(world, soft[0]) : 0;
    for (int i = 0; i < body_count; ++i) {
        add_mass(&sum, (double)sn_rigid_mass(world, bodies[i]).mass, sn_rigid_center(world, bodies[i]),
                 sn_rigid_linear_velocity(world, bodies[i]));
    }
    for (int i = 0; i < node_count; ++i) {
        add_mass(&sum, 1.0 / (double)nodes[i].inverse_mass, nodes[i].position, velocities[i].velocity);
    }
    for (int i = 0; i < body_count; ++i) {
        double mass = (double)sn_rigid_mass(world, bodies[i]).mass;
        add_spin(&sum, mass, 0.4 * mass * 0.05 * 0.05, sn_rigid_center(world, bodies[i]),
                 sn_rigid_linear_velocity(world, bodies[i]), sn_rigid_angular_velocity(world, bodies[i]));
    }
    for (int i = 0; i < node_count; ++i) {
        add_spin(&sum, 1.0 / (double)nodes[i].inverse_mass, 0.0, nodes[i].position, velocities[i].velocity,
                 sn_v(0.0f, 0.0f, 0.0f));
    }
    return sum;
}

// --- runs --------------------------------------------------------------------------------------------------

static void set_motion(sn_world *world, sn_vec3 velocity, sn_vec3 spin)
{
    for (int i = 0; i < body_count; ++i) {
        sn_vec3 turning = sn_cross(spin, sn_rigid_center(world, bodies[i]));
        must(sn_rigid_linear_velocity_set(world, bodies[i], sn_add(velocity, turning)));
        must(sn_rigid_angular_velocity_set(world, bodies[i], spin));
    }
    sn_deformable soft;
    if (sn_world_deformables(world, &soft, 1) > 0) {
        sn_node_state *nodes;
        sn_node_velocity *velocities;
        must(sn_deformable_edit(world, soft, &nodes, &velocities));
        for (int i = 0; i < sn_deformable_node_count(world, soft); ++i) {
            velocities[i].velocity = sn_add(velocity, sn_cross(spin, nodes[i].position));
        }
    }
}

static const struct {
    const char *name;
    void (*add)(sn_world *world);
    sn_vec3 spin;
} systems[FREE_SYSTEMS] = {{"levels of a chain", add_balls, {0.0f, 0.0f, 3.0f}},
                           {"levels of equal links", add_equal_balls, {0.0f, 0.0f, 3.0f}},
                           {"levels of a rope", add_rope, {0.0f, 0.0f, 3.0f}},
                           {"levels of a sheet", add_sheet, {0.0f, 0.0f, 3.0f}},
                           {"a sheet on a heavy body", add_borne_sheet, {0.0f, 0.0f, 3.0f}},
                           {"a plane of hinges", add_hinges, {0.0f, 0.0f, 3.0f}},
                           {"a union", add_union, {0.0f, 0.0f, 3.0f}},
                           {"a union that tumbles", add_union, {1.0f, 2.0f, 3.0f}}};

const char *free_system_name(int index)
{
    return systems[index].name;
}

momentum_drift free_system_drift(int index, sn_vec3 drift, int steps)
{
    sn_world *world = physics_world_without_gravity();
    body_count = 0;
    systems[index].add(world);
    set_motion(world, drift, systems[index].spin);
    momenta before = momenta_of(world);
    for (int step = 0; step < steps; ++step) {
        must(sn_world_step(world, 1.0f / 60.0f));
    }
    momenta after = momenta_of(world);
    sn_world_destroy(world);
    return (momentum_drift){difference3(after.linear, before.linear) / before.speeds,
                            difference3(after.angular, before.angular) / before.spins};
}
