// The scorers of families as objects of Python.
#include <nanobind/nanobind.h>
#include <nanobind/ndarray.h>
#include <nanobind/stl/vector.h>

#include <algorithm>
#include <stdexcept>
#include <utility>

#include "common/bind.hpp"
#include "common/native.hpp"
#include "structure/blocks.hpp"
#include "structure/family.hpp"

namespace margin {
namespace {

using structure::Scorer;

structure::Parents checked(const Scorer &scorer, int child, std::vector<int> parents) {
    std::sort(parents.begin(), parents.end());
    bool valid = child >= 0 && child < scorer.n_nodes();
    for (std::size_t a = 0; a < parents.size(); ++a)
        valid = valid && parents[a] >= 0 && parents[a] < scorer.n_nodes() && parents[a] != child &&
                (a == 0 || parents[a] != parents[a - 1]);
    if (!valid) throw std::invalid_argument("structure: child and parents must be different nodes");
    return parents;
}

structure::Kind kind_of(int kind) {
    if (kind < 0 || kind > 3) throw std::invalid_argument("structure: unknown score");
    return static_cast<structure::Kind>(kind);
}

}  // namespace

void bind_structure_scores(nb::module_ &m) {
    nb::class_<Scorer>(m, "Scorer")
        .def_prop_ro("n_nodes", &Scorer::n_nodes)
        .def_prop_ro("n_evaluated", &Scorer::n_evaluated)
        .def(
            "score",
            [](Scorer &scorer, int child, std::vector<int> parents) {
                const structure::Parents sorted = checked(scorer, child, std::move(parents));
                nb::gil_scoped_release release;
                return scorer.score(child, sorted);
            },
            nb::arg("child"), nb::arg("parents"));
    nb::class_<structure::CategoricalScorer, Scorer>(m, "CategoricalScorer")
        .def(
            "__init__",
            [](structure::CategoricalScorer *self, Matrix<const std::uint16_t> codes,
               Vector<const std::int64_t> cards, std::optional<Vector<const double>> weight,
               int kind, double sample_size, double penalty_rows) {
                if (cards.size() != codes.shape(0) || (weight && weight->size() != codes.shape(1)))
                    throw std::invalid_argument("CategoricalScorer: arrays of different shape");
                if (codes.shape(0) > 65000)
                    throw std::invalid_argument("CategoricalScorer: too many columns");
                new (self) structure::CategoricalScorer(
                    codes.data(), codes.shape(1), static_cast<int>(codes.shape(0)), cards.data(),
                    weight ? weight->data() : nullptr, kind_of(kind), sample_size, penalty_rows);
            },
            fixed("codes"), fixed("cards"), maybe("weight"), nb::arg("kind"),
            nb::arg("sample_size"), nb::arg("penalty_rows"));
    nb::class_<structure::GaussianScorer, Scorer>(m, "GaussianScorer")
        .def(
            "__init__",
            [](structure::GaussianScorer *self, Matrix<const double> covariance, double n_rows,
               int kind, double penalty_rows) {
                if (covariance.shape(0) != covariance.shape(1))
                    throw std::invalid_argument("GaussianScorer: covariance must be square");
                if (kind > 1)
                    throw std::invalid_argument("GaussianScorer: score must be bic or aic");
                new (self) structure::GaussianScorer(covariance.data(),
                                                     static_cast<int>(covariance.shape(0)), n_rows,
                                                     kind_of(kind), penalty_rows);
            },
            fixed("covariance"), nb::arg("n_rows"), nb::arg("kind"), nb::arg("penalty_rows"));
    nb::class_<structure::BlockScorer, Scorer>(m, "BlockScorer")
        .def(
            "__init__",
            [](structure::BlockScorer *self, Matrix<const double> covariance,
               std::vector<int> sizes, double n_rows, int kind, double penalty_rows) {
                std::size_t width = 0;
                for (const int size : sizes) {
                    if (size < 1)
                        throw std::invalid_argument("BlockScorer: sizes must be positive");
                    width += static_cast<std::size_t>(size);
                }
                if (covariance.shape(0) != width || covariance.shape(1) != width)
                    throw std::invalid_argument("BlockScorer: covariance must have all columns");
                if (kind > 1) throw std::invalid_argument("BlockScorer: score must be bic or aic");
                new (self) structure::BlockScorer(covariance.data(), sizes, n_rows, kind_of(kind),
                                                  penalty_rows);
            },
            fixed("covariance"), nb::arg("sizes"), nb::arg("n_rows"), nb::arg("kind"),
            nb::arg("penalty_rows"));
    nb::class_<structure::SwitchedScorer, Scorer>(m, "SwitchedScorer")
        .def(
            "__init__",
            [](structure::SwitchedScorer *self, std::vector<Scorer *> parts,
               std::vector<int> which) {
                for (const Scorer *part : parts)
                    if (!part || part->n_nodes() != static_cast<int>(which.size()))
                        throw std::invalid_argument("SwitchedScorer: parts of different size");
                for (const int at : which)
                    if (at < 0 || at >= static_cast<int>(parts.size()))
                        throw std::invalid_argument("SwitchedScorer: which must name a part");
                new (self) structure::SwitchedScorer(std::move(parts), std::move(which));
            },
            // The collection keeps its scorers.
            nb::keep_alive<1, 2>(), nb::arg("parts"), nb::arg("which"));
}

}  // namespace margin
