// Loops over one column of rows that lie scattered in the table.
#pragma once

#include <cstdint>

#include "common/index.hpp"

namespace margin::trees::exact {

template <typename T>
struct ColumnRange {
    T least, most;
};

// The values of some rows, one after another, and their extremes.
ColumnRange<float> gather_column(const float *column, const std::uint32_t *rows, Index n,
                                 float *out);
ColumnRange<double> gather_column(const double *column, const std::uint32_t *rows, Index n,
                                  double *out);

// How many values go left, and the sum of `numbers` over them in their order.
Index count_up_to(const float *values, Index n, float most_left);
Index count_up_to(const double *values, Index n, double most_left);
double sum_up_to(const float *values, Index n, float most_left, const double *numbers);
double sum_up_to(const double *values, Index n, double most_left, const double *numbers);

}  // namespace margin::trees::exact
