// Fast small bodies against a thin wall: spheres of 0.1 m radius at 300 m/s (5 m per step) and a wall 1 cm
// thick. Each shot is aimed at a random point of the wall from a random distance and direction on either
// side, so that the moment of impact falls anywhere within a step. Shots do not see each other.
#include "cases.h"
#include "measure.h"
#include "support/random.h"

#include <stdio.h>
#include <stdlib.h>

static const float shot_radius = 0.1f, shot_speed = 300.0f;
static const float wall_half_width = 10.0f, wall_half_thickness = 0.005f;
static const float aim_half_width = 8.0f;

// Long enough for the farthest shot to arrive and to be pushed through later, if it is to be.
enum { SHOT_STEPS = 60 };

typedef struct shooting {
    sn_world *world;
    int count, passed;
    sn_rigid *shots;
    sn_vec3 *positions; ///< after the last step
} shooting;

static sn_status add_box_wall(sn_world *world)
{
    sn_box wall = {{wall_half_width, wall_half_width, wall_half_thickness}};
    return sn_box_add(world, sn_world_ground(world), NULL, wall, NULL);
}

// The same wall as two sheets of triangles back to back, 8 × 8 squares each, facing outwards.
static sn_status add_surface_wall(sn_world *world)
{
    enum { SIDE = 8, VERTICES = 2 * (SIDE + 1) * (SIDE + 1), TRIANGLES = 2 * 2 * SIDE * SIDE };
    sn_vec3 vertices[VERTICES];
    uint32_t triangles[3 * TRIANGLES];
    int vertex_count = 0, index_count = 0;
    for (int sheet = 0; sheet < 2; ++sheet) {
        uint32_t first = (uint32_t)vertex_count;
        float z = sheet == 0 ? wall_half_thickness : -wall_half_thickness;
        for (int i = 0; i < (SIDE + 1) * (SIDE + 1); ++i) {
            float x = wall_half_width * (2.0f * (float)(i % (SIDE + 1)) / SIDE - 1.0f);
            float y = wall_half_width * (2.0f * (float)(i / (SIDE + 1)) / SIDE - 1.0f);
            vertices[vertex_count++] = sn_v(x, y, z);
        }
        for (int i = 0; i < SIDE * SIDE; ++i) {
            uint32_t a = first + (uint32_t)(i / SIDE * (SIDE + 1) + i % SIDE);
            uint32_t b = a + 1, c = a + SIDE + 2, d = a + SIDE + 1;
            const uint32_t front[6] = {a, b, c, a, c, d}, back[6] = {a, c, b, a, d, c};
            for (int k = 0; k < 6; ++k) {
                triangles[index_count++] = sheet == 0 ? front[k] : back[k];
            }
        }
    }
    sn_surface *surface = NULL;
    sn_status status = sn_surface_create(vertices, VERTICES, triangles, TRIANGLES, false, &surface);
    if (status == SN_OK) {
        status = sn_surface_add(world, sn_world_ground(world), NULL, surface, NULL);
    }
    sn_surface_destroy(surface);
    return status;
}

// At most 80 degrees off the wall's normal: flatter shots graze.
static sn_vec3 random_approach(test_random *random)
{
    sn_vec3 direction = test_random_direction(random);
    while (sn_abs(direction.z) < 0.17f) {
        direction = test_random_direction(random);
    }
    return direction;
}

static sn_status add_shot(sn_world *world, test_random *random, sn_rigid *shot)
{
    float aim_x = test_random_float(random, -aim_half_width, aim_half_width);
    float aim_y = test_random_float(random, -aim_half_width, aim_half_width);
    sn_vec3 direction = random_approach(random);
    // The wall is met after 1 to 16 m of free flight of the sphere's near side.
    float clearance = (shot_radius + wall_half_thickness) / sn_abs(direction.z);
    float flight = clearance + test_random_float(random, 1.0f, 16.0f);
    sn_rigid_def def = sn_rigid_def_default();
    def.position = sn_add_scaled(sn_v(aim_x, aim_y, 0.0f), -flight, direction);
    def.linear_velocity = sn_scale(direction, shot_speed);
    sn_status status = sn_rigid_add(world, &def, shot);
    if (status != SN_OK) {
        return status;
    }
    sn_shape_def shape = sn_shape_def_default();
    shape.filter.group = -1;
    sn_sphere sphere = {{0.0f, 0.0f, 0.0f}, shot_radius};
    return sn_sphere_add(world, *shot, &shape, sphere, NULL);
}

