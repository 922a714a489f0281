// Building the chain and watching it.
#include "support/heavy_chain.h"

#include "support/physics.h"

#include <math.h>

enum { LINKS = 50 };
static const float link_length = 0.2f, radius = 0.4f;

typedef struct chain {
    sn_world *world;
    sn_rigid weight;
    sn_constraint joints[LINKS + 1];
} chain;

static chain make_chain(float ratio, sn_vec3 direction)
{
    chain chain = {.world = physics_world()};
    sn_world *world = chain.world;
    sn_shape_def alone = sn_shape_def_default();
    alone.filter.category = alone.filter.mask = 0;
    sn_rigid previous = sn_world_ground(world);
    sn_quat rotation = sn_quat_between(sn_v(1.0f, 0.0f, 0.0f), direction);
    for (int i = 0; i <= LINKS; ++i) {
        sn_vec3 start = sn_scale(direction, link_length * (float)i);
        sn_vec3 center = sn_add_scaled(start, i < LINKS ? 0.5f * link_length : radius, direction);
        sn_rigid body;
        if (i < LINKS) {
            body = physics_box(world, alone, sn_v(0.5f * link_length, 0.02f, 0.02f),
                               (sn_pose){center, rotation});
        } else {
            float mass = ratio * sn_rigid_mass(world, previous).mass;
            body = physics_lump(world, mass, physics_ball_inertia(mass, radius), (sn_pose){center, rotation});
        }
        sn_ball_def def = sn_ball_def_default();
        must(sn_constraint_place(world, &def.common, previous, body, start, sn_v(0.0f, 0.0f, 1.0f)));
        must(sn_ball_add(world, &def, &chain.joints[i]));
        previous = body;
    }
    chain.weight = previous;
    return chain;
}

heavy_chain_errors heavy_chain_run(float ratio, sn_vec3 direction, int steps)
{
    chain chain = make_chain(ratio, direction);
    sn_energy start = sn_world_energy(chain.world);
    heavy_chain_errors worst = {0.0, 0.0, 0.0};
    double whole = (double)(LINKS * link_length);
    for (int s = 0; s < steps; ++s) {
        must(sn_world_step(chain.world, 1.0f / 60.0f));
        sn_pose pose = sn_rigid_pose(chain.world, chain.weight);
        worst.longer = fmax(worst.longer,
                            (double)sn_length(sn_pose_apply(pose, sn_v(-radius, 0.0f, 0.0f))) / whole - 1.0);
        for (int i = 0; i <= LINKS; ++i) {
            worst.parted =
                fmax(worst.parted, (double)(sn_constraint_error(chain.world, chain.joints[i]) / link_length));
        }
        sn_energy now = sn_world_energy(chain.world);
        double gained = now.kinetic + now.potential - start.kinetic - start.potential;
        worst.gained = fmax(worst.gained, gained / (start.mass * physics_gravity * whole));
    }
    sn_world_destroy(chain.world);
    return worst;
}
