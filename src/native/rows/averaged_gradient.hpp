// The table of SAG and SAGA, and their epochs over sparse rows.
#pragma once

#include <cmath>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "rows/steps.hpp"

namespace margin {

// gradient = sum over the table of weight * slope * x / visits, the intercept last.
struct Table {
    double *slopes, *gradient;
    double share;   // 1 / rows in the table
    bool unbiased;  // SAGA: the new slope enters the step in full, in SAG as one of the mean
};

// The same steps in work proportional to the stored entries of a row. With w = scale * v, a step
// that misses coordinate j is v <- soft(v - u g, u l1), u = rate / scale after shrinking: the drift
// g and the threshold l1 are constant while it is missed, so the missed steps of u are told by
// their running sum, and the one in which v changes sign is found by bisection. The columns of a
// row must be distinct.
template <typename T, typename I>
class SparseTableEpoch {
  public:
    SparseTableEpoch(const Plan &plan, const Table &table, CsrRows<T, I> rows, std::size_t p,
                     double rate, double *w)
        : plan_(plan), table_(table), rows_(rows), p_(p), rate_(rate), w_(w), cells_(p),
          sums_(1, 0.0) {
        sums_.reserve(plan.visits + 1);
        for (std::size_t j = 0; j < p; ++j) cells_[j] = Cell{w[j], table.gradient[j], 0.0, 0};
    }

    void run() {
        for (std::size_t k = 0; k < plan_.visits; ++k) step(plan_.order[k]);
        settle();
        for (std::size_t j = 0; j < p_; ++j) {
            w_[j] = cells_[j].v;
            table_.gradient[j] = cells_[j].g;
        }
    }

  private:
    // What a step touches of a coordinate, in one cache line: scaled weight, entry of the mean
    // gradient, and the sum and number of the steps at which it was last right.
    struct Cell {
        double v, g, sum;
        std::size_t last;
    };

    void step(std::int64_t row) {
        const I first = rows_.indptr[row], end = rows_.indptr[row + 1];
        double z = 0.0;
        for (I at = first; at < end; ++at) {
            Cell &cell = cells_[rows_.indices[at]];
            catch_up(cell);
            z += rows_.data[at] * cell.v;
        }
        const double fresh = plan_.slope(row, w_[p_] + scale_ * z);
        const double change = fresh - table_.slopes[row], shared = change * table_.share;
        table_.slopes[row] = fresh;
        scale_ *= 1.0 - rate_ * plan_.l2;
        if (scale_ < 1e-9) settle();
        const double unit = rate_ / scale_, along = table_.unbiased ? change : shared;
        sum_ += unit;
        sums_.push_back(sum_);
        const std::size_t now = sums_.size() - 1;
        for (I at = first; at < end; ++at) {
            Cell &cell = cells_[rows_.indices[at]];
            const double x = rows_.data[at];
            cell.v -= unit * (along * x + cell.g);
            if (plan_.l1 > 0.0) cell.v = soft_threshold(cell.v, unit * plan_.l1);
            cell.g += shared * x;
            cell.sum = sum_;
            cell.last = now;
        }
        if (plan_.intercept) {
            double &g = table_.gradient[p_];
            w_[p_] -= rate_ * (along + g);
            g += shared;
        }
    }

    void catch_up(Cell &cell) const {
        if (plan_.l1 == 0.0) {
            cell.v -= cell.g * (sum_ - cell.sum);
        } else if (cell.v != 0.0 || std::fabs(cell.g) > plan_.l1) {
            const double side = cell.v > 0.0 ? 1.0 : -1.0;
            const double left = side * cell.v - (side * cell.g + plan_.l1) * (sum_ - cell.sum);
            cell.v =
                left > 0.0 ? side * left : drifted(cell.v, cell.g, cell.last, sums_.size() - 1);
        }
        cell.sum = sum_;
        cell.last = sums_.size() - 1;
    }

    // Position after the missed steps (from, to].
    double drifted(double v, double g, std::size_t from, std::size_t to) const {
        const double l1 = plan_.l1;
        while (from < to) {
            if (v == 0.0 && std::fabs(g) <= l1) return 0.0;
            const double side = v != 0.0 ? (v > 0.0 ? 1.0 : -1.0) : (g < 0.0 ? 1.0 : -1.0);
            const double speed = side * g + l1;  // at which |v| falls
            const double size = std::fabs(v), left = size - speed * (sums_[to] - sums_[from]);
            if (left > 0.0) return side * left;
            // The last step that stays on this side, then the one that meets zero, as it is.
            std::size_t low = from, high = to;
            while (high - low > 1) {
                const std::size_t middle = low + (high - low) / 2;
                (size - speed * (sums_[middle] - sums_[from]) > 0.0 ? low : high) = middle;
            }
            const double unit = sums_[high] - sums_[low];
            const double before = side * (size - speed * (sums_[low] - sums_[from]));
            v = soft_threshold(before - unit * g, unit * l1);
            from = high;
        }
        return v;
    }

    // Back to plain weights; nothing is missed any more.
    void settle() {
        for (Cell &cell : cells_) {
            catch_up(cell);
            cell.v *= scale_;
            cell.sum = 0.0;
            cell.last = 0;
        }
        sums_.assign(1, 0.0);
        sum_ = 0.0;
        scale_ = 1.0;
    }

    Plan plan_;
    Table table_;
    CsrRows<T, I> rows_;
    std::size_t p_;
    double rate_, scale_ = 1.0, sum_ = 0.0;
    double *w_;
    std::vector<Cell> cells_;
    std::vector<double> sums_;
};

}  // namespace margin
