// What the tests of touching deformables share: things that fall on others, and sums over their contacts.
// Include after physics.h.
#ifndef TESTS_SUPPORT_SOFT_TOUCH_H
#define TESTS_SUPPORT_SOFT_TOUCH_H

#include "sinew/sinew.h"
#include "support/physics.h"

#include <math.h>
#include <stdlib.h>

// Adds it and lets go of the mesh.
static inline sn_deformable touch_add(sn_world *world, const sn_deformable_def *def)
{
    sn_deformable deformable;
    must(sn_deformable_add(world, def, &deformable));
    sn_mesh_destroy((sn_mesh *)def->mesh);
    return deformable;
}

// Lying flat, its first normal up.
static inline sn_deformable_def touch_sheet_def(float size, int cells, float mass, sn_vec3 position)
{
    sn_mesh *mesh = NULL;
    must(sn_mesh_grid(size, size, cells, cells, SN_GRID_ALTERNATING, &mesh));
    sn_deformable_def def = sn_deformable_def_default();
    def.mesh = mesh;
    def.mass = mass;
    def.inextensible.on = true;
    def.pose = (sn_pose){position, sn_quat_axis_angle(sn_v(1.0f, 0.0f, 0.0f), -0.5f * SN_PI)};
    return def;
}

// A block of finite elements, a little damped, of about as many cells as are asked for along x.
static inline sn_deformable_def touch_block_def(sn_vec3 size, int cells, float mass, float young,
                                                sn_pose pose)
{
    sn_mesh *mesh = NULL;
    float edge = size.x / (float)cells;
    must(sn_mesh_box(size, cells, (int)ceilf(size.y / edge), (int)ceilf(size.z / edge), &mesh));
    sn_deformable_def def = sn_deformable_def_default();
    def.mesh = mesh;
    def.mass = mass;
    def.model = sn_model_corotational(young, 0.3f);
    def.model.damping = 0.01f;
    def.pose = pose;
    return def;
}

// Fixes the nodes of a sheet's rim, or of its corners only. A square of `cells` cells.
static inline void touch_pin(sn_world *world, sn_deformable sheet, int cells, bool corners_only)
{
    for (int j = 0; j <= cells; ++j) {
        for (int i = 0; i <= cells; ++i) {
            bool at_i = i % cells == 0, at_j = j % cells == 0;
            if (corners_only ? at_i && at_j : at_i || at_j) {
                must(sn_node_fix(world, sheet, j * (cells + 1) + i, true));
            }
        }
    }
}

// All contacts of a deformable, to be freed.
static inline sn_soft_contact *touch_contacts(const sn_world *world, sn_deformable deformable, int *count)
{
    *count = sn_deformable_contacts(world, deformable, NULL, 0);
    sn_soft_contact *contacts = malloc(((size_t)*count + 1) * sizeof *contacts);
    if (contacts == NULL) {
        abort();
    }
    (void)sn_deformable_contacts(world, deformable, contacts, *count);
    return contacts;
}

// The force of the last step on a deformable by what it touches: by one body, or by all if that is null.
static inline sn_vec3 touch_force(const sn_world *world, sn_deformable deformable, const sn_rigid *by,
                                  float step)
{
    int count;
    sn_soft_contact *contacts = touch_contacts(world, deformable, &count);
    sn_vec3 sum = {0.0f, 0.0f, 0.0f};
    for (int i = 0; i < count; ++i) {
        if (by == NULL || (contacts[i].rigid.index == by->index && contacts[i].other.index == 0)) {
            sum = sn_add_scaled(sn_add(sum, contacts[i].friction_impulse), contacts[i].normal_impulse,
                                contacts[i].normal);
        }
    }
    free(contacts);
    return sn_scale(sum, 1.0f / step);
}

// The same, averaged over the steps of some seconds.
static inline sn_vec3 touch_mean_force(sn_world *world, sn_deformable deformable, const sn_rigid *by,
                                       float step, float seconds)
{
    int steps = (int)(seconds / step + 0.5f);
    sn_vec3 sum = {0.0f, 0.0f, 0.0f};
    for (int i = 0; i < steps; ++i) {
        must(sn_world_step(world, step));
        sum = sn_add(sum, touch_force(world, deformable, by, step));
    }
    return sn_scale(sum, 1.0f / (float)steps);
}

// Root of the mean squared speed of the nodes. [m/s]
static inline double touch_rms(const sn_world *world, sn_deformable deformable)
{
    const sn_node_velocity *velocities = sn_deformable_velocities(world, deformable);
    int count = sn_deformable_node_count(world, deformable);
    double sum = 0.0;
    for (int i = 0; i < count; ++i) {
        sum += (double)sn_length_squared(velocities[i].velocity);
    }
    return sqrt(sum / (double)count);
}

static inline double touch_lowest(const sn_world *world, sn_deformable deformable)
{
    return (double)sn_deformable_measure_now(world, deformable).bounds.lower.y;
}

#endif
