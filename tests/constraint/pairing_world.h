// A world with a constraint between any two points: a place, a body, a node, an edge, a triangle, a
// tetrahedron, a frame of three nodes. Include after cmocka.h.
#ifndef TESTS_CONSTRAINT_PAIRING_WORLD_H
#define TESTS_CONSTRAINT_PAIRING_WORLD_H

#include "support/soft_kit.h"
#include <math.h>

typedef enum sort { WORLD, RIGID, NODE, EDGE, TRIANGLE, TETRAHEDRON, FRAME, SORTS } sort;
static const char *const sort_names[SORTS] = {"world",    "rigid",       "node", "edge",
                                              "triangle", "tetrahedron", "frame"};

typedef enum link { ROD, BALL_LINK, SPRING, CUSTOM, AXIS, LINKS } link;
static const char *const link_names[LINKS] = {"rod", "ball", "spring", "custom", "axis with a spring"};

static const float link_length = 0.5f;   // of rods and custom links, and where springs begin
static const float spring_length = 0.3f; // where they rest
static const float spring_stiffness = 50.0f;

typedef struct pairing_options {
    float damping; // of everything [1/s]
    float speed;   // scale of the initial motion
    int threads;
    bool together; // the points of rods, springs and custom links in one place
} pairing_options;

// One end: what it is a point of.
typedef struct pairing_end {
    sort sort;
    sn_point point;
    sn_rigid rigid;
    sn_deformable soft;
} pairing_end;

typedef struct pairing {
    sn_world *world;
    link link;
    pairing_end ends[2];
    sn_constraint constraint;
} pairing;

// A user's kind: half the squared distance of the points against that of a length. Its slope would vanish
// where the points meet, so the parabola ends in a straight line.
static inline int pairing_square(const sn_row_input *input, const void *data, sn_row *rows)
{
    float length;
    memcpy(&length, data, sizeof length);
    sn_vec3 between = sn_sub(input->frame[1].position, input->frame[0].position);
    sn_vec3 direction = sn_normalize(between);
    if (sn_length_squared(direction) == 0.0f) {
        direction = sn_v(1.0f, 0.0f, 0.0f);
    }
    float distance = sn_length(between), low = 0.2f * length, slope = sn_max(distance, low) / length;
    sn_vec3 gradient = sn_scale(direction, slope);
    rows[0].value = 0.5f * length * (slope * slope - 1.0f) + slope * sn_min(distance - low, 0.0f);
    rows[0].linear[0] = sn_neg(gradient);
    rows[0].linear[1] = gradient;
    rows[0].angular[0] = sn_neg(sn_cross(input->arm[0], gradient));
    rows[0].angular[1] = sn_cross(input->arm[1], gradient);
    return 1;
}

static inline sn_world *pairing_empty_world(int threads)
{
    sn_world_def def = sn_world_def_default();
    def.gravity = sn_v(0.0f, 0.0f, 0.0f);
    def.sleep = false;
    def.threads = threads;
    sn_world *world = NULL;
    assert_ok(sn_world_create(&def, &world));
    assert_ok(sn_custom_register(world, "square", pairing_square, sizeof(float)));
    return world;
}

// --- ends ------------------------------------------------------------------------------------------------

static inline sn_point pairing_body(sn_world *world, pairing_end *end, sn_vec3 place, int side,
                                    const pairing_options *options)
{
    const sn_vec3 local = {0.1f, 0.2f, -0.05f};
    float sign = side == 0 ? 1.0f : -1.0f;
    sn_rigid_def def = sn_rigid_def_default();
    def.rotation = sn_quat_axis_angle(sn_v(0.6f, 0.0f, 0.8f), 1.0f + (float)side);
    def.position = sn_sub(place, sn_rotate(def.rotation, local));
    def.linear_velocity = sn_scale(sn_v(0.3f, -0.5f, 0.4f), sign * options->speed);
    def.angular_velocity = sn_scale(sn_v(1.0f, 2.0f, -1.5f), options->speed);
    def.linear_damping = def.angular_damping = options->damping;
    assert_ok(sn_rigid_add(world, &def, &end->rigid));
    sn_shape_def shape = sn_shape_def_default();
    shape.filter = (sn_filter){1u, 0u, 0}; // touches nothing
    shape.density = 100.0f;
    assert_ok(sn_box_add(world, end->rigid, &shape, (sn_box){sn_v(0.1f, 0.15f, 0.2f)}, NULL));
    return sn_point_rigid(end->rigid, local);
}

