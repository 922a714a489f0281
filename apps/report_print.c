// The report as a person reads it: aligned, with units, the figures that matter first.
#include "apps/report.h"

#include <math.h>

// A length or angle error, with enough digits and no more.
static description error_text(double error)
{
    description d;
    snprintf(d.text, sizeof d.text, error == 0.0 ? "0" : "%.2e", error);
    return d;
}

static void print_heading(const terminal *terminal, const char *text)
{
    fprintf(terminal->stream, "\n%s%s%s\n", terminal_code(terminal, STYLE_BOLD), text,
            terminal_code(terminal, STYLE_PLAIN));
}

static void print_run(const report *report, FILE *out)
{
    const sn_statistics *s = &report->statistics;
    double simulated = report->end_time - report->start_time;
    double mean = report->steps > 0 ? report->step_total / (double)report->steps : 0.0;
    sn_world_def settings = sn_world_settings(report->world);
    fprintf(out, "  simulated   %.4g s in %llu steps of %.4g ms, up to %d sub-steps each, %s\n", simulated,
            (unsigned long long)report->steps,
            report->steps > 0 ? 1000.0 * simulated / (double)report->steps : 0.0,
            report->trouble.most_sub_steps, describe_count(settings.threads, "thread", "threads").text);
    fprintf(out, "  took        %.3g s (steps alone %.3g s): %.4g steps/s, %.3g × real time\n",
            report->wall_time, 0.001 * report->step_total, report_steps_per_second(report),
            report_real_time_factor(report));
    fprintf(out, "  a step      %.4g ms on average, %.4g ms at worst (at %.3f s)\n", mean, report->worst_step,
            report->worst_step_time);
    fprintf(out, "  holds       %s (%d awake, %d frozen), %s, %s, %.3g MB\n",
            describe_count(s->rigid_count, "body", "bodies").text, s->awake_count, s->frozen_count,
            describe_count(s->shape_count, "shape", "shapes").text,
            describe_count(s->constraint_count - s->anchor_count, "joint", "joints").text,
            1e-6 * (double)s->bytes);
    if (s->deformable_count > 0 || s->anchor_count > 0) {
        fprintf(out, "              %s (%d awake) of %s (%d frozen) and %s, %s\n",
                describe_count(s->deformable_count, "deformable", "deformables").text,
                s->awake_deformable_count, describe_count(s->node_count, "node", "nodes").text,
                s->frozen_node_count, describe_count(s->element_count, "element", "elements").text,
                describe_count(s->anchor_count, "anchor", "anchors").text);
    }
    if (s->unresolved_count > 0) {
        fprintf(out, "              %s stiffer than steps resolve, and act softer than they are\n",
                describe_count(s->unresolved_count, "element is", "elements are").text);
    }
    if (settings.solver == SN_SOLVER_POSITION && settings.position.monitor) {
        fprintf(out, "  iterations  end with a primal error of %.3g m and a dual error of %.3g m/s\n",
                (double)s->primal_error, (double)s->dual_error);
    }
}

static void print_stage(const char *name, double mean, double worst, double share, FILE *out)
{
    fprintf(out, "  %-14s%10.4f%10.4f%9.1f %%\n", name, mean, worst, 100.0 * share);
}

static void print_stages(const report *report, FILE *out)
{
    double steps = report->steps > 0 ? (double)report->steps : 1.0;
    double total = report->step_total > 0.0 ? report->step_total : 1.0;
    fprintf(out, "  %-14s%10s%10s%11s\n", "", "mean ms", "worst ms", "share");
    for (int i = 0; i < REPORT_STAGE_COUNT; ++i) {
        const report_stage *stage = &report->stages[i];
        print_stage(report_stage_name(i), stage->total / steps, stage->worst, stage->total / total, out);
    }
    print_stage("whole step", report->step_total / steps, report->worst_step, report->step_total / total,
                out);
}

static void print_errors(const char *name, const report_errors *errors, FILE *out)
{
    if (errors->values == 0) {
        return;
    }
    fprintf(out, "  %-14s%8d%11s%11s%11s", name, errors->count, error_text(report_rms(errors)).text,
            error_text(errors->worst).text, error_text(errors->end).text);
    if (errors->worst > 0.0) {
        const char *of = errors->worst_of.text;
        fprintf(out, "  at %.3f s%s%s", errors->worst_time, of[0] != '\0' ? ": " : "", of);
    }
    fputc('\n', out);
}

