// What a run is measured by, on worlds whose figures are known.
#include "apps/capture.h"
#include "apps/report.h"
#include "sinew/sinew.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

static const float step = 1.0f / 60.0f;

typedef struct fixture {
    sn_world *world;
    sn_scene *scene;
} fixture;

static fixture make_world(sn_vec3 gravity)
{
    fixture f = {0};
    sn_world_def def = sn_world_def_default();
    def.gravity = gravity;
    assert_int_equal(sn_world_create(&def, &f.world), SN_OK);
    assert_int_equal(sn_scene_wrap(f.world, &f.scene), SN_OK);
    return f;
}

static void release(fixture *f)
{
    sn_scene_destroy(f->scene);
    sn_world_destroy(f->world);
}

static sn_rigid add_ball(sn_world *world, const char *name, sn_vec3 position, sn_vec3 velocity)
{
    sn_rigid_def def = sn_rigid_def_default();
    sn_rigid rigid;
    def.position = position;
    def.linear_velocity = velocity;
    def.name = name;
    assert_int_equal(sn_rigid_add(world, &def, &rigid), SN_OK);
    assert_int_equal(sn_sphere_add(world, rigid, NULL, (sn_sphere){.radius = 0.5f}, NULL), SN_OK);
    return rigid;
}

static void measure(fixture *f, report *report, int steps)
{
    report_begin(report, f->scene);
    for (int i = 0; i < steps; ++i) {
        assert_int_equal(sn_world_step(f->world, step), SN_OK);
        report_step(report);
    }
    report_end(report);
}

static void test_a_free_body_keeps_energy_and_momentum(void **state)
{
    (void)state;
    fixture f = make_world(sn_v(0, 0, 0));
    add_ball(f.world, "ball", sn_v(0, 0, 0), sn_v(2, 0, 0));
    report r;
    measure(&f, &r, 60);
    double mass = r.energy_start.mass;
    assert_true(fabs(r.energy_end.kinetic - 2.0 * mass) < 1e-3);
    assert_true(fabs(r.energy_end.momentum[0] - 2.0 * mass) < 1e-3);
    assert_true(fabs(report_energy_drift(&r)) < 1e-6);
    assert_int_equal(r.steps, 60);
    assert_true(fabs(r.end_time - r.start_time - 1.0) < 1e-6);
    assert_int_equal(r.contacts.values, 0);
    assert_int_equal(r.statistics.rigid_count, 1);
    assert_true(r.hash == sn_world_hash(f.world) && r.hash != 0);
    report_release(&r);
    release(&f);
}

static void test_a_falling_body_exchanges_energy(void **state)
{
    (void)state;
    fixture f = make_world(sn_v(0, -10, 0));
    add_ball(f.world, "ball", sn_v(0, 0, 0), sn_v(0, 0, 0));
    report r;
    measure(&f, &r, 60);
    double mass = r.energy_start.mass;
    // After a second: v = 10 m/s, fallen about 5 m.
    assert_true(fabs(r.energy_end.kinetic / (50.0 * mass) - 1.0) < 1e-4);
    assert_true(fabs(r.highest_kinetic - r.energy_end.kinetic) < 1e-9);
    assert_true(fabs(report_energy_drift(&r)) < 0.02);
    assert_true(r.energy_end.momentum[1] < -9.9 * mass);
    report_release(&r);
    release(&f);
}

static void test_the_deepest_contact_is_found_with_its_bodies(void **state)
{
    (void)state;
    fixture f = make_world(sn_v(0, -10, 0));
    assert_int_equal(
        sn_plane_add(f.world, sn_world_ground(f.world), NULL, (sn_plane){.normal = {0, 1, 0}}, NULL), SN_OK);
    add_ball(f.world, "sunk", sn_v(3, 0.4f, 0), sn_v(0, 0, 0));
    add_ball(f.world, "free", sn_v(-3, 5.0f, 0), sn_v(0, 0, 0));
    report r;
    measure(&f, &r, 1);
    assert_int_equal(r.contacts.count, 1);
    // It began 0.1 m deep and is pushed out at no more than 3 m/s.
    assert_true(r.contacts.worst > 0.04 && r.contacts.worst < 0.11);
    assert_true(fabs((double)r.worst_contact.x - 3.0) < 0.1);
    assert_says(r.contacts.worst_of.text, "sunk");
    assert_says(r.contacts.worst_of.text, "ground");
    assert_int_equal(r.touching_most, 1);
    report_release(&r);
    release(&f);
}

