// Distances and weighted sums over one block of pairs of points.
#include "kernels/blocks.hpp"

#include <algorithm>
#include <cmath>

#include "common/native.hpp"

namespace margin {
namespace {

// S[i, j] = |x_i - z_j|^2 (or the sum of absolute differences), z in columns of length `side`.
template <typename T, bool absolute>
[[gnu::always_inline]] inline void distances(const T *X, const T *zt, T *S, std::size_t rows,
                                             std::size_t p) {
    const auto part = [](T d) { return absolute ? std::abs(d) : d * d; };
    for (std::size_t i = 0; i < rows; ++i, X += p, S += side) {
        std::fill(S, S + side, T(0));
        std::size_t k = 0;
        for (; k + 4 <= p; k += 4) {
            const T a = X[k], b = X[k + 1], c = X[k + 2], d = X[k + 3];
            const T *z = zt + k * side;
#pragma omp simd
            for (std::size_t j = 0; j < side; ++j)
                S[j] += (part(a - z[j]) + part(b - z[side + j])) +
                        (part(c - z[2 * side + j]) + part(d - z[3 * side + j]));
        }
        for (; k < p; ++k) {
            const T a = X[k];
            const T *z = zt + k * side;
#pragma omp simd
            for (std::size_t j = 0; j < side; ++j) S[j] += part(a - z[j]);
        }
    }
}

// S[i, j] = |x_i|^2 + |z_j|^2 - 2 x_i z_j; where most of that cancels, again from the coordinates.
template <typename T>
[[gnu::always_inline]] inline void from_products(const ProductBlock<T> &block, T *S) {
    const auto [X, zt, nx, nz, first, stride, rows, columns, p] = block;
    const T *dots = first;
    constexpr T cancelled = sizeof(T) == 8 ? T(1e-3) : T(2e-2);
    constexpr T noise = sizeof(T) == 8 ? T(1e-15) : T(1e-6);
    for (std::size_t i = 0; i < rows; ++i, S += side, dots += stride) {
        int poor = 0;
        const T a = nx[i];
#pragma omp simd reduction(| : poor)
        for (std::size_t j = 0; j < columns; ++j) {
            const T norms = a + nz[j];
            const T s = norms - T(2) * dots[j];
            poor |= s < cancelled * norms;
            S[j] = s > noise * norms ? s : T(0);
        }
        if (!poor || !X) continue;
        for (std::size_t j = 0; j < columns; ++j) {
            if (S[j] >= cancelled * (a + nz[j])) continue;
            T s = 0;
            for (std::size_t k = 0; k < p; ++k) {
                const T d = X[i * p + k] - zt[k * side + j];
                s += d * d;
            }
            S[j] = s;
        }
    }
}

// sums[k] += sum_ij G[i, j] (x_ik - z_jk)^2
template <typename T>
[[gnu::always_inline]] inline void square_sums(const T *X, const T *zt, const T *G, double *sums,
                                               std::size_t rows, std::size_t p) {
    for (std::size_t i = 0; i < rows; ++i, X += p, G += side) {
        for (std::size_t k = 0; k < p; ++k) {
            const T a = X[k];
            const T *z = zt + k * side;
            T total = 0;
#pragma omp simd reduction(+ : total)
            for (std::size_t j = 0; j < side; ++j) total += G[j] * ((a - z[j]) * (a - z[j]));
            sums[k] += total;
        }
    }
}

// sums[k] += sum_ij G[i, j] d_ijk^2 and pulls[i, k] += sum_j G[i, j] d_ijk, d_ij = z_j - x_i.
template <typename T>
[[gnu::always_inline]] inline void square_pulls(const T *X, const T *zt, const T *G, double *sums,
                                                double *pulls, std::size_t rows, std::size_t p) {
    for (std::size_t i = 0; i < rows; ++i, X += p, G += side, pulls += p) {
        for (std::size_t k = 0; k < p; ++k) {
            const T a = X[k];
            const T *z = zt + k * side;
            T total = 0, pull = 0;
#pragma omp simd reduction(+ : total, pull)
            for (std::size_t j = 0; j < side; ++j) {
                const T d = z[j] - a, g = G[j] * d;
                pull += g;
                total += g * d;
            }
            sums[k] += total;
            pulls[k] += pull;
        }
    }
}

#define MARGIN_BLOCKS(T, name)                                                                     \
    MARGIN_CLONES void squares_##name(const T *X, const T *zt, T *S, std::size_t rows,             \
                                      std::size_t p) {                                             \
        distances<T, false>(X, zt, S, rows, p);                                                    \
    }                                                                                              \
    MARGIN_CLONES void absolutes_##name(const T *X, const T *zt, T *S, std::size_t rows,           \
                                        std::size_t p) {                                           \
        distances<T, true>(X, zt, S, rows, p);                                                     \
    }                                                                                              \
    MARGIN_CLONES void products_##name(const ProductBlock<T> &block, T *S) {                       \
        from_products<T>(block, S);                                                                \
    }                                                                                              \
    MARGIN_CLONES void sums_##name(const T *X, const T *zt, const T *G, double *sums,              \
                                   std::size_t rows, std::size_t p) {                              \
        square_sums<T>(X, zt, G, sums, rows, p);                                                   \
    }                                                                                              \
    MARGIN_CLONES void pulls_##name(const T *X, const T *zt, const T *G, double *sums,             \
                                    double *pulls, std::size_t rows, std::size_t p) {              \
        square_pulls<T>(X, zt, G, sums, pulls, rows, p);                                           \
    }
MARGIN_BLOCKS(double, f64)
MARGIN_BLOCKS(float, f32)
#undef MARGIN_BLOCKS

}  // namespace

void block_distances(const double *X, const double *zt, double *S, std::size_t rows, std::size_t p,
                     bool absolute) {
    (absolute ? absolutes_f64 : squares_f64)(X, zt, S, rows, p);
}
void block_distances(const float *X, const float *zt, float *S, std::size_t rows, std::size_t p,
                     bool absolute) {
    (absolute ? absolutes_f32 : squares_f32)(X, zt, S, rows, p);
}

void block_from_products(const ProductBlock<double> &block, double *S) { products_f64(block, S); }
void block_from_products(const ProductBlock<float> &block, float *S) { products_f32(block, S); }

void block_square_sums(const double *X, const double *zt, const double *G, double *sums,
                       std::size_t rows, std::size_t p) {
    sums_f64(X, zt, G, sums, rows, p);
}
void block_square_sums(const float *X, const float *zt, const float *G, double *sums,
                       std::size_t rows, std::size_t p) {
    sums_f32(X, zt, G, sums, rows, p);
}

void block_square_pulls(const double *X, const double *zt, const double *G, double *sums,
                        double *pulls, std::size_t rows, std::size_t p) {
    pulls_f64(X, zt, G, sums, pulls, rows, p);
}
void block_square_pulls(const float *X, const float *zt, const float *G, double *sums,
                        double *pulls, std::size_t rows, std::size_t p) {
    pulls_f32(X, zt, G, sums, pulls, rows, p);
}

}  // namespace margin
