// Many queries against a tree or against blocks: the nearest, and all within a radius.
#include <nanobind/nanobind.h>
#include <nanobind/ndarray.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <stdexcept>
#include <vector>

#include "common/bind.hpp"
#include "common/interrupt.hpp"
#include "common/native.hpp"
#include "common/team.hpp"
#include "neighbors/arrays.hpp"
#include "neighbors/bindings.hpp"
#include "neighbors/ragged.hpp"
#include "neighbors/search.hpp"

namespace margin {
namespace {

using namespace neighbors;

constexpr std::size_t step = 64;  // queries of one task

// Rough count of numbers read per query, to decide on threads.
template <typename T>
double query_work(const Tree<T> &tree) {
    const double all = double(tree.n_blocks * width) * double(tree.p);
    return tree.lower ? std::min(all, 4000.0 * double(tree.p)) : all;
}

// Queries that visit the same points one after another.
template <typename M, typename T>
std::vector<std::size_t> by_region(const M &measure, const Tree<T> &tree, const double *Q,
                                   std::size_t m, int n_threads) {
    std::vector<std::size_t> order(m), at(m);
    if (!tree.lower || m < 4 * step) {
        for (std::size_t i = 0; i < m; ++i) order[i] = i;
        return order;
    }
    team::each_block(n_threads, 100.0 * double(m), m, 1024,
                     [&](std::size_t first, std::size_t last) {
                         for (std::size_t i = first; i < last; ++i)
                             at[i] = region(measure, tree, Q + i * tree.p);
                     });
    std::vector<std::size_t> start(tree.n_leaves() + 1, 0);
    for (std::size_t i = 0; i < m; ++i) ++start[at[i] + 1];
    for (std::size_t l = 1; l < start.size(); ++l) start[l] += start[l - 1];
    for (std::size_t i = 0; i < m; ++i) order[start[at[i]]++] = i;
    return order;
}

template <typename T>
void tree_nearest(Cube<T> blocks, Vector<const std::int64_t> order,
                  std::optional<Matrix<const double>> lower, std::optional<Bounds> upper,
                  std::size_t leaf_blocks, int code, double power, Matrix<const double> Q,
                  Matrix<double> distance, Matrix<std::int64_t> number, int n_threads) {
    const Tree<T> tree = tree_of<T>(blocks, order, lower, upper, leaf_blocks);
    const std::size_t m = Q.shape(0), k = distance.shape(1);
    if (Q.shape(1) != tree.p || distance.shape(0) != m || number.shape(0) != m ||
        number.shape(1) != k || k == 0)
        throw std::invalid_argument("tree_nearest: arrays of different shape");
    const double *q = Q.data();
    double *dp = distance.data();
    std::int64_t *np = number.data();
    nb::gil_scoped_release release;
    Interrupt interrupt;
    with_measure(code, power, [&](auto measure) {
        const auto turn = by_region(measure, tree, q, m, n_threads);
        const double work = double(m) * query_work(tree);
        const std::size_t size =
            std::max<std::size_t>(1, std::min(step, m / (4 * std::size_t(n_threads))));
        team::run(n_threads, work, Index((m + size - 1) / size), [&] {
            return [&, near = Nearest(k)](Index piece) mutable {
                const std::size_t first = std::size_t(piece) * size,
                                  last = std::min(m, first + size);
                for (std::size_t t = first; t < last && !interrupt.poll(); ++t) {
                    const std::size_t i = turn[t];
                    near.clear();
                    search(measure, tree, q + i * tree.p, near);
                    const std::size_t count = near.finish();
                    for (std::size_t j = 0; j < k; ++j) {
                        dp[i * k + j] = j < count ? measure.full(near[j].distance)
                                                  : std::numeric_limits<double>::infinity();
                        np[i * k + j] = j < count ? near[j].number : -1;
                    }
                }
            };
        });
    });
    interrupt.rethrow();
}

template <typename T>
Ragged tree_within(Cube<T> blocks, Vector<const std::int64_t> order,
                   std::optional<Matrix<const double>> lower, std::optional<Bounds> upper,
                   std::size_t leaf_blocks, int code, double power, Matrix<const double> Q,
                   Vector<const double> radius, int n_threads) {
    const Tree<T> tree = tree_of<T>(blocks, order, lower, upper, leaf_blocks);
    const std::size_t m = Q.shape(0);
    if (Q.shape(1) != tree.p || radius.size() != m)
        throw std::invalid_argument("tree_within: arrays of different shape");
    const double *q = Q.data(), *rp = radius.data();
    Lists lists(m, step);
    {
        nb::gil_scoped_release release;
        Interrupt interrupt;
        with_measure(code, power, [&](auto measure) {
            const double work = double(m) * query_work(tree);
            team::run(n_threads, work, Index((m + step - 1) / step), [&] {
                return [&, near = Nearest(0)](Index piece) mutable {
                    const std::size_t first = std::size_t(piece) * step;
                    const std::size_t last = std::min(m, first + step);
                    for (std::size_t i = first; i < last && !interrupt.poll(); ++i) {
                        near.clear(rp[i] < 0.0 ? -1.0 : measure.reduced(rp[i]));
                        search(measure, tree, q + i * tree.p, near);
                        const std::size_t count = near.finish();
                        lists.append(i, near.data(), count, measure);
                    }
                };
            });
        });
        interrupt.rethrow();
    }
    return lists.hand_over();
}

}  // namespace

void bind_neighbor_queries(nb::module_ &m) {
    for_tables([&]<typename T>() {
        m.def("tree_nearest", &tree_nearest<T>, fixed("blocks"), fixed("order"), maybe("lower"),
              maybe("upper"), nb::arg("leaf_blocks"), nb::arg("measure"), nb::arg("power"),
              fixed("Q"), fixed("distance"), fixed("number"), nb::arg("n_threads"));
        m.def("tree_within", &tree_within<T>, fixed("blocks"), fixed("order"), maybe("lower"),
              maybe("upper"), nb::arg("leaf_blocks"), nb::arg("measure"), nb::arg("power"),
              fixed("Q"), fixed("radius"), nb::arg("n_threads"));
    });
}

}  // namespace margin
