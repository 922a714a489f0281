// Debug drawing: what is drawn for each kind of thing, where, in which colour, and what is left out.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include "sinew/sinew.h"
#include "support/memory.h"
#include "support/query_scene.h"
#include <string.h>

enum { MAX_LINES = 20000, CIRCLE = 24 };

typedef struct drawn_line {
    sn_vec3 a, b;
    sn_color color;
} drawn_line;

typedef struct drawing {
    int lines, points, triangles, capsules, texts;
    drawn_line line[MAX_LINES];
    sn_vec3 triangle[MAX_LINES][3];
    sn_vec3 point[64], capsule[64][2];
    float radius[64];
    sn_color point_color[64], triangle_color, capsule_color;
    char text[64][40];
    sn_vec3 text_position[64];
    sn_world *world; // to be meddled with, if not null
    sn_status meddled;
} drawing;

static drawing paper;

static void on_line(sn_vec3 a, sn_vec3 b, sn_color color, void *user)
{
    drawing *d = user;
    assert_true(d->lines < MAX_LINES && sn_vec3_is_finite(a) && sn_vec3_is_finite(b));
    d->line[d->lines++] = (drawn_line){a, b, color};
    if (d->world != NULL) {
        d->meddled = sn_world_step(d->world, 0.01f);
    }
}

static void on_point(sn_vec3 position, float size_pixels, sn_color color, void *user)
{
    drawing *d = user;
    assert_true(d->points < 64 && size_pixels > 0.0f);
    d->point_color[d->points] = color;
    d->point[d->points++] = position;
}

static void on_triangle(sn_vec3 a, sn_vec3 b, sn_vec3 c, sn_color color, void *user)
{
    drawing *d = user;
    assert_true(d->triangles < MAX_LINES);
    d->triangle[d->triangles][0] = a;
    d->triangle[d->triangles][1] = b;
    d->triangle[d->triangles++][2] = c;
    d->triangle_color = color;
}

static void on_capsule(sn_vec3 a, sn_vec3 b, float radius, sn_color color, void *user)
{
    drawing *d = user;
    assert_true(d->capsules < 64);
    d->radius[d->capsules] = radius;
    d->capsule[d->capsules][0] = a;
    d->capsule[d->capsules++][1] = b;
    d->capsule_color = color;
}

static void on_text(sn_vec3 position, const char *text, sn_color color, void *user)
{
    drawing *d = user;
    (void)color;
    assert_true(d->texts < 64 && strlen(text) < 40);
    d->text_position[d->texts] = position;
    strcpy(d->text[d->texts++], text);
}

// All callbacks but that for capsules; nothing wanted yet.
static sn_draw pencils(void)
{
    paper = (drawing){0};
    sn_draw draw = sn_draw_default();
    draw.line = on_line;
    draw.point = on_point;
    draw.triangle = on_triangle;
    draw.text = on_text;
    draw.user = &paper;
    draw.shapes = draw.constraints = false;
    return draw;
}

static sn_draw outlines(void)
{
    sn_draw draw = pencils();
    draw.shapes = true;
    return draw;
}

static sn_world *empty_world(void)
{
    sn_world_def def = sn_world_def_default();
    sn_world *world;
    assert_int_equal(sn_world_create(&def, &world), SN_OK);
    return world;
}

static sn_rigid body_at(sn_world *world, sn_rigid_type type, sn_vec3 position, const char *name)
{
    sn_rigid_def def = sn_rigid_def_default();
    def.type = type;
    def.position = position;
    def.rotation = sn_quat_axis_angle(sn_v(0.6f, 0.0f, 0.8f), 0.7f);
    def.name = name;
    sn_rigid rigid;
    assert_int_equal(sn_rigid_add(world, &def, &rigid), SN_OK);
    return rigid;
}

static void assert_vec3_near(sn_vec3 a, sn_vec3 b, float tolerance)
{
    assert_true(sn_length(sn_sub(a, b)) <= tolerance);
}

static bool has_line(sn_vec3 a, sn_vec3 b)
{
    for (int i = 0; i < paper.lines; ++i) {
        const drawn_line *line = &paper.line[i];
        if ((sn_distance_between(line->a, a) < 1.0e-5f && sn_distance_between(line->b, b) < 1.0e-5f) ||
            (sn_distance_between(line->a, b) < 1.0e-5f && sn_distance_between(line->b, a) < 1.0e-5f)) {
            return true;
        }
    }
    return false;
}

