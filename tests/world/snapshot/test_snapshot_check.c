// Snapshots from anywhere: cut short, changed at random, changed with care, and read without memory. The
// world restored into must be as it was, or be one that can go on.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include "support/memory.h"
#include "world/snapshot/snapshot_hostile.h"

// --- cut short -----------------------------------------------------------------------------------

// Every third of the sizes ends once within each number of four bytes or more.
static void test_truncations_are_refused(void **state)
{
    (void)state;
    hostile h = begin_hostile(0);
    for (size_t size = 0; size < h.sound.size; size += 3) {
        assert_int_equal(sn_world_restore(h.world, h.bytes, size), SN_ERROR_FORMAT);
    }
    for (size_t size = 0; size < h.sound.size; size += 3) {
        memcpy(h.bytes, h.sound.data, h.sound.size);
        fix_head(h.bytes, size);
        assert_int_equal(try_bytes(&h, size, 0), SN_ERROR_FORMAT);
    }
    end_hostile(&h);
}

static void test_truncations_of_a_large_world_are_refused(void **state)
{
    (void)state;
    hostile h = begin_hostile(6);
    for (size_t size = h.sound.size - 1; size > 997; size -= 997) {
        memcpy(h.bytes, h.sound.data, h.sound.size);
        fix_head(h.bytes, size);
        assert_int_equal(try_bytes(&h, size, 0), SN_ERROR_FORMAT);
    }
    end_hostile(&h);
}

static void test_bytes_too_many_are_refused(void **state)
{
    (void)state;
    hostile h = begin_hostile(0);
    unsigned char *longer = malloc(h.sound.size + 4);
    memcpy(longer, h.sound.data, h.sound.size);
    memset(longer + h.sound.size, 0, 4);
    assert_int_equal(sn_world_restore(h.world, longer, h.sound.size + 4), SN_ERROR_FORMAT);
    fix_head(longer, h.sound.size + 4);
    assert_int_equal(sn_world_restore(h.world, longer, h.sound.size + 4), SN_ERROR_FORMAT);
    assert_int_equal(sn_world_hash(h.world), h.hash);
    free(longer);
    end_hostile(&h);
}

static void test_other_files_and_versions_are_told_apart(void **state)
{
    (void)state;
    hostile h = begin_hostile(0);
    h.bytes[3] ^= 1;
    assert_int_equal(try_bytes(&h, h.sound.size, 0), SN_ERROR_FORMAT);
    assert_non_null(strstr(sn_world_error(h.world), "byte 0 of"));
    h.bytes[3] ^= 1;
    h.bytes[VERSION_AT] ^= 2;
    assert_int_equal(try_bytes(&h, h.sound.size, 0), SN_ERROR_VERSION);
    h.bytes[VERSION_AT] ^= 2;
    h.bytes[h.sound.size - 1] ^= 4;
    assert_int_equal(try_bytes(&h, h.sound.size, 0), SN_ERROR_FORMAT);
    assert_non_null(strstr(sn_world_error(h.world), "checksum"));
    end_hostile(&h);
}

// --- changed at random ---------------------------------------------------------------------------

static void test_random_changes_are_refused_or_harmless(void **state)
{
    (void)state;
    check_random_changes(1000); // test_snapshot_check_slow.c does many more
}

// Sub-steps so short that their number is no int.
static void test_tiny_sub_steps_are_harmless(void **state)
{
    (void)state;
    hostile h = begin_hostile(0);
    for (int i = 0; i < h.world->deformables.count; ++i) {
        h.world->deformables.data[i].sub_step = 1e-38f;
    }
    snapshot_bytes tiny = snapshot_save(h.world);
    assert_int_equal(sn_world_restore(h.world, tiny.data, tiny.size), SN_OK);
    assert_int_equal(sn_world_step(h.world, SNAPSHOT_STEP), SN_OK);
    free(tiny.data);
    end_hostile(&h);
}

// --- changed with care ---------------------------------------------------------------------------
// The world itself is spoilt, field by field, and saved: the checks must see it when it is read.

typedef struct spoiling {
    const char *message; // part of what the refusal says
    void (*spoil)(sn_world *world);
} spoiling;

// The first thing in use that the condition holds for.
#define FIRST(world, things, pool, index, condition)                                                         \
    int index = 0;                                                                                           \
    while (!sn_id_pool_in_use(&(world)->pool, (index)) || !(condition)) {                                    \
        ++(index);                                                                                           \
        assert_true((index) < (world)->things.count);                                                        \
    }

