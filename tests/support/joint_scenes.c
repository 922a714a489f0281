// The table of joint scenes, and how one is run and measured.
#include "support/joint_scenes.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

const joint_scene joint_scenes[] = {
    {.name = "bridge_12",
     .about = "bridge of 12 planks, two balls a seam",
     .group = JOINTS_REDUNDANT,
     .count = 12,
     .seconds = 20.0f,
     .rests = true,
     .fall = 1.5f,
     .build = joint_build_bridge},
    {.name = "bridge_15",
     .about = "bridge of 15 planks, two balls a seam",
     .group = JOINTS_REDUNDANT,
     .count = 15,
     .seconds = 20.0f,
     .rests = true,
     .fall = 1.9f,
     .build = joint_build_bridge},
    {.name = "bridge_20",
     .about = "bridge of 20 planks, two balls a seam",
     .group = JOINTS_REDUNDANT,
     .count = 20,
     .seconds = 20.0f,
     .rests = true,
     .fall = 2.5f,
     .build = joint_build_bridge},
    {.name = "bridge_99",
     .about = "bridge of 99 planks, two balls a seam",
     .group = JOINTS_REDUNDANT,
     .count = 99,
     .seconds = 20.0f,
     .rests = true,
     .fall = 12.0f,
     .build = joint_build_bridge},
    {.name = "damped_bridge_20",
     .about = "the same of 20 planks, damped by 2/s",
     .group = JOINTS_REDUNDANT,
     .count = 20,
     .seconds = 20.0f,
     .rests = true,
     .fall = 2.5f,
     .build = joint_build_damped_bridge},
    {.name = "damped_bridge_99",
     .about = "the same of 99 planks, damped by 2/s",
     .group = JOINTS_REDUNDANT,
     .count = 99,
     .seconds = 20.0f,
     .rests = true,
     .fall = 12.0f,
     .build = joint_build_damped_bridge},
    {.name = "column",
     .about = "column of 15 boxes, four balls a seam",
     .group = JOINTS_REDUNDANT,
     .count = 15,
     .seconds = 20.0f,
     .rests = true,
     .fall = 3.75f,
     .build = joint_build_column},
    {.name = "standing_column",
     .about = "the same, not joined to the ground",
     .group = JOINTS_REDUNDANT,
     .count = 15,
     .seconds = 20.0f,
     .rests = true,
     .fall = 3.75f,
     .build = joint_build_standing_column},
    {.name = "cantilever",
     .about = "cantilever of 10 boxes, two fixed joints a seam",
     .group = JOINTS_REDUNDANT,
     .count = 10,
     .seconds = 20.0f,
     .rests = true,
     .fall = 2.5f,
     .build = joint_build_cantilever},
    {.name = "hinge_chain",
     .about = "hanging chain of 15 links, two hinges a link",
     .group = JOINTS_REDUNDANT,
     .count = 15,
     .seconds = 20.0f,
     .rests = true,
     .fall = 3.0f,
     .build = joint_build_hinge_chain},
    {.name = "whirl",
     .about = "20 light links whirled at 200 rad/s",
     .group = JOINTS_FAST,
     .count = 20,
     .seconds = 10.0f,
     .motor_speed = 200.0f,
     .build = joint_build_whirl},
    {.name = "whirl_apart",
     .about = "the same, links do not touch each other",
     .group = JOINTS_FAST,
     .count = 20,
     .seconds = 10.0f,
     .motor_speed = 200.0f,
     .build = joint_build_whirl_apart},
    {.name = "whirl_balls",
     .about = "the same with balls between the links",
     .group = JOINTS_FAST,
     .count = 20,
     .seconds = 10.0f,
     .motor_speed = 200.0f,
     .build = joint_build_whirl_balls},
    {.name = "whirl_gravity",
     .about = "20 light links whirled at 200 rad/s, with gravity",
     .group = JOINTS_FAST,
     .count = 20,
     .seconds = 10.0f,
     .fall = 2.0f,
     .motor_speed = 200.0f,
     .build = joint_build_whirl_gravity},
    {.name = "rod",
     .about = "free rod at 5000 rad/s among 7 boxes",
     .group = JOINTS_FAST,
     .count = 7,
     .seconds = 3.0f,
     .fall = 0.1f,
     .build = joint_build_rod},
    {.name = "rod_11",
     .about = "the same among 11 boxes",
     .group = JOINTS_FAST,
     .count = 11,
     .seconds = 3.0f,
     .fall = 0.1f,
     .build = joint_build_rod},
    {.name = "rod_hinged",
     .about = "hinged rod at 5000 rad/s among 5 boxes",
     .group = JOINTS_FAST,
     .count = 5,
     .seconds = 3.0f,
     .fall = 1.0f,
     .build = joint_build_rod_hinged},
    {.name = "heavy_swing",
     .about = "chain of 10 links swings with 1000 times a link's mass at its end",
     .group = JOINTS_FAST,
     .count = 10,
     .seconds = 20.0f,
     .fall = 2.3f,
     .build = joint_build_heavy_swing},
    {.name = "four_bar",
     .about = "driven four-bar linkage, coupler 1000 times as heavy as the crank",
     .group = JOINTS_FAST,
     .seconds = 20.0f,
     .fall = 1.0f,
     .motor_speed = 6.0f,
     .build = joint_build_four_bar},
    {.name = "soft_fixed",
     .about = "falling spheres, 3.4 and 0.07 kg, soft fixed joint on long arms",
     .group = JOINTS_COMPLIANT,
     .seconds = 10.0f,
     .fall = 3.0f,
     .build = joint_build_soft_fixed},
    {.name = "soft_hinge",
     .about = "the same with a hinge",
     .group = JOINTS_COMPLIANT,
     .seconds = 10.0f,
     .fall = 3.0f,
     .build = joint_build_soft_hinge},
    {.name = "soft_hinge_limit",
     .about = "the same with a hinge that has limits",
     .group = JOINTS_COMPLIANT,
     .seconds = 10.0f,
     .fall = 3.0f,
     .build = joint_build_soft_hinge_limit},
    {.name = "soft_hinge_spring",
     .about = "the same with a hinge that has a spring",
     .group = JOINTS_COMPLIANT,
     .seconds = 10.0f,
     .fall = 3.0f,
     .build = joint_build_soft_hinge_spring},
    {.name = "soft_slider",
     .about = "the same with a slider",
     .group = JOINTS_COMPLIANT,
     .seconds = 10.0f,
     .fall = 3.0f,
     .build = joint_build_soft_slider},
    {.name = "locked",
     .about = "1 kg locked in y carries 100 kg on a ball",
     .group = JOINTS_COMPLIANT,
     .seconds = 10.0f,
     .fall = 0.5f,
     .build = joint_build_locked},
    {.name = "locked_fixed",
     .about = "the same with a fixed joint",
     .group = JOINTS_COMPLIANT,
     .seconds = 10.0f,
     .fall = 0.9f,
     .build = joint_build_locked_fixed},
    {.name = "grid_15",
     .about = "grid of 15 x 15 bodies, 414 balls",
     .group = JOINTS_CROWDED,
     .count = 15,
     .seconds = 10.0f,
     .fall = 15.0f,
     .build = joint_build_grid},
    {.name = "grid_100",
     .about = "grid of 100 x 100 bodies, 19,794 balls",
     .group = JOINTS_CROWDED,
     .count = 100,
     .seconds = 1.0f,
     .fall = 100.0f,
     .build = joint_build_grid},
    {.name = "heap",
     .about = "200 boxes of 20 cm in one place",
     .group = JOINTS_CROWDED,
     .count = 200,
     .seconds = 10.0f,
     .fall = 0.1f,
     .build = joint_build_heap},
    {.name = "dice",
     .about = "stack of 10 dice of 1 cm",
     .group = JOINTS_CROWDED,
     .count = 10,
     .seconds = 20.0f,
     .rests = true,
     .fall = 0.05f,
     .build = joint_build_dice},
};
const int joint_scene_count = (int)(sizeof joint_scenes / sizeof joint_scenes[0]);

