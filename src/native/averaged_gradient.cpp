// Epochs of SAG and SAGA: a table with the last slope of every row, the gradient it adds up to, and
// steps corrected by it. The quadratic penalty is exact at every step, the absolute one proximal.
#include <algorithm>
#include <cmath>
#include <vector>

#include "row_steps.hpp"

namespace margin {
namespace {

// gradient = sum over the table of weight * slope * x / visits, the intercept last.
struct Table {
    double *slopes, *gradient;
    double share;  // 1 / rows in the table
    bool unbiased; // SAGA: the new slope enters the step in full, in SAG as one of the mean
};

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

#define MARGIN_EPOCH(name, T)                                                                    \
    MARGIN_CLONES void name(const Plan &plan, const Table &table, const T *X, std::size_t p,     \
                            double rate, double *w) {                                            \
        dense_table_epoch(plan, table, X, p, rate, w);                                           \
    }                                                                                            \
    void run_dense_table(const Plan &plan, const Table &table, const T *X, std::size_t p,        \
                         double rate, double *w) {                                               \
        name(plan, table, X, p, rate, w);                                                        \
    }
MARGIN_EPOCH(table_f64, double)
MARGIN_EPOCH(table_f32, float)
#undef MARGIN_EPOCH

// The same steps in work proportional to the stored entries of a row. With w = scale * v, a step
// that misses coordinate j is v <- soft(v - u g, u l1), u = rate / scale after shrinking: the drift
// g and the threshold l1 are constant while it is missed, so the missed steps of u are told by
// their running sum, and the one in which v changes sign is found by bisection. The columns of a
// row must be distinct.
template <typename T, typename I>
class SparseTableEpoch {
  public:
    SparseTableEpoch(const Plan &plan, const Table &table, CsrRows<T, I> rows, std::size_t p,
                     double rate, double *w)
        : plan_(plan), table_(table), rows_(rows), p_(p), rate_(rate), v_(w), last_(p, 0),
          sums_(1, 0.0) {
        sums_.reserve(plan.visits + 1);
    }

    void run() {
        for (std::size_t k = 0; k < plan_.visits; ++k) step(plan_.order[k]);
        settle();
    }

  private:
    void step(std::int64_t row) {
        const I first = rows_.indptr[row], end = rows_.indptr[row + 1];
        for (I at = first; at < end; ++at) catch_up(rows_.indices[at]);
        const double fresh = plan_.slope(row, v_[p_] + scale_ * rows_.dot(row, v_));
        const double change = fresh - table_.slopes[row], shared = change * table_.share;
        table_.slopes[row] = fresh;
        scale_ *= 1.0 - rate_ * plan_.l2;
        if (scale_ < 1e-9) settle();
        const double unit = rate_ / scale_, along = table_.unbiased ? change : shared;
        sums_.push_back(sums_.back() + unit);
        const std::size_t now = sums_.size() - 1;
        double *g = table_.gradient;
        for (I at = first; at < end; ++at) {
            const std::size_t j = rows_.indices[at];
            const double x = rows_.data[at];
            v_[j] = soft_threshold(v_[j] - unit * (along * x + g[j]), unit * plan_.l1);
            g[j] += shared * x;
            last_[j] = now;
        }
        if (plan_.intercept) {
            v_[p_] -= rate_ * (along + g[p_]);
            g[p_] += shared;
        }
    }

    void catch_up(std::size_t j) {
        const std::size_t now = sums_.size() - 1;
        if (last_[j] == now) return;
        v_[j] = drifted(v_[j], table_.gradient[j], last_[j], now);
        last_[j] = now;
    }

