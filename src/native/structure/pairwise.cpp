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

// A product of this many factors of at most two does not overflow.
constexpr std::size_t longest_product = 1000;

// Numbers that are read in the time of one evaluation.
constexpr double weight = 4.0;

using Pair = std::pair<std::size_t, std::size_t>;

// Means of log cosh u and of u exp(-u^2 / 2) for u = scale (a - r b).
MARGIN_CLONES void moments(const double *a, const double *b, std::size_t n, double r, double scale,
                           double *out) {
    double size = 0.0, bump = 0.0, logs = 0.0;
    for (std::size_t first = 0; first < n; first += longest_product) {
        const std::size_t last = std::min(n, first + longest_product);
        // log cosh u = |u| + log(1 + exp(-2 |u|)) - log 2: one logarithm for many rows.
        double product = 1.0;
#pragma omp simd reduction(+ : size, bump) reduction(* : product)
        for (std::size_t row = first; row < last; ++row) {
            const double u = scale * (a[row] - r * b[row]);
            const double width = u < 0.0 ? -u : u;
            size += width;
            product *= 1.0 + exp_negative(2.0 * width);
            bump += u * exp_negative(0.5 * u * u);
        }
        logs += std::log(product);
    }
    const double rows = static_cast<double>(n);
    out[0] = (size + logs) / rows - 0.6931471805599453;
    out[1] = bump / rows;
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
    std::vector<std::uint8_t> seen;
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
    std::vector<Pair> partners(std::size_t i, std::size_t most) {
        std::vector<std::size_t> open;
        for (std::size_t j = 0; j < m; ++j)
            if (j != i && !seen[i * m + j]) open.push_back(j);
        most = std::min(most, open.size());
        const double *expected = guess + i * m;
        std::partial_sort(open.begin(), open.begin() + static_cast<std::ptrdiff_t>(most),
                          open.end(), [=](std::size_t j, std::size_t k) {
                              return expected[j] > expected[k] ||
                                     (expected[j] == expected[k] && j < k);
                          });
        std::vector<Pair> chosen;
        for (std::size_t k = 0; k < most; ++k) chosen.push_back({i, open[k]});
        return chosen;
    }

    // For every candidate the partner that is expected to speak most against it.
    std::vector<Pair> openers() {
        std::vector<Pair> chosen;
        for (std::size_t i = 0; i < m; ++i) {
            if (!candidate[i]) continue;
            for (const Pair &pair : partners(i, 1))
                if (std::find(chosen.begin(), chosen.end(), Pair{pair.second, pair.first}) ==
                    chosen.end())
                    chosen.push_back(pair);
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
        // Columns that are the same but for their sign have no ratio and say nothing.
        if (!std::isnan(d)) penalty[d < 0.0 ? i : j] += d * d;
        seen[i * m + j] = seen[j * m + i] = 1;
        --left[i];
        --left[j];
        ++n_pairs;
    }

    void look(const std::vector<Pair> &pairs, int n_threads) {
        team::each(n_threads, 2.0 * weight * static_cast<double>(n * pairs.size()),
                   static_cast<Index>(pairs.size()), [&](Index at) {
                       const auto [i, j] = pairs[static_cast<std::size_t>(at)];
                       compare(i, j);
                   });
        for (const auto &[i, j] : pairs) count(i, j);
    }

    std::size_t run(int n_threads) {
        own.resize(m);
        penalty.assign(m, 0.0);
        seen.assign(m * m, 0);
        left.assign(m, m - 1);
        std::fill(ratio, ratio + m * m, std::numeric_limits<double>::quiet_NaN());
        team::each(n_threads, weight * static_cast<double>(m * n), static_cast<Index>(m),
                   [&](Index i) {
                       const double *a = columns + static_cast<std::size_t>(i) * n;
                       own[static_cast<std::size_t>(i)] = entropy(a, a, n, 0.0, 1.0);
                   });
        look(openers(), n_threads);
        // A column that stays in front is looked at with more and more partners at once.
        std::size_t before = m, batch = 1;
        for (;;) {
            const std::size_t i = leader();
            if (i == m || !left[i]) return i;
            batch = i == before ? 2 * batch : 1;
            look(partners(i, batch), n_threads);
            before = i;
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
