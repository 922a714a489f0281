// Worlds, things, time and comparisons of the physics tests.
#include "support/physics.h"

#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>

const float physics_steps[PHYSICS_STEPS] = {1.0f / 60.0f, 1.0f / 240.0f};
const double physics_gravity = 9.81;

// --- worlds and time ---------------------------------------------------------------------------------------

void must(sn_status status)
{
    if (status != SN_OK) {
        fprintf(stderr, "the scene cannot be built: %s (%s)\n", sn_status_text(status), sn_last_error());
        abort();
    }
}

static sn_world *make_world(sn_vec3 gravity)
{
    sn_world_def def = sn_world_def_default();
    def.gravity = gravity;
    def.sleep = false;
    sn_world *world = NULL;
    must(sn_world_create(&def, &world));
    return world;
}

sn_world *physics_world(void)
{
    return make_world(sn_v(0.0f, (float)-physics_gravity, 0.0f));
}

sn_world *physics_world_without_gravity(void)
{
    return make_world(sn_v(0.0f, 0.0f, 0.0f));
}

void physics_run(sn_world *world, float step, float seconds)
{
    int count = (int)lround((double)seconds / (double)step);
    for (int i = 0; i < count; ++i) {
        must(sn_world_step(world, step));
    }
}

double physics_sub_step(const sn_world *world, float step)
{
    return (double)step / (double)sn_world_sub_steps(world);
}

// --- things ------------------------------------------------------------------------------------------------

sn_pose physics_at(float x, float y, float z)
{
    sn_pose pose = {{x, y, z}, {0.0f, 0.0f, 0.0f, 1.0f}};
    return pose;
}

sn_shape_def physics_material(float friction, float restitution)
{
    sn_shape_def def = sn_shape_def_default();
    def.friction = friction;
    def.restitution = restitution;
    return def;
}

void physics_floor(sn_world *world, sn_shape_def material)
{
    physics_slope(world, material, 0.0f);
}

static void fill_floor_triangles(uint32_t *triangles, int cells)
{
    uint32_t row = (uint32_t)cells + 1;
    for (uint32_t z = 0; z < (uint32_t)cells; ++z) {
        for (uint32_t x = 0; x < (uint32_t)cells; ++x) {
            uint32_t corner = z * row + x;
            // Counter-clockwise from above.
            const uint32_t two[6] = {corner,     corner + row, corner + 1,
                                     corner + 1, corner + row, corner + row + 1};
            for (int i = 0; i < 6; ++i) {
                *triangles++ = two[i];
            }
        }
    }
}

void physics_triangle_floor(sn_world *world, sn_shape_def material, float half_size, int cells)
{
    int vertex_count = (cells + 1) * (cells + 1), triangle_count = 2 * cells * cells;
    sn_vec3 *vertices = calloc((size_t)vertex_count, sizeof *vertices);
    uint32_t *triangles = calloc(3 * (size_t)triangle_count, sizeof *triangles);
    must(vertices != NULL && triangles != NULL ? SN_OK : SN_ERROR_MEMORY);
    for (int i = 0; i < vertex_count; ++i) {
        float x = (float)(i % (cells + 1)) / (float)cells, z = (float)(i / (cells + 1)) / (float)cells;
        vertices[i] = sn_v(half_size * (2.0f * x - 1.0f), 0.0f, half_size * (2.0f * z - 1.0f));
    }
    fill_floor_triangles(triangles, cells);
    sn_surface *surface = NULL;
    must(sn_surface_create(vertices, vertex_count, triangles, triangle_count, false, &surface));
    must(sn_surface_add(world, sn_world_ground(world), &material, surface, NULL));
    sn_surface_destroy(surface);
    free(triangles);
    free(vertices);
}

void physics_slope(sn_world *world, sn_shape_def material, float angle)
{
    sn_plane plane = {sn_v(sn_sin(angle), sn_cos(angle), 0.0f), 0.0f};
    must(sn_plane_add(world, sn_world_ground(world), &material, plane, NULL));
}

sn_vec3 physics_downhill(float angle)
{
    return sn_v(sn_cos(angle), -sn_sin(angle), 0.0f);
}

sn_pose physics_on_slope(float angle, float height)
{
    sn_pose pose = {sn_v(height * sn_sin(angle), height * sn_cos(angle), 0.0f),
                    sn_quat_axis_angle(sn_v(0.0f, 0.0f, 1.0f), -angle)};
    return pose;
}

