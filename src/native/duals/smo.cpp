// Support vector machines by decomposition: minimise b'Kb/2 - t'b over lower <= b <= upper with
// the sum of b fixed in each of two segments. The Python driver chooses working sets; here are the
// loops on a working set and the update of the scores f = K b.
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

#include "common/native.hpp"
#include "common/team.hpp"

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

struct Block {
    std::int64_t steps;
    double before, after, flattest;
};

// Pairs until the violation within the block is at most max(tol, reduction * violation at entry).
template <typename T>
[[gnu::always_inline]] inline Block solve(const T *K, double *beta, double *gradient,
                                          const double *lower, const double *upper,
                                          std::size_t split, std::size_t size, double tol,
                                          double reduction, std::int64_t limit) {
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

MARGIN_CLONES Block solve_f32(const float *K, double *beta, double *gradient, const double *lower,
                              const double *upper, std::size_t split, std::size_t size, double tol,
                              double reduction, std::int64_t limit) {
    return solve(K, beta, gradient, lower, upper, split, size, tol, reduction, limit);
}
MARGIN_CLONES Block solve_f64(const double *K, double *beta, double *gradient, const double *lower,
                              const double *upper, std::size_t split, std::size_t size, double tol,
                              double reduction, std::int64_t limit) {
    return solve(K, beta, gradient, lower, upper, split, size, tol, reduction, limit);
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
    const T *k = K.data();
    double *b = beta.data(), *g = gradient.data();
    const double *l = lower.data(), *u = upper.data();
    Block found;
    {
        nb::gil_scoped_release release;
        if constexpr (sizeof(T) == 4)
            found = solve_f32(k, b, g, l, u, split, size, tol, reduction, limit);
        else
            found = solve_f64(k, b, g, l, u, split, size, tol, reduction, limit);
    }
    return {found.steps, found.before, found.after, found.flattest};
}

// f[k] += sum_r delta[r] rows[r][k] for k in a tile that stays in cache.
template <typename T>
[[gnu::always_inline]] inline void accumulate(const T *const *rows, const double *delta,
                                              std::size_t count, double *f, std::size_t from,
                                              std::size_t to) {
    std::size_t r = 0;
    for (; r + 4 <= count; r += 4) {
        const T *a = rows[r], *b = rows[r + 1], *c = rows[r + 2], *d = rows[r + 3];
        const double p = delta[r], q = delta[r + 1], s = delta[r + 2], t = delta[r + 3];
#pragma omp simd
        for (std::size_t k = from; k < to; ++k)
            f[k] += (p * a[k] + q * b[k]) + (s * c[k] + t * d[k]);
    }
    for (; r < count; ++r) {
        const T *a = rows[r];
        const double p = delta[r];
#pragma omp simd
        for (std::size_t k = from; k < to; ++k) f[k] += p * a[k];
    }
}

MARGIN_CLONES void accumulate_f32(const float *const *rows, const double *delta, std::size_t count,
                                  double *f, std::size_t from, std::size_t to) {
    accumulate(rows, delta, count, f, from, to);
}
MARGIN_CLONES void accumulate_f64(const double *const *rows, const double *delta, std::size_t count,
                                  double *f, std::size_t from, std::size_t to) {
    accumulate(rows, delta, count, f, from, to);
}

constexpr std::size_t tile = 1024;
constexpr double cache_work = 4.0;  // a number from rows spread over memory, in numbers read

template <typename T>
std::vector<const T *> row_pointers(const Matrix<const T> &cache,
                                    const Vector<const std::int64_t> &slots, const char *name) {
    std::vector<const T *> rows(slots.size());
    for (std::size_t r = 0; r < rows.size(); ++r) {
        const std::int64_t slot = slots.data()[r];
        if (slot < 0 || static_cast<std::size_t>(slot) >= cache.shape(0))
            throw std::out_of_range(name);
        rows[r] = cache.data() + static_cast<std::size_t>(slot) * cache.shape(1);
    }
    return rows;
}

template <typename T>
void smo_scores(Matrix<const T> cache, Vector<const std::int64_t> slots, Vector<const double> delta,
                Vector<double> f, int n_threads) {
    const std::size_t n = f.size(), count = slots.size();
    if (delta.size() != count || cache.shape(1) < n)
        throw std::invalid_argument("smo_scores: arrays of different shape");
    const std::vector<const T *> rows = row_pointers(cache, slots, "smo_scores: slot out of range");
    const double *d = delta.data();
    double *out = f.data();
    nb::gil_scoped_release release;
    const double work = cache_work * double(n) * double(count);
    team::each_block(n_threads, work, n, tile, [&](std::size_t from, std::size_t to) {
        if constexpr (sizeof(T) == 4)
            accumulate_f32(rows.data(), d, count, out, from, to);
        else
            accumulate_f64(rows.data(), d, count, out, from, to);
    });
}

// out[r, c] = cache[slots[r], columns[c]].
template <typename T>
void smo_gather(Matrix<const T> cache, Vector<const std::int64_t> slots,
                Vector<const std::int64_t> columns, Matrix<T> out, int n_threads) {
    const std::size_t m = slots.size(), n = columns.size();
    if (out.shape(0) != m || out.shape(1) != n)
        throw std::invalid_argument("smo_gather: arrays of different shape");
    const std::vector<const T *> rows = row_pointers(cache, slots, "smo_gather: slot out of range");
    const std::int64_t *c = columns.data();
    for (std::size_t k = 0; k < n; ++k)
        if (c[k] < 0 || static_cast<std::size_t>(c[k]) >= cache.shape(1))
            throw std::out_of_range("smo_gather: column out of range");
    T *o = out.data();
    nb::gil_scoped_release release;
    const double work = cache_work * double(m) * double(n);
    team::each(n_threads, work, static_cast<Index>(m), [&](Index r) {
        const T *row = rows[r];
        T *line = o + static_cast<std::size_t>(r) * n;
        for (std::size_t k = 0; k < n; ++k) line[k] = row[c[k]];
    });
}

template <typename T>
void bind(nb::module_ &m) {
    m.def("smo_solve", &smo_solve<T>, nb::arg("K").noconvert(), nb::arg("beta").noconvert(),
          nb::arg("gradient").noconvert(), nb::arg("lower").noconvert(),
          nb::arg("upper").noconvert(), nb::arg("split"), nb::arg("tol"), nb::arg("reduction"),
          nb::arg("limit"));
    m.def("smo_scores", &smo_scores<T>, nb::arg("cache").noconvert(), nb::arg("slots").noconvert(),
          nb::arg("delta").noconvert(), nb::arg("f").noconvert(), nb::arg("n_threads"));
    m.def("smo_gather", &smo_gather<T>, nb::arg("cache").noconvert(), nb::arg("slots").noconvert(),
          nb::arg("columns").noconvert(), nb::arg("out").noconvert(), nb::arg("n_threads"));
}

}  // namespace

void bind_smo(nb::module_ &m) {
    bind<float>(m);
    bind<double>(m);
}

}  // namespace margin
