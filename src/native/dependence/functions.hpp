// Functions of rows, side by side: polynomials of one number, cosines of products.
#pragma once

#include "common/index.hpp"

namespace margin::dependence {

constexpr Index block = 512;  // rows at a time, whose functions stay near

// The first `n_polynomials` are Chebyshev polynomials of `argument`, the others
// cos(2 pi (phase_f + sum_k turns[f, k] columns[k, r])) - origin_f.
struct Functions {
    const double *argument;
    Index n_polynomials;
    const double *columns, *turns, *phase, *origin;
    Index n_cosines, p, n;

    Index count() const { return n_polynomials + n_cosines; }
};

// out[f * block + r] for the m <= block rows from `first` on; zeros for what is left of the block.
void write(const Functions &functions, Index first, Index m, double *out);

}  // namespace margin::dependence