static void test_each_contact_counts_once(void **state)
{
    (void)state;
    fixture f = make_world(sn_v(0, -10, 0));
    assert_int_equal(
        sn_plane_add(f.world, sn_world_ground(f.world), NULL, (sn_plane){.normal = {0, 1, 0}}, NULL), SN_OK);
    for (int i = 0; i < 5; ++i) {
        add_ball(f.world, NULL, sn_v(0, 0.5f + (float)i, 0), sn_v(0, 0, 0));
    }
    report r;
    measure(&f, &r, 1);
    assert_int_equal(r.contacts.count, 5);
    assert_int_equal(r.touching_most, 5);
    report_release(&r);
    release(&f);
}

static void test_joint_errors_are_kept_by_kind(void **state)
{
    (void)state;
    fixture f = make_world(sn_v(0, -10, 0));
    sn_rigid a = add_ball(f.world, "bob", sn_v(1, 0, 0), sn_v(0, 0, 0));
    sn_ball_def ball = sn_ball_def_default();
    assert_int_equal(
        sn_constraint_place(f.world, &ball.common, sn_world_ground(f.world), a, sn_v(0, 0, 0), sn_v(1, 0, 0)),
        SN_OK);
    // Apart by 0.2 m at the start: the largest error there will be.
    ball.common.a.position = sn_v(0, 0.2f, 0);
    ball.common.name = "torn";
    assert_int_equal(sn_ball_add(f.world, &ball, NULL), SN_OK);
    report r;
    measure(&f, &r, 30);
    const report_errors *errors = &r.kinds[SN_BALL];
    assert_int_equal(errors->count, 1);
    assert_true(errors->worst > 1e-4 && errors->worst <= 0.2);
    assert_true(errors->end < 1e-3);
    assert_true(report_rms(errors) <= errors->worst && report_rms(errors) > 0.0);
    assert_string_equal(errors->worst_of.text, "torn");
    assert_int_equal(r.kinds[SN_HINGE].values, 0);
    report_release(&r);
    release(&f);
}

static void test_a_joint_that_broke_is_still_named(void **state)
{
    (void)state;
    fixture f = make_world(sn_v(0, -10, 0));
    sn_rigid a = add_ball(f.world, "bob", sn_v(1, 0, 0), sn_v(0, 0, 0));
    sn_ball_def ball = sn_ball_def_default();
    sn_constraint constraint;
    assert_int_equal(
        sn_constraint_place(f.world, &ball.common, sn_world_ground(f.world), a, sn_v(0, 0, 0), sn_v(1, 0, 0)),
        SN_OK);
    ball.common.name = "weak";
    assert_int_equal(sn_ball_add(f.world, &ball, &constraint), SN_OK);
    report r;
    report_begin(&r, f.scene);
    assert_int_equal(sn_world_step(f.world, step), SN_OK);
    report_step(&r);
    assert_int_equal(sn_constraint_remove(f.world, constraint), SN_OK);
    assert_int_equal(sn_world_step(f.world, step), SN_OK);
    report_step(&r);
    report_end(&r);
    assert_int_equal(r.kinds[SN_BALL].count, 0);
    assert_string_equal(r.kinds[SN_BALL].worst_of.text, "weak");
    report_release(&r);
    release(&f);
}

