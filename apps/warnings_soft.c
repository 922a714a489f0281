// What may surprise about deformables: flat elements, nothing that holds the shape or the whole, steps too
// long for an integrator, unequal masses, overlap at the start.
#include "apps/describe.h"
#include "apps/frequency.h"
#include "apps/survey.h"
#include "apps/warnings_parts.h"

#include <math.h>

static const double flat_quality = 0.05;     // of elements; regular ones have 1
static const double deep_thicknesses = 0.75; // a surface this far inside another

bool warnings_gather_softs(inspector *inspector)
{
    int count = sn_world_deformables(inspector->world, NULL, 0);
    int anchors = sn_world_anchors(inspector->world, NULL, 0);
    if (!SN_LIST_RESERVE(&inspector->deformables, count) || !SN_LIST_RESERVE(&inspector->anchors, anchors)) {
        return false;
    }
    inspector->deformables.count =
        sn_world_deformables(inspector->world, inspector->deformables.items, count);
    inspector->anchors.count = sn_world_anchors(inspector->world, inspector->anchors.items, anchors);
    return true;
}

// --- elements ----------------------------------------------------------------------------------------------

static double squared_edge(const sn_vec3 *nodes, uint32_t a, uint32_t b)
{
    return (double)sn_length_squared(sn_sub(nodes[a], nodes[b]));
}

// 1 for a regular tetrahedron, 0 for a flat one: volume by the cube of the edges' root mean square.
static double tetrahedron_quality(const sn_mesh *mesh, int index)
{
    const uint32_t *c = sn_mesh_tetrahedra(mesh) + 4 * (size_t)index;
    double sum = 0.0;
    for (int i = 0; i < 4; ++i) {
        for (int k = i + 1; k < 4; ++k) {
            sum += squared_edge(sn_mesh_nodes(mesh), c[i], c[k]);
        }
    }
    return 6.0 * sqrt(2.0) * (double)sn_mesh_tetrahedron_volume(mesh, index) / pow(sum / 6.0, 1.5);
}

static double triangle_quality(const sn_mesh *mesh, int index)
{
    const uint32_t *c = sn_mesh_triangles(mesh) + 3 * (size_t)index;
    const sn_vec3 *nodes = sn_mesh_nodes(mesh);
    double sum =
        squared_edge(nodes, c[0], c[1]) + squared_edge(nodes, c[1], c[2]) + squared_edge(nodes, c[2], c[0]);
    return 4.0 * sqrt(3.0) * (double)sn_mesh_triangle_area(mesh, index) / sum;
}

static void warn_of_flat_elements(inspector *inspector, sn_deformable deformable)
{
    const sn_mesh *mesh = sn_deformable_mesh(inspector->world, deformable);
    soft_type type = soft_type_of(mesh);
    tally flat = {0};
    for (int i = 0; type != SOFT_STRAND && i < soft_element_count(mesh); ++i) {
        double quality = type == SOFT_VOLUME ? tetrahedron_quality(mesh, i) : triangle_quality(mesh, i);
        warnings_note(&flat, 1.0 - quality, 1.0 - flat_quality, i);
    }
    if (flat.count > 0) {
        warn(inspector,
             "%s: %s nearly flat, number %d most of all: its shape is %.2g, that of a regular one 1; such "
             "elements are stiff and need many sub-steps",
             describe_deformable(inspector->world, deformable).text,
             type == SOFT_VOLUME ? describe_count(flat.count, "tetrahedron is", "tetrahedra are").text
                                 : describe_count(flat.count, "triangle is", "triangles are").text,
             flat.index, 1.0 - flat.worst);
    }
}

// --- what holds it -----------------------------------------------------------------------------------------

static int count_fixed(const sn_world *world, sn_deformable deformable)
{
    const sn_node_state *nodes = sn_deformable_nodes(world, deformable);
    int fixed = 0;
    for (int i = 0; i < sn_deformable_node_count(world, deformable); ++i) {
        fixed += nodes[i].inverse_mass > 0.0f ? 0 : 1;
    }
    return fixed;
}

