// Worlds made in C, of any names, filters, masses and places, written as scene files.
#include "scene/scene_kit.h"

#include "support/random.h"

#include <math.h>

typedef struct wrapped {
    sn_world *world;
    sn_scene *scene;
} wrapped;

static wrapped wrap_new(void)
{
    wrapped w = {NULL, NULL};
    sn_world_def def = sn_world_def_default();
    assert_int_equal(sn_world_create(&def, &w.world), SN_OK);
    assert_int_equal(sn_scene_wrap(w.world, &w.scene), SN_OK);
    return w;
}

static void unwrap(wrapped *w)
{
    sn_scene_destroy(w->scene);
    sn_world_destroy(w->world);
}

static sn_rigid add_body(sn_world *world, const char *name, sn_vec3 position)
{
    sn_rigid_def def = sn_rigid_def_default();
    sn_rigid rigid;
    def.name = name;
    def.position = position;
    assert_int_equal(sn_rigid_add(world, &def, &rigid), SN_OK);
    return rigid;
}

static void join(sn_world *world, sn_rigid a, sn_rigid b, const char *name)
{
    sn_ball_def def = sn_ball_def_default();
    assert_int_equal(
        sn_constraint_place(world, &def.common, a, b, sn_v(0.0f, 0.0f, 0.0f), sn_v(1.0f, 0.0f, 0.0f)), SN_OK);
    def.common.name = name;
    assert_int_equal(sn_ball_add(world, &def, NULL), SN_OK);
}

// --- names -------------------------------------------------------------------------------------------------

static void test_bodies_that_need_a_name_get_one_that_is_free(void **state)
{
    (void)state;
    wrapped w = wrap_new();
    sn_rigid a = add_body(w.world, NULL, sn_v(0.0f, 0.0f, 0.0f));
    sn_rigid b = add_body(w.world, NULL, sn_v(1.0f, 0.0f, 0.0f));
    char taken[32];
    snprintf(taken, sizeof taken, "body-%u", b.index);
    sn_rigid c = add_body(w.world, taken, sn_v(2.0f, 0.0f, 0.0f));
    add_body(w.world, NULL, sn_v(3.0f, 0.0f, 0.0f)); // nothing refers to it
    join(w.world, a, b, NULL);
    join(w.world, b, c, NULL);
    sn_scene *loaded = save_and_load(w.scene);
    char name[34];
    snprintf(name, sizeof name, "body-%u", a.index);
    assert_vector(position_of(loaded, name), 0.0f, 0.0f, 0.0f, 0.0);
    snprintf(name, sizeof name, "%s_", taken);
    assert_vector(position_of(loaded, name), 1.0f, 0.0f, 0.0f, 0.0);
    assert_vector(position_of(loaded, taken), 2.0f, 0.0f, 0.0f, 0.0);
    assert_vector(position_of(loaded, ""), 3.0f, 0.0f, 0.0f, 0.0);
    assert_int_equal(sn_world_constraints(sn_scene_world(loaded), NULL, 0), 2);
    sn_scene_destroy(loaded);
    unwrap(&w);
}

static void test_names_that_files_cannot_hold_are_replaced(void **state)
{
    (void)state;
    const char *const names[] = {"twin",       "twin",   "ground",      "no \xff text",
                                 "previous.x", "a.b[3]", "\"quoted\"\n"};
    wrapped w = wrap_new();
    sn_rigid bodies[COUNT_OF(names)];
    for (int i = 0; i < COUNT_OF(names); ++i) {
        bodies[i] = add_body(w.world, names[i], sn_v((float)i, 0.0f, 0.0f));
        join(w.world, sn_world_ground(w.world), bodies[i], names[i]);
    }
    sn_scene *loaded = save_and_load(w.scene);
    const sn_world *world = sn_scene_world(loaded);
    sn_constraint joints[16];
    assert_int_equal(sn_world_constraints(world, joints, 16), COUNT_OF(names));
    for (int i = 0; i < COUNT_OF(names); ++i) {
        // Each joint has its own body still.
        assert_vector(sn_rigid_position(world, sn_constraint_body_b(world, joints[i])), (float)i, 0.0f, 0.0f,
                      0.0);
    }
    assert_vector(position_of(loaded, "twin"), 0.0f, 0.0f, 0.0f, 0.0);
    assert_vector(position_of(loaded, "previous.x"), 4.0f, 0.0f, 0.0f, 0.0);
    assert_vector(position_of(loaded, "\"quoted\"\n"), 6.0f, 0.0f, 0.0f, 0.0);
    sn_scene_destroy(loaded);
    unwrap(&w);
}

