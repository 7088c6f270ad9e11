// Kalman filter and smoother over many sequences at once.
#include <nanobind/nanobind.h>
#include <nanobind/ndarray.h>

#include <cstdint>
#include <optional>
#include <stdexcept>
#include <string>

#include "common/bind.hpp"
#include "common/native.hpp"
#include "common/team.hpp"
#include "filters/backward.hpp"
#include "filters/bindings.hpp"
#include "filters/forward.hpp"

namespace margin {
namespace {

using namespace filters;

using Cube = nb::ndarray<const double, nb::ndim<3>, nb::c_contig, nb::device::cpu>;
using Flat = Vector<const double>;
using Rows = Matrix<const double>;
using Room = nb::ndarray<double, nb::ndim<3>, nb::c_contig, nb::device::cpu>;

// A matrix for every row of the data, or one for all.
Table table(Cube given, std::size_t rows, std::size_t a, std::size_t b, const char *name) {
    if ((given.shape(0) != rows && given.shape(0) != 1) || given.shape(1) != a ||
        given.shape(2) != b)
        throw std::invalid_argument(std::string("kalman: shape of ") + name);
    return {given.data(), given.shape(0) == 1 ? 0 : a * b};
}

Table table(Rows given, std::size_t rows, std::size_t a, const char *name) {
    if ((given.shape(0) != rows && given.shape(0) != 1) || given.shape(1) != a)
        throw std::invalid_argument(std::string("kalman: shape of ") + name);
    return {given.data(), given.shape(0) == 1 ? 0 : a};
}

struct Problem {
    System system;
    const double *Y;
    const std::int64_t *offsets;
    std::size_t sequences, n_diffuse;

