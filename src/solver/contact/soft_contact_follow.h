// Where the points of contacts are, and contacts that follow a ball within the step: part of the wide kernels
// of soft_contact_kernel.h, which includes it.
// Tested by tests/solver/contact/test_soft_contact_rows.c.
#ifndef SN_SOLVER_CONTACT_SOFT_CONTACT_FOLLOW_H
#define SN_SOLVER_CONTACT_SOFT_CONTACT_FOLLOW_H

#include "solver/contact/soft_contact_block.h"

#include <float.h>

// Positions of the nodes and motion of the bodies of a block.
typedef struct place8 {
    sn_vec3x8 node[SN_SOFT_NODES];
    sn_f8 inverse_mass[SN_SOFT_NODES];
    sn_vec3x8 moved, turned; // of bodies
} place8;

SN_INLINE sn_vec3x8 point_of(const sn_soft_block *block, const place8 *place, int width)
{
    sn_vec3x8 point = sn_vec3x8_scale(place->node[0], sn_load(&block->weight[0]));
    for (int k = 1; k < width; ++k) {
        point = sn_vec3x8_add(point, sn_vec3x8_scale(place->node[k], sn_load(&block->weight[k])));
    }
    return point;
}

// Another normal: the tangent turns along, or any other is taken if nothing is left of it.
SN_INLINE void turn_normal(sn_soft_block *block, sn_vec3x8 normal)
{
    sn_f8 zero = sn_f8_set(0.0f), one = sn_f8_set(1.0f);
    sn_vec3x8 old = sn_load3(block->tangent);
    sn_vec3x8 flat = sn_vec3x8_sub(old, sn_vec3x8_scale(normal, sn_vec3x8_dot(old, normal)));
    sn_i8 good = sn_vec3x8_dot(flat, flat) > sn_f8_set(0.01f);
    sn_i8 along_x = normal.x * normal.x > sn_f8_set(1.0f / 3.0f);
    flat.x = sn_f8_select(good, flat.x, sn_f8_select(along_x, normal.y, zero));
    flat.y = sn_f8_select(good, flat.y, sn_f8_select(along_x, -normal.x, normal.z));
    flat.z = sn_f8_select(good, flat.z, sn_f8_select(along_x, zero, -normal.y));
    sn_f8 squared = sn_vec3x8_dot(flat, flat);
    sn_f8 length = sn_f8_sqrt(sn_f8_select(squared > zero, squared, one));
    sn_store3(block->normal, normal);
    sn_vec3x8 tangent = sn_vec3x8_scale(flat, one / length);
    sn_store3(block->tangent, tangent);
    sn_store3(block->bitangent, sn_vec3x8_cross(normal, tangent));
}

// A direction of unit length, or the block's old normal where there is none.
SN_INLINE sn_vec3x8 direction_or_old(const sn_soft_block *block, sn_vec3x8 along, sn_f8 length)
{
    sn_f8 one = sn_f8_set(1.0f);
    sn_i8 good = length > sn_f8_set(1.0e-9f);
    sn_f8 scale = one / sn_f8_select(good, length, one);
    sn_vec3x8 old = sn_load3(block->normal);
    return (sn_vec3x8){sn_f8_select(good, along.x * scale, old.x), sn_f8_select(good, along.y * scale, old.y),
                       sn_f8_select(good, along.z * scale, old.z)};
}

// The part of a vector across a capsule's axis; all of it beside a ball.
SN_INLINE sn_vec3x8 across_axis(const sn_soft_block *block, sn_vec3x8 v)
{
    sn_vec3x8 axis = sn_load3(block->axis);
    return sn_vec3x8_sub(v, sn_vec3x8_scale(axis, sn_vec3x8_dot(axis, v)));
}

