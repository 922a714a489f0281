// Signs of lattice nodes: against asking every node, and against shapes known in closed form.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "geometry/meshing/lattice_sign.h"
#include "support/lattice_rig.h"
#include "support/memory.h"

// Flooding must give what asking everywhere gives. Takes the shape.
static void assert_flood_is_right(triangle_shape shape, float cell)
{
    lattice_rig rig;
    lattice_rig_begin(&rig, shape, cell);
    sn_lattice_find_signs(&rig.lattice, &rig.winding, true);
    size_t bytes = (size_t)rig.lattice.node_count;
    int8_t *flooded = malloc(bytes);
    assert_non_null(flooded);
    memcpy(flooded, rig.lattice.sign, bytes);
    sn_lattice_find_signs(&rig.lattice, &rig.winding, false);
    assert_memory_equal(flooded, rig.lattice.sign, bytes);
    free(flooded);
    lattice_rig_end(&rig);
}

static void test_flooding_gives_what_asking_everywhere_gives(void **state)
{
    (void)state;
    static const float cells[] = {0.5f, 0.21f, 0.093f};
    for (int i = 0; i < 3; ++i) {
        assert_flood_is_right(make_bumpy_shape(16), cells[i]);
        assert_flood_is_right(make_torus_shape(1.0f, 0.3f, 12), cells[i]);
        assert_flood_is_right(make_box_shape(sn_v(1.0f, 1.0f, 1.0f)), cells[i]);
        assert_flood_is_right(join_shapes(make_sphere_shape(1.0f, 6), make_sphere_shape(0.7f, 6)), cells[i]);
    }
}

static void test_large_slanted_triangles_hide_no_node(void **state)
{
    (void)state;
    triangle_shape box = make_box_shape(sn_v(3.0f, 2.0f, 1.0f));
    place_shape(&box, 1.0f, (sn_pose){{5.0f, 6.0f, 7.0f}, sn_quat_axis_angle(sn_v(0.6f, 0.0f, 0.8f), 0.7f)});
    assert_flood_is_right(box, 0.07f);
}

static void test_nodes_of_a_box_are_inside_exactly_where_it_is(void **state)
{
    (void)state;
    lattice_rig rig;
    // No node lies on the surface.
    lattice_rig_begin(&rig, make_box_shape(sn_v(1.1f, 1.1f, 1.1f)), 0.25f);
    for (int closed = 0; closed < 2; ++closed) {
        sn_lattice_find_signs(&rig.lattice, &rig.winding, closed);
        for (int node = 0; node < rig.lattice.node_count; ++node) {
            sn_vec3 p = sn_abs3(sn_lattice_to_world(&rig.lattice, sn_lattice_position(&rig.lattice, node)));
            bool inside = p.x < 0.55f && p.y < 0.55f && p.z < 0.55f;
            assert_int_equal(rig.lattice.sign[node], inside ? 1 : -1);
        }
    }
    lattice_rig_end(&rig);
}

static void test_cavities_are_outside_only_if_their_wall_faces_them(void **state)
{
    (void)state;
    for (int faced = 0; faced < 2; ++faced) {
        triangle_shape wall = make_sphere_shape(0.5f, 8);
        if (faced) {
            turn_inside_out(&wall);
        }
        lattice_rig rig;
        lattice_rig_begin(&rig, join_shapes(make_sphere_shape(1.0f, 8), wall), 0.2f);
        sn_lattice_find_signs(&rig.lattice, &rig.winding, true);
        sn_vec3 origin = sn_lattice_from_world(&rig.lattice, sn_v(0.0f, 0.0f, 0.0f));
        for (int node = 0; node < rig.lattice.node_count; ++node) {
            if (sn_distance_between(sn_lattice_position(&rig.lattice, node), origin) < 0.45f / 0.1f) {
                assert_int_equal(rig.lattice.sign[node], faced ? -1 : 1);
            }
        }
        lattice_rig_end(&rig);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        test_with_memory(test_flooding_gives_what_asking_everywhere_gives),
        test_with_memory(test_large_slanted_triangles_hide_no_node),
        test_with_memory(test_nodes_of_a_box_are_inside_exactly_where_it_is),
        test_with_memory(test_cavities_are_outside_only_if_their_wall_faces_them),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
