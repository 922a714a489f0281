// The world that the tests of snapshots save: every type of shape and body, every kind of constraint, motors,
// springs, a kind of the user's own, stacks that sleep and stacks that fall, a body that was frozen, things
// that were removed and things about to break; deformables of all kinds, alone, anchored, touching and
// asleep. Include after cmocka.h.
#ifndef TESTS_WORLD_SNAPSHOT_WORLD_H
#define TESTS_WORLD_SNAPSHOT_WORLD_H

#include "support/random.h"
#include "support/scene_builder.h"
#include <stdlib.h>
#include <string.h>

#define SNAPSHOT_STEP (1.0f / 60.0f)

// --- kinds of the user's own ---------------------------------------------------------------------

// Keeps the mass centre of b at a height; a non-finite height ruins the body.
typedef struct snapshot_height {
    float height, compliance;
} snapshot_height;

static inline int snapshot_height_rows(const sn_row_input *input, const void *data, sn_row *rows)
{
    const snapshot_height *wanted = data;
    rows[0].value = input->center[1].y - wanted->height;
    rows[0].compliance = wanted->compliance;
    rows[0].linear[0] = sn_v(0.0f, -1.0f, 0.0f);
    rows[0].linear[1] = sn_v(0.0f, 1.0f, 0.0f);
    return 1;
}

static inline int snapshot_no_rows(const sn_row_input *input, const void *data, sn_row *rows)
{
    (void)input;
    (void)data;
    (void)rows;
    return 0;
}

// Some kinds before it, so that its number in the table differs from world to world.
static inline void snapshot_register_kinds(sn_world *world, int others)
{
    for (int i = 0; i < others; ++i) {
        const char *names[] = {"other", "another"};
        assert_int_equal(sn_custom_register(world, names[i], snapshot_no_rows, 4 * i), SN_OK);
    }
    assert_int_equal(sn_custom_register(world, "height", snapshot_height_rows, sizeof(snapshot_height)),
                     SN_OK);
}

static inline sn_world *snapshot_empty_world(int threads, int other_kinds)
{
    sn_world_def def = sn_world_def_default();
    def.threads = threads;
    sn_world *world;
    assert_int_equal(sn_world_create(&def, &world), SN_OK);
    snapshot_register_kinds(world, other_kinds);
    return world;
}

// --- shapes --------------------------------------------------------------------------------------

static inline void snapshot_add_terrain(scene_builder *builder, sn_pose pose)
{
    enum { SIDE = 5 };
    sn_vec3 vertices[SIDE * SIDE];
    uint32_t triangles[6 * (SIDE - 1) * (SIDE - 1)];
    int count = 0;
    for (int i = 0; i < SIDE * SIDE; ++i) {
        float x = (float)(i % SIDE) - 2.0f, z = (float)(i / SIDE) - 2.0f;
        vertices[i] = sn_v(x, 0.15f * x * x + 0.1f * z * z, z);
    }
    for (uint32_t row = 0; row + 1 < SIDE; ++row) {
        for (uint32_t column = 0; column + 1 < SIDE; ++column) {
            uint32_t corner = row * SIDE + column;
            const uint32_t two[6] = {corner,     corner + SIDE, corner + 1,
                                     corner + 1, corner + SIDE, corner + SIDE + 1};
            for (int k = 0; k < 6; ++k) {
                triangles[count++] = two[k];
            }
        }
    }
    sn_surface *surface = NULL;
    builder->status = sn_surface_create(vertices, SIDE * SIDE, triangles, count / 3, false, &surface);
    sn_rigid body = scene_body(builder, SN_STATIC, pose);
    if (builder->status == SN_OK) {
        builder->status = sn_surface_add(builder->world, body, NULL, surface, NULL);
    }
    sn_surface_destroy(surface);
}

typedef struct snapshot_geometry {
    sn_hull *pebble, *drum;
    sn_compound *hammer; // a handle, a head, and a pebble
} snapshot_geometry;

