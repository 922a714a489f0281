// A clamped beam of finite elements under the position solver, against the linear solution of the same mesh.
// Include after cmocka.h, for linear_elastic.h.
#ifndef TESTS_SUPPORT_POSITION_BEAM_H
#define TESTS_SUPPORT_POSITION_BEAM_H

#include "support/linear_elastic.h"
#include "support/physics.h"

enum { BEAM_NODES = 81 };
static const float beam_length = 0.8f, beam_width = 0.2f, beam_density = 1000.0f;

typedef struct position_beam {
    sn_world *world;
    sn_mesh *mesh;
    sn_deformable id;
    bool fixed[BEAM_NODES];
} position_beam;

static inline position_beam beam_make(const sn_world_def *settings, float young)
{
    position_beam b = {0};
    must(sn_world_create(settings, &b.world));
    must(sn_mesh_box(sn_v(beam_length, beam_width, beam_width), 8, 2, 2, &b.mesh));
    sn_deformable_def def = sn_deformable_def_default();
    def.mesh = b.mesh;
    def.model = sn_model_corotational(young, 0.3f);
    def.density = beam_density;
    def.collide = false;
    def.model.damping = 0.0f;
    def.linear_damping = sn_min(0.02f * sqrtf(young), 1000.0f); // twice the lowest frequency: soonest at rest
    must(sn_deformable_add(b.world, &def, &b.id));
    for (int i = 0; i < BEAM_NODES; ++i) {
        b.fixed[i] = sn_mesh_nodes(b.mesh)[i].x < -0.499f * beam_length;
        if (b.fixed[i]) {
            must(sn_node_fix(b.world, b.id, i, true));
        }
    }
    return b;
}

static inline double beam_end(const position_beam *b, const double *linear)
{
    const sn_node_state *nodes = sn_deformable_nodes(b->world, b->id);
    double sum = 0.0;
    for (int i = 0; i < BEAM_NODES; ++i) {
        if (sn_mesh_nodes(b->mesh)[i].x > 0.499f * beam_length) {
            sum += linear != NULL ? linear[3 * i + 1]
                                  : (double)(nodes[i].position.y - sn_mesh_nodes(b->mesh)[i].y);
        }
    }
    return sum / 9.0;
}

static inline double beam_linear_end(const position_beam *b, double young, double gravity)
{
    static double forces[3 * BEAM_NODES], u[3 * BEAM_NODES];
    linear_elastic linear = linear_make(b->mesh, young, 0.3, (double)beam_density, b->fixed);
    for (int i = 0; i < BEAM_NODES; ++i) {
        forces[3 * i] = forces[3 * i + 2] = 0.0;
        forces[3 * i + 1] = -gravity * linear.masses[i];
    }
    linear_solve(&linear, forces, u);
    linear_free(&linear);
    return beam_end(b, u);
}

// The load is such that the end sinks by 1 mm whatever the stiffness: linear elasticity holds, and rounding
// does not matter.
static inline double beam_error(sn_world_def settings, float young)
{
    float gravity = 0.06f * young / 1.0e6f, frequency = 0.01f * sqrtf(young);
    settings.gravity = sn_v(0.0f, -gravity, 0.0f);
    position_beam b = beam_make(&settings, young);
    physics_run(b.world, 1.0f / 60.0f, sn_max(12.0f / frequency, 0.2f));
    must(sn_deformable_linear_damping_set(b.world, b.id, 0.0f)); // it takes a part d h/2 of loads
    physics_run(b.world, 1.0f / 60.0f, sn_max(8.0f / frequency, 0.1f));
    double sum = 0.0;
    int steps = (int)sn_max(60.0f * 62.832f / frequency, 20.0f); // ten periods: it trembles about its rest
    for (int i = 0; i < steps; ++i) {
        must(sn_world_step(b.world, 1.0f / 60.0f));
        sum += beam_end(&b, NULL) / steps;
    }
    double error = sum / beam_linear_end(&b, (double)young, (double)gravity) - 1.0;
    sn_mesh_destroy(b.mesh);
    sn_world_destroy(b.world);
    return error;
}

#endif
