// Skins of triangles. Corners of triangles that meet smoothly in the rest shape share a vertex; those of
// sharp edges do not. The solid skin of a sheet has its front and its back half a thickness off the nodes,
// and a round rim along its border. Normals are sums of the triangles' area vectors.
#include "scene/skin_parts.h"

#include <string.h>

// Triangles that meet at less than this are one smooth surface: 78°. Coarse meshes of round things have edges
// nearly as sharp as those of boxes.
static const float cosine_smooth = 0.20791169f;

// --- corners that share a vertex ---------------------------------------------------------------------------

// One side of a triangle, known by its nodes in order of their numbers.
typedef struct side {
    uint32_t low, high;
    uint32_t triangle, corner; // the corner it starts at
} side;

static int compare_sides(const void *left, const void *right)
{
    const side *a = left, *b = right;
    if (a->low != b->low) {
        return a->low < b->low ? -1 : 1;
    }
    if (a->high != b->high) {
        return a->high < b->high ? -1 : 1;
    }
    return (a->triangle > b->triangle) - (a->triangle < b->triangle);
}

static side *sorted_sides(const uint32_t *triangles, int count)
{
    side *sides = malloc(((size_t)count * 3 + 1) * sizeof *sides);
    if (sides == NULL) {
        return NULL;
    }
    for (int t = 0; t < count; ++t) {
        for (int k = 0; k < 3; ++k) {
            uint32_t a = triangles[3 * t + k], b = triangles[3 * t + (k + 1) % 3];
            sides[3 * t + k] = (side){a < b ? a : b, a < b ? b : a, (uint32_t)t, (uint32_t)k};
        }
    }
    qsort(sides, (size_t)count * 3, sizeof *sides, compare_sides);
    return sides;
}

static sn_vec3 rest_normal(const sn_mesh *mesh, uint32_t triangle)
{
    const sn_vec3 *nodes = sn_mesh_nodes(mesh);
    const uint32_t *corners = sn_mesh_triangles(mesh) + 3 * (size_t)triangle;
    sn_vec3 a = nodes[corners[0]];
    return sn_normalize(sn_cross(sn_sub(nodes[corners[1]], a), sn_sub(nodes[corners[2]], a)));
}

static uint32_t find_root(uint32_t *parents, uint32_t corner)
{
    while (parents[corner] != corner) {
        parents[corner] = parents[parents[corner]];
        corner = parents[corner];
    }
    return corner;
}

// The lower corner is the root, so that vertices are numbered in the order of the triangles.
static void join(uint32_t *parents, uint32_t a, uint32_t b)
{
    a = find_root(parents, a);
    b = find_root(parents, b);
    if (a < b) {
        parents[b] = a;
    } else {
        parents[a] = b;
    }
}

// Whether the surface bends inwards at a side of `first`: the far corner of `second` is in front of it.
static bool is_hollow(const sn_mesh *mesh, const side *first, const side *second)
{
    const sn_vec3 *nodes = sn_mesh_nodes(mesh);
    const uint32_t *triangles = sn_mesh_triangles(mesh);
    sn_vec3 far_corner = nodes[triangles[3 * second->triangle + (second->corner + 2) % 3]];
    return sn_dot(rest_normal(mesh, first->triangle), sn_sub(far_corner, nodes[first->low])) > 0.0f;
}

// Two triangles share a side that they run in opposite directions. Sides where the surface bends inwards are
// smooth however sharp they are: faces that stand off their nodes would cross there, and need no strip.
static bool join_across(sn_skin *skin, const sn_mesh *mesh, const side *first, const side *second)
{
    const uint32_t *triangles = sn_mesh_triangles(mesh);
    uint32_t a = 3 * first->triangle, b = 3 * second->triangle;
    skin_crease crease = {{a + first->corner, b + (second->corner + 1) % 3},
                          {a + (first->corner + 1) % 3, b + second->corner}};
    if (triangles[crease.start[0]] != triangles[crease.start[1]]) {
        return true;
    }
    float bend = sn_dot(rest_normal(mesh, first->triangle), rest_normal(mesh, second->triangle));
    if (bend > cosine_smooth || is_hollow(mesh, first, second)) {
        join(skin->indices, crease.start[0], crease.start[1]);
        join(skin->indices, crease.end[0], crease.end[1]);
        return true;
    }
    return SN_LIST_PUSH(&skin->plan->creases, crease);
}

static bool join_corners(sn_skin *skin, const sn_mesh *mesh, const side *sides)
{
    int count = 3 * sn_mesh_triangle_count(mesh);
    for (int first = 0, next; first < count; first = next) {
        for (next = first + 1;
             next < count && sides[next].low == sides[first].low && sides[next].high == sides[first].high;
             ++next) {
        }
        if (next == first + 2 && !join_across(skin, mesh, &sides[first], &sides[first + 1])) {
            return false;
        }
    }
    return true;
}

