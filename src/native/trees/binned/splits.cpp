// Scores of all cuts of a column, and splits by categories.
#include "trees/binned/splits.hpp"

#include <algorithm>
#include <array>
#include <cstring>

namespace margin::trees {

// Halves of the packed sums are read as 32-bit integers: those can be widened to doubles in
// registers of any width.
MARGIN_CLONES
void split_scores(const Packed *left, Index n, const NodeLimits &limits, double g, double s,
                  double *out) {
    static_assert(std::endian::native == std::endian::little);
    const double slope = limits.units.slope, curvature = limits.units.curvature, l2 = limits.l2;
    const double ratio = g / s;
    const auto *halves = reinterpret_cast<const std::int32_t *>(left);
    for (Index b = 0; b < n; ++b) {
        const double a = static_cast<double>(halves[2 * b]) * curvature + l2;
        const double d = static_cast<double>(halves[2 * b + 1]) * slope - a * ratio;
        out[b] = d * d / (a * (s - a));
    }
}

namespace {

constexpr Index exact_levels = 8;  // up to so many categories all ways to divide them are tried

struct Level {
    Index bin;
    double g, h;
    Packed rows;
};

BinSet set_of(const Level *levels, Index n) {
    BinSet set{};
    for (Index k = 0; k < n; ++k) set[levels[k].bin >> 5] |= 1U << (levels[k].bin & 31);
    return set;
}

}  // namespace

void SplitSearch::categorical(const Packed *histogram, const Packed *counts, Index least_rows,
                              Index n_bins, Index feature, Candidate &best) {
    std::array<Level, BinnedTable::slots> levels;
    Index n = 0;
    Packed all_rows = 0;
    for (Index b = 0; b <= n_bins; ++b) {
        const Packed rows = counts != nullptr ? counts[b] : 0;
        all_rows += rows;
        if (histogram[b] != 0 || rows != 0)
            levels[n++] = {b, limits_.units.g(histogram[b]), limits_.units.h(histogram[b]), rows};
    }
    if (n < 2) return;
    // The bin for missing values is a category like the others; unseen ones follow it.
    const bool missing = levels[n - 1].bin == n_bins;
    const auto fits = [&](double hl, Packed rows) {
        if (hl < limits_.least_curvature || h_ - hl < limits_.least_curvature) return false;
        if (hl <= 0.0 && limits_.l2 <= 0.0) return false;
        return counts == nullptr || (rows >= least_rows && all_rows - rows >= least_rows);
    };
    const auto keep = [&](double gain, const BinSet &set) {
        const bool missing_left = missing && ((set[n_bins >> 5] >> (n_bins & 31)) & 1U) != 0;
        best = {gain, feature, -1, missing_left, missing, set};
    };
    if (n <= exact_levels) {
        for (std::uint32_t mask = 1; mask < (1U << (n - 1)); ++mask) {
            double gl = 0.0, hl = 0.0;
            Packed rows = 0;
            std::array<Level, exact_levels> chosen;
            Index size = 0;
            for (Index k = 0; k < n; ++k)
                if ((mask >> k) & 1U) {
                    gl += levels[k].g;
                    hl += levels[k].h;
                    rows += levels[k].rows;
                    chosen[size++] = levels[k];
                }
            if (!fits(hl, rows)) continue;
            const double gain = set_gain(gl, hl, limits_.l2);
            if (Candidate::exceeds(gain, best.gain)) keep(gain, set_of(chosen.data(), size));
        }
        return;
    }
    // Sorted by the value that a leaf of their own would have, shrunken where rows are few.
    const double smooth = limits_.smoothing;
    std::sort(levels.begin(), levels.begin() + n, [&](const Level &a, const Level &b) {
        const double x = a.g / (a.h + smooth), y = b.g / (b.h + smooth);
        return x < y || (x == y && a.bin < b.bin);
    });
    double gl = 0.0, hl = 0.0;
    Packed rows = 0;
    const double l2 = limits_.l2 + limits_.cat_l2;
    for (Index k = 0; k + 1 < n; ++k) {
        gl += levels[k].g;
        hl += levels[k].h;
        rows += levels[k].rows;
        if (!fits(hl, rows)) continue;
        const double gain = set_gain(gl, hl, l2);
        if (Candidate::exceeds(gain, best.gain)) keep(gain, set_of(levels.data(), k + 1));
    }
}

}  // namespace margin::trees
