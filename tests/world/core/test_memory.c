// Memory: whatever allocation fails while a world is built and run, the call says so, nothing is lost, and
// after a second try the world is bit for bit what it would have been. That a warm world needs none is
// test_warm_world_slow.c's.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include "support/memory.h"
#include "support/scene_builder.h"
#include <string.h>

#define STEP (1.0f / 60.0f)

// --- a small world, made call by call ------------------------------------------------------------

typedef struct small_world {
    sn_world *world;
    sn_hull *hull;
    sn_surface *surface;
    sn_compound *compound;
    sn_rigid bodies[8];
    sn_shape shape;
    sn_constraint constraints[6];
} small_world;

static int rows_of_spring(const sn_row_input *input, const void *data, sn_row *rows)
{
    (void)data;
    rows[0].value = input->center[1].x - input->center[0].x;
    rows[0].compliance = 1.0e-4f;
    rows[0].linear[0] = sn_v(-1.0f, 0.0f, 0.0f);
    rows[0].linear[1] = sn_v(1.0f, 0.0f, 0.0f);
    return 1;
}

static sn_status create(small_world *s)
{
    sn_world_def def = sn_world_def_default();
    // Without memory, islands fall asleep a step later, and the hashes below would differ.
    def.sleep = false;
    return sn_world_create(&def, &s->world);
}

static sn_status make_hull(small_world *s)
{
    return sn_hull_cylinder(0.4f, 0.3f, 0.2f, 6, &s->hull);
}

static sn_status make_surface(small_world *s)
{
    const sn_vec3 vertices[5] = {{-4, 0, -4}, {-4, 0, 4}, {4, 0, 4}, {4, 0, -4}, {0, 0.1f, 0}};
    const uint32_t triangles[12] = {0, 1, 4, 1, 2, 4, 2, 3, 4, 3, 0, 4};
    return sn_surface_create(vertices, 5, triangles, 4, false, &s->surface);
}

static sn_status make_compound(small_world *s)
{
    const sn_solid parts[2] = {{.type = SN_BOX, .pose = scene_at(0.2f, 0, 0), .box = {{0.2f, 0.1f, 0.1f}}},
                               {.type = SN_HULL, .pose = scene_at(-0.2f, 0, 0), .hull = s->hull}};
    return sn_compound_create(parts, 2, &s->compound);
}

static sn_status add_surface(small_world *s)
{
    return sn_surface_add(s->world, sn_world_ground(s->world), NULL, s->surface, NULL);
}

static sn_status add_plane(small_world *s)
{
    sn_plane plane = {{0, 1, 0}, -1.0f};
    return sn_plane_add(s->world, sn_world_ground(s->world), NULL, plane, NULL);
}

static sn_status add_body(small_world *s, int number, sn_rigid_type type)
{
    sn_rigid_def def = sn_rigid_def_default();
    def.type = type;
    def.position = sn_v(0.8f * (float)(number % 4) - 1.2f, 0.6f + 0.4f * (float)(number / 4), 0.05f);
    if (number == 6) { // a sphere that would pass the surface in the first step if it were not swept
        def.position.z = 1.0f;
        def.linear_velocity.y = -80.0f;
    }
    return sn_rigid_add(s->world, &def, &s->bodies[number]);
}

// Bodies 0 to 6 with a shape of each type that may move, and a kinematic one.
static sn_status add_shape(small_world *s, int number)
{
    const sn_capsule capsule = {{-0.2f, 0, 0}, {0.2f, 0, 0}, 0.1f};
    switch (number % 5) {
    case 0:
        return sn_box_add(s->world, s->bodies[number], NULL, (sn_box){{0.3f, 0.2f, 0.3f}}, &s->shape);
    case 1:
        return sn_sphere_add(s->world, s->bodies[number], NULL, (sn_sphere){{0, 0, 0}, 0.2f}, &s->shape);
    case 2:
        return sn_capsule_add(s->world, s->bodies[number], NULL, capsule, &s->shape);
    case 3:
        return sn_hull_add(s->world, s->bodies[number], NULL, s->hull, &s->shape);
    default:
        return sn_compound_add(s->world, s->bodies[number], NULL, s->compound, &s->shape);
    }
}

