// Baum and Welch's sums for many sequences of symbols: no table of densities, no table of
// posteriors, only counts.
#include <nanobind/nanobind.h>
#include <nanobind/ndarray.h>

#include <cmath>
#include <optional>

#include "chains/bindings.hpp"
#include "chains/packs.hpp"
#include "chains/sweep.hpp"
#include "common/bind.hpp"
#include "common/team.hpp"

namespace margin {
namespace {

using namespace chains;

// What all sequences share: symbols are rows of `table`.
struct SymbolModel {
    Index k, symbols;
    const double *start, *transition, *table;
};

// Expected counts of some sequences.
struct SymbolSums {
    std::vector<double> pairs, shown, first, visits;

    explicit SymbolSums(const SymbolModel &model)
        : pairs(model.k * model.k, 0.0), shown(model.symbols * model.k, 0.0), first(model.k, 0.0),
          visits(model.k, 0.0) {}

    void add(const double *codes, const double *posterior, Index length, Index k, Index step) {
        for (Index i = 0; i < k; ++i) first[i] += posterior[i * step];
        for (Index t = 0; t < length; ++t) {
            const double *g = posterior + t * k * step;
            const bool seen = codes[t] == codes[t];
            double *to = seen ? shown.data() + static_cast<Index>(codes[t]) * k : nullptr;
            for (Index i = 0; i < k; ++i) {
                visits[i] += g[i * step];
                if (seen) to[i] += g[i * step];
            }
        }
    }
};

double in_logs(const SymbolModel &model, const double *codes, Index length, double weight,
               SymbolSums &sums) {
    const Index k = model.k;
    const auto log = [](double p) { return p > 0.0 ? std::log(p) : nowhere; };
    std::vector<double> emission(length * k, 0.0), a(k), A(k * k), counts(k * k, 0.0);
    for (Index t = 0; t < length; ++t)
        for (Index i = 0; i < k && codes[t] == codes[t]; ++i)
            emission[t * k + i] = log(model.table[static_cast<Index>(codes[t]) * k + i]);
    for (Index i = 0; i < k; ++i) a[i] = log(model.start[i]);
    for (Index c = 0; c < k * k; ++c) A[c] = log(model.transition[c]);
    std::vector<double> posterior(length * k);
    const LogChain chain{emission.data(), a.data(), A.data(), nullptr, length, k, 0};
    const double value = log_smooth(chain, posterior.data(), counts.data(), nullptr);
    for (double &g : posterior) g *= weight;
    for (Index c = 0; c < k * k; ++c) sums.pairs[c] += weight * counts[c];
    sums.add(codes, posterior.data(), length, k, 1);
    return value;
}

void smooth_pack(const SymbolModel &model, const Pack &pack, const double *codes,
                 const std::int64_t *at, PackRoom &room, SymbolSums &sums, double *values) {
    const Index k = model.k, steps = pack.strands.longest;
    room.hold(steps, k);
    double *b = room.likelihood.data();
    for (Index l = 0; l < lanes; ++l) {
        const Index length = pack.strands.length[l];
        const double *x = codes + at[pack.members[l]];
        for (Index t = 0; t < steps; ++t) {
            const bool seen = t < length && x[t] == x[t];
            const double *p = seen ? model.table + static_cast<Index>(x[t]) * k : nullptr;
            for (Index i = 0; i < k; ++i) b[(t * k + i) * lanes + l] = seen ? p[i] : 1.0;
        }
    }
    const Swept ahead =
        forward_strands(pack.strands, model.transition, b, room.alpha.data(), nullptr);
    const Swept back =
        backward_strands(pack.strands, model.transition, b, room.alpha.data(), room.pairs.data());
    for (Index l = 0; l < pack.size; ++l) {
        const Index s = pack.members[l], length = pack.strands.length[l];
        const double *x = codes + at[s];
        if (!ahead.good[l] || !back.good[l]) {
            values[s] = in_logs(model, x, length, pack.strands.weight[l], sums);
            continue;
        }
        values[s] = log_mass(0.0, ahead.power[l], ahead.mass[l]);
        add_pairs(room.pairs.data(), model.transition, k, l, sums.pairs.data());
        sums.add(x, room.alpha.data() + l, length, k, lanes);
    }
}

void symbol_sums(Vector<const double> codes, Vector<const std::int64_t> offsets,
                 Vector<const double> start, Matrix<const double> transition,
                 Matrix<const double> table, std::optional<Vector<const double>> weight,
                 Matrix<double> pairs, Matrix<double> shown, Vector<double> first,
                 Vector<double> visits, Vector<double> values, int n_threads) {
    const std::size_t rows = codes.size(), k = start.size();
    const Index n = static_cast<Index>(offsets.size()) - 1;
    check_offsets(offsets, rows);
    if (k < 1 || Index(k) > most_states || transition.shape(0) != k || transition.shape(1) != k ||
        table.shape(1) != k || (weight && Index(weight->size()) != n) || pairs.shape(0) != k ||
        pairs.shape(1) != k || shown.shape(0) != table.shape(0) || shown.shape(1) != k ||
        first.size() != k || visits.size() != k || Index(values.size()) != n)
        throw std::invalid_argument("chains: arrays of different shape");
    const double *x = codes.data(), *w = weight ? weight->data() : nullptr;
    for (std::size_t t = 0; t < rows; ++t)
        if (!(x[t] != x[t] || (x[t] >= 0.0 && x[t] < double(table.shape(0)))))
            throw std::invalid_argument("chains: symbol out of range");
    const std::int64_t *at = offsets.data();
    double *v = values.data();
    nb::gil_scoped_release release;
    const SymbolModel model{Index(k), Index(table.shape(0)), start.data(), transition.data(),
                            table.data()};
    const std::vector<Index> ends = groups(at, n);
    const Index pieces = static_cast<Index>(ends.size()) - 1;
    std::vector<SymbolSums> partial(pieces, SymbolSums(model));
    std::fill(v, v + n, 0.0);
    team::run(n_threads, double(rows) * double(k * k), pieces, [&] {
        return [&, room = PackRoom()](Index p) mutable {
            for (const Pack &pack : packs(at, ends[p], ends[p + 1], model.k, model.start, w))
                smooth_pack(model, pack, x, at, room, partial[p], v);
        };
    });
    SymbolSums all(model);
    const auto add = [](std::vector<double> &to, const std::vector<double> &from) {
        for (std::size_t i = 0; i < to.size(); ++i) to[i] += from[i];
    };
    for (const SymbolSums &one : partial) {
        add(all.pairs, one.pairs);
        add(all.shown, one.shown);
        add(all.first, one.first);
        add(all.visits, one.visits);
    }
    std::copy(all.pairs.begin(), all.pairs.end(), pairs.data());
    std::copy(all.shown.begin(), all.shown.end(), shown.data());
    std::copy(all.first.begin(), all.first.end(), first.data());
    std::copy(all.visits.begin(), all.visits.end(), visits.data());
}

}  // namespace

void bind_chain_symbols(nb::module_ &m) {
    m.def("chain_symbol_sums", &symbol_sums, fixed("codes"), fixed("offsets"), fixed("start"),
          fixed("transition"), fixed("table"), maybe("weight"), fixed("pairs"), fixed("shown"),
          fixed("first"), fixed("visits"), fixed("log_likelihood"), nb::arg("n_threads"));
}

}  // namespace margin