static void test_times_of_stages_add_up_to_the_step(void **state)
{
    (void)state;
    fixture f = make_world(sn_v(0, -10, 0));
    for (int i = 0; i < 100; ++i) {
        add_ball(f.world, NULL, sn_v((float)i, 0, 0), sn_v(0, 0, 0));
    }
    report r;
    measure(&f, &r, 50);
    double sum = 0.0;
    for (int i = 0; i < REPORT_STAGE_COUNT; ++i) {
        assert_true(r.stages[i].total >= 0.0 && r.stages[i].worst <= r.worst_step);
        sum += r.stages[i].total;
    }
    assert_true(sum > 0.0 && sum <= r.step_total * 1.001);
    assert_true(r.worst_step * 50.0 >= r.step_total);
    assert_true(r.worst_step_time > 0.0 && r.worst_step_time <= r.end_time);
    assert_true(report_steps_per_second(&r) > 0.0 && report_real_time_factor(&r) > 0.0);
    report_release(&r);
    release(&f);
}

static void test_there_is_always_a_sample_of_the_end(void **state)
{
    (void)state;
    fixture f = make_world(sn_v(0, -10, 0));
    add_ball(f.world, NULL, sn_v(0, 0, 0), sn_v(0, 0, 0));
    report r;
    measure(&f, &r, 0);
    assert_int_equal(r.samples, 1);
    assert_true(report_steps_per_second(&r) == 0.0 && report_real_time_factor(&r) == 0.0);
    report_release(&r);
    measure(&f, &r, 3);
    assert_int_equal(r.samples, 3); // one after every step, and the last one is not taken twice
    report_release(&r);
    release(&f);
}

static void test_the_text_tells_everything_with_units(void **state)
{
    (void)state;
    fixture f = make_world(sn_v(0, -10, 0));
    assert_int_equal(
        sn_plane_add(f.world, sn_world_ground(f.world), NULL, (sn_plane){.normal = {0, 1, 0}}, NULL), SN_OK);
    add_ball(f.world, "sunk", sn_v(3, 0.4f, 0), sn_v(0, 0, 0));
    report r;
    measure(&f, &r, 10);
    FILE *file = tmpfile();
    terminal plain = {.stream = file, .width = 80};
    report_print(&r, "some.json", &plain);
    char *text = capture_read(file);
    const char *parts[] = {"some.json\n",    "in 10 steps of 16.67 ms",
                           "steps/s",        "real time",
                           "mean ms",        "narrow",
                           "100.0 %",        "of all 10 steps",
                           "penetration",    "sunk",
                           "touching pairs", "J\n",
                           "kg m/s",         "kg m²/s",
                           "hash of the end"};
    for (size_t i = 0; i < sizeof parts / sizeof parts[0]; ++i) {
        assert_says(text, parts[i]);
    }
    assert_null(strchr(text, '\033'));
    free(text);
    fclose(file);
    report_release(&r);
    release(&f);
}

static void test_json_has_every_figure(void **state)
{
    (void)state;
    fixture f = make_world(sn_v(0, -10, 0));
    add_ball(f.world, "ball", sn_v(0, 0, 0), sn_v(0, 0, 0));
    report r;
    measure(&f, &r, 10);
    json_t *object = report_json(&r);
    const char *keys[] = {"sinew",
                          "title",
                          "steps",
                          "start_time",
                          "end_time",
                          "sub_steps",
                          "threads",
                          "time",
                          "stages",
                          "counts",
                          "contacts",
                          "samples",
                          "sampling_seconds",
                          "constraint_errors",
                          "deformable_errors",
                          "penetration",
                          "soft_contacts",
                          "trouble",
                          "loads",
                          "residuals",
                          "energy",
                          "momentum",
                          "angular_momentum",
                          "hash"};
    assert_int_equal(json_object_size(object), sizeof keys / sizeof keys[0]);
    for (size_t i = 0; i < sizeof keys / sizeof keys[0]; ++i) {
        assert_non_null(json_object_get(object, keys[i]));
    }
    assert_int_equal(json_integer_value(json_object_get(object, "steps")), 10);
    assert_int_equal(json_object_size(json_object_get(object, "stages")), REPORT_STAGE_COUNT);
    assert_int_equal(strlen(json_string_value(json_object_get(object, "hash"))), 16);
    json_decref(object);
    report_release(&r);
    release(&f);
}

