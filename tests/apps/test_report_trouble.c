// What went wrong in a run is told: breaks by name and time, what froze, what is inside out; and nothing
// where nothing did.
#include "apps/capture.h"
#include "apps/report.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

static const float step = 1.0f / 60.0f;

typedef struct fixture {
    sn_world *world;
    sn_scene *scene;
    report report;
    char *text;
} fixture;

static fixture begin(void)
{
    fixture f = {0};
    sn_world_def def = sn_world_def_default();
    assert_int_equal(sn_world_create(&def, &f.world), SN_OK);
    assert_int_equal(sn_scene_wrap(f.world, &f.scene), SN_OK);
    return f;
}

static void run(fixture *f, int steps)
{
    report_begin(&f->report, f->scene);
    for (int i = 0; i < steps; ++i) {
        assert_int_equal(sn_world_step(f->world, step), SN_OK);
        report_step(&f->report);
    }
    report_end(&f->report);
    FILE *file = tmpfile();
    report_trouble_print(&f->report, file);
    f->text = capture_read(file);
    fclose(file);
}

static void end(fixture *f)
{
    free(f->text);
    report_release(&f->report);
    sn_scene_destroy(f->scene);
    sn_world_destroy(f->world);
}

static sn_rigid add_ball(sn_world *world)
{
    sn_rigid_def def = sn_rigid_def_default();
    sn_rigid ball;
    assert_int_equal(sn_rigid_add(world, &def, &ball), SN_OK);
    assert_int_equal(sn_sphere_add(world, ball, NULL, (sn_sphere){.radius = 0.1f}, NULL), SN_OK);
    return ball;
}

static sn_deformable add_jelly(sn_world *world)
{
    sn_mesh *mesh = NULL;
    assert_int_equal(sn_mesh_box(sn_v(0.3f, 0.3f, 0.3f), 2, 2, 2, &mesh), SN_OK);
    sn_deformable_def def = sn_deformable_def_default();
    def.mesh = mesh;
    def.model = sn_model_corotational(1e4f, 0.3f);
    sn_deformable jelly;
    assert_int_equal(sn_deformable_add(world, &def, &jelly), SN_OK);
    sn_mesh_destroy(mesh);
    return jelly;
}

static void test_a_calm_run_says_so(void **state)
{
    (void)state;
    fixture f = begin();
    add_ball(f.world);
    add_jelly(f.world);
    run(&f, 5);
    assert_string_equal(f.text, "  nothing broke, froze, turned inside out, crossed or was slowed down\n");
    assert_true(report_is_trusted(&f.report));
    assert_true(f.report.trouble.most_sub_steps >= 1);
    end(&f);
}

static void test_what_breaks_is_named_with_its_time(void **state)
{
    (void)state;
    fixture f = begin();
    sn_rigid ball = add_ball(f.world);
    sn_ball_def def = sn_ball_def_default();
    assert_int_equal(sn_constraint_place(f.world, &def.common, sn_world_ground(f.world), ball,
                                         sn_v(0.0f, 0.0f, 0.0f), sn_v(1.0f, 0.0f, 0.0f)),
                     SN_OK);
    def.common.name = "thread";
    def.common.break_force = 1.0f; // the ball weighs 41 N
    assert_int_equal(sn_ball_add(f.world, &def, NULL), SN_OK);
    run(&f, 5);
    assert_says(f.text, "thread broke at 0.017 s by ");
    assert_int_equal(f.report.trouble.break_count, 1);
    assert_true(report_is_trusted(&f.report)); // breaking is what it was made for
    json_t *json = report_trouble_json(&f.report);
    assert_int_equal(json_integer_value(json_object_get(json, "break_count")), 1);
    assert_int_equal(json_array_size(json_object_get(json, "breaks")), 1);
    json_decref(json);
    end(&f);
}

static void test_what_turned_non_finite_makes_the_result_untrusted(void **state)
{
    (void)state;
    fixture f = begin();
    sn_deformable jelly = add_jelly(f.world);
    sn_node_state *nodes;
    sn_node_velocity *velocities;
    assert_int_equal(sn_deformable_edit(f.world, jelly, &nodes, &velocities), SN_OK);
    velocities[3].velocity.x = NAN;
    run(&f, 5);
    assert_says(f.text, "turned non-finite and was frozen: first at 0.017 s, in 5 steps");
    assert_says(f.text, "THE RESULT CANNOT BE TRUSTED");
    assert_false(report_is_trusted(&f.report));
    json_t *json = report_trouble_json(&f.report);
    assert_true(json_is_false(json_object_get(json, "trusted")));
    assert_int_equal(json_integer_value(json_object_get(json_object_get(json, "frozen"), "most")), 1);
    json_decref(json);
    end(&f);
}

static void test_elements_inside_out_are_counted(void **state)
{
    (void)state;
    fixture f = begin();
    sn_deformable jelly = add_jelly(f.world);
    sn_node_state *nodes;
    sn_node_velocity *velocities;
    assert_int_equal(sn_deformable_edit(f.world, jelly, &nodes, &velocities), SN_OK);
    for (int i = 0; i < sn_mesh_node_count(sn_deformable_mesh(f.world, jelly)); ++i) {
        nodes[i].position.x = -nodes[i].position.x;
    }
    run(&f, 1);
    assert_true(f.report.trouble.inverted.count > 0);
    assert_says(f.text, "inside out at once: first at 0.017 s, in 1 step");
    end(&f);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_a_calm_run_says_so),
        cmocka_unit_test(test_what_breaks_is_named_with_its_time),
        cmocka_unit_test(test_what_turned_non_finite_makes_the_result_untrusted),
        cmocka_unit_test(test_elements_inside_out_are_counted),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
