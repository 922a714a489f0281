// Bodies of every movable shape type, dropped from a loose grid into a bowl made of triangles.
#include "support/random.h"
#include "support/scene_builder.h"
#include "support/scenes.h"

// --- the bowl ----------------------------------------------------------------------------------------------

enum {
    BOWL_RINGS = 16,
    BOWL_SECTORS = 40,
    BOWL_VERTICES = 1 + BOWL_RINGS * BOWL_SECTORS,
    BOWL_TRIANGLES = BOWL_SECTORS * (2 * BOWL_RINGS - 1)
};

static uint32_t bowl_vertex(int ring, int sector)
{
    return (uint32_t)(1 + ring * BOWL_SECTORS + sector % BOWL_SECTORS);
}

// A paraboloid 8 m in radius whose rim is 6.4 m up: steep enough that nothing rolls out.
static void fill_bowl_vertices(sn_vec3 vertices[BOWL_VERTICES])
{
    vertices[0] = sn_v(0.0f, 0.0f, 0.0f);
    for (int ring = 0; ring < BOWL_RINGS; ++ring) {
        float radius = 8.0f * (float)(ring + 1) / (float)BOWL_RINGS;
        for (int sector = 0; sector < BOWL_SECTORS; ++sector) {
            float angle = 2.0f * SN_PI * (float)sector / (float)BOWL_SECTORS;
            vertices[bowl_vertex(ring, sector)] =
                sn_v(radius * sn_cos(angle), 0.1f * radius * radius, radius * sn_sin(angle));
        }
    }
}

// Counter-clockwise from above.
static void fill_bowl_triangles(uint32_t triangles[3 * BOWL_TRIANGLES])
{
    int count = 0;
    for (int sector = 0; sector < BOWL_SECTORS; ++sector) {
        triangles[count++] = 0;
        triangles[count++] = bowl_vertex(0, sector + 1);
        triangles[count++] = bowl_vertex(0, sector);
    }
    for (int ring = 0; ring + 1 < BOWL_RINGS; ++ring) {
        for (int sector = 0; sector < BOWL_SECTORS; ++sector) {
            triangles[count++] = bowl_vertex(ring, sector);
            triangles[count++] = bowl_vertex(ring, sector + 1);
            triangles[count++] = bowl_vertex(ring + 1, sector);
            triangles[count++] = bowl_vertex(ring, sector + 1);
            triangles[count++] = bowl_vertex(ring + 1, sector + 1);
            triangles[count++] = bowl_vertex(ring + 1, sector);
        }
    }
}

static void add_bowl(scene_builder *builder)
{
    sn_vec3 vertices[BOWL_VERTICES];
    uint32_t triangles[3 * BOWL_TRIANGLES];
    fill_bowl_vertices(vertices);
    fill_bowl_triangles(triangles);
    sn_surface *bowl = NULL;
    builder->status = sn_surface_create(vertices, BOWL_VERTICES, triangles, BOWL_TRIANGLES, false, &bowl);
    if (builder->status == SN_OK) {
        builder->status = sn_surface_add(builder->world, sn_world_ground(builder->world), NULL, bowl, NULL);
    }
    sn_surface_destroy(bowl);
}

// --- what falls --------------------------------------------------------------------------------------------

// Geometry shared by many bodies; all drops fit into a sphere of 0.5 m radius.
typedef struct rain_geometry {
    sn_hull *pebble, *cylinder;
    sn_compound *dumbbell;
} rain_geometry;

static sn_status make_pebble(sn_hull **pebble)
{
    test_random random = {7};
    sn_vec3 points[24];
    for (int i = 0; i < 24; ++i) {
        points[i] = sn_mul(test_random_direction(&random), sn_v(0.45f, 0.3f, 0.35f));
    }
    return sn_hull_create(points, 24, 0, pebble);
}

static sn_status make_dumbbell(sn_compound **dumbbell)
{
    sn_solid parts[3] = {{.type = SN_CAPSULE, .pose = scene_at(0.0f, 0.0f, 0.0f)},
                         {.type = SN_BOX, .pose = scene_at(0.3f, 0.0f, 0.0f)},
                         {.type = SN_SPHERE, .pose = scene_at(-0.25f, 0.0f, 0.0f)}};
    parts[0].capsule = (sn_capsule){{-0.25f, 0.0f, 0.0f}, {0.3f, 0.0f, 0.0f}, 0.06f};
    parts[1].box = (sn_box){{0.12f, 0.18f, 0.18f}};
    parts[2].sphere = (sn_sphere){{0.0f, 0.0f, 0.0f}, 0.2f};
    return sn_compound_create(parts, 3, dumbbell);
}

static void make_geometry(scene_builder *builder, rain_geometry *geometry)
{
    builder->status = make_pebble(&geometry->pebble);
    if (builder->status == SN_OK) {
        builder->status = sn_hull_cylinder(0.4f, 0.3f, 0.2f, 12, &geometry->cylinder);
    }
    if (builder->status == SN_OK) {
        builder->status = make_dumbbell(&geometry->dumbbell);
    }
}

static void destroy_geometry(rain_geometry *geometry)
{
    sn_hull_destroy(geometry->pebble);
    sn_hull_destroy(geometry->cylinder);
    sn_compound_destroy(geometry->dumbbell);
}

static void add_drop(scene_builder *builder, const rain_geometry *geometry, int index, sn_pose pose)
{
    if (index % 6 == 0) {
        scene_sphere(builder, pose, 0.35f);
        return;
    }
    if (index % 6 == 1) {
        scene_capsule(builder, pose, 0.25f, 0.2f);
        return;
    }
    if (index % 6 == 2) {
        scene_box(builder, pose, sn_v(0.3f, 0.2f, 0.25f), 1000.0f);
        return;
    }
    sn_rigid rigid = scene_body(builder, SN_DYNAMIC, pose);
    if (builder->status != SN_OK) {
        return;
    }
    if (index % 6 == 3) {
        builder->status = sn_hull_add(builder->world, rigid, NULL, geometry->pebble, NULL);
    } else if (index % 6 == 4) {
        builder->status = sn_hull_add(builder->world, rigid, NULL, geometry->cylinder, NULL);
    } else {
        builder->status = sn_compound_add(builder->world, rigid, NULL, geometry->dumbbell, NULL);
    }
}

// 12 layers of 5 × 5 drops, 1.1 m apart, each turned at random.
sn_status scene_build_rain(sn_world *world)
{
    scene_builder builder = {world, SN_OK};
    add_bowl(&builder);
    rain_geometry geometry = {0};
    if (builder.status == SN_OK) {
        make_geometry(&builder, &geometry);
    }
    test_random random = {2024};
    for (int i = 0; i < 300 && builder.status == SN_OK; ++i) {
        float x = 1.1f * (float)(i % 5 - 2), z = 1.1f * (float)(i / 5 % 5 - 2);
        sn_pose pose = {{x, 4.0f + 1.1f * (float)(i / 25), z}, test_random_rotation(&random)};
        add_drop(&builder, &geometry, i, pose);
    }
    destroy_geometry(&geometry);
    return builder.status;
}
