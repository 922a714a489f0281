// The broad phase inside a step: however many boxes move and however the tree is kept, every pair of shapes
// whose boxes overlap has a contact and no other pair has.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include "support/random.h"
#include "support/world_kit.h"
#include "world/core/world.h"

enum { BOXES = 400 };

// Boxes of 1 m anywhere within a cube; `moving` of them fly about at up to 20 m/s, the others are asleep.
static sn_world *flying_boxes(int moving, test_random *random)
{
    sn_world *world = kit_world();
    assert_ok(sn_world_gravity_set(world, sn_v(0.0f, 0.0f, 0.0f)));
    for (int i = 0; i < BOXES; ++i) {
        sn_rigid_def def = sn_rigid_def_default();
        def.position = test_random_vec3(random, 15.0f);
        def.rotation = test_random_rotation(random);
        def.awake = i < moving;
        def.linear_velocity = test_random_vec3(random, 20.0f);
        def.angular_velocity = test_random_vec3(random, 5.0f);
        sn_rigid rigid;
        assert_ok(sn_rigid_add(world, &def, &rigid));
        assert_ok(sn_box_add(world, rigid, NULL, (sn_box){{0.5f, 0.5f, 0.5f}}, NULL));
    }
    return world;
}

// As the step left them: what moved out of its box since then looks for partners in the next.
static void expect_contacts_of_all_overlaps(const sn_world *world)
{
    int overlaps = 0;
    for (int i = 0; i < world->shapes.count; ++i) {
        for (int k = i + 1; k < world->shapes.count; ++k) {
            const sn_shape_data *a = &world->shapes.data[i], *b = &world->shapes.data[k];
            if (a->query_pending || b->query_pending || !sn_bounds_overlap(a->fat, b->fat)) {
                continue;
            }
            ++overlaps;
            assert_true(sn_pair_map_find(&world->pairs, sn_pair_key(i, k)) >= 0);
        }
    }
    assert_true(overlaps > 20);
    for (int i = 0; i < world->active_contacts.count; ++i) {
        const sn_contact_data *contact = &world->contacts.data[world->active_contacts.data[i]];
        const sn_shape_data *a = &world->shapes.data[contact->shape_a],
                            *b = &world->shapes.data[contact->shape_b];
        assert_true(a->query_pending || b->query_pending || sn_bounds_overlap(a->fat, b->fat));
    }
}

static void test_every_overlap_is_found_whether_few_boxes_move_or_all(void **state)
{
    (void)state;
    const int moving[] = {BOXES, BOXES / 2, BOXES / 20};
    for (int n = 0; n < 3; ++n) {
        test_random random = {71};
        sn_world *world = flying_boxes(moving[n], &random);
        for (int step = 0; step < 60; ++step) {
            run_steps(world, 1);
            if (step % 6 == 0) {
                expect_contacts_of_all_overlaps(world);
            }
        }
        sn_world_destroy(world);
    }
}

static void test_the_first_step_builds_trees_that_grew_leaf_by_leaf(void **state)
{
    (void)state;
    test_random random = {72};
    sn_world *world = flying_boxes(0, &random);
    int height = sn_world_statistics(world).tree_height;
    assert_int_equal(world->moving_tree.added_count, BOXES);
    run_steps(world, 1);
    assert_int_equal(world->moving_tree.added_count, 0);
    assert_true(sn_world_statistics(world).tree_height <= height);
    // A few more are not worth building it again.
    add_box_at(world, 0.5f, 40.0f, 0.0f, 0.0f);
    run_steps(world, 1);
    assert_int_equal(world->moving_tree.added_count, 1);
    sn_world_destroy(world);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        test_with_memory(test_every_overlap_is_found_whether_few_boxes_move_or_all),
        test_with_memory(test_the_first_step_builds_trees_that_grew_leaf_by_leaf),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