    std::size_t length(std::size_t i) const {
        return static_cast<std::size_t>(offsets[i + 1] - offsets[i]);
    }
    double work() const {
        const double n = double(system.n), rows = double(offsets[sequences]);
        return rows * n * (n + double(system.m)) * 4.0;
    }
};

// The arrays as they come from Python.
struct Given {
    Rows Y;
    Vector<const std::int64_t> offsets;
    Cube A, Q, C, R;
    Rows b, d;
    Flat mean;
    Rows cov;
    std::optional<Rows> diffuse;
    std::size_t n_diffuse;
};

Problem problem(const Given &given) {
    const auto &[Y, offsets, A, Q, C, R, b, d, mean, cov, diffuse, n_diffuse] = given;
    const std::size_t rows = Y.shape(0), m = Y.shape(1), n = mean.shape(0);
    Problem made;
    made.system.n = n, made.system.m = m;
    made.system.A = table(A, rows, n, n, "A"), made.system.Q = table(Q, rows, n, n, "Q");
    made.system.C = table(C, rows, m, n, "C"), made.system.R = table(R, rows, m, m, "R");
    made.system.b = table(b, rows, n, "b"), made.system.d = table(d, rows, m, "d");
    if (n < 1 || m < 1 || cov.shape(0) != n || cov.shape(1) != n)
        throw std::invalid_argument("kalman: shape of cov");
    made.system.mean = mean.data(), made.system.cov = cov.data();
    if (diffuse) {
        if (diffuse->shape(0) != n || diffuse->shape(1) != n)
            throw std::invalid_argument("kalman: shape of diffuse");
        made.system.diffuse = diffuse->data();
    }
    made.Y = Y.data(), made.offsets = offsets.data(), made.n_diffuse = n_diffuse;
    if (offsets.shape(0) < 1 || offsets.data()[0] != 0 ||
        offsets.data()[offsets.shape(0) - 1] != static_cast<std::int64_t>(rows))
        throw std::invalid_argument("kalman: offsets must start at 0 and end at the rows of Y");
    made.sequences = offsets.shape(0) - 1;
    for (std::size_t i = 0; i < made.sequences; ++i)
        if (made.offsets[i + 1] < made.offsets[i])
            throw std::invalid_argument("kalman: offsets must not fall");
    return made;
}

double *data(std::optional<Matrix<double>> &given, std::size_t rows, std::size_t cols) {
    if (!given) return nullptr;
    if (given->shape(0) != rows || given->shape(1) != cols)
        throw std::invalid_argument("kalman: shape of an output");
    return given->data();
}

double *data(std::optional<Room> &given, std::size_t rows, std::size_t n) {
    if (!given) return nullptr;
    if (given->shape(0) != rows || given->shape(1) != n || given->shape(2) != n)
        throw std::invalid_argument("kalman: shape of an output");
    return given->data();
}

double *from(double *start, std::size_t row, std::size_t size) {
    return start ? start + row * size : nullptr;
}

void filter(Rows Y, Vector<const std::int64_t> offsets, Cube A, Cube Q, Cube C, Cube R, Rows b,
            Rows d, Flat mean, Rows cov, std::optional<Rows> diffuse, std::size_t n_diffuse,
            Vector<double> log_prob, std::optional<Matrix<double>> before_mean,
            std::optional<Room> before_cov, std::optional<Matrix<double>> after_mean,
            std::optional<Room> after_cov, int n_threads) {
    const Problem p = problem({Y, offsets, A, Q, C, R, b, d, mean, cov, diffuse, n_diffuse});
    const std::size_t n = p.system.n, rows = Y.shape(0);
    if (log_prob.shape(0) != p.sequences) throw std::invalid_argument("kalman: shape of an output");
    double *bm = data(before_mean, rows, n), *bc = data(before_cov, rows, n);
    double *am = data(after_mean, rows, n), *ac = data(after_cov, rows, n);
    double *lp = log_prob.data();
    nb::gil_scoped_release release;
    const bool keep = bm || bc || ac;
    team::run(n_threads, p.work(), Index(p.sequences), [&] {
        return [&, forward = Forward(p.system, p.n_diffuse)](Index i) mutable {
            const auto first = static_cast<std::size_t>(p.offsets[i]);
            const std::size_t T = p.length(i);
            lp[i] = forward.run(p.Y, first, T, keep, from(am, first, n));
            if (bm) std::copy_n(forward.before.begin(), T * n, bm + first * n);
            for (std::size_t t = 0; t < T && (bc || ac); ++t) {
                const Gain &gain = forward.gains[forward.gain_of[t]];
                if (bc) std::copy(gain.P.begin(), gain.P.end(), bc + (first + t) * n * n);
                if (ac) std::copy(gain.F.begin(), gain.F.end(), ac + (first + t) * n * n);
            }
        };
    });
}

// `sums`, one block of 4 n x n for each sequence: covariances of all states, of neighbours, of the
// first, of the last. `slopes`: by Q (n x n) and the diagonal of R (m) for each sequence.
void smooth(Rows Y, Vector<const std::int64_t> offsets, Cube A, Cube Q, Cube C, Cube R, Rows b,
            Rows d, Flat mean, Rows cov, std::optional<Rows> diffuse, std::size_t n_diffuse,
            Vector<double> log_prob, std::optional<Matrix<double>> smooth_mean,
            std::optional<Room> smooth_cov, std::optional<Room> cross,
            std::optional<Matrix<double>> sums, std::optional<Matrix<double>> slopes,
            int n_threads) {
    const Problem p = problem({Y, offsets, A, Q, C, R, b, d, mean, cov, diffuse, n_diffuse});
    const std::size_t n = p.system.n, m = p.system.m, rows = Y.shape(0), nn = n * n;
    if (log_prob.shape(0) != p.sequences) throw std::invalid_argument("kalman: shape of an output");
    double *sm = data(smooth_mean, rows, n), *sc = data(smooth_cov, rows, n);
    double *cr = data(cross, rows, n), *su = data(sums, p.sequences, 4 * nn);
    double *sl = data(slopes, p.sequences, nn + m), *lp = log_prob.data();
    nb::gil_scoped_release release;
    team::run(n_threads, 3.0 * p.work(), Index(p.sequences), [&] {
        return [&, forward = Forward(p.system, p.n_diffuse),
                backward = Backward(p.system)](Index i) mutable {
            const auto first = static_cast<std::size_t>(p.offsets[i]);
            const std::size_t T = p.length(i);
            lp[i] = forward.run(p.Y, first, T, true);
            Outputs out;
            out.mean = from(sm, first, n), out.cov = from(sc, first, nn);
            out.cross = from(cr, first, nn);
            if (su) {
                out.all = from(su, i, 4 * nn), out.cross_sum = out.all + nn;
                out.first = out.all + 2 * nn, out.last = out.all + 3 * nn;
            }
            if (sl) out.slope_q = from(sl, i, nn + m), out.slope_r = out.slope_q + nn;
            backward.run(forward, first, T, out);
        };
    });
}

}  // namespace

void bind_kalman(nb::module_ &m) {
    m.def("kalman_filter", &filter, fixed("Y"), fixed("offsets"), fixed("A"), fixed("Q"),
          fixed("C"), fixed("R"), fixed("b"), fixed("d"), fixed("mean"), fixed("cov"),
          maybe("diffuse"), nb::arg("n_diffuse"), fixed("log_prob"), maybe("before_mean"),
          maybe("before_cov"), maybe("after_mean"), maybe("after_cov"), nb::arg("n_threads"));
    m.def("kalman_smooth", &smooth, fixed("Y"), fixed("offsets"), fixed("A"), fixed("Q"),
          fixed("C"), fixed("R"), fixed("b"), fixed("d"), fixed("mean"), fixed("cov"),
          maybe("diffuse"), nb::arg("n_diffuse"), fixed("log_prob"), maybe("smooth_mean"),
          maybe("smooth_cov"), maybe("cross"), maybe("sums"), maybe("slopes"),
          nb::arg("n_threads"));
}

}  // namespace margin
