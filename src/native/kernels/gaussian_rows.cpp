// Rows of a Gaussian kernel matrix exp(-|a - b|^2 / 2), and their products with coefficients, from
// scalar products that stay in registers until the exponential is taken. The columns come packed in
// panels, panel[k][j] = coordinate k of the j-th of `width` objects, padded with zeros.
#include <nanobind/nanobind.h>
#include <nanobind/ndarray.h>

#include <algorithm>
#include <cstddef>
#include <stdexcept>
#include <vector>

#include "common/bind.hpp"
#include "common/native.hpp"
#include "common/team.hpp"
#include "kernels/profiles.hpp"

namespace margin {
namespace {

constexpr std::size_t height = 4;    // rows at a time
constexpr std::size_t chunk = 64;    // rows of one task
constexpr double value_work = 40.0;  // a product of rows and its exponential, in numbers read
constexpr std::size_t tile_bytes = 128 * 1024;  // of panels, to stay in the second cache

template <typename T>
constexpr std::size_t width = 64 / sizeof(T);

// values[i][j] = exp(-(|a_i|^2 + |b_j|^2) / 2 + a_i b_j) for `height` rows and one panel.
template <typename T>
[[gnu::always_inline]] inline void panel_values(const T *const *rows, const T *norms,
                                                const T *panel, const T *panel_norms, std::size_t p,
                                                T (&values)[height][width<T>]) {
    constexpr std::size_t w = width<T>;
    T dots[height][w] = {};
    for (std::size_t k = 0; k < p; ++k, panel += w)
        for (std::size_t i = 0; i < height; ++i) {
            const T a = rows[i][k];
#pragma omp simd
            for (std::size_t j = 0; j < w; ++j) dots[i][j] += a * panel[j];
        }
    for (std::size_t i = 0; i < height; ++i) {
        const T own = norms[i];
#pragma omp simd
        for (std::size_t j = 0; j < w; ++j) {
            const T half = T(0.5) * (own + panel_norms[j]) - dots[i][j];
            values[i][j] = decay(half > T(0) ? half : T(0));
        }
    }
}

template <typename T>
struct Rows {
    const T *values, *norms;
    std::size_t count, p;
};

template <typename T>
struct Panels {
    const T *values, *norms;
    std::size_t from, to;
};

// The values themselves, of row length n, or their sums with coefficients.
template <typename T>
struct Target {
    T *out;
    std::size_t n;
    const T *coef = nullptr;
    double *sums = nullptr;
    std::size_t n_sums = 0, padded = 0;
};

// Rows [0, count) against panels [from, to): the values, or their sums with coefficients.
template <typename T>
[[gnu::always_inline]] inline void block(const Rows<T> &left, const Panels<T> &right,
                                         const Target<T> &target) {
    const auto [A, norms, count, p] = left;
    const auto [panels, panel_norms, from, to] = right;
    const auto [out, n, coef, sums, n_sums, padded] = target;
    constexpr std::size_t w = width<T>;
    T values[height][w];
    for (std::size_t at = 0; at < count; at += height) {
        const std::size_t some = std::min(height, count - at);
        const T *rows[height];
        T own[height];
        // Missing rows are copies of the last: every row sees the same operations.
        for (std::size_t i = 0; i < height; ++i) {
            const std::size_t r = at + std::min(i, some - 1);
            rows[i] = A + r * p;
            own[i] = norms[r];
        }
        for (std::size_t q = from; q < to; ++q) {
            panel_values<T>(rows, own, panels + q * p * w, panel_norms + q * w, p, values);
            if (out) {
                const std::size_t columns = std::min(w, n - q * w);
                for (std::size_t i = 0; i < some; ++i)
                    std::copy_n(values[i], columns, out + (at + i) * n + q * w);
                continue;
            }
            for (std::size_t o = 0; o < n_sums; ++o) {
                const T *c = coef + o * padded + q * w;
                for (std::size_t i = 0; i < some; ++i) {
                    T sum = 0;
#pragma omp simd reduction(+ : sum)
                    for (std::size_t j = 0; j < w; ++j) sum += values[i][j] * c[j];
                    sums[(at + i) * n_sums + o] += static_cast<double>(sum);
                }
            }
        }
    }
}

MARGIN_CLONES void run(const Rows<float> &left, const Panels<float> &right,
                       const Target<float> &target) {
    block(left, right, target);
}
MARGIN_CLONES void run(const Rows<double> &left, const Panels<double> &right,
                       const Target<double> &target) {
    block(left, right, target);
}

template <typename T>
std::size_t panels_per_tile(std::size_t p) {
    const std::size_t panel_bytes = width<T> * sizeof(T) * std::max<std::size_t>(1, p);
    return std::max<std::size_t>(1, tile_bytes / panel_bytes);
}

template <typename T>
void check_shapes(const Matrix<const T> &A, const Vector<const T> &norms,
                  const Vector<const T> &panels, const Vector<const T> &panel_norms,
                  std::size_t n) {
    const std::size_t count = (n + width<T> - 1) / width<T>;
    if (norms.size() != A.shape(0) || panel_norms.size() != count * width<T> ||
        panels.size() != count * width<T> * A.shape(1))
        throw std::invalid_argument("gaussian_rows: arrays of different shape");
}

template <typename T>
void gaussian_rows(Matrix<const T> A, Vector<const T> norms, Vector<const T> panels,
                   Vector<const T> panel_norms, Matrix<T> out, int n_threads) {
    const std::size_t m = A.shape(0), p = A.shape(1), n = out.shape(1);
    check_shapes<T>(A, norms, panels, panel_norms, n);
    if (out.shape(0) != m) throw std::invalid_argument("gaussian_rows: arrays of different shape");
    const T *a = A.data(), *an = norms.data(), *b = panels.data(), *bn = panel_norms.data();
    T *o = out.data();
    const std::size_t count = (n + width<T> - 1) / width<T>, step = panels_per_tile<T>(p);
    nb::gil_scoped_release release;
    const double work = value_work * double(m) * double(n);
    team::each_block(n_threads, work, count, step, [&](std::size_t from, std::size_t to) {
        run(Rows<T>{a, an, m, p}, Panels<T>{b, bn, from, to}, Target<T>{o, n});
    });
}

// out[i, o] = sum_j exp(-|a_i - b_j|^2 / 2) coef[o, j]; coef is padded with zeros like the panels.
template <typename T>
void gaussian_sums(Matrix<const T> A, Vector<const T> norms, Vector<const T> panels,
                   Vector<const T> panel_norms, Matrix<const T> coef, Matrix<double> out,
                   int n_threads) {
    const std::size_t m = A.shape(0), p = A.shape(1), padded = coef.shape(1), k = coef.shape(0);
    check_shapes<T>(A, norms, panels, panel_norms, padded);
    if (out.shape(0) != m || out.shape(1) != k || padded % width<T> != 0)
        throw std::invalid_argument("gaussian_sums: arrays of different shape");
    const T *a = A.data(), *an = norms.data(), *b = panels.data(), *bn = panel_norms.data();
    const T *c = coef.data();
    double *o = out.data();
    const std::size_t count = padded / width<T>, step = panels_per_tile<T>(p);
    nb::gil_scoped_release release;
    const double work = value_work * double(m) * double(padded);
    team::each_block(n_threads, work, m, chunk, [&](std::size_t at, std::size_t last) {
        const std::size_t some = last - at;
        std::fill_n(o + at * k, some * k, 0.0);
        for (std::size_t from = 0; from < count; from += step)
            run(Rows<T>{a + at * p, an + at, some, p},
                Panels<T>{b, bn, from, std::min(count, from + step)},
                Target<T>{nullptr, padded, c, o + at * k, k, padded});
    });
}

}  // namespace

void bind_gaussian_rows(nb::module_ &m) {
    for_tables([&]<typename T>() {
        m.def("gaussian_rows", &gaussian_rows<T>, fixed("A"), fixed("norms"), fixed("panels"),
              fixed("panel_norms"), fixed("out"), nb::arg("n_threads"));
        m.def("gaussian_sums", &gaussian_sums<T>, fixed("A"), fixed("norms"), fixed("panels"),
              fixed("panel_norms"), fixed("coef"), fixed("out"), nb::arg("n_threads"));
    });
}

}  // namespace margin
