// The leaves of one tree, each as the features that its path asks for.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "common/index.hpp"
#include "trees/prediction/packed_forest.hpp"

namespace margin::trees {

// A node on the path to a leaf, and whether the path goes left there.
struct Turn {
    std::int32_t node;
    bool left;
};

// All turns of a path that ask for one feature; `share` is what part of the training weight takes
// them all, of that which arrives at them.
struct Factor {
    Index feature;
    double share;
    Index first_turn, last_turn;
    std::uint64_t asked = 0, wanted = 0;  // the same turns as bits, in trees of few nodes
};

struct Leaf {
    std::int32_t node;
    Index first_factor, last_factor;
};

class TreePaths {
  public:
    std::vector<Turn> turns;
    std::vector<Factor> factors;
    std::vector<Leaf> leaves;

    // `cover` is the training weight of the packed nodes of the tree.
    TreePaths(const PackedForest &forest, const PackedTree &tree, const double *cover) {
        const PackedNode *nodes = forest.nodes.data() + tree.first;
        std::vector<Turn> path;
        std::vector<Arrival> pending{{0, 0, {-1, false}}};
        while (!pending.empty()) {
            const Arrival at = pending.back();
            pending.pop_back();
            path.resize(at.turns_before);
            if (at.by.node >= 0) path.push_back(at.by);
            const std::int32_t left = nodes[at.node].left;
            if (left == at.node) {
                close(nodes, cover, at.node, path);
                continue;
            }
            pending.push_back({left + 1, path.size(), {at.node, false}});
            pending.push_back({left, path.size(), {at.node, true}});
        }
    }

    std::span<const Factor> of(const Leaf &leaf) const {
        return {factors.data() + leaf.first_factor, factors.data() + leaf.last_factor};
    }

    // The turns of a row as bits; only for trees of at most 64 nodes.
    static std::uint64_t as_bits(const std::uint8_t *goes_left, Index n_nodes) {
        std::uint64_t bits = 0;
        for (Index i = 0; i < n_nodes; ++i) bits |= static_cast<std::uint64_t>(goes_left[i]) << i;
        return bits;
    }

    // Whether a row, of which `goes_left` tells every turn, satisfies a factor.
    bool holds(const Factor &factor, const std::uint8_t *goes_left) const {
        for (Index t = factor.first_turn; t < factor.last_turn; ++t)
            if ((goes_left[turns[t].node] != 0) != turns[t].left) return false;
        return true;
    }

  private:
    struct Arrival {
        std::int32_t node;
        std::size_t turns_before;
        Turn by;
    };

    // The turns of a path, sorted by feature in the order of first use.
    void close(const PackedNode *tree, const double *cover, std::int32_t leaf,
               const std::vector<Turn> &path) {
        const Index first = factors.size();
        std::vector<bool> used(path.size());
        for (std::size_t a = 0; a < path.size(); ++a) {
            if (used[a]) continue;
            Factor factor{tree[path[a].node].feature(), 1.0, static_cast<Index>(turns.size()), 0};
            for (std::size_t b = a; b < path.size(); ++b) {
                const std::int32_t node = path[b].node;
                if (used[b] || tree[node].feature() != static_cast<std::uint32_t>(factor.feature))
                    continue;
                used[b] = true;
                turns.push_back(path[b]);
                if (node < 64) {
                    factor.asked |= std::uint64_t{1} << node;
                    factor.wanted |= static_cast<std::uint64_t>(path[b].left) << node;
                }
                const std::int32_t child = tree[node].left + (path[b].left ? 0 : 1);
                factor.share *= cover[node] > 0.0 ? cover[child] / cover[node] : 0.5;
            }
            factor.last_turn = turns.size();
            factors.push_back(factor);
        }
        leaves.push_back({leaf, first, static_cast<Index>(factors.size())});
    }
};

// For every turn of a tree, whether a row goes left.
template <typename T>
void turn_row(const PackedForest &forest, const PackedTree &tree, const T *row,
              std::uint8_t *goes_left) {
    const PackedNode *start = forest.nodes.data() + tree.first;
    for (Index i = 0; i < tree.size; ++i) {
        const auto at = static_cast<std::int32_t>(i);
        goes_left[i] = forest.step<true>(start, at, row) == start[i].left;
    }
}

}  // namespace margin::trees
