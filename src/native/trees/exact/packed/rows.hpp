// Rows of a table one after another, all columns of each in whole blocks of 64 bytes.
#pragma once

#include <algorithm>
#include <cstring>
#include <vector>

#include "trees/exact/packed/lanes.hpp"
#include "trees/exact/settings.hpp"

namespace margin::trees::exact {

struct alignas(64) Line {
    unsigned char bytes[64];
};

// Memory that a thread keeps from tree to tree.
struct PackedSpace {
    std::vector<Line> rows, spare;
    GrownTree branch;
};

template <typename T>
Index packed_stride(Index n_columns) {
    return (n_columns + block_width<T> - 1) / block_width<T> * block_width<T>;
}

// Copies rows, the i-th of which is number(i) of the table; false if a value is missing.
template <typename T, typename Number>
bool pack_rows(const Columns &columns, Index n, const Number &number, std::vector<Line> &out) {
    constexpr Index tile = 64;  // rows whose copies stay in the first cache
    const Index p = columns.n_columns, stride = packed_stride<T>(p);
    const std::size_t lines = static_cast<std::size_t>(n * stride) * sizeof(T) / sizeof(Line);
    if (out.size() < lines) out.resize(lines);
    const T *values = static_cast<const T *>(columns.data);
    T *copies = reinterpret_cast<T *>(out.data());
    bool missing = false;
    for (Index first = 0; first < n && !missing; first += tile) {
        const Index last = std::min(n, first + tile);
        for (Index i = first; i < last; ++i)
            std::fill(copies + i * stride + p, copies + (i + 1) * stride, T{});
        for (Index j = 0; j < p; ++j) {
            const T *column = values + j * columns.n_rows;
            for (Index i = first; i < last; ++i) {
                const T x = column[number(i)];
                missing |= x != x;
                copies[i * stride + j] = x;
            }
        }
    }
    return !missing;
}

// The whole table, where it is small enough for each tree to have a copy, and nothing is missing.
struct PackedTable {
    std::vector<Line> rows;
    Index row_lines = 0;    // 0: there is none
    bool complete = false;  // nothing is missing

    template <typename T>
    void fill(const Columns &columns, Index most_bytes) {
        const Index stride = packed_stride<T>(columns.n_columns);
        const Index row_bytes = stride * static_cast<Index>(sizeof(T));
        if (columns.n_rows > most_bytes / std::max<Index>(row_bytes, 1)) {
            const T *values = static_cast<const T *>(columns.data);
            complete = std::none_of(values, values + columns.n_rows * columns.n_columns,
                                    [](T x) { return x != x; });
            return;
        }
        if (pack_rows<T>(columns, columns.n_rows, [](Index i) { return i; }, rows))
            row_lines = row_bytes / static_cast<Index>(sizeof(Line));
        complete = row_lines > 0;
    }

    template <typename Number>
    void copy(Index n, const Number &number, std::vector<Line> &out) const {
        const std::size_t lines = static_cast<std::size_t>(n * row_lines);
        if (out.size() < lines) out.resize(lines);
        for (Index i = 0; i < n; ++i)
            std::memcpy(out.data() + i * row_lines, rows.data() + number(i) * row_lines,
                        static_cast<std::size_t>(row_lines) * sizeof(Line));
    }
};

}  // namespace margin::trees::exact
