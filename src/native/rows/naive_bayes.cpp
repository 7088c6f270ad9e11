// Naive Bayes: sums of the rows of each class, and their log densities under products of normals.
#include <nanobind/nanobind.h>
#include <nanobind/ndarray.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <optional>
#include <stdexcept>
#include <vector>

#include "common/bind.hpp"
#include "common/native.hpp"
#include "common/team.hpp"

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
    const double work = double(n) * double(p) * double(classes);
    team::each_block(n_threads, work, n, 1024, [&](std::size_t first, std::size_t last) {
        run(xp + first * p, mp, hp, cp, op + first * classes, last - first, p, classes);
    });
}

// Adds the rows to the sums of their classes; returns the least entry, in the same pass.
template <typename T>
[[gnu::always_inline]] inline double add_rows(const T *X, const std::int64_t *code,
                                              const double *weight, double *sum, std::size_t n,
                                              std::size_t p) {
    double least = std::numeric_limits<double>::infinity();
    for (std::size_t i = 0; i < n; ++i, X += p) {
        const double s = weight ? weight[i] : 1.0;
        double *t = sum + code[i] * p;
#pragma omp simd reduction(min : least)
        for (std::size_t j = 0; j < p; ++j) {
            const double x = X[j];
            t[j] += s * x;
            least = x < least ? x : least;
        }
    }
    return least;
}

MARGIN_CLONES double add_rows_f64(const double *X, const std::int64_t *code, const double *weight,
                                  double *sum, std::size_t n, std::size_t p) {
    return add_rows<double>(X, code, weight, sum, n, p);
}

MARGIN_CLONES double add_rows_f32(const float *X, const std::int64_t *code, const double *weight,
                                  double *sum, std::size_t n, std::size_t p) {
    return add_rows<float>(X, code, weight, sum, n, p);
}

double add(const double *X, const std::int64_t *code, const double *weight, double *sum,
           std::size_t n, std::size_t p) {
    return add_rows_f64(X, code, weight, sum, n, p);
}

double add(const float *X, const std::int64_t *code, const double *weight, double *sum,
           std::size_t n, std::size_t p) {
    return add_rows_f32(X, code, weight, sum, n, p);
}

template <typename T>
double class_sums(Matrix<const T> X, Vector<const std::int64_t> code,
                  std::optional<Vector<const double>> weight, Matrix<double> out, int n_threads) {
    const std::size_t n = X.shape(0), p = X.shape(1), classes = out.shape(0);
    if (code.size() != n || out.shape(1) != p || (weight && weight->size() != n))
        throw std::invalid_argument("class_sums: arrays of different shape");
    const std::int64_t *cp = code.data();
    for (std::size_t i = 0; i < n; ++i)
        if (cp[i] < 0 || cp[i] >= static_cast<std::int64_t>(classes))
            throw std::invalid_argument("class_sums: class code out of range");
    const T *xp = X.data();
    const double *wp = weight ? weight->data() : nullptr;
    double *op = out.data();

    nb::gil_scoped_release release;
    // At most 32 fixed blocks, reduced in order: the same answer for any number of threads.
    const std::size_t size = classes * p, rows = std::max<std::size_t>(2048, (n + 31) / 32);
    const Index blocks = (n + rows - 1) / rows;
    std::vector<double> partial(static_cast<std::size_t>(blocks) * size, 0.0), least(blocks);
    team::each(n_threads, double(n) * double(p), blocks, [&](Index b) {
        const std::size_t at = b * rows;
        least[b] = add(xp + at * p, cp + at, wp ? wp + at : nullptr, partial.data() + b * size,
                       std::min(rows, n - at), p);
    });
    std::fill(op, op + size, 0.0);
    double lowest = std::numeric_limits<double>::infinity();
    for (Index b = 0; b < blocks; ++b) {
        for (std::size_t j = 0; j < size; ++j) op[j] += partial[b * size + j];
        lowest = std::min(lowest, least[b]);
    }
    return lowest;
}

}  // namespace

void bind_naive_bayes(nb::module_ &m) {
    for_tables([&]<typename T>() {
        m.def("class_sums", &class_sums<T>, fixed("X"), fixed("code"), maybe("weight"),
              fixed("out"), nb::arg("n_threads"));
        m.def("normal_scores", &normal_scores<T>, fixed("X"), fixed("mean"), fixed("half"),
              fixed("constant"), fixed("out"), nb::arg("n_threads"));
    });
}

}  // namespace margin
