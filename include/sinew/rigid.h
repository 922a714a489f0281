/// \file
/// Rigid bodies. Every function that takes an id gives SN_ERROR_ID for a zero, stale or foreign one;
/// functions that return a value instead of a status then return zeros and set `sn_world_error()`.
#ifndef SINEW_RIGID_H
#define SINEW_RIGID_H

#include "base.h"
#include "math.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef enum sn_rigid_type {
    SN_STATIC,    ///< never moves by itself
    SN_KINEMATIC, ///< moves as told, by velocity or by target pose; nothing pushes it
    SN_DYNAMIC    ///< moves by forces
} sn_rigid_type;

/// Directions of the world along or about which a body cannot move.
enum {
    SN_LOCK_X = 1,
    SN_LOCK_Y = 2,
    SN_LOCK_Z = 4,
    SN_LOCK_ROTATION_X = 8,
    SN_LOCK_ROTATION_Y = 16,
    SN_LOCK_ROTATION_Z = 32
};

typedef struct sn_rigid_def {
    uint32_t cookie;          ///< set by sn_rigid_def_default; do not touch
    sn_rigid_type type;       ///< default SN_DYNAMIC
    sn_vec3 position;         ///< of the body's origin (not of its mass centre) [m]
    sn_quat rotation;         ///< unit within 1e-3; normalised on entry; default identity
    sn_vec3 linear_velocity;  ///< of the origin [m/s]
    sn_vec3 angular_velocity; ///< in world axes [rad/s]
    float linear_damping;     ///< [1/s], 0…1000; default 0
    float angular_damping;    ///< [1/s], 0…1000; default 0
    float gravity_scale;      ///< −1000…1000; default 1
    uint32_t locks;           ///< SN_LOCK_… bits; default none
    bool allow_sleep;         ///< default true
    bool awake;               ///< default true
    bool bullet;              ///< sweep against dynamic bodies too; default false
    const char *name;         ///< for messages; copied; null or at most SN_MAX_NAME bytes
    void *user;
} sn_rigid_def;

/// A dynamic body at the origin, awake, unnamed; see the fields.
SN_API sn_rigid_def sn_rigid_def_default(void);

/// Adds a body. A dynamic body without shapes weighs 1 kg with a unit-sphere's inertia until it gets shapes
/// or sn_rigid_mass_set. `rigid` may be null. SN_ERROR_NULL, SN_ERROR_DEFINITION, SN_ERROR_NOT_FINITE,
/// SN_ERROR_RANGE, SN_ERROR_ROTATION, SN_ERROR_NAME, SN_ERROR_LOCKED, SN_ERROR_MEMORY.
SN_API sn_status sn_rigid_add(sn_world *world, const sn_rigid_def *def, sn_rigid *rigid);
/// Removes a body with its shapes, contacts and constraints; what it touched wakes. The ground cannot be
/// removed (SN_ERROR_KIND).
SN_API sn_status sn_rigid_remove(sn_world *world, sn_rigid rigid);
/// Whether the id names a body that exists.
SN_API bool sn_rigid_is_valid(const sn_world *world, sn_rigid rigid);

/// Static, kinematic or dynamic.
SN_API sn_rigid_type sn_rigid_get_type(const sn_world *world, sn_rigid rigid);
/// Changes the type: contacts go, velocities become zero, mass is that of the shapes. SN_ERROR_KIND if a
/// shape does not allow the new type, and for the ground.
SN_API sn_status sn_rigid_type_set(sn_world *world, sn_rigid rigid, sn_rigid_type type);
/// The name it was given, or ""; never null. Good until the body is removed.
SN_API const char *sn_rigid_name(const sn_world *world, sn_rigid rigid);

/// Where the origin is and how the body is turned.
SN_API sn_pose sn_rigid_pose(const sn_world *world, sn_rigid rigid);
/// Of the origin [m].
SN_API sn_vec3 sn_rigid_position(const sn_world *world, sn_rigid rigid);
/// Of the body.
SN_API sn_quat sn_rigid_rotation(const sn_world *world, sn_rigid rigid);
/// The mass centre, in world coordinates.
SN_API sn_vec3 sn_rigid_center(const sn_world *world, sn_rigid rigid);
/// Puts the body somewhere else at once; it and what it touched wake.
SN_API sn_status sn_rigid_pose_set(sn_world *world, sn_rigid rigid, sn_pose pose);
/// Where a kinematic body shall be at the end of the next step (SN_ERROR_KIND for others). It gets the
/// velocity that takes it there, pushes what is in its way, and stops afterwards unless told again.
SN_API sn_status sn_rigid_target_set(sn_world *world, sn_rigid rigid, sn_pose target);

/// Of the mass centre [m/s].
SN_API sn_vec3 sn_rigid_linear_velocity(const sn_world *world, sn_rigid rigid);
/// In world axes [rad/s].
SN_API sn_vec3 sn_rigid_angular_velocity(const sn_world *world, sn_rigid rigid);
/// Not for static bodies (SN_ERROR_KIND). Wakes.
SN_API sn_status sn_rigid_linear_velocity_set(sn_world *world, sn_rigid rigid, sn_vec3 velocity);
/// The same for the angular velocity, world axes [rad/s].
SN_API sn_status sn_rigid_angular_velocity_set(sn_world *world, sn_rigid rigid, sn_vec3 velocity);
/// Velocity of a point that moves with the body, given in world coordinates.
SN_API sn_vec3 sn_rigid_point_velocity(const sn_world *world, sn_rigid rigid, sn_vec3 point);

