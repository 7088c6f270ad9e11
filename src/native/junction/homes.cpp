// Where the marginal of every variable is read from.
#include <algorithm>

#include "junction/maps.hpp"

namespace margin::junction {
namespace {

void measure_axis(Program &program, int v) {
    Axis &axis = program.axis_of[v];
    axis.card = program.cards[v];
    if (axis.clique < 0) return;
    const Clique &clique = program.cliques[axis.clique];
    bool passed = false;
    for (int u : axis.separator ? clique.separator : clique.home) {
        if (u == v)
            passed = true;
        else
            (passed ? axis.inner : axis.outer) *= program.cards[u];
    }
}

}  // namespace

void find_homes(Program &program) {
    const std::size_t n = program.cards.size();
    std::vector<Index> smallest(n, 0);
    program.axis_of.resize(n);
    auto offer = [&](int v, int c, bool separator, Index size) {
        if (smallest[v] != 0 && smallest[v] <= size) return;
        smallest[v] = size;
        program.axis_of[v].clique = c;
        program.axis_of[v].separator = separator;
    };
    for (std::size_t c = 0; c < program.cliques.size(); ++c) {
        const Clique &clique = program.cliques[c];
        for (int v : clique.separator) offer(v, static_cast<int>(c), true, clique.separator_size);
        for (int v : clique.domain.vars)
            offer(v, static_cast<int>(c), false, 4 * clique.domain.size);
    }
    Index at = 0;
    for (std::size_t v = 0; v < n; ++v) {
        program.marginal_at.push_back(at);
        at += program.cards[v];
        const Axis &axis = program.axis_of[v];
        if (axis.clique >= 0 && !axis.separator)
            program.cliques[axis.clique].home.push_back(static_cast<int>(v));
    }
    program.marginal_at.push_back(at);
    for (Clique &clique : program.cliques) {
        if (clique.home.empty()) continue;
        std::vector<int> ordered;
        for (int v : clique.domain.vars)
            if (std::find(clique.home.begin(), clique.home.end(), v) != clique.home.end())
                ordered.push_back(v);
        clique.home = ordered;
        clique.home_size = 1;
        for (int v : ordered) clique.home_size *= program.cards[v];
        clique.to_home = compact_map(clique.domain, ordered, program.cards);
    }
    for (std::size_t v = 0; v < n; ++v) measure_axis(program, static_cast<int>(v));
}

}  // namespace margin::junction
