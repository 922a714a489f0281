// Each warning is one question asked of every body, joint or contact; only the worst is named, with how many
// there are of its sort.
#include "apps/warnings.h"

#include "apps/describe.h"
#include "apps/warnings_parts.h"

#include <math.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

// Thresholds, chosen so that sound scenes pass in silence.
static const float far_away = 4096.0f; // [m]; float32 has steps of half a millimetre there
static const double deep_share = 0.1;  // of the shortest side of the body that is in another
static const double stiff_phase = 1.0; // [rad] of its swing a spring goes through in a sub-step
static const float glimpse = 1.0e-6f;  // [s]; the shortest step, so that nothing has moved yet

void warnings_note(tally *tally, double badness, double limit, int index)
{
    if (badness > limit) {
        ++tally->count;
        if (badness > tally->worst) {
            tally->worst = badness;
            tally->index = index;
        }
    }
}

double warnings_ratio(double a, double b)
{
    return a > 0.0 && b > 0.0 ? fmax(a / b, b / a) : 1.0;
}

void warn(inspector *inspector, const char *format, ...)
{
    const terminal *terminal = inspector->terminal;
    va_list arguments;
    fprintf(terminal->stream, "  %swarning:%s ", terminal_code(terminal, STYLE_YELLOW),
            terminal_code(terminal, STYLE_PLAIN));
    va_start(arguments, format);
    vfprintf(terminal->stream, format, arguments);
    va_end(arguments);
    fputc('\n', terminal->stream);
    ++inspector->warnings;
}

static double mass_of(const sn_world *world, sn_rigid rigid)
{
    return (double)sn_rigid_mass(world, rigid).mass; // 0 unless dynamic
}

// --- bodies ------------------------------------------------------------------------------------------------

static void warn_of_long_steps(inspector *inspector)
{
    double step = (double)sn_scene_step_length(inspector->scene);
    if (step > WARN_STEP) {
        warn(inspector, "steps of %.3g s are long: contacts are looked for once a step; 1/60 s is usual",
             step);
    }
}

static void warn_of_far_bodies(inspector *inspector)
{
    tally far = {0};
    for (int i = 0; i < inspector->rigids.count; ++i) {
        sn_vec3 position = sn_rigid_position(inspector->world, inspector->rigids.items[i]);
        warnings_note(&far, sn_length(position), far_away, i);
    }
    if (far.count > 0) {
        double spacing = far.worst * 0x1p-23;
        warn(inspector,
             "%s farther than %.0f m from the origin; %s is %.4g m away, where positions come in "
             "steps of %.2g mm",
             describe_count(far.count, "body is", "bodies are").text, far_away,
             describe_body(inspector->world, inspector->rigids.items[far.index]).text, far.worst,
             1000.0 * spacing);
    }
}

static void warn_of_bare_bodies(inspector *inspector)
{
    tally bare = {0};
    for (int i = 0; i < inspector->rigids.count; ++i) {
        sn_rigid rigid = inspector->rigids.items[i];
        bool is_bare = sn_rigid_get_type(inspector->world, rigid) == SN_DYNAMIC &&
                       sn_rigid_shapes(inspector->world, rigid, NULL, 0) == 0;
        warnings_note(&bare, is_bare ? 1.0 : 0.0, 0.5, i);
    }
    if (bare.count > 0) {
        sn_rigid rigid = inspector->rigids.items[bare.index];
        warn(inspector, "%s no shape and touches nothing; %s weighs %.4g kg all the same",
             describe_count(bare.count, "dynamic body has", "dynamic bodies have").text,
             describe_body(inspector->world, rigid).text, mass_of(inspector->world, rigid));
    }
}

// --- joints ------------------------------------------------------------------------------------------------

static void warn_of_unmet_joints(inspector *inspector)
{
    tally unmet = {0};
    for (int i = 0; i < inspector->constraints.count; ++i) {
        sn_constraint joint = inspector->constraints.items[i];
        bool is_off = sn_constraint_hold_now(inspector->world, joint) == SN_CONSTRAINT_OFF;
        double error = is_off ? 0.0 : (double)sn_constraint_error(inspector->world, joint);
        warnings_note(&unmet, error, WARN_UNMET_ERROR, i);
    }
    if (unmet.count > 0) {
        warn(inspector, "%s not met at the start; %s is off by %.3g m or rad",
             describe_count(unmet.count, "joint is", "joints are").text,
             describe_joint(inspector->world, inspector->constraints.items[unmet.index]).text, unmet.worst);
    }
}

static double mass_ratio(const sn_world *world, sn_rigid a, sn_rigid b)
{
    return warnings_ratio(mass_of(world, a), mass_of(world, b));
}

