// Bounds of chains whose joints have limits: no shape that the limits allow violates one, above or below; and
// they carry loads that pull a chain straight, or fold it, past its limits.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include "support/physics.h"
#include "support/random.h"
#include "world/constraints/body_bounds.h"
#include <math.h>

enum { LINKS = 12, TREES = 150, SHAPES = 80 };

typedef enum link_joint { FREE_BALL, CONE, HINGE, LIMITED_HINGE, WELD, ROPE, LINK_JOINTS } link_joint;

// A tree of links: each hangs on an earlier one, or the first on the ground.
typedef struct tree {
    sn_world *world;
    sn_rigid links[LINKS];
    int parents[LINKS];
    link_joint joints[LINKS];
    bool is_turned[LINKS];          // the link is end a of its joint
    sn_pose from[LINKS], to[LINKS]; // frames on its parent, and on itself
    float lower[LINKS], upper[LINKS];
} tree;

static float pick(test_random *random, float lower, float upper)
{
    // Often at a limit.
    uint32_t kind = test_random_u32(random) % 4;
    return kind == 0 ? lower : kind == 1 ? upper : test_random_float(random, lower, upper);
}

static sn_quat about_x(float angle)
{
    return sn_quat_axis_angle(sn_v(1.0f, 0.0f, 0.0f), angle);
}

// How frame b lies in frame a.
static sn_pose random_offset(const tree *tree, int i, test_random *random)
{
    sn_pose pose = sn_pose_identity;
    float lower = tree->lower[i], upper = tree->upper[i];
    switch (tree->joints[i]) {
    case CONE: {
        sn_quat swing = sn_quat_axis_angle(sn_v(0.0f, 1.0f, 0.0f), pick(random, 0.0f, upper));
        sn_quat twist = about_x(test_random_float(random, -SN_PI, SN_PI));
        sn_quat about = about_x(test_random_float(random, -SN_PI, SN_PI));
        pose.rotation = sn_quat_multiply(about, sn_quat_multiply(swing, twist));
        break;
    }
    case HINGE:
    case LIMITED_HINGE:
        pose.rotation = about_x(pick(random, lower, upper));
        break;
    case ROPE:
        pose.position = sn_scale(test_random_direction(random), pick(random, lower, upper));
        pose.rotation = test_random_rotation(random);
        break;
    case FREE_BALL:
        pose.rotation = test_random_rotation(random);
        break;
    default:
        break;
    }
    return pose;
}

static sn_pose inverse(sn_pose pose)
{
    return sn_pose_relative(pose, sn_pose_identity);
}

// A pose of the link that its joint allows.
static void place_link(const tree *tree, int i, test_random *random)
{
    sn_pose parent = i > 0 ? sn_rigid_pose(tree->world, tree->links[tree->parents[i]]) : sn_pose_identity;
    sn_pose offset = random_offset(tree, i, random);
    offset = tree->is_turned[i] ? inverse(offset) : offset;
    sn_pose frame = sn_pose_multiply(sn_pose_multiply(parent, tree->from[i]), offset);
    sn_pose pose = sn_pose_multiply(frame, inverse(tree->to[i]));
    pose.rotation = sn_quat_normalize(pose.rotation);
    must(sn_rigid_pose_set(tree->world, tree->links[i], pose));
}

static void hold_link(const tree *tree, int i)
{
    sn_rigid parent = i > 0 ? tree->links[tree->parents[i]] : sn_world_ground(tree->world);
    sn_point ends[2] = {{.type = SN_POINT_RIGID,
                         .rigid = parent,
                         .position = tree->from[i].position,
                         .rotation = tree->from[i].rotation},
                        {.type = SN_POINT_RIGID,
                         .rigid = tree->links[i],
                         .position = tree->to[i].position,
                         .rotation = tree->to[i].rotation}};
    sn_ball_def ball = sn_ball_def_default();
    sn_hinge_def hinge = sn_hinge_def_default();
    sn_fixed_def weld = sn_fixed_def_default();
    sn_distance_def rope = sn_distance_def_default();
    ball.limit_cone = tree->joints[i] == CONE;
    ball.cone_angle = tree->joints[i] == CONE ? tree->upper[i] : ball.cone_angle;
    hinge.limit = tree->joints[i] == LIMITED_HINGE;
    hinge.lower = tree->lower[i];
    hinge.upper = tree->upper[i];
    rope.lower = tree->lower[i];
    rope.upper = tree->upper[i];
    const struct {
        sn_constraint_kind kind;
        void *def;
        sn_constraint_common *common;
    } kinds[LINK_JOINTS] = {{SN_BALL, &ball, &ball.common},    {SN_BALL, &ball, &ball.common},
                            {SN_HINGE, &hinge, &hinge.common}, {SN_HINGE, &hinge, &hinge.common},
                            {SN_FIXED, &weld, &weld.common},   {SN_DISTANCE, &rope, &rope.common}};
    link_joint joint = tree->joints[i];
    kinds[joint].common->a = ends[tree->is_turned[i] ? 1 : 0];
    kinds[joint].common->b = ends[tree->is_turned[i] ? 0 : 1];
    must(sn_constraint_add(tree->world, kinds[joint].kind, kinds[joint].def, NULL));
}

