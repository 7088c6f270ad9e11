// Natural cubic smoothing spline in linear time: banded solve and diagonal of the hat matrix.
#include <nanobind/nanobind.h>
#include <nanobind/ndarray.h>

#include <cstddef>
#include <stdexcept>
#include <vector>

#include "common/bind.hpp"
#include "common/native.hpp"

namespace margin {
namespace {

// Symmetric five-diagonal matrix of size m, by rows: diagonal and the two bands above it.
struct Pentadiagonal {
    std::vector<double> main, near, far;
    explicit Pentadiagonal(std::size_t m) : main(m), near(m), far(m) {}

    // Replaces the matrix by its factors L D L^T: main holds D, near and far the bands of L.
    void factor() {
        const std::size_t m = main.size();
        for (std::size_t i = 0; i < m; ++i) {
            if (i >= 1) main[i] -= near[i - 1] * near[i - 1] * main[i - 1];
            if (i >= 2) main[i] -= far[i - 2] * far[i - 2] * main[i - 2];
            if (i >= 1 && i + 1 < m) near[i] -= near[i - 1] * far[i - 1] * main[i - 1];
            near[i] = i + 1 < m ? near[i] / main[i] : 0.0;
            far[i] = i + 2 < m ? far[i] / main[i] : 0.0;
        }
    }

    void solve(double *x) const {
        const std::size_t m = main.size();
        for (std::size_t i = 0; i < m; ++i) {
            if (i >= 1) x[i] -= near[i - 1] * x[i - 1];
            if (i >= 2) x[i] -= far[i - 2] * x[i - 2];
        }
        for (std::size_t i = m; i-- > 0;) {
            x[i] /= main[i];
            if (i + 1 < m) x[i] -= near[i] * x[i + 1];
            if (i + 2 < m) x[i] -= far[i] * x[i + 2];
        }
    }

    // Central five diagonals of the inverse, by backward recursion on the factors.
    Pentadiagonal inverse_bands() const {
        const std::size_t m = main.size();
        Pentadiagonal out(m);
        for (std::size_t i = m; i-- > 0;) {
            const double d1 = i + 1 < m ? out.main[i + 1] : 0.0;
            const double d2 = i + 2 < m ? out.main[i + 2] : 0.0;
            const double o1 = i + 2 < m ? out.near[i + 1] : 0.0;
            out.near[i] = -near[i] * d1 - far[i] * o1;
            out.far[i] = -near[i] * o1 - far[i] * d2;
            out.main[i] = 1.0 / main[i] - near[i] * out.near[i] - far[i] * out.far[i];
        }
        return out;
    }
};

// Column j of Q touches knots j, j + 1, j + 2: second differences scaled by the gaps.
struct Column {
    double a, b, c;
};

inline Column column(const double *gap, std::size_t j) {
    return {1.0 / gap[j], -1.0 / gap[j] - 1.0 / gap[j + 1], 1.0 / gap[j + 1]};
}

void smooth(const double *gap, const double *y, const double *w, double strength, double *fitted,
            double *bend, double *leverage, std::size_t n) {
    const std::size_t m = n - 2;
    Pentadiagonal B(m);
    for (std::size_t j = 0; j < m; ++j) {
        const Column q = column(gap, j);
        B.main[j] = (gap[j] + gap[j + 1]) / 3.0 +
                    strength * (q.a * q.a / w[j] + q.b * q.b / w[j + 1] + q.c * q.c / w[j + 2]);
        if (j + 1 < m) {
            const Column r = column(gap, j + 1);
            B.near[j] = gap[j + 1] / 6.0 + strength * (q.b * r.a / w[j + 1] + q.c * r.b / w[j + 2]);
        }
        if (j + 2 < m) B.far[j] = strength * q.c * column(gap, j + 2).a / w[j + 2];
        bend[j + 1] = q.a * y[j] + q.b * y[j + 1] + q.c * y[j + 2];
    }
    bend[0] = bend[n - 1] = 0.0;
    B.factor();
    B.solve(bend + 1);
    for (std::size_t i = 0; i < n; ++i) fitted[i] = y[i];
    for (std::size_t j = 0; j < m; ++j) {
        const Column q = column(gap, j);
        const double s = strength * bend[j + 1];
        fitted[j] -= s * q.a / w[j];
        fitted[j + 1] -= s * q.b / w[j + 1];
        fitted[j + 2] -= s * q.c / w[j + 2];
    }
    const Pentadiagonal inverse = B.inverse_bands();
    const auto entry = [&](std::size_t i, std::size_t j) {  // i <= j <= i + 2
        return j == i ? inverse.main[i] : (j == i + 1 ? inverse.near[i] : inverse.far[i]);
    };
    for (std::size_t i = 0; i < n; ++i) {
        double coefficient[3];
        std::size_t first = i >= 2 ? i - 2 : 0, count = 0;
        for (std::size_t j = first; j <= i && j < m; ++j) {
            const Column q = column(gap, j);
            coefficient[count++] = j == i ? q.a : (j + 1 == i ? q.b : q.c);
        }
        double total = 0.0;
        for (std::size_t s = 0; s < count; ++s)
            for (std::size_t t = s; t < count; ++t)
                total += (s == t ? 1.0 : 2.0) * coefficient[s] * coefficient[t] *
                         entry(first + s, first + t);
        leverage[i] = 1.0 - strength * total / w[i];
    }
}

void smoothing_spline(Vector<const double> gap, Vector<const double> y, Vector<const double> weight,
                      double strength, Vector<double> fitted, Vector<double> bend,
                      Vector<double> leverage) {
    const std::size_t n = y.size();
    if (n < 3) throw std::invalid_argument("smoothing_spline: at least 3 knots are needed");
    if (gap.size() + 1 != n || weight.size() != n || fitted.size() != n || bend.size() != n ||
        leverage.size() != n)
        throw std::invalid_argument("smoothing_spline: arrays of different length");
    const double *gp = gap.data(), *yp = y.data(), *wp = weight.data();
    double *fp = fitted.data(), *bp = bend.data(), *lp = leverage.data();
    nb::gil_scoped_release release;
    smooth(gp, yp, wp, strength, fp, bp, lp, n);
}

}  // namespace

void bind_spline(nb::module_ &m) {
    m.def("smoothing_spline", &smoothing_spline, fixed("gap"), fixed("y"), fixed("weight"),
          nb::arg("strength"), fixed("fitted"), fixed("bend"), fixed("leverage"));
}

}  // namespace margin
