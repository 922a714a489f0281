// Solids against deformables: sweeps and overlaps, against the distance that closest points tell.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include "support/random.h"
#include "support/soft_kit.h"

static const sn_query_filter all = {UINT64_MAX, UINT64_MAX};

static sn_solid ball_at(sn_vec3 place, float radius)
{
    return (sn_solid){
        .type = SN_SPHERE, .pose = {place, {0.0f, 0.0f, 0.0f, 1.0f}}, .sphere = {{0.0f, 0.0f, 0.0f}, radius}};
}

static float distance_at(const sn_world *world, sn_vec3 place)
{
    sn_closest closest;
    assert_ok(sn_world_closest(world, place, 100.0f, all, &closest));
    return closest.distance;
}

static int count_overlaps(const sn_world *world, sn_solid solid, sn_query_filter filter)
{
    int count = -1;
    assert_ok(sn_world_overlap_deformables(world, &solid, filter, NULL, 0, &count));
    return count;
}

// --- sweeps ------------------------------------------------------------------------------------------------

static void test_a_ball_swept_at_a_sheet_stops_where_it_touches(void **state)
{
    (void)state;
    sn_world *world = kit_world();
    sn_deformable cloth = soft_crumpled_cloth(world, 6, 5);
    test_random random = {31};
    int hits = 0, misses = 0;
    for (int i = 0; i < 300; ++i) {
        const float radius = 0.08f;
        sn_vec3 from = test_random_vec3(&random, 1.2f),
                displacement = sn_sub(test_random_vec3(&random, 1.2f), from);
        if (distance_at(world, from) < radius + 0.01f) {
            continue;
        }
        sn_solid ball = ball_at(from, radius);
        sn_hit hit;
        assert_ok(sn_world_sweep(world, &ball, displacement, all, &hit));
        float end = hit.deformable.index != 0 ? hit.fraction : 1.0f;
        for (int k = 0; k < 20; ++k) { // on the way there is room
            assert_true(distance_at(world, sn_add_scaled(from, end * (float)k / 20.0f, displacement)) >
                        radius - 1e-3f);
        }
        if (hit.deformable.index == 0) {
            ++misses;
            continue;
        }
        ++hits;
        sn_vec3 stop = sn_add_scaled(from, end, displacement);
        assert_true(same_deformable(hit.deformable, cloth) && hit.shape.index == 0);
        assert_float_equal(distance_at(world, stop), radius, 1.0e-3f);
        assert_true(sn_distance_between(sn_add_scaled(hit.point, radius, hit.normal), stop) < 2.0e-3f);
        assert_true(sn_dot(hit.normal, displacement) <= 0.0f);
        assert_float_equal(hit.weights[0] + hit.weights[1] + hit.weights[2], 1.0f, 1.0e-5f);
    }
    assert_true(hits > 50 && misses > 50);
    sn_world_destroy(world);
}

static void test_a_sweep_meets_the_first_of_shapes_and_deformables(void **state)
{
    (void)state;
    sn_world *world = kit_world();
    sn_deformable jelly = soft_jelly(world, 2, sn_v(0.0f, 0.0f, 0.0f), 1.0e4f); // from −0.2 to 0.2
    sn_rigid box = add_box_at(world, 0.2f, 2.0f, 0.0f, 0.0f);
    sn_solid ball = ball_at(sn_v(-2.0f, 0.05f, 0.03f), 0.1f);
    sn_hit hit;
    assert_ok(sn_world_sweep(world, &ball, sn_v(10.0f, 0.0f, 0.0f), all, &hit));
    assert_true(same_deformable(hit.deformable, jelly) && hit.rigid.index == 0);
    assert_float_equal(hit.fraction, 0.17f, 1.0e-4f);
    ball.pose.position.x = 5.0f;
    assert_ok(sn_world_sweep(world, &ball, sn_v(-10.0f, 0.0f, 0.0f), all, &hit));
    assert_true(same_rigid(hit.rigid, box) && hit.deformable.index == 0);
    assert_float_equal(hit.fraction, 0.27f, 1.0e-4f);
    sn_world_destroy(world);
}

