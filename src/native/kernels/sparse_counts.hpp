// Sparse rows of counts, as the products of bags of parts read them.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <stdexcept>

#include "common/native.hpp"
#include "kernels/pair_values.hpp"

namespace margin {

struct Rows {
    const std::int64_t *indptr;
    const std::int32_t *indices;
    const double *values;
    Index n;

    std::int64_t size() const { return indptr[n]; }
};

constexpr std::uint32_t largest_small_count = 255;

// Whether rows hold integers that fit a byte; `square` becomes the largest squared norm.
inline bool small_counts(const Rows &rows, double &square) {
    for (Index i = 0; i < rows.n; ++i) {
        double sum = 0.0;
        for (std::int64_t e = rows.indptr[i]; e < rows.indptr[i + 1]; ++e) {
            const double v = rows.values[e];
            if (!(v >= 0.0 && v <= double(largest_small_count)) || v != double(int(v)))
                return false;
            sum += v * v;
        }
        square = std::max(square, sum);
    }
    return true;
}

inline Rows checked_rows(const Vector<const std::int64_t> &indptr,
                         const Vector<const std::int32_t> &indices,
                         const Vector<const double> &values, std::int64_t columns) {
    if (indices.size() != values.size())
        throw std::invalid_argument("count_products: arrays do not fit");
    check_starts(indptr, indices.size());
    for (std::size_t e = 0; e < indices.size(); ++e)
        if (indices.data()[e] < 0 || indices.data()[e] >= columns)
            throw std::invalid_argument("count_products: column out of range");
    return {indptr.data(), indices.data(), values.data(), static_cast<Index>(indptr.size()) - 1};
}

// Refuses an `out` that is not for all pairs, and a symmetric product of two sets.
inline void check_pairs(const Rows &left, const Rows &right, bool symmetric,
                        const Matrix<double> &out) {
    const bool same = left.indptr == right.indptr && left.n == right.n &&
                      left.indices == right.indices && left.values == right.values;
    if (static_cast<Index>(out.shape(0)) != left.n || static_cast<Index>(out.shape(1)) != right.n ||
        (symmetric && !same))
        throw std::invalid_argument("count_products: out does not fit");
}

}  // namespace margin
