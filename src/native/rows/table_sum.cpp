// The sum of all numbers of a table: finite only where each of them is.
#include <nanobind/nanobind.h>
#include <nanobind/ndarray.h>

#include <cstddef>
#include <vector>

#include "common/bind.hpp"
#include "common/team.hpp"
#include "rows/bindings.hpp"

namespace margin {
namespace {

constexpr std::size_t block = 1 << 16;

template <typename T>
[[gnu::always_inline]] inline double sum_of(const T *x, std::size_t n) {
    double sum = 0;
#pragma omp simd reduction(+ : sum)
    for (std::size_t i = 0; i < n; ++i) sum += double(x[i]);
    return sum;
}

MARGIN_CLONES double sum_f64(const double *x, std::size_t n) { return sum_of(x, n); }
MARGIN_CLONES double sum_f32(const float *x, std::size_t n) { return sum_of(x, n); }

double sum_block(const double *x, std::size_t n) { return sum_f64(x, n); }
double sum_block(const float *x, std::size_t n) { return sum_f32(x, n); }

template <typename T>
double table_sum(Vector<const T> values, int n_threads) {
    const std::size_t n = values.size();
    const T *x = values.data();
    std::vector<double> sums((n + block - 1) / block);
    {
        nb::gil_scoped_release release;
        team::each_block(n_threads, double(n), n, block, [&](std::size_t from, std::size_t to) {
            sums[from / block] = sum_block(x + from, to - from);
        });
    }
    double total = 0;
    for (double sum : sums) total += sum;
    return total;
}

}  // namespace

void bind_table_sum(nb::module_ &m) {
    for_tables([&]<typename T>() {
        m.def("table_sum", &table_sum<T>, fixed("values"), nb::arg("n_threads"));
    });
}

}  // namespace margin
