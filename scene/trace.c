// Traces: the scene's probes, or without any a few quantities that tell whether a run is sound, step by step.
#include "sinew_scene/trace.h"

#include "scene/message.h"
#include "scene/output.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

struct sn_trace {
    const sn_scene *scene;
    sn_output output;
};

// --- columns of a scene without probes ---------------------------------------------------------------------

typedef struct soundness {
    sn_energy energy;
    int contact_count;
    double penetration; // deepest of all contacts [m]
} soundness;

typedef struct column {
    const char *name, *unit;
    double (*value)(const soundness *now);
} column;

static double kinetic(const soundness *now)
{
    return now->energy.kinetic;
}

static double potential(const soundness *now)
{
    return now->energy.potential;
}

static double total(const soundness *now)
{
    return now->energy.kinetic + now->energy.potential;
}

static double momentum(const soundness *now)
{
    const double *p = now->energy.momentum;
    return sqrt(p[0] * p[0] + p[1] * p[1] + p[2] * p[2]);
}

static double contacts(const soundness *now)
{
    return now->contact_count;
}

static double penetration(const soundness *now)
{
    return now->penetration;
}

static const column columns[] = {
    {"kinetic energy", "J", kinetic}, {"potential energy", "J", potential}, {"total energy", "J", total},
    {"momentum", "kg m/s", momentum}, {"contacts", "", contacts},           {"penetration", "m", penetration},
};

enum { COLUMN_COUNT = sizeof columns / sizeof columns[0] };

// The deepest contact of a body, at least `deepest`; negative without memory.
static double deepest_contact(const sn_world *world, sn_rigid rigid, double deepest)
{
    int count = sn_rigid_contacts(world, rigid, NULL, 0);
    sn_contact *list = malloc(((size_t)count + 1) * sizeof *list);
    if (list == NULL) {
        return -1.0;
    }
    count = sn_rigid_contacts(world, rigid, list, count);
    for (int i = 0; i < count; ++i) {
        for (int k = 0; k < list[i].count; ++k) {
            deepest = fmax(deepest, -(double)list[i].points[k].separation);
        }
    }
    free(list);
    return deepest;
}

// The same of a deformable.
static double deepest_soft_contact(const sn_world *world, sn_deformable deformable, double deepest)
{
    int count = sn_deformable_contacts(world, deformable, NULL, 0);
    sn_soft_contact *list = malloc(((size_t)count + 1) * sizeof *list);
    if (list == NULL) {
        return -1.0;
    }
    count = sn_deformable_contacts(world, deformable, list, count);
    for (int i = 0; i < count; ++i) {
        deepest = fmax(deepest, -(double)list[i].separation);
    }
    free(list);
    return deepest;
}

static bool measure_deformables(const sn_world *world, soundness *now)
{
    int count = sn_world_deformables(world, NULL, 0);
    sn_deformable *deformables = malloc(((size_t)count + 1) * sizeof *deformables);
    if (deformables == NULL) {
        return false;
    }
    sn_world_deformables(world, deformables, count);
    for (int i = 0; i < count && now->penetration >= 0.0; ++i) {
        now->penetration = deepest_soft_contact(world, deformables[i], now->penetration);
    }
    free(deformables);
    return now->penetration >= 0.0;
}

static bool measure(const sn_world *world, soundness *now)
{
    sn_statistics statistics = sn_world_statistics(world);
    *now = (soundness){.energy = sn_world_energy(world),
                       .contact_count = statistics.contact_count + statistics.soft_contact_count};
    int count = sn_world_rigids(world, NULL, 0);
    sn_rigid *rigids = malloc(((size_t)count + 1) * sizeof *rigids);
    if (rigids == NULL) {
        return false;
    }
    sn_world_rigids(world, rigids, count);
    for (int i = 0; i < count && now->penetration >= 0.0; ++i) {
        now->penetration = deepest_contact(world, rigids[i], now->penetration);
    }
    free(rigids);
    return now->penetration >= 0.0 && measure_deformables(world, now);
}

