// The list of items, in the order of the papers.
#ifndef SINEW_FIGURES_ITEMS_H
#define SINEW_FIGURES_ITEMS_H

#include "apps/figures/figure.h"

int figure_item_count(void);
const figure_item *figure_item_at(int index);

// Lists that an item without a name ends, a file for each.
extern const figure_item figure_vezzaro_scenes[], figure_vezzaro_speed[], figure_vezzaro_errata[];
extern const figure_item figure_gissler_scenes[], figure_gissler_errata[];
extern const figure_item figure_francu_scenes[], figure_francu_solver[], figure_francu_errata[];
extern const figure_item figure_muller_scenes[], figure_muller_errata[];

#endif
