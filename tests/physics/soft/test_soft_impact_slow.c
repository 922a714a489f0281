// Soft jellies that hit each other hard turn inside out, and are right again within half a second.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "support/soft_kit.h"

enum { MOST_ELEMENTS = 4000 };

typedef struct impact {
    float young, speed, off_y, off_z;
} impact;

// Six times the volume of an element.
static float volume_of(const sn_node_state *nodes, const uint32_t *corners)
{
    sn_vec3 p = nodes[corners[0]].position, edges[3];
    for (int k = 0; k < 3; ++k) {
        edges[k] = sn_sub(nodes[corners[k + 1]].position, p);
    }
    return sn_dot(edges[0], sn_cross(edges[1], edges[2]));
}

// How long an element was inside out at once, at most. [s]
static float longest_inversion(impact impact)
{
    const float step = 0.02f;
    static float since[2][MOST_ELEMENTS];
    sn_world *world = soft_restless_world();
    sn_mesh *mesh;
    sn_deformable jellies[2];
    float longest = 0.0f;
    assert_ok(sn_world_gravity_set(world, sn_v(0.0f, 0.0f, 0.0f)));
    assert_ok(sn_mesh_sphere(0.15f, 3, &mesh));
    assert_true(sn_mesh_tetrahedron_count(mesh) <= MOST_ELEMENTS);
    for (int i = 0; i < 2; ++i) {
        sn_deformable_def def = soft_def(mesh, sn_v(-0.25f, 0.0f, 0.0f));
        def.collide = true;
        def.model = sn_model_corotational(impact.young, 0.45f);
        def.model.damping = 0.02f;
        def.linear_velocity = sn_v(0.5f * impact.speed, 0.0f, 0.0f);
        if (i == 1) {
            def.pose.position = sn_v(0.25f, impact.off_y, impact.off_z);
            def.linear_velocity = sn_neg(def.linear_velocity);
        }
        jellies[i] = soft_add(world, &def);
    }
    for (int k = 0; k < 2 * MOST_ELEMENTS; ++k) {
        since[k / MOST_ELEMENTS][k % MOST_ELEMENTS] = 0.0f;
    }
    for (int i = 1; i <= 60; ++i) {
        assert_ok(sn_world_step(world, step));
        for (int k = 0; k < 2 * sn_mesh_tetrahedron_count(mesh); ++k) {
            const sn_node_state *nodes = sn_deformable_nodes(world, jellies[k % 2]);
            float *outward = &since[k % 2][k / 2], now = step * (float)i;
            *outward = volume_of(nodes, sn_mesh_tetrahedra(mesh) + 4 * (k / 2)) > 0.0f ? now : *outward;
            longest = sn_max(longest, now - *outward);
        }
    }
    sn_mesh_destroy(mesh);
    sn_world_destroy(world);
    return longest;
}

static void test_jellies_come_back_within_half_a_second(void **state)
{
    (void)state;
    const impact impacts[] = {{5.0e3f, 50.0f, 0.05f, 0.0f},
                              {2.0e3f, 40.0f, 0.1f, 0.06f},
                              {1.3e3f, 20.0f, -0.1f, 0.06f},
                              {2.8e3f, 23.0f, 0.08f, -0.07f},
                              {1.8e3f, 12.0f, 0.05f, 0.07f}};
    for (size_t i = 0; i < sizeof impacts / sizeof *impacts; ++i) {
        float longest = longest_inversion(impacts[i]);
        if (!(longest <= 0.5f)) {
            fail_msg("%g Pa at %g m/s: inside out for %g s", (double)impacts[i].young,
                     (double)impacts[i].speed, (double)longest);
        }
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_jellies_come_back_within_half_a_second)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
