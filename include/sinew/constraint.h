/// \file
/// Constraints between two points (point.h): ball, hinge, slider, fixed, distance, axis, and kinds of the
/// user's own. All kinds share `sn_constraint_common`.
///
/// Ball (without limits, motor and spring), distance and custom kinds take any two points; an axis any point
/// as b; else ends need an orientation: places in the world, bodies, frames of three nodes.
/// sn_constraint_place fills both ends from one place in the world where bodies are now.
#ifndef SINEW_CONSTRAINT_H
#define SINEW_CONSTRAINT_H

#include "point.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef enum sn_constraint_kind {
    SN_BALL,
    SN_HINGE,
    SN_SLIDER,
    SN_FIXED,
    SN_DISTANCE,
    SN_CUSTOM,
    SN_AXIS,
    SN_CONSTRAINT_KIND_COUNT
} sn_constraint_kind;

/// What every constraint has.
typedef struct sn_constraint_common {
    uint32_t cookie;          ///< set by the kind's default function; do not touch
    sn_point a, b;            ///< its ends: of different bodies, if of bodies; at least one can move
    float compliance;         ///< of the held directions, 1/stiffness, ≥ 0 [m/N]; default 0, hard
    float angular_compliance; ///< of the held angles, ≥ 0 [rad/(N m)]; default 0, hard
    float damping;            ///< with compliance > 0: ≥ 0 [N s/m]; default 0
    float angular_damping;    ///< with angular_compliance > 0: ≥ 0 [N m s/rad]; default 0
    float max_force;    ///< > 0 [N]: of a ball: it pulls no harder and lets its points part; default infinite
    float break_force;  ///< > 0 [N]; default infinite (never)
    float break_torque; ///< > 0 [N m]; default infinite
    bool collide_connected; ///< whether two bodies it holds may touch, or the nodes that a hard ball holds
                            ///< what it holds them to; default false
    bool active;            ///< default true; see sn_constraint_active_set
    float active_from;      ///< the world's time from which on it holds [s]; default 0
    float active_until;     ///< and until which; > active_from [s]; default infinite
    bool exact;     ///< of balls alone: met to rounding error; needs compliance 0, max_force infinite and
                    ///< neither limits, motor nor spring; default false
    int ramp_steps; ///< of exact ones: 1…1,000,000 steps until it holds fully (self-assembly): step j of
                    ///< n takes away j/n of how far its ends are apart; default 1
    float sliding_friction; ///< of exact ones with a surface: Coulomb's coefficient, 0…1000; default 0
    const char *name;       ///< for messages; copied; null or at most SN_MAX_NAME bytes
    void *user;
} sn_constraint_common;

/// Two points coincide. The x axes of the frames may part by the cone angle; twist is the rotation about x.
/// Motor and spring act on the rotation of b against a.
typedef struct sn_ball_def {
    sn_constraint_common common;
    bool limit_cone;
    float cone_angle; ///< 0…π [rad]; default π
    bool limit_twist;
    float twist_lower, twist_upper; ///< −π ≤ lower ≤ upper ≤ π [rad]; default −π and π
    bool motor;
    sn_vec3 motor_velocity;  ///< angular velocity of b against a, in frame a, at most SN_MAX_SPIN [rad/s]
    float motor_torque;      ///< largest about each axis of frame a, ≥ 0 [N m]; default infinite
    float spring_stiffness;  ///< ≥ 0 [N m/rad]; default 0, none
    float spring_damping;    ///< with spring_stiffness > 0: ≥ 0 [N m s/rad]
    sn_quat spring_rotation; ///< of frame b in frame a where the spring is at rest; default identity, which a
                             ///< zero quaternion stands for too
} sn_ball_def;

/// Points and x axes coincide; free rotation about x. The angle is that of b against a.
typedef struct sn_hinge_def {
    sn_constraint_common common;
    bool limit;
    float lower, upper; ///< −π ≤ lower ≤ upper ≤ π [rad]; default −π and π
    bool motor;
    float motor_speed;      ///< within ± SN_MAX_SPIN [rad/s]
    float motor_torque;     ///< largest, ≥ 0 [N m]; default infinite
    float spring_stiffness; ///< ≥ 0 [N m/rad]; default 0, none
    float spring_damping;   ///< with spring_stiffness > 0: ≥ 0 [N m s/rad]
    float spring_angle;     ///< where the spring is at rest, −π…π [rad]
} sn_hinge_def;

