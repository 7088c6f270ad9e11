// Cuts from the sums of bins, eight columns at a time.
#include "trees/exact/coded/cuts.hpp"

#include <algorithm>
#include <bit>
#include <cstring>

#include "common/native.hpp"

namespace margin::trees::exact {

namespace {

typedef double Two __attribute__((vector_size(16)));
static_assert(sizeof(Moment) == sizeof(Two));

// Sums by bin of the columns from `codes` on; flags of the bins that occur.
MARGIN_CLONES
void add_eight(const std::uint8_t *codes, Index stride, const Moment *moments, Index n,
               Moment *cells, std::uint8_t *seen) {
    for (Index i = 0; i < n; ++i) {
        std::uint64_t eight;
        std::memcpy(&eight, codes + i * stride, sizeof eight);
        Two own;
        std::memcpy(&own, moments + i, sizeof own);
#pragma GCC unroll 8
        for (Index k = 0; k < cut_columns; ++k) {
            const Index at = k * BinSums::bins + static_cast<Index>(eight & 255U);
            eight >>= 8;
            Two cell;
            std::memcpy(&cell, cells + at, sizeof cell);
            cell += own;
            std::memcpy(cells + at, &cell, sizeof cell);
            seen[at] = 1;
        }
    }
}

void add_one(const std::uint8_t *codes, Index stride, const Moment *moments, Index n, Moment *cells,
             std::uint8_t *seen) {
    for (Index i = 0; i < n; ++i) {
        const std::uint8_t code = codes[i * stride];
        cells[code].product += moments[i].product;
        cells[code].weight += moments[i].weight;
        seen[code] = 1;
    }
}

// Flags of 64 bins as bits: eight bytes of zero or one come together in the highest one.
std::uint64_t word_of(const std::uint8_t *seen) {
    std::uint64_t word = 0;
    for (int k = 0; k < 8; ++k) {
        std::uint64_t eight;
        std::memcpy(&eight, seen + 8 * k, sizeof eight);
        word |= ((eight * 0x0102040810204080ULL) >> 56) << (8 * k);
    }
    return word;
}

// What cuts after the first, second, … bin take away; the largest.
MARGIN_CLONES
double judge(const double *product, const double *weight, Index n, Moment total, double *proxy) {
    double most = nothing;
#pragma omp simd reduction(max : most)
    for (Index k = 0; k < n; ++k) {
        const double s = product[k], w = weight[k];
        const double rest = total.product - s, other = total.weight - w;
        const double explained = s * s / w + rest * rest / other;
        proxy[k] = explained;
        most = explained > most ? explained : most;
    }
    return most;
}

}  // namespace

bool BinSums::cut_column(Index place, Index column, Index n, const CutRules &rules, Cut &best) {
    Moment *cells = cells_.data() + place * bins;
    std::uint8_t *seen = seen_.data() + place * bins;
    std::uint32_t *counts = counts_.data() + place * bins;
    const bool counted = rules.least_rows > 1;
    Index used = 0;
    Moment sum{0.0, 0.0};
    std::uint32_t rows_left = 0;
    for (Index first = 0; first < bins; first += 64)
        for (std::uint64_t word = word_of(seen + first); word != 0; word &= word - 1) {
            const Index b = first + std::countr_zero(word);
            sum.product += cells[b].product;
            sum.weight += cells[b].weight;
            cells[b] = {0.0, 0.0};
            product_[used] = sum.product;
            weight_[used] = sum.weight;
            code_[used] = static_cast<std::uint8_t>(b);
            if (counted) {
                rows_left += counts[b];
                counts[b] = 0;
                rows_left_[used] = rows_left;
            }
            ++used;
        }
    std::memset(seen, 0, bins);
    if (used < 2) return false;
    double most = judge(product_, weight_, used - 1, rules.total, proxy_);
    if (counted || rules.least_weight > 0.0) {
        most = nothing;
        for (Index k = 0; k + 1 < used; ++k) {
            const bool few = counted && (rows_left_[k] < rules.least_rows ||
                                         n - rows_left_[k] < rules.least_rows);
            const bool light = weight_[k] < rules.least_weight ||
                               rules.total.weight - weight_[k] < rules.least_weight;
            if (few || light) proxy_[k] = nothing;
            most = std::max(most, proxy_[k]);
        }
    }
    if (most > nothing && best.worse_than(most, column)) {
        const Index k = std::find(proxy_, proxy_ + used - 1, most) - proxy_;
        best = {most, column, code_[k]};
    }
    return true;
}

Index BinSums::cut(const CodedRows &rows, Index first, Index n_columns, const std::uint8_t *usable,
                   const CutRules &rules, Cut &best) {
    const std::uint8_t *codes = rows.codes + first;
    if (n_columns == 1)
        add_one(codes, rows.stride, rows.moments, rows.n, cells_.data(), seen_.data());
    else
        add_eight(codes, rows.stride, rows.moments, rows.n, cells_.data(), seen_.data());
    if (rules.least_rows > 1)
        for (Index i = 0; i < rows.n; ++i)
            for (Index k = 0; k < n_columns; ++k) ++counts_[k * bins + codes[i * rows.stride + k]];
    Index differ = 0;
    const Index summed = n_columns == 1 ? 1 : cut_columns;
    for (Index k = 0; k < summed; ++k) {
        if (k < n_columns && (!usable || usable[first + k])) {
            differ += cut_column(k, first + k, rows.n, rules, best);
            continue;
        }
        std::fill_n(cells_.data() + k * bins, bins, Moment{0.0, 0.0});
        std::memset(seen_.data() + k * bins, 0, bins);
        std::fill_n(counts_.data() + k * bins, bins, 0U);
    }
    return differ;
}

}  // namespace margin::trees::exact
