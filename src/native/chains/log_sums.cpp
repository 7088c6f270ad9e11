// Forward–backward in logarithms, with transitions that may change from step to step.
#include <nanobind/nanobind.h>
#include <nanobind/ndarray.h>

#include <optional>

#include "chains/bindings.hpp"
#include "chains/sweep.hpp"
#include "common/bind.hpp"
#include "common/team.hpp"

namespace margin {
namespace {

using Cube = nb::ndarray<const double, nb::ndim<3>, nb::c_contig, nb::device::cpu>;
using CubeOut = nb::ndarray<double, nb::ndim<3>, nb::c_contig, nb::device::cpu>;

// `transition` has one matrix for all steps, or one for every row (that of the last row of a
// sequence is not used). `pairs` has a matrix for every row as well.
void log_forward_backward(Matrix<const double> emission, Vector<const std::int64_t> offsets,
                          Vector<const double> start, Cube transition, Matrix<double> posterior,
                          Matrix<double> counts, std::optional<CubeOut> pairs,
                          Vector<double> values, int n_threads) {
    const std::size_t rows = emission.shape(0), k = emission.shape(1);
    const Index n = static_cast<Index>(offsets.size()) - 1;
    chains::check_offsets(offsets, rows);
    if (start.size() != k || transition.shape(1) != k || transition.shape(2) != k ||
        (transition.shape(0) != 1 && transition.shape(0) != rows) || posterior.shape(0) != rows ||
        posterior.shape(1) != k || counts.shape(0) != k || counts.shape(1) != k ||
        Index(values.size()) != n ||
        (pairs && (pairs->shape(0) != rows || pairs->shape(1) != k || pairs->shape(2) != k)))
        throw std::invalid_argument("chains: arrays of different shape");
    const Index stride = transition.shape(0) == 1 ? 0 : Index(k * k);
    const std::int64_t *at = offsets.data();
    double *pair = pairs ? pairs->data() : nullptr, *out = counts.data();
    nb::gil_scoped_release release;
    const std::vector<Index> ends = chains::groups(at, n);
    const Index pieces = static_cast<Index>(ends.size()) - 1;
    std::vector<double> partial(pieces * k * k, 0.0);
    team::each(n_threads, double(rows) * double(k * k) * 10.0, pieces, [&](Index g) {
        for (Index s = ends[g]; s < ends[g + 1]; ++s) {
            const std::size_t first = at[s];
            const chains::LogChain chain{emission.data() + first * k,
                                         start.data(),
                                         transition.data() + (stride ? first * k * k : 0),
                                         nullptr,
                                         Index(at[s + 1] - at[s]),
                                         Index(k),
                                         stride};
            values.data()[s] =
                chains::log_smooth(chain, posterior.data() + first * k, partial.data() + g * k * k,
                                   pair ? pair + first * k * k : nullptr);
        }
    });
    std::fill(out, out + k * k, 0.0);
    for (Index g = 0; g < pieces; ++g)
        for (std::size_t i = 0; i < k * k; ++i) out[i] += partial[g * k * k + i];
}

}  // namespace

void bind_chain_log_sums(nb::module_ &m) {
    m.def("chain_log_forward_backward", &log_forward_backward, fixed("log_emission"),
          fixed("offsets"), fixed("log_start"), fixed("log_transition"), fixed("posterior"),
          fixed("counts"), maybe("pairs"), fixed("log_likelihood"), nb::arg("n_threads"));
}

}  // namespace margin
