// Support vector machines by decomposition: minimise b'Kb/2 - t'b over lower <= b <= upper with
// the sum of b fixed in each of two segments. The Python driver chooses working sets; here is the
// loop on a working set.
#include <nanobind/nanobind.h>
#include <nanobind/ndarray.h>
#include <nanobind/stl/tuple.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <stdexcept>
#include <tuple>
#include <vector>

#include "common/bind.hpp"
#include "common/native.hpp"

namespace margin {
namespace {

constexpr double infinity = std::numeric_limits<double>::infinity();
// Curvature of a direction along which the objective is flat (duplicate rows) or falls (a kernel
// that is no kernel): small enough that the step goes to a bound.
constexpr double least_curvature = 1e-12;

struct Pair {
    double up, low;  // largest -G over what may grow, smallest over what may shrink
    std::size_t first;
};

// -G of what may grow, -G of what may shrink; -inf and +inf elsewhere.
[[gnu::always_inline]] inline void mark(std::size_t k, const double *beta, const double *lower,
                                        const double *upper, double *grow, double *shrink) {
    grow[k] = beta[k] < upper[k] ? 0.0 : -infinity;
    shrink[k] = beta[k] > lower[k] ? 0.0 : infinity;
}

[[gnu::always_inline]] inline Pair extremes(const double *gradient, const double *grow,
                                            const double *shrink, std::size_t from,
                                            std::size_t to) {
    double up = -infinity, low = infinity;
#pragma omp simd reduction(max : up) reduction(min : low)
    for (std::size_t k = from; k < to; ++k) {
        const double a = grow[k] - gradient[k], b = shrink[k] - gradient[k];
        up = up > a ? up : a;
        low = low < b ? low : b;
    }
    std::size_t first = from;
    while (first < to && grow[first] - gradient[first] != up) ++first;
    return {up, low, first};
}

// Partner of i with the largest decrease of the objective to second order.
template <typename T>
[[gnu::always_inline]] inline std::size_t partner(const T *row, const T *diagonal,
                                                  const double *gradient, const double *shrink,
                                                  double *gain, double up, double own,
                                                  std::size_t from, std::size_t to) {
    double best = 0.0;
#pragma omp simd reduction(max : best)
    for (std::size_t k = from; k < to; ++k) {
        const double violation = up - (shrink[k] - gradient[k]);
        double curvature = own + diagonal[k] - 2.0 * row[k];
        curvature = curvature > least_curvature ? curvature : least_curvature;
        const double value = violation > 0.0 ? violation * violation / curvature : 0.0;
        gain[k] = value;
        best = best > value ? best : value;
    }
    std::size_t second = from;
    while (second < to && gain[second] != best) ++second;
    return second;
}

template <typename T>
[[gnu::always_inline]] inline void shift(const T *a, const T *b, double step, double *gradient,
                                         std::size_t size) {
#pragma omp simd
    for (std::size_t k = 0; k < size; ++k)
        gradient[k] += step * (static_cast<double>(a[k]) - static_cast<double>(b[k]));
}

template <typename T>
struct WorkingSet {
    const T *K;
    const double *lower, *upper;
    std::size_t split, size;  // the first segment ends at `split`
    double reduction;
    std::int64_t limit;
};

struct Block {
    std::int64_t steps;
    double before, after, flattest;
};

// Pairs until the violation within the block is at most max(tol, reduction * violation at entry).
template <typename T>
[[gnu::always_inline]] inline Block solve(const WorkingSet<T> &set, double *beta, double *gradient,
                                          double tol) {
    const auto [K, lower, upper, split, size, reduction, limit] = set;
    std::vector<double> grow(size), shrink(size), gain(size);
    std::vector<T> diagonal(size);
    for (std::size_t k = 0; k < size; ++k) {
        mark(k, beta, lower, upper, grow.data(), shrink.data());
        diagonal[k] = K[k * size + k];
    }
    Block result{0, 0.0, 0.0, infinity};
    for (;; ++result.steps) {
        const Pair a = extremes(gradient, grow.data(), shrink.data(), 0, split);
        const Pair b = extremes(gradient, grow.data(), shrink.data(), split, size);
        const bool in_first = a.up - a.low >= b.up - b.low;
        const Pair &chosen = in_first ? a : b;
        const double violation = std::max(0.0, chosen.up - chosen.low);
        if (result.steps == 0) {
            result.before = violation;
            tol = std::max(tol, reduction * violation);
        }
        result.after = violation;
        // The negation also ends the loop when a kernel value was not a number.
        if (!(violation > tol) || result.steps >= limit) return result;

        const std::size_t i = chosen.first;
        const std::size_t from = in_first ? 0 : split, to = in_first ? split : size;
        const T *row = K + i * size;
        const std::size_t j = partner(row, diagonal.data(), gradient, shrink.data(), gain.data(),
                                      chosen.up, static_cast<double>(diagonal[i]), from, to);
        if (j >= to) return result;
        const double curvature =
            static_cast<double>(diagonal[i]) + diagonal[j] - 2.0 * static_cast<double>(row[j]);
        result.flattest = std::min(result.flattest, curvature);
        double step = (gradient[j] - gradient[i]) / std::max(curvature, least_curvature);
        const double room_i = upper[i] - beta[i], room_j = beta[j] - lower[j];
        if (step >= room_i || step >= room_j) step = std::min(room_i, room_j);
        // A variable that reaches its bound is set to it exactly.
        beta[i] = step == room_i ? upper[i] : beta[i] + step;
        beta[j] = step == room_j ? lower[j] : beta[j] - step;
        mark(i, beta, lower, upper, grow.data(), shrink.data());
        mark(j, beta, lower, upper, grow.data(), shrink.data());
        shift(row, K + j * size, step, gradient, size);
    }
}

MARGIN_CLONES Block run(const WorkingSet<float> &set, double *beta, double *gradient, double tol) {
    return solve(set, beta, gradient, tol);
}
MARGIN_CLONES Block run(const WorkingSet<double> &set, double *beta, double *gradient, double tol) {
    return solve(set, beta, gradient, tol);
}

template <typename T>
std::tuple<std::int64_t, double, double, double> smo_solve(Matrix<const T> K, Vector<double> beta,
                                                           Vector<double> gradient,
                                                           Vector<const double> lower,
                                                           Vector<const double> upper,
                                                           std::size_t split, double tol,
                                                           double reduction, std::int64_t limit) {
    const std::size_t size = K.shape(0);
    if (K.shape(1) != size || beta.size() != size || gradient.size() != size ||
        lower.size() != size || upper.size() != size || split > size)
        throw std::invalid_argument("smo_solve: arrays of different shape");
    const WorkingSet<T> set{K.data(), lower.data(), upper.data(), split, size, reduction, limit};
    double *b = beta.data(), *g = gradient.data();
    Block end;
    {
        nb::gil_scoped_release release;
        end = run(set, b, g, tol);
    }
    return {end.steps, end.before, end.after, end.flattest};
}

}  // namespace

void bind_smo(nb::module_ &m) {
    for_tables([&]<typename T>() {
        m.def("smo_solve", &smo_solve<T>, fixed("K"), fixed("beta"), fixed("gradient"),
              fixed("lower"), fixed("upper"), nb::arg("split"), nb::arg("tol"),
              nb::arg("reduction"), nb::arg("limit"));
    });
}

}  // namespace margin
