#include "junction/kernels.hpp"

#include <algorithm>

#include "common/native.hpp"

namespace margin::junction {
namespace {

using Places = const std::int32_t *;

template <bool first>
[[gnu::always_inline]] inline void put(double &to, double value) {
    to = first ? value : to * value;
}

template <bool first>
[[gnu::always_inline]] inline void product_row(double *__restrict block,
                                               const double *__restrict source, Map::Kind kind,
                                               Places at, Index run, Index n) {
    switch (kind) {
        case Map::Kind::contiguous:
#pragma omp simd
            for (Index i = 0; i < n; ++i) put<first>(block[i], source[i]);
            return;
        case Map::Kind::constant: {
            const double value = source[0];
#pragma omp simd
            for (Index i = 0; i < n; ++i) put<first>(block[i], value);
            return;
        }
        case Map::Kind::pieces:
            for (Index s = 0; s < n; s += run) {
                const double *from = source + at[s];
                double *to = block + s;
#pragma omp simd
                for (Index i = 0; i < run; ++i) put<first>(to[i], from[i]);
            }
            return;
        case Map::Kind::repeats:
            if (run >= 4) {
                for (Index s = 0; s < n; s += run) {
                    const double value = source[at[s]];
                    double *to = block + s;
#pragma omp simd
                    for (Index i = 0; i < run; ++i) put<first>(to[i], value);
                }
                return;
            }
            [[fallthrough]];
        default:
            for (Index i = 0; i < n; ++i) put<first>(block[i], source[at[i]]);
    }
}

struct Add {
    static double of(double a, double b) { return a + b; }
};
struct Max {
    static double of(double a, double b) { return a > b ? a : b; }
};

template <typename Op>
[[gnu::always_inline]] inline double fold(const double *block, Index n) {
    // Entries are never negative, so zero is neutral for both operations.
    double part[8] = {0, 0, 0, 0, 0, 0, 0, 0};
    Index i = 0;
    for (; i + 8 <= n; i += 8)
        for (int k = 0; k < 8; ++k) part[k] = Op::of(part[k], block[i + k]);
    for (; i < n; ++i) part[0] = Op::of(part[0], block[i]);
    return Op::of(Op::of(Op::of(part[0], part[4]), Op::of(part[1], part[5])),
                  Op::of(Op::of(part[2], part[6]), Op::of(part[3], part[7])));
}

template <typename Op>
[[gnu::always_inline]] inline void collapse_row(double *__restrict out,
                                                const double *__restrict block, Map::Kind kind,
                                                Places at, Index run, Index n) {
    switch (kind) {
        case Map::Kind::contiguous:
#pragma omp simd
            for (Index i = 0; i < n; ++i) out[i] = Op::of(out[i], block[i]);
            return;
        case Map::Kind::constant: out[0] = Op::of(out[0], fold<Op>(block, n)); return;
        case Map::Kind::pieces:
            for (Index s = 0; s < n; s += run) {
                double *to = out + at[s];
                const double *from = block + s;
#pragma omp simd
                for (Index i = 0; i < run; ++i) to[i] = Op::of(to[i], from[i]);
            }
            return;
        case Map::Kind::repeats:
            for (Index s = 0; s < n; s += run) {
                double total = block[s];
                for (Index i = 1; i < run; ++i) total = Op::of(total, block[s + i]);
                out[at[s]] = Op::of(out[at[s]], total);
            }
            return;
        default:
            for (Index i = 0; i < n; ++i) out[at[i]] = Op::of(out[at[i]], block[i]);
    }
}

template <bool first>
[[gnu::always_inline]] inline void product_lanes(double *__restrict block,
                                                 const double *__restrict source, Places at,
                                                 Index n) {
    for (Index i = 0; i < n; ++i) {
        const double *from = source + static_cast<Index>(at[i]) * lanes;
        double *to = block + i * lanes;
#pragma omp simd
        for (int r = 0; r < lanes; ++r) put<first>(to[r], from[r]);
    }
}

template <typename Op>
[[gnu::always_inline]] inline void collapse_lanes(double *__restrict out,
                                                  const double *__restrict block, Places at,
                                                  Index n) {
    Index i = 0;
    while (i < n) {
        double total[lanes];
        const std::int32_t place = at[i];
#pragma omp simd
        for (int r = 0; r < lanes; ++r) total[r] = block[i * lanes + r];
        for (++i; i < n && at[i] == place; ++i)
#pragma omp simd
            for (int r = 0; r < lanes; ++r) total[r] = Op::of(total[r], block[i * lanes + r]);
        double *to = out + static_cast<Index>(place) * lanes;
#pragma omp simd
        for (int r = 0; r < lanes; ++r) to[r] = Op::of(to[r], total[r]);
    }
}

MARGIN_CLONES void set_row_loop(double *b, const double *s, Map::Kind k, Places at, Index run,
                                Index n) {
    product_row<true>(b, s, k, at, run, n);
}
MARGIN_CLONES void multiply_row_loop(double *b, const double *s, Map::Kind k, Places at, Index run,
                                     Index n) {
    product_row<false>(b, s, k, at, run, n);
}
MARGIN_CLONES void add_row_loop(double *o, const double *b, Map::Kind k, Places at, Index run,
                                Index n) {
    collapse_row<Add>(o, b, k, at, run, n);
}
MARGIN_CLONES void max_row_loop(double *o, const double *b, Map::Kind k, Places at, Index run,
                                Index n) {
    collapse_row<Max>(o, b, k, at, run, n);
}
MARGIN_CLONES void set_lanes_loop(double *b, const double *s, Places at, Index n) {
    product_lanes<true>(b, s, at, n);
}
MARGIN_CLONES void multiply_lanes_loop(double *b, const double *s, Places at, Index n) {
    product_lanes<false>(b, s, at, n);
}
MARGIN_CLONES void add_lanes_loop(double *o, const double *b, Places at, Index n) {
    collapse_lanes<Add>(o, b, at, n);
}
MARGIN_CLONES void max_lanes_loop(double *o, const double *b, Places at, Index n) {
    collapse_lanes<Max>(o, b, at, n);
}
MARGIN_CLONES void spread_loop(double *block, const double *source, Index n) {
    for (Index i = 0; i < n; ++i) {
        const double value = source[i];
#pragma omp simd
        for (int r = 0; r < lanes; ++r) block[i * lanes + r] = value;
    }
}

}  // namespace

void set_row(double *block, const double *source, const Map &map, Index n) {
    set_row_loop(block, source, map.kind, map.inner.data(), map.run, n);
}
void multiply_row(double *block, const double *source, const Map &map, Index n) {
    multiply_row_loop(block, source, map.kind, map.inner.data(), map.run, n);
}
void add_row(double *out, const double *block, const Map &map, Index n) {
    add_row_loop(out, block, map.kind, map.inner.data(), map.run, n);
}
void max_row(double *out, const double *block, const Map &map, Index n) {
    max_row_loop(out, block, map.kind, map.inner.data(), map.run, n);
}
void set_lanes(double *block, const double *source, const Map &map, Index n) {
    set_lanes_loop(block, source, map.inner.data(), n);
}
void multiply_lanes(double *block, const double *source, const Map &map, Index n) {
    multiply_lanes_loop(block, source, map.inner.data(), n);
}
void add_lanes(double *out, const double *block, const Map &map, Index n) {
    add_lanes_loop(out, block, map.inner.data(), n);
}
void max_lanes(double *out, const double *block, const Map &map, Index n) {
    max_lanes_loop(out, block, map.inner.data(), n);
}
void spread_lanes(double *block, const double *source, Index n) { spread_loop(block, source, n); }

}  // namespace margin::junction
