// The best split of a node on one column, from its histogram.
//
// With G and H the sums of slopes and curvatures, l2 the ridge and S = H + 2 l2, the gain
//     G_L^2 / (H_L + l2) + G_R^2 / (H_R + l2) - G^2 / (H + l2)
// of a split is S d^2 / (a (S - a)) + G^2 / S - G^2 / (H + l2), where a = H_L + l2 and
// d = G_L - a G / S: one division, and nothing large that cancels.
#pragma once

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <cstdint>
#include <limits>
#include <numeric>

#include "common/index.hpp"
#include "common/native.hpp"
#include "trees/binned/histogram.hpp"

namespace margin::trees {

using BinSet = std::array<std::uint32_t, 8>;  // bit b: rows of bin b go left

struct Candidate {
    double gain = -1.0;  // below 0: none
    Index feature = -1;
    std::int32_t bin = -1;  // last one that goes left, -1: see `left_bins`
    bool missing_left = false;
    bool missing_seen = false;  // whether missing values chose their side
    BinSet left_bins{};

    // Better by more than rounding: where columns divide the rows alike, the first one is taken,
    // whichever side they call left. Candidates are compared in the order of the columns.
    bool better_than(const Candidate &other) const { return exceeds(gain, other.gain); }

    static bool exceeds(double gain, double other) { return gain > other + 1e-6 * std::abs(other); }
};

// What the search may do in one node.
struct NodeLimits {
    Units units;
    double l2 = 0.0;
    double least_curvature = 0.0;  // of each side
    double lower = -std::numeric_limits<double>::infinity();
    double upper = std::numeric_limits<double>::infinity();
    double smoothing = 10.0;  // of the order of categories
    double cat_l2 = 10.0;

    double clipped(double g, double h) const { return std::clamp(-g / (h + l2), lower, upper); }
    // What a leaf with this value removes from the loss, twice.
    double removed(double g, double h, double value) const {
        return -(2.0 * g * value + (h + l2) * value * value);
    }
};

// S d^2 / (a (S - a)) for the sums in `left`, see above. A function of its own, for wide registers.
void split_scores(const Packed *left, Index n, const NodeLimits &limits, double g, double s,
                  double *out);

class SplitSearch {
  public:
    SplitSearch(const NodeLimits &limits, Packed total)
        : limits_(limits), total_(total), g_(limits.units.g(total)), h_(limits.units.h(total)),
          s_(h_ + 2.0 * limits.l2) {
        parent_ = limits.removed(g_, h_, limits.clipped(g_, h_));
        shift_ = g_ * g_ / s_ - g_ * g_ / (h_ + limits.l2);
        // Bounds on the left sum of curvatures, in units.
        least_ = limits.least_curvature / limits.units.curvature;
    }

    // counts: rows per bin where they are known, otherwise null; at least `least_rows` per side.
    void numeric(const Packed *histogram, const Packed *counts, Index least_rows, Index n_bins,
                 bool may_miss, int monotone, Index feature, Candidate &best) {
        const Packed missing = may_miss ? histogram[n_bins] : 0;
        const Packed missing_rows = may_miss && counts ? counts[n_bins] : 0;
        const bool seen = missing != 0 || missing_rows != 0;
        const Column column{histogram, counts, least_rows, monotone, feature, seen};
        scan(column, seen ? n_bins : n_bins - 1, {0, 0, false}, best);
        if (seen) scan(column, n_bins - 1, {missing, missing_rows, true}, best);
    }

    void categorical(const Packed *histogram, const Packed *counts, Index least_rows, Index n_bins,
                     Index feature, Candidate &best);

  private:
    // What the cuts of one column are made of.
    struct Column {
        const Packed *histogram, *counts;
        Index least_rows;
        int monotone;
        Index feature;
        bool seen;
    };
    // What is left of the first bin: the missing rows, or nothing.
    struct Start {
        Packed sum, rows;
        bool missing_left;
    };

