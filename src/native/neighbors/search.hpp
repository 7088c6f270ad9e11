// One query against a tree, or against all blocks where there is no tree.
#pragma once

#include "neighbors/layout.hpp"
#include "neighbors/nearest.hpp"

namespace margin::neighbors {

void search(const Euclidean &, const Tree<double> &, const double *q, Nearest &);
void search(const Manhattan &, const Tree<double> &, const double *q, Nearest &);
void search(const Chebyshev &, const Tree<double> &, const double *q, Nearest &);
void search(const Minkowski &, const Tree<double> &, const double *q, Nearest &);
void search(const Canberra &, const Tree<double> &, const double *q, Nearest &);
void search(const BrayCurtis &, const Tree<double> &, const double *q, Nearest &);
void search(const Hamming &, const Tree<double> &, const double *q, Nearest &);
void search(const Jaccard &, const Tree<double> &, const double *q, Nearest &);
void search(const NanEuclidean &, const Tree<double> &, const double *q, Nearest &);
void search(const Euclidean &, const Tree<float> &, const double *q, Nearest &);
void search(const Manhattan &, const Tree<float> &, const double *q, Nearest &);
void search(const Chebyshev &, const Tree<float> &, const double *q, Nearest &);
void search(const Minkowski &, const Tree<float> &, const double *q, Nearest &);
void search(const Canberra &, const Tree<float> &, const double *q, Nearest &);
void search(const BrayCurtis &, const Tree<float> &, const double *q, Nearest &);
void search(const Hamming &, const Tree<float> &, const double *q, Nearest &);
void search(const Jaccard &, const Tree<float> &, const double *q, Nearest &);
void search(const NanEuclidean &, const Tree<float> &, const double *q, Nearest &);

// Number of the first leaf of a node near the query that has few leaves: queries with the same one
// visit the same points.
template <typename M, typename T>
std::size_t region(const M &measure, const Tree<T> &tree, const double *q) {
    constexpr std::size_t few = 32;
    Node node = tree.root();
    while (node.last - node.first > few) {
        const Node left = node.left(), right = node.right();
        const double a = bound<0>(measure, tree, left.number, q);
        const double b = bound<0>(measure, tree, right.number, q);
        node = b < a ? right : left;
    }
    return node.first;
}

}  // namespace margin::neighbors
