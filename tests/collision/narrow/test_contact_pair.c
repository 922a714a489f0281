// Contacts: the order of shapes, mixed materials, patches of every pair of types, triangles merged into
// patches, and impulses that persist from step to step.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include "collision/narrow/contact_pair.h"
#include "support/contact_pieces.h"
#include "support/memory.h"

#define COUNT(array) ((int)(sizeof(array) / sizeof *(array)))

static sn_contact_data contact_in(sn_patch *room, int capacity)
{
    return (sn_contact_data){.patches = {.data = room, .capacity = capacity}};
}

// --- order and materials -------------------------------------------------------------------------

static void test_planes_come_before_surfaces_before_compounds_before_convex_shapes(void **state)
{
    (void)state;
    const sn_shape_type order[] = {SN_PLANE, SN_SURFACE, SN_COMPOUND, SN_SPHERE};
    for (int i = 0; i < COUNT(order); ++i) {
        for (int k = 0; k < COUNT(order); ++k) {
            sn_shape_data a = shape_of(order[i]), b = shape_of(order[k]);
            // Whatever their numbers.
            assert_int_equal(sn_contact_in_order(&a, 1, &b, 2), i <= k);
            assert_int_equal(sn_contact_in_order(&a, 2, &b, 1), i < k);
        }
    }
}

static void test_convex_shapes_are_ordered_by_number_alone(void **state)
{
    (void)state;
    const sn_shape_type types[] = {SN_SPHERE, SN_CAPSULE, SN_BOX, SN_HULL};
    for (int i = 0; i < COUNT(types); ++i) {
        for (int k = 0; k < COUNT(types); ++k) {
            sn_shape_data a = shape_of(types[i]), b = shape_of(types[k]);
            assert_true(sn_contact_in_order(&a, 3, &b, 4));
            assert_false(sn_contact_in_order(&a, 4, &b, 3));
        }
    }
}

static void test_materials_mix_by_root_of_product_and_by_the_larger(void **state)
{
    (void)state;
    sn_shape_data a = shape_of(SN_BOX), b = shape_of(SN_BOX);
    a.friction = 0.9f;
    b.friction = 0.4f;
    a.restitution = 0.2f;
    b.restitution = 0.7f;
    a.rolling_resistance = 0.05f;
    b.rolling_resistance = 0.01f;
    for (int turn = 0; turn < 2; ++turn) {
        sn_contact_data contact = {0};
        sn_contact_mix_materials(&contact, turn ? &b : &a, turn ? &a : &b);
        assert_near(contact.friction, 0.6f, 1e-7);
        assert_true(contact.restitution == 0.7f);
        assert_true(contact.rolling_resistance == 0.05f);
    }
    a.friction = 0.0f;
    sn_contact_data smooth = {0};
    sn_contact_mix_materials(&smooth, &a, &b);
    assert_true(smooth.friction == 0.0f);
}

// --- every pair of types -------------------------------------------------------------------------

// Number of points of the patch, by the type of the lower and of the upper shape.
typedef enum { ON_FLAT, ON_CAPSULE, ON_SPHERE } ground_kind;

static ground_kind ground_of(sn_shape_type low)
{
    return low == SN_SPHERE ? ON_SPHERE : (low == SN_CAPSULE ? ON_CAPSULE : ON_FLAT);
}

static int expected_points(sn_shape_type low, sn_shape_type high, uint32_t part)
{
    bool round = high == SN_SPHERE || (high == SN_COMPOUND && part == 2);
    ground_kind ground = ground_of(low);
    if (round || ground == ON_SPHERE) {
        return 1;
    }
    return high == SN_CAPSULE || ground == ON_CAPSULE ? 2 : 4;
}

// Seams between triangles may add points along a line.
static void check_point_count(const sn_patch *patch, sn_shape_type low, sn_shape_type high)
{
    int expected = expected_points(low, high, patch->part_b);
    int most = low == SN_SURFACE && expected == 2 ? 4 : expected;
    assert_in_range(patch->count, expected, most);
}

static const float sink = 0.01f;

