// Filling in corotational tetrahedra, and the matrices they are solved with. Tested in
// test_elements_gauntlet.c and tests/physics.
#include "solver/elements/tetrahedron_block.h"

#include <float.h>

void sn_tetrahedron_put(sn_element_group *group, int lane, const int nodes[4], const sn_tetrahedron *element)
{
    sn_tetrahedron_block *block = (sn_tetrahedron_block *)group->blocks + lane / SN_LANES;
    int i = lane % SN_LANES;
    sn_shape_put(&block->shape, i, nodes, element->gradient);
    float stiffness = element->young * element->volume;
    block->compliance[0].lane[i] = (1.0f - 2.0f * element->poisson) / stiffness;
    block->compliance[1].lane[i] = (1.0f + element->poisson) / stiffness;
    block->compliance[2].lane[i] = 2.0f * (1.0f + element->poisson) / stiffness;
    block->damping.lane[i] = element->damping;
    block->rotation[3].lane[i] = 1.0f;
    for (int r = 0; r < SN_TETRAHEDRON_ROWS; ++r) {
        block->most[r].lane[i] = FLT_MAX;
    }
}

static double smaller(double a, double b)
{
    return a < b ? a : b;
}

// Of the matrix that is inverted, by κ. Where nodes are fixed J W Jᵀ is singular, and floats would not tell a
// stiff material's corrections from rounding. Stiffness itself does not change: Γ of the residual is the
// material's.
#define LEAST_SOFTNESS 1.0e-5

static double larger(double a, double b)
{
    return a > b ? a : b;
}

// J W Jᵀ + Γ of one lane.
static void assemble(const sn_element_pass *pass, sn_tetrahedron_block *block, int lane, double m[6][6])
{
    double b[4][3], h = pass->h, time = h * (h + (double)block->damping.lane[lane]);
    memset(m, 0, 36 * sizeof(double));
    sn_shape_gradients(block->shape.gradient[0], lane, b);
    for (int a = 3; a >= 0; --a) {
        double g[SN_TETRAHEDRON_ROWS][3], w = block->shape.inverse_mass[a].lane[lane];
        sn_strain_gradients(b[a], g);
        for (int r = 0; r < 6; ++r) {
            for (int c = 0; c <= r; ++c) {
                m[r][c] += w * (g[r][0] * g[c][0] + g[r][1] * g[c][1] + g[r][2] * g[c][2]);
            }
        }
    }
    double firmest = 0.0, excess = 0.0, hardest = (double)pass->most_damped;
    double strongest = smaller((double)pass->firmest.bias_rate * hardest, (double)pass->stiffest / h);
    for (int r = 0; r < 6; ++r) {
        double stiffness = 1.0 / (double)sn_row_compliance(block, r, lane);
        // κ/Γ and h κ/α.
        double firm = smaller(m[r][r] * time * stiffness, hardest);
        double strong = smaller(m[r][r] * h * stiffness, strongest);
        // Rows that no free node moves have their own Γ, so that the others can be solved.
        double softness = firm > 0.0 ? m[r][r] / firm : 1.0 / (time * stiffness);
        bool has_limit = h * m[r][r] * (double)FLT_MAX > strongest;
        block->most[r].lane[lane] = has_limit ? (float)(strongest / (h * m[r][r])) : FLT_MAX;
        block->softness[r].lane[lane] = (float)softness;
        block->rate[r].lane[lane] = firm > 0.0 ? (float)(strong / firm) : 0.0f;
        firmest = firm > firmest ? firm : firmest;
        excess = m[r][r] * h * stiffness > excess * strongest ? m[r][r] * h * stiffness / strongest : excess;
        m[r][r] += larger(softness, LEAST_SOFTNESS * m[r][r]);
    }
    // Lanes without a tetrahedron count as firm, but not as stiffer than can be resolved.
    block->firmness.lane[lane] = block->shape.node[0][lane] != 0 ? (float)firmest : 1.0f;
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

static double rate2_of(const sn_tetrahedron_block *block, int lane, const sn_node_state *nodes)
{
    double b[4][3], kappa[SN_TETRAHEDRON_ROWS] = {0.0}, largest = 0.0;
    sn_shape_gradients(block->shape.gradient[0], lane, b);
    for (int a = 0; a < 4; ++a) {
        double g[SN_TETRAHEDRON_ROWS][3], w = (double)nodes[block->shape.node[a][lane]].inverse_mass;
        sn_strain_gradients(b[a], g);
        for (int r = 0; r < SN_TETRAHEDRON_ROWS; ++r) {
            kappa[r] += w * (g[r][0] * g[r][0] + g[r][1] * g[r][1] + g[r][2] * g[r][2]);
        }
    }
    for (int r = 0; r < SN_TETRAHEDRON_ROWS; ++r) {
        double rate2 = kappa[r] / (double)sn_row_compliance(block, r, lane);
        largest = rate2 > largest ? rate2 : largest;
    }
    return largest;
}

float sn_tetrahedra_rate2(const sn_element_group *group, const sn_node_state *nodes)
{
    const sn_tetrahedron_block *blocks = group->blocks;
    double largest = 0.0;
    for (int i = 0; i < group->block_count * SN_LANES; ++i) {
        const sn_tetrahedron_block *block = &blocks[i / SN_LANES];
        double rate2 = block->shape.node[0][i % SN_LANES] != 0 ? rate2_of(block, i % SN_LANES, nodes) : 0.0;
        largest = rate2 > largest ? rate2 : largest;
    }
    return (float)largest;
}

float sn_tetrahedra_strain(const sn_element_group *group, float h)
{
    const sn_tetrahedron_block *blocks = group->blocks;
    float largest = 0.0f;
    for (int i = 0; i < group->block_count * SN_LANES; ++i) {
        const sn_tetrahedron_block *block = &blocks[i / SN_LANES];
        int lane = i % SN_LANES;
        for (int r = 0; r < SN_TETRAHEDRON_ROWS && block->shape.node[0][lane] != 0; ++r) {
            largest =
                sn_max(largest, sn_row_compliance(block, r, lane) * sn_abs(block->impulse[r].lane[lane]));
        }
    }
    return largest / h;
}

bool sn_tetrahedra_are_stiff(const void *blocks, int block_count, float limit)
{
    const sn_tetrahedron_block *block = blocks;
    return sn_any_lane_above(&block->firmness, sizeof *block, block_count, limit);
}

int sn_tetrahedra_unresolved(const sn_element_pass *pass, const void *block)
{
    const sn_tetrahedron_block *elements = block;
    (void)pass;
    int count = 0;
    for (int i = 0; i < SN_LANES; ++i) {
        count += elements->shape.node[0][i] != 0 && elements->excess.lane[i] > 1.001f ? 1 : 0;
    }
    return count;
}

void sn_tetrahedron_invert(const sn_element_pass *pass, sn_tetrahedron_block *block, int lanes)
{
    for (int lane = 0; lane < lanes; ++lane) {
        double m[6][6] = {{0.0}};
        bool good = block->shape.node[0][lane] != 0;
        if (good) {
            assemble(pass, block, lane, m);
            good = invert(m);
        }
        for (int r = 0, entry = 0; r < 6; ++r) {
            for (int c = 0; c <= r; ++c, ++entry) {
                block->inverse[entry].lane[lane] = good ? (float)m[r][c] : 0.0f;
            }
        }
    }
}
