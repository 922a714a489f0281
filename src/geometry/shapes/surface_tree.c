// A binary tree of bounds over triangles, split top-down where the surface-area heuristic (Goldsmith and
// Salmon 1987) over sixteen bins of the longest axis is least. Partitions are stable, so triangles stay in
// ascending order within a leaf.
#include "geometry/shapes/surface_tree.h"
#include "base/allocate.h"
#include <float.h>
#include <string.h>

#define LEAF_TRIANGLES 4
#define BINS           16

typedef struct build {
    sn_bounds *bounds; // by triangle
    uint32_t *order;
    uint32_t *spare; // as long as order
    sn_surface_node *nodes;
    int node_count;
} build;

typedef struct range {
    int node, begin, end, depth;
} range;

typedef struct bin {
    sn_bounds bounds;
    int count;
} bin;

static const sn_bounds nothing = {{FLT_MAX, FLT_MAX, FLT_MAX}, {-FLT_MAX, -FLT_MAX, -FLT_MAX}};

sn_bounds sn_triangle_bounds(const sn_vec3 *vertices, const uint32_t *triangle)
{
    sn_vec3 a = vertices[triangle[0]], b = vertices[triangle[1]], c = vertices[triangle[2]];
    return (sn_bounds){sn_min3(a, sn_min3(b, c)), sn_max3(a, sn_max3(b, c))};
}

static float component(sn_vec3 v, int axis)
{
    return axis == 0 ? v.x : (axis == 1 ? v.y : v.z);
}

static float half_area(sn_bounds b)
{
    sn_vec3 size = sn_sub(b.upper, b.lower);
    return size.x * size.y + size.y * size.z + size.z * size.x;
}

// Twice the middle of a triangle's bounds along an axis.
static float middle(const build *b, uint32_t triangle, int axis)
{
    return component(b->bounds[triangle].lower, axis) + component(b->bounds[triangle].upper, axis);
}

static sn_bounds range_bounds(const build *b, range r)
{
    sn_bounds bounds = nothing;
    for (int i = r.begin; i < r.end; ++i) {
        bounds = sn_bounds_union(bounds, b->bounds[b->order[i]]);
    }
    return bounds;
}

// Where triangles of a range are sorted to: bins along the longest axis of their middles.
typedef struct binning {
    int axis;
    float start, per_length; // per_length is 0 when all middles coincide
} binning;

static binning choose_binning(const build *b, range r)
{
    binning best = {0, 0.0f, 0.0f};
    float longest = 0.0f;
    for (int axis = 0; axis < 3; ++axis) {
        float lower = FLT_MAX, upper = -FLT_MAX;
        for (int i = r.begin; i < r.end; ++i) {
            float m = middle(b, b->order[i], axis);
            lower = sn_min(lower, m);
            upper = sn_max(upper, m);
        }
        if (upper - lower > longest) {
            longest = upper - lower;
            best = (binning){axis, lower, (float)BINS / longest};
        }
    }
    return best;
}

static int bin_of(const build *b, binning binning, uint32_t triangle)
{
    float place = (middle(b, triangle, binning.axis) - binning.start) * binning.per_length;
    // Not below BINS also when a tiny range has made per_length infinite and place not a number.
    return place < (float)BINS ? (int)place : BINS - 1;
}

// The bin before which to split at the least cost; 0 if there is no such place.
static int choose_split(const build *b, range r, binning binning)
{
    bin bins[BINS];
    for (int i = 0; i < BINS; ++i) {
        bins[i] = (bin){nothing, 0};
    }
    for (int i = r.begin; i < r.end; ++i) {
        bin *target = &bins[bin_of(b, binning, b->order[i])];
        target->bounds = sn_bounds_union(target->bounds, b->bounds[b->order[i]]);
        target->count++;
    }
    bin right[BINS];
    bin sum = {nothing, 0};
    for (int i = BINS - 1; i > 0; --i) {
        sum = (bin){sn_bounds_union(sum.bounds, bins[i].bounds), sum.count + bins[i].count};
        right[i] = sum;
    }
    int best = 0;
    float best_cost = FLT_MAX;
    bin left = {nothing, 0};
    for (int i = 1; i < BINS; ++i) {
        left = (bin){sn_bounds_union(left.bounds, bins[i - 1].bounds), left.count + bins[i - 1].count};
        if (left.count == 0 || right[i].count == 0) {
            continue;
        }
        float cost =
            half_area(left.bounds) * (float)left.count + half_area(right[i].bounds) * (float)right[i].count;
        if (cost < best_cost) {
            best_cost = cost;
            best = i;
        }
    }
    return best;
}

// Orders a range so that the left part comes first; returns where the right one begins.
static int partition(build *b, range r)
{
    binning binning = choose_binning(b, r);
    int split =
        r.depth < SN_SURFACE_TREE_DEPTH / 2 && binning.per_length > 0.0f ? choose_split(b, r, binning) : 0;
    if (split == 0) {
        return r.begin + (r.end - r.begin) / 2;
    }
    int left = r.begin, right = 0;
    for (int i = r.begin; i < r.end; ++i) {
        uint32_t triangle = b->order[i];
        if (bin_of(b, binning, triangle) < split) {
            b->order[left++] = triangle;
        } else {
            b->spare[right++] = triangle;
        }
    }
    memcpy(b->order + left, b->spare, (size_t)right * sizeof(uint32_t));
    return left;
}

