// Inversion recovery: tetrahedra that are flat or inverted and stay so. Constitutive laws do not describe
// such elements, and the energies of elements, springs and volumes have minima in which inverted elements
// block each other. Four times a second, those that do not recover by themselves are corrected: the nodes of
// the element and of all that share a node with it move to the best fit of the rest shape, with a rigid
// motion of the same momentum and angular momentum (Müller et al. 2005, one rigid match).
//
// This stage runs before contacts are detected, and so before a step may fail for lack of memory: what it
// changes is saved, and restored then.
#include "world/core/world.h"
#include "world/energy/energy_accounts.h"

#include <math.h>
#include <string.h>

static const double period = 0.25; // [s]
static const float flat = 0.02f;   // volume relative to rest, below which an element counts as inverted
static const float wound =
    2.5f * SN_PI; // the sum of angles of elements around an edge above which they overlap; at rest 2π at most
static const float strained = 0.3f; // largest stretch of an edge below which nothing is checked
static const float slow = 1.0f;     // rate of change below which an element does not recover by itself
static const double hold = 1000.0;  // weight of fixed nodes relative to free ones

// A deformable while it is corrected. Nodes are numbered as in its mesh.
typedef struct patient {
    const sn_mesh *mesh;
    float scale;
    sn_node_state *nodes;
    sn_node_velocity *velocities;
    const float *masses;
    // Elements around a node: around[begin[node]] … around[begin[node + 1] − 1].
    int *begin, *around;
    // The nodes of the present cluster; `stamp` has the number of the last cluster a node was in.
    int *cluster, *stamp;
    int cluster_count, cluster_number;
} patient;

// --- elements around nodes ---------------------------------------------------------------------------------

static bool list_elements(patient *p, sn_arena *arena)
{
    size_t nodes = (size_t)p->mesh->node_count, corners = 4 * (size_t)p->mesh->tetrahedron_count;
    p->begin = sn_arena_take_zero(arena, nodes + 1, sizeof *p->begin);
    p->around = sn_arena_take(arena, corners, sizeof *p->around);
    p->cluster = sn_arena_take(arena, nodes, sizeof *p->cluster);
    p->stamp = sn_arena_take_zero(arena, nodes, sizeof *p->stamp);
    if (p->begin == NULL || p->around == NULL || p->cluster == NULL || p->stamp == NULL) {
        return false;
    }
    for (size_t i = 0; i < corners; ++i) {
        ++p->begin[p->mesh->tetrahedra[i] + 1];
    }
    for (size_t i = 0; i < nodes; ++i) {
        p->begin[i + 1] += p->begin[i];
    }
    for (size_t i = corners; i-- > 0;) { // from the back, so that begin[node] ends where it is to be
        p->around[--p->begin[p->mesh->tetrahedra[i] + 1]] = (int)(i / 4);
    }
    for (size_t i = 0; i < nodes; ++i) {
        p->begin[i] = p->begin[i + 1];
    }
    p->begin[nodes] = (int)corners;
    return true;
}

// --- who is lost -------------------------------------------------------------------------------------------

static sn_vec3 between(const patient *p, uint32_t from, uint32_t to)
{
    return sn_sub(p->nodes[to].position, p->nodes[from].position);
}

// The state of an element relative to its rest shape, and how fast it changes.
typedef struct condition {
    float volume;  // over that at rest
    float stretch; // of an edge, the largest
    float rate;    // of both, the largest [1/s]
} condition;

