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

constexpr Index lanes = 8;
constexpr double nowhere = -std::numeric_limits<double>::infinity();

inline Index padded(Index k) { return (k + lanes - 1) / lanes * lanes; }

inline const Oct &load(const double *p) { return *reinterpret_cast<const Oct *>(p); }
inline void store(double *p, const Oct &v) { *reinterpret_cast<Oct *>(p) = v; }

inline double total(const Oct &v) {
    return ((v[0] + v[4]) + (v[2] + v[6])) + ((v[1] + v[5]) + (v[3] + v[7]));
}

// y = x M for a row x of k numbers and a matrix of `wide` columns, a multiple of eight. With
// Octs > 0 the width is known to the compiler and the sums stay in registers.
template <int Octs>
[[gnu::always_inline]] inline void times(const double *x, const double *M, Index k, Index wide,
                                         double *y) {
    if constexpr (Octs > 0) {
        Oct sum[Octs] = {};
        for (Index i = 0; i < k; ++i)
            for (int c = 0; c < Octs; ++c) sum[c] += x[i] * load(M + i * Octs * lanes + c * lanes);
        for (int c = 0; c < Octs; ++c) store(y + c * lanes, sum[c]);
    } else {
        Index c = 0;
        for (; c + 4 * lanes <= wide; c += 4 * lanes) {
            Oct sum[4] = {};
            for (Index i = 0; i < k; ++i)
                for (int s = 0; s < 4; ++s) sum[s] += x[i] * load(M + i * wide + c + s * lanes);
            for (int s = 0; s < 4; ++s) store(y + c + s * lanes, sum[s]);
        }
        for (; c < wide; c += lanes) {
            Oct sum = {};
            for (Index i = 0; i < k; ++i) sum += x[i] * load(M + i * wide + c);
            store(y + c, sum);
        }
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

// At most 64 groups of consecutive sequences: the same whatever the number of threads.
inline std::vector<Index> groups(const std::int64_t *offsets, Index n) {
    std::vector<Index> ends{0};
    const double share = std::max(1.0, double(offsets[n]) / 64.0);
    for (Index i = 0; i < n; ++i)
        if (i + 1 == n || double(offsets[i + 1]) >= share * double(ends.size()))
            ends.push_back(i + 1);
    return ends;
}

}  // namespace margin::chains
