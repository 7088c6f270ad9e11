// Forward–backward with every message scaled to sum to one; sequences that would lose digits that
// way are done again in logarithms.
#include <nanobind/nanobind.h>
#include <nanobind/ndarray.h>

#include <cmath>
#include <memory>
#include <optional>

#include "chains/bindings.hpp"
#include "chains/long_chain.hpp"
#include "chains/packs.hpp"
#include "chains/sweep.hpp"
#include "common/bind.hpp"
#include "common/team.hpp"

namespace margin {
namespace {

using namespace chains;

constexpr Index block = 4096;     // steps whose counts are added up together
constexpr Index together = 8;     // steps of one update of the counts
constexpr double faint = 1e-200;  // a message of less has lost states on its way

// One sequence: likelihoods over their largest (scaled), filtered states (alpha), and likelihood
// times message from behind, scaled (omega). Tables are padded.
// Numbers that are written before they are read: no time is spent on zeros.
class Numbers {
  public:
    double *hold(std::size_t size) {
        if (size > size_) {
            data_ = std::unique_ptr<double[]>(new double[size]);
            size_ = size;
        }
        return data_.get();
    }

    double *data() const { return data_.get(); }

  private:
    std::unique_ptr<double[]> data_;
    std::size_t size_ = 0;
};

struct Room {
    Numbers scaled, alpha, omega, tops, rows;

