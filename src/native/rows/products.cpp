// Products of a data matrix with coefficients, and the fused pass of a linear model:
// predictions, loss and gradient while the rows are in cache.
#include <nanobind/nanobind.h>
#include <nanobind/ndarray.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <stdexcept>
#include <vector>

#include "common/bind.hpp"
#include "common/compressed.hpp"
#include "common/native.hpp"
#include "common/team.hpp"
#include "rows/fused_pass.hpp"
#include "rows/loss_kernels.hpp"

namespace margin {
namespace {

// out[r, :] = sum over the stored entries of row r of value * coef[column, :].
template <typename T, typename I>
[[gnu::always_inline]] inline void csr_rows(const I *indptr, const I *indices, const T *data,
                                            const double *coef, double *out, std::size_t first,
                                            std::size_t last, std::size_t k) {
    if (k == 1) {
        for (std::size_t r = first; r < last; ++r) {
            double a = 0.0, b = 0.0;  // two chains hide the latency of the additions
            I at = indptr[r];
            const I end = indptr[r + 1];
            for (; at + 1 < end; at += 2) {
                a += data[at] * coef[indices[at]];
                b += data[at + 1] * coef[indices[at + 1]];
            }
            if (at < end) a += data[at] * coef[indices[at]];
            out[r] = a + b;
        }
        return;
    }
    for (std::size_t r = first; r < last; ++r) {
        double *row = out + r * k;
        std::fill(row, row + k, 0.0);
        for (I at = indptr[r]; at < indptr[r + 1]; ++at) {
            const double v = data[at];
            const double *c = coef + static_cast<std::size_t>(indices[at]) * k;
#pragma omp simd
            for (std::size_t j = 0; j < k; ++j) row[j] += v * c[j];
        }
    }
}

// The column indices are trusted: callers validate a matrix once, not on every product.
template <typename T, typename I>
void csr_product(Vector<const I> indptr, Vector<const I> indices, Vector<const T> data,
                 Matrix<const double> coef, Matrix<double> out, int n_threads) {
    const std::size_t rows = out.shape(0), k = out.shape(1);
    if (indptr.size() != rows + 1 || coef.shape(1) != k || indices.size() != data.size())
        throw std::invalid_argument("csr_product: arrays of different shape");
    const auto matrix =
        compressed<T, I>(indptr, indices, data, "csr_product: malformed row pointers");
    const I *ptr = matrix.indptr.data(), *ind = matrix.indices.data();
    const T *val = matrix.data.data();
    const double *cp = coef.data();
    double *op = out.data();

    nb::gil_scoped_release release;
    // Blocks of equal numbers of stored entries balance rows of very different length.
    const Index blocks = std::max<Index>(1, 4 * n_threads);
    const std::size_t entries = data.size();
    team::each(n_threads, double(entries) * double(k), blocks, [&](Index b) {
        const auto bound = [&](Index part) {
            const I target = static_cast<I>(entries * part / blocks);
            return static_cast<std::size_t>(std::lower_bound(ptr, ptr + rows, target) - ptr);
        };
        const std::size_t last = b + 1 == blocks ? rows : bound(b + 1);
        csr_rows(ptr, ind, val, cp, op, b == 0 ? 0 : bound(b), last, k);
    });
}

constexpr std::size_t tile_rows = 64;

template <typename T>
[[gnu::always_inline]] inline double dot(const T *x, const double *w, std::size_t p) {
    double sum = 0.0;
#pragma omp simd reduction(+ : sum)
    for (std::size_t j = 0; j < p; ++j) sum += x[j] * w[j];
    return sum;
}

// One sweep over rows [0, n): prediction, loss, and gradient += slope * row; last entry: sum of
// slopes.
template <typename T, typename Loss>
[[gnu::always_inline]] inline double pass(const T *X, const double *y, const double *weight,
                                          const double *w, double offset, double *curvature,
                                          double *gradient, std::size_t n, std::size_t p) {
    double total = 0.0, slope_sum = 0.0;
    double z[tile_rows], g[tile_rows];
    for (std::size_t at = 0; at < n; at += tile_rows) {
        const std::size_t size = std::min(tile_rows, n - at);
        const T *tile = X + at * p;
        std::size_t row = 0;
        for (; row + 4 <= size; row += 4) {  // four chains hide the latency of the additions
            const T *x = tile + row * p;
            double a = 0.0, b = 0.0, c = 0.0, d = 0.0;
#pragma omp simd reduction(+ : a, b, c, d)
            for (std::size_t j = 0; j < p; ++j) {
                a += x[j] * w[j];
                b += x[j + p] * w[j];
                c += x[j + 2 * p] * w[j];
                d += x[j + 3 * p] * w[j];
            }
            z[row] = offset + a;
            z[row + 1] = offset + b;
            z[row + 2] = offset + c;
            z[row + 3] = offset + d;
        }
        for (; row < size; ++row) z[row] = offset + dot(tile + row * p, w, p);
#pragma omp simd reduction(+ : total, slope_sum)
        for (std::size_t i = 0; i < size; ++i) {
            double v, d, h;
            Loss::evaluate(z[i], y[at + i], v, d, h);
            const double s = weight ? weight[at + i] : 1.0;
            total += s * v;
            g[i] = s * d;
            slope_sum += g[i];
            if (curvature) curvature[at + i] = s * h;
        }
        std::size_t i = 0;
        for (; i + 4 <= size; i += 4) {
            const T *x = tile + i * p;
            const double a = g[i], b = g[i + 1], c = g[i + 2], d = g[i + 3];
#pragma omp simd
            for (std::size_t j = 0; j < p; ++j)
                gradient[j] += (a * x[j] + b * x[j + p]) + (c * x[j + 2 * p] + d * x[j + 3 * p]);
        }
        for (; i < size; ++i) {
            const T *x = tile + i * p;
#pragma omp simd
            for (std::size_t j = 0; j < p; ++j) gradient[j] += g[i] * x[j];
        }
    }
    gradient[p] += slope_sum;
    return total;
}

#define MARGIN_PASS(name, T, Loss)                                                                 \
    MARGIN_CLONES double name(const T *X, const double *y, const double *s, const double *w,       \
                              double offset, double *h, double *g, std::size_t n, std::size_t p) { \
        return pass<T, Loss>(X, y, s, w, offset, h, g, n, p);                                      \
    }
MARGIN_PASS(pass_squared_f64, double, SquaredLoss)
MARGIN_PASS(pass_squared_f32, float, SquaredLoss)
MARGIN_PASS(pass_logistic_f64, double, LogisticLoss)
MARGIN_PASS(pass_logistic_f32, float, LogisticLoss)
MARGIN_PASS(pass_poisson_f64, double, PoissonLoss)
MARGIN_PASS(pass_poisson_f32, float, PoissonLoss)
#undef MARGIN_PASS

template <typename T>
using Pass = double (*)(const T *, const double *, const double *, const double *, double, double *,
                        double *, std::size_t, std::size_t);

template <typename T>
Pass<T> pass_of(int loss);
template <>
Pass<double> pass_of<double>(int loss) {
    switch (static_cast<LossId>(loss)) {
        case LossId::squared: return pass_squared_f64;
        case LossId::logistic: return pass_logistic_f64;
        case LossId::poisson: return pass_poisson_f64;
    }
    throw std::invalid_argument("linear_pass: unknown loss");
}
template <>
Pass<float> pass_of<float>(int loss) {
    switch (static_cast<LossId>(loss)) {
        case LossId::squared: return pass_squared_f32;
        case LossId::logistic: return pass_logistic_f32;
        case LossId::poisson: return pass_poisson_f32;
    }
    throw std::invalid_argument("linear_pass: unknown loss");
}

}  // namespace

template <typename T>
double fused_pass(int loss, const LinearRows<T> &given, const double *w, double offset,
                  double *curvature, double *gradient, int n_threads) {
    const Pass<T> run = pass_of<T>(loss);
    const T *X = given.X;
    const double *y = given.y, *weight = given.weight;
    const std::size_t n = given.n, p = given.p;
    // At most 64 fixed blocks, reduced in order: the same answer for any number of threads.
    const std::size_t cached = std::clamp<std::size_t>((std::size_t{1} << 17) / (p + 1), 16, 1024);
    const std::size_t rows = std::max<std::size_t>(cached, (n + 63) / 64);
    const Index blocks = (n + rows - 1) / rows;
    std::vector<double> partial(blocks * (p + 1), 0.0), values(blocks, 0.0);
    team::each(n_threads, double(n) * double(p), blocks, [&](Index b) {
        const std::size_t at = b * rows, size = std::min(rows, n - at);
        values[b] =
            run(X + at * p, y + at, weight ? weight + at : nullptr, w, offset,
                curvature ? curvature + at : nullptr, partial.data() + b * (p + 1), size, p);
    });
    double total = 0.0;
    std::fill(gradient, gradient + p + 1, 0.0);
    for (Index b = 0; b < blocks; ++b) {
        total += values[b];
        for (std::size_t j = 0; j <= p; ++j) gradient[j] += partial[b * (p + 1) + j];
    }
    return total;
}

template double fused_pass<double>(int, const LinearRows<double> &, const double *, double,
                                   double *, double *, int);
template double fused_pass<float>(int, const LinearRows<float> &, const double *, double, double *,
                                  double *, int);

namespace {

template <typename T>
double linear_pass(int loss, Matrix<const T> X, Vector<const double> y,
                   std::optional<Vector<const double>> weight, Vector<const double> w,
                   double offset, std::optional<Vector<double>> curvature, Vector<double> gradient,
                   int n_threads) {
    const std::size_t n = X.shape(0), p = X.shape(1);
    if (y.size() != n || w.size() != p || gradient.size() != p + 1 ||
        (weight && weight->size() != n) || (curvature && curvature->size() != n))
        throw std::invalid_argument("linear_pass: arrays of different shape");
    const LinearRows<T> rows{X.data(), y.data(), weight ? weight->data() : nullptr, n, p};
    const double *wp = w.data();
    double *hp = curvature ? curvature->data() : nullptr, *gp = gradient.data();
    nb::gil_scoped_release release;
    return fused_pass(loss, rows, wp, offset, hp, gp, n_threads);
}

}  // namespace

void bind_products(nb::module_ &m) {
    for_compressed([&]<typename T, typename I>() {
        m.def("csr_product", &csr_product<T, I>, fixed("indptr"), fixed("indices"), fixed("data"),
              fixed("coef"), fixed("out"), nb::arg("n_threads"));
    });
    for_tables([&]<typename T>() {
        m.def("linear_pass", &linear_pass<T>, nb::arg("loss"), fixed("X"), fixed("y"),
              maybe("weight"), fixed("w"), nb::arg("offset"), maybe("curvature"), fixed("gradient"),
              nb::arg("n_threads"));
    });
}

}  // namespace margin
