// The heap of triangles of all deformables: what is in it, in which colours, in which order.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include "apps/render/drawn_skins.h"
#include "apps/render/heat.h"
#include "scene/scene_parts.h"

#include <math.h>

typedef struct fixture {
    sn_world *world;
    sn_scene *scene;
    render_options options;
    render_view view;
    drawn_skins skins;
} fixture;

static fixture open_fixture(void)
{
    fixture f = {.options = render_options_default()};
    sn_world_def def = sn_world_def_default();
    assert_int_equal(sn_world_create(&def, &f.world), SN_OK);
    assert_int_equal(sn_scene_wrap(f.world, &f.scene), SN_OK);
    sn_camera camera = {"", {0.0f, 0.0f, 10.0f}, {0.0f, 0.0f, 0.0f}, {0.0f, 1.0f, 0.0f}, 0.6f, false};
    f.view = view_make(&camera, sn_v(0.0f, 1.0f, 0.0f), 160, 90);
    return f;
}

static void close_fixture(fixture *f)
{
    drawn_skins_release(&f->skins);
    sn_scene_destroy(f->scene);
    sn_world_destroy(f->world);
}

static sn_deformable add_sheet(fixture *f, float z, sn_color color)
{
    sn_mesh *mesh;
    sn_deformable deformable;
    sn_deformable_def def = sn_deformable_def_default();
    assert_int_equal(sn_mesh_grid(1.0f, 1.0f, 2, 2, SN_GRID_FORWARD, &mesh), SN_OK);
    def.mesh = mesh;
    def.pose.position.z = z;
    assert_int_equal(sn_deformable_add(f->world, &def, &deformable), SN_OK);
    assert_true(sn_scene_paint_deformable(f->scene, deformable, color));
    sn_mesh_destroy(mesh);
    return deformable;
}

static void fill(fixture *f)
{
    assert_true(drawn_skins_fill(&f->skins, f->scene, &f->options, &f->view));
}

static sn_color color_of(const skin_vertex *vertex)
{
    return (sn_color)vertex->color[0] << 16 | (sn_color)vertex->color[1] << 8 | vertex->color[2];
}

// Front and back of 9 vertices, 8 on the rim; 8 triangles each, and 4 for each of 8 edges of the border.
enum { SHEET_VERTICES = 9 + 9 + 8, SHEET_INDICES = 3 * (8 + 8 + 4 * 8) };

static void test_an_empty_world_has_an_empty_heap(void **state)
{
    (void)state;
    fixture f = open_fixture();
    fill(&f);
    assert_int_equal(f.skins.vertices.count + f.skins.indices.count + f.skins.skins.count, 0);
    close_fixture(&f);
}

static void test_skins_follow_each_other_with_indices_of_their_own(void **state)
{
    (void)state;
    fixture f = open_fixture();
    add_sheet(&f, 0.0f, 0xff0000);
    add_sheet(&f, 1.0f, 0x00ff00);
    fill(&f);
    assert_int_equal(f.skins.vertices.count, 2 * SHEET_VERTICES);
    assert_int_equal(f.skins.indices.count, 2 * SHEET_INDICES);
    assert_int_equal(f.skins.opaque_count, 2 * SHEET_INDICES);
    for (int i = 0; i < f.skins.indices.count; ++i) {
        int sheet = i / SHEET_INDICES;
        assert_in_range(f.skins.indices.items[i], sheet * SHEET_VERTICES, (sheet + 1) * SHEET_VERTICES - 1);
    }
    // Places are relative to the eye; spheres hold all of a skin; numbers differ.
    assert_float_equal(f.skins.vertices.items[0].position.z, -10.0f + 0.005f, 1e-5f);
    for (int i = 0; i < 2; ++i) {
        const drawn_skin *skin = &f.skins.skins.items[i];
        for (int k = 0; k < SHEET_VERTICES; ++k) {
            sn_vec3 place = f.skins.vertices.items[i * SHEET_VERTICES + k].position;
            assert_true(sn_distance_between(place, skin->center) < skin->reach + 1e-5f);
        }
    }
    assert_int_not_equal(f.skins.vertices.items[0].color[3], f.skins.vertices.items[SHEET_VERTICES].color[3]);
    close_fixture(&f);
}

static void test_the_back_of_a_sheet_is_darker(void **state)
{
    (void)state;
    fixture f = open_fixture();
    add_sheet(&f, 0.0f, 0xe04020);
    fill(&f);
    const skin_vertex *front = &f.skins.vertices.items[0], *back = &f.skins.vertices.items[9];
    assert_int_equal(color_of(front), 0xe04020);
    assert_true(back->color[0] < front->color[0] && back->color[0] > back->color[1]);
    assert_float_equal(back->normal.z, -1.0f, 1e-5f);
    assert_float_equal(3.0f * front->material, (float)SKIN_CLOTH, 1e-6f);
    close_fixture(&f);
}

static void test_clear_skins_come_last_and_from_far_to_near(void **state)
{
    (void)state;
    fixture f = open_fixture();
    sn_deformable near_one = add_sheet(&f, 0.5f, 0xff0000), far_one = add_sheet(&f, -3.0f, 0x00ff00);
    add_sheet(&f, 0.0f, 0x0000ff);
    assert_true(sn_scene_set_opacity(f.scene, near_one, 0.5f));
    assert_true(sn_scene_set_opacity(f.scene, far_one, 0.25f));
    fill(&f);
    assert_int_equal(f.skins.opaque_count, SHEET_INDICES);
    assert_int_equal(f.skins.indices.count, 3 * SHEET_INDICES);
    assert_int_equal(f.skins.clear_skins.count, 2);
    const float opacities[2] = {0.25f, 0.5f};
    for (int i = 0; i < 2; ++i) {
        const clear_skin *skin = &f.skins.clear_skins.items[i];
        assert_int_equal(skin->count, SHEET_INDICES);
        assert_true(skin->first >= SHEET_INDICES);
        const skin_vertex *vertex = &f.skins.vertices.items[f.skins.indices.items[skin->first]];
        assert_float_equal(vertex->material, opacities[i], 0.0f);
    }
    close_fixture(&f);
}

