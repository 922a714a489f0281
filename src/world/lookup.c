// From ids to things, and what to call them in messages.
#include "world/world.h"

#include <stdio.h>
#include <string.h>

static int find(const sn_world *world, const sn_id_pool *pool, uint32_t index, uint16_t generation,
                uint16_t tag, const char *what)
{
    if (world == NULL) {
        (void)sn_fail(NULL, SN_ERROR_NULL, "%s: world is null", what);
        return -1;
    }
    // Ids count from one, so that all zeros is no id.
    if (index == 0 || index > (uint32_t)INT32_MAX || tag != world->tag ||
        !sn_id_pool_holds(pool, (int)(index - 1), generation)) {
        (void)sn_fail(world->error, SN_ERROR_ID,
                      "%s id (index %u, generation %u, world %u) is %s, expected one that exists", what,
                      (unsigned)index, (unsigned)generation, (unsigned)tag,
                      index == 0          ? "zero"
                      : tag != world->tag ? "of another world"
                                          : "stale");
        return -1;
    }
    return (int)(index - 1);
}

sn_body *sn_world_body(const sn_world *world, sn_rigid id)
{
    int i = find(world, world ? &world->body_ids : NULL, id.index, id.generation, id.world, "rigid");
    return i < 0 ? NULL : &world->bodies.data[i];
}

sn_shape_data *sn_world_shape(const sn_world *world, sn_shape id)
{
    int i = find(world, world ? &world->shape_ids : NULL, id.index, id.generation, id.world, "shape");
    return i < 0 ? NULL : &world->shapes.data[i];
}

sn_constraint_data *sn_world_constraint(const sn_world *world, sn_constraint id)
{
    int i =
        find(world, world ? &world->constraint_ids : NULL, id.index, id.generation, id.world, "constraint");
    return i < 0 ? NULL : &world->constraints.data[i];
}

sn_deformable_data *sn_world_deformable(const sn_world *world, sn_deformable id)
{
    int i =
        find(world, world ? &world->deformable_ids : NULL, id.index, id.generation, id.world, "deformable");
    return i < 0 ? NULL : &world->deformables.data[i];
}

sn_deformable sn_deformable_id(const sn_world *world, int index)
{
    return (sn_deformable){(uint32_t)index + 1, world->deformable_ids.generation.data[index], world->tag};
}

int sn_body_index(const sn_world *world, const sn_body *body)
{
    return (int)(body - world->bodies.data);
}

sn_rigid sn_rigid_id(const sn_world *world, int index)
{
    return (sn_rigid){(uint32_t)index + 1, world->body_ids.generation.data[index], world->tag};
}

sn_shape sn_shape_id(const sn_world *world, int index)
{
    return (sn_shape){(uint32_t)index + 1, world->shape_ids.generation.data[index], world->tag};
}

sn_constraint sn_constraint_id(const sn_world *world, int index)
{
    return (sn_constraint){(uint32_t)index + 1, world->constraint_ids.generation.data[index], world->tag};
}

static sn_label label(const char *what, const char *name, int index)
{
    sn_label label;
    if (name[0] != '\0') {
        (void)snprintf(label.text, sizeof label.text, "%s '%s'", what, name);
    } else {
        (void)snprintf(label.text, sizeof label.text, "%s %d", what, index);
    }
    return label;
}

sn_label sn_body_label(const sn_world *world, int index)
{
    return label("rigid", world->bodies.data[index].name, index);
}

sn_label sn_constraint_label(const sn_world *world, int index)
{
    const sn_constraint_data *constraint = &world->constraints.data[index];
    return label(sn_kinds[constraint->kind].name, constraint->name, index);
}

sn_label sn_shape_label(const sn_world *world, int index)
{
    static const char *const types[] = {
        [SN_SPHERE] = "sphere", [SN_CAPSULE] = "capsule", [SN_BOX] = "box",          [SN_HULL] = "hull",
        [SN_PLANE] = "plane",   [SN_SURFACE] = "surface", [SN_COMPOUND] = "compound"};
    const sn_shape_data *shape = &world->shapes.data[index];
    sn_label body = sn_body_label(world, shape->body), label;
    (void)snprintf(label.text, sizeof label.text, "%s %d of %.40s", types[shape->type], index, body.text);
    return label;
}

sn_status sn_world_check_open(const sn_world *world, const char *function)
{
    if (world == NULL) {
        return sn_fail(NULL, SN_ERROR_NULL, "%s: world is null", function);
    }
    if (world->locked) {
        return sn_fail(world->error, SN_ERROR_LOCKED, "%s: the world is inside a step or a callback",
                       function);
    }
    return SN_OK;
}

sn_status sn_name_copy(char *target, const char *name, sn_error *error, const char *object)
{
    memset(target, 0, SN_MAX_NAME + 1);
    if (name == NULL) {
        return SN_OK;
    }
    size_t length = 0;
    while (length <= SN_MAX_NAME && name[length] != '\0') {
        ++length;
    }
    if (length > SN_MAX_NAME) {
        return sn_fail(error, SN_ERROR_NAME, "%s: name '%.40s…' is too long, expected at most %d bytes",
                       object, name, SN_MAX_NAME);
    }
    memcpy(target, name, length);
    return SN_OK;
}
