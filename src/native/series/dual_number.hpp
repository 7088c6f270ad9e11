// Numbers that carry a derivative, and the functions a filter needs of them.
#pragma once

#include <cmath>

namespace margin::series {

// A number and its derivative in one direction.
struct Dual {
    double v = 0.0, d = 0.0;
    Dual() = default;
    Dual(double value, double slope = 0.0) : v(value), d(slope) {}
};
inline Dual operator+(Dual a, Dual b) { return {a.v + b.v, a.d + b.d}; }
inline Dual operator-(Dual a, Dual b) { return {a.v - b.v, a.d - b.d}; }
inline Dual operator-(Dual a) { return {-a.v, -a.d}; }
inline Dual operator*(Dual a, Dual b) { return {a.v * b.v, a.v * b.d + a.d * b.v}; }
inline Dual operator/(Dual a, Dual b) {
    const double q = a.v / b.v;
    return {q, (a.d - q * b.d) / b.v};
}
inline Dual &operator+=(Dual &a, Dual b) { return a = a + b; }
inline Dual &operator-=(Dual &a, Dual b) { return a = a - b; }
inline Dual exponential(Dual a) {
    const double e = std::exp(a.v);
    return {e, e * a.d};
}
inline Dual logarithm(Dual a) { return {std::log(a.v), a.d / a.v}; }
inline Dual root(Dual a) {
    const double r = std::sqrt(a.v);
    return {r, 0.5 * a.d / r};
}
inline double exponential(double a) { return std::exp(a); }
inline double logarithm(double a) { return std::log(a); }
inline double root(double a) { return std::sqrt(a); }
inline double plain(double a) { return a; }
inline double plain(Dual a) { return a.v; }

}  // namespace margin::series
