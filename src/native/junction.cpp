// Exact inference on tables: one object per compiled structure, arrays in, arrays out.
#include <nanobind/nanobind.h>
#include <nanobind/ndarray.h>
#include <nanobind/stl/tuple.h>
#include <nanobind/stl/vector.h>

#include <atomic>
#include <optional>
#include <stdexcept>
#include <string>
#include <tuple>

#include "junction_engine.hpp"

namespace margin {
namespace {

using namespace junction;

using Longs = Vector<const std::int64_t>;
using Floats = Vector<const double>;
using States = Matrix<const std::int32_t>;
using Likelihoods = std::vector<std::tuple<int, Matrix<const double>>>;

constexpr int count_groups = 16;  // partial counts are added in this fixed order

Request make_request(Longs cards, Longs start, Longs vars, Vector<const std::uint8_t> roles, Longs query,
                     Longs order, int heuristic, bool batch) {
    const Size n = static_cast<Size>(cards.size());
    auto variable = [&](Size v) {
        if (v < 0 || v >= n) throw std::invalid_argument("junction: variable out of range");
        return static_cast<int>(v);
    };
    if (start.size() == 0 || roles.size() != cards.size() || start(0) != 0 ||
        start(start.size() - 1) != static_cast<Size>(vars.size()))
        throw std::invalid_argument("junction: malformed scopes");
    Request request;
    for (Size v = 0; v < n; ++v) {
        if (cards(v) < 1) throw std::invalid_argument("junction: a variable needs a state");
        if (roles(v) > 2) throw std::invalid_argument("junction: unknown role");
        request.cards.push_back(cards(v));
        request.roles.push_back(static_cast<Role>(roles(v)));
    }
    for (std::size_t f = 0; f + 1 < start.size(); ++f) {
        if (start(f) > start(f + 1)) throw std::invalid_argument("junction: malformed scopes");
        auto &scope = request.scopes.emplace_back();
        for (Size k = start(f); k < start(f + 1); ++k) scope.push_back(variable(vars(k)));
    }
    for (std::size_t k = 0; k < query.size(); ++k) request.query.push_back(variable(query(k)));
    std::vector<char> seen(n, 0);
    for (std::size_t k = 0; k < order.size(); ++k) {
        request.order.push_back(variable(order(k)));
        if (seen[order(k)]++) throw std::invalid_argument("junction: order repeats a variable");
    }
    if (!request.order.empty() && static_cast<Size>(request.order.size()) != n)
        throw std::invalid_argument("junction: order must name every variable");
    request.heuristic = heuristic;
    request.batch = batch;
    return request;
}

class Junction {
  public:
    Junction(Longs cards, Longs start, Longs vars, Vector<const std::uint8_t> roles, Longs query,
             Longs order, int heuristic, bool batch)
        : request_(make_request(cards, start, vars, roles, query, order, heuristic, batch)),
          tree_(plan(request_)) {}

    const CliqueTree &tree() const { return tree_; }

    // The tables' sizes must have been judged affordable before this is called.
    const Program &program() {
        if (!built_) {
            if (tree_.largest > 2147483647.0) throw std::overflow_error("clique too large");
            program_ = build(request_, tree_);
            built_ = true;
        }
        return program_;
    }

  private:
    Request request_;
    CliqueTree tree_;
    Program program_;
    bool built_ = false;
};

// The tables, scaled where their size could overflow a product, and the logarithm of the scale.
struct Tables {
    const double *data;
    std::vector<double> copy;
    double log_scale = 0.0;

