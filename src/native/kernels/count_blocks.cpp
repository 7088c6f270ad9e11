// Scalar products of sparse rows of small counts, 64 rows at a time: the counts of a block of rows
// lie beside each other in bytes, and every row of the other factor adds up those of its columns.
#include <nanobind/nanobind.h>
#include <nanobind/ndarray.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "common/bind.hpp"
#include "common/native.hpp"
#include "common/team.hpp"
#include "kernels/sparse_counts.hpp"

namespace margin {
namespace {

constexpr Index lanes = 64;      // rows of a block
constexpr Index tile_rows = 16;  // rows of the other factor whose sums are written together
constexpr double sum_limit = 65536.0;

// The other factor: columns that a row holds once, then those it holds more often.
struct Entries {
    std::vector<std::int64_t> start, many;  // where a row starts, where its second part starts
    std::vector<std::uint32_t> column;
    std::vector<std::uint16_t> count;

    explicit Entries(const Rows &rows)
        : start(rows.indptr, rows.indptr + rows.n + 1), many(rows.n), column(rows.size()),
          count(rows.size()) {
        for (Index r = 0; r < rows.n; ++r) {
            std::int64_t low = start[r], high = start[r + 1];
            for (std::int64_t e = start[r]; e < start[r + 1]; ++e) {
                const std::int64_t to = rows.values[e] == 1.0 ? low++ : --high;
                column[to] = std::uint32_t(rows.indices[e]);
                count[to] = std::uint16_t(rows.values[e]);
            }
            many[r] = low;
        }
    }
};

// Sums over the entries of one row, for every row of the block. Bytes are added up for as long as
// `run` of them cannot overflow, then split into even and odd ones of 16 bits.
MARGIN_CLONES void add_entries(const std::uint8_t *table, const std::uint32_t *column,
                               const std::uint16_t *count, Index ones, Index all, Index run,
                               std::uint16_t *sums) {
    typedef std::uint8_t Bytes __attribute__((vector_size(32)));
    typedef std::uint16_t Words __attribute__((vector_size(32)));
    Words sum[4] = {};
    for (Index from = 0; from < ones; from += run) {
        Bytes low = {}, high = {};
        for (Index e = from; e < std::min(ones, from + run); ++e) {
            const Bytes *at = reinterpret_cast<const Bytes *>(table + lanes * column[e]);
            low += at[0];
            high += at[1];
        }
        sum[0] += Words(low) & 255;
        sum[1] += Words(low) >> 8;
        sum[2] += Words(high) & 255;
        sum[3] += Words(high) >> 8;
    }
    for (Index e = ones; e < all; ++e) {
        const Words *at = reinterpret_cast<const Words *>(table + lanes * column[e]);
        sum[0] += (at[0] & 255) * count[e];
        sum[1] += (at[0] >> 8) * count[e];
        sum[2] += (at[1] & 255) * count[e];
        sum[3] += (at[1] >> 8) * count[e];
    }
    for (Index half = 0; half < 2; ++half)
        for (Index k = 0; k < lanes / 4; ++k) {
            sums[lanes / 2 * half + 2 * k] = sum[2 * half][k];
            sums[lanes / 2 * half + 2 * k + 1] = sum[2 * half + 1][k];
        }
}

struct Block {  // rows [first, last) of the left factor, column by column
    std::vector<std::uint8_t> memory;
    std::uint8_t *table;
    Index first = 0, last = 0, run = 1;

    Block(const Block &) = delete;  // `table` points into the memory
    explicit Block(Index columns) : memory((columns + 1) * lanes, 0) {
        const auto at = reinterpret_cast<std::uintptr_t>(memory.data());
        table = memory.data() + (lanes - at % lanes) % lanes;
    }

    void load(const Rows &rows, Index index) {
        clear(rows);
        first = index * lanes;
        last = std::min(first + lanes, rows.n);
        std::uint8_t largest = 1;
        for (Index r = first; r < last; ++r)
            for (std::int64_t e = rows.indptr[r]; e < rows.indptr[r + 1]; ++e) {
                const auto count = std::uint8_t(rows.values[e]);
                table[lanes * rows.indices[e] + r - first] = count;
                largest = std::max(largest, count);
            }
        run = 255 / largest;
    }

