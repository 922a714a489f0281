// Detection of soft contacts without a world: all phases, warm starting, sleep, exclusions and re-detection.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "collision/soft/soft_phases.h"
#include "support/memory.h"

enum { SHEETS = 2, CELLS = 4, NODES = (CELLS + 1) * (CELLS + 1) };

// Horizontal sheets of 1 m and 10 mm thickness, over the half-space y ≤ 0 of body 0.
typedef struct rig {
    sn_mesh *mesh;
    sn_nodes nodes;
    sn_id_pool deformable_ids, shape_ids;
    sn_deformable_def def;
    sn_soft_surface surfaces[SHEETS];
    sn_soft_collider colliders[SHEETS];
    sn_body body;
    sn_shape_data plane;
    sn_bounds_tree static_tree, moving_tree;
    sn_arena arena;
    sn_soft_scene scene;
    sn_soft_detector detector;
} rig;

static rig r;

// All nodes of a sheet at a height [m] with a vertical velocity [m/s].
static void place(int sheet, float height, float velocity)
{
    for (int i = 0; i < NODES; ++i) {
        int node = r.colliders[sheet].first_node + i;
        sn_vec3 p = r.mesh->nodes[i];
        r.nodes.states.data[node] = (sn_node_state){sn_v(p.x, height, -p.y), 1.0f};
        r.nodes.velocities.data[node].velocity = sn_v(0.0f, velocity, 0.0f);
    }
}

static void set_up(int sheets)
{
    r = (rig){.def = {.thickness = 0.01f,
                      .friction = 0.5f,
                      .collide = true,
                      .filter = {.category = 1, .mask = UINT64_MAX}},
              .body = {.rotation = sn_quat_identity, .awake_index = -1}};
    assert_int_equal(sn_mesh_grid(1.0f, 1.0f, CELLS, CELLS, SN_GRID_ALTERNATING, &r.mesh), SN_OK);
    for (int i = 0; i < sheets; ++i) {
        assert_int_equal(sn_id_pool_take(&r.deformable_ids), i);
        assert_true(sn_soft_surface_make(&r.surfaces[i], r.mesh, 1.0f, false));
        r.colliders[i] = (sn_soft_collider){.def = &r.def,
                                            .surface = &r.surfaces[i],
                                            .first_node = sn_nodes_take(&r.nodes, NODES),
                                            .node_count = NODES};
        place(i, 10.0f * (float)(i + 1), 0.0f);
    }
    r.plane = (sn_shape_data){.type = SN_PLANE,
                              .offset = sn_pose_identity,
                              .filter = r.def.filter,
                              .friction = 0.5f,
                              .plane = {{0.0f, 1.0f, 0.0f}, 0.0f}};
    r.plane.bounds = sn_shape_compute_bounds(&r.plane, sn_pose_identity);
    assert_int_equal(sn_id_pool_take(&r.shape_ids), 0);
    sn_bounds_tree_init(&r.static_tree);
    sn_bounds_tree_init(&r.moving_tree);
    (void)sn_bounds_tree_add(&r.static_tree, r.plane.bounds, sn_filter_leaf_category(r.plane.filter), 0);
    r.scene = (sn_soft_scene){.nodes = &r.nodes,
                              .colliders = r.colliders,
                              .collider_count = sheets,
                              .bodies = &r.body,
                              .shapes = &r.plane,
                              .static_tree = &r.static_tree,
                              .moving_tree = &r.moving_tree,
                              .deformable_ids = &r.deformable_ids,
                              .shape_ids = &r.shape_ids,
                              .margin = 0.004f,
                              .duration = 0.01f,
                              .tasks = sn_tasks_create(1, NULL),
                              .arena = &r.arena};
}

static void tear_down(void)
{
    sn_soft_detector_release(&r.detector);
    for (int i = 0; i < SHEETS; ++i) {
        sn_soft_surface_release(&r.surfaces[i]);
    }
    sn_nodes_release(&r.nodes);
    sn_id_pool_release(&r.deformable_ids);
    sn_id_pool_release(&r.shape_ids);
    sn_bounds_tree_release(&r.static_tree);
    sn_bounds_tree_release(&r.moving_tree);
    sn_tasks_destroy(r.scene.tasks);
    sn_arena_release(&r.arena);
    sn_mesh_destroy(r.mesh);
}

static int detect(void)
{
    sn_arena_reset(&r.arena);
    assert_true(sn_soft_detect(&r.scene, &r.detector));
    return r.detector.contacts.count;
}