// A tetrahedron of springs: four nodes of different masses.
static inline sn_deformable pairing_soft(sn_world *world, sn_vec3 place, sn_vec3 local, int side,
                                         const pairing_options *options)
{
    static const sn_vec3 corners[4] = {
        {0.0f, 0.0f, 0.0f}, {0.4f, 0.0f, 0.0f}, {0.1f, 0.4f, 0.0f}, {0.1f, 0.1f, 0.4f}};
    static const uint32_t tetrahedron[4] = {0, 1, 2, 3};
    static const float masses[4] = {0.3f, 0.5f, 0.8f, 0.4f};
    float sign = side == 0 ? 1.0f : -1.0f;
    sn_mesh_def mesh_def = sn_mesh_def_default();
    sn_mesh *mesh = NULL;
    mesh_def.nodes = corners;
    mesh_def.node_count = 4;
    mesh_def.tetrahedra = tetrahedron;
    mesh_def.tetrahedron_count = 1;
    assert_ok(sn_mesh_create(&mesh_def, &mesh));
    sn_deformable_def def = soft_def(mesh, place);
    def.pose.rotation = sn_quat_axis_angle(sn_v(0.0f, 0.6f, 0.8f), 0.5f + (float)side);
    def.pose.position = sn_sub(place, sn_rotate(def.pose.rotation, local));
    def.node_masses = masses;
    def.model = sn_model_springs(2000.0f, 0.0f);
    def.linear_damping = options->damping;
    def.linear_velocity = sn_scale(sn_v(0.3f, -0.5f, 0.4f), sign * options->speed);
    def.angular_velocity = sn_scale(sn_v(1.0f, 2.0f, -1.5f), options->speed);
    sn_deformable soft = soft_add(world, &def);
    sn_mesh_destroy(mesh);
    return soft;
}

static inline sn_point pairing_nodes(sn_world *world, pairing_end *end, sn_vec3 place, int side,
                                     const pairing_options *options)
{
    static const sn_vec3 corners[4] = {
        {0.0f, 0.0f, 0.0f}, {0.4f, 0.0f, 0.0f}, {0.1f, 0.4f, 0.0f}, {0.1f, 0.1f, 0.4f}};
    static const float weights[SORTS][4] = {[NODE] = {1.0f},
                                            [EDGE] = {0.3f, 0.7f},
                                            [TRIANGLE] = {0.2f, 0.3f, 0.5f},
                                            [TETRAHEDRON] = {0.1f, 0.2f, 0.3f, 0.4f},
                                            [FRAME] = {1.0f / 3.0f, 1.0f / 3.0f, 1.0f / 3.0f}};
    const int nodes[4] = {0, 1, 2, 3};
    int count = end->sort == FRAME ? 3 : 1 + (int)end->sort - (int)NODE;
    sn_vec3 local = {0.0f, 0.0f, 0.0f};
    for (int i = 0; i < count; ++i) {
        local = sn_add_scaled(local, weights[end->sort][i], corners[i]);
    }
    end->soft = pairing_soft(world, place, local, side, options);
    return end->sort == FRAME ? sn_point_frame(end->soft, nodes)
                              : sn_point_nodes(end->soft, nodes, weights[end->sort], count);
}

static inline void pairing_end_make(sn_world *world, pairing_end *end, sn_vec3 place, int side,
                                    const pairing_options *options)
{
    end->point = end->sort == WORLD   ? sn_point_world(place)
                 : end->sort == RIGID ? pairing_body(world, end, place, side, options)
                                      : pairing_nodes(world, end, place, side, options);
}

// --- links -----------------------------------------------------------------------------------------------

// A spring along a line through both points: x of a leads to b.
static inline sn_status pairing_axis(const pairing *p, sn_constraint *made)
{
    sn_axis_def axis = sn_axis_def_default();
    sn_pose now;
    axis.common.a = p->ends[0].point;
    axis.common.b = p->ends[1].point;
    assert_ok(sn_point_pose(p->world, &axis.common.a, &now));
    axis.common.a.rotation = sn_quat_conjugate(now.rotation);
    axis.spring_stiffness = spring_stiffness;
    axis.spring_travel = spring_length;
    return sn_axis_add(p->world, &axis, made);
}

static inline sn_constraint pairing_link(pairing *p)
{
    sn_constraint made = {0};
    sn_ball_def ball = sn_ball_def_default();
    sn_distance_def distance = sn_distance_def_default();
    sn_custom_def custom = sn_custom_def_default();
    sn_constraint_common *common = p->link == BALL_LINK ? &ball.common
                                   : p->link == CUSTOM  ? &custom.common
                                                        : &distance.common;
    common->a = p->ends[0].point;
    common->b = p->ends[1].point;
    distance.lower = p->link == ROD ? link_length : 0.0f;
    distance.upper = p->link == ROD ? link_length : INFINITY;
    distance.spring_stiffness = p->link == SPRING ? spring_stiffness : 0.0f;
    distance.spring_length = spring_length;
    custom.kind_name = "square";
    custom.data = &link_length;
    sn_status status = p->link == BALL_LINK ? sn_ball_add(p->world, &ball, &made)
                       : p->link == CUSTOM  ? sn_custom_add(p->world, &custom, &made)
                       : p->link == AXIS    ? pairing_axis(p, &made)
                                            : sn_distance_add(p->world, &distance, &made);
    if (status != SN_OK) {
        fail_msg("%s between %s and %s: %s", link_names[p->link], sort_names[p->ends[0].sort],
                 sort_names[p->ends[1].sort], sn_world_error(p->world));
    }
    return made;
}

