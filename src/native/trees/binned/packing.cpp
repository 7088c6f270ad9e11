// Loops over the slopes of rows that compilers turn into wide registers.
#include "trees/binned/packing.hpp"

#include <cmath>
#include <cstdint>

#include "common/native.hpp"

namespace margin::trees {

namespace {

constexpr Index lanes = 8;

}  // namespace

// Eight sums side by side, whatever the width of the registers: the same on every processor.
MARGIN_CLONES
void add_slopes(const float *g, Index n, Sizes &to) {
    double sum[lanes] = {};
    Index i = 0;
    for (; i + lanes <= n; i += lanes)
        for (Index k = 0; k < lanes; ++k) sum[k] += std::abs(static_cast<double>(g[i + k]));
    for (; i < n; ++i) sum[i % lanes] += std::abs(static_cast<double>(g[i]));
    for (Index k = 0; k < lanes; ++k) to.slopes += sum[k];
}

MARGIN_CLONES
void add_curvatures(const float *h, Index n, Sizes &to) {
    double sum[lanes] = {};
    std::int32_t broken[lanes] = {};
    Index i = 0;
    for (; i + lanes <= n; i += lanes)
        for (Index k = 0; k < lanes; ++k) {
            sum[k] += static_cast<double>(h[i + k]);
            broken[k] |= h[i + k] != std::nearbyint(h[i + k]);
        }
    for (; i < n; ++i) {
        sum[i % lanes] += static_cast<double>(h[i]);
        broken[i % lanes] |= h[i] != std::nearbyint(h[i]);
    }
    for (Index k = 0; k < lanes; ++k) {
        to.curvatures += sum[k];
        to.whole &= broken[k] == 0;
    }
}

// Both halves stay within 2^31, see `Units`.
MARGIN_CLONES
Packed pack_rows(const float *g, const float *h, Index n, const Units &units, Packed *out) {
    const double per_g = 1.0 / units.slope, per_h = 1.0 / units.curvature;
    Packed sum = 0;
    for (Index i = 0; i < n; ++i)
        out[i] = static_cast<std::int32_t>(std::nearbyint(g[i] * per_g)) * (Packed{1} << 32);
    if (h != nullptr) {
        for (Index i = 0; i < n; ++i)
            out[i] += static_cast<std::int32_t>(std::nearbyint(h[i] * per_h));
    } else {
        for (Index i = 0; i < n; ++i) ++out[i];
    }
    for (Index i = 0; i < n; ++i) sum += out[i];
    return sum;
}

}  // namespace margin::trees
