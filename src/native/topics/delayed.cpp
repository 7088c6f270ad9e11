// Sweeps in which parts of the documents do not see each other: on the way to the law, not of it.
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
using topics::Tokens;

// Documents of a part; what it knows of the words, and of the words of all topics.
struct Part {
    Index first, last;
    std::vector<float> word_topic;
    std::vector<double> total;
};

// What is the same for all parts.
struct Setting {
    std::vector<float> units, prior;
    float eta;
    double all;  // prior weight of all words
    std::uint64_t seed, sweep;
};

// Words of a topic in all are taken as they were when a document began: then documents that take
// turns need not wait for one another.
template <int M>
[[gnu::always_inline]] inline void sweep_part(const Tokens &t, const Setting &setting, Part &part,
                                              std::int32_t *topic) {
    constexpr Index width = M * lanes;
    const float *units = setting.units.data();
    float *rows = part.word_topic.data();
    Floats alpha[M], inverse[M];
    std::memcpy(alpha, setting.prior.data(), sizeof alpha);
    const auto renew = [&]() __attribute__((always_inline)) {
        alignas(32) float now[width] = {};
        for (Index k = 0; k < t.n_topics; ++k)
            now[topics::place<M>(k)] = static_cast<float>(1.0 / (part.total[k] + setting.all));
        std::memcpy(inverse, now, sizeof inverse);
    };
    renew();
    std::int64_t left = 256;
    topics::take_turns<M>(t, part.first, part.last, topic, setting.seed, setting.sweep,
                          [&](topics::Turn<M> &turn) __attribute__((always_inline)) {
                              if (--left == 0) {
                                  left = 256;
                                  renew();
                              }
                              const std::int64_t i = turn.at++;
                              float *counts = rows + Index(t.word[i]) * width;
                              const Index old = topic[i];
                              Floats weight[M];
                              for (int j = 0; j < M; ++j) {
                                  Floats without, held;
                                  topics::load(units + old * width + j * lanes, without);
                                  topics::load(counts + j * lanes, held);
                                  turn.counts[j] -= without;
                                  weight[j] = (turn.counts[j] + alpha[j]) *
                                              (held - without + setting.eta) * inverse[j];
                              }
                              const Index k = topics::drawn<M>(weight, t.n_topics,
                                                               topics::narrow_uniform(turn.draws));
                              topic[i] = static_cast<std::int32_t>(k);
                              for (int j = 0; j < M; ++j) {
                                  Floats with;
                                  topics::load(units + k * width + j * lanes, with);
                                  turn.counts[j] += with;
                              }
                              counts[topics::place<M>(old)] -= 1.0f;
                              counts[topics::place<M>(k)] += 1.0f;
                              part.total[old] -= 1.0;
                              part.total[k] += 1.0;
                          });
}

MARGIN_CLONES void sweep(const Tokens &t, const Setting &setting, Index m, Part &part,
                         std::int32_t *topic) {
    switch (m) {
        case 1: return sweep_part<1>(t, setting, part, topic);
        case 2: return sweep_part<2>(t, setting, part, topic);
        case 3: return sweep_part<3>(t, setting, part, topic);
        case 4: return sweep_part<4>(t, setting, part, topic);
        case 5: return sweep_part<5>(t, setting, part, topic);
        case 6: return sweep_part<6>(t, setting, part, topic);
        case 7: return sweep_part<7>(t, setting, part, topic);
        default: return sweep_part<8>(t, setting, part, topic);
    }
}

// Documents of about as many words each.
std::vector<Part> divided(const Tokens &t, Index n_parts) {
    std::vector<Part> parts;
    Index at = 0;
    for (Index p = 0; p < n_parts; ++p) {
        const std::int64_t end = t.first[t.n_documents] / n_parts * (p + 1);
        const Index from = at;
        while (at < t.n_documents && (p + 1 == n_parts || t.first[at] < end)) ++at;
        parts.push_back({from, at, {}, {}});
    }
    return parts;
}

bool delayed_topic_sweep(Vector<const std::int64_t> first, Vector<const std::int32_t> word,
                         Vector<std::int32_t> topic, Matrix<std::int32_t> word_topic,
                         Vector<const double> prior, double eta, std::uint64_t seed,
                         std::uint64_t number, int n_parts, int n_threads) {
    const Index n_words = word_topic.shape(0), n_topics = word_topic.shape(1);
    const Tokens t = topics::tokens(first, word, n_words, n_topics);
    if (topic.size() != word.size() || static_cast<Index>(prior.size()) != n_topics || n_parts < 1)
        throw std::invalid_argument("delayed_topic_sweep: arrays of different shape");
    topics::check_topics(topic.data(), topic.size(), n_topics);
    std::int32_t *tp = topic.data(), *counts = word_topic.data();
    const double *pp = prior.data();
    const Layout layout(n_topics);
    std::vector<double> total(n_topics, 0.0);
    if (!topics::word_counts_in_floats(counts, n_words, n_topics, total.data()) ||
        !topics::exact_in_floats(t, pp, eta) || !layout.narrow())
        return false;

    nb::gil_scoped_release release;
    const std::vector<float> rows = layout.rows(counts, n_words);
    const Setting setting{
        layout.units(), layout.rows(pp, 1), static_cast<float>(eta), eta * double(n_words), seed,
        number};
    std::vector<Part> parts = divided(t, n_parts);
    const double work = 20.0 * double(word.size()) * double(n_topics);
    team::each(n_threads, work, n_parts, [&](Index p) {
        parts[p].word_topic = rows;
        parts[p].total = total;
        sweep(t, setting, layout.m, parts[p], tp);
        parts[p].word_topic = {};
    });
    topics::count_words(t, tp, counts, n_threads);
    return true;
}

}  // namespace

void bind_delayed_topics(nb::module_ &m) {
    m.def("delayed_topic_sweep", &delayed_topic_sweep, fixed("first"), fixed("word"),
          fixed("topic"), fixed("word_topic"), fixed("prior"), nb::arg("eta"), nb::arg("seed"),
          nb::arg("sweep"), nb::arg("n_parts"), nb::arg("n_threads"));
}

}  // namespace margin
