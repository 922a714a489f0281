// Building, moving and measuring the scenes of exact anchors.
#include "exact_scene.h"

#include "measure.h"
#include "support/exact_anchor.h"

#include <math.h>
#include <string.h>

enum { CELLS = 2, MOST_ANCHORS = 16 };
#define SIZE        0.2f
#define RAMP_STEPS  1000
#define CIRCLE_RATE 12.0f // [rad/s]
static const sn_vec3 start = {3.0f, 5.0f, -2.0f};

const char *exact_kind_words(exact_kind kind)
{
    static const char *const words[EXACT_KIND_COUNT] = {"moving nails",
                                                        "two points to one",
                                                        "three points to one",
                                                        "points to lines",
                                                        "points to triangles",
                                                        "points to tetrahedra",
                                                        "points that slide along a surface",
                                                        "points that slide with friction",
                                                        "points to a body",
                                                        "points to a turning platform",
                                                        "points brought together by a ramp"};
    return words[kind];
}

const char *exact_integrator_words(sn_integrator integrator)
{
    static const char *const words[SN_INTEGRATOR_COUNT] = {
        "Euler-Cromer", "explicit Euler", "midpoint", "Heun", "Verlet", "implicit Euler"};
    return words[integrator];
}

// --- jellies -----------------------------------------------------------------------------------------------

// Number of a node: cell corner i, j, k.
static int node_at(int i, int j, int k)
{
    return (k * (CELLS + 1) + j) * (CELLS + 1) + i;
}

// The nodes of a corner's cell: the corner, and its neighbours along x, z and y (inwards).
typedef struct corner {
    int nodes[4];
} corner;

static corner corner_of(int index, bool top)
{
    int i = index % 2 * CELLS, k = index / 2 * CELLS, j = top ? CELLS : 0;
    return (corner){{node_at(i, j, k), node_at(1, j, k), node_at(i, j, 1), node_at(i, 1, k)}};
}

static sn_status add_jelly(exact_scene *scene, const exact_scene_def *def, sn_vec3 size, sn_vec3 middle)
{
    sn_mesh *mesh = NULL;
    sn_status status = sn_mesh_box(size, CELLS, CELLS, CELLS, &mesh);
    if (status == SN_OK) {
        sn_deformable_def jelly = sn_deformable_def_default();
        jelly.mesh = mesh;
        jelly.mass = 0.27f;
        jelly.pose.position = sn_add(start, middle);
        jelly.model = (sn_model){
            .type = SN_MODEL_ENERGY, .stiffness = 1.0f, .volume_stiffness = 2.0f, .damping = 0.0001f};
        jelly.integrator = def->integrator;
        jelly.collide = false;
        // The explicit Euler scheme makes more energy than the model takes away.
        bool gains = def->integrator == SN_INTEGRATOR_EXPLICIT_EULER;
        jelly.linear_damping = def->free ? 0.0f : gains ? 60.0f : 1.0f;
        jelly.linear_velocity = def->free ? sn_v(1.0f, 2.0f, -0.5f) : sn_v(0.5f, 0.0f, 0.5f);
        jelly.angular_velocity = def->free && gains ? sn_v(0.0f, 0.0f, 0.0f) : sn_v(0.0f, 2.0f, 0.0f);
        status = sn_deformable_add(scene->world, &jelly, &scene->jellies[scene->jelly_count]);
        ++scene->jelly_count;
    }
    sn_mesh_destroy(mesh);
    return status;
}

// --- anchors -----------------------------------------------------------------------------------------------

static sn_status hold(exact_scene *scene, sn_point a, sn_point b, int ramp_steps, float friction,
                      sn_anchor *anchor)
{
    sn_anchor_def def = exact_anchor(a, b, ramp_steps, friction);
    return sn_anchor_add(scene->world, &def, anchor);
}

static sn_vec3 place_of(const exact_scene *scene, int jelly, int node)
{
    return sn_deformable_nodes(scene->world, scene->jellies[jelly])[node].position;
}

static sn_status add_nails(exact_scene *scene)
{
    sn_status status = SN_OK;
    for (int i = 0; i < 4 && status == SN_OK; ++i) {
        int node = corner_of(i, true).nodes[0];
        scene->nail_places[i] = place_of(scene, 0, node);
        status = hold(scene, sn_point_node(scene->jellies[0], node), sn_point_world(scene->nail_places[i]), 1,
                      0.0f, &scene->nails[i]);
        ++scene->nail_count;
    }
    return status;
}

