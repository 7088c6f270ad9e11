// Windows of k symbols as numbers, and the gappy subsequence kernel.
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
#include "kernels/pair_values.hpp"

namespace margin {
namespace {

// The different bytes numbered in their order; returns how many there are.
std::int64_t number_bytes(Vector<const std::uint8_t> bytes, Vector<std::int32_t> out) {
    const std::size_t n = bytes.size();
    if (out.size() != n) throw std::invalid_argument("number_bytes: arrays do not fit");
    nb::gil_scoped_release release;
    std::int32_t number[256] = {}, fresh = 0;
    for (std::size_t i = 0; i < n; ++i) number[bytes.data()[i]] = 1;
    for (std::int32_t &known : number) known = known ? fresh++ : 0;
    for (std::size_t i = 0; i < n; ++i) out.data()[i] = number[bytes.data()[i]];
    return fresh;
}

// Every window of k symbols, read as a number in the given base; rows shorter than k have none.
void window_keys(Vector<const std::int32_t> codes, Vector<const std::int64_t> offsets,
                 std::uint64_t base, std::int64_t k, Vector<std::uint64_t> out,
                 Vector<const std::int64_t> out_offsets) {
    check_starts(offsets, codes.size());
    check_starts(out_offsets, out.size());
    if (k < 1 || base < 1 || out_offsets.size() != offsets.size())
        throw std::invalid_argument("window_keys: arrays do not fit");
    std::uint64_t top = 1;  // base^(k - 1): what the oldest symbol of a window counts
    for (std::int64_t j = 0; j < k; ++j) {
        if (top > (std::uint64_t{1} << 63) / base)
            throw std::invalid_argument("window_keys: too many possible windows");
        if (j + 1 < k) top *= base;
    }
    const Index rows = Index(offsets.size()) - 1;
    for (Index r = 0; r < rows; ++r) {
        const std::int64_t length = offsets.data()[r + 1] - offsets.data()[r];
        if (out_offsets.data()[r + 1] - out_offsets.data()[r] !=
            std::max<std::int64_t>(0, length - k + 1))
            throw std::invalid_argument("window_keys: out does not fit");
    }
    for (std::size_t i = 0; i < codes.size(); ++i)
        if (codes.data()[i] < 0 || std::uint64_t(codes.data()[i]) >= base)
            throw std::invalid_argument("window_keys: symbol out of range");
    nb::gil_scoped_release release;
    for (Index r = 0; r < rows; ++r) {
        const std::int32_t *s = codes.data() + offsets.data()[r];
        const std::int64_t n = out_offsets.data()[r + 1] - out_offsets.data()[r];
        if (n == 0) continue;
        std::uint64_t *to = out.data() + out_offsets.data()[r], key = 0;
        for (std::int64_t j = 0; j < k - 1; ++j) key = key * base + std::uint64_t(s[j]);
        for (std::int64_t j = 0; j < n; ++j) {
            key = key * base + std::uint64_t(s[j + k - 1]);
            to[j] = key;
            key -= top * std::uint64_t(s[j]);
        }
    }
}

// The dynamic programme of Lodhi et al. over the symbols of s. `tail[j * n + i]` is the sum over
// common subsequences of length i of s so far and t[0..j), each weighted by decay to the power of
// its distance from the ends; `open[i]` collects those whose last symbol of s is the newest one.
template <bool with_slope>
struct Subsequences {
    Index n;
    double decay;
    std::vector<double> now, next, open, now_slope, next_slope, open_slope;

    Subsequences(Index length, double d, Index longest) : n(length), decay(d) {
        for (auto *v : {&now, &next}) v->resize(n * (longest + 1));
        open.resize(n);
        if (!with_slope) return;
        for (auto *v : {&now_slope, &next_slope}) v->resize(n * (longest + 1));
        open_slope.resize(n);
    }

    void start(Index columns) {
        std::fill_n(now.begin(), n * (columns + 1), 0.0);
        std::fill_n(next.begin(), n * (columns + 1), 0.0);
        for (Index j = 0; j <= columns; ++j) now[j * n] = next[j * n] = 1.0;
        if (!with_slope) return;
        std::fill_n(now_slope.begin(), n * (columns + 1), 0.0);
        std::fill_n(next_slope.begin(), n * (columns + 1), 0.0);
    }

