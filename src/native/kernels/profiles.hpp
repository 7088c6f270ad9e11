// Radial kernels as functions of the squared distance, their slopes, and the derivatives in their
// shape parameter: branch-free, so that the compiler can vectorise loops over them.
#pragma once

#include <bit>
#include <cmath>
#include <cstdint>

#include "common/elementary.hpp"

namespace margin {

// exp(-a) for a >= 0, zero where the result would be denormal.
inline double decay(double a) { return a > 708.0 ? 0.0 : exp_negative(a); }

inline float decay(float a) {
    constexpr float log2e = 1.44269504f, ln2_hi = 0.693359375f, ln2_lo = -2.12194440e-4f;
    constexpr float round_bias = 12582912.0f;  // 1.5 * 2^23: adding it rounds to an integer
    const float b = a > 87.0f ? 87.0f : a;
    const float shifted = b * log2e + round_bias;
    const float k = shifted - round_bias;
    const float r = (k * ln2_hi - b) + k * ln2_lo;  // |r| <= ln(2) / 2
    float p = 1.0f / 5040.0f;
    p = p * r + 1.0f / 720.0f;
    p = p * r + 1.0f / 120.0f;
    p = p * r + 1.0f / 24.0f;
    p = p * r + 1.0f / 6.0f;
    p = p * r + 0.5f;
    p = p * r + 1.0f;
    p = p * r + 1.0f;
    const std::int32_t exponent =
        std::bit_cast<std::int32_t>(shifted) - std::bit_cast<std::int32_t>(round_bias);
    const float made = p * std::bit_cast<float>((127 - exponent) << 23);
    return a > 87.0f ? 0.0f : made;
}

// log(x) for normal x > 0: x = 2^k m with m in [sqrt(1/2), sqrt(2)), log m = 2 artanh((m-1)/(m+1)).
inline double log_positive(double x) {
    constexpr double ln2_hi = 6.93147180369123816490e-01, ln2_lo = 1.90821492927058770002e-10;
    constexpr std::uint64_t bias = std::uint64_t{1023} << 52;
    const std::uint64_t bits = std::bit_cast<std::uint64_t>(x);
    const std::uint64_t biased = (bits - 0x3fe6a09e667f3bcdULL + bias) >> 52;  // k + 1023
    const double m = std::bit_cast<double>(bits - (biased << 52) + bias);
    // The small integer as a double without a conversion instruction, which AVX2 does not have.
    const double k = std::bit_cast<double>(biased | 0x4330000000000000ULL) - 4503599627371519.0;
    const double s = (m - 1.0) / (m + 1.0);
    const double q = s * s;  // <= 0.0295
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
    p = p * q + 1.0;
    return k * ln2_hi + (2.0 * s * p + k * ln2_lo);
}

// log(1 + u) for 0 <= u < 1e300, right in relative terms for tiny u.
inline double log1p_positive(double u) {
    const double w = 1.0 + u;
    return log_positive(w) + (u - (w - 1.0)) / w;
}

constexpr double root3 = 1.7320508075688772935, root5 = 2.2360679774997896964;
constexpr double tiny_radius = 1e-7;  // below it the slope of exp(-r) is held finite
constexpr double least_square = 1e-290;

template <typename T>
inline T root(T s, double factor) {  // factor * sqrt(s), where exp(-root) is zero long before
    const T t = static_cast<T>(factor) * std::sqrt(s);
    return t > T(1000) ? T(1000) : t;
}

// Each: value f(s), slope -2 f'(s), and shape = df / d log a for the shape parameter a.
struct Gaussian {
    template <typename T>
    static T value(T s, T) {
        return decay(T(0.5) * s);
    }
    template <typename T>
    static T slope(T s, T) {
        return decay(T(0.5) * s);
    }
};

struct Exponential {
    template <typename T>
    static T value(T s, T) {
        return decay(root(s, 1.0));
    }
    template <typename T>
    static T slope(T s, T) {
        const T r = root(s, 1.0);
        const T made = decay(r) / (r > T(tiny_radius) ? r : T(tiny_radius));
        return s > T(0) ? made : T(0);
    }
};

struct ThreeHalves {
    template <typename T>
    static T value(T s, T) {
        const T t = root(s, root3);
        return (T(1) + t) * decay(t);
    }
    template <typename T>
    static T slope(T s, T) {
        return T(3) * decay(root(s, root3));
    }
};

struct FiveHalves {
    template <typename T>
    static T value(T s, T) {
        const T t = root(s, root5);
        return (T(1) + t * (T(1) + t * T(1.0 / 3.0))) * decay(t);
    }
    template <typename T>
    static T slope(T s, T) {
        const T t = root(s, root5);
        return T(5.0 / 3.0) * (T(1) + t) * decay(t);
    }
};

// exp(-s^(a/2)): the radius to the power a. float is computed in double, as logarithms need it.
struct GammaExponential {
    template <typename T>
    static T value(T s, T a) {
        const double made = decay(power(s, a));
        return s > T(least_square_of<T>()) ? static_cast<T>(made) : T(1);
    }
    template <typename T>
    static T slope(T s, T a) {
        const double u = power(s, a);
        const double floor = tiny_radius * tiny_radius;
        const double made = a * u * decay(u) / (s > floor ? static_cast<double>(s) : floor);
        return s > T(least_square_of<T>()) ? static_cast<T>(made) : T(0);
    }
    template <typename T>
    static T shape(T s, T a) {
        const double u = power(s, a);
        const double made = -decay(u) * u * (0.5 * a * log_positive(guarded(s)));
        return s > T(least_square_of<T>()) ? static_cast<T>(made) : T(0);
    }

  private:
    template <typename T>
    static constexpr double least_square_of() {
        return sizeof(T) == 8 ? least_square : 1e-37;
    }
    static double guarded(double s) {
        const double low = s > least_square ? s : least_square;
        return low < 1e300 ? low : 1e300;
    }
    static double power(double s, double a) {
        const double u = exp_negative(-0.5 * a * log_positive(guarded(s)));
        return u < 1e4 ? u : 1e4;
    }
};

// (1 + s / 2a)^-a
struct RationalQuadratic {
    template <typename T>
    static T value(T s, T a) {
        return static_cast<T>(decay(a * logarithm(s, a)));
    }
    template <typename T>
    static T slope(T s, T a) {
        return static_cast<T>(decay((a + 1.0) * logarithm(s, a)));
    }
    template <typename T>
    static T shape(T s, T a) {
        const double u = scaled(s, a), l = log1p_positive(u);
        return static_cast<T>(decay(a * l) * a * (u / (1.0 + u) - l));
    }

  private:
    static double scaled(double s, double a) {
        const double u = s / (2.0 * a);
        return u < 1e300 ? u : 1e300;
    }
    static double logarithm(double s, double a) { return log1p_positive(scaled(s, a)); }
};

}  // namespace margin
