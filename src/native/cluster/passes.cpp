// Passes over the distances of one cluster from all others.
#include "cluster/passes.hpp"

#include <algorithm>
#include <cmath>

#include "common/native.hpp"

namespace margin::cluster {
namespace {

// So many sums stay in registers while the columns go by.
constexpr std::size_t lanes = 32;

// body(first, sums) for blocks of squared distances, single ones at the end.
template <typename Body>
[[gnu::always_inline]] inline void squared_distances(const double *x, const double *columns,
                                                     std::size_t stride, std::size_t n,
                                                     std::size_t p, const Body &body) {
    std::size_t first = 0;
    for (; first + lanes <= n; first += lanes) {
        double sum[lanes] = {};
        for (std::size_t k = 0; k < p; ++k) {
            const double *column = columns + k * stride + first;
            const double v = x[k];
#pragma omp simd
            for (std::size_t l = 0; l < lanes; ++l) sum[l] += (v - column[l]) * (v - column[l]);
        }
        body(first, lanes, sum);
    }
    for (; first < n; ++first) {
        double sum = 0.0;
        for (std::size_t k = 0; k < p; ++k) {
            const double d = x[k] - columns[k * stride + first];
            sum += d * d;
        }
        body(first, 1, &sum);
    }
}

}  // namespace

MARGIN_CLONES std::size_t least_of(const double *row, std::size_t n, double &value) {
    constexpr std::size_t width = 16;
    double best[width];
    std::fill(best, best + width, infinite);
    std::size_t j = 0;
    for (; j + width <= n; j += width)
#pragma omp simd
        for (std::size_t l = 0; l < width; ++l)
            best[l] = row[j + l] < best[l] ? row[j + l] : best[l];
    double least = infinite;
    for (std::size_t l = 0; l < width; ++l) least = std::min(least, best[l]);
    for (; j < n; ++j) least = std::min(least, row[j]);
    value = least;
    for (std::size_t at = 0; at < n; ++at)
        if (row[at] == least) return at;
    return 0;
}

MARGIN_CLONES void united(int linkage, const double *a, const double *b, const double *size,
                          double na, double nb, double d, std::size_t n, double *out) {
    const double sum = na + nb, fa = na / sum, fb = nb / sum;
    switch (linkage) {
        case single:
#pragma omp simd
            for (std::size_t j = 0; j < n; ++j) out[j] = a[j] < b[j] ? a[j] : b[j];
            break;
        case complete:
#pragma omp simd
            for (std::size_t j = 0; j < n; ++j) out[j] = a[j] > b[j] ? a[j] : b[j];
            break;
        case average:
#pragma omp simd
            for (std::size_t j = 0; j < n; ++j) out[j] = fa * a[j] + fb * b[j];
            break;
        case weighted:
#pragma omp simd
            for (std::size_t j = 0; j < n; ++j) out[j] = 0.5 * (a[j] + b[j]);
            break;
        case centroid:
#pragma omp simd
            for (std::size_t j = 0; j < n; ++j) out[j] = fa * a[j] + fb * b[j] - fa * fb * d;
            break;
        case median:
#pragma omp simd
            for (std::size_t j = 0; j < n; ++j) out[j] = 0.5 * (a[j] + b[j]) - 0.25 * d;
            break;
        default:
#pragma omp simd
            for (std::size_t j = 0; j < n; ++j)
                out[j] =
                    ((na + size[j]) * a[j] + (nb + size[j]) * b[j] - size[j] * d) / (sum + size[j]);
    }
}

MARGIN_CLONES void row_distances(const double *x, const double *columns, std::size_t stride,
                                 std::size_t n, std::size_t p, bool root, double *out) {
    squared_distances(x, columns, stride, n, p,
                      [&](std::size_t first, std::size_t count, const double *sum) {
                          for (std::size_t l = 0; l < count; ++l)
                              out[first + l] = root ? std::sqrt(sum[l]) : sum[l];
                      });
}

MARGIN_CLONES void merge_rises(const double *x, const double *columns, std::size_t n, std::size_t p,
                               double own, const double *size, double *out) {
    squared_distances(
        x, columns, n, n, p, [&](std::size_t first, std::size_t count, const double *sum) {
            for (std::size_t l = 0; l < count; ++l) {
                const double other = size[first + l];
                out[first + l] =
                    other == 0.0 ? infinite : 2.0 * own * other / (own + other) * sum[l];
            }
        });
}

MARGIN_CLONES void closer(const double *row, std::size_t from, std::size_t n, const char *in,
                          double *least, std::int64_t *near) {
    for (std::size_t j = 0; j < n; ++j)
        if (!in[j] && row[j] < least[j]) {
            least[j] = row[j];
            near[j] = std::int64_t(from);
        }
}

}  // namespace margin::cluster
