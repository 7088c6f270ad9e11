// Loops over one block of pairs of points: distances, functions of them, weighted sums.
#pragma once

#include <cstddef>
#include <vector>

namespace margin {

constexpr std::size_t side = 64;  // a block of doubles fills the first cache

enum Kind {
    squared,
    gaussian,
    exponential,
    three_halves,
    five_halves,
    gamma_exponential,
    rational_quadratic,
    city_block,
    kinds
};

// S[i, j] = |x_i - z_j|^2, or the sum of absolute differences; zt holds z column after column.
void block_distances(const double *X, const double *zt, double *S, std::size_t rows, std::size_t p,
                     bool absolute);
void block_distances(const float *X, const float *zt, float *S, std::size_t rows, std::size_t p,
                     bool absolute);

// Scalar products of the pairs of a block, `stride` from row to row, with squared norms and, where
// they are given, the coordinates.
template <typename T>
struct ProductBlock {
    const T *X, *zt, *nx, *nz, *dots;
    std::size_t stride, rows, columns, p;
};

// The same from scalar products; from the coordinates where they cancel.
void block_from_products(const ProductBlock<double> &block, double *S);
void block_from_products(const ProductBlock<float> &block, float *S);

// sums[k] += sum_ij G[i, j] (x_ik - z_jk)^2
void block_square_sums(const double *X, const double *zt, const double *G, double *sums,
                       std::size_t rows, std::size_t p);
void block_square_sums(const float *X, const float *zt, const float *G, double *sums,
                       std::size_t rows, std::size_t p);

// The same, and pulls[i, k] += sum_j G[i, j] (z_jk - x_ik).
void block_square_pulls(const double *X, const double *zt, const double *G, double *sums,
                        double *pulls, std::size_t rows, std::size_t p);
void block_square_pulls(const float *X, const float *zt, const float *G, double *sums,
                        double *pulls, std::size_t rows, std::size_t p);

template <typename T>
using Map = void (*)(T *, T, std::size_t);

// What to do to squared distances: 0 the kernel, 1 its slope, 2 its derivative in the parameter.
// Throws for what a kind does not have; null for the squared distances themselves.
template <typename T>
Map<T> map_of(int kind, int order);
template <>
Map<double> map_of<double>(int kind, int order);
template <>
Map<float> map_of<float>(int kind, int order);

// The rows of Z in blocks of `side`, each stored column after column, padded with zeros.
template <typename T>
std::vector<T> packed(const T *Z, std::size_t m, std::size_t p) {
    const std::size_t blocks = (m + side - 1) / side;
    std::vector<T> made(blocks * side * p, T(0));
    for (std::size_t j = 0; j < m; ++j)
        for (std::size_t k = 0; k < p; ++k)
            made[(j / side) * side * p + k * side + j % side] = Z[j * p + k];
    return made;
}

}  // namespace margin