// Every line and triangle corner lies on shape 0, and triangles look outwards from `inner`.
static void assert_drawn_on_surface(const sn_world *world, float tolerance, sn_vec3 inner)
{
    for (int i = 0; i < paper.lines; ++i) {
        assert_true(fabs(oracle_distance(world, 0, vec3d_from(paper.line[i].a))) < tolerance);
        assert_true(fabs(oracle_distance(world, 0, vec3d_from(paper.line[i].b))) < tolerance);
    }
    for (int i = 0; i < paper.triangles; ++i) {
        const sn_vec3 *t = paper.triangle[i];
        sn_vec3 normal = sn_cross(sn_sub(t[1], t[0]), sn_sub(t[2], t[0]));
        assert_true(sn_dot(normal, sn_sub(t[0], inner)) > 0.0f);
        for (int k = 0; k < 3; ++k) {
            assert_true(fabs(oracle_distance(world, 0, vec3d_from(t[k]))) < tolerance);
        }
    }
}

// --- shapes --------------------------------------------------------------------------------------

static void test_the_default_draws_shapes_and_constraints_with_nothing(void **state)
{
    (void)state;
    sn_draw draw = sn_draw_default();
    assert_true(draw.shapes && draw.constraints);
    assert_false(draw.solid || draw.bounds || draw.contacts || draw.contact_forces || draw.mass_centers ||
                 draw.islands || draw.names);
    assert_true(draw.force_scale == 0.001f);
    assert_true(!draw.line && !draw.point && !draw.triangle && !draw.capsule && !draw.text && !draw.user);
}

static void test_an_empty_world_draws_nothing(void **state)
{
    (void)state;
    sn_world *world = empty_world();
    sn_draw draw = outlines();
    draw.solid = draw.bounds = draw.constraints = draw.contacts = draw.contact_forces = true;
    draw.mass_centers = draw.islands = draw.names = true;
    assert_int_equal(sn_world_draw(world, &draw), SN_OK);
    assert_int_equal(paper.lines + paper.points + paper.triangles + paper.texts, 0);
    sn_world_destroy(world);
}

static void test_a_box_has_twelve_edges_and_twelve_triangles(void **state)
{
    (void)state;
    sn_world *world = empty_world();
    sn_rigid rigid = body_at(world, SN_DYNAMIC, sn_v(1.0f, 2.0f, 3.0f), NULL);
    sn_box_add(world, rigid, NULL, (sn_box){{0.5f, 1.0f, 2.0f}}, NULL);
    sn_draw draw = outlines();
    draw.solid = true;
    assert_int_equal(sn_world_draw(world, &draw), SN_OK);
    assert_int_equal(paper.lines, 12);
    assert_int_equal(paper.triangles, 12);
    sn_pose pose = sn_rigid_pose(world, rigid);
    for (int i = 0; i < 8; ++i) {
        sn_vec3 corner = sn_v(i & 1 ? 0.5f : -0.5f, i & 2 ? 1.0f : -1.0f, i & 4 ? 2.0f : -2.0f);
        sn_vec3 along_x = sn_v(-corner.x, corner.y, corner.z);
        assert_true(has_line(sn_pose_apply(pose, corner), sn_pose_apply(pose, along_x)));
    }
    assert_drawn_on_surface(world, 1.0e-5f, pose.position);
    sn_world_destroy(world);
}

static void test_a_sphere_has_three_circles(void **state)
{
    (void)state;
    sn_world *world = empty_world();
    sn_rigid rigid = body_at(world, SN_DYNAMIC, sn_v(1.0f, 2.0f, 3.0f), NULL);
    sn_sphere_add(world, rigid, NULL, (sn_sphere){{0.1f, 0.2f, 0.3f}, 0.5f}, NULL);
    sn_draw draw = outlines();
    draw.solid = true;
    assert_int_equal(sn_world_draw(world, &draw), SN_OK);
    sn_vec3 center = sn_pose_apply(sn_rigid_pose(world, rigid), sn_v(0.1f, 0.2f, 0.3f));
    assert_int_equal(paper.lines, 3 * CIRCLE);
    assert_int_equal(paper.triangles, CIRCLE * (CIRCLE - 2));
    assert_drawn_on_surface(world, 1.0e-5f, center);
    for (int i = 0; i < 3; ++i) { // closed, in a plane through the centre
        const drawn_line *circle = &paper.line[i * CIRCLE];
        sn_vec3 axis = sn_cross(sn_sub(circle[0].a, center), sn_sub(circle[CIRCLE / 4].a, center));
        assert_vec3_near(circle[0].a, circle[CIRCLE - 1].b, 1.0e-6f);
        for (int k = 0; k < CIRCLE; ++k) {
            assert_true(sn_abs(sn_dot(axis, sn_sub(circle[k].a, center))) < 1.0e-6f);
        }
    }
    sn_world_destroy(world);
}