const joint_scene *joint_scene_find(const char *name)
{
    for (int i = 0; i < joint_scene_count; ++i) {
        if (strcmp(joint_scenes[i].name, name) == 0) {
            return &joint_scenes[i];
        }
    }
    return NULL;
}

// A world with a scene in it, its bodies and joints, and what was seen so far.
typedef struct measured_run {
    const joint_scene *scene;
    joint_scale scale;
    sn_world *world;
    int body_count, joint_count, motor_count;
    sn_rigid *bodies;
    sn_vec3 *starts; // their mass centres
    sn_constraint *joints;
    sn_constraint motors[4];
    double first_energy; // as the library counts it, relative to the origin [J]
    joint_result *result;
} measured_run;

static double library_energy(const sn_world *world)
{
    sn_energy energy = sn_world_energy(world);
    return energy.kinetic + energy.potential;
}

static void find_motors(measured_run *run)
{
    for (int i = 0; i < run->joint_count && run->motor_count < 4; ++i) {
        if (sn_constraint_get_kind(run->world, run->joints[i]) == SN_HINGE &&
            sn_hinge_definition(run->world, run->joints[i]).motor) {
            run->motors[run->motor_count] = run->joints[i];
            run->motor_count += 1;
        }
    }
}

static sn_status open_run(measured_run *run, const joint_run *how)
{
    sn_world_def def = sn_world_def_default();
    def.sleep = false;
    def.threads = how->threads > 0 ? how->threads : 1;
    def.sub_steps = how->sub_steps;
    sn_status status = sn_world_create(&def, &run->world);
    if (status == SN_OK) {
        status = run->scene->build(run->world, run->scene->count, run->scale);
    }
    if (status != SN_OK) {
        return status;
    }
    run->body_count = sn_world_rigids(run->world, NULL, 0);
    run->joint_count = sn_world_constraints(run->world, NULL, 0);
    run->bodies = calloc((size_t)run->body_count + 1, sizeof *run->bodies);
    run->starts = calloc((size_t)run->body_count + 1, sizeof *run->starts);
    run->joints = calloc((size_t)run->joint_count + 1, sizeof *run->joints);
    if (run->bodies == NULL || run->starts == NULL || run->joints == NULL) {
        return SN_ERROR_MEMORY;
    }
    sn_world_rigids(run->world, run->bodies, run->body_count);
    for (int i = 0; i < run->body_count; ++i) {
        run->starts[i] = sn_rigid_center(run->world, run->bodies[i]);
    }
    sn_world_constraints(run->world, run->joints, run->joint_count);
    find_motors(run);
    sn_energy energy = sn_world_energy(run->world);
    double gravity = (double)sn_length(sn_world_gravity(run->world));
    run->first_energy = energy.kinetic + energy.potential;
    run->result->start_energy =
        energy.kinetic + energy.mass * gravity * (double)(run->scene->fall * run->scale.length);
    return SN_OK;
}

