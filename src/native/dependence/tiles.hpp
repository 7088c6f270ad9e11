// Inner products of rows of a block, four by four.
#pragma once

#include "dependence/functions.hpp"
#include "dependence/lanes.hpp"

namespace margin::dependence {

constexpr Index side = 4;  // rows of a tile, along and across

constexpr Index whole_tiles(Index count) { return (count + side - 1) / side * side; }

// sums[u * across + v] += sum over r of a[u, r] b[v, r], for u < along and v < across, both whole
// tiles; with `upper` the tiles below the diagonal are left out.
template <bool upper>
[[gnu::always_inline]] inline void add_products(const double *a, const double *b, Index along,
                                                Index across, double *sums) {
    for (Index u = 0; u < along; u += side)
        for (Index v = upper ? u : 0; v < across; v += side) {
            Lanes total[side][side] = {};
            for (Index r = 0; r < block; r += lanes) {
                Lanes left[side], right[side];
#pragma GCC unroll 4
                for (Index h = 0; h < side; ++h) {
                    load(a + (u + h) * block + r, left[h]);
                    load(b + (v + h) * block + r, right[h]);
                }
#pragma GCC unroll 4
                for (Index g = 0; g < side; ++g)
#pragma GCC unroll 4
                    for (Index h = 0; h < side; ++h) total[g][h] += left[g] * right[h];
            }
            for (Index g = 0; g < side; ++g)
                for (Index h = 0; h < side; ++h)
                    sums[(u + g) * across + v + h] += sum_of(total[g][h]);
        }
}

}  // namespace margin::dependence
