// Every kind of exact anchor under every integrator, for 10,000 steps, where it is hard: a row of stiff cubes
// held together by all of them, shaken by its nails and by a hand that turns, above a floor that it hits,
// with balls that fall on it. Ends stay together to four units in the last place of the largest coordinate; a
// row that flies keeps its momentum; what is nailed stands after two steps.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include "support/exact_kit.h"
#include <math.h>

enum { STEPS = 10000, FLIGHT = 500, CUBES = 9, MOST_ANCHORS = 64 };
#define STEP 0.001f
#define EDGE 0.2f

static const char *const integrators[SN_INTEGRATOR_COUNT] = {
    "Euler-Cromer", "explicit Euler", "midpoint", "Heun", "Verlet", "implicit Euler"};

static const sn_vec3 middle = {5.0f, 0.35f, -6.0f};

typedef struct row {
    sn_world *world;
    sn_deformable cubes[CUBES];
    sn_rigid box, hand; // dynamic, kinematic
    sn_anchor nails[2];
    sn_vec3 nail_places[2];
} row;

// --- building ----------------------------------------------------------------------------------------------

// Nodes of a cube by corner: x, y, z are 0 or 1.
static int corner(int x, int y, int z)
{
    return (z * 2 + y) * 2 + x;
}

static sn_deformable add_cube(sn_world *world, sn_integrator integrator, bool is_free, sn_vec3 place)
{
    sn_mesh *mesh = NULL;
    assert_ok(sn_mesh_box(sn_v(EDGE, EDGE, EDGE), 1, 1, 1, &mesh));
    sn_deformable_def def = sn_deformable_def_default();
    def.mesh = mesh;
    def.mass = 0.1f;
    def.pose.position = place;
    def.model =
        (sn_model){.type = SN_MODEL_ENERGY, .stiffness = 1.0f, .volume_stiffness = 1.0f, .damping = 0.0003f};
    def.integrator = integrator;
    // The explicit Euler scheme makes more energy than the model takes away.
    bool gains = integrator == SN_INTEGRATOR_EXPLICIT_EULER;
    def.linear_damping = is_free ? 0.0f : gains ? 20.0f : 0.5f;
    def.model.damping = is_free && gains ? 0.003f : def.model.damping;
    def.collide = !is_free; // contacts round, too
    def.linear_velocity = is_free ? sn_v(1.0f, -2.0f, 0.5f) : sn_v(0.0f, 0.0f, 0.0f);
    sn_deformable cube = soft_add(world, &def);
    sn_mesh_destroy(mesh);
    return cube;
}

static sn_vec3 cube_place(int index)
{
    return sn_add(middle, sn_v(EDGE * (float)index, 0.0f, 0.0f));
}

// The face of a cube that looks at the next one, and that one's which looks back: corner by corner.
static sn_point right_corner(const row *r, int cube, int i)
{
    return sn_point_node(r->cubes[cube], corner(1, i % 2, i / 2));
}
static sn_point left_corner(const row *r, int cube, int i)
{
    return sn_point_node(r->cubes[cube], corner(0, i % 2, i / 2));
}

// A sum of the first nodes of a face and, for four, one behind it.
static sn_point sum_of(const row *r, int cube, int x, int count)
{
    static const float weights[5][4] = {
        {0}, {1.0f}, {0.7f, 0.3f}, {0.5f, 0.2f, 0.3f}, {0.4f, 0.1f, 0.3f, 0.2f}};
    const int nodes[4] = {corner(x, 1, 0), corner(x, 1, 1), corner(x, 0, 0), corner(1 - x, 1, 1)};
    return sn_point_nodes(r->cubes[cube], nodes, weights[count], count);
}

static void tie(const row *r, sn_point a, sn_point b)
{
    (void)exact_tie(r->world, a, b);
}

