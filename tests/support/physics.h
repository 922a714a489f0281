// What the physics tests share: worlds and things to put into them, time, and comparisons with what theory
// says. A physics test runs its phenomenon at both step sizes, so that convergence is seen and not one lucky
// number, and prints every measurement beside its expectation: its output is a table of how true the library
// is. A missed expectation does not end the test; all are seen, and the teardown fails.
// List tests with physics_test() in the array handed to cmocka.
#ifndef TESTS_SUPPORT_PHYSICS_H
#define TESTS_SUPPORT_PHYSICS_H

#include "sinew/sinew.h"

// --- worlds and time ---------------------------------------------------------------------------------------

/// Coarse and fine step: 1/60 s and 1/240 s, each with the library's own choice of sub-steps.
enum { PHYSICS_STEPS = 2 };
extern const float physics_steps[PHYSICS_STEPS];

/// The default gravity, downwards along y. [m/s²]
extern const double physics_gravity;

/// Ends the program with the status' text unless it is SN_OK: a scene that cannot be built proves nothing.
void must(sn_status status);

/// Default settings, but nothing sleeps.
sn_world *physics_world(void);
sn_world *physics_world_without_gravity(void);

void physics_run(sn_world *world, float step, float seconds);
/// The length of one sub-step. [s]
double physics_sub_step(const sn_world *world, float step);

// --- things ------------------------------------------------------------------------------------------------

sn_pose physics_at(float x, float y, float z);
/// Default density; both things that touch need the same friction for the pair to have it.
sn_shape_def physics_material(float friction, float restitution);

/// The half-space below y = 0.
void physics_floor(sn_world *world, sn_shape_def material);
/// A flat square in the plane y = 0, `half_size` to either side of the origin, made of 2 × cells² triangles.
void physics_triangle_floor(sn_world *world, sn_shape_def material, float half_size, int cells);
/// The half-space below a plane through the origin that falls by `angle` along x.
void physics_slope(sn_world *world, sn_shape_def material, float angle);
sn_vec3 physics_downhill(float angle);
/// The pose of a thing on the slope, `height` above it, turned with it.
sn_pose physics_on_slope(float angle, float height);

sn_rigid physics_box(sn_world *world, sn_shape_def material, sn_vec3 half_extents, sn_pose pose);
sn_rigid physics_sphere(sn_world *world, sn_shape_def material, float radius, sn_pose pose);
/// Along the body's z.
sn_rigid physics_capsule(sn_world *world, sn_shape_def material, float half_length, float radius,
                         sn_pose pose);
/// A regular prism about the body's y: nearly a disc or a rod.
sn_rigid physics_cylinder(sn_world *world, sn_shape_def material, float radius, float height, sn_pose pose);
/// A kinematic box.
sn_rigid physics_platform(sn_world *world, sn_shape_def material, sn_vec3 half_extents, sn_pose pose);
/// A body without shape: mass and principal moments of inertia in body axes.
sn_rigid physics_lump(sn_world *world, float mass, sn_vec3 inertia, sn_pose pose);
/// The inertia of a solid sphere, for lumps that should be nearly points.
sn_vec3 physics_ball_inertia(float mass, float radius);

// --- measures ----------------------------------------------------------------------------------------------

/// Weight of a body under the default gravity. [N]
double physics_weight(const sn_world *world, sn_rigid rigid);
/// Kinetic and potential.
double physics_energy(const sn_world *world);
/// Rotation of the body since it had the identity, about the world's z. [rad], −π…π
double physics_angle_about_z(const sn_world *world, sn_rigid rigid);

/// When a signal that is looked at once a step rises through zero, interpolated between steps.
typedef struct physics_crossings {
    double time, value; // of the last look
    int looks, count;
    double first, last; // times of crossing
} physics_crossings;

void physics_look(physics_crossings *crossings, double time, double value);
/// Mean time between crossings; 0 with fewer than two.
double physics_period(const physics_crossings *crossings);

/// Complete elliptic integral of the first kind, K(k), k the modulus: four of them make a pendulum's period.
double physics_elliptic_k(double modulus);

/// y' = f(y), one step of the classical Runge–Kutta method: the reference where there is no closed form.
enum { PHYSICS_MAX_ODE = 8 };
typedef void (*physics_ode)(const double *state, double *rate, const void *user);
void physics_runge_kutta(physics_ode ode, const void *user, double *state, int size, double h);

// --- expectations ------------------------------------------------------------------------------------------

#define PHYSICS_FORMAT(position) __attribute__((format(printf, position, (position) + 1)))

/// |actual − expected| ≤ tolerance.
void check_near(double actual, double expected, double tolerance, const char *what, ...) PHYSICS_FORMAT(4);
/// |actual − expected| ≤ fraction · |expected|.
void check_relative(double actual, double expected, double fraction, const char *what, ...) PHYSICS_FORMAT(4);
/// Each component of the vector, against the fraction of the expected vector's length.
void check_vector(sn_vec3 actual, sn_vec3 expected, double fraction, const char *what, ...) PHYSICS_FORMAT(4);
/// actual ≤ bound.
void check_below(double actual, double bound, const char *what, ...) PHYSICS_FORMAT(3);
/// actual ≥ bound.
void check_above(double actual, double bound, const char *what, ...) PHYSICS_FORMAT(3);
void check_true(bool condition, const char *what, ...) PHYSICS_FORMAT(2);
/// The errors at the two step sizes: the finer one is at most half the coarser, or both are lost in
/// `noise` (rounding, sampling).
void check_converges(const double errors[PHYSICS_STEPS], double noise, const char *what, ...)
    PHYSICS_FORMAT(3);

/// Setup and teardown: the teardown fails if an expectation was missed or the library's memory leaks.
int physics_setup(void **state);
int physics_teardown(void **state);

#define physics_test(function) cmocka_unit_test_setup_teardown(function, physics_setup, physics_teardown)

#endif
