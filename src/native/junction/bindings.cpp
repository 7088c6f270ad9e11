// Exact inference on tables: one object per compiled structure, arrays in, arrays out.
#include <nanobind/nanobind.h>
#include <nanobind/ndarray.h>
#include <nanobind/stl/tuple.h>
#include <nanobind/stl/vector.h>

#include <cmath>
#include <stdexcept>

#include "common/bind.hpp"
#include "junction/sweep.hpp"

namespace margin {
namespace {

using namespace junction;

using Longs = Vector<const std::int64_t>;

Request make_request(Longs cards, Longs start, Longs vars, Vector<const std::uint8_t> roles,
                     Longs query, Longs order, int heuristic, bool batch) {
    const Index n = static_cast<Index>(cards.size());
    auto variable = [&](Index v) {
        if (v < 0 || v >= n) throw std::invalid_argument("junction: variable out of range");
        return static_cast<int>(v);
    };
    if (start.size() == 0 || roles.size() != cards.size() || start(0) != 0 ||
        start(start.size() - 1) != static_cast<Index>(vars.size()))
        throw std::invalid_argument("junction: malformed scopes");
    Request request;
    for (Index v = 0; v < n; ++v) {
        if (cards(v) < 1) throw std::invalid_argument("junction: a variable needs a state");
        if (roles(v) > 2) throw std::invalid_argument("junction: unknown role");
        request.cards.push_back(cards(v));
        request.roles.push_back(static_cast<Role>(roles(v)));
    }
    for (std::size_t f = 0; f + 1 < start.size(); ++f) {
        if (start(f) > start(f + 1)) throw std::invalid_argument("junction: malformed scopes");
        auto &scope = request.scopes.emplace_back();
        for (Index k = start(f); k < start(f + 1); ++k) scope.push_back(variable(vars(k)));
    }
    for (std::size_t k = 0; k < query.size(); ++k) request.query.push_back(variable(query(k)));
    std::vector<char> seen(n, 0);
    for (std::size_t k = 0; k < order.size(); ++k) {
        request.order.push_back(variable(order(k)));
        if (seen[order(k)]++) throw std::invalid_argument("junction: order repeats a variable");
    }
    if (!request.order.empty() && static_cast<Index>(request.order.size()) != n)
        throw std::invalid_argument("junction: order must name every variable");
    request.heuristic = heuristic;
    request.batch = batch;
    return request;
}

void run_marginals(Junction &junction, Floats tables, States evidence, Likelihoods likelihoods,
                   Vector<double> log_mass, Matrix<double> out, int n_threads) {
    const Program &p = junction.program();
    if (out.shape(0) != evidence.shape(0) ||
        static_cast<Index>(out.shape(1)) != p.marginal_at.back())
        throw std::invalid_argument("junction: arrays of different shape");
    double *to = out.data();
    const Index width = p.marginal_at.back();
    sweep_any(p, tables, evidence, likelihoods, log_mass, true, false, n_threads,
              [&](auto &engine, const Rows &rows, Index first, int count, int) {
                  engine.distribute([](int, auto &) {});
                  for (std::size_t v = 0; v < p.cards.size(); ++v) {
                      double *row = to + first * width + p.marginal_at[v];
                      if (p.roles[v] != Role::sliced) {
                          engine.marginal(static_cast<int>(v), count, row, width);
                          continue;
                      }
                      for (int r = 0; r < count; ++r, row += width) {
                          std::fill(row, row + p.cards[v], 0.0);
                          row[rows.state(first + r, static_cast<int>(v))] = 1.0;
                      }
                  }
              });
}

void run_joint(Junction &junction, Floats tables, States evidence, Likelihoods likelihoods,
               Vector<double> log_mass, Matrix<double> out, int n_threads) {
    const Program &p = junction.program();
    const Index size = p.query_size;
    if (out.shape(0) != evidence.shape(0) ||
        static_cast<Index>(out.shape(1)) != std::max<Index>(size, 1))
        throw std::invalid_argument("junction: arrays of different shape");
    double *to = out.data();
    sweep_any(p, tables, evidence, likelihoods, log_mass, false, false, n_threads,
              [&](auto &engine, const Rows &, Index first, int count, int) {
                  constexpr int B = std::decay_t<decltype(engine)>::width;
                  if (p.query_clique < 0) {
                      for (int r = 0; r < count; ++r)
                          to[first + r] = std::isinf(engine.log_mass(r)) ? 0.0 : 1.0;
                      return;
                  }
                  std::vector<double> buffer(size * B);
                  engine.query(buffer.data(), p.to_query, size);
                  for (int r = 0; r < count; ++r) {
                      double total = 0.0;
                      for (Index e = 0; e < size; ++e) total += buffer[e * B + r];
                      const double factor =
                          total > 0.0 && !std::isinf(engine.log_mass(r)) ? 1.0 / total : 0.0;
                      for (Index e = 0; e < size; ++e)
                          to[(first + r) * size + e] = buffer[e * B + r] * factor;
                  }
              });
}

void run_best(Junction &junction, Floats tables, States evidence, Likelihoods likelihoods,
              Vector<double> log_mass, Matrix<std::int32_t> out, int n_threads) {
    const Program &p = junction.program();
    if (out.shape(0) != evidence.shape(0) || out.shape(1) != p.cards.size())
        throw std::invalid_argument("junction: arrays of different shape");
    std::int32_t *to = out.data();
    const Index n = static_cast<Index>(p.cards.size());
    sweep_any(p, tables, evidence, likelihoods, log_mass, true, true, n_threads,
              [&](auto &engine, const Rows &rows, Index first, int count, int) {
                  for (int r = 0; r < count; ++r) {
                      std::int32_t *states = to + (first + r) * n;
                      for (Index v = 0; v < n; ++v)
                          states[v] = p.roles[v] == Role::sliced
                                          ? rows.state(first + r, static_cast<int>(v))
                                          : 0;
                      engine.trace_back(r, states);
                  }
              });
}

Record describe(Junction &junction) {
    const CliqueTree &tree = junction.tree();
    Record found;
    found["cliques"] = tree.members;
    found["parents"] = tree.parent;
    found["order"] = tree.order;
    found["entries"] = tree.entries;
    found["largest"] = tree.largest;
    found["largest_clique"] = tree.largest_clique;
    return found;
}

double entries(Junction &junction) { return junction.tree().entries; }

}  // namespace

void bind_junction(nb::module_ &m) {
    nb::class_<Junction>(m, "Junction")
        .def(
            "__init__",
            [](Junction *self, Longs cards, Longs start, Longs vars,
               Vector<const std::uint8_t> roles, Longs query, Longs order, int heuristic,
               bool batch) {
                new (self) Junction(
                    make_request(cards, start, vars, roles, query, order, heuristic, batch));
            },
            fixed("cards"), fixed("start"), fixed("members"), fixed("roles"), fixed("query"),
            fixed("order"), nb::arg("heuristic"), nb::arg("batch"))
        .def("describe", &describe)
        .def("entries", &entries)
        .def("marginals", &run_marginals, fixed("tables"), fixed("evidence"),
             nb::arg("likelihoods"), fixed("log_mass"), fixed("out"), nb::arg("n_threads"))
        .def("counts", &run_counts, fixed("tables"), fixed("evidence"), nb::arg("likelihoods"),
             fixed("log_mass"), fixed("weight"), fixed("out"), nb::arg("n_threads"))
        .def("joint", &run_joint, fixed("tables"), fixed("evidence"), nb::arg("likelihoods"),
             fixed("log_mass"), fixed("out"), nb::arg("n_threads"))
        .def("best", &run_best, fixed("tables"), fixed("evidence"), nb::arg("likelihoods"),
             fixed("log_mass"), fixed("out"), nb::arg("n_threads"));
}

}  // namespace margin
