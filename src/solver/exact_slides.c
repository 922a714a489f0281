// Ends of links that slide along a surface: where they are, and which way they can go. The foot is the point
// of the surface nearest to the other end, so the link pulls straight out of the surface.
//
// Friction at the level of places: the foot sticks to where it was on the surface as long as the correction
// along the surface this takes is at most the coefficient times the one across it. Both are the same impulse
// over the same masses, so that is Coulomb's law.
#include "solver/exact_links.h"

// A foot that is farther away than this many pieces' sizes has lost the way.
#define LOST 4.0f

static const sn_node_state *surface_nodes(const sn_exact_stage *stage, const sn_exact_link *link)
{
    return sn_link_nodes(stage) + link->first_node;
}

static sn_vec3 corner(const sn_exact_stage *stage, const sn_exact_link *link, int i)
{
    const sn_foot_surface *surface = link->surface;
    const uint32_t *corners = surface->corners + (size_t)link->foot->piece * (size_t)surface->corner_count;
    return surface_nodes(stage, link)[corners[i]].position;
}

static float size_of_piece(const sn_exact_stage *stage, const sn_exact_link *link)
{
    int count = link->surface->corner_count;
    float size = 0.0f;
    for (int i = 0; i < count; ++i) {
        size =
            sn_max(size, sn_distance_between(corner(stage, link, i), corner(stage, link, (i + 1) % count)));
    }
    return size;
}

// How far it would slide goes back towards where it was, as far as friction can hold it. Returns the way
// back; zero if it sticks.
static sn_vec3 hold_back(const sn_exact_stage *stage, const sn_exact_link *link, const sn_foot *before,
                         sn_vec3 point)
{
    const sn_node_state *nodes = surface_nodes(stage, link);
    sn_foot *foot = link->foot;
    sn_vec3 here = sn_foot_place(link->surface, nodes, foot);
    sn_vec3 back = sn_sub(sn_foot_place(link->surface, nodes, before), here);
    float way = sn_length(back), most = link->friction * sn_distance_between(point, here);
    if (way <= most) {
        *foot = *before;
        return sn_v(0.0f, 0.0f, 0.0f);
    }
    back = sn_scale(back, most / way);
    if (before->piece == foot->piece) {
        for (int i = 0; i < 3; ++i) {
            foot->weights[i] += most / way * (before->weights[i] - foot->weights[i]);
        }
    } else {
        (void)sn_foot_follow(link->surface, nodes, sn_add(here, back), foot);
    }
    return back;
}

// The end stands on the corners of the piece the foot is on.
static void stand(sn_exact_link *link)
{
    const sn_foot_surface *surface = link->surface;
    const uint32_t *corners = surface->corners + (size_t)link->foot->piece * (size_t)surface->corner_count;
    sn_anchor_end *end = &link->ends[link->sliding];
    end->node_count = surface->corner_count;
    for (int i = 0; i < surface->corner_count; ++i) {
        end->nodes[i] = link->first_node + (int)corners[i];
        end->weights[i] = link->foot->weights[i];
    }
}

// Unit normal of a face, or direction of an edge; zero for one that has collapsed.
static sn_vec3 axis_of_piece(const sn_exact_stage *stage, const sn_exact_link *link)
{
    sn_vec3 u = sn_sub(corner(stage, link, 1), corner(stage, link, 0));
    return sn_normalize(link->surface->corner_count == 2
                            ? u
                            : sn_cross(u, sn_sub(corner(stage, link, 2), corner(stage, link, 0))));
}

static sn_vec3 along_piece(const sn_exact_stage *stage, const sn_exact_link *link, sn_vec3 v)
{
    sn_vec3 axis = axis_of_piece(stage, link);
    sn_vec3 part = sn_scale(axis, sn_dot(axis, v));
    return link->surface->corner_count == 2 ? part : sn_sub(v, part);
}

// Where a rim keeps it from going: away from the foot, along the piece.
static sn_vec3 outward_of(const sn_exact_stage *stage, const sn_exact_link *link, sn_vec3 error)
{
    if (!sn_foot_is_on_rim(link->surface, link->foot)) {
        return sn_v(0.0f, 0.0f, 0.0f);
    }
    return sn_normalize(along_piece(stage, link, error));
}

