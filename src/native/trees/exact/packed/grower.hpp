// Random splits of a part of a tree whose rows fit into the cache, grown to its end.
//
// The rows of the part are copied, one after another with all their columns, and follow the
// splits: those of a node are always one block of memory. Extremes and sums are then taken for
// sixteen columns at once, and a node of a few rows costs little more than its random numbers. As
// long as they do not fit into the cache, and most columns are not asked for, rows stay where they
// are, and nodes are lists of their numbers. Draws, order of the rows and sums are those of
// `Grower`, and so are the trees.
#pragma once

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>
#include <vector>

#include "common/interrupt.hpp"
#include "trees/exact/packed/rows.hpp"
#include "trees/exact/packed/targets.hpp"

namespace margin::trees::exact {

// The largest number of a type that is not above a threshold.
inline double floor_to(double threshold, double) { return threshold; }
inline float floor_to(double threshold, float) {
    const float f = static_cast<float>(threshold);
    return static_cast<double>(f) > threshold
               ? std::nextafter(f, -std::numeric_limits<float>::infinity())
               : f;
}

// Where a part starts.
struct PartRoot {
    std::uint64_t key;
    Index depth;
    Summary summary;
    const double *total, *value;
};

template <typename C, typename T>
class PackedGrower {
  public:
    using Light = typename C::Light;

    PackedGrower(const Columns &columns, const Targets &targets, const GrowthSettings &settings,
                 double root_weight, const PackedTable &table, PackedSpace &space,
                 Interrupt &interrupt)
        : columns_(columns), targets_(targets), settings_(settings), root_weight_(root_weight),
          table_(table), space_(space), interrupt_(interrupt),
          stride_(packed_stride<T>(columns.n_columns)), criterion_(targets), own_(targets, stride_),
          identity_(columns.n_columns), order_(columns.n_columns), seen_(stride_ / block_width<T>),
          asked_(stride_ / block_width<T>), least_(stride_), most_(stride_),
          limits_(stride_, -std::numeric_limits<T>::infinity()), cell_(C::cell_width(targets)),
          best_cell_(cell_.size()) {
        std::iota(identity_.begin(), identity_.end(), 0U);
    }

    // Copies the rows; false if one of them has a missing value.
    bool load(const Entry *rows, const Light *light, Index n);
    const GrownTree &grow(const PartRoot &root);

  private:
    // Targets and numbers of the rows of a node are [start, end) of their lists. Its rows lie from
    // `rows` on, and as many may be written from `scratch` on; null: they are not copied yet.
    struct Open {
        Index start, end, depth;
        std::int32_t parent;  // that it is the right child of, -1: a left child
        std::uint64_t key;
        Summary summary;
        T *rows, *scratch;

        Index size() const { return end - start; }
    };
    struct Choice {
        double proxy = nothing, threshold = 0.0;
        Index feature = -1;
    };

    // Whether a node has too many rows to be copied: beyond the cache a row is looked at where it
    // is, unless all of it is asked for.
    bool stay_scattered(Index n) const {
        const Index most = std::min<Index>(settings_.packed_bytes, cache_bytes);
        return table_.complete && columns_.n_columns >= 2 * settings_.max_features &&
               n > most / (stride_ * static_cast<Index>(sizeof(T)));
    }

    static constexpr Index cache_bytes = 1 << 19;
    static constexpr Index least_polled = 64;  // rows of a node that takes longer than a look

    const T *column(Index j) const {
        return static_cast<const T *>(columns_.data) + j * columns_.n_rows;
    }
    bool load_rows(Index first, Index n);
    void push(const Open &node, const double *total, const double *value);
    std::int32_t put(const Open &node, const double *value);
    void split(std::int32_t at, const Open &node, const double *total, const Choice &choice);
    void follow(const Open &node, Open &left, Open &right);
    Index mark(const Open &node, const Choice &choice);
    Choice search(const Open &node, const double *total);
    Choice search_scattered(const Open &node);
    void judge(RowBlock<T> rows, Choice &best);
    void weigh(const Choice &drawn, Index n, Index n_left, Choice &best);
    Index next_column(PathDraws &draws, Index k);

