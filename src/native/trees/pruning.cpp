// Weakest links: the order in which cost-complexity pruning turns nodes into leaves (tree.03).
#include <algorithm>
#include <cstdint>
#include <limits>
#include <queue>
#include <stdexcept>
#include <utility>
#include <vector>

#include "common/bind.hpp"
#include "trees/bindings.hpp"

namespace margin {
namespace {

// Branches below every node of one tree, as far as they still stand.
struct Branches {
    std::vector<Index> parent, leaves;
    std::vector<double> risk;  // of the leaves below
    std::vector<bool> gone;    // within a branch that was cut
};

Branches branches_of(const std::int32_t *left, const std::int32_t *right, const double *risk,
                     Index n) {
    Branches b{std::vector<Index>(n, -1), std::vector<Index>(n, 1),
               std::vector<double>(risk, risk + n), std::vector<bool>(n, false)};
    for (Index i = n - 1; i >= 0; --i) {
        if (left[i] < 0) continue;
        if (left[i] <= i || right[i] <= i || left[i] >= n || right[i] >= n)
            throw std::invalid_argument("pruning_steps: children must come after their parents");
        b.parent[left[i]] = b.parent[right[i]] = i;
        b.leaves[i] = b.leaves[left[i]] + b.leaves[right[i]];
        b.risk[i] = b.risk[left[i]] + b.risk[right[i]];
    }
    return b;
}

// `risk`: impurity times share of the rows. Writes, step by step, the node cut, the strength from
// which on its branch does not pay, and the risk of all leaves afterwards; returns the number of
// steps.
Index pruning_steps(Vector<const std::int32_t> left, Vector<const std::int32_t> right,
                    Vector<const double> risk, Vector<std::int32_t> node, Vector<double> strength,
                    Vector<double> total) {
    const std::size_t size = left.size();
    if (right.size() != size || risk.size() != size || node.size() < size ||
        strength.size() < size || total.size() < size)
        throw std::invalid_argument("pruning_steps: arrays of different shape");
    const Index n = size;
    const std::int32_t *lp = left.data(), *rp = right.data();
    const double *own = risk.data();
    nb::gil_scoped_release release;
    Branches b = branches_of(lp, rp, own, n);
    const auto link = [&](Index i) {
        return std::max(0.0, (own[i] - b.risk[i]) / double(b.leaves[i] - 1));
    };
    using Link = std::pair<double, Index>;
    std::priority_queue<Link, std::vector<Link>, std::greater<>> queue;
    for (Index i = 0; i < n; ++i)
        if (lp[i] >= 0) queue.emplace(link(i), i);
    Index step = 0;
    double reached = 0.0;
    std::vector<Index> open;
    while (!queue.empty()) {
        const auto [g, i] = queue.top();
        queue.pop();
        if (b.gone[i] || b.leaves[i] == 1 || g != link(i)) continue;  // an older entry
        reached = std::max(reached, g);
        open.assign({lp[i], rp[i]});
        while (!open.empty()) {
            const Index k = open.back();
            open.pop_back();
            b.gone[k] = true;
            if (lp[k] >= 0) open.insert(open.end(), {lp[k], rp[k]});
        }
        const double risk_change = own[i] - b.risk[i];
        const Index fewer = b.leaves[i] - 1;
        for (Index k = i; k >= 0; k = b.parent[k]) {
            b.leaves[k] -= fewer;
            b.risk[k] = k == i ? own[i] : b.risk[k] + risk_change;
            if (b.leaves[k] > 1) queue.emplace(link(k), k);
        }
        node.data()[step] = static_cast<std::int32_t>(i);
        strength.data()[step] = reached;
        total.data()[step] = b.risk[0];
        ++step;
    }
    return step;
}

}  // namespace

void bind_tree_pruning(nb::module_ &m) {
    m.def("pruning_steps", &pruning_steps, fixed("left"), fixed("right"), fixed("risk"),
          fixed("node"), fixed("strength"), fixed("total"));
}

}  // namespace margin
