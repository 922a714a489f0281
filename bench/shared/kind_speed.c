// Building worlds of one kind of constraint, and timing them.
#include "bench/shared/kind_speed.h"

#include "bench/shared/exact_board.h"
#include "bench/shared/numbers.h"

#include <stdlib.h>

enum { STEPS = 60, RUNS = BENCH_KIND_RUNS };

// With two elements a constraint holds the first node of the second to all of the first.
const bench_kind bench_kinds[BENCH_KIND_COUNT] = {
    {"points to nails", 1, 2, 20000, 1, 1000.0},         {"two points to one", 1, 2, 10000, 2, 500.0},
    {"a thousand points to one", 500, 2, 20, 1000, 1.0}, {"points to lines", 2, 2, 7000, 3, 333.0},
    {"points to triangles", 2, 3, 5000, 4, 250.0},       {"points to tetrahedra", 2, 4, 4000, 5, 200.0},
};

// --- building ----------------------------------------------------------------------------------------------

// So many elements in a row.
static sn_status make_mesh(const bench_kind *kind, sn_mesh **mesh)
{
    static const sn_vec3 corners[4] = {{0, 0, 0}, {0.1f, 0, 0}, {0, 0.1f, 0}, {0, 0, 0.1f}};
    int elements = kind->parts * kind->count, nodes = elements * kind->corners;
    sn_vec3 *places = calloc((size_t)nodes, sizeof *places);
    uint32_t *numbers = calloc((size_t)nodes, sizeof *numbers);
    sn_status status = places != NULL && numbers != NULL ? SN_OK : SN_ERROR_MEMORY;
    for (int i = 0; i < nodes && status == SN_OK; ++i) {
        int element = i / kind->corners;
        sn_vec3 middle = sn_v(0.2f * (float)(element % 200 - 100), 0.0f, 0.2f * (float)(element / 200));
        places[i] = sn_add(middle, corners[i % kind->corners]);
        numbers[i] = (uint32_t)i;
    }
    if (status == SN_OK) {
        sn_mesh_def def = sn_mesh_def_default();
        def.nodes = places;
        def.node_count = nodes;
        def.edges = kind->corners == 2 ? numbers : NULL;
        def.edge_count = kind->corners == 2 ? elements : 0;
        def.triangles = kind->corners == 3 ? numbers : NULL;
        def.triangle_count = kind->corners == 3 ? elements : 0;
        def.tetrahedra = kind->corners == 4 ? numbers : NULL;
        def.tetrahedron_count = kind->corners == 4 ? elements : 0;
        status = sn_mesh_create(&def, mesh);
    }
    free(places);
    free(numbers);
    return status;
}

static sn_status hold(sn_world *world, sn_point a, sn_point b)
{
    sn_anchor_def def = sn_anchor_def_default();
    def.a = a;
    def.b = b;
    def.exact = true;
    return sn_anchor_add(world, &def, NULL);
}

// The middle of an element.
static sn_point middle_of(sn_deformable all, int first, int count)
{
    int nodes[4] = {first, first + 1, first + 2, first + 3};
    float weights[4] = {1.0f / (float)count, 1.0f / (float)count, 1.0f / (float)count, 1.0f / (float)count};
    return sn_point_nodes(all, nodes, weights, count);
}

static sn_status add_constraint(sn_world *world, sn_deformable all, const bench_kind *kind, int index)
{
    int first = index * kind->parts * kind->corners;
    sn_status status = SN_OK;
    if (kind->parts == 2) {
        return hold(world, sn_point_node(all, first + kind->corners), middle_of(all, first, kind->corners));
    }
    if (kind->points == 1) {
        sn_vec3 place = sn_deformable_nodes(world, all)[first].position;
        return hold(world, sn_point_node(all, first), sn_point_world(place));
    }
    for (int i = 1; i < kind->points && status == SN_OK; ++i) {
        status = hold(world, sn_point_node(all, first), sn_point_node(all, first + i));
    }
    return status;
}

static sn_status make_world(const bench_kind *kind, sn_world **world)
{
    sn_mesh *mesh = NULL;
    sn_world_def settings = bench_settings(1);
    settings.sub_steps = 1;
    sn_deformable all;
    sn_status status = make_mesh(kind, &mesh);
    status = status ? status : sn_world_create(&settings, world);
    if (status == SN_OK) {
        sn_deformable_def def = sn_deformable_def_default();
        def.mesh = mesh;
        def.mass = 0.01f * (float)sn_mesh_node_count(mesh);
        def.collide = false;
        status = sn_deformable_add(*world, &def, &all);
    }
    for (int i = 0; i < kind->count && status == SN_OK; ++i) {
        status = add_constraint(*world, all, kind, i);
    }
    sn_mesh_destroy(mesh);
    return status;
}

// --- measuring ---------------------------------------------------------------------------------------------

sn_status bench_kind_time(const bench_kind *kind, double *time)
{
    double best[STEPS] = {0.0};
    sn_status status = SN_OK;
    *time = 0.0;
    for (int run = 0; run < RUNS && status == SN_OK; ++run) {
        sn_world *world = NULL;
        status = make_world(kind, &world);
        status = status ? status : sn_world_step(world, BOARD_STEP); // which plans
        for (int i = 0; i < STEPS && status == SN_OK; ++i) {
            status = sn_world_step(world, BOARD_STEP);
            double now = (double)sn_world_profile(world).exact;
            best[i] = run == 0 || now < best[i] ? now : best[i];
        }
        bool exact = status != SN_OK || sn_world_statistics(world).exact_rows_count == 0;
        status = exact ? status : SN_ERROR_KIND;
        sn_world_destroy(world);
    }
    for (int i = 0; i < STEPS && status == SN_OK; ++i) {
        *time += best[i] / STEPS;
    }
    return status;
}
