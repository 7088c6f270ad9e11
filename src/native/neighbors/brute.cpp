// Euclidean neighbours by products of queries with all points: candidates in single precision, with
// bounds on its rounding, then exact distances of the candidates.
#include <nanobind/nanobind.h>
#include <nanobind/ndarray.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <stdexcept>
#include <vector>

#include "common/bind.hpp"
#include "common/interrupt.hpp"
#include "common/native.hpp"
#include "common/team.hpp"
#include "neighbors/bindings.hpp"
#include "neighbors/candidates.hpp"
#include "neighbors/measures.hpp"
#include "neighbors/panel.hpp"
#include "neighbors/ragged.hpp"

namespace margin {
namespace {

using namespace neighbors;

constexpr std::size_t most_queries = 96;        // of one task, a multiple of every height
constexpr std::size_t tile_bytes = 256 * 1024;  // of panels, to stay in the second cache

// Points and queries around a common centre, divided by a common power of two.
struct Points {
    const float *panels;  // [panel][coordinate][place]
    const float *start;   // |y|^2 (1 - g), infinite in places without a point
    const float *lift;    // 2 g |y|^2
    std::size_t n, p;
    std::size_t n_panels() const { return (n + panel_width - 1) / panel_width; }
};

struct Queries {
    const float *rows;  // -2 q
    const float *own;   // 2 g |q|^2
};

bool any_of_eight(const unsigned char *flags) {
    std::uint64_t word;
    std::memcpy(&word, flags, sizeof word);
    return word != 0;
}

// Fills the candidates of queries [first, last), whose limits are set.
void gather(const Points &points, const Queries &queries, std::size_t first, std::size_t last,
            std::vector<Candidates> &candidates) {
    const std::size_t p = points.p, at_once = rows_at_once();
    const std::size_t panel_bytes = panel_width * sizeof(float) * std::max<std::size_t>(1, p);
    const std::size_t tile = std::max<std::size_t>(1, tile_bytes / panel_bytes);
    float values[most_rows * panel_width], limits[most_rows];
    unsigned char places[most_rows * panel_width];
    const float *rows[most_rows];
    for (std::size_t from = 0; from < points.n_panels(); from += tile) {
        const std::size_t to = std::min(points.n_panels(), from + tile);
        for (std::size_t at = first; at < last; at += at_once) {
            const std::size_t some = std::min(at_once, last - at);
            for (std::size_t i = 0; i < at_once; ++i) {
                // The last query stands in for those that are not there.
                const std::size_t query = at + std::min(i, some - 1);
                rows[i] = queries.rows + query * p;
                limits[i] = candidates[query - first].limit();
            }
            for (std::size_t b = from; b < to; ++b) {
                const std::size_t place = b * panel_width;
                if (!panel_below(rows, limits, points.panels + place * p, points.start + place, p,
                                 values, places))
                    continue;
                for (std::size_t i = 0; i < some; ++i) {
                    Candidates &mine = candidates[at + i - first];
                    const float *value = values + i * panel_width;
                    for (std::size_t j = 0; j < panel_width; j += 8) {
                        if (!any_of_eight(places + i * panel_width + j)) continue;
                        for (std::size_t l = j; l < j + 8; ++l)
                            if (value[l] < mine.limit())
                                mine.offer(value[l], static_cast<std::uint32_t>(place + l));
                    }
                    limits[i] = mine.limit();
                }
                for (std::size_t i = some; i < at_once; ++i) limits[i] = limits[some - 1];
            }
        }
    }
}

MARGIN_CLONES void scan_block(const double *q, const double *block, std::size_t p,
                              double (&distance)[width]) {
    scan<0>(Euclidean{}, q, block, p, distance);
}

// Distances of candidates in blocks, as blocks and trees compute them: equal distances are equal
// whichever way they were found.
template <typename T>
class Exact {
  public:
    Exact(const T *X, const double *Q, std::size_t p) : X_(X), Q_(Q), p_(p), block_(p * width) {}

    template <typename Take>
    void operator()(std::size_t query, const std::vector<std::uint32_t> &numbers,
                    const Take &take) {
        double distance[width];
        for (std::size_t at = 0; at < numbers.size(); at += width) {
            const std::size_t count = std::min(width, numbers.size() - at);
            for (std::size_t j = 0; j < count; ++j)
                for (std::size_t k = 0; k < p_; ++k)
                    block_[k * width + j] = static_cast<double>(X_[numbers[at + j] * p_ + k]);
            scan_block(Q_ + query * p_, block_.data(), p_, distance);
            for (std::size_t j = 0; j < count; ++j) take(distance[j], numbers[at + j]);
        }
    }

