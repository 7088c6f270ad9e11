// Common fragments of two ordered labelled trees.
#include <nanobind/nanobind.h>
#include <nanobind/ndarray.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <numeric>
#include <optional>
#include <stdexcept>
#include <vector>

#include "common/bind.hpp"
#include "common/native.hpp"
#include "kernels/pair_values.hpp"

namespace margin {
namespace {

struct Forest {  // nodes tree after tree, children before their parents
    const std::int64_t *offsets, *indptr;
    const std::int32_t *children, *rules;
    std::vector<std::int32_t> by_rule;  // nodes of every tree in order of rule, then of position
};

// The programme of Collins and Duffy: C(u, v) = decay * prod (1 + C(children)) where both nodes
// have the same label and the same labels of children, else 0; summed over all pairs.
class Fragments {
  public:
    Fragments(const Forest &forest, double decay, bool with_slope, std::size_t largest)
        : f_(forest), decay_(decay), table_(largest), slope_(with_slope ? largest : 0) {}

    Value operator()(Index i, Index j) {
        const std::int64_t a = f_.offsets[i], a_end = f_.offsets[i + 1];
        b_ = f_.offsets[j];
        n_ = f_.offsets[j + 1] - b_;
        a_ = a;
        const auto from = f_.by_rule.begin() + b_, to = from + n_;
        Value sum;
        for (std::int64_t u = a; u < a_end; ++u) {
            if (f_.rules[u] < 0) continue;
            const auto rule = [this](std::int32_t node) { return f_.rules[node]; };
            auto it = std::partition_point(
                from, to, [&](std::int32_t node) { return rule(node) < f_.rules[u]; });
            for (; it != to && rule(*it) == f_.rules[u]; ++it) {
                const Value made = rooted(u, *it);
                sum.value += made.value;
                sum.slope += made.slope;
            }
        }
        return sum;
    }

  private:
    Value rooted(std::int64_t u, std::int64_t v) {
        double product = decay_, share = 1.0;
        const std::int64_t width = f_.indptr[u + 1] - f_.indptr[u];
        for (std::int64_t k = 0; k < width; ++k) {
            const std::int32_t c = f_.children[f_.indptr[u] + k];
            const std::int32_t d = f_.children[f_.indptr[v] + k];
            if (f_.rules[c] < 0 || f_.rules[c] != f_.rules[d]) continue;
            const std::size_t at = (c - a_) * n_ + (d - b_);
            product *= 1.0 + table_[at];
            if (!slope_.empty()) share += slope_[at] / (1.0 + table_[at]);
        }
        const std::size_t at = (u - a_) * n_ + (v - b_);
        table_[at] = product;
        if (!slope_.empty()) slope_[at] = product * share;
        return {product, product * share};
    }

    const Forest &f_;
    double decay_;
    std::vector<double> table_, slope_;
    std::int64_t a_ = 0, b_ = 0, n_ = 0;
};

// Nodes of one rule must have the same number of children; a negative rule marks a leaf.
void check_forest(const Vector<const std::int64_t> &offsets,
                  const Vector<const std::int64_t> &indptr,
                  const Vector<const std::int32_t> &children,
                  const Vector<const std::int32_t> &rules) {
    check_starts(indptr, children.size());
    check_starts(offsets, indptr.size() - 1);
    if (rules.size() != indptr.size() - 1)
        throw std::invalid_argument("fragment_sums: arrays do not fit");
    const std::int32_t top =
        rules.size() ? *std::max_element(rules.data(), rules.data() + rules.size()) : -1;
    std::vector<std::int64_t> width(std::size_t(top) + 1, -1);
    for (std::size_t t = 0; t + 1 < offsets.size(); ++t)
        for (std::int64_t u = offsets.data()[t]; u < offsets.data()[t + 1]; ++u) {
            const std::int64_t from = indptr.data()[u], to = indptr.data()[u + 1];
            for (std::int64_t e = from; e < to; ++e)
                if (children.data()[e] < offsets.data()[t] || children.data()[e] >= u)
                    throw std::invalid_argument("fragment_sums: children must come first");
            if (rules.data()[u] < 0) continue;
            std::int64_t &known = width[rules.data()[u]];
            if (known >= 0 && known != to - from)
                throw std::invalid_argument("fragment_sums: one rule of two widths");
            known = to - from;
        }
}

void fragment_sums(Vector<const std::int64_t> offsets, Vector<const std::int64_t> indptr,
                   Vector<const std::int32_t> children, Vector<const std::int32_t> rules,
                   std::int64_t n_left, std::int64_t right_from, double decay, int pairs,
                   Matrix<double> values, std::optional<Matrix<double>> slopes, int threads) {
    check_forest(offsets, indptr, children, rules);
    const std::int64_t trees = std::int64_t(offsets.size()) - 1;
    if (n_left < 0 || n_left > trees || right_from < 0 || right_from > trees)
        throw std::invalid_argument("fragment_sums: arrays do not fit");
    const PairOutput out(values, slopes, pairs, n_left, trees - right_from);
    nb::gil_scoped_release release;
    Forest forest{offsets.data(), indptr.data(), children.data(), rules.data(),
                  std::vector<std::int32_t>(rules.size())};
    std::iota(forest.by_rule.begin(), forest.by_rule.end(), 0);
    std::size_t largest = 0;
    for (std::int64_t t = 0; t < trees; ++t) {
        const auto from = forest.by_rule.begin() + forest.offsets[t];
        const auto to = forest.by_rule.begin() + forest.offsets[t + 1];
        std::stable_sort(from, to, [&](std::int32_t a, std::int32_t b) {
            return forest.rules[a] < forest.rules[b];
        });
        largest = std::max(largest, std::size_t(to - from));
    }
    const auto nodes = [&](std::int64_t from, std::int64_t to) {
        return double(offsets.data()[to] - offsets.data()[from]);
    };
    // At most every pair of nodes is compared.
    each_pair(out, threads, 4.0 * nodes(0, n_left) * nodes(right_from, trees), [&] {
        return [&, worker = Fragments(forest, decay, bool(slopes), largest * largest)](
                   Index i, Index j) mutable { return worker(i, right_from + j); };
    });
}

}  // namespace

void bind_tree_kernels(nb::module_ &m) {
    m.def("fragment_sums", &fragment_sums, fixed("offsets"), fixed("indptr"), fixed("children"),
          fixed("rules"), nb::arg("n_left"), nb::arg("right_from"), nb::arg("decay"),
          nb::arg("pairs"), fixed("values"), maybe("slopes"), nb::arg("n_threads"));
}

}  // namespace margin
