// Deformables and anchors in snapshots: every model and row builder goes on bit for bit, on any number of
// threads; meshes are shared again; what was spoilt is refused.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include "solver/elements/edge_block.h"
#include "solver/elements/tetrahedron_block.h"
#include "support/soft_kit.h"
#include "world/core/world.h"
#include "world/snapshot/snapshot_spoilt.h"

// --- going on ----------------------------------------------------------------------------------------------

typedef struct variant {
    const char *name;
    sn_model model;
    bool sheet; // else a volume
    sn_inextensible inextensible;
    sn_bending bending;
    sn_enclosure enclosure;
    bool self_collide;
} variant;

#define NO_LIMIT                                                                                             \
    {                                                                                                        \
        .max_force = INFINITY                                                                                \
    }
#define NO_BENDING                                                                                           \
    {                                                                                                        \
        .max_impulse = INFINITY                                                                              \
    }
#define NO_ENCLOSED                                                                                          \
    {                                                                                                        \
        .scale = 1.0f                                                                                        \
    }
#define VOLUME(...)                                                                                          \
    {                                                                                                        \
        __VA_ARGS__, false, NO_LIMIT, NO_BENDING, NO_ENCLOSED, false                                         \
    }

static const variant variants[] = {
    VOLUME("corotational", {.type = SN_MODEL_COROTATIONAL, .young = 2e4f, .poisson = 0.4f, .damping = 0.01f}),
    VOLUME("neo-Hookean", {.type = SN_MODEL_NEO_HOOKEAN, .young = 2e4f, .poisson = 0.4f, .damping = 0.01f}),
    VOLUME("explicit", {.type = SN_MODEL_COROTATIONAL_EXPLICIT, .young = 5e3f, .poisson = 0.3f}),
    VOLUME("implicit", {.type = SN_MODEL_COROTATIONAL_IMPLICIT, .young = 2e4f, .poisson = 0.3f}),
    VOLUME("springs", {.type = SN_MODEL_SPRINGS, .stiffness = 2e3f, .damping = 2.0f}),
    VOLUME("spring forces", {.type = SN_MODEL_SPRING_FORCES, .stiffness = 2e3f, .damping = 2.0f}),
    VOLUME("position-based", {.type = SN_MODEL_POSITION_BASED, .stiffness = 0.5f, .volume_stiffness = 0.5f}),
    VOLUME("matching", {.type = SN_MODEL_SHAPE_MATCHING, .stiffness = 0.5f, .matching = SN_MATCH_LINEAR}),
    VOLUME("clusters", {.type = SN_MODEL_SHAPE_MATCHING, .stiffness = 0.5f, .cluster_rings = 1}),
    VOLUME(
        "energies",
        {.type = SN_MODEL_ENERGY, .stiffness = 300.0f, .area_stiffness = 10.0f, .volume_stiffness = 10.0f}),
    {"cloth",
     {0},
     true,
     {true, SN_HOLD_STRETCH, 0.0f, 0.0f, INFINITY, 5.0f, 0.1f},
     NO_BENDING,
     NO_ENCLOSED,
     true},
    {"diagonals",
     {0},
     true,
     {true, SN_HOLD_BOTH, 0.0f, 0.0f, 50.0f, 0.0f, 0.0f},
     {SN_BENDING_DIAGONAL, 0.01f, 0.01f, INFINITY},
     NO_ENCLOSED,
     false},
    {"dihedrals",
     {0},
     true,
     {true, SN_HOLD_BOTH, 1e-4f, 1.0f, INFINITY, 0.0f, 0.0f},
     {SN_BENDING_DIHEDRAL, 0.0f, 0.0f, INFINITY},
     NO_ENCLOSED,
     false},
    {"isometric",
     {0},
     true,
     {true, SN_HOLD_COMPRESSION, 0.0f, 0.0f, INFINITY, 0.0f, 0.0f},
     {SN_BENDING_ISOMETRIC, 0.01f, 0.01f, INFINITY},
     NO_ENCLOSED,
     false},
    {"enclosed",
     {.type = SN_MODEL_SPRINGS, .stiffness = 1e3f, .damping = 2.0f},
     false,
     NO_LIMIT,
     NO_BENDING,
     {true, 1.1f, 0.0f, 0.0f},
     false},
};

