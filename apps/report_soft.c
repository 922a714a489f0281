// Samples of deformables: how far edges are from their lengths, volumes from theirs, anchors apart, contacts
// deep, and how much energy is stored.
#include "apps/report.h"

#include <math.h>

// How much of its rest length an edge is off, on the side that it is held.
static double edge_error(float length, float rest, sn_limit_side side)
{
    double change = (double)length / (double)rest - 1.0;
    if (side == SN_HOLD_STRETCH) {
        return fmax(change, 0.0);
    }
    return side == SN_HOLD_COMPRESSION ? fmax(-change, 0.0) : fabs(change);
}

static bool sample_edges(report *report, sn_deformable deformable, const sn_deformable_def *def, double time)
{
    const sn_mesh *mesh = sn_deformable_mesh(report->world, deformable);
    const sn_node_state *nodes = sn_deformable_nodes(report->world, deformable);
    const uint32_t *edges = sn_mesh_edges(mesh);
    int count = sn_mesh_edge_count(mesh);
    bool worst = false;
    for (int i = 0; i < count; ++i) {
        float length = sn_distance_between(nodes[edges[2 * i]].position, nodes[edges[2 * i + 1]].position);
        double error = edge_error(length, def->scale * sn_mesh_edge_length(mesh, i), def->inextensible.side);
        worst = report_errors_note(&report->soft.edges, error, time) || worst;
    }
    report->soft.edges.count += count;
    return worst;
}

static void sample_deformable(report *report, sn_deformable deformable, double time)
{
    sn_deformable_def def = sn_deformable_definition(report->world, deformable);
    sn_deformable_measure now = sn_deformable_measure_now(report->world, deformable);
    report->soft.elastic_end += (double)now.elastic_energy;
    if (def.inextensible.on && sample_edges(report, deformable, &def, time)) {
        report->soft.edges.worst_of = describe_deformable(report->world, deformable);
    }
    bool keeps_volume = sn_mesh_tetrahedron_count(def.mesh) > 0 || def.enclosure.preserve;
    float wanted = now.rest_volume * (def.enclosure.preserve ? def.enclosure.scale : 1.0f);
    if (keeps_volume && wanted > 0.0f) {
        ++report->soft.volumes.count;
        double change = fabs((double)now.volume / (double)wanted - 1.0);
        if (report_errors_note(&report->soft.volumes, change, time)) {
            report->soft.volumes.worst_of = describe_deformable(report->world, deformable);
        }
    }
}

static description describe_contact(const sn_world *world, sn_deformable deformable,
                                    const sn_soft_contact *contact)
{
    description pair, a = describe_deformable(world, deformable);
    description b = contact->other.generation != 0 ? describe_deformable(world, contact->other)
                                                   : describe_body(world, contact->rigid);
    snprintf(pair.text, sizeof pair.text, "%.*s and %.*s", SN_MAX_NAME, a.text, SN_MAX_NAME, b.text);
    return pair;
}

static void sample_contacts(report *report, sn_deformable deformable, double time)
{
    report_soft *soft = &report->soft;
    int count = sn_deformable_contacts(report->world, deformable, soft->points.items, soft->points.capacity);
    if (count > soft->points.capacity) {
        if (!SN_LIST_RESERVE(&soft->points, count)) {
            return;
        }
        sn_deformable_contacts(report->world, deformable, soft->points.items, count);
    }
    for (int i = 0; i < count; ++i) {
        const sn_soft_contact *contact = &soft->points.items[i];
        // Both deformables list it; the first of the two counts it.
        if (contact->other.generation != 0 && contact->other.index < deformable.index) {
            continue;
        }
        ++soft->contacts.count;
        if (report_errors_note(&soft->contacts, fmax(0.0, -(double)contact->separation), time)) {
            soft->worst_contact = contact->position;
            soft->contacts.worst_of = describe_contact(report->world, deformable, contact);
        }
    }
}

// Of those that are on.
static void sample_anchors(report *report, double time)
{
    report_soft *soft = &report->soft;
    int count = sn_world_anchors(report->world, NULL, 0), worst = -1;
    if (!SN_LIST_RESERVE(&soft->ids, count)) {
        return;
    }
    sn_world_anchors(report->world, soft->ids.items, count);
    for (int i = 0; i < count; ++i) {
        sn_anchor_hold hold = sn_anchor_hold_now(report->world, soft->ids.items[i]);
        if (hold == SN_ANCHOR_ROWS || hold == SN_ANCHOR_ROWS_INSTEAD) {
            double error = (double)sn_anchor_error(report->world, soft->ids.items[i]);
            worst = report_errors_note(&soft->anchors, error, time) ? i : worst;
            ++soft->anchors.count;
        }
    }
    if (worst >= 0) {
        soft->anchors.worst_of = describe_joint(report->world, soft->ids.items[worst]);
    }
}

// The world knows which it held, and how well.
static void sample_exact(report *report, double time)
{
    report_soft *soft = &report->soft;
    sn_statistics now = sn_world_statistics(report->world);
    soft->exact_rows = now.exact_rows_count > soft->exact_rows ? now.exact_rows_count : soft->exact_rows;
    soft->exact.count = now.exact_count;
    if (now.exact_count > 0) {
        report_errors_note(&soft->exact, (double)now.exact_error, time);
    }
}

void report_soft_sample(report *report, double time)
{
    report_soft *soft = &report->soft;
    report_errors_begin(&soft->edges);
    report_errors_begin(&soft->volumes);
    report_errors_begin(&soft->anchors);
    report_errors_begin(&soft->exact);
    report_errors_begin(&soft->contacts);
    soft->elastic_end = 0.0;
    int count = sn_world_deformables(report->world, NULL, 0);
    if (!SN_LIST_RESERVE(&soft->deformables, count)) {
        return;
    }
    sn_world_deformables(report->world, soft->deformables.items, count);
    for (int i = 0; i < count; ++i) {
        sample_deformable(report, soft->deformables.items[i], time);
        sample_contacts(report, soft->deformables.items[i], time);
    }
    sample_anchors(report, time);
    sample_exact(report, time);
    soft->highest_elastic = fmax(soft->highest_elastic, soft->elastic_end);
}

void report_soft_begin(report *report)
{
    int count = sn_world_deformables(report->world, NULL, 0);
    if (SN_LIST_RESERVE(&report->soft.deformables, count)) {
        sn_world_deformables(report->world, report->soft.deformables.items, count);
        for (int i = 0; i < count; ++i) {
            report->soft.elastic_start +=
                (double)sn_deformable_measure_now(report->world, report->soft.deformables.items[i])
                    .elastic_energy;
        }
    }
    report->soft.highest_elastic = report->soft.elastic_end = report->soft.elastic_start;
}

void report_soft_release(report *report)
{
    SN_LIST_FREE(&report->soft.deformables);
    SN_LIST_FREE(&report->soft.ids);
    SN_LIST_FREE(&report->soft.points);
}
