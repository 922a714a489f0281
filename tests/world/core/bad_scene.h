// A small world with everything in it that stands still for tests of bad input, and the judge of each row:
// a call that must be refused has its own status, says why, leaves the world's hash alone and keeps no
// memory. Include after cmocka.h.
#ifndef TESTS_WORLD_BAD_SCENE_H
#define TESTS_WORLD_BAD_SCENE_H

#include "base/error.h"
#include "support/scene_builder.h"
#include "world/core/world.h"
#include <string.h>

#define BAD_STEP (1.0f / 60.0f)

// Ids that name nothing: zero, stale, of another world, never handed out, of a generation to come.
enum { BAD_ZERO, BAD_STALE, BAD_FOREIGN, BAD_BEYOND, BAD_LATER, BAD_IDS };

typedef struct bad_scene {
    sn_world *world, *other;
    sn_rigid crate, ball, rod; // dynamic, at rest on the floor and on each other
    sn_rigid lift;             // kinematic, with a surface
    sn_rigid wall;             // static, with a plane
    sn_shape crate_box, ball_sphere, rod_capsule, lift_surface, wall_plane;
    sn_rigid hung[SN_CONSTRAINT_KIND_COUNT]; // each by a constraint of that kind from the ground
    sn_constraint joints[SN_CONSTRAINT_KIND_COUNT];
    sn_rigid no_rigid[BAD_IDS];
    sn_shape no_shape[BAD_IDS];
    sn_constraint no_constraint[BAD_IDS];
    uint64_t hash, other_hash;
    uint64_t bytes, bytes_before; // held now; before the scene was made
    // Where refused calls would put their answers.
    sn_rigid rigid;
    sn_shape shape;
    sn_constraint constraint;
} bad_scene;

// Rows judged by this program.
static int bad_row_count;

// --- making it -----------------------------------------------------------------------------------

// Keeps the mass centre of b one metre above that of a.
static inline int bad_height_rows(const sn_row_input *input, const void *data, sn_row *rows)
{
    const float *height = data;
    rows[0].value = input->center[1].y - input->center[0].y - *height;
    rows[0].linear[0] = sn_v(0.0f, -1.0f, 0.0f);
    rows[0].linear[1] = sn_v(0.0f, 1.0f, 0.0f);
    return 1;
}

static inline sn_surface *bad_make_surface(void)
{
    const sn_vec3 corners[4] = {{-1, 0, -1}, {-1, 0, 1}, {1, 0, 1}, {1, 0, -1}};
    const uint32_t triangles[6] = {0, 1, 2, 0, 2, 3};
    sn_surface *surface = NULL;
    assert_int_equal(sn_surface_create(corners, 4, triangles, 2, false, &surface), SN_OK);
    return surface;
}

static inline sn_rigid bad_add_body(sn_world *world, const char *name, sn_rigid_type type, sn_vec3 position)
{
    sn_rigid_def def = sn_rigid_def_default();
    sn_rigid rigid;
    def.name = name;
    def.type = type;
    def.position = position;
    assert_int_equal(sn_rigid_add(world, &def, &rigid), SN_OK);
    return rigid;
}

static inline void bad_add_shapes(bad_scene *s)
{
    sn_world *w = s->world;
    s->crate = bad_add_body(w, "crate", SN_DYNAMIC, sn_v(0.0f, 0.5f, 0.0f));
    s->ball = bad_add_body(w, "ball", SN_DYNAMIC, sn_v(0.0f, 1.3f, 0.0f));
    s->rod = bad_add_body(w, "rod", SN_DYNAMIC, sn_v(3.0f, 0.2f, 0.0f));
    s->lift = bad_add_body(w, "lift", SN_KINEMATIC, sn_v(-5.0f, 0.5f, 0.0f));
    s->wall = bad_add_body(w, "wall", SN_STATIC, sn_v(-20.0f, 0.0f, 0.0f));
    sn_capsule capsule = {{-0.3f, 0.0f, 0.0f}, {0.3f, 0.0f, 0.0f}, 0.2f};
    sn_surface *surface = bad_make_surface();
    assert_int_equal(sn_plane_add(w, sn_world_ground(w), NULL, (sn_plane){{0, 1, 0}, 0}, NULL), SN_OK);
    assert_int_equal(sn_box_add(w, s->crate, NULL, (sn_box){{0.5f, 0.5f, 0.5f}}, &s->crate_box), SN_OK);
    assert_int_equal(sn_sphere_add(w, s->ball, NULL, (sn_sphere){{0, 0, 0}, 0.3f}, &s->ball_sphere), SN_OK);
    assert_int_equal(sn_capsule_add(w, s->rod, NULL, capsule, &s->rod_capsule), SN_OK);
    assert_int_equal(sn_surface_add(w, s->lift, NULL, surface, &s->lift_surface), SN_OK);
    assert_int_equal(sn_plane_add(w, s->wall, NULL, (sn_plane){{1, 0, 0}, 0}, &s->wall_plane), SN_OK);
    sn_surface_destroy(surface);
}

