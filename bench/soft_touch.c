// Contact of deformables that must hold: nothing crosses, whatever is thrown at whatever. One table of
// variants; each is built by a function and run by soft_touch_run.c. SINEW_BENCH_VARIANT picks those whose
// words contain it.
#include "cases.h"
#include "measure.h"
#include "soft_cases.h"
#include "soft_touch_run.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef struct variant {
    const char *words;
    void (*build)(touch_scene *scene, float parameter);
    float parameter;
    int steps;
    double most_ms;    ///< mean, 0 for no bar
    double most_ratio; ///< of the worst step to the mean, 0 for no bar
    double most_bytes; ///< a node, 0 for no bar
    double most_rms;   ///< in the last second, 0 for no bar [m/s]
} variant;

static const float frame = 0.02f; ///< [s]

static sn_pose at(float x, float y, float z)
{
    return (sn_pose){sn_v(x, y, z), sn_quat_identity};
}

// --- cloth on things ---------------------------------------------------------------------------------------

// That of S1: 2 m, 0.8 kg, 51 x 51 nodes.
static sn_deformable_def big_cloth(touch_scene *scene, sn_vec3 position)
{
    return touch_cloth(scene, 2.0f, 50, 0.8f, position);
}

static void drop_cloth(touch_scene *scene, sn_vec3 position)
{
    sn_deformable_def def = big_cloth(scene, position);
    touch_add(scene, &def);
}

// That of S1, its top at 1 m; fixed for no mass.
static void add_ball(touch_scene *scene, float mass)
{
    touch_solid_add(scene, TOUCH_BALL, sn_v(0.5f, 0.5f, 0.5f), mass, at(0.0f, 0.5f, 0.0f), sn_v(0, 0, 0));
}

static void cloth_on_ball(touch_scene *scene, float parameter)
{
    add_ball(scene, 0.0f);
    drop_cloth(scene, sn_v(parameter, 1.05f, 0.0f));
}

static void cloth_undamped(touch_scene *scene, float parameter)
{
    add_ball(scene, 0.0f);
    sn_deformable_def def = big_cloth(scene, sn_v(0.0f, 1.0f + parameter, 0.0f));
    def.linear_damping = 0.0f;
    touch_add(scene, &def);
}

static void cloth_rolling(touch_scene *scene, float parameter)
{
    (void)parameter;
    touch_floor(scene, 0.0f);
    add_ball(scene, 1.0f);
    drop_cloth(scene, sn_v(0.0f, 1.05f, 0.0f));
}

static void cloth_on_edge(touch_scene *scene, float parameter)
{
    sn_quat turn = sn_quat_axis_angle(sn_v(0.0f, 0.0f, 1.0f), 0.25f * SN_PI);
    sn_pose pose = {sn_v(0.0f, 0.5f, 0.0f), turn};
    touch_solid_add(scene, TOUCH_BOX, sn_v(0.35f, 0.35f, 0.35f), 0.0f, pose, sn_v(0, 0, 0));
    drop_cloth(scene, sn_v(parameter, 1.05f, 0.0f));
}

static void cloth_on_boxes(touch_scene *scene, float parameter)
{
    (void)parameter;
    touch_floor(scene, 0.0f);
    for (int i = 0; i < 3; ++i) {
        float size = 0.25f - 0.06f * (float)i;
        float height = 0.25f + (i > 0 ? 0.45f : 0.0f) + (i > 1 ? 0.33f : 0.0f);
        touch_solid_add(scene, TOUCH_BOX, sn_v(size, size, size), 5.0f, at(0.0f, height, 0.0f),
                        sn_v(0, 0, 0));
    }
    drop_cloth(scene, sn_v(0.0f, 1.3f, 0.0f));
}

static void cloth_on_small_ball(touch_scene *scene, float parameter)
{
    touch_solid_add(scene, TOUCH_BALL, sn_v(parameter, 0, 0), 0.0f, at(0.0f, 1.0f - parameter, 0.0f),
                    sn_v(0, 0, 0));
    drop_cloth(scene, sn_v(0.0f, 1.05f, 0.0f));
}

