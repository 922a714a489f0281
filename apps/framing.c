// Projects the corners of everything, and remembers for each thing whether it was within the picture.
#include "apps/framing.h"

#include "apps/render/view.h"
#include "sinew_scene/triangles.h"

#include <string.h>

enum { PICTURE_WIDTH = 1280, PICTURE_HEIGHT = 720 };
static const int round_detail = 16;   // segments around a ball
static const float most_times = 2.0f; // as large as all that moves is what stands still and belongs to it

static const framing_rectangle nothing = {2.0f, 2.0f, -2.0f, -2.0f};

// --- rectangles --------------------------------------------------------------------------------------------

static bool is_empty(framing_rectangle r)
{
    return !(r.left < r.right && r.top < r.bottom);
}

static framing_rectangle join(framing_rectangle a, framing_rectangle b)
{
    return (framing_rectangle){sn_min(a.left, b.left), sn_min(a.top, b.top), sn_max(a.right, b.right),
                               sn_max(a.bottom, b.bottom)};
}

static framing_rectangle clip(framing_rectangle r)
{
    return (framing_rectangle){sn_max(r.left, 0.0f), sn_max(r.top, 0.0f), sn_min(r.right, 1.0f),
                               sn_min(r.bottom, 1.0f)};
}

// The edge of the picture that cuts a rectangle; null for none.
static const char *cutting_edge(framing_rectangle r)
{
    float beyond[4] = {-r.left, r.right - 1.0f, -r.top, r.bottom - 1.0f};
    static const char *const names[4] = {"left", "right", "upper", "lower"};
    int worst = 0;
    for (int i = 1; i < 4; ++i) {
        worst = beyond[i] > beyond[worst] ? i : worst;
    }
    return beyond[worst] > 0.0f ? names[worst] : NULL;
}

// Takes in a place of the world with what is around it. What is behind the eye is beyond the lower edge.
static void take_in(framing_rectangle *r, const render_view *view, sn_vec3 place, float radius)
{
    sn_vec3 relative = sn_sub(place, view->eye);
    float x, y;
    if (!view_project(view, relative, &x, &y)) {
        r->bottom = 2.0f;
        return;
    }
    float reach = radius * view_pixels_per_metre(view, sn_dot(relative, view->forward));
    *r = join(*r, (framing_rectangle){(x - reach) / PICTURE_WIDTH, (y - reach) / PICTURE_HEIGHT,
                                      (x + reach) / PICTURE_WIDTH, (y + reach) / PICTURE_HEIGHT});
}

// --- things ------------------------------------------------------------------------------------------------

// What is known of the thing with an id; null without memory.
static framing_thing *thing_at(framing_things *things, uint32_t index, uint16_t generation)
{
    int needed = (int)index + 1;
    if (!SN_LIST_RESERVE(things, needed)) {
        return NULL;
    }
    for (; things->count < needed; ++things->count) {
        things->items[things->count] = (framing_thing){0};
    }
    framing_thing *thing = &things->items[index];
    if (thing->generation != generation) {
        *thing = (framing_thing){.generation = generation};
    }
    return thing;
}

static void see(framing_thing *thing, framing_rectangle where, double time, description name)
{
    const char *edge = cutting_edge(where);
    bool is_first = !thing->was_cut && !thing->was_whole;
    thing->is_inside = !is_empty(clip(where));
    thing->is_whole = edge == NULL;
    thing->began_outside = is_first ? !thing->is_inside : thing->began_outside;
    thing->was_inside = thing->was_inside || thing->is_inside;
    thing->was_whole = thing->was_whole || edge == NULL;
    if (edge != NULL && !thing->was_cut) {
        thing->was_cut = true;
        thing->cut_time = time;
        thing->edge = edge;
        thing->name = name;
    }
}

