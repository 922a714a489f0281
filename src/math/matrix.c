// What 3×3 matrices need beyond a line or two: the inverse, the eigenvectors of a symmetric matrix, the
// nearest rotation (polar factor).
//
// All of it runs in double, whose range makes scaling needless (a product of three floats neither overflows
// nor underflows) and whose precision lets results be rounded to float once, at the end. Only +, −, ×, ÷ and
// sqrt occur, so the bits are the same everywhere. Matrices in here are arrays by rows, a[row][column].
#include "math/wide.h"
#include <float.h>

static const double largest_float = (double)FLT_MAX;

static void widen(sn_mat3 m, double a[3][3])
{
    a[0][0] = (double)m.x.x, a[0][1] = (double)m.y.x, a[0][2] = (double)m.z.x;
    a[1][0] = (double)m.x.y, a[1][1] = (double)m.y.y, a[1][2] = (double)m.z.y;
    a[2][0] = (double)m.x.z, a[2][1] = (double)m.y.z, a[2][2] = (double)m.z.z;
}

static bool mat3_is_finite(sn_mat3 m)
{
    return sn_vec3_is_finite(m.x) && sn_vec3_is_finite(m.y) && sn_vec3_is_finite(m.z);
}

// --- inverse -------------------------------------------------------------------------------------

// The determinant with all its signs made positive: what its rounding error is measured against.
static double determinant_size(sn_mat3 m)
{
    sn_vec3d a = sn_widen(sn_abs3(m.x)), b = sn_widen(sn_abs3(m.y)), c = sn_widen(sn_abs3(m.z));
    return a.x * (b.y * c.z + b.z * c.y) + a.y * (b.z * c.x + b.x * c.z) + a.z * (b.x * c.y + b.y * c.x);
}

static bool fits_float(sn_vec3d v)
{
    return fabs(v.x) <= largest_float && fabs(v.y) <= largest_float && fabs(v.z) <= largest_float;
}

// The rows of the inverse are y × z, z × x and x × y over the determinant. A determinant is taken for zero
// when it could be all rounding error (Shewchuk's bound for three rows is 7·2⁻⁵³, here rounded up).
sn_mat3 sn_mat3_inverse(sn_mat3 m)
{
    const sn_mat3 none = sn_mat3_diagonal(0.0f, 0.0f, 0.0f);
    sn_vec3d x = sn_widen(m.x), y = sn_widen(m.y), z = sn_widen(m.z);
    sn_vec3d rows[3] = {sn_cross_wide(y, z), sn_cross_wide(z, x), sn_cross_wide(x, y)};
    double determinant = sn_dot_wide(x, rows[0]);
    if (!mat3_is_finite(m) || fabs(determinant) <= 1.0e-15 * determinant_size(m)) {
        return none;
    }
    for (int i = 0; i < 3; ++i) {
        rows[i].x /= determinant;
        rows[i].y /= determinant;
        rows[i].z /= determinant;
        if (!fits_float(rows[i])) {
            return none;
        }
    }
    sn_mat3 inverse = {{(float)rows[0].x, (float)rows[1].x, (float)rows[2].x},
                       {(float)rows[0].y, (float)rows[1].y, (float)rows[2].y},
                       {(float)rows[0].z, (float)rows[1].z, (float)rows[2].z}};
    return inverse;
}

// --- eigenvectors --------------------------------------------------------------------------------

// The largest symmetric matrix in here: 3×3 for the eigenvectors, 4×4 for the polar factor.
enum { MAX_SIZE = 4 };

// Convergence is quadratic: three to five sweeps are the rule, six the most seen in a million matrices.
enum { JACOBI_SWEEP_LIMIT = 16 };

