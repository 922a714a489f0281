// A world with shapes of every kind in random places, and what queries about it must answer, worked out in
// double, shape by shape, without trees: signed distances in closed form. Include after cmocka.h.
#ifndef TESTS_SUPPORT_QUERY_SCENE_H
#define TESTS_SUPPORT_QUERY_SCENE_H

#include "support/random.h"
#include "world/core/world.h"

typedef struct query_scene {
    sn_world *world;
    sn_hull *hull;
    sn_surface *hills;  // one-sided, over a 6 m × 6 m square
    sn_surface *ribbon; // double-sided
    sn_compound *compound;
} query_scene;

// --- points in double ----------------------------------------------------------------------------

typedef struct vec3d {
    double x, y, z;
} vec3d;

static inline vec3d vec3d_from(sn_vec3 v)
{
    return (vec3d){v.x, v.y, v.z};
}
static inline vec3d vec3d_add_scaled(vec3d a, double s, vec3d b)
{
    return (vec3d){a.x + s * b.x, a.y + s * b.y, a.z + s * b.z};
}
static inline vec3d vec3d_sub(vec3d a, vec3d b)
{
    return vec3d_add_scaled(a, -1.0, b);
}
static inline double vec3d_dot(vec3d a, vec3d b)
{
    return a.x * b.x + a.y * b.y + a.z * b.z;
}
static inline vec3d vec3d_cross(vec3d a, vec3d b)
{
    return (vec3d){a.y * b.z - a.z * b.y, a.z * b.x - a.x * b.z, a.x * b.y - a.y * b.x};
}
static inline double vec3d_length(vec3d a)
{
    return sqrt(vec3d_dot(a, a));
}
static inline vec3d vec3d_apply(sn_pose pose, vec3d p)
{
    vec3d u = {pose.rotation.x, pose.rotation.y, pose.rotation.z};
    vec3d c = vec3d_cross(u, p);
    vec3d t = {2.0 * c.x, 2.0 * c.y, 2.0 * c.z};
    vec3d turned = vec3d_add_scaled(vec3d_add_scaled(p, pose.rotation.w, t), 1.0, vec3d_cross(u, t));
    return vec3d_add_scaled(turned, 1.0, vec3d_from(pose.position));
}

// --- distances -----------------------------------------------------------------------------------

static inline double oracle_segment(vec3d a, vec3d b, vec3d p)
{
    vec3d ab = vec3d_sub(b, a);
    double length_squared = vec3d_dot(ab, ab);
    double t = length_squared > 0.0 ? vec3d_dot(vec3d_sub(p, a), ab) / length_squared : 0.0;
    t = t < 0.0 ? 0.0 : (t > 1.0 ? 1.0 : t);
    return vec3d_length(vec3d_sub(p, vec3d_add_scaled(a, t, ab)));
}

static inline double oracle_triangle(vec3d a, vec3d b, vec3d c, vec3d p)
{
    vec3d n = vec3d_cross(vec3d_sub(b, a), vec3d_sub(c, a));
    bool inside = vec3d_dot(vec3d_cross(vec3d_sub(b, a), vec3d_sub(p, a)), n) >= 0.0 &&
                  vec3d_dot(vec3d_cross(vec3d_sub(c, b), vec3d_sub(p, b)), n) >= 0.0 &&
                  vec3d_dot(vec3d_cross(vec3d_sub(a, c), vec3d_sub(p, c)), n) >= 0.0;
    if (inside) {
        return fabs(vec3d_dot(vec3d_sub(p, a), n)) / vec3d_length(n);
    }
    return fmin(oracle_segment(a, b, p), fmin(oracle_segment(b, c, p), oracle_segment(c, a, p)));
}

static inline double oracle_polyhedron(const sn_polyhedron *polyhedron, sn_pose pose, vec3d p)
{
    double nearest = INFINITY, highest = -INFINITY;
    for (int f = 0; f < polyhedron->face_count; ++f) {
        const sn_half_edge *edges = polyhedron->half_edges;
        int start = polyhedron->face_edges[f];
        vec3d a = vec3d_apply(pose, vec3d_from(polyhedron->vertices[edges[start].origin]));
        for (int e = edges[start].next; edges[e].next != start; e = edges[e].next) {
            vec3d b = vec3d_apply(pose, vec3d_from(polyhedron->vertices[edges[e].origin]));
            vec3d c = vec3d_apply(pose, vec3d_from(polyhedron->vertices[edges[edges[e].next].origin]));
            vec3d n = vec3d_cross(vec3d_sub(b, a), vec3d_sub(c, a));
            highest = fmax(highest, vec3d_dot(vec3d_sub(p, a), n) / vec3d_length(n));
            nearest = fmin(nearest, oracle_triangle(a, b, c, p));
        }
    }
    return highest <= 0.0 ? highest : nearest;
}

