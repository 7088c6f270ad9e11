// Exact growth of one tree: frontier, rules of stopping, lists of rows that follow the splits.
//
// With the best splits every column keeps its rows in order: a node is the same range of every
// list, and a split parts each range without changing the order within. All nodes of a level are
// searched together, column by column, so that threads share the columns. With random splits one
// list of rows is enough.
#pragma once

#include <algorithm>
#include <memory>
#include <mutex>
#include <queue>
#include <utility>
#include <vector>

#include "common/interrupt.hpp"
#include "common/team.hpp"
#include "trees/exact/categories.hpp"
#include "trees/exact/settings.hpp"

namespace margin::trees::exact {

struct RandomSpace;
struct BinnedSpace;
struct PackedSpace;
struct PackedTable;

template <typename C>
class Grower {
  public:
    // `lists`: the columns in order, then the targets in order if the criterion asks for them; or
    // one list of rows. They are changed.
    Grower(const Columns &columns, const Targets &targets, const GrowthSettings &settings,
           std::vector<Entry *> lists, Index n, int n_threads, Interrupt &interrupt,
           const PackedTable &table, PackedSpace &packed)
        : columns_(columns), targets_(targets), settings_(settings), lists_(std::move(lists)),
          n_(n), n_threads_(n_threads), interrupt_(interrupt), table_(table), packed_(packed),
          side_(static_cast<std::size_t>(targets.n_rows)) {
        if constexpr (C::ordered_targets) target_lists_ = targets.n_outputs;
    }

    void grow(std::uint64_t seed) {
        GrowingNode root;
        root.end = n_;
        root.key = PathDraws::mixed(seed + 0x9e3779b97f4a7c15ULL);
        root.groups.assign(settings_.groups.size(), 1);
        nodes_.push_back(std::move(root));
        totals_.resize(targets_.width());
        values_.resize(targets_.width());
        summarise(0, lists_[0]);
        if constexpr (C::additive)
            if (settings_.one_list() && targets_.n_outputs == 1) {
                light_.resize(n_);
                for (Index i = 0; i < n_; ++i) light_[i] = C::light(targets_, row_of(lists_[0][i]));
            }
        root_weight_ = nodes_[0].summary.weight;
        stop_or_go(nodes_[0]);
        if (settings_.max_leaf_nodes > 0)
            grow_best_first();
        else
            grow_by_level();
    }

    GrownTree finish();  // output.hpp

  private:
    using Places = std::vector<Index>;

    void grow_by_level() {
        Places frontier = without_parts(live({0}));
        while (!frontier.empty() && !interrupt_.poll()) {
            search(frontier);
            std::erase_if(frontier, [&](Index i) { return !nodes_[i].split.valid(); });
            const Index before = static_cast<Index>(nodes_.size());
            Places divided;
            for (const Index i : frontier)
                if (split(i)) divided.push_back(i);
            divide(divided);
            Places next;
            for (Index i = before; i < static_cast<Index>(nodes_.size()); ++i) next.push_back(i);
            frontier = without_parts(live(next));
        }
    }

    // The node that gains most is split first; of equal ones the older.
    void grow_best_first() {
        std::priority_queue<std::pair<double, Index>> queue;
        const auto push = [&](Places places) {
            places = live(places);
            search(places);
            for (const Index i : places)
                if (nodes_[i].split.valid()) queue.emplace(nodes_[i].gain, -i);
        };
        push({0});
        for (Index leaves = 1; leaves < settings_.max_leaf_nodes && !queue.empty(); ++leaves) {
            if (interrupt_.poll()) return;
            const Index i = -queue.top().second;
            queue.pop();
            if (split(i)) divide({i});
            push({nodes_[i].left, nodes_[i].right});
        }
    }

    Places live(Places places) const {
        std::erase_if(places, [&](Index i) { return nodes_[i].terminal; });
        return places;
    }

    double *total(Index i) { return totals_.data() + i * targets_.width(); }
    double *value(Index i) { return values_.data() + i * targets_.width(); }

    void summarise(Index i, const Entry *list) {
        GrowingNode &node = nodes_[i];
        node.summary = C::summarise(targets_, list + node.start, node.size(), total(i), value(i));
        if (!settings_.directions.empty()) C::bound(node.lower, node.upper, targets_, value(i));
    }

