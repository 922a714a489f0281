// Corners and edges of obstacles, and their cones of normals. Tested by test_obstacle.c.
// Tested by tests/collision/soft/test_obstacle.c.
#include "collision/soft/obstacle.h"

// Cosine of how far a normal may be outside its cone: features of deformables bend, and a gap between the
// cones of neighbours would be worse than an overlap.
static const float cone_tolerance = 0.15f;

int sn_obstacle_corner_count(const sn_obstacle *obstacle)
{
    switch (obstacle->kind) {
    case SN_OBSTACLE_PLANE:
        return 0;
    case SN_OBSTACLE_TRIANGLE:
        return 3;
    default:
        return obstacle->convex.point_count;
    }
}

int sn_obstacle_edge_count(const sn_obstacle *obstacle)
{
    if (obstacle->kind == SN_OBSTACLE_TRIANGLE) {
        return 3;
    }
    if (obstacle->kind == SN_OBSTACLE_PLANE || obstacle->convex.point_count < 2) {
        return 0;
    }
    return obstacle->convex.is_polyhedron ? obstacle->convex.polyhedron.half_edge_count / 2 : 1;
}

sn_vec3 sn_obstacle_corner(const sn_obstacle *obstacle, int corner)
{
    return obstacle->kind == SN_OBSTACLE_TRIANGLE
               ? obstacle->corners[corner]
               : sn_pose_apply(obstacle->pose, obstacle->convex.points[corner]);
}

// The two vertices of an edge.
static void edge_vertices(const sn_convex *convex, int edge, int vertices[2])
{
    vertices[0] = convex->is_polyhedron ? convex->polyhedron.half_edges[2 * edge].origin : 0;
    vertices[1] = convex->is_polyhedron ? convex->polyhedron.half_edges[2 * edge + 1].origin : 1;
}

void sn_obstacle_edge(const sn_obstacle *obstacle, int edge, sn_vec3 ends[2])
{
    int vertices[2] = {edge, (edge + 1) % 3};
    if (obstacle->kind != SN_OBSTACLE_TRIANGLE) {
        edge_vertices(&obstacle->convex, edge, vertices);
    }
    ends[0] = sn_obstacle_corner(obstacle, vertices[0]);
    ends[1] = sn_obstacle_corner(obstacle, vertices[1]);
}

// Sagitta of a chord.
static float round_sharpness(const sn_convex *convex, float span)
{
    return span * span / (8.0f * convex->radius);
}

float sn_obstacle_edge_sharpness(const sn_obstacle *obstacle, int edge, float span)
{
    const sn_convex *convex = &obstacle->convex;
    float cosine;
    if (obstacle->kind == SN_OBSTACLE_TRIANGLE) {
        cosine = (obstacle->active_edges >> edge & 1u) != 0 ? obstacle->bends[edge].cosine : 1.0f;
    } else if (!convex->is_polyhedron) {
        return round_sharpness(convex, span);
    } else {
        const sn_half_edge *halves = convex->polyhedron.half_edges + 2 * (size_t)edge;
        cosine = sn_dot(convex->polyhedron.planes[halves[0].face].normal,
                        convex->polyhedron.planes[halves[1].face].normal);
    }
    // Sine of half the angle between the normals.
    return 0.5f * span * sqrtf(sn_max(0.0f, 0.5f * (1.0f - cosine)));
}

float sn_obstacle_corner_sharpness(const sn_obstacle *obstacle, int corner, float span)
{
    const sn_polyhedron *polyhedron = &obstacle->convex.polyhedron;
    if (obstacle->kind == SN_OBSTACLE_TRIANGLE) {
        return sn_max(sn_obstacle_edge_sharpness(obstacle, corner, span),
                      sn_obstacle_edge_sharpness(obstacle, (corner + 2) % 3, span));
    }
    if (!obstacle->convex.is_polyhedron) {
        return round_sharpness(&obstacle->convex, span);
    }
    float sharpest = 0.0f;
    for (int i = 0; i < polyhedron->half_edge_count; ++i) {
        if (polyhedron->half_edges[i].origin == corner) {
            sharpest = sn_max(sharpest, sn_obstacle_edge_sharpness(obstacle, i / 2, span));
        }
    }
    return sharpest;
}

// Neighbours of the triangle are not known here: the normal must only point to its front.
static bool points_out_of_triangle(const sn_obstacle *obstacle, sn_vec3 normal)
{
    return obstacle->double_sided || sn_dot(normal, obstacle->plane.normal) >= cone_tolerance;
}

bool sn_obstacle_corner_allows(const sn_obstacle *obstacle, int corner, sn_vec3 normal)
{
    const sn_convex *convex = &obstacle->convex;
    if (obstacle->kind == SN_OBSTACLE_TRIANGLE) {
        return points_out_of_triangle(obstacle, normal);
    }
    sn_vec3 local = sn_rotate_inverse(obstacle->pose.rotation, normal);
    if (!convex->is_polyhedron) {
        sn_vec3 axis = sn_sub(convex->points[convex->point_count - 1 - corner], convex->points[corner]);
        return sn_dot(local, sn_normalize(axis)) <= cone_tolerance;
    }
    const sn_polyhedron *polyhedron = &convex->polyhedron;
    for (int i = 0; i < polyhedron->half_edge_count; ++i) {
        if (polyhedron->half_edges[i].origin == corner) {
            sn_vec3 along = sn_sub(polyhedron->vertices[polyhedron->half_edges[i ^ 1].origin],
                                   polyhedron->vertices[corner]);
            if (sn_dot(local, along) > cone_tolerance * sn_length(along)) {
                return false;
            }
        }
    }
    return true;
}

bool sn_obstacle_edge_allows(const sn_obstacle *obstacle, int edge, sn_vec3 normal)
{
    const sn_convex *convex = &obstacle->convex;
    if (obstacle->kind == SN_OBSTACLE_TRIANGLE) {
        return points_out_of_triangle(obstacle, normal);
    }
    if (!convex->is_polyhedron) {
        return true;
    }
    sn_vec3 local = sn_rotate_inverse(obstacle->pose.rotation, normal);
    int vertices[2];
    edge_vertices(convex, edge, vertices);
    const sn_polyhedron *polyhedron = &convex->polyhedron;
    sn_vec3 along = sn_normalize(sn_sub(convex->points[vertices[1]], convex->points[vertices[0]]));
    for (int k = 0; k < 2; ++k) {
        sn_vec3 face = polyhedron->planes[polyhedron->half_edges[2 * edge + k].face].normal;
        // Into the face, which is on the left of its half-edge.
        sn_vec3 into = sn_cross(face, k == 0 ? along : sn_neg(along));
        if (sn_dot(local, into) > cone_tolerance) {
            return false;
        }
    }
    return true;
}
