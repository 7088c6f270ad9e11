// The split of a node of a packed part: columns drawn, thresholds drawn, sides summed together.
#pragma once

#include "trees/exact/packed/grower.hpp"

namespace margin::trees::exact {

// The first `max_features` columns of a random order that are not constant in the node; if none of
// them can be split, the first of the others that can. Two rows are parted alike by all columns.
template <typename C, typename T>
auto PackedGrower<C, T>::search(const Open &node, const double *total) -> Choice {
    const Index n = node.size(), p = columns_.n_columns;
    const RowBlock<T> rows{node.rows, n, stride_};
    criterion_.enter({nullptr, n, total, node.summary.weight, nullptr});
    own_.enter(node.start, n, total);
    std::copy(identity_.begin(), identity_.end(), order_.begin());
    std::fill(seen_.begin(), seen_.end(), 0);
    PathDraws columns{node.key}, draws = threshold_draws(node.key);
    Choice best;
    Index wanted = n == 2 ? 1 : settings_.max_features;
    for (Index k = 0; k < p && best.feature < 0; wanted = 1) {
        candidates_.clear();
        for (; k < p && static_cast<Index>(candidates_.size()) < wanted; ++k) {
            std::swap(order_[k], order_[k + columns.below(p - k)]);
            const Index j = order_[k], block = j / block_width<T>;
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
    const Rules rules{settings_.min_samples_leaf, settings_.min_weight_leaf};
    for (const Choice &drawn : candidates_) {
        const Index n_left = own_.read(drawn.feature, cell_.data());
        limits_[drawn.feature] = -std::numeric_limits<T>::infinity();
        asked_[drawn.feature / block_width<T>] = 0;
        if (n_left < rules.least_rows || rows.n - n_left < rules.least_rows) continue;
        criterion_.set(cell_.data(),
                       C::cell_weight(cell_.data(), static_cast<Index>(cell_.size())));
        const double proxy = criterion_.proxy();
        if (!(proxy > best.proxy) || !allowed(criterion_, rules)) continue;
        best = drawn;
        best_cell_ = cell_;
        best.proxy = proxy;
    }
}

// Sides of the rows; how many go left.
template <typename C, typename T>
Index PackedGrower<C, T>::mark(const Open &node, const Choice &choice) {
    const T *column = node.rows + choice.feature;
    const T limit = floor_to(choice.threshold, T{});
    Index left = 0;
    for (Index i = 0; i < node.size(); ++i) {
        const bool is_left = column[i * stride_] <= limit;
        side_[i] = is_left;
        left += is_left;
    }
    return left;
}

}  // namespace margin::trees::exact