// The corners of the first jelly, above or below, to a box that touches it there.
static sn_status add_body(exact_scene *scene, bool is_platform, sn_vec3 velocity)
{
    sn_rigid_def def = sn_rigid_def_default();
    float side = is_platform ? 1.0f : -1.0f;
    def.type = is_platform ? SN_KINEMATIC : SN_DYNAMIC;
    def.position = sn_add(start, sn_v(0.0f, side * SIZE, 0.0f));
    def.linear_velocity = velocity;
    sn_shape_def shape = sn_shape_def_default();
    sn_box box = {{0.5f * SIZE, 0.5f * SIZE, 0.5f * SIZE}};
    shape.density = 100.0f;
    sn_status status = sn_rigid_add(scene->world, &def, &scene->body);
    status = status ? status : sn_box_add(scene->world, scene->body, &shape, box, NULL);
    for (int i = 0; i < 4 && status == SN_OK; ++i) {
        int node = corner_of(i, is_platform).nodes[0];
        sn_vec3 place = place_of(scene, 0, node);
        status = hold(scene, sn_point_node(scene->jellies[0], node),
                      sn_point_on_rigid(scene->world, scene->body, place), 1, 0.0f, NULL);
    }
    return status;
}

// What a corner of the second jelly is held to: so many nodes of the first one's corner cell.
static sn_point end_of(const exact_scene *scene, exact_kind kind, int index)
{
    static const float weights[5][4] = {
        {0}, {1.0f}, {0.75f, 0.25f}, {0.5f, 0.25f, 0.25f}, {0.25f, 0.25f, 0.25f, 0.25f}};
    corner corner = corner_of(index, false);
    if (kind == EXACT_SURFACE || kind == EXACT_RUBBING) {
        return sn_point_surface(scene->jellies[0]);
    }
    int count = kind == EXACT_LINES ? 2 : kind == EXACT_TRIANGLES ? 3 : kind == EXACT_TETRAHEDRA ? 4 : 1;
    return sn_point_nodes(scene->jellies[0], corner.nodes, weights[count], count);
}

// Its corners where the second jelly's upper ones begin.
static sn_status hang_jelly(exact_scene *scene, const exact_scene_def *def)
{
    bool narrow_x = def->kind == EXACT_LINES || def->kind == EXACT_TRIANGLES ||
                    def->kind == EXACT_TETRAHEDRA || def->kind == EXACT_SURFACE || def->kind == EXACT_RUBBING;
    bool narrow_z = narrow_x && def->kind != EXACT_LINES;
    sn_vec3 size = sn_v(narrow_x ? 0.75f * SIZE : SIZE, SIZE, narrow_z ? 0.75f * SIZE : SIZE);
    float rise = def->kind == EXACT_TETRAHEDRA ? 0.125f * SIZE
                 : def->kind == EXACT_RAMPS    ? -0.5f * SIZE
                                               : 0.0f;
    int count = def->kind == EXACT_MANY ? 2 : 1, ramp = def->kind == EXACT_RAMPS ? RAMP_STEPS : 1;
    float friction = def->kind == EXACT_RUBBING ? 0.3f : 0.0f;
    sn_status status = SN_OK;
    for (int j = 1; j <= count && status == SN_OK; ++j) {
        status = add_jelly(scene, def, size, sn_v(0.0f, rise - SIZE, 0.0f));
        for (int i = 0; i < 4 && status == SN_OK; ++i) {
            sn_point corner = sn_point_node(scene->jellies[j], corner_of(i, true).nodes[0]);
            status = hold(scene, corner, end_of(scene, def->kind, i), ramp, friction, NULL);
        }
    }
    return status;
}

sn_status exact_scene_open(exact_scene *scene, const exact_scene_def *def)
{
    *scene = (exact_scene){0};
    sn_world_def settings = bench_settings(1);
    settings.sub_steps = def->free ? EXACT_FREE_SUB_STEPS : 1;
    settings.gravity = def->free ? sn_v(0.0f, 0.0f, 0.0f) : settings.gravity;
    sn_status status = sn_world_create(&settings, &scene->world);
    status = status ? status : add_jelly(scene, def, sn_v(SIZE, SIZE, SIZE), sn_v(0.0f, 0.0f, 0.0f));
    if (status == SN_OK && !def->free && def->kind != EXACT_ON_PLATFORM) {
        status = add_nails(scene);
    }
    if (status == SN_OK && (def->kind == EXACT_ON_BODY || def->kind == EXACT_ON_PLATFORM)) {
        sn_vec3 velocity = def->free ? sn_v(1.0f, 2.0f, -0.5f) : sn_v(0.0f, 0.0f, 0.0f);
        return add_body(scene, def->kind == EXACT_ON_PLATFORM, velocity);
    }
    return status || def->kind == EXACT_NAILS ? status : hang_jelly(scene, def);
}