static sn_rigid add_body(sn_world *world, sn_rigid_type type, sn_pose pose)
{
    sn_rigid_def def = sn_rigid_def_default();
    def.type = type;
    def.position = pose.position;
    def.rotation = pose.rotation;
    sn_rigid rigid = {0};
    must(sn_rigid_add(world, &def, &rigid));
    return rigid;
}

sn_rigid physics_box(sn_world *world, sn_shape_def material, sn_vec3 half_extents, sn_pose pose)
{
    sn_rigid rigid = add_body(world, SN_DYNAMIC, pose);
    must(sn_box_add(world, rigid, &material, (sn_box){half_extents}, NULL));
    return rigid;
}

sn_rigid physics_sphere(sn_world *world, sn_shape_def material, float radius, sn_pose pose)
{
    sn_rigid rigid = add_body(world, SN_DYNAMIC, pose);
    must(sn_sphere_add(world, rigid, &material, (sn_sphere){{0.0f, 0.0f, 0.0f}, radius}, NULL));
    return rigid;
}

sn_rigid physics_capsule(sn_world *world, sn_shape_def material, float half_length, float radius,
                         sn_pose pose)
{
    sn_rigid rigid = add_body(world, SN_DYNAMIC, pose);
    sn_capsule capsule = {{0.0f, 0.0f, -half_length}, {0.0f, 0.0f, half_length}, radius};
    must(sn_capsule_add(world, rigid, &material, capsule, NULL));
    return rigid;
}

sn_rigid physics_cylinder(sn_world *world, sn_shape_def material, float radius, float height, sn_pose pose)
{
    sn_hull *hull = NULL;
    must(sn_hull_cylinder(height, radius, radius, 32, &hull));
    sn_rigid rigid = add_body(world, SN_DYNAMIC, pose);
    must(sn_hull_add(world, rigid, &material, hull, NULL));
    sn_hull_destroy(hull);
    return rigid;
}

sn_rigid physics_platform(sn_world *world, sn_shape_def material, sn_vec3 half_extents, sn_pose pose)
{
    sn_rigid rigid = add_body(world, SN_KINEMATIC, pose);
    must(sn_box_add(world, rigid, &material, (sn_box){half_extents}, NULL));
    return rigid;
}

sn_rigid physics_lump(sn_world *world, float mass, sn_vec3 inertia, sn_pose pose)
{
    sn_rigid rigid = add_body(world, SN_DYNAMIC, pose);
    sn_mass properties = {mass, {0.0f, 0.0f, 0.0f}, sn_mat3_diagonal(inertia.x, inertia.y, inertia.z)};
    must(sn_rigid_mass_set(world, rigid, &properties));
    return rigid;
}

sn_vec3 physics_ball_inertia(float mass, float radius)
{
    float moment = 0.4f * mass * radius * radius;
    return sn_v(moment, moment, moment);
}

// --- measures ----------------------------------------------------------------------------------------------

double physics_weight(const sn_world *world, sn_rigid rigid)
{
    return (double)sn_rigid_mass(world, rigid).mass * physics_gravity;
}

double physics_energy(const sn_world *world)
{
    sn_energy energy = sn_world_energy(world);
    return energy.kinetic + energy.potential;
}

double physics_angle_about_z(const sn_world *world, sn_rigid rigid)
{
    sn_vec3 x = sn_rotate(sn_rigid_rotation(world, rigid), sn_v(1.0f, 0.0f, 0.0f));
    return atan2((double)x.y, (double)x.x);
}

void physics_look(physics_crossings *crossings, double time, double value)
{
    if (crossings->looks++ > 0 && crossings->value < 0.0 && value >= 0.0) {
        double share = -crossings->value / (value - crossings->value);
        crossings->last = crossings->time + share * (time - crossings->time);
        crossings->first = crossings->count == 0 ? crossings->last : crossings->first;
        ++crossings->count;
    }
    crossings->time = time;
    crossings->value = value;
}

double physics_period(const physics_crossings *crossings)
{
    int periods = crossings->count - 1;
    return periods > 0 ? (crossings->last - crossings->first) / (double)periods : 0.0;
}

// By the arithmetic–geometric mean (Gauss).
double physics_elliptic_k(double modulus)
{
    double a = 1.0, b = sqrt(1.0 - modulus * modulus);
    for (int i = 0; i < 40; ++i) {
        double mean = 0.5 * (a + b);
        b = sqrt(a * b);
        a = mean;
    }
    return acos(-1.0) / (2.0 * a);
}

