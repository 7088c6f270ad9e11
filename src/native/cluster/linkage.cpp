// Agglomeration of rows or of a matrix of distances: the nearest-neighbour chain for linkages that
// never reverse, the generic search for those that may, the minimum spanning tree for single.
#include <nanobind/nanobind.h>
#include <nanobind/ndarray.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <stdexcept>
#include <vector>

#include "cluster/bindings.hpp"
#include "cluster/nearest_chain.hpp"
#include "cluster/passes.hpp"
#include "common/bind.hpp"
#include "common/interrupt.hpp"
#include "common/native.hpp"
#include "common/team.hpp"

namespace margin {
namespace {

using namespace cluster;

// A full matrix of distances, which is used up.
class Square {
  public:
    Square(double *values, std::size_t n) : values_(values), n_(n) {}
    double *row(std::size_t i) { return values_ + i * n_; }
    std::size_t size() const { return n_; }

  private:
    double *values_;
    std::size_t n_;
};

// Distances of all clusters from a union take the row of `b`; `a` is gone, as its infinite
// distances say.
void unite(Square &D, int linkage, std::size_t a, std::size_t b, double d,
           std::vector<double> &size, std::vector<double> &fresh) {
    const std::size_t n = D.size();
    double *ra = D.row(a), *rb = D.row(b);
    united(linkage, ra, rb, size.data(), size[a], size[b], d, n, fresh.data());
    size[b] += size[a];
    size[a] = 0.0;
    fresh[a] = fresh[b] = infinite;
    for (std::size_t j = 0; j < n; ++j)
        if (size[j] == 0.0) fresh[j] = infinite;
    std::copy(fresh.begin(), fresh.begin() + std::ptrdiff_t(n), rb);
    for (std::size_t j = 0; j < n; ++j)
        if (size[j] != 0.0) {
            double *row = D.row(j);
            row[b] = fresh[j];
            row[a] = infinite;
        }
}

// The closest pair of all, found by what every row knows of its nearest later row.
void generic(Square &D, int linkage, std::vector<double> &size, Merges &merges,
             Interrupt &interrupt) {
    const std::size_t n = D.size();
    std::vector<double> fresh(n), least(n, infinite);
    std::vector<std::size_t> near(n, 0);
    const auto look = [&](std::size_t i) {
        near[i] = i + 1 + least_of(D.row(i) + i + 1, n - i - 1, least[i]);
    };
    for (std::size_t i = 0; i + 1 < n; ++i) look(i);
    while (merges.count + 1 < n) {
        if (interrupt.poll()) return;
        double d;
        const std::size_t a = least_of(least.data(), n - 1, d), b = near[a];
        merges.add(a, b, d);
        unite(D, linkage, a, b, d, size, fresh);
        least[a] = infinite;
        for (std::size_t i = 0; i + 1 < n; ++i) {
            if (size[i] == 0.0 || i == b) continue;
            if (near[i] == a || near[i] == b)
                look(i);
            else if (i < b && fresh[i] < least[i]) {
                least[i] = fresh[i];
                near[i] = b;
            }
        }
        if (b + 1 < n) look(b);
    }
}

// Prim's tree from any place that tells the distances of a row.
template <typename Source>
void spanning_tree(Source source, std::size_t n, Merges &merges, Interrupt &interrupt) {
    std::vector<char> in(n, 0);
    std::vector<double> least(n, infinite), row(n);
    std::vector<std::int64_t> near(n, 0);
    std::size_t at = 0;
    in[0] = 1;
    while (merges.count + 1 < n) {
        if (interrupt.poll()) return;
        source.row(at, row.data());
        closer(row.data(), at, n, in.data(), least.data(), near.data());
        double d;
        at = least_of(least.data(), n, d);
        in[at] = 1;
        least[at] = infinite;
        merges.add(at, std::size_t(near[at]), d);
    }
}

Merges made_from(std::size_t n, Matrix<std::int64_t> pair, Vector<double> height, int linkage) {
    if (n == 0 || pair.shape(0) + 1 != n || pair.shape(1) != 2 || height.size() + 1 != n ||
        linkage < single || linkage > ward)
        throw std::invalid_argument("agglomerate: arrays of different shape");
    return {pair.data(), height.data()};
}

// Merges of a full matrix of distances (squared for centroid, median and ward), which is used up.
void agglomerate(Matrix<double> distances, int linkage, Matrix<std::int64_t> pair,
                 Vector<double> height) {
    const std::size_t n = distances.shape(0);
    Merges merges = made_from(n, pair, height, linkage);
    if (distances.shape(1) != n)
        throw std::invalid_argument("agglomerate: arrays of different shape");
    double *values = distances.data();
    nb::gil_scoped_release release;
    Interrupt interrupt;
    if (linkage == single) {
        spanning_tree(Given(values, n), n, merges, interrupt);
    } else if (linkage == centroid || linkage == median) {
        Square D(values, n);
        std::vector<double> size(n, 1.0);
        for (std::size_t i = 0; i < n; ++i) D.row(i)[i] = infinite;
        generic(D, linkage, size, merges, interrupt);
    } else {
        nearest_chain(Crowd(Given(values, n), n, linkage), merges, interrupt);
    }
    interrupt.rethrow();
}

// Merges of rows by Euclidean distances (squared for ward), without their matrix; `columns` has a
// row for each feature. Ward's merges are found from means alone where there are few features.
void agglomerate_rows(Matrix<const double> columns, int linkage, bool by_means,
                      Matrix<std::int64_t> pair, Vector<double> height, int n_threads) {
    const std::size_t p = columns.shape(0), n = columns.shape(1);
    Merges merges = made_from(n, pair, height, linkage);
    if (linkage == centroid || linkage == median || (by_means && linkage != ward))
        throw std::invalid_argument("agglomerate_rows: a linkage that needs the matrix");
    const double *values = columns.data();
    nb::gil_scoped_release release;
    Interrupt interrupt;
    if (by_means) {
        nearest_chain(Means(values, n, p), merges, interrupt);
    } else {
        Features rows(values, n, p, linkage != ward, n_threads);
        if (linkage == single)
            spanning_tree(std::move(rows), n, merges, interrupt);
        else
            nearest_chain(Crowd(std::move(rows), n, linkage), merges, interrupt);
    }
    interrupt.rethrow();
}

// Euclidean distances between all rows, or their squares.
void pair_distances(Matrix<const double> X, Matrix<const double> columns, bool root,
                    Matrix<double> out, int n_threads) {
    const std::size_t n = X.shape(0), p = X.shape(1);
    if (columns.shape(0) != p || columns.shape(1) != n || out.shape(0) != n || out.shape(1) != n)
        throw std::invalid_argument("pair_distances: arrays of different shape");
    const double *x = X.data(), *c = columns.data();
    double *d = out.data();
    nb::gil_scoped_release release;
    Interrupt interrupt;
    team::each_block(n_threads, double(n) * double(n) * double(p), n, 32,
                     [&](std::size_t first, std::size_t last) {
                         if (interrupt.poll()) return;
                         for (std::size_t i = first; i < last; ++i)
                             row_distances(x + i * p, c, n, n, p, root, d + i * n);
                     });
    interrupt.rethrow();
}

// Numbers of the merged clusters, in the order of the merges given: leaves first, then unions.
void number_merges(Matrix<const std::int64_t> pair, Matrix<std::int64_t> children,
                   Vector<std::int64_t> count) {
    const std::size_t m = pair.shape(0), n = m + 1;
    if (pair.shape(1) != 2 || children.shape(0) != m || children.shape(1) != 2 || count.size() != m)
        throw std::invalid_argument("number_merges: arrays of different shape");
    std::vector<std::int64_t> parent(2 * n, -1), total(2 * n, 1);
    const auto root = [&](std::int64_t i) {
        std::int64_t top = i;
        while (parent[top] >= 0) top = parent[top];
        while (parent[i] >= 0) {
            const std::int64_t up = parent[i];
            parent[i] = top;
            i = up;
        }
        return top;
    };
    for (std::size_t s = 0; s < m; ++s) {
        const std::int64_t x = pair.data()[2 * s], y = pair.data()[2 * s + 1];
        if (x < 0 || y < 0 || std::size_t(x) >= n || std::size_t(y) >= n)
            throw std::invalid_argument("number_merges: a row out of range");
        const std::int64_t a = root(x), b = root(y), made = std::int64_t(n + s);
        if (a == b) throw std::invalid_argument("number_merges: a cluster merged with itself");
        parent[a] = parent[b] = made;
        children.data()[2 * s] = std::min(a, b);
        children.data()[2 * s + 1] = std::max(a, b);
        count.data()[s] = total[made] = total[a] + total[b];
    }
}

}  // namespace

void bind_cluster_linkage(nb::module_ &m) {
    m.def("agglomerate", &agglomerate, fixed("distances"), nb::arg("linkage"), fixed("pair"),
          fixed("height"));
    m.def("agglomerate_rows", &agglomerate_rows, fixed("columns"), nb::arg("linkage"),
          nb::arg("by_means"), fixed("pair"), fixed("height"), nb::arg("n_threads"));
    m.def("pair_distances", &pair_distances, fixed("X"), fixed("columns"), nb::arg("root"),
          fixed("out"), nb::arg("n_threads"));
    m.def("number_merges", &number_merges, fixed("pair"), fixed("children"), fixed("count"));
}

}  // namespace margin
