// Scores of families of a Bayesian network from counts: BIC, AIC, BDeu and K2.
#include <cmath>
#include <limits>
#include <stdexcept>

#include "common/native.hpp"
#include "common/team.hpp"
#include "structure/family.hpp"

namespace margin::structure {
namespace {

// next = key * size + code, row by row.
MARGIN_CLONES void extend(const std::uint32_t *key, const Code *code, std::uint32_t size,
                          std::uint32_t *next, std::size_t n) {
    for (std::size_t r = 0; r < n; ++r) next[r] = key[r] * size + code[r];
}

void tally_rows(const std::uint32_t *key, const Code *code, std::uint32_t size, std::size_t n,
                std::size_t cells, std::vector<std::uint32_t> &tally) {
    // Two tables in turn: repeated cells would wait for their own last store.
    tally.assign(2 * cells, 0);
    std::uint32_t *even = tally.data(), *odd = even + cells;
    std::size_t r = 0;
    for (; r + 1 < n; r += 2) {
        ++even[key[r] * size + code[r]];
        ++odd[key[r + 1] * size + code[r + 1]];
    }
    if (r < n) ++even[key[r] * size + code[r]];
    for (std::size_t c = 0; c < cells; ++c) even[c] += odd[c];
}

}  // namespace

CategoricalScorer::CategoricalScorer(const Code *codes, std::size_t n_rows, int n_nodes,
                                     const std::int64_t *cards, const double *weight, Kind kind,
                                     double sample_size, double penalty_rows)
    : Scorer(n_nodes), codes_(codes, codes + n_rows * static_cast<std::size_t>(n_nodes)),
      n_(n_rows), card_(cards, cards + n_nodes), size_(cards, cards + n_nodes),
      total_(static_cast<double>(n_rows)), kind_(kind), sample_size_(sample_size),
      penalty_rows_(penalty_rows) {
    for (int j = 0; j < n_nodes; ++j)
        for (std::size_t r = 0; r < n_; ++r) {
            if (column(j)[r] > card_[j])
                throw std::invalid_argument("structure: code above its column's states");
            if (column(j)[r] == card_[j]) size_[j] = card_[j] + 1;
        }
    if (weight) {
        weight_.assign(weight, weight + n_rows);
        total_ = 0.0;
        for (const double w : weight_) total_ += w;
    }
    // Whole counts are the rule: their x log x is looked up.
    const std::size_t table = weight ? 0 : std::min<std::size_t>(n_ + 1, std::size_t{1} << 22);
    x_log_x_.resize(table);
    for (std::size_t c = 1; c < table; ++c)
        x_log_x_[c] = static_cast<double>(c) * std::log(static_cast<double>(c));
}

double CategoricalScorer::cell(double count, double prior) const {
    if (count <= 0.0) return 0.0;
    if (kind_ == Kind::bdeu || kind_ == Kind::k2)
        return std::lgamma(count + prior) - std::lgamma(prior);
    const std::size_t whole = static_cast<std::size_t>(count);
    return whole < x_log_x_.size() ? x_log_x_[whole] : count * std::log(count);
}

double CategoricalScorer::group(double count, double prior) const {
    if (count <= 0.0) return 0.0;
    if (kind_ == Kind::bdeu || kind_ == Kind::k2)
        return std::lgamma(prior) - std::lgamma(count + prior);
    const std::size_t whole = static_cast<std::size_t>(count);
    return whole < x_log_x_.size() ? -x_log_x_[whole] : -count * std::log(count);
}

double CategoricalScorer::finish(double likelihood, double seen, double configurations,
                                 int child) const {
    if (seen <= 0.0) return 0.0;
    // Families are counted on the rows where they are known; the mean per row makes them
    // comparable.
    const double value = likelihood * (total_ / seen);
    const double parameters = configurations * static_cast<double>(card_[child] - 1);
    if (kind_ == Kind::bic) return value - 0.5 * std::log(penalty_rows_) * parameters;
    if (kind_ == Kind::aic) return value - parameters;
    return value;
}

bool CategoricalScorer::fits(double cells) const {
    // A table costs its cells, sorting its rows: few rows never pay for a large one.
    const double rows = static_cast<double>(n_);
    return cells <= std::min(std::max(65536.0, 4.0 * rows), std::max(1024.0, 32.0 * rows));
}

double CategoricalScorer::dense(int child, const Parents &parents,
                                const std::vector<std::uint32_t> &base, std::size_t base_size,
                                int extra, std::vector<double> &counts,
                                std::vector<std::uint32_t> &tally) const {
    // The table runs over (parents, child, extra), the last fastest; without an extra its size is
    // one.
    const std::size_t last = extra < 0 ? 1 : static_cast<std::size_t>(size_[extra]);
    const std::size_t last_known = extra < 0 ? 1 : static_cast<std::size_t>(card_[extra]);
    const std::size_t cells = base_size * last;
    if (weight_.empty() && extra >= 0) {
        tally_rows(base.data(), column(extra), static_cast<std::uint32_t>(last), n_, cells, tally);
        counts.assign(tally.begin(), tally.begin() + static_cast<Index>(cells));
    } else {
        counts.assign(cells, 0.0);
        const Code *code = extra < 0 ? nullptr : column(extra);
        for (std::size_t r = 0; r < n_; ++r)
            counts[base[r] * last + (code ? code[r] : 0)] += weight_.empty() ? 1.0 : weight_[r];
    }
    double configurations = static_cast<double>(last_known);
    for (const int parent : parents) configurations *= static_cast<double>(card_[parent]);
    const std::size_t states = static_cast<std::size_t>(size_[child]);
    const std::size_t known = static_cast<std::size_t>(card_[child]);
    const double prior =
        kind_ == Kind::k2 ? 1.0 : sample_size_ / (configurations * static_cast<double>(known));
    const double group_prior = prior * static_cast<double>(known);
    const std::size_t groups = base_size / states;
    // Which parent configurations contain an unknown value.
    std::vector<std::size_t> digit(parents.size(), 0);
    std::vector<double> sums(last);
    double likelihood = 0.0, seen = 0.0;
    for (std::size_t g = 0; g < groups; ++g) {
        bool unknown = false;
        for (std::size_t d = 0; d < parents.size(); ++d)
            unknown = unknown || digit[d] >= static_cast<std::size_t>(card_[parents[d]]);
        for (std::size_t d = parents.size(); d-- > 0;) {
            if (++digit[d] < static_cast<std::size_t>(size_[parents[d]])) break;
            digit[d] = 0;
        }
        if (unknown) continue;
        std::fill(sums.begin(), sums.end(), 0.0);
        const double *at = counts.data() + g * states * last;
        for (std::size_t k = 0; k < known; ++k)
            for (std::size_t e = 0; e < last_known; ++e) {
                sums[e] += at[k * last + e];
                likelihood += cell(at[k * last + e], prior);
            }
        for (std::size_t e = 0; e < last_known; ++e) {
            seen += sums[e];
            likelihood += group(sums[e], group_prior);
        }
    }
    return finish(likelihood, seen, configurations, child);
}

double CategoricalScorer::sparse(int child, const Parents &parents, int extra) const {
    Parents all = parents;
    if (extra >= 0) all.push_back(extra);
    double configurations = 1.0, cells = static_cast<double>(size_[child]);
    for (const int parent : all) {
        configurations *= static_cast<double>(card_[parent]);
        cells *= static_cast<double>(size_[parent]);
    }
    if (cells >= 1.8e19) return -std::numeric_limits<double>::infinity();
    // Sorted keys, the child fastest: equal keys are a cell, equal quotients a parent
    // configuration.
    std::vector<std::pair<std::uint64_t, double>> rows;
    rows.reserve(n_);
    for (std::size_t r = 0; r < n_; ++r) {
        std::uint64_t key = 0;
        bool unknown = column(child)[r] >= card_[child];
        for (const int parent : all) {
            unknown = unknown || column(parent)[r] >= card_[parent];
            key = key * static_cast<std::uint64_t>(size_[parent]) + column(parent)[r];
        }
        if (unknown) continue;
        key = key * static_cast<std::uint64_t>(size_[child]) + column(child)[r];
        rows.emplace_back(key, weight_.empty() ? 1.0 : weight_[r]);
    }
    std::sort(rows.begin(), rows.end());
    const double prior = kind_ == Kind::k2
                             ? 1.0
                             : sample_size_ / (configurations * static_cast<double>(card_[child]));
    const double group_prior = prior * static_cast<double>(card_[child]);
    const std::uint64_t states = static_cast<std::uint64_t>(size_[child]);
    double likelihood = 0.0, seen = 0.0;
    for (std::size_t start = 0; start < rows.size();) {
        double sum = 0.0;
        std::size_t r = start;
        while (r < rows.size() && rows[r].first / states == rows[start].first / states) {
            double count = 0.0;
            const std::uint64_t key = rows[r].first;
            for (; r < rows.size() && rows[r].first == key; ++r) count += rows[r].second;
            likelihood += cell(count, prior);
            sum += count;
        }
        likelihood += group(sum, group_prior);
        seen += sum;
        start = r;
    }
    return finish(likelihood, seen, configurations, child);
}

double CategoricalScorer::compute(int child, const Parents &parents) const {
    std::vector<double> result(static_cast<std::size_t>(n_nodes()));
    if (parents.empty()) {
        double cells = static_cast<double>(size_[child]);
        if (!fits(cells)) return sparse(child, parents, -1);
        std::vector<std::uint32_t> base(column(child), column(child) + n_), tally;
        std::vector<double> counts;
        return dense(child, parents, base, static_cast<std::size_t>(size_[child]), -1, counts,
                     tally);
    }
    Parents fewer(parents.begin(), parents.end() - 1);
    compute_adding(child, fewer, {parents.back()}, result.data(), 1);
    return result[parents.back()];
}

void CategoricalScorer::compute_adding(int child, const Parents &parents,
                                       const std::vector<int> &extra, double *out,
                                       int n_threads) const {
    double cells = static_cast<double>(size_[child]);
    for (const int parent : parents) cells *= static_cast<double>(size_[parent]);
    std::vector<std::uint32_t> base;
    if (fits(cells)) {
        base.assign(n_, 0);
        for (const int parent : parents)
            extend(base.data(), column(parent), static_cast<std::uint32_t>(size_[parent]),
                   base.data(), n_);
        extend(base.data(), column(child), static_cast<std::uint32_t>(size_[child]), base.data(),
               n_);
    }
    const Index many = static_cast<Index>(extra.size());
    team::run(n_threads, static_cast<double>(many) * effort(), many, [&] {
        return [&, counts = std::vector<double>(),
                tally = std::vector<std::uint32_t>()](Index t) mutable {
            const int i = extra[t];
            out[i] =
                fits(cells * static_cast<double>(size_[i]))
                    ? dense(child, parents, base, static_cast<std::size_t>(cells), i, counts, tally)
                    : sparse(child, parents, i);
        };
    });
}

}  // namespace margin::structure
