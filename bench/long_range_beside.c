// One island that takes many sub-steps beside many that do not: what the others cost.
#include "cases.h"
#include "measure.h"
#include "soft_cases.h"
#include "support/scene_builder.h"

#include <math.h>
#include <stdio.h>

enum { STACKS = 100, STACKED = 10, CLOTHS = 3, STEPS = 120 };
enum { OTHERS = 1, HEAVY = 2 };

static void add_boxes(scene_builder *builder)
{
    scene_floor(builder);
    for (int i = 0; i < STACKS * STACKED; ++i) {
        float x = 2.0f * (float)(i / STACKED % 10), z = 2.0f * (float)(i / STACKED / 10);
        scene_box(builder, scene_at(x, 0.25f + 0.5f * (float)(i % STACKED), z), sn_v(0.25f, 0.25f, 0.25f),
                  1000.0f);
    }
}

static sn_deformable add_soft(scene_builder *builder, sn_mesh *mesh, float mass, sn_pose pose)
{
    sn_deformable added = {0};
    if (builder->status == SN_OK) {
        sn_deformable_def def = sn_deformable_def_default();
        def.mesh = mesh;
        def.mass = mass;
        def.inextensible.on = true;
        def.pose = pose;
        builder->status = sn_deformable_add(builder->world, &def, &added);
    }
    sn_mesh_destroy(mesh);
    return added;
}

static void fix(scene_builder *builder, sn_deformable deformable, int node)
{
    if (builder->status == SN_OK) {
        builder->status = sn_node_fix(builder->world, deformable, node, true);
    }
}

// Hung by two corners.
static void add_cloths(scene_builder *builder)
{
    enum { CELLS = 30 };
    for (int i = 0; i < CLOTHS && builder->status == SN_OK; ++i) {
        sn_mesh *mesh = NULL;
        builder->status = sn_mesh_grid(1.0f, 1.0f, CELLS, CELLS, SN_GRID_ALTERNATING, &mesh);
        sn_deformable cloth = add_soft(builder, mesh, 0.3f, scene_at(3.0f * (float)i, 10.0f, -5.0f));
        fix(builder, cloth, CELLS * (CELLS + 1));
        fix(builder, cloth, (CELLS + 1) * (CELLS + 1) - 1);
    }
}

// A hundred kilogrammes on a rope of nodes of 10 g.
static void add_heavy(scene_builder *builder)
{
    enum { EDGES = 49 };
    sn_mesh *mesh = NULL;
    if (builder->status == SN_OK) {
        builder->status = sn_mesh_line(2.0f, EDGES, &mesh);
    }
    sn_pose pose = {{-10.0f, 10.0f, 0.0f}, sn_quat_axis_angle(sn_v(0.0f, 0.0f, 1.0f), -0.5f * SN_PI)};
    sn_deformable rope = add_soft(builder, mesh, 0.01f * (EDGES + 1), pose);
    fix(builder, rope, 0);
    sn_rigid ball = scene_sphere(builder, scene_at(-10.0f, 8.8f, 0.0f), 0.2f);
    if (builder->status == SN_OK) {
        sn_mass mass = sn_rigid_mass(builder->world, ball);
        mass.inertia = sn_mat3_scale(mass.inertia, 100.0f / mass.mass);
        mass.mass = 100.0f;
        builder->status = sn_rigid_mass_set(builder->world, ball, &mass);
    }
    if (builder->status == SN_OK) {
        sn_anchor_def anchor = sn_anchor_def_default();
        anchor.a = sn_point_on_rigid(builder->world, ball, sn_v(-10.0f, 9.0f, 0.0f));
        anchor.b = sn_point_node(rope, EDGES);
        builder->status = sn_anchor_add(builder->world, &anchor, NULL);
    }
}

static sn_status make_world(int parts, sn_world **world)
{
    sn_world_def settings = bench_settings(1);
    scene_builder builder = {NULL, sn_world_create(&settings, world)};
    builder.world = *world;
    if ((parts & OTHERS) != 0) {
        add_boxes(&builder);
        add_cloths(&builder);
    }
    if ((parts & HEAVY) != 0) {
        add_heavy(&builder);
    }
    return builder.status;
}

// All three worlds step in turn, so that whatever else the machine does slows all of them.
void bench_long_beside(bench_report *report, const char *name, const bench_options *options)
{
    sn_world *worlds[3] = {NULL, NULL, NULL};
    static double times[3][STEPS];
    int steps = options->quick ? STEPS / 4 : STEPS;
    sn_status status = SN_OK;
    for (int i = 0; i < 3 && status == SN_OK; ++i) {
        status = make_world(i + 1, &worlds[i]); // the others, the heavy one, both
    }
    for (int k = 0; k < steps && status == SN_OK; ++k) {
        for (int i = 0; i < 3 && status == SN_OK; ++i) {
            double start = bench_cpu_clock();
            status = sn_world_step(worlds[i], 1.0f / 60.0f);
            times[i][k] = bench_cpu_clock() - start;
        }
    }
    bench_row row = {.name = name, .bar = "others within 5 %", .today = "-"};
    snprintf(
        row.what, sizeof row.what,
        "1000 boxes and three cloths, 100 kg on a rope of nodes of 10 g beside them: cost of the others");
    if (status == SN_OK) {
        double others = bench_median(times[0], steps), heavy = bench_median(times[1], steps);
        double both = bench_median(times[2], steps), part = (both - heavy) / others;
        snprintf(row.measured, sizeof row.measured,
                 "%.3f x as without; alone %.2f ms, the heavy one %.2f ms with %d sub-steps, both %.2f ms",
                 part, others, heavy, sn_world_statistics(worlds[1]).sub_steps, both);
        bench_row_value(&row, "part", part);
        bench_row_judge(&row, fabs(part - 1.0) <= 0.05);
    } else {
        bench_row_fail(&row, worlds[2], status);
    }
    bench_report_add(report, &row);
    for (int i = 0; i < 3; ++i) {
        sn_world_destroy(worlds[i]);
    }
}
