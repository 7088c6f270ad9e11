// Greedy search over equivalence classes: insertions, deletions and turns of single arcs.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>
#include <stdexcept>
#include <tuple>
#include <utility>
#include <vector>

#include "structure/essential.hpp"
#include "structure/family.hpp"

namespace margin::structure {

enum class Phase : int { insert = 0, remove = 1, turn = 2 };

// The arc from -> to comes, goes or is turned in a member of the class where, of the undirected
// neighbours of `to`, exactly `clique` points at it.
struct Step {
    double gain;
    int from, to;
    std::vector<int> clique;

    bool operator<(const Step &other) const {
        if (gain != other.gain) return gain < other.gain;
        return std::tie(from, to, clique) > std::tie(other.from, other.to, other.clique);
    }
};

struct Limits {
    int max_degree;
    std::int64_t max_steps;  // steps scored
    double tol;
    int n_threads;
};

class ClassSearch {
  public:
    ClassSearch(Scorer &scorer, const std::uint8_t *adjacency, const std::uint8_t *forbidden,
                const std::uint8_t *required, const std::uint8_t *separated, const Limits &limits)
        : scorer_(scorer), p_(scorer.n_nodes()), limits_(limits), forbidden_(rows(forbidden)),
          required_(rows(required)), separated_(rows(separated)), seen_(p_) {
        Rows parents = no_rows(p_);
        for (int j = 0; j < p_; ++j)
            for (int i = 0; i < p_; ++i)
                if (adjacency[i * p_ + j]) parents[j].add(i);
        if (static_cast<int>(ordered(parents).size()) < p_)
            throw std::invalid_argument("class search: the starting graph has a cycle");
        graph_ = essential(parents, separated_);
        if (!agrees(graph_))
            throw std::invalid_argument("class search: the starting graph contradicts knowledge");
    }

    const Partly &graph() const { return graph_; }

    // The class with the arrows that knowledge adds.
    Partly informed() const {
        Partly graph = graph_;
        inform(graph);
        return graph;
    }

    bool exhausted() const { return scored_ > limits_.max_steps; }

    // The best valid step of this kind, made; nothing where none gains.
    template <typename Stop>
    std::optional<Step> improve(Phase phase, const Stop &stop) {
        refresh(phase, stop);
        if (seen_.phase < 0) return std::nullopt;
        std::vector<const Step *> open;
        for (const std::vector<Step> &steps : steps_)
            for (const Step &step : steps) open.push_back(&step);
        const auto worse = [](const Step *a, const Step *b) { return *a < *b; };
        std::make_heap(open.begin(), open.end(), worse);
        for (; !open.empty(); open.pop_back()) {
            std::pop_heap(open.begin(), open.end(), worse);
            const Step step = *open.back();
            std::optional<Partly> next = after(phase, step);
            if (!next) continue;
            graph_ = std::move(*next);
            return step;
        }
        return std::nullopt;
    }

    // All valid steps of this kind and the classes they lead to.
    template <typename Stop>
    std::vector<std::pair<Step, Partly>> steps(Phase phase, const Stop &stop) {
        refresh(phase, stop);
        std::vector<std::pair<Step, Partly>> valid;
        for (const std::vector<Step> &some : steps_)
            for (const Step &step : some)
                if (std::optional<Partly> next = after(phase, step))
                    valid.emplace_back(step, std::move(*next));
        return valid;
    }

  private:
    Rows rows(const std::uint8_t *matrix) const {
        Rows out = no_rows(p_);
        for (int i = 0; i < p_; ++i)
            for (int j = 0; j < p_; ++j)
                if (i != j && matrix[i * p_ + j]) out[i].add(j);
        return out;
    }

    // Directs what knowledge decides; whether some member agrees with all of it.
    bool inform(Partly &graph) const {
        for (int a = 0; a < p_; ++a) {
            const std::vector<int> beside = graph.joined[a].list();
            for (const int b : beside) {
                if (!forbidden_[b].has(a)) continue;
                if (forbidden_[a].has(b) || graph.parents[a].has(b)) return false;
                if (!graph.near[a].has(b)) continue;
                graph.direct(a, b);
                graph.close();
            }
        }
        return true;
    }

    bool agrees(const Partly &graph) const {
        Partly copy = graph;
        return inform(copy);
    }

    Nodes set_of(const std::vector<int> &list) const {
        Nodes out(p_);
        for (const int i : list) out.add(i);
        return out;
    }

