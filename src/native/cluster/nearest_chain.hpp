// Merges by chains of nearest neighbours, for linkages that never reverse: every merge of two that
// are nearest to each other belongs to the tree, in whatever order they are found.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <numeric>
#include <utility>
#include <vector>

#include "cluster/passes.hpp"
#include "common/interrupt.hpp"
#include "common/team.hpp"

namespace margin::cluster {

// Merges in any order, to be sorted by height: (one, other, height) by representatives.
struct Merges {
    std::int64_t *pair;
    double *height;
    std::size_t count = 0;
    void add(std::size_t a, std::size_t b, double d) {
        pair[2 * count] = std::int64_t(std::min(a, b));
        pair[2 * count + 1] = std::int64_t(std::max(a, b));
        height[count++] = d;
    }
};

// Which places are kept when the others are gone, and where a kept one goes.
struct Move {
    std::vector<std::size_t> from, to;
    template <typename Dead>
    Move(std::size_t width, const Dead &dead) : to(width, 0) {
        for (std::size_t i = 0; i < width; ++i)
            if (!dead(i)) {
                to[i] = from.size();
                from.push_back(i);
            }
    }
    // Nothing is read after it was written over, for the places rise.
    template <typename T>
    void pack(T *values) const {
        for (std::size_t i = 0; i < from.size(); ++i)
            if (from[i] != i) values[i] = std::move(values[from[i]]);
    }
};

// Distances of single rows as they were given.
class Given {
  public:
    Given(const double *values, std::size_t n) : values_(values), n_(n), name_(n) {
        std::iota(name_.begin(), name_.end(), std::size_t{0});
    }
    void row(std::size_t i, double *out) {
        const double *own = values_ + name_[i] * n_;
        for (std::size_t j = 0; j < name_.size(); ++j) out[j] = own[name_[j]];
    }
    void keep(const Move &move) {
        move.pack(name_.data());
        name_.resize(move.from.size());
    }

  private:
    const double *values_;
    std::size_t n_;
    std::vector<std::size_t> name_;
};

// Distances of single rows from their features, which lie column by column.
class Features {
  public:
    Features(const double *columns, std::size_t n, std::size_t p, bool root, int n_threads)
        : p_(p), n_(n), root_(root), n_threads_(n_threads), at_(columns, columns + n * p), own_(p) {
    }
    void row(std::size_t i, double *out) {
        for (std::size_t k = 0; k < p_; ++k) own_[k] = at_[k * n_ + i];
        team::each_block(n_threads_, double(n_) * double(p_), n_, 2048,
                         [&](std::size_t first, std::size_t last) {
                             row_distances(own_.data(), at_.data() + first, n_, last - first, p_,
                                           root_, out + first);
                         });
    }
    void keep(const Move &move) {
        const std::size_t m = move.from.size();
        for (std::size_t k = 0; k < p_; ++k)
            for (std::size_t i = 0; i < m; ++i) at_[k * m + i] = at_[k * n_ + move.from[i]];
        n_ = m;
    }

  private:
    std::size_t p_, n_;
    bool root_;
    int n_threads_;
    std::vector<double> at_, own_;
};

// Clusters by their distances. A row of distances is made when its cluster is first looked at: most
// single rows are looked at late, when few clusters are left, and soon merged, so that a part of
// the matrix is all that ever stands in memory. A union is written to its own row only: others take
// it from there when they are next looked at. Dead places are dropped from time to time.
template <typename Source>
class Crowd {
  public:
    Crowd(Source source, std::size_t n, int linkage)
        : source_(std::move(source)), linkage_(linkage), alive_(n), size_(n, 1.0), name_(n),
          fresh_(n), rows_(n) {
        std::iota(name_.begin(), name_.end(), std::size_t{0});
        forget();
    }

    std::size_t width() const { return size_.size(); }
    bool dead(std::size_t i) const { return size_[i] == 0.0; }
    std::size_t name(std::size_t i) const { return name_[i]; }

    // Distances of a cluster from all others, with all that was united since.
    const double *row(std::size_t i) {
        if (rows_[i].empty())
            first_look(i);
        else
            renew(i);
        rows_[i][i] = infinite;
        seen_[i] = unions_.size();
        return rows_[i].data();
    }

    // The union takes the place of `b`; `a` is gone.
    void unite(std::size_t a, std::size_t b, double d) {
        const double *ra = row(a), *rb = row(b);
        united(linkage_, ra, rb, size_.data(), size_[a], size_[b], d, width(), fresh_.data());
        size_[b] += size_[a];
        size_[a] = 0.0;
        fresh_[a] = fresh_[b] = infinite;
        std::swap(rows_[b], fresh_);
        spare_.push_back(std::exchange(rows_[a], {}));
        unions_.push_back({a, b});
        changed_[b] = seen_[b] = unions_.size();
        --alive_;
    }

    bool sparse() const { return 5 * alive_ < 4 * width() && width() > 64; }

