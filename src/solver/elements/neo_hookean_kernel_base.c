// The kernels of neo-Hookean tetrahedra for the instruction set the library is built for, and what both
// builds share.
#define SN_NEO_HOOKEAN_KIND sn_element_neo_hookean_base
#include "solver/elements/neo_hookean_kernel.h"

#include "base/processor.h"
#include "solver/elements/tetrahedron_lane.h"

#include <math.h>

const sn_element_kind *sn_element_neo_hookean(void)
{
#ifdef SN_HAS_AVX2_KERNELS
    if (sn_has_avx2()) {
        return &sn_element_neo_hookean_avx2;
    }
#endif
    return &sn_element_neo_hookean_base;
}

void sn_neo_hookean_put(sn_element_group *group, int lane, const int nodes[4], const sn_neo_hookean *element)
{
    sn_neo_hookean_block *block = (sn_neo_hookean_block *)group->blocks + lane / SN_LANES;
    int i = lane % SN_LANES;
    sn_tetrahedron_lane_put(block->node, block->gradient, i, nodes, element->gradient);
    double young = element->young, poisson = element->poisson, mu = 0.5 * young / (1.0 + poisson);
    block->lame[0].lane[i] = (float)(mu * (double)element->volume);
    block->lame[1].lane[i] = (float)(2.0 * mu * poisson / (1.0 - 2.0 * poisson) * (double)element->volume);
    block->damping.lane[i] = element->damping;
}

bool sn_neo_hookean_is_stiff(const void *blocks, int block_count)
{
    const sn_neo_hookean_block *block = blocks;
    float firmest = 0.0f;
    for (int i = 0; i < block_count; ++i) {
        for (int lane = 0; lane < SN_LANES; ++lane) {
            firmest = sn_max(firmest, block[i].firmness.lane[lane]);
        }
    }
    return firmest > SN_FIRM;
}

// Symmetric, in the order of the blocks: xx yy zz yz xz xy.
static void sum_of_outer_products(const sn_neo_hookean_block *block, int lane, double b[6])
{
    double last[3] = {0.0, 0.0, 0.0};
    memset(b, 0, 6 * sizeof *b);
    for (int a = 3; a >= 0; --a) {
        double g[3], w = block->inverse_mass[a].lane[lane];
        for (int k = 0; k < 3; ++k) {
            g[k] = a > 0 ? (double)block->gradient[a - 1][k].lane[lane] : -last[k];
            last[k] += g[k];
        }
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

void sn_neo_hookean_make(const sn_element_pass *pass, sn_neo_hookean_block *block, int lane)
{
    double b[6], m[6], inverse[6], h = pass->h, firmest = 1.0 / (double)pass->firmest.inverse_a2;
    sum_of_outer_products(block, lane, b);
    double size = largest_row(b), trace = b[0] + b[1] + b[2];
    block->made_for[0].lane[lane] = pass->h;
    block->made_for[1].lane[lane] = pass->firmest.inverse_a2;
    block->made_for[2].lane[lane] = pass->firmest.bias_rate;
    if (!(size > 0.0)) { // no tetrahedron, or all of it fixed
        return;
    }
    // Eigenvalues of H B: 2µ of shear, 2µ + 3λ of bulk, if B were a multiple of 1. What they are measured by
    // is about twice the κ of rows.
    double stiffest =
        smaller((double)pass->firmest.bias_rate * firmest, 2.0 * (double)pass->stiffest / h) / h;
    double mu = smaller((double)block->lame[0].lane[lane], 0.5 * stiffest / size);
    double left = stiffest - 2.0 * mu * size; // for bulk; rounding may make it negative
    double lambda = smaller((double)block->lame[1].lane[lane], left > 0.0 ? left / trace : 0.0);
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
    block->shear.lane[lane] = (float)(h * mu);
    block->bulk.lane[lane] = (float)(h * lambda);
    block->largest_bulk.lane[lane] = (float)(smaller(h * stiffest, firmest / time) / trace);
    block->size.lane[lane] = (float)size;
    block->time.lane[lane] = (float)time;
}
