// What stands under its own weight, and under more: how far it sinks and creeps, with nothing asleep. Each
// case with support and without it, the latter to see what contacts alone do. The figures are those of the
// end of the run; what it sank at worst is beside.
#include "cases.h"
#include "measure.h"
#include "support/scene_builder.h"

#include <stdio.h>
#include <stdlib.h>

typedef struct stack_case {
    const char *what;
    sn_status (*build)(sn_world *world);
    int seconds;
    float sink; // the bar [m]
} stack_case;

static sn_status build_boxes(sn_world *world, int count, float ratio)
{
    scene_builder builder = {world, SN_OK};
    scene_floor(&builder);
    for (int i = 0; i < count; ++i) {
        scene_box(&builder, scene_at(0.0f, 0.5f + (float)i, 0.0f), sn_v(0.5f, 0.5f, 0.5f),
                  i == count - 1 ? 1000.0f * ratio : 1000.0f);
    }
    return builder.status;
}

static sn_status build_twenty(sn_world *world)
{
    return build_boxes(world, 20, 1.0f);
}

static sn_status build_forty(sn_world *world)
{
    return build_boxes(world, 40, 1.0f);
}

static sn_status build_heavy(sn_world *world)
{
    return build_boxes(world, 10, 100.0f);
}

// Each box lies on two.
static sn_status build_pyramid(sn_world *world)
{
    const int base = 100;
    scene_builder builder = {world, SN_OK};
    scene_floor(&builder);
    for (int row = 0; row < base; ++row) {
        for (int i = 0; i < base - row; ++i) {
            float x = 1.1f * ((float)i - 0.5f * (float)(base - 1 - row));
            scene_box(&builder, scene_at(x, 0.5f + (float)row, 0.0f), sn_v(0.5f, 0.5f, 0.5f), 1000.0f);
        }
    }
    return builder.status;
}

// --- the card house ----------------------------------------------------------------------------------------

static void add_card(scene_builder *builder, sn_pose pose, sn_vec3 half_extents)
{
    sn_rigid card = scene_body(builder, SN_DYNAMIC, pose);
    sn_shape_def material = sn_shape_def_default();
    material.density = 700.0f;
    material.friction = 0.7f;
    if (builder->status == SN_OK) {
        builder->status = sn_box_add(builder->world, card, &material, (sn_box){half_extents}, NULL);
    }
}

// Four storeys: 26 cards of 20 × 14 cm and 4 mm, leaning by 20°.
static sn_status build_cards(sn_world *world)
{
    scene_builder builder = {world, SN_OK};
    sn_shape_def material = sn_shape_def_default();
    material.friction = 0.7f;
    builder.status = sn_plane_add(world, sn_world_ground(world), &material, (sn_plane){{0, 1, 0}, 0}, NULL);
    const float length = 0.2f, thickness = 0.004f, depth = 0.14f, lean = 20.0f * SN_PI / 180.0f;
    float height = length * sn_cos(lean) + thickness * sn_sin(lean);
    float width = length * sn_sin(lean) + thickness * sn_cos(lean), y = 0.0f;
    for (int pairs = 4; pairs > 0; --pairs) {
        for (int i = 0; i < 2 * pairs; ++i) {
            sn_pose pose = scene_at(width * ((float)i - (float)pairs + 0.5f), y + 0.5f * height, 0.0f);
            pose.rotation = sn_quat_axis_angle(sn_v(0, 0, 1), i % 2 == 0 ? -lean : lean);
            add_card(&builder, pose, sn_v(0.5f * thickness, 0.5f * length, 0.5f * depth));
        }
        y += height;
        for (int i = 0; i < pairs - 1; ++i) {
            sn_pose pose =
                scene_at(2.0f * width * ((float)i - 0.5f * (float)(pairs - 2)), y + 0.5f * thickness, 0);
            add_card(&builder, pose, sn_v(width - 0.001f, 0.5f * thickness, 0.5f * depth));
        }
        y += thickness;
    }
    return builder.status;
}

// --- the arch ----------------------------------------------------------------------------------------------

// A wedge of a half-circle about the origin.
static sn_status add_stone(scene_builder *builder, float angle, float half_angle)
{
    const float inner = 2.0f, outer = 2.6f, half_depth = 0.5f, middle = 2.3f;
    sn_vec3 center = sn_v(middle * sn_cos(angle), middle * sn_sin(angle), 0.0f), corners[8];
    for (int i = 0; i < 8; ++i) {
        float turn = angle + (i & 1 ? half_angle : -half_angle), radius = i & 2 ? outer : inner;
        corners[i] = sn_sub(
            sn_v(radius * sn_cos(turn), radius * sn_sin(turn), i & 4 ? half_depth : -half_depth), center);
    }
    sn_rigid stone = scene_body(builder, SN_DYNAMIC, scene_at(center.x, center.y, center.z));
    sn_shape_def material = sn_shape_def_default();
    material.density = 2400.0f;
    material.friction = 0.75f;
    sn_hull *hull = NULL;
    sn_status status = builder->status ? builder->status : sn_hull_create(corners, 8, 8, &hull);
    status = status ? status : sn_hull_add(builder->world, stone, &material, hull, NULL);
    sn_hull_destroy(hull);
    return status;
}

