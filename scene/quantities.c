// The values of probes, each from what the world tells.
#include "scene/quantities.h"

#include "scene/fields.h"

#include <math.h>
#include <string.h>

// The parts of a vector, a function each: NAME_x, NAME_y, NAME_z.
#define PART_OF_VECTOR(NAME, PART, VECTOR)                                                                   \
    static double NAME##_##PART(const sn_world *world, const sn_probe_record *p)                             \
    {                                                                                                        \
        return (double)(VECTOR).PART;                                                                        \
    }
#define PARTS_OF_VECTOR(NAME, VECTOR)                                                                        \
    PART_OF_VECTOR(NAME, x, VECTOR)                                                                          \
    PART_OF_VECTOR(NAME, y, VECTOR)                                                                          \
    PART_OF_VECTOR(NAME, z, VECTOR)

// --- the world, bodies and joints --------------------------------------------------------------------------

static double length3(const double v[3])
{
    return sqrt(v[0] * v[0] + v[1] * v[1] + v[2] * v[2]);
}

static double kinetic_energy(const sn_world *world, const sn_probe_record *p)
{
    (void)p;
    return sn_world_energy(world).kinetic;
}
static double potential_energy(const sn_world *world, const sn_probe_record *p)
{
    (void)p;
    return sn_world_energy(world).potential;
}
static double total_energy(const sn_world *world, const sn_probe_record *p)
{
    (void)p;
    sn_energy energy = sn_world_energy(world);
    return energy.kinetic + energy.potential;
}
static double momentum(const sn_world *world, const sn_probe_record *p)
{
    (void)p;
    return length3(sn_world_energy(world).momentum);
}
static double angular_momentum(const sn_world *world, const sn_probe_record *p)
{
    (void)p;
    return length3(sn_world_energy(world).angular_momentum);
}
static double contact_count(const sn_world *world, const sn_probe_record *p)
{
    (void)p;
    return sn_world_statistics(world).contact_count;
}
static double awake_count(const sn_world *world, const sn_probe_record *p)
{
    (void)p;
    return sn_world_statistics(world).awake_count;
}
static double exact_count(const sn_world *world, const sn_probe_record *p)
{
    (void)p;
    return sn_world_statistics(world).exact_count;
}
static double exact_error(const sn_world *world, const sn_probe_record *p)
{
    (void)p;
    return (double)sn_world_statistics(world).exact_error;
}
PARTS_OF_VECTOR(position, sn_rigid_position(world, p->rigid))
PARTS_OF_VECTOR(velocity, sn_rigid_linear_velocity(world, p->rigid))
static double speed(const sn_world *world, const sn_probe_record *p)
{
    return (double)sn_length(sn_rigid_linear_velocity(world, p->rigid));
}
PARTS_OF_VECTOR(spin, sn_rigid_angular_velocity(world, p->rigid))
static double spin(const sn_world *world, const sn_probe_record *p)
{
    return (double)sn_length(sn_rigid_angular_velocity(world, p->rigid));
}
static double tilt(const sn_world *world, const sn_probe_record *p)
{
    sn_vec3 gravity = sn_world_gravity(world);
    sn_vec3 up = sn_length(gravity) > 0.0f ? sn_normalize(sn_neg(gravity)) : sn_v(0.0f, 1.0f, 0.0f);
    return (double)sn_acos(sn_dot(sn_rotate(sn_rigid_rotation(world, p->rigid), up), up)) / SN_DEGREE;
}
// Of rigid bodies and deformables that touch it.
PARTS_OF_VECTOR(contact_force, sn_rigid_contact_force(world, p->rigid))
static double contact_force(const sn_world *world, const sn_probe_record *p)
{
    return (double)sn_length(sn_rigid_contact_force(world, p->rigid));
}
static double joint_error(const sn_world *world, const sn_probe_record *p)
{
    return (double)sn_constraint_error(world, p->constraint);
}
static double joint_force(const sn_world *world, const sn_probe_record *p)
{
    return (double)sn_length(sn_constraint_force(world, p->constraint));
}
static double joint_torque(const sn_world *world, const sn_probe_record *p)
{
    return (double)sn_length(sn_constraint_torque(world, p->constraint));
}
// The direction that a hinge turns about or a slider slides along: x of its frame on a.
static sn_vec3 joint_axis(const sn_world *world, const sn_probe_record *p)
{
    sn_constraint_common common = sn_constraint_definition(world, p->constraint);
    sn_quat rotation = common.a.rotation;
    bool is_none = rotation.x == 0.0f && rotation.y == 0.0f && rotation.z == 0.0f && rotation.w == 0.0f;
    rotation = is_none ? sn_quat_identity : rotation;
    if (common.a.type == SN_POINT_RIGID) {
        rotation = sn_quat_multiply(sn_rigid_rotation(world, common.a.rigid), rotation);
    }
    return sn_rotate(rotation, sn_v(1.0f, 0.0f, 0.0f));
}
// What holds the axes together exerts nothing about or along them: what is left is motor, spring and limits.
static double motor_torque(const sn_world *world, const sn_probe_record *p)
{
    return (double)sn_dot(sn_constraint_torque(world, p->constraint), joint_axis(world, p));
}
static double motor_force(const sn_world *world, const sn_probe_record *p)
{
    return (double)sn_dot(sn_constraint_force(world, p->constraint), joint_axis(world, p));
}
// Angle, travel or distance, whichever the kind has.
static double joint_angle(const sn_world *world, const sn_probe_record *p)
{
    return (double)sn_hinge_angle(world, p->constraint) / SN_DEGREE;
}
static double joint_travel(const sn_world *world, const sn_probe_record *p)
{
    return (double)sn_constraint_coordinate(world, p->constraint);
}
static double joint_length(const sn_world *world, const sn_probe_record *p)
{
    return (double)sn_distance_length(world, p->constraint);
}

