// How many constraints of each kind a millisecond is enough for (Gissler 2006, section 5): points, lines,
// triangles and tetrahedra that share nothing, falling.
#ifndef BENCH_SHARED_KIND_SPEED_H
#define BENCH_SHARED_KIND_SPEED_H

#include "sinew/sinew.h"

typedef struct bench_kind {
    const char *words;
    int parts;    ///< elements a constraint takes
    int corners;  ///< nodes an element has: 2, 3 or 4
    int count;    ///< of constraints
    int points;   ///< that a constraint moves
    double paper; ///< constraints a millisecond
} bench_kind;

enum { BENCH_KIND_COUNT = 6, BENCH_KIND_RUNS = 3 };
extern const bench_kind bench_kinds[BENCH_KIND_COUNT];

/// Mean over the steps of the shortest time that a step's constraints took in any run [ms].
sn_status bench_kind_time(const bench_kind *kind, double *time);

#endif
