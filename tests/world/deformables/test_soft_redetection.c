// Contacts between deformables are detected again halfway through a step in which cloth moves fast, only
// where they can be, and all or nothing where memory runs out (deformable_contacts.c, soft_detection.c).
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include "base/hash.h"
#include "support/memory.h"
#include "support/soft_kit.h"
#include "world/core/world.h"

// A sheet whose halves are thrown at each other by 4 m/s: two cells in a step of 20 ms.
static sn_world *clapping(sn_world_def def, sn_model model, bool self_collide)
{
    sn_world *world;
    sn_mesh *mesh;
    sn_node_state *nodes;
    sn_node_velocity *velocities;
    assert_ok(sn_world_create(&def, &world));
    assert_ok(model.type == SN_MODEL_NONE ? sn_mesh_grid(0.4f, 0.4f, 10, 10, SN_GRID_ALTERNATING, &mesh)
                                          : sn_mesh_box(sn_v(0.4f, 0.4f, 0.4f), 10, 1, 1, &mesh));
    sn_deformable_def cloth = soft_def(mesh, sn_v(0.0f, 1.0f, 0.0f));
    cloth.mass = 0.1f;
    cloth.model = model;
    cloth.self_collide = self_collide;
    cloth.inextensible.on = model.type == SN_MODEL_NONE;
    sn_deformable thing = soft_add(world, &cloth);
    assert_ok(sn_deformable_edit(world, thing, &nodes, &velocities));
    for (int i = 0; i < sn_mesh_node_count(mesh); ++i) {
        velocities[i].velocity.z = nodes[i].position.x > 0.1f || nodes[i].position.x < -0.1f ? 4.0f : -4.0f;
    }
    sn_mesh_destroy(mesh);
    return world;
}

static bool is_fast(sn_world_def def, sn_model model, bool self_collide)
{
    sn_world *world = clapping(def, model, self_collide);
    assert_ok(sn_world_step(world, 0.02f));
    bool fast = world->soft.is_fast;
    sn_world_destroy(world);
    return fast;
}

static const sn_model none = {0};

static void test_contacts_of_fast_cloth_are_detected_twice(void **state)
{
    (void)state;
    assert_true(is_fast(sn_world_def_default(), none, true));
    assert_false(is_fast(sn_world_def_default(), none, false));
}

// Contacts made for half a step would not suffice for all of it.
static void test_steps_without_sub_steps_are_detected_once(void **state)
{
    (void)state;
    sn_world_def one = sn_world_def_default(), staggered = sn_world_def_default();
    one.sub_steps = 1;
    staggered.solver = SN_SOLVER_STAGGERED;
    assert_false(is_fast(one, none, true));
    assert_false(is_fast(staggered, none, true));
}

// --- reach -------------------------------------------------------------------------------------------------

// Contacts of two sheets, two and a half of their cells apart, of which one is thrown at the other by one
// half and away from it by the other, by more than that.
static int contacts_across(bool guard)
{
    sn_world_def def = sn_world_def_default();
    sn_world *world;
    sn_mesh *mesh;
    sn_node_state *nodes;
    sn_node_velocity *velocities;
    def.sub_steps = 1; // detected once
    def.guard = guard;
    assert_ok(sn_world_create(&def, &world));
    assert_ok(sn_mesh_grid(0.4f, 0.4f, 10, 10, SN_GRID_ALTERNATING, &mesh));
    for (int i = 0; i < 2; ++i) {
        sn_deformable_def sheet = soft_def(mesh, sn_v(0.0f, 1.0f, 0.1f * (float)i));
        sheet.mass = 0.1f;
        sheet.collide = true;
        sn_deformable thing = soft_add(world, &sheet);
        assert_ok(sn_deformable_edit(world, thing, &nodes, &velocities));
        for (int k = 0; k < sn_mesh_node_count(mesh) && i == 1; ++k) {
            velocities[k].velocity.z = nodes[k].position.x > 0.0f ? 10.0f : -10.0f;
        }
    }
    sn_mesh_destroy(mesh);
    assert_ok(sn_world_step(world, 0.02f));
    int count = world->soft.contacts.count;
    sn_world_destroy(world);
    return count;
}

// What comes from farther than a cell is left to the guard, where there is one.
static void test_contacts_reach_farther_without_the_guard(void **state)
{
    (void)state;
    assert_true(contacts_across(false) > 2 * contacts_across(true));
}

// --- bystanders --------------------------------------------------------------------------------------------

// Two sheets on each other of which one turns.
static sn_world *turning(void)
{
    sn_world *world = soft_restless_world();
    sn_mesh *mesh;
    assert_ok(sn_mesh_grid(0.4f, 0.4f, 10, 10, SN_GRID_ALTERNATING, &mesh));
    for (int i = 0; i < 2; ++i) {
        sn_deformable_def sheet = soft_def(mesh, sn_v(0.0f, 1.0f, 0.012f * (float)i));
        sheet.mass = 0.1f;
        sheet.collide = sheet.self_collide = true;
        sheet.angular_velocity.x = i == 0 ? 30.0f : 0.0f;
        sheet.inextensible.on = true;
        (void)soft_add(world, &sheet);
    }
    sn_mesh_destroy(mesh);
    return world;
}

