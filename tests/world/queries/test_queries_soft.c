// What queries see of deformables, against brute force; picking things up and dragging them.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include "support/random.h"
#include "support/soft_kit.h"

static const sn_query_filter all = {UINT64_MAX, UINT64_MAX};

static sn_hit ray(const sn_world *world, sn_vec3 origin, sn_vec3 translation)
{
    sn_hit hit;
    assert_ok(sn_world_ray(world, origin, translation, all, &hit));
    return hit;
}

// Where the weights of a face say the point is.
static sn_vec3 place_of(const sn_world *world, sn_deformable deformable, int face, const float weights[3])
{
    const sn_mesh *mesh = sn_deformable_mesh(world, deformable);
    bool strand = sn_mesh_triangle_count(mesh) == 0;
    const uint32_t *corners = strand ? sn_mesh_edges(mesh) + 2 * face : sn_mesh_triangles(mesh) + 3 * face;
    sn_vec3 sum = sn_v(0.0f, 0.0f, 0.0f);
    float total = 0.0f;
    for (int k = 0; k < (strand ? 2 : 3); ++k) {
        assert_true(weights[k] >= 0.0f);
        total += weights[k];
        sum = sn_add_scaled(sum, weights[k], soft_node(world, deformable, (int)corners[k]));
    }
    assert_float_equal(total, 1.0f, 1.0e-5f);
    return sum;
}

// --- rays --------------------------------------------------------------------------------------------------

// In double, over all triangles: the fraction at which the segment meets one, and how near to an edge.
static double oracle_ray(const sn_world *world, sn_deformable cloth, sn_vec3 o, sn_vec3 t, double *border)
{
    const sn_mesh *mesh = sn_deformable_mesh(world, cloth);
    const uint32_t *corners = sn_mesh_triangles(mesh);
    double best = 2.0;
    *border = 1.0;
    for (int i = 0; i < sn_mesh_triangle_count(mesh); ++i) {
        sn_vec3 a = soft_node(world, cloth, (int)corners[3 * i]),
                b = soft_node(world, cloth, (int)corners[3 * i + 1]),
                c = soft_node(world, cloth, (int)corners[3 * i + 2]);
        double u[3] = {(double)b.x - a.x, (double)b.y - a.y, (double)b.z - a.z};
        double v[3] = {(double)c.x - a.x, (double)c.y - a.y, (double)c.z - a.z};
        double d[3] = {t.x, t.y, t.z}, w[3] = {(double)o.x - a.x, (double)o.y - a.y, (double)o.z - a.z};
        double p[3] = {d[1] * v[2] - d[2] * v[1], d[2] * v[0] - d[0] * v[2], d[0] * v[1] - d[1] * v[0]};
        double q[3] = {w[1] * u[2] - w[2] * u[1], w[2] * u[0] - w[0] * u[2], w[0] * u[1] - w[1] * u[0]};
        double det = u[0] * p[0] + u[1] * p[1] + u[2] * p[2];
        double s = (w[0] * p[0] + w[1] * p[1] + w[2] * p[2]) / det;
        double r = (d[0] * q[0] + d[1] * q[1] + d[2] * q[2]) / det;
        double at = (v[0] * q[0] + v[1] * q[1] + v[2] * q[2]) / det;
        double least = s < r ? s : r;
        least = least < 1.0 - s - r ? least : 1.0 - s - r;
        if (at >= 0.0 && at <= 1.0) {
            double near = least < 0.0 ? -least : least;
            *border = near < *border ? near : *border;
            best = least >= 0.0 && at < best ? at : best;
        }
    }
    return best;
}