// One pair, turned and moved by `where`; mass centres are away from the origins.
static void check_pair(sn_shape_type low, sn_shape_type high, const pieces *pieces, sn_pose where)
{
    sn_shape_data a = low_shape(low, pieces), b = high_shape(high, pieces);
    sn_pose above = sn_pose_multiply(where, pose_at(0.0f, -sink, 0.0f));
    sn_placement place_a = {where, sn_pose_apply(where, sn_v(0.1f, -0.4f, 0.2f))};
    sn_placement place_b = {above, sn_pose_apply(above, sn_v(0.0f, 0.3f, -0.1f))};
    sn_patch patches[SN_MAX_PATCHES];
    int count = sn_collide_shapes(&a, place_a, &b, place_b, 0.02f, patches, SN_MAX_PATCHES);
    // The ball beside the box of the upper compound does not reach a rounded sphere.
    int expected = high == SN_COMPOUND && low != SN_SPHERE ? 2 : 1;
    assert_int_equal(count, expected);
    for (int i = 0; i < count; ++i) {
        const sn_patch *patch = &patches[i];
        assert_vec3_near(patch->normal, sn_rotate(where.rotation, sn_v(0.0f, 1.0f, 0.0f)), 1e-4);
        assert_int_equal(patch->part_a, low == SN_COMPOUND ? 1 : 0);
        assert_int_equal(patch->part_b, high == SN_COMPOUND ? i + 1 : 0);
        check_point_count(patch, low, high);
        float deepest = INFINITY;
        for (int k = 0; k < patch->count; ++k) {
            const sn_patch_point *point = &patch->points[k];
            sn_vec3 from_a = sn_add(place_a.center, point->arm_a);
            assert_vec3_near(from_a, sn_add(place_b.center, point->arm_b), 2e-6);
            deepest = sn_min(deepest, point->separation);
            // Half-way between the surfaces.
            float height = sn_pose_apply_inverse(where, from_a).y;
            assert_near(height, -0.5f * sink, low == SN_SPHERE || low == SN_CAPSULE ? 5e-3 : 1e-4);
            assert_true(point->normal_impulse == 0.0f && point->total_normal == 0.0f);
            for (int j = 0; j < k; ++j) {
                assert_true(patch->points[j].feature != point->feature);
            }
        }
        assert_near(deepest, -sink, 1e-4);
    }
}

static void test_every_pair_of_types_gives_its_patches_wherever_it_is(void **state)
{
    (void)state;
    const sn_shape_type lows[] = {SN_PLANE, SN_SURFACE, SN_COMPOUND, SN_HULL, SN_BOX, SN_CAPSULE, SN_SPHERE};
    const sn_shape_type highs[] = {SN_SPHERE, SN_CAPSULE, SN_BOX, SN_HULL, SN_COMPOUND};
    pieces pieces = make_pieces();
    test_random random = {32};
    for (int i = 0; i < COUNT(lows); ++i) {
        for (int k = 0; k < COUNT(highs); ++k) {
            if (highs[k] == SN_COMPOUND && sn_shape_is_convex(lows[i])) {
                continue; // the compound comes first; see below
            }
            check_pair(lows[i], highs[k], &pieces, sn_pose_identity);
            for (int round = 0; round < 10; ++round) {
                sn_pose where = {test_random_vec3(&random, 3.0f), sn_quat_identity};
                where.rotation = test_random_rotation(&random);
                check_pair(lows[i], highs[k], &pieces, where);
            }
        }
    }
    destroy_pieces(&pieces);
}

// The compound first, the convex shape below it: the normal points down.
static void test_a_compound_on_each_convex_type_pushes_it_down(void **state)
{
    (void)state;
    const sn_shape_type lows[] = {SN_HULL, SN_BOX, SN_CAPSULE, SN_SPHERE};
    pieces pieces = make_pieces();
    for (int i = 0; i < COUNT(lows); ++i) {
        sn_shape_data a = high_shape(SN_COMPOUND, &pieces), b = low_shape(lows[i], &pieces);
        sn_patch patches[SN_MAX_PATCHES];
        int count =
            sn_collide_shapes(&a, placed(0, -sink, 0), &b, placed(0, 0, 0), 0.02f, patches, SN_MAX_PATCHES);
        assert_int_equal(count, lows[i] == SN_SPHERE ? 1 : 2);
        for (int k = 0; k < count; ++k) {
            assert_vec3_near(patches[k].normal, sn_v(0.0f, -1.0f, 0.0f), 1e-4);
            assert_int_equal(patches[k].part_a, k + 1);
            assert_int_equal(patches[k].part_b, 0);
            assert_int_equal(patches[k].count, expected_points(lows[i], SN_COMPOUND, patches[k].part_a));
        }
    }
    destroy_pieces(&pieces);
}

