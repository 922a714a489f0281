// Deformables in a snapshot. Of each the definition, the mesh and the masses of its nodes
// are saved; from these its rows and its model are made again as when it was added. What changes with time
// follows: nodes, what the rows and the model remember, sleep. Where its nodes are among the world's decides
// nothing and is not saved.
#include "base/allocate.h"
#include "geometry/shapes/check.h"
#include "world/snapshot/snapshot_parts.h"

#include <float.h>
#include <string.h>

_Static_assert(sizeof(sn_model_type) == sizeof(uint32_t) && sizeof(sn_matching) == sizeof(uint32_t) &&
                   sizeof(sn_limit_side) == sizeof(uint32_t) && sizeof(sn_bending_type) == sizeof(uint32_t),
               "enumerations are streamed as 32 bits");

// --- definitions -------------------------------------------------------------------------------------------

static void archive_model(sn_stream *stream, sn_model *model)
{
    sn_stream_enum(stream, &model->type, SN_MODEL_COUNT, "a model's type");
    sn_stream_float(stream, &model->stiffness);
    sn_stream_float(stream, &model->damping);
    sn_stream_float(stream, &model->young);
    sn_stream_float(stream, &model->poisson);
    sn_stream_float(stream, &model->area_stiffness);
    sn_stream_float(stream, &model->volume_stiffness);
    sn_stream_enum(stream, &model->matching, SN_MATCH_QUADRATIC + 1, "a model's matching");
    sn_stream_float(stream, &model->matching_share);
    sn_stream_int(stream, &model->cluster_rings);
}

static void archive_limits(sn_stream *stream, sn_deformable_def *def)
{
    sn_stream_bool(stream, &def->inextensible.on);
    sn_stream_enum(stream, &def->inextensible.side, SN_HOLD_COMPRESSION + 1, "the side edges are held on");
    sn_stream_float(stream, &def->inextensible.compliance);
    sn_stream_float(stream, &def->inextensible.damping);
    sn_stream_float(stream, &def->inextensible.max_force);
    sn_stream_float(stream, &def->inextensible.shear_stiffness);
    sn_stream_float(stream, &def->inextensible.shear_damping);
    sn_stream_enum(stream, &def->bending.type, SN_BENDING_ISOMETRIC + 1, "a type of bending");
    sn_stream_float(stream, &def->bending.stiffness);
    sn_stream_float(stream, &def->bending.damping);
    sn_stream_float(stream, &def->bending.max_impulse);
    sn_stream_bool(stream, &def->enclosure.preserve);
    sn_stream_float(stream, &def->enclosure.scale);
    sn_stream_float(stream, &def->enclosure.compliance);
    sn_stream_float(stream, &def->enclosure.pressure);
}

// Room for the options to be read, which are 20 bytes each.
static sn_edge_option *make_options(sn_stream *stream, size_t at, int count)
{
    if (stream->status == SN_OK && (count < 0 || (stream->size - stream->at) / 20 < (size_t)count)) {
        sn_stream_fail(stream, SN_ERROR_FORMAT, at, "the bytes end before %d options of edges", count);
    }
    if (stream->status != SN_OK || count == 0) {
        return NULL;
    }
    sn_edge_option *options = sn_allocate_zero((size_t)count, sizeof *options);
    if (options == NULL) {
        sn_stream_fail(stream, SN_ERROR_MEMORY, at, "no memory for %d options of edges", count);
    }
    return options;
}

static void archive_options(sn_stream *stream, sn_deformable_def *def)
{
    size_t at = stream->at;
    int count = def->edge_option_count;
    sn_stream_int(stream, &count);
    if (sn_stream_reads(stream)) {
        def->edge_options = make_options(stream, at, count);
        def->edge_option_count = def->edge_options != NULL ? count : 0;
    }
    sn_edge_option *options = (sn_edge_option *)def->edge_options;
    for (int i = 0; i < def->edge_option_count; ++i) {
        sn_stream_int(stream, &options[i].edge);
        sn_stream_enum(stream, &options[i].side, SN_HOLD_COMPRESSION + 1, "the side an edge is held on");
        sn_stream_float(stream, &options[i].compliance);
        sn_stream_float(stream, &options[i].damping);
        sn_stream_float(stream, &options[i].max_force);
    }
}