// The deformable falls on a box, and a corner of it is tied to a ball.
static sn_world *world_of(const variant *v, int threads)
{
    sn_world *world = snapshot_empty_world(threads, 0);
    sn_mesh *mesh;
    assert_ok(v->sheet ? sn_mesh_grid(0.6f, 0.6f, 5, 5, SN_GRID_ALTERNATING, &mesh)
                       : sn_mesh_box(sn_v(0.4f, 0.4f, 0.4f), 2, 2, 2, &mesh));
    sn_deformable_def def = soft_def(mesh, sn_v(0.1f, 0.5f, 0.05f));
    def.pose.rotation = sn_quat_axis_angle(sn_v(1.0f, 0.0f, 0.0f), v->sheet ? -1.4f : 0.3f);
    def.collide = true;
    def.mass = v->sheet ? 0.5f : 10.0f;
    def.model = v->model;
    def.inextensible = v->inextensible;
    def.bending = v->bending;
    def.enclosure = v->enclosure;
    def.self_collide = v->self_collide;
    sn_deformable thing = soft_add(world, &def);
    sn_mesh_destroy(mesh);
    sn_rigid box = add_box_at(world, 0.15f, 0.0f, 0.15f, 0.0f), ball;
    add_floor(world);
    sn_vec3 corner = soft_node(world, thing, 0);
    ball = add_ball_at(world, 0.05f, corner.x, corner.y - 0.2f, corner.z);
    (void)box;
    (void)soft_tie(world, sn_point_on_rigid(world, ball, sn_rigid_center(world, ball)),
                   sn_point_node(thing, 0));
    return world;
}

static void test_every_kind_of_deformable_goes_on_bit_for_bit(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof variants / sizeof *variants; ++i) {
        sn_world *world = world_of(&variants[i], 1);
        run_steps(world, 30);
        snapshot_bytes bytes = snapshot_save(world);
        assert_true(sn_world_statistics(world).soft_contact_count > 0);
        run_steps(world, 40);
        uint64_t hash = sn_world_hash(world);
        for (int threads = 1; threads <= 4; threads *= 2) {
            sn_world *copy = snapshot_empty_world(threads, 0);
            assert_ok(sn_world_restore(copy, bytes.data, bytes.size));
            run_steps(copy, 40);
            if (sn_world_hash(copy) != hash) {
                fail_msg("%s differs with %d threads", variants[i].name, threads);
            }
            sn_world_destroy(copy);
        }
        assert_int_equal(sn_world_statistics(world).frozen_node_count, 0);
        sn_world_destroy(world);
        free(bytes.data);
    }
}

// Elements that are stiffer than sub-steps resolve are measured with what the last ones could, also by a
// world that has not stepped yet.
static void test_stiff_elements_store_as_much_after_a_round_trip(void **state)
{
    (void)state;
    for (int i = 0; i < 2; ++i) {
        variant stiff = variants[i];
        stiff.model.young = 2e9f;
        sn_world *world = world_of(&stiff, 1), *copy = snapshot_empty_world(1, 0);
        run_steps(world, 30);
        snapshot_bytes bytes = snapshot_save(world);
        assert_ok(sn_world_restore(copy, bytes.data, bytes.size));
        sn_deformable thing;
        assert_int_equal(sn_world_deformables(world, &thing, 1), 1);
        float energy = sn_deformable_measure_now(world, thing).elastic_energy;
        assert_true(sn_world_statistics(world).unresolved_count > 0 && energy > 0.0f);
        assert_true(sn_deformable_measure_now(copy, thing).elastic_energy == energy);
        sn_world_destroy(copy);
        sn_world_destroy(world);
        free(bytes.data);
    }
}