    // Position after the missed steps (from, to].
    double drifted(double v, double g, std::size_t from, std::size_t to) const {
        const double l1 = plan_.l1;
        if (l1 == 0.0) return v - g * (sums_[to] - sums_[from]);
        while (from < to) {
            if (v == 0.0 && std::fabs(g) <= l1) return 0.0;
            const double side = v != 0.0 ? (v > 0.0 ? 1.0 : -1.0) : (g < 0.0 ? 1.0 : -1.0);
            const double speed = side * g + l1;  // at which |v| falls
            const double size = std::fabs(v);
            if (size - speed * (sums_[to] - sums_[from]) > 0.0)
                return side * (size - speed * (sums_[to] - sums_[from]));
            // The last step that stays on this side, then the one that meets zero, as it is.
            std::size_t low = from, high = to;
            while (high - low > 1) {
                const std::size_t middle = low + (high - low) / 2;
                (size - speed * (sums_[middle] - sums_[from]) > 0.0 ? low : high) = middle;
            }
            const double unit = sums_[high] - sums_[low];
            const double before = side * (size - speed * (sums_[low] - sums_[from]));
            v = soft_threshold(before - unit * g, unit * l1);
            from = high;
        }
        return v;
    }

    void settle() {
        for (std::size_t j = 0; j < p_; ++j) catch_up(j);
        for (std::size_t j = 0; j < p_; ++j) v_[j] *= scale_;
        std::fill(last_.begin(), last_.end(), 0);
        sums_.assign(1, 0.0);
        scale_ = 1.0;
    }

    Plan plan_;
    Table table_;
    CsrRows<T, I> rows_;
    std::size_t p_;
    double rate_, scale_ = 1.0;
    double *v_;
    std::vector<std::size_t> last_;
    std::vector<double> sums_;
};

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
    const Plan plan = make_plan(loss, shape, y, weight, order, std::max<std::size_t>(1, visits),
                                rate, std::nullopt, l1, l2, intercept, n);
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
                 bool intercept, Vector<double> w, Vector<double> slopes,
                 Vector<double> gradient) {
    const CsrRows<T, I> rows = csr_rows_of<T, I>(indptr, indices, data);
    const std::size_t n = indptr.size() - 1, visits = order.size();
    const Plan plan = make_plan(loss, shape, y, weight, order, std::max<std::size_t>(1, visits),
                                rate, std::nullopt, l1, l2, intercept, n);
    table_epoch(slopes, gradient, w, n, table_rows, unbiased,
                [&](const Table &table, std::size_t p, double *wp) {
                    if (visits)
                        SparseTableEpoch<T, I>(plan, table, rows, p, plan.rate[0], wp).run();
                });
}

}  // namespace

void bind_averaged_gradient(nb::module_ &m) {
    const auto fixed = [](const char *name) { return nb::arg(name).noconvert(); };
    const auto maybe = [](const char *name) { return nb::arg(name).noconvert().none(); };
#define MARGIN_TAIL                                                                               \
    fixed("y"), maybe("weight"), fixed("order"), nb::arg("table_rows"), fixed("rate"),            \
        nb::arg("l1"), nb::arg("l2"), nb::arg("intercept"), fixed("w"), fixed("slopes"),          \
        fixed("gradient")
#define MARGIN_DENSE(T)                                                                           \
    m.def("saga_dense", &saga_dense<T>, nb::arg("unbiased"), nb::arg("loss"), nb::arg("shape"),   \
          fixed("X"), MARGIN_TAIL);
#define MARGIN_SPARSE(T, I)                                                                       \
    m.def("saga_sparse", &saga_sparse<T, I>, nb::arg("unbiased"), nb::arg("loss"),                \
          nb::arg("shape"), fixed("indptr"), fixed("indices"), fixed("data"), MARGIN_TAIL);
    MARGIN_DENSE(double)
    MARGIN_DENSE(float)
    MARGIN_SPARSE(double, std::int32_t)
    MARGIN_SPARSE(double, std::int64_t)
    MARGIN_SPARSE(float, std::int32_t)
    MARGIN_SPARSE(float, std::int64_t)
#undef MARGIN_SPARSE
#undef MARGIN_DENSE
#undef MARGIN_TAIL
}

}  // namespace margin
