// Colours of Weisfeiler and Lehman, and shortest paths, of many graphs in one numbering.
#include <nanobind/nanobind.h>
#include <nanobind/ndarray.h>
#include <nanobind/stl/tuple.h>

#include <algorithm>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <stdexcept>
#include <tuple>
#include <utility>
#include <vector>

#include "common/bind.hpp"
#include "common/native.hpp"
#include "common/team.hpp"
#include "kernels/key_table.hpp"
#include "kernels/pair_values.hpp"

namespace margin {
namespace {

void check_arcs(const Vector<const std::int64_t> &indptr, const Vector<const std::int32_t> &heads) {
    check_starts(indptr, heads.size());
    const std::int64_t nodes = std::int64_t(indptr.size()) - 1;
    for (std::size_t e = 0; e < heads.size(); ++e)
        if (heads.data()[e] < 0 || heads.data()[e] >= nodes)
            throw std::invalid_argument("graphs: neighbour out of range");
}

constexpr std::size_t bundle = 1024;  // nodes that a thread takes at a time

struct Surroundings {
    const std::int64_t *indptr;
    const std::int32_t *heads;
    const std::uint8_t *kinds;
    Index nodes;
    std::vector<std::uint64_t> sorted;  // (kind, colour) of the neighbours of every node

    void read(const std::int32_t *colour, int threads) {
        team::each_block(threads, work(), nodes, bundle, [&](Index first, Index last) {
            for (Index v = first; v < last; ++v) {
                const auto from = sorted.begin() + indptr[v], to = sorted.begin() + indptr[v + 1];
                for (std::int64_t e = indptr[v]; e < indptr[v + 1]; ++e) {
                    const std::uint64_t kind = kinds ? kinds[e] : 0;
                    sorted[e] = kind << 32 | std::uint32_t(colour[heads[e]]);
                }
                std::sort(from, to);
            }
        });
    }

    // Neighbours lie anywhere in memory, and are sorted.
    double work() const { return 8.0 * double(sorted.size()) + 4.0 * double(nodes); }

    std::uint64_t hash(Index v, std::int32_t colour) const {
        std::uint64_t h = mixed_bits(std::uint32_t(colour) + 0x9e3779b97f4a7c15ULL);
        for (std::int64_t e = indptr[v]; e < indptr[v + 1]; ++e)
            h = mixed_bits(h * 0x9e3779b97f4a7c15ULL + sorted[e] + 1);
        return h;
    }

    bool same(Index u, Index v, const std::int32_t *colour) const {
        return colour[u] == colour[v] &&
               std::equal(sorted.begin() + indptr[u], sorted.begin() + indptr[u + 1],
                          sorted.begin() + indptr[v], sorted.begin() + indptr[v + 1]);
    }
};

// One round: nodes of the same colour with the same neighbours keep a common colour. Colours are
// numbered by first appearance; nodes that only hash alike are told apart by comparison.
std::int64_t refine_once(Surroundings &around, const std::int32_t *old, std::int32_t *fresh,
                         std::vector<std::uint64_t> &hashes, std::vector<std::int32_t> &slots,
                         int threads) {
    around.read(old, threads);
    team::each_block(threads, around.work(), around.nodes, bundle, [&](Index first, Index last) {
        for (Index v = first; v < last; ++v) hashes[v] = around.hash(v, old[v]);
    });
    std::fill(slots.begin(), slots.end(), -1);
    std::int32_t count = 0;
    for (Index v = 0; v < around.nodes; ++v) {
        std::size_t at = hashes[v] & (slots.size() - 1);
        while (slots[at] >= 0) {
            const Index u = slots[at];
            if (hashes[u] == hashes[v] && around.same(u, v, old)) break;
            at = (at + 1) & (slots.size() - 1);
        }
        if (slots[at] < 0) {
            slots[at] = static_cast<std::int32_t>(v);
            fresh[v] = count++;
        } else {
            fresh[v] = fresh[slots[at]];
        }
    }
    return count;
}

// Rows of `colours` after the first, until a round splits nothing; returns the last row that
// differs from the one before.
std::int64_t refine_colours(Vector<const std::int64_t> indptr, Vector<const std::int32_t> heads,
                            std::optional<Vector<const std::uint8_t>> kinds,
                            Matrix<std::int32_t> colours, Vector<std::int64_t> sizes, int threads) {
    check_arcs(indptr, heads);
    const Index nodes = Index(indptr.size()) - 1, rows = Index(colours.shape(0));
    if ((kinds && kinds->size() != heads.size()) || rows < 1 || Index(colours.shape(1)) != nodes ||
        Index(sizes.size()) != rows)
        throw std::invalid_argument("refine_colours: arrays do not fit");
    nb::gil_scoped_release release;
    Surroundings around{indptr.data(), heads.data(), kinds ? kinds->data() : nullptr, nodes,
                        std::vector<std::uint64_t>(heads.size())};
    std::vector<std::uint64_t> hashes(nodes);
    std::vector<std::int32_t> slots(std::bit_ceil(std::size_t(2 * nodes + 2)));
    for (Index r = 1; r < rows; ++r) {
        sizes.data()[r] = refine_once(around, colours.data() + (r - 1) * nodes,
                                      colours.data() + r * nodes, hashes, slots, threads);
        if (sizes.data()[r] == sizes.data()[r - 1]) return r - 1;
    }
    return rows - 1;
}

using Counted = std::vector<std::pair<std::uint64_t, std::int64_t>>;

struct Paths {
    const std::int64_t *offsets, *indptr;
    const std::int32_t *heads, *labels;
    std::uint64_t n_labels, longest;
    KeyTable table;
    std::vector<std::int64_t> counts;
    std::vector<std::int32_t> depth, queue;