// A node that users wrote beyond all bounds is frozen, and the numbers of the elements around it are as large
// as floats can be.
static void test_worlds_with_frozen_nodes_go_on_bit_for_bit(void **state)
{
    (void)state;
    const float bad[] = {NAN, INFINITY, 1.0e30f, 9.0e8f};
    for (size_t i = 0; i < sizeof variants / sizeof *variants; ++i) {
        for (size_t k = 0; k < sizeof bad / sizeof *bad; ++k) {
            sn_world *world = world_of(&variants[i], 1), *copy = snapshot_empty_world(1, 0);
            sn_deformable thing;
            sn_node_state *nodes;
            sn_node_velocity *velocities;
            run_steps(world, 5);
            assert_int_equal(sn_world_deformables(world, &thing, 1), 1);
            assert_ok(sn_deformable_edit(world, thing, &nodes, &velocities));
            nodes[3].position.y = bad[k];
            velocities[4].velocity.x = bad[k];
            run_steps(world, 2);
            snapshot_bytes bytes = snapshot_save(world);
            assert_ok(sn_world_restore(copy, bytes.data, bytes.size));
            run_steps(world, 20);
            run_steps(copy, 20);
            if (sn_world_hash(copy) != sn_world_hash(world)) {
                fail_msg("%s differs once a node was at %g", variants[i].name, (double)bad[k]);
            }
            sn_world_destroy(world);
            sn_world_destroy(copy);
            free(bytes.data);
        }
    }
}

static sn_deformable add_level_cloth(sn_world *world, float height)
{
    sn_mesh *mesh;
    assert_ok(sn_mesh_grid(0.8f, 0.8f, 16, 16, SN_GRID_ALTERNATING, &mesh));
    sn_deformable_def def = soft_def(mesh, sn_v(0.0f, height, 0.0f));
    def.pose.rotation = sn_quat_axis_angle(sn_v(1.0f, 0.0f, 0.0f), -0.5f * SN_PI);
    def.collide = def.self_collide = true;
    def.mass = 0.2f;
    def.inextensible.on = true;
    def.bending = (sn_bending){SN_BENDING_ISOMETRIC, 1.0e-4f, 0.01f, INFINITY};
    def.linear_damping = 4.0f;
    sn_deformable cloth = soft_add(world, &def);
    sn_mesh_destroy(mesh);
    return cloth;
}

// Twice folded, on the floor: what is near what is known from steps before.
static sn_world *world_of_folded_cloth(void)
{
    sn_world *world = snapshot_empty_world(1, 0);
    sn_deformable cloth = add_level_cloth(world, 0.02f);
    add_floor(world);
    sn_node_state *nodes;
    sn_node_velocity *velocities;
    assert_ok(sn_deformable_edit(world, cloth, &nodes, &velocities));
    for (int i = 0; i < 17 * 17; ++i) {
        if (nodes[i].position.x > 0.0f) {
            nodes[i].position.x *= -0.9f;
            nodes[i].position.y += 0.02f;
        }
    }
    return world;
}

// Restores the world, and takes both on. Destroys them.
static void check_that_a_copy_goes_on_alike(sn_world *world)
{
    sn_world *copy = snapshot_empty_world(1, 0);
    snapshot_bytes bytes = snapshot_save(world);
    assert_ok(sn_world_restore(copy, bytes.data, bytes.size));
    for (int i = 0; i < 40; ++i) {
        run_steps(world, 1);
        run_steps(copy, 1);
        assert_int_equal(sn_world_hash(copy), sn_world_hash(world));
    }
    sn_world_destroy(world);
    sn_world_destroy(copy);
    free(bytes.data);
}

static void test_what_is_near_is_known_after_a_round_trip(void **state)
{
    (void)state;
    sn_world *world = world_of_folded_cloth();
    const sn_verlet_list *list = &world->deformables.data[0].surface.verlet_list;
    for (int i = 0; i < 300 && !(i > 60 && list->in_use); ++i) {
        run_steps(world, 1);
    }
    run_steps(world, 2);
    assert_true(list->in_use && list->pairs.count > 0);
    check_that_a_copy_goes_on_alike(world);
}

