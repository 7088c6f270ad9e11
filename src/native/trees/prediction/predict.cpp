// Prediction: the leaf that each row reaches in each tree, and the sum of their values.
#include <algorithm>
#include <array>
#include <cstdint>
#include <limits>
#include <memory>
#include <stdexcept>
#include <utility>
#include <vector>

#include "common/bind.hpp"
#include "common/native.hpp"
#include "common/team.hpp"
#include "trees/bindings.hpp"
#include "trees/prediction/packed_forest.hpp"
#include "trees/prediction/quick_forest.hpp"

namespace margin {

namespace {

using trees::PackedForest;
using trees::PackedNode;
using trees::PackedTree;
using trees::QuickForest;
using trees::SingleRows;

template <typename T>
using Table = nb::ndarray<const T, nb::ndim<2>, nb::device::cpu>;

// The arrays of a forest as Python holds them; the caller has checked them (Forest.check).
struct Arrays {
    Vector<const std::int64_t> offsets;
    Vector<const std::int32_t> feature, left, right;
    Vector<const double> threshold;
    Vector<const bool> missing_left;
    Vector<const std::int32_t> categories, category_words;
};

// Nodes of one tree in the order in which they are reached level by level, siblings together.
void pack_tree(const Arrays &from, Index first, Index size, PackedForest &to) {
    std::vector<std::int32_t> order{0}, level{0};
    order.reserve(size);
    level.reserve(size);
    Index depth = 0;
    for (std::size_t at = 0; at < order.size(); ++at) {
        const Index node = first + order[at];
        depth = std::max<Index>(depth, level[at]);
        to.origin.push_back(order[at]);
        if (from.left.data()[node] < 0) {
            to.nodes.push_back({std::numeric_limits<double>::infinity(),
                                static_cast<std::int32_t>(at), PackedNode::missing_left});
            continue;
        }
        std::uint32_t where = static_cast<std::uint32_t>(from.feature.data()[node]);
        if (from.missing_left.data()[node]) where |= PackedNode::missing_left;
        double threshold = from.threshold.data()[node];
        if (from.categories.data()[node] >= 0) {
            where |= PackedNode::categorical;
            threshold = static_cast<double>(to.sets.size());
            to.sets.push_back({from.categories.data()[node], from.category_words.data()[node]});
            to.has_categories = true;
        }
        to.nodes.push_back({threshold, static_cast<std::int32_t>(order.size()), where});
        for (const std::int32_t child : {from.left.data()[node], from.right.data()[node]}) {
            order.push_back(child);
            level.push_back(level[at] + 1);
        }
    }
    if (static_cast<Index>(order.size()) != size)
        throw std::invalid_argument("pack_forest: a node without a parent, or with two");
    to.trees.back().depth = depth;
}

PackedForest pack(Index n_features, Index n_outputs, Vector<const std::int64_t> offsets,
                  Vector<const std::int32_t> feature, Vector<const double> threshold,
                  Vector<const std::int32_t> left, Vector<const std::int32_t> right,
                  Vector<const bool> missing_left, Vector<const std::int32_t> categories,
                  Vector<const std::int32_t> category_words,
                  Vector<const std::uint32_t> category_bits, Matrix<const double> value,
                  Vector<const std::int32_t> output) {
    const Arrays from{offsets,   feature,      left,       right,
                      threshold, missing_left, categories, category_words};
    PackedForest forest;
    forest.n_features = n_features;
    forest.n_outputs = n_outputs;
    forest.width = static_cast<Index>(value.shape(1));
    forest.nodes.reserve(feature.size());
    forest.origin.reserve(feature.size());
    forest.bits.assign(category_bits.data(), category_bits.data() + category_bits.size());
    for (std::size_t t = 0; t + 1 < offsets.size(); ++t) {
        const Index first = offsets.data()[t], size = offsets.data()[t + 1] - first;
        forest.trees.push_back({first, size, 0, output.data()[t]});
        pack_tree(from, first, size, forest);
        for (Index node = 0; node < size; ++node) {
            const double *row = value.data() + (first + forest.origin[first + node]) * forest.width;
            forest.value.insert(forest.value.end(), row, row + forest.width);
        }
    }
    auto quick = std::make_shared<const QuickForest>(forest);
    if (quick->whole()) forest.quick = std::move(quick);
    Index most_nodes = 0;
    for (const PackedTree &tree : forest.trees) most_nodes = std::max(most_nodes, tree.size);
    if (!forest.quick && !forest.has_categories && trees::wide_walk_runs())
        forest.slim.fill(forest.nodes, n_features, most_nodes);
    return forest;
}

// Rows that lie one after another in memory: those of the table, or a copy of a few of them.
template <typename T>
class RowBlocks {
  public:
    explicit RowBlocks(const Table<T> &X)
        : data_(X.data()), rows_(X.shape(0)), columns_(X.shape(1)), row_stride_(X.stride(0)),
          column_stride_(X.stride(1)) {}

