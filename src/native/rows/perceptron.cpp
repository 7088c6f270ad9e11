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

// The weights that err least so far (Gallant's pocket), and what led to them. state has the weight
// of their errors, the longest run of right answers between two corrections, the errors at the end
// of the epoch, and how often weights were held against all rows.
struct Pocket {
    double *w, *dual;
    std::int64_t *mistakes;
    double *state;
    bool every;  // judge the weights after every correction, not after record runs only
};

// Whether the prediction for a row is wrong; a score of zero is one for the first class.
template <typename Rows>
[[gnu::always_inline]] inline bool errs(const Corrections &c, const Rows &rows, const double *w,
                                        std::int64_t row) {
    const std::size_t d = c.p + 1;
    double best = rows.dot(row, w) + w[c.p];
    if (c.k == 1) return (best > 0.0) != (c.code[row] != 0);
    std::int64_t answer = 0;
    for (std::size_t q = 1; q < c.k; ++q) {
        const double score = rows.dot(row, w + q * d) + w[q * d + c.p];
        if (score > best) best = score, answer = static_cast<std::int64_t>(q);
    }
    return answer != c.code[row];
}

// Weight of the rows whose prediction is wrong; counting ends above the limit. Where all rows are
// visited they are read as they are stored. No branch depends on an answer, which nobody can guess.
template <typename Rows>
[[gnu::always_inline]] inline double error_weight(const Corrections &c, const Rows &rows,
                                                  std::size_t n, const double *w, double limit) {
    constexpr std::size_t tile = 32;
    const bool all = c.visits == n;
    double total = 0.0;
    for (std::size_t at = 0; at < c.visits && total <= limit; at += tile) {
        const std::size_t end = std::min(at + tile, c.visits);
        for (std::size_t v = at; v < end; ++v) {
            const std::int64_t row = all ? static_cast<std::int64_t>(v) : c.order[v];
            const double weight = c.weight ? c.weight[row] : 1.0;
            total += weight * static_cast<double>(errs(c, rows, w, row));
        }
    }
    return total;
}

template <typename Rows>
[[gnu::always_inline]] inline void judge(const Corrections &c, const Rows &rows, std::size_t n,
                                         const Pocket &pocket, bool last) {
    const double errors = error_weight(c, rows, n, c.w, last ? INFINITY : pocket.state[0]);
    pocket.state[3] += 1.0;
    if (last) pocket.state[2] = errors;
    if (!(errors <= pocket.state[0])) return;
    pocket.state[0] = errors;
    std::copy(c.w, c.w + c.k * (c.p + 1), pocket.w);
    std::copy(c.dual, c.dual + n * c.k, pocket.dual);
    std::copy(c.mistakes, c.mistakes + n, pocket.mistakes);
}

// Adds a row to one of the weight vectors, and to all that is kept about them.
template <typename Rows>
[[gnu::always_inline]] inline void correct(const Corrections &c, const Rows &rows, std::int64_t row,
                                           std::size_t which, double amount, double elapsed) {
    double *w = c.w + which * (c.p + 1);
    rows.add(row, amount, w);
    if (c.intercept) w[c.p] += amount;
    if (c.sum) {
        double *s = c.sum + which * (c.p + 1);
        rows.add(row, amount * elapsed, s);
        if (c.intercept) s[c.p] += amount * elapsed;
    }
    const std::size_t at = static_cast<std::size_t>(row) * c.k + which;
    c.dual[at] += amount;
    if (c.dual_sum) c.dual_sum[at] += amount * elapsed;
}

