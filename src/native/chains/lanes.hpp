// States side by side in registers of eight numbers; tables are padded to whole registers.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <stdexcept>
#include <vector>

#include "common/index.hpp"
#include "common/native.hpp"

namespace margin::chains {

typedef double Oct __attribute__((vector_size(64), aligned(8)));
typedef std::int64_t Places __attribute__((vector_size(64), aligned(8)));

constexpr Index lanes = 8;
constexpr double nowhere = -std::numeric_limits<double>::infinity();

inline Index padded(Index k) { return (k + lanes - 1) / lanes * lanes; }

inline const Oct &load(const double *p) { return *reinterpret_cast<const Oct *>(p); }
inline void store(double *p, const Oct &v) { *reinterpret_cast<Oct *>(p) = v; }

// No function takes or gives a register by value: how it would travel depends on the processor.
// The sum of all lanes.
[[gnu::always_inline]] inline double total(const Oct &v) {
    Oct w = v + __builtin_shuffle(v, Places{4, 5, 6, 7, 0, 1, 2, 3});
    w += __builtin_shuffle(w, Places{2, 3, 0, 1, 6, 7, 4, 5});
    w += __builtin_shuffle(w, Places{1, 0, 3, 2, 5, 4, 7, 6});
    return w[0];
}

[[gnu::always_inline]] inline double largest(const Oct &given) {
    Oct v = given, w = __builtin_shuffle(v, Places{4, 5, 6, 7, 0, 1, 2, 3});
    v = v > w ? v : w;
    w = __builtin_shuffle(v, Places{2, 3, 0, 1, 6, 7, 4, 5});
    v = v > w ? v : w;
    w = __builtin_shuffle(v, Places{1, 0, 3, 2, 5, 4, 7, 6});
    v = v > w ? v : w;
    return v[0];
}

// a becomes exp(-a) for a >= 0, zero from 700 on; as exp_negative of common/elementary.hpp, eight
// at a time.
[[gnu::always_inline]] inline void exp_minus(Oct &a) {
    constexpr double round_bias = 6755399441055744.0;
    const Oct x = a > 708.0 ? Oct{} + 708.0 : a;
    const Oct shifted = x * 1.4426950408889634074 + round_bias;
    const Oct k = shifted - round_bias;
    const Oct r = (k * 6.93147180369123816490e-01 - x) + k * 1.90821492927058770002e-10;
    Oct p = r * (1.0 / 6227020800.0) + 1.0 / 479001600.0;
    p = p * r + 1.0 / 39916800.0;
    p = p * r + 1.0 / 3628800.0;
    p = p * r + 1.0 / 362880.0;
    p = p * r + 1.0 / 40320.0;
    p = p * r + 1.0 / 5040.0;
    p = p * r + 1.0 / 720.0;
    p = p * r + 1.0 / 120.0;
    p = p * r + 1.0 / 24.0;
    p = p * r + 1.0 / 6.0;
    p = p * r + 0.5;
    p = p * r + 1.0;
    p = p * r + 1.0;
    const Places exponent = (Places)shifted - (Places)(Oct{} + round_bias);
    const Oct value = p * (Oct)((1023 - exponent) << 52);
    a = a < 700.0 ? value : Oct{};
}

// Octs columns of y = x M for a row x of k numbers, from registers; rows of M are `wide` apart.
template <int Octs>
[[gnu::always_inline]] inline void times_some(const double *x, const double *M, Index k, Index wide,
                                              double *y) {
    // Two sums each: one would wait for itself.
    Oct even[Octs] = {}, odd[Octs] = {};
    Index i = 0;
    for (; i + 1 < k; i += 2)
        for (int c = 0; c < Octs; ++c) {
            even[c] += x[i] * load(M + i * wide + c * lanes);
            odd[c] += x[i + 1] * load(M + (i + 1) * wide + c * lanes);
        }
    if (i < k)
        for (int c = 0; c < Octs; ++c) even[c] += x[i] * load(M + i * wide + c * lanes);
    for (int c = 0; c < Octs; ++c) store(y + c * lanes, even[c] + odd[c]);
}

// y = x M for a row x of k numbers and a matrix of `wide` columns, a multiple of eight. With
// Octs > 0 the width is known to the compiler.
template <int Octs>
[[gnu::always_inline]] inline void times(const double *x, const double *M, Index k, Index wide,
                                         double *y) {
    if constexpr (Octs > 0) {
        times_some<Octs>(x, M, k, Octs * lanes, y);
    } else {
        Index c = 0;
        for (; c + 4 * lanes <= wide; c += 4 * lanes) times_some<4>(x, M + c, k, wide, y + c);
        for (; c < wide; c += lanes) times_some<1>(x, M + c, k, wide, y + c);
    }
}

// Rows of a square matrix, or of its transpose, padded with zeros.
inline std::vector<double> widened(const double *M, Index k, bool transpose) {
    const Index wide = padded(k);
    std::vector<double> out(k * wide, 0.0);
    for (Index i = 0; i < k; ++i)
        for (Index j = 0; j < k; ++j) out[i * wide + j] = transpose ? M[j * k + i] : M[i * k + j];
    return out;
}

// Offsets that start at zero, never fall and end at the number of rows.
inline void check_offsets(const Vector<const std::int64_t> &offsets, std::size_t rows) {
    const std::int64_t *at = offsets.data();
    const std::size_t n = offsets.size();
    bool good = n >= 1 && at[0] == 0 && at[n - 1] == static_cast<std::int64_t>(rows);
    for (std::size_t i = 1; good && i < n; ++i) good = at[i - 1] <= at[i];
    if (!good) throw std::invalid_argument("chains: offsets must rise from 0 to the rows");
}

// At most 64 groups of `least` consecutive sequences or more: the same whatever the number of
// threads.
inline std::vector<Index> groups(const std::int64_t *offsets, Index n, Index least = 1) {
    std::vector<Index> ends{0};
    const double share = std::max(1.0, double(offsets[n]) / 64.0);
    for (Index i = 0; i < n; ++i) {
        const bool enough = i + 1 - ends.back() >= least;
        if (i + 1 == n || (enough && double(offsets[i + 1]) >= share * double(ends.size())))
            ends.push_back(i + 1);
    }
    return ends;
}

}  // namespace margin::chains