    // Ends and lengths of the shortest paths between distinct nodes of a graph, in both directions.
    Counted operator()(Index g) {
        const std::int64_t first = offsets[g], n = offsets[g + 1] - first;
        table.clear();
        counts.clear();
        queue.resize(n);
        for (std::int64_t source = 0; source < n; ++source) {
            depth.assign(n, -1);
            depth[source] = 0;
            queue[0] = static_cast<std::int32_t>(source);
            for (std::int64_t at = 0, end = 1; at < end; ++at) {
                const std::int32_t u = queue[at];
                if (u != source) add(first + source, first + u, depth[u]);
                for (std::int64_t e = indptr[first + u]; e < indptr[first + u + 1]; ++e) {
                    const std::int64_t v = heads[e] - first;
                    if (depth[v] >= 0) continue;
                    depth[v] = depth[u] + 1;
                    queue[end++] = static_cast<std::int32_t>(v);
                }
            }
        }
        Counted made(counts.size());
        for (std::size_t k = 0; k < made.size(); ++k) made[k] = {table.keys()[k], counts[k]};
        return made;
    }

    void add(std::int64_t from, std::int64_t to, std::int32_t steps) {
        const std::uint64_t ends = std::uint64_t(labels[from]) * n_labels + labels[to];
        const std::size_t number = table.number(ends * longest + std::uint64_t(steps));
        if (number == counts.size()) counts.push_back(0);
        ++counts[number];
    }
};

template <typename T>
using Owned = nb::ndarray<nb::numpy, T, nb::ndim<1>>;

template <typename T>
Owned<T> owned(std::vector<T> &&from) {
    auto *held = new std::vector<T>(std::move(from));
    nb::capsule owner(held, [](void *p) noexcept { delete static_cast<std::vector<T> *>(p); });
    return Owned<T>(held->data(), {held->size()}, owner);
}

// For every graph the distinct (first label, last label, steps) of its shortest paths as a number
// in mixed base, and how often each occurs: keys, counts, and where each graph starts.
std::tuple<Owned<std::uint64_t>, Owned<std::int64_t>, Owned<std::int64_t>> path_counts(
    Vector<const std::int64_t> offsets, Vector<const std::int64_t> indptr,
    Vector<const std::int32_t> heads, Vector<const std::int32_t> labels, std::int64_t n_labels,
    int threads) {
    check_arcs(indptr, heads);
    check_starts(offsets, indptr.size() - 1);
    if (labels.size() != indptr.size() - 1)
        throw std::invalid_argument("path_counts: arrays do not fit");
    for (std::size_t v = 0; v < labels.size(); ++v)
        if (labels.data()[v] < 0 || labels.data()[v] >= n_labels)
            throw std::invalid_argument("path_counts: label out of range");
    const Index graphs = Index(offsets.size()) - 1;
    std::uint64_t longest = 1;
    double work = 0.0;  // from every node along every arc, and a look-up for every pair
    for (Index g = 0; g < graphs; ++g) {
        const std::int64_t from = offsets.data()[g], to = offsets.data()[g + 1];
        longest = std::max(longest, std::uint64_t(to - from));
        const double arcs = double(indptr.data()[to] - indptr.data()[from]);
        work += double(to - from) * (arcs + 8.0 * double(to - from));
        for (std::int64_t e = indptr.data()[from]; e < indptr.data()[to]; ++e)
            if (heads.data()[e] < from || heads.data()[e] >= to)
                throw std::invalid_argument("path_counts: an edge leaves its graph");
    }
    const double possible = double(n_labels) * double(n_labels) * double(longest);
    if (possible > 9e18) throw std::invalid_argument("path_counts: too many possible paths");
    std::vector<std::uint64_t> keys;
    std::vector<std::int64_t> counts, starts(graphs + 1, 0);
    {
        nb::gil_scoped_release release;
        std::vector<Counted> counted(graphs);
        team::run(threads, work, graphs, [&] {
            return [&, paths = Paths{offsets.data(),
                                     indptr.data(),
                                     heads.data(),
                                     labels.data(),
                                     std::uint64_t(n_labels),
                                     longest,
                                     KeyTable(64),
                                     {},
                                     {},
                                     {}}](Index g) mutable { counted[g] = paths(g); };
        });
        for (Index g = 0; g < graphs; ++g) {
            for (const auto &[key, count] : counted[g]) {
                keys.push_back(key);
                counts.push_back(count);
            }
            starts[g + 1] = std::int64_t(keys.size());
        }
    }
    return {owned(std::move(keys)), owned(std::move(counts)), owned(std::move(starts))};
}

}  // namespace

void bind_graph_kernels(nb::module_ &m) {
    m.def("refine_colours", &refine_colours, fixed("indptr"), fixed("heads"), maybe("kinds"),
          fixed("colours"), fixed("sizes"), nb::arg("n_threads"));
    m.def("path_counts", &path_counts, fixed("offsets"), fixed("indptr"), fixed("heads"),
          fixed("labels"), nb::arg("n_labels"), nb::arg("n_threads"));
}

}  // namespace margin
