// Running scenes of deformables that touch, and counting crossings.
#include "soft_touch_run.h"

#include "measure.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

// --- scenes ------------------------------------------------------------------------------------------------

static void note(touch_scene *scene, sn_status status)
{
    scene->status = scene->status ? scene->status : status;
}

void touch_open(touch_scene *scene, float gravity_factor)
{
    *scene = (touch_scene){0};
    sn_world_def def = bench_settings(1);
    def.gravity = sn_scale(def.gravity, gravity_factor);
    note(scene, sn_world_create(&def, &scene->world));
}

sn_mesh *touch_own(touch_scene *scene, sn_mesh *mesh)
{
    return scene->meshes[scene->mesh_count++] = mesh;
}

sn_deformable_def touch_cloth(touch_scene *scene, float size, int cells, float mass, sn_vec3 position)
{
    sn_mesh *mesh = NULL;
    note(scene, sn_mesh_grid(size, size, cells, cells, SN_GRID_ALTERNATING, &mesh));
    sn_deformable_def def = sn_deformable_def_default();
    def.mesh = touch_own(scene, mesh);
    def.pose.position = position;
    def.pose.rotation = sn_quat_axis_angle(sn_v(1.0f, 0.0f, 0.0f), -0.5f * SN_PI);
    def.mass = mass;
    def.inextensible.on = true;
    def.inextensible.shear_stiffness = 5.0f;
    def.inextensible.shear_damping = 0.02f;
    def.bending.type = SN_BENDING_ISOMETRIC;
    def.bending.stiffness = 1.0e-4f;
    def.bending.damping = 0.01f;
    def.linear_damping = 1.5f;
    def.self_collide = true;
    return def;
}

sn_deformable touch_add(touch_scene *scene, const sn_deformable_def *def)
{
    sn_deformable *added = &scene->soft[scene->soft_count];
    sn_status status = sn_deformable_add(scene->world, def, added);
    note(scene, status);
    scene->soft_count += status == SN_OK ? 1 : 0;
    return *added;
}

sn_rigid touch_solid_add(touch_scene *scene, touch_shape shape, sn_vec3 size, float mass, sn_pose pose,
                         sn_vec3 velocity)
{
    touch_solid *solid = &scene->solids[scene->solid_count++];
    sn_rigid_def def = sn_rigid_def_default();
    sn_shape_def look = sn_shape_def_default();
    def.type = mass > 0.0f ? SN_DYNAMIC : SN_STATIC;
    def.position = pose.position;
    def.rotation = pose.rotation;
    def.linear_velocity = velocity;
    *solid = (touch_solid){shape, size, {0}};
    note(scene, sn_rigid_add(scene->world, &def, &solid->rigid));
    float volume = shape == TOUCH_BOX    ? 8.0f * size.x * size.y * size.z
                   : shape == TOUCH_BALL ? 4.18879f * size.x * size.x * size.x
                                         : SN_PI * size.x * size.x * (2.0f * size.y + 1.33333f * size.x);
    look.density = mass > 0.0f ? mass / volume : look.density;
    if (shape == TOUCH_BALL) {
        note(scene, sn_sphere_add(scene->world, solid->rigid, &look, (sn_sphere){{0}, size.x}, NULL));
    } else if (shape == TOUCH_BOX) {
        sn_box box = {.half_extents = size};
        note(scene, sn_box_add(scene->world, solid->rigid, &look, box, NULL));
    } else {
        sn_capsule rod = {sn_v(-size.y, 0.0f, 0.0f), sn_v(size.y, 0.0f, 0.0f), size.x};
        note(scene, sn_capsule_add(scene->world, solid->rigid, &look, rod, NULL));
    }
    return solid->rigid;
}

static sn_rigid add_static(touch_scene *scene)
{
    sn_rigid_def def = sn_rigid_def_default();
    sn_rigid rigid = {0};
    def.type = SN_STATIC;
    note(scene, sn_rigid_add(scene->world, &def, &rigid));
    return rigid;
}

