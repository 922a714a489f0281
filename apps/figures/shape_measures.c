// How groups of bodies have changed their shape. Tested by tests/apps/figures/test_shape_measures.c.
#include "apps/figures/shape_measures.h"

#include "scene/message.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

static bool begins_with(const char *text, const char *beginning)
{
    return strncmp(text, beginning, strlen(beginning)) == 0;
}

bool body_places_take(const sn_world *world, const char *beginning, body_places *places)
{
    int count = sn_world_rigids(world, NULL, 0);
    sn_rigid *all = malloc((size_t)count * sizeof *all);
    bool fine = all != NULL || count == 0;
    *places = (body_places){0};
    count = fine ? sn_world_rigids(world, all, count) : 0;
    for (int i = 0; i < count && fine; ++i) {
        if (begins_with(sn_rigid_name(world, all[i]), beginning)) {
            fine = SN_LIST_PUSH(&places->ids, all[i]) &&
                   SN_LIST_PUSH(&places->places, sn_rigid_position(world, all[i]));
        }
    }
    free(all);
    if (!fine) {
        sn_scene_fail(SN_ERROR_MEMORY, "no memory for places of bodies");
    }
    return fine;
}

void body_places_release(body_places *places)
{
    SN_LIST_FREE(&places->ids);
    SN_LIST_FREE(&places->places);
}

int body_places_moved(const sn_world *world, const body_places *places, double distance, double *farthest)
{
    int moved = 0;
    double most = 0.0;
    for (int i = 0; i < places->ids.count; ++i) {
        sn_vec3 now = sn_rigid_position(world, places->ids.items[i]);
        double way = (double)sn_length(sn_sub(now, places->places.items[i]));
        moved += way > distance;
        most = fmax(most, way);
    }
    if (farthest != NULL) {
        *farthest = most;
    }
    return moved;
}

// --- planes ------------------------------------------------------------------------------------------------

// The unit vector along which points spread least: the smallest eigenvector of their moments, by iterating
// with the adjugate, which is the inverse up to a factor and exists for flat sets of points too.
static sn_vec3 least_axis(const double m[6])
{
    double xx = m[0], yy = m[1], zz = m[2], xy = m[3], xz = m[4], yz = m[5];
    double shift = 1e-9 * (xx + yy + zz);
    xx += shift;
    yy += shift;
    zz += shift;
    double a[3][3] = {{yy * zz - yz * yz, xz * yz - xy * zz, xy * yz - xz * yy},
                      {xz * yz - xy * zz, xx * zz - xz * xz, xy * xz - xx * yz},
                      {xy * yz - xz * yy, xy * xz - xx * yz, xx * yy - xy * xy}};
    double v[3] = {0.31, 0.82, 0.47};
    for (int k = 0; k < 100; ++k) {
        double w[3], length = 0.0;
        for (int i = 0; i < 3; ++i) {
            w[i] = a[i][0] * v[0] + a[i][1] * v[1] + a[i][2] * v[2];
            length += w[i] * w[i];
        }
        for (int i = 0; i < 3; ++i) {
            v[i] = length > 0.0 ? w[i] / sqrt(length) : v[i];
        }
    }
    return sn_v((float)v[0], (float)v[1], (float)v[2]);
}

static flatness flatness_of_points(const sn_vec3 *points, int count)
{
    flatness flat = {0};
    sn_vec3 middle = {0};
    double m[6] = {0};
    for (int i = 0; i < count; ++i) {
        middle = sn_add(middle, sn_scale(points[i], 1.0f / (float)count));
    }
    for (int i = 0; i < count; ++i) {
        sn_vec3 r = sn_sub(points[i], middle);
        double x = (double)r.x, y = (double)r.y, z = (double)r.z;
        double terms[6] = {x * x, y * y, z * z, x * y, x * z, y * z};
        for (int k = 0; k < 6; ++k) {
            m[k] += terms[k];
        }
    }
    sn_vec3 normal = least_axis(m);
    for (int i = 0; i < count; ++i) {
        double off = (double)sn_dot(sn_sub(points[i], middle), normal);
        flat.farthest = fmax(flat.farthest, fabs(off));
        flat.mean_square += off * off / count;
    }
    return flat;
}

flatness flatness_of_bodies(const sn_world *world, const char *beginning)
{
    body_places now;
    flatness flat = {.farthest = (double)INFINITY, .mean_square = (double)INFINITY};
    if (body_places_take(world, beginning, &now)) {
        flat = flatness_of_points(now.places.items, now.places.count);
    }
    body_places_release(&now);
    return flat;
}

// --- lengths -----------------------------------------------------------------------------------------------

double length_along_bodies(const sn_world *world, const char *format, int count)
{
    body_places all;
    double length = 0.0;
    sn_vec3 before = {0};
    int found = 0;
    if (!body_places_take(world, "", &all)) {
        return (double)NAN;
    }
    for (int number = 0; number < count; ++number) {
        char name[64];
        const char *mark = strstr(format, "%d");
        snprintf(name, sizeof name, "%.*s%d%s", (int)(mark - format), format, number, mark + 2);
        for (int i = 0; i < all.ids.count; ++i) {
            if (strcmp(sn_rigid_name(world, all.ids.items[i]), name) == 0) {
                length += found > 0 ? (double)sn_length(sn_sub(all.places.items[i], before)) : 0.0;
                before = all.places.items[i];
                ++found;
                break;
            }
        }
    }
    body_places_release(&all);
    return found == count ? length : (double)NAN;
}

bool body_distances_take(const sn_world *world, const char *beginning, body_distances *distances)
{
    body_places all;
    bool fine = body_places_take(world, beginning, &all);
    distances->count = all.ids.count < BODY_DISTANCES_MOST ? all.ids.count : BODY_DISTANCES_MOST;
    for (int i = 0; i < distances->count; ++i) {
        distances->ids[i] = all.ids.items[i];
        distances->places[i] = all.places.items[i];
    }
    body_places_release(&all);
    return fine;
}

double body_distances_strain(const sn_world *world, const body_distances *distances)
{
    double strain = 0.0;
    for (int i = 0; i < distances->count; ++i) {
        sn_vec3 here = sn_rigid_position(world, distances->ids[i]);
        for (int k = 0; k < i; ++k) {
            double now = (double)sn_length(sn_sub(here, sn_rigid_position(world, distances->ids[k])));
            double rest = (double)sn_length(sn_sub(distances->places[i], distances->places[k]));
            strain = rest > 0.0 ? fmax(strain, fabs(now / rest - 1.0)) : strain;
        }
    }
    return strain;
}
