// Targets that follow the rows of a packed part, and what the criteria sum of them on the left, for
// many columns at once.
#pragma once

#include <algorithm>
#include <numeric>
#include <vector>

#include "trees/exact/classes.hpp"
#include "trees/exact/moments.hpp"
#include "trees/exact/packed/columns.hpp"
#include "trees/exact/packed/lanes.hpp"

namespace margin::trees::exact {

// Those of side one first, either side in the order that it had.
template <typename Own>
void part_stably(Own *own, Index n, const std::uint8_t *side, Own *spare) {
    Index l = 0, r = 0;
    for (Index i = 0; i < n; ++i) {
        const Own item = own[i];
        own[l] = item;
        spare[r] = item;
        l += side[i];
        r += 1 - side[i];
    }
    std::copy(spare, spare + r, own + l);
}

template <typename C>
class PackedTargets;

// Rows in the order of their classes, which no split disturbs: how many of each there are tells
// which is which, and only weights have to follow.
template <typename Impurity>
class PackedTargets<ClassCriterion<Impurity>> {
  public:
    using Criterion = ClassCriterion<Impurity>;
    using Light = typename Criterion::Light;

    PackedTargets(const Targets &targets, Index stride)
        : targets_(targets), weighted_(targets.weight != nullptr), width_(targets.width()),
          stride_(stride), counts_(width_ * stride), sums_(weighted_ ? width_ * stride : 0) {}

    // Takes the targets over; `order` tells where the rows have to come from.
    void load(const Light *light, Index n, std::vector<std::uint32_t> &order) {
        sizes_.assign(width_ + 1, 0);
        for (Index i = 0; i < n; ++i) ++sizes_[light[i].k + 1];
        std::partial_sum(sizes_.begin(), sizes_.end(), sizes_.begin());
        order.resize(n);
        for (Index i = 0; i < n; ++i) order[sizes_[light[i].k]++] = static_cast<std::uint32_t>(i);
        light_.clear();
        for (const std::uint32_t i : order) light_.push_back(light[i]);
        spare_.resize(n);
        sizes_.resize(width_);
    }

    void enter(Index start, Index n, const double *total) {
        if (weighted_) {
            std::fill(sizes_.begin(), sizes_.end(), 0);
            for (Index i = start; i < start + n; ++i) ++sizes_[light_[i].k];
            weights_.resize(n);
            for (Index i = 0; i < n; ++i) weights_[i] = light_[start + i].w;
        } else {
            for (Index k = 0; k < width_; ++k) sizes_[k] = static_cast<Index>(total[k]);
        }
    }

    template <typename T>
    void run(RowBlock<T> rows, const Limits<T> &limits) {
        Index first = 0;
        for (Index k = 0; k < width_; first += sizes_[k++]) {
            const RowBlock<T> own{rows.data + first * rows.stride, sizes_[k], rows.stride};
            if (own.n == 0) continue;
            count_left(own, limits, counts_.data() + k * stride_);
            if (weighted_)
                sum_left(own, limits, weights_.data() + first, sums_.data() + k * stride_);
        }
    }

    // Sums of the criterion left of the limit of a column, and how many rows are there.
    Index read(Index column, double *cell) const {
        Index n_left = 0;
        for (Index k = 0; k < width_; ++k) {
            const Index count = sizes_[k] > 0 ? counts_[k * stride_ + column] : 0;
            n_left += count;
            cell[k] = sizes_[k] == 0 ? 0.0
                      : weighted_    ? sums_[k * stride_ + column]
                                     : double(count);
        }
        return n_left;
    }

    // The same of the values of one column.
    template <typename T>
    Index read(const T *values, Index, T most_left, double *cell) const {
        Index n_left = 0, first = 0;
        for (Index k = 0; k < width_; first += sizes_[k++]) {
            const Index count = count_up_to(values + first, sizes_[k], most_left);
            n_left += count;
            cell[k] = weighted_
                          ? sum_up_to(values + first, sizes_[k], most_left, weights_.data() + first)
                          : double(count);
        }
        return n_left;
    }

    void part(Index start, Index n, const std::uint8_t *side) {
        if (weighted_) part_stably(light_.data() + start, n, side, spare_.data());
    }

    // A side of the node, of whose rows without weights `sum` is known.
    Summary summarise(Index start, Index n, const double *sum, double *total, double *value) const {
        if (weighted_)
            return Criterion::summarise(targets_, light_.data() + start, n, total, value);
        std::copy(sum, sum + width_, total);
        Summary out;
        out.weight = double(n);
        Criterion::conclude(targets_, total, value, out);
        return out;
    }

  private:
    const Targets &targets_;
    bool weighted_;
    Index width_, stride_;
    std::vector<Index> sizes_;  // of the classes in the node
    std::vector<Light> light_, spare_;
    std::vector<double> weights_;       // in the node
    std::vector<std::int32_t> counts_;  // by class and column
    std::vector<double> sums_;
};

template <typename Loss>
class PackedTargets<MomentCriterion<Loss>> {
  public:
    using Criterion = MomentCriterion<Loss>;
    using Light = typename Criterion::Light;

    PackedTargets(const Targets &targets, Index stride)
        : targets_(targets), weighted_(targets.weight != nullptr), counts_(stride), sums_(stride),
          weight_sums_(weighted_ ? stride : 0) {}

    void load(const Light *light, Index n, std::vector<std::uint32_t> &order) {
        order.resize(n);
        std::iota(order.begin(), order.end(), 0U);
        light_.assign(light, light + n);
        spare_.resize(n);
        products_.resize(n);
        weights_.resize(n);
    }

    void enter(Index start, Index n, const double *) {
        const Light *light = light_.data() + start;
        for (Index i = 0; i < n; ++i) {
            products_[i] = light[i].w * light[i].y;
            weights_[i] = light[i].w;
        }
    }

    template <typename T>
    void run(RowBlock<T> rows, const Limits<T> &limits) {
        count_left(rows, limits, counts_.data());
        sum_left(rows, limits, products_.data(), sums_.data());
        if (weighted_) sum_left(rows, limits, weights_.data(), weight_sums_.data());
    }

    Index read(Index column, double *cell) const {
        cell[0] = sums_[column];
        cell[1] = weighted_ ? weight_sums_[column] : double(counts_[column]);
        return counts_[column];
    }

    template <typename T>
    Index read(const T *values, Index n, T most_left, double *cell) const {
        const Index n_left = count_up_to(values, n, most_left);
        cell[0] = sum_up_to(values, n, most_left, products_.data());
        cell[1] = weighted_ ? sum_up_to(values, n, most_left, weights_.data()) : double(n_left);
        return n_left;
    }

    void part(Index start, Index n, const std::uint8_t *side) {
        part_stably(light_.data() + start, n, side, spare_.data());
    }

    Summary summarise(Index start, Index n, const double *, double *total, double *value) const {
        return Criterion::summarise(targets_, light_.data() + start, n, total, value);
    }

  private:
    const Targets &targets_;
    bool weighted_;
    std::vector<Light> light_, spare_;
    std::vector<double> products_, weights_;  // in the node
    std::vector<std::int32_t> counts_;        // by column
    std::vector<double> sums_, weight_sums_;
};

}  // namespace margin::trees::exact