void touch_floor(touch_scene *scene, float height)
{
    sn_shape_def look = sn_shape_def_default();
    note(scene, sn_plane_add(scene->world, add_static(scene), &look,
                             (sn_plane){sn_v(0.0f, 1.0f, 0.0f), height}, NULL));
}

void touch_surface_add(touch_scene *scene, const sn_vec3 *vertices, int vertex_count,
                       const uint32_t *triangles, int triangle_count, bool double_sided)
{
    sn_shape_def look = sn_shape_def_default();
    note(scene,
         sn_surface_create(vertices, vertex_count, triangles, triangle_count, double_sided, &scene->surface));
    note(scene, sn_surface_add(scene->world, add_static(scene), &look, scene->surface, NULL));
}

void touch_close(touch_scene *scene)
{
    sn_world_destroy(scene->world);
    sn_surface_destroy(scene->surface);
    for (int i = 0; i < scene->mesh_count; ++i) {
        sn_mesh_destroy(scene->meshes[i]);
    }
    *scene = (touch_scene){0};
}

// --- crossings ---------------------------------------------------------------------------------------------

// All triangles and edges of a frame, by node numbers of all deformables together; the corners of a static
// surface are nodes as well. Nodes of one owner, which are those of a deformable that does not collide with
// itself or of the surface, are not compared with each other; −1 for those of others.
typedef struct soup {
    sn_vec3 *nodes;
    int *owners;
    uint32_t *triangles, *edges;
    int node_count, triangle_count, edge_count;
    float cell;
    int *head, *next, *face, used, room;
} soup;

enum { BUCKETS = 1 << 16 };

static void *grow(void *memory, size_t count, size_t size)
{
    void *grown = realloc(memory, (count + 1) * size);
    if (grown == NULL) {
        abort();
    }
    return grown;
}

static void add_edges(soup *s, const uint32_t *corners, uint32_t first)
{
    for (int k = 0; k < 3; ++k) {
        uint32_t a = corners[k], b = corners[(k + 1) % 3];
        if (a < b) {
            s->edges[2 * s->edge_count] = first + a;
            s->edges[2 * s->edge_count++ + 1] = first + b;
        }
    }
}

static void add_node(soup *s, sn_vec3 position, int owner)
{
    s->owners[s->node_count] = owner;
    s->nodes[s->node_count++] = position;
}

static void add_mesh(soup *s, const sn_mesh *mesh, const sn_node_state *states, int owner)
{
    int nodes = sn_mesh_node_count(mesh), triangles = sn_mesh_triangle_count(mesh);
    bool is_sheet = sn_mesh_tetrahedron_count(mesh) == 0;
    int edges = is_sheet ? sn_mesh_edge_count(mesh) : 3 * triangles;
    uint32_t first = (uint32_t)s->node_count;
    s->nodes = grow(s->nodes, (size_t)(s->node_count + nodes), sizeof *s->nodes);
    s->owners = grow(s->owners, (size_t)(s->node_count + nodes), sizeof *s->owners);
    s->triangles = grow(s->triangles, 3 * (size_t)(s->triangle_count + triangles), sizeof *s->triangles);
    s->edges = grow(s->edges, 2 * (size_t)(s->edge_count + edges), sizeof *s->edges);
    for (int i = 0; i < nodes; ++i) {
        add_node(s, states[i].position, owner);
    }
    for (int i = 0; i < 3 * triangles; ++i) {
        s->triangles[3 * s->triangle_count + i] = first + sn_mesh_triangles(mesh)[i];
    }
    s->triangle_count += triangles;
    for (int i = 0; is_sheet && i < 2 * edges; ++i) {
        s->edges[2 * s->edge_count + i] = first + sn_mesh_edges(mesh)[i];
    }
    s->edge_count += is_sheet ? edges : 0;
    for (int i = 0; !is_sheet && i < triangles; ++i) {
        add_edges(s, sn_mesh_triangles(mesh) + 3 * i, first);
    }
}

