// The best split of one node along one ordered column.
#pragma once

#include <cmath>
#include <limits>
#include <vector>

#include "trees/exact/targets.hpp"

namespace margin::trees::exact {

constexpr double nothing = -std::numeric_limits<double>::infinity();

// What a split must respect.
struct Rules {
    Index least_rows = 1;
    double least_weight = 0.0;
    bool bounded = false;  // some column has a direction: values stay between the bounds
    int direction = 0;     // of this column: 1 rising, -1 falling
    double lower = nothing, upper = -nothing;
};

struct Candidate {
    double proxy = nothing;
    Index feature = -1;
    Index n_left = 0;                 // of the rows that are present
    std::uint32_t low = 0, high = 0;  // rows on either side of the threshold
    bool missing_left = false, missing_seen = false;
    bool all_present_left = false;          // only missing values go right
    double threshold = 0.0;                 // where it was drawn and not found between rows
    std::vector<std::uint32_t> categories;  // bits of those that go left

    bool valid() const { return feature >= 0; }
    // The larger gain; of equal ones the first column, so that no thread decides.
    bool worse_than(const Candidate &other) const {
        return proxy < other.proxy || (proxy == other.proxy && other.feature < feature) ||
               (!valid() && other.valid());
    }
};

// Whether a split is better than the best so far; of those that differ by rounding the first.
template <typename C>
bool improves(double proxy, const Candidate &best) {
    if (!best.valid()) return proxy > best.proxy;
    return proxy > best.proxy + C::slack * std::abs(best.proxy);
}

template <typename C>
bool allowed(const C &c, const Rules &rules) {
    if (c.weight_left() < rules.least_weight || c.weight_right() < rules.least_weight) return false;
    if (!rules.bounded) return true;
    const double left = c.value_left(), right = c.value_right();
    return left >= rules.lower && left <= rules.upper && right >= rules.lower &&
           right <= rules.upper && (right - left) * rules.direction >= 0.0;
}

// Rows in the order of their codes, the missing ones last. With `missing_left` those start on the
// left; otherwise a last split parts them from all others.
template <typename C>
void scan_one_way(C &c, const Entry *rows, Index n, Index present, bool missing_left,
                  const Rules &rules, Index feature, Candidate &best) {
    c.start();
    const Index missing = n - present, offset = missing_left ? missing : 0;
    if (missing_left)
        for (Index i = present; i < n; ++i) c.move(row_of(rows[i]));
    const Index last = missing_left || missing == 0 ? present - 1 : present;
    for (Index i = 0; i < last; ++i) {
        c.move(row_of(rows[i]));
        const Index left = i + 1 + offset;
        if (left < rules.least_rows || n - left < rules.least_rows) continue;
        if (i + 1 < present && code_of(rows[i]) == code_of(rows[i + 1])) continue;
        const double proxy = c.proxy();
        if (!improves<C>(proxy, best) || !allowed(c, rules)) continue;
        best.proxy = proxy;
        best.feature = feature;
        best.n_left = i + 1;
        best.low = row_of(rows[i]);
        best.all_present_left = i + 1 == present;
        best.high = row_of(rows[best.all_present_left ? i : i + 1]);
        best.missing_left = missing_left;
        best.missing_seen = missing > 0;
    }
}

inline Index count_present(const Entry *rows, Index n) {
    Index present = n;
    while (present > 0 && code_of(rows[present - 1]) == missing_code) --present;
    return present;
}

template <typename C>
Candidate scan(C &c, const Entry *rows, Index n, const Rules &rules, Index feature) {
    Candidate best;
    if (code_of(rows[0]) == code_of(rows[n - 1])) return best;
    const Index present = count_present(rows, n);
    scan_one_way(c, rows, n, present, false, rules, feature, best);
    if (present < n) scan_one_way(c, rows, n, present, true, rules, feature, best);
    return best;
}

}  // namespace margin::trees::exact