    void scan(const Column &column, Index n, const Start &begin, Candidate &best) {
        if (n < 1) return;
        const auto [histogram, counts, least_rows, monotone, feature, seen] = column;
        const auto [start, start_rows, missing_left] = begin;
        std::array<Packed, BinnedTable::slots> left;
        Packed sum = start;
        for (Index b = 0; b < n; ++b) left[b] = sum += histogram[b];
        // Sums of curvatures rise: the allowed cuts are those between two bins.
        const double most = curvature_units(total_) - least_;
        Index first = 0, last = n;
        while (first < last && !(curvature_units(left[first]) >= least_ && left[first] != start))
            ++first;
        while (last > first && !(curvature_units(left[last - 1]) <= most)) --last;
        if (counts != nullptr) limit_rows(counts, least_rows, n, start_rows, first, last);
        if (first >= last) return;
        if (monotone != 0 || bounded()) {
            bounded_scan(left.data(), first, last, monotone, feature, missing_left, seen, best);
            return;
        }
        std::array<double, BinnedTable::slots> score;
        split_scores(left.data() + first, last - first, limits_, g_, s_, score.data());
        const Index m = last - first;
        double top = -1.0;
        for (Index b = 0; b < m; ++b) top = score[b] > top ? score[b] : top;
        const double gain = top * s_ + shift_;
        if (!Candidate::exceeds(gain, best.gain)) return;
        Index at = 0;
        while (at < m && !(score[at] >= top * (1.0 - 1e-9))) ++at;
        if (at == m) return;  // nothing but NaN
        best = {gain, feature, static_cast<std::int32_t>(first + at), missing_left, seen, {}};
    }

    static void limit_rows(const Packed *counts, Index least, Index n, Packed start, Index &first,
                           Index &last) {
        Packed all = 0, sum = start;
        for (Index b = 0; b < BinnedTable::slots; ++b) all += counts[b];
        Index allowed_first = n, allowed_last = 0;
        for (Index b = 0; b < n; ++b) {
            sum += counts[b];
            if (sum >= least && all - sum >= least) {
                allowed_first = std::min(allowed_first, b);
                allowed_last = b + 1;
            }
        }
        first = std::max(first, allowed_first);
        last = std::min(last, allowed_last);
    }

    bool bounded() const { return std::isfinite(limits_.lower) || std::isfinite(limits_.upper); }

    void bounded_scan(const Packed *left, Index first, Index last, int monotone, Index feature,
                      bool missing_left, bool seen, Candidate &best) const {
        for (Index b = first; b < last; ++b) {
            const double gl = limits_.units.g(left[b]), hl = limits_.units.h(left[b]);
            const double vl = limits_.clipped(gl, hl), vr = limits_.clipped(g_ - gl, h_ - hl);
            if ((monotone > 0 && vl > vr) || (monotone < 0 && vl < vr)) continue;
            const double gain =
                limits_.removed(gl, hl, vl) + limits_.removed(g_ - gl, h_ - hl, vr) - parent_;
            if (Candidate::exceeds(gain, best.gain))
                best = {gain, feature, static_cast<std::int32_t>(b), missing_left, seen, {}};
        }
    }

    // Gain of a set of categories whose sums are known.
    double set_gain(double gl, double hl, double l2) const {
        const double vl = std::clamp(-gl / (hl + l2), limits_.lower, limits_.upper);
        const double gr = g_ - gl, hr = h_ - hl;
        const double vr = std::clamp(-gr / (hr + l2), limits_.lower, limits_.upper);
        return -(2.0 * gl * vl + (hl + l2) * vl * vl) - (2.0 * gr * vr + (hr + l2) * vr * vr) -
               parent_;
    }

    NodeLimits limits_;
    Packed total_;
    double g_, h_, s_, parent_ = 0.0, shift_ = 0.0, least_ = 0.0;
};

}  // namespace margin::trees