    void stop_or_go(GrowingNode &node) const {
        node.terminal = is_terminal(settings_, node.depth, node.size(), node.summary);
    }

    NodeRows rows_of(Index i, std::vector<const Entry *> &by_target) const {
        const GrowingNode &node = nodes_[i];
        by_target.clear();
        for (Index o = 0; o < target_lists_; ++o)
            by_target.push_back(lists_[lists_.size() - target_lists_ + o] + node.start);
        return {lists_[0] + node.start, node.size(), totals_.data() + i * targets_.width(),
                node.summary.weight, by_target.data()};
    }

    Rules rules_of(const GrowingNode &node, Index feature) const {
        Rules rules{settings_.min_samples_leaf,
                    settings_.min_weight_leaf,
                    false,
                    0,
                    node.lower,
                    node.upper};
        if (settings_.directions.empty()) return rules;
        rules.bounded = true;
        rules.direction = settings_.directions[feature];
        return rules;
    }

    bool may_use(const GrowingNode &node, Index feature) const {
        if (!settings_.usable.empty() && !settings_.usable[feature]) return false;
        if (settings_.groups.empty()) return true;
        for (std::size_t g = 0; g < node.groups.size(); ++g)
            if (node.groups[g] && settings_.groups[g][feature]) return true;
        return false;
    }

    // Columns in a random order that the path decides.
    void shuffled(const GrowingNode &node, Places &order) const {
        PathDraws draws = start_draws(node, order);
        for (Index k = 0; k < columns_.n_columns; ++k) draw_column(draws, order, k);
    }

    PathDraws start_draws(const GrowingNode &node, Places &order) const {
        order.resize(columns_.n_columns);
        for (Index j = 0; j < columns_.n_columns; ++j) order[j] = j;
        return {node.key};
    }

    // Number k of the same order, after those before it.
    Index draw_column(PathDraws &draws, Places &order, Index k) const {
        std::swap(order[k], order[k + draws.below(columns_.n_columns - k)]);
        return order[k];
    }

    void search(const Places &places) {
        if (settings_.random_splits)
            search_random(places);
        else if (settings_.binned)
            search_binned(places);
        else
            search_sorted(places);
        prepare(places);
    }

    void search_sorted(const Places &places);  // search.hpp
    void search_columns(const Places &places, const std::vector<std::uint8_t> &asked);
    void search_random(const Places &places);  // random.hpp
    void random_split(Index i, C &c, RandomSpace &space);

    Places without_parts(Places places);  // packed/parts.hpp
    void grow_coded(const Places &places);
    template <typename T>
    void grow_parts(const Places &places);

    void search_binned(const Places &places);  // binned.hpp
    void binned_split(Index i, C &c, BinnedSpace &space);

    void prepare(const Places &places);  // division.hpp
    Index mark(const GrowingNode &node, const Entry *list);
    void prepare_one(Index i, std::vector<Entry> &spare);
    void part(const GrowingNode &node, Entry *list, std::vector<Entry> &spare) const;
    void part_light(const GrowingNode &node, const Entry *list);
    Summary summarise_part(const Entry *list, Index start, Index n, double *total, double *value);
    void send_absent(GrowingNode &node, const Entry *rows) const;
    bool split(Index i);
    void divide(const Places &places);

    Index winner(const GrowingNode &node) const {
        return settings_.one_list() ? 0 : node.split.feature;
    }

    const Columns &columns_;
    const Targets &targets_;
    const GrowthSettings &settings_;
    std::vector<Entry *> lists_;
    Index n_;
    int n_threads_;
    Interrupt &interrupt_;
    const PackedTable &table_;
    PackedSpace &packed_;
    Index target_lists_ = 0;
    std::vector<std::uint8_t> side_;  // 1: the row goes left
    std::vector<GrowingNode> nodes_;
    // Targets and weights in the order of the only list, where one output allows it: read in order
    // where the rows themselves would be looked up all over the table.
    std::vector<typename C::Light> light_;
    std::vector<double> totals_, values_;
    double root_weight_ = 1.0;
    std::vector<GrownTree> parts_;  // branches that were grown by themselves
    // Children of prepared nodes, kept until the node is split: two of everything per node.
    std::vector<Summary> half_summaries_;
    std::vector<double> half_totals_, half_values_;
};

}  // namespace margin::trees::exact
