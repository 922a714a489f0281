// A bridge of planks between ropes, built in a loop, and a crate that is dropped on it.
#include "example.h"

#define PLANKS  24
#define SPACING 0.25f // m

static sn_rigid add_block(sn_world *world, sn_vec3 place, sn_vec3 half, float density)
{
    sn_rigid_def def = sn_rigid_def_default();
    sn_shape_def material = sn_shape_def_default();
    sn_rigid body;
    def.position = place;
    material.density = density;
    must(world, sn_rigid_add(world, &def, &body));
    must(world, sn_box_add(world, body, &material, (sn_box){.half_extents = half}, NULL));
    return body;
}

// Two ropes, one on each side, a little longer than the gap between the planks, so that the bridge sags.
static void tie(sn_world *world, sn_rigid a, sn_vec3 at_a, sn_rigid b, sn_vec3 at_b)
{
    for (int side = -1; side <= 1; side += 2) {
        sn_vec3 aside = sn_v(0.0f, 0.0f, 0.5f * (float)side);
        sn_distance_def rope = sn_distance_def_default();
        must(world,
             sn_constraint_place_points(world, &rope.common, a, b, sn_add(at_a, aside), sn_add(at_b, aside)));
        rope.upper = 1.15f * sn_distance_between(at_a, at_b);
        must(world, sn_distance_add(world, &rope, NULL));
    }
}

int main(void)
{
    sn_world *world = world_with_floor();
    sn_rigid ground = sn_world_ground(world), previous = ground;
    const sn_vec3 half = {0.1f, 0.02f, 0.5f}; // of a plank [m]
    sn_rigid middle = ground;
    float left = -0.5f * SPACING * (float)PLANKS;
    sn_vec3 end = {left - 0.5f * SPACING, 2.0f, 0.0f}; // of what was built last
    for (int i = 0; i <= PLANKS; ++i) {
        sn_vec3 place = sn_v(left + SPACING * (float)i, 2.0f, 0.0f);
        bool is_plank = i < PLANKS;
        sn_rigid next = is_plank ? add_block(world, place, half, 600.0f) : ground;
        tie(world, previous, end, next, is_plank ? sn_sub(place, sn_v(half.x, 0.0f, 0.0f)) : place);
        end = sn_add(place, sn_v(half.x, 0.0f, 0.0f));
        previous = next;
        middle = i == PLANKS / 2 ? next : middle;
    }
    sn_rigid crate = add_block(world, sn_v(0.1f, 3.0f, 0.0f), sn_v(0.2f, 0.2f, 0.2f), 300.0f);
    film film = film_begin(world, "rope_bridge.recording");
    for (int frame = 0; frame < 300; ++frame) {
        film_step(&film, 1.0f / 60.0f);
        if (frame % 60 == 59) {
            printf("%.0f s: the middle hangs at %.2f m, the crate is at %.2f m\n", sn_world_time(world),
                   (double)sn_rigid_position(world, middle).y, (double)sn_rigid_position(world, crate).y);
        }
    }
    film_end(&film);
    sn_world_destroy(world);
}
