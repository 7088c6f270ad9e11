// Sums of squares of the products of all pairs of rows of two tables of features.
//
// With features a_is and b_ks of row s the matrix (A'A) o (B'B) has the sum of squares
// sum over i j k l of (sum over s of a_is a_js b_ks b_ls)^2, where i <= j and k <= l are enough.
#include <algorithm>
#include <cstddef>
#include <stdexcept>
#include <vector>

#include "common/bind.hpp"
#include "common/native.hpp"
#include "common/team.hpp"
#include "dependence/bindings.hpp"
#include "dependence/functions.hpp"
#include "dependence/tiles.hpp"

namespace margin {
namespace {

using dependence::block;

constexpr Index most_parts = 16;  // sums that are added at the end, in order

struct Rows {
    const double *values;
    Index count, n;

    Index pairs() const { return count * (count + 1) / 2; }
    Index padded() const { return dependence::whole_tiles(pairs()); }
};

// out[(i, j), r] = row i times row j, for the rows from `first` on; zeros up to a whole block.
[[gnu::always_inline]] inline void pairs(const Rows &rows, Index first, Index m, double *out) {
    for (Index i = 0; i < rows.count; ++i)
        for (Index j = i; j < rows.count; ++j, out += block) {
            const double *left = rows.values + i * rows.n + first;
            const double *right = rows.values + j * rows.n + first;
#pragma omp simd
            for (Index r = 0; r < m; ++r) out[r] = left[r] * right[r];
            std::fill(out + m, out + block, 0.0);
        }
}

MARGIN_CLONES void add_block(const Rows &x, const Rows &y, Index first, Index m, double *a,
                             double *b, double *sums) {
    pairs(x, first, m, a);
    pairs(y, first, m, b);
    dependence::add_products<false>(a, b, x.padded(), y.padded(), sums);
}

// How often a product stands in the whole table.
std::vector<double> copies(Index count) {
    std::vector<double> result;
    for (Index i = 0; i < count; ++i)
        for (Index j = i; j < count; ++j) result.push_back(i == j ? 1.0 : 2.0);
    return result;
}

double pair_squares(Matrix<const double> first, Matrix<const double> second, int n_threads) {
    const Index n = static_cast<Index>(first.shape(1));
    if (second.shape(1) != first.shape(1))
        throw std::invalid_argument("pair_squares: tables of different length");
    const Rows x{first.data(), static_cast<Index>(first.shape(0)), n};
    const Rows y{second.data(), static_cast<Index>(second.shape(0)), n};
    nb::gil_scoped_release release;
    const Index blocks = (n + block - 1) / block, parts = std::min(most_parts, blocks);
    const Index across = y.padded(), size = x.padded() * across;
    std::vector<std::vector<double>> sums(static_cast<std::size_t>(parts));
    const double work = double(n) * double(size) / 8.0;
    team::run(n_threads, work, parts, [&] {
        return [&, a = std::vector<double>(static_cast<std::size_t>(x.padded() * block)),
                b = std::vector<double>(static_cast<std::size_t>(across * block))](
                   Index part) mutable {
            std::vector<double> &own = sums[static_cast<std::size_t>(part)];
            own.assign(static_cast<std::size_t>(size), 0.0);
            for (Index at = part; at < blocks; at += parts)
                add_block(x, y, at * block, std::min(block, n - at * block), a.data(), b.data(),
                          own.data());
        };
    });
    const std::vector<double> left = copies(x.count), right = copies(y.count);
    double total = 0.0;
    for (Index u = 0; u < x.pairs(); ++u)
        for (Index v = 0; v < y.pairs(); ++v) {
            double sum = 0.0;
            for (const std::vector<double> &own : sums)
                sum += own[static_cast<std::size_t>(u * across + v)];
            total +=
                left[static_cast<std::size_t>(u)] * right[static_cast<std::size_t>(v)] * sum * sum;
        }
    return total;
}

}  // namespace

void bind_pair_squares(nb::module_ &m) {
    m.def("pair_squares", &pair_squares, fixed("first"), fixed("second"), nb::arg("n_threads"));
}

}  // namespace margin