static sn_shape_data *first_shape(sn_world *world, sn_shape_type type)
{
    FIRST(world, shapes, shape_ids, i, world->shapes.data[i].type == type);
    return &world->shapes.data[i];
}

static sn_body *first_sleeper(sn_world *world)
{
    FIRST(world, bodies, body_ids, i, world->bodies.data[i].island_next >= 0);
    return &world->bodies.data[i];
}

static sn_contact_data *first_contact(sn_world *world)
{
    FIRST(world, contacts, contact_ids, i, world->contacts.data[i].patches.count > 0);
    return &world->contacts.data[i];
}

static sn_hull *first_hull(sn_world *world)
{
    return (sn_hull *)first_shape(world, SN_HULL)->hull;
}

static sn_surface *first_surface(sn_world *world)
{
    return (sn_surface *)first_shape(world, SN_SURFACE)->surface;
}

static void spoil_tag(sn_world *world)
{
    world->tag = 0;
}
static void spoil_time(sn_world *world)
{
    world->time = -1.0;
}
static void spoil_gravity(sn_world *world)
{
    world->def.gravity.x = NAN;
}
static void spoil_sub_steps(sn_world *world)
{
    world->def.sub_steps = 1000000;
}
static void spoil_free_list(sn_world *world)
{
    world->body_ids.free_list.data[0] = world->body_ids.free_list.data[1];
}
static void spoil_free_count(sn_world *world)
{
    world->body_ids.free_list.count--;
}
static void spoil_free_member(sn_world *world)
{
    world->body_ids.free_list.data[0] = 1000;
}
static void spoil_ground(sn_world *world)
{
    world->bodies.data[SN_GROUND].type = SN_DYNAMIC;
}
static void spoil_body_type(sn_world *world)
{
    world->bodies.data[SN_GROUND].type = (sn_rigid_type)3;
}
static void spoil_center(sn_world *world)
{
    first_sleeper(world)->center.y = INFINITY;
}
static void spoil_rotation(sn_world *world)
{
    first_sleeper(world)->rotation.w += 0.1f;
}
static void spoil_velocity(sn_world *world)
{
    world->bodies.data[world->awake_bodies.data[0]].linear_velocity.x = NAN;
}
static void spoil_mass(sn_world *world)
{
    first_sleeper(world)->mass = 0.0f;
}
static void spoil_locks(sn_world *world)
{
    first_sleeper(world)->locks = 64;
}
static void spoil_first_shape(sn_world *world)
{
    first_sleeper(world)->first_shape = 5000;
}
static void spoil_shape_owner(sn_world *world)
{
    first_shape(world, SN_CAPSULE)->body = world->awake_bodies.data[0];
}
static void spoil_shape_loop(sn_world *world)
{
    sn_shape_data *shape = first_shape(world, SN_BOX);
    shape->next = (int)(shape - world->shapes.data);
}
static void spoil_shape_lost(sn_world *world)
{
    sn_shape_data *shape = first_shape(world, SN_SPHERE);
    world->bodies.data[shape->body].first_shape = -1;
}
static void spoil_radius(sn_world *world)
{
    first_shape(world, SN_SPHERE)->sphere.radius = 0.0f;
}
static void spoil_plane(sn_world *world)
{
    first_shape(world, SN_PLANE)->plane.normal.y = 2.0f;
}
static void spoil_bounds(sn_world *world)
{
    sn_shape_data *shape = first_shape(world, SN_BOX);
    shape->fat.lower.x = shape->fat.upper.x + 1.0f;
}
static void spoil_surface_owner(sn_world *world)
{
    sn_body *body = &world->bodies.data[first_shape(world, SN_SURFACE)->body];
    body->type = SN_DYNAMIC;
    body->mass = 1.0f;
}
static void spoil_contact_order(sn_world *world)
{
    sn_contact_data *contact = first_contact(world);
    int shape = contact->shape_a;
    contact->shape_a = contact->shape_b;
    contact->shape_b = shape;
}
static void spoil_contact_link(sn_world *world)
{
    sn_contact_data *contact = first_contact(world);
    contact->next[0] = 2 * (int)(contact - world->contacts.data);
}
static void spoil_contact_edge(sn_world *world)
{
    first_contact(world)->next[1] = -5;
}
// Two shapes of one body lie over the same plane: both contacts are said to be with the first.
static void spoil_pair(sn_world *world)
{
    sn_contact_data *contacts = world->contacts.data;
    for (int i = 0; i < world->contacts.count; ++i) {
        for (int k = i + 1; k < world->contacts.count; ++k) {
            bool in_use =
                sn_id_pool_in_use(&world->contact_ids, i) && sn_id_pool_in_use(&world->contact_ids, k);
            if (in_use && contacts[k].shape_a == contacts[i].shape_a &&
                contacts[k].body_b == contacts[i].body_b) {
                contacts[k].shape_b = contacts[i].shape_b;
                contacts[k].patches.count = 0;
                return;
            }
        }
    }
    fail_msg("no two contacts of the same bodies");
}
static void spoil_constraint_link(sn_world *world)
{
    int index = world->active_constraints.data[0];
    world->constraint_links.data[index].next[1] = 2 * index + 1;
}
static void spoil_constraint_lost(sn_world *world)
{
    world->bodies.data[SN_GROUND].first_constraint = -1;
}
static void spoil_patch_points(sn_world *world)
{
    first_contact(world)->patches.data[0].part_b = 77;
}
static void spoil_impulse(sn_world *world)
{
    first_contact(world)->patches.data[0].points[0].normal_impulse = NAN;
}
static void spoil_constraint_bodies(sn_world *world)
{
    FIRST(world, constraints, constraint_ids, i,
          world->constraints.data[i].definition.common.b.type == SN_POINT_RIGID);
    world->constraints.data[i].definition.common.a = world->constraints.data[i].definition.common.b;
}
static void spoil_limits(sn_world *world)
{
    FIRST(world, constraints, constraint_ids, i, world->constraints.data[i].kind == SN_HINGE);
    world->constraints.data[i].definition.hinge.lower = 3.0f;
}
static void spoil_frame(sn_world *world)
{
    world->constraints.data[world->active_constraints.data[0]].definition.common.a.rotation.x = 5.0f;
}
static void spoil_awake_twice(sn_world *world)
{
    world->awake_bodies.data[0] = world->awake_bodies.data[1];
}
static void spoil_awake_ring(sn_world *world)
{
    first_sleeper(world)->island_next = world->awake_bodies.data[0];
}
static void spoil_ring(sn_world *world)
{
    sn_body *body = first_sleeper(world);
    FIRST(world, bodies, body_ids, i,
          world->bodies.data[i].island_next >= 0 && &world->bodies.data[i] != body);
    body->island_next = i;
    world->bodies.data[i].island_next = i;
}
static void spoil_active(sn_world *world)
{
    world->active_contacts.count--;
}
static void spoil_active_constraints(sn_world *world)
{
    world->active_constraints.count--;
}
static void spoil_switch(sn_world *world)
{
    world->constraint_links.data[world->active_constraints.data[0]].is_on = false;
}
static void spoil_pending(sn_world *world)
{
    world->pending_shapes.data[0] = 3000;
    world->pending_shapes.count = 1;
}
static void spoil_half_edge(sn_world *world)
{
    first_hull(world)->half_edges[4].origin = 60000;
}
static void spoil_face_loop(sn_world *world)
{
    sn_hull *hull = first_hull(world);
    hull->half_edges[4].face = hull->half_edges[5].face;
}
static void spoil_hull_mass(sn_world *world)
{
    first_hull(world)->unit_mass.center.x += 10.0f;
}
static void spoil_hull_vertex(sn_world *world)
{
    first_hull(world)->vertices[1].x += 0.2f;
}
static void spoil_surface_corner(sn_world *world)
{
    first_surface(world)->triangles[5] = 1000;
}
static void spoil_compound(sn_world *world)
{
    sn_compound *compound = (sn_compound *)first_shape(world, SN_COMPOUND)->compound;
    compound->parts[1].solid.box.half_extents.y = -1.0f;
}

