// Some of the columns of a data matrix: gathered, their weighted moments, their combinations.
#include <nanobind/nanobind.h>
#include <nanobind/ndarray.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <stdexcept>

#include "columns/dense.hpp"
#include "columns/kernels.hpp"
#include "common/bind.hpp"
#include "common/compressed.hpp"
#include "common/native.hpp"
#include "common/team.hpp"

namespace margin {
namespace {

// out[k, :] = root * (x - mean) for column index[k], with mean the weighted mean (weight root^2) if
// centred. Means are of differences from the first row, so constant columns give exact zeros.
template <typename T>
void gather_columns(Dense<T> X, Vector<const std::int64_t> index, Vector<const double> root,
                    bool centred, Matrix<double> out, Vector<double> mean) {
    const std::size_t n = X.shape(0), p = X.shape(1), m = index.size();
    if (root.size() != n || out.shape(0) != m || out.shape(1) != n || mean.size() != m)
        throw std::invalid_argument("gather_columns: arrays of different shape");
    const std::int64_t *ip = index.data();
    for (std::size_t k = 0; k < m; ++k)
        if (ip[k] < 0 || static_cast<std::size_t>(ip[k]) >= p)
            throw std::invalid_argument("gather_columns: index out of range");
    rows_contiguous(X);
    const T *xp = X.data();
    const std::size_t down = X.stride(0), across = X.stride(1);
    const double *rp = root.data();
    double *op = out.data(), *mp = mean.data();

    nb::gil_scoped_release release;
    constexpr std::size_t tile = 16;  // rows per pass: each output line is filled whole
    for (std::size_t at = 0; at < n; at += tile) {
        const std::size_t end = std::min(n, at + tile);
        for (std::size_t k = 0; k < m; ++k) {
            const T *x = xp + ip[k] * across;
            for (std::size_t i = at; i < end; ++i) op[k * n + i] = x[i * down];
        }
    }
    double total = 0.0;
    for (std::size_t i = 0; i < n; ++i) total += rp[i] * rp[i];
    for (std::size_t k = 0; k < m; ++k) {
        double *z = op + k * n;
        const double first = centred && n ? z[0] : 0.0;
        double sum = 0.0;
        if (centred)
            for (std::size_t i = 0; i < n; ++i) sum += rp[i] * rp[i] * (z[i] - first);
        const double shift = centred ? sum / total : 0.0;
        for (std::size_t i = 0; i < n; ++i) z[i] = rp[i] * ((z[i] - first) - shift);
        mp[k] = first + shift;
    }
}

template <typename Columns>
void moments(Columns columns, std::size_t n_columns, std::size_t n,
             Vector<const std::int64_t> index, Vector<const double> h, Vector<double> first,
             Vector<double> second, int n_threads) {
    const Index m = static_cast<Index>(index.size());
    if (h.size() != n || first.size() != index.size() || second.size() != index.size())
        throw std::invalid_argument("weighted_moments: arrays of different shape");
    const std::int64_t *ip = index.data();
    const double *hp = h.data();
    double *fp = first.data(), *sp = second.data();
    for (Index k = 0; k < m; ++k)
        if (ip[k] < 0 || static_cast<std::size_t>(ip[k]) >= n_columns)
            throw std::invalid_argument("weighted_moments: index out of range");
    nb::gil_scoped_release release;
    team::each(n_threads, double(m) * double(n), m,
               [&](Index k) { columns.moments(ip[k], hp, fp[k], sp[k]); });
}

template <typename T>
void dense_moments_of(Matrix<const T> columns, Vector<const std::int64_t> index,
                      Vector<const double> h, Vector<double> first, Vector<double> second,
                      int n_threads) {
    moments(DenseColumns<T>{columns.data(), columns.shape(1)}, columns.shape(0), columns.shape(1),
            index, h, first, second, n_threads);
}

template <typename T, typename I>
void sparse_moments_of(Vector<const I> indptr, Vector<const I> indices, Vector<const T> data,
                       Vector<const std::int64_t> index, Vector<const double> h,
                       Vector<double> first, Vector<double> second, int n_threads) {
    const auto matrix =
        compressed<T, I>(indptr, indices, data, "weighted_moments: malformed columns");
    moments(SparseColumns<T, I>(matrix), matrix.lines(), h.size(), index, h, first, second,
            n_threads);
}

// out += sum_k coef_k row_k, rows with a zero coefficient not read.
void combine_rows(Matrix<const double> rows, Vector<const double> coef, Vector<double> out) {
    if (rows.shape(0) < coef.size() || rows.shape(1) != out.size())
        throw std::invalid_argument("combine_rows: arrays of different shape");
    const std::size_t n = out.size(), m = coef.size();
    const double *rp = rows.data(), *cp = coef.data();
    double *op = out.data();
    nb::gil_scoped_release release;
    for (std::size_t k = 0; k < m; ++k)
        if (cp[k] != 0.0) column_add(rp + k * n, cp[k], op, n);
}

// out += X[:, index] coef for compressed columns.
template <typename T, typename I>
void sparse_combine(Vector<const I> indptr, Vector<const I> indices, Vector<const T> data,
                    Vector<const std::int64_t> index, Vector<const double> coef,
                    Vector<double> out) {
    if (coef.size() != index.size())
        throw std::invalid_argument("sparse_combine: arrays of different shape");
    const SparseColumns<T, I> columns(
        compressed<T, I>(indptr, indices, data, "sparse_combine: malformed columns"));
    const std::int64_t *ip = index.data();
    const double *cp = coef.data();
    double *op = out.data();
    for (std::size_t k = 0; k < index.size(); ++k)
        if (ip[k] < 0 || static_cast<std::size_t>(ip[k]) + 1 >= indptr.size())
            throw std::invalid_argument("sparse_combine: index out of range");
    nb::gil_scoped_release release;
    for (std::size_t k = 0; k < index.size(); ++k)
        if (cp[k] != 0.0) columns.add(ip[k], cp[k], op);
}

}  // namespace

void bind_column_choices(nb::module_ &m) {
    for_tables([&]<typename T>() {
        m.def("gather_columns", &gather_columns<T>, nb::arg("X"), nb::arg("index"), nb::arg("root"),
              nb::arg("centred"), fixed("out"), fixed("mean"));
        m.def("weighted_moments", &dense_moments_of<T>, nb::arg("columns"), nb::arg("index"),
              nb::arg("h"), fixed("first"), fixed("second"), nb::arg("n_threads"));
    });
    m.def("combine_rows", &combine_rows, nb::arg("rows"), nb::arg("coef"), fixed("out"));
    for_compressed([&]<typename T, typename I>() {
        m.def("weighted_moments", &sparse_moments_of<T, I>, nb::arg("indptr"), nb::arg("indices"),
              nb::arg("data"), nb::arg("index"), nb::arg("h"), fixed("first"), fixed("second"),
              nb::arg("n_threads"));
        m.def("sparse_combine", &sparse_combine<T, I>, nb::arg("indptr"), nb::arg("indices"),
              nb::arg("data"), nb::arg("index"), nb::arg("coef"), fixed("out"));
    });
}

}  // namespace margin
