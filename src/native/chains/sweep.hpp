// The sums over hidden paths of one sequence, in logarithms: the long way round.
#pragma once

#include <algorithm>
#include <cmath>
#include <vector>

#include "chains/lanes.hpp"

namespace margin::chains {

// Log tables of one sequence; the transitions of step t are at transition + t * stride.
struct LogChain {
    const double *emission, *start, *transition, *final;
    Index length, k, stride;
};

inline double log_sum(const double *x, Index n) {
    double top = nowhere;
    for (Index i = 0; i < n; ++i) top = std::max(top, x[i]);
    if (top == nowhere) return nowhere;
    double sum = 0.0;
    for (Index i = 0; i < n; ++i) sum += std::exp(x[i] - top);
    return top + std::log(sum);
}

// Log joint of the state and what was seen up to it; the log likelihood is returned.
inline double log_forward(const LogChain &chain, double *alpha) {
    const Index k = chain.k;
    std::vector<double> terms(k);
    for (Index t = 0; t < chain.length; ++t) {
        const double *from = chain.transition + (t ? t - 1 : 0) * chain.stride;
        for (Index j = 0; j < k; ++j) {
            double before = chain.start[j];
            if (t) {
                for (Index i = 0; i < k; ++i) terms[i] = alpha[(t - 1) * k + i] + from[i * k + j];
                before = log_sum(terms.data(), k);
            }
            alpha[t * k + j] = before + chain.emission[t * k + j];
        }
    }
    if (!chain.length) return 0.0;
    const double *last = alpha + (chain.length - 1) * k;
    for (Index i = 0; i < k; ++i) terms[i] = last[i] + (chain.final ? chain.final[i] : 0.0);
    return log_sum(terms.data(), k);
}

// Log probability of what is seen after each state.
inline void log_backward(const LogChain &chain, double *beta) {
    const Index k = chain.k;
    std::vector<double> terms(k);
    for (Index t = chain.length - 1; t >= 0; --t) {
        const double *from = chain.transition + t * chain.stride;
        for (Index i = 0; i < k; ++i) {
            if (t + 1 == chain.length) {
                beta[t * k + i] = chain.final ? chain.final[i] : 0.0;
                continue;
            }
            for (Index j = 0; j < k; ++j)
                terms[j] =
                    from[i * k + j] + chain.emission[(t + 1) * k + j] + beta[(t + 1) * k + j];
            beta[t * k + i] = log_sum(terms.data(), k);
        }
    }
}

// Posterior of states, expected counts of transitions (added), and pairs where asked for. Of an
// impossible sequence all are zero.
inline double log_smooth(const LogChain &chain, double *posterior, double *counts, double *pairs) {
    const Index k = chain.k, length = chain.length;
    std::vector<double> alpha(length * k), beta(length * k);
    const double value = log_forward(chain, alpha.data());
    if (value == nowhere) {
        std::fill(posterior, posterior + length * k, 0.0);
        if (pairs && length) std::fill(pairs, pairs + (length - 1) * k * k, 0.0);
        return value;
    }
    log_backward(chain, beta.data());
    for (Index t = 0; t < length; ++t) {
        double sum = 0.0;
        for (Index i = 0; i < k; ++i)
            sum += posterior[t * k + i] = std::exp(alpha[t * k + i] + beta[t * k + i] - value);
        for (Index i = 0; i < k; ++i) posterior[t * k + i] /= sum;
    }
    for (Index t = 0; t + 1 < length; ++t) {
        const double *from = chain.transition + t * chain.stride;
        for (Index i = 0; i < k; ++i)
            for (Index j = 0; j < k; ++j) {
                const double p =
                    std::exp(alpha[t * k + i] + from[i * k + j] + chain.emission[(t + 1) * k + j] +
                             beta[(t + 1) * k + j] - value);
                counts[i * k + j] += p;
                if (pairs) pairs[(t * k + i) * k + j] = p;
            }
    }
    return value;
}

}  // namespace margin::chains