static inline void bad_add_joints(bad_scene *s)
{
    sn_world *w = s->world;
    sn_rigid ground = sn_world_ground(w);
    sn_definition defs[SN_CONSTRAINT_KIND_COUNT];
    const float height = 5.0f;
    assert_int_equal(sn_custom_register(w, "height", bad_height_rows, sizeof height), SN_OK);
    for (int k = 0; k < SN_CONSTRAINT_KIND_COUNT; ++k) {
        sn_vec3 place = {5.0f + (float)k, 5.0f, 0.0f};
        defs[k] = sn_definition_default(sn_kinds[k]);
        s->hung[k] = bad_add_body(w, NULL, SN_DYNAMIC, place);
        assert_int_equal(sn_constraint_place(w, &defs[k].common, ground, s->hung[k], place, sn_v(0, 1, 0)),
                         SN_OK);
    }
    defs[SN_HINGE].common.name = "door";
    defs[SN_CUSTOM].custom.kind_name = "height";
    defs[SN_CUSTOM].custom.data = &height;
    for (int k = 0; k < SN_CONSTRAINT_KIND_COUNT; ++k) {
        assert_int_equal(sn_constraint_add(w, (sn_constraint_kind)k, &defs[k], &s->joints[k]), SN_OK);
    }
}

// One body with one shape, tied to the ground.
static inline void bad_add_one_of_each(sn_world *world, sn_rigid *rigid, sn_shape *shape,
                                       sn_constraint *constraint)
{
    *rigid = bad_add_body(world, NULL, SN_DYNAMIC, sn_v(0.0f, 9.0f, 9.0f));
    assert_int_equal(sn_box_add(world, *rigid, NULL, (sn_box){{0.1f, 0.1f, 0.1f}}, shape), SN_OK);
    sn_fixed_def def = sn_fixed_def_default();
    assert_int_equal(
        sn_constraint_place(world, &def.common, sn_world_ground(world), *rigid, sn_v(0, 9, 9), sn_v(1, 0, 0)),
        SN_OK);
    assert_int_equal(sn_fixed_add(world, &def, constraint), SN_OK);
}

static inline void bad_make_ids(bad_scene *s)
{
    bad_add_one_of_each(s->world, &s->no_rigid[BAD_STALE], &s->no_shape[BAD_STALE],
                        &s->no_constraint[BAD_STALE]);
    assert_int_equal(sn_rigid_remove(s->world, s->no_rigid[BAD_STALE]), SN_OK);
    bad_add_one_of_each(s->other, &s->no_rigid[BAD_FOREIGN], &s->no_shape[BAD_FOREIGN],
                        &s->no_constraint[BAD_FOREIGN]);
    s->no_rigid[BAD_BEYOND] = (sn_rigid){UINT32_MAX, 1, s->crate.world};
    s->no_shape[BAD_BEYOND] = (sn_shape){1u << 31, 1, s->crate.world};
    s->no_constraint[BAD_BEYOND] = (sn_constraint){100000, 1, s->crate.world};
    s->no_rigid[BAD_LATER] = s->crate;
    s->no_shape[BAD_LATER] = s->crate_box;
    s->no_constraint[BAD_LATER] = s->joints[SN_BALL];
    s->no_rigid[BAD_LATER].generation += 2;
    s->no_shape[BAD_LATER].generation += 2;
    s->no_constraint[BAD_LATER].generation += 2;
}

static inline int bad_scene_setup(void **state)
{
    static bad_scene scene;
    bad_scene *s = &scene;
    memset(s, 0, sizeof *s);
    s->bytes_before = sn_allocated_bytes();
    sn_world_def def = sn_world_def_default();
    assert_int_equal(sn_world_create(&def, &s->world), SN_OK);
    assert_int_equal(sn_world_create(&def, &s->other), SN_OK);
    bad_add_shapes(s);
    bad_add_joints(s);
    bad_make_ids(s);
    for (int i = 0; i < 20; ++i) {
        assert_int_equal(sn_world_step(s->world, BAD_STEP), SN_OK);
        assert_int_equal(sn_world_step(s->other, BAD_STEP), SN_OK);
    }
    assert_true(sn_world_statistics(s->world).contact_count >= 3);
    s->hash = sn_world_hash(s->world);
    s->other_hash = sn_world_hash(s->other);
    *state = s;
    return 0;
}

