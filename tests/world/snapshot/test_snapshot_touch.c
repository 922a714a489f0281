// Contacts of deformables in snapshots: cloth on balls, folds on each other, jellies in a stack go on bit for
// bit wherever they were saved; what is removed takes its contacts along; spoilt bytes are refused or
// harmless.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include "support/scenes.h"
#include "support/soft_kit.h"
#include "world/snapshot/snapshot_hostile.h"

static test_scene_run open_scene(const char *name)
{
    sn_world_def def = sn_world_def_default();
    test_scene_run run;
    assert_ok(test_scene_open(test_scene_find(name), &def, &run));
    return run;
}

// --- going on ----------------------------------------------------------------------------------------------

static void check_scene_goes_on(const char *name, int first, int every)
{
    test_scene_run run = open_scene(name);
    assert_ok(test_scene_step(&run, first));
    for (int save = 0; save < 3; ++save) {
        snapshot_bytes bytes = snapshot_save(run.world);
        assert_true(sn_world_statistics(run.world).soft_contact_count > 0);
        uint64_t hash = sn_world_hash(run.world);
        assert_ok(test_scene_step(&run, every));
        for (int threads = 1; threads <= 2; ++threads) {
            sn_world *copy = snapshot_empty_world(threads, 0);
            assert_ok(sn_world_restore(copy, bytes.data, bytes.size));
            assert_int_equal(sn_world_hash(copy), hash);
            run_steps(copy, every);
            if (sn_world_hash(copy) != sn_world_hash(run.world)) {
                fail_msg("%s differs after save %d with %d threads", name, save, threads);
            }
            sn_world_destroy(copy);
        }
        free(bytes.data);
    }
    test_scene_close(&run);
}

static void test_cloth_on_balls_goes_on(void **state)
{
    (void)state;
    check_scene_goes_on("cloth_on_spheres", 20, 25);
}

// Nodes and edges of folds touch faces and edges of the same sheet and of the other one, also at their ends,
// where weights are zero.
static void test_folds_on_each_other_go_on(void **state)
{
    (void)state;
    check_scene_goes_on("folding_cloth", 15, 25);
}

static void test_stacked_jellies_go_on_to_sleep(void **state)
{
    (void)state;
    check_scene_goes_on("jelly_stack", 30, 90);
}

static void test_cushions_and_ropes_go_on(void **state)
{
    (void)state;
    check_scene_goes_on("cushions", 10, 30);
    check_scene_goes_on("ropes", 10, 30);
}

// A stack with its floor, or its middle, taken out from under it just before.
static void test_contacts_with_what_was_removed_are_left_out(void **state)
{
    (void)state;
    for (int middle = 0; middle < 2; ++middle) {
        test_scene_run run = open_scene("jelly_stack");
        assert_ok(test_scene_step(&run, 60));
        sn_deformable jellies[4];
        assert_int_equal(sn_world_deformables(run.world, jellies, 4), 4);
        if (middle) {
            assert_ok(sn_deformable_remove(run.world, jellies[1]));
        } else {
            assert_ok(sn_shape_remove(run.world, first_shape(run.world, sn_world_ground(run.world))));
        }
        snapshot_bytes bytes = snapshot_save(run.world);
        sn_world *copy = kit_world();
        assert_ok(sn_world_restore(copy, bytes.data, bytes.size));
        assert_true(copy->soft.contacts.count < run.world->soft.contacts.count);
        for (int i = 0; i < 30; ++i) {
            assert_int_equal(sn_world_hash(copy), sn_world_hash(run.world));
            run_steps(copy, 1);
            run_steps(run.world, 1);
        }
        sn_world_destroy(copy);
        test_scene_close(&run);
        free(bytes.data);
    }
}

static void test_restoring_tells_no_events_of_what_touched_before(void **state)
{
    (void)state;
    test_scene_run run = open_scene("jelly_stack");
    assert_ok(test_scene_step(&run, 120));
    snapshot_bytes bytes = snapshot_save(run.world);
    sn_world *copy = kit_world();
    assert_ok(sn_world_restore(copy, bytes.data, bytes.size));
    for (int i = 0; i < 20; ++i) {
        run_steps(copy, 1);
        assert_ok(test_scene_step(&run, 1));
        sn_events seen = sn_world_events(copy), expected = sn_world_events(run.world);
        assert_int_equal(seen.deformable_begin_count, expected.deformable_begin_count);
        assert_int_equal(seen.deformable_end_count, expected.deformable_end_count);
    }
    sn_world_destroy(copy);
    test_scene_close(&run);
    free(bytes.data);
}