static void test_rays_agree_with_brute_force(void **state)
{
    (void)state;
    sn_world *world = kit_world();
    sn_deformable cloth = soft_crumpled_cloth(world, 8, 7);
    test_random random = {11};
    int hits = 0, misses = 0;
    for (int i = 0; i < 2000; ++i) {
        sn_vec3 origin = test_random_vec3(&random, 1.0f);
        sn_vec3 displacement = sn_sub(test_random_vec3(&random, 1.0f), origin);
        double border, expected = oracle_ray(world, cloth, origin, displacement, &border);
        if (border < 1.0e-4) {
            continue;
        }
        sn_hit hit = ray(world, origin, displacement);
        assert_true((hit.deformable.index != 0) == (expected <= 1.0));
        assert_int_equal(hit.shape.index, 0);
        if (expected > 1.0) {
            ++misses;
            continue;
        }
        ++hits;
        assert_float_equal(hit.fraction, (float)expected, 1.0e-4f);
        assert_true(sn_distance_between(hit.point, sn_add_scaled(origin, hit.fraction, displacement)) <
                    1.0e-4f);
        assert_true(sn_distance_between(hit.point, place_of(world, cloth, hit.face, hit.weights)) < 1.0e-4f);
        assert_true(sn_dot(hit.normal, displacement) <= 0.0f);
        assert_float_equal(sn_length(hit.normal), 1.0f, 1.0e-4f);
    }
    assert_true(hits > 300 && misses > 300);
    sn_world_destroy(world);
}

static void test_the_first_of_shapes_and_deformables_is_hit(void **state)
{
    (void)state;
    sn_world *world = kit_world();
    sn_deformable cloth = soft_cloth(world, 2, sn_v(0.0f, 0.0f, 0.0f));
    sn_rigid box = add_box_at(world, 0.2f, 0.0f, 0.0f, 1.0f);
    sn_vec3 through = {0.0f, 0.0f, -6.0f};
    sn_hit hit = ray(world, sn_v(0.1f, 0.05f, 3.0f), through);
    assert_true(same_rigid(hit.rigid, box) && hit.deformable.index == 0);
    assert_float_equal(hit.fraction, 0.3f, 1.0e-5f);
    hit = ray(world, sn_v(0.1f, 0.05f, -3.0f), sn_neg(through));
    assert_true(same_deformable(hit.deformable, cloth) && hit.shape.index == 0 && hit.rigid.index == 0);
    assert_float_equal(hit.fraction, 0.5f, 1.0e-5f);
    assert_true(sn_distance_between(hit.normal, sn_v(0.0f, 0.0f, -1.0f)) < 1.0e-5f);
    sn_world_destroy(world);
}

static bool count_hits(const sn_hit *hit, void *user)
{
    int *counts = user;
    counts[hit->deformable.index != 0 ? 1 : 0] += 1;
    return true;
}
static bool stop_at_once(const sn_hit *hit, void *user)
{
    (void)hit;
    *(int *)user += 1;
    return false;
}

static void test_a_ray_through_all_meets_each_once(void **state)
{
    (void)state;
    sn_world *world = kit_world();
    for (int i = 0; i < 3; ++i) {
        (void)soft_cloth(world, 2, sn_v(0.0f, 0.0f, 0.3f * (float)i));
        (void)add_box_at(world, 0.1f, 0.1f, 0.05f, -1.0f - (float)i);
    }
    (void)soft_jelly(world, 2, sn_v(0.0f, 0.0f, 2.0f), 1.0e4f);
    int counts[2] = {0, 0}, calls = 0;
    sn_vec3 from = {0.1f, 0.05f, 5.0f}, displacement = {0.0f, 0.0f, -20.0f};
    assert_ok(sn_world_ray_all(world, from, displacement, all, count_hits, counts));
    assert_int_equal(counts[0], 3);
    assert_int_equal(counts[1], 4);
    assert_ok(sn_world_ray_all(world, from, displacement, all, stop_at_once, &calls));
    assert_int_equal(calls, 1);
    sn_world_destroy(world);
}

