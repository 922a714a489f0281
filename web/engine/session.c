// The page's world: opened from a snapshot, stepped, saved, measured, and changed by its settings.
#include "bridge.h"

#include "scene/drive.h"
#include "scene/scene_parts.h"

#include <stdlib.h>
#include <string.h>

sn_world *page_world;

static sn_scene *scene; // of motions, events and cameras; null without any
static sn_number_list drive;

static void *saved;
static size_t saved_size, saved_capacity;

void *page_allocate(size_t size)
{
    return malloc(size);
}

void page_release(void *memory)
{
    free(memory);
}

const char *page_error(void)
{
    const char *text = page_world != NULL ? sn_world_error(page_world) : "";
    return text[0] != '\0' ? text : sn_last_error();
}

int page_open(const void *snapshot, size_t size)
{
    if (page_world == NULL) {
        sn_world_def def = sn_world_def_default();
        sn_status status = sn_world_create(&def, &page_world);
        if (status != SN_OK) {
            return status;
        }
    }
    sn_status status = sn_world_restore(page_world, snapshot, size);
    if (status == SN_OK) {
        page_grab_forget();
        page_list();
    }
    return status;
}

int page_drive(const double *numbers, int count)
{
    if (scene == NULL && count > 0) {
        scene = sn_scene_new();
    }
    if (scene == NULL) {
        return count > 0 ? SN_ERROR_MEMORY : SN_OK;
    }
    scene->world = page_world;
    return sn_drive_read(scene, numbers, count) ? SN_OK : SN_ERROR_FORMAT;
}

const double *page_driven(void)
{
    drive.count = 0;
    return scene != NULL && sn_drive_write(scene, &drive) ? drive.items : NULL;
}

int page_driven_count(void)
{
    return drive.count;
}

const float *page_look(void)
{
    static float look[PAGE_LOOK_SIZE];
    sn_camera camera;
    if (scene == NULL || scene->cameras.count == 0 || sn_scene_camera(scene, NULL, &camera) != SN_OK) {
        return NULL;
    }
    sn_light light = sn_scene_light(scene);
    const float values[PAGE_LOOK_SIZE] = {
        camera.eye.x,    camera.eye.y,      camera.eye.z,      camera.target.x,   camera.target.y,
        camera.target.z, light.direction.x, light.direction.y, light.direction.z, light.strength};
    memcpy(look, values, sizeof look);
    return look;
}

// As sn_scene_step does it for scenes that replay nothing.
static sn_status step_scene(float duration)
{
    sn_status status = sn_scene_events_before_step(scene, duration);
    status = status == SN_OK ? sn_motions_before_step(scene, duration) : status;
    status = status == SN_OK ? sn_world_step(page_world, duration) : status;
    if (status == SN_OK) {
        sn_scene_events_after_step(scene);
        sn_motions_look(scene);
        page_list();
    }
    return status;
}

int page_step(float duration)
{
    sn_status status = scene != NULL ? step_scene(duration) : sn_world_step(page_world, duration);
    page_grab_check();
    return status;
}

const void *page_save(void)
{
    saved_size = 0;
    if (sn_world_save(page_world, NULL, 0, &saved_size) != SN_OK) {
        return NULL;
    }
    if (saved_size > saved_capacity) {
        free(saved);
        saved_capacity = saved_size + saved_size / 4;
        saved = malloc(saved_capacity);
    }
    if (saved == NULL || sn_world_save(page_world, saved, saved_capacity, &saved_size) != SN_OK) {
        return NULL;
    }
    return saved;
}

size_t page_saved_size(void)
{
    return saved_size;
}

const uint32_t *page_hash(void)
{
    static uint32_t words[2];
    uint64_t hash = sn_world_hash(page_world);
    words[0] = (uint32_t)hash;
    words[1] = (uint32_t)(hash >> 32);
    return words;
}

double page_time(void)
{
    return sn_world_time(page_world);
}

// --- figures -----------------------------------------------------------------------------------------------

static float largest_joint_error(void)
{
    static sn_constraint *list;
    static int capacity;
    int count = sn_world_constraints(page_world, NULL, 0);
    if (count > capacity) {
        free(list);
        capacity = count + count / 4;
        list = malloc((size_t)capacity * sizeof *list);
        capacity = list != NULL ? capacity : 0;
    }
    count = sn_world_constraints(page_world, list, capacity) <= capacity ? count : 0;
    float largest = 0.0f;
    for (int i = 0; i < count; ++i) {
        if (sn_constraint_definition(page_world, list[i]).compliance == 0.0f) {
            largest = sn_max(largest, sn_constraint_error(page_world, list[i]));
        }
    }
    return largest;
}

static float largest_stretch(float *elastic)
{
    enum { MOST = 256 };
    sn_deformable list[MOST];
    int count = sn_world_deformables(page_world, list, MOST);
    float largest = 0.0f;
    for (int i = 0; i < count && i < MOST; ++i) {
        sn_deformable_measure measure = sn_deformable_measure_now(page_world, list[i]);
        bool held = sn_deformable_definition(page_world, list[i]).inextensible.on;
        largest = held ? sn_max(largest, measure.largest_stretch) : largest;
        *elastic += measure.elastic_energy;
    }
    return largest;
}

const float *page_figures(void)
{
    static float figures[32];
    sn_profile p = sn_world_profile(page_world);
    sn_energy e = sn_world_energy(page_world);
    sn_statistics s = sn_world_statistics(page_world);
    float elastic = 0.0f, stretch = largest_stretch(&elastic);
    const float values[] = {p.step,
                            p.collide,
                            p.prepare + p.islands,
                            p.solve + p.relax + p.restitution,
                            p.integrate + p.finish + p.sweep,
                            p.models + p.exact,
                            (float)e.kinetic,
                            (float)e.potential,
                            elastic,
                            largest_joint_error(),
                            stretch,
                            (float)s.rigid_count,
                            (float)s.awake_count,
                            (float)s.constraint_count,
                            (float)s.contact_point_count,
                            (float)s.soft_contact_count,
                            (float)s.deformable_count,
                            (float)s.node_count,
                            (float)s.element_count,
                            (float)s.sub_steps,
                            (float)s.bytes,
                            (float)(s.frozen_count + s.frozen_node_count),
                            (float)sn_world_step_count(page_world),
                            (float)s.awake_deformable_count};
    memcpy(figures, values, sizeof values);
    return figures;
}
