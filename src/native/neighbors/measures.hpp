// Distances as sums over coordinates, taken for a block of points at a time.
//
// A measure adds one coordinate to two running numbers and turns them into a `reduced` distance,
// one that orders points as the distance itself does and is cheaper (the square of the Euclidean).
#pragma once

#include <cmath>
#include <cstddef>
#include <limits>
#include <stdexcept>

#include "common/native.hpp"

namespace margin::neighbors {

// Points side by side in a block: block[k * width + j] is coordinate k of the j-th.
constexpr std::size_t width = 16;

struct Euclidean {
    static constexpr bool boxed = true;  // the gap to a box bounds the distance to what is inside
    [[gnu::always_inline]] void add(double a, double b, double &s, double &) const {
        const double d = a - b;
        s += d * d;
    }
    [[gnu::always_inline]] double reduce(double s, double, std::size_t) const { return s; }
    double full(double reduced) const { return std::sqrt(reduced); }
    double reduced(double full) const { return full * full; }
};

struct Manhattan {
    static constexpr bool boxed = true;
    [[gnu::always_inline]] void add(double a, double b, double &s, double &) const {
        s += std::fabs(a - b);
    }
    [[gnu::always_inline]] double reduce(double s, double, std::size_t) const { return s; }
    double full(double reduced) const { return reduced; }
    double reduced(double full) const { return full; }
};

struct Chebyshev {
    static constexpr bool boxed = true;
    [[gnu::always_inline]] void add(double a, double b, double &s, double &) const {
        const double d = std::fabs(a - b);
        s = s < d ? d : s;
    }
    [[gnu::always_inline]] double reduce(double s, double, std::size_t) const { return s; }
    double full(double reduced) const { return reduced; }
    double reduced(double full) const { return full; }
};

struct Minkowski {
    static constexpr bool boxed = true;
    double power;
    [[gnu::always_inline]] void add(double a, double b, double &s, double &) const {
        s += std::pow(std::fabs(a - b), power);
    }
    [[gnu::always_inline]] double reduce(double s, double, std::size_t) const { return s; }
    double full(double reduced) const { return std::pow(reduced, 1.0 / power); }
    double reduced(double full) const { return std::pow(full, power); }
};

// Distances that are what they are reduced to, and have no bound by boxes.
struct Plain {
    static constexpr bool boxed = false;
    double full(double reduced) const { return reduced; }
    double reduced(double full) const { return full; }
};

// Sum of |a - b| / (|a| + |b|), where 0 / 0 is 0.
struct Canberra : Plain {
    [[gnu::always_inline]] void add(double a, double b, double &s, double &) const {
        const double size = std::fabs(a) + std::fabs(b);
        s += size > 0.0 ? std::fabs(a - b) / size : 0.0;
    }
    [[gnu::always_inline]] double reduce(double s, double, std::size_t) const { return s; }
};

// Sum of |a - b| over sum of |a + b|.
struct BrayCurtis : Plain {
    [[gnu::always_inline]] void add(double a, double b, double &s, double &t) const {
        s += std::fabs(a - b);
        t += std::fabs(a + b);
    }
    [[gnu::always_inline]] double reduce(double s, double t, std::size_t) const {
        return s > 0.0 ? s / t : 0.0;
    }
};

// Share of coordinates that differ.
struct Hamming : Plain {
    [[gnu::always_inline]] void add(double a, double b, double &s, double &) const {
        s += a != b ? 1.0 : 0.0;
    }
    [[gnu::always_inline]] double reduce(double s, double, std::size_t p) const {
        return s / static_cast<double>(p);
    }
};

// Of the coordinates where at least one is not zero, the share where just one is.
struct Jaccard : Plain {
    [[gnu::always_inline]] void add(double a, double b, double &s, double &t) const {
        const bool left = a != 0.0, right = b != 0.0;
        s += left != right ? 1.0 : 0.0;
        t += left || right ? 1.0 : 0.0;
    }
    [[gnu::always_inline]] double reduce(double s, double t, std::size_t) const {
        return t > 0.0 ? s / t : 0.0;
    }
};

// Euclidean over the coordinates that both points have, scaled up to all; infinite without any.
struct NanEuclidean : Plain {
    [[gnu::always_inline]] void add(double a, double b, double &s, double &t) const {
        const double d = a - b;
        const bool both = d == d;
        s += both ? d * d : 0.0;
        t += both ? 1.0 : 0.0;
    }
    [[gnu::always_inline]] double reduce(double s, double t, std::size_t p) const {
        return t > 0.0 ? s * static_cast<double>(p) / t : std::numeric_limits<double>::infinity();
    }
    double full(double reduced) const { return std::sqrt(reduced); }
    double reduced(double full) const { return full * full; }
};

// Reduced distances of a query to the points of one block. P is the number of coordinates where
// the compiler may know it, else 0.
template <int P, typename M, typename T>
[[gnu::always_inline]] inline void scan(const M &measure, const double *q, const T *block,
                                        std::size_t p, double (&distance)[width]) {
    double s[width] = {}, t[width] = {};
    const std::size_t count = P > 0 ? P : p;
    for (std::size_t k = 0; k < count; ++k) {
        const double a = q[k];
        const T *c = block + k * width;
#pragma omp simd
        for (std::size_t j = 0; j < width; ++j)
            measure.add(a, static_cast<double>(c[j]), s[j], t[j]);
    }
#pragma omp simd
    for (std::size_t j = 0; j < width; ++j) distance[j] = measure.reduce(s[j], t[j], count);
}

// Reduced distance of two points whose coordinates follow each other.
template <typename M, typename A, typename B>
[[gnu::always_inline]] inline double between(const M &measure, const A *a, const B *b,
                                             std::size_t p) {
    double s = 0.0, t = 0.0;
    for (std::size_t k = 0; k < p; ++k)
        measure.add(static_cast<double>(a[k]), static_cast<double>(b[k]), s, t);
    return measure.reduce(s, t, p);
}

// run(measure) with the measure of a code, as margin.native.neighbors.trees numbers them.
template <typename Run>
void with_measure(int code, double power, const Run &run) {
    switch (code) {
        case 0: return run(Euclidean{});
        case 1: return run(Manhattan{});
        case 2: return run(Chebyshev{});
        case 3: return run(Minkowski{power});
        case 4: return run(Canberra{});
        case 5: return run(BrayCurtis{});
        case 6: return run(Hamming{});
        case 7: return run(Jaccard{});
        case 8: return run(NanEuclidean{});
        default: throw std::invalid_argument("neighbors: unknown measure");
    }
}

}  // namespace margin::neighbors
