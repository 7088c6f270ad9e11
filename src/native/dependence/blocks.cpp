// Distances of rows of two tables: sums over all pairs, of which no more than a tile is ever there.
#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstring>
#include <stdexcept>
#include <vector>

#include "common/bind.hpp"
#include "common/interrupt.hpp"
#include "common/native.hpp"
#include "common/team.hpp"
#include "dependence/bindings.hpp"
#include "dependence/lanes.hpp"

namespace margin {
namespace {

using dependence::Eight;
using dependence::Lanes;
using dependence::lanes;
using dependence::sum_of;

constexpr Index height = 4;              // rows at a time
constexpr Index chunk = 8 * lanes;       // rows of one step
constexpr Index most_parts = 32;         // sums that are added at the end, in order
constexpr Index tile_bytes = 96 * 1024;  // of panels, to stay near
constexpr double root_work = 4.0;        // a square root, in numbers read

// A table by rows, and in panels of eight rows, column by column, padded with zeros.
struct Table {
    const double *rows;
    std::vector<Eight> panels;
    Index p;

    Table(const Matrix<const double> &X) : rows(X.data()), p(static_cast<Index>(X.shape(1))) {
        const Index n = static_cast<Index>(X.shape(0));
        panels.resize(static_cast<std::size_t>((n + lanes - 1) / lanes * p));
        for (Index i = 0; i < n; ++i)
            for (Index k = 0; k < p; ++k)
                panels[static_cast<std::size_t>(i / lanes * p + k)].values[i % lanes] =
                    rows[i * p + k];
    }
};

struct Tables {
    const Table &x, &y;
    Index n, count;  // rows, panels
};

// What one share of the rows adds up: products of distances, and sums of the distances of each row.
struct Part {
    double product = 0.0;
    std::vector<Eight> x, y;
};

[[gnu::always_inline]] inline void add(const Lanes &values, Eight &sums) {
    Lanes old;
    load(sums, old);
    old += values;
    std::memcpy(sums.values, &old, sizeof old);
}

// Distances of `rows` rows to the eight of a panel.
template <Index rows>
[[gnu::always_inline]] inline void distances(const double *x, const Eight *panel, Index p,
                                             Lanes (&out)[rows]) {
    for (Index h = 0; h < rows; ++h) out[h] = Lanes{};
    for (Index k = 0; k < p; ++k) {
        Lanes column;
        load(panel[k], column);
        for (Index h = 0; h < rows; ++h) {
            const Lanes step = column - x[h * p + k];
            out[h] += step * step;
        }
    }
    for (Index h = 0; h < rows; ++h)
        for (Index l = 0; l < lanes; ++l) out[h][l] = std::sqrt(out[h][l]);
}

// Rows [i, i + rows) against panels [from, to), each pair of rows once but in the panel of the rows
// themselves, where both orders are met.
template <Index rows, bool sums>
[[gnu::always_inline]] inline void strip(const Tables &tables, Index i, Index from, Index to,
                                         Part &part) {
    const auto &[x, y, n, count] = tables;
    Lanes x_sum[rows] = {}, y_sum[rows] = {}, once = {}, twice = {};
    for (Index q = from; q < to; ++q) {
        Lanes a[rows], b[rows];
        distances<rows>(x.rows + i * x.p, x.panels.data() + q * x.p, x.p, a);
        distances<rows>(y.rows + i * y.p, y.panels.data() + q * y.p, y.p, b);
        if (q == count - 1 && n % lanes)
            for (Index h = 0; h < rows; ++h)
                for (Index l = n % lanes; l < lanes; ++l) a[h][l] = b[h][l] = 0.0;
        Lanes product = {}, x_all = {}, y_all = {};
        for (Index h = 0; h < rows; ++h) {
            product += a[h] * b[h];
            if constexpr (sums) {
                x_sum[h] += a[h], y_sum[h] += b[h];
                x_all += a[h], y_all += b[h];
            }
        }
        if (q == i / lanes) {
            once += product;
            continue;
        }
        twice += product;
        if constexpr (sums) {
            add(x_all, part.x[static_cast<std::size_t>(q)]);
            add(y_all, part.y[static_cast<std::size_t>(q)]);
        }
    }
    part.product += sum_of(once) + 2.0 * sum_of(twice);
    if constexpr (sums)
        for (Index h = 0; h < rows; ++h) {
            const auto q = static_cast<std::size_t>((i + h) / lanes);
            part.x[q].values[(i + h) % lanes] += sum_of(x_sum[h]);
            part.y[q].values[(i + h) % lanes] += sum_of(y_sum[h]);
        }
}

// Rows [first, last) against the panels [from, to) that do not come before them.
template <bool sums>
[[gnu::always_inline]] inline void tile(const Tables &tables, Index first, Index last, Index from,
                                        Index to, Part &part) {
    Index i = first;
    for (; i + height <= last; i += height)
        strip<height, sums>(tables, i, std::max(from, i / lanes), to, part);
    for (; i < last; ++i) strip<1, sums>(tables, i, std::max(from, i / lanes), to, part);
}

MARGIN_CLONES void run(const Tables &tables, Index first, Index last, Index from, Index to,
                       Part &part) {
    tile<false>(tables, first, last, from, to, part);
}
MARGIN_CLONES void run_sums(const Tables &tables, Index first, Index last, Index from, Index to,
                            Part &part) {
    tile<true>(tables, first, last, from, to, part);
}

// Every `parts`-th chunk of rows, from chunk `at` on.
void share(const Tables &tables, Index at, Index parts, bool sums, Interrupt &interrupt,
           Part &part) {
    const Index step = std::max<Index>(1, tile_bytes / (64 * (tables.x.p + tables.y.p + 2)));
    if (sums) part.x.resize(tables.count), part.y.resize(tables.count);
    for (Index first = at * chunk; first < tables.n; first += parts * chunk)
        for (Index from = first / lanes; from < tables.count; from += step) {
            if (interrupt.poll()) return;
            const Index last = std::min(tables.n, first + chunk);
            const Index to = std::min(tables.count, from + step);
            (sums ? run_sums : run)(tables, first, last, from, to, part);
        }
}

// Sum over all ordered pairs of rows of |x_i - x_j| |y_i - y_j|; x_sums[i] = sum_j |x_i - x_j|, and
// y_sums alike, where they are wanted.
double distance_blocks(Matrix<const double> x, Matrix<const double> y,
                       std::optional<Vector<double>> x_sums, std::optional<Vector<double>> y_sums,
                       int n_threads) {
    const Index n = static_cast<Index>(x.shape(0));
    const bool sums = x_sums.has_value();
    if (y.shape(0) != x.shape(0) || sums != y_sums.has_value() ||
        (sums && (x_sums->size() != x.shape(0) || y_sums->size() != x.shape(0))))
        throw std::invalid_argument("distance_blocks: arrays of different length");
    double *x_out = sums ? x_sums->data() : nullptr, *y_out = sums ? y_sums->data() : nullptr;
    Interrupt interrupt;
    nb::gil_scoped_release release;
    const Table left(x), right(y);
    const Tables tables{left, right, n, (n + lanes - 1) / lanes};
    const Index parts = std::min(most_parts, (n + chunk - 1) / chunk);
    std::vector<Part> shares(static_cast<std::size_t>(parts));
    const double work = double(n) * double(n) * (root_work + double(left.p + right.p) / 4.0) / 2.0;
    team::each(n_threads, work, parts, [&](Index at) {
        share(tables, at, parts, sums, interrupt, shares[static_cast<std::size_t>(at)]);
    });
    interrupt.rethrow();
    double product = 0.0;
    for (const Part &part : shares) product += part.product;
    if (!sums) return product;
    for (Index i = 0; i < n; ++i) {
        x_out[i] = y_out[i] = 0.0;
        for (const Part &part : shares) {
            x_out[i] += part.x[static_cast<std::size_t>(i / lanes)].values[i % lanes];
            y_out[i] += part.y[static_cast<std::size_t>(i / lanes)].values[i % lanes];
        }
    }
    return product;
}

}  // namespace

void bind_distance_blocks(nb::module_ &m) {
    m.def("distance_blocks", &distance_blocks, fixed("x"), fixed("y"), maybe("x_sums"),
          maybe("y_sums"), nb::arg("n_threads"));
}

}  // namespace margin
