// Interpolation. Times are doubles, as the world's; everything is computed by functions that give the same
// bits everywhere, for motions decide what happens.
#include "scene/keyframes.h"

#include <math.h>

// The time by the motion's own clock, within the keys of one that loops.
static double own_time(const sn_keyframes *keyframes, double time)
{
    const sn_key *keys = keyframes->items.items;
    double first = (double)keys[0].at, last = (double)keys[keyframes->items.count - 1].at;
    double own = time - keyframes->start, span = last - first;
    if (keyframes->loop && span > 0.0) {
        own = first + (own - first) - span * floor((own - first) / span);
    }
    return own;
}

// The last key that is not later.
static int key_before(const sn_keyframes *keyframes, double own)
{
    int low = 0, high = keyframes->items.count - 1;
    while (low < high) {
        int middle = low + (high - low + 1) / 2;
        if ((double)keyframes->items.items[middle].at <= own) {
            low = middle;
        } else {
            high = middle - 1;
        }
    }
    return low;
}

static sn_quat nearer(sn_quat of, sn_quat to)
{
    float dot = of.x * to.x + of.y * to.y + of.z * to.z + of.w * to.w;
    return dot < 0.0f ? (sn_quat){-of.x, -of.y, -of.z, -of.w} : of;
}

// From a to b at constant angular speed.
static sn_quat turn(sn_quat a, sn_quat b, float share)
{
    b = nearer(b, a);
    float dot = sn_min(a.x * b.x + a.y * b.y + a.z * b.z + a.w * b.w, 1.0f);
    float angle = sn_acos(dot), from = 1.0f - share, to = share;
    if (angle > 1e-3f) {
        float sine = sn_sin(angle);
        from = sn_sin((1.0f - share) * angle) / sine;
        to = sn_sin(share * angle) / sine;
    }
    return sn_quat_normalize((sn_quat){from * a.x + to * b.x, from * a.y + to * b.y, from * a.z + to * b.z,
                                       from * a.w + to * b.w});
}

// Neighbours beyond the ends of a motion that does not loop are the ends: it starts and stops gently.
typedef struct key_window {
    const sn_key *keys[4];
    double times[4];
} key_window;

static key_window window_at(const sn_keyframes *keyframes, int before)
{
    const sn_key *keys = keyframes->items.items;
    int last = keyframes->items.count - 1;
    double span = (double)keys[last].at - (double)keys[0].at;
    key_window window;
    for (int i = 0; i < 4; ++i) {
        int k = before - 1 + i;
        double shift = 0.0;
        if (k < 0) {
            k = keyframes->loop ? last - 1 : 0;
            shift = keyframes->loop ? -span : 0.0;
        } else if (k > last) {
            k = keyframes->loop ? 1 : last;
            shift = keyframes->loop ? span : 0.0;
        }
        window.keys[i] = &keys[k];
        window.times[i] = (double)keys[k].at + shift;
    }
    return window;
}

// The slope of a smooth path at the middle one of three keys: Catmull and Rom's, limited as Fritsch and
// Carlson do, so that a path swings beyond none of its keys and stays where two say the same.
static double slope_at(const double times[3], const float values[3])
{
    double before = ((double)values[1] - (double)values[0]) / (times[1] - times[0]);
    double after = ((double)values[2] - (double)values[1]) / (times[2] - times[1]);
    if (!(before * after > 0.0)) {
        return 0.0;
    }
    double slope = ((double)values[2] - (double)values[0]) / (times[2] - times[0]);
    double most = 3.0 * fmin(fabs(before), fabs(after));
    return fmax(-most, fmin(slope, most));
}

// A way through four keys, from the second to the third of them.
typedef struct key_path {
    const key_window *window;
    bool rests_before, rests_after; // the second is where the path begins, the third where it ends
    double share;
} key_path;

static float smooth(const key_path *path, float v0, float v1, float v2, float v3)
{
    const double *times = path->window->times;
    const float values[4] = {v0, v1, v2, v3};
    double length = times[2] - times[1], s = path->share, s2 = s * s, s3 = s2 * s;
    double slope1 = path->rests_before ? 0.0 : slope_at(times, values);
    double slope2 = path->rests_after ? 0.0 : slope_at(times + 1, values + 1);
    double rise = (3.0 * s2 - 2.0 * s3) * ((double)v2 - (double)v1);
    return (float)((double)v1 + rise + (s3 - 2.0 * s2 + s) * length * slope1 + (s3 - s2) * length * slope2);
}

static sn_vec3 smooth_vector(const key_path *path, sn_vec3 a, sn_vec3 b, sn_vec3 c, sn_vec3 d)
{
    return sn_v(smooth(path, a.x, b.x, c.x, d.x), smooth(path, a.y, b.y, c.y, d.y),
                smooth(path, a.z, b.z, c.z, d.z));
}

static sn_key smooth_key(const key_path *path)
{
    const sn_key *const *keys = path->window->keys;
    sn_quat q[4];
    for (int i = 0; i < 4; ++i) {
        q[i] = nearer(keys[i]->rotation, keys[1]->rotation);
    }
    sn_quat rotation = {
        smooth(path, q[0].x, q[1].x, q[2].x, q[3].x), smooth(path, q[0].y, q[1].y, q[2].y, q[3].y),
        smooth(path, q[0].z, q[1].z, q[2].z, q[3].z), smooth(path, q[0].w, q[1].w, q[2].w, q[3].w)};
    return (sn_key){
        .first = smooth_vector(path, keys[0]->first, keys[1]->first, keys[2]->first, keys[3]->first),
        .second = smooth_vector(path, keys[0]->second, keys[1]->second, keys[2]->second, keys[3]->second),
        .rotation = sn_quat_normalize(rotation)};
}

sn_key sn_keyframes_at(const sn_keyframes *keyframes, double time)
{
    const sn_key *keys = keyframes->items.items;
    int last = keyframes->items.count - 1;
    double own = own_time(keyframes, time);
    int before = key_before(keyframes, own);
    if (own <= (double)keys[0].at || before == last) {
        return keys[before];
    }
    key_window window = window_at(keyframes, before);
    double share = (own - window.times[1]) / (window.times[2] - window.times[1]);
    if (keyframes->path == SN_PATH_SMOOTH) {
        key_path path = {&window, before == 0 && !keyframes->loop, before == last - 1 && !keyframes->loop,
                         share};
        return smooth_key(&path);
    }
    float part = (float)share;
    const sn_key *a = window.keys[1], *b = window.keys[2];
    return (sn_key){.first = sn_add_scaled(a->first, part, sn_sub(b->first, a->first)),
                    .second = sn_add_scaled(a->second, part, sn_sub(b->second, a->second)),
                    .rotation = turn(a->rotation, b->rotation, part)};
}
