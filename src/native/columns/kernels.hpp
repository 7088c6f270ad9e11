// Sums over one column of a data matrix, dense or compressed, in float64 whatever the data are.
#pragma once

#include <cstddef>
#include <cstdint>

#include "common/compressed.hpp"
#include "common/native.hpp"

namespace margin {

template <typename T>
[[gnu::always_inline]] inline double dense_dot(const T *x, const double *v, std::size_t n) {
    double sum = 0.0;
#pragma omp simd reduction(+ : sum)
    for (std::size_t i = 0; i < n; ++i) sum += x[i] * v[i];
    return sum;
}

template <typename T>
[[gnu::always_inline]] inline void dense_add(const T *x, double scale, double *v, std::size_t n) {
#pragma omp simd
    for (std::size_t i = 0; i < n; ++i) v[i] += scale * x[i];
}

// v += scale * h * x
template <typename T>
[[gnu::always_inline]] inline void dense_add_weighted(const T *x, double scale, const double *h,
                                                      double *v, std::size_t n) {
#pragma omp simd
    for (std::size_t i = 0; i < n; ++i) v[i] += scale * h[i] * x[i];
}

// Sums of h * x and h * x^2.
template <typename T>
[[gnu::always_inline]] inline void dense_moments(const T *x, const double *h, double &first,
                                                 double &second, std::size_t n) {
    double a = 0.0, b = 0.0;
#pragma omp simd reduction(+ : a, b)
    for (std::size_t i = 0; i < n; ++i) {
        const double hx = h[i] * x[i];
        a += hx;
        b += hx * x[i];
    }
    first = a;
    second = b;
}

// Clones exist for functions that are not templates only.
double column_dot(const double *x, const double *v, std::size_t n);
double column_dot(const float *x, const double *v, std::size_t n);
void column_add(const double *x, double scale, double *v, std::size_t n);
void column_add(const float *x, double scale, double *v, std::size_t n);
void column_add_weighted(const double *x, double scale, const double *h, double *v, std::size_t n);
void column_add_weighted(const float *x, double scale, const double *h, double *v, std::size_t n);
void column_moments(const double *x, const double *h, double &first, double &second, std::size_t n);
void column_moments(const float *x, const double *h, double &first, double &second, std::size_t n);

// Contiguous columns of one length.
template <typename T>
struct DenseColumns {
    const T *data;
    std::size_t n;

    double dot(std::size_t j, const double *v) const { return column_dot(data + j * n, v, n); }
    void add(std::size_t j, double scale, double *v) const {
        column_add(data + j * n, scale, v, n);
    }
    void add(std::size_t j, double scale, const double *h, double *v) const {
        column_add_weighted(data + j * n, scale, h, v, n);
    }
    void moments(std::size_t j, const double *h, double &first, double &second) const {
        column_moments(data + j * n, h, first, second, n);
    }
};

// Compressed columns (CSC); the row indices are trusted: callers validate a matrix once.
template <typename T, typename I>
struct SparseColumns {
    const I *indptr, *indices;
    const T *data;

    explicit SparseColumns(const Compressed<T, I> &matrix)
        : indptr(matrix.indptr.data()), indices(matrix.indices.data()), data(matrix.data.data()) {}

    double dot(std::size_t j, const double *v) const {
        double a = 0.0, b = 0.0;  // two chains hide the latency of the additions
        I at = indptr[j];
        const I end = indptr[j + 1];
        for (; at + 1 < end; at += 2) {
            a += data[at] * v[indices[at]];
            b += data[at + 1] * v[indices[at + 1]];
        }
        if (at < end) a += data[at] * v[indices[at]];
        return a + b;
    }
    void add(std::size_t j, double scale, double *v) const {
        for (I at = indptr[j]; at < indptr[j + 1]; ++at) v[indices[at]] += scale * data[at];
    }
    void add(std::size_t j, double scale, const double *h, double *v) const {
        for (I at = indptr[j]; at < indptr[j + 1]; ++at)
            v[indices[at]] += scale * h[indices[at]] * data[at];
    }
    void moments(std::size_t j, const double *h, double &first, double &second) const {
        double a = 0.0, b = 0.0;
        for (I at = indptr[j]; at < indptr[j + 1]; ++at) {
            const double hx = h[indices[at]] * data[at];
            a += hx;
            b += hx * data[at];
        }
        first = a;
        second = b;
    }
};

}  // namespace margin
