// From a tree of cliques to a program: axis orders, sources, and maps between tables.
#include <algorithm>
#include <numeric>

#include "junction_program.hpp"

namespace margin::junction {
namespace {

Domain make_domain(std::vector<int> vars, const std::vector<Size> &cards, bool batch) {
    const Size limit = batch ? batch_entries : block_entries;
    Domain domain;
    domain.vars = std::move(vars);
    for (int v : domain.vars) {
        domain.dims.push_back(cards[v]);
        domain.size *= cards[v];
    }
    domain.outer = static_cast<int>(domain.vars.size());
    while (domain.outer > 0 && domain.block * domain.dims[domain.outer - 1] <= limit)
        domain.block *= domain.dims[--domain.outer];
    domain.blocks = domain.size / domain.block;
    return domain;
}

void classify(Map &map) {
    const auto &at = map.inner;
    const Size n = static_cast<Size>(at.size());
    Size rising = 1, equal = 1;
    while (rising < n && at[rising] == at[0] + rising) ++rising;
    while (equal < n && at[equal] == at[0]) ++equal;
    // Runs are whole axes, so the first one tells the length of all.
    if (equal == n)
        map.kind = Map::Kind::constant, map.run = n;
    else if (rising == n)
        map.kind = Map::Kind::contiguous, map.run = n;
    else if (equal > 1)
        map.kind = Map::Kind::repeats, map.run = equal;
    else if (rising >= 4)
        map.kind = Map::Kind::pieces, map.run = rising;
    if (n % map.run != 0) map.kind = Map::Kind::scattered, map.run = 1;
    for (Size s = 0; map.kind == Map::Kind::pieces && s < n; s += map.run)
        if (at[s + map.run - 1] != at[s] + map.run - 1) map.kind = Map::Kind::scattered, map.run = 1;
}

// The strides are those of the table's own axes; variables it does not have get stride zero.
Map make_map(const Domain &domain, const std::vector<int> &vars, const std::vector<Size> &strides) {
    const int axes = static_cast<int>(domain.vars.size());
    std::vector<Size> stride(axes, 0);
    for (int a = 0; a < axes; ++a)
        for (std::size_t k = 0; k < vars.size(); ++k)
            if (vars[k] == domain.vars[a]) stride[a] += strides[k];
    Map map;
    map.outer.assign(stride.begin(), stride.begin() + domain.outer);
    map.inner.assign(1, 0);
    map.inner.reserve(domain.block);
    for (int a = axes - 1; a >= domain.outer; --a) {
        const Size have = static_cast<Size>(map.inner.size());
        for (Size k = 1; k < domain.dims[a]; ++k)
            for (Size i = 0; i < have; ++i)
                map.inner.push_back(static_cast<std::int32_t>(map.inner[i] + k * stride[a]));
    }
    classify(map);
    return map;
}

std::vector<Size> row_major(const std::vector<int> &vars, const std::vector<Size> &cards) {
    std::vector<Size> strides(vars.size());
    Size stride = 1;
    for (std::size_t k = vars.size(); k-- > 0; stride *= cards[vars[k]]) strides[k] = stride;
    return strides;
}

Map compact_map(const Domain &domain, const std::vector<int> &vars, const std::vector<Size> &cards) {
    return make_map(domain, vars, row_major(vars, cards));
}

// A source before it is placed: its variables and the strides of its entries.
struct Loose {
    Source::Kind kind;
    int id;
    std::vector<int> vars;
    std::vector<Size> strides;
    Size size;
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
        find_homes();
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
        Size at = 0;
        for (std::size_t f = 0; f < request_.scopes.size(); ++f) {
            const auto &scope = request_.scopes[f];
            const auto strides = row_major(scope, request_.cards);
            program_.table_at.push_back(at);
            std::vector<int> vars, fixed;
            std::vector<Size> fixed_stride, from{0};
            Size size = 1, total = 1;
            for (std::size_t k = 0; k < scope.size(); ++k) {
                const Size card = request_.cards[scope[k]];
                total *= card;
                if (sliced(scope[k])) {
                    fixed.push_back(scope[k]);
                    fixed_stride.push_back(strides[k]);
                    continue;
                }
                size *= card;
                std::vector<Size> wider;
                if (!program_keeps_slices(scope)) continue;
                wider.reserve(from.size() * card);
                for (Size start : from)
                    for (Size s = 0; s < card; ++s) wider.push_back(start + s * strides[k]);
                from = std::move(wider);
            }
            at += total;
            program_.sliced_var.push_back(fixed);
            program_.sliced_stride.push_back(fixed_stride);
            program_.slice_size.push_back(size);
            program_.slice_from.push_back(program_keeps_slices(scope) ? from : std::vector<Size>{});
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
        std::erase_if(own, [&](int v) {
            return std::find(shared.begin(), shared.end(), v) != shared.end();
        });
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
            std::vector<Size> kept;
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
            found.push_back({Source::Kind::message, child, vars, row_major(vars, request_.cards),
                             program_.cliques[child].separator_size, {}});
            clique.to_child.push_back(compact_map(clique.domain, vars, request_.cards));
        }
        return found;
    }

