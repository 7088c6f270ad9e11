// Forward–backward with scaled messages; sequences that would lose digits that way are done again
// in logarithms.
#include <nanobind/nanobind.h>
#include <nanobind/ndarray.h>

#include <cmath>
#include <memory>
#include <optional>

#include "chains/bindings.hpp"
#include "chains/both_ends.hpp"
#include "chains/long_chain.hpp"
#include "chains/numbers.hpp"
#include "chains/packs.hpp"
#include "chains/sweep.hpp"
#include "common/bind.hpp"
#include "common/team.hpp"

namespace margin {
namespace {

using namespace chains;

// What a thread works on, kept from sequence to sequence.
struct Room {
    Numbers messages, sums;
};

std::vector<double> logs(const double *x, std::size_t n) {
    std::vector<double> out(n);
    for (std::size_t i = 0; i < n; ++i) out[i] = x[i] > 0.0 ? std::log(x[i]) : nowhere;
    return out;
}

// What all sequences share.
struct Model {
    Index k, wide;
    const double *start, *transition, *final;
    std::vector<double> first, forward, backward;

    Model(const Vector<const double> &p, const Matrix<const double> &A,
          const std::optional<Vector<const double>> &last)
        : k(static_cast<Index>(p.size())), wide(padded(k)), start(p.data()), transition(A.data()),
          final(last ? last->data() : nullptr), first(wide, 0.0),
          forward(widened(A.data(), k, false)), backward(widened(A.data(), k, true)) {
        std::copy(start, start + k, first.begin());
    }

    Chain chain() const { return {first.data(), forward.data(), backward.data(), final, k, wide}; }

