/// \file
/// Deformable bodies: nodes with mass, held in shape by a model, limited by inextensible edges, bending and
/// volume, colliding by their surface. Volumes (tetrahedra), sheets (triangles) and strands (edges) are all
/// made from an sn_mesh. Every function that takes an id gives SN_ERROR_ID for a zero, stale or foreign one.
#ifndef SINEW_DEFORMABLE_H
#define SINEW_DEFORMABLE_H

#include "base.h"
#include "math.h"
#include "mesh.h"
#include "shape.h"

#ifdef __cplusplus
extern "C" {
#endif

/// The paradigm that gives a deformable its shape. Make one with the functions below.
typedef enum sn_model_type {
    SN_MODEL_NONE,                  ///< nothing but the limits: cloth and ropes that do not stretch
    SN_MODEL_SPRINGS,               ///< a spring and damper along every edge, inside the solver (soft rows)
    SN_MODEL_SPRING_FORCES,         ///< the same as explicit forces, sub-stepped on their own
    SN_MODEL_COROTATIONAL,          ///< linear finite elements that turn along, six rows a tetrahedron
    SN_MODEL_COROTATIONAL_EXPLICIT, ///< the same as explicit forces
    SN_MODEL_COROTATIONAL_IMPLICIT, ///< the same by implicit Euler and conjugate gradients
    SN_MODEL_NEO_HOOKEAN,           ///< hyperelastic rows, two a tetrahedron
    SN_MODEL_POSITION_BASED,        ///< edges and volumes projected, then turned into velocities
    SN_MODEL_SHAPE_MATCHING,        ///< the best fitting rest shape, rigid to quadratic, whole or in clusters
    SN_MODEL_ENERGY,                ///< distance, area and volume energies (Teschner 2004), explicit forces
    SN_MODEL_COUNT
} sn_model_type;

/// How shape matching may deform the rest shape it fits.
typedef enum sn_matching { SN_MATCH_RIGID, SN_MATCH_LINEAR, SN_MATCH_QUADRATIC } sn_matching;

/// Parameters of a model; those of other models are ignored, and zero in the definition that is told.
typedef struct sn_model {
    sn_model_type type;
    float stiffness; ///< springs: > 0 [N/m]; position-based and shape matching: 0…1 a step of 1/60 s
    float damping;   ///< springs: ≥ 0 [N s/m]; elements: Rayleigh's b, ≥ 0 [s]; shape matching: 0…1
    float young;     ///< elements: > 0 [Pa]
    float poisson;   ///< elements: 0…0.499
    float area_stiffness, volume_stiffness; ///< energies: ≥ 0 [N m]; position-based: 0…1
    sn_matching matching;
    float matching_share; ///< 0…1: how much of the linear or quadratic fit is taken
    int cluster_rings;    ///< shape matching: clusters of this many rings around every node; 0: one whole
} sn_model;

/// No inner force.
SN_API sn_model sn_model_none(void);
/// Springs along all edges [N/m], [N s/m].
SN_API sn_model sn_model_springs(float stiffness, float damping);
/// Corotational finite elements: Young's modulus [Pa], Poisson's ratio.
SN_API sn_model sn_model_corotational(float young, float poisson);
/// Neo-Hookean elements.
SN_API sn_model sn_model_neo_hookean(float young, float poisson);
/// Position-based: how much of the error of edges and volumes a step of 1/60 s takes away, 0…1.
SN_API sn_model sn_model_position_based(float stiffness, float volume_stiffness);
/// Shape matching: how much of the way to the fitted shape a step of 1/60 s goes, 0…1.
SN_API sn_model sn_model_shape_matching(float stiffness, sn_matching matching, float share);

/// How a deformable whose model is made of forces goes through time: spring forces, explicit elements,
/// energies, or no model at all. Other models take the default. Orders are of positions and velocities for
/// smooth forces; a step here is a sub-step of the world (docs/integrators.md). Where forces are too stiff
/// for one of the others, a sub-step is one of implicit Euler.
typedef enum sn_integrator {
    SN_INTEGRATOR_EULER_CROMER,   ///< default: first order, stable however stiff (see src/model/explicit.h)
    SN_INTEGRATOR_EXPLICIT_EULER, ///< first order, damped so that it gains no energy: for comparison
    SN_INTEGRATOR_MIDPOINT,       ///< second order, two evaluations of forces
    SN_INTEGRATOR_HEUN,           ///< second order (RK2), two evaluations
    SN_INTEGRATOR_VERLET,         ///< second order, one evaluation, keeps energy
    SN_INTEGRATOR_IMPLICIT_EULER, ///< first order, stable however stiff, damps; conjugate gradients
    SN_INTEGRATOR_COUNT
} sn_integrator;

/// Which way a length is held.
typedef enum sn_limit_side {
    SN_HOLD_BOTH,       ///< neither longer nor shorter
    SN_HOLD_STRETCH,    ///< not longer: cloth, ropes
    SN_HOLD_COMPRESSION ///< not shorter
} sn_limit_side;

/// Edges that keep their length. Woven cloth does so along its threads and gives way across them: diagonals
/// of cells may be springs instead. A diagonal is the long side of two triangles with right angles (within
/// 15°), or an edge that crosses such a one.
typedef struct sn_inextensible {
    bool on;               ///< default false
    sn_limit_side side;    ///< default SN_HOLD_BOTH
    float compliance;      ///< ≥ 0 [m/N]; default 0, hard
    float damping;         ///< with compliance > 0: ≥ 0 [N s/m]
    float max_force;       ///< > 0 [N]; default infinite
    float shear_stiffness; ///< of diagonals, ≥ 0 [N/m]; default 0: they are held as the others are
    float shear_damping;   ///< with shear_stiffness > 0: ≥ 0 [N s/m]
} sn_inextensible;

/// Off; see the fields.
SN_API sn_inextensible sn_inextensible_default(void);

/// Holds one edge in a way of its own, whatever holds the others. Fields as of sn_inextensible.
typedef struct sn_edge_option {
    int edge; ///< number in sn_mesh_edges; of several options for one edge the last counts
    sn_limit_side side;
    float compliance, damping, max_force;
} sn_edge_option;

/// Edge 0, held both ways, hard, whatever the force.
SN_API sn_edge_option sn_edge_option_default(void);

/// How a sheet or strand resists bending.
typedef enum sn_bending_type {
    SN_BENDING_NONE,
    SN_BENDING_DIAGONAL, ///< Vezzaro's: the product of the two triangles' heights
    SN_BENDING_DIHEDRAL, ///< the angle between two triangles
    SN_BENDING_ISOMETRIC ///< the quadratic energy of nearly inextensible sheets
} sn_bending_type;

typedef struct sn_bending {
    sn_bending_type type; ///< default SN_BENDING_NONE
    float stiffness;      ///< flexural rigidity, ≥ 0 [N m]; 0 with a diagonal or dihedral: hard
    float damping;        ///< ≥ 0, as a time by which the stiffness is multiplied [s]
    float max_impulse;    ///< > 0; of hard ones; default infinite
} sn_bending;

/// None; see the fields.
SN_API sn_bending sn_bending_default(void);

/// Enclosed volume of a closed surface. Inextensible edges bear only so much pressure inside as sub-steps can
/// resolve; there is no more than that (see docs/limitations.md).
typedef struct sn_enclosure {
    bool preserve;    ///< the volume stays what it was at rest, times `scale`; default false
    float scale;      ///< > 0; default 1
    float compliance; ///< ≥ 0 [m³/Pa]; default 0, hard
    float pressure;   ///< constant over-pressure instead, any sign [Pa]; default 0
} sn_enclosure;

/// Nothing is kept, no pressure; see the fields.
SN_API sn_enclosure sn_enclosure_default(void);

typedef struct sn_deformable_def {
    uint32_t cookie;                           ///< set by sn_deformable_def_default; do not touch
    const sn_mesh *mesh;                       ///< kept, not copied
    sn_pose pose;                              ///< of the mesh's frame
    float scale;                               ///< of the mesh, > 0; default 1
    sn_vec3 linear_velocity, angular_velocity; ///< of the whole, about the mesh's origin [m/s], [rad/s]
    float density;            ///< > 0; volumes kg/m³ (default 1000), sheets kg/m² , strands kg/m
    float mass;               ///< > 0: of the whole, instead of the density [kg]; default 0
    const float *node_masses; ///< instead of both: one a node, > 0, or 0 for a fixed one [kg]; default null
    sn_model model;           ///< default none
    sn_integrator integrator; ///< of models made of forces; default SN_INTEGRATOR_EULER_CROMER
    sn_inextensible inextensible;
    const sn_edge_option *edge_options; ///< for single edges, copied; default null
    int edge_option_count;              ///< 0…1,000,000
    sn_bending bending;
    sn_enclosure enclosure;
    /// Of the surface, half of it on either side, > 0 [m]. Default 0: 0.01, but no more than a third of an
    /// edge (the shortest of each face, on average).
    float thickness;
    float friction, restitution; ///< as of shapes; default 0.5 and 0
    sn_filter filter;            ///< as of shapes
    bool collide;                ///< with shapes and other deformables; default true
    bool self_collide;           ///< with itself; default false
    float linear_damping;        ///< 0…1000 [1/s]; default 0
    float gravity_scale;         ///< −1000…1000; default 1
    float drag; ///< 0…1000: coefficient C of the air's push along the wind, ½ρCAv², ρ = 1.2 kg/m³; default 0
    float lift;       ///< 0…1000: the same across the wind, on triangles; default 0
    bool allow_sleep; ///< default true
    const char *name; ///< for messages; copied; null or at most SN_MAX_NAME bytes
    void *user;
} sn_deformable_def;

/// No mesh yet; see the fields.
SN_API sn_deformable_def sn_deformable_def_default(void);

/// Adds a deformable. `deformable` may be null. SN_ERROR_NULL, SN_ERROR_DEFINITION, SN_ERROR_NOT_FINITE,
/// SN_ERROR_RANGE, SN_ERROR_ROTATION, SN_ERROR_NAME, SN_ERROR_LOCKED, SN_ERROR_MEMORY; SN_ERROR_KIND if the
/// mesh lacks what the model, the bending or the enclosure needs, or if the model takes no such integrator.
SN_API sn_status sn_deformable_add(sn_world *world, const sn_deformable_def *def, sn_deformable *deformable);
/// Removes a deformable with its contacts and anchors; what it touched wakes.
SN_API sn_status sn_deformable_remove(sn_world *world, sn_deformable deformable);
/// Whether the id names a deformable that exists.
SN_API bool sn_deformable_is_valid(const sn_world *world, sn_deformable deformable);
/// Its mesh; null for a bad id.
SN_API const sn_mesh *sn_deformable_mesh(const sn_world *world, sn_deformable deformable);
/// The name it was given, or ""; never null.
SN_API const char *sn_deformable_name(const sn_world *world, sn_deformable deformable);
/// The user pointer; null after a snapshot was restored.
SN_API void *sn_deformable_user(const sn_world *world, sn_deformable deformable);
/// The definition it was made with, and what was changed since by the functions below; `node_masses` is null,
/// name and `edge_options` are good until it is removed. Zeros for a bad id.
SN_API sn_deformable_def sn_deformable_definition(const sn_world *world, sn_deformable deformable);

// --- changes while running ---------------------------------------------------------------------------------
// What is given is in force from the next step on, as if the deformable had been defined so; impulses of the
// last step are kept. It wakes, with all that fell asleep with it. Ranges are those of the definition:
// SN_ERROR_RANGE, SN_ERROR_NOT_FINITE; SN_ERROR_LOCKED inside a step. A call that fails changes nothing.

/// Of its model: springs > 0 [N/m]; energies ≥ 0 [N m]; position-based and shape matching 0…1. SN_ERROR_KIND
/// if the model has no such number, as for all that follow up to the share of matching.
SN_API sn_status sn_deformable_stiffness_set(sn_world *world, sn_deformable deformable, float stiffness);
/// Of its model, which all have but SN_MODEL_NONE: springs [N s/m], elements [s], energies [N m s], others
/// 0…1.
SN_API sn_status sn_deformable_damping_set(sn_world *world, sn_deformable deformable, float damping);
/// Young's modulus of elements, > 0 [Pa].
SN_API sn_status sn_deformable_young_set(sn_world *world, sn_deformable deformable, float young);
/// Poisson's ratio of elements, 0…0.499.
SN_API sn_status sn_deformable_poisson_set(sn_world *world, sn_deformable deformable, float poisson);
/// Of energies, ≥ 0 [N m].
SN_API sn_status sn_deformable_area_stiffness_set(sn_world *world, sn_deformable deformable, float stiffness);
/// Of energies, ≥ 0 [N m]; position-based 0…1.
SN_API sn_status sn_deformable_volume_stiffness_set(sn_world *world, sn_deformable deformable,
                                                    float stiffness);
/// How much of the linear or quadratic fit shape matching takes, 0…1.
SN_API sn_status sn_deformable_matching_share_set(sn_world *world, sn_deformable deformable, float share);

/// How all edges are held, but those with an option of their own. Memory is needed only if rows come or go:
/// SN_ERROR_MEMORY.
SN_API sn_status sn_deformable_inextensible_set(sn_world *world, sn_deformable deformable,
                                                sn_inextensible inextensible);
/// How it resists bending. Memory is needed only for another type, and between hard and soft.
SN_API sn_status sn_deformable_bending_set(sn_world *world, sn_deformable deformable, sn_bending bending);
/// Its volume at rest, and the pressure inside. Memory is needed only if there was no enclosure.
/// SN_ERROR_KIND if the mesh is not closed.
SN_API sn_status sn_deformable_enclosure_set(sn_world *world, sn_deformable deformable,
                                             sn_enclosure enclosure);
/// 0…1000. Memory is needed only if it had neither drag nor lift.
SN_API sn_status sn_deformable_drag_set(sn_world *world, sn_deformable deformable, float drag);
/// The same for the push across the wind.
SN_API sn_status sn_deformable_lift_set(sn_world *world, sn_deformable deformable, float lift);

/// > 0 [m].
SN_API sn_status sn_deformable_thickness_set(sn_world *world, sn_deformable deformable, float thickness);
/// 0…100.
SN_API sn_status sn_deformable_friction_set(sn_world *world, sn_deformable deformable, float friction);
/// 0…1.
SN_API sn_status sn_deformable_restitution_set(sn_world *world, sn_deformable deformable, float restitution);
/// Contacts made under the old filter end with the next step.
SN_API sn_status sn_deformable_filter_set(sn_world *world, sn_deformable deformable, sn_filter filter);
/// 0…1000 [1/s].
SN_API sn_status sn_deformable_linear_damping_set(sn_world *world, sn_deformable deformable, float damping);
/// −1000…1000.
SN_API sn_status sn_deformable_gravity_scale_set(sn_world *world, sn_deformable deformable, float scale);
/// Whether it may fall asleep; forbidding it wakes it, allowing does not.
SN_API sn_status sn_deformable_allow_sleep_set(sn_world *world, sn_deformable deformable, bool allow);
/// Changes the user pointer; wakes nothing.
SN_API sn_status sn_deformable_user_set(sn_world *world, sn_deformable deformable, void *user);

// --- nodes -------------------------------------------------------------------------------------------------

/// Position and inverse mass of a node, as the solver holds them.
typedef struct sn_node_state {
    sn_vec3 position;   ///< [m]
    float inverse_mass; ///< [1/kg]; 0 for a fixed or kinematic node
} sn_node_state;

/// Velocity of a node, as the solver holds it.
typedef struct sn_node_velocity {
    sn_vec3 velocity; ///< [m/s]
    float unused;     ///< keep 0
} sn_node_velocity;

/// Number of nodes; 0 for a bad id.
SN_API int sn_deformable_node_count(const sn_world *world, sn_deformable deformable);
/// The nodes themselves, without a copy: valid until a deformable is added or removed. Null for a bad id.
SN_API const sn_node_state *sn_deformable_nodes(const sn_world *world, sn_deformable deformable);
/// Their velocities.
SN_API const sn_node_velocity *sn_deformable_velocities(const sn_world *world, sn_deformable deformable);
/// The nodes to be written: positions and velocities may be changed until the next step, inverse masses not
/// (they are put right). Wakes. What is not finite, or beyond 1e9 m or m/s, freezes its node when the step
/// begins: there, or where its mesh was placed if it is nowhere. SN_ERROR_ID, SN_ERROR_LOCKED, SN_ERROR_NULL.
SN_API sn_status sn_deformable_edit(sn_world *world, sn_deformable deformable, sn_node_state **nodes,
                                    sn_node_velocity **velocities);
/// Fixes a node where it is, or lets go of it: it gets its mass back, and is frozen no more. SN_ERROR_RANGE
/// for a node that does not exist, and for letting go of one without mass of its own.
SN_API sn_status sn_node_fix(sn_world *world, sn_deformable deformable, int node, bool fixed);
/// Where a fixed node shall be at the end of the next step; it moves there evenly. Where the world's guard
/// finds no room for that it gets there later. SN_ERROR_KIND for a free or a frozen node.
SN_API sn_status sn_node_target_set(sn_world *world, sn_deformable deformable, int node, sn_vec3 target);
/// A force on a node during the next step [N].
SN_API sn_status sn_node_force_add(sn_world *world, sn_deformable deformable, int node, sn_vec3 force);

/// A frozen node turned non-finite during a step, or was written so, and stands still until sn_node_fix.
SN_API bool sn_node_is_frozen(const sn_world *world, sn_deformable deformable, int node);
/// How many nodes of a deformable are frozen; 0 for a bad id.
SN_API int sn_deformable_frozen_count(const sn_world *world, sn_deformable deformable);

/// Whether it takes part in steps; false for a sleeping one and for a bad id.
SN_API bool sn_deformable_is_awake(const sn_world *world, sn_deformable deformable);
/// Wakes it, or puts it to sleep together with everything it touches or is anchored to. SN_ERROR_ID,
/// SN_ERROR_LOCKED, SN_ERROR_MEMORY.
SN_API sn_status sn_deformable_awake_set(sn_world *world, sn_deformable deformable, bool awake);

// --- measures ----------------------------------------------------------------------------------------------

/// How a deformable is now.
typedef struct sn_deformable_measure {
    float mass;                          ///< [kg], fixed nodes included
    sn_vec3 center;                      ///< mass centre [m]
    sn_vec3 velocity;                    ///< of the mass centre [m/s]
    float volume;                        ///< of its tetrahedra, or enclosed [m³]
    float rest_volume;                   ///< [m³]
    float area;                          ///< of its triangles [m²]
    float largest_stretch, mean_stretch; ///< |length/rest − 1| of hard edges, or of all if none is hard
    float largest_strain;                ///< of elements, as of sn_deformable_strains, in size
    float elastic_energy;                ///< of models that have one, as stiff as steps resolve them [J]
    sn_bounds bounds;                    ///< of the nodes
} sn_deformable_measure;

/// Measured anew at each call. Zeros for a bad id.
SN_API sn_deformable_measure sn_deformable_measure_now(const sn_world *world, sn_deformable deformable);

/// How one element is deformed.
typedef struct sn_element_strain {
    float principal; ///< the principal strain (stretch − 1) of largest size: > 0 pulled, < 0 pressed; a
                     ///< tetrahedron inside out has one below −1
    float growth;    ///< of volume, area or length over that at rest, − 1
    float von_mises; ///< stress of finite elements, per area at rest [Pa]; 0 of other models
} sn_element_strain;

/// How deformed its elements are now, in the order of the mesh: tetrahedra, without them triangles, without
/// those edges. Writes up to `capacity` (null `out` with 0 to count) and returns how many there are; 0 for a
/// bad id.
SN_API int sn_deformable_strains(const sn_world *world, sn_deformable deformable, sn_element_strain *out,
                                 int capacity);

// --- contacts ----------------------------------------------------------------------------------------------

/// One point where a deformable touches a rigid body, another deformable or itself, or is about to.
typedef struct sn_soft_contact {
    sn_shape shape;       ///< on the other side; null if that is a deformable
    sn_rigid rigid;       ///< its body
    sn_deformable other;  ///< the deformable on the other side; null if that is a shape
    sn_vec3 position;     ///< of the point, on the asked deformable's nodes [m]
    sn_vec3 normal;       ///< from the other side to the asked deformable
    float separation;     ///< of the surfaces, half the thickness taken off; negative when penetrating [m]
    float normal_impulse; ///< over the last step, ≥ 0 [N s]
    sn_vec3 friction_impulse; ///< over the last step, on the asked deformable [N s]
    int node_count;           ///< 1…4
    int nodes[4];     ///< numbers of the asked deformable where weights are positive, of the other one where
                      ///< they are negative
    float weights[4]; ///< positive ones sum to 1; impulses act on nodes in these proportions
} sn_soft_contact;

/// Contacts of a deformable in the last step, up to `capacity`; returns how many there are, in an order that
/// does not depend on threads. Those with what was removed since are left out. 0 for a bad id.
SN_API int sn_deformable_contacts(const sn_world *world, sn_deformable deformable, sn_soft_contact *out,
                                  int capacity);

/// Writes up to `capacity` ids (null `out` with 0 to count) and returns how many there are, in index order.
SN_API int sn_world_deformables(const sn_world *world, sn_deformable *out, int capacity);

#ifdef __cplusplus
}
#endif
#endif