static void test_no_pair_has_patches_beyond_the_margin(void **state)
{
    (void)state;
    const sn_shape_type lows[] = {SN_PLANE, SN_SURFACE, SN_COMPOUND, SN_HULL, SN_BOX, SN_CAPSULE, SN_SPHERE};
    const sn_shape_type highs[] = {SN_SPHERE, SN_CAPSULE, SN_BOX, SN_HULL, SN_COMPOUND};
    pieces pieces = make_pieces();
    for (int i = 0; i < COUNT(lows); ++i) {
        for (int k = 0; k < COUNT(highs); ++k) {
            sn_shape_data a = low_shape(lows[i], &pieces), b = high_shape(highs[k], &pieces);
            bool swapped = highs[k] == SN_COMPOUND && sn_shape_is_convex(lows[i]);
            sn_patch patches[SN_MAX_PATCHES];
            for (int step = 0; step < 2; ++step) {
                sn_placement above = placed(0.0f, step == 0 ? 0.019f : 0.021f, 0.0f);
                int count =
                    swapped
                        ? sn_collide_shapes(&b, above, &a, placed(0, 0, 0), 0.02f, patches, SN_MAX_PATCHES)
                        : sn_collide_shapes(&a, placed(0, 0, 0), &b, above, 0.02f, patches, SN_MAX_PATCHES);
                assert_true(step == 0 ? count >= 1 : count == 0);
            }
        }
    }
    destroy_pieces(&pieces);
}

// A hundred balls that stand on y = 0, a centimetre deep.
static sn_compound *hundred_balls(void)
{
    sn_solid parts[100];
    for (int i = 0; i < 100; ++i) {
        parts[i] = (sn_solid){.type = SN_SPHERE,
                              .pose = pose_at((float)(i % 10), 0.49f, (float)(i / 10)),
                              .sphere = {.radius = 0.5f}};
    }
    sn_compound *compound = NULL;
    assert_int_equal(sn_compound_create(parts, 100, &compound), SN_OK);
    return compound;
}

static void test_a_thing_in_a_hundred_places_keeps_64_patches(void **state)
{
    (void)state;
    sn_compound *compound = hundred_balls();
    sn_shape_data plane = shape_of(SN_PLANE), b = shape_of(SN_COMPOUND);
    plane.plane = (sn_plane){{0.0f, 1.0f, 0.0f}, 0.0f};
    b.compound = compound;
    sn_patch room[SN_MAX_PATCHES];
    sn_contact_data contact = contact_in(room, SN_MAX_PATCHES);
    assert_true(sn_contact_update(&contact, &plane, placed(0, 0, 0), &b, placed(0, 0, 0), 0.02f));
    assert_int_equal(contact.patches.count, SN_MAX_PATCHES);
    for (int i = 0; i < SN_MAX_PATCHES; ++i) {
        assert_int_equal(contact.patches.data[i].part_b, i);
    }
    sn_compound_destroy(compound);
}

// --- surfaces ------------------------------------------------------------------------------------

// Area of the convex hull of up to four points seen from above: the largest of the three quadrilaterals.
static float spanned_area(const sn_patch *patch)
{
    float best = 0.0f;
    const int orders[3][4] = {{0, 1, 2, 3}, {0, 2, 1, 3}, {0, 1, 3, 2}};
    for (int k = 0; k < 3 && patch->count == 4; ++k) {
        float area = 0.0f;
        for (int i = 0; i < 4; ++i) {
            sn_vec3 p = patch->points[orders[k][i]].arm_a, q = patch->points[orders[k][(i + 1) % 4]].arm_a;
            area += 0.5f * (p.z * q.x - p.x * q.z);
        }
        best = sn_max(best, sn_abs(area));
    }
    return best;
}

static float spanned_length(const sn_patch *patch)
{
    float longest = 0.0f;
    for (int i = 0; i < patch->count; ++i) {
        for (int k = 0; k < i; ++k) {
            longest = sn_max(longest, sn_distance_between(patch->points[i].arm_a, patch->points[k].arm_a));
        }
    }
    return longest;
}