static void test_a_box_swept_at_a_rope_meets_it_as_thick_as_it_is(void **state)
{
    (void)state;
    sn_world *world = kit_world();
    sn_deformable rope = soft_rope(world, 4, sn_v(0.0f, 0.0f, 0.0f)); // 1 cm thick
    sn_solid box = {.type = SN_BOX,
                    .pose = {{0.1f, 1.0f, 0.0f}, {0.0f, 0.0f, 0.0f, 1.0f}},
                    .box = {{0.05f, 0.1f, 0.05f}}};
    sn_hit hit;
    assert_ok(sn_world_sweep(world, &box, sn_v(0.0f, -1.0f, 0.0f), all, &hit));
    assert_true(same_deformable(hit.deformable, rope));
    assert_float_equal(hit.fraction, 0.895f, 1.0e-4f);
    box.pose.position.z = 0.06f;
    assert_ok(sn_world_sweep(world, &box, sn_v(0.0f, -2.0f, 0.0f), all, &hit)); // past it
    assert_int_equal(hit.deformable.index, 0);
    sn_world_destroy(world);
}

// --- overlaps ----------------------------------------------------------------------------------------------

static void test_overlaps_of_balls_agree_with_distances(void **state)
{
    (void)state;
    sn_world *world = kit_world();
    (void)soft_crumpled_cloth(world, 6, 5);
    test_random random = {8};
    int inside = 0, outside = 0;
    for (int i = 0; i < 500; ++i) {
        sn_vec3 place = test_random_vec3(&random, 0.5f);
        float distance = distance_at(world, place);
        if (sn_abs(distance - 0.1f) < 1.0e-4f) {
            continue;
        }
        int count = count_overlaps(world, ball_at(place, 0.1f), all);
        assert_int_equal(count, distance < 0.1f ? 1 : 0);
        inside += count;
        outside += 1 - count;
    }
    assert_true(inside > 50 && outside > 50);
    sn_world_destroy(world);
}

static void test_volumes_are_full_and_shells_are_hollow(void **state)
{
    (void)state;
    sn_world *world = kit_world();
    sn_deformable jelly = soft_jelly(world, 2, sn_v(0.0f, 0.0f, 0.0f), 1.0e4f);
    sn_mesh *shell;
    assert_ok(sn_mesh_box_surface(sn_v(0.4f, 0.4f, 0.4f), 2, 2, 2, &shell));
    sn_deformable_def def = soft_def(shell, sn_v(5.0f, 0.0f, 0.0f));
    def.density = 1.0f;
    sn_deformable hollow = soft_add(world, &def);
    sn_mesh_destroy(shell);
    sn_deformable found[2];
    int count;
    sn_solid ball = ball_at(sn_v(0.03f, 0.02f, 0.01f), 0.05f);
    assert_ok(sn_world_overlap_deformables(world, &ball, all, found, 2, &count));
    assert_true(count == 1 && same_deformable(found[0], jelly));
    ball.pose.position.x += 5.0f;
    assert_ok(sn_world_overlap_deformables(world, &ball, all, found, 2, &count));
    assert_int_equal(count, 0);
    ball.sphere.radius = 0.25f; // it reaches the walls
    assert_ok(sn_world_overlap_deformables(world, &ball, all, found, 2, &count));
    assert_true(count == 1 && same_deformable(found[0], hollow));
    ball.sphere.radius = 6.0f; // and the jelly
    assert_ok(sn_world_overlap_deformables(world, &ball, all, found, 1, &count));
    assert_true(count == 2 && same_deformable(found[0], jelly)); // the lower one, where there is room for one
    sn_world_destroy(world);
}

static void test_filters_hide_deformables_from_solids(void **state)
{
    (void)state;
    sn_world *world = kit_world();
    (void)soft_filtered_sheet(world);
    const struct {
        sn_query_filter filter;
        bool seen;
    } rows[] = {{{2u, 4u}, true}, {{2u, 3u}, false}, {{1u, 4u}, false}};
    for (size_t i = 0; i < sizeof rows / sizeof *rows; ++i) {
        sn_solid ball = ball_at(sn_v(0.1f, 0.0f, 1.0f), 0.1f);
        sn_hit hit;
        assert_ok(sn_world_sweep(world, &ball, sn_v(0.0f, 0.0f, -2.0f), rows[i].filter, &hit));
        assert_true((hit.deformable.index != 0) == rows[i].seen);
        ball.pose.position.z = 0.05f;
        assert_int_equal(count_overlaps(world, ball, rows[i].filter), rows[i].seen);
    }
    sn_world_destroy(world);
}

