// Dual coordinate descent for linear models with piecewise linear or quadratic losses:
// minimise 0.5 |sum_i b_i x_i|^2 + sum_i (0.5 d_i b_i^2 - t_i b_i + e |b_i|), l_i <= b_i <= u_i,
// over one b_i at a time, with w = sum_i b_i x_i kept beside it.
#include <nanobind/nanobind.h>
#include <nanobind/ndarray.h>
#include <nanobind/stl/tuple.h>

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <stdexcept>
#include <tuple>
#include <utility>

#include "common/native.hpp"
#include "duals/rows.hpp"

namespace margin {
namespace {

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
        const double wall =
            b < u && right < 0 ? (b < 0 && e > 0 ? 0.0 : u) : (b > 0 && e > 0 ? 0.0 : l);
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

struct Outcome {
    std::size_t passes;
    double violation;
};

// Passes over the rows. With `shrinks`, a row that rests at a kink or bound sits out the passes
// that are left; the others stay in front.
template <typename Rows>
[[gnu::always_inline]] inline Outcome descend(const Rows &data, const Dual &dual, double *w,
                                              std::int64_t *rows, std::size_t active,
                                              std::uint64_t seed, std::size_t limit, bool shrinks) {
    Order order{seed};
    Outcome out{0, 0.0};
    constexpr std::size_t distance = 3;
    while (out.passes < limit) {
        for (std::size_t k = 0; k + 1 < active; ++k)
            std::swap(rows[k], rows[k + order.below(active - k)]);
        double largest = 0.0;
        for (std::size_t k = 0; k < active;) {
            if (k + distance < active) data.ahead(rows[k + distance]);
            const std::size_t i = rows[k];
            const Move made = move(dual, i, data.score(i, w));
            if (shrinks && made.slack > 0) {
                std::swap(rows[k], rows[--active]);
                continue;
            }
            largest = std::max(largest, made.violation);
            if (made.delta != 0.0) data.add(i, made.delta, w);
            ++k;
        }
        ++out.passes;
        out.violation = largest;
        if (largest == 0.0) break;
    }
    return out;
}

#define MARGIN_DENSE(T)                                                                            \
    MARGIN_CLONES void descend_dense(const DenseRows<T> &data, const Dual &dual, double *w,        \
                                     std::int64_t *rows, std::size_t active, std::uint64_t seed,   \
                                     std::size_t limit, bool shrinks, Outcome &out) {              \
        out = descend(data, dual, w, rows, active, seed, limit, shrinks);                          \
    }
MARGIN_DENSE(double)
MARGIN_DENSE(float)
#undef MARGIN_DENSE

using Result = std::tuple<std::size_t, double>;

template <typename T>
Result dense(Matrix<const T> X, Doubles target, Doubles lower, Doubles upper, Doubles ridge,
             Doubles square, double epsilon, double constant, Vector<double> b, Vector<double> w,
             Vector<std::int64_t> rows, std::uint64_t seed, std::size_t limit, bool shrinks) {
    const Dual dual = dual_of(X.shape(0), target, lower, upper, ridge, square, epsilon, b);
    const DenseRows<T> data = dense_rows<T>(X, w.size(), constant);
    check_rows(rows, X.shape(0));
    Outcome out{};
    {
        nb::gil_scoped_release release;
        descend_dense(data, dual, w.data(), rows.data(), rows.size(), seed, limit, shrinks, out);
    }
    return {out.passes, out.violation};
}

template <typename T, typename I>
Result sparse(Vector<const I> indptr, Vector<const I> indices, Vector<const T> values,
              Doubles target, Doubles lower, Doubles upper, Doubles ridge, Doubles square,
              double epsilon, double constant, Vector<double> b, Vector<double> w,
              Vector<std::int64_t> rows, std::uint64_t seed, std::size_t limit, bool shrinks) {
    const SparseRows<T, I> data = sparse_rows<T, I>(indptr, indices, values, w.size(), constant);
    const std::size_t n = indptr.size() - 1;
    const Dual dual = dual_of(n, target, lower, upper, ridge, square, epsilon, b);
    check_rows(rows, n);
    Outcome out{};
    {
        nb::gil_scoped_release release;
        out = descend(data, dual, w.data(), rows.data(), rows.size(), seed, limit, shrinks);
    }
    return {out.passes, out.violation};
}

}  // namespace

void bind_dual_hinge(nb::module_ &m) {
    for_tables([&]<typename T>() {
        m.def("dual_hinge_dense", &dense<T>, fixed("X"), fixed("target"), fixed("lower"),
              fixed("upper"), fixed("ridge"), fixed("square"), nb::arg("epsilon"),
              nb::arg("constant"), fixed("b"), fixed("w"), fixed("rows"), nb::arg("seed"),
              nb::arg("limit"), nb::arg("shrinks"));
    });
    for_compressed([&]<typename T, typename I>() {
        m.def("dual_hinge_sparse", &sparse<T, I>, fixed("indptr"), fixed("indices"),
              fixed("values"), fixed("target"), fixed("lower"), fixed("upper"), fixed("ridge"),
              fixed("square"), nb::arg("epsilon"), nb::arg("constant"), fixed("b"), fixed("w"),
              fixed("rows"), nb::arg("seed"), nb::arg("limit"), nb::arg("shrinks"));
    });
}

}  // namespace margin
