// Settings of Vezzaro 2015 for scenes. With two sweeps, jellies are stable only if steps begin with the whole
// of the last impulses, and cloth only if they begin with less.
#ifndef SINEW_FIGURES_VEZZARO_H
#define SINEW_FIGURES_VEZZARO_H

#define VEZZARO_SETTINGS "world.solver=staggered world.sleep=false"
#define VEZZARO_JELLIES  VEZZARO_SETTINGS " world.staggered.warm_start=1"

#endif