// Views of a state refer to bodies without a name, too.
static void test_states_find_bodies_without_a_name(void **state)
{
    (void)state;
    scene_folder folder = folder_make();
    scene_path path = path_in(&folder, "x.state");
    sn_scene *scene =
        scene_of("{'sinew': 1, 'bodies': [{'label': 'one'}, {'name': 'body-1'}, {'position': [5, 0, 0],"
                 " 'label': 'two'}]}");
    assert_int_equal(sn_scene_save_state(scene, path.text), SN_OK);
    sn_scene *loaded = scene_of_file(path.text);
    assert_int_equal(sn_scene_label_count(loaded), 2);
    assert_string_equal(sn_scene_label(loaded, 1).text, "two");
    assert_vector(sn_scene_label(loaded, 1).position, 5.0f, 0.0f, 0.0f, 0.0);
    sn_scene_destroy(loaded);
    sn_scene_destroy(scene);
    folder_remove(folder.path);
}

// --- filters -----------------------------------------------------------------------------------------------

static bool may_touch(sn_filter a, sn_filter b)
{
    return (a.category & b.mask) != 0 && (b.category & a.mask) != 0;
}

static void test_filters_without_names_keep_their_meaning(void **state)
{
    (void)state;
    const sn_filter filters[] = {{1, UINT64_MAX, 0}, {2, ~(uint64_t)2, 0}, {1u << 9, 3, 0},
                                 {0, UINT64_MAX, 0}, {1u << 9 | 4, 1, 5},  {(uint64_t)1 << 40, 1 << 9, 0},
                                 {1, 0, -1}};
    wrapped w = wrap_new();
    for (int i = 0; i < COUNT_OF(filters); ++i) {
        sn_shape_def def = sn_shape_def_default();
        char name[32];
        snprintf(name, sizeof name, "b%d", i);
        def.filter = filters[i];
        sn_rigid body = add_body(w.world, name, sn_v(5.0f * (float)i, 0.0f, 0.0f));
        assert_int_equal(sn_sphere_add(w.world, body, &def, (sn_sphere){{0.0f, 0.0f, 0.0f}, 1.0f}, NULL),
                         SN_OK);
    }
    sn_scene *loaded = save_and_load(w.scene);
    sn_filter kept[COUNT_OF(filters)];
    for (int i = 0; i < COUNT_OF(filters); ++i) {
        char name[32];
        sn_shape shape;
        snprintf(name, sizeof name, "b%d", i);
        shapes_of(loaded, name, &shape, 1);
        kept[i] = sn_shape_definition(sn_scene_world(loaded), shape).filter;
        assert_int_equal(kept[i].category, filters[i].category);
        assert_int_equal(kept[i].group, filters[i].group);
    }
    for (int i = 0; i < COUNT_OF(filters); ++i) {
        for (int k = 0; k < COUNT_OF(filters); ++k) {
            assert_int_equal(may_touch(kept[i], kept[k]), may_touch(filters[i], filters[k]));
        }
    }
    sn_scene_destroy(loaded);
    unwrap(&w);
}

// --- joints without an end ---------------------------------------------------------------------------------

