// Weighted sum of a loss over the rows of a linear model, in one pass and without gradients.
#include <algorithm>
#include <vector>

#include "common/team.hpp"
#include "rows/steps.hpp"

namespace margin {
namespace {

constexpr std::size_t value_tile = 64;

// Sum over predictions already made; the switch is outside the loop so that each loss vectorises.
template <RowLoss loss>
[[gnu::always_inline]] inline double tile_sum(double shape, const double *z, const double *y,
                                              const double *weight, std::size_t n) {
    double total = 0.0;
    if (weight) {
#pragma omp simd reduction(+ : total)
        for (std::size_t i = 0; i < n; ++i) total += weight[i] * row_value(loss, shape, z[i], y[i]);
    } else {
#pragma omp simd reduction(+ : total)
        for (std::size_t i = 0; i < n; ++i) total += row_value(loss, shape, z[i], y[i]);
    }
    return total;
}

[[gnu::always_inline]] inline double sum_of(RowLoss loss, double shape, const double *z,
                                            const double *y, const double *weight, std::size_t n) {
    switch (loss) {
        case RowLoss::squared: return tile_sum<RowLoss::squared>(shape, z, y, weight, n);
        case RowLoss::logistic: return tile_sum<RowLoss::logistic>(shape, z, y, weight, n);
        case RowLoss::hinge: return tile_sum<RowLoss::hinge>(shape, z, y, weight, n);
        case RowLoss::squared_hinge:
            return tile_sum<RowLoss::squared_hinge>(shape, z, y, weight, n);
        case RowLoss::perceptron: return tile_sum<RowLoss::perceptron>(shape, z, y, weight, n);
        case RowLoss::huber: return tile_sum<RowLoss::huber>(shape, z, y, weight, n);
        case RowLoss::insensitive: return tile_sum<RowLoss::insensitive>(shape, z, y, weight, n);
        case RowLoss::modified_huber:
            return tile_sum<RowLoss::modified_huber>(shape, z, y, weight, n);
        case RowLoss::squared_insensitive:
            return tile_sum<RowLoss::squared_insensitive>(shape, z, y, weight, n);
    }
    return 0.0;
}

struct Sum {
    RowLoss loss;
    double shape;
    const double *y, *weight, *w;
    std::size_t p;
};

template <typename T>
[[gnu::always_inline]] inline double dense_sum(const Sum &sum, const T *X, std::size_t first,
                                               std::size_t last) {
    double total = 0.0, z[value_tile];
    for (std::size_t at = first; at < last; at += value_tile) {
        const std::size_t size = std::min(value_tile, last - at);
        for (std::size_t i = 0; i < size; ++i)
            z[i] = sum.w[sum.p] + row_dot(X + (at + i) * sum.p, sum.w, sum.p);
        total += sum_of(sum.loss, sum.shape, z, sum.y + at, sum.weight ? sum.weight + at : nullptr,
                        size);
    }
    return total;
}

#define MARGIN_SUM(name, T)                                                                        \
    MARGIN_CLONES double name(const Sum &sum, const T *X, std::size_t first, std::size_t last) {   \
        return dense_sum(sum, X, first, last);                                                     \
    }                                                                                              \
    double run_sum(const Sum &sum, const T *X, std::size_t first, std::size_t last) {              \
        return name(sum, X, first, last);                                                          \
    }
MARGIN_SUM(sum_f64, double)
MARGIN_SUM(sum_f32, float)
#undef MARGIN_SUM

template <typename T, typename I>
double run_sum(const Sum &sum, const CsrRows<T, I> &rows, std::size_t first, std::size_t last) {
    double total = 0.0, z[value_tile];
    for (std::size_t at = first; at < last; at += value_tile) {
        const std::size_t size = std::min(value_tile, last - at);
        for (std::size_t i = 0; i < size; ++i)
            z[i] = sum.w[sum.p] + rows.dot(static_cast<std::int64_t>(at + i), sum.w);
        total += sum_of(sum.loss, sum.shape, z, sum.y + at, sum.weight ? sum.weight + at : nullptr,
                        size);
    }
    return total;
}

// Fixed blocks added in order: the same answer for any number of threads.
template <typename Rows>
double blocked(int loss, double shape, const Rows &rows, std::size_t n,
               const Vector<const double> &y, const std::optional<Vector<const double>> &weight,
               const Vector<const double> &w, int n_threads) {
    if (loss < 0 || loss >= row_loss_count) throw std::invalid_argument("row_value: unknown loss");
    if (y.size() != n || (weight && weight->size() != n) || w.size() == 0)
        throw std::invalid_argument("row_value: arrays of different shape");
    const Sum sum{static_cast<RowLoss>(loss),        shape,    y.data(),
                  weight ? weight->data() : nullptr, w.data(), w.size() - 1};
    nb::gil_scoped_release release;
    constexpr std::size_t block = 4096;
    const Index blocks = (n + block - 1) / block;
    std::vector<double> part(blocks, 0.0);
    team::each(n_threads, double(n) * double(w.size()), blocks, [&](Index b) {
        part[b] = run_sum(sum, rows, b * block, std::min<std::size_t>(n, (b + 1) * block));
    });
    double total = 0.0;
    for (double value : part) total += value;
    return total;
}

template <typename T>
double row_value_dense(int loss, double shape, Matrix<const T> X, Vector<const double> y,
                       std::optional<Vector<const double>> weight, Vector<const double> w,
                       int n_threads) {
    if (w.size() != X.shape(1) + 1)
        throw std::invalid_argument("row_value: arrays of different shape");
    return blocked(loss, shape, X.data(), X.shape(0), y, weight, w, n_threads);
}

template <typename T, typename I>
double row_value_sparse(int loss, double shape, Vector<const I> indptr, Vector<const I> indices,
                        Vector<const T> data, Vector<const double> y,
                        std::optional<Vector<const double>> weight, Vector<const double> w,
                        int n_threads) {
    const CsrRows<T, I> rows = csr_rows_of<T, I>(indptr, indices, data);
    return blocked(loss, shape, rows, indptr.size() - 1, y, weight, w, n_threads);
}

}  // namespace

void bind_row_values(nb::module_ &m) {
    for_tables([&]<typename T>() {
        m.def("row_value_dense", &row_value_dense<T>, nb::arg("loss"), nb::arg("shape"), fixed("X"),
              fixed("y"), maybe("weight"), fixed("w"), nb::arg("n_threads"));
    });
    for_compressed([&]<typename T, typename I>() {
        m.def("row_value_sparse", &row_value_sparse<T, I>, nb::arg("loss"), nb::arg("shape"),
              fixed("indptr"), fixed("indices"), fixed("data"), fixed("y"), maybe("weight"),
              fixed("w"), nb::arg("n_threads"));
    });
}

}  // namespace margin
