// What carries loads that travel far (sub-steps of islands, bounds, unions, support), and, honestly, what is
// not carried: rows that stretch by more than SN_STRETCH_LIMIT, and motion that feeds itself.
#include "apps/json_values.h"
#include "apps/report.h"

#include <math.h>

// Energy that nothing brought, as a share of what was exchanged, from which on motion seems to feed itself.
static const double fed_share = 0.05;

static description describe_island(const sn_world *world, const sn_loaded_island *island)
{
    description of, first = island->deformable_count > 0 ? describe_deformable(world, island->deformable)
                                                         : describe_body(world, island->rigid);
    int others = island->rigid_count + island->deformable_count - 1;
    if (others > 0) {
        snprintf(of.text, sizeof of.text, "%.*s and %d more", SN_MAX_NAME, first.text, others);
        return of;
    }
    return first;
}

static void sample_islands(report *report)
{
    report_loads *loads = &report->loads;
    int count = sn_world_loads(report->world, NULL, 0);
    if (!SN_LIST_RESERVE(&loads->islands, count)) {
        return;
    }
    sn_world_loads(report->world, loads->islands.items, count);
    for (int i = 0; i < count; ++i) {
        const sn_loaded_island *island = &loads->islands.items[i];
        if (island->sub_steps > loads->most_sub_steps) {
            loads->most_sub_steps = island->sub_steps;
            loads->cause = island->cause;
            loads->island = describe_island(report->world, island);
        }
    }
}

void report_loads_sample(report *report, double time)
{
    report_loads *loads = &report->loads;
    const sn_statistics *s = &report->statistics;
    sample_islands(report);
    report_errors_begin(&loads->edges);
    report_errors_begin(&loads->joints);
    if (report_errors_note(&loads->edges, (double)s->largest_stretch, time)) {
        loads->edges.worst_of = describe_deformable(report->world, s->most_stretched);
    }
    if (report_errors_note(&loads->joints, (double)s->largest_joint_stretch, time)) {
        loads->joints.worst_of = describe_joint(report->world, s->most_stretched_joint);
    }
    loads->edges_stretched =
        s->stretched_count > loads->edges_stretched ? s->stretched_count : loads->edges_stretched;
    loads->joints_stretched = s->stretched_joint_count > loads->joints_stretched ? s->stretched_joint_count
                                                                                 : loads->joints_stretched;
}

void report_loads_release(report *report)
{
    SN_LIST_FREE(&report->loads.islands);
}

// Motors and forces bring energy too, which the report does not know of.
static bool seems_fed(const report *report)
{
    return report_energy_drift(report) > fed_share;
}

static int print_stretched(const char *what, int count, const report_errors *errors, const char *before,
                           FILE *out)
{
    if (count > 0) {
        fprintf(out, "%snot carried: %d %s by more than %.0f %%; %s by %.3g %% at %.3f s\n", before, count,
                what, 100.0 * (double)SN_STRETCH_LIMIT, errors->worst_of.text, 100.0 * errors->worst,
                errors->worst_time);
    }
    return count > 0 ? 1 : 0;
}

int report_uncarried_print(const report *report, const char *before, FILE *out)
{
    const report_loads *loads = &report->loads;
    int count = print_stretched("deformables stretch", loads->edges_stretched, &loads->edges, before, out) +
                print_stretched("joints are apart", loads->joints_stretched, &loads->joints, before, out);
    if (seems_fed(report)) {
        fprintf(out, "%sthe energy rose: unless motors or forces brought it, motion feeds itself\n", before);
        ++count;
    }
    return count;
}

void report_loads_print(const report *report, FILE *out)
{
    const report_loads *loads = &report->loads;
    const sn_statistics *s = &report->statistics;
    if (loads->most_sub_steps > 0) {
        fprintf(out, "  %d sub-steps at most, for %s: %s\n", loads->most_sub_steps, loads->island.text,
                sn_sub_step_cause_text(loads->cause));
    }
    fprintf(out, "  at the end %s, %d of them taut; %s; %s of hinges; %s supported\n",
            describe_count(s->bound_count, "bound", "bounds").text, s->taut_bound_count,
            describe_count(s->union_count, "union", "unions").text,
            describe_count(s->plane_count, "plane", "planes").text,
            describe_count(s->supported_count, "body", "bodies").text);
    report_uncarried_print(report, "  ", out);
}

static json_t *stretched_json(int count, const report_errors *errors)
{
    return json_pack("{s:i, s:o, s:o, s:o, s:o}", "beyond_limit", count, "max", json_number(errors->worst),
                     "end", json_number(errors->end), "max_at", json_number(errors->worst_time), "max_of",
                     json_text(errors->worst_of.text));
}

json_t *report_loads_json(const report *report)
{
    const report_loads *loads = &report->loads;
    const sn_statistics *s = &report->statistics;
    return json_pack(
        "{s:i, s:o, s:s, s:i, s:i, s:i, s:i, s:i, s:o, s:o, s:b}", "most_sub_steps", loads->most_sub_steps,
        "island", json_text(loads->island.text), "cause", sn_sub_step_cause_text(loads->cause), "bounds",
        s->bound_count, "bounds_taut", s->taut_bound_count, "unions", s->union_count, "planes",
        s->plane_count, "supported", s->supported_count, "edges_stretched",
        stretched_json(loads->edges_stretched, &loads->edges), "joints_stretched",
        stretched_json(loads->joints_stretched, &loads->joints), "energy_rose", seems_fed(report) ? 1 : 0);
}
