// What exact growth predicts, and what a node knows of its rows.
#pragma once

#include <cmath>
#include <cstdint>
#include <vector>

#include "trees/exact/table.hpp"

namespace margin::trees::exact {

// Outputs one after another: classes, or numbers. `weight` may be null: all ones.
struct Targets {
    Index n_rows, n_outputs;
    const std::int32_t *classes;     // (n_outputs, n_rows) or null
    std::vector<Index> first_class;  // where the classes of an output start, and the total
    const double *numbers;           // (n_outputs, n_rows) or null
    const double *weight;

    double weight_of(std::uint32_t row) const { return weight ? weight[row] : 1.0; }
    Index width() const { return classes ? first_class.back() : n_outputs; }
};

// Rows of one node, and what was summed over them.
struct NodeRows {
    const Entry *rows;  // any order
    Index n;
    const double *total;  // of the criterion, `width` numbers
    double weight;
    const Entry *const *by_target;  // for medians: the rows in the order of each output
};

struct Summary {
    double weight = 0.0, impurity = 0.0;
    bool pure = true;
};

inline double x_log_x(double x) { return x > 0.0 ? x * std::log(x) : 0.0; }

}  // namespace margin::trees::exact
