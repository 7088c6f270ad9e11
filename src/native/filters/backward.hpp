// Smoother over one sequence, after the filter: what the later numbers say, as a vector and a
// matrix, so that no covariance is inverted.
#pragma once

#include <cstddef>
#include <vector>

#include "filters/forward.hpp"

namespace margin::filters {

// Where results go; what is absent is not computed.
struct Outputs {
    double *mean = nullptr;   // T x n
    double *cov = nullptr;    // T x n x n
    double *cross = nullptr;  // T x n x n: covariance of each state with the one before
    // Sums over the steps: covariances; of neighbours; the first and the last covariance.
    double *all = nullptr, *cross_sum = nullptr, *first = nullptr, *last = nullptr;
    // Slopes of the log-likelihood: by Q, and by the diagonal of R.
    double *slope_q = nullptr, *slope_r = nullptr;

    bool crossed() const { return cross || cross_sum; }
};

class Backward {
  public:
    explicit Backward(const System &system);
    void run(const Forward &forward, std::size_t first, std::size_t T, const Outputs &out);

  private:
    void take_back_row(const Gain &gain, const double *v, const Outputs &out);
    void take_back_diffuse(const Gain &gain, std::size_t i, double v);
    void move(const double *A);
    void covariance(const Gain &gain);
    void cross(const Gain &later, const Gain &earlier, const double *A);
    void store(const Gain &gain, const double *before, std::size_t t, std::size_t T,
               const Outputs &out);
    void settle(const Gain &gain, const double *A);
    std::size_t run_settled(const Forward &forward, std::size_t t, const Outputs &out);

    System s_;
    // About the state before the numbers: a vector and a matrix, with their parts of first and
    // second order while the start is without bound.
    std::vector<double> r_, r_one_, N_, N_one_, N_two_;
    std::vector<double> N_later_, V_, X_, room_, spare_, A_t_, D_t_, W_, Ak_;
    bool diffuse_ = false;
};

}  // namespace margin::filters
