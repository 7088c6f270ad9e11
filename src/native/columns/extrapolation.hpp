// Anderson extrapolation of the iterates of a linear fixed-point iteration.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <vector>

namespace margin {

// Keeps the last few iterates; every time the store is full it proposes their affine combination
// of least residual, sum_k c_k x_{k+1} with c minimising |sum_k c_k (x_{k+1} - x_k)|, sum c = 1.
class Extrapolation {
  public:
    explicit Extrapolation(std::size_t size) : size_(size), iterates_((depth + 1) * size) {}

    void restart() { held_ = 0; }

    void push(const double *x) {
        std::copy(x, x + size_, iterates_.data() + held_ * size_);
        ++held_;
    }

    bool full() const { return held_ == depth + 1; }

    // False when the iterates no longer move or their differences are dependent.
    bool propose(double *out) {
        held_ = 0;
        double gram[depth][depth], c[depth];
        for (std::size_t a = 0; a < depth; ++a)
            for (std::size_t b = 0; b <= a; ++b) {
                double sum = 0.0;
                for (std::size_t j = 0; j < size_; ++j) sum += step(a, j) * step(b, j);
                gram[a][b] = gram[b][a] = sum;
            }
        double trace = 0.0;
        for (std::size_t a = 0; a < depth; ++a) trace += gram[a][a];
        if (!(trace > 0.0)) return false;
        for (std::size_t a = 0; a < depth; ++a) gram[a][a] += 1e-14 * trace;
        if (!solve_ones(gram, c)) return false;
        double total = 0.0;
        for (double v : c) total += v;
        if (!std::isfinite(total) || total == 0.0) return false;
        std::fill(out, out + size_, 0.0);
        for (std::size_t a = 0; a < depth; ++a)
            for (std::size_t j = 0; j < size_; ++j)
                out[j] += c[a] / total * iterates_[(a + 1) * size_ + j];
        return true;
    }

    static constexpr std::size_t depth = 5;

  private:
    double step(std::size_t a, std::size_t j) const {
        return iterates_[(a + 1) * size_ + j] - iterates_[a * size_ + j];
    }

    // Cholesky, in place, of a matrix that is positive definite but for rounding.
    static bool solve_ones(double (&g)[depth][depth], double (&c)[depth]) {
        for (std::size_t j = 0; j < depth; ++j) {
            for (std::size_t k = 0; k < j; ++k) g[j][j] -= g[j][k] * g[j][k];
            if (!(g[j][j] > 0.0)) return false;
            g[j][j] = std::sqrt(g[j][j]);
            for (std::size_t i = j + 1; i < depth; ++i) {
                for (std::size_t k = 0; k < j; ++k) g[i][j] -= g[i][k] * g[j][k];
                g[i][j] /= g[j][j];
            }
        }
        for (std::size_t i = 0; i < depth; ++i) {
            c[i] = 1.0;
            for (std::size_t k = 0; k < i; ++k) c[i] -= g[i][k] * c[k];
            c[i] /= g[i][i];
        }
        for (std::size_t i = depth; i-- > 0;) {
            for (std::size_t k = i + 1; k < depth; ++k) c[i] -= g[k][i] * c[k];
            c[i] /= g[i][i];
        }
        return true;
    }

    std::size_t size_, held_ = 0;
    std::vector<double> iterates_;
};

}  // namespace margin
