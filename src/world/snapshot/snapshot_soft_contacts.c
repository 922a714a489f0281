// Contacts of deformables in a snapshot: impulses for warm starting, the sides faces remember, what sleeping
// islands lie on. Those with things that were removed since the last step decide nothing and are left out.
#include "world/snapshot/snapshot_parts.h"

// Generations are those of the things that exist: the key is current.
static void archive_key(sn_archive *archive, sn_soft_key *key)
{
    sn_stream *stream = &archive->stream;
    const sn_world *world = archive->world;
    int deformable = (int)key->deformable, other = sn_soft_key_other(key);
    bool soft = sn_soft_key_is_soft(key);
    sn_archive_index(stream, &deformable, &world->deformable_ids, false, "a contact's deformable");
    sn_stream_bool(stream, &soft);
    sn_archive_index(stream, &other, soft ? &world->deformable_ids : &world->shape_ids, false,
                     "the other side of a deformable's contact");
    sn_stream_u32(stream, &key->feature);
    sn_stream_u32(stream, &key->part);
    sn_stream_u32(stream, &key->piece);
    if (sn_stream_reads(stream) && stream->status == SN_OK) {
        key->deformable = (uint32_t)deformable;
        key->other = (uint32_t)other | (soft ? SN_SOFT_OTHER_DEFORMABLE : 0u);
        key->generation = world->deformable_ids.generation.data[deformable];
        key->other_generation = (soft ? &world->deformable_ids : &world->shape_ids)->generation.data[other];
    }
}

// A node goes by its number in the deformable it belongs to.
static void archive_node(sn_archive *archive, sn_soft_contact_data *contact, int k)
{
    sn_stream *stream = &archive->stream;
    const sn_world *world = archive->world;
    size_t at = stream->at;
    bool own = !sn_soft_key_is_soft(&contact->key) || sn_soft_is_own(world, contact, k);
    sn_stream_bool(stream, &own);
    if (!own && !sn_soft_key_is_soft(&contact->key)) {
        sn_stream_fail(stream, SN_ERROR_FORMAT, at,
                       "a contact with a shape has a node of another deformable");
        return;
    }
    const sn_deformable_data *data =
        &world->deformables.data[own ? (int)contact->key.deformable : sn_soft_key_other(&contact->key)];
    int node = contact->nodes[k] - data->first_node;
    sn_stream_int(stream, &node);
    sn_stream_float(stream, &contact->weights[k]);
    if (sn_stream_reads(stream)) {
        if (node < 0 || node >= data->node_count) {
            sn_stream_fail(stream, SN_ERROR_FORMAT, at, "a contact's node is %d, expected 0 to %d", node,
                           data->node_count - 1);
            node = 0;
        }
        contact->nodes[k] = data->first_node + node;
    }
}

static bool is_sound(const sn_soft_contact_data *contact)
{
    bool sound = sn_length(contact->normal) <= 1.001f && sn_vec3_is_finite(contact->point) &&
                 sn_is_finite(contact->separation) && sn_is_finite(contact->normal_impulse) &&
                 sn_vec3_is_finite(contact->friction_impulse) && sn_is_finite(contact->total_normal) &&
                 sn_vec3_is_finite(contact->total_friction) && sn_vec3_is_finite(contact->ball) &&
                 sn_is_finite(contact->reach) && sn_length(contact->out) <= 1.001f &&
                 (contact->side == 0.0f || contact->side == 1.0f || contact->side == -1.0f) &&
                 contact->friction >= 0.0f && contact->friction <= 100.0f && contact->restitution >= 0.0f &&
                 contact->restitution <= 1.0f;
    for (int k = 0; k < contact->width; ++k) {
        sound = sound && sn_abs(contact->weights[k]) <= 1.001f;
    }
    return sound;
}

static void archive_contact(sn_archive *archive, sn_soft_contact_data *contact)
{
    sn_stream *stream = &archive->stream;
    size_t at = stream->at;
    archive_key(archive, &contact->key);
    sn_stream_int(stream, &contact->width);
    if (sn_stream_reads(stream) && (contact->width < 1 || contact->width > SN_SOFT_NODES)) {
        sn_stream_fail(stream, SN_ERROR_FORMAT, at, "a contact has %d nodes, expected 1 to %d",
                       contact->width, SN_SOFT_NODES);
    }
    for (int k = 0; stream->status == SN_OK && k < contact->width && k < SN_SOFT_NODES; ++k) {
        archive_node(archive, contact, k);
    }
    sn_stream_vec3(stream, &contact->normal);
    sn_stream_vec3(stream, &contact->point);
    sn_stream_float(stream, &contact->separation);
    sn_stream_float(stream, &contact->side);
    sn_stream_bool(stream, &contact->follows);
    if (contact->follows) {
        sn_stream_vec3(stream, &contact->ball);
        sn_stream_float(stream, &contact->reach);
        sn_stream_vec3(stream, &contact->out);
    }
    sn_stream_bool(stream, &contact->closes);
    sn_stream_float(stream, &contact->friction);
    sn_stream_float(stream, &contact->restitution);
    sn_stream_float(stream, &contact->normal_impulse);
    sn_stream_vec3(stream, &contact->friction_impulse);
    sn_stream_float(stream, &contact->total_normal);
    sn_stream_vec3(stream, &contact->total_friction);
    if (sn_stream_reads(stream) && stream->status == SN_OK) {
        contact->body = sn_soft_key_is_soft(&contact->key)
                            ? -1
                            : archive->world->shapes.data[sn_soft_key_other(&contact->key)].body;
        if (!is_sound(contact)) {
            sn_stream_fail(stream, SN_ERROR_FORMAT, at, "a deformable's contact has numbers it cannot have");
        }
    }
}

void sn_archive_soft_contacts(sn_archive *archive)
{
    const size_t smallest = 108; // one of a single node that follows nothing
    sn_stream *stream = &archive->stream;
    sn_world *world = archive->world;
    size_t at = stream->at;
    int count = 0;
    for (int i = 0; i < world->soft.contacts.count; ++i) {
        count += sn_soft_is_current(world, &world->soft.contacts.data[i].key) ? 1 : 0;
    }
    sn_stream_count(stream, &count, smallest, "contacts of deformables");
    if (sn_stream_reads(stream)) {
        if (!sn_array_resize(&world->soft.contacts, count)) {
            sn_stream_fail(stream, SN_ERROR_MEMORY, at, "no memory for %d contacts", count);
            return;
        }
        for (int i = 0; stream->status == SN_OK && i < count; ++i) {
            world->soft.contacts.data[i] = (sn_soft_contact_data){.body = -1};
            archive_contact(archive, &world->soft.contacts.data[i]);
        }
        return;
    }
    for (int i = 0; i < world->soft.contacts.count; ++i) {
        if (sn_soft_is_current(world, &world->soft.contacts.data[i].key)) {
            archive_contact(archive, &world->soft.contacts.data[i]);
        }
    }
}
