// Trees laid out for prediction.
#pragma once

#include <cmath>
#include <cstdint>
#include <limits>
#include <memory>
#include <vector>

#include "common/index.hpp"
#include "trees/prediction/packed_node.hpp"
#include "trees/prediction/single_rows.hpp"
#include "trees/prediction/slim_walk.hpp"
#include "trees/prediction/wide_walk.hpp"

namespace margin::trees {

struct CategorySet {
    std::int64_t start;
    std::int32_t words;
};

struct PackedTree {
    Index first;   // of its nodes in `nodes` and `origin`, which is also the offset of its values
    Index size;    // nodes
    Index depth;   // steps from the root to the deepest leaf
    Index output;  // column that its only value is added to, -1: one value per column
};

class QuickForest;

class PackedForest {
  public:
    std::vector<PackedNode> nodes;
    std::vector<std::int32_t> origin;  // number of a packed node in the tree as it was given
    std::vector<PackedTree> trees;
    std::vector<CategorySet> sets;
    std::vector<std::uint32_t> bits;
    std::vector<double> value;  // in the order of the packed nodes, `width` for each
    Index n_features = 0, n_outputs = 1, width = 1;
    bool has_categories = false;
    std::shared_ptr<const QuickForest> quick;  // where all trees are small
    SlimNodes slim;                            // the same nodes for rows of single precision

    bool in_set(const PackedNode &node, double x) const {
        const CategorySet &set = sets[static_cast<std::size_t>(node.threshold)];
        const bool missing_left = (node.where & PackedNode::missing_left) != 0;
        // NaN fails the comparison as well.
        if (!(x >= 0.0 && x < 32.0 * set.words)) return missing_left;
        const auto code = static_cast<std::uint64_t>(x);
        return (bits[set.start + (code >> 5)] >> (code & 31)) & 1U;
    }

    template <bool Categorical, typename T>
    std::int32_t step(const PackedNode *tree, std::int32_t at, const T *row) const {
        const PackedNode &node = tree[at];
        const double x = static_cast<double>(row[node.feature()]);
        if constexpr (Categorical)
            if (node.is_categorical()) return node.left + (in_set(node, x) ? 0 : 1);
        const bool above = x > node.threshold;       // false for NaN
        const bool beyond = !(x <= node.threshold);  // true for NaN
        return node.left + static_cast<std::int32_t>(
                               (node.where & PackedNode::missing_left) != 0 ? above : beyond);
    }

    template <bool Categorical, typename T>
    std::int32_t leaf(const PackedTree &tree, const T *row) const {
        const PackedNode *start = nodes.data() + tree.first;
        std::int32_t at = 0;
        for (;;) {
            const std::int32_t next = step<Categorical>(start, at, row);
            if (next == at) return at;
            at = next;
        }
    }

    // Packed numbers of the leaves of `n` rows that lie `stride` apart. Several walk together: each
    // waits for memory while the others compute. `singles`: the same rows, rounded, or none.
    template <bool Categorical, typename T>
    void leaves(const PackedTree &tree, const T *rows, Index stride, Index n,
                const SingleRows &singles, std::int32_t *out) const {
        constexpr Index lanes = 8;
        const PackedNode *start = nodes.data() + tree.first;
        Index r = 0;
        if constexpr (!Categorical)
            if (wide_walk_runs()) r = walk_wide(tree, rows, stride, n, singles, out);
        for (; r + lanes <= n; r += lanes) {
            const T *row[lanes];
            std::int32_t at[lanes];
            for (Index k = 0; k < lanes; ++k) {
                row[k] = rows + (r + k) * stride;
                at[k] = 0;
            }
            for (Index d = 0; d < tree.depth; ++d) {
                std::int32_t moved = 0;
                for (Index k = 0; k < lanes; ++k) {
                    const std::int32_t next = step<Categorical>(start, at[k], row[k]);
                    moved |= next ^ at[k];
                    at[k] = next;
                }
                if (moved == 0) break;
            }
            for (Index k = 0; k < lanes; ++k) out[r + k] = at[k];
        }
        for (; r < n; ++r) out[r] = leaf<Categorical>(tree, rows + r * stride);
    }

    // Asks for the nodes and values of a tree that is walked next, while another one is: jumps from
    // node to node are nothing that a processor could foresee.
    void fetch(const PackedTree &tree) const {
        const auto ask = [](const auto *from, Index n) {
            constexpr Index line = 64 / static_cast<Index>(sizeof *from);
            for (Index i = 0; i < n; i += line) __builtin_prefetch(from + i, 0, 2);
        };
        if (slim.empty())
            ask(nodes.data() + tree.first, tree.size);
        else
            ask(slim.from(tree.first), tree.size);
        ask(value.data() + tree.first * width, tree.size * width);
    }

    // Whether walks read rows of these columns in single precision: rounding pays off where each is
    // asked by many trees.
    template <typename T>
    bool rounds(Index n_trees) const {
        return sizeof(T) > sizeof(float) && !slim.empty() && n_features <= 16 * n_trees;
    }

  private:
    template <typename T>
    Index walk_wide(const PackedTree &tree, const T *rows, Index stride, Index n,
                    const SingleRows &singles, std::int32_t *out) const {
        const PackedNode *start = nodes.data() + tree.first;
        const std::uint64_t *slim_start = slim.empty() ? nullptr : slim.from(tree.first);
        if constexpr (sizeof(T) == sizeof(float)) {
            if (slim_start != nullptr && stride <= most_stride)
                return slim_walk<true>(slim_start, slim.feature_bits(), tree.depth, rows, stride, n,
                                       {}, out);
        } else if (!singles.empty()) {
            const Rounded rounded = singles.rounded(start);
            const auto walk = rounded.rows == nullptr ? &slim_walk<true> : &slim_walk<false>;
            return walk(slim_start, slim.feature_bits(), tree.depth, singles.data(),
                        singles.stride(), n, rounded, out);
        }
        return wide_walk(start, tree.depth, rows, stride, n, out);
    }

    static constexpr Index most_stride = Index{1} << 26;  // sixteen rows are counted in 31 bits
};

}  // namespace margin::trees