// Three sheets on each other, the second of which is pulled at a corner.
static void test_what_lies_on_what_is_known_after_a_round_trip(void **state)
{
    (void)state;
    sn_world *world = snapshot_empty_world(1, 0);
    add_floor(world);
    (void)add_level_cloth(world, 0.02f);
    sn_deformable second = add_level_cloth(world, 0.04f);
    (void)add_level_cloth(world, 0.06f);
    run_steps(world, 60);
    assert_ok(sn_node_force_add(world, second, 0, sn_v(0.0f, 0.02f, 0.01f)));
    run_steps(world, 2);
    assert_true(world->deformables.data[0].surface.between.in_use && world->soft.lists.count > 0 &&
                world->soft.lists.data[0].pairs.count > 0);
    check_that_a_copy_goes_on_alike(world);
}

static void test_bytes_are_the_same_after_a_round_trip(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof variants / sizeof *variants; ++i) {
        sn_world *world = world_of(&variants[i], 1), *copy = snapshot_empty_world(1, 0);
        run_steps(world, 30);
        snapshot_bytes bytes = snapshot_save(world);
        assert_ok(sn_world_restore(copy, bytes.data, bytes.size));
        snapshot_bytes again = snapshot_save(copy);
        assert_same_bytes(bytes, again);
        assert_int_equal(sn_world_hash(copy), sn_world_hash(world));
        sn_world_destroy(world);
        sn_world_destroy(copy);
        free(bytes.data);
        free(again.data);
    }
}

// --- state -------------------------------------------------------------------------------------------------

// A rope between steps: forces waiting, a target, nodes fixed and frozen, one that was written as non-finite.
static void test_nodes_come_back_with_all_that_is_told_of_them(void **state)
{
    (void)state;
    sn_world *world = kit_world(), *copy = kit_world();
    sn_deformable rope = soft_rope(world, 8, sn_v(0.0f, 0.0f, 0.0f));
    sn_node_state *nodes;
    sn_node_velocity *velocities;
    assert_ok(sn_deformable_edit(world, rope, &nodes, &velocities));
    velocities[7].velocity.x = NAN;
    run_steps(world, 3);
    assert_int_equal(sn_deformable_frozen_count(world, rope), 1);
    assert_ok(sn_node_fix(world, rope, 0, true));
    assert_ok(sn_node_target_set(world, rope, 0, sn_v(-0.4f, 0.1f, 0.0f)));
    assert_ok(sn_node_force_add(world, rope, 3, sn_v(0.0f, 2.0f, 0.0f)));
    assert_ok(sn_deformable_edit(world, rope, &nodes, &velocities));
    nodes[5].position.y = INFINITY;
    snapshot_bytes bytes = snapshot_save(world);
    assert_ok(sn_world_restore(copy, bytes.data, bytes.size));
    assert_true(sn_node_is_frozen(copy, rope, 7) && !sn_node_is_frozen(copy, rope, 6));
    assert_int_equal(sn_deformable_frozen_count(copy, rope), 1);
    assert_int_equal(sn_world_statistics(copy).frozen_node_count, 1);
    assert_true(sn_deformable_nodes(copy, rope)[0].inverse_mass == 0.0f);
    run_steps(world, 20);
    run_steps(copy, 20);
    assert_int_equal(sn_deformable_frozen_count(copy, rope), 2);
    assert_true(same_vec3(soft_node(copy, rope, 0), sn_v(-0.4f, 0.1f, 0.0f)));
    assert_int_equal(sn_world_hash(copy), sn_world_hash(world));
    sn_world_destroy(world);
    sn_world_destroy(copy);
    free(bytes.data);
}

