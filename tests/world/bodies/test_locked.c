// A world is locked while it runs functions of the user: those of custom kinds, of the task system, and those
// that queries report to. Whatever they try to do to it is refused, and what it was doing goes on unharmed.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include "world/core/bad_scene.h"

// --- everything that changes a world -------------------------------------------------------------

enum { MEDDLINGS = 39 };

// The statuses of attempts to change the world, all from one moment.
static void meddle(bad_scene *s, sn_status got[MEDDLINGS])
{
    sn_world *w = s->world;
    const sn_vec3 up = {0, 1, 0};
    const sn_mass mass = {1.0f, {0, 0, 0}, {{1, 0, 0}, {0, 1, 0}, {0, 0, 1}}};
    sn_rigid_def rigid = sn_rigid_def_default();
    sn_world_def settings = sn_world_def_default();
    sn_ball_def ball = sn_ball_def_default();
    sn_custom_def custom = sn_custom_def_default();
    size_t size;
    float height = 1.0f;
    int n = 0;
    got[n++] = sn_world_step(w, BAD_STEP);
    got[n++] = sn_world_gravity_set(w, up);
    got[n++] = sn_world_settings_set(w, &settings);
    got[n++] = sn_world_assemble(w, 0.1f, 1, NULL);
    got[n++] = sn_world_save(w, NULL, 0, &size);
    got[n++] = sn_world_restore(w, &size, sizeof size);
    got[n++] = sn_rigid_add(w, &rigid, NULL);
    got[n++] = sn_rigid_remove(w, s->crate);
    got[n++] = sn_rigid_type_set(w, s->crate, SN_STATIC);
    got[n++] = sn_rigid_pose_set(w, s->crate, sn_pose_identity);
    got[n++] = sn_rigid_target_set(w, s->lift, sn_pose_identity);
    got[n++] = sn_rigid_linear_velocity_set(w, s->crate, up);
    got[n++] = sn_rigid_angular_velocity_set(w, s->crate, up);
    got[n++] = sn_rigid_force_add(w, s->crate, up);
    got[n++] = sn_rigid_torque_add(w, s->crate, up);
    got[n++] = sn_rigid_impulse_add(w, s->crate, up);
    got[n++] = sn_rigid_angular_impulse_add(w, s->crate, up);
    got[n++] = sn_rigid_mass_set(w, s->crate, &mass);
    got[n++] = sn_rigid_mass_reset(w, s->crate);
    got[n++] = sn_rigid_damping_set(w, s->crate, 0.0f, 0.0f);
    got[n++] = sn_rigid_gravity_scale_set(w, s->crate, 0.0f);
    got[n++] = sn_rigid_locks_set(w, s->crate, 1);
    got[n++] = sn_rigid_awake_set(w, s->crate, false);
    got[n++] = sn_rigid_user_set(w, s->crate, s);
    got[n++] = sn_box_add(w, s->crate, NULL, (sn_box){{1, 1, 1}}, NULL);
    got[n++] = sn_shape_remove(w, s->crate_box);
    got[n++] = sn_shape_friction_set(w, s->crate_box, 0.0f);
    got[n++] = sn_shape_density_set(w, s->crate_box, 1.0f);
    got[n++] = sn_shape_sensor_set(w, s->crate_box, true);
    got[n++] = sn_shape_surface_velocity_set(w, s->crate_box, up);
    got[n++] = sn_world_contact_filter_set(w, NULL, NULL);
    got[n++] = sn_shape_filter_set(w, s->crate_box, (sn_filter){0, 0, 0});
    got[n++] = sn_shape_box_set(w, s->crate_box, (sn_box){{1, 1, 1}});
    got[n++] = sn_ball_add(w, &ball, NULL);
    got[n++] = sn_ball_set(w, s->joints[SN_BALL], &ball);
    got[n++] = sn_hinge_motor_set(w, s->joints[SN_HINGE], true, 1.0f, 1.0f);
    got[n++] = sn_constraint_remove(w, s->joints[SN_BALL]);
    got[n++] = sn_custom_add(w, &custom, NULL);
    got[n++] = sn_custom_data_set(w, s->joints[SN_CUSTOM], &height);
    assert_int_equal(n, MEDDLINGS);
    sn_world_destroy(w); // does nothing
}

