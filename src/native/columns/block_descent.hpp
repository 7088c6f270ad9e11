// Coordinate descent by rows of a table of coefficients, one column per target:
//   scale/2 |Y - X W|^2 + l1 sum_j |w_j|_2 + l2/2 |W|^2.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <vector>

namespace margin {

// W is p × k by rows; the residual Y - X W is k × n by rows and kept up to date.
struct BlockPoint {
    double *w, *residual;
    std::size_t p, k, n;
};

// What multiplies the squares, the lengths of rows and their halved squares.
struct BlockWeights {
    double scale, l1, l2;
};

template <typename Columns>
class BlockDescent {
  public:
    BlockDescent(Columns columns, const double *curvature, const BlockPoint &at,
                 const BlockWeights &weights)
        : columns_(columns), curvature_(curvature), w_(at.w), residual_(at.residual), p_(at.p),
          k_(at.k), n_(at.n), scale_(weights.scale), l1_(weights.l1), l2_(weights.l2), pull_(at.k),
          next_(at.k) {}

    // Sweeps over the support until it is at rest, then over everything; stops when a sweep over
    // everything finds no optimality condition broken by more than tol. Returns the sweeps made.
    int run(int max_epochs, double tol) {
        bool everything = true;
        double last = INFINITY;
        int epoch = 0;
        while (epoch < max_epochs) {
            ++epoch;
            const double met = sweep(everything);
            if (everything) {
                if (met <= tol) break;
                last = met;
                everything = false;
            } else if (met <= tol || met <= 0.1 * last) {
                everything = true;
            }
        }
        return epoch;
    }

  private:
    double sweep(bool everything) {
        double worst = 0.0;
        for (std::size_t j = 0; j < p_; ++j) {
            double *row = w_ + j * k_;
            if (!everything && std::all_of(row, row + k_, [](double v) { return v == 0.0; }))
                continue;
            if (curvature_[j] + l2_ > 0.0) worst = std::max(worst, settle(j, row));
        }
        return worst;
    }

    // Moves one row to its optimum; how far its optimality condition was broken before.
    double settle(std::size_t j, double *row) {
        double length = 0.0, size = 0.0;
        for (std::size_t t = 0; t < k_; ++t) {
            pull_[t] = scale_ * columns_.dot(j, residual_ + t * n_);
            next_[t] = curvature_[j] * row[t] + pull_[t];
            length += next_[t] * next_[t];
            size += row[t] * row[t];
        }
        length = std::sqrt(length), size = std::sqrt(size);
        const double broken = violation(row, size);
        const double shrunk = length > l1_ ? (1.0 - l1_ / length) / (curvature_[j] + l2_) : 0.0;
        for (std::size_t t = 0; t < k_; ++t) {
            const double step = shrunk * next_[t] - row[t];
            if (step == 0.0) continue;
            row[t] += step;
            columns_.add(j, -step, residual_ + t * n_);
        }
        return broken;
    }

    double violation(const double *row, double size) const {
        double sum = 0.0;
        for (std::size_t t = 0; t < k_; ++t) {
            const double slope = size > 0.0 ? (l2_ + l1_ / size) * row[t] : 0.0;
            sum += (slope - pull_[t]) * (slope - pull_[t]);
        }
        return size > 0.0 ? std::sqrt(sum) : std::max(0.0, std::sqrt(sum) - l1_);
    }

    Columns columns_;
    const double *curvature_;
    double *w_, *residual_;
    std::size_t p_, k_, n_;
    double scale_, l1_, l2_;
    std::vector<double> pull_, next_;
};

}  // namespace margin
