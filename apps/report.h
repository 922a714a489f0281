// What a run is measured by: time per stage, errors of constraints and contacts, energy, momentum, counts.
//
// Everything is measured after every step, so that the worst is the worst of the run; the report says what
// that cost. Times of steps are those of the steps alone.
#ifndef SINEW_APPS_REPORT_H
#define SINEW_APPS_REPORT_H

#include "apps/describe.h"
#include "apps/terminal.h"
#include "scene/list.h"
#include "sinew_scene/scene.h"

#include <jansson.h>

enum { REPORT_STAGE_COUNT = 12 };

typedef struct report_stage {
    double total, worst; // [ms]
} report_stage;

// Errors of the constraints of one kind, [m] or [rad], over all samples; or depths of contacts [m].
typedef struct report_errors {
    int count;         // at the last sample
    uint64_t values;   // in all samples
    double square_sum; // of those
    double worst, end; // over all samples; the largest of the last one
    double worst_time; // simulated [s]
    description worst_of;
} report_errors;

// What is measured of deformables.
typedef struct report_soft {
    report_errors edges;    // those that keep their length: change, as a share of it
    report_errors volumes;  // of tetrahedra, and enclosed ones that are preserved: change, as a share of it
    report_errors anchors;  // those that rows hold [m]
    report_errors exact;    // of those held exactly, the largest of each sample [m]
    int exact_rows;         // anchors asked to be exact that rows held, at most in any sample
    report_errors contacts; // depths [m]
    sn_vec3 worst_contact;  // where the deepest was [m]
    double elastic_start, elastic_end, highest_elastic; // energy [J]
    SN_LIST(sn_deformable) deformables;                 // room for ids and contacts
    SN_LIST(sn_anchor) ids;
    SN_LIST(sn_soft_contact) points;
} report_soft;

// What carries loads, and what is not carried.
typedef struct report_loads {
    int most_sub_steps; // of any island, in any sample
    sn_sub_step_cause cause;
    description island;                    // that took them
    report_errors edges, joints;           // parts of their lengths: the most stretched of each sample
    int edges_stretched, joints_stretched; // most in any sample beyond SN_STRETCH_LIMIT: deformables, joints
    SN_LIST(sn_loaded_island) islands;     // room
} report_loads;

// How much of something that went wrong there was.
typedef struct report_most {
    int count;      // at most after a step
    uint64_t steps; // in so many steps
    double first;   // time of the first of them [s]
} report_most;

typedef struct report_break {
    description of;
    double time;         // [s]
    float force, torque; // that broke it [N], [N m]
} report_break;

// What a constraint was called, at its index.
typedef struct report_name {
    uint16_t generation; // 0: none
    description of;
} report_name;

typedef struct report_trouble {
    SN_LIST(report_name) names;
    SN_LIST(report_break) breaks; // the first of them
    int break_count, constraint_count, frozen_before, most_sub_steps;
    report_most frozen, inverted, crossings, cuts, softer, too_fast, put_back, left_out, gains;
} report_trouble;

typedef struct report {
    const sn_scene *scene;
    const sn_world *world;
    // time
    uint64_t steps;
    double start_time, end_time;        // simulated [s]
    double started, wall_time;          // by the clock [s], with everything that was done between the steps
    double step_total;                  // of the steps alone [ms]
    double worst_step, worst_step_time; // [ms]; simulated, at its end [s]
    report_stage stages[REPORT_STAGE_COUNT];
    // measured after every step
    uint64_t samples;      // how many: one of the end if there was no step
    double sampling_total; // [ms]
    report_errors kinds[SN_CONSTRAINT_KIND_COUNT], contacts;
    sn_vec3 worst_contact; // where the deepest contact was [m]
    sn_energy energy_start, energy_end;
    double highest_energy, highest_kinetic, highest_potential, lowest_potential; // [J]
    report_soft soft;
    report_loads loads;
    report_trouble trouble;
    double touching_sum; // pairs, over all samples
    int touching_most;
    sn_statistics statistics; // at the end
    uint64_t hash;            // of the end
    // room for ids and contacts
    SN_LIST(sn_constraint) constraints;
    SN_LIST(sn_contact) patches;
} report;

// Begins to measure the scene as it is now; it outlives the report.
void report_begin(report *report, const sn_scene *scene);
// To be called after every step.
void report_step(report *report);
// Takes the last sample, the counts and the hash.
void report_end(report *report);
void report_release(report *report);

// To be called by samples: forgets the last one; notes an error, true if it is the worst so far.
void report_errors_begin(report_errors *errors);
bool report_errors_note(report_errors *errors, double error, double time);

// report_soft.c: samples deformables and anchors.
void report_soft_begin(report *report);
void report_soft_sample(report *report, double time);
void report_soft_release(report *report);

// report_loads.c: samples what carries loads, says it for people and for programs.
void report_loads_sample(report *report, double time);
void report_loads_print(const report *report, FILE *out);
json_t *report_loads_json(const report *report);
// A line for each thing that was not carried, and how many there were.
int report_uncarried_print(const report *report, const char *before, FILE *out);
void report_loads_release(report *report);

// report_trouble.c: notes what goes wrong, says it for people and for programs.
void report_trouble_begin(report *report);
void report_trouble_step(report *report);
void report_trouble_print(const report *report, FILE *out);
json_t *report_trouble_json(const report *report);
void report_trouble_release(report *report);

// Name of a stage, "pairs", …
const char *report_stage_name(int stage);
double report_rms(const report_errors *errors);
// Change of the total energy as a share of the energy that went to and fro: the highest kinetic or
// elastic energy or the range of the potential one. 0 if nothing moved.
double report_energy_drift(const report *report);
// Steps per second of the steps alone; how much faster than reality they were.
double report_steps_per_second(const report *report);
double report_real_time_factor(const report *report);

// Whether the end can be trusted: nothing turned non-finite, and a recording came out as it was recorded.
bool report_is_trusted(const report *report);

// report_print.c: for people.
void report_print(const report *report, const char *path, const terminal *terminal);
// report_json.c: for programs. Null without memory.
json_t *report_json(const report *report);

#endif