    double in_logs(const double *emission, Index length, double *posterior, double *counts) const {
        const std::vector<double> a = logs(start, k), A = logs(transition, k * k);
        const std::vector<double> z = final ? logs(final, k) : std::vector<double>{};
        const LogChain log_chain{emission, a.data(), A.data(), final ? z.data() : nullptr,
                                 length,   k,        0};
        return log_smooth(log_chain, posterior, counts, nullptr);
    }
};

// Whether a pack is full enough to go side by side: lanes without a chain work for nothing.
bool pays(const Pack &pack) {
    Index steps = 0;
    for (const std::int64_t length : pack.strands.length) steps += length;
    return 3 * steps >= pack.strands.longest * lanes;
}

// Likelihoods of a pack over their largest; the sums of the largest.
void fill(const Pack &pack, const double *emission, const std::int64_t *at, PackRoom &room,
          double *tops) {
    const Index k = pack.strands.k, steps = pack.strands.longest;
    room.hold(steps, k);
    for (Index l = 0; l < lanes; ++l)
        deal(emission + at[pack.members[l]] * k, pack.strands.length[l], steps, k, l,
             room.likelihood.data());
    scale_strands(room.likelihood.data(), k, steps, tops);
}

// Posteriors and counts (k × k, added) of a pack of few states; sequences that would lose states
// are done again by themselves.
void smooth_pack(const Model &model, const Pack &pack, const double *emission,
                 const std::int64_t *at, PackRoom &room, double *posterior, double *counts,
                 double *values) {
    const Index k = model.k;
    double tops[lanes];
    fill(pack, emission, at, room, tops);
    const double *b = room.likelihood.data();
    const Swept ahead =
        forward_strands(pack.strands, model.transition, b, room.alpha.data(), nullptr);
    const Swept back =
        backward_strands(pack.strands, model.transition, b, room.alpha.data(), room.pairs.data());
    for (Index l = 0; l < pack.size; ++l) {
        const Index s = pack.members[l], length = pack.strands.length[l];
        double *own = posterior + at[s] * k;
        if (ahead.good[l] && back.good[l]) {
            values[s] = log_mass(tops[l], ahead.power[l], ahead.mass[l]);
            collect(room.alpha.data(), length, k, l, own);
            add_pairs(room.pairs.data(), model.transition, k, l, counts);
            continue;
        }
        const double weight = pack.strands.weight[l];
        std::vector<double> alone(k * k, 0.0);
        values[s] = model.in_logs(emission + at[s] * k, length, own, alone.data());
        for (Index c = 0; c < k * k; ++c) counts[c] += weight * alone[c];
        for (Index i = 0; i < length * k; ++i) own[i] *= weight;
    }
}

// Posterior and counts (k × k, added) of one sequence; two threads may share the work on it.
double smooth_one(const Model &model, const double *emission, Index length, Room &room,
                  double *posterior, double *counts, int n_threads) {
    const Index k = model.k, wide = model.wide;
    const Chain chain = model.chain();
    const Passage passage{chain, emission, length, room.messages.hold(length * wide), posterior};
    double *sums = room.sums.hold(2 * k * wide);
    std::fill(sums, sums + 2 * k * wide, 0.0);
    Sweep ahead{sums}, back{sums + k * wide};
    const double work = double(length) * double(k) * double(wide);
    team::each(n_threads, work, 2,
               [&](Index way) { way == 0 ? set_out(passage, ahead) : come_back(passage, back); });
    if (ahead.clear && back.clear)
        team::each(n_threads, work, 2,
                   [&](Index way) { way == 0 ? go_on(passage, ahead) : go_back(passage, back); });
    if (!ahead.clear || !back.clear) return model.in_logs(emission, length, posterior, counts);
    for (Index i = 0; i < k; ++i)
        for (Index j = 0; j < k; ++j)
            counts[i * k + j] +=
                model.transition[i * k + j] * (ahead.sums[i * wide + j] + back.sums[i * wide + j]);
    return ahead.value + back.value;
}

// The same, by products of matrices where a long sequence of few states pays for them.
double smooth_long(const Model &model, const double *emission, Index length, Room &room,
                   double *posterior, double *counts, int n_threads) {
    const Index k = model.k;
    double value = 0.0;
    if (k <= scanned_states && length >= scanned_steps) {
        std::vector<double> own(k * k, 0.0);
        const LongChain chain{.emission = emission,
                              .length = length,
                              .k = k,
                              .start = model.start,
                              .transition = model.transition,
                              .final = model.final};
        if (scan_chain(chain, posterior, own.data(), value, n_threads)) {
            for (Index c = 0; c < k * k; ++c) counts[c] += own[c];
            return value;
        }
    }
    return smooth_one(model, emission, length, room, posterior, counts, n_threads);
}

void forward_backward(Matrix<const double> emission, Vector<const std::int64_t> offsets,
                      Vector<const double> start, Matrix<const double> transition,
                      std::optional<Vector<const double>> final,
                      std::optional<Vector<const double>> weight, Matrix<double> posterior,
                      Matrix<double> counts, Vector<double> values, int n_threads) {
    const std::size_t rows = emission.shape(0), k = emission.shape(1);
    const Index n = static_cast<Index>(offsets.size()) - 1;
    check_offsets(offsets, rows);
    if (start.size() != k || transition.shape(0) != k || transition.shape(1) != k ||
        (final && final->size() != k) || (weight && Index(weight->size()) != n) ||
        posterior.shape(0) != rows || posterior.shape(1) != k || counts.shape(0) != k ||
        counts.shape(1) != k || Index(values.size()) != n)
        throw std::invalid_argument("chains: arrays of different shape");
    const std::int64_t *at = offsets.data();
    const double *e = emission.data();
    double *g = posterior.data(), *out = counts.data(), *v = values.data();
    nb::gil_scoped_release release;
    const Model model(start, transition, final);
    // Few sequences share the threads one after the other, many are shared among them.
    const bool few = n < 4, side_by_side = !few && model.k <= most_states && !final;
    const std::vector<Index> ends = groups(at, n, side_by_side ? lanes : 1);
    const Index pieces = static_cast<Index>(ends.size()) - 1, square = k * k;
    std::vector<double> partial(pieces * square, 0.0);
    team::run(few ? 1 : n_threads, double(rows) * double(k) * double(model.wide), pieces, [&] {
        return [&, room = Room(), side = PackRoom(),
                own = std::vector<double>(square)](Index p) mutable {
            std::vector<unsigned char> done(ends[p + 1] - ends[p], 0);
            if (side_by_side) {
                const double *w = weight ? weight->data() : nullptr;
                for (const Pack &pack : packs(at, ends[p], ends[p + 1], model.k, model.start, w)) {
                    if (!pays(pack)) continue;
                    smooth_pack(model, pack, e, at, side, g, partial.data() + p * square, v);
                    for (Index l = 0; l < pack.size; ++l) done[pack.members[l] - ends[p]] = 1;
                }
            }
            for (Index s = ends[p]; s < ends[p + 1]; ++s) {
                if (done[s - ends[p]]) continue;
                std::fill(own.begin(), own.end(), 0.0);
                const Index length = at[s + 1] - at[s];
                v[s] = (few ? smooth_long : smooth_one)(model, e + at[s] * k, length, room,
                                                        g + at[s] * k, own.data(),
                                                        few ? n_threads : 1);
                const double times = weight ? weight->data()[s] : 1.0;
                for (Index i = 0; i < square; ++i) partial[p * square + i] += times * own[i];
                if (weight)
                    for (Index i = at[s] * k; i < Index(at[s + 1] * k); ++i) g[i] *= times;
            }
        };
    });
    std::fill(out, out + square, 0.0);
    for (Index p = 0; p < pieces; ++p)
        for (Index i = 0; i < square; ++i) out[i] += partial[p * square + i];
}

// Filtered states (where asked for) and log likelihoods, forward only.
void filter(Matrix<const double> emission, Vector<const std::int64_t> offsets,
            Vector<const double> start, Matrix<const double> transition,
            std::optional<Matrix<double>> filtered, Vector<double> values, int n_threads) {
    const std::size_t rows = emission.shape(0), k = emission.shape(1);
    const Index n = static_cast<Index>(offsets.size()) - 1;
    check_offsets(offsets, rows);
    if (start.size() != k || transition.shape(0) != k || transition.shape(1) != k ||
        (filtered && (filtered->shape(0) != rows || filtered->shape(1) != k)) ||
        Index(values.size()) != n)
        throw std::invalid_argument("chains: arrays of different shape");
    const std::int64_t *at = offsets.data();
    double *f = filtered ? filtered->data() : nullptr, *v = values.data();
    nb::gil_scoped_release release;
    const Model model(start, transition, std::nullopt);
    const Chain chain = model.chain();
    const std::vector<Index> ends = groups(at, n);
    // Few sequences share the threads one after the other, if they are long.
    const bool few = n < 4 && Index(k) <= scanned_states && rows >= std::size_t(scanned_steps);
    team::run(few ? 1 : n_threads, double(rows) * double(k) * double(model.wide),
              static_cast<Index>(ends.size()) - 1, [&] {
                  return [&, room = Room()](Index p) mutable {
                      for (Index s = ends[p]; s < ends[p + 1]; ++s) {
                          const Index length = at[s + 1] - at[s];
                          const double *e = emission.data() + at[s] * k;
                          double *here = f ? f + at[s] * k : nullptr;
                          const LongChain whole{.emission = e,
                                                .length = length,
                                                .k = model.k,
                                                .start = model.start,
                                                .transition = model.transition,
                                                .final = nullptr};
                          if (model.k <= scanned_states && length >= scanned_steps &&
                              scan_chain(whole, here, nullptr, v[s], n < 4 ? n_threads : 1))
                              continue;
                          double *alpha = room.messages.hold(length * model.wide);
                          Sweep sweep;
                          filter_all({chain, e, length, alpha, nullptr}, sweep);
                          v[s] = sweep.value;
                          Index step = model.wide;
                          if (!sweep.clear) {
                              step = k;
                              const std::vector<double> a = logs(model.start, k),
                                                        A = logs(model.transition, k * k);
                              v[s] = log_forward({e, a.data(), A.data(), nullptr, length,
                                                  static_cast<Index>(k), 0},
                                                 alpha);
                              for (Index t = 0; t < length; ++t) {
                                  const double all = log_sum(alpha + t * k, k);
                                  for (std::size_t i = 0; i < k; ++i)
                                      alpha[t * k + i] =
                                          all == nowhere ? 0.0 : std::exp(alpha[t * k + i] - all);
                              }
                          }
                          if (!here) continue;
                          for (Index t = 0; t < length; ++t)
                              std::copy(alpha + t * step, alpha + t * step + k, here + t * k);
                      }
                  };
              });
}

}  // namespace

void bind_chain_sums(nb::module_ &m) {
    m.def("chain_forward_backward", &forward_backward, fixed("log_emission"), fixed("offsets"),
          fixed("start"), fixed("transition"), maybe("final"), maybe("weight"), fixed("posterior"),
          fixed("counts"), fixed("log_likelihood"), nb::arg("n_threads"));
    m.def("chain_filter", &filter, fixed("log_emission"), fixed("offsets"), fixed("start"),
          fixed("transition"), maybe("filtered"), fixed("log_likelihood"), nb::arg("n_threads"));
}

}  // namespace margin
