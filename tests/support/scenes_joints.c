// Things held together by joints: a chain of all kinds, a pile of jointed figures, and machines with motors.
#include "support/scene_builder.h"
#include "support/scenes.h"

// --- joint chain -------------------------------------------------------------------------------------------

static const float link_pitch = 0.6f;

static void add_chain_slider(scene_builder *builder, sn_rigid a, sn_rigid b, sn_vec3 point)
{
    sn_slider_def def = sn_slider_def_default();
    def.limit = true;
    def.lower = -0.05f;
    def.upper = 0.1f;
    builder->status = sn_constraint_place(builder->world, &def.common, a, b, point, sn_v(1.0f, 0.0f, 0.0f));
    if (builder->status == SN_OK) {
        builder->status = sn_slider_add(builder->world, &def, NULL);
    }
}

static void add_chain_rod(scene_builder *builder, sn_rigid a, sn_rigid b, sn_vec3 point)
{
    const sn_vec3 half_rod = {0.05f, 0.0f, 0.0f};
    sn_distance_def def = sn_distance_def_default();
    def.lower = 0.1f;
    def.upper = 0.1f;
    builder->status = sn_constraint_place_points(builder->world, &def.common, a, b, sn_sub(point, half_rod),
                                                 sn_add(point, half_rod));
    if (builder->status == SN_OK) {
        builder->status = sn_distance_add(builder->world, &def, NULL);
    }
}

static void add_chain_fixed(scene_builder *builder, sn_rigid a, sn_rigid b, sn_vec3 point)
{
    sn_fixed_def def = sn_fixed_def_default();
    builder->status = sn_constraint_place(builder->world, &def.common, a, b, point, sn_v(1.0f, 0.0f, 0.0f));
    if (builder->status == SN_OK) {
        builder->status = sn_fixed_add(builder->world, &def, NULL);
    }
}

static void add_ball(scene_builder *builder, sn_rigid a, sn_rigid b, sn_vec3 point, sn_vec3 axis,
                     bool limited)
{
    sn_ball_def def = sn_ball_def_default();
    def.limit_cone = limited;
    def.cone_angle = 0.8f;
    def.limit_twist = limited;
    def.twist_lower = -0.5f;
    def.twist_upper = 0.5f;
    builder->status = sn_constraint_place(builder->world, &def.common, a, b, point, axis);
    if (builder->status == SN_OK) {
        builder->status = sn_ball_add(builder->world, &def, NULL);
    }
}

static void add_hinge(scene_builder *builder, sn_rigid a, sn_rigid b, sn_vec3 point, sn_vec3 axis,
                      bool limited)
{
    sn_hinge_def def = sn_hinge_def_default();
    def.limit = limited;
    def.lower = -2.2f;
    def.upper = 0.05f;
    builder->status = sn_constraint_place(builder->world, &def.common, a, b, point, axis);
    if (builder->status == SN_OK) {
        builder->status = sn_hinge_add(builder->world, &def, NULL);
    }
}

static void add_chain_joint(scene_builder *builder, int index, sn_rigid a, sn_rigid b, sn_vec3 point)
{
    if (builder->status != SN_OK) {
        return;
    }
    switch (index % 5) {
    case 0:
        add_ball(builder, a, b, point, sn_v(1.0f, 0.0f, 0.0f), false);
        break;
    case 1:
        add_hinge(builder, a, b, point, sn_v(0.0f, 0.0f, 1.0f), false);
        break;
    case 2:
        add_chain_slider(builder, a, b, point);
        break;
    case 3:
        add_chain_rod(builder, a, b, point);
        break;
    default:
        add_chain_fixed(builder, a, b, point);
        break;
    }
}

// Twenty capsules start in a horizontal line from a point 8 m up, so that the last third whips the floor.
sn_status scene_build_joint_chain(sn_world *world)
{
    const float height = 8.0f;
    scene_builder builder = {world, SN_OK};
    scene_floor(&builder);
    sn_quat along_x = sn_quat_axis_angle(sn_v(0.0f, 0.0f, 1.0f), 0.5f * SN_PI);
    sn_rigid previous = sn_world_ground(world);
    for (int i = 0; i < 20; ++i) {
        sn_pose pose = {{link_pitch * (0.5f + (float)i), height, 0.0f}, along_x};
        sn_rigid link = scene_capsule(&builder, pose, 0.2f, 0.06f);
        add_chain_joint(&builder, i, previous, link, sn_v(link_pitch * (float)i, height, 0.0f));
        previous = link;
    }
    return builder.status;
}

