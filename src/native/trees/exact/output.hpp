// The grown tree as arrays: root first, every left branch before its right one.
#pragma once

#include <limits>

#include "trees/exact/grower.hpp"

namespace margin::trees::exact {

template <typename C>
GrownTree Grower<C>::finish() const {
    GrownTree tree;
    const Index width = targets_.width();
    std::vector<std::pair<Index, Index>> open{
        {0, -1}};  // a node, and the node it is right child of
    while (!open.empty()) {
        const auto [i, parent] = open.back();
        open.pop_back();
        const GrowingNode &node = nodes_[i];
        const auto at = static_cast<std::int32_t>(tree.feature.size());
        if (parent >= 0) tree.right[parent] = at;
        const Candidate &s = node.split;
        tree.feature.push_back(node.is_split ? static_cast<std::int32_t>(s.feature) : -1);
        tree.left.push_back(node.is_split ? at + 1 : -1);
        tree.right.push_back(-1);
        const bool sets = node.is_split && !s.categories.empty();
        tree.threshold.push_back(node.is_split && !sets ? s.threshold
                                                        : std::numeric_limits<double>::quiet_NaN());
        tree.missing_left.push_back(node.is_split && s.missing_left);
        tree.categories.push_back(sets ? static_cast<std::int32_t>(tree.bits.size()) : -1);
        tree.words.push_back(sets ? static_cast<std::int32_t>(s.categories.size()) : 0);
        if (sets) tree.bits.insert(tree.bits.end(), s.categories.begin(), s.categories.end());
        tree.cover.push_back(node.summary.weight);
        tree.n_rows.push_back(node.size());
        tree.impurity.push_back(node.summary.impurity);
        tree.gain.push_back(node.is_split ? node.gain : 0.0);
        const double *value = values_.data() + i * width;
        tree.value.insert(tree.value.end(), value, value + width);
        if (node.is_split) {
            open.emplace_back(node.right, at);
            open.emplace_back(node.left, -1);
        }
    }
    return tree;
}

}  // namespace margin::trees::exact
