// Lines over the picture: each option adds its own, what is hidden shines through, and the rest stays.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include "apps/render_kit.h"

// Two boxes on each other on the floor, the upper one hanging from a joint too, after a few steps.
static void build(render_kit *kit)
{
    kit->camera.target = sn_v(0.0f, 0.8f, 0.0f);
    kit->camera.eye = sn_v(2.0f, 2.0f, 6.0f);
    kit_floor(kit, 0.0f);
    kit_box(kit, sn_v(0.0f, 0.5f, 0.0f), 0.5f, 0x6080a0);
    sn_rigid upper = kit_box(kit, sn_v(0.0f, 1.5f, 0.0f), 0.5f, 0x6080a0);
    sn_hinge_def def = sn_hinge_def_default();
    sn_constraint_place(kit->world, &def.common, sn_world_ground(kit->world), upper, sn_v(0, 2.3f, 0),
                        sn_v(0, 0, 1));
    assert_int_equal(sn_hinge_add(kit->world, &def, NULL), SN_OK);
    for (int i = 0; i < 20; ++i) {
        assert_int_equal(sn_world_step(kit->world, 1.0f / 60.0f), SN_OK);
    }
}

static uint8_t *picture_with(render_options options)
{
    render_kit kit = kit_open(&options);
    build(&kit);
    kit_draw(&kit);
    uint8_t *picture = kit_copy(&kit);
    kit_close(&kit);
    return picture;
}

static int count_changed(const uint8_t *a, const uint8_t *b, size_t size, int tolerance)
{
    int count = 0;
    for (size_t i = 0; i < size; ++i) {
        count += abs(a[i] - b[i]) > tolerance;
    }
    return count;
}

static void test_each_option_adds_lines_of_its_own(void **state)
{
    (void)state;
    render_options options = kit_options();
    options.width = 320;
    options.height = 180;
    size_t size = 320 * 180 * 3;
    uint8_t *pictures[5];
    for (int i = 0; i < 5; ++i) {
        render_options with = options;
        with.contacts = i == 1;
        with.joints = i == 2;
        with.forces = i == 3;
        with.wireframe = i == 4;
        pictures[i] = picture_with(with);
    }
    for (int i = 0; i < 5; ++i) {
        for (int k = i + 1; k < 5; ++k) {
            int changed = count_changed(pictures[i], pictures[k], size, 30);
            assert_true(changed > 60);
            // They are lines, not areas.
            assert_true(changed < (int)size / 10);
        }
    }
    for (int i = 0; i < 5; ++i) {
        free(pictures[i]);
    }
}

static void test_a_scene_without_contacts_or_joints_has_no_lines(void **state)
{
    (void)state;
    render_options options = kit_options();
    render_kit kit = kit_open(&options);
    kit_box(&kit, sn_v(0, 0, 0), 0.5f, 0x6080a0);
    kit_draw(&kit);
    uint8_t *plain = kit_copy(&kit);
    kit_close(&kit);
    options.contacts = options.joints = true; // forces have a legend
    kit = kit_open(&options);
    kit_box(&kit, sn_v(0, 0, 0), 0.5f, 0x6080a0);
    kit_draw(&kit);
    assert_memory_equal(kit.pixels, plain, kit_size(&kit));
    free(plain);
    kit_close(&kit);
}

// A joint inside a box is seen faintly, one before it plainly.
static int redness_of_joint(float depth)
{
    render_options options = kit_options();
    options.joints = true;
    render_kit kit = kit_open(&options);
    kit.camera.eye = sn_v(0.0f, 0.0f, 6.0f);
    kit.camera.target = sn_v(0.0f, 0.0f, 0.0f);
    sn_rigid box = kit_box(&kit, sn_v(0, 0, 0), 1.0f, 0x404040);
    sn_ball_def def = sn_ball_def_default();
    sn_constraint_place(kit.world, &def.common, sn_world_ground(kit.world), box, sn_v(0, 0, depth),
                        sn_v(1, 0, 0));
    assert_int_equal(sn_ball_add(kit.world, &def, NULL), SN_OK);
    kit_draw(&kit);
    int most = 0;
    for (int x = 80; x < 120; ++x) {
        for (int y = 40; y < 50; ++y) {
            kit_pixel p = kit_at(&kit, x, y);
            most = p.red - p.blue > most ? p.red - p.blue : most;
        }
    }
    kit_close(&kit);
    return most;
}

static void test_hidden_lines_shine_through_faintly(void **state)
{
    (void)state;
    int before = redness_of_joint(1.2f), inside = redness_of_joint(0.0f);
    assert_true(before > 80);
    assert_true(inside > 20 && inside < before - 20);
}

static void test_lines_that_pass_the_eye_are_cut_not_flipped(void **state)
{
    (void)state;
    render_options options = kit_options();
    options.joints = true;
    render_kit kit = kit_open(&options);
    kit.camera.eye = sn_v(0.0f, 0.0f, 0.0f);
    kit.camera.target = sn_v(0.0f, 0.0f, -5.0f);
    // A link from far ahead, to the left, to far behind, to the left: it must stay in the left half.
    sn_rigid far = kit_body(&kit, SN_DYNAMIC, sn_v(-2.0f, 0.0f, -20.0f));
    sn_rigid near = kit_body(&kit, SN_DYNAMIC, sn_v(-2.0f, 0.0f, 20.0f));
    sn_distance_def def = sn_distance_def_default();
    sn_constraint_place_points(kit.world, &def.common, far, near, sn_v(-2, 0, -20), sn_v(-2, 0, 20));
    assert_int_equal(sn_distance_add(kit.world, &def, NULL), SN_OK);
    kit_draw(&kit);
    uint8_t *with = kit_copy(&kit);
    kit_close(&kit);
    options.joints = false;
    kit = kit_open(&options);
    kit.camera.eye = sn_v(0.0f, 0.0f, 0.0f);
    kit.camera.target = sn_v(0.0f, 0.0f, -5.0f);
    kit_draw(&kit);
    int left = 0, right = 0;
    for (int i = 0; i < 160 * 90; ++i) {
        bool differs = memcmp(kit.pixels + 3 * i, with + 3 * i, 3) != 0;
        left += differs && i % 160 < 80;
        right += differs && i % 160 > 82;
    }
    assert_true(left > 20);
    assert_int_equal(right, 0);
    free(with);
    kit_close(&kit);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_each_option_adds_lines_of_its_own),
        cmocka_unit_test(test_a_scene_without_contacts_or_joints_has_no_lines),
        cmocka_unit_test(test_hidden_lines_shine_through_faintly),
        cmocka_unit_test(test_lines_that_pass_the_eye_are_cut_not_flipped),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
