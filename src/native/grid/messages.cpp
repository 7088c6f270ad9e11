// Loopy belief propagation on pairwise models: the schedules behind one call.
#include <nanobind/nanobind.h>
#include <nanobind/ndarray.h>
#include <nanobind/stl/tuple.h>

#include <algorithm>
#include <stdexcept>
#include <tuple>
#include <utility>

#include "common/bind.hpp"
#include "grid/network.hpp"

namespace margin {
namespace {

using namespace grid;

// Runs until no entry of a message would change by more than tol; returns rounds, the last change
// and the Bethe approximation.
std::tuple<int, double, double> pair_messages(
    Matrix<const double> unary, Matrix<const std::int32_t> edges, Vector<const std::int32_t> kinds,
    nb::ndarray<const double, nb::ndim<3>, nb::c_contig> tables, Matrix<double> messages,
    Vector<double> trace, Matrix<double> beliefs, bool maximise, int schedule, double damping,
    double tol, int n_threads) {
    Network net;
    net.nodes = static_cast<Index>(unary.shape(0));
    net.states = static_cast<Index>(unary.shape(1));
    const Index n_edges = static_cast<Index>(edges.shape(0));
    if (edges.shape(1) != 2 || static_cast<Index>(kinds.size()) != n_edges ||
        static_cast<Index>(tables.shape(1)) != net.states ||
        static_cast<Index>(tables.shape(2)) != net.states ||
        static_cast<Index>(messages.shape(0)) != 2 * n_edges ||
        static_cast<Index>(messages.shape(1)) != net.states ||
        static_cast<Index>(beliefs.shape(0)) != net.nodes ||
        static_cast<Index>(beliefs.shape(1)) != net.states || n_edges > (Index{1} << 29))
        throw std::invalid_argument("pair_messages: arrays of different shape");
    net.unary = unary.data();
    net.edge = edges.data();
    net.kind = kinds.data();
    net.tables = tables.data();
    prepare(net, n_edges, static_cast<Index>(tables.shape(0)));
    double *current = messages.data(), *record = trace.data(), *believed = beliefs.data();
    const int rounds = static_cast<int>(trace.size());
    const Setting set{maximise, damping};
    if (schedule < 0 || schedule > 2)
        throw std::invalid_argument("pair_messages: unknown schedule");
    const bool flooding = schedule == 0;

    nb::gil_scoped_release release;
    Interrupt interrupt;
    std::vector<double> other(schedule < 2 ? messages.size() : 0);
    if (schedule == 1 && rounds > 0 && n_edges > 0) {
        const int done =
            residual_of(net, set, current, other, tol, record, rounds, n_threads, interrupt);
        interrupt.rethrow();
        return {done, record[done - 1], beliefs_of(net, current, believed, n_edges)};
    }
    double *old = current, *fresh = other.data();
    double change = 0.0;
    int done = 0;
    while (done < rounds) {
        if (interrupt.poll()) interrupt.rethrow();
        if (flooding) {
            change = round_of(net, set, old, fresh, n_threads);
            std::swap(old, fresh);
        } else {
            change = sweep_of(net, set, current, done % 2 == 0);
        }
        record[done++] = change;
        if (change <= tol) break;
    }
    if (flooding && old != current) std::copy(old, old + messages.size(), current);
    return {done, change, beliefs_of(net, current, believed, n_edges)};
}

}  // namespace

void bind_grid_messages(nb::module_ &m) {
    m.def("pair_messages", &pair_messages, fixed("unary"), fixed("edges"), fixed("kinds"),
          fixed("tables"), fixed("messages"), fixed("trace"), fixed("beliefs"), nb::arg("maximise"),
          nb::arg("schedule"), nb::arg("damping"), nb::arg("tol"), nb::arg("n_threads"));
}

}  // namespace margin