// --- jointed figures ---------------------------------------------------------------------------------------

// One limb of a figure that stands upright with its arms spread: a capsule of half-axis `half`, and the joint
// to its parent (a hinge about `hinge_axis`, or a limited ball if that is zero). [m]
typedef struct figure_limb {
    int parent;
    float radius;
    sn_vec3 center, half, joint, hinge_axis;
} figure_limb;

enum { FIGURE_LIMBS = 11, FIGURES = 10 };

static const figure_limb figure[FIGURE_LIMBS] = {
    {-1, 0.12f, {0.0f, 1.0f, 0.0f}, {0.08f, 0.0f, 0.0f}, {0.0f, 0.0f, 0.0f}, {0.0f, 0.0f, 0.0f}},  // pelvis
    {0, 0.15f, {0.0f, 1.38f, 0.0f}, {0.0f, 0.12f, 0.0f}, {0.0f, 1.17f, 0.0f}, {0.0f, 0.0f, 0.0f}}, // chest
    {1, 0.1f, {0.0f, 1.78f, 0.0f}, {0.0f, 0.05f, 0.0f}, {0.0f, 1.63f, 0.0f}, {0.0f, 0.0f, 0.0f}},  // head
    {1,
     0.055f,
     {-0.38f, 1.48f, 0.0f},
     {-0.12f, 0.0f, 0.0f},
     {-0.19f, 1.48f, 0.0f},
     {0.0f, 0.0f, 0.0f}}, // arms
    {1, 0.055f, {0.38f, 1.48f, 0.0f}, {0.12f, 0.0f, 0.0f}, {0.19f, 1.48f, 0.0f}, {0.0f, 0.0f, 0.0f}},
    {3,
     0.05f,
     {-0.72f, 1.48f, 0.0f},
     {-0.11f, 0.0f, 0.0f},
     {-0.56f, 1.48f, 0.0f},
     {0.0f, 1.0f, 0.0f}}, // forearms
    {4, 0.05f, {0.72f, 1.48f, 0.0f}, {0.11f, 0.0f, 0.0f}, {0.56f, 1.48f, 0.0f}, {0.0f, -1.0f, 0.0f}},
    {0,
     0.075f,
     {-0.11f, 0.68f, 0.0f},
     {0.0f, -0.16f, 0.0f},
     {-0.11f, 0.9f, 0.0f},
     {0.0f, 0.0f, 0.0f}}, // thighs
    {0, 0.075f, {0.11f, 0.68f, 0.0f}, {0.0f, -0.16f, 0.0f}, {0.11f, 0.9f, 0.0f}, {0.0f, 0.0f, 0.0f}},
    {7,
     0.06f,
     {-0.11f, 0.23f, 0.0f},
     {0.0f, -0.16f, 0.0f},
     {-0.11f, 0.44f, 0.0f},
     {-1.0f, 0.0f, 0.0f}}, // shins
    {8, 0.06f, {0.11f, 0.23f, 0.0f}, {0.0f, -0.16f, 0.0f}, {0.11f, 0.44f, 0.0f}, {-1.0f, 0.0f, 0.0f}},
};

static void add_figure(scene_builder *builder, sn_pose base)
{
    sn_rigid limbs[FIGURE_LIMBS] = {{0}};
    for (int i = 0; i < FIGURE_LIMBS && builder->status == SN_OK; ++i) {
        const figure_limb *limb = &figure[i];
        sn_vec3 direction = sn_normalize(limb->half);
        sn_pose local = {limb->center, sn_quat_between(sn_v(0.0f, 1.0f, 0.0f), direction)};
        limbs[i] = scene_capsule(builder, sn_pose_multiply(base, local), sn_length(limb->half), limb->radius);
        if (limb->parent < 0 || builder->status != SN_OK) {
            continue;
        }
        sn_vec3 point = sn_pose_apply(base, limb->joint);
        if (sn_length_squared(limb->hinge_axis) > 0.0f) {
            sn_vec3 axis = sn_rotate(base.rotation, limb->hinge_axis);
            add_hinge(builder, limbs[limb->parent], limbs[i], point, axis, true);
        } else {
            sn_vec3 axis = sn_rotate(base.rotation, direction);
            add_ball(builder, limbs[limb->parent], limbs[i], point, axis, true);
        }
    }
}

