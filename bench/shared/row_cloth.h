// A cloth of edges that do not stretch, turning freely, and nothing else: what rows cost (Vezzaro 2015,
// figures 5 and 6).
#ifndef BENCH_SHARED_ROW_CLOTH_H
#define BENCH_SHARED_ROW_CLOTH_H

#include "sinew/sinew.h"

/// Of `cells` by `cells` cells of 4 cm. On failure `*world` is to be destroyed all the same.
sn_status bench_row_cloth(int cells, const sn_world_def *settings, sn_world **world, sn_deformable *cloth);

#endif
