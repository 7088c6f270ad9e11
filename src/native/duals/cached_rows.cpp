// Rows of a kernel matrix kept by a decomposition method: scores f = K b, and parts of them.
#include <nanobind/nanobind.h>
#include <nanobind/ndarray.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <stdexcept>
#include <vector>

#include "common/bind.hpp"
#include "common/native.hpp"
#include "common/team.hpp"

namespace margin {
namespace {

// f[k] += sum_r delta[r] rows[r][k] for k in a tile that stays in cache.
template <typename T>
[[gnu::always_inline]] inline void accumulate(const T *const *rows, const double *delta,
                                              std::size_t count, double *f, std::size_t from,
                                              std::size_t to) {
    std::size_t r = 0;
    for (; r + 4 <= count; r += 4) {
        const T *a = rows[r], *b = rows[r + 1], *c = rows[r + 2], *d = rows[r + 3];
        const double p = delta[r], q = delta[r + 1], s = delta[r + 2], t = delta[r + 3];
#pragma omp simd
        for (std::size_t k = from; k < to; ++k)
            f[k] += (p * a[k] + q * b[k]) + (s * c[k] + t * d[k]);
    }
    for (; r < count; ++r) {
        const T *a = rows[r];
        const double p = delta[r];
#pragma omp simd
        for (std::size_t k = from; k < to; ++k) f[k] += p * a[k];
    }
}

MARGIN_CLONES void accumulate_f32(const float *const *rows, const double *delta, std::size_t count,
                                  double *f, std::size_t from, std::size_t to) {
    accumulate(rows, delta, count, f, from, to);
}
MARGIN_CLONES void accumulate_f64(const double *const *rows, const double *delta, std::size_t count,
                                  double *f, std::size_t from, std::size_t to) {
    accumulate(rows, delta, count, f, from, to);
}

constexpr std::size_t tile = 1024;
constexpr double cache_work = 4.0;     // a number of rows spread over memory, in numbers read
constexpr double scattered_work = 16;  // a number from any place of such a row

template <typename T>
std::vector<T *> row_pointers(const Matrix<T> &cache, const Vector<const std::int64_t> &slots,
                              const char *name) {
    std::vector<T *> rows(slots.size());
    for (std::size_t r = 0; r < rows.size(); ++r) {
        const std::int64_t slot = slots.data()[r];
        if (slot < 0 || static_cast<std::size_t>(slot) >= cache.shape(0))
            throw std::out_of_range(name);
        rows[r] = cache.data() + static_cast<std::size_t>(slot) * cache.shape(1);
    }
    return rows;
}

template <typename T>
void smo_scores(Matrix<const T> cache, Vector<const std::int64_t> slots, Vector<const double> delta,
                Vector<double> f, int n_threads) {
    const std::size_t n = f.size(), count = slots.size();
    if (delta.size() != count || cache.shape(1) < n)
        throw std::invalid_argument("smo_scores: arrays of different shape");
    const std::vector<const T *> rows = row_pointers(cache, slots, "smo_scores: slot out of range");
    const double *d = delta.data();
    double *out = f.data();
    nb::gil_scoped_release release;
    const double work = cache_work * double(n) * double(count);
    team::each_block(n_threads, work, n, tile, [&](std::size_t from, std::size_t to) {
        if constexpr (sizeof(T) == 4)
            accumulate_f32(rows.data(), d, count, out, from, to);
        else
            accumulate_f64(rows.data(), d, count, out, from, to);
    });
}

// out[r, c] = cache[slots[r], columns[c]].
template <typename T>
void smo_gather(Matrix<const T> cache, Vector<const std::int64_t> slots,
                Vector<const std::int64_t> columns, Matrix<T> out, int n_threads) {
    const std::size_t m = slots.size(), n = columns.size();
    if (out.shape(0) != m || out.shape(1) != n)
        throw std::invalid_argument("smo_gather: arrays of different shape");
    const std::vector<const T *> rows = row_pointers(cache, slots, "smo_gather: slot out of range");
    const std::int64_t *c = columns.data();
    for (std::size_t k = 0; k < n; ++k)
        if (c[k] < 0 || static_cast<std::size_t>(c[k]) >= cache.shape(1))
            throw std::out_of_range("smo_gather: column out of range");
    T *o = out.data();
    nb::gil_scoped_release release;
    const double work = scattered_work * double(m) * double(n);
    team::each(n_threads, work, m, [&](Index r) {
        const T *row = rows[r];
        T *line = o + static_cast<std::size_t>(r) * n;
        for (std::size_t k = 0; k < n; ++k) line[k] = row[c[k]];
    });
}

// cache[slots[r]] = rows[r]; the threads also bring in the pages of a new cache.
template <typename T>
void smo_keep(Matrix<const T> rows, Vector<const std::int64_t> slots, Matrix<T> cache,
              int n_threads) {
    const std::size_t m = slots.size(), n = cache.shape(1);
    if (rows.shape(0) != m || rows.shape(1) != n)
        throw std::invalid_argument("smo_keep: arrays of different shape");
    const std::vector<T *> kept = row_pointers(cache, slots, "smo_keep: slot out of range");
    const T *r = rows.data();
    nb::gil_scoped_release release;
    team::each(n_threads, cache_work * double(m) * double(n), m,
               [&](Index i) { std::copy_n(r + static_cast<std::size_t>(i) * n, n, kept[i]); });
}

}  // namespace

void bind_cached_rows(nb::module_ &m) {
    for_tables([&]<typename T>() {
        m.def("smo_scores", &smo_scores<T>, fixed("cache"), fixed("slots"), fixed("delta"),
              fixed("f"), nb::arg("n_threads"));
        m.def("smo_gather", &smo_gather<T>, fixed("cache"), fixed("slots"), fixed("columns"),
              fixed("out"), nb::arg("n_threads"));
        m.def("smo_keep", &smo_keep<T>, fixed("rows"), fixed("slots"), fixed("cache"),
              nb::arg("n_threads"));
    });
}

}  // namespace margin