static inline snapshot_geometry snapshot_make_geometry(void)
{
    snapshot_geometry geometry;
    test_random random = {11};
    sn_vec3 points[16];
    for (int i = 0; i < 16; ++i) {
        points[i] = sn_scale(test_random_direction(&random), 0.3f);
    }
    assert_int_equal(sn_hull_create(points, 16, 0, &geometry.pebble), SN_OK);
    assert_int_equal(sn_hull_cylinder(0.4f, 0.25f, 0.2f, 8, &geometry.drum), SN_OK);
    sn_solid parts[4] = {
        {.type = SN_CAPSULE,
         .pose = scene_at(0.0f, 0.0f, 0.0f),
         .capsule = {{-0.4f, 0.0f, 0.0f}, {0.4f, 0.0f, 0.0f}, 0.08f}},
        {.type = SN_BOX, .pose = scene_at(0.5f, 0.0f, 0.0f), .box = {{0.1f, 0.25f, 0.1f}}},
        {.type = SN_SPHERE, .pose = scene_at(-0.5f, 0.0f, 0.0f), .sphere = {{0.0f, 0.05f, 0.0f}, 0.12f}},
        {.type = SN_HULL, .pose = scene_at(0.5f, 0.4f, 0.0f), .hull = geometry.pebble}};
    parts[1].pose.rotation = sn_quat_axis_angle(sn_v(0.0f, 0.0f, 1.0f), 0.3f);
    assert_int_equal(sn_compound_create(parts, 4, &geometry.hammer), SN_OK);
    return geometry;
}

// Bodies of all shapes that share geometry, dropped onto the terrain and the floor in front of it.
static inline void snapshot_add_shapes(scene_builder *builder, sn_vec3 place)
{
    snapshot_geometry geometry = snapshot_make_geometry();
    snapshot_add_terrain(builder, scene_at(place.x, place.y, place.z));
    for (int i = 0; i < 6; ++i) {
        float x = place.x + 0.9f * (float)(i % 3) - 0.9f, z = place.z + (i < 3 ? 0.0f : 4.0f);
        sn_rigid body = scene_body(builder, SN_DYNAMIC, scene_at(x, place.y + 1.2f, z));
        assert_int_equal(builder->status, SN_OK);
        sn_shape_def def = sn_shape_def_default();
        def.rolling_resistance = 0.01f * (float)i;
        def.hit_events = i % 2 == 0;
        def.surface_velocity = sn_v(0.1f * (float)(i % 2), 0.0f, 0.0f);
        if (i % 3 == 0) {
            def.offset.rotation = sn_quat_axis_angle(sn_v(1.0f, 0.0f, 0.0f), 0.2f);
            assert_int_equal(sn_hull_add(builder->world, body, &def, geometry.pebble, NULL), SN_OK);
        } else if (i % 3 == 1) {
            assert_int_equal(sn_compound_add(builder->world, body, &def, geometry.hammer, NULL), SN_OK);
        } else {
            assert_int_equal(sn_hull_add(builder->world, body, &def, geometry.drum, NULL), SN_OK);
            sn_sphere knob = {{0.0f, 0.3f, 0.0f}, 0.1f};
            assert_int_equal(sn_sphere_add(builder->world, body, &def, knob, NULL), SN_OK);
        }
    }
    scene_capsule(builder, scene_at(place.x + 1.5f, place.y + 2.0f, place.z), 0.3f, 0.1f);
    sn_hull_destroy(geometry.pebble);
    sn_hull_destroy(geometry.drum);
    sn_compound_destroy(geometry.hammer);
}

// --- constraints ---------------------------------------------------------------------------------