  private:
    const T *X_;
    const double *Q_;
    std::size_t p_;
    std::vector<double> block_;
};

std::size_t task_size(std::size_t m, int n_threads) {
    const std::size_t share = m / (2 * std::size_t(std::max(1, n_threads)));
    return std::max(most_rows, std::min(most_queries, share));
}

Points points_of(const nb::ndarray<const float, nb::ndim<3>, nb::c_contig> &panels,
                 const Vector<const float> &start, const Vector<const float> &lift, std::size_t n,
                 std::size_t p) {
    const Points points{panels.data(), start.data(), lift.data(), n, p};
    if (n >= (std::size_t{1} << 32) || panels.shape(0) != points.n_panels() ||
        panels.shape(1) != p || panels.shape(2) != panel_width ||
        start.size() != panel_width * points.n_panels() || lift.size() != start.size())
        throw std::invalid_argument("brute: panels of another shape");
    return points;
}

using Panels = nb::ndarray<const float, nb::ndim<3>, nb::c_contig>;

// Queries with more candidates than `most` are left to a search in double precision: their
// `number` begins with -1.
template <typename T>
void brute_nearest(Matrix<const T> X, Panels panels, Vector<const float> start,
                   Vector<const float> lift, Matrix<const double> Q, Matrix<const float> rows,
                   Vector<const float> own, Matrix<double> distance, Matrix<std::int64_t> number,
                   std::size_t most, int n_threads) {
    const std::size_t m = Q.shape(0), n = X.shape(0), p = X.shape(1), k = distance.shape(1);
    const Points points = points_of(panels, start, lift, n, p);
    if (Q.shape(1) != p || rows.shape(0) != m || rows.shape(1) != p || own.size() != m ||
        distance.shape(0) != m || number.shape(0) != m || number.shape(1) != k || k == 0 || k > n)
        throw std::invalid_argument("brute_nearest: arrays of different shape");
    const Queries queries{rows.data(), own.data()};
    const T *x = X.data();
    const double *q = Q.data();
    double *dp = distance.data();
    std::int64_t *np = number.data();
    nb::gil_scoped_release release;
    Interrupt interrupt;
    const std::size_t size = task_size(m, n_threads);
    const double work = double(m) * double(n) * double(p);
    team::run(n_threads, work, Index((m + size - 1) / size), [&] {
        return [&, candidates = std::vector<Candidates>(size), near = Nearest(k),
                exact = Exact<T>(x, q, p)](Index piece) mutable {
            const std::size_t first = std::size_t(piece) * size, last = std::min(m, first + size);
            if (interrupt.poll()) return;
            for (std::size_t i = first; i < last; ++i)
                candidates[i - first].start(k, points.lift, queries.own[i],
                                            std::numeric_limits<float>::infinity());
            gather(points, queries, first, last, candidates);
            for (std::size_t i = first; i < last; ++i) {
                candidates[i - first].tighten();
                const auto &numbers = candidates[i - first].numbers();
                if (numbers.size() > most) {
                    np[i * k] = -1;
                    continue;
                }
                near.clear();
                exact(i, numbers, [&](double d, std::uint32_t j) { near.offer(d, j); });
                near.finish();
                for (std::size_t j = 0; j < k; ++j) {
                    dp[i * k + j] = std::sqrt(near[j].distance);
                    np[i * k + j] = near[j].number;
                }
            }
        };
    });
    interrupt.rethrow();
}

// `limit` bounds what is computed for a point within the radius of the query.
template <typename T>
Ragged brute_within(Matrix<const T> X, Panels panels, Vector<const float> start,
                    Vector<const float> lift, Matrix<const double> Q, Matrix<const float> rows,
                    Vector<const float> limit, Vector<const double> radius, int n_threads) {
    const std::size_t m = Q.shape(0), n = X.shape(0), p = X.shape(1);
    const Points points = points_of(panels, start, lift, n, p);
    if (Q.shape(1) != p || rows.shape(0) != m || rows.shape(1) != p || limit.size() != m ||
        radius.size() != m)
        throw std::invalid_argument("brute_within: arrays of different shape");
    const Queries queries{rows.data(), nullptr};
    const T *x = X.data();
    const double *q = Q.data();
    const float *lp = limit.data();
    const double *rp = radius.data();
    const std::size_t size = task_size(m, n_threads);
    Lists lists(m, size);
    {
        nb::gil_scoped_release release;
        Interrupt interrupt;
        const double work = double(m) * double(n) * double(p);
        team::run(n_threads, work, Index((m + size - 1) / size), [&] {
            return [&, candidates = std::vector<Candidates>(size), near = Nearest(0),
                    exact = Exact<T>(x, q, p)](Index piece) mutable {
                const std::size_t first = std::size_t(piece) * size;
                const std::size_t last = std::min(m, first + size);
                if (interrupt.poll()) return;
                for (std::size_t i = first; i < last; ++i)
                    candidates[i - first].start(0, points.lift, 0.0f, lp[i]);
                gather(points, queries, first, last, candidates);
                for (std::size_t i = first; i < last; ++i) {
                    near.clear();
                    const double square = rp[i] < 0.0 ? -1.0 : rp[i] * rp[i];
                    exact(i, candidates[i - first].numbers(), [&](double d, std::uint32_t j) {
                        if (d <= square) near.offer(d, j);
                    });
                    const std::size_t count = near.finish();
                    lists.append(i, near.data(), count, Euclidean{});
                }
            };
        });
        interrupt.rethrow();
    }
    return lists.hand_over();
}

}  // namespace

void bind_neighbor_brute(nb::module_ &m) {
    m.attr("PANEL_WIDTH") = nb::int_(panel_width);
    for_tables([&]<typename T>() {
        m.def("brute_nearest", &brute_nearest<T>, fixed("X"), fixed("panels"), fixed("start"),
              fixed("lift"), fixed("Q"), fixed("rows"), fixed("own"), fixed("distance"),
              fixed("number"), nb::arg("most"), nb::arg("n_threads"));
        m.def("brute_within", &brute_within<T>, fixed("X"), fixed("panels"), fixed("start"),
              fixed("lift"), fixed("Q"), fixed("rows"), fixed("limit"), fixed("radius"),
              nb::arg("n_threads"));
    });
}

}  // namespace margin
