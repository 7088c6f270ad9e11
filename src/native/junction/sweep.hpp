// One compiled structure, and the sweep of all rows of evidence through it.
#pragma once

#include <memory>
#include <tuple>
#include <utility>

#include "common/team.hpp"
#include "junction/engine.hpp"
#include "junction/tables.hpp"

namespace margin::junction {

using Floats = Vector<const double>;
using States = Matrix<const std::int32_t>;
using Likelihoods = std::vector<std::tuple<int, Matrix<const double>>>;

constexpr int count_groups = 16;  // partial counts are added in this fixed order

class Junction {
  public:
    explicit Junction(Request request) : request_(std::move(request)), tree_(plan(request_)) {}

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

inline Rows make_rows(const Program &p, const States &evidence, const Likelihoods &likelihoods) {
    Rows rows;
    rows.evidence = evidence.data();
    rows.n_vars = static_cast<Index>(p.cards.size());
    rows.likelihood.assign(p.cards.size(), nullptr);
    const Index n_rows = static_cast<Index>(evidence.shape(0));
    if (static_cast<Index>(evidence.shape(1)) != rows.n_vars)
        throw std::invalid_argument("junction: evidence of another width");
    for (Index row = 0; row < n_rows; ++row)
        for (Index v = 0; v < rows.n_vars; ++v) {
            const std::int32_t state = rows.evidence[row * rows.n_vars + v];
            const Role role = p.roles[v];
            if (state < -1 || state >= p.cards[v] || (role == Role::sliced && state < 0) ||
                (role == Role::hidden && state >= 0))
                throw std::invalid_argument("junction: evidence does not fit the program");
        }
    for (const auto &[v, table] : likelihoods) {
        if (v < 0 || v >= rows.n_vars || static_cast<Index>(table.shape(0)) != n_rows ||
            static_cast<Index>(table.shape(1)) != p.cards[v] || p.roles[v] == Role::hidden)
            throw std::invalid_argument("junction: likelihood does not fit the program");
        rows.likelihood[v] = table.data();
    }
    return rows;
}

// Runs `f(engine, first row, number of rows, group)` over all rows, in threads over groups of
// blocks.
template <int B, typename F>
void sweep(const Program &p, const Tables &tables, const Rows &, Index n_rows, bool store,
           bool maximise, int n_threads, F &&f) {
    const Base base(p, B > 1 ? tables.data : nullptr);
    const Index blocks = (n_rows + B - 1) / B;
    const int groups = B == 1 ? 1 : static_cast<int>(std::min<Index>(count_groups, blocks));
    // Rows one at a time share the threads within their cliques.
    const int outer = B == 1 ? 1 : n_threads, inner = B == 1 ? n_threads : 1;
    double entries = 0.0;
    for (const Clique &c : p.cliques) entries += static_cast<double>(c.domain.size);
    Interrupt interrupt;
    team::run(outer, 4.0 * entries * static_cast<double>(n_rows), groups, [&] {
        auto engine = std::make_unique<Engine<B>>(p, tables.data, base.data.data(), base.at.data(),
                                                  store, maximise, inner, interrupt);
        return [&, engine = std::move(engine)](Index g) {
            for (Index b = blocks * g / groups; b < blocks * (g + 1) / groups && !interrupt.poll();
                 ++b)
                f(*engine, b * B, static_cast<int>(std::min<Index>(B, n_rows - b * B)),
                  static_cast<int>(g), base.log_scale);
        };
    });
    interrupt.rethrow();
}

template <typename F>
void sweep_any(const Program &p, Floats given, const States &evidence,
               const Likelihoods &likelihoods, Vector<double> log_mass, bool store, bool maximise,
               int n_threads, F &&f) {
    const Rows rows = make_rows(p, evidence, likelihoods);
    const Index n_rows = static_cast<Index>(evidence.shape(0));
    if (static_cast<Index>(log_mass.size()) != n_rows || n_threads < 1)
        throw std::invalid_argument("junction: arrays of different shape");
    double *out = log_mass.data();
    nb::gil_scoped_release release;
    const Tables tables(p, given);
    auto visit = [&](auto &engine, Index first, int count, int group, double log_base) {
        engine.collect(rows, first, count);
        for (int r = 0; r < count; ++r)
            out[first + r] = engine.log_mass(r) + tables.log_scale + log_base;
        f(engine, rows, first, count, group);
    };
    if (p.batch)
        sweep<lanes>(p, tables, rows, n_rows, store, maximise, n_threads, visit);
    else
        sweep<1>(p, tables, rows, n_rows, store, maximise, n_threads, visit);
}

// The expectation step: weighted sums over rows of the posterior of every family.
void run_counts(Junction &junction, Floats tables, States evidence, Likelihoods likelihoods,
                Vector<double> log_mass, Floats weight, Vector<double> out, int n_threads);

}  // namespace margin::junction
