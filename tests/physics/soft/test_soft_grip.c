// Friction that holds and shells that keep: two fingers lift a soft ball; a hard ball stays in a soft shell.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "support/soft_touch.h"

static const float step = 1.0f / 60.0f;

// A finger that closes for half a second, then lifts.
static void move_finger(sn_world *world, sn_rigid finger, float side, int frame)
{
    float time = (float)frame * step;
    float closed = 0.02f * sn_min(time / 0.5f, 1.0f), lifted = 0.3f * sn_max(0.0f, time - 0.8f);
    sn_pose pose = physics_at(side * (0.23f - 3.0f * closed), 0.2f + sn_min(lifted, 0.5f), 0.0f);
    must(sn_rigid_target_set(world, finger, pose));
}

static void test_two_fingers_lift_a_soft_ball(void **state)
{
    (void)state;
    sn_world *world = physics_world();
    physics_floor(world, physics_material(0.8f, 0.0f));
    sn_mesh *mesh = NULL;
    must(sn_mesh_sphere(0.2f, 3, &mesh));
    sn_deformable_def def = sn_deformable_def_default();
    def.mesh = mesh;
    def.mass = 1.0f;
    def.model = sn_model_corotational(2.0e4f, 0.4f);
    def.model.damping = 0.02f;
    def.friction = 0.8f;
    def.pose.position = sn_v(0.0f, 0.205f, 0.0f);
    sn_deformable ball = touch_add(world, &def);
    sn_rigid fingers[2];
    for (int k = 0; k < 2; ++k) {
        fingers[k] = physics_platform(world, physics_material(0.8f, 0.0f), sn_v(0.02f, 0.1f, 0.1f),
                                      physics_at(k == 0 ? -0.23f : 0.23f, 0.2f, 0.0f));
    }
    for (int i = 0; i < 240; ++i) {
        for (int k = 0; k < 2; ++k) {
            move_finger(world, fingers[k], k == 0 ? -1.0f : 1.0f, i);
        }
        must(sn_world_step(world, step));
    }
    sn_deformable_measure now = sn_deformable_measure_now(world, ball);
    check_above((double)now.center.y, 0.65, "height of the ball [m]");
    check_near((double)now.velocity.y, 0.0, 0.01, "its speed [m/s]");
    check_relative((double)touch_mean_force(world, ball, NULL, step, 0.2f).y, physics_gravity, 0.01,
                   "what carries it: friction alone [N]");
    sn_world_destroy(world);
}

// Thrown about: the shell of 0.3 m hops on the floor while the ball rattles in it.
static void test_a_hard_ball_stays_in_a_soft_shell(void **state)
{
    (void)state;
    sn_world *world = physics_world();
    physics_floor(world, physics_material(0.5f, 0.0f));
    sn_mesh *mesh = NULL;
    must(sn_mesh_sphere_surface(0.3f, 8, &mesh));
    sn_deformable_def def = sn_deformable_def_default();
    def.mesh = mesh;
    def.mass = 0.5f;
    def.inextensible.on = true;
    def.enclosure.preserve = true;
    def.pose.position = sn_v(0.0f, 0.8f, 0.0f);
    def.angular_velocity = sn_v(0.0f, 0.0f, 3.0f);
    sn_deformable shell = touch_add(world, &def);
    sn_shape_def material = physics_material(0.5f, 0.0f);
    material.density = 0.5f / (4.0f / 3.0f * SN_PI * 0.001f);
    sn_rigid ball = physics_sphere(world, material, 0.1f, physics_at(0.05f, 0.8f, 0.0f));
    must(sn_rigid_linear_velocity_set(world, ball, sn_v(2.0f, 3.0f, 1.0f)));
    float farthest = 0.0f;
    for (int i = 0; i < 300; ++i) {
        must(sn_world_step(world, step));
        sn_vec3 center = sn_deformable_measure_now(world, shell).center;
        farthest = sn_max(farthest, sn_distance_between(sn_rigid_position(world, ball), center));
    }
    check_below((double)farthest, 0.3, "how far the ball came from the shell's middle [m]");
    sn_world_destroy(world);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        physics_test(test_two_fingers_lift_a_soft_ball),
        physics_test(test_a_hard_ball_stays_in_a_soft_shell),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
