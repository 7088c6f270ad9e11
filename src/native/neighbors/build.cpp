// Trees over the rows of a table: split at the median of the widest coordinate, down to leaves of
// whole blocks.
#include <nanobind/nanobind.h>
#include <nanobind/ndarray.h>

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <stdexcept>
#include <utility>
#include <vector>

#include "common/bind.hpp"
#include "common/native.hpp"
#include "common/team.hpp"
#include "neighbors/bindings.hpp"
#include "neighbors/layout.hpp"

namespace margin {
namespace {

using namespace neighbors;

// Rows that change places together with their numbers.
template <typename T, int P>
struct Rows {
    T *values;
    std::int64_t *number;
    std::size_t p;

    std::size_t count() const { return P > 0 ? P : p; }
    T key(Index i, std::size_t column) const { return values[i * count() + column]; }
    void swap(Index i, Index j) const {
        T *a = values + i * count(), *b = values + j * count();
        for (std::size_t k = 0; k < count(); ++k) std::swap(a[k], b[k]);
        std::swap(number[i], number[j]);
    }
};

// Rows [left, right] such that none before `nth` has a larger key than it and none after a smaller
// one: the selection of Floyd and Rivest, which first selects in a sample around the place.
template <typename T, int P>
void select(const Rows<T, P> &rows, Index left, Index right, Index nth, std::size_t column) {
    while (right > left) {
        if (right - left > 600) {
            const double n = double(right - left + 1), i = double(nth - left + 1);
            const double z = std::log(n), s = 0.5 * std::exp(2.0 * z / 3.0);
            const double away = i < n / 2 ? -1.0 : 1.0;
            const double spread = 0.5 * std::sqrt(z * s * (n - s) / n) * away;
            const double from = double(nth) - i * s / n + spread;
            const double to = double(nth) + (n - i) * s / n + spread;
            select(rows, std::max(left, Index(from)), std::min(right, Index(to)), nth, column);
        }
        const T pivot = rows.key(nth, column);
        Index i = left, j = right;
        rows.swap(left, nth);
        if (rows.key(right, column) > pivot) rows.swap(left, right);
        while (i < j) {
            rows.swap(i, j);
            ++i;
            --j;
            while (rows.key(i, column) < pivot) ++i;
            while (rows.key(j, column) > pivot) --j;
        }
        if (rows.key(left, column) == pivot)
            rows.swap(left, j);
        else
            rows.swap(++j, right);
        if (j <= nth) left = j + 1;
        if (nth <= j) right = j - 1;
    }
}

template <typename T, int P, typename M>
class Builder {
  public:
    Builder(Rows<T, P> rows, std::size_t n, std::size_t leaf_rows, const M &measure, double *lower,
            double *upper, bool boxes)
        : rows_(rows), n_(n), leaf_rows_(leaf_rows), measure_(measure), lower_(lower),
          upper_(upper), boxes_(boxes) {}

    // Describes a node and orders its rows so that its children have theirs.
    void split(const Node &node) const {
        const std::size_t p = rows_.count();
        const std::size_t from = node.first * leaf_rows_, to = std::min(n_, node.last * leaf_rows_);
        std::vector<T> low(p), high(p);
        extremes(from, to, low.data(), high.data());
        if (boxes_) {
            std::copy(low.begin(), low.end(), lower_ + node.number * p);
            std::copy(high.begin(), high.end(), upper_ + node.number * p);
        } else {
            enclose(node.number, from, to);
        }
        if (node.leaf()) return;
        std::size_t widest = 0;
        for (std::size_t k = 1; k < p; ++k)
            if (high[k] - low[k] > high[widest] - low[widest]) widest = k;
        select(rows_, Index(from), Index(to) - 1, Index(node.middle() * leaf_rows_), widest);
    }

    void grow(const Node &node) const {
        split(node);
        if (node.leaf()) return;
        grow(node.left());
        grow(node.right());
    }

    // The upper levels one after another, their nodes in parallel; then whole subtrees.
    void grow(const Node &root, int n_threads) const {
        const double work = 20.0 * double(n_) * double(rows_.count());
        std::vector<Node> level{root};
        while (!level.empty() && level.size() < 8 * std::size_t(n_threads)) {
            team::each(n_threads, work, Index(level.size()), [&](Index i) { split(level[i]); });
            std::vector<Node> next;
            for (const Node &node : level)
                if (!node.leaf()) {
                    next.push_back(node.left());
                    next.push_back(node.right());
                }
            level = std::move(next);
        }
        team::each(n_threads, work, Index(level.size()), [&](Index i) { grow(level[i]); });
    }