static void warn_of_joint_masses(inspector *inspector)
{
    const sn_world *world = inspector->world;
    tally uneven = {0};
    for (int i = 0; i < inspector->constraints.count; ++i) {
        sn_constraint joint = inspector->constraints.items[i];
        sn_rigid a = sn_constraint_body_a(world, joint), b = sn_constraint_body_b(world, joint);
        warnings_note(&uneven, mass_ratio(world, a, b), WARN_MASS_RATIO, i);
    }
    if (uneven.count > 0) {
        warn(inspector, "%s bodies of very unequal mass; those of %s are %.4g : 1; more world.sub_steps help",
             describe_count(uneven.count, "joint holds", "joints hold").text,
             describe_joint(world, inspector->constraints.items[uneven.index]).text, uneven.worst);
    }
}

// --- springs -----------------------------------------------------------------------------------------------

// Stiffest spring of a joint, along and about its axes; 0 for none.
typedef struct stiffness {
    double linear, angular; // [N/m], [N m/rad]
} stiffness;

static double stiffness_of(float compliance)
{
    return compliance > 0.0f ? 1.0 / (double)compliance : 0.0;
}

// The library's table of a kind's fields says which of them are stiffnesses, by their units.
static stiffness joint_stiffness(const sn_world *world, sn_constraint joint)
{
    union {
        sn_constraint_common common;
        char bytes[SN_MAX_CONSTRAINT_DEF];
    } def;
    if (sn_constraint_def_get(world, joint, &def) != SN_OK) {
        return (stiffness){0.0, 0.0};
    }
    stiffness found = {stiffness_of(def.common.compliance), stiffness_of(def.common.angular_compliance)};
    const sn_constraint_field *fields;
    int count = sn_constraint_kind_fields(sn_constraint_get_kind(world, joint), &fields);
    for (int i = 0; i < count; ++i) {
        bool is_linear = fields[i].unit != NULL && strcmp(fields[i].unit, "N/m") == 0;
        bool is_angular = fields[i].unit != NULL && strcmp(fields[i].unit, "N m/rad") == 0;
        float value = 0.0f;
        if (is_linear || is_angular) {
            memcpy(&value, def.bytes + fields[i].offset, sizeof value);
        }
        found.linear = is_linear ? fmax(found.linear, (double)value) : found.linear;
        found.angular = is_angular ? fmax(found.angular, (double)value) : found.angular;
    }
    return found;
}

// The mean of the three moments of inertia; 0 unless dynamic.
static double inertia_of(const sn_world *world, sn_rigid rigid)
{
    sn_mat3 inertia = sn_rigid_mass(world, rigid).inertia;
    return ((double)inertia.x.x + (double)inertia.y.y + (double)inertia.z.z) / 3.0;
}

// Square of the swing's angular frequency: stiffness times the sum of inverse masses.
static double swing_squared(double stiffness, double mass_a, double mass_b)
{
    return stiffness * ((mass_a > 0.0 ? 1.0 / mass_a : 0.0) + (mass_b > 0.0 ? 1.0 / mass_b : 0.0));
}

static void warn_of_stiff_springs(inspector *inspector)
{
    const sn_world *world = inspector->world;
    double sub_step = (double)sn_scene_step_length(inspector->scene) / sn_world_sub_steps(world);
    tally stiff = {0};
    for (int i = 0; i < inspector->constraints.count; ++i) {
        sn_constraint joint = inspector->constraints.items[i];
        sn_rigid a = sn_constraint_body_a(world, joint), b = sn_constraint_body_b(world, joint);
        stiffness spring = joint_stiffness(world, joint);
        double linear = swing_squared(spring.linear, mass_of(world, a), mass_of(world, b));
        double angular = swing_squared(spring.angular, inertia_of(world, a), inertia_of(world, b));
        warnings_note(&stiff, sqrt(fmax(linear, angular)) * sub_step, stiff_phase, i);
    }
    if (stiff.count > 0) {
        double frequency = stiff.worst / sub_step / (2.0 * 3.14159265358979);
        warn(inspector,
             "%s stiffer than sub-steps of %.3g ms can follow; %s would swing at %.4g Hz and will "
             "act softer; shorten the step or raise world.sub_steps",
             describe_count(stiff.count, "spring is", "springs are").text, 1000.0 * sub_step,
             describe_joint(world, inspector->constraints.items[stiff.index]).text, frequency);
    }
}

// --- contacts ----------------------------------------------------------------------------------------------

