// How groups of bodies, found by their names, have changed their shape.
#ifndef SINEW_FIGURES_SHAPE_MEASURES_H
#define SINEW_FIGURES_SHAPE_MEASURES_H

#include "scene/list.h"
#include "sinew/sinew.h"

// Distances of bodies from the plane that fits them best [m].
typedef struct flatness {
    double farthest, mean_square;
} flatness;

// Of bodies whose names begin so.
flatness flatness_of_bodies(const sn_world *world, const char *beginning);

// Sum of the distances from each body to the next [m]; `format` makes their names of numbers from 0 on.
double length_along_bodies(const sn_world *world, const char *format, int count);

typedef struct body_places {
    SN_LIST(sn_rigid) ids;
    SN_LIST(sn_vec3) places;
} body_places;

// Where bodies whose names begin so are; false without memory.
bool body_places_take(const sn_world *world, const char *beginning, body_places *places);
// How many have moved farther than `distance` since; the farthest way, if asked for [m].
int body_places_moved(const sn_world *world, const body_places *places, double distance, double *farthest);
void body_places_release(body_places *places);

enum { BODY_DISTANCES_MOST = 128 };

// Places of a few bodies, all distances between which are compared.
typedef struct body_distances {
    int count;
    sn_rigid ids[BODY_DISTANCES_MOST];
    sn_vec3 places[BODY_DISTANCES_MOST];
} body_distances;

bool body_distances_take(const sn_world *world, const char *beginning, body_distances *distances);
// The largest change of a distance between two, as a share of it.
double body_distances_strain(const sn_world *world, const body_distances *distances);

#endif