static void cloth_on_rod(touch_scene *scene, float parameter)
{
    touch_solid_add(scene, TOUCH_ROD, sn_v(parameter, 1.5f, 0.0f), 0.0f, at(0.0f, 1.0f, 0.0f), sn_v(0, 0, 0));
    drop_cloth(scene, sn_v(0.0f, 1.05f, 0.1f));
}

// A cloth whose nodes are moved within its plane, so that no two triangles are alike.
static void cloth_irregular(touch_scene *scene, float parameter)
{
    sn_mesh *grid = NULL, *mesh = NULL;
    sn_deformable_def def = big_cloth(scene, sn_v(0.0f, 1.05f, 0.0f));
    grid = scene->meshes[0];
    int count = sn_mesh_node_count(grid);
    sn_vec3 *nodes = malloc((size_t)count * sizeof *nodes);
    uint32_t state = 1;
    for (int i = 0; nodes != NULL && i < count; ++i) {
        nodes[i] = sn_mesh_nodes(grid)[i];
        for (int k = 0; k < 2; ++k) {
            state = state * 1664525u + 1013904223u;
            (&nodes[i].x)[k] += parameter * ((float)(state >> 8) / 16777216.0f - 0.5f);
        }
    }
    sn_mesh_def shape = sn_mesh_def_default();
    shape.nodes = nodes;
    shape.node_count = count;
    shape.triangles = sn_mesh_triangles(grid);
    shape.triangle_count = sn_mesh_triangle_count(grid);
    scene->status = scene->status ? scene->status : sn_mesh_create(&shape, &mesh);
    free(nodes);
    def.mesh = touch_own(scene, mesh);
    add_ball(scene, 0.0f);
    touch_add(scene, &def);
}

static const variant cloths[] = {
    {"S1a", cloth_on_ball, 0.0f, 300, 8.0, 0, 0, 0},
    {"S1b", cloth_rolling, 0.0f, 300, 8.0, 0, 0, 0},
    {"no damping, from 0.3 m", cloth_undamped, 0.3f, 300, 8.0, 0, 0, 0},
    {"0.35 m off the middle", cloth_on_ball, 0.35f, 300, 8.0, 0, 0, 0},
    {"box on its edge", cloth_on_edge, 0.0f, 300, 8.0, 0, 0, 0},
    {"stack of boxes", cloth_on_boxes, 0.0f, 300, 8.0, 0, 0, 0},
    {"ball of 10 cm", cloth_on_small_ball, 0.1f, 300, 8.0, 0, 0, 0},
    {"ball of 5 cm", cloth_on_small_ball, 0.05f, 300, 8.0, 0, 0, 0},
    {"capsule of 2 cm", cloth_on_rod, 0.02f, 300, 8.0, 0, 0, 0},
    {"irregular mesh", cloth_irregular, 0.02f, 300, 8.0, 0, 0, 0},
};

// --- thrown ------------------------------------------------------------------------------------------------

static void cloth_thrown(touch_scene *scene, float speed)
{
    touch_solid_add(scene, TOUCH_BOX, sn_v(0.3f, 0.3f, 0.3f), 0.0f, at(0.0f, 1.0f, 0.0f), sn_v(0, 0, 0));
    sn_deformable_def def = big_cloth(scene, sn_v(-1.5f, 1.0f, 0.0f));
    def.pose.rotation = sn_quat_axis_angle(sn_v(0.0f, 1.0f, 0.0f), 0.5f * SN_PI);
    def.linear_velocity = sn_v(speed, 0.0f, 0.0f);
    touch_add(scene, &def);
    touch_floor(scene, 0.0f);
}

static const variant thrown[] = {
    {"cloth thrown at a box at 20 m/s", cloth_thrown, 20.0f, 150, 0, 6.0, 6144.0, 0},
    {"cloth thrown at a box at 50 m/s", cloth_thrown, 50.0f, 150, 0, 6.0, 6144.0, 0},
};

// --- wrung -------------------------------------------------------------------------------------------------

enum { TOWEL_CELLS = 50 };