/// Frames keep their orientation and slide along x of frame a. The travel is that of b against a.
typedef struct sn_slider_def {
    sn_constraint_common common;
    bool limit;
    float lower, upper; ///< lower ≤ upper [m]; default −∞ and ∞, no stop
    bool motor;
    float motor_speed;      ///< within ± SN_MAX_SPEED [m/s]
    float motor_force;      ///< largest, ≥ 0 [N]; default infinite
    float spring_stiffness; ///< ≥ 0 [N/m]; default 0, none
    float spring_damping;   ///< with spring_stiffness > 0: ≥ 0 [N s/m]
    float spring_travel;    ///< where the spring is at rest [m]
} sn_slider_def;

/// Frames coincide.
typedef struct sn_fixed_def {
    sn_constraint_common common;
} sn_fixed_def;

/// The distance of the frames' origins. Rope: lower 0; rod: lower = upper; spring: stiffness > 0. The held
/// direction whose compliance `common` gives is that of rope and rod.
typedef struct sn_distance_def {
    sn_constraint_common common;
    float lower, upper;     ///< 0 ≤ lower ≤ upper; upper may be infinite; [m]; default 0 and infinite
    float spring_stiffness; ///< ≥ 0 [N/m]; default 0, none
    float spring_damping;   ///< with spring_stiffness > 0: ≥ 0 [N s/m]
    float spring_length;    ///< ≥ 0 [m]
} sn_distance_def;

/// The origin of b, any point, stays on the x axis of frame a: a bead on a wire. Neither's turning is
/// hindered. The travel is that of b along a.
typedef struct sn_axis_def {
    sn_constraint_common common;
    bool limit;
    float lower, upper; ///< lower ≤ upper [m]; default −∞ and ∞, no stop
    bool motor;
    float motor_speed;      ///< within ± SN_MAX_SPEED [m/s]
    float motor_force;      ///< largest, ≥ 0 [N]; default infinite
    float spring_stiffness; ///< ≥ 0 [N/m]; default 0, none
    float spring_damping;   ///< with spring_stiffness > 0: ≥ 0 [N s/m]
    float spring_travel;    ///< where the spring is at rest [m]
} sn_axis_def;

/// No limits, motor (strength infinite) or spring, hard, between two places in the world (which cannot move:
/// set a or b of `common`, or both with sn_constraint_place).
SN_API sn_ball_def sn_ball_def_default(void);
/// No limit (lower, upper ±π), no motor (strength infinite), no spring, hard.
SN_API sn_hinge_def sn_hinge_def_default(void);
/// No limit (lower, upper infinite), no motor (strength infinite), no spring, hard.
SN_API sn_slider_def sn_slider_def_default(void);
/// Hard, between two places in the world.
SN_API sn_fixed_def sn_fixed_def_default(void);
/// Any distance (0 to infinity), no spring: holds nothing until told what.
SN_API sn_distance_def sn_distance_def_default(void);
/// No limit (lower, upper infinite), no motor (strength infinite), no spring, hard.
SN_API sn_axis_def sn_axis_def_default(void);

/// Sets the ends of `common` to frames of bodies so that the constraint is met where these are now: both at
/// `point`, x along `axis` (for kinds without an axis pass any direction).
SN_API sn_status sn_constraint_place(const sn_world *world, sn_constraint_common *common, sn_rigid a,
                                     sn_rigid b, sn_vec3 point, sn_vec3 axis);
/// The same with two points of the world, for distances: end a at `point_a`, end b at `point_b`.
SN_API sn_status sn_constraint_place_points(const sn_world *world, sn_constraint_common *common, sn_rigid a,
                                            sn_rigid b, sn_vec3 point_a, sn_vec3 point_b);

