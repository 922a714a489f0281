// A hash table of positions with open addressing. What the hash is decides only how fast nodes are found,
// never how they are numbered.
#include "scene/mesh_weld.h"

#include "scene/message.h"

#include <string.h>

static uint64_t mix(uint64_t bits)
{
    bits = (bits ^ (bits >> 30)) * 0xBF58476D1CE4E5B9u;
    bits = (bits ^ (bits >> 27)) * 0x94D049BB133111EBu;
    return bits ^ (bits >> 31);
}

static uint32_t bits_of(float value)
{
    float positive_zero = value + 0.0f; // −0 becomes 0
    uint32_t bits;
    memcpy(&bits, &positive_zero, sizeof bits);
    return bits;
}

// Where to look first. The address of the table takes part, so that no file can know which positions collide.
static size_t slot_of(const sn_mesh_weld *weld, sn_vec3 position)
{
    uint64_t hash = mix((uint64_t)(uintptr_t)weld->slots ^ bits_of(position.x));
    hash = mix(hash ^ ((uint64_t)bits_of(position.y) << 32 | bits_of(position.z)));
    return (size_t)hash & (weld->slot_count - 1);
}

static bool grow(sn_mesh_weld *weld, const sn_vec3 *nodes, int node_count)
{
    size_t slot_count = weld->slot_count == 0 ? 1024 : 2 * weld->slot_count;
    sn_mesh_weld grown = {calloc(slot_count, sizeof *grown.slots), slot_count};
    if (grown.slots == NULL) {
        return false;
    }
    for (int i = 0; i < node_count; ++i) {
        size_t slot = slot_of(&grown, nodes[i]);
        while (grown.slots[slot] != 0) {
            slot = (slot + 1) & (slot_count - 1);
        }
        grown.slots[slot] = (uint32_t)i + 1;
    }
    free(weld->slots);
    *weld = grown;
    return true;
}

sn_status sn_mesh_weld_node(sn_mesh_weld *weld, sn_mesh_builder *mesh, const sn_text_reader *reader,
                            sn_vec3 position, uint32_t *index)
{
    if (2 * (size_t)mesh->nodes.count >= weld->slot_count &&
        !grow(weld, mesh->nodes.items, mesh->nodes.count)) {
        return sn_scene_fail(SN_ERROR_MEMORY, "%s: no memory for more than %d nodes", reader->path,
                             mesh->nodes.count);
    }
    size_t slot = slot_of(weld, position);
    for (; weld->slots[slot] != 0; slot = (slot + 1) & (weld->slot_count - 1)) {
        *index = weld->slots[slot] - 1;
        sn_vec3 node = mesh->nodes.items[*index];
        if (node.x == position.x && node.y == position.y && node.z == position.z) {
            return SN_OK;
        }
    }
    *index = (uint32_t)mesh->nodes.count;
    sn_status status = sn_mesh_add_node(mesh, reader, position);
    if (status == SN_OK) {
        weld->slots[slot] = *index + 1;
    }
    return status;
}

void sn_mesh_weld_release(sn_mesh_weld *weld)
{
    free(weld->slots);
    *weld = (sn_mesh_weld){0};
}
