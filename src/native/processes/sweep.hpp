// One sweep of collapsed Gibbs sampling over the clusters of all rows.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <limits>
#include <numeric>
#include <vector>

#include "common/draws.hpp"
#include "common/index.hpp"

namespace margin::processes {

// Clusters as numbers from 0 in the order of their first rows, -1 for a row that has none yet.
template <typename Clusters>
class Partition {
  public:
    Partition(Clusters &clusters, std::int32_t *label, Index n)
        : clusters_(clusters), label_(label), n_(n) {
        Index most = -1;
        for (Index i = 0; i < n; ++i) most = std::max<Index>(most, label[i]);
        for (Index k = 0; k <= most; ++k) active_.push_back(clusters_.open());
        for (Index i = 0; i < n; ++i)
            if (label[i] >= 0) clusters_.add(label[i], i);
        own_.resize(n);
        const Index empty = clusters_.open();
        for (Index i = 0; i < n; ++i) own_[i] = clusters_.log_predictive(empty, i);
        own_seen_ = own_;
        for (Index i = 0; i < n; ++i)
            if (clusters_.torn(i)) own_seen_[i] = clusters_.log_seen(empty, i);
        clusters_.close(empty);
    }

    // Every row in random order leaves its cluster and joins one of those of the others, with
    // probability in proportion to size times density there, or opens one, alpha times density.
    void sweep(double log_alpha, Draws &draws) {
        std::vector<Index> order(n_);
        std::iota(order.begin(), order.end(), Index{0});
        for (Index i = n_ - 1; i > 0; --i) std::swap(order[i], order[draws.below(i + 1)]);
        std::vector<double> log_weight;
        for (const Index i : order) {
            leave(i);
            log_weight.clear();
            const bool torn = clusters_.torn(i);
            for (const Index k : active_)
                log_weight.push_back(
                    std::log(double(clusters_.size(k))) +
                    (torn ? clusters_.log_seen(k, i) : clusters_.log_predictive(k, i)));
            log_weight.push_back(log_alpha + own_seen_[i]);
            const Index place = choice(log_weight, draws.uniform());
            if (place == static_cast<Index>(active_.size())) active_.push_back(clusters_.open());
            if (torn) mend(i, active_[place], draws);
            label_[i] = static_cast<std::int32_t>(active_[place]);
            clusters_.add(active_[place], i);
        }
    }

    // Two rows at random: where they share a cluster, a division of it is proposed, else the union
    // of theirs. The others follow one after the other, in proportion to size times density, from
    // the two rows on; accepted by the rule of Metropolis and Hastings. Single rows would take for
    // ever to leave a cluster that is one too many.
    void split_or_merge(double log_alpha, Draws &draws) {
        if (n_ < 2) return;
        const Index i = draws.below(n_);
        Index j = draws.below(n_ - 1);
        j += j >= i;
        const std::int32_t first = label_[i], second = label_[j];
        const bool split = first == second;
        std::vector<Index> rows;
        for (Index r = 0; r < n_; ++r)
            if (r != i && r != j && (label_[r] == first || label_[r] == second)) rows.push_back(r);
        for (Index r = static_cast<Index>(rows.size()) - 1; r > 0; --r)
            std::swap(rows[r], rows[draws.below(r + 1)]);

        const Index a = seated(i), b = seated(j), all = seated(i);
        double apart = own_[i] + own_[j], together = own_[i] + joined(all, j), log_path = 0.0;
        std::vector<std::int32_t> side;
        for (const Index r : rows) {
            const double to_a = clusters_.log_predictive(a, r),
                         to_b = clusters_.log_predictive(b, r);
            const double odds = std::log(double(clusters_.size(b))) + to_b -
                                std::log(double(clusters_.size(a))) - to_a;
            const bool in_b =
                split ? draws.uniform() * (1.0 + std::exp(-odds)) < 1.0 : label_[r] == second;
            log_path -= in_b ? softplus(-odds) : softplus(odds);
            apart += in_b ? to_b : to_a;
            clusters_.add(in_b ? b : a, r);
            side.push_back(in_b);
            together += joined(all, r);
        }
        const double size_a = double(clusters_.size(a)), size_b = double(clusters_.size(b));
        const double gain = log_alpha + std::lgamma(size_a) + std::lgamma(size_b) -
                            std::lgamma(size_a + size_b) + apart - together - log_path;
        const bool accepted = std::log(draws.uniform()) < (split ? gain : -gain);
        if (!accepted) {
            for (const Index k : {a, b, all}) clusters_.close(k);
            return;
        }
        drop(first);
        if (!split) drop(second);
        label_[i] = static_cast<std::int32_t>(split ? a : all);
        label_[j] = static_cast<std::int32_t>(split ? b : all);
        for (std::size_t r = 0; r < rows.size(); ++r)
            label_[rows[r]] = static_cast<std::int32_t>(split ? (side[r] ? b : a) : all);
        for (const Index k : {a, b, all}) {
            if ((k == all) == split)
                clusters_.close(k);
            else
                active_.push_back(k);
        }
    }

