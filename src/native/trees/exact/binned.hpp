// The best split of a node between bins: from histograms, or from sorted codes where the criterion
// or several outputs need the rows themselves.
#pragma once

#include <algorithm>
#include <bit>
#include <vector>

#include "trees/exact/grower.hpp"

namespace margin::trees::exact {

struct BinnedSpace {
    std::vector<std::uint8_t> codes;
    std::vector<Entry> entries;
    std::vector<double> sums, left;  // of the criterion, per bin
    std::vector<std::uint32_t> count;
    std::vector<Index> order;
};

// Bins that some row of the node has, in rising order.
class UsedBins {
  public:
    void mark(std::uint8_t b) { words_[b >> 6] |= std::uint64_t{1} << (b & 63); }
    template <typename Visit>
    void each(const Visit &visit) const {
        for (Index k = 0; k < 4; ++k)
            for (std::uint64_t word = words_[k]; word != 0; word &= word - 1)
                visit(64 * k + std::countr_zero(word));
    }
    bool has(Index b) const { return words_[b >> 6] >> (b & 63) & 1U; }
    Index last_below(Index bins) const {
        Index last = -1;
        each([&](Index b) { last = b < bins ? b : last; });
        return last;
    }

  private:
    std::uint64_t words_[4]{};
};

// A column, its number of bins, and how many numbers a criterion keeps of each.
struct BinnedColumn {
    Index feature, bins, cell;
};

// Bins from left to right; what is missing (in bin `bins`) starts on either side.
template <typename C>
void scan_bins(C &c, BinnedSpace &space, const UsedBins &used, const BinnedColumn &column, Index n,
               bool missing_left, const Rules &rules, Candidate &best) {
    const Index bins = column.bins, cell = column.cell, feature = column.feature;
    std::vector<double> &left = space.left;
    left.assign(cell, 0.0);
    Index n_left = 0;
    const bool counted = rules.least_rows > 1, seen = used.has(bins);
    const auto add = [&](Index b) {
        const double *sums = space.sums.data() + b * cell;
        for (Index k = 0; k < cell; ++k) left[k] += sums[k];
        if (counted) n_left += space.count[b];
    };
    if (missing_left) add(bins);
    const Index last = used.last_below(bins);
    used.each([&](Index b) {
        if (b >= bins || (b == last && (missing_left || !seen))) return;
        add(b);
        if (counted && (n_left < rules.least_rows || n - n_left < rules.least_rows)) return;
        c.set(left.data(), C::cell_weight(left.data(), cell));
        const double proxy = c.proxy();
        if (!improves<C>(proxy, best) || !allowed(c, rules)) return;
        best.proxy = proxy;
        best.feature = feature;
        best.threshold = b == last ? -nothing : double(b);
        best.missing_left = missing_left;
        best.missing_seen = seen;
    });
}

// Sums of the criterion per bin; the cells are zero before and after.
template <typename C>
Candidate histogram_split(C &c, const typename C::Light *light, Index n, Index bins,
                          const Rules &rules, Index cell, Index feature, BinnedSpace &space) {
    space.sums.resize(256 * cell);
    space.count.resize(256);
    UsedBins used;
    double *sums = space.sums.data();
    const std::uint8_t *codes = space.codes.data();
    for (Index i = 0; i < n; ++i) {
        C::add(light[i], sums + codes[i] * cell);
        used.mark(codes[i]);
    }
    if (rules.least_rows > 1)
        for (Index i = 0; i < n; ++i) ++space.count[codes[i]];
    Candidate best;
    const BinnedColumn column{.feature = feature, .bins = bins, .cell = cell};
    scan_bins(c, space, used, column, n, false, rules, best);
    if (used.has(bins)) scan_bins(c, space, used, column, n, true, rules, best);
    used.each([&](Index b) {
        std::fill(sums + b * cell, sums + (b + 1) * cell, 0.0);
        space.count[b] = 0;
    });
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
        if (!light_.empty()) {
            if constexpr (C::additive)
                candidate = histogram_split(c, light_.data() + node.start, n, bins, rules,
                                            C::cell_width(targets_), j, space);
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