// Both ends turn, one way and the other, a turn of the whole in a second, and come closer in the first one,
// lest its rim be stretched.
static void wring(touch_scene *scene, float time)
{
    const float length = 1.0f, width = 0.3f;
    float turns = sn_min(time, scene->parameter), half = 0.5f * length * (1.0f - 0.35f * sn_min(turns, 1.0f));
    for (int i = 0; i < 2 * (TOWEL_CELLS + 1); ++i) {
        int k = i / 2, row = i % 2 * TOWEL_CELLS, node = row * (TOWEL_CELLS + 1) + k;
        float angle = (row == 0 ? -1.0f : 1.0f) * SN_PI * turns, at = width * ((float)k / TOWEL_CELLS - 0.5f);
        sn_vec3 target = {at * sn_cos(angle), 1.0f + at * sn_sin(angle), row == 0 ? half : -half};
        sn_status status = sn_node_target_set(scene->world, scene->soft[0], node, target);
        scene->status = scene->status ? scene->status : status;
    }
}

static void towel(touch_scene *scene, float turns)
{
    sn_deformable_def def = big_cloth(scene, sn_v(0.0f, 1.0f, 0.0f));
    sn_mesh_destroy(scene->meshes[0]);
    scene->status =
        sn_mesh_grid(0.3f, 1.0f, TOWEL_CELLS, TOWEL_CELLS, SN_GRID_ALTERNATING, &scene->meshes[0]);
    def.mesh = scene->meshes[0];
    def.mass = 0.2f;
    sn_deformable cloth = touch_add(scene, &def);
    for (int i = 0; i < 2 * (TOWEL_CELLS + 1); ++i) {
        int node = i % 2 * TOWEL_CELLS * (TOWEL_CELLS + 1) + i / 2;
        sn_status status = sn_node_fix(scene->world, cloth, node, true);
        scene->status = scene->status ? scene->status : status;
    }
    scene->drive = wring;
    scene->parameter = turns;
}

static const variant towels[] = {
    {"towel, five turns", towel, 5.0f, 300, 20.0, 0, 0, 0},
    {"towel, ten turns", towel, 10.0f, 550, 20.0, 0, 0, 0},
};

// --- sheets ------------------------------------------------------------------------------------------------

static void ten_sheets(touch_scene *scene, float parameter)
{
    (void)parameter;
    touch_solid_add(scene, TOUCH_BOX, sn_v(1.0f, 0.05f, 1.0f), 0.0f, at(0.0f, -0.05f, 0.0f), sn_v(0, 0, 0));
    for (int i = 0; i < 10; ++i) {
        sn_deformable_def def =
            touch_cloth(scene, 1.0f, 30, 0.2f, sn_v(0.0f, 0.02f + 0.02f * (float)i, 0.0f));
        scene->mesh_count -= i > 0 ? 1 : 0;
        if (i > 0) {
            sn_mesh_destroy(scene->meshes[scene->mesh_count]);
            def.mesh = scene->meshes[0];
        }
        touch_add(scene, &def);
    }
}

static const variant sheets[] = {
    {"ten sheets of 31 x 31 on a table", ten_sheets, 0.0f, 250, 25.0, 0, 0, 0.002},
};

// --- jellies -----------------------------------------------------------------------------------------------

static sn_deformable_def jelly(touch_scene *scene, float young, sn_vec3 position)
{
    sn_mesh *mesh = NULL;
    if (scene->mesh_count == 0) {
        sn_status status = sn_mesh_sphere(0.15f, 3, &mesh);
        scene->status = scene->status ? scene->status : status;
        touch_own(scene, mesh);
    }
    sn_deformable_def def = sn_deformable_def_default();
    def.mesh = scene->meshes[0];
    def.pose.position = position;
    def.model = sn_model_corotational(young, 0.45f);
    def.model.damping = 0.02f;
    return def;
}

