// Orders of rows that depend on what the rows hold, not on where they are stored: a number per row
// from its contents, and shuffles of an index from a seed.
#include <algorithm>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <stdexcept>

#include "common/native.hpp"
#include "common/team.hpp"
#include "rows/steps.hpp"

namespace margin {
namespace {

// The finaliser of splitmix64: every bit of the input changes half of the output.
[[gnu::always_inline]] inline std::uint64_t mixed(std::uint64_t h) {
    h = (h ^ (h >> 30)) * 0xbf58476d1ce4e5b9ULL;
    h = (h ^ (h >> 27)) * 0x94d049bb133111ebULL;
    return h ^ (h >> 31);
}

// Contribution of one entry; zero for zero, so that sparse and dense rows agree. Values count in
// single precision: rows that differ below it have the same key and are told apart by comparison.
[[gnu::always_inline]] inline std::uint64_t entry_key(std::size_t column, double value) {
    const std::uint32_t bits = std::bit_cast<std::uint32_t>(static_cast<float>(value));
    const std::uint64_t word =
        (column + 1) * 0x9e3779b97f4a7c15ULL + (static_cast<std::uint64_t>(bits) << 32 | bits);
    return value == 0.0 ? 0 : mixed(word);
}

template <typename T>
[[gnu::always_inline]] inline void dense_keys(const T *X, std::size_t first, std::size_t last,
                                              std::size_t p, std::uint64_t *key, double *square) {
    for (std::size_t i = first; i < last; ++i) {
        const T *x = X + i * p;
        std::uint64_t h = 0;
        double total = 0.0;
#pragma omp simd reduction(+ : h, total)
        for (std::size_t j = 0; j < p; ++j) {
            const double v = x[j];
            h += entry_key(j, v);
            total += v * v;
        }
        key[i] = mixed(h);
        square[i] = total;
    }
}

#define MARGIN_KEYS(name, T)                                                                       \
    MARGIN_CLONES void name(const T *X, std::size_t first, std::size_t last, std::size_t p,        \
                            std::uint64_t *key, double *square) {                                  \
        dense_keys(X, first, last, p, key, square);                                                \
    }                                                                                              \
    void run_keys(const T *X, std::size_t first, std::size_t last, std::size_t p,                  \
                  std::uint64_t *key, double *square) {                                            \
        name(X, first, last, p, key, square);                                                      \
    }
MARGIN_KEYS(keys_f64, double)
MARGIN_KEYS(keys_f32, float)
#undef MARGIN_KEYS

template <typename T>
void row_keys_dense(Matrix<const T> X, Vector<std::uint64_t> key, Vector<double> square,
                    int n_threads) {
    const std::size_t n = X.shape(0), p = X.shape(1);
    if (key.size() != n || square.size() != n)
        throw std::invalid_argument("row_keys: arrays of different shape");
    const T *xp = X.data();
    std::uint64_t *kp = key.data();
    double *sp = square.data();
    nb::gil_scoped_release release;
    const double work = 4.0 * double(n) * double(p);
    team::each_block(n_threads, work, n, 1024, [&](std::size_t first, std::size_t last) {
        run_keys(xp, first, last, p, kp, sp);
    });
}

template <typename T, typename I>
void row_keys_sparse(Vector<const I> indptr, Vector<const I> indices, Vector<const T> data,
                     Vector<std::uint64_t> key, Vector<double> square) {
    const CsrRows<T, I> rows = csr_rows_of<T, I>(indptr, indices, data);
    const std::size_t n = indptr.size() - 1;
    if (key.size() != n || square.size() != n)
        throw std::invalid_argument("row_keys: arrays of different shape");
    std::uint64_t *kp = key.data();
    double *sp = square.data();
    nb::gil_scoped_release release;
    for (std::size_t i = 0; i < n; ++i) {
        std::uint64_t h = 0;
        double total = 0.0;
        for (I at = rows.indptr[i]; at < rows.indptr[i + 1]; ++at) {
            const double v = rows.data[at];
            h += entry_key(static_cast<std::size_t>(rows.indices[at]), v);
            total += v * v;
        }
        kp[i] = mixed(h);
        sp[i] = total;
    }
}

// A counter-based generator; the product of the high halves is unbiased enough (to 2^-32 n) and
// needs no division.
struct Draws {
    std::uint64_t state;
    std::size_t below(std::size_t n) {
        state += 0x9e3779b97f4a7c15ULL;
        const std::uint64_t drawn = mixed(state);
        return n < (1ULL << 32) ? ((drawn >> 32) * n) >> 32 : drawn % n;
    }
};

template <typename Swap>
void fisher_yates(Draws &draws, std::size_t n, Swap swap) {
    for (std::size_t i = n; i > 1; --i) swap(i - 1, draws.below(i));
}

// Whole blocks change places, then the rows within each; a last, shorter block stays the last.
void shuffle_rows(Vector<std::int64_t> order, std::size_t block, std::uint64_t seed) {
    if (block == 0) throw std::invalid_argument("shuffle_rows: block must be at least 1");
    std::int64_t *op = order.data();
    const std::size_t n = order.size(), blocks = n / block;
    nb::gil_scoped_release release;
    Draws draws{mixed(seed + 0x9e3779b97f4a7c15ULL)};
    if (block < n)
        fisher_yates(draws, blocks, [&](std::size_t a, std::size_t b) {
            if (a != b) std::swap_ranges(op + a * block, op + (a + 1) * block, op + b * block);
        });
    if (block == 1) return;
    for (std::size_t at = 0; at < n; at += block)
        fisher_yates(draws, std::min(block, n - at),
                     [&](std::size_t a, std::size_t b) { std::swap(op[at + a], op[at + b]); });
}

}  // namespace

void bind_row_order(nb::module_ &m) {
    for_tables([&]<typename T>() {
        m.def("row_keys_dense", &row_keys_dense<T>, fixed("X"), fixed("key"), fixed("square"),
              nb::arg("n_threads"));
    });
    for_compressed([&]<typename T, typename I>() {
        m.def("row_keys_sparse", &row_keys_sparse<T, I>, fixed("indptr"), fixed("indices"),
              fixed("data"), fixed("key"), fixed("square"));
    });
    m.def("shuffle_rows", &shuffle_rows, fixed("order"), nb::arg("block"), nb::arg("seed"));
}

}  // namespace margin