static void test_a_capsule_has_circles_caps_and_sides(void **state)
{
    (void)state;
    sn_world *world = empty_world();
    sn_rigid rigid = body_at(world, SN_DYNAMIC, sn_v(1.0f, 2.0f, 3.0f), NULL);
    sn_capsule_add(world, rigid, NULL, (sn_capsule){{-1, 0, 0.5f}, {1, 0.5f, 0}, 0.5f}, NULL);
    sn_draw draw = outlines();
    draw.solid = true;
    assert_int_equal(sn_world_draw(world, &draw), SN_OK);
    assert_int_equal(paper.lines, 2 * (CIRCLE + 2 * CIRCLE / 2) + 4);
    assert_int_equal(paper.triangles, CIRCLE * CIRCLE);
    assert_drawn_on_surface(world, 1.0e-5f, sn_rigid_center(world, rigid));
    sn_world_destroy(world);
}

static void test_the_capsule_callback_takes_round_shapes_whole(void **state)
{
    (void)state;
    sn_world *world = empty_world();
    sn_rigid rigid = body_at(world, SN_KINEMATIC, sn_v(1.0f, 2.0f, 3.0f), NULL);
    sn_sphere_add(world, rigid, NULL, (sn_sphere){{0.1f, 0.2f, 0.3f}, 0.5f}, NULL);
    sn_capsule_add(world, rigid, NULL, (sn_capsule){{-1, 0, 0}, {1, 0, 0}, 0.25f}, NULL);
    sn_box_add(world, rigid, NULL, (sn_box){{1, 1, 1}}, NULL);
    sn_draw draw = outlines();
    draw.capsule = on_capsule;
    draw.solid = true;
    assert_int_equal(sn_world_draw(world, &draw), SN_OK);
    sn_pose pose = sn_rigid_pose(world, rigid);
    assert_int_equal(paper.capsules, 2);
    assert_int_equal(paper.lines, 12);
    assert_int_equal(paper.triangles, 12);
    assert_memory_equal(&paper.capsule[0][0], &paper.capsule[0][1], sizeof(sn_vec3));
    assert_vec3_near(paper.capsule[0][0], sn_pose_apply(pose, sn_v(0.1f, 0.2f, 0.3f)), 1.0e-6f);
    assert_vec3_near(paper.capsule[1][0], sn_pose_apply(pose, sn_v(-1, 0, 0)), 1.0e-6f);
    assert_vec3_near(paper.capsule[1][1], sn_pose_apply(pose, sn_v(1, 0, 0)), 1.0e-6f);
    assert_true(paper.radius[0] == 0.5f && paper.radius[1] == 0.25f);
    assert_int_equal(paper.capsule_color, 0x4a90d9);
    draw = pencils();
    draw.capsule = on_capsule;
    assert_int_equal(sn_world_draw(world, &draw), SN_OK);
    assert_int_equal(paper.capsules, 0);
    sn_world_destroy(world);
}

static void test_hulls_and_compounds_draw_every_edge_and_face(void **state)
{
    (void)state;
    sn_world *world = empty_world();
    sn_hull *prism;
    assert_int_equal(sn_hull_cylinder(1.0f, 0.5f, 0.5f, 6, &prism), SN_OK);
    sn_solid parts[2] = {{.type = SN_HULL, .pose = sn_pose_identity, .hull = prism},
                         {.type = SN_BOX, .pose = {{3, 0, 0}, sn_quat_identity}, .box = {{1, 1, 1}}}};
    sn_compound *compound;
    assert_int_equal(sn_compound_create(parts, 2, &compound), SN_OK);
    sn_rigid rigid = body_at(world, SN_DYNAMIC, sn_v(1, 2, 3), NULL);
    sn_shape shape;
    sn_hull_add(world, rigid, NULL, prism, &shape);
    sn_draw draw = outlines();
    draw.solid = true;
    assert_int_equal(sn_world_draw(world, &draw), SN_OK);
    assert_int_equal(paper.lines, 18);
    assert_int_equal(paper.triangles, 4 + 4 + 12);
    assert_drawn_on_surface(world, 1.0e-5f, sn_rigid_center(world, rigid));
    sn_shape_remove(world, shape);
    sn_compound_add(world, rigid, NULL, compound, NULL);
    draw = outlines();
    assert_int_equal(sn_world_draw(world, &draw), SN_OK);
    assert_int_equal(paper.lines, 18 + 12);
    assert_drawn_on_surface(world, 1.0e-5f, sn_v(0, 0, 0));
    sn_world_destroy(world);
    sn_hull_destroy(prism);
    sn_compound_destroy(compound);
}

