// Sweeps over the topics of all words, with proportions and topics integrated out.
#include <algorithm>
#include <cstring>

#include "common/bind.hpp"
#include "topics/bindings.hpp"
#include "topics/lanes.hpp"
#include "topics/tokens.hpp"

namespace margin {
namespace {

using topics::Floats;
using topics::lanes;
using topics::Layout;
using topics::Tokens;

// Words of a topic, and the inverse of prior plus words: what all documents share.
struct Totals {
    std::vector<std::int64_t> total;
    double all;  // prior weight of all words

    double inverse(Index k) const { return 1.0 / (double(total[k]) + all); }
};

// Weights document * (count + eta) * inverse of all topics, as topics::weigh.
[[gnu::always_inline]] inline double weigh_counts(const double *document,
                                                  const std::int32_t *counts, const double *inverse,
                                                  double eta, double *weight, double *sums,
                                                  Index width) {
    double total = 0.0;
    for (Index b = 0; b < width / topics::block; ++b) {
        double sum = 0.0;
#pragma omp simd reduction(+ : sum)
        for (Index j = 0; j < topics::block; ++j) {
            const Index k = b * topics::block + j;
            weight[k] = document[k] * (double(counts[k]) + eta) * inverse[k];
            sum += weight[k];
        }
        sums[b] = sum;
        total += sum;
    }
    return total;
}

// One word after the other gets a topic given those of all other words.
MARGIN_CLONES void wide(const Tokens &t, std::int32_t *topic, std::int32_t *word_topic,
                        Totals &totals, const double *prior, double eta, std::uint64_t seed,
                        std::uint64_t sweep) {
    const Index width = t.width();
    topics::Space space(width);
    std::vector<double> inverse(width, 0.0);
    for (Index k = 0; k < t.n_topics; ++k) inverse[k] = totals.inverse(k);
    double *document = space.document.data(), *weight = space.weight.data();
    for (Index d = 0; d < t.n_documents; ++d) {
        Draws draws(seed, sweep, d);
        topics::count_document(t, d, topic, prior, document);
        for (std::int64_t i = t.first[d]; i < t.first[d + 1]; ++i) {
            std::int32_t *counts = word_topic + t.word[i] * width;
            const Index old = topic[i];
            --counts[old];
            document[old] -= 1.0;
            --totals.total[old];
            inverse[old] = totals.inverse(old);
            const double sum = weigh_counts(document, counts, inverse.data(), eta, weight,
                                            space.sums.data(), width);
            const Index k =
                topics::drawn(weight, space.sums.data(), sum, t.n_topics, draws.uniform());
            topic[i] = static_cast<std::int32_t>(k);
            ++counts[k];
            document[k] += 1.0;
            ++totals.total[k];
            inverse[k] = totals.inverse(k);
        }
    }
}

// What the draws of few topics read: inverses of all words of a topic, and what they gain without
// one of them.
struct Shared {
    std::vector<float> inverse, gain;
    explicit Shared(Index width) : inverse(width, 0.0f), gain(width, 0.0f) {}