    Value operator()(const std::int32_t *s, Index rows, const std::int32_t *t, Index columns) {
        Value sum;
        if (std::min(rows, columns) < n) return sum;
        start(columns);
        const double square = decay * decay;
        for (Index a = 0; a < rows; ++a) {
            std::fill(open.begin(), open.end(), 0.0);
            if (with_slope) std::fill(open_slope.begin(), open_slope.end(), 0.0);
            for (Index j = 0; j < columns; ++j) step(s[a] == t[j], j, square, sum);
            now.swap(next);
            if (with_slope) now_slope.swap(next_slope);
        }
        return sum;
    }

    void step(bool same, Index j, double square, Value &sum) {
        const double *old = &now[j * n], *before = &now[(j + 1) * n];
        double *to = &next[(j + 1) * n];
        if (with_slope) {
            const double *old_slope = &now_slope[j * n], *before_slope = &now_slope[(j + 1) * n];
            double *to_slope = &next_slope[(j + 1) * n];
            for (Index i = 1; i < n; ++i) {
                open_slope[i] = decay * (open_slope[i] + open[i]);
                if (same) open_slope[i] += square * (old_slope[i - 1] + 2.0 * old[i - 1]);
                to_slope[i] = decay * (before_slope[i] + before[i]) + open_slope[i];
            }
            if (same) sum.slope += square * (old_slope[n - 1] + 2.0 * old[n - 1]);
        }
        if (same) {
            sum.value += square * old[n - 1];
            for (Index i = 1; i < n; ++i) {
                open[i] = decay * open[i] + square * old[i - 1];
                to[i] = decay * before[i] + open[i];
            }
        } else {
            for (Index i = 1; i < n; ++i) {
                open[i] *= decay;
                to[i] = decay * before[i] + open[i];
            }
        }
    }
};

// Sums over common subsequences of the given length; slopes in the logarithm of the decay.
void subsequence_sums(Vector<const std::int32_t> left, Vector<const std::int64_t> left_offsets,
                      Vector<const std::int32_t> right, Vector<const std::int64_t> right_offsets,
                      std::int64_t length, double decay, int pairs, Matrix<double> values,
                      std::optional<Matrix<double>> slopes, int threads) {
    check_starts(left_offsets, left.size());
    check_starts(right_offsets, right.size());
    if (length < 1) throw std::invalid_argument("subsequence_sums: length must be at least 1");
    const PairOutput out(values, slopes, pairs, left_offsets.size() - 1, right_offsets.size() - 1);
    const std::int64_t *lo = left_offsets.data(), *ro = right_offsets.data();
    nb::gil_scoped_release release;
    Index longest = 0;
    for (Index j = 0; j < out.m; ++j) longest = std::max<Index>(longest, ro[j + 1] - ro[j]);
    // Every pair of symbols moves a state for each length.
    const double work = double(left.size()) * double(right.size()) * double(length + 2);
    const auto run = [&](auto programme) {
        each_pair(out, threads, work, [&] {
            return [&, programme](Index i, Index j) mutable {
                return programme(left.data() + lo[i], lo[i + 1] - lo[i], right.data() + ro[j],
                                 ro[j + 1] - ro[j]);
            };
        });
    };
    if (slopes)
        run(Subsequences<true>(length, decay, longest));
    else
        run(Subsequences<false>(length, decay, longest));
}

}  // namespace

void bind_string_kernels(nb::module_ &m) {
    m.def("number_bytes", &number_bytes, fixed("symbols"), fixed("out"));
    m.def("window_keys", &window_keys, fixed("codes"), fixed("offsets"), nb::arg("base"),
          nb::arg("k"), fixed("out"), fixed("out_offsets"));
    m.def("subsequence_sums", &subsequence_sums, fixed("left"), fixed("left_offsets"),
          fixed("right"), fixed("right_offsets"), nb::arg("length"), nb::arg("decay"),
          nb::arg("pairs"), fixed("values"), maybe("slopes"), nb::arg("n_threads"));
}

}  // namespace margin
