// Epochs of stochastic (sub)gradient steps over the rows of a linear model:
//   w <- pay(max(0, 1 - rate l2) w - rate mean_batch(weight slope x)),
// where pay takes off the absolute penalty due so far, with an average of the iterates on request.
// The last entry of w is the intercept.
#include <algorithm>
#include <vector>

#include "rows/steps.hpp"

namespace margin {
namespace {

constexpr std::size_t ahead = 8;  // rows asked for before they are needed

// Weights never shrink past zero.
[[gnu::always_inline]] inline double kept(double rate, double l2) {
    return std::max(0.0, 1.0 - rate * l2);
}

template <typename T>
[[gnu::always_inline]] inline void dot_and_square(const T *x, const double *w, std::size_t p,
                                                  double &dot, double &square) {
    Four a{}, b{}, more{}, v, u;
    std::size_t j = 0;
    for (; j + 8 <= p; j += 8) {
        load_four(x + j, v);
        load_four(w + j, u);
        a += v * u;
        b += v * v;
        load_four(x + j + 4, v);
        load_four(w + j + 4, u);
        more += v * u;
        b += v * v;
    }
    if (j + 4 <= p) {
        load_four(x + j, v);
        load_four(w + j, u);
        a += v * u;
        b += v * v;
        j += 4;
    }
    a += more;
    dot = sum_four(a);
    square = sum_four(b);
    for (; j < p; ++j) {
        const double value = x[j];
        dot += value * w[j];
        square += value * value;
    }
}

// Products of a row with the weights, with the row before it, and with itself.
struct Products {
    double dot = 0.0, cross = 0.0, square = 0.0;
};

template <typename T>
[[gnu::always_inline]] inline Products products_of(const T *x, const T *before, const double *w,
                                                   std::size_t p) {
    Four a{}, b{}, c{}, v, u;
    std::size_t j = 0;
    for (; j + 4 <= p; j += 4) {
        load_four(x + j, v);
        load_four(w + j, u);
        a += v * u;
        load_four(before + j, u);
        b += v * u;
        c += v * v;
    }
    Products of{sum_four(a), sum_four(b), sum_four(c)};
    for (; j < p; ++j) {
        const double value = x[j];
        of.dot += value * w[j];
        of.cross += value * before[j];
        of.square += value * value;
    }
    return of;
}

// What changes during an epoch. paid has the absolute penalty given by every weight so far, and
// last the one due; like the weights, both shrink.
struct Moving {
    double *w, *mean, *paid, *sum;
    int passive;
};

// Passive-aggressive steps without a penalty. The products of the next row are taken with the
// weights before a step, and what the step adds to them follows from the product of the two rows:
// neither waits for the other.
template <typename T>
[[gnu::always_inline]] inline void passive_epoch(const Plan &plan, const T *X, std::size_t p,
                                                 const Moving &moving) {
    double *w = moving.w, *mean = moving.mean;
    if (plan.steps == 0) return;
    const T *x = X + plan.order[0] * p;
    Products now = products_of(x, x, w, p);
    for (std::size_t k = 0; k < plan.steps; ++k) {
        const T *next = k + 1 < plan.steps ? X + plan.order[k + 1] * p : x;
        if (k + ahead < plan.visits) prefetch_row(X + plan.order[k + ahead] * p, p);
        Products then = products_of(next, x, w, p);
        const double step =
            plan.step(moving.passive, plan.order[k], w[p] + now.dot, plan.rate[k], now.square);
        row_add(x, 1.0, -step, w, p);
        then.dot -= step * then.cross;
        if (plan.intercept) w[p] -= step;
        if (mean) {
            const double mix = plan.mix[k];
#pragma omp simd
            for (std::size_t j = 0; j <= p; ++j) mean[j] += mix * (w[j] - mean[j]);
        }
        x = next;
        now = then;
    }
}

template <typename T>
[[gnu::always_inline]] inline void dense_epoch(const Plan &plan, const T *X, std::size_t p,
                                               const Moving &moving) {
    if (moving.passive && plan.l1 == 0.0 && plan.l2 == 0.0)
        return passive_epoch(plan, X, p, moving);
    double *w = moving.w, *mean = moving.mean, *paid = moving.paid, *sum = moving.sum;
    for (std::size_t k = 0; k < plan.steps; ++k) {
        const std::size_t at = plan.first(k), size = plan.size(k);
        const double rate = plan.rate[k], keep = kept(rate, plan.l2);
        const T *x = X + plan.order[at] * p;
        double step, total = 0.0;
        if (size == 1) {
            if (at + ahead < plan.visits) prefetch_row(X + plan.order[at + ahead] * p, p);
            double z = 0.0, square = 0.0;
            if (moving.passive)
                dot_and_square(x, w, p, z, square);
            else
                z = row_dot(x, w, p);
            total = step = plan.step(moving.passive, plan.order[at], w[p] + z, rate, square);
            row_add(x, keep, -step, w, p);
        } else {
            std::fill(sum, sum + p, 0.0);
            for (std::size_t i = at; i < at + size; ++i) {
                if (i + ahead < plan.visits) prefetch_row(X + plan.order[i + ahead] * p, p);
                x = X + plan.order[i] * p;
                const double g = plan.slope(plan.order[i], w[p] + row_dot(x, w, p));
                total += g;
#pragma omp simd
                for (std::size_t j = 0; j < p; ++j) sum[j] += g * x[j];
            }
            step = rate / static_cast<double>(size);
#pragma omp simd
            for (std::size_t j = 0; j < p; ++j) w[j] = keep * w[j] - step * sum[j];
            total *= step;
        }
        if (plan.l1 > 0.0) {
            const double due = paid[p] = keep * paid[p] + rate * plan.l1;
            for (std::size_t j = 0; j < p; ++j) {
                double given = keep * paid[j];
                w[j] = pay(w[j], due, given);
                paid[j] = given;
            }
        }
        if (plan.intercept) w[p] -= total;
        if (mean) {
            const double mix = plan.mix[k];
#pragma omp simd
            for (std::size_t j = 0; j <= p; ++j) mean[j] += mix * (w[j] - mean[j]);
        }
    }
}

MARGIN_CLONES void epoch_f64(const Plan &plan, const double *X, std::size_t p,
                             const Moving &moving) {
    dense_epoch(plan, X, p, moving);
}
MARGIN_CLONES void epoch_f32(const Plan &plan, const float *X, std::size_t p,
                             const Moving &moving) {
    dense_epoch(plan, X, p, moving);
}
void run_dense(const Plan &plan, const double *X, std::size_t p, const Moving &moving) {
    epoch_f64(plan, X, p, moving);
}
void run_dense(const Plan &plan, const float *X, std::size_t p, const Moving &moving) {
    epoch_f32(plan, X, p, moving);
}

// The same steps in work proportional to the stored entries of a row. The weights are kept as
// scale * v, so that shrinking all of them is one multiplication; the penalty due adds up in the
// coordinates of v, and a weight pays when it is next touched. The average is
// decay * (reach * v - lag): a change of v at a step is subtracted from what came before it.
template <typename T, typename I>
class SparseEpoch {
  public:
    SparseEpoch(const Plan &plan, CsrRows<T, I> rows, std::size_t p, const Moving &moving)
        : plan_(plan), rows_(rows), p_(p), v_(moving.w), mean_(moving.mean), paid_(moving.paid),
          passive_(moving.passive), lag_(mean_ ? p : 0), steps_(std::min(plan.batch, plan.visits)) {
        for (std::size_t j = 0; j < lag_.size(); ++j) lag_[j] = -mean_[j];
    }

