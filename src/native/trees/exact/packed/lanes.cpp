// The loops of lanes.hpp, in the widest registers there are.
#include "trees/exact/packed/lanes.hpp"

#include <cstring>

#include "common/native.hpp"

namespace margin::trees::exact {

namespace {

typedef double Doubles __attribute__((vector_size(64)));
typedef std::int64_t Longs __attribute__((vector_size(64)));

template <typename T>
struct Lanes;

template <>
struct Lanes<float> {
    typedef float Values __attribute__((vector_size(64)));
    typedef std::int32_t Marks __attribute__((vector_size(64)));
    static constexpr int halves = 2;  // registers of doubles for one of values

    [[gnu::always_inline]] static void widen(const Marks &m, int half, Longs &out) {
        typedef std::int32_t Half __attribute__((vector_size(32)));
        const Half h = half ? __builtin_shufflevector(m, m, 8, 9, 10, 11, 12, 13, 14, 15)
                            : __builtin_shufflevector(m, m, 0, 1, 2, 3, 4, 5, 6, 7);
        out = __builtin_convertvector(h, Longs);
    }
};

template <>
struct Lanes<double> {
    typedef Doubles Values;
    typedef Longs Marks;
    static constexpr int halves = 1;

    [[gnu::always_inline]] static void widen(const Marks &m, int, Longs &out) { out = m; }
};

// Several rows at a time, so that one comparison need not wait for the last.
template <typename T>
[[gnu::always_inline]] inline void extremes_loop(RowBlock<T> rows, Index block, T *least, T *most) {
    constexpr Index width = 4;
    using Values = typename Lanes<T>::Values;
    Values low[width], high[width], x;
    std::memcpy(&x, rows.data + block, sizeof x);
    for (Index k = 0; k < width; ++k) low[k] = high[k] = x;
    const T *at = rows.data + block, *end = at + rows.n * rows.stride;
    for (; at + (width - 1) * rows.stride < end; at += width * rows.stride) {
#pragma GCC unroll 4
        for (Index k = 0; k < width; ++k) {
            std::memcpy(&x, at + k * rows.stride, sizeof x);
            low[k] = x < low[k] ? x : low[k];
            high[k] = x > high[k] ? x : high[k];
        }
    }
    for (; at < end; at += rows.stride) {
        std::memcpy(&x, at, sizeof x);
        low[0] = x < low[0] ? x : low[0];
        high[0] = x > high[0] ? x : high[0];
    }
    for (Index k = 1; k < width; ++k) {
        low[0] = low[k] < low[0] ? low[k] : low[0];
        high[0] = high[k] > high[0] ? high[k] : high[0];
    }
    std::memcpy(least + block, &low[0], sizeof x);
    std::memcpy(most + block, &high[0], sizeof x);
}

// `width` blocks at a time, so that one sum need not wait for the last.
template <int width, typename T>
[[gnu::always_inline]] inline void count_blocks(RowBlock<T> rows, const Index *blocks,
                                                const T *most_left, std::int32_t *counts) {
    typename Lanes<T>::Values limit[width], x;
    typename Lanes<T>::Marks sum[width]{};
    for (int g = 0; g < width; ++g) std::memcpy(&limit[g], most_left + blocks[g], sizeof x);
    for (Index i = 0; i < rows.n; ++i) {
        const T *row = rows.data + i * rows.stride;
#pragma GCC unroll 4
        for (int g = 0; g < width; ++g) {
            std::memcpy(&x, row + blocks[g], sizeof x);
            sum[g] -= x <= limit[g];
        }
    }
    for (int g = 0; g < width; ++g)
        for (Index l = 0; l < block_width<T>; ++l)
            counts[blocks[g] + l] = static_cast<std::int32_t>(sum[g][l]);
}

template <int width, typename T>
[[gnu::always_inline]] inline void sum_blocks(RowBlock<T> rows, const Index *blocks,
                                              const T *most_left, const double *values,
                                              double *sums) {
    constexpr int halves = Lanes<T>::halves;
    typename Lanes<T>::Values limit[width], x;
    Doubles sum[width * halves]{};
    for (int g = 0; g < width; ++g) std::memcpy(&limit[g], most_left + blocks[g], sizeof x);
    for (Index i = 0; i < rows.n; ++i) {
        const T *row = rows.data + i * rows.stride;
        const Longs bits = (Longs)(Doubles{} + values[i]);
#pragma GCC unroll 4
        for (int g = 0; g < width; ++g) {
            std::memcpy(&x, row + blocks[g], sizeof x);
            const typename Lanes<T>::Marks left = x <= limit[g];
#pragma GCC unroll 2
            for (int h = 0; h < halves; ++h) {
                Longs wide;
                Lanes<T>::widen(left, h, wide);
                sum[g * halves + h] += (Doubles)(wide & bits);
            }
        }
    }
    for (int g = 0; g < width; ++g)
        std::memcpy(sums + blocks[g], &sum[g * halves], sizeof(Doubles) * halves);
}

template <typename T>
[[gnu::always_inline]] inline void count_loop(RowBlock<T> rows, Limits<T> limits,
                                              std::int32_t *counts) {
    Index b = 0;
    for (; b + 2 <= limits.n_blocks; b += 2)
        count_blocks<2>(rows, limits.blocks + b, limits.most_left, counts);
    if (b < limits.n_blocks) count_blocks<1>(rows, limits.blocks + b, limits.most_left, counts);
}

template <typename T>
[[gnu::always_inline]] inline void sum_loop(RowBlock<T> rows, Limits<T> limits,
                                            const double *values, double *sums) {
    Index b = 0;
    for (; b + 2 <= limits.n_blocks; b += 2)
        sum_blocks<2>(rows, limits.blocks + b, limits.most_left, values, sums);
    if (b < limits.n_blocks) sum_blocks<1>(rows, limits.blocks + b, limits.most_left, values, sums);
}

template <typename T>
[[gnu::always_inline]] inline void copy_row(const T *from, T *to, Index stride) {
    typename Lanes<T>::Values x;
    for (Index k = 0; k < stride; k += block_width<T>) {
        std::memcpy(&x, from + k, sizeof x);
        std::memcpy(to + k, &x, sizeof x);
    }
}

template <typename T>
[[gnu::always_inline]] inline void part_loop(T *rows, Index n, Index stride,
                                             const std::uint8_t *side, Index n_left, T *left) {
    T *left_end = left + n_left * stride, *right_end = rows + n * stride;
    for (Index i = n - 1; i >= 0; --i) {
        left_end -= side[i] ? stride : 0;
        right_end -= side[i] ? 0 : stride;
        copy_row(rows + i * stride, side[i] ? left_end : right_end, stride);
    }
}

template <typename T>
[[gnu::always_inline]] inline void keep_loop(T *rows, Index n, Index stride,
                                             const std::uint8_t *side, bool kept) {
    T *end = rows;
    for (Index i = 0; i < n; ++i) {
        if (side[i] != std::uint8_t{kept}) continue;
        copy_row(rows + i * stride, end, stride);
        end += stride;
    }
}

}  // namespace

#define MARGIN_LANES(T)                                                                            \
    MARGIN_CLONES void block_extremes(RowBlock<T> rows, Index block, T *least, T *most) {          \
        extremes_loop(rows, block, least, most);                                                   \
    }                                                                                              \
    MARGIN_CLONES void count_left(RowBlock<T> rows, Limits<T> limits, std::int32_t *counts) {      \
        count_loop(rows, limits, counts);                                                          \
    }                                                                                              \
    MARGIN_CLONES void sum_left(RowBlock<T> rows, Limits<T> limits, const double *values,          \
                                double *sums) {                                                    \
        sum_loop(rows, limits, values, sums);                                                      \
    }                                                                                              \
    MARGIN_CLONES void part_rows(T *rows, Index n, Index stride, const std::uint8_t *side,         \
                                 Index n_left, T *left) {                                          \
        part_loop(rows, n, stride, side, n_left, left);                                            \
    }                                                                                              \
    MARGIN_CLONES void keep_rows(T *rows, Index n, Index stride, const std::uint8_t *side,         \
                                 bool kept) {                                                      \
        keep_loop(rows, n, stride, side, kept);                                                    \
    }

MARGIN_LANES(float)
MARGIN_LANES(double)

}  // namespace margin::trees::exact
