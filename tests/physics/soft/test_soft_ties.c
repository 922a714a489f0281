// Ropes of nodes between bodies that move and are much heavier: they are as long as they are made, as those
// that are held in place (world/constraints/body_ties.c).
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "support/physics.h"

#include <math.h>

static const float step = 1.0f / 60.0f, length = 2.0f, node_mass = 0.01f;

typedef struct pair {
    sn_world *world;
    sn_rigid left, right;
    sn_deformable rope;
    sn_anchor anchor; // of the right one
} pair;

static void tie(pair *pair, sn_rigid rigid, int node)
{
    sn_anchor_def def = sn_anchor_def_default();
    def.a =
        sn_point_on_rigid(pair->world, rigid, sn_deformable_nodes(pair->world, pair->rope)[node].position);
    def.b = sn_point_node(pair->rope, node);
    must(sn_anchor_add(pair->world, &def, &pair->anchor));
}

// A straight rope along x with a lump of so many nodes at each end.
static pair add_pair(int edges, float ratio)
{
    pair pair = {0};
    pair.world = physics_world_without_gravity();
    sn_mesh *mesh = NULL;
    must(sn_mesh_line(length, edges, &mesh));
    sn_deformable_def def = sn_deformable_def_default();
    def.mesh = mesh;
    def.mass = node_mass * (float)(edges + 1);
    def.inextensible.on = true;
    def.collide = false;
    must(sn_deformable_add(pair.world, &def, &pair.rope));
    sn_mesh_destroy(mesh);
    float mass = ratio * node_mass, x = 0.5f * length;
    pair.left = physics_lump(pair.world, mass, physics_ball_inertia(mass, 0.1f), physics_at(-x, 0.0f, 0.0f));
    pair.right = physics_lump(pair.world, mass, physics_ball_inertia(mass, 0.1f), physics_at(x, 0.0f, 0.0f));
    tie(&pair, pair.left, 0);
    tie(&pair, pair.right, edges);
    return pair;
}

static double apart(const pair *pair)
{
    return (double)sn_distance_between(sn_rigid_position(pair->world, pair->left),
                                       sn_rigid_position(pair->world, pair->right));
}

// --- whirled -----------------------------------------------------------------------------------------------

static void set_velocity(sn_world *world, sn_rigid rigid, sn_vec3 velocity, float rate)
{
    must(sn_rigid_linear_velocity_set(world, rigid, velocity));
    must(sn_rigid_angular_velocity_set(world, rigid, sn_v(0.0f, 0.0f, rate)));
}

// The nodes turn with the bodies, or not at all.
static void set_motion(const pair *pair, float forwards, float rate)
{
    sn_node_state *nodes = NULL;
    sn_node_velocity *velocities = NULL;
    must(sn_deformable_edit(pair->world, pair->rope, &nodes, &velocities));
    for (int i = 0; i < sn_deformable_node_count(pair->world, pair->rope); ++i) {
        velocities[i].velocity = sn_v(forwards, rate * nodes[i].position.x, 0.0f);
    }
    float x = 0.5f * length;
    set_velocity(pair->world, pair->left, sn_v(forwards, -rate * x, 0.0f), rate);
    set_velocity(pair->world, pair->right, sn_v(forwards, rate * x, 0.0f), rate);
}

static void check_kept(const sn_world *world, const sn_energy *before)
{
    sn_energy after = sn_world_energy(world);
    double moved = after.momentum[0] / before->momentum[0] - 1.0;
    double turned = after.angular_momentum[2] / before->angular_momentum[2] - 1.0;
    check_below(fabs(moved), 2.0e-5, "momentum, change of");
    check_below(fabs(turned), 5.0e-5, "angular momentum, change of");
    check_below(after.kinetic / before->kinetic, 1.0005, "energy, part of");
}

// They turn about each other for five seconds and fly away.
static void whirl(int edges, float ratio, float rate)
{
    pair pair = add_pair(edges, ratio);
    set_motion(&pair, 1.0f, rate);
    sn_energy before = sn_world_energy(pair.world);
    double farthest = 0.0, pull = 0.0;
    for (int i = 0; i < 300; ++i) {
        must(sn_world_step(pair.world, step));
        farthest = fmax(farthest, apart(&pair));
        pull += i < 60 ? 0.0 : (double)sn_length(sn_anchor_force(pair.world, pair.anchor)) / 240.0;
    }
    check_below(farthest / (double)length - 1.0, 1.0e-3, "%d edges, %g nodes, %g rad/s: too long by", edges,
                (double)ratio, (double)rate);
    double ideal = (double)(ratio * node_mass * rate * rate) * 0.5 * (double)length;
    check_relative(pull, ideal, 0.03, "force of an anchor [N]");
    check_kept(pair.world, &before);
    sn_world_destroy(pair.world);
}

