// Sweeps over the topics of all words: with the topics integrated out, or given.
#include <algorithm>
#include <atomic>
#include <cmath>
#include <utility>

#include "common/bind.hpp"
#include "common/team.hpp"
#include "topics/bindings.hpp"
#include "topics/tokens.hpp"

namespace margin {
namespace {

using topics::block;
using topics::Tokens;

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

// Weights document * (count + eta) * inverse of all topics, as topics::weigh.
[[gnu::always_inline]] inline double weigh_counts(const double *document,
                                                  const std::int32_t *counts, const double *inverse,
                                                  double eta, double *weight, double *sums,
                                                  Index width) {
    double total = 0.0;
    for (Index b = 0; b < width / block; ++b) {
        double sum = 0.0;
#pragma omp simd reduction(+ : sum)
        for (Index j = 0; j < block; ++j) {
            const Index k = b * block + j;
            weight[k] = document[k] * (double(counts[k]) + eta) * inverse[k];
            sum += weight[k];
        }
        sums[b] = sum;
        total += sum;
    }
    return total;
}

// One word after the other gets a topic given those of all other words; the proportions of the
// documents and the words of the topics are integrated out.
MARGIN_CLONES void collapsed(const Tokens &t, std::int32_t *topic, std::int32_t *word_topic,
                             std::int64_t *total, const double *prior, double eta,
                             std::uint64_t seed, std::uint64_t sweep) {
    const Index width = t.width();
    const double all = eta * double(t.n_words);
    Space space(width);
    std::vector<double> inverse(width, 0.0);
    for (Index k = 0; k < t.n_topics; ++k) inverse[k] = 1.0 / (double(total[k]) + all);
    double *document = space.document.data(), *weight = space.weight.data();
    for (Index d = 0; d < t.n_documents; ++d) {
        Draws draws(seed, sweep, d);
        count_document(t, d, topic, prior, document);
        for (std::int64_t i = t.first[d]; i < t.first[d + 1]; ++i) {
            std::int32_t *counts = word_topic + t.word[i] * width;
            const Index old = topic[i];
            --counts[old];
            document[old] -= 1.0;
            inverse[old] = 1.0 / (double(--total[old]) + all);
            const double sum = weigh_counts(document, counts, inverse.data(), eta, weight,
                                            space.sums.data(), width);
            const Index k =
                topics::drawn(weight, space.sums.data(), sum, t.n_topics, draws.uniform());
            topic[i] = static_cast<std::int32_t>(k);
            ++counts[k];
            document[k] += 1.0;
            inverse[k] = 1.0 / (double(++total[k]) + all);
        }
    }
}

// The same for one document whose topics are given: others play no part.
MARGIN_CLONES void given_topics(const Tokens &t, Index d, std::int32_t *topic,
                                const double *word_given_topic, const double *prior, Draws draws,
                                Space &space) {
    const Index width = t.width();
    double *document = space.document.data(), *weight = space.weight.data();
    count_document(t, d, topic, prior, document);
    for (std::int64_t i = t.first[d]; i < t.first[d + 1]; ++i) {
        document[topic[i]] -= 1.0;
        const double sum = topics::weigh(document, word_given_topic + t.word[i] * width, weight,
                                         space.sums.data(), width);
        const Index k = topics::drawn(weight, space.sums.data(), sum, t.n_topics, draws.uniform());
        topic[i] = static_cast<std::int32_t>(k);
        document[k] += 1.0;
    }
}

// Ancestors in proportion to weights, evenly spaced from one random number.
void ancestors(const std::vector<double> &weight, double total, double uniform,
               std::vector<Index> &out) {
    const Index n = static_cast<Index>(weight.size());
    double reached = weight[0];
    for (Index r = 0, a = 0; r < n; ++r) {
        const double point = (double(r) + uniform) / double(n) * total;
        while (reached <= point && a < n - 1) reached += weight[++a];
        out[r] = a;
    }
}

// Particles of a document: topics of its first words, and prior plus counts of the topics.
struct Particles {
    std::vector<std::int32_t> topic;
    std::vector<double> document;
    Particles(Index particles, Index n, Index width)
        : topic(static_cast<std::size_t>(particles * n)),
          document(static_cast<std::size_t>(particles * width), 0.0) {}
};

// Log probability of a document under given topics, from left to right: the probability of each
// word given those before it, a mean over particles. Topics are drawn anew before every word, and
// particles are drawn again in proportion to what they foretold: without that the product of the
// means would not tend to the probability.
MARGIN_CLONES double left_to_right(const Tokens &t, Index d, const double *word_given_topic,
                                   const double *prior, Index particles, Draws draws,
                                   Space &space) {
    const Index width = t.width(), n = t.first[d + 1] - t.first[d];
    const std::int32_t *word = t.word + t.first[d];
    double *weight = space.weight.data(), *sums = space.sums.data();
    double strength = 0.0;
    for (Index k = 0; k < t.n_topics; ++k) strength += prior[k];
    Particles now(particles, n, width), next(particles, n, width);
    for (Index r = 0; r < particles; ++r)
        for (Index k = 0; k < t.n_topics; ++k) now.document[r * width + k] = prior[k];
    std::vector<double> foretold(particles);
    std::vector<Index> from(particles);
    double value = 0.0;
    for (Index i = 0; i < n; ++i) {
        double total = 0.0;
        const double *at = word_given_topic + word[i] * width;
        for (Index r = 0; r < particles; ++r) {
            double *document = now.document.data() + r * width;
            std::int32_t *mine = now.topic.data() + r * n;
            for (Index j = 0; j < i; ++j) {
                document[mine[j]] -= 1.0;
                const double sum = topics::weigh(document, word_given_topic + word[j] * width,
                                                 weight, sums, width);
                const Index k = topics::drawn(weight, sums, sum, t.n_topics, draws.uniform());
                mine[j] = static_cast<std::int32_t>(k);
                document[k] += 1.0;
            }
            foretold[r] = topics::weigh(document, at, weight, sums, width);
            total += foretold[r];
        }
        value += std::log(total / (strength + double(i)) / double(particles));
        ancestors(foretold, total, draws.uniform(), from);
        for (Index r = 0; r < particles; ++r) {
            std::copy_n(now.topic.data() + from[r] * n, i, next.topic.data() + r * n);
            double *document = next.document.data() + r * width;
            std::copy_n(now.document.data() + from[r] * width, width, document);
            const double sum = topics::weigh(document, at, weight, sums, width);
            const Index k = topics::drawn(weight, sums, sum, t.n_topics, draws.uniform());
            next.topic[r * n + i] = static_cast<std::int32_t>(k);
            document[k] += 1.0;
        }
        std::swap(now, next);
    }
    return value;
}

void collapsed_topic_sweep(Vector<const std::int64_t> first, Vector<const std::int32_t> word,
                           Vector<std::int32_t> topic, Matrix<std::int32_t> word_topic,
                           Vector<const double> prior, double eta, std::uint64_t seed,
                           std::uint64_t sweep) {
    const Index n_words = word_topic.shape(0), n_topics = word_topic.shape(1);
    const Tokens t = topics::tokens(first, word, n_words, n_topics);
    if (topic.size() != word.size() || static_cast<Index>(prior.size()) != n_topics)
        throw std::invalid_argument("collapsed_topic_sweep: arrays of different shape");
    topics::check_topics(topic.data(), topic.size(), n_topics);
    std::int32_t *tp = topic.data(), *counts = word_topic.data();
    const double *pp = prior.data();

    nb::gil_scoped_release release;
    std::vector<std::int32_t> wide = topics::with_padding(counts, n_words, n_topics);
    std::vector<std::int64_t> total(n_topics, 0);
    for (Index w = 0; w < n_words; ++w)
        for (Index k = 0; k < n_topics; ++k) total[k] += counts[w * n_topics + k];
    collapsed(t, tp, wide.data(), total.data(), pp, eta, seed, sweep);
    for (Index w = 0; w < n_words; ++w)
        for (Index k = 0; k < n_topics; ++k) counts[w * n_topics + k] = wide[w * t.width() + k];
}

void given_topics_sweep(Vector<const std::int64_t> first, Vector<const std::int32_t> word,
                        Vector<std::int32_t> topic, Matrix<const double> word_given_topic,
                        Vector<const double> prior, std::uint64_t seed, std::uint64_t sweep,
                        Matrix<std::int32_t> word_topic, int n_threads) {
    const Index n_words = word_topic.shape(0), n_topics = word_topic.shape(1);
    const Tokens t = topics::tokens(first, word, n_words, n_topics);
    if (topic.size() != word.size() || static_cast<Index>(prior.size()) != n_topics ||
        static_cast<Index>(word_given_topic.shape(0)) != n_words ||
        static_cast<Index>(word_given_topic.shape(1)) != n_topics)
        throw std::invalid_argument("given_topics_sweep: arrays of different shape");
    topics::check_topics(topic.data(), topic.size(), n_topics);
    std::int32_t *tp = topic.data(), *counts = word_topic.data();
    const double *pp = prior.data(), *gp = word_given_topic.data();

    nb::gil_scoped_release release;
    const std::vector<double> wide = topics::with_padding(gp, n_words, n_topics);
    std::fill(counts, counts + n_words * n_topics, 0);
    const double work = 20.0 * double(word.size()) * double(n_topics);
    team::run(n_threads, work, t.n_documents, [&] {
        return [&, space = Space(t.width())](Index d) mutable {
            given_topics(t, d, tp, wide.data(), pp, Draws(seed, sweep, d), space);
            // Whole numbers: the sums do not depend on who adds first.
            for (std::int64_t i = t.first[d]; i < t.first[d + 1]; ++i)
                std::atomic_ref<std::int32_t>(counts[t.word[i] * n_topics + tp[i]])
                    .fetch_add(1, std::memory_order_relaxed);
        };
    });
}

void topic_left_to_right(Vector<const std::int64_t> first, Vector<const std::int32_t> word,
                         Matrix<const double> word_given_topic, Vector<const double> prior,
                         int n_particles, std::uint64_t seed, Vector<double> out, int n_threads) {
    const Index n_words = word_given_topic.shape(0), n_topics = word_given_topic.shape(1);
    const Tokens t = topics::tokens(first, word, n_words, n_topics);
    if (static_cast<Index>(out.size()) != t.n_documents || n_particles < 1 ||
        static_cast<Index>(prior.size()) != n_topics)
        throw std::invalid_argument("topic_left_to_right: arrays of different shape");
    const double *pp = prior.data(), *gp = word_given_topic.data();
    double *op = out.data();

    nb::gil_scoped_release release;
    const std::vector<double> wide = topics::with_padding(gp, n_words, n_topics);
    double pairs = 0.0;
    for (Index d = 0; d < t.n_documents; ++d)
        pairs += double(t.first[d + 1] - t.first[d]) * double(t.first[d + 1] - t.first[d]);
    team::run(n_threads, pairs * n_particles * double(n_topics), t.n_documents, [&] {
        return [&, space = Space(t.width())](Index d) mutable {
            op[d] = left_to_right(t, d, wide.data(), pp, n_particles, Draws(seed, 0, d), space);
        };
    });
}

}  // namespace

void bind_topic_sweeps(nb::module_ &m) {
    m.def("collapsed_topic_sweep", &collapsed_topic_sweep, fixed("first"), fixed("word"),
          fixed("topic"), fixed("word_topic"), fixed("prior"), nb::arg("eta"), nb::arg("seed"),
          nb::arg("sweep"));
    m.def("given_topics_sweep", &given_topics_sweep, fixed("first"), fixed("word"), fixed("topic"),
          fixed("word_given_topic"), fixed("prior"), nb::arg("seed"), nb::arg("sweep"),
          fixed("word_topic"), nb::arg("n_threads"));
    m.def("topic_left_to_right", &topic_left_to_right, fixed("first"), fixed("word"),
          fixed("word_given_topic"), fixed("prior"), nb::arg("n_particles"), nb::arg("seed"),
          fixed("out"), nb::arg("n_threads"));
}

}  // namespace margin