    void run() {
        for (std::size_t k = 0; k < plan_.steps; ++k) step(k);
        settle();
    }

  private:
    void step(std::size_t k) {
        const std::size_t at = plan_.first(k), size = plan_.size(k);
        const double rate = plan_.rate[k];
        double total = 0.0;
        for (std::size_t i = 0; i < size; ++i) {
            const std::int64_t row = plan_.order[at + i];
            if (plan_.l1 > 0.0) catch_up(row);
            const double z = v_[p_] + scale_ * rows_.dot(row, v_);
            steps_[i] = plan_.step(passive_, row, z, rate, passive_ ? rows_.square(row) : 0.0);
            total += steps_[i];
        }
        if (rate * plan_.l2 >= 0.5) settle();
        scale_ *= kept(rate, plan_.l2);
        if (scale_ < 1e-9) settle();
        const double unit = 1.0 / (static_cast<double>(size) * scale_);
        for (std::size_t i = 0; i < size; ++i) {
            if (steps_[i] == 0.0) continue;
            const std::int64_t row = plan_.order[at + i];
            rows_.add(row, -unit * steps_[i], v_);
            if (mean_) rows_.add(row, -unit * steps_[i] * reach_, lag_.data());
        }
        if (plan_.l1 > 0.0) paid_[p_] += rate * plan_.l1 / scale_;
        if (plan_.intercept) v_[p_] -= total / static_cast<double>(size);
        if (mean_) average(plan_.mix[k]);
    }