static void print_all_errors(const report *report, FILE *out)
{
    fprintf(out, "  %-14s%8s%11s%11s%11s  worst\n", "", "count", "RMS", "worst", "at the end");
    for (int i = 0; i < SN_CONSTRAINT_KIND_COUNT; ++i) {
        print_errors(sn_constraint_kind_name((sn_constraint_kind)i), &report->kinds[i], out);
    }
    print_errors("anchor", &report->soft.anchors, out);
    print_errors("exact anchor", &report->soft.exact, out);
    if (report->soft.exact_rows > 0) {
        fprintf(out, "  %s asked to be exact but held by rows; `sinew check` says why\n",
                describe_count(report->soft.exact_rows, "anchor was", "anchors were").text);
    }
    print_errors("penetration", &report->contacts, out);
    print_errors("soft contacts", &report->soft.contacts, out);
    bool soft = report->soft.contacts.worst > report->contacts.worst;
    if (soft || report->contacts.worst > 0.0) {
        sn_vec3 p = soft ? report->soft.worst_contact : report->worst_contact;
        fprintf(out, "  the deepest contact was at (%.3f, %.3f, %.3f) m\n", p.x, p.y, p.z);
    }
    fprintf(out, "  touching pairs that are awake: %.1f on average, %d at most, %d at the end\n",
            report->touching_sum / (double)report->samples, report->touching_most,
            report->statistics.contact_count);
}

static void print_shares(const report *report, const terminal *terminal)
{
    const report_soft *soft = &report->soft;
    if (soft->edges.values > 0 || soft->volumes.values > 0) {
        print_heading(terminal, "errors of deformables [share of the length or volume at rest]");
        fprintf(terminal->stream, "  %-14s%8s%11s%11s%11s  worst\n", "", "count", "RMS", "worst",
                "at the end");
        print_errors("edges", &soft->edges, terminal->stream);
        print_errors("volume", &soft->volumes, terminal->stream);
    }
}

static double length_of_difference(const double a[3], const double b[3])
{
    return sqrt((a[0] - b[0]) * (a[0] - b[0]) + (a[1] - b[1]) * (a[1] - b[1]) +
                (a[2] - b[2]) * (a[2] - b[2]));
}

static void print_energy_row(const char *name, double start, double end, const char *unit, FILE *out)
{
    fprintf(out, "  %-14s%14.6g%14.6g%14.4g  %s\n", name, start, end, end - start, unit);
}

static void print_momentum_row(const char *name, const double start[3], const double end[3], const char *unit,
                               FILE *out)
{
    const double zero[3] = {0.0, 0.0, 0.0};
    fprintf(out, "  %-14s%14.6g%14.6g%14.4g  %s\n", name, length_of_difference(start, zero),
            length_of_difference(end, zero), length_of_difference(start, end), unit);
}

// Friction, impacts and damping take energy; only motors, forces and errors bring some.
static void print_energy_in_words(const report *report, FILE *out)
{
    double share = 100.0 * report_energy_drift(report);
    fprintf(out,
            "  the total %s by %.3g %% of the most that was kinetic, elastic or potential at one time: %s\n",
            share > 0.0 ? "rose" : "fell", fabs(share),
            share > 0.1 ? "motors, forces or errors brought it"
                        : "friction, impacts and damping take some, nothing should bring any");
    fprintf(out, "  the kinetic energy was %.4g J at most\n", report->highest_kinetic);
}

static void print_energies(const report *report, FILE *out)
{
    const sn_energy *start = &report->energy_start, *end = &report->energy_end;
    double total_start = start->kinetic + start->potential + report->soft.elastic_start;
    double total_end = end->kinetic + end->potential + report->soft.elastic_end;
    fprintf(out, "  %-14s%14s%14s%14s\n", "", "start", "end", "change");
    print_energy_row("kinetic", start->kinetic, end->kinetic, "J", out);
    print_energy_row("potential", start->potential, end->potential, "J", out);
    if (report->soft.highest_elastic > 0.0) {
        print_energy_row("elastic", report->soft.elastic_start, report->soft.elastic_end, "J", out);
    }
    print_energy_row("total", total_start, total_end, "J", out);
    print_momentum_row("momentum", start->momentum, end->momentum, "kg m/s", out);
    print_momentum_row("angular", start->angular_momentum, end->angular_momentum, "kg m²/s", out);
    print_energy_in_words(report, out);
}

void report_print(const report *report, const char *path, const terminal *terminal)
{
    FILE *out = terminal->stream;
    char heading[160];
    const char *title = sn_scene_title(report->scene);
    fprintf(out, "%s%s%s%s%s\n", terminal_code(terminal, STYLE_BOLD), path,
            terminal_code(terminal, STYLE_PLAIN), title[0] != '\0' ? ": " : "", title);
    print_run(report, out);
    print_heading(terminal, "time");
    print_stages(report, out);
    print_heading(terminal, "what went wrong");
    report_trouble_print(report, out);
    snprintf(heading, sizeof heading,
             "largest errors [m or rad] of all %llu steps (measuring them took %.3g %% of the steps' time)",
             (unsigned long long)report->steps,
             report->step_total > 0.0 ? 100.0 * report->sampling_total / report->step_total : 0.0);
    print_heading(terminal, heading);
    print_all_errors(report, out);
    print_shares(report, terminal);
    print_heading(terminal, "loads");
    report_loads_print(report, out);
    print_heading(terminal, "energy and momentum of everything that can move");
    print_energies(report, out);
    fprintf(out, "\nhash of the end %016llx\n", (unsigned long long)report->hash);
}
