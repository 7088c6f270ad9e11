// Newton steps on the coefficients of a linear machine whose multipliers are held near an anchor:
// see SemismoothNewton. The function along a direction is convex and piecewise quadratic, and is
// minimised where its slope, monotone and piecewise linear, vanishes.
#include <nanobind/nanobind.h>
#include <nanobind/ndarray.h>

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <stdexcept>
#include <string>
#include <vector>

#include "common/bind.hpp"
#include "common/native.hpp"

namespace margin {
namespace {

constexpr double settled_slope = 0.02;  // part of the slope at the start that counts as none
constexpr int most_trials = 60;

// Multipliers as functions of the scores: clip(soft(shift - z, epsilon) * inverse, lower, upper).
struct Response {
    const double *shift, *inverse, *lower, *upper;
    double epsilon;
    std::size_t n;
};

[[gnu::always_inline]] inline double answer(const Response &at, std::size_t i, double z) {
    const double r = at.shift[i] - z;
    const double size = std::max(std::abs(r) - at.epsilon, 0.0);
    const double free = std::copysign(size, r) * at.inverse[i];
    return std::min(std::max(free, at.lower[i]), at.upper[i]);
}

[[gnu::always_inline]] inline bool inside(const Response &at, std::size_t i, double beta) {
    return (beta > at.lower[i]) & (beta < at.upper[i]) & ((at.epsilon == 0.0) | (beta != 0.0));
}

struct Slope {
    double value, curvature;
};

MARGIN_CLONES Slope slope_at(const Response &at, const double *z, const double *along, double t) {
    double sum = 0.0, curvature = 0.0;
    const std::size_t n = at.n;
#pragma omp simd reduction(+ : sum, curvature)
    for (std::size_t i = 0; i < n; ++i) {
        const double beta = answer(at, i, z[i] + t * along[i]);
        sum += along[i] * beta;
        const double bent = along[i] * along[i] * at.inverse[i];
        curvature += inside(at, i, beta) ? bent : 0.0;
    }
    return {sum, curvature};
}

// Length at which the slope a + b t - sum_i along_i beta_i(z_i + t along_i) is nearly none; 0
// where the direction does not lead down.
double root(const Response &at, const double *z, const double *along, double a, double b) {
    const double start = a - slope_at(at, z, along, 0.0).value;
    if (!(start < 0.0)) return 0.0;
    double low = 0.0, high = HUGE_VAL, t = 1.0;
    for (int trial = 0; trial < most_trials; ++trial) {
        const Slope sum = slope_at(at, z, along, t);
        const double slope = a + b * t - sum.value;
        if (std::abs(slope) <= -settled_slope * start) return t;
        (slope < 0.0 ? low : high) = t;
        const double curvature = b + sum.curvature;
        double next = curvature > 0.0 ? t - slope / curvature : HUGE_VAL;
        if (!(next > low && next < high)) next = high < HUGE_VAL ? 0.5 * (low + high) : 2.0 * t;
        if (next == t || !(next < 1e30)) break;
        t = next;
    }
    return low > 0.0 ? low : t;
}

// Lower triangle of the sum over rows of c x x', rows with c = 0 left out.
MARGIN_CLONES void add_squares(const double *X, const double *c, std::size_t n, std::size_t p,
                               double last, double *H) {
    const std::size_t q = p + 1;
    for (std::size_t i = 0; i < n; ++i) {
        if (c[i] == 0.0) continue;
        const double *x = X + i * p;
        for (std::size_t j = 0; j < p; ++j) {
            const double weighted = c[i] * x[j];
            double *row = H + j * q;
#pragma omp simd
            for (std::size_t k = 0; k <= j; ++k) row[k] += weighted * x[k];
        }
        double *row = H + p * q;
#pragma omp simd
        for (std::size_t k = 0; k < p; ++k) row[k] += c[i] * last * x[k];
        row[p] += c[i] * last * last;
    }
}

MARGIN_CLONES void pull(const double *X, const double *beta, std::size_t n, std::size_t p,
                        double last, double *out) {
    std::fill(out, out + p + 1, 0.0);
    for (std::size_t i = 0; i < n; ++i) {
        if (beta[i] == 0.0) continue;
        const double *x = X + i * p;
#pragma omp simd
        for (std::size_t k = 0; k < p; ++k) out[k] += beta[i] * x[k];
        out[p] += last * beta[i];
    }
}

MARGIN_CLONES void scores(const double *X, const double *w, std::size_t n, std::size_t p,
                          double last, double *out) {
    for (std::size_t i = 0; i < n; ++i) {
        const double *x = X + i * p;
        double sum = 0.0;
#pragma omp simd reduction(+ : sum)
        for (std::size_t k = 0; k < p; ++k) sum += w[k] * x[k];
        out[i] = sum + last * w[p];
    }
}

// Cholesky factor in place, in the lower triangle; false where the matrix is not definite.
bool factorise(double *H, std::size_t q) {
    for (std::size_t j = 0; j < q; ++j) {
        for (std::size_t k = 0; k <= j; ++k) {
            double sum = H[j * q + k];
            for (std::size_t m = 0; m < k; ++m) sum -= H[j * q + m] * H[k * q + m];
            if (k < j) {
                H[j * q + k] = sum / H[k * q + k];
            } else {
                if (!(sum > 0.0)) return false;
                H[j * q + j] = std::sqrt(sum);
            }
        }
    }
    return true;
}

// Minus the solution of H d = g, in units of the diagonal; the steepest descent in the worst case.
void solve(const std::vector<double> &H, const double *g, std::size_t q, double *d,
           std::vector<double> &unit, std::vector<double> &factor) {
    for (std::size_t j = 0; j < q; ++j) unit[j] = 1.0 / std::sqrt(H[j * q + j]);
    for (const double lift : {0.0, 1e-14, 1e-11, 1e-8}) {
        for (std::size_t j = 0; j < q; ++j) {
            for (std::size_t k = 0; k < j; ++k)
                factor[j * q + k] = H[j * q + k] * unit[j] * unit[k];
            factor[j * q + j] = 1.0 + lift;
        }
        if (!factorise(factor.data(), q)) continue;
        for (std::size_t j = 0; j < q; ++j) {
            double sum = -unit[j] * g[j];
            for (std::size_t k = 0; k < j; ++k) sum -= factor[j * q + k] * d[k];
            d[j] = sum / factor[j * q + j];
        }
        for (std::size_t j = q; j-- > 0;) {
            double sum = d[j];
            for (std::size_t k = j + 1; k < q; ++k) sum -= factor[k * q + j] * d[k];
            d[j] = sum / factor[j * q + j];
        }
        for (std::size_t j = 0; j < q; ++j) d[j] *= unit[j];
        return;
    }
    for (std::size_t j = 0; j < q; ++j) d[j] = -unit[j] * unit[j] * g[j];
}

double norm(const double *v, std::size_t n) {
    double sum = 0.0;
    for (std::size_t k = 0; k < n; ++k) sum += v[k] * v[k];
    return std::sqrt(sum);
}

struct Goal {
    double pace, tol;  // an infinite pace: no anchor
    const double *anchor;
};

bool settled(const Goal &goal, const double *gradient, const double *w, std::size_t q,
             const double *beta, std::size_t n) {
    const double size = norm(gradient, q), length = norm(w, q);
    if (!std::isfinite(goal.pace))
        return size <= 0.1 * std::min(1e-3, std::sqrt(goal.tol)) * (length + 1e-300);
    double moved = 0.0;
    for (std::size_t i = 0; i < n; ++i)
        moved += (beta[i] - goal.anchor[i]) * (beta[i] - goal.anchor[i]);
    return size <= 0.2 * std::sqrt(moved / goal.pace) || size <= 1e-13 * (1.0 + length);
}

// Rows of p columns and of a constant one, whose coefficient is penalised or free.
struct Design {
    const double *X;
    std::size_t p;
    double last;
    bool free;
};

// Coefficients, scores and multipliers.
struct Point {
    double *w, *z, *beta;
};

// Newton steps from w with the scores z; all three are those of the last point.
std::int64_t steps(const Design &rows, const Response &at, const Goal &goal, std::int64_t limit,
                   const Point &point) {
    const auto [X, p, last, free] = rows;
    const auto [w, z, beta] = point;
    const std::size_t n = at.n, q = p + 1;
    std::vector<double> gradient(q), direction(q), pulled(q), unit(q), H(q * q), factor(q * q);
    std::vector<double> along(n), curved(n);
    const double own = free ? 0.0 : 1.0;
    std::int64_t made = 0;
    for (;; ++made) {
        for (std::size_t i = 0; i < n; ++i) beta[i] = answer(at, i, z[i]);
        pull(X, beta, n, p, last, pulled.data());
        for (std::size_t k = 0; k < q; ++k) gradient[k] = (k < p ? w[k] : own * w[k]) - pulled[k];
        if (settled(goal, gradient.data(), w, q, beta, n) || made >= limit) return made;
        for (std::size_t i = 0; i < n; ++i)
            curved[i] = inside(at, i, beta[i]) ? at.inverse[i] : 0.0;
        std::fill(H.begin(), H.end(), 0.0);
        add_squares(X, curved.data(), n, p, last, H.data());
        for (std::size_t k = 0; k < q; ++k) H[k * q + k] += k < p ? 1.0 : own;
        if (H[p * q + p] == 0.0) H[p * q + p] = 1.0;  // a free intercept that no row holds
        solve(H, gradient.data(), q, direction.data(), unit, factor);
        scores(X, direction.data(), n, p, last, along.data());
        double a = own * w[p] * direction[p], b = own * direction[p] * direction[p];
        for (std::size_t k = 0; k < p; ++k) {
            a += w[k] * direction[k];
            b += direction[k] * direction[k];
        }
        const double length = root(at, z, along.data(), a, b);
        if (!(length > 0.0)) return made;
        for (std::size_t k = 0; k < q; ++k) w[k] += length * direction[k];
        for (std::size_t i = 0; i < n; ++i) z[i] += length * along[i];
    }
}

Response response(const Vector<const double> &shift, const Vector<const double> &inverse,
                  const Vector<const double> &lower, const Vector<const double> &upper,
                  double epsilon, const char *name) {
    const std::size_t n = shift.size();
    if (inverse.size() != n || lower.size() != n || upper.size() != n)
        throw std::invalid_argument(std::string(name) + ": arrays of different length");
    return {shift.data(), inverse.data(), lower.data(), upper.data(), epsilon, n};
}

double newton_length(Vector<const double> shift, Vector<const double> inverse,
                     Vector<const double> lower, Vector<const double> upper, double epsilon,
                     Vector<const double> z, Vector<const double> along, double a, double b) {
    const Response at = response(shift, inverse, lower, upper, epsilon, "newton_length");
    if (z.size() != at.n || along.size() != at.n)
        throw std::invalid_argument("newton_length: arrays of different length");
    const double *from = z.data(), *by = along.data();
    nb::gil_scoped_release release;
    return root(at, from, by, a, b);
}

std::int64_t newton_steps(Matrix<const double> X, Vector<const double> shift,
                          Vector<const double> inverse, Vector<const double> lower,
                          Vector<const double> upper, double epsilon, double last, bool free,
                          Vector<const double> anchor, double pace, double tol, std::int64_t limit,
                          Vector<double> w, Vector<double> z, Vector<double> beta) {
    const Response at = response(shift, inverse, lower, upper, epsilon, "newton_steps");
    const std::size_t p = X.shape(1);
    if (X.shape(0) != at.n || w.size() != p + 1 || z.size() != at.n || beta.size() != at.n ||
        anchor.size() != at.n)
        throw std::invalid_argument("newton_steps: arrays of different length");
    const Goal goal{pace, tol, anchor.data()};
    const Design rows{.X = X.data(), .p = p, .last = last, .free = free};
    const Point point{.w = w.data(), .z = z.data(), .beta = beta.data()};
    nb::gil_scoped_release release;
    return steps(rows, at, goal, limit, point);
}

}  // namespace

void bind_newton(nb::module_ &m) {
    m.def("newton_length", &newton_length, fixed("shift"), fixed("inverse"), fixed("lower"),
          fixed("upper"), nb::arg("epsilon"), fixed("z"), fixed("along"), nb::arg("a"),
          nb::arg("b"));
    m.def("newton_steps", &newton_steps, fixed("X"), fixed("shift"), fixed("inverse"),
          fixed("lower"), fixed("upper"), nb::arg("epsilon"), nb::arg("last"), nb::arg("free"),
          fixed("anchor"), nb::arg("pace"), nb::arg("tol"), nb::arg("limit"), fixed("w"),
          fixed("z"), fixed("beta"));
}

}  // namespace margin
