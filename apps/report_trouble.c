// What went wrong in a run, step by step: what broke and when, what was frozen, turned inside out, crossed or
// was cut, acted softer than it is, was too fast. And whether the end can be trusted.
#include "apps/json_values.h"
#include "apps/report.h"

// Breaks that are told one by one; the others are counted.
enum { MOST_BREAKS = 20 };

// --- measuring ---------------------------------------------------------------------------------------------

// What breaks is gone when it is told, so constraints are described while they are there.
static void describe_constraints(report *report)
{
    report_trouble *trouble = &report->trouble;
    int count = sn_world_constraints(report->world, NULL, 0);
    if (!SN_LIST_RESERVE(&report->constraints, count)) {
        return;
    }
    sn_world_constraints(report->world, report->constraints.items, count);
    for (int i = 0; i < count; ++i) {
        sn_constraint constraint = report->constraints.items[i];
        while (trouble->names.count <= (int)constraint.index) {
            if (!SN_LIST_PUSH(&trouble->names, (report_name){0})) {
                return;
            }
        }
        report_name *name = &trouble->names.items[constraint.index];
        if (name->generation != constraint.generation) {
            *name = (report_name){constraint.generation, describe_joint(report->world, constraint)};
        }
    }
}

void report_trouble_begin(report *report)
{
    sn_statistics now = sn_world_statistics(report->world);
    report->trouble.frozen_before = now.frozen_count + now.frozen_node_count;
    report->trouble.constraint_count = sn_world_constraints(report->world, NULL, 0);
    describe_constraints(report);
}

static void note_breaks(report *report, double time)
{
    report_trouble *trouble = &report->trouble;
    sn_events events = sn_world_events(report->world);
    for (int i = 0; i < events.break_count; ++i) {
        const sn_break_event *event = &events.breaks[i];
        report_break broken = {.time = time, .force = event->force, .torque = event->torque};
        bool known = (int)event->constraint.index < trouble->names.count &&
                     trouble->names.items[event->constraint.index].generation == event->constraint.generation;
        if (known) {
            broken.of = trouble->names.items[event->constraint.index].of;
        } else {
            snprintf(broken.of.text, sizeof broken.of.text, "constraint %u", event->constraint.index);
        }
        if (trouble->breaks.count < MOST_BREAKS) {
            (void)SN_LIST_PUSH(&trouble->breaks, broken);
        }
        ++trouble->break_count;
    }
}

static void note_most(report_most *most, int count, double time)
{
    if (count > 0 && most->steps == 0) {
        most->first = time;
    }
    most->steps += count > 0 ? 1 : 0;
    most->count = count > most->count ? count : most->count;
}

static double six_volumes(const sn_node_state *nodes, const uint32_t *t)
{
    sn_vec3 a = nodes[t[0]].position;
    sn_vec3 b = sn_sub(nodes[t[1]].position, a), c = sn_sub(nodes[t[2]].position, a);
    return (double)sn_dot(sn_cross(b, c), sn_sub(nodes[t[3]].position, a));
}

// Tetrahedra that are inside out now.
static int count_inverted(report *report)
{
    report_soft *soft = &report->soft;
    int inverted = 0, count = sn_world_deformables(report->world, NULL, 0);
    if (!SN_LIST_RESERVE(&soft->deformables, count)) {
        return 0;
    }
    sn_world_deformables(report->world, soft->deformables.items, count);
    for (int i = 0; i < count; ++i) {
        const sn_mesh *mesh = sn_deformable_mesh(report->world, soft->deformables.items[i]);
        const sn_node_state *nodes = sn_deformable_nodes(report->world, soft->deformables.items[i]);
        const uint32_t *tetrahedra = sn_mesh_tetrahedra(mesh);
        for (int j = 0; j < sn_mesh_tetrahedron_count(mesh); ++j) {
            inverted += six_volumes(nodes, tetrahedra + 4 * j) < 0.0 ? 1 : 0;
        }
    }
    return inverted;
}

void report_trouble_step(report *report)
{
    report_trouble *trouble = &report->trouble;
    double time = sn_world_time(report->world);
    sn_statistics now = sn_world_statistics(report->world);
    note_breaks(report, time);
    note_most(&trouble->frozen, now.frozen_count + now.frozen_node_count - trouble->frozen_before, time);
    note_most(&trouble->inverted, count_inverted(report), time);
    note_most(&trouble->crossings, now.crossing_count, time);
    note_most(&trouble->cuts, now.cut_node_count + now.cut_body_count, time);
    note_most(&trouble->softer, now.unresolved_count, time);
    note_most(&trouble->too_fast, now.clamped_count, time);
    note_most(&trouble->left_out, now.left_out_count, time);
    note_most(&trouble->gains, now.energy_taken > 0.0f ? 1 : 0, time);
    trouble->most_sub_steps =
        now.sub_steps > trouble->most_sub_steps ? now.sub_steps : trouble->most_sub_steps;
    if (now.constraint_count != trouble->constraint_count) {
        trouble->constraint_count = now.constraint_count;
        describe_constraints(report);
    }
}

void report_trouble_release(report *report)
{
    SN_LIST_FREE(&report->trouble.names);
    SN_LIST_FREE(&report->trouble.breaks);
}

