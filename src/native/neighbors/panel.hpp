// Products of a few queries with a panel of points in single precision, held in registers.
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstring>

#include "common/native.hpp"

namespace margin::neighbors {

constexpr std::size_t lanes = 16, panel_width = 2 * lanes;
typedef float Lanes __attribute__((vector_size(64)));
typedef std::int32_t Signs __attribute__((vector_size(64)));

// What one pass over a panel needs: values[i] = start + sum_k rows[i][k] panel[k], for every one
// of the points side by side in the panel. True if any lies below its limit; places[i] then has a
// one for each of those, else zeros.
template <std::size_t height>
[[gnu::always_inline]] inline bool panel_below(const float *const *rows, const float *limits,
                                               const float *panel, const float *start,
                                               std::size_t p, float *values,
                                               unsigned char *places) {
    Lanes sums[height][2];
    Lanes first, second;
    std::memcpy(&first, start, sizeof first);
    std::memcpy(&second, start + lanes, sizeof second);
    for (std::size_t i = 0; i < height; ++i) sums[i][0] = first, sums[i][1] = second;
    for (std::size_t k = 0; k < p; ++k, panel += panel_width) {
        std::memcpy(&first, panel, sizeof first);
        std::memcpy(&second, panel + lanes, sizeof second);
#pragma GCC unroll 16
        for (std::size_t i = 0; i < height; ++i) {
            const float a = rows[i][k];
            sums[i][0] += a * first;
            sums[i][1] += a * second;
        }
    }
    // The sign of the difference says it; one look at all of them.
    Signs below{};
#pragma GCC unroll 16
    for (std::size_t i = 0; i < height; ++i) {
        const Lanes a = sums[i][0] - limits[i], b = sums[i][1] - limits[i];
        below |= (Signs)a | (Signs)b;
    }
    std::int64_t words[8], any = 0;
    std::memcpy(words, &below, sizeof words);
    for (const std::int64_t word : words) any |= word;
    if (!(any & static_cast<std::int64_t>(0x8000000080000000ULL))) return false;
    std::memcpy(values, sums, sizeof sums);
    for (std::size_t i = 0; i < height; ++i)
        for (std::size_t j = 0; j < panel_width; ++j)
            places[i * panel_width + j] = values[i * panel_width + j] < limits[i];
    return true;
}

// Queries that go over a panel together: as many as the registers of the machine hold.
constexpr std::size_t most_rows = 8;
std::size_t rows_at_once();
bool panel_below(const float *const *rows, const float *limits, const float *panel,
                 const float *start, std::size_t p, float *values, unsigned char *places);

}  // namespace margin::neighbors
