// Where the nodes and points of a tree are: all leaves hold the same number of blocks, nodes are
// numbered in preorder, so that neither children nor ranges need to be stored.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>

#include "neighbors/measures.hpp"

namespace margin::neighbors {

struct Node {
    std::size_t number;       // in preorder
    std::size_t first, last;  // its leaves

    bool leaf() const { return last - first == 1; }
    std::size_t middle() const { return first + (last - first + 1) / 2; }
    // A subtree of m leaves has 2 m - 1 nodes.
    Node left() const { return {number + 1, first, middle()}; }
    Node right() const { return {number + 2 * (middle() - first), middle(), last}; }
};

template <typename T>
struct Tree {
    const T *blocks;              // [block][coordinate][place]
    const std::int64_t *order;    // number of the row in each place, below 0 where there is none
    const double *lower, *upper;  // boxes; of a ball tree the centres, and in `upper` the radii
    std::size_t n_blocks, p, leaf_blocks;
    bool boxes;

    std::size_t n_leaves() const { return (n_blocks + leaf_blocks - 1) / leaf_blocks; }
    Node root() const { return {0, 0, n_leaves()}; }
    std::size_t first_block(const Node &node) const { return node.first * leaf_blocks; }
    std::size_t last_block(const Node &node) const {
        return std::min(n_blocks, node.last * leaf_blocks);
    }
};

// Rounding may lift the bound of a node above the distance of a point on its border by a few units
// in the last place.
inline double shrink(std::size_t p) { return 1.0 - 1e-15 * static_cast<double>(p + 8); }

// Least reduced distance of a query to what a node holds.
template <int P, typename M, typename T>
[[gnu::always_inline]] inline double bound(const M &measure, const Tree<T> &tree,
                                           std::size_t number, const double *q) {
    const std::size_t p = P > 0 ? P : tree.p;
    if (M::boxed && tree.boxes) {
        const double *low = tree.lower + number * p, *high = tree.upper + number * p;
        double s = 0.0, t = 0.0;
        for (std::size_t k = 0; k < p; ++k) {
            const double below = low[k] - q[k], above = q[k] - high[k];
            const double gap = below > above ? below : above;
            measure.add(gap > 0.0 ? gap : 0.0, 0.0, s, t);
        }
        return measure.reduce(s, t, p);
    }
    const double far = measure.full(between(measure, q, tree.lower + number * p, p));
    const double gap = far - tree.upper[number];
    return gap > 0.0 ? measure.reduced(gap) : 0.0;
}

// Largest full distance of a query to what a node holds.
template <typename M, typename T>
[[gnu::always_inline]] inline double farthest(const M &measure, const Tree<T> &tree,
                                              std::size_t number, const double *q) {
    const std::size_t p = tree.p;
    if (M::boxed && tree.boxes) {
        const double *low = tree.lower + number * p, *high = tree.upper + number * p;
        double s = 0.0, t = 0.0;
        for (std::size_t k = 0; k < p; ++k) {
            const double below = q[k] - low[k], above = high[k] - q[k];
            measure.add(below > above ? below : above, 0.0, s, t);
        }
        return measure.full(measure.reduce(s, t, p));
    }
    return measure.full(between(measure, q, tree.lower + number * p, p)) + tree.upper[number];
}

}  // namespace margin::neighbors