    Tables(const Program &p, Floats given) : data(given.data()) {
        if (static_cast<Size>(given.size()) != p.table_at.back())
            throw std::invalid_argument("junction: tables of another size");
        std::vector<double> top(p.scopes.size(), 0.0);
        bool rescale = false;
        for (std::size_t f = 0; f < p.scopes.size(); ++f) {
            bool valid = true;
            for (Size i = p.table_at[f]; i < p.table_at[f + 1]; ++i) {
                top[f] = data[i] > top[f] ? data[i] : top[f];
                valid &= data[i] >= 0.0;  // false for NaN
            }
            if (!valid || !std::isfinite(top[f]))
                throw std::invalid_argument("factor tables must be finite and non-negative");
            rescale |= top[f] > 1e3 || (top[f] > 0.0 && top[f] < 1e-3);
        }
        if (!rescale) return;
        copy.assign(data, data + given.size());
        for (std::size_t f = 0; f < p.scopes.size(); ++f) {
            if (top[f] == 0.0) continue;
            log_scale += std::log(top[f]);
            for (Size i = p.table_at[f]; i < p.table_at[f + 1]; ++i) copy[i] /= top[f];
        }
        data = copy.data();
    }
};

struct Base {
    std::vector<double> data;
    std::vector<Size> at;
    double log_scale = 0.0;

    Base(const Program &p, const double *tables) {
        Size total = 0;
        for (const Clique &c : p.cliques) {
            at.push_back(total);
            if (!c.base.empty()) total += c.domain.size;
        }
        data.resize(total);
        for (std::size_t id = 0; id < p.cliques.size(); ++id) {
            const Clique &c = p.cliques[id];
            if (c.base.empty()) continue;
            double *table = data.data() + at[id];
            for (std::size_t from = 0; from < c.base.size(); from += at_once)
                multiply(p, c, tables, from, std::min(c.base.size(), from + at_once), table);
        }
    }

  private:
    static constexpr std::size_t at_once = 8;  // factors between two rescalings: no underflow

