// The E step of a mixture of normal vectors in one pass: densities, shares, statistics.
#include <nanobind/nanobind.h>
#include <nanobind/ndarray.h>

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <stdexcept>
#include <vector>

#include "common/bind.hpp"
#include "common/team.hpp"
#include "mixture/bindings.hpp"
#include "mixture/panel.hpp"
#include "mixture/shares.hpp"

namespace margin {
namespace {

using namespace mixture;

struct Laws {
    Index p, k;
    const double *means;
    const double *constants;  // log weight and log normaliser
    std::vector<std::vector<double>> packed;
    double beta;  // inverse temperature; infinity gives all of a row to its best law
};

// Room for one thread.
struct Desk {
    std::vector<double> plain, away, weighed, share, tiles, level;

    Desk(Index p, Index k, bool sums)
        : plain(p * rows), away(strips(p) * strip * rows), weighed(strips(p) * strip * rows),
          share(k * rows), tiles(sums ? k * tile_size(p) : 0), level(3 * rows) {}
};

// share[k][r] becomes the log joint density of every row and law.
MARGIN_CLONES void log_joint(const Laws &laws, const double *plain, double *share) {
    for (Index k = 0; k < laws.k; ++k) {
        double *out = share + k * rows;
        squared_lengths(plain, laws.means + k * laws.p, laws.packed[k].data(), laws.p, out);
        for (Index r = 0; r < rows; ++r) out[r] = laws.constants[k] - 0.5 * out[r];
    }
}

MARGIN_CLONES void share_out(const Laws &laws, double *share, double *level) {
    normalise(laws.k, laws.beta, share, level, level + rows, level + 2 * rows);
}

// Adds the statistics of a panel about the means of the laws; shares carry the weights.
MARGIN_CLONES void add_statistics(const Laws &laws, Desk &desk, double *total, double *first) {
    const Index p = laws.p;
    for (Index k = 0; k < laws.k; ++k) {
        const double *share = desk.share.data() + k * rows, *mean = laws.means + k * p;
        double sum = 0.0;
#pragma omp simd reduction(+ : sum)
        for (Index r = 0; r < rows; ++r) sum += share[r];
        if (sum == 0.0) continue;
        total[k] += sum;
        for (Index i = 0; i < p; ++i) {
            const double *x = desk.plain.data() + i * rows;
            double *d = desk.away.data() + i * rows, *w = desk.weighed.data() + i * rows;
            double moment = 0.0;
#pragma omp simd reduction(+ : moment)
            for (Index r = 0; r < rows; ++r) {
                d[r] = x[r] - mean[i];
                w[r] = share[r] * d[r];
                moment += w[r];
            }
            first[k * p + i] += moment;
        }
        add_scatter(desk.away.data(), desk.weighed.data(), p, desk.tiles.data() + k * tile_size(p));
    }
}

template <typename T>
void load(const T *x, Index row_step, Index step, Index n, Index p, double *plain) {
    for (Index r = 0; r < rows; ++r)
        for (Index i = 0; i < p; ++i)
            plain[i * rows + r] = r < n ? double(x[r * row_step + i * step]) : plain[i * rows];
}

template <typename T>
double expectation(
    nb::ndarray<const T, nb::ndim<2>, nb::device::cpu> X,
    std::optional<Vector<const double>> weight, Matrix<const double> means,
    nb::ndarray<const double, nb::ndim<3>, nb::c_contig, nb::device::cpu> roots,
    Vector<const double> constants, double beta, bool given, std::optional<Matrix<double>> table,
    std::optional<Vector<double>> total, std::optional<Matrix<double>> first,
    std::optional<nb::ndarray<double, nb::ndim<3>, nb::c_contig, nb::device::cpu>> second,
    int n_threads) {
    const Index n = X.shape(0), p = X.shape(1), k = means.shape(0);
    const bool sums = total.has_value();
    if (Index(means.shape(1)) != p || Index(roots.shape(0)) != k || Index(roots.shape(1)) != p ||
        Index(roots.shape(2)) != p || Index(constants.size()) != k ||
        (weight && Index(weight->size()) != n) ||
        (table && (Index(table->shape(0)) != n || Index(table->shape(1)) != k)) ||
        (given && !table) || sums != first.has_value() || sums != second.has_value() ||
        (sums && (Index(total->size()) != k || Index(first->shape(0)) != k ||
                  Index(first->shape(1)) != p || Index(second->shape(0)) != k ||
                  Index(second->shape(1)) != p || Index(second->shape(2)) != p)))
        throw std::invalid_argument("mixture_expectation: arrays of different shape");
    const T *x = X.data();
    const Index row_step = X.stride(0), step = X.stride(1);
    const double *w = weight ? weight->data() : nullptr;
    double *joint = table ? table->data() : nullptr;
    nb::gil_scoped_release release;
    Laws laws{p, k, means.data(), constants.data(), {}, beta};
    for (Index j = 0; j < k; ++j) laws.packed.push_back(pack(roots.data() + j * p * p, p));
    const std::size_t own = sums ? std::size_t(k) * (1 + p + p * p) : 0;
    const Index width = piece_rows(n, own), pieces = (n + width - 1) / width;
    std::vector<double> parts(pieces * own), bounds(pieces);
    const double work = double(n) * double(p) * double(p) * double(k) / 8;
    team::run(n_threads, work, pieces, [&] {
        return [&, desk = Desk(p, k, sums)](Index b) mutable {
            double *mine = parts.data() + b * own, bound = 0.0;
            std::fill(desk.tiles.begin(), desk.tiles.end(), 0.0);
            for (Index at = b * width; at < std::min(n, (b + 1) * width); at += rows) {
                const Index here = std::min(rows, n - at);
                load(x + at * row_step, row_step, step, here, p, desk.plain.data());
                double *level = desk.level.data(), *share = desk.share.data();
                if (given) {
                    for (Index j = 0; j < k; ++j)
                        for (Index r = 0; r < rows; ++r)
                            share[j * rows + r] = r < here ? joint[(at + r) * k + j] : 0.0;
                } else {
                    log_joint(laws, desk.plain.data(), share);
                    if (joint)
                        for (Index r = 0; r < here; ++r)
                            for (Index j = 0; j < k; ++j)
                                joint[(at + r) * k + j] = share[j * rows + r];
                }
                if (!sums) continue;
                if (!given) share_out(laws, share, level);
                bound += weigh(k, here, w ? w + at : nullptr, given ? nullptr : level, share);
                add_statistics(laws, desk, mine, mine + k);
            }
            for (Index j = 0; sums && j < k; ++j)
                collect(desk.tiles.data() + j * tile_size(p), p, mine + k + k * p + j * p * p);
            bounds[b] = bound;
        };
    });
    double bound = 0.0;
    for (Index b = 0; b < pieces; ++b) {
        bound += bounds[b];
        const double *mine = parts.data() + b * own;
        for (Index j = 0; sums && j < k; ++j) total->data()[j] += mine[j];
        for (Index j = 0; sums && j < k * p; ++j) first->data()[j] += mine[k + j];
        for (Index j = 0; sums && j < k * p * p; ++j) second->data()[j] += mine[k + k * p + j];
    }
    for (Index j = 0; sums && j < k; ++j) {
        double *matrix = second->data() + j * p * p;
        for (Index a = 0; a < p; ++a)
            for (Index c = 0; c < a; ++c) matrix[c * p + a] = matrix[a * p + c];
    }
    return bound;
}

}  // namespace

void bind_mixture_expectation(nb::module_ &m) {
    for_tables([&]<typename T>() {
        m.def("mixture_expectation", &expectation<T>, fixed("X"), maybe("weight"), fixed("means"),
              fixed("roots"), fixed("constants"), nb::arg("beta"), nb::arg("given"), maybe("table"),
              maybe("total"), maybe("first"), maybe("second"), nb::arg("n_threads"));
    });
}

}  // namespace margin