    Source place(const std::vector<Loose> &all, int i, const Domain &into, Clique &clique) {
        const Loose &one = all[i];
        if (one.absorbed.empty())
            return {one.kind, one.id, make_map(into, one.vars, one.strides)};
        std::vector<int> vars;
        for (int v : clique.domain.vars)
            if (std::find(one.vars.begin(), one.vars.end(), v) != one.vars.end()) vars.push_back(v);
        Product product{make_domain(vars, request_.cards, request_.batch), {}};
        product.sources.push_back({one.kind, one.id, make_map(product.domain, one.vars, one.strides)});
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

    // Products are rescaled, so a product of very many factors is made in steps that cannot underflow.
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

    // Each marginal is read from the smallest table that has the variable.
    void find_homes() {
        const std::size_t n = request_.cards.size();
        std::vector<Size> smallest(n, 0);
        program_.axis_of.resize(n);
        auto offer = [&](int v, int c, bool separator, Size size) {
            if (smallest[v] != 0 && smallest[v] <= size) return;
            smallest[v] = size;
            program_.axis_of[v].clique = c;
            program_.axis_of[v].separator = separator;
        };
        for (std::size_t c = 0; c < program_.cliques.size(); ++c) {
            const Clique &clique = program_.cliques[c];
            for (int v : clique.separator)
                offer(v, static_cast<int>(c), true, clique.separator_size);
            for (int v : clique.domain.vars)
                offer(v, static_cast<int>(c), false, 4 * clique.domain.size);
        }
        Size at = 0;
        for (std::size_t v = 0; v < n; ++v) {
            program_.marginal_at.push_back(at);
            at += request_.cards[v];
            const Axis &axis = program_.axis_of[v];
            if (axis.clique >= 0 && !axis.separator)
                program_.cliques[axis.clique].home.push_back(static_cast<int>(v));
        }
        program_.marginal_at.push_back(at);
        for (Clique &clique : program_.cliques) {
            if (clique.home.empty()) continue;
            std::vector<int> ordered;
            for (int v : clique.domain.vars)
                if (std::find(clique.home.begin(), clique.home.end(), v) != clique.home.end())
                    ordered.push_back(v);
            clique.home = ordered;
            clique.home_size = 1;
            for (int v : ordered) clique.home_size *= request_.cards[v];
            clique.to_home = compact_map(clique.domain, ordered, request_.cards);
        }
        for (std::size_t v = 0; v < n; ++v) measure_axis(static_cast<int>(v));
    }

    void measure_axis(int v) {
        Axis &axis = program_.axis_of[v];
        axis.card = request_.cards[v];
        if (axis.clique < 0) return;
        const Clique &clique = program_.cliques[axis.clique];
        bool passed = false;
        for (int u : axis.separator ? clique.separator : clique.home) {
            if (u == v)
                passed = true;
            else
                (passed ? axis.inner : axis.outer) *= request_.cards[u];
        }
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

Program build(const Request &request, const CliqueTree &tree) { return Builder(request, tree).take(); }

}  // namespace margin::junction
