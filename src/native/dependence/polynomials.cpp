// Chebyshev polynomials of a column.
#include <algorithm>
#include <cstddef>
#include <stdexcept>

#include "common/bind.hpp"
#include "common/native.hpp"
#include "common/team.hpp"
#include "dependence/bindings.hpp"

namespace margin {
namespace {

constexpr std::size_t width = 512;  // rows at a time, of which two polynomials stay near

// T_{k+1} = 2 t T_k - T_{k-1}, for rows [first, last) of n.
MARGIN_CLONES void polynomials(const double *t, Index n, Index count, Index first, Index last,
                               double *out) {
    if (count > 0) std::fill(out + first, out + last, 1.0);
    if (count > 1) std::copy(t + first, t + last, out + n + first);
    for (Index k = 2; k < count; ++k) {
        const double *before = out + (k - 2) * n, *here = before + n;
        double *next = out + k * n;
#pragma omp simd
        for (Index r = first; r < last; ++r) next[r] = 2.0 * t[r] * here[r] - before[r];
    }
}

// out[k, r] = T_k(t_r).
void chebyshev_rows(Vector<const double> t, Matrix<double> out, int n_threads) {
    const Index count = static_cast<Index>(out.shape(0)), n = static_cast<Index>(out.shape(1));
    if (t.size() != out.shape(1))
        throw std::invalid_argument("chebyshev_rows: arrays of different shape");
    const double *tp = t.data();
    double *o = out.data();
    nb::gil_scoped_release release;
    team::each_block(n_threads, 2.0 * double(n) * double(count), t.size(), width,
                     [&](std::size_t first, std::size_t last) {
                         polynomials(tp, n, count, Index(first), Index(last), o);
                     });
}

}  // namespace

void bind_chebyshev_rows(nb::module_ &m) {
    m.def("chebyshev_rows", &chebyshev_rows, fixed("t"), fixed("out"), nb::arg("n_threads"));
}

}  // namespace margin