template <typename Rows>
[[gnu::always_inline]] inline std::int64_t correct_rows(const Corrections &c, const Rows &rows,
                                                        std::size_t n, const Pocket *pocket,
                                                        double *scores) {
    const std::size_t d = c.p + 1;
    std::int64_t made = 0;
    double elapsed = c.elapsed, run = 0.0;
    const double lucky = std::log2(static_cast<double>(std::max<std::size_t>(c.visits, 1)));
    for (std::size_t v = 0; v < c.visits; ++v, elapsed += 1.0, run += 1.0) {
        const std::int64_t row = c.order[v];
        if (v + 8 < c.visits) rows.ahead(c.order[v + 8]);
        const std::size_t own = static_cast<std::size_t>(c.code[row]);
        double best = -INFINITY;
        std::size_t ties = 0;
        if (c.k == 1) {
            scores[0] = rows.dot(row, c.w) + c.w[c.p];
            if ((own ? scores[0] : -scores[0]) > 0.0) continue;
        } else {
            for (std::size_t q = 0; q < c.k; ++q) {
                scores[q] = rows.dot(row, c.w + q * d) + c.w[q * d + c.p];
                if (q == own || scores[q] < best) continue;
                ties = scores[q] > best ? 1 : ties + 1;
                best = scores[q];
            }
            if (scores[own] > best) continue;
        }
        // Weights that were right for longer than any before are worth a pass over all rows, unless
        // tossing a coin for every answer would have had such a run in this epoch.
        if (pocket && made && (pocket->every || run > std::max(pocket->state[1], lucky)))
            judge(c, rows, n, *pocket, false);
        if (pocket && made) pocket->state[1] = std::max(pocket->state[1], run);
        run = -1.0;
        const double amount = c.rate[made] * (c.weight ? c.weight[row] : 1.0);
        if (c.k == 1) {
            correct(c, rows, row, 0, own ? amount : -amount, elapsed);
        } else {
            // Equal rivals share the blame, so that the names of the classes do not matter.
            correct(c, rows, row, own, amount, elapsed);
            for (std::size_t q = 0; q < c.k; ++q)
                if (q != own && scores[q] == best)
                    correct(c, rows, row, q, -amount / ties, elapsed);
        }
        ++c.mistakes[row];
        ++made;
    }
    if (pocket) judge(c, rows, n, *pocket, true);
    return made;
}

#define MARGIN_CORRECT(name, T)                                                                    \
    MARGIN_CLONES std::int64_t name(const Corrections &c, const PlainRows<T> &rows, std::size_t n, \
                                    const Pocket *pocket, double *scores) {                        \
        return correct_rows(c, rows, n, pocket, scores);                                           \
    }                                                                                              \
    std::int64_t run_rows(const Corrections &c, const PlainRows<T> &rows, std::size_t n,           \
                          const Pocket *pocket, double *scores) {                                  \
        return name(c, rows, n, pocket, scores);                                                   \
    }
MARGIN_CORRECT(correct_f64, double)
MARGIN_CORRECT(correct_f32, float)
#undef MARGIN_CORRECT

template <typename T, typename I>
std::int64_t run_rows(const Corrections &c, const CsrRows<T, I> &rows, std::size_t n,
                      const Pocket *pocket, double *scores) {
    return correct_rows(c, rows, n, pocket, scores);
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
    std::optional<Matrix<double>> best_w, best_dual;
    std::optional<Vector<std::int64_t>> best_mistakes;
    std::optional<Vector<double>> state;
    bool every;
};

template <typename Rows>
std::int64_t perceptron(const Rows &rows, std::size_t n, std::size_t p, const Rest &rest) {
    const auto &[code, weight, order, rate, intercept, w, sum, dual, dual_sum, mistakes, elapsed,
                 best_w, best_dual, best_mistakes, state, every] = rest;
    const std::size_t k = w.shape(0), visits = order.size();
    if (w.shape(1) != p + 1 || code.size() != n || (weight && weight->size() != n) ||
        rate.size() < visits || dual.shape(0) != n || dual.shape(1) != k || mistakes.size() != n ||
        (sum && (sum->shape(0) != k || sum->shape(1) != p + 1)) ||
        (dual_sum && (dual_sum->shape(0) != n || dual_sum->shape(1) != k)))
        throw std::invalid_argument("perceptron: arrays of different shape");
    const bool kept = best_w && best_dual && best_mistakes && state;
    if (kept ? (best_w->shape(0) != k || best_w->shape(1) != p + 1 || best_dual->shape(0) != n ||
                best_dual->shape(1) != k || best_mistakes->size() != n || state->size() != 4)
             : (best_w || best_dual || best_mistakes || state))
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
    Pocket pocket{};
    if (kept)
        pocket = {best_w->data(), best_dual->data(), best_mistakes->data(), state->data(), every};
    std::vector<double> scores(k);
    nb::gil_scoped_release release;
    return run_rows(corrections, rows, n, kept ? &pocket : nullptr, scores.data());
}