// Planes have no end, and are left out.
static bool take_in_shape(framing_rectangle *r, const render_view *view, const sn_world *world,
                          sn_shape shape)
{
    if (sn_shape_get_type(world, shape) == SN_PLANE) {
        return true;
    }
    sn_triangles triangles;
    if (sn_shape_triangles(world, shape, round_detail, 1.0f, &triangles) != SN_OK) {
        return false;
    }
    sn_pose pose = sn_rigid_pose(world, sn_shape_rigid(world, shape));
    for (int i = 0; i < triangles.vertex_count; ++i) {
        take_in(r, view, sn_pose_apply(pose, triangles.positions[i]), 0.0f);
    }
    sn_triangles_release(&triangles);
    return true;
}

static void grow_extent(framing *framing, sn_bounds bounds)
{
    bool first = framing->extent.lower.x > framing->extent.upper.x;
    framing->extent = first ? bounds : sn_bounds_union(framing->extent, bounds);
}

static bool look_at_mover(framing *framing, const render_view *view, sn_rigid rigid, const sn_shape *shapes,
                          int count)
{
    const sn_world *world = sn_scene_world(framing->scene);
    framing_rectangle where = nothing;
    for (int i = 0; i < count; ++i) {
        if (!take_in_shape(&where, view, world, shapes[i])) {
            return false;
        }
        grow_extent(framing, sn_shape_bounds(world, shapes[i]));
    }
    if (is_empty(where)) {
        return true; // a body without shapes
    }
    framing_thing *thing = thing_at(&framing->bodies, rigid.index, rigid.generation);
    if (thing != NULL) {
        see(thing, where, sn_world_time(world), describe_body(world, rigid));
        framing->subjects = thing->is_inside ? join(framing->subjects, clip(where)) : framing->subjects;
    }
    return thing != NULL;
}

static bool look_at_fixture(framing *framing, const render_view *view, const sn_shape *shapes, int count)
{
    const sn_world *world = sn_scene_world(framing->scene);
    float most = most_times * sn_distance_between(framing->extent.lower, framing->extent.upper);
    for (int i = 0; i < count; ++i) {
        framing_rectangle where = nothing;
        sn_bounds bounds = sn_shape_bounds(world, shapes[i]);
        if (!take_in_shape(&where, view, world, shapes[i])) {
            return false;
        }
        if (is_empty(where) || sn_distance_between(bounds.lower, bounds.upper) > most) {
            continue;
        }
        framing_thing *thing = thing_at(&framing->shapes, shapes[i].index, shapes[i].generation);
        if (thing == NULL) {
            return false;
        }
        see(thing, where, sn_world_time(world), describe_body(world, sn_shape_rigid(world, shapes[i])));
    }
    return true;
}

// Looks at the bodies that move, or at those that do not.
static bool look_at_bodies(framing *framing, const render_view *view, bool moving)
{
    const sn_world *world = sn_scene_world(framing->scene);
    int count = sn_world_rigids(world, NULL, 0);
    SN_LIST(sn_rigid) rigids = {0};
    SN_LIST(sn_shape) shapes = {0};
    bool fine = SN_LIST_RESERVE(&rigids, count + 1);
    if (fine) {
        sn_world_rigids(world, rigids.items, count);
        rigids.items[count] = sn_world_ground(world);
    }
    for (int i = 0; i <= count && fine; ++i) {
        sn_rigid rigid = rigids.items[i];
        bool moves = sn_rigid_get_type(world, rigid) != SN_STATIC;
        int shape_count = sn_rigid_shapes(world, rigid, NULL, 0);
        fine = SN_LIST_RESERVE(&shapes, shape_count);
        if (fine && moves == moving) {
            sn_rigid_shapes(world, rigid, shapes.items, shape_count);
            fine = moving ? look_at_mover(framing, view, rigid, shapes.items, shape_count)
                          : look_at_fixture(framing, view, shapes.items, shape_count);
        }
    }
    SN_LIST_FREE(&rigids);
    SN_LIST_FREE(&shapes);
    return fine;
}