    void catch_up(std::int64_t row) {
        for (I at = rows_.indptr[row]; at < rows_.indptr[row + 1]; ++at)
            settle_debt(rows_.indices[at]);
    }

    void settle_debt(std::size_t j) {
        const double before = v_[j];
        v_[j] = pay(before, paid_[p_], paid_[j]);
        if (mean_) lag_[j] += reach_ * (v_[j] - before);
    }

    void average(double mix) {
        // A late payment would have to be split over the averages it missed: pay at once.
        if (plan_.l1 > 0.0)
            for (std::size_t j = 0; j < p_; ++j) settle_debt(j);
        mean_[p_] += mix * (v_[p_] - mean_[p_]);
        if (mix >= 1.0) {
            std::fill(lag_.begin(), lag_.end(), 0.0);
            decay_ = 1.0;
            reach_ = scale_;
            return;
        }
        decay_ *= 1.0 - mix;
        reach_ += mix * scale_ / decay_;
        if (decay_ < 1e-100) settle();
    }

    // Back to plain weights and a plain average.
    void settle() {
        if (plan_.l1 > 0.0) {
            for (std::size_t j = 0; j < p_; ++j) settle_debt(j);
            for (std::size_t j = 0; j <= p_; ++j) paid_[j] *= scale_;
        }
        for (std::size_t j = 0; j < lag_.size(); ++j) {
            mean_[j] = decay_ * (reach_ * v_[j] - lag_[j]);
            lag_[j] = -mean_[j];
        }
        for (std::size_t j = 0; j < p_; ++j) v_[j] *= scale_;
        reach_ = 0.0;
        scale_ = decay_ = 1.0;
    }

