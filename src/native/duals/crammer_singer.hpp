// The multipliers of one row of Crammer and Singer's machine.
#pragma once

#include <algorithm>
#include <cstddef>

namespace margin {

// Crammer and Singer: minimise 0.5 a |b - b0|^2 + g.(b - b0) over b_k <= cap [k = own], sum b = 0.
// Written as b_k = min(cap_k, v_k + shift); the shift only grows while entries reach their cap.
inline void crammer_singer(double a, double cap, std::size_t own, std::size_t K, const double *f,
                           double *b, double *v) {
    double sum = 0.0;
    for (std::size_t k = 0; k < K; ++k) {
        v[k] = b[k] - (f[k] + (k == own ? 0.0 : 1.0)) / a;
        sum += v[k];
    }
    double shift = -sum / static_cast<double>(K);
    for (std::size_t round = 0; round <= K; ++round) {
        double fixed = 0.0, loose = 0.0;
        std::size_t count = 0;
        for (std::size_t k = 0; k < K; ++k) {
            const double most = k == own ? cap : 0.0;
            if (v[k] + shift >= most) {
                fixed += most;
            } else {
                loose += v[k];
                ++count;
            }
        }
        if (count == 0) break;
        const double next = -(fixed + loose) / static_cast<double>(count);
        if (!(next > shift)) break;
        shift = next;
    }
    for (std::size_t k = 0; k < K; ++k) b[k] = std::min(k == own ? cap : 0.0, v[k] + shift);
}

}  // namespace margin
