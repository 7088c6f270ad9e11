// Steps from the root to each node of a forest.
#include <nanobind/nanobind.h>
#include <nanobind/ndarray.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <stdexcept>
#include <vector>

#include "common/bind.hpp"
#include "trees/bindings.hpp"

namespace margin {
namespace {

// Children are counted from the root of their tree, a negative one is absent; every node is
// visited once at most, so that whatever the arrays hold the walk ends.
void node_depths(Vector<const std::int32_t> left, Vector<const std::int32_t> right,
                 Vector<const std::int64_t> offsets, Vector<std::int64_t> depth) {
    const std::size_t n = left.size();
    if (right.size() != n || depth.size() != n)
        throw std::invalid_argument("node_depths: arrays of different length");
    std::int64_t *out = depth.data();
    nb::gil_scoped_release release;
    std::fill_n(out, n, -1);
    std::vector<std::int64_t> open;
    for (std::size_t tree = 0; tree + 1 < offsets.size(); ++tree) {
        const std::int64_t root = offsets.data()[tree], end = offsets.data()[tree + 1];
        if (root < 0 || end < root || end > std::int64_t(n))
            throw std::invalid_argument("node_depths: offsets out of range");
        if (root == end) continue;
        out[root] = 0;
        open.assign(1, root);
        while (!open.empty()) {
            const std::int64_t at = open.back();
            open.pop_back();
            for (const std::int32_t child : {left.data()[at], right.data()[at]}) {
                if (child < 0) continue;
                const std::int64_t next = root + child;
                if (next >= end) throw std::invalid_argument("node_depths: child out of range");
                if (out[next] >= 0) continue;
                out[next] = out[at] + 1;
                open.push_back(next);
            }
        }
    }
}

}  // namespace

void bind_tree_depths(nb::module_ &m) {
    m.def("node_depths", &node_depths, fixed("left"), fixed("right"), fixed("offsets"),
          fixed("depth"));
}

}  // namespace margin
