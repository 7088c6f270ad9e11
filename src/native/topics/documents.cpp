// Variational proportions of topics, document by document.
#include <cmath>
#include <cstddef>
#include <stdexcept>
#include <vector>

#include "common/bind.hpp"
#include "common/compressed.hpp"
#include "common/team.hpp"
#include "topics/bindings.hpp"

namespace margin {
namespace {

// Logarithmic derivative of the gamma function, for x > 0: up to 6 by recurrence, then the
// asymptotic series, which is exact to the last digits there.
double digamma(double x) {
    double below = 0.0;
    while (x < 6.0) {
        below += 1.0 / x;
        x += 1.0;
    }
    const double y = 1.0 / (x * x);
    const double tail =
        y *
        (1.0 / 12 -
         y * (1.0 / 120 -
              y * (1.0 / 252 -
                   y * (1.0 / 240 - y * (1.0 / 132 - y * (691.0 / 32760 -
                                                          y * (1.0 / 12 - y * 3617.0 / 8160)))))));
    return std::log(x) - 0.5 / x - tail - below;
}

constexpr double least = 1e-100;  // a word that no topic has must not divide by zero

struct Space {
    std::vector<double> words, share, sums;  // rows of topics of the words at hand
};

// exp E log of proportions with Dirichlet parameters `gamma`.
void expected(const double *gamma, Index k, double *out) {
    double total = 0.0;
    for (Index j = 0; j < k; ++j) total += gamma[j];
    const double all = digamma(total);
    for (Index j = 0; j < k; ++j) out[j] = std::exp(digamma(gamma[j]) - all);
}

// Ratios count / sum_k theta_k words_k, and sums over words of ratio * words_k.
MARGIN_CLONES void pass(const double *words, const double *count, const double *theta, Index m,
                        Index k, double *ratio, double *sums) {
    for (Index j = 0; j < k; ++j) sums[j] = 0.0;
    for (Index i = 0; i < m; ++i) {
        const double *row = words + i * k;
        double total = 0.0;
#pragma omp simd reduction(+ : total)
        for (Index j = 0; j < k; ++j) total += theta[j] * row[j];
        const double r = count[i] / (total + least);
        ratio[i] = r;
#pragma omp simd
        for (Index j = 0; j < k; ++j) sums[j] += r * row[j];
    }
}

template <typename I>
double document(const double *count, const I *word, Index m, const double *topics, Index k,
                const double *prior, int max_iter, double tol, double *gamma, double *theta,
                double *ratio, Space &space) {
    space.words.resize(static_cast<std::size_t>(m * k));
    space.sums.resize(k);
    double *words = space.words.data(), *sums = space.sums.data();
    for (Index i = 0; i < m; ++i)
        for (Index j = 0; j < k; ++j) words[i * k + j] = topics[Index(word[i]) * k + j];
    expected(gamma, k, theta);
    for (int it = 0; it < max_iter; ++it) {
        pass(words, count, theta, m, k, ratio, sums);
        double change = 0.0;
        for (Index j = 0; j < k; ++j) {
            const double next = prior[j] + theta[j] * sums[j];
            change += std::abs(next - gamma[j]);
            gamma[j] = next;
        }
        expected(gamma, k, theta);
        if (change < tol * double(k)) break;
    }
    pass(words, count, theta, m, k, ratio, sums);
    double value = 0.0;
    for (Index i = 0; i < m; ++i)
        if (count[i] > 0.0) value += count[i] * std::log(count[i] / ratio[i]);
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
    const double *tp = topics.data(), *pp = prior.data();
    double *gp = gamma.data(), *hp = theta.data(), *rp = ratio.data(), *vp = value.data();

    nb::gil_scoped_release release;
    const double work = 20.0 * double(data.size()) * double(k);
    team::run(n_threads, work, static_cast<Index>(n), [&] {
        return [&, space = Space{}](Index d) mutable {
            const Index at = X.indptr[d], m = X.indptr[d + 1] - at;
            vp[d] = document<I>(X.data.data() + at, X.indices.data() + at, m, tp, k, pp, max_iter,
                                tol, gp + d * k, hp + d * k, rp + at, space);
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
