// A rod, a ball, a spring, a user's kind and a point on an axis between any two points, in the world: places
// where nothing has a direction, snapshots, threads. Motion and rest: test_pairings_slow.c.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <cmocka.h>

#include "constraint/pairing_world.h"

// --- degenerate ----------------------------------------------------------------------------------------

typedef void (*spoil)(sn_node_state *nodes);

static void flatten(sn_node_state *nodes)
{
    for (int i = 1; i < 4; ++i) {
        nodes[i].position.z = nodes[0].position.z;
    }
}

static void line_up(sn_node_state *nodes)
{
    for (int i = 1; i < 4; ++i) {
        nodes[i].position = sn_add(nodes[0].position, sn_v(0.1f * (float)i, 0.0f, 0.0f));
    }
}

static void collapse(sn_node_state *nodes)
{
    for (int i = 1; i < 4; ++i) {
        nodes[i].position = nodes[0].position;
    }
}

// Points of no distance, tetrahedra without volume, triangles without area. A rod of half a metre whose ends
// begin in one place throws them apart, and presses what is soft together: kilojoules, of 50 m/s.
static void check_degenerate(link link, sort a, sort b)
{
    static const spoil spoils[] = {NULL, flatten, line_up, collapse};
    for (int i = 0; i < 4; ++i) {
        pairing p = pairing_make(link, a, b, (pairing_options){.threads = 1, .together = true});
        for (int k = 0; k < 2; ++k) {
            sn_node_state *nodes;
            sn_node_velocity *velocities;
            if (p.ends[k].sort >= NODE && spoils[i] != NULL) {
                assert_ok(sn_deformable_edit(p.world, p.ends[k].soft, &nodes, &velocities));
                spoils[i](nodes);
            }
        }
        double start = pairing_energy(&p);
        run_steps(p.world, 8);
        pairing_require(pairing_is_sound(&p), &p, "not sound after spoiling %d", i);
        pairing_require(pairing_energy(&p) <= start + 5000.0, &p, "%g J have become %g after spoiling %d",
                        start, pairing_energy(&p), i);
        pairing_free(&p);
    }
}

static void test_places_without_direction_are_survived(void **state)
{
    (void)state;
    pairing_visit(check_degenerate);
}

// --- snapshots -------------------------------------------------------------------------------------------

static void check_snapshot(link link, sort a, sort b)
{
    pairing p = pairing_make(link, a, b, (pairing_options){.speed = 1.0f, .threads = 1});
    run_steps(p.world, 5);
    size_t size = 0;
    assert_ok(sn_world_save(p.world, NULL, 0, &size));
    void *bytes = malloc(size);
    assert_non_null(bytes);
    assert_ok(sn_world_save(p.world, bytes, size, &size));
    run_steps(p.world, 5);
    uint64_t hash = sn_world_hash(p.world);
    assert_ok(sn_world_restore(p.world, bytes, size));
    pairing_require(sn_world_hash(p.world) != hash, &p, "nothing moves");
    run_steps(p.world, 5);
    pairing_require(sn_world_hash(p.world) == hash, &p, "goes on otherwise from a snapshot");
    // In another world, too.
    pairing other = {.world = pairing_empty_world(1)};
    assert_ok(sn_world_restore(other.world, bytes, size));
    run_steps(other.world, 5);
    pairing_require(sn_world_hash(other.world) == hash, &p, "goes on otherwise in another world");
    free(bytes);
    pairing_free(&other);
    pairing_free(&p);
}

static void test_a_snapshot_goes_on_bit_for_bit(void **state)
{
    (void)state;
    pairing_visit(check_snapshot);
}

// --- threads -----------------------------------------------------------------------------------------------

static sn_world *crowd;

static void add_to_crowd(link link, sort a, sort b)
{
    const sn_vec3 place = {(float)link, 2.0f * (float)a, 2.0f * (float)b};
    (void)pairing_add(crowd, link, a, b, place, (pairing_options){.speed = 1.0f});
}

static void test_all_pairs_together_have_the_same_hash_on_any_number_of_threads(void **state)
{
    (void)state;
    uint64_t hashes[3];
    for (int i = 0; i < 3; ++i) {
        crowd = pairing_empty_world(1 << i);
        pairing_visit(add_to_crowd);
        run_steps(crowd, 10);
        hashes[i] = sn_world_hash(crowd);
        sn_world_destroy(crowd);
    }
    assert_true(hashes[0] == hashes[1] && hashes[0] == hashes[2]);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        test_with_memory(test_places_without_direction_are_survived),
        test_with_memory(test_a_snapshot_goes_on_bit_for_bit),
        test_with_memory(test_all_pairs_together_have_the_same_hash_on_any_number_of_threads),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
