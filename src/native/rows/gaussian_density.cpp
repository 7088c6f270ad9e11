// Log densities of rows under several normal laws, the deviations whitened in registers.
#include <nanobind/nanobind.h>
#include <nanobind/ndarray.h>

#include <algorithm>
#include <cstddef>
#include <stdexcept>
#include <vector>

#include "common/bind.hpp"
#include "common/team.hpp"
#include "rows/bindings.hpp"

namespace margin {
namespace {

constexpr Index lanes = 16;   // rows at a time: two registers of eight numbers
constexpr Index strip = 4;    // whitened coordinates at a time
constexpr Index block = 256;  // rows of a piece of work

typedef double Oct __attribute__((vector_size(64), aligned(8)));

Index padded(Index p) { return (p + strip - 1) / strip * strip; }

// Squared lengths of R d for sixteen columns d of `away`, of shape (p, lanes); `packed` holds the
// strips of R, upper triangular, coordinate by coordinate.
MARGIN_CLONES void squared_lengths(const double *away, const double *packed, Index p,
                                   double *lengths) {
    Oct total[2] = {};
    for (Index first = 0; first < p; first += strip) {
        Oct y[strip][2] = {};
        for (Index i = first; i < p; ++i, packed += strip) {
            const Oct low = *reinterpret_cast<const Oct *>(away + i * lanes);
            const Oct high = *reinterpret_cast<const Oct *>(away + i * lanes + 8);
            for (Index j = 0; j < strip; ++j) {
                y[j][0] += packed[j] * low;
                y[j][1] += packed[j] * high;
            }
        }
        for (Index j = 0; j < strip; ++j) {
            total[0] += y[j][0] * y[j][0];
            total[1] += y[j][1] * y[j][1];
        }
    }
    *reinterpret_cast<Oct *>(lengths) = total[0];
    *reinterpret_cast<Oct *>(lengths + 8) = total[1];
}

// The strips of an upper triangle, each from its own diagonal on.
std::vector<double> pack(const double *root, Index p) {
    std::vector<double> packed;
    packed.reserve(padded(p) * (p + strip) / 2 + p * strip);
    for (Index first = 0; first < p; first += strip)
        for (Index i = first; i < p; ++i)
            for (Index j = first; j < first + strip; ++j)
                packed.push_back(j < p && j <= i ? root[j * p + i] : 0.0);
    return packed;
}

template <typename T>
void gaussian_density(nb::ndarray<const T, nb::ndim<2>, nb::device::cpu> X,
                      Matrix<const double> means,
                      nb::ndarray<const double, nb::ndim<3>, nb::c_contig, nb::device::cpu> roots,
                      Vector<const double> constants, Matrix<double> out, int n_threads) {
    const Index n = X.shape(0), p = X.shape(1), laws = means.shape(0);
    if (Index(means.shape(1)) != p || Index(roots.shape(0)) != laws || Index(roots.shape(1)) != p ||
        Index(roots.shape(2)) != p || Index(constants.size()) != laws || Index(out.shape(0)) != n ||
        Index(out.shape(1)) != laws)
        throw std::invalid_argument("gaussian_density: arrays of different shape");
    const T *x = X.data();
    const Index row_step = X.stride(0), step = X.stride(1);
    const double *centre = means.data(), *level = constants.data();
    double *o = out.data();
    nb::gil_scoped_release release;
    std::vector<std::vector<double>> packed;
    for (Index k = 0; k < laws; ++k) packed.push_back(pack(roots.data() + k * p * p, p));
    const double work = double(n) * double(p) * double(p) * double(laws) / 8;
    team::run(n_threads, work, (n + block - 1) / block, [&] {
        return [&, plain = std::vector<double>(p * lanes),
                away = std::vector<double>(p * lanes)](Index b) mutable {
            double lengths[lanes];
            for (Index at = b * block; at < std::min(n, (b + 1) * block); at += lanes) {
                const Index rows = std::min(lanes, n - at);
                for (Index r = 0; r < rows; ++r)
                    for (Index i = 0; i < p; ++i)
                        plain[i * lanes + r] = double(x[(at + r) * row_step + i * step]);
                for (Index k = 0; k < laws; ++k) {
                    for (Index i = 0; i < p; ++i)
                        for (Index r = 0; r < lanes; ++r)
                            away[i * lanes + r] = plain[i * lanes + r] - centre[k * p + i];
                    squared_lengths(away.data(), packed[k].data(), p, lengths);
                    for (Index r = 0; r < rows; ++r)
                        o[(at + r) * laws + k] = level[k] - 0.5 * lengths[r];
                }
            }
        };
    });
}

}  // namespace

void bind_gaussian_density(nb::module_ &m) {
    for_tables([&]<typename T>() {
        m.def("gaussian_density", &gaussian_density<T>, fixed("X"), fixed("means"), fixed("roots"),
              fixed("constants"), fixed("out"), nb::arg("n_threads"));
    });
}

}  // namespace margin
