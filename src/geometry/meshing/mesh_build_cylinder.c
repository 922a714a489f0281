// Discs, and what is made of them: solid cylinders and their surfaces. A disc is six sectors about its
// middle, each a triangle cut into smaller ones, so that all are nearly equilateral.
#include "base/tuple_sort.h"
#include "geometry/meshing/mesh_build.h"
#include "geometry/shapes/check.h"

// --- disc --------------------------------------------------------------------------------------------------

static double disc_node_count(int rings)
{
    return 1.0 + 3.0 * rings * (rings + 1.0);
}
static double disc_triangle_count(int rings)
{
    return 6.0 * rings * (double)rings;
}

// Number of node i of ring k; ring 0 is the middle. i may be one past the end.
static int ring_node(int ring, int i)
{
    return ring == 0 ? 0 : 1 + 3 * ring * (ring - 1) + i % (6 * ring);
}

static void add_disc(sn_mesh_parts *parts, float radius, int rings)
{
    sn_mesh_add_node(parts, sn_v(0.0f, 0.0f, 0.0f));
    for (int ring = 1; ring <= rings; ++ring) {
        float distance = radius * ((float)ring / (float)rings);
        for (int i = 0; i < 6 * ring; ++i) {
            float angle = 2.0f * SN_PI * (float)i / (float)(6 * ring);
            sn_mesh_add_node(parts, sn_v(distance * sn_cos(angle), distance * sn_sin(angle), 0.0f));
        }
    }
    for (int ring = 1; ring <= rings; ++ring) {
        for (int sector = 0; sector < 6; ++sector) {
            int outer = sector * ring, inner = sector * (ring - 1);
            for (int i = 0; i < ring; ++i) {
                sn_mesh_add_triangle(parts, ring_node(ring, outer + i), ring_node(ring, outer + i + 1),
                                     ring_node(ring - 1, inner + i));
            }
            for (int i = 0; i + 1 < ring; ++i) {
                sn_mesh_add_triangle(parts, ring_node(ring - 1, inner + i), ring_node(ring, outer + i + 1),
                                     ring_node(ring - 1, inner + i + 1));
            }
        }
    }
}

static sn_status make_disc(sn_mesh_parts *parts, float radius, int rings, const char *object, sn_mesh **mesh)
{
    sn_status status = sn_check_size(radius, NULL, object, "radius");
    status = status ? status : sn_mesh_check_cells(rings, 1, object, "rings");
    if (!status) {
        sn_mesh_counts counts = {.nodes = disc_node_count(rings), .triangles = disc_triangle_count(rings)};
        status = sn_mesh_parts_reserve(parts, counts, object, mesh);
    }
    if (!status) {
        add_disc(parts, radius, rings);
    }
    return status;
}

sn_status sn_mesh_disc(float radius, int rings, sn_mesh **mesh)
{
    sn_mesh_parts parts = {0};
    sn_status status = make_disc(&parts, radius, rings, "disc mesh", mesh);
    status = status ? status : sn_mesh_parts_create(&parts, mesh);
    sn_mesh_parts_release(&parts);
    return status;
}

// --- cylinder ----------------------------------------------------------------------------------------------

// A disc, turned into the xz plane, at each of layers + 1 levels.
typedef struct cylinder {
    sn_mesh_parts disc;
    float height;
    int rings, layers;
} cylinder;

static sn_status begin_cylinder(cylinder *c, float radius, const char *object, sn_mesh **mesh)
{
    sn_status status = make_disc(&c->disc, radius, c->rings, object, mesh);
    status = status ? status : sn_check_size(c->height, NULL, object, "height");
    return status ? status : sn_mesh_check_cells(c->layers, 1, object, "layers");
}

static sn_vec3 level_point(const cylinder *c, int node, int level)
{
    sn_vec3 p = c->disc.nodes.data[node];
    return sn_v(p.x, c->height * ((float)(2 * level - c->layers) / (float)(2 * c->layers)), p.y);
}

// A prism under one triangle of the disc as three tetrahedra. Diagonals run from the level `from` at the
// lower node number to the other level at the higher, so that neighbours agree.
static void add_prism(sn_mesh_parts *parts, const uint32_t *triangle, int from, int to, bool upward)
{
    uint32_t order[3] = {triangle[0], triangle[1], triangle[2]};
    // The disc's triangles are clockwise seen from above once its plane is xz.
    bool right_handed = sn_tuple_order(order, 3) == upward;
    int a = from + (int)order[0], b = from + (int)order[1], c = from + (int)order[2];
    int a2 = to + (int)order[0], b2 = to + (int)order[1], c2 = to + (int)order[2];
    if (right_handed) {
        sn_mesh_add_tetrahedron(parts, a, b, c, c2);
        sn_mesh_add_tetrahedron(parts, a, b, c2, b2);
        sn_mesh_add_tetrahedron(parts, a, a2, b2, c2);
    } else {
        sn_mesh_add_tetrahedron(parts, a, b, c2, c);
        sn_mesh_add_tetrahedron(parts, a, b, b2, c2);
        sn_mesh_add_tetrahedron(parts, a, a2, c2, b2);
    }
}

