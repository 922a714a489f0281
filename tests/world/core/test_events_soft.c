// What deformables report: beginning and ceasing to touch, hits, moving, anchors that break.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include "support/soft_kit.h"

static sn_deformable add_cube(sn_world *world, float x, float y)
{
    sn_mesh *mesh;
    assert_ok(sn_mesh_box(sn_v(0.4f, 0.4f, 0.4f), 1, 1, 1, &mesh));
    sn_deformable_def def = soft_def(mesh, sn_v(x, y, 0.0f));
    def.collide = true;
    def.model = sn_model_corotational(1.0e5f, 0.3f);
    def.model.damping = 0.02f;
    sn_deformable cube = soft_add(world, &def);
    sn_mesh_destroy(mesh);
    return cube;
}

typedef struct tally {
    int begin, end;
} tally;

// Counts events of this pair among those of the last step; all others are unexpected.
static void count(const sn_world *world, sn_deformable a, sn_shape shape, sn_deformable other, tally *sum)
{
    sn_events events = sn_world_events(world);
    for (int i = 0; i < events.deformable_begin_count + events.deformable_end_count; ++i) {
        bool began = i < events.deformable_begin_count;
        const sn_deformable_touch_event *event =
            began ? &events.deformable_begin[i] : &events.deformable_end[i - events.deformable_begin_count];
        assert_true(same_deformable(event->deformable, a) && same_shape(event->shape, shape) &&
                    same_deformable(event->other, other));
        sum->begin += began ? 1 : 0;
        sum->end += began ? 0 : 1;
    }
}

static const sn_deformable no_deformable;
static const sn_shape no_shape;

static void test_landing_begins_and_lifting_ends_a_touch(void **state)
{
    (void)state;
    sn_world *world = kit_world();
    sn_rigid table = add_box_at(world, 1.0f, 0.0f, -1.0f, 0.0f);
    assert_ok(sn_rigid_type_set(world, table, SN_STATIC));
    sn_shape top = first_shape(world, table);
    sn_deformable cube = add_cube(world, 0.0f, 0.5f);
    tally sum = {0, 0};
    run_steps(world, 5);
    count(world, cube, top, no_deformable, &sum);
    assert_int_equal(sum.begin, 0); // in the air
    for (int i = 0; i < 300; ++i) {
        run_steps(world, 1);
        count(world, cube, top, no_deformable, &sum);
    }
    assert_true(sum.begin >= 1 && sum.begin == sum.end + 1);
    assert_false(sn_deformable_is_awake(world, cube)); // asleep it touches on
    for (int i = 0; i < 8; ++i) {
        assert_ok(sn_node_force_add(world, cube, i, sn_v(0.0f, 20000.0f, 0.0f)));
    }
    for (int i = 0; i < 20; ++i) {
        run_steps(world, 1);
        count(world, cube, top, no_deformable, &sum);
    }
    assert_int_equal(sum.begin, sum.end);
    sn_world_destroy(world);
}

static void test_two_deformables_are_told_once_the_lower_first(void **state)
{
    (void)state;
    sn_world *world = kit_world();
    sn_deformable lower = add_cube(world, 0.0f, 0.0f), upper = add_cube(world, 0.05f, 0.5f);
    for (int i = 0; i < 8; ++i) {
        assert_ok(sn_node_fix(world, lower, i, true));
    }
    tally sum = {0, 0};
    for (int i = 0; i < 120; ++i) {
        run_steps(world, 1);
        count(world, lower, no_shape, upper, &sum);
    }
    assert_true(sum.begin >= 1 && sum.begin == sum.end + 1);
    assert_ok(sn_deformable_remove(world, upper));
    run_steps(world, 1);
    count(world, lower, no_shape, upper, &sum); // by an id that is no longer valid
    assert_int_equal(sum.begin, sum.end);
    sn_world_destroy(world);
}

