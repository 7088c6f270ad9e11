// The growth of trees as Python sees it.
#include <algorithm>
#include <cstdint>
#include <memory>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

#include <nanobind/stl/string.h>
#include <nanobind/stl/vector.h>

#include "common/bind.hpp"
#include "common/native.hpp"
#include "common/team.hpp"
#include "trees/bindings.hpp"
#include "trees/binned/growth.hpp"

namespace margin {

namespace {

using trees::BinnedTable;
using trees::Grower;
using trees::GrownForest;
using trees::GrownNode;
using trees::Rules;

// A grower and the trees it has grown.
class TreeGrower {
  public:
    TreeGrower(const BinnedTable &table, Rules rules) : grower_(table, std::move(rules)) {
        const auto p = static_cast<std::size_t>(table.n_features);
        if (!rules_of(grower_).monotone.empty() && rules_of(grower_).monotone.size() != p)
            throw std::invalid_argument("TreeGrower: one monotone direction per column");
        for (const auto &set : rules_of(grower_).interaction)
            for (const std::int32_t j : set)
                if (j < 0 || j >= table.n_features)
                    throw std::invalid_argument("TreeGrower: no such column to interact");
    }

    TreeGrower(const TreeGrower &) = delete;
    TreeGrower &operator=(const TreeGrower &) = delete;

    // One more tree; slopes and curvatures for all rows of the table.
    void grow(Vector<const float> g, std::optional<Vector<const float>> h,
              std::optional<Vector<const std::uint32_t>> rows,
              std::optional<Vector<const double>> weight, std::optional<Vector<const bool>> columns,
              std::uint64_t seed, std::int32_t output, int n_threads) {
        const auto n = static_cast<std::size_t>(grower_.table().n_rows);
        const auto p = static_cast<std::size_t>(grower_.table().n_features);
        if (g.size() != n || (h && h->size() != n) || (weight && weight->size() != n) ||
            (columns && columns->size() != p))
            throw std::invalid_argument("grow: one slope per row, one flag per column");
        if (rows)
            for (std::size_t i = 0; i < rows->size(); ++i)
                if (rows->data()[i] >= n) throw std::invalid_argument("grow: no such row");
        nb::gil_scoped_release release;
        std::vector<std::uint8_t> usable(p, 1);
        if (columns) std::copy(columns->data(), columns->data() + p, usable.begin());
        grower_.grow({g.data(), h ? h->data() : nullptr}, rows ? rows->data() : nullptr,
                     static_cast<Index>(rows ? rows->size() : n), weight ? weight->data() : nullptr,
                     usable, seed, output, n_threads, forest_);
    }

    // Multiplies the values of the last tree by `rate` and adds them to the rows it was grown on.
    void shrink_and_add(double rate, Vector<double> raw, int n_threads) {
        check_raw(raw);
        nb::gil_scoped_release release;
        for (GrownNode *node = last_tree(); node != end(); ++node) node->value *= rate;
        const auto &pieces = grower_.pieces();
        const std::uint32_t *order = grower_.order().data();
        const double work = 3.0 * static_cast<double>(grower_.order().size());
        team::each(n_threads, work, static_cast<Index>(pieces.size()), [&](Index k) {
            const double value = last_tree()[pieces[k].node].value;
            for (Index i = pieces[k].first; i < pieces[k].last; ++i) raw.data()[order[i]] += value;
        });
    }

    // Adds the values of the last tree to rows of a table, found by their codes.
    void add_to_rows(const BinnedTable &table, Vector<const std::uint32_t> rows, Vector<double> raw,
                     int n_threads) const {
        if (static_cast<Index>(raw.size()) != table.n_rows || forest_.n_trees() == 0 ||
            table.n_features != grower_.table().n_features)
            throw std::invalid_argument("add_to_rows: one value per row, after a tree");
        for (std::size_t i = 0; i < rows.size(); ++i)
            if (rows.data()[i] >= raw.size())
                throw std::invalid_argument("add_to_rows: no such row");
        nb::gil_scoped_release release;
        const Index tree = forest_.n_trees() - 1;
        const GrownNode *start = forest_.nodes.data() + forest_.offsets[tree];
        team::each_block(n_threads, 30.0 * static_cast<double>(rows.size()), rows.size(), 1024,
                         [&](std::size_t first, std::size_t last) {
                             for (std::size_t i = first; i < last; ++i) {
                                 const std::uint32_t row = rows.data()[i];
                                 raw.data()[row] += start[forest_.leaf(tree, table, row)].value;
                             }
                         });
    }

