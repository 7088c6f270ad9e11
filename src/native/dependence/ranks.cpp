// Sorting by the upper 33 bits, three passes of eleven, and what they leave equal by comparison.
#include "dependence/ranks.hpp"

#include <algorithm>
#include <array>
#include <bit>
#include <utility>

namespace margin::dependence {
namespace {

constexpr int digit_bits = 11, n_digits = 3, low = 64 - digit_bits * n_digits;
constexpr std::size_t n_buckets = std::size_t{1} << digit_bits;
constexpr std::uint64_t sign = std::uint64_t{1} << 63;

std::uint64_t key(double value) {
    const std::uint64_t bits = std::bit_cast<std::uint64_t>(value + 0.0);  // no negative zero
    return bits & sign ? ~bits : bits | sign;
}

std::size_t digit(std::uint64_t key, int which) {
    return (key >> (low + which * digit_bits)) & (n_buckets - 1);
}

bool before(const Keyed &left, const Keyed &right) {
    return left.key != right.key ? left.key < right.key : left.row < right.row;
}

void finish(std::vector<Keyed> &line) {
    for (std::size_t first = 0, n = line.size(); first < n;) {
        std::size_t last = first + 1;
        while (last < n && line[last].key >> low == line[first].key >> low) ++last;
        if (last - first > 1) std::sort(line.data() + first, line.data() + last, before);
        first = last;
    }
}

}  // namespace

double number(std::uint64_t key) { return std::bit_cast<double>(key & sign ? key & ~sign : ~key); }

std::vector<Keyed> ranked(const double *values, std::size_t n) {
    std::vector<Keyed> line(n), spare(n);
    std::array<std::array<std::uint32_t, n_buckets>, n_digits> starts{};
    for (std::size_t i = 0; i < n; ++i) {
        const std::uint64_t k = key(values[i]);
        line[i] = {k, static_cast<std::uint32_t>(i)};
        for (int which = 0; which < n_digits; ++which) ++starts[which][digit(k, which)];
    }
    for (int which = 0; which < n_digits; ++which) {
        std::array<std::uint32_t, n_buckets> &start = starts[which];
        std::uint32_t total = 0;
        for (std::uint32_t &count : start) total += std::exchange(count, total);
        for (const Keyed &entry : line) spare[start[digit(entry.key, which)]++] = entry;
        line.swap(spare);
    }
    finish(line);
    return line;
}

}  // namespace margin::dependence
