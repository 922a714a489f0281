// A velocity solver's input without a world: bodies with random masses and motion, for tests of its parts.
// Include after cmocka.h.
#ifndef TESTS_SUPPORT_SOLVER_RIG_H
#define TESTS_SUPPORT_SOLVER_RIG_H

#include "solver/solver.h"
#include "support/random.h"

typedef struct solver_rig {
    sn_arena arena;
    sn_solver solver;
} solver_rig;

// Body 0 is static, then `kinematic` bodies, then `dynamic` ones; one sub-step of h. The rig must not move
// afterwards.
static inline void solver_rig_make(solver_rig *rig, int kinematic, int dynamic, int contacts, int constraints,
                                   float h)
{
    *rig = (solver_rig){0};
    rig->solver.arena = &rig->arena;
    rig->solver.settings = (sn_solver_settings){.contact_stiffness = 0.18f,
                                                .contact_damping = 10.0f,
                                                .constraint_stiffness = 0.25f,
                                                .constraint_damping = 2.0f,
                                                .push_speed = 3.0f,
                                                .restitution_threshold = 1.0f,
                                                .duration = h,
                                                .sub_steps = 1};
    rig->solver.settings.laws = sn_laws_of(&rig->solver.settings);
    rig->solver.body_count = 1 + kinematic + dynamic;
    rig->solver.dynamic_begin = 1 + kinematic;
    assert_true(sn_solver_allocate(&rig->solver, rig->solver.body_count, contacts, constraints, constraints));
    for (int i = 0; i < rig->solver.body_count; ++i) {
        rig->solver.bodies[i].rotation = sn_quat_identity;
    }
}

static inline void solver_rig_free(solver_rig *rig)
{
    sn_arena_release(&rig->arena);
}

static inline void rig_put(float *target, sn_vec3 v)
{
    target[0] = v.x;
    target[1] = v.y;
    target[2] = v.z;
}

static inline sn_vec3 rig_take(const float *source)
{
    return sn_v(source[0], source[1], source[2]);
}

static inline void rig_set_mass(solver_rig *rig, int body, float mass, sn_sym3 inertia)
{
    sn_solver_body *target = &rig->solver.bodies[body];
    sn_sym3 inverse = sn_inverse_inertia(inertia, target->rotation, 0);
    target->inverse_mass = sn_v(1.0f / mass, 1.0f / mass, 1.0f / mass);
    sn_body body_data = {.inertia = {{inertia.xx, inertia.xy, inertia.xz},
                                     {inertia.xy, inertia.yy, inertia.yz},
                                     {inertia.xz, inertia.yz, inertia.zz}}};
    target->spin = sn_body_spin(&body_data);
    rig_put(rig->solver.inertias[body].diagonal, sn_v(inverse.xx, inverse.yy, inverse.zz));
    rig_put(rig->solver.inertias[body].off_diagonal, sn_v(inverse.xy, inverse.xz, inverse.yz));
}

// In world axes.
static inline sn_sym3 rig_inertia(const solver_rig *rig, int body)
{
    const sn_solver_body *data = &rig->solver.bodies[body];
    sn_sym3d m = data->spin.inertia;
    sn_sym3 narrow = {(float)m.xx, (float)m.yy, (float)m.zz, (float)m.xy, (float)m.xz, (float)m.yz};
    return sn_sym3_turned(narrow, data->rotation);
}

static inline void rig_set_ball(solver_rig *rig, int body, float mass, float radius)
{
    float moment = 0.4f * mass * radius * radius;
    rig_set_mass(rig, body, mass, (sn_sym3){moment, moment, moment, 0.0f, 0.0f, 0.0f});
}

static inline void rig_set_velocity(solver_rig *rig, int body, sn_vec3 linear, sn_vec3 angular)
{
    rig_put(rig->solver.velocities[body].linear, linear);
    rig_put(rig->solver.velocities[body].angular, angular);
}

static inline sn_vec3 rig_linear(const solver_rig *rig, int body)
{
    return rig_take(rig->solver.velocities[body].linear);
}

static inline sn_vec3 rig_angular(const solver_rig *rig, int body)
{
    return rig_take(rig->solver.velocities[body].angular);
}

// Mass, inertia, place and motion of a dynamic body at random.
static inline void rig_set_random(solver_rig *rig, int body, test_random *random)
{
    sn_solver_body *target = &rig->solver.bodies[body];
    target->start = target->center = test_random_vec3(random, 2.0f);
    target->rotation = test_random_rotation(random);
    float mass = test_random_float(random, 0.5f, 5.0f);
    float x = test_random_float(random, 0.2f, 1.0f);
    float y = test_random_float(random, 0.2f, 1.0f);
    float z = test_random_float(random, 0.2f, 1.0f);
    rig_set_mass(rig, body, mass, (sn_sym3){mass * x, mass * y, mass * z, 0.0f, 0.0f, 0.0f});
    sn_vec3 linear = test_random_vec3(random, 3.0f);
    rig_set_velocity(rig, body, linear, test_random_vec3(random, 3.0f));
}

#endif