    Index n_leaves() const { return static_cast<Index>(grower_.leaves().size()); }
    Index n_order() const { return static_cast<Index>(grower_.order().size()); }

    // Rows of the last tree, leaf after leaf, and where each leaf starts.
    void copy_leaves(Vector<std::uint32_t> order, Vector<std::int64_t> starts) const {
        if (static_cast<Index>(order.size()) != n_order() ||
            static_cast<Index>(starts.size()) != n_leaves() + 1)
            throw std::invalid_argument("copy_leaves: arrays of other lengths");
        Index at = 0;
        for (std::size_t k = 0; k < grower_.leaves().size(); ++k) {
            const auto &leaf = grower_.leaves()[k];
            starts.data()[k] = at;
            std::copy(grower_.order().begin() + leaf.first, grower_.order().begin() + leaf.last,
                      order.data() + at);
            at += leaf.last - leaf.first;
        }
        starts.data()[grower_.leaves().size()] = at;
    }

    // Values of the leaves of the last tree, in the order of `copy_leaves`.
    void set_leaf_values(Vector<const double> values) {
        if (static_cast<Index>(values.size()) != n_leaves())
            throw std::invalid_argument("set_leaf_values: one value per leaf");
        for (Index k = 0; k < n_leaves(); ++k)
            last_tree()[grower_.leaves()[k].node].value = values.data()[k];
    }

    void copy_leaf_values(Vector<double> values) const {
        if (static_cast<Index>(values.size()) != n_leaves() || forest_.n_trees() == 0)
            throw std::invalid_argument("copy_leaf_values: one value per leaf");
        const GrownNode *nodes = forest_.nodes.data() + forest_.offsets[forest_.n_trees() - 1];
        for (Index k = 0; k < n_leaves(); ++k)
            values.data()[k] = nodes[grower_.leaves()[k].node].value;
    }

    Index n_trees() const { return forest_.n_trees(); }
    Index n_nodes() const { return static_cast<Index>(forest_.nodes.size()); }
    Index n_sets() const { return static_cast<Index>(forest_.sets.size()); }

    void copy_trees(Vector<std::int64_t> offsets, Vector<std::int32_t> output,
                    Matrix<std::int32_t> questions, Matrix<double> numbers,
                    Matrix<std::uint32_t> sets) const {
        const auto nodes = static_cast<std::size_t>(n_nodes());
        if (offsets.size() != forest_.offsets.size() || output.size() != forest_.output.size() ||
            questions.shape(0) != nodes || questions.shape(1) != 7 || numbers.shape(0) != nodes ||
            numbers.shape(1) != 3 || sets.shape(0) != forest_.sets.size() || sets.shape(1) != 8)
            throw std::invalid_argument("copy_trees: arrays of other shapes");
        std::copy(forest_.offsets.begin(), forest_.offsets.end(), offsets.data());
        std::copy(forest_.output.begin(), forest_.output.end(), output.data());
        for (std::size_t i = 0; i < nodes; ++i) {
            const GrownNode &node = forest_.nodes[i];
            const std::int32_t own[7] = {node.feature,
                                         node.bin,
                                         node.left,
                                         node.right,
                                         node.missing_left,
                                         node.set,
                                         static_cast<std::int32_t>(node.n_rows)};
            std::copy(own, own + 7, questions.data() + 7 * i);
            const double real[3] = {node.value, node.cover, node.gain};
            std::copy(real, real + 3, numbers.data() + 3 * i);
        }
        for (std::size_t k = 0; k < forest_.sets.size(); ++k)
            std::copy(forest_.sets[k].begin(), forest_.sets[k].end(), sets.data() + 8 * k);
    }

