// Cyclic coordinate descent with Anderson extrapolation for
//   1/2 w' A w - q' w + l1 |w|_1 + l2/2 |w|^2,   w >= 0 on request,
// with A given (Gram form) or as X' diag(h) X by its columns (column form, intercept eliminated).
#include <nanobind/nanobind.h>
#include <nanobind/ndarray.h>
#include <nanobind/stl/tuple.h>

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <stdexcept>
#include <tuple>
#include <vector>

#include "column_kernels.hpp"
#include "extrapolation.hpp"
#include "native.hpp"

namespace margin {
namespace {

struct Penalty {
    double l1, l2;
    bool positive;

    // Minimiser in one coordinate of curvature c (l2 included) where the smooth slope is g.
    double move(double w, double g, double c) const {
        const double u = w - g / c, t = l1 / c;
        if (positive) return u > t ? u - t : 0.0;
        return u > t ? u - t : (u < -t ? u + t : 0.0);
    }
    // Distance of -g from the subdifferential at w.
    double violation(double w, double g) const {
        if (w != 0.0) return std::abs(g + (w > 0.0 ? l1 : -l1));
        return std::max(0.0, (positive ? -g : std::abs(g)) - l1);
    }
    double size(const double *w, std::size_t m) const {
        double a = 0.0, b = 0.0;
        for (std::size_t j = 0; j < m; ++j) a += std::abs(w[j]), b += w[j] * w[j];
        return l1 * a + 0.5 * l2 * b;
    }
};

// The Gram form: slope = A w - q is kept up to date, so a coordinate at rest costs nothing.
class GramDescent {
  public:
    GramDescent(const double *gram, std::size_t stride, const double *q, double *w, double *slope,
                std::size_t m, Penalty penalty, double energy)
        : gram_(gram), q_(q), stride_(stride), m_(m), w_(w), slope_(slope), penalty_(penalty),
          energy_(energy), history_(m) {}

    // Stops at a duality gap of at most gap_tol (if the energy y'y is known) or when every
    // optimality condition holds up to slope_tol.
    int run(int max_epochs, double gap_tol, double slope_tol) {
        history_.push(w_);
        for (int epoch = 1; epoch <= max_epochs; ++epoch) {
            sweep();
            if (done(gap_tol, slope_tol)) return epoch;
            history_.push(w_);
            if (history_.full()) extrapolate();
        }
        return max_epochs;
    }

    double violation() const {
        double worst = 0.0;
        for (std::size_t j = 0; j < m_; ++j)
            if (gram_[j * stride_ + j] + penalty_.l2 > 0.0)
                worst = std::max(worst,
                                 penalty_.violation(w_[j], slope_[j] + penalty_.l2 * w_[j]));
        return worst;
    }

    double gap() const {
        double qw = 0.0, ws = 0.0, norm1 = 0.0, norm2 = 0.0, worst = 0.0;
        for (std::size_t j = 0; j < m_; ++j) {
            const double g = slope_[j] + penalty_.l2 * w_[j];
            qw += q_[j] * w_[j];
            ws += slope_[j] * w_[j];
            norm1 += std::abs(w_[j]);
            norm2 += w_[j] * w_[j];
            worst = std::max(worst, penalty_.positive ? -g : std::abs(g));
        }
        const double along = energy_ - qw;                                // r' y
        const double square = energy_ - qw + ws + penalty_.l2 * norm2;    // |r|^2 + l2 |w|^2
        const double limit = worst > penalty_.l1 ? penalty_.l1 / worst : 1.0;
        const double t = square > 0.0 ? std::clamp(along / square, 0.0, limit) : 0.0;
        return 0.5 * square + penalty_.l1 * norm1 - t * along + 0.5 * t * t * square;
    }

  private:
    void sweep() {
        for (std::size_t j = 0; j < m_; ++j) {
            const double *row = gram_ + j * stride_;
            const double curvature = row[j] + penalty_.l2;
            if (!(curvature > 0.0)) continue;
            const double next = penalty_.move(w_[j], slope_[j] + penalty_.l2 * w_[j], curvature);
            const double step = next - w_[j];
            if (step == 0.0) continue;
            w_[j] = next;
            column_add(row, step, slope_, m_);
        }
    }

    bool done(double gap_tol, double slope_tol) const {
        return violation() <= slope_tol || (gap_tol >= 0.0 && gap() <= gap_tol);
    }

    // The objective changes by 1/2 (u - w)'(slope(u) + slope(w)) + penalty(u) - penalty(w).
    void extrapolate() {
        std::vector<double> point(m_), slope(slope_, slope_ + m_);
        const bool found = history_.propose(point.data());
        history_.push(w_);
        if (!found) return;
        for (std::size_t j = 0; j < m_; ++j) {
            if (penalty_.positive && point[j] < 0.0) point[j] = 0.0;
            if (point[j] != w_[j]) column_add(gram_ + j * stride_, point[j] - w_[j], slope.data(), m_);
        }
        double change = penalty_.size(point.data(), m_) - penalty_.size(w_, m_);
        for (std::size_t j = 0; j < m_; ++j)
            change += 0.5 * (point[j] - w_[j]) * (slope[j] + slope_[j]);
        if (!(change < 0.0)) return;
        std::copy(point.begin(), point.end(), w_);
        std::copy(slope.begin(), slope.end(), slope_);
        history_.restart();
        history_.push(w_);
    }

