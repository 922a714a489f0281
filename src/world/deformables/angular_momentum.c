// Angular momentum that deformables lost to what keeps their momentum alone. Tested by
// tests/physics/soft/test_soft_angular_momentum.c.
#include "world/deformables/angular_momentum.h"

#include "world/core/world.h"

#include <math.h>

// The gain Δω·(L + ΔL/2) is convex in Δω.
float sn_given_part(sn_vec3 turn, sn_vec3 angular_momentum, sn_vec3 lost, float most)
{
    float gain = sn_dot(turn, sn_add_scaled(angular_momentum, 0.5f, lost));
    return gain > most ? most / gain : 1.0f;
}

// Not if fixed nodes hold it, which take up what they like.
static void give_back(sn_world *world, int first_node, int node_count, sn_vec3 lost, bool by_contacts)
{
    const sn_node_state *nodes = world->nodes.states.data + first_node;
    sn_node_velocity *velocities = world->nodes.velocities.data + first_node;
    const float *masses = world->nodes.masses.data + first_node;
    sn_vec3 sum = sn_v(0.0f, 0.0f, 0.0f), origin = nodes[0].position;
    float mass = 0.0f;
    for (int i = 0; i < node_count; ++i) {
        if (nodes[i].inverse_mass == 0.0f) {
            return;
        }
        mass += masses[i];
        sum = sn_add_scaled(sum, masses[i], sn_sub(nodes[i].position, origin));
    }
    sn_vec3 center = sn_add_scaled(origin, 1.0f / mass, sum);
    sn_sym3 inertia = {0};
    sn_vec3 spin = sn_v(0.0f, 0.0f, 0.0f);
    float kinetic = 0.0f;
    for (int i = 0; i < node_count; ++i) {
        sn_vec3 r = sn_sub(nodes[i].position, center), m = sn_scale(r, masses[i]);
        kinetic += 0.5f * masses[i] * sn_length_squared(velocities[i].velocity);
        spin = sn_add(spin, sn_cross(m, velocities[i].velocity));
        inertia.xx += m.y * r.y + m.z * r.z;
        inertia.yy += m.x * r.x + m.z * r.z;
        inertia.zz += m.x * r.x + m.y * r.y;
        inertia.xy -= m.x * r.y;
        inertia.xz -= m.x * r.z;
        inertia.yz -= m.y * r.z;
    }
    sn_vec3 turn = sn_sym3_apply(sn_sym3_inverse(inertia), lost);
    // A torque of contacts is small, as they are thin; but what is straight, too, could be spun about itself.
    float mean = (inertia.xx + inertia.yy + inertia.zz) / 3.0f, size = sn_length(lost);
    float most =
        by_contacts ? size * (sqrtf(2.0f * kinetic / mean) + 0.5f * size / mean) : SN_GIVEN_BACK * kinetic;
    turn = sn_scale(turn, sn_given_part(turn, spin, lost, most));
    for (int i = 0; i < node_count; ++i) {
        velocities[i].velocity =
            sn_add(velocities[i].velocity, sn_cross(turn, sn_sub(nodes[i].position, center)));
    }
}

void sn_soft_give_back(sn_world *world, int first_node, int node_count, sn_vec3 lost)
{
    give_back(world, first_node, node_count, lost, false);
}

void sn_soft_give_back_torques(sn_world *world)
{
    for (int i = 0; i < world->deformables.count && world->node_torques != NULL; ++i) {
        const sn_deformable_data *data = &world->deformables.data[i];
        sn_vec3 sum = sn_v(0.0f, 0.0f, 0.0f);
        // What constraints hold takes up torques itself; turned as a whole, it would leave what holds it.
        bool is_free = sn_id_pool_in_use(&world->deformable_ids, i) && !sn_deformable_sleeps(data) &&
                       data->first_constraint < 0;
        for (int k = data->first_node; is_free && k < data->first_node + data->node_count; ++k) {
            sum = sn_sub(sum, world->node_torques[k]);
        }
        if (sn_length_squared(sum) > 0.0f) {
            give_back(world, data->first_node, data->node_count, sum, true);
        }
    }
}