static void choose_limits(tree *tree, int i, test_random *random)
{
    float middle = test_random_float(random, -2.0f, 2.0f), half = test_random_float(random, 0.0f, 1.0f);
    bool is_free = tree->joints[i] == HINGE, is_rope = tree->joints[i] == ROPE;
    tree->lower[i] = is_free ? -SN_PI : is_rope ? test_random_float(random, 0.0f, 0.5f) : middle - half;
    tree->upper[i] = is_free ? SN_PI : is_rope ? tree->lower[i] + half : middle + half;
    tree->upper[i] = tree->joints[i] == CONE ? test_random_float(random, 0.0f, 1.5f) : tree->upper[i];
}

static tree make_tree(test_random *random)
{
    tree tree = {.world = physics_world()};
    for (int i = 0; i < LINKS; ++i) {
        tree.links[i] = physics_lump(tree.world, 1.0f, sn_v(0.1f, 0.1f, 0.1f), sn_pose_identity);
        tree.parents[i] = i % 3 == 2 ? (int)(test_random_u32(random) % (uint32_t)i) : i - 1;
        tree.joints[i] = (link_joint)(test_random_u32(random) % LINK_JOINTS);
        tree.is_turned[i] = test_random_u32(random) % 2 == 0;
        choose_limits(&tree, i, random);
        // Some segments have no length at all.
        sn_vec3 none = {0.0f, 0.0f, 0.0f};
        tree.from[i] =
            (sn_pose){i % 6 == 5 ? none : test_random_vec3(random, 0.5f), test_random_rotation(random)};
        tree.to[i] =
            (sn_pose){i % 6 == 5 ? none : test_random_vec3(random, 0.2f), test_random_rotation(random)};
        place_link(&tree, i, random);
        hold_link(&tree, i);
    }
    return tree;
}

typedef struct tally {
    double worst;
    int lower_count, shorter_count;
} tally;

static void look(const sn_world *world, tally *tally)
{
    for (int i = 0; i < world->body_bounds.count; ++i) {
        const sn_body_bound *bound = &world->body_bounds.data[i];
        sn_bound_ends ends = sn_body_bound_ends(world, bound);
        double distance =
            (double)sn_distance_between(sn_point_now(world, &ends.a), sn_point_now(world, &ends.b));
        double over = distance - (double)bound->length;
        tally->worst = bound->has_row ? fmax(tally->worst, bound->is_lower ? -over : over) : tally->worst;
    }
}

static void test_no_bound_acts_on_12000_shapes_that_limits_allow(void **state)
{
    (void)state;
    test_random random = {23};
    tally tally = {0};
    int lower = 0;
    for (int t = 0; t < TREES; ++t) {
        tree tree = make_tree(&random);
        sn_world_step(tree.world, 1.0e-6f);
        for (int i = 0; i < tree.world->body_bounds.count; ++i) {
            lower += tree.world->body_bounds.data[i].is_lower ? 1 : 0;
        }
        for (int s = 0; s < SHAPES; ++s) {
            for (int i = 0; i < LINKS; ++i) {
                place_link(&tree, i, &random);
            }
            look(tree.world, &tally);
        }
        sn_world_destroy(tree.world);
    }
    check_above((double)lower, 150.0, "lower bounds looked at");
    check_below(tally.worst, 2e-5, "farthest beyond a bound");
}