template <typename T>
std::int64_t perceptron_dense(
    Matrix<const T> X, Vector<const std::int64_t> code, std::optional<Vector<const double>> weight,
    Vector<const std::int64_t> order, Vector<const double> rate, bool intercept, Matrix<double> w,
    std::optional<Matrix<double>> sum, Matrix<double> dual, std::optional<Matrix<double>> dual_sum,
    Vector<std::int64_t> mistakes, double elapsed, std::optional<Matrix<double>> best_w,
    std::optional<Matrix<double>> best_dual, std::optional<Vector<std::int64_t>> best_mistakes,
    std::optional<Vector<double>> state, bool every) {
    return perceptron(PlainRows<T>{X.data(), X.shape(1)}, X.shape(0), X.shape(1),
                      {code, weight, order, rate, intercept, w, sum, dual, dual_sum, mistakes,
                       elapsed, best_w, best_dual, best_mistakes, state, every});
}

template <typename T, typename I>
std::int64_t perceptron_sparse(
    Vector<const I> indptr, Vector<const I> indices, Vector<const T> data,
    Vector<const std::int64_t> code, std::optional<Vector<const double>> weight,
    Vector<const std::int64_t> order, Vector<const double> rate, bool intercept, Matrix<double> w,
    std::optional<Matrix<double>> sum, Matrix<double> dual, std::optional<Matrix<double>> dual_sum,
    Vector<std::int64_t> mistakes, double elapsed, std::optional<Matrix<double>> best_w,
    std::optional<Matrix<double>> best_dual, std::optional<Vector<std::int64_t>> best_mistakes,
    std::optional<Vector<double>> state, bool every) {
    const CsrRows<T, I> rows = csr_rows_of<T, I>(indptr, indices, data);
    if (w.shape(1) == 0) throw std::invalid_argument("perceptron: arrays of different shape");
    return perceptron(rows, indptr.size() - 1, w.shape(1) - 1,
                      {code, weight, order, rate, intercept, w, sum, dual, dual_sum, mistakes,
                       elapsed, best_w, best_dual, best_mistakes, state, every});
}

}  // namespace

void bind_perceptron(nb::module_ &m) {
    for_tables([&]<typename T>() {
        m.def("perceptron_dense", &perceptron_dense<T>, fixed("X"), fixed("code"), maybe("weight"),
              fixed("order"), fixed("rate"), nb::arg("intercept"), fixed("w"), maybe("sum"),
              fixed("dual"), maybe("dual_sum"), fixed("mistakes"), nb::arg("elapsed"),
              maybe("best_w"), maybe("best_dual"), maybe("best_mistakes"), maybe("state"),
              nb::arg("every"));
    });
    for_compressed([&]<typename T, typename I>() {
        m.def("perceptron_sparse", &perceptron_sparse<T, I>, fixed("indptr"), fixed("indices"),
              fixed("data"), fixed("code"), maybe("weight"), fixed("order"), fixed("rate"),
              nb::arg("intercept"), fixed("w"), maybe("sum"), fixed("dual"), maybe("dual_sum"),
              fixed("mistakes"), nb::arg("elapsed"), maybe("best_w"), maybe("best_dual"),
              maybe("best_mistakes"), maybe("state"), nb::arg("every"));
    });
}

}  // namespace margin