// One Jacobi rotation in the plane (p, q) that makes a[p][q] zero; `vectors` collects the rotations.
static void rotate_plane(double a[MAX_SIZE][MAX_SIZE], double vectors[MAX_SIZE][MAX_SIZE], int size, int p,
                         int q)
{
    if (a[p][q] == 0.0) {
        return;
    }
    double slope = (a[q][q] - a[p][p]) / (2.0 * a[p][q]);
    // The smaller of the two angles that do it; an infinite slope gives zero, as it should.
    double tangent = (slope < 0.0 ? -1.0 : 1.0) / (fabs(slope) + sqrt(slope * slope + 1.0));
    double c = 1.0 / sqrt(tangent * tangent + 1.0), s = tangent * c;
    a[p][p] -= tangent * a[p][q];
    a[q][q] += tangent * a[p][q];
    a[p][q] = a[q][p] = 0.0;
    for (int k = 0; k < size; ++k) {
        if (k != p && k != q) {
            double kp = a[k][p], kq = a[k][q];
            a[k][p] = a[p][k] = c * kp - s * kq;
            a[k][q] = a[q][k] = s * kp + c * kq;
        }
        double vp = vectors[k][p], vq = vectors[k][q];
        vectors[k][p] = c * vp - s * vq;
        vectors[k][q] = s * vp + c * vq;
    }
}

static double sum_of_squares(double a[MAX_SIZE][MAX_SIZE], int size, bool with_diagonal)
{
    double sum = 0.0;
    for (int i = 0; i < size; ++i) {
        for (int j = 0; j < size; ++j) {
            sum += i == j && !with_diagonal ? 0.0 : a[i][j] * a[i][j];
        }
    }
    return sum;
}

// Cyclic Jacobi (Golub and Van Loan, 8.5): leaves the eigenvalues on the diagonal of the symmetric matrix `a`
// and the eigenvectors in the columns of `vectors`.
static void diagonalize(double a[MAX_SIZE][MAX_SIZE], double vectors[MAX_SIZE][MAX_SIZE], int size)
{
    for (int i = 0; i < size; ++i) {
        for (int j = 0; j < size; ++j) {
            vectors[i][j] = i == j ? 1.0 : 0.0;
        }
    }
    double negligible = 1.0e-30 * sum_of_squares(a, size, true);
    for (int sweep = 0; sweep < JACOBI_SWEEP_LIMIT; ++sweep) {
        if (sum_of_squares(a, size, false) <= negligible) {
            return;
        }
        for (int p = 0; p < size; ++p) {
            for (int q = p + 1; q < size; ++q) {
                rotate_plane(a, vectors, size, p, q);
            }
        }
    }
}

// The eigenvalues of three entries of 3.4e38 do not fit in a float.
static float narrow_saturated(double value)
{
    return (float)(value > largest_float ? largest_float : (value < -largest_float ? -largest_float : value));
}

static sn_vec3 narrow_column(double a[MAX_SIZE][MAX_SIZE], int j)
{
    return sn_v((float)a[0][j], (float)a[1][j], (float)a[2][j]);
}

// The columns of a[..][..] in the order of ascending diagonal entries; equal ones keep their order.
static void sort_ascending(double a[MAX_SIZE][MAX_SIZE], int order[3])
{
    order[0] = 0, order[1] = 1, order[2] = 2;
    for (int pass = 0; pass < 3; ++pass) {
        int k = pass == 1 ? 1 : 0;
        int first = order[k], second = order[k + 1];
        if (a[second][second] < a[first][first]) {
            order[k] = second;
            order[k + 1] = first;
        }
    }
}

sn_vec3 sn_mat3_eigen(sn_mat3 symmetric, sn_mat3 *vectors)
{
    sn_vec3 values = {0.0f, 0.0f, 0.0f};
    sn_mat3 columns = sn_mat3_diagonal(1.0f, 1.0f, 1.0f);
    if (mat3_is_finite(symmetric)) {
        double entries[3][3], a[MAX_SIZE][MAX_SIZE], v[MAX_SIZE][MAX_SIZE];
        widen(symmetric, entries);
        for (int i = 0; i < 3; ++i) {
            for (int j = 0; j < 3; ++j) {
                a[i][j] = 0.5 * (entries[i][j] + entries[j][i]);
            }
        }
        diagonalize(a, v, 3);
        int order[3];
        sort_ascending(a, order);
        values = sn_v(narrow_saturated(a[order[0]][order[0]]), narrow_saturated(a[order[1]][order[1]]),
                      narrow_saturated(a[order[2]][order[2]]));
        columns.x = narrow_column(v, order[0]);
        columns.y = narrow_column(v, order[1]);
        columns.z = narrow_column(v, order[2]);
        if (sn_mat3_determinant(columns) < 0.0f) {
            columns.z = sn_neg(columns.z);
        }
    }
    if (vectors) {
        *vectors = columns;
    }
    return values;
}

