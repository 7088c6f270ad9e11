// Coordinate descent on a quadratic whose matrix is given.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <vector>

#include "columns/extrapolation.hpp"
#include "columns/kernels.hpp"
#include "columns/shrinkage.hpp"

namespace margin {

// What the duality gap of least squares needs: sums over the coordinates, and y'y.
struct GapSums {
    double energy, qw = 0.0, ws = 0.0, norm1 = 0.0, norm2 = 0.0, worst = 0.0;

    void add(double w, double slope, double q, const Shrinkage &penalty) {
        const double g = slope + penalty.l2 * w;
        qw += q * w;
        ws += slope * w;
        norm1 += std::abs(w);
        norm2 += w * w;
        worst = std::max(worst, penalty.positive ? -g : std::abs(g));
    }

    // The residual scaled into the dual feasible set, by the best factor allowed.
    double gap(const Shrinkage &penalty) const {
        const double along = energy - qw;                             // r' y
        const double square = energy - qw + ws + penalty.l2 * norm2;  // |r|^2 + l2 |w|^2
        const double limit = worst > penalty.l1 ? penalty.l1 / worst : 1.0;
        const double t = square > 0.0 ? std::clamp(along / square, 0.0, limit) : 0.0;
        return 0.5 * square + penalty.l1 * norm1 - t * along + 0.5 * t * t * square;
    }
};

struct GramStop {
    double energy, gap_tol, slope_tol;

    bool holds(double violation, const GapSums &sums, const Shrinkage &penalty) const {
        return violation <= slope_tol || (gap_tol >= 0.0 && sums.gap(penalty) <= gap_tol);
    }
};

// The coordinates that move, with their block of the matrix packed in T. The slope is kept up to
// date, so a coordinate at rest costs nothing.
template <typename T>
class PackedDescent {
  public:
    std::vector<double> w, slope, q;

    PackedDescent(const double *gram, std::size_t stride, const std::vector<std::size_t> &active,
                  const double *all_w, const double *all_slope, const double *all_q,
                  Shrinkage penalty, GramStop stop)
        : w(active.size()), slope(active.size()), q(active.size()), m_(active.size()),
          block_(m_ * m_), diagonal_(m_), penalty_(penalty), stop_(stop), history_(m_) {
        for (std::size_t a = 0; a < m_; ++a) {
            const double *row = gram + active[a] * stride;
            for (std::size_t b = 0; b < m_; ++b)
                block_[a * m_ + b] = static_cast<T>(row[active[b]]);
            diagonal_[a] = row[active[a]] + penalty.l2;
            w[a] = all_w[active[a]];
            slope[a] = all_slope[active[a]];
            q[a] = all_q[active[a]];
        }
    }

    int run(int max_epochs) {
        history_.push(w.data());
        for (int epoch = 1; epoch <= max_epochs; ++epoch) {
            sweep();
            if (done()) return epoch;
            history_.push(w.data());
            if (history_.full()) extrapolate();
        }
        return max_epochs;
    }

  private:
    void sweep() {
        for (std::size_t j = 0; j < m_; ++j) {
            const double next = penalty_.move(w[j], slope[j] + penalty_.l2 * w[j], diagonal_[j]);
            const double step = next - w[j];
            if (step == 0.0) continue;
            w[j] = next;
            column_add(block_.data() + j * m_, step, slope.data(), m_);
        }
    }

    bool done() const {
        GapSums sums{stop_.energy};
        for (std::size_t j = 0; j < m_; ++j) sums.add(w[j], slope[j], q[j], penalty_);
        return stop_.holds(violation(w, slope), sums, penalty_);
    }

    double violation(const std::vector<double> &u, const std::vector<double> &slope_there) const {
        double worst = 0.0;
        for (std::size_t j = 0; j < m_; ++j)
            worst = std::max(worst, penalty_.violation(u[j], slope_there[j] + penalty_.l2 * u[j]));
        return worst;
    }

