// Non-negative least squares of many rows with one matrix, to the last digits: coordinate descent
// until nothing moves, and where that takes long a solve within the entries that it left positive,
// kept where it is optimal. Rows go by in lanes, each on its own: none sees its neighbours.
#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <stdexcept>
#include <vector>

#include "common/bind.hpp"
#include "common/native.hpp"
#include "common/team.hpp"
#include "factors/bindings.hpp"

namespace margin {
namespace {

constexpr std::size_t lanes = 8;
constexpr int passes[] = {12, 40, 160};  // before each solve
constexpr double still = 1e-14;          // movement that is rounding, as a part of the size
constexpr double room = 1e-12;           // of slopes and entries that count as zero

struct Matrices {
    const double *gram;
    std::size_t k;
    std::vector<double> root, inverse;  // of the diagonal

    Matrices(const double *g, std::size_t size) : gram(g), k(size), root(size), inverse(size) {
        for (std::size_t t = 0; t < k; ++t) {
            const double d = g[t * k + t];
            root[t] = d > 0.0 ? std::sqrt(d) : 0.0;
            inverse[t] = d > 0.0 ? 1.0 / d : 0.0;
        }
    }
};

// out = sum_r gram[t, r] w_r - b_t.
[[gnu::always_inline]] inline void slope_of(const Matrices &m, std::size_t t, const double *w,
                                            const double *b, double *out) {
    const double *row = m.gram + t * m.k;
    for (std::size_t l = 0; l < lanes; ++l) out[l] = -b[t * lanes + l];
    for (std::size_t r = 0; r < m.k; ++r) {
        const double g = row[r], *wr = w + r * lanes;
#pragma omp simd
        for (std::size_t l = 0; l < lanes; ++l) out[l] += g * wr[l];
    }
}

// Passes over the entries of the rows that are live; those that rest are live no longer.
MARGIN_CLONES void descend(const Matrices &m, const double *b, double *w, double *live, int most) {
    for (int pass = 0; pass < most; ++pass) {
        double moved[lanes] = {}, size[lanes] = {}, any = 0.0;
        for (std::size_t t = 0; t < m.k; ++t) {
            double slope[lanes], *wt = w + t * lanes;
            slope_of(m, t, w, b, slope);
            const double step = m.inverse[t], unit = m.root[t];
#pragma omp simd
            for (std::size_t l = 0; l < lanes; ++l) {
                const double raw = wt[l] - slope[l] * step, next = raw > 0.0 ? raw : 0.0;
                const double change = std::abs(next - wt[l]) * unit, big = next * unit;
                moved[l] = change > moved[l] ? change : moved[l];
                size[l] = big > size[l] ? big : size[l];
                wt[l] = live[l] > 0.0 ? next : wt[l];
            }
        }
        for (std::size_t l = 0; l < lanes; ++l) {
            if (!(moved[l] > still * size[l])) live[l] = 0.0;
            any += live[l];
        }
        if (any == 0.0) return;
    }
}

// The least squares of the entries above zero by Cholesky, written where they are optimal.
MARGIN_CLONES void settle(const Matrices &m, const double *b, double *w, double *live, double *L,
                          double *x) {
    const std::size_t k = m.k;
    double *inverse = x + k * lanes;
    for (std::size_t j = 0; j < k; ++j)
        for (std::size_t i = j; i < k; ++i) {
            const double g = m.gram[i * k + j], *wi = w + i * lanes, *wj = w + j * lanes;
            double sum[lanes];
            for (std::size_t l = 0; l < lanes; ++l)
                sum[l] = wi[l] > 0.0 && wj[l] > 0.0 ? g : (i == j ? 1.0 : 0.0);
            const double *Li = L + i * k * lanes, *Lj = L + j * k * lanes;
            for (std::size_t r = 0; r < j * lanes; r += lanes)
#pragma omp simd
                for (std::size_t l = 0; l < lanes; ++l) sum[l] -= Li[r + l] * Lj[r + l];
            for (std::size_t l = 0; l < lanes; ++l)
                if (i == j)
                    inverse[j * lanes + l] = 1.0 / std::sqrt(sum[l]);
                else
                    L[(i * k + j) * lanes + l] = sum[l] * inverse[j * lanes + l];
        }
    for (std::size_t i = 0; i < k; ++i)
        for (std::size_t l = 0; l < lanes; ++l) {
            double sum = w[i * lanes + l] > 0.0 ? b[i * lanes + l] : 0.0;
            for (std::size_t r = 0; r < i; ++r)
                sum -= L[(i * k + r) * lanes + l] * x[r * lanes + l];
            x[i * lanes + l] = sum * inverse[i * lanes + l];
        }
    for (std::size_t i = k; i-- > 0;)
        for (std::size_t l = 0; l < lanes; ++l) {
            double sum = x[i * lanes + l];
            for (std::size_t r = i + 1; r < k; ++r)
                sum -= L[(r * k + i) * lanes + l] * x[r * lanes + l];
            x[i * lanes + l] = sum * inverse[i * lanes + l];
        }
    double good[lanes], largest[lanes] = {}, size[lanes] = {};
    for (std::size_t i = 0; i < k * lanes; ++i) {
        largest[i % lanes] = std::max(largest[i % lanes], std::abs(b[i]));
        size[i % lanes] = std::max(size[i % lanes], std::abs(x[i]));
    }
    for (std::size_t l = 0; l < lanes; ++l) good[l] = live[l];
    for (std::size_t i = 0; i < k * lanes; ++i) {
        const std::size_t l = i % lanes;
        if (!(x[i] >= -still * size[l])) good[l] = 0.0;  // NaN of a singular part as well
        x[i] = x[i] > 0.0 && w[i] > 0.0 ? x[i] : 0.0;
    }
    for (std::size_t t = 0; t < k; ++t) {
        double slope[lanes];
        slope_of(m, t, x, b, slope);
        for (std::size_t l = 0; l < lanes; ++l)
            if (!(w[t * lanes + l] > 0.0) && !(slope[l] >= -room * (1.0 + largest[l])))
                good[l] = 0.0;
    }
    for (std::size_t i = 0; i < k * lanes; ++i)
        if (good[i % lanes] > 0.0) w[i] = x[i];
    for (std::size_t l = 0; l < lanes; ++l)
        if (good[l] > 0.0) live[l] = 0.0;
}

class Worker {
  public:
    Worker(const Matrices &m, const double *product, std::size_t n, double *W, bool *done)
        : m_(m), product_(product), n_(n), W_(W), done_(done), b_(m.k * lanes), w_(m.k * lanes) {}

