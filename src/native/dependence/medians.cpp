// The median distance of rows, without a list of distances.
//
// Distances are computed twice: first to count them by their upper bits, then to keep those that
// share these bits with the middle.
#include <algorithm>
#include <bit>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <vector>

#include "common/bind.hpp"
#include "common/native.hpp"
#include "dependence/bindings.hpp"

namespace margin {
namespace {

constexpr int low = 48;  // bits that are not counted by: the exponent stays, and four after it
constexpr std::size_t n_counts = std::size_t{1} << (63 - low);

// Squared distances of row i of p columns of n numbers to the rows from `first` on.
MARGIN_CLONES void squared(const double *columns, Index n, Index p, Index i, Index first,
                           double *out) {
    const Index m = n - first;
    std::fill_n(out, m, 0.0);
    for (Index k = 0; k < p; ++k) {
        const double *column = columns + k * n;
        const double own = column[i];
#pragma omp simd
        for (Index j = 0; j < m; ++j) {
            const double step = column[first + j] - own;
            out[j] += step * step;
        }
    }
}

// body(squared distance, its upper bits) for every pair of rows that are not equal.
template <typename Body>
void each_distance(const double *columns, Index n, Index p, std::vector<double> &row,
                   const Body &body) {
    for (Index i = 0; i + 1 < n; ++i) {
        squared(columns, n, p, i, i + 1, row.data());
        for (Index j = 0; j < n - i - 1; ++j)
            body(row[j], std::bit_cast<std::uint64_t>(row[j]) >> low);
    }
}

// The median of the distances above 0 between rows, given by columns; 0 where there are none.
double median_distance(Matrix<const double> columns) {
    const Index p = static_cast<Index>(columns.shape(0)), n = static_cast<Index>(columns.shape(1));
    const double *values = columns.data();
    nb::gil_scoped_release release;
    std::vector<double> row(static_cast<std::size_t>(n));
    std::vector<std::int64_t> counts(2 * n_counts);
    std::int64_t zeros = 0, total = 0;
    each_distance(values, n, p, row, [&](double square, std::uint64_t bits) {
        ++counts[bits];
        zeros += square == 0.0;
    });
    counts[0] -= zeros;
    for (const std::int64_t count : counts) total += count;
    if (total == 0) return 0.0;
    // Where the two middle ones are counted; one where the number is odd.
    const std::int64_t lower = (total - 1) / 2, upper = total / 2;
    std::uint64_t from = 0, to = 0;
    std::int64_t before = 0;
    while (before + counts[from] <= lower) before += counts[from++];
    std::int64_t after = before;
    for (to = from; after + counts[to] <= upper;) after += counts[to++];
    std::vector<double> middle;
    each_distance(values, n, p, row, [&](double square, std::uint64_t bits) {
        if (from <= bits && bits <= to && square != 0.0) middle.push_back(square);
    });
    const auto place = [&](std::int64_t rank) {
        const auto at = middle.begin() + (rank - before);
        std::nth_element(middle.begin(), at, middle.end());
        return std::sqrt(*at);
    };
    const double left = place(lower), right = place(upper);
    return 0.5 * (left + right);
}

}  // namespace

void bind_distance_medians(nb::module_ &m) {
    m.def("median_distance", &median_distance, fixed("columns"));
}

}  // namespace margin
