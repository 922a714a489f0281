// What is measured of deformables.
#include "soft_measure.h"

#include <math.h>
#include <stdio.h>

typedef struct point {
    double x, y, z;
} point;

static point point_of(sn_vec3 v)
{
    return (point){(double)v.x, (double)v.y, (double)v.z};
}

static point minus(point a, point b)
{
    return (point){a.x - b.x, a.y - b.y, a.z - b.z};
}

static point plus_scaled(point a, double s, point b)
{
    return (point){a.x + s * b.x, a.y + s * b.y, a.z + s * b.z};
}

static double dot(point a, point b)
{
    return a.x * b.x + a.y * b.y + a.z * b.z;
}

static point cross(point a, point b)
{
    return (point){a.y * b.z - a.z * b.y, a.z * b.x - a.x * b.z, a.x * b.y - a.y * b.x};
}

static double distance(point a, point b)
{
    point d = minus(a, b);
    return sqrt(dot(d, d));
}

// --- lengths and speeds ------------------------------------------------------------------------------------

// Threads of a grid run along the axes of its rest shape.
static bool is_thread(const sn_mesh *mesh, const uint32_t *edge)
{
    sn_vec3 along = sn_sub(sn_mesh_nodes(mesh)[edge[1]], sn_mesh_nodes(mesh)[edge[0]]);
    double length = (double)sn_length(along);
    return fabs((double)along.x) < 1.0e-3 * length || fabs((double)along.y) < 1.0e-3 * length;
}

static soft_stretch stretch_of(const soft_cloud *cloud, bool threads_only)
{
    soft_stretch stretch = {0};
    const uint32_t *edges = sn_mesh_edges(cloud->mesh);
    int count = 0;
    for (int i = 0; i < sn_mesh_edge_count(cloud->mesh); ++i) {
        const uint32_t *edge = edges + 2 * (size_t)i;
        if (threads_only && !is_thread(cloud->mesh, edge)) {
            continue;
        }
        double length = distance(point_of(cloud->positions[edge[0]]), point_of(cloud->positions[edge[1]]));
        double error = length / (double)sn_mesh_edge_length(cloud->mesh, i) - 1.0;
        stretch.longest = fmax(stretch.longest, error);
        stretch.shortest = fmax(stretch.shortest, -error);
        stretch.mean += fabs(error);
        ++count;
    }
    stretch.mean /= count > 0 ? count : 1;
    return stretch;
}

soft_stretch soft_stretch_of(const soft_cloud *cloud)
{
    return stretch_of(cloud, false);
}

soft_stretch soft_thread_stretch_of(const soft_cloud *cloud)
{
    return stretch_of(cloud, true);
}

double soft_rms_speed(const soft_cloud *cloud)
{
    double sum = 0.0;
    for (int i = 0; i < cloud->count; ++i) {
        point v = point_of(cloud->velocities[i]);
        sum += dot(v, v);
    }
    return sqrt(sum / cloud->count);
}

// --- penetration -------------------------------------------------------------------------------------------

static double distance_to_segment(point p, point a, point b)
{
    point ab = minus(b, a);
    double t = fmin(fmax(dot(minus(p, a), ab) / dot(ab, ab), 0.0), 1.0);
    return distance(p, plus_scaled(a, t, ab));
}

// To the projection if it lies inside, else to the nearest of the three sides.
static double distance_to_triangle(point p, point a, point b, point c)
{
    point normal = cross(minus(b, a), minus(c, a));
    double size = dot(normal, normal);
    double u = dot(cross(minus(c, b), minus(p, b)), normal);
    double v = dot(cross(minus(a, c), minus(p, c)), normal);
    double w = dot(cross(minus(b, a), minus(p, a)), normal);
    if (size > 0.0 && u >= 0.0 && v >= 0.0 && w >= 0.0) {
        return fabs(dot(minus(p, a), normal)) / sqrt(size);
    }
    return fmin(distance_to_segment(p, a, b),
                fmin(distance_to_segment(p, b, c), distance_to_segment(p, c, a)));
}

double soft_depth_in_ball(const soft_cloud *cloud, sn_vec3 center, double radius)
{
    const uint32_t *triangles = sn_mesh_triangles(cloud->mesh);
    double nearest = INFINITY;
    for (int i = 0; i < sn_mesh_triangle_count(cloud->mesh); ++i) {
        const uint32_t *t = triangles + 3 * i;
        nearest = fmin(nearest, distance_to_triangle(point_of(center), point_of(cloud->positions[t[0]]),
                                                     point_of(cloud->positions[t[1]]),
                                                     point_of(cloud->positions[t[2]])));
    }
    return radius - nearest;
}

// Seen along its axis a wheel is a disc and a triangle is still one, or a segment.
double soft_depth_in_wheel(const soft_cloud *cloud, sn_vec3 center, double radius)
{
    const uint32_t *triangles = sn_mesh_triangles(cloud->mesh);
    double nearest = INFINITY;
    for (int i = 0; i < sn_mesh_triangle_count(cloud->mesh); ++i) {
        point corners[3];
        for (int k = 0; k < 3; ++k) {
            corners[k] = point_of(cloud->positions[triangles[3 * i + k]]);
            corners[k].z = (double)center.z;
        }
        nearest = fmin(nearest, distance_to_triangle(point_of(center), corners[0], corners[1], corners[2]));
    }
    return radius - nearest;
}

