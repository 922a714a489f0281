// Boxes that are told to be apart have no contact, and most that have none are told so.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "collision/narrow/boxes_apart.h"
#include "collision/narrow/contact_pair.h"
#include "support/contact_pieces.h"
#include "support/memory.h"

static sn_shape_data random_box(test_random *random)
{
    sn_shape_data shape =
        box_shape(test_random_float(random, 0.1f, 1.0f), test_random_float(random, 0.1f, 1.0f),
                  test_random_float(random, 0.1f, 1.0f));
    shape.offset = (sn_pose){test_random_vec3(random, 0.5f), test_random_rotation(random)};
    return shape;
}

static sn_placement random_placement(test_random *random, sn_vec3 around)
{
    sn_vec3 position = sn_add(around, test_random_vec3(random, 1.2f));
    return (sn_placement){{position, test_random_rotation(random)}, position};
}

static void test_boxes_that_are_told_apart_have_no_contact_near_and_far_from_the_origin(void **state)
{
    (void)state;
    test_random random = {5};
    int apart = 0, none = 0;
    for (int i = 0; i < 40000; ++i) {
        sn_shape_data a = random_box(&random), b = random_box(&random);
        sn_vec3 around = i % 4 == 0 ? sn_v(3000.0f, -2000.0f, 1000.0f) : sn_v(0.0f, 0.0f, 0.0f);
        sn_placement at_a = random_placement(&random, around), at_b = random_placement(&random, around);
        float margin = test_random_float(&random, 0.0f, i % 2 == 0 ? 0.02f : 0.5f);
        sn_box_place places[2] = {sn_box_place_of(&a, at_a.pose), sn_box_place_of(&b, at_b.pose)};
        sn_patch patches[1];
        bool meets = sn_collide_shapes(&a, at_a, &b, at_b, margin, patches, 1) > 0;
        bool tells = sn_boxes_apart(&places[0], &places[1], margin);
        assert_int_equal(tells, sn_boxes_apart(&places[1], &places[0], margin));
        assert_false(tells && meets);
        apart += tells;
        none += !meets;
    }
    assert_true(none > 10000 && apart > 0.8f * (float)none);
}

// Sides of 2 m, 3 m from centre to centre: a gap of 1 m.
static void test_the_distance_asked_for_counts_within_a_part_in_a_thousand(void **state)
{
    (void)state;
    sn_shape_data box = box_shape(1.0f, 1.0f, 1.0f);
    sn_box_place a = sn_box_place_of(&box, pose_at(0.0f, 0.0f, 0.0f));
    sn_box_place b = sn_box_place_of(&box, pose_at(0.0f, 3.0f, 0.0f));
    assert_true(sn_boxes_apart(&a, &b, 0.999f));
    assert_false(sn_boxes_apart(&a, &b, 1.0f));
}

static void test_other_shapes_have_no_place(void **state)
{
    (void)state;
    sn_shape_data sphere = sphere_shape(1.0f);
    assert_true(sn_box_place_of(&sphere, sn_pose_identity).size == 0.0f);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        test_with_memory(test_boxes_that_are_told_apart_have_no_contact_near_and_far_from_the_origin),
        test_with_memory(test_the_distance_asked_for_counts_within_a_part_in_a_thousand),
        test_with_memory(test_other_shapes_have_no_place),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
