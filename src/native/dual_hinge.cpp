// Dual coordinate descent for linear models with piecewise linear or quadratic losses:
// minimise 0.5 |sum_i b_i x_i|^2 + sum_i (0.5 d_i b_i^2 - t_i b_i + e |b_i|), l_i <= b_i <= u_i,
// over one b_i at a time, with w = sum_i b_i x_i kept beside it.
#include <nanobind/nanobind.h>
#include <nanobind/ndarray.h>

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <stdexcept>
#include <utility>

#include "native.hpp"

namespace margin {
namespace {

struct Dual {
    const double *target, *lower, *upper, *ridge, *square;
    double epsilon, constant;  // constant: value of the feature that stands for the intercept
    double *b;
};

struct Move {
    double delta, violation, slack;  // slack: by how much every allowed move would go uphill
};

// Exact minimum in one variable at score z, and how far from it the old value was.
[[gnu::always_inline]] inline Move move(const Dual &dual, std::size_t i, double z) {
    const double b = dual.b[i], l = dual.lower[i], u = dual.upper[i], e = dual.epsilon;
    const double g = z - dual.target[i] + dual.ridge[i] * b, q = dual.square[i];
    const double right = g + (b >= 0 ? e : -e), left = g + (b > 0 ? e : -e);
    constexpr double inf = std::numeric_limits<double>::infinity();
    const double slack = std::min(b < u ? right : inf, b > l ? -left : inf);
    Move made{0.0, std::max(0.0, -slack), slack};
    if (!(slack < 0)) return made;
    if (!(q > 0)) {  // a row of zeros: the objective is linear in b
        const double wall = b < u && right < 0 ? (b < 0 && e > 0 ? 0.0 : u) : (b > 0 && e > 0 ? 0.0 : l);
        if (std::isfinite(wall)) dual.b[i] = wall;
        return made;
    }
    double next = b - g / q;
    const double cut = e / q;
    next = next > cut ? next - cut : next < -cut ? next + cut : 0.0;
    made.delta = std::clamp(next, l, u) - b;
    dual.b[i] = b + made.delta;
    return made;
}

struct Order {  // a small generator of our own: the same order on every machine
    std::uint64_t state;
    std::uint64_t next() {
        state += 0x9e3779b97f4a7c15ULL;
        std::uint64_t z = state;
        z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9ULL;
        z = (z ^ (z >> 27)) * 0x94d049bb133111ebULL;
        return z ^ (z >> 31);
    }
    std::size_t below(std::size_t n) {
        return static_cast<std::size_t>((static_cast<unsigned __int128>(next()) * n) >> 64);
    }
};

struct Outcome {
    std::size_t passes, active;
    double violation;
};

template <typename T>
struct DenseRows {
    const T *X;
    std::size_t p;
    double *w, constant;
    [[gnu::always_inline]] void ahead(std::size_t i) const {
        const char *at = reinterpret_cast<const char *>(X + i * p);
        for (std::size_t k = 0; k < std::min<std::size_t>(512, p * sizeof(T)); k += 64)
            __builtin_prefetch(at + k);
    }
    [[gnu::always_inline]] double score(std::size_t i) const {
        const T *x = X + i * p;
        double z = 0.0;
#pragma omp simd reduction(+ : z)
        for (std::size_t j = 0; j < p; ++j) z += x[j] * w[j];
        return z + constant * w[p];
    }
    [[gnu::always_inline]] void add(std::size_t i, double delta) const {
        const T *x = X + i * p;
#pragma omp simd
        for (std::size_t j = 0; j < p; ++j) w[j] += delta * x[j];
        w[p] += delta * constant;
    }
};

template <typename T, typename I>
struct SparseRows {
    const I *ptr, *ind;
    const T *val;
    std::size_t p;
    double *w, constant;
    [[gnu::always_inline]] void ahead(std::size_t i) const {
        const I first = ptr[i], last = std::min<I>(ptr[i + 1], first + 256);
        for (I at = first; at < last; at += 64 / sizeof(T)) __builtin_prefetch(val + at);
        for (I at = first; at < last; at += 64 / sizeof(I)) __builtin_prefetch(ind + at);
    }
    [[gnu::always_inline]] double score(std::size_t i) const {
        I at = ptr[i];
        const I end = ptr[i + 1];
        double a = 0.0, b = 0.0, c = 0.0, d = 0.0;  // chains hide the latency of the additions
        for (; at + 3 < end; at += 4) {
            a += val[at] * w[ind[at]];
            b += val[at + 1] * w[ind[at + 1]];
            c += val[at + 2] * w[ind[at + 2]];
            d += val[at + 3] * w[ind[at + 3]];
        }
        for (; at < end; ++at) a += val[at] * w[ind[at]];
        return (a + b) + (c + d) + constant * w[p];
    }
    [[gnu::always_inline]] void add(std::size_t i, double delta) const {
        for (I at = ptr[i]; at < ptr[i + 1]; ++at) w[ind[at]] += delta * val[at];
        w[p] += delta * constant;
    }
};

// Passes over the rows still in the game, the last `dropped` ones of `rows` left out. A row at a
// kink or bound leaves when every move would cost more than the largest violation of the last pass.
template <typename Rows>
[[gnu::always_inline]] inline Outcome descend(const Rows &data, const Dual &dual,
                                              std::int64_t *rows, std::size_t active,
                                              std::uint64_t seed, std::size_t limit, double tol,
                                              bool shrinks) {
    constexpr double inf = std::numeric_limits<double>::infinity();
    Order order{seed};
    Outcome out{0, active, inf};
    double threshold = inf;
    constexpr std::size_t distance = 3;
    while (out.passes < limit && out.active > 0) {
        for (std::size_t k = 0; k + 1 < out.active; ++k)
            std::swap(rows[k], rows[k + order.below(out.active - k)]);
        double largest = 0.0;
        for (std::size_t k = 0; k < out.active;) {
            if (k + distance < out.active) data.ahead(rows[k + distance]);
            const std::size_t i = rows[k];
            const Move made = move(dual, i, data.score(i));
            if (made.slack > threshold) {
                std::swap(rows[k], rows[--out.active]);
                continue;
            }
            largest = std::max(largest, made.violation);
            if (made.delta != 0.0) data.add(i, made.delta);
            ++k;
        }
        ++out.passes;
        out.violation = largest;
        threshold = shrinks ? largest : inf;
        if (largest <= tol) break;
    }
    if (out.active == 0) out.violation = 0.0;
    return out;
}

#define MARGIN_DENSE(name, T)                                                                     \
    MARGIN_CLONES void name(const DenseRows<T> &data, const Dual &dual, std::int64_t *rows,       \
                            std::size_t active, std::uint64_t seed, std::size_t limit,            \
                            double tol, bool shrinks, Outcome &out) {                         \
        out = descend(data, dual, rows, active, seed, limit, tol, shrinks);                     \
    }
MARGIN_DENSE(descend_f64, double)
MARGIN_DENSE(descend_f32, float)
#undef MARGIN_DENSE

using Doubles = Vector<const double>;

Dual dual_of(std::size_t n, Vector<std::int64_t> rows, std::size_t active, Doubles target,
             Doubles lower, Doubles upper, Doubles ridge, Doubles square, double epsilon,
             double constant, Vector<double> b) {
    if (target.size() != n || lower.size() != n || upper.size() != n || ridge.size() != n ||
        square.size() != n || b.size() != n || active > rows.size() || !(epsilon >= 0))
        throw std::invalid_argument("dual_hinge: arrays of different shape");
    for (std::size_t k = 0; k < rows.size(); ++k)
        if (rows.data()[k] < 0 || static_cast<std::size_t>(rows.data()[k]) >= n)
            throw std::invalid_argument("dual_hinge: row out of range");
    for (std::size_t i = 0; i < n; ++i)
        if (!(lower.data()[i] <= b.data()[i] && b.data()[i] <= upper.data()[i]))
            throw std::invalid_argument("dual_hinge: start out of bounds");
    return {target.data(), lower.data(), upper.data(), ridge.data(),
            square.data(), epsilon,      constant,     b.data()};
}

nb::tuple packed(const Outcome &out) {
    return nb::make_tuple(out.passes, out.active, out.violation);
}

template <typename T>
nb::tuple dense(Matrix<const T> X, Vector<std::int64_t> rows, std::size_t active, Doubles target,
                Doubles lower, Doubles upper, Doubles ridge, Doubles square, double epsilon,
                double constant, Vector<double> b, Vector<double> w, std::uint64_t seed,
                std::size_t limit, double tol, bool shrinks) {
    const Dual dual = dual_of(X.shape(0), rows, active, target, lower, upper, ridge, square,
                              epsilon, constant, b);
    if (w.size() != X.shape(1) + 1)
        throw std::invalid_argument("dual_hinge: arrays of different shape");
    const DenseRows<T> data{X.data(), X.shape(1), w.data(), constant};
    std::int64_t *order = rows.data();
    Outcome out{};
    {
        nb::gil_scoped_release release;
        if constexpr (sizeof(T) == 8)
            descend_f64(data, dual, order, active, seed, limit, tol, shrinks, out);
        else
            descend_f32(data, dual, order, active, seed, limit, tol, shrinks, out);
    }
    return packed(out);
}

template <typename T, typename I>
nb::tuple sparse(Vector<const I> indptr, Vector<const I> indices, Vector<const T> values,
                 Vector<std::int64_t> rows, std::size_t active, Doubles target, Doubles lower,
                 Doubles upper, Doubles ridge, Doubles square, double epsilon, double constant,
                 Vector<double> b, Vector<double> w, std::uint64_t seed, std::size_t limit,
                 double tol, bool shrinks) {
    if (indptr.size() < 1 || indices.size() != values.size() || w.size() < 1)
        throw std::invalid_argument("dual_hinge: arrays of different shape");
    const std::size_t n = indptr.size() - 1, p = w.size() - 1;
    const Dual dual = dual_of(n, rows, active, target, lower, upper, ridge, square, epsilon,
                              constant, b);
    const I *ptr = indptr.data(), *ind = indices.data();
    if (ptr[0] != 0 || static_cast<std::size_t>(ptr[n]) != values.size())
        throw std::invalid_argument("dual_hinge: malformed row pointers");
    for (std::size_t r = 0; r < n; ++r)
        if (ptr[r] > ptr[r + 1]) throw std::invalid_argument("dual_hinge: malformed row pointers");
    for (std::size_t at = 0; at < indices.size(); ++at)
        if (ind[at] < 0 || static_cast<std::size_t>(ind[at]) >= p)
            throw std::invalid_argument("dual_hinge: column out of range");
    const SparseRows<T, I> data{ptr, ind, values.data(), p, w.data(), constant};
    std::int64_t *order = rows.data();
    Outcome out{};
    {
        nb::gil_scoped_release release;
        out = descend(data, dual, order, active, seed, limit, tol, shrinks);
    }
    return packed(out);
}

template <typename T>
void bind_dense(nb::module_ &m) {
    m.def("dual_hinge_dense", &dense<T>, nb::arg("X").noconvert(), nb::arg("rows").noconvert(),
          nb::arg("active"), nb::arg("target").noconvert(), nb::arg("lower").noconvert(),
          nb::arg("upper").noconvert(), nb::arg("ridge").noconvert(),
          nb::arg("square").noconvert(), nb::arg("epsilon"), nb::arg("constant"),
          nb::arg("b").noconvert(), nb::arg("w").noconvert(), nb::arg("seed"), nb::arg("limit"),
          nb::arg("tol"), nb::arg("shrinks"));
}

template <typename T, typename I>
void bind_sparse(nb::module_ &m) {
    m.def("dual_hinge_sparse", &sparse<T, I>, nb::arg("indptr").noconvert(),
          nb::arg("indices").noconvert(), nb::arg("values").noconvert(),
          nb::arg("rows").noconvert(), nb::arg("active"), nb::arg("target").noconvert(),
          nb::arg("lower").noconvert(), nb::arg("upper").noconvert(),
          nb::arg("ridge").noconvert(), nb::arg("square").noconvert(), nb::arg("epsilon"),
          nb::arg("constant"), nb::arg("b").noconvert(), nb::arg("w").noconvert(),
          nb::arg("seed"), nb::arg("limit"), nb::arg("tol"), nb::arg("shrinks"));
}

}  // namespace

void bind_dual_hinge(nb::module_ &m) {
    bind_dense<double>(m);
    bind_dense<float>(m);
    bind_sparse<double, std::int32_t>(m);
    bind_sparse<float, std::int32_t>(m);
    bind_sparse<double, std::int64_t>(m);
    bind_sparse<float, std::int64_t>(m);
}

}  // namespace margin