    void clear(const Rows &rows) {
        for (Index r = first; r < last; ++r)
            for (std::int64_t e = rows.indptr[r]; e < rows.indptr[r + 1]; ++e)
                table[lanes * rows.indices[e] + r - first] = 0;
    }

    // Products with the rows [from, to) of the other factor; in the symmetric case mirrored.
    void multiply(const Entries &other, Index from, Index to, bool symmetric, double *out,
                  Index m) const {
        std::uint16_t sums[tile_rows][lanes];
        for (Index j = from; j < to; ++j) {
            const std::int64_t start = other.start[j];
            add_entries(table, other.column.data() + start, other.count.data() + start,
                        other.many[j] - start, other.start[j + 1] - start, run, sums[j - from]);
        }
        for (Index i = first; i < last; ++i)
            for (Index j = from; j < to; ++j) out[i * m + j] = sums[j - from][i - first];
        if (!symmetric) return;
        for (Index j = from; j < std::min(to, first); ++j)
            for (Index i = first; i < last; ++i) out[j * m + i] = sums[j - from][i - first];
    }
};

void block_products(const Rows &left, const Entries &other, Index columns, bool symmetric,
                    double *out, Index m, int threads) {
    const Index blocks = (left.n + lanes - 1) / lanes;
    team::run(threads, double(blocks) * double(other.column.size()), blocks, [&] {
        return [&, block = Block(columns)](Index b) mutable {
            block.load(left, blocks - 1 - b);
            const Index width = symmetric ? block.last : m;
            for (Index j = 0; j < width; j += tile_rows)
                block.multiply(other, j, std::min(j + tile_rows, width), symmetric, out, m);
        };
    });
}

// Cycles of the two ways, roughly: along lists every pair of rows meets in every column that both
// hold; in blocks all entries of a row are read once for 64 rows, from a table in some cache.
bool blocks_are_quicker(const Rows &left, const Rows &right, Index columns, bool symmetric) {
    const double bytes = double(columns) * lanes;
    const double read = bytes <= 1 << 19 ? 3.0 : bytes <= 1 << 22 ? 8.0 : 24.0;
    if (bytes > 1 << 25) return false;
    std::vector<double> held(columns, 0.0);
    for (std::int64_t e = 0; e < right.size(); ++e) held[right.indices[e]] += 1.0;
    double meetings = 0.0;
    for (std::int64_t e = 0; e < left.size(); ++e) meetings += held[left.indices[e]];
    const double reads = double((left.n + lanes - 1) / lanes) * double(right.size());
    const double once = 30.0 * double(left.size() + right.size());
    return read * reads * (symmetric ? 0.5 : 1.0) < 3.0 * meetings * (symmetric ? 0.5 : 1.0) + once;
}

// Writes all scalar products to `out` and returns true, where the values are small counts, sums
// fit 16 bits by the inequality of Cauchy and Schwarz, and this is quicker than along lists.
bool small_count_products(Vector<const std::int64_t> indptr, Vector<const std::int32_t> indices,
                          Vector<const double> values, Vector<const std::int64_t> other_indptr,
                          Vector<const std::int32_t> other_indices,
                          Vector<const double> other_values, std::int64_t columns, bool symmetric,
                          Matrix<double> out, int threads) {
    const Rows left = checked_rows(indptr, indices, values, columns);
    const Rows right = checked_rows(other_indptr, other_indices, other_values, columns);
    check_pairs(left, right, symmetric, out);
    nb::gil_scoped_release release;
    double square = 0.0;
    if (!small_counts(left, square) || (!symmetric && !small_counts(right, square)) ||
        square >= sum_limit || !blocks_are_quicker(left, right, columns, symmetric))
        return false;
    block_products(left, Entries(right), columns, symmetric, out.data(), right.n, threads);
    return true;
}

}  // namespace

void bind_count_blocks(nb::module_ &m) {
    m.def("small_count_products", &small_count_products, fixed("indptr"), fixed("indices"),
          fixed("values"), fixed("other_indptr"), fixed("other_indices"), fixed("other_values"),
          nb::arg("columns"), nb::arg("symmetric"), fixed("out"), nb::arg("n_threads"));
}

}  // namespace margin
