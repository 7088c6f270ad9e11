// Search over directed acyclic graphs by adding, removing and reversing single arcs.
#include <nanobind/nanobind.h>
#include <nanobind/ndarray.h>
#include <nanobind/stl/pair.h>
#include <nanobind/stl/vector.h>

#include <cmath>
#include <deque>
#include <limits>
#include <random>
#include <stdexcept>

#include "common/bind.hpp"
#include "common/interrupt.hpp"
#include "common/native.hpp"
#include "structure/climber.hpp"

namespace margin {
namespace {

using structure::Change;
using structure::Climber;
using structure::Move;
using structure::Parents;
using structure::Scorer;

void write(const std::vector<Parents> &parents, std::uint8_t *adjacency, int p) {
    std::fill(adjacency, adjacency + static_cast<std::size_t>(p) * p, std::uint8_t{0});
    for (int j = 0; j < p; ++j)
        for (const int i : parents[j]) adjacency[i * p + j] = 1;
}

void check_square(const Scorer &scorer, const Matrix<std::uint8_t> &adjacency,
                  const Matrix<const std::uint8_t> &forbidden,
                  const Matrix<const std::uint8_t> &required) {
    const std::size_t p = static_cast<std::size_t>(scorer.n_nodes());
    if (adjacency.shape(0) != p || adjacency.shape(1) != p || forbidden.shape(0) != p ||
        forbidden.shape(1) != p || required.shape(0) != p || required.shape(1) != p)
        throw std::invalid_argument("structure search: matrices must be square, one row per node");
}

enum class End : int { max_iter = 0, converged = 1, interrupted = 2 };

// Whether a move would take back one of those made last.
bool undoes_any(const std::deque<Move> &recent, const Move &m) {
    for (const Move &done : recent) {
        const bool same = done.from == m.from && done.to == m.to;
        const bool turned = done.from == m.to && done.to == m.from;
        if (done.change == Change::add && same && m.change != Change::add) return true;
        if (done.change == Change::remove && (same || turned) && m.change == Change::add)
            return true;
        if (done.change == Change::reverse && turned && m.change != Change::add) return true;
    }
    return false;
}

// Greedy ascent; with tabu > 0 it walks on past maxima, never undoing one of its last `tabu` moves,
// until `patience` moves in a row brought nothing better. Returns the trace and how the walk ended.
std::pair<std::vector<double>, int> climb(Scorer &scorer, Matrix<std::uint8_t> adjacency,
                                          Matrix<const std::uint8_t> forbidden,
                                          Matrix<const std::uint8_t> required, int max_parents,
                                          int tabu, int patience, int max_iter, double tol,
                                          int n_threads) {
    check_square(scorer, adjacency, forbidden, required);
    const int p = scorer.n_nodes();
    std::vector<double> trace;
    End end = End::max_iter;
    {
        nb::gil_scoped_release release;
        Interrupt interrupt;
        Climber walk(scorer, adjacency.data(), forbidden.data(), required.data(), max_parents,
                     n_threads);
        const bool ready = walk.gains_of_all([&] { return interrupt.poll(); });
        double now = walk.total(), best = now;
        std::vector<Parents> kept = walk.parents();
        trace.push_back(now);
        std::deque<Move> recent;
        int idle = 0;
        for (int step = 0; ready && step < max_iter && !interrupt.poll(); ++step) {
            const Move move = walk.best(
                [&](const Move &m) { return now + m.gain > best + tol || !undoes_any(recent, m); });
            if (move.from < 0 || (tabu == 0 && move.gain <= tol)) {
                end = End::converged;
                break;
            }
            walk.apply(move);
            now = walk.total();
            if (now > best + tol) {
                best = now;
                kept = walk.parents();
                idle = 0;
            } else if (++idle >= patience) {
                end = End::converged;
                break;
            }
            trace.push_back(now);
            if (tabu > 0) {
                recent.push_back(move);
                if (static_cast<int>(recent.size()) > tabu) recent.pop_front();
            }
        }
        if (interrupt.interrupted()) end = End::interrupted;
        write(kept, adjacency.data(), p);
    }
    return {trace, static_cast<int>(end)};
}

// Simulated annealing: random legal moves, accepted by Metropolis, the temperature falling
// geometrically. Returns the score after every proposal kept and whether it came to its end.
std::pair<std::vector<double>, bool> anneal(Scorer &scorer, Matrix<std::uint8_t> adjacency,
                                            Matrix<const std::uint8_t> forbidden,
                                            Matrix<const std::uint8_t> required, int max_parents,
                                            double hot, double cold, int n_proposals,
                                            std::uint64_t seed) {
    check_square(scorer, adjacency, forbidden, required);
    const int p = scorer.n_nodes();
    std::vector<double> trace;
    nb::gil_scoped_release release;
    Interrupt interrupt;
    Climber walk(scorer, adjacency.data(), forbidden.data(), required.data(), max_parents, 1);
    std::mt19937_64 random(seed);
    const auto uniform = [&] { return static_cast<double>(random() >> 11) * 0x1.0p-53; };
    double now = walk.rescore(), best = now;
    std::vector<Parents> kept = walk.parents();
    trace.push_back(now);
    for (int t = 0; t < n_proposals && p > 1 && !interrupt.poll(); ++t) {
        const double share = n_proposals > 1 ? static_cast<double>(t) / (n_proposals - 1) : 1.0;
        const double temperature = hot * std::pow(cold / hot, share);
        const int from = static_cast<int>(random() % static_cast<std::uint64_t>(p));
        int to = static_cast<int>(random() % static_cast<std::uint64_t>(p - 1));
        to += to >= from;
        const bool there = walk.has(from, to), reversal = uniform() < 0.5;
        if (walk.has(to, from)) continue;
        Move move{there ? (reversal ? Change::reverse : Change::remove) : Change::add, from, to,
                  0.0};
        if (!walk.legal(move.change, from, to)) continue;
        move.gain = walk.difference(move);
        if (move.gain < 0.0 && uniform() >= std::exp(move.gain / temperature)) continue;
        walk.apply(move, false);
        now += move.gain;
        trace.push_back(now);
        if (now > best) {
            best = now;
            kept = walk.parents();
        }
    }
    const bool whole = !interrupt.interrupted();
    write(kept, adjacency.data(), p);
    return {trace, whole};
}

}  // namespace

void bind_structure_climb(nb::module_ &m) {
    m.def("structure_climb", &climb, nb::arg("scorer"), fixed("adjacency"), fixed("forbidden"),
          fixed("required"), nb::arg("max_parents"), nb::arg("tabu"), nb::arg("patience"),
          nb::arg("max_iter"), nb::arg("tol"), nb::arg("n_threads"));
    m.def("structure_anneal", &anneal, nb::arg("scorer"), fixed("adjacency"), fixed("forbidden"),
          fixed("required"), nb::arg("max_parents"), nb::arg("hot"), nb::arg("cold"),
          nb::arg("n_proposals"), nb::arg("seed"));
}

}  // namespace margin