// Boxes, hulls, capsules and spheres resting on a floor of many small triangles, in random places: one
// upright patch of at most four points. A box's four points span nearly all of its face.
static void test_coplanar_triangles_make_one_patch_of_at_most_four_points(void **state)
{
    (void)state;
    pieces pieces = make_pieces();
    test_random random = {33};
    const sn_shape_type types[] = {SN_SPHERE, SN_CAPSULE, SN_BOX, SN_HULL};
    for (int round = 0; round < 200; ++round) {
        sn_shape_data floor = shape_of(SN_SURFACE);
        sn_surface *surface = flat_square(3.0f, 4 + round % 20, &random);
        floor.surface = surface;
        for (int t = 0; t < COUNT(types); ++t) {
            sn_shape_data b = high_shape(types[t], &pieces);
            sn_vec3 place = test_random_vec3(&random, 1.5f);
            float depth = test_random_float(&random, -0.01f, 0.01f);
            sn_pose pose = pose_turned(place.x, depth, place.z, sn_v(0.0f, 1.0f, 0.0f),
                                       test_random_float(&random, -SN_PI, SN_PI));
            sn_patch patches[SN_MAX_PATCHES];
            sn_placement above = {pose, pose.position};
            int count = sn_collide_shapes(&floor, placed(0, 0, 0), &b, above, 0.02f, patches, SN_MAX_PATCHES);
            assert_int_equal(count, 1);
            assert_vec3_near(patches[0].normal, sn_v(0.0f, 1.0f, 0.0f), 1e-6);
            check_point_count(&patches[0], SN_SURFACE, types[t]);
            for (int i = 0; i < patches[0].count; ++i) {
                assert_near(patches[0].points[i].separation, depth, 1e-5);
            }
            if (types[t] == SN_BOX) {
                assert_near(spanned_area(&patches[0]), 0.8f * 0.6f, 0.03 * 0.8 * 0.6);
            } else if (types[t] == SN_CAPSULE) {
                assert_near(spanned_length(&patches[0]), 0.8f, 0.01 * 0.8);
            }
        }
        sn_surface_destroy(surface);
    }
    destroy_pieces(&pieces);
}

static void test_faces_that_differ_by_more_than_two_degrees_make_patches_of_their_own(void **state)
{
    (void)state;
    for (int degrees = 2; degrees <= 40; degrees += 2) {
        float slope = (float)degrees * SN_PI / 180.0f;
        sn_shape_data floor = shape_of(SN_SURFACE), ball = sphere_shape(0.5f);
        sn_surface *surface = trough(slope);
        floor.surface = surface;
        sn_patch patches[SN_MAX_PATCHES];
        // The ball touches both faces at once, 1 mm deep.
        sn_placement above = placed(0.0f, 0.499f / sn_cos(slope), 0.3f);
        int count = sn_collide_shapes(&floor, placed(0, 0, 0), &ball, above, 0.02f, patches, SN_MAX_PATCHES);
        assert_int_equal(count, 2);
        for (int i = 0; i < 2; ++i) {
            sn_vec3 normal = patches[i].normal;
            assert_near(normal.y, sn_cos(slope), 1e-5);
            assert_near(sn_abs(normal.x), sn_sin(slope), 1e-5);
            assert_int_equal(patches[i].count, 1);
            assert_near(patches[i].points[0].separation, -0.001f, 1e-5);
        }
        assert_true(patches[0].normal.x * patches[1].normal.x < 0.0f);
        sn_surface_destroy(surface);
    }
}

// --- memory of the last step ---------------------------------------------------------------------

// Marks every point and patch with unique numbers.
static void mark(sn_contact_data *contact)
{
    for (int i = 0; i < contact->patches.count; ++i) {
        sn_patch *patch = &contact->patches.data[i];
        float tag = 100.0f * (float)(i + 1);
        patch->friction_impulse = sn_scale(sn_perpendicular(patch->normal), tag);
        patch->twist_impulse = tag + 50.0f;
        patch->rolling_impulse = sn_v(tag, 0.0f, tag);
        for (int k = 0; k < patch->count; ++k) {
            patch->points[k].normal_impulse = tag + (float)(k + 1);
            patch->points[k].total_normal = 7.0f;
        }
    }
}

static sn_patch *patch_with_normal(sn_contact_data *contact, sn_vec3 normal)
{
    sn_patch *best = &contact->patches.data[0];
    for (int i = 1; i < contact->patches.count; ++i) {
        sn_patch *patch = &contact->patches.data[i];
        best = sn_dot(patch->normal, normal) > sn_dot(best->normal, normal) ? patch : best;
    }
    return best;
}

