// Deformables in a snapshot. Of each, the definition, the mesh and the masses of its nodes are saved; from
// these its rows and its model are made again as when it was added. What changes with time follows: nodes,
// the state of rows and models, sleep. Where its nodes are among the world's has no effect and is not saved.
#include "base/allocate.h"
#include "world/snapshot/snapshot_parts.h"

// --- definitions -------------------------------------------------------------------------------------------

static void archive_options(sn_archive *archive, sn_deformable_def *def)
{
    const size_t option_bytes = 20;
    sn_stream *stream = &archive->stream;
    int count = def->edge_option_count;
    sn_stream_count(stream, &count, option_bytes, "options of edges");
    if (sn_stream_reads(stream) && count > 0) {
        def->edge_options = sn_allocate_zero((size_t)count, sizeof *def->edge_options);
        if (def->edge_options == NULL) {
            sn_stream_fail(stream, SN_ERROR_MEMORY, "no memory for %d options of edges", count);
            return;
        }
        def->edge_option_count = count;
    }
    sn_archive_array(archive, sn_edge_option_fields, (void *)def->edge_options, sizeof *def->edge_options,
                     count, "edge option");
}

static void archive_definition(sn_archive *archive, sn_deformable_data *data, int index)
{
    const char *what = "deformable";
    sn_deformable_def *def = &data->def;
    sn_archive_fields(archive, sn_deformable_matter_fields, def, what, index);
    archive_options(archive, def);
    sn_archive_fields(archive, sn_deformable_contact_fields, def, what, index);
    sn_archive_shared(archive, SN_SHARED_MESH, &def->mesh);
    if (!sn_archive_has_read(archive)) {
        return;
    }
    def->cookie = SN_COOKIE_DEFORMABLE;
    data->node_count = def->mesh->node_count;
    sn_error why;
    sn_label label = sn_label_make(what, data->name, index);
    sn_deformable_def copy = *def; // the check makes rotations exactly of unit length
    copy.density = 1.0f;           // masses of nodes are saved, and checked, by themselves
    copy.mass = 0.0f;
    if (sn_deformable_check(&copy, &why, label.text) != SN_OK) {
        sn_stream_fail(&archive->stream, SN_ERROR_FORMAT, "%s", why.text);
    }
}

// --- nodes -------------------------------------------------------------------------------------------------

// The marks of a node, in one byte.
enum { NODE_FIXED = 1, NODE_TARGET = 2, NODE_FROZEN = 4, NODE_FORCE = 8, NODE_ACCELERATION = 16 };

static bool is_zero(sn_vec3 v)
{
    return v.x == 0.0f && v.y == 0.0f && v.z == 0.0f;
}

static uint8_t flags_of(const sn_nodes *nodes, int node)
{
    sn_vec3 force = nodes->forces.data[node];
    bool has_force = force.x != 0.0f || force.y != 0.0f || force.z != 0.0f;
    return (uint8_t)((nodes->states.data[node].inverse_mass > 0.0f ? 0 : NODE_FIXED) |
                     (nodes->has_target.data[node] ? NODE_TARGET : 0) |
                     (nodes->frozen.data[node] ? NODE_FROZEN : 0) | (has_force ? NODE_FORCE : 0) |
                     (is_zero(nodes->accelerations.data[node]) ? 0 : NODE_ACCELERATION));
}

static bool are_sound(uint8_t flags, float mass)
{
    bool fixed = flags & NODE_FIXED, target = flags & NODE_TARGET, frozen = flags & NODE_FROZEN;
    return flags < 32 && (fixed || mass > 0.0f) && (fixed || (!target && !frozen)) && !(target && frozen);
}

