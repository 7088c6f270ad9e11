// Gaussian kernels of the rows of a table and inner products of two of them, centred.
//
// A kernel is kept as its triangle below the diagonal, row after row; its diagonal is one.
#include <nanobind/stl/pair.h>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <stdexcept>
#include <utility>
#include <vector>

#include "common/bind.hpp"
#include "common/elementary.hpp"
#include "common/native.hpp"
#include "common/team.hpp"

namespace margin {

namespace {

// Rows that are summed as one, whatever the number of threads.
constexpr std::size_t block = 32;
// Numbers that are read in the time of one exponential, of a difference and of a product.
constexpr double weight_of_exp = 2.0, weight_of_difference = 0.15, weight_of_product = 0.5;

constexpr std::size_t triangle(std::size_t n) { return n * (n - (n > 0)) / 2; }

// Squared distances of row i from those before it.
MARGIN_CLONES void distances(const double *columns, std::size_t d, std::size_t n, std::size_t i,
                             double *out) {
    std::size_t c = 0;
    for (std::size_t j = 0; j < i; ++j) out[j] = 0.0;
    for (; c + 4 <= d; c += 4) {
        const double *x = columns + c * n, *y = x + n, *z = y + n, *w = z + n;
        const double at_x = x[i], at_y = y[i], at_z = z[i], at_w = w[i];
        for (std::size_t j = 0; j < i; ++j) {
            const double a = x[j] - at_x, b = y[j] - at_y, e = z[j] - at_z, f = w[j] - at_w;
            out[j] += (a * a + b * b) + (e * e + f * f);
        }
    }
    for (; c < d; ++c) {
        const double *x = columns + c * n, own = x[i];
        for (std::size_t j = 0; j < i; ++j) out[j] += (x[j] - own) * (x[j] - own);
    }
}

// exp(-scale s) in the place of s; added to the sums of the columns, its own sum is the answer.
MARGIN_CLONES double exponentials(double *s, std::size_t count, double scale, double *sums) {
    double total = 0.0;
#pragma omp simd reduction(+ : total)
    for (std::size_t j = 0; j < count; ++j) {
        const double value = exp_negative(scale * s[j]);
        s[j] = value;
        sums[j] += value;
        total += value;
    }
    return total;
}

struct Centred {
    const double *kernel, *means;
    double level;
};

struct Sums {
    double products = 0.0, squares = 0.0;
};

// Row i of two centred kernels up to the diagonal: products and their squares.
MARGIN_CLONES void row_sums(const double *k, const double *own_k, double shift_k, const double *l,
                            const double *own_l, double shift_l, std::size_t count,
                            double *products, double *squares) {
    double sum = 0.0, square = 0.0;
#pragma omp simd reduction(+ : sum, square)
    for (std::size_t j = 0; j < count; ++j) {
        const double value = (k[j] - own_k[j] + shift_k) * (l[j] - own_l[j] + shift_l);
        sum += value;
        square += value * value;
    }
    *products = sum;
    *squares = square;
}

void gaussian_triangle(Matrix<const double> columns, double width, Vector<double> kernel,
                       Vector<double> means, int n_threads) {
    const std::size_t d = columns.shape(0), n = columns.shape(1);
    if (kernel.shape(0) != triangle(n) || means.shape(0) != n)
        throw std::invalid_argument("gaussian_triangle: arrays of different length");
    const double scale = 0.5 / (width * width);
    const std::size_t blocks = (n + block - 1) / block;
    nb::gil_scoped_release release;
    std::vector<double> partial(blocks * n, 0.0);
    const double work = (weight_of_exp + weight_of_difference * static_cast<double>(d)) *
                        static_cast<double>(triangle(n));
    team::each_block(n_threads, work, n, block, [&](std::size_t first, std::size_t last) {
        double *sums = partial.data() + first / block * n;
        for (std::size_t i = first; i < last; ++i) {
            double *row = kernel.data() + triangle(i);
            distances(columns.data(), d, n, i, row);
            sums[i] += 1.0 + exponentials(row, i, scale, sums);
        }
    });
    for (std::size_t i = 0; i < n; ++i) {
        double sum = 0.0;
        for (std::size_t b = i / block; b < blocks; ++b) sum += partial[b * n + i];
        means.data()[i] = sum / static_cast<double>(n);
    }
}

double mean_of(Vector<const double> values) {
    double sum = 0.0;
    for (std::size_t i = 0; i < values.shape(0); ++i) sum += values.data()[i];
    return sum / static_cast<double>(values.shape(0));
}

// Sums over all pairs of rows of the products of two centred kernels, and over pairs of different
// rows of the squared products.
std::pair<double, double> centred_products(Vector<const double> k, Vector<const double> k_means,
                                           Vector<const double> l, Vector<const double> l_means,
                                           int n_threads) {
    const std::size_t n = k_means.shape(0);
    if (k.shape(0) != triangle(n) || l.shape(0) != triangle(n) || l_means.shape(0) != n)
        throw std::invalid_argument("centred_products: arrays of different length");
    Sums all;
    {
        nb::gil_scoped_release release;
        const Centred a{k.data(), k_means.data(), mean_of(k_means)};
        const Centred b{l.data(), l_means.data(), mean_of(l_means)};
        std::vector<Sums> partial((n + block - 1) / block);
        const double work = weight_of_product * static_cast<double>(triangle(n));
        team::each_block(n_threads, work, n, block, [&](std::size_t first, std::size_t last) {
            Sums &sums = partial[first / block];
            for (std::size_t i = first; i < last; ++i) {
                const double shift_a = a.level - a.means[i], shift_b = b.level - b.means[i];
                double products, squares;
                row_sums(a.kernel + triangle(i), a.means, shift_a, b.kernel + triangle(i), b.means,
                         shift_b, i, &products, &squares);
                const double own = (1.0 - a.means[i] + shift_a) * (1.0 - b.means[i] + shift_b);
                sums.products += 2.0 * products + own;
                sums.squares += 2.0 * squares;
            }
        });
        for (const Sums &sums : partial) all.products += sums.products, all.squares += sums.squares;
    }
    return {all.products, all.squares};
}

}  // namespace

void bind_hilbert(nb::module_ &m) {
    m.def("gaussian_triangle", &gaussian_triangle, fixed("columns"), nb::arg("width"),
          fixed("kernel"), fixed("means"), nb::arg("n_threads"));
    m.def("centred_products", &centred_products, fixed("k"), fixed("k_means"), fixed("l"),
          fixed("l_means"), nb::arg("n_threads"));
}

}  // namespace margin
