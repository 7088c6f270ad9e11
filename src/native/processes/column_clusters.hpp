// Clusters of rows whose columns are independent, each with a conjugate belief of its own kind.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <numbers>
#include <vector>

#include "common/draws.hpp"
#include "common/index.hpp"

namespace margin::processes {

enum class Kind : std::int32_t { normal = 0, normal_mean = 1, categorical = 2, poisson = 3 };

// NaN is unobserved: it neither counts nor weighs.
class ColumnClusters {
  public:
    // Of column j the kind, and parameters from first[j] to first[j + 1] - 1:
    // normal: mean, strength, shape, scale; normal_mean: mean, std, noise; categorical: the
    // concentrations; poisson: concentration, rate.
    ColumnClusters(const double *X, Index d, const std::int32_t *kind, const std::int64_t *first,
                   const double *parameters)
        : X_(X), d_(d), kind_(kind), first_(first), parameters_(parameters) {
        start_.push_back(0);
        for (Index j = 0; j < d; ++j)
            start_.push_back(start_.back() + (is(j, Kind::categorical) ? width(j) + 1 : 4));
        for (Index j = 0; j < d; ++j) {
            double total = 0.0;
            for (Index s = 0; s < width(j); ++s) total += parameters_[first_[j] + s];
            totals_.push_back(total);
        }
    }

    Index open() {
        Index k;
        if (free_.empty()) {
            k = static_cast<Index>(size_.size());
            size_.push_back(0);
            stats_.resize(stats_.size() + start_.back());
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
        std::fill_n(stats_.begin() + k * start_.back(), start_.back(), 0.0);
        for (Index j = 0; j < d_; ++j) {
            double *s = stats(k, j);
            const double *p = parameters_ + first_[j];
            if (is(j, Kind::normal)) {
                s[1] = p[0];
                s[2] = p[3];
            }
            refresh(j, s);
        }
    }

    void add(Index k, Index row) { move(k, row, 1.0); }
    bool remove(Index k, Index row) {
        move(k, row, -1.0);
        return true;
    }

    double log_predictive(Index k, Index row) const {
        double value = 0.0;
        for (Index j = 0; j < d_; ++j) {
            const double x = X_[row * d_ + j];
            if (x == x) value += column(j, stats(k, j), x);
        }
        return value;
    }

    // Holes neither count nor weigh: nothing has to be drawn in their place.
    bool torn(Index) const { return false; }
    double log_seen(Index k, Index row) const { return log_predictive(k, row); }
    void fill(Index, Index, Draws &) {}

    Index size(Index k) const { return size_[k]; }

  private:
    bool is(Index j, Kind kind) const { return kind_[j] == static_cast<std::int32_t>(kind); }
    Index width(Index j) const { return first_[j + 1] - first_[j]; }
    double *stats(Index k, Index j) { return stats_.data() + k * start_.back() + start_[j]; }
    const double *stats(Index k, Index j) const {
        return stats_.data() + k * start_.back() + start_[j];
    }

    // Statistics: how many, then for normal columns the mean and scale of the belief, for the
    // others sums or counts; the last of the four is what of the density depends on them alone.
    double column(Index j, const double *s, double x) const {
        const double *p = parameters_ + first_[j];
        switch (static_cast<Kind>(kind_[j])) {
            case Kind::normal: {
                const double kappa = p[1] + s[0], away = x - s[1];
                const double spread = 2.0 * s[2] * (kappa + 1.0) / kappa;
                return s[3] - (p[2] + 0.5 * s[0] + 0.5) * std::log1p(away * away / spread);
            }
            case Kind::normal_mean: {
                const double noise = p[2] * p[2], precision = 1.0 / (p[1] * p[1]) + s[0] / noise;
                const double away = x - (p[0] / (p[1] * p[1]) + s[1] / noise) / precision;
                return s[3] - 0.5 * away * away / (1.0 / precision + noise);
            }
            case Kind::categorical: {
                const auto state = static_cast<Index>(x);
                return std::log((s[1 + state] + p[state]) / (s[0] + totals_[j]));
            }
            default: {
                const double shape = p[0] + s[1], rate = p[1] + s[0];
                return s[3] + std::lgamma(shape + x) - std::lgamma(x + 1.0) - x * std::log1p(rate);
            }
        }
    }

    void refresh(Index j, double *s) const {
        const double *p = parameters_ + first_[j];
        const double log_2pi = std::log(2.0 * std::numbers::pi);
        switch (static_cast<Kind>(kind_[j])) {
            case Kind::normal: {
                const double kappa = p[1] + s[0], shape = p[2] + 0.5 * s[0];
                s[2] = std::max(s[2], p[3]);
                const double spread = 2.0 * s[2] * (kappa + 1.0) / kappa;
                s[3] = std::lgamma(shape + 0.5) - std::lgamma(shape) -
                       0.5 * std::log(std::numbers::pi * spread);
                break;
            }
            case Kind::normal_mean: {
                const double noise = p[2] * p[2], precision = 1.0 / (p[1] * p[1]) + s[0] / noise;
                s[3] = -0.5 * (log_2pi + std::log(1.0 / precision + noise));
                break;
            }
            case Kind::poisson: {
                const double shape = p[0] + s[1], rate = p[1] + s[0];
                s[3] = shape * std::log(rate / (rate + 1.0)) - std::lgamma(shape);
                break;
            }
            default: break;
        }
    }

    void move(Index k, Index row, double sign) {
        size_[k] += sign > 0.0 ? 1 : -1;
        for (Index j = 0; j < d_; ++j) {
            const double x = X_[row * d_ + j];
            if (x != x) continue;
            double *s = stats(k, j);
            const double *p = parameters_ + first_[j];
            if (is(j, Kind::normal)) {
                const double kappa = p[1] + s[0], away = x - s[1];
                s[1] += sign * away / (kappa + sign);
                s[2] += sign * 0.5 * away * away * kappa / (kappa + sign);
            } else if (is(j, Kind::categorical)) {
                s[1 + static_cast<Index>(x)] += sign;
            } else {
                s[1] += sign * x;
            }
            s[0] += sign;
            refresh(j, s);
        }
    }

    const double *X_;
    Index d_;
    const std::int32_t *kind_;
    const std::int64_t *first_;
    const double *parameters_;
    std::vector<Index> start_;    // of the statistics of a column
    std::vector<double> totals_;  // of the parameters of a column
    std::vector<Index> size_, free_;
    std::vector<double> stats_;
};

}  // namespace margin::processes
