// One chain, its messages scaled to sum to one at every step. Two sweeps begin at its two ends and
// meet in the middle; from there each finds what the other left, and so the second half of a sweep
// gives posteriors and counts at once. They may run at the same time.
#pragma once

#include "chains/lanes.hpp"

namespace margin::chains {

// What all sequences share, padded; `backward` is transposed.
struct Chain {
    const double *start, *forward, *backward, *final;
    Index k, wide;
};

// A sequence on its way: `messages` (length × wide) hold filtered states before the middle, and
// likelihood times message from behind from there on; `posterior` (length × k) holds likelihoods
// over their largest until posteriors take their place.
struct Passage {
    const Chain &chain;
    const double *emission;
    Index length;
    double *messages, *posterior;

    Index middle() const { return length / 2; }
};

// One of the two sweeps: what it adds up, and whether all messages were strong enough.
struct Sweep {
    double *sums = nullptr;  // filtered state times what is ahead, (k, wide), added to
    double value = 0.0;      // its part of the log likelihood
    bool clear = true;
};

// From the start to the middle, and from there to the end.
void set_out(const Passage &passage, Sweep &sweep);
void go_on(const Passage &passage, Sweep &sweep);

// From the end to the middle, and from there to the start.
void come_back(const Passage &passage, Sweep &sweep);
void go_back(const Passage &passage, Sweep &sweep);

// Filtered states of all steps (length × wide) alone.
void filter_all(const Passage &passage, Sweep &sweep);

}  // namespace margin::chains
