// A snapshot is taken, the future is tried twice with different pushes, and the first future is lived again:
// it comes out the same to the last bit.
#include "example.h"

static void add_tower(sn_world *world, sn_rigid *top)
{
    for (int i = 0; i < 8; ++i) {
        sn_rigid_def def = sn_rigid_def_default();
        def.position = sn_v(0.0f, 0.25f + 0.5f * (float)i, 0.0f);
        must(world, sn_rigid_add(world, &def, top));
        must(world, sn_box_add(world, *top, NULL, (sn_box){.half_extents = {0.25f, 0.25f, 0.25f}}, NULL));
    }
}

// Goes back to the snapshot, pushes the topmost box, and tells where it is two seconds later.
static uint64_t try_push(sn_world *world, const void *snapshot, size_t size, sn_rigid top, float speed)
{
    must(world, sn_world_restore(world, snapshot, size));
    must(world, sn_rigid_linear_velocity_set(world, top, sn_v(speed, 0.0f, 0.0f)));
    for (int frame = 0; frame < 120; ++frame) {
        must(world, sn_world_step(world, 1.0f / 60.0f));
    }
    sn_vec3 place = sn_rigid_position(world, top);
    uint64_t hash = sn_world_hash(world);
    printf("pushed at %3.1f m/s: the top box ends at (%5.2f, %5.2f) m, hash %016llx\n", (double)speed,
           (double)place.x, (double)place.y, (unsigned long long)hash);
    return hash;
}

int main(void)
{
    sn_world *world = world_with_floor();
    sn_rigid top = {0};
    add_tower(world, &top);
    for (int frame = 0; frame < 60; ++frame) {
        must(world, sn_world_step(world, 1.0f / 60.0f));
    }
    size_t size = 0;
    must(world, sn_world_save(world, NULL, 0, &size)); // how many bytes it takes
    void *snapshot = malloc(size);
    if (snapshot == NULL) {
        return EXIT_FAILURE;
    }
    must(world, sn_world_save(world, snapshot, size, &size));

    uint64_t gentle = try_push(world, snapshot, size, top, 1.0f);
    uint64_t hard = try_push(world, snapshot, size, top, 6.0f);
    uint64_t again = try_push(world, snapshot, size, top, 1.0f);
    printf("the gentle push %s\n", gentle == again ? "repeats exactly" : "DOES NOT REPEAT");
    save_for_picture(world, "rewind.state");
    free(snapshot);
    sn_world_destroy(world);
    return gentle == again && gentle != hard ? EXIT_SUCCESS : EXIT_FAILURE;
}
