// A world at a random moment, with one allocation of what follows failing: a call that fails moves nothing
// and leaks nothing, and taken again gives the bits it would have given. A life is lived again for each, so
// some of its allocations are tried, spread evenly: worlds of a tenth of a second a step and a thousand
// allocations would take minutes.
#include "random/oracle.h"

#include <stdlib.h>
#include <string.h>

enum { STEPS_BEFORE = 20, STEPS_AFTER = 2, MOST_TRIES = 32 };

// --- an allocator that fails once --------------------------------------------------------------------------

static int allowed = -1; // allocations until the one that fails; negative: none does
static int allocations;

static void *allocate(size_t size, void *user)
{
    (void)user;
    ++allocations;
    if (allowed == 0) {
        allowed = -1;
        return NULL;
    }
    allowed -= allowed > 0;
    return aligned_alloc(64, (size + 63) / 64 * 64);
}

static void release(void *block, size_t size, void *user)
{
    (void)size;
    (void)user;
    free(block);
}

// --- where everything is -----------------------------------------------------------------------------------

static uint64_t mix(uint64_t hash, const void *bytes, size_t size)
{
    for (size_t i = 0; i < size; ++i) {
        hash = (hash ^ ((const unsigned char *)bytes)[i]) * 1099511628211u;
    }
    return hash;
}

static uint64_t hash_of_places(const sn_world *world)
{
    sn_rigid rigids[64];
    sn_deformable softs[16];
    uint64_t hash = 14695981039346656037u;
    int count = sn_world_rigids(world, rigids, 64);
    for (int i = 0; i < count && i < 64; ++i) {
        sn_pose pose = sn_rigid_pose(world, rigids[i]);
        sn_vec3 v = sn_rigid_linear_velocity(world, rigids[i]),
                w = sn_rigid_angular_velocity(world, rigids[i]);
        hash = mix(mix(mix(hash, &pose, sizeof pose), &v, sizeof v), &w, sizeof w);
    }
    count = sn_world_deformables(world, softs, 16);
    for (int i = 0; i < count && i < 16; ++i) {
        size_t nodes = (size_t)sn_deformable_node_count(world, softs[i]);
        hash = mix(hash, sn_deformable_nodes(world, softs[i]), nodes * sizeof(sn_node_state));
        hash = mix(hash, sn_deformable_velocities(world, softs[i]), nodes * sizeof(sn_node_velocity));
    }
    return hash;
}

// --- a life ------------------------------------------------------------------------------------------------

typedef struct life {
    sn_world *world;
    float step;
    const void *snapshot;
    size_t size;
    bool moved;  // by a call that failed
    bool failed; // some call did
} life;

static bool try_step(life *life)
{
    uint64_t before = hash_of_places(life->world);
    sn_status status = sn_world_step(life->world, life->step);
    if (status == SN_ERROR_MEMORY) {
        life->failed = true;
        life->moved = life->moved || hash_of_places(life->world) != before;
        status = sn_world_step(life->world, life->step);
    }
    return status == SN_OK;
}

static bool try_snapshot(life *life, void *bytes, size_t capacity)
{
    size_t size = 0;
    sn_status status = sn_world_save(life->world, bytes, capacity, &size);
    status = status == SN_ERROR_MEMORY ? sn_world_save(life->world, bytes, capacity, &size) : status;
    uint64_t before = hash_of_places(life->world);
    sn_status restored = status ? status : sn_world_restore(life->world, bytes, size);
    if (restored == SN_ERROR_MEMORY) {
        life->moved = life->moved || hash_of_places(life->world) != before;
        restored = sn_world_restore(life->world, bytes, size);
    }
    return restored == SN_OK;
}

// From the snapshot on, with allocation number `failing` failing. The hash of the end; 0 if something went
// wrong.
static uint64_t live(life *life, int failing, void *bytes, size_t capacity)
{
    allowed = -1;
    if (sn_world_restore(life->world, life->snapshot, life->size) != SN_OK) {
        return 0;
    }
    allowed = failing;
    allocations = 0;
    life->failed = false;
    bool fine = true;
    for (int i = 0; i < STEPS_AFTER && fine; ++i) {
        fine = try_step(life);
    }
    fine = fine && try_snapshot(life, bytes, capacity) && try_step(life);
    uint64_t hash = fine ? sn_world_hash(life->world) : 0;
    hash = hash == 0 && fine ? sn_world_hash(life->world) : hash;
    return hash;
}

bool oracle_lives_without_memory(random_world *w)
{
    uint64_t bytes_before = sn_allocated_bytes();
    sn_allocator once = {allocate, release, NULL};
    sn_allocator_set(&once);
    w->def.sleep = false; // without memory, islands fall asleep a step later
    bool same = random_world_build(w, 1), unknown = false;
    for (int i = 0; i < STEPS_BEFORE && same; ++i) {
        same = random_world_change(w, i, &unknown) && sn_world_step(w->world, w->step) == SN_OK;
    }
    size_t size = 0;
    void *snapshot = NULL, *room = NULL;
    if (same && sn_world_save(w->world, NULL, 0, &size) == SN_OK) {
        snapshot = malloc(size);
        room = malloc(4 * size);
        same = sn_world_save(w->world, snapshot, size, &size) == SN_OK;
    }
    life life = {w->world, w->step, snapshot, size, false, false};
    uint64_t expected = same ? live(&life, -1, room, 4 * size) : 0;
    int count = allocations, tries = count < MOST_TRIES ? count : MOST_TRIES;
    for (int i = 0; same && i < tries; ++i) {
        // Where nothing failed, contacts were not found again within a step for lack of memory, which is
        // allowed.
        int failing = (int)((int64_t)(2 * i + 1) * count / (2 * tries));
        uint64_t found = live(&life, failing, room, 4 * size);
        same = found != 0 && (found == expected || !life.failed) && !life.moved;
        if (!same) {
            fprintf(stderr, "seed %llu: allocation %d%s\n", (unsigned long long)w->seed, failing,
                    life.moved ? " moved something" : " left a trace");
        }
    }
    allowed = -1;
    free(snapshot);
    free(room);
    random_world_release(w);
    sn_allocator_set(NULL);
    return same && sn_allocated_bytes() == bytes_before;
}