  private:
    static const Rules &rules_of(const Grower &grower) { return grower.rules(); }
    GrownNode *last_tree() {
        if (forest_.n_trees() == 0) throw std::invalid_argument("TreeGrower: no tree yet");
        return forest_.nodes.data() + forest_.offsets[forest_.n_trees() - 1];
    }
    GrownNode *end() { return forest_.nodes.data() + forest_.nodes.size(); }
    void check_raw(const Vector<double> &raw) const {
        if (static_cast<Index>(raw.size()) != grower_.table().n_rows)
            throw std::invalid_argument("TreeGrower: one value per row");
    }

    Grower grower_;
    GrownForest forest_;
};

Rules make_rules(Index max_leaves, Index max_depth, Index min_rows, Index min_split,
                 double min_curvature, double min_gain, double l2, double cat_smooth, double cat_l2,
                 bool level_by_level, Index split_features, std::vector<int> monotone,
                 std::vector<std::vector<std::int32_t>> interaction) {
    Rules rules;
    rules.max_leaves = max_leaves;
    rules.max_depth = max_depth;
    rules.min_rows = std::max<Index>(1, min_rows);
    rules.min_split = std::max<Index>(2, min_split);
    rules.min_curvature = min_curvature;
    rules.min_gain = min_gain;
    rules.l2 = l2;
    rules.cat_smooth = cat_smooth;
    rules.cat_l2 = cat_l2;
    rules.level_by_level = level_by_level;
    rules.split_features = split_features;
    rules.monotone.assign(monotone.begin(), monotone.end());
    rules.interaction = std::move(interaction);
    return rules;
}

}  // namespace

void bind_tree_growth(nb::module_ &m) {
    nb::class_<Rules>(m, "TreeRules")
        .def(nb::new_(&make_rules), nb::arg("max_leaves"), nb::arg("max_depth"),
             nb::arg("min_rows"), nb::arg("min_split"), nb::arg("min_curvature"),
             nb::arg("min_gain"), nb::arg("l2"), nb::arg("cat_smooth"), nb::arg("cat_l2"),
             nb::arg("level_by_level"), nb::arg("split_features"), nb::arg("monotone"),
             nb::arg("interaction"));
    nb::class_<TreeGrower>(m, "TreeGrower")
        .def(nb::init<const BinnedTable &, Rules>(), nb::arg("table"), nb::arg("rules"),
             nb::keep_alive<1, 2>())
        .def("grow", &TreeGrower::grow, fixed("g"), maybe("h"), maybe("rows"), maybe("weight"),
             maybe("columns"), nb::arg("seed"), nb::arg("output"), nb::arg("n_threads"))
        .def("shrink_and_add", &TreeGrower::shrink_and_add, nb::arg("rate"), fixed("raw"),
             nb::arg("n_threads"))
        .def("add_to_rows", &TreeGrower::add_to_rows, nb::arg("table"), fixed("rows"), fixed("raw"),
             nb::arg("n_threads"))
        .def("copy_leaves", &TreeGrower::copy_leaves, fixed("order"), fixed("starts"))
        .def("set_leaf_values", &TreeGrower::set_leaf_values, fixed("values"))
        .def("copy_leaf_values", &TreeGrower::copy_leaf_values, fixed("values"))
        .def("copy_trees", &TreeGrower::copy_trees, fixed("offsets"), fixed("output"),
             fixed("questions"), fixed("numbers"), fixed("sets"))
        .def_prop_ro("n_leaves", &TreeGrower::n_leaves)
        .def_prop_ro("n_order", &TreeGrower::n_order)
        .def_prop_ro("n_trees", &TreeGrower::n_trees)
        .def_prop_ro("n_nodes", &TreeGrower::n_nodes)
        .def_prop_ro("n_sets", &TreeGrower::n_sets);
}

}  // namespace margin
