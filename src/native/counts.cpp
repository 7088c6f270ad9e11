// Objects as bags of numbered parts: numbering, counting, and scalar products of the counts.
#include <nanobind/nanobind.h>
#include <nanobind/ndarray.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <stdexcept>
#include <vector>

#include "key_table.hpp"
#include "native.hpp"

namespace margin {
namespace {

using Index = std::ptrdiff_t;

// Consecutive numbers of the keys in order of first appearance; returns how many there are.
std::int64_t number_keys(Vector<const std::uint64_t> keys, Vector<std::int32_t> out) {
    const std::size_t n = keys.size();
    if (out.size() != n || n > std::size_t(std::numeric_limits<std::int32_t>::max()))
        throw std::invalid_argument("number_keys: arrays do not fit");
    const std::uint64_t *kp = keys.data();
    std::int32_t *op = out.data();
    nb::gil_scoped_release release;
    std::uint64_t top = 0;
    for (std::size_t i = 0; i < n; ++i) top = std::max(top, kp[i]);
    if (top < 4 * std::uint64_t(n) + 65536) {  // few possible keys: a plain table
        std::vector<std::int32_t> number(top + 1, -1);
        std::int32_t fresh = 0;
        for (std::size_t i = 0; i < n; ++i) {
            std::int32_t &known = number[kp[i]];
            if (known < 0) known = fresh++;
            op[i] = known;
        }
        return fresh;
    }
    KeyTable table(n / 8);
    for (std::size_t i = 0; i < n; ++i) op[i] = table.number(kp[i]);
    return std::int64_t(table.keys().size());
}

void check_offsets(const std::int64_t *offsets, std::size_t rows, std::size_t total,
                   const char *message) {
    bool fits = offsets[0] == 0 && offsets[rows] == std::int64_t(total);
    for (std::size_t i = 0; i < rows; ++i) fits = fits && offsets[i] <= offsets[i + 1];
    if (!fits) throw std::invalid_argument(message);
}

// Rows of distinct numbers with how often each occurs, in CSR form; negative numbers are left
// out. Returns how many entries were written.
std::int64_t count_rows(Vector<const std::int32_t> ids, Vector<const std::int64_t> offsets,
                        std::int64_t n_ids, Vector<std::int64_t> indptr,
                        Vector<std::int32_t> indices, Vector<double> counts) {
    if (offsets.size() < 1 || indptr.size() != offsets.size() || indices.size() != ids.size() ||
        counts.size() != ids.size() || n_ids < 0)
        throw std::invalid_argument("count_rows: arrays do not fit");
    const std::size_t rows = offsets.size() - 1;
    check_offsets(offsets.data(), rows, ids.size(), "count_rows: offsets do not fit");
    const std::int32_t *ip = ids.data();
    for (std::size_t i = 0; i < ids.size(); ++i)
        if (ip[i] >= n_ids) throw std::invalid_argument("count_rows: number out of range");
    nb::gil_scoped_release release;
    std::vector<std::int64_t> place(n_ids, -1);  // where the entry of this row lies
    std::int64_t at = 0;
    indptr.data()[0] = 0;
    for (std::size_t r = 0; r < rows; ++r) {
        const std::int64_t first = at;
        for (std::int64_t e = offsets.data()[r]; e < offsets.data()[r + 1]; ++e) {
            if (ip[e] < 0) continue;
            std::int64_t &known = place[ip[e]];
            if (known < first) {
                known = at;
                indices.data()[at] = ip[e];
                counts.data()[at++] = 0.0;
            }
            counts.data()[known] += 1.0;
        }
        indptr.data()[r + 1] = at;
    }
    return at;
}

struct Rows {
    const std::int64_t *indptr;
    const std::int32_t *indices;
    const double *values;
    Index n;
};

struct Postings {  // for every column the rows that hold it, in order
    std::vector<std::int64_t> start, place;  // place: where each entry of the rows went
    std::vector<std::int32_t> row;
    std::vector<double> value;

