// Objects as bags of numbered parts: numbering and counting.
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
#include "kernels/key_table.hpp"
#include "kernels/pair_values.hpp"

namespace margin {
namespace {

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

// Rows of distinct numbers with how often each occurs, in CSR form; negative numbers are left
// out. Returns how many entries were written.
std::int64_t count_rows(Vector<const std::int32_t> ids, Vector<const std::int64_t> offsets,
                        std::int64_t n_ids, Vector<std::int64_t> indptr,
                        Vector<std::int32_t> indices, Vector<double> counts) {
    check_starts(offsets, ids.size());
    if (indptr.size() != offsets.size() || indices.size() != ids.size() ||
        counts.size() != ids.size() || n_ids < 0)
        throw std::invalid_argument("count_rows: arrays do not fit");
    const std::size_t rows = offsets.size() - 1;
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

}  // namespace

void bind_counts(nb::module_ &m) {
    m.def("number_keys", &number_keys, fixed("keys"), fixed("out"));
    m.def("count_rows", &count_rows, fixed("ids"), fixed("offsets"), nb::arg("n_ids"),
          fixed("indptr"), fixed("indices"), fixed("counts"));
}

}  // namespace margin
