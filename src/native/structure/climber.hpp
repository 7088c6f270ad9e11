// A directed acyclic graph under change, with the gain of every single arc.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <stdexcept>
#include <vector>

#include "common/index.hpp"
#include "common/team.hpp"
#include "structure/family.hpp"

namespace margin::structure {

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
        : scorer_(scorer), p_(scorer.n_nodes()),
          forbidden_(forbidden, forbidden + static_cast<std::size_t>(p_) * p_),
          required_(required, required + static_cast<std::size_t>(p_) * p_),
          max_parents_(max_parents), n_threads_(n_threads), parents_(p_), words_((p_ + 63) / 64),
          ancestors_(static_cast<std::size_t>(p_) * words_), family_(p_),
          gain_(static_cast<std::size_t>(p_) * p_) {
        for (int i = 0; i < p_; ++i)
            for (int j = 0; j < p_; ++j)
                if (adjacency[i * p_ + j]) parents_[j].push_back(i);
        if (!refresh_ancestors())
            throw std::invalid_argument("climb: the starting graph has a cycle");
    }

    // Stops between two nodes when `stop` says so; only then some gains are unknown.
    template <typename Stop>
    bool gains_of_all(const Stop &stop) {
        rescore();
        learn_additions(stop);
        for (int j = 0; j < p_; ++j) {
            if (stop()) return false;
            gains_of(j);
        }
        return true;
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

    // Difference of the total score, from the cache where possible, for searches without a table of
    // gains.
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
            change +=
                scorer_.score(move.from, from) - scorer_.score(move.from, parents_[move.from]);
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
        return (ancestors_[static_cast<std::size_t>(below) * words_ + above / 64] >> (above % 64)) &
               1;
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
                const std::uint64_t *above =
                    ancestors_.data() + static_cast<std::size_t>(i) * words_;
                for (std::size_t w = 0; w < words_; ++w) row[w] |= above[w];
                row[i / 64] |= std::uint64_t{1} << (i % 64);
            }
            for (const int child : children[j])
                if (--waiting[child] == 0) ready.push_back(child);
        }
        return done == static_cast<std::size_t>(p_);
    }

    // A reversal of child -> i needs the gain of i -> child, so descendants are scored as well
    // when they are children; other descendants can wait.
    std::vector<char> addable(int child) const {
        const Parents &now = parents_[child];
        std::vector<char> wanted(p_, 0);
        for (int i = 0; i < p_; ++i)
            wanted[i] = i != child && !forbidden_[i * p_ + child] && room(child) &&
                        !std::binary_search(now.begin(), now.end(), i);
        return wanted;
    }

    // Scores of every child with one parent more, children shared among threads; into the cache.
    // One child alone may be too little work for several threads, all of them are not.
    template <typename Stop>
    void learn_additions(const Stop &stop) {
        const std::size_t p = static_cast<std::size_t>(p_);
        std::vector<double> score(p * p);
        std::vector<Scorer::Unknown> todo;
        double work = 0.0;
        for (int j = 0; j < p_; ++j) {
            todo.push_back(scorer_.look_up(j, parents_[j], addable(j), score.data() + j * p));
            work += scorer_.effort() * static_cast<double>(todo.back().extra.size());
        }
        if (team::size(n_threads_, work, p_) == 1) return;
        std::vector<char> known(p, 0);
        team::each(n_threads_, work, p_, [&](Index j) {
            if (stop()) return;
            scorer_.compute_adding(static_cast<int>(j), parents_[j], todo[j].extra,
                                   score.data() + j * p, 1);
            known[j] = 1;
        });
        for (std::size_t j = 0; j < p; ++j)
            if (known[j]) scorer_.keep(todo[j], score.data() + j * p);
    }

    void gains_of(int child) {
        const Parents &now = parents_[child];
        family_[child] = scorer_.score(child, now);
        const std::vector<char> wanted = addable(child);
        std::vector<double> score(p_);
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

}  // namespace margin::structure
