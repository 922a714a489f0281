// The list of all items. Tested by tests/apps/test_figures.c.
#include "apps/figures/items.h"

static const figure_item *const lists[] = {
    figure_vezzaro_scenes, figure_vezzaro_speed, figure_vezzaro_errata, figure_gissler_scenes,
    figure_gissler_errata, figure_francu_scenes, figure_francu_solver,  figure_francu_errata,
    figure_muller_scenes,  figure_muller_errata};

enum { LIST_COUNT = sizeof lists / sizeof lists[0] };

const figure_item *figure_item_at(int index)
{
    for (int i = 0; i < LIST_COUNT; ++i) {
        for (const figure_item *item = lists[i]; item->name != NULL; ++item) {
            if (index-- == 0) {
                return item;
            }
        }
    }
    return NULL;
}

int figure_item_count(void)
{
    int count = 0;
    while (figure_item_at(count) != NULL) {
        ++count;
    }
    return count;
}
