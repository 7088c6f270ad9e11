// One long sequence, its parts side by side: an associative scan over time.
#pragma once

#include "chains/side_by_side.hpp"

namespace margin::chains {

constexpr Index scanned_states = 4;       // most states that pay for products of matrices
constexpr Index scanned_steps = 1 << 13;  // fewest steps

// One sequence of log densities, and the chain behind it; `final` may be missing.
struct LongChain {
    const double *emission;
    Index length, k;
    const double *start, *transition, *final;
};

// What is known of the hidden states; `counts`, which are added to, may be missing: without them
// the states are filtered, not smoothed. False, and nothing useful written, where scaled messages
// would lose states.
bool scan_chain(const LongChain &chain, double *states, double *counts, double &value,
                int n_threads);

}  // namespace margin::chains