static void require_locked(const sn_status got[MEDDLINGS])
{
    for (int i = 0; i < MEDDLINGS; ++i) {
        if (got[i] != SN_ERROR_LOCKED) {
            print_error("attempt %d: status is %d\n", i, got[i]);
        }
        assert_int_equal(got[i], SN_ERROR_LOCKED);
    }
}

// --- functions of custom kinds -------------------------------------------------------------------

typedef struct meddler {
    bad_scene *scene;
    sn_status *got; // null: behaves
} meddler;

static int meddling_rows(const sn_row_input *input, const void *data, sn_row *rows)
{
    (void)input;
    (void)rows;
    const meddler *self = data;
    if (self->got != NULL) {
        meddle(self->scene, self->got);
    }
    return 0;
}

static void add_meddler(bad_scene *s, sn_status *got)
{
    const meddler self = {s, got};
    sn_custom_def def = sn_custom_def_default();
    def.common.a = sn_point_rigid(sn_world_ground(s->world), sn_v(0.0f, 0.0f, 0.0f));
    def.common.b = sn_point_rigid(s->rod, sn_v(0.0f, 0.0f, 0.0f));
    def.kind_name = "meddler";
    def.data = &self;
    assert_int_equal(sn_custom_register(s->world, "meddler", meddling_rows, sizeof self), SN_OK);
    assert_int_equal(sn_custom_add(s->world, &def, &s->constraint), SN_OK);
}

static void test_a_custom_kind_cannot_change_the_world_it_is_solved_in(void **state)
{
    bad_scene *s = *state;
    sn_status got[MEDDLINGS];
    add_meddler(s, got);
    assert_int_equal(sn_world_step(s->world, BAD_STEP), SN_OK);
    require_locked(got);
    memset(got, 0, sizeof got);
    assert_int_equal(sn_world_assemble(s->world, 0.1f, 3, NULL), SN_OK);
    require_locked(got);
    // Open again afterwards, and as sound as if nothing had been tried.
    const meddler tame = {s, NULL};
    assert_int_equal(sn_custom_data_set(s->world, s->constraint, &tame), SN_OK);
    assert_int_equal(sn_world_step(s->world, BAD_STEP), SN_OK);
    assert_int_equal(sn_rigid_remove(s->world, s->crate), SN_OK);
}

static void test_meddling_changes_nothing(void **state)
{
    bad_scene *s = *state;
    sn_status got[MEDDLINGS];
    uint64_t hashes[2];
    static unsigned char bytes[65536];
    size_t size;
    assert_int_equal(sn_world_save(s->world, bytes, sizeof bytes, &size), SN_OK);
    assert_int_equal(sn_custom_register(s->world, "meddler", meddling_rows, sizeof(meddler)), SN_OK);
    for (int meddles = 0; meddles < 2; ++meddles) {
        const meddler self = {s, meddles ? got : NULL}, tame = {s, NULL};
        sn_custom_def def = sn_custom_def_default();
        assert_int_equal(sn_world_restore(s->world, bytes, size), SN_OK);
        def.common.a = sn_point_rigid(sn_world_ground(s->world), sn_v(0.0f, 0.0f, 0.0f));
        def.common.b = sn_point_rigid(s->rod, sn_v(0.0f, 0.0f, 0.0f));
        def.kind_name = "meddler";
        def.data = &self;
        assert_int_equal(sn_custom_add(s->world, &def, &s->constraint), SN_OK);
        for (int i = 0; i < 5; ++i) {
            assert_int_equal(sn_world_step(s->world, BAD_STEP), SN_OK);
        }
        assert_int_equal(sn_custom_data_set(s->world, s->constraint, &tame), SN_OK);
        hashes[meddles] = sn_world_hash(s->world);
    }
    assert_true(hashes[0] == hashes[1]);
}

