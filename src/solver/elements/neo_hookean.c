// Filling in neo-Hookean tetrahedra, their energy, and the matrices they are solved with. Tested in
// test_neo_hookean_kernel.c.
// Tested by tests/solver/elements/test_neo_hookean_kernel.c.
#include "solver/elements/neo_hookean_block.h"

#include <float.h>
#include <math.h>

void sn_neo_hookean_put(sn_element_group *group, int lane, const int nodes[4], const sn_tetrahedron *element)
{
    sn_neo_hookean_block *block = (sn_neo_hookean_block *)group->blocks + lane / SN_LANES;
    int i = lane % SN_LANES;
    sn_shape_put(&block->shape, i, nodes, element->gradient);
    double young = element->young, poisson = element->poisson, mu = 0.5 * young / (1.0 + poisson);
    block->lame[0].lane[i] = (float)(mu * (double)element->volume);
    block->lame[1].lane[i] = (float)(2.0 * mu * poisson / (1.0 - 2.0 * poisson) * (double)element->volume);
    block->damping.lane[i] = element->damping;
    block->most[0].lane[i] = block->most[1].lane[i] = FLT_MAX;
}

bool sn_neo_hookean_is_stiff(const void *blocks, int block_count, float limit)
{
    const sn_neo_hookean_block *block = blocks;
    return sn_any_lane_above(&block->firmness, sizeof *block, block_count, limit);
}

int sn_neo_hookean_unresolved(const sn_element_pass *pass, const void *block)
{
    const sn_neo_hookean_block *elements = block;
    int count = 0;
    for (int i = 0; i < SN_LANES; ++i) {
        bool is_limited = elements->shear.lane[i] < 0.999f * pass->h * elements->lame[0].lane[i] ||
                          elements->bulk.lane[i] < 0.999f * pass->h * elements->lame[1].lane[i];
        count += elements->shape.node[0][i] != 0 && is_limited ? 1 : 0;
    }
    return count;
}

// Natural logarithm of what is 1/16 or more, to about 1e-15 of 1, by +, −, ×, ÷ and √ only. Roots are taken
// until the argument is near 1, where log x = 2 artanh((x − 1)/(x + 1)) has a short series.
static double logarithm(double x)
{
    double factor = 2.0;
    for (int i = 0; i < 64 && (x > 1.1 || x < 0.9); ++i) { // infinity has no end of roots
        x = sqrt(x);
        factor *= 2.0;
    }
    double t = (x - 1.0) / (x + 1.0), s = t * t;
    return factor * t * (1.0 + s * (1.0 / 3 + s * (1.0 / 5 + s * (1.0 / 7 + s * (1.0 / 9)))));
}

// A stiffness, or as much of it as the last sub-step could resolve.
static double acting(const sn_neo_hookean_block *block, int lane, int which)
{
    return (double)sn_min(block->lame[which].lane[lane], block->most[which].lane[lane]);
}

double sn_neo_hookean_energy(const sn_neo_hookean_block *block, int lane, sn_mat3 f)
{
    double mu = acting(block, lane, 0);
    double lambda = acting(block, lane, 1);
    double size = (double)sn_dot(f.x, f.x) + (double)sn_dot(f.y, f.y) + (double)sn_dot(f.z, f.z);
    double growth = (double)sn_dot(f.x, sn_cross(f.y, f.z)) - 1.0;
    return mu * (2.0 / 3.0 * (size - 3.0 - logarithm(0.25 * (size + 1.0))) - growth) +
           0.5 * (lambda + 5.0 / 6.0 * mu) * growth * growth;
}

// Symmetric, in the order of the blocks: xx yy zz yz xz xy.
static void sum_of_outer_products(const sn_neo_hookean_block *block, int lane, double b[6])
{
    double gradients[4][3];
    memset(b, 0, 6 * sizeof *b);
    sn_shape_gradients(block->shape.gradient[0], lane, gradients);
    for (int a = 3; a >= 0; --a) {
        double w = block->shape.inverse_mass[a].lane[lane];
        const double *g = gradients[a];
        b[0] += w * g[0] * g[0];
        b[1] += w * g[1] * g[1];
        b[2] += w * g[2] * g[2];
        b[3] += w * g[1] * g[2];
        b[4] += w * g[0] * g[2];
        b[5] += w * g[0] * g[1];
    }
}

