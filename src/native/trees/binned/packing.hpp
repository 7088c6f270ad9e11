// Slopes and curvatures of rows rounded to the units of histograms, in wide registers.
#pragma once

#include "common/index.hpp"
#include "trees/binned/histogram.hpp"

namespace margin::trees {

// Sums of |g| and of h, and whether every h is a whole number.
struct Sizes {
    double slopes = 0.0, curvatures = 0.0;
    bool whole = true;
};

void add_slopes(const float *g, Index n, Sizes &to);
void add_curvatures(const float *h, Index n, Sizes &to);

// Packed slopes of `n` rows, and their sum; no curvatures: 1 for each.
Packed pack_rows(const float *g, const float *h, Index n, const Units &units, Packed *out);

}  // namespace margin::trees
