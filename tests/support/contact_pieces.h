// Shapes of every type that lie below and stand on each other, and surfaces of many triangles: what tests of
// contacts collide. Include after cmocka.h.
#ifndef TESTS_SUPPORT_CONTACT_PIECES_H
#define TESTS_SUPPORT_CONTACT_PIECES_H

#include "collision/narrow/contact_pair.h"
#include "support/manifold_check.h"
#include "support/random.h"

// --- single shapes -------------------------------------------------------------------------------

static inline sn_shape_data shape_of(sn_shape_type type)
{
    return (sn_shape_data){.type = type, .offset = sn_pose_identity, .density = 1000.0f};
}

static inline sn_shape_data box_shape(float x, float y, float z)
{
    sn_shape_data shape = shape_of(SN_BOX);
    shape.box = (sn_box){{x, y, z}};
    sn_shape_store(&shape);
    return shape;
}

static inline sn_shape_data sphere_shape(float radius)
{
    sn_shape_data shape = shape_of(SN_SPHERE);
    shape.sphere.radius = radius;
    sn_shape_store(&shape);
    return shape;
}

static inline sn_placement placed(float x, float y, float z)
{
    return (sn_placement){pose_at(x, y, z), sn_v(x, y, z)};
}

// --- surfaces ------------------------------------------------------------------------------------

// A flat square in the plane y = 0 whose inner vertices are moved about and whose cells are cut along either
// diagonal, at random.
static inline sn_surface *flat_square(float half_size, int cells, test_random *random)
{
    enum { MOST = 24 };
    assert_true(cells <= MOST);
    sn_vec3 vertices[(MOST + 1) * (MOST + 1)];
    uint32_t triangles[6 * MOST * MOST];
    float cell = 2.0f * half_size / (float)cells;
    int row = cells + 1, count = 0;
    for (int i = 0; i < row * row; ++i) {
        bool inner = i % row > 0 && i % row < cells && i / row > 0 && i / row < cells;
        sn_vec3 shift = test_random_vec3(random, inner ? 0.3f * cell : 0.0f);
        vertices[i] = sn_v((float)(i % row) * cell - half_size + shift.x, 0.0f,
                           (float)(i / row) * cell - half_size + shift.z);
    }
    for (int i = 0; i < cells * cells; ++i) {
        uint32_t corner = (uint32_t)(i / cells * row + i % cells), across = (uint32_t)row;
        const uint32_t round[4] = {corner, corner + across, corner + across + 1, corner + 1};
        uint32_t first = test_random_u32(random) % 2;
        const uint32_t cuts[6] = {0, 1, 2, 0, 2, 3};
        for (int k = 0; k < 6; ++k) {
            triangles[count++] = round[(first + cuts[k]) % 4];
        }
    }
    sn_surface *surface = NULL;
    assert_int_equal(sn_surface_create(vertices, row * row, triangles, count / 3, false, &surface), SN_OK);
    return surface;
}

// A long trough of two faces that fall by `slope` radians each towards its bottom, along z.
static inline sn_surface *trough(float slope)
{
    float x = 3.0f * sn_cos(slope), y = 3.0f * sn_sin(slope);
    const sn_vec3 vertices[] = {{-x, y, -5}, {0, 0, -5}, {x, y, -5}, {-x, y, 5}, {0, 0, 5}, {x, y, 5}};
    const uint32_t triangles[] = {0, 3, 1, 1, 3, 4, 1, 4, 2, 2, 4, 5};
    sn_surface *surface = NULL;
    assert_int_equal(sn_surface_create(vertices, 6, triangles, 4, false, &surface), SN_OK);
    return surface;
}

// --- one of each type, below and above -----------------------------------------------------------

// Things that lie below, their tops at y = 0 over the origin, and things that stand on them, their lowest
// points at y = 0.
typedef struct pieces {
    sn_hull *low_hull, *high_hull;
    sn_surface *surface;
    sn_compound *low_compound, *high_compound;
} pieces;

