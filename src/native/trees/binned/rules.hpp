// What trees may look like, and the choice of columns that a node may ask.
#pragma once

#include <algorithm>
#include <cstdint>
#include <numeric>
#include <vector>

#include "common/index.hpp"

namespace margin::trees {

struct Rules {
    Index max_leaves = 0;  // 0: any number
    Index max_depth = 0;   // 0: any
    Index min_rows = 1;    // of a leaf
    Index min_split = 2;   // rows of a node that is split
    double min_curvature = 0.0, min_gain = 0.0, l2 = 0.0;
    double cat_smooth = 10.0, cat_l2 = 10.0;  // in rows
    bool level_by_level = false;
    Index split_features = 0;                            // columns drawn for every split, 0: all
    std::vector<std::int8_t> monotone;                   // per column, or empty
    std::vector<std::vector<std::int32_t>> interaction;  // sets of columns, or empty
};

// A number that looks random and depends on its arguments alone (splitmix64).
inline std::uint64_t scrambled(std::uint64_t a, std::uint64_t b) {
    std::uint64_t z = a + 0x9e3779b97f4a7c15ULL * (b + 1);
    z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9ULL;
    z = (z ^ (z >> 27)) * 0x94d049bb133111ebULL;
    return z ^ (z >> 31);
}

// The columns that a node may ask: those of the tree, those that may interact with the columns
// above it, and of these the ones drawn for it.
class AllowedColumns {
  public:
    AllowedColumns(const Rules &rules, Index n_features) : rules_(rules), n_(n_features) {}

    // `sets`: numbers of the interaction sets that hold every column above the node.
    void mark(const std::vector<std::uint8_t> &of_tree, const std::vector<std::int32_t> &sets,
              std::uint64_t seed, Index node, std::vector<std::uint8_t> &allowed) {
        allowed.assign(n_, 0);
        if (rules_.interaction.empty()) {
            std::copy(of_tree.begin(), of_tree.end(), allowed.begin());
        } else {
            for (const std::int32_t s : sets)
                for (const std::int32_t j : rules_.interaction[s]) allowed[j] = of_tree[j];
        }
        if (rules_.split_features == 0) return;
        drawn_.clear();
        for (Index j = 0; j < n_; ++j)
            if (allowed[j]) drawn_.push_back({scrambled(seed + node, j), j});
        if (static_cast<Index>(drawn_.size()) <= rules_.split_features) return;
        std::nth_element(drawn_.begin(), drawn_.begin() + rules_.split_features, drawn_.end());
        std::fill(allowed.begin(), allowed.end(), 0);
        for (Index k = 0; k < rules_.split_features; ++k) allowed[drawn_[k].second] = 1;
    }

  private:
    const Rules &rules_;
    Index n_;
    std::vector<std::pair<std::uint64_t, Index>> drawn_;
};

}  // namespace margin::trees
