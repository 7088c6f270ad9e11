// Log densities of rows under one product of normals per class.
#include <nanobind/nanobind.h>
#include <nanobind/ndarray.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <stdexcept>

#include "native.hpp"

namespace margin {
namespace {

// A column that is NaN in a row is unobserved: it adds nothing, its normalising constant included.
template <typename T>
[[gnu::always_inline]] inline void scores(const T *X, const double *mean, const double *half,
                                          const double *constant, double *out, std::size_t n,
                                          std::size_t p, std::size_t classes) {
    for (std::size_t i = 0; i < n; ++i, X += p, out += classes) {
        for (std::size_t k = 0; k < classes; ++k) {
            const double *m = mean + k * p, *h = half + k * p, *c = constant + k * p;
            double total = 0.0;
#pragma omp simd reduction(+ : total)
            for (std::size_t j = 0; j < p; ++j) {
                const double away = X[j] - m[j];
                total += away == away ? c[j] - h[j] * away * away : 0.0;
            }
            out[k] = total;
        }
    }
}

MARGIN_CLONES void scores_f64(const double *X, const double *mean, const double *half,
                              const double *constant, double *out, std::size_t n, std::size_t p,
                              std::size_t classes) {
    scores<double>(X, mean, half, constant, out, n, p, classes);
}

MARGIN_CLONES void scores_f32(const float *X, const double *mean, const double *half,
                              const double *constant, double *out, std::size_t n, std::size_t p,
                              std::size_t classes) {
    scores<float>(X, mean, half, constant, out, n, p, classes);
}

void run(const double *X, const double *mean, const double *half, const double *constant,
         double *out, std::size_t n, std::size_t p, std::size_t classes) {
    scores_f64(X, mean, half, constant, out, n, p, classes);
}

void run(const float *X, const double *mean, const double *half, const double *constant,
         double *out, std::size_t n, std::size_t p, std::size_t classes) {
    scores_f32(X, mean, half, constant, out, n, p, classes);
}

template <typename T>
void normal_scores(Matrix<const T> X, Matrix<const double> mean, Matrix<const double> half,
                   Matrix<const double> constant, Matrix<double> out, int n_threads) {
    const std::size_t n = X.shape(0), p = X.shape(1), classes = mean.shape(0);
    if (mean.shape(1) != p || half.shape(0) != classes || half.shape(1) != p ||
        constant.shape(0) != classes || constant.shape(1) != p || out.shape(0) != n ||
        out.shape(1) != classes)
        throw std::invalid_argument("normal_scores: arrays of different shape");
    const T *xp = X.data();
    const double *mp = mean.data(), *hp = half.data(), *cp = constant.data();
    double *op = out.data();

    nb::gil_scoped_release release;
    const std::size_t rows = 1024;
    const std::ptrdiff_t blocks = static_cast<std::ptrdiff_t>((n + rows - 1) / rows);
#pragma omp parallel for schedule(static) num_threads(n_threads) if (blocks > 1 && n_threads > 1)
    for (std::ptrdiff_t b = 0; b < blocks; ++b) {
        const std::size_t at = b * rows;
        run(xp + at * p, mp, hp, cp, op + at * classes, std::min(rows, n - at), p, classes);
    }
}

template <typename T>
void bind_normal_scores(nb::module_ &m) {
    m.def("normal_scores", &normal_scores<T>, nb::arg("X").noconvert(), nb::arg("mean").noconvert(),
          nb::arg("half").noconvert(), nb::arg("constant").noconvert(), nb::arg("out").noconvert(),
          nb::arg("n_threads"));
}

}  // namespace

void bind_naive_bayes(nb::module_ &m) {
    bind_normal_scores<double>(m);
    bind_normal_scores<float>(m);
}

}  // namespace margin
