// Errata of Müller 2017, each as printed and corrected: bounds of chains, the plane of a hinge chain, what
// counts as supported. Nothing here is used by the library. Tested by tests/apps/test_figures_slow.c.
#include "apps/figures/figure.h"
#include "apps/figures/items.h"
#include "scene/message.h"

#include <math.h>
#include <stdio.h>

#define PI 3.14159265358979323846

// --- lower bounds of chains --------------------------------------------------------------------------------

static double third_side(double a, double b, double angle)
{
    return sqrt(fmax(a * a + b * b - 2.0 * a * b * cos(angle), 0.0));
}

// How near the end of a chain that is straight at rest can get to its beginning, when each joint may bend by
// `limit`. Printed: φ = max(α − γ − δ, 0) and α⁺ = φ + β, with γ = π, the interior angle at rest of figures 2
// and 7.
static double printed_bound(const double *lengths, int count, double limit)
{
    double distance = lengths[0], alpha = 0.0;
    for (int i = 1; i < count; ++i) {
        double phi = fmax(alpha - PI - limit, 0.0), next = third_side(distance, lengths[i], phi);
        double cosine =
            (distance * distance + next * next - lengths[i] * lengths[i]) / (2.0 * distance * next + 1e-300);
        alpha = phi + acos(fmin(fmax(cosine, -1.0), 1.0));
        distance = next;
    }
    return distance;
}

// With interior angles throughout: φ = max(θ − a, 0).
static double interior_bound(const double *lengths, int count, double limit)
{
    double distance = lengths[0], a = 0.0;
    for (int i = 1; i < count; ++i) {
        double phi = fmax(PI - limit - a, 0.0);
        a = atan2(distance * sin(phi), lengths[i] - distance * cos(phi));
        distance = third_side(distance, lengths[i], phi);
    }
    return distance;
}

// The chain bent as far as it goes, always the same way.
static double arc(const double *lengths, int count, double limit)
{
    double x = 0.0, y = 0.0;
    for (int i = 0; i < count; ++i) {
        x += lengths[i] * cos(i * limit);
        y += lengths[i] * sin(i * limit);
    }
    return hypot(x, y);
}

// The nearest that any bend of three segments in a plane leads to, by trying.
static double nearest_of_three(const double *lengths, double limit)
{
    enum { TRIES = 400 };
    double nearest = INFINITY;
    for (int i = 0; i <= TRIES; ++i) {
        for (int k = 0; k <= TRIES; ++k) {
            double first = limit * (2.0 * i / TRIES - 1.0), second = first + limit * (2.0 * k / TRIES - 1.0);
            double x = lengths[0] + lengths[1] * cos(first) + lengths[2] * cos(second);
            double y = lengths[1] * sin(first) + lengths[2] * sin(second);
            nearest = fmin(nearest, hypot(x, y));
        }
    }
    return nearest;
}

// The interior recursion while the bent chain and its chord are convex; beyond that it is no bound, and 0 is.
static double safe_bound(const double *lengths, int count, double limit)
{
    double distance = lengths[0], a = 0.0;
    for (int i = 1; i < count; ++i) {
        double phi = PI - limit - a;
        a = atan2(distance * sin(phi), lengths[i] - distance * cos(phi));
        distance = third_side(distance, lengths[i], phi);
        if (phi < 0.0 || i * limit - a > PI) {
            return 0.0;
        }
    }
    return distance;
}

static bool bounds(figure_job *job)
{
    static const double ones[10] = {1, 1, 1, 1, 1, 1, 1, 1, 1, 1}, uneven[3] = {1, 1, 10};
    double twenty = PI / 9.0, hundred = 100.0 * PI / 180.0;
    double exact = arc(ones, 10, twenty);
    double reached = nearest_of_three(uneven, hundred), greedy = interior_bound(uneven, 3, hundred);
    double curled = nearest_of_three(ones, hundred);
    return figure_note(
               job,
               (figure_value){.ours = printed_bound(ones, 10, twenty), .unit = "m", .paper = "the bound"},
               "ten links of 1 m that bend by 20°, as printed: no nearer than (%.3f m is true)", exact) &&
           figure_note(job,
                       (figure_value){fabs(interior_bound(ones, 10, twenty) - exact), "m", NULL,
                                      FIGURE_AT_MOST, 1e-9},
                       "the same with interior angles: off the truth by") &&
           figure_note(
               job,
               (figure_value){
                   .ours = printed_bound(ones, 3, hundred) - curled, .unit = "m", .paper = "at most 0"},
               "three links that bend by 100°, as printed: how much nearer the end gets than the bound") &&
           figure_note(job, (figure_value){.ours = greedy - reached, .unit = "m", .paper = "at most 0"},
                       "links of 1, 1, 10 m that bend by 100°, interior angles: how much nearer the end gets "
                       "than the "
                       "bound") &&
           figure_note(job,
                       (figure_value){safe_bound(uneven, 3, hundred) - reached, "m", "at most 0",
                                      FIGURE_AT_MOST, 1e-9},
                       "the same, given up where the chain is no longer convex");
}

