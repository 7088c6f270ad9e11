// Messages of pairwise models: out of a node, in rounds, in sweeps.
#include <algorithm>
#include <cmath>

#include "common/team.hpp"
#include "grid/network.hpp"

namespace margin::grid {
namespace {

constexpr double message_work = 40.0;  // an entry of a message, in numbers read
constexpr Index node_block = 256;

// Divides by the sum, or by the largest entry; leaves zeros alone.
[[gnu::always_inline]] inline void normalise(double *x, Index n, bool maximise) {
    double total = 0.0;
    if (maximise)
        for (Index k = 0; k < n; ++k) total = x[k] > total ? x[k] : total;
    else
#pragma omp simd reduction(+ : total)
        for (Index k = 0; k < n; ++k) total += x[k];
    if (!(total > 0.0)) return;
    const double factor = 1.0 / total;
#pragma omp simd
    for (Index k = 0; k < n; ++k) x[k] *= factor;
}

// out(y) = sum or max over x of table(x, y) * cavity(x), normalised.
[[gnu::always_inline]] inline void through(const double *table, bool potts, const double *cavity,
                                           double *out, Index n, bool maximise) {
    if (potts) {
        const double same = table[0], other = n > 1 ? table[1] : 0.0;
        double best = 0.0, total = 0.0;
        if (maximise) {
            for (Index k = 0; k < n; ++k) best = cavity[k] > best ? cavity[k] : best;
            for (Index k = 0; k < n; ++k) out[k] = std::max(same * cavity[k], other * best);
            // With other > same the best other label may be this one: see below.
            if (other > same)
                for (Index k = 0; k < n; ++k) {
                    double rest = 0.0;
                    for (Index j = 0; j < n; ++j)
                        if (j != k && cavity[j] > rest) rest = cavity[j];
                    out[k] = std::max(same * cavity[k], other * rest);
                }
            normalise(out, n, true);
            return;
        }
#pragma omp simd reduction(+ : total)
        for (Index k = 0; k < n; ++k) total += cavity[k];
        // The sum of the new message follows from the sum of the cavity: no second pass.
        const double whole = total * (same + static_cast<double>(n - 1) * other);
        const double scale = whole > 0.0 ? 1.0 / whole : 0.0;
        const double shift = other * total * scale, gain = (same - other) * scale;
#pragma omp simd
        for (Index k = 0; k < n; ++k) {
            const double value = shift + gain * cavity[k];
            out[k] = value > 0.0 ? value : 0.0;  // rounding may leave a little less than nothing
        }
        return;
    }
    for (Index k = 0; k < n; ++k) out[k] = 0.0;
    for (Index j = 0; j < n; ++j) {
        const double *row = table + j * n;
        const double weight = cavity[j];
        if (maximise)
#pragma omp simd
            for (Index k = 0; k < n; ++k) out[k] = std::max(out[k], weight * row[k]);
        else
#pragma omp simd
            for (Index k = 0; k < n; ++k) out[k] += weight * row[k];
    }
    normalise(out, n, maximise);
}

// New messages out of one node; returns the largest change of an entry.
template <int W>
[[gnu::always_inline]] inline double send(const Network &net, const Setting &set, Index node,
                                          const double *old, double *fresh, double *scratch) {
    const Index n = W ? W : net.states;
    const Index first = net.start[node], degree = net.start[node + 1] - first;
    double *before = scratch, *after = scratch + n, *cavity = after + (degree + 1) * n;
    double *out = cavity + n, *gaps = out + n;
    for (Index k = 0; k < n; ++k) gaps[k] = 0.0;
    // after[d]: product of messages d, d + 1, ...; before: unary times messages before d. Excluding
    // the receiver by products rather than by division keeps zeros harmless.
    for (Index k = 0; k < n; ++k) after[degree * n + k] = 1.0;
    for (Index d = degree - 1; d > 0; --d) {
        const double *in = old + static_cast<Index>(net.slot[first + d]) * n;
#pragma omp simd
        for (Index k = 0; k < n; ++k) after[d * n + k] = after[(d + 1) * n + k] * in[k];
        if (degree > 8) normalise(after + d * n, n, true);
    }
    for (Index k = 0; k < n; ++k) before[k] = net.unary[node * n + k];
    double change = 0.0;
    for (Index d = 0; d < degree; ++d) {
        const std::int32_t incoming = net.slot[first + d];
        const std::int32_t e = incoming / 2;
        const bool from_first = incoming % 2 == 1;
        const double *next = after + (d + 1) * n;
#pragma omp simd
        for (Index k = 0; k < n; ++k) cavity[k] = before[k] * next[k];
        const Index at = static_cast<Index>(net.kind[e]) * n * n;
        through((from_first ? net.tables : net.transposed.data()) + at, net.potts[net.kind[e]],
                cavity, out, n, set.maximise);
        const Index outgoing = static_cast<Index>(incoming ^ 1) * n;
        const double *was = old + outgoing;
        double *to = fresh + outgoing;
#pragma omp simd
        for (Index k = 0; k < n; ++k) {
            const double step = std::fabs(out[k] - was[k]);
            gaps[k] = step > gaps[k] ? step : gaps[k];
            to[k] = (1.0 - set.damping) * out[k] + set.damping * was[k];
        }
        const double *in = old + static_cast<Index>(incoming) * n;
#pragma omp simd
        for (Index k = 0; k < n; ++k) before[k] *= in[k];
        if (degree > 8) normalise(before, n, true);
    }
    for (Index k = 0; k < n; ++k) change = std::max(change, gaps[k]);
    return change;
}

#define MARGIN_SEND(name, W)                                                                       \
    MARGIN_CLONES double name(const Network &net, const Setting &set, Index from, Index to,        \
                              const double *old, double *fresh, double *scratch) {                 \
        double change = 0.0;                                                                       \
        for (Index v = from; v < to; ++v)                                                          \
            change = std::max(change, send<W>(net, set, v, old, fresh, scratch));                  \
        return change;                                                                             \
    }
MARGIN_SEND(send_any, 0)
MARGIN_SEND(send_2, 2)
MARGIN_SEND(send_4, 4)
MARGIN_SEND(send_8, 8)
MARGIN_SEND(send_16, 16)
#undef MARGIN_SEND

}  // namespace

Send send_of(Index states) {
    switch (states) {
        case 2: return send_2;
        case 4: return send_4;
        case 8: return send_8;
        case 16: return send_16;
        default: return send_any;
    }
}

double round_of(const Network &net, const Setting &set, const double *old, double *fresh,
                int threads) {
    const Send run = send_of(net.states);
    const Index blocks = (net.nodes + node_block - 1) / node_block;
    std::vector<double> changes(blocks, 0.0);
    team::run(threads, message_work * double(net.slot.size()) * double(net.states), blocks, [&] {
        return [&, scratch = std::vector<double>((net.widest + 5) * net.states)](Index b) mutable {
            changes[b] = run(net, set, b * node_block, std::min(net.nodes, (b + 1) * node_block),
                             old, fresh, scratch.data());
        };
    });
    double change = 0.0;
    for (const double largest : changes) change = std::max(change, largest);
    return change;
}

double sweep_of(const Network &net, const Setting &set, double *messages, bool forwards) {
    const Send run = send_of(net.states);
    std::vector<double> scratch((net.widest + 5) * net.states);
    double change = 0.0;
    for (Index i = 0; i < net.nodes; ++i) {
        const Index v = forwards ? i : net.nodes - 1 - i;
        change = std::max(change, run(net, set, v, v + 1, messages, messages, scratch.data()));
    }
    return change;
}

}  // namespace margin::grid