// Every triangle with corners of its own; its edges are found by their triangles.
static void add_surface(soup *s, const sn_surface *surface, int owner)
{
    int count = sn_surface_triangle_count(surface);
    s->nodes = grow(s->nodes, (size_t)(s->node_count + 3 * count), sizeof *s->nodes);
    s->owners = grow(s->owners, (size_t)(s->node_count + 3 * count), sizeof *s->owners);
    s->triangles = grow(s->triangles, 3 * (size_t)(s->triangle_count + count), sizeof *s->triangles);
    s->edges = grow(s->edges, 6 * (size_t)(s->edge_count + count), sizeof *s->edges);
    for (int i = 0; i < count; ++i) {
        uint32_t own[3] = {0, 1, 2};
        sn_vec3 corners[3];
        sn_surface_triangle(surface, i, corners);
        add_edges(s, own, (uint32_t)s->node_count);
        for (int k = 0; k < 3; ++k) {
            s->triangles[3 * s->triangle_count + k] = (uint32_t)s->node_count;
            add_node(s, corners[k], owner);
        }
        ++s->triangle_count;
    }
}

static sn_bounds box_of(const soup *s, const uint32_t *nodes, int count)
{
    sn_bounds box = {s->nodes[nodes[0]], s->nodes[nodes[0]]};
    for (int k = 1; k < count; ++k) {
        box.lower = sn_min3(box.lower, s->nodes[nodes[k]]);
        box.upper = sn_max3(box.upper, s->nodes[nodes[k]]);
    }
    return box;
}

// Calls `visit` for the cells of a box; very long things are cut short.
static void visit_cells(soup *s, sn_bounds box, void (*visit)(soup *, int, void *), void *context)
{
    int low[3], high[3];
    const float *l = &box.lower.x, *h = &box.upper.x;
    for (int k = 0; k < 3; ++k) {
        low[k] = (int)floorf(l[k] / s->cell);
        high[k] = (int)floorf(h[k] / s->cell);
        high[k] = high[k] > low[k] + 200 ? low[k] + 200 : high[k];
    }
    for (int i = low[0]; i <= high[0]; ++i) {
        for (int j = low[1]; j <= high[1]; ++j) {
            for (int k = low[2]; k <= high[2]; ++k) {
                unsigned hash = (unsigned)i * 73856093u ^ (unsigned)j * 19349663u ^ (unsigned)k * 83492791u;
                visit(s, (int)(hash % BUCKETS), context);
            }
        }
    }
}

static void put(soup *s, int bucket, void *context)
{
    if (s->used == s->room) {
        s->room = 2 * s->room + 1024;
        s->next = grow(s->next, (size_t)s->room, sizeof *s->next);
        s->face = grow(s->face, (size_t)s->room, sizeof *s->face);
    }
    s->face[s->used] = *(const int *)context;
    s->next[s->used] = s->head[bucket];
    s->head[bucket] = s->used++;
}

static double det(const double a[3], const double b[3], const double c[3])
{
    return a[0] * (b[1] * c[2] - b[2] * c[1]) - a[1] * (b[0] * c[2] - b[2] * c[0]) +
           a[2] * (b[0] * c[1] - b[1] * c[0]);
}

// Six times the signed volume.
static double volume_of(sn_vec3 a, sn_vec3 b, sn_vec3 c, sn_vec3 d)
{
    const double u[3] = {(double)b.x - (double)a.x, (double)b.y - (double)a.y, (double)b.z - (double)a.z};
    const double v[3] = {(double)c.x - (double)a.x, (double)c.y - (double)a.y, (double)c.z - (double)a.z};
    const double w[3] = {(double)d.x - (double)a.x, (double)d.y - (double)a.y, (double)d.z - (double)a.z};
    return det(u, v, w);
}

static bool pierces(const soup *s, const uint32_t *edge, const uint32_t *face)
{
    if (s->owners[edge[0]] >= 0 && s->owners[edge[0]] == s->owners[face[0]]) {
        return false;
    }
    for (int k = 0; k < 3; ++k) {
        if (face[k] == edge[0] || face[k] == edge[1]) {
            return false;
        }
    }
    sn_vec3 p = s->nodes[edge[0]], q = s->nodes[edge[1]];
    sn_vec3 a = s->nodes[face[0]], b = s->nodes[face[1]], c = s->nodes[face[2]];
    double before = volume_of(a, b, c, p), after = volume_of(a, b, c, q);
    if (before == 0.0 || after == 0.0 || (before > 0.0) == (after > 0.0)) {
        return false;
    }
    double u = volume_of(p, q, a, b), v = volume_of(p, q, b, c), w = volume_of(p, q, c, a);
    return (u > 0.0 && v > 0.0 && w > 0.0) || (u < 0.0 && v < 0.0 && w < 0.0);
}

