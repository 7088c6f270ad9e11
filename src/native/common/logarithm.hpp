// A branch-free logarithm that the compiler can vectorise, accurate to a few ulp.
#pragma once

#include <bit>
#include <cstdint>

namespace margin {

// log(x) for normal x > 0: x = m 2^k with m in [sqrt(1/2), sqrt(2)), and log m = 2 artanh(s) with
// s = (m - 1) / (m + 1), |s| < 0.172.
inline double log_positive(double x) {
    constexpr std::int64_t half_root = 0x3fe6a09e667f3bcd;  // sqrt(1/2)
    constexpr double ln2_hi = 6.93147180369123816490e-01, ln2_lo = 1.90821492927058770002e-10;
    const std::int64_t bits = std::bit_cast<std::int64_t>(x);
    const std::int64_t k = (bits - half_root) >> 52;
    const double m = std::bit_cast<double>(bits - (k << 52));
    const double s = (m - 1.0) / (m + 1.0), q = s * s;
    double p = 1.0 / 21.0;
    p = p * q + 1.0 / 19.0;
    p = p * q + 1.0 / 17.0;
    p = p * q + 1.0 / 15.0;
    p = p * q + 1.0 / 13.0;
    p = p * q + 1.0 / 11.0;
    p = p * q + 1.0 / 9.0;
    p = p * q + 1.0 / 7.0;
    p = p * q + 1.0 / 5.0;
    p = p * q + 1.0 / 3.0;
    const double whole = double(k);
    return whole * ln2_hi + (2.0 * s + (2.0 * s * q * p + whole * ln2_lo));
}

}  // namespace margin
