// An undirected graph under elimination, with scores kept up to date: rows of bits.
#pragma once

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <vector>

namespace margin {

using Word = std::uint64_t;

enum class Greedy : int { min_fill = 0, min_weight = 1, min_degree = 2, weighted_fill = 3 };

struct Score {
    double first, second;
    bool operator<(const Score &other) const {
        return first != other.first ? first < other.first : second < other.second;
    }
};

// A random run may prefer a node that scores this much worse; which, turns with the seed.
constexpr double blurs[] = {0.1, 0.3, 1.0, 3.0};

inline Word scrambled(Word x) {  // splitmix64: a random order of the ties
    x += 0x9e3779b97f4a7c15ULL;
    x = (x ^ (x >> 30)) * 0xbf58476d1ce4e5b9ULL;
    x = (x ^ (x >> 27)) * 0x94d049bb133111ebULL;
    return x ^ (x >> 31);
}

class Eliminator {
  public:
    Eliminator(const Word *rows, const double *log_weight, std::size_t n, std::size_t words)
        : n_(n), words_(words), log_weight_(log_weight, log_weight + n),
          rows_(rows, rows + n * words), alive_(n, 1), degree_(n, 0), fill_(n, 0), size_(n, 0.0),
          weight_(n), heavy_(n, 0.0) {
        for (std::size_t v = 0; v < n_; ++v) weight_[v] = std::round(std::exp(log_weight[v]));
        for (std::size_t v = 0; v < n_; ++v) {
            row(v)[v / 64] &= ~(Word{1} << (v % 64));  // a loop is no neighbour
            rescore(v);
        }
        for (std::size_t v = 0; v < n_; ++v) {
            std::int64_t joined = 0;
            each(row(v), [&](std::size_t a) { joined += common(row(v), row(a)); });
            fill_[v] = (degree_[v] * (degree_[v] - 1) - joined) / 2;
            each(row(v), [&](std::size_t a) { heavy_[v] += weight_[a] * apart(row(v), a) / 2; });
        }
    }

    // Node to eliminate next. With a seed, scores are blurred in a random but repeatable way.
    std::size_t best(Greedy rule, Word seed, double blur) const {
        std::size_t found = n_;
        Score least{};
        for (std::size_t v = 0; v < n_; ++v) {
            if (!alive_[v]) continue;
            Score score = scored(v, rule);
            if (seed) {
                const double u = static_cast<double>(scrambled(seed ^ v) >> 11) * 0x1p-53;
                score = {score.first * (1.0 + blur * u), u};
            }
            if (found == n_ || score < least) found = v, least = score;
        }
        return found;
    }

    std::size_t size() const { return n_; }
    // Neighbours of a node that is still there.
    const Word *around(std::size_t v) const { return row(v); }
    bool simplicial(std::size_t v) const { return fill_[v] == 0; }
    double log_clique(std::size_t v) const { return size_[v]; }

    // Joins the neighbours of v and removes it.
    void eliminate(std::size_t v) {
        Word *nv = row(v);
        std::vector<std::size_t> around;
        each(nv, [&](std::size_t a) { around.push_back(a); });
        if (fill_[v] > 0) {
            for (std::size_t i = 0; i < around.size(); ++i)
                for (std::size_t j = i + 1; j < around.size(); ++j)
                    if (!joined(around[i], around[j])) join(around[i], around[j]);
        }
        for (const std::size_t a : around) {
            // Pairs (v, x) among the neighbours of a that were never joined leave with v.
            fill_[a] -= degree_[a] - 1 - common(row(a), nv);
            heavy_[a] -= weight_[v] * apart(row(a), v);
            row(a)[v / 64] &= ~(Word{1} << (v % 64));
        }
        alive_[v] = 0;
        for (const std::size_t a : around) rescore(a);
    }

  private:
    Word *row(std::size_t v) { return rows_.data() + v * words_; }
    const Word *row(std::size_t v) const { return rows_.data() + v * words_; }
    bool joined(std::size_t a, std::size_t b) const { return row(a)[b / 64] >> (b % 64) & 1; }

