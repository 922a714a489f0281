// The kernels of tetrahedra for the instruction set the library is built for, and what both builds share.
#define SN_TETRAHEDRON_KIND sn_element_tetrahedra_base
#include "solver/elements/tetrahedron_kernel.h"

#include "base/processor.h"
#include "solver/elements/tetrahedron_lane.h"

const sn_element_kind *sn_element_tetrahedra(void)
{
#ifdef SN_HAS_AVX2_KERNELS
    if (sn_has_avx2()) {
        return &sn_element_tetrahedra_avx2;
    }
#endif
    return &sn_element_tetrahedra_base;
}

void sn_tetrahedron_put(sn_element_group *group, int lane, const int nodes[4], const sn_tetrahedron *element)
{
    sn_tetrahedron_block *block = (sn_tetrahedron_block *)group->blocks + lane / SN_LANES;
    int i = lane % SN_LANES;
    sn_tetrahedron_lane_put(block->node, block->gradient, i, nodes, element->gradient);
    float stiffness = element->young * element->volume;
    block->compliance[0].lane[i] = (1.0f - 2.0f * element->poisson) / stiffness;
    block->compliance[1].lane[i] = (1.0f + element->poisson) / stiffness;
    block->compliance[2].lane[i] = 2.0f * (1.0f + element->poisson) / stiffness;
    block->damping.lane[i] = element->damping;
    block->rotation[3].lane[i] = 1.0f;
}

// The six rows' gradients with respect to a node, in the frame that R turns: Ċ_i = g_i · Rᵀ v.
static void gradients(double x, double y, double z, double g[SN_TETRAHEDRON_ROWS][3])
{
    const double third = 0.57735026918962576, half = 0.70710678118654752, sixth = 0.40824829046386302;
    const double rows[SN_TETRAHEDRON_ROWS][3] = {{x * third, y * third, z * third},
                                                 {x * half, -y * half, 0.0},
                                                 {x * sixth, y * sixth, -2.0 * z * sixth},
                                                 {0.0, z, y},
                                                 {z, 0.0, x},
                                                 {y, x, 0.0}};
    memcpy(g, rows, sizeof rows);
}

static double smaller(double a, double b)
{
    return a < b ? a : b;
}

// J W Jᵀ + Γ of one lane.
static void assemble(const sn_element_pass *pass, sn_tetrahedron_block *block, int lane, double m[6][6])
{
    double sum[3] = {0.0, 0.0, 0.0}, h = pass->h, time = h * (h + (double)block->damping.lane[lane]);
    memset(m, 0, 36 * sizeof(double));
    for (int a = 3; a >= 0; --a) {
        double b[3];
        for (int k = 0; k < 3; ++k) {
            b[k] = a > 0 ? (double)block->gradient[a - 1][k].lane[lane] : -sum[k];
            sum[k] += b[k];
        }
        double g[SN_TETRAHEDRON_ROWS][3], w = block->inverse_mass[a].lane[lane];
        gradients(b[0], b[1], b[2], g);
        for (int r = 0; r < 6; ++r) {
            for (int c = 0; c <= r; ++c) {
                m[r][c] += w * (g[r][0] * g[c][0] + g[r][1] * g[c][1] + g[r][2] * g[c][2]);
            }
        }
    }
    double firmest = 0.0, excess = 0.0, hardest = 1.0 / (double)pass->firmest.inverse_a2;
    double strongest = smaller((double)pass->firmest.bias_rate * hardest, (double)pass->stiffest / h);
    for (int r = 0; r < 6; ++r) {
        double stiffness = 1.0 / (double)block->compliance[r == 0 ? 0 : r < 3 ? 1 : 2].lane[lane];
        // κ/Γ and h κ/α.
        double firm = smaller(m[r][r] * time * stiffness, hardest);
        double strong = smaller(m[r][r] * h * stiffness, strongest);
        // Rows that no free node moves have their own Γ, so that the others can be solved.
        double softness = firm > 0.0 ? m[r][r] / firm : 1.0 / (time * stiffness);
        block->softness[r].lane[lane] = (float)softness;
        block->rate[r].lane[lane] = firm > 0.0 ? (float)(strong / firm) : 0.0f;
        firmest = firm > firmest ? firm : firmest;
        excess = m[r][r] * h * stiffness > excess * strongest ? m[r][r] * h * stiffness / strongest : excess;
        m[r][r] += softness;
    }
    block->firmness.lane[lane] = (float)firmest;
    block->excess.lane[lane] = (float)excess;
}

// Inverse of a symmetric positive definite matrix in place, by Gauss and Jordan without pivots; lower half
// in, lower half out. False if it is not positive definite: a lane without a tetrahedron, or one whose nodes
// are all fixed.
static bool invert(double m[6][6])
{
    double a[6][12] = {{0.0}};
    for (int r = 0; r < 6; ++r) {
        for (int c = 0; c < 6; ++c) {
            a[r][c] = r >= c ? m[r][c] : m[c][r];
        }
        a[r][6 + r] = 1.0;
    }
    for (int p = 0; p < 6; ++p) {
        if (!(a[p][p] > 1e-300)) {
            return false;
        }
        double inverse = 1.0 / a[p][p];
        for (int c = 0; c < 12; ++c) {
            a[p][c] *= inverse;
        }
        for (int r = 0; r < 6; ++r) {
            double factor = r != p ? a[r][p] : 0.0;
            for (int c = 0; factor != 0.0 && c < 12; ++c) {
                a[r][c] -= factor * a[p][c];
            }
        }
    }
    for (int r = 0; r < 6; ++r) {
        for (int c = 0; c <= r; ++c) {
            m[r][c] = a[r][6 + c];
        }
    }
    return true;
}

bool sn_tetrahedra_are_stiff(const void *blocks, int block_count)
{
    const sn_tetrahedron_block *block = blocks;
    float firmest = 0.0f;
    for (int i = 0; i < block_count; ++i) {
        for (int lane = 0; lane < SN_LANES; ++lane) {
            firmest = sn_max(firmest, block[i].firmness.lane[lane]);
        }
    }
    return firmest > SN_FIRM;
}

void sn_tetrahedron_invert(const sn_element_pass *pass, sn_tetrahedron_block *block, int lane)
{
    double m[6][6];
    assemble(pass, block, lane, m);
    bool good = block->node[0][lane] != 0 && invert(m);
    for (int r = 0, entry = 0; r < 6; ++r) {
        for (int c = 0; c <= r; ++c, ++entry) {
            block->inverse[entry].lane[lane] = good ? (float)m[r][c] : 0.0f;
        }
    }
    block->made_for_h.lane[lane] = pass->h;
    block->made_for_hardness.lane[lane] = pass->firmest.inverse_a2;
    block->made_for_bias.lane[lane] = pass->firmest.bias_rate;
}
