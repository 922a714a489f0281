// Saving, restoring and hashing whole worlds.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include "support/memory.h"
#include "support/scenes.h"
#include "world/core/world.h"
#include "world/snapshot/snapshot_world.h"
#include <string.h>

enum { STEPS_BEFORE = 100, STEPS_AFTER = 300 };

static sn_world *rich_world(void)
{
    sn_world *world = snapshot_empty_world(1, 0);
    snapshot_fill(world, 2);
    snapshot_run(world, 0, STEPS_BEFORE);
    return world;
}

// --- going on ------------------------------------------------------------------------------------

static void assert_goes_on(sn_world *world, const uint64_t *hashes)
{
    for (int i = 0; i < STEPS_AFTER; ++i) {
        snapshot_run(world, STEPS_BEFORE + i, 1);
        assert_int_equal(sn_world_hash(world), hashes[i]);
    }
}

static void test_restored_world_goes_on_bit_for_bit(void **state)
{
    (void)state;
    sn_world *world = rich_world();
    // The scene is what it says: some sleep, some fall, one is frozen, something breaks later on.
    sn_statistics before = sn_world_statistics(world);
    assert_int_equal(before.frozen_count, 1);
    assert_true(before.awake_count > 10 && before.awake_count < before.rigid_count - 6);
    snapshot_bytes bytes = snapshot_save(world);
    uint64_t hash = sn_world_hash(world), hashes[STEPS_AFTER];
    for (int i = 0; i < STEPS_AFTER; ++i) {
        snapshot_run(world, STEPS_BEFORE + i, 1);
        hashes[i] = sn_world_hash(world);
    }
    assert_true(sn_world_statistics(world).constraint_count < before.constraint_count);
    assert_true(hashes[STEPS_AFTER - 1] != hash);

    assert_int_equal(sn_world_restore(world, bytes.data, bytes.size), SN_OK);
    assert_int_equal(sn_world_hash(world), hash);
    assert_goes_on(world, hashes);
    sn_world_destroy(world);
    for (int threads = 1; threads <= 2; ++threads) {
        sn_world *other = snapshot_empty_world(threads, threads);
        assert_int_equal(sn_world_restore(other, bytes.data, bytes.size), SN_OK);
        assert_int_equal(sn_world_hash(other), hash);
        assert_int_equal(sn_world_settings(other).threads, threads);
        assert_goes_on(other, hashes);
        sn_world_destroy(other);
    }
    free(bytes.data);
}

static void test_restored_scenes_go_on(void **state)
{
    (void)state;
    const char *names[] = {"joint_chain",   "ragdolls",      "rain",           "machines",
                           "pyramid",       "hanging_cloth", "jelly_and_rods", "cloth_on_spheres",
                           "folding_cloth", "jelly_stack",   "models",         "cushions",
                           "ropes"};
    for (size_t i = 0; i < sizeof names / sizeof *names; ++i) {
        sn_world_def def = sn_world_def_default();
        test_scene_run run;
        assert_int_equal(test_scene_open(test_scene_find(names[i]), &def, &run), SN_OK);
        assert_int_equal(test_scene_step(&run, 90), SN_OK);
        snapshot_bytes bytes = snapshot_save(run.world);
        assert_int_equal(test_scene_step(&run, 15), SN_OK);
        uint64_t hash = sn_world_hash(run.world);
        assert_int_equal(sn_world_restore(run.world, bytes.data, bytes.size), SN_OK);
        run.steps_done = 90;
        assert_int_equal(test_scene_step(&run, 15), SN_OK);
        assert_int_equal(sn_world_hash(run.world), hash);
        test_scene_close(&run);
        free(bytes.data);
    }
}

// Zeros of either sign are saved as one, so that nothing that happens may depend on the sign.
static void test_signs_of_zeros_decide_nothing(void **state)
{
    (void)state;
    sn_world *world = rich_world(), *other = snapshot_empty_world(1, 0);
    for (int i = 1; i < world->bodies.count; ++i) {
        sn_body *body = &world->bodies.data[i];
        float *zeros[] = {&body->force.x, &body->torque.y, &body->rotation.x, &body->linear_velocity.z};
        for (int k = 0; k < 4; ++k) {
            *zeros[k] = *zeros[k] == 0.0f ? -0.0f : *zeros[k];
        }
    }
    snapshot_bytes bytes = snapshot_save(world);
    assert_int_equal(sn_world_restore(other, bytes.data, bytes.size), SN_OK);
    for (int i = 0; i < 50; ++i) {
        assert_int_equal(sn_world_hash(other), sn_world_hash(world));
        snapshot_run(world, STEPS_BEFORE + i, 1);
        snapshot_run(other, STEPS_BEFORE + i, 1);
    }
    sn_world_destroy(world);
    sn_world_destroy(other);
    free(bytes.data);
}

