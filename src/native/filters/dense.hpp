// Small dense matrices by rows; each loop has a version per width of the processor.
#pragma once

#include <cstddef>

namespace margin::filters {

// out = A M A^T + Q for symmetric M; Q may be absent, room is for n x n.
void sandwich(const double *A, const double *M, const double *Q, double *room, double *out,
              std::size_t n);

// out = A B for n x n matrices.
void product(const double *A, const double *B, double *out, std::size_t n);

// y += A x, where A^T is given (columns of A lie together), A of `rows` x `cols`.
void add_times(const double *transposed, const double *x, double *y, std::size_t rows,
               std::size_t cols);

// M = (I - c k^T) M (I - k c^T) + c c^T / f for symmetric M: a number taken in, seen backwards.
void take_back(const double *c, const double *k, double f, double *M, double *room, std::size_t n);

// P -= m m^T / f.
void take_in(const double *m, double f, double *P, std::size_t n);

// Whether two symmetric semi-definite matrices are the same up to rounding.
bool settled(const double *now, const double *before, std::size_t n);

inline void transpose(const double *A, double *out, std::size_t rows, std::size_t cols) {
    for (std::size_t i = 0; i < rows; ++i)
        for (std::size_t j = 0; j < cols; ++j) out[j * rows + i] = A[i * cols + j];
}

inline double dot(const double *a, const double *b, std::size_t n) {
    double sum = 0.0;
    for (std::size_t i = 0; i < n; ++i) sum += a[i] * b[i];
    return sum;
}

}  // namespace margin::filters
