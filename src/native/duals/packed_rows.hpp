// Rows of a face of a dual problem, copied for conjugate gradients, and one step over them.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "common/native.hpp"
#include "duals/rows.hpp"

namespace margin {
namespace {

// The rows of a face in single precision, each divided by the root of its curvature, the constant
// feature among them. The steps in between need no more: their end is taken in double precision.
struct PackedDense {
    std::size_t width;
    std::vector<float> values;
};

template <typename T>
PackedDense pack(const DenseRows<T> &data, const std::int64_t *rows, std::size_t size,
                 const std::vector<double> &unit) {
    PackedDense out{data.p + 1, std::vector<float>(size * (data.p + 1))};
    for (std::size_t k = 0; k < size; ++k) {
        const T *x = data.X + rows[k] * data.p;
        float *to = out.values.data() + k * out.width;
        for (std::size_t j = 0; j < data.p; ++j) to[j] = static_cast<float>(x[j] * unit[k]);
        to[data.p] = static_cast<float>(data.constant * unit[k]);
    }
    return out;
}

struct PackedSparse {
    std::vector<std::size_t> starts;
    std::vector<std::uint32_t> columns;
    std::vector<float> values;
};

template <typename T, typename I>
PackedSparse pack(const SparseRows<T, I> &data, const std::int64_t *rows, std::size_t size,
                  const std::vector<double> &unit) {
    PackedSparse out{std::vector<std::size_t>(size + 1), {}, {}};
    for (std::size_t k = 0; k < size; ++k)
        out.starts[k + 1] = out.starts[k] + (data.ptr[rows[k] + 1] - data.ptr[rows[k]]) + 1;
    out.columns.resize(out.starts[size]);
    out.values.resize(out.starts[size]);
    for (std::size_t k = 0; k < size; ++k) {
        std::size_t to = out.starts[k];
        for (I at = data.ptr[rows[k]]; at < data.ptr[rows[k] + 1]; ++at, ++to) {
            out.columns[to] = static_cast<std::uint32_t>(data.ind[at]);
            out.values[to] = static_cast<float>(data.val[at] * unit[k]);
        }
        out.columns[to] = static_cast<std::uint32_t>(data.p);
        out.values[to] = static_cast<float>(data.constant * unit[k]);
    }
    return out;
}

// Rows of a face; search directions, moves and residuals in units of the packed rows.
struct Face {
    std::vector<double> ridge, residual, search, move;
};

struct Share {  // what a block of rows adds up
    double residual = 0.0;
};

// One row after the other: its residual falls by length * (Q search) and goes, times the row, into
// `image`, so that a step of conjugate gradients reads every row once.
MARGIN_CLONES void step_rows(const PackedDense &data, Face &face, std::size_t first,
                             std::size_t last, double length, const float *along, float *image,
                             Share &share) {
    for (std::size_t k = first; k < last; ++k) {
        const float *x = data.values.data() + k * data.width;
        float z = 0.0f;
#pragma omp simd reduction(+ : z)
        for (std::size_t j = 0; j < data.width; ++j) z += x[j] * along[j];
        face.move[k] += length * face.search[k];
        const double r = face.residual[k] -= length * (z + face.ridge[k] * face.search[k]);
        share.residual += r * r;
        const float f = static_cast<float>(r);
#pragma omp simd
        for (std::size_t j = 0; j < data.width; ++j) image[j] += f * x[j];
    }
}

inline void step_rows(const PackedSparse &data, Face &face, std::size_t first, std::size_t last,
                      double length, const float *along, float *image, Share &share) {
    const std::uint32_t *column = data.columns.data();
    const float *value = data.values.data();
    for (std::size_t k = first; k < last; ++k) {
        const std::size_t begin = data.starts[k], end = data.starts[k + 1];
        float a = 0.0f, b = 0.0f, c = 0.0f, d = 0.0f;  // chains hide the latency of the additions
        std::size_t at = begin;
        for (; at + 3 < end; at += 4) {
            a += value[at] * along[column[at]];
            b += value[at + 1] * along[column[at + 1]];
            c += value[at + 2] * along[column[at + 2]];
            d += value[at + 3] * along[column[at + 3]];
        }
        for (; at < end; ++at) a += value[at] * along[column[at]];
        face.move[k] += length * face.search[k];
        const double z = (a + b) + (c + d);
        const double r = face.residual[k] -= length * (z + face.ridge[k] * face.search[k]);
        share.residual += r * r;
        const float f = static_cast<float>(r);
        for (at = begin; at < end; ++at) image[column[at]] += f * value[at];
    }
}

}  // namespace
}  // namespace margin