typedef struct look {
    const uint32_t *edge;
    int seen[64], seen_count, count;
} look;

static void look_in(soup *s, int bucket, void *context)
{
    look *l = context;
    for (int n = s->head[bucket]; n >= 0; n = s->next[n]) {
        bool known = false;
        for (int k = 0; k < l->seen_count; ++k) {
            known = known || l->seen[k] == s->face[n];
        }
        if (!known && pierces(s, l->edge, s->triangles + 3 * s->face[n])) {
            ++l->count;
            l->seen[l->seen_count] = s->face[n];
            l->seen_count += l->seen_count < 63 ? 1 : 0;
        }
    }
}

static soup gather(const touch_scene *scene)
{
    soup s = {0};
    for (int i = 0; i < scene->soft_count; ++i) {
        sn_deformable id = scene->soft[i];
        bool meets_itself = sn_deformable_definition(scene->world, id).self_collide;
        add_mesh(&s, sn_deformable_mesh(scene->world, id), sn_deformable_nodes(scene->world, id),
                 meets_itself ? -1 : i);
    }
    if (scene->surface != NULL) {
        add_surface(&s, scene->surface, scene->soft_count);
    }
    double sum = 0.0;
    for (int i = 0; i < s.edge_count; ++i) {
        sum += (double)sn_distance_between(s.nodes[s.edges[2 * i]], s.nodes[s.edges[2 * i + 1]]);
    }
    s.cell = s.edge_count > 0 && isfinite(sum) ? (float)(1.5 * sum / s.edge_count) : 0.0f;
    return s;
}

static void drop(soup *s)
{
    free(s->nodes);
    free(s->owners);
    free(s->triangles);
    free(s->edges);
    free(s->head);
    free(s->next);
    free(s->face);
}

static int crossings_of(soup *s)
{
    int count = 0;
    if (!(s->cell > 0.0f)) {
        return s->edge_count > 0 ? s->edge_count : 0;
    }
    s->head = grow(NULL, BUCKETS, sizeof *s->head);
    memset(s->head, 0xff, BUCKETS * sizeof *s->head);
    for (int i = 0; i < s->triangle_count; ++i) {
        visit_cells(s, box_of(s, s->triangles + 3 * i, 3), put, &i);
    }
    for (int i = 0; i < s->edge_count; ++i) {
        look l = {.edge = s->edges + 2 * i};
        visit_cells(s, box_of(s, l.edge, 2), look_in, &l);
        count += l.count;
    }
    return count;
}

// --- solids ------------------------------------------------------------------------------------------------

// Whether a segment passes through a box around the origin.
static bool cuts_box(sn_vec3 p, sn_vec3 q, sn_vec3 half)
{
    float enter = 0.0f, leave = 1.0f;
    const float *a = &p.x, *b = &q.x, *h = &half.x;
    for (int k = 0; k < 3; ++k) {
        float d = b[k] - a[k];
        if (d == 0.0f) {
            if (sn_abs(a[k]) >= h[k]) {
                return false;
            }
            continue;
        }
        float t = (-h[k] - a[k]) / d, u = (h[k] - a[k]) / d;
        enter = sn_max(enter, sn_min(t, u));
        leave = sn_min(leave, sn_max(t, u));
    }
    return enter < leave;
}

