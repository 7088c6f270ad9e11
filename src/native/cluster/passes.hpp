// Passes over the distances of one cluster from all others.
#pragma once

#include <cstddef>
#include <cstdint>
#include <limits>

namespace margin::cluster {

enum Linkage { single, complete, average, weighted, centroid, median, ward };

inline constexpr double infinite = std::numeric_limits<double>::infinity();

// The first place of the least number, and the number.
std::size_t least_of(const double *row, std::size_t n, double &value);

// Lance and Williams: the distances of all clusters from the union of a and b.
void united(int linkage, const double *a, const double *b, const double *size, double na, double nb,
            double d, std::size_t n, double *out);

// Euclidean distances, or their squares, of one row from n others whose columns lie side by side,
// `stride` apart.
void row_distances(const double *x, const double *columns, std::size_t stride, std::size_t n,
                   std::size_t p, bool root, double *out);

// Twice the rise of the sum of squared errors by a merge with each other cluster, from its mean and
// size; clusters of size zero are infinitely far.
void merge_rises(const double *x, const double *columns, std::size_t n, std::size_t p, double own,
                 const double *size, double *out);

// What is nearer to the row `from` than to all before it, of those that are not yet in.
void closer(const double *row, std::size_t from, std::size_t n, const char *in, double *least,
            std::int64_t *near);

}  // namespace margin::cluster
