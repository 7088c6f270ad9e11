// Passes over the columns of a data matrix: products with one vector, weighted moments, gathering.
#include <nanobind/nanobind.h>
#include <nanobind/ndarray.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <stdexcept>
#include <vector>

#include "columns/kernels.hpp"
#include "common/native.hpp"
#include "common/team.hpp"

namespace margin {

MARGIN_CLONES double column_dot(const double *x, const double *v, std::size_t n) {
    return dense_dot(x, v, n);
}
MARGIN_CLONES double column_dot(const float *x, const double *v, std::size_t n) {
    return dense_dot(x, v, n);
}
MARGIN_CLONES void column_add(const double *x, double scale, double *v, std::size_t n) {
    dense_add(x, scale, v, n);
}
MARGIN_CLONES void column_add(const float *x, double scale, double *v, std::size_t n) {
    dense_add(x, scale, v, n);
}
MARGIN_CLONES void column_add_weighted(const double *x, double scale, const double *h, double *v,
                                       std::size_t n) {
    dense_add_weighted(x, scale, h, v, n);
}
MARGIN_CLONES void column_add_weighted(const float *x, double scale, const double *h, double *v,
                                       std::size_t n) {
    dense_add_weighted(x, scale, h, v, n);
}
MARGIN_CLONES void column_moments(const double *x, const double *h, double &first, double &second,
                                  std::size_t n) {
    dense_moments(x, h, first, second, n);
}
MARGIN_CLONES void column_moments(const float *x, const double *h, double &first, double &second,
                                  std::size_t n) {
    dense_moments(x, h, first, second, n);
}

namespace {

// Any dense matrix with one contiguous direction.
template <typename T>
using Dense = nb::ndarray<const T, nb::ndim<2>, nb::device::cpu>;

template <typename T>
bool rows_contiguous(const Dense<T> &X) {
    if (X.stride(1) == 1 || X.shape(1) <= 1) return true;
    if (X.stride(0) == 1 || X.shape(0) <= 1) return false;
    throw std::invalid_argument("columns: the matrix must be C- or Fortran-ordered");
}

// out[j] = sum_i v_i (x_ij - shift_j) over rows at distance `stride`, four at a time.
template <typename T>
[[gnu::always_inline]] inline void correlate_tile(const T *X, std::size_t stride, std::size_t n,
                                                  const double *v, const double *shift, double *out,
                                                  std::size_t p) {
    std::fill(out, out + p, 0.0);
    std::size_t i = 0;
    for (; i + 4 <= n; i += 4) {
        const T *x = X + i * stride, *y = x + stride, *z = y + stride, *u = z + stride;
        const double a = v[i], b = v[i + 1], c = v[i + 2], d = v[i + 3];
#pragma omp simd
        for (std::size_t j = 0; j < p; ++j) {
            const double s = shift[j];
            out[j] += (a * (x[j] - s) + b * (y[j] - s)) + (c * (z[j] - s) + d * (u[j] - s));
        }
    }
    for (; i < n; ++i) {
        const T *x = X + i * stride;
#pragma omp simd
        for (std::size_t j = 0; j < p; ++j) out[j] += v[i] * (x[j] - shift[j]);
    }
}

template <typename T>
[[gnu::always_inline]] inline double shifted_dot(const T *x, const double *v, double shift,
                                                 std::size_t n) {
    double sum = 0.0;
#pragma omp simd reduction(+ : sum)
    for (std::size_t i = 0; i < n; ++i) sum += (x[i] - shift) * v[i];
    return sum;
}

#define MARGIN_CORRELATE(T)                                                                        \
    MARGIN_CLONES void tile_of(const T *X, std::size_t stride, std::size_t n, const double *v,     \
                               const double *shift, double *out, std::size_t p) {                  \
        correlate_tile(X, stride, n, v, shift, out, p);                                            \
    }                                                                                              \
    MARGIN_CLONES double shifted(const T *x, const double *v, double shift, std::size_t n) {       \
        return shifted_dot(x, v, shift, n);                                                        \
    }
MARGIN_CORRELATE(double)
MARGIN_CORRELATE(float)
#undef MARGIN_CORRELATE

// out = (X - 1 shift')' v. Each column is summed by one thread, rows in order: the answer does not
// depend on the number of threads.
template <typename T>
void correlate(Dense<T> X, Vector<const double> v, Vector<const double> shift, Vector<double> out,
               int n_threads) {
    const std::size_t n = X.shape(0), p = X.shape(1);
    if (v.size() != n || shift.size() != p || out.size() != p)
        throw std::invalid_argument("correlate: arrays of different shape");
    const bool by_rows = rows_contiguous(X);
    const T *xp = X.data();
    const std::size_t stride = by_rows ? X.stride(0) : X.stride(1);
    const double *vp = v.data(), *sp = shift.data();
    double *op = out.data();

    nb::gil_scoped_release release;
    const std::size_t width = by_rows ? 1024 : 16;
    const double work = double(n) * double(p);
    team::each_block(n_threads, work, p, width, [&](std::size_t at, std::size_t last) {
        if (by_rows) {
            tile_of(xp + at, stride, n, vp, sp + at, op + at, last - at);
        } else {
            for (std::size_t j = at; j < last; ++j) op[j] = shifted(xp + j * stride, vp, sp[j], n);
        }
    });
}

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
    if (indptr.size() == 0 || indices.size() != data.size() ||
        static_cast<std::size_t>(indptr.data()[indptr.size() - 1]) != data.size())
        throw std::invalid_argument("weighted_moments: malformed columns");
    moments(SparseColumns<T, I>{indptr.data(), indices.data(), data.data()}, indptr.size() - 1,
            h.size(), index, h, first, second, n_threads);
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
    if (indptr.size() == 0 || indices.size() != data.size() || coef.size() != index.size())
        throw std::invalid_argument("sparse_combine: arrays of different shape");
    const SparseColumns<T, I> columns{indptr.data(), indices.data(), data.data()};
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

void bind_columns(nb::module_ &m) {
    m.def("correlate", &correlate<double>);
    m.def("correlate", &correlate<float>);
    m.def("gather_columns", &gather_columns<double>);
    m.def("gather_columns", &gather_columns<float>);
    m.def("weighted_moments", &dense_moments_of<double>);
    m.def("weighted_moments", &dense_moments_of<float>);
    m.def("weighted_moments", &sparse_moments_of<double, std::int32_t>);
    m.def("weighted_moments", &sparse_moments_of<double, std::int64_t>);
    m.def("weighted_moments", &sparse_moments_of<float, std::int32_t>);
    m.def("weighted_moments", &sparse_moments_of<float, std::int64_t>);
    m.def("combine_rows", &combine_rows);
    m.def("sparse_combine", &sparse_combine<double, std::int32_t>);
    m.def("sparse_combine", &sparse_combine<double, std::int64_t>);
    m.def("sparse_combine", &sparse_combine<float, std::int32_t>);
    m.def("sparse_combine", &sparse_combine<float, std::int64_t>);
}

}  // namespace margin
