// Mass properties: closed forms for spheres, capsules and boxes; for closed meshes and hulls the exact volume
// integrals of Mirtich 1996, summed here over tetrahedra from one reference point to each triangle (Blow and
// Binstock 2004 write it so), in double, because their terms cancel.
#include "geometry/shapes/mass.h"
#include "base/allocate.h"
#include "geometry/mesh/edge_pairs.h"
#include "geometry/shapes/check.h"
#include "geometry/shapes/compound.h"
#include <float.h>

// --- combining -----------------------------------------------------------------------------------

// Inertia of a point mass about the origin: m (|r|² 1 − r rᵀ).
static sn_mat3 point_inertia(float mass, sn_vec3 r)
{
    float xx = mass * r.x * r.x, yy = mass * r.y * r.y, zz = mass * r.z * r.z;
    float xy = -mass * r.x * r.y, xz = -mass * r.x * r.z, yz = -mass * r.y * r.z;
    return (sn_mat3){{yy + zz, xy, xz}, {xy, xx + zz, yz}, {xz, yz, xx + yy}};
}

static sn_mat3 symmetric_part(sn_mat3 m)
{
    return sn_mat3_scale(sn_mat3_add(m, sn_mat3_transpose(m)), 0.5f);
}

sn_mass sn_mass_transformed(sn_mass mass, sn_pose pose)
{
    sn_mat3 turn = sn_mat3_from_quat(pose.rotation);
    sn_mat3 turned = sn_mat3_multiply(sn_mat3_multiply(turn, mass.inertia), sn_mat3_transpose(turn));
    return (sn_mass){mass.mass, sn_pose_apply(pose, mass.center), symmetric_part(turned)};
}

sn_mass sn_mass_sum(sn_mass a, sn_mass b)
{
    float total = a.mass + b.mass;
    if (!(total > 0.0f)) {
        return a;
    }
    // From a, so that adding nothing leaves the centre where it was to the last bit.
    sn_vec3 center = sn_add_scaled(a.center, b.mass / total, sn_sub(b.center, a.center));
    sn_mat3 inertia_a = sn_mat3_add(a.inertia, point_inertia(a.mass, sn_sub(a.center, center)));
    sn_mat3 inertia_b = sn_mat3_add(b.inertia, point_inertia(b.mass, sn_sub(b.center, center)));
    return (sn_mass){total, center, sn_mat3_add(inertia_a, inertia_b)};
}

// --- closed forms --------------------------------------------------------------------------------

static sn_mass sphere_mass(sn_sphere sphere, float density)
{
    float r = sphere.radius;
    float mass = density * (4.0f / 3.0f * SN_PI) * r * r * r;
    float inertia = 0.4f * mass * r * r;
    return (sn_mass){mass, sphere.center, sn_mat3_diagonal(inertia, inertia, inertia)};
}

// A cylinder and two half-balls, whose centres are 3/8 r inside their flat sides.
static sn_mass capsule_mass(sn_capsule capsule, float density)
{
    float r = capsule.radius, length = sn_distance_between(capsule.a, capsule.b);
    float cylinder = density * SN_PI * r * r * length;
    float ball = density * (4.0f / 3.0f * SN_PI) * r * r * r;
    float along = cylinder * 0.5f * r * r + ball * 0.4f * r * r;
    float across = cylinder * (0.25f * r * r + length * length / 12.0f) +
                   ball * (0.4f * r * r + 0.25f * length * length + 0.375f * length * r);
    // along · n nᵀ + across · (1 − n nᵀ)
    sn_vec3 n = sn_scale(sn_sub(capsule.b, capsule.a), 1.0f / length);
    float d = along - across;
    sn_mat3 inertia = {{across + d * n.x * n.x, d * n.x * n.y, d * n.x * n.z},
                       {d * n.x * n.y, across + d * n.y * n.y, d * n.y * n.z},
                       {d * n.x * n.z, d * n.y * n.z, across + d * n.z * n.z}};
    return (sn_mass){cylinder + ball, sn_lerp(capsule.a, capsule.b, 0.5f), inertia};
}

static sn_mass box_mass(sn_box box, float density)
{
    sn_vec3 h = box.half_extents;
    float mass = density * 8.0f * h.x * h.y * h.z, third = mass * (1.0f / 3.0f);
    float xx = h.x * h.x, yy = h.y * h.y, zz = h.z * h.z;
    sn_mat3 inertia = sn_mat3_diagonal(third * (yy + zz), third * (xx + zz), third * (xx + yy));
    return (sn_mass){mass, {0.0f, 0.0f, 0.0f}, inertia};
}

