// Dual logistic regression: one pass of coordinate-wise Newton over the rows, in a given order.
#include <nanobind/nanobind.h>
#include <nanobind/ndarray.h>

#include <cmath>
#include <cstddef>
#include <cstdint>
#include <stdexcept>

#include "common/bind.hpp"
#include "common/compressed.hpp"
#include "common/native.hpp"

namespace margin {
namespace {

// Sigmoids of u and -u from one exponential.
struct Pair {
    double up, down;
};

inline Pair sigmoids(double u) {
    const double e = std::exp(-std::fabs(u)), near = 1.0 / (1.0 + e), far = e * near;
    return u >= 0 ? Pair{near, far} : Pair{far, near};
}

// Prediction minus target without cancellation, for targets near 0 and 1.
inline double residual(Pair p, double y) { return (1.0 - y) * p.up - y * p.down; }

// Root of u - z + q (r(u) - r0), which rises with a slope of at least one: Newton, kept inside
// the bracket that the range of the sigmoid gives. A last step below the square root of the
// rounding error leaves an error of its square.
inline double root(double z, double q, double r0, double y, double u) {
    double low = z - q * (1.0 - y - r0), high = z + q * (y + r0);
    if (!(u >= low && u <= high)) u = 0.5 * (low + high);
    for (int trial = 0; trial < 100; ++trial) {
        const Pair p = sigmoids(u);
        const double h = u - z + q * (residual(p, y) - r0);
        (h > 0 ? high : low) = u;
        double next = u - h / (1.0 + q * p.up * p.down);
        const bool inside = next >= low && next <= high;
        if (!inside) next = 0.5 * (low + high);
        const double moved = std::fabs(next - u);
        u = next;
        if (moved <= (inside ? 1e-8 : 1e-15) * (1.0 + std::fabs(u))) break;
    }
    return u;
}

struct Rows {  // what every storage of the data shares
    const std::int64_t *order;
    std::size_t count;
    const double *y, *weight, *square;
    double inverse, tau;  // 1 / alpha, and the step of the intercept
    double *u, *r;
};

// New log-odds of row i at score z; returns how much the weighted residual shrinks.
inline double update(const Rows &rows, std::size_t i, double z) {
    const double s = rows.weight[i];
    const double q = s * (rows.square[i] * rows.inverse + rows.tau);
    const double before = rows.r[i];
    rows.u[i] = root(z, q, before, rows.y[i], rows.u[i]);
    rows.r[i] = residual(sigmoids(rows.u[i]), rows.y[i]);
    return s * (before - rows.r[i]);
}

template <typename T>
[[gnu::always_inline]] inline void dense(const Rows &rows, const T *X, std::size_t p, double *w) {
    for (std::size_t k = 0; k < rows.count; ++k) {
        const std::size_t i = rows.order[k];
        if (!(rows.weight[i] > 0)) continue;
        const T *x = X + i * p;
        double z = 0.0;
#pragma omp simd reduction(+ : z)
        for (std::size_t j = 0; j < p; ++j) z += x[j] * w[j];
        const double change = update(rows, i, z + w[p]);
        const double step = rows.inverse * change;
#pragma omp simd
        for (std::size_t j = 0; j < p; ++j) w[j] += step * x[j];
        w[p] += rows.tau * change;
    }
}

MARGIN_CLONES void dense_f64(const Rows &rows, const double *X, std::size_t p, double *w) {
    dense<double>(rows, X, p, w);
}
MARGIN_CLONES void dense_f32(const Rows &rows, const float *X, std::size_t p, double *w) {
    dense<float>(rows, X, p, w);
}
inline void run_dense(const Rows &rows, const double *X, std::size_t p, double *w) {
    dense_f64(rows, X, p, w);
}
inline void run_dense(const Rows &rows, const float *X, std::size_t p, double *w) {
    dense_f32(rows, X, p, w);
}

// Scores of all rows follow each change of one of them: f += step * K[i].
MARGIN_CLONES void kernel(const Rows &rows, const double *K, std::size_t n, double *f) {
    for (std::size_t k = 0; k < rows.count; ++k) {
        const std::size_t i = rows.order[k];
        if (!(rows.weight[i] > 0)) continue;
        const double change = update(rows, i, f[i] + f[n]);
        const double step = rows.inverse * change;
        const double *row = K + i * n;
#pragma omp simd
        for (std::size_t j = 0; j < n; ++j) f[j] += step * row[j];
        f[n] += rows.tau * change;
    }
}

using Doubles = Vector<const double>;

Rows rows_of(std::size_t n, Vector<const std::int64_t> order, Doubles y, Doubles weight,
             Doubles square, double alpha, double tau, Vector<double> u, Vector<double> r) {
    if (y.size() != n || weight.size() != n || square.size() != n || u.size() != n || r.size() != n)
        throw std::invalid_argument("dual_logistic: arrays of different shape");
    if (!(alpha > 0) || tau < 0) throw std::invalid_argument("dual_logistic: bad strength");
    for (std::size_t k = 0; k < order.size(); ++k)
        if (order.data()[k] < 0 || static_cast<std::size_t>(order.data()[k]) >= n)
            throw std::invalid_argument("dual_logistic: row out of range");
    return {order.data(), order.size(), y.data(), weight.data(), square.data(),
            1.0 / alpha,  tau,          u.data(), r.data()};
}

template <typename T>
void dense_pass(Matrix<const T> X, Vector<const std::int64_t> order, Doubles y, Doubles weight,
                Doubles square, double alpha, double tau, Vector<double> u, Vector<double> r,
                Vector<double> w) {
    const Rows rows = rows_of(X.shape(0), order, y, weight, square, alpha, tau, u, r);
    if (w.size() != X.shape(1) + 1)
        throw std::invalid_argument("dual_logistic: arrays of different shape");
    const T *xp = X.data();
    const std::size_t p = X.shape(1);
    double *wp = w.data();
    nb::gil_scoped_release release;
    run_dense(rows, xp, p, wp);
}

template <typename T, typename I>
void sparse_pass(Vector<const I> indptr, Vector<const I> indices, Vector<const T> data,
                 Vector<const std::int64_t> order, Doubles y, Doubles weight, Doubles square,
                 double alpha, double tau, Vector<double> u, Vector<double> r, Vector<double> w) {
    if (w.size() == 0) throw std::invalid_argument("dual_logistic: arrays of different shape");
    const std::size_t p = w.size() - 1;
    const auto matrix =
        compressed_within<T, I>(indptr, indices, data, p, "dual_logistic: malformed row pointers",
                                "dual_logistic: column out of range");
    const Rows rows = rows_of(matrix.lines(), order, y, weight, square, alpha, tau, u, r);
    const I *ptr = matrix.indptr.data(), *ind = matrix.indices.data();
    const T *val = matrix.data.data();
    double *wp = w.data();
    nb::gil_scoped_release release;
    for (std::size_t k = 0; k < rows.count; ++k) {
        const std::size_t i = rows.order[k];
        if (!(rows.weight[i] > 0)) continue;
        double z = wp[p];
        for (I at = ptr[i]; at < ptr[i + 1]; ++at) z += val[at] * wp[ind[at]];
        const double change = update(rows, i, z);
        const double step = rows.inverse * change;
        for (I at = ptr[i]; at < ptr[i + 1]; ++at) wp[ind[at]] += step * val[at];
        wp[p] += rows.tau * change;
    }
}

void kernel_pass(Matrix<const double> K, Vector<const std::int64_t> order, Doubles y,
                 Doubles weight, Doubles square, double alpha, double tau, Vector<double> u,
                 Vector<double> r, Vector<double> f) {
    const std::size_t n = K.shape(0);
    const Rows rows = rows_of(n, order, y, weight, square, alpha, tau, u, r);
    if (K.shape(1) != n || f.size() != n + 1)
        throw std::invalid_argument("dual_logistic: arrays of different shape");
    const double *kp = K.data();
    double *fp = f.data();
    nb::gil_scoped_release release;
    kernel(rows, kp, n, fp);
}

}  // namespace

void bind_dual_logistic(nb::module_ &m) {
    for_tables([&]<typename T>() {
        m.def("dual_logistic_dense", &dense_pass<T>, fixed("X"), fixed("order"), fixed("y"),
              fixed("weight"), fixed("square"), nb::arg("alpha"), nb::arg("tau"), fixed("u"),
              fixed("r"), fixed("w"));
    });
    for_compressed([&]<typename T, typename I>() {
        m.def("dual_logistic_sparse", &sparse_pass<T, I>, fixed("indptr"), fixed("indices"),
              fixed("data"), fixed("order"), fixed("y"), fixed("weight"), fixed("square"),
              nb::arg("alpha"), nb::arg("tau"), fixed("u"), fixed("r"), fixed("w"));
    });
    m.def("dual_logistic_kernel", &kernel_pass, fixed("K"), fixed("order"), fixed("y"),
          fixed("weight"), fixed("square"), nb::arg("alpha"), nb::arg("tau"), fixed("u"),
          fixed("r"), fixed("f"));
}

}  // namespace margin
