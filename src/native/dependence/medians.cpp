// The median distance of rows, without a list of distances.
//
// Of rows of several columns they are computed twice: first to count them by their upper bits, then
// to keep those that share these bits with the middle. On a line sorted values tell how many pairs
// are within a distance.
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

// Pairs of sorted values that are at most so far from each other.
std::int64_t pairs_within(const std::vector<double> &x, double far) {
    std::int64_t count = 0;
    for (std::size_t i = 0, j = 0; j < x.size(); ++j) {
        while (x[j] - x[i] > far) ++i;
        count += static_cast<std::int64_t>(j - i);
    }
    return count;
}

// The smallest distance that so many pairs do not exceed: bisection over all numbers there are.
double distance_of_rank(const std::vector<double> &x, std::int64_t rank) {
    std::int64_t low = 0, high = std::bit_cast<std::int64_t>(x.back() - x.front());
    while (low < high) {
        const std::int64_t middle = low + (high - low) / 2;
        if (pairs_within(x, std::bit_cast<double>(middle)) >= rank)
            high = middle;
        else
            low = middle + 1;
    }
    return std::bit_cast<double>(low);
}

double median_of_line(std::vector<double> x) {
    std::sort(x.begin(), x.end());
    const auto n = static_cast<std::int64_t>(x.size());
    const std::int64_t zeros = pairs_within(x, 0.0), positive = n * (n - 1) / 2 - zeros;
    if (!positive) return 0.0;
    const double lower = distance_of_rank(x, zeros + (positive + 1) / 2);
    if (positive % 2 || pairs_within(x, lower) > zeros + positive / 2) return lower;
    return 0.5 * (lower + distance_of_rank(x, zeros + positive / 2 + 1));
}

double median_of_rows(const double *values, Index n, Index p) {
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

// The median of the distances above 0 between rows, given by columns; 0 where there are none, and
// NaN where one is not finite.
double median_distance(Matrix<const double> columns) {
    const Index p = static_cast<Index>(columns.shape(0)), n = static_cast<Index>(columns.shape(1));
    const double *values = columns.data();
    nb::gil_scoped_release release;
    if (std::any_of(values, values + p * n, [](double v) { return !std::isfinite(v); }))
        return std::numeric_limits<double>::quiet_NaN();
    if (n < 2) return 0.0;
    return p == 1 ? median_of_line({values, values + n}) : median_of_rows(values, n, p);
}

}  // namespace

void bind_distance_medians(nb::module_ &m) {
    m.def("median_distance", &median_distance, fixed("columns"));
}

}  // namespace margin
