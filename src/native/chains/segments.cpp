// Chains whose states last: sums and the best path over all ways to cut a sequence into segments.
#include <nanobind/nanobind.h>
#include <nanobind/ndarray.h>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <vector>

#include "chains/bindings.hpp"
#include "chains/sweep.hpp"
#include "common/bind.hpp"
#include "common/team.hpp"

namespace margin {
namespace {

using namespace chains;

// Logarithms throughout. duration(j, d - 1): a segment of state j has d steps; survival(j, d - 1):
// it has d or more, as the last one, which is cut by the end, may have.
struct Segments {
    const double *emission, *start, *transition, *duration, *survival;
    Index length, k, most;

    Index longest(Index room) const { return std::min(most, room); }
};

void add_log(double &sum, double value) {
    if (value == nowhere) return;
    const double top = std::max(sum, value), gap = std::min(sum, value) - top;
    sum = top + (gap == nowhere ? 0.0 : std::log1p(std::exp(gap)));
}

struct Sums {
    std::vector<double> begin, ended, ahead, after;  // by time 0 … length and state
    double value = nowhere;
};

Sums sums_of(const Segments &c) {
    const Index k = c.k, length = c.length;
    const std::size_t size = (length + 1) * k;
    Sums s{std::vector<double>(size, nowhere), std::vector<double>(size, nowhere),
           std::vector<double>(size, nowhere), std::vector<double>(size, nowhere)};
    for (Index j = 0; j < k; ++j) s.begin[j] = c.start[j];
    for (Index t = 1; t <= length; ++t) {
        for (Index j = 0; j < k; ++j) {
            double seen = 0.0;
            for (Index d = 1; d <= c.longest(t); ++d) {
                seen += c.emission[(t - d) * k + j];
                if (seen == nowhere) break;
                const double from = s.begin[(t - d) * k + j] + seen;
                add_log(s.ended[t * k + j], from + c.duration[j * c.most + d - 1]);
                if (t == length) add_log(s.value, from + c.survival[j * c.most + d - 1]);
            }
        }
        for (Index j = 0; j < k && t < length; ++j)
            for (Index i = 0; i < k; ++i)
                add_log(s.begin[t * k + j], s.ended[t * k + i] + c.transition[i * k + j]);
    }
    if (!length) s.value = 0.0;
    for (Index t = length - 1; t >= 0; --t) {
        for (Index j = 0; j < k; ++j) {
            double seen = 0.0;
            for (Index d = 1; d <= c.longest(length - t); ++d) {
                seen += c.emission[(t + d - 1) * k + j];
                if (seen == nowhere) break;
                const Index at = t + d;
                add_log(s.ahead[t * k + j],
                        at == length ? seen + c.survival[j * c.most + d - 1]
                                     : seen + c.duration[j * c.most + d - 1] + s.after[at * k + j]);
            }
        }
        for (Index i = 0; i < k && t > 0; ++i)
            for (Index j = 0; j < k; ++j)
                add_log(s.after[t * k + i], c.transition[i * k + j] + s.ahead[t * k + j]);
    }
    return s;
}

// Posterior of states, expected counts of transitions and durations (both added).
double smooth(const Segments &c, double *posterior, double *counts, double *lasted) {
    const Index k = c.k, length = c.length, most = c.most;
    const Sums s = sums_of(c);
    std::fill(posterior, posterior + length * k, 0.0);
    if (s.value == nowhere) return s.value;
    std::vector<double> change((length + 1) * k, 0.0), tail(most);
    for (Index j = 0; j < k; ++j)
        for (Index t = 0; t < length; ++t) {
            double seen = 0.0;
            for (Index d = 1; d <= c.longest(length - t); ++d) {
                seen += c.emission[(t + d - 1) * k + j];
                if (seen == nowhere) break;
                const bool cut = t + d == length;
                const double *law = c.duration + j * most;
                const double tail_log = c.survival[j * most + d - 1];
                const double way = cut ? tail_log : law[d - 1] + s.after[(t + d) * k + j];
                const double p = std::exp(s.begin[t * k + j] + seen + way - s.value);
                if (!(p > 0.0)) continue;
                change[t * k + j] += p;
                change[(t + d) * k + j] -= p;
                if (!cut) {
                    lasted[j * most + d - 1] += p;
                    continue;
                }
                for (Index q = d; q <= most; ++q)
                    lasted[j * most + q - 1] += p * std::exp(law[q - 1] - tail_log);
            }
        }
    for (Index t = 0; t < length; ++t) {
        double sum = 0.0;
        for (Index j = 0; j < k; ++j) {
            if (t) change[t * k + j] += change[(t - 1) * k + j];
            sum += posterior[t * k + j] = std::max(0.0, change[t * k + j]);
        }
        for (Index j = 0; j < k; ++j) posterior[t * k + j] /= sum;
        if (!t) continue;
        for (Index i = 0; i < k; ++i)
            for (Index j = 0; j < k; ++j)
                counts[i * k + j] += std::exp(s.ended[t * k + i] + c.transition[i * k + j] +
                                              s.ahead[t * k + j] - s.value);
    }
    return s.value;
}

// The most probable path, from the end backwards by the segments that led there.
double best(const Segments &c, std::int32_t *path) {
    const Index k = c.k, length = c.length;
    std::vector<double> begin((length + 1) * k, nowhere);
    std::vector<std::int32_t> before((length + 1) * k, -1), lasted((length + 1) * k, 0);
    for (Index j = 0; j < k; ++j) begin[j] = c.start[j];
    std::vector<double> ended(k);
    Index last = 0;
    double value = length ? nowhere : 0.0;
    for (Index t = 1; t <= length; ++t) {
        const bool cut = t == length;
        for (Index j = 0; j < k; ++j) {
            const double *law = (cut ? c.survival : c.duration) + j * c.most;
            double seen = 0.0;
            ended[j] = nowhere;
            for (Index d = 1; d <= c.longest(t); ++d) {
                seen += c.emission[(t - d) * k + j];
                const double way = begin[(t - d) * k + j] + seen + law[d - 1];
                if (way > ended[j]) {
                    ended[j] = way;
                    lasted[t * k + j] = static_cast<std::int32_t>(d);
                }
            }
        }
        if (cut) {
            last = std::max_element(ended.begin(), ended.end()) - ended.begin();
            value = ended[last];
            break;
        }
        for (Index j = 0; j < k; ++j)
            for (Index i = 0; i < k; ++i)
                if (ended[i] + c.transition[i * k + j] > begin[t * k + j]) {
                    begin[t * k + j] = ended[i] + c.transition[i * k + j];
                    before[t * k + j] = static_cast<std::int32_t>(i);
                }
    }
    if (value == nowhere) {
        std::fill(path, path + length, -1);
        return value;
    }
    for (Index t = length; t > 0;) {
        const Index d = lasted[t * k + last];
        std::fill(path + t - d, path + t, static_cast<std::int32_t>(last));
        t -= d;
        if (t) last = before[t * k + last];
    }
    return value;
}

template <typename Each>
void for_sequences(Matrix<const double> emission, Vector<const std::int64_t> offsets,
                   Vector<const double> start, Matrix<const double> transition,
                   Matrix<const double> duration, Matrix<const double> survival,
                   Vector<double> values, int n_threads, const Each &each) {
    const std::size_t rows = emission.shape(0), k = emission.shape(1), most = duration.shape(1);
    const Index n = static_cast<Index>(offsets.size()) - 1;
    check_offsets(offsets, rows);
    if (start.size() != k || transition.shape(0) != k || transition.shape(1) != k ||
        duration.shape(0) != k || survival.shape(0) != k || survival.shape(1) != most || most < 1 ||
        Index(values.size()) != n)
        throw std::invalid_argument("chains: arrays of different shape");
    const std::int64_t *at = offsets.data();
    nb::gil_scoped_release release;
    const std::vector<Index> ends = groups(at, n);
    const double work = double(rows) * double(k) * double(most + k) * 20.0;
    team::each(n_threads, work, static_cast<Index>(ends.size()) - 1, [&](Index g) {
        for (Index s = ends[g]; s < ends[g + 1]; ++s)
            values.data()[s] = each(g, at[s],
                                    Segments{emission.data() + at[s] * k, start.data(),
                                             transition.data(), duration.data(), survival.data(),
                                             Index(at[s + 1] - at[s]), Index(k), Index(most)});
    });
}

void segment_sums(Matrix<const double> emission, Vector<const std::int64_t> offsets,
                  Vector<const double> start, Matrix<const double> transition,
                  Matrix<const double> duration, Matrix<const double> survival,
                  Matrix<double> posterior, Matrix<double> counts, Matrix<double> lasted,
                  Vector<double> values, int n_threads) {
    const Index k = emission.shape(1), most = duration.shape(1);
    if (posterior.shape(0) != emission.shape(0) || Index(posterior.shape(1)) != k ||
        Index(counts.shape(0)) != k || Index(counts.shape(1)) != k || Index(lasted.shape(0)) != k ||
        Index(lasted.shape(1)) != most)
        throw std::invalid_argument("chains: arrays of different shape");
    constexpr Index pieces = 128;  // more than groups() ever makes
    std::vector<double> some(pieces * k * k, 0.0), some_lasted(pieces * k * most, 0.0);
    for_sequences(emission, offsets, start, transition, duration, survival, values, n_threads,
                  [&](Index g, std::int64_t first, const Segments &chain) {
                      return smooth(chain, posterior.data() + first * k, some.data() + g * k * k,
                                    some_lasted.data() + g * k * most);
                  });
    std::fill(counts.data(), counts.data() + k * k, 0.0);
    std::fill(lasted.data(), lasted.data() + k * most, 0.0);
    for (Index g = 0; g < pieces; ++g) {
        for (Index i = 0; i < k * k; ++i) counts.data()[i] += some[g * k * k + i];
        for (Index i = 0; i < k * most; ++i) lasted.data()[i] += some_lasted[g * k * most + i];
    }
}

void segment_viterbi(Matrix<const double> emission, Vector<const std::int64_t> offsets,
                     Vector<const double> start, Matrix<const double> transition,
                     Matrix<const double> duration, Matrix<const double> survival,
                     Vector<std::int32_t> path, Vector<double> values, int n_threads) {
    if (path.size() != emission.shape(0))
        throw std::invalid_argument("chains: arrays of different shape");
    for_sequences(emission, offsets, start, transition, duration, survival, values, n_threads,
                  [&](Index, std::int64_t first, const Segments &chain) {
                      return best(chain, path.data() + first);
                  });
}

}  // namespace

void bind_chain_segments(nb::module_ &m) {
    m.def("chain_segment_sums", &segment_sums, fixed("log_emission"), fixed("offsets"),
          fixed("log_start"), fixed("log_transition"), fixed("log_duration"), fixed("log_survival"),
          fixed("posterior"), fixed("counts"), fixed("lasted"), fixed("log_likelihood"),
          nb::arg("n_threads"));
    m.def("chain_segment_viterbi", &segment_viterbi, fixed("log_emission"), fixed("offsets"),
          fixed("log_start"), fixed("log_transition"), fixed("log_duration"), fixed("log_survival"),
          fixed("path"), fixed("log_prob"), nb::arg("n_threads"));
}

}  // namespace margin