static sn_status add_constraint(small_world *s, sn_constraint_kind kind)
{
    const sn_rigid a = s->bodies[kind], b = s->bodies[kind + 1];
    const sn_vec3 middle =
        sn_scale(sn_add(sn_rigid_position(s->world, a), sn_rigid_position(s->world, b)), 0.5f);
    sn_ball_def ball = sn_ball_def_default();
    sn_hinge_def hinge = sn_hinge_def_default();
    sn_slider_def slider = sn_slider_def_default();
    sn_fixed_def fixed = sn_fixed_def_default();
    sn_distance_def distance = sn_distance_def_default();
    sn_custom_def custom = sn_custom_def_default();
    sn_constraint_common *const commons[] = {&ball.common,  &hinge.common,    &slider.common,
                                             &fixed.common, &distance.common, &custom.common};
    sn_status status = sn_constraint_place(s->world, commons[kind], a, b, middle, sn_v(1, 0, 0));
    assert_int_equal(status, SN_OK); // needs no memory
    custom.kind_name = "spring";
    switch (kind) {
    case SN_BALL:
        return sn_ball_add(s->world, &ball, &s->constraints[kind]);
    case SN_HINGE:
        return sn_hinge_add(s->world, &hinge, &s->constraints[kind]);
    case SN_SLIDER:
        return sn_slider_add(s->world, &slider, &s->constraints[kind]);
    case SN_FIXED:
        return sn_fixed_add(s->world, &fixed, &s->constraints[kind]);
    case SN_DISTANCE:
        distance.upper = 3.0f;
        return sn_distance_add(s->world, &distance, &s->constraints[kind]);
    default:
        return sn_custom_add(s->world, &custom, &s->constraints[kind]);
    }
}

static sn_status change(small_world *s, int number)
{
    switch (number) {
    case 0:
        return sn_rigid_type_set(s->world, s->bodies[2], SN_STATIC);
    case 1:
        return sn_rigid_type_set(s->world, s->bodies[2], SN_DYNAMIC);
    case 2:
        return sn_rigid_remove(s->world, s->bodies[6]);
    case 3:
        return sn_constraint_remove(s->world, s->constraints[SN_FIXED]);
    case 4:
        return sn_rigid_awake_set(s->world, s->bodies[0], false);
    case 5:
        return sn_rigid_linear_velocity_set(s->world, s->bodies[0], sn_v(200.0f, -50.0f, 3.0f));
    default:
        return sn_rigid_target_set(s->world, s->bodies[7], scene_at(-1.0f, 0.5f, 0.0f));
    }
}

// The world's life, one call a number; a number beyond the last gives SN_STATUS_COUNT.
enum { MADE = 7, BODIES_ADDED = MADE + 8, SHAPES_ADDED = BODIES_ADDED + 8, TIED = SHAPES_ADDED + 6 };
enum { RUN = TIED + 25, CHANGED = RUN + 14, ENDED = CHANGED + 10 };

static sn_status do_call(small_world *s, int number)
{
    static sn_status (*const makings[])(small_world * s) = {create,        make_hull, make_surface,
                                                            make_compound, add_plane, add_surface};
    if (number < MADE - 1) {
        return makings[number](s);
    }
    if (number < MADE) {
        return sn_custom_register(s->world, "spring", rows_of_spring, 0);
    }
    if (number < BODIES_ADDED) {
        return add_body(s, number - MADE, number == BODIES_ADDED - 1 ? SN_KINEMATIC : SN_DYNAMIC);
    }
    if (number < SHAPES_ADDED) {
        return add_shape(s, number - BODIES_ADDED);
    }
    if (number < TIED) {
        return add_constraint(s, (sn_constraint_kind)(number - SHAPES_ADDED));
    }
    if (number >= RUN && number < CHANGED && (number - RUN) % 2 == 0) {
        return change(s, (number - RUN) / 2);
    }
    return number < ENDED ? sn_world_step(s->world, STEP) : SN_STATUS_COUNT;
}

static void release(small_world *s)
{
    sn_world_destroy(s->world);
    sn_hull_destroy(s->hull);
    sn_surface_destroy(s->surface);
    sn_compound_destroy(s->compound);
    memset(s, 0, sizeof *s);
}

static uint64_t hash_of_undisturbed_life(uint64_t *allocations)
{
    small_world s = {0};
    uint64_t before = sn_allocation_count();
    sn_status status;
    for (int i = 0; (status = do_call(&s, i)) != SN_STATUS_COUNT; ++i) {
        assert_int_equal(status, SN_OK);
    }
    *allocations = sn_allocation_count() - before;
    uint64_t hash = sn_world_hash(s.world);
    assert_true(hash != 0);
    release(&s);
    return hash;
}

// --- failing -------------------------------------------------------------------------------------

