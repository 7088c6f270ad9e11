// Impurities that need only sums of the targets: squared error and Poisson deviance (tree.02).
#pragma once

#include <algorithm>
#include <limits>
#include <vector>

#include "trees/exact/targets.hpp"

namespace margin::trees::exact {

// Of a side with sum s and weight w: how much of the loss its own mean takes away.
struct Squared {
    static double explained(double s, double w, double) { return s * s / w; }
    static double loss(double y, double mean) { return (y - mean) * (y - mean); }
};

// Means of zero have infinite deviance beside a larger one: such splits are refused, also where
// rounding leaves a little of the total on a side of zeros.
struct Poisson {
    static double explained(double s, double w, double total) {
        return s > 1e-12 * total ? s * std::log(s / w) : -std::numeric_limits<double>::infinity();
    }
    static double loss(double y, double mean) { return y > 0.0 ? y * std::log(y / mean) : 0.0; }
};

template <typename Loss>
class MomentCriterion {
  public:
    static constexpr bool additive = true, ordered_targets = false;
    static constexpr double slack = 0.0;

    explicit MomentCriterion(const Targets &targets)
        : targets_(targets), left_(targets.n_outputs) {}

    void enter(const NodeRows &node) { node_ = node; }

    void start() {
        std::fill(left_.begin(), left_.end(), 0.0);
        sum_ = weight_left_ = 0.0;
    }

    void move(std::uint32_t row) {
        const double w = targets_.weight_of(row);
        weight_left_ += w;
        sum_ += w * targets_.numbers[row];
        for (Index o = 1; o < targets_.n_outputs; ++o)
            left_[o] += w * targets_.numbers[o * targets_.n_rows + row];
    }

    void set(const double *left, double weight_left) {
        std::copy(left, left + left_.size(), left_.begin());
        sum_ = left[0];
        weight_left_ = weight_left;
    }

    double weight_left() const { return weight_left_; }
    double weight_right() const { return node_.weight - weight_left_; }
    double proxy() const {
        const double wl = weight_left_, wr = weight_right();
        const double *all = node_.total;
        double out = Loss::explained(sum_, wl, all[0]) + Loss::explained(all[0] - sum_, wr, all[0]);
        for (Index o = 1; o < targets_.n_outputs; ++o)
            out += Loss::explained(left_[o], wl, all[o]) +
                   Loss::explained(all[o] - left_[o], wr, all[o]);
        return out;
    }
    double value_left() const { return sum_ / weight_left_; }
    double value_right() const { return (node_.total[0] - sum_) / weight_right(); }

    // What travels with a row of one output, and the cell of a histogram that it is added to.
    struct Light {
        double w, y;
    };
    static Light light(const Targets &t, std::uint32_t row) {
        return {t.weight_of(row), t.numbers[row]};
    }
    static Index cell_width(const Targets &) { return 2; }
    static void add(const Light &l, double *cell) {
        cell[0] += l.w * l.y;
        cell[1] += l.w;
    }
    static void add_side(const Targets &, const Light *rows, const std::uint8_t *side, Index n,
                         double *cell) {
        double sum = 0.0, weight = 0.0;
        for (Index i = 0; i < n; ++i) {
            const double w = rows[i].w * double(side[i]);
            sum += w * rows[i].y;
            weight += w;
        }
        cell[0] += sum;
        cell[1] += weight;
    }
    static double cell_weight(const double *cell, Index) { return cell[1]; }

    static Summary summarise(const Targets &, const Light *rows, Index n, double *total,
                             double *value) {
        Summary out;
        double least = rows[0].y, most = least, sum = 0.0, weight = 0.0, loss = 0.0;
        for (Index i = 0; i < n; ++i) {
            least = std::min(least, rows[i].y);
            most = std::max(most, rows[i].y);
            sum += rows[i].w * rows[i].y;
            weight += rows[i].w;
        }
        total[0] = sum;
        out.weight = weight;
        const double mean = least == most ? least : std::clamp(sum / weight, least, most);
        value[0] = mean;
        out.pure = least == most;
        if (out.pure) return out;
        for (Index i = 0; i < n; ++i) loss += rows[i].w * Loss::loss(rows[i].y, mean);
        out.impurity = std::max(0.0, loss / weight);
        return out;
    }

    static void add(const Targets &t, std::uint32_t row, double w, double *total) {
        for (Index o = 0; o < t.n_outputs; ++o) total[o] += w * t.numbers[o * t.n_rows + row];
    }

    static Summary summarise(const Targets &t, const Entry *rows, Index n, double *total,
                             double *value) {
        Summary out;
        for (Index i = 0; i < n; ++i) out.weight += t.weight_of(row_of(rows[i]));
        for (Index o = 0; o < t.n_outputs; ++o) {
            const double *y = t.numbers + o * t.n_rows;
            double least = y[row_of(rows[0])], most = least, sum = 0.0, loss = 0.0;
            for (Index i = 0; i < n; ++i) {
                const double v = y[row_of(rows[i])];
                least = std::min(least, v);
                most = std::max(most, v);
                sum += t.weight_of(row_of(rows[i])) * v;
            }
            total[o] = sum;
            value[o] = least == most ? least : std::clamp(sum / out.weight, least, most);
            if (least == most) continue;
            out.pure = false;
            for (Index i = 0; i < n; ++i)
                loss += t.weight_of(row_of(rows[i])) * Loss::loss(y[row_of(rows[i])], value[o]);
            out.impurity += loss / out.weight;
        }
        out.impurity = std::max(0.0, out.impurity / double(t.n_outputs));
        return out;
    }

    static void bound(double lower, double upper, const Targets &, double *value) {
        value[0] = std::clamp(value[0], lower, upper);
    }
    static double level(const Targets &, const double *value) { return value[0]; }

  private:
    const Targets &targets_;
    std::vector<double> left_;
    NodeRows node_{};
    double sum_ = 0.0, weight_left_ = 0.0;  // the first output, kept in a register
};

}  // namespace margin::trees::exact