// A bowl: the lower part of a sphere of radius 1, its rim at y = 0.8.
static void add_bowl(touch_scene *scene, bool double_sided)
{
    enum { RINGS = 16, SECTORS = 32 };
    sn_vec3 vertices[RINGS * SECTORS + 1];
    uint32_t triangles[3 * SECTORS * (2 * RINGS - 1)];
    int count = 0;
    vertices[0] = sn_v(0.0f, 0.0f, 0.0f);
    for (int i = 0; i < RINGS; ++i) {
        float angle = 1.4f * (float)(i + 1) / RINGS;
        for (int k = 0; k < SECTORS; ++k) {
            float turn = 2.0f * SN_PI * (float)k / SECTORS;
            vertices[1 + i * SECTORS + k] =
                sn_v(1.2f * sn_sin(angle) * sn_cos(turn), 1.2f * (1.0f - sn_cos(angle)),
                     1.2f * sn_sin(angle) * sn_sin(turn));
        }
    }
    for (uint32_t i = 0; i < RINGS; ++i) {
        for (uint32_t k = 0; k < SECTORS; ++k) {
            uint32_t next = (k + 1) % SECTORS, a = 1 + i * SECTORS + k, b = 1 + i * SECTORS + next;
            uint32_t c = i == 0 ? 0 : a - SECTORS, d = i == 0 ? 0 : b - SECTORS;
            const uint32_t corners[6] = {c, b, a, c, d, b};
            for (int n = 0; n < (i == 0 ? 3 : 6); ++n) {
                triangles[count++] = corners[n];
            }
        }
    }
    touch_surface_add(scene, vertices, RINGS * SECTORS + 1, triangles, count / 3, double_sided);
}

static void jelly_in_bowl(touch_scene *scene, float young)
{
    sn_deformable_def def = jelly(scene, young, sn_v(0.1f, 2.2f, 0.05f));
    touch_add(scene, &def);
    add_bowl(scene, true);
}

static void rain(touch_scene *scene, float young, bool double_sided, bool bowl, int count)
{
    for (int i = 0; i < count; ++i) {
        // A diameter of 0.3 apart whatever the shifts.
        const float spread = 0.36f;
        sn_vec3 place = {spread * (float)(i % 3 - 1) + 0.009f * (float)(i % 7),
                         1.2f + spread * (float)(i / 9),
                         spread * (float)(i / 3 % 3 - 1) + 0.012f * (float)(i % 5)};
        if (!bowl) {
            place = sn_v((float)(i % 10), 0.5f, (float)(i / 10));
        }
        sn_deformable_def def = jelly(scene, young, place);
        touch_add(scene, &def);
    }
    if (bowl) {
        add_bowl(scene, double_sided);
    } else {
        touch_floor(scene, 0.0f);
    }
}

static void rain_one_sided(touch_scene *scene, float young)
{
    rain(scene, young, false, true, 100);
}
static void rain_double_sided(touch_scene *scene, float young)
{
    rain(scene, young, true, true, 100);
}
static void rain_apart(touch_scene *scene, float young)
{
    rain(scene, young, false, false, 100);
}
static void jellies_meet(touch_scene *scene, float speed)
{
    sn_deformable_def def = jelly(scene, 5.0e3f, sn_v(-0.25f, 0.0f, 0.0f));
    def.gravity_scale = 0.0f;
    def.linear_velocity = sn_v(0.5f * speed, 0.0f, 0.0f);
    touch_add(scene, &def);
    def.pose.position = sn_v(0.25f, 0.05f, 0.0f);
    def.linear_velocity = sn_v(-0.5f * speed, 0.0f, 0.0f);
    touch_add(scene, &def);
}

// Ten on top of each other.
static void jelly_pile(touch_scene *scene, float young)
{
    touch_floor(scene, 0.0f);
    for (int i = 0; i < 10; ++i) {
        sn_deformable_def def = jelly(scene, young, sn_v(0.0f, 0.16f + 0.2f * (float)i, 0.0f));
        if (i == 0) {
            sn_mesh_destroy(scene->meshes[0]);
            scene->status = sn_mesh_box(sn_v(0.4f, 0.18f, 0.4f), 4, 2, 4, &scene->meshes[0]);
        }
        def.mesh = scene->meshes[0];
        touch_add(scene, &def);
    }
}