// Each node lies over a corner that six faces share, and is that corner's own corner in turn.
static void test_two_sheets_that_lie_alike_have_one_contact_at_each_node(void **state)
{
    (void)state;
    set_up(2);
    place(0, 10.0f, 0.0f);
    place(1, 10.0099f, 0.0f);
    assert_int_equal(detect(), NODES);
    for (int i = 0; i < NODES; ++i) {
        assert_true(sn_abs(sn_abs(r.detector.contacts.data[i].normal.y) - 1.0f) < 1.0e-6f);
        assert_true(sn_abs(r.detector.contacts.data[i].separation + 1.0e-4f) < 1.0e-5f);
    }
    tear_down();
}

// A sheet that is moved by a third of a cell has all of its nodes over other faces: what they bore goes on,
// whether what lies there is a little closer than it should be or a little farther.
static void move_by_a_third_of_a_cell(float gap)
{
    set_up(2);
    for (int step = 0; step < 2; ++step) {
        place(0, 10.0f, 0.0f);
        place(1, 10.0f + gap, 0.0f);
        for (int i = 0; i < NODES; ++i) {
            sn_vec3 *p = &r.nodes.states.data[r.colliders[1].first_node + i].position;
            p->x = 0.6f * p->x + (step == 0 ? 0.02f : 0.1f);
            p->z = 0.6f * p->z + (step == 0 ? 0.03f : -0.05f);
        }
        int count = detect();
        float sum = 0.0f;
        for (int i = 0; i < count; ++i) {
            sn_soft_contact_data *contact = &r.detector.contacts.data[i];
            bool is_upper = contact->key.deformable == 1;
            sum += is_upper ? contact->normal_impulse : 0.0f;
            contact->normal_impulse = is_upper ? 1.0f : 0.0f;
        }
        assert_true(sum == (step == 0 ? 0.0f : (float)NODES));
    }
    tear_down();
}

static void test_impulses_go_on_from_face_to_face(void **state)
{
    (void)state;
    move_by_a_third_of_a_cell(0.0099f);
    move_by_a_third_of_a_cell(0.0101f);
}

// Of forty contacts of a node the 32 that are closest stay.
static void test_a_node_has_no_more_than_so_many_contacts(void **state)
{
    (void)state;
    enum { FOUND = 40, MOST = 32 };
    set_up(2);
    sn_soft_contact_list found = {0};
    sn_soft_detector detector = {0};
    const sn_soft_search search = {.scene = &r.scene, .detector = &detector};
    for (int i = 0; i < FOUND; ++i) {
        sn_soft_contact_data contact = {.key = {.feature = sn_soft_feature_name(SN_SOFT_EDGE, (uint32_t)i)},
                                        .width = 1,
                                        .nodes = {3},
                                        .separation = 0.001f * (float)(i * 7 % FOUND)};
        assert_true(sn_array_push(&found, contact));
    }
    assert_true(sn_soft_merge(&search, &found, 0));
    assert_int_equal(found.count, MOST);
    assert_int_equal(detector.left_out, FOUND - MOST);
    for (int i = 0; i < found.count; ++i) {
        assert_true(found.data[i].separation < 0.001f * (float)MOST - 1.0e-6f);
    }
    sn_array_release(&found);
    tear_down();
}

static void test_a_sheet_on_a_plane_has_a_contact_at_each_node(void **state)
{
    (void)state;
    set_up(1);
    assert_int_equal(detect(), 0);
    place(0, 0.007f, 0.0f);
    assert_int_equal(detect(), NODES);
    for (int i = 0; i < NODES; ++i) {
        const sn_soft_contact_data *contact = &r.detector.contacts.data[i];
        assert_int_equal(contact->body, 0);
        assert_int_equal(contact->width, 1);
        assert_true(contact->normal.y == 1.0f);
        assert_true(sn_abs(contact->separation - 0.002f) < 1.0e-6f);
        assert_false(contact->closes);
    }
    // Falling at 5 m/s from 30 mm: 50 mm in this step.
    place(0, 0.03f, -5.0f);
    assert_int_equal(detect(), NODES);
    assert_true(r.detector.contacts.data[0].closes);
    assert_true(sn_abs(r.detector.contacts.data[0].approach - 5.0f) < 1.0e-3f);
    tear_down();
}

static void test_impulses_of_the_same_features_are_kept(void **state)
{
    (void)state;
    set_up(1);
    place(0, 0.006f, 0.0f);
    int count = detect();
    for (int i = 0; i < count; ++i) {
        r.detector.contacts.data[i].normal_impulse = (float)(i + 1);
        r.detector.contacts.data[i].total_normal = 8.0f;
    }
    assert_int_equal(detect(), count);
    for (int i = 0; i < count; ++i) {
        assert_true(r.detector.contacts.data[i].normal_impulse == (float)(i + 1));
        assert_true(r.detector.contacts.data[i].total_normal == 0.0f);
    }
    tear_down();
}