static condition condition_of(const patient *p, const uint32_t *corners)
{
    condition c = {0};
    sn_vec3 x[3], v[3], rest[3];
    for (int k = 0; k < 3; ++k) {
        x[k] = between(p, corners[0], corners[k + 1]);
        v[k] = sn_sub(p->velocities[corners[k + 1]].velocity, p->velocities[corners[0]].velocity);
        rest[k] = sn_scale(sn_sub(p->mesh->nodes[corners[k + 1]], p->mesh->nodes[corners[0]]), p->scale);
    }
    float inverse = 1.0f / sn_dot(rest[0], sn_cross(rest[1], rest[2]));
    float rate = sn_dot(v[0], sn_cross(x[1], x[2])) + sn_dot(x[0], sn_cross(v[1], x[2])) +
                 sn_dot(x[0], sn_cross(x[1], v[2]));
    c.volume = sn_dot(x[0], sn_cross(x[1], x[2])) * inverse;
    c.rate = sn_abs(rate * inverse);
    for (int k = 0; k < 6; ++k) {
        // The three edges from node 0, then those around the other side.
        int n = k % 3, m = (k + 1) % 3;
        sn_vec3 edge = k < 3 ? x[n] : sn_sub(x[m], x[n]), speed = k < 3 ? v[n] : sn_sub(v[m], v[n]);
        float length = sn_length(k < 3 ? rest[n] : sn_sub(rest[m], rest[n]));
        c.stretch = sn_max(c.stretch, sn_abs(sn_length(edge) / length - 1.0f));
        c.rate = sn_max(c.rate, sn_abs(sn_dot(speed, sn_normalize(edge))) / length);
    }
    return c;
}

// The angle of an element at its edge from a to b.
static float angle_at(const patient *p, const uint32_t *corners, uint32_t a, uint32_t b)
{
    sn_vec3 side[2], edge = between(p, a, b);
    int count = 0;
    for (int k = 0; k < 4; ++k) {
        if (corners[k] != a && corners[k] != b && count < 2) {
            side[count++] = sn_cross(edge, between(p, a, corners[k]));
        }
    }
    return count == 2 ? sn_atan2(sn_length(sn_cross(side[0], side[1])), sn_dot(side[0], side[1])) : 0.0f;
}

static bool has(const uint32_t *corners, uint32_t node)
{
    return corners[0] == node || corners[1] == node || corners[2] == node || corners[3] == node;
}

// Whether the elements around one of its edges go round it more than once: none is inverted, yet they
// overlap.
static bool is_wound(const patient *p, const uint32_t *corners)
{
    static const int ends[6][2] = {{0, 1}, {0, 2}, {0, 3}, {1, 2}, {1, 3}, {2, 3}};
    for (int k = 0; k < 6; ++k) {
        uint32_t a = corners[ends[k][0]], b = corners[ends[k][1]];
        float angles = 0.0f;
        for (int i = p->begin[a]; i < p->begin[a + 1]; ++i) {
            const uint32_t *other = p->mesh->tetrahedra + 4 * (size_t)p->around[i];
            angles += has(other, b) ? angle_at(p, other, a, b) : 0.0f;
        }
        if (angles > wound) {
            return true;
        }
    }
    return false;
}

// --- its surroundings --------------------------------------------------------------------------------------

static void gather_cluster(patient *p, int element)
{
    const uint32_t *corners = p->mesh->tetrahedra + 4 * (size_t)element;
    p->cluster_count = 0;
    ++p->cluster_number;
    for (int k = 0; k < 4; ++k) {
        for (int i = p->begin[corners[k]]; i < p->begin[corners[k] + 1]; ++i) {
            const uint32_t *others = p->mesh->tetrahedra + 4 * (size_t)p->around[i];
            for (int a = 0; a < 4; ++a) {
                if (p->stamp[others[a]] != p->cluster_number) {
                    p->stamp[others[a]] = p->cluster_number;
                    p->cluster[p->cluster_count++] = (int)others[a];
                }
            }
        }
    }
}

// --- putting it right --------------------------------------------------------------------------------------

static void add(sn_vec3d *sum, double weight, sn_vec3 v)
{
    *sum = sn_add_scaled_wide(*sum, weight, sn_widen(v));
}

static sn_vec3 part_of(sn_vec3d sum, double whole)
{
    return sn_v((float)(sum.x / whole), (float)(sum.y / whole), (float)(sum.z / whole));
}

static double weight_of(const patient *p, int node)
{
    double mass = p->masses[node] > 0.0f ? (double)p->masses[node] : 1.0;
    return p->nodes[node].inverse_mass > 0.0f ? mass : hold * mass;
}

// Mass, mass centre, momentum and spin of the cluster, and its rest shape's centre.
typedef struct fit {
    double mass;
    sn_vec3 center, velocity, rest_center;
    sn_vec3d spin; // angular momentum about the centre
    double rest;   // energy of motion beyond that of the centre [J]
} fit;

