// Sums over the pairs of points that rise, without the pairs.
#pragma once

#include <cstdint>
#include <vector>

#include "common/index.hpp"

namespace margin::dependence {

// A point of the plane and the rank of b among all points.
struct Point {
    double a, b;
    std::uint32_t rank;
};

// Sum of a_j (b_j - b_i) over all i < j with rank_i < rank_j. The ranks must be 0 … n - 1, each
// once; the points come back in another order.
double rising_sum(std::vector<Point> &points, int n_threads);

}  // namespace margin::dependence