static void test_names_ids_and_definitions_come_back(void **state)
{
    (void)state;
    sn_world *world = kit_world(), *copy = kit_world();
    sn_deformable gone = soft_rope(world, 2, sn_v(0.0f, 0.0f, 0.0f));
    sn_mesh *mesh;
    int user = 0;
    assert_ok(sn_mesh_grid(1.0f, 1.0f, 2, 2, SN_GRID_CROSSED, &mesh));
    sn_deformable_def def = soft_def(mesh, sn_v(1.0f, 2.0f, 3.0f));
    def.name = "flag";
    def.user = &user;
    def.friction = 0.25f;
    def.filter = (sn_filter){6u, 5u, -2};
    sn_deformable flag = soft_add(world, &def);
    sn_anchor_def tie = sn_anchor_def_default();
    tie.a = sn_point_world(sn_v(0.0f, 0.0f, 0.0f));
    tie.b = sn_point_node(flag, 1);
    tie.name = "pole";
    tie.user = &user;
    sn_anchor pole;
    assert_ok(sn_anchor_add(world, &tie, &pole));
    assert_ok(sn_deformable_remove(world, gone));
    snapshot_bytes bytes = snapshot_save(world);
    assert_ok(sn_world_restore(copy, bytes.data, bytes.size));
    assert_true(sn_deformable_is_valid(copy, flag) && !sn_deformable_is_valid(copy, gone));
    assert_string_equal(sn_deformable_name(copy, flag), "flag");
    assert_null(sn_deformable_user(copy, flag));
    sn_deformable_def kept = sn_deformable_definition(copy, flag);
    assert_true(kept.friction == 0.25f && kept.filter.category == 6u && kept.filter.group == -2);
    assert_string_equal(sn_anchor_definition(copy, pole).name, "pole");
    assert_null(sn_anchor_definition(copy, pole).user);
    assert_true(
        same_deformable(soft_rope(copy, 2, sn_v(0.0f, 0.0f, 0.0f)), soft_rope(world, 2, sn_v(0, 0, 0))));
    sn_mesh_destroy(mesh);
    sn_world_destroy(world);
    sn_world_destroy(copy);
    free(bytes.data);
}

static void test_meshes_are_saved_once_and_shared_again(void **state)
{
    (void)state;
    sn_mesh *mesh;
    assert_ok(sn_mesh_grid(1.0f, 1.0f, 10, 10, SN_GRID_FORWARD, &mesh));
    size_t sizes[3];
    for (int count = 0; count < 3; ++count) {
        sn_world *world = kit_world();
        sn_deformable_def def = soft_def(mesh, sn_v(0.0f, 0.0f, 0.0f));
        sn_deformable made[2];
        for (int i = 0; i < count; ++i) {
            made[i] = soft_add(world, &def);
        }
        snapshot_bytes bytes = snapshot_save(world);
        sizes[count] = bytes.size;
        assert_ok(sn_world_restore(world, bytes.data, bytes.size));
        if (count == 2) {
            assert_ptr_equal(sn_deformable_mesh(world, made[0]), sn_deformable_mesh(world, made[1]));
            assert_ptr_not_equal(sn_deformable_mesh(world, made[0]), mesh);
        }
        sn_world_destroy(world);
        free(bytes.data);
    }
    // Nodes, edges and triangles of the mesh, with their counts.
    assert_int_equal((sizes[1] - sizes[0]) - (sizes[2] - sizes[1]), 16 + 121 * 12 + 320 * 8 + 200 * 12);
    sn_mesh_destroy(mesh);
}

// Where the nodes lie in the world's arrays decides nothing.
static void test_worlds_that_differ_in_gaps_only_hash_alike(void **state)
{
    (void)state;
    uint64_t hashes[2];
    for (int i = 0; i < 2; ++i) {
        sn_world *world = kit_world();
        sn_deformable first = soft_rope(world, i == 0 ? 4 : 50, sn_v(9.0f, 0.0f, 0.0f));
        (void)soft_cloth(world, 3, sn_v(0.0f, 0.0f, 0.0f));
        assert_ok(sn_deformable_remove(world, first));
        run_steps(world, 20);
        hashes[i] = sn_world_hash(world);
        sn_world_destroy(world);
    }
    assert_int_equal(hashes[0], hashes[1]);
}

