// Growing one tree on the slopes and curvatures of a loss.
//
// A node is searched by groups of columns: a thread makes the histograms of a group for the smaller
// of two siblings, takes them from those of the parent, and searches both, while all of it is in
// its cache.
#pragma once

#include <cstdint>
#include <limits>
#include <memory>
#include <vector>

#include "common/index.hpp"
#include "trees/binned/binned_table.hpp"
#include "trees/binned/grown_forest.hpp"
#include "trees/binned/partition.hpp"
#include "trees/binned/rules.hpp"
#include "trees/binned/splits.hpp"

namespace margin::trees {

// Histograms of nodes that wait to be split. When there are too many, nodes give theirs back, and
// those of their children are made from rows.
class HistogramPool {
  public:
    HistogramPool(Index size, Index most) : size_(size), most_(most) {}

    std::int32_t take() {
        if (free_.empty()) {
            all_.emplace_back(new Packed[size_]);
            return static_cast<std::int32_t>(all_.size() - 1);
        }
        const std::int32_t slot = free_.back();
        free_.pop_back();
        return slot;
    }
    void give(std::int32_t slot) {
        if (slot >= 0) free_.push_back(slot);
    }
    Packed *at(std::int32_t slot) { return all_[slot].get(); }
    bool crowded() const { return static_cast<Index>(all_.size() - free_.size()) > most_; }

  private:
    Index size_, most_;
    std::vector<std::unique_ptr<Packed[]>> all_;
    std::vector<std::int32_t> free_;
};

// Slopes and curvatures of all rows of the table; no curvatures: 1 for each.
struct Slopes {
    const float *g, *h;
};

class Grower {
  public:
    Grower(const BinnedTable &table, Rules rules);

    // Grows one tree on `n` rows (all, where `rows` is null) and appends it. `columns`: which ones
    // the tree may use. `weight`: of the rows, for covers; may be null.
    void grow(const Slopes &slopes, const std::uint32_t *rows, Index n, const double *weight,
              const std::vector<std::uint8_t> &columns, std::uint64_t seed, std::int32_t output,
              int n_threads, GrownForest &forest);

    const BinnedTable &table() const { return table_; }
    const Rules &rules() const { return rules_; }

    struct Leaf {
        Index node, first, last;
    };
    // Leaves of the last tree and the rows of each, which `order` holds one after another.
    const std::vector<Leaf> &leaves() const { return leaves_; }
    // The same cut into parts of a size that threads share well.
    const std::vector<Leaf> &pieces() const { return pieces_; }
    const std::vector<std::uint32_t> &order() const { return order_.rows; }

  private:
    struct Node {
        Index first, last, depth;
        Packed total;
        double lower, upper;
        std::int32_t slot = -1, left = -1, right = -1;
        bool exact_rows = false;  // whether the search has to count rows
        std::vector<std::int32_t> sets;
        Candidate split;
        Index size() const { return last - first; }
    };

    void start(const Slopes &slopes, const std::uint32_t *rows, Index n, int n_threads);
    void count_rows(bool counted);
    bool may_split(const Node &node) const;
    void search(Index node, Index sibling, std::int32_t parent_slot, int n_threads);
    void build(Index g, Index first, Index last, Packed *histograms) const;
    void combine(Index g, const Packed *more, Packed *histograms, bool add) const;
    Index build_parts(const std::vector<Index> &nodes, int n_threads);
    void search_group(Index g, Index small, Index large, bool subtract, Index parts);
    void search_column(Node &node, Index j, const Packed *histogram, const Packed *counts,
                       Candidate &best) const;
    void count_again(Index node, int n_threads);
    bool divide(Index node, int n_threads);
    void add_children(Index node, Index middle, Packed left_sum);
    void finish(const Slopes &slopes, const double *weight, std::int32_t output, int n_threads,
                GrownForest &forest);

    const BinnedTable &table_;
    Rules rules_;
    HistogramPool pool_;
    RowOrder order_;
    Units units_;
    bool constant_ = false;
    bool counted_ = false;      // whether histograms of rows follow those of the slopes
    std::vector<Packed> ones_;  // what a row adds to the former
    std::uint64_t seed_ = 0;
    std::vector<std::uint8_t> columns_;
    std::vector<Node> nodes_;
    std::vector<Leaf> leaves_, pieces_;
    std::vector<std::int32_t> spare_;  // places for histograms of parts of the rows
    std::vector<std::uint8_t> allowed_[2];
    std::vector<Candidate> found_;  // per group and sibling
};

}  // namespace margin::trees
