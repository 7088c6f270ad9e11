// Tests of conditional independence on contingency tables, for the skeleton search and on their
// own.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <numeric>
#include <stdexcept>
#include <vector>

#include "common/native.hpp"
#include "structure/skeleton.hpp"

namespace margin::categorical {

using Code = std::uint16_t;

// Q(a, x), the upper regularised incomplete gamma function: series below a + 1, continued fraction
// above.
inline double upper_gamma(double a, double x) {
    if (!(x > 0.0)) return 1.0;
    const double front = std::exp(a * std::log(x) - x - std::lgamma(a));
    if (x < a + 1.0) {
        double term = 1.0 / a, sum = term;
        for (double k = a + 1.0; term > sum * 1e-17; k += 1.0) sum += term *= x / k;
        return std::max(0.0, 1.0 - front * sum);
    }
    double b = x + 1.0 - a, c = 1e300, d = 1.0 / b, h = d;
    for (int k = 1; k < 100000; ++k) {
        const double factor = -k * (k - a);
        b += 2.0;
        d = 1.0 / (factor * d + b);
        c = b + factor / c;
        h *= d * c;
        if (std::abs(d * c - 1.0) < 1e-16) break;
    }
    return front * h;
}

inline double chi_squared_tail(double x, double dof) {
    return dof > 0.0 ? upper_gamma(0.5 * dof, 0.5 * x) : 1.0;
}

enum class Statistic : int { g = 0, chi_squared = 1 };
enum class Pool : int { sum = 0, largest = 1, bonferroni = 2 };

struct Outcome {
    double statistic = 0.0, dof = 0.0, p_value = 1.0;
    bool reliable = true;
};

struct Rule {
    Statistic statistic;
    Pool pool;
    double min_count;
};

// Columns as rows of a matrix; the last state of a column, its own number of states, means unknown.
struct Columns {
    const Code *codes;
    std::size_t n, p;
    std::vector<std::int64_t> card, size;
    const double *weight;

    Columns(const Matrix<const Code> &table, const Vector<const std::int64_t> &cards,
            const double *w)
        : codes(table.data()), n(table.shape(1)), p(table.shape(0)),
          card(cards.data(), cards.data() + cards.size()), size(card), weight(w) {
        if (cards.size() != p)
            throw std::invalid_argument("contingency: one number of states per column");
        for (std::size_t j = 0; j < p; ++j)
            for (std::size_t r = 0; r < n; ++r) {
                if (codes[j * n + r] > card[j])
                    throw std::invalid_argument("contingency: code above its column's states");
                if (codes[j * n + r] == card[j]) size[j] = card[j] + 1;
            }
    }

    const Code *column(std::size_t j) const { return codes + j * n; }
};

MARGIN_CLONES static void extend(const std::uint32_t *key, const Code *code, std::uint32_t size,
                                 std::uint32_t *next, std::size_t n) {
    for (std::size_t r = 0; r < n; ++r) next[r] = key[r] * size + code[r];
}

inline void one_stratum(const double *table, std::size_t rows, std::size_t cols, std::size_t stride,
                        const Rule &rule, std::vector<double> &row, std::vector<double> &col,
                        Outcome &out) {
    row.assign(rows, 0.0);
    col.assign(cols, 0.0);
    double total = 0.0;
    for (std::size_t a = 0; a < rows; ++a)
        for (std::size_t b = 0; b < cols; ++b) {
            row[a] += table[a * stride + b];
            col[b] += table[a * stride + b];
        }
    std::size_t seen_rows = 0, seen_cols = 0;
    for (const double v : row) total += v, seen_rows += v > 0.0;
    for (const double v : col) seen_cols += v > 0.0;
    out = Outcome{};
    if (total <= 0.0) return;
    out.dof = static_cast<double>((seen_rows - 1) * (seen_cols - 1));
    for (std::size_t a = 0; a < rows; ++a)
        for (std::size_t b = 0; b < cols; ++b) {
            const double expected = row[a] * col[b] / total, seen = table[a * stride + b];
            if (expected <= 0.0) continue;
            if (rule.statistic == Statistic::g) {
                if (seen > 0.0) out.statistic += 2.0 * seen * std::log(seen / expected);
            } else {
                out.statistic += (seen - expected) * (seen - expected) / expected;
            }
        }
    out.statistic = std::max(out.statistic, 0.0);
}

// The test given columns `given`: the key of a row is (given, i); the table then runs over (given,
// i, j).
class Worker {
  public:
    Worker(const Columns &data, const Rule &rule, double alpha)
        : data_(data), rule_(rule), alpha_(alpha), total_(static_cast<double>(data.n)) {
        if (data.weight) total_ = std::accumulate(data.weight, data.weight + data.n, 0.0);
    }

    void begin(int i, const std::vector<int> &near) {
        node_ = static_cast<std::size_t>(i);
        near_ = near;
    }