static void test_filters_hide_deformables(void **state)
{
    (void)state;
    sn_world *world = kit_world();
    (void)soft_filtered_sheet(world);
    const struct {
        sn_query_filter filter;
        bool seen;
    } rows[] = {{{2u, 4u}, true}, {{2u, 3u}, false}, {{1u, 4u}, false}, {{UINT64_MAX, UINT64_MAX}, true}};
    for (size_t i = 0; i < sizeof rows / sizeof *rows; ++i) {
        sn_hit hit;
        sn_closest closest;
        sn_deformable found;
        int count;
        sn_bounds box = {{-1.0f, -1.0f, -1.0f}, {1.0f, 1.0f, 1.0f}};
        assert_ok(sn_world_ray(world, sn_v(0.1f, 0.2f, 1.0f), sn_v(0.0f, 0.0f, -2.0f), rows[i].filter, &hit));
        assert_ok(sn_world_closest(world, sn_v(0.0f, 0.0f, 0.2f), 1.0f, rows[i].filter, &closest));
        assert_ok(sn_world_overlap_deformable_bounds(world, box, rows[i].filter, &found, 1, &count));
        assert_true((hit.deformable.index != 0) == rows[i].seen);
        assert_true((closest.deformable.index != 0) == rows[i].seen);
        assert_int_equal(count, rows[i].seen);
    }
    sn_world_destroy(world);
}

static void test_strands_are_as_thick_as_they_are(void **state)
{
    (void)state;
    sn_world *world = kit_world();
    sn_deformable rope = soft_rope(world, 4, sn_v(0.0f, 0.0f, 0.0f)); // 1 cm
    sn_hit hit = ray(world, sn_v(0.3f, 1.0f, 0.004f), sn_v(0.0f, -2.0f, 0.0f));
    assert_true(same_deformable(hit.deformable, rope));
    assert_int_equal(hit.face, 3);
    assert_float_equal(hit.point.y, 0.003f, 1.0e-5f); // 5 mm from the axis, 4 mm of them sideways
    assert_true(sn_distance_between(place_of(world, rope, 3, hit.weights), sn_v(0.3f, 0.0f, 0.0f)) < 1.0e-4f);
    assert_int_equal(ray(world, sn_v(0.3f, 1.0f, 0.006f), sn_v(0.0f, -2.0f, 0.0f)).deformable.index, 0);
    sn_world_destroy(world);
}

// --- closest points ----------------------------------------------------------------------------------------

static void test_the_closest_point_is_that_of_the_nearest_thing(void **state)
{
    (void)state;
    sn_world *world = kit_world();
    sn_deformable jelly = soft_jelly(world, 2, sn_v(0.0f, 0.0f, 0.0f), 1.0e4f);
    sn_rigid ball = add_ball_at(world, 0.5f, 2.0f, 0.0f, 0.0f);
    test_random random = {21};
    int of_jelly = 0, of_ball = 0;
    for (int i = 0; i < 500; ++i) {
        sn_vec3 p = sn_add(sn_v(0.8f, 0.0f, 0.0f), test_random_vec3(&random, 1.2f));
        sn_vec3 on_cube = sn_max3(sn_v(-0.2f, -0.2f, -0.2f), sn_min3(sn_v(0.2f, 0.2f, 0.2f), p));
        float to_cube = sn_distance_between(p, on_cube);
        float to_ball = sn_distance_between(p, sn_v(2.0f, 0.0f, 0.0f)) - 0.5f;
        if (to_cube == 0.0f || sn_abs(to_cube - to_ball) < 1.0e-4f) {
            continue;
        }
        sn_closest closest;
        assert_ok(sn_world_closest(world, p, 10.0f, all, &closest));
        assert_float_equal(closest.distance, sn_min(to_cube, to_ball), 1.0e-5f);
        sn_vec3 back = sn_add_scaled(closest.point, closest.distance, closest.normal);
        assert_true(sn_distance_between(back, p) < 2.0e-5f);
        if (to_cube < to_ball) {
            ++of_jelly;
            assert_true(same_deformable(closest.deformable, jelly) && closest.shape.index == 0);
            assert_true(sn_distance_between(closest.point, on_cube) < 1.0e-5f);
            sn_vec3 place = place_of(world, jelly, closest.face, closest.weights);
            assert_true(sn_distance_between(place, on_cube) < 1.0e-5f);
        } else {
            ++of_ball;
            assert_true(same_rigid(closest.rigid, ball) && closest.deformable.index == 0);
        }
    }
    assert_true(of_jelly > 50 && of_ball > 50);
    sn_closest none;
    assert_ok(sn_world_closest(world, sn_v(0.0f, 1.0f, 0.0f), 0.5f, all, &none));
    assert_int_equal(none.deformable.index + none.shape.index, 0); // beyond reach
    sn_world_destroy(world);
}