static void test_points_keep_their_impulses_by_feature_while_a_box_slides_and_turns(void **state)
{
    (void)state;
    sn_shape_data plane = shape_of(SN_PLANE), box = box_shape(0.5f, 0.5f, 0.5f);
    plane.plane = (sn_plane){{0.0f, 1.0f, 0.0f}, 0.0f};
    sn_patch room[SN_MAX_PATCHES];
    sn_contact_data contact = contact_in(room, SN_MAX_PATCHES);
    sn_placement above = placed(0.0f, 0.499f, 0.0f);
    assert_true(sn_contact_update(&contact, &plane, placed(0, 0, 0), &box, above, 0.02f));
    assert_int_equal(contact.patches.count, 1);
    mark(&contact);
    sn_patch before = contact.patches.data[0];
    for (int i = 1; i <= 20; ++i) {
        // 20 cm and 6° a step: corners are recognised by their features however far they moved.
        sn_pose pose = pose_turned(0.2f * (float)i, 0.499f, 0.0f, sn_v(0.0f, 1.0f, 0.0f), 0.1f * (float)i);
        above = (sn_placement){pose, pose.position};
        assert_true(sn_contact_update(&contact, &plane, placed(0, 0, 0), &box, above, 0.02f));
        const sn_patch *patch = &contact.patches.data[0];
        assert_int_equal(patch->count, 4);
        for (int k = 0; k < 4; ++k) {
            for (int j = 0; j < 4; ++j) {
                bool same = patch->points[k].feature == before.points[j].feature;
                float kept = before.points[j].normal_impulse;
                assert_true((patch->points[k].normal_impulse == kept) == same);
            }
            assert_true(patch->points[k].total_normal == 0.0f);
        }
        assert_true(patch->twist_impulse == before.twist_impulse);
        assert_vec3_near(patch->friction_impulse, before.friction_impulse, 0.0);
    }
}

static void test_points_whose_features_changed_are_found_where_they_were(void **state)
{
    (void)state;
    sn_shape_data plane = shape_of(SN_PLANE), box = box_shape(0.5f, 0.5f, 0.5f);
    plane.plane = (sn_plane){{0.0f, 1.0f, 0.0f}, 0.0f};
    sn_patch room[SN_MAX_PATCHES];
    sn_contact_data contact = contact_in(room, SN_MAX_PATCHES);
    assert_true(sn_contact_update(&contact, &plane, placed(0, 0, 0), &box, placed(0, 0.499f, 0), 0.02f));
    mark(&contact);
    sn_patch before = contact.patches.data[0];
    for (int k = 0; k < 4; ++k) {
        contact.patches.data[0].points[k].feature ^= 0x40000000u;
    }
    // Half a centimetre aside: still the same points. From there half a metre aside: new ones.
    assert_true(sn_contact_update(&contact, &plane, placed(0, 0, 0), &box, placed(0.005f, 0.499f, 0), 0.02f));
    for (int k = 0; k < 4; ++k) {
        assert_true(contact.patches.data[0].points[k].normal_impulse == before.points[k].normal_impulse);
        contact.patches.data[0].points[k].feature ^= 0x40000000u;
    }
    sn_shape_data wide = box_shape(1.0f, 0.5f, 1.0f);
    assert_true(sn_contact_update(&contact, &plane, placed(0, 0, 0), &wide, placed(0, 0.499f, 0), 0.02f));
    for (int k = 0; k < 4; ++k) {
        assert_true(contact.patches.data[0].points[k].normal_impulse == 0.0f);
    }
}

static void test_friction_stays_in_the_plane_of_the_patch(void **state)
{
    (void)state;
    sn_shape_data a = box_shape(2.0f, 0.5f, 2.0f), b = box_shape(0.5f, 0.5f, 0.5f);
    sn_patch room[SN_MAX_PATCHES];
    sn_contact_data contact = contact_in(room, SN_MAX_PATCHES);
    assert_true(sn_contact_update(&contact, &a, placed(0, 0, 0), &b, placed(0, 0.999f, 0), 0.02f));
    mark(&contact);
    sn_vec3 old = contact.patches.data[0].friction_impulse;
    // Both tilt together by 0.2 rad about an axis across the friction.
    sn_quat tilt = sn_quat_axis_angle(sn_cross(sn_v(0.0f, 1.0f, 0.0f), sn_normalize(old)), 0.2f);
    sn_pose lower = {{0.0f, 0.0f, 0.0f}, tilt};
    sn_pose upper = sn_pose_multiply(lower, pose_at(0.0f, 0.999f, 0.0f));
    assert_true(sn_contact_update(&contact, &a, (sn_placement){lower, lower.position}, &b,
                                  (sn_placement){upper, upper.position}, 0.02f));
    const sn_patch *patch = &contact.patches.data[0];
    assert_near(sn_dot(patch->friction_impulse, patch->normal), 0.0f, 1e-4);
    assert_near(sn_length(patch->friction_impulse), sn_length(old) * sn_cos(0.2f), 1e-3);
}

