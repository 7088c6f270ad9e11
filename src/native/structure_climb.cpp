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

#include "native.hpp"
#include "structure_family.hpp"

namespace margin {
namespace {

using structure::Parents;
using structure::Scorer;

enum class Change : int { add, remove, reverse };

struct Move {
    Change change;
    int from, to;
    double gain;
};

// A graph with its ancestors, the gains of every arc, and what background knowledge allows.
class Climber {
  public:
    Climber(Scorer &scorer, const std::uint8_t *adjacency, const std::uint8_t *forbidden,
            const std::uint8_t *required, int max_parents, int n_threads)
        : scorer_(scorer),
          p_(scorer.n_nodes()),
          forbidden_(forbidden, forbidden + static_cast<std::size_t>(p_) * p_),
          required_(required, required + static_cast<std::size_t>(p_) * p_),
          max_parents_(max_parents),
          n_threads_(n_threads),
          parents_(p_),
          words_((p_ + 63) / 64),
          ancestors_(static_cast<std::size_t>(p_) * words_),
          family_(p_),
          gain_(static_cast<std::size_t>(p_) * p_) {
        for (int i = 0; i < p_; ++i)
            for (int j = 0; j < p_; ++j)
                if (adjacency[i * p_ + j]) parents_[j].push_back(i);
        if (!refresh_ancestors()) throw std::invalid_argument("climb: the starting graph has a cycle");
    }

    void gains_of_all() {
        for (int j = 0; j < p_; ++j) gains_of(j);
    }

    double total() const {
        double sum = 0.0;
        for (const double part : family_) sum += part;
        return sum;
    }

    const std::vector<Parents> &parents() const { return parents_; }

    bool has(int from, int to) const {
        return std::binary_search(parents_[to].begin(), parents_[to].end(), from);
    }

    bool legal(Change change, int from, int to) const {
        if (change == Change::add)
            return !forbidden_[from * p_ + to] && !ancestor(to, from) && room(to);
        if (required_[from * p_ + to]) return false;
        if (change == Change::remove) return true;
        if (forbidden_[to * p_ + from] || !room(from)) return false;
        for (const int other : parents_[to])
            if (other != from && ancestor(from, other)) return false;
        return true;
    }

    double gain(Change change, int from, int to) const {
        const double there = gain_[from * p_ + to];
        return change == Change::reverse ? there + gain_[to * p_ + from] : there;
    }

    // Best legal move for which `allowed` holds; gain minus infinity when there is none.
    template <typename Allowed>
    Move best(const Allowed &allowed) const {
        Move found{Change::add, -1, -1, -std::numeric_limits<double>::infinity()};
        const auto offer = [&](Change change, int i, int j) {
            const double value = gain(change, i, j);
            if (value > found.gain && legal(change, i, j) && allowed(Move{change, i, j, value}))
                found = Move{change, i, j, value};
        };
        for (int j = 0; j < p_; ++j)
            for (int i = 0; i < p_; ++i) {
                if (i == j) continue;
                if (has(i, j)) {
                    offer(Change::remove, i, j);
                    offer(Change::reverse, i, j);
                } else if (!has(j, i)) {
                    offer(Change::add, i, j);
                }
            }
        return found;
    }

    void apply(const Move &move, bool with_gains = true) {
        if (move.change == Change::add) insert(move.from, move.to);
        if (move.change != Change::add) erase(move.from, move.to);
        if (move.change == Change::reverse) insert(move.to, move.from);
        refresh_ancestors();
        if (!with_gains) return;
        gains_of(move.to);
        if (move.change == Change::reverse) gains_of(move.from);
    }

    // Difference of the total score, from the cache where possible, for searches without a table of gains.
    double difference(const Move &move) {
        Parents to = parents_[move.to];
        if (move.change == Change::add) {
            to.insert(std::lower_bound(to.begin(), to.end(), move.from), move.from);
        } else {
            to.erase(std::lower_bound(to.begin(), to.end(), move.from));
        }
        double change = scorer_.score(move.to, to) - scorer_.score(move.to, parents_[move.to]);
        if (move.change == Change::reverse) {
            Parents from = parents_[move.from];
            from.insert(std::lower_bound(from.begin(), from.end(), move.to), move.to);
            change += scorer_.score(move.from, from) - scorer_.score(move.from, parents_[move.from]);
        }
        return change;
    }

