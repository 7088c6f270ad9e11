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

template <typename Columns>
std::tuple<int, double, double, double> descend(Columns columns, std::size_t n_columns,
                                                Vector<const std::int64_t> index,
                                                std::optional<Vector<const double>> mean,
                                                Vector<const double> curvature,
                                                Vector<const double> h, Vector<double> w,
                                                Vector<double> v, double l1, double l2,
                                                bool positive, int max_epochs, double tol) {
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
    ColumnDescent<Columns> descent(columns, ip, mean ? mean->data() : nullptr, curvature.data(), hp,
                                   total, w.data(), v.data(), m, n, Shrinkage{l1, l2, positive});
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
    return descend(DenseColumns<T>{columns.data(), v.size()}, columns.shape(0), index, mean,
                   curvature, h, w, v, l1, l2, positive, max_epochs, tol);
}

template <typename T, typename I>
auto sparse_descent(Vector<const I> indptr, Vector<const I> indices, Vector<const T> data,
                    Vector<const std::int64_t> index, std::optional<Vector<const double>> mean,
                    Vector<const double> curvature, Vector<const double> h, Vector<double> w,
                    Vector<double> v, double l1, double l2, bool positive, int max_epochs,
                    double tol) {
    if (indptr.size() == 0 || indices.size() != data.size() ||
        static_cast<std::size_t>(indptr.data()[indptr.size() - 1]) != data.size())
        throw std::invalid_argument("sparse_descent: malformed columns");
    return descend(SparseColumns<T, I>{indptr.data(), indices.data(), data.data()},
                   indptr.size() - 1, index, mean, curvature, h, w, v, l1, l2, positive, max_epochs,
                   tol);
}

}  // namespace

void bind_coordinate(nb::module_ &m) {
    m.def("gram_descent", &gram_descent);
    const auto none = nb::arg("mean").none();
#define MARGIN_DENSE(T)                                                                            \
    m.def("dense_descent", &dense_descent<T>, nb::arg("columns"), nb::arg("index"), none,          \
          nb::arg("curvature"), nb::arg("h"), nb::arg("w"), nb::arg("v"), nb::arg("l1"),           \
          nb::arg("l2"), nb::arg("positive"), nb::arg("max_epochs"), nb::arg("tol"));
    MARGIN_DENSE(double)
    MARGIN_DENSE(float)
#undef MARGIN_DENSE
#define MARGIN_SPARSE(T, I)                                                                        \
    m.def("sparse_descent", &sparse_descent<T, I>, nb::arg("indptr"), nb::arg("indices"),          \
          nb::arg("data"), nb::arg("index"), none, nb::arg("curvature"), nb::arg("h"),             \
          nb::arg("w"), nb::arg("v"), nb::arg("l1"), nb::arg("l2"), nb::arg("positive"),           \
          nb::arg("max_epochs"), nb::arg("tol"));
    MARGIN_SPARSE(double, std::int32_t)
    MARGIN_SPARSE(double, std::int64_t)
    MARGIN_SPARSE(float, std::int32_t)
    MARGIN_SPARSE(float, std::int64_t)
#undef MARGIN_SPARSE
}

}  // namespace margin
