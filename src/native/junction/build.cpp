// From a tree of cliques to a program: axis orders, sources, and maps between tables.
#include <algorithm>
#include <numeric>

#include "junction/maps.hpp"

namespace margin::junction {
namespace {

// A source before it is placed: its variables and the strides of its entries.
struct Loose {
    Source::Kind kind;
    int id;
    std::vector<int> vars;
    std::vector<Index> strides;
    Index size;
    std::vector<int> absorbed;
};

class Builder {
  public:
    Builder(const Request &request, const CliqueTree &tree) : request_(request), tree_(tree) {
        program_.cards = request.cards;
        program_.roles = request.roles;
        program_.scopes = request.scopes;
        program_.order = tree.order;
        program_.batch = request.batch;
        program_.cliques.resize(tree.members.size());
        assigned_.resize(tree.members.size());
    }

    Program take() {
        place_factors();
        for (std::size_t c = 0; c < program_.cliques.size(); ++c) shape(static_cast<int>(c));
        for (std::size_t c = 0; c < program_.cliques.size(); ++c) connect(static_cast<int>(c));
        find_homes(program_);
        place_query();
        return std::move(program_);
    }

  private:
    bool sliced(int v) const { return request_.roles[v] == Role::sliced; }

    int clique_of(const std::vector<int> &vars) const {
        int first = -1;
        for (int v : vars)
            if (!sliced(v) && (first < 0 || tree_.position[v] < tree_.position[first])) first = v;
        return first < 0 ? -1 : tree_.node_of[first];
    }

    void place_factors() {
        Index at = 0;
        for (std::size_t f = 0; f < request_.scopes.size(); ++f) {
            const auto &scope = request_.scopes[f];
            const auto strides = row_major(scope, request_.cards);
            program_.table_at.push_back(at);
            std::vector<int> vars, fixed;
            std::vector<Index> fixed_stride, from{0};
            Index size = 1, total = 1;
            for (std::size_t k = 0; k < scope.size(); ++k) {
                const Index card = request_.cards[scope[k]];
                total *= card;
                if (sliced(scope[k])) {
                    fixed.push_back(scope[k]);
                    fixed_stride.push_back(strides[k]);
                    continue;
                }
                size *= card;
                std::vector<Index> wider;
                if (!program_keeps_slices(scope)) continue;
                wider.reserve(from.size() * card);
                for (Index start : from)
                    for (Index s = 0; s < card; ++s) wider.push_back(start + s * strides[k]);
                from = std::move(wider);
            }
            at += total;
            program_.sliced_var.push_back(fixed);
            program_.sliced_stride.push_back(fixed_stride);
            program_.slice_size.push_back(size);
            program_.slice_from.push_back(program_keeps_slices(scope) ? from
                                                                      : std::vector<Index>{});
            const int clique = clique_of(scope);
            if (clique < 0)
                program_.constants.push_back(static_cast<int>(f));
            else
                assigned_[clique].push_back(static_cast<int>(f));
        }
        program_.table_at.push_back(at);
    }

    // Offsets of a slice's entries are needed where rows pick different slices.
    bool program_keeps_slices(const std::vector<int> &scope) const {
        return std::any_of(scope.begin(), scope.end(), [&](int v) { return sliced(v); });
    }

    void shape(int c) {
        Clique &clique = program_.cliques[c];
        clique.parent = tree_.parent[c];
        std::vector<int> own = tree_.members[c];
        std::vector<int> shared;
        if (clique.parent >= 0) {
            Clique &parent = program_.cliques[clique.parent];
            parent.children.push_back(c);
            for (int v : parent.domain.vars)
                if (std::find(own.begin(), own.end(), v) != own.end()) shared.push_back(v);
        }
        std::erase_if(
            own, [&](int v) { return std::find(shared.begin(), shared.end(), v) != shared.end(); });
        // Variables of many factors go last: longer runs in the inner loop.
        std::vector<int> uses(request_.cards.size(), 0);
        for (int f : assigned_[c])
            for (int v : request_.scopes[f]) ++uses[v];
        std::stable_sort(own.begin(), own.end(), [&](int a, int b) { return uses[a] < uses[b]; });
        own.insert(own.end(), shared.begin(), shared.end());
        clique.domain = make_domain(std::move(own), request_.cards, request_.batch);
        clique.separator = shared;
        clique.to_separator = compact_map(clique.domain, shared, request_.cards);
        for (int v : shared) clique.separator_size *= request_.cards[v];
    }