    // The objective changes by 1/2 (u - w)'(slope(u) + slope(w)) + penalty(u) - penalty(w). Where
    // that is rounding, the optimality conditions decide.
    void extrapolate() {
        std::vector<double> point(m_), slope_there(slope);
        const bool found = history_.propose(point.data());
        history_.push(w.data());
        if (!found) return;
        for (std::size_t j = 0; j < m_; ++j) {
            if (penalty_.positive && point[j] < 0.0) point[j] = 0.0;
            if (point[j] != w[j])
                column_add(block_.data() + j * m_, point[j] - w[j], slope_there.data(), m_);
        }
        const double size = penalty_.size(point.data(), m_);
        double change = size - penalty_.size(w.data(), m_), scale = size;
        for (std::size_t j = 0; j < m_; ++j) {
            change += 0.5 * (point[j] - w[j]) * (slope_there[j] + slope[j]);
            scale += std::abs(q[j] * w[j]);
        }
        const bool rounding = std::abs(change) <= 1e-14 * scale;
        if (rounding ? !(violation(point, slope_there) < violation(w, slope)) : !(change < 0.0))
            return;
        w.swap(point);
        slope.swap(slope_there);
        history_.restart();
        history_.push(w.data());
    }

    std::size_t m_;
    std::vector<T> block_;
    std::vector<double> diagonal_;
    Shrinkage penalty_;
    GramStop stop_;
    Extrapolation history_;
};

// Rounds of packed descents, each followed by the slope at full precision over all coordinates.
class GramDescent {
  public:
    GramDescent(const double *gram, std::size_t stride, const double *q, double *w, double *slope,
                std::size_t m, Shrinkage penalty, GramStop stop)
        : gram_(gram), q_(q), stride_(stride), m_(m), w_(w), slope_(slope), penalty_(penalty),
          stop_(stop) {}

    // The slope A w - q at the start.
    void begin() {
        for (std::size_t j = 0; j < m_; ++j) slope_[j] = -q_[j];
        for (std::size_t j = 0; j < m_; ++j)
            if (w_[j] != 0.0) column_add(gram_ + j * stride_, w_[j], slope_, m_);
    }

    int run(int max_epochs) {
        int epochs = 0;
        for (int round = 0; epochs < max_epochs && !done(); ++round) {
            const std::vector<std::size_t> active = moving();
            // Single precision halves the traffic of a block that no longer fits the cache; what
            // it rounds is made good by the next round; from the third on all is in double
            // precision.
            const bool coarse = active.size() > 256 && round < 2;
            GramStop stop = stop_;
            if (coarse) stop.slope_tol = std::max(stop.slope_tol, 1e-6 * violation());
            epochs += coarse ? packed<float>(active, stop, max_epochs - epochs)
                             : packed<double>(active, stop, max_epochs - epochs);
        }
        return epochs;
    }

    double gap() const {
        GapSums sums{stop_.energy};
        for (std::size_t j = 0; j < m_; ++j)
            if (free(j)) sums.add(w_[j], slope_[j], q_[j], penalty_);
        return sums.gap(penalty_);
    }

    double violation() const {
        double worst = 0.0;
        for (std::size_t j = 0; j < m_; ++j)
            if (free(j)) worst = std::max(worst, broken(j));
        return worst;
    }

  private:
    bool free(std::size_t j) const { return gram_[j * stride_ + j] + penalty_.l2 > 0.0; }

    double broken(std::size_t j) const {
        return penalty_.violation(w_[j], slope_[j] + penalty_.l2 * w_[j]);
    }

    bool done() const {
        GapSums sums{stop_.energy};
        for (std::size_t j = 0; j < m_; ++j)
            if (free(j)) sums.add(w_[j], slope_[j], q_[j], penalty_);
        return stop_.holds(violation(), sums, penalty_);
    }

    std::vector<std::size_t> moving() const {
        std::vector<std::size_t> found;
        for (std::size_t j = 0; j < m_; ++j)
            if (free(j) && (w_[j] != 0.0 || broken(j) > 0.0)) found.push_back(j);
        return found;
    }

    template <typename T>
    int packed(const std::vector<std::size_t> &active, const GramStop &stop, int max_epochs) {
        PackedDescent<T> descent(gram_, stride_, active, w_, slope_, q_, penalty_, stop);
        const int epochs = descent.run(max_epochs);
        for (std::size_t a = 0; a < active.size(); ++a) {
            const std::size_t j = active[a];
            if (descent.w[a] == w_[j]) continue;
            column_add(gram_ + j * stride_, descent.w[a] - w_[j], slope_, m_);
            w_[j] = descent.w[a];
        }
        return epochs;
    }

    const double *gram_, *q_;
    std::size_t stride_, m_;
    double *w_, *slope_;
    Shrinkage penalty_;
    GramStop stop_;
};

}  // namespace margin
