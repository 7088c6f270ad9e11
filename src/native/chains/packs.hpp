// Sequences of like length, eight at a time.
#pragma once

#include <algorithm>
#include <cmath>
#include <numeric>
#include <vector>

#include "chains/side_by_side.hpp"

namespace margin::chains {

// Up to eight sequences, a lane each.
struct Pack {
    Strands strands;
    Index members[lanes] = {};
    Index size = 0;
};

// What a thread works on, kept from pack to pack.
struct PackRoom {
    std::vector<double> likelihood, alpha, pairs;

    void hold(Index steps, Index k) {
        const std::size_t size = static_cast<std::size_t>(steps) * k * lanes;
        if (likelihood.size() < size) {
            likelihood.resize(size);
            alpha.resize(size);
        }
        pairs.assign(static_cast<std::size_t>(k) * k * lanes, 0.0);
    }
};

// Sequences first, …, last - 1 that have steps, the longest first, in packs.
inline std::vector<Pack> packs(const std::int64_t *at, Index first, Index last, Index k,
                               const double *start, const double *weight) {
    std::vector<Index> order;
    for (Index s = first; s < last; ++s)
        if (at[s + 1] > at[s]) order.push_back(s);
    std::stable_sort(order.begin(), order.end(),
                     [at](Index a, Index b) { return at[a + 1] - at[a] > at[b + 1] - at[b]; });
    std::vector<Pack> out((order.size() + lanes - 1) / lanes);
    for (std::size_t p = 0; p < out.size(); ++p) {
        Pack &pack = out[p];
        pack.size = std::min<Index>(lanes, Index(order.size()) - Index(p) * lanes);
        pack.strands.k = k;
        for (Index l = 0; l < lanes; ++l) {
            pack.strands.clear(l);
            if (l >= pack.size) continue;
            const Index s = pack.members[l] = order[p * lanes + l];
            pack.strands.length[l] = at[s + 1] - at[s];
            pack.strands.weight[l] = weight ? weight[s] : 1.0;
            for (Index i = 0; i < k; ++i) pack.strands.start[i * lanes + l] = start[i];
        }
        pack.strands.longest = pack.strands.length[0];
    }
    return out;
}

// Rows of k numbers of one lane, then zeros: as good as nothing seen.
inline void deal(const double *rows, Index length, Index steps, Index k, Index lane,
                 double *table) {
    for (Index t = 0; t < length; ++t)
        for (Index i = 0; i < k; ++i) table[(t * k + i) * lanes + lane] = rows[t * k + i];
    for (Index t = length; t < steps; ++t)
        for (Index i = 0; i < k; ++i) table[(t * k + i) * lanes + lane] = 0.0;
}

inline void collect(const double *table, Index length, Index k, Index lane, double *rows) {
    for (Index t = 0; t < length; ++t)
        for (Index i = 0; i < k; ++i) rows[t * k + i] = table[(t * k + i) * lanes + lane];
}

inline double log_mass(double top, std::int64_t power, double mass) {
    return top + double(power) * 0.693147180559945309417 + std::log(mass);
}

// Expected transitions of one lane, added.
inline void add_pairs(const double *pairs, const double *A, Index k, Index lane, double *counts) {
    for (Index c = 0; c < k * k; ++c) counts[c] += A[c] * pairs[c * lanes + lane];
}

}  // namespace margin::chains
