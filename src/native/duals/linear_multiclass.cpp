// Crammer and Singer's machine without a kernel: passes over the rows, all multipliers of a row at
// once. b[i, k] are the coefficients of row i in the function of class k, and the columns of
// W = sum_i x_i b[i, :], the constant feature last, are the functions.
#include <nanobind/nanobind.h>
#include <nanobind/ndarray.h>

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <stdexcept>
#include <utility>
#include <vector>

#include "common/native.hpp"
#include "duals/crammer_singer.hpp"
#include "duals/rows.hpp"

namespace margin {
namespace {

constexpr std::size_t lanes = 4;  // classes side by side in a register

template <typename T>
[[gnu::always_inline]] inline std::size_t entries(const DenseRows<T> &data, std::size_t) {
    return data.p;
}
template <typename T>
[[gnu::always_inline]] inline std::pair<std::size_t, double> entry(const DenseRows<T> &data,
                                                                   std::size_t i, std::size_t at) {
    return {at, data.X[i * data.p + at]};
}
template <typename T, typename I>
[[gnu::always_inline]] inline std::size_t entries(const SparseRows<T, I> &data, std::size_t i) {
    return data.ptr[i + 1] - data.ptr[i];
}
template <typename T, typename I>
[[gnu::always_inline]] inline std::pair<std::size_t, double> entry(const SparseRows<T, I> &data,
                                                                   std::size_t i, std::size_t at) {
    const std::size_t place = data.ptr[i] + at;
    return {data.ind[place], data.val[place]};
}

template <typename Rows>
[[gnu::always_inline]] inline void scores(const Rows &data, std::size_t i, const double *W,
                                          std::size_t width, double *z) {
    const std::size_t count = entries(data, i);
    for (std::size_t k = 0; k < width; k += lanes) {
        double sum[lanes];
        for (std::size_t q = 0; q < lanes; ++q) sum[q] = data.constant * W[data.p * width + k + q];
        for (std::size_t at = 0; at < count; ++at) {
            const auto [j, x] = entry(data, i, at);
            const double *w = W + j * width + k;
            for (std::size_t q = 0; q < lanes; ++q) sum[q] += x * w[q];
        }
        for (std::size_t q = 0; q < lanes; ++q) z[k + q] = sum[q];
    }
}

template <typename Rows>
[[gnu::always_inline]] inline void add(const Rows &data, std::size_t i, const double *delta,
                                       std::size_t width, double *W) {
    const std::size_t count = entries(data, i);
    for (std::size_t k = 0; k < width; k += lanes) {
        bool moved = false;
        for (std::size_t q = 0; q < lanes; ++q) moved |= delta[k + q] != 0.0;
        if (!moved) continue;
        for (std::size_t at = 0; at < count; ++at) {
            const auto [j, x] = entry(data, i, at);
            double *w = W + j * width + k;
            for (std::size_t q = 0; q < lanes; ++q) w[q] += x * delta[k + q];
        }
        for (std::size_t q = 0; q < lanes; ++q)
            W[data.p * width + k + q] += data.constant * delta[k + q];
    }
}

struct Machine {
    const std::int64_t *codes;
    const double *cap, *square;
    std::size_t classes, width;  // width: classes, rounded up to whole registers
    double *b, *W;
};

// By how much the own class leads the strongest rival, less one; above 0 the row costs nothing.
double lead(const double *z, std::size_t own, std::size_t classes) {
    double best = -std::numeric_limits<double>::infinity();
    for (std::size_t k = 0; k < classes; ++k)
        if (k != own) best = std::max(best, z[k]);
    return z[own] - best - 1.0;
}

template <typename Rows>
[[gnu::always_inline]] inline std::size_t descend(const Rows &data, const Machine &it,
                                                  std::int64_t *rows, std::size_t active,
                                                  std::uint64_t seed, std::size_t limit,
                                                  bool shrinks) {
    Order order{seed};
    const std::size_t K = it.classes;
    std::vector<double> z(it.width), delta(it.width), work(K);
    std::size_t passes = 0;
    for (; passes < limit; ++passes) {
        for (std::size_t k = 0; k + 1 < active; ++k)
            std::swap(rows[k], rows[k + order.below(active - k)]);
        for (std::size_t k = 0; k < active;) {
            if (k + 3 < active) data.ahead(rows[k + 3]);
            const std::size_t i = rows[k], own = it.codes[i];
            double *b = it.b + i * K;
            if (!(it.square[i] > 0) || !(it.cap[i] > 0)) {
                std::swap(rows[k], rows[--active]);
                continue;
            }
            scores(data, i, it.W, it.width, z.data());
            if (shrinks && b[own] == 0.0 && lead(z.data(), own, K) > 0) {
                std::swap(rows[k], rows[--active]);
                continue;
            }
            std::copy(b, b + K, delta.begin());
            crammer_singer(it.square[i], it.cap[i], own, K, z.data(), b, work.data());
            double size = 0.0;
            for (std::size_t c = 0; c < K; ++c) {
                delta[c] = b[c] - delta[c];
                size = std::max(size, std::abs(delta[c]));
            }
            if (size > 0.0) add(data, i, delta.data(), it.width, it.W);
            ++k;
        }
    }
    return passes;
}

#define MARGIN_PASSES(...)                                                                         \
    MARGIN_CLONES void run(const __VA_ARGS__ &data, const Machine &it, std::int64_t *rows,         \
                           std::size_t active, std::uint64_t seed, std::size_t limit,              \
                           bool shrinks, std::size_t &made) {                                      \
        made = descend(data, it, rows, active, seed, limit, shrinks);                              \
    }
MARGIN_PASSES(DenseRows<double>)
MARGIN_PASSES(DenseRows<float>)
MARGIN_PASSES(SparseRows<double, std::int32_t>)
MARGIN_PASSES(SparseRows<float, std::int32_t>)
MARGIN_PASSES(SparseRows<double, std::int64_t>)
MARGIN_PASSES(SparseRows<float, std::int64_t>)
#undef MARGIN_PASSES

using Codes = Vector<const std::int64_t>;

// What follows the rows in both signatures.
struct Rest {
    Codes codes;
    Doubles cap, square;
    Matrix<double> b, W;
    Vector<std::int64_t> rows;
    std::uint64_t seed;
    std::size_t limit;
    bool shrinks;
};

template <typename Rows>
std::size_t solved(const Rows &data, std::size_t n, const Rest &rest) {
    const auto &[codes, cap, square, b, W, rows, seed, limit, shrinks] = rest;
    const std::size_t K = b.shape(1), width = W.shape(1);
    if (codes.size() != n || cap.size() != n || square.size() != n || b.shape(0) != n || K < 2 ||
        width % lanes != 0 || width < K)
        throw std::invalid_argument("linear_multiclass: arrays of different shape");
    for (std::size_t i = 0; i < n; ++i)
        if (codes.data()[i] < 0 || static_cast<std::size_t>(codes.data()[i]) >= K)
            throw std::invalid_argument("linear_multiclass: class out of range");
    check_rows(rows, n);
    const Machine it{codes.data(), cap.data(), square.data(), K, width, b.data(), W.data()};
    std::size_t made = 0;
    nb::gil_scoped_release release;
    run(data, it, rows.data(), rows.size(), seed, limit, shrinks, made);
    return made;
}

template <typename T>
std::size_t dense(Matrix<const T> X, double constant, Codes codes, Doubles cap, Doubles square,
                  Matrix<double> b, Matrix<double> W, Vector<std::int64_t> rows, std::uint64_t seed,
                  std::size_t limit, bool shrinks) {
    const DenseRows<T> data = dense_rows<T>(X, W.shape(0), constant);
    return solved(data, X.shape(0), {codes, cap, square, b, W, rows, seed, limit, shrinks});
}

template <typename T, typename I>
std::size_t sparse(Vector<const I> indptr, Vector<const I> indices, Vector<const T> values,
                   double constant, Codes codes, Doubles cap, Doubles square, Matrix<double> b,
                   Matrix<double> W, Vector<std::int64_t> rows, std::uint64_t seed,
                   std::size_t limit, bool shrinks) {
    const auto data = sparse_rows<T, I>(indptr, indices, values, W.shape(0), constant);
    return solved(data, indptr.size() - 1, {codes, cap, square, b, W, rows, seed, limit, shrinks});
}

}  // namespace

void bind_linear_multiclass(nb::module_ &m) {
    for_tables([&]<typename T>() {
        m.def("linear_multiclass_dense", &dense<T>, fixed("X"), nb::arg("constant"), fixed("codes"),
              fixed("cap"), fixed("square"), fixed("b"), fixed("W"), fixed("rows"), nb::arg("seed"),
              nb::arg("limit"), nb::arg("shrinks"));
    });
    for_compressed([&]<typename T, typename I>() {
        m.def("linear_multiclass_sparse", &sparse<T, I>, fixed("indptr"), fixed("indices"),
              fixed("values"), nb::arg("constant"), fixed("codes"), fixed("cap"), fixed("square"),
              fixed("b"), fixed("W"), fixed("rows"), nb::arg("seed"), nb::arg("limit"),
              nb::arg("shrinks"));
    });
}

}  // namespace margin
