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

// The weights of four keys, the two around a time and their neighbours, for a value there.
typedef struct key_weights {
    float of[4];
} key_weights;

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

// Hermite's weights of the two values, and those of their slopes given to the keys the slopes come from.
static key_weights smooth_weights(const key_window *window, bool rests_before, bool rests_after, double share)
{
    double length = window->times[2] - window->times[1], s = share, s2 = s * s, s3 = s2 * s;
    double slope1 = (s3 - 2.0 * s2 + s) * length, slope2 = (s3 - s2) * length;
    double w[4] = {0.0, 2.0 * s3 - 3.0 * s2 + 1.0, 3.0 * s2 - 2.0 * s3, 0.0};
    if (!rests_before) {
        double per = slope1 / (window->times[2] - window->times[0]);
        w[0] -= per;
        w[2] += per;
    }
    if (!rests_after) {
        double per = slope2 / (window->times[3] - window->times[1]);
        w[1] -= per;
        w[3] += per;
    }
    return (key_weights){{(float)w[0], (float)w[1], (float)w[2], (float)w[3]}};
}

static sn_key blend(const key_window *window, const key_weights *weights)
{
    sn_key sum = {.rotation = {0.0f, 0.0f, 0.0f, 0.0f}};
    for (int i = 0; i < 4; ++i) {
        const sn_key *key = window->keys[i];
        float w = weights->of[i];
        sn_quat q = nearer(key->rotation, window->keys[1]->rotation);
        sum.first = sn_add_scaled(sum.first, w, key->first);
        sum.second = sn_add_scaled(sum.second, w, key->second);
        sum.rotation = (sn_quat){sum.rotation.x + w * q.x, sum.rotation.y + w * q.y, sum.rotation.z + w * q.z,
                                 sum.rotation.w + w * q.w};
    }
    sum.rotation = sn_quat_normalize(sum.rotation);
    return sum;
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
        key_weights weights = smooth_weights(&window, before == 0 && !keyframes->loop,
                                             before == last - 1 && !keyframes->loop, share);
        return blend(&window, &weights);
    }
    float part = (float)share;
    const sn_key *a = window.keys[1], *b = window.keys[2];
    return (sn_key){.first = sn_add_scaled(a->first, part, sn_sub(b->first, a->first)),
                    .second = sn_add_scaled(a->second, part, sn_sub(b->second, a->second)),
                    .rotation = turn(a->rotation, b->rotation, part)};
}