// --- the same bytes ------------------------------------------------------------------------------

static void test_bytes_are_the_same_after_a_round_trip(void **state)
{
    (void)state;
    sn_world *world = rich_world(), *other = snapshot_empty_world(2, 2);
    snapshot_bytes bytes = snapshot_save(world);
    assert_int_equal(sn_world_restore(other, bytes.data, bytes.size), SN_OK);
    snapshot_bytes again = snapshot_save(other);
    assert_same_bytes(bytes, again);
    sn_world_destroy(world);
    sn_world_destroy(other);
    free(bytes.data);
    free(again.data);
}

static void test_user_pointers_are_neither_saved_nor_restored(void **state)
{
    (void)state;
    int something;
    sn_world *world = rich_world();
    snapshot_bytes bytes = snapshot_save(world);
    sn_rigid lift = snapshot_find(world, "lift");
    sn_shape shape;
    sn_rigid_shapes(world, lift, &shape, 1);
    sn_constraint constraint;
    sn_world_constraints(world, &constraint, 1);
    assert_int_equal(sn_rigid_user_set(world, lift, &something), SN_OK);
    sn_world_shape(world, shape)->user = &something;
    sn_world_constraint(world, constraint)->definition.common.user = &something;
    snapshot_bytes with_users = snapshot_save(world);
    assert_same_bytes(bytes, with_users);
    assert_int_equal(sn_world_restore(world, bytes.data, bytes.size), SN_OK);
    assert_null(sn_rigid_user(world, lift));
    assert_null(sn_shape_user(world, shape));
    assert_null(sn_constraint_user(world, constraint));
    sn_world_destroy(world);
    free(bytes.data);
    free(with_users.data);
}

static void test_equal_worlds_hash_alike_and_others_do_not(void **state)
{
    (void)state;
    sn_world *world = rich_world(), *twin = rich_world();
    assert_int_equal(sn_world_hash(world), sn_world_hash(twin));
    sn_rigid body = snapshot_find(twin, "turntable");
    sn_vec3 velocity = sn_rigid_angular_velocity(twin, body);
    velocity.y = nextafterf(velocity.y, 10.0f);
    assert_int_equal(sn_rigid_angular_velocity_set(twin, body, velocity), SN_OK);
    assert_true(sn_world_hash(world) != sn_world_hash(twin));
    sn_world_destroy(world);
    sn_world_destroy(twin);
}

// --- what comes back -----------------------------------------------------------------------------

static void test_ids_of_the_saved_world_are_valid_in_the_restored_one(void **state)
{
    (void)state;
    sn_world *world = rich_world(), *other = snapshot_empty_world(1, 1);
    sn_rigid rigids[256], before;
    sn_constraint constraints[32];
    int rigid_count = sn_world_rigids(world, rigids, 256);
    int constraint_count = sn_world_constraints(world, constraints, 32);
    assert_int_equal(sn_rigid_add(other, &(sn_rigid_def){0}, &before), SN_ERROR_DEFINITION);
    scene_builder builder = {other, SN_OK};
    before = scene_sphere(&builder, scene_at(0.0f, 1.0f, 0.0f), 0.5f);
    assert_true(sn_rigid_is_valid(other, before));
    snapshot_bytes bytes = snapshot_save(world);
    assert_int_equal(sn_world_restore(other, bytes.data, bytes.size), SN_OK);
    assert_false(sn_rigid_is_valid(other, before));
    for (int i = 0; i < rigid_count; ++i) {
        sn_shape shapes[4];
        int shape_count = sn_rigid_shapes(world, rigids[i], shapes, 4);
        assert_true(sn_rigid_is_valid(other, rigids[i]));
        assert_string_equal(sn_rigid_name(other, rigids[i]), sn_rigid_name(world, rigids[i]));
        assert_int_equal(sn_rigid_shapes(other, rigids[i], NULL, 0), shape_count);
        for (int k = 0; k < shape_count; ++k) {
            assert_true(sn_shape_is_valid(other, shapes[k]));
        }
    }
    for (int i = 0; i < constraint_count; ++i) {
        assert_true(sn_constraint_is_valid(other, constraints[i]));
        assert_string_equal(sn_constraint_name(other, constraints[i]),
                            sn_constraint_name(world, constraints[i]));
    }
    sn_world_destroy(world);
    sn_world_destroy(other);
    free(bytes.data);
}

