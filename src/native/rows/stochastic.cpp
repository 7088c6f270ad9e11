// Epochs of stochastic (sub)gradient steps over the rows of a linear model:
//   w <- soft((1 - rate l2) w - rate mean_batch(weight slope x), rate l1),
// with an average of the iterates on request. The last entry of w is the intercept.
#include <algorithm>
#include <vector>

#include "rows/steps.hpp"

namespace margin {
namespace {

constexpr std::size_t ahead = 8;  // rows asked for before they are needed

template <typename T>
[[gnu::always_inline]] inline void dense_epoch(const Plan &plan, const T *X, std::size_t p,
                                               double *w, double *mean, double *sum) {
    for (std::size_t k = 0; k < plan.steps; ++k) {
        const std::size_t at = plan.first(k), size = plan.size(k);
        const double rate = plan.rate[k], keep = 1.0 - rate * plan.l2, cut = rate * plan.l1;
        const T *x = X + plan.order[at] * p;
        double step, total = 0.0;
        if (size == 1) {
            if (at + ahead < plan.visits) prefetch_row(X + plan.order[at + ahead] * p, p);
            total = plan.slope(plan.order[at], w[p] + row_dot(x, w, p));
            step = rate * total;
#pragma omp simd
            for (std::size_t j = 0; j < p; ++j) w[j] = keep * w[j] - step * x[j];
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
            total /= static_cast<double>(size);
        }
        if (cut > 0.0)
            for (std::size_t j = 0; j < p; ++j) w[j] = soft_threshold(w[j], cut);
        if (plan.intercept) w[p] -= rate * total;
        if (mean) {
            const double mix = plan.mix[k];
#pragma omp simd
            for (std::size_t j = 0; j <= p; ++j) mean[j] += mix * (w[j] - mean[j]);
        }
    }
}

MARGIN_CLONES void epoch_f64(const Plan &plan, const double *X, std::size_t p, double *w,
                             double *mean, double *sum) {
    dense_epoch(plan, X, p, w, mean, sum);
}
MARGIN_CLONES void epoch_f32(const Plan &plan, const float *X, std::size_t p, double *w,
                             double *mean, double *sum) {
    dense_epoch(plan, X, p, w, mean, sum);
}
void run_dense(const Plan &plan, const double *X, std::size_t p, double *w, double *mean,
               double *sum) {
    epoch_f64(plan, X, p, w, mean, sum);
}
void run_dense(const Plan &plan, const float *X, std::size_t p, double *w, double *mean,
               double *sum) {
    epoch_f32(plan, X, p, w, mean, sum);
}

// The same steps in work proportional to the stored entries of a row. The weights are kept as
// scale * v, so that shrinking all of them is one multiplication; thresholds that a coordinate has
// missed add up in the coordinates of v and are applied when it is next touched. The average is
// decay * (reach * v - lag): a change of v at a step is subtracted from what came before it.
template <typename T, typename I>
class SparseEpoch {
  public:
    SparseEpoch(const Plan &plan, CsrRows<T, I> rows, std::size_t p, double *w, double *mean)
        : plan_(plan), rows_(rows), p_(p), v_(w), mean_(mean), last_(plan.l1 > 0.0 ? p : 0, 0.0),
          lag_(mean ? p : 0), slopes_(std::min(plan.batch, plan.visits)) {
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
            slopes_[i] = plan_.slope(row, v_[p_] + scale_ * rows_.dot(row, v_));
            total += slopes_[i];
        }
        if (rate * plan_.l2 >= 0.5) settle();
        scale_ *= 1.0 - rate * plan_.l2;
        if (scale_ < 1e-9) settle();
        const double unit = rate / (static_cast<double>(size) * scale_);
        for (std::size_t i = 0; i < size; ++i) {
            if (slopes_[i] == 0.0) continue;
            const std::int64_t row = plan_.order[at + i];
            rows_.add(row, -unit * slopes_[i], v_);
            if (mean_) rows_.add(row, -unit * slopes_[i] * reach_, lag_.data());
        }
        missed_ += rate * plan_.l1 / scale_;
        if (plan_.intercept) v_[p_] -= rate * total / static_cast<double>(size);
        if (mean_) average(plan_.mix[k]);
    }

    void catch_up(std::int64_t row) {
        for (I at = rows_.indptr[row]; at < rows_.indptr[row + 1]; ++at)
            threshold(rows_.indices[at]);
    }