// The figures lie flat above each other, each turned a bit further than the one below.
sn_status scene_build_ragdolls(sn_world *world)
{
    scene_builder builder = {world, SN_OK};
    scene_floor(&builder);
    sn_quat lying = sn_quat_axis_angle(sn_v(1.0f, 0.0f, 0.0f), 0.5f * SN_PI);
    for (int i = 0; i < FIGURES; ++i) {
        sn_quat turn = sn_quat_axis_angle(sn_v(0.0f, 1.0f, 0.0f), 0.7f * (float)i);
        sn_quat rotation = sn_quat_multiply(turn, lying);
        // The figure's middle, 1 m above its soles, comes to lie on the axis of the pile.
        sn_vec3 middle = sn_rotate(rotation, sn_v(0.0f, 1.0f, 0.0f));
        sn_pose base = {sn_sub(sn_v(0.0f, 1.0f + 0.6f * (float)i, 0.0f), middle), rotation};
        add_figure(&builder, base);
    }
    return builder.status;
}

// --- machines ----------------------------------------------------------------------------------------------

static const float mixer_torque = 20000.0f; // [N m]
static const float press_force = 50000.0f;  // [N]

// Four walls of a square bin around the origin, 4 m wide inside and 2 m high.
static void add_bin(scene_builder *builder)
{
    for (int i = 0; i < 4 && builder->status == SN_OK; ++i) {
        sn_shape_def def = sn_shape_def_default();
        sn_quat turn = sn_quat_axis_angle(sn_v(0.0f, 1.0f, 0.0f), 0.5f * SN_PI * (float)i);
        def.offset.rotation = turn;
        def.offset.position = sn_rotate(turn, sn_v(2.1f, 1.0f, 0.0f));
        sn_box wall = {{0.1f, 1.0f, 2.2f}};
        builder->status = sn_box_add(builder->world, sn_world_ground(builder->world), &def, wall, NULL);
    }
}

// A paddle in the bin, and loose bodies that rain on it; scene_drive_machines turns it to and fro.
static void add_mixer(scene_builder *builder)
{
    sn_rigid paddle = scene_box(builder, scene_at(0.0f, 0.45f, 0.0f), sn_v(1.45f, 0.4f, 0.1f), 2000.0f);
    if (builder->status == SN_OK) {
        sn_hinge_def def = sn_hinge_def_default();
        builder->status = sn_constraint_place(builder->world, &def.common, sn_world_ground(builder->world),
                                              paddle, sn_v(0.0f, 0.45f, 0.0f), sn_v(0.0f, 1.0f, 0.0f));
        if (builder->status == SN_OK) {
            builder->status = sn_hinge_add(builder->world, &def, NULL);
        }
    }
    for (int i = 0; i < 48; ++i) {
        float x = 0.8f * ((float)(i % 4) - 1.5f);
        float z = 0.8f * ((float)(i / 4 % 4) - 1.5f);
        sn_pose pose = scene_at(x, 1.5f + 0.8f * (float)(i / 16), z);
        if (i % 2 == 0) {
            scene_sphere(builder, pose, 0.18f);
        } else {
            scene_box(builder, pose, sn_v(0.18f, 0.15f, 0.22f), 1000.0f);
        }
    }
}

// A ram on a vertical slider above three boxes; scene_drive_machines moves it.
static void add_press(scene_builder *builder)
{
    const sn_vec3 place = {6.0f, 4.0f, 0.0f};
    for (int i = 0; i < 3; ++i) {
        scene_box(builder, scene_at(place.x, 0.5f + (float)i, place.z), sn_v(0.5f, 0.5f, 0.5f), 1000.0f);
    }
    sn_rigid ram = scene_box(builder, scene_at(place.x, place.y, place.z), sn_v(0.7f, 0.2f, 0.7f), 1000.0f);
    if (builder->status == SN_OK) {
        sn_slider_def def = sn_slider_def_default();
        def.limit = true;
        def.lower = -2.0f;
        def.upper = 1.0f;
        builder->status = sn_constraint_place(builder->world, &def.common, sn_world_ground(builder->world),
                                              ram, place, sn_v(0.0f, 1.0f, 0.0f));
        if (builder->status == SN_OK) {
            builder->status = sn_slider_add(builder->world, &def, NULL);
        }
    }
}

static const sn_vec3 lift_place = {-6.0f, 0.3f, 0.0f};

