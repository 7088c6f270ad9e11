// A Cholesky factor that grows by rows and loses some.
#pragma once

#include <cmath>
#include <cstddef>
#include <vector>

namespace margin {

class CholeskyRows {
  public:
    std::size_t size() const { return rows_.size(); }

    // Adds a row for a column with these products with the others and with itself; not for one that
    // lies in their span.
    bool append(std::vector<double> cross, double own, double least) {
        forward(cross);
        double rest = own;
        for (double v : cross) rest -= v * v;
        if (!(rest > least * own)) return false;
        cross.push_back(std::sqrt(rest));
        rows_.push_back(std::move(cross));
        return true;
    }

    // Takes out the k-th row and column, and restores the triangle by rotations.
    void drop(std::size_t k) {
        rows_.erase(rows_.begin() + std::ptrdiff_t(k));
        for (std::size_t i = k; i < rows_.size(); ++i) {
            const double a = rows_[i][i], b = rows_[i][i + 1], h = std::hypot(a, b);
            const double c = a / h, s = b / h;
            for (std::size_t r = i; r < rows_.size(); ++r) {
                const double x = rows_[r][i], y = rows_[r][i + 1];
                rows_[r][i] = c * x + s * y;
                rows_[r][i + 1] = c * y - s * x;
            }
            rows_[i].pop_back();
        }
    }

    // Solves L L' x = b in place.
    void solve(std::vector<double> &b) const {
        forward(b);
        for (std::size_t i = b.size(); i-- > 0;) {
            b[i] /= rows_[i][i];
            for (std::size_t j = 0; j < i; ++j) b[j] -= rows_[i][j] * b[i];
        }
    }

  private:
    void forward(std::vector<double> &b) const {
        for (std::size_t i = 0; i < b.size(); ++i) {
            for (std::size_t j = 0; j < i; ++j) b[i] -= rows_[i][j] * b[j];
            b[i] /= rows_[i][i];
        }
    }

    std::vector<std::vector<double>> rows_;
};

}  // namespace margin