    void threshold(std::size_t j) {
        const double before = v_[j];
        v_[j] = soft_threshold(before, missed_ - last_[j]);
        last_[j] = missed_;
        if (mean_) lag_[j] += reach_ * (v_[j] - before);
    }

    void average(double mix) {
        // A late threshold would have to be split over the averages it missed: apply it at once.
        if (plan_.l1 > 0.0)
            for (std::size_t j = 0; j < p_; ++j) threshold(j);
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
        for (std::size_t j = 0; j < last_.size(); ++j) threshold(j);
        for (std::size_t j = 0; j < lag_.size(); ++j) {
            mean_[j] = decay_ * (reach_ * v_[j] - lag_[j]);
            lag_[j] = -mean_[j];
        }
        for (std::size_t j = 0; j < p_; ++j) v_[j] *= scale_;
        std::fill(last_.begin(), last_.end(), 0.0);
        missed_ = reach_ = 0.0;
        scale_ = decay_ = 1.0;
    }

    Plan plan_;
    CsrRows<T, I> rows_;
    std::size_t p_;
    double *v_, *mean_;
    std::vector<double> last_, lag_, slopes_;
    double scale_ = 1.0, missed_ = 0.0, reach_ = 0.0, decay_ = 1.0;
};

void check_point(std::size_t p, const Vector<double> &w, const std::optional<Vector<double>> &mean,
                 bool mixed) {
    if (w.size() != p + 1 || (mean && mean->size() != p + 1) || mean.has_value() != mixed)
        throw std::invalid_argument("stochastic: arrays of different shape");
}

template <typename T>
void sgd_dense(int loss, double shape, Matrix<const T> X, Vector<const double> y,
               std::optional<Vector<const double>> weight, Vector<const std::int64_t> order,
               std::size_t batch, Rates rate, std::optional<Rates> mix, double l1, double l2,
               bool intercept, Vector<double> w, std::optional<Vector<double>> mean) {
    const std::size_t p = X.shape(1);
    const Plan plan =
        make_plan(loss, shape, y, weight, order, batch, rate, mix, l1, l2, intercept, X.shape(0));
    check_point(p, w, mean, mix.has_value());
    const T *xp = X.data();
    double *wp = w.data(), *mp = mean ? mean->data() : nullptr;
    nb::gil_scoped_release release;
    std::vector<double> sum(batch > 1 ? p : 0);
    run_dense(plan, xp, p, wp, mp, sum.data());
}

template <typename T, typename I>
void sgd_sparse(int loss, double shape, Vector<const I> indptr, Vector<const I> indices,
                Vector<const T> data, Vector<const double> y,
                std::optional<Vector<const double>> weight, Vector<const std::int64_t> order,
                std::size_t batch, Rates rate, std::optional<Rates> mix, double l1, double l2,
                bool intercept, Vector<double> w, std::optional<Vector<double>> mean) {
    const CsrRows<T, I> rows = csr_rows_of<T, I>(indptr, indices, data);
    const Plan plan = make_plan(loss, shape, y, weight, order, batch, rate, mix, l1, l2, intercept,
                                indptr.size() - 1);
    if (w.size() == 0) throw std::invalid_argument("stochastic: arrays of different shape");
    check_point(w.size() - 1, w, mean, mix.has_value());
    double *wp = w.data(), *mp = mean ? mean->data() : nullptr;
    const std::size_t p = w.size() - 1;
    nb::gil_scoped_release release;
    SparseEpoch<T, I>(plan, rows, p, wp, mp).run();
}

}  // namespace

void bind_stochastic(nb::module_ &m) {
    for_tables([&]<typename T>() {
        m.def("sgd_dense", &sgd_dense<T>, nb::arg("loss"), nb::arg("shape"), fixed("X"), fixed("y"),
              maybe("weight"), fixed("order"), nb::arg("batch"), fixed("rate"), maybe("mix"),
              nb::arg("l1"), nb::arg("l2"), nb::arg("intercept"), fixed("w"), maybe("mean"));
    });
    for_compressed([&]<typename T, typename I>() {
        m.def("sgd_sparse", &sgd_sparse<T, I>, nb::arg("loss"), nb::arg("shape"), fixed("indptr"),
              fixed("indices"), fixed("data"), fixed("y"), maybe("weight"), fixed("order"),
              nb::arg("batch"), fixed("rate"), maybe("mix"), nb::arg("l1"), nb::arg("l2"),
              nb::arg("intercept"), fixed("w"), maybe("mean"));
    });
}

}  // namespace margin
