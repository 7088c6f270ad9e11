// What follows from filtered states: smoothing by correction, paths drawn backwards; and walks.
#include <nanobind/nanobind.h>
#include <nanobind/ndarray.h>

#include <cstdint>

#include "chains/bindings.hpp"
#include "chains/lanes.hpp"
#include "common/bind.hpp"
#include "common/team.hpp"

namespace margin {
namespace {

using namespace chains;

// gamma_t(i) = sum_j p(i | j, seen up to t) gamma_{t+1}(j): the dynamics reversed.
void correct(Matrix<const double> filtered, Vector<const std::int64_t> offsets,
             Matrix<const double> transition, Matrix<double> smoothed) {
    const Index rows = filtered.shape(0), k = filtered.shape(1);
    check_offsets(offsets, rows);
    if (Index(transition.shape(0)) != k || Index(transition.shape(1)) != k ||
        Index(smoothed.shape(0)) != rows || Index(smoothed.shape(1)) != k)
        throw std::invalid_argument("chains: arrays of different shape");
    const std::int64_t *at = offsets.data();
    const double *f = filtered.data(), *A = transition.data();
    double *g = smoothed.data();
    nb::gil_scoped_release release;
    std::vector<double> ratio(k);
    for (std::size_t s = 0; s + 1 < offsets.size(); ++s)
        for (Index t = at[s + 1] - 1; t >= at[s]; --t) {
            if (t + 1 == at[s + 1]) {
                std::copy(f + t * k, f + (t + 1) * k, g + t * k);
                continue;
            }
            for (Index j = 0; j < k; ++j) {
                double predicted = 0.0;
                for (Index i = 0; i < k; ++i) predicted += f[t * k + i] * A[i * k + j];
                ratio[j] = predicted > 0.0 ? g[(t + 1) * k + j] / predicted : 0.0;
            }
            for (Index i = 0; i < k; ++i) {
                double sum = 0.0;
                for (Index j = 0; j < k; ++j) sum += A[i * k + j] * ratio[j];
                g[t * k + i] = f[t * k + i] * sum;
            }
        }
}

// The state that a level between 0 and 1 falls on; weights need not sum to one.
template <typename Weight>
std::int32_t drawn(Index k, double level, const Weight &weight) {
    double sum = 0.0;
    for (Index i = 0; i < k; ++i) sum += weight(i);
    const double target = level * sum;
    double reached = 0.0;
    std::int32_t last = 0;
    for (Index i = 0; i < k; ++i) {
        const double w = weight(i);
        if (!(w > 0.0)) continue;
        last = static_cast<std::int32_t>(i);
        if ((reached += w) > target) break;
    }
    return last;
}

// A path of every sequence for every row of levels, from its end to its beginning.
void sample_backward(Matrix<const double> filtered, Vector<const std::int64_t> offsets,
                     Matrix<const double> transition, Matrix<const double> levels,
                     Matrix<std::int32_t> paths, int n_threads) {
    const Index rows = filtered.shape(0), k = filtered.shape(1), draws = levels.shape(0);
    check_offsets(offsets, rows);
    if (Index(transition.shape(0)) != k || Index(transition.shape(1)) != k ||
        Index(levels.shape(1)) != rows || Index(paths.shape(0)) != draws ||
        Index(paths.shape(1)) != rows)
        throw std::invalid_argument("chains: arrays of different shape");
    const std::int64_t *at = offsets.data();
    const double *f = filtered.data(), *A = transition.data(), *u = levels.data();
    std::int32_t *out = paths.data();
    const Index n = static_cast<Index>(offsets.size()) - 1;
    nb::gil_scoped_release release;
    team::each(n_threads, double(draws) * double(rows) * double(k), draws, [&](Index d) {
        for (Index s = 0; s < n; ++s)
            for (Index t = at[s + 1] - 1; t >= at[s]; --t) {
                const double *here = f + t * k;
                const bool end = t + 1 == at[s + 1];
                const std::int32_t next = end ? 0 : out[d * rows + t + 1];
                out[d * rows + t] = drawn(k, u[d * rows + t], [&](Index i) {
                    return end ? here[i] : here[i] * A[i * k + next];
                });
            }
    });
}

// Walks of a chain, one level for every step.
void walk(Vector<const double> start, Matrix<const double> transition,
          Vector<const std::int64_t> offsets, Vector<const double> levels,
          Vector<std::int32_t> path) {
    const Index k = start.size(), rows = levels.size();
    check_offsets(offsets, rows);
    if (Index(transition.shape(0)) != k || Index(transition.shape(1)) != k ||
        Index(path.size()) != rows)
        throw std::invalid_argument("chains: arrays of different shape");
    const std::int64_t *at = offsets.data();
    nb::gil_scoped_release release;
    for (std::size_t s = 0; s + 1 < offsets.size(); ++s)
        for (Index t = at[s]; t < at[s + 1]; ++t) {
            const double *from =
                t == at[s] ? start.data() : transition.data() + path.data()[t - 1] * k;
            path.data()[t] = drawn(k, levels.data()[t], [&](Index i) { return from[i]; });
        }
}

}  // namespace

void bind_chain_paths(nb::module_ &m) {
    m.def("chain_correct", &correct, fixed("filtered"), fixed("offsets"), fixed("transition"),
          fixed("smoothed"));
    m.def("chain_sample_backward", &sample_backward, fixed("filtered"), fixed("offsets"),
          fixed("transition"), fixed("levels"), fixed("paths"), nb::arg("n_threads"));
    m.def("chain_walk", &walk, fixed("start"), fixed("transition"), fixed("offsets"),
          fixed("levels"), fixed("path"));
}

}  // namespace margin
