// The inner loops of centres, for each set of instructions.
#include "cluster/tiles.hpp"

#include <cstring>
#include <limits>

#include "common/native.hpp"

namespace margin::cluster {
namespace {

constexpr std::size_t lanes = 16;
typedef float Lanes __attribute__((vector_size(64)));
typedef std::int32_t Codes __attribute__((vector_size(64)));

struct Two {
    Lanes best, second;
    Codes label;

    [[gnu::always_inline]] void offer(const Lanes &value, std::int32_t c) {
        const Codes nearer = value < best;
        const Lanes later = value < second ? value : second;
        second = nearer ? best : later;
        best = nearer ? value : best;
        label = nearer ? label * 0 + c : label;
    }
};

template <std::size_t rows>
[[gnu::always_inline]] inline void scan(const float *x, const Centres &centres, float *best,
                                        float *second, std::int32_t *label) {
    constexpr float far = std::numeric_limits<float>::max();
    const std::size_t p = centres.p;
    Two left{Lanes{} + far, Lanes{} + far, Codes{}}, right = left;
    const float *values = centres.values;
    for (std::size_t g = 0; g < centres.groups; ++g) {
        const float *start = centres.start + g * rows;
        Lanes sums[rows][2];
#pragma GCC unroll 16
        for (std::size_t i = 0; i < rows; ++i)
            sums[i][0] = Lanes{} + start[i], sums[i][1] = sums[i][0];
        const float *column = x;
        for (std::size_t k = 0; k < p; ++k, column += tile, values += rows) {
            Lanes a, b;
            std::memcpy(&a, column, sizeof a);
            std::memcpy(&b, column + lanes, sizeof b);
#pragma GCC unroll 16
            for (std::size_t i = 0; i < rows; ++i) {
                sums[i][0] += values[i] * a;
                sums[i][1] += values[i] * b;
            }
        }
#pragma GCC unroll 16
        for (std::size_t i = 0; i < rows; ++i) {
            left.offer(sums[i][0], std::int32_t(g * rows + i));
            right.offer(sums[i][1], std::int32_t(g * rows + i));
        }
    }
    std::memcpy(best, &left.best, sizeof left.best);
    std::memcpy(best + lanes, &right.best, sizeof right.best);
    std::memcpy(second, &left.second, sizeof left.second);
    std::memcpy(second + lanes, &right.second, sizeof right.second);
    std::memcpy(label, &left.label, sizeof left.label);
    std::memcpy(label + lanes, &right.label, sizeof right.label);
}

using Scan = void (*)(const float *, const Centres &, float *, float *, std::int32_t *);

void scan_any(const float *x, const Centres &centres, float *best, float *second,
              std::int32_t *label) {
    scan<1>(x, centres, best, second, label);
}

#if defined(__x86_64__) && defined(__GNUC__)
__attribute__((target("avx2,fma"))) void scan_avx2(const float *x, const Centres &centres,
                                                   float *best, float *second,
                                                   std::int32_t *label) {
    scan<2>(x, centres, best, second, label);
}

__attribute__((target("avx512f,avx512dq,avx512vl,prefer-vector-width=512"))) void scan_avx512(
    const float *x, const Centres &centres, float *best, float *second, std::int32_t *label) {
    scan<10>(x, centres, best, second, label);
}
#endif

struct Choice {
    Scan scan;
    std::size_t height;
};

Choice choose() {
#if defined(__x86_64__) && defined(__GNUC__)
    __builtin_cpu_init();
    if (__builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512dq") &&
        __builtin_cpu_supports("avx512vl"))
        return {scan_avx512, 10};
    if (__builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma")) return {scan_avx2, 2};
#endif
    return {scan_any, 1};
}

const Choice chosen = choose();

// Eight sums side by side, added in a fixed order: the same bits for every set of instructions.
template <typename T>
[[gnu::always_inline]] inline double apart(const T *x, const double *c, std::size_t p) {
    double part[8] = {};
    std::size_t k = 0;
    for (; k + 8 <= p; k += 8)
        for (std::size_t l = 0; l < 8; ++l) {
            const double d = static_cast<double>(x[k + l]) - c[k + l];
            part[l] += d * d;
        }
    for (std::size_t l = 0; k < p; ++k, ++l) {
        const double d = static_cast<double>(x[k]) - c[k];
        part[l] += d * d;
    }
    return ((part[0] + part[4]) + (part[1] + part[5])) +
           ((part[2] + part[6]) + (part[3] + part[7]));
}

template <typename T>
[[gnu::always_inline]] inline double gather(const Labelled<T> &rows, std::size_t first,
                                            std::size_t last, const Gathered &out) {
    const auto [X, p, weight, centres, label] = rows;
    const auto [square, sums, mass] = out;
    double total = 0.0;
    for (std::size_t i = first; i < last; ++i) {
        const T *x = X + i * p;
        const std::size_t c = static_cast<std::size_t>(label[i]);
        const double w = weight ? weight[i] : 1.0;
        square[i] = apart(x, centres + c * p, p);
        total += w * square[i];
        double *sum = sums + c * p;
#pragma omp simd
        for (std::size_t k = 0; k < p; ++k) sum[k] += w * static_cast<double>(x[k]);
        mass[c] += w;
    }
    return total;
}

}  // namespace

std::size_t height() { return chosen.height; }

void nearest_two(const float *rows, const Centres &centres, float *best, float *second,
                 std::int32_t *label) {
    chosen.scan(rows, centres, best, second, label);
}

MARGIN_CLONES double gather_rows(const Labelled<double> &rows, std::size_t first, std::size_t last,
                                 const Gathered &out) {
    return gather(rows, first, last, out);
}

MARGIN_CLONES double gather_rows(const Labelled<float> &rows, std::size_t first, std::size_t last,
                                 const Gathered &out) {
    return gather(rows, first, last, out);
}

MARGIN_CLONES double squared_distance(const double *x, const double *c, std::size_t p) {
    return apart(x, c, p);
}

MARGIN_CLONES double squared_distance(const float *x, const double *c, std::size_t p) {
    return apart(x, c, p);
}

}  // namespace margin::cluster