static void test_contacts_of_sleeping_deformables_stay(void **state)
{
    (void)state;
    set_up(1);
    place(0, 0.006f, 0.0f);
    int count = detect();
    assert_true(count > 0);
    r.detector.contacts.data[0].normal_impulse = 3.0f;
    r.colliders[0].sleeps = true;
    assert_int_equal(detect(), count);
    assert_true(r.detector.contacts.data[0].normal_impulse == 3.0f);
    assert_int_equal(r.detector.pairs.count, 0);
    tear_down();
}

static void test_an_excluded_node_makes_no_contact(void **state)
{
    (void)state;
    set_up(1);
    place(0, 0.006f, 0.0f);
    int node = r.colliders[0].first_node + 12, first[1 + NODES] = {0};
    sn_soft_exclusion exclusion = {.node = node, .next = -1, .set = -1, .parent = -1, .slides_on = -1};
    first[node] = 1;
    r.scene.exclusions = (sn_soft_exclusions){.list = &exclusion, .first = first, .node_count = 1 + NODES};
    assert_int_equal(detect(), NODES - 1); // the anchor is to body 0
    exclusion.body = 1;
    assert_int_equal(detect(), NODES);
    tear_down();
}

// Contacts between deformables alone, with the impulses of the step so far.
static void test_redetection_leaves_places_for_other_contacts(void **state)
{
    (void)state;
    set_up(2);
    place(0, 0.006f, 0.0f);
    place(1, 0.018f, 0.0f);
    int count = detect(), with_body = 0;
    for (int i = 0; i < count; ++i) {
        with_body += r.detector.contacts.data[i].body == 0 ? 1 : 0;
        r.detector.contacts.data[i].total_normal = 2.0f;
    }
    assert_int_equal(with_body, NODES);
    assert_true(count > with_body);
    assert_true(sn_soft_redetect(&r.scene, &r.detector, with_body));
    assert_int_equal(r.detector.contacts.count, count);
    assert_int_equal(r.detector.redetected.count, count);
    for (int i = with_body; i < count; ++i) {
        assert_int_equal(r.detector.redetected.data[i].body, -1);
        assert_true(r.detector.redetected.data[i].total_normal == 2.0f);
    }
    tear_down();
}

// A wall on a spinning body 10 m away from its centre moves 2 m in the step, through a sheet.
static void test_a_wall_that_swings_around_hits_a_sheet(void **state)
{
    (void)state;
    const sn_vec3 corners[4] = {
        {9.0f, -1.0f, 0.0f}, {11.0f, -1.0f, 0.0f}, {11.0f, 1.0f, 0.0f}, {9.0f, 1.0f, 0.0f}};
    const uint32_t triangles[6] = {0, 1, 2, 0, 2, 3};
    sn_surface *wall;
    set_up(1);
    assert_int_equal(sn_surface_create(corners, 4, triangles, 2, true, &wall), SN_OK);
    r.body = (sn_body){.rotation = sn_quat_identity,
                       .center = {10.0f, 0.0f, 0.0f},
                       .angular_velocity = {0.0f, -20.0f, 0.0f}};
    r.plane.type = SN_SURFACE;
    r.plane.surface = wall;
    place(0, 0.0f, 0.0f);
    for (int i = 0; i < NODES; ++i) {
        sn_vec3 *p = &r.nodes.states.data[r.colliders[0].first_node + i].position;
        *p = sn_add(*p, sn_v(20.0f, 0.0f, 1.0f));
    }
    assert_int_equal(detect(), NODES);
    for (int i = 0; i < NODES; ++i) {
        assert_true(r.detector.contacts.data[i].normal.z > 0.9f);
    }
    tear_down();
    sn_surface_destroy(wall);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        test_with_memory(test_two_sheets_that_lie_alike_have_one_contact_at_each_node),
        test_with_memory(test_impulses_go_on_from_face_to_face),
        test_with_memory(test_a_node_has_no_more_than_so_many_contacts),
        test_with_memory(test_a_sheet_on_a_plane_has_a_contact_at_each_node),
        test_with_memory(test_impulses_of_the_same_features_are_kept),
        test_with_memory(test_contacts_of_sleeping_deformables_stay),
        test_with_memory(test_an_excluded_node_makes_no_contact),
        test_with_memory(test_a_wall_that_swings_around_hits_a_sheet),
        test_with_memory(test_redetection_leaves_places_for_other_contacts),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
