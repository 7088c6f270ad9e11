// Edges between named nodes as rows of bits, which Python keeps as integers of any length.
#include <nanobind/nanobind.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <utility>
#include <vector>

#include "common/bind.hpp"
#include "common/native.hpp"

namespace margin {
namespace {

using Pairs = std::vector<std::pair<std::uint32_t, std::uint32_t>>;

// Place of a node, or n where it is none. A node that cannot be looked up is none.
std::size_t place_of(PyObject *index, PyObject *node, std::size_t n) {
    PyObject *place = PyDict_GetItemWithError(index, node);
    const long at = place ? PyLong_AsLong(place) : -1;
    if (PyErr_Occurred()) PyErr_Clear();
    return at < 0 || static_cast<std::size_t>(at) >= n ? n : static_cast<std::size_t>(at);
}

// False where an edge is no pair of two different nodes.
bool numbered(const nb::dict &index, const nb::tuple &edges, Pairs &pairs) {
    const std::size_t n = index.size(), m = edges.size();
    pairs.reserve(m);
    for (std::size_t e = 0; e < m; ++e) {
        PyObject *edge = PyTuple_GetItem(edges.ptr(), static_cast<Py_ssize_t>(e));
        if (!PyTuple_CheckExact(edge) || PyTuple_Size(edge) != 2) return false;
        const std::size_t from = place_of(index.ptr(), PyTuple_GetItem(edge, 0), n);
        const std::size_t to = place_of(index.ptr(), PyTuple_GetItem(edge, 1), n);
        if (from == n || to == n || from == to) return false;
        pairs.emplace_back(static_cast<std::uint32_t>(from), static_cast<std::uint32_t>(to));
    }
    return true;
}

// Ends of the edges of every node, one node after the other: those of v are
// ends[starts[v]], …, ends[starts[v + 1] - 1].
struct Rows {
    std::vector<std::size_t> starts;
    std::vector<std::uint32_t> ends;

    template <typename First, typename Second>
    Rows(const Pairs &pairs, std::size_t n, First first, Second second)
        : starts(n + 2, 0), ends(pairs.size()) {
        for (const auto &pair : pairs) ++starts[first(pair) + 2];
        for (std::size_t v = 2; v < n + 2; ++v) starts[v] += starts[v - 1];
        for (const auto &pair : pairs) ends[starts[first(pair) + 1]++] = second(pair);
    }
};

// Rows as integers, and whether no edge stands twice.
nb::tuple integers(const Rows &rows, std::size_t n, bool &distinct) {
    nb::list bits;
    std::vector<std::uint64_t> words((n + 63) / 64, 0);
    for (std::size_t v = 0; v < n; ++v) {
        std::size_t used = 0;
        for (std::size_t e = rows.starts[v]; e < rows.starts[v + 1]; ++e) {
            const std::size_t word = rows.ends[e] / 64;
            const std::uint64_t bit = std::uint64_t{1} << (rows.ends[e] % 64);
            distinct = distinct && !(words[word] & bit);
            words[word] |= bit;
            used = std::max(used, word + 1);
        }
        if (used <= 1) {
            bits.append(nb::steal(PyLong_FromUnsignedLongLong(used ? words[0] : 0)));
        } else {
            std::vector<unsigned char> bytes(8 * used);
            for (std::size_t b = 0; b < bytes.size(); ++b)
                bytes[b] = static_cast<unsigned char>(words[b / 8] >> (8 * (b % 8)));
            bits.append(nb::handle(reinterpret_cast<PyObject *>(&PyLong_Type))
                            .attr("from_bytes")(nb::bytes(bytes.data(), bytes.size()), "little"));
        }
        std::fill_n(words.begin(), used, 0);
    }
    return nb::tuple(bits);
}

// Nodes by the longest path that leads to them; those on and behind a cycle are left out.
nb::tuple generations(const Rows &ahead, std::size_t n) {
    std::vector<std::size_t> missing(n, 0), generation, next;
    for (const std::uint32_t end : ahead.ends) ++missing[end];
    for (std::size_t v = 0; v < n; ++v)
        if (!missing[v]) generation.push_back(v);
    nb::list order;
    while (!generation.empty()) {
        next.clear();
        for (const std::size_t v : generation) {
            order.append(v);
            for (std::size_t e = ahead.starts[v]; e < ahead.starts[v + 1]; ++e)
                if (!--missing[ahead.ends[e]]) next.push_back(ahead.ends[e]);
        }
        std::sort(next.begin(), next.end());
        generation.swap(next);
    }
    return nb::tuple(order);
}

// Places where the edges of every node lead to and come from, the order of the nodes by
// generation, whether the edges are all different, and whether they rise: every first end below
// the second, and one edge below the next.
nb::object edge_rows(const nb::typed<nb::dict, nb::any, int> &index,
                     const nb::typed<nb::tuple, nb::any, nb::ellipsis> &edges) {
    const std::size_t n = index.size();
    Pairs pairs;
    if (!numbered(index, edges, pairs)) return nb::none();
    bool rising = true, distinct = true;
    for (std::size_t e = 0; e < pairs.size(); ++e)
        rising = rising && pairs[e].first < pairs[e].second && (!e || pairs[e - 1] < pairs[e]);
    const auto first = [](const auto &pair) { return pair.first; };
    const auto second = [](const auto &pair) { return pair.second; };
    const Rows ahead(pairs, n, first, second), behind(pairs, n, second, first);
    const nb::tuple to = integers(ahead, n, distinct), from = integers(behind, n, distinct);
    return nb::make_tuple(to, from, generations(ahead, n), distinct, rising);
}

}  // namespace

void bind_edge_rows(nb::module_ &m) {
    m.def("edge_rows", &edge_rows, nb::arg("index"), nb::arg("edges"));
}

}  // namespace margin