// --- boxes -------------------------------------------------------------------------------------------------

static void test_boxes_find_deformables_in_order_and_follow_them(void **state)
{
    (void)state;
    sn_world *world = kit_world();
    sn_deformable ropes[4], found[4];
    for (int i = 0; i < 4; ++i) {
        ropes[i] = soft_rope(world, 1, sn_v(2.0f * (float)i, 0.0f, 0.0f));
    }
    int count;
    sn_bounds box = {{1.0f, -0.1f, -0.1f}, {4.6f, 0.1f, 0.1f}};
    assert_ok(sn_world_overlap_deformable_bounds(world, box, all, found, 4, &count));
    assert_int_equal(count, 2);
    assert_true(same_deformable(found[0], ropes[1]) && same_deformable(found[1], ropes[2]));
    assert_ok(sn_world_overlap_deformable_bounds(world, box, all, NULL, 0, &count));
    assert_int_equal(count, 2);
    run_steps(world, 30); // they fall out of it
    assert_ok(sn_world_overlap_deformable_bounds(world, box, all, found, 4, &count));
    assert_int_equal(count, 0);
    sn_node_state *nodes;
    sn_node_velocity *velocities;
    assert_ok(sn_deformable_edit(world, ropes[3], &nodes, &velocities));
    nodes[0].position = nodes[1].position = sn_v(2.0f, 0.0f, 0.0f);
    assert_ok(sn_world_overlap_deformable_bounds(world, box, all, found, 4, &count)); // and one is put back
    assert_int_equal(count, 1);
    assert_true(same_deformable(found[0], ropes[3]));
    sn_world_destroy(world);
}

static void test_bad_questions_are_refused(void **state)
{
    (void)state;
    sn_world *world = kit_world();
    sn_deformable found;
    sn_point point;
    sn_hit hit;
    int count;
    sn_bounds box = {{0, 0, 0}, {1, 1, 1}}, inverted = {{1, 0, 0}, {0, 1, 1}}, nan = {{NAN, 0, 0}, {1, 1, 1}};
    assert_int_equal(sn_world_overlap_deformable_bounds(NULL, box, all, &found, 1, &count), SN_ERROR_NULL);
    assert_int_equal(sn_world_overlap_deformable_bounds(world, box, all, NULL, 1, &count), SN_ERROR_NULL);
    assert_int_equal(sn_world_overlap_deformable_bounds(world, box, all, &found, 1, NULL), SN_ERROR_NULL);
    assert_int_equal(sn_world_overlap_deformable_bounds(world, box, all, &found, -1, &count), SN_ERROR_RANGE);
    assert_int_equal(sn_world_overlap_deformable_bounds(world, inverted, all, &found, 1, &count),
                     SN_ERROR_RANGE);
    assert_int_equal(sn_world_overlap_deformable_bounds(world, nan, all, &found, 1, &count),
                     SN_ERROR_NOT_FINITE);
    sn_vec3 zero = {0, 0, 0}, displacement = {1, 0, 0};
    assert_int_equal(sn_world_pick(NULL, zero, displacement, all, &point, &hit), SN_ERROR_NULL);
    assert_int_equal(sn_world_pick(world, zero, displacement, all, NULL, &hit), SN_ERROR_NULL);
    assert_int_equal(sn_world_pick(world, zero, zero, all, &point, &hit), SN_ERROR_RANGE);
    assert_int_equal(sn_world_pick(world, sn_v(NAN, 0, 0), displacement, all, &point, &hit),
                     SN_ERROR_NOT_FINITE);
    sn_world_destroy(world);
}

