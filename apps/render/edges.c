// Marks the pixels of a row that are at an edge, all at once; then follows the edge of each.
#include "apps/render/edges.h"

#include <stddef.h>
#include <stdlib.h>
#include <string.h>

enum {
    FARTHEST = 8,    // pixels that an edge is followed to either side
    LEAST_RANGE = 5, // of brightness around a pixel at an edge, of 255
    RANGE_PART = 15, // the same, of 256 parts of the highest
};

bool edges_create(edge_smoother *smoother, int width, int height)
{
    size_t count = (size_t)width * (size_t)height;
    *smoother = (edge_smoother){.width = width,
                                .height = height,
                                .brightness = malloc(count),
                                .marks = malloc((size_t)width + 8),
                                .before = malloc(4 * count)};
    return smoother->brightness != NULL && smoother->marks != NULL && smoother->before != NULL;
}

void edges_destroy(edge_smoother *smoother)
{
    free(smoother->brightness);
    free(smoother->marks);
    free(smoother->before);
    memset(smoother, 0, sizeof *smoother);
}

// --- where edges are ---------------------------------------------------------------------------------------

static inline uint8_t larger(uint8_t a, uint8_t b)
{
    return a > b ? a : b;
}

static inline uint8_t smaller(uint8_t a, uint8_t b)
{
    return a < b ? a : b;
}

// Marks all of a row but its ends. Without branches and with bytes only, so that it is done sixteen at a
// time.
static void mark_row(const uint8_t *row, int width, uint8_t *restrict marks)
{
    const uint8_t *above = row + width, *below = row - width;
    for (int x = 1; x < width - 1; ++x) {
        uint8_t highest = larger(row[x], larger(larger(above[x], below[x]), larger(row[x - 1], row[x + 1])));
        uint8_t lowest =
            smaller(row[x], smaller(smaller(above[x], below[x]), smaller(row[x - 1], row[x + 1])));
        uint8_t least = larger(LEAST_RANGE, (uint8_t)((uint16_t)(highest * RANGE_PART) >> 8));
        marks[x] = (uint8_t)(highest - lowest) > least;
    }
}

// --- along one edge ----------------------------------------------------------------------------------------

// An edge between a pixel and its neighbour across, as steps in an array of brightness.
typedef struct edge {
    int along, across;
    int border; // twice the brightness between the two sides
    int steep;  // twice how far off the border the edge has ended
} edge;

// The direction across which brightness bends most, and there the steeper side.
static edge edge_at(const uint8_t *here, int width)
{
    int middle = *here, above = here[width], below = here[-width], right = here[1], left = here[-1];
    bool level = abs(above + below - 2 * middle) >= abs(left + right - 2 * middle);
    int plus = level ? above : right, minus = level ? below : left;
    bool up = abs(plus - middle) >= abs(minus - middle);
    int other = up ? plus : minus, row = level ? width : 1;
    return (edge){.along = level ? 1 : width,
                  .across = up ? row : -row,
                  .border = middle + other,
                  .steep = (abs(other - middle) + 1) / 2};
}

// Follows an edge for at most so many pixels; how many it took, and in `end` how far off the border it was.
static int follow(const uint8_t *here, const edge *edge, int step, int most, int *end)
{
    for (int i = 1;; ++i) {
        const uint8_t *there = here + i * step;
        *end = there[0] + there[edge->across] - edge->border;
        if (i >= most || abs(*end) >= edge->steep) {
            return i;
        }
    }
}

static int at_most(int a, int b)
{
    return a < b ? a : b;
}

// How much of the neighbour across belongs into a pixel, of 256.
static int mixed_part(const edge_smoother *smoother, int x, int y, const edge *edge)
{
    const uint8_t *here = smoother->brightness + (ptrdiff_t)y * smoother->width + x;
    bool level = edge->along == 1;
    // Within the outermost pixels, so that all neighbours exist.
    int before = level ? x - 1 : y - 1, after = level ? smoother->width - 2 - x : smoother->height - 2 - y;
    int end_plus = 0, end_minus = 0;
    int to_plus = after > 0 ? follow(here, edge, edge->along, at_most(after, FARTHEST), &end_plus) : FARTHEST;
    int to_minus =
        before > 0 ? follow(here, edge, -edge->along, at_most(before, FARTHEST), &end_minus) : FARTHEST;
    int nearer = at_most(to_plus, to_minus);
    int end = to_plus < to_minus ? end_plus : end_minus;
    // The nearer end must be one where the border goes to this pixel's side.
    bool counts = (end < 0) != (2 * *here < edge->border);
    return counts ? 128 - 256 * nearer / (to_plus + to_minus) : 0;
}

static void smooth_pixel(const edge_smoother *smoother, int x, int y, uint8_t *pixels)
{
    ptrdiff_t place = (ptrdiff_t)y * smoother->width + x;
    edge edge = edge_at(smoother->brightness + place, smoother->width);
    int part = mixed_part(smoother, x, y, &edge);
    const uint8_t *here = smoother->before + 4 * place, *neighbour = here + 4 * (ptrdiff_t)edge.across;
    for (int channel = 0; channel < 3; ++channel) {
        int change = (neighbour[channel] - here[channel]) * part;
        pixels[4 * place + channel] = (uint8_t)(here[channel] + (change + (change < 0 ? -128 : 128)) / 256);
    }
}

void edges_smooth(edge_smoother *smoother, uint8_t *pixels)
{
    int width = smoother->width, height = smoother->height;
    memcpy(smoother->before, pixels, 4 * (size_t)width * (size_t)height);
    for (ptrdiff_t i = 0; i < (ptrdiff_t)width * height; ++i) {
        smoother->brightness[i] = pixels[4 * i + 3];
    }
    memset(smoother->marks, 0, (size_t)width + 8);
    for (int y = 1; y < height - 1; ++y) {
        mark_row(smoother->brightness + (ptrdiff_t)y * width, width, smoother->marks);
        for (int x = 0; x < width; x += 8) {
            uint64_t eight;
            memcpy(&eight, smoother->marks + x, sizeof eight);
            for (int k = x; eight != 0 && k < x + 8; ++k) {
                if (smoother->marks[k] != 0) {
                    smooth_pixel(smoother, k, y, pixels);
                }
            }
        }
    }
}
