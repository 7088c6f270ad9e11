// The exact path of the lasso on a Gram matrix or on the table itself.
#include <nanobind/nanobind.h>
#include <nanobind/ndarray.h>
#include <nanobind/stl/tuple.h>
#include <nanobind/stl/vector.h>

#include <cstddef>
#include <cstdint>
#include <stdexcept>
#include <tuple>
#include <vector>

#include "columns/lars_walk.hpp"
#include "common/bind.hpp"
#include "common/interrupt.hpp"
#include "common/native.hpp"

namespace margin {
namespace {

using Found = std::tuple<std::vector<double>, std::vector<double>, std::vector<std::size_t>,
                         std::vector<std::int64_t>>;

template <typename Products>
Found walk(Products products, std::size_t p, LarsRules rules) {
    LarsWalk<Products> path(std::move(products), p, rules);
    Interrupt interrupt;
    {
        nb::gil_scoped_release release;
        path.run(interrupt);
    }
    interrupt.rethrow();
    return {std::move(path.alphas), std::move(path.coefs), std::move(path.active),
            std::move(path.events)};
}

Found gram_lars(Matrix<const double> gram, Vector<const double> start, double alpha_min,
                std::size_t max_iter, bool leaves, bool positive) {
    const std::size_t p = start.size();
    if (gram.shape(0) != p || gram.shape(1) != p)
        throw std::invalid_argument("gram_lars: arrays of different shape");
    return walk(GramProducts{gram.data(), start.data(), p}, p,
                {alpha_min, max_iter, leaves, positive});
}

Found table_lars(Matrix<const double> columns, Vector<const double> target, double alpha_min,
                 std::size_t max_iter, bool leaves, bool positive) {
    const std::size_t p = columns.shape(0), n = columns.shape(1);
    if (target.size() != n) throw std::invalid_argument("table_lars: arrays of different shape");
    return walk(TableProducts{columns.data(), target.data(), p, n, {}}, p,
                {alpha_min, max_iter, leaves, positive});
}

}  // namespace

void bind_lars(nb::module_ &m) {
    m.def("gram_lars", &gram_lars, fixed("gram"), fixed("start"), nb::arg("alpha_min"),
          nb::arg("max_iter"), nb::arg("leaves"), nb::arg("positive"));
    m.def("table_lars", &table_lars, fixed("columns"), fixed("target"), nb::arg("alpha_min"),
          nb::arg("max_iter"), nb::arg("leaves"), nb::arg("positive"));
}

}  // namespace margin
