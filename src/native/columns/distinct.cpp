// Distinct integers that lie close together, counted instead of sorted.
#include <nanobind/nanobind.h>
#include <nanobind/ndarray.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "common/bind.hpp"

namespace margin {
namespace {

using Integer = std::int64_t;

struct Range {
    Integer least, most;
};

MARGIN_CLONES Range range_of(const Integer *x, std::size_t n) {
    Integer least = x[0], most = x[0];
    for (std::size_t i = 1; i < n; ++i) {
        least = std::min(least, x[i]);
        most = std::max(most, x[i]);
    }
    return {least, most};
}

// Fills the code of each value and the distinct values in rising order; how many of these there
// are, or -1, nothing filled, where the values lie further apart than twice their number.
Index distinct_integers(Vector<const Integer> values, Vector<Integer> codes,
                        Vector<Integer> labels) {
    const std::size_t n = values.size();
    if (codes.size() != n || labels.size() != n)
        throw nb::value_error("codes and labels must be as many as values");
    if (n == 0) return 0;
    const Integer *x = values.data();
    nb::gil_scoped_release release;
    const Range range = range_of(x, n);
    // Unsigned, for the difference of two integers may be none.
    const std::uint64_t width = std::uint64_t(range.most) - std::uint64_t(range.least);
    if (width > 2 * std::uint64_t(n)) return -1;
    std::vector<Integer> code(width + 1, -1);
    for (std::size_t i = 0; i < n; ++i) code[x[i] - range.least] = 0;
    Integer count = 0;
    for (std::size_t at = 0; at <= width; ++at) {
        if (code[at] < 0) continue;
        code[at] = count;
        labels.data()[count++] = range.least + Integer(at);
    }
    if (std::size_t(count) == width + 1) {
        for (std::size_t i = 0; i < n; ++i) codes.data()[i] = x[i] - range.least;
    } else {
        for (std::size_t i = 0; i < n; ++i) codes.data()[i] = code[x[i] - range.least];
    }
    return count;
}

}  // namespace

void bind_distinct(nb::module_ &m) {
    m.def("distinct_integers", &distinct_integers, fixed("values"), fixed("codes"),
          fixed("labels"));
}

}  // namespace margin
