// Slope of a loss at one prediction z with target y: all that a stochastic step needs.
// At a kink it is the subgradient that the loss of the same name gives in Python.
#pragma once

#include <cstddef>
#include <cstring>

#include "common/elementary.hpp"

namespace margin {

enum class RowLoss : int {
    squared = 0,              // (z - y)^2 / 2
    logistic = 1,             // log(1 + exp(z)) - y z, y in [0, 1]
    hinge = 2,                // max(0, 1 - y z), y by its sign
    squared_hinge = 3,        // max(0, 1 - y z)^2
    perceptron = 4,           // max(0, -y z)
    huber = 5,                // r^2 / 2 up to |r| = shape, then linear; r = z - y
    insensitive = 6,          // max(0, |r| - shape)
    modified_huber = 7,       // max(0, 1 - y z)^2 down to y z = -1, then -4 y z
    squared_insensitive = 8,  // max(0, |r| - shape)^2
};
constexpr int row_loss_count = 9;

[[gnu::always_inline]] inline double logistic_slope(double z, double y) {
    const double e = exp_negative(z < 0.0 ? -z : z);
    const double near_one = 1.0 / (1.0 + e);
    return (z >= 0.0 ? near_one : e * near_one) - y;
}

[[gnu::always_inline]] inline double row_slope(RowLoss loss, double shape, double z, double y) {
    const double sign = 2.0 * double(y > 0.0) - 1.0;  // no branch that only luck can foresee
    switch (loss) {
        case RowLoss::squared: return z - y;
        case RowLoss::logistic: return logistic_slope(z, y);
        case RowLoss::hinge: return sign * z < 1.0 ? -sign : 0.0;
        case RowLoss::squared_hinge: {
            const double gap = 1.0 - sign * z;
            return gap > 0.0 ? -2.0 * gap * sign : 0.0;
        }
        case RowLoss::perceptron: return sign * z <= 0.0 ? -sign : 0.0;
        case RowLoss::huber: {
            const double r = z - y;
            return r > shape ? shape : (r < -shape ? -shape : r);
        }
        case RowLoss::insensitive: {
            const double r = z - y;
            return r > shape ? 1.0 : (r < -shape ? -1.0 : 0.0);
        }
        case RowLoss::modified_huber: {
            const double gap = 1.0 - sign * z;
            return gap > 0.0 ? -2.0 * sign * (gap > 2.0 ? 2.0 : gap) : 0.0;
        }
        case RowLoss::squared_insensitive: {
            const double r = z - y;
            return 2.0 * (r > shape ? r - shape : (r < -shape ? r + shape : 0.0));
        }
    }
    return 0.0;
}

// The loss itself.
[[gnu::always_inline]] inline double row_value(RowLoss loss, double shape, double z, double y) {
    const double m = y > 0.0 ? z : -z, r = z - y, size = r < 0.0 ? -r : r;
    switch (loss) {
        case RowLoss::squared: return 0.5 * r * r;
        case RowLoss::logistic: {
            const double a = z < 0.0 ? -z : z;
            return (z >= 0.0 ? (1.0 - y) * a : y * a) + log1p_unit(exp_negative(a));
        }
        case RowLoss::hinge: return m < 1.0 ? 1.0 - m : 0.0;
        case RowLoss::squared_hinge: return m < 1.0 ? (1.0 - m) * (1.0 - m) : 0.0;
        case RowLoss::perceptron: return m < 0.0 ? -m : 0.0;
        case RowLoss::huber:
            return size <= shape ? 0.5 * size * size : shape * (size - 0.5 * shape);
        case RowLoss::insensitive: return size > shape ? size - shape : 0.0;
        case RowLoss::modified_huber:
            return m < -1.0 ? -4.0 * m : (m < 1.0 ? (1.0 - m) * (1.0 - m) : 0.0);
        case RowLoss::squared_insensitive:
            return size > shape ? (size - shape) * (size - shape) : 0.0;
    }
    return 0.0;
}

[[gnu::always_inline]] inline double soft_threshold(double v, double t) {
    return v > t ? v - t : (v < -t ? v + t : 0.0);
}

// Absolute penalty by its total so far (Tsuruoka, Tsujii and Ananiadou 2009): of all that was due,
// total, a weight gives what it has not yet given, its signed share given, but never past zero. A
// weight that noise moves off zero goes back, where a penalty of single steps would leave it.
[[gnu::always_inline]] inline double pay(double v, double total, double &given) {
    const double left = v > 0.0 ? v - (total + given) : v + (total - given);
    const double after = v > 0.0 ? (left > 0.0 ? left : 0.0) : (left < 0.0 ? left : 0.0);
    given += after - v;
    return after;
}

// Four columns at a time, whatever the machine has: weights are read as they were written a moment
// ago, and a read of another width would have to wait for the writes to reach the cache.
typedef double Four __attribute__((vector_size(32)));
typedef float FourSingles __attribute__((vector_size(16)));

[[gnu::always_inline]] inline void load_four(const double *x, Four &into) {
    std::memcpy(&into, x, sizeof into);
}
[[gnu::always_inline]] inline void load_four(const float *x, Four &into) {
    FourSingles singles;
    std::memcpy(&singles, x, sizeof singles);
    into = __builtin_convertvector(singles, Four);
}

// The halves are added first: two additions one after the other, not three.
[[gnu::always_inline]] inline double sum_four(const Four &a) {
    typedef double Two __attribute__((vector_size(16)));
    Two low, high;
    std::memcpy(&low, &a, sizeof low);
    std::memcpy(&high, reinterpret_cast<const char *>(&a) + sizeof low, sizeof high);
    low += high;
    return low[0] + low[1];
}

template <typename T>
[[gnu::always_inline]] inline double row_dot(const T *x, const double *w, std::size_t p) {
    Four a{}, b{}, v, u;
    std::size_t j = 0;
    for (; j + 8 <= p; j += 8) {
        load_four(x + j, v);
        load_four(w + j, u);
        a += v * u;
        load_four(x + j + 4, v);
        load_four(w + j + 4, u);
        b += v * u;
    }
    if (j + 4 <= p) {
        load_four(x + j, v);
        load_four(w + j, u);
        a += v * u;
        j += 4;
    }
    a += b;
    double sum = sum_four(a);
    for (; j < p; ++j) sum += x[j] * w[j];
    return sum;
}

// w <- keep w + scale x.
template <typename T>
[[gnu::always_inline]] inline void row_add(const T *x, double keep, double scale, double *w,
                                           std::size_t p) {
    Four v, u;
    std::size_t j = 0;
    for (; j + 4 <= p; j += 4) {
        load_four(x + j, v);
        load_four(w + j, u);
        u = keep * u + scale * v;
        std::memcpy(w + j, &u, sizeof u);
    }
    for (; j < p; ++j) w[j] = keep * w[j] + scale * x[j];
}

// Rows come in random order: ask for the next ones early, a cache line of 64 bytes at a time.
template <typename T>
[[gnu::always_inline]] inline void prefetch_row(const T *x, std::size_t p) {
    const char *at = reinterpret_cast<const char *>(x);
    const std::size_t bytes = p * sizeof(T) < 1024 ? p * sizeof(T) : 1024;
    for (std::size_t k = 0; k < bytes; k += 64) __builtin_prefetch(at + k);
}

}  // namespace margin
