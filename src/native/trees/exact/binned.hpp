// The best split of a node between bins: histograms where it has many rows, sorted codes where few.
#pragma once

#include <algorithm>
#include <vector>

#include "trees/exact/grower.hpp"

namespace margin::trees::exact {

struct BinnedSpace {
    std::vector<std::uint8_t> codes;
    std::vector<Entry> entries;
    std::vector<double> sums, left;  // of the criterion, per bin
    std::vector<double> weight;
    std::vector<std::uint32_t> count;
    std::vector<Index> order;
};

// Below this many rows sorting beats clearing and reading all bins (measured).
constexpr Index fewest_for_histogram = 192;

// Bins from left to right; what is missing starts on either side.
template <typename C>
void scan_bins(C &c, const BinnedSpace &space, Index bins, Index n, bool missing_left,
               const Rules &rules, Index width, Index feature, std::vector<double> &left,
               Candidate &best) {
    const Index missing = space.count[bins];
    left.assign(width, 0.0);
    double weight = 0.0;
    Index n_left = 0;
    const auto add = [&](Index b) {
        const double *sums = space.sums.data() + b * width;
        for (Index k = 0; k < width; ++k) left[k] += sums[k];
        weight += space.weight[b];
        n_left += space.count[b];
    };
    if (missing_left) add(bins);
    for (Index b = 0; b < bins; ++b) {
        if (space.count[b] == 0) continue;
        add(b);
        if (n_left < rules.least_rows) continue;
        if (n - n_left < rules.least_rows) break;
        c.set(left.data(), weight);
        const double proxy = c.proxy();
        if (!improves<C>(proxy, best) || !allowed(c, rules)) continue;
        best.proxy = proxy;
        best.feature = feature;
        best.threshold = n - n_left == missing && !missing_left ? -nothing : double(b);
        best.missing_left = missing_left;
        best.missing_seen = missing > 0;
    }
}

template <typename C>
Candidate histogram_split(C &c, const Targets &t, const Entry *rows, Index n, Index bins,
                          const Rules &rules, Index feature, BinnedSpace &space) {
    const Index width = t.width();
    space.sums.assign((bins + 1) * width, 0.0);
    space.weight.assign(bins + 1, 0.0);
    space.count.assign(bins + 1, 0);
    for (Index i = 0; i < n; ++i) {
        const std::uint32_t row = row_of(rows[i]);
        const Index b = space.codes[i];
        const double w = t.weight_of(row);
        C::add(t, row, w, space.sums.data() + b * width);
        space.weight[b] += w;
        ++space.count[b];
    }
    Candidate best;
    c.start();
    scan_bins(c, space, bins, n, false, rules, width, feature, space.left, best);
    if (space.count[bins] > 0)
        scan_bins(c, space, bins, n, true, rules, width, feature, space.left, best);
    return best;
}

template <typename C>
void Grower<C>::binned_split(Index i, C &c, BinnedSpace &space) {
    GrowingNode &node = nodes_[i];
    const Entry *rows = lists_[0] + node.start;
    const Index n = node.size();
    std::vector<const Entry *> by_target;
    c.enter(rows_of(i, by_target));
    PathDraws draws = start_draws(node, space.order);
    space.codes.resize(n);
    Index looked_at = 0;
    for (Index k = 0; k < columns_.n_columns; ++k) {
        if (looked_at >= settings_.max_features && node.split.valid()) break;
        const Index j = draw_column(draws, space.order, k);
        if (!may_use(node, j)) continue;
        const std::uint8_t *codes = columns_.codes + j * columns_.n_rows;
        std::uint8_t differs = 0;
        const std::uint8_t first = codes[row_of(rows[0])];
        for (Index r = 0; r < n; ++r) {
            const std::uint8_t code = codes[row_of(rows[r])];
            space.codes[r] = code;
            differs |= code ^ first;
        }
        if (differs == 0) continue;
        ++looked_at;
        const Index bins = columns_.missing_bins[j];
        const Rules rules = rules_of(node, j);
        Candidate candidate;
        if (C::additive && n >= fewest_for_histogram) {
            candidate = histogram_split(c, targets_, rows, n, bins, rules, j, space);
        } else {
            space.entries.resize(n);
            for (Index r = 0; r < n; ++r)
                space.entries[r] =
                    entry(space.codes[r] == bins ? missing_code : space.codes[r], row_of(rows[r]));
            std::sort(space.entries.begin(), space.entries.end());
            candidate = scan(c, space.entries.data(), n, rules, j);
            if (candidate.valid())
                candidate.threshold =
                    candidate.all_present_left ? -nothing : double(codes[candidate.low]);
        }
        if (candidate.valid() && node.split.worse_than(candidate))
            node.split = std::move(candidate);
    }
}

template <typename C>
void Grower<C>::search_binned(const Places &places) {
    double work = 0.0;
    for (const Index i : places) work += 10.0 * double(nodes_[i].size());
    work *= double(settings_.max_features);
    team::run(n_threads_, work, static_cast<Index>(places.size()), [&] {
        return [&, c = C(targets_), space = BinnedSpace{}](Index at) mutable {
            if (interrupt_.poll()) return;
            binned_split(places[at], c, space);
        };
    });
}

}  // namespace margin::trees::exact
