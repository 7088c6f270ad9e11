// Matrices of radial kernels, block by block while the squared distances are in the first cache:
// directly from the coordinates for few columns, from a matrix of scalar products for many.
#include <nanobind/nanobind.h>
#include <nanobind/ndarray.h>

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <optional>
#include <stdexcept>
#include <vector>

#include "kernel_profiles.hpp"
#include "native.hpp"

namespace margin {
namespace {

constexpr std::size_t side = 64;  // a block of doubles fills the first cache
constexpr std::size_t parallel_work = 2'000'000;

enum Kind { squared, gaussian, exponential, three_halves, five_halves, gamma_exponential,
            rational_quadratic, city_block, kinds };

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
[[gnu::always_inline]] inline void from_products(const T *X, const T *zt, const T *nx, const T *nz,
                                                 const T *dots, std::size_t stride, T *S,
                                                 std::size_t rows, std::size_t columns,
                                                 std::size_t p) {
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

#define MARGIN_BLOCKS(T, name)                                                                     \
    MARGIN_CLONES void squares_##name(const T *X, const T *zt, T *S, std::size_t rows,             \
                                      std::size_t p) {                                             \
        distances<T, false>(X, zt, S, rows, p);                                                    \
    }                                                                                              \
    MARGIN_CLONES void absolutes_##name(const T *X, const T *zt, T *S, std::size_t rows,           \
                                        std::size_t p) {                                           \
        distances<T, true>(X, zt, S, rows, p);                                                     \
    }                                                                                              \
    MARGIN_CLONES void products_##name(const T *X, const T *zt, const T *nx, const T *nz,          \
                                       const T *dots, std::size_t stride, T *S, std::size_t rows,  \
                                       std::size_t columns, std::size_t p) {                       \
        from_products<T>(X, zt, nx, nz, dots, stride, S, rows, columns, p);                        \
    }                                                                                              \
    MARGIN_CLONES void sums_##name(const T *X, const T *zt, const T *G, double *sums,              \
                                   std::size_t rows, std::size_t p) {                              \
        square_sums<T>(X, zt, G, sums, rows, p);                                                   \
    }
MARGIN_BLOCKS(double, f64)
MARGIN_BLOCKS(float, f32)
#undef MARGIN_BLOCKS

#define MARGIN_MAP(name, T, function)                                       \
    MARGIN_CLONES void name(T *s, T a, std::size_t n) {                     \
        _Pragma("omp simd") for (std::size_t i = 0; i < n; ++i) s[i] = function(s[i], a); \
    }