    double rescore() {
        double sum = 0.0;
        for (int j = 0; j < p_; ++j) sum += family_[j] = scorer_.score(j, parents_[j]);
        return sum;
    }

    int n_nodes() const { return p_; }

  private:
    bool room(int child) const { return static_cast<int>(parents_[child].size()) < max_parents_; }

    bool ancestor(int above, int below) const {
        return (ancestors_[static_cast<std::size_t>(below) * words_ + above / 64] >> (above % 64)) & 1;
    }

    void insert(int from, int to) {
        parents_[to].insert(std::lower_bound(parents_[to].begin(), parents_[to].end(), from), from);
    }

    void erase(int from, int to) {
        parents_[to].erase(std::lower_bound(parents_[to].begin(), parents_[to].end(), from));
    }

    bool refresh_ancestors() {
        std::vector<int> waiting(p_), ready;
        std::vector<std::vector<int>> children(p_);
        for (int j = 0; j < p_; ++j) {
            waiting[j] = static_cast<int>(parents_[j].size());
            if (!waiting[j]) ready.push_back(j);
            for (const int i : parents_[j]) children[i].push_back(j);
        }
        std::size_t done = 0;
        for (; done < ready.size(); ++done) {
            const int j = ready[done];
            std::uint64_t *row = ancestors_.data() + static_cast<std::size_t>(j) * words_;
            std::fill(row, row + words_, 0);
            for (const int i : parents_[j]) {
                const std::uint64_t *above = ancestors_.data() + static_cast<std::size_t>(i) * words_;
                for (std::size_t w = 0; w < words_; ++w) row[w] |= above[w];
                row[i / 64] |= std::uint64_t{1} << (i % 64);
            }
            for (const int child : children[j])
                if (--waiting[child] == 0) ready.push_back(child);
        }
        return done == static_cast<std::size_t>(p_);
    }

    void gains_of(int child) {
        const Parents &now = parents_[child];
        family_[child] = scorer_.score(child, now);
        std::vector<char> wanted(p_, 0);
        std::vector<double> score(p_);
        // A reversal of child -> i needs the gain of i -> child, so descendants are scored as well
        // when they are children; other descendants can wait.
        for (int i = 0; i < p_; ++i)
            wanted[i] = i != child && !forbidden_[i * p_ + child] && room(child) &&
                        !std::binary_search(now.begin(), now.end(), i);
        scorer_.adding(child, now, wanted, score.data(), n_threads_);
        for (int i = 0; i < p_; ++i)
            gain_[i * p_ + child] =
                wanted[i] ? score[i] - family_[child] : -std::numeric_limits<double>::infinity();
        for (const int i : now) {
            Parents fewer;
            for (const int other : now)
                if (other != i) fewer.push_back(other);
            gain_[i * p_ + child] = scorer_.score(child, fewer) - family_[child];
        }
    }

