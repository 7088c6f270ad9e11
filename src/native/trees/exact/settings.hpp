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
    Index packed_bytes = 0;      // largest part of random splits whose rows are copied

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

    void add_leaf(const Summary &summary, Index rows, const double *values, Index width) {
        feature.push_back(-1);
        left.push_back(-1);
        right.push_back(-1);
        threshold.push_back(std::numeric_limits<double>::quiet_NaN());
        missing_left.push_back(0);
        categories.push_back(-1);
        words.push_back(0);
        cover.push_back(summary.weight);
        n_rows.push_back(rows);
        impurity.push_back(summary.impurity);
        gain.push_back(0.0);
        value.insert(value.end(), values, values + width);
    }

    void clear() {
        for (auto *numbers : {&feature, &left, &right, &categories, &words}) numbers->clear();
        for (auto *numbers : {&threshold, &value, &cover, &impurity, &gain}) numbers->clear();
        missing_left.clear();
        n_rows.clear();
        bits.clear();
    }

    // A branch without categories, its root first.
    void append(const GrownTree &branch) {
        const auto at = static_cast<std::int32_t>(feature.size());
        const auto copy = [](auto &to, const auto &from) {
            to.insert(to.end(), from.begin(), from.end());
        };
        for (const std::int32_t child : branch.left) left.push_back(child < 0 ? -1 : at + child);
        for (const std::int32_t child : branch.right) right.push_back(child < 0 ? -1 : at + child);
        copy(feature, branch.feature);
        copy(threshold, branch.threshold);
        copy(value, branch.value);
        copy(cover, branch.cover);
        copy(impurity, branch.impurity);
        copy(gain, branch.gain);
        copy(missing_left, branch.missing_left);
        copy(n_rows, branch.n_rows);
        copy(categories, branch.categories);
        copy(words, branch.words);
    }
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

inline std::uint64_t child_key(std::uint64_t key, int child) {
    return PathDraws::mixed(key + 0x9e3779b97f4a7c15ULL * static_cast<std::uint64_t>(child + 1));
}

inline PathDraws threshold_draws(std::uint64_t key) {
    return {PathDraws::mixed(key ^ 0x94d049bb133111ebULL)};
}

// A threshold that leaves something on either side of different extremes.
inline double drawn_between(double least, double most, PathDraws &draws) {
    const double threshold = least + (most - least) * draws.unit();
    return threshold >= most ? least : threshold;
}

inline bool is_terminal(const GrowthSettings &settings, Index depth, Index rows,
                        const Summary &summary) {
    return depth >= settings.max_depth || rows < settings.min_samples_split ||
           rows < 2 * settings.min_samples_leaf ||
           summary.weight < 2.0 * settings.min_weight_leaf || summary.pure;
}

// Impurity that a split takes away, times the share of the weight that it concerns.
inline double gain_of(const Summary &node, const Summary &left, const Summary &right,
                      double root_weight) {
    return (node.weight * node.impurity - left.weight * left.impurity -
            right.weight * right.impurity) /
           root_weight;
}

inline bool gains_enough(double gain, const GrowthSettings &settings) {
    return gain + std::numeric_limits<double>::epsilon() >= settings.min_impurity_decrease;
}

// A node while its tree grows. Its rows are the entries [start, end) of every list.
struct GrowingNode {
    Index start = 0, end = 0, depth = 0, parent = -1, left = -1, right = -1;
    std::uint64_t key = 0;
    double lower = nothing, upper = -nothing;
    Summary summary;
    bool terminal = false, is_split = false;
    double gain = 0.0;
    Index n_left = 0;
    Index part = -1;  // the branch that was grown from here
    Candidate split;
    std::vector<std::uint8_t> groups;  // that its path allows

    Index size() const { return end - start; }
};

}  // namespace margin::trees::exact