    [[gnu::always_inline]] void set(const Totals &totals, Index k, Index place) {
        const double n = double(totals.total[k]), now = totals.inverse(k);
        inverse[place] = static_cast<float>(now);
        // Nothing to take from a topic without words, where the inverse may be infinite.
        gain[place] = n < 1.0 ? 0.0f : static_cast<float>(1.0 / (n - 1.0 + totals.all) - now);
    }
};

// The same for few topics. Counts of words are of whole numbers, exact below 2^24.
template <int M>
[[gnu::always_inline]] inline void narrow_loop(const Tokens &t, const Layout &layout,
                                               std::int32_t *topic, float *word_topic,
                                               Totals &totals, const double *prior, double eta,
                                               std::uint64_t seed, std::uint64_t sweep) {
    constexpr Index width = M * lanes;
    const std::vector<float> units = layout.units(), priors = layout.rows(prior, 1);
    Shared shared(width);
    for (Index k = 0; k < t.n_topics; ++k) shared.set(totals, k, layout.place(k));
    Floats alpha[M];
    std::memcpy(alpha, priors.data(), sizeof alpha);
    const float every = static_cast<float>(eta);
    topics::take_turns<M>(t, 0, t.n_documents, topic, seed, sweep,
                          [&](topics::Turn<M> &turn) __attribute__((always_inline)) {
                              const std::int64_t i = turn.at++;
                              float *counts = word_topic + Index(t.word[i]) * width;
                              const std::int32_t old = topic[i];
                              Floats weight[M];
                              for (int j = 0; j < M; ++j) {
                                  Floats without, held, inverse, gain;
                                  topics::load(units.data() + old * width + j * lanes, without);
                                  topics::load(counts + j * lanes, held);
                                  topics::load(shared.inverse.data() + j * lanes, inverse);
                                  topics::load(shared.gain.data() + j * lanes, gain);
                                  turn.counts[j] -= without;
                                  weight[j] = (turn.counts[j] + alpha[j]) *
                                              (held - without + every) * (inverse + without * gain);
                              }
                              const Index k = topics::drawn<M>(weight, t.n_topics,
                                                               topics::narrow_uniform(turn.draws));
                              for (int j = 0; j < M; ++j) {
                                  Floats with;
                                  topics::load(units.data() + k * width + j * lanes, with);
                                  turn.counts[j] += with;
                              }
                              if (k == old) return;
                              topic[i] = static_cast<std::int32_t>(k);
                              counts[topics::place<M>(old)] -= 1.0f;
                              counts[topics::place<M>(k)] += 1.0f;
                              --totals.total[old];
                              ++totals.total[k];
                              shared.set(totals, old, topics::place<M>(old));
                              shared.set(totals, k, topics::place<M>(k));
                          });
}

MARGIN_CLONES void narrow(const Tokens &t, const Layout &layout, std::int32_t *topic,
                          float *word_topic, Totals &totals, const double *prior, double eta,
                          std::uint64_t seed, std::uint64_t sweep) {
    switch (layout.m) {
        case 1:
            return narrow_loop<1>(t, layout, topic, word_topic, totals, prior, eta, seed, sweep);
        case 2:
            return narrow_loop<2>(t, layout, topic, word_topic, totals, prior, eta, seed, sweep);
        case 3:
            return narrow_loop<3>(t, layout, topic, word_topic, totals, prior, eta, seed, sweep);
        case 4:
            return narrow_loop<4>(t, layout, topic, word_topic, totals, prior, eta, seed, sweep);
        case 5:
            return narrow_loop<5>(t, layout, topic, word_topic, totals, prior, eta, seed, sweep);
        case 6:
            return narrow_loop<6>(t, layout, topic, word_topic, totals, prior, eta, seed, sweep);
        case 7:
            return narrow_loop<7>(t, layout, topic, word_topic, totals, prior, eta, seed, sweep);
        default:
            return narrow_loop<8>(t, layout, topic, word_topic, totals, prior, eta, seed, sweep);
    }
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
    Totals totals{std::vector<std::int64_t>(n_topics, 0), eta * double(n_words)};
    const bool light =
        topics::word_counts_in_floats(counts, n_words, n_topics, totals.total.data());
    const Layout layout(n_topics);
    if (light && layout.narrow() && topics::exact_in_floats(t, pp, eta)) {
        std::vector<float> rows = layout.rows(counts, n_words);
        narrow(t, layout, tp, rows.data(), totals, pp, eta, seed, sweep);
        for (Index w = 0; w < n_words; ++w)
            for (Index k = 0; k < n_topics; ++k)
                counts[w * n_topics + k] =
                    static_cast<std::int32_t>(rows[w * layout.width() + layout.place(k)]);
        return;
    }
    std::vector<std::int32_t> rows = topics::with_padding(counts, n_words, n_topics);
    wide(t, tp, rows.data(), totals, pp, eta, seed, sweep);
    for (Index w = 0; w < n_words; ++w)
        for (Index k = 0; k < n_topics; ++k) counts[w * n_topics + k] = rows[w * t.width() + k];
}

}  // namespace

void bind_collapsed_topics(nb::module_ &m) {
    m.def("collapsed_topic_sweep", &collapsed_topic_sweep, fixed("first"), fixed("word"),
          fixed("topic"), fixed("word_topic"), fixed("prior"), nb::arg("eta"), nb::arg("seed"),
          nb::arg("sweep"));
}

}  // namespace margin
