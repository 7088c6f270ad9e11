// The words of documents one after the other, each with its topic; and drawing a topic.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <stdexcept>
#include <vector>

#include "common/draws.hpp"
#include "common/native.hpp"

namespace margin::topics {

// Topics are padded to whole blocks with weights of zero, so that loops have no remainder.
constexpr Index block = 8;

inline Index padded(Index k) { return (k + block - 1) / block * block; }

// Words first[d] … first[d + 1] - 1 are those of document d.
struct Tokens {
    const std::int64_t *first;
    const std::int32_t *word;
    Index n_documents, n_words, n_topics;
    Index width() const { return padded(n_topics); }
};

inline Tokens tokens(const Vector<const std::int64_t> &first,
                     const Vector<const std::int32_t> &word, Index n_words, Index n_topics) {
    const Index n = static_cast<Index>(first.size()) - 1;
    if (n_topics < 1) throw std::invalid_argument("topics: no topics");
    if (n < 0 || first(0) != 0 || first(n) != static_cast<std::int64_t>(word.size()))
        throw std::invalid_argument("topics: documents do not span the words");
    for (Index d = 0; d < n; ++d)
        if (first(d) > first(d + 1)) throw std::invalid_argument("topics: documents out of order");
    for (std::size_t i = 0; i < word.size(); ++i)
        if (word(i) < 0 || word(i) >= n_words)
            throw std::invalid_argument("topics: word out of range");
    return {first.data(), word.data(), n, n_words, n_topics};
}

inline void check_topics(const std::int32_t *topic, std::size_t n, Index n_topics) {
    for (std::size_t i = 0; i < n; ++i)
        if (topic[i] < 0 || topic[i] >= n_topics)
            throw std::invalid_argument("topics: topic out of range");
}

constexpr std::int64_t most_in_floats = 1 << 24;  // whole numbers below it are exact

// Whether single precision is enough for the weights of topics and their counts in documents.
inline bool exact_in_floats(const Tokens &t, const double *prior, double eta) {
    double most = 0.0;
    for (Index k = 0; k < t.n_topics; ++k) most = std::max(most, prior[k]);
    std::int64_t longest = 0;
    for (Index d = 0; d < t.n_documents; ++d)
        longest = std::max(longest, t.first[d + 1] - t.first[d]);
    const auto moderate = [](double x) { return x > 1e-12 && x < 1e12; };
    return longest < most_in_floats && moderate(most) && moderate(eta);
}

// And for their counts in words, of which the topics of all are added up in `total`.
template <typename T>
bool word_counts_in_floats(const std::int32_t *counts, Index n_words, Index n_topics, T *total) {
    std::int64_t most = 0;
    for (Index w = 0; w < n_words; ++w) {
        std::int64_t all = 0;
        for (Index k = 0; k < n_topics; ++k) {
            all += counts[w * n_topics + k];
            total[k] += static_cast<T>(counts[w * n_topics + k]);
        }
        most = std::max(most, all);
    }
    return most < most_in_floats;
}

// What a thread needs for one document at a time.
struct Space {
    std::vector<double> document, weight, sums;
    explicit Space(Index width) : document(width), weight(width), sums(width / block) {}
};

// Prior plus counts of the topics of a document.
[[gnu::always_inline]] inline void count_document(const Tokens &t, Index d,
                                                  const std::int32_t *topic, const double *prior,
                                                  double *document) {
    for (Index k = 0; k < t.width(); ++k) document[k] = k < t.n_topics ? prior[k] : 0.0;
    for (std::int64_t i = t.first[d]; i < t.first[d + 1]; ++i) document[topic[i]] += 1.0;
}

// Rows of `k` numbers as rows of whole blocks.
template <typename T>
std::vector<T> with_padding(const T *rows, Index n, Index k) {
    const Index width = padded(k);
    std::vector<T> out(static_cast<std::size_t>(n * width), T(0));
    for (Index i = 0; i < n; ++i)
        for (Index j = 0; j < k; ++j) out[i * width + j] = rows[i * k + j];
    return out;
}

// A topic in proportion to `weight`, of which `sums` are the sums of blocks and `total` of all.
[[gnu::always_inline]] inline Index drawn(const double *weight, const double *sums, double total,
                                          Index n_topics, double uniform) {
    double left = uniform * total;
    Index b = 0;
    const Index last = padded(n_topics) / block - 1;
    while (b < last && left >= sums[b]) left -= sums[b++];
    Index k = b * block;
    while (k < n_topics - 1 && left >= weight[k]) left -= weight[k++];
    // Rounding may lead past the last topic that has any weight.
    while (k > 0 && weight[k] <= 0.0) --k;
    return k;
}

// Weights document * word of all topics, their sums by blocks; the total.
[[gnu::always_inline]] inline double weigh(const double *document, const double *word,
                                           double *weight, double *sums, Index width) {
    double total = 0.0;
    for (Index b = 0; b < width / block; ++b) {
        double sum = 0.0;
#pragma omp simd reduction(+ : sum)
        for (Index j = 0; j < block; ++j) {
            const Index k = b * block + j;
            weight[k] = document[k] * word[k];
            sum += weight[k];
        }
        sums[b] = sum;
        total += sum;
    }
    return total;
}

}  // namespace margin::topics
