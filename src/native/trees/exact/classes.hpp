// Impurities of class shares: Gini, entropy and misclassification (tree.01).
#pragma once

#include <algorithm>
#include <vector>

#include "trees/exact/targets.hpp"

namespace margin::trees::exact {

// Sums of squared class weights follow a row from right to left in constant time.
struct Gini {
    double left = 0.0, right = 0.0;

    static double of(const double *share, Index n) {
        double sum = 0.0;
        for (Index k = 0; k < n; ++k) sum += share[k] * share[k];
        return std::max(0.0, 1.0 - sum);
    }
    static double term(double x) { return x * x; }
    void move(double l, double r, double w) {
        left += w * (2.0 * l + w);
        right -= w * (2.0 * r - w);
    }
    double proxy(double wl, double wr, double, const double *, const double *,
                 const std::vector<Index> &) const {
        return left / wl + right / wr;
    }
};

// The same with x log x in the place of squares.
struct Entropy {
    double left = 0.0, right = 0.0;

    static double of(const double *share, Index n) {
        double sum = 0.0;
        for (Index k = 0; k < n; ++k) sum -= x_log_x(share[k]);
        return std::max(0.0, sum) / std::log(2.0);
    }
    static double term(double x) { return x_log_x(x); }
    void move(double l, double r, double w) {
        left += x_log_x(l + w) - x_log_x(l);
        right += x_log_x(r - w) - x_log_x(r);
    }
    double proxy(double wl, double wr, double outputs, const double *, const double *,
                 const std::vector<Index> &) const {
        return left + right - outputs * (x_log_x(wl) + x_log_x(wr));
    }
};

// The largest class of either side, looked for where a split is possible.
struct Misclassification {
    double left = 0.0, right = 0.0;

    static double of(const double *share, Index n) {
        return std::max(0.0, 1.0 - *std::max_element(share, share + n));
    }
    static double term(double) { return 0.0; }
    void move(double, double, double) {}
    double proxy(double, double, double, const double *l, const double *r,
                 const std::vector<Index> &first) const {
        double sum = 0.0;
        for (std::size_t o = 0; o + 1 < first.size(); ++o)
            sum += *std::max_element(l + first[o], l + first[o + 1]) +
                   *std::max_element(r + first[o], r + first[o + 1]);
        return sum;
    }
};

template <typename Impurity>
class ClassCriterion {
  public:
    static constexpr bool additive = true, ordered_targets = false;
    static constexpr double slack = 0.0;

    explicit ClassCriterion(const Targets &targets)
        : targets_(targets), left_(targets.width()), right_(targets.width()) {}

    void enter(const NodeRows &node) { node_ = node; }

    // All rows on the right.
    void start() {
        std::fill(left_.begin(), left_.end(), 0.0);
        std::copy(node_.total, node_.total + right_.size(), right_.begin());
        weight_left_ = 0.0;
        state_ = Impurity{};
        for (const double c : right_) state_.right += Impurity::term(c);
    }

    void move(std::uint32_t row) {
        const double w = targets_.weight_of(row);
        for (Index o = 0; o < targets_.n_outputs; ++o) {
            const Index k = targets_.first_class[o] + targets_.classes[o * targets_.n_rows + row];
            state_.move(left_[k], right_[k], w);
            left_[k] += w;
            right_[k] -= w;
        }
        weight_left_ += w;
    }

    // Sums of a whole side at once, for splits that no order of rows leads to.
    void set(const double *left, double weight_left) {
        state_ = Impurity{};
        for (std::size_t k = 0; k < left_.size(); ++k) {
            left_[k] = left[k];
            right_[k] = std::max(0.0, node_.total[k] - left[k]);
            state_.left += Impurity::term(left_[k]);
            state_.right += Impurity::term(right_[k]);
        }
        weight_left_ = weight_left;
    }

    double weight_left() const { return weight_left_; }
    double weight_right() const { return node_.weight - weight_left_; }
    double proxy() const {
        return state_.proxy(weight_left_, weight_right(), double(targets_.n_outputs), left_.data(),
                            right_.data(), targets_.first_class);
    }
    // Share of the last class, which constraints of direction speak of.
    double value_left() const { return left_.back() / weight_left_; }
    double value_right() const { return right_.back() / weight_right(); }

    // What travels with a row of one output, and the cell of a histogram that it is added to.
    struct Light {
        double w;
        std::uint32_t k;
    };
    static Light light(const Targets &t, std::uint32_t row) {
        return {t.weight_of(row), static_cast<std::uint32_t>(t.classes[row])};
    }
    static Index cell_width(const Targets &t) { return t.width(); }
    static void add(const Light &l, double *cell) { cell[l.k] += l.w; }
    // Sums over the rows whose side is one. Two classes stay in registers, without branches.
    static void add_side(const Targets &t, const Light *rows, const std::uint8_t *side, Index n,
                         double *cell) {
        if (t.width() != 2) {
            for (Index i = 0; i < n; ++i) cell[rows[i].k] += rows[i].w * double(side[i]);
            return;
        }
        double all = 0.0, second = 0.0;
        for (Index i = 0; i < n; ++i) {
            const double w = rows[i].w * double(side[i]);
            all += w;
            second += w * double(rows[i].k);
        }
        cell[0] += all - second;
        cell[1] += second;
    }
    static double cell_weight(const double *cell, Index width) {
        double sum = 0.0;
        for (Index k = 0; k < width; ++k) sum += cell[k];
        return sum;
    }

    static void add(const Targets &t, std::uint32_t row, double w, double *total) {
        for (Index o = 0; o < t.n_outputs; ++o)
            total[t.first_class[o] + t.classes[o * t.n_rows + row]] += w;
    }

    static Summary summarise(const Targets &t, const Entry *rows, Index n, double *total,
                             double *value) {
        Summary out;
        for (Index i = 0; i < n; ++i) {
            const double w = t.weight_of(row_of(rows[i]));
            add(t, row_of(rows[i]), w, total);
            out.weight += w;
        }
        conclude(t, total, value, out);
        return out;
    }

    static Summary summarise(const Targets &t, const Light *rows, Index n, double *total,
                             double *value) {
        Summary out;
        for (Index i = 0; i < n; ++i) add(rows[i], total);
        out.weight = cell_weight(total, t.width());
        conclude(t, total, value, out);
        return out;
    }

    static void conclude(const Targets &t, const double *total, double *value, Summary &out) {
        for (Index k = 0; k < t.width(); ++k) value[k] = total[k] / out.weight;
        for (Index o = 0; o < t.n_outputs; ++o) {
            const Index first = t.first_class[o], classes = t.first_class[o + 1] - first;
            Index present = 0;
            for (Index k = 0; k < classes; ++k) present += total[first + k] > 0.0;
            out.pure &= present < 2;
            if (present > 1) out.impurity += Impurity::of(value + first, classes);
        }
        out.impurity /= double(t.n_outputs);
    }

    // What a split keeps of a value that had to be moved into its bounds.
    static void bound(double lower, double upper, const Targets &, double *value) {
        value[1] = std::clamp(value[1], lower, upper);
        value[0] = 1.0 - value[1];
    }
    static double level(const Targets &t, const double *value) { return value[t.width() - 1]; }

  private:
    const Targets &targets_;
    std::vector<double> left_, right_;
    NodeRows node_{};
    double weight_left_ = 0.0;
    Impurity state_;
};

}  // namespace margin::trees::exact
