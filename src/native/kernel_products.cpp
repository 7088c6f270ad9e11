// Product of the matrix of a radial kernel and a few vectors: every block of the matrix is used
// twice, as it is and transposed, while it is in the first cache, and then forgotten.
#include <nanobind/nanobind.h>
#include <nanobind/ndarray.h>

#include <algorithm>
#include <cstddef>
#include <stdexcept>
#include <vector>

#include "kernel_blocks.hpp"
#include "native.hpp"

namespace margin {
namespace {

constexpr std::size_t lanes = 8, strip = 4;
constexpr std::ptrdiff_t parts = 16;  // partial sums, whatever the number of threads

#if defined(__GNUC__)
typedef double Lane __attribute__((vector_size(64), aligned(8)));
#else
struct Lane {
    double v[lanes];
    Lane &operator+=(const Lane &o) {
        for (std::size_t l = 0; l < lanes; ++l) v[l] += o.v[l];
        return *this;
    }
    friend Lane operator*(double s, const Lane &o) {
        Lane made;
        for (std::size_t l = 0; l < lanes; ++l) made.v[l] = s * o.v[l];
        return made;
    }
};
#endif

// out[i] += sum_j S[i, j] V[j] for all rows of a block; V and out have rows of `width` numbers.
MARGIN_CLONES void add_product(const double *S, const double *V, double *out, std::size_t width) {
    for (std::size_t i = 0; i < side; i += strip)
        for (std::size_t c = 0; c < width; c += lanes) {
            Lane a{}, b{}, e{}, f{};
            const double *s = S + i * side;
            for (std::size_t j = 0; j < side; ++j) {
                const Lane v = *reinterpret_cast<const Lane *>(V + j * width + c);
                a += s[j] * v;
                b += s[side + j] * v;
                e += s[2 * side + j] * v;
                f += s[3 * side + j] * v;
            }
            double *o = out + i * width + c;
            *reinterpret_cast<Lane *>(o) += a;
            *reinterpret_cast<Lane *>(o + width) += b;
            *reinterpret_cast<Lane *>(o + 2 * width) += e;
            *reinterpret_cast<Lane *>(o + 3 * width) += f;
        }
}

// out[j] += sum_i S[i, j] V[i]
MARGIN_CLONES void add_transposed_product(const double *S, const double *V, double *out,
                                          std::size_t width) {
    for (std::size_t j = 0; j < side; j += strip)
        for (std::size_t c = 0; c < width; c += lanes) {
            Lane a{}, b{}, e{}, f{};
            for (std::size_t i = 0; i < side; ++i) {
                const Lane v = *reinterpret_cast<const Lane *>(V + i * width + c);
                const double *s = S + i * side + j;
                a += s[0] * v;
                b += s[1] * v;
                e += s[2] * v;
                f += s[3] * v;
            }
            double *o = out + j * width + c;
            *reinterpret_cast<Lane *>(o) += a;
            *reinterpret_cast<Lane *>(o + width) += b;
            *reinterpret_cast<Lane *>(o + 2 * width) += e;
            *reinterpret_cast<Lane *>(o + 3 * width) += f;
        }
}

// out = K V for the symmetric matrix K of a radial kernel of the rows of X.
void radial_product(int kind, double a, Matrix<const double> X, Matrix<const double> V,
                    Matrix<double> out, int n_threads) {
    const std::size_t n = X.shape(0), p = X.shape(1), k = V.shape(1);
    if (V.shape(0) != n || out.shape(0) != n || out.shape(1) != k)
        throw std::invalid_argument("radial_product: arrays of different shape");
    const Map<double> map = map_of<double>(kind, 0);
    const double *xp = X.data(), *vp = V.data();
    double *op = out.data();

    nb::gil_scoped_release release;
    const std::ptrdiff_t blocks = (n + side - 1) / side;
    const std::size_t width = (k + lanes - 1) / lanes * lanes, size = blocks * side * width;
    const std::vector<double> zt = packed(xp, n, p);
    std::vector<double> v(size, 0.0);
    for (std::size_t i = 0; i < n; ++i) std::copy(vp + i * k, vp + (i + 1) * k, v.data() + i * width);
    const std::ptrdiff_t used = std::min(parts, blocks);
    std::vector<double> sums(static_cast<std::size_t>(used) * size, 0.0);
#pragma omp parallel for schedule(dynamic) num_threads(n_threads) \
    if (n_threads > 1 && n * n * (p + width + 8) / 4 > parallel_work)
    for (std::ptrdiff_t part = 0; part < used; ++part) {
        alignas(64) double S[side * side];
        double *sum = sums.data() + static_cast<std::size_t>(part) * size;
        for (std::ptrdiff_t bi = part; bi < blocks; bi += used) {
            const std::size_t i0 = bi * side, rows = std::min(side, n - i0);
            for (std::ptrdiff_t bj = bi; bj < blocks; ++bj) {
                const std::size_t j0 = bj * side;
                block_distances(xp + i0 * p, zt.data() + j0 * p, S, rows, p, kind == city_block);
                if (map) map(S, a, rows * side);
                std::fill(S + rows * side, S + side * side, 0.0);
                // Columns beyond the last row meet zeros of V, or rows of sums that nobody reads.
                add_product(S, v.data() + j0 * width, sum + i0 * width, width);
                if (bi != bj)
                    add_transposed_product(S, v.data() + i0 * width, sum + j0 * width, width);
            }
        }
    }
#pragma omp parallel for num_threads(n_threads) if (n_threads > 1 && n * width > parallel_work)
    for (std::ptrdiff_t i = 0; i < static_cast<std::ptrdiff_t>(n); ++i)
        for (std::size_t c = 0; c < k; ++c) {
            double total = 0.0;
            for (std::ptrdiff_t part = 0; part < used; ++part)
                total += sums[static_cast<std::size_t>(part) * size + i * width + c];
            op[i * k + c] = total;
        }
}

}  // namespace

void bind_kernel_products(nb::module_ &m) {
    m.def("radial_product", &radial_product, nb::arg("kind"), nb::arg("a"),
          nb::arg("X").noconvert(), nb::arg("V").noconvert(), nb::arg("out").noconvert(),
          nb::arg("n_threads"));
}

}  // namespace margin
