// When exact growth stops, what it may use, and the tree that it leaves.
#pragma once

#include <cstdint>
#include <limits>
#include <vector>

#include "trees/exact/scan.hpp"

namespace margin::trees::exact {

struct GrowthSettings {
    Index max_depth = std::numeric_limits<Index>::max();
    Index min_samples_split = 2, min_samples_leaf = 1;
    double min_weight_leaf = 0.0;  // in units of the weights
    double min_impurity_decrease = 0.0;
    Index max_features = 0;      // columns looked at per split
    Index max_leaf_nodes = 0;    // 0: no limit, level by level
    bool random_splits = false;  // one threshold per column, drawn
    bool binned = false;         // best splits between bins

    // Whether one list of rows is enough, no column is kept in order.
    bool one_list() const { return random_splits || binned; }
    std::vector<int> directions;                    // per column, empty: none
    std::vector<std::uint8_t> usable;               // per column, empty: all
    std::vector<std::vector<std::uint8_t>> groups;  // columns that may meet on a path
};

struct GrownTree {
    std::vector<std::int32_t> feature, left, right;
    std::vector<double> threshold, value, cover, impurity, gain;
    std::vector<std::uint8_t> missing_left;
    std::vector<std::int64_t> n_rows;
    std::vector<std::int32_t> categories;  // start of the bits, -1: a number
    std::vector<std::int32_t> words;
    std::vector<std::uint32_t> bits;
};

// Numbers that depend on the place in the tree alone: splitmix64 from a key of the path.
struct PathDraws {
    std::uint64_t state;

    static std::uint64_t mixed(std::uint64_t h) {
        h = (h ^ (h >> 30)) * 0xbf58476d1ce4e5b9ULL;
        h = (h ^ (h >> 27)) * 0x94d049bb133111ebULL;
        return h ^ (h >> 31);
    }
    std::uint64_t next() { return mixed(state += 0x9e3779b97f4a7c15ULL); }
    Index below(Index n) {
        return static_cast<Index>(((next() >> 32) * static_cast<std::uint64_t>(n)) >> 32);
    }
    double unit() { return static_cast<double>(next() >> 11) * 0x1.0p-53; }
};

// A node while its tree grows. Its rows are the entries [start, end) of every list.
struct GrowingNode {
    Index start = 0, end = 0, depth = 0, parent = -1, left = -1, right = -1;
    std::uint64_t key = 0;
    double lower = nothing, upper = -nothing;
    Summary summary;
    bool terminal = false, is_split = false;
    double gain = 0.0;
    Index n_left = 0;
    Candidate split;
    std::vector<std::uint8_t> groups;  // that its path allows

    Index size() const { return end - start; }
};

}  // namespace margin::trees::exact