// The scene goes, and with it all memory.
static inline int bad_scene_teardown(void **state)
{
    bad_scene *s = *state;
    sn_world_destroy(s->world);
    sn_world_destroy(s->other);
    assert_int_equal(sn_allocated_bytes(), s->bytes_before);
    return 0;
}

// What a test adds to the scene is part of what must not change.
static inline void bad_scene_settled(bad_scene *s)
{
    s->hash = sn_world_hash(s->world);
    s->other_hash = sn_world_hash(s->other);
}

#define bad_test(function) cmocka_unit_test_setup_teardown(function, bad_scene_setup, bad_scene_teardown)

// --- judging -------------------------------------------------------------------------------------

// Forgets old messages, so that the one found afterwards is that of the call.
static inline void bad_listen(bad_scene *s)
{
    (void)sn_fail(s->world->error, SN_OK, "%s", "");
    (void)sn_fail(s->other->error, SN_OK, "%s", "");
    (void)sn_fail(NULL, SN_OK, "%s", "");
    s->bytes = sn_allocated_bytes();
}

static inline void bad_require(bool holds, const char *what, const char *call, const char *message)
{
    if (!holds) {
        print_error("%s\n  by: %s\n  message: \"%s\"\n", what, call, message);
        fail();
    }
}

// The message of the call: in the world's own place or, for calls without a world, in the thread's.
static inline const char *bad_message(const bad_scene *s, const char *call)
{
    const char *own = sn_world_error(s->world), *last = sn_last_error();
    bad_require(sn_world_error(s->other)[0] == '\0', "a message for another world", call,
                sn_world_error(s->other));
    bad_require(own[0] == '\0' || last[0] == '\0', "a message in two places", call, last);
    return own[0] != '\0' ? own : last;
}

static inline void bad_judge(bad_scene *s, const char *call, sn_status status, sn_status expected,
                             const char *part)
{
    const char *message = bad_message(s, call);
    if (status != expected) {
        print_error("status is %d (%s), expected %d (%s)\n", status, sn_status_text(status), expected,
                    sn_status_text(expected));
    }
    bad_require(status == expected, "another status", call, message);
    bad_require(strstr(message, part) != NULL, part, call, message);
    bad_require(sn_allocated_bytes() <= s->bytes, "memory was kept", call, message);
    bad_require(sn_world_hash(s->world) == s->hash, "the world changed", call, message);
    bad_require(sn_world_hash(s->other) == s->other_hash, "the other world changed", call, message);
    ++bad_row_count;
}

// One row: the call is refused with this status and a message that contains `part`. Called twice, because the
// first may make room that stays.
#define refuse_named(scene, name, expected, part, call)                                                      \
    do {                                                                                                     \
        (void)(call);                                                                                        \
        bad_listen(scene);                                                                                   \
        sn_status refused_with = (call);                                                                     \
        bad_judge((scene), (name), refused_with, (expected), (part));                                        \
    } while (0)

#define refuse(scene, expected, part, call) refuse_named(scene, #call, expected, part, call)

// The same for a call with an answer at `out`, which must be all zeros afterwards.
#define refuse_answer(scene, out, expected, part, call)                                                      \
    do {                                                                                                     \
        memset((out), 0x5a, sizeof *(out));                                                                  \
        refuse(scene, expected, part, call);                                                                 \
        bad_require_zero((out), sizeof *(out), #call);                                                       \
    } while (0)

static inline void bad_require_zero(const void *memory, size_t size, const char *call)
{
    const unsigned char *bytes = memory;
    for (size_t i = 0; i < size; ++i) {
        bad_require(bytes[i] == 0, "the answer of a refused call is not zero", call, "");
    }
}

// One row: the answer is zero, and the message says why. SN_ERROR_ID is what the question would have said.
#define answers_nothing(scene, part, question)                                                               \
    do {                                                                                                     \
        bad_listen(scene);                                                                                   \
        bool nothing = (question);                                                                           \
        bad_require(nothing, "the answer is something", #question, sn_world_error((scene)->world));          \
        bad_judge((scene), #question, SN_ERROR_ID, SN_ERROR_ID, (part));                                     \
    } while (0)

// --- rows of definitions -------------------------------------------------------------------------

// A definition with one of its floats spoilt.
typedef struct bad_field {
    size_t offset;
    float value;
    sn_status expected;
    const char *part;
} bad_field;

static inline void bad_spoil(void *definition, const bad_field *row)
{
    memcpy((char *)definition + row->offset, &row->value, sizeof row->value);
}

#define bad_count(array) (sizeof(array) / sizeof *(array))

#endif
