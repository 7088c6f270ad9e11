// The loops of columns.hpp, in the widest registers there are.
#include "trees/exact/packed/columns.hpp"

#include "common/native.hpp"

namespace margin::trees::exact {

namespace {

template <typename T>
[[gnu::always_inline]] inline ColumnRange<T> gather_loop(const T *column, const std::uint32_t *rows,
                                                         Index n, T *out) {
    constexpr Index block = 512;  // values that are still at hand when they are compared
    T least = column[rows[0]], most = least;
    for (Index first = 0; first < n; first += block) {
        const Index last = first + block < n ? first + block : n;
        for (Index i = first; i < last; ++i) out[i] = column[rows[i]];
#pragma omp simd reduction(min : least) reduction(max : most)
        for (Index i = first; i < last; ++i) {
            least = out[i] < least ? out[i] : least;
            most = out[i] > most ? out[i] : most;
        }
    }
    return {least, most};
}

template <typename T>
[[gnu::always_inline]] inline Index count_loop(const T *values, Index n, T most_left) {
    Index count = 0;
#pragma omp simd reduction(+ : count)
    for (Index i = 0; i < n; ++i) count += values[i] <= most_left ? 1 : 0;
    return count;
}

template <typename T>
[[gnu::always_inline]] inline double sum_loop(const T *values, Index n, T most_left,
                                              const double *numbers) {
    double sum = 0.0;
    for (Index i = 0; i < n; ++i) sum += values[i] <= most_left ? numbers[i] : 0.0;
    return sum;
}

}  // namespace

#define MARGIN_COLUMNS(T)                                                                          \
    MARGIN_CLONES ColumnRange<T> gather_column(const T *column, const std::uint32_t *rows,         \
                                               Index n, T *out) {                                  \
        return gather_loop(column, rows, n, out);                                                  \
    }                                                                                              \
    MARGIN_CLONES Index count_up_to(const T *values, Index n, T most_left) {                       \
        return count_loop(values, n, most_left);                                                   \
    }                                                                                              \
    MARGIN_CLONES double sum_up_to(const T *values, Index n, T most_left, const double *numbers) { \
        return sum_loop(values, n, most_left, numbers);                                            \
    }

MARGIN_COLUMNS(float)
MARGIN_COLUMNS(double)

}  // namespace margin::trees::exact