static void test_shapes_that_want_no_events_make_none(void **state)
{
    (void)state;
    sn_world *world = kit_world();
    sn_shape_def def = sn_shape_def_default();
    def.contact_events = false;
    assert_ok(sn_plane_add(world, sn_world_ground(world), &def, (sn_plane){{0, 1, 0}, 0}, NULL));
    (void)add_cube(world, 0.0f, 0.3f);
    for (int i = 0; i < 60; ++i) {
        run_steps(world, 1);
        assert_int_equal(sn_world_events(world).deformable_begin_count, 0);
    }
    sn_world_destroy(world);
}

// --- hits --------------------------------------------------------------------------------------------------

typedef struct blow {
    int count;
    sn_deformable_hit_event hardest;
} blow;

static blow watch_hits(sn_world *world, int steps)
{
    blow seen = {0};
    for (int i = 0; i < steps; ++i) {
        run_steps(world, 1);
        sn_events events = sn_world_events(world);
        for (int k = 0; k < events.deformable_hit_count; ++k) {
            ++seen.count;
            seen.hardest = events.deformable_hits[k].speed > seen.hardest.speed ? events.deformable_hits[k]
                                                                                : seen.hardest;
        }
    }
    return seen;
}

// A ball comes down on a cube whose lower nodes are fixed.
static blow drop_ball(float speed, bool hit_events)
{
    sn_world *world = kit_world();
    assert_ok(sn_world_gravity_set(world, sn_v(0.0f, 0.0f, 0.0f)));
    sn_deformable cube = add_cube(world, 0.0f, 0.0f);
    for (int i = 0; i < 8; ++i) {
        if (soft_node(world, cube, i).y < 0.0f) {
            assert_ok(sn_node_fix(world, cube, i, true));
        }
    }
    sn_rigid_def def = sn_rigid_def_default();
    def.position.y = 0.6f;
    def.linear_velocity.y = -speed;
    sn_rigid ball;
    assert_ok(sn_rigid_add(world, &def, &ball));
    sn_shape_def shape = sn_shape_def_default();
    shape.hit_events = hit_events;
    assert_ok(sn_sphere_add(world, ball, &shape, (sn_sphere){{0.0f, 0.0f, 0.0f}, 0.2f}, NULL));
    blow seen = watch_hits(world, 60);
    if (seen.count > 0) {
        assert_true(same_deformable(seen.hardest.deformable, cube));
        assert_true(same_shape(seen.hardest.shape, first_shape(world, ball)));
        assert_int_equal(seen.hardest.other.index, 0);
    }
    sn_world_destroy(world);
    return seen;
}

static void test_a_fast_meeting_is_a_hit_and_a_slow_one_is_not(void **state)
{
    (void)state;
    blow seen = drop_ball(3.0f, true);
    assert_true(seen.count >= 1 && seen.count <= 3);
    assert_float_equal(seen.hardest.speed, 3.0f, 0.05f);
    assert_true(seen.hardest.normal.y > 0.95f); // towards the ball
    assert_float_equal(seen.hardest.position.y, 0.2f, 0.03f);
    assert_int_equal(drop_ball(0.9f, true).count, 0);  // below the threshold of 1 m/s
    assert_int_equal(drop_ball(3.0f, false).count, 0); // nobody wants to know
}

static void test_two_deformables_that_hit_are_told_once_the_lower_first(void **state)
{
    (void)state;
    sn_world *world = kit_world();
    assert_ok(sn_world_gravity_set(world, sn_v(0.0f, 0.0f, 0.0f)));
    sn_deformable right = add_cube(world, 0.5f, 0.0f), left = add_cube(world, 0.0f, 0.03f);
    sn_node_state *nodes;
    sn_node_velocity *velocities;
    assert_ok(sn_deformable_edit(world, left, &nodes, &velocities));
    for (int i = 0; i < 8; ++i) {
        velocities[i].velocity.x = 4.0f;
    }
    int most = 0;
    blow seen = {0};
    for (int i = 0; i < 30; ++i) {
        blow now = watch_hits(world, 1);
        most = now.count > most ? now.count : most;
        seen = now.hardest.speed > seen.hardest.speed ? now : seen;
    }
    assert_int_equal(most, 1); // one event a step, however many contacts
    assert_true(same_deformable(seen.hardest.deformable, right) && same_deformable(seen.hardest.other, left));
    assert_float_equal(seen.hardest.speed, 4.0f, 0.2f);
    assert_true(seen.hardest.normal.x < -0.95f); // from the right one to the left
    sn_world_destroy(world);
}