static bool gather_contacts(inspector *inspector)
{
    if (sn_world_step(inspector->world, glimpse) != SN_OK) {
        return true;
    }
    int count = sn_world_contacts(inspector->world, NULL, 0);
    if (!SN_LIST_RESERVE(&inspector->contacts, count)) {
        return false;
    }
    inspector->contacts.count = sn_world_contacts(inspector->world, inspector->contacts.items, count);
    return true;
}

static double shortest_side(const sn_world *world, sn_shape shape)
{
    if (sn_rigid_get_type(world, sn_shape_rigid(world, shape)) != SN_DYNAMIC) {
        return INFINITY; // floors may be as thin as they like
    }
    sn_bounds bounds = sn_shape_bounds(world, shape);
    sn_vec3 size = sn_sub(bounds.upper, bounds.lower);
    return (double)sn_min(size.x, sn_min(size.y, size.z));
}

// Depth as a share of the shortest side.
static double overlap_share(const sn_world *world, const sn_contact *contact)
{
    double depth = 0.0;
    for (int i = 0; i < contact->count; ++i) {
        depth = fmax(depth, -(double)contact->points[i].separation);
    }
    double side = fmin(shortest_side(world, contact->a), shortest_side(world, contact->b));
    return side > 0.0 ? depth / side : 0.0;
}

static description describe_pair(const sn_world *world, const sn_contact *contact)
{
    description pair;
    description a = describe_body(world, sn_shape_rigid(world, contact->a));
    description b = describe_body(world, sn_shape_rigid(world, contact->b));
    snprintf(pair.text, sizeof pair.text, "%.*s and %.*s", SN_MAX_NAME, a.text, SN_MAX_NAME, b.text);
    return pair;
}

static void warn_of_contacts(inspector *inspector)
{
    const sn_world *world = inspector->world;
    tally deep = {0}, uneven = {0};
    for (int i = 0; i < inspector->contacts.count; ++i) {
        const sn_contact *contact = &inspector->contacts.items[i];
        sn_rigid a = sn_shape_rigid(world, contact->a), b = sn_shape_rigid(world, contact->b);
        warnings_note(&deep, overlap_share(world, contact), deep_share, i);
        warnings_note(&uneven, mass_ratio(world, a, b), WARN_MASS_RATIO, i);
    }
    if (deep.count > 0) {
        warn(inspector,
             "bodies overlap deeply at the start and will be pushed apart; %s by %.0f %% of the "
             "shortest side",
             describe_pair(world, &inspector->contacts.items[deep.index]).text, 100.0 * deep.worst);
    }
    if (uneven.count > 0) {
        warn(inspector, "bodies of very unequal mass touch; %s are %.4g : 1; more world.sub_steps help",
             describe_pair(world, &inspector->contacts.items[uneven.index]).text, uneven.worst);
    }
}

// --- all of them -------------------------------------------------------------------------------------------

static bool gather(inspector *inspector)
{
    int rigid_count = sn_world_rigids(inspector->world, NULL, 0);
    int constraint_count = sn_world_constraints(inspector->world, NULL, 0);
    if (!SN_LIST_RESERVE(&inspector->rigids, rigid_count) ||
        !SN_LIST_RESERVE(&inspector->constraints, constraint_count)) {
        return false;
    }
    sn_world_rigids(inspector->world, inspector->rigids.items, rigid_count);
    inspector->rigids.count = rigid_count;
    inspector->constraints.count =
        list_joints(inspector->world, inspector->constraints.items, constraint_count);
    return true;
}

int warnings_print(const terminal *terminal, sn_scene *scene)
{
    inspector inspector = {.terminal = terminal, .scene = scene, .world = sn_scene_world(scene)};
    bool fine = gather(&inspector) && warnings_gather_softs(&inspector);
    if (fine) {
        warn_of_long_steps(&inspector);
        warn_of_far_bodies(&inspector);
        warn_of_bare_bodies(&inspector);
        warn_of_unmet_joints(&inspector);
        warn_of_joint_masses(&inspector);
        warn_of_stiff_springs(&inspector);
        fine = warn_of_deformables(&inspector) && warn_of_anchors(&inspector) &&
               gather_contacts(&inspector) && warn_of_soft_contacts(&inspector);
        warn_of_contacts(&inspector);
        fine = fine && warn_of_later_anchors(&inspector);
    }
    SN_LIST_FREE(&inspector.rigids);
    SN_LIST_FREE(&inspector.constraints);
    SN_LIST_FREE(&inspector.contacts);
    SN_LIST_FREE(&inspector.deformables);
    SN_LIST_FREE(&inspector.anchors);
    return fine ? inspector.warnings : -1;
}
