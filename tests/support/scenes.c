// The table of scenes, and how one is opened, stepped and measured.
#include "support/scenes.h"

#include "support/scene_builder.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

const test_scene test_scenes[] = {
    {"box_stack", "20 boxes of 1 m on top of each other", 1200, 0.5f, scene_build_box_stack, NULL},
    {"heavy_stack", "10 boxes of 1 m, the top one 100 times heavier", 1200, 0.5f, scene_build_heavy_stack,
     NULL},
    {"tower", "round tower of 1000 bricks", 600, 0.5f * TEST_TOWER_BRICK_HEIGHT, scene_build_tower, NULL},
    {"pyramid", "flat pyramid of 210 boxes, 20 at its base", 600, 0.5f, scene_build_pyramid, NULL},
    {"joint_chain", "swinging chain of all five joint kinds", 1000, 0.0f, scene_build_joint_chain, NULL},
    {"ragdolls", "10 jointed figures dropped onto a pile", 1000, 0.0f, scene_build_ragdolls, NULL},
    {"rain", "300 bodies of all shapes fall into a bowl of triangles", 1000, 0.0f, scene_build_rain, NULL},
    {"machines", "mixer, press, lift and springs among loose bodies", 1000, 0.0f, scene_build_machines,
     scene_drive_machines},
    {"hanging_cloth", "cloth hung by two corners, swinging, one of them led round", 600, 0.0f,
     scene_build_hanging_cloth, scene_drive_hanging_cloth},
    {"jelly_and_rods", "three jellies on rods, spinning free, and a weight on a rope", 600, 0.0f,
     scene_build_jelly_and_rods, NULL},
    {"cloth_on_spheres", "cloth over a fixed and over a rolling ball", 600, 0.0f,
     scene_build_cloth_on_spheres, NULL},
    {"folding_cloth", "two curtains fall into folds on the floor", 600, 0.0f, scene_build_folding_cloth,
     NULL},
    {"jelly_stack", "four jellies on top of each other, glued to rods", 600, 0.0f, scene_build_jelly_stack,
     NULL},
    {"models", "a cube of every paradigm on the floor, a box on each", 600, 0.0f, scene_build_models, NULL},
    {"integrators", "cubes by every integrator on the floor, a box on each", 600, 0.0f,
     scene_build_integrators, NULL},
    {"exact_anchors", "cubes, a box and a ball held exactly: joined, nailed, carried, drawn, sliding", 600,
     0.0f, scene_build_exact_anchors, NULL},
    {"cushions", "a cushion with pressure and a bag with its volume under boxes", 600, 0.0f,
     scene_build_cushions, NULL},
    {"ropes", "a rope and a strip over a beam, with weights", 600, 0.0f, scene_build_ropes, NULL},
};
const int test_scene_count = (int)(sizeof test_scenes / sizeof test_scenes[0]);

const test_scene *test_scene_find(const char *name)
{
    for (int i = 0; i < test_scene_count; ++i) {
        if (strcmp(test_scenes[i].name, name) == 0) {
            return &test_scenes[i];
        }
    }
    return NULL;
}

static sn_status remember_starts(test_scene_run *run)
{
    int capacity = sn_world_rigids(run->world, NULL, 0);
    run->bodies = calloc((size_t)capacity + 1, sizeof *run->bodies);
    run->starts = calloc((size_t)capacity + 1, sizeof *run->starts);
    if (run->bodies == NULL || run->starts == NULL) {
        return SN_ERROR_MEMORY;
    }
    sn_world_rigids(run->world, run->bodies, capacity);
    for (int i = 0; i < capacity; ++i) {
        sn_rigid rigid = run->bodies[i];
        if (sn_rigid_get_type(run->world, rigid) == SN_DYNAMIC) {
            run->bodies[run->body_count] = rigid;
            run->starts[run->body_count] = sn_rigid_center(run->world, rigid);
            run->body_count += 1;
        }
    }
    return SN_OK;
}

sn_status test_scene_open(const test_scene *scene, const sn_world_def *def, test_scene_run *run)
{
    memset(run, 0, sizeof *run);
    run->scene = scene;
    sn_status status = sn_world_create(def, &run->world);
    if (status != SN_OK) {
        fprintf(stderr, "%s: %s\n", scene->name, sn_last_error());
        return status;
    }
    status = scene->build(run->world);
    if (status == SN_OK) {
        status = remember_starts(run);
    }
    if (status != SN_OK) {
        fprintf(stderr, "%s: %s: %s\n", scene->name, sn_status_text(status), sn_world_error(run->world));
        test_scene_close(run);
    }
    return status;
}

sn_status test_scene_step(test_scene_run *run, int steps)
{
    for (int i = 0; i < steps; ++i) {
        if (run->scene->drive != NULL) {
            sn_status status = run->scene->drive(run->world, run->steps_done);
            if (status != SN_OK) {
                return status;
            }
        }
        sn_status status = sn_world_step(run->world, TEST_SCENE_STEP);
        if (status != SN_OK) {
            return status;
        }
        run->steps_done += 1;
    }
    return SN_OK;
}

void test_scene_close(test_scene_run *run)
{
    sn_world_destroy(run->world);
    free(run->bodies);
    free(run->starts);
    memset(run, 0, sizeof *run);
}

test_drift test_scene_drift(const test_scene_run *run)
{
    test_drift drift = {0};
    float limit = run->scene->fallen_distance;
    for (int i = 0; i < run->body_count; ++i) {
        sn_vec3 displacement = sn_sub(sn_rigid_center(run->world, run->bodies[i]), run->starts[i]);
        drift.sink = sn_max(drift.sink, -displacement.y);
        drift.lateral = sn_max(drift.lateral, sn_length(sn_v(displacement.x, 0.0f, displacement.z)));
        drift.distance = sn_max(drift.distance, sn_length(displacement));
        bool is_somewhere =
            sn_vec3_is_finite(displacement) && !sn_rigid_is_frozen(run->world, run->bodies[i]);
        drift.fallen += !is_somewhere || (limit > 0.0f && sn_length(displacement) > limit);
    }
    return drift;
}
