// A linear model of one output in units of its columns: u_j = s_j w_j, c = b + sum_j m_j w_j.
// The objective there with gradient and curvature, and the direction of Newton's step.
#include <nanobind/nanobind.h>
#include <nanobind/ndarray.h>

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <limits>
#include <optional>
#include <stdexcept>
#include <vector>

#include "common/bind.hpp"
#include "common/native.hpp"
#include "rows/fused_pass.hpp"

namespace margin {
namespace {

constexpr std::size_t at_once = 4;  // rows added to the matrix together
constexpr std::size_t lane = 8;     // its rows are padded to whole lanes

// Rows with their curvatures and the units of their columns; d is p, or one more with an intercept,
// and rows of the matrix are `wide` apart.
template <typename T>
struct UnitRows {
    const T *X;
    const double *h, *centre, *inverse;
    std::size_t n, p, d, wide;
};

// H += sum_i h_i z_i z_i^T over rows [0, n) with z = ((x - m) / s, 1 if there is an intercept).
template <typename T>
[[gnu::always_inline]] inline void add_rows(const UnitRows<T> &rows, double *H, double *space) {
    const auto [X, h, centre, inverse, n, p, d, wide] = rows;
    for (std::size_t at = 0; at < n; at += at_once) {
        const std::size_t some = std::min(at_once, n - at);
        for (std::size_t i = 0; i < at_once; ++i) {
            double *z = space + i * wide;
            // A row that is not there counts nothing.
            const T *x = X + (at + std::min(i, some - 1)) * p;
#pragma omp simd
            for (std::size_t j = 0; j < p; ++j) z[j] = (x[j] - centre[j]) * inverse[j];
            if (d > p) z[p] = 1.0;
        }
        const double *a = space, *b = a + wide, *c = b + wide, *e = c + wide;
        double weight[at_once];
        for (std::size_t i = 0; i < at_once; ++i) weight[i] = i < some ? h[at + i] : 0.0;
        for (std::size_t j = 0; j < d; ++j) {
            const double va = weight[0] * a[j], vb = weight[1] * b[j];
            const double vc = weight[2] * c[j], ve = weight[3] * e[j];
            double *row = H + j * wide;
            const std::size_t end = (j / lane + 1) * lane;  // the lower half in whole lanes
#pragma omp simd
            for (std::size_t k = 0; k < end; ++k)
                row[k] += (va * a[k] + vb * b[k]) + (vc * c[k] + ve * e[k]);
        }
    }
}

#define MARGIN_ADD(name, T)                                                                        \
    MARGIN_CLONES void name(const UnitRows<T> &rows, double *H, double *space) {                   \
        add_rows(rows, H, space);                                                                  \
    }                                                                                              \
    void add_all(const UnitRows<T> &rows, double *H, double *space) { name(rows, H, space); }
MARGIN_ADD(add_f64, double)
MARGIN_ADD(add_f32, float)
#undef MARGIN_ADD

// The lower half of H becomes its factor; false where rounding may have made a pivot.
bool factor(double *H, std::size_t d, std::size_t wide) {
    const double least = 8.0 * double(d) * std::numeric_limits<double>::epsilon();
    for (std::size_t j = 0; j < d; ++j) {
        double *row = H + j * wide;
        const double whole = row[j];
        for (std::size_t k = 0; k < j; ++k) {
            const double *above = H + k * wide;
            double sum = row[k];
            for (std::size_t l = 0; l < k; ++l) sum -= row[l] * above[l];
            row[k] = sum / above[k];
        }
        double pivot = whole;
        for (std::size_t l = 0; l < j; ++l) pivot -= row[l] * row[l];
        if (!(pivot > least * whole) || !std::isfinite(pivot)) return false;
        row[j] = std::sqrt(pivot);
    }
    return true;
}

void solve(const double *L, std::size_t d, std::size_t wide, double *x) {
    for (std::size_t j = 0; j < d; ++j) {
        for (std::size_t k = 0; k < j; ++k) x[j] -= L[j * wide + k] * x[k];
        x[j] /= L[j * wide + j];
    }
    for (std::size_t j = d; j-- > 0;) {
        x[j] /= L[j * wide + j];
        for (std::size_t k = 0; k < j; ++k) x[k] -= L[j * wide + k] * x[j];
    }
}

void check_units(std::size_t p, std::size_t d, std::size_t centre, std::size_t scale) {
    if ((d != p && d != p + 1) || centre != p || scale != p)
        throw std::invalid_argument("unit_newton: arrays of different shape");
}

// Value at u, its gradient, and the weighted curvature of every row.
template <typename T>
double unit_pass(int loss, Matrix<const T> X, Vector<const double> y,
                 std::optional<Vector<const double>> weight, Vector<const double> u,
                 Vector<const double> centre, Vector<const double> scale, double l2,
                 Vector<double> curvature, Vector<double> gradient, int n_threads) {
    const std::size_t n = X.shape(0), p = X.shape(1), d = u.size();
    check_units(p, d, centre.size(), scale.size());
    if (y.size() != n || (weight && weight->size() != n) || curvature.size() != n ||
        gradient.size() != d)
        throw std::invalid_argument("unit_pass: arrays of different shape");
    const LinearRows<T> rows{X.data(), y.data(), weight ? weight->data() : nullptr, n, p};
    const double *up = u.data();
    const double *mp = centre.data(), *cp = scale.data();
    double *hp = curvature.data(), *gp = gradient.data();
    nb::gil_scoped_release release;
    std::vector<double> w(p), slope(p + 1);
    double offset = d > p ? up[p] : 0.0, penalty = 0.0;
    for (std::size_t j = 0; j < p; ++j) {
        w[j] = up[j] / cp[j];
        if (d > p) offset -= mp[j] * w[j];
        penalty += w[j] * w[j];
    }
    const double value = fused_pass(loss, rows, w.data(), offset, hp, slope.data(), n_threads);
    for (std::size_t j = 0; j < p; ++j) {
        const double own = slope[j] + l2 * w[j];
        gp[j] = (d > p ? own - mp[j] * slope[p] : own) / cp[j];
    }
    if (d > p) gp[p] = slope[p];
    return value + 0.5 * l2 * penalty;
}

// -H^-1 gradient; false where the matrix cannot be told from one that is not definite.
template <typename T>
bool unit_direction(Matrix<const T> X, Vector<const double> curvature,
                    Vector<const double> gradient, Vector<const double> centre,
                    Vector<const double> scale, double l2, Vector<double> direction) {
    const std::size_t n = X.shape(0), p = X.shape(1), d = gradient.size();
    check_units(p, d, centre.size(), scale.size());
    if (curvature.size() != n || direction.size() != d)
        throw std::invalid_argument("unit_direction: arrays of different shape");
    const T *xp = X.data();
    const double *hp = curvature.data(), *gp = gradient.data();
    const double *mp = centre.data(), *cp = scale.data();
    double *out = direction.data();
    nb::gil_scoped_release release;
    const std::size_t wide = (d + lane - 1) / lane * lane;
    std::vector<double> H(d * wide, 0.0), space(at_once * wide, 0.0), away(p, 0.0), inverse(p);
    for (std::size_t j = 0; j < p; ++j) {
        inverse[j] = 1.0 / cp[j];
        if (d > p) away[j] = mp[j];
    }
    const UnitRows<T> rows{.X = xp,
                           .h = hp,
                           .centre = away.data(),
                           .inverse = inverse.data(),
                           .n = n,
                           .p = p,
                           .d = d,
                           .wide = wide};
    add_all(rows, H.data(), space.data());
    for (std::size_t j = 0; j < p; ++j) H[j * wide + j] += l2 * inverse[j] * inverse[j];
    if (!factor(H.data(), d, wide)) return false;
    for (std::size_t j = 0; j < d; ++j) out[j] = -gp[j];
    solve(H.data(), d, wide, out);
    return true;
}

}  // namespace

void bind_unit_newton(nb::module_ &m) {
    for_tables([&]<typename T>() {
        m.def("unit_pass", &unit_pass<T>, nb::arg("loss"), fixed("X"), fixed("y"), maybe("weight"),
              fixed("u"), fixed("centre"), fixed("scale"), nb::arg("l2"), fixed("curvature"),
              fixed("gradient"), nb::arg("n_threads"));
        m.def("unit_direction", &unit_direction<T>, fixed("X"), fixed("curvature"),
              fixed("gradient"), fixed("centre"), fixed("scale"), nb::arg("l2"),
              fixed("direction"));
    });
}

}  // namespace margin