  private:
    void extremes(std::size_t from, std::size_t to, T *low, T *high) const {
        const std::size_t p = rows_.count();
        const T *row = rows_.values + from * p;
        std::copy_n(row, p, low);
        std::copy_n(row, p, high);
        for (std::size_t i = from + 1; i < to; ++i) {
            row += p;
            for (std::size_t k = 0; k < p; ++k) {
                low[k] = row[k] < low[k] ? row[k] : low[k];
                high[k] = row[k] > high[k] ? row[k] : high[k];
            }
        }
    }

    // A ball around the mean; a little larger, for the rounding of its radius.
    void enclose(std::size_t number, std::size_t from, std::size_t to) const {
        const std::size_t p = rows_.count();
        double *centre = lower_ + number * p;
        std::fill_n(centre, p, 0.0);
        for (std::size_t i = from; i < to; ++i)
            for (std::size_t k = 0; k < p; ++k) centre[k] += rows_.values[i * p + k];
        for (std::size_t k = 0; k < p; ++k) centre[k] /= double(to - from);
        double radius = 0.0;
        for (std::size_t i = from; i < to; ++i)
            radius = std::max(radius, between(measure_, rows_.values + i * p, centre, p));
        upper_[number] = measure_.full(radius) / shrink(p);
    }

    Rows<T, P> rows_;
    std::size_t n_, leaf_rows_;
    M measure_;
    double *lower_, *upper_;
    bool boxes_;
};

template <typename T>
void pack(const T *rows, std::size_t n, std::size_t p, T *blocks, std::size_t n_blocks,
          int n_threads) {
    const double work = 4.0 * double(n) * double(p);
    team::each_block(n_threads, work, n_blocks, 256, [&](std::size_t first, std::size_t last) {
        for (std::size_t b = first; b < last; ++b)
            for (std::size_t j = 0; j < width; ++j) {
                const std::size_t i = std::min(b * width + j, n - 1);
                for (std::size_t k = 0; k < p; ++k)
                    blocks[(b * p + k) * width + j] = rows[i * p + k];
            }
    });
}

// `X` is put into the order of the tree, `order` gets the numbers of its rows.
template <typename T>
void grow_tree(Matrix<T> X, Vector<std::int64_t> order, Matrix<double> lower,
               nb::ndarray<double, nb::c_contig, nb::device::cpu> upper, std::size_t leaf_blocks,
               int code, double power, bool boxes, int n_threads) {
    const std::size_t n = X.shape(0), p = X.shape(1), leaf_rows = leaf_blocks * width;
    const std::size_t n_leaves = leaf_rows ? (n + leaf_rows - 1) / leaf_rows : 0;
    if (n == 0 || p == 0 || leaf_blocks == 0 || order.size() != n ||
        lower.shape(0) != 2 * n_leaves - 1 || lower.shape(1) != p ||
        upper.size() != (boxes ? lower.size() : lower.shape(0)))
        throw std::invalid_argument("grow_tree: arrays of different shape");
    T *values = X.data();
    std::int64_t *number = order.data();
    double *low = lower.data(), *high = upper.data();
    nb::gil_scoped_release release;
    for (std::size_t i = 0; i < n; ++i) number[i] = static_cast<std::int64_t>(i);
    const Node root{0, 0, n_leaves};
    with_measure(code, power, [&](auto measure) {
        auto run = [&](auto rows) {
            Builder(rows, n, leaf_rows, measure, low, high, boxes).grow(root, n_threads);
        };
        switch (p) {
            case 2: return run(Rows<T, 2>{values, number, p});
            case 3: return run(Rows<T, 3>{values, number, p});
            default: return run(Rows<T, 0>{values, number, p});
        }
    });
}

template <typename T>
void pack_blocks(Matrix<const T> X, nb::ndarray<T, nb::ndim<3>, nb::c_contig> blocks,
                 int n_threads) {
    const std::size_t n = X.shape(0), p = X.shape(1), n_blocks = (n + width - 1) / width;
    if (n == 0 || blocks.shape(0) != n_blocks || blocks.shape(1) != p || blocks.shape(2) != width)
        throw std::invalid_argument("pack_blocks: arrays of different shape");
    const T *values = X.data();
    T *out = blocks.data();
    nb::gil_scoped_release release;
    pack(values, n, p, out, n_blocks, n_threads);
}

}  // namespace

void bind_neighbor_trees(nb::module_ &m) {
    m.attr("NEIGHBOR_WIDTH") = nb::int_(width);
    for_tables([&]<typename T>() {
        m.def("grow_tree", &grow_tree<T>, fixed("X"), fixed("order"), fixed("lower"),
              fixed("upper"), nb::arg("leaf_blocks"), nb::arg("measure"), nb::arg("power"),
              nb::arg("boxes"), nb::arg("n_threads"));
        m.def("pack_blocks", &pack_blocks<T>, fixed("X"), fixed("blocks"), nb::arg("n_threads"));
    });
}

}  // namespace margin