    const double *gram_, *q_;
    std::size_t stride_, m_;
    double *w_, *slope_;
    Penalty penalty_;
    double energy_;
    Extrapolation history_;
};

// The column form: v = gradient of the smooth part in the predictions, kept up to date.
template <typename Columns>
class ColumnDescent {
  public:
    ColumnDescent(Columns columns, const std::int64_t *index, const double *mean,
                  const double *curvature, const double *h, double total, double *w, double *v,
                  std::size_t m, std::size_t n, Penalty penalty)
        : columns_(columns), index_(index), mean_(mean), curvature_(curvature), h_(h),
          total_(total), m_(m), n_(n), w_(w), v_(v), penalty_(penalty), history_(m) {}

    // Sweeps over the support until it is at rest, then over everything; stops when a sweep over
    // everything finds no optimality condition broken by more than tol. Returns the sweeps made,
    // the largest violation met by the last full one, and that of the first.
    std::tuple<int, double, double> run(int max_epochs, double tol) {
        for (std::size_t i = 0; i < n_; ++i) sum_ += v_[i];
        history_.push(w_);
        bool full = true;
        double last_full = INFINITY, first = -1.0;
        int epoch = 0;
        while (epoch < max_epochs) {
            ++epoch;
            const double met = full ? sweep<true>() : sweep<false>();
            if (full) {
                last_full = met;
                if (first < 0.0) first = met;
                if (met <= tol) break;
                full = false;
            } else if (met <= tol || met <= 0.1 * last_full) {
                full = true;
            }
            history_.push(w_);
            if (history_.full()) extrapolate();
        }
        return {epoch, last_full, first};
    }

    // Moves the intercept to its optimum: the step to add to it.
    double settle_intercept() {
        if (!mean_) return 0.0;
        const double step = -sum_ / total_;
        for (std::size_t i = 0; i < n_; ++i) v_[i] += step * h_[i];
        return step;
    }

  private:
    double gradient(std::size_t k) const {
        const double g = columns_.dot(index_[k], v_) + penalty_.l2 * w_[k];
        return mean_ ? g - sum_ * mean_[k] : g;
    }

    void shift(std::size_t k, double step) {
        columns_.add(index_[k], step, h_, v_);
        if (mean_) sum_ += step * total_ * mean_[k];
    }

    template <bool everything>
    double sweep() {
        double worst = 0.0;
        for (std::size_t k = 0; k < m_; ++k) {
            if (!everything && w_[k] == 0.0) continue;
            const double curvature = curvature_[k] + penalty_.l2;
            if (!(curvature > 0.0)) continue;
            const double g = gradient(k);
            worst = std::max(worst, penalty_.violation(w_[k], g));
            const double next = penalty_.move(w_[k], g, curvature);
            const double step = next - w_[k];
            if (step == 0.0) continue;
            w_[k] = next;
            shift(k, step);
        }
        return worst;
    }

    void extrapolate() {
        std::vector<double> point(m_);
        const bool found = history_.propose(point.data());
        history_.push(w_);
        if (!found) return;
        const std::vector<double> kept(v_, v_ + n_);
        const double kept_sum = sum_;
        double change = penalty_.size(point.data(), m_) - penalty_.size(w_, m_);
        std::vector<double> step(m_);
        for (std::size_t k = 0; k < m_; ++k) {
            if (penalty_.positive && point[k] < 0.0) point[k] = 0.0;
            step[k] = point[k] - w_[k];
            if (step[k] != 0.0) change += 0.5 * step[k] * (gradient(k) - penalty_.l2 * w_[k]);
        }
        for (std::size_t k = 0; k < m_; ++k)
            if (step[k] != 0.0) shift(k, step[k]);
        for (std::size_t k = 0; k < m_; ++k)
            if (step[k] != 0.0) change += 0.5 * step[k] * (gradient(k) - penalty_.l2 * w_[k]);
        if (change < 0.0) {
            std::copy(point.begin(), point.end(), w_);
            history_.restart();
            history_.push(w_);
            return;
        }
        std::copy(kept.begin(), kept.end(), v_);
        sum_ = kept_sum;
    }