static bool is_end(const sn_point *point, sn_deformable deformable)
{
    return (point->type == SN_POINT_NODES || point->type == SN_POINT_SURFACE) &&
           point->deformable.index == deformable.index;
}

static bool is_anchored(const inspector *inspector, sn_deformable deformable)
{
    for (int i = 0; i < inspector->anchors.count; ++i) {
        sn_anchor_def def = sn_anchor_definition(inspector->world, inspector->anchors.items[i]);
        if (is_end(&def.a, deformable) || is_end(&def.b, deformable)) {
            return true;
        }
    }
    return false;
}

static void warn_of_hold(inspector *inspector, sn_deformable deformable)
{
    const sn_world *world = inspector->world;
    sn_deformable_def def = sn_deformable_definition(world, deformable);
    description described = describe_deformable(world, deformable);
    const char *name = described.text;
    int fixed = count_fixed(world, deformable);
    bool falls = def.gravity_scale != 0.0f && sn_length(sn_world_gravity(world)) > 0.0f;
    if (fixed == sn_deformable_node_count(world, deformable)) {
        warn(inspector, "%s: all %d nodes are fixed: it does not move", name, fixed);
    } else if (fixed == 0 && !def.collide && falls && !is_anchored(inspector, deformable)) {
        warn(inspector, "%s touches nothing and has neither fixed nodes nor anchors: it falls for ever",
             name);
    }
    bool shapeless = def.model.type == SN_MODEL_NONE && !def.inextensible.on &&
                     def.bending.type == SN_BENDING_NONE && !def.enclosure.preserve;
    if (shapeless) {
        warn(inspector, "%s: nothing keeps its shape; give it a model or make it inextensible", name);
    }
}

// The shortest edge of a face, on average; of a strand, of all edges.
static float mean_short_edge(const sn_mesh *mesh)
{
    int triangles = sn_mesh_triangle_count(mesh),
        count = triangles > 0 ? triangles : sn_mesh_edge_count(mesh);
    const sn_vec3 *nodes = sn_mesh_nodes(mesh);
    float sum = 0.0f;
    for (int i = 0; i < count; ++i) {
        const uint32_t *t = sn_mesh_triangles(mesh) + 3 * (size_t)i;
        float shortest = triangles > 0 ? INFINITY : sn_mesh_edge_length(mesh, i);
        for (int k = 0; k < 3 && triangles > 0; ++k) {
            shortest = sn_min(shortest, sn_length(sn_sub(nodes[t[k]], nodes[t[(k + 1) % 3]])));
        }
        sum += shortest;
    }
    return sum / (float)count;
}

static void warn_of_thickness(inspector *inspector, sn_deformable deformable)
{
    const sn_world *world = inspector->world;
    sn_deformable_def def = sn_deformable_definition(world, deformable);
    const sn_mesh *mesh = sn_deformable_mesh(world, deformable);
    int count = sn_mesh_edge_count(mesh);
    float shortest = def.scale * mean_short_edge(mesh), sum = 0.0f;
    for (int i = 0; i < count; ++i) {
        sum += def.scale * sn_mesh_edge_length(mesh, i);
    }
    float usual = sum / (float)count;
    if (def.self_collide && def.thickness > 1.001f * shortest / 3.0f) {
        warn(inspector,
             "%s collides with itself but is %.3g m thick with edges of %.3g m: folds are held open by what "
             "is close to them; a third of an edge is as thick as it should be",
             describe_deformable(world, deformable).text, (double)def.thickness, (double)shortest);
    } else if (def.collide && count > 0 && def.thickness > usual) {
        warn(inspector,
             "%s is %.3g m thick, more than its edges are long, %.3g m: it stands off what it touches by "
             "half of "
             "that; a third of an edge is usual",
             describe_deformable(world, deformable).text, (double)def.thickness, (double)usual);
    }
}

