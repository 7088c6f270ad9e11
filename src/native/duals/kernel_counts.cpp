// Kernel machines that count corrections: visits to rows of a kernel matrix, one by one.
#include <nanobind/nanobind.h>
#include <nanobind/ndarray.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <stdexcept>

#include "common/bind.hpp"
#include "common/native.hpp"

namespace margin {
namespace {

// f += the signed rows, four at a time: several streams keep the memory busy.
template <typename T>
[[gnu::always_inline]] inline void add_rows(const T *const *row, const double *sign,
                                            std::size_t count, double *f, std::size_t n) {
    std::size_t r = 0;
    for (; r + 3 < count; r += 4) {
        const T *a = row[r], *b = row[r + 1], *c = row[r + 2], *d = row[r + 3];
        const double sa = sign[r], sb = sign[r + 1], sc = sign[r + 2], sd = sign[r + 3];
#pragma omp simd
        for (std::size_t j = 0; j < n; ++j)
            f[j] += (sa * a[j] + sb * b[j]) + (sc * c[j] + sd * d[j]);
    }
    for (; r < count; ++r) {
        const T *a = row[r];
        const double sa = sign[r];
#pragma omp simd
        for (std::size_t j = 0; j < n; ++j) f[j] += sa * a[j];
    }
}

MARGIN_CLONES void add_rows_f64(const double *const *row, const double *sign, std::size_t count,
                                double *f, std::size_t n) {
    add_rows(row, sign, count, f, n);
}

MARGIN_CLONES void add_rows_f32(const float *const *row, const double *sign, std::size_t count,
                                double *f, std::size_t n) {
    add_rows(row, sign, count, f, n);
}

// Visits between two updates of all values: what they do to each other is followed at once.
constexpr std::size_t block = 64;

template <typename T>
struct Visits {
    const T *K;
    const std::int64_t *order, *code;
    std::size_t n;
    double slope;

    // Steps `from` to `to` of one machine, at most a block; the number of corrections.
    std::int64_t steps(std::size_t from, std::size_t to, std::int64_t own, double elapsed,
                       double *f, double *counts, double *late) const {
        double value[block], sign[block];
        const T *row[block];
        const std::size_t size = to - from;
        const std::int64_t *at = order + from;
        std::size_t made = 0;
        for (std::size_t a = 0; a < size; ++a) value[a] = f[at[a]];
        for (std::size_t a = 0; a < size; ++a) {
            const std::int64_t i = at[a];
            const double t = elapsed + static_cast<double>(from + a), bound = slope * t;
            const double y = code[i] == own ? 1.0 : -1.0, margin = y * value[a];
            if (!(margin < bound || (bound == 0.0 && margin == 0.0))) continue;
            counts[i] += 1.0;
            if (late) late[i] += t;
            row[made] = K + static_cast<std::size_t>(i) * n;
            sign[made] = y;
            for (std::size_t b = a + 1; b < size; ++b) value[b] += y * row[made][at[b]];
            ++made;
        }
        if constexpr (sizeof(T) == 8)
            add_rows_f64(row, sign, made, f, n);
        else
            add_rows_f32(row, sign, made, f, n);
        return static_cast<std::int64_t>(made);
    }
};

using Integers = Vector<const std::int64_t>;

// Machine k corrects row i at visit t where sign f[k, i] < slope t, or where both are zero: the
// perceptron has slope 0, Pegasos the strength of its penalty. `late` adds up the visits before
// every correction, from which the means of the counts over time follow.
template <typename T>
std::int64_t count_steps(Matrix<const T> K, Integers visits, Integers code, Integers machines,
                         double slope, double elapsed, Matrix<double> f, Matrix<double> counts,
                         std::optional<Matrix<double>> late) {
    const std::size_t n = K.shape(0), size = f.shape(0), total = visits.size();
    const auto is = [&](const Matrix<double> &a) { return a.shape(0) == size && a.shape(1) == n; };
    if (K.shape(1) != n || code.size() != n || !is(f) || !is(counts) || (late && !is(*late)))
        throw std::invalid_argument("count_steps: arrays of different shape");
    for (std::size_t v = 0; v < total; ++v)
        if (visits.data()[v] < 0 || static_cast<std::size_t>(visits.data()[v]) >= n)
            throw std::invalid_argument("count_steps: row out of range");
    for (std::size_t a = 0; a < machines.size(); ++a)
        if (machines.data()[a] < 0 || static_cast<std::size_t>(machines.data()[a]) >= size)
            throw std::invalid_argument("count_steps: machine out of range");
    const Visits<T> all{K.data(), visits.data(), code.data(), n, slope};
    nb::gil_scoped_release release;
    std::int64_t made = 0;
    for (std::size_t from = 0; from < total; from += block)
        for (std::size_t a = 0; a < machines.size(); ++a) {
            const std::int64_t k = machines.data()[a], own = size == 1 ? 1 : k;
            const std::size_t place = static_cast<std::size_t>(k) * n;
            made += all.steps(from, std::min(total, from + block), own, elapsed, f.data() + place,
                              counts.data() + place, late ? late->data() + place : nullptr);
        }
    return made;
}

}  // namespace

void bind_kernel_counts(nb::module_ &m) {
    for_tables([&]<typename T>() {
        m.def("count_steps", &count_steps<T>, fixed("K"), fixed("visits"), fixed("code"),
              fixed("machines"), nb::arg("slope"), nb::arg("elapsed"), fixed("f"), fixed("counts"),
              maybe("late"));
    });
}

}  // namespace margin
