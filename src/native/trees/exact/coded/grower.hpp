// A part of a tree of numbers between bins, grown to its end on rows of its own.
//
// The codes of a row lie one after another and follow the splits, so that those of a node are
// always one block of memory: see cuts.hpp. Draws, order of the rows and rules are those of
// `Grower`, and so are the trees.
#pragma once

#include <cstring>
#include <numeric>
#include <vector>

#include "common/interrupt.hpp"
#include "trees/exact/coded/cuts.hpp"
#include "trees/exact/moments.hpp"
#include "trees/exact/packed/grower.hpp"

namespace margin::trees::exact {

class CodedGrower {
  public:
    using Criterion = MomentCriterion<Squared>;
    using Light = Criterion::Light;

    CodedGrower(const Columns &columns, const Targets &targets, const GrowthSettings &settings,
                double root_weight, PackedSpace &space, Interrupt &interrupt)
        : columns_(columns), targets_(targets), settings_(settings), root_weight_(root_weight),
          space_(space), interrupt_(interrupt), stride_(stride_of(columns.n_columns)),
          order_(columns.n_columns) {}

    static Index stride_of(Index n_columns) { return (n_columns + 15) / 16 * 16; }

    // Copies the rows; false if one of them has a missing value.
    bool load(const Entry *rows, const Light *light, Index n) {
        space_.rows.resize(lines(n));
        space_.spare.resize(lines(n));
        light_.assign(light, light + n);
        spare_.resize(n);
        moments_.resize(n);
        side_.resize(n);
        std::uint8_t *out = codes();
        for (Index i = 0; i < n; ++i) std::memset(out + i * stride_ + stride_ - 16, 0, 16);
        bool missing = false;
        constexpr Index tile = 64;  // rows whose copies stay in the first cache
        for (Index first = 0; first < n && !missing; first += tile)
            for (Index j = 0; j < columns_.n_columns; ++j) {
                const std::uint8_t *column = columns_.codes + j * columns_.n_rows;
                for (Index i = first; i < std::min(n, first + tile); ++i) {
                    const std::uint8_t code = column[row_of(rows[i])];
                    missing |= code == columns_.missing_bins[j];
                    out[i * stride_ + j] = code;
                }
            }
        return !missing;
    }

    const GrownTree &grow(const PartRoot &root);

  private:
    struct Open {
        Index start, end, depth;
        std::int32_t parent;  // that it is the right child of, -1: a left child
        std::uint64_t key;
        Summary summary;
        double total, value;

        Index size() const { return end - start; }
    };

    std::size_t lines(Index n) const {
        return static_cast<std::size_t>(n * stride_) / sizeof(Line) + 1;
    }
    std::uint8_t *codes() { return reinterpret_cast<std::uint8_t *>(space_.rows.data()); }
    const std::uint8_t *usable() const {
        return settings_.usable.empty() ? nullptr : settings_.usable.data();
    }
    bool go_on(const Open &node) const {
        return !is_terminal(settings_, node.depth, node.size(), node.summary);
    }

    Cut search(const Open &node);
    Cut cut_two(const CodedRows &rows, const CutRules &rules) const;
    void cut_drawn(const Open &node, const CodedRows &rows, const CutRules &rules, Cut &best);
    void split(std::int32_t at, const Open &node, const Cut &cut);
    Index part(const Open &node, const Cut &cut);
    Open child(const Open &node, std::int32_t at, Index middle, bool right) const;

