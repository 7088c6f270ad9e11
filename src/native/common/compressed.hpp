// Compressed rows or columns as they come from Python.
#pragma once

#include <cstddef>
#include <span>
#include <stdexcept>

#include "common/native.hpp"

namespace margin {

// Line l holds data[indptr[l]] … data[indptr[l + 1] - 1] at the places of the same numbers in
// `indices`.
template <typename T, typename I>
struct Compressed {
    std::span<const I> indptr, indices;
    std::span<const T> data;

    std::size_t lines() const { return indptr.size() - 1; }
};

// Refuses pointers that do not span the entries. That they never fall, and that no index is out of
// range, is trusted where callers validate a matrix once and not on every pass.
template <typename T, typename I>
Compressed<T, I> compressed(const Vector<const I> &indptr, const Vector<const I> &indices,
                            const Vector<const T> &data, const char *refusal) {
    const std::span<const I> starts(indptr.data(), indptr.size());
    if (starts.empty() || indices.size() != data.size() || starts.front() != 0 ||
        static_cast<std::size_t>(starts.back()) != data.size())
        throw std::invalid_argument(refusal);
    return {starts, {indices.data(), indices.size()}, {data.data(), data.size()}};
}

// The same, with every entry looked at: lines in order, places below `width`.
template <typename T, typename I>
Compressed<T, I> compressed_within(const Vector<const I> &indptr, const Vector<const I> &indices,
                                   const Vector<const T> &data, std::size_t width,
                                   const char *refusal, const char *outside) {
    const Compressed<T, I> matrix = compressed<T, I>(indptr, indices, data, refusal);
    for (std::size_t l = 0; l < matrix.lines(); ++l)
        if (matrix.indptr[l] > matrix.indptr[l + 1]) throw std::invalid_argument(refusal);
    for (const I place : matrix.indices)
        if (place < 0 || static_cast<std::size_t>(place) >= width)
            throw std::invalid_argument(outside);
    return matrix;
}

}  // namespace margin