static sn_mass hull_mass(const sn_hull *hull, float density)
{
    sn_mass mass = hull->unit_mass;
    mass.mass *= density;
    mass.inertia = sn_mat3_scale(mass.inertia, density);
    return mass;
}

static sn_mass unplaced_mass(const sn_solid *solid, float density)
{
    switch (solid->type) {
    case SN_CAPSULE:
        return capsule_mass(solid->capsule, density);
    case SN_BOX:
        return box_mass(solid->box, density);
    case SN_HULL:
        return hull_mass(solid->hull, density);
    default:
        return sphere_mass(solid->sphere, density);
    }
}

sn_mass sn_mass_of_solid(const sn_solid *solid, float density)
{
    return sn_mass_transformed(unplaced_mass(solid, density), solid->pose);
}

sn_mass sn_mass_of_compound(const sn_compound *compound, float density)
{
    sn_mass sum = sn_mass_of_solid(&compound->parts[0].solid, density);
    for (int i = 1; i < compound->part_count; ++i) {
        sum = sn_mass_sum(sum, sn_mass_of_solid(&compound->parts[i].solid, density));
    }
    return sum;
}

// --- meshes --------------------------------------------------------------------------------------

// Integrals over a volume of 1, of the coordinates and of their products, about a reference point.
typedef struct volume_integrals {
    double volume;
    double x, y, z;
    double xx, yy, zz, xy, xz, yz;
} volume_integrals;

// ∫ p_i p_j over a tetrahedron with one corner at the origin is det/120 times this.
static double product_sum(double a1, double a2, double b1, double b2, double c1, double c2)
{
    return a1 * a2 + b1 * b2 + c1 * c2 + (a1 + b1 + c1) * (a2 + b2 + c2);
}

static void add_tetrahedron(volume_integrals *sum, const double a[3], const double b[3], const double c[3])
{
    double determinant = a[0] * (b[1] * c[2] - b[2] * c[1]) + a[1] * (b[2] * c[0] - b[0] * c[2]) +
                         a[2] * (b[0] * c[1] - b[1] * c[0]);
    double first = determinant / 24.0, second = determinant / 120.0;
    sum->volume += determinant / 6.0;
    sum->x += first * (a[0] + b[0] + c[0]);
    sum->y += first * (a[1] + b[1] + c[1]);
    sum->z += first * (a[2] + b[2] + c[2]);
    sum->xx += second * product_sum(a[0], a[0], b[0], b[0], c[0], c[0]);
    sum->yy += second * product_sum(a[1], a[1], b[1], b[1], c[1], c[1]);
    sum->zz += second * product_sum(a[2], a[2], b[2], b[2], c[2], c[2]);
    sum->xy += second * product_sum(a[0], a[1], b[0], b[1], c[0], c[1]);
    sum->xz += second * product_sum(a[0], a[2], b[0], b[2], c[0], c[2]);
    sum->yz += second * product_sum(a[1], a[2], b[1], b[2], c[1], c[2]);
}

static volume_integrals integrate(const sn_vec3 *vertices, const uint32_t *triangles, int triangle_count)
{
    volume_integrals sum = {0};
    sn_vec3 origin = vertices[triangles[0]];
    for (int t = 0; t < triangle_count; ++t) {
        double corner[3][3];
        for (int k = 0; k < 3; ++k) {
            sn_vec3 v = vertices[triangles[3 * t + k]];
            corner[k][0] = (double)v.x - origin.x;
            corner[k][1] = (double)v.y - origin.y;
            corner[k][2] = (double)v.z - origin.z;
        }
        add_tetrahedron(&sum, corner[0], corner[1], corner[2]);
    }
    return sum;
}

static sn_mass mass_from_integrals(const volume_integrals *s, sn_vec3 origin, double density)
{
    double x = s->x / s->volume, y = s->y / s->volume, z = s->z / s->volume;
    double xx = density * (s->xx - s->x * x), yy = density * (s->yy - s->y * y);
    double zz = density * (s->zz - s->z * z), xy = -density * (s->xy - s->x * y);
    double xz = -density * (s->xz - s->x * z), yz = -density * (s->yz - s->y * z);
    sn_vec3 center = {(float)(origin.x + x), (float)(origin.y + y), (float)(origin.z + z)};
    sn_mat3 inertia = {{(float)(yy + zz), (float)xy, (float)xz},
                       {(float)xy, (float)(xx + zz), (float)yz},
                       {(float)xz, (float)yz, (float)(xx + yy)}};
    return (sn_mass){(float)(density * s->volume), center, inertia};
}

