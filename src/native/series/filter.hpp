// A Kalman filter for sums of Matern processes on a line.
#pragma once

#include <cstddef>
#include <vector>

#include "series/dual_number.hpp"

namespace margin::series {

// A sum of Matern processes; a part of order 1, 2, 3 has smoothness 1/2, 3/2, 5/2. The state of a
// part is the function and its derivatives in units of the rate, so that nothing is badly scaled.
template <typename T>
struct Model {
    std::vector<int> order;
    std::vector<T> variance, rate;
    std::size_t size = 0;

    void transition(double gap, T *A) const {
        const std::size_t s = size;
        for (std::size_t i = 0; i < s * s; ++i) A[i] = T(0.0);
        std::size_t at = 0;
        for (std::size_t c = 0; c < order.size(); ++c) {
            const T u = rate[c] * T(gap), e = exponential(-u), h = T(0.5) * u * u;
            T *B = A + at * s + at;
            if (order[c] == 1) {
                B[0] = e;
            } else if (order[c] == 2) {
                B[0] = e * (T(1.0) + u), B[1] = e * u;
                B[s] = -(e * u), B[s + 1] = e * (T(1.0) - u);
            } else {
                B[0] = e * (T(1.0) + u + h), B[1] = e * (u + u * u), B[2] = e * h;
                B[s] = -(e * h), B[s + 1] = e * (T(1.0) + u - u * u), B[s + 2] = e * (u - h);
                B[2 * s] = e * (h - u), B[2 * s + 1] = e * (u * u - T(3.0) * u);
                B[2 * s + 2] = e * (T(1.0) - T(2.0) * u + h);
            }
            at += order[c];
        }
    }

    void stationary(T *P) const {
        const std::size_t s = size;
        for (std::size_t i = 0; i < s * s; ++i) P[i] = T(0.0);
        std::size_t at = 0;
        for (std::size_t c = 0; c < order.size(); ++c) {
            T *B = P + at * s + at;
            const T third = variance[c] / T(3.0);
            B[0] = variance[c];
            if (order[c] == 2) B[s + 1] = variance[c];
            if (order[c] == 3) {
                B[2] = B[2 * s] = -third;
                B[s + 1] = third, B[2 * s + 2] = variance[c];
            }
            at += order[c];
        }
    }

    // The process itself is the sum of the first entries of the parts.
    std::vector<std::size_t> seen() const {
        std::vector<std::size_t> found;
        std::size_t at = 0;
        for (int o : order) found.push_back(at), at += o;
        return found;
    }
};

// out = A M A^T, with room for one more matrix.
template <typename T>
void sandwich(const T *A, const T *M, T *room, T *out, std::size_t s, bool transposed) {
    for (std::size_t i = 0; i < s; ++i)
        for (std::size_t j = 0; j < s; ++j) {
            T sum = T(0.0);
            for (std::size_t k = 0; k < s; ++k)
                sum += (transposed ? A[k * s + i] : A[i * s + k]) * M[k * s + j];
            room[i * s + j] = sum;
        }
    for (std::size_t i = 0; i < s; ++i)
        for (std::size_t j = 0; j <= i; ++j) {
            T sum = T(0.0);
            for (std::size_t k = 0; k < s; ++k)
                sum += room[i * s + k] * (transposed ? A[k * s + j] : A[j * s + k]);
            out[i * s + j] = out[j * s + i] = sum;
        }
}

// Filter whose state at one point is: mean x (s by k) and covariance P, both before the datum
// there.
template <typename T>
struct Filter {
    const Model<T> &model;
    std::size_t s, k;
    std::vector<std::size_t> seen;
    std::vector<T> x, P, A, start, gain, room, spare, moved;

    Filter(const Model<T> &m, std::size_t columns)
        : model(m), s(m.size), k(columns), seen(m.seen()), x(s * k, T(0.0)), P(s * s), A(s * s),
          start(s * s), gain(s), room(s * s), spare(s * s), moved(s * k) {
        model.stationary(start.data());
        P = start;
    }

    void advance(double gap) {
        model.transition(gap, A.data());
        for (std::size_t i = 0; i < s; ++i)
            for (std::size_t c = 0; c < k; ++c) {
                T sum = T(0.0);
                for (std::size_t j = 0; j < s; ++j) sum += A[i * s + j] * x[j * k + c];
                moved[i * k + c] = sum;
            }
        x.swap(moved);
        // P - start relaxes to zero: the same as adding the noise of the interval.
        for (std::size_t i = 0; i < s * s; ++i) P[i] -= start[i];
        sandwich(A.data(), P.data(), room.data(), spare.data(), s, false);
        for (std::size_t i = 0; i < s * s; ++i) P[i] = start[i] + spare[i];
    }

    T expected(std::size_t c) const {
        T sum = T(0.0);
        for (std::size_t a : seen) sum += x[a * k + c];
        return sum;
    }

    // Variance of the next datum; sets the gain.
    T spread(T noise) {
        T total = noise;
        for (std::size_t i = 0; i < s; ++i) {
            T sum = T(0.0);
            for (std::size_t a : seen) sum += P[i * s + a];
            gain[i] = sum;
        }
        for (std::size_t a : seen) total += gain[a];
        return total;
    }

    // Conditions on a datum: I - gain h^T on both sides keeps the covariance definite.
    void correct(T noise, T total) {
        for (std::size_t i = 0; i < s; ++i) gain[i] = gain[i] / total;
        std::vector<T> &shrink = A;
        for (std::size_t i = 0; i < s; ++i) {
            for (std::size_t j = 0; j < s; ++j) shrink[i * s + j] = T(i == j ? 1.0 : 0.0);
            for (std::size_t a : seen) shrink[i * s + a] -= gain[i];
        }
        sandwich(shrink.data(), P.data(), room.data(), spare.data(), s, false);
        for (std::size_t i = 0; i < s; ++i)
            for (std::size_t j = 0; j < s; ++j)
                P[i * s + j] = spare[i * s + j] + gain[i] * gain[j] * noise;
    }

    void shift(std::size_t c, T surprise) {
        for (std::size_t i = 0; i < s; ++i) x[i * k + c] += gain[i] * surprise;
    }
};

}  // namespace margin::series
