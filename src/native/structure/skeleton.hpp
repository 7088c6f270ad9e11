// The order-independent skeleton search, for any test of conditional independence.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "common/interrupt.hpp"
#include "common/native.hpp"
#include "common/team.hpp"

namespace margin::skeleton {

struct Removed {
    int i, j;
    double p_value;
    std::vector<int> given;
};

struct Skeleton {
    std::vector<std::uint8_t> adjacent;  // p * p, symmetric
    std::vector<double> largest_p;       // p * p, upper half: largest p-value seen for the pair
    std::vector<Removed> removed;
    std::vector<std::int64_t> tests;    // per size of the conditioning set
    std::vector<std::int64_t> skipped;  // tests that had too little data, per size
    bool cut = false;                   // whether the tests ran out before the search was over
};

enum class Verdict { dependent, independent, skipped };

// Worker: begin(i, neighbours) once per node; condition(set, first) with the positions of the set
// in `neighbours`, all before `first` being as in the last call; judge(position, closeness) of a
// neighbour, the closeness to independence being a number that rises with the p-value; and
// p_value(closeness), which is asked for seldom: both of the size of the last condition.
struct Round {
    std::size_t p, level;
    bool upwards;               // from the node of lower number
    const std::uint8_t *pool;   // members of conditioning sets, row by row; the neighbours at first
    const std::uint8_t *tried;  // sets within a row of it were tried in an earlier search; or null
    const std::uint8_t *required;
    std::int64_t budget;  // tests of one node: its own share, whatever the other threads do
};

struct Findings {  // of one node
    std::vector<Removed> removed;
    std::int64_t tests = 0, skipped = 0;
    bool cut = false;
};

// Sets of positions among the candidates of a node as bits, one after the other.
class Subsets {
  public:
    explicit Subsets(std::size_t size, std::size_t count = 1)
        : words_((size + 63) / 64), bits_(words_ * count, 0) {}

    void add(std::size_t position, std::size_t at = 0) {
        bits_[at * words_ + position / 64] |= std::uint64_t{1} << (position % 64);
    }

    void remove(std::size_t position) {
        bits_[position / 64] &= ~(std::uint64_t{1} << (position % 64));
    }

    bool has(std::size_t position) const { return bits_[position / 64] >> (position % 64) & 1; }

    // Whether the first set lies within one of the others.
    bool within(const Subsets &others, std::size_t at) const {
        for (std::size_t k = 0; k < words_; ++k)
            if (bits_[k] & ~others.bits_[at * words_ + k]) return false;
        return true;
    }

    // The candidates that stand in a row.
    void add_row(const std::uint8_t *row, const std::vector<int> &near, std::size_t at = 0) {
        for (std::size_t b = 0; b < near.size(); ++b)
            if (row[near[b]]) add(b, at);
    }

