// Drawing what carries loads that travel far: bounds, unions, support.
#include "solver/elements/bound_block.h"
#include "world/constraints/body_bounds.h"
#include "world/constraints/unions.h"
#include "world/draw/draw.h"

static void draw_bound(sn_pencil *pencil, sn_vec3 from, sn_vec3 to, bool is_taut)
{
    pencil->color = is_taut ? SN_PEN_TAUT : SN_PEN_SLACK;
    sn_pencil_line(pencil, from, to);
}

static void draw_body_bounds(sn_pencil *pencil)
{
    const sn_world *world = pencil->world;
    for (int i = 0; i < world->body_bounds.count; ++i) {
        const sn_body_bound *bound = &world->body_bounds.data[i];
        bool acts = bound->impulses[0] != 0.0f;
        if (bound->has_row && (acts || !bound->is_lower)) { // one line for both bounds of a distance
            sn_bound_ends ends = sn_body_bound_ends(world, bound);
            draw_bound(pencil, sn_point_now(world, &ends.a), sn_point_now(world, &ends.b), acts);
        }
    }
}

static void draw_soft_bounds(sn_pencil *pencil, const sn_deformable_data *data)
{
    int group = data->group_of[SN_ROWS_BOUNDS];
    const sn_bound_block *blocks = group >= 0 ? data->groups.data[group].blocks : NULL;
    const sn_node_state *nodes = pencil->world->nodes.states.data;
    for (int i = 0; group >= 0 && i < data->groups.data[group].block_count * SN_LANES; ++i) {
        const sn_bound_block *block = &blocks[i / SN_LANES];
        int lane = i % SN_LANES;
        if (block->rest.lane[lane] > 0.0f) {
            draw_bound(pencil, nodes[sn_places_node(&block->node[0], lane)].position,
                       nodes[sn_places_node(&block->node[1], lane)].position,
                       block->impulse.lane[lane] < 0.0f);
        }
    }
}

static void draw_unions(sn_pencil *pencil)
{
    const sn_world *world = pencil->world;
    pencil->color = SN_PEN_UNION;
    for (int i = 0; i < world->unions.count; ++i) {
        const struct sn_union_member *member = &world->unions.data[i];
        if (member->parent >= 0) {
            sn_pencil_line(pencil, world->bodies.data[world->unions.data[member->root].body].center,
                           world->bodies.data[member->body].center);
        }
    }
}

void sn_draw_loads(sn_pencil *pencil)
{
    const sn_world *world = pencil->world;
    draw_body_bounds(pencil);
    for (int i = 0; i < world->deformables.count; ++i) {
        if (sn_id_pool_in_use(&world->deformable_ids, i)) {
            draw_soft_bounds(pencil, &world->deformables.data[i]);
        }
    }
    draw_unions(pencil);
    pencil->color = SN_PEN_SUPPORTED;
    for (int i = 0; i < world->bodies.count; ++i) {
        if (sn_id_pool_in_use(&world->body_ids, i) && world->bodies.data[i].is_supported) {
            sn_pencil_point(pencil, world->bodies.data[i].center, 8.0f);
        }
    }
}
