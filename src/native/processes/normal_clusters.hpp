// Clusters of normal vectors whose mean and covariance are integrated out.
#pragma once

#include <cmath>
#include <numbers>
#include <vector>

#include "common/index.hpp"

namespace margin::processes {

// Normal-inverse-Wishart belief about every cluster. The scale matrix is kept as its Cholesky
// factor, which a row that comes or goes changes by one rank.
class NormalClusters {
  public:
    // `lower` is the factor of the prior scale, rows are relative to the prior mean.
    NormalClusters(const double *X, Index n, Index d, const double *lower, double strength,
                   double df)
        : X_(X), d_(d), prior_(lower, lower + d * d), strength_(strength), df_(df) {
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

  private:
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

    const double *X_;
    Index d_;
    std::vector<double> prior_;
    double strength_, df_;
    std::vector<double> heights_;  // what depends on the size of a cluster alone
    std::vector<Index> size_, free_;
    std::vector<double> mean_, lower_, log_det_;
    std::vector<double> away_;
};

}  // namespace margin::processes