static void archive_definition(sn_stream *stream, sn_deformable_def *def)
{
    sn_stream_pose(stream, &def->pose);
    sn_stream_float(stream, &def->scale);
    sn_stream_vec3(stream, &def->linear_velocity);
    sn_stream_vec3(stream, &def->angular_velocity);
    sn_stream_float(stream, &def->density);
    sn_stream_float(stream, &def->mass);
    archive_model(stream, &def->model);
    sn_stream_enum(stream, &def->integrator, SN_INTEGRATOR_COUNT, "an integrator");
    archive_limits(stream, def);
    archive_options(stream, def);
    sn_stream_float(stream, &def->thickness);
    sn_stream_float(stream, &def->friction);
    sn_stream_float(stream, &def->restitution);
    sn_stream_u64(stream, &def->filter.category);
    sn_stream_u64(stream, &def->filter.mask);
    sn_stream_int(stream, &def->filter.group);
    sn_stream_bool(stream, &def->collide);
    sn_stream_bool(stream, &def->self_collide);
    sn_stream_float(stream, &def->linear_damping);
    sn_stream_float(stream, &def->gravity_scale);
    sn_stream_float(stream, &def->drag);
    sn_stream_float(stream, &def->lift);
    sn_stream_bool(stream, &def->allow_sleep);
}

static void check_definition(sn_stream *stream, size_t at, sn_deformable_data *data, const char *object)
{
    sn_error why;
    sn_deformable_def copy = data->def; // the check makes rotations exactly of unit length
    copy.density = 1.0f;                // masses of nodes are saved, and checked, by themselves
    copy.mass = 0.0f;
    if (sn_deformable_check(&copy, &why, object) != SN_OK) {
        sn_stream_fail(stream, SN_ERROR_FORMAT, at, "%s", why.text);
    }
}

// The definition, with the mesh held.
static void read_definition(sn_archive *archive, int index, const char *object)
{
    sn_stream *stream = &archive->stream;
    sn_deformable_data *data = &archive->world->deformables.data[index];
    size_t at = stream->at;
    data->def.cookie = SN_COOKIE_DEFORMABLE;
    archive_definition(stream, &data->def);
    data->def.mesh = sn_archive_shared(archive, SN_SHARED_MESH, NULL);
    if (data->def.mesh != NULL) {
        sn_mesh_retain(data->def.mesh);
        data->node_count = data->def.mesh->node_count;
        check_definition(stream, at, data, object);
    }
}

// --- nodes -------------------------------------------------------------------------------------------------

// What is told of a node in one byte.
enum { NODE_FIXED = 1, NODE_TARGET = 2, NODE_FROZEN = 4, NODE_FORCE = 8 };

static uint8_t flags_of(const sn_nodes *nodes, int node)
{
    sn_vec3 force = nodes->forces.data[node];
    bool has_force = force.x != 0.0f || force.y != 0.0f || force.z != 0.0f;
    return (uint8_t)((nodes->states.data[node].inverse_mass > 0.0f ? 0 : NODE_FIXED) |
                     (nodes->has_target.data[node] ? NODE_TARGET : 0) |
                     (nodes->frozen.data[node] ? NODE_FROZEN : 0) | (has_force ? NODE_FORCE : 0));
}

static bool are_sound(uint8_t flags, float mass)
{
    bool fixed = flags & NODE_FIXED, target = flags & NODE_TARGET, frozen = flags & NODE_FROZEN;
    return flags < 16 && (fixed || mass > 0.0f) && (fixed || (!target && !frozen)) && !(target && frozen);
}

