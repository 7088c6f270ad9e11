#include "filters/dense.hpp"

#include <cmath>

#include "common/native.hpp"

namespace margin::filters {

MARGIN_CLONES
void product(const double *A, const double *B, double *out, std::size_t n) {
    for (std::size_t i = 0; i < n; ++i) {
        double *row = out + i * n;
        for (std::size_t j = 0; j < n; ++j) row[j] = 0.0;
        for (std::size_t k = 0; k < n; ++k) {
            const double a = A[i * n + k];
            const double *from = B + k * n;
            if (a != 0.0)
                for (std::size_t j = 0; j < n; ++j) row[j] += a * from[j];
        }
    }
}

MARGIN_CLONES
void sandwich(const double *A, const double *M, const double *Q, double *room, double *out,
              std::size_t n) {
    for (std::size_t i = 0; i < n; ++i) {
        double *row = room + i * n;
        for (std::size_t j = 0; j < n; ++j) row[j] = 0.0;
        for (std::size_t k = 0; k < n; ++k) {
            const double a = A[i * n + k];
            const double *from = M + k * n;
            if (a != 0.0)
                for (std::size_t j = 0; j < n; ++j) row[j] += a * from[j];
        }
    }
    for (std::size_t i = 0; i < n; ++i)
        for (std::size_t j = 0; j <= i; ++j) {
            double sum = 0.0;
#pragma omp simd reduction(+ : sum)
            for (std::size_t k = 0; k < n; ++k) sum += room[i * n + k] * A[j * n + k];
            if (Q) sum += Q[i * n + j];
            out[i * n + j] = out[j * n + i] = sum;
        }
}

MARGIN_CLONES
void add_times(const double *transposed, const double *x, double *y, std::size_t rows,
               std::size_t cols) {
    for (std::size_t k = 0; k < cols; ++k) {
        const double v = x[k];
        const double *column = transposed + k * rows;
        for (std::size_t i = 0; i < rows; ++i) y[i] += column[i] * v;
    }
}

MARGIN_CLONES
void take_back(const double *c, const double *k, double f, double *M, double *room, std::size_t n) {
    double across = 1.0 / f;
    for (std::size_t i = 0; i < n; ++i) {
        double sum = 0.0;
#pragma omp simd reduction(+ : sum)
        for (std::size_t j = 0; j < n; ++j) sum += M[i * n + j] * k[j];
        room[i] = sum;
    }
    for (std::size_t i = 0; i < n; ++i) across += k[i] * room[i];
    for (std::size_t i = 0; i < n; ++i) {
        const double ci = c[i], ri = room[i];
        double *row = M + i * n;
        for (std::size_t j = 0; j < n; ++j)
            row[j] += across * (ci * c[j]) - (ci * room[j] + ri * c[j]);
    }
}

MARGIN_CLONES
void take_in(const double *m, double f, double *P, std::size_t n) {
    for (std::size_t i = 0; i < n; ++i) {
        double *row = P + i * n;
        for (std::size_t j = 0; j < n; ++j) row[j] -= (m[i] * m[j]) / f;
    }
}

bool settled(const double *now, const double *before, std::size_t n) {
    constexpr double slack = 1e-14;
    for (std::size_t i = 0; i < n; ++i)
        for (std::size_t j = 0; j <= i; ++j) {
            const double scale = std::sqrt(std::fabs(now[i * n + i] * now[j * n + j]));
            if (!(std::fabs(now[i * n + j] - before[i * n + j]) <= slack * scale)) return false;
        }
    return true;
}

}  // namespace margin::filters
