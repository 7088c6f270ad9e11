// Clusters of normal vectors whose mean and covariance are integrated out.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <limits>
#include <numbers>
#include <vector>

#include "common/draws.hpp"
#include "common/index.hpp"
#include "processes/variates.hpp"

namespace margin::processes {

// Normal-inverse-Wishart belief about every cluster. The scale matrix is kept as its Cholesky
// factor, which a row that comes or goes changes by one rank. Where rows have holes, what stands
// there is part of what is drawn: a row chooses its cluster by what was observed of it, then the
// rest is drawn given both.
class NormalClusters {
  public:
    // `lower` is the factor of the prior scale, rows are relative to the prior mean; `holes` marks
    // the entries that were not observed, which are written to, or is null.
    NormalClusters(double *X, const std::uint8_t *holes, Index n, Index d, const double *lower,
                   double strength, double df)
        : X_(X), holes_(holes), d_(d), prior_(lower, lower + d * d), strength_(strength), df_(df) {
        heights_.resize(n + 2);
        for (Index i = 0; i < n + 2; ++i) {
            const double nu = df_ + double(i), kappa = strength_ + double(i);
            heights_[i] = std::lgamma(0.5 * (nu + 1.0)) - std::lgamma(0.5 * (nu + 1.0 - d_)) +
                          0.5 * d_ * (std::log(kappa / (kappa + 1.0)) - std::log(std::numbers::pi));
        }
        away_.resize(d);
    }

    Index open() {
        Index k;
        if (free_.empty()) {
            k = static_cast<Index>(size_.size());
            size_.push_back(0);
            log_det_.push_back(0.0);
            mean_.resize(mean_.size() + d_);
            lower_.resize(lower_.size() + d_ * d_);
        } else {
            k = free_.back();
            free_.pop_back();
        }
        reset(k);
        return k;
    }

    void close(Index k) { free_.push_back(k); }

    void reset(Index k) {
        size_[k] = 0;
        std::fill_n(mean_.begin() + k * d_, d_, 0.0);
        std::copy(prior_.begin(), prior_.end(), lower_.begin() + k * d_ * d_);
        log_det_[k] = log_det(k);
    }

    void add(Index k, Index row) {
        const double kappa = strength_ + double(size_[k]);
        double *mean = mean_.data() + k * d_;
        const double root = std::sqrt(kappa / (kappa + 1.0));
        for (Index j = 0; j < d_; ++j) {
            const double away = X_[row * d_ + j] - mean[j];
            away_[j] = root * away;
            mean[j] += away / (kappa + 1.0);
        }
        rank_one(k, 1.0);
        ++size_[k];
    }

    // False where rounding left no positive-definite matrix: the cluster must be built anew.
    bool remove(Index k, Index row) {
        const double kappa = strength_ + double(size_[k]);
        double *mean = mean_.data() + k * d_;
        const double root = std::sqrt(kappa / (kappa - 1.0));
        for (Index j = 0; j < d_; ++j) {
            const double away = X_[row * d_ + j] - mean[j];
            away_[j] = root * away;
            mean[j] -= away / (kappa - 1.0);
        }
        --size_[k];
        return rank_one(k, -1.0);
    }

    // Log density of a row given the rows of the cluster.
    double log_predictive(Index k, Index row) const {
        const double *x = X_ + row * d_, *mean = mean_.data() + k * d_;
        const double *lower = lower_.data() + k * d_ * d_;
        double square = 0.0;
        if (d_ <= small) {
            double y[small];
            square = solve(x, mean, lower, y);
        } else {
            std::vector<double> y(d_);
            square = solve(x, mean, lower, y.data());
        }
        const double n = double(size_[k]), kappa = strength_ + n;
        return heights_[size_[k]] - 0.5 * log_det_[k] -
               0.5 * (df_ + n + 1.0) * std::log1p(kappa / (kappa + 1.0) * square);
    }

    Index size(Index k) const { return size_[k]; }

    bool torn(Index row) const {
        if (!holes_) return false;
        const std::uint8_t *mine = holes_ + row * d_;
        return std::any_of(mine, mine + d_, [](std::uint8_t hole) { return hole != 0; });
    }

    // Log density of what was observed of a row given the rows of the cluster.
    double log_seen(Index k, Index row) {
        const double square = divide(k, row);
        const double n = double(size_[k]), kappa = strength_ + n, seen = double(n_seen_);
        const double freedom = df_ + n + 1.0 - double(d_);
        double log_det = 0.0;
        for (Index j = 0; j < n_seen_; ++j) log_det += std::log(factor_[j * d_ + j]);
        return std::lgamma(0.5 * (freedom + seen)) - std::lgamma(0.5 * freedom) +
               0.5 * seen * (std::log(kappa / (kappa + 1.0)) - std::log(std::numbers::pi)) -
               log_det - 0.5 * (freedom + seen) * std::log1p(kappa / (kappa + 1.0) * square);
    }

