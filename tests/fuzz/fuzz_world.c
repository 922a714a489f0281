// Calls of the API in any order with any arguments, good and bad: nothing may crash, leak or hang, and a call
// that fails leaves the hash of the world as it was. A byte is a call, the next ones are its arguments.
#include "sinew/sinew.h"

#include <stdlib.h>
#include <string.h>

enum { MOST_THINGS = 12, MOST_STEPS = 6 };

typedef struct play {
    const uint8_t *bytes;
    size_t size;
    sn_world *world;
    sn_rigid rigids[MOST_THINGS];
    sn_deformable softs[MOST_THINGS];
    sn_constraint links[MOST_THINGS];
    int rigid_count, soft_count, link_count, steps;
    void *snapshot;
    size_t snapshot_size;
} play;

static uint8_t byte_of(play *p)
{
    if (p->size == 0) {
        return 0;
    }
    --p->size;
    return *p->bytes++;
}

static float number_of(play *p)
{
    static const float odd[] = {0.0f, -1.0f, 1e-30f, 1e30f, -1e9f, 1e6f, 3e38f, 0.5f};
    uint8_t kind = byte_of(p);
    if (kind >= 240) {
        float value = 0.0f;
        for (int i = 0; i < 4; ++i) {
            ((uint8_t *)&value)[i] = byte_of(p);
        }
        return value;
    }
    return kind >= 224 ? odd[kind % 8] : ((float)kind - 100.0f) * 0.05f;
}

static sn_vec3 vector_of(play *p)
{
    float x = number_of(p), y = number_of(p), z = number_of(p);
    return sn_v(x, y, z);
}

static sn_rigid rigid_of(play *p)
{
    uint8_t number = byte_of(p);
    return p->rigid_count > 0 && number < 250 ? p->rigids[number % p->rigid_count]
                                              : sn_world_ground(p->world);
}

static sn_point point_of(play *p)
{
    uint8_t kind = byte_of(p);
    if (kind % 3 == 0 || (kind % 3 == 2 && p->soft_count == 0)) {
        return sn_point_world(vector_of(p));
    }
    if (kind % 3 == 1) {
        return sn_point_rigid(rigid_of(p), vector_of(p));
    }
    sn_deformable soft = p->softs[byte_of(p) % p->soft_count];
    return kind >= 240 ? sn_point_surface(soft) : sn_point_node(soft, byte_of(p) % 40 - 1);
}

static sn_status add_rigid(play *p)
{
    sn_rigid_def def = sn_rigid_def_default();
    def.type = (sn_rigid_type)(byte_of(p) % 4);
    def.position = vector_of(p);
    def.linear_velocity = vector_of(p);
    def.locks = byte_of(p);
    sn_rigid rigid;
    sn_status status = sn_rigid_add(p->world, &def, &rigid);
    if (status == SN_OK && p->rigid_count < MOST_THINGS) {
        p->rigids[p->rigid_count++] = rigid;
    }
    return status;
}

static sn_status add_shape(play *p)
{
    sn_rigid rigid = rigid_of(p);
    sn_shape_def def = sn_shape_def_default();
    uint8_t type = byte_of(p);
    def.density = number_of(p) * 100.0f;
    def.friction = number_of(p);
    switch (type % 4) {
    case 0:
        return sn_sphere_add(p->world, rigid, &def, (sn_sphere){vector_of(p), number_of(p)}, NULL);
    case 1:
        return sn_box_add(p->world, rigid, &def, (sn_box){vector_of(p)}, NULL);
    case 2:
        return sn_capsule_add(p->world, rigid, &def, (sn_capsule){vector_of(p), vector_of(p), number_of(p)},
                              NULL);
    default:
        return sn_plane_add(p->world, rigid, &def, (sn_plane){vector_of(p), number_of(p)}, NULL);
    }
}

static sn_status add_soft(play *p)
{
    uint8_t type = byte_of(p);
    sn_mesh *mesh = NULL;
    sn_status status = type % 3 == 0   ? sn_mesh_line(number_of(p), byte_of(p) % 8, &mesh)
                       : type % 3 == 1 ? sn_mesh_grid(number_of(p), number_of(p), byte_of(p) % 5,
                                                      byte_of(p) % 5, (sn_grid_pattern)(type % 2), &mesh)
                                       : sn_mesh_box(vector_of(p), byte_of(p) % 3, byte_of(p) % 3, 1, &mesh);
    if (status != SN_OK) {
        return SN_OK; // no call on the world
    }
    sn_deformable_def def = sn_deformable_def_default();
    def.mesh = mesh;
    def.pose.position = vector_of(p);
    def.model.type = (sn_model_type)(byte_of(p) % (SN_MODEL_COUNT + 1));
    def.model.stiffness = number_of(p);
    def.model.damping = number_of(p);
    def.model.young = 1000.0f * number_of(p);
    def.model.poisson = number_of(p);
    def.model.volume_stiffness = number_of(p);
    def.integrator = (sn_integrator)(byte_of(p) % (SN_INTEGRATOR_COUNT + 1));
    def.inextensible.on = byte_of(p) & 1;
    def.self_collide = byte_of(p) & 1;
    def.bending.type = (sn_bending_type)(byte_of(p) % 4);
    def.bending.stiffness = number_of(p);
    sn_deformable soft;
    status = sn_deformable_add(p->world, &def, &soft);
    if (status == SN_OK && p->soft_count < MOST_THINGS) {
        p->softs[p->soft_count++] = soft;
    }
    sn_mesh_destroy(mesh);
    return status;
}

