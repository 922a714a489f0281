// A sorted list of numbers. Most files count 1, 2, 3, …, so the place a number would have then is tried
// first.
#include "scene/mesh_tags.h"

bool sn_mesh_tags_add(sn_mesh_tags *tags, int64_t number)
{
    sn_mesh_tag tag = {number, (uint32_t)tags->list.count};
    return SN_LIST_PUSH(&tags->list, tag);
}

static int compare_tags(const void *left, const void *right)
{
    const sn_mesh_tag *a = left, *b = right;
    return a->number < b->number ? -1 : a->number > b->number;
}

static bool is_ascending(const sn_mesh_tags *tags)
{
    for (int i = 1; i < tags->list.count; ++i) {
        if (tags->list.items[i - 1].number >= tags->list.items[i].number) {
            return false;
        }
    }
    return true;
}

bool sn_mesh_tags_sort(sn_mesh_tags *tags, int64_t *number)
{
    if (is_ascending(tags)) {
        return true;
    }
    qsort(tags->list.items, (size_t)tags->list.count, sizeof *tags->list.items, compare_tags);
    for (int i = 1; i < tags->list.count; ++i) {
        if (tags->list.items[i - 1].number == tags->list.items[i].number) {
            *number = tags->list.items[i].number;
            return false;
        }
    }
    return true;
}

bool sn_mesh_tags_find(const sn_mesh_tags *tags, int64_t number, uint32_t *node)
{
    const sn_mesh_tag *items = tags->list.items;
    int count = tags->list.count;
    if (count == 0 || number < items[0].number || number > items[count - 1].number) {
        return false;
    }
    uint64_t place = (uint64_t)number - (uint64_t)items[0].number;
    if (place < (uint64_t)count && items[place].number == number) {
        *node = items[place].node;
        return true;
    }
    sn_mesh_tag wanted = {number, 0};
    const sn_mesh_tag *found = bsearch(&wanted, items, (size_t)count, sizeof *items, compare_tags);
    *node = found == NULL ? 0 : found->node;
    return found != NULL;
}

void sn_mesh_tags_release(sn_mesh_tags *tags)
{
    SN_LIST_FREE(&tags->list);
}
