// From the scopes of factors to a tree of cliques: an elimination order, its maximal cliques, a
// root.
#include <algorithm>
#include <cmath>
#include <numeric>
#include <set>
#include <stdexcept>

#include "graphs/eliminator.hpp"
#include "junction/program.hpp"

namespace margin::junction {
namespace {

constexpr std::size_t largest_core = 4096;
constexpr double worth_a_restart = 1e5;  // entries of tables that cost about as much as one search

using Neighbours = std::vector<std::vector<int>>;

std::vector<std::vector<int>> free_scopes(const Request &request) {
    std::vector<std::vector<int>> found;
    auto add = [&](const std::vector<int> &scope) {
        std::vector<int> free;
        for (int v : scope)
            if (request.roles[v] != Role::sliced) free.push_back(v);
        std::sort(free.begin(), free.end());
        found.push_back(std::move(free));
    };
    for (const auto &scope : request.scopes) add(scope);
    add(request.query);
    return found;
}

Neighbours neighbours(std::size_t n, const std::vector<std::vector<int>> &scopes) {
    Neighbours around(n);
    for (const auto &scope : scopes)
        for (int a : scope)
            for (int b : scope)
                if (a != b) around[a].push_back(b);
    for (auto &list : around) {
        std::sort(list.begin(), list.end());
        list.erase(std::unique(list.begin(), list.end()), list.end());
    }
    return around;
}

// Nodes with at most one neighbour go first: always optimal, and a forest of any size is done.
std::vector<int> strip_leaves(const Neighbours &around, std::vector<char> &gone) {
    std::vector<int> degree(around.size()), order;
    for (std::size_t v = 0; v < around.size(); ++v) {
        degree[v] = static_cast<int>(around[v].size());
        if (!gone[v] && degree[v] <= 1) order.push_back(static_cast<int>(v)), gone[v] = 1;
    }
    for (std::size_t at = 0; at < order.size(); ++at)
        for (int u : around[order[at]])
            if (!gone[u] && --degree[u] <= 1) order.push_back(u), gone[u] = 1;
    return order;
}

std::vector<int> search_core(const std::vector<int> &core, const Neighbours &around,
                             const Request &request) {
    if (core.size() > largest_core) throw std::overflow_error("too many variables on cycles");
    std::vector<int> index(around.size(), -1);
    std::vector<double> weight(core.size());
    for (std::size_t i = 0; i < core.size(); ++i) {
        index[core[i]] = static_cast<int>(i);
        weight[i] = std::log(static_cast<double>(request.cards[core[i]]));
    }
    const std::size_t words = (core.size() + 63) / 64;
    std::vector<Word> rows(core.size() * words, 0);
    for (int v : core)
        for (int u : around[v])
            if (index[u] >= 0) rows[index[v] * words + index[u] / 64] |= Word{1} << (index[u] % 64);

    const Eliminator graph(rows.data(), weight.data(), core.size(), words);
    Elimination best;
    auto attempt = [&](Greedy rule, Word seed) {
        Elimination found =
            eliminate_all(graph, rule, seed, best.entries, [](const Eliminator &, std::size_t) {});
        if (found.entries < best.entries || best.order.size() < core.size())
            best = std::move(found);
    };
    constexpr Greedy rules[] = {Greedy::min_fill, Greedy::weighted_fill, Greedy::min_weight};
    if (request.heuristic >= 0) {
        attempt(static_cast<Greedy>(request.heuristic), 0);
    } else {
        attempt(Greedy::min_fill, 0);
        // More searches while a search costs little against the tables it may save.
        if (best.filled && best.entries > worth_a_restart) {
            attempt(Greedy::weighted_fill, 0);
            attempt(Greedy::min_weight, 0);
            const double affordable = best.entries / (worth_a_restart * (1.0 + core.size() / 50.0));
            const double allowed = 2e7 / (1.0 + static_cast<double>(core.size() * core.size()));
            const int restarts = static_cast<int>(std::min({300.0, affordable, allowed}));
            for (int r = 1; r <= restarts; ++r) attempt(rules[r % 3], static_cast<Word>(r));
        }
    }
    std::vector<int> order;
    for (int i : best.order) order.push_back(core[i]);
    return order;
}

std::vector<int> find_order(const Request &request, const Neighbours &around) {
    std::vector<char> gone(around.size());
    for (std::size_t v = 0; v < around.size(); ++v) gone[v] = request.roles[v] == Role::sliced;
    if (!request.order.empty()) {
        std::vector<int> order;
        for (int v : request.order)
            if (!gone[v]) order.push_back(v);
        return order;
    }
    std::vector<int> order = strip_leaves(around, gone);
    std::vector<int> core;
    for (std::size_t v = 0; v < around.size(); ++v)
        if (!gone[v]) core.push_back(static_cast<int>(v));
    if (core.empty()) return order;
    const std::vector<int> rest = search_core(core, around, request);
    order.insert(order.end(), rest.begin(), rest.end());
    return order;
}

double entries_of(const std::vector<int> &members, const std::vector<Index> &cards) {
    double size = 1.0;
    for (int v : members) size *= static_cast<double>(cards[v]);
    return size;
}

// Later neighbours of every variable in the filled graph, by elimination.
std::vector<std::vector<int>> later_neighbours(const Neighbours &around,
                                               const std::vector<int> &order,
                                               const std::vector<int> &position) {
    std::vector<std::vector<int>> later(around.size());
    std::vector<std::vector<int>> children(around.size());
    auto earlier = [&](int a, int b) { return position[a] < position[b]; };
    for (int v : order) {
        auto &mine = later[v];
        for (int u : around[v])
            if (position[u] > position[v]) mine.push_back(u);
        for (int child : children[v])
            for (int u : later[child])
                if (u != v) mine.push_back(u);
        std::sort(mine.begin(), mine.end(), earlier);
        mine.erase(std::unique(mine.begin(), mine.end()), mine.end());
        if (!mine.empty()) children[mine.front()].push_back(v);
    }
    return later;
}

void root_trees(CliqueTree &tree, const std::vector<std::vector<int>> &links,
                const std::vector<double> &size, int query_node) {
    const int n = static_cast<int>(links.size());
    std::vector<int> by_size(n), new_index(n, -1), sequence, parent(n, -1);
    std::iota(by_size.begin(), by_size.end(), 0);
    std::stable_sort(by_size.begin(), by_size.end(),
                     [&](int a, int b) { return size[a] > size[b]; });
    if (query_node >= 0) by_size.insert(by_size.begin(), query_node);
    for (int root : by_size) {
        if (new_index[root] >= 0) continue;
        new_index[root] = static_cast<int>(sequence.size());
        sequence.push_back(root);
        for (std::size_t at = sequence.size() - 1; at < sequence.size(); ++at)
            for (int next : links[sequence[at]])
                if (new_index[next] < 0) {
                    parent[next] = sequence[at];
                    new_index[next] = static_cast<int>(sequence.size());
                    sequence.push_back(next);
                }
    }
    std::vector<std::vector<int>> members(n);
    tree.parent.assign(n, -1);
    for (int i = 0; i < n; ++i) {
        members[i] = std::move(tree.members[sequence[i]]);
        if (parent[sequence[i]] >= 0) tree.parent[i] = new_index[parent[sequence[i]]];
    }
    tree.members = std::move(members);
    for (int &node : tree.node_of)
        if (node >= 0) node = new_index[node];
}

}  // namespace

CliqueTree plan(const Request &request) {
    const std::size_t n = request.cards.size();
    const auto scopes = free_scopes(request);
    const Neighbours around = neighbours(n, scopes);
    CliqueTree tree;
    tree.order = find_order(request, around);
    tree.position.assign(n, -1);
    for (std::size_t i = 0; i < tree.order.size(); ++i)
        tree.position[tree.order[i]] = static_cast<int>(i);
    const auto later = later_neighbours(around, tree.order, tree.position);

    // Backwards, a variable either extends the clique of its first later neighbour or opens one.
    tree.node_of.assign(n, -1);
    std::vector<std::vector<int>> links;
    for (auto v = tree.order.rbegin(); v != tree.order.rend(); ++v) {
        const auto &after = later[*v];
        const int above = after.empty() ? -1 : tree.node_of[after.front()];
        if (above >= 0 && tree.members[above].size() == after.size()) {
            tree.members[above].push_back(*v);
            tree.node_of[*v] = above;
            continue;
        }
        const int node = static_cast<int>(tree.members.size());
        tree.members.push_back(after);
        tree.members.back().push_back(*v);
        links.emplace_back();
        tree.node_of[*v] = node;
        if (above >= 0) links[above].push_back(node), links[node].push_back(above);
    }
    std::vector<double> size;
    for (const auto &members : tree.members) size.push_back(entries_of(members, request.cards));
    int first = -1;
    for (int v : request.query)
        if (tree.position[v] >= 0 && (first < 0 || tree.position[v] < tree.position[first]))
            first = v;
    const int query_node = first >= 0 ? tree.node_of[first] : -1;
    root_trees(tree, links, size, query_node);
    for (std::size_t c = 0; c < tree.members.size(); ++c) {
        const double entries = entries_of(tree.members[c], request.cards);
        tree.entries += entries;
        if (entries > tree.largest)
            tree.largest = entries, tree.largest_clique = static_cast<int>(c);
    }
    return tree;
}

}  // namespace margin::junction
