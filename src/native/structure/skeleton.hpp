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
// in `neighbours`, all before `first` being as in the last call; judge(position, p_value) of a
// neighbour.
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

template <typename Worker>
void visit(Worker &worker, int i, const std::vector<int> &near, const Round &round, Skeleton &out,
           Findings &findings, Interrupt &interrupt) {
    const auto [p, level, upwards, pool, tried, required, budget] = round;
    const auto within = [&](const std::uint8_t *rows, int node,
                            const std::vector<std::size_t> &members) {
        const std::uint8_t *row = rows + static_cast<std::size_t>(node) * round.p;
        return std::all_of(members.begin(), members.end(),
                           [&](std::size_t b) { return row[near[b]] != 0; });
    };
    std::vector<std::size_t> pending;
    for (std::size_t a = 0; a < near.size(); ++a) {
        const std::size_t lo = std::min(i, near[a]), hi = std::max(i, near[a]);
        if ((near[a] > i) == upwards && out.adjacent[lo * p + hi] && !required[lo * p + hi])
            pending.push_back(a);
    }
    if (pending.empty() || near.size() < level + 1) return;
    worker.begin(i, near);
    std::vector<std::size_t> set(level);
    for (std::size_t a = 0; a < level; ++a) set[a] = a;
    std::size_t changed = 0;
    while (true) {
        bool ready = false;
        for (std::size_t t = 0; t < pending.size();) {
            const std::size_t a = pending[t];
            const int j = near[a];
            bool known = std::find(set.begin(), set.end(), a) != set.end();
            // The other end has tried every set among its own candidates.
            if (!known && !upwards) known = within(pool, j, set);
            if (!known && tried) known = within(tried, i, set) || within(tried, j, set);
            if (known) {
                ++t;
                continue;
            }
            if (findings.tests >= budget) {
                findings.cut = true;
                return;
            }
            if (findings.tests % 64 == 0 && interrupt.poll()) return;
            if (!ready) worker.condition(set, changed);
            ready = true;
            double p_value = 0.0;
            const Verdict verdict = worker.judge(a, p_value);
            ++findings.tests;
            findings.skipped += verdict == Verdict::skipped;
            const std::size_t lo = std::min(i, j), hi = std::max(i, j);
            if (verdict != Verdict::skipped)
                out.largest_p[lo * p + hi] = std::max(out.largest_p[lo * p + hi], p_value);
            if (verdict == Verdict::independent) {
                Removed gone{static_cast<int>(lo), static_cast<int>(hi), p_value, {}};
                for (const std::size_t b : set) gone.given.push_back(near[b]);
                findings.removed.push_back(std::move(gone));
                pending.erase(pending.begin() + static_cast<Index>(t));
            } else {
                ++t;
            }
        }
        if (pending.empty()) return;
        std::size_t at = level;
        while (at > 0 && set[at - 1] == near.size() - level + at - 1) --at;
        if (at == 0) return;
        ++set[at - 1];
        for (std::size_t b = at; b < level; ++b) set[b] = set[b - 1] + 1;
        changed = ready ? at - 1 : std::min(changed, at - 1);
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
    nb::list removed, tests, skipped;
    for (const Removed &gone : found.removed) {
        nb::list given;
        for (const int s : gone.given) given.append(s);
        removed.append(nb::make_tuple(gone.i, gone.j, nb::tuple(given), gone.p_value));
    }
    for (const std::int64_t count : found.tests) tests.append(count);
    for (const std::int64_t count : found.skipped) skipped.append(count);
    Record out;
    out["removed"] = removed;
    out["tests"] = tests;
    out["skipped"] = skipped;
    out["cut"] = found.cut;
    return out;
}

}  // namespace margin::skeleton