/// Forces act during the next step and are then forgotten. World axes; dynamic bodies only (SN_ERROR_KIND).
SN_API sn_status sn_rigid_force_add(sn_world *world, sn_rigid rigid, sn_vec3 force);
/// A force at a point of the world [N], [m].
SN_API sn_status sn_rigid_force_add_at(sn_world *world, sn_rigid rigid, sn_vec3 force, sn_vec3 point);
/// A torque [N m].
SN_API sn_status sn_rigid_torque_add(sn_world *world, sn_rigid rigid, sn_vec3 torque);
/// Impulses change velocities at once.
SN_API sn_status sn_rigid_impulse_add(sn_world *world, sn_rigid rigid, sn_vec3 impulse);
/// An impulse at a point of the world [N s], [m].
SN_API sn_status sn_rigid_impulse_add_at(sn_world *world, sn_rigid rigid, sn_vec3 impulse, sn_vec3 point);
/// An angular impulse [N m s].
SN_API sn_status sn_rigid_angular_impulse_add(sn_world *world, sn_rigid rigid, sn_vec3 impulse);

/// Mass, mass centre (body frame) and inertia about that centre (body axes; symmetric).
typedef struct sn_mass {
    float mass;
    sn_vec3 center;
    sn_mat3 inertia;
} sn_mass;

/// Mass, mass centre and inertia in force; zeros for bodies that are not dynamic.
SN_API sn_mass sn_rigid_mass(const sn_world *world, sn_rigid rigid);
/// Overrides what the shapes give. Mass 1e-12…1e15 kg, inertia positive definite with no moment below a
/// millionth of the largest (SN_ERROR_RANGE otherwise).
SN_API sn_status sn_rigid_mass_set(sn_world *world, sn_rigid rigid, const sn_mass *mass);
/// Whether sn_rigid_mass_set is in force.
SN_API bool sn_rigid_mass_is_set(const sn_world *world, sn_rigid rigid);
/// Back to what the shapes and their densities give.
SN_API sn_status sn_rigid_mass_reset(sn_world *world, sn_rigid rigid);

/// Linear and angular damping, 0…1000 [1/s].
SN_API sn_status sn_rigid_damping_set(sn_world *world, sn_rigid rigid, float linear, float angular);
/// How strongly gravity acts, −1000…1000. Wakes.
SN_API sn_status sn_rigid_gravity_scale_set(sn_world *world, sn_rigid rigid, float scale);
/// SN_LOCK_… bits; SN_ERROR_RANGE for others. Wakes.
SN_API sn_status sn_rigid_locks_set(sn_world *world, sn_rigid rigid, uint32_t locks);
/// Whether the body is swept against dynamic ones too.
SN_API sn_status sn_rigid_bullet_set(sn_world *world, sn_rigid rigid, bool bullet);
/// Whether the body may fall asleep; forbidding it wakes the body.
SN_API sn_status sn_rigid_allow_sleep_set(sn_world *world, sn_rigid rigid, bool allow);
/// The definition that would make this body as it is now; its name is good until the body is removed.
SN_API sn_rigid_def sn_rigid_definition(const sn_world *world, sn_rigid rigid);

/// Whether the body takes part in steps: false for static, sleeping, frozen and resting kinematic ones.
SN_API bool sn_rigid_is_awake(const sn_world *world, sn_rigid rigid);
/// Wakes a body with its island, or puts its island to sleep.
SN_API sn_status sn_rigid_awake_set(sn_world *world, sn_rigid rigid, bool awake);
/// A supported body stands on its contacts and is not moved until something disturbs it
/// (`long_range.support`); false for stale ids.
SN_API bool sn_rigid_is_supported(const sn_world *world, sn_rigid rigid);
/// A frozen body turned non-finite during a step and stands still until sn_rigid_pose_set.
SN_API bool sn_rigid_is_frozen(const sn_world *world, sn_rigid rigid);

/// The user pointer; null after a snapshot was restored.
SN_API void *sn_rigid_user(const sn_world *world, sn_rigid rigid);
/// Changes the user pointer.
SN_API sn_status sn_rigid_user_set(sn_world *world, sn_rigid rigid, void *user);

/// Writes up to `capacity` ids and returns how many there are; in the order they were added.
SN_API int sn_rigid_shapes(const sn_world *world, sn_rigid rigid, sn_shape *out, int capacity);
/// The same for its constraints.
SN_API int sn_rigid_constraints(const sn_world *world, sn_rigid rigid, sn_constraint *out, int capacity);
/// Sum of the contact forces on the body during the last step, those of deformables included, averaged over
/// it [N].
SN_API sn_vec3 sn_rigid_contact_force(const sn_world *world, sn_rigid rigid);
/// The box around all its shapes; empty at the origin without shapes.
SN_API sn_bounds sn_rigid_bounds(const sn_world *world, sn_rigid rigid);

#ifdef __cplusplus
}
#endif
#endif
