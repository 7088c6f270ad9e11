// k-means with two centres: which side of the plane between them a row is on, in single precision
// with a bound on its rounding. Only rows that change sides are summed.
#include <nanobind/nanobind.h>
#include <nanobind/ndarray.h>
#include <nanobind/stl/tuple.h>

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <stdexcept>
#include <tuple>
#include <vector>

#include "cluster/bindings.hpp"
#include "cluster/tiles.hpp"
#include "common/bind.hpp"
#include "common/native.hpp"
#include "common/team.hpp"

namespace margin {
namespace {

using cluster::tile;

constexpr std::size_t most_pieces = 32;  // of tiles, each with sums of its own
constexpr std::size_t least_tiles = 16;

struct Counts {
    std::size_t changed = 0, doubtful = 0;
};

// Rows around a middle in double precision, and packed in single precision times a scale.
template <typename T>
struct Table {
    const T *X;
    std::size_t n, p;
    const double *weight;  // or null
    const double *middle;
    const float *tiles;
    const float *radius;  // distance from the middle, rounded up, in the scale of the tiles
};

// The plane v . normal = offset in the scale of the tiles, and what rounding may cost.
struct Plane {
    std::vector<float> normal;
    float offset, slope, level;

    Plane(const double *centres, const double *middle, double scale, std::size_t p) : normal(p) {
        double along = 0.0, square = 0.0, size = 0.0;
        for (std::size_t l = 0; l < p; ++l) {
            const double d = (centres[p + l] - centres[l]) * scale;
            const double m = (0.5 * (centres[l] + centres[p + l]) - middle[l]) * scale;
            normal[l] = static_cast<float>(d);
            along += m * d;
            size += std::abs(m * d);
            square += d * d;
        }
        const double unit = 2.1 * double(p + 8) * 0x1p-24;
        offset = static_cast<float>(along);
        slope = static_cast<float>(unit * std::sqrt(square) + 1e-36);
        level = static_cast<float>(unit * size + 1e-36);
    }
};

// Which side each row of a tile is on, and whether it is too close to the plane to tell; whether
// any is, or has another label than before.
MARGIN_CLONES bool look(const float *rows, const float *radius, const Plane &plane, std::size_t p,
                        const std::int32_t *label, std::int32_t *side, std::int32_t *doubt) {
    float f[tile];
    const float *normal = plane.normal.data();
    for (std::size_t j = 0; j < tile; ++j) f[j] = -plane.offset;
    for (std::size_t l = 0; l < p; ++l) {
        const float d = normal[l], *x = rows + l * tile;
#pragma omp simd
        for (std::size_t j = 0; j < tile; ++j) f[j] += d * x[j];
    }
    std::int32_t any = 0;
#pragma omp simd reduction(| : any)
    for (std::size_t j = 0; j < tile; ++j) {
        side[j] = f[j] > 0.0f;
        doubt[j] = !(std::abs(f[j]) > plane.slope * radius[j] + plane.level);
        any |= doubt[j] | (side[j] ^ label[j]);
    }
    return any != 0;
}

// `moved` gets what the second side has gained: sums about the middle, weight; `whole`, of rows
// without a label yet, the sums, their weight and their squares.
template <typename T>
[[gnu::always_inline]] inline void take(const Table<T> &t, std::size_t row, std::int32_t before,
                                        std::int32_t side, double *moved, double *whole) {
    const T *x = t.X + row * t.p;
    const double w = t.weight ? t.weight[row] : 1.0;
    if (before < 0) {
        double square = 0.0;
        for (std::size_t l = 0; l < t.p; ++l) {
            const double v = double(x[l]) - t.middle[l];
            whole[l] += w * v;
            square += v * v;
        }
        whole[t.p] += w;
        whole[t.p + 1] += w * square;
        if (side == 0) return;
    }
    const double sign = side ? w : -w;
    for (std::size_t l = 0; l < t.p; ++l) moved[l] += sign * (double(x[l]) - t.middle[l]);
    moved[t.p] += sign;
}

template <typename T>
Counts pass(const Table<T> &t, const Plane &plane, const double *centres, std::size_t first,
            std::size_t last, std::int32_t *label, double *moved, double *whole) {
    Counts counts;
    std::int32_t before[tile], side[tile], doubt[tile];
    for (std::size_t at = first; at < last; at += tile) {
        const std::size_t count = std::min(tile, last - at);
        std::copy(label + at, label + at + count, before);
        std::fill(before + count, before + tile, 0);
        if (!look(t.tiles + at * t.p, t.radius + at, plane, t.p, before, side, doubt)) continue;
        for (std::size_t j = 0; j < count; ++j) {
            const std::size_t row = at + j;
            if (doubt[j]) {
                const T *x = t.X + row * t.p;
                side[j] = cluster::squared_distance(x, centres + t.p, t.p) <
                          cluster::squared_distance(x, centres, t.p);
                ++counts.doubtful;
            }
            if (side[j] == before[j]) continue;
            label[row] = side[j];
            ++counts.changed;
            take(t, row, before[j], side[j], moved, whole);
        }
    }
    return counts;
}

using Told = std::tuple<std::size_t, std::size_t, double>;

// `about` and `mass` hold the sums about the middle and the weights of both sides, `squares` the
// weighted squares of all rows; `sums` gets the sums about zero. Returned with the sum of squared
// errors, which loses digits where it is a small part of `squares`.
template <typename T>
Told two_sides(Matrix<const T> X, std::optional<Vector<const double>> weight,
               nb::ndarray<const float, nb::ndim<3>, nb::c_contig> tiles,
               Vector<const float> radius, Vector<const double> middle, double scale,
               Matrix<const double> centres, Vector<std::int32_t> label, Matrix<double> about,
               Vector<double> mass, Vector<double> squares, Matrix<double> sums, int n_threads) {
    const std::size_t n = X.shape(0), p = X.shape(1), all = (n + tile - 1) / tile;
    const auto both_of = [p](const auto &a) { return a.shape(0) == 2 && a.shape(1) == p; };
    if (!both_of(centres) || !both_of(about) || !both_of(sums) || middle.size() != p ||
        label.size() != n || radius.size() != all * tile || mass.size() != 2 ||
        squares.size() != 1 || tiles.shape(0) != all || tiles.shape(1) != p ||
        tiles.shape(2) != tile || (weight && weight->size() != n))
        throw std::invalid_argument("two_sides: arrays of different shape");
    const Table<T> table{
        X.data(),     n, p, weight ? weight->data() : nullptr, middle.data(), tiles.data(),
        radius.data()};
    const double *both = centres.data(), *at = middle.data();
    std::int32_t *labels = label.data();
    double *held = about.data(), *w = mass.data(), *square = squares.data(), *out = sums.data();
    nb::gil_scoped_release release;
    const Plane plane(both, at, scale, p);
    const std::size_t size = tile * std::max(least_tiles, (all + most_pieces - 1) / most_pieces);
    const std::size_t pieces = (n + size - 1) / size, width = 2 * p + 3;
    std::vector<double> parts(pieces * width, 0.0);
    std::vector<Counts> counts(pieces);
    team::each(n_threads, double(n) * double(p), Index(pieces), [&](Index piece) {
        const std::size_t first = std::size_t(piece) * size, last = std::min(n, first + size);
        double *own = parts.data() + std::size_t(piece) * width;
        counts[piece] = pass(table, plane, both, first, last, labels, own, own + p + 1);
    });
    Counts told;
    for (std::size_t b = 0; b < pieces; ++b) {
        const double *moved = parts.data() + b * width, *whole = moved + p + 1;
        for (std::size_t l = 0; l < p; ++l) {
            held[l] += whole[l] - moved[l];
            held[p + l] += moved[l];
        }
        w[0] += whole[p] - moved[p];
        w[1] += moved[p];
        *square += whole[p + 1];
        told.changed += counts[b].changed;
        told.doubtful += counts[b].doubtful;
    }
    double error = *square;
    for (std::size_t c = 0; c < 2; ++c)
        for (std::size_t l = 0; l < p; ++l) {
            const double away = both[c * p + l] - at[l];
            error -= away * (2.0 * held[c * p + l] - w[c] * away);
            out[c * p + l] = held[c * p + l] + w[c] * at[l];
        }
    return {told.changed, told.doubtful, error};
}

}  // namespace

void bind_cluster_two_sides(nb::module_ &m) {
    for_tables([&]<typename T>() {
        m.def("two_sides", &two_sides<T>, fixed("X"), maybe("weight"), fixed("tiles"),
              fixed("radius"), fixed("middle"), nb::arg("scale"), fixed("centres"), fixed("label"),
              fixed("about"), fixed("mass"), fixed("squares"), fixed("sums"), nb::arg("n_threads"));
    });
}

}  // namespace margin