static fit fit_of(const patient *p)
{
    fit f = {0};
    sn_vec3d center = {0}, momentum = {0}, rest = {0};
    sn_vec3 origin = p->nodes[p->cluster[0]].position;
    for (int i = 0; i < p->cluster_count; ++i) {
        int node = p->cluster[i];
        double weight = weight_of(p, node);
        f.mass += weight;
        add(&center, weight, sn_sub(p->nodes[node].position, origin));
        add(&momentum, weight, p->velocities[node].velocity);
        add(&rest, weight, p->mesh->nodes[node]);
    }
    f.center = sn_add(origin, part_of(center, f.mass));
    f.velocity = part_of(momentum, f.mass);
    f.rest_center = part_of(rest, f.mass);
    for (int i = 0; i < p->cluster_count; ++i) {
        int node = p->cluster[i];
        sn_vec3 arm = sn_sub(p->nodes[node].position, f.center);
        sn_vec3 beyond = sn_sub(p->velocities[node].velocity, f.velocity);
        add(&f.spin, weight_of(p, node), sn_cross(arm, beyond));
        f.rest += 0.5 * weight_of(p, node) * (double)sn_length_squared(beyond);
    }
    return f;
}

static sn_vec3 rest_arm(const patient *p, const fit *f, int node)
{
    return sn_scale(sn_sub(p->mesh->nodes[node], f->rest_center), p->scale);
}

static sn_quat turn_of(const patient *p, const fit *f)
{
    sn_vec3d column[3] = {{0}};
    for (int i = 0; i < p->cluster_count; ++i) {
        int node = p->cluster[i];
        double weight = weight_of(p, node) / f->mass;
        sn_vec3 now = sn_sub(p->nodes[node].position, f->center), rest = rest_arm(p, f, node);
        add(&column[0], weight * (double)rest.x, now);
        add(&column[1], weight * (double)rest.y, now);
        add(&column[2], weight * (double)rest.z, now);
    }
    sn_mat3 moment = {part_of(column[0], 1.0), part_of(column[1], 1.0), part_of(column[2], 1.0)};
    return sn_mat3_polar(moment, sn_quat_identity);
}

// The angular velocity that gives the rotated rest shape this angular momentum, or as much of it as there is
// energy for: what was spread out, or is thin at rest, would spin ever faster.
static sn_vec3 rotation_of(const patient *p, const fit *f, sn_quat turn)
{
    sn_mat3 inertia = sn_mat3_diagonal(0.0f, 0.0f, 0.0f);
    for (int i = 0; i < p->cluster_count; ++i) {
        sn_vec3 arm = rest_arm(p, f, p->cluster[i]);
        float weight = (float)(weight_of(p, p->cluster[i]) / f->mass), square = sn_dot(arm, arm);
        sn_vec3 weighted = sn_scale(arm, weight);
        inertia.x = sn_add(inertia.x, sn_sub(sn_v(weight * square, 0.0f, 0.0f), sn_scale(weighted, arm.x)));
        inertia.y = sn_add(inertia.y, sn_sub(sn_v(0.0f, weight * square, 0.0f), sn_scale(weighted, arm.y)));
        inertia.z = sn_add(inertia.z, sn_sub(sn_v(0.0f, 0.0f, weight * square), sn_scale(weighted, arm.z)));
    }
    sn_vec3 spin = sn_rotate_inverse(turn, part_of(f->spin, f->mass));
    sn_vec3 rotation = sn_mat3_apply(sn_mat3_inverse(inertia), spin);
    double energy = 0.5 * f->mass * (double)sn_dot(rotation, spin);
    float part = energy > f->rest ? sqrtf((float)(f->rest / energy)) : 1.0f;
    return sn_rotate(turn, sn_scale(rotation, part));
}

static void match_cluster(const patient *p)
{
    fit f = fit_of(p);
    sn_quat turn = turn_of(p, &f);
    sn_vec3 rotation = rotation_of(p, &f, turn);
    for (int i = 0; i < p->cluster_count; ++i) {
        int node = p->cluster[i];
        sn_vec3 arm = sn_rotate(turn, rest_arm(p, &f, node));
        if (p->nodes[node].inverse_mass > 0.0f) {
            p->nodes[node].position = sn_add(f.center, arm);
            p->velocities[node].velocity = sn_add(f.velocity, sn_cross(rotation, arm));
        }
    }
}

