// The motion of hinge chains out of their planes (hinge_planes.h).
#include "solver/rows/hinge_planes.h"

#include <string.h>

// --- where bodies are ----------------------------------------------------------------------------

static sn_vec3 axis_now(const sn_joints *joints, const sn_plane_member *member)
{
    return sn_rotate(joints->solver->bodies[member->body].rotation, member->axis);
}

// Of a free chain the mean of the bodies' axes: any normal nearby will do, because fitting turns the plane.
static sn_vec3 find_normal(const sn_joints *joints, const sn_hinge_planes *planes,
                           const sn_hinge_plane *plane)
{
    if (plane->holder == 0) {
        return plane->holder_axis;
    }
    if (plane->holder > 0) {
        return sn_rotate(joints->solver->bodies[plane->holder].rotation, plane->holder_axis);
    }
    sn_vec3 sum = {0.0f, 0.0f, 0.0f};
    for (int i = plane->first; i < plane->first + plane->count; ++i) {
        sum = sn_add(sum, axis_now(joints, &planes->members[i]));
    }
    sn_vec3 normal = sn_normalize(sum);
    return sn_length_squared(normal) > 0.0f ? normal : axis_now(joints, &planes->members[plane->first]);
}

// A point of the plane at height 0: the holder's, or the mass centre of the chain without its offsets.
static sn_vec3 find_center(const sn_joints *joints, const sn_hinge_planes *planes,
                           const sn_hinge_plane *plane)
{
    const sn_solver_body *bodies = joints->solver->bodies;
    if (plane->holder >= 0) {
        sn_vec3 place = plane->holder > 0 ? bodies[plane->holder].center : sn_v(0.0f, 0.0f, 0.0f);
        return sn_add_scaled(place, -plane->holder_offset, plane->normal);
    }
    sn_vec3 first = bodies[planes->members[plane->first].body].center, sum = {0.0f, 0.0f, 0.0f};
    float mass = 0.0f;
    for (int i = plane->first; i < plane->first + plane->count; ++i) {
        const sn_plane_member *member = &planes->members[i];
        sn_vec3 place = sn_sub(bodies[member->body].center, first);
        sum = sn_add_scaled(sum, member->mass, sn_add_scaled(place, -member->offset, plane->normal));
        mass += member->mass;
    }
    return sn_add_scaled(first, 1.0f / mass, sum);
}

static void place_member(const sn_joints *joints, const sn_hinge_plane *plane, sn_plane_member *member)
{
    const sn_solver *solver = joints->solver;
    sn_vec3 place = sn_sub(solver->bodies[member->body].center, plane->center);
    sn_vec3 lean = sn_cross(plane->normal, axis_now(joints, member));
    sn_sym3 response = sn_solver_inertia_matrix(&solver->inertias[member->body]);
    sn_vec3 x = sn_sym3_apply(response, plane->across[0]), y = sn_sym3_apply(response, plane->across[1]);
    float xx = sn_dot(plane->across[0], x), xy = sn_dot(plane->across[0], y),
          yy = sn_dot(plane->across[1], y);
    float inverse = 1.0f / (xx * yy - xy * xy), rate = 1.0f / joints->laws.h;
    member->tilt_mass[0] = inverse * yy;
    member->tilt_mass[1] = -inverse * xy;
    member->tilt_mass[2] = inverse * xx;
    member->height = rate * (sn_dot(place, plane->normal) - member->offset);
    for (int i = 0; i < 2; ++i) {
        member->place[i] = sn_dot(place, plane->across[i]);
        member->tilt[i] = rate * sn_dot(lean, plane->across[i]);
    }
}

// The matrix of the momenta along the normal and about the two axes across it.
static void sum_masses(const sn_hinge_planes *planes, sn_hinge_plane *plane)
{
    double *sum = plane->masses;
    memset(plane->masses, 0, sizeof plane->masses);
    for (int i = plane->first; i < plane->first + plane->count; ++i) {
        const sn_plane_member *m = &planes->members[i];
        double mass = (double)m->mass, x = (double)m->place[0], y = (double)m->place[1];
        sum[0] += mass;
        sum[1] += mass * y;
        sum[2] += mass * y * y + (double)m->tilt_mass[0];
        sum[3] -= mass * x;
        sum[4] += -mass * x * y + (double)m->tilt_mass[1];
        sum[5] += mass * x * x + (double)m->tilt_mass[2];
    }
}

// Speeds along the normal and tilting of a member.
typedef struct out_of_plane {
    double speed, turn[2];
} out_of_plane;

static double along(const float *velocity, const float *residue, sn_vec3 direction)
{
    double sum = (double)velocity[0] * (double)direction.x + (double)velocity[1] * (double)direction.y +
                 (double)velocity[2] * (double)direction.z;
    return residue == NULL ? sum : sum + along(residue, NULL, direction);
}

