// Settings, the list of items, building.
#include "random/random_world.h"

#include <math.h>
#include <string.h>

float random_log(test_random *random, float lower, float upper)
{
    return lower * powf(upper / lower, test_random_float(random, 0.0f, 1.0f));
}

bool random_chance(test_random *random, float share)
{
    return test_random_float(random, 0.0f, 1.0f) < share;
}

int random_below(test_random *random, int count)
{
    return (int)(test_random_u32(random) % (uint32_t)count);
}

sn_vec3 random_cell(const random_world *w, int number)
{
    (void)w;
    const float spacing = 1.6f;
    return sn_v(spacing * (float)(number % 4), 1.0f + spacing * (float)(number / 16),
                spacing * (float)(number / 4 % 4));
}

const item *random_item(const random_world *w, test_random *random, item_type type, const item *not_this)
{
    int wanted = random_below(random, w->item_count);
    const item *found = NULL;
    for (int i = 0; i < w->item_count; ++i) { // the first of its type from `wanted` on, around the end
        const item *one = &w->items[(wanted + i) % w->item_count];
        if (found == NULL && one->type == type && one != not_this) {
            found = one;
        }
    }
    return found != NULL && found->is_built ? found : NULL;
}

bool random_refused(const random_world *w, int number, sn_status status)
{
    if (status != SN_OK) {
        fprintf(stderr, "seed %llu, item %d (%s): %s\n", (unsigned long long)w->seed, number,
                w->items[number].what, sn_world_error(w->world));
    }
    return status != SN_OK;
}

static void draw_settings(random_world *w, test_random *random)
{
    static const float lengths[] = {1.0f / 240.0f, 1.0f / 120.0f, 1.0f / 60.0f, 1.0f / 30.0f};
    w->def = sn_world_def_default();
    w->kind.is_floating = random_chance(random, 0.2f);
    w->kind.is_driven = !w->kind.is_floating && random_chance(random, 0.4f);
    w->def.gravity = w->kind.is_floating ? sn_v(0, 0, 0) : sn_v(0, -9.81f, 0);
    w->def.solver = random_chance(random, 0.2f) ? SN_SOLVER_STAGGERED : SN_SOLVER_VELOCITY;
    w->def.sub_steps = random_chance(random, 0.3f) ? 1 + random_below(random, 30) : 0;
    w->def.sleep = random_chance(random, 0.7f);
    w->def.continuous = random_chance(random, 0.9f);
    if (random_chance(random, 0.15f)) {
        w->def.long_range = sn_long_range_off();
    }
    if (w->kind.is_driven && random_chance(random, 0.3f)) {
        w->def.wind = test_random_vec3(random, 20.0f);
    }
    w->step = lengths[random_below(random, 4)];
}

static void add_items(random_world *w, test_random *random, item_type type, int count)
{
    for (int i = 0; i < count && w->item_count < MAX_ITEMS; ++i) {
        item *one = &w->items[w->item_count++];
        *one =
            (item){.type = type, .seed = ((uint64_t)test_random_u32(random) << 32) + test_random_u32(random)};
        one->step = 1 + random_below(random, w->steps - 1);
    }
}

void random_world_draw(random_world *w, uint64_t seed)
{
    test_random random = {seed * 0x9E3779B97F4A7C15u + 12345u};
    test_random_u32(&random);
    memset(w, 0, sizeof *w);
    w->seed = seed;
    w->steps = 300;
    draw_settings(w, &random);
    int bodies = random_below(&random, 10), softs = random_below(&random, 4);
    bodies += bodies + softs == 0;
    add_items(w, &random, ITEM_BODY, bodies);
    add_items(w, &random, ITEM_SOFT, softs);
    add_items(w, &random, ITEM_JOINT, random_below(&random, 8));
    add_items(w, &random, ITEM_ANCHOR, softs > 0 ? random_below(&random, 6) : 0);
    add_items(w, &random, ITEM_CHANGE, random_chance(&random, 0.4f) ? random_below(&random, 6) : 0);
}

static bool add_floor(random_world *w)
{
    if (w->kind.is_floating) {
        return true;
    }
    sn_plane plane = {.normal = sn_v(0, 1, 0)};
    return sn_plane_add(w->world, sn_world_ground(w->world), NULL, plane, NULL) == SN_OK;
}

bool random_world_build(random_world *w, int threads)
{
    static bool (*const adders[])(random_world *, int) = {[ITEM_BODY] = random_body_add,
                                                          [ITEM_SOFT] = random_soft_add,
                                                          [ITEM_JOINT] = random_joint_add,
                                                          [ITEM_ANCHOR] = random_anchor_add};
    w->def.threads = threads;
    if (sn_world_create(&w->def, &w->world) != SN_OK || !add_floor(w)) {
        fprintf(stderr, "seed %llu: %s\n", (unsigned long long)w->seed, sn_last_error());
        return false;
    }
    bool built = true;
    for (int i = 0; i < w->item_count && built; ++i) {
        item *one = &w->items[i];
        one->is_built = false;
        if (one->type != ITEM_CHANGE && !one->is_off) {
            built = adders[one->type](w, i);
        }
    }
    return built;
}

void random_world_release(random_world *w)
{
    sn_world_destroy(w->world);
    w->world = NULL;
}
