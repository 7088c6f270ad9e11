// Shares of the rows of a panel in several laws.
#pragma once

#include <cmath>
#include <limits>

#include "common/elementary.hpp"
#include "common/logarithm.hpp"
#include "mixture/panel.hpp"

namespace margin::mixture {

constexpr double nothing = -std::numeric_limits<double>::infinity();

// Turns the log joints share[k][r] into shares to the power `beta`, which is infinity to give all
// of a row to its best law; bound[r] is the (tempered) log-likelihood of the row.
[[gnu::always_inline]] inline void normalise(Index laws, double temper, double *share,
                                             double *bound, double *most, double *total) {
    const double beta = std::isinf(temper) ? 1.0 : temper;
    for (Index r = 0; r < rows; ++r) most[r] = nothing, total[r] = 0.0;
    for (Index k = 0; k < laws; ++k)
        for (Index r = 0; r < rows; ++r) {
            const double value = share[k * rows + r];
            most[r] = value > most[r] ? value : most[r];
        }
    if (std::isinf(temper)) {
        for (Index k = 0; k < laws; ++k)
            for (Index r = 0; r < rows; ++r) {
                const bool best = share[k * rows + r] == most[r] && total[r] == 0.0;
                share[k * rows + r] = best ? 1.0 : 0.0;
                total[r] += best ? 1.0 : 0.0;
            }
        for (Index r = 0; r < rows; ++r) bound[r] = most[r];
        return;
    }
    for (Index k = 0; k < laws; ++k)
        for (Index r = 0; r < rows; ++r) {
            const double below = beta * (most[r] - share[k * rows + r]);
            // Laws without weight are infinitely far below; so is everything where nothing fits.
            const double part = below < 700.0 ? exp_negative(below) : 0.0;
            share[k * rows + r] = part;
            total[r] += part;
        }
    for (Index r = 0; r < rows; ++r)
        bound[r] = total[r] > 0.0 ? most[r] + log_positive(total[r]) / beta : nothing;
    for (Index k = 0; k < laws; ++k)
        for (Index r = 0; r < rows; ++r)
            share[k * rows + r] =
                total[r] > 0.0 ? share[k * rows + r] / total[r] : 1.0 / double(laws);
}

// Weighs the shares of a panel of which `here` rows are real; the weighted sum of their bounds.
inline double weigh(Index laws, Index here, const double *weight, const double *bound,
                    double *share) {
    double sum = 0.0;
    // A row without weight counts nothing, however far out it is.
    for (Index r = 0; bound && r < here; ++r)
        if (!weight || weight[r] > 0.0) sum += (weight ? weight[r] : 1.0) * bound[r];
    for (Index r = 0; r < rows; ++r) {
        const double count = r >= here ? 0.0 : weight ? weight[r] : 1.0;
        if (count == 1.0) continue;
        for (Index k = 0; k < laws; ++k) share[k * rows + r] *= count;
    }
    return sum;
}

// Rows of a piece of work that keeps so many sums of its own: a function of the sizes alone, so
// that what is added up does not depend on threads.
inline Index piece_rows(Index n, std::size_t doubles) {
    const Index most = std::clamp<Index>(Index((std::size_t(1) << 22) / (doubles + 1)), 8, 256);
    const Index wanted = std::max<Index>(2048, (n + most - 1) / most);
    return (wanted + rows - 1) / rows * rows;
}

}  // namespace margin::mixture