// --- nearest rotation ----------------------------------------------------------------------------
//
// The rotation R nearest to F is the one with the largest agreement tr(Rᵀ F). Two ways lead there. Newton's
// method from the guess is fast and takes care of nearly every call in a simulation, where F changes little
// from one step to the next. It knows when it has failed (a bad guess, a singular F, or an inverted one with
// no clear smallest direction), and then the agreement is written as a quadratic form in the quaternion,
// whose largest eigenvector cannot be missed. No step needs the sign of det F.

// A unit quaternion x, y, z, w of doubles.
typedef struct wide_quat {
    double at[4];
} wide_quat;

static wide_quat wide_normalized(wide_quat q)
{
    double x = q.at[0], y = q.at[1], z = q.at[2], w = q.at[3];
    double scale = 1.0 / sqrt(x * x + y * y + z * z + w * w);
    wide_quat unit = {{x * scale, y * scale, z * scale, w * scale}};
    return unit;
}

// The guess, if it is one: anything that is not a rotation counts as the identity.
static wide_quat wide_guess(sn_quat guess)
{
    wide_quat q = {{(double)guess.x, (double)guess.y, (double)guess.z, (double)guess.w}};
    wide_quat identity = {{0.0, 0.0, 0.0, 1.0}};
    bool has_direction = guess.x != 0.0f || guess.y != 0.0f || guess.z != 0.0f || guess.w != 0.0f;
    return sn_quat_is_finite(guess) && has_direction ? wide_normalized(q) : identity;
}

static void rotation_of(wide_quat q, double r[3][3])
{
    double x = q.at[0], y = q.at[1], z = q.at[2], w = q.at[3];
    r[0][0] = 1.0 - 2.0 * (y * y + z * z);
    r[0][1] = 2.0 * (x * y - w * z);
    r[0][2] = 2.0 * (x * z + w * y);
    r[1][0] = 2.0 * (x * y + w * z);
    r[1][1] = 1.0 - 2.0 * (x * x + z * z);
    r[1][2] = 2.0 * (y * z - w * x);
    r[2][0] = 2.0 * (x * z - w * y);
    r[2][1] = 2.0 * (y * z + w * x);
    r[2][2] = 1.0 - 2.0 * (x * x + y * y);
}

// The Newton step: the rotation vector ω with M ω = g, where with P = F Rᵀ the gradient of the agreement is
// g = Σ rₖ × fₖ = axial part of P, and its curvature −M = sym(P) − tr(P)·1 (Müller et al. 2016 divide
// by tr(P) alone, which converges linearly; the full matrix is that of Kugelstadt et al. 2018). False unless
// M is safely positive definite. At a zero of g that makes R the one maximum: the eigenvalues of M are the
// pairwise sums of those of P, and these are the singular values, of which then at most the smallest has
// turned negative.
static bool newton_step(double f[3][3], wide_quat q, double step[3])
{
    double r[3][3], p[3][3];
    rotation_of(q, r);
    for (int i = 0; i < 3; ++i) {
        for (int j = 0; j < 3; ++j) {
            p[i][j] = f[i][0] * r[j][0] + f[i][1] * r[j][1] + f[i][2] * r[j][2];
        }
    }
    double g0 = p[2][1] - p[1][2], g1 = p[0][2] - p[2][0], g2 = p[1][0] - p[0][1];
    double m00 = p[1][1] + p[2][2], m11 = p[0][0] + p[2][2], m22 = p[0][0] + p[1][1];
    double m01 = -0.5 * (p[0][1] + p[1][0]), m02 = -0.5 * (p[0][2] + p[2][0]),
           m12 = -0.5 * (p[1][2] + p[2][1]);
    double c00 = m11 * m22 - m12 * m12, c01 = m02 * m12 - m01 * m22, c02 = m01 * m12 - m02 * m11;
    double c11 = m00 * m22 - m02 * m02, c12 = m01 * m02 - m00 * m12, c22 = m00 * m11 - m01 * m01;
    double determinant = m00 * c00 + m01 * c01 + m02 * c02;
    double trace = m00 + m11 + m22;
    if (!(m00 > 0.0 && c22 > 0.0 && determinant > 1.0e-6 * trace * trace * trace)) {
        return false;
    }
    double scale = 1.0 / determinant;
    step[0] = (c00 * g0 + c01 * g1 + c02 * g2) * scale;
    step[1] = (c01 * g0 + c11 * g1 + c12 * g2) * scale;
    step[2] = (c02 * g0 + c12 * g1 + c22 * g2) * scale;
    return true;
}