// In double: what all members have in common is many times what is changed, and its rounding would add up to
// a drift of momenta.
static out_of_plane motion_of(const sn_body_motions *motions, const sn_hinge_plane *plane, int body)
{
    const sn_solver_velocity *velocity = &motions->velocities[body];
    const float *linear_rest = motions->residues != NULL ? motions->residues[body].linear : NULL;
    const float *angular_rest = motions->residues != NULL ? motions->residues[body].angular : NULL;
    return (out_of_plane){along(velocity->linear, linear_rest, plane->normal),
                          {along(velocity->angular, angular_rest, plane->across[0]),
                           along(velocity->angular, angular_rest, plane->across[1])}};
}

// The bias taken back to where the sub-step began, as of all rows of the position solver.
static void take_back_motion(const sn_joints *joints, const sn_hinge_plane *plane, sn_plane_member *member)
{
    float part = joints->pass.ahead / joints->laws.h;
    sn_body_motions motions = {joints->solver->velocities, joints->solver->residues};
    out_of_plane motion = motion_of(&motions, plane, member->body);
    member->height -= part * (float)motion.speed;
    member->tilt[0] -= part * (float)motion.turn[0];
    member->tilt[1] -= part * (float)motion.turn[1];
}

void sn_hinge_planes_refresh(const sn_joints *joints)
{
    const sn_hinge_planes *planes = joints->planes;
    for (int p = 0; planes != NULL && p < planes->count; ++p) {
        sn_hinge_plane *plane = &planes->planes[p];
        plane->normal = find_normal(joints, planes, plane);
        plane->across[0] = sn_perpendicular(plane->normal);
        plane->across[1] = sn_cross(plane->normal, plane->across[0]);
        plane->center = find_center(joints, planes, plane);
        for (int i = plane->first; i < plane->first + plane->count; ++i) {
            place_member(joints, plane, &planes->members[i]);
            if (joints->pass.ahead != 0.0f) {
                take_back_motion(joints, plane, &planes->members[i]);
            }
        }
        if (plane->holder < 0) {
            sum_masses(planes, plane);
        }
    }
}

// --- motion --------------------------------------------------------------------------------------

static out_of_plane wanted_of(const sn_body_motions *motions, const sn_hinge_plane *plane,
                              const sn_plane_member *member, bool use_bias)
{
    out_of_plane motion = motion_of(motions, plane, member->body);
    if (use_bias) {
        motion.speed += (double)member->height;
        motion.turn[0] += (double)member->tilt[0];
        motion.turn[1] += (double)member->tilt[1];
    }
    return motion;
}

// Cramer's rule for the symmetric matrix m: xx yx yy zx zy zz. It is regular: masses and inertias are
// positive.
static void solve3(const double *m, double *x)
{
    double c0 = m[2] * m[5] - m[4] * m[4], c1 = m[3] * m[4] - m[1] * m[5], c2 = m[1] * m[4] - m[2] * m[3];
    double c3 = m[0] * m[5] - m[3] * m[3], c4 = m[1] * m[3] - m[0] * m[4], c5 = m[0] * m[2] - m[1] * m[1];
    double scale = 1.0 / (m[0] * c0 + m[1] * c1 + m[3] * c2);
    double a = x[0], b = x[1], c = x[2];
    x[0] = scale * (c0 * a + c1 * b + c2 * c);
    x[1] = scale * (c1 * a + c3 * b + c4 * c);
    x[2] = scale * (c2 * a + c4 * b + c5 * c);
}

// V and Ω of a free chain by its momenta, those of the bias included.
static out_of_plane fit_free(const sn_body_motions *motions, const sn_hinge_planes *planes,
                             const sn_hinge_plane *plane, bool use_bias)
{
    double sum[3] = {0.0};
    for (int i = plane->first; i < plane->first + plane->count; ++i) {
        const sn_plane_member *m = &planes->members[i];
        out_of_plane motion = wanted_of(motions, plane, m, use_bias);
        double momentum = (double)m->mass * motion.speed;
        sum[0] += momentum;
        sum[1] += momentum * (double)m->place[1] + (double)m->tilt_mass[0] * motion.turn[0] +
                  (double)m->tilt_mass[1] * motion.turn[1];
        sum[2] += -momentum * (double)m->place[0] + (double)m->tilt_mass[1] * motion.turn[0] +
                  (double)m->tilt_mass[2] * motion.turn[1];
    }
    solve3(plane->masses, sum);
    return (out_of_plane){sum[0], {sum[1], sum[2]}};
}