static bool is_inside_piece(const sn_exact_link *link)
{
    const float *weights = link->foot->weights;
    return weights[0] > 0.0f && weights[1] > 0.0f && (link->surface->corner_count == 2 || weights[2] > 0.0f);
}

// What is pulled at, and what is not: along the piece there should be nothing but friction; the rest is how
// far places are rounded, and would be a random push in every sub-step.
static void note_error(const sn_exact_stage *stage, const sn_exact_link *link, sn_link_state *state,
                       sn_vec3 point, sn_vec3 back, bool is_stuck)
{
    sn_vec3 error = sn_sub(point, sn_foot_place(link->surface, surface_nodes(stage, link), link->foot));
    state->outward = outward_of(stage, link, error);
    state->slack = sn_v(0.0f, 0.0f, 0.0f);
    if (!is_stuck && is_inside_piece(link)) {
        sn_vec3 slack = sn_add(along_piece(stage, link, error), along_piece(stage, link, back));
        float rounding = sn_link_rounding(point) + sn_link_rounding(corner(stage, link, 0));
        if (sn_length(slack) <= 4.0f * rounding) {
            state->slack = link->sliding == 0 ? slack : sn_neg(slack);
        }
    }
}

// Returns whether it has gone to another piece.
static bool follow(const sn_exact_stage *stage, sn_exact_link *link, sn_link_state *state)
{
    const sn_node_state *nodes = surface_nodes(stage, link);
    sn_vec3 point = sn_link_place(stage, link, 1 - link->sliding), back = {0.0f, 0.0f, 0.0f};
    sn_foot before = *link->foot;
    int piece = before.piece;
    float distance = sn_foot_follow(link->surface, nodes, point, link->foot);
    if (state->share == 1.0f && link->foot->piece >= 0 && distance > LOST * size_of_piece(stage, link)) {
        *link->foot = sn_foot_find(link->surface, nodes, point);
        before.piece = -1;
    }
    if (link->foot->piece < 0) { // nothing to stand on
        state->share = 0.0f;
        return false;
    }
    bool has_friction = link->friction > 0.0f && before.piece >= 0;
    if (has_friction) {
        back = hold_back(stage, link, &before, point);
    }
    stand(link);
    note_error(stage, link, state, point, back, has_friction && sn_length_squared(back) == 0.0f);
    return link->foot->piece != piece;
}

bool sn_link_slides_follow(sn_exact_stage *stage)
{
    bool has_changed = false;
    for (int i = 0; i < stage->link_count; ++i) {
        if (stage->links[i].sliding >= 0 && stage->links[i].surface != NULL) {
            has_changed |= follow(stage, &stage->links[i], &stage->link_work->states[i]);
        }
    }
    return has_changed;
}

// --- velocities --------------------------------------------------------------------------------------------

// The velocity of the sliding end's other side, as seen from the foot.
static bool goes_outward(const sn_exact_stage *stage, int link, sn_vec3 velocity)
{
    sn_vec3 outward = stage->link_work->states[link].outward;
    return sn_dot(stage->links[link].sliding == 0 ? velocity : sn_neg(velocity), outward) > 0.0f;
}

int sn_link_slide_rows(const sn_exact_stage *stage, int number, sn_vec3 velocity, sn_vec3 rows[3])
{
    const sn_exact_link *link = &stage->links[number];
    sn_vec3 axis = axis_of_piece(stage, link);
    int count = 0;
    if (sn_length_squared(axis) == 0.0f) {
        return 0;
    }
    if (link->surface->corner_count == 3) {
        rows[count++] = axis;
    } else {
        rows[count++] = sn_perpendicular(axis);
        rows[count++] = sn_cross(axis, rows[0]);
    }
    if (goes_outward(stage, number, velocity)) {
        rows[count++] = stage->link_work->states[number].outward;
    }
    return count;
}

sn_vec3 sn_link_slide_along(const sn_exact_stage *stage, int number, sn_vec3 v)
{
    sn_vec3 outward = stage->link_work->states[number].outward;
    v = along_piece(stage, &stage->links[number], v);
    return sn_add_scaled(v, -sn_dot(v, outward), outward);
}
