// Log probability of documents under given topics, from left to right.
#include <algorithm>
#include <cmath>
#include <utility>

#include "common/bind.hpp"
#include "common/team.hpp"
#include "topics/bindings.hpp"
#include "topics/tokens.hpp"

namespace margin {
namespace {

using topics::Space;
using topics::Tokens;

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

void bind_topic_left_to_right(nb::module_ &m) {
    m.def("topic_left_to_right", &topic_left_to_right, fixed("first"), fixed("word"),
          fixed("word_given_topic"), fixed("prior"), nb::arg("n_particles"), nb::arg("seed"),
          fixed("out"), nb::arg("n_threads"));
}

}  // namespace margin