void exact_scene_close(exact_scene *scene)
{
    sn_world_destroy(scene->world);
    *scene = (exact_scene){0};
}

// --- moving ------------------------------------------------------------------------------------------------

sn_status exact_scene_step(exact_scene *scene)
{
    float angle = CIRCLE_RATE * EXACT_SCENE_STEP * (float)++scene->steps;
    sn_vec3 way = sn_v(0.1f * sn_sin(angle), 0.05f * sn_sin(2.0f * angle), 0.1f * (1.0f - sn_cos(angle)));
    sn_status status = SN_OK;
    for (int i = 0; i < scene->nail_count && status == SN_OK; ++i) {
        sn_point place = sn_point_world(sn_add(scene->nail_places[i], way));
        status = sn_anchor_point_set(scene->world, scene->nails[i], 1, &place);
    }
    if (status == SN_OK && scene->nail_count == 0 && sn_rigid_is_valid(scene->world, scene->body) &&
        sn_rigid_get_type(scene->world, scene->body) == SN_KINEMATIC) {
        sn_pose pose = {sn_add(start, sn_add(sn_v(0.0f, SIZE, 0.0f), way)),
                        sn_quat_axis_angle(sn_v(0.0f, 1.0f, 0.0f), angle)};
        status = sn_rigid_target_set(scene->world, scene->body, pose);
    }
    return status ? status : sn_world_step(scene->world, EXACT_SCENE_STEP);
}

// --- measuring ---------------------------------------------------------------------------------------------

// v turned by q, in double.
static void turn(sn_quat q, sn_vec3 v, double out[3])
{
    double u[3] = {q.x, q.y, q.z}, w = q.w, a[3] = {v.x, v.y, v.z}, t[3];
    for (int i = 0; i < 3; ++i) {
        int j = (i + 1) % 3, k = (i + 2) % 3;
        t[i] = 2.0 * (u[j] * a[k] - u[k] * a[j]);
    }
    for (int i = 0; i < 3; ++i) {
        int j = (i + 1) % 3, k = (i + 2) % 3;
        out[i] = a[i] + w * t[i] + u[j] * t[k] - u[k] * t[j];
    }
}

static void point_now(const sn_world *world, const sn_point *point, double out[3])
{
    memset(out, 0, 3 * sizeof *out);
    sn_vec3 origin = point->position;
    if (point->type == SN_POINT_RIGID) {
        sn_pose pose = sn_rigid_pose(world, point->rigid);
        turn(pose.rotation, point->position, out);
        origin = pose.position;
    }
    if (point->type == SN_POINT_RIGID || point->type == SN_POINT_WORLD) {
        out[0] += (double)origin.x;
        out[1] += (double)origin.y;
        out[2] += (double)origin.z;
        return;
    }
    const sn_node_state *nodes = sn_deformable_nodes(world, point->deformable);
    for (int i = 0; i < point->node_count; ++i) {
        sn_vec3 x = nodes[point->nodes[i]].position;
        double weight = point->weights[i];
        out[0] += weight * (double)x.x;
        out[1] += weight * (double)x.y;
        out[2] += weight * (double)x.z;
    }
}

double exact_scene_error(const exact_scene *scene)
{
    sn_anchor anchors[MOST_ANCHORS];
    double largest = 0.0;
    int count = sn_world_anchors(scene->world, anchors, MOST_ANCHORS);
    for (int i = 0; i < count; ++i) {
        sn_anchor_def def = sn_anchor_definition(scene->world, anchors[i]);
        double a[3], b[3];
        if (def.ramp_steps > scene->steps) {
            continue;
        }
        point_now(scene->world, &def.a, a);
        point_now(scene->world, &def.b, b);
        double apart = sqrt((a[0] - b[0]) * (a[0] - b[0]) + (a[1] - b[1]) * (a[1] - b[1]) +
                            (a[2] - b[2]) * (a[2] - b[2]));
        largest = apart <= largest ? largest : apart; // a position that is not finite counts
    }
    return largest;
}

double exact_scene_size(const exact_scene *scene)
{
    double size = 0.0;
    for (int i = 0; i < scene->jelly_count; ++i) {
        sn_bounds bounds = sn_deformable_measure_now(scene->world, scene->jellies[i]).bounds;
        sn_vec3 far = sn_max3(sn_abs3(bounds.lower), sn_abs3(bounds.upper));
        size = fmax(size, fmax((double)far.x, fmax((double)far.y, (double)far.z)));
    }
    return size;
}