static void test_ids_given_out_later_are_the_same(void **state)
{
    (void)state;
    sn_world *world = rich_world(), *other = snapshot_empty_world(1, 0);
    snapshot_bytes bytes = snapshot_save(world);
    assert_int_equal(sn_world_restore(other, bytes.data, bytes.size), SN_OK);
    for (int i = 0; i < 5; ++i) { // two places are free, then new ones are made
        sn_rigid_def def = sn_rigid_def_default();
        sn_rigid a, b;
        assert_int_equal(sn_rigid_add(world, &def, &a), SN_OK);
        assert_int_equal(sn_rigid_add(other, &def, &b), SN_OK);
        assert_memory_equal(&a, &b, sizeof a);
    }
    assert_int_equal(sn_world_hash(world), sn_world_hash(other));
    sn_world_destroy(world);
    sn_world_destroy(other);
    free(bytes.data);
}

static void test_settings_and_time_come_back(void **state)
{
    (void)state;
    sn_world *world = snapshot_empty_world(1, 0), *other = snapshot_empty_world(2, 0);
    sn_world_def def = sn_world_settings(world);
    def.gravity = sn_v(1.0f, -2.0f, 0.5f);
    def.sub_steps = 5;
    def.sleep = def.continuous = false;
    def.push_speed = 7.0f;
    def.sleep_time = 3.0f;
    assert_int_equal(sn_world_settings_set(world, &def), SN_OK);
    assert_int_equal(sn_world_step(world, 0.25f), SN_OK);
    snapshot_bytes bytes = snapshot_save(world);
    assert_int_equal(sn_world_restore(other, bytes.data, bytes.size), SN_OK);
    sn_world_def found = sn_world_settings(other);
    assert_int_equal(found.threads, 2);
    assert_true(found.gravity.z == 0.5f && found.sub_steps == 5 && !found.sleep && !found.continuous);
    assert_true(found.push_speed == 7.0f && found.sleep_time == 3.0f);
    assert_int_equal(sn_world_step_count(other), 1);
    assert_true(sn_world_time(other) == 0.25);
    assert_int_equal(sn_world_settings_set(other, &found), SN_OK);
    sn_world_destroy(world);
    sn_world_destroy(other);
    free(bytes.data);
}

static void test_restored_world_has_no_events(void **state)
{
    (void)state;
    sn_world *world = rich_world();
    assert_true(sn_world_events(world).move_count > 0);
    snapshot_bytes bytes = snapshot_save(world);
    assert_int_equal(sn_world_restore(world, bytes.data, bytes.size), SN_OK);
    sn_events events = sn_world_events(world);
    assert_int_equal(events.begin_count + events.end_count + events.hit_count, 0);
    assert_int_equal(events.break_count + events.sleep_count + events.move_count, 0);
    sn_world_destroy(world);
    free(bytes.data);
}

// Eight bodies with one hull: the second to last must cost no more than a reference each.
static void test_shared_geometry_is_saved_once_and_shared_again(void **state)
{
    (void)state;
    size_t sizes[2];
    for (int many = 0; many < 2; ++many) {
        sn_world *world = snapshot_empty_world(1, 0);
        snapshot_geometry geometry = snapshot_make_geometry();
        scene_builder builder = {world, SN_OK};
        sn_shape shapes[8];
        for (int i = 0; i < 8; ++i) {
            sn_rigid body = scene_body(&builder, SN_DYNAMIC, scene_at((float)i, 0.0f, 0.0f));
            if (many || i == 0) {
                assert_int_equal(sn_hull_add(world, body, NULL, geometry.pebble, &shapes[i]), SN_OK);
            } else {
                sn_sphere sphere = {{0.0f, 0.0f, 0.0f}, 1.0f};
                assert_int_equal(sn_sphere_add(world, body, NULL, sphere, &shapes[i]), SN_OK);
            }
        }
        sn_hull_destroy(geometry.pebble);
        sn_hull_destroy(geometry.drum);
        sn_compound_destroy(geometry.hammer);
        snapshot_bytes bytes = snapshot_save(world);
        sizes[many] = bytes.size;
        assert_int_equal(sn_world_restore(world, bytes.data, bytes.size), SN_OK);
        if (many) {
            const sn_hull *first, *last;
            first = sn_shape_hull(world, shapes[0]);
            last = sn_shape_hull(world, shapes[7]);
            assert_ptr_equal(first, last);
        }
        sn_world_destroy(world);
        free(bytes.data);
    }
    assert_int_equal(sizes[0] - sizes[1], 7 * (16 - 4)); // a sphere's fields against a number
}