// Gives every class of corners a vertex: on return `corners` has vertices in place of parents.
static int number_vertices(uint32_t *corners, int count)
{
    int vertices = 0;
    // Roots come before their members, so their numbers are there when they are asked for.
    for (int i = 0; i < count; ++i) {
        uint32_t root = find_root(corners, (uint32_t)i);
        if (root != (uint32_t)i) {
            corners[i] = root;
        }
    }
    uint32_t *numbers = malloc(((size_t)count + 1) * sizeof *numbers);
    if (numbers == NULL) {
        return -1;
    }
    for (int i = 0; i < count; ++i) {
        numbers[i] = corners[i] == (uint32_t)i ? (uint32_t)vertices++ : numbers[corners[i]];
    }
    memcpy(corners, numbers, (size_t)count * sizeof *corners);
    free(numbers);
    return vertices;
}

// --- sharp edges -------------------------------------------------------------------------------------------

static bool grow(sn_skin *skin, int vertices, int triangles)
{
    uint32_t *indices = realloc(skin->indices, ((size_t)triangles * 3 + 1) * sizeof *indices);
    skin->indices = indices != NULL ? indices : skin->indices;
    sn_skin_source *sources = realloc(skin->sources, ((size_t)vertices + 1) * sizeof *sources);
    skin->sources = sources != NULL ? sources : skin->sources;
    return indices != NULL && sources != NULL;
}

static void add_triangle(sn_skin *skin, uint32_t a, uint32_t b, uint32_t c)
{
    uint32_t corners[3] = {a, b, c};
    memcpy(skin->indices + 3 * (size_t)skin->triangle_count, corners, sizeof corners);
    skin->triangle_count++;
}

// How many vertices a node has, and then, for those with three or more, the vertex that closes the corner.
static int32_t *find_corners(sn_skin *skin, int node_count)
{
    int32_t *corners = calloc((size_t)node_count + 1, sizeof *corners);
    if (corners == NULL) {
        return NULL;
    }
    for (int i = 0; i < skin->plan->smooth_count; ++i) {
        corners[skin->sources[i].from]++;
    }
    int next = skin->vertex_count;
    for (int i = 0; i < node_count; ++i) {
        corners[i] = corners[i] > 2 ? next++ : -1;
    }
    if (!grow(skin, next, skin->triangle_count + 4 * skin->plan->creases.count)) {
        free(corners);
        return NULL;
    }
    for (int i = 0; i < node_count; ++i) {
        if (corners[i] >= 0) {
            skin->sources[corners[i]] = (sn_skin_source){.from = (uint32_t)i, .to = (uint32_t)i};
        }
    }
    skin->vertex_count = next;
    return corners;
}

// Faces that stand off the nodes along their own normals gape at sharp edges: strips between them make the
// edges round, and so do corners where three strips or more meet.
static bool add_bevels(sn_skin *skin, const sn_mesh *mesh)
{
    struct sn_skin_plan *plan = skin->plan;
    if (plan->creases.count == 0) {
        return true;
    }
    int32_t *corners = find_corners(skin, sn_mesh_node_count(mesh));
    if (corners == NULL) {
        return false;
    }
    for (int i = 0; i < plan->creases.count; ++i) {
        skin_crease *crease = &plan->creases.items[i];
        for (int k = 0; k < 2; ++k) {
            crease->start[k] = skin->indices[crease->start[k]];
            crease->end[k] = skin->indices[crease->end[k]];
        }
        add_triangle(skin, crease->end[0], crease->start[0], crease->start[1]);
        add_triangle(skin, crease->end[0], crease->start[1], crease->end[1]);
    }
    plan->strip_count = skin->triangle_count - plan->face_count;
    for (int i = 0; i < plan->creases.count; ++i) {
        const skin_crease *crease = &plan->creases.items[i];
        int32_t start = corners[skin->sources[crease->start[0]].from];
        int32_t end = corners[skin->sources[crease->end[0]].from];
        if (start >= 0) {
            add_triangle(skin, crease->start[1], crease->start[0], (uint32_t)start);
        }
        if (end >= 0) {
            add_triangle(skin, crease->end[0], crease->end[1], (uint32_t)end);
        }
    }
    plan->corner_count = skin->triangle_count - plan->face_count - plan->strip_count;
    free(corners);
    return true;
}

// --- borders -----------------------------------------------------------------------------------------------

