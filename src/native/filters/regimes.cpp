// Forward-backward over the regimes of a switching model, on tables of log densities.
#include <nanobind/nanobind.h>
#include <nanobind/ndarray.h>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <limits>
#include <stdexcept>
#include <vector>

#include "common/bind.hpp"
#include "common/native.hpp"
#include "common/team.hpp"
#include "filters/bindings.hpp"

namespace margin {
namespace {

constexpr double kNone = -std::numeric_limits<double>::infinity();

// One sequence; rows of `after` and `smooth` are probabilities, `pairs` are expected transitions.
double walk(const double *log_density, std::size_t T, std::size_t K, const double *start,
            const double *move, double *after, double *smooth, double *pairs) {
    double log_prob = 0.0;
    std::vector<double> before(start, start + K), scale(K);
    for (std::size_t t = 0; t < T; ++t) {
        const double *row = log_density + t * K;
        double *now = after + t * K;
        if (t) {
            const double *last = now - K;
            std::fill(before.begin(), before.end(), 0.0);
            for (std::size_t i = 0; i < K; ++i)
                for (std::size_t j = 0; j < K; ++j) before[j] += last[i] * move[i * K + j];
        }
        double top = kNone, sum = 0.0;
        for (std::size_t j = 0; j < K; ++j)
            if (before[j] > 0.0) top = std::max(top, row[j]);
        if (top == kNone) return kNone;
        for (std::size_t j = 0; j < K; ++j)
            sum += now[j] = before[j] > 0.0 ? before[j] * std::exp(row[j] - top) : 0.0;
        for (std::size_t j = 0; j < K; ++j) now[j] /= sum;
        log_prob += top + std::log(sum);
    }
    if (!smooth || T == 0) return log_prob;
    std::copy_n(after + (T - 1) * K, K, smooth + (T - 1) * K);
    for (std::size_t t = T - 1; t-- > 0;) {
        const double *now = after + t * K, *later = smooth + (t + 1) * K;
        double *to = smooth + t * K;
        std::fill(before.begin(), before.end(), 0.0);
        for (std::size_t i = 0; i < K; ++i)
            for (std::size_t j = 0; j < K; ++j) before[j] += now[i] * move[i * K + j];
        for (std::size_t j = 0; j < K; ++j) scale[j] = before[j] > 0.0 ? later[j] / before[j] : 0.0;
        for (std::size_t i = 0; i < K; ++i) {
            double sum = 0.0;
            for (std::size_t j = 0; j < K; ++j) {
                const double both = now[i] * move[i * K + j] * scale[j];
                sum += both;
                if (pairs) pairs[i * K + j] += both;
            }
            to[i] = sum;
        }
    }
    return log_prob;
}

void regimes(Matrix<const double> log_density, Vector<const std::int64_t> offsets,
             Vector<const double> start, Matrix<const double> move, Vector<double> log_prob,
             Matrix<double> after, std::optional<Matrix<double>> smooth,
             std::optional<Matrix<double>> pairs, int n_threads) {
    const std::size_t rows = log_density.shape(0), K = log_density.shape(1);
    const std::size_t sequences = log_prob.shape(0);
    const bool fits = start.shape(0) == K && move.shape(0) == K && move.shape(1) == K && K > 0 &&
                      offsets.shape(0) == sequences + 1 && after.shape(0) == rows &&
                      after.shape(1) == K && offsets.data()[0] == 0 &&
                      offsets.data()[sequences] == static_cast<std::int64_t>(rows);
    if (!fits || (smooth && (smooth->shape(0) != rows || smooth->shape(1) != K)) ||
        (pairs && (pairs->shape(0) != sequences || pairs->shape(1) != K * K)))
        throw std::invalid_argument("regimes: arrays of different shape");
    double *sm = smooth ? smooth->data() : nullptr, *pa = pairs ? pairs->data() : nullptr;
    nb::gil_scoped_release release;
    team::each(n_threads, double(rows) * double(K * K) * 4.0, Index(sequences), [&](Index i) {
        const auto first = static_cast<std::size_t>(offsets.data()[i]);
        const auto last = static_cast<std::size_t>(offsets.data()[i + 1]);
        log_prob.data()[i] = walk(log_density.data() + first * K, last - first, K, start.data(),
                                  move.data(), after.data() + first * K,
                                  sm ? sm + first * K : nullptr, pa ? pa + i * K * K : nullptr);
    });
}

}  // namespace

void bind_regimes(nb::module_ &m) {
    m.def("regimes", &regimes, fixed("log_density"), fixed("offsets"), fixed("start"),
          fixed("move"), fixed("log_prob"), fixed("after"), maybe("smooth"), maybe("pairs"),
          nb::arg("n_threads"));
}

}  // namespace margin