static bool look_at_deformables(framing *framing, const render_view *view)
{
    const sn_world *world = sn_scene_world(framing->scene);
    int count = sn_world_deformables(world, NULL, 0);
    SN_LIST(sn_deformable) ids = {0};
    bool fine = SN_LIST_RESERVE(&ids, count + 1);
    count = fine ? sn_world_deformables(world, ids.items, count) : 0;
    for (int i = 0; i < count && fine; ++i) {
        const sn_node_state *nodes = sn_deformable_nodes(world, ids.items[i]);
        float half = 0.5f * sn_deformable_definition(world, ids.items[i]).thickness;
        framing_rectangle where = nothing;
        for (int k = 0; k < sn_deformable_node_count(world, ids.items[i]); ++k) {
            take_in(&where, view, nodes[k].position, half);
        }
        grow_extent(framing, sn_deformable_measure_now(world, ids.items[i]).bounds);
        framing_thing *thing = thing_at(&framing->deformables, ids.items[i].index, ids.items[i].generation);
        fine = thing != NULL;
        if (fine) {
            see(thing, where, sn_world_time(world), describe_deformable(world, ids.items[i]));
            framing->subjects = thing->is_inside ? join(framing->subjects, clip(where)) : framing->subjects;
        }
    }
    SN_LIST_FREE(&ids);
    return fine;
}

// --- framing -----------------------------------------------------------------------------------------------

void framing_begin(framing *framing, sn_scene *scene)
{
    memset(framing, 0, sizeof *framing);
    framing->scene = scene;
    framing->extent = (sn_bounds){sn_v(1.0f, 1.0f, 1.0f), sn_v(-1.0f, -1.0f, -1.0f)};
    framing->subjects = nothing;
}

void framing_release(framing *framing)
{
    SN_LIST_FREE(&framing->bodies);
    SN_LIST_FREE(&framing->shapes);
    SN_LIST_FREE(&framing->deformables);
}

bool framing_look(framing *framing)
{
    sn_camera camera;
    if (sn_scene_camera(framing->scene, NULL, &camera) != SN_OK) {
        return false;
    }
    render_view view = view_make(&camera, sn_scene_up(framing->scene), PICTURE_WIDTH, PICTURE_HEIGHT);
    framing->camera_moves = camera.moves;
    ++framing->looks;
    return look_at_bodies(framing, &view, true) && look_at_deformables(framing, &view) &&
           look_at_bodies(framing, &view, false);
}

float framing_share(const framing *framing)
{
    framing_rectangle seen = framing->subjects;
    return is_empty(seen) ? 0.0f : sn_max(seen.right - seen.left, seen.bottom - seen.top);
}

// --- what was cut off --------------------------------------------------------------------------------------

static void count_thing(framing_tally *tally, const framing_thing *thing)
{
    if (tally->count == 0 || thing->cut_time < tally->time) {
        *tally = (framing_tally){tally->count, thing->name, thing->cut_time, thing->edge};
    }
    ++tally->count;
}

// Whether edges cut a thing for more than its passing them.
static bool is_cut(const framing *framing, const framing_thing *thing)
{
    bool came_in = thing->began_outside && thing->is_whole;
    bool never_whole = !thing->was_whole && thing->was_inside;
    return framing->camera_moves ? never_whole && framing->looks > 1
                                 : thing->was_cut && thing->is_inside && !came_in;
}

framing_tally framing_cut(const framing *framing)
{
    framing_tally tally = {0};
    const framing_things *movers[2] = {&framing->bodies, &framing->deformables};
    for (int k = 0; k < 2; ++k) {
        for (int i = 0; i < movers[k]->count; ++i) {
            if (is_cut(framing, &movers[k]->items[i])) {
                count_thing(&tally, &movers[k]->items[i]);
            }
        }
    }
    for (int i = 0; i < framing->shapes.count && !framing->camera_moves; ++i) {
        const framing_thing *thing = &framing->shapes.items[i];
        if (!thing->was_whole && thing->was_inside) {
            count_thing(&tally, thing);
        }
    }
    return tally;
}

framing_tally framing_left(const framing *framing)
{
    framing_tally tally = {0};
    const framing_things *movers[2] = {&framing->bodies, &framing->deformables};
    for (int k = 0; k < 2; ++k) {
        for (int i = 0; i < movers[k]->count; ++i) {
            if (movers[k]->items[i].was_cut && !movers[k]->items[i].is_inside) {
                count_thing(&tally, &movers[k]->items[i]);
            }
        }
    }
    return tally;
}