static void test_the_hash_sees_nodes_impulses_and_anchors(void **state)
{
    (void)state;
    sn_world *world = kit_world();
    sn_deformable cloth = soft_cloth(world, 3, sn_v(0.0f, 0.0f, 0.0f));
    (void)soft_jelly(world, 1, sn_v(3.0f, 0.0f, 0.0f), 1.0e4f);
    (void)soft_tie(world, sn_point_world(sn_v(0.5f, 0.5f, 0.0f)), sn_point_node(cloth, 15));
    run_steps(world, 5);
    uint64_t hash = sn_world_hash(world);
    int first = world->deformables.data[0].first_node;
    sn_edge_block *edges = world->deformables.data[0].groups.data[0].blocks;
    sn_tetrahedron_block *elements = world->deformables.data[1].groups.data[0].blocks;
    float *seen[] = {&world->nodes.states.data[first + 3].position.z,
                     &world->nodes.velocities.data[first].velocity.x,
                     &world->nodes.masses.data[first],
                     &world->nodes.forces.data[first + 1].y,
                     &edges->impulse.lane[0],
                     &elements->impulse[5].lane[0],
                     &elements->rotation[3].lane[0],
                     &world->constraints.data[0].impulses[1],
                     &world->constraints.data[0].definition.common.compliance,
                     &world->deformables.data[1].def.model.young,
                     &world->deformables.data[1].rest_time};
    for (size_t i = 0; i < sizeof seen / sizeof *seen; ++i) {
        float kept = *seen[i];
        *seen[i] += 0.25f;
        assert_int_not_equal(sn_world_hash(world), hash);
        *seen[i] = kept;
        assert_int_equal(sn_world_hash(world), hash);
    }
    sn_world_destroy(world);
}

static void test_sleeping_deformables_sleep_on(void **state)
{
    (void)state;
    sn_world *world = kit_world(), *copy = kit_world();
    sn_deformable jelly = soft_jelly(world, 1, sn_v(0.0f, 0.0f, 0.0f), 1.0e5f);
    sn_rigid ball = add_ball_at(world, 0.1f, 0.3f, 0.0f, 0.0f);
    assert_ok(sn_rigid_damping_set(world, ball, 3.0f, 3.0f));
    for (int i = 0; i < 4; ++i) {
        assert_ok(sn_node_fix(world, jelly, i, true));
    }
    (void)soft_tie(world, sn_point_on_rigid(world, ball, sn_v(0.2f, 0.0f, 0.0f)),
                   sn_point_on_deformable(world, jelly, sn_v(0.2f, 0.0f, 0.0f)));
    run_steps(world, 600);
    assert_false(sn_deformable_is_awake(world, jelly) || sn_rigid_is_awake(world, ball));
    snapshot_bytes bytes = snapshot_save(world);
    assert_ok(sn_world_restore(copy, bytes.data, bytes.size));
    assert_false(sn_deformable_is_awake(copy, jelly) || sn_rigid_is_awake(copy, ball));
    assert_ok(sn_rigid_awake_set(copy, ball, true)); // the island is one
    assert_ok(sn_rigid_awake_set(world, ball, true));
    assert_true(sn_deformable_is_awake(copy, jelly));
    run_steps(world, 30);
    run_steps(copy, 30);
    assert_int_equal(sn_world_hash(copy), sn_world_hash(world));
    sn_world_destroy(world);
    sn_world_destroy(copy);
    free(bytes.data);
}

// --- changed with care -------------------------------------------------------------------------------------