// A row of boxes, each hung from the ground by another kind, and one that has two of them.
static inline void snapshot_add_joints(scene_builder *builder, sn_vec3 place)
{
    sn_world *world = builder->world;
    sn_rigid ground = sn_world_ground(world), b[7];
    sn_vec3 at[7], along_z = {0.0f, 0.0f, 1.0f};
    for (int i = 0; i < 7; ++i) {
        at[i] = sn_add(place, sn_v((float)i, 0.0f, 0.0f));
        sn_vec3 size = sn_v(0.2f, 0.1f + 0.02f * (float)i, 0.15f);
        b[i] = scene_box(builder, scene_at(at[i].x + 0.3f, at[i].y, at[i].z), size, 800.0f);
    }
    assert_int_equal(builder->status, SN_OK);
    sn_ball_def ball = sn_ball_def_default();
    ball.limit_cone = ball.limit_twist = true;
    ball.cone_angle = 0.7f;
    ball.twist_lower = -0.4f;
    ball.twist_upper = 0.6f;
    ball.common.name = "shoulder";
    sn_constraint_place(world, &ball.common, ground, b[0], at[0], sn_v(1.0f, 0.0f, 0.0f));
    assert_int_equal(sn_ball_add(world, &ball, NULL), SN_OK);
    sn_hinge_def hinge = sn_hinge_def_default();
    hinge.motor = hinge.limit = true;
    hinge.lower = -2.0f;
    hinge.upper = 2.5f;
    hinge.motor_speed = 4.0f;
    hinge.motor_torque = 300.0f;
    hinge.spring_stiffness = 50.0f;
    sn_constraint_place(world, &hinge.common, ground, b[1], at[1], along_z);
    assert_int_equal(sn_hinge_add(world, &hinge, NULL), SN_OK);
    sn_slider_def slider = sn_slider_def_default();
    slider.motor = slider.limit = true;
    slider.lower = -0.8f;
    slider.upper = 0.8f;
    slider.motor_speed = -1.5f;
    slider.motor_force = 400.0f;
    slider.spring_stiffness = 200.0f;
    slider.spring_damping = 5.0f;
    sn_constraint_place(world, &slider.common, ground, b[2], at[2], sn_v(0.0f, 1.0f, 0.0f));
    assert_int_equal(sn_slider_add(world, &slider, NULL), SN_OK);
    sn_fixed_def fixed = sn_fixed_def_default();
    fixed.common.angular_compliance = 1.0e-3f;
    fixed.common.angular_damping = 0.2f;
    sn_constraint_place(world, &fixed.common, ground, b[3], at[3], along_z);
    assert_int_equal(sn_fixed_add(world, &fixed, NULL), SN_OK);
    sn_distance_def rope = sn_distance_def_default();
    rope.upper = 1.0f;
    rope.common.collide_connected = true;
    sn_constraint_place_points(world, &rope.common, b[3], b[4], at[3], at[4]);
    assert_int_equal(sn_distance_add(world, &rope, NULL), SN_OK);
    sn_axis_def wire = sn_axis_def_default();
    wire.limit = wire.motor = true;
    wire.lower = -0.4f;
    wire.upper = 0.9f;
    wire.motor_speed = 0.7f;
    wire.motor_force = 30.0f;
    wire.spring_stiffness = 120.0f;
    sn_constraint_place(world, &wire.common, ground, b[4], at[4], sn_v(0.0f, 0.6f, 0.8f));
    assert_int_equal(sn_axis_add(world, &wire, NULL), SN_OK);
    snapshot_height height = {place.y + 0.5f, 1.0e-4f};
    sn_custom_def custom = sn_custom_def_default();
    custom.kind_name = "height";
    custom.data = &height;
    custom.common.a = sn_point_rigid(ground, sn_v(0.0f, 0.0f, 0.0f));
    for (int i = 5; i < 7; ++i) {
        custom.common.b = sn_point_rigid(b[i], sn_v(0.0f, 0.0f, 0.0f));
        custom.common.name = i == 5 ? "float" : "doomed";
        assert_int_equal(sn_custom_add(world, &custom, NULL), SN_OK);
    }
}