static void hold_cubes(const row *r)
{
    for (int i = 0; i < 4; ++i) {
        tie(r, right_corner(r, 0, i), left_corner(r, 1, i)); // two points to one
    }
    for (int i = 0; i < 3; ++i) {
        tie(r, right_corner(r, 1, i), left_corner(r, 2, i)); // and three
    }
    tie(r, right_corner(r, 1, 3), left_corner(r, 2, 3));
    tie(r, sn_point_node(r->cubes[8], corner(0, 0, 0)), left_corner(r, 2, 3)); // a cube on top
    for (int count = 2; count <= 4; ++count) {                                 // line, triangle, tetrahedron
        tie(r, left_corner(r, count + 1, 1), sum_of(r, count, 1, count));
        tie(r, right_corner(r, count, 2), sum_of(r, count + 1, 0, 2));
    }
    tie(r, sum_of(r, 5, 1, 3), sum_of(r, 6, 0, 2));
    tie(r, sn_point_node(r->cubes[6], corner(0, 0, 1)), sn_point_surface(r->cubes[5]));
    sn_anchor_def def = exact_def(right_corner(r, 6, 1), left_corner(r, 7, 1));
    def.ramp_steps = 500;
    (void)exact_add(r->world, &def);
    def.b = sn_point_surface(r->cubes[7]);
    def.a = right_corner(r, 6, 2);
    def.friction = 0.5f;
    def.ramp_steps = 1;
    (void)exact_add(r->world, &def);
}

static sn_rigid add_body(const row *r, sn_rigid_type type, sn_vec3 place, bool is_free)
{
    sn_rigid body = add_box_at(r->world, 0.5f * EDGE, place.x, place.y, place.z);
    assert_ok(sn_rigid_type_set(r->world, body, type));
    if (is_free && type == SN_DYNAMIC) {
        assert_ok(sn_rigid_linear_velocity_set(r->world, body, sn_v(1.0f, -2.0f, 0.5f)));
    }
    return body;
}

// A box under the third cube by two corners and a sum; a hand at the end of the row.
static void hold_bodies(row *r, bool is_free)
{
    r->box = add_body(r, SN_DYNAMIC, sn_add(cube_place(3), sn_v(0.0f, -EDGE, 0.0f)), is_free);
    for (int z = 0; z < 2; ++z) {
        sn_vec3 place = soft_node(r->world, r->cubes[3], corner(0, 0, z));
        tie(r, sn_point_on_rigid(r->world, r->box, place), sn_point_node(r->cubes[3], corner(0, 0, z)));
    }
    if (!is_free) {
        r->hand = add_body(r, SN_KINEMATIC, sn_add(cube_place(7), sn_v(EDGE, 0.0f, 0.0f)), false);
        for (int i = 0; i < 4; ++i) {
            sn_vec3 place = soft_node(r->world, r->cubes[7], corner(1, i % 2, i / 2));
            tie(r, right_corner(r, 7, i), sn_point_on_rigid(r->world, r->hand, place));
        }
    }
}

static void add_nails(row *r)
{
    for (int i = 0; i < 2; ++i) {
        int node = corner(0, 1, i);
        r->nail_places[i] = soft_node(r->world, r->cubes[0], node);
        r->nails[i] =
            exact_tie(r->world, sn_point_world(r->nail_places[i]), sn_point_node(r->cubes[0], node));
    }
}

static row make_row(sn_integrator integrator, bool is_free)
{
    row r = {0};
    sn_world_def settings = sn_world_def_default();
    settings.sub_steps = 1;
    settings.long_range.sub_steps = false;
    settings.sleep = false;
    settings.gravity = is_free ? sn_v(0.0f, 0.0f, 0.0f) : settings.gravity;
    assert_ok(sn_world_create(&settings, &r.world));
    for (int i = 0; i < CUBES; ++i) {
        sn_vec3 top = sn_add(cube_place(2), sn_v(0.0f, EDGE, EDGE));
        r.cubes[i] = add_cube(r.world, integrator, is_free, i < CUBES - 1 ? cube_place(i) : top);
    }
    hold_cubes(&r);
    hold_bodies(&r, is_free);
    if (!is_free) {
        add_floor(r.world);
        add_nails(&r);
        for (int i = 0; i < 3; ++i) {
            (void)add_ball_at(r.world, 0.04f, middle.x + 0.5f * (float)i, 1.0f, middle.z);
        }
    }
    return r;
}

// --- shaking -----------------------------------------------------------------------------------------------

static void shake(const row *r, int step)
{
    float angle = 9.0f * STEP * (float)step;
    sn_vec3 way = {0.05f * sn_sin(angle), -0.1f + 0.1f * sn_cos(2.0f * angle), 0.05f - 0.05f * sn_cos(angle)};
    for (int i = 0; i < 2; ++i) {
        sn_point place = sn_point_world(sn_add(r->nail_places[i], way));
        assert_ok(sn_anchor_point_set(r->world, r->nails[i], 0, &place));
    }
    sn_pose pose = {sn_add(cube_place(8), sn_v(0.0f, way.y, way.x)),
                    sn_quat_axis_angle(sn_v(1.0f, 0.0f, 0.0f), 0.5f * sn_sin(angle))};
    assert_ok(sn_rigid_target_set(r->world, r->hand, pose));
}