static sn_status add_link(play *p)
{
    _Alignas(16) char def[SN_MAX_CONSTRAINT_DEF];
    sn_constraint_kind kind = (sn_constraint_kind)(byte_of(p) % 7);
    if (kind == SN_CUSTOM || sn_constraint_def_default(kind, def) != SN_OK) {
        return SN_OK;
    }
    sn_constraint_common *common = (sn_constraint_common *)(void *)def;
    common->a = point_of(p);
    common->b = point_of(p);
    common->compliance = byte_of(p) & 1 ? number_of(p) : 0.0f;
    common->exact = byte_of(p) % 4 == 0;
    common->break_force = byte_of(p) % 4 == 0 ? number_of(p) : common->break_force;
    sn_constraint link;
    sn_status status = sn_constraint_add(p->world, kind, def, &link);
    if (status == SN_OK && p->link_count < MOST_THINGS) {
        p->links[p->link_count++] = link;
    }
    return status;
}

static sn_status remove_something(play *p)
{
    uint8_t kind = byte_of(p), number = byte_of(p);
    return kind % 3 == 0 && p->rigid_count > 0 ? sn_rigid_remove(p->world, p->rigids[number % p->rigid_count])
           : kind % 3 == 1 && p->soft_count > 0
               ? sn_deformable_remove(p->world, p->softs[number % p->soft_count])
           : kind % 3 == 2 && p->link_count > 0
               ? sn_constraint_remove(p->world, p->links[number % p->link_count])
               : SN_OK;
}

static sn_status change_something(play *p)
{
    uint8_t what = byte_of(p);
    sn_rigid rigid = rigid_of(p);
    sn_deformable soft = p->soft_count > 0 ? p->softs[byte_of(p) % p->soft_count] : (sn_deformable){0};
    sn_constraint link = p->link_count > 0 ? p->links[byte_of(p) % p->link_count] : (sn_constraint){0};
    switch (what % 8) {
    case 0:
        return sn_rigid_linear_velocity_set(p->world, rigid, vector_of(p));
    case 1:
        return sn_rigid_impulse_add_at(p->world, rigid, vector_of(p), vector_of(p));
    case 2:
        return sn_node_fix(p->world, soft, byte_of(p) % 40, byte_of(p) & 1);
    case 3:
        return sn_deformable_stiffness_set(p->world, soft, number_of(p));
    case 4:
        return sn_constraint_active_set(p->world, link, byte_of(p) & 1);
    case 5:
        return sn_constraint_compliance_set(p->world, link, number_of(p), number_of(p));
    case 6:
        return sn_world_gravity_set(p->world, vector_of(p));
    default:
        return sn_rigid_type_set(p->world, rigid, (sn_rigid_type)(byte_of(p) % 4));
    }
}

static sn_status step(play *p)
{
    float duration = byte_of(p) < 250 ? 1.0f / 60.0f : number_of(p);
    return p->steps++ < MOST_STEPS ? sn_world_step(p->world, duration) : SN_OK;
}

static sn_status keep_or_restore(play *p)
{
    if (p->snapshot != NULL && byte_of(p) & 1) {
        return sn_world_restore(p->world, p->snapshot, p->snapshot_size);
    }
    free(p->snapshot);
    p->snapshot = NULL;
    sn_status status = sn_world_save(p->world, NULL, 0, &p->snapshot_size);
    p->snapshot = status == SN_OK ? malloc(p->snapshot_size) : NULL;
    return p->snapshot != NULL ? sn_world_save(p->world, p->snapshot, p->snapshot_size, &p->snapshot_size)
                               : status;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    static sn_status (*const calls[])(play *) = {add_rigid,      add_shape,        add_soft, add_link,
                                                 step,           change_something, step,     remove_something,
                                                 keep_or_restore};
    play p = {.bytes = data, .size = size};
    sn_world_def def = sn_world_def_default();
    def.solver = byte_of(&p) & 1 ? SN_SOLVER_STAGGERED : SN_SOLVER_VELOCITY;
    if (sn_world_create(&def, &p.world) != SN_OK) {
        abort();
    }
    while (p.size > 0) {
        uint64_t before = sn_world_hash(p.world);
        sn_status status = calls[byte_of(&p) % (sizeof calls / sizeof calls[0])](&p);
        if (status != SN_OK && (sn_world_hash(p.world) != before || sn_world_error(p.world)[0] == '\0')) {
            abort();
        }
    }
    sn_world_destroy(p.world);
    free(p.snapshot);
    if (sn_allocated_bytes() != 0) {
        abort();
    }
    return 0;
}
