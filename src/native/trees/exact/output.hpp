// The grown tree as arrays: root first, every left branch before its right one.
#pragma once

#include "trees/exact/grower.hpp"

namespace margin::trees::exact {

template <typename C>
GrownTree Grower<C>::finish() {
    if (nodes_[0].part >= 0) return std::move(parts_[nodes_[0].part]);
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
        if (node.part >= 0) {
            tree.append(parts_[node.part]);
            continue;
        }
        tree.add_leaf(node.summary, node.size(), values_.data() + i * width, width);
        if (!node.is_split) continue;
        const Candidate &s = node.split;
        tree.feature[at] = static_cast<std::int32_t>(s.feature);
        tree.left[at] = at + 1;
        tree.missing_left[at] = s.missing_left;
        tree.gain[at] = node.gain;
        if (s.categories.empty()) {
            tree.threshold[at] = s.threshold;
        } else {
            tree.categories[at] = static_cast<std::int32_t>(tree.bits.size());
            tree.words[at] = static_cast<std::int32_t>(s.categories.size());
            tree.bits.insert(tree.bits.end(), s.categories.begin(), s.categories.end());
        }
        open.emplace_back(node.right, at);
        open.emplace_back(node.left, -1);
    }
    return tree;
}

}  // namespace margin::trees::exact