#define MARGIN_MAPS(kind, Profile)                         \
    MARGIN_MAP(kind##_f64, double, Profile::value)         \
    MARGIN_MAP(kind##_f32, float, Profile::value)          \
    MARGIN_MAP(kind##_slope_f64, double, Profile::slope)   \
    MARGIN_MAP(kind##_slope_f32, float, Profile::slope)
MARGIN_MAPS(gaussian, Gaussian)
MARGIN_MAPS(exponential, Exponential)
MARGIN_MAPS(three_halves, ThreeHalves)
MARGIN_MAPS(five_halves, FiveHalves)
MARGIN_MAPS(gamma, GammaExponential)
MARGIN_MAPS(rational, RationalQuadratic)
MARGIN_MAP(gamma_shape_f64, double, GammaExponential::shape)
MARGIN_MAP(gamma_shape_f32, float, GammaExponential::shape)
MARGIN_MAP(rational_shape_f64, double, RationalQuadratic::shape)
MARGIN_MAP(rational_shape_f32, float, RationalQuadratic::shape)

template <typename T>
inline T plain_decay(T s, T) { return decay(s); }
MARGIN_MAP(city_f64, double, plain_decay)
MARGIN_MAP(city_f32, float, plain_decay)
#undef MARGIN_MAPS
#undef MARGIN_MAP

template <typename T>
using Map = void (*)(T *, T, std::size_t);

// What to do to squared distances: 0 the kernel, 1 its slope, 2 its derivative in the parameter.
template <typename T>
Map<T> map_of(int kind, int order) {
    static_assert(sizeof(T) == 8);
    static constexpr Map<double> table[3][kinds] = {
        {nullptr, gaussian_f64, exponential_f64, three_halves_f64, five_halves_f64, gamma_f64,
         rational_f64, city_f64},
        {nullptr, gaussian_slope_f64, exponential_slope_f64, three_halves_slope_f64,
         five_halves_slope_f64, gamma_slope_f64, rational_slope_f64, nullptr},
        {nullptr, nullptr, nullptr, nullptr, nullptr, gamma_shape_f64, rational_shape_f64, nullptr}};
    return table[order][kind];
}

template <>
Map<float> map_of<float>(int kind, int order) {
    static constexpr Map<float> table[3][kinds] = {
        {nullptr, gaussian_f32, exponential_f32, three_halves_f32, five_halves_f32, gamma_f32,
         rational_f32, city_f32},
        {nullptr, gaussian_slope_f32, exponential_slope_f32, three_halves_slope_f32,
         five_halves_slope_f32, gamma_slope_f32, rational_slope_f32, nullptr},
        {nullptr, nullptr, nullptr, nullptr, nullptr, gamma_shape_f32, rational_shape_f32, nullptr}};
    return table[order][kind];
}

template <typename T>
Map<T> checked_map(int kind, int order) {
    if (kind < 0 || kind >= kinds || order < 0 || order > 2)
        throw std::invalid_argument("radial kernel: unknown kind");
    const Map<T> map = map_of<T>(kind, order);
    if (!map && !(kind == squared && order == 0))
        throw std::invalid_argument("radial kernel: kind without this derivative");
    return map;
}

void run_squares(const double *X, const double *zt, double *S, std::size_t r, std::size_t p,
                 bool absolute) {
    (absolute ? absolutes_f64 : squares_f64)(X, zt, S, r, p);
}
void run_squares(const float *X, const float *zt, float *S, std::size_t r, std::size_t p,
                 bool absolute) {
    (absolute ? absolutes_f32 : squares_f32)(X, zt, S, r, p);
}
constexpr auto run_products = [](const auto *X, const auto *zt, const auto *nx, const auto *nz,
                                 const auto *dots, std::size_t stride, auto *S, std::size_t r,
                                 std::size_t c, std::size_t p) {
    if constexpr (sizeof(*S) == 8)
        products_f64(X, zt, nx, nz, dots, stride, S, r, c, p);
    else
        products_f32(X, zt, nx, nz, dots, stride, S, r, c, p);
};
void run_sums(const double *X, const double *zt, const double *G, double *s, std::size_t r,
              std::size_t p) {
    sums_f64(X, zt, G, s, r, p);
}
void run_sums(const float *X, const float *zt, const float *G, double *s, std::size_t r,
              std::size_t p) {
    sums_f32(X, zt, G, s, r, p);
}

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

// Fills `out` with the kernel; where `norms` are given it holds the scalar products to start with.
template <typename T>
void fill(int kind, int order, double a, const T *X, const T *Z, const T *nx, const T *nz, T *out,
          std::size_t n, std::size_t m, std::size_t p, bool symmetric, int n_threads) {
    const Map<T> map = checked_map<T>(kind, order);
    const std::vector<T> zt = X ? packed(Z, m, p) : std::vector<T>();
    const std::ptrdiff_t row_blocks = (n + side - 1) / side, column_blocks = (m + side - 1) / side;
    const std::size_t work = n * m * (symmetric ? 1 : 2) * ((nx ? 0 : p) + 16) / 8;
#pragma omp parallel for schedule(dynamic) num_threads(n_threads) \
    if (n_threads > 1 && work > parallel_work)
    for (std::ptrdiff_t bi = 0; bi < row_blocks; ++bi) {
        alignas(64) T S[side * side];
        const std::size_t i0 = bi * side, rows = std::min(side, n - i0);
        for (std::ptrdiff_t bj = symmetric ? bi : 0; bj < column_blocks; ++bj) {
            const std::size_t j0 = bj * side, columns = std::min(side, m - j0);
            const T *x = X ? X + i0 * p : nullptr, *z = X ? zt.data() + j0 * p : nullptr;
            if (nx) {
                run_products(x, z, nx + i0, nz + j0, out + i0 * m + j0, m, S, rows, columns, p);
                if (symmetric && bi == bj)
                    for (std::size_t i = 0; i < rows; ++i) S[i * side + i] = T(0);
            } else {
                run_squares(x, z, S, rows, p, kind == city_block);
            }
            if (map && columns == side) map(S, static_cast<T>(a), rows * side);
            if (map && columns < side)
                for (std::size_t i = 0; i < rows; ++i)
                    map(S + i * side, static_cast<T>(a), columns);
            store(S, out, m, i0, rows, j0, columns, symmetric && bi != bj);
        }
    }
}

template <typename T>
void radial_direct(int kind, int order, double a, Matrix<const T> X, Matrix<const T> Z,
                   Matrix<T> out, bool symmetric, int n_threads) {
    const std::size_t n = X.shape(0), m = Z.shape(0), p = X.shape(1);
    if (Z.shape(1) != p || out.shape(0) != n || out.shape(1) != m || (symmetric && n != m))
        throw std::invalid_argument("radial_direct: arrays of different shape");
    nb::gil_scoped_release release;
    fill<T>(kind, order, a, X.data(), Z.data(), nullptr, nullptr, out.data(), n, m, p, symmetric,
            n_threads);
}

// `out` holds the scalar products and becomes the kernel.
template <typename T>
void radial_products(int kind, int order, double a, std::optional<Matrix<const T>> X,
                     std::optional<Matrix<const T>> Z, Vector<const T> nx, Vector<const T> nz,
                     Matrix<T> out, bool symmetric, int n_threads) {
    const std::size_t n = out.shape(0), m = out.shape(1), p = X ? X->shape(1) : 0;
    if (nx.size() != n || nz.size() != m || (symmetric && n != m) || X.has_value() != Z.has_value() ||
        (X && (X->shape(0) != n || Z->shape(0) != m || Z->shape(1) != p)) || kind == city_block)
        throw std::invalid_argument("radial_products: arrays of different shape");
    const T *xp = X ? X->data() : nullptr, *zp = Z ? Z->data() : nullptr;
    nb::gil_scoped_release release;
    fill<T>(kind, order, a, xp, zp, nx.data(), nz.data(), out.data(), n, m, p, symmetric,
            n_threads);
}

// out[k] = sum_ij W_ij slope(s_ij) (x_ik - x_jk)^2, and out[p] = sum_ij W_ij df/d log a.
template <typename T>
void radial_gradient(int kind, double a, Matrix<const T> X, Matrix<const T> weight,
                     Vector<double> out, bool shape, int n_threads) {
    const std::size_t n = X.shape(0), p = X.shape(1);
    if (weight.shape(0) != n || weight.shape(1) != n || out.size() != p + 1)
        throw std::invalid_argument("radial_gradient: arrays of different shape");
    const Map<T> slope = checked_map<T>(kind, 1);
    const Map<T> derivative = shape ? checked_map<T>(kind, 2) : nullptr;
    const T *xp = X.data(), *wp = weight.data();
    double *op = out.data();

    nb::gil_scoped_release release;
    const std::vector<T> zt = packed(xp, n, p);
    const std::ptrdiff_t blocks = (n + side - 1) / side;
    std::vector<double> partial(blocks * (p + 1), 0.0);
#pragma omp parallel for schedule(dynamic) num_threads(n_threads) \
    if (n_threads > 1 && n * n * (p + 8) / 4 > parallel_work)
    for (std::ptrdiff_t bi = 0; bi < blocks; ++bi) {
        alignas(64) T S[side * side], W[side * side], D[side * side];
        double *sums = partial.data() + bi * (p + 1);
        const std::size_t i0 = bi * side, rows = std::min(side, n - i0);
        for (std::ptrdiff_t bj = bi; bj < blocks; ++bj) {
            const std::size_t j0 = bj * side, columns = std::min(side, n - j0);
            std::fill(W, W + side * side, T(0));  // padded columns weigh nothing
            for (std::size_t i = 0; i < rows; ++i)
                std::copy(wp + (i0 + i) * n + j0, wp + (i0 + i) * n + j0 + columns, W + i * side);
            if (bi != bj)
                for (std::size_t j = 0; j < columns; ++j)
                    for (std::size_t i = 0; i < rows; ++i)
                        W[i * side + j] += wp[(j0 + j) * n + i0 + i];
            run_squares(xp + i0 * p, zt.data() + j0 * p, S, rows, p, false);
            if (derivative) {
                std::copy(S, S + rows * side, D);
                derivative(D, static_cast<T>(a), rows * side);
                double total = 0.0;
                for (std::size_t i = 0; i < rows * side; ++i) total += W[i] * D[i];
                sums[p] += total;
            }
            slope(S, static_cast<T>(a), rows * side);
            for (std::size_t i = 0; i < rows * side; ++i) S[i] *= W[i];
            run_sums(xp + i0 * p, zt.data() + j0 * p, S, sums, rows, p);
        }
    }
    std::fill(op, op + p + 1, 0.0);
    for (std::ptrdiff_t b = 0; b < blocks; ++b)
        for (std::size_t k = 0; k <= p; ++k) op[k] += partial[b * (p + 1) + k];
}

template <typename T>
void bind_type(nb::module_ &m) {
    m.def("radial_direct", &radial_direct<T>, nb::arg("kind"), nb::arg("order"), nb::arg("a"),
          nb::arg("X").noconvert(), nb::arg("Z").noconvert(), nb::arg("out").noconvert(),
          nb::arg("symmetric"), nb::arg("n_threads"));
    m.def("radial_products", &radial_products<T>, nb::arg("kind"), nb::arg("order"), nb::arg("a"),
          nb::arg("X").noconvert().none(), nb::arg("Z").noconvert().none(),
          nb::arg("nx").noconvert(), nb::arg("nz").noconvert(), nb::arg("out").noconvert(),
          nb::arg("symmetric"), nb::arg("n_threads"));
    m.def("radial_gradient", &radial_gradient<T>, nb::arg("kind"), nb::arg("a"),
          nb::arg("X").noconvert(), nb::arg("weight").noconvert(), nb::arg("out").noconvert(),
          nb::arg("shape"), nb::arg("n_threads"));
}

}  // namespace

void bind_kernel_maps(nb::module_ &m) {
    // Nothing is converted: a copy of an output would be filled and thrown away.
    bind_type<double>(m);
    bind_type<float>(m);
}

}  // namespace margin
