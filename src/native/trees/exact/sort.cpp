// Columns sorted once, before a tree grows on them.
#include <algorithm>
#include <array>
#include <bit>
#include <cstdint>
#include <stdexcept>
#include <vector>

#include "common/bind.hpp"
#include "common/interrupt.hpp"
#include "common/team.hpp"
#include "trees/bindings.hpp"
#include "trees/exact/table.hpp"

namespace margin {
namespace {

using namespace trees::exact;

// Bits of a float, changed so that they rise with it as an unsigned number; both zeros alike.
std::uint32_t rising_bits(float value) {
    const std::uint32_t bits = std::bit_cast<std::uint32_t>(value + 0.0F);
    return bits >> 31 ? ~bits : bits | 0x80000000U;
}

// By code, three passes of eleven bits; `spare` has the length of the entries.
void radix_sort(Entry *entries, Entry *spare, Index n) {
    constexpr int bits = 11, passes = 3;
    std::array<std::array<std::uint32_t, 1 << bits>, passes> counts{};
    for (Index i = 0; i < n; ++i)
        for (int k = 0; k < passes; ++k)
            ++counts[k][(entries[i] >> (32 + k * bits)) & ((1U << bits) - 1)];
    Entry *from = entries, *to = spare;
    for (int k = 0; k < passes; ++k) {
        auto &count = counts[k];
        const int shift = 32 + k * bits;
        const std::uint32_t first = (from[0] >> shift) & ((1U << bits) - 1);
        if (count[first] == static_cast<std::uint32_t>(n)) continue;
        std::uint32_t total = 0;
        for (std::uint32_t &c : count) total += std::exchange(c, total);
        for (Index i = 0; i < n; ++i)
            to[count[(from[i] >> shift) & ((1U << bits) - 1)]++] = from[i];
        std::swap(from, to);
    }
    if (from != entries) std::copy(from, from + n, entries);
}

// Rounding to single precision never turns the order around: only rows that it makes equal are
// sorted again. Then codes count the distinct values.
void order_doubles(const double *values, Entry *entries, Index n) {
    const auto value = [&](Entry e) { return values[row_of(e)]; };
    const auto below = [&](Entry a, Entry b) {
        return value(a) < value(b) || (value(a) == value(b) && row_of(a) < row_of(b));
    };
    for (Index i = 0; i < n;) {
        Index end = i + 1;
        bool mixed = false;
        for (; end < n && code_of(entries[end]) == code_of(entries[i]); ++end)
            mixed |= value(entries[end]) < value(entries[end - 1]);
        if (mixed && code_of(entries[i]) != missing_code)
            std::sort(entries + i, entries + end, below);
        i = end;
    }
    std::uint32_t code = 0;
    double last = n > 0 ? value(entries[0]) : 0.0;
    for (Index i = 0; i < n && code_of(entries[i]) != missing_code; ++i) {
        const double v = value(entries[i]);
        code += v != last;
        last = v;
        entries[i] = entry(code, row_of(entries[i]));
    }
}

template <typename T>
void sort_column(const T *values, Entry *entries, Entry *spare, Index n, bool categorical) {
    for (Index i = 0; i < n; ++i) {
        const T v = values[i];
        const std::uint32_t code = v != v        ? missing_code
                                   : categorical ? static_cast<std::uint32_t>(v)
                                                 : rising_bits(static_cast<float>(v));
        entries[i] = entry(code, static_cast<std::uint32_t>(i));
    }
    if (n > 1) radix_sort(entries, spare, n);
    if constexpr (sizeof(T) == 8)
        if (!categorical) order_doubles(values, entries, n);
}

// X has a column in each of its rows.
template <typename T>
void sort_columns(Matrix<const T> X, Vector<const std::uint8_t> categorical, Matrix<Entry> out,
                  int n_threads) {
    const Index p = X.shape(0), n = X.shape(1);
    if (out.shape(0) != X.shape(0) || out.shape(1) != X.shape(1) ||
        categorical.size() != X.shape(0))
        throw std::invalid_argument("sort_columns: arrays of different shape");
    if (n >= static_cast<Index>(missing_code))
        throw std::invalid_argument("sort_columns: more rows than 32 bits can number");
    const T *values = X.data();
    const std::uint8_t *kinds = categorical.data();
    Entry *entries = out.data();
    Interrupt interrupt;
    {
        nb::gil_scoped_release release;
        team::run(n_threads, 20.0 * double(n) * double(p), p, [&] {
            return [&, spare = std::vector<Entry>(n)](Index j) mutable {
                if (interrupt.poll()) return;
                sort_column(values + j * n, entries + j * n, spare.data(), n, kinds[j] != 0);
            };
        });
    }
    interrupt.rethrow();
}

}  // namespace

void bind_exact_sort(nb::module_ &m) {
    for_tables([&]<typename T>() {
        m.def("sort_columns", &sort_columns<T>, fixed("X"), fixed("categorical"), fixed("out"),
              nb::arg("n_threads"));
    });
}

}  // namespace margin