static const variant jellies[] = {
    {"jelly of 5 kPa, 2 m into a double-sided mesh", jelly_in_bowl, 5.0e3f, 200, 0, 0, 0, 0},
    {"two jellies of 5 kPa meet at 6 m/s", jellies_meet, 6.0f, 100, 0, 0, 0, 0},
    {"two jellies of 5 kPa meet at 50 m/s", jellies_meet, 50.0f, 100, 0, 0, 0, 0},
    {"pile of ten", jelly_pile, 2.0e4f, 500, 0, 0, 0, 0.005},
    {"hundred, 5 kPa, apart on a floor", rain_apart, 5.0e3f, 150, 0, 0, 0, 0},
    {"hundred, 5 kPa, in a bowl of one side", rain_one_sided, 5.0e3f, 250, 0, 0, 14.0e3, 0},
    {"hundred, 5 kPa, in a double-sided bowl", rain_double_sided, 5.0e3f, 250, 0, 0, 14.0e3, 0},
    {"hundred, 20 kPa, in a double-sided bowl", rain_double_sided, 2.0e4f, 250, 0, 0, 14.0e3, 0},
    {"hundred, 100 kPa, in a double-sided bowl", rain_double_sided, 1.0e5f, 250, 0, 0, 14.0e3, 0},
};

// --- meshes ------------------------------------------------------------------------------------------------

static void cloth_on_mesh(touch_scene *scene, float rings)
{
    enum { MOST = 64 };
    static sn_vec3 vertices[2 * MOST * MOST];
    static uint32_t triangles[12 * MOST * MOST];
    uint32_t n = (uint32_t)rings, m = 2 * n - 4;
    if (rings == 0.0f) {
        add_ball(scene, 0.0f);
    }
    for (uint32_t i = 0; i < n && rings > 0.0f; ++i) {
        float angle = SN_PI * ((float)i + 0.02f) / ((float)n - 0.96f);
        for (uint32_t k = 0; k < m; ++k) {
            float turn = 2.0f * SN_PI * (float)k / (float)m;
            vertices[i * m + k] = sn_v(0.5f * sn_sin(angle) * sn_cos(turn), 0.5f + 0.5f * sn_cos(angle),
                                       0.5f * sn_sin(angle) * sn_sin(turn));
            uint32_t a = i * m + k, b = i * m + (k + 1) % m, c = a + m, d = b + m;
            const uint32_t corners[6] = {a, b, c, b, d, c};
            memcpy(triangles + 6 * (size_t)a, corners, (i + 1 < n ? 1 : 0) * sizeof corners);
        }
    }
    if (rings > 0.0f) {
        touch_surface_add(scene, vertices, (int)(n * m), triangles, (int)(2 * (n - 1) * m), false);
    }
    drop_cloth(scene, sn_v(0.0f, 1.05f, 0.0f));
}

static const variant meshes[] = {
    {"cloth on a ball", cloth_on_mesh, 0.0f, 150, 0, 0, 0, 0},
    {"cloth on its mesh of 6144 triangles", cloth_on_mesh, 41.0f, 150, 0, 0, 0, 0},
};

// --- small and fast solids
// -----------------------------------------------------------------------------------

static sn_deformable_def trampoline(touch_scene *scene)
{
    sn_deformable_def def = touch_cloth(scene, 4.0f, 50, 3.2f, sn_v(0.0f, 0.0f, 0.0f));
    def.self_collide = false;
    return def;
}

static void pin_corners(touch_scene *scene, sn_deformable cloth)
{
    const int corners[4] = {0, 50, 51 * 50, 51 * 51 - 1};
    for (int i = 0; i < 4; ++i) {
        sn_status status = sn_node_fix(scene->world, cloth, corners[i], true);
        scene->status = scene->status ? scene->status : status;
    }
}

