// Two polyhedra. The separating axis (sat.h) tells which features are in contact. For a face, the opposing
// face of the other polyhedron is clipped by its side planes; for edges, there is one point between them.
// Where the polyhedra are apart and vertices or edges are closest, the separating axis is not the direction
// of the distance, and using it as normal would make shapes collide that pass each other: GJK finds the
// distance then.
#include "collision/narrow/narrow_phase.h"

#include "collision/narrow/clip.h"
#include "collision/narrow/sat.h"
#include "collision/narrow/segments.h"

// The points of a patch before they are reduced: on b's core, in the frame of a, with core separations.
typedef struct patch {
    sn_vec3 normal;
    int count;
    float lowest;                                  // separation
    sn_vec3 deepest;                               // the point that has it
    sn_manifold_point points[SN_CLIP_CORNERS + 1]; // room for one more (sn_manifold_settle)
} patch;

static void patch_clear(patch *p)
{
    p->count = 0;
    p->lowest = INFINITY;
    p->deepest = sn_v(0.0f, 0.0f, 0.0f);
}

static void patch_push(patch *p, sn_vec3 position, float separation, uint32_t feature)
{
    if (p->count < SN_CLIP_CORNERS) {
        p->points[p->count++] = (sn_manifold_point){position, separation, feature};
    }
    if (separation < p->lowest) {
        p->lowest = separation;
        p->deepest = position;
    }
}

// --- incident faces ------------------------------------------------------------------------------

// The face of `polyhedron` whose normal is most opposed to `direction` (its own frame), among those with a
// vertex that is lowest along it, within the tolerance.
static int face_against(const sn_polyhedron *polyhedron, sn_vec3 direction, float tolerance)
{
    float lowest = INFINITY;
    for (int i = 0; i < polyhedron->vertex_count; ++i) {
        lowest = sn_min(lowest, sn_dot(direction, polyhedron->vertices[i]));
    }
    int best = 0;
    float best_slope = INFINITY;
    for (int i = 0; i < polyhedron->half_edge_count; ++i) {
        const sn_half_edge *edge = &polyhedron->half_edges[i];
        float slope = sn_dot(direction, polyhedron->planes[edge->face].normal);
        if (slope < best_slope &&
            sn_dot(direction, polyhedron->vertices[edge->origin]) <= lowest + tolerance) {
            best_slope = slope;
            best = edge->face;
        }
    }
    return best;
}

// The same for a box: along the axis that is closest to the direction.
static int box_face_against(sn_vec3 direction)
{
    sn_vec3 d = sn_abs3(direction);
    if (d.x >= d.y && d.x >= d.z) {
        return direction.x < 0.0f;
    }
    return d.y >= d.z ? 2 + (direction.y < 0.0f) : 4 + (direction.z < 0.0f);
}

static void polygon_of_face(sn_clip_polygon *polygon, const sn_polyhedron *polyhedron, int face,
                            const sn_frame *frame)
{
    int first = polyhedron->face_edges[face], edge = first;
    polygon->count = 0;
    do {
        const sn_half_edge *half_edge = &polyhedron->half_edges[edge];
        polygon->corners[polygon->count++] = (sn_clip_corner){
            .position = sn_frame_apply(frame, polyhedron->vertices[half_edge->origin]),
            .feature = sn_feature_vertex(half_edge->origin),
            .edge = (uint32_t)edge >> 1,
        };
        edge = half_edge->next;
    } while (edge != first && polygon->count < SN_MAX_HULL_VERTICES);
}

// --- patches on faces ----------------------------------------------------------------------------

// Reference and incident shape, and how the latter sits in the frame of the former.
typedef struct face_query {
    const sn_convex *reference, *incident;
    sn_frame incident_frame;
    int face;
    float reach, tolerance;
} face_query;

// As sn_clip_sides: the neighbouring faces of a box are perpendicular already.
static int box_sides(const sn_polyhedron *box, int face, float tolerance, sn_clip_side *sides)
{
    int edge = box->face_edges[face];
    for (int k = 0; k < 4; ++k) {
        sn_face_plane plane = box->planes[box->half_edges[edge ^ 1].face];
        sides[k] = (sn_clip_side){plane.normal, plane.offset + tolerance, (uint32_t)edge >> 1};
        edge = box->half_edges[edge].next;
    }
    return 4;
}

// The part of `incident` over the reference face: heights above it, in the reference's frame.
static void find_face_points(const face_query *query, patch *result)
{
    const sn_polyhedron *reference = &query->reference->polyhedron;
    const sn_polyhedron *incident = &query->incident->polyhedron;
    sn_face_plane plane = reference->planes[query->face];
    sn_vec3 up = sn_mat3_apply(sn_mat3_transpose(query->incident_frame.rotation), plane.normal);
    int incident_face =
        query->incident->is_box ? box_face_against(up) : face_against(incident, up, query->tolerance);
    sn_clip_polygon polygon, scratch;
    polygon_of_face(&polygon, incident, incident_face, &query->incident_frame);
    sn_clip_side sides[SN_MAX_HULL_VERTICES];
    int side_count = query->reference->is_box
                         ? box_sides(reference, query->face, query->tolerance, sides)
                         : sn_clip_sides(reference, query->face, query->tolerance, sides);
    const sn_clip_polygon *over = sn_clip(&polygon, &scratch, sides, side_count);
    patch_clear(result);
    for (int i = 0; i < over->count; ++i) {
        const sn_clip_corner *corner = &over->corners[i];
        float height = sn_dot(plane.normal, corner->position) - plane.offset;
        if (height <= query->reach) {
            patch_push(result, corner->position, height, corner->feature | sn_feature_face(query->face));
        }
    }
}

