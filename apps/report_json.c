// The report as one JSON object. Units are those of the library, times of stages milliseconds; the names of
// the fields are a promise to scripts.
#include "apps/report.h"

#include "apps/json_values.h"

#include <math.h>
#include <stdlib.h>

static json_t *vector(const double v[3])
{
    return json_pack("[o, o, o]", json_number(v[0]), json_number(v[1]), json_number(v[2]));
}

static json_t *stages_json(const report *report)
{
    json_t *object = json_object();
    double steps = report->steps > 0 ? (double)report->steps : 1.0;
    double total = report->step_total > 0.0 ? report->step_total : 1.0;
    for (int i = 0; i < REPORT_STAGE_COUNT; ++i) {
        const report_stage *stage = &report->stages[i];
        json_object_set_new(object, report_stage_name(i),
                            json_pack("{s:o, s:o, s:o}", "mean_ms", json_number(stage->total / steps),
                                      "worst_ms", json_number(stage->worst), "share",
                                      json_number(stage->total / total)));
    }
    return object;
}

static json_t *errors_json(const report_errors *errors)
{
    return json_pack("{s:i, s:o, s:o, s:o, s:o, s:o}", "count", errors->count, "rms",
                     json_number(report_rms(errors)), "max", json_number(errors->worst), "end",
                     json_number(errors->end), "max_at", json_number(errors->worst_time), "max_of",
                     json_text(errors->worst_of.text));
}

static json_t *kinds_json(const report *report)
{
    json_t *object = json_object();
    for (int i = 0; i < SN_CONSTRAINT_KIND_COUNT; ++i) {
        if (report->kinds[i].values > 0) {
            json_object_set_new(object, sn_constraint_kind_name((sn_constraint_kind)i),
                                errors_json(&report->kinds[i]));
        }
    }
    if (report->soft.anchors.values > 0) {
        json_object_set_new(object, "anchor", errors_json(&report->soft.anchors));
    }
    if (report->soft.exact.values > 0) {
        json_object_set_new(object, "exact_anchor", errors_json(&report->soft.exact));
    }
    return object;
}

// Shares of the length or volume at rest.
static json_t *deformables_json(const report *report)
{
    json_t *object = json_object();
    if (report->soft.edges.values > 0) {
        json_object_set_new(object, "edges", errors_json(&report->soft.edges));
    }
    if (report->soft.volumes.values > 0) {
        json_object_set_new(object, "volume", errors_json(&report->soft.volumes));
    }
    return object;
}

static json_t *penetration_json(const report_errors *errors, sn_vec3 p)
{
    json_t *object = errors_json(errors);
    const double position[3] = {p.x, p.y, p.z};
    json_object_set_new(object, "max_position", vector(position));
    return object;
}

static json_t *energy_json(const sn_energy *energy, double elastic)
{
    return json_pack("{s:o, s:o, s:o, s:o}", "kinetic", json_number(energy->kinetic), "potential",
                     json_number(energy->potential), "elastic", json_number(elastic), "total",
                     json_number(energy->kinetic + energy->potential + elastic));
}

static json_t *energies_json(const report *report)
{
    const sn_energy *start = &report->energy_start, *end = &report->energy_end;
    double drift = end->kinetic + end->potential + report->soft.elastic_end - start->kinetic -
                   start->potential - report->soft.elastic_start;
    return json_pack(
        "{s:o, s:o, s:o, s:o, s:o, s:o}", "start", energy_json(start, report->soft.elastic_start), "end",
        energy_json(end, report->soft.elastic_end), "drift", json_number(drift), "drift_share",
        json_number(report_energy_drift(report)), "highest_total", json_number(report->highest_energy),
        "highest_kinetic", json_number(report->highest_kinetic));
}

static json_t *momentum_json(const double start[3], const double end[3])
{
    double x = end[0] - start[0], y = end[1] - start[1], z = end[2] - start[2];
    return json_pack("{s:o, s:o, s:o}", "start", vector(start), "end", vector(end), "drift",
                     json_number(sqrt(x * x + y * y + z * z)));
}

