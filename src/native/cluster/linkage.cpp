// Agglomeration on a condensed matrix of distances: the nearest-neighbour chain for linkages that
// never reverse, the generic search for those that may, the minimum spanning tree for single.
#include <nanobind/nanobind.h>
#include <nanobind/ndarray.h>

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <numeric>
#include <stdexcept>
#include <utility>
#include <vector>

#include "cluster/bindings.hpp"
#include "common/bind.hpp"
#include "common/interrupt.hpp"
#include "common/native.hpp"
#include "common/team.hpp"

namespace margin {
namespace {

enum Linkage { single, complete, average, weighted, centroid, median, ward };

constexpr double infinite = std::numeric_limits<double>::infinity();

// Full rows of distances: twice the memory of the condensed form, but every row is contiguous.
class Square {
  public:
    Square(double *values, std::size_t n) : values_(values), n_(n) {}
    double *row(std::size_t i) { return values_ + i * n_; }
    std::size_t size() const { return n_; }

    // Only these rows and columns, rising, are kept; nothing is read after it was written over.
    void keep(const std::vector<std::size_t> &places) {
        const std::size_t m = places.size();
        for (std::size_t i = 0; i < m; ++i)
            for (std::size_t j = 0; j < m; ++j)
                values_[i * m + j] = values_[places[i] * n_ + places[j]];
        n_ = m;
    }

  private:
    double *values_;
    std::size_t n_;
};

MARGIN_CLONES std::size_t least_of(const double *row, std::size_t n, double &value) {
    constexpr std::size_t lanes = 16;
    double best[lanes];
    std::fill(best, best + lanes, infinite);
    std::size_t j = 0;
    for (; j + lanes <= n; j += lanes)
#pragma omp simd
        for (std::size_t l = 0; l < lanes; ++l)
            best[l] = row[j + l] < best[l] ? row[j + l] : best[l];
    double least = infinite;
    for (std::size_t l = 0; l < lanes; ++l) least = std::min(least, best[l]);
    for (; j < n; ++j) least = std::min(least, row[j]);
    value = least;
    for (std::size_t at = 0; at < n; ++at)
        if (row[at] == least) return at;
    return 0;
}

// Lance and Williams: the distances of all clusters from the union of a and b.
MARGIN_CLONES void united(int linkage, const double *a, const double *b, const double *size,
                          double na, double nb, double d, std::size_t n, double *out) {
    const double sum = na + nb, fa = na / sum, fb = nb / sum;
    switch (linkage) {
        case single:
#pragma omp simd
            for (std::size_t j = 0; j < n; ++j) out[j] = a[j] < b[j] ? a[j] : b[j];
            break;
        case complete:
#pragma omp simd
            for (std::size_t j = 0; j < n; ++j) out[j] = a[j] > b[j] ? a[j] : b[j];
            break;
        case average:
#pragma omp simd
            for (std::size_t j = 0; j < n; ++j) out[j] = fa * a[j] + fb * b[j];
            break;
        case weighted:
#pragma omp simd
            for (std::size_t j = 0; j < n; ++j) out[j] = 0.5 * (a[j] + b[j]);
            break;
        case centroid:
#pragma omp simd
            for (std::size_t j = 0; j < n; ++j) out[j] = fa * a[j] + fb * b[j] - fa * fb * d;
            break;
        case median:
#pragma omp simd
            for (std::size_t j = 0; j < n; ++j) out[j] = 0.5 * (a[j] + b[j]) - 0.25 * d;
            break;
        default:
#pragma omp simd
            for (std::size_t j = 0; j < n; ++j)
                out[j] =
                    ((na + size[j]) * a[j] + (nb + size[j]) * b[j] - size[j] * d) / (sum + size[j]);
    }
}

// Merges in any order, to be sorted by height: (one, other, height) by representatives.
struct Merges {
    std::int64_t *pair;
    double *height;
    std::size_t count = 0;
    void add(std::size_t a, std::size_t b, double d) {
        pair[2 * count] = std::int64_t(std::min(a, b));
        pair[2 * count + 1] = std::int64_t(std::max(a, b));
        height[count++] = d;
    }
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

// Clusters by the rows of the matrix, which stand for rows of the table. A union is written to its
// own row only: other rows take their column from there when they are next looked at, so that most
// of what passes between two looks is never written. Dead rows are dropped once they are half of
// all, so that the matrix shrinks into the caches.
class Crowd {
  public:
    explicit Crowd(Square &D) : D_(D), size_(D.size(), 1.0), name_(D.size()), fresh_(D.size()) {
        alive_ = D.size();
        std::iota(name_.begin(), name_.end(), std::size_t{0});
        forget();
    }

    bool dead(std::size_t i) const { return size_[i] == 0.0; }
    std::size_t name(std::size_t i) const { return name_[i]; }

    // A row with all that was united since it was last looked at.
    const double *row(std::size_t i) {
        double *own = D_.row(i);
        for (std::size_t t = seen_[i]; t < unions_.size(); ++t) {
            const auto [gone, kept] = unions_[t];
            own[gone] = infinite;
            if (changed_[kept] == t + 1) own[kept] = D_.row(kept)[i];
        }
        own[i] = infinite;
        seen_[i] = unions_.size();
        return own;
    }

    // Distances of the union take the row of `b`; `a` is gone.
    void unite(int linkage, std::size_t a, std::size_t b, double d) {
        united(linkage, row(a), row(b), size_.data(), size_[a], size_[b], d, D_.size(),
               fresh_.data());
        size_[b] += size_[a];
        size_[a] = 0.0;
        fresh_[a] = fresh_[b] = infinite;
        std::copy_n(fresh_.begin(), D_.size(), D_.row(b));
        unions_.push_back({a, b});
        changed_[b] = seen_[b] = unions_.size();
        --alive_;
    }

