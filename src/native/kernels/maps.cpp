// Matrices of radial kernels, block by block while the squared distances are in the first cache:
// directly from the coordinates for few columns, from a matrix of scalar products for many.
#include <nanobind/nanobind.h>
#include <nanobind/ndarray.h>

#include <algorithm>
#include <cstddef>
#include <optional>
#include <stdexcept>
#include <vector>

#include "common/bind.hpp"
#include "common/native.hpp"
#include "common/team.hpp"
#include "kernels/blocks.hpp"

namespace margin {
namespace {

// Copies a block into the matrix and, off the diagonal of a symmetric one, its transpose.
template <typename T>
void store(const T *S, T *out, std::size_t m, std::size_t i0, std::size_t rows, std::size_t j0,
           std::size_t columns, bool mirror) {
    for (std::size_t i = 0; i < rows; ++i)
        std::copy(S + i * side, S + i * side + columns, out + (i0 + i) * m + j0);
    if (!mirror) return;
    for (std::size_t j = 0; j < columns; ++j)
        for (std::size_t i = 0; i < rows; ++i) out[(j0 + j) * m + i0 + i] = S[i * side + j];
}

struct Radial {
    int kind, order;
    double a;
};

// Two tables of points and the squares of their norms; either pair may be missing.
template <typename T>
struct Points {
    const T *X, *Z, *nx, *nz;
    std::size_t n, m, p;
};

// Fills `out` with the kernel; where `norms` are given it holds the scalar products to start with.
template <typename T>
void fill(const Radial &radial, const Points<T> &points, T *out, bool symmetric, int n_threads) {
    const auto [kind, order, a] = radial;
    const auto [X, Z, nx, nz, n, m, p] = points;
    const Map<T> map = map_of<T>(kind, order);
    const std::vector<T> zt = X ? packed(Z, m, p) : std::vector<T>();
    const Index row_blocks = (n + side - 1) / side, column_blocks = (m + side - 1) / side;
    const double pairs = double(n) * double(m) * (symmetric ? 1 : 2);
    const double work = pairs * double((nx ? 0 : p) + 16) / 8;
    team::each(n_threads, work, row_blocks, [&](Index bi) {
        alignas(64) T S[side * side];
        const std::size_t i0 = bi * side, rows = std::min(side, n - i0);
        for (Index bj = symmetric ? bi : 0; bj < column_blocks; ++bj) {
            const std::size_t j0 = bj * side, columns = std::min(side, m - j0);
            const T *x = X ? X + i0 * p : nullptr, *z = X ? zt.data() + j0 * p : nullptr;
            if (nx) {
                block_from_products(
                    ProductBlock<T>{x, z, nx + i0, nz + j0, out + i0 * m + j0, m, rows, columns, p},
                    S);
                if (symmetric && bi == bj)
                    for (std::size_t i = 0; i < rows; ++i) S[i * side + i] = T(0);
            } else {
                block_distances(x, z, S, rows, p, kind == city_block);
            }
            if (map && columns == side) map(S, static_cast<T>(a), rows * side);
            if (map && columns < side)
                for (std::size_t i = 0; i < rows; ++i)
                    map(S + i * side, static_cast<T>(a), columns);
            store(S, out, m, i0, rows, j0, columns, symmetric && bi != bj);
        }
    });
}

template <typename T>
void radial_direct(int kind, int order, double a, Matrix<const T> X, Matrix<const T> Z,
                   Matrix<T> out, bool symmetric, int n_threads) {
    const std::size_t n = X.shape(0), m = Z.shape(0), p = X.shape(1);
    if (Z.shape(1) != p || out.shape(0) != n || out.shape(1) != m || (symmetric && n != m))
        throw std::invalid_argument("radial_direct: arrays of different shape");
    nb::gil_scoped_release release;
    fill<T>({kind, order, a}, {X.data(), Z.data(), nullptr, nullptr, n, m, p}, out.data(),
            symmetric, n_threads);
}

// `out` holds the scalar products and becomes the kernel.
template <typename T>
void radial_products(int kind, int order, double a, std::optional<Matrix<const T>> X,
                     std::optional<Matrix<const T>> Z, Vector<const T> nx, Vector<const T> nz,
                     Matrix<T> out, bool symmetric, int n_threads) {
    const std::size_t n = out.shape(0), m = out.shape(1), p = X ? X->shape(1) : 0;
    if (nx.size() != n || nz.size() != m || (symmetric && n != m) ||
        X.has_value() != Z.has_value() ||
        (X && (X->shape(0) != n || Z->shape(0) != m || Z->shape(1) != p)) || kind == city_block)
        throw std::invalid_argument("radial_products: arrays of different shape");
    const T *xp = X ? X->data() : nullptr, *zp = Z ? Z->data() : nullptr;
    nb::gil_scoped_release release;
    fill<T>({kind, order, a}, {xp, zp, nx.data(), nz.data(), n, m, p}, out.data(), symmetric,
            n_threads);
}

}  // namespace

void bind_kernel_maps(nb::module_ &m) {
    for_tables([&]<typename T>() {
        m.def("radial_direct", &radial_direct<T>, nb::arg("kind"), nb::arg("order"), nb::arg("a"),
              fixed("X"), fixed("Z"), fixed("out"), nb::arg("symmetric"), nb::arg("n_threads"));
        m.def("radial_products", &radial_products<T>, nb::arg("kind"), nb::arg("order"),
              nb::arg("a"), maybe("X"), maybe("Z"), fixed("nx"), fixed("nz"), fixed("out"),
              nb::arg("symmetric"), nb::arg("n_threads"));
    });
}

}  // namespace margin
