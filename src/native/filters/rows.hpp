// The numbers seen at one step, made independent so that they can be taken in one by one.
#pragma once

#include <cmath>
#include <cstddef>
#include <vector>

#include "filters/system.hpp"

namespace margin::filters {

// R = L D L^T with a unit lower triangle L: the rows L^{-1} y have independent noise D, and the
// density does not change. NaN is left out first, which marginalises it.
class SeenRows {
  public:
    std::size_t count = 0;
    std::vector<double> c, noise;  // rows of L^{-1} C, and D
    bool complete = false;

    explicit SeenRows(const System &s)
        : c(s.m * s.n), noise(s.m), system_(s), lower_(s.m * s.m), which_(s.m) {}

    // Looks at a row of data; afterwards `value` gives the independent numbers.
    void look(const double *y, std::size_t row) {
        const std::size_t m = system_.m;
        bool all = true;
        for (std::size_t i = 0; i < m; ++i) all &= !std::isnan(y[i]);
        const bool still = system_.C.constant() && system_.R.constant();
        if (all && complete && still) return;  // as at the last step
        count = 0;
        for (std::size_t i = 0; i < m; ++i)
            if (!std::isnan(y[i])) which_[count++] = i;
        complete = all;
        factor(system_.R.at(row));
        whiten(system_.C.at(row));
    }

    // L^{-1} (y - d), for the numbers that are there.
    void values(const double *y, const double *d, double *out) const {
        for (std::size_t i = 0; i < count; ++i) {
            double v = y[which_[i]] - d[which_[i]];
            if (!diagonal_)
                for (std::size_t j = 0; j < i; ++j) v -= lower_[i * system_.m + j] * out[j];
            out[i] = v;
        }
    }

    const std::vector<std::size_t> &which() const { return which_; }

  private:
    void factor(const double *R) {
        const std::size_t m = system_.m;
        diagonal_ = true;
        for (std::size_t i = 0; i < count; ++i)
            for (std::size_t j = 0; j < i; ++j) diagonal_ &= R[which_[i] * m + which_[j]] == 0.0;
        for (std::size_t i = 0; i < count; ++i) {
            const double *from = R + which_[i] * m;
            if (diagonal_) {
                noise[i] = from[which_[i]];
                continue;
            }
            double left = from[which_[i]];
            for (std::size_t j = 0; j < i; ++j) {
                double sum = from[which_[j]];
                for (std::size_t k = 0; k < j; ++k)
                    sum -= lower_[i * m + k] * noise[k] * lower_[j * m + k];
                // A semi-definite matrix has nothing beside a zero pivot.
                lower_[i * m + j] = noise[j] > 0.0 ? sum / noise[j] : 0.0;
                left -= lower_[i * m + j] * lower_[i * m + j] * noise[j];
            }
            const double floor = 1e-14 * from[which_[i]];
            noise[i] = left > floor ? left : 0.0;
        }
    }

    void whiten(const double *C) {
        const std::size_t n = system_.n, m = system_.m;
        for (std::size_t i = 0; i < count; ++i) {
            double *row = &c[i * n];
            for (std::size_t k = 0; k < n; ++k) row[k] = C[which_[i] * n + k];
            if (diagonal_) continue;
            for (std::size_t j = 0; j < i; ++j)
                for (std::size_t k = 0; k < n; ++k) row[k] -= lower_[i * m + j] * c[j * n + k];
        }
    }

    const System &system_;
    std::vector<double> lower_;
    std::vector<std::size_t> which_;
    bool diagonal_ = true;
};

}  // namespace margin::filters
