// Colouring and packing the rows of a group, in the order of the rows. Tested in test_elements_gauntlet.c.
// Tested by tests/solver/elements/test_elements_gauntlet.c.
#include "solver/elements/element.h"

#include "base/allocate.h"
#include "base/coloring.h"

static void color_rows(const uint32_t *nodes, int width, int row_count, uint64_t *masks, int *color_of,
                       int counts[SN_ELEMENT_COLORS + 1])
{
    for (int r = 0; r < row_count; ++r) {
        uint64_t *members[SN_ELEMENT_NODES];
        for (int i = 0; i < width; ++i) {
            members[i] = &masks[nodes[(size_t)r * (size_t)width + (size_t)i]];
        }
        color_of[r] = sn_color_take(members, width, SN_ELEMENT_COLORS);
        ++counts[color_of[r]];
    }
}

// Where each colour's blocks begin; rows without a colour get a block each.
static int lay_out(sn_element_group *group, const int counts[SN_ELEMENT_COLORS + 1])
{
    int blocks = 0;
    for (int c = 0; c <= SN_ELEMENT_COLORS; ++c) {
        group->color_begin[c] = blocks;
        blocks += c == SN_ELEMENT_COLORS ? counts[c] : (counts[c] + SN_LANES - 1) / SN_LANES;
        group->color_count += counts[c] > 0 ? 1 : 0;
    }
    group->color_begin[SN_ELEMENT_COLORS + 1] = blocks;
    return blocks;
}

static void place_rows(const sn_element_group *group, int row_count, const int *color_of, int *lanes)
{
    int next[SN_ELEMENT_COLORS + 1];
    for (int c = 0; c <= SN_ELEMENT_COLORS; ++c) {
        next[c] = group->color_begin[c] * SN_LANES;
    }
    for (int r = 0; r < row_count; ++r) {
        int color = color_of[r];
        lanes[r] = next[color];
        next[color] += color == SN_ELEMENT_COLORS ? SN_LANES : 1;
    }
}

bool sn_element_group_make(sn_element_group *group, const sn_element_kind *kind, const uint32_t *nodes,
                           int width, int row_count, int node_count, int **lanes)
{
    *group = (sn_element_group){.kind = kind, .row_count = row_count};
    *lanes = NULL;
    int counts[SN_ELEMENT_COLORS + 1] = {0};
    uint64_t *used = sn_allocate_zero((size_t)node_count, sizeof *used);
    int *color_of = sn_allocate_zero((size_t)row_count, sizeof *color_of);
    int *placed = sn_allocate_zero((size_t)row_count, sizeof *placed);
    bool good = used != NULL && color_of != NULL && placed != NULL;
    if (good) {
        color_rows(nodes, width, row_count, used, color_of, counts);
        group->block_count = lay_out(group, counts);
        group->blocks = sn_allocate_zero((size_t)group->block_count, kind->block_size);
        good = group->blocks != NULL;
    }
    if (good) {
        place_rows(group, row_count, color_of, placed);
        *lanes = placed;
    } else {
        sn_release(placed, (size_t)row_count * sizeof *placed);
    }
    sn_release(used, (size_t)node_count * sizeof *used);
    sn_release(color_of, (size_t)row_count * sizeof *color_of);
    return good;
}

void sn_element_group_release(sn_element_group *group)
{
    if (group->kind != NULL) {
        sn_release(group->blocks, (size_t)group->block_count * group->kind->block_size);
        sn_release(group->marks, (size_t)group->block_count * SN_LANES);
    }
    *group = (sn_element_group){0};
}

void sn_element_group_visit(const sn_element_group *group, sn_memory_visitor visit, void *context)
{
    for (int b = 0; b < group->block_count; ++b) {
        unsigned char *block = (unsigned char *)group->blocks + (size_t)b * group->kind->block_size;
        for (int i = 0; i < SN_ELEMENT_MEMORIES && group->kind->memory[i].count > 0; ++i) {
            const sn_element_memory *memory = &group->kind->memory[i];
            sn_lanes *lanes = (sn_lanes *)(void *)(block + memory->offset);
            for (int k = 0; k < memory->count; ++k) {
                visit(context, &lanes[k], memory);
            }
        }
    }
}
