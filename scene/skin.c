// Skins of deformables: which kind of plan a mesh needs, and the arrays all kinds share.
#include "scene/message.h"
#include "scene/skin_parts.h"

#include <string.h>

static bool make_arrays(sn_skin *skin)
{
    size_t count = (size_t)skin->vertex_count;
    skin->positions = calloc(count + 1, sizeof *skin->positions);
    skin->normals = calloc(count + 1, sizeof *skin->normals);
    skin->rest = calloc(count + 1, sizeof *skin->rest);
    return skin->positions != NULL && skin->normals != NULL && skin->rest != NULL;
}

sn_status sn_skin_create(const sn_mesh *mesh, float thickness, bool solid, sn_skin *skin)
{
    if (mesh == NULL || skin == NULL) {
        return sn_scene_fail(SN_ERROR_NULL, "sn_skin_create: mesh or skin is null");
    }
    memset(skin, 0, sizeof *skin);
    if (!sn_is_finite(thickness) || !(thickness > 0.0f)) {
        return sn_scene_fail(SN_ERROR_RANGE, "sn_skin_create: thickness is %g, expected above 0",
                             (double)thickness);
    }
    skin->plan = calloc(1, sizeof *skin->plan);
    if (skin->plan == NULL) {
        return sn_scene_fail(SN_ERROR_MEMORY, "no memory for the skin of a deformable");
    }
    skin->plan->strand = sn_mesh_triangle_count(mesh) == 0 || (solid && sn_skin_is_rope(mesh));
    skin->plan->offset = solid || skin->plan->strand ? 0.5f * thickness : 0.0f;
    bool planned =
        skin->plan->strand ? sn_skin_plan_strand(skin, mesh) : sn_skin_plan_surface(skin, mesh, solid);
    if (!planned || !make_arrays(skin)) {
        sn_skin_release(skin);
        return sn_scene_fail(SN_ERROR_MEMORY, "no memory for the skin of a deformable");
    }
    if (skin->plan->strand) {
        skin->radius = skin->plan->offset;
        sn_skin_rest_strand(skin, mesh);
    } else {
        sn_skin_rest_surface(skin, mesh);
    }
    return SN_OK;
}

void sn_skin_update(sn_skin *skin, const sn_node_state *nodes, sn_vec3 origin)
{
    if (skin->plan->strand) {
        sn_skin_move_strand(skin, nodes, origin);
    } else {
        sn_skin_move_surface(skin, nodes, origin);
    }
}

void sn_skin_release(sn_skin *skin)
{
    if (skin == NULL) {
        return;
    }
    if (skin->plan != NULL) {
        SN_LIST_FREE(&skin->plan->rim_of);
        SN_LIST_FREE(&skin->plan->rims);
        SN_LIST_FREE(&skin->plan->creases);
        SN_LIST_FREE(&skin->plan->rings);
        SN_LIST_FREE(&skin->plan->stations);
        SN_LIST_FREE(&skin->plan->members);
    }
    free(skin->plan);
    free(skin->indices);
    free(skin->sources);
    free(skin->positions);
    free(skin->normals);
    free(skin->rest);
    memset(skin, 0, sizeof *skin);
}
