// The deformables of a frame, each with a skin that is made once and follows its nodes from frame to frame.
#include "scene/export_parts.h"

#include "scene/message.h"

static sn_status no_memory(int count)
{
    return sn_scene_fail(SN_ERROR_MEMORY, "export: no memory for %d deformables", count);
}

static bool has_skin(const sn_export_skin *kept, sn_deformable deformable, const sn_mesh *mesh)
{
    return kept->mesh == mesh && kept->owner.index == deformable.index &&
           kept->owner.generation == deformable.generation;
}

// The deformable's skin where its nodes are now.
static sn_status find_skin(sn_export *writer, const sn_export_soft *soft)
{
    const sn_world *world = sn_scene_world(writer->scene);
    sn_export_skin *kept = &writer->skins.items[soft->deformable.index];
    if (!has_skin(kept, soft->deformable, soft->mesh)) {
        sn_skin_release(&kept->skin);
        float thickness = sn_deformable_definition(world, soft->deformable).thickness;
        sn_status status = sn_skin_create(soft->mesh, thickness, false, &kept->skin);
        if (status != SN_OK) {
            return status;
        }
        kept->owner = soft->deformable;
        kept->mesh = soft->mesh;
    }
    sn_skin_update(&kept->skin, soft->nodes, sn_v(0.0f, 0.0f, 0.0f));
    return SN_OK;
}

static sn_status add_soft(sn_export *writer, sn_deformable deformable)
{
    const sn_world *world = sn_scene_world(writer->scene);
    sn_export_soft soft = {.deformable = deformable,
                           .color = sn_scene_deformable_color(writer->scene, deformable) & 0xffffff,
                           .opacity = sn_scene_deformable_opacity(writer->scene, deformable),
                           .mesh = sn_deformable_mesh(world, deformable),
                           .nodes = sn_deformable_nodes(world, deformable),
                           .velocities = sn_deformable_velocities(world, deformable)};
    sn_export_name(soft.name, sn_deformable_name(world, deformable), "deformable", deformable.index);
    while (writer->skins.count <= (int)deformable.index) {
        if (!SN_LIST_PUSH(&writer->skins, (sn_export_skin){0})) {
            return no_memory((int)deformable.index + 1);
        }
    }
    sn_status status = find_skin(writer, &soft);
    if (status != SN_OK) {
        return status;
    }
    return SN_LIST_PUSH(&writer->softs, soft) ? SN_OK : no_memory(writer->softs.count + 1);
}

sn_status sn_export_gather_softs(sn_export *writer)
{
    const sn_world *world = sn_scene_world(writer->scene);
    writer->softs.count = 0;
    int count = sn_world_deformables(world, NULL, 0);
    sn_deformable *deformables = malloc(((size_t)count + 1) * sizeof *deformables);
    if (deformables == NULL) {
        return no_memory(count);
    }
    sn_world_deformables(world, deformables, count);
    sn_status status = SN_OK;
    for (int i = 0; i < count && status == SN_OK; ++i) {
        status = add_soft(writer, deformables[i]);
    }
    free(deformables);
    // The list of skins has stopped moving.
    for (int i = 0; i < writer->softs.count; ++i) {
        writer->softs.items[i].skin = &writer->skins.items[writer->softs.items[i].deformable.index].skin;
    }
    return status;
}

bool sn_export_add_soft_contacts(sn_export *writer, const sn_export_soft *soft)
{
    const sn_world *world = sn_scene_world(writer->scene);
    int count = sn_deformable_contacts(world, soft->deformable, NULL, 0);
    sn_soft_contact *contacts = malloc(((size_t)count + 1) * sizeof *contacts);
    bool enough = contacts != NULL;
    count = enough ? sn_deformable_contacts(world, soft->deformable, contacts, count) : 0;
    for (int i = 0; i < count && enough; ++i) {
        const sn_soft_contact *c = &contacts[i];
        bool soft_other = c->other.generation != 0;
        // Of two deformables the first tells of it.
        if (!soft_other || soft->deformable.index <= c->other.index) {
            int32_t a = soft_other ? -1 - (int32_t)c->other.index : (int32_t)c->rigid.index;
            sn_export_contact point = {c->position,       c->normal, c->separation,
                                       c->normal_impulse, a,         -1 - (int32_t)soft->deformable.index};
            enough = SN_LIST_PUSH(&writer->contacts, point);
        }
    }
    free(contacts);
    return enough;
}

void sn_export_release_softs(sn_export *writer)
{
    for (int i = 0; i < writer->skins.count; ++i) {
        sn_skin_release(&writer->skins.items[i].skin);
    }
    SN_LIST_FREE(&writer->skins);
    SN_LIST_FREE(&writer->softs);
}