/// Adds a constraint; what it holds wakes. `constraint` may be null. SN_ERROR_NULL, SN_ERROR_DEFINITION,
/// SN_ERROR_ID, SN_ERROR_SAME_BODY, SN_ERROR_IMMOVABLE, SN_ERROR_NOT_FINITE, SN_ERROR_RANGE (numbers, nodes
/// or weights out of range, exact but compliant or with a largest force, a ramp of what is no ball),
/// SN_ERROR_ROTATION, SN_ERROR_KIND (an end without the orientation that the kind needs, a surface at both
/// ends or of what is not exact, exact but no ball), SN_ERROR_NAME, SN_ERROR_LOCKED, SN_ERROR_MEMORY.
SN_API sn_status sn_ball_add(sn_world *world, const sn_ball_def *def, sn_constraint *constraint);
/// A hinge; errors as for sn_ball_add.
SN_API sn_status sn_hinge_add(sn_world *world, const sn_hinge_def *def, sn_constraint *constraint);
/// A slider; errors as for sn_ball_add.
SN_API sn_status sn_slider_add(sn_world *world, const sn_slider_def *def, sn_constraint *constraint);
/// A fixed joint; errors as for sn_ball_add.
SN_API sn_status sn_fixed_add(sn_world *world, const sn_fixed_def *def, sn_constraint *constraint);
/// A rope, rod or spring; errors as for sn_ball_add.
SN_API sn_status sn_distance_add(sn_world *world, const sn_distance_def *def, sn_constraint *constraint);
/// A point on an axis; errors as for sn_ball_add.
SN_API sn_status sn_axis_add(sn_world *world, const sn_axis_def *def, sn_constraint *constraint);

/// Replaces the definition of a constraint of that kind (SN_ERROR_KIND for another), ends included. Errors as
/// for sn_ball_add.
SN_API sn_status sn_ball_set(sn_world *world, sn_constraint constraint, const sn_ball_def *def);
/// The same for a hinge.
SN_API sn_status sn_hinge_set(sn_world *world, sn_constraint constraint, const sn_hinge_def *def);
/// The same for a slider.
SN_API sn_status sn_slider_set(sn_world *world, sn_constraint constraint, const sn_slider_def *def);
/// The same for a fixed joint.
SN_API sn_status sn_fixed_set(sn_world *world, sn_constraint constraint, const sn_fixed_def *def);
/// The same for a distance.
SN_API sn_status sn_distance_set(sn_world *world, sn_constraint constraint, const sn_distance_def *def);
/// The same for a point on an axis.
SN_API sn_status sn_axis_set(sn_world *world, sn_constraint constraint, const sn_axis_def *def);

/// The definition that would make this constraint as it is now; its name is good as long as that of
/// sn_constraint_name. Zeros, and a message, for a bad id or another kind.
SN_API sn_ball_def sn_ball_definition(const sn_world *world, sn_constraint constraint);
/// The same for a hinge.
SN_API sn_hinge_def sn_hinge_definition(const sn_world *world, sn_constraint constraint);
/// The same for a slider.
SN_API sn_slider_def sn_slider_definition(const sn_world *world, sn_constraint constraint);
/// The same for a fixed joint.
SN_API sn_fixed_def sn_fixed_definition(const sn_world *world, sn_constraint constraint);
/// The same for a distance.
SN_API sn_distance_def sn_distance_definition(const sn_world *world, sn_constraint constraint);
/// The same for a point on an axis.
SN_API sn_axis_def sn_axis_definition(const sn_world *world, sn_constraint constraint);

/// What the definition of a constraint of any kind shares with all others, its ends among it.
SN_API sn_constraint_common sn_constraint_definition(const sn_world *world, sn_constraint constraint);

/// Removes a constraint; what it held wakes and may touch again. SN_ERROR_ID, SN_ERROR_LOCKED.
SN_API sn_status sn_constraint_remove(sn_world *world, sn_constraint constraint);
/// Moves one end (0 for a, 1 for b) to another point: dragging. If the constraint is exact and both are
/// places in the world, the end goes there evenly during the next step. Errors as for sn_ball_add.
SN_API sn_status sn_constraint_point_set(sn_world *world, sn_constraint constraint, int end,
                                         const sn_point *point);
