// Sums over the columns of a data matrix, and their products with one vector.
#include <nanobind/nanobind.h>
#include <nanobind/ndarray.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <stdexcept>
#include <vector>

#include "columns/dense.hpp"
#include "columns/kernels.hpp"
#include "common/bind.hpp"
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

}  // namespace

void bind_column_sums(nb::module_ &m) {
    for_tables([&]<typename T>() {
        m.def("correlate", &correlate<T>, nb::arg("X"), nb::arg("v"), nb::arg("shift"),
              fixed("out"), nb::arg("n_threads"));
    });
}

}  // namespace margin