    Plan plan_;
    CsrRows<T, I> rows_;
    std::size_t p_;
    double *v_, *mean_, *paid_;
    int passive_;
    std::vector<double> lag_, steps_;
    double scale_ = 1.0, reach_ = 0.0, decay_ = 1.0;
};

// Where the caller keeps no account of the absolute penalty, one of this epoch alone.
Moving moving_of(const Plan &plan, std::size_t p, const Vector<double> &w,
                 const std::optional<Vector<double>> &mean,
                 const std::optional<Vector<double>> &paid, int passive,
                 std::vector<double> &account) {
    if (w.size() != p + 1 || (mean && mean->size() != p + 1) || (paid && paid->size() != p + 1) ||
        mean.has_value() != (plan.mix != nullptr))
        throw std::invalid_argument("stochastic: arrays of different shape");
    if (passive < 0 || passive > 2 || (passive && plan.batch != 1))
        throw std::invalid_argument("stochastic: passive steps are 1 or 2, of one row each");
    if (!paid && plan.l1 > 0.0) account.assign(p + 1, 0.0);
    return {w.data(), mean ? mean->data() : nullptr, paid ? paid->data() : account.data(), nullptr,
            passive};
}

template <typename T>
void sgd_dense(int loss, double shape, Matrix<const T> X, Vector<const double> y,
               std::optional<Vector<const double>> weight, Vector<const std::int64_t> order,
               std::size_t batch, Rates rate, std::optional<Rates> mix, double l1, double l2,
               bool intercept, int passive, Vector<double> w, std::optional<Vector<double>> mean,
               std::optional<Vector<double>> paid) {
    const std::size_t p = X.shape(1);
    const Plan plan = make_plan({.loss = loss,
                                 .shape = shape,
                                 .y = y,
                                 .weight = weight,
                                 .order = order,
                                 .batch = batch,
                                 .rate = rate,
                                 .mix = mix,
                                 .l1 = l1,
                                 .l2 = l2,
                                 .intercept = intercept},
                                X.shape(0));
    std::vector<double> account, sum(batch > 1 ? p : 0);
    Moving moving = moving_of(plan, p, w, mean, paid, passive, account);
    moving.sum = sum.data();
    const T *xp = X.data();
    nb::gil_scoped_release release;
    // No read of four weights may cross from one cache line into the next.
    std::vector<Four> aligned(p / 4 + 1);
    double *own = reinterpret_cast<double *>(aligned.data());
    std::copy(moving.w, moving.w + p + 1, own);
    std::swap(moving.w, own);
    run_dense(plan, xp, p, moving);
    std::copy(moving.w, moving.w + p + 1, own);
}

template <typename T, typename I>
void sgd_sparse(int loss, double shape, Vector<const I> indptr, Vector<const I> indices,
                Vector<const T> data, Vector<const double> y,
                std::optional<Vector<const double>> weight, Vector<const std::int64_t> order,
                std::size_t batch, Rates rate, std::optional<Rates> mix, double l1, double l2,
                bool intercept, int passive, Vector<double> w, std::optional<Vector<double>> mean,
                std::optional<Vector<double>> paid) {
    const CsrRows<T, I> rows = csr_rows_of<T, I>(indptr, indices, data);
    const Plan plan = make_plan({.loss = loss,
                                 .shape = shape,
                                 .y = y,
                                 .weight = weight,
                                 .order = order,
                                 .batch = batch,
                                 .rate = rate,
                                 .mix = mix,
                                 .l1 = l1,
                                 .l2 = l2,
                                 .intercept = intercept},
                                indptr.size() - 1);
    if (w.size() == 0) throw std::invalid_argument("stochastic: arrays of different shape");
    const std::size_t p = w.size() - 1;
    std::vector<double> account;
    const Moving moving = moving_of(plan, p, w, mean, paid, passive, account);
    nb::gil_scoped_release release;
    SparseEpoch<T, I>(plan, rows, p, moving).run();
}

}  // namespace

void bind_stochastic(nb::module_ &m) {
    for_tables([&]<typename T>() {
        m.def("sgd_dense", &sgd_dense<T>, nb::arg("loss"), nb::arg("shape"), fixed("X"), fixed("y"),
              maybe("weight"), fixed("order"), nb::arg("batch"), fixed("rate"), maybe("mix"),
              nb::arg("l1"), nb::arg("l2"), nb::arg("intercept"), nb::arg("passive"), fixed("w"),
              maybe("mean"), maybe("paid"));
    });
    for_compressed([&]<typename T, typename I>() {
        m.def("sgd_sparse", &sgd_sparse<T, I>, nb::arg("loss"), nb::arg("shape"), fixed("indptr"),
              fixed("indices"), fixed("data"), fixed("y"), maybe("weight"), fixed("order"),
              nb::arg("batch"), fixed("rate"), maybe("mix"), nb::arg("l1"), nb::arg("l2"),
              nb::arg("intercept"), nb::arg("passive"), fixed("w"), maybe("mean"), maybe("paid"));
    });
}

}  // namespace margin
