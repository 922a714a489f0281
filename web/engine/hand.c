// The user's hand in the world: a compliant anchor between the mouse and what it caught, balls and cubes.
//
// The anchor is a spring and damper as for the mass of all that hangs together with what was caught: a link
// of a chain is pulled as strongly as the chain needs.
#include "bridge.h"

#include <stdlib.h>
#include <string.h>

// Frequency of the hand's spring [rad/s], and what it pulls at most, in weights at 9.81 m/s².
static const float hand_frequency = 18.0f, hand_weights = 30.0f;

static const char hand_name[] = "the hand";

static sn_constraint anchor;
static float held_mass;

// --- what hangs together -----------------------------------------------------------------------------------

typedef struct mass_search {
    sn_constraint *constraints;
    bool *used;
    int count;
    sn_rigid *rigids;     // found so far
    sn_deformable *softs; // likewise
    int rigid_count, soft_count;
} mass_search;

static bool same_rigid(sn_rigid a, sn_rigid b)
{
    return a.index == b.index && a.generation == b.generation;
}

static bool same_soft(sn_deformable a, sn_deformable b)
{
    return a.index == b.index && a.generation == b.generation;
}

static bool is_found(const mass_search *search, const sn_point *point)
{
    bool found = false;
    for (int i = 0; i < search->rigid_count && point->type == SN_POINT_RIGID && !found; ++i) {
        found = same_rigid(search->rigids[i], point->rigid);
    }
    bool soft = point->type == SN_POINT_NODES || point->type == SN_POINT_SURFACE;
    for (int i = 0; i < search->soft_count && soft && !found; ++i) {
        found = same_soft(search->softs[i], point->deformable);
    }
    return found;
}

static void add_found(mass_search *search, const sn_point *point)
{
    if (is_found(search, point)) {
        return;
    }
    if (point->type == SN_POINT_RIGID && sn_rigid_get_type(page_world, point->rigid) == SN_DYNAMIC) {
        search->rigids[search->rigid_count++] = point->rigid;
    } else if (point->type == SN_POINT_NODES || point->type == SN_POINT_SURFACE) {
        search->softs[search->soft_count++] = point->deformable;
    }
}

// Follows constraints from what is found to what is not, until nothing new is found.
static void spread(mass_search *search)
{
    bool more = true;
    while (more) {
        more = false;
        for (int i = 0; i < search->count; ++i) {
            sn_constraint_common common = sn_constraint_definition(page_world, search->constraints[i]);
            if (!search->used[i] && (is_found(search, &common.a) || is_found(search, &common.b))) {
                search->used[i] = more = true;
                add_found(search, &common.a);
                add_found(search, &common.b);
            }
        }
    }
}

static float sum_masses(const mass_search *search)
{
    float mass = 0.0f;
    for (int i = 0; i < search->rigid_count; ++i) {
        mass += sn_rigid_mass(page_world, search->rigids[i]).mass;
    }
    for (int i = 0; i < search->soft_count; ++i) {
        mass += sn_deformable_measure_now(page_world, search->softs[i]).mass;
    }
    return mass;
}

// The mass of all that constraints hold together with the point [kg].
static float mass_behind(const sn_point *point)
{
    int count = sn_world_constraints(page_world, NULL, 0);
    size_t most = 2 * (size_t)count + 2;
    mass_search search = {.constraints = malloc(most * sizeof(sn_constraint)),
                          .used = calloc(most, sizeof(bool)),
                          .count = count,
                          .rigids = malloc(most * sizeof(sn_rigid)),
                          .softs = malloc(most * sizeof(sn_deformable))};
    float mass = 1.0f;
    if (search.constraints != NULL && search.used != NULL && search.rigids != NULL && search.softs != NULL) {
        sn_world_constraints(page_world, search.constraints, count);
        add_found(&search, point);
        spread(&search);
        mass = sum_masses(&search);
    }
    free(search.constraints);
    free(search.used);
    free(search.rigids);
    free(search.softs);
    return mass;
}

// --- grabbing ----------------------------------------------------------------------------------------------

static bool can_move(const sn_point *point)
{
    return point->type == SN_POINT_NODES ||
           (point->type == SN_POINT_RIGID && sn_rigid_get_type(page_world, point->rigid) == SN_DYNAMIC);
}

