// Where the points of contacts are, and contacts that follow a ball within the step: part of the wide kernels
// of soft_contact_kernel.h, which includes it.
// Tested by tests/solver/contact/test_soft_contact_rows.c.
#ifndef SN_SOLVER_CONTACT_SOFT_CONTACT_FOLLOW_H
#define SN_SOLVER_CONTACT_SOFT_CONTACT_FOLLOW_H

#include "solver/contact/soft_contact_block.h"

SN_INLINE sn_vec3x8 sn_vec3x8_select(sn_i8 mask, sn_vec3x8 a, sn_vec3x8 b)
{
    return (sn_vec3x8){sn_f8_select(mask, a.x, b.x), sn_f8_select(mask, a.y, b.y),
                       sn_f8_select(mask, a.z, b.z)};
}

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

// A node or an edge: the normal leads from the ball's middle to the nearest point; back, if that is deep in
// the ball on the wrong side. Returns the separation.
SN_INLINE sn_f8 follow_point(sn_soft_block *block, const place8 *place, int width, sn_vec3x8 ball)
{
    sn_f8 zero = sn_f8_set(0.0f), one = sn_f8_set(1.0f);
    sn_vec3x8 nearest = place->node[0];
    if (width == 2) {
        sn_vec3x8 along = sn_vec3x8_sub(place->node[1], place->node[0]);
        sn_f8 squared = sn_vec3x8_dot(along, along);
        sn_f8 t = sn_vec3x8_dot(sn_vec3x8_sub(ball, place->node[0]), along) /
                  sn_f8_select(squared > zero, squared, one);
        t = sn_f8_min(sn_f8_max(t, zero), one);
        nearest = sn_vec3x8_add(nearest, sn_vec3x8_scale(along, t));
        sn_store(&block->weight[0], one - t);
        sn_store(&block->weight[1], t);
    }
    sn_vec3x8 away = sn_vec3x8_sub(nearest, ball);
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
    sn_f8 sum = one / (w0 + w1 + w2);
    sn_store(&block->weight[0], w0 * sum);
    sn_store(&block->weight[1], w1 * sum);
    sn_store(&block->weight[2], w2 * sum);
    sn_vec3x8 inward = sn_vec3x8_scale(out, -sn_load(&block->side));
    turn_normal(block, direction_or_old(block, inward, sn_f8_sqrt(squared)));
    sn_f8 separation = -sn_vec3x8_dot(sn_load3(block->normal), ap) - sn_load(&block->reach);
    return sn_f8_select(over, separation, sn_f8_set(SN_SOFT_FAR));
}

// What impulses do to nodes, and effective masses, by the weights as they are now.
SN_INLINE void weigh_nodes(sn_soft_block *block, const place8 *place, int width)
{
    sn_f8 kappa = sn_f8_set(0.0f);
    for (int k = 0; k < width; ++k) {
        sn_f8 weight = sn_load(&block->weight[k]), push = weight * place->inverse_mass[k];
        sn_store(&block->push[k], push);
        kappa = kappa + weight * push;
    }
    sn_store(&block->node_kappa, kappa);
    sn_store(&block->normal_mass, sn_f8_inverse_positive(kappa));
    sn_store(&block->tangent_mass, sn_f8_inverse_positive(kappa));
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
    weigh_nodes(block, place, width);
    return separation;
}

// --- contacts between deformables that slide ---------------------------------------------------------------

// The two points of a contact are apart by D = Σ αₖ xₖ. An impulse along the normal has no torque if D is
// along it, as it is when the contact is found; what slides leaves that. Beyond this part of D (its sine) the
// points go along, or the normal does.
#define SN_SOFT_SLID 0.02f
// Weights beyond this are those of a point too far from its face or edge: it stays where it was.
#define SN_SOFT_FARTHEST_WEIGHT 2.0f