static void test_whirled_bodies_stay_as_far_apart_as_their_rope_is_long(void **state)
{
    (void)state;
    whirl(50, 20.0f, 3.0f);
    whirl(50, 100.0f, 3.0f);
    whirl(50, 1000.0f, 3.0f);
    whirl(50, 10000.0f, 3.0f);
    whirl(200, 1000.0f, 3.0f);
    whirl(50, 1000.0f, 1.0f);
}

// --- thrown apart ------------------------------------------------------------------------------------------

// A rope that hangs through between two bodies is pulled straight: they stop, against each other, within it.
static void jerk(int edges, float ratio, float speed, double most)
{
    pair pair = add_pair(edges, ratio);
    sn_node_state *nodes = NULL;
    sn_node_velocity *velocities = NULL;
    must(sn_deformable_edit(pair.world, pair.rope, &nodes, &velocities));
    // Slack lies aside in a zigzag of two strokes; bodies are at its ends.
    float along = 0.6f, aside = sqrtf(1.0f - along * along), cell = length / (float)edges;
    for (int i = 0; i <= edges; ++i) {
        int from_end = i < edges - i ? i : edges - i;
        nodes[i].position =
            sn_v(along * cell * ((float)i - 0.5f * (float)edges), aside * cell * (float)from_end, 0.0f);
    }
    must(sn_rigid_pose_set(pair.world, pair.left, physics_at(nodes[0].position.x, 0.0f, 0.0f)));
    must(sn_rigid_pose_set(pair.world, pair.right, physics_at(nodes[edges].position.x, 0.0f, 0.0f)));
    set_velocity(pair.world, pair.left, sn_v(-speed, 0.0f, 0.0f), 0.0f);
    set_velocity(pair.world, pair.right, sn_v(speed, 0.0f, 0.0f), 0.0f);
    double farthest = 0.0;
    int steps = (int)(1.5f * 0.5f * (1.0f - along) * length / (speed * step)) + 10;
    for (int i = 0; i < steps; ++i) {
        must(sn_world_step(pair.world, step));
        farthest = fmax(farthest, apart(&pair));
    }
    check_below(farthest / (double)length - 1.0, most, "%d edges, %g nodes, %g m/s: too long by", edges,
                (double)ratio, (double)speed);
    sn_world_destroy(pair.world);
}

static void test_bodies_that_fly_apart_are_stopped_by_their_rope(void **state)
{
    (void)state;
    jerk(50, 100.0f, 5.0f, 0.01);
    jerk(50, 100.0f, 20.0f, 0.01);
    jerk(50, 1000.0f, 5.0f, 0.01);
    jerk(200, 100.0f, 5.0f, 0.01);
}

// --- let go ------------------------------------------------------------------------------------------------

// A load on a rope whose first node is fixed, and then is not.
static void test_what_hangs_on_a_node_that_is_let_go_falls(void **state)
{
    (void)state;
    pair pair = add_pair(50, 100.0f);
    must(sn_world_gravity_set(pair.world, sn_v(0.0f, (float)-physics_gravity, 0.0f)));
    must(sn_rigid_remove(pair.world, pair.left));
    must(sn_node_fix(pair.world, pair.rope, 0, true));
    physics_run(pair.world, step, 1.0f);
    check_below(sn_rigid_position(pair.world, pair.right).y < -0.5f ? 0.0 : 1.0, 0.5, "it swings down");
    must(sn_node_fix(pair.world, pair.rope, 0, false));
    sn_vec3 before = sn_rigid_linear_velocity(pair.world, pair.right);
    physics_run(pair.world, step, 0.5f);
    sn_vec3 after = sn_rigid_linear_velocity(pair.world, pair.right);
    // The rope weighs half as much as the load, and whirls.
    check_relative((double)(before.y - after.y), 0.5 * physics_gravity, 0.08,
                   "speed gained in half a second [m/s]");
    sn_world_destroy(pair.world);
}

static void test_a_rope_that_may_stretch_ties_nothing(void **state)
{
    (void)state;
    pair pair = add_pair(50, 1000.0f);
    sn_inextensible stretches = sn_inextensible_default();
    stretches.on = false;
    must(sn_world_step(pair.world, step));
    set_velocity(pair.world, pair.left, sn_v(-1.0f, 0.0f, 0.0f), 0.0f);
    set_velocity(pair.world, pair.right, sn_v(1.0f, 0.0f, 0.0f), 0.0f);
    must(sn_deformable_inextensible_set(pair.world, pair.rope, stretches));
    physics_run(pair.world, step, 1.0f);
    check_relative(apart(&pair), (double)length + 2.0, 0.01, "apart after a second [m]");
    sn_world_destroy(pair.world);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        physics_test(test_whirled_bodies_stay_as_far_apart_as_their_rope_is_long),
        physics_test(test_bodies_that_fly_apart_are_stopped_by_their_rope),
        physics_test(test_what_hangs_on_a_node_that_is_let_go_falls),
        physics_test(test_a_rope_that_may_stretch_ties_nothing),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
