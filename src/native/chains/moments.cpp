// Weighted sums and products of rows about a centre of each state, states side by side.
#include <nanobind/nanobind.h>
#include <nanobind/ndarray.h>

#include <algorithm>

#include "chains/bindings.hpp"
#include "chains/lanes.hpp"
#include "common/bind.hpp"
#include "common/team.hpp"

namespace margin {
namespace {

using namespace chains;

// Rows [first, last) of X, their shares in eight states (`width` of k) and the centres of these.
struct Block {
    const double *X, *shares, *centre;
    Index width, k, d, first, last;
    bool diagonal;
};

// Sums for eight states: their weight, d first and d (d + 1) / 2 (or d) second moments. Those of
// few columns stay in registers.
template <int Known, bool Diagonal>
[[gnu::always_inline]] inline void add_rows(const Block &block, Oct *kept) {
    constexpr Index size = 1 + Known + (Diagonal ? Known : Known * (Known + 1) / 2);
    const double *X = block.X, *shares = block.shares, *centre = block.centre;
    const Index width = block.width, k = block.k, last = block.last;
    const Index d = Known > 0 ? Known : block.d;
    Oct away[Known > 0 ? Known : 64], here[size] = {};
    Oct *sums = Known > 0 ? here : kept;
    for (Index t = block.first; t < last; ++t) {
        const double *x = X + t * d;
        Oct w = {};
        const double *share = shares + t * k;
        if (width == lanes)
            w = load(share);
        else
            for (Index s = 0; s < width; ++s) w[s] = share[s];
        sums[0] += w;
        for (Index a = 0; a < d; ++a) {
            away[a] = x[a] - load(centre + a * lanes);
            const Oct weighted = w * away[a];
            sums[1 + a] += weighted;
            if constexpr (Diagonal)
                sums[1 + d + a] += weighted * away[a];
            else
                for (Index b = 0; b <= a; ++b)
                    sums[1 + d + a * (a + 1) / 2 + b] += weighted * away[b];
        }
    }
    if constexpr (Known > 0)
        for (Index q = 0; q < size; ++q) kept[q] += here[q];
}

template <int Known>
[[gnu::always_inline]] inline void add_any(const Block &block, Oct *sums) {
    if (block.diagonal)
        add_rows<Known, true>(block, sums);
    else
        add_rows<Known, false>(block, sums);
}

MARGIN_CLONES void add_block(const Block &block, Oct *sums) {
    switch (block.d) {
        case 1: add_any<1>(block, sums); break;
        case 2: add_any<2>(block, sums); break;
        case 3: add_any<3>(block, sums); break;
        case 4: add_any<4>(block, sums); break;
        default: add_any<0>(block, sums);
    }
}

// `out` has a row for each state: weight, first moments, lower triangle (or diagonal) of second.
void weighted_moments(Matrix<const double> X, Matrix<const double> shares,
                      Matrix<const double> centres, bool diagonal, Matrix<double> out,
                      int n_threads) {
    const Index n = X.shape(0), d = X.shape(1), k = shares.shape(1);
    const Index size = 1 + d + (diagonal ? d : d * (d + 1) / 2);
    if (Index(shares.shape(0)) != n || Index(centres.shape(0)) != k ||
        Index(centres.shape(1)) != d || Index(out.shape(0)) != k || Index(out.shape(1)) != size ||
        d > 64)
        throw std::invalid_argument("chains: arrays of different shape");
    double *o = out.data();
    nb::gil_scoped_release release;
    const Index octs = padded(k) / lanes;
    std::vector<double> centre(octs * d * lanes, 0.0);
    for (Index i = 0; i < k; ++i)
        for (Index a = 0; a < d; ++a)
            centre[(i / lanes * d + a) * lanes + i % lanes] = centres.data()[i * d + a];
    const Index rows = std::max<Index>(1024, (n + 31) / 32), blocks = (n + rows - 1) / rows;
    std::vector<double> partial(blocks * octs * size * lanes, 0.0);
    team::each(n_threads, double(n) * double(octs) * double(size), blocks, [&](Index b) {
        for (Index c = 0; c < octs; ++c) {
            const Block block{.X = X.data(),
                              .shares = shares.data() + c * lanes,
                              .centre = centre.data() + c * d * lanes,
                              .width = std::min(lanes, k - c * lanes),
                              .k = k,
                              .d = d,
                              .first = b * rows,
                              .last = std::min(n, (b + 1) * rows),
                              .diagonal = diagonal};
            add_block(block,
                      reinterpret_cast<Oct *>(partial.data() + (b * octs + c) * size * lanes));
        }
    });
    for (Index i = 0; i < k; ++i)
        for (Index q = 0; q < size; ++q) {
            double sum = 0.0;
            for (Index b = 0; b < blocks; ++b)
                sum += partial[((b * octs + i / lanes) * size + q) * lanes + i % lanes];
            o[i * size + q] = sum;
        }
}

// Weighted counts of symbols 0, 1, … of every state, symbols in rows; NaN is left out.
void symbol_counts(Vector<const double> codes, Matrix<const double> shares, Matrix<double> out,
                   int n_threads) {
    const Index n = codes.size(), k = shares.shape(1), m = out.shape(0);
    if (Index(shares.shape(0)) != n || Index(out.shape(1)) != k)
        throw std::invalid_argument("chains: arrays of different shape");
    const double *x = codes.data(), *share = shares.data();
    for (Index t = 0; t < n; ++t)
        if (!(x[t] != x[t] || (x[t] >= 0.0 && x[t] < double(m))))
            throw std::invalid_argument("chains: symbol out of range");
    double *o = out.data();
    nb::gil_scoped_release release;
    const Index rows = std::max<Index>(4096, (n + 31) / 32), blocks = (n + rows - 1) / rows;
    std::vector<double> partial(blocks * m * k, 0.0);
    team::each(n_threads, double(n) * double(k), blocks, [&](Index b) {
        double *own = partial.data() + b * m * k;
        for (Index t = b * rows; t < std::min(n, (b + 1) * rows); ++t) {
            if (x[t] != x[t]) continue;
            double *to = own + static_cast<Index>(x[t]) * k;
            for (Index i = 0; i < k; ++i) to[i] += share[t * k + i];
        }
    });
    std::fill(o, o + m * k, 0.0);
    for (Index b = 0; b < blocks; ++b)
        for (Index i = 0; i < m * k; ++i) o[i] += partial[b * m * k + i];
}

}  // namespace

void bind_chain_moments(nb::module_ &m) {
    m.def("chain_moments", &weighted_moments, fixed("X"), fixed("shares"), fixed("centres"),
          nb::arg("diagonal"), fixed("out"), nb::arg("n_threads"));
    m.def("chain_symbol_counts", &symbol_counts, fixed("codes"), fixed("shares"), fixed("out"),
          nb::arg("n_threads"));
}

}  // namespace margin