// Elements that are placed, or written, inside out.
static void warn_of_inverted(inspector *inspector, sn_deformable deformable)
{
    const sn_mesh *mesh = sn_deformable_mesh(inspector->world, deformable);
    const sn_node_state *nodes = sn_deformable_nodes(inspector->world, deformable);
    const uint32_t *t = sn_mesh_tetrahedra(mesh);
    int count = 0;
    for (int i = 0; i < sn_mesh_tetrahedron_count(mesh); ++i, t += 4) {
        sn_vec3 a = nodes[t[0]].position, u = sn_sub(nodes[t[1]].position, a);
        sn_vec3 v = sn_sub(nodes[t[2]].position, a), w = sn_sub(nodes[t[3]].position, a);
        count += sn_dot(sn_cross(u, v), w) > 0.0f ? 0 : 1;
    }
    if (count > 0) {
        warn(inspector, "%s: %s inside out at the start and will turn by force",
             describe_deformable(inspector->world, deformable).text,
             describe_count(count, "tetrahedron is", "tetrahedra are").text);
    }
}

static double shortest_side(const sn_world *world, sn_rigid rigid)
{
    sn_bounds box = sn_rigid_bounds(world, rigid);
    sn_vec3 size = sn_sub(box.upper, box.lower);
    return (double)sn_min(size.x, sn_min(size.y, size.z));
}

// Contacts are found at nodes, edges and faces; what is smaller than a cell may sink in between them.
static void warn_of_cells(inspector *inspector, sn_deformable deformable)
{
    const sn_world *world = inspector->world;
    sn_deformable_def def = sn_deformable_definition(world, deformable);
    const sn_mesh *mesh = sn_deformable_mesh(world, deformable);
    double sum = 0.0, least = INFINITY;
    int count = sn_mesh_edge_count(mesh), smallest = -1;
    for (int i = 0; i < count; ++i) {
        sum += (double)(def.scale * sn_mesh_edge_length(mesh, i));
    }
    for (int i = 0; i < inspector->rigids.count; ++i) {
        sn_rigid rigid = inspector->rigids.items[i];
        double side = shortest_side(world, rigid);
        if (sn_rigid_get_type(world, rigid) == SN_DYNAMIC && side > 0.0 && side < least) {
            least = side;
            smallest = i;
        }
    }
    bool is_surface = sn_mesh_triangle_count(mesh) > 0 || sn_mesh_tetrahedron_count(mesh) > 0;
    if (def.collide && is_surface && smallest >= 0 && sum / (double)count > 2.0 * least) {
        warn(inspector,
             "the cells of %s, %.3g m, are larger than %s, which is %.3g m thick: it may sink in between "
             "nodes",
             describe_deformable(world, deformable).text, sum / (double)count,
             describe_body(world, inspector->rigids.items[smallest]).text, least);
    }
}

// --- integrators -------------------------------------------------------------------------------------------

// How much of its fastest motion, in radians, a sub-step may be; beyond it what is moved explodes. The others
// can be of any length.
static double largest_phase(sn_integrator integrator)
{
    switch (integrator) {
    case SN_INTEGRATOR_VERLET:
        return 2.0;
    case SN_INTEGRATOR_MIDPOINT:
    case SN_INTEGRATOR_HEUN:
    case SN_INTEGRATOR_EXPLICIT_EULER:
        return 1.0;
    default:
        return INFINITY;
    }
}