static void test_bounds_at_infinity_become_bounds_far_away(void **state)
{
    (void)state;
    wrapped w = wrap_new();
    sn_rigid ground = sn_world_ground(w.world), b = add_body(w.world, "b", sn_v(0.0f, -2.0f, 0.0f));
    const float bounds[][2] = {{0.0f, INFINITY}, {1.0f, INFINITY}, {0.0f, 3.0f}, {2.0f, 2.0f}, {1.0f, 3.0f}};
    for (int spring = 0; spring < 2; ++spring) {
        for (int i = 0; i < COUNT_OF(bounds); ++i) {
            sn_distance_def def = sn_distance_def_default();
            char name[32];
            snprintf(name, sizeof name, "d%d%d", i, spring);
            sn_vec3 origin = sn_v(0.0f, 0.0f, 0.0f), end = sn_v(0.0f, -2.0f, 0.0f);
            assert_int_equal(sn_constraint_place_points(w.world, &def.common, ground, b, origin, end), SN_OK);
            def.common.name = name;
            def.lower = bounds[i][0];
            def.upper = bounds[i][1];
            def.spring_stiffness = 7.0f * (float)spring;
            assert_int_equal(sn_distance_add(w.world, &def, NULL), SN_OK);
        }
    }
    sn_slider_def slider = sn_slider_def_default();
    assert_int_equal(sn_constraint_place(w.world, &slider.common, ground, b, sn_v(0.0f, 0.0f, 0.0f),
                                         sn_v(0.0f, 1.0f, 0.0f)),
                     SN_OK);
    slider.common.name = "s";
    slider.limit = true;
    slider.upper = 1.0f;
    assert_int_equal(sn_slider_add(w.world, &slider, NULL), SN_OK);
    sn_scene *loaded = save_and_load(w.scene);
    for (int spring = 0; spring < 2; ++spring) {
        for (int i = 0; i < COUNT_OF(bounds); ++i) {
            sn_distance_def def;
            char name[32];
            snprintf(name, sizeof name, "d%d%d", i, spring);
            def = sn_distance_definition(sn_scene_world(loaded), joint_of(loaded, name));
            assert_true(def.lower == bounds[i][0] && def.spring_stiffness == 7.0f * (float)spring);
            assert_true(def.upper == bounds[i][1] || (isinf(bounds[i][1]) && def.upper == SN_MAX_COORDINATE));
        }
    }
    slider = sn_slider_definition(sn_scene_world(loaded), joint_of(loaded, "s"));
    assert_true(slider.limit && slider.lower == -SN_MAX_COORDINATE && slider.upper == 1.0f);
    sn_scene_destroy(loaded);
    unwrap(&w);
}

// --- anything ----------------------------------------------------------------------------------------------

static sn_hull *random_hull(test_random *random)
{
    sn_vec3 points[40];
    int count = 4 + (int)(test_random_u32(random) % 36);
    for (int i = 0; i < count; ++i) {
        points[i] = sn_add(test_random_vec3(random, 0.5f), sn_v(0.7f, 0.1f, -0.3f));
    }
    sn_hull *hull = NULL;
    assert_int_equal(sn_hull_create(points, count, 0, &hull), SN_OK);
    return hull;
}

static void add_random_shape(sn_world *world, sn_rigid body, test_random *random)
{
    sn_shape_def def = sn_shape_def_default();
    def.offset = (sn_pose){test_random_vec3(random, 1.0f), test_random_rotation(random)};
    def.density = test_random_float(random, 1.0f, 5000.0f);
    def.friction = test_random_float(random, 0.0f, 1.0f);
    sn_vec3 half = sn_add(sn_abs3(test_random_vec3(random, 1.0f)), sn_v(0.1f, 0.1f, 0.1f));
    sn_hull *hull = random_hull(random);
    sn_solid parts[2] = {{.type = SN_HULL, .pose = def.offset, .hull = hull},
                         {.type = SN_BOX, .pose = {half, test_random_rotation(random)}, .box = {half}}};
    sn_compound *compound = NULL;
    switch (test_random_u32(random) % 5) {
    case 0:
        assert_int_equal(sn_sphere_add(world, body, &def, (sn_sphere){half, half.x}, NULL), SN_OK);
        break;
    case 1:
        assert_int_equal(sn_capsule_add(world, body, &def, (sn_capsule){half, sn_neg(half), half.y}, NULL),
                         SN_OK);
        break;
    case 2:
        assert_int_equal(sn_box_add(world, body, &def, (sn_box){half}, NULL), SN_OK);
        break;
    case 3:
        assert_int_equal(sn_hull_add(world, body, &def, hull, NULL), SN_OK);
        break;
    default:
        assert_int_equal(sn_compound_create(parts, 2, &compound), SN_OK);
        assert_int_equal(sn_compound_add(world, body, &def, compound, NULL), SN_OK);
        sn_compound_destroy(compound);
        break;
    }
    sn_hull_destroy(hull);
}

