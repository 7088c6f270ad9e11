// Sweeps over the topics of all words, with the words of the topics given.
#include <algorithm>
#include <cstring>

#include "common/bind.hpp"
#include "common/team.hpp"
#include "topics/bindings.hpp"
#include "topics/lanes.hpp"
#include "topics/tables.hpp"
#include "topics/tokens.hpp"

namespace margin {
namespace {

using topics::Floats;
using topics::lanes;
using topics::Layout;
using topics::Space;
using topics::Tokens;

constexpr Index documents_of_a_piece = 64;

// One word of a document after the other gets a topic given those of its others.
MARGIN_CLONES void wide(const Tokens &t, Index d, std::int32_t *topic,
                        const double *word_given_topic, const double *prior, Draws draws,
                        Space &space) {
    const Index width = t.width();
    double *document = space.document.data(), *weight = space.weight.data();
    topics::count_document(t, d, topic, prior, document);
    for (std::int64_t i = t.first[d]; i < t.first[d + 1]; ++i) {
        document[topic[i]] -= 1.0;
        const double sum = topics::weigh(document, word_given_topic + t.word[i] * width, weight,
                                         space.sums.data(), width);
        const Index k = topics::drawn(weight, space.sums.data(), sum, t.n_topics, draws.uniform());
        topic[i] = static_cast<std::int32_t>(k);
        document[k] += 1.0;
    }
}

// What few topics are drawn by: chances of words, units to count by, prior, and the random numbers.
struct Law {
    const float *word_given_topic, *units, *prior;
    std::uint64_t seed, sweep;
};

// The same for few topics and several documents.
template <int M>
[[gnu::always_inline]] inline void narrow_loop(const Tokens &t, Index first, Index last,
                                               std::int32_t *topic, const Law &law) {
    constexpr Index width = M * lanes;
    const float *word_given_topic = law.word_given_topic, *units = law.units;
    Floats alpha[M];
    std::memcpy(alpha, law.prior, sizeof alpha);
    topics::take_turns<M>(t, first, last, topic, law.seed, law.sweep,
                          [&](topics::Turn<M> &turn) __attribute__((always_inline)) {
                              const std::int64_t i = turn.at++;
                              const float *given = word_given_topic + Index(t.word[i]) * width;
                              const Index old = topic[i];
                              Floats weight[M];
                              for (int j = 0; j < M; ++j) {
                                  Floats without, row;
                                  topics::load(units + old * width + j * lanes, without);
                                  topics::load(given + j * lanes, row);
                                  turn.counts[j] -= without;
                                  weight[j] = (turn.counts[j] + alpha[j]) * row;
                              }
                              Index k = topics::drawn<M>(weight, t.n_topics,
                                                         topics::narrow_uniform(turn.draws));
                              if (given[topics::place<M>(k)] <= 0.0f)
                                  k = topics::with_weight<M>(weight, t.n_topics, k);
                              topic[i] = static_cast<std::int32_t>(k);
                              for (int j = 0; j < M; ++j) {
                                  Floats with;
                                  topics::load(units + k * width + j * lanes, with);
                                  turn.counts[j] += with;
                              }
                          });
}

MARGIN_CLONES void narrow(const Tokens &t, Index m, Index first, Index last, std::int32_t *topic,
                          const Law &law) {
    switch (m) {
        case 1: return narrow_loop<1>(t, first, last, topic, law);
        case 2: return narrow_loop<2>(t, first, last, topic, law);
        case 3: return narrow_loop<3>(t, first, last, topic, law);
        case 4: return narrow_loop<4>(t, first, last, topic, law);
        case 5: return narrow_loop<5>(t, first, last, topic, law);
        case 6: return narrow_loop<6>(t, first, last, topic, law);
        case 7: return narrow_loop<7>(t, first, last, topic, law);
        default: return narrow_loop<8>(t, first, last, topic, law);
    }
}

// Rows with a largest element of one, for what matters is only their direction.
std::vector<float> directions(const Layout &layout, const double *given, Index n_words) {
    std::vector<float> out(static_cast<std::size_t>(n_words * layout.width()), 0.0f);
    for (Index w = 0; w < n_words; ++w) {
        const double *row = given + w * layout.n_topics;
        const double most = *std::max_element(row, row + layout.n_topics);
        if (!(most > 0.0)) continue;
        for (Index k = 0; k < layout.n_topics; ++k)
            out[w * layout.width() + layout.place(k)] = static_cast<float>(row[k] / most);
    }
    return out;
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
    const double work = 20.0 * double(word.size()) * double(n_topics);
    const Layout layout(n_topics);
    const double least = *std::min_element(pp, pp + n_topics);
    if (layout.narrow() && topics::exact_in_floats(t, pp, least)) {
        const std::vector<float> rows = directions(layout, gp, n_words);
        const std::vector<float> units = layout.units(), priors = layout.rows(pp, 1);
        const Law law{rows.data(), units.data(), priors.data(), seed, sweep};
        const Index pieces = (t.n_documents + documents_of_a_piece - 1) / documents_of_a_piece;
        team::each(n_threads, work, pieces, [&](Index b) {
            const Index from = b * documents_of_a_piece;
            narrow(t, layout.m, from, std::min(t.n_documents, from + documents_of_a_piece), tp,
                   law);
        });
    } else {
        const std::vector<double> rows = topics::with_padding(gp, n_words, n_topics);
        team::run(n_threads, work, t.n_documents, [&] {
            return [&, space = Space(t.width())](Index d) mutable {
                wide(t, d, tp, rows.data(), pp, Draws(seed, sweep, d), space);
            };
        });
    }
    topics::count_words(t, tp, counts, n_threads);
}

}  // namespace

void bind_given_topics(nb::module_ &m) {
    m.def("given_topics_sweep", &given_topics_sweep, fixed("first"), fixed("word"), fixed("topic"),
          fixed("word_given_topic"), fixed("prior"), nb::arg("seed"), nb::arg("sweep"),
          fixed("word_topic"), nb::arg("n_threads"));
}

}  // namespace margin