static void test_every_check_sees_what_it_is_for(void **state)
{
    (void)state;
    static const spoiling spoilings[] = {
        {"tag is 0", spoil_tag},
        {"time is -1", spoil_time},
        {"gravity", spoil_gravity},
        {"sub_steps", spoil_sub_steps},
        {"free index 1 is", spoil_free_list},
        {"are listed as free", spoil_free_count},
        {"is 1000", spoil_free_member},
        {"ground is not static", spoil_ground},
        {"rigid 0: type is 3", spoil_body_type},
        {"center", spoil_center},
        {"rotation", spoil_rotation},
        {"linear_velocity", spoil_velocity},
        {"its mass is not", spoil_mass},
        {"locks", spoil_locks},
        {"first_shape is 5000", spoil_first_shape},
        {"list of shapes is broken", spoil_shape_owner},
        {"list of shapes is broken", spoil_shape_loop},
        {"in no body's list", spoil_shape_lost},
        {"radius", spoil_radius},
        {"normal is", spoil_plane},
        {"no box", spoil_bounds},
        {"surface on a dynamic body", spoil_surface_owner},
        {"exchanged", spoil_contact_order},
        {"list of contacts is broken", spoil_contact_link},
        {"next is -5", spoil_contact_edge},
        {"its shapes have another contact", spoil_pair},
        {"list of constraints is broken", spoil_constraint_link},
        {"ends of constraints are in no", spoil_constraint_lost},
        {"part that does not exist", spoil_patch_points},
        {"normal_impulse is nan", spoil_impulse},
        {"a and b are both rigid", spoil_constraint_bodies},
        {"lower is 3", spoil_limits},
        {"a.rotation", spoil_frame},
        {"comes twice", spoil_awake_twice},
        {"island is broken", spoil_awake_ring},
        {"island is broken", spoil_ring},
        {"list of active contacts lacks", spoil_active},
        {"list of active constraints lacks", spoil_active_constraints},
        {"list of active constraints lacks some, or has", spoil_switch},
        {"pending shapes is 3000", spoil_pending},
        {"no convex polyhedron", spoil_half_edge},
        {"no convex polyhedron", spoil_face_loop},
        {"no convex polyhedron", spoil_hull_mass},
        {"no convex polyhedron", spoil_hull_vertex},
        {"is vertex 1000", spoil_surface_corner},
        {"half_extents.y", spoil_compound},
    };
    hostile h = begin_hostile(2);
    sn_world *fresh = snapshot_empty_world(1, 0);
    uint64_t hash = sn_world_hash(fresh);
    for (size_t i = 0; i < sizeof spoilings / sizeof *spoilings; ++i) {
        sn_world *victim = snapshot_empty_world(1, 0);
        assert_int_equal(sn_world_restore(victim, h.sound.data, h.sound.size), SN_OK);
        sn_id_pool bodies = victim->body_ids;
        int contacts = victim->active_contacts.count;
        spoilings[i].spoil(victim);
        snapshot_bytes bytes = snapshot_save(victim);
        assert_int_equal(sn_world_restore(fresh, bytes.data, bytes.size), SN_ERROR_FORMAT);
        if (strstr(sn_world_error(fresh), spoilings[i].message) == NULL) {
            fail_msg("'%s' does not say '%s'", sn_world_error(fresh), spoilings[i].message);
        }
        assert_int_equal(sn_world_hash(fresh), hash);
        // What destroying relies on is put right.
        victim->body_ids = bodies;
        victim->active_contacts.count = contacts;
        sn_world_destroy(victim);
        free(bytes.data);
    }
    sn_world_destroy(fresh);
    end_hostile(&h);
}

