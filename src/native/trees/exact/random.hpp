// Thresholds drawn at random between the smallest and the largest value of a node (extra trees).
#pragma once

#include <algorithm>

#include "trees/exact/grower.hpp"

namespace margin::trees::exact {

struct RandomSpace {
    std::vector<double> values, left;
    std::vector<std::uint8_t> side;
    std::vector<std::uint32_t> bits;
    std::vector<Index> order;
};

struct Extremes {
    double least, most;
    Index missing;
};

inline Extremes extremes(const double *values, Index n) {
    double least = -nothing, most = nothing;
    Index missing = 0;
#pragma omp simd reduction(min : least) reduction(max : most) reduction(+ : missing)
    for (Index i = 0; i < n; ++i) {
        least = values[i] < least ? values[i] : least;
        most = values[i] > most ? values[i] : most;
        missing += values[i] != values[i];
    }
    return {least, most, missing};
}

// One for values up to the threshold; how many they are.
inline Index sides_of(const double *values, Index n, double threshold, std::uint8_t *side) {
    Index left = 0;
#pragma omp simd reduction(+ : left)
    for (Index i = 0; i < n; ++i) {
        side[i] = values[i] <= threshold;
        left += values[i] <= threshold;
    }
    return left;
}

// A random half of the categories of the node, never all of them.
inline void draw_categories(PathDraws &draws, RandomSpace &space) {
    std::vector<std::uint32_t> seen;
    for (const double x : space.values)
        if (x == x) seen.push_back(static_cast<std::uint32_t>(x));
    std::sort(seen.begin(), seen.end());
    seen.erase(std::unique(seen.begin(), seen.end()), seen.end());
    space.bits.assign(1, 0);
    Index chosen = 0;
    for (const std::uint32_t code : seen)
        if (draws.next() >> 63) {
            put_bit(space.bits, code);
            ++chosen;
        }
    if (chosen > 0 && chosen < static_cast<Index>(seen.size())) return;
    space.bits.assign(1, 0);
    put_bit(space.bits, seen[draws.below(static_cast<Index>(seen.size()))]);
}

template <typename C>
void Grower<C>::random_split(Index i, C &c, RandomSpace &space) {
    GrowingNode &node = nodes_[i];
    const Entry *rows = lists_[0] + node.start;
    const Index n = node.size(), width = targets_.width();
    std::vector<const Entry *> by_target;
    c.enter(rows_of(i, by_target));
    PathDraws columns = start_draws(node, space.order);
    PathDraws draws = threshold_draws(node.key);
    space.values.resize(n);
    space.side.resize(n);
    Index looked_at = 0;
    for (Index k = 0; k < columns_.n_columns; ++k) {
        if ((looked_at >= settings_.max_features || n == 2) && node.split.valid()) break;
        const Index j = draw_column(columns, space.order, k);
        if (!may_use(node, j)) continue;
        columns_.gather(j, rows, n, space.values.data());
        const auto [least, most, missing] = extremes(space.values.data(), n);
        if (missing == n || (missing == 0 && least == most)) continue;
        ++looked_at;
        Candidate drawn;
        drawn.missing_seen = missing > 0;
        drawn.missing_left = missing > 0 && (draws.next() >> 63);
        const bool categorical = columns_.categorical[j] != 0 && least < most;
        if (categorical) {
            draw_categories(draws, space);
        } else {
            // One value beside missing ones: only these can be parted from it.
            drawn.threshold = drawn_between(least, most, draws);
            if (least == most) drawn.missing_left = false;
        }
        Index n_left = 0;
        if (!categorical && missing == 0)
            n_left = sides_of(space.values.data(), n, drawn.threshold, space.side.data());
        else
            for (Index k = 0; k < n; ++k) {
                const double x = space.values[k];
                const bool is_left = x != x ? drawn.missing_left
                                     : categorical
                                         ? has_bit(space.bits, static_cast<std::uint32_t>(x))
                                         : x <= drawn.threshold;
                space.side[k] = is_left;
                n_left += is_left;
            }
        if (n_left < settings_.min_samples_leaf || n - n_left < settings_.min_samples_leaf)
            continue;
        if constexpr (C::additive) {
            if (!light_.empty()) {
                const Index cell = C::cell_width(targets_);
                space.left.assign(cell, 0.0);
                C::add_side(targets_, light_.data() + node.start, space.side.data(), n,
                            space.left.data());
                c.set(space.left.data(), C::cell_weight(space.left.data(), cell));
            } else {
                space.left.assign(width, 0.0);
                double weight = 0.0;
                for (Index k = 0; k < n; ++k) {
                    const std::uint32_t row = row_of(rows[k]);
                    const double w = space.side[k] ? targets_.weight_of(row) : 0.0;
                    C::add(targets_, row, w, space.left.data());
                    weight += w;
                }
                c.set(space.left.data(), weight);
            }
        } else {
            c.start();
            for (Index k = 0; k < n; ++k)
                if (space.side[k]) c.move(row_of(rows[k]));
        }
        drawn.proxy = c.proxy();
        if (!(drawn.proxy > node.split.proxy) || !allowed(c, rules_of(node, j))) continue;
        drawn.feature = j;
        if (categorical) drawn.categories = space.bits;
        node.split = std::move(drawn);
    }
}

template <typename C>
void Grower<C>::search_random(const Places &places) {
    double work = 0.0;
    for (const Index i : places) work += 10.0 * double(nodes_[i].size());
    work *= double(settings_.max_features);
    team::run(n_threads_, work, static_cast<Index>(places.size()), [&] {
        return [&, c = C(targets_), space = RandomSpace{}](Index at) mutable {
            if (interrupt_.poll()) return;
            random_split(places[at], c, space);
        };
    });
}

}  // namespace margin::trees::exact
