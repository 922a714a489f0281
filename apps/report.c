// Measures a run without disturbing it. What is measured after a step is not counted as time of the step.
#include "apps/report.h"

#include <math.h>
#include <string.h>
#include <time.h>

// The stages of a step that do not contain each other.
static const struct {
    const char *name;
    size_t offset;
} stages[REPORT_STAGE_COUNT] = {
    {"pairs", offsetof(sn_profile, pairs)},     {"narrow", offsetof(sn_profile, narrow)},
    {"islands", offsetof(sn_profile, islands)}, {"prepare", offsetof(sn_profile, prepare)},
    {"models", offsetof(sn_profile, models)},   {"exact", offsetof(sn_profile, exact)},
    {"solve", offsetof(sn_profile, solve)},     {"integrate", offsetof(sn_profile, integrate)},
    {"relax", offsetof(sn_profile, relax)},     {"restitution", offsetof(sn_profile, restitution)},
    {"sweep", offsetof(sn_profile, sweep)},     {"finish", offsetof(sn_profile, finish)},
};

const char *report_stage_name(int stage)
{
    return stages[stage].name;
}

double report_rms(const report_errors *errors)
{
    return errors->values > 0 ? sqrt(errors->square_sum / (double)errors->values) : 0.0;
}

double report_energy_drift(const report *report)
{
    const sn_energy *start = &report->energy_start, *end = &report->energy_end;
    double change = end->kinetic + end->potential + report->soft.elastic_end - start->kinetic -
                    start->potential - report->soft.elastic_start;
    double exchanged = fmax(report->highest_kinetic, report->highest_potential - report->lowest_potential);
    exchanged = fmax(exchanged, report->soft.highest_elastic);
    return exchanged > 0.0 ? change / exchanged : 0.0;
}

double report_steps_per_second(const report *report)
{
    return report->step_total > 0.0 ? 1000.0 * (double)report->steps / report->step_total : 0.0;
}

double report_real_time_factor(const report *report)
{
    double simulated = sn_world_time(report->world) - report->start_time;
    return report->step_total > 0.0 ? 1000.0 * simulated / report->step_total : 0.0;
}

// --- samples -----------------------------------------------------------------------------------------------

void report_errors_begin(report_errors *errors)
{
    errors->count = 0;
    errors->end = 0.0;
}

bool report_errors_note(report_errors *errors, double error, double time)
{
    errors->square_sum += error * error;
    ++errors->values;
    errors->end = error > errors->end ? error : errors->end;
    if (error > errors->worst) {
        errors->worst = error;
        errors->worst_time = time;
        return true;
    }
    return false;
}

static void sample_constraints(report *report, double time)
{
    const sn_world *world = report->world;
    int count = sn_world_constraints(world, NULL, 0);
    sn_constraint worst[SN_CONSTRAINT_KIND_COUNT] = {0};
    for (int i = 0; i < SN_CONSTRAINT_KIND_COUNT; ++i) {
        report_errors_begin(&report->kinds[i]);
    }
    if (!SN_LIST_RESERVE(&report->constraints, count)) {
        return;
    }
    count = list_joints(world, report->constraints.items, count); // anchors are sampled with deformables
    for (int i = 0; i < count; ++i) {
        sn_constraint constraint = report->constraints.items[i];
        if (sn_constraint_hold_now(world, constraint) == SN_CONSTRAINT_OFF) {
            continue;
        }
        sn_constraint_kind kind = sn_constraint_get_kind(world, constraint);
        ++report->kinds[kind].count;
        if (report_errors_note(&report->kinds[kind], sn_constraint_error(world, constraint), time)) {
            worst[kind] = constraint;
        }
    }
    // Described now, for it may have broken by the end.
    for (int i = 0; i < SN_CONSTRAINT_KIND_COUNT; ++i) {
        if (worst[i].generation != 0) {
            report->kinds[i].worst_of = describe_joint(world, worst[i]);
        }
    }
}

// The deepest point so far of any sample, if this one has it.
typedef struct deepest {
    sn_shape a, b;
    bool found;
} deepest;