// --- deformables -------------------------------------------------------------------------------------------

static sn_deformable_measure measure(const sn_world *world, const sn_probe_record *p)
{
    return sn_deformable_measure_now(world, p->deformable);
}

PARTS_OF_VECTOR(soft, measure(world, p).center)
PARTS_OF_VECTOR(soft_velocity, measure(world, p).velocity)
static double soft_speed(const sn_world *world, const sn_probe_record *p)
{
    return (double)sn_length(measure(world, p).velocity);
}
static double volume(const sn_world *world, const sn_probe_record *p)
{
    return (double)measure(world, p).volume;
}
static double area(const sn_world *world, const sn_probe_record *p)
{
    return (double)measure(world, p).area;
}
static double largest_stretch(const sn_world *world, const sn_probe_record *p)
{
    return (double)measure(world, p).largest_stretch;
}
static double mean_stretch(const sn_world *world, const sn_probe_record *p)
{
    return (double)measure(world, p).mean_stretch;
}
static double largest_strain(const sn_world *world, const sn_probe_record *p)
{
    return (double)measure(world, p).largest_strain;
}
static double soft_energy(const sn_world *world, const sn_probe_record *p)
{
    return (double)measure(world, p).elastic_energy;
}
static double volume_change(const sn_world *world, const sn_probe_record *p)
{
    sn_deformable_measure now = measure(world, p);
    return now.rest_volume > 0.0f ? (double)now.volume / (double)now.rest_volume - 1.0 : 0.0;
}

static double stress(const sn_world *world, const sn_probe_record *p)
{
    double largest = 0.0;
    int count = sn_deformable_strains(world, p->deformable, NULL, 0);
    sn_element_strain *strains = malloc(((size_t)count + 1) * sizeof *strains);
    count = strains != NULL ? sn_deformable_strains(world, p->deformable, strains, count) : 0;
    for (int i = 0; i < count; ++i) {
        largest = fmax(largest, (double)strains[i].von_mises);
    }
    free(strains);
    return largest;
}

static double soft_contacts(const sn_world *world, const sn_probe_record *p)
{
    return sn_deformable_contacts(world, p->deformable, NULL, 0);
}