static void test_empty_world_can_be_saved_and_emptied_by_restoring(void **state)
{
    (void)state;
    sn_world *empty = snapshot_empty_world(1, 0), *world = rich_world();
    snapshot_bytes bytes = snapshot_save(empty);
    assert_int_equal(sn_world_restore(world, bytes.data, bytes.size), SN_OK);
    assert_int_equal(sn_world_statistics(world).rigid_count, 0);
    assert_int_equal(sn_world_hash(world), sn_world_hash(empty));
    assert_int_equal(sn_world_step(world, SNAPSHOT_STEP), SN_OK);
    sn_world_destroy(world);
    sn_world_destroy(empty);
    free(bytes.data);
}

// --- custom kinds --------------------------------------------------------------------------------

static void test_custom_kinds_must_be_registered_with_the_same_size(void **state)
{
    (void)state;
    sn_world *world = rich_world(), *other;
    snapshot_bytes bytes = snapshot_save(world);
    sn_world_def def = sn_world_def_default();
    assert_int_equal(sn_world_create(&def, &other), SN_OK);
    uint64_t hash = sn_world_hash(other);
    assert_int_equal(sn_world_restore(other, bytes.data, bytes.size), SN_ERROR_NAME);
    assert_non_null(strstr(sn_world_error(other), "'height' is not registered"));
    assert_int_equal(sn_custom_register(other, "height", snapshot_height_rows, 4), SN_OK);
    assert_int_equal(sn_world_restore(other, bytes.data, bytes.size), SN_ERROR_NAME);
    assert_non_null(strstr(sn_world_error(other), "'height' has 4 bytes of data here, but 8"));
    assert_int_equal(sn_world_hash(other), hash);
    sn_world_destroy(world);
    sn_world_destroy(other);
    free(bytes.data);
}

// --- errors --------------------------------------------------------------------------------------

static void test_too_small_a_buffer_is_left_alone_and_told_the_size(void **state)
{
    (void)state;
    sn_world *world = snapshot_empty_world(1, 0);
    snapshot_fill(world, 0);
    snapshot_bytes bytes = snapshot_save(world);
    unsigned char *small = malloc(bytes.size);
    memset(small, 0x5a, bytes.size);
    size_t needed = 0;
    assert_int_equal(sn_world_save(world, small, bytes.size - 1, &needed), SN_ERROR_BUFFER);
    assert_int_equal(needed, bytes.size);
    for (size_t i = 0; i < bytes.size; ++i) {
        assert_int_equal(small[i], 0x5a);
    }
    assert_int_equal(sn_world_save(world, small, 0, &needed), SN_ERROR_BUFFER);
    free(small);
    free(bytes.data);
    sn_world_destroy(world);
}

static void test_nulls_and_locked_worlds_are_refused(void **state)
{
    (void)state;
    sn_world *world = snapshot_empty_world(1, 0);
    snapshot_bytes bytes = snapshot_save(world);
    size_t size;
    assert_int_equal(sn_world_save(NULL, NULL, 0, &size), SN_ERROR_NULL);
    assert_int_equal(sn_world_save(world, NULL, 0, NULL), SN_ERROR_NULL);
    assert_int_equal(sn_world_restore(NULL, bytes.data, bytes.size), SN_ERROR_NULL);
    assert_int_equal(sn_world_restore(world, NULL, 0), SN_ERROR_NULL);
    assert_int_equal(sn_world_hash(NULL), 0);
    world->locked = true;
    assert_int_equal(sn_world_save(world, NULL, 0, &size), SN_ERROR_LOCKED);
    assert_int_equal(sn_world_restore(world, bytes.data, bytes.size), SN_ERROR_LOCKED);
    assert_int_equal(sn_world_hash(world), 0);
    world->locked = false;
    sn_world_destroy(world);
    free(bytes.data);
}

