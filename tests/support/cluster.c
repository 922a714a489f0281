// Building the cluster and watching its momenta.
#include "support/cluster.h"

#include "support/physics.h"

// Boxes in a ring of joints and a tail; the filter keeps them from touching.
typedef struct cluster {
    sn_world *world;
    sn_rigid bodies[8];
} cluster;

static sn_rigid add_part(sn_world *world, int i)
{
    sn_shape_def material = physics_material(0.5f, 0.0f);
    material.density = 300.0f + 200.0f * (float)i;
    material.filter.group = -1;
    sn_pose pose = {{0.6f * (float)i - 2.6f, 0.1f * (float)(i % 3) - 0.1f, 0.05f * (float)i - 0.2f},
                    sn_quat_axis_angle(sn_normalize(sn_v(1.0f, (float)i, 2.0f)), 0.3f * (float)i)};
    return physics_box(world, material, sn_v(0.25f, 0.1f + 0.02f * (float)i, 0.15f), pose);
}

static sn_vec3 between(const cluster *cluster, int i)
{
    return sn_lerp(sn_rigid_center(cluster->world, cluster->bodies[i]),
                   sn_rigid_center(cluster->world, cluster->bodies[i + 1]), 0.5f);
}

static void join_with_ball_hinge_and_slider(const cluster *c)
{
    sn_ball_def ball = sn_ball_def_default();
    ball.limit_cone = true;
    ball.cone_angle = 0.5f;
    must(sn_constraint_place(c->world, &ball.common, c->bodies[0], c->bodies[1], between(c, 0),
                             sn_v(1, 0, 0)));
    must(sn_ball_add(c->world, &ball, NULL));
    sn_hinge_def hinge = sn_hinge_def_default();
    hinge.motor = true;
    hinge.motor_speed = 2.0f;
    hinge.motor_torque = 5.0f;
    must(sn_constraint_place(c->world, &hinge.common, c->bodies[1], c->bodies[2], between(c, 1),
                             sn_v(0, 1, 0)));
    must(sn_hinge_add(c->world, &hinge, NULL));
    sn_slider_def slider = sn_slider_def_default();
    slider.limit = true;
    slider.lower = -0.1f;
    slider.upper = 0.1f;
    slider.spring_stiffness = 200.0f;
    must(sn_constraint_place(c->world, &slider.common, c->bodies[2], c->bodies[3], between(c, 2),
                             sn_v(0, 0, 1)));
    must(sn_slider_add(c->world, &slider, NULL));
}

static void join_with_fixed_distance_and_compliant(const cluster *c)
{
    sn_fixed_def fixed = sn_fixed_def_default();
    must(sn_constraint_place(c->world, &fixed.common, c->bodies[3], c->bodies[4], between(c, 3),
                             sn_v(1, 0, 0)));
    must(sn_fixed_add(c->world, &fixed, NULL));
    sn_distance_def rod = sn_distance_def_default();
    sn_vec3 from = sn_rigid_center(c->world, c->bodies[4]), to = sn_rigid_center(c->world, c->bodies[5]);
    rod.lower = rod.upper = sn_distance_between(from, to);
    must(sn_constraint_place_points(c->world, &rod.common, c->bodies[4], c->bodies[5], from, to));
    must(sn_distance_add(c->world, &rod, NULL));
    sn_fixed_def soft = sn_fixed_def_default();
    soft.common.compliance = 1e-3f;
    soft.common.angular_compliance = 1e-2f;
    must(sn_constraint_place(c->world, &soft.common, c->bodies[5], c->bodies[6], between(c, 5),
                             sn_v(1, 0, 0)));
    soft.common.damping = 10.0f;
    must(sn_fixed_add(c->world, &soft, NULL));
    sn_distance_def spring = sn_distance_def_default();
    spring.spring_stiffness = 500.0f;
    spring.spring_damping = 5.0f;
    spring.spring_length = 0.7f;
    must(sn_constraint_place_points(c->world, &spring.common, c->bodies[6], c->bodies[7],
                                    sn_rigid_center(c->world, c->bodies[6]),
                                    sn_rigid_center(c->world, c->bodies[7])));
    must(sn_distance_add(c->world, &spring, NULL));
}

static cluster make_cluster(sn_vec3 drift, sn_vec3 spin)
{
    cluster c = {.world = physics_world_without_gravity()};
    for (int i = 0; i < 8; ++i) {
        c.bodies[i] = add_part(c.world, i);
    }
    join_with_ball_hinge_and_slider(&c);
    join_with_fixed_distance_and_compliant(&c);
    // As if rigid: all parts turn about the origin, near the mass centre.
    for (int i = 0; i < 8; ++i) {
        sn_vec3 velocity = sn_add(drift, sn_cross(spin, sn_rigid_center(c.world, c.bodies[i])));
        must(sn_rigid_linear_velocity_set(c.world, c.bodies[i], velocity));
        must(sn_rigid_angular_velocity_set(c.world, c.bodies[i], spin));
    }
    return c;
}

// About the mass centre, so that drifting away does not magnify rounding.
static void inner_angular_momentum(const sn_energy *e, const double center[3], double out[3])
{
    out[0] = e->angular_momentum[0] - (center[1] * e->momentum[2] - center[2] * e->momentum[1]);
    out[1] = e->angular_momentum[1] - (center[2] * e->momentum[0] - center[0] * e->momentum[2]);
    out[2] = e->angular_momentum[2] - (center[0] * e->momentum[1] - center[1] * e->momentum[0]);
}

static void mass_center(const cluster *c, double center[3])
{
    double total = 0.0;
    center[0] = center[1] = center[2] = 0.0;
    for (int i = 0; i < 8; ++i) {
        double mass = (double)sn_rigid_mass(c->world, c->bodies[i]).mass;
        sn_vec3 p = sn_rigid_center(c->world, c->bodies[i]);
        total += mass;
        center[0] += mass * (double)p.x;
        center[1] += mass * (double)p.y;
        center[2] += mass * (double)p.z;
    }
    for (int k = 0; k < 3; ++k) {
        center[k] /= total;
    }
}

// The sum of the parts' momenta without regard to direction: what a change is to be measured against, for
// the momentum of a cluster that only spins is zero.
static double moving_mass(const cluster *c)
{
    double sum = 0.0;
    for (int i = 0; i < 8; ++i) {
        sum += (double)sn_rigid_mass(c->world, c->bodies[i]).mass *
               (double)sn_length(sn_rigid_linear_velocity(c->world, c->bodies[i]));
    }
    return sum;
}

momentum_drift cluster_momentum_drift(sn_vec3 drift, sn_vec3 spin, float step, int steps)
{
    cluster c = make_cluster(drift, spin);
    sn_energy start = sn_world_energy(c.world);
    double center[3], inner[3], now_inner[3];
    mass_center(&c, center);
    inner_angular_momentum(&start, center, inner);
    double scale = moving_mass(&c);
    momentum_drift worst = {0.0, 0.0};
    for (int i = 0; i < steps; ++i) {
        must(sn_world_step(c.world, step));
        sn_energy now = sn_world_energy(c.world);
        mass_center(&c, center);
        inner_angular_momentum(&now, center, now_inner);
        worst.linear = fmax(worst.linear, difference3(now.momentum, start.momentum) / scale);
        worst.angular = fmax(worst.angular, difference3(now_inner, inner) / size3(inner));
    }
    sn_world_destroy(c.world);
    return worst;
}