// How many edges are in a solid: of round ones, whose core (a tenth of the radius is left out) they touch.
static int edges_in(const soup *s, const touch_solid *solid, sn_pose pose)
{
    int count = 0;
    for (int i = 0; i < s->edge_count; ++i) {
        sn_vec3 p = sn_pose_apply_inverse(pose, s->nodes[s->edges[2 * i]]);
        sn_vec3 q = sn_pose_apply_inverse(pose, s->nodes[s->edges[2 * i + 1]]);
        float r = 0.9f * solid->size.x;
        if (solid->shape == TOUCH_BOX) {
            count += cuts_box(p, q, sn_scale(solid->size, 0.999f));
        } else if (solid->shape == TOUCH_BALL) {
            sn_vec3 d = sn_sub(q, p);
            float t = sn_clamp(-sn_dot(p, d) / sn_max(sn_length_squared(d), 1.0e-20f), 0.0f, 1.0f);
            count += sn_length(sn_add_scaled(p, t, d)) < r;
        } else {
            count += cuts_box(p, q, sn_v(solid->size.y, 0.7f * r, 0.7f * r));
        }
    }
    return count;
}

// --- running -----------------------------------------------------------------------------------------------

int touch_crossings(const touch_scene *scene)
{
    soup s = gather(scene);
    int count = crossings_of(&s);
    drop(&s);
    return count;
}

static void note_volumes(const touch_scene *scene, float *inverted_since, double time, touch_result *r)
{
    int at = 0;
    r->inverted_at_end = 0;
    for (int i = 0; i < scene->soft_count; ++i) {
        const sn_mesh *mesh = sn_deformable_mesh(scene->world, scene->soft[i]);
        const sn_node_state *n = sn_deformable_nodes(scene->world, scene->soft[i]);
        const uint32_t *t = sn_mesh_tetrahedra(mesh);
        double sum = 0.0, rest = 0.0;
        for (int k = 0; k < sn_mesh_tetrahedron_count(mesh); ++k, t += 4, ++at) {
            double volume =
                volume_of(n[t[0]].position, n[t[1]].position, n[t[2]].position, n[t[3]].position) / 6.0;
            sum += volume;
            rest += (double)sn_mesh_tetrahedron_volume(mesh, k);
            inverted_since[at] = volume > 0.0 ? (float)time : inverted_since[at];
            r->inverted_at_end += volume <= 0.0;
            r->inverted_longest = fmax(r->inverted_longest, time - (double)inverted_since[at]);
        }
        r->least_volume = rest > 0.0 ? fmin(r->least_volume, sum / rest) : r->least_volume;
    }
}

static double mean_square_speed(const touch_scene *scene)
{
    double sum = 0.0;
    int count = 0;
    for (int i = 0; i < scene->soft_count; ++i) {
        const sn_node_velocity *v = sn_deformable_velocities(scene->world, scene->soft[i]);
        int nodes = sn_mesh_node_count(sn_deformable_mesh(scene->world, scene->soft[i]));
        for (int k = 0; k < nodes; ++k) {
            sum += (double)sn_length_squared(v[k].velocity);
        }
        count += nodes;
    }
    return sum / (count > 0 ? count : 1);
}

static void note_frame(const touch_scene *scene, touch_result *r)
{
    soup s = gather(scene);
    int inside = 0;
    r->crossings_at_end = crossings_of(&s);
    r->crossings = r->crossings_at_end > r->crossings ? r->crossings_at_end : r->crossings;
    for (int i = 0; i < scene->solid_count; ++i) {
        inside += edges_in(&s, &scene->solids[i], sn_rigid_pose(scene->world, scene->solids[i].rigid));
    }
    r->inside = inside > r->inside ? inside : r->inside;
    drop(&s);
}

