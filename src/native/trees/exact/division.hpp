// Splits carried out: sides marked, children summed up, the lists of all columns parted.
#pragma once

#include <cstring>
#include <limits>

#include "trees/exact/grower.hpp"

namespace margin::trees::exact {

// Sides of the rows of a node; how many go left.
template <typename C>
Index Grower<C>::mark(const GrowingNode &node, const Entry *list) {
    const Entry *rows = list + node.start;
    const Candidate &s = node.split;
    const Index n = node.size(), j = s.feature;
    Index left = 0;
    const auto put = [&](Index i, bool is_left) {
        side_[row_of(rows[i])] = is_left;
        left += is_left;
    };
    if (!s.categories.empty()) {
        for (Index i = 0; i < n; ++i) {
            const double x = columns_.at(j, row_of(rows[i]));
            put(i, x != x ? s.missing_left : has_bit(s.categories, static_cast<std::uint32_t>(x)));
        }
    } else if (settings_.binned) {
        const std::uint8_t *codes = columns_.codes + j * columns_.n_rows;
        const auto last = static_cast<int>(std::min(s.threshold, 255.0));
        const int missing = columns_.missing_bins[j];
        for (Index i = 0; i < n; ++i) {
            const int code = codes[row_of(rows[i])];
            put(i, code == missing ? s.missing_left : code <= last);
        }
    } else if (settings_.random_splits) {
        for (Index i = 0; i < n; ++i) {
            const double x = columns_.at(j, row_of(rows[i]));
            put(i, x != x ? s.missing_left : x <= s.threshold);
        }
    } else {
        for (Index i = 0; i < n; ++i)
            put(i, i < s.n_left || (s.missing_left && code_of(rows[i]) == missing_code));
    }
    return left;
}

// The rows that go left first, either side in the order that it had.
template <typename C>
void Grower<C>::part(const GrowingNode &node, Entry *list, std::vector<Entry> &spare) const {
    const Index n = node.size();
    if (static_cast<Index>(spare.size()) < n) spare.resize(n);
    Entry *rows = list + node.start, *right = spare.data();
    Index l = 0, r = 0;
    for (Index i = 0; i < n; ++i) {
        const Entry e = rows[i];
        const Index is_left = side_[row_of(e)];
        rows[l] = e;
        right[r] = e;
        l += is_left;
        r += 1 - is_left;
    }
    std::memcpy(rows + l, right, static_cast<std::size_t>(r) * sizeof(Entry));
}

// Before the list itself is parted.
template <typename C>
void Grower<C>::part_light(const GrowingNode &node, const Entry *list) {
    const Entry *rows = list + node.start;
    typename C::Light *light = light_.data() + node.start;
    std::vector<typename C::Light> right(node.size() - node.n_left + 1);
    Index l = 0, r = 0;
    for (Index i = 0; i < node.size(); ++i) {
        const typename C::Light own = light[i];
        const Index is_left = side_[row_of(rows[i])];
        light[l] = own;
        right[r] = own;
        l += is_left;
        r += 1 - is_left;
    }
    std::copy(right.begin(), right.begin() + r, light + l);
}

template <typename C>
Summary Grower<C>::summarise_part(const Entry *list, Index start, Index n, double *total,
                                  double *value) {
    if constexpr (C::additive)
        if (!light_.empty()) return C::summarise(targets_, light_.data() + start, n, total, value);
    return C::summarise(targets_, list + start, n, total, value);
}

// Categories that no row of the node has go where missing values go.
template <typename C>
void Grower<C>::send_absent(GrowingNode &node, const Entry *rows) const {
    std::vector<std::uint32_t> present(1, 0), &bits = node.split.categories;
    for (Index i = 0; i < node.size(); ++i) {
        const double x = columns_.at(node.split.feature, row_of(rows[i]));
        if (x == x) put_bit(present, static_cast<std::uint32_t>(x));
    }
    bits.resize(present.size());
    if (node.split.missing_left)
        for (std::size_t k = 0; k < bits.size(); ++k) bits[k] |= ~present[k];
}

template <typename C>
void Grower<C>::prepare_one(Index i, std::vector<Entry> &spare) {
    GrowingNode &node = nodes_[i];
    Candidate &s = node.split;
    Entry *list = lists_[winner(node)];
    node.n_left = mark(node, list);
    const bool in_order = !settings_.one_list() && s.categories.empty() && !s.missing_left;
    if (!light_.empty()) part_light(node, list);
    if (!in_order) part(node, list, spare);
    if (s.categories.empty() && !settings_.one_list())
        s.threshold = s.all_present_left
                          ? -nothing
                          : between(columns_.at(s.feature, s.low), columns_.at(s.feature, s.high));
    const Index width = targets_.width();
    double *totals = half_totals_.data() + 2 * i * width;
    double *values = half_values_.data() + 2 * i * width;
    std::fill(totals, totals + 2 * width, 0.0);
    const Entry *rows = list + node.start;
    Summary &left = half_summaries_[2 * i], &right = half_summaries_[2 * i + 1];
    left = summarise_part(list, node.start, node.n_left, totals, values);
    right = summarise_part(list, node.start + node.n_left, node.size() - node.n_left,
                           totals + width, values + width);
    if (!s.missing_seen) s.missing_left = 2 * node.n_left > node.size();
    if (!s.categories.empty()) send_absent(node, rows);
    node.gain = gain_of(node.summary, left, right, root_weight_);
    if (!gains_enough(node.gain, settings_)) s = Candidate{};
}

template <typename C>
void Grower<C>::prepare(const Places &places) {
    half_summaries_.resize(2 * nodes_.size());
    half_totals_.resize(2 * nodes_.size() * targets_.width());
    half_values_.resize(2 * nodes_.size() * targets_.width());
    double work = 0.0;
    for (const Index i : places) work += 6.0 * double(nodes_[i].size());
    team::run(n_threads_, work, static_cast<Index>(places.size()), [&] {
        return [&, spare = std::vector<Entry>()](Index at) mutable {
            if (nodes_[places[at]].split.valid()) prepare_one(places[at], spare);
        };
    });
}

// Makes the children; true if one of them may be split again, so that the lists must follow.
template <typename C>
bool Grower<C>::split(Index i) {
    const Index width = targets_.width(), at = static_cast<Index>(nodes_.size());
    const auto totals = half_totals_.begin() + 2 * i * width;
    const auto values = half_values_.begin() + 2 * i * width;
    totals_.insert(totals_.end(), totals, totals + 2 * width);
    values_.insert(values_.end(), values, values + 2 * width);
    GrowingNode &node = nodes_[i];
    GrowingNode children[2];
    for (int k = 0; k < 2; ++k) {
        GrowingNode &child = children[k];
        child.start = k ? node.start + node.n_left : node.start;
        child.end = k ? node.end : node.start + node.n_left;
        child.depth = node.depth + 1;
        child.parent = i;
        child.key = child_key(node.key, k);
        child.lower = node.lower;
        child.upper = node.upper;
        child.summary = half_summaries_[2 * i + k];
        child.groups = node.groups;
        for (std::size_t g = 0; g < child.groups.size(); ++g)
            child.groups[g] &= settings_.groups[g][node.split.feature];
    }
    if (!settings_.directions.empty()) {
        double *left = values_.data() + at * width, *right = left + width;
        for (double *value : {left, right}) C::bound(node.lower, node.upper, targets_, value);
        const double middle = C::level(targets_, left) / 2.0 + C::level(targets_, right) / 2.0;
        const int direction = settings_.directions[node.split.feature];
        if (direction != 0) {
            (direction > 0 ? children[0].upper : children[0].lower) = middle;
            (direction > 0 ? children[1].lower : children[1].upper) = middle;
        }
        for (int k = 0; k < 2; ++k)
            C::bound(children[k].lower, children[k].upper, targets_, left + k * width);
    }
    node.is_split = true;
    node.left = at;
    node.right = at + 1;
    for (GrowingNode &child : children) {
        stop_or_go(child);
        nodes_.push_back(std::move(child));
    }
    return !nodes_[at].terminal || !nodes_[at + 1].terminal;
}

template <typename C>
void Grower<C>::divide(const Places &places) {
    double work = 0.0;
    for (const Index i : places) work += 4.0 * double(nodes_[i].size());
    const Index lists = static_cast<Index>(lists_.size());
    team::run(n_threads_, work * double(lists), lists, [&] {
        return [&, spare = std::vector<Entry>()](Index j) mutable {
            if (interrupt_.poll()) return;
            for (const Index i : places)
                if (winner(nodes_[i]) != j) part(nodes_[i], lists_[j], spare);
        };
    });
}

}  // namespace margin::trees::exact