static void split_all(build *b, int triangle_count)
{
    range stack[SN_SURFACE_TREE_DEPTH + 1];
    int stack_count = 0;
    stack[stack_count++] = (range){0, 0, triangle_count, 0};
    b->node_count = 1;
    while (stack_count > 0) {
        range r = stack[--stack_count];
        sn_surface_node *node = &b->nodes[r.node];
        node->bounds = range_bounds(b, r);
        if (r.end - r.begin <= LEAF_TRIANGLES) {
            node->first = r.begin;
            node->count = r.end - r.begin;
            continue;
        }
        int split = partition(b, r);
        int child = b->node_count;
        b->node_count += 2;
        node->first = child;
        node->count = 0;
        stack[stack_count++] = (range){child + 1, split, r.end, r.depth + 1};
        stack[stack_count++] = (range){child, r.begin, split, r.depth + 1};
    }
}

int sn_surface_tree_build(const sn_vec3 *vertices, const uint32_t *triangles, int triangle_count,
                          sn_surface_node *nodes, uint32_t *order)
{
    size_t bounds_bytes = (size_t)triangle_count * sizeof(sn_bounds);
    size_t spare_bytes = (size_t)triangle_count * sizeof(uint32_t);
    build b = {sn_allocate(bounds_bytes), order, sn_allocate(spare_bytes), nodes, 0};
    if (b.bounds && b.spare) {
        for (int i = 0; i < triangle_count; ++i) {
            b.bounds[i] = sn_triangle_bounds(vertices, triangles + 3 * (size_t)i);
            order[i] = (uint32_t)i;
        }
        split_all(&b, triangle_count);
    }
    sn_release(b.bounds, bounds_bytes);
    sn_release(b.spare, spare_bytes);
    return b.node_count;
}

// --- queries -------------------------------------------------------------------------------------

void sn_surface_overlap(const sn_surface *surface, sn_bounds bounds, sn_surface_function function,
                        void *context)
{
    int stack[SN_SURFACE_TREE_DEPTH + 1];
    int stack_count = 0;
    stack[stack_count++] = 0;
    while (stack_count > 0) {
        const sn_surface_node *node = &surface->nodes[stack[--stack_count]];
        if (!sn_bounds_overlap(node->bounds, bounds)) {
            continue;
        }
        if (node->count == 0) {
            stack[stack_count++] = node->first + 1;
            stack[stack_count++] = node->first;
            continue;
        }
        for (int i = node->first; i < node->first + node->count; ++i) {
            uint32_t triangle = surface->order[i];
            sn_bounds own = sn_triangle_bounds(surface->vertices, surface->triangles + 3 * (size_t)triangle);
            if (sn_bounds_overlap(own, bounds) && !function(context, (int)triangle)) {
                return;
            }
        }
    }
}

typedef struct ray {
    sn_vec3 origin, translation;
    sn_vec3 inverse; // of the translation's components, 0 for those too small to have one
    // Axes as the ray sees them: depth along its longest component, the others such that handedness is kept.
    int across, up, depth;
    float across_shear, up_shear; // per depth
    float margin;                 // bounds are grown by this, so that rounding never hides a triangle
    int triangle;                 // nearest hit so far, or −1
    float fraction;
} ray;

// Narrows [enter, leave] to where the ray is between two planes across an axis.
static void clip(float origin, float inverse, float lower, float upper, float *enter, float *leave)
{
    if (inverse == 0.0f) {
        if (origin < lower || origin > upper) {
            *leave = -1.0f;
        }
        return;
    }
    float a = (lower - origin) * inverse, b = (upper - origin) * inverse;
    *enter = sn_max(*enter, sn_min(a, b));
    *leave = sn_min(*leave, sn_max(a, b));
}

// Whether the ray meets the bounds before its nearest hit.
static bool ray_meets(const ray *r, sn_bounds bounds, float *enter)
{
    float leave = r->fraction;
    sn_bounds b = sn_bounds_grow(bounds, r->margin);
    *enter = 0.0f;
    clip(r->origin.x, r->inverse.x, b.lower.x, b.upper.x, enter, &leave);
    clip(r->origin.y, r->inverse.y, b.lower.y, b.upper.y, enter, &leave);
    clip(r->origin.z, r->inverse.z, b.lower.z, b.upper.z, enter, &leave);
    return *enter <= leave;
}

// A corner as seen along the ray, which looks from (0, 0) into the picture.
typedef struct seen_point {
    float x, y, fraction;
} seen_point;

static seen_point see(const ray *r, sn_vec3 p)
{
    sn_vec3 v = sn_sub(p, r->origin);
    float depth = component(v, r->depth);
    return (seen_point){component(v, r->across) - r->across_shear * depth,
                        component(v, r->up) - r->up_shear * depth,
                        depth / component(r->translation, r->depth)};
}

