// Nodes within the balls of their bounds.
// Tested by tests/solver/contact/test_node_reach.c.
#include "solver/contact/node_reach.h"

#include <math.h>
#include <string.h>

// By this part nodes may be farther away than their bounds. A sheet that is held at its own size would stay
// flat under any load, and pull without end on what holds it; so it sinks by a hundredth of its radius.
#define PRESSED_STRETCH 1.0e-4f
// What moves by less than this part of the distance in a step stands still.
#define STILL 1.0e-3f
// Narrow is less than this part across.
#define NARROW 0.1f

bool sn_node_reaches_open(sn_node_reaches *reaches, sn_arena *arena, int node_count)
{
    *reaches = (sn_node_reaches){.of_node = sn_arena_take(arena, (size_t)node_count, sizeof(int))};
    if (reaches->of_node != NULL) {
        memset(reaches->of_node, 0xff, (size_t)node_count * sizeof(int));
    }
    return reaches->of_node != NULL;
}

void sn_node_reaches_ask(sn_node_reaches *reaches, int node)
{
    if (reaches->of_node[node] < 0) {
        reaches->of_node[node] = reaches->count++;
    }
}

bool sn_node_reaches_make(sn_node_reaches *reaches, sn_arena *arena)
{
    reaches->data = sn_arena_take_zero(arena, (size_t)reaches->count, sizeof *reaches->data);
    return reaches->data != NULL;
}

// How much room two balls leave: below 1 they are apart.
static float room_of(const sn_node_reach *reach, int a, int b)
{
    float distance = sn_distance_between(reach->center[a], reach->center[b]);
    return distance > 0.0f ? (reach->radius[a] + reach->radius[b]) / distance : INFINITY;
}

static void add_pair(sn_node_reach *reach, int a, int b)
{
    int place = reach->pair_count;
    while (place > 0 &&
           room_of(reach, a, b) < room_of(reach, reach->pair[place - 1][0], reach->pair[place - 1][1])) {
        if (place < 2) {
            memcpy(reach->pair[place], reach->pair[place - 1], sizeof reach->pair[place]);
        }
        --place;
    }
    if (place < 2) {
        reach->pair[place][0] = (uint8_t)a;
        reach->pair[place][1] = (uint8_t)b;
        reach->pair_count = reach->pair_count < 2 ? reach->pair_count + 1 : 2;
    }
}

static void add_ball(sn_node_reach *reach, sn_vec3 center, sn_bound_block *block, int lane)
{
    int i = reach->count;
    if (i < SN_REACH_BALLS) {
        reach->center[i] = center;
        reach->radius[i] = (1.0f + PRESSED_STRETCH) * block->rest.lane[lane];
        reach->block[i] = block;
        reach->lane[i] = (uint8_t)lane;
        ++reach->count;
        for (int k = 0; k < i; ++k) {
            add_pair(reach, k, i);
        }
    }
}

// How far a node goes in the step.
static float way_of(const sn_nodes *nodes, int node, float duration)
{
    return nodes->has_target.data[node]
               ? sn_distance_between(nodes->targets.data[node], nodes->states.data[node].position)
               : duration * sn_length(nodes->velocities.data[node].velocity);
}

// Whether what holds a bound stands still, so that it is a ball.
static bool add_held(sn_node_reach *reach, sn_bound_block *block, int lane, const sn_nodes *nodes,
                     float duration)
{
    int held = sn_places_node(&block->node[1], lane);
    if (held == 0 || sn_places_node(&block->moved, lane) != 0 || block->gives_way ||
        !(way_of(nodes, held, duration) <= STILL * block->rest.lane[lane])) {
        return false;
    }
    add_ball(reach, nodes->states.data[held].position, block, lane);
    return true;
}

bool sn_node_reaches_add(sn_node_reaches *reaches, const sn_element_group *bounds, const sn_nodes *nodes,
                         float duration)
{
    bool any = false;
    sn_bound_block *block = bounds->blocks;
    for (int i = 0; i < bounds->block_count; ++i) {
        for (int lane = 0; lane < SN_LANES; ++lane) {
            int reach = reaches->of_node[sn_places_node(&block[i].node[0], lane)];
            if (reach >= 0 && add_held(&reaches->data[reach], &block[i], lane, nodes, duration)) {
                any = true; // of few
            }
        }
    }
    return any;
}

