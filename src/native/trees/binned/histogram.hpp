// Histograms of gradients: two sums in one integer of 64 bits.
//
// A row has the slope g and the curvature h of its loss. Both are rounded to integers, g in the
// upper and h >= 0 in the lower half of one number, with units so small that the sums of |g| and of
// h over all rows stay within 2^31 (so a row has 2^30 / n units on average). One addition adds
// both; sums are exact, so they depend neither on the order nor on the number of threads, and the
// histogram of a node is exactly that of its parent less that of its sibling.
#pragma once

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <utility>

#include "common/index.hpp"
#include "trees/binned/binned_table.hpp"

namespace margin::trees {

using Packed = std::int64_t;

inline double slope_units(Packed sum) { return static_cast<double>(sum >> 32); }
inline double curvature_units(Packed sum) {
    return static_cast<double>(static_cast<std::uint32_t>(sum));
}

// Units of the two halves; a curvature that is the same for all rows is the number of rows.
struct Units {
    double slope = 1.0, curvature = 1.0;

    static Units of(double absolute_slopes, double curvatures, bool constant) {
        constexpr double room = 1073741824.0;  // 2^30: as much is left for rounding
        Units units;
        if (absolute_slopes > 0.0) units.slope = absolute_slopes / room;
        if (!constant && curvatures > 0.0) units.curvature = curvatures / room;
        return units;
    }

    Packed pack(double g, double h) const {
        const auto upper = static_cast<std::int64_t>(std::nearbyint(g / slope));
        const auto lower = static_cast<std::int64_t>(std::nearbyint(h / curvature));
        return upper * (std::int64_t{1} << 32) + lower;
    }
    double g(Packed sum) const { return slope * slope_units(sum); }
    double h(Packed sum) const { return curvature * curvature_units(sum); }
};

// Adds `m` rows to the histograms of a group of `Width` columns, 256 entries each.
template <Index Width>
void accumulate(const std::uint8_t *group, const std::uint32_t *rows, const Packed *packed, Index m,
                Packed *histogram) {
    constexpr Index ahead = 64;
    const auto add = [&](const std::uint8_t *codes, Packed value) {
#pragma GCC unroll 16
        for (Index k = 0; k < Width; ++k) histogram[k * BinnedTable::slots + codes[k]] += value;
    };
    Index i = 0;
    for (; i + ahead < m; ++i) {
        __builtin_prefetch(group + static_cast<std::size_t>(rows[i + ahead]) * Width);
        add(group + static_cast<std::size_t>(rows[i]) * Width, packed[i]);
    }
    for (; i < m; ++i) add(group + static_cast<std::size_t>(rows[i]) * Width, packed[i]);
}

using Accumulate = void (*)(const std::uint8_t *, const std::uint32_t *, const Packed *, Index,
                            Packed *);

inline Accumulate accumulate_of_width(Index width) {
    static constexpr auto table = []<std::size_t... W>(std::index_sequence<W...>) {
        return std::array<Accumulate, sizeof...(W)>{&accumulate<static_cast<Index>(W) + 1>...};
    }(std::make_index_sequence<BinnedTable::widest>{});
    return table[width - 1];
}

}  // namespace margin::trees