// Watertight (Woop, Benthin, Wald 2013): a corner is seen at the same place by all its triangles, and the
// differences below cannot have the wrong sign, so no ray slips through an edge or a vertex.
static void ray_try(ray *r, const sn_surface *surface, int triangle)
{
    const uint32_t *corners = surface->triangles + 3 * (size_t)triangle;
    seen_point a = see(r, surface->vertices[corners[0]]);
    seen_point b = see(r, surface->vertices[corners[1]]);
    seen_point c = see(r, surface->vertices[corners[2]]);
    float u = c.x * b.y - c.y * b.x, v = a.x * c.y - a.y * c.x, w = b.x * a.y - b.y * a.x;
    bool front = u >= 0.0f && v >= 0.0f && w >= 0.0f;
    bool back = u <= 0.0f && v <= 0.0f && w <= 0.0f;
    float sum = u + v + w;
    if ((!front && !(back && surface->double_sided)) || sum == 0.0f) {
        return;
    }
    float fraction = (u * a.fraction + v * b.fraction + w * c.fraction) / sum;
    bool nearer =
        fraction < r->fraction || (fraction == r->fraction && (r->triangle < 0 || triangle < r->triangle));
    if (fraction >= 0.0f && nearer) {
        r->triangle = triangle;
        r->fraction = fraction;
    }
}

static float largest_component(sn_vec3 v)
{
    return sn_max(v.x, sn_max(v.y, v.z));
}

static void ray_search(ray *r, const sn_surface *surface)
{
    int stack[SN_SURFACE_TREE_DEPTH + 1];
    float entries[SN_SURFACE_TREE_DEPTH + 1];
    int stack_count = 0;
    if (ray_meets(r, surface->nodes[0].bounds, &entries[0])) {
        stack[stack_count++] = 0;
    }
    while (stack_count > 0) {
        const sn_surface_node *node = &surface->nodes[stack[--stack_count]];
        if (entries[stack_count] > r->fraction) {
            continue;
        }
        for (int i = node->first; i < node->first + node->count; ++i) {
            ray_try(r, surface, (int)surface->order[i]);
        }
        if (node->count > 0) {
            continue;
        }
        float enter[2];
        bool meets[2];
        for (int i = 0; i < 2; ++i) {
            meets[i] = ray_meets(r, surface->nodes[node->first + i].bounds, &enter[i]);
        }
        int nearer = meets[1] && (!meets[0] || enter[1] < enter[0]);
        for (int i = 0; i < 2; ++i) {
            int child = i == 0 ? 1 - nearer : nearer; // the nearer last, so that it comes off first
            if (meets[child]) {
                stack[stack_count] = node->first + child;
                entries[stack_count++] = enter[child];
            }
        }
    }
}

static float inverse_or_zero(float a)
{
    return sn_abs(a) > 1.0e-30f ? 1.0f / a : 0.0f;
}

static ray make_ray(const sn_surface *surface, sn_vec3 origin, sn_vec3 translation)
{
    sn_vec3 size = sn_abs3(translation);
    int depth = size.x > size.y ? (size.x > size.z ? 0 : 2) : (size.y > size.z ? 1 : 2);
    bool ahead = component(translation, depth) > 0.0f;
    int across = (depth + (ahead ? 1 : 2)) % 3, up = (depth + (ahead ? 2 : 1)) % 3;
    sn_vec3 reach = sn_max3(sn_abs3(surface->bounds.lower), sn_abs3(surface->bounds.upper));
    reach = sn_max3(reach, sn_abs3(origin));
    return (ray){
        .origin = origin,
        .translation = translation,
        .inverse = {inverse_or_zero(translation.x), inverse_or_zero(translation.y),
                    inverse_or_zero(translation.z)},
        .across = across,
        .up = up,
        .depth = depth,
        .across_shear = component(translation, across) / component(translation, depth),
        .up_shear = component(translation, up) / component(translation, depth),
        .margin = 4.0f * FLT_EPSILON * largest_component(reach),
        .triangle = -1,
        .fraction = 1.0f,
    };
}

int sn_surface_ray(const sn_surface *surface, sn_vec3 origin, sn_vec3 translation, float *fraction,
                   sn_vec3 *normal)
{
    if (!(largest_component(sn_abs3(translation)) > 0.0f)) {
        return -1;
    }
    ray r = make_ray(surface, origin, translation);
    ray_search(&r, surface);
    if (r.triangle >= 0) {
        const uint32_t *corners = surface->triangles + 3 * (size_t)r.triangle;
        sn_vec3 a = surface->vertices[corners[0]], b = surface->vertices[corners[1]];
        sn_vec3 face = sn_normalize(sn_cross(sn_sub(b, a), sn_sub(surface->vertices[corners[2]], a)));
        *fraction = r.fraction;
        *normal = surface->double_sided && sn_dot(face, translation) > 0.0f ? sn_neg(face) : face;
    }
    return r.triangle;
}
