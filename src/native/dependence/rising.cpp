// Sums over the pairs of points that rise, by digits of their ranks.
//
// Points are dealt to sixteen buckets by the highest digit of their rank, in the order in which
// they come. Whoever comes adds itself with the earlier ones of all lower buckets, of which number
// and sum are enough; pairs within a bucket are left to the next digit, and in the end to all pairs
// of a leaf. No step depends on a comparison, so that nothing is mispredicted.
#include "dependence/rising.hpp"

#include <algorithm>
#include <bit>
#include <cstddef>

#include "common/native.hpp"
#include "common/team.hpp"
#include "dependence/lanes.hpp"

namespace margin::dependence {
namespace {

constexpr int digit_bits = 4, leaf_bits = 5;
constexpr Index n_buckets = Index{1} << digit_bits, leaf = Index{1} << leaf_bits;
constexpr double point_work = 20.0;

// Ones at the bucket of a digit, and at all above it.
struct Masks {
    alignas(64) Lanes own[n_buckets][2];
    alignas(64) Lanes above[n_buckets][2];
    constexpr Masks() : own{}, above{} {
        for (Index d = 0; d < n_buckets; ++d)
            for (Index e = 0; e < n_buckets; ++e) {
                own[d][e / 8][e % 8] = e == d ? 1.0 : 0.0;
                above[d][e / 8][e % 8] = e > d ? 1.0 : 0.0;
            }
    }
};
const Masks masks;

// Deals n points with the ranks from `base` on to buckets of 2^shift ranks; returns the sum over
// pairs of different buckets.
MARGIN_CLONES double deal(const Point *in, Point *out, Index n, std::uint32_t base, int shift) {
    Lanes count[2] = {}, sum[2] = {}, total[2] = {};
    Point *next[n_buckets];
    for (Index d = 0; d < n_buckets; ++d) next[d] = out + std::min(n, d << shift);
    for (Index j = 0; j < n; ++j) {
        const Point point = in[j];
        const std::uint32_t d = (point.rank - base) >> shift;
        *next[d]++ = point;
        const Lanes *own = masks.own[d], *above = masks.above[d];
        total[0] += own[0] * point.a * (count[0] * point.b - sum[0]);
        total[1] += own[1] * point.a * (count[1] * point.b - sum[1]);
        count[0] += above[0], count[1] += above[1];
        sum[0] += above[0] * point.b, sum[1] += above[1] * point.b;
    }
    const Lanes both = total[0] + total[1];
    return sum_of(both);
}

// Sum over the pairs within each leaf of n points.
MARGIN_CLONES double leaves(const Point *in, Index n) {
    double result = 0.0;
    for (Index first = 0; first < n; first += leaf) {
        const Index m = std::min(leaf, n - first);
        double a[leaf] = {}, b[leaf] = {};
        for (Index j = 0; j < m; ++j) a[j] = in[first + j].a, b[j] = in[first + j].b;
        Lanes total = {};
        for (Index v = 0; v < m; v += 8) {
            Lanes heads, weights, rise = {};
            load(b + v, heads);
            load(a + v, weights);
            for (Index i = 0; i < v; ++i) {
                const Lanes step = heads - b[i];
                rise += step > 0.0 ? step : Lanes{};
            }
            for (Index i = 0; i < 8; ++i) {
                const Lanes step = (heads - b[v + i]) * masks.above[i][0];
                rise += step > 0.0 ? step : Lanes{};
            }
            total += weights * rise;
        }
        result += sum_of(total);
    }
    return result;
}

// Sum over the pairs of n points with the ranks from `base` on, at most 2^bits.
double within(Point *points, Point *spare, Index n, std::uint32_t base, int bits) {
    if (n < 2) return 0.0;
    if (bits <= leaf_bits) return leaves(points, n);
    const int shift = std::max(bits - digit_bits, leaf_bits);
    double total = deal(points, spare, n, base, shift);
    if (shift == leaf_bits) return total + leaves(spare, n);
    const Index width = Index{1} << shift;
    for (Index first = 0; first < n; first += width)
        total += within(spare + first, points + first, std::min(width, n - first),
                        base + static_cast<std::uint32_t>(first), shift);
    return total;
}

}  // namespace

double rising_sum(std::vector<Point> &points, int n_threads) {
    const Index n = static_cast<Index>(points.size());
    if (n < 2) return 0.0;
    const int bits = std::bit_width(points.size() - 1);
    std::vector<Point> spare(points.size());
    if (bits <= digit_bits + leaf_bits) return within(points.data(), spare.data(), n, 0, bits);
    const int shift = bits - digit_bits;
    const Index width = Index{1} << shift, pieces = (n + width - 1) / width;
    double total = deal(points.data(), spare.data(), n, 0, shift);
    double part[n_buckets] = {};
    team::each(n_threads, point_work * double(n), pieces, [&](Index i) {
        const Index first = i * width;
        part[i] = within(spare.data() + first, points.data() + first, std::min(width, n - first),
                         static_cast<std::uint32_t>(first), shift);
    });
    for (const double value : part) total += value;
    return total;
}

}  // namespace margin::dependence