static void add_solid_cylinder(sn_mesh_parts *parts, const cylinder *c)
{
    int disc_nodes = c->disc.nodes.count;
    for (int level = 0; level <= c->layers; ++level) {
        for (int i = 0; i < disc_nodes; ++i) {
            sn_mesh_add_node(parts, level_point(c, i, level));
        }
    }
    for (int layer = 0; layer < c->layers; ++layer) {
        int low = layer * disc_nodes, high = low + disc_nodes;
        // Turned from layer to layer, so that the diagonals do not wind around the cylinder.
        bool upward = layer % 2 == 0;
        for (int i = 0; i < c->disc.triangles.count; i += 3) {
            add_prism(parts, c->disc.triangles.data + i, upward ? low : high, upward ? high : low, upward);
        }
    }
}

sn_status sn_mesh_cylinder(float radius, float height, int rings, int layers, sn_mesh **mesh)
{
    static const char *const object = "cylinder mesh";
    cylinder c = {.height = height, .rings = rings, .layers = layers};
    sn_mesh_parts parts = {0};
    sn_status status = begin_cylinder(&c, radius, object, mesh);
    if (!status) {
        sn_mesh_counts counts = {.nodes = disc_node_count(rings) * (layers + 1.0),
                                 .tetrahedra = 3.0 * disc_triangle_count(rings) * layers};
        status = sn_mesh_parts_reserve(&parts, counts, object, mesh);
    }
    if (!status) {
        add_solid_cylinder(&parts, &c);
        status = sn_mesh_parts_create(&parts, mesh);
    }
    sn_mesh_parts_release(&parts);
    sn_mesh_parts_release(&c.disc);
    return status;
}

// --- surface -----------------------------------------------------------------------------------------------

// The number of node i of the rim at a level: both end discs come first, then the rims between them.
static int rim_node(const cylinder *c, int level, int i)
{
    int disc_nodes = c->disc.nodes.count;
    if (level == 0 || level == c->layers) {
        return (level == 0 ? 0 : disc_nodes) + ring_node(c->rings, i);
    }
    return 2 * disc_nodes + (level - 1) * 6 * c->rings + i % (6 * c->rings);
}

static void add_ends(sn_mesh_parts *parts, const cylinder *c)
{
    int disc_nodes = c->disc.nodes.count;
    for (int end = 0; end < 2; ++end) {
        for (int i = 0; i < disc_nodes; ++i) {
            sn_mesh_add_node(parts, level_point(c, i, end * c->layers));
        }
    }
    for (int i = 0; i < c->disc.triangles.count; i += 3) {
        const uint32_t *t = c->disc.triangles.data + i;
        int p = (int)t[0], q = (int)t[1], r = (int)t[2];
        sn_mesh_add_triangle(parts, p, q, r);
        sn_mesh_add_triangle(parts, disc_nodes + p, disc_nodes + r, disc_nodes + q);
    }
}

static void add_side(sn_mesh_parts *parts, const cylinder *c)
{
    int sides = 6 * c->rings;
    for (int level = 1; level < c->layers; ++level) {
        for (int i = 0; i < sides; ++i) {
            sn_mesh_add_node(parts, level_point(c, ring_node(c->rings, i), level));
        }
    }
    for (int layer = 0; layer < c->layers; ++layer) {
        for (int i = 0; i < sides; ++i) {
            // As the solid's prisms have it: the last side runs back to the lowest number.
            bool rising = (layer % 2 == 0) == (i + 1 < sides);
            sn_mesh_add_square(parts, rim_node(c, layer, i), rim_node(c, layer + 1, i),
                               rim_node(c, layer + 1, i + 1), rim_node(c, layer, i + 1), rising);
        }
    }
}

sn_status sn_mesh_cylinder_surface(float radius, float height, int rings, int layers, sn_mesh **mesh)
{
    static const char *const object = "cylinder surface mesh";
    cylinder c = {.height = height, .rings = rings, .layers = layers};
    sn_mesh_parts parts = {0};
    sn_status status = begin_cylinder(&c, radius, object, mesh);
    if (!status) {
        double sides = 6.0 * rings;
        sn_mesh_counts counts = {.nodes = 2.0 * disc_node_count(rings) + sides * (layers - 1.0),
                                 .triangles = 2.0 * disc_triangle_count(rings) + 2.0 * sides * layers};
        status = sn_mesh_parts_reserve(&parts, counts, object, mesh);
    }
    if (!status) {
        add_ends(&parts, &c);
        add_side(&parts, &c);
        status = sn_mesh_parts_create(&parts, mesh);
    }
    sn_mesh_parts_release(&parts);
    sn_mesh_parts_release(&c.disc);
    return status;
}
