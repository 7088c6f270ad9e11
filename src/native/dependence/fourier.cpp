// Random Fourier features: cosines of products of rows with frequencies.
#include <algorithm>
#include <cmath>
#include <cstddef>
#include <stdexcept>

#include "common/bind.hpp"
#include "common/native.hpp"
#include "common/team.hpp"
#include "dependence/bindings.hpp"

namespace margin {
namespace {

constexpr Index width = 512;  // rows at a time, of which the turns stay near
constexpr double cosine_work = 10.0;

// cos(2 pi t), to a few units in the last place of one. The nearest turn is taken off exactly, and
// the rest is the sine of what is missing to a quarter of a turn.
[[gnu::always_inline]] inline double cosine_of_turns(double t) {
    constexpr double tau = 6.283185307179586476925;
    constexpr double round_bias = 6755399441055744.0;  // 1.5 * 2^52: adding it rounds
    const double nearest = std::fabs(t) < 0x1p51 ? (t + round_bias) - round_bias : t;
    const double x = tau * (0.25 - std::fabs(t - nearest)), q = x * x;
    double s = -1.0 / 121645100408832000.0;
    s = s * q + 1.0 / 355687428096000.0;
    s = s * q - 1.0 / 1307674368000.0;
    s = s * q + 1.0 / 6227020800.0;
    s = s * q - 1.0 / 39916800.0;
    s = s * q + 1.0 / 362880.0;
    s = s * q - 1.0 / 5040.0;
    s = s * q + 1.0 / 120.0;
    s = s * q - 1.0 / 6.0;
    return x + x * q * s;
}

struct Waves {
    const double *turns, *phase, *origin;
    Index count, n_columns;
};

// out[f, r] = cos(2 pi (phase_f + sum_k turns[f, k] columns[k, r])) - origin_f for rows
// [first, last) of n.
MARGIN_CLONES void features(const double *columns, Index n, const Waves &waves, Index first,
                            Index last, double *out) {
    double sums[width];
    const Index m = last - first;
    for (Index f = 0; f < waves.count; ++f) {
        std::fill_n(sums, m, waves.phase[f]);
        for (Index k = 0; k < waves.n_columns; ++k) {
            const double *column = columns + k * n + first;
            const double factor = waves.turns[f * waves.n_columns + k];
#pragma omp simd
            for (Index r = 0; r < m; ++r) sums[r] += factor * column[r];
        }
        double *target = out + f * n + first;
        const double start = waves.origin[f];
#pragma omp simd
        for (Index r = 0; r < m; ++r) target[r] = cosine_of_turns(sums[r]) - start;
    }
}

void fourier_features(Matrix<const double> columns, Matrix<const double> turns,
                      Vector<const double> phase, Vector<const double> origin, Matrix<double> out,
                      int n_threads) {
    const Index p = static_cast<Index>(columns.shape(0)), n = static_cast<Index>(columns.shape(1));
    const Index count = static_cast<Index>(turns.shape(0));
    if (turns.shape(1) != columns.shape(0) || phase.size() != turns.shape(0) ||
        origin.size() != turns.shape(0) || out.shape(0) != turns.shape(0) ||
        out.shape(1) != columns.shape(1))
        throw std::invalid_argument("fourier_features: arrays of different shape");
    const Waves waves{turns.data(), phase.data(), origin.data(), count, p};
    const double *x = columns.data();
    double *o = out.data();
    nb::gil_scoped_release release;
    const double work = double(n) * double(count) * (cosine_work + double(p));
    team::each_block(n_threads, work, static_cast<std::size_t>(n), width,
                     [&](std::size_t first, std::size_t last) {
                         features(x, n, waves, Index(first), Index(last), o);
                     });
}

}  // namespace

void bind_fourier_features(nb::module_ &m) {
    m.def("fourier_features", &fourier_features, fixed("columns"), fixed("turns"), fixed("phase"),
          fixed("origin"), fixed("out"), nb::arg("n_threads"));
}

}  // namespace margin
