// Polynomials by their recurrence, cosines by a sine of what is missing to a quarter of a turn.
#include "dependence/functions.hpp"

#include <algorithm>
#include <cmath>

#include "common/native.hpp"

namespace margin::dependence {
namespace {

// cos(2 pi t), to a few units in the last place of one. The nearest turn is taken off exactly, and
// the rest is the sine of what is missing to a quarter of a turn.
[[gnu::always_inline]] inline double cosine_of_turns(double t) {
    constexpr double tau = 6.283185307179586476925;
    constexpr double round_bias = 6755399441055744.0;  // 1.5 * 2^52: adding it rounds
    const double nearest = std::fabs(t) < 0x1p51 ? (t + round_bias) - round_bias : t;
    const double x = tau * (0.25 - std::fabs(t - nearest)), q = x * x;
    double s = -1.0 / 121645100408832000.0;
    s = s * q + 1.0 / 355687428096000.0;
    s = s * q - 1.0 / 1307674368000.0;
    s = s * q + 1.0 / 6227020800.0;
    s = s * q - 1.0 / 39916800.0;
    s = s * q + 1.0 / 362880.0;
    s = s * q - 1.0 / 5040.0;
    s = s * q + 1.0 / 120.0;
    s = s * q - 1.0 / 6.0;
    return x + x * q * s;
}

// T_{k+1} = 2 t T_k - T_{k-1}.
[[gnu::always_inline]] inline void polynomials(const double *t, Index count, Index m, double *out) {
    if (count > 0) std::fill_n(out, m, 1.0);
    if (count > 1) std::copy_n(t, m, out + block);
    for (Index k = 2; k < count; ++k) {
        const double *here = out + (k - 1) * block, *before = here - block;
        double *next = out + k * block;
#pragma omp simd
        for (Index r = 0; r < m; ++r) next[r] = 2.0 * t[r] * here[r] - before[r];
    }
}

[[gnu::always_inline]] inline void cosines(const Functions &functions, Index first, Index m,
                                           double *out) {
    for (Index f = 0; f < functions.n_cosines; ++f, out += block) {
        std::fill_n(out, m, functions.phase[f]);
        for (Index k = 0; k < functions.p; ++k) {
            const double *column = functions.columns + k * functions.n + first;
            const double factor = functions.turns[f * functions.p + k];
            if (factor == 0.0) continue;
#pragma omp simd
            for (Index r = 0; r < m; ++r) out[r] += factor * column[r];
        }
        const double start = functions.origin[f];
#pragma omp simd
        for (Index r = 0; r < m; ++r) out[r] = cosine_of_turns(out[r]) - start;
    }
}

}  // namespace

MARGIN_CLONES void write(const Functions &functions, Index first, Index m, double *out) {
    if (functions.n_polynomials > 0)
        polynomials(functions.argument + first, functions.n_polynomials, m, out);
    cosines(functions, first, m, out + functions.n_polynomials * block);
    for (Index f = 0; f < functions.count() && m < block; ++f)
        std::fill(out + f * block + m, out + (f + 1) * block, 0.0);
}

}  // namespace margin::dependence