static void test_a_plane_is_a_grid_where_it_is_nearest(void **state)
{
    (void)state;
    sn_world *world = empty_world();
    sn_rigid rigid = body_at(world, SN_STATIC, sn_v(5.0f, 6.0f, 7.0f), NULL);
    sn_plane_add(world, rigid, NULL, (sn_plane){{1.0f, 2.0f, 3.0f}, 4.0f}, NULL);
    sn_draw draw = outlines();
    draw.solid = draw.bounds = true;
    assert_int_equal(sn_world_draw(world, &draw), SN_OK);
    assert_int_equal(paper.lines, 2 * 11 + 1); // and no box, which would be endless
    assert_int_equal(paper.triangles, 2);
    drawn_line normal = paper.line[--paper.lines];
    sn_vec3 up = sn_sub(normal.b, normal.a);
    assert_true(sn_abs(sn_length(up) - 1.0f) < 1.0e-5f);
    assert_true(sn_length(sn_cross(normal.a, up)) < 1.0e-4f); // nearest to the origin
    assert_drawn_on_surface(world, 1.0e-4f, sn_sub(normal.a, up));
    sn_world_destroy(world);
}

static void test_a_surface_draws_every_edge_flat_ones_once(void **state)
{
    (void)state;
    sn_world *world = empty_world();
    // A 3 × 3 grid of flat squares, numbered so that open edges run both up and down.
    sn_vec3 corners[16];
    uint32_t triangles[54];
    int count = 0;
    for (int i = 0; i < 16; ++i) {
        corners[i] = sn_v((float)(i % 4), 0.0f, (float)(i / 4));
    }
    for (uint32_t i = 0; i < 11; ++i) {
        if (i % 4 < 3) {
            const uint32_t two[6] = {i, i + 4, i + 1, i + 1, i + 4, i + 5};
            memcpy(triangles + count, two, sizeof two);
            count += 6;
        }
    }
    sn_surface *sheet;
    assert_int_equal(sn_surface_create(corners, 16, triangles, count / 3, false, &sheet), SN_OK);
    sn_surface_add(world, sn_world_ground(world), NULL, sheet, NULL);
    sn_draw draw = outlines();
    draw.solid = true;
    assert_int_equal(sn_world_draw(world, &draw), SN_OK);
    assert_int_equal(paper.triangles, 18);
    assert_int_equal(paper.lines, 12 + 12 + 9);
    for (int i = 0; i < 16; ++i) {
        assert_true(i % 4 == 3 || has_line(corners[i], corners[i + 1]));
        assert_true(i / 4 == 3 || has_line(corners[i], corners[i + 4]));
        assert_true(i % 4 == 3 || i / 4 == 3 || has_line(corners[i + 1], corners[i + 4]));
    }
    assert_drawn_on_surface(world, 1.0e-6f, sn_v(1.0f, -1.0f, 1.0f));
    sn_world_destroy(world);
    sn_surface_destroy(sheet);
}

static void test_bounds_are_boxes_around_shapes(void **state)
{
    (void)state;
    sn_world *world = empty_world();
    sn_rigid rigid = body_at(world, SN_DYNAMIC, sn_v(1.0f, 2.0f, 3.0f), NULL);
    sn_shape shape;
    sn_box_add(world, rigid, NULL, (sn_box){{0.5f, 1.0f, 2.0f}}, &shape);
    sn_draw draw = pencils();
    draw.bounds = true;
    assert_int_equal(sn_world_draw(world, &draw), SN_OK);
    sn_bounds bounds = sn_shape_bounds(world, shape);
    sn_vec3 l = bounds.lower, u = bounds.upper;
    assert_int_equal(paper.lines, 12);
    assert_true(has_line(l, sn_v(u.x, l.y, l.z)) && has_line(l, sn_v(l.x, u.y, l.z)) &&
                has_line(l, sn_v(l.x, l.y, u.z)) && has_line(u, sn_v(l.x, u.y, u.z)));
    sn_world_destroy(world);
}

// --- colours -------------------------------------------------------------------------------------

static void test_colours_tell_the_state_of_a_body(void **state)
{
    (void)state;
    sn_world *world = empty_world();
    const struct {
        sn_rigid_type type;
        bool asleep, frozen;
        sn_color color;
    } cases[] = {{SN_STATIC, false, false, 0x9e9e9e},
                 {SN_KINEMATIC, false, false, 0x4a90d9},
                 {SN_DYNAMIC, false, false, 0xf5a623},
                 {SN_DYNAMIC, true, false, 0x6b5536},
                 {SN_DYNAMIC, false, true, 0xe02020}};
    for (int i = 0; i < 5; ++i) {
        sn_rigid rigid = body_at(world, cases[i].type, sn_v(10.0f * (float)i, 0, 0), NULL);
        sn_box_add(world, rigid, NULL, (sn_box){{1, 1, 1}}, NULL);
        if (cases[i].asleep) {
            assert_int_equal(sn_rigid_awake_set(world, rigid, false), SN_OK);
        }
        sn_world_body(world, rigid)->frozen = cases[i].frozen;
    }
    sn_draw draw = outlines();
    assert_int_equal(sn_world_draw(world, &draw), SN_OK);
    assert_int_equal(paper.lines, 5 * 12);
    for (int i = 0; i < paper.lines; ++i) {
        assert_int_equal(paper.line[i].color, cases[i / 12].color);
    }
    sn_world_destroy(world);
}

