// Verlet lists between surfaces: which of them are used in a step. What rests on each other is found once.
// Tested by tests/collision/soft/test_verlet_list.c.
#include "collision/soft/soft_phases.h"

// A list that was not used for so many runs of detection may be replaced by that of another pair.
enum { KEPT_RUNS = 8 };

sn_verlet_step sn_soft_verlet_step(const sn_soft_search *search, const sn_soft_collider *collider)
{
    return (sn_verlet_step){.nodes = search->scene->nodes->states.data + collider->first_node,
                            .displacements = search->displacements_between + collider->first_node,
                            .frame_displacement =
                                sn_scale(collider->surface->frame_displacement, search->share),
                            .growth = sn_soft_growth(search->scene, collider)};
}

static sn_vec3 fall_of(const sn_soft_search *search)
{
    float duration = search->scene->duration;
    return sn_scale(search->scene->gravity, duration * duration);
}

// How much closer falling brings two nodes in the step. They fall alike, of which half is uncertain; not if
// one of them is held, or has a gravity of its own.
static float fall_between(const sn_soft_search *search, const sn_soft_collider *collider)
{
    const sn_node_state *nodes = search->scene->nodes->states.data + collider->first_node;
    float scale = collider->def->gravity_scale, fall = sn_length(fall_of(search));
    bool is_usual = scale == 1.0f;
    for (int i = 0; i < collider->node_count && is_usual; ++i) {
        is_usual = nodes[i].inverse_mass > 0.0f;
    }
    return is_usual ? SN_SOFT_MARGIN * fall : (1.0f + SN_SOFT_MARGIN) * sn_max(sn_abs(scale), 1.0f) * fall;
}

// Which faces stay within their skins. Two deformables may each be stopped as a body, one before the other,
// so they are followed in the world.
static bool follow(const sn_soft_search *search, const sn_soft_collider *collider, float height)
{
    sn_soft_surface *surface = collider->surface;
    sn_verlet_list *list = &surface->between;
    sn_verlet_step step = sn_soft_verlet_step(search, collider);
    step.in_world = true;
    step.frame_displacement = sn_scale(fall_of(search), collider->def->gravity_scale);
    step.fall = fall_between(search, collider);
    if (!sn_verlet_list_follow(surface, list, &step)) {
        return false;
    }
    if (list->in_use && list->stamp == 0) {
        list->stamp = ++search->detector->stamps;
    }
    return !list->in_use || list->is_listed || sn_verlet_between_fit(surface, height);
}

static bool is_used(const sn_soft_scene *scene, const sn_soft_pair *pair)
{
    return pair->other >= 0 && pair->other != pair->deformable &&
           scene->colliders[pair->deformable].surface->between.in_use &&
           scene->colliders[pair->other].surface->between.in_use;
}

// The list of a pair, whatever positions it was made from, or null. Pairs are looked up in their order.
static sn_verlet_between *look_up(sn_soft_detector *detector, const sn_soft_pair *pair)
{
    for (int i = 0; i < detector->lists.count; ++i) {
        detector->list_at = detector->list_at + 1 < detector->lists.count ? detector->list_at + 1 : 0;
        sn_verlet_between *list = &detector->lists.data[detector->list_at];
        if (list->a == pair->deformable && list->b == pair->other) {
            return list;
        }
    }
    return NULL;
}

// The list of a pair, or one that is used no more, or a new one. Null without memory.
static sn_verlet_between *take(sn_soft_detector *detector, const sn_soft_pair *pair)
{
    sn_verlet_between *list = look_up(detector, pair), empty = {0};
    for (int i = 0; list == NULL && i < detector->lists.count; ++i) {
        bool is_old = detector->lists.data[i].used < detector->run - KEPT_RUNS;
        list = is_old ? &detector->lists.data[i] : NULL;
    }
    if (list == NULL && sn_array_push(&detector->lists, empty)) {
        list = &detector->lists.data[detector->lists.count - 1];
    }
    return list;
}

// Made from the reference positions alone, so that a restored world makes the same list.
static bool list_pair(const sn_soft_search *search, const sn_soft_pair *pair)
{
    const sn_soft_scene *scene = search->scene;
    const sn_soft_collider *a = &scene->colliders[pair->deformable], *b = &scene->colliders[pair->other];
    sn_verlet_between *list = take(search->detector, pair);
    if (list == NULL) {
        return false;
    }
    int stamps[2] = {a->surface->between.stamp, b->surface->between.stamp};
    list->a = pair->deformable;
    list->b = pair->other;
    list->used = search->detector->run;
    if (list->stamps[0] == stamps[0] && list->stamps[1] == stamps[1]) {
        return true;
    }
    // Room for as many pairs as the longest list had, lest another that gets as long need memory later.
    if (!sn_array_reserve(&list->pairs, search->detector->most_listed) ||
        !sn_array_reserve(&list->faces, search->detector->most_listed)) {
        return false;
    }
    float growth_a = sn_soft_growth(scene, a), growth_b = sn_soft_growth(scene, b);
    float fall = sn_max(a->surface->between.fall, b->surface->between.fall);
    list->stamps[0] = list->stamps[1] = 0;
    if (!sn_verlet_between_box(a->surface, growth_a, fall) ||
        !sn_verlet_between_box(b->surface, growth_b, fall) ||
        !sn_soft_fill_verlet_between(a->surface, growth_a, b->surface, growth_b, list)) {
        return false;
    }
    list->stamps[0] = stamps[0];
    list->stamps[1] = stamps[1];
    int count = list->pairs.count > list->faces.count ? list->pairs.count : list->faces.count;
    search->detector->most_listed =
        count > search->detector->most_listed ? count : search->detector->most_listed;
    return true;
}

bool sn_soft_update_between(const sn_soft_search *search, float (*height)(const sn_soft_collider *collider))
{
    const sn_soft_scene *scene = search->scene;
    const sn_soft_detector *detector = search->detector;
    bool enough = sn_array_reserve(&search->detector->lists, scene->collider_count);
    ++search->detector->run;
    for (int i = 0; enough && i < scene->collider_count; ++i) {
        const sn_soft_collider *collider = &scene->colliders[i];
        if (collider->surface != NULL) {
            collider->surface->between.in_use = false;
            enough = !search->lists_between || !collider->surface->meets_others ||
                     follow(search, collider, height(collider));
        }
    }
    for (int i = 0; enough && i < detector->pairs.count; ++i) {
        enough = !is_used(scene, &detector->pairs.data[i]) || list_pair(search, &detector->pairs.data[i]);
    }
    return enough;
}

const sn_verlet_between *sn_soft_find_between(const sn_soft_scene *scene, sn_soft_detector *detector,
                                              const sn_soft_pair *pair)
{
    const sn_verlet_between *list = is_used(scene, pair) ? look_up(detector, pair) : NULL;
    bool is_current = list != NULL &&
                      list->stamps[0] == scene->colliders[pair->deformable].surface->between.stamp &&
                      list->stamps[1] == scene->colliders[pair->other].surface->between.stamp;
    return is_current ? list : NULL;
}