static void patch_on_face_of_a(const sn_convex_pair *pair, int face, patch *result)
{
    face_query query = {pair->a, pair->b, pair->frame, face, sn_pair_reach(pair), pair->tolerance};
    find_face_points(&query, result);
    result->normal = pair->a->polyhedron.planes[face].normal;
}

// The points found are on a, above the face of b: moved to b and into the frame of a.
static void patch_on_face_of_b(const sn_convex_pair *pair, int face, patch *result)
{
    face_query query = {pair->b,        pair->a, sn_frame_inverse(&pair->frame), face, sn_pair_reach(pair),
                        pair->tolerance};
    find_face_points(&query, result);
    result->normal = sn_neg(sn_mat3_apply(pair->frame.rotation, pair->b->polyhedron.planes[face].normal));
    for (int i = 0; i < result->count; ++i) {
        sn_manifold_point *point = &result->points[i];
        sn_vec3 on_a = sn_frame_apply(&pair->frame, point->position);
        point->position = sn_add_scaled(on_a, point->separation, result->normal);
        point->feature |= SN_FEATURE_REFERENCE_B;
    }
    result->deepest =
        sn_add_scaled(sn_frame_apply(&pair->frame, result->deepest), result->lowest, result->normal);
}

// --- single points -------------------------------------------------------------------------------

// One point where two edges cross; false if they do so beyond their ends.
static bool patch_between_edges(const sn_convex_pair *pair, const sn_sat_axis *axis, patch *result)
{
    const sn_vec3 *a = pair->a->points, *b = pair->b->points;
    sn_vec3 edge_a[2] = {a[axis->edge_a[0]], a[axis->edge_a[1]]};
    sn_vec3 edge_b[2] = {sn_frame_apply(&pair->frame, b[axis->edge_b[0]]),
                         sn_frame_apply(&pair->frame, b[axis->edge_b[1]])};
    sn_vec3 u = sn_sub(edge_a[1], edge_a[0]), v = sn_sub(edge_b[1], edge_b[0]);
    float s, t;
    (void)sn_nearest_on_lines(edge_a, edge_b, &s, &t); // the axis is that of edges that are not parallel
    float over_a = pair->tolerance / sn_length(u), over_b = pair->tolerance / sn_length(v);
    bool inside = s >= -over_a && s <= 1.0f + over_a && t >= -over_b && t <= 1.0f + over_b;
    sn_vec3 on_a = sn_add_scaled(edge_a[0], sn_clamp(s, 0.0f, 1.0f), u);
    sn_vec3 on_b = sn_add_scaled(edge_b[0], sn_clamp(t, 0.0f, 1.0f), v);
    // Beyond the ends they are not above each other: the contact is halfway.
    sn_vec3 sideways = sn_sub(sn_add_scaled(on_a, axis->separation, axis->normal), on_b);
    result->normal = axis->normal;
    patch_clear(result);
    patch_push(result, sn_add_scaled(on_b, 0.5f, sideways), axis->separation,
               sn_feature_edges(axis->edge_a, axis->edge_b));
    return inside;
}

// --- check ---------------------------------------------------------------------------------------

static bool is_inside(const sn_polyhedron *polyhedron, sn_vec3 point, float tolerance)
{
    for (int f = 0; f < polyhedron->face_count; ++f) {
        if (sn_dot(polyhedron->planes[f].normal, point) - polyhedron->planes[f].offset > tolerance) {
            return false;
        }
    }
    return true;
}

// Whether the patch confirms the axis: some point must have the separation along the axis and, if that is an
// overlap, the deepest point of b or the point of a above it must be inside both. Boxes are tested along all
// axes, so their overlap needs no check.
static bool patch_confirms(const sn_convex_pair *pair, const sn_sat_axis *axis, const patch *found,
                           bool boxes)
{
    if (!(found->lowest <= axis->separation + pair->tolerance)) {
        return false;
    }
    if (boxes || axis->separation > 0.0f ||
        is_inside(&pair->a->polyhedron, found->deepest, pair->tolerance)) {
        return true;
    }
    sn_vec3 on_a = sn_add_scaled(found->deepest, -found->lowest, found->normal);
    sn_frame to_b = sn_frame_inverse(&pair->frame);
    return is_inside(&pair->b->polyhedron, sn_frame_apply(&to_b, on_a), pair->tolerance);
}

void sn_collide_polyhedra(const sn_convex_pair *pair, sn_manifold *manifold)
{
    bool boxes = pair->a->is_box && pair->b->is_box;
    sn_sat_axis axis = boxes ? sn_sat_boxes(pair) : sn_sat_polyhedra(pair);
    manifold->count = 0;
    if (!(axis.separation <= sn_pair_reach(pair))) {
        return;
    }
    patch found;
    bool meets = true;
    if (axis.kind == SN_SAT_FACE_A) {
        patch_on_face_of_a(pair, axis.face, &found);
    } else if (axis.kind == SN_SAT_FACE_B) {
        patch_on_face_of_b(pair, axis.face, &found);
    } else {
        meets = patch_between_edges(pair, &axis, &found);
    }
    if (meets && patch_confirms(pair, &axis, &found, boxes)) {
        sn_manifold_set(manifold, pair, found.normal, found.points, found.count);
    } else {
        sn_separation_result closest;
        if (sn_manifold_settle(manifold, pair, found.normal, found.points, found.count, &closest)) {
            sn_manifold_set_single(manifold, pair, closest.normal, closest.point_a, closest.point_b,
                                   SN_FEATURE_CLOSEST);
        }
    }
}

void sn_collide_face_with_polyhedron(const sn_convex_pair *pair, int face, sn_manifold *manifold)
{
    patch found;
    patch_on_face_of_a(pair, face, &found);
    sn_manifold_set(manifold, pair, found.normal, found.points, found.count);
}