    template <typename Visit>
    void each(const Word *set, Visit visit) const {
        for (std::size_t k = 0; k < words_; ++k)
            for (Word left = set[k]; left; left &= left - 1)
                visit(k * 64 + static_cast<std::size_t>(std::countr_zero(left)));
    }

    std::int64_t common(const Word *a, const Word *b) const {
        std::int64_t count = 0;
        for (std::size_t k = 0; k < words_; ++k) count += std::popcount(a[k] & b[k]);
        return count;
    }

    // Total weight of the members of a set that are not joined to v (nor v itself).
    double apart(const Word *set, std::size_t v) const {
        double sum = 0.0;
        const Word *joined = row(v);
        for (std::size_t k = 0; k < words_; ++k) {
            Word left = set[k] & ~joined[k];
            if (k == v / 64) left &= ~(Word{1} << (v % 64));
            for (; left; left &= left - 1)
                sum += weight_[k * 64 + static_cast<std::size_t>(std::countr_zero(left))];
        }
        return sum;
    }

    void join(std::size_t a, std::size_t b) {
        const Word *ra = row(a), *rb = row(b);
        std::int64_t shared = 0;
        for (std::size_t k = 0; k < words_; ++k)
            for (Word left = ra[k] & rb[k]; left; left &= left - 1) {
                const std::size_t both = k * 64 + static_cast<std::size_t>(std::countr_zero(left));
                --fill_[both];
                heavy_[both] -= weight_[a] * weight_[b];
                ++shared;
            }
        fill_[a] += degree_[a] - shared;
        fill_[b] += degree_[b] - shared;
        heavy_[a] += weight_[b] * apart(ra, b);
        heavy_[b] += weight_[a] * apart(rb, a);
        row(a)[b / 64] |= Word{1} << (b % 64);
        row(b)[a / 64] |= Word{1} << (a % 64);
        ++degree_[a];
        ++degree_[b];
    }

    // Rounded, so that cliques of the same size tie whatever the order of the sum.
    void rescore(std::size_t v) {
        double size = log_weight_[v];
        std::int64_t degree = 0;
        each(row(v), [&](std::size_t a) {
            size += log_weight_[a];
            ++degree;
        });
        size_[v] = std::nearbyint(size * 0x1p30) * 0x1p-30;
        degree_[v] = degree;
    }

    Score scored(std::size_t v, Greedy rule) const {
        const double fill = static_cast<double>(fill_[v]), degree = static_cast<double>(degree_[v]);
        switch (rule) {
            case Greedy::min_fill: return {fill, size_[v]};
            case Greedy::weighted_fill: return {heavy_[v], size_[v]};
            case Greedy::min_weight: return {size_[v], fill};
            default: return {degree, fill};
        }
    }

    std::size_t n_, words_;
    std::vector<double> log_weight_;
    std::vector<Word> rows_;
    std::vector<std::uint8_t> alive_;
    std::vector<std::int64_t> degree_, fill_;
    std::vector<double> size_, weight_, heavy_;
};

struct Elimination {
    std::vector<int> order;
    double entries = std::numeric_limits<double>::infinity();  // of all cliques: the cost
    bool filled = false;                                       // whether any edge was added
};

// Greedy order of all nodes; a seed above 0 blurs the scores. `visit(graph, v)` is called before
// each elimination. Gives up, with infinite cost, when the cost exceeds `limit`.
template <typename Visit>
Elimination eliminate_all(Eliminator graph, Greedy rule, Word seed, double limit, Visit &&visit) {
    Elimination found;
    double entries = 0.0;
    for (std::size_t i = 0; i < graph.size(); ++i) {
        const std::size_t v =
            graph.best(rule, seed ? scrambled(scrambled(seed) + i) : 0, blurs[seed % 4]);
        entries += std::exp(graph.log_clique(v));
        if (entries > limit) return found;
        found.filled |= !graph.simplicial(v);
        found.order.push_back(static_cast<int>(v));
        visit(graph, v);
        graph.eliminate(v);
    }
    found.entries = entries;
    return found;
}

}  // namespace margin
