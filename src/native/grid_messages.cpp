// Loopy belief propagation on pairwise models whose variables have the same number of states:
// images, lattices, Potts and Ising models.
//
// Messages are stored per directed edge, normalised to sum to one (or to a largest entry of one).
// A round reads the old messages and writes new ones, so nodes are independent of each other and the
// answer does not depend on the number of threads.
#include <nanobind/nanobind.h>
#include <nanobind/ndarray.h>
#include <nanobind/stl/tuple.h>

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <queue>
#include <stdexcept>
#include <tuple>
#include <utility>
#include <vector>

#include "native.hpp"

namespace margin {
namespace {

using Size = std::int64_t;
constexpr Size worth_threads = 4096;  // nodes
constexpr Size node_block = 256;

struct Network {
    Size nodes = 0, states = 0;
    const double *unary = nullptr;      // (nodes, states)
    const double *tables = nullptr;     // (kinds, states, states), first axis: the edge's first node
    const std::int32_t *edge = nullptr; // (edges, 2)
    const std::int32_t *kind = nullptr; // (edges,)
    std::vector<Size> start;            // per node, into `slot`
    std::vector<std::int32_t> slot;     // incoming messages: 2 e towards the second node, 2 e + 1 first
    std::vector<char> potts;            // per kind: equal diagonal, equal rest
    std::vector<double> transposed;
    Size widest = 0;
};

struct Setting {
    bool maximise;
    double damping;
};

// Divides by the sum, or by the largest entry; leaves zeros alone.
[[gnu::always_inline]] inline void normalise(double *x, Size n, bool maximise) {
    double total = 0.0;
    if (maximise)
        for (Size k = 0; k < n; ++k) total = x[k] > total ? x[k] : total;
    else
#pragma omp simd reduction(+ : total)
        for (Size k = 0; k < n; ++k) total += x[k];
    if (!(total > 0.0)) return;
    const double factor = 1.0 / total;
#pragma omp simd
    for (Size k = 0; k < n; ++k) x[k] *= factor;
}

// out(y) = sum or max over x of table(x, y) * cavity(x), normalised.
[[gnu::always_inline]] inline void through(const double *table, bool potts, const double *cavity,
                                           double *out, Size n, bool maximise) {
    if (potts) {
        const double same = table[0], other = n > 1 ? table[1] : 0.0;
        double best = 0.0, total = 0.0;
        if (maximise) {
            for (Size k = 0; k < n; ++k) best = cavity[k] > best ? cavity[k] : best;
            for (Size k = 0; k < n; ++k) out[k] = std::max(same * cavity[k], other * best);
            // With other > same the best other label may be this one: see below.
            if (other > same)
                for (Size k = 0; k < n; ++k) {
                    double rest = 0.0;
                    for (Size j = 0; j < n; ++j)
                        if (j != k && cavity[j] > rest) rest = cavity[j];
                    out[k] = std::max(same * cavity[k], other * rest);
                }
            normalise(out, n, true);
            return;
        }
#pragma omp simd reduction(+ : total)
        for (Size k = 0; k < n; ++k) total += cavity[k];
        // The sum of the new message follows from the sum of the cavity: no second pass.
        const double whole = total * (same + static_cast<double>(n - 1) * other);
        const double scale = whole > 0.0 ? 1.0 / whole : 0.0;
        const double shift = other * total * scale, gain = (same - other) * scale;
#pragma omp simd
        for (Size k = 0; k < n; ++k) {
            const double value = shift + gain * cavity[k];
            out[k] = value > 0.0 ? value : 0.0;  // rounding may leave a little less than nothing
        }
        return;
    }
    for (Size k = 0; k < n; ++k) out[k] = 0.0;
    for (Size j = 0; j < n; ++j) {
        const double *row = table + j * n;
        const double weight = cavity[j];
        if (maximise)
#pragma omp simd
            for (Size k = 0; k < n; ++k) out[k] = std::max(out[k], weight * row[k]);
        else
#pragma omp simd
            for (Size k = 0; k < n; ++k) out[k] += weight * row[k];
    }
    normalise(out, n, maximise);
}

// New messages out of one node; returns the largest change of an entry.
template <int W>
[[gnu::always_inline]] inline double send(const Network &net, const Setting &set, Size node,
                                          const double *old, double *fresh, double *scratch) {
    const Size n = W ? W : net.states;
    const Size first = net.start[node], degree = net.start[node + 1] - first;
    double *before = scratch, *after = scratch + n, *cavity = after + (degree + 1) * n;
    double *out = cavity + n, *gaps = out + n;
    for (Size k = 0; k < n; ++k) gaps[k] = 0.0;
    // after[d]: product of messages d, d + 1, ...; before: unary times messages before d. Excluding
    // the receiver by products rather than by division keeps zeros harmless.
    for (Size k = 0; k < n; ++k) after[degree * n + k] = 1.0;
    for (Size d = degree - 1; d > 0; --d) {
        const double *in = old + static_cast<Size>(net.slot[first + d]) * n;
#pragma omp simd
        for (Size k = 0; k < n; ++k) after[d * n + k] = after[(d + 1) * n + k] * in[k];
        if (degree > 8) normalise(after + d * n, n, true);
    }
    for (Size k = 0; k < n; ++k) before[k] = net.unary[node * n + k];
    double change = 0.0;
    for (Size d = 0; d < degree; ++d) {
        const std::int32_t incoming = net.slot[first + d];
        const std::int32_t e = incoming / 2;
        const bool from_first = incoming % 2 == 1;
        const double *next = after + (d + 1) * n;
#pragma omp simd
        for (Size k = 0; k < n; ++k) cavity[k] = before[k] * next[k];
        const Size at = static_cast<Size>(net.kind[e]) * n * n;
        through((from_first ? net.tables : net.transposed.data()) + at, net.potts[net.kind[e]], cavity,
                out, n, set.maximise);
        const Size outgoing = static_cast<Size>(incoming ^ 1) * n;
        const double *was = old + outgoing;
        double *to = fresh + outgoing;
#pragma omp simd
        for (Size k = 0; k < n; ++k) {
            const double step = std::fabs(out[k] - was[k]);
            gaps[k] = step > gaps[k] ? step : gaps[k];
            to[k] = (1.0 - set.damping) * out[k] + set.damping * was[k];
        }
        const double *in = old + static_cast<Size>(incoming) * n;
#pragma omp simd
        for (Size k = 0; k < n; ++k) before[k] *= in[k];
        if (degree > 8) normalise(before, n, true);
    }
    for (Size k = 0; k < n; ++k) change = std::max(change, gaps[k]);
    return change;
}

#define MARGIN_SEND(name, W)                                                                         \
    MARGIN_CLONES double name(const Network &net, const Setting &set, Size from, Size to,            \
                              const double *old, double *fresh, double *scratch) {                   \
        double change = 0.0;                                                                         \
        for (Size v = from; v < to; ++v)                                                             \
            change = std::max(change, send<W>(net, set, v, old, fresh, scratch));                    \
        return change;                                                                               \
    }
MARGIN_SEND(send_any, 0)
MARGIN_SEND(send_2, 2)
MARGIN_SEND(send_4, 4)
MARGIN_SEND(send_8, 8)
MARGIN_SEND(send_16, 16)
#undef MARGIN_SEND

using Send = double (*)(const Network &, const Setting &, Size, Size, const double *, double *,
                        double *);

Send send_of(Size states) {
    switch (states) {
        case 2: return send_2;
        case 4: return send_4;
        case 8: return send_8;
        case 16: return send_16;
        default: return send_any;
    }
}

double round_of(const Network &net, const Setting &set, const double *old, double *fresh, int threads) {
    const Send run = send_of(net.states);
    const Size blocks = (net.nodes + node_block - 1) / node_block;
    double change = 0.0;
#pragma omp parallel num_threads(threads) if (threads > 1 && net.nodes >= worth_threads)
    {
        std::vector<double> scratch((net.widest + 5) * net.states);
#pragma omp for schedule(static) reduction(max : change)
        for (Size b = 0; b < blocks; ++b)
            change = std::max(change, run(net, set, b * node_block,
                                          std::min(net.nodes, (b + 1) * node_block), old, fresh,
                                          scratch.data()));
    }
    return change;
}

// In place, node by node, forwards then backwards: information crosses the graph in one sweep.
double sweep_of(const Network &net, const Setting &set, double *messages, bool forwards) {
    const Send run = send_of(net.states);
    std::vector<double> scratch((net.widest + 5) * net.states);
    double change = 0.0;
    for (Size i = 0; i < net.nodes; ++i) {
        const Size v = forwards ? i : net.nodes - 1 - i;
        change = std::max(change, run(net, set, v, v + 1, messages, messages, scratch.data()));
    }
    return change;
}

double largest_gap(const double *a, const double *b, Size n) {
    double gap = 0.0;
    for (Size k = 0; k < n; ++k) gap = std::max(gap, std::fabs(a[k] - b[k]));
    return gap;
}

// Always the message that would change most, up to `rounds` times all messages; fills the trace with
// the largest pending change after every round.
int residual_of(const Network &net, const Setting &set, double *messages, std::vector<double> &pending,
                double tol, double *record, int rounds, int threads) {
    const Send run = send_of(net.states);
    const Setting plain{set.maximise, 0.0};
    const Size n = net.states, count = static_cast<Size>(pending.size()) / n;
    std::vector<double> scratch((net.widest + 5) * n), gap(count);
    std::priority_queue<std::pair<double, Size>> queue;
    round_of(net, plain, messages, pending.data(), threads);
    auto refresh = [&](Size m) {
        gap[m] = largest_gap(pending.data() + m * n, messages + m * n, n);
        if (gap[m] > tol) queue.emplace(gap[m], m);
    };
    for (Size m = 0; m < count; ++m) refresh(m);
    for (int done = 0; done < rounds;) {
        for (Size step = 0; step < count && !queue.empty();) {
            const auto [size, m] = queue.top();
            queue.pop();
            if (size != gap[m]) continue;  // an outdated entry
            ++step;
            for (Size k = m * n; k < (m + 1) * n; ++k)
                messages[k] = (1.0 - set.damping) * pending[k] + set.damping * messages[k];
            refresh(m);
            const Size receiver = net.edge[2 * (m / 2) + (m % 2 == 0 ? 1 : 0)];
            run(net, plain, receiver, receiver + 1, messages, pending.data(), scratch.data());
            for (Size d = net.start[receiver]; d < net.start[receiver + 1]; ++d)
                if (net.slot[d] != m) refresh(net.slot[d] ^ 1);
        }
        while (!queue.empty() && queue.top().first != gap[queue.top().second]) queue.pop();
        record[done++] = queue.empty() ? *std::max_element(gap.begin(), gap.end()) : queue.top().first;
        if (queue.empty()) return done;
    }
    return rounds;
}

void prepare(Network &net, Size edges, Size kinds) {
    net.start.assign(net.nodes + 1, 0);
    for (Size e = 0; e < edges; ++e)
        for (int side = 0; side < 2; ++side) {
            const std::int32_t v = net.edge[2 * e + side];
            if (v < 0 || v >= net.nodes) throw std::invalid_argument("pair_messages: unknown node");
            ++net.start[v + 1];
        }
    for (Size v = 0; v < net.nodes; ++v) {
        net.widest = std::max(net.widest, net.start[v + 1]);
        net.start[v + 1] += net.start[v];
    }
    net.slot.resize(2 * edges);
    std::vector<Size> at(net.start.begin(), net.start.end() - 1);
    for (Size e = 0; e < edges; ++e) {
        if (net.edge[2 * e] == net.edge[2 * e + 1] || net.kind[e] < 0 || net.kind[e] >= kinds)
            throw std::invalid_argument("pair_messages: malformed edge");
        net.slot[at[net.edge[2 * e + 1]]++] = static_cast<std::int32_t>(2 * e);
        net.slot[at[net.edge[2 * e]]++] = static_cast<std::int32_t>(2 * e + 1);
    }
    const Size n = net.states;
    net.transposed.resize(kinds * n * n);
    for (Size k = 0; k < kinds; ++k) {
        const double *table = net.tables + k * n * n;
        bool potts = true;
        for (Size i = 0; i < n; ++i)
            for (Size j = 0; j < n; ++j) {
                net.transposed[k * n * n + j * n + i] = table[i * n + j];
                potts &= table[i * n + j] == (i == j ? table[0] : table[1]);
            }
        net.potts.push_back(n > 1 && potts);
    }
}

// Product of a node's factor and its incoming messages but one (slot -1: all of them), scaled to a
// largest entry of one; returns the logarithm of the scale, -inf if nothing is left.
double scaled_product(const Network &net, const double *messages, Size node, std::int32_t skip,
                      double *out) {
    const Size n = net.states;
    double log_scale = 0.0;
    const auto rescale = [&] {
        const double top = *std::max_element(out, out + n);
        log_scale += std::log(top);
        for (Size k = 0; top > 0.0 && k < n; ++k) out[k] /= top;
    };
    std::copy(net.unary + node * n, net.unary + (node + 1) * n, out);
    for (Size d = net.start[node]; d < net.start[node + 1]; ++d) {
        if (net.slot[d] == skip) continue;
        const double *in = messages + static_cast<Size>(net.slot[d]) * n;
        for (Size k = 0; k < n; ++k) out[k] *= in[k];
        if ((d - net.start[node]) % 8 == 7) rescale();
    }
    rescale();
    return log_scale;
}

// The same without scaling where a few messages cannot underflow: no logarithm.
MARGIN_CLONES double product_at(const Network &net, const double *messages, Size node,
                                std::int32_t skip, double *out) {
    const Size n = net.states, first = net.start[node], last = net.start[node + 1];
    if (last - first > 8) return scaled_product(net, messages, node, skip, out);
    const double *own = net.unary + node * n;
    for (Size k = 0; k < n; ++k) out[k] = own[k];
    for (Size d = first; d < last; ++d) {
        if (net.slot[d] == skip) continue;
        const double *in = messages + static_cast<Size>(net.slot[d]) * n;
#pragma omp simd
        for (Size k = 0; k < n; ++k) out[k] *= in[k];
    }
    double top = 0.0;
    for (Size k = 0; k < n; ++k) top = std::max(top, out[k]);
    return top > 1e-100 ? 0.0 : scaled_product(net, messages, node, skip, out);
}

double edge_mass(const Network &net, Size e, const double *a, const double *b) {
    const Size n = net.states;
    const double *table = net.tables + static_cast<Size>(net.kind[e]) * n * n;
    double mass = 0.0;
    if (net.potts[net.kind[e]]) {
        double left = 0.0, right = 0.0, both = 0.0;
        for (Size k = 0; k < n; ++k) left += a[k], right += b[k], both += a[k] * b[k];
        return table[1] * (left * right - both) + table[0] * both;
    }
    for (Size i = 0; i < n; ++i) {
        double row = 0.0;
        for (Size j = 0; j < n; ++j) row += table[i * n + j] * b[j];
        mass += a[i] * row;
    }
    return mass;
}

// Fills the beliefs of the nodes; returns the Bethe approximation of the log partition function.
double beliefs_of(const Network &net, const double *messages, double *out, Size edges) {
    const Size n = net.states;
    std::vector<double> mass(net.nodes), shift(net.nodes), a(n), b(n);
    double total = 0.0;
    for (Size v = 0; v < net.nodes; ++v) {
        double *belief = out + v * n;
        shift[v] = product_at(net, messages, v, -1, belief);
        double sum = 0.0;
        for (Size k = 0; k < n; ++k) sum += belief[k];
        for (Size k = 0; sum > 0.0 && k < n; ++k) belief[k] /= sum;
        mass[v] = sum;
        total += shift[v] + std::log(sum);
    }
    if (!std::isfinite(total)) return -INFINITY;
    for (Size e = 0; e < edges; ++e) {
        const std::int32_t first = net.edge[2 * e], second = net.edge[2 * e + 1];
        const double scale =
            product_at(net, messages, first, static_cast<std::int32_t>(2 * e + 1), a.data()) +
            product_at(net, messages, second, static_cast<std::int32_t>(2 * e), b.data());
        total += scale - shift[first] - shift[second] +
                 std::log(edge_mass(net, e, a.data(), b.data()) / (mass[first] * mass[second]));
    }
    return total;
}

// Runs until no entry of a message would change by more than tol; returns rounds, the last change and
// the Bethe approximation.
std::tuple<int, double, double> pair_messages(Matrix<const double> unary, Matrix<const std::int32_t> edges,
                                      Vector<const std::int32_t> kinds,
                                      nb::ndarray<const double, nb::ndim<3>, nb::c_contig> tables,
                                      Matrix<double> messages, Vector<double> trace,
                                      Matrix<double> beliefs, bool maximise,
                                      int schedule, double damping, double tol, int n_threads) {
    Network net;
    net.nodes = static_cast<Size>(unary.shape(0));
    net.states = static_cast<Size>(unary.shape(1));
    const Size n_edges = static_cast<Size>(edges.shape(0));
    if (edges.shape(1) != 2 || static_cast<Size>(kinds.size()) != n_edges ||
        static_cast<Size>(tables.shape(1)) != net.states ||
        static_cast<Size>(tables.shape(2)) != net.states ||
        static_cast<Size>(messages.shape(0)) != 2 * n_edges ||
        static_cast<Size>(messages.shape(1)) != net.states ||
        static_cast<Size>(beliefs.shape(0)) != net.nodes ||
        static_cast<Size>(beliefs.shape(1)) != net.states || n_edges > (Size{1} << 29))
        throw std::invalid_argument("pair_messages: arrays of different shape");
    net.unary = unary.data();
    net.edge = edges.data();
    net.kind = kinds.data();
    net.tables = tables.data();
    prepare(net, n_edges, static_cast<Size>(tables.shape(0)));
    double *current = messages.data(), *record = trace.data(), *believed = beliefs.data();
    const int rounds = static_cast<int>(trace.size());
    const Setting set{maximise, damping};
    if (schedule < 0 || schedule > 2) throw std::invalid_argument("pair_messages: unknown schedule");
    const bool flooding = schedule == 0;

    nb::gil_scoped_release release;
    std::vector<double> other(schedule < 2 ? messages.size() : 0);
    if (schedule == 1 && rounds > 0 && n_edges > 0) {
        const int done = residual_of(net, set, current, other, tol, record, rounds, n_threads);
        return {done, record[done - 1], beliefs_of(net, current, believed, n_edges)};
    }
    double *old = current, *fresh = other.data();
    double change = 0.0;
    int done = 0;
    while (done < rounds) {
        if (flooding) {
            change = round_of(net, set, old, fresh, n_threads);
            std::swap(old, fresh);
        } else {
            change = sweep_of(net, set, current, done % 2 == 0);
        }
        record[done++] = change;
        if (change <= tol) break;
    }
    if (flooding && old != current) std::copy(old, old + messages.size(), current);
    return {done, change, beliefs_of(net, current, believed, n_edges)};
}

}  // namespace

void bind_grid_messages(nb::module_ &m) {
    m.def("pair_messages", &pair_messages, nb::arg("unary").noconvert(), nb::arg("edges").noconvert(),
          nb::arg("kinds").noconvert(), nb::arg("tables").noconvert(),
          nb::arg("messages").noconvert(), nb::arg("trace").noconvert(), nb::arg("beliefs").noconvert(),
          nb::arg("maximise"),
          nb::arg("schedule"), nb::arg("damping"), nb::arg("tol"), nb::arg("n_threads"));
}

}  // namespace margin
