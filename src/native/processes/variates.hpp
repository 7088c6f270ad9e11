// Normal and gamma variates from uniform ones.
#pragma once

#include <cmath>
#include <numbers>

#include "common/draws.hpp"

namespace margin::processes {

// Box and Muller, one of the pair.
inline double normal_variate(Draws &draws) {
    const double u = 1.0 - draws.uniform(), v = draws.uniform();
    return std::sqrt(-2.0 * std::log(u)) * std::cos(2.0 * std::numbers::pi * v);
}

// Marsaglia and Tsang (2000), for any shape above 0 and a rate of one.
inline double gamma_variate(double shape, Draws &draws) {
    if (shape < 1.0) {
        const double u = 1.0 - draws.uniform();
        return gamma_variate(shape + 1.0, draws) * std::pow(u, 1.0 / shape);
    }
    const double d = shape - 1.0 / 3.0, c = 1.0 / std::sqrt(9.0 * d);
    while (true) {
        const double x = normal_variate(draws), root = 1.0 + c * x;
        if (root <= 0.0) continue;
        const double v = root * root * root, u = 1.0 - draws.uniform();
        if (std::log(u) < 0.5 * x * x + d - d * v + d * std::log(v)) return d * v;
    }
}

}  // namespace margin::processes
