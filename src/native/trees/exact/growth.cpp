// Exact growth of trees on columns that were sorted once.
#include <cstdint>
#include <stdexcept>
#include <utility>
#include <vector>

#include "common/bind.hpp"
#include "common/interrupt.hpp"
#include "common/team.hpp"
#include "trees/bindings.hpp"
#include "trees/exact/binned.hpp"
#include "trees/exact/classes.hpp"
#include "trees/exact/division.hpp"
#include "trees/exact/medians.hpp"
#include "trees/exact/moments.hpp"
#include "trees/exact/output.hpp"
#include "trees/exact/packed/parts.hpp"
#include "trees/exact/random.hpp"
#include "trees/exact/search.hpp"

namespace margin {
namespace {

using namespace trees::exact;

enum class Criterion { gini, entropy, misclassification, squared, absolute, poisson };

// Columns sorted by value and, for medians, outputs sorted likewise; shared by all trees.
struct SortedLists {
    std::vector<const Entry *> lists;
    Index n_rows;
};

struct TreeTask {
    const Columns &columns;
    Targets targets;
    GrowthSettings settings;
    const SortedLists &sorted;
    std::uint64_t seed;
    int n_threads;
    const PackedTable &table;
    PackedSpace &space;
};

// Lists of the rows that have weight, in the order that they had.
template <typename C>
GrownTree grow_tree(TreeTask task, Interrupt &interrupt) {
    const Targets &targets = task.targets;
    const Index n = task.sorted.n_rows;
    double weight = double(n);
    Index kept = n;
    if (targets.weight) {
        weight = 0.0;
        kept = 0;
        for (Index i = 0; i < n; ++i) {
            weight += targets.weight[i];
            kept += targets.weight[i] > 0.0;
        }
    }
    if (kept == 0) throw std::invalid_argument("grow_exact: a tree without rows");
    task.settings.min_weight_leaf *= weight;
    const Index own = task.settings.one_list() ? 1 : 0;
    const Index count = own + static_cast<Index>(task.sorted.lists.size());
    std::vector<std::vector<Entry>> copies(count);
    std::vector<Entry *> lists(count);
    team::each(task.n_threads, double(n) * double(count), count, [&](Index j) {
        copies[j].resize(kept);
        Index at = 0;
        for (Index i = 0; i < n; ++i) {
            const Entry e = j < own ? static_cast<Entry>(i) : task.sorted.lists[j - own][i];
            if (at < kept) copies[j][at] = e;
            at += !targets.weight || targets.weight[row_of(e)] > 0.0;
        }
        lists[j] = copies[j].data();
    });
    Grower<C> grower(task.columns, targets, task.settings, std::move(lists), kept, task.n_threads,
                     interrupt, task.table, task.space);
    grower.grow(task.seed);
    return grower.finish();
}

GrownTree grow_by(Criterion criterion, TreeTask task, Interrupt &interrupt) {
    switch (criterion) {
        case Criterion::gini: return grow_tree<ClassCriterion<Gini>>(std::move(task), interrupt);
        case Criterion::entropy:
            return grow_tree<ClassCriterion<Entropy>>(std::move(task), interrupt);
        case Criterion::misclassification:
            return grow_tree<ClassCriterion<Misclassification>>(std::move(task), interrupt);
        case Criterion::squared:
            return grow_tree<MomentCriterion<Squared>>(std::move(task), interrupt);
        case Criterion::absolute: return grow_tree<MedianCriterion>(std::move(task), interrupt);
        case Criterion::poisson:
            return grow_tree<MomentCriterion<Poisson>>(std::move(task), interrupt);
    }
    throw std::invalid_argument("grow_exact: unknown criterion");
}

// An array that owns the numbers of a vector.
template <typename T>
nb::ndarray<nb::numpy, T> owned(std::vector<T> &&values, std::size_t columns = 0) {
    auto *held = new std::vector<T>(std::move(values));
    nb::capsule owner(held, [](void *p) noexcept { delete static_cast<std::vector<T> *>(p); });
    if (columns == 0) return {held->data(), {held->size()}, owner};
    return {held->data(), {held->size() / columns, columns}, owner};
}

// The same numbers of all trees, one after another.
template <typename T>
std::vector<T> joined(std::vector<GrownTree> &trees, std::vector<T> GrownTree::*numbers) {
    if (trees.size() == 1) return std::move(trees[0].*numbers);
    std::size_t total = 0;
    for (const GrownTree &tree : trees) total += (tree.*numbers).size();
    std::vector<T> all;
    all.reserve(total);
    for (GrownTree &tree : trees) {
        const std::vector<T> own = std::move(tree.*numbers);
        all.insert(all.end(), own.begin(), own.end());
    }
    return all;
}

Record record(std::vector<GrownTree> &&trees, Index width) {
    std::vector<std::int64_t> offsets(1, 0);
    std::int32_t words = 0;
    for (GrownTree &tree : trees) {
        offsets.push_back(offsets.back() + static_cast<std::int64_t>(tree.feature.size()));
        for (std::int32_t &first : tree.categories) first = first < 0 ? -1 : first + words;
        words += static_cast<std::int32_t>(tree.bits.size());
    }
    Record out;
    out["offsets"] = owned(std::move(offsets));
    out["feature"] = owned(joined(trees, &GrownTree::feature));
    out["threshold"] = owned(joined(trees, &GrownTree::threshold));
    out["left"] = owned(joined(trees, &GrownTree::left));
    out["right"] = owned(joined(trees, &GrownTree::right));
    out["missing_left"] = owned(joined(trees, &GrownTree::missing_left));
    out["categories"] = owned(joined(trees, &GrownTree::categories));
    out["category_words"] = owned(joined(trees, &GrownTree::words));
    out["category_bits"] = owned(joined(trees, &GrownTree::bits));
    out["value"] = owned(joined(trees, &GrownTree::value), static_cast<std::size_t>(width));
    out["cover"] = owned(joined(trees, &GrownTree::cover));
    out["n_rows"] = owned(joined(trees, &GrownTree::n_rows));
    out["impurity"] = owned(joined(trees, &GrownTree::impurity));
    out["gain"] = owned(joined(trees, &GrownTree::gain));
    return out;
}

template <typename T>
Record grow_exact(Matrix<const T> X, std::optional<Matrix<const Entry>> sorted,
                  Vector<const std::uint8_t> categorical,
                  std::optional<Matrix<const std::int32_t>> classes,
                  Vector<const std::int64_t> n_classes, std::optional<Matrix<const double>> numbers,
                  std::optional<Matrix<const Entry>> sorted_numbers, int criterion,
                  std::optional<Matrix<const double>> weight, Vector<const std::uint64_t> seeds,
                  std::optional<Matrix<const std::uint8_t>> usable,
                  std::optional<Vector<const std::int32_t>> directions,
                  std::optional<Matrix<const std::uint8_t>> groups,
                  std::optional<Vector<const std::int32_t>> missing_bins, bool random_splits,
                  Index max_depth, Index min_samples_split, Index min_samples_leaf,
                  double min_weight_fraction_leaf, double min_impurity_decrease, Index max_features,
                  Index max_leaf_nodes, Index packed_bytes, int n_threads) {
    const Index p = X.shape(0), n = X.shape(1), trees = seeds.size();
    constexpr bool binned = sizeof(T) == 1;  // numbers of bins in the place of values
    Columns columns{X.data(), sizeof(T) == 4, n, p, categorical.data()};
    if constexpr (binned) columns.codes = X.data();
    if (missing_bins) columns.missing_bins = missing_bins->data();
    Targets targets{n, 0, nullptr, {}, nullptr, nullptr};
    if (classes) {
        targets.classes = classes->data();
        targets.n_outputs = classes->shape(0);
        targets.first_class.assign(1, 0);
        for (std::size_t o = 0; o < n_classes.size(); ++o)
            targets.first_class.push_back(targets.first_class.back() + n_classes.data()[o]);
    } else if (numbers) {
        targets.numbers = numbers->data();
        targets.n_outputs = numbers->shape(0);
    }
    const bool fits =
        (classes || numbers) && categorical.size() == X.shape(0) &&
        (!classes || (classes->shape(1) == X.shape(1) && n_classes.size() == classes->shape(0))) &&
        (!numbers || numbers->shape(1) == X.shape(1)) &&
        (!sorted || (sorted->shape(0) == X.shape(0) && sorted->shape(1) == X.shape(1))) &&
        (!weight || (weight->shape(0) == seeds.size() && weight->shape(1) == X.shape(1))) &&
        (!usable || (usable->shape(0) == seeds.size() && usable->shape(1) == X.shape(0))) &&
        (!directions || directions->size() == X.shape(0)) &&
        (!groups || groups->shape(1) == X.shape(0)) && binned == missing_bins.has_value() &&
        (!missing_bins || missing_bins->size() == X.shape(0)) &&
        (sorted.has_value() || binned || random_splits);
    if (!fits) throw std::invalid_argument("grow_exact: arrays of different shape");
    SortedLists lists{{}, n};
    if (sorted && !random_splits)
        for (Index j = 0; j < p; ++j) lists.lists.push_back(sorted->data() + j * n);
    if (sorted_numbers)
        for (Index o = 0; o < targets.n_outputs; ++o)
            lists.lists.push_back(sorted_numbers->data() + o * n);
    GrowthSettings settings;
    if (max_depth >= 0) settings.max_depth = max_depth;
    settings.min_samples_split = min_samples_split;
    settings.min_samples_leaf = min_samples_leaf;
    settings.min_weight_leaf = min_weight_fraction_leaf;
    settings.min_impurity_decrease = min_impurity_decrease;
    settings.max_features = max_features;
    settings.max_leaf_nodes = max_leaf_nodes;
    settings.random_splits = random_splits;
    settings.packed_bytes = packed_bytes;
    settings.binned = binned && !random_splits;
    if (directions) settings.directions.assign(directions->data(), directions->data() + p);
    if (groups)
        for (std::size_t g = 0; g < groups->shape(0); ++g)
            settings.groups.emplace_back(groups->data() + g * p, groups->data() + (g + 1) * p);
    std::vector<GrownTree> grown(trees);
    Interrupt interrupt;
    {
        nb::gil_scoped_release release;
        PackedTable table;
        if constexpr (!binned)
            if (packs(columns, settings)) table.fill<T>(columns, packed_bytes);
        const double work = 40.0 * double(n) * double(max_features) * double(trees);
        team::run(n_threads, work, trees, [&] {
            return [&, space = PackedSpace{}](Index t) mutable {
                if (interrupt.poll()) return;
                TreeTask task{
                    columns, targets, settings, lists, seeds.data()[t], trees == 1 ? n_threads : 1,
                    table,   space};
                if (weight) task.targets.weight = weight->data() + t * n;
                if (usable)
                    task.settings.usable.assign(usable->data() + t * p,
                                                usable->data() + (t + 1) * p);
                grown[t] = grow_by(static_cast<Criterion>(criterion), std::move(task), interrupt);
            };
        });
    }
    interrupt.rethrow();
    return record(std::move(grown), targets.width());
}

}  // namespace

void bind_exact_growth(nb::module_ &m) {
    const auto bind = [&]<typename T>() {
        m.def("grow_exact", &grow_exact<T>, fixed("X"), maybe("sorted"), fixed("categorical"),
              maybe("classes"), fixed("n_classes"), maybe("numbers"), maybe("sorted_numbers"),
              nb::arg("criterion"), maybe("weight"), fixed("seeds"), maybe("usable"),
              maybe("directions"), maybe("groups"), maybe("missing_bins"), nb::arg("random_splits"),
              nb::arg("max_depth"), nb::arg("min_samples_split"), nb::arg("min_samples_leaf"),
              nb::arg("min_weight_fraction_leaf"), nb::arg("min_impurity_decrease"),
              nb::arg("max_features"), nb::arg("max_leaf_nodes"), nb::arg("packed_bytes"),
              nb::arg("n_threads"));
    };
    for_tables(bind);
    bind.template operator()<std::uint8_t>();
}

}  // namespace margin
