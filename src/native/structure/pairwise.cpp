// The column of several that is most likely a cause of all others, by pairwise likelihood ratios.
#include <nanobind/stl/pair.h>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <limits>
#include <stdexcept>
#include <utility>
#include <vector>

#include "common/bind.hpp"
#include "common/elementary.hpp"
#include "common/native.hpp"
#include "common/team.hpp"

namespace margin {

namespace {

constexpr std::size_t lanes = 8;
constexpr std::size_t batch = 8;
// A product of this many factors below two does not overflow.
constexpr std::size_t longest_product = 1000;

// Means of log cosh u and of u exp(-u^2 / 2) for u = scale (a - r b), in a fixed order of sums.
MARGIN_CLONES void moments(const double *a, const double *b, std::size_t n, double r, double scale,
                           double *out) {
    double size[lanes] = {}, bump[lanes] = {}, logs = 0.0;
    std::size_t row = 0;
    while (row + lanes <= n) {
        // log cosh u = |u| + log(1 + exp(-2 |u|)) - log 2: one logarithm for many rows.
        double product[lanes];
        for (std::size_t l = 0; l < lanes; ++l) product[l] = 1.0;
        const std::size_t stop = std::min(n - n % lanes, row + longest_product * lanes);
        for (; row < stop; row += lanes)
            for (std::size_t l = 0; l < lanes; ++l) {
                const double u = scale * (a[row + l] - r * b[row + l]);
                const double width = u < 0.0 ? -u : u;
                size[l] += width;
                product[l] *= 1.0 + exp_negative(2.0 * width);
                bump[l] += u * exp_negative(0.5 * u * u);
            }
        for (std::size_t l = 0; l < lanes; ++l) logs += std::log(product[l]);
    }
    double sizes = 0.0, bumps = 0.0;
    for (std::size_t l = 0; l < lanes; ++l) sizes += size[l], bumps += bump[l];
    for (; row < n; ++row) {
        const double u = scale * (a[row] - r * b[row]), width = std::abs(u);
        sizes += width;
        logs += std::log1p(std::exp(-2.0 * width));
        bumps += u * std::exp(-0.5 * u * u);
    }
    const double rows = static_cast<double>(n);
    out[0] = (sizes + logs) / rows - 0.6931471805599453;
    out[1] = bumps / rows;
}

// Entropy of a standardised variable less that of a normal one, by Hyvarinen's two moments.
double entropy(const double *a, const double *b, std::size_t n, double r, double scale) {
    double mean[2];
    moments(a, b, n, r, scale, mean);
    const double first = mean[0] - 0.37457;
    return -79.047 * first * first - 7.4129 * mean[1] * mean[1];
}

struct Search {
    const double *columns, *correlation, *guess;
    const std::uint8_t *candidate;
    double *ratio;
    std::size_t m, n;
    std::vector<double> own, penalty;
    std::vector<std::size_t> left;
    std::int64_t n_pairs = 0;

    // The candidate of the smallest penalty so far; the first of several.
    std::size_t leader() const {
        std::size_t best = m;
        for (std::size_t i = 0; i < m; ++i)
            if (candidate[i] && (best == m || penalty[i] < penalty[best])) best = i;
        return best;
    }

    // Partners not yet compared, those that are expected to speak most against i first.
    std::vector<std::size_t> partners(std::size_t i, std::vector<std::uint8_t> &taken) const {
        std::vector<std::size_t> chosen;
        std::fill(taken.begin(), taken.end(), 0);
        while (chosen.size() < std::min(batch, left[i])) {
            std::size_t next = m;
            for (std::size_t j = 0; j < m; ++j)
                if (j != i && !taken[j] && std::isnan(ratio[i * m + j]) &&
                    (next == m || guess[i * m + j] > guess[i * m + next]))
                    next = j;
            taken[next] = 1;
            chosen.push_back(next);
        }
        return chosen;
    }

    void compare(std::size_t i, std::size_t j) {
        const double *a = columns + i * n, *b = columns + j * n;
        const double r = correlation[i * m + j], scale = 1.0 / std::sqrt(1.0 - r * r);
        const double forward = own[i] + entropy(b, a, n, r, scale);
        const double backward = own[j] + entropy(a, b, n, r, scale);
        ratio[i * m + j] = backward - forward;
        ratio[j * m + i] = forward - backward;
    }

    void count(std::size_t i, std::size_t j) {
        const double d = ratio[i * m + j];
        penalty[d < 0.0 ? i : j] += d * d;
        --left[i];
        --left[j];
        ++n_pairs;
    }

    std::size_t run(int n_threads) {
        own.resize(m);
        penalty.assign(m, 0.0);
        left.assign(m, m - 1);
        std::fill(ratio, ratio + m * m, std::numeric_limits<double>::quiet_NaN());
        const double work = 20.0 * static_cast<double>(n);
        team::each(n_threads, work * static_cast<double>(m), static_cast<Index>(m), [&](Index i) {
            const double *a = columns + static_cast<std::size_t>(i) * n;
            own[static_cast<std::size_t>(i)] = entropy(a, a, n, 0.0, 1.0);
        });
        std::vector<std::uint8_t> taken(m);
        for (;;) {
            const std::size_t i = leader();
            if (i == m || !left[i]) return i;
            const auto next = partners(i, taken);
            team::each(n_threads, 2.0 * work * static_cast<double>(next.size()),
                       static_cast<Index>(next.size()),
                       [&](Index at) { compare(i, next[static_cast<std::size_t>(at)]); });
            for (const std::size_t j : next) count(i, j);
        }
    }
};

std::pair<std::int64_t, std::int64_t> least_dependent(Matrix<const double> columns,
                                                      Matrix<const double> correlation,
                                                      Matrix<const double> guess,
                                                      Vector<const std::uint8_t> candidate,
                                                      Matrix<double> ratio, int n_threads) {
    const std::size_t m = columns.shape(0);
    for (const std::size_t side :
         {correlation.shape(0), correlation.shape(1), guess.shape(0), guess.shape(1),
          candidate.shape(0), ratio.shape(0), ratio.shape(1)})
        if (side != m) throw std::invalid_argument("least_dependent: arrays of different length");
    Search search{columns.data(),
                  correlation.data(),
                  guess.data(),
                  candidate.data(),
                  ratio.data(),
                  m,
                  columns.shape(1),
                  {},
                  {},
                  {}};
    std::size_t found;
    {
        nb::gil_scoped_release release;
        found = search.run(n_threads);
    }
    return {found == m ? std::int64_t{-1} : static_cast<std::int64_t>(found), search.n_pairs};
}

}  // namespace

void bind_pairwise(nb::module_ &m) {
    m.def("least_dependent", &least_dependent, fixed("columns"), fixed("correlation"),
          fixed("guess"), fixed("candidate"), fixed("ratio"), nb::arg("n_threads"));
}

}  // namespace margin