// A kinematic platform with four boxes on it; scene_drive_machines raises, lowers and turns it.
static void add_lift(scene_builder *builder)
{
    sn_pose pose = {lift_place, sn_quat_identity};
    sn_rigid platform = scene_body(builder, SN_KINEMATIC, pose);
    if (builder->status == SN_OK) {
        sn_box box = {{1.5f, 0.1f, 1.5f}};
        builder->status = sn_box_add(builder->world, platform, NULL, box, NULL);
    }
    for (int i = 0; i < 4; ++i) {
        float x = lift_place.x + (i % 2 == 0 ? -0.6f : 0.6f);
        float z = lift_place.z + (i / 2 == 0 ? -0.6f : 0.6f);
        scene_box(builder, scene_at(x, lift_place.y + 0.4f, z), sn_v(0.3f, 0.3f, 0.3f), 1000.0f);
    }
}

// Balls on distance springs, one hung from the next.
static void add_springs(scene_builder *builder)
{
    sn_rigid upper = sn_world_ground(builder->world);
    sn_vec3 upper_point = {0.0f, 7.0f, 5.0f};
    for (int i = 0; i < 4; ++i) {
        sn_vec3 point = sn_v(0.6f * (float)(i + 1), 7.0f - 0.8f * (float)(i + 1), 5.0f);
        sn_rigid ball = scene_sphere(builder, scene_at(point.x, point.y, point.z), 0.2f);
        if (builder->status != SN_OK) {
            return;
        }
        sn_distance_def def = sn_distance_def_default();
        def.spring_stiffness = 5000.0f;
        def.spring_damping = 20.0f;
        def.spring_length = 1.0f;
        builder->status =
            sn_constraint_place_points(builder->world, &def.common, upper, ball, upper_point, point);
        if (builder->status == SN_OK) {
            builder->status = sn_distance_add(builder->world, &def, NULL);
        }
        upper = ball;
        upper_point = point;
    }
}

sn_status scene_build_machines(sn_world *world)
{
    scene_builder builder = {world, SN_OK};
    scene_floor(&builder);
    add_bin(&builder);
    add_mixer(&builder);
    add_press(&builder);
    add_lift(&builder);
    add_springs(&builder);
    return builder.status;
}

// The press turns round every 2 s; the mixer every 2.5 s, which frees it from whatever jams it.
static sn_status drive_motors(sn_world *world, int step)
{
    enum { MAX_CONSTRAINTS = 16 };
    sn_constraint constraints[MAX_CONSTRAINTS];
    int count = sn_world_constraints(world, constraints, MAX_CONSTRAINTS);
    float press_speed = step / 120 % 2 == 0 ? -0.5f : 0.5f;
    float mixer_speed = step / 150 % 2 == 0 ? 3.0f : -3.0f;
    sn_status status = SN_OK;
    for (int i = 0; i < count && i < MAX_CONSTRAINTS && status == SN_OK; ++i) {
        sn_constraint_kind kind = sn_constraint_get_kind(world, constraints[i]);
        if (kind == SN_SLIDER) {
            status = sn_slider_motor_set(world, constraints[i], true, press_speed, press_force);
        } else if (kind == SN_HINGE) {
            status = sn_hinge_motor_set(world, constraints[i], true, mixer_speed, mixer_torque);
        }
    }
    return status;
}

// The platform's cycle is 4 s long and its turn 20 s, in steps of 1/60 s.
static sn_status drive_lift(sn_world *world, int step)
{
    enum { MAX_RIGIDS = 128 };
    sn_rigid rigids[MAX_RIGIDS];
    int count = sn_world_rigids(world, rigids, MAX_RIGIDS);
    float cycle = (float)(step % 240) / 240.0f, turn = (float)(step % 1200) / 1200.0f;
    sn_pose target = {sn_add(lift_place, sn_v(0.0f, 0.8f - 0.8f * sn_cos(2.0f * SN_PI * cycle), 0.0f)),
                      sn_quat_axis_angle(sn_v(0.0f, 1.0f, 0.0f), 2.0f * SN_PI * turn)};
    for (int i = 0; i < count && i < MAX_RIGIDS; ++i) {
        if (sn_rigid_get_type(world, rigids[i]) == SN_KINEMATIC) {
            return sn_rigid_target_set(world, rigids[i], target);
        }
    }
    return SN_ERROR_NAME;
}

sn_status scene_drive_machines(sn_world *world, int step)
{
    sn_status status = drive_motors(world, step);
    return status != SN_OK ? status : drive_lift(world, step);
}