static sn_status build_arch(sn_world *world)
{
    const int stones = 17;
    scene_builder builder = {world, SN_OK};
    scene_floor(&builder);
    float half_angle = 0.5f * SN_PI / (float)stones;
    for (int i = 0; i < stones; ++i) {
        builder.status = add_stone(&builder, half_angle * (float)(2 * i + 1), half_angle);
    }
    return builder.status;
}

// --- running -----------------------------------------------------------------------------------------------

typedef struct stack_figures {
    test_drift end, worst;
    double creep; // sideways, in the last second [m/s]
    double cpu;   // a step [ms]
} stack_figures;

static double creep_of(const test_scene_run *run, const sn_vec3 *before)
{
    double farthest = 0.0;
    for (int i = 0; i < run->body_count; ++i) {
        sn_vec3 way = sn_sub(sn_rigid_center(run->world, run->bodies[i]), before[i]);
        double sideways = (double)sn_length(sn_v(way.x, 0.0f, way.z));
        farthest = sideways > farthest ? sideways : farthest;
    }
    return farthest;
}

static sn_status run_case(const stack_case *stack, bool support, const bench_options *options,
                          stack_figures *figures)
{
    test_scene scene = {.name = stack->what, .fallen_distance = 0.1f, .build = stack->build};
    sn_world_def def = bench_settings(1);
    def.long_range.support = support;
    int steps = 60 * (options->quick ? 3 : stack->seconds);
    test_scene_run run;
    sn_status status = test_scene_open(&scene, &def, &run);
    sn_vec3 *before = status == SN_OK ? calloc((size_t)run.body_count, sizeof *before) : NULL;
    double start = bench_cpu_clock();
    for (int i = 0; i < steps && status == SN_OK && before != NULL; ++i) {
        for (int k = 0; i == steps - 60 && k < run.body_count; ++k) {
            before[k] = sn_rigid_center(run.world, run.bodies[k]);
        }
        status = test_scene_step(&run, 1);
        figures->end = test_scene_drift(&run);
        figures->worst.sink = sn_max(figures->worst.sink, figures->end.sink);
    }
    figures->cpu = (bench_cpu_clock() - start) / steps;
    figures->creep = before != NULL ? creep_of(&run, before) : 0.0;
    free(before);
    test_scene_close(&run);
    return status;
}

void bench_long_range_stacks(bench_report *report, const char *name, const bench_options *options)
{
    static const stack_case cases[] = {
        {"20 boxes", build_twenty, 20, 0.3e-3f},
        {"40 boxes", build_forty, 20, 1.0e-3f},
        {"10 boxes, the top one 100 x heavier", build_heavy, 20, 1.0e-3f},
        {"card house of 26", build_cards, 20, 0.3e-3f},
        {"arch of 17 stones", build_arch, 20, 0.3e-3f},
        {"pyramid of 5050 boxes", build_pyramid, 20, 5.0e-3f},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; ++i) {
        for (int support = 1; support >= 0; --support) {
            char bar[BENCH_TEXT];
            bench_row row = {.name = name, .bar = bar, .today = ""};
            stack_figures figures = {0};
            snprintf(bar, sizeof bar, "sink <= %.1f mm, creep < 0.01 mm/s", 1000.0 * (double)cases[i].sink);
            snprintf(row.what, sizeof row.what, "%s, %s support", cases[i].what,
                     support ? "with" : "without");
            sn_status status = run_case(&cases[i], support == 1, options, &figures);
            if (status != SN_OK) {
                bench_row_fail(&row, NULL, status);
            } else {
                snprintf(row.measured, sizeof row.measured,
                         "sink %.3f mm (at worst %.3f), creep %.4f mm/s, %d fallen, %.2f ms a step",
                         1000.0 * (double)figures.end.sink, 1000.0 * (double)figures.worst.sink,
                         1000.0 * figures.creep, figures.end.fallen, figures.cpu);
                bool pass =
                    figures.end.fallen == 0 && figures.end.sink <= cases[i].sink && figures.creep < 1.0e-5;
                row.verdict = pass ? BENCH_PASS : BENCH_MISS;
                bench_row_value(&row, "sink_m", (double)figures.end.sink);
                bench_row_value(&row, "worst_sink_m", (double)figures.worst.sink);
                bench_row_value(&row, "creep_m_per_s", figures.creep);
                bench_row_value(&row, "step_ms", figures.cpu);
            }
            bench_report_add(report, &row);
        }
    }
}
