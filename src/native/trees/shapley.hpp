// Shapley values of one leaf: a product of factors, one for each feature of its path.
//
// The worth of a coalition is the product over features of o_i (0 or 1) where it holds i and of z_i
// elsewhere. Its Shapley values are (o_i - z_i) times the integral over t in [0, 1] of
// prod_{j != i} (o_j t + z_j (1 - t)), a polynomial, which Gauss-Legendre quadrature integrates
// exactly with half as many points as features.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <numbers>
#include <vector>

#include "common/index.hpp"

namespace margin::trees {

struct Quadrature {
    std::vector<double> at, weight;  // on [0, 1]

    explicit Quadrature(Index n) : at(n), weight(n) {
        for (Index i = 0; i < n; ++i) {
            double x = std::cos(std::numbers::pi * (i + 0.75) / (n + 0.5)), slope = 1.0;
            for (int step = 0; step < 100; ++step) {
                double before = 1.0, value = x;
                for (Index k = 2; k <= n; ++k) {
                    const double next = ((2 * k - 1) * x * value - (k - 1) * before) / k;
                    before = value;
                    value = next;
                }
                slope = n * (x * value - before) / (x * x - 1.0);
                const double move = value / slope;
                x -= move;
                if (std::abs(move) < 1e-16) break;
            }
            at[i] = 0.5 * (x + 1.0);
            weight[i] = 1.0 / ((1.0 - x * x) * slope * slope);
        }
    }
};

// Rules for every number of features up to the largest asked for.
class Quadratures {
  public:
    explicit Quadratures(Index most_features) {
        for (Index n = 0; 2 * n <= most_features + 1; ++n)
            rules_.emplace_back(std::max<Index>(n, 1));
    }

    const Quadrature &exact_for(Index n_features) const { return rules_[(n_features + 1) / 2]; }

  private:
    std::vector<Quadrature> rules_;
};

// Scratch of one thread.
struct Products {
    std::vector<double> factor, before;
};

// shapley[i] for worths `inside[i]` of features that are known and `outside[i]` of those that are
// not.
inline void shapley_values(const Quadratures &rules, Index m, const double *inside,
                           const double *outside, double *shapley, Products &scratch) {
    const Quadrature &rule = rules.exact_for(m);
    scratch.factor.resize(m);
    scratch.before.resize(m + 1);
    double *f = scratch.factor.data(), *before = scratch.before.data();
    for (Index i = 0; i < m; ++i) shapley[i] = 0.0;
    for (std::size_t q = 0; q < rule.at.size(); ++q) {
        const double t = rule.at[q];
        before[0] = rule.weight[q];
        for (Index i = 0; i < m; ++i) {
            f[i] = inside[i] * t + outside[i] * (1.0 - t);
            before[i + 1] = before[i] * f[i];
        }
        double after = 1.0;
        for (Index i = m - 1; i >= 0; --i) {
            shapley[i] += before[i] * after;
            after *= f[i];
        }
    }
    for (Index i = 0; i < m; ++i) shapley[i] *= inside[i] - outside[i];
}

// pairs[i * m + j], i != j: half the interaction of two features; the diagonal is left alone.
inline void shapley_pairs(const Quadratures &rules, Index m, const double *inside,
                          const double *outside, double *pairs, Products &scratch) {
    const Quadrature &rule = rules.exact_for(m);
    scratch.factor.resize(m);
    double *f = scratch.factor.data();
    for (Index i = 0; i < m * m; ++i) pairs[i] = 0.0;
    for (std::size_t q = 0; q < rule.at.size(); ++q) {
        const double t = rule.at[q];
        for (Index i = 0; i < m; ++i) f[i] = inside[i] * t + outside[i] * (1.0 - t);
        for (Index i = 0; i < m; ++i) {
            for (Index j = i + 1; j < m; ++j) {
                double product = rule.weight[q];
                for (Index k = 0; k < m; ++k)
                    if (k != i && k != j) product *= f[k];
                pairs[i * m + j] += product;
            }
        }
    }
    for (Index i = 0; i < m; ++i)
        for (Index j = i + 1; j < m; ++j) {
            const double worth =
                0.5 * pairs[i * m + j] * (inside[i] - outside[i]) * (inside[j] - outside[j]);
            pairs[i * m + j] = pairs[j * m + i] = worth;
        }
}

}  // namespace margin::trees