static double soft_penetration(const sn_world *world, const sn_probe_record *p)
{
    double deepest = 0.0;
    int count = sn_deformable_contacts(world, p->deformable, NULL, 0);
    sn_soft_contact *contacts = malloc(((size_t)count + 1) * sizeof *contacts);
    count = contacts != NULL ? sn_deformable_contacts(world, p->deformable, contacts, count) : 0;
    for (int i = 0; i < count; ++i) {
        deepest = fmax(deepest, -(double)contacts[i].separation);
    }
    free(contacts);
    return deepest;
}

static double elastic_energy(const sn_world *world, const sn_probe_record *p)
{
    (void)p;
    double sum = 0.0;
    int count = sn_world_deformables(world, NULL, 0);
    sn_deformable *all = malloc(((size_t)count + 1) * sizeof *all);
    count = all != NULL ? sn_world_deformables(world, all, count) : 0;
    for (int i = 0; i < count; ++i) {
        sum += (double)sn_deformable_measure_now(world, all[i]).elastic_energy;
    }
    free(all);
    return sum;
}

static double soft_contact_count(const sn_world *world, const sn_probe_record *p)
{
    (void)p;
    return sn_world_statistics(world).soft_contact_count;
}

// --- nodes -------------------------------------------------------------------------------------------------

static sn_vec3 node_position(const sn_world *world, const sn_probe_record *p)
{
    return sn_deformable_nodes(world, p->deformable)[p->node].position;
}

static sn_vec3 node_velocity(const sn_world *world, const sn_probe_record *p)
{
    return sn_deformable_velocities(world, p->deformable)[p->node].velocity;
}

PARTS_OF_VECTOR(node, node_position(world, p))
PARTS_OF_VECTOR(node_velocity, node_velocity(world, p))
static double node_speed(const sn_world *world, const sn_probe_record *p)
{
    return (double)sn_length(node_velocity(world, p));
}

// --- anchors -----------------------------------------------------------------------------------------------

// Anchors made by one entry of a file share its name.
typedef struct anchor_sum {
    int count; // of those that hold
    double error, largest_force;
    sn_vec3 force;
} anchor_sum;

static anchor_sum sum_anchors(const sn_world *world, const char *name)
{
    anchor_sum sum = {0};
    int count = sn_world_anchors(world, NULL, 0);
    sn_anchor *anchors = malloc(((size_t)count + 1) * sizeof *anchors);
    count = anchors != NULL ? sn_world_anchors(world, anchors, count) : 0;
    for (int i = 0; i < count; ++i) {
        const char *given = sn_anchor_definition(world, anchors[i]).name;
        bool holds = sn_anchor_hold_now(world, anchors[i]) != SN_ANCHOR_OFF;
        if (holds && given != NULL && strcmp(given, name) == 0) {
            sum.error = fmax(sum.error, (double)sn_anchor_error(world, anchors[i]));
            sn_vec3 force = sn_anchor_force(world, anchors[i]);
            sum.force = sn_add(sum.force, force);
            sum.largest_force = fmax(sum.largest_force, (double)sn_length(force));
            ++sum.count;
        }
    }
    free(anchors);
    return sum;
}

static double anchor_error(const sn_world *world, const sn_probe_record *p)
{
    return sum_anchors(world, p->anchor).error;
}
static double anchor_force(const sn_world *world, const sn_probe_record *p)
{
    return (double)sn_length(sum_anchors(world, p->anchor).force);
}
static double anchor_largest_force(const sn_world *world, const sn_probe_record *p)
{
    return sum_anchors(world, p->anchor).largest_force;
}
static double anchor_count(const sn_world *world, const sn_probe_record *p)
{
    return sum_anchors(world, p->anchor).count;
}

// --- all of them -------------------------------------------------------------------------------------------