// A bound of the largest eigenvalue: the largest sum of sizes in a row.
static double largest_row(const double b[6])
{
    double yz = fabs(b[3]), xz = fabs(b[4]), xy = fabs(b[5]);
    double x = b[0] + xy + xz, y = b[1] + xy + yz, z = b[2] + xz + yz;
    return x > y ? (x > z ? x : z) : (y > z ? y : z);
}

// Symmetric positive definite.
static void invert(const double m[6], double inverse[6])
{
    double xx = m[1] * m[2] - m[3] * m[3], xy = m[4] * m[3] - m[5] * m[2], xz = m[5] * m[3] - m[4] * m[1];
    double scale = 1.0 / (m[0] * xx + m[5] * xy + m[4] * xz);
    inverse[0] = xx * scale;
    inverse[1] = (m[0] * m[2] - m[4] * m[4]) * scale;
    inverse[2] = (m[0] * m[1] - m[5] * m[5]) * scale;
    inverse[3] = (m[5] * m[4] - m[0] * m[3]) * scale;
    inverse[4] = xz * scale;
    inverse[5] = xy * scale;
}

static double smaller(double a, double b)
{
    return a < b ? a : b;
}

static void make_lane(const sn_element_pass *pass, sn_neo_hookean_block *block, int lane)
{
    double b[6], m[6], inverse[6], h = pass->h, firmest = (double)pass->most_damped;
    sum_of_outer_products(block, lane, b);
    double size = largest_row(b), trace = b[0] + b[1] + b[2];
    if (!(size > 0.0)) { // no tetrahedron, or all of it fixed
        return;
    }
    // Eigenvalues of H B: 2µ of shear, 2µ + 3λ of bulk, if B were a multiple of 1. What they are measured by
    // is about twice the κ of rows.
    double stiffest =
        smaller((double)pass->firmest.bias_rate * firmest, 2.0 * (double)pass->stiffest / h) / h;
    double most_mu = smaller(0.5 * stiffest / size, (double)FLT_MAX);
    double mu = smaller((double)block->lame[0].lane[lane], most_mu);
    double left = stiffest - 2.0 * mu * size; // for bulk; rounding may make it negative
    double most_lambda = left > 0.0 ? smaller(left / trace, (double)FLT_MAX) : 0.0;
    double lambda = smaller((double)block->lame[1].lane[lane], most_lambda);
    double firm = h * (2.0 * mu * size + lambda * trace);
    double time = smaller(h + (double)block->damping.lane[lane], firmest / firm);
    for (int k = 0; k < 6; ++k) {
        m[k] = (k < 3 ? 1.0 : 0.0) + 2.0 * h * mu * time * b[k];
    }
    invert(m, inverse);
    double twice = 2.0 * h * mu * time;
    for (int k = 0; k < 6; ++k) {
        block->inverse[k].lane[lane] = (float)inverse[k];
        // (1 + t B)⁻¹ B = (1 − (1 + t B)⁻¹)/t.
        block->product[k].lane[lane] = (float)(((k < 3 ? 1.0 : 0.0) - inverse[k]) / twice);
    }
    block->most[0].lane[lane] = (float)most_mu;
    block->most[1].lane[lane] = (float)most_lambda;
    block->shear.lane[lane] = (float)(h * mu);
    block->bulk.lane[lane] = (float)(h * lambda);
    block->largest_bulk.lane[lane] = (float)(smaller(h * stiffest, firmest / time) / trace);
    block->size.lane[lane] = (float)size;
    block->time.lane[lane] = (float)time;
}

void sn_neo_hookean_make(const sn_element_pass *pass, sn_neo_hookean_block *block, int lanes)
{
    for (int lane = 0; lane < lanes; ++lane) {
        make_lane(pass, block, lane);
    }
}