// A weight on a rope that snaps some two seconds from the start, when the weight has reached its end.
static inline void snapshot_add_breaking_rope(scene_builder *builder, sn_vec3 place)
{
    sn_rigid weight =
        scene_box(builder, scene_at(place.x, place.y, place.z), sn_v(0.2f, 0.2f, 0.2f), 2000.0f);
    sn_distance_def rope = sn_distance_def_default();
    rope.upper = 20.0f;
    rope.common.break_force = 2000.0f;
    sn_constraint_place_points(builder->world, &rope.common, sn_world_ground(builder->world), weight, place,
                               place);
    assert_int_equal(sn_distance_add(builder->world, &rope, NULL), SN_OK);
}

// --- the whole -----------------------------------------------------------------------------------

static inline void snapshot_add_stack(scene_builder *builder, sn_vec3 place, int count)
{
    for (int i = 0; i < count; ++i) {
        scene_box(builder, scene_at(place.x, place.y + 0.25f + 0.5f * (float)i, place.z),
                  sn_v(0.25f, 0.25f, 0.25f), 1000.0f);
    }
}

// Bodies that move as told or not at all, and settings few others have.
static inline void snapshot_add_movers(scene_builder *builder, sn_vec3 place)
{
    sn_rigid_def def = sn_rigid_def_default();
    def.type = SN_KINEMATIC;
    def.name = "turntable";
    def.position = place;
    def.angular_velocity = sn_v(0.0f, 0.7f, 0.0f);
    sn_rigid body;
    assert_int_equal(sn_rigid_add(builder->world, &def, &body), SN_OK);
    assert_int_equal(sn_box_add(builder->world, body, NULL, (sn_box){{1.0f, 0.1f, 1.0f}}, NULL), SN_OK);
    def.name = "lift";
    def.angular_velocity = sn_v(0.0f, 0.0f, 0.0f);
    def.position = sn_add(place, sn_v(3.0f, 0.0f, 0.0f));
    assert_int_equal(sn_rigid_add(builder->world, &def, &body), SN_OK);
    assert_int_equal(sn_box_add(builder->world, body, NULL, (sn_box){{1.0f, 0.1f, 1.0f}}, NULL), SN_OK);
    def.type = SN_DYNAMIC;
    def.name = "";
    def.bullet = true;
    def.locks = SN_LOCK_Z | SN_LOCK_ROTATION_X;
    def.linear_damping = 0.1f;
    def.angular_damping = 0.2f;
    def.gravity_scale = 0.9f;
    for (int i = 0; i < 2; ++i) {
        def.position = sn_add(place, sn_v(3.0f * (float)i, 0.5f, 0.0f));
        assert_int_equal(sn_rigid_add(builder->world, &def, &body), SN_OK);
        sn_shape_def shape = sn_shape_def_default();
        shape.restitution = 0.6f;
        shape.filter = (sn_filter){2u, UINT64_MAX, -3};
        sn_sphere sphere = {{0.0f, 0.0f, 0.0f}, 0.2f};
        assert_int_equal(sn_sphere_add(builder->world, body, &shape, sphere, NULL), SN_OK);
    }
}