// --- the plane of a hinge chain ----------------------------------------------------------------------------

enum { RODS = 8 };

// A rod near the plane z = 0: heights of its two joints follow from that of its middle and its tilt.
typedef struct rod {
    double mass, length, height, tilt;
} rod;

static double off_plane(const rod *rods)
{
    double sum = 0.0;
    for (int i = 0; i < RODS; ++i) {
        double half = 0.5 * rods[i].length * rods[i].tilt;
        sum += pow(rods[i].height - half, 2.0) + pow(rods[i].height + half, 2.0);
    }
    return sqrt(sum / (2 * RODS));
}

// One projection. Printed: each joint is pushed by −m s. Corrected: impulses solve the rod's own two
// equations.
static void flatten(rod *rods, bool printed)
{
    for (int i = 0; i < RODS; ++i) {
        rod *r = &rods[i];
        double half = 0.5 * r->length, inertia = r->mass * r->length * r->length / 12.0;
        double s[2] = {r->height - half * r->tilt, r->height + half * r->tilt}, impulse[2];
        double same = 1.0 / r->mass + half * half / inertia, other = 1.0 / r->mass - half * half / inertia;
        double determinant = same * same - other * other;
        for (int k = 0; k < 2; ++k) {
            impulse[k] = printed ? -r->mass * s[k] : -(same * s[k] - other * s[1 - k]) / determinant;
        }
        r->height += (impulse[0] + impulse[1]) / r->mass;
        r->tilt += half * (impulse[1] - impulse[0]) / inertia;
    }
}

static bool plane(figure_job *job)
{
    double after[2], before = 0.0;
    for (int printed = 0; printed < 2; ++printed) {
        rod rods[RODS];
        for (int i = 0; i < RODS; ++i) {
            rods[i] = (rod){1.0 + 0.2 * i, 1.0 - 0.05 * i, 0.2 * sin(2.3 * i + 0.4), 0.3 * cos(1.7 * i)};
        }
        before = off_plane(rods);
        flatten(rods, printed == 1);
        after[printed] = off_plane(rods);
    }
    return figure_note(job, (figure_value){.ours = before, .unit = "m"},
                       "eight rods: off the plane before") &&
           figure_note(job, (figure_value){.ours = after[1], .unit = "m", .paper = "0"},
                       "after one projection, as printed: two joints push each rod with its whole mass") &&
           figure_note(job, (figure_value){after[0], "m", "0", FIGURE_AT_MOST, 1e-12},
                       "after one projection, each rod's two joints together");
}

// --- what is supported -------------------------------------------------------------------------------------

enum { MOST_BOXES = 4, MOST_TOUCHES = 16 };

typedef struct block {
    double x, y, width, height;
} block;

// Two places where two boxes touch, or a box and the ground (−1); the picture is flat, so hulls are
// intervals.
typedef struct touch {
    double x, y;
    int a, b;
    bool supports;
} touch;

typedef struct pile {
    block boxes[MOST_BOXES];
    int count, touch_count;
    touch touches[MOST_TOUCHES];
    bool released[MOST_BOXES], supported[MOST_BOXES];
} pile;

static void find_touches(pile *pile)
{
    for (int i = 0; i < pile->count; ++i) {
        block upper = pile->boxes[i];
        for (int k = -1; k < pile->count; ++k) {
            block ground = {0.0, -0.5, 100.0, 1.0}, lower = k < 0 ? ground : pile->boxes[k];
            double left = fmax(upper.x - 0.5 * upper.width, lower.x - 0.5 * lower.width);
            double right = fmin(upper.x + 0.5 * upper.width, lower.x + 0.5 * lower.width);
            double level = upper.y - 0.5 * upper.height;
            if (k != i && right > left && fabs(level - lower.y - 0.5 * lower.height) < 1e-6) {
                pile->touches[pile->touch_count++] = (touch){left, level, i, k, k < 0};
                pile->touches[pile->touch_count++] = (touch){right, level, i, k, k < 0};
            }
        }
    }
}

// Whether x is between the supporting touches of a box that are below a level.
static bool is_held(const pile *pile, int box, double x, double level)
{
    double left = INFINITY, right = -INFINITY;
    for (int i = 0; i < pile->touch_count; ++i) {
        const touch *t = &pile->touches[i];
        if (t->supports && (t->a == box || t->b == box) && t->y < level - 1e-3) {
            left = fmin(left, t->x);
            right = fmax(right, t->x);
        }
    }
    return x >= left - 1e-3 && x <= right + 1e-3;
}

