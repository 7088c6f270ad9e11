// Losses over vectors of predictions: sum of values, slopes and curvatures in one sweep.
#include <nanobind/nanobind.h>
#include <nanobind/ndarray.h>

#include <algorithm>
#include <cstddef>
#include <optional>
#include <stdexcept>
#include <vector>

#include "common/bind.hpp"
#include "common/native.hpp"
#include "common/team.hpp"
#include "rows/loss_kernels.hpp"

namespace margin {
namespace {

// Fixed blocks, reduced in order: the same sum whatever the number of threads.
constexpr std::size_t block_rows = 4096;
constexpr double function_work = 20.0;  // an exponential, in numbers read

constexpr std::size_t tile = 64;

// Values are rounded before they are added, so that the sum is the same with curvatures and
// without: the compiler may fuse a product and a sum in one loop and not in its twin.
template <typename Loss>
[[gnu::always_inline]] inline double sweep(const double *z, const double *y, const double *weight,
                                           double *slope, double *curvature, std::size_t n) {
    double total = 0.0, value[tile];
    for (std::size_t at = 0; at < n; at += tile) {
        const std::size_t end = std::min(n, at + tile);
#pragma omp simd
        for (std::size_t i = at; i < end; ++i) {
            double v, g, h;
            Loss::evaluate(z[i], y[i], v, g, h);
            const double s = weight ? weight[i] : 1.0;
            value[i - at] = s * v;
            slope[i] = s * g;
            if (curvature) curvature[i] = s * h;
        }
#pragma omp simd reduction(+ : total)
        for (std::size_t i = 0; i < end - at; ++i) total += value[i];
    }
    return total;
}

MARGIN_CLONES double sweep_squared(const double *z, const double *y, const double *s, double *g,
                                   double *h, std::size_t n) {
    return sweep<SquaredLoss>(z, y, s, g, h, n);
}

MARGIN_CLONES double sweep_logistic(const double *z, const double *y, const double *s, double *g,
                                    double *h, std::size_t n) {
    return sweep<LogisticLoss>(z, y, s, g, h, n);
}

MARGIN_CLONES double sweep_poisson(const double *z, const double *y, const double *s, double *g,
                                   double *h, std::size_t n) {
    return sweep<PoissonLoss>(z, y, s, g, h, n);
}

using Sweep = double (*)(const double *, const double *, const double *, double *, double *,
                         std::size_t);

Sweep sweep_of(int loss) {
    switch (static_cast<LossId>(loss)) {
        case LossId::squared: return sweep_squared;
        case LossId::logistic: return sweep_logistic;
        case LossId::poisson: return sweep_poisson;
    }
    throw std::invalid_argument("loss_sweep: unknown loss");
}

double loss_sweep(int loss, Vector<const double> z, Vector<const double> y,
                  std::optional<Vector<const double>> weight, Vector<double> slope,
                  std::optional<Vector<double>> curvature, int n_threads) {
    const std::size_t n = z.size();
    if (y.size() != n || slope.size() != n || (weight && weight->size() != n) ||
        (curvature && curvature->size() != n))
        throw std::invalid_argument("loss_sweep: arrays of different length");
    const Sweep run = sweep_of(loss);
    const double *zp = z.data(), *yp = y.data(), *sp = weight ? weight->data() : nullptr;
    double *gp = slope.data(), *hp = curvature ? curvature->data() : nullptr;

    nb::gil_scoped_release release;
    const Index blocks = (n + block_rows - 1) / block_rows;
    std::vector<double> partial(blocks, 0.0);
    team::each(n_threads, function_work * double(n), blocks, [&](Index b) {
        const std::size_t at = b * block_rows, size = std::min(block_rows, n - at);
        partial[b] =
            run(zp + at, yp + at, sp ? sp + at : nullptr, gp + at, hp ? hp + at : nullptr, size);
    });
    double total = 0.0;
    for (double p : partial) total += p;
    return total;
}

// Rows of scores z become weighted slopes softmax(z) - one_hot(code); probabilities on request.
MARGIN_CLONES double softmax_rows(const double *z, const std::int64_t *code, const double *weight,
                                  double *slope, double *probability, std::size_t n,
                                  std::size_t k) {
    double total = 0.0;
    for (std::size_t i = 0; i < n; ++i, z += k, slope += k) {
        double top = z[0];
        for (std::size_t j = 1; j < k; ++j) top = z[j] > top ? z[j] : top;
        double sum = 0.0;
#pragma omp simd reduction(+ : sum)
        for (std::size_t j = 0; j < k; ++j) {
            slope[j] = exp_negative(top - z[j]);
            sum += slope[j];
        }
        const double s = weight ? weight[i] : 1.0;
        const double scale = 1.0 / sum;
        if (probability)
            for (std::size_t j = 0; j < k; ++j) probability[i * k + j] = scale * slope[j];
        for (std::size_t j = 0; j < k; ++j) slope[j] *= s * scale;
        slope[code[i]] -= s;
        total += s * (top - z[code[i]] + __builtin_log(sum));
    }
    return total;
}

double softmax_sweep(Matrix<const double> z, Vector<const std::int64_t> code,
                     std::optional<Vector<const double>> weight, Matrix<double> slope,
                     std::optional<Matrix<double>> probability, int n_threads) {
    const std::size_t n = z.shape(0), k = z.shape(1);
    if (k == 0) throw std::invalid_argument("softmax_sweep: scores must have at least one column");
    if (code.size() != n || slope.shape(0) != n || slope.shape(1) != k ||
        (weight && weight->size() != n) ||
        (probability && (probability->shape(0) != n || probability->shape(1) != k)))
        throw std::invalid_argument("softmax_sweep: arrays of different shape");
    const std::int64_t *cp = code.data();
    for (std::size_t i = 0; i < n; ++i)
        if (cp[i] < 0 || cp[i] >= static_cast<std::int64_t>(k))
            throw std::invalid_argument("softmax_sweep: class code out of range");
    const double *zp = z.data(), *sp = weight ? weight->data() : nullptr;
    double *gp = slope.data(), *pp = probability ? probability->data() : nullptr;

    nb::gil_scoped_release release;
    const std::size_t rows = std::max<std::size_t>(1, block_rows / k);
    const Index blocks = (n + rows - 1) / rows;
    std::vector<double> partial(blocks, 0.0);
    team::each(n_threads, function_work * double(n) * double(k), blocks, [&](Index b) {
        const std::size_t at = b * rows, size = std::min(rows, n - at);
        partial[b] = softmax_rows(zp + at * k, cp + at, sp ? sp + at : nullptr, gp + at * k,
                                  pp ? pp + at * k : nullptr, size, k);
    });
    double total = 0.0;
    for (double p : partial) total += p;
    return total;
}

}  // namespace

void bind_pointwise(nb::module_ &m) {
    m.def("loss_sweep", &loss_sweep, nb::arg("loss"), fixed("z"), fixed("y"), maybe("weight"),
          fixed("slope"), maybe("curvature"), nb::arg("n_threads"));
    m.def("softmax_sweep", &softmax_sweep, fixed("z"), fixed("code"), maybe("weight"),
          fixed("slope"), maybe("probability"), nb::arg("n_threads"));
}

}  // namespace margin