/// Switches a constraint on or off, which need not be a change. If it is one, what it holds wakes; one that
/// is switched on begins its ramp anew and finds its surface wherever that is nearest then. What is off
/// exerts no force, and neither keeps its ends from colliding nor from sleeping one without the other.
/// SN_ERROR_NULL, SN_ERROR_ID, SN_ERROR_LOCKED.
SN_API sn_status sn_constraint_active_set(sn_world *world, sn_constraint constraint, bool active);
/// Whether the id names a constraint that exists; broken ones do not.
SN_API bool sn_constraint_is_valid(const sn_world *world, sn_constraint constraint);
/// Its kind; SN_BALL and a message for a bad id.
SN_API sn_constraint_kind sn_constraint_get_kind(const sn_world *world, sn_constraint constraint);
/// "ball", "hinge", …; "unknown" for a number that is no kind. Never null.
SN_API const char *sn_constraint_kind_name(sn_constraint_kind kind);
/// The name it was given, or ""; never null. Good until the constraint is removed or given another name.
SN_API const char *sn_constraint_name(const sn_world *world, sn_constraint constraint);
/// The user pointer of its definition; null after a snapshot was restored.
SN_API void *sn_constraint_user(const sn_world *world, sn_constraint constraint);
/// The body of its first end: the ground for a place in the world, a zero id for a deformable.
SN_API sn_rigid sn_constraint_body_a(const sn_world *world, sn_constraint constraint);
/// The same of its second end.
SN_API sn_rigid sn_constraint_body_b(const sn_world *world, sn_constraint constraint);

/// How a constraint is held.
typedef enum sn_constraint_hold {
    SN_CONSTRAINT_OFF,          ///< it is switched off, its time has not come or is over, or the id is bad
    SN_CONSTRAINT_ROWS,         ///< by rows, as asked for
    SN_CONSTRAINT_EXACT,        ///< exactly
    SN_CONSTRAINT_ROWS_INSTEAD, ///< by rows although asked to be exact: other exact constraints hold the same
                                ///< nodes or body in a way that cannot be merged; an end on a surface then
                                ///< stays where it is
} sn_constraint_hold;

/// How it would be held if the next step began now.
SN_API sn_constraint_hold sn_constraint_hold_now(const sn_world *world, sn_constraint constraint);
/// Force [N] and torque about its origin [N m] the constraint exerted on end b, averaged over the last step;
/// world axes. End a got the opposite force.
SN_API sn_vec3 sn_constraint_force(const sn_world *world, sn_constraint constraint);
/// The torque that goes with sn_constraint_force [N m].
SN_API sn_vec3 sn_constraint_torque(const sn_world *world, sn_constraint constraint);
/// The largest violation of its hard rows now, [m] or [rad].
SN_API float sn_constraint_error(const sn_world *world, sn_constraint constraint);

/// Angle [rad], travel [m] or distance [m] now; SN_ERROR_KIND (message, value 0) for another kind.
SN_API float sn_hinge_angle(const sn_world *world, sn_constraint constraint);
/// How far b has slid along a [m].
SN_API float sn_slider_travel(const sn_world *world, sn_constraint constraint);
/// The distance of the two points [m].
SN_API float sn_distance_length(const sn_world *world, sn_constraint constraint);
/// Whichever of these its kind has: the angle of a hinge [rad], the travel of a slider or of a point on an
/// axis [m], the length of a distance [m]. SN_ERROR_KIND (message, value 0) for kinds that have none.
SN_API float sn_constraint_coordinate(const sn_world *world, sn_constraint constraint);

// --- tuning ------------------------------------------------------------------------------------------------

/// Each of these changes one property and leaves the rest as it is: impulses, and with them how a stack or a
/// bridge rests, are kept. What the constraint holds wakes. Fields, units and ranges are those of the
/// definitions. SN_ERROR_ID, SN_ERROR_KIND (another kind of constraint, or an end that has not the
/// orientation needed), SN_ERROR_NOT_FINITE, SN_ERROR_RANGE, SN_ERROR_ROTATION, SN_ERROR_LOCKED; nothing has
/// changed then.
SN_API sn_status sn_constraint_compliance_set(sn_world *world, sn_constraint constraint, float compliance,
                                              float damping);
/// The same for the held angles.
SN_API sn_status sn_constraint_angular_compliance_set(sn_world *world, sn_constraint constraint,
                                                      float compliance, float damping);
/// Beyond which force and torque it breaks.
SN_API sn_status sn_constraint_break_set(sn_world *world, sn_constraint constraint, float force,
                                         float torque);