// Those of what holds the chain, at the centre of the plane.
static out_of_plane fit_held(const sn_joints *joints, const sn_body_motions *motions,
                             const sn_hinge_plane *plane)
{
    if (plane->holder == 0) {
        return (out_of_plane){0.0, {0.0, 0.0}};
    }
    const sn_solver_velocity *velocity = &motions->velocities[plane->holder];
    out_of_plane motion = motion_of(motions, plane, plane->holder);
    sn_vec3 arm = sn_sub(plane->center, joints->solver->bodies[plane->holder].center);
    motion.speed += (double)sn_dot(sn_cross(sn_take3(velocity->angular), arm), plane->normal);
    return motion;
}

static void push(const sn_body_motions *motions, int body, sn_vec3 linear, sn_vec3 angular)
{
    sn_velocity_change(&motions->velocities[body],
                       motions->residues != NULL ? &motions->residues[body] : NULL, linear, angular);
}

// The impulse along the normal and the torque across it that give a member the motion of the plane.
static void move_member(const sn_joints *joints, const sn_body_motions *motions, sn_hinge_plane *plane,
                        sn_plane_member *m, const out_of_plane *fit, bool use_bias)
{
    out_of_plane motion = wanted_of(motions, plane, m, use_bias);
    double carried = fit->turn[0] * (double)m->place[1] - fit->turn[1] * (double)m->place[0];
    float speed = (float)(fit->speed + carried - motion.speed);
    float x = (float)(fit->turn[0] - motion.turn[0]), y = (float)(fit->turn[1] - motion.turn[1]);
    sn_vec3 torque = sn_add(sn_scale(plane->across[0], m->tilt_mass[0] * x + m->tilt_mass[1] * y),
                            sn_scale(plane->across[1], m->tilt_mass[1] * x + m->tilt_mass[2] * y));
    sn_sym3 response = sn_solver_inertia_matrix(&joints->solver->inertias[m->body]);
    push(motions, m->body, sn_scale(plane->normal, speed), sn_sym3_apply(response, torque));
    if (motions->velocities == joints->solver->velocities) {
        m->impulse = sn_add_scaled(m->impulse, m->mass * speed, plane->normal);
        m->rotation = sn_add(m->rotation, torque);
        plane->work += (double)(m->mass * speed) * (fit->speed + carried) +
                       fit->turn[0] * (double)sn_dot(torque, plane->across[0]) +
                       fit->turn[1] * (double)sn_dot(torque, plane->across[1]);
    }
}

void sn_hinge_planes_project(const sn_joints *joints, const sn_body_motions *motions, bool use_bias)
{
    const sn_hinge_planes *planes = joints->planes;
    for (int p = 0; planes != NULL && p < planes->count; ++p) {
        sn_hinge_plane *plane = &planes->planes[p];
        out_of_plane fit =
            plane->holder < 0 ? fit_free(motions, planes, plane, use_bias) : fit_held(joints, motions, plane);
        for (int i = plane->first; i < plane->first + plane->count; ++i) {
            move_member(joints, motions, plane, &planes->members[i], &fit, use_bias);
        }
    }
}

// --- forces --------------------------------------------------------------------------------------

// Adds a child's impulses, seen from its parent's mass centre, to the parent's.
static void pass_on(const sn_solver *solver, const sn_plane_member *child, sn_plane_member *parent)
{
    sn_vec3 arm = sn_sub(solver->bodies[child->body].center, solver->bodies[parent->body].center);
    parent->impulse = sn_add(parent->impulse, child->impulse);
    parent->rotation = sn_add(parent->rotation, sn_add(child->rotation, sn_cross(arm, child->impulse)));
}

// Children come after their parents, so that each has all of its own when it passes them on.
void sn_hinge_planes_share(const sn_joints *joints)
{
    const sn_solver *solver = joints->solver;
    const sn_hinge_planes *planes = joints->planes;
    for (int i = planes != NULL ? planes->member_count - 1 : -1; i >= 0; --i) {
        sn_plane_member *member = &planes->members[i];
        if (member->hinge < 0) {
            continue;
        }
        const sn_constraint_input *input = &joints->inputs[member->hinge];
        const sn_solver_body *body = &solver->bodies[member->body];
        sn_vec3 arm = sn_rotate(body->rotation, input->ends[member->is_b ? 1 : 0].local);
        float sign = (member->is_b ? 1.0f : -1.0f) / solver->settings.duration;
        sn_vec3 torque = sn_sub(member->rotation, sn_cross(arm, member->impulse));
        *input->force = sn_add_scaled(*input->force, sign, member->impulse);
        *input->torque = sn_add_scaled(*input->torque, sign, torque);
        if (member->parent >= 0) {
            pass_on(solver, member, &planes->members[member->parent]);
        }
    }
}