    void hold(Index length, Index wide, bool both) {
        const std::size_t size = static_cast<std::size_t>(length) * wide;
        scaled.hold(size);
        alpha.hold(size);
        if (both) omega.hold(size);
        tops.hold(length);
    }
};

struct Chain {
    const double *start, *forward, *backward, *final;  // padded; `backward` is transposed
    Index k, wide;
};

template <int Octs>
[[gnu::always_inline]] inline void scale(const double *emission, Index first, Index last, Index k,
                                         Index width, double *scaled, double *tops) {
    const Index wide = Octs > 0 ? Octs * lanes : width;
    for (Index t = first; t < last; ++t) {
        const double *e = emission + t * k;
        double *b = scaled + t * wide;
        std::copy(e, e + k, b);
        std::fill(b + k, b + wide, nowhere);
        Oct high = load(b);
        for (Index c = lanes; c < wide; c += lanes) high = load(b + c) > high ? load(b + c) : high;
        const double top = largest(high), base = top == nowhere ? 0.0 : top;
        tops[t] = top;
        for (Index c = 0; c < wide; c += lanes) {
            Oct value = base - load(b + c);
            exp_minus(value);
            store(b + c, value);
        }
    }
}

MARGIN_CLONES void scale_rows(const double *emission, Index first, Index last, Index k, Index wide,
                              double *scaled, double *tops) {
    if (wide == lanes)
        scale<1>(emission, first, last, k, wide, scaled, tops);
    else
        scale<0>(emission, first, last, k, wide, scaled, tops);
}

// Log likelihood; NaN where a message was too faint.
template <int Octs>
[[gnu::always_inline]] inline double forward(const Chain &chain, const double *scaled,
                                             const double *tops, Index length, double *alpha) {
    const Index wide = Octs > 0 ? Octs * lanes : chain.wide, k = chain.k;
    double value = 0.0, product = 1.0;
    for (Index t = 0; t < length; ++t) {
        double *a = alpha + t * wide;
        const double *b = scaled + t * wide;
        if (t)
            times<Octs>(a - wide, chain.forward, k, wide, a);
        else
            std::copy(chain.start, chain.start + wide, a);
        Oct sum = {};
        for (Index c = 0; c < wide; c += lanes) {
            const Oct joint = load(a + c) * load(b + c);
            store(a + c, joint);
            sum += joint;
        }
        const double mass = total(sum);
        if (!(mass > faint)) return std::nan("");
        const double inverse = 1.0 / mass;
        for (Index c = 0; c < wide; c += lanes) store(a + c, load(a + c) * inverse);
        product *= mass;
        value += tops[t];
        if (product < 1e-100) {
            value += std::log(product);
            product = 1.0;
        }
    }
    value += std::log(product);
    if (chain.final && length) {
        const double *a = alpha + (length - 1) * wide;
        double mass = 0.0;
        for (Index i = 0; i < k; ++i) mass += a[i] * chain.final[i];
        if (!(mass > faint)) return std::nan("");
        value += std::log(mass);
    }
    return value;
}

// The messages from behind go to `message`, rows of k numbers; false where one was too faint.
template <int Octs>
[[gnu::always_inline]] inline bool backward(const Chain &chain, const double *scaled, Index length,
                                            double *omega, double *message, double *row) {
    const Index wide = Octs > 0 ? Octs * lanes : chain.wide, k = chain.k;
    for (Index t = length - 1; t >= 0; --t) {
        double *w = omega + t * wide;
        if (t + 1 < length)
            times<Octs>(w + wide, chain.backward, k, wide, row);
        else
            for (Index i = 0; i < wide; ++i)
                row[i] = i < k ? (chain.final ? chain.final[i] : 1.0) : 0.0;
        for (Index i = 0; i < k; ++i) message[t * k + i] = row[i];
        const double *b = scaled + t * wide;
        Oct sum = {};
        for (Index c = 0; c < wide; c += lanes) {
            const Oct joint = load(row + c) * load(b + c);
            store(w + c, joint);
            sum += joint;
        }
        const double mass = total(sum);
        if (!(mass > faint)) return false;
        const double inverse = 1.0 / mass;
        for (Index c = 0; c < wide; c += lanes) store(w + c, load(w + c) * inverse);
    }
    return true;
}

// Messages to posteriors in place for the steps from `first` on, and the sums of filtered state
// times omega of the next step, of shape (k, wide); false where nothing was left.
template <int Octs>
[[gnu::always_inline]] inline bool combine(const double *alpha, const double *omega, Index k,
                                           Index width, Index first, Index last, Index length,
                                           double *posterior, double *sums, double *room) {
    const Index wide = Octs > 0 ? Octs * lanes : width;
    std::fill(sums, sums + k * wide, 0.0);
    for (Index at = first; at < last; at += together) {
        const Index steps = std::min(together, last - at);
        // Filtered states over their share in the evidence; zeros beyond the last pair.
        for (Index s = 0; s < together; ++s) {
            double *row = room + s * wide;
            if (s >= steps) {
                std::fill(row, row + wide, 0.0);
                continue;
            }
            const double *a = alpha + (at + s) * wide;
            double *g = posterior + (at + s) * k, *own = room + together * wide;
            std::copy(g, g + k, own);
            std::fill(own + k, own + wide, 0.0);
            Oct sum = {};
            for (Index c = 0; c < wide; c += lanes) {
                const Oct joint = load(own + c) * load(a + c);
                store(own + c, joint);
                sum += joint;
            }
            const double mass = total(sum);
            if (!(mass > faint)) return false;
            const double inverse = 1.0 / mass, kept = at + s + 1 < length ? inverse : 0.0;
            for (Index c = 0; c < wide; c += lanes) {
                store(own + c, load(own + c) * inverse);
                store(row + c, load(a + c) * kept);
            }
            std::copy(own, own + k, g);
        }
        const Index pairs = std::min(steps, length - 1 - at);
        for (Index c = 0; c < wide; c += lanes) {
            Oct next[together] = {};
            for (Index s = 0; s < pairs; ++s) next[s] = load(omega + (at + s + 1) * wide + c);
            for (Index i = 0; i < k; ++i) {
                Oct sum = load(sums + i * wide + c);
                for (Index s = 0; s < together; ++s) sum += room[s * wide + i] * next[s];
                store(sums + i * wide + c, sum);
            }
        }
    }
    return true;
}

// Backward, combined with the filtered states at once: posteriors are written, and sums of filtered
// state times omega added, eight pairs of steps at a time. Used where threads have other sequences.
template <int Octs>
[[gnu::always_inline]] inline bool fused(const Chain &chain, const double *scaled,
                                         const double *alpha, Index length, double *posterior,
                                         double *sums, double *room) {
    const Index wide = Octs > 0 ? Octs * lanes : chain.wide, k = chain.k;
    double *row = room, *omega = row + wide, *own = omega + wide;
    double *left = own + wide, *right = left + together * wide;
    Index held = 0;
    const auto flush = [&] {
        std::fill(left + held * wide, left + together * wide, 0.0);
        std::fill(right + held * wide, right + together * wide, 0.0);
        for (Index c = 0; c < wide; c += lanes) {
            Oct next[together];
            for (Index s = 0; s < together; ++s) next[s] = load(right + s * wide + c);
            for (Index i = 0; i < k; ++i) {
                Oct sum = load(sums + i * wide + c);
                for (Index s = 0; s < together; ++s) sum += left[s * wide + i] * next[s];
                store(sums + i * wide + c, sum);
            }
        }
        held = 0;
    };
    for (Index t = length - 1; t >= 0; --t) {
        if (t + 1 < length)
            times<Octs>(omega, chain.backward, k, wide, row);
        else
            for (Index i = 0; i < wide; ++i)
                row[i] = i < k ? (chain.final ? chain.final[i] : 1.0) : 0.0;
        const double *a = alpha + t * wide, *b = scaled + t * wide;
        Oct sum = {}, ahead = {};
        for (Index c = 0; c < wide; c += lanes) {
            const Oct joint = load(row + c) * load(a + c);
            store(own + c, joint);
            sum += joint;
        }
        const double mass = total(sum);
        if (!(mass > faint)) return false;
        const double inverse = 1.0 / mass;
        const bool pair = t + 1 < length;
        for (Index c = 0; c < wide; c += lanes) {
            store(own + c, load(own + c) * inverse);
            if (pair) {
                store(left + held * wide + c, load(a + c) * inverse);
                store(right + held * wide + c, load(omega + c));
            }
            const Oct joint = load(row + c) * load(b + c);
            store(omega + c, joint);
            ahead += joint;
        }
        std::copy(own, own + k, posterior + t * k);
        if (pair && ++held == together) flush();
        const double most = total(ahead);
        if (!(most > faint)) return false;
        const double scale = 1.0 / most;
        for (Index c = 0; c < wide; c += lanes) store(omega + c, load(omega + c) * scale);
    }
    flush();
    return true;
}

MARGIN_CLONES bool fused_sweep(const Chain &chain, const double *scaled, const double *alpha,
                               Index length, double *posterior, double *sums, double *room) {
    switch (chain.wide / lanes) {
        case 1: return fused<1>(chain, scaled, alpha, length, posterior, sums, room);
        case 2: return fused<2>(chain, scaled, alpha, length, posterior, sums, room);
        default: return fused<0>(chain, scaled, alpha, length, posterior, sums, room);
    }
}

MARGIN_CLONES double forward_sweep(const Chain &chain, const double *scaled, const double *tops,
                                   Index length, double *alpha) {
    switch (chain.wide / lanes) {
        case 1: return forward<1>(chain, scaled, tops, length, alpha);
        case 2: return forward<2>(chain, scaled, tops, length, alpha);
        case 3: return forward<3>(chain, scaled, tops, length, alpha);
        case 4: return forward<4>(chain, scaled, tops, length, alpha);
        case 7: return forward<7>(chain, scaled, tops, length, alpha);
        default: return forward<0>(chain, scaled, tops, length, alpha);
    }
}

MARGIN_CLONES bool backward_sweep(const Chain &chain, const double *scaled, Index length,
                                  double *omega, double *message, double *row) {
    switch (chain.wide / lanes) {
        case 1: return backward<1>(chain, scaled, length, omega, message, row);
        case 2: return backward<2>(chain, scaled, length, omega, message, row);
        case 3: return backward<3>(chain, scaled, length, omega, message, row);
        case 4: return backward<4>(chain, scaled, length, omega, message, row);
        case 7: return backward<7>(chain, scaled, length, omega, message, row);
        default: return backward<0>(chain, scaled, length, omega, message, row);
    }
}

MARGIN_CLONES bool combine_block(const double *alpha, const double *omega, Index k, Index wide,
                                 Index first, Index last, Index length, double *posterior,
                                 double *sums, double *room) {
    if (wide == lanes)
        return combine<1>(alpha, omega, k, wide, first, last, length, posterior, sums, room);
    return combine<0>(alpha, omega, k, wide, first, last, length, posterior, sums, room);
}

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

// Posterior and counts (k × k, added) of one of many sequences.
double smooth_fused(const Model &model, const double *emission, Index length, Room &room,
                    double *posterior, double *counts) {
    const Index k = model.k, wide = model.wide;
    const Chain chain = model.chain();
    room.hold(length, wide, false);
    double *b = room.scaled.data(), *alpha = room.alpha.data();
    double *sums = room.rows.hold((k + 3 + 2 * together) * wide);
    scale_rows(emission, 0, length, k, wide, b, room.tops.data());
    const double value = forward_sweep(chain, b, room.tops.data(), length, alpha);
    std::fill(sums, sums + k * wide, 0.0);
    if (!(value == value) ||
        !fused_sweep(chain, b, alpha, length, posterior, sums, sums + k * wide))
        return model.in_logs(emission, length, posterior, counts);
    for (Index i = 0; i < k; ++i)
        for (Index j = 0; j < k; ++j)
            counts[i * k + j] += model.transition[i * k + j] * sums[i * wide + j];
    return value;
}

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

// Posterior and counts (k × k, added) of one sequence; `n_threads` share the work on it.
double smooth_one(const Model &model, const double *emission, Index length, Room &room,
                  double *posterior, double *counts, int n_threads) {
    const Index k = model.k, wide = model.wide;
    const Chain chain = model.chain();
    double scanned = 0.0;
    if (k <= scanned_states && length >= scanned_steps) {
        std::vector<double> own(k * k, 0.0);
        if (scan_chain(emission, length, k, model.start, model.transition, model.final, posterior,
                       own.data(), scanned, n_threads)) {
            for (Index c = 0; c < k * k; ++c) counts[c] += own[c];
            return scanned;
        }
    }
    room.hold(length, wide, true);
    const double work = double(length) * double(k) * double(wide);
    const Index blocks = (length + block - 1) / block;
    double *b = room.scaled.data();
    team::each(n_threads, work, blocks, [&](Index p) {
        scale_rows(emission, p * block, std::min(length, (p + 1) * block), k, wide, b,
                   room.tops.data());
    });
    double value = 0.0;
    bool clear = true;
    std::vector<double> row(wide, 0.0);
    team::each(n_threads, work, 2, [&](Index way) {
        if (way == 0)
            value = forward_sweep(chain, b, room.tops.data(), length, room.alpha.data());
        else
            clear = backward_sweep(chain, b, length, room.omega.data(), posterior, row.data());
    });
    if (clear && value == value) {
        std::vector<double> sums(blocks * k * wide);
        std::vector<unsigned char> good(blocks, 0);
        team::each(n_threads, work, blocks, [&](Index p) {
            std::vector<double> steps((together + 1) * wide);
            good[p] = combine_block(room.alpha.data(), room.omega.data(), k, wide, p * block,
                                    std::min(length, (p + 1) * block), length, posterior,
                                    sums.data() + p * k * wide, steps.data());
        });
        if (std::all_of(good.begin(), good.end(), [](unsigned char g) { return g != 0; })) {
            for (Index p = 0; p < blocks; ++p)
                for (Index i = 0; i < k; ++i)
                    for (Index j = 0; j < k; ++j)
                        counts[i * k + j] +=
                            model.transition[i * k + j] * sums[(p * k + i) * wide + j];
            return value;
        }
    }
    return model.in_logs(emission, length, posterior, counts);
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
    const std::vector<Index> ends = groups(at, n);
    const Index pieces = static_cast<Index>(ends.size()) - 1, square = k * k;
    std::vector<double> partial(pieces * square, 0.0);
    // Few sequences share the threads one after the other, many are shared among them.
    const bool few = n < 4;
    team::run(few ? 1 : n_threads, double(rows) * double(k) * double(model.wide), pieces, [&] {
        return [&, room = Room(), side = PackRoom(),
                own = std::vector<double>(square)](Index p) mutable {
            std::vector<unsigned char> done(ends[p + 1] - ends[p], 0);
            if (!few && model.k <= most_states && !final) {
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
                v[s] = few ? smooth_one(model, e + at[s] * k, length, room, g + at[s] * k,
                                        own.data(), n_threads)
                           : smooth_fused(model, e + at[s] * k, length, room, g + at[s] * k,
                                          own.data());
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
    team::run(
        few ? 1 : n_threads, double(rows) * double(k) * double(model.wide),
        static_cast<Index>(ends.size()) - 1, [&] {
            return [&, room = Room()](Index p) mutable {
                for (Index s = ends[p]; s < ends[p + 1]; ++s) {
                    const Index length = at[s + 1] - at[s];
                    const double *e = emission.data() + at[s] * k;
                    double *here = f ? f + at[s] * k : nullptr;
                    if (model.k <= scanned_states && length >= scanned_steps &&
                        scan_chain(e, length, model.k, model.start, model.transition, nullptr, here,
                                   nullptr, v[s], n < 4 ? n_threads : 1))
                        continue;
                    room.hold(length, model.wide, false);
                    scale_rows(e, 0, length, k, model.wide, room.scaled.data(), room.tops.data());
                    double *alpha = room.alpha.data();
                    v[s] =
                        forward_sweep(chain, room.scaled.data(), room.tops.data(), length, alpha);
                    Index step = model.wide;
                    if (v[s] != v[s]) {
                        step = k;
                        const std::vector<double> a = logs(model.start, k),
                                                  A = logs(model.transition, k * k);
                        v[s] = log_forward(
                            {e, a.data(), A.data(), nullptr, length, static_cast<Index>(k), 0},
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
