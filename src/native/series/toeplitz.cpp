// First columns of the inverses of symmetric Toeplitz matrices, by Durbin's recursion.
#include <nanobind/nanobind.h>
#include <nanobind/ndarray.h>

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <limits>
#include <stdexcept>
#include <vector>

#include "common/bind.hpp"
#include "common/native.hpp"
#include "common/team.hpp"

namespace margin {
namespace {

constexpr std::size_t lanes = 8;

// f -= kappa g and g -= kappa f at once; returns the product of the new f with r.
MARGIN_CLONES double reflect(double *__restrict f, double *__restrict g, const double *__restrict r,
                             double kappa, std::size_t n) {
    double total[lanes] = {};
    std::size_t k = 0;
    for (; k + lanes <= n; k += lanes)
        for (std::size_t j = 0; j < lanes; ++j) {
            const double a = f[k + j], b = g[k + j];
            const double made = a - kappa * b;
            f[k + j] = made;
            g[k + j] = b - kappa * a;
            total[j] += made * r[k + j];
        }
    double rest = 0.0;
    for (; k < n; ++k) {
        const double a = f[k], b = g[k];
        f[k] = a - kappa * b;
        g[k] = b - kappa * a;
        rest += f[k] * r[k];
    }
    return ((total[0] + total[1]) + (total[2] + total[3])) +
           ((total[4] + total[5]) + (total[6] + total[7])) + rest;
}

struct Work {
    std::vector<double> forward, backward, reversed;
    explicit Work(std::size_t m) : forward(m), backward(m), reversed(m) {}
};

// Writes the column and the logarithm of the determinant; gives the smallest prediction error, at
// which it stops if that is not above `least`.
double durbin(const double *r, std::size_t m, double least, double *column, double &log_det,
              Work &work) {
    std::reverse_copy(r, r + m, work.reversed.begin());
    double *f = work.forward.data(), *g = work.backward.data() + (m - 1);
    double error = r[0], smallest = r[0], product = 0.0;
    log_det = 0.0;
    for (std::size_t j = 0;; ++j) {
        smallest = std::min(smallest, error);
        if (!(error > least)) return error;
        log_det += std::log(error);
        if (j + 1 == m) break;
        const double kappa = (r[j + 1] - product) / error;
        // The next step needs sum_k a_k r[j + 1 - k], which is contiguous in the reversed lags.
        const double *lags = work.reversed.data() + (m - 2 - j);
        product = reflect(f, g, lags, kappa, j);
        f[j] = kappa;
        *--g = kappa;
        product += kappa * lags[j];
        error *= (1.0 - kappa) * (1.0 + kappa);
    }
    column[0] = 1.0 / error;
    for (std::size_t k = 0; k + 1 < m; ++k) column[k + 1] = -f[k] / error;
    return smallest;
}

void toeplitz_inverse(Matrix<const double> rows, Vector<const double> least, Matrix<double> columns,
                      Vector<double> log_det, Vector<double> smallest, int n_threads) {
    const std::size_t n = rows.shape(0), m = rows.shape(1);
    if (m == 0 || least.size() != n || columns.shape(0) != n || columns.shape(1) != m ||
        log_det.size() != n || smallest.size() != n)
        throw std::invalid_argument("toeplitz_inverse: arrays of different shape");
    const double *rp = rows.data(), *lp = least.data();
    double *cp = columns.data(), *dp = log_det.data(), *sp = smallest.data();

    nb::gil_scoped_release release;
    const double updates = double(n) * double(m) * double(m) / 2;
    team::run(n_threads, updates, n, [&] {
        return [&, work = Work(m)](Index i) mutable {
            sp[i] = durbin(rp + i * m, m, lp[i], cp + i * m, dp[i], work);
        };
    });
}

}  // namespace

void bind_toeplitz(nb::module_ &m) {
    m.def("toeplitz_inverse", &toeplitz_inverse, fixed("rows"), fixed("least"), fixed("columns"),
          fixed("log_det"), fixed("smallest"), nb::arg("n_threads"));
}

}  // namespace margin