// A square of them, so far apart.
static void throw_square(touch_scene *scene, touch_shape shape, sn_vec3 size, float mass, float speed,
                         int side, float apart)
{
    for (int i = 0; i < side * side; ++i) {
        sn_quat turn =
            sn_quat_axis_angle(sn_normalize(sn_v(1.0f, 0.3f * (float)(i % 5), 0.7f)), 0.7f * (float)(i % 9));
        float middle = 0.5f * (float)(side - 1);
        sn_pose pose = {sn_v(apart * ((float)(i % side) - middle), 0.3f + size.x + 0.01f * (float)(i % 3),
                             apart * ((float)(i / side) - middle)),
                        turn};
        touch_solid_add(scene, shape, size, mass, pose, sn_v(0.0f, -speed, 0.0f));
    }
}

static void throw_at_cloth(touch_scene *scene, touch_shape shape, sn_vec3 size, float mass, float speed)
{
    sn_deformable_def def = trampoline(scene);
    pin_corners(scene, touch_add(scene, &def));
    throw_square(scene, shape, size, mass, speed, 10, 0.31f);
}

static void small_balls(touch_scene *scene, float radius)
{
    throw_at_cloth(scene, TOUCH_BALL, sn_v(radius, radius, radius), 0.1f, 0.0f);
}
static void fast_balls(touch_scene *scene, float speed)
{
    throw_at_cloth(scene, TOUCH_BALL, sn_v(0.15f, 0, 0), 0.1f, speed);
}
static void rods(touch_scene *scene, float radius)
{
    throw_at_cloth(scene, TOUCH_ROD, sn_v(radius, 0.1f, 0.0f), 0.1f, 0.0f);
}
static void boxes(touch_scene *scene, float size)
{
    throw_at_cloth(scene, TOUCH_BOX, sn_v(size, size, size), 0.1f, 0.0f);
}
static void shots(touch_scene *scene, float speed)
{
    throw_at_cloth(scene, TOUCH_BALL, sn_v(0.03f, 0, 0), 0.01f, speed);
}

static void thousand_at_cloth(touch_scene *scene, float speed)
{
    sn_deformable_def def = trampoline(scene);
    pin_corners(scene, touch_add(scene, &def));
    throw_square(scene, TOUCH_BALL, sn_v(0.03f, 0, 0), 0.01f, speed, 32, 0.1f);
}

// A block of 20 kPa, 2 m wide and 0.25 m high, that lies on a floor; its top is at 0.
static void thousand_at_jelly(touch_scene *scene, float speed)
{
    sn_mesh *mesh = NULL;
    sn_status status = sn_mesh_box(sn_v(2.0f, 0.25f, 2.0f), 16, 2, 16, &mesh);
    scene->status = scene->status ? scene->status : status;
    touch_own(scene, mesh);
    sn_deformable_def def = jelly(scene, 2.0e4f, sn_v(0.0f, -0.125f, 0.0f));
    touch_add(scene, &def);
    touch_floor(scene, -0.26f);
    throw_square(scene, TOUCH_BALL, sn_v(0.02f, 0, 0), 0.005f, speed, 32, 0.055f);
}

static const variant solids[] = {
    {"100 balls of 1 cm", small_balls, 0.01f, 150, 0, 0, 0, 0},
    {"100 balls of 2 cm", small_balls, 0.02f, 150, 0, 0, 0, 0},
    {"100 balls of 3 cm", small_balls, 0.03f, 150, 0, 0, 0, 0},
    {"100 balls of 15 cm at 20 m/s", fast_balls, 20.0f, 150, 0, 0, 0, 0},
    {"100 rods of 5 mm", rods, 0.005f, 150, 0, 0, 0, 0},
    {"100 boxes of 8 cm", boxes, 0.04f, 150, 0, 0, 0, 0},
    {"100 balls of 3 cm at 100 m/s", shots, 100.0f, 60, 0, 0, 0, 0},
    {"100 balls of 3 cm at 1000 m/s", shots, 1000.0f, 60, 0, 0, 0, 0},
    {"1024 balls of 3 cm at 100 m/s", thousand_at_cloth, 100.0f, 30, 0, 0, 0, 0},
    {"1024 balls of 3 cm at 1000 m/s", thousand_at_cloth, 1000.0f, 30, 0, 0, 0, 0},
    {"1024 balls of 2 cm at 100 m/s into jelly", thousand_at_jelly, 100.0f, 30, 0, 0, 0, 0},
    {"1024 balls of 2 cm at 1000 m/s into jelly", thousand_at_jelly, 1000.0f, 30, 0, 0, 0, 0},
};

