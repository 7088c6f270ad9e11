// Coordinate descent on X' diag(h) X by its columns, with the intercept eliminated.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <tuple>
#include <vector>

#include "columns/extrapolation.hpp"
#include "columns/kernels.hpp"
#include "columns/shrinkage.hpp"

namespace margin {

// X' diag(h) X over m of the columns of X and its n rows; their means with the intercept only.
struct Quadratic {
    const std::int64_t *index;
    const double *mean, *curvature, *h;
    double total;  // of h
    std::size_t m, n;
};

// The column form: v = gradient of the smooth part in the predictions, kept up to date.
template <typename Columns>
class ColumnDescent {
  public:
    ColumnDescent(Columns columns, const Quadratic &quadratic, double *w, double *v,
                  Shrinkage penalty)
        : columns_(columns), index_(quadratic.index), mean_(quadratic.mean),
          curvature_(quadratic.curvature), h_(quadratic.h), total_(quadratic.total),
          m_(quadratic.m), n_(quadratic.n), w_(w), v_(v), penalty_(penalty), history_(quadratic.m) {
    }

    // Sweeps over the support until it is at rest, then over everything; stops when a sweep over
    // everything finds no optimality condition broken by more than tol. Returns the sweeps made,
    // the largest violation met by the last full one, and that of the first.
    std::tuple<int, double, double> run(int max_epochs, double tol) {
        for (std::size_t i = 0; i < n_; ++i) sum_ += v_[i];
        history_.push(w_);
        bool full = true;
        double last_full = INFINITY, first = -1.0;
        int epoch = 0;
        while (epoch < max_epochs) {
            ++epoch;
            const double met = full ? sweep<true>() : sweep<false>();
            if (full) {
                last_full = met;
                if (first < 0.0) first = met;
                if (met <= tol) break;
                full = false;
            } else if (met <= tol || met <= 0.1 * last_full) {
                full = true;
            }
            history_.push(w_);
            if (history_.full()) extrapolate();
        }
        return {epoch, last_full, first};
    }

    // Moves the intercept to its optimum: the step to add to it.
    double settle_intercept() {
        if (!mean_) return 0.0;
        const double step = -sum_ / total_;
        for (std::size_t i = 0; i < n_; ++i) v_[i] += step * h_[i];
        return step;
    }

  private:
    double gradient(std::size_t k) const {
        const double g = columns_.dot(index_[k], v_) + penalty_.l2 * w_[k];
        return mean_ ? g - sum_ * mean_[k] : g;
    }

    void shift(std::size_t k, double step) {
        columns_.add(index_[k], step, h_, v_);
        if (mean_) sum_ += step * total_ * mean_[k];
    }

    template <bool everything>
    double sweep() {
        double worst = 0.0;
        for (std::size_t k = 0; k < m_; ++k) {
            if (!everything && w_[k] == 0.0) continue;
            const double curvature = curvature_[k] + penalty_.l2;
            if (!(curvature > 0.0)) continue;
            const double g = gradient(k);
            worst = std::max(worst, penalty_.violation(w_[k], g));
            const double next = penalty_.move(w_[k], g, curvature);
            const double step = next - w_[k];
            if (step == 0.0) continue;
            w_[k] = next;
            shift(k, step);
        }
        return worst;
    }

    void extrapolate() {
        std::vector<double> point(m_);
        const bool found = history_.propose(point.data());
        history_.push(w_);
        if (!found) return;
        const std::vector<double> kept(v_, v_ + n_);
        const double kept_sum = sum_;
        double change = penalty_.size(point.data(), m_) - penalty_.size(w_, m_);
        std::vector<double> step(m_);
        for (std::size_t k = 0; k < m_; ++k) {
            if (penalty_.positive && point[k] < 0.0) point[k] = 0.0;
            step[k] = point[k] - w_[k];
            if (step[k] != 0.0) change += 0.5 * step[k] * (gradient(k) - penalty_.l2 * w_[k]);
        }
        for (std::size_t k = 0; k < m_; ++k)
            if (step[k] != 0.0) shift(k, step[k]);
        for (std::size_t k = 0; k < m_; ++k)
            if (step[k] != 0.0) change += 0.5 * step[k] * (gradient(k) - penalty_.l2 * w_[k]);
        if (change < 0.0) {
            std::copy(point.begin(), point.end(), w_);
            history_.restart();
            history_.push(w_);
            return;
        }
        std::copy(kept.begin(), kept.end(), v_);
        sum_ = kept_sum;
    }

    Columns columns_;
    const std::int64_t *index_;
    const double *mean_, *curvature_, *h_;
    double total_, sum_ = 0.0;
    std::size_t m_, n_;
    double *w_, *v_;
    Shrinkage penalty_;
    Extrapolation history_;
};

}  // namespace margin
