// Kalman filter over one sequence: numbers are taken in one by one, covariances are kept once they
// have settled, and a start without bound is exact.
#pragma once

#include <cstddef>
#include <vector>

#include "filters/rows.hpp"
#include "filters/system.hpp"

namespace margin::filters {

// Everything that depends on covariances only. Steps share one where these have settled.
struct Gain {
    std::size_t count = 0;
    std::vector<double> P, F;     // before and after the numbers
    std::vector<double> c, k, f;  // per number: row, gain, variance
    std::vector<std::size_t> which;
    // While the start is without bound: that part of P; per number, its variance (0 where the
    // number says nothing of it) and the second gain.
    bool diffuse = false;
    std::vector<double> P_inf, f_inf, k_one;

    void shape(std::size_t n, std::size_t m);
};

// What a settled gain does to a whole row at once.
struct Settled {
    std::vector<double> A_t, C_t, E_t, K_t;  // transposed: transition, rows, surprises, gains
    std::vector<double> log_f;
    double log_det = 0.0;
};

class Forward {
  public:
    std::vector<Gain> gains;
    std::vector<std::size_t> gain_of;      // per step
    std::vector<double> before, surprise;  // mean before the numbers (T x n), surprises (T x m)
    std::size_t n_gains = 0;
    bool impossible = false;

    explicit Forward(const System &system, std::size_t n_diffuse);

    // Log-likelihood of rows [first, first + T) of Y. With `keep` all that a smoother needs stays;
    // `after` receives the means after the numbers.
    double run(const double *Y, std::size_t first, std::size_t T, bool keep,
               double *after = nullptr);

  private:
    Gain &next_gain(bool keep);
    double take(Gain &gain, const double *values, double *v);
    bool take_diffuse(Gain &gain, std::size_t i, double v, double noise, double &log_prob);
    void settle(const Gain &gain);
    std::size_t run_settled(const double *Y, std::size_t first, std::size_t t, std::size_t T,
                            bool keep, double *after, double &log_prob);

    System s_;
    SeenRows seen_;
    std::size_t n_diffuse_, left_ = 0;
    std::vector<double> a_, P_, P_inf_, earlier_, room_, m_, m_inf_, values_, moved_, zero_;
    Settled fixed_;
};

}  // namespace margin::filters