// Positions and velocities may be non-finite: users may have written them so, and the next step will see it.
static void archive_node(sn_stream *stream, sn_deformable_data *data, sn_nodes *nodes, int node)
{
    uint8_t flags = sn_stream_reads(stream) ? 0 : flags_of(nodes, node);
    sn_stream_integers(stream, &flags, sizeof flags, 1);
    if (sn_stream_reads(stream)) {
        if (!are_sound(flags, nodes->masses.data[node])) {
            sn_stream_fail(stream, SN_ERROR_FORMAT, "a node is marked %u, which is impossible", flags);
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
    if (flags & NODE_ACCELERATION) {
        sn_stream_vec3(stream, &nodes->accelerations.data[node]);
    }
    if (flags & NODE_FORCE) {
        sn_stream_vec3(stream, &nodes->forces.data[node]);
    }
}

// Whether there are levels, and the nodes that bounds know as held, in ascending order: which bounds there
// are follows from them.
static void archive_held(sn_archive *archive, sn_deformable_data *data, int index)
{
    sn_stream *stream = &archive->stream;
    int count = data->held.count;
    sn_stream_bool(stream, &data->has_levels, "levels of bounds");
    sn_stream_int(stream, &count);
    if (sn_stream_reads(stream)) {
        sn_archive_require(archive, count >= 0 && count <= data->node_count, "deformable", index,
                           "it cannot have so many nodes that are held");
        if (stream->status == SN_OK && !sn_array_resize(&data->held, count)) {
            sn_stream_fail(stream, SN_ERROR_MEMORY, "no memory for %d numbers of nodes", count);
        }
    }
    for (int i = 0; stream->status == SN_OK && i < count; ++i) {
        int *node = &data->held.data[i];
        sn_stream_int(stream, node);
        sn_archive_require(archive, *node >= 0 && *node < data->node_count && (i == 0 || node[-1] < *node),
                           "deformable", index, "nodes that are held are not in ascending order");
    }
}

// Reads the masses, and makes the deformable with them as it was when it was added.
static void read_masses_and_fill(sn_archive *archive, sn_deformable_data *data, int index)
{
    const size_t smallest_node = 4 + 25; // its mass here, the rest of it later
    sn_stream *stream = &archive->stream;
    sn_nodes *nodes = &archive->world->nodes;
    sn_label label = sn_deformable_label(archive->world, index);
    sn_archive_require(archive, (stream->size - stream->at) / smallest_node >= (size_t)data->node_count,
                       "deformable", index, "the bytes end before its nodes");
    if (stream->status != SN_OK) {
        return;
    }
    size_t bytes = (size_t)data->node_count * sizeof(float);
    float *masses = sn_allocate_zero(1, bytes);
    data->first_node = sn_nodes_take(nodes, data->node_count);
    if (masses == NULL || data->first_node < 0) {
        sn_stream_fail(stream, SN_ERROR_MEMORY, "no memory for %d nodes", data->node_count);
    } else {
        sn_stream_floats(stream, masses, (size_t)data->node_count);
    }
    sn_error why;
    sn_status status = stream->status ? SN_OK : sn_deformable_fill(data, nodes, masses, &why, label.text);
    if (status != SN_OK) {
        sn_stream_fail(stream, status == SN_ERROR_MEMORY ? SN_ERROR_MEMORY : SN_ERROR_FORMAT, "%s", why.text);
    }
    sn_release(masses, bytes);
}

// --- state of rows and models ------------------------------------------------------------------------------

static void archive_lanes(void *context, sn_lanes *lanes, const sn_element_memory *memory)
{
    (void)memory;
    sn_archive *archive = context;
    static const sn_field fields[] = {
        SN_MEMBER_FIELD(FLOAT, sn_lanes, lane, SN_FINITE, .count = SN_LANES),
        {0},
    };
    sn_archive_fields(archive, fields, lanes, "row", -1);
}

// The state of a model, and of an integrator, is made of floats; null for none.
static void archive_state(sn_stream *stream, float *values, size_t size)
{
    if (values != NULL) {
        sn_stream_floats(stream, values, size / sizeof *values);
    }
}

static void archive_model_state(sn_stream *stream, const sn_deformable_data *data)
{
    if (data->model != NULL && data->model_kind->state != NULL) {
        size_t size = 0;
        float *values = data->model_kind->state(data->model, &size);
        archive_state(stream, values, size);
    }
    if (data->integration != NULL) {
        archive_state(stream, data->integration->memory, data->integration->memory_size);
    }
}

// Whether there is a Verlet list, and the positions it was made from: it is made again when it is needed.
static void archive_verlet_list(sn_archive *archive, const sn_deformable_data *data, bool may_have,
                                sn_verlet_list *list)
{
    sn_stream *stream = &archive->stream;
    bool has_list = list->reference.count > 0;
    sn_stream_bool(stream, &has_list, "whether a deformable has a Verlet list");
    if (!has_list || stream->status != SN_OK) {
        return;
    }
    sn_stream_int(stream, &list->escape_total);
    sn_stream_float(stream, &list->fall);
    if (sn_stream_reads(stream)) {
        bool possible = may_have && list->fall >= 0.0f && list->escape_total >= 0 &&
                        list->escape_total <= 2 * data->surface.face_count;
        sn_archive_require(archive, possible, "deformable", -1, "it cannot have such a Verlet list");
        if (possible && !sn_array_resize(&list->reference, data->node_count)) {
            sn_stream_fail(stream, SN_ERROR_MEMORY, "no memory for %d positions", data->node_count);
        }
    }
    for (int i = 0; stream->status == SN_OK && i < data->node_count; ++i) {
        sn_stream_vec3(stream, &list->reference.data[i].position);
    }
}

// --- deformables -------------------------------------------------------------------------------------------

#define DEFORMABLE(TYPE, MEMBER, ...) SN_MEMBER_FIELD(TYPE, sn_deformable_data, MEMBER, __VA_ARGS__)

static const sn_field sub_step_fields[] = {
    DEFORMABLE(FLOAT, sub_step, SN_RANGE(0.0f, 1.0f)),
    {0},
};
static const sn_field sleep_fields[] = {
    DEFORMABLE(EDGE, first_constraint, .pool = offsetof(sn_world, constraint_ids)),
    DEFORMABLE(MEMBER, island_next, SN_ANY),
    DEFORMABLE(FLOAT, rest_time, SN_RANGE(0.0f, FLT_MAX)),
    {0},
};

void sn_archive_deformable(sn_archive *archive, int index)
{
    sn_stream *stream = &archive->stream;
    sn_world *world = archive->world;
    sn_deformable_data *data = &world->deformables.data[index];
    sn_archive_name(stream, &data->name);
    archive_definition(archive, data, index);
    if (stream->status == SN_OK) {
        archive_held(archive, data, index);
    }
    if (sn_stream_reads(stream)) {
        read_masses_and_fill(archive, data, index);
    } else {
        sn_stream_floats(stream, &world->nodes.masses.data[data->first_node], (size_t)data->node_count);
    }
    for (int i = 0; stream->status == SN_OK && i < data->node_count; ++i) {
        archive_node(stream, data, &world->nodes, data->first_node + i);
    }
    sn_archive_fields(archive, sub_step_fields, data, "deformable", index);
    for (int g = 0; stream->status == SN_OK && g < data->groups.count; ++g) {
        sn_element_group_visit(&data->groups.data[g], archive_lanes, archive);
    }
    if (stream->status == SN_OK) {
        archive_model_state(stream, data);
        archive_verlet_list(archive, data, data->def.self_collide, &data->surface.verlet_list);
        archive_verlet_list(archive, data, data->def.collide, &data->surface.between);
    }
    sn_archive_fields(archive, sleep_fields, data, "deformable", index);
    sn_archive_energy(archive, &data->energy, "deformable", index);
    if (sn_archive_has_read(archive)) {
        data->edited = true; // nodes may have been written since the last step
        data->bounds = sn_deformable_bounds(world, data);
    }
}
