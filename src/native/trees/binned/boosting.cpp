// Slopes and curvatures of the losses that boosting meets most, in one pass over the rows.
#include <algorithm>
#include <cmath>
#include <cstdint>
#include <stdexcept>
#include <vector>

#include "common/bind.hpp"
#include "common/elementary.hpp"
#include "common/native.hpp"
#include "common/team.hpp"
#include "trees/bindings.hpp"

namespace margin {

namespace {

constexpr Index block = 4096;

// Loops are written once for rows with weights and once for rows without: where a loop asks for
// each row, compilers divide it in two and leave one of them without wide registers.
template <typename Body>
[[gnu::always_inline]] inline auto weighed(const double *weight, const Body &body) {
    if (weight == nullptr) return body([](Index) [[gnu::always_inline]] { return 1.0; });
    return body([weight](Index i) [[gnu::always_inline]] { return weight[i]; });
}

// Each pass writes slope and curvature and returns the sum of the losses of its rows.
MARGIN_CLONES
double logistic_rows(const double *y, const double *raw, const double *weight, Index n, float *g,
                     float *h) {
    return weighed(weight, [=](const auto &weight_of) [[gnu::always_inline]] {
        double loss = 0.0;
#pragma omp simd reduction(+ : loss)
        for (Index i = 0; i < n; ++i) {
            const double f = raw[i], w = weight_of(i);
            const double e = exp_negative(std::abs(f));
            const double small = e / (1.0 + e);  // probability of the less likely class
            // p - y without 1 - small, which would round small away.
            g[i] = static_cast<float>(w * (f >= 0.0 ? (1.0 - y[i]) - small : small - y[i]));
            h[i] = static_cast<float>(w * small * (1.0 - small));
            loss += w * (log1p_unit(e) + (f > 0.0 ? f : 0.0) - y[i] * f);
        }
        return loss;
    });
}

MARGIN_CLONES
double squared_rows(const double *y, const double *raw, const double *weight, Index n, float *g,
                    float *h) {
    return weighed(weight, [=](const auto &weight_of) [[gnu::always_inline]] {
        double loss = 0.0;
#pragma omp simd reduction(+ : loss)
        for (Index i = 0; i < n; ++i) {
            const double r = raw[i] - y[i], w = weight_of(i);
            g[i] = static_cast<float>(w * r);
            loss += 0.5 * w * r * r;
        }
        if (h != nullptr)
            for (Index i = 0; i < n; ++i) h[i] = static_cast<float>(weight_of(i));
        return loss;
    });
}

// Logarithms of the sums of exp(score) over the classes, and the sum of the losses. The score of
// row i for class k is raw[k * stride + i].
MARGIN_CLONES
double softmax_rows(const std::int32_t *y, const double *raw, const double *weight, Index n,
                    Index classes, Index stride, double *log_sum) {
    constexpr Index width = 256;
    double loss = 0.0, top[width], sum[width];
    for (Index first = 0; first < n; first += width) {
        const Index m = std::min(width, n - first);
        for (Index i = 0; i < m; ++i) top[i] = raw[first + i], sum[i] = 0.0;
        for (Index k = 1; k < classes; ++k) {
            const double *own = raw + k * stride + first;
            for (Index i = 0; i < m; ++i) top[i] = own[i] > top[i] ? own[i] : top[i];
        }
        for (Index k = 0; k < classes; ++k) {
            const double *own = raw + k * stride + first;
#pragma omp simd
            for (Index i = 0; i < m; ++i) sum[i] += exp_negative(top[i] - own[i]);
        }
        for (Index i = 0; i < m; ++i) {
            const double w = weight != nullptr ? weight[first + i] : 1.0;
            log_sum[first + i] = std::log(sum[i]) + top[i];
            loss += w * (log_sum[first + i] - raw[y[first + i] * stride + first + i]);
        }
    }
    return loss;
}

// Slopes and curvatures of the scores of one class, whose code is `own`.
MARGIN_CLONES
void class_rows(Index own, const std::int32_t *y, const double *raw, const double *log_sum,
                const double *weight, double bend, Index n, float *g, float *h) {
    weighed(weight, [=](const auto &weight_of) [[gnu::always_inline]] {
#pragma omp simd
        for (Index i = 0; i < n; ++i) {
            const double w = weight_of(i);
            // Never below 0 but for rounding.
            const double p = exp_negative(std::abs(log_sum[i] - raw[i]));
            g[i] = static_cast<float>(w * (p - (y[i] == own ? 1.0 : 0.0)));
            h[i] = static_cast<float>(bend * w * p * (1.0 - p));
        }
    });
}

template <typename Rows>
double over_blocks(Index n, double cost, int n_threads, const Rows &rows) {
    nb::gil_scoped_release release;
    std::vector<double> loss((n + block - 1) / block);
    team::each(n_threads, cost * static_cast<double>(n), static_cast<Index>(loss.size()),
               [&](Index b) { loss[b] = rows(b * block, std::min(n, (b + 1) * block)); });
    double total = 0.0;
    for (const double part : loss) total += part;
    return total;
}

using Loss = double (*)(const double *, const double *, const double *, Index, float *, float *);

double slopes(Loss of, Vector<const double> y, Vector<const double> raw,
              std::optional<Vector<const double>> weight, Vector<float> g,
              std::optional<Vector<float>> h, int n_threads) {
    const std::size_t n = y.size();
    if (raw.size() != n || g.size() != n || (weight && weight->size() != n) ||
        (h && h->size() != n))
        throw std::invalid_argument("slopes: arrays of different lengths");
    return over_blocks(static_cast<Index>(n), 10.0, n_threads, [&](Index first, Index last) {
        return of(y.data() + first, raw.data() + first, weight ? weight->data() + first : nullptr,
                  last - first, g.data() + first, h ? h->data() + first : nullptr);
    });
}

double softmax_losses(Vector<const std::int32_t> y, Matrix<const double> raw,
                      std::optional<Vector<const double>> weight, Vector<double> log_sum,
                      int n_threads) {
    const std::size_t classes = raw.shape(0), n = raw.shape(1);
    if (y.size() != n || (weight && weight->size() != n) || log_sum.size() != n)
        throw std::invalid_argument("softmax_losses: arrays of different lengths");
    for (std::size_t i = 0; i < n; ++i)
        if (y.data()[i] < 0 || y.data()[i] >= static_cast<std::int32_t>(classes))
            throw std::invalid_argument("softmax_losses: no such class");
    return over_blocks(static_cast<Index>(n), 10.0 * static_cast<double>(classes), n_threads,
                       [&](Index first, Index last) {
                           return softmax_rows(y.data() + first, raw.data() + first,
                                               weight ? weight->data() + first : nullptr,
                                               last - first, static_cast<Index>(classes),
                                               static_cast<Index>(n), log_sum.data() + first);
                       });
}

void class_slopes(std::int32_t own, Vector<const std::int32_t> y, Vector<const double> raw,
                  Vector<const double> log_sum, std::optional<Vector<const double>> weight,
                  double bend, Vector<float> g, Vector<float> h, int n_threads) {
    const std::size_t n = y.size();
    if (raw.size() != n || log_sum.size() != n || (weight && weight->size() != n) ||
        g.size() != n || h.size() != n)
        throw std::invalid_argument("class_slopes: arrays of different lengths");
    over_blocks(static_cast<Index>(n), 10.0, n_threads, [&](Index first, Index last) {
        class_rows(own, y.data() + first, raw.data() + first, log_sum.data() + first,
                   weight ? weight->data() + first : nullptr, bend, last - first, g.data() + first,
                   h.data() + first);
        return 0.0;
    });
}

}  // namespace

void bind_boosting(nb::module_ &m) {
    m.def(
        "logistic_slopes",
        [](Vector<const double> y, Vector<const double> raw,
           std::optional<Vector<const double>> weight, Vector<float> g, Vector<float> h,
           int n_threads) { return slopes(&logistic_rows, y, raw, weight, g, h, n_threads); },
        fixed("y"), fixed("raw"), maybe("weight"), fixed("g"), fixed("h"), nb::arg("n_threads"));
    m.def(
        "squared_slopes",
        [](Vector<const double> y, Vector<const double> raw,
           std::optional<Vector<const double>> weight, Vector<float> g,
           std::optional<Vector<float>> h,
           int n_threads) { return slopes(&squared_rows, y, raw, weight, g, h, n_threads); },
        fixed("y"), fixed("raw"), maybe("weight"), fixed("g"), maybe("h"), nb::arg("n_threads"));
    m.def("softmax_losses", &softmax_losses, fixed("y"), fixed("raw"), maybe("weight"),
          fixed("log_sum"), nb::arg("n_threads"));
    m.def("class_slopes", &class_slopes, nb::arg("own"), fixed("y"), fixed("raw"), fixed("log_sum"),
          maybe("weight"), nb::arg("bend"), fixed("g"), fixed("h"), nb::arg("n_threads"));
}

}  // namespace margin
