// All families of a few nodes: tables of scores, the best graph by dynamic programming, orders by
// MCMC.
#include <nanobind/nanobind.h>
#include <nanobind/ndarray.h>
#include <nanobind/stl/pair.h>

#include <algorithm>
#include <bit>
#include <cmath>
#include <limits>
#include <random>
#include <stdexcept>

#include "common/bind.hpp"
#include "common/interrupt.hpp"
#include "common/native.hpp"
#include "common/team.hpp"
#include "structure/family.hpp"

namespace margin {
namespace {

using structure::Parents;
using structure::Scorer;
using Mask = std::uint64_t;

constexpr double never = -std::numeric_limits<double>::infinity();

// Scores of child under every mask of parents listed; masks with the child's own bit are refused.
void family_table(const Scorer &scorer, Vector<const std::uint64_t> masks, Matrix<double> out,
                  int n_threads) {
    const int p = scorer.n_nodes();
    if (out.shape(0) != static_cast<std::size_t>(p) || out.shape(1) != masks.size() || p > 64)
        throw std::invalid_argument("family_table: arrays of different shape, or above 64 nodes");
    for (std::size_t s = 0; s < masks.size(); ++s)
        if (p < 64 && masks.data()[s] >> p)
            throw std::invalid_argument("family_table: unknown node");
    const Index sets = static_cast<Index>(masks.size());
    nb::gil_scoped_release release;
    Interrupt interrupt;
    const double work = static_cast<double>(sets) * p * scorer.effort();
    team::each(n_threads, work, sets, [&](Index s) {
        if (interrupt.poll()) return;
        const Mask mask = masks.data()[s];
        Parents parents;
        for (int i = 0; i < p; ++i)
            if (mask >> i & 1) parents.push_back(i);
        for (int child = 0; child < p; ++child)
            out.data()[child * sets + s] =
                mask >> child & 1 ? never : scorer.compute(child, parents);
    });
    interrupt.rethrow();
}

// Best directed acyclic graph from scores[child][mask], all masks of p nodes, by growing the set of
// nodes that are already placed: the best network on W ends in a sink s with its best parents in W
// - s. `best_set` (p, 2^p) holds scores on entry and is overwritten by the best over the subsets.
double best_network(Matrix<double> scores, Vector<std::uint64_t> parents, int n_threads) {
    const int p = static_cast<int>(scores.shape(0));
    const std::size_t sets = std::size_t{1} << p;
    if (p > 24 || scores.shape(1) != sets || parents.size() != static_cast<std::size_t>(p))
        throw std::invalid_argument("best_network: scores must be (p, 2^p) with p at most 24");
    nb::gil_scoped_release release;
    Interrupt interrupt;
    const auto stopped = [&](std::size_t set) { return set % 4096 == 0 && interrupt.poll(); };
    std::vector<std::vector<std::uint32_t>> choice(p, std::vector<std::uint32_t>(sets));
    const double work = static_cast<double>(sets) * p * p;
    team::each(n_threads, work, p, [&](Index child) {
        double *best = scores.data() + child * sets;
        for (std::size_t set = 0; set < sets && !stopped(set); ++set) {
            choice[child][set] = static_cast<std::uint32_t>(set);
            if (set >> child & 1) continue;
            for (std::size_t rest = set; rest; rest &= rest - 1) {
                const std::size_t fewer = set & ~(rest & -rest);
                if (best[fewer] >= best[set]) {
                    best[set] = best[fewer];
                    choice[child][set] = choice[child][fewer];
                }
            }
        }
    });
    std::vector<double> total(sets, never);
    std::vector<std::int8_t> sink(sets, -1);
    total[0] = 0.0;
    for (std::size_t set = 1; set < sets && !stopped(set); ++set)
        for (std::size_t rest = set; rest; rest &= rest - 1) {
            const int s = std::countr_zero(rest);
            const std::size_t before = set & ~(std::size_t{1} << s);
            const double value = total[before] + scores.data()[s * sets + before];
            if (sink[set] < 0 || value > total[set]) {
                total[set] = value;
                sink[set] = static_cast<std::int8_t>(s);
            }
        }
    interrupt.rethrow();
    for (std::size_t set = sets - 1; set;) {
        const int s = sink[set];
        set &= ~(std::size_t{1} << s);
        parents.data()[s] = choice[s][set];
    }
    return total[sets - 1];
}

// The parent sets of a child that are allowed, the best first.
struct Ranked {
    std::vector<double> score;
    std::vector<Mask> mask;

    Ranked(const double *scores, const Mask *masks, std::size_t sets) {
        std::vector<std::size_t> rank;
        for (std::size_t s = 0; s < sets; ++s)
            if (scores[s] > never) rank.push_back(s);
        std::stable_sort(rank.begin(), rank.end(),
                         [&](std::size_t a, std::size_t b) { return scores[a] > scores[b]; });
        score.reserve(rank.size());
        mask.reserve(rank.size());
        for (const std::size_t s : rank) {
            score.push_back(scores[s]);
            mask.push_back(masks[s]);
        }
    }