void physics_runge_kutta(physics_ode ode, const void *user, double *state, int size, double h)
{
    const double reach[4] = {0.0, 0.5, 0.5, 1.0}, weight[4] = {1.0 / 6.0, 1.0 / 3.0, 1.0 / 3.0, 1.0 / 6.0};
    double rate[PHYSICS_MAX_ODE] = {0.0}, sum[PHYSICS_MAX_ODE] = {0.0}, at[PHYSICS_MAX_ODE] = {0.0};
    for (int stage = 0; stage < 4; ++stage) {
        for (int i = 0; i < size; ++i) {
            at[i] = state[i] + reach[stage] * h * rate[i];
        }
        ode(at, rate, user);
        for (int i = 0; i < size; ++i) {
            sum[i] += weight[stage] * rate[i];
        }
    }
    for (int i = 0; i < size; ++i) {
        state[i] += h * sum[i];
    }
}

// --- expectations ------------------------------------------------------------------------------------------

static int misses;
static uint64_t bytes_before;

static void judge(bool met, const char *what, va_list arguments)
{
    printf(met ? "    " : "    MISSED: ");
    vprintf(what, arguments);
    misses += met ? 0 : 1;
}

void check_near(double actual, double expected, double tolerance, const char *what, ...)
{
    va_list arguments;
    va_start(arguments, what);
    judge(fabs(actual - expected) <= tolerance, what, arguments);
    va_end(arguments);
    printf(": %.7g, expected %.7g, off by %.3g, allowed %.3g\n", actual, expected, actual - expected,
           tolerance);
}

void check_relative(double actual, double expected, double fraction, const char *what, ...)
{
    va_list arguments;
    va_start(arguments, what);
    judge(fabs(actual - expected) <= fraction * fabs(expected), what, arguments);
    va_end(arguments);
    printf(": %.7g, expected %.7g, off by %.3g %%, allowed %.3g %%\n", actual, expected,
           100.0 * (actual - expected) / fabs(expected), 100.0 * fraction);
}

void check_vector(sn_vec3 actual, sn_vec3 expected, double fraction, const char *what, ...)
{
    sn_vec3 off = sn_sub(actual, expected);
    double size = (double)sn_length(expected);
    double worst = fmax(fabs((double)off.x), fmax(fabs((double)off.y), fabs((double)off.z)));
    va_list arguments;
    va_start(arguments, what);
    judge(worst <= fraction * size, what, arguments);
    va_end(arguments);
    printf(": (%.6g %.6g %.6g), expected (%.6g %.6g %.6g), off by %.3g %%, allowed %.3g %%\n",
           (double)actual.x, (double)actual.y, (double)actual.z, (double)expected.x, (double)expected.y,
           (double)expected.z, 100.0 * worst / size, 100.0 * fraction);
}

void check_below(double actual, double bound, const char *what, ...)
{
    va_list arguments;
    va_start(arguments, what);
    judge(actual <= bound, what, arguments);
    va_end(arguments);
    printf(": %.4g, expected at most %.4g\n", actual, bound);
}

void check_above(double actual, double bound, const char *what, ...)
{
    va_list arguments;
    va_start(arguments, what);
    judge(actual >= bound, what, arguments);
    va_end(arguments);
    printf(": %.4g, expected at least %.4g\n", actual, bound);
}

void check_true(bool condition, const char *what, ...)
{
    va_list arguments;
    va_start(arguments, what);
    judge(condition, what, arguments);
    va_end(arguments);
    printf("\n");
}

void check_converges(const double errors[PHYSICS_STEPS], double noise, const char *what, ...)
{
    double coarse = fabs(errors[0]), fine = fabs(errors[1]);
    va_list arguments;
    va_start(arguments, what);
    judge(fine <= fmax(0.5 * coarse, noise), what, arguments);
    va_end(arguments);
    printf(" converges: error %.3g, then %.3g with a quarter of the step\n", coarse, fine);
}

int physics_setup(void **state)
{
    (void)state;
    misses = 0;
    bytes_before = sn_allocated_bytes();
    return 0;
}

int physics_teardown(void **state)
{
    (void)state;
    check_true(sn_allocated_bytes() == bytes_before, "all memory is given back");
    fflush(stdout);
    return misses;
}
