// The search itself, compiled for every measure and instruction set.
#include "neighbors/search.hpp"

#include <utility>

namespace margin::neighbors {
namespace {

template <int P, typename M, typename T>
[[gnu::always_inline]] inline void visit(const M &measure, const Tree<T> &tree, std::size_t first,
                                         std::size_t last, const double *q, Nearest &near) {
    const std::size_t p = P > 0 ? P : tree.p;
    double distance[width];
    for (std::size_t b = first; b < last; ++b) {
        scan<P>(measure, q, tree.blocks + b * p * width, p, distance);
        double least = distance[0];
#pragma omp simd reduction(min : least)
        for (std::size_t j = 0; j < width; ++j) least = distance[j] < least ? distance[j] : least;
        if (!(least <= near.limit())) continue;
        const std::int64_t *number = tree.order + b * width;
        for (std::size_t j = 0; j < width; ++j)
            if (distance[j] <= near.limit() && number[j] >= 0) near.offer(distance[j], number[j]);
    }
}

// Nearer children first; the others wait with their bounds.
template <int P, typename M, typename T>
[[gnu::always_inline]] inline void descend(const M &measure, const Tree<T> &tree, const double *q,
                                           Nearest &near) {
    struct Waiting {
        double bound;
        Node node;
    };
    Waiting waiting[64];
    std::size_t count = 0;
    const double slack = shrink(tree.p);
    waiting[count++] = {0.0, tree.root()};
    while (count > 0) {
        Waiting at = waiting[--count];
        while (at.bound <= near.limit()) {
            if (at.node.leaf()) {
                const std::size_t first = tree.first_block(at.node);
                visit<P>(measure, tree, first, tree.last_block(at.node), q, near);
                break;
            }
            const Node left = at.node.left(), right = at.node.right();
            Waiting one{slack * bound<P>(measure, tree, left.number, q), left};
            Waiting other{slack * bound<P>(measure, tree, right.number, q), right};
            if (other.bound < one.bound) std::swap(one, other);
            if (other.bound <= near.limit()) waiting[count++] = other;
            at = one;
        }
    }
}

template <int P, typename M, typename T>
[[gnu::always_inline]] inline void find(const M &measure, const Tree<T> &tree, const double *q,
                                        Nearest &near) {
    if (tree.lower)
        descend<P>(measure, tree, q, near);
    else
        visit<P>(measure, tree, 0, tree.n_blocks, q, near);
}

#define MARGIN_FIND(name, M, T, P)                                                                 \
    MARGIN_CLONES void name(const M &measure, const Tree<T> &tree, const double *q,                \
                            Nearest &near) {                                                       \
        find<P>(measure, tree, q, near);                                                           \
    }
#define MARGIN_SEARCH(M, T)                                                                        \
    MARGIN_FIND(find_##M##_##T, M, T, 0)                                                           \
    }                                                                                              \
    void search(const M &measure, const Tree<T> &tree, const double *q, Nearest &near) {           \
        find_##M##_##T(measure, tree, q, near);                                                    \
    }                                                                                              \
    namespace {
// In the plane and in space the loops over coordinates are unrolled.
#define MARGIN_SEARCH_EUCLIDEAN(T)                                                                 \
    MARGIN_FIND(find_any_##T, Euclidean, T, 0)                                                     \
    MARGIN_FIND(find_plane_##T, Euclidean, T, 2)                                                   \
    MARGIN_FIND(find_space_##T, Euclidean, T, 3)                                                   \
    }                                                                                              \
    void search(const Euclidean &measure, const Tree<T> &tree, const double *q, Nearest &near) {   \
        if (tree.p == 3)                                                                           \
            find_space_##T(measure, tree, q, near);                                                \
        else if (tree.p == 2)                                                                      \
            find_plane_##T(measure, tree, q, near);                                                \
        else                                                                                       \
            find_any_##T(measure, tree, q, near);                                                  \
    }                                                                                              \
    namespace {

#define MARGIN_ALL(T)                                                                              \
    MARGIN_SEARCH_EUCLIDEAN(T)                                                                     \
    MARGIN_SEARCH(Manhattan, T)                                                                    \
    MARGIN_SEARCH(Chebyshev, T)                                                                    \
    MARGIN_SEARCH(Minkowski, T)                                                                    \
    MARGIN_SEARCH(Canberra, T)                                                                     \
    MARGIN_SEARCH(BrayCurtis, T)                                                                   \
    MARGIN_SEARCH(Hamming, T)                                                                      \
    MARGIN_SEARCH(Jaccard, T)                                                                      \
    MARGIN_SEARCH(NanEuclidean, T)
MARGIN_ALL(double)
MARGIN_ALL(float)
#undef MARGIN_ALL
#undef MARGIN_SEARCH_EUCLIDEAN
#undef MARGIN_SEARCH
#undef MARGIN_FIND

}  // namespace
}  // namespace margin::neighbors