    std::vector<Loose> sources_of(int c) {
        Clique &clique = program_.cliques[c];
        std::vector<Loose> found;
        for (int f : assigned_[c]) {
            const auto &scope = request_.scopes[f];
            const auto strides = row_major(scope, request_.cards);
            std::vector<int> vars;
            std::vector<Index> kept;
            for (std::size_t k = 0; k < scope.size(); ++k)
                if (!sliced(scope[k])) vars.push_back(scope[k]), kept.push_back(strides[k]);
            clique.families.push_back(f);
            clique.to_family.push_back(compact_map(clique.domain, vars, request_.cards));
            if (request_.batch && vars.size() == scope.size()) {
                clique.base.push_back(f);
                clique.base_maps.push_back(make_map(clique.domain, vars, kept));
                continue;
            }
            if (request_.batch) kept = row_major(vars, request_.cards);  // slices are gathered
            found.push_back({Source::Kind::table, f, vars, kept, program_.slice_size[f], {}});
        }
        for (int v : clique.domain.vars)
            if (request_.roles[v] == Role::unary && tree_.node_of[v] == c)
                found.push_back({Source::Kind::unary, v, {v}, {1}, request_.cards[v], {}});
        for (int child : clique.children) {
            const auto &vars = program_.cliques[child].separator;
            found.push_back({Source::Kind::message,
                             child,
                             vars,
                             row_major(vars, request_.cards),
                             program_.cliques[child].separator_size,
                             {}});
            clique.to_child.push_back(compact_map(clique.domain, vars, request_.cards));
        }
        return found;
    }

    Source place(const std::vector<Loose> &all, int i, const Domain &into, Clique &clique) {
        const Loose &one = all[i];
        if (one.absorbed.empty()) return {one.kind, one.id, make_map(into, one.vars, one.strides)};
        std::vector<int> vars;
        for (int v : clique.domain.vars)
            if (std::find(one.vars.begin(), one.vars.end(), v) != one.vars.end()) vars.push_back(v);
        Product product{make_domain(vars, request_.cards, request_.batch), {}};
        product.sources.push_back(
            {one.kind, one.id, make_map(product.domain, one.vars, one.strides)});
        for (int k : one.absorbed) product.sources.push_back(place(all, k, product.domain, clique));
        fold_many(product.domain, product.sources, clique);
        return {Source::Kind::product, keep(std::move(product), clique),
                compact_map(into, vars, request_.cards)};
    }

    int keep(Product product, Clique &clique) {
        const int id = static_cast<int>(program_.products.size());
        program_.products.push_back(std::move(product));
        clique.products.push_back(id);
        return id;
    }

    // Products are rescaled, so a product of very many factors is made in steps that cannot
    // underflow.
    void fold_many(const Domain &domain, std::vector<Source> &sources, Clique &clique) {
        const std::size_t at_once = domain.size > 65536 ? 24 : 8;
        while (sources.size() > at_once) {
            Product step{domain, {}};
            for (std::size_t k = 0; k < at_once; ++k) step.sources.push_back(std::move(sources[k]));
            sources.erase(sources.begin(), sources.begin() + at_once);
            sources.push_back({Source::Kind::product, keep(std::move(step), clique),
                               compact_map(domain, domain.vars, request_.cards)});
        }
    }

    // A factor inside another one is multiplied there, in the smaller table.
    void connect(int c) {
        Clique &clique = program_.cliques[c];
        std::vector<Loose> all = sources_of(c);
        std::stable_sort(all.begin(), all.end(),
                         [](const Loose &a, const Loose &b) { return a.size < b.size; });
        std::vector<char> taken(all.size(), 0);
        auto inside = [](const Loose &a, const Loose &b) {
            return std::all_of(a.vars.begin(), a.vars.end(), [&](int v) {
                return std::find(b.vars.begin(), b.vars.end(), v) != b.vars.end();
            });
        };
        for (std::size_t i = 0; i < all.size(); ++i)
            for (std::size_t j = i + 1; j < all.size() && !taken[i]; ++j)
                if (2 * all[j].size <= clique.domain.size && inside(all[i], all[j])) {
                    all[j].absorbed.push_back(static_cast<int>(i));
                    taken[i] = 1;
                }
        for (std::size_t i = 0; i < all.size(); ++i)
            if (!taken[i])
                clique.sources.push_back(place(all, static_cast<int>(i), clique.domain, clique));
        fold_many(clique.domain, clique.sources, clique);
    }

    void place_query() {
        if (request_.query.empty()) return;
        program_.query_size = 1;
        std::vector<int> vars;
        for (int v : request_.query) {
            if (sliced(v)) continue;
            vars.push_back(v);
            program_.query_size *= request_.cards[v];
        }
        program_.query_clique = clique_of(vars);
        if (program_.query_clique >= 0)
            program_.to_query =
                compact_map(program_.cliques[program_.query_clique].domain, vars, request_.cards);
    }

    const Request &request_;
    const CliqueTree &tree_;
    Program program_;
    std::vector<std::vector<int>> assigned_;
};

}  // namespace

Program build(const Request &request, const CliqueTree &tree) {
    return Builder(request, tree).take();
}

}  // namespace margin::junction