// A normal that turned by 45° or more is a new one: a cube that has rolled over has no impulses.
static void test_a_patch_with_another_normal_remembers_nothing(void **state)
{
    (void)state;
    sn_shape_data a = box_shape(0.5f, 0.5f, 0.5f), b = box_shape(0.5f, 0.5f, 0.5f);
    sn_patch room[SN_MAX_PATCHES];
    sn_contact_data contact = contact_in(room, SN_MAX_PATCHES);
    assert_true(sn_contact_update(&contact, &a, placed(0, 0, 0), &b, placed(0, 0.999f, 0), 0.02f));
    mark(&contact);
    assert_true(sn_contact_update(&contact, &a, placed(0, 0, 0), &b, placed(0.999f, 0, 0), 0.02f));
    assert_int_equal(contact.patches.count, 1);
    const sn_patch *patch = &contact.patches.data[0];
    assert_true(patch->twist_impulse == 0.0f);
    assert_vec3_near(patch->friction_impulse, sn_v(0.0f, 0.0f, 0.0f), 0.0);
    for (int k = 0; k < patch->count; ++k) {
        assert_true(patch->points[k].normal_impulse == 0.0f);
    }
}

// In a shallow trough the two patches of a ball have similar normals. Each must keep its own impulses, not
// get those of the other.
static void test_patches_with_like_normals_each_keep_their_own_impulses(void **state)
{
    (void)state;
    for (int degrees = 4; degrees <= 40; degrees += 4) {
        float slope = (float)degrees * SN_PI / 180.0f;
        sn_shape_data floor = shape_of(SN_SURFACE), ball = sphere_shape(0.5f);
        sn_surface *surface = trough(slope);
        floor.surface = surface;
        sn_patch room[SN_MAX_PATCHES];
        sn_contact_data contact = contact_in(room, SN_MAX_PATCHES);
        sn_placement above = placed(0.0f, 0.499f / sn_cos(slope), 0.0f);
        assert_true(sn_contact_update(&contact, &floor, placed(0, 0, 0), &ball, above, 0.02f));
        assert_int_equal(contact.patches.count, 2);
        mark(&contact);
        const sn_patch before[2] = {contact.patches.data[0], contact.patches.data[1]};
        above = placed(0.0f, 0.499f / sn_cos(slope), 0.05f);
        assert_true(sn_contact_update(&contact, &floor, placed(0, 0, 0), &ball, above, 0.02f));
        assert_int_equal(contact.patches.count, 2);
        for (int i = 0; i < 2; ++i) {
            const sn_patch *now = patch_with_normal(&contact, before[i].normal);
            assert_true(now->twist_impulse == before[i].twist_impulse);
            assert_true(now->points[0].normal_impulse == before[i].points[0].normal_impulse);
        }
        sn_surface_destroy(surface);
    }
}

static void test_parts_of_compounds_keep_their_own_impulses(void **state)
{
    (void)state;
    pieces pieces = make_pieces();
    sn_shape_data plane = low_shape(SN_PLANE, &pieces), b = high_shape(SN_COMPOUND, &pieces);
    sn_patch room[SN_MAX_PATCHES];
    sn_contact_data contact = contact_in(room, SN_MAX_PATCHES);
    assert_true(sn_contact_update(&contact, &plane, placed(0, 0, 0), &b, placed(0, -sink, 0), 0.02f));
    assert_int_equal(contact.patches.count, 2);
    mark(&contact);
    const sn_patch ball = contact.patches.data[1];
    // Tilted so that the box leaves the ground: its patch is gone, that of the ball comes first.
    sn_pose pose = pose_turned(0.0f, 0.0f, 0.0f, sn_v(0.0f, 0.0f, 1.0f), -0.15f);
    pose.position.y = 0.13f;
    assert_true(
        sn_contact_update(&contact, &plane, placed(0, 0, 0), &b, (sn_placement){pose, pose.position}, 0.02f));
    assert_int_equal(contact.patches.count, 1);
    assert_int_equal(contact.patches.data[0].part_b, 2);
    assert_true(contact.patches.data[0].points[0].normal_impulse == ball.points[0].normal_impulse);
    destroy_pieces(&pieces);
}

