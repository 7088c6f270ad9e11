// The split of a node of a packed part: columns drawn, thresholds drawn, sides summed together.
#pragma once

#include "trees/exact/packed/grower.hpp"

namespace margin::trees::exact {

// The first `max_features` columns of a random order that are not constant in the node; if none of
// them can be split, the first of the others that can. Two rows are parted alike by all columns.
template <typename C, typename T>
auto PackedGrower<C, T>::search(const Open &node, const double *total) -> Choice {
    const Index n = node.size(), p = columns_.n_columns;
    criterion_.enter({nullptr, n, total, node.summary.weight, nullptr});
    own_.enter(node.start, n, total);
    std::copy(identity_.begin(), identity_.end(), order_.begin());
    if (!node.rows) return search_scattered(node);
    const RowBlock<T> rows{node.rows, n, stride_};
    std::fill(seen_.begin(), seen_.end(), 0);
    PathDraws columns{node.key}, draws = threshold_draws(node.key);
    Choice best;
    Index wanted = n == 2 ? 1 : settings_.max_features;
    for (Index k = 0; k < p && best.feature < 0; wanted = 1) {
        candidates_.clear();
        for (; k < p && static_cast<Index>(candidates_.size()) < wanted; ++k) {
            const Index j = next_column(columns, k), block = j / block_width<T>;
            if (!settings_.usable.empty() && !settings_.usable[j]) continue;
            if (!seen_[block]) {
                block_extremes(rows, block * block_width<T>, least_.data(), most_.data());
                seen_[block] = 1;
            }
            const double least = least_[j], most = most_[j];
            if (least == most) continue;
            candidates_.push_back({nothing, drawn_between(least, most, draws), j});
        }
        if (!candidates_.empty()) judge(rows, best);
    }
    return best;
}

template <typename C, typename T>
Index PackedGrower<C, T>::next_column(PathDraws &draws, Index k) {
    std::swap(order_[k], order_[k + draws.below(columns_.n_columns - k)]);
    return order_[k];
}

// The same, one column after another.
template <typename C, typename T>
auto PackedGrower<C, T>::search_scattered(const Open &node) -> Choice {
    const Index n = node.size();
    if (static_cast<Index>(values_.size()) < n) values_.resize(n);
    PathDraws columns{node.key}, draws = threshold_draws(node.key);
    Choice best;
    Index looked_at = 0;
    for (Index k = 0; k < columns_.n_columns; ++k) {
        if ((looked_at >= settings_.max_features || n == 2) && best.feature >= 0) break;
        const Index j = next_column(columns, k);
        if (!settings_.usable.empty() && !settings_.usable[j]) continue;
        const auto [least, most] =
            gather_column(column(j), rows_.data() + node.start, n, values_.data());
        if (least == most) continue;
        ++looked_at;
        const Choice drawn{nothing, drawn_between(least, most, draws), j};
        const T limit = floor_to(drawn.threshold, T{});
        weigh(drawn, n, own_.read(values_.data(), n, limit, cell_.data()), best);
    }
    return best;
}

// The best of the candidates.
template <typename C, typename T>
void PackedGrower<C, T>::judge(RowBlock<T> rows, Choice &best) {
    blocks_.clear();
    for (const Choice &drawn : candidates_) {
        const Index block = drawn.feature / block_width<T>;
        limits_[drawn.feature] = floor_to(drawn.threshold, T{});
        if (!asked_[block]) blocks_.push_back(block * block_width<T>);
        asked_[block] = 1;
    }
    own_.run(rows, Limits<T>{blocks_.data(), static_cast<Index>(blocks_.size()), limits_.data()});
    for (const Choice &drawn : candidates_) {
        limits_[drawn.feature] = -std::numeric_limits<T>::infinity();
        asked_[drawn.feature / block_width<T>] = 0;
        weigh(drawn, rows.n, own_.read(drawn.feature, cell_.data()), best);
    }
}

// Takes a candidate, whose sums are in the cell, if it is allowed and the best so far.
template <typename C, typename T>
void PackedGrower<C, T>::weigh(const Choice &drawn, Index n, Index n_left, Choice &best) {
    const Rules rules{settings_.min_samples_leaf, settings_.min_weight_leaf};
    if (n_left < rules.least_rows || n - n_left < rules.least_rows) return;
    criterion_.set(cell_.data(), C::cell_weight(cell_.data(), static_cast<Index>(cell_.size())));
    const double proxy = criterion_.proxy();
    if (!(proxy > best.proxy) || !allowed(criterion_, rules)) return;
    best = drawn;
    best.proxy = proxy;
    best_cell_ = cell_;
}

// Sides of the rows; how many go left.
template <typename C, typename T>
Index PackedGrower<C, T>::mark(const Open &node, const Choice &choice) {
    const T limit = floor_to(choice.threshold, T{});
    const std::uint32_t *numbers = rows_.data() + node.start;
    const T *values = node.rows ? node.rows + choice.feature : column(choice.feature);
    Index left = 0;
    for (Index i = 0; i < node.size(); ++i) {
        const bool is_left = values[node.rows ? i * stride_ : numbers[i]] <= limit;
        side_[i] = is_left;
        left += is_left;
    }
    return left;
}

}  // namespace margin::trees::exact
