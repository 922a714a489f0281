// Ends of links that slide along a surface: where they are, and in which directions they are free. Such an
// end is the point of the surface closest to the other end, so the link pulls along the surface's normal.
//
// Friction: a link that can stick to where it was, with an impulse inside Coulomb's cone, does; any other one
// slips, and is dragged by as much as the cone allows towards where it would stick. That is less than
// sticking takes, so friction stops things but drives none.
#include "solver/exact/exact_links.h"

// A closest point that is farther away than this many sizes of its piece is searched for on all pieces.
#define LOST 4.0f

static const sn_node_state *surface_nodes(const sn_exact_stage *stage, const sn_exact_link *link)
{
    return sn_link_nodes(stage) + link->first_node;
}

static sn_vec3 corner(const sn_exact_stage *stage, const sn_exact_link *link, int i)
{
    const sn_closest_surface *surface = link->surface;
    const uint32_t *corners = surface->corners + (size_t)link->closest->piece * (size_t)surface->corner_count;
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

// The end becomes the sum of the corners of the piece that its closest point is on.
static void stand(sn_exact_link *link, const sn_closest_point *closest)
{
    const sn_closest_surface *surface = link->surface;
    const uint32_t *corners = surface->corners + (size_t)closest->piece * (size_t)surface->corner_count;
    sn_exact_end *end = &link->ends[link->sliding];
    *link->closest = *closest;
    end->node_count = surface->corner_count;
    for (int i = 0; i < surface->corner_count; ++i) {
        end->nodes[i] = link->first_node + (int)corners[i];
        end->weights[i] = closest->weights[i];
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

static bool is_inside_piece(const sn_exact_link *link)
{
    int support[3];
    return sn_closest_point_support(link->surface, link->closest, support) == link->surface->corner_count;
}

// What it can slide along from where it is: a face, an edge or nothing.
typedef struct slide_freedom {
    int dimensions; // 2, 1 or 0
    sn_vec3 axis;   // the normal of the face, or the direction of the edge
} slide_freedom;

static slide_freedom freedom_of(const sn_exact_stage *stage, const sn_exact_link *link,
                                const sn_link_state *state)
{
    int support[3], count = sn_closest_point_support(link->surface, link->closest, support);
    slide_freedom freedom = {link->surface->corner_count - 1, axis_of_piece(stage, link)};
    if (state->is_kept && count == 1) {
        freedom.dimensions = 0;
    } else if (state->is_kept && count == 2 && freedom.dimensions == 2) {
        freedom = (slide_freedom){
            1, sn_normalize(sn_sub(corner(stage, link, support[1]), corner(stage, link, support[0])))};
    }
    return freedom;
}

static sn_vec3 part_along(slide_freedom freedom, sn_vec3 v)
{
    sn_vec3 part = sn_scale(freedom.axis, sn_dot(freedom.axis, v));
    return freedom.dimensions == 2   ? sn_sub(v, part)
           : freedom.dimensions == 1 ? part
                                     : sn_v(0.0f, 0.0f, 0.0f);
}

// From the closest point to the one it follows.
static sn_vec3 error_of(const sn_exact_stage *stage, const sn_exact_link *link)
{
    return sn_sub(sn_link_place(stage, link, 1 - link->sliding), sn_link_place(stage, link, link->sliding));
}

static bool is_apart(const sn_exact_stage *stage, const sn_exact_link *link)
{
    return sn_length(error_of(stage, link)) > sn_link_rounding(sn_link_place(stage, link, link->sliding));
}

// Whether a corner or an edge keeps it from coming nearer: not if it just stands on one.
static bool is_kept(const sn_exact_stage *stage, const sn_exact_link *link)
{
    float rounding = sn_link_rounding(corner(stage, link, 0));
    return !is_inside_piece(link) &&
           sn_length(along_piece(stage, link, error_of(stage, link))) > 4.0f * rounding;
}

// Where a rim keeps it from going: along the piece, towards the other end. One that has come to the rim
// already has no error that would tell: what was known before holds.
static void note_border(const sn_exact_stage *stage, const sn_exact_link *link, sn_link_state *state)
{
    state->is_kept = is_kept(stage, link);
    if (!sn_closest_point_is_on_rim(link->surface, link->closest)) {
        state->outward = sn_v(0.0f, 0.0f, 0.0f);
    } else if (state->is_kept) {
        state->outward = sn_normalize(along_piece(stage, link, error_of(stage, link)));
    }
}

// Returns whether it has gone to another piece.
static bool follow(const sn_exact_stage *stage, int number)
{
    sn_exact_link *link = &stage->links[number];
    sn_link_state *state = &stage->link_work->states[number];
    float *share = &stage->link_work->shares[number];
    const sn_node_state *nodes = surface_nodes(stage, link);
    sn_vec3 point = sn_link_place(stage, link, 1 - link->sliding);
    sn_closest_point closest = *link->closest;
    int piece = closest.piece;
    state->before = closest;
    state->grip = SN_LINK_FREE;
    float distance = sn_closest_point_follow(link->surface, nodes, point, &closest);
    if (closest.piece < 0) { // nothing to stand on
        *share = 0.0f;
        return false;
    }
    stand(link, &closest);
    if (*share == 1.0f && distance > LOST * size_of_piece(stage, link)) {
        sn_closest_point found = sn_closest_point_find(link->surface, nodes, point);
        closest = found.piece >= 0 ? found : closest;
        stand(link, &closest);
        state->before.piece = -1;
    }
    state->after = closest;
    state->outward = sn_v(0.0f, 0.0f, 0.0f);
    note_border(stage, link, state);
    return closest.piece != piece;
}

bool sn_link_slides_follow(sn_exact_stage *stage)
{
    bool has_changed = false;
    for (int i = 0; i < stage->link_count; ++i) {
        if (stage->links[i].sliding >= 0) {
            has_changed |= follow(stage, i);
        }
    }
    return has_changed;
}

// --- placing -----------------------------------------------------------------------------------------------

bool sn_link_slide_rubs(const sn_exact_stage *stage, int number)
{
    const sn_exact_link *link = &stage->links[number];
    return link->sliding >= 0 && link->friction > 0.0f && stage->link_work->shares[number] == 1.0f &&
           stage->link_work->states[number].before.piece >= 0;
}

void sn_link_slide_stick(const sn_exact_stage *stage, int number)
{
    sn_link_state *state = &stage->link_work->states[number];
    stand(&stage->links[number], &state->before);
    state->grip = SN_LINK_STICKS;
}

void sn_link_slide_decide(const sn_exact_stage *stage, int number, sn_vec3 impulse)
{
    sn_exact_link *link = &stage->links[number];
    sn_link_state *state = &stage->link_work->states[number];
    sn_vec3 along = along_piece(stage, link, impulse);
    if (!(sn_length(along) > link->friction * sn_distance_between(impulse, along))) {
        return;
    }
    float most = link->friction * sn_distance_between(impulse, along);
    state->grip = SN_LINK_SLIPS;
    stand(link, &state->after);
    along = part_along(freedom_of(stage, link, state), impulse);
    state->drag = sn_scale(sn_normalize(along), sn_min(most, sn_length(along)));
}

void sn_link_slide_on(const sn_exact_stage *stage, int number)
{
    sn_exact_link *link = &stage->links[number];
    const sn_link_state *state = &stage->link_work->states[number];
    const sn_node_state *nodes = surface_nodes(stage, link);
    sn_vec3 point = sn_link_place(stage, link, 1 - link->sliding);
    sn_closest_point closest = *link->closest;
    if (state->grip == SN_LINK_STICKS) {
        return;
    }
    if (state->is_kept) {
        sn_closest_point_stay_on_edge(link->surface, nodes, point, &closest);
    } else {
        sn_closest_point_stay(link->surface, nodes, point, &closest);
    }
    stand(link, &closest);
}

// Whether a link has come to a border of its piece, or is still apart from it: friction on a slope, which
// feeds on itself, takes many passes.
static bool needs_more(const sn_exact_stage *stage, int number)
{
    const sn_exact_link *link = &stage->links[number];
    const sn_link_state *state = &stage->link_work->states[number];
    float share = stage->link_work->shares[number];
    if (link->sliding < 0 || share == 0.0f || state->grip == SN_LINK_STICKS) {
        return false;
    }
    return (!state->is_kept && !is_inside_piece(link)) || (share == 1.0f && is_apart(stage, link));
}

bool sn_link_slides_arrive(sn_exact_stage *stage, bool is_last)
{
    bool is_needed = false;
    for (int i = 0; i < stage->link_count; ++i) {
        sn_exact_link *link = &stage->links[i];
        sn_link_state *state = &stage->link_work->states[i];
        if (needs_more(stage, i)) {
            sn_closest_point closest = *link->closest;
            (void)sn_closest_point_follow(link->surface, surface_nodes(stage, link),
                                          sn_link_place(stage, link, 1 - link->sliding), &closest);
            is_needed |= closest.piece != state->after.piece;
            state->after = closest;
            stand(link, &closest);
            note_border(stage, link, state);
            // What is left is taken away without friction.
            state->grip = SN_LINK_FREE;
            is_needed |= stage->link_work->shares[i] == 1.0f && is_apart(stage, link);
        }
        // Points on slivers cannot be found to rounding: at last all stay where they are.
        if (is_last && link->sliding >= 0 && stage->link_work->shares[i] > 0.0f) {
            state->grip = SN_LINK_STICKS;
        }
    }
    return is_needed;
}

// Directions in which it is not free: one of a face, two of an edge.
static int rows_across(slide_freedom freedom, sn_vec3 rows[2])
{
    if (sn_length_squared(freedom.axis) == 0.0f || freedom.dimensions == 0) {
        return 0;
    }
    rows[0] = freedom.dimensions == 2 ? freedom.axis : sn_perpendicular(freedom.axis);
    rows[1] = sn_cross(freedom.axis, rows[0]);
    return freedom.dimensions == 2 ? 1 : 2;
}

int sn_link_slide_place_rows(const sn_exact_stage *stage, int number, sn_vec3 rows[3])
{
    const sn_link_state *state = &stage->link_work->states[number];
    slide_freedom freedom = freedom_of(stage, &stage->links[number], state);
    if (state->grip != SN_LINK_STICKS && freedom.dimensions > 0) {
        return rows_across(freedom, rows);
    }
    rows[0] = sn_v(1.0f, 0.0f, 0.0f);
    rows[1] = sn_v(0.0f, 1.0f, 0.0f);
    rows[2] = sn_v(0.0f, 0.0f, 1.0f);
    return 3;
}

// --- velocities --------------------------------------------------------------------------------------------

// Whether the other end moves outward, relative to the closest point.
static bool goes_outward(const sn_exact_stage *stage, int link, sn_vec3 velocity)
{
    sn_vec3 outward = stage->link_work->states[link].outward;
    return sn_dot(stage->links[link].sliding == 0 ? velocity : sn_neg(velocity), outward) > 0.0f;
}

int sn_link_slide_settle_rows(const sn_exact_stage *stage, int number, sn_vec3 velocity, sn_vec3 rows[3])
{
    const sn_exact_link *link = &stage->links[number];
    slide_freedom freedom = {link->surface->corner_count - 1, axis_of_piece(stage, link)};
    int count = rows_across(freedom, rows);
    if (count > 0 && goes_outward(stage, number, velocity)) {
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