static sn_deformable_data *cloth_of(sn_world *world)
{
    return &world->deformables.data[0];
}
static sn_soft_contact_data *contact_of(sn_world *world)
{
    assert_true(world->soft.contacts.count > 0);
    return &world->soft.contacts.data[0];
}
static void spoil_scale(sn_world *world)
{
    cloth_of(world)->def.scale = -1.0f;
}
static void spoil_thickness(sn_world *world)
{
    cloth_of(world)->def.thickness = NAN;
}
static void spoil_model_type(sn_world *world)
{
    cloth_of(world)->def.model.type = (sn_model_type)77;
}
static void spoil_model(sn_world *world)
{
    cloth_of(world)->def.model.type = SN_MODEL_COROTATIONAL;
    cloth_of(world)->def.model.young = 1.0e4f;
}
static void spoil_pose(sn_world *world)
{
    cloth_of(world)->def.pose.rotation.w = 3.0f;
}
static void spoil_place(sn_world *world)
{
    cloth_of(world)->def.pose.position.x = 999999.9f;
}
static void spoil_mesh_node(sn_world *world)
{
    ((sn_mesh *)cloth_of(world)->def.mesh)->nodes[1].x = NAN;
}
static void spoil_mesh_triangle(sn_world *world)
{
    ((sn_mesh *)cloth_of(world)->def.mesh)->triangles[4] = 4000;
}
static void spoil_mesh_edge(sn_world *world)
{
    uint32_t *edges = ((sn_mesh *)cloth_of(world)->def.mesh)->edges;
    uint32_t held = edges[1];
    edges[1] = edges[3];
    edges[3] = held;
}
static void spoil_mesh_size(sn_world *world)
{
    sn_vec3 *nodes = ((sn_mesh *)cloth_of(world)->def.mesh)->nodes;
    nodes[1] = nodes[0];
}
static void spoil_mass(sn_world *world)
{
    world->nodes.masses.data[cloth_of(world)->first_node] = 1.0e-20f;
}
static void spoil_flags(sn_world *world)
{
    world->nodes.frozen.data[cloth_of(world)->first_node + 1] = 1; // and free
}
static void spoil_impulse(sn_world *world)
{
    ((sn_edge_block *)cloth_of(world)->groups.data[0].blocks)->impulse.lane[2] = INFINITY;
}
static void spoil_sub_step(sn_world *world)
{
    cloth_of(world)->sub_step = -1.0f;
}
static void spoil_verlet(sn_world *world)
{
    sn_verlet_list *list = &cloth_of(world)->surface.verlet_list;
    assert_true(sn_array_resize(&list->reference, cloth_of(world)->node_count));
    list->escape_total = -4;
}
static void spoil_rest_time(sn_world *world)
{
    cloth_of(world)->rest_time = NAN;
}
static void spoil_island(sn_world *world)
{
    cloth_of(world)->island_next = SN_SOFT_MEMBER | 500;
}
static void spoil_ring(sn_world *world)
{
    cloth_of(world)->island_next = 1; // the box, which is awake
}
static void spoil_point_type(sn_world *world)
{
    world->constraints.data[0].definition.common.b.type = (sn_point_type)9;
}
static void spoil_point_body(sn_world *world)
{
    world->constraints.data[0].definition.common.a.rigid.index = 600;
}
static void spoil_point_node(sn_world *world)
{
    world->constraints.data[0].definition.common.b.nodes[0] = 4000;
}
static void spoil_point_weight(sn_world *world)
{
    world->constraints.data[0].definition.common.b.weights[0] = 0.5f;
}
static void spoil_point_count(sn_world *world)
{
    world->constraints.data[0].definition.common.b.node_count = -3;
}
static void spoil_break_force(sn_world *world)
{
    world->constraints.data[0].definition.common.break_force = -1.0f;
}
static void spoil_anchor_impulse(sn_world *world)
{
    world->constraints.data[0].impulses[0] = NAN;
}
static void spoil_contact_width(sn_world *world)
{
    contact_of(world)->width = 5;
}
static void spoil_contact_node(sn_world *world)
{
    contact_of(world)->nodes[0] = 100000;
}
static void spoil_contact_side(sn_world *world)
{
    contact_of(world)->side = 0.5f;
}
static void spoil_contact_impulse(sn_world *world)
{
    contact_of(world)->friction_impulse.z = NAN;
}

