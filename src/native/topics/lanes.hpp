// Drawing one of at most 64 topics in a few instructions and without a branch.
//
// The topics stand in `m` registers of eight lanes, topic k in lane k / m of register k % m: sums
// within a lane are then sums of neighbours, and how many sums a threshold exceeds is the number
// of the topic. Several documents take turns, so that one need not wait for the draw of another.
#pragma once

#include <algorithm>
#include <cstdint>
#include <cstring>
#include <vector>

#include "topics/tokens.hpp"

namespace margin::topics {

constexpr Index lanes = 8;
constexpr Index most_registers = 8;
constexpr Index turns = 4;  // documents at a time

typedef float Floats __attribute__((vector_size(32)));
typedef std::int32_t Marks __attribute__((vector_size(32)));

// Where topics stand.
template <int M>
constexpr Index place(Index k) {
    return k % M * lanes + k / M;
}

struct Layout {
    Index n_topics, m;
    explicit Layout(Index k) : n_topics(k), m((k + lanes - 1) / lanes) {}
    Index width() const { return lanes * m; }
    Index place(Index k) const { return k % m * lanes + k / m; }
    bool narrow() const { return m >= 1 && m <= most_registers; }

    // Rows of n_topics numbers as rows of registers, zero where there is no topic.
    template <typename T>
    std::vector<float> rows(const T *from, Index n) const {
        std::vector<float> out(static_cast<std::size_t>(n * width()), 0.0f);
        for (Index i = 0; i < n; ++i)
            for (Index k = 0; k < n_topics; ++k)
                out[i * width() + place(k)] = static_cast<float>(from[i * n_topics + k]);
        return out;
    }

    // A row for each topic, one at its place and zero elsewhere.
    std::vector<float> units() const {
        std::vector<float> out(static_cast<std::size_t>(n_topics * width()), 0.0f);
        for (Index k = 0; k < n_topics; ++k) out[k * width() + place(k)] = 1.0f;
        return out;
    }
};

[[gnu::always_inline]] inline void load(const float *from, Floats &out) {
    std::memcpy(&out, from, sizeof out);
}

// Sums of lanes 0 … l - 1 in lane l; the sum of all.
[[gnu::always_inline]] inline float sums_before(const Floats &x, Floats &out) {
    const Floats zero{};
    Floats s = x;
    s += __builtin_shufflevector(zero, s, 0, 8, 9, 10, 11, 12, 13, 14);
    s += __builtin_shufflevector(zero, s, 0, 1, 8, 9, 10, 11, 12, 13);
    s += __builtin_shufflevector(zero, s, 0, 1, 2, 3, 8, 9, 10, 11);
    out = __builtin_shufflevector(zero, s, 0, 8, 9, 10, 11, 12, 13, 14);
    return s[7];
}

[[gnu::always_inline]] inline Index sum_of(const Marks &x) {
    Marks s = x + __builtin_shufflevector(x, x, 4, 5, 6, 7, 0, 1, 2, 3);
    s += __builtin_shufflevector(s, s, 2, 3, 0, 1, 6, 7, 4, 5);
    return s[0] + s[1];
}

// A topic in proportion to `weight`; `uniform` is in [0, 1).
template <int M>
[[gnu::always_inline]] inline Index drawn(const Floats *weight, Index n_topics, float uniform) {
    Floats sum[M], before;
    sum[0] = weight[0];
    for (int j = 1; j < M; ++j) sum[j] = sum[j - 1] + weight[j];
    const float total = sums_before(sum[M - 1], before);
    const float threshold = uniform * total;
    Marks passed{};
    for (int j = 0; j < M; ++j) passed += (sum[j] + before) <= threshold;
    const Index k = -sum_of(passed);
    return k < n_topics ? k : n_topics - 1;
}

// Rounding may lead to a topic without any weight: then the next one before or after that has some.
template <int M>
[[gnu::noinline]] inline Index with_weight(const Floats *weight, Index n_topics, Index k) {
    float w[M * lanes];
    std::memcpy(w, weight, sizeof w);
    for (Index j = k; j >= 0; --j)
        if (w[place<M>(j)] > 0.0f) return j;
    for (Index j = k; j < n_topics; ++j)
        if (w[place<M>(j)] > 0.0f) return j;
    return k;
}

// In [0, 1), of 24 bits.
inline float narrow_uniform(Draws &draws) {
    return static_cast<float>(draws.next() >> 40) * 0x1p-24f;
}

// One of the documents that take turns: the counts of its topics, and its next and last word.
template <int M>
struct Turn {
    Floats counts[M];
    std::int64_t at = 0, end = 0;
    Draws draws{0, 0, 0};

    void begin(const Tokens &t, Index d, const std::int32_t *topic, std::uint64_t seed,
               std::uint64_t sweep) {
        alignas(32) float row[M * lanes] = {};
        at = t.first[d];
        end = t.first[d + 1];
        for (std::int64_t i = at; i < end; ++i) row[place<M>(topic[i])] += 1.0f;
        std::memcpy(counts, row, sizeof counts);
        draws = Draws(seed, sweep, d);
    }
};

// Words of documents first … last - 1, several documents taking turns; step(turn) draws a word.
template <int M, typename Step>
[[gnu::always_inline]] inline void take_turns(const Tokens &t, Index first, Index last,
                                              const std::int32_t *topic, std::uint64_t seed,
                                              std::uint64_t sweep, const Step &step) {
    Turn<M> turn[turns];
    Index next = first, n = 0;
    const auto refill = [&](Index r) {
        while (next < last && t.first[next] == t.first[next + 1]) ++next;
        if (next == last) return false;
        turn[r].begin(t, next++, topic, seed, sweep);
        return true;
    };
    while (n < turns && refill(n)) ++n;
    while (n == turns) {
        std::int64_t run = turn[0].end - turn[0].at;
        for (Index r = 1; r < turns; ++r) run = std::min(run, turn[r].end - turn[r].at);
        for (std::int64_t i = 0; i < run; ++i)
#pragma GCC unroll 4
            for (Index r = 0; r < turns; ++r) step(turn[r]);
        for (Index r = 0; r < n;) {
            if (turn[r].at < turn[r].end || refill(r)) {
                ++r;
                continue;
            }
            turn[r] = turn[--n];
        }
    }
    for (Index r = 0; r < n; ++r)
        while (turn[r].at < turn[r].end) step(turn[r]);
}

}  // namespace margin::topics