static void test_bad_questions_are_refused(void **state)
{
    (void)state;
    sn_world *world = kit_world();
    sn_deformable found;
    int count;
    sn_solid ball = ball_at(sn_v(0.0f, 0.0f, 0.0f), 1.0f), nowhere = ball_at(sn_v(NAN, 0.0f, 0.0f), 1.0f);
    sn_solid thin = ball_at(sn_v(0.0f, 0.0f, 0.0f), -1.0f);
    assert_int_equal(sn_world_overlap_deformables(NULL, &ball, all, &found, 1, &count), SN_ERROR_NULL);
    assert_int_equal(sn_world_overlap_deformables(world, NULL, all, &found, 1, &count), SN_ERROR_NULL);
    assert_int_equal(sn_world_overlap_deformables(world, &ball, all, NULL, 1, &count), SN_ERROR_NULL);
    assert_int_equal(sn_world_overlap_deformables(world, &ball, all, &found, 1, NULL), SN_ERROR_NULL);
    assert_int_equal(sn_world_overlap_deformables(world, &ball, all, &found, -1, &count), SN_ERROR_RANGE);
    assert_int_equal(sn_world_overlap_deformables(world, &nowhere, all, &found, 1, &count),
                     SN_ERROR_NOT_FINITE);
    assert_int_equal(sn_world_overlap_deformables(world, &thin, all, &found, 1, &count), SN_ERROR_RANGE);
    sn_world_destroy(world);
}

// Between an edit and the next step, nodes may be anything.
static void test_nodes_that_are_nowhere_or_all_in_one_place_do_no_harm(void **state)
{
    (void)state;
    for (int nowhere = 0; nowhere < 2; ++nowhere) {
        sn_world *world = kit_world();
        sn_deformable things[3] = {soft_cloth(world, 3, sn_v(0.0f, 0.0f, 0.0f)),
                                   soft_jelly(world, 1, sn_v(0.0f, 0.0f, 0.0f), 1.0e4f),
                                   soft_rope(world, 3, sn_v(0.0f, 0.0f, 0.0f))};
        for (int i = 0; i < 3; ++i) {
            sn_node_state *nodes;
            sn_node_velocity *velocities;
            assert_ok(sn_deformable_edit(world, things[i], &nodes, &velocities));
            for (int k = 0; k < sn_deformable_node_count(world, things[i]); ++k) {
                float bad = k % 3 == 0 ? NAN : k % 3 == 1 ? INFINITY : -1.0e30f;
                nodes[k].position = nowhere ? sn_v(bad, bad, -bad) : sn_v(0.1f, 0.0f, 0.0f);
            }
        }
        sn_solid ball = ball_at(sn_v(-1.0f, 0.0f, 0.0f), 0.3f);
        sn_hit hit;
        sn_closest closest;
        sn_point point;
        assert_ok(sn_world_sweep(world, &ball, sn_v(2.0f, 0.0f, 0.0f), all, &hit));
        assert_ok(sn_world_ray(world, sn_v(-1.0f, 0.0f, 0.0f), sn_v(2.0f, 0.0f, 0.0f), all, &hit));
        assert_ok(sn_world_pick(world, sn_v(-1.0f, 0.0f, 0.0f), sn_v(2.0f, 0.0f, 0.0f), all, &point, &hit));
        assert_ok(sn_world_closest(world, sn_v(0.0f, 0.0f, 0.0f), 5.0f, all, &closest));
        assert_true(count_overlaps(world, ball, all) >= 0);
        run_steps(world, 3);
        sn_world_destroy(world);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        test_with_memory(test_a_ball_swept_at_a_sheet_stops_where_it_touches),
        test_with_memory(test_a_sweep_meets_the_first_of_shapes_and_deformables),
        test_with_memory(test_a_box_swept_at_a_rope_meets_it_as_thick_as_it_is),
        test_with_memory(test_overlaps_of_balls_agree_with_distances),
        test_with_memory(test_volumes_are_full_and_shells_are_hollow),
        test_with_memory(test_filters_hide_deformables_from_solids),
        test_with_memory(test_bad_questions_are_refused),
        test_with_memory(test_nodes_that_are_nowhere_or_all_in_one_place_do_no_harm),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