// Convergence is cubic, as the third derivative of the agreement vanishes with the first: a step this short
// leaves an error of 1e-9, below the last bit of a float. [rad]
static const double last_newton_step = 1.0e-3;
enum { NEWTON_STEP_LIMIT = 8 };

// Improves `q` to the nearest rotation; false if it cannot be sure to have done so.
static bool climb_from_guess(double f[3][3], wide_quat *q)
{
    for (int i = 0; i < NEWTON_STEP_LIMIT; ++i) {
        double step[3];
        if (!newton_step(f, *q, step)) {
            return false;
        }
        // (½ω, 1) · q: the exponential to second order.
        double sx = 0.5 * step[0], sy = 0.5 * step[1], sz = 0.5 * step[2];
        double x = q->at[0], y = q->at[1], z = q->at[2], w = q->at[3];
        wide_quat turned = {{x + sx * w + sy * z - sz * y, y - sx * z + sy * w + sz * x,
                             z + sx * y - sy * x + sz * w, w - sx * x - sy * y - sz * z}};
        *q = wide_normalized(turned);
        if (step[0] * step[0] + step[1] * step[1] + step[2] * step[2] <=
            last_newton_step * last_newton_step) {
            return true;
        }
    }
    return false;
}

// tr(R(q)ᵀ F) = qᵀ K q (Davenport; Horn 1987).
static void agreement_form(double f[3][3], double k[MAX_SIZE][MAX_SIZE])
{
    k[0][0] = f[0][0] - f[1][1] - f[2][2];
    k[1][1] = f[1][1] - f[0][0] - f[2][2];
    k[2][2] = f[2][2] - f[0][0] - f[1][1];
    k[3][3] = f[0][0] + f[1][1] + f[2][2];
    k[0][1] = k[1][0] = f[0][1] + f[1][0];
    k[0][2] = k[2][0] = f[0][2] + f[2][0];
    k[1][2] = k[2][1] = f[1][2] + f[2][1];
    k[0][3] = k[3][0] = f[2][1] - f[1][2];
    k[1][3] = k[3][1] = f[0][2] - f[2][0];
    k[2][3] = k[3][2] = f[1][0] - f[0][1];
}

// Agreements closer than this, relative to the largest, are equal as far as the floats of the matrix can
// tell.
static const double agreement_tolerance = 2.5e-7;

// The best quaternions are a line for a matrix with one nearest rotation, a plane or more for one with many
// (flattened to a line or a point, or mirrored with equal stretches). Of those the one nearest the guess is
// its projection, so that a collapsed element keeps its orientation instead of spinning with the noise.
static wide_quat best_near_guess(double f[3][3], wide_quat guess)
{
    double k[MAX_SIZE][MAX_SIZE], vectors[MAX_SIZE][MAX_SIZE];
    agreement_form(f, k);
    diagonalize(k, vectors, 4);
    int best = 0;
    for (int j = 1; j < 4; ++j) {
        best = k[j][j] > k[best][best] ? j : best;
    }
    wide_quat projection = {{0.0, 0.0, 0.0, 0.0}}, any = projection;
    double size = 0.0;
    for (int j = 0; j < 4; ++j) {
        any.at[j] = vectors[j][best];
        if (k[j][j] < (1.0 - agreement_tolerance) * k[best][best]) {
            continue;
        }
        double share = 0.0;
        for (int i = 0; i < 4; ++i) {
            share += vectors[i][j] * guess.at[i];
        }
        for (int i = 0; i < 4; ++i) {
            projection.at[i] += share * vectors[i][j];
        }
        size += share * share;
    }
    // A guess a half-turn away from all of them has no nearest one.
    return wide_normalized(size > 1.0e-12 ? projection : any);
}

sn_quat sn_mat3_polar(sn_mat3 m, sn_quat guess)
{
    wide_quat start = wide_guess(guess), q = start;
    if (mat3_is_finite(m)) {
        double f[3][3];
        widen(m, f);
        if (!climb_from_guess(f, &q)) {
            q = best_near_guess(f, start);
        }
    }
    sn_quat result = {(float)q.at[0], (float)q.at[1], (float)q.at[2], (float)q.at[3]};
    return result;
}