const sn_quantity sn_quantities[] = {
    {"kinetic_energy", "J", "of all bodies", SN_PROBE_WORLD, SN_ANY_KIND, kinetic_energy},
    {"potential_energy", "J", "of all bodies, in gravity", SN_PROBE_WORLD, SN_ANY_KIND, potential_energy},
    {"energy", "J", "kinetic and potential", SN_PROBE_WORLD, SN_ANY_KIND, total_energy},
    {"momentum", "kg m/s", "length of the sum", SN_PROBE_WORLD, SN_ANY_KIND, momentum},
    {"angular_momentum", "kg m²/s", "length of the sum, about the origin", SN_PROBE_WORLD, SN_ANY_KIND,
     angular_momentum},
    {"contacts", "", "touching pairs of shapes that are awake", SN_PROBE_WORLD, SN_ANY_KIND, contact_count},
    {"awake", "", "bodies awake", SN_PROBE_WORLD, SN_ANY_KIND, awake_count},
    {"elastic_energy", "J", "of all deformables", SN_PROBE_WORLD, SN_ANY_KIND, elastic_energy},
    {"soft_contacts", "", "places where deformables touch or are about to", SN_PROBE_WORLD, SN_ANY_KIND,
     soft_contact_count},
    {"exact_anchors", "", "anchors held exactly in the last step", SN_PROBE_WORLD, SN_ANY_KIND, exact_count},
    {"exact_error", "m", "how far their ends are apart, at most", SN_PROBE_WORLD, SN_ANY_KIND, exact_error},
    {"position.x", "m", "of the origin", SN_PROBE_BODY, SN_ANY_KIND, position_x},
    {"position.y", "m", "of the origin", SN_PROBE_BODY, SN_ANY_KIND, position_y},
    {"position.z", "m", "of the origin", SN_PROBE_BODY, SN_ANY_KIND, position_z},
    {"velocity.x", "m/s", "of the mass centre", SN_PROBE_BODY, SN_ANY_KIND, velocity_x},
    {"velocity.y", "m/s", "of the mass centre", SN_PROBE_BODY, SN_ANY_KIND, velocity_y},
    {"velocity.z", "m/s", "of the mass centre", SN_PROBE_BODY, SN_ANY_KIND, velocity_z},
    {"speed", "m/s", "of the mass centre", SN_PROBE_BODY, SN_ANY_KIND, speed},
    {"spin.x", "rad/s", "angular velocity", SN_PROBE_BODY, SN_ANY_KIND, spin_x},
    {"spin.y", "rad/s", "angular velocity", SN_PROBE_BODY, SN_ANY_KIND, spin_y},
    {"spin.z", "rad/s", "angular velocity", SN_PROBE_BODY, SN_ANY_KIND, spin_z},
    {"spin", "rad/s", "size of the angular velocity", SN_PROBE_BODY, SN_ANY_KIND, spin},
    {"tilt", "°", "of the body's upright axis from upright", SN_PROBE_BODY, SN_ANY_KIND, tilt},
    {"contact_force", "N", "of all that touches it", SN_PROBE_BODY, SN_ANY_KIND, contact_force},
    {"contact_force.x", "N", "of all that touches it", SN_PROBE_BODY, SN_ANY_KIND, contact_force_x},
    {"contact_force.y", "N", "of all that touches it", SN_PROBE_BODY, SN_ANY_KIND, contact_force_y},
    {"contact_force.z", "N", "of all that touches it", SN_PROBE_BODY, SN_ANY_KIND, contact_force_z},
    {"error", "m, rad", "largest violation", SN_PROBE_JOINT, SN_ANY_KIND, joint_error},
    {"force", "N", "that the joint exerts", SN_PROBE_JOINT, SN_ANY_KIND, joint_force},
    {"torque", "N m", "that the joint exerts", SN_PROBE_JOINT, SN_ANY_KIND, joint_torque},
    {"angle", "°", "of a hinge", SN_PROBE_JOINT, SN_HINGE, joint_angle},
    {"motor_torque", "N m", "about the axis: of motor, spring and limits", SN_PROBE_JOINT, SN_HINGE,
     motor_torque},
    {"motor_force", "N", "along the axis: of motor, spring and limits", SN_PROBE_JOINT, SN_SLIDER,
     motor_force},
    {"travel", "m", "of a slider", SN_PROBE_JOINT, SN_SLIDER, joint_travel},
    {"travel", "m", "of a point on an axis", SN_PROBE_JOINT, SN_AXIS, joint_travel},
    {"length", "m", "of a distance", SN_PROBE_JOINT, SN_DISTANCE, joint_length},
    {"position.x", "m", "of the mass centre", SN_PROBE_DEFORMABLE, SN_ANY_KIND, soft_x},
    {"position.y", "m", "of the mass centre", SN_PROBE_DEFORMABLE, SN_ANY_KIND, soft_y},
    {"position.z", "m", "of the mass centre", SN_PROBE_DEFORMABLE, SN_ANY_KIND, soft_z},
    {"velocity.x", "m/s", "of the mass centre", SN_PROBE_DEFORMABLE, SN_ANY_KIND, soft_velocity_x},
    {"velocity.y", "m/s", "of the mass centre", SN_PROBE_DEFORMABLE, SN_ANY_KIND, soft_velocity_y},
    {"velocity.z", "m/s", "of the mass centre", SN_PROBE_DEFORMABLE, SN_ANY_KIND, soft_velocity_z},
    {"speed", "m/s", "of the mass centre", SN_PROBE_DEFORMABLE, SN_ANY_KIND, soft_speed},
    {"volume", "m³", "of its tetrahedra, or enclosed", SN_PROBE_DEFORMABLE, SN_ANY_KIND, volume},
    {"volume_change", "", "as a share of that at rest", SN_PROBE_DEFORMABLE, SN_ANY_KIND, volume_change},
    {"area", "m²", "of its triangles", SN_PROBE_DEFORMABLE, SN_ANY_KIND, area},
    {"stretch", "", "largest of its edges", SN_PROBE_DEFORMABLE, SN_ANY_KIND, largest_stretch},
    {"mean_stretch", "", "mean of its edges", SN_PROBE_DEFORMABLE, SN_ANY_KIND, mean_stretch},
    {"strain", "", "largest of its elements, in size", SN_PROBE_DEFORMABLE, SN_ANY_KIND, largest_strain},
    {"stress", "Pa", "largest of its elements, after von Mises", SN_PROBE_DEFORMABLE, SN_ANY_KIND, stress},
    {"elastic_energy", "J", "of models that have one", SN_PROBE_DEFORMABLE, SN_ANY_KIND, soft_energy},
    {"contacts", "", "places where it touches or is about to", SN_PROBE_DEFORMABLE, SN_ANY_KIND,
     soft_contacts},
    {"penetration", "m", "of the deepest of them", SN_PROBE_DEFORMABLE, SN_ANY_KIND, soft_penetration},
    {"position.x", "m", "of the node", SN_PROBE_NODE, SN_ANY_KIND, node_x},
    {"position.y", "m", "of the node", SN_PROBE_NODE, SN_ANY_KIND, node_y},
    {"position.z", "m", "of the node", SN_PROBE_NODE, SN_ANY_KIND, node_z},
    {"velocity.x", "m/s", "of the node", SN_PROBE_NODE, SN_ANY_KIND, node_velocity_x},
    {"velocity.y", "m/s", "of the node", SN_PROBE_NODE, SN_ANY_KIND, node_velocity_y},
    {"velocity.z", "m/s", "of the node", SN_PROBE_NODE, SN_ANY_KIND, node_velocity_z},
    {"speed", "m/s", "of the node", SN_PROBE_NODE, SN_ANY_KIND, node_speed},
    {"error", "m", "largest of the anchors of that name that hold", SN_PROBE_ANCHOR, SN_ANY_KIND,
     anchor_error},
    {"force", "N", "size of the sum over the anchors of that name", SN_PROBE_ANCHOR, SN_ANY_KIND,
     anchor_force},
    {"largest_force", "N", "of the anchors of that name", SN_PROBE_ANCHOR, SN_ANY_KIND, anchor_largest_force},
    {"count", "", "anchors of that name that hold", SN_PROBE_ANCHOR, SN_ANY_KIND, anchor_count}};

const int sn_quantity_count = SN_COUNT(sn_quantities);