// --- without memory ------------------------------------------------------------------------------

static void test_restoring_without_memory_changes_nothing(void **state)
{
    (void)state;
    hostile h = begin_hostile(1);
    int allowed = 0;
    for (sn_status status = SN_ERROR_MEMORY; status != SN_OK; ++allowed) {
        uint64_t bytes_before = sn_allocated_bytes();
        test_memory_allow(allowed);
        status = sn_world_restore(h.world, h.sound.data, h.sound.size);
        test_memory_allow_all();
        assert_true(status == SN_OK || status == SN_ERROR_MEMORY);
        if (status == SN_ERROR_MEMORY) {
            assert_int_equal(sn_world_hash(h.world), h.hash);
            assert_int_equal(sn_allocated_bytes(), bytes_before);
        }
    }
    assert_true(allowed > 40);
    snapshot_bytes again = snapshot_save(h.world);
    assert_same_bytes(again, h.sound);
    free(again.data);
    end_hostile(&h);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        test_with_memory(test_truncations_are_refused),
        test_with_memory(test_truncations_of_a_large_world_are_refused),
        test_with_memory(test_bytes_too_many_are_refused),
        test_with_memory(test_other_files_and_versions_are_told_apart),
        test_with_memory(test_random_changes_are_refused_or_harmless),
        test_with_memory(test_tiny_sub_steps_are_harmless),
        test_with_memory(test_every_check_sees_what_it_is_for),
        test_with_memory(test_restoring_without_memory_changes_nothing),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