/// The largest force it exerts.
SN_API sn_status sn_constraint_max_force_set(sn_world *world, sn_constraint constraint, float force);
/// How far the axes of a ball may part.
SN_API sn_status sn_ball_cone_set(sn_world *world, sn_constraint constraint, bool on, float angle);
/// How far a ball may twist.
SN_API sn_status sn_ball_twist_set(sn_world *world, sn_constraint constraint, bool on, float lower,
                                   float upper);
/// Turns a ball's motor on or off or changes its velocity.
SN_API sn_status sn_ball_motor_set(sn_world *world, sn_constraint constraint, bool on, sn_vec3 velocity,
                                   float torque);
/// A ball's spring; stiffness 0 for none.
SN_API sn_status sn_ball_spring_set(sn_world *world, sn_constraint constraint, float stiffness, float damping,
                                    sn_quat rotation);
/// How far a hinge may turn.
SN_API sn_status sn_hinge_limit_set(sn_world *world, sn_constraint constraint, bool on, float lower,
                                    float upper);
/// Turns a hinge's motor on or off or changes its speed.
SN_API sn_status sn_hinge_motor_set(sn_world *world, sn_constraint constraint, bool on, float speed,
                                    float torque);
/// A hinge's spring; stiffness 0 for none.
SN_API sn_status sn_hinge_spring_set(sn_world *world, sn_constraint constraint, float stiffness,
                                     float damping, float angle);
/// How far a slider may travel.
SN_API sn_status sn_slider_limit_set(sn_world *world, sn_constraint constraint, bool on, float lower,
                                     float upper);
/// Turns a slider's motor on or off or changes its speed.
SN_API sn_status sn_slider_motor_set(sn_world *world, sn_constraint constraint, bool on, float speed,
                                     float force);
/// A slider's spring; stiffness 0 for none.
SN_API sn_status sn_slider_spring_set(sn_world *world, sn_constraint constraint, float stiffness,
                                      float damping, float travel);
/// The shortest and the longest distance: a rope that is let out or hauled in.
SN_API sn_status sn_distance_limits_set(sn_world *world, sn_constraint constraint, float lower, float upper);
/// A distance's spring; stiffness 0 for none.
SN_API sn_status sn_distance_spring_set(sn_world *world, sn_constraint constraint, float stiffness,
                                        float damping, float length);

// --- all kinds alike, for bindings, editors and file formats ----------------------------------------------

typedef enum sn_constraint_field_type {
    SN_CONSTRAINT_FIELD_BOOL,  ///< bool, false by default
    SN_CONSTRAINT_FIELD_FLOAT, ///< float
    SN_CONSTRAINT_FIELD_VEC3,  ///< sn_vec3 with each coordinate in the range, zero by default
    SN_CONSTRAINT_FIELD_QUAT   ///< sn_quat of unit length, identity by default
} sn_constraint_field_type;

/// A field of a kind's definition besides `common`.
typedef struct sn_constraint_field {
    sn_constraint_field_type type;
    const char *name;   ///< that of the definition's member
    size_t offset;      ///< in the definition
    const char *group;  ///< what it is a part of ("limits", "motor", "spring"), or null. The first field of a
                        ///< group says whether there is such a thing: a bool, or a number above 0.
    const char *text;   ///< what it means, in a few words
    const char *unit;   ///< null for none
    float lower, upper; ///< the range allowed
    float initial;      ///< of a float: what the default function sets
    float infinite;     ///< the infinite value allowed beyond the range: INFINITY, −INFINITY, or 0 for none
    bool ordered;       ///< must not be above the next field
} sn_constraint_field;

#define SN_MAX_CONSTRAINT_DEF    512 ///< bytes of any kind's definition at most
#define SN_MAX_CONSTRAINT_FIELDS 32  ///< fields of any kind at most

