// The penalty l1 |w|_1 + l2/2 |w|^2, with w >= 0 on request, one coordinate at a time.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstddef>

namespace margin {

struct Shrinkage {
    double l1, l2;
    bool positive;

    // Minimiser in one coordinate of curvature c (l2 included) where the smooth slope is g.
    double move(double w, double g, double c) const {
        const double u = w - g / c, t = l1 / c;
        if (positive) return u > t ? u - t : 0.0;
        return u > t ? u - t : (u < -t ? u + t : 0.0);
    }
    // Distance of -g from the subdifferential at w.
    double violation(double w, double g) const {
        if (w != 0.0) return std::abs(g + (w > 0.0 ? l1 : -l1));
        return std::max(0.0, (positive ? -g : std::abs(g)) - l1);
    }
    double size(const double *w, std::size_t m) const {
        double a = 0.0, b = 0.0;
        for (std::size_t j = 0; j < m; ++j) a += std::abs(w[j]), b += w[j] * w[j];
        return l1 * a + 0.5 * l2 * b;
    }
};

}  // namespace margin