// --- picking -----------------------------------------------------------------------------------------------

static void test_picking_gives_a_point_of_what_is_hit(void **state)
{
    (void)state;
    sn_world *world = kit_world();
    sn_deformable cloth = soft_crumpled_cloth(world, 4, 7);
    sn_rigid box = add_box_at(world, 0.3f, 3.0f, 0.0f, 0.0f);
    sn_point point;
    sn_hit hit;
    sn_vec3 displacement = {0.0f, 0.0f, -4.0f}, place;
    assert_ok(sn_world_pick(world, sn_v(0.1f, 0.1f, 2.0f), displacement, all, &point, &hit));
    assert_int_equal(point.type, SN_POINT_NODES);
    assert_true(same_deformable(point.deformable, cloth) && point.node_count == 3);
    assert_ok(sn_point_place(world, &point, &place));
    assert_true(sn_distance_between(place, hit.point) < 1.0e-5f);
    assert_ok(sn_world_pick(world, sn_v(3.1f, 0.1f, 2.0f), displacement, all, &point, NULL));
    assert_int_equal(point.type, SN_POINT_RIGID);
    assert_true(same_rigid(point.rigid, box));
    assert_true(sn_distance_between(point.position, sn_v(0.1f, 0.1f, 0.3f)) < 1.0e-5f);
    assert_ok(sn_world_pick(world, sn_v(9.0f, 0.0f, 2.0f), displacement, all, &point, &hit));
    assert_int_equal(point.type, SN_POINT_WORLD);
    assert_int_equal(hit.shape.index + hit.deformable.index, 0);
    sn_world_destroy(world);
}

// What a user does with a mouse: pick, tie by something that gives, pull, let go.
static void drag(sn_world *world, sn_vec3 origin, sn_vec3 goal, float weight)
{
    sn_anchor_def def = sn_anchor_def_default();
    sn_anchor anchor;
    sn_hit hit;
    assert_ok(sn_world_pick(world, origin, sn_v(0.0f, 0.0f, -5.0f), all, &def.b, &hit));
    assert_int_not_equal(def.b.type, SN_POINT_WORLD);
    def.a = sn_point_world(hit.point);
    def.compliance = 0.05f / weight; // its weight stretches the hand by 5 cm
    def.damping = weight;
    def.max_force = 3.0f * weight;
    assert_ok(sn_anchor_add(world, &def, &anchor));
    assert_true(sn_anchor_error(world, anchor) < 1.0e-5f);
    const int steps = 180;
    for (int i = 1; i <= steps; ++i) {
        sn_point hand = sn_point_world(sn_lerp(hit.point, goal, (float)i / (float)steps));
        assert_ok(sn_anchor_point_set(world, anchor, 0, &hand));
        run_steps(world, 1);
        assert_true(sn_length(sn_anchor_force(world, anchor)) <= 1.0001f * def.max_force);
    }
    run_steps(world, 240);
    assert_true(sn_anchor_error(world, anchor) < 0.06f);
    sn_vec3 place;
    assert_ok(sn_point_place(world, &def.b, &place));
    assert_true(sn_distance_between(place, goal) < 0.06f);
    assert_ok(sn_anchor_remove(world, anchor));
    assert_false(sn_anchor_is_valid(world, anchor));
}

