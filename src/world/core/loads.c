// What carries loads in a world, for who asks: which islands took more sub-steps and why, how many bounds are
// taut, and what stretches all the same.
#include "solver/elements/bound_block.h"
#include "solver/elements/edge_block.h"
#include "world/core/world.h"

#include <string.h>

int sn_world_loads(const sn_world *world, sn_loaded_island *loads, int capacity)
{
    if (world == NULL) {
        return 0;
    }
    int count = world->loads.count;
    int written = loads == NULL || capacity < 0 ? 0 : count < capacity ? count : capacity;
    if (written > 0) {
        memcpy(loads, world->loads.data, (size_t)written * sizeof *loads);
    }
    return count;
}

const char *sn_sub_step_cause_text(sn_sub_step_cause cause)
{
    static const char *const texts[] = {
        [SN_SUB_STEPS_LEAST] = "",
        [SN_SUB_STEPS_SMALL] = "small bodies touch each other",
        [SN_SUB_STEPS_COLUMN] = "a column sags under its load",
        [SN_SUB_STEPS_HANGING] = "a heavy body hangs on light nodes",
        [SN_SUB_STEPS_PRESSING] = "a heavy body lies on light nodes",
        [SN_SUB_STEPS_TENSION] = "light rows or joints are taut",
        [SN_SUB_STEPS_STIFF] = "stiff elements are strained",
    };
    bool known = (unsigned)cause < sizeof texts / sizeof *texts;
    return known ? texts[cause] : "";
}

static int count_taut(const sn_element_group *group)
{
    const sn_bound_block *blocks = group->blocks;
    int count = 0;
    for (int i = 0; i < group->block_count * SN_LANES; ++i) {
        count += blocks[i / SN_LANES].impulse.lane[i % SN_LANES] < 0.0f ? 1 : 0;
    }
    return count;
}

void sn_world_count_loads(const sn_world *world, sn_statistics *s)
{
    for (int i = 0; i < world->deformables.count; ++i) {
        const sn_deformable_data *data = &world->deformables.data[i];
        if (!sn_id_pool_in_use(&world->deformable_ids, i) || sn_deformable_sleeps(data)) {
            continue;
        }
        int edges = data->group_of[SN_ROWS_EDGES], bounds = data->group_of[SN_ROWS_BOUNDS];
        if (bounds >= 0) {
            s->bound_count += data->groups.data[bounds].row_count;
            s->taut_bound_count += count_taut(&data->groups.data[bounds]);
        }
        float stretch =
            edges >= 0 ? sn_edges_stretch(&data->groups.data[edges], world->nodes.states.data) : 0.0f;
        s->stretched_count += stretch > SN_STRETCH_LIMIT ? 1 : 0;
        if (stretch > s->largest_stretch) {
            s->largest_stretch = stretch;
            s->most_stretched = sn_deformable_id(world, i);
        }
    }
}
