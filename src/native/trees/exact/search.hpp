// The best split of every node of a level, threads sharing the columns.
#pragma once

#include "trees/exact/grower.hpp"

namespace margin::trees::exact {

// `asked`: one flag per place and column. What a thread finds stays with it until all have ended;
// ties go to the first column, so that the answer does not depend on who looked where.
template <typename C>
void Grower<C>::search_columns(const Places &places, const std::vector<std::uint8_t> &asked) {
    const Index p = columns_.n_columns, m = static_cast<Index>(places.size());
    double work = 0.0;
    for (const Index i : places) work += 4.0 * double(nodes_[i].size()) + 40.0;
    work *= asked.empty() ? double(p) : double(settings_.max_features);
    std::mutex mutex;
    const auto take = [&](Index at, Candidate &&candidate) {
        Candidate &best = nodes_[places[at]].split;
        if (candidate.valid() && (!best.valid() || best.worse_than(candidate)))
            best = std::move(candidate);
    };
    struct Worker {
        C criterion;
        std::vector<Candidate> best;
        std::vector<const Entry *> by_target;
        std::vector<Entry> spare;
    };
    std::vector<std::unique_ptr<Worker>> workers;
    team::run(n_threads_, work, p, [&] {
        auto owned =
            std::make_unique<Worker>(Worker{C(targets_), std::vector<Candidate>(m), {}, {}});
        Worker *worker = owned.get();
        const std::lock_guard lock(mutex);
        workers.push_back(std::move(owned));
        return [&, worker](Index j) {
            if (interrupt_.poll()) return;
            for (Index at = 0; at < m; ++at) {
                const GrowingNode &node = nodes_[places[at]];
                if (!asked.empty() && !asked[at * p + j]) continue;
                if (asked.empty() && !may_use(node, j)) continue;
                const Entry *rows = lists_[j] + node.start;
                if (code_of(rows[0]) == code_of(rows[node.size() - 1])) continue;
                worker->criterion.enter(rows_of(places[at], worker->by_target));
                const Rules rules = rules_of(node, j);
                Candidate candidate = columns_.categorical[j]
                                          ? split_categories(worker->criterion, targets_, rows,
                                                             node.size(), rules, j, worker->spare)
                                          : scan(worker->criterion, rows, node.size(), rules, j);
                if (candidate.valid() && worker->best[at].worse_than(candidate))
                    worker->best[at] = std::move(candidate);
            }
        };
    });
    for (auto &worker : workers)
        for (Index at = 0; at < m; ++at) take(at, std::move(worker->best[at]));
}

// With a limit, the first `max_features` columns of a random order that are not constant in the
// node; if none of them can be split, the first of the others that can.
template <typename C>
void Grower<C>::search_sorted(const Places &places) {
    const Index p = columns_.n_columns;
    if (settings_.max_features >= p) {
        search_columns(places, {});
        return;
    }
    const Index most = std::max<Index>(1, Index{1 << 22} / std::max<Index>(1, p));
    for (Index first = 0; first < static_cast<Index>(places.size()); first += most) {
        const Index last = std::min<Index>(places.size(), first + most);
        Places some(places.begin() + first, places.begin() + last), order, rest;
        std::vector<std::uint8_t> asked(some.size() * p);
        std::vector<Places> later(some.size());
        for (std::size_t at = 0; at < some.size(); ++at) {
            const GrowingNode &node = nodes_[some[at]];
            shuffled(node, order);
            Index drawn = 0;
            for (const Index j : order) {
                const Entry *rows = lists_[j] + node.start;
                if (!may_use(node, j) || code_of(rows[0]) == code_of(rows[node.size() - 1]))
                    continue;
                if (drawn++ < settings_.max_features)
                    asked[at * p + j] = 1;
                else
                    later[at].push_back(j);
            }
        }
        search_columns(some, asked);
        std::vector<Places> queues;
        for (std::size_t at = 0; at < some.size(); ++at)
            if (!nodes_[some[at]].split.valid() && !later[at].empty()) {
                rest.push_back(some[at]);
                queues.push_back(std::move(later[at]));
            }
        for (std::size_t turn = 0; !rest.empty() && !interrupt_.poll(); ++turn) {
            asked.assign(rest.size() * p, 0);
            for (std::size_t at = 0; at < rest.size(); ++at) asked[at * p + queues[at][turn]] = 1;
            search_columns(rest, asked);
            std::vector<Places> open;
            Places still;
            for (std::size_t at = 0; at < rest.size(); ++at)
                if (!nodes_[rest[at]].split.valid() && turn + 1 < queues[at].size()) {
                    still.push_back(rest[at]);
                    open.push_back(std::move(queues[at]));
                }
            rest = std::move(still);
            queues = std::move(open);
        }
    }
}

}  // namespace margin::trees::exact