static json_t *times_json(const report *report)
{
    double mean = report->steps > 0 ? report->step_total / (double)report->steps : 0.0;
    return json_pack("{s:o, s:o, s:o, s:o, s:o, s:o, s:o}", "wall_seconds", json_number(report->wall_time),
                     "step_seconds", json_number(0.001 * report->step_total), "steps_per_second",
                     json_number(report_steps_per_second(report)), "real_time_factor",
                     json_number(report_real_time_factor(report)), "mean_step_ms", json_number(mean),
                     "worst_step_ms", json_number(report->worst_step), "worst_step_at",
                     json_number(report->worst_step_time));
}

static json_t *counts_json(const report *report)
{
    const sn_statistics *s = &report->statistics;
    json_t *object = json_pack("{s:i, s:i, s:i, s:i, s:i, s:I}", "bodies", s->rigid_count, "awake",
                               s->awake_count, "frozen", s->frozen_count, "shapes", s->shape_count, "joints",
                               s->constraint_count - s->anchor_count, "memory_bytes", (json_int_t)s->bytes);
    json_t *soft =
        json_pack("{s:i, s:i, s:i, s:i, s:i, s:i, s:i, s:i, s:i}", "deformables", s->deformable_count,
                  "deformables_awake", s->awake_deformable_count, "nodes", s->node_count, "nodes_frozen",
                  s->frozen_node_count, "elements", s->element_count, "elements_unresolved",
                  s->unresolved_count, "anchors", s->anchor_count, "anchors_exact", s->exact_count,
                  "anchors_exact_by_rows", report->soft.exact_rows);
    json_object_update(object, soft);
    json_decref(soft);
    return object;
}

static json_t *contacts_json(const report *report)
{
    return json_pack("{s:o, s:i, s:i}", "mean", json_number(report->touching_sum / (double)report->samples),
                     "max", report->touching_most, "end", report->statistics.contact_count);
}

// Errors of the iterations of the last step, where the scene has them measured (position.monitor).
static json_t *residuals_json(const report *report)
{
    json_t *array = json_array();
    int count = sn_world_residuals(report->world, NULL, 0);
    sn_residual *residuals = calloc((size_t)count + 1, sizeof *residuals);
    for (int i = 0; residuals != NULL && i < sn_world_residuals(report->world, residuals, count); ++i) {
        json_array_append_new(array,
                              json_pack("{s:o, s:o}", "primal", json_number((double)residuals[i].primal),
                                        "dual", json_number((double)residuals[i].dual)));
    }
    free(residuals);
    return array;
}

json_t *report_json(const report *report)
{
    char hash[24];
    snprintf(hash, sizeof hash, "%016llx", (unsigned long long)report->hash);
    json_t *object =
        json_pack("{s:s, s:o, s:I, s:o, s:o, s:i, s:i}", "sinew", sn_version(), "title",
                  json_text(sn_scene_title(report->scene)), "steps", (json_int_t)report->steps, "start_time",
                  json_number(report->start_time), "end_time", json_number(report->end_time), "sub_steps",
                  sn_world_sub_steps(report->world), "threads", sn_world_settings(report->world).threads);
    if (object == NULL) {
        return NULL;
    }
    json_object_set_new(object, "time", times_json(report));
    json_object_set_new(object, "stages", stages_json(report));
    json_object_set_new(object, "counts", counts_json(report));
    json_object_set_new(object, "contacts", contacts_json(report));
    json_object_set_new(object, "samples", json_integer((json_int_t)report->samples));
    json_object_set_new(object, "sampling_seconds", json_number(0.001 * report->sampling_total));
    json_object_set_new(object, "constraint_errors", kinds_json(report));
    json_object_set_new(object, "deformable_errors", deformables_json(report));
    json_object_set_new(object, "penetration", penetration_json(&report->contacts, report->worst_contact));
    json_object_set_new(object, "soft_contacts",
                        penetration_json(&report->soft.contacts, report->soft.worst_contact));
    json_object_set_new(object, "trouble", report_trouble_json(report));
    json_object_set_new(object, "loads", report_loads_json(report));
    json_object_set_new(object, "residuals", residuals_json(report));
    json_object_set_new(object, "energy", energies_json(report));
    json_object_set_new(object, "momentum",
                        momentum_json(report->energy_start.momentum, report->energy_end.momentum));
    json_object_set_new(
        object, "angular_momentum",
        momentum_json(report->energy_start.angular_momentum, report->energy_end.angular_momentum));
    json_object_set_new(object, "hash", json_string(hash));
    return object;
}