// --- rows --------------------------------------------------------------------------------------------------

static void report_variant(bench_report *report, const char *name, const variant *v, const touch_result *r,
                           int through)
{
    bench_row row = {.name = name, .bar = "0 crossings, 0 frozen, 0 through", .today = ""};
    snprintf(row.what, sizeof row.what, "%s", v->words);
    snprintf(row.measured, sizeof row.measured,
             "%d crossings at worst, %d at the end; %d edges inside, %d through, %d frozen; inverted %d, for "
             "%.2f s "
             "at most; volume %.2f; %.1f ms (worst %.1f, collide %.0f %%, guard %.0f %%); %.1f kB a node; %d "
             "contacts; %ld cuts; %.1f mm/s",
             r->crossings, r->crossings_at_end, r->inside, through, r->frozen, r->inverted_at_end,
             r->inverted_longest, r->least_volume > 1.0e8 ? 1.0 : r->least_volume, r->mean, r->worst,
             100.0 * r->collide / r->step, 100.0 * r->guard / r->step, r->bytes / 1000.0 / r->nodes,
             r->contacts, r->cut_nodes, 1.0e3 * r->rms);
    bench_row_value(&row, "crossings", r->crossings);
    bench_row_value(&row, "inside", r->inside);
    bench_row_value(&row, "through", through);
    bench_row_value(&row, "frozen", r->frozen);
    bench_row_value(&row, "inverted_s", r->inverted_longest);
    bench_row_value(&row, "ms20", r->mean);
    bench_row_value(&row, "worst_ms", r->worst);
    bench_row_value(&row, "collide_share", r->collide / r->step);
    bench_row_value(&row, "bytes_a_node", r->bytes / r->nodes);
    bench_row_value(&row, "cuts", (double)r->cut_nodes);
    bench_row_value(&row, "rms", r->rms);
    bench_row_judge(&row, r->crossings + r->frozen + through == 0 && r->inverted_longest <= 0.5 &&
                              (v->most_ms == 0.0 || r->mean <= v->most_ms) &&
                              (v->most_ratio == 0.0 || r->worst <= v->most_ratio * r->mean) &&
                              (v->most_bytes == 0.0 || r->bytes <= v->most_bytes * r->nodes) &&
                              (v->most_rms == 0.0 || r->rms <= v->most_rms));
    bench_report_add(report, &row);
}

static void run_variants(bench_report *report, const char *name, const bench_options *options,
                         const variant *variants, int count, bool has_trampoline)
{
    static touch_scene scene;
    const char *only = getenv("SINEW_BENCH_VARIANT");
    for (int i = 0; i < count; ++i) {
        const variant *v = &variants[i];
        touch_result result;
        if (only != NULL && strstr(v->words, only) == NULL) {
            continue;
        }
        touch_open(&scene, 1.0f);
        v->build(&scene, v->parameter);
        int steps = options->quick ? v->steps / 5 : v->steps;
        sn_status status = touch_run(&scene, steps, frame, &result);
        if (status == SN_OK) {
            report_variant(report, name, v, &result, has_trampoline ? touch_count_through(&scene) : 0);
        } else {
            bench_row row = {.name = name, .bar = "", .today = ""};
            snprintf(row.what, sizeof row.what, "%s", v->words);
            bench_row_fail(&row, scene.world, status);
            bench_report_add(report, &row);
        }
        touch_close(&scene);
    }
}

#define CASE(case_name, list, has_trampoline)                                                                \
    void bench_touch_##case_name(bench_report *report, const char *name, const bench_options *options)       \
    {                                                                                                        \
        run_variants(report, name, options, list, (int)(sizeof(list) / sizeof(list)[0]), has_trampoline);    \
    }

CASE(cloth, cloths, false)
CASE(thrown, thrown, false)
CASE(towels, towels, false)
CASE(sheets, sheets, false)
CASE(jellies, jellies, false)
CASE(meshes, meshes, false)
CASE(solids, solids, true)