sn_status touch_run(touch_scene *scene, int steps, float step, touch_result *r)
{
    int tetrahedra = 0;
    *r = (touch_result){.least_volume = 1.0e9};
    for (int i = 0; i < scene->soft_count; ++i) {
        tetrahedra += sn_mesh_tetrahedron_count(sn_deformable_mesh(scene->world, scene->soft[i]));
    }
    float *since = grow(NULL, (size_t)tetrahedra, sizeof *since);
    memset(since, 0, (size_t)(tetrahedra + 1) * sizeof *since);
    int last_second = (int)(1.0f / step);
    for (int i = 0; i < steps && scene->status == SN_OK; ++i) {
        if (scene->drive != NULL) {
            scene->drive(scene, (float)(i + 1) * step);
        }
        double before = bench_cpu_clock();
        note(scene, sn_world_step(scene->world, step));
        double took = bench_cpu_clock() - before;
        sn_statistics s = sn_world_statistics(scene->world);
        r->mean += took / steps;
        r->worst = fmax(r->worst, took);
        r->step += (double)sn_world_profile(scene->world).step / steps;
        r->collide += (double)sn_world_profile(scene->world).collide / steps;
        r->guard += (double)sn_world_profile(scene->world).guard / steps;
        r->contacts = s.soft_contact_count > r->contacts ? s.soft_contact_count : r->contacts;
        r->frozen = s.frozen_count + s.frozen_node_count;
        r->cut_nodes += s.cut_node_count + s.cut_body_count;
        r->bytes = (double)s.bytes;
        r->nodes = s.node_count;
        r->rms += i >= steps - last_second ? mean_square_speed(scene) / last_second : 0.0;
        note_frame(scene, r);
        note_volumes(scene, since, (double)((float)(i + 1) * step), r);
    }
    r->rms = sqrt(r->rms);
    free(since);
    return scene->status;
}

// --- through
// ------------------------------------------------------------------------------------------------

// Solids whose middle is in a tetrahedron that is not inside out.
static int count_inside(const touch_scene *scene)
{
    const sn_node_state *nodes = sn_deformable_nodes(scene->world, scene->soft[0]);
    const sn_mesh *mesh = sn_deformable_mesh(scene->world, scene->soft[0]);
    int count = 0;
    for (int i = 0; i < scene->solid_count; ++i) {
        sn_vec3 p = sn_rigid_position(scene->world, scene->solids[i].rigid);
        for (int k = 0; k < sn_mesh_tetrahedron_count(mesh); ++k) {
            const uint32_t *t = sn_mesh_tetrahedra(mesh) + 4 * k;
            bool is_inside = true;
            for (int f = 0; f < 4; ++f) { // on the side of each face on which the fourth node is
                sn_vec3 a = nodes[t[f]].position, b = nodes[t[(f + 1) % 4]].position;
                sn_vec3 out = sn_cross(sn_sub(b, a), sn_sub(nodes[t[(f + 2) % 4]].position, a));
                float side = sn_dot(out, sn_sub(nodes[t[(f + 3) % 4]].position, a));
                is_inside = is_inside && side * sn_dot(out, sn_sub(p, a)) > 0.0f;
            }
            if (is_inside) {
                ++count;
                break;
            }
        }
    }
    return count;
}

// Solids that were above the cloth of the trampoline and are below it, not beside it.
int touch_count_through(const touch_scene *scene)
{
    const sn_node_state *nodes = sn_deformable_nodes(scene->world, scene->soft[0]);
    const sn_mesh *mesh = sn_deformable_mesh(scene->world, scene->soft[0]);
    int count = 0;
    if (sn_mesh_tetrahedron_count(mesh) > 0) {
        return count_inside(scene);
    }
    for (int i = 0; i < scene->solid_count; ++i) {
        sn_vec3 p = sn_rigid_position(scene->world, scene->solids[i].rigid);
        int above = 0, all = 0;
        for (int k = 0; k < sn_mesh_triangle_count(mesh); ++k) {
            const uint32_t *t = sn_mesh_triangles(mesh) + 3 * k;
            sn_vec3 a = nodes[t[0]].position, b = nodes[t[1]].position, c = nodes[t[2]].position;
            float u = (b.x - p.x) * (c.z - p.z) - (c.x - p.x) * (b.z - p.z);
            float v = (c.x - p.x) * (a.z - p.z) - (a.x - p.x) * (c.z - p.z);
            float w = (a.x - p.x) * (b.z - p.z) - (b.x - p.x) * (a.z - p.z);
            if ((u > 0.0f && v > 0.0f && w > 0.0f) || (u < 0.0f && v < 0.0f && w < 0.0f)) {
                ++all;
                above += (u * a.y + v * b.y + w * c.y) / (u + v + w) > p.y;
            }
        }
        count += all % 2 == 1 && above % 2 == 1;
    }
    return count;
}
