// Scalar products of sparse rows, along the lists of the rows that hold a column.
#include <nanobind/nanobind.h>
#include <nanobind/ndarray.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <stdexcept>
#include <vector>

#include "common/bind.hpp"
#include "common/native.hpp"
#include "common/team.hpp"
#include "kernels/sparse_counts.hpp"

namespace margin {
namespace {

struct Output {  // of n rows; in the symmetric case only what is at or below the diagonal is made
    double *to;
    Index m;
    bool symmetric, fresh;  // fresh: whatever was there is forgotten

    Index width(Index i) const { return symmetric ? i + 1 : m; }

    template <typename T>
    void put(Index i, const T *sums) const {
        double *row = to + i * m;
        if (fresh)
            for (Index j = 0; j < width(i); ++j) row[j] = double(sums[j]);
        else
            for (Index j = 0; j < width(i); ++j) row[j] += double(sums[j]);
    }
};

// What is below the diagonal copied above it, in tiles that fit the cache.
void mirror(double *out, Index n, int threads) {
    constexpr Index tile = 32;
    team::each(threads, double(n) * double(n), (n + tile - 1) / tile, [&](Index band) {
        const Index a = band * tile;
        for (Index b = 0; b <= a; b += tile)
            for (Index j = b; j < std::min({b + tile, n}); ++j)
                for (Index i = std::max(a, j + 1); i < std::min(a + tile, n); ++i)
                    out[j * n + i] = out[i * n + j];
    });
}

// Rows in bundles, so that short ones cost more than being asked for.
template <typename Make>
void each_row(Index n, double work, int threads, const Make &make) {
    constexpr Index bundle = 16;
    team::run(threads, work, (n + bundle - 1) / bundle, [&] {
        return [&, worker = make()](Index at) mutable {
            for (Index i = at * bundle; i < std::min(n, (at + 1) * bundle); ++i) worker(i);
        };
    });
}

// Any values: lists of the rows that hold a column, in order, each with its value.
void any_products(const Rows &left, const Rows &right, Index columns, const Output &out,
                  int threads) {
    std::vector<std::int64_t> start(columns + 1, 0);
    for (std::int64_t e = 0; e < right.size(); ++e) ++start[right.indices[e] + 1];
    for (Index c = 0; c < columns; ++c) start[c + 1] += start[c];
    std::vector<std::int64_t> at(start.begin(), start.end() - 1);
    std::vector<std::int32_t> row(right.size());
    std::vector<double> value(right.size());
    for (Index r = 0; r < right.n; ++r)
        for (std::int64_t e = right.indptr[r]; e < right.indptr[r + 1]; ++e) {
            const std::int64_t to = at[right.indices[e]]++;
            row[to] = static_cast<std::int32_t>(r);
            value[to] = right.values[e];
        }
    const double work = double(left.n) * double(right.n);
    each_row(left.n, work, threads, [&] {
        return [&, sums = std::vector<double>(out.m)](Index i) mutable {
            const Index width = out.width(i);
            std::fill_n(sums.begin(), width, 0.0);
            for (std::int64_t e = left.indptr[i]; e < left.indptr[i + 1]; ++e) {
                const std::int64_t last = start[left.indices[e] + 1];
                for (std::int64_t q = start[left.indices[e]]; q < last && row[q] < width; ++q)
                    sums[row[q]] += left.values[e] * value[q];
            }
            out.put(i, sums.data());
        };
    });
}

constexpr std::uint32_t count_bits = 8, count_mask = (1u << count_bits) - 1;
static_assert(count_mask == largest_small_count);
constexpr std::uint32_t list_end = ~std::uint32_t{0};  // closes a list
constexpr std::int64_t lists_ahead = 6;                // lists lie anywhere: they are fetched early
// For every column the rows that hold it in order, a row and its count in one word: a third of the
// memory to stream.
struct Lists {
    std::vector<std::uint32_t> start, packed;

