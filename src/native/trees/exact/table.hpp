// The table of exact growth: rows of each column in the order of its values.
#pragma once

#include <cmath>
#include <cstdint>
#include <limits>

#include "common/index.hpp"

namespace margin::trees::exact {

// A code in the upper half, the number of a row in the lower: sorting entries sorts rows by code.
// Codes rise with the values of a column and differ where they differ; of a categorical column the
// code is the category.
using Entry = std::uint64_t;

constexpr std::uint32_t missing_code = 0xFFFFFFFFU;

inline std::uint32_t code_of(Entry e) { return static_cast<std::uint32_t>(e >> 32); }
inline std::uint32_t row_of(Entry e) { return static_cast<std::uint32_t>(e); }
inline Entry entry(std::uint32_t code, std::uint32_t row) {
    return static_cast<Entry>(code) << 32 | row;
}

// The numbers themselves, columns one after another, in either precision.
struct Columns {
    const void *data;
    bool single;
    Index n_rows, n_columns;
    const std::uint8_t *categorical;
    const std::uint8_t *codes = nullptr;         // numbers of bins in the place of values
    const std::int32_t *missing_bins = nullptr;  // code of a missing value, per column

    // Of a binned table the number of the bin.
    double at(Index column, std::uint32_t row) const {
        const Index place = column * n_rows + row;
        if (codes)
            return codes[place] == missing_bins[column] ? std::numeric_limits<double>::quiet_NaN()
                                                        : codes[place];
        return single ? static_cast<double>(static_cast<const float *>(data)[place])
                      : static_cast<const double *>(data)[place];
    }

    // Values of some rows of a column, in their order.
    void gather(Index column, const Entry *rows, Index n, double *out) const {
        if (codes) {
            for (Index i = 0; i < n; ++i) out[i] = at(column, row_of(rows[i]));
        } else if (single) {
            const float *values = static_cast<const float *>(data) + column * n_rows;
            for (Index i = 0; i < n; ++i) out[i] = static_cast<double>(values[row_of(rows[i])]);
        } else {
            const double *values = static_cast<const double *>(data) + column * n_rows;
            for (Index i = 0; i < n; ++i) out[i] = values[row_of(rows[i])];
        }
    }
};

// A number between two neighbours that keeps the lower on the left, even if nothing lies between.
inline double between(double low, double high) {
    const double middle = low / 2.0 + high / 2.0;
    return middle >= low && middle < high ? middle : low;
}

}  // namespace margin::trees::exact
