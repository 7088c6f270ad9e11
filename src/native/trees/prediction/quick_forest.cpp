// All questions of a tree for a few rows, in the widest registers there are.
#include "trees/prediction/quick_forest.hpp"

#include <cstring>

#include "common/native.hpp"

namespace margin::trees {

namespace {

typedef double Doubles __attribute__((vector_size(64)));
typedef std::int64_t Words __attribute__((vector_size(64)));

constexpr Index lanes = 8, groups = quick_rows / lanes;

}  // namespace

MARGIN_CLONES
void remaining_leaves(const QuickNode *nodes, Index n_missing_right, Index n_nodes,
                      const double *columns, std::uint64_t *out) {
    Words left[groups];
    for (Index k = 0; k < groups; ++k) left[k] = Words{} - 1;
    for (Index i = 0; i < n_missing_right; ++i) {
        Doubles x[groups];  // copied: columns are aligned for doubles only
        std::memcpy(x, columns + nodes[i].column * quick_rows, sizeof x);
        const Doubles threshold = Doubles{} + nodes[i].threshold;
        const Words mask = Words{} + static_cast<std::int64_t>(nodes[i].mask);
#pragma GCC unroll 4
        for (Index k = 0; k < groups; ++k) left[k] &= (x[k] <= threshold) | mask;
    }
    for (Index i = n_missing_right; i < n_nodes; ++i) {
        Doubles x[groups];
        std::memcpy(x, columns + nodes[i].column * quick_rows, sizeof x);
        const Doubles threshold = Doubles{} + nodes[i].threshold;
        const Words mask = Words{} + static_cast<std::int64_t>(nodes[i].mask);
#pragma GCC unroll 4
        for (Index k = 0; k < groups; ++k) left[k] &= ~(x[k] > threshold) | mask;
    }
    std::memcpy(out, left, sizeof left);
}

}  // namespace margin::trees