// From the k-th allocation on, there is no memory until a call has failed; that call is then repeated with
// memory for all. Returns whether one failed.
static bool live_with_one_failure(int k, uint64_t expected_hash)
{
    small_world s = {0};
    bool failed = false;
    test_memory_allow(k);
    for (int i = 0;; ++i) {
        sn_status status = do_call(&s, i);
        if (status == SN_STATUS_COUNT) {
            break;
        }
        if (status == SN_ERROR_MEMORY && !failed) {
            failed = true;
            const char *message =
                s.world != NULL && i >= MADE - 3 ? sn_world_error(s.world) : sn_last_error();
            assert_non_null(strstr(message, "memory"));
            test_memory_allow_all();
            status = do_call(&s, i);
        }
        assert_int_equal(status, SN_OK);
    }
    test_memory_allow_all();
    assert_true(sn_world_hash(s.world) == expected_hash);
    release(&s);
    return failed;
}

static void test_any_one_failed_call_can_be_repeated_and_leaves_no_trace(void **state)
{
    (void)state;
    uint64_t allocations, hash = hash_of_undisturbed_life(&allocations);
    assert_in_range(allocations, 60, 2000);
    int failures = 0;
    for (uint64_t k = 0; k < allocations; ++k) {
        failures += live_with_one_failure((int)k, hash);
    }
    // Nearly all must be noticed by the call; the exceptions are lists of events, which lose some.
    assert_true(failures > (int)allocations * 8 / 10);
    assert_false(live_with_one_failure((int)allocations, hash));
}

static void test_without_any_memory_nothing_is_made_and_nothing_crashes(void **state)
{
    (void)state;
    small_world s = {0};
    test_memory_allow(0);
    assert_int_equal(create(&s), SN_ERROR_MEMORY);
    assert_null(s.world);
    assert_int_equal(make_hull(&s), SN_ERROR_MEMORY);
    assert_int_equal(make_surface(&s), SN_ERROR_MEMORY);
    assert_null(s.hull);
    assert_null(s.surface);
}

// A world that runs out of memory for good stands still, time and all, and can still be asked and destroyed.
static void test_a_world_starved_for_good_stands_still(void **state)
{
    (void)state;
    small_world s = {0};
    for (int i = 0; i < TIED; ++i) {
        assert_int_equal(do_call(&s, i), SN_OK);
    }
    sn_vec3 before = sn_rigid_position(s.world, s.bodies[0]);
    test_memory_allow(0);
    for (int i = 0; i < 10; ++i) {
        assert_int_equal(sn_world_step(s.world, STEP), SN_ERROR_MEMORY);
    }
    sn_vec3 after = sn_rigid_position(s.world, s.bodies[0]);
    assert_memory_equal(&before, &after, sizeof before);
    assert_int_equal(sn_world_step_count(s.world), 0);
    assert_true(sn_world_time(s.world) == 0.0);
    assert_int_equal(sn_rigid_remove(s.world, s.bodies[3]), SN_OK);
    test_memory_allow_all();
    for (int i = 0; i < 60; ++i) {
        assert_int_equal(sn_world_step(s.world, STEP), SN_OK);
    }
    assert_true(sn_rigid_position(s.world, s.bodies[0]).y < before.y);
    release(&s);
}

// Boxes in each other and in the floor: assembling them looks for contacts, which takes memory.
static void test_assembling_without_memory_moves_nothing(void **state)
{
    (void)state;
    enum { BOXES = 8 };
    sn_status status = SN_ERROR_MEMORY;
    int failures = 0;
    for (int allowed = 0; status == SN_ERROR_MEMORY; ++allowed) {
        small_world s = {0};
        assert_int_equal(create(&s), SN_OK);
        assert_int_equal(add_plane(&s), SN_OK);
        for (int i = 0; i < BOXES; ++i) {
            assert_int_equal(add_body(&s, i, SN_DYNAMIC), SN_OK);
            assert_int_equal(sn_box_add(s.world, s.bodies[i], NULL, (sn_box){{0.45f, 0.6f, 0.45f}}, NULL),
                             SN_OK);
        }
        sn_pose before[BOXES];
        for (int i = 0; i < BOXES; ++i) {
            before[i] = sn_rigid_pose(s.world, s.bodies[i]);
        }
        test_memory_allow(allowed);
        status = sn_world_assemble(s.world, 1.0e-4f, 2000, NULL);
        test_memory_allow_all();
        for (int i = 0; status == SN_ERROR_MEMORY && i < BOXES; ++i) {
            sn_pose after = sn_rigid_pose(s.world, s.bodies[i]);
            assert_memory_equal(&before[i], &after, sizeof after);
        }
        failures += status == SN_ERROR_MEMORY;
        release(&s);
    }
    assert_int_equal(status, SN_OK);
    assert_in_range(failures, 5, 100);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        test_with_memory(test_any_one_failed_call_can_be_repeated_and_leaves_no_trace),
        test_with_memory(test_without_any_memory_nothing_is_made_and_nothing_crashes),
        test_with_memory(test_a_world_starved_for_good_stands_still),
        test_with_memory(test_assembling_without_memory_moves_nothing),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
