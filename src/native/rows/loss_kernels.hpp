// Value, slope and curvature of a loss at one prediction z with target y.
#pragma once

#include "common/elementary.hpp"

namespace margin {

// (z - y)^2 / 2
struct SquaredLoss {
    static void evaluate(double z, double y, double &value, double &slope, double &curvature) {
        slope = z - y;
        value = 0.5 * slope * slope;
        curvature = 1.0;
    }
};

// log(1 + exp(z)) - y z for y in [0, 1]; written so that no digit is lost when z is large.
struct LogisticLoss {
    static void evaluate(double z, double y, double &value, double &slope, double &curvature) {
        const double magnitude = z < 0.0 ? -z : z;
        const double e = exp_negative(magnitude);
        const double near_one = 1.0 / (1.0 + e);
        const double near_zero = e * near_one;
        const bool positive = z >= 0.0;
        const double sigma = positive ? near_one : near_zero;
        const double complement = positive ? near_zero : near_one;
        const double hinge = positive ? (1.0 - y) * magnitude : y * magnitude;
        value = hinge + log1p_unit(e);
        slope = (1.0 - y) * sigma - y * complement;
        curvature = near_one * near_zero;
    }
};

enum class LossId : int { squared = 0, logistic = 1 };

}  // namespace margin
