// Trees as they are grown: questions are about bins.
#pragma once

#include <array>
#include <cstdint>
#include <vector>

#include "common/index.hpp"
#include "trees/binned/binned_table.hpp"
#include "trees/binned/splits.hpp"

namespace margin::trees {

struct GrownNode {
    std::int32_t feature = -1, bin = -1, left = -1, right = -1;
    std::int32_t set = -1;  // in `sets`, of a split by categories
    bool missing_left = false;
    double value = 0.0, cover = 0.0, gain = 0.0;
    std::int64_t n_rows = 0;
};

class GrownForest {
  public:
    std::vector<std::int64_t> offsets{0};
    std::vector<std::int32_t> output;
    std::vector<GrownNode> nodes;
    std::vector<BinSet> sets;

    Index n_trees() const { return static_cast<Index>(offsets.size()) - 1; }

    bool goes_left(const GrownNode &node, std::uint8_t code, std::int32_t missing) const {
        if (node.set >= 0) return (sets[node.set][code >> 5] >> (code & 31)) & 1U;
        if (code == missing) return node.missing_left;
        return code <= node.bin;
    }

    // Leaf of a row of a table, counted from the root of the tree.
    Index leaf(Index tree, const BinnedTable &table, Index row) const {
        const GrownNode *start = nodes.data() + offsets[tree];
        Index at = 0;
        while (start[at].left >= 0) {
            const Index j = start[at].feature;
            const std::uint8_t code = table.column(j)[row];
            at = goes_left(start[at], code, table.n_bins[j]) ? start[at].left : start[at].right;
        }
        return at;
    }
};

}  // namespace margin::trees
