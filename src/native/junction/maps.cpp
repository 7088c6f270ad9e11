// Domains of products, and where their entries fall in the tables they are made of.
#include "junction/maps.hpp"

#include <utility>

namespace margin::junction {
namespace {

void classify(Map &map) {
    const auto &at = map.inner;
    const Index n = static_cast<Index>(at.size());
    Index rising = 1, equal = 1;
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
    for (Index s = 0; map.kind == Map::Kind::pieces && s < n; s += map.run)
        if (at[s + map.run - 1] != at[s] + map.run - 1)
            map.kind = Map::Kind::scattered, map.run = 1;
}

}  // namespace

Domain make_domain(std::vector<int> vars, const std::vector<Index> &cards, bool batch) {
    const Index limit = batch ? batch_entries : block_entries;
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

Map make_map(const Domain &domain, const std::vector<int> &vars,
             const std::vector<Index> &strides) {
    const int axes = static_cast<int>(domain.vars.size());
    std::vector<Index> stride(axes, 0);
    for (int a = 0; a < axes; ++a)
        for (std::size_t k = 0; k < vars.size(); ++k)
            if (vars[k] == domain.vars[a]) stride[a] += strides[k];
    Map map;
    map.outer.assign(stride.begin(), stride.begin() + domain.outer);
    map.inner.assign(1, 0);
    map.inner.reserve(domain.block);
    for (int a = axes - 1; a >= domain.outer; --a) {
        const Index have = static_cast<Index>(map.inner.size());
        for (Index k = 1; k < domain.dims[a]; ++k)
            for (Index i = 0; i < have; ++i)
                map.inner.push_back(static_cast<std::int32_t>(map.inner[i] + k * stride[a]));
    }
    classify(map);
    return map;
}

std::vector<Index> row_major(const std::vector<int> &vars, const std::vector<Index> &cards) {
    std::vector<Index> strides(vars.size());
    Index stride = 1;
    for (std::size_t k = vars.size(); k-- > 0; stride *= cards[vars[k]]) strides[k] = stride;
    return strides;
}

Map compact_map(const Domain &domain, const std::vector<int> &vars,
                const std::vector<Index> &cards) {
    return make_map(domain, vars, row_major(vars, cards));
}

}  // namespace margin::junction
