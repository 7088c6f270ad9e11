// Absolute error: sums of distances from weighted medians that follow a row from side to side.
#pragma once

#include <algorithm>
#include <vector>

#include "trees/exact/targets.hpp"

namespace margin::trees::exact {

// Weights and weighted targets of a node over the ranks of its targets; prefix sums, single
// changes and the median in logarithmic time (a binary indexed tree).
class RankSums {
  public:
    void reset(Index n) {
        n_ = n;
        weight_.assign(n + 1, 0.0);
        sum_.assign(n + 1, 0.0);
        top_ = 1;
        while (top_ * 2 <= n) top_ *= 2;
    }
    void put(Index rank, double w, double y) {
        weight_[rank + 1] = w;
        sum_[rank + 1] = w * y;
    }
    void build() {
        for (Index i = 1; i <= n_; ++i) {
            const Index up = i + (i & -i);
            if (up > n_) continue;
            weight_[up] += weight_[i];
            sum_[up] += sum_[i];
        }
    }
    void add(Index rank, double w, double y) {
        for (Index i = rank + 1; i <= n_; i += i & -i) {
            weight_[i] += w;
            sum_[i] += w * y;
        }
    }

    // Rank of the first target at which `sign * this + other` reaches half of `total`; weight and
    // weighted sum of the targets before it.
    struct Middle {
        Index rank;
        double weight, sum;
    };
    Middle middle(double total, const RankSums *rest) const {
        Middle m{0, 0.0, 0.0};
        for (Index step = top_; step > 0; step /= 2) {
            const Index at = m.rank + step;
            if (at > n_) continue;
            const double w = rest ? rest->weight_[at] - weight_[at] : weight_[at];
            if (m.weight + w >= 0.5 * total) continue;
            m.rank = at;
            m.weight += w;
            m.sum += rest ? rest->sum_[at] - sum_[at] : sum_[at];
        }
        m.rank = std::min(m.rank, n_ - 1);
        return m;
    }

  private:
    Index n_ = 0, top_ = 1;
    std::vector<double> weight_, sum_;
};

// Weighted median of values in rising order: the middle of two where half the weight lies below.
inline double weighted_median(const std::vector<std::pair<double, double>> &sorted, double total) {
    double below = 0.0;
    for (std::size_t i = 0; i < sorted.size(); ++i) {
        below += sorted[i].second;
        if (below == 0.5 * total && i + 1 < sorted.size())
            return sorted[i].first / 2.0 + sorted[i + 1].first / 2.0;
        if (below >= 0.5 * total) return sorted[i].first;
    }
    return sorted.back().first;
}

class MedianCriterion {
  public:
    static constexpr bool additive = false, ordered_targets = true;
    static constexpr double slack =
        1e-12;  // sums along the ranks round differently from place to place

    explicit MedianCriterion(const Targets &targets)
        : targets_(targets), local_(targets.n_outputs * targets.n_rows), sorted_(targets.n_outputs),
          all_(targets.n_outputs), left_(targets.n_outputs) {}

    void enter(const NodeRows &node) {
        node_ = node;
        for (Index o = 0; o < targets_.n_outputs; ++o) {
            all_[o].reset(node.n);
            sorted_[o].resize(node.n);
            for (Index i = 0; i < node.n; ++i) {
                const std::uint32_t row = row_of(node.by_target[o][i]);
                const double y = targets_.numbers[o * targets_.n_rows + row];
                local_[o * targets_.n_rows + row] = static_cast<std::uint32_t>(i);
                sorted_[o][i] = y;
                all_[o].put(i, targets_.weight_of(row), y);
            }
            all_[o].build();
        }
    }

    void start() {
        for (auto &sums : left_) sums.reset(node_.n);
        sum_left_.assign(targets_.n_outputs, 0.0);
        weight_left_ = 0.0;
    }

    void move(std::uint32_t row) {
        const double w = targets_.weight_of(row);
        weight_left_ += w;
        for (Index o = 0; o < targets_.n_outputs; ++o) {
            const double y = targets_.numbers[o * targets_.n_rows + row];
            left_[o].add(local_[o * targets_.n_rows + row], w, y);
            sum_left_[o] += w * y;
        }
    }

    void set(const double *, double) {}

    struct Light {};  // medians need the rows themselves

    double weight_left() const { return weight_left_; }
    double weight_right() const { return node_.weight - weight_left_; }
    double proxy() const {
        double out = 0.0;
        for (Index o = 0; o < targets_.n_outputs; ++o)
            out -= distance(o, false) + distance(o, true);
        return out;
    }
    double value_left() const { return sorted_[0][left_[0].middle(weight_left_, nullptr).rank]; }
    double value_right() const {
        return sorted_[0][left_[0].middle(weight_right(), &all_[0]).rank];
    }

    static void add(const Targets &, std::uint32_t, double, double *) {}

    static Summary summarise(const Targets &t, const Entry *rows, Index n, double *total,
                             double *value) {
        Summary out;
        for (Index i = 0; i < n; ++i) out.weight += t.weight_of(row_of(rows[i]));
        std::vector<std::pair<double, double>> sorted(n);
        for (Index o = 0; o < t.n_outputs; ++o) {
            total[o] = 0.0;
            for (Index i = 0; i < n; ++i) {
                const std::uint32_t row = row_of(rows[i]);
                const double y = t.numbers[o * t.n_rows + row], w = t.weight_of(row);
                sorted[i] = {y, w};
                total[o] += w * y;
            }
            std::sort(sorted.begin(), sorted.end());
            value[o] = weighted_median(sorted, out.weight);
            double loss = 0.0;
            for (const auto &[y, w] : sorted) loss += w * std::abs(y - value[o]);
            out.impurity += loss / out.weight;
            out.pure &= sorted.front().first == sorted.back().first;
        }
        out.impurity /= double(t.n_outputs);
        return out;
    }

    static void bound(double lower, double upper, const Targets &, double *value) {
        value[0] = std::clamp(value[0], lower, upper);
    }
    static double level(const Targets &, const double *value) { return value[0]; }

  private:
    // Sum of weighted distances of one side from its median.
    double distance(Index o, bool right) const {
        const double weight = right ? weight_right() : weight_left_;
        const double sum = right ? node_.total[o] - sum_left_[o] : sum_left_[o];
        const auto m = left_[o].middle(weight, right ? &all_[o] : nullptr);
        const double median = sorted_[o][m.rank];
        return median * m.weight - m.sum + (sum - m.sum) - median * (weight - m.weight);
    }

    const Targets &targets_;
    std::vector<std::uint32_t> local_;
    std::vector<std::vector<double>> sorted_;
    std::vector<RankSums> all_, left_;
    std::vector<double> sum_left_;
    NodeRows node_{};
    double weight_left_ = 0.0;
};

}  // namespace margin::trees::exact