    Lists(const Rows &rows, Index columns) : start(columns + 1, 0) {
        for (std::int64_t e = 0; e < rows.size(); ++e) ++start[rows.indices[e] + 1];
        for (Index c = 0; c < columns; ++c) start[c + 1] += start[c] + 1;
        packed.resize(start[columns]);
        std::vector<std::uint32_t> at(start.begin(), start.end() - 1);
        for (Index r = 0; r < rows.n; ++r)
            for (std::int64_t e = rows.indptr[r]; e < rows.indptr[r + 1]; ++e)
                packed[at[rows.indices[e]]++] =
                    std::uint32_t(r) << count_bits | std::uint32_t(rows.values[e]);
        for (Index c = 0; c < columns; ++c) packed[at[c]] = list_end;
    }

    void fetch(std::int32_t column) const { __builtin_prefetch(packed.data() + start[column]); }

    // Adds `weight` times the counts of a column to the sums of the rows up to `limit`.
    void add(std::int32_t column, std::int32_t weight, std::uint32_t limit,
             std::int32_t *sums) const {
        for (const std::uint32_t *q = packed.data() + start[column]; *q <= limit; ++q)
            sums[*q >> count_bits] += weight * std::int32_t(*q & count_mask);
    }
};

// Small counts, as sums of integers, which the inequality of Cauchy and Schwarz keeps within 31
// bits.
void small_products(const Rows &left, const Rows &right, Index columns, const Output &out,
                    int threads) {
    const Lists lists(right, columns);
    const double work = double(left.n) * double(right.n);
    each_row(left.n, work, threads, [&] {
        return [&, sums = std::vector<std::int32_t>(out.m)](Index i) mutable {
            const std::uint32_t limit =
                out.symmetric ? std::uint32_t(i) << count_bits | count_mask : list_end - 1;
            std::fill_n(sums.begin(), out.width(i), 0);
            for (std::int64_t e = left.indptr[i]; e < left.indptr[i + 1]; ++e) {
                if (e + lists_ahead < left.size()) lists.fetch(left.indices[e + lists_ahead]);
                lists.add(left.indices[e], std::int32_t(left.values[e]), limit, sums.data());
            }
            out.put(i, sums.data());
        };
    });
}

// Adds the scalar products of sparse rows to `out`, or forgets what was there; what is above the
// diagonal of a symmetric `out` is overwritten by what is below it.
void count_products(Vector<const std::int64_t> indptr, Vector<const std::int32_t> indices,
                    Vector<const double> values, Vector<const std::int64_t> other_indptr,
                    Vector<const std::int32_t> other_indices, Vector<const double> other_values,
                    std::int64_t columns, bool symmetric, bool fresh, Matrix<double> out,
                    int threads) {
    const Rows left = checked_rows(indptr, indices, values, columns);
    const Rows right = checked_rows(other_indptr, other_indices, other_values, columns);
    check_pairs(left, right, symmetric, out);
    const Index m = right.n;
    if (m > std::numeric_limits<std::int32_t>::max())
        throw std::invalid_argument("count_products: too many rows");
    nb::gil_scoped_release release;
    const Output to{out.data(), m, symmetric, fresh};
    double square = 0.0;
    const bool words = std::uint64_t(right.size()) + std::uint64_t(columns) < list_end &&
                       m < Index(1) << (32 - count_bits);
    if (words && small_counts(left, square) && small_counts(right, square) && square < 2147483648.0)
        small_products(left, right, columns, to, threads);
    else
        any_products(left, right, columns, to, threads);
    if (symmetric) mirror(out.data(), m, threads);
}

}  // namespace

void bind_count_products(nb::module_ &m) {
    m.def("count_products", &count_products, fixed("indptr"), fixed("indices"), fixed("values"),
          fixed("other_indptr"), fixed("other_indices"), fixed("other_values"), nb::arg("columns"),
          nb::arg("symmetric"), nb::arg("fresh"), fixed("out"), nb::arg("n_threads"));
}

}  // namespace margin