// --- deformables -------------------------------------------------------------------------------------------

static sn_deformable add_soft(sn_world *world, const char *name, sn_mesh *mesh, sn_vec3 position,
                              sn_model model, bool inextensible)
{
    sn_deformable deformable;
    sn_deformable_def def = sn_deformable_def_default();
    def.mesh = mesh;
    def.name = name;
    def.pose.position = position;
    def.mass = 1.0f;
    def.model = model;
    def.inextensible.on = inextensible;
    assert_int_equal(sn_deformable_add(world, &def, &deformable), SN_OK);
    sn_mesh_destroy(mesh);
    return deformable;
}

static sn_deformable add_rope(sn_world *world, sn_vec3 position)
{
    sn_mesh *mesh;
    assert_int_equal(sn_mesh_line(1.0f, 10, &mesh), SN_OK);
    return add_soft(world, "rope", mesh, position, sn_model_none(), true);
}

static sn_deformable add_jelly(sn_world *world, sn_vec3 position)
{
    sn_mesh *mesh;
    assert_int_equal(sn_mesh_box(sn_v(1.0f, 1.0f, 1.0f), 2, 2, 2, &mesh), SN_OK);
    return add_soft(world, "jelly", mesh, position, sn_model_corotational(2.0e4f, 0.3f), false);
}

static void stretch(sn_world *world, sn_deformable deformable, float factor)
{
    sn_node_state *nodes;
    sn_node_velocity *velocities;
    assert_int_equal(sn_deformable_edit(world, deformable, &nodes, &velocities), SN_OK);
    for (int i = 0; i < sn_deformable_node_count(world, deformable); ++i) {
        nodes[i].position = sn_scale(nodes[i].position, factor);
    }
}

static void test_stretch_and_volume_are_shares_of_those_at_rest(void **state)
{
    (void)state;
    fixture f = make_world(sn_v(0, 0, 0));
    sn_deformable rope = add_rope(f.world, sn_v(0, 0, 0)), jelly = add_jelly(f.world, sn_v(0, 0, 0));
    stretch(f.world, rope, 1.25f);
    stretch(f.world, jelly, 1.1f);
    report r;
    report_begin(&r, f.scene);
    report_end(&r);
    assert_int_equal(r.soft.edges.count, 10);
    assert_float_equal(r.soft.edges.worst, 0.25, 1e-5);
    assert_float_equal(report_rms(&r.soft.edges), 0.25, 1e-5);
    assert_string_equal(r.soft.edges.worst_of.text, "rope");
    assert_int_equal(r.soft.volumes.count, 1);
    assert_float_equal(r.soft.volumes.worst, 1.1 * 1.1 * 1.1 - 1.0, 1e-5);
    assert_string_equal(r.soft.volumes.worst_of.text, "jelly");
    assert_true(r.soft.elastic_start > 1.0 && r.soft.elastic_start == r.soft.elastic_end);
    report_release(&r);
    release(&f);
}

static void test_edges_count_on_the_side_they_are_held(void **state)
{
    (void)state;
    const float factors[2] = {0.8f, 1.25f};
    const double expected[3][2] = {{0.2, 0.25}, {0.0, 0.25}, {0.2, 0.0}};
    for (int side = SN_HOLD_BOTH; side <= SN_HOLD_COMPRESSION; ++side) {
        for (int i = 0; i < 2; ++i) {
            fixture f = make_world(sn_v(0, 0, 0));
            sn_mesh *mesh;
            assert_int_equal(sn_mesh_line(1.0f, 4, &mesh), SN_OK);
            sn_deformable_def def = sn_deformable_def_default();
            sn_deformable rope;
            def.mesh = mesh;
            def.inextensible.on = true;
            def.inextensible.side = (sn_limit_side)side;
            assert_int_equal(sn_deformable_add(f.world, &def, &rope), SN_OK);
            sn_mesh_destroy(mesh);
            stretch(f.world, rope, factors[i]);
            report r;
            report_begin(&r, f.scene);
            report_end(&r);
            assert_float_equal(r.soft.edges.worst, expected[side][i], 1e-5);
            report_release(&r);
            release(&f);
        }
    }
}