double soft_depth_in_box(const soft_cloud *cloud, const soft_solid_state *box, sn_vec3 half_extents)
{
    double deepest = -INFINITY;
    for (int i = 0; i < cloud->count; ++i) {
        sn_vec3 local = sn_rotate_inverse(box->rotation, sn_sub(cloud->positions[i], box->position));
        sn_vec3 inside = sn_sub(half_extents, sn_abs3(local));
        deepest = fmax(deepest, (double)sn_min(inside.x, sn_min(inside.y, inside.z)));
    }
    return deepest;
}

double soft_depth_below_floor(const soft_cloud *cloud)
{
    double deepest = -INFINITY;
    for (int i = 0; i < cloud->count; ++i) {
        deepest = fmax(deepest, -(double)cloud->positions[i].y);
    }
    return deepest;
}

// --- ties and forces ---------------------------------------------------------------------------------------

double soft_tie_error(const soft_run *run)
{
    double largest = 0.0;
    for (int i = 0; i < run->scene->tie_count; ++i) {
        const soft_tie *tie = &run->scene->ties[i];
        const soft_solid_state *solid = &run->solids[tie->solid];
        sn_vec3 place = sn_add(solid->position, sn_rotate(solid->rotation, run->tie_arms[i]));
        sn_vec3 node = run->clouds[tie->body].positions[tie->node];
        largest = fmax(largest, distance(point_of(place), point_of(node)));
    }
    return largest;
}

sn_vec3 soft_contact_force(const soft_run *run)
{
    enum { CAPACITY = 65536 };
    static sn_soft_contact contacts[CAPACITY];
    sn_vec3 sum = {0.0f, 0.0f, 0.0f};
    for (int i = 0; i < run->scene->body_count; ++i) {
        int count = sn_deformable_contacts(run->world, run->deformables[i], contacts, CAPACITY);
        for (int k = 0; k < count && k < CAPACITY; ++k) {
            if (contacts[k].shape.index != 0) {
                sum = sn_add_scaled(sum, contacts[k].normal_impulse / SOFT_STEP, contacts[k].normal);
                sum = sn_add_scaled(sum, 1.0f / SOFT_STEP, contacts[k].friction_impulse);
            }
        }
    }
    return sum;
}

// --- crossings ---------------------------------------------------------------------------------------------

static bool passes_through(point p, point q, point a, point b, point c)
{
    point normal = cross(minus(b, a), minus(c, a));
    double before = dot(normal, minus(p, a)), after = dot(normal, minus(q, a));
    if ((before > 0.0) == (after > 0.0)) {
        return false;
    }
    point way = minus(q, p);
    double u = dot(cross(way, minus(b, p)), minus(c, p));
    double v = dot(cross(way, minus(c, p)), minus(a, p));
    double w = dot(cross(way, minus(a, p)), minus(b, p));
    return (u > 0.0 && v > 0.0 && w > 0.0) || (u < 0.0 && v < 0.0 && w < 0.0);
}

static bool have_common_node(const uint32_t edge[2], const uint32_t triangle[3])
{
    for (int i = 0; i < 6; ++i) {
        if (edge[i / 3] == triangle[i % 3]) {
            return true;
        }
    }
    return false;
}

static sn_bounds bounds_of_triangle(const soft_cloud *cloud, const uint32_t *t)
{
    sn_vec3 a = cloud->positions[t[0]], b = cloud->positions[t[1]], c = cloud->positions[t[2]];
    return (sn_bounds){sn_min3(a, sn_min3(b, c)), sn_max3(a, sn_max3(b, c))};
}

static int edges_through(const soft_cloud *a, const soft_cloud *b, const uint32_t *triangle)
{
    sn_bounds bounds = bounds_of_triangle(b, triangle);
    point corners[3];
    for (int i = 0; i < 3; ++i) {
        corners[i] = point_of(b->positions[triangle[i]]);
    }
    const uint32_t *edges = sn_mesh_edges(a->mesh);
    int count = 0;
    for (int i = 0; i < sn_mesh_edge_count(a->mesh); ++i) {
        const uint32_t *edge = edges + 2 * i;
        sn_vec3 p = a->positions[edge[0]], q = a->positions[edge[1]];
        if (sn_bounds_overlap(bounds, (sn_bounds){sn_min3(p, q), sn_max3(p, q)}) &&
            (a != b || !have_common_node(edge, triangle))) {
            count += passes_through(point_of(p), point_of(q), corners[0], corners[1], corners[2]);
        }
    }
    return count;
}

int soft_crossings(const soft_cloud *a, const soft_cloud *b)
{
    const uint32_t *triangles = sn_mesh_triangles(b->mesh);
    int count = 0;
    for (int i = 0; i < sn_mesh_triangle_count(b->mesh); ++i) {
        count += edges_through(a, b, triangles + 3 * i);
    }
    return count;
}