    // Sum over the sets among the nodes before the child, in log domain. The first that fits is
    // the largest term; terms below the rounding of the sum end it.
    double among(Mask before) const {
        const std::size_t sets = score.size();
        std::size_t s = 0;
        while (s < sets && (mask[s] & ~before)) ++s;
        if (s == sets) return never;
        const double top = score[s];
        double sum = 0.0;
        for (; s < sets && score[s] > top - 80.0; ++s)
            if (!(mask[s] & ~before)) sum += std::exp(score[s] - top);
        return top + std::log(sum);
    }
};

// Metropolis walk over orders by swaps of two places; per kept order the exact posterior of each
// arc given the order is averaged into `edges`. Trace: log score of every kept order. Returns the
// share of accepted moves and the orders kept: fewer than asked for after a keyboard interrupt.
std::pair<double, int> order_chain(Matrix<const double> scores, Vector<const std::uint64_t> masks,
                                   int burn_in, int n_samples, int thin, std::uint64_t seed,
                                   Matrix<double> edges, Vector<double> trace) {
    const int p = static_cast<int>(scores.shape(0));
    const std::size_t sets = masks.size();
    if (scores.shape(1) != sets || p > 64 || edges.shape(0) != scores.shape(0) ||
        edges.shape(1) != scores.shape(0) || trace.size() != static_cast<std::size_t>(n_samples))
        throw std::invalid_argument("order_chain: arrays of different shape");
    nb::gil_scoped_release release;
    Interrupt interrupt;
    std::mt19937_64 random(seed);
    const auto below = [&](int bound) {
        return static_cast<int>(random() % static_cast<std::uint64_t>(bound));
    };
    std::vector<int> order(p);
    for (int i = 0; i < p; ++i) order[i] = i;
    for (int i = p - 1; i > 0; --i) std::swap(order[i], order[below(i + 1)]);
    std::vector<Ranked> ranked;
    for (int child = 0; child < p; ++child)
        ranked.emplace_back(scores.data() + child * sets, masks.data(), sets);
    std::vector<Mask> before(p);
    std::vector<double> part(p);
    double total = 0.0;
    Mask placed = 0;
    for (int place = 0; place < p; ++place) {
        before[order[place]] = placed;
        total += part[order[place]] = ranked[order[place]].among(placed);
        placed |= Mask{1} << order[place];
    }
    int accepted = 0, kept = 0, made = 0;
    const int steps = burn_in + n_samples * thin;
    std::fill(edges.data(), edges.data() + static_cast<std::size_t>(p) * p, 0.0);
    std::vector<double> weight(p);
    for (int step = 0; step < steps && !interrupt.poll(); ++step, ++made) {
        if (p > 1) {
            int a = below(p), b = below(p - 1);
            b += b >= a;
            if (a > b) std::swap(a, b);
            std::vector<int> proposal = order;
            std::swap(proposal[a], proposal[b]);
            Mask earlier = before[order[a]];
            double change = 0.0;
            std::vector<double> fresh(b - a + 1);
            std::vector<Mask> earlier_of(b - a + 1);
            for (int place = a; place <= b; ++place) {
                const int child = proposal[place];
                earlier_of[place - a] = earlier;
                fresh[place - a] = ranked[child].among(earlier);
                change += fresh[place - a] - part[child];
                earlier |= Mask{1} << child;
            }
            if (std::log((static_cast<double>(random() >> 11) + 0.5) * 0x1.0p-53) < change) {
                order = proposal;
                for (int place = a; place <= b; ++place) {
                    const int child = order[place];
                    part[child] = fresh[place - a];
                    before[child] = earlier_of[place - a];
                }
                total += change;
                ++accepted;
            }
        }
        if (step < burn_in || (step - burn_in + 1) % thin) continue;
        trace.data()[kept++] = total;
        for (int child = 0; child < p; ++child) {
            std::fill(weight.begin(), weight.end(), 0.0);
            const Ranked &family = ranked[child];
            for (std::size_t s = 0; s < family.score.size(); ++s) {
                const Mask parents = family.mask[s];
                // Sets that do not fit may score above the sum, so only the others end the loop.
                if (parents & ~before[child]) continue;
                const double share = std::exp(family.score[s] - part[child]);
                if (share < 1e-16) break;
                for (Mask rest = parents; rest; rest &= rest - 1)
                    weight[std::countr_zero(rest)] += share;
            }
            for (int i = 0; i < p; ++i) edges.data()[i * p + child] += weight[i];
        }
    }
    if (kept == 0) interrupt.rethrow();
    interrupt.interrupted();
    for (std::size_t e = 0; kept && e < edges.size(); ++e) edges.data()[e] /= kept;
    return {made ? static_cast<double>(accepted) / made : 0.0, kept};
}

}  // namespace

void bind_structure_exact(nb::module_ &m) {
    m.def("family_table", &family_table, nb::arg("scorer"), fixed("masks"), fixed("out"),
          nb::arg("n_threads"));
    m.def("best_network", &best_network, fixed("scores"), fixed("parents"), nb::arg("n_threads"));
    m.def("order_chain", &order_chain, fixed("scores"), fixed("masks"), nb::arg("burn_in"),
          nb::arg("n_samples"), nb::arg("thin"), nb::arg("seed"), fixed("edges"), fixed("trace"));
}

}  // namespace margin