// --- undoing it --------------------------------------------------------------------------------------------

// A deformable as it was before it was corrected.
typedef struct sn_saved_shape {
    struct sn_saved_shape *next;
    sn_deformable_data *data;
    sn_node_state *nodes;
    sn_node_velocity *velocities;
    void *blocks;           // of all groups, one after the other
    sn_energy_share energy; // with what was paid in
} sn_saved_shape;

static size_t size_of_blocks(const sn_element_group *group)
{
    return (size_t)group->block_count * group->kind->block_size;
}

// False without memory.
static bool save(sn_world *world, sn_deformable_data *data, const patient *p)
{
    size_t nodes = (size_t)data->node_count, bytes = 0, done = 0;
    for (int g = 0; g < data->groups.count; ++g) {
        bytes += size_of_blocks(&data->groups.data[g]);
    }
    sn_saved_shape *saved = sn_arena_take(&world->arena, 1, sizeof *saved);
    sn_node_state *states = sn_arena_take(&world->arena, nodes, sizeof *states);
    sn_node_velocity *velocities = sn_arena_take(&world->arena, nodes, sizeof *velocities);
    char *blocks = sn_arena_take(&world->arena, bytes, 1);
    if (saved == NULL || states == NULL || velocities == NULL || blocks == NULL) {
        return false;
    }
    memcpy(states, p->nodes, nodes * sizeof *states);
    memcpy(velocities, p->velocities, nodes * sizeof *velocities);
    for (int g = 0; g < data->groups.count; ++g) {
        size_t size = size_of_blocks(&data->groups.data[g]);
        memcpy(blocks + done, data->groups.data[g].blocks, size);
        done += size;
    }
    *saved = (sn_saved_shape){world->saved_shapes, data, states, velocities, blocks, data->energy};
    world->saved_shapes = saved;
    return true;
}

const sn_node_state *sn_world_nodes_before_recovery(const sn_world *world, const sn_deformable_data *data)
{
    for (const sn_saved_shape *saved = world->saved_shapes; saved != NULL; saved = saved->next) {
        if (saved->data == data) {
            return saved->nodes;
        }
    }
    return NULL;
}

// The last one that was saved.
static void undo_last(sn_world *world)
{
    const sn_saved_shape *saved = world->saved_shapes;
    const sn_deformable_data *data = saved->data;
    const char *blocks = saved->blocks;
    size_t nodes = (size_t)data->node_count;
    memcpy(world->nodes.states.data + data->first_node, saved->nodes, nodes * sizeof *saved->nodes);
    memcpy(world->nodes.velocities.data + data->first_node, saved->velocities,
           nodes * sizeof *saved->velocities);
    saved->data->energy = saved->energy;
    for (int g = 0; g < data->groups.count; ++g) {
        size_t size = size_of_blocks(&data->groups.data[g]);
        memcpy(data->groups.data[g].blocks, blocks, size);
        blocks += size;
    }
    world->saved_shapes = saved->next;
}

void sn_world_undo_recovery(sn_world *world)
{
    while (world->saved_shapes != NULL) {
        undo_last(world);
    }
}

// --- what it costs -----------------------------------------------------------------------------------------

// Of motion beyond that of the mass centre [J].
static double inner_motion(const sn_deformable_data *data, const patient *p, sn_vec3 whole)
{
    double sum = 0.0;
    for (int i = 0; i < data->node_count; ++i) {
        bool moves = p->nodes[i].inverse_mass > 0.0f;
        sn_vec3 beyond = sn_sub(p->velocities[i].velocity, whole);
        sum += moves ? 0.5 * (double)p->masses[i] * (double)sn_length_squared(beyond) : 0.0;
    }
    return sum;
}

// What it has now.
typedef struct budget {
    double motion; // beyond that of the mass centre [J]
    double held;   // by what joints and anchors store [J]
    double all;    // with heights and strain [J]
    sn_vec3 whole; // velocity of the mass centre
} budget;