/// The fields of a kind besides `common`, in the order of its definition: how many, and (unless `fields` is
/// null) where. None for custom kinds and for a number that is no kind.
SN_API int sn_constraint_kind_fields(sn_constraint_kind kind, const sn_constraint_field **fields);
/// What a kind holds, a sentence; "" for a number that is no kind.
SN_API const char *sn_constraint_kind_text(sn_constraint_kind kind);
/// Bytes of a kind's definition; 0 for a number that is no kind.
SN_API size_t sn_constraint_kind_size(sn_constraint_kind kind);
/// Whether an end (0 for a, 1 for b) of a constraint defined so must have an orientation.
SN_API bool sn_constraint_needs_frame(sn_constraint_kind kind, const void *def, int end);
/// Fills a definition of sn_constraint_kind_size bytes as the kind's default function does. SN_ERROR_NULL,
/// SN_ERROR_KIND for a number that is no kind.
SN_API sn_status sn_constraint_def_default(sn_constraint_kind kind, void *def);
/// Adds a constraint by the definition of its kind, as sn_ball_add or sn_custom_add; SN_ERROR_KIND for a
/// number that is no kind.
SN_API sn_status sn_constraint_add(sn_world *world, sn_constraint_kind kind, const void *def,
                                   sn_constraint *constraint);
/// Replaces a definition by another of the same kind, as sn_ball_set; SN_ERROR_KIND for custom kinds.
SN_API sn_status sn_constraint_def_set(sn_world *world, sn_constraint constraint, const void *def);
/// Copies the definition, sn_constraint_kind_size bytes of its kind, as sn_ball_definition gives it.
/// SN_ERROR_NULL, SN_ERROR_ID, SN_ERROR_KIND for custom kinds; `def` is untouched then.
SN_API sn_status sn_constraint_def_get(const sn_world *world, sn_constraint constraint, void *def);

// --- rows and kinds of one's own ---------------------------------------------------------------------------

/// How a row is to be read.
typedef enum sn_row_type {
    SN_ROW_EQUAL, ///< C = 0
    SN_ROW_ABOVE, ///< C ≥ 0, the force only pushes C up (limits, contacts)
    SN_ROW_SPEED  ///< dC/dt = target_speed within the force limits (motors, friction); C is ignored
} sn_row_type;

/// One scalar constraint function C of two ends: its value, its gradient, and its force law.
/// dC/dt = Σ linear[k]·v_k + angular[k]·ω_k, with v the velocity of `center` and world ω. Rows SN_ROW_EQUAL
/// without limits, up to six, are solved together; others one by one after them.
typedef struct sn_row {
    sn_row_type type;
    float value;        ///< C [m or rad]
    float target_speed; ///< for SN_ROW_SPEED
    float compliance;   ///< 1/stiffness; 0 is hard
    float damping;      ///< with compliance > 0
    float lower, upper; ///< limits of the force λ [N or N m]; infinite for none
    sn_vec3 linear[2], angular[2];
} sn_row;

#define SN_MAX_ROWS         12
#define SN_MAX_CUSTOM_DATA  128
#define SN_MAX_CUSTOM_KINDS 64

/// What a kind's function sees of the two ends, all in the world.
typedef struct sn_row_input {
    sn_pose frame[2];
    sn_vec3 center[2]; ///< mass centre of the body; of nodes, what moves with velocity v of the row
    sn_vec3 arm[2];    ///< frame origin − center
    bool turns[2];     ///< false of a sum of nodes: it has no rotation, `angular` of the row does not count
} sn_row_input;

/// A kind's heart: a pure function of positions. Writes at most SN_MAX_ROWS rows, in the same order each
/// time, all fields (rows arrive zeroed with infinite limits), and returns their number. It may be called
/// from any thread, many times per step, and must not touch the world.
typedef int (*sn_row_function)(const sn_row_input *input, const void *data, sn_row *rows);

/// Registers a kind under a name unique in this world, so that snapshots can refer to it. `data_size` is at
/// most SN_MAX_CUSTOM_DATA bytes of plain values.
SN_API sn_status sn_custom_register(sn_world *world, const char *kind_name, sn_row_function function,
                                    int data_size);

typedef struct sn_custom_def {
    sn_constraint_common common;
    const char *kind_name; ///< registered before
    const void *data;      ///< data_size bytes, copied
} sn_custom_def;

/// No kind, no data, between two places in the world.
SN_API sn_custom_def sn_custom_def_default(void);
/// Adds a constraint of a registered kind. As sn_ball_add, and SN_ERROR_NAME for an unknown kind_name.
SN_API sn_status sn_custom_add(sn_world *world, const sn_custom_def *def, sn_constraint *constraint);
/// Replaces the data of a custom constraint.
SN_API sn_status sn_custom_data_set(sn_world *world, sn_constraint constraint, const void *data);

#ifdef __cplusplus
}
#endif
#endif
