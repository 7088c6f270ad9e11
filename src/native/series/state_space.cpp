// Gaussian processes with Matern covariance on a line, as a Kalman filter over the sorted points.
#include <nanobind/nanobind.h>
#include <nanobind/ndarray.h>

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <stdexcept>
#include <type_traits>
#include <vector>

#include "common/bind.hpp"
#include "common/native.hpp"
#include "series/dual_number.hpp"
#include "series/filter.hpp"

namespace margin {
namespace {

using namespace series;

using Ints = Vector<const std::int32_t>;
using Reals = Vector<const double>;
using Table = Matrix<const double>;

template <typename T>
Model<T> build(Ints order, const double *variance, const double *rate, const double *dv,
               const double *dr) {
    Model<T> made;
    for (std::size_t c = 0; c < order.shape(0); ++c) {
        const int o = order.data()[c];
        if (o < 1 || o > 3) throw std::invalid_argument("state_space: order must be 1, 2 or 3");
        made.order.push_back(o);
        made.size += static_cast<std::size_t>(o);
        if constexpr (std::is_same_v<T, Dual>) {
            made.variance.push_back({variance[c], dv[c]});
            made.rate.push_back({rate[c], dr[c]});
        } else {
            made.variance.push_back(variance[c]);
            made.rate.push_back(rate[c]);
        }
    }
    return made;
}

void check_sizes(Ints order, Reals variance, Reals rate, Reals gap, Reals noise, Table Y) {
    const std::size_t n = Y.shape(0), c = order.shape(0);
    if (c < 1 || variance.shape(0) != c || rate.shape(0) != c)
        throw std::invalid_argument("state_space: one variance and rate per part");
    if (gap.shape(0) != n || noise.shape(0) != n)
        throw std::invalid_argument("state_space: one gap and noise per row");
}

// Whitened data, their derivatives in one direction, (log det, derivative, smallest variance).
void whiten(Ints order, Reals variance, Reals rate, Reals dv, Reals dr, double dnoise, Reals gap,
            Reals noise, Table Y, Matrix<double> white, Matrix<double> slope, Vector<double> sums) {
    check_sizes(order, variance, rate, gap, noise, Y);
    check_sizes(order, dv, dr, gap, noise, Y);
    const std::size_t n = Y.shape(0), k = Y.shape(1);
    if (white.shape(0) != n || white.shape(1) != k || slope.shape(0) != n || slope.shape(1) != k ||
        sums.shape(0) != 3)
        throw std::invalid_argument("state_space: outputs must have the shape of Y");
    const double *y = Y.data();
    double *w = white.data(), *dw = slope.data();
    nb::gil_scoped_release release;
    const Model<Dual> model =
        build<Dual>(order, variance.data(), rate.data(), dv.data(), dr.data());
    Filter<Dual> filter(model, k);
    Dual log_det(0.0);
    double least = std::numeric_limits<double>::infinity();
    for (std::size_t t = 0; t < n; ++t) {
        if (t) filter.advance(gap.data()[t]);
        const Dual r(noise.data()[t], dnoise), total = filter.spread(r);
        least = std::fmin(least, total.v);
        if (!(total.v > 0.0)) break;
        const Dual scale = root(total);
        log_det += logarithm(total);
        filter.correct(r, total);
        for (std::size_t c = 0; c < k; ++c) {
            const Dual surprise = Dual(y[t * k + c]) - filter.expected(c), part = surprise / scale;
            w[t * k + c] = part.v, dw[t * k + c] = part.d;
            filter.shift(c, surprise);
        }
    }
    sums.data()[0] = log_det.v, sums.data()[1] = log_det.d, sums.data()[2] = least;
}

// Mean and variance of the process at every point given the data at those marked; for these also
// the solution of the system with the covariance of the data, and the diagonal of its inverse.
void smooth(Ints order, Reals variance, Reals rate, Reals gap, Reals noise,
            Vector<const std::uint8_t> marked, Table Y, Matrix<double> mean, Vector<double> var,
            Matrix<double> solved, Vector<double> inverse) {
    check_sizes(order, variance, rate, gap, noise, Y);
    const std::size_t n = Y.shape(0), k = Y.shape(1);
    if (marked.shape(0) != n || mean.shape(0) != n || mean.shape(1) != k || var.shape(0) != n ||
        solved.shape(0) != n || solved.shape(1) != k || inverse.shape(0) != n)
        throw std::invalid_argument("state_space: outputs must have the shape of Y");
    nb::gil_scoped_release release;
    const Model<double> model =
        build<double>(order, variance.data(), rate.data(), nullptr, nullptr);
    Filter<double> filter(model, k);
    const std::size_t s = model.size;
    std::vector<double> xs(n * s * k), Ps(n * s * s), gains(n * s), totals(n), surprises(n * k);
    for (std::size_t t = 0; t < n; ++t) {
        if (t) filter.advance(gap.data()[t]);
        std::copy(filter.x.begin(), filter.x.end(), xs.begin() + t * s * k);
        std::copy(filter.P.begin(), filter.P.end(), Ps.begin() + t * s * s);
        if (!marked.data()[t]) continue;
        const double r = noise.data()[t], total = filter.spread(r);
        if (!(total > 0.0))
            throw std::domain_error("state_space: variance of a datum is not positive");
        totals[t] = total;
        filter.correct(r, total);
        std::copy(filter.gain.begin(), filter.gain.end(), gains.begin() + t * s);
        for (std::size_t c = 0; c < k; ++c) {
            const double v = Y.data()[t * k + c] - filter.expected(c);
            surprises[t * k + c] = v;
            filter.shift(c, v);
        }
    }
    // Backwards: what the later data say, as a vector r and a matrix N (no inverse is needed).
    std::vector<double> r(s * k, 0.0), N(s * s, 0.0), A(s * s), room(s * s), spare(s * s), q(s * k);
    const std::vector<std::size_t> seen = model.seen();
    for (std::size_t t = n; t-- > 0;) {
        if (t + 1 < n) {
            model.transition(gap.data()[t + 1], A.data());
            sandwich(A.data(), N.data(), room.data(), spare.data(), s, true);
            N.swap(spare);
            for (std::size_t i = 0; i < s; ++i)
                for (std::size_t c = 0; c < k; ++c) {
                    double sum = 0.0;
                    for (std::size_t j = 0; j < s; ++j) sum += A[j * s + i] * r[j * k + c];
                    q[i * k + c] = sum;
                }
            r.swap(q);
        }
        const double *P = &Ps[t * s * s], *g = &gains[t * s];
        if (marked.data()[t]) {
            double d = 1.0 / totals[t];
            for (std::size_t i = 0; i < s; ++i)
                for (std::size_t j = 0; j < s; ++j) d += g[i] * N[i * s + j] * g[j];
            inverse.data()[t] = d;
            for (std::size_t c = 0; c < k; ++c) {
                double u = surprises[t * k + c] / totals[t];
                for (std::size_t i = 0; i < s; ++i) u -= g[i] * r[i * k + c];
                solved.data()[t * k + c] = u;
                for (std::size_t a : seen) r[a * k + c] += u;
            }
            for (std::size_t i = 0; i < s; ++i) {
                for (std::size_t j = 0; j < s; ++j) A[i * s + j] = i == j ? 1.0 : 0.0;
                for (std::size_t a : seen) A[i * s + a] -= g[i];
            }
            sandwich(A.data(), N.data(), room.data(), spare.data(), s, true);
            N.swap(spare);
            for (std::size_t a : seen)
                for (std::size_t b : seen) N[a * s + b] += 1.0 / totals[t];
        }
        double prior = 0.0, known = 0.0;
        std::vector<double> &h = room;  // P h, the covariance of state and function
        for (std::size_t i = 0; i < s; ++i) {
            h[i] = 0.0;
            for (std::size_t a : seen) h[i] += P[i * s + a];
        }
        for (std::size_t a : seen) prior += h[a];
        for (std::size_t i = 0; i < s; ++i)
            for (std::size_t j = 0; j < s; ++j) known += h[i] * N[i * s + j] * h[j];
        var.data()[t] = prior > known ? prior - known : 0.0;
        for (std::size_t c = 0; c < k; ++c) {
            double sum = 0.0;
            for (std::size_t a : seen) sum += xs[(t * s + a) * k + c];
            for (std::size_t i = 0; i < s; ++i) sum += h[i] * r[i * k + c];
            mean.data()[t * k + c] = sum;
        }
    }
}

}  // namespace

void bind_state_space(nb::module_ &m) {
    m.def("state_space_whiten", &whiten, nb::arg("order"), nb::arg("variance"), nb::arg("rate"),
          nb::arg("variance_slope"), nb::arg("rate_slope"), nb::arg("noise_slope"), nb::arg("gap"),
          nb::arg("noise"), nb::arg("Y"), fixed("white"), fixed("slope"), fixed("sums"));
    m.def("state_space_smooth", &smooth, nb::arg("order"), nb::arg("variance"), nb::arg("rate"),
          nb::arg("gap"), nb::arg("noise"), nb::arg("marked"), nb::arg("Y"), fixed("mean"),
          fixed("var"), fixed("solved"), fixed("inverse"));
}

}  // namespace margin