static sn_status load_shots(shooting *shooting)
{
    test_random random = {300};
    for (int i = 0; i < shooting->count; ++i) {
        sn_status status = add_shot(shooting->world, &random, &shooting->shots[i]);
        if (status != SN_OK) {
            return status;
        }
        shooting->positions[i] = sn_rigid_position(shooting->world, shooting->shots[i]);
    }
    return SN_OK;
}

// A shot passes when its centre crosses the wall's middle plane inside the wall's outline. One that slid off
// the rim and falls past the outside is no pass.
static bool crosses_wall(sn_vec3 before, sn_vec3 after)
{
    if ((before.z < 0.0f) == (after.z < 0.0f)) {
        return false;
    }
    sn_vec3 crossing = sn_lerp(before, after, before.z / (before.z - after.z));
    return sn_abs(crossing.x) < wall_half_width && sn_abs(crossing.y) < wall_half_width;
}

static sn_status fire(shooting *shooting)
{
    for (int step = 0; step < SHOT_STEPS; ++step) {
        sn_status status = sn_world_step(shooting->world, TEST_SCENE_STEP);
        if (status != SN_OK) {
            return status;
        }
        for (int i = 0; i < shooting->count; ++i) {
            sn_vec3 now = sn_rigid_position(shooting->world, shooting->shots[i]);
            shooting->passed += crosses_wall(shooting->positions[i], now);
            shooting->positions[i] = now;
        }
    }
    return SN_OK;
}

static sn_status shoot(shooting *shooting, sn_status (*add_wall)(sn_world *world))
{
    sn_world_def def = bench_settings(1);
    sn_status status = sn_world_create(&def, &shooting->world);
    if (status == SN_OK) {
        status = add_wall(shooting->world);
    }
    if (status == SN_OK) {
        status = load_shots(shooting);
    }
    return status == SN_OK ? fire(shooting) : status;
}

static void run_shooting(bench_report *report, bench_row *row, const char *wall,
                         sn_status (*add_wall)(sn_world *world), const bench_options *options)
{
    shooting shooting = {.count = options->quick ? 100 : 1000};
    shooting.shots = calloc((size_t)shooting.count, sizeof *shooting.shots);
    shooting.positions = calloc((size_t)shooting.count, sizeof *shooting.positions);
    snprintf(row->what, sizeof row->what, "sphere 0.1 m at 300 m/s at a 1 cm wall (%s), %d random shots",
             wall, shooting.count);
    sn_status status = SN_ERROR_MEMORY;
    if (shooting.shots != NULL && shooting.positions != NULL) {
        status = shoot(&shooting, add_wall);
    }
    if (status == SN_OK) {
        snprintf(row->measured, sizeof row->measured, "%d pass", shooting.passed);
        row->verdict = shooting.passed == 0 ? BENCH_PASS : BENCH_MISS;
        bench_row_value(row, "shots", shooting.count);
        bench_row_value(row, "passed", shooting.passed);
    } else {
        bench_row_fail(row, shooting.world, status);
    }
    bench_report_add(report, row);
    sn_world_destroy(shooting.world);
    free(shooting.shots);
    free(shooting.positions);
}

void bench_shots(bench_report *report, const char *name, const bench_options *options)
{
    bench_row box = {.name = name, .bar = "0 pass", .today = "-"};
    run_shooting(report, &box, "box", add_box_wall, options);
    bench_row surface = {.name = name, .bar = "0 pass", .today = "-"};
    run_shooting(report, &surface, "triangles", add_surface_wall, options);
}
