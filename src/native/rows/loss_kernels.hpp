// Value, slope and curvature of a loss at one prediction z with target y.
#pragma once

#include "common/elementary.hpp"
#include "common/logarithm.hpp"

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

// exp(z) - y z + y log y - y: half the deviance of a count. For y > 0 it is y (e^s - 1 - s) with
// s = z - log y, by its series where the difference would cancel.
struct PoissonLoss {
    static void evaluate(double z, double y, double &value, double &slope, double &curvature) {
        const double e = exp_negative(z < 0.0 ? -z : z);
        const double mean = z < 0.0 ? e : 1.0 / e;
        const bool counts = y > 0.0;
        const double s = z - log_positive(counts ? y : 1.0);
        const double series = 0.5 * s * s * (1.0 + s / 3.0 * (1.0 + s / 4.0));
        const bool near = s < 1e-3 && s > -1e-3;
        slope = mean - y;
        value = near ? y * series : slope - y * s;
        value = counts ? value : mean;
        curvature = mean;
    }
};

enum class LossId : int { squared = 0, logistic = 1, poisson = 2 };

}  // namespace margin
