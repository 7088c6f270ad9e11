// Derivatives of radial kernels in the length scales, the shape parameter and the points, summed
// with weights while a block of distances is in the first cache.
#include <nanobind/nanobind.h>
#include <nanobind/ndarray.h>

#include <algorithm>
#include <cstddef>
#include <stdexcept>
#include <vector>

#include "common/bind.hpp"
#include "common/native.hpp"
#include "common/team.hpp"
#include "kernels/blocks.hpp"

namespace margin {
namespace {

// W[i, j] += A[j, i], in small tiles: a whole column of W would evict itself from the cache.
template <typename T>
void add_transposed(const T *A, std::size_t stride, std::size_t rows, std::size_t columns, T *W) {
    constexpr std::size_t tile = 8;
    for (std::size_t jt = 0; jt < rows; jt += tile)
        for (std::size_t it = 0; it < columns; it += tile)
            for (std::size_t i = it; i < std::min(it + tile, columns); ++i)
                for (std::size_t j = jt; j < std::min(jt + tile, rows); ++j)
                    W[i * side + j] += A[j * stride + i];
}

MARGIN_CLONES double weighted_sum(const double *S, const double *W, std::size_t n) {
    double total[8] = {};
    for (std::size_t i = 0; i < n; i += 8)  // n is a multiple of the side of a block
        for (std::size_t j = 0; j < 8; ++j) total[j] += W[i + j] * S[i + j];
    return ((total[0] + total[1]) + (total[2] + total[3])) +
           ((total[4] + total[5]) + (total[6] + total[7]));
}

MARGIN_CLONES double weighted_sum(const float *S, const float *W, std::size_t n) {
    double total[8] = {};
    for (std::size_t i = 0; i < n; i += 8)
        for (std::size_t j = 0; j < 8; ++j) total[j] += double(W[i + j]) * double(S[i + j]);
    return ((total[0] + total[1]) + (total[2] + total[3])) +
           ((total[4] + total[5]) + (total[6] + total[7]));
}

// sum_i W_i f(S_i); the distances stay as they are.
template <typename T>
double mapped_sum(Map<T> f, double a, const T *S, const T *W, T *D, std::size_t n) {
    std::copy(S, S + n, D);
    f(D, static_cast<T>(a), n);
    return weighted_sum(D, W, n);
}

// out[k] = sum_ij W_ij slope(s_ij) (x_ik - x_jk)^2, then out[p] = sum_ij W_ij df/d log a and
// out[p + 1] = sum_ij W_ij f(s_ij).
template <typename T>
void radial_gradient(int kind, double a, Matrix<const T> X, Matrix<const T> weight,
                     Vector<double> out, bool shape, bool total, int n_threads) {
    const std::size_t n = X.shape(0), p = X.shape(1);
    if (weight.shape(0) != n || weight.shape(1) != n || out.size() != p + 2)
        throw std::invalid_argument("radial_gradient: arrays of different shape");
    const Map<T> slope = map_of<T>(kind, 1);
    const Map<T> derivative = shape ? map_of<T>(kind, 2) : nullptr;
    // The slope of the Gaussian is the Gaussian.
    const bool alike = total && kind == gaussian;
    const Map<T> value = total && !alike ? map_of<T>(kind, 0) : nullptr;
    const T *xp = X.data(), *wp = weight.data();
    double *op = out.data();

    nb::gil_scoped_release release;
    const std::vector<T> zt = packed(xp, n, p);
    const Index blocks = (n + side - 1) / side;
    std::vector<double> partial(blocks * (p + 2), 0.0);
    team::each(n_threads, double(n) * double(n) * double(p + 8) / 4, blocks, [&](Index bi) {
        alignas(64) T S[side * side], W[side * side], D[side * side];
        double *sums = partial.data() + bi * (p + 2);
        const std::size_t i0 = bi * side, rows = std::min(side, n - i0);
        for (Index bj = bi; bj < blocks; ++bj) {
            const std::size_t j0 = bj * side, columns = std::min(side, n - j0);
            std::fill(W, W + side * side, T(0));  // padded columns weigh nothing
            for (std::size_t i = 0; i < rows; ++i)
                std::copy(wp + (i0 + i) * n + j0, wp + (i0 + i) * n + j0 + columns, W + i * side);
            if (bi != bj) add_transposed(wp + j0 * n + i0, n, columns, rows, W);
            block_distances(xp + i0 * p, zt.data() + j0 * p, S, rows, p, false);
            if (derivative) sums[p] += mapped_sum(derivative, a, S, W, D, rows * side);
            if (value) sums[p + 1] += mapped_sum(value, a, S, W, D, rows * side);
            slope(S, static_cast<T>(a), rows * side);
            if (alike) sums[p + 1] += weighted_sum(S, W, rows * side);
            for (std::size_t i = 0; i < rows * side; ++i) S[i] *= W[i];
            block_square_sums(xp + i0 * p, zt.data() + j0 * p, S, sums, rows, p);
        }
    });
    std::fill(op, op + p + 2, 0.0);
    for (Index b = 0; b < blocks; ++b)
        for (std::size_t k = 0; k < p + 2; ++k) op[k] += partial[b * (p + 2) + k];
}

// The same between two tables, and
// points[i, k] = sum_j W_ij slope(s_ij) (z_jk - x_ik) unless points is empty.
template <typename T>
void radial_cross_gradient(int kind, double a, Matrix<const T> X, Matrix<const T> Z,
                           Matrix<const T> weight, Vector<double> out, Matrix<double> points,
                           bool shape, int n_threads) {
    const std::size_t n = X.shape(0), m = Z.shape(0), p = X.shape(1);
    if (Z.shape(1) != p || weight.shape(0) != n || weight.shape(1) != m || out.size() != p + 2 ||
        (points.shape(0) != n && points.shape(0) != 0) || points.shape(1) != p)
        throw std::invalid_argument("radial_cross_gradient: arrays of different shape");
    const Map<T> slope = map_of<T>(kind, 1);
    const Map<T> derivative = shape ? map_of<T>(kind, 2) : nullptr;
    // The slope of the Gaussian is the Gaussian.
    const Map<T> value = kind == gaussian ? nullptr : map_of<T>(kind, 0);
    const T *xp = X.data(), *zp = Z.data(), *wp = weight.data();
    double *op = out.data(), *pp = points.data();

    nb::gil_scoped_release release;
    const std::vector<T> zt = packed(zp, m, p);
    const Index row_blocks = (n + side - 1) / side, column_blocks = (m + side - 1) / side;
    std::vector<double> partial(row_blocks * (p + 2), 0.0);
    const bool pulled = points.shape(0) == n;
    if (pulled) std::fill(pp, pp + n * p, 0.0);
    const double work = double(n) * double(m) * double(p + 8) / 4;
    team::each(n_threads, work, row_blocks, [&](Index bi) {
        alignas(64) T S[side * side], W[side * side], D[side * side];
        double *sums = partial.data() + bi * (p + 2);
        const std::size_t i0 = bi * side, rows = std::min(side, n - i0);
        for (Index bj = 0; bj < column_blocks; ++bj) {
            const std::size_t j0 = bj * side, columns = std::min(side, m - j0);
            if (columns < side) std::fill(W, W + side * side, T(0));
            for (std::size_t i = 0; i < rows; ++i)
                std::copy(wp + (i0 + i) * m + j0, wp + (i0 + i) * m + j0 + columns, W + i * side);
            block_distances(xp + i0 * p, zt.data() + j0 * p, S, rows, p, false);
            if (derivative) sums[p] += mapped_sum(derivative, a, S, W, D, rows * side);
            if (value) sums[p + 1] += mapped_sum(value, a, S, W, D, rows * side);
            slope(S, static_cast<T>(a), rows * side);
            if (!value) sums[p + 1] += weighted_sum(S, W, rows * side);
            for (std::size_t i = 0; i < rows * side; ++i) S[i] *= W[i];
            const T *x0 = xp + i0 * p, *z0 = zt.data() + j0 * p;
            if (pulled)
                block_square_pulls(x0, z0, S, sums, pp + i0 * p, rows, p);
            else
                block_square_sums(x0, z0, S, sums, rows, p);
        }
    });
    std::fill(op, op + p + 2, 0.0);
    for (Index b = 0; b < row_blocks; ++b)
        for (std::size_t k = 0; k < p + 2; ++k) op[k] += partial[b * (p + 2) + k];
}

}  // namespace

void bind_kernel_gradients(nb::module_ &m) {
    for_tables([&]<typename T>() {
        m.def("radial_gradient", &radial_gradient<T>, nb::arg("kind"), nb::arg("a"), fixed("X"),
              fixed("weight"), fixed("out"), nb::arg("shape"), nb::arg("total"),
              nb::arg("n_threads"));
        m.def("radial_cross_gradient", &radial_cross_gradient<T>, nb::arg("kind"), nb::arg("a"),
              fixed("X"), fixed("Z"), fixed("weight"), fixed("out"), fixed("points"),
              nb::arg("shape"), nb::arg("n_threads"));
    });
}

}  // namespace margin