static sn_rigid add_random_body(sn_world *world, test_random *random)
{
    sn_rigid_def def = sn_rigid_def_default();
    def.type = (sn_rigid_type)(test_random_u32(random) % 8 == 0 ? test_random_u32(random) % 2 : SN_DYNAMIC);
    def.position = test_random_vec3(random, test_random_float(random, 0.1f, 1000.0f));
    def.rotation = test_random_rotation(random);
    def.linear_velocity = test_random_vec3(random, 10.0f);
    def.angular_velocity = test_random_vec3(random, 10.0f);
    sn_rigid rigid;
    assert_int_equal(sn_rigid_add(world, &def, &rigid), SN_OK);
    for (uint32_t i = 0, count = test_random_u32(random) % 4; i < count; ++i) {
        add_random_shape(world, rigid, random);
    }
    return rigid;
}

static void add_random_joint(sn_world *world, sn_rigid a, sn_rigid b, test_random *random)
{
    if (sn_rigid_get_type(world, a) != SN_DYNAMIC && sn_rigid_get_type(world, b) != SN_DYNAMIC) {
        return;
    }
    sn_hinge_def hinge = sn_hinge_def_default();
    sn_pose frame = {test_random_vec3(random, 1.0f), test_random_rotation(random)};
    hinge.common.a = sn_point_rigid_frame(a, frame);
    frame = (sn_pose){test_random_vec3(random, 1.0f), test_random_rotation(random)};
    hinge.common.b = sn_point_rigid_frame(b, frame);
    hinge.limit = true;
    hinge.lower = test_random_float(random, -SN_PI, 0.0f);
    hinge.upper = test_random_float(random, 0.0f, SN_PI);
    hinge.spring_stiffness = test_random_float(random, 0.0f, 9.0f);
    hinge.spring_angle = test_random_float(random, -SN_PI, SN_PI);
    assert_int_equal(sn_hinge_add(world, &hinge, NULL), SN_OK);
}

static void test_any_world_saves_to_the_same_bytes_again(void **state)
{
    (void)state;
    test_random random = {99};
    for (int i = 0; i < 20; ++i) {
        wrapped w = wrap_new();
        sn_rigid last = sn_world_ground(w.world);
        for (int k = 0; k < 40; ++k) {
            sn_rigid body = add_random_body(w.world, &random);
            if (k % 4 == 3) {
                add_random_joint(w.world, last, body, &random);
            }
            last = body;
        }
        sn_plane plane = {test_random_direction(&random), test_random_float(&random, -1.0f, 1.0f)};
        assert_int_equal(sn_plane_add(w.world, sn_world_ground(w.world), NULL, plane, NULL), SN_OK);
        for (int k = 0; k < i % 3; ++k) {
            assert_int_equal(sn_world_step(w.world, 1.0f / 60.0f), SN_OK);
        }
        sn_scene_destroy(save_and_load(w.scene));
        unwrap(&w);
    }
}

// --- what cannot be written --------------------------------------------------------------------------------

static int no_rows(const sn_row_input *input, const void *data, sn_row *rows)
{
    (void)input;
    (void)data;
    (void)rows;
    return 0;
}

static void test_custom_constraints_cannot_be_written(void **state)
{
    (void)state;
    wrapped w = wrap_new();
    scene_folder folder = folder_make();
    scene_path path = path_in(&folder, "x.json");
    sn_rigid body = add_body(w.world, "b", sn_v(0.0f, 0.0f, 0.0f));
    assert_int_equal(sn_custom_register(w.world, "mine", no_rows, 0), SN_OK);
    sn_custom_def def = sn_custom_def_default();
    def.common.a = sn_point_rigid(sn_world_ground(w.world), sn_v(0.0f, 0.0f, 0.0f));
    def.common.b = sn_point_rigid(body, sn_v(0.0f, 0.0f, 0.0f));
    def.kind_name = "mine";
    assert_int_equal(sn_custom_add(w.world, &def, NULL), SN_OK);
    assert_int_equal(sn_scene_save(w.scene, path.text), SN_ERROR_KIND);
    assert_contains(sn_scene_error(), "the world has a custom constraint, which no scene file can hold");
    folder_remove(folder.path);
    unwrap(&w);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_bodies_that_need_a_name_get_one_that_is_free),
        cmocka_unit_test(test_names_that_files_cannot_hold_are_replaced),
        cmocka_unit_test(test_states_find_bodies_without_a_name),
        cmocka_unit_test(test_filters_without_names_keep_their_meaning),
        cmocka_unit_test(test_bounds_at_infinity_become_bounds_far_away),
        cmocka_unit_test(test_any_world_saves_to_the_same_bytes_again),
        cmocka_unit_test(test_custom_constraints_cannot_be_written),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