sn_mass sn_mass_of_triangles(const sn_vec3 *vertices, const uint32_t *triangles, int triangle_count)
{
    volume_integrals sum = integrate(vertices, triangles, triangle_count);
    return mass_from_integrals(&sum, vertices[triangles[0]], 1.0);
}

// --- for the public ------------------------------------------------------------------------------

// Large or dense enough bodies leave float32.
static sn_status finish(sn_mass result, const char *object, sn_mass *mass)
{
    sn_mat3 i = result.inertia;
    if (!sn_is_finite(result.mass) || !sn_vec3_is_finite(i.x) || !sn_vec3_is_finite(i.y) ||
        !sn_vec3_is_finite(i.z)) {
        return sn_fail(NULL, SN_ERROR_RANGE, "%s: mass is %g, expected a mass and inertia below 3e38", object,
                       (double)result.mass);
    }
    *mass = result;
    return SN_OK;
}

static sn_status check_mass_arguments(float density, const sn_mass *mass, const char *object)
{
    if (!mass) {
        return sn_fail(NULL, SN_ERROR_NULL, "%s: mass is null", object);
    }
    return sn_check_range(density, 0.0f, FLT_MAX, NULL, object, "density");
}

sn_status sn_solid_mass(const sn_solid *solid, float density, sn_mass *mass)
{
    static const char *object = "mass of solid";
    sn_status status = check_mass_arguments(density, mass, object);
    status = status ? status : sn_check_solid(solid, NULL, object);
    if (status) {
        return status;
    }
    sn_solid unit = *solid;
    unit.pose.rotation = sn_quat_normalize(unit.pose.rotation);
    return finish(sn_mass_of_solid(&unit, density), object, mass);
}

static sn_status check_closed(const uint32_t *triangles, int triangle_count, int vertex_count,
                              const char *object)
{
    size_t bytes = (size_t)triangle_count * 3 * sizeof(int);
    int *twins = sn_allocate(bytes);
    sn_status status = SN_OK;
    if (!twins || !sn_edge_pairs(triangles, triangle_count, vertex_count, twins)) {
        status = sn_fail(NULL, SN_ERROR_MEMORY, "%s: no memory for %d triangles", object, triangle_count);
    }
    for (int i = 0; !status && i < 3 * triangle_count; ++i) {
        if (twins[i] < 0) {
            int next = i % 3 == 2 ? i - 2 : i + 1;
            status =
                sn_fail(NULL, SN_ERROR_GEOMETRY,
                        "%s: edge from vertex %u to %u of triangle %d has %s, expected exactly one other "
                        "triangle, running it the other way",
                        object, (unsigned)triangles[i], (unsigned)triangles[next], i / 3,
                        twins[i] == SN_EDGE_OPEN ? "none" : "several or one running the same way");
        }
    }
    sn_release(twins, bytes);
    return status;
}

// What is rounding only, from so many triangles of such a size, is no volume.
static double least_volume(const sn_vec3 *vertices, const uint32_t *triangles, int triangle_count)
{
    sn_vec3 lower = vertices[triangles[0]], upper = lower;
    for (int i = 1; i < 3 * triangle_count; ++i) {
        lower = sn_min3(lower, vertices[triangles[i]]);
        upper = sn_max3(upper, vertices[triangles[i]]);
    }
    double size = sn_length(sn_sub(upper, lower));
    return 1.0e-12 * size * size * size;
}

sn_status sn_mesh_mass(const sn_vec3 *vertices, int vertex_count, const uint32_t *triangles,
                       int triangle_count, float density, sn_mass *mass)
{
    static const char *object = "mass of mesh";
    sn_status status = check_mass_arguments(density, mass, object);
    status =
        status ? status : sn_check_triangles(vertices, vertex_count, triangles, triangle_count, NULL, object);
    status = status ? status : check_closed(triangles, triangle_count, vertex_count, object);
    if (status) {
        return status;
    }
    volume_integrals sum = integrate(vertices, triangles, triangle_count);
    if (!(sum.volume > least_volume(vertices, triangles, triangle_count))) {
        return sn_fail(NULL, SN_ERROR_GEOMETRY,
                       "%s: volume is %g, expected > 0 (triangles counter-clockwise from outside)", object,
                       sum.volume);
    }
    return finish(mass_from_integrals(&sum, vertices[triangles[0]], density), object, mass);
}