    Columns columns_;
    const std::int64_t *index_;
    const double *mean_, *curvature_, *h_;
    double total_, sum_ = 0.0;
    std::size_t m_, n_;
    double *w_, *v_;
    Penalty penalty_;
    Extrapolation history_;
};

std::tuple<int, double> gram_descent(Matrix<const double> gram, Vector<const double> q,
                                     Vector<double> w, Vector<double> slope, double energy,
                                     double l1, double l2, bool positive, int max_epochs,
                                     double gap_tol, double slope_tol) {
    const std::size_t m = w.size(), stride = gram.shape(1);
    if (gram.shape(0) < m || stride < m || q.size() != m || slope.size() != m)
        throw std::invalid_argument("gram_descent: arrays of different shape");
    GramDescent descent(gram.data(), stride, q.data(), w.data(), slope.data(), m,
                        Penalty{l1, l2, positive}, energy);
    nb::gil_scoped_release release;
    const int epochs = descent.run(max_epochs, gap_tol, slope_tol);
    return {epochs, descent.violation()};
}

template <typename Columns>
std::tuple<int, double, double, double> descend(
    Columns columns, std::size_t n_columns, Vector<const std::int64_t> index,
    std::optional<Vector<const double>> mean, Vector<const double> curvature,
    Vector<const double> h, Vector<double> w, Vector<double> v, double l1, double l2,
    bool positive, int max_epochs, double tol) {
    const std::size_t m = w.size(), n = v.size();
    if (index.size() != m || curvature.size() != m || h.size() != n || (mean && mean->size() != m))
        throw std::invalid_argument("column_descent: arrays of different shape");
    const std::int64_t *ip = index.data();
    for (std::size_t k = 0; k < m; ++k)
        if (ip[k] < 0 || static_cast<std::size_t>(ip[k]) >= n_columns)
            throw std::invalid_argument("column_descent: index out of range");
    const double *hp = h.data();
    double total = 0.0;
    for (std::size_t i = 0; i < n; ++i) total += hp[i];
    ColumnDescent<Columns> descent(columns, ip, mean ? mean->data() : nullptr, curvature.data(),
                                   hp, total, w.data(), v.data(), m, n,
                                   Penalty{l1, l2, positive});
    nb::gil_scoped_release release;
    const auto [epochs, last, first] = descent.run(max_epochs, tol);
    return {epochs, last, first, descent.settle_intercept()};
}

template <typename T>
auto dense_descent(Matrix<const T> columns, Vector<const std::int64_t> index,
                   std::optional<Vector<const double>> mean, Vector<const double> curvature,
                   Vector<const double> h, Vector<double> w, Vector<double> v, double l1,
                   double l2, bool positive, int max_epochs, double tol) {
    if (columns.shape(1) != v.size())
        throw std::invalid_argument("dense_descent: arrays of different shape");
    return descend(DenseColumns<T>{columns.data(), v.size()}, columns.shape(0), index, mean,
                   curvature, h, w, v, l1, l2, positive, max_epochs, tol);
}

template <typename T, typename I>
auto sparse_descent(Vector<const I> indptr, Vector<const I> indices, Vector<const T> data,
                    Vector<const std::int64_t> index, std::optional<Vector<const double>> mean,
                    Vector<const double> curvature, Vector<const double> h, Vector<double> w,
                    Vector<double> v, double l1, double l2, bool positive, int max_epochs,
                    double tol) {
    if (indptr.size() == 0 || indices.size() != data.size() ||
        static_cast<std::size_t>(indptr.data()[indptr.size() - 1]) != data.size())
        throw std::invalid_argument("sparse_descent: malformed columns");
    return descend(SparseColumns<T, I>{indptr.data(), indices.data(), data.data()},
                   indptr.size() - 1, index, mean, curvature, h, w, v, l1, l2, positive,
                   max_epochs, tol);
}

}  // namespace

void bind_coordinate(nb::module_ &m) {
    m.def("gram_descent", &gram_descent);
    const auto none = nb::arg("mean").none();
#define MARGIN_DENSE(T)                                                                          \
    m.def("dense_descent", &dense_descent<T>, nb::arg("columns"), nb::arg("index"), none,        \
          nb::arg("curvature"), nb::arg("h"), nb::arg("w"), nb::arg("v"), nb::arg("l1"),         \
          nb::arg("l2"), nb::arg("positive"), nb::arg("max_epochs"), nb::arg("tol"));
    MARGIN_DENSE(double)
    MARGIN_DENSE(float)
#undef MARGIN_DENSE
#define MARGIN_SPARSE(T, I)                                                                      \
    m.def("sparse_descent", &sparse_descent<T, I>, nb::arg("indptr"), nb::arg("indices"),        \
          nb::arg("data"), nb::arg("index"), none, nb::arg("curvature"), nb::arg("h"),           \
          nb::arg("w"), nb::arg("v"), nb::arg("l1"), nb::arg("l2"), nb::arg("positive"),         \
          nb::arg("max_epochs"), nb::arg("tol"));
    MARGIN_SPARSE(double, std::int32_t)
    MARGIN_SPARSE(double, std::int64_t)
    MARGIN_SPARSE(float, std::int32_t)
    MARGIN_SPARSE(float, std::int64_t)
#undef MARGIN_SPARSE
}

}  // namespace margin