    Postings(const Rows &rows, Index columns)
        : start(columns + 1, 0), place(rows.indptr[rows.n]), row(place.size()),
          value(place.size()) {
        for (std::int64_t e = 0; e < rows.indptr[rows.n]; ++e) ++start[rows.indices[e] + 1];
        for (Index c = 0; c < columns; ++c) start[c + 1] += start[c];
        std::vector<std::int64_t> at(start.begin(), start.end() - 1);
        for (Index r = 0; r < rows.n; ++r)
            for (std::int64_t e = rows.indptr[r]; e < rows.indptr[r + 1]; ++e) {
                const std::int64_t to = place[e] = at[rows.indices[e]]++;
                row[to] = static_cast<std::int32_t>(r);
                value[to] = rows.values[e];
            }
    }

    // Where the rows to meet end: all that hold the column, or those up to the row of entry `e`.
    std::int64_t end(std::int32_t column, std::int64_t e, bool symmetric) const {
        return symmetric ? place[e] + 1 : start[column + 1];
    }
};

// What is below the diagonal copied above it, in tiles that fit the cache.
void mirror(double *out, Index n, int threads) {
    constexpr Index tile = 64;
#pragma omp parallel for schedule(dynamic) num_threads(threads) if (threads > 1)
    for (Index a = 0; a < n; a += tile)
        for (Index b = 0; b <= a; b += tile)
            for (Index i = a; i < std::min(a + tile, n); ++i)
                for (Index j = b; j < std::min(b + tile, i); ++j) out[j * n + i] = out[i * n + j];
}

// out[i][j] += sum over columns; in the symmetric case for j <= i only.
void add_products(const Rows &left, const Postings &other, bool symmetric, Index m, double *out,
                  int threads) {
#pragma omp parallel for schedule(dynamic, 16) num_threads(threads) if (threads > 1)
    for (Index i = 0; i < left.n; ++i) {
        double *row = out + i * m;
        for (std::int64_t e = left.indptr[i]; e < left.indptr[i + 1]; ++e) {
            const double v = left.values[e];
            const std::int64_t last = other.end(left.indices[e], e, symmetric);
            for (std::int64_t q = other.start[left.indices[e]]; q < last; ++q)
                row[other.row[q]] += v * other.value[q];
        }
    }
}

constexpr std::int64_t kAhead = 6;
constexpr std::uint32_t kCountBits = 8, kCountMask = (1u << kCountBits) - 1;

// Whether rows hold integers that fit a packed entry; `square` becomes the largest squared norm.
bool small_counts(const Rows &rows, double &square) {
    for (Index i = 0; i < rows.n; ++i) {
        double sum = 0.0;
        for (std::int64_t e = rows.indptr[i]; e < rows.indptr[i + 1]; ++e) {
            const double v = rows.values[e];
            if (!(v >= 0.0 && v <= double(kCountMask)) || v != double(int(v))) return false;
            sum += v * v;
        }
        square = std::max(square, sum);
    }
    return true;
}

// The same for small counts, a row and its count in one word: a third of the memory to stream,
// and sums of integers, which the inequality of Cauchy and Schwarz keeps within 31 bits.
void add_small_products(const Rows &left, const Postings &other, bool symmetric, Index m,
                        double *out, int threads) {
    std::vector<std::uint32_t> packed(other.row.size());
    for (std::size_t e = 0; e < packed.size(); ++e)
        packed[e] = std::uint32_t(other.row[e]) << kCountBits | std::uint32_t(other.value[e]);
#pragma omp parallel num_threads(threads) if (threads > 1)
    {
        std::vector<std::int32_t> sums(m);
#pragma omp for schedule(dynamic, 16)
        for (Index i = 0; i < left.n; ++i) {
            const Index width = symmetric ? i + 1 : m;
            std::fill_n(sums.begin(), width, 0);
            for (std::int64_t e = left.indptr[i]; e < left.indptr[i + 1]; ++e) {
                const std::int32_t count = std::int32_t(left.values[e]);
                if (e + kAhead < left.indptr[left.n])  // lists lie anywhere: fetch them early
                    __builtin_prefetch(packed.data() + other.start[left.indices[e + kAhead]]);
                const std::int64_t last = other.end(left.indices[e], e, symmetric);
                for (std::int64_t q = other.start[left.indices[e]]; q < last; ++q)
                    sums[packed[q] >> kCountBits] += count * std::int32_t(packed[q] & kCountMask);
            }
            for (Index j = 0; j < width; ++j) out[i * m + j] += double(sums[j]);
        }
    }
}

void check_rows(const Vector<const std::int64_t> &indptr, const Vector<const std::int32_t> &indices,
                const Vector<const double> &values, std::int64_t columns) {
    if (indptr.size() < 1 || indices.size() != values.size())
        throw std::invalid_argument("count_products: arrays do not fit");
    check_offsets(indptr.data(), indptr.size() - 1, indices.size(),
                  "count_products: offsets do not fit");
    for (std::size_t e = 0; e < indices.size(); ++e)
        if (indices.data()[e] < 0 || indices.data()[e] >= columns)
            throw std::invalid_argument("count_products: column out of range");
}

// Adds the scalar products of sparse rows to `out`; what is above the diagonal of a symmetric
// `out` is overwritten by what is below it.
void count_products(Vector<const std::int64_t> indptr, Vector<const std::int32_t> indices,
                    Vector<const double> values, Vector<const std::int64_t> other_indptr,
                    Vector<const std::int32_t> other_indices, Vector<const double> other_values,
                    std::int64_t columns, bool symmetric, Matrix<double> out, int threads) {
    check_rows(indptr, indices, values, columns);
    check_rows(other_indptr, other_indices, other_values, columns);
    const Index n = Index(indptr.size()) - 1, m = Index(other_indptr.size()) - 1;
    const bool same = indptr.data() == other_indptr.data() && n == m &&
                      indices.data() == other_indices.data() &&
                      values.data() == other_values.data();
    if (Index(out.shape(0)) != n || Index(out.shape(1)) != m || (symmetric && !same) ||
        m > std::numeric_limits<std::int32_t>::max())
        throw std::invalid_argument("count_products: out does not fit");
    nb::gil_scoped_release release;
    const Rows left{indptr.data(), indices.data(), values.data(), n};
    const Rows right{other_indptr.data(), other_indices.data(), other_values.data(), m};
    const Postings other(right, columns);
    double square = 0.0;
    const bool small = m < Index(1) << (32 - kCountBits) && small_counts(left, square) &&
                       small_counts(right, square) && square < 2147483648.0;
    if (small)
        add_small_products(left, other, symmetric, m, out.data(), threads);
    else
        add_products(left, other, symmetric, m, out.data(), threads);
    if (symmetric) mirror(out.data(), n, threads);
}

}  // namespace

void bind_counts(nb::module_ &m) {
    m.def("number_keys", &number_keys, nb::arg("keys").noconvert(), nb::arg("out").noconvert());
    m.def("count_rows", &count_rows, nb::arg("ids").noconvert(), nb::arg("offsets").noconvert(),
          nb::arg("n_ids"), nb::arg("indptr").noconvert(), nb::arg("indices").noconvert(),
          nb::arg("counts").noconvert());
    m.def("count_products", &count_products, nb::arg("indptr").noconvert(),
          nb::arg("indices").noconvert(), nb::arg("values").noconvert(),
          nb::arg("other_indptr").noconvert(), nb::arg("other_indices").noconvert(),
          nb::arg("other_values").noconvert(), nb::arg("columns"), nb::arg("symmetric"),
          nb::arg("out").noconvert(), nb::arg("n_threads"));
}

}  // namespace margin