// A sheet on the floor that goes to sleep, a cube that falls on the terrain's rim, two strands that share a
// mesh: one hung up with a weight at its end, one that was removed. And a cube that keeps its enclosed
// volume.
static inline void snapshot_add_deformables(scene_builder *builder, sn_vec3 place)
{
    sn_world *world = builder->world;
    sn_mesh *sheet, *cube, *line, *shell;
    assert_int_equal(sn_mesh_grid(0.6f, 0.6f, 2, 2, SN_GRID_ALTERNATING, &sheet), SN_OK);
    assert_int_equal(sn_mesh_box(sn_v(0.4f, 0.4f, 0.4f), 1, 1, 1, &cube), SN_OK);
    assert_int_equal(sn_mesh_line(0.6f, 3, &line), SN_OK);
    assert_int_equal(sn_mesh_box_surface(sn_v(0.3f, 0.3f, 0.3f), 1, 1, 1, &shell), SN_OK);
    sn_deformable made[5];
    sn_deformable_def def = sn_deformable_def_default();
    def.mesh = sheet;
    def.mass = 0.3f;
    def.inextensible.on = true;
    def.bending = (sn_bending){SN_BENDING_ISOMETRIC, 1.0e-3f, 0.01f, INFINITY};
    def.pose = scene_at(place.x, place.y + 0.02f, place.z);
    def.pose.rotation = sn_quat_axis_angle(sn_v(1.0f, 0.0f, 0.0f), -0.5f * SN_PI);
    def.name = "mat";
    assert_int_equal(sn_deformable_add(world, &def, &made[0]), SN_OK);
    def = sn_deformable_def_default();
    def.mesh = cube;
    def.model = sn_model_corotational(3.0e4f, 0.4f);
    def.pose = scene_at(place.x + 1.5f, place.y + 0.6f, place.z);
    def.angular_velocity = sn_v(0.5f, 1.0f, 0.0f);
    assert_int_equal(sn_deformable_add(world, &def, &made[1]), SN_OK);
    def = sn_deformable_def_default();
    def.mesh = line;
    def.density = 1.0f;
    def.model = sn_model_springs(500.0f, 1.0f);
    def.pose = scene_at(place.x + 3.0f, place.y + 2.0f, place.z);
    assert_int_equal(sn_deformable_add(world, &def, &made[2]), SN_OK);
    assert_int_equal(sn_deformable_add(world, &def, &made[3]), SN_OK);
    def.mesh = shell;
    def.model = sn_model_shape_matching(0.5f, SN_MATCH_LINEAR, 0.3f);
    def.density = 20.0f;
    def.enclosure.preserve = true;
    def.pose = scene_at(place.x + 5.0f, place.y + 0.5f, place.z);
    assert_int_equal(sn_deformable_add(world, &def, &made[4]), SN_OK);
    sn_rigid weight = scene_sphere(builder, scene_at(place.x + 3.4f, place.y + 2.0f, place.z), 0.1f);
    sn_anchor_def anchor = sn_anchor_def_default();
    anchor.a = sn_point_world(sn_v(place.x + 2.7f, place.y + 2.0f, place.z));
    anchor.b = sn_point_node(made[2], 0);
    anchor.name = "nail";
    assert_int_equal(sn_anchor_add(world, &anchor, NULL), SN_OK);
    anchor.a = sn_point_on_rigid(world, weight, sn_v(place.x + 3.3f, place.y + 2.0f, place.z));
    anchor.b = sn_point_node(made[2], 3);
    anchor.compliance = 1.0e-4f;
    anchor.damping = 3.0f;
    assert_int_equal(sn_anchor_add(world, &anchor, NULL), SN_OK);
    anchor.b = sn_point_node(made[3], 0);
    assert_int_equal(sn_anchor_add(world, &anchor, NULL), SN_OK);
    assert_int_equal(sn_deformable_remove(world, made[3]), SN_OK); // and the anchor with it
    sn_mesh_destroy(sheet);
    sn_mesh_destroy(cube);
    sn_mesh_destroy(line);
    sn_mesh_destroy(shell);
}

// `stacks` of none make it small: one of everything.
static inline void snapshot_fill(sn_world *world, int stacks)
{
    scene_builder builder = {world, SN_OK};
    sn_rigid gone[3];
    scene_floor(&builder);
    for (int i = 0; i < 3; ++i) {
        gone[i] = scene_sphere(&builder, scene_at(30.0f, 5.0f, (float)i), 0.2f);
    }
    snapshot_add_shapes(&builder, sn_v(-6.0f, 0.0f, 0.0f));
    snapshot_add_joints(&builder, sn_v(4.0f, 3.0f, 0.0f));
    snapshot_add_movers(&builder, sn_v(0.0f, 1.0f, -5.0f));
    snapshot_add_breaking_rope(&builder, sn_v(20.0f, 30.0f, 0.0f));
    snapshot_add_deformables(&builder, sn_v(-2.0f, 0.0f, 12.0f));
    for (int i = 0; i < stacks; ++i) {
        snapshot_add_stack(&builder, sn_v(2.0f * (float)i, 0.0f, 5.0f), 4);
        snapshot_add_stack(&builder, sn_v(2.0f * (float)i, 30.0f, 8.0f), 3);
    }
    assert_int_equal(builder.status, SN_OK);
    assert_int_equal(sn_rigid_remove(world, gone[2]), SN_OK);
    assert_int_equal(sn_rigid_remove(world, gone[0]), SN_OK);
}

