// Splits of categories into two sets, without one column for each.
//
// For two classes, or one number with the squared error or the Poisson deviance, the best of all
// subsets is a prefix of the categories in the order of their means (Fisher 1958, Breiman et al.
// 1984). Otherwise all subsets are tried while there are few categories, and beyond that prefixes
// along the first principal direction of their means (Coppersmith, Hong and Hosking 1999).
#pragma once

#include <algorithm>
#include <cmath>
#include <numeric>
#include <vector>

#include "trees/exact/scan.hpp"

namespace margin::trees::exact {

constexpr std::size_t most_enumerated = 10;

inline void put_bit(std::vector<std::uint32_t> &bits, std::uint32_t code) {
    if (code / 32 >= bits.size()) bits.resize(code / 32 + 1);
    bits[code / 32] |= 1U << (code % 32);
}

inline bool has_bit(const std::vector<std::uint32_t> &bits, std::uint32_t code) {
    return code / 32 < bits.size() && (bits[code / 32] >> (code % 32) & 1U);
}

// Categories of a node: where their rows lie, their weights and sums.
struct Levels {
    std::vector<Index> first;  // and the end
    std::vector<double> weight, sums;
    std::size_t width = 0;

    std::size_t size() const { return weight.size(); }
    const double *of(std::size_t level) const { return sums.data() + level * width; }
};

template <typename C>
Levels levels_of(const Targets &t, const Entry *rows, Index present) {
    Levels levels;
    levels.width = static_cast<std::size_t>(t.width());
    for (Index i = 0; i < present; ++i) {
        if (i == 0 || code_of(rows[i]) != code_of(rows[i - 1])) {
            levels.first.push_back(i);
            levels.weight.push_back(0.0);
            levels.sums.resize(levels.sums.size() + levels.width, 0.0);
        }
        const std::uint32_t row = row_of(rows[i]);
        const double w = t.weight_of(row);
        levels.weight.back() += w;
        double *sums = levels.sums.data() + (levels.size() - 1) * levels.width;
        if constexpr (C::additive)
            C::add(t, row, w, sums);
        else
            for (Index o = 0; o < t.n_outputs; ++o) sums[o] += w * t.numbers[o * t.n_rows + row];
    }
    levels.first.push_back(present);
    return levels;
}

// Scores whose order the prefixes follow: the means themselves, or along their first principal
// direction (power iteration from the direction of the widest column).
inline std::vector<double> level_scores(const Levels &levels) {
    const std::size_t m = levels.size(), width = levels.width;
    std::vector<double> means(m * width), centre(width, 0.0), scores(m, 0.0);
    double total = 0.0;
    for (std::size_t l = 0; l < m; ++l) {
        total += levels.weight[l];
        for (std::size_t k = 0; k < width; ++k) {
            means[l * width + k] = levels.of(l)[k] / levels.weight[l];
            centre[k] += levels.of(l)[k];
        }
    }
    if (width <= 2) {
        for (std::size_t l = 0; l < m; ++l) scores[l] = means[l * width + width - 1];
        return scores;
    }
    std::vector<double> spread(width, 0.0);
    for (double &c : centre) c /= total;
    for (std::size_t l = 0; l < m; ++l)
        for (std::size_t k = 0; k < width; ++k) {
            double &v = means[l * width + k];
            v -= centre[k];
            spread[k] += levels.weight[l] * v * v;
        }
    std::vector<double> direction(width, 0.0), next(width);
    direction[std::max_element(spread.begin(), spread.end()) - spread.begin()] = 1.0;
    for (int round = 0; round < 30; ++round) {
        std::fill(next.begin(), next.end(), 0.0);
        for (std::size_t l = 0; l < m; ++l) {
            const double *v = means.data() + l * width;
            scores[l] = std::inner_product(v, v + width, direction.begin(), 0.0);
            for (std::size_t k = 0; k < width; ++k) next[k] += levels.weight[l] * scores[l] * v[k];
        }
        const double norm =
            std::sqrt(std::inner_product(next.begin(), next.end(), next.begin(), 0.0));
        if (!(norm > 0.0)) break;
        for (std::size_t k = 0; k < width; ++k) direction[k] = next[k] / norm;
    }
    return scores;
}

// Every way to send the levels and the missing rows left or right; the last level stays right.
template <typename C>
void enumerate(C &c, const Targets &t, const Levels &levels, const Entry *rows, Index n,
               Index present, const Rules &rules, Index feature, Candidate &best) {
    const std::size_t m = levels.size(), width = levels.width;
    std::vector<double> missing(width, 0.0), left(width);
    double missing_weight = 0.0;
    for (Index i = present; i < n; ++i) {
        const double w = t.weight_of(row_of(rows[i]));
        C::add(t, row_of(rows[i]), w, missing.data());
        missing_weight += w;
    }
    c.start();
    for (std::size_t subset = 0; subset < std::size_t{1} << (m - 1); ++subset)
        for (const bool missing_left : {false, true}) {
            if (missing_left && present == n) continue;
            if (subset == 0 && !missing_left) continue;
            left = missing_left ? missing : std::vector<double>(width, 0.0);
            double weight = missing_left ? missing_weight : 0.0;
            Index n_left = missing_left ? n - present : 0;
            for (std::size_t l = 0; l + 1 < m; ++l) {
                if (!(subset >> l & 1U)) continue;
                for (std::size_t k = 0; k < width; ++k) left[k] += levels.of(l)[k];
                weight += levels.weight[l];
                n_left += levels.first[l + 1] - levels.first[l];
            }
            if (n_left < rules.least_rows || n - n_left < rules.least_rows) continue;
            c.set(left.data(), weight);
            const double proxy = c.proxy();
            if (!(proxy > best.proxy) || !allowed(c, rules)) continue;
            best.proxy = proxy;
            best.feature = feature;
            best.missing_left = missing_left;
            best.missing_seen = present < n;
            best.categories.assign(1, 0);
            for (std::size_t l = 0; l + 1 < m; ++l)
                if (subset >> l & 1U) put_bit(best.categories, code_of(rows[levels.first[l]]));
        }
}

template <typename C>
Candidate split_categories(C &c, const Targets &t, const Entry *rows, Index n, const Rules &rules,
                           Index feature, std::vector<Entry> &spare) {
    Candidate best;
    if (code_of(rows[0]) == code_of(rows[n - 1])) return best;
    const Index present = count_present(rows, n);
    const Levels levels = levels_of<C>(t, rows, present);
    const std::size_t one = t.classes ? 2 : 1;
    if (C::additive && levels.width > one && levels.size() <= most_enumerated) {
        enumerate(c, t, levels, rows, n, present, rules, feature, best);
        return best;
    }
    const std::vector<double> scores = level_scores(levels);
    std::vector<std::size_t> order(levels.size());
    std::iota(order.begin(), order.end(), 0);
    std::stable_sort(order.begin(), order.end(),
                     [&](std::size_t a, std::size_t b) { return scores[a] < scores[b]; });
    spare.clear();
    for (std::size_t place = 0; place < order.size(); ++place)
        for (Index i = levels.first[order[place]]; i < levels.first[order[place] + 1]; ++i)
            spare.push_back(entry(static_cast<std::uint32_t>(place), row_of(rows[i])));
    spare.insert(spare.end(), rows + present, rows + n);
    best = scan(c, spare.data(), n, rules, feature);
    if (!best.valid()) return best;
    best.categories.assign(1, 0);
    for (std::size_t place = 0; place < order.size(); ++place)
        if (levels.first[order[place] + 1] - levels.first[order[place]] > 0 &&
            (best.all_present_left || place <= code_of(spare[best.n_left - 1])))
            put_bit(best.categories, code_of(rows[levels.first[order[place]]]));
    return best;
}

}  // namespace margin::trees::exact
