// Coordinate ascent on the dual of the machines that Pegasos trains.
#include <algorithm>
#include <type_traits>

#include "rows/steps.hpp"

namespace margin {
namespace {

// A pass of coordinate ascent over the dual, sum b - alpha / 2 |w|^2 with w the sum of the rows
// times sign b / alpha, within 0 <= b[k, i] <= cap[i].
struct Shares {
    const std::int64_t *code, *order;
    const double *cap;
    std::size_t visits, n, p, k;
    double alpha, constant;
    double *b, *w;
};

template <typename Rows>
[[gnu::always_inline]] inline void ascend(const Shares &m, const Rows &rows) {
    constexpr std::size_t distance = 3;
    for (std::size_t at = 0; at < m.visits; ++at) {
        if (at + distance < m.visits) rows.ahead(m.order[at + distance]);
        const std::int64_t row = m.order[at];
        const double square = rows.square(row) + m.constant * m.constant;
        if (!(square > 0.0)) continue;
        for (std::size_t k = 0; k < m.k; ++k) {
            double *w = m.w + k * (m.p + 1), &b = m.b[k * m.n + row];
            const bool own = static_cast<std::size_t>(m.code[row]) == (m.k == 1 ? 1 : k);
            const double sign = own ? 1.0 : -1.0;
            const double slope = 1.0 - sign * (rows.dot(row, w) + m.constant * w[m.p]);
            const double moved = std::clamp(b + m.alpha * slope / square, 0.0, m.cap[row]);
            const double amount = sign * (moved - b) / m.alpha;
            b = moved;
            if (amount == 0.0) continue;
            rows.add(row, amount, w);
            w[m.p] += amount * m.constant;
        }
    }
}

MARGIN_CLONES void ascend_f64(const Shares &m, const PlainRows<double> &rows) { ascend(m, rows); }

MARGIN_CLONES void ascend_f32(const Shares &m, const PlainRows<float> &rows) { ascend(m, rows); }

template <typename Rows>
void pass(const Shares &m, const Rows &rows) {
    if constexpr (std::is_same_v<Rows, PlainRows<double>>)
        ascend_f64(m, rows);
    else if constexpr (std::is_same_v<Rows, PlainRows<float>>)
        ascend_f32(m, rows);
    else
        ascend(m, rows);
}

Shares shares_of(const Codes &code, const Codes &order, const Vector<const double> &cap,
                 double alpha, double constant, const Matrix<double> &b, const Matrix<double> &w,
                 std::size_t n) {
    const std::size_t k = w.shape(0), d = w.shape(1);
    if (d == 0 || code.size() != n || cap.size() != n || b.shape(0) != k || b.shape(1) != n)
        throw std::invalid_argument("pegasos: arrays of different shape");
    if (!(alpha > 0.0)) throw std::invalid_argument("pegasos: alpha must be above 0");
    check_order(order, n, "pegasos: row out of range");
    return {code.data(), order.data(), cap.data(), order.size(), n,       d - 1,
            k,           alpha,        constant,   b.data(),     w.data()};
}

template <typename T>
void dense_ascent(Matrix<const T> X, Codes code, Codes order, Vector<const double> cap,
                  double alpha, double constant, Matrix<double> b, Matrix<double> w) {
    const Shares m = shares_of(code, order, cap, alpha, constant, b, w, X.shape(0));
    if (m.p != X.shape(1)) throw std::invalid_argument("pegasos: arrays of different shape");
    nb::gil_scoped_release release;
    pass(m, PlainRows<T>{X.data(), X.shape(1)});
}

template <typename T, typename I>
void sparse_ascent(Vector<const I> indptr, Vector<const I> indices, Vector<const T> data,
                   Codes code, Codes order, Vector<const double> cap, double alpha, double constant,
                   Matrix<double> b, Matrix<double> w) {
    const CsrRows<T, I> rows = csr_rows_of<T, I>(indptr, indices, data);
    const Shares m = shares_of(code, order, cap, alpha, constant, b, w, indptr.size() - 1);
    nb::gil_scoped_release release;
    pass(m, rows);
}

}  // namespace

void bind_pegasos_ascent(nb::module_ &m) {
    for_tables([&]<typename T>() {
        m.def("pegasos_ascent_dense", &dense_ascent<T>, fixed("X"), fixed("code"), fixed("order"),
              fixed("cap"), nb::arg("alpha"), nb::arg("constant"), fixed("b"), fixed("w"));
    });
    for_compressed([&]<typename T, typename I>() {
        m.def("pegasos_ascent_sparse", &sparse_ascent<T, I>, fixed("indptr"), fixed("indices"),
              fixed("data"), fixed("code"), fixed("order"), fixed("cap"), nb::arg("alpha"),
              nb::arg("constant"), fixed("b"), fixed("w"));
    });
}

}  // namespace margin
