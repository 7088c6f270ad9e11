// The nearest and the second nearest centre of a tile of rows, in single precision.
#pragma once

#include <cstddef>
#include <cstdint>

namespace margin::cluster {

// Rows of a tile lie side by side: [column][row].
constexpr std::size_t tile = 32;

// Centres in groups of `height`: [group][column][place], times -2, and their squared norms.
struct Centres {
    const float *values;
    const float *start;
    std::size_t groups, p;
};

// Centres that go over a tile together: as many as the registers of the machine hold.
std::size_t height();

// best[i] = min_c |c|^2 - 2 c x_i, its centre and the runner-up, for every row of the tile.
void nearest_two(const float *rows, const Centres &centres, float *best, float *second,
                 std::int32_t *label);

// Rows of p columns with the centre of each; `weight` may be missing.
template <typename T>
struct Labelled {
    const T *X;
    std::size_t p;
    const double *weight, *centres;
    const std::int32_t *label;
};

// The squared distance of every row to its centre; weighted sums and masses of every centre.
struct Gathered {
    double *square, *sums, *mass;
};

// Adds up rows [first, last); returns the weighted sum of the squared distances.
double gather_rows(const Labelled<double> &rows, std::size_t first, std::size_t last,
                   const Gathered &out);
double gather_rows(const Labelled<float> &rows, std::size_t first, std::size_t last,
                   const Gathered &out);

// The squared distance of a row to a centre, the same bits wherever it is asked for.
double squared_distance(const double *x, const double *c, std::size_t p);
double squared_distance(const float *x, const double *c, std::size_t p);

}  // namespace margin::cluster
