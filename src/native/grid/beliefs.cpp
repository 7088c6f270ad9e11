// What the messages of a pairwise model amount to: the beliefs of its nodes and the Bethe free
// energy.
#include <algorithm>
#include <cmath>
#include <stdexcept>

#include "grid/network.hpp"

namespace margin::grid {
namespace {

// Product of a node's factor and its incoming messages but one (slot -1: all of them), scaled to a
// largest entry of one; returns the logarithm of the scale, -inf if nothing is left.
double scaled_product(const Network &net, const double *messages, Index node, std::int32_t skip,
                      double *out) {
    const Index n = net.states;
    double log_scale = 0.0;
    const auto rescale = [&] {
        const double top = *std::max_element(out, out + n);
        log_scale += std::log(top);
        for (Index k = 0; top > 0.0 && k < n; ++k) out[k] /= top;
    };
    std::copy(net.unary + node * n, net.unary + (node + 1) * n, out);
    for (Index d = net.start[node]; d < net.start[node + 1]; ++d) {
        if (net.slot[d] == skip) continue;
        const double *in = messages + static_cast<Index>(net.slot[d]) * n;
        for (Index k = 0; k < n; ++k) out[k] *= in[k];
        if ((d - net.start[node]) % 8 == 7) rescale();
    }
    rescale();
    return log_scale;
}

// The same without scaling where a few messages cannot underflow: no logarithm.
MARGIN_CLONES double product_at(const Network &net, const double *messages, Index node,
                                std::int32_t skip, double *out) {
    const Index n = net.states, first = net.start[node], last = net.start[node + 1];
    if (last - first > 8) return scaled_product(net, messages, node, skip, out);
    const double *own = net.unary + node * n;
    for (Index k = 0; k < n; ++k) out[k] = own[k];
    for (Index d = first; d < last; ++d) {
        if (net.slot[d] == skip) continue;
        const double *in = messages + static_cast<Index>(net.slot[d]) * n;
#pragma omp simd
        for (Index k = 0; k < n; ++k) out[k] *= in[k];
    }
    double top = 0.0;
    for (Index k = 0; k < n; ++k) top = std::max(top, out[k]);
    return top > 1e-100 ? 0.0 : scaled_product(net, messages, node, skip, out);
}

double edge_mass(const Network &net, Index e, const double *a, const double *b) {
    const Index n = net.states;
    const double *table = net.tables + static_cast<Index>(net.kind[e]) * n * n;
    double mass = 0.0;
    if (net.potts[net.kind[e]]) {
        double left = 0.0, right = 0.0, both = 0.0;
        for (Index k = 0; k < n; ++k) left += a[k], right += b[k], both += a[k] * b[k];
        return table[1] * (left * right - both) + table[0] * both;
    }
    for (Index i = 0; i < n; ++i) {
        double row = 0.0;
        for (Index j = 0; j < n; ++j) row += table[i * n + j] * b[j];
        mass += a[i] * row;
    }
    return mass;
}

}  // namespace

double beliefs_of(const Network &net, const double *messages, double *out, Index edges) {
    const Index n = net.states;
    std::vector<double> mass(net.nodes), shift(net.nodes), a(n), b(n);
    double total = 0.0;
    for (Index v = 0; v < net.nodes; ++v) {
        double *belief = out + v * n;
        shift[v] = product_at(net, messages, v, -1, belief);
        double sum = 0.0;
        for (Index k = 0; k < n; ++k) sum += belief[k];
        for (Index k = 0; sum > 0.0 && k < n; ++k) belief[k] /= sum;
        mass[v] = sum;
        total += shift[v] + std::log(sum);
    }
    if (!std::isfinite(total)) return -INFINITY;
    for (Index e = 0; e < edges; ++e) {
        const std::int32_t first = net.edge[2 * e], second = net.edge[2 * e + 1];
        const double scale =
            product_at(net, messages, first, static_cast<std::int32_t>(2 * e + 1), a.data()) +
            product_at(net, messages, second, static_cast<std::int32_t>(2 * e), b.data());
        total += scale - shift[first] - shift[second] +
                 std::log(edge_mass(net, e, a.data(), b.data()) / (mass[first] * mass[second]));
    }
    return total;
}

void prepare(Network &net, Index edges, Index kinds) {
    net.start.assign(net.nodes + 1, 0);
    for (Index e = 0; e < edges; ++e)
        for (int side = 0; side < 2; ++side) {
            const std::int32_t v = net.edge[2 * e + side];
            if (v < 0 || v >= net.nodes) throw std::invalid_argument("pair_messages: unknown node");
            ++net.start[v + 1];
        }
    for (Index v = 0; v < net.nodes; ++v) {
        net.widest = std::max(net.widest, net.start[v + 1]);
        net.start[v + 1] += net.start[v];
    }
    net.slot.resize(2 * edges);
    std::vector<Index> at(net.start.begin(), net.start.end() - 1);
    for (Index e = 0; e < edges; ++e) {
        if (net.edge[2 * e] == net.edge[2 * e + 1] || net.kind[e] < 0 || net.kind[e] >= kinds)
            throw std::invalid_argument("pair_messages: malformed edge");
        net.slot[at[net.edge[2 * e + 1]]++] = static_cast<std::int32_t>(2 * e);
        net.slot[at[net.edge[2 * e]]++] = static_cast<std::int32_t>(2 * e + 1);
    }
    const Index n = net.states;
    net.transposed.resize(kinds * n * n);
    for (Index k = 0; k < kinds; ++k) {
        const double *table = net.tables + k * n * n;
        bool potts = true;
        for (Index i = 0; i < n; ++i)
            for (Index j = 0; j < n; ++j) {
                net.transposed[k * n * n + j * n + i] = table[i * n + j];
                potts &= table[i * n + j] == (i == j ? table[0] : table[1]);
            }
        net.potts.push_back(n > 1 && potts);
    }
}

}  // namespace margin::grid