    Move shrink() {
        const Move move(width(), [&](std::size_t i) { return dead(i); });
        const std::size_t m = move.from.size();
        // All know all before any is packed: they learn from one another's rows.
        for (std::size_t i : move.from)
            if (!rows_[i].empty()) row(i);
        for (std::size_t i : move.from)
            if (!rows_[i].empty()) {
                move.pack(rows_[i].data());
                rows_[i].resize(m);
            }
        move.pack(rows_.data());
        move.pack(size_.data());
        move.pack(name_.data());
        source_.keep(move);
        rows_.resize(m);
        size_.resize(m);
        name_.resize(m);
        fresh_.resize(m);
        forget();
        return move;
    }

  private:
    void first_look(std::size_t i) {
        std::vector<double> &own = rows_[i];
        if (!spare_.empty()) {
            own = std::move(spare_.back());
            spare_.pop_back();
        }
        own.resize(width());
        source_.row(i, own.data());
        for (std::size_t j = 0; j < width(); ++j)
            if (size_[j] != 1.0) own[j] = dead(j) ? infinite : rows_[j][i];
    }

    void renew(std::size_t i) {
        double *own = rows_[i].data();
        for (std::size_t t = seen_[i]; t < unions_.size(); ++t) {
            const auto [gone, kept] = unions_[t];
            own[gone] = infinite;
            if (changed_[kept] == t + 1 && !dead(kept)) own[kept] = rows_[kept][i];
        }
    }

    void forget() {
        unions_.clear();
        seen_.assign(width(), 0);
        changed_.assign(width(), 0);
    }

    Source source_;
    int linkage_;
    std::size_t alive_;
    std::vector<double> size_;
    std::vector<std::size_t> name_;
    std::vector<double> fresh_;
    std::vector<std::vector<double>> rows_, spare_;
    std::vector<std::pair<std::size_t, std::size_t>> unions_;  // (gone, kept), in their order
    std::vector<std::size_t> seen_;     // unions that a row has taken notice of
    std::vector<std::size_t> changed_;  // number of the last union that made a row
};

// Clusters by their means: what Ward's merges cost is known from these alone.
class Means {
  public:
    Means(const double *columns, std::size_t n, std::size_t p)
        : p_(p), alive_(n), at_(columns, columns + n * p), size_(n, 1.0), name_(n), own_(p),
          rise_(n) {
        std::iota(name_.begin(), name_.end(), std::size_t{0});
    }

    std::size_t width() const { return size_.size(); }
    bool dead(std::size_t i) const { return size_[i] == 0.0; }
    std::size_t name(std::size_t i) const { return name_[i]; }

    const double *row(std::size_t i) {
        for (std::size_t k = 0; k < p_; ++k) own_[k] = at_[k * width() + i];
        merge_rises(own_.data(), at_.data(), width(), p_, size_[i], size_.data(), rise_.data());
        rise_[i] = infinite;
        return rise_.data();
    }

    void unite(std::size_t a, std::size_t b, double) {
        const double sum = size_[a] + size_[b], fa = size_[a] / sum, fb = size_[b] / sum;
        for (std::size_t k = 0; k < p_; ++k) {
            double *column = at_.data() + k * width();
            column[b] = fa * column[a] + fb * column[b];
        }
        size_[b] = sum;
        size_[a] = 0.0;
        --alive_;
    }

    bool sparse() const { return 5 * alive_ < 4 * width() && width() > 64; }

    Move shrink() {
        const Move move(width(), [&](std::size_t i) { return dead(i); });
        const std::size_t m = move.from.size();
        for (std::size_t k = 0; k < p_; ++k)
            for (std::size_t i = 0; i < m; ++i) at_[k * m + i] = at_[k * width() + move.from[i]];
        move.pack(size_.data());
        move.pack(name_.data());
        size_.resize(m);
        name_.resize(m);
        return move;
    }

  private:
    std::size_t p_, alive_;
    std::vector<double> at_;
    std::vector<double> size_;
    std::vector<std::size_t> name_;
    std::vector<double> own_, rise_;
};

template <typename Clusters>
void nearest_chain(Clusters clusters, Merges &merges, Interrupt &interrupt) {
    const std::size_t n = clusters.width();
    std::vector<std::size_t> path;
    while (merges.count + 1 < n) {
        if (interrupt.poll()) return;
        if (path.empty()) {
            std::size_t start = 0;
            while (clusters.dead(start)) ++start;
            path.push_back(start);
        }
        while (true) {
            const std::size_t at = path.back();
            const double *row = clusters.row(at);
            double d;
            std::size_t next = least_of(row, clusters.width(), d);
            if (path.size() > 1) {
                // Among equals the one before: the path never goes round.
                const std::size_t before = path[path.size() - 2];
                if (row[before] <= d) next = before;
                if (next == before) {
                    path.pop_back();
                    path.pop_back();
                    const std::size_t a = std::min(at, before), b = std::max(at, before);
                    merges.add(clusters.name(a), clusters.name(b), d);
                    clusters.unite(a, b, d);
                    if (clusters.sparse()) {
                        const Move move = clusters.shrink();
                        for (std::size_t &place : path) place = move.to[place];
                    }
                    break;
                }
            }
            path.push_back(next);
        }
    }
}

}  // namespace margin::cluster
