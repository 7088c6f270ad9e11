// Greedy elimination orders of a graph with node weights, for the planning of exact inference.
#pragma once

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <numeric>
#include <utility>
#include <vector>

namespace margin::junction {

enum class Heuristic { min_fill = 0, weighted_fill = 1, min_weight = 2, min_degree = 3 };

// Adjacency as rows of bits: intersections cost one instruction per 64 nodes.
class BitGraph {
  public:
    explicit BitGraph(std::size_t n) : n_(n), words_((n + 63) / 64), bits_(n * words_, 0) {}

    std::size_t size() const { return n_; }
    std::size_t words() const { return words_; }
    std::uint64_t *row(std::size_t v) { return bits_.data() + v * words_; }
    const std::uint64_t *row(std::size_t v) const { return bits_.data() + v * words_; }
    void connect(std::size_t a, std::size_t b) {
        row(a)[b / 64] |= std::uint64_t{1} << (b % 64);
        row(b)[a / 64] |= std::uint64_t{1} << (a % 64);
    }
    void cut(std::size_t a, std::size_t b) { row(a)[b / 64] &= ~(std::uint64_t{1} << (b % 64)); }
    template <typename F>
    static void each(const std::uint64_t *bits, std::size_t words, F &&f) {
        for (std::size_t w = 0; w < words; ++w)
            for (std::uint64_t rest = bits[w]; rest; rest &= rest - 1)
                f(w * 64 + static_cast<std::size_t>(std::countr_zero(rest)));
    }

  private:
    std::size_t n_, words_;
    std::vector<std::uint64_t> bits_;
};

// A small generator of our own: the order must be the same on every platform.
class Dice {
  public:
    explicit Dice(std::uint64_t seed) : state_(seed * 2 + 1) {}
    double next() {  // in [0, 1)
        state_ ^= state_ << 13, state_ ^= state_ >> 7, state_ ^= state_ << 17;
        return static_cast<double>(state_ >> 11) * 0x1p-53;
    }

  private:
    std::uint64_t state_;
};

struct Elimination {
    std::vector<int> order;
    double entries = 0.0;  // of the tables made on the way: the cost
    bool filled = false;   // whether any edge had to be added
};

class Eliminator {
  public:
    Eliminator(BitGraph graph, const std::vector<double> &weight, Heuristic heuristic,
               std::uint64_t seed)
        : graph_(std::move(graph)), weight_(weight), heuristic_(heuristic), dice_(seed + 1),
          noisy_(seed > 0), key_(graph_.size()), tie_(graph_.size()), dirty_(graph_.words()) {}

    // Stops early, with infinite cost, as soon as the cost exceeds the best one known.
    Elimination run(double best) {
        const std::size_t n = graph_.size(), words = graph_.words();
        std::vector<int> left(n);
        std::iota(left.begin(), left.end(), 0);
        for (std::size_t v = 0; v < n; ++v) score(v);
        Elimination result;
        result.order.reserve(n);
        while (!left.empty()) {
            std::size_t at = 0;
            for (std::size_t i = 1; i < left.size(); ++i)
                if (key_[left[i]] < key_[left[at]] ||
                    (key_[left[i]] == key_[left[at]] && tie_[left[i]] < tie_[left[at]]))
                    at = i;
            const int v = left[at];
            left[at] = left.back();
            left.pop_back();
            result.order.push_back(v);
            result.entries += std::exp(log_clique(v));
            if (result.entries > best) {
                result.entries = std::numeric_limits<double>::infinity();
                return result;
            }
            result.filled |= eliminate(v, words);
        }
        return result;
    }

  private:
    double log_clique(std::size_t v) const {
        double sum = weight_[v];
        BitGraph::each(graph_.row(v), graph_.words(), [&](std::size_t u) { sum += weight_[u]; });
        return sum;
    }

    void score(std::size_t v) {
        const std::uint64_t *mine = graph_.row(v);
        const std::size_t words = graph_.words();
        double fill = 0.0, degree = 0.0, log_size = weight_[v];
        BitGraph::each(mine, words, [&](std::size_t u) {
            const std::uint64_t *other = graph_.row(u);
            degree += 1.0;
            log_size += weight_[u];
            if (heuristic_ == Heuristic::min_weight || heuristic_ == Heuristic::min_degree) return;
            for (std::size_t w = 0; w < words; ++w) {
                std::uint64_t absent = mine[w] & ~other[w];
                if (heuristic_ == Heuristic::min_fill) {
                    fill += std::popcount(absent);
                    continue;
                }
                for (; absent; absent &= absent - 1) {
                    const std::size_t t = w * 64 + std::countr_zero(absent);
                    if (t != u) fill += weight_[u] * weight_[t];
                }
            }
            if (heuristic_ == Heuristic::min_fill) fill -= 1.0;  // u is no neighbour of itself
        });
        switch (heuristic_) {
            case Heuristic::min_weight: key_[v] = log_size, tie_[v] = degree; break;
            case Heuristic::min_degree: key_[v] = degree, tie_[v] = log_size; break;
            default: key_[v] = fill, tie_[v] = log_size;
        }
        if (noisy_) {
            key_[v] *= 1.0 + 0.3 * dice_.next();
            tie_[v] *= 1.0 + 0.2 * dice_.next();
        }
    }

    bool eliminate(std::size_t v, std::size_t words) {
        std::vector<std::size_t> around;
        BitGraph::each(graph_.row(v), words, [&](std::size_t u) { around.push_back(u); });
        std::fill(dirty_.begin(), dirty_.end(), 0);
        bool filled = false;
        for (std::size_t u : around) {
            graph_.cut(u, v);
            dirty_[u / 64] |= std::uint64_t{1} << (u % 64);
        }
        for (std::size_t i = 0; i < around.size(); ++i)
            for (std::size_t j = i + 1; j < around.size(); ++j) {
                const std::size_t a = around[i], b = around[j];
                if (graph_.row(a)[b / 64] >> (b % 64) & 1) continue;
                filled = true;
                for (std::size_t w = 0; w < words; ++w)
                    dirty_[w] |= graph_.row(a)[w] & graph_.row(b)[w];
                graph_.connect(a, b);
            }
        BitGraph::each(dirty_.data(), words, [&](std::size_t u) { score(u); });
        return filled;
    }

    BitGraph graph_;
    const std::vector<double> &weight_;
    Heuristic heuristic_;
    Dice dice_;
    bool noisy_;
    std::vector<double> key_, tie_;
    std::vector<std::uint64_t> dirty_;
};

}  // namespace margin::junction