    // Numbers the clusters anew; log probability of the rows given the partition, each given those
    // before it.
    double settle() {
        std::vector<Index> number(highest() + 1, -1);
        Index n_clusters = 0;
        for (Index i = 0; i < n_; ++i) {
            if (label_[i] < 0) continue;
            Index &mine = number[label_[i]];
            if (mine < 0) mine = n_clusters++;
            label_[i] = static_cast<std::int32_t>(mine);
        }
        for (const Index k : active_) clusters_.close(k);
        active_.clear();
        for (Index k = 0; k < n_clusters; ++k) active_.push_back(clusters_.open());
        double value = 0.0;
        for (Index i = 0; i < n_; ++i) {
            if (label_[i] < 0) continue;
            value += clusters_.log_predictive(active_[label_[i]], i);
            clusters_.add(active_[label_[i]], i);
        }
        return value;
    }

  private:
    static double softplus(double x) {
        return x > 0.0 ? x + std::log1p(std::exp(-x)) : std::log1p(std::exp(x));
    }

    // A new cluster of one row.
    Index seated(Index row) {
        const Index k = clusters_.open();
        clusters_.add(k, row);
        return k;
    }

    // Log density of a row given those of a cluster, which it then joins.
    double joined(Index k, Index row) {
        const double value = clusters_.log_predictive(k, row);
        clusters_.add(k, row);
        return value;
    }

    void drop(Index k) {
        active_.erase(std::find(active_.begin(), active_.end(), k));
        clusters_.close(k);
    }

    Index highest() const {
        Index most = -1;
        for (Index i = 0; i < n_; ++i) most = std::max<Index>(most, label_[i]);
        return most;
    }

    void leave(Index i) {
        const Index k = label_[i];
        if (k < 0) return;
        label_[i] = -1;
        if (clusters_.size(k) == 1) {
            drop(k);
        } else if (!clusters_.remove(k, i)) {
            clusters_.reset(k);
            for (Index j = 0; j < n_; ++j)
                if (label_[j] == k) clusters_.add(k, j);
        }
    }

    // What was not observed of a row is drawn given the cluster that it joins.
    void mend(Index i, Index k, Draws &draws) {
        clusters_.fill(k, i, draws);
        const Index empty = clusters_.open();
        own_[i] = clusters_.log_predictive(empty, i);
        clusters_.close(empty);
    }

    static Index choice(std::vector<double> &log_weight, double uniform) {
        const double top = *std::max_element(log_weight.begin(), log_weight.end());
        double total = 0.0;
        for (double &w : log_weight) total += w = std::exp(w - top);
        double left = uniform * total;
        Index place = 0;
        const Index last = static_cast<Index>(log_weight.size()) - 1;
        while (place < last && left >= log_weight[place]) left -= log_weight[place++];
        return place;
    }

    Clusters &clusters_;
    std::int32_t *label_;
    Index n_;
    std::vector<Index> active_;
    std::vector<double> own_;       // log density of every row in a cluster of its own
    std::vector<double> own_seen_;  // and of what was observed of it
};

}  // namespace margin::processes