    const Columns &columns_;
    const Targets &targets_;
    const GrowthSettings &settings_;
    double root_weight_;
    const PackedTable &table_;
    PackedSpace &space_;
    Interrupt &interrupt_;
    Index stride_;
    C criterion_;
    PackedTargets<C> own_;
    Index n_ = 0;
    std::vector<std::uint32_t> rows_;  // their numbers
    std::vector<std::uint32_t> from_;  // which of the rows given comes where
    std::vector<T> values_;            // of one column
    std::vector<std::uint8_t> side_;
    std::vector<Open> open_;
    std::vector<double> figures_;  // total and value of every open node
    std::vector<std::uint32_t> identity_, order_;
    std::vector<std::uint8_t> seen_, asked_;  // by block: extremes known, a candidate within
    std::vector<T> least_, most_, limits_;
    std::vector<double> cell_, best_cell_, halves_;
    std::vector<Choice> candidates_;
    std::vector<Index> blocks_;
};

template <typename C, typename T>
bool PackedGrower<C, T>::load(const Entry *rows, const Light *light, Index n) {
    own_.load(light, n, from_);
    n_ = n;
    rows_.resize(n);
    for (Index i = 0; i < n; ++i) rows_[i] = row_of(rows[from_[i]]);
    if (static_cast<Index>(side_.size()) < n) side_.resize(n);
    return stay_scattered(n) || load_rows(0, n);
}

template <typename C, typename T>
bool PackedGrower<C, T>::load_rows(Index first, Index n) {
    const auto number = [&](Index i) { return static_cast<Index>(rows_[first + i]); };
    if (table_.row_lines > 0)
        table_.copy(n, number, space_.rows);
    else if (!pack_rows<T>(columns_, n, number, space_.rows))
        return false;
    if (space_.spare.size() < space_.rows.size()) space_.spare.resize(space_.rows.size());
    return true;
}

template <typename C, typename T>
const GrownTree &PackedGrower<C, T>::grow(const PartRoot &root) {
    const Index width = targets_.width();
    std::vector<double> own(2 * width);
    space_.branch.clear();
    push({0, n_, root.depth, -1, root.key, root.summary, nullptr, nullptr}, root.total, root.value);
    bool loaded = !stay_scattered(n_);
    while (!open_.empty()) {
        Open node = open_.back();
        open_.pop_back();
        std::copy(figures_.end() - 2 * width, figures_.end(), own.begin());
        figures_.resize(figures_.size() - 2 * width);
        const std::int32_t at = put(node, own.data() + width);
        if (is_terminal(settings_, node.depth, node.size(), node.summary)) continue;
        if (node.size() > least_polled && interrupt_.poll()) break;
        if (!node.rows && !stay_scattered(node.size())) {
            if (!loaded) load_rows(node.start, node.size());
            loaded = false;
            node.rows = reinterpret_cast<T *>(space_.rows.data());
            node.scratch = reinterpret_cast<T *>(space_.spare.data());
        }
        const Choice choice = search(node, own.data());
        if (choice.feature >= 0) split(at, node, own.data(), choice);
    }
    return space_.branch;
}

template <typename C, typename T>
void PackedGrower<C, T>::push(const Open &node, const double *total, const double *value) {
    open_.push_back(node);
    figures_.insert(figures_.end(), total, total + targets_.width());
    figures_.insert(figures_.end(), value, value + targets_.width());
}

// A leaf, for now.
template <typename C, typename T>
std::int32_t PackedGrower<C, T>::put(const Open &node, const double *value) {
    GrownTree &tree = space_.branch;
    const auto at = static_cast<std::int32_t>(tree.feature.size());
    if (node.parent >= 0) tree.right[node.parent] = at;
    tree.add_leaf(node.summary, node.size(), value, targets_.width());
    return at;
}

// Sums up both sides and makes children of them, unless they gain too little.
template <typename C, typename T>
void PackedGrower<C, T>::split(std::int32_t at, const Open &node, const double *total,
                               const Choice &choice) {
    const Index width = targets_.width(), n_left = mark(node, choice);
    const Index middle = node.start + n_left;
    own_.part(node.start, node.size(), side_.data());
    halves_.assign(4 * width, 0.0);
    double *totals = halves_.data(), *values = totals + 2 * width;
    Open left{node.start, middle, node.depth + 1, -1, child_key(node.key, 0), {}, {}, {}};
    Open right{middle, node.end, node.depth + 1, at, child_key(node.key, 1), {}, {}, {}};
    left.summary = own_.summarise(node.start, n_left, best_cell_.data(), totals, values);
    for (Index k = 0; k < width; ++k) best_cell_[k] = total[k] - best_cell_[k];
    right.summary = own_.summarise(middle, node.end - middle, best_cell_.data(), totals + width,
                                   values + width);
    const double gain = gain_of(node.summary, left.summary, right.summary, root_weight_);
    if (!gains_enough(gain, settings_)) return;
    GrownTree &tree = space_.branch;
    tree.feature[at] = static_cast<std::int32_t>(choice.feature);
    tree.threshold[at] = choice.threshold;
    tree.left[at] = at + 1;
    tree.missing_left[at] = 2 * n_left > node.size();
    tree.gain[at] = gain;
    follow(node, left, right);
    push(right, totals + width, values + width);
    push(left, totals, values);
}

// Rows follow their targets where they are needed again. The left ones go to the scratch, and find
// room for their own where they lay; the right ones have the scratch to themselves afterwards.
template <typename C, typename T>
void PackedGrower<C, T>::follow(const Open &node, Open &left, Open &right) {
    const auto lives = [&](const Open &child) {
        return !is_terminal(settings_, child.depth, child.size(), child.summary);
    };
    if (!node.rows) {
        part_stably(rows_.data() + node.start, node.size(), side_.data(), from_.data());
        return;
    }
    left.rows = right.rows = node.rows;
    left.scratch = right.scratch = node.scratch;
    if (lives(left) && lives(right)) {
        part_rows(node.rows, node.size(), stride_, side_.data(), left.size(), node.scratch);
        std::swap(left.rows, left.scratch);
        right.rows += left.size() * stride_;
    } else if (lives(left) || lives(right)) {
        keep_rows(node.rows, node.size(), stride_, side_.data(), lives(left));
    }
}

}  // namespace margin::trees::exact
