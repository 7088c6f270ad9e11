// Sums over all rows of functions that are computed block by block, and their combinations.
#include <algorithm>
#include <cstddef>
#include <stdexcept>
#include <vector>

#include "common/bind.hpp"
#include "common/native.hpp"
#include "common/team.hpp"
#include "dependence/bindings.hpp"
#include "dependence/functions.hpp"
#include "dependence/tiles.hpp"

namespace margin {
namespace {

using dependence::block;
using dependence::Functions;
using dependence::Lanes;
using dependence::lanes;
using dependence::load;
using dependence::side;

constexpr Index most_parts = 16;  // sums that are added at the end, in order
constexpr double function_work = 8.0;

Functions functions(const Vector<const double> &argument, Index n_polynomials,
                    const Matrix<const double> &columns, const Matrix<const double> &turns,
                    const Vector<const double> &phase, const Vector<const double> &origin) {
    if (turns.shape(1) != columns.shape(0) || phase.size() != turns.shape(0) ||
        origin.size() != turns.shape(0) || n_polynomials < 0 ||
        (n_polynomials > 0 && argument.size() != columns.shape(1)))
        throw std::invalid_argument("functions: arrays of different shape");
    return {argument.data(),
            n_polynomials,
            columns.data(),
            turns.data(),
            phase.data(),
            origin.data(),
            static_cast<Index>(turns.shape(0)),
            static_cast<Index>(columns.shape(0)),
            static_cast<Index>(columns.shape(1))};
}

// body(part, first, m, values of the functions) for every block of rows, a fixed share of which is
// each part's.
template <typename Body>
void each_block(const Functions &functions, Index parts, int n_threads, double work,
                const Body &body) {
    const Index count = dependence::whole_tiles(functions.count());
    team::run(n_threads, double(functions.n) * work, parts, [&] {
        return [&, values = std::vector<double>(static_cast<std::size_t>(count * block))](
                   Index part) mutable {
            for (Index first = part * block; first < functions.n; first += parts * block) {
                const Index m = std::min(block, functions.n - first);
                dependence::write(functions, first, m, values.data());
                body(part, first, m, values.data());
            }
        };
    });
}

MARGIN_CLONES void add_moments(const double *values, Index count, Index padded, double *sums,
                               double *inner) {
    for (Index f = 0; f < count; ++f) {
        double sum = 0.0;
#pragma omp simd reduction(+ : sum)
        for (Index r = 0; r < block; ++r) sum += values[f * block + r];
        sums[f] += sum;
    }
    dependence::add_products<true>(values, values, padded, padded, inner);
}

// sums[f] over the rows of function f, and inner[f, g] over the products of two functions.
void function_moments(Vector<const double> argument, Index n_polynomials,
                      Matrix<const double> columns, Matrix<const double> turns,
                      Vector<const double> phase, Vector<const double> origin, Vector<double> sums,
                      Matrix<double> inner, int n_threads) {
    const Functions all = functions(argument, n_polynomials, columns, turns, phase, origin);
    const Index count = all.count(), padded = dependence::whole_tiles(count);
    if (Index(sums.size()) != count || Index(inner.shape(0)) != count ||
        Index(inner.shape(1)) != count)
        throw std::invalid_argument("function_moments: arrays of different shape");
    double *total = sums.data(), *products = inner.data();
    nb::gil_scoped_release release;
    const Index parts = std::min(most_parts, (all.n + block - 1) / block);
    std::vector<std::vector<double>> shares(static_cast<std::size_t>(parts));
    const double work = double(count) * (function_work + double(count) / 16.0);
    const auto own = [&](Index part) -> double * {
        std::vector<double> &share = shares[static_cast<std::size_t>(part)];
        if (share.empty()) share.resize(static_cast<std::size_t>((padded + 1) * padded));
        return share.data();
    };
    each_block(all, parts, n_threads, work, [&](Index part, Index, Index, const double *values) {
        add_moments(values, count, padded, own(part) + padded * padded, own(part));
    });
    std::fill_n(total, count, 0.0);
    std::fill_n(products, count * count, 0.0);
    for (const std::vector<double> &share : shares)
        for (Index f = 0; f < count; ++f) {
            total[f] += share[static_cast<std::size_t>(padded * padded + f)];
            for (Index g = f; g < count; ++g)
                products[f * count + g] += share[static_cast<std::size_t>(f * padded + g)];
        }
    for (Index f = 0; f < count; ++f)
        for (Index g = 0; g < f; ++g) products[f * count + g] = products[g * count + f];
}

// out[c, r] = sum over f of coefficients[c, f] values[f, r] - offset[c], for m rows of n.
MARGIN_CLONES void combine(const double *values, const double *coefficients, const double *offset,
                           Index outputs, Index count, Index m, double *out, Index n) {
    for (Index at = 0; at < outputs; at += side)
        for (Index r = 0; r < m; r += 2 * lanes) {
            Lanes total[side][2];
            const Index some = std::min(side, outputs - at);
            const double *own[side];
#pragma GCC unroll 4
            for (Index h = 0; h < side; ++h) {
                const Index c = at + std::min(h, some - 1);
                own[h] = coefficients + c * count;
                total[h][0] = total[h][1] = Lanes{} - offset[c];
            }
            for (Index f = 0; f < count; ++f) {
                Lanes left, right;
                load(values + f * block + r, left);
                load(values + f * block + r + lanes, right);
#pragma GCC unroll 4
                for (Index h = 0; h < side; ++h) {
                    total[h][0] += own[h][f] * left;
                    total[h][1] += own[h][f] * right;
                }
            }
            for (Index h = 0; h < some; ++h)
                for (Index l = 0; l < std::min(2 * lanes, m - r); ++l)
                    out[(at + h) * n + r + l] = total[h][l / lanes][l % lanes];
        }
}

void function_combinations(Vector<const double> argument, Index n_polynomials,
                           Matrix<const double> columns, Matrix<const double> turns,
                           Vector<const double> phase, Vector<const double> origin,
                           Matrix<const double> coefficients, Vector<const double> offset,
                           Matrix<double> out, int n_threads) {
    const Functions all = functions(argument, n_polynomials, columns, turns, phase, origin);
    const Index outputs = static_cast<Index>(out.shape(0));
    if (Index(coefficients.shape(1)) != all.count() || coefficients.shape(0) != out.shape(0) ||
        offset.size() != out.shape(0) || Index(out.shape(1)) != all.n)
        throw std::invalid_argument("function_combinations: arrays of different shape");
    const double *c = coefficients.data(), *start = offset.data();
    double *o = out.data();
    nb::gil_scoped_release release;
    const double work = double(all.count()) * (function_work + double(outputs) / 8.0);
    each_block(all, (all.n + block - 1) / block, n_threads, work,
               [&](Index, Index first, Index m, const double *values) {
                   combine(values, c, start, outputs, all.count(), m, o + first, all.n);
               });
}

}  // namespace

void bind_function_sums(nb::module_ &m) {
    m.def("function_moments", &function_moments, fixed("argument"), nb::arg("n_polynomials"),
          fixed("columns"), fixed("turns"), fixed("phase"), fixed("origin"), fixed("sums"),
          fixed("inner"), nb::arg("n_threads"));
    m.def("function_combinations", &function_combinations, fixed("argument"),
          nb::arg("n_polynomials"), fixed("columns"), fixed("turns"), fixed("phase"),
          fixed("origin"), fixed("coefficients"), fixed("offset"), fixed("out"),
          nb::arg("n_threads"));
}

}  // namespace margin
