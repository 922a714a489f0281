// Spheres and balls from the icosahedron. A ball is twenty tetrahedra from the middle to the faces, each cut
// into n³ by planes parallel to its faces; shell k of the nodes, a flat icosahedron so far, is then blown up
// to radius k / n. Elements stay nearly regular throughout, and any n will do.
#include "geometry/meshing/mesh_build.h"
#include "geometry/shapes/check.h"

#define SHORT_SIDE 0.52573111f
#define LONG_SIDE  0.85065081f

static const sn_vec3 unit_vertices[12] = {
    {-SHORT_SIDE, LONG_SIDE, 0.0f},  {SHORT_SIDE, LONG_SIDE, 0.0f},   {-SHORT_SIDE, -LONG_SIDE, 0.0f},
    {SHORT_SIDE, -LONG_SIDE, 0.0f},  {0.0f, -SHORT_SIDE, LONG_SIDE},  {0.0f, SHORT_SIDE, LONG_SIDE},
    {0.0f, -SHORT_SIDE, -LONG_SIDE}, {0.0f, SHORT_SIDE, -LONG_SIDE},  {LONG_SIDE, 0.0f, -SHORT_SIDE},
    {LONG_SIDE, 0.0f, SHORT_SIDE},   {-LONG_SIDE, 0.0f, -SHORT_SIDE}, {-LONG_SIDE, 0.0f, SHORT_SIDE}};

// Counter-clockwise from outside.
static const uint8_t faces[20][3] = {{0, 11, 5}, {0, 5, 1},  {0, 1, 7},   {0, 7, 10}, {0, 10, 11},
                                     {1, 5, 9},  {5, 11, 4}, {11, 10, 2}, {10, 7, 6}, {7, 1, 8},
                                     {3, 9, 4},  {3, 4, 2},  {3, 2, 6},   {3, 6, 8},  {3, 8, 9},
                                     {4, 9, 5},  {2, 4, 11}, {6, 2, 10},  {8, 6, 7},  {9, 8, 1}};

typedef struct ball {
    float radius;
    int shells;
    bool surface_only;           // the outermost shell and nothing else
    uint8_t edge_number[12][12]; // by ends in ascending order
    uint8_t edge_ends[30][2];
} ball;

static void number_edges(ball *b)
{
    int count = 0;
    for (int f = 0; f < 20; ++f) {
        for (int k = 0; k < 3; ++k) {
            uint8_t from = faces[f][k], to = faces[f][(k + 1) % 3];
            if (from < to) { // each edge is run once either way
                b->edge_number[from][to] = (uint8_t)count;
                b->edge_ends[count][0] = from;
                b->edge_ends[count][1] = to;
                count++;
            }
        }
    }
}

// --- nodes -------------------------------------------------------------------------------------------------
// A node of shell k of a face has weights i + j + l = k at its three corners. Numbers run shell by shell: the
// icosahedron's vertices, then the nodes on its edges, then those inside its faces.

static int shell_begin(const ball *b, int k)
{
    if (b->surface_only || k == 0) {
        return 0;
    }
    return 1 + 5 * (k - 1) * k * (2 * k - 1) / 3 + 2 * (k - 1);
}

// The node `weight` steps from the other end towards `to`.
static int edge_node(const ball *b, int k, int from, int to, int weight)
{
    int edge = from < to ? b->edge_number[from][to] : b->edge_number[to][from];
    int step = from < to ? weight : k - weight;
    return shell_begin(b, k) + 12 + edge * (k - 1) + step - 1;
}

static int shell_node(const ball *b, int face, int i, int j, int l)
{
    int k = i + j + l;
    const uint8_t *corner = faces[face];
    if (k == 0) {
        return 0;
    }
    if (i == k || j == k || l == k) {
        return shell_begin(b, k) + corner[i == k ? 0 : (j == k ? 1 : 2)];
    }
    if (l == 0) {
        return edge_node(b, k, corner[0], corner[1], j);
    }
    if (i == 0) {
        return edge_node(b, k, corner[1], corner[2], l);
    }
    if (j == 0) {
        return edge_node(b, k, corner[2], corner[0], i);
    }
    int inside_count = (k - 1) * (k - 2) / 2;
    return shell_begin(b, k) + 12 + 30 * (k - 1) + face * inside_count + (i - 1) * (k - 1) - (i - 1) * i / 2 +
           j - 1;
}

static void add_point(sn_mesh_parts *parts, const ball *b, int k, sn_vec3 direction)
{
    float distance = b->radius * ((float)k / (float)b->shells);
    sn_mesh_add_node(parts, sn_scale(sn_normalize(direction), distance));
}

static void add_shell(sn_mesh_parts *parts, const ball *b, int k)
{
    for (int v = 0; v < 12; ++v) {
        add_point(parts, b, k, unit_vertices[v]);
    }
    for (int e = 0; e < 30; ++e) {
        for (int step = 1; step < k; ++step) {
            add_point(parts, b, k,
                      sn_lerp(unit_vertices[b->edge_ends[e][0]], unit_vertices[b->edge_ends[e][1]],
                              (float)step / (float)k));
        }
    }
    for (int f = 0; f < 20; ++f) {
        for (int i = 1; i < k; ++i) {
            for (int j = 1; i + j < k; ++j) {
                sn_vec3 sum = sn_scale(unit_vertices[faces[f][0]], (float)i);
                sum = sn_add_scaled(sum, (float)j, unit_vertices[faces[f][1]]);
                add_point(parts, b, k, sn_add_scaled(sum, (float)(k - i - j), unit_vertices[faces[f][2]]));
            }
        }
    }
}

