// The working memory of one propagation: where every message, slice and product lies.
#pragma once

#include <algorithm>
#include <cmath>
#include <memory>
#include <utility>
#include <vector>

#include "junction/program.hpp"

namespace margin::junction {

struct Rows {
    const std::int32_t *evidence = nullptr;  // (rows, variables), -1 where unobserved
    Index n_vars = 0;
    std::vector<const double *> likelihood;  // per variable: (rows, card) or null

    std::int32_t state(Index row, int v) const { return evidence[row * n_vars + v]; }
};

// For `B` rows at a time, their numbers side by side.
template <int B>
struct Memory {
    const Program &p;
    const double *tables, *base;  // the factors; per clique what batches share of them
    const Index *base_at;
    bool store;  // whether the products of all cliques are kept
    std::vector<Index> up, down, home, product, unary, slice, table, slice_offset;
    std::unique_ptr<double[]> arena, stored;

    Memory(const Program &program, const double *tables, const double *base, const Index *base_at,
           bool store)
        : p(program), tables(tables), base(base), base_at(base_at), store(store) {
        Index at = 0;
        auto reserve = [&](Index size) { return std::exchange(at, at + size * B); };
        for (const Clique &c : p.cliques) {
            up.push_back(reserve(c.separator_size));
            down.push_back(reserve(c.separator_size));
            home.push_back(reserve(c.home_size));
        }
        for (const Product &one : p.products) product.push_back(reserve(one.domain.size));
        unary.resize(p.cards.size());
        for (std::size_t v = 0; v < p.cards.size(); ++v)
            unary[v] = p.roles[v] == Role::unary ? reserve(p.cards[v]) : 0;
        slice.resize(p.scopes.size());
        if (B > 1)
            for (std::size_t f = 0; f < p.scopes.size(); ++f)
                slice[f] = p.sliced_var[f].empty() ? 0 : reserve(p.slice_size[f]);
        Index tables_size = 0;
        for (std::size_t c = 0; c < p.cliques.size(); ++c) {
            table.push_back(tables_size);
            if (keeps(static_cast<int>(c))) tables_size += p.cliques[c].domain.size * B;
        }
        arena.reset(new double[at + 1]);
        stored.reset(new double[tables_size + 1]);
        slice_offset.resize(p.scopes.size());
    }

    bool keeps(int c) const { return store || c == p.query_clique; }

    const double *pointer(const Source &source) const {
        switch (source.kind) {
            case Source::Kind::table:
                return B == 1 ? tables + p.table_at[source.id] + slice_offset[source.id]
                              : arena.get() + slice[source.id];
            case Source::Kind::message: return arena.get() + up[source.id];
            case Source::Kind::unary: return arena.get() + unary[source.id];
            default: return arena.get() + product[source.id];
        }
    }

    // Evidence and slices of the factors for rows [first, first + count); the last row is repeated.
    // Logarithms of what is constant in a row are added to `scale`.
    void read(const Rows &rows, Index first, int count, double *scale) {
        for (std::size_t v = 0; v < p.cards.size(); ++v) {
            const double *given = rows.likelihood[v];
            const Index card = p.cards[v];
            for (int r = 0; r < B; ++r) {
                const Index row = first + std::min(r, count - 1);
                const std::int32_t state = rows.state(row, static_cast<int>(v));
                if (p.roles[v] == Role::sliced && given)
                    scale[r] += std::log(given[row * card + state]);
                if (p.roles[v] != Role::unary) continue;
                double *to = arena.get() + unary[v] + r;
                for (Index k = 0; k < card; ++k)
                    to[k * B] =
                        (state < 0 || state == k) ? (given ? given[row * card + k] : 1.0) : 0.0;
            }
        }
        for (std::size_t f = 0; f < p.scopes.size(); ++f) {
            slice_offset[f] = 0;
            if (p.sliced_var[f].empty()) continue;
            for (int r = 0; r < B; ++r) {
                const Index at = offset(rows, first + std::min(r, count - 1), static_cast<int>(f));
                if (B == 1) slice_offset[f] = at;
                if (B == 1) continue;
                const double *from = tables + p.table_at[f] + at;
                double *to = arena.get() + slice[f] + r;
                const auto &entry = p.slice_from[f];
                for (std::size_t e = 0; e < entry.size(); ++e) to[e * B] = from[entry[e]];
            }
        }
        for (int f : p.constants)
            for (int r = 0; r < B; ++r)
                scale[r] += std::log(
                    tables[p.table_at[f] + offset(rows, first + std::min(r, count - 1), f)]);
    }

    // Start of a row's slice in a factor.
    Index offset(const Rows &rows, Index row, int f) const {
        Index at = 0;
        for (std::size_t k = 0; k < p.sliced_var[f].size(); ++k)
            at += p.sliced_stride[f][k] * rows.state(row, p.sliced_var[f][k]);
        return at;
    }
};

}  // namespace margin::junction