// Places and velocities may be no numbers: users may have written them so, and the next step will see it.
static void archive_node(sn_stream *stream, sn_deformable_data *data, sn_nodes *nodes, int node)
{
    size_t at = stream->at;
    uint8_t flags = sn_stream_reads(stream) ? 0 : flags_of(nodes, node);
    sn_stream_u8(stream, &flags);
    if (sn_stream_reads(stream)) {
        if (!are_sound(flags, nodes->masses.data[node])) {
            sn_stream_fail(stream, SN_ERROR_FORMAT, at, "a node is marked %u, which it cannot be", flags);
        }
        nodes->states.data[node].inverse_mass =
            flags & NODE_FIXED ? 0.0f : nodes->states.data[node].inverse_mass;
        nodes->has_target.data[node] = (flags & NODE_TARGET) != 0;
        nodes->frozen.data[node] = (flags & NODE_FROZEN) != 0;
        data->frozen_count += nodes->frozen.data[node];
    }
    sn_stream_vec3(stream, &nodes->states.data[node].position);
    sn_stream_vec3(stream, &nodes->velocities.data[node].velocity);
    if (flags & NODE_TARGET) {
        sn_stream_vec3(stream, &nodes->targets.data[node]);
    }
    if (flags & NODE_FORCE) {
        sn_stream_vec3(stream, &nodes->forces.data[node]);
    }
}

// Masses in, and with them the deformable as it was when it was added.
static void read_masses_and_fill(sn_archive *archive, sn_deformable_data *data, const char *object)
{
    const size_t smallest_node = 4 + 25; // its mass here, the rest of it later
    sn_stream *stream = &archive->stream;
    sn_nodes *nodes = &archive->world->nodes;
    size_t at = stream->at;
    if (stream->status == SN_OK && (stream->size - at) / smallest_node < (size_t)data->node_count) {
        sn_stream_fail(stream, SN_ERROR_FORMAT, at, "%s: the bytes end before its %d nodes", object,
                       data->node_count);
    }
    if (stream->status != SN_OK) {
        return;
    }
    float *masses = sn_allocate_zero((size_t)data->node_count, sizeof *masses);
    data->first_node = sn_nodes_take(nodes, data->node_count);
    if (masses == NULL || data->first_node < 0) {
        sn_stream_fail(stream, SN_ERROR_MEMORY, at, "no memory for %d nodes", data->node_count);
    }
    for (int i = 0; stream->status == SN_OK && i < data->node_count; ++i) {
        sn_stream_float(stream, &masses[i]);
    }
    sn_error why;
    sn_status status = stream->status ? SN_OK : sn_deformable_fill(data, nodes, masses, &why, object);
    if (status != SN_OK) {
        sn_stream_fail(stream, status == SN_ERROR_MEMORY ? SN_ERROR_MEMORY : SN_ERROR_FORMAT, at, "%s",
                       why.text);
    }
    sn_release(masses, (size_t)data->node_count * sizeof *masses);
}

// --- what rows and models remember -------------------------------------------------------------------------

static void archive_lanes(void *context, sn_lanes *lanes, const sn_element_memory *memory)
{
    (void)memory;
    sn_stream *stream = context;
    size_t at = stream->at;
    for (int i = 0; i < SN_LANES; ++i) {
        sn_stream_float(stream, &lanes->lane[i]);
        if (sn_stream_reads(stream) && !sn_is_finite(lanes->lane[i])) {
            sn_stream_fail(stream, SN_ERROR_FORMAT, at, "what a row remembers is no number");
        }
    }
}

// How long a sub-step was; 0 for none yet.
void sn_archive_sub_step(sn_stream *stream, float *sub_step)
{
    size_t at = stream->at;
    sn_stream_float(stream, sub_step);
    if (sn_stream_reads(stream) && !(*sub_step >= 0.0f && *sub_step <= 1.0f)) {
        sn_stream_fail(stream, SN_ERROR_FORMAT, at, "a sub-step was %g s long", (double)*sub_step);
    }
}

static void archive_rows(sn_stream *stream, sn_deformable_data *data)
{
    sn_archive_sub_step(stream, &data->sub_step);
    for (int g = 0; stream->status == SN_OK && g < data->groups.count; ++g) {
        sn_element_group_visit(&data->groups.data[g], archive_lanes, stream);
    }
}