    void condition(const std::vector<std::size_t> &set, std::size_t first) {
        given_.resize(set.size());
        keys_.resize(set.size());
        strata_.resize(set.size() + 1);
        strata_[0] = 1.0;
        for (std::size_t a = first; a < set.size(); ++a) {
            given_[a] = static_cast<std::size_t>(near_[set[a]]);
            const std::int64_t size = data_.size[given_[a]];
            strata_[a + 1] = strata_[a] * static_cast<double>(size);
            keys_[a].resize(data_.n);
            if (strata_[a + 1] > most_cells) continue;
            if (a == 0)
                std::copy(data_.column(given_[0]), data_.column(given_[0]) + data_.n,
                          keys_[0].begin());
            else
                extend(keys_[a - 1].data(), data_.column(given_[a]),
                       static_cast<std::uint32_t>(size), keys_[a].data(), data_.n);
        }
        if (strata_.back() * static_cast<double>(data_.size[node_]) > most_cells) return;
        own_.resize(data_.n);
        const Code *code = data_.column(node_);
        if (set.empty())
            std::copy(code, code + data_.n, own_.begin());
        else
            extend(keys_.back().data(), code, static_cast<std::uint32_t>(data_.size[node_]),
                   own_.data(), data_.n);
    }

    Outcome test(std::size_t j) {
        const std::size_t rows = static_cast<std::size_t>(data_.size[node_]),
                          cols = static_cast<std::size_t>(data_.size[j]);
        const double cells = strata_.back() * static_cast<double>(rows * cols);
        Outcome pooled;
        if (cells > most_cells || hopeless(j)) {
            pooled.reliable = false;
            return pooled;
        }
        counts_.assign(static_cast<std::size_t>(cells), 0.0);
        const Code *code = data_.column(j);
        if (data_.weight) {
            for (std::size_t r = 0; r < data_.n; ++r)
                counts_[own_[r] * cols + code[r]] += data_.weight[r];
        } else {
            tally_.assign(static_cast<std::size_t>(cells), 0);
            for (std::size_t r = 0; r < data_.n; ++r) ++tally_[own_[r] * cols + code[r]];
            std::copy(tally_.begin(), tally_.end(), counts_.begin());
        }
        return pool(rows, cols, j);
    }

    double p_value(double closeness) const { return closeness; }

    skeleton::Verdict judge(std::size_t a, double &closeness) {
        const Outcome outcome = test(static_cast<std::size_t>(near_[a]));
        closeness = outcome.p_value;
        if (!outcome.reliable) return skeleton::Verdict::skipped;
        return outcome.p_value > alpha_ ? skeleton::Verdict::independent
                                        : skeleton::Verdict::dependent;
    }

  private:
    static constexpr double most_cells = 16777216.0;

    // Whether all rows together are too few for the cells of a test: then none need be counted.
    bool hopeless(std::size_t j) const {
        double cells = static_cast<double>(data_.card[node_]) * static_cast<double>(data_.card[j]);
        for (const std::size_t g : given_) cells *= static_cast<double>(data_.card[g]);
        return total_ < rule_.min_count * cells;
    }

    Outcome pool(std::size_t rows, std::size_t cols, std::size_t j) {
        const std::size_t strata = static_cast<std::size_t>(strata_.back());
        const std::size_t known_rows = static_cast<std::size_t>(data_.card[node_]),
                          known_cols = static_cast<std::size_t>(data_.card[j]);
        std::vector<std::size_t> digit(given_.size(), 0);
        Outcome pooled, one;
        double largest = 0.0, smallest = 1.0, tested = 0.0, seen = 0.0, known_strata = 1.0;
        for (const std::size_t g : given_) known_strata *= static_cast<double>(data_.card[g]);
        for (std::size_t s = 0; s < strata; ++s) {
            bool unknown = false;
            for (std::size_t d = 0; d < given_.size(); ++d)
                unknown = unknown || digit[d] >= static_cast<std::size_t>(data_.card[given_[d]]);
            for (std::size_t d = given_.size(); d-- > 0;) {
                if (++digit[d] < static_cast<std::size_t>(data_.size[given_[d]])) break;
                digit[d] = 0;
            }
            if (unknown) continue;
            one_stratum(counts_.data() + s * rows * cols, known_rows, known_cols, cols, rule_, row_,
                        col_, one);
            for (const double v : row_) seen += v;
            if (one.dof <= 0.0) continue;
            pooled.statistic += one.statistic;
            pooled.dof += one.dof;
            tested += 1.0;
            if (rule_.pool == Pool::sum) continue;
            const double p_value = chi_squared_tail(one.statistic, one.dof);
            largest = std::max(largest, p_value);
            smallest = std::min(smallest, p_value);
        }
        const double cells = known_strata * static_cast<double>(known_rows * known_cols);
        pooled.reliable = seen >= rule_.min_count * cells;
        if (tested == 0.0) return pooled;
        if (rule_.pool == Pool::sum)
            pooled.p_value = chi_squared_tail(pooled.statistic, pooled.dof);
        if (rule_.pool == Pool::largest) pooled.p_value = largest;
        if (rule_.pool == Pool::bonferroni) pooled.p_value = std::min(1.0, smallest * tested);
        return pooled;
    }

    const Columns &data_;
    Rule rule_;
    double alpha_, total_;
    std::size_t node_ = 0;
    std::vector<int> near_;
    std::vector<std::size_t> given_;
    std::vector<double> strata_{1.0};
    std::vector<std::vector<std::uint32_t>> keys_;
    std::vector<std::uint32_t> own_, tally_;
    std::vector<double> counts_, row_, col_;
};

}  // namespace margin::categorical
