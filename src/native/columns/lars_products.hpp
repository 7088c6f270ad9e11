// Products of columns with each other and with the residual, from a Gram matrix or from the table.
#pragma once

#include <algorithm>
#include <cstddef>
#include <vector>

#include "columns/kernels.hpp"

namespace margin {

using Places = std::vector<std::size_t>;

// Gram matrix and products with the target, both divided by the number of rows.
struct GramProducts {
    const double *gram, *start;
    std::size_t p;

    double cross(std::size_t i, std::size_t j) const { return gram[i * p + j]; }

    // Of all columns with the combination of the active ones.
    void along(const Places &active, const std::vector<double> &d, double *out) {
        std::fill(out, out + p, 0.0);
        for (std::size_t a = 0; a < active.size(); ++a)
            column_add(gram + active[a] * p, d[a], out, p);
    }

    // Of all columns with what the coefficients leave of the target.
    void left(const std::vector<double> &w, double *out) {
        std::copy(start, start + p, out);
        for (std::size_t j = 0; j < p; ++j)
            if (w[j] != 0.0) column_add(gram + j * p, -w[j], out, p);
    }
};

// Columns of length n, one after the other, and the target.
struct TableProducts {
    const double *columns, *target;
    std::size_t p, n;
    std::vector<double> rows;

    double cross(std::size_t i, std::size_t j) const {
        return column_dot(columns + i * n, columns + j * n, n) / double(n);
    }

    void along(const Places &active, const std::vector<double> &d, double *out) {
        rows.assign(n, 0.0);
        for (std::size_t a = 0; a < active.size(); ++a)
            column_add(columns + active[a] * n, d[a], rows.data(), n);
        correlate(out);
    }

    void left(const std::vector<double> &w, double *out) {
        rows.assign(target, target + n);
        for (std::size_t j = 0; j < p; ++j)
            if (w[j] != 0.0) column_add(columns + j * n, -w[j], rows.data(), n);
        correlate(out);
    }

    void correlate(double *out) const {
        for (std::size_t j = 0; j < p; ++j)
            out[j] = column_dot(columns + j * n, rows.data(), n) / double(n);
    }
};

}  // namespace margin