// --- moves and breaks --------------------------------------------------------------------------------------

static void test_what_moves_is_told_with_its_bounds(void **state)
{
    (void)state;
    sn_world *world = kit_world();
    int user = 0;
    sn_mesh *mesh;
    assert_ok(sn_mesh_line(1.0f, 2, &mesh));
    sn_deformable_def def = soft_def(mesh, sn_v(0.0f, 5.0f, 0.0f));
    def.density = 1.0f;
    def.user = &user;
    sn_deformable falling = soft_add(world, &def);
    const float fixed[3] = {0.0f, 0.0f, 0.0f};
    def.node_masses = fixed;
    (void)soft_add(world, &def);
    assert_int_equal(sn_world_events(world).deformable_move_count, 0);
    run_steps(world, 3);
    sn_events events = sn_world_events(world);
    assert_int_equal(events.deformable_move_count, 1);
    assert_true(same_deformable(events.deformable_moves[0].deformable, falling));
    assert_ptr_equal(events.deformable_moves[0].user, &user);
    sn_bounds bounds = sn_deformable_measure_now(world, falling).bounds;
    assert_true(same_vec3(events.deformable_moves[0].bounds.lower, bounds.lower) &&
                same_vec3(events.deformable_moves[0].bounds.upper, bounds.upper));
    sn_mesh_destroy(mesh);
    sn_world_destroy(world);
}

static void test_an_anchor_that_bears_too_much_breaks_and_is_told(void **state)
{
    (void)state;
    sn_world *world = kit_world();
    sn_deformable cube = add_cube(world, 0.0f, 0.0f); // 64 kg
    sn_anchor weak, strong;
    sn_anchor_def def = sn_anchor_def_default();
    int user = 0;
    def.a = sn_point_world(soft_node(world, cube, 7));
    def.b = sn_point_node(cube, 7);
    def.user = &user;
    def.break_force = 200.0f;
    assert_ok(sn_anchor_add(world, &def, &weak));
    def.a = sn_point_world(soft_node(world, cube, 6));
    def.b = sn_point_node(cube, 6);
    def.break_force = 1.0e6f;
    assert_ok(sn_anchor_add(world, &def, &strong));
    int breaks = 0;
    for (int i = 0; i < 60; ++i) {
        run_steps(world, 1);
        sn_events events = sn_world_events(world);
        for (int k = 0; k < events.break_count; ++k) {
            ++breaks;
            assert_int_equal(events.breaks[k].constraint.index, weak.index);
            assert_ptr_equal(events.breaks[k].user, &user);
            assert_true(events.breaks[k].force > 200.0f);
        }
    }
    assert_int_equal(breaks, 1);
    assert_true(!sn_anchor_is_valid(world, weak) && sn_anchor_is_valid(world, strong));
    assert_true(sn_anchor_error(world, strong) < 2.0e-3f);
    sn_world_destroy(world);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        test_with_memory(test_landing_begins_and_lifting_ends_a_touch),
        test_with_memory(test_two_deformables_are_told_once_the_lower_first),
        test_with_memory(test_shapes_that_want_no_events_make_none),
        test_with_memory(test_a_fast_meeting_is_a_hit_and_a_slow_one_is_not),
        test_with_memory(test_two_deformables_that_hit_are_told_once_the_lower_first),
        test_with_memory(test_what_moves_is_told_with_its_bounds),
        test_with_memory(test_an_anchor_that_bears_too_much_breaks_and_is_told),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
