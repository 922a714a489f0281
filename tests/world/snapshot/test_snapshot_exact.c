// Exact anchors in snapshots that were spoilt: each check sees what it is for.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include "support/exact_kit.h"
#include "world/core/world.h"
#include "world/snapshot/snapshot_spoilt.h"

enum { NAIL, RAMP, SLIDE };

static sn_world *make_world(void)
{
    sn_world *world = soft_restless_world();
    sn_deformable rope = soft_rope(world, 8, sn_v(0.0f, 0.0f, 0.0f));
    sn_deformable cloth = soft_cloth(world, 3, sn_v(0.0f, 1.0f, 0.0f));
    (void)exact_tie(world, sn_point_world(sn_v(0.0f, 0.5f, 0.0f)), sn_point_node(rope, 0));
    sn_anchor_def def = exact_def(sn_point_node(rope, 4), sn_point_node(cloth, 0));
    def.ramp_steps = 10;
    (void)exact_add(world, &def);
    (void)exact_tie(world, sn_point_node(rope, 8), sn_point_surface(cloth));
    run_steps(world, 4);
    return world;
}

static sn_constraint_data *anchor_of(sn_world *world, int index)
{
    return &world->constraints.data[index];
}

// --- spoiling ----------------------------------------------------------------------------------------------

static void spoil_compliance(sn_world *world)
{
    anchor_of(world, NAIL)->definition.common.compliance = 1.0f;
}
static void spoil_max_force(sn_world *world)
{
    anchor_of(world, NAIL)->definition.common.max_force = 1.0f;
}
static void spoil_nail(sn_world *world)
{
    anchor_of(world, NAIL)->nail.y = NAN;
}
static void spoil_nail_place(sn_world *world)
{
    anchor_of(world, NAIL)->nail.y = 1.0e30f;
}
static void spoil_from(sn_world *world)
{
    anchor_of(world, NAIL)->definition.common.active_from = NAN;
}
static void spoil_until(sn_world *world)
{
    anchor_of(world, NAIL)->definition.common.active_until = -1.0f;
}
static void spoil_ramp_steps(sn_world *world)
{
    anchor_of(world, RAMP)->definition.common.ramp_steps = 0;
}
static void spoil_ramp_before(sn_world *world)
{
    anchor_of(world, RAMP)->ramp_done = -1;
}
static void spoil_ramp_beyond(sn_world *world)
{
    anchor_of(world, RAMP)->ramp_done = 11;
}
static void spoil_friction(sn_world *world)
{
    anchor_of(world, SLIDE)->definition.common.sliding_friction = -1.0f;
}
static void spoil_not_exact(sn_world *world)
{
    anchor_of(world, SLIDE)->definition.common.exact = false;
}
static void spoil_other_end(sn_world *world)
{
    anchor_of(world, SLIDE)->definition.common.a.type = SN_POINT_SURFACE;
}
static void spoil_piece_before(sn_world *world)
{
    anchor_of(world, SLIDE)->closest.piece = -1;
}
static void spoil_piece_beyond(sn_world *world)
{
    anchor_of(world, SLIDE)->closest.piece = 18;
}
static void spoil_weight(sn_world *world)
{
    anchor_of(world, SLIDE)->closest.weights[1] = NAN;
}
static void spoil_weights(sn_world *world)
{
    anchor_of(world, SLIDE)->closest = (sn_closest_point){0, {-1.0f, 1.0f, 1.0f}};
}
static void spoil_sum(sn_world *world)
{
    anchor_of(world, SLIDE)->closest = (sn_closest_point){0, {1.0f, 1.0f, 1.0f}};
}

static void test_every_check_sees_what_it_is_for(void **state)
{
    (void)state;
    static const spoiling spoilings[] = {
        {"exact with compliance 1", spoil_compliance},
        {"max_force 1", spoil_max_force},
        {"nail", spoil_nail},
        {"nail", spoil_nail_place},
        {"active_from is nan", spoil_from},
        {"active_until is -1", spoil_until},
        {"ramp_steps is 0", spoil_ramp_steps},
        {"ramp_done is -1", spoil_ramp_before},
        {"more steps of its ramp", spoil_ramp_beyond},
        {"friction is -1", spoil_friction},
        {"not exact", spoil_not_exact},
        {"both ends are surfaces", spoil_other_end},
        {"closest point is not on the surface", spoil_piece_before},
        {"closest point is not on the surface", spoil_piece_beyond},
        {"closest point is not on the surface", spoil_weight},
        {"closest point is not on the surface", spoil_weights},
        {"closest point is not on the surface", spoil_sum},
    };
    sn_world *sound = make_world();
    assert_spoilings_are_seen(sound, spoilings, sizeof spoilings / sizeof *spoilings);
    sn_world_destroy(sound);
}

static void test_restoring_a_surface_without_memory_changes_nothing(void **state)
{
    (void)state;
    sn_world *world = make_world(), *copy = kit_world();
    snapshot_bytes bytes = snapshot_save(world);
    uint64_t hash = sn_world_hash(copy);
    sn_status status = SN_ERROR_MEMORY;
    for (int allowed = 0; status != SN_OK; ++allowed) {
        assert_int_equal(status, SN_ERROR_MEMORY);
        test_memory_allow(allowed);
        status = sn_world_restore(copy, bytes.data, bytes.size);
        test_memory_allow_all();
        assert_true(status == SN_OK || sn_world_hash(copy) == hash);
    }
    assert_int_equal(sn_world_hash(copy), sn_world_hash(world));
    sn_world_destroy(world);
    sn_world_destroy(copy);
    free(bytes.data);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        test_with_memory(test_every_check_sees_what_it_is_for),
        test_with_memory(test_restoring_a_surface_without_memory_changes_nothing),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