static void test_every_check_sees_what_it_is_for(void **state)
{
    (void)state;
    static const spoiling spoilings[] = {
        {"such a Verlet list", spoil_verlet},
        {"scale is -1", spoil_scale},
        {"thickness is nan", spoil_thickness},
        {"model.type is 77", spoil_model_type},
        {"needs tetrahedra", spoil_model},
        {"pose.rotation", spoil_pose},
        {"position of a node", spoil_place},
        {"node 1 is", spoil_mesh_node},
        {"4000", spoil_mesh_triangle},
        {"out of order", spoil_mesh_edge},
        {"mesh: ", spoil_mesh_size},
        {"weighs", spoil_mass},
        {"is marked 4", spoil_flags},
        {"row: lane is", spoil_impulse},
        {"sub_step is -1", spoil_sub_step},
        {"rest_time is nan", spoil_rest_time},
        {"island_next is", spoil_island},
        {"island is broken", spoil_ring},
        {"end of a constraint: type is 9", spoil_point_type},
        {"body of a constraint: index is 599", spoil_point_body},
        {"nodes[0] is 4000", spoil_point_node},
        {"sum to 0.5", spoil_point_weight},
        {"node_count is -3", spoil_point_count},
        {"break_force is -1", spoil_break_force},
        {"impulses is", spoil_anchor_impulse},
        {"width is 5", spoil_contact_width},
        {"one of its nodes does not exist", spoil_contact_node},
        {"side is", spoil_contact_side},
        {"impulse is", spoil_contact_impulse},
    };
    sn_world *sound = world_of(&variants[10], 1);
    run_steps(sound, 40);
    assert_spoilings_are_seen(sound, spoilings, sizeof spoilings / sizeof *spoilings);
    sn_world_destroy(sound);
}

static void test_restoring_without_memory_changes_nothing(void **state)
{
    (void)state;
    sn_world *world = world_of(&variants[0], 1), *copy = kit_world();
    run_steps(world, 30);
    snapshot_bytes bytes = snapshot_save(world);
    uint64_t hash = sn_world_hash(copy);
    sn_status status = SN_ERROR_MEMORY;
    int allowed = 0;
    for (; status != SN_OK; ++allowed) {
        test_memory_allow(allowed);
        status = sn_world_restore(copy, bytes.data, bytes.size);
        test_memory_allow_all();
        if (status != SN_OK) {
            assert_int_equal(status, SN_ERROR_MEMORY);
            assert_int_equal(sn_world_hash(copy), hash);
        }
    }
    assert_true(allowed > 40);
    assert_int_equal(sn_world_hash(copy), sn_world_hash(world));
    sn_world_destroy(world);
    sn_world_destroy(copy);
    free(bytes.data);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        test_with_memory(test_every_kind_of_deformable_goes_on_bit_for_bit),
        test_with_memory(test_stiff_elements_store_as_much_after_a_round_trip),
        test_with_memory(test_worlds_with_frozen_nodes_go_on_bit_for_bit),
        test_with_memory(test_what_is_near_is_known_after_a_round_trip),
        test_with_memory(test_what_lies_on_what_is_known_after_a_round_trip),
        test_with_memory(test_bytes_are_the_same_after_a_round_trip),
        test_with_memory(test_nodes_come_back_with_all_that_is_told_of_them),
        test_with_memory(test_names_ids_and_definitions_come_back),
        test_with_memory(test_meshes_are_saved_once_and_shared_again),
        test_with_memory(test_worlds_that_differ_in_gaps_only_hash_alike),
        test_with_memory(test_the_hash_sees_nodes_impulses_and_anchors),
        test_with_memory(test_sleeping_deformables_sleep_on),
        test_with_memory(test_every_check_sees_what_it_is_for),
        test_with_memory(test_restoring_without_memory_changes_nothing),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
