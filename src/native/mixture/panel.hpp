// A panel of rows, coordinate by coordinate, and the two products that a Gaussian E step is made
// of: squared lengths of whitened deviations, and weighted scatter.
#pragma once

#include <algorithm>
#include <cstddef>
#include <vector>

#include "common/native.hpp"

namespace margin::mixture {

constexpr Index rows = 128;  // rows of a panel: two panels of sixteen columns stay in the L1 cache
constexpr Index lanes = 8;   // numbers of a register
constexpr Index strip = 4;   // coordinates at a time
constexpr Index groups = rows / lanes;

typedef double Oct __attribute__((vector_size(64), aligned(8)));

inline Index strips(Index p) { return (p + strip - 1) / strip; }

// Doubles that the tiles on and below the diagonal of a scatter matrix take, lanes kept apart.
inline std::size_t tile_size(Index p) {
    return std::size_t(strips(p) * (strips(p) + 1) / 2) * strip * strip * lanes;
}

// The rows of a lower triangle in strips of four, each up to its own diagonal.
inline std::vector<double> pack(const double *root, Index p) {
    std::vector<double> packed;
    for (Index first = 0; first < p; first += strip)
        for (Index i = 0; i < std::min(p, first + strip); ++i)
            for (Index j = first; j < first + strip; ++j)
                packed.push_back(j < p && i <= j ? root[j * p + i] : 0.0);
    return packed;
}

// out[r] = |R (x_r - centre)|^2 for every row of a panel; `plain` has the shape (p, rows).
[[gnu::always_inline]] inline void squared_lengths(const double *plain, const double *centre,
                                                   const double *packed, Index p, double *out) {
    for (Index g = 0; g < groups; g += 2) {
        Oct total[2] = {};
        const double *coefficient = packed;
        for (Index first = 0; first < p; first += strip) {
            Oct y[strip][2] = {};
            const Index last = std::min(p, first + strip);
            for (Index i = 0; i < last; ++i, coefficient += strip) {
                const double *x = plain + i * rows + g * lanes;
                const Oct low = *reinterpret_cast<const Oct *>(x) - centre[i];
                const Oct high = *reinterpret_cast<const Oct *>(x + lanes) - centre[i];
                for (Index j = 0; j < strip; ++j) {
                    y[j][0] += coefficient[j] * low;
                    y[j][1] += coefficient[j] * high;
                }
            }
            for (Index j = 0; j < strip; ++j) {
                total[0] += y[j][0] * y[j][0];
                total[1] += y[j][1] * y[j][1];
            }
        }
        *reinterpret_cast<Oct *>(out + g * lanes) = total[0];
        *reinterpret_cast<Oct *>(out + (g + 1) * lanes) = total[1];
    }
}

// Adds w_r d_r d_r' to the tiles, where d are the deviations of a panel and `weighed` holds w d;
// both have rows of zeros up to a multiple of four coordinates.
[[gnu::always_inline]] inline void add_scatter(const double *away, const double *weighed, Index p,
                                               double *tiles) {
    const Index n = strips(p);
    for (Index a = 0; a < n; ++a)
        for (Index b = 0; b <= a; ++b, tiles += strip * strip * lanes) {
            Oct sum[strip][strip];
            for (Index i = 0; i < strip; ++i)
                for (Index j = 0; j < strip; ++j)
                    sum[i][j] = *reinterpret_cast<Oct *>(tiles + (i * strip + j) * lanes);
            for (Index g = 0; g < groups; ++g) {
                Oct left[strip], right[strip];
                for (Index i = 0; i < strip; ++i) {
                    const Index at = g * lanes;
                    left[i] = *reinterpret_cast<const Oct *>(weighed + (a * strip + i) * rows + at);
                    right[i] = *reinterpret_cast<const Oct *>(away + (b * strip + i) * rows + at);
                }
                for (Index i = 0; i < strip; ++i)
                    for (Index j = 0; j < strip; ++j) sum[i][j] += left[i] * right[j];
            }
            for (Index i = 0; i < strip; ++i)
                for (Index j = 0; j < strip; ++j)
                    *reinterpret_cast<Oct *>(tiles + (i * strip + j) * lanes) = sum[i][j];
        }
}

// The tiles added up over the lanes, into the lower triangle of a matrix.
inline void collect(const double *tiles, Index p, double *matrix) {
    const Index n = strips(p);
    for (Index a = 0; a < n; ++a)
        for (Index b = 0; b <= a; ++b)
            for (Index i = 0; i < strip; ++i)
                for (Index j = 0; j < strip; ++j, tiles += lanes) {
                    double sum = 0.0;
                    for (Index l = 0; l < lanes; ++l) sum += tiles[l];
                    const Index row = a * strip + i, column = b * strip + j;
                    if (row < p && column <= row) matrix[row * p + column] = sum;
                }
}

}  // namespace margin::mixture
