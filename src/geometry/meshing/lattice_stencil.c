// The stencils, derived from how many corners lie inside rather than kept as a table. A face with two corners
// inside and one outside leaves a quadrilateral, and its diagonal must be chosen alike from both sides: it
// ends at the cut point of a long edge if one is cut. Else both cut edges are short and the third is long;
// then it starts at the end of the long edge whose parity is not that of the corner outside. (A parity rule
// as in the paper; this one takes turns around a long edge, which spares the flattest tetrahedra.)
#include "geometry/meshing/lattice_stencil.h"

typedef sn_stencil_point point;

static bool is_long(int a, int b)
{
    return (a ^ b) == 1;
}

// Whether the diagonal of the quadrilateral (p, q, cut of q, cut of p) on the face p, q, m starts at p.
static bool diagonal_from_first(int p, int q, int m, unsigned even)
{
    if (is_long(p, q)) {
        return ((even >> p) ^ (even >> m)) & 1u;
    }
    return is_long(q, m);
}

static void emit(sn_stencil *s, point a, point b, point c, point d, bool mirrored)
{
    point *t = s->tetrahedra[s->count++];
    t[0] = a;
    t[1] = b;
    t[2] = mirrored ? d : c;
    t[3] = mirrored ? c : d;
}

static point corner(int a)
{
    return (point){(uint8_t)a, (uint8_t)a};
}
static point cut(int inside, int outside)
{
    return (point){(uint8_t)inside, (uint8_t)outside};
}

// A prism with top t, bottom b and lateral edges t[i]–b[i] as three tetrahedra. earlier[i][j] says that the
// diagonal between two lateral edges runs from t[i] to b[j]; the three never form a ring. The tetrahedron of
// the top and a corner of the bottom is right-handed unless `mirrored`.
static void emit_prism(sn_stencil *s, const point t[3], const point b[3], bool earlier[3][3], bool mirrored)
{
    int order[3] = {0};
    for (int i = 0; i < 3; ++i) {
        int before = earlier[(i + 1) % 3][i] + earlier[(i + 2) % 3][i];
        order[before] = i;
    }
    int i = order[0], j = order[1], k = order[2];
    bool flip = mirrored != ((i + 1) % 3 != j);
    emit(s, t[i], t[j], t[k], b[k], flip);
    emit(s, t[i], t[j], b[k], b[j], flip);
    emit(s, t[i], b[i], b[j], b[k], flip);
}

// The corners by sign: first those inside, then those on the surface, then those outside.
typedef struct sorted_corners {
    int corner[4];
    int inside_count, surface_count;
    bool mirrored; // an odd permutation of the lattice tetrahedron's
} sorted_corners;

static sorted_corners sort_corners(const int8_t signs[4])
{
    sorted_corners sorted = {{0, 1, 2, 3}, 0, 0, false};
    int count = 0;
    for (int sign = 1; sign >= -1; --sign) {
        for (int i = 0; i < 4; ++i) {
            if (signs[i] == sign) {
                sorted.corner[count++] = i;
            }
        }
        if (sign == 1) {
            sorted.inside_count = count;
        } else if (sign == 0) {
            sorted.surface_count = count - sorted.inside_count;
        }
    }
    for (int i = 0; i < 4; ++i) {
        for (int j = i + 1; j < 4; ++j) {
            sorted.mirrored ^= sorted.corner[i] > sorted.corner[j];
        }
    }
    return sorted;
}

static void one_inside(sn_stencil *s, const sorted_corners *sorted)
{
    point points[4];
    for (int i = 0; i < 4; ++i) {
        bool outside = i > sorted->surface_count;
        points[i] = outside ? cut(sorted->corner[0], sorted->corner[i]) : corner(sorted->corner[i]);
    }
    emit(s, points[0], points[1], points[2], points[3], sorted->mirrored);
}

// A pyramid over the quadrilateral p, q, cut of q, cut of p, with its apex on the surface.
static void two_inside_one_outside(sn_stencil *s, const sorted_corners *sorted, unsigned even)
{
    int p = sorted->corner[0], q = sorted->corner[1], m = sorted->corner[3];
    point apex = corner(sorted->corner[2]);
    bool from_first = diagonal_from_first(p, q, m, even);
    emit(s, corner(p), corner(q), apex, from_first ? cut(q, m) : cut(p, m), sorted->mirrored);
    emit(s, from_first ? corner(p) : cut(p, m), from_first ? cut(q, m) : corner(q), apex,
         from_first ? cut(p, m) : cut(q, m), sorted->mirrored);
}

static void two_inside_two_outside(sn_stencil *s, const sorted_corners *sorted, unsigned even)
{
    int p = sorted->corner[0], q = sorted->corner[1], m = sorted->corner[2], n = sorted->corner[3];
    const point top[3] = {corner(p), cut(p, m), cut(p, n)}, bottom[3] = {corner(q), cut(q, m), cut(q, n)};
    bool before_m = diagonal_from_first(p, q, m, even), before_n = diagonal_from_first(p, q, n, even);
    // The diagonals at p and q differ (the long edges of the two faces, or the parities of m and n, do),
    // which leaves one choice for that between the four cut points, on the surface.
    bool earlier[3][3] = {
        {false, before_m, before_n}, {!before_m, false, before_n}, {!before_n, before_m, false}};
    emit_prism(s, top, bottom, earlier, sorted->mirrored);
}

static void three_inside(sn_stencil *s, const sorted_corners *sorted, unsigned even)
{
    int m = sorted->corner[3];
    point top[3], bottom[3];
    bool earlier[3][3] = {{false}};
    for (int i = 0; i < 3; ++i) {
        top[i] = corner(sorted->corner[i]);
        bottom[i] = cut(sorted->corner[i], m);
        for (int j = 0; j < 3; ++j) {
            earlier[i][j] = i != j && diagonal_from_first(sorted->corner[i], sorted->corner[j], m, even);
        }
    }
    emit_prism(s, top, bottom, earlier, sorted->mirrored);
}

void sn_lattice_stencil(const int8_t signs[4], unsigned even, sn_stencil *stencil)
{
    sorted_corners sorted = sort_corners(signs);
    int outside_count = 4 - sorted.inside_count - sorted.surface_count;
    stencil->count = 0;
    if (sorted.inside_count == 0) {
        return;
    }
    if (outside_count == 0) {
        emit(stencil, corner(0), corner(1), corner(2), corner(3), false);
    } else if (sorted.inside_count == 1) {
        one_inside(stencil, &sorted);
    } else if (sorted.inside_count == 3) {
        three_inside(stencil, &sorted, even);
    } else if (outside_count == 1) {
        two_inside_one_outside(stencil, &sorted, even);
    } else {
        two_inside_two_outside(stencil, &sorted, even);
    }
}