// --- the user's task system ----------------------------------------------------------------------

typedef struct task_user {
    bad_scene *scene;
    sn_status got[MEDDLINGS];
    int loops;
} task_user;

// Covers every item once, in uneven ranges and backwards.
static void run_ranges(int count, int grain, sn_task_function task, void *context, void *user)
{
    task_user *tasks = user;
    ++tasks->loops;
    if (tasks->scene != NULL) {
        meddle(tasks->scene, tasks->got);
    }
    int size = grain > 2 ? grain / 2 + 1 : 1;
    for (int end = count; end > 0; end -= size) {
        task(context, end > size ? end - size : 0, end);
    }
}

static sn_world *make_pile(const sn_world_def *def, bad_scene *s)
{
    sn_world *world;
    assert_int_equal(sn_world_create(def, &world), SN_OK);
    assert_int_equal(sn_plane_add(world, sn_world_ground(world), NULL, (sn_plane){{0, 1, 0}, 0}, NULL),
                     SN_OK);
    for (int i = 0; i < 300; ++i) {
        sn_vec3 place = {(float)(i % 10), 0.5f + 1.1f * (float)(i / 100), (float)(i / 10 % 10)};
        sn_rigid body = bad_add_body(world, NULL, SN_DYNAMIC, place);
        assert_int_equal(sn_box_add(world, body, NULL, (sn_box){{0.5f, 0.5f, 0.5f}}, &s->crate_box), SN_OK);
        s->crate = body;
    }
    return world;
}

static void test_tasks_of_the_user_give_the_same_world_and_cannot_change_it(void **state)
{
    (void)state;
    bad_scene own = {0}, theirs = {0};
    task_user user = {0};
    sn_world_def def = sn_world_def_default();
    own.world = make_pile(&def, &own);
    def.tasks = (sn_task_system){run_ranges, &user};
    theirs.world = make_pile(&def, &theirs);
    user.scene = &theirs;
    for (int i = 0; i < 10; ++i) {
        assert_int_equal(sn_world_step(own.world, BAD_STEP), SN_OK);
        assert_int_equal(sn_world_step(theirs.world, BAD_STEP), SN_OK);
    }
    assert_true(user.loops > 10);
    require_locked(user.got);
    assert_true(sn_world_hash(own.world) == sn_world_hash(theirs.world));
    sn_world_destroy(own.world);
    sn_world_destroy(theirs.world);
}

// --- queries -------------------------------------------------------------------------------------

typedef struct listener {
    bad_scene *scene;
    sn_status got[MEDDLINGS];
    int hits;
} listener;

static bool hear(const sn_hit *hit, void *user)
{
    (void)hit;
    listener *self = user;
    ++self->hits;
    meddle(self->scene, self->got);
    return true;
}

static void test_who_hears_of_hits_cannot_change_the_world(void **state)
{
    bad_scene *s = *state;
    listener self = {.scene = s};
    assert_int_equal(
        sn_world_ray_all(s->world, sn_v(0, 5, 0), sn_v(0, -10, 0), sn_query_filter_default(), hear, &self),
        SN_OK);
    assert_int_equal(self.hits, 3); // ball, crate, floor
    require_locked(self.got);
    assert_true(sn_world_hash(s->world) == s->hash);
    assert_int_equal(sn_world_step(s->world, BAD_STEP), SN_OK);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        bad_test(test_a_custom_kind_cannot_change_the_world_it_is_solved_in),
        bad_test(test_meddling_changes_nothing),
        bad_test(test_tasks_of_the_user_give_the_same_world_and_cannot_change_it),
        bad_test(test_who_hears_of_hits_cannot_change_the_world),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