    void multiply(const Program &p, const Clique &c, const double *tables, std::size_t from,
                  std::size_t to, double *table) {
        std::vector<const Map *> maps;
        for (std::size_t k = from; k < to; ++k) maps.push_back(&c.base_maps[k]);
        walk(c.domain, maps, 0, c.domain.blocks, [&](Size b, const Size *offset) {
            double *block = table + b * c.domain.block;
            for (std::size_t k = 0; k < maps.size(); ++k)
                (from + k ? multiply_row : set_row)(block, tables + p.table_at[c.base[from + k]] + offset[k],
                                                    *maps[k], c.domain.block);
        });
        const double top = *std::max_element(table, table + c.domain.size);
        if (top == 0.0) return;
        log_scale += std::log(top);
        for (Size i = 0; i < c.domain.size; ++i) table[i] /= top;
    }
};

Rows make_rows(const Program &p, const States &evidence, const Likelihoods &likelihoods) {
    Rows rows;
    rows.evidence = evidence.data();
    rows.n_vars = static_cast<Size>(p.cards.size());
    rows.likelihood.assign(p.cards.size(), nullptr);
    const Size n_rows = static_cast<Size>(evidence.shape(0));
    if (static_cast<Size>(evidence.shape(1)) != rows.n_vars)
        throw std::invalid_argument("junction: evidence of another width");
    for (Size row = 0; row < n_rows; ++row)
        for (Size v = 0; v < rows.n_vars; ++v) {
            const std::int32_t state = rows.evidence[row * rows.n_vars + v];
            const Role role = p.roles[v];
            if (state < -1 || state >= p.cards[v] || (role == Role::sliced && state < 0) ||
                (role == Role::hidden && state >= 0))
                throw std::invalid_argument("junction: evidence does not fit the program");
        }
    for (const auto &[v, table] : likelihoods) {
        if (v < 0 || v >= rows.n_vars || static_cast<Size>(table.shape(0)) != n_rows ||
            static_cast<Size>(table.shape(1)) != p.cards[v] || p.roles[v] == Role::hidden)
            throw std::invalid_argument("junction: likelihood does not fit the program");
        rows.likelihood[v] = table.data();
    }
    return rows;
}

// Runs `f(engine, first row, number of rows, group)` over all rows, in threads over groups of blocks.
template <int B, typename F>
void sweep(const Program &p, const Tables &tables, const Rows &, Size n_rows, bool store, bool maximise,
           int n_threads, F &&f) {
    const Base base(p, B > 1 ? tables.data : nullptr);
    const Size blocks = (n_rows + B - 1) / B;
    const int groups = B == 1 ? 1 : static_cast<int>(std::min<Size>(count_groups, blocks));
    const int outer = B == 1 ? 1 : std::min(n_threads, groups);
    Interrupt interrupt;
#pragma omp parallel num_threads(outer) if (outer > 1)
    {
        Engine<B> engine(p, tables.data, base.data.data(), base.at.data(), store, maximise,
                         B == 1 ? n_threads : 1, interrupt);
#pragma omp for schedule(dynamic)
        for (int g = 0; g < groups; ++g)
            for (Size b = blocks * g / groups; b < blocks * (g + 1) / groups && !interrupt.poll(); ++b)
                f(engine, b * B, static_cast<int>(std::min<Size>(B, n_rows - b * B)), g, base.log_scale);
    }
    interrupt.rethrow();
}

template <typename F>
void sweep_any(const Program &p, Floats given, const States &evidence, const Likelihoods &likelihoods,
               Vector<double> log_mass, bool store, bool maximise, int n_threads, F &&f) {
    const Rows rows = make_rows(p, evidence, likelihoods);
    const Size n_rows = static_cast<Size>(evidence.shape(0));
    if (static_cast<Size>(log_mass.size()) != n_rows || n_threads < 1)
        throw std::invalid_argument("junction: arrays of different shape");
    double *out = log_mass.data();
    nb::gil_scoped_release release;
    const Tables tables(p, given);
    auto visit = [&](auto &engine, Size first, int count, int group, double log_base) {
        engine.collect(rows, first, count);
        for (int r = 0; r < count; ++r) out[first + r] = engine.log_mass(r) + tables.log_scale + log_base;
        f(engine, rows, first, count, group);
    };
    if (p.batch)
        sweep<lanes>(p, tables, rows, n_rows, store, maximise, n_threads, visit);
    else
        sweep<1>(p, tables, rows, n_rows, store, maximise, n_threads, visit);
}

void run_marginals(Junction &junction, Floats tables, States evidence, Likelihoods likelihoods,
                   Vector<double> log_mass, Matrix<double> out, int n_threads) {
    const Program &p = junction.program();
    if (out.shape(0) != evidence.shape(0) || static_cast<Size>(out.shape(1)) != p.marginal_at.back())
        throw std::invalid_argument("junction: arrays of different shape");
    double *to = out.data();
    const Size width = p.marginal_at.back();
    sweep_any(p, tables, evidence, likelihoods, log_mass, true, false, n_threads,
              [&](auto &engine, const Rows &rows, Size first, int count, int) {
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

void run_counts(Junction &junction, Floats tables, States evidence, Likelihoods likelihoods,
                Vector<double> log_mass, Floats weight, Vector<double> out, int n_threads) {
    const Program &p = junction.program();
    const Size total = p.table_at.back();
    if (static_cast<Size>(out.size()) != total || weight.size() != evidence.shape(0))
        throw std::invalid_argument("junction: arrays of different shape");
    const double *w = weight.data();
    std::vector<double> partial(count_groups * total, 0.0);
    Size buffered = 0;
    for (const Clique &c : p.cliques) {
        Size here = 0;
        for (int f : c.families) here += p.slice_size[f];
        buffered = std::max(buffered, here);
    }
    sweep_any(p, tables, evidence, likelihoods, log_mass, true, false, n_threads,
              [&](auto &engine, const Rows &rows, Size first, int count, int group) {
                  constexpr int B = std::decay_t<decltype(engine)>::width;
                  double *counts = partial.data() + group * total;
                  std::vector<double> buffer(buffered * B);
                  std::vector<Output> wanted;
                  int owner = -1;
                  double weights[B];  // zero for rows that do not count
                  for (int r = 0; r < B; ++r)
                      weights[r] = r < count && !std::isinf(engine.log_mass(r)) ? w[first + r] : 0.0;
                  auto flush = [&] {
                      if (owner < 0) return;
                      const auto &families = p.cliques[owner].families;
                      for (std::size_t k = 0; k < families.size(); ++k) {
                          const int f = families[k];
                          const double *from = wanted[k].to;
                          double *all = counts + p.table_at[f];
                          if (p.sliced_var[f].empty()) {
                              for (Size e = 0; e < p.slice_size[f]; ++e)
                                  for (int r = 0; r < B; ++r) all[e] += weights[r] * from[e * B + r];
                              continue;
                          }
                          for (int r = 0; r < count; ++r) {
                              if (weights[r] == 0.0) continue;
                              double *to = all + engine.offset(rows, first + r, f);
                              const auto &entry = p.slice_from[f];
                              for (Size e = 0; e < p.slice_size[f]; ++e)
                                  to[entry[e]] += weights[r] * from[e * B + r];
                          }
                      }
                  };
                  engine.distribute([&](int c, std::vector<Output> &outputs) {
                      flush();
                      owner = c;
                      wanted.clear();
                      double *at = buffer.data();
                      const Clique &clique = p.cliques[c];
                      for (std::size_t k = 0; k < clique.families.size(); ++k) {
                          const Size size = p.slice_size[clique.families[k]];
                          wanted.push_back({&clique.to_family[k], at, size});
                          at += size * B;
                      }
                      outputs.insert(outputs.end(), wanted.begin(), wanted.end());
                  });
                  flush();
                  for (int f : p.constants)
                      for (int r = 0; r < count; ++r)
                          counts[p.table_at[f] + engine.offset(rows, first + r, f)] += weights[r];
              });
    double *to = out.data();
    std::fill(to, to + total, 0.0);
    for (int g = 0; g < count_groups; ++g)
        for (Size i = 0; i < total; ++i) to[i] += partial[g * total + i];
}

void run_joint(Junction &junction, Floats tables, States evidence, Likelihoods likelihoods,
               Vector<double> log_mass, Matrix<double> out, int n_threads) {
    const Program &p = junction.program();
    const Size size = p.query_size;
    if (out.shape(0) != evidence.shape(0) || static_cast<Size>(out.shape(1)) != std::max<Size>(size, 1))
        throw std::invalid_argument("junction: arrays of different shape");
    double *to = out.data();
    sweep_any(p, tables, evidence, likelihoods, log_mass, false, false, n_threads,
              [&](auto &engine, const Rows &, Size first, int count, int) {
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
                      for (Size e = 0; e < size; ++e) total += buffer[e * B + r];
                      const double factor = total > 0.0 && !std::isinf(engine.log_mass(r)) ? 1.0 / total : 0.0;
                      for (Size e = 0; e < size; ++e)
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
    const Size n = static_cast<Size>(p.cards.size());
    sweep_any(p, tables, evidence, likelihoods, log_mass, true, true, n_threads,
              [&](auto &engine, const Rows &rows, Size first, int count, int) {
                  for (int r = 0; r < count; ++r) {
                      std::int32_t *states = to + (first + r) * n;
                      for (Size v = 0; v < n; ++v)
                          states[v] = p.roles[v] == Role::sliced ? rows.state(first + r, static_cast<int>(v)) : 0;
                      engine.trace_back(r, states);
                  }
              });
}

nb::dict describe(Junction &junction) {
    const CliqueTree &tree = junction.tree();
    nb::dict found;
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
    const auto fixed = [](const char *name) { return nb::arg(name).noconvert(); };
    nb::class_<Junction>(m, "Junction")
        .def(nb::init<Longs, Longs, Longs, Vector<const std::uint8_t>, Longs, Longs, int, bool>(),
             fixed("cards"), fixed("start"), fixed("vars"), fixed("roles"), fixed("query"),
             fixed("order"), nb::arg("heuristic"), nb::arg("batch"))
        .def("describe", &describe)
        .def("entries", &entries)
        .def("marginals", &run_marginals, fixed("tables"), fixed("evidence"), nb::arg("likelihoods"),
             fixed("log_mass"), fixed("out"), nb::arg("n_threads"))
        .def("counts", &run_counts, fixed("tables"), fixed("evidence"), nb::arg("likelihoods"),
             fixed("log_mass"), fixed("weight"), fixed("out"), nb::arg("n_threads"))
        .def("joint", &run_joint, fixed("tables"), fixed("evidence"), nb::arg("likelihoods"),
             fixed("log_mass"), fixed("out"), nb::arg("n_threads"))
        .def("best", &run_best, fixed("tables"), fixed("evidence"), nb::arg("likelihoods"),
             fixed("log_mass"), fixed("out"), nb::arg("n_threads"));
}

}  // namespace margin