// --- cells -------------------------------------------------------------------------------------------------

// Text between quotation marks has those of its own doubled.
static void write_doubled(sn_output *o, const char *text)
{
    for (; *text != '\0'; ++text) {
        sn_output_bytes(o, text, 1);
        if (*text == '"') {
            sn_output_bytes(o, text, 1);
        }
    }
}

// "name [unit]" after a comma, between quotation marks if it has any, or commas, or ends of lines.
static void write_title(sn_output *o, const char *name, const char *unit)
{
    const char *special = ",\"\r\n";
    const char *mark = strpbrk(name, special) != NULL || strpbrk(unit, special) != NULL ? "\"" : "";
    sn_output_text(o, ",%s", mark);
    write_doubled(o, name);
    if (unit[0] != '\0') {
        sn_output_text(o, " [");
        write_doubled(o, unit);
        sn_output_text(o, "]");
    }
    sn_output_text(o, "%s", mark);
}

static void write_value(sn_output *o, double value)
{
    sn_output_text(o, ",");
    if (isfinite(value)) {
        sn_output_number(o, value, 9);
    }
}

// --- the public functions ----------------------------------------------------------------------------------

static void write_titles(sn_trace *trace)
{
    sn_output_text(&trace->output, "time [s]");
    int count = sn_scene_probe_count(trace->scene);
    for (int i = 0; i < count; ++i) {
        write_title(&trace->output, sn_scene_probe_name(trace->scene, i),
                    sn_scene_probe_unit(trace->scene, i));
    }
    for (int i = 0; count == 0 && i < COLUMN_COUNT; ++i) {
        write_title(&trace->output, columns[i].name, columns[i].unit);
    }
    sn_output_text(&trace->output, "\n");
}

sn_status sn_trace_begin(const sn_scene *scene, const char *path, sn_trace **out)
{
    if (out == NULL) {
        return sn_scene_fail(SN_ERROR_NULL, "trace: out is null, expected where to put the trace");
    }
    *out = NULL;
    if (scene == NULL || path == NULL) {
        return sn_scene_fail(SN_ERROR_NULL, "trace: %s is null", scene == NULL ? "scene" : "path");
    }
    sn_trace *trace = calloc(1, sizeof *trace);
    if (trace == NULL) {
        return sn_scene_fail(SN_ERROR_MEMORY, "trace: no memory");
    }
    trace->scene = scene;
    sn_status status = sn_output_open(&trace->output, path);
    if (status != SN_OK) {
        free(trace);
        return status;
    }
    write_titles(trace);
    *out = trace;
    return SN_OK;
}

sn_status sn_trace_row(sn_trace *trace)
{
    if (trace == NULL) {
        return sn_scene_fail(SN_ERROR_NULL, "trace: trace is null");
    }
    const sn_world *world = sn_scene_world(trace->scene);
    int count = sn_scene_probe_count(trace->scene);
    soundness now = {0};
    if (count == 0 && !measure(world, &now)) {
        return sn_scene_fail(SN_ERROR_MEMORY, "trace: no memory for the contacts");
    }
    sn_output_number(&trace->output, sn_world_time(world), 9);
    for (int i = 0; i < count; ++i) {
        write_value(&trace->output, sn_scene_probe_value(trace->scene, i));
    }
    for (int i = 0; count == 0 && i < COLUMN_COUNT; ++i) {
        write_value(&trace->output, columns[i].value(&now));
    }
    sn_output_text(&trace->output, "\n");
    return sn_output_status(&trace->output);
}

sn_status sn_trace_end(sn_trace *trace)
{
    if (trace == NULL) {
        return SN_OK;
    }
    sn_status status = sn_output_close(&trace->output);
    free(trace);
    return status;
}

void sn_trace_drop(sn_trace *trace)
{
    if (trace != NULL) {
        sn_output_drop(&trace->output);
        free(trace);
    }
}
