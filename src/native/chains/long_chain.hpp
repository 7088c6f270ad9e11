// One long sequence, its parts side by side: an associative scan over time.
#pragma once

#include "chains/side_by_side.hpp"

namespace margin::chains {

constexpr Index scanned_states = 4;       // most states that pay for products of matrices
constexpr Index scanned_steps = 1 << 13;  // fewest steps

// What is known of the hidden states of one sequence; `final` may be missing, and so may
// `counts`, which are added to: without them the states are filtered, not smoothed. False, and
// nothing useful written, where scaled messages would lose states.
bool scan_chain(const double *emission, Index length, Index k, const double *start,
                const double *transition, const double *final, double *states, double *counts,
                double &value, int n_threads);

}  // namespace margin::chains