static inline double oracle_convex(const sn_convex *convex, sn_pose pose, vec3d p)
{
    if (convex->is_polyhedron) {
        return oracle_polyhedron(&convex->polyhedron, pose, p) - convex->radius;
    }
    vec3d a = vec3d_apply(pose, vec3d_from(convex->points[0]));
    vec3d b = vec3d_apply(pose, vec3d_from(convex->points[convex->point_count - 1]));
    return oracle_segment(a, b, p) - convex->radius;
}

static inline sn_pose oracle_pose(const sn_world *world, const sn_shape_data *shape)
{
    return sn_pose_multiply(sn_body_pose(&world->bodies.data[shape->body]), shape->offset);
}

// Distance of a part of a shape: a part of a compound, a triangle of a surface, or all of it.
static inline double oracle_part(const sn_world *world, const sn_shape_data *shape, int part, vec3d p)
{
    sn_pose pose = oracle_pose(world, shape);
    if (shape->type == SN_PLANE) {
        sn_pose turn = {{0.0f, 0.0f, 0.0f}, pose.rotation};
        vec3d normal = vec3d_apply(turn, vec3d_from(shape->plane.normal));
        return vec3d_dot(normal, vec3d_sub(p, vec3d_from(pose.position))) - shape->plane.offset;
    }
    if (shape->type == SN_SURFACE) {
        sn_vec3 c[3];
        sn_surface_triangle(shape->surface, part, c);
        return oracle_triangle(vec3d_apply(pose, vec3d_from(c[0])), vec3d_apply(pose, vec3d_from(c[1])),
                               vec3d_apply(pose, vec3d_from(c[2])), p);
    }
    if (shape->type == SN_COMPOUND) {
        sn_convex convex = sn_compound_convex(shape->compound, part);
        return oracle_convex(&convex, sn_pose_multiply(pose, shape->compound->parts[part].solid.pose), p);
    }
    sn_convex convex = sn_shape_convex(shape);
    return oracle_convex(&convex, pose, p);
}

static inline int oracle_part_count(const sn_shape_data *shape)
{
    return shape->type == SN_SURFACE    ? shape->surface->triangle_count
           : shape->type == SN_COMPOUND ? shape->compound->part_count
                                        : 1;
}

// Signed distance of a shape, negative inside.
static inline double oracle_distance(const sn_world *world, int shape, vec3d p)
{
    const sn_shape_data *data = &world->shapes.data[shape];
    double nearest = INFINITY;
    for (int i = 0; i < oracle_part_count(data); ++i) {
        nearest = fmin(nearest, oracle_part(world, data, i, p));
    }
    return nearest;
}

// The length along a path at which a ball about its moving point first touches the shape, by steps as long
// as nothing can be nearer than; INFINITY if it never does. Below `nearest_miss` the answer is not to be
// trusted.
static inline double oracle_march(const sn_world *world, int shape, vec3d origin, vec3d direction,
                                  double length, double radius, double *nearest_miss)
{
    double at = 0.0;
    *nearest_miss = INFINITY;
    for (int i = 0; i < 20000 && at <= length; ++i) {
        double distance = oracle_distance(world, shape, vec3d_add_scaled(origin, at, direction)) - radius;
        if (distance < 1.0e-7) {
            return at;
        }
        *nearest_miss = fmin(*nearest_miss, distance);
        at += distance;
    }
    return INFINITY;
}

// --- the scene -----------------------------------------------------------------------------------

static inline sn_surface *scene_hills(int cells, float size, float height, bool double_sided)
{
    sn_vec3 vertices[17 * 17];
    uint32_t triangles[6 * 16 * 16];
    int count = 0;
    for (int i = 0; i <= cells; ++i) {
        for (int k = 0; k <= cells; ++k) {
            float x = (float)i / (float)cells - 0.5f, z = (float)k / (float)cells - 0.5f;
            float y = height * sn_sin(7.0f * x) * sn_cos(9.0f * z);
            vertices[i * (cells + 1) + k] = sn_v(size * x, y, size * z);
        }
    }
    for (int i = 0; i < cells; ++i) {
        for (int k = 0; k < cells; ++k) {
            uint32_t a = (uint32_t)(i * (cells + 1) + k), b = a + 1, c = a + (uint32_t)cells + 1, d = c + 1;
            const uint32_t both[6] = {a, b, c, c, b, d};
            for (int j = 0; j < 6; ++j) {
                triangles[count++] = both[j];
            }
        }
    }
    sn_surface *surface = NULL;
    assert_int_equal(
        sn_surface_create(vertices, (cells + 1) * (cells + 1), triangles, count / 3, double_sided, &surface),
        SN_OK);
    return surface;
}

static inline sn_rigid scene_place(query_scene *scene, test_random *random, sn_rigid_type type, float spread)
{
    sn_rigid_def def = sn_rigid_def_default();
    def.type = type;
    def.position = test_random_vec3(random, spread);
    def.rotation = test_random_rotation(random);
    sn_rigid rigid;
    assert_int_equal(sn_rigid_add(scene->world, &def, &rigid), SN_OK);
    return rigid;
}