// Boxes are listed from below, so that touches are in order of their height.
static void find_support(pile *pile)
{
    for (int i = 0; i < pile->touch_count; ++i) {
        touch *t = &pile->touches[i];
        t->supports = t->b < 0 || (!pile->released[t->b] && is_held(pile, t->b, t->x, t->y));
    }
    for (int i = 0; i < pile->count; ++i) {
        pile->supported[i] = !pile->released[i] && is_held(pile, i, pile->boxes[i].x, pile->boxes[i].y);
    }
}

// Corrected: a box with an unsupported one on it, outside of what holds it, is not supported either; again
// until nothing changes.
static void release_loaded(pile *pile)
{
    for (int round = 0; round < pile->count; ++round) {
        for (int i = 0; i < pile->touch_count; ++i) {
            const touch *t = &pile->touches[i];
            if (t->b >= 0 && !pile->supported[t->a] && !is_held(pile, t->b, t->x, pile->boxes[t->b].y)) {
                pile->released[t->b] = true;
            }
        }
        find_support(pile);
    }
}

static bool topple(figure_job *job, double *drop)
{
    static const char text[] =
        "{\"sinew\": 1, \"bodies\": [{\"name\": \"ground\", \"shape\": {\"type\": \"plane\"}}, {\"name\": "
        "\"pillar\", "
        "\"position\": [0, 0.5, 0], \"shape\": {\"type\": \"box\", \"size\": [0.4, 1, 1]}}, {\"name\": "
        "\"beam\", \"position\": "
        "[0, 1.1, 0], \"shape\": {\"type\": \"box\", \"size\": [2.8, 0.2, 1]}}, {\"name\": \"load\", "
        "\"position\": [1.2, 1.4, "
        "0], \"shape\": {\"type\": \"box\", \"size\": [0.4, 0.4, 0.4], \"density\": 3000}, \"color\": "
        "\"#c8503c\"}], "
        "\"cameras\": [{\"eye\": [2.5, 2.2, 5], \"target\": [0.2, 0.8, 0], \"field_of_view\": 40}]}";
    figure_run run;
    bool fine = figure_run_parse(job, &run, text, "beam with a load on its arm", "", 1) &&
                figure_run_until(&run, 2.0) &&
                figure_picture(&run, "muller-errata-support", "A load on one arm: the beam tips over") &&
                figure_run_hash(&run, "beam");
    *drop = fine ? 1.4 - (double)sn_rigid_position(run.world, figure_body(&run, "load")).y : 0.0;
    figure_run_close(&run);
    return fine;
}

static bool support(figure_job *job)
{
    pile printed = {.boxes = {{0.0, 0.5, 0.4, 1.0}, {0.0, 1.1, 2.8, 0.2}, {1.2, 1.4, 0.4, 0.4}}, .count = 3};
    double drop = 0.0;
    find_touches(&printed);
    find_support(&printed);
    pile corrected = printed;
    release_loaded(&corrected);
    return topple(job, &drop) &&
           figure_note(job, (figure_value){.ours = printed.supported[1], .paper = "0"},
                       "a beam on a pillar with a box on one arm, as printed: is it supported?") &&
           figure_note(job, (figure_value){corrected.supported[1], "", "0", FIGURE_EQUAL, 0.0},
                       "the same, corrected: loads of what is not supported count") &&
           figure_note(job, (figure_value){corrected.supported[0], "", NULL, FIGURE_EQUAL, 1.0},
                       "its pillar, corrected") &&
           figure_note(job, (figure_value){drop, "m", NULL, FIGURE_AT_LEAST, 0.5},
                       "in Sinew: how far the box has fallen after 2 s");
}

#define PAPER "Müller 2017"

const figure_item figure_muller_errata[] = {
    {"muller-errata-bounds", PAPER, "Erratum: bounds of chains",
     "The rules mix two meanings of an angle: with interior angles, as in the paper's drawings, the printed "
     "lower bound is "
     "useless, and wrong for chains that curl. The consistent rule is exact as long as the chain, bent as "
     "far as it "
     "goes, is convex with its chord; beyond that it is no bound at all.",
     bounds},
    {"muller-errata-plane", PAPER, "Erratum: the plane of a hinge chain",
     "Two joints of a body are each pushed back with the whole of its mass, so it ends on the other side. "
     "Together they "
     "are two equations for each body.",
     plane},
    {"muller-errata-support", PAPER, "Erratum: what is supported",
     "A beam whose own centre is above its pillar counts as supported, and would stay frozen under a load on "
     "its arm.",
     support},
    {0}};
