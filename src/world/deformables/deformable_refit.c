// Gives an existing deformable another definition. Rows and models follow from mesh, masses and definition,
// except for the state they keep from step to step (solver/elements/element.h). So the result is what would
// have been made from that definition at once, with the impulses and rotations of before.
#include "world/deformables/deformable.h"

#include <string.h>

// Rows that are made again, by type; of others the kind stays null.
typedef struct refit {
    bool is_due[SN_ROW_BUILDERS];
    sn_element_group groups[SN_ROW_BUILDERS];
} refit;

static void give_up(refit *refit)
{
    for (int i = 0; i < SN_ROW_BUILDERS; ++i) {
        sn_element_group_release(&refit->groups[i]);
    }
}

// Makes the rows and the model that do not serve the new definition, which is in `data`.
static sn_status make_rows(sn_deformable_data *data, const sn_nodes *nodes, const sn_deformable_def *before,
                           int parts, sn_error *error, const char *object, refit *refit)
{
    int due = 0;
    for (int i = 0; i < SN_ROW_BUILDERS; ++i) {
        bool concerned = (parts >> i & 1) != 0;
        refit->is_due[i] =
            concerned && (data->group_of[i] < 0 || !sn_row_builders[i]->serves(before, &data->def));
        if (refit->is_due[i]) {
            sn_status status = sn_row_builders[i]->make(data, nodes, error, object, &refit->groups[i]);
            if (status != SN_OK) {
                return status;
            }
            due += refit->groups[i].kind != NULL ? 1 : 0;
        }
    }
    return due == 0 || sn_array_reserve(&data->groups, data->groups.count + due)
               ? SN_OK
               : sn_fail(error, SN_ERROR_MEMORY, "%s: out of memory for its rows", object);
}

static sn_status tune_model(sn_deformable_data *data, const sn_nodes *nodes, sn_error *error,
                            const char *object)
{
    sn_model_input input = sn_deformable_model_input(data, nodes);
    if (data->model != NULL && !data->model_kind->tune(data->model, &input)) {
        return sn_fail(error, SN_ERROR_MEMORY, "%s: out of memory for its model", object);
    }
    if (data->integration != NULL) {
        sn_integration_forget_forces(data->integration);
    }
    return SN_OK;
}

// Rows that follow from the mesh are in the same lanes if there are as many of them. Those between two nodes
// may be between others (bounds to what is held now), and in fewer or more blocks: blocks over other nodes
// start anew.
static bool has_same_rows(const sn_element_kind *kind, const void *block, const void *other)
{
    return kind->direction == 0 || memcmp(block, other, 2 * sizeof(sn_places)) == 0;
}

static void keep_memory(const sn_element_group *from, sn_element_group *to)
{
    if (from->kind != to->kind || from->row_count != to->row_count) {
        return;
    }
    const sn_element_kind *kind = from->kind;
    int blocks = from->block_count < to->block_count ? from->block_count : to->block_count;
    for (int b = 0; b < blocks; ++b) {
        size_t block = (size_t)b * kind->block_size;
        if (!has_same_rows(kind, (const char *)from->blocks + block, (const char *)to->blocks + block)) {
            continue;
        }
        for (int i = 0; i < SN_ELEMENT_MEMORIES && kind->memory[i].count > 0; ++i) {
            size_t at = block + kind->memory[i].offset;
            memcpy((char *)to->blocks + at, (const char *)from->blocks + at,
                   (size_t)kind->memory[i].count * sizeof(sn_lanes));
        }
    }
}

// Moves the groups of later types of rows by one place.
static void shift_later(sn_deformable_data *data, int builder, int place, int by)
{
    sn_element_group *first = data->groups.data + place, *to = by > 0 ? first + 1 : first;
    const sn_element_group *from = by > 0 ? first : first + 1;
    int end = by > 0 ? data->groups.count : data->groups.count - 1;
    memmove(to, from, (size_t)(end - place) * sizeof *first);
    data->groups.count += by;
    for (int i = builder + 1; i < SN_ROW_BUILDERS; ++i) {
        data->group_of[i] = data->group_of[i] < 0 ? -1 : (int8_t)(data->group_of[i] + by);
    }
}

// There is room for one more.
static void replace_rows(sn_deformable_data *data, int builder, sn_element_group *group)
{
    int place = data->group_of[builder];
    if (place >= 0) {
        if (group->kind != NULL) {
            keep_memory(&data->groups.data[place], group);
        }
        sn_element_group_release(&data->groups.data[place]);
        if (group->kind == NULL) {
            shift_later(data, builder, place, -1);
            data->group_of[builder] = -1;
            return;
        }
    } else if (group->kind != NULL) {
        place = 0;
        for (int i = 0; i < builder; ++i) {
            place += data->group_of[i] >= 0 ? 1 : 0;
        }
        shift_later(data, builder, place, 1);
        data->group_of[builder] = (int8_t)place;
    } else {
        return;
    }
    data->groups.data[place] = *group;
}

sn_status sn_deformable_refit(sn_deformable_data *data, const sn_nodes *nodes, const sn_deformable_def *def,
                              int parts, sn_error *error, const char *object)
{
    refit refit = {0};
    sn_deformable_def before = data->def;
    data->def = *def;
    sn_status status = make_rows(data, nodes, &before, parts, error, object, &refit);
    if (status == SN_OK && (parts & SN_PART_MODEL) == SN_PART_MODEL) {
        status = tune_model(data, nodes, error, object);
    }
    if (status != SN_OK) {
        give_up(&refit);
        data->def = before;
        return status;
    }
    for (int i = 0; i < SN_ROW_BUILDERS; ++i) {
        if (refit.is_due[i]) {
            replace_rows(data, i, &refit.groups[i]);
        } else if ((parts >> i & 1) != 0) {
            sn_row_builders[i]->tune(data, nodes, &data->groups.data[data->group_of[i]]);
        }
    }
    return SN_OK;
}

void sn_deformable_drop_bounds(sn_deformable_data *data)
{
    sn_element_group none = {0};
    replace_rows(data, SN_ROWS_BOUNDS, &none);
    data->held.count = 0;
    data->has_levels = false;
}