static void test_a_contact_without_room_for_its_patches_keeps_the_old_ones(void **state)
{
    (void)state;
    sn_compound *compound = hundred_balls();
    sn_shape_data plane = shape_of(SN_PLANE), balls = shape_of(SN_COMPOUND), ball = sphere_shape(0.5f);
    plane.plane = (sn_plane){{0.0f, 1.0f, 0.0f}, 0.0f};
    balls.compound = compound;
    sn_patch room[SN_MAX_PATCHES - 1];
    sn_contact_data contact = contact_in(room, SN_MAX_PATCHES - 1);
    assert_int_equal(sn_contact_update(&contact, &plane, placed(0, 0, 0), &ball, placed(0, 0.49f, 0), 0.02f),
                     1);
    mark(&contact);
    assert_int_equal(sn_contact_update(&contact, &plane, placed(0, 0, 0), &balls, placed(0, 0, 0), 0.02f),
                     SN_MAX_PATCHES);
    assert_int_equal(contact.patches.count, 1);
    assert_true(contact.patches.data[0].points[0].normal_impulse == 101.0f);
    sn_compound_destroy(compound);
}

// The patch that `old` is, of those of plane and ball with the ball elsewhere.
static const sn_patch *patch_elsewhere(const sn_patch *old, const sn_shape_data *plane,
                                       const sn_shape_data *ball, sn_placement place, sn_patch *fresh)
{
    int count = sn_collide_shapes(plane, placed(0, 0, 0), ball, place, 0.02f, fresh, 1);
    return sn_patch_find(fresh, count, old);
}

static void test_a_patch_is_found_again_elsewhere_unless_it_is_gone(void **state)
{
    (void)state;
    sn_shape_data plane = shape_of(SN_PLANE), ball = sphere_shape(0.5f);
    plane.plane = (sn_plane){{0.0f, 1.0f, 0.0f}, 0.0f};
    sn_patch old, fresh;
    assert_int_equal(sn_collide_shapes(&plane, placed(0, 0, 0), &ball, placed(0, 0.49f, 0), 0.02f, &old, 1),
                     1);
    const sn_patch *found = patch_elsewhere(&old, &plane, &ball, placed(0.3f, 0.48f, 0), &fresh);
    assert_non_null(found);
    assert_float_equal(found->points[0].separation, -0.02f, 1e-6f);
    assert_null(patch_elsewhere(&old, &plane, &ball, placed(0, 0.6f, 0), &fresh));
    old.part_b = 1; // another part's patch
    assert_null(patch_elsewhere(&old, &plane, &ball, placed(0, 0.49f, 0), &fresh));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        test_with_memory(test_planes_come_before_surfaces_before_compounds_before_convex_shapes),
        test_with_memory(test_convex_shapes_are_ordered_by_number_alone),
        test_with_memory(test_materials_mix_by_root_of_product_and_by_the_larger),
        test_with_memory(test_every_pair_of_types_gives_its_patches_wherever_it_is),
        test_with_memory(test_a_compound_on_each_convex_type_pushes_it_down),
        test_with_memory(test_no_pair_has_patches_beyond_the_margin),
        test_with_memory(test_a_thing_in_a_hundred_places_keeps_64_patches),
        test_with_memory(test_coplanar_triangles_make_one_patch_of_at_most_four_points),
        test_with_memory(test_faces_that_differ_by_more_than_two_degrees_make_patches_of_their_own),
        test_with_memory(test_points_keep_their_impulses_by_feature_while_a_box_slides_and_turns),
        test_with_memory(test_points_whose_features_changed_are_found_where_they_were),
        test_with_memory(test_friction_stays_in_the_plane_of_the_patch),
        test_with_memory(test_a_patch_with_another_normal_remembers_nothing),
        test_with_memory(test_patches_with_like_normals_each_keep_their_own_impulses),
        test_with_memory(test_parts_of_compounds_keep_their_own_impulses),
        test_with_memory(test_a_contact_without_room_for_its_patches_keeps_the_old_ones),
        test_with_memory(test_a_patch_is_found_again_elsewhere_unless_it_is_gone),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