    // Draws what was not observed of a row, given the rest of it and the rows of the cluster.
    void fill(Index k, Index row, Draws &draws) {
        const double square = divide(k, row);
        const double n = double(size_[k]), kappa = strength_ + n;
        const double freedom = df_ + n + 1.0 - double(d_) + double(n_seen_);
        const double wide = (kappa + 1.0) / kappa + square;
        const double root = std::sqrt(0.5 * wide / gamma_variate(0.5 * freedom, draws));
        const double *mean = mean_.data() + k * d_;
        for (Index i = n_seen_; i < d_; ++i) white_[i] = root * normal_variate(draws);
        for (Index i = n_seen_; i < d_; ++i) {
            double value = mean[order_[i]];
            for (Index j = 0; j <= i; ++j) value += factor_[i * d_ + j] * white_[j];
            X_[row * d_ + order_[i]] = value;
        }
    }

  private:
    // The scale of a cluster, what was observed of a row first: its factor, and the row's
    // deviation whitened; the squared length of that.
    double divide(Index k, Index row) {
        const std::uint8_t *mine = holes_ + row * d_;
        order_.resize(d_);
        white_.resize(d_);
        factor_.resize(d_ * d_);
        n_seen_ = 0;
        for (Index j = 0; j < d_; ++j)
            if (!mine[j]) order_[n_seen_++] = j;
        for (Index j = 0, at = n_seen_; j < d_; ++j)
            if (mine[j]) order_[at++] = j;
        const double *lower = lower_.data() + k * d_ * d_;
        for (Index i = 0; i < d_; ++i)
            for (Index j = 0; j <= i; ++j) {
                const double *a = lower + order_[i] * d_, *b = lower + order_[j] * d_;
                double value = 0.0;
                for (Index l = 0; l <= std::min(order_[i], order_[j]); ++l) value += a[l] * b[l];
                for (Index l = 0; l < j; ++l) value -= factor_[i * d_ + l] * factor_[j * d_ + l];
                factor_[i * d_ + j] =
                    i == j ? std::sqrt(std::max(value, tiny)) : value / factor_[j * d_ + j];
            }
        const double *x = X_ + row * d_, *mean = mean_.data() + k * d_;
        double square = 0.0;
        for (Index i = 0; i < n_seen_; ++i) {
            double value = x[order_[i]] - mean[order_[i]];
            for (Index j = 0; j < i; ++j) value -= factor_[i * d_ + j] * white_[j];
            white_[i] = value / factor_[i * d_ + i];
            square += white_[i] * white_[i];
        }
        return square;
    }

    static constexpr double tiny = std::numeric_limits<double>::min();
    static constexpr Index small = 16;

    double solve(const double *x, const double *mean, const double *lower, double *y) const {
        double square = 0.0;
        for (Index i = 0; i < d_; ++i) {
            double value = x[i] - mean[i];
            for (Index j = 0; j < i; ++j) value -= lower[i * d_ + j] * y[j];
            y[i] = value / lower[i * d_ + i];
            square += y[i] * y[i];
        }
        return square;
    }

    double log_det(Index k) const {
        double value = 0.0;
        for (Index j = 0; j < d_; ++j) value += std::log(lower_[k * d_ * d_ + j * d_ + j]);
        return 2.0 * value;
    }

    // L L' + sign * v v' for v = away_, by plane rotations, circular or hyperbolic.
    bool rank_one(Index k, double sign) {
        double *lower = lower_.data() + k * d_ * d_;
        for (Index j = 0; j < d_; ++j) {
            const double diagonal = lower[j * d_ + j], v = away_[j];
            const double square = diagonal * diagonal + sign * v * v;
            if (!(square > 1e-10 * diagonal * diagonal)) return false;
            const double root = std::sqrt(square), c = root / diagonal, s = v / diagonal;
            lower[j * d_ + j] = root;
            for (Index i = j + 1; i < d_; ++i) {
                double &entry = lower[i * d_ + j];
                entry = (entry + sign * s * away_[i]) / c;
                away_[i] = c * away_[i] - s * entry;
            }
        }
        log_det_[k] = log_det(k);
        return true;
    }

    double *X_;
    const std::uint8_t *holes_;
    Index d_;
    std::vector<double> prior_;
    double strength_, df_;
    std::vector<double> heights_;  // what depends on the size of a cluster alone
    std::vector<Index> size_, free_;
    std::vector<double> mean_, lower_, log_det_;
    std::vector<double> away_;
    std::vector<Index> order_;  // columns of a row, those observed first
    Index n_seen_ = 0;
    std::vector<double> factor_, white_;
};

}  // namespace margin::processes