static inline void scene_make_geometry(query_scene *scene, test_random *random)
{
    sn_vec3 points[20];
    for (int i = 0; i < 20; ++i) {
        points[i] = sn_mul(test_random_direction(random), sn_v(0.9f, 0.6f, 0.4f));
    }
    assert_int_equal(sn_hull_create(points, 20, 0, &scene->hull), SN_OK);
    scene->hills = scene_hills(8, 6.0f, 0.5f, false);
    scene->ribbon = scene_hills(4, 2.0f, 0.4f, true);
    sn_quat turns[3];
    for (int i = 0; i < 3; ++i) {
        turns[i] = test_random_rotation(random);
    }
    sn_solid parts[4] = {
        {.type = SN_SPHERE, .pose = {{0.7f, 0.0f, 0.0f}, sn_quat_identity}, .sphere = {.radius = 0.3f}},
        {.type = SN_BOX, .pose = {{-0.6f, 0.1f, 0.0f}, turns[0]}, .box = {{0.2f, 0.3f, 0.4f}}},
        {.type = SN_CAPSULE,
         .pose = {{0.0f, 0.6f, 0.2f}, turns[1]},
         .capsule = {{-0.2f, 0.0f, 0.0f}, {0.3f, 0.1f, 0.0f}, 0.2f}},
        {.type = SN_HULL, .pose = {{0.0f, -0.7f, 0.0f}, turns[2]}, .hull = scene->hull}};
    assert_int_equal(sn_compound_create(parts, 4, &scene->compound), SN_OK);
}

static inline void scene_add_one(query_scene *scene, test_random *random, int kind, float spread)
{
    sn_world *world = scene->world;
    static const sn_rigid_type types[] = {SN_STATIC, SN_KINEMATIC, SN_DYNAMIC};
    sn_rigid_type type = types[test_random_u32(random) % (kind == 5 ? 2 : 3)];
    sn_rigid rigid = scene_place(scene, random, type, spread);
    sn_shape_def def = sn_shape_def_default();
    def.filter.category = 1u << (test_random_u32(random) % 3);
    def.offset.position = test_random_vec3(random, 0.5f);
    def.offset.rotation = test_random_rotation(random);
    sn_status status = SN_OK;
    switch (kind) {
    case 0:
        status = sn_sphere_add(world, rigid, &def, (sn_sphere){{0.1f, 0.0f, 0.2f}, 0.4f}, NULL);
        break;
    case 1:
        status = sn_capsule_add(world, rigid, &def,
                                (sn_capsule){{-0.3f, 0.0f, 0.1f}, {0.5f, 0.2f, 0.0f}, 0.25f}, NULL);
        break;
    case 2:
        status = sn_box_add(world, rigid, &def, (sn_box){{0.3f, 0.5f, 0.2f}}, NULL);
        break;
    case 3:
        status = sn_hull_add(world, rigid, &def, scene->hull, NULL);
        break;
    case 4:
        status = sn_compound_add(world, rigid, &def, scene->compound, NULL);
        break;
    default:
        status = sn_surface_add(world, rigid, &def, scene->ribbon, NULL);
        break;
    }
    assert_int_equal(status, SN_OK);
}

// `count` shapes of six kinds within ±spread, hills at y = 0 and, if wanted, a slanted floor below.
static inline query_scene query_scene_make(uint64_t seed, int count, float spread, bool with_floor)
{
    query_scene scene = {0};
    test_random random = {seed};
    sn_world_def def = sn_world_def_default();
    assert_int_equal(sn_world_create(&def, &scene.world), SN_OK);
    scene_make_geometry(&scene, &random);
    for (int i = 0; i < count; ++i) {
        scene_add_one(&scene, &random, i % 6, spread);
    }
    sn_rigid ground = sn_world_ground(scene.world);
    assert_int_equal(sn_surface_add(scene.world, ground, NULL, scene.hills, NULL), SN_OK);
    if (with_floor) {
        sn_plane floor = {{0.1f, 1.0f, -0.2f}, -0.9f * spread};
        assert_int_equal(sn_plane_add(scene.world, ground, NULL, floor, NULL), SN_OK);
    }
    return scene;
}

static inline void query_scene_free(query_scene *scene)
{
    sn_world_destroy(scene->world);
    sn_hull_destroy(scene->hull);
    sn_surface_destroy(scene->hills);
    sn_surface_destroy(scene->ribbon);
    sn_compound_destroy(scene->compound);
}

// Builds both trees anew, so that they look different and hold the same.
static inline void query_scene_shuffle(query_scene *scene)
{
    sn_bounds_tree_rebuild(&scene->world->static_tree);
    sn_bounds_tree_rebuild(&scene->world->moving_tree);
}

static inline int scene_shape_index(sn_shape shape)
{
    return (int)shape.index - 1;
}

#endif