static void close_run(measured_run *run)
{
    sn_world_destroy(run->world);
    free(run->bodies);
    free(run->starts);
    free(run->joints);
}

// Not a number counts as infinite, so that it is never the smaller of two.
static double larger(double a, double b)
{
    return isnan(b) ? (double)INFINITY : fmax(a, b);
}

static double fastest(const measured_run *run)
{
    double speed = 0.0;
    for (int i = 0; i < run->body_count; ++i) {
        speed = larger(speed, (double)sn_length(sn_rigid_linear_velocity(run->world, run->bodies[i])));
    }
    return speed;
}

static double worst_error(const measured_run *run)
{
    double error = 0.0;
    for (int i = 0; i < run->joint_count; ++i) {
        error = larger(error, (double)sn_constraint_error(run->world, run->joints[i]));
    }
    return error;
}

static double drift(const measured_run *run)
{
    double distance = 0.0;
    for (int i = 0; i < run->body_count; ++i) {
        sn_vec3 center = sn_rigid_center(run->world, run->bodies[i]);
        distance = larger(distance, (double)sn_distance_between(center, run->starts[i]));
    }
    return distance;
}

static void look(measured_run *run, float step)
{
    joint_result *result = run->result;
    for (int i = 0; i < run->motor_count; ++i) {
        sn_vec3 torque = sn_constraint_torque(run->world, run->motors[i]);
        result->motor_work += (double)torque.z * (double)run->scene->motor_speed * (double)step;
    }
    double have = result->start_energy + library_energy(run->world) - run->first_energy;
    double had = result->start_energy + result->motor_work;
    if (had > 0.0 || have > 0.0) {
        result->energy_factor = larger(result->energy_factor, have / fmax(had, 1e-12));
    }
    result->final_speed = fastest(run);
    result->peak_speed = larger(result->peak_speed, result->final_speed);
    if (sn_world_time(run->world) >= JOINT_REST_TIME) {
        result->rest_speed = larger(result->rest_speed, result->final_speed);
    }
    result->final_error = worst_error(run);
    result->peak_error = larger(result->peak_error, result->final_error);
    sn_statistics statistics = sn_world_statistics(run->world);
    result->frozen_count = statistics.frozen_count;
    if (statistics.clamped_count > result->clamped_count) {
        result->clamped_count = statistics.clamped_count;
    }
}

sn_status joint_scene_measure(const joint_scene *scene, const joint_run *how, joint_result *result)
{
    memset(result, 0, sizeof *result);
    joint_scale scale = {how->scale.length > 0.0f ? how->scale.length : 1.0f,
                         how->scale.density > 0.0f ? how->scale.density : 1.0f};
    measured_run run = {.scene = scene, .scale = scale, .result = result};
    float step = how->step > 0.0f ? how->step : 1.0f / 60.0f;
    float seconds = how->seconds > 0.0f ? how->seconds : scene->seconds;
    sn_status status = open_run(&run, how);
    for (int i = 0; i < (int)lroundf(seconds / step) && status == SN_OK; ++i) {
        status = sn_world_step(run.world, step);
        look(&run, step);
    }
    if (status == SN_OK) {
        result->drift = drift(&run);
    } else {
        fprintf(stderr, "%s: %s: %s\n", scene->name, sn_status_text(status),
                run.world != NULL ? sn_world_error(run.world) : sn_last_error());
    }
    close_run(&run);
    return status;
}