static void test_a_jelly_and_a_body_are_dragged_by_what_was_picked(void **state)
{
    (void)state;
    sn_world *world = kit_world();
    add_floor(world);
    sn_mesh *mesh;
    assert_ok(sn_mesh_box(sn_v(0.4f, 0.4f, 0.4f), 3, 3, 3, &mesh));
    sn_deformable_def def = soft_def(mesh, sn_v(0.0f, 0.21f, 0.0f));
    def.collide = true;
    def.density = 100.0f;
    def.model = sn_model_corotational(5.0e4f, 0.4f);
    def.model.damping = 0.02f;
    sn_deformable jelly = soft_add(world, &def);
    sn_mesh_destroy(mesh);
    sn_rigid box = add_box_at(world, 0.2f, 2.0f, 0.2f, 0.0f);
    run_steps(world, 60);
    drag(world, sn_v(0.05f, 0.3f, 3.0f), sn_v(1.0f, 1.5f, 0.5f), 9.81f * 6.4f);
    sn_deformable_measure held = sn_deformable_measure_now(world, jelly);
    assert_true(held.center.y > 1.0f && held.center.x > 0.7f);
    assert_float_equal(held.volume, held.rest_volume, 0.02f * held.rest_volume);
    drag(world, sn_v(2.1f, 0.3f, 3.0f), sn_v(2.5f, 2.0f, -0.5f), 9.81f * 64.0f);
    assert_true(sn_rigid_center(world, box).y > 1.5f);
    run_steps(world, 120);
    assert_true(sn_deformable_measure_now(world, jelly).center.y < 0.3f); // let go of
    sn_world_destroy(world);
}

// The hand leaps far away: what it holds follows with what force there is, and neither bursts nor is thrown.
static void test_a_leap_of_the_hand_pulls_no_harder_than_it_may(void **state)
{
    (void)state;
    sn_world *world = kit_world();
    assert_ok(sn_world_gravity_set(world, sn_v(0.0f, 0.0f, 0.0f)));
    sn_deformable jelly = soft_jelly(world, 2, sn_v(0.0f, 0.0f, 0.0f), 2.0e5f); // 64 kg
    sn_rigid box = add_box_at(world, 0.2f, 0.0f, 3.0f, 0.0f);
    float masses[2] = {64.0f, sn_rigid_mass(world, box).mass};
    sn_anchor hands[2];
    const float force = 320.0f;
    for (int i = 0; i < 2; ++i) {
        sn_anchor_def def = sn_anchor_def_default();
        assert_ok(sn_world_pick(world, sn_v(0.0f, 3.0f * (float)i, 5.0f), sn_v(0.0f, 0.0f, -10.0f), all,
                                &def.b, NULL));
        def.a = sn_point_world(sn_v(0.0f, 3.0f * (float)i, 1000.0f));
        def.compliance = 1.0e-4f;
        def.max_force = force;
        assert_ok(sn_anchor_add(world, &def, &hands[i]));
    }
    for (int i = 0; i < 60; ++i) {
        run_steps(world, 1);
        for (int k = 0; k < 2; ++k) {
            assert_float_equal(sn_length(sn_anchor_force(world, hands[k])), force, 1.0e-3f * force);
        }
    }
    // One second of that force.
    sn_deformable_measure pulled = sn_deformable_measure_now(world, jelly);
    assert_float_equal(pulled.velocity.z, force / masses[0], 0.01f * force / masses[0]);
    assert_float_equal(pulled.volume, pulled.rest_volume, 0.01f * pulled.rest_volume);
    assert_float_equal(sn_rigid_linear_velocity(world, box).z, force / masses[1], 0.01f * force / masses[1]);
    assert_ok(sn_anchor_remove(world, hands[0]));
    assert_ok(sn_anchor_remove(world, hands[1]));
    assert_int_equal(sn_world_anchors(world, NULL, 0), 0);
    sn_world_destroy(world);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        test_with_memory(test_rays_agree_with_brute_force),
        test_with_memory(test_the_first_of_shapes_and_deformables_is_hit),
        test_with_memory(test_a_ray_through_all_meets_each_once),
        test_with_memory(test_filters_hide_deformables),
        test_with_memory(test_strands_are_as_thick_as_they_are),
        test_with_memory(test_the_closest_point_is_that_of_the_nearest_thing),
        test_with_memory(test_boxes_find_deformables_in_order_and_follow_them),
        test_with_memory(test_bad_questions_are_refused),
        test_with_memory(test_picking_gives_a_point_of_what_is_hit),
        test_with_memory(test_a_jelly_and_a_body_are_dragged_by_what_was_picked),
        test_with_memory(test_a_leap_of_the_hand_pulls_no_harder_than_it_may),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
