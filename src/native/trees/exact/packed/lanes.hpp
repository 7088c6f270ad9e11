// Loops over rows that lie one after another, all columns of a wide register at once.
//
// A row has `stride` numbers, a whole number of blocks of 64 bytes. A block is named by its first
// column. Sums follow the order of the rows, so that they do not depend on the width of registers.
#pragma once

#include <cstdint>

#include "common/index.hpp"

namespace margin::trees::exact {

template <typename T>
constexpr Index block_width = 64 / static_cast<Index>(sizeof(T));

// Rows of a node.
template <typename T>
struct RowBlock {
    const T *data;
    Index n, stride;
};

// Blocks that are looked at, and the largest value that goes left, for every column.
template <typename T>
struct Limits {
    const Index *blocks;
    Index n_blocks;
    const T *most_left;
};

// The smallest and the largest value of every column of one block.
void block_extremes(RowBlock<float> rows, Index block, float *least, float *most);
void block_extremes(RowBlock<double> rows, Index block, double *least, double *most);

// How many of the rows go left, for every column of the blocks.
void count_left(RowBlock<float> rows, Limits<float> limits, std::int32_t *counts);
void count_left(RowBlock<double> rows, Limits<double> limits, std::int32_t *counts);

// The sum of `values`, one per row, over those that go left.
void sum_left(RowBlock<float> rows, Limits<float> limits, const double *values, double *sums);
void sum_left(RowBlock<double> rows, Limits<double> limits, const double *values, double *sums);

// Rows of side one are copied to `left`, the others stay, pressed together at the end, either side
// in the order that it had.
void part_rows(float *rows, Index n, Index stride, const std::uint8_t *side, Index n_left,
               float *left);
void part_rows(double *rows, Index n, Index stride, const std::uint8_t *side, Index n_left,
               double *left);

// The rows of one side alone, at the beginning, in the order that they had.
void keep_rows(float *rows, Index n, Index stride, const std::uint8_t *side, bool kept);
void keep_rows(double *rows, Index n, Index stride, const std::uint8_t *side, bool kept);

}  // namespace margin::trees::exact