static inline pieces make_pieces(void)
{
    pieces made = {0};
    const sn_vec3 points[] = {{2, 0, 2}, {2, 0, -2}, {-2, 0, 2}, {-2, 0, -2}, {0, -3, 0}};
    assert_int_equal(sn_hull_create(points, 5, 0, &made.low_hull), SN_OK);
    assert_int_equal(sn_hull_cylinder(1.0f, 0.5f, 0.3f, 6, &made.high_hull), SN_OK);
    test_random random = {31};
    made.surface = flat_square(2.0f, 2, &random);
    // The part that is touched is not the first one.
    const sn_solid low[] = {
        {.type = SN_SPHERE, .pose = pose_at(0.0f, -3.0f, 0.0f), .sphere = {.radius = 1.0f}},
        {.type = SN_BOX, .pose = pose_at(0.0f, -1.0f, 0.0f), .box = {{2.0f, 1.0f, 2.0f}}}};
    assert_int_equal(sn_compound_create(low, 2, &made.low_compound), SN_OK);
    const sn_solid high[] = {
        {.type = SN_SPHERE, .pose = pose_at(0.0f, 2.0f, 0.0f), .sphere = {.radius = 0.5f}},
        {.type = SN_BOX, .pose = pose_at(0.0f, 0.3f, 0.0f), .box = {{0.3f, 0.3f, 0.3f}}},
        {.type = SN_SPHERE, .pose = pose_at(0.9f, 0.2f, 0.0f), .sphere = {.radius = 0.2f}}};
    assert_int_equal(sn_compound_create(high, 3, &made.high_compound), SN_OK);
    return made;
}

static inline void destroy_pieces(pieces *pieces)
{
    sn_hull_destroy(pieces->low_hull);
    sn_hull_destroy(pieces->high_hull);
    sn_surface_destroy(pieces->surface);
    sn_compound_destroy(pieces->low_compound);
    sn_compound_destroy(pieces->high_compound);
}

static inline sn_shape_data low_shape(sn_shape_type type, const pieces *pieces)
{
    sn_shape_data shape = shape_of(type);
    switch (type) {
    case SN_SPHERE:
        shape.sphere = (sn_sphere){{0.0f, -2.0f, 0.0f}, 2.0f};
        break;
    case SN_CAPSULE:
        shape.capsule = (sn_capsule){{-2.0f, -1.0f, 0.0f}, {2.0f, -1.0f, 0.0f}, 1.0f};
        break;
    case SN_BOX:
        shape.box = (sn_box){{2.0f, 1.0f, 2.0f}};
        shape.offset.position.y = -1.0f;
        break;
    case SN_HULL:
        shape.hull = pieces->low_hull;
        break;
    case SN_PLANE:
        shape.plane = (sn_plane){{0.0f, 1.0f, 0.0f}, 0.0f};
        break;
    case SN_SURFACE:
        shape.surface = pieces->surface;
        break;
    default:
        shape.compound = pieces->low_compound;
        break;
    }
    sn_shape_store(&shape);
    return shape;
}

static inline sn_shape_data high_shape(sn_shape_type type, const pieces *pieces)
{
    sn_shape_data shape = shape_of(type);
    switch (type) {
    case SN_SPHERE:
        shape.sphere = (sn_sphere){{0.0f, 0.5f, 0.0f}, 0.5f};
        break;
    case SN_CAPSULE:
        shape.capsule = (sn_capsule){{-0.4f, 0.2f, 0.0f}, {0.4f, 0.2f, 0.0f}, 0.2f};
        break;
    case SN_BOX:
        shape.box = (sn_box){{0.4f, 0.5f, 0.3f}};
        shape.offset.position.y = 0.5f;
        break;
    case SN_HULL:
        shape.hull = pieces->high_hull;
        shape.offset.position.y = 0.5f;
        break;
    default:
        shape.compound = pieces->high_compound;
        break;
    }
    sn_shape_store(&shape);
    return shape;
}

#endif
