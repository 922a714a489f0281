// Makes rows and model from a definition, by the list of row builders.
// Tested by tests/world/deformables/test_deformables.c.
#include "base/allocate.h"
#include "world/deformables/deformable.h"

#include <string.h>

const sn_row_builder *const sn_row_builders[SN_ROW_BUILDERS] = {
    [SN_ROWS_EDGES] = &sn_build_edges,
    [SN_ROWS_BOUNDS] = &sn_build_bounds,
    [SN_ROWS_BENDING] = &sn_build_bending,
    [SN_ROWS_ENCLOSURE] = &sn_build_enclosure,
    [SN_ROWS_TETRAHEDRA] = &sn_build_tetrahedra,
    [SN_ROWS_NEO_HOOKEAN] = &sn_build_neo_hookean,
    [SN_ROWS_AIR] = &sn_build_air,
};

static sn_status add_rows(sn_deformable_data *data, const sn_nodes *nodes, sn_error *error,
                          const char *object)
{
    for (int i = 0; i < SN_ROW_BUILDERS; ++i) {
        sn_element_group group = {0};
        sn_status status = sn_row_builders[i]->make(data, nodes, error, object, &group);
        data->group_of[i] = group.kind != NULL ? (int8_t)data->groups.count : -1;
        if (status == SN_OK && group.kind != NULL && !sn_array_push(&data->groups, group)) {
            status = sn_fail(error, SN_ERROR_MEMORY, "%s: out of memory for its rows", object);
        }
        if (status != SN_OK) {
            sn_element_group_release(&group);
            return status;
        }
    }
    return SN_OK;
}

// For models made of forces, and for free nodes.
static sn_status add_integration(sn_deformable_data *data, sn_error *error, const char *object)
{
    if (data->def.integrator == SN_INTEGRATOR_EULER_CROMER) {
        return SN_OK;
    }
    sn_force_field none = {0};
    sn_force_field field = data->model_kind != NULL ? data->model_kind->field(data->model) : none;
    data->integration = sn_integration_create(sn_integrator_kind_of(data->def.integrator), field,
                                              data->first_node, data->node_count);
    return data->integration != NULL
               ? SN_OK
               : sn_fail(error, SN_ERROR_MEMORY, "%s: out of memory for its integrator", object);
}

sn_model_input sn_deformable_model_input(const sn_deformable_data *data, const sn_nodes *nodes)
{
    return (sn_model_input){.mesh = data->def.mesh,
                            .parameters = data->def.model,
                            .integrator = data->def.integrator,
                            .scale = data->def.scale,
                            .nodes = nodes,
                            .first_node = data->first_node,
                            .node_count = data->node_count};
}

// Makes a model that is not made of rows.
static sn_status add_model(sn_deformable_data *data, const sn_nodes *nodes, sn_error *error,
                           const char *object)
{
    const sn_mesh *mesh = data->def.mesh;
    data->model_kind = sn_model_kind_of(data->def.model.type);
    if (data->model_kind == NULL) {
        return SN_OK;
    }
    const char *lacks = data->model_kind->needs_tetrahedra && mesh->tetrahedron_count == 0 ? "tetrahedra"
                        : data->model_kind->needs_triangles && mesh->triangle_count == 0   ? "triangles"
                                                                                           : NULL;
    if (lacks != NULL) {
        return sn_fail(error, SN_ERROR_KIND, "%s: model '%s' needs %s, which the mesh has none of", object,
                       data->model_kind->name, lacks);
    }
    sn_model_input input = sn_deformable_model_input(data, nodes);
    data->model = data->model_kind->create(&input);
    return data->model != NULL ? SN_OK
                               : sn_fail(error, SN_ERROR_MEMORY, "%s: out of memory for its model", object);
}

sn_status sn_deformable_build(sn_deformable_data *data, const sn_nodes *nodes, sn_error *error,
                              const char *object)
{
    sn_deformable_find_cell(data, nodes);
    sn_status status = add_model(data, nodes, error, object);
    status = status ? status : add_integration(data, error, object);
    status = status ? status : add_rows(data, nodes, error, object);
    bool collides = data->def.collide || data->def.self_collide;
    if (status == SN_OK && collides &&
        !sn_soft_surface_make(&data->surface, data->def.mesh, data->def.scale, data->def.self_collide)) {
        status = sn_fail(error, SN_ERROR_MEMORY, "%s: out of memory for its surface", object);
    }
    return status;
}

static size_t options_size(const sn_deformable_def *def)
{
    return (size_t)def->edge_option_count * sizeof *def->edge_options;
}

bool sn_deformable_keep_options(sn_deformable_data *data)
{
    sn_deformable_def *def = &data->def;
    const sn_edge_option *given = def->edge_options;
    sn_edge_option *copy = NULL;
    if (def->edge_option_count > 0) {
        copy = sn_allocate_zero((size_t)def->edge_option_count, sizeof *copy);
        if (copy == NULL) {
            def->edge_options = NULL;
            def->edge_option_count = 0;
            return false;
        }
        memcpy(copy, given, options_size(def));
    }
    def->edge_options = copy;
    return true;
}

void sn_deformable_release(sn_deformable_data *data)
{
    sn_release((void *)data->def.edge_options, options_size(&data->def));
    data->def.edge_options = NULL;
    data->def.edge_option_count = 0;
    for (int i = 0; i < data->groups.count; ++i) {
        sn_element_group_release(&data->groups.data[i]);
    }
    sn_array_release(&data->groups);
    sn_array_release(&data->held);
    sn_soft_surface_release(&data->surface);
    sn_integration_destroy(data->integration);
    if (data->slide != NULL) {
        sn_closest_surface_release(data->slide);
        sn_release(data->slide, sizeof *data->slide);
    }
    data->slide = NULL;
    if (data->model != NULL) {
        data->model_kind->destroy(data->model);
    }
    data->integration = NULL;
    data->model = NULL;
    sn_mesh_destroy((sn_mesh *)data->def.mesh);
    data->def.mesh = NULL;
}