    // Whether a path from `start`, never against an arrow, reaches `end` beside `wall`, other than
    // by one arrow where `direct_too` is false.
    bool reaches(int start, int end, const Nodes &wall, bool direct_too = true) const {
        Nodes seen = wall;
        seen.add(start);
        std::vector<int> front{start};
        while (!front.empty()) {
            const int i = front.back();
            front.pop_back();
            Nodes ahead = (graph_.children[i] | graph_.near[i]) - seen;
            if (i == start && !direct_too) ahead.drop(end);
            if (ahead.has(end)) return true;
            seen = seen | ahead;
            ahead.each([&](int j) { front.push_back(j); });
        }
        return false;
    }

    // Whether undirected edges inside `room` join the two sets.
    bool connected(const Nodes &room, const Nodes &one, const Nodes &other) const {
        Nodes seen = one;
        std::vector<int> front = one.list();
        while (!front.empty()) {
            const int i = front.back();
            front.pop_back();
            const Nodes ahead = (graph_.near[i] & room) - seen;
            if (ahead.meets(other)) return true;
            seen = seen | ahead;
            ahead.each([&](int j) { front.push_back(j); });
        }
        return false;
    }

    // The class behind a step; nothing where it is not valid or not allowed.
    std::optional<Partly> after(Phase phase, const Step &step) const {
        const int x = step.from, y = step.to;
        const Nodes clique = set_of(step.clique);
        std::vector<int> first = step.clique;
        if (phase == Phase::insert) {
            if (graph_.joined[x].size() >= limits_.max_degree ||
                graph_.joined[y].size() >= limits_.max_degree || reaches(y, x, clique))
                return std::nullopt;
        } else if (phase == Phase::remove) {
            if (required_[x].has(y) || required_[y].has(x)) return std::nullopt;
            if (graph_.near[x].has(y)) first.push_back(x);
        } else if (graph_.near[x].has(y)) {
            const Nodes both = graph_.near[y] & graph_.near[x], shared = clique & both;
            if (connected(graph_.near[y] - shared, clique - both, both - clique))
                return std::nullopt;
            first = shared.list();
            (clique - both).each([&](int i) { first.push_back(i); });
        } else {
            if (reaches(y, x, clique | graph_.near[x], false)) return std::nullopt;
            first.insert(first.begin(), x);
        }
        first.push_back(y);
        if (phase == Phase::turn && graph_.near[x].has(y)) first.push_back(x);
        Rows parents = member(graph_, first);
        if (phase == Phase::turn) parents[x].drop(y);
        if (phase == Phase::remove) {
            parents[y].drop(x);
        } else {
            parents[y].add(x);
        }
        if (static_cast<int>(ordered(parents).size()) < p_) return std::nullopt;
        Partly next = essential(parents, separated_);
        if (!agrees(next)) return std::nullopt;
        return next;
    }

    // What the steps of a pair were made from; the steps stand as long as it does.
    struct Seen {
        Partly graph;
        int phase = -1;
        explicit Seen(int n) : graph(n) {}
    };

    template <typename Stop>
    void refresh(Phase phase, const Stop &stop) {
        const std::size_t p = static_cast<std::size_t>(p_);
        const bool all = seen_.phase != static_cast<int>(phase);
        if (all) steps_.assign(p * p, {});
        const Partly &old = seen_.graph;
        std::vector<char> moved(p, 1), parted(p, 1);
        for (int j = 0; !all && j < p_; ++j) {
            parted[j] = !(old.parents[j] == graph_.parents[j] && old.near[j] == graph_.near[j]);
            moved[j] = parted[j] || graph_.near[j].any([&](int i) {
                return !((old.joined[i] & old.near[j]) == (graph_.joined[i] & graph_.near[j]));
            });
        }
        seen_.phase = -1;  // an interruption leaves some steps out of date
        for (int y = 0; y < p_ && !exhausted(); ++y) {
            if (stop()) return;
            std::vector<int> tails;
            for (int x = 0; x < p_; ++x) {
                if (x == y) continue;
                const bool stale =
                    moved[y] || (phase == Phase::turn && parted[x]) ||
                    !(old.joined[x].has(y) == graph_.joined[x].has(y)) ||
                    !(old.parents[x].has(y) == graph_.parents[x].has(y)) ||
                    !((old.joined[x] & graph_.near[y]) == (graph_.joined[x] & graph_.near[y]));
                if (!stale) continue;
                steps_[static_cast<std::size_t>(y) * p + x].clear();
                tails.push_back(x);
            }
            if (!tails.empty()) find(phase, y, tails);
        }
        seen_.graph = graph_;
        seen_.phase = static_cast<int>(phase);
    }

