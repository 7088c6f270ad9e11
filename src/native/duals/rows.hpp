// What the solvers of the dual of a linear model share: the problem
// minimise 0.5 |sum_i b_i x_i|^2 + sum_i (0.5 d_i b_i^2 - t_i b_i + e |b_i|), l_i <= b_i <= u_i,
// and its rows x_i, dense or sparse, with a constant feature behind the others.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <stdexcept>

#include "common/bind.hpp"
#include "common/compressed.hpp"
#include "common/native.hpp"

namespace margin {

struct Dual {
    const double *target, *lower, *upper, *ridge, *square;  // square: |x_i|^2 + d_i
    double epsilon;
    double *b;

    // Walls of the piece on which the objective is quadratic around b_i: bounds, or the kink at 0.
    double low(std::size_t i) const {
        return epsilon > 0 && b[i] > 0 ? std::max(0.0, lower[i]) : lower[i];
    }
    double high(std::size_t i) const {
        return epsilon > 0 && b[i] < 0 ? std::min(0.0, upper[i]) : upper[i];
    }
};

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

template <typename T>
struct DenseRows {
    const T *X;
    std::size_t p;
    double constant;
    [[gnu::always_inline]] void ahead(std::size_t i) const {
        const char *at = reinterpret_cast<const char *>(X + i * p);
        for (std::size_t k = 0; k < std::min<std::size_t>(512, p * sizeof(T)); k += 64)
            __builtin_prefetch(at + k);
    }
    [[gnu::always_inline]] double score(std::size_t i, const double *w) const {
        const T *x = X + i * p;
        double z = 0.0;
#pragma omp simd reduction(+ : z)
        for (std::size_t j = 0; j < p; ++j) z += x[j] * w[j];
        return z + constant * w[p];
    }
    [[gnu::always_inline]] void add(std::size_t i, double delta, double *w) const {
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
    double constant;
    [[gnu::always_inline]] void ahead(std::size_t i) const {
        const I first = ptr[i], last = std::min<I>(ptr[i + 1], first + 256);
        for (I at = first; at < last; at += 64 / sizeof(T)) __builtin_prefetch(val + at);
        for (I at = first; at < last; at += 64 / sizeof(I)) __builtin_prefetch(ind + at);
    }
    [[gnu::always_inline]] double score(std::size_t i, const double *w) const {
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
    [[gnu::always_inline]] void add(std::size_t i, double delta, double *w) const {
        for (I at = ptr[i]; at < ptr[i + 1]; ++at) w[ind[at]] += delta * val[at];
        w[p] += delta * constant;
    }
};

using Doubles = Vector<const double>;

template <typename T>
DenseRows<T> dense_rows(const Matrix<const T> &X, std::size_t height, double constant) {
    if (height != X.shape(1) + 1)
        throw std::invalid_argument("dual rows: arrays of different shape");
    return {X.data(), X.shape(1), constant};
}

template <typename T, typename I>
SparseRows<T, I> sparse_rows(const Vector<const I> &indptr, const Vector<const I> &indices,
                             const Vector<const T> &values, std::size_t height, double constant) {
    if (height < 1) throw std::invalid_argument("dual rows: arrays of different shape");
    const auto matrix = compressed_within<T, I>(indptr, indices, values, height - 1,
                                                "dual rows: malformed row pointers",
                                                "dual rows: column out of range");
    return {matrix.indptr.data(), matrix.indices.data(), matrix.data.data(), height - 1, constant};
}

inline void check_rows(const Vector<std::int64_t> &rows, std::size_t n) {
    for (std::size_t k = 0; k < rows.size(); ++k)
        if (rows.data()[k] < 0 || static_cast<std::size_t>(rows.data()[k]) >= n)
            throw std::invalid_argument("dual rows: row out of range");
}

inline Dual dual_of(std::size_t n, const Doubles &target, const Doubles &lower,
                    const Doubles &upper, const Doubles &ridge, const Doubles &square,
                    double epsilon, const Vector<double> &b) {
    if (target.size() != n || lower.size() != n || upper.size() != n || ridge.size() != n ||
        square.size() != n || b.size() != n || !(epsilon >= 0))
        throw std::invalid_argument("dual rows: arrays of different shape");
    for (std::size_t i = 0; i < n; ++i)
        if (!(lower.data()[i] <= b.data()[i] && b.data()[i] <= upper.data()[i]))
            throw std::invalid_argument("dual rows: start out of bounds");
    return {target.data(), lower.data(), upper.data(), ridge.data(),
            square.data(), epsilon,      b.data()};
}

}  // namespace margin