static void test_numbers_become_colours(void **state)
{
    (void)state;
    fixture f = open_fixture();
    f.options.heat = RENDER_SPEED;
    sn_deformable sheet = add_sheet(&f, 0.0f, 0x808080);
    sn_node_state *nodes;
    sn_node_velocity *velocities;
    assert_int_equal(sn_deformable_edit(f.world, sheet, &nodes, &velocities), SN_OK);
    for (int i = 0; i < 9; ++i) {
        velocities[i].velocity = sn_v((float)i, 0.0f, 0.0f);
    }
    fill(&f);
    assert_float_equal(f.skins.skins.items[0].heat, 8.0f, 1e-6f);
    assert_int_equal(f.skins.heats.count, SHEET_VERTICES);
    drawn_skins_paint(&f.skins, 8.0f);
    const kept_skin *kept = &f.skins.kept.items[sheet.index];
    for (int i = 0; i < SHEET_VERTICES; ++i) {
        float speed = (float)kept->skin.sources[i].from;
        assert_int_equal(color_of(&f.skins.vertices.items[i]), heat_color(speed / 8.0f));
    }
    close_fixture(&f);
}

static void test_a_skin_is_kept_until_its_deformable_is_another(void **state)
{
    (void)state;
    fixture f = open_fixture();
    sn_deformable sheet = add_sheet(&f, 0.0f, 0x808080);
    fill(&f);
    const uint32_t *kept = f.skins.kept.items[sheet.index].skin.indices;
    fill(&f);
    assert_ptr_equal(f.skins.kept.items[sheet.index].skin.indices, kept);
    assert_int_equal(sn_deformable_remove(f.world, sheet), SN_OK);
    sn_mesh *mesh;
    sn_deformable_def def = sn_deformable_def_default();
    assert_int_equal(sn_mesh_line(1.0f, 3, &mesh), SN_OK);
    def.mesh = mesh;
    sn_deformable strand;
    assert_int_equal(sn_deformable_add(f.world, &def, &strand), SN_OK);
    sn_mesh_destroy(mesh);
    assert_int_equal(strand.index, sheet.index);
    fill(&f);
    assert_int_equal(f.skins.vertices.count, f.skins.kept.items[strand.index].skin.vertex_count);
    assert_int_not_equal(f.skins.vertices.count, SHEET_VERTICES);
    close_fixture(&f);
}

static void test_what_is_nowhere_is_left_out(void **state)
{
    (void)state;
    fixture f = open_fixture();
    sn_deformable lost = add_sheet(&f, 0.0f, 0x808080);
    add_sheet(&f, 1.0f, 0x808080);
    sn_node_state *nodes;
    sn_node_velocity *velocities;
    assert_int_equal(sn_deformable_edit(f.world, lost, &nodes, &velocities), SN_OK);
    nodes[0].position.x = INFINITY;
    fill(&f);
    assert_int_equal(f.skins.skins.count, 1);
    assert_int_equal(f.skins.vertices.count, SHEET_VERTICES);
    close_fixture(&f);
}

static void test_large_triangles_are_divided_but_not_under_wires(void **state)
{
    (void)state;
    fixture f = open_fixture();
    add_sheet(&f, 9.0f, 0xff0000); // a metre before the eye
    fill(&f);
    assert_true(f.skins.indices.count >= 4 * SHEET_INDICES);
    for (int i = 0; i < f.skins.indices.count; ++i) {
        assert_in_range(f.skins.indices.items[i], 0, f.skins.vertices.count - 1);
    }
    f.options.heat = RENDER_SPEED;
    fill(&f);
    assert_int_equal(f.skins.heats.count, f.skins.vertices.count);
    f.options.heat = RENDER_COLORS;
    f.options.wireframe = true;
    fill(&f);
    assert_int_equal(f.skins.indices.count, 3 * 8); // no thickness either
    close_fixture(&f);
}

static void test_threads_show_but_not_under_numbers(void **state)
{
    (void)state;
    fixture f = open_fixture();
    add_sheet(&f, 0.0f, 0xff0000);
    fill(&f);
    assert_float_equal(f.skins.vertices.items[0].grain[3], 1.0f, 0.0f);
    // As many threads from one corner to the other as along any sheet.
    assert_true(fabsf(f.skins.vertices.items[0].grain[0] - f.skins.vertices.items[8].grain[0]) > 100.0f);
    f.options.heat = RENDER_SPEED;
    fill(&f);
    assert_float_equal(f.skins.vertices.items[0].grain[3], 0.0f, 0.0f);
    close_fixture(&f);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_an_empty_world_has_an_empty_heap),
        cmocka_unit_test(test_skins_follow_each_other_with_indices_of_their_own),
        cmocka_unit_test(test_the_back_of_a_sheet_is_darker),
        cmocka_unit_test(test_large_triangles_are_divided_but_not_under_wires),
        cmocka_unit_test(test_threads_show_but_not_under_numbers),
        cmocka_unit_test(test_clear_skins_come_last_and_from_far_to_near),
        cmocka_unit_test(test_numbers_become_colours),
        cmocka_unit_test(test_a_skin_is_kept_until_its_deformable_is_another),
        cmocka_unit_test(test_what_is_nowhere_is_left_out),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
