// The E step of a mixture of laws with independent normal columns, gaps left out.
#include <nanobind/nanobind.h>
#include <nanobind/ndarray.h>

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <stdexcept>
#include <vector>

#include "common/bind.hpp"
#include "common/team.hpp"
#include "mixture/bindings.hpp"
#include "mixture/shares.hpp"

namespace margin {
namespace {

using namespace mixture;

struct Columns {
    Index p, k;
    const double *means, *scales;  // (k, p): centres, and inverses of standard deviations
    const double *heights;         // (k, p): what an observed value costs beside its distance
    const double *levels;          // (k)
    double beta;
};

// `seen` is 1 where a value was observed; null where all of the panel were.
MARGIN_CLONES void share_out(const Columns &laws, const double *plain, const double *seen,
                             double *share, double *level) {
    for (Index k = 0; k < laws.k; ++k) {
        double *out = share + k * rows;
        for (Index r = 0; r < rows; ++r) out[r] = laws.levels[k];
        for (Index i = 0; i < laws.p; ++i) {
            const double *x = plain + i * rows;
            const double mean = laws.means[k * laws.p + i], scale = laws.scales[k * laws.p + i];
            const double height = laws.heights[k * laws.p + i];
            if (!seen) {
                for (Index r = 0; r < rows; ++r) {
                    const double z = (x[r] - mean) * scale;
                    out[r] -= 0.5 * z * z + height;
                }
            } else {
                const double *there = seen + i * rows;
                for (Index r = 0; r < rows; ++r) {
                    const double z = (x[r] - mean) * scale;
                    out[r] -= there[r] != 0.0 ? 0.5 * z * z + height : 0.0;
                }
            }
        }
    }
    normalise(laws.k, laws.beta, share, level, level + rows, level + 2 * rows);
}

// sums: (k) totals, then (k, p) weights, first and second moments about the means.
MARGIN_CLONES void add_sums(const Columns &laws, const double *plain, const double *seen,
                            const double *share, double *sums) {
    const Index k = laws.k, p = laws.p;
    double *weight = sums + k, *first = weight + k * p, *second = first + k * p;
    for (Index j = 0; j < k; ++j) {
        const double *w = share + j * rows;
        double total = 0.0;
#pragma omp simd reduction(+ : total)
        for (Index r = 0; r < rows; ++r) total += w[r];
        if (total == 0.0) continue;
        sums[j] += total;
        for (Index i = 0; i < p; ++i) {
            const double *x = plain + i * rows, mean = laws.means[j * p + i];
            double count = 0.0, one = 0.0, two = 0.0;
            if (!seen) {
                count = total;
#pragma omp simd reduction(+ : one, two)
                for (Index r = 0; r < rows; ++r) {
                    const double d = x[r] - mean, wd = w[r] * d;
                    one += wd;
                    two += wd * d;
                }
            } else {
                const double *there = seen + i * rows;
#pragma omp simd reduction(+ : count, one, two)
                for (Index r = 0; r < rows; ++r) {
                    const double own = w[r] * there[r], d = x[r] - mean, wd = own * d;
                    count += own;
                    one += wd;
                    two += wd * d;
                }
            }
            weight[j * p + i] += count;
            first[j * p + i] += one;
            second[j * p + i] += two;
        }
    }
}

// Loads a panel; gaps become the number 0 with `seen` 0. Whether there are any.
template <typename T>
bool load(const T *x, Index row_step, Index step, Index n, Index p, double *plain, double *seen) {
    bool gaps = false;
    for (Index i = 0; i < p; ++i)
        for (Index r = 0; r < rows; ++r) {
            const double value = r < n ? double(x[r * row_step + i * step]) : 0.0;
            const bool gap = std::isnan(value);
            gaps |= gap;
            plain[i * rows + r] = gap ? 0.0 : value;
            seen[i * rows + r] = gap ? 0.0 : 1.0;
        }
    return gaps;
}

template <typename T>
double column_expectation(nb::ndarray<const T, nb::ndim<2>, nb::device::cpu> X,
                          std::optional<Vector<const double>> weight, Matrix<const double> means,
                          Matrix<const double> scales, Matrix<const double> heights,
                          Vector<const double> levels, double beta, Vector<double> sums,
                          int n_threads) {
    const Index n = X.shape(0), p = X.shape(1), k = means.shape(0);
    const auto same = [&](const Matrix<const double> &a) {
        return Index(a.shape(0)) == k && Index(a.shape(1)) == p;
    };
    const std::size_t own = std::size_t(k) * (1 + 3 * p);
    if (!same(means) || !same(scales) || !same(heights) || Index(levels.size()) != k ||
        sums.size() != own || (weight && Index(weight->size()) != n))
        throw std::invalid_argument("column_expectation: arrays of different shape");
    const T *x = X.data();
    const Index row_step = X.stride(0), step = X.stride(1);
    const double *w = weight ? weight->data() : nullptr;
    const Columns laws{p, k, means.data(), scales.data(), heights.data(), levels.data(), beta};
    nb::gil_scoped_release release;
    const Index width = piece_rows(n, own), pieces = (n + width - 1) / width;
    std::vector<double> parts(pieces * own), bounds(pieces);
    team::run(n_threads, 2.0 * double(n) * double(p) * double(k), pieces, [&] {
        return [&, plain = std::vector<double>(p * rows), seen = std::vector<double>(p * rows),
                share = std::vector<double>(k * rows),
                level = std::vector<double>(3 * rows)](Index b) mutable {
            for (Index at = b * width; at < std::min(n, (b + 1) * width); at += rows) {
                const Index here = std::min(rows, n - at);
                const bool gaps =
                    load(x + at * row_step, row_step, step, here, p, plain.data(), seen.data());
                const double *mask = gaps ? seen.data() : nullptr;
                share_out(laws, plain.data(), mask, share.data(), level.data());
                bounds[b] += weigh(k, here, w ? w + at : nullptr, level.data(), share.data());
                add_sums(laws, plain.data(), mask, share.data(), parts.data() + b * own);
            }
        };
    });
    double bound = 0.0;
    for (Index b = 0; b < pieces; ++b) {
        bound += bounds[b];
        for (std::size_t j = 0; j < own; ++j) sums.data()[j] += parts[b * own + j];
    }
    return bound;
}

}  // namespace

void bind_mixture_columns(nb::module_ &m) {
    for_tables([&]<typename T>() {
        m.def("mixture_columns", &column_expectation<T>, fixed("X"), maybe("weight"),
              fixed("means"), fixed("scales"), fixed("heights"), fixed("levels"), nb::arg("beta"),
              fixed("sums"), nb::arg("n_threads"));
    });
}

}  // namespace margin
