// The pass of a linear model over its rows: predictions, loss, gradient, curvature.
#pragma once

#include <cstddef>

namespace margin {

// The rows of a linear model; `weight` may be missing.
template <typename T>
struct LinearRows {
    const T *X;
    const double *y, *weight;
    std::size_t n, p;
};

// Sum of the weighted loss at coefficients w and an offset. gradient has p + 1 entries, the sum of
// the slopes last; curvature, unless it is null, one per row. Throws for an unknown loss.
template <typename T>
double fused_pass(int loss, const LinearRows<T> &rows, const double *w, double offset,
                  double *curvature, double *gradient, int n_threads);

}  // namespace margin