static void test_without_memory_saving_fails_and_the_hash_is_zero(void **state)
{
    (void)state;
    sn_world *world = rich_world();
    size_t size;
    test_memory_allow(0);
    assert_int_equal(sn_world_save(world, NULL, 0, &size), SN_ERROR_MEMORY);
    assert_int_equal(sn_world_hash(world), 0);
    test_memory_allow_all();
    assert_int_not_equal(sn_world_hash(world), 0);
    sn_world_destroy(world);
}

// --- keeping up ----------------------------------------------------------------------------------

// Fails when a struct that is saved grows: describe the new field in snapshot_parts.c or snapshot_soft.c (and
// raise the version), or see that it need not be saved, and correct the number here.
static void test_every_field_is_described(void **state)
{
    (void)state;
#if UINTPTR_MAX == UINT64_MAX
    assert_int_equal(sizeof(sn_world) - sizeof(sn_statistics) - sizeof(sn_profile), 2012);
    assert_int_equal(sizeof(sn_world_def), 160);
    assert_int_equal(sizeof(sn_body), 280);
    assert_int_equal(sizeof(sn_shape_data), 384);
    assert_int_equal(sizeof(sn_contact_data), 80);
    assert_int_equal(sizeof(sn_patch), 256);
    assert_int_equal(sizeof(sn_patch_point), 48);
    assert_int_equal(sizeof(sn_constraint_data), 624);
    assert_int_equal(sizeof(sn_constraint_link), 32);
    assert_int_equal(sizeof(sn_constraint_common), 248);
    assert_int_equal(sizeof(sn_ball_def), 312);
    assert_int_equal(sizeof(sn_hinge_def), 288);
    assert_int_equal(sizeof(sn_slider_def), 288);
    assert_int_equal(sizeof(sn_fixed_def), 248);
    assert_int_equal(sizeof(sn_distance_def), 272);
    assert_int_equal(sizeof(sn_hull), 184);
    assert_int_equal(sizeof(sn_surface), 120);
    assert_int_equal(sizeof(sn_compound_part_data), 280);
    assert_int_equal(sizeof(sn_nodes), 152);
    // The surface, and what anchors slide along, are made anew from the mesh, and boxes in every step; which
    // group of rows is whose follows from the definition, and whether a body holds it from its constraints.
    assert_int_equal(sizeof(sn_deformable_data) - sizeof(sn_soft_surface), 456);
    assert_int_equal(sizeof(sn_deformable_def), 280);
    assert_int_equal(sizeof(sn_model), 40);
    assert_int_equal(sizeof(sn_anchor_def), 240);
    assert_int_equal(sizeof(sn_point), 88);
    assert_int_equal(sizeof(sn_mesh), 104);
    // The velocity of the surface follows from the shape whenever a contact is solved.
    assert_int_equal(sizeof(sn_soft_contact_data), 200);
#endif
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        test_with_memory(test_restored_world_goes_on_bit_for_bit),
        test_with_memory(test_restored_scenes_go_on),
        test_with_memory(test_signs_of_zeros_decide_nothing),
        test_with_memory(test_bytes_are_the_same_after_a_round_trip),
        test_with_memory(test_user_pointers_are_neither_saved_nor_restored),
        test_with_memory(test_equal_worlds_hash_alike_and_others_do_not),
        test_with_memory(test_ids_of_the_saved_world_are_valid_in_the_restored_one),
        test_with_memory(test_ids_given_out_later_are_the_same),
        test_with_memory(test_settings_and_time_come_back),
        test_with_memory(test_restored_world_has_no_events),
        test_with_memory(test_shared_geometry_is_saved_once_and_shared_again),
        test_with_memory(test_empty_world_can_be_saved_and_emptied_by_restoring),
        test_with_memory(test_custom_kinds_must_be_registered_with_the_same_size),
        test_with_memory(test_too_small_a_buffer_is_left_alone_and_told_the_size),
        test_with_memory(test_nulls_and_locked_worlds_are_refused),
        test_with_memory(test_without_memory_saving_fails_and_the_hash_is_zero),
        cmocka_unit_test(test_every_field_is_described),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