static void test_islands_share_a_colour(void **state)
{
    (void)state;
    sn_world *world = empty_world();
    sn_rigid bodies[6];
    for (int i = 0; i < 6; ++i) {
        bodies[i] = body_at(world, i == 5 ? SN_KINEMATIC : SN_DYNAMIC, sn_v(10.0f * (float)i, 0, 0), NULL);
        sn_box_add(world, bodies[i], NULL, (sn_box){{1, 1, 1}}, NULL);
    }
    // Tied: 0 with 2, 3 with 4; both 0 and 1 with the kinematic one, which ties nothing together.
    const int ties[4][2] = {{0, 2}, {4, 3}, {0, 5}, {1, 5}};
    for (int i = 0; i < 4; ++i) {
        sn_distance_def def = sn_distance_def_default();
        sn_vec3 a = sn_rigid_position(world, bodies[ties[i][0]]);
        sn_vec3 b = sn_rigid_position(world, bodies[ties[i][1]]);
        sn_constraint_place_points(world, &def.common, bodies[ties[i][0]], bodies[ties[i][1]], a, b);
        assert_int_equal(sn_distance_add(world, &def, NULL), SN_OK);
    }
    assert_int_equal(sn_rigid_awake_set(world, bodies[3], false), SN_OK);
    sn_draw draw = outlines();
    draw.islands = true;
    assert_int_equal(sn_world_draw(world, &draw), SN_OK);
    sn_color colors[6];
    for (int i = 0; i < 6; ++i) {
        colors[i] = paper.line[12 * i].color;
    }
    assert_int_equal(colors[0], colors[2]);
    assert_int_equal(colors[3], colors[4]);
    assert_int_not_equal(colors[0], colors[1]);
    assert_int_not_equal(colors[0], colors[3]);
    assert_int_not_equal(colors[1], colors[3]);
    assert_int_equal(colors[5], 0x4a90d9);
    assert_int_equal(colors[3] & 0x808080, 0); // asleep, dark
    assert_int_equal(colors[4] & 0x808080, 0);
    sn_world_destroy(world);
}

static void test_islands_without_memory_draw_nothing(void **state)
{
    (void)state;
    sn_world *world = empty_world();
    sn_box_add(world, sn_world_ground(world), NULL, (sn_box){{1, 1, 1}}, NULL);
    sn_draw draw = outlines();
    draw.islands = true;
    test_memory_allow(0);
    assert_int_equal(sn_world_draw(world, &draw), SN_ERROR_MEMORY);
    test_memory_allow_all();
    assert_int_equal(paper.lines, 0);
    assert_int_equal(sn_world_draw(world, &draw), SN_OK);
    assert_int_equal(paper.lines, 12);
    sn_world_destroy(world);
}

// --- constraints ---------------------------------------------------------------------------------

// A box tied to the ground at a point half a metre above its middle; its size makes frames 0.5 m large.
static sn_rigid hanging_box(sn_world *world, sn_constraint_common *common)
{
    sn_rigid_def def = sn_rigid_def_default();
    sn_rigid rigid;
    assert_int_equal(sn_rigid_add(world, &def, &rigid), SN_OK);
    sn_sphere_add(world, rigid, NULL, (sn_sphere){{0, 0, 0}, 1.0f}, NULL);
    assert_int_equal(
        sn_constraint_place(world, common, sn_world_ground(world), rigid, sn_v(0, 0.5f, 0), sn_v(1, 0, 0)),
        SN_OK);
    return rigid;
}

static sn_draw constraints_only(void)
{
    sn_draw draw = pencils();
    draw.constraints = true;
    return draw;
}

static void test_a_hinge_shows_frames_link_axis_and_stops(void **state)
{
    (void)state;
    sn_world *world = empty_world();
    sn_hinge_def def = sn_hinge_def_default();
    (void)hanging_box(world, &def.common);
    sn_constraint hinge;
    assert_int_equal(sn_hinge_add(world, &def, &hinge), SN_OK);
    sn_draw draw = constraints_only();
    assert_int_equal(sn_world_draw(world, &draw), SN_OK);
    sn_vec3 at = sn_v(0, 0.5f, 0);
    assert_int_equal(paper.lines, 3 + 3 + 1 + 1 + 1); // axes twice, arm of the box, link, axis
    assert_true(has_line(at, sn_v(0.5f, 0.5f, 0)) && has_line(at, sn_v(0, 1, 0)) &&
                has_line(at, sn_v(0, 0.5f, 0.5f)));
    assert_true(has_line(sn_v(0, 0, 0), at));
    assert_true(has_line(sn_v(-0.5f, 0.5f, 0), sn_v(0.5f, 0.5f, 0)));
    def.limit = true;
    def.lower = -0.5f * SN_PI;
    def.upper = 0.25f * SN_PI;
    assert_int_equal(sn_hinge_set(world, hinge, &def), SN_OK);
    draw = constraints_only();
    assert_int_equal(sn_world_draw(world, &draw), SN_OK);
    assert_int_equal(paper.lines, 11);
    assert_true(has_line(at, sn_v(0, 0.5f, -0.5f)));
    assert_true(has_line(at, sn_v(0, 0.5f + 0.35355339f, 0.35355339f)));
    draw = pencils();
    assert_int_equal(sn_world_draw(world, &draw), SN_OK);
    assert_int_equal(paper.lines, 0);
    sn_world_destroy(world);
}