static bool warn_of_steps(inspector *inspector, sn_deformable deformable)
{
    const sn_world *world = inspector->world;
    sn_integrator integrator = sn_deformable_definition(world, deformable).integrator;
    double limit = largest_phase(integrator);
    double frequency = isinf(limit) ? 0.0 : frequency_highest(world, deformable);
    double sub_step = (double)sn_scene_step_length(inspector->scene) / sn_world_sub_steps(world);
    if (frequency * sub_step > limit) {
        warn(inspector,
             "%s: sub-steps of %.3g ms are too long for %s: its fastest motion is at %.4g rad/s, so %.2g ms "
             "or "
             "less are needed; shorten the step, raise world.sub_steps or take euler_cromer",
             describe_deformable(world, deformable).text, 1000.0 * sub_step,
             sn_scene_integrator_name(integrator), frequency, 1000.0 * limit / frequency);
    }
    return frequency >= 0.0;
}

bool warn_of_deformables(inspector *inspector)
{
    bool enough = true;
    for (int i = 0; i < inspector->deformables.count && enough; ++i) {
        enough = warn_of_steps(inspector, inspector->deformables.items[i]);
        warn_of_flat_elements(inspector, inspector->deformables.items[i]);
        warn_of_inverted(inspector, inspector->deformables.items[i]);
        warn_of_hold(inspector, inspector->deformables.items[i]);
        warn_of_thickness(inspector, inspector->deformables.items[i]);
        warn_of_cells(inspector, inspector->deformables.items[i]);
    }
    return enough;
}

// --- contacts ----------------------------------------------------------------------------------------------

static void warn_of_overlap(inspector *inspector, sn_deformable deformable, const sn_soft_contact *contacts,
                            int count)
{
    const sn_world *world = inspector->world;
    double thickness = (double)sn_deformable_definition(world, deformable).thickness;
    double mass = (double)sn_deformable_measure_now(world, deformable).mass;
    tally deep = {0}, uneven = {0};
    for (int i = 0; i < count; ++i) {
        const sn_soft_contact *c = &contacts[i];
        bool own = c->other.generation != 0 && c->other.index == deformable.index;
        double other = c->other.generation != 0 ? (double)sn_deformable_measure_now(world, c->other).mass
                                                : (double)sn_rigid_mass(world, c->rigid).mass;
        warnings_note(&deep, -(double)c->separation / thickness, deep_thicknesses, i);
        warnings_note(&uneven, own ? 1.0 : warnings_ratio(mass, other), WARN_MASS_RATIO, i);
    }
    const tally *tallies[2] = {&deep, &uneven};
    for (int i = 0; i < 2; ++i) {
        const sn_soft_contact *c = &contacts[tallies[i]->index];
        if (tallies[i]->count == 0) {
            continue;
        }
        description a = describe_deformable(world, deformable);
        description b =
            c->other.generation != 0 ? describe_deformable(world, c->other) : describe_body(world, c->rigid);
        if (i == 0) {
            warn(inspector, "%s and %s overlap at the start, by %.3g m, and will be pushed apart", a.text,
                 b.text, -(double)c->separation);
        } else {
            warn(inspector,
                 "%s and %s are of very unequal mass and touch, %.4g : 1; more world.sub_steps help", a.text,
                 b.text, uneven.worst);
        }
    }
}

bool warn_of_soft_contacts(inspector *inspector)
{
    bool enough = true;
    for (int i = 0; i < inspector->deformables.count && enough; ++i) {
        sn_deformable deformable = inspector->deformables.items[i];
        int count = sn_deformable_contacts(inspector->world, deformable, NULL, 0);
        sn_soft_contact *contacts = malloc(((size_t)count + 1) * sizeof *contacts);
        enough = contacts != NULL;
        if (enough && count > 0) {
            sn_deformable_contacts(inspector->world, deformable, contacts, count);
            warn_of_overlap(inspector, deformable, contacts, count);
        }
        free(contacts);
    }
    int crossings = sn_world_statistics(inspector->world).crossing_count;
    if (crossings > 0) {
        warn(inspector,
             "%s each other at the start, and may stay so: nothing is cut where something crosses already",
             describe_count(crossings, "pair of faces touches or crosses", "pairs of faces touch or cross")
                 .text);
    }
    return enough;
}