    Scorer &scorer_;
    int p_;
    std::vector<std::uint8_t> forbidden_, required_;
    int max_parents_, n_threads_;
    std::vector<Parents> parents_;
    std::size_t words_;
    std::vector<std::uint64_t> ancestors_;
    std::vector<double> family_, gain_;
};

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

// Greedy ascent; with tabu > 0 it walks on past maxima, never undoing one of its last `tabu` moves,
// until `patience` moves in a row brought nothing better. Returns (trace, converged).
std::pair<std::vector<double>, bool> climb(Scorer &scorer, Matrix<std::uint8_t> adjacency,
                                           Matrix<const std::uint8_t> forbidden,
                                           Matrix<const std::uint8_t> required, int max_parents,
                                           int tabu, int patience, int max_iter, double tol,
                                           int n_threads) {
    check_square(scorer, adjacency, forbidden, required);
    const int p = scorer.n_nodes();
    std::vector<double> trace;
    bool converged = false;
    {
        nb::gil_scoped_release release;
        Climber walk(scorer, adjacency.data(), forbidden.data(), required.data(), max_parents, n_threads);
        walk.gains_of_all();
        double now = walk.total(), best = now;
        std::vector<Parents> kept = walk.parents();
        trace.push_back(now);
        std::deque<Move> recent;
        int idle = 0;
        for (int step = 0; step < max_iter; ++step) {
            const Move move = walk.best([&](const Move &m) {
                if (now + m.gain > best + tol) return true;
                for (const Move &done : recent) {
                    const bool same = done.from == m.from && done.to == m.to;
                    const bool turned = done.from == m.to && done.to == m.from;
                    if (done.change == Change::add && same && m.change != Change::add) return false;
                    if (done.change == Change::remove && same && m.change == Change::add) return false;
                    if (done.change == Change::remove && turned && m.change == Change::add) return false;
                    if (done.change == Change::reverse && turned && m.change != Change::add) return false;
                }
                return true;
            });
            if (move.from < 0 || (tabu == 0 && move.gain <= tol)) {
                converged = true;
                break;
            }
            walk.apply(move);
            now = walk.total();
            if (now > best + tol) {
                best = now;
                kept = walk.parents();
                idle = 0;
            } else if (++idle >= patience) {
                converged = true;
                break;
            }
            trace.push_back(now);
            if (tabu > 0) {
                recent.push_back(move);
                if (static_cast<int>(recent.size()) > tabu) recent.pop_front();
            }
        }
        write(kept, adjacency.data(), p);
    }
    return {trace, converged};
}

// Simulated annealing: random legal moves, accepted by Metropolis, the temperature falling
// geometrically. Returns the score after every proposal kept.
std::vector<double> anneal(Scorer &scorer, Matrix<std::uint8_t> adjacency,
                           Matrix<const std::uint8_t> forbidden,
                           Matrix<const std::uint8_t> required, int max_parents, double hot,
                           double cold, int n_proposals, std::uint64_t seed) {
    check_square(scorer, adjacency, forbidden, required);
    const int p = scorer.n_nodes();
    std::vector<double> trace;
    nb::gil_scoped_release release;
    Climber walk(scorer, adjacency.data(), forbidden.data(), required.data(), max_parents, 1);
    std::mt19937_64 random(seed);
    const auto uniform = [&] { return static_cast<double>(random() >> 11) * 0x1.0p-53; };
    double now = walk.rescore(), best = now;
    std::vector<Parents> kept = walk.parents();
    trace.push_back(now);
    for (int t = 0; t < n_proposals && p > 1; ++t) {
        const double share = n_proposals > 1 ? static_cast<double>(t) / (n_proposals - 1) : 1.0;
        const double temperature = hot * std::pow(cold / hot, share);
        const int from = static_cast<int>(random() % static_cast<std::uint64_t>(p));
        int to = static_cast<int>(random() % static_cast<std::uint64_t>(p - 1));
        to += to >= from;
        const bool there = walk.has(from, to), reversal = uniform() < 0.5;
        if (walk.has(to, from)) continue;
        Move move{there ? (reversal ? Change::reverse : Change::remove) : Change::add, from, to, 0.0};
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
    write(kept, adjacency.data(), p);
    return trace;
}

}  // namespace

void bind_structure_climb(nb::module_ &m) {
    m.def("structure_climb", &climb, nb::arg("scorer"), nb::arg("adjacency").noconvert(),
          nb::arg("forbidden").noconvert(), nb::arg("required").noconvert(), nb::arg("max_parents"),
          nb::arg("tabu"), nb::arg("patience"), nb::arg("max_iter"), nb::arg("tol"),
          nb::arg("n_threads"));
    m.def("structure_anneal", &anneal, nb::arg("scorer"), nb::arg("adjacency").noconvert(),
          nb::arg("forbidden").noconvert(), nb::arg("required").noconvert(), nb::arg("max_parents"),
          nb::arg("hot"), nb::arg("cold"), nb::arg("n_proposals"), nb::arg("seed"));
}

}  // namespace margin