static void archive_floats(sn_stream *stream, float *values, size_t size)
{
    for (size_t i = 0; stream->status == SN_OK && values != NULL && i < size / sizeof *values; ++i) {
        sn_stream_float(stream, &values[i]);
    }
}

// The memory of a model, and of an integrator, is made of floats.
static void archive_model_state(sn_stream *stream, const sn_deformable_data *data)
{
    if (data->model != NULL && data->model_kind->state != NULL) {
        size_t size = 0;
        float *values = data->model_kind->state(data->model, &size);
        archive_floats(stream, values, size);
    }
    if (data->integration != NULL) {
        archive_floats(stream, data->integration->memory, data->integration->memory_size);
    }
}

// --- what is near ------------------------------------------------------------------------------------------

// Whether there is a list of near features, and what it is made from: it is made again when it is needed.
static void archive_verlet_list(sn_stream *stream, const sn_deformable_data *data, sn_verlet_list *list)
{
    size_t at = stream->at;
    bool has_list = list->reference.count > 0;
    sn_stream_bool(stream, &has_list);
    if (!has_list || stream->status != SN_OK) {
        return;
    }
    sn_stream_int(stream, &list->escape_total);
    if (sn_stream_reads(stream)) {
        bool possible = data->def.self_collide && list->escape_total >= 0 &&
                        list->escape_total <= data->surface.face_count;
        if (!possible) {
            sn_stream_fail(stream, SN_ERROR_FORMAT, at,
                           "a deformable has a list of near faces it cannot have");
        } else if (!sn_array_resize(&list->reference, data->node_count)) {
            sn_stream_fail(stream, SN_ERROR_MEMORY, at, "no memory for %d places", data->node_count);
        }
    }
    for (int i = 0; stream->status == SN_OK && i < data->node_count; ++i) {
        sn_stream_vec3(stream, &list->reference.data[i].position);
    }
}

// --- deformables -------------------------------------------------------------------------------------------

static void archive_sleep(sn_archive *archive, sn_deformable_data *data)
{
    sn_stream *stream = &archive->stream;
    size_t at = stream->at;
    sn_archive_edge(stream, &data->first_constraint, &archive->world->constraint_ids,
                    "a deformable's first constraint");
    sn_archive_island_next(archive, &data->island_next);
    sn_stream_float(stream, &data->rest_time);
    if (sn_stream_reads(stream) && !(data->rest_time >= 0.0f && data->rest_time <= FLT_MAX)) {
        sn_stream_fail(stream, SN_ERROR_FORMAT, at, "a deformable has rested for %g s",
                       (double)data->rest_time);
    }
}

static void write_definition(sn_archive *archive, sn_deformable_data *data)
{
    archive_definition(&archive->stream, &data->def);
    (void)sn_archive_shared(archive, SN_SHARED_MESH, data->def.mesh);
    for (int i = 0; i < data->node_count; ++i) {
        sn_stream_float(&archive->stream, &archive->world->nodes.masses.data[data->first_node + i]);
    }
}

void sn_archive_deformable(sn_archive *archive, int index)
{
    sn_stream *stream = &archive->stream;
    sn_world *world = archive->world;
    sn_deformable_data *data = &world->deformables.data[index];
    sn_archive_name(stream, &data->name);
    if (sn_stream_reads(stream)) {
        sn_label label = sn_deformable_label(world, index);
        data->island_next = -1;
        read_definition(archive, index, label.text);
        read_masses_and_fill(archive, data, label.text);
    } else {
        write_definition(archive, data);
    }
    for (int i = 0; stream->status == SN_OK && i < data->node_count; ++i) {
        archive_node(stream, data, &world->nodes, data->first_node + i);
    }
    archive_rows(stream, data);
    if (stream->status == SN_OK) {
        archive_model_state(stream, data);
        archive_verlet_list(stream, data, &data->surface.verlet_list);
    }
    archive_sleep(archive, data);
    if (sn_stream_reads(stream) && stream->status == SN_OK) {
        data->edited = true; // who knows what was written into the nodes
        data->bounds = sn_deformable_bounds(world, data);
    }
}
