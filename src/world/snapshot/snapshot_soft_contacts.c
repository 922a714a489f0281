// Contacts of deformables in a snapshot: impulses for warm starting, the sides of faces that contacts are on,
// what sleeping islands lie on. Those with things that were removed since the last step have no effect and
// are left out.
// Tested by tests/world/snapshot/test_snapshot_soft.c.
#include "world/snapshot/snapshot_parts.h"

#include <math.h>

#define KEY(TYPE, MEMBER, ...)     SN_MEMBER_FIELD(TYPE, sn_soft_key, MEMBER, __VA_ARGS__)
#define CONTACT(TYPE, MEMBER, ...) SN_MEMBER_FIELD(TYPE, sn_soft_contact_data, MEMBER, __VA_ARGS__)
#define NORMAL_RANGE               SN_RANGE(0.0f, 1.001f)

static const sn_field key_fields[] = {
    KEY(U32, feature, SN_ANY),
    KEY(U32, part, SN_ANY),
    KEY(U32, piece, SN_ANY),
    {0},
};
static const sn_field width_fields[] = {
    CONTACT(INT, width, SN_RANGE(1.0f, SN_SOFT_NODES)),
    {0},
};
static const sn_field place_fields[] = {
    CONTACT(DIRECTION, normal, NORMAL_RANGE), CONTACT(VEC3, point, SN_FINITE),
    CONTACT(FLOAT, separation, SN_FINITE),    CONTACT(FLOAT, side, SN_RANGE(-1.0f, 1.0f)),
    CONTACT(BOOL, follows, SN_ANY),           {0},
};
static const sn_field ball_fields[] = {
    CONTACT(VEC3, ball, SN_FINITE),
    CONTACT(FLOAT, reach, SN_FINITE),
    CONTACT(DIRECTION, out, NORMAL_RANGE),
    CONTACT(DIRECTION, axis, NORMAL_RANGE),
    {0},
};
static const sn_field force_fields[] = {
    CONTACT(BOOL, closes, SN_ANY),
    CONTACT(FLOAT, friction, SN_FRICTION_RANGE),
    CONTACT(FLOAT, restitution, SN_RESTITUTION_RANGE),
    CONTACT(FLOAT, normal_impulse, SN_FINITE),
    CONTACT(VEC3, friction_impulse, SN_FINITE),
    CONTACT(FLOAT, total_normal, SN_FINITE),
    CONTACT(VEC3, total_friction, SN_FINITE),
    {0},
};

static const char *const what = "contact of a deformable";

// Generations are those of the things that exist: contacts with others are not saved.
static void archive_key(sn_archive *archive, sn_soft_key *key)
{
    const sn_world *world = archive->world;
    int deformable = (int)key->deformable, other = sn_soft_key_other(key);
    bool soft = sn_soft_key_is_soft(key);
    sn_archive_index(archive, &deformable, offsetof(sn_world, deformable_ids), what);
    sn_stream_bool(&archive->stream, &soft, "whether a contact is between deformables");
    sn_archive_index(archive, &other,
                     soft ? offsetof(sn_world, deformable_ids) : offsetof(sn_world, shape_ids), what);
    sn_archive_fields(archive, key_fields, key, what, -1);
    if (sn_archive_has_read(archive)) {
        key->deformable = (uint32_t)deformable;
        key->other = (uint32_t)other | (soft ? SN_SOFT_OTHER_DEFORMABLE : 0u);
        key->generation = world->deformable_ids.generation.data[deformable];
        key->other_generation = (soft ? &world->deformable_ids : &world->shape_ids)->generation.data[other];
    }
}

// A node is saved by its number in the deformable it belongs to.
static void archive_node(sn_archive *archive, sn_soft_contact_data *contact, int k)
{
    sn_stream *stream = &archive->stream;
    const sn_world *world = archive->world;
    bool own = !sn_soft_key_is_soft(&contact->key) || sn_soft_is_own(world, contact, k);
    sn_stream_bool(stream, &own, "whether a contact's node is its own");
    sn_archive_require(archive, own || sn_soft_key_is_soft(&contact->key), what, -1,
                       "it is with a shape and has a node of another deformable");
    if (stream->status != SN_OK) {
        return;
    }
    const sn_deformable_data *data =
        &world->deformables.data[own ? (int)contact->key.deformable : sn_soft_key_other(&contact->key)];
    int node = contact->nodes[k] - data->first_node;
    sn_stream_int(stream, &node);
    sn_stream_float(stream, &contact->weights[k]);
    if (sn_stream_reads(stream)) {
        bool exists = node >= 0 && node < data->node_count;
        sn_archive_require(archive, exists, what, -1, "one of its nodes does not exist");
        sn_archive_require(archive, sn_abs(contact->weights[k]) <= 1.001f, what, -1,
                           "one of its weights is beyond 1");
        contact->nodes[k] = data->first_node + (exists ? node : 0);
    }
}

static void archive_contact(sn_archive *archive, sn_soft_contact_data *contact)
{
    sn_stream *stream = &archive->stream;
    archive_key(archive, &contact->key);
    sn_archive_fields(archive, width_fields, contact, what, -1);
    for (int k = 0; stream->status == SN_OK && k < contact->width && k < SN_SOFT_NODES; ++k) {
        archive_node(archive, contact, k);
    }
    sn_archive_fields(archive, place_fields, contact, what, -1);
    if (contact->follows) {
        sn_archive_fields(archive, ball_fields, contact, what, -1);
    }
    sn_archive_fields(archive, force_fields, contact, what, -1);
    if (sn_archive_has_read(archive)) {
        contact->body = sn_soft_key_is_soft(&contact->key)
                            ? -1
                            : archive->world->shapes.data[sn_soft_key_other(&contact->key)].body;
        sn_archive_require(archive, contact->side == floorf(contact->side), what, -1,
                           "its side is none of -1, 0 and 1");
    }
}

void sn_archive_soft_contacts(sn_archive *archive)
{
    const size_t smallest = 108; // one of a single node that follows nothing
    sn_stream *stream = &archive->stream;
    sn_world *world = archive->world;
    int count = 0;
    for (int i = 0; i < world->soft.contacts.count; ++i) {
        count += sn_soft_is_current(world, &world->soft.contacts.data[i].key) ? 1 : 0;
    }
    sn_stream_count(stream, &count, smallest, "contacts of deformables");
    if (sn_stream_reads(stream) && !sn_array_resize(&world->soft.contacts, count)) {
        sn_stream_fail(stream, SN_ERROR_MEMORY, "no memory for %d contacts", count);
    }
    if (sn_stream_reads(stream)) {
        world->soft.asleep_count = 0;
    }
    for (int i = 0; stream->status == SN_OK && i < world->soft.contacts.count; ++i) {
        sn_soft_contact_data *contact = &world->soft.contacts.data[i];
        if (sn_stream_reads(stream)) {
            *contact = (sn_soft_contact_data){.body = -1};
        }
        if (sn_stream_reads(stream) || sn_soft_is_current(world, &contact->key)) {
            archive_contact(archive, contact);
        }
    }
}