// --- what they do ------------------------------------------------------------------------------------------

enum { RODS = 20 };

typedef struct zigzag {
    sn_world *world;
    sn_rigid end;
    sn_point joint; // where the last rod is held
    float length;   // from the ground to there where every hinge is in the middle of its limits [m]
} zigzag;

// Rods of 0.1 m and 10 g that hang from the ground, each leaning by as much as the one before to the other
// side and by `curl` more than that, and a load of 10 kg at the last of them. Hinges may turn by `limit` to
// either side.
typedef struct shape {
    float lean, curl, limit;
} shape;

static zigzag make_zigzag(shape shape, bool has_bounds)
{
    zigzag made = {.world = physics_world_without_gravity()};
    sn_world_def def = sn_world_settings(made.world);
    def.long_range.bounds = has_bounds;
    must(sn_world_settings_set(made.world, &def));
    sn_vec3 joint = {0.0f, 0.0f, 0.0f};
    for (int i = 0; i < RODS; ++i) {
        float lean = (i % 2 == 0 ? shape.lean : -shape.lean) + shape.curl * (float)i;
        sn_vec3 along = {0.1f * sn_sin(lean), -0.1f * sn_cos(lean), 0.0f};
        bool is_load = i == RODS - 1;
        float mass = is_load ? 10.0f : 0.01f;
        sn_rigid rod = physics_lump(made.world, mass, physics_ball_inertia(mass, 0.05f),
                                    (sn_pose){sn_add_scaled(joint, 0.5f, along), sn_quat_identity});
        sn_hinge_def hinge = sn_hinge_def_default();
        sn_rigid above = i > 0 ? made.end : sn_world_ground(made.world);
        must(sn_constraint_place(made.world, &hinge.common, above, rod, joint, sn_v(0.0f, 0.0f, 1.0f)));
        hinge.limit = i > 0;
        hinge.lower = -shape.limit;
        hinge.upper = shape.limit;
        must(sn_hinge_add(made.world, &hinge, NULL));
        made.joint = hinge.common.b;
        made.length = sn_length(joint);
        made.end = rod;
        joint = sn_add(joint, along);
    }
    return made;
}

// How far the last joint goes from the ground, or how near it comes, as a part of where it begins, while a
// force along the chain acts on the load for three seconds.
static double extreme(shape shape, bool has_bounds, float force)
{
    zigzag zigzag = make_zigzag(shape, has_bounds);
    double most = 1.0;
    for (int i = 0; i < 180; ++i) {
        must(sn_rigid_force_add(zigzag.world, zigzag.end, sn_v(0.0f, -force, 0.0f)));
        must(sn_world_step(zigzag.world, 1.0f / 60.0f));
        double part = (double)(sn_length(sn_point_now(zigzag.world, &zigzag.joint)) / zigzag.length);
        most = force > 0.0f ? fmax(most, part) : fmin(most, part);
    }
    sn_world_destroy(zigzag.world);
    return most;
}

// Leaning by 30° and let go by 10°, the chain reaches cos 25°/cos 30° of its length; straight would be 1.155.
static void test_limits_carry_what_would_pull_a_chain_straight(void **state)
{
    (void)state;
    const shape bent = {.lean = SN_PI / 6.0f, .limit = SN_PI / 18.0f};
    double with = extreme(bent, true, 500.0f), without = extreme(bent, false, 500.0f);
    check_below(with, 1.0465 * 1.01, "length of a bent chain under 500 N");
    check_above(without, 1.2, "without bounds");
}

// An arc of 19° that may turn by 3° more at each joint: curled fully it is one of 73°, 0.94 of that long.
static void test_limits_carry_what_would_fold_a_chain(void **state)
{
    (void)state;
    const shape arc = {.curl = SN_PI / 180.0f, .limit = SN_PI / 60.0f};
    double with = extreme(arc, true, -100.0f), without = extreme(arc, false, -100.0f);
    check_above(with, 0.9, "length of an arc pressed by 100 N");
    check_below(without, 0.7, "without bounds");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        physics_test(test_no_bound_acts_on_12000_shapes_that_limits_allow),
        physics_test(test_limits_carry_what_would_pull_a_chain_straight),
        physics_test(test_limits_carry_what_would_fold_a_chain),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
