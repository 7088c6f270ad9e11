// Equivalence classes of directed acyclic graphs as partly directed graphs, in rows of bits.
#pragma once

#include <algorithm>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <vector>

namespace margin::structure {

// A set of nodes; `each` visits the members in ascending order.
class Nodes {
  public:
    explicit Nodes(int n = 0) : words_((static_cast<std::size_t>(n) + 63) / 64) {}

    bool has(int i) const { return words_[at(i)] >> (i % 64) & 1; }
    void add(int i) { words_[at(i)] |= std::uint64_t{1} << (i % 64); }
    void drop(int i) { words_[at(i)] &= ~(std::uint64_t{1} << (i % 64)); }

    bool empty() const {
        return std::all_of(words_.begin(), words_.end(), [](std::uint64_t w) { return !w; });
    }
    int size() const {
        int sum = 0;
        for (const std::uint64_t w : words_) sum += std::popcount(w);
        return sum;
    }
    bool within(const Nodes &other) const {
        for (std::size_t w = 0; w < words_.size(); ++w)
            if (words_[w] & ~other.words_[w]) return false;
        return true;
    }
    bool meets(const Nodes &other) const {
        for (std::size_t w = 0; w < words_.size(); ++w)
            if (words_[w] & other.words_[w]) return true;
        return false;
    }
    Nodes operator&(const Nodes &other) const {
        Nodes out = *this;
        for (std::size_t w = 0; w < words_.size(); ++w) out.words_[w] &= other.words_[w];
        return out;
    }
    Nodes operator|(const Nodes &other) const {
        Nodes out = *this;
        for (std::size_t w = 0; w < words_.size(); ++w) out.words_[w] |= other.words_[w];
        return out;
    }
    Nodes operator-(const Nodes &other) const {
        Nodes out = *this;
        for (std::size_t w = 0; w < words_.size(); ++w) out.words_[w] &= ~other.words_[w];
        return out;
    }
    bool operator==(const Nodes &) const = default;

    template <typename Visit>
    void each(const Visit &visit) const {
        for (std::size_t w = 0; w < words_.size(); ++w)
            for (std::uint64_t left = words_[w]; left; left &= left - 1)
                visit(static_cast<int>(64 * w) + std::countr_zero(left));
    }
    // Whether `holds` for some member; stops at the first.
    template <typename Holds>
    bool any(const Holds &holds) const {
        for (std::size_t w = 0; w < words_.size(); ++w)
            for (std::uint64_t left = words_[w]; left; left &= left - 1)
                if (holds(static_cast<int>(64 * w) + std::countr_zero(left))) return true;
        return false;
    }
    std::vector<int> list() const {
        std::vector<int> out;
        each([&](int i) { out.push_back(i); });
        return out;
    }

  private:
    static std::size_t at(int i) { return static_cast<std::size_t>(i) / 64; }
    std::vector<std::uint64_t> words_;
};

using Rows = std::vector<Nodes>;

inline Rows no_rows(int n) { return Rows(static_cast<std::size_t>(n), Nodes(n)); }

// Arrows and undirected edges; for a class, the arrows that all its members share.
struct Partly {
    Rows parents, children, near, joined;

    explicit Partly(int n = 0)
        : parents(no_rows(n)), children(no_rows(n)), near(no_rows(n)), joined(no_rows(n)) {}

    int size() const { return static_cast<int>(parents.size()); }

    void join(int a, int b) {
        near[a].add(b);
        near[b].add(a);
        joined[a].add(b);
        joined[b].add(a);
    }
    void direct(int tail, int head) {
        near[tail].drop(head);
        near[head].drop(tail);
        parents[head].add(tail);
        children[tail].add(head);
    }

    // Whether a - b must be a -> b, because b -> a would make a new collider or a cycle (Meek).
    bool forced(int a, int b) const {
        const Nodes &beside = joined[b];
        const auto apart = [&](int c) { return c != b && !beside.has(c); };
        if (parents[a].any(apart) || children[a].meets(parents[b])) return true;
        const Nodes middle = near[a] & parents[b];
        if (middle.any([&](int c) {
                Nodes others = middle - joined[c];
                others.drop(c);
                return !others.empty();
            }))
            return true;
        return (parents[b] & joined[a]).any([&](int c) {
            return (parents[c] & near[a]).any(apart);
        });
    }

    // All arrows that follow from those that are there.
    void close() {
        std::vector<int> waiting;
        std::vector<char> listed(static_cast<std::size_t>(size()), 1);
        for (int i = size(); i-- > 0;) waiting.push_back(i);
        const auto wake = [&](int i) {
            if (listed[i]) return;
            listed[i] = 1;
            waiting.push_back(i);
        };
        while (!waiting.empty()) {
            const int a = waiting.back();
            waiting.pop_back();
            listed[a] = 0;
            for (const int b : near[a].list()) {
                int tail = a, head = b;
                if (!forced(a, b)) {
                    if (!forced(b, a)) continue;
                    tail = b, head = a;
                }
                direct(tail, head);
                (joined[tail] | joined[head]).each(wake);
            }
        }
    }
};

// Nodes with parents before children; shorter than the rows where there is a cycle.
inline std::vector<int> ordered(const Rows &parents) {
    const int n = static_cast<int>(parents.size());
    std::vector<int> waiting(parents.size()), order;
    std::vector<std::vector<int>> children(parents.size());
    for (int j = 0; j < n; ++j) {
        waiting[j] = parents[j].size();
        if (!waiting[j]) order.push_back(j);
        parents[j].each([&](int i) { children[i].push_back(j); });
    }
    for (std::size_t done = 0; done < order.size(); ++done)
        for (const int child : children[order[done]])
            if (--waiting[child] == 0) order.push_back(child);
    return order;
}

// The class of a graph whose arrows between `separated` pairs are known from interventions.
inline Partly essential(const Rows &parents, const Rows &separated) {
    const int n = static_cast<int>(parents.size());
    Partly graph(n);
    for (int j = 0; j < n; ++j) parents[j].each([&](int i) { graph.join(i, j); });
    for (int j = 0; j < n; ++j)
        parents[j].each([&](int i) {
            Nodes apart = parents[j] - graph.joined[i];
            apart.drop(i);
            if (separated[i].has(j) || !apart.empty()) graph.direct(i, j);
        });
    graph.close();
    return graph;
}

// A member of the class. Undirected edges point along an order by maximum cardinality that begins
// with `first`, a clique but for its last node, which only goes before its equals.
inline Rows member(const Partly &graph, const std::vector<int> &first) {
    const std::size_t n = static_cast<std::size_t>(graph.size());
    Rows parents = graph.parents;
    std::vector<int> count(n, 0), rank(n, static_cast<int>(n));
    std::vector<char> placed(n, 0);
    for (std::size_t k = 0; k < first.size(); ++k) rank[first[k]] = static_cast<int>(k);
    for (std::size_t step = 0; step < n; ++step) {
        int next = -1;
        if (step + 1 < first.size()) {
            next = first[step];
        } else {
            for (int i = 0; i < static_cast<int>(n); ++i)
                if (!placed[i] && (next < 0 || count[i] > count[next] ||
                                   (count[i] == count[next] && rank[i] < rank[next])))
                    next = i;
        }
        placed[next] = 1;
        graph.near[next].each([&](int i) {
            if (placed[i]) {
                parents[next].add(i);
            } else {
                ++count[i];
            }
        });
    }
    return parents;
}

}  // namespace margin::structure