// Adds a pair to a world, about a place.
static inline pairing pairing_add(sn_world *world, link link, sort a, sort b, sn_vec3 place,
                                  pairing_options options)
{
    pairing p = {.world = world, .link = link, .ends = {{.sort = a}, {.sort = b}}};
    float apart = link == BALL_LINK || options.together ? 0.0f : link_length;
    pairing_end_make(world, &p.ends[0], place, 0, &options);
    pairing_end_make(world, &p.ends[1], sn_add(place, sn_v(apart, 0.0f, 0.0f)), 1, &options);
    p.constraint = pairing_link(&p);
    return p;
}

// Takes the motion of the common mass centre out, so that the pair stays near the origin, where rounding is
// small.
static inline void pairing_stay(pairing *p)
{
    sn_energy sum = sn_world_energy(p->world);
    sn_vec3 mean = sn_v((float)(-sum.momentum[0] / sum.mass), (float)(-sum.momentum[1] / sum.mass),
                        (float)(-sum.momentum[2] / sum.mass));
    for (int k = 0; k < 2; ++k) {
        const pairing_end *end = &p->ends[k];
        if (end->sort == RIGID) {
            sn_vec3 velocity = sn_rigid_linear_velocity(p->world, end->rigid);
            assert_ok(sn_rigid_linear_velocity_set(p->world, end->rigid, sn_add(velocity, mean)));
        } else {
            sn_node_state *nodes;
            sn_node_velocity *velocities;
            assert_ok(sn_deformable_edit(p->world, end->soft, &nodes, &velocities));
            for (int i = 0; i < 4; ++i) {
                velocities[i].velocity = sn_add(velocities[i].velocity, mean);
            }
        }
    }
}

// A world with one pair.
static inline pairing pairing_make(link link, sort a, sort b, pairing_options options)
{
    sn_world *world = pairing_empty_world(options.threads);
    pairing p = pairing_add(world, link, a, b, sn_v(0.0f, 0.0f, 0.0f), options);
    if (a != WORLD && b != WORLD) {
        pairing_stay(&p);
    }
    return p;
}

static inline void pairing_free(pairing *p)
{
    sn_world_destroy(p->world);
}

// --- measures --------------------------------------------------------------------------------------------

static inline float pairing_distance(const pairing *p)
{
    sn_vec3 a, b;
    assert_ok(sn_point_place(p->world, &p->ends[0].point, &a));
    assert_ok(sn_point_place(p->world, &p->ends[1].point, &b));
    return sn_distance_between(a, b);
}

// Kinetic, that of the springs in deformables, and that of the link.
static inline double pairing_energy(const pairing *p)
{
    double energy = sn_world_energy(p->world).kinetic;
    for (int k = 0; k < 2; ++k) {
        if (p->ends[k].sort >= NODE) {
            energy += (double)sn_deformable_measure_now(p->world, p->ends[k].soft).elastic_energy;
        }
    }
    bool has_spring = p->link == SPRING || p->link == AXIS;
    double length =
        (double)(p->link == AXIS ? sn_constraint_coordinate(p->world, p->constraint) : pairing_distance(p));
    double stretch = length - (double)spring_length;
    return energy + (has_spring ? 0.5 * (double)spring_stiffness * stretch * stretch : 0.0);
}

static inline bool pairing_is_sound(const pairing *p)
{
    bool sound = true;
    for (int k = 0; k < 2; ++k) {
        const pairing_end *end = &p->ends[k];
        sound = sound && (end->sort != RIGID || !sn_rigid_is_frozen(p->world, end->rigid));
        sound = sound && (end->sort < NODE || sn_deformable_frozen_count(p->world, end->soft) == 0);
    }
    double energy = pairing_energy(p);
    return sound && energy >= 0.0 && energy < INFINITY;
}

typedef void (*pairing_test)(link link, sort a, sort b);

// Over all links and pairs of sorts, but two places.
static inline void pairing_visit(pairing_test test)
{
    for (int link = 0; link < LINKS; ++link) {
        for (int ab = 1; ab < SORTS * SORTS; ++ab) {
            sort a = (sort)(ab / SORTS);
            if (link != AXIS || a == WORLD || a == RIGID || a == FRAME) { // an axis needs an orientation
                test((enum link)link, a, (sort)(ab % SORTS));
            }
        }
    }
}

#define pairing_require(condition, p, ...)                                                                   \
    do {                                                                                                     \
        if (!(condition)) {                                                                                  \
            print_message("%s between %s and %s: ", link_names[(p)->link], sort_names[(p)->ends[0].sort],    \
                          sort_names[(p)->ends[1].sort]);                                                    \
            fail_msg(__VA_ARGS__);                                                                           \
        }                                                                                                    \
    } while (0)

#endif