static bool note_rims(sn_skin *skin, const side *sides, int count)
{
    struct sn_skin_plan *plan = skin->plan;
    for (int first = 0, next; first < count; first = next) {
        for (next = first + 1;
             next < count && sides[next].low == sides[first].low && sides[next].high == sides[first].high;
             ++next) {
        }
        if (next == first + 1) {
            const uint32_t *corners = skin->indices + 3 * (size_t)sides[first].triangle;
            skin_rim rim = {corners[sides[first].corner], corners[(sides[first].corner + 1) % 3],
                            sides[first].triangle};
            if (!SN_LIST_PUSH(&plan->rims, rim)) {
                return false;
            }
        }
    }
    return true;
}

static int number_rim(struct sn_skin_plan *plan, uint32_t vertex, int next)
{
    if (plan->rim_of.items[vertex] < 0) {
        plan->rim_of.items[vertex] = next++;
    }
    return next;
}

// Every vertex of the front again at the back; those of the border once more between.
static void add_back_vertices(sn_skin *skin, int front)
{
    const struct sn_skin_plan *plan = skin->plan;
    for (int i = 0; i < front; ++i) {
        skin->sources[front + i] = skin->sources[i];
        skin->sources[front + i].side = SN_SKIN_BACK;
        if (plan->rim_of.items[i] >= 0) {
            skin->sources[plan->rim_of.items[i]] = skin->sources[i];
            skin->sources[plan->rim_of.items[i]].side = SN_SKIN_RIM;
        }
    }
}

static bool add_back(sn_skin *skin)
{
    struct sn_skin_plan *plan = skin->plan;
    int front = skin->vertex_count, triangles = skin->triangle_count;
    if (!SN_LIST_RESERVE(&plan->rim_of, front)) {
        return false;
    }
    plan->rim_of.count = front;
    memset(plan->rim_of.items, 0xff, (size_t)front * sizeof *plan->rim_of.items);
    skin->vertex_count = 2 * front;
    for (int i = 0; i < plan->rims.count; ++i) {
        skin->vertex_count = number_rim(plan, plan->rims.items[i].from, skin->vertex_count);
        skin->vertex_count = number_rim(plan, plan->rims.items[i].to, skin->vertex_count);
    }
    if (!grow(skin, skin->vertex_count, 2 * triangles + 4 * plan->rims.count)) {
        return false;
    }
    add_back_vertices(skin, front);
    uint32_t back = (uint32_t)front;
    for (int t = 0; t < triangles; ++t) {
        const uint32_t *corners = skin->indices + 3 * (size_t)t;
        add_triangle(skin, corners[0] + back, corners[2] + back, corners[1] + back);
    }
    for (int i = 0; i < plan->rims.count; ++i) {
        uint32_t a = plan->rims.items[i].from, b = plan->rims.items[i].to;
        uint32_t rim_a = (uint32_t)plan->rim_of.items[a], rim_b = (uint32_t)plan->rim_of.items[b];
        add_triangle(skin, b, a, rim_a);
        add_triangle(skin, b, rim_a, rim_b);
        add_triangle(skin, rim_b, rim_a, a + back);
        add_triangle(skin, rim_b, a + back, b + back);
    }
    return true;
}

// --- the plan ----------------------------------------------------------------------------------------------

static bool add_front(sn_skin *skin, const sn_mesh *mesh)
{
    int corner_count = 3 * sn_mesh_triangle_count(mesh);
    skin->vertex_count = number_vertices(skin->indices, corner_count);
    if (skin->vertex_count < 0) {
        skin->vertex_count = 0;
        return false;
    }
    skin->sources = calloc((size_t)skin->vertex_count + 1, sizeof *skin->sources);
    if (skin->sources == NULL) {
        return false;
    }
    const uint32_t *triangles = sn_mesh_triangles(mesh);
    for (int i = 0; i < corner_count; ++i) {
        skin->sources[skin->indices[i]] = (sn_skin_source){.from = triangles[i], .to = triangles[i]};
    }
    skin->triangle_count = corner_count / 3;
    skin->plan->face_count = skin->triangle_count;
    skin->plan->smooth_count = skin->vertex_count;
    return true;
}

bool sn_skin_plan_surface(sn_skin *skin, const sn_mesh *mesh, bool solid)
{
    int count = sn_mesh_triangle_count(mesh);
    side *sides = sorted_sides(sn_mesh_triangles(mesh), count);
    skin->indices = calloc((size_t)count * 3 + 1, sizeof *skin->indices);
    bool made = sides != NULL && skin->indices != NULL;
    if (made) {
        for (int i = 0; i < 3 * count; ++i) {
            skin->indices[i] = (uint32_t)i;
        }
        made = join_corners(skin, mesh, sides) && add_front(skin, mesh) && (!solid || add_bevels(skin, mesh));
    }
    skin->plan->front_count = skin->vertex_count;
    skin->closed = sn_mesh_is_closed(mesh);
    if (made && solid && !skin->closed) {
        made = note_rims(skin, sides, 3 * count) && add_back(skin);
        skin->closed = true;
    }
    free(sides);
    return made;
}