// --- ends --------------------------------------------------------------------------------------------------

static sn_vec3 end_of_ball(const sn_node_reach *reach, int i, sn_vec3 direction)
{
    return sn_add_scaled(reach->center[i], reach->radius[i], direction);
}

static bool is_in_ball(const sn_node_reach *reach, int i, sn_vec3 place)
{
    return sn_length_squared(sn_sub(place, reach->center[i])) <= reach->radius[i] * reach->radius[i];
}

// On the circle in which two balls meet; where they are apart, between them.
static sn_vec3 end_of_circle(const sn_node_reach *reach, int a, int b, sn_vec3 direction)
{
    sn_vec3 apart = sn_sub(reach->center[b], reach->center[a]);
    float distance = sn_length(apart), r = reach->radius[a], s = reach->radius[b], sum = r + s;
    sn_vec3 axis = sn_scale(apart, 1.0f / distance);
    sn_vec3 across = sn_add_scaled(direction, -sn_dot(direction, axis), axis);
    float offset = distance < sum ? 0.5f * (distance + (r - s) * sum / distance) : distance * r / sum;
    float square = (r - offset) * (r + offset), length = sn_length(across);
    sn_vec3 middle = sn_add_scaled(reach->center[a], offset, axis);
    return square > 0.0f && length > 0.0f ? sn_add_scaled(middle, sqrtf(square) / length, across) : middle;
}

static sn_reach_end end_of_pair(const sn_node_reach *reach, uint8_t a, uint8_t b, sn_vec3 direction)
{
    sn_vec3 end_a = end_of_ball(reach, a, direction), end_b = end_of_ball(reach, b, direction);
    if (is_in_ball(reach, b, end_a)) {
        return (sn_reach_end){end_a, {a, a}};
    }
    if (is_in_ball(reach, a, end_b)) {
        return (sn_reach_end){end_b, {b, b}};
    }
    return (sn_reach_end){end_of_circle(reach, a, b, direction), {a, b}};
}

sn_reach_end sn_node_reach_end(const sn_node_reach *reach, sn_vec3 direction)
{
    sn_reach_end least = {end_of_ball(reach, 0, direction), {0, 0}};
    for (int i = 0; i < reach->pair_count; ++i) {
        sn_reach_end end = end_of_pair(reach, reach->pair[i][0], reach->pair[i][1], direction);
        if (sn_dot(sn_sub(end.place, least.place), direction) < 0.0f) {
            least = end;
        }
    }
    return least;
}

static float extent_along(const sn_node_reach *reach, sn_vec3 direction)
{
    sn_vec3 back = sn_node_reach_end(reach, sn_neg(direction)).place;
    return sn_dot(sn_sub(sn_node_reach_end(reach, direction).place, back), direction);
}

bool sn_node_reach_is_narrow(const sn_node_reach *reach, sn_vec3 direction)
{
    sn_vec3 tangent = sn_perpendicular(direction);
    float most = NARROW * extent_along(reach, direction);
    return extent_along(reach, tangent) < most && extent_along(reach, sn_cross(direction, tangent)) < most;
}

// The tensions of the two bounds that come nearest to the impulse. Two that are opposite to each other share
// it.
void sn_node_reach_pull(const sn_node_reach *reach, const sn_reach_end *end, sn_vec3 impulse)
{
    sn_vec3 way[2];
    double along[2], pull[2];
    for (int i = 0; i < 2; ++i) {
        way[i] = sn_normalize(sn_sub(end->place, reach->center[end->ball[i]]));
        along[i] = (double)sn_dot(way[i], impulse);
    }
    double cosine = (double)sn_dot(way[0], way[1]), square = 1.0 - cosine * cosine;
    bool is_pair = square > 1.0e-6;
    pull[0] = is_pair ? (along[0] - cosine * along[1]) / square : 0.5 * along[0];
    pull[1] = is_pair ? (along[1] - cosine * along[0]) / square : 0.5 * along[1];
    for (int i = 0; i < 2; ++i) {
        sn_bound_block *block = reach->block[end->ball[i]];
        int lane = reach->lane[end->ball[i]];
        sn_vec3 total = sn_scale(way[i], (float)pull[i]);
        block->total[0].lane[lane] += total.x;
        block->total[1].lane[lane] += total.y;
        block->total[2].lane[lane] += total.z;
    }
}