    bool direct() const { return column_stride_ == 1 || columns_ == 1; }
    Index rows() const { return rows_; }

    // Start and stride of rows first … last - 1; `buffer` is used when a copy is needed.
    std::pair<const T *, Index> get(Index first, Index last, std::vector<T> &buffer) const {
        if (direct()) return {data_ + first * row_stride_, row_stride_};
        buffer.resize((last - first) * columns_);
        for (Index j = 0; j < columns_; ++j) {
            const T *column = data_ + j * column_stride_ + first * row_stride_;
            for (Index i = 0; i < last - first; ++i)
                buffer[i * columns_ + j] = column[i * row_stride_];
        }
        return {buffer.data(), columns_};
    }

  private:
    const T *data_;
    Index rows_, columns_, row_stride_, column_stride_;
};

constexpr Index most_rows = 8192;

// Trees that do not fit the nearer caches are read once for as many rows as leave them room there.
Index block_rows(const PackedForest &forest, Index row_bytes) {
    if (forest.nodes.size() <= 16384) return 64;
    return std::clamp<Index>((Index{3} << 17) / std::max<Index>(row_bytes, 1), 256, most_rows);
}

// The rows in single precision, where walks are faster for it; otherwise nothing.
template <typename T>
SingleRows rounded_rows(const PackedForest &forest, Index n_trees, const T *rows, Index stride,
                        Index n) {
    SingleRows singles;
    if constexpr (sizeof(T) > sizeof(float))
        if (n >= 32 && forest.rounds<T>(n_trees)) singles.fill(rows, stride, n, forest.n_features);
    return singles;
}

template <bool Categorical, typename T>
void add_block(const PackedForest &forest, Index first_tree, Index last_tree, const T *rows,
               Index stride, Index n, double *out) {
    std::array<std::int32_t, most_rows> leaf;
    const auto singles = rounded_rows(forest, last_tree - first_tree, rows, stride, n);
    const Index k = forest.n_outputs, width = forest.width;
    for (Index t = first_tree; t < last_tree; ++t) {
        const PackedTree &tree = forest.trees[t];
        if (t + 1 < last_tree && n >= 256) forest.fetch(forest.trees[t + 1]);
        forest.leaves<Categorical>(tree, rows, stride, n, singles, leaf.data());
        const double *value = forest.value.data() + tree.first * width;
        if (tree.output >= 0) {
            for (Index i = 0; i < n; ++i) out[i * k + tree.output] += value[leaf[i] * width];
        } else {
            for (Index i = 0; i < n; ++i)
                for (Index c = 0; c < k; ++c) out[i * k + c] += value[leaf[i] * width + c];
        }
    }
}

template <bool Categorical, typename T>
void apply_block(const PackedForest &forest, Index first_tree, Index last_tree, const T *rows,
                 Index stride, Index n, std::int32_t *out) {
    std::array<std::int32_t, most_rows> leaf;
    const auto singles = rounded_rows(forest, last_tree - first_tree, rows, stride, n);
    const Index columns = last_tree - first_tree;
    for (Index t = first_tree; t < last_tree; ++t) {
        const PackedTree &tree = forest.trees[t];
        forest.leaves<Categorical>(tree, rows, stride, n, singles, leaf.data());
        const std::int32_t *origin = forest.origin.data() + tree.first;
        for (Index i = 0; i < n; ++i) out[i * columns + t - first_tree] = origin[leaf[i]];
    }
}

void check_call(const PackedForest &forest, Index columns, Index first_tree, Index last_tree) {
    if (columns != forest.n_features)
        throw std::invalid_argument("predict: another number of columns than in the trees");
    if (first_tree < 0 || first_tree > last_tree ||
        last_tree > static_cast<Index>(forest.trees.size()))
        throw std::invalid_argument("predict: no such trees");
}

// The same sums as those of `add_block`, by all questions at once.
template <typename T>
void add_quickly(const PackedForest &forest, const QuickForest &quick, Index first_tree,
                 Index last_tree, const T *rows, Index stride, Index n, double *out,
                 std::vector<double> &columns) {
    constexpr Index width = trees::quick_rows;
    std::array<std::int32_t, width> leaf;
    columns.assign(quick.used.size() * width, 0.0);
    const Index k = forest.n_outputs, values = forest.width;
    for (Index first = 0; first < n; first += width) {
        const Index m = std::min(width, n - first);
        for (Index i = 0; i < m; ++i) {
            const T *row = rows + (first + i) * stride;
            for (std::size_t j = 0; j < quick.used.size(); ++j)
                columns[j * width + i] = static_cast<double>(row[quick.used[j]]);
        }
        double *to = out + first * k;
        for (Index t = first_tree; t < last_tree; ++t) {
            const PackedTree &tree = forest.trees[t];
            quick.reach(t, columns.data(), m, leaf.data());
            const double *value = forest.value.data() + tree.first * values;
            if (tree.output >= 0) {
                for (Index i = 0; i < m; ++i) to[i * k + tree.output] += value[leaf[i] * values];
            } else {
                for (Index i = 0; i < m; ++i)
                    for (Index c = 0; c < k; ++c) to[i * k + c] += value[leaf[i] * values + c];
            }
        }
    }
}

// visit(block of rows …) for every block, in parallel.
template <typename T, typename Visit>
void over_rows(const PackedForest &forest, const Table<T> &X, Index n_trees, int n_threads,
               const Visit &visit) {
    nb::gil_scoped_release release;
    const RowBlocks<T> blocks(X);
    const Index n = blocks.rows(), value = forest.rounds<T>(n_trees) ? sizeof(float) : sizeof(T),
                width = block_rows(forest, X.shape(1) * value);
    const double work = 8.0 * static_cast<double>(n) * static_cast<double>(n_trees);
    team::run(n_threads, work, (n + width - 1) / width, [&] {
        return [&, buffer = std::vector<T>()](Index b) mutable {
            const Index first = b * width, last = std::min(n, first + width);
            const auto [rows, stride] = blocks.get(first, last, buffer);
            visit(first, rows, stride, last - first);
        };
    });
}

template <typename T>
void add(const PackedForest &forest, Table<T> X, Index first_tree, Index last_tree,
         Matrix<double> out, int n_threads) {
    check_call(forest, X.shape(1), first_tree, last_tree);
    const Index k = forest.n_outputs;
    if (out.shape(0) != X.shape(0) || static_cast<Index>(out.shape(1)) != k)
        throw std::invalid_argument("predict: out must have one row per row of X");
    double *to = out.data();
    // Worth it where the columns, which have to be turned, are asked for often.
    const QuickForest *quick = forest.quick.get();
    if (quick != nullptr && X.shape(0) >= 8 &&
        8 * (last_tree - first_tree) >= static_cast<Index>(quick->used.size())) {
        over_rows<T>(forest, X, last_tree - first_tree, n_threads,
                     [&](Index first, const T *rows, Index stride, Index n) {
                         std::vector<double> columns;
                         add_quickly(forest, *quick, first_tree, last_tree, rows, stride, n,
                                     to + first * k, columns);
                     });
        return;
    }
    over_rows<T>(
        forest, X, last_tree - first_tree, n_threads,
        [&](Index first, const T *rows, Index stride, Index n) {
            if (forest.has_categories)
                add_block<true>(forest, first_tree, last_tree, rows, stride, n, to + first * k);
            else
                add_block<false>(forest, first_tree, last_tree, rows, stride, n, to + first * k);
        });
}

template <typename T>
void apply(const PackedForest &forest, Table<T> X, Index first_tree, Index last_tree,
           Matrix<std::int32_t> out, int n_threads) {
    check_call(forest, X.shape(1), first_tree, last_tree);
    const Index columns = last_tree - first_tree;
    if (out.shape(0) != X.shape(0) || static_cast<Index>(out.shape(1)) != columns)
        throw std::invalid_argument("apply: out must have one row per row of X");
    std::int32_t *to = out.data();
    over_rows<T>(forest, X, columns, n_threads,
                 [&](Index first, const T *rows, Index stride, Index n) {
                     if (forest.has_categories)
                         apply_block<true>(forest, first_tree, last_tree, rows, stride, n,
                                           to + first * columns);
                     else
                         apply_block<false>(forest, first_tree, last_tree, rows, stride, n,
                                            to + first * columns);
                 });
}

}  // namespace

void bind_tree_prediction(nb::module_ &m) {
    nb::class_<PackedForest> forest(m, "PackedForest");
    m.def("pack_forest", &pack, nb::arg("n_features"), nb::arg("n_outputs"), fixed("offsets"),
          fixed("feature"), fixed("threshold"), fixed("left"), fixed("right"),
          fixed("missing_left"), fixed("categories"), fixed("category_words"),
          fixed("category_bits"), fixed("value"), fixed("output"));
    for_tables([&]<typename T>() {
        forest.def("add", &add<T>, fixed("X"), nb::arg("first_tree"), nb::arg("last_tree"),
                   fixed("out"), nb::arg("n_threads"));
        forest.def("apply", &apply<T>, fixed("X"), nb::arg("first_tree"), nb::arg("last_tree"),
                   fixed("out"), nb::arg("n_threads"));
    });
}

}  // namespace margin
