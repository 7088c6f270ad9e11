// Cyclic coordinate descent with Anderson extrapolation for
//   1/2 w' A w - q' w + l1 |w|_1 + l2/2 |w|^2,   w >= 0 on request,
// with A given (Gram form) or as X' diag(h) X by its columns (column form, intercept eliminated).
#include <nanobind/nanobind.h>
#include <nanobind/ndarray.h>
#include <nanobind/stl/tuple.h>

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <stdexcept>
#include <tuple>
#include <vector>

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

}  // namespace

void bind_coordinate(nb::module_ &m) {
    m.def("gram_descent", &gram_descent, nb::arg("gram"), nb::arg("q"), fixed("w"), fixed("slope"),
          nb::arg("energy"), nb::arg("l1"), nb::arg("l2"), nb::arg("positive"),
          nb::arg("max_epochs"), nb::arg("gap_tol"), nb::arg("slope_tol"));
    for_tables([&]<typename T>() {
        m.def("dense_descent", &dense_descent<T>, nb::arg("columns"), nb::arg("index"),
              nb::arg("mean").none(), nb::arg("curvature"), nb::arg("h"), fixed("w"), fixed("v"),
              nb::arg("l1"), nb::arg("l2"), nb::arg("positive"), nb::arg("max_epochs"),
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