    void operator()(Index block) {
        const std::size_t k = m_.k, first = std::size_t(block) * lanes;
        const std::size_t count = std::min(lanes, n_ - first);
        double live[lanes] = {};
        std::fill(b_.begin(), b_.end(), 0.0);
        for (std::size_t l = 0; l < count; ++l) {
            live[l] = 1.0;
            for (std::size_t t = 0; t < k; ++t) b_[t * lanes + l] = product_[(first + l) * k + t];
        }
        for (std::size_t t = 0; t < k; ++t)
            for (std::size_t l = 0; l < lanes; ++l)
                w_[t * lanes + l] = std::max(0.0, b_[t * lanes + l] * m_.inverse[t]);
        for (const int most : passes) {
            descend(m_, b_.data(), w_.data(), live, most);
            if (std::none_of(live, live + lanes, [](double v) { return v > 0.0; })) break;
            if (L_.empty()) {
                L_.resize(k * k * lanes);
                x_.resize(2 * k * lanes);
            }
            settle(m_, b_.data(), w_.data(), live, L_.data(), x_.data());
        }
        for (std::size_t l = 0; l < count; ++l) {
            done_[first + l] = !(live[l] > 0.0);
            for (std::size_t t = 0; t < k; ++t) W_[(first + l) * k + t] = w_[t * lanes + l];
        }
    }

  private:
    const Matrices &m_;
    const double *product_;
    std::size_t n_;
    double *W_;
    bool *done_;
    std::vector<double> b_, w_, L_, x_;
};

void nonnegative_rows(Matrix<double> W, Matrix<const double> gram, Matrix<const double> product,
                      Vector<bool> done, int n_threads) {
    const std::size_t n = W.shape(0), k = W.shape(1);
    if (gram.shape(0) != k || gram.shape(1) != k)
        throw std::invalid_argument("nonnegative_rows: gram must be square, of the columns of W");
    if (product.shape(0) != n || product.shape(1) != k || done.size() != n)
        throw std::invalid_argument("nonnegative_rows: arrays of different shape");
    const double *b = product.data();
    double *w = W.data();
    bool *finished = done.data();
    const double *g = gram.data();
    nb::gil_scoped_release release;
    const Matrices matrices(g, k);
    const double work = 8.0 * static_cast<double>(n) * static_cast<double>(k * k);
    team::run(n_threads, work, static_cast<Index>((n + lanes - 1) / lanes),
              [&] { return Worker(matrices, b, n, w, finished); });
}

}  // namespace

void bind_nonnegative_rows(nb::module_ &m) {
    m.def("nonnegative_rows", &nonnegative_rows, fixed("W"), fixed("gram"), fixed("product"),
          fixed("done"), nb::arg("n_threads"));
}

}  // namespace margin
