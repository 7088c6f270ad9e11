// Cyclic coordinate descent with Anderson extrapolation for
//   1/2 w' A w - q' w + l1 |w|_1 + l2/2 |w|^2,   w >= 0 on request,
// with A given (Gram form) or as X' diag(h) X by its columns (column form, intercept eliminated).
#include <nanobind/nanobind.h>
#include <nanobind/ndarray.h>
#include <nanobind/stl/tuple.h>
#include <nanobind/stl/vector.h>

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <stdexcept>
#include <tuple>
#include <vector>

#include "columns/block_descent.hpp"
#include "columns/column_descent.hpp"
#include "columns/gram_descent.hpp"
#include "columns/kernels.hpp"
#include "common/bind.hpp"
#include "common/compressed.hpp"
#include "common/native.hpp"

namespace margin {
namespace {

std::tuple<int, double> gram_descent(Matrix<const double> gram, Vector<const double> q,
                                     Vector<double> w, Vector<double> slope, double energy,
                                     double l1, double l2, bool positive, int max_epochs,
                                     double gap_tol, double slope_tol) {
    const std::size_t m = w.size(), stride = gram.shape(1);
    if (gram.shape(0) < m || stride < m || q.size() != m || slope.size() != m)
        throw std::invalid_argument("gram_descent: arrays of different shape");
    GramDescent descent(gram.data(), stride, q.data(), w.data(), slope.data(), m,
                        Shrinkage{l1, l2, positive}, GramStop{energy, gap_tol, slope_tol});
    nb::gil_scoped_release release;
    descent.begin();
    const int epochs = descent.run(max_epochs);
    return {epochs, descent.violation()};
}

// Minima for one strength after the other, each started from where the last two lead: between
// changes of the support the minimiser moves along a line in the strength.
std::vector<int> gram_path(Matrix<const double> gram, Vector<const double> q, Matrix<double> coefs,
                           Vector<double> gaps, double energy, Vector<const double> l1,
                           Vector<const double> l2, bool positive, int max_epochs, double gap_tol,
                           double slope_tol) {
    const std::size_t m = q.size(), k = l1.size();
    if (gram.shape(0) != m || gram.shape(1) != m || coefs.shape(0) != k || coefs.shape(1) != m ||
        gaps.size() != k || l2.size() != k)
        throw std::invalid_argument("gram_path: arrays of different shape");
    std::vector<int> epochs(k);
    std::vector<double> slope(m);
    const double *strength = l1.data();
    nb::gil_scoped_release release;
    for (std::size_t at = 0; at < k; ++at) {
        double *w = coefs.data() + at * m;
        const double *last = w - m, *before = last - m;
        const double step = at > 1 ? strength[at - 1] - strength[at - 2] : 0.0;
        const double ahead = step != 0.0 ? (strength[at] - strength[at - 1]) / step : 0.0;
        for (std::size_t j = 0; j < m; ++j) {
            w[j] = at > 0 ? last[j] : 0.0;
            if (ahead == 0.0) continue;
            const double led = last[j] + ahead * (last[j] - before[j]);
            w[j] = led * last[j] > 0.0 ? led : 0.0;
        }
        GramDescent descent(gram.data(), m, q.data(), w, slope.data(), m,
                            Shrinkage{strength[at], l2.data()[at], positive},
                            GramStop{energy, gap_tol, slope_tol});
        descent.begin();
        epochs[at] = descent.run(max_epochs);
        gaps.data()[at] = std::max(descent.gap(), 0.0);
    }
    return epochs;
}

// The columns that may move, with their coefficients, and what the rows weigh and pull.
struct Chosen {
    Vector<const std::int64_t> index;
    std::optional<Vector<const double>> mean;
    Vector<const double> curvature, h;
    Vector<double> w, v;
};

template <typename Columns>
std::tuple<int, double, double, double> descend(Columns columns, std::size_t n_columns,
                                                const Chosen &chosen, Shrinkage penalty,
                                                int max_epochs, double tol) {
    const auto &[index, mean, curvature, h, w, v] = chosen;
    const std::size_t m = w.size(), n = v.size();
    if (index.size() != m || curvature.size() != m || h.size() != n || (mean && mean->size() != m))
        throw std::invalid_argument("column_descent: arrays of different shape");
    const std::int64_t *ip = index.data();
    for (std::size_t k = 0; k < m; ++k)
        if (ip[k] < 0 || static_cast<std::size_t>(ip[k]) >= n_columns)
            throw std::invalid_argument("column_descent: index out of range");
    const double *hp = h.data();
    double total = 0.0;
    for (std::size_t i = 0; i < n; ++i) total += hp[i];
    const Quadratic quadratic{ip, mean ? mean->data() : nullptr, curvature.data(), hp, total, m, n};
    ColumnDescent<Columns> descent(columns, quadratic, w.data(), v.data(), penalty);
    nb::gil_scoped_release release;
    const auto [epochs, last, first] = descent.run(max_epochs, tol);
    return {epochs, last, first, descent.settle_intercept()};
}

template <typename T>
auto dense_descent(Matrix<const T> columns, Vector<const std::int64_t> index,
                   std::optional<Vector<const double>> mean, Vector<const double> curvature,
                   Vector<const double> h, Vector<double> w, Vector<double> v, double l1, double l2,
                   bool positive, int max_epochs, double tol) {
    if (columns.shape(1) != v.size())
        throw std::invalid_argument("dense_descent: arrays of different shape");
    return descend(DenseColumns<T>{columns.data(), v.size()}, columns.shape(0),
                   {index, mean, curvature, h, w, v}, {l1, l2, positive}, max_epochs, tol);
}

template <typename T, typename I>
auto sparse_descent(Vector<const I> indptr, Vector<const I> indices, Vector<const T> data,
                    Vector<const std::int64_t> index, std::optional<Vector<const double>> mean,
                    Vector<const double> curvature, Vector<const double> h, Vector<double> w,
                    Vector<double> v, double l1, double l2, bool positive, int max_epochs,
                    double tol) {
    const auto matrix =
        compressed<T, I>(indptr, indices, data, "sparse_descent: malformed columns");
    return descend(SparseColumns<T, I>(matrix), matrix.lines(), {index, mean, curvature, h, w, v},
                   {l1, l2, positive}, max_epochs, tol);
}

// The coefficients of several targets and what is left of these, and how both are weighed.
struct Targets {
    Vector<const double> curvature;
    Matrix<double> w, residual;
    BlockWeights weights;
};

template <typename Columns>
int descend_blocks(Columns columns, std::size_t p, const Targets &targets, int max_epochs,
                   double tol) {
    const auto &[curvature, w, residual, weights] = targets;
    if (w.shape(0) != p || curvature.size() != p || residual.shape(0) != w.shape(1))
        throw std::invalid_argument("block_descent: arrays of different shape");
    const BlockPoint start{.w = w.data(),
                           .residual = residual.data(),
                           .p = p,
                           .k = w.shape(1),
                           .n = residual.shape(1)};
    BlockDescent<Columns> descent(columns, curvature.data(), start, weights);
    nb::gil_scoped_release release;
    return descent.run(max_epochs, tol);
}

template <typename T>
int dense_blocks(Matrix<const T> columns, Vector<const double> curvature, Matrix<double> w,
                 Matrix<double> residual, double scale, double l1, double l2, int max_epochs,
                 double tol) {
    if (columns.shape(1) != residual.shape(1))
        throw std::invalid_argument("dense_blocks: arrays of different shape");
    return descend_blocks(DenseColumns<T>{columns.data(), columns.shape(1)}, columns.shape(0),
                          {curvature, w, residual, {scale, l1, l2}}, max_epochs, tol);
}

template <typename T, typename I>
int sparse_blocks(Vector<const I> indptr, Vector<const I> indices, Vector<const T> data,
                  Vector<const double> curvature, Matrix<double> w, Matrix<double> residual,
                  double scale, double l1, double l2, int max_epochs, double tol) {
    const auto matrix = compressed<T, I>(indptr, indices, data, "sparse_blocks: malformed columns");
    return descend_blocks(SparseColumns<T, I>(matrix), matrix.lines(),
                          {curvature, w, residual, {scale, l1, l2}}, max_epochs, tol);
}

}  // namespace

void bind_coordinate(nb::module_ &m) {
    m.def("gram_descent", &gram_descent, nb::arg("gram"), nb::arg("q"), fixed("w"), fixed("slope"),
          nb::arg("energy"), nb::arg("l1"), nb::arg("l2"), nb::arg("positive"),
          nb::arg("max_epochs"), nb::arg("gap_tol"), nb::arg("slope_tol"));
    m.def("gram_path", &gram_path, fixed("gram"), fixed("q"), fixed("coefs"), fixed("gaps"),
          nb::arg("energy"), fixed("l1"), fixed("l2"), nb::arg("positive"), nb::arg("max_epochs"),
          nb::arg("gap_tol"), nb::arg("slope_tol"));
    for_tables([&]<typename T>() {
        m.def("dense_descent", &dense_descent<T>, nb::arg("columns"), nb::arg("index"),
              nb::arg("mean").none(), nb::arg("curvature"), nb::arg("h"), fixed("w"), fixed("v"),
              nb::arg("l1"), nb::arg("l2"), nb::arg("positive"), nb::arg("max_epochs"),
              nb::arg("tol"));
    });
    for_tables([&]<typename T>() {
        m.def("dense_blocks", &dense_blocks<T>, nb::arg("columns"), nb::arg("curvature"),
              fixed("w"), fixed("residual"), nb::arg("scale"), nb::arg("l1"), nb::arg("l2"),
              nb::arg("max_epochs"), nb::arg("tol"));
    });
    for_compressed([&]<typename T, typename I>() {
        m.def("sparse_blocks", &sparse_blocks<T, I>, nb::arg("indptr"), nb::arg("indices"),
              nb::arg("data"), nb::arg("curvature"), fixed("w"), fixed("residual"),
              nb::arg("scale"), nb::arg("l1"), nb::arg("l2"), nb::arg("max_epochs"),
              nb::arg("tol"));
    });
    for_compressed([&]<typename T, typename I>() {
        m.def("sparse_descent", &sparse_descent<T, I>, nb::arg("indptr"), nb::arg("indices"),
              nb::arg("data"), nb::arg("index"), nb::arg("mean").none(), nb::arg("curvature"),
              nb::arg("h"), fixed("w"), fixed("v"), nb::arg("l1"), nb::arg("l2"),
              nb::arg("positive"), nb::arg("max_epochs"), nb::arg("tol"));
    });
}

}  // namespace margin