// --- volume and momentum -----------------------------------------------------------------------------------

static double volume_at(const sn_mesh *mesh, const sn_vec3 *positions)
{
    const uint32_t *tetrahedra = sn_mesh_tetrahedra(mesh);
    double sum = 0.0;
    for (int i = 0; i < sn_mesh_tetrahedron_count(mesh); ++i) {
        const uint32_t *t = tetrahedra + 4 * i;
        point a = point_of(positions[t[0]]);
        point u = minus(point_of(positions[t[1]]), a), v = minus(point_of(positions[t[2]]), a);
        sum += dot(cross(u, v), minus(point_of(positions[t[3]]), a)) / 6.0;
    }
    return sum;
}

double soft_volume(const soft_cloud *cloud)
{
    return volume_at(cloud->mesh, cloud->positions);
}

double soft_rest_volume(const soft_cloud *cloud)
{
    return volume_at(cloud->mesh, sn_mesh_nodes(cloud->mesh));
}

double soft_momentum_x(const soft_run *run)
{
    double sum = 0.0;
    for (int i = 0; i < run->scene->body_count; ++i) {
        const soft_cloud *cloud = &run->clouds[i];
        for (int k = 0; k < cloud->count; ++k) {
            sum += (double)cloud->masses[k] * (double)cloud->velocities[k].x;
        }
    }
    for (int i = 0; i < run->scene->solid_count; ++i) {
        sum += (double)run->scene->solids[i].mass * (double)run->solids[i].velocity.x;
    }
    return sum;
}

// --- pictures ----------------------------------------------------------------------------------------------

static void write_box(FILE *file, const soft_solid_state *state, sn_vec3 half)
{
    static const int faces[6][4] = {{0, 2, 3, 1}, {4, 5, 7, 6}, {0, 1, 5, 4},
                                    {2, 6, 7, 3}, {0, 4, 6, 2}, {1, 3, 7, 5}};
    for (int i = 0; i < 8; ++i) {
        sn_vec3 corner = sn_v((i & 1) != 0 ? half.x : -half.x, (i & 2) != 0 ? half.y : -half.y,
                              (i & 4) != 0 ? half.z : -half.z);
        sn_vec3 p = sn_add(state->position, sn_rotate(state->rotation, corner));
        fprintf(file, "v %g %g %g\n", (double)p.x, (double)p.y, (double)p.z);
    }
    for (int i = 0; i < 6; ++i) {
        fprintf(file, "f %d %d %d %d\n", faces[i][0] - 8, faces[i][1] - 8, faces[i][2] - 8, faces[i][3] - 8);
    }
}

// Round things as an octahedron that fits in: what lies on them stays in sight.
static void write_octahedron(FILE *file, const soft_solid_state *state, float radius)
{
    static const int faces[8][3] = {{0, 2, 4}, {2, 1, 4}, {1, 3, 4}, {3, 0, 4},
                                    {2, 0, 5}, {1, 2, 5}, {3, 1, 5}, {0, 3, 5}};
    for (int i = 0; i < 6; ++i) {
        float along = i % 2 == 0 ? radius : -radius;
        sn_vec3 corner =
            sn_v(i / 2 == 0 ? along : 0.0f, i / 2 == 1 ? along : 0.0f, i / 2 == 2 ? along : 0.0f);
        sn_vec3 p = sn_add(state->position, sn_rotate(state->rotation, corner));
        fprintf(file, "v %g %g %g\n", (double)p.x, (double)p.y, (double)p.z);
    }
    for (int i = 0; i < 8; ++i) {
        fprintf(file, "f %d %d %d\n", faces[i][0] - 6, faces[i][1] - 6, faces[i][2] - 6);
    }
}

static void write_cloud(FILE *file, const soft_cloud *cloud)
{
    const uint32_t *triangles = sn_mesh_triangles(cloud->mesh);
    for (int i = 0; i < cloud->count; ++i) {
        sn_vec3 p = cloud->positions[i];
        fprintf(file, "v %g %g %g\n", (double)p.x, (double)p.y, (double)p.z);
    }
    for (int i = 0; i < sn_mesh_triangle_count(cloud->mesh); ++i) {
        const uint32_t *t = triangles + 3 * i;
        fprintf(file, "f %d %d %d\n", (int)t[0] - cloud->count, (int)t[1] - cloud->count,
                (int)t[2] - cloud->count);
    }
}

bool soft_write_obj(const soft_run *run, const char *path)
{
    FILE *file = fopen(path, "w");
    if (file == NULL) {
        return false;
    }
    for (int i = 0; i < run->scene->body_count; ++i) {
        write_cloud(file, &run->clouds[i]);
    }
    for (int i = 0; i < run->scene->solid_count; ++i) {
        const soft_solid *solid = &run->scene->solids[i];
        if (solid->shape == SOFT_BOX) {
            write_box(file, &run->solids[i], solid->size);
        } else {
            write_octahedron(file, &run->solids[i], solid->size.x);
        }
    }
    return fclose(file) == 0;
}
