// Elimination orders of undirected graphs kept as rows of bits: greedy with incremental
// scores, and exact by dynamic programming over sets of eliminated nodes.
#include <nanobind/nanobind.h>
#include <nanobind/ndarray.h>

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <stdexcept>
#include <vector>

#include "common/bind.hpp"
#include "common/interrupt.hpp"
#include "common/native.hpp"
#include "graphs/eliminator.hpp"

namespace margin {
namespace {

void check_graph(const Matrix<const Word> &rows, std::size_t weights) {
    const std::size_t n = rows.shape(0);
    if (rows.shape(1) * 64 < n || weights != n)
        throw std::invalid_argument("elimination: arrays of different shape");
    const std::size_t words = rows.shape(1);
    for (std::size_t v = 0; v < n; ++v)
        for (std::size_t k = 0; k < words; ++k) {
            const std::size_t from = k * 64;
            const Word beyond = from >= n        ? ~Word{0}
                                : n - from >= 64 ? Word{0}
                                                 : ~Word{0} << (n - from);
            if (rows.data()[v * words + k] & beyond)
                throw std::invalid_argument("elimination: neighbour out of range");
        }
}

// order[i] is the i-th node eliminated and cliques[i] its clique; a clique within an earlier one
// is marked 0 in maximal. A clique lies within an earlier one exactly when it is all that is left
// of one whose next node it belongs to.
void greedy_elimination(Matrix<const Word> rows, Vector<const double> log_weight, int rule,
                        Word seed, Vector<std::int64_t> order, Matrix<Word> cliques,
                        Vector<std::uint8_t> maximal) {
    const std::size_t n = rows.shape(0), words = rows.shape(1);
    check_graph(rows, log_weight.size());
    if (order.size() != n || maximal.size() != n || cliques.shape(0) != n ||
        cliques.shape(1) != words)
        throw std::invalid_argument("greedy_elimination: arrays of different shape");
    if (rule < 0 || rule > 3) throw std::invalid_argument("greedy_elimination: unknown rule");
    const Word *rp = rows.data();
    const double *wp = log_weight.data();
    std::int64_t *op = order.data();
    Word *cp = cliques.data();
    std::uint8_t *mp = maximal.data();

    nb::gil_scoped_release release;
    std::vector<std::size_t> place(n), size(n, 0);
    std::size_t i = 0;
    const auto write = [&](const Eliminator &graph, std::size_t v) {
        Word *clique = cp + i * words;
        std::copy(graph.around(v), graph.around(v) + words, clique);
        clique[v / 64] |= Word{1} << (v % 64);
        op[i] = static_cast<std::int64_t>(v);
        place[v] = i;
        mp[i] = 1;
        for (std::size_t k = 0; k < words; ++k) size[i] += std::popcount(clique[k]);
        ++i;
    };
    eliminate_all(Eliminator(rp, wp, n, words), static_cast<Greedy>(rule), seed,
                  std::numeric_limits<double>::infinity(), write);
    for (std::size_t c = 0; c < n; ++c) {
        std::size_t next = n;
        for (std::size_t k = 0; k < words; ++k)
            for (Word left = cp[c * words + k]; left; left &= left - 1) {
                const std::size_t at = place[k * 64 + std::countr_zero(left)];
                if (at != c && at < next) next = at;
            }
        if (next < n && size[next] + 1 == size[c]) mp[next] = 0;
    }
}

// Neighbours of v once the set `gone` is eliminated: reached through nodes that are gone.
std::uint32_t around(const std::uint32_t *rows, std::uint32_t gone, int v) {
    std::uint32_t reached = rows[v], through = reached & gone, seen = 0;
    while (through) {
        const int u = std::countr_zero(through);
        seen |= std::uint32_t{1} << u;
        reached |= rows[u];
        through = reached & gone & ~seen;
    }
    return reached & ~gone & ~(std::uint32_t{1} << v);
}

// Order whose largest clique weighs least; among those met, the smallest total of all cliques.
void exact_elimination(Matrix<const Word> rows, Vector<const double> log_weight,
                       Vector<std::int64_t> order) {
    const std::size_t n = rows.shape(0);
    check_graph(rows, log_weight.size());
    if (order.size() != n) throw std::invalid_argument("exact_elimination: wrong order length");
    if (n > 22) throw std::invalid_argument("exact_elimination: more than 22 nodes");
    if (n == 0) return;
    std::vector<std::uint32_t> row(n);
    for (std::size_t v = 0; v < n; ++v)
        row[v] = static_cast<std::uint32_t>(rows.data()[v * rows.shape(1)]) & ~(1u << v);
    const double *wp = log_weight.data();
    std::int64_t *op = order.data();

    nb::gil_scoped_release release;
    Interrupt interrupt;
    const std::size_t sets = std::size_t{1} << n;
    // Sizes of sets by halves: log weight of any set from two small tables.
    std::vector<double> low(1u << 11, 0.0), high(1u << 11, 0.0);
    for (std::size_t s = 1; s < low.size(); ++s) {
        const int bit = std::countr_zero(s);
        const std::size_t rest = s & (s - 1);
        low[s] = low[rest] + (static_cast<std::size_t>(bit) < n ? wp[bit] : 0.0);
        high[s] = high[rest] + (static_cast<std::size_t>(bit) + 11 < n ? wp[bit + 11] : 0.0);
    }
    const double infinite = std::numeric_limits<double>::infinity();
    std::vector<double> largest(sets, infinite), total(sets, infinite);
    std::vector<std::int8_t> last(sets, -1);
    largest[0] = -infinite;
    total[0] = 0.0;
    for (std::size_t gone = 0; gone + 1 < sets; ++gone) {
        if (gone % 4096 == 0 && interrupt.poll()) interrupt.rethrow();
        for (std::size_t v = 0; v < n; ++v) {
            if (gone >> v & 1) continue;
            const std::uint32_t clique =
                around(row.data(), static_cast<std::uint32_t>(gone), static_cast<int>(v)) | 1u << v;
            const double weight = low[clique & 2047] + high[clique >> 11];
            const double worst = std::max(largest[gone], weight);
            const double sum = total[gone] + std::exp(weight);
            const std::size_t next = gone | std::size_t{1} << v;
            if (worst < largest[next] || (worst == largest[next] && sum < total[next]))
                largest[next] = worst, total[next] = sum, last[next] = static_cast<std::int8_t>(v);
        }
    }
    std::size_t left = sets - 1;
    for (std::size_t i = n; i-- > 0;) {
        op[i] = last[left];
        left &= ~(std::size_t{1} << last[left]);
    }
}

}  // namespace

void bind_graph_search(nb::module_ &m) {
    m.def("greedy_elimination", &greedy_elimination, fixed("rows"), fixed("log_weight"),
          nb::arg("rule"), nb::arg("seed"), fixed("order"), fixed("cliques"), fixed("maximal"));
    m.def("exact_elimination", &exact_elimination, fixed("rows"), fixed("log_weight"),
          fixed("order"));
}

}  // namespace margin
