// Epochs of the perceptron over rows: a correction where a row is not strictly on its own side.
#include <algorithm>
#include <cmath>
#include <vector>

#include "rows/steps.hpp"

namespace margin {
namespace {

// Weights of shape (K, p + 1), the intercept last; K = 1 for two classes, whose scores are +-z.
// sum holds the sum over time of the weights: each correction, times the visits it was not there,
// is subtracted, so that a visit without correction costs nothing.
struct Corrections {
    const std::int64_t *code, *order;
    const double *weight, *rate;
    std::size_t visits, p, k;
    bool intercept;
    double *w, *sum, *dual, *dual_sum;
    std::int64_t *mistakes;
    double elapsed;
};

template <typename Rows>
std::int64_t correct_rows(const Corrections &c, const Rows &rows) {
    const std::size_t d = c.p + 1;
    std::int64_t made = 0;
    double elapsed = c.elapsed;
    std::vector<double> scores(c.k);
    const auto correct = [&](std::int64_t row, std::size_t which, double amount) {
        double *w = c.w + which * d;
        rows.add(row, amount, w);
        if (c.intercept) w[c.p] += amount;
        if (c.sum) {
            double *s = c.sum + which * d;
            rows.add(row, amount * elapsed, s);
            if (c.intercept) s[c.p] += amount * elapsed;
        }
        const std::size_t at = static_cast<std::size_t>(row) * c.k + which;
        c.dual[at] += amount;
        if (c.dual_sum) c.dual_sum[at] += amount * elapsed;
    };
    for (std::size_t v = 0; v < c.visits; ++v, elapsed += 1.0) {
        const std::int64_t row = c.order[v];
        const std::size_t own = static_cast<std::size_t>(c.code[row]);
        const double amount = c.rate[made] * (c.weight ? c.weight[row] : 1.0);
        if (c.k == 1) {
            const double sign = own ? 1.0 : -1.0;
            if (sign * (rows.dot(row, c.w) + c.w[c.p]) > 0.0) continue;
            correct(row, 0, sign * amount);
        } else {
            double best = -INFINITY;
            std::size_t ties = 0;
            for (std::size_t q = 0; q < c.k; ++q) {
                scores[q] = rows.dot(row, c.w + q * d) + c.w[q * d + c.p];
                if (q == own || scores[q] < best) continue;
                ties = scores[q] > best ? 1 : ties + 1;
                best = scores[q];
            }
            if (scores[own] > best) continue;
            // Equal rivals share the blame, so that the names of the classes do not matter.
            correct(row, own, amount);
            for (std::size_t q = 0; q < c.k; ++q)
                if (q != own && scores[q] == best) correct(row, q, -amount / ties);
        }
        ++c.mistakes[row];
        ++made;
    }
    return made;
}

// What follows the rows in both signatures.
struct Rest {
    Vector<const std::int64_t> code;
    std::optional<Vector<const double>> weight;
    Vector<const std::int64_t> order;
    Vector<const double> rate;
    bool intercept;
    Matrix<double> w;
    std::optional<Matrix<double>> sum;
    Matrix<double> dual;
    std::optional<Matrix<double>> dual_sum;
    Vector<std::int64_t> mistakes;
    double elapsed;
};

template <typename Rows>
std::int64_t perceptron(const Rows &rows, std::size_t n, std::size_t p, const Rest &rest) {
    const auto &[code, weight, order, rate, intercept, w, sum, dual, dual_sum, mistakes, elapsed] =
        rest;
    const std::size_t k = w.shape(0), visits = order.size();
    if (w.shape(1) != p + 1 || code.size() != n || (weight && weight->size() != n) ||
        rate.size() < visits || dual.shape(0) != n || dual.shape(1) != k || mistakes.size() != n ||
        (sum && (sum->shape(0) != k || sum->shape(1) != p + 1)) ||
        (dual_sum && (dual_sum->shape(0) != n || dual_sum->shape(1) != k)))
        throw std::invalid_argument("perceptron: arrays of different shape");
    const std::int64_t classes = k == 1 ? 2 : static_cast<std::int64_t>(k);
    for (std::size_t i = 0; i < n; ++i)
        if (code.data()[i] < 0 || code.data()[i] >= classes)
            throw std::invalid_argument("perceptron: class out of range");
    check_order(order, n, "perceptron: row out of range");
    const Corrections corrections{code.data(),
                                  order.data(),
                                  weight ? weight->data() : nullptr,
                                  rate.data(),
                                  visits,
                                  p,
                                  k,
                                  intercept,
                                  w.data(),
                                  sum ? sum->data() : nullptr,
                                  dual.data(),
                                  dual_sum ? dual_sum->data() : nullptr,
                                  mistakes.data(),
                                  elapsed};
    nb::gil_scoped_release release;
    return correct_rows(corrections, rows);
}

template <typename T>
std::int64_t perceptron_dense(Matrix<const T> X, Vector<const std::int64_t> code,
                              std::optional<Vector<const double>> weight,
                              Vector<const std::int64_t> order, Vector<const double> rate,
                              bool intercept, Matrix<double> w, std::optional<Matrix<double>> sum,
                              Matrix<double> dual, std::optional<Matrix<double>> dual_sum,
                              Vector<std::int64_t> mistakes, double elapsed) {
    return perceptron(
        PlainRows<T>{X.data(), X.shape(1)}, X.shape(0), X.shape(1),
        {code, weight, order, rate, intercept, w, sum, dual, dual_sum, mistakes, elapsed});
}

template <typename T, typename I>
std::int64_t perceptron_sparse(Vector<const I> indptr, Vector<const I> indices,
                               Vector<const T> data, Vector<const std::int64_t> code,
                               std::optional<Vector<const double>> weight,
                               Vector<const std::int64_t> order, Vector<const double> rate,
                               bool intercept, Matrix<double> w, std::optional<Matrix<double>> sum,
                               Matrix<double> dual, std::optional<Matrix<double>> dual_sum,
                               Vector<std::int64_t> mistakes, double elapsed) {
    const CsrRows<T, I> rows = csr_rows_of<T, I>(indptr, indices, data);
    if (w.shape(1) == 0) throw std::invalid_argument("perceptron: arrays of different shape");
    return perceptron(
        rows, indptr.size() - 1, w.shape(1) - 1,
        {code, weight, order, rate, intercept, w, sum, dual, dual_sum, mistakes, elapsed});
}

}  // namespace

void bind_perceptron(nb::module_ &m) {
    for_tables([&]<typename T>() {
        m.def("perceptron_dense", &perceptron_dense<T>, fixed("X"), fixed("code"), maybe("weight"),
              fixed("order"), fixed("rate"), nb::arg("intercept"), fixed("w"), maybe("sum"),
              fixed("dual"), maybe("dual_sum"), fixed("mistakes"), nb::arg("elapsed"));
    });
    for_compressed([&]<typename T, typename I>() {
        m.def("perceptron_sparse", &perceptron_sparse<T, I>, fixed("indptr"), fixed("indices"),
              fixed("data"), fixed("code"), maybe("weight"), fixed("order"), fixed("rate"),
              nb::arg("intercept"), fixed("w"), maybe("sum"), fixed("dual"), maybe("dual_sum"),
              fixed("mistakes"), nb::arg("elapsed"));
    });
}

}  // namespace margin
