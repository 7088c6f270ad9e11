// Moments of the rows of each class: weights, sums and squares about a shift, in one pass.
#include <nanobind/nanobind.h>
#include <nanobind/ndarray.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <stdexcept>
#include <vector>

#include "common/bind.hpp"
#include "common/native.hpp"
#include "common/team.hpp"

namespace margin {
namespace {

// NaN means unobserved: such an entry adds to none of the three accumulators.
template <typename T>
[[gnu::always_inline]] inline void accumulate(const T *X, const std::int64_t *code,
                                              const double *weight, const double *shift,
                                              double *count, double *sum, double *square,
                                              std::size_t n, std::size_t p) {
    for (std::size_t i = 0; i < n; ++i, X += p) {
        const double s = weight ? weight[i] : 1.0;
        double *c = count + code[i] * p, *t = sum + code[i] * p, *q = square + code[i] * p;
#pragma omp simd
        for (std::size_t j = 0; j < p; ++j) {
            const double raw = X[j] - shift[j];
            const bool seen = raw == raw;
            const double v = seen ? raw : 0.0, w = seen ? s : 0.0;
            c[j] += w;
            t[j] += w * v;
            q[j] += w * v * v;
        }
    }
}

MARGIN_CLONES void accumulate_f64(const double *X, const std::int64_t *code, const double *weight,
                                  const double *shift, double *count, double *sum, double *square,
                                  std::size_t n, std::size_t p) {
    accumulate<double>(X, code, weight, shift, count, sum, square, n, p);
}

MARGIN_CLONES void accumulate_f32(const float *X, const std::int64_t *code, const double *weight,
                                  const double *shift, double *count, double *sum, double *square,
                                  std::size_t n, std::size_t p) {
    accumulate<float>(X, code, weight, shift, count, sum, square, n, p);
}

void run(const double *X, const std::int64_t *code, const double *weight, const double *shift,
         double *out, std::size_t size, std::size_t n, std::size_t p) {
    accumulate_f64(X, code, weight, shift, out, out + size, out + 2 * size, n, p);
}

void run(const float *X, const std::int64_t *code, const double *weight, const double *shift,
         double *out, std::size_t size, std::size_t n, std::size_t p) {
    accumulate_f32(X, code, weight, shift, out, out + size, out + 2 * size, n, p);
}

template <typename T>
void class_moments(Matrix<const T> X, Vector<const std::int64_t> code,
                   std::optional<Vector<const double>> weight, Vector<const double> shift,
                   nb::ndarray<double, nb::ndim<3>, nb::c_contig, nb::device::cpu> out,
                   int n_threads) {
    const std::size_t n = X.shape(0), p = X.shape(1), classes = out.shape(1);
    if (code.size() != n || shift.size() != p || out.shape(0) != 3 || out.shape(2) != p ||
        (weight && weight->size() != n))
        throw std::invalid_argument("class_moments: arrays of different shape");
    const std::int64_t *cp = code.data();
    for (std::size_t i = 0; i < n; ++i)
        if (cp[i] < 0 || cp[i] >= static_cast<std::int64_t>(classes))
            throw std::invalid_argument("class_moments: class code out of range");
    const T *xp = X.data();
    const double *sp = weight ? weight->data() : nullptr, *hp = shift.data();
    double *op = out.data();

    nb::gil_scoped_release release;
    // At most 32 fixed blocks, reduced in order: the same answer for any number of threads.
    const std::size_t size = classes * p, rows = std::max<std::size_t>(2048, (n + 31) / 32);
    const Index blocks = (n + rows - 1) / rows;
    std::vector<double> partial(static_cast<std::size_t>(blocks) * 3 * size, 0.0);
    team::each(n_threads, double(n) * double(p), blocks, [&](Index b) {
        const std::size_t at = b * rows;
        run(xp + at * p, cp + at, sp ? sp + at : nullptr, hp, partial.data() + b * 3 * size, size,
            std::min(rows, n - at), p);
    });
    std::fill(op, op + 3 * size, 0.0);
    for (Index b = 0; b < blocks; ++b)
        for (std::size_t j = 0; j < 3 * size; ++j) op[j] += partial[b * 3 * size + j];
}

}  // namespace

void bind_moments(nb::module_ &m) {
    for_tables([&]<typename T>() {
        m.def("class_moments", &class_moments<T>, fixed("X"), fixed("code"), maybe("weight"),
              fixed("shift"), fixed("out"), nb::arg("n_threads"));
    });
}

}  // namespace margin