static budget budget_of(const sn_world *world, const sn_deformable_data *data, const patient *p,
                        float duration)
{
    int index = (int)(data - world->deformables.data);
    sn_deformable_measure now = sn_deformable_measure_now(world, sn_deformable_id(world, index));
    sn_vec3 gravity = sn_scale(world->def.gravity, data->def.gravity_scale);
    budget has = {.motion = inner_motion(data, p, now.velocity), .whole = now.velocity};
    has.held = sn_energy_of_constraints(world, data->first_constraint, duration);
    has.all = has.motion + has.held + (double)now.elastic_energy -
              (double)now.mass * (double)sn_dot(gravity, now.center);
    return has;
}

// Fixed nodes hold what is around them, so that rest shapes may be higher up, and elements beside them are
// strained; and so are anchors and joints. Motion pays for it. False where it cannot. What joints and anchors
// have got of it counts as stored; what strain gave them does not, as elements may tell more than they have.
static bool pay(const sn_world *world, sn_deformable_data *data, const patient *p, const budget *before,
                float duration)
{
    budget now = budget_of(world, data, p, duration);
    double gained = now.all - before->all, held = fmax(now.held - before->held, 0.0);
    if (gained > now.motion) {
        return false;
    }
    float kept = gained > 0.0 ? sqrtf((float)(1.0 - gained / now.motion)) : 1.0f;
    for (int i = 0; i < data->node_count && kept < 1.0f; ++i) {
        if (p->nodes[i].inverse_mass > 0.0f) {
            sn_vec3 beyond = sn_sub(p->velocities[i].velocity, now.whole);
            p->velocities[i].velocity = sn_add_scaled(now.whole, kept, beyond);
        }
    }
    data->energy.stored += (float)fmin(held, fmax(gained, 0.0));
    return true;
}

// --- all of them -------------------------------------------------------------------------------------------

static void forget_lanes(void *context, sn_lanes *lanes, const sn_element_memory *memory)
{
    (void)context;
    for (int i = 0; !memory->is_place && i < SN_LANES; ++i) {
        lanes->lane[i] = memory->fresh;
    }
}

void sn_deformable_forget_impulses(const sn_deformable_data *data)
{
    for (int g = 0; g < data->groups.count; ++g) {
        sn_element_group_visit(&data->groups.data[g], forget_lanes, NULL);
    }
}

// Without memory nothing is done; a later step tries again.
static void recover(sn_world *world, sn_deformable_data *data, float duration)
{
    patient p = {.mesh = data->def.mesh,
                 .scale = data->def.scale,
                 .nodes = world->nodes.states.data + data->first_node,
                 .velocities = world->nodes.velocities.data + data->first_node,
                 .masses = world->nodes.masses.data + data->first_node};
    budget before = {0};
    for (int i = 0; i < p.mesh->tetrahedron_count; ++i) {
        const uint32_t *corners = p.mesh->tetrahedra + 4 * (size_t)i;
        condition c = condition_of(&p, corners);
        if (c.rate > slow || !(c.volume < flat || c.stretch > strained)) {
            continue;
        }
        if (p.begin == NULL && !list_elements(&p, &world->arena)) {
            return;
        }
        if (c.volume < flat || is_wound(&p, corners)) {
            if (p.cluster_number == 0 && !save(world, data, &p)) {
                return;
            }
            before = p.cluster_number == 0 ? budget_of(world, data, &p, duration) : before;
            gather_cluster(&p, i);
            match_cluster(&p);
        }
    }
    if (p.cluster_number > 0 && pay(world, data, &p, &before, duration)) {
        sn_deformable_forget_impulses(data);
    } else if (p.cluster_number > 0) {
        undo_last(world);
    }
}

// Edges that only keep from stretching, and nothing else: such a body hangs and lies crumpled, and lifting it
// into its rest shape would be work from nowhere.
static bool is_slack(const sn_deformable_def *def)
{
    return def->model.type == SN_MODEL_NONE && def->inextensible.on &&
           def->inextensible.side == SN_HOLD_STRETCH && def->edge_option_count == 0;
}

void sn_stage_recover(sn_world *world, float duration)
{
    if (floor((world->time + (double)duration) / period) <= floor(world->time / period)) {
        return;
    }
    for (int i = 0; i < world->deformables.count; ++i) {
        sn_deformable_data *data = &world->deformables.data[i];
        if (sn_id_pool_in_use(&world->deformable_ids, i) && !sn_deformable_sleeps(data) &&
            !is_slack(&data->def)) {
            recover(world, data, duration);
        }
    }
}