    // Cliques between `base` and `base` with some of `more`, which are joined to all of it.
    template <typename Visit>
    bool cliques(std::vector<int> &chosen, const Nodes &more, const Visit &visit) {
        if (++scored_ > limits_.max_steps) return false;
        visit(chosen);
        Nodes left = more;
        return !more.any([&](int i) {
            left.drop(i);
            chosen.push_back(i);
            const bool whole = cliques(chosen, left & graph_.joined[i], visit);
            chosen.pop_back();
            return !whole;
        });
    }

    static Parents sorted(std::vector<int> list) {
        std::sort(list.begin(), list.end());
        return list;
    }

    void keep(double gain, int x, int y, const std::vector<int> &clique) {
        if (gain > limits_.tol)
            steps_[static_cast<std::size_t>(y) * static_cast<std::size_t>(p_) + x].push_back(
                Step{gain, x, y, sorted(clique)});
    }

    void find(Phase phase, int y, const std::vector<int> &tails) {
        std::map<std::vector<int>, std::vector<char>> wanted;  // tails of new arrows by clique
        for (const int x : tails) {
            const bool joined = graph_.joined[x].has(y);
            if (forbidden_[x].has(y) && (phase != Phase::remove || !joined)) continue;
            if (joined == (phase == Phase::insert)) continue;
            const Nodes both = graph_.near[y] & graph_.joined[x];
            std::vector<int> chosen;
            if (phase == Phase::remove) {
                if (graph_.children[y].has(x)) continue;
                cliques(chosen, both, [&](const std::vector<int> &clique) {
                    keep(-gain_of(x, y, clique), x, y, clique);
                });
            } else if (phase == Phase::insert || graph_.children[y].has(x)) {
                chosen = both.list();
                if (both.any([&](int i) {
                        Nodes others = both - graph_.joined[i];
                        others.drop(i);
                        return !others.empty();
                    }))
                    continue;
                Nodes more = graph_.near[y] - both;
                both.each([&](int i) { more = more & graph_.joined[i]; });
                cliques(chosen, more, [&](const std::vector<int> &clique) {
                    std::vector<char> &these = wanted[sorted(clique)];
                    these.resize(static_cast<std::size_t>(p_), 0);
                    these[x] = 1;
                });
            } else if (graph_.near[y].has(x)) {
                Nodes more = graph_.near[y];
                more.drop(x);
                cliques(chosen, more, [&](const std::vector<int> &clique) {
                    const Nodes members = set_of(clique);
                    if (members.within(both)) return;
                    const std::vector<int> shared = (members & both).list();
                    keep(gain_of(x, y, clique) - gain_of(y, x, shared), x, y, clique);
                });
            }
        }
        for (const auto &[clique, these] : wanted) score(phase, y, clique, these);
    }

    Parents family(int y, const std::vector<int> &clique) const {
        return (graph_.parents[y] | set_of(clique)).list();
    }

    // What x adds to y beside a clique and the other parents of y.
    double gain_of(int x, int y, const std::vector<int> &clique) {
        Nodes with = graph_.parents[y] | set_of(clique);
        with.drop(x);
        const double without = scorer_.score(y, with.list());
        with.add(x);
        return scorer_.score(y, with.list()) - without;
    }

    // Many arrows into one node are scored at once.
    void score(Phase phase, int y, const std::vector<int> &clique,
               const std::vector<char> &wanted) {
        const Parents now = family(y, clique);
        std::vector<double> value(static_cast<std::size_t>(p_));
        scorer_.adding(y, now, wanted, value.data(), limits_.n_threads);
        const double without = scorer_.score(y, now);
        for (int x = 0; x < p_; ++x) {
            if (!wanted[x]) continue;
            double gain = value[x] - without;
            if (phase == Phase::turn) gain -= gain_of(y, x, {});
            keep(gain, x, y, clique);
        }
    }

    Scorer &scorer_;
    int p_;
    Limits limits_;
    Rows forbidden_, required_, separated_;
    Seen seen_;
    Partly graph_;
    std::vector<std::vector<Step>> steps_;
    std::int64_t scored_ = 0;
};

}  // namespace margin::structure