// A rope held by one end, and maybe an implicit jelly on a floor of its own, far from everything else.
static void add_bystanders(sn_world *world, bool exact, bool implicit)
{
    sn_deformable rope = soft_rope(world, 4, sn_v(20.0f, 0.0f, 0.0f));
    sn_anchor_def hold = sn_anchor_def_default();
    hold.a = sn_point_world(soft_node(world, rope, 0));
    hold.b = sn_point_node(rope, 0);
    hold.exact = exact;
    assert_ok(sn_anchor_add(world, &hold, NULL));
    if (!implicit) {
        return;
    }
    sn_mesh *mesh;
    assert_ok(sn_mesh_box(sn_v(0.4f, 0.4f, 0.4f), 2, 2, 2, &mesh));
    sn_deformable_def def = soft_def(mesh, sn_v(40.0f, 0.2f, 0.0f));
    def.collide = true;
    def.model = sn_model_corotational(2.0e4f, 0.3f);
    def.model.type = SN_MODEL_COROTATIONAL_IMPLICIT;
    (void)soft_add(world, &def);
    sn_mesh_destroy(mesh);
    sn_shape_def shape = sn_shape_def_default();
    shape.offset.position = sn_v(40.0f, -0.1f, 0.0f);
    assert_ok(sn_box_add(world, sn_world_ground(world), &shape, (sn_box){{1.0f, 0.1f, 1.0f}}, NULL));
}

static sn_hash hash_of_nodes(const sn_world *world, int count)
{
    sn_hash hash = sn_hash_begin();
    for (int i = 0; i < count; ++i) {
        hash = sn_hash_vec3(hash, world->nodes.states.data[i].position);
        hash = sn_hash_vec3(hash, world->nodes.velocities.data[i].velocity);
    }
    return hash;
}

// Of the sheets, after ten steps, the first of which are fast.
static sn_hash hash_beside(bool exact, bool implicit, int *fast)
{
    sn_world *world = turning();
    int count = world->nodes.states.count;
    *fast = 0;
    add_bystanders(world, exact, implicit);
    for (int i = 0; i < 10; ++i) {
        assert_ok(sn_world_step(world, 0.02f));
        *fast += world->soft.is_fast ? 1 : 0;
    }
    sn_hash hash = hash_of_nodes(world, count);
    sn_world_destroy(world);
    return hash;
}

static void test_exact_anchors_and_implicit_models_elsewhere_change_nothing(void **state)
{
    (void)state;
    int fast, expected_fast;
    sn_hash expected = hash_beside(false, false, &expected_fast);
    assert_in_range(expected_fast, 2, 10);
    for (int i = 1; i < 4; ++i) {
        assert_int_equal(hash_beside((i & 1) != 0, (i & 2) != 0, &fast), expected);
        assert_int_equal(fast, expected_fast);
    }
}

// --- memory ------------------------------------------------------------------------------------------------

typedef struct outcome {
    uint64_t hash; // of where nodes are and how they move
    bool failed;
    bool had_enough; // allocations were left over
} outcome;

// A step in which the allocations after the first `allowed` ones fail; repeated if it fails altogether.
static outcome starve(int allowed)
{
    sn_world *world = turning(); // many contacts when the step begins, fewer halfway
    test_memory_allow(allowed);
    outcome o = {.failed = sn_world_step(world, 0.02f) == SN_ERROR_MEMORY};
    o.had_enough = test_memory_state.allowed > 0;
    test_memory_allow_all();
    if (o.failed) {
        assert_ok(sn_world_step(world, 0.02f));
    }
    o.hash = hash_of_nodes(world, world->nodes.states.count);
    for (int i = 0; i < 3; ++i) {
        assert_ok(sn_world_step(world, 0.02f));
    }
    sn_world_destroy(world);
    return o;
}

// Failing at whatever place of the second detection leaves what a step without it gives.
static void test_without_memory_contacts_and_rows_stay_as_they_are(void **state)
{
    (void)state;
    uint64_t with = starve(1000000).hash, without = 0;
    int kept = 0;
    outcome o = {0};
    for (int allowed = 0; !o.had_enough; ++allowed) {
        o = starve(allowed);
        assert_true(!o.failed || o.hash == with);
        if (o.hash == with) {
            continue;
        }
        without = kept++ == 0 ? o.hash : without;
        assert_int_equal(o.hash, without);
    }
    assert_in_range(kept, 15, 200); // places where memory is asked for
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_contacts_of_fast_cloth_are_detected_twice),
        cmocka_unit_test(test_steps_without_sub_steps_are_detected_once),
        cmocka_unit_test(test_contacts_reach_farther_without_the_guard),
        cmocka_unit_test(test_exact_anchors_and_implicit_models_elsewhere_change_nothing),
        test_with_memory(test_without_memory_contacts_and_rows_stay_as_they_are),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
