// Branch-free elementary functions that the compiler can vectorise, accurate to a few ulp.
#pragma once

#include <bit>
#include <cstdint>

namespace margin {

// exp(-a) for a >= 0. Arguments above 708 give about 3e-308; NaN stays NaN.
inline double exp_negative(double a) {
    constexpr double log2e = 1.4426950408889634074;
    constexpr double ln2_hi = 6.93147180369123816490e-01;
    constexpr double ln2_lo = 1.90821492927058770002e-10;
    constexpr double round_bias = 6755399441055744.0;  // 1.5 * 2^52: adding it rounds to an integer
    a = 708.0 < a ? 708.0 : a;
    const double shifted = a * log2e + round_bias;
    const double k = shifted - round_bias;
    const double r = (k * ln2_hi - a) + k * ln2_lo;  // |r| <= ln(2) / 2
    double p = 1.0 / 6227020800.0;
    p = p * r + 1.0 / 479001600.0;
    p = p * r + 1.0 / 39916800.0;
    p = p * r + 1.0 / 3628800.0;
    p = p * r + 1.0 / 362880.0;
    p = p * r + 1.0 / 40320.0;
    p = p * r + 1.0 / 5040.0;
    p = p * r + 1.0 / 720.0;
    p = p * r + 1.0 / 120.0;
    p = p * r + 1.0 / 24.0;
    p = p * r + 1.0 / 6.0;
    p = p * r + 0.5;
    p = p * r + 1.0;
    p = p * r + 1.0;
    const std::int64_t exponent =
        std::bit_cast<std::int64_t>(shifted) - std::bit_cast<std::int64_t>(round_bias);
    return p * std::bit_cast<double>((1023 - exponent) << 52);
}

// log(1 + e) for e in [0, 1], as 2 artanh(e / (2 + e)): exact in relative terms for tiny e.
inline double log1p_unit(double e) {
    const double s = e / (2.0 + e);
    const double q = s * s;  // <= 1/9
    double p = 1.0 / 31.0;
    p = p * q + 1.0 / 29.0;
    p = p * q + 1.0 / 27.0;
    p = p * q + 1.0 / 25.0;
    p = p * q + 1.0 / 23.0;
    p = p * q + 1.0 / 21.0;
    p = p * q + 1.0 / 19.0;
    p = p * q + 1.0 / 17.0;
    p = p * q + 1.0 / 15.0;
    p = p * q + 1.0 / 13.0;
    p = p * q + 1.0 / 11.0;
    p = p * q + 1.0 / 9.0;
    p = p * q + 1.0 / 7.0;
    p = p * q + 1.0 / 5.0;
    p = p * q + 1.0 / 3.0;
    p = p * q + 1.0;
    return 2.0 * s * p;
}

}  // namespace margin