// Names the anchor that parted.
static void tell_of_errors(const sn_world *world, const char *integrator, int step, float allowed)
{
    sn_anchor anchors[MOST_ANCHORS];
    int count = sn_world_anchors(world, anchors, MOST_ANCHORS);
    for (int i = 0; i < count && i < MOST_ANCHORS; ++i) {
        float error = sn_anchor_error(world, anchors[i]);
        if (!(error <= allowed)) {
            print_error("%s, step %d: anchor %d (%d) has an error of %g\n", integrator, step, i,
                        (int)sn_anchor_hold_now(world, anchors[i]), (double)error);
        }
    }
}

static float size_of(const row *r)
{
    float size = 0.0f;
    for (int i = 0; i < CUBES; ++i) {
        sn_bounds bounds = sn_deformable_measure_now(r->world, r->cubes[i]).bounds;
        sn_vec3 far = sn_max3(sn_abs3(bounds.lower), sn_abs3(bounds.upper));
        size = sn_max(size, sn_max(far.x, sn_max(far.y, far.z)));
    }
    return size;
}

static void test_ends_stay_together_to_rounding(void **state)
{
    (void)state;
    for (int k = 0; k < SN_INTEGRATOR_COUNT; ++k) {
        row r = make_row((sn_integrator)k, false);
        int touched = 0;
        for (int i = 0; i < STEPS; ++i) {
            shake(&r, i);
            assert_ok(sn_world_step(r.world, STEP));
            sn_statistics s = sn_world_statistics(r.world);
            float allowed = 4.0f * 1.1920929e-7f * size_of(&r);
            touched += s.soft_contact_count > 0 ? 1 : 0;
            if (!(s.exact_error <= allowed) || s.exact_rows_count > 0 || s.frozen_node_count > 0) {
                tell_of_errors(r.world, integrators[k], i, allowed);
                fail_msg("%s, step %d: error %g, %d rows instead, %d frozen", integrators[k], i,
                         (double)s.exact_error, s.exact_rows_count, s.frozen_node_count);
            }
        }
        assert_true(touched > STEPS / 2);
        sn_world_destroy(r.world);
    }
}

// Velocities of nodes are floats: over 10,000 steps what rounding takes adds up to three millionths.
static void test_a_row_that_flies_keeps_its_momentum(void **state)
{
    (void)state;
    for (int k = 0; k < SN_INTEGRATOR_COUNT; ++k) {
        row r = make_row((sn_integrator)k, true);
        sn_energy first = sn_world_energy(r.world);
        double size = sqrt(first.momentum[0] * first.momentum[0] + first.momentum[1] * first.momentum[1] +
                           first.momentum[2] * first.momentum[2]);
        for (int i = 0; i < FLIGHT; ++i) {
            assert_ok(sn_world_step(r.world, STEP));
        }
        sn_energy last = sn_world_energy(r.world);
        for (int axis = 0; axis < 3; ++axis) {
            double change = fabs(last.momentum[axis] - first.momentum[axis]) / size;
            if (!(change <= 1.0e-6)) {
                fail_msg("%s: momentum changed by %g of its size", integrators[k], change);
            }
        }
        sn_world_destroy(r.world);
    }
}

static void test_what_is_nailed_stands_after_two_steps(void **state)
{
    (void)state;
    for (int k = 0; k < SN_INTEGRATOR_COUNT; ++k) {
        row r = make_row((sn_integrator)k, false);
        assert_ok(sn_world_step(r.world, STEP));
        for (int i = 0; i < 200; ++i) {
            assert_ok(sn_world_step(r.world, STEP));
            for (int z = 0; z < 2; ++z) {
                sn_vec3 velocity = sn_deformable_velocities(r.world, r.cubes[0])[corner(0, 1, z)].velocity;
                assert_float_equal(sn_length(velocity), 0.0f, 0.0f);
            }
        }
        sn_world_destroy(r.world);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        test_with_memory(test_ends_stay_together_to_rounding),
        test_with_memory(test_a_row_that_flies_keeps_its_momentum),
        test_with_memory(test_what_is_nailed_stands_after_two_steps),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