int page_grab(float ox, float oy, float oz, float dx, float dy, float dz)
{
    sn_point point;
    sn_hit hit;
    page_grab_end();
    if (sn_world_pick(page_world, sn_v(ox, oy, oz), sn_v(dx, dy, dz), sn_query_filter_default(), &point,
                      &hit) != SN_OK ||
        !can_move(&point)) {
        return 0;
    }
    held_mass = mass_behind(&point);
    sn_anchor_def def = sn_anchor_def_default();
    float stiffness = held_mass * hand_frequency * hand_frequency;
    def.a = sn_point_world(hit.point);
    def.b = point;
    def.compliance = 1.0f / stiffness;
    def.damping = 2.0f * held_mass * hand_frequency;
    def.max_force = hand_weights * held_mass * 9.81f;
    def.name = hand_name;
    return sn_anchor_add(page_world, &def, &anchor) == SN_OK;
}

int page_grab_move(float x, float y, float z)
{
    sn_point place = sn_point_world(sn_v(x, y, z));
    return sn_anchor_point_set(page_world, anchor, 0, &place);
}

void page_grab_end(void)
{
    page_grab_check();
    if (anchor.generation != 0) {
        sn_anchor_remove(page_world, anchor);
        anchor = (sn_constraint){0};
    }
}

void page_grab_check(void)
{
    if (anchor.generation != 0 && !sn_constraint_is_valid(page_world, anchor)) {
        anchor = (sn_constraint){0};
    }
}

void page_grab_forget(void)
{
    int count = sn_world_constraints(page_world, NULL, 0);
    sn_constraint *list = malloc(((size_t)count + 1) * sizeof *list);
    anchor = (sn_constraint){0};
    if (list != NULL) {
        sn_world_constraints(page_world, list, count);
        for (int i = 0; i < count; ++i) {
            if (strcmp(sn_constraint_name(page_world, list[i]), hand_name) == 0) {
                sn_constraint_remove(page_world, list[i]);
            }
        }
    }
    free(list);
}

const float *page_grab_state(void)
{
    static float state[12];
    memset(state, 0, sizeof state);
    if (anchor.generation == 0) {
        return state;
    }
    sn_anchor_def def = sn_anchor_definition(page_world, anchor);
    sn_vec3 hand = {0}, held = {0}, force = sn_anchor_force(page_world, anchor);
    sn_point_place(page_world, &def.a, &hand);
    sn_point_place(page_world, &def.b, &held);
    const float values[] = {1.0f,   hand.x,  hand.y,  hand.z,  held.x,           held.y,
                            held.z, force.x, force.y, force.z, sn_length(force), held_mass};
    memcpy(state, values, sizeof values);
    return state;
}

// --- things thrown in --------------------------------------------------------------------------------------

static int add_body(const float *place, const float *velocity, sn_rigid *rigid)
{
    sn_rigid_def def = sn_rigid_def_default();
    def.position = sn_v(place[0], place[1], place[2]);
    def.linear_velocity =
        velocity != NULL ? sn_v(velocity[0], velocity[1], velocity[2]) : def.linear_velocity;
    def.name = "thrown";
    return sn_rigid_add(page_world, &def, rigid);
}

int page_throw(const float *place, const float *velocity, float radius, float mass)
{
    sn_rigid rigid;
    int status = add_body(place, velocity, &rigid);
    if (status != SN_OK) {
        return status;
    }
    sn_shape_def shape = sn_shape_def_default();
    shape.density = mass / (4.18879f * radius * radius * radius);
    status = sn_sphere_add(page_world, rigid, &shape, (sn_sphere){.radius = radius}, NULL);
    page_list();
    return status;
}

int page_drop(const float *place, float size, float mass)
{
    sn_rigid rigid;
    int status = add_body(place, NULL, &rigid);
    if (status != SN_OK) {
        return status;
    }
    sn_shape_def shape = sn_shape_def_default();
    float half = 0.5f * size;
    shape.density = mass / (size * size * size);
    status = sn_box_add(page_world, rigid, &shape, (sn_box){{half, half, half}}, NULL);
    page_list();
    return status;
}