static void test_a_slider_shows_its_rail(void **state)
{
    (void)state;
    sn_world *world = empty_world();
    sn_slider_def def = sn_slider_def_default();
    (void)hanging_box(world, &def.common);
    sn_constraint slider;
    assert_int_equal(sn_slider_add(world, &def, &slider), SN_OK);
    const struct {
        bool limit;
        float lower, upper;
        float drawn_lower, drawn_upper;
    } cases[] = {{false, -9, 9, -0.5f, 0.5f}, {true, -2, 3, -2, 3}, {true, -INFINITY, 3, -0.5f, 3}};
    for (int i = 0; i < 3; ++i) {
        def.limit = cases[i].limit;
        def.lower = cases[i].lower;
        def.upper = cases[i].upper;
        assert_int_equal(sn_slider_set(world, slider, &def), SN_OK);
        sn_draw draw = constraints_only();
        assert_int_equal(sn_world_draw(world, &draw), SN_OK);
        assert_int_equal(paper.lines, 9);
        assert_true(has_line(sn_v(cases[i].drawn_lower, 0.5f, 0), sn_v(cases[i].drawn_upper, 0.5f, 0)));
    }
    sn_world_destroy(world);
}

static void test_a_ball_joint_shows_its_cone(void **state)
{
    (void)state;
    sn_world *world = empty_world();
    sn_ball_def def = sn_ball_def_default();
    def.limit_cone = true;
    def.cone_angle = SN_PI / 3.0f;
    (void)hanging_box(world, &def.common);
    assert_int_equal(sn_ball_add(world, &def, NULL), SN_OK);
    sn_draw draw = constraints_only();
    assert_int_equal(sn_world_draw(world, &draw), SN_OK);
    assert_int_equal(paper.lines, 8 + CIRCLE + 4);
    assert_true(has_line(sn_v(0, 0.5f, 0), sn_v(0.25f, 0.5f + 0.4330127f, 0)));
    sn_world_destroy(world);
}

static int no_rows(const sn_row_input *input, const void *data, sn_row *rows)
{
    (void)input;
    (void)data;
    (void)rows;
    return 0;
}

static void test_fixed_distance_and_custom_show_frames_and_links(void **state)
{
    (void)state;
    for (int kind = 0; kind < 3; ++kind) {
        sn_world *world = empty_world();
        sn_fixed_def fixed = sn_fixed_def_default();
        sn_distance_def distance = sn_distance_def_default();
        sn_custom_def custom = sn_custom_def_default();
        sn_constraint_common *common = kind == 0   ? &fixed.common
                                       : kind == 1 ? &distance.common
                                                   : &custom.common;
        (void)hanging_box(world, common);
        common->frame_a.position = sn_v(0, 5, 0);
        common->name = "tie";
        custom.kind_name = "nothing";
        assert_int_equal(sn_custom_register(world, "nothing", no_rows, 0), SN_OK);
        assert_int_equal(kind == 0   ? sn_fixed_add(world, &fixed, NULL)
                         : kind == 1 ? sn_distance_add(world, &distance, NULL)
                                     : sn_custom_add(world, &custom, NULL),
                         SN_OK);
        sn_draw draw = constraints_only();
        draw.names = true;
        assert_int_equal(sn_world_draw(world, &draw), SN_OK);
        assert_int_equal(paper.lines, 8);
        assert_true(has_line(sn_v(0, 5, 0), sn_v(0, 0.5f, 0)));
        assert_int_equal(paper.texts, 1);
        assert_string_equal(paper.text[0], "tie");
        assert_vec3_near(paper.text_position[0], sn_v(0, 5, 0), 1.0e-6f);
        sn_world_destroy(world);
    }
}

// --- contacts, mass centres, names ---------------------------------------------------------------

