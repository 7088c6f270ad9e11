// Epochs of SAG and SAGA: a table with the last slope of every row, the gradient it adds up to, and
// steps corrected by it. The quadratic penalty is exact at every step, the absolute one proximal.
#include <algorithm>

#include "rows/averaged_gradient.hpp"

namespace margin {
namespace {

template <typename T>
[[gnu::always_inline]] inline void dense_table_epoch(const Plan &plan, const Table &table,
                                                     const T *X, std::size_t p, double rate,
                                                     double *w) {
    double *g = table.gradient;
    const double keep = 1.0 - rate * plan.l2, cut = rate * plan.l1;
    for (std::size_t k = 0; k < plan.visits; ++k) {
        const std::int64_t row = plan.order[k];
        const T *x = X + row * p;
        if (k + 4 < plan.visits) prefetch_row(X + plan.order[k + 4] * p, p);
        const double fresh = plan.slope(row, w[p] + row_dot(x, w, p));
        const double change = fresh - table.slopes[row], shared = change * table.share;
        table.slopes[row] = fresh;
        // SAGA steps along change * x + g with the old g, SAG along the new g = old g + shared * x.
        const double along = rate * (table.unbiased ? change : shared);
        if (cut > 0.0) {
#pragma omp simd
            for (std::size_t j = 0; j < p; ++j) {
                const double moved = keep * w[j] - along * x[j] - rate * g[j];
                g[j] += shared * x[j];
                const double up = moved - cut, down = moved + cut;
                w[j] = up > 0.0 ? up : (down < 0.0 ? down : 0.0);
            }
        } else {
#pragma omp simd
            for (std::size_t j = 0; j < p; ++j) {
                w[j] = keep * w[j] - along * x[j] - rate * g[j];
                g[j] += shared * x[j];
            }
        }
        if (plan.intercept) {
            w[p] -= along + rate * g[p];
            g[p] += shared;
        }
    }
}

#define MARGIN_EPOCH(name, T)                                                                      \
    MARGIN_CLONES void name(const Plan &plan, const Table &table, const T *X, std::size_t p,       \
                            double rate, double *w) {                                              \
        dense_table_epoch(plan, table, X, p, rate, w);                                             \
    }                                                                                              \
    void run_dense_table(const Plan &plan, const Table &table, const T *X, std::size_t p,          \
                         double rate, double *w) {                                                 \
        name(plan, table, X, p, rate, w);                                                          \
    }
MARGIN_EPOCH(table_f64, double)
MARGIN_EPOCH(table_f32, float)
#undef MARGIN_EPOCH

template <typename Run>
void table_epoch(const Vector<double> &slopes, const Vector<double> &gradient,
                 const Vector<double> &w, std::size_t n, std::size_t table_rows, bool unbiased,
                 Run run) {
    if (slopes.size() != n || gradient.size() != w.size() || w.size() == 0 || table_rows == 0)
        throw std::invalid_argument("averaged_gradient: arrays of different shape");
    const Table table{slopes.data(), gradient.data(), 1.0 / static_cast<double>(table_rows),
                      unbiased};
    const std::size_t p = w.size() - 1;
    double *wp = w.data();
    nb::gil_scoped_release release;
    run(table, p, wp);
}

template <typename T>
void saga_dense(bool unbiased, int loss, double shape, Matrix<const T> X, Vector<const double> y,
                std::optional<Vector<const double>> weight, Vector<const std::int64_t> order,
                std::size_t table_rows, Vector<const double> rate, double l1, double l2,
                bool intercept, Vector<double> w, Vector<double> slopes, Vector<double> gradient) {
    const std::size_t n = X.shape(0), visits = order.size();
    const Plan plan = make_plan({.loss = loss,
                                 .shape = shape,
                                 .y = y,
                                 .weight = weight,
                                 .order = order,
                                 .batch = std::max<std::size_t>(1, visits),
                                 .rate = rate,
                                 .mix = std::nullopt,
                                 .l1 = l1,
                                 .l2 = l2,
                                 .intercept = intercept},
                                n);
    if (w.size() != X.shape(1) + 1)
        throw std::invalid_argument("averaged_gradient: arrays of different shape");
    const T *xp = X.data();
    table_epoch(slopes, gradient, w, n, table_rows, unbiased,
                [&](const Table &table, std::size_t p, double *wp) {
                    if (visits) run_dense_table(plan, table, xp, p, plan.rate[0], wp);
                });
}

template <typename T, typename I>
void saga_sparse(bool unbiased, int loss, double shape, Vector<const I> indptr,
                 Vector<const I> indices, Vector<const T> data, Vector<const double> y,
                 std::optional<Vector<const double>> weight, Vector<const std::int64_t> order,
                 std::size_t table_rows, Vector<const double> rate, double l1, double l2,
                 bool intercept, Vector<double> w, Vector<double> slopes, Vector<double> gradient) {
    const CsrRows<T, I> rows = csr_rows_of<T, I>(indptr, indices, data);
    const std::size_t n = indptr.size() - 1, visits = order.size();
    const Plan plan = make_plan({.loss = loss,
                                 .shape = shape,
                                 .y = y,
                                 .weight = weight,
                                 .order = order,
                                 .batch = std::max<std::size_t>(1, visits),
                                 .rate = rate,
                                 .mix = std::nullopt,
                                 .l1 = l1,
                                 .l2 = l2,
                                 .intercept = intercept},
                                n);
    table_epoch(slopes, gradient, w, n, table_rows, unbiased,
                [&](const Table &table, std::size_t p, double *wp) {
                    if (visits)
                        SparseTableEpoch<T, I>(plan, table, rows, p, plan.rate[0], wp).run();
                });
}

}  // namespace

void bind_averaged_gradient(nb::module_ &m) {
    for_tables([&]<typename T>() {
        m.def("saga_dense", &saga_dense<T>, nb::arg("unbiased"), nb::arg("loss"), nb::arg("shape"),
              fixed("X"), fixed("y"), maybe("weight"), fixed("order"), nb::arg("table_rows"),
              fixed("rate"), nb::arg("l1"), nb::arg("l2"), nb::arg("intercept"), fixed("w"),
              fixed("slopes"), fixed("gradient"));
    });
    for_compressed([&]<typename T, typename I>() {
        m.def("saga_sparse", &saga_sparse<T, I>, nb::arg("unbiased"), nb::arg("loss"),
              nb::arg("shape"), fixed("indptr"), fixed("indices"), fixed("data"), fixed("y"),
              maybe("weight"), fixed("order"), nb::arg("table_rows"), fixed("rate"), nb::arg("l1"),
              nb::arg("l2"), nb::arg("intercept"), fixed("w"), fixed("slopes"), fixed("gradient"));
    });
}

}  // namespace margin
