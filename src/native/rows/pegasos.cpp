// Epochs of Pegasos over rows: w = v / (alpha t), where v is a sum of signed rows.
#include <algorithm>
#include <cmath>
#include <type_traits>
#include <vector>

#include "rows/steps.hpp"

namespace margin {
namespace {

// One machine per row of v, of shape (K, p + 1), the constant feature last; K = 1 for two classes.
// c[k, i] is how much of row i this epoch adds to v[k]. With `projection` a scale s stands before
// both, so that shrinking costs nothing; shrunk[k] is what is left of the v at the start. Means
// over the epoch: every correction is taken off, times the sum of s / (alpha t) before it, so that
// a visit without correction costs nothing.
struct Machines {
    const std::int64_t *code, *order;
    std::size_t visits, n, p, k;
    double alpha, offset, constant;
    bool projection;
    double *v, *c, *shrunk, *mean;
};

struct Scale {
    double s, elapsed, norm;
};

constexpr double smallest_scale = 1e-8;

void multiply(double *x, std::size_t size, double factor) {
    for (std::size_t j = 0; j < size; ++j) x[j] *= factor;
}

// What has been collected so far goes into the mean, and the scale into v and c.
void flush(const Machines &m, std::size_t k, Scale &scale) {
    const std::size_t d = m.p + 1;
    for (std::size_t j = 0; j < d && m.mean; ++j)
        m.mean[k * d + j] += m.v[k * d + j] * scale.elapsed;
    if (scale.s != 1.0) {
        m.shrunk[k] *= scale.s;
        multiply(m.v + k * d, d, scale.s);
        multiply(m.c + k * m.n, m.n, scale.s);
    }
    scale.s = 1.0;
    scale.elapsed = 0.0;
}

template <typename Rows>
[[gnu::always_inline]] inline void step(const Machines &m, const Rows &rows, std::int64_t row,
                                        std::size_t k, double t, Scale &scale) {
    const std::size_t d = m.p + 1;
    double *v = m.v + k * d;
    const bool own = static_cast<std::size_t>(m.code[row]) == (m.k == 1 ? 1 : k);
    const double sign = own ? 1.0 : -1.0, bound = m.alpha * t;
    const double value = sign * scale.s * (rows.dot(row, v) + m.constant * v[m.p]);
    if (value < bound || t == 0.0) {
        const double share = 1.0 / scale.s, amount = sign * share;
        rows.add(row, amount, v);
        v[m.p] += amount * m.constant;
        m.c[k * m.n + row] += share;
        if (m.mean) {
            double *mean = m.mean + k * d;
            rows.add(row, -amount * scale.elapsed, mean);
            mean[m.p] -= amount * m.constant * scale.elapsed;
        }
        if (m.projection) scale.norm += 2.0 * value + rows.square(row) + m.constant * m.constant;
    }
    if (m.projection) {
        const double radius = m.alpha * (t + 1.0) * (t + 1.0);
        if (scale.norm > radius) {
            scale.s *= std::sqrt(radius / scale.norm);
            scale.norm = radius;
            if (scale.s < smallest_scale) flush(m, k, scale);
        }
    }
    scale.elapsed += scale.s / (m.alpha * (t + 1.0));
}

template <typename Rows>
[[gnu::always_inline]] inline void visit(const Machines &m, const Rows &rows, Scale *scales) {
    constexpr std::size_t distance = 3;
    for (std::size_t at = 0; at < m.visits; ++at) {
        if (at + distance < m.visits) rows.ahead(m.order[at + distance]);
        for (std::size_t k = 0; k < m.k; ++k)
            step(m, rows, m.order[at], k, m.offset + static_cast<double>(at), scales[k]);
    }
}

MARGIN_CLONES void visit_f64(const Machines &m, const PlainRows<double> &rows, Scale *scales) {
    visit(m, rows, scales);
}

MARGIN_CLONES void visit_f32(const Machines &m, const PlainRows<float> &rows, Scale *scales) {
    visit(m, rows, scales);
}

template <typename Rows>
void epoch(const Machines &m, const Rows &rows) {
    const std::size_t d = m.p + 1;
    std::vector<Scale> scales(m.k, Scale{1.0, 0.0, 0.0});
    for (std::size_t k = 0; k < m.k && m.projection; ++k)
        scales[k].norm = row_dot(m.v + k * d, m.v + k * d, d);
    if constexpr (std::is_same_v<Rows, PlainRows<double>>)
        visit_f64(m, rows, scales.data());
    else if constexpr (std::is_same_v<Rows, PlainRows<float>>)
        visit_f32(m, rows, scales.data());
    else
        visit(m, rows, scales.data());
    for (std::size_t k = 0; k < m.k; ++k) flush(m, k, scales[k]);
    if (m.mean && m.visits) multiply(m.mean, m.k * d, 1.0 / static_cast<double>(m.visits));
}

// What follows the rows in both signatures.
struct Rest {
    Vector<const std::int64_t> code, order;
    double alpha, offset, constant;
    bool projection;
    Matrix<double> v, c;
    Vector<double> shrunk;
    std::optional<Matrix<double>> mean;
};

Machines checked(const Rest &r, std::size_t n) {
    const std::size_t k = r.v.shape(0), d = r.v.shape(1);
    const auto is = [](const Matrix<double> &a, std::size_t rows, std::size_t columns) {
        return a.shape(0) == rows && a.shape(1) == columns;
    };
    if (d == 0 || r.code.size() != n || !is(r.c, k, n) || r.shrunk.size() != k ||
        (r.mean && !is(*r.mean, k, d)))
        throw std::invalid_argument("pegasos: arrays of different shape");
    if (!(r.alpha > 0.0) || !(r.offset >= 0.0))
        throw std::invalid_argument("pegasos: alpha must be above 0 and offset at least 0");
    check_order(r.order, n, "pegasos: row out of range");
    return {r.code.data(),   r.order.data(),
            r.order.size(),  n,
            d - 1,           k,
            r.alpha,         r.offset,
            r.constant,      r.projection,
            r.v.data(),      r.c.data(),
            r.shrunk.data(), r.mean ? r.mean->data() : nullptr};
}

using Means = std::optional<Matrix<double>>;

template <typename T>
void dense(Matrix<const T> X, Codes code, Codes order, double alpha, double offset, double constant,
           bool projection, Matrix<double> v, Matrix<double> c, Vector<double> shrunk, Means mean) {
    const Rest rest{code, order, alpha, offset, constant, projection, v, c, shrunk, mean};
    const Machines m = checked(rest, X.shape(0));
    if (m.p != X.shape(1)) throw std::invalid_argument("pegasos: arrays of different shape");
    nb::gil_scoped_release release;
    epoch(m, PlainRows<T>{X.data(), X.shape(1)});
}

template <typename T, typename I>
void sparse(Vector<const I> indptr, Vector<const I> indices, Vector<const T> data, Codes code,
            Codes order, double alpha, double offset, double constant, bool projection,
            Matrix<double> v, Matrix<double> c, Vector<double> shrunk, Means mean) {
    const CsrRows<T, I> rows = csr_rows_of<T, I>(indptr, indices, data);
    const Rest rest{code, order, alpha, offset, constant, projection, v, c, shrunk, mean};
    const Machines m = checked(rest, indptr.size() - 1);
    nb::gil_scoped_release release;
    epoch(m, rows);
}

}  // namespace

void bind_pegasos(nb::module_ &m) {
    for_tables([&]<typename T>() {
        m.def("pegasos_dense", &dense<T>, fixed("X"), fixed("code"), fixed("order"),
              nb::arg("alpha"), nb::arg("offset"), nb::arg("constant"), nb::arg("projection"),
              fixed("v"), fixed("c"), fixed("shrunk"), maybe("mean"));
    });
    for_compressed([&]<typename T, typename I>() {
        m.def("pegasos_sparse", &sparse<T, I>, fixed("indptr"), fixed("indices"), fixed("data"),
              fixed("code"), fixed("order"), nb::arg("alpha"), nb::arg("offset"),
              nb::arg("constant"), nb::arg("projection"), fixed("v"), fixed("c"), fixed("shrunk"),
              maybe("mean"));
    });
}

}  // namespace margin