// A node over a face, or two edges: two of the four weights are free, and move the points along the surface
// until they are over each other. `slid` is D without its part along the normal. Of other lanes, those whose
// face is seen from its rim, and those that went too far, weights stay.
SN_INLINE void slide_points(sn_soft_block *block, const place8 *place, sn_vec3x8 slid, sn_i8 may_slide)
{
    sn_f8 a[SN_SOFT_NODES], one = sn_f8_set(1.0f), zero = sn_f8_set(0.0f);
    for (int k = 0; k < SN_SOFT_NODES; ++k) {
        a[k] = sn_load(&block->weight[k]);
    }
    sn_i8 are_edges = a[1] > zero;
    sn_vec3x8 t1 = sn_load3(block->tangent), t2 = sn_load3(block->bitangent);
    sn_vec3x8 of_face_1 = sn_vec3x8_sub(place->node[2], place->node[1]);
    sn_vec3x8 of_face_2 = sn_vec3x8_sub(place->node[3], place->node[1]);
    sn_vec3x8 of_edge_1 = sn_vec3x8_sub(place->node[0], place->node[1]);
    sn_vec3x8 of_edge_2 = sn_vec3x8_sub(place->node[3], place->node[2]);
    sn_vec3x8 e1 = sn_vec3x8_select(are_edges, of_edge_1, of_face_1);
    sn_vec3x8 e2 = sn_vec3x8_select(are_edges, of_edge_2, of_face_2);
    sn_f8 m11 = sn_vec3x8_dot(e1, t1), m12 = sn_vec3x8_dot(e2, t1), m21 = sn_vec3x8_dot(e1, t2);
    sn_f8 m22 = sn_vec3x8_dot(e2, t2), d1 = sn_vec3x8_dot(slid, t1), d2 = sn_vec3x8_dot(slid, t2);
    sn_f8 determinant = m11 * m22 - m12 * m21;
    sn_f8 size = sn_vec3x8_dot(e1, e1) * sn_vec3x8_dot(e2, e2);
    sn_i8 good = may_slide & (determinant * determinant > sn_f8_set(0.01f) * size);
    sn_f8 inverse = one / sn_f8_select(good, determinant, one);
    sn_f8 c1 = (d1 * m22 - d2 * m12) * inverse, c2 = (d2 * m11 - d1 * m21) * inverse;
    sn_f8 change[SN_SOFT_NODES] = {sn_f8_select(are_edges, -c1, zero), sn_f8_select(are_edges, c1, c1 + c2),
                                   sn_f8_select(are_edges, c2, -c1), sn_f8_select(are_edges, -c2, -c2)};
    sn_f8 most = sn_f8_set(SN_SOFT_FARTHEST_WEIGHT);
    for (int k = 0; k < SN_SOFT_NODES; ++k) {
        sn_f8 weight = a[k] + change[k];
        good = good & (weight < most) & (-weight < most);
    }
    for (int k = 0; k < SN_SOFT_NODES; ++k) {
        sn_store(&block->weight[k], sn_f8_select(good, a[k] + change[k], a[k]));
    }
}

// A node at an edge: the point moves along the edge, to where it is nearest.
SN_INLINE void slide_on_edge(sn_soft_block *block, const place8 *place, sn_vec3x8 apart, sn_i8 may_slide)
{
    sn_f8 first = sn_load(&block->weight[1]), second = sn_load(&block->weight[2]);
    sn_f8 zero = sn_f8_set(0.0f), one = sn_f8_set(1.0f);
    sn_vec3x8 along = sn_vec3x8_sub(place->node[2], place->node[1]);
    sn_f8 squared = sn_vec3x8_dot(along, along);
    sn_i8 good = may_slide & ~(second == zero) & (squared > zero);
    sn_f8 change = sn_vec3x8_dot(apart, along) / sn_f8_select(good, squared, one);
    change = sn_f8_min(sn_f8_max(change, -one - first), second + one); // weights stay within −2 and 1
    change = sn_f8_select(good, change, zero);
    sn_store(&block->weight[1], first + change);
    sn_store(&block->weight[2], second - change);
}

// A node at a node or an edge: it leaves along the line between the two points. Of other lanes, and of those
// that are on the wrong side, the normal stays.
SN_INLINE void turn_along(sn_soft_block *block, sn_vec3x8 apart, sn_i8 may_turn)
{
    sn_vec3x8 old = sn_load3(block->normal);
    sn_f8 length = sn_f8_sqrt(sn_vec3x8_dot(apart, apart));
    sn_i8 good = may_turn & (sn_vec3x8_dot(apart, old) > sn_f8_set(0.5f) * length);
    sn_vec3x8 normal = sn_vec3x8_select(good, direction_or_old(block, apart, length), old);
    sn_vec3x8 start = sn_load3(block->start_point);
    sn_vec3x8 turned = sn_vec3x8_scale(normal, sn_f8_sqrt(sn_vec3x8_dot(start, start)));
    sn_store3(block->start_point, sn_vec3x8_select(good, turned, start));
    turn_normal(block, normal);
}

// Lets contacts between deformables go along with what slides. Returns how far the points are apart.
SN_INLINE sn_vec3x8 follow_slide(sn_soft_block *block, const place8 *place)
{
    sn_vec3x8 apart = point_of(block, place, SN_SOFT_NODES), normal = sn_load3(block->normal);
    sn_vec3x8 slid = sn_vec3x8_sub(apart, sn_vec3x8_scale(normal, sn_vec3x8_dot(apart, normal)));
    sn_f8 sum = sn_load(&block->weight[0]) + sn_load(&block->weight[1]) + sn_load(&block->weight[2]) +
                sn_load(&block->weight[3]);
    sn_f8 least = sn_f8_set(SN_SOFT_SLID * SN_SOFT_SLID) * sn_vec3x8_dot(apart, apart);
    // The sum is 1 where there is a body.
    sn_i8 goes = (sn_vec3x8_dot(slid, slid) > least) & (sum < sn_f8_set(0.5f));
    if (!sn_i8_any(goes)) {
        return apart;
    }
    sn_i8 has_four = ~(sn_load(&block->weight[3]) == sn_f8_set(0.0f));
    slide_points(block, place, slid, goes & has_four);
    slide_on_edge(block, place, apart, goes & ~has_four);
    apart = point_of(block, place, SN_SOFT_NODES);
    turn_along(block, apart, goes & ~has_four);
    weigh_nodes(block, place, SN_SOFT_NODES);
    return apart;
}

#endif