// --- motion ------------------------------------------------------------------------------------------------

static sn_vec3 unit_or_up(sn_vec3 v)
{
    float length = sn_length(v);
    return length > 0.0f && sn_is_finite(length) ? sn_scale(v, 1.0f / length) : sn_v(0.0f, 1.0f, 0.0f);
}

// Twice the area times the normal.
static sn_vec3 area_vector(const sn_skin *skin, uint32_t triangle)
{
    const uint32_t *corners = skin->indices + 3 * (size_t)triangle;
    sn_vec3 a = skin->positions[corners[0]];
    return sn_cross(sn_sub(skin->positions[corners[1]], a), sn_sub(skin->positions[corners[2]], a));
}

static void find_normals(sn_skin *skin)
{
    const struct sn_skin_plan *plan = skin->plan;
    memset(skin->normals, 0, (size_t)skin->vertex_count * sizeof *skin->normals);
    for (int t = 0; t < plan->face_count; ++t) {
        sn_vec3 area = area_vector(skin, (uint32_t)t);
        for (int k = 0; k < 3; ++k) {
            sn_vec3 *normal = &skin->normals[skin->indices[3 * t + k]];
            *normal = sn_add(*normal, area);
        }
    }
    for (int i = 0; i < plan->smooth_count; ++i) {
        skin->normals[i] = unit_or_up(skin->normals[i]);
    }
}

// Corners face where the strips around them do on average.
static void find_corner_normals(sn_skin *skin)
{
    const struct sn_skin_plan *plan = skin->plan;
    const uint32_t *corners = skin->indices + 3 * (size_t)(plan->face_count + plan->strip_count);
    for (int i = 0; i < plan->corner_count; ++i, corners += 3) {
        sn_vec3 *normal = &skin->normals[corners[2]];
        *normal = sn_add(*normal, sn_add(skin->normals[corners[0]], skin->normals[corners[1]]));
    }
    for (int i = plan->smooth_count; i < plan->front_count; ++i) {
        skin->normals[i] = unit_or_up(skin->normals[i]);
    }
}

// Away from the sheet, in its plane.
static void find_rims(sn_skin *skin)
{
    const struct sn_skin_plan *plan = skin->plan;
    for (int i = 0; i < plan->rims.count; ++i) {
        const skin_rim *rim = &plan->rims.items[i];
        sn_vec3 along = sn_sub(skin->positions[rim->to], skin->positions[rim->from]);
        sn_vec3 outward = unit_or_up(sn_cross(along, area_vector(skin, rim->triangle)));
        uint32_t ends[2] = {(uint32_t)plan->rim_of.items[rim->from], (uint32_t)plan->rim_of.items[rim->to]};
        for (int k = 0; k < 2; ++k) {
            skin->normals[ends[k]] = sn_add(skin->normals[ends[k]], outward);
        }
    }
}

static void stand_off(sn_skin *skin)
{
    const struct sn_skin_plan *plan = skin->plan;
    int front = plan->front_count;
    bool two_sided = plan->rim_of.count > 0;
    for (int i = 0; i < front; ++i) {
        sn_vec3 middle = skin->positions[i], shift = sn_scale(skin->normals[i], plan->offset);
        skin->positions[i] = sn_add(middle, shift);
        if (!two_sided) {
            continue;
        }
        skin->positions[front + i] = sn_sub(middle, shift);
        skin->normals[front + i] = sn_neg(skin->normals[i]);
        int rim = plan->rim_of.items[i];
        if (rim >= 0) {
            skin->normals[rim] = unit_or_up(skin->normals[rim]);
            skin->positions[rim] = sn_add_scaled(middle, plan->offset, skin->normals[rim]);
        }
    }
}

void sn_skin_rest_surface(sn_skin *skin, const sn_mesh *mesh)
{
    for (int i = 0; i < skin->vertex_count; ++i) {
        skin->rest[i] = sn_mesh_nodes(mesh)[skin->sources[i].from];
    }
}

void sn_skin_move_surface(sn_skin *skin, const sn_node_state *nodes, sn_vec3 origin)
{
    for (int i = 0; i < skin->plan->front_count; ++i) {
        skin->positions[i] = sn_sub(nodes[skin->sources[i].from].position, origin);
    }
    find_normals(skin);
    find_corner_normals(skin);
    find_rims(skin);
    if (skin->plan->offset > 0.0f) {
        stand_off(skin);
    }
}
