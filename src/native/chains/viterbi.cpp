// The most probable paths of hidden states: one, or the k best.
#include <nanobind/nanobind.h>
#include <nanobind/ndarray.h>

#include <algorithm>
#include <cstdint>

#include "chains/bindings.hpp"
#include "chains/lanes.hpp"
#include "common/bind.hpp"
#include "common/team.hpp"

namespace margin {
namespace {

using namespace chains;

// One step: the best way into every state, and where it came from (the first of equals).
template <int Octs>
[[gnu::always_inline]] inline void step(const double *best, const double *M, Index k, Index wide,
                                        double *next, std::uint16_t *from) {
    const Index octs = Octs > 0 ? Octs : wide / lanes;
    for (Index c = 0; c < octs; ++c) {
        Oct top = best[0] + load(M + c * lanes);
        Places place = {};
        for (Index i = 1; i < k; ++i) {
            const Oct way = best[i] + load(M + i * octs * lanes + c * lanes);
            const Places better = way > top;
            top = better ? way : top;
            place = better ? Places{} + i : place;
        }
        store(next + c * lanes, top);
        for (Index s = 0; s < lanes; ++s)
            from[c * lanes + s] = static_cast<std::uint16_t>(place[s]);
    }
}

template <int Octs>
[[gnu::always_inline]] inline double sweep(const double *emission, const double *start,
                                           const double *M, Index k, Index wide, Index length,
                                           double *room, std::uint16_t *from, std::int32_t *path) {
    double *best = room, *next = room + wide;
    for (Index i = 0; i < wide; ++i) best[i] = i < k ? start[i] + emission[i] : nowhere;
    for (Index t = 1; t < length; ++t) {
        step<Octs>(best, M, k, wide, next, from + t * wide);
        const double *e = emission + t * k;
        for (Index i = 0; i < k; ++i) next[i] += e[i];
        std::swap(best, next);
    }
    Index at = std::max_element(best, best + k) - best;
    const double value = best[at];
    for (Index t = length - 1; t >= 0; --t) {
        path[t] = static_cast<std::int32_t>(at);
        if (t) at = from[t * wide + at];
    }
    return value;
}

MARGIN_CLONES double one_path(const double *emission, const double *start, const double *M, Index k,
                              Index wide, Index length, double *room, std::uint16_t *from,
                              std::int32_t *path) {
    switch (wide / lanes) {
        case 1: return sweep<1>(emission, start, M, k, wide, length, room, from, path);
        case 2: return sweep<2>(emission, start, M, k, wide, length, room, from, path);
        case 3: return sweep<3>(emission, start, M, k, wide, length, room, from, path);
        default: return sweep<0>(emission, start, M, k, wide, length, room, from, path);
    }
}

void viterbi(Matrix<const double> emission, Vector<const std::int64_t> offsets,
             Vector<const double> start, Matrix<const double> transition, Vector<std::int32_t> path,
             Vector<double> values, int n_threads) {
    const std::size_t rows = emission.shape(0), k = emission.shape(1);
    const Index n = static_cast<Index>(offsets.size()) - 1;
    check_offsets(offsets, rows);
    if (start.size() != k || transition.shape(0) != k || transition.shape(1) != k ||
        path.size() != rows || Index(values.size()) != n || k < 1 || k > 65535)
        throw std::invalid_argument("chains: arrays of different shape");
    const std::int64_t *at = offsets.data();
    nb::gil_scoped_release release;
    const Index wide = padded(k);
    const std::vector<double> M = widened(transition.data(), k, false);
    const std::vector<Index> ends = groups(at, n);
    team::run(n_threads, double(rows) * double(k) * double(wide),
              static_cast<Index>(ends.size()) - 1, [&] {
                  return [&, room = std::vector<double>(2 * wide),
                          from = std::vector<std::uint16_t>()](Index p) mutable {
                      for (Index s = ends[p]; s < ends[p + 1]; ++s) {
                          const Index length = at[s + 1] - at[s];
                          values.data()[s] = 0.0;
                          if (!length) continue;
                          if (from.size() < static_cast<std::size_t>(length * wide))
                              from.resize(length * wide);
                          values.data()[s] =
                              one_path(emission.data() + at[s] * k, start.data(), M.data(), k, wide,
                                       length, room.data(), from.data(), path.data() + at[s]);
                      }
                  };
              });
}

// The `best` most probable paths of one sequence, in falling order; ways that are impossible have
// the value minus infinity.
void k_best(Matrix<const double> emission, Vector<const double> start,
            Matrix<const double> transition, Matrix<std::int32_t> paths, Vector<double> values) {
    const Index length = emission.shape(0), k = emission.shape(1), best = paths.shape(0);
    if (Index(start.size()) != k || Index(transition.shape(0)) != k ||
        Index(transition.shape(1)) != k || Index(paths.shape(1)) != length ||
        Index(values.size()) != best || length < 1)
        throw std::invalid_argument("chains: arrays of different shape");
    const double *e = emission.data(), *A = transition.data(), *a = start.data();
    nb::gil_scoped_release release;
    struct Way {
        double value;
        std::int32_t state, rank;
    };
    const auto before = [](const Way &x, const Way &y) {
        if (x.value != y.value) return x.value > y.value;
        return x.state != y.state ? x.state < y.state : x.rank < y.rank;
    };
    std::vector<Way> ways(length * k * best, Way{nowhere, -1, -1}), all;
    for (Index j = 0; j < k; ++j) ways[j * best].value = a[j] + e[j];
    for (Index t = 1; t < length; ++t)
        for (Index j = 0; j < k; ++j) {
            all.clear();
            for (Index i = 0; i < k; ++i)
                for (Index r = 0; r < best; ++r) {
                    const double value = ways[((t - 1) * k + i) * best + r].value + A[i * k + j];
                    if (value == nowhere) break;
                    all.push_back({value, std::int32_t(i), std::int32_t(r)});
                }
            const Index kept = std::min<Index>(best, all.size());
            std::partial_sort(all.begin(), all.begin() + kept, all.end(), before);
            for (Index r = 0; r < kept; ++r) {
                Way &way = ways[(t * k + j) * best + r];
                way = all[r];
                way.value += e[t * k + j];
            }
        }
    all.clear();
    for (Index j = 0; j < k; ++j)
        for (Index r = 0; r < best; ++r) {
            const double value = ways[((length - 1) * k + j) * best + r].value;
            if (value > nowhere) all.push_back({value, std::int32_t(j), std::int32_t(r)});
        }
    const Index kept = std::min<Index>(best, all.size());
    std::partial_sort(all.begin(), all.begin() + kept, all.end(), before);
    for (Index r = 0; r < best; ++r) {
        values.data()[r] = r < kept ? all[r].value : nowhere;
        std::int32_t *path = paths.data() + r * length;
        std::fill(path, path + length, -1);
        if (r >= kept) continue;
        std::int32_t state = all[r].state, rank = all[r].rank;
        for (Index t = length - 1; t >= 0; --t) {
            path[t] = state;
            const Way way = ways[(t * k + state) * best + rank];
            state = way.state, rank = way.rank;
        }
    }
}

}  // namespace

void bind_chain_viterbi(nb::module_ &m) {
    m.def("chain_viterbi", &viterbi, fixed("log_emission"), fixed("offsets"), fixed("log_start"),
          fixed("log_transition"), fixed("path"), fixed("log_prob"), nb::arg("n_threads"));
    m.def("chain_k_best", &k_best, fixed("log_emission"), fixed("log_start"),
          fixed("log_transition"), fixed("paths"), fixed("log_prob"));
}

}  // namespace margin
