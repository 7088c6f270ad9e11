// How often each word has each topic.
#pragma once

#include <algorithm>
#include <cstdint>
#include <vector>

#include "common/team.hpp"
#include "topics/tokens.hpp"

namespace margin::topics {

// Counts of words and topics. Parts with a table each, where the words outweigh the tables.
inline void count_words(const Tokens &t, const std::int32_t *topic, std::int32_t *counts,
                        int n_threads) {
    const Index n = t.first[t.n_documents], size = t.n_words * t.n_topics;
    const Index parts = std::clamp<Index>(n / std::max<Index>(4 * size, 1), 1, n_threads);
    std::vector<std::int32_t> others(static_cast<std::size_t>((parts - 1) * size), 0);
    std::fill(counts, counts + size, 0);
    team::each(n_threads, 8.0 * double(n), parts, [&](Index p) {
        std::int32_t *mine = p == 0 ? counts : others.data() + (p - 1) * size;
        for (Index i = n * p / parts; i < n * (p + 1) / parts; ++i)
            ++mine[t.word[i] * t.n_topics + topic[i]];
    });
    for (Index p = 1; p < parts; ++p)
        for (Index i = 0; i < size; ++i) counts[i] += others[(p - 1) * size + i];
}

}  // namespace margin::topics