bool report_is_trusted(const report *report)
{
    return report->trouble.frozen.count == 0 && sn_scene_replay(report->scene).first_difference == 0;
}

// --- for people --------------------------------------------------------------------------------------------

// `one` and `many` are nouns with their verbs, for there may be one.
static int print_most(const report_most *most, const char *one, const char *many, FILE *out)
{
    if (most->count == 0) {
        return 0;
    }
    fprintf(out, "  %s: first at %.3f s, in %s\n", describe_count(most->count, one, many).text, most->first,
            describe_count((int)most->steps, "step", "steps").text);
    return 1;
}

static int print_breaks(const report_trouble *trouble, FILE *out)
{
    for (int i = 0; i < trouble->breaks.count; ++i) {
        const report_break *broken = &trouble->breaks.items[i];
        fprintf(out, "  %s broke at %.3f s by %.4g N, %.4g N m\n", broken->of.text, broken->time,
                (double)broken->force, (double)broken->torque);
    }
    if (trouble->break_count > trouble->breaks.count) {
        fprintf(out, "  and %d more broke\n", trouble->break_count - trouble->breaks.count);
    }
    return trouble->break_count;
}

static int print_replay(const report *report, FILE *out)
{
    sn_replay_progress replay = sn_scene_replay(report->scene);
    if (!replay.is_recording) {
        return 0;
    }
    if (replay.first_difference != 0) {
        fprintf(out, "  the replay differs from the recording since step %d of %d\n", replay.first_difference,
                replay.step_count);
    } else {
        fprintf(out, "  %d of %d recorded steps replayed, all with the recorded hash\n", replay.steps_done,
                replay.step_count);
    }
    return 1;
}

void report_trouble_print(const report *report, FILE *out)
{
    const report_trouble *t = &report->trouble;
    int told =
        print_replay(report, out) + print_breaks(t, out) +
        print_most(&t->frozen, "body or node turned non-finite and was frozen",
                   "bodies or nodes turned non-finite and were frozen", out) +
        print_most(&t->inverted, "element was inside out at once", "elements were inside out at once", out) +
        print_most(&t->crossings, "pair of faces crossed each other at once",
                   "pairs of faces crossed each other at once", out) +
        print_most(&t->cuts, "motion was cut short at once, so that nothing crossed",
                   "motions were cut short at once, so that nothing crossed", out) +
        print_most(&t->softer, "element was stiffer than the steps resolve, and acted softer",
                   "elements were stiffer than the steps resolve, and acted softer", out) +
        print_most(&t->too_fast, "body was too fast at once, and slowed down",
                   "bodies were too fast at once, and slowed down", out) +
        print_most(&t->left_out,
                   "pair in each other found no contact, or a node left one out: too many were there",
                   "pairs in each other found no contact, or nodes left some out: too many were there", out) +
        print_most(&t->gains, "island gained energy by its constraints, which was taken back",
                   "islands gained energy by their constraints, which was taken back", out);
    if (told == 0) {
        fprintf(out, "  nothing broke, froze, turned inside out, crossed or was slowed down\n");
    }
    if (!report_is_trusted(report)) {
        fprintf(out, "  THE RESULT CANNOT BE TRUSTED (exit code 1)\n");
    }
}

// --- for programs ------------------------------------------------------------------------------------------

static json_t *most_json(const report_most *most)
{
    return json_pack("{s:i, s:I, s:o}", "most", most->count, "steps", (json_int_t)most->steps, "first_at",
                     most->count > 0 ? json_number(most->first) : json_null());
}

static json_t *breaks_json(const report_trouble *trouble)
{
    json_t *list = json_array();
    for (int i = 0; i < trouble->breaks.count; ++i) {
        const report_break *broken = &trouble->breaks.items[i];
        json_array_append_new(list, json_pack("{s:o, s:o, s:o, s:o}", "of", json_text(broken->of.text), "at",
                                              json_number(broken->time), "force",
                                              json_number((double)broken->force), "torque",
                                              json_number((double)broken->torque)));
    }
    return list;
}

static json_t *replay_json(const report *report)
{
    sn_replay_progress replay = sn_scene_replay(report->scene);
    return replay.is_recording
               ? json_pack("{s:i, s:i, s:i, s:b}", "steps", replay.step_count, "replayed", replay.steps_done,
                           "first_difference", replay.first_difference, "closed", (int)replay.is_closed)
               : json_null();
}

json_t *report_trouble_json(const report *report)
{
    const report_trouble *t = &report->trouble;
    return json_pack("{s:b, s:i, s:o, s:o, s:o, s:o, s:o, s:o, s:o, s:o, s:o, s:i, s:o}", "trusted",
                     (int)report_is_trusted(report), "break_count", t->break_count, "breaks", breaks_json(t),
                     "frozen", most_json(&t->frozen), "inverted", most_json(&t->inverted), "crossings",
                     most_json(&t->crossings), "cut", most_json(&t->cuts), "stiffer_than_resolved",
                     most_json(&t->softer), "too_fast", most_json(&t->too_fast), "left_out",
                     most_json(&t->left_out), "gains", most_json(&t->gains), "most_sub_steps",
                     t->most_sub_steps, "replay", replay_json(report));
}