static void test_anchors_and_soft_contacts_are_measured(void **state)
{
    (void)state;
    fixture f = make_world(sn_v(0, -10, 0));
    assert_int_equal(
        sn_plane_add(f.world, sn_world_ground(f.world), NULL, (sn_plane){.normal = {0, 1, 0}}, NULL), SN_OK);
    sn_deformable rope = add_rope(f.world, sn_v(0, 5, 0));
    add_jelly(f.world, sn_v(4, 0.5f, 0));
    sn_anchor_def def = sn_anchor_def_default();
    def.a = sn_point_node(rope, 0);
    def.b = sn_point_world(sn_v(-0.5f, 5.2f, 0));
    assert_int_equal(sn_anchor_add(f.world, &def, NULL), SN_OK);
    report r;
    measure(&f, &r, 30);
    assert_int_equal(r.soft.anchors.count, 1);
    assert_true(r.soft.anchors.worst > 0.0 && r.soft.anchors.worst < 0.2);
    assert_string_equal(r.soft.anchors.worst_of.text, "anchor of rope and ground");
    assert_true(r.soft.contacts.count >= 9);
    assert_true(r.soft.contacts.worst < 5e-3);
    assert_int_equal(r.statistics.deformable_count, 2);
    assert_int_equal(r.statistics.node_count, 38);
    // Two kilograms fall, rest and swing: their momentum is counted.
    assert_float_equal(r.energy_end.mass, 2.0, 1e-5);
    report_release(&r);
    release(&f);
}

// One that is exact, one that would be but is held already, one that is off.
static void test_exact_anchors_are_counted_and_measured(void **state)
{
    (void)state;
    fixture f = make_world(sn_v(0, -10, 0));
    sn_deformable rope = add_rope(f.world, sn_v(0, 5, 0));
    sn_anchor_def def = sn_anchor_def_default();
    def.a = sn_point_node(rope, 0);
    def.b = sn_point_world(sn_v(-0.5f, 5.0f, 0));
    def.exact = true;
    assert_int_equal(sn_anchor_add(f.world, &def, NULL), SN_OK);
    assert_int_equal(sn_anchor_add(f.world, &def, NULL), SN_OK);
    def.b = sn_point_world(sn_v(-0.5f, 9.0f, 0));
    def.active = false;
    assert_int_equal(sn_anchor_add(f.world, &def, NULL), SN_OK);
    report r;
    measure(&f, &r, 10);
    assert_int_equal(r.soft.exact.count, 1);
    assert_true(r.soft.exact.worst < 1e-6);
    assert_int_equal(r.soft.exact_rows, 1);
    assert_int_equal(r.soft.anchors.count, 1);
    assert_true(r.soft.anchors.worst < 0.1);
    FILE *file = tmpfile();
    terminal plain = {.stream = file, .width = 80};
    report_print(&r, "some.json", &plain);
    char *text = capture_read(file);
    assert_says(text, "exact anchor         1");
    assert_says(text, "1 anchor was asked to be exact but held by rows");
    free(text);
    fclose(file);
    json_t *object = report_json(&r), *counts = json_object_get(object, "counts");
    assert_int_equal(json_integer_value(json_object_get(counts, "anchors_exact")), 1);
    assert_int_equal(json_integer_value(json_object_get(counts, "anchors_exact_by_rows")), 1);
    assert_non_null(json_object_get(json_object_get(object, "constraint_errors"), "exact_anchor"));
    json_decref(object);
    report_release(&r);
    release(&f);
}