// A box of 8 kg at rest on the ground.
static sn_world *resting_box(sn_rigid *rigid)
{
    sn_world *world = empty_world();
    sn_rigid_def def = sn_rigid_def_default();
    def.position = sn_v(0.0f, 0.1f, 0.0f);
    def.name = "crate";
    assert_int_equal(sn_rigid_add(world, &def, rigid), SN_OK);
    sn_box_add(world, *rigid, NULL, (sn_box){{0.1f, 0.1f, 0.1f}}, NULL);
    sn_plane_add(world, sn_world_ground(world), NULL, (sn_plane){{0, 1, 0}, 0.0f}, NULL);
    for (int i = 0; i < 20; ++i) {
        assert_int_equal(sn_world_step(world, 1.0f / 60.0f), SN_OK);
    }
    return world;
}

static void test_contacts_are_points_with_normals(void **state)
{
    (void)state;
    sn_rigid rigid;
    sn_world *world = resting_box(&rigid);
    sn_draw draw = pencils();
    draw.contacts = true;
    assert_int_equal(sn_world_draw(world, &draw), SN_OK);
    assert_int_equal(paper.points, 4);
    assert_int_equal(paper.lines, 4);
    for (int i = 0; i < 4; ++i) {
        sn_vec3 p = paper.point[i];
        assert_true(sn_abs(sn_abs(p.x) - 0.1f) < 1.0e-3f && sn_abs(p.y) < 1.0e-2f);
        assert_vec3_near(paper.line[i].a, p, 0.0f);
        assert_vec3_near(paper.line[i].b, sn_add(p, sn_v(0, 0.1f, 0)), 1.0e-6f);
        assert_true(paper.point_color[i] == 0xff3030 || paper.point_color[i] == 0x308030);
    }
    sn_world_destroy(world);
}

static void test_contact_forces_are_arrows_that_carry_the_weight(void **state)
{
    (void)state;
    sn_rigid rigid;
    sn_world *world = resting_box(&rigid);
    sn_draw draw = pencils();
    draw.contact_forces = true;
    draw.force_scale = 0.01f;
    assert_int_equal(sn_world_draw(world, &draw), SN_OK);
    assert_true(paper.lines >= 12 && paper.lines % 3 == 0);
    float lift = 0.0f;
    for (int i = 0; i < paper.lines; i += 3) {
        lift += paper.line[i].b.y - paper.line[i].a.y;
        // The head starts at the tip.
        assert_vec3_near(paper.line[i + 1].a, paper.line[i].b, 0.0f);
        assert_vec3_near(paper.line[i + 2].a, paper.line[i].b, 0.0f);
    }
    assert_true(sn_abs(lift - 0.01f * 8.0f * 9.81f) < 0.02f * 0.01f * 8.0f * 9.81f);
    draw = pencils();
    draw.contact_forces = true;
    draw.force_scale = 0.0f;
    assert_int_equal(sn_world_draw(world, &draw), SN_OK);
    assert_int_equal(paper.lines, 0);
    sn_world_destroy(world);
}

static void test_mass_centres_and_names_of_bodies(void **state)
{
    (void)state;
    sn_world *world = empty_world();
    sn_rigid crate = body_at(world, SN_DYNAMIC, sn_v(1, 2, 3), "crate");
    sn_shape_def off = sn_shape_def_default();
    off.offset.position = sn_v(0, 0.5f, 0);
    sn_box_add(world, crate, &off, (sn_box){{1, 1, 1}}, NULL);
    (void)body_at(world, SN_KINEMATIC, sn_v(4, 5, 6), "lift");
    (void)body_at(world, SN_DYNAMIC, sn_v(7, 8, 9), NULL);
    sn_draw draw = pencils();
    draw.mass_centers = draw.names = true;
    assert_int_equal(sn_world_draw(world, &draw), SN_OK);
    assert_int_equal(paper.points, 2);
    assert_vec3_near(paper.point[0], sn_rigid_center(world, crate), 0.0f);
    assert_vec3_near(paper.point[1], sn_v(7, 8, 9), 1.0e-6f);
    assert_int_equal(paper.texts, 2);
    assert_string_equal(paper.text[0], "crate");
    assert_string_equal(paper.text[1], "lift");
    assert_vec3_near(paper.text_position[0], sn_rigid_center(world, crate), 0.0f);
    assert_int_equal(paper.lines + paper.triangles, 0);
    sn_world_destroy(world);
}

// --- rules ---------------------------------------------------------------------------------------