    const Columns &columns_;
    const Targets &targets_;
    const GrowthSettings &settings_;
    double root_weight_;
    PackedSpace &space_;
    Interrupt &interrupt_;
    Index stride_;
    BinSums sums_;
    std::vector<Light> light_, spare_;
    std::vector<Moment> moments_;  // of the rows of the node
    std::vector<std::uint8_t> side_;
    std::vector<Index> order_;
    std::vector<Open> open_;
};

inline const GrownTree &CodedGrower::grow(const PartRoot &root) {
    constexpr Index least_polled = 64;  // rows of a node that takes longer than a look
    space_.branch.clear();
    open_.assign(1, {0, static_cast<Index>(light_.size()), root.depth, -1, root.key, root.summary,
                     root.total[0], root.value[0]});
    GrownTree &tree = space_.branch;
    while (!open_.empty()) {
        const Open node = open_.back();
        open_.pop_back();
        const auto at = static_cast<std::int32_t>(tree.feature.size());
        if (node.parent >= 0) tree.right[node.parent] = at;
        tree.add_leaf(node.summary, node.size(), &node.value, 1);
        if (!go_on(node)) continue;
        if (node.size() > least_polled && interrupt_.poll()) break;
        const Cut cut = search(node);
        if (cut.column >= 0) split(at, node, cut);
    }
    return tree;
}

inline Cut CodedGrower::search(const Open &node) {
    const Index n = node.size(), p = columns_.n_columns;
    for (Index i = 0; i < n; ++i) {
        const Light &own = light_[node.start + i];
        moments_[i] = {own.w * own.y, own.w};
    }
    const CodedRows rows{codes() + node.start * stride_, n, stride_, moments_.data()};
    const CutRules rules{
        settings_.min_samples_leaf, settings_.min_weight_leaf, {node.total, node.summary.weight}};
    Cut best;
    if (settings_.max_features < p) {
        cut_drawn(node, rows, rules, best);
    } else if (n == 2) {
        best = cut_two(rows, rules);
    } else if (n <= few_rows && few_rows_run()) {
        cut_few(rows, p, usable(), rules, best);
    } else {
        for (Index first = 0; first < p; first += cut_columns)
            sums_.cut(rows, first, std::min(cut_columns, p - first), usable(), rules, best);
    }
    return best;
}

// Two rows are parted alike by all columns.
inline Cut CodedGrower::cut_two(const CodedRows &rows, const CutRules &rules) const {
    const std::uint8_t *a = rows.codes, *b = a + stride_;
    if (std::min(rows.moments[0].weight, rows.moments[1].weight) < rules.least_weight) return {};
    for (Index j = 0; j < columns_.n_columns; ++j)
        if (a[j] != b[j] && (!usable() || usable()[j])) return {0.0, j, std::min(a[j], b[j])};
    return {};
}

// The first `max_features` columns of a random order that are not constant in the node; if none of
// them can be split, the first of the others that can.
inline void CodedGrower::cut_drawn(const Open &node, const CodedRows &rows, const CutRules &rules,
                                   Cut &best) {
    const Index p = columns_.n_columns;
    std::iota(order_.begin(), order_.end(), Index{0});
    PathDraws draws{node.key};
    Index looked_at = 0;
    for (Index k = 0; k < p; ++k) {
        if (looked_at >= settings_.max_features && best.column >= 0) return;
        std::swap(order_[k], order_[k + draws.below(p - k)]);
        const Index j = order_[k];
        if (usable() && !usable()[j]) continue;
        looked_at += sums_.cut(rows, j, 1, nullptr, rules, best);
    }
}

// Parts the rows, sums up both sides and makes children of them, unless they gain too little.
inline void CodedGrower::split(std::int32_t at, const Open &node, const Cut &cut) {
    const Index middle = node.start + part(node, cut);
    const Open left = child(node, -1, middle, false), right = child(node, at, middle, true);
    const double gain = gain_of(node.summary, left.summary, right.summary, root_weight_);
    if (!gains_enough(gain, settings_)) return;
    GrownTree &tree = space_.branch;
    tree.feature[at] = static_cast<std::int32_t>(cut.column);
    tree.threshold[at] = cut.code;
    tree.left[at] = at + 1;
    tree.missing_left[at] = 2 * left.size() > node.size();
    tree.gain[at] = gain;
    open_.push_back(right);
    open_.push_back(left);
}

inline auto CodedGrower::child(const Open &node, std::int32_t at, Index middle, bool right) const
    -> Open {
    Open out{right ? middle : node.start,
             right ? node.end : middle,
             node.depth + 1,
             at,
             child_key(node.key, right),
             {},
             0.0,
             0.0};
    out.summary = Criterion::summarise(targets_, light_.data() + out.start, out.size(), &out.total,
                                       &out.value);
    return out;
}

// Rows and targets of the left first, either side in the order that it had.
inline Index CodedGrower::part(const Open &node, const Cut &cut) {
    const Index n = node.size(), stride = stride_;
    std::uint8_t *rows = codes() + node.start * stride;
    auto *spare = reinterpret_cast<std::uint8_t *>(space_.spare.data());
    Index n_left = 0;
    for (Index i = 0; i < n; ++i) {
        side_[i] = rows[i * stride + cut.column] <= cut.code;
        n_left += side_[i];
    }
    part_stably(light_.data() + node.start, n, side_.data(), spare_.data());
    if (n == 2) return n_left;  // two leaves
    Index l = 0, r = 0;
    for (Index i = 0; i < n; ++i) {
        const std::uint8_t *row = rows + i * stride;
        if (side_[i]) {
            if (l != i) std::memcpy(rows + l * stride, row, stride);
            ++l;
        } else {
            std::memcpy(spare + r++ * stride, row, stride);
        }
    }
    std::memcpy(rows + l * stride, spare, static_cast<std::size_t>(r * stride));
    return n_left;
}

}  // namespace margin::trees::exact
