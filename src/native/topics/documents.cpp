// Variational proportions of topics, document by document.
#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstring>
#include <stdexcept>
#include <vector>

#include "common/bind.hpp"
#include "common/compressed.hpp"
#include "common/elementary.hpp"
#include "common/team.hpp"
#include "topics/bindings.hpp"

namespace margin {
namespace {

typedef double Doubles __attribute__((vector_size(64)));
constexpr Index lanes = 8;        // words of a panel
constexpr double least = 1e-100;  // a word that no topic has must not divide by zero

// Memory of a thread. Words of a document stand in panels of eight: a register for every topic.
struct Space {
    std::vector<double> panels, counts, ratios, sums, gamma, theta;

    void resize(Index m, Index k) {
        const Index n = (m + lanes - 1) / lanes;
        panels.assign(static_cast<std::size_t>(n * k * lanes), 0.0);
        counts.assign(static_cast<std::size_t>(n * lanes), 0.0);
        ratios.resize(static_cast<std::size_t>(n * lanes));
        sums.resize(static_cast<std::size_t>(k * lanes));
        gamma.resize(k + 1);
        theta.resize(k + 1);
    }
};

// exp(digamma(x)) for x > 0. With y = x + 6 digamma(x) is log(y) minus what the asymptotic series
// and the recurrence take away, six inverses whose sum is one fraction of q = x (x + 5).
[[gnu::always_inline]] inline double exp_digamma(double x) {
    const double small = x < 1e40 ? x : 1e40;  // larger ones would overflow, and add nothing
    const double q = small * (small + 5.0);
    const double below =
        (2.0 * small + 5.0) * ((3.0 * q + 20.0) * q + 24.0) / (q * (q + 4.0) * (q + 6.0));
    const double y = x + 6.0, inverse = 1.0 / y, t = inverse * inverse;
    const double tail =
        t *
        (1.0 / 12 -
         t * (1.0 / 120 -
              t * (1.0 / 252 -
                   t * (1.0 / 240 - t * (1.0 / 132 - t * (691.0 / 32760 -
                                                          t * (1.0 / 12 - t * 3617.0 / 8160)))))));
    return y * exp_negative(below + 0.5 * inverse + tail);
}

// exp E log of proportions with Dirichlet parameters `gamma`; room for their sum after each.
[[gnu::always_inline]] inline void expected(double *gamma, Index k, double *out) {
    double total = 0.0;
    for (Index j = 0; j < k; ++j) total += gamma[j];
    gamma[k] = total;
#pragma omp simd
    for (Index j = 0; j <= k; ++j) out[j] = exp_digamma(gamma[j]);
    const double all = 1.0 / out[k];
    for (Index j = 0; j < k; ++j) out[j] *= all;
}

// Ratios count / sum_k theta_k words_k, and sums over words of ratio * words_k, lane by lane.
[[gnu::always_inline]] inline void pass(Space &space, const double *theta, Index k) {
    const double *panel = space.panels.data();
    double *sums = space.sums.data();
    std::fill(space.sums.begin(), space.sums.end(), 0.0);
    for (std::size_t b = 0; b < space.counts.size(); b += lanes, panel += k * lanes) {
        Doubles total{}, ratio, row, sum;
        for (Index j = 0; j < k; ++j) {
            std::memcpy(&row, panel + j * lanes, sizeof row);
            total += theta[j] * row;
        }
        std::memcpy(&ratio, space.counts.data() + b, sizeof ratio);
        ratio /= total + least;
        std::memcpy(space.ratios.data() + b, &ratio, sizeof ratio);
        for (Index j = 0; j < k; ++j) {
            std::memcpy(&row, panel + j * lanes, sizeof row);
            std::memcpy(&sum, sums + j * lanes, sizeof sum);
            sum += ratio * row;
            std::memcpy(sums + j * lanes, &sum, sizeof sum);
        }
    }
}

[[gnu::always_inline]] inline double sum_of(const double *x) {
    return ((x[0] + x[4]) + (x[2] + x[6])) + ((x[1] + x[5]) + (x[3] + x[7]));
}

// Iterates `space.gamma`; leaves exp E log of the proportions and the ratios of the words.
MARGIN_CLONES void iterate(const double *prior, Index k, int max_iter, double tol, Space &space) {
    double *gamma = space.gamma.data(), *theta = space.theta.data();
    expected(gamma, k, theta);
    for (int it = 0; it < max_iter; ++it) {
        pass(space, theta, k);
        double change = 0.0;
        for (Index j = 0; j < k; ++j) {
            const double next = prior[j] + theta[j] * sum_of(space.sums.data() + j * lanes);
            change += std::abs(next - gamma[j]);
            gamma[j] = next;
        }
        expected(gamma, k, theta);
        if (change < tol * double(k)) break;
    }
    pass(space, theta, k);
}

struct Model {
    const double *topics, *prior;
    Index k;
    int max_iter;
    double tol;
};

template <typename I>
struct Words {
    const double *count;
    const I *word;
    Index size;
};

struct Answer {
    double *gamma, *theta, *ratio;
};

template <typename I>
double document(const Words<I> &words, const Model &model, const Answer &out, Space &space) {
    const Index k = model.k, m = words.size;
    space.resize(m, k);
    for (Index i = 0; i < m; ++i) {
        double *panel = space.panels.data() + i / lanes * lanes * k + i % lanes;
        const double *row = model.topics + Index(words.word[i]) * k;
        for (Index j = 0; j < k; ++j) panel[j * lanes] = row[j];
    }
    std::copy_n(words.count, m, space.counts.data());
    std::copy_n(out.gamma, k, space.gamma.data());
    iterate(model.prior, k, model.max_iter, model.tol, space);
    std::copy_n(space.gamma.data(), k, out.gamma);
    std::copy_n(space.theta.data(), k, out.theta);
    std::copy_n(space.ratios.data(), m, out.ratio);
    double value = 0.0;
    for (Index i = 0; i < m; ++i)
        if (words.count[i] > 0.0) value += words.count[i] * std::log(words.count[i] / out.ratio[i]);
    return value;
}

template <typename I>
void variational_documents(Vector<const I> indptr, Vector<const I> indices,
                           Vector<const double> data, Matrix<const double> topics,
                           Vector<const double> prior, int max_iter, double tol,
                           Matrix<double> gamma, Matrix<double> theta, Vector<double> ratio,
                           Vector<double> value, int n_threads) {
    const Index k = topics.shape(1);
    const auto X = compressed_within<double, I>(indptr, indices, data, topics.shape(0),
                                                "variational_documents: rows do not span the data",
                                                "variational_documents: word out of range");
    const std::size_t n = X.lines();
    if (gamma.shape(0) != n || theta.shape(0) != n || static_cast<Index>(gamma.shape(1)) != k ||
        static_cast<Index>(theta.shape(1)) != k || ratio.size() != data.size() ||
        value.size() != n || static_cast<Index>(prior.size()) != k)
        throw std::invalid_argument("variational_documents: arrays of different shape");
    const Model model{topics.data(), prior.data(), k, max_iter, tol};
    double *gp = gamma.data(), *hp = theta.data(), *rp = ratio.data(), *vp = value.data();

    nb::gil_scoped_release release;
    const double work = 20.0 * double(data.size()) * double(k);
    team::run(n_threads, work, static_cast<Index>(n), [&] {
        return [&, space = Space{}](Index d) mutable {
            const Index at = X.indptr[d], m = X.indptr[d + 1] - at;
            const Words<I> words{X.data.data() + at, X.indices.data() + at, m};
            vp[d] = document(words, model, {gp + d * k, hp + d * k, rp + at}, space);
        };
    });
}

}  // namespace

void bind_topic_documents(nb::module_ &m) {
    const auto bind = [&]<typename I>() {
        m.def("variational_documents", &variational_documents<I>, fixed("indptr"), fixed("indices"),
              fixed("data"), fixed("topics"), fixed("prior"), nb::arg("max_iter"), nb::arg("tol"),
              fixed("gamma"), fixed("theta"), fixed("ratio"), fixed("value"), nb::arg("n_threads"));
    };
    bind.operator()<std::int32_t>();
    bind.operator()<std::int64_t>();
}

}  // namespace margin