    bool sparse() const { return 2 * alive_ < D_.size() && D_.size() > 64; }

    // Without the dead rows; the places on a path follow.
    void shrink(std::vector<std::size_t> &path) {
        std::vector<std::size_t> places, moved(D_.size(), 0);
        places.reserve(alive_);
        for (std::size_t i = 0; i < D_.size(); ++i)
            if (!dead(i)) {
                row(i);
                moved[i] = places.size();
                places.push_back(i);
            }
        D_.keep(places);
        for (std::size_t i = 0; i < places.size(); ++i) {
            size_[i] = size_[places[i]];
            name_[i] = name_[places[i]];
        }
        size_.resize(places.size());
        for (std::size_t &at : path) at = moved[at];
        forget();
    }

  private:
    void forget() {
        unions_.clear();
        seen_.assign(D_.size(), 0);
        changed_.assign(D_.size(), 0);
    }

    Square &D_;
    std::vector<double> size_;
    std::vector<std::size_t> name_;
    std::vector<double> fresh_;
    std::size_t alive_;
    std::vector<std::pair<std::size_t, std::size_t>> unions_;  // (gone, kept), in their order
    std::vector<std::size_t> seen_;     // unions that a row has taken notice of
    std::vector<std::size_t> changed_;  // number of the last union that made a row
};

void chain(Square &D, int linkage, Merges &merges, Interrupt &interrupt) {
    const std::size_t n = D.size();
    Crowd crowd(D);
    std::vector<std::size_t> path;
    while (merges.count + 1 < n) {
        if (interrupt.poll()) return;
        if (path.empty()) {
            std::size_t start = 0;
            while (crowd.dead(start)) ++start;
            path.push_back(start);
        }
        while (true) {
            const std::size_t at = path.back();
            const double *row = crowd.row(at);
            double d;
            std::size_t next = least_of(row, D.size(), d);
            if (path.size() > 1) {
                // Among equals the one before: the path never goes round.
                const std::size_t before = path[path.size() - 2];
                if (row[before] <= d) next = before;
                if (next == before) {
                    path.pop_back();
                    path.pop_back();
                    const std::size_t a = std::min(at, before), b = std::max(at, before);
                    merges.add(crowd.name(a), crowd.name(b), d);
                    crowd.unite(linkage, a, b, d);
                    if (crowd.sparse()) crowd.shrink(path);
                    break;
                }
            }
            path.push_back(next);
        }
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

MARGIN_CLONES void closer(const double *row, std::size_t from, std::size_t n, const char *in,
                          double *least, std::int64_t *near) {
    for (std::size_t j = 0; j < n; ++j)
        if (!in[j] && row[j] < least[j]) {
            least[j] = row[j];
            near[j] = std::int64_t(from);
        }
}

void spanning_tree(Square &D, Merges &merges, Interrupt &interrupt) {
    const std::size_t n = D.size();
    std::vector<char> in(n, 0);
    std::vector<double> least(n, infinite);
    std::vector<std::int64_t> near(n, 0);
    std::size_t at = 0;
    in[0] = 1;
    while (merges.count + 1 < n) {
        if (interrupt.poll()) return;
        closer(D.row(at), at, n, in.data(), least.data(), near.data());
        double d;
        at = least_of(least.data(), n, d);
        in[at] = 1;
        least[at] = infinite;
        merges.add(at, std::size_t(near[at]), d);
    }
}

// Merges of a full matrix of distances (squared for centroid, median and ward), which is used up.
void agglomerate(Matrix<double> distances, int linkage, Matrix<std::int64_t> pair,
                 Vector<double> height) {
    const std::size_t n = distances.shape(0);
    if (n == 0 || distances.shape(1) != n || pair.shape(0) + 1 != n || pair.shape(1) != 2 ||
        height.size() + 1 != n || linkage < single || linkage > ward)
        throw std::invalid_argument("agglomerate: arrays of different shape");
    Square D(distances.data(), n);
    Merges merges{pair.data(), height.data()};
    nb::gil_scoped_release release;
    Interrupt interrupt;
    std::vector<double> size(n, 1.0);
    for (std::size_t i = 0; i < n; ++i) D.row(i)[i] = infinite;
    if (linkage == single)
        spanning_tree(D, merges, interrupt);
    else if (linkage == centroid || linkage == median)
        generic(D, linkage, size, merges, interrupt);
    else
        chain(D, linkage, merges, interrupt);
    interrupt.rethrow();
}

// Distances of one row to all, columns of the table side by side.
MARGIN_CLONES void row_distances(const double *x, const double *columns, std::size_t n,
                                 std::size_t p, bool root, double *out) {
    constexpr std::size_t block = 1024;
    for (std::size_t first = 0; first < n; first += block) {
        const std::size_t count = std::min(block, n - first);
        double *part = out + first;
        std::fill(part, part + count, 0.0);
        for (std::size_t k = 0; k < p; ++k) {
            const double *column = columns + k * n + first;
            const double v = x[k];
#pragma omp simd
            for (std::size_t j = 0; j < count; ++j) part[j] += (v - column[j]) * (v - column[j]);
        }
        if (root)
            for (std::size_t j = 0; j < count; ++j) part[j] = std::sqrt(part[j]);
    }
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
                             row_distances(x + i * p, c, n, p, root, d + i * n);
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
    m.def("pair_distances", &pair_distances, fixed("X"), fixed("columns"), nb::arg("root"),
          fixed("out"), nb::arg("n_threads"));
    m.def("number_merges", &number_merges, fixed("pair"), fixed("children"), fixed("count"));
}

}  // namespace margin