// --- solid -------------------------------------------------------------------------------------------------

// Six corners in opposite pairs 0–1, 2–3, 4–5 as four tetrahedra about the shortest diagonal.
static void add_octahedron(sn_mesh_parts *parts, const int corner[6])
{
    const sn_vec3 *nodes = parts->nodes.data;
    int axis = 0;
    float shortest = sn_distance_between(nodes[corner[0]], nodes[corner[1]]);
    for (int i = 1; i < 3; ++i) {
        float length = sn_distance_between(nodes[corner[2 * i]], nodes[corner[2 * i + 1]]);
        if (length < shortest) {
            shortest = length;
            axis = i;
        }
    }
    int next = (axis + 1) % 3, last = (axis + 2) % 3;
    const int ring[4] = {corner[2 * next], corner[2 * last], corner[2 * next + 1], corner[2 * last + 1]};
    for (int i = 0; i < 4; ++i) {
        sn_mesh_add_tetrahedron(parts, corner[2 * axis], corner[2 * axis + 1], ring[i], ring[(i + 1) % 4]);
    }
}

// The pieces of the unit cube of weights at (i, j, l) that belong to the ball: the tetrahedron at its lower
// corner, the octahedron in the middle, the tetrahedron at its upper corner.
static void add_weight_cube(sn_mesh_parts *parts, const ball *b, int face, int i, int j, int l)
{
    int room = b->shells - (i + j + l);
    int a = shell_node(b, face, i + 1, j, l), c = shell_node(b, face, i, j + 1, l);
    int d = shell_node(b, face, i, j, l + 1);
    sn_mesh_add_tetrahedron(parts, shell_node(b, face, i, j, l), a, c, d);
    if (room < 2) {
        return;
    }
    int not_a = shell_node(b, face, i, j + 1, l + 1), not_c = shell_node(b, face, i + 1, j, l + 1);
    int not_d = shell_node(b, face, i + 1, j + 1, l);
    const int octahedron[6] = {a, not_a, c, not_c, d, not_d};
    add_octahedron(parts, octahedron);
    if (room > 2) {
        sn_mesh_add_tetrahedron(parts, not_a, not_c, not_d, shell_node(b, face, i + 1, j + 1, l + 1));
    }
}

static void add_ball(sn_mesh_parts *parts, const ball *b)
{
    sn_mesh_add_node(parts, sn_v(0.0f, 0.0f, 0.0f));
    for (int k = 1; k <= b->shells; ++k) {
        add_shell(parts, b, k);
    }
    for (int face = 0; face < 20; ++face) {
        for (int i = 0; i < b->shells; ++i) {
            for (int j = 0; i + j < b->shells; ++j) {
                for (int l = 0; i + j + l < b->shells; ++l) {
                    add_weight_cube(parts, b, face, i, j, l);
                }
            }
        }
    }
}

sn_status sn_mesh_sphere(float radius, int shells, sn_mesh **mesh)
{
    static const char *const object = "sphere mesh";
    ball b = {.radius = radius, .shells = shells};
    sn_mesh_parts parts = {0};
    sn_status status = sn_check_size(radius, NULL, object, "radius");
    status = status ? status : sn_mesh_check_cells(shells, 1, object, "shells");
    if (!status) {
        double n = shells;
        sn_mesh_counts counts = {.nodes = 1.0 + 5.0 * n * (n + 1.0) * (2.0 * n + 1.0) / 3.0 + 2.0 * n,
                                 .tetrahedra = 20.0 * n * n * n};
        status = sn_mesh_parts_reserve(&parts, counts, object, mesh);
    }
    if (!status) {
        number_edges(&b);
        add_ball(&parts, &b);
        status = sn_mesh_parts_create(&parts, mesh);
    }
    sn_mesh_parts_release(&parts);
    return status;
}

// --- surface -----------------------------------------------------------------------------------------------

static void add_shell_triangles(sn_mesh_parts *parts, const ball *b)
{
    int n = b->shells;
    for (int face = 0; face < 20; ++face) {
        for (int i = 0; i < n; ++i) {
            for (int j = 0; i + j < n; ++j) {
                int l = n - 1 - i - j;
                int a = shell_node(b, face, i + 1, j, l), c = shell_node(b, face, i, j + 1, l);
                int d = shell_node(b, face, i, j, l + 1);
                sn_mesh_add_triangle(parts, a, c, d);
                if (l > 0) {
                    sn_mesh_add_triangle(parts, c, a, shell_node(b, face, i + 1, j + 1, l - 1));
                }
            }
        }
    }
}

sn_status sn_mesh_sphere_surface(float radius, int cuts, sn_mesh **mesh)
{
    static const char *const object = "sphere surface mesh";
    ball b = {.radius = radius, .shells = cuts, .surface_only = true};
    sn_mesh_parts parts = {0};
    sn_status status = sn_check_size(radius, NULL, object, "radius");
    status = status ? status : sn_mesh_check_cells(cuts, 1, object, "cuts");
    if (!status) {
        sn_mesh_counts counts = {.nodes = 10.0 * cuts * (double)cuts + 2.0,
                                 .triangles = 20.0 * cuts * (double)cuts};
        status = sn_mesh_parts_reserve(&parts, counts, object, mesh);
    }
    if (!status) {
        number_edges(&b);
        add_shell(&parts, &b, cuts);
        add_shell_triangles(&parts, &b);
        status = sn_mesh_parts_create(&parts, mesh);
    }
    sn_mesh_parts_release(&parts);
    return status;
}
