// Contingency tables of categorical columns, and the tests of conditional independence on them.
#include <nanobind/nanobind.h>
#include <nanobind/ndarray.h>
#include <nanobind/stl/tuple.h>
#include <nanobind/stl/vector.h>

#include <cmath>
#include <limits>
#include <stdexcept>

#include "common/bind.hpp"
#include "common/native.hpp"
#include "structure/categorical_test.hpp"
#include "structure/skeleton.hpp"

namespace margin {
namespace {

using categorical::Code;
using categorical::Columns;
using categorical::Outcome;
using categorical::Rule;
using categorical::Worker;

Rule rule_of(int statistic, int pool, double min_count) {
    if (statistic < 0 || statistic > 1 || pool < 0 || pool > 2)
        throw std::invalid_argument("contingency: unknown statistic or pooling");
    return Rule{static_cast<categorical::Statistic>(statistic),
                static_cast<categorical::Pool>(pool), min_count};
}

std::tuple<double, double, double, bool> categorical_test(
    Matrix<const Code> codes, Vector<const std::int64_t> cards,
    std::optional<Vector<const double>> weight, int i, int j, std::vector<int> given, int statistic,
    int pool, double min_count) {
    if (weight && weight->size() != codes.shape(1))
        throw std::invalid_argument("categorical_test: one weight per row");
    std::vector<int> all = given;
    all.push_back(i);
    all.push_back(j);
    for (std::size_t a = 0; a < all.size(); ++a) {
        if (all[a] < 0 || all[a] >= static_cast<int>(codes.shape(0)))
            throw std::invalid_argument("categorical_test: unknown column");
        if (std::count(all.begin(), all.end(), all[a]) > 1)
            throw std::invalid_argument("categorical_test: columns must differ");
    }
    const Columns data(codes, cards, weight ? weight->data() : nullptr);
    nb::gil_scoped_release release;
    Worker worker(data, rule_of(statistic, pool, min_count), 0.0);
    worker.begin(i, given);
    std::vector<std::size_t> set(given.size());
    for (std::size_t a = 0; a < set.size(); ++a) set[a] = a;
    worker.condition(set, 0);
    const Outcome out = worker.test(static_cast<std::size_t>(j));
    return {out.statistic, out.dof, out.p_value, out.reliable};
}

Record categorical_skeleton(Matrix<const Code> codes, Vector<const std::int64_t> cards,
                            std::optional<Vector<const double>> weight, double alpha, int statistic,
                            int pool, double min_count, std::size_t max_level,
                            Matrix<const std::uint8_t> start, Matrix<const std::uint8_t> required,
                            std::optional<Matrix<const std::uint8_t>> candidates,
                            Matrix<std::uint8_t> adjacency, Matrix<double> largest_p, int n_threads,
                            std::int64_t max_tests) {
    const std::size_t p = codes.shape(0);
    for (const std::size_t side :
         {start.shape(0), start.shape(1), required.shape(0), required.shape(1), adjacency.shape(0),
          adjacency.shape(1), largest_p.shape(0), largest_p.shape(1)})
        if (side != p)
            throw std::invalid_argument("categorical_skeleton: matrices of different shape");
    if (candidates && (candidates->shape(0) != p || candidates->shape(1) != p))
        throw std::invalid_argument("categorical_skeleton: matrices of different shape");
    const std::uint8_t *rows = candidates ? candidates->data() : nullptr;
    if (weight && weight->size() != codes.shape(1))
        throw std::invalid_argument("categorical_skeleton: one weight per row");
    const Columns data(codes, cards, weight ? weight->data() : nullptr);
    const Rule rule = rule_of(statistic, pool, min_count);
    skeleton::Skeleton found;
    {
        nb::gil_scoped_release release;
        found = skeleton::search(
            p, start.data(), required.data(), rows, max_level,
            [&] { return Worker(data, rule, alpha); }, 4.0 * static_cast<double>(data.n), n_threads,
            max_tests);
    }
    return skeleton::to_python(found, adjacency, largest_p);
}

// Weight of the rows in every cell over the chosen columns, the last fastest; unknown values are
// left out.
void contingency_counts(Matrix<const Code> codes, Vector<const std::int64_t> cards,
                        std::optional<Vector<const double>> weight, std::vector<int> columns,
                        Vector<double> out) {
    const std::size_t n = codes.shape(1);
    if (cards.size() != codes.shape(0) || (weight && weight->size() != n))
        throw std::invalid_argument("contingency_counts: arrays of different shape");
    double cells = 1.0;
    for (const int j : columns) {
        if (j < 0 || j >= static_cast<int>(codes.shape(0)))
            throw std::invalid_argument("contingency_counts: unknown column");
        cells *= static_cast<double>(cards.data()[j]);
    }
    if (cells != static_cast<double>(out.size()))
        throw std::invalid_argument("contingency_counts: out must have one entry per cell");
    const double *wp = weight ? weight->data() : nullptr;
    double *op = out.data();
    nb::gil_scoped_release release;
    std::fill(op, op + out.size(), 0.0);
    constexpr std::size_t block = 4096;
    std::vector<std::int64_t> key(block);
    for (std::size_t start = 0; start < n; start += block) {
        const std::size_t rows = std::min(block, n - start);
        std::fill(key.begin(), key.end(), 0);
        for (const int j : columns) {
            const Code *code = codes.data() + static_cast<std::size_t>(j) * n + start;
            const std::int64_t card = cards.data()[j];
            for (std::size_t r = 0; r < rows; ++r)
                key[r] = key[r] < 0 || code[r] >= card ? -1 : key[r] * card + code[r];
        }
        for (std::size_t r = 0; r < rows; ++r)
            if (key[r] >= 0) op[key[r]] += wp ? wp[start + r] : 1.0;
    }
}

}  // namespace

void bind_contingency(nb::module_ &m) {
    m.def("chi_squared_tail", &categorical::chi_squared_tail, nb::arg("x"), nb::arg("dof"));
    m.def("contingency_counts", &contingency_counts, fixed("codes"), fixed("cards"),
          maybe("weight"), nb::arg("columns"), fixed("out"));
    m.def("categorical_test", &categorical_test, fixed("codes"), fixed("cards"), maybe("weight"),
          nb::arg("i"), nb::arg("j"), nb::arg("given"), nb::arg("statistic"), nb::arg("pool"),
          nb::arg("min_count"));
    m.def("categorical_skeleton", &categorical_skeleton, fixed("codes"), fixed("cards"),
          maybe("weight"), nb::arg("alpha"), nb::arg("statistic"), nb::arg("pool"),
          nb::arg("min_count"), nb::arg("max_level"), fixed("start"), fixed("required"),
          maybe("candidates"), fixed("adjacency"), fixed("largest_p"), nb::arg("n_threads"),
          nb::arg("max_tests"));
}

}  // namespace margin