static void note_contact(report *report, const sn_contact *contact, double time, deepest *deepest)
{
    ++report->contacts.count;
    for (int i = 0; i < contact->count; ++i) {
        double depth = -(double)sn_min(contact->points[i].separation, 0.0f);
        if (report_errors_note(&report->contacts, depth, time)) {
            report->worst_contact = contact->points[i].position;
            deepest->a = contact->a;
            deepest->b = contact->b;
            deepest->found = true;
        }
    }
}

static void sample_contacts(report *report, double time)
{
    report_errors_begin(&report->contacts);
    int count = sn_world_contacts(report->world, report->patches.items, report->patches.capacity);
    if (count > report->patches.capacity) {
        if (!SN_LIST_RESERVE(&report->patches, count)) {
            return;
        }
        sn_world_contacts(report->world, report->patches.items, count);
    }
    deepest deepest = {.found = false};
    for (int i = 0; i < count; ++i) {
        note_contact(report, &report->patches.items[i], time, &deepest);
    }
    if (deepest.found) {
        description a = describe_body(report->world, sn_shape_rigid(report->world, deepest.a));
        description b = describe_body(report->world, sn_shape_rigid(report->world, deepest.b));
        snprintf(report->contacts.worst_of.text, sizeof report->contacts.worst_of.text, "%.*s and %.*s",
                 SN_MAX_NAME, a.text, SN_MAX_NAME, b.text);
    }
}

static void sample_energy(report *report)
{
    report->energy_end = sn_world_energy(report->world);
    double kinetic = report->energy_end.kinetic;
    report->highest_kinetic = fmax(report->highest_kinetic, kinetic);
    report->highest_energy = fmax(report->highest_energy, kinetic + report->energy_end.potential);
    report->highest_potential = fmax(report->highest_potential, report->energy_end.potential);
    report->lowest_potential = fmin(report->lowest_potential, report->energy_end.potential);
}

// Of this thread: what other programs take is not the sample's price.
static double cpu_milliseconds(void)
{
    struct timespec now;
    return clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now) == 0
               ? 1e3 * (double)now.tv_sec + 1e-6 * (double)now.tv_nsec
               : 1e3 * clock_seconds();
}

static void take_sample(report *report)
{
    double start = cpu_milliseconds();
    double time = sn_world_time(report->world);
    sample_constraints(report, time);
    sample_contacts(report, time);
    sample_energy(report);
    report_soft_sample(report, time);
    report->statistics = sn_world_statistics(report->world);
    report_loads_sample(report, time);
    report_trouble_step(report);
    int touching = report->statistics.contact_count;
    report->touching_sum += touching;
    report->touching_most = touching > report->touching_most ? touching : report->touching_most;
    ++report->samples;
    report->sampling_total += cpu_milliseconds() - start;
}

// --- the run -----------------------------------------------------------------------------------------------

void report_begin(report *report, const sn_scene *scene)
{
    memset(report, 0, sizeof *report);
    report->scene = scene;
    report->world = sn_scene_world(scene);
    report->start_time = sn_world_time(report->world);
    report->energy_start = sn_world_energy(report->world);
    report->highest_kinetic = report->energy_start.kinetic;
    report->highest_energy = report->energy_start.kinetic + report->energy_start.potential;
    report->highest_potential = report->lowest_potential = report->energy_start.potential;
    report_soft_begin(report);
    report_trouble_begin(report);
    report->started = clock_seconds();
}

void report_step(report *report)
{
    sn_profile profile = sn_world_profile(report->world);
    for (int i = 0; i < REPORT_STAGE_COUNT; ++i) {
        float time;
        memcpy(&time, (const char *)&profile + stages[i].offset, sizeof time);
        report->stages[i].total += time;
        report->stages[i].worst = time > report->stages[i].worst ? time : report->stages[i].worst;
    }
    ++report->steps;
    report->step_total += profile.step;
    if (profile.step > report->worst_step) {
        report->worst_step = profile.step;
        report->worst_step_time = sn_world_time(report->world);
    }
    take_sample(report);
}

void report_end(report *report)
{
    report->wall_time = clock_seconds() - report->started;
    report->end_time = sn_world_time(report->world);
    if (report->samples == 0) {
        take_sample(report);
    }
    report->hash = sn_world_hash(report->world);
}

void report_release(report *report)
{
    SN_LIST_FREE(&report->constraints);
    SN_LIST_FREE(&report->patches);
    report_soft_release(report);
    report_loads_release(report);
    report_trouble_release(report);
}
