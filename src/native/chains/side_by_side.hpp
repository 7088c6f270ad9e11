// Chains of few states, eight at a time: a chain in each lane, so that no sum crosses lanes and no
// step of one waits for another. Arrays are [step][state][lane].
#pragma once

#include <cstdint>

#include "chains/lanes.hpp"

namespace margin::chains {

constexpr Index most_states = 8;  // of chains that go side by side

// Lanes without a chain have length 0 and a start that sums to one.
struct Strands {
    Index k = 0, longest = 0;
    std::int64_t length[lanes] = {};
    double start[most_states * lanes] = {};   // what is known before the first observation
    double behind[most_states * lanes] = {};  // message from behind the last step
    double weight[lanes] = {};                // of posteriors and counts

    // A lane without a chain, harmless.
    void clear(Index lane) {
        length[lane] = 0;
        weight[lane] = 0.0;
        for (Index i = 0; i < k; ++i) {
            start[i * lanes + lane] = 1.0 / double(k);
            behind[i * lanes + lane] = 1.0;
        }
    }
};

// What a sweep says of each lane: a power of two and a mass, which multiply, and whether no message
// was so faint that states were lost on its way.
struct Swept {
    std::int64_t power[lanes] = {};
    double mass[lanes] = {};
    bool good[lanes] = {};
};

// Log likelihoods over their largest of every step, in place; the sum of the largest of each lane.
void scale_strands(double *table, Index k, Index steps, double *tops);

// Filtered states times a power of two, where asked for; the last ones go to `last`, [state][lane].
Swept forward_strands(const Strands &strands, const double *transition, const double *likelihood,
                      double *alpha, double *last);

// Filtered states become posteriors in place, and sums of filtered state times what is ahead are
// added to `pairs`, [state][state][lane]; times transitions they are expected counts.
Swept backward_strands(const Strands &strands, const double *transition, const double *likelihood,
                       double *alpha, double *pairs);

// What the steps of each lane make of every state before them: `product`, [from][to][lane], times
// two to the `power`, [from][lane]. With `begins` >= 0 that lane starts from its own start instead.
Swept product_strands(const Strands &strands, const double *transition, const double *likelihood,
                      Index begins, double *product, std::int64_t *power);

}  // namespace margin::chains
