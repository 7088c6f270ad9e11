// Scores of families of blocks of columns: BIC and AIC.
#include "structure/blocks.hpp"

#include <algorithm>
#include <cmath>

namespace margin::structure {
namespace {

constexpr double two_pi = 6.283185307179586;

std::vector<int> starts_of(const std::vector<int> &sizes) {
    std::vector<int> starts{0};
    for (const int size : sizes) starts.push_back(starts.back() + size);
    return starts;
}

}  // namespace

BlockScorer::BlockScorer(const double *covariance, const std::vector<int> &sizes, double n_rows,
                         Kind kind, double penalty_rows)
    : Scorer(static_cast<int>(sizes.size())), starts_(starts_of(sizes)),
      width_(static_cast<std::size_t>(starts_.back())),
      covariance_(covariance, covariance + width_ * width_), n_rows_(n_rows), kind_(kind),
      penalty_rows_(penalty_rows) {}

double BlockScorer::compute(int child, const Parents &parents) const {
    std::vector<std::size_t> columns;
    for (const int node : parents)
        for (int c = starts_[node]; c < starts_[node + 1]; ++c)
            columns.push_back(static_cast<std::size_t>(c));
    const std::size_t given = columns.size();
    for (int c = starts_[child]; c < starts_[child + 1]; ++c)
        columns.push_back(static_cast<std::size_t>(c));
    const std::size_t all = columns.size(), own = all - given;
    const auto cov = [&](std::size_t a, std::size_t b) {
        return covariance_[columns[a] * width_ + columns[b]];
    };
    // The pivots of a Cholesky factor: what the columns before it leave of each.
    std::vector<double> factor(all * all, 0.0);
    double logarithms = 0.0;
    for (std::size_t a = 0; a < all; ++a) {
        double rest = cov(a, a);
        for (std::size_t b = 0; b < a; ++b) {
            double sum = cov(a, b);
            for (std::size_t c = 0; c < b; ++c) sum -= factor[a * all + c] * factor[b * all + c];
            factor[a * all + b] = factor[b * all + b] > 0.0 ? sum / factor[b * all + b] : 0.0;
            rest -= factor[a * all + b] * factor[a * all + b];
        }
        const double floor = cov(a, a) * 1e-12;
        factor[a * all + a] = rest > floor ? std::sqrt(rest) : 0.0;
        if (a >= given) logarithms += std::log(two_pi * std::max({rest, floor, 1e-300})) + 1.0;
    }
    const double k = static_cast<double>(own);
    const double parameters = k * static_cast<double>(given) + 0.5 * k * (k + 1.0) + k;
    const double price = kind_ == Kind::bic ? 0.5 * std::log(penalty_rows_) : 1.0;
    return -0.5 * n_rows_ * logarithms - parameters * price;
}

void BlockScorer::compute_adding(int child, const Parents &parents, const std::vector<int> &extra,
                                 double *out, int) const {
    for (const int i : extra) {
        Parents more = parents;
        more.insert(std::lower_bound(more.begin(), more.end(), i), i);
        out[i] = compute(child, more);
    }
}

}  // namespace margin::structure
