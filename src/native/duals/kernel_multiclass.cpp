// Duals of multi-class machines with kernels: passes over the rows, all multipliers of a row at
// once. b[i, k] are the coefficients of row i in the function of class k, f[i, k] the scores.
#include <nanobind/nanobind.h>
#include <nanobind/ndarray.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <stdexcept>
#include <vector>

#include "common/bind.hpp"
#include "common/native.hpp"
#include "duals/crammer_singer.hpp"

namespace margin {
namespace {

// Weston and Watkins: -b_k in [0, cap] for every rival, b of the own class their sum; one rival
// after the other, a few times, with the scores of the row kept up to date in v.
void weston_watkins(double a, double cap, std::size_t own, std::size_t K, const double *f,
                    double *b, double *v) {
    std::copy(f, f + K, v);
    for (int sweep = 0; sweep < 5; ++sweep) {
        double largest = 0.0;
        for (std::size_t k = 0; k < K; ++k) {
            if (k == own) continue;
            const double old = -b[k];
            const double fresh = std::clamp(old - (v[own] - v[k] - 2.0) / (2.0 * a), 0.0, cap);
            const double moved = fresh - old;
            b[k] = -fresh;
            b[own] += moved;
            v[own] += a * moved;
            v[k] -= a * moved;
            largest = std::max(largest, moved < 0 ? -moved : moved);
        }
        if (largest <= 1e-3 * cap) break;
    }
}

MARGIN_CLONES void add_row(const double *row, const double *delta, double *f, std::size_t n,
                           std::size_t K) {
    for (std::size_t j = 0; j < n; ++j) {
        const double k = row[j];
        double *at = f + j * K;
        for (std::size_t c = 0; c < K; ++c) at[c] += k * delta[c];
    }
}

using Doubles = Vector<const double>;
using Integers = Vector<const std::int64_t>;

void multiclass_pass(int kind, Matrix<const double> gram, Integers order, Integers codes,
                     Doubles cap, double pace, Matrix<double> b, Matrix<double> f,
                     Vector<double> bias) {
    const std::size_t n = gram.shape(0), K = b.shape(1);
    if (gram.shape(1) != n || codes.size() != n || cap.size() != n || b.shape(0) != n ||
        f.shape(0) != n || f.shape(1) != K || bias.size() != K || !(pace >= 0))
        throw std::invalid_argument("multiclass_pass: arrays of different shape");
    for (std::size_t i = 0; i < n; ++i)
        if (codes.data()[i] < 0 || static_cast<std::size_t>(codes.data()[i]) >= K)
            throw std::invalid_argument("multiclass_pass: class out of range");
    for (std::size_t k = 0; k < order.size(); ++k)
        if (order.data()[k] < 0 || static_cast<std::size_t>(order.data()[k]) >= n)
            throw std::invalid_argument("multiclass_pass: row out of range");
    const double *G = gram.data();
    double *B = b.data(), *F = f.data(), *shift = bias.data();
    nb::gil_scoped_release release;
    std::vector<double> work(K), scores(K), old(K);
    for (std::size_t at = 0; at < order.size(); ++at) {
        const std::size_t i = order.data()[at], own = codes.data()[i];
        const double a = G[i * n + i] + pace, most = cap.data()[i];
        if (!(a > 0) || !(most > 0)) continue;
        double *row = B + i * K;
        std::copy(row, row + K, old.begin());
        for (std::size_t k = 0; k < K; ++k) scores[k] = F[i * K + k] + shift[k];
        (kind == 0 ? crammer_singer : weston_watkins)(a, most, own, K, scores.data(), row,
                                                      work.data());
        double size = 0.0;
        for (std::size_t k = 0; k < K; ++k) {
            old[k] = row[k] - old[k];
            shift[k] += pace * old[k];
            size = std::max(size, old[k] < 0 ? -old[k] : old[k]);
        }
        if (size > 1e-14 * most) add_row(G + i * n, old.data(), F, n, K);
    }
}

}  // namespace

void bind_multiclass_dual(nb::module_ &m) {
    m.def("multiclass_pass", &multiclass_pass, nb::arg("kind"), fixed("gram"), fixed("order"),
          fixed("codes"), fixed("cap"), nb::arg("pace"), fixed("b"), fixed("f"), fixed("bias"));
}

}  // namespace margin
