// The tables of a model as propagation wants them: in a safe range, and multiplied where rows
// agree.
#pragma once

#include <algorithm>
#include <cmath>
#include <stdexcept>

#include "junction/pass.hpp"

namespace margin::junction {

// The tables, scaled where their size could overflow a product, and the logarithm of the scale.
struct Tables {
    const double *data;
    std::vector<double> copy;
    double log_scale = 0.0;

    Tables(const Program &p, const Vector<const double> &given) : data(given.data()) {
        if (static_cast<Index>(given.size()) != p.table_at.back())
            throw std::invalid_argument("junction: tables of another size");
        std::vector<double> top(p.scopes.size(), 0.0);
        bool rescale = false;
        for (std::size_t f = 0; f < p.scopes.size(); ++f) {
            bool valid = true;
            for (Index i = p.table_at[f]; i < p.table_at[f + 1]; ++i) {
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
            for (Index i = p.table_at[f]; i < p.table_at[f + 1]; ++i) copy[i] /= top[f];
        }
        data = copy.data();
    }
};

// Per clique the product of the factors that are the same in all rows of a batch.
struct Base {
    std::vector<double> data;
    std::vector<Index> at;
    double log_scale = 0.0;

    Base(const Program &p, const double *tables) {
        Index total = 0;
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
        walk(c.domain, maps, 0, c.domain.blocks, [&](Index b, const Index *offset) {
            double *block = table + b * c.domain.block;
            for (std::size_t k = 0; k < maps.size(); ++k)
                (from + k ? multiply_row : set_row)(
                    block, tables + p.table_at[c.base[from + k]] + offset[k], *maps[k],
                    c.domain.block);
        });
        const double top = *std::max_element(table, table + c.domain.size);
        if (top == 0.0) return;
        log_scale += std::log(top);
        for (Index i = 0; i < c.domain.size; ++i) table[i] /= top;
    }
};

}  // namespace margin::junction