// The body of that name; null id if there is none.
static inline sn_rigid snapshot_find(const sn_world *world, const char *name)
{
    sn_rigid rigids[256], none = {0};
    int count = sn_world_rigids(world, rigids, 256);
    for (int i = 0; i < count; ++i) {
        if (strcmp(sn_rigid_name(world, rigids[i]), name) == 0) {
            return rigids[i];
        }
    }
    return none;
}

// What the user does before step number `step`.
static inline void snapshot_drive(sn_world *world, int step)
{
    sn_rigid lift = snapshot_find(world, "lift");
    sn_pose target = scene_at(3.0f, 1.0f + 0.3f * sn_sin(0.1f * (float)step), -5.0f);
    if (step / 40 % 2 == 0) {
        assert_int_equal(sn_rigid_target_set(world, lift, target), SN_OK);
    }
    sn_deformable deformables[8];
    int soft_count = sn_world_deformables(world, deformables, 8);
    if (step % 25 == 3 && soft_count > 1) {
        assert_int_equal(sn_node_force_add(world, deformables[1], step % 8, sn_v(200.0f, 900.0f, 0.0f)),
                         SN_OK);
    }
    if (step == 5 && soft_count > 1) {
        assert_int_equal(sn_node_fix(world, deformables[2], 1, true), SN_OK);
    }
    if (step % 50 == 30 && soft_count > 1) {
        sn_vec3 place = sn_deformable_nodes(world, deformables[2])[1].position;
        assert_int_equal(
            sn_node_target_set(world, deformables[2], 1, sn_add(place, sn_v(0.01f, 0.01f, 0.0f))), SN_OK);
    }
    if (step == 20) {
        sn_constraint constraints[32];
        int count = sn_world_constraints(world, constraints, 32);
        for (int i = 0; i < count; ++i) {
            if (strcmp(sn_constraint_name(world, constraints[i]), "doomed") == 0) {
                snapshot_height nowhere = {NAN, 0.0f};
                assert_int_equal(sn_custom_data_set(world, constraints[i], &nowhere), SN_OK);
            }
        }
    }
    if (step % 60 == 59) {
        sn_rigid rigids[256];
        int count = sn_world_rigids(world, rigids, 256);
        sn_rigid pushed = rigids[step % count];
        if (sn_rigid_get_type(world, pushed) == SN_DYNAMIC && !sn_rigid_is_frozen(world, pushed)) {
            assert_int_equal(sn_rigid_force_add(world, pushed, sn_v(100.0f, 2000.0f, 50.0f)), SN_OK);
        }
    }
}

static inline void snapshot_run(sn_world *world, int first, int count)
{
    for (int step = first; step < first + count; ++step) {
        snapshot_drive(world, step);
        assert_int_equal(sn_world_step(world, SNAPSHOT_STEP), SN_OK);
    }
}

// --- bytes ---------------------------------------------------------------------------------------

typedef struct snapshot_bytes {
    unsigned char *data;
    size_t size;
} snapshot_bytes;

static inline snapshot_bytes snapshot_save(const sn_world *world)
{
    snapshot_bytes bytes = {NULL, 0};
    assert_int_equal(sn_world_save(world, NULL, 0, &bytes.size), SN_OK);
    bytes.data = malloc(bytes.size);
    assert_non_null(bytes.data);
    assert_int_equal(sn_world_save(world, bytes.data, bytes.size, &bytes.size), SN_OK);
    return bytes;
}

static inline void assert_same_bytes(snapshot_bytes a, snapshot_bytes b)
{
    assert_int_equal(a.size, b.size);
    assert_memory_equal(a.data, b.data, a.size);
}

#endif