  private:
    std::size_t words_;
    std::vector<std::uint64_t> bits_;
};

struct Pending {
    std::size_t position;     // among the candidates
    double closest = -1e300;  // of its tests so far
    bool tested = false, done = false;
};

template <typename Worker>
void visit(Worker &worker, int i, const std::vector<int> &near, const Round &round, Skeleton &out,
           Findings &findings, Interrupt &interrupt) {
    const auto [p, level, upwards, pool, tried, required, budget] = round;
    std::vector<Pending> pending;
    for (std::size_t a = 0; a < near.size(); ++a) {
        const std::size_t lo = std::min(i, near[a]), hi = std::max(i, near[a]);
        if ((near[a] > i) == upwards && out.adjacent[lo * p + hi] && !required[lo * p + hi])
            pending.push_back({a});
    }
    if (pending.empty() || near.size() < level + 1) return;
    // Sets that need no test: the other end has tried those among its own candidates, and an
    // earlier search those within the neighbours of either.
    Subsets chosen(near.size()), here(near.size());
    Subsets other_pool(near.size(), pending.size()), other_tried(near.size(), pending.size());
    if (tried) here.add_row(tried + static_cast<std::size_t>(i) * p, near);
    for (std::size_t t = 0; t < pending.size(); ++t) {
        const std::size_t row = static_cast<std::size_t>(near[pending[t].position]) * p;
        if (!upwards) other_pool.add_row(pool + row, near, t);
        if (tried) other_tried.add_row(tried + row, near, t);
    }
    std::size_t left = 0;
    for (std::size_t t = 0; t < pending.size(); ++t) {
        Subsets others(near.size());
        for (std::size_t b = 0; b < near.size(); ++b)
            if (b != pending[t].position) others.add(b);
        pending[t].done = (!upwards && others.within(other_pool, t)) ||
                          (tried && (others.within(other_tried, t) || others.within(here, 0)));
        left += !pending[t].done;
    }
    if (left == 0) return;
    worker.begin(i, near);
    std::vector<std::size_t> set(level);
    for (std::size_t a = 0; a < level; ++a) chosen.add(set[a] = a);
    std::size_t changed = 0;
    // False when tests or patience have run out.
    const auto try_set = [&](bool &ready) {
        for (std::size_t t = 0; t < pending.size(); ++t) {
            Pending &of = pending[t];
            if (of.done || chosen.has(of.position) || (!upwards && chosen.within(other_pool, t)) ||
                (tried && chosen.within(other_tried, t)))
                continue;
            if (findings.tests >= budget) {
                findings.cut = true;
                return false;
            }
            if (findings.tests % 64 == 0 && interrupt.poll()) return false;
            if (!ready) worker.condition(set, changed);
            ready = true;
            double closeness = 0.0;
            const Verdict verdict = worker.judge(of.position, closeness);
            ++findings.tests;
            findings.skipped += verdict == Verdict::skipped;
            if (verdict == Verdict::skipped) continue;
            of.closest = std::max(of.closest, closeness);
            of.tested = true;
            if (verdict == Verdict::independent) {
                const int j = near[of.position];
                Removed gone{std::min(i, j), std::max(i, j), worker.p_value(closeness), {}};
                for (const std::size_t b : set) gone.given.push_back(near[b]);
                findings.removed.push_back(std::move(gone));
                of.done = true;
                --left;
            }
        }
        return true;
    };
    bool within_reach = true;
    while (within_reach && left > 0) {
        bool ready = false;
        if (!tried || !chosen.within(here, 0)) within_reach = try_set(ready);
        std::size_t at = level;
        while (at > 0 && set[at - 1] == near.size() - level + at - 1) --at;
        if (at == 0) break;
        for (std::size_t b = at - 1; b < level; ++b) chosen.remove(set[b]);
        ++set[at - 1];
        for (std::size_t b = at; b < level; ++b) set[b] = set[b - 1] + 1;
        for (std::size_t b = at - 1; b < level; ++b) chosen.add(set[b]);
        changed = ready ? at - 1 : std::min(changed, at - 1);
    }
    for (const Pending &of : pending) {
        if (!of.tested) continue;
        const std::size_t lo = std::min(i, near[of.position]), hi = std::max(i, near[of.position]);
        double &largest = out.largest_p[lo * p + hi];
        largest = std::max(largest, worker.p_value(of.closest));
    }
}

// Conditioning sets are taken from the neighbours of the time or, where `candidates` is given, from
// its rows, less the sets within the neighbours at the start: an earlier search has tried those.
// The effort is the work of one test, in numbers read. After `max_tests` tests the search ends with
// the size of the condition that it has reached; edges it has not come to stay.
template <typename MakeWorker>
Skeleton search(std::size_t p, const std::uint8_t *start, const std::uint8_t *required,
                const std::uint8_t *candidates, std::size_t max_level,
                const MakeWorker &make_worker, double effort, int n_threads,
                std::int64_t max_tests) {
    Skeleton out;
    std::int64_t left = max_tests;
    Interrupt interrupt;
    out.adjacent.assign(start, start + p * p);
    out.largest_p.assign(p * p, 0.0);
    for (std::size_t level = 0; level <= max_level && !out.cut; ++level) {
        const std::vector<std::uint8_t> before = out.adjacent;
        const std::uint8_t *pool = candidates ? candidates : before.data();
        std::vector<std::vector<int>> near(p);
        std::size_t widest = 0;
        for (std::size_t i = 0; i < p; ++i) {
            for (std::size_t j = 0; j < p; ++j)
                if (pool[i * p + j] || before[i * p + j]) near[i].push_back(static_cast<int>(j));
            widest = std::max(widest, near[i].size());
        }
        if (widest < level + 1) break;
        // At most: every neighbour with every set of the others.
        double n_sets = 0.0;
        for (const auto &list : near) {
            double sets = static_cast<double>(list.size());
            for (std::size_t a = 0; a < level && a + 1 < list.size(); ++a)
                sets *= static_cast<double>(list.size() - 1 - a) / static_cast<double>(a + 1);
            n_sets += sets;
        }
        std::int64_t n_tests = 0, n_skipped = 0, busy = 0;
        for (const auto &list : near) busy += list.size() > level;
        for (const bool upwards : {true, false}) {
            if (level == 0 && !upwards) continue;
            std::vector<Findings> findings(p);
            const Round round{p,        level,      upwards, pool, candidates ? start : nullptr,
                              required, left / busy};
            team::run(n_threads, n_sets * effort, p, [&] {
                return [&, worker = make_worker()](Index i) mutable {
                    if (!interrupt.poll())
                        visit(worker, static_cast<int>(i), near[i], round, out, findings[i],
                              interrupt);
                };
            });
            interrupt.rethrow();
            for (const Findings &of_node : findings) {
                n_tests += of_node.tests;
                n_skipped += of_node.skipped;
                left -= of_node.tests;
                out.cut = out.cut || of_node.cut;
                for (const Removed &gone : of_node.removed) {
                    out.adjacent[gone.i * p + gone.j] = out.adjacent[gone.j * p + gone.i] = 0;
                    out.removed.push_back(gone);
                }
            }
        }
        out.tests.push_back(n_tests);
        out.skipped.push_back(n_skipped);
    }
    return out;
}

inline Record to_python(const Skeleton &found, Matrix<std::uint8_t> adjacency,
                        Matrix<double> largest_p) {
    std::copy(found.adjacent.begin(), found.adjacent.end(), adjacency.data());
    std::copy(found.largest_p.begin(), found.largest_p.end(), largest_p.data());
    nb::dict separators, p_values;
    nb::list tests, skipped;
    for (const Removed &gone : found.removed) {
        nb::list given;
        for (const int s : gone.given) given.append(s);
        const nb::tuple pair = nb::make_tuple(gone.i, gone.j);
        separators[pair] = nb::tuple(given);
        p_values[pair] = gone.p_value;
    }
    for (const std::int64_t count : found.tests) tests.append(count);
    for (const std::int64_t count : found.skipped) skipped.append(count);
    Record out;
    out["separators"] = separators;
    out["p_values"] = p_values;
    out["tests"] = tests;
    out["skipped"] = skipped;
    out["cut"] = found.cut;
    return out;
}

}  // namespace margin::skeleton
