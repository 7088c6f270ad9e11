// Greedy search over equivalence classes, one step at a call.
#include <nanobind/nanobind.h>
#include <nanobind/ndarray.h>
#include <nanobind/stl/optional.h>
#include <nanobind/stl/tuple.h>
#include <nanobind/stl/vector.h>

#include <stdexcept>
#include <tuple>

#include "common/bind.hpp"
#include "common/interrupt.hpp"
#include "common/native.hpp"
#include "structure/class_search.hpp"

namespace margin {
namespace {

using structure::ClassSearch;
using structure::Limits;
using structure::Partly;
using structure::Phase;
using structure::Scorer;
using structure::Step;

using Change = std::tuple<double, int, int, std::vector<int>>;

Phase phase_of(int phase) {
    if (phase < 0 || phase > 2) throw std::invalid_argument("class search: unknown phase");
    return static_cast<Phase>(phase);
}

Change told(const Step &step) { return {step.gain, step.from, step.to, step.clique}; }

// 1 at (parent, child), both ways where an edge is undirected.
void write(const Partly &graph, Matrix<std::uint8_t> out) {
    const std::size_t p = static_cast<std::size_t>(graph.size());
    if (out.shape(0) != p || out.shape(1) != p)
        throw std::invalid_argument("class search: the matrix must have a row per node");
    std::fill(out.data(), out.data() + p * p, std::uint8_t{0});
    for (std::size_t i = 0; i < p; ++i)
        (graph.children[i] | graph.near[i]).each([&](int j) {
            out.data()[i * p + static_cast<std::size_t>(j)] = 1;
        });
}

}  // namespace

void bind_structure_greedy(nb::module_ &m) {
    nb::class_<ClassSearch>(m, "ClassSearch")
        .def(
            "__init__",
            [](ClassSearch *self, Scorer &scorer, Matrix<const std::uint8_t> adjacency,
               Matrix<const std::uint8_t> forbidden, Matrix<const std::uint8_t> required,
               Matrix<const std::uint8_t> separated, int max_degree, std::int64_t max_steps,
               double tol, int n_threads) {
                const std::size_t p = static_cast<std::size_t>(scorer.n_nodes());
                for (const auto &matrix : {adjacency, forbidden, required, separated})
                    if (matrix.shape(0) != p || matrix.shape(1) != p)
                        throw std::invalid_argument(
                            "class search: matrices must be square, one row per node");
                new (self)
                    ClassSearch(scorer, adjacency.data(), forbidden.data(), required.data(),
                                separated.data(), Limits{max_degree, max_steps, tol, n_threads});
            },
            nb::keep_alive<1, 2>(), nb::arg("scorer"), fixed("adjacency"), fixed("forbidden"),
            fixed("required"), fixed("separated"), nb::arg("max_degree"), nb::arg("max_steps"),
            nb::arg("tol"), nb::arg("n_threads"))
        .def_prop_ro("exhausted", &ClassSearch::exhausted)
        .def(
            "improve",
            [](ClassSearch &self, int phase) -> std::optional<Change> {
                const Phase kind = phase_of(phase);
                Interrupt interrupt;
                std::optional<Step> step;
                {
                    nb::gil_scoped_release release;
                    step = self.improve(kind, [&] { return interrupt.poll(); });
                }
                if (!step) {
                    interrupt.rethrow();
                    return std::nullopt;
                }
                return told(*step);
            },
            nb::arg("phase"))
        .def(
            "steps",
            [](ClassSearch &self, int phase) {
                std::vector<Change> steps;
                for (const auto &[step, next] : self.steps(phase_of(phase), [] { return false; }))
                    steps.push_back(told(step));
                return steps;
            },
            nb::arg("phase"))
        .def(
            "write",
            [](const ClassSearch &self, bool informed, Matrix<std::uint8_t> out) {
                write(informed ? self.informed() : self.graph(), out);
            },
            nb::arg("informed"), fixed("out"));
}

}  // namespace margin
