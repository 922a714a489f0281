// Gaussian elimination with complete pivoting, in double, of matrices that are nearly symmetric and scaled to
// a diagonal of ones: for systems whose redundant rows must be told from those that merely have little
// effect. A link far from the centre of a small body turns it ten thousand times more easily than it moves
// it, and float's rounding of the one is as large as the other.
#ifndef SN_MATH_DENSE_WIDE_H
#define SN_MATH_DENSE_WIDE_H

#include "sinew/math.h"

#include <math.h>

enum { SN_WIDE_ROWS = 48 }; // at most

// Rows that are this close to what others imply are given up: what rounding makes of their errors would be
// answered a thousandfold.
#define SN_WIDE_REDUNDANT 1.0e-6

typedef struct sn_wide {
    int count, rank;
    double m[SN_WIDE_ROWS][SN_WIDE_ROWS];          // in: the matrix
    double scales[SN_WIDE_ROWS];                   // of rows and columns; 0 for one that is zero
    int rows[SN_WIDE_ROWS], columns[SN_WIDE_ROWS]; // in the order of pivots
} sn_wide;

static inline void sn_wide_scale(sn_wide *w)
{
    for (int i = 0; i < w->count; ++i) {
        float diagonal = (float)w->m[i][i];
        w->scales[i] = diagonal > 0.0f ? 1.0 / (double)sqrtf(diagonal) : 0.0;
        w->rows[i] = w->columns[i] = i;
    }
    for (int i = 0; i < w->count; ++i) {
        for (int k = 0; k < w->count; ++k) {
            w->m[i][k] *= w->scales[i] * w->scales[k];
        }
    }
}

static inline void sn_wide_swap(int *a, int *b)
{
    int c = *a;
    *a = *b;
    *b = c;
}

// Brings the largest of what is left to the pivot's place. Returns its size.
static inline double sn_wide_pivot(sn_wide *w, int step)
{
    double largest = 0.0;
    int row = step, column = step;
    for (int i = step; i < w->count; ++i) {
        for (int k = step; k < w->count; ++k) {
            double size = w->m[w->rows[i]][w->columns[k]];
            size = size < 0.0 ? -size : size;
            if (size > largest) {
                largest = size;
                row = i;
                column = k;
            }
        }
    }
    sn_wide_swap(&w->rows[step], &w->rows[row]);
    sn_wide_swap(&w->columns[step], &w->columns[column]);
    return largest;
}

// In place, until what is left is redundant.
static inline void sn_wide_factor(sn_wide *w)
{
    sn_wide_scale(w);
    for (w->rank = 0; w->rank < w->count; ++w->rank) {
        if (!(sn_wide_pivot(w, w->rank) > SN_WIDE_REDUNDANT)) {
            return;
        }
        const double *top = w->m[w->rows[w->rank]];
        int column = w->columns[w->rank];
        for (int i = w->rank + 1; i < w->count; ++i) {
            double *row = w->m[w->rows[i]], factor = row[column] / top[column];
            row[column] = factor;
            for (int k = w->rank + 1; factor != 0.0 && k < w->count; ++k) {
                row[w->columns[k]] -= factor * top[w->columns[k]];
            }
        }
    }
}

// Solves in place; unknowns of redundant columns are zero.
static inline void sn_wide_solve(const sn_wide *w, double *x)
{
    double y[SN_WIDE_ROWS] = {0.0};
    for (int i = 0; i < w->rank; ++i) {
        const double *row = w->m[w->rows[i]];
        y[i] = x[w->rows[i]] * w->scales[w->rows[i]];
        for (int k = 0; k < i; ++k) {
            y[i] -= row[w->columns[k]] * y[k];
        }
    }
    for (int i = w->rank - 1; i >= 0; --i) {
        const double *row = w->m[w->rows[i]];
        for (int k = i + 1; k < w->rank; ++k) {
            y[i] -= row[w->columns[k]] * y[k];
        }
        y[i] /= row[w->columns[i]];
    }
    for (int i = 0; i < w->count; ++i) {
        x[w->columns[i]] = i < w->rank ? y[i] * w->scales[w->columns[i]] : 0.0;
    }
}

#endif