static void test_missing_callbacks_are_skipped(void **state)
{
    (void)state;
    query_scene scene = query_scene_make(201, 12, 3.0f, true);
    sn_rigid_def bodies = sn_rigid_def_default();
    bodies.name = "named";
    sn_hinge_def hinge = sn_hinge_def_default();
    hinge.limit = true;
    (void)hanging_box(scene.world, &hinge.common);
    assert_int_equal(sn_hinge_add(scene.world, &hinge, NULL), SN_OK);
    assert_int_equal(sn_rigid_add(scene.world, &bodies, NULL), SN_OK);
    assert_int_equal(sn_world_step(scene.world, 1.0f / 60.0f), SN_OK);
    for (int mask = 0; mask < 32; ++mask) {
        sn_draw draw = outlines();
        draw.solid = draw.bounds = draw.constraints = draw.contacts = draw.contact_forces = true;
        draw.mass_centers = draw.islands = draw.names = true;
        draw.line = mask & 1 ? on_line : NULL;
        draw.point = NULL;
        draw.triangle = mask & 4 ? on_triangle : NULL;
        draw.capsule = mask & 8 ? on_capsule : NULL;
        draw.text = mask & 16 ? on_text : NULL;
        assert_int_equal(sn_world_draw(scene.world, &draw), SN_OK);
        assert_int_equal(paper.lines > 0, (mask & 1) != 0);
        assert_int_equal(paper.points, 0);
        assert_int_equal(paper.triangles > 0, (mask & 4) != 0);
        assert_int_equal(paper.capsules > 0, (mask & 8) != 0);
        assert_int_equal(paper.texts > 0, (mask & 16) != 0);
    }
    query_scene_free(&scene);
}

static void test_the_world_is_locked_while_it_is_drawn(void **state)
{
    (void)state;
    sn_world *world = empty_world();
    sn_box_add(world, sn_world_ground(world), NULL, (sn_box){{1, 1, 1}}, NULL);
    sn_draw draw = outlines();
    paper.world = world;
    assert_int_equal(sn_world_draw(world, &draw), SN_OK);
    assert_int_equal(paper.lines, 12);
    assert_int_equal(paper.meddled, SN_ERROR_LOCKED);
    assert_int_equal(sn_world_step(world, 0.01f), SN_OK);
    sn_world_destroy(world);
}

static void test_bad_requests_are_refused(void **state)
{
    (void)state;
    sn_world *world = empty_world();
    sn_box_add(world, sn_world_ground(world), NULL, (sn_box){{1, 1, 1}}, NULL);
    const struct {
        float force_scale;
        sn_status expected;
    } cases[] = {{NAN, SN_ERROR_NOT_FINITE},
                 {INFINITY, SN_ERROR_NOT_FINITE},
                 {-0.1f, SN_ERROR_RANGE},
                 {2.0e6f, SN_ERROR_RANGE},
                 {0.0f, SN_OK},
                 {1.0e6f, SN_OK}};
    sn_draw draw = outlines();
    assert_int_equal(sn_world_draw(NULL, &draw), SN_ERROR_NULL);
    assert_int_equal(sn_world_draw(world, NULL), SN_ERROR_NULL);
    assert_non_null(strstr(sn_world_error(world), "sn_world_draw: draw"));
    for (size_t i = 0; i < sizeof cases / sizeof *cases; ++i) {
        draw = outlines();
        draw.force_scale = cases[i].force_scale;
        assert_int_equal(sn_world_draw(world, &draw), cases[i].expected);
        assert_int_equal(paper.lines, cases[i].expected == SN_OK ? 12 : 0);
    }
    world->locked = true;
    assert_int_equal(sn_world_draw(world, &draw), SN_ERROR_LOCKED);
    world->locked = false;
    sn_world_destroy(world);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_the_default_draws_shapes_and_constraints_with_nothing),
        test_with_memory(test_an_empty_world_draws_nothing),
        cmocka_unit_test(test_a_box_has_twelve_edges_and_twelve_triangles),
        cmocka_unit_test(test_a_sphere_has_three_circles),
        cmocka_unit_test(test_a_capsule_has_circles_caps_and_sides),
        cmocka_unit_test(test_the_capsule_callback_takes_round_shapes_whole),
        cmocka_unit_test(test_hulls_and_compounds_draw_every_edge_and_face),
        cmocka_unit_test(test_a_plane_is_a_grid_where_it_is_nearest),
        cmocka_unit_test(test_a_surface_draws_every_edge_flat_ones_once),
        cmocka_unit_test(test_bounds_are_boxes_around_shapes),
        cmocka_unit_test(test_colours_tell_the_state_of_a_body),
        cmocka_unit_test(test_islands_share_a_colour),
        test_with_memory(test_islands_without_memory_draw_nothing),
        cmocka_unit_test(test_a_hinge_shows_frames_link_axis_and_stops),
        cmocka_unit_test(test_a_slider_shows_its_rail),
        cmocka_unit_test(test_a_ball_joint_shows_its_cone),
        cmocka_unit_test(test_fixed_distance_and_custom_show_frames_and_links),
        cmocka_unit_test(test_contacts_are_points_with_normals),
        cmocka_unit_test(test_contact_forces_are_arrows_that_carry_the_weight),
        cmocka_unit_test(test_mass_centres_and_names_of_bodies),
        test_with_memory(test_missing_callbacks_are_skipped),
        cmocka_unit_test(test_the_world_is_locked_while_it_is_drawn),
        cmocka_unit_test(test_bad_requests_are_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