static void test_a_free_jelly_keeps_energy_and_momentum(void **state)
{
    (void)state;
    fixture f = make_world(sn_v(0, 0, 0));
    sn_deformable jelly = add_jelly(f.world, sn_v(0, 0, 0));
    stretch(f.world, jelly, 1.02f);
    sn_node_state *nodes;
    sn_node_velocity *velocities;
    assert_int_equal(sn_deformable_edit(f.world, jelly, &nodes, &velocities), SN_OK);
    for (int i = 0; i < sn_deformable_node_count(f.world, jelly); ++i) {
        velocities[i].velocity = sn_v(1.0f, 0.0f, 0.0f);
    }
    report r;
    measure(&f, &r, 60);
    assert_float_equal(r.energy_start.kinetic, 0.5, 1e-5);
    assert_float_equal(r.energy_end.momentum[0], 1.0, 1e-4);
    // What was stored may be lost to damping, but nothing is won.
    assert_true(r.soft.elastic_start > 0.1);
    assert_true(report_energy_drift(&r) < 1e-3);
    report_release(&r);
    release(&f);
}

static void test_text_and_json_tell_of_deformables(void **state)
{
    (void)state;
    fixture f = make_world(sn_v(0, -10, 0));
    sn_deformable rope = add_rope(f.world, sn_v(0, 5, 0));
    stretch(f.world, add_jelly(f.world, sn_v(4, 5, 0)), 1.01f);
    sn_anchor_def def = sn_anchor_def_default();
    def.name = "nail";
    def.a = sn_point_node(rope, 0);
    def.b = sn_point_world(sn_v(-0.5f, 5.0f, 0));
    assert_int_equal(sn_anchor_add(f.world, &def, NULL), SN_OK);
    report r;
    measure(&f, &r, 10);
    FILE *file = tmpfile();
    terminal plain = {.stream = file, .width = 80};
    report_print(&r, "some.json", &plain);
    char *text = capture_read(file);
    const char *parts[] = {"2 deformables (2 awake) of 38 nodes (0 frozen)",
                           "1 anchor\n",
                           "nail",
                           "share of the length or volume",
                           "edges",
                           "volume",
                           "elastic"};
    for (size_t i = 0; i < sizeof parts / sizeof parts[0]; ++i) {
        assert_says(text, parts[i]);
    }
    free(text);
    fclose(file);
    json_t *object = report_json(&r);
    json_t *counts = json_object_get(object, "counts");
    assert_int_equal(json_integer_value(json_object_get(counts, "deformables")), 2);
    assert_int_equal(json_integer_value(json_object_get(counts, "nodes")), 38);
    assert_int_equal(json_integer_value(json_object_get(counts, "anchors")), 1);
    assert_true(json_integer_value(json_object_get(counts, "elements")) > 10);
    assert_non_null(json_object_get(json_object_get(object, "constraint_errors"), "anchor"));
    json_t *soft = json_object_get(object, "deformable_errors");
    assert_int_equal(json_integer_value(json_object_get(json_object_get(soft, "edges"), "count")), 10);
    assert_int_equal(json_integer_value(json_object_get(json_object_get(soft, "volume"), "count")), 1);
    json_decref(object);
    report_release(&r);
    release(&f);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_a_free_body_keeps_energy_and_momentum),
        cmocka_unit_test(test_a_falling_body_exchanges_energy),
        cmocka_unit_test(test_the_deepest_contact_is_found_with_its_bodies),
        cmocka_unit_test(test_each_contact_counts_once),
        cmocka_unit_test(test_joint_errors_are_kept_by_kind),
        cmocka_unit_test(test_a_joint_that_broke_is_still_named),
        cmocka_unit_test(test_times_of_stages_add_up_to_the_step),
        cmocka_unit_test(test_there_is_always_a_sample_of_the_end),
        cmocka_unit_test(test_the_text_tells_everything_with_units),
        cmocka_unit_test(test_json_has_every_figure),
        cmocka_unit_test(test_stretch_and_volume_are_shares_of_those_at_rest),
        cmocka_unit_test(test_edges_count_on_the_side_they_are_held),
        cmocka_unit_test(test_anchors_and_soft_contacts_are_measured),
        cmocka_unit_test(test_exact_anchors_are_counted_and_measured),
        cmocka_unit_test(test_a_free_jelly_keeps_energy_and_momentum),
        cmocka_unit_test(test_text_and_json_tell_of_deformables),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
