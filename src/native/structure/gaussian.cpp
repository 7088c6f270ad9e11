// Scores of families of a Gaussian network from second moments: BIC and AIC.
#include <algorithm>
#include <cmath>

#include "structure/family.hpp"

namespace margin::structure {
namespace {

constexpr double two_pi = 6.283185307179586;

}  // namespace

GaussianScorer::GaussianScorer(const double *covariance, int n_nodes, double n_rows, Kind kind,
                               double penalty_rows)
    : Scorer(n_nodes),
      covariance_(covariance, covariance + static_cast<std::size_t>(n_nodes) * n_nodes),
      n_rows_(n_rows), kind_(kind), penalty_rows_(penalty_rows) {}

double GaussianScorer::value(double variance, std::size_t n_parents, double scale) const {
    // A residual at the size of rounding is none: the floor keeps copies of a column comparable.
    const double floor = std::max(variance, scale * 1e-12);
    const double parameters = static_cast<double>(n_parents) + 2.0;
    const double likelihood = -0.5 * n_rows_ * (std::log(two_pi * floor) + 1.0);
    return likelihood - parameters * (kind_ == Kind::bic ? 0.5 * std::log(penalty_rows_) : 1.0);
}

double GaussianScorer::compute(int child, const Parents &parents) const {
    const std::size_t p = static_cast<std::size_t>(n_nodes());
    if (parents.empty())
        return value(covariance_[child * p + child], 0, covariance_[child * p + child]);
    Parents fewer(parents.begin(), parents.end() - 1);
    std::vector<double> out(p);
    compute_adding(child, fewer, {parents.back()}, out.data(), 1);
    return out[parents.back()];
}

void GaussianScorer::compute_adding(int child, const Parents &parents,
                                    const std::vector<int> &extra, double *out, int) const {
    const std::size_t p = static_cast<std::size_t>(n_nodes()), k = parents.size();
    const auto cov = [&](int i, int j) { return covariance_[static_cast<std::size_t>(i) * p + j]; };
    std::vector<double> factor(k * k, 0.0), forward(k), other(k);
    const auto whiten = [&](int node, std::vector<double> &into) {
        double rest = cov(node, node);
        for (std::size_t a = 0; a < k; ++a) {
            double sum = cov(parents[a], node);
            for (std::size_t b = 0; b < a; ++b) sum -= factor[a * k + b] * into[b];
            into[a] = factor[a * k + a] > 0.0 ? sum / factor[a * k + a] : 0.0;
            rest -= into[a] * into[a];
        }
        return rest;
    };
    for (std::size_t a = 0; a < k; ++a) {
        double rest = cov(parents[a], parents[a]);
        for (std::size_t b = 0; b < a; ++b) {
            double sum = cov(parents[a], parents[b]);
            for (std::size_t c = 0; c < b; ++c) sum -= factor[a * k + c] * factor[b * k + c];
            factor[a * k + b] = factor[b * k + b] > 0.0 ? sum / factor[b * k + b] : 0.0;
            rest -= factor[a * k + b] * factor[a * k + b];
        }
        factor[a * k + a] = rest > 1e-12 * cov(parents[a], parents[a]) ? std::sqrt(rest) : 0.0;
    }
    const double scale = cov(child, child), left = whiten(child, forward);
    for (const int i : extra) {
        const double spread = whiten(i, other);
        double shared = cov(child, i);
        for (std::size_t a = 0; a < k; ++a) shared -= forward[a] * other[a];
        const double explained = spread > 1e-12 * cov(i, i) ? shared * shared / spread : 0.0;
        out[i] = value(left - explained, k + 1, scale);
    }
}

}  // namespace margin::structure