// A node or an edge: the normal leads from the ball's middle to the nearest point; back, if that is deep in
// the ball on the wrong side. Returns the separation.
SN_INLINE sn_f8 follow_point(sn_soft_block *block, const place8 *place, int width, sn_vec3x8 ball)
{
    sn_f8 zero = sn_f8_set(0.0f), one = sn_f8_set(1.0f);
    sn_vec3x8 nearest = place->node[0];
    if (width == 2) {
        sn_vec3x8 along = sn_vec3x8_sub(place->node[1], place->node[0]), flat = across_axis(block, along);
        sn_f8 squared = sn_vec3x8_dot(flat, flat);
        sn_f8 t = sn_vec3x8_dot(sn_vec3x8_sub(ball, place->node[0]), flat) /
                  sn_f8_select(squared > zero, squared, one);
        t = sn_f8_min(sn_f8_max(t, zero), one);
        nearest = sn_vec3x8_add(nearest, sn_vec3x8_scale(along, t));
        sn_store(&block->weight[0], one - t);
        sn_store(&block->weight[1], t);
    }
    sn_vec3x8 away = across_axis(block, sn_vec3x8_sub(nearest, ball));
    sn_f8 distance = sn_f8_sqrt(sn_vec3x8_dot(away, away)), reach = sn_load(&block->reach);
    sn_f8 behind = sn_load(&block->side) * sn_vec3x8_dot(sn_load3(block->out), away);
    sn_i8 wrong = (behind > sn_f8_set(0.5f) * distance) & (distance < reach);
    sn_f8 turn = sn_f8_select(wrong, sn_f8_set(-1.0f), one);
    turn_normal(block, direction_or_old(block, sn_vec3x8_scale(away, turn), distance));
    return turn * distance - reach;
}

// A face that the ball is over: its own normal, and the point of it nearest to the ball's middle. The others
// are out of reach.
SN_INLINE sn_f8 follow_face(sn_soft_block *block, const place8 *place, sn_vec3x8 ball)
{
    sn_f8 zero = sn_f8_set(0.0f), one = sn_f8_set(1.0f);
    sn_vec3x8 ab = sn_vec3x8_sub(place->node[1], place->node[0]);
    sn_vec3x8 ac = sn_vec3x8_sub(place->node[2], place->node[0]);
    sn_vec3x8 ap = sn_vec3x8_sub(ball, place->node[0]), out = sn_vec3x8_cross(ab, ac);
    sn_f8 squared = sn_vec3x8_dot(out, out);
    sn_f8 safe = sn_f8_select(squared > zero, squared, one);
    sn_f8 w1 = sn_vec3x8_dot(sn_vec3x8_cross(ap, ac), out) / safe;
    sn_f8 w2 = sn_vec3x8_dot(sn_vec3x8_cross(ab, ap), out) / safe, w0 = one - w1 - w2;
    sn_i8 over = (sn_f8_min(w0, sn_f8_min(w1, w2)) >= zero) & (squared > zero);
    w0 = sn_f8_max(w0, zero);
    w1 = sn_f8_max(w1, zero);
    w2 = sn_f8_max(w2, zero);
    // A face that a node has left beyond all measure keeps the weights it had.
    sn_f8 sum = w0 + w1 + w2, weights[3] = {w0, w1, w2};
    sn_i8 good = (sum > zero) & (sum < sn_f8_set(FLT_MAX));
    sn_f8 scale = one / sn_f8_select(good, sum, one);
    for (int k = 0; k < 3; ++k) {
        sn_store(&block->weight[k], sn_f8_select(good, weights[k] * scale, sn_load(&block->weight[k])));
    }
    sn_vec3x8 inward = sn_vec3x8_scale(out, -sn_load(&block->side));
    turn_normal(block, direction_or_old(block, inward, sn_f8_sqrt(squared)));
    sn_f8 separation = -sn_vec3x8_dot(sn_load3(block->normal), ap) - sn_load(&block->reach);
    return sn_f8_select(over, separation, sn_f8_set(SN_SOFT_FAR));
}

// Normal, weights and effective masses where the ball is now. Returns the separation.
SN_INLINE sn_f8 follow_ball(sn_soft_block *block, const place8 *place, int width, sn_soft_partner partner)
{
    sn_vec3x8 ball = sn_load3(block->ball);
    if (partner != SN_PARTNER_NONE) {
        sn_vec3x8 swing = sn_vec3x8_cross(place->turned, sn_load3(block->start_offset));
        ball = sn_vec3x8_add(ball, sn_vec3x8_add(place->moved, swing));
    }
    sn_f8 separation = width == 3 ? follow_face(block, place, ball) : follow_point(block, place, width, ball);
    sn_f8 kappa = sn_f8_set(0.0f);
    for (int k = 0; k < width; ++k) {
        sn_f8 weight = sn_load(&block->weight[k]), push = weight * place->inverse_mass[k];
        sn_store(&block->push[k], push);
        kappa = kappa + weight * push;
    }
    sn_store(&block->node_kappa, kappa);
    sn_store(&block->normal_mass, sn_f8_inverse_positive(kappa));
    sn_store(&block->tangent_mass, sn_f8_inverse_positive(kappa));
    return separation;
}

#endif
