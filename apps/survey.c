// One pass over all bodies, joints and deformables.
#include "apps/survey.h"

#include "scene/list.h"

#include <stdio.h>
#include <string.h>

const char *shape_type_name(int type)
{
    static const char *const names[] = {"sphere", "capsule", "box", "hull", "plane", "mesh", "compound"};
    return names[type];
}

const char *rigid_type_name(int type)
{
    static const char *const names[] = {"static", "kinematic", "dynamic"};
    return names[type];
}

const char *joint_kind_name(int kind)
{
    return sn_constraint_kind_name((sn_constraint_kind)kind);
}

const char *soft_type_name(int type)
{
    static const char *const names[] = {"volume", "sheet", "strand"};
    return names[type];
}

soft_type soft_type_of(const sn_mesh *mesh)
{
    if (sn_mesh_tetrahedron_count(mesh) > 0) {
        return SOFT_VOLUME;
    }
    return sn_mesh_triangle_count(mesh) > 0 ? SOFT_SHEET : SOFT_STRAND;
}

int soft_element_count(const sn_mesh *mesh)
{
    switch (soft_type_of(mesh)) {
    case SOFT_VOLUME:
        return sn_mesh_tetrahedron_count(mesh);
    case SOFT_SHEET:
        return sn_mesh_triangle_count(mesh);
    default:
        return sn_mesh_edge_count(mesh);
    }
}

description survey_anchors(const survey *survey)
{
    description text = describe_count(survey->anchor_count, "anchor", "anchors");
    const int counts[] = {survey->exact_count, survey->instead_count, survey->off_count};
    static const char *const words[] = {"exact", "of these by rows", "off"};
    const char *separator = " (";
    for (int i = 0; i < 3; ++i) {
        size_t used = strlen(text.text);
        if (counts[i] > 0) {
            snprintf(text.text + used, sizeof text.text - used, "%s%d %s", separator, counts[i], words[i]);
            separator = ", ";
        }
    }
    size_t used = strlen(text.text);
    if (separator[0] == ',') {
        snprintf(text.text + used, sizeof text.text - used, ")");
    }
    return text;
}

typedef SN_LIST(sn_shape) shape_list;

static void add_extent(survey *survey, sn_bounds bounds)
{
    survey->extent = survey->has_extent ? sn_bounds_union(survey->extent, bounds) : bounds;
    survey->has_extent = true;
}

static void add_shape(survey *survey, const sn_world *world, sn_shape shape)
{
    sn_shape_type type = sn_shape_get_type(world, shape);
    ++survey->shapes[type];
    ++survey->shape_count;
    if (type == SN_PLANE) {
        return;
    }
    add_extent(survey, sn_shape_bounds(world, shape));
}

static bool add_shapes(survey *survey, const sn_world *world, sn_rigid rigid, shape_list *shapes)
{
    int count = sn_rigid_shapes(world, rigid, NULL, 0);
    if (!SN_LIST_RESERVE(shapes, count)) {
        return false;
    }
    sn_rigid_shapes(world, rigid, shapes->items, count);
    for (int i = 0; i < count; ++i) {
        add_shape(survey, world, shapes->items[i]);
    }
    return true;
}

static void add_body(survey *survey, const sn_world *world, sn_rigid rigid)
{
    sn_rigid_type type = sn_rigid_get_type(world, rigid);
    ++survey->bodies[type];
    ++survey->body_count;
    if (type == SN_DYNAMIC) {
        double mass = (double)sn_rigid_mass(world, rigid).mass;
        bool first = survey->bodies[SN_DYNAMIC] == 1;
        survey->mass += mass;
        survey->lightest = first || mass < survey->lightest ? mass : survey->lightest;
        survey->heaviest = first || mass > survey->heaviest ? mass : survey->heaviest;
    }
}

static bool add_bodies(survey *survey, const sn_world *world)
{
    shape_list shapes = {0};
    int count = sn_world_rigids(world, NULL, 0);
    sn_rigid *rigids = malloc(((size_t)count + 1) * sizeof *rigids);
    bool fine = rigids != NULL && add_shapes(survey, world, sn_world_ground(world), &shapes);
    if (fine) {
        sn_world_rigids(world, rigids, count);
    }
    for (int i = 0; i < count && fine; ++i) {
        add_body(survey, world, rigids[i]);
        fine = add_shapes(survey, world, rigids[i], &shapes);
    }
    free(rigids);
    SN_LIST_FREE(&shapes);
    return fine;
}

static bool add_joints(survey *survey, const sn_world *world)
{
    int count = sn_world_constraints(world, NULL, 0);
    sn_constraint *constraints = malloc(((size_t)count + 1) * sizeof *constraints);
    if (constraints == NULL) {
        return false;
    }
    count = list_joints(world, constraints, count);
    for (int i = 0; i < count; ++i) {
        ++survey->joints[sn_constraint_get_kind(world, constraints[i])];
    }
    survey->joint_count = count;
    free(constraints);
    return true;
}

static bool add_deformables(survey *survey, const sn_world *world)
{
    int count = sn_world_deformables(world, NULL, 0);
    sn_deformable *deformables = malloc(((size_t)count + 1) * sizeof *deformables);
    if (deformables == NULL) {
        return false;
    }
    sn_world_deformables(world, deformables, count);
    for (int i = 0; i < count; ++i) {
        const sn_mesh *mesh = sn_deformable_mesh(world, deformables[i]);
        sn_deformable_measure measure = sn_deformable_measure_now(world, deformables[i]);
        ++survey->softs[soft_type_of(mesh)];
        survey->node_count += sn_mesh_node_count(mesh);
        survey->element_count += soft_element_count(mesh);
        survey->soft_mass += (double)measure.mass;
        add_extent(survey, measure.bounds);
    }
    survey->soft_count = count;
    free(deformables);
    return true;
}

static bool add_anchors(survey *survey, const sn_world *world)
{
    int count = sn_world_anchors(world, NULL, 0);
    sn_anchor *anchors = malloc(((size_t)count + 1) * sizeof *anchors);
    if (anchors == NULL) {
        return false;
    }
    sn_world_anchors(world, anchors, count);
    for (int i = 0; i < count; ++i) {
        sn_anchor_hold hold = sn_anchor_hold_now(world, anchors[i]);
        survey->exact_count += sn_anchor_definition(world, anchors[i]).exact ? 1 : 0;
        survey->instead_count += hold == SN_ANCHOR_ROWS_INSTEAD ? 1 : 0;
        survey->off_count += hold == SN_ANCHOR_OFF ? 1 : 0;
    }
    survey->anchor_count = count;
    free(anchors);
    return true;
}

bool survey_take(const sn_scene *scene, survey *survey)
{
    memset(survey, 0, sizeof *survey);
    const sn_world *world = sn_scene_world(scene);
    return add_bodies(survey, world) && add_joints(survey, world) && add_deformables(survey, world) &&
           add_anchors(survey, world);
}