// --- the hash ----------------------------------------------------------------------------------------------

static void test_the_hash_sees_contacts(void **state)
{
    (void)state;
    test_scene_run run = open_scene("folding_cloth");
    assert_ok(test_scene_step(&run, 40));
    uint64_t hash = sn_world_hash(run.world);
    sn_soft_contact_data *contact = &run.world->soft.contacts.data[3];
    float *seen[] = {&contact->normal_impulse, &contact->friction_impulse.x, &contact->side,
                     &contact->separation,     &contact->weights[0],         &contact->normal.y};
    for (size_t i = 0; i < sizeof seen / sizeof *seen; ++i) {
        float kept = *seen[i];
        *seen[i] += 0.25f;
        assert_int_not_equal(sn_world_hash(run.world), hash);
        *seen[i] = kept;
        assert_int_equal(sn_world_hash(run.world), hash);
    }
    contact->key.feature ^= 1u;
    assert_int_not_equal(sn_world_hash(run.world), hash);
    contact->key.feature ^= 1u;
    test_scene_close(&run);
}

// --- spoilt ------------------------------------------------------------------------------------------------

// A heap of cloth saved, and half a second later restored into.
static hostile begin_hostile_heap(size_t *contact_bytes)
{
    test_scene_run run = open_scene("folding_cloth");
    assert_ok(test_scene_step(&run, 40));
    hostile h = {.world = run.world};
    h.world->def.sub_steps = 1;
    h.sound = snapshot_save(h.world);
    // What is saved without contacts is shorter by them.
    int count = h.world->soft.contacts.count;
    h.world->soft.contacts.count = 0;
    snapshot_bytes bare = snapshot_save(h.world);
    h.world->soft.contacts.count = count;
    *contact_bytes = h.sound.size - bare.size;
    free(bare.data);
    assert_true(count > 100 && *contact_bytes > 100 * 100);
    h.bytes = malloc(h.sound.size);
    run_steps(h.world, 30);
    h.hash = sn_world_hash(h.world);
    run.world = NULL;
    test_scene_close(&run);
    return h;
}

static void test_random_changes_of_contacts_are_refused_or_harmless(void **state)
{
    (void)state;
    enum { CHANGES = 150 };
    size_t contact_bytes;
    hostile h = begin_hostile_heap(&contact_bytes);
    test_random random = {77};
    for (int i = 0; i < CHANGES; ++i) {
        memcpy(h.bytes, h.sound.data, h.sound.size);
        // Contacts are the last but a few lists of the world's own.
        size_t begin = h.sound.size - contact_bytes - 64;
        for (uint32_t k = 0, count = 1 + test_random_u32(&random) % 3; k < count; ++k) {
            size_t at = begin + test_random_u32(&random) % (h.sound.size - begin - 4);
            put(h.bytes + at, awkward_word(&random), test_random_u32(&random) % 2 ? 4 : 1);
        }
        fix_head(h.bytes, h.sound.size);
        (void)try_bytes(&h, h.sound.size, 3);
    }
    assert_true(h.accepted > CHANGES / 20 && h.refused > CHANGES / 5);
    end_hostile(&h);
}

static void test_truncated_contacts_are_refused(void **state)
{
    (void)state;
    size_t contact_bytes;
    hostile h = begin_hostile_heap(&contact_bytes);
    for (size_t size = h.sound.size - 1; size > h.sound.size - contact_bytes - 64; size -= 1009) {
        memcpy(h.bytes, h.sound.data, h.sound.size);
        fix_head(h.bytes, size);
        assert_int_equal(try_bytes(&h, size, 0), SN_ERROR_FORMAT);
    }
    end_hostile(&h);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        test_with_memory(test_cloth_on_balls_goes_on),
        test_with_memory(test_folds_on_each_other_go_on),
        test_with_memory(test_stacked_jellies_go_on_to_sleep),
        test_with_memory(test_cushions_and_ropes_go_on),
        test_with_memory(test_contacts_with_what_was_removed_are_left_out),
        test_with_memory(test_restoring_tells_no_events_of_what_touched_before),
        test_with_memory(test_the_hash_sees_contacts),
        test_with_memory(test_random_changes_of_contacts_are_refused_or_harmless),
        test_with_memory(test_truncated_contacts_are_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
