// What every stochastic epoch is given: the rows in their order, the loss, step lengths, penalties.
#pragma once

#include <nanobind/nanobind.h>
#include <nanobind/ndarray.h>

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <stdexcept>

#include "common/bind.hpp"
#include "common/compressed.hpp"
#include "common/native.hpp"
#include "rows/losses.hpp"

namespace margin {

// An epoch makes ceil(visits / batch) steps; step k uses rate[k] and, where averages are kept,
// moves the average by mix[k] of the way to the new point.
struct Plan {
    RowLoss loss;
    double shape;
    const double *y, *weight;
    const std::int64_t *order;
    std::size_t visits, batch, steps;
    const double *rate, *mix;
    double l1, l2;
    bool intercept;

    [[gnu::always_inline]] double slope(std::int64_t row, double z) const {
        const double g = row_slope(loss, shape, z, y[row]);
        return weight ? weight[row] * g : g;
    }
    // What a row is multiplied by and taken off: a passive-aggressive step, up to rate (1) or
    // damped by it (2), goes just as far as the loss of the row asks for.
    [[gnu::always_inline]] double step(int passive, std::int64_t row, double z, double rate,
                                       double square) const {
        if (!passive) return rate * slope(row, z);
        double toward, excess;  // the sign of the slope, and the loss
        if (loss == RowLoss::insensitive) {
            const double r = z - y[row];
            toward = r, excess = std::fabs(r) - shape;
        } else if (loss == RowLoss::hinge) {
            const double sign = 2.0 * double(y[row] > 0.0) - 1.0;
            toward = -sign, excess = 1.0 - sign * z;
        } else {
            const double g = slope(row, z), value = row_value(loss, shape, z, y[row]);
            if (passive == 2) return g * value / (square + 0.5 / rate);
            return square > 0.0 ? g * std::min(rate, value / square) : 0.0;
        }
        const double weighted = weight ? weight[row] : 1.0;
        excess = std::max(excess, 0.0);
        // What does not depend on the prediction is divided while that is still on its way.
        const double share = 1.0 / (passive == 2 ? square + 0.5 / rate : square);
        double length = excess * share;
        if (passive == 1) length = square > 0.0 ? std::min(rate, length) : 0.0;
        return std::copysign(weighted * length, toward);
    }
    std::size_t first(std::size_t step) const { return step * batch; }
    std::size_t size(std::size_t step) const {
        const std::size_t at = step * batch;
        return visits - at < batch ? visits - at : batch;
    }
};

using Rates = Vector<const double>;
using Codes = Vector<const std::int64_t>;

inline void check_order(const Codes &order, std::size_t n, const char *refusal) {
    for (std::size_t at = 0; at < order.size(); ++at)
        if (order.data()[at] < 0 || static_cast<std::size_t>(order.data()[at]) >= n)
            throw std::invalid_argument(refusal);
}

// A plan as it comes from Python.
struct Asked {
    int loss;
    double shape;
    const Vector<const double> &y;
    const std::optional<Vector<const double>> &weight;
    const Codes &order;
    std::size_t batch;
    const Rates &rate;
    const std::optional<Rates> &mix;
    double l1, l2;
    bool intercept;
};

inline Plan make_plan(const Asked &asked, std::size_t n) {
    const auto &[loss, shape, y, weight, order, batch, rate, mix, l1, l2, intercept] = asked;
    if (loss < 0 || loss >= row_loss_count) throw std::invalid_argument("stochastic: unknown loss");
    if (batch == 0) throw std::invalid_argument("stochastic: batch must be at least 1");
    const std::size_t visits = order.size(), steps = (visits + batch - 1) / batch;
    if (y.size() != n || (weight && weight->size() != n) || rate.size() != steps ||
        (mix && mix->size() != steps))
        throw std::invalid_argument("stochastic: arrays of different shape");
    check_order(order, n, "stochastic: row out of range");
    return Plan{static_cast<RowLoss>(loss),
                shape,
                y.data(),
                weight ? weight->data() : nullptr,
                order.data(),
                visits,
                batch,
                steps,
                rate.data(),
                mix ? mix->data() : nullptr,
                l1,
                l2,
                intercept};
}

template <typename T>
struct PlainRows {
    const T *X;
    std::size_t p;

    [[gnu::always_inline]] double dot(std::int64_t row, const double *w) const {
        return row_dot(X + row * p, w, p);
    }
    [[gnu::always_inline]] void add(std::int64_t row, double scale, double *w) const {
        row_add(X + row * p, 1.0, scale, w, p);
    }
    [[gnu::always_inline]] double square(std::int64_t row) const {
        const T *x = X + row * p;
        double sum = 0.0;
#pragma omp simd reduction(+ : sum)
        for (std::size_t j = 0; j < p; ++j) sum += static_cast<double>(x[j]) * x[j];
        return sum;
    }
    [[gnu::always_inline]] void ahead(std::int64_t row) const { prefetch_row(X + row * p, p); }
};

template <typename T, typename I>
struct CsrRows {
    const I *indptr, *indices;
    const T *data;

    double dot(std::int64_t row, const double *w) const {
        double a = 0.0, b = 0.0;
        I at = indptr[row];
        const I end = indptr[row + 1];
        for (; at + 1 < end; at += 2) {
            a += data[at] * w[indices[at]];
            b += data[at + 1] * w[indices[at + 1]];
        }
        if (at < end) a += data[at] * w[indices[at]];
        return a + b;
    }
    void add(std::int64_t row, double scale, double *w) const {
        for (I at = indptr[row]; at < indptr[row + 1]; ++at) w[indices[at]] += scale * data[at];
    }
    double square(std::int64_t row) const {
        double sum = 0.0;
        for (I at = indptr[row]; at < indptr[row + 1]; ++at)
            sum += static_cast<double>(data[at]) * data[at];
        return sum;
    }
    void ahead(std::int64_t row) const {
        __builtin_prefetch(indices + indptr[row]);
        __builtin_prefetch(data + indptr[row]);
    }
};

// The column indices are trusted: callers validate a matrix once, not on every epoch.
template <typename T, typename I>
CsrRows<T, I> csr_rows_of(const Vector<const I> &indptr, const Vector<const I> &indices,
                          const Vector<const T> &data) {
    const auto rows = compressed<T, I>(indptr, indices, data, "stochastic: malformed rows");
    return {rows.indptr.data(), rows.indices.data(), rows.data.data()};
}

}  // namespace margin
