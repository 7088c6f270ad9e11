// One pass of k-means: the nearest centre of every row, and the sums that the next centres need.
//
// Nearest centres are found in single precision with a bound on its rounding; rows that the bound
// leaves open are compared in double precision, so that labels are exact and equal distances go to
// the first centre.
#include <nanobind/nanobind.h>
#include <nanobind/ndarray.h>
#include <nanobind/stl/tuple.h>

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <stdexcept>
#include <tuple>
#include <vector>

#include "cluster/bindings.hpp"
#include "cluster/tiles.hpp"
#include "common/bind.hpp"
#include "common/interrupt.hpp"
#include "common/native.hpp"
#include "common/team.hpp"

namespace margin {
namespace {

using namespace cluster;

constexpr std::size_t most_pieces = 32;  // of rows, each with sums of its own

// Rows around a common middle, times a power of two.
struct Frame {
    const double *middle;
    double scale;
};

// Centres in single precision, and what their rounding may cost.
class Rounded {
  public:
    Rounded(const double *centres, std::size_t k, std::size_t p, const Frame &frame)
        : k_(k), p_(p), height_(height()), groups_((k + height_ - 1) / height_),
          values_(groups_ * height_ * p), start_(groups_ * height_, far) {
        for (std::size_t c = 0; c < k; ++c) {
            const std::size_t g = c / height_, i = c % height_;
            double square = 0.0;
            for (std::size_t l = 0; l < p; ++l) {
                const double v = (centres[c * p + l] - frame.middle[l]) * frame.scale;
                square += v * v;
                values_[(g * p + l) * height_ + i] = static_cast<float>(-2.0 * v);
            }
            start_[c] = static_cast<float>(square);
            largest_ = std::max(largest_, square);
        }
    }

    Centres centres() const { return {values_.data(), start_.data(), groups_, p_}; }

    // Whether products are far from overflow.
    bool usable() const { return largest_ < 1e25 && p_ < (std::size_t{1} << 20); }

    // Two values that are further apart are in their true order.
    double slack(double square) const {
        return 2.02 * double(p_ + 8) * 0x1p-24 * (2.0 * largest_ + square) + 1e-35;
    }

  private:
    static constexpr float far = std::numeric_limits<float>::max();
    std::size_t k_, p_, height_, groups_;
    std::vector<float> values_, start_;
    double largest_ = 0.0;
};

template <typename T>
void pack(const T *X, std::size_t p, const Frame &frame, const std::size_t *rows, std::size_t count,
          float *out, double *square) {
    for (std::size_t i = 0; i < count; ++i) {
        const T *x = X + rows[i] * p;
        double sum = 0.0;
        for (std::size_t l = 0; l < p; ++l) {
            const double v = (static_cast<double>(x[l]) - frame.middle[l]) * frame.scale;
            sum += v * v;
            out[l * tile + i] = static_cast<float>(v);
        }
        square[i] = sum;
    }
    for (std::size_t i = count; i < tile; ++i)
        for (std::size_t l = 0; l < p; ++l) out[l * tile + i] = 0.0f;
}

template <typename T>
std::int32_t nearest_exactly(const T *x, const double *centres, std::size_t k, std::size_t p,
                             double &second) {
    double least = std::numeric_limits<double>::infinity();
    second = least;
    std::int32_t label = 0;
    for (std::size_t c = 0; c < k; ++c) {
        const double d = squared_distance(x, centres + c * p, p);
        if (d < least) {
            second = least;
            least = d;
            label = std::int32_t(c);
        } else if (d < second) {
            second = d;
        }
    }
    return label;
}

// What a pass looks at.
template <typename T>
struct Rows {
    const T *X;
    std::size_t n, p;
    const double *weight;  // or null
    const float *tiles;    // packed before, or null
    const double *norms;   // of the packed rows
    Frame frame;
};

// Bounds of Hamerly, or null.
struct Bounds {
    double *lower;       // on the distance to all centres but the own
    const double *half;  // of the distance from a centre to the nearest other one
    const double *move;  // of all other centres, at most, per centre
};

template <typename T>
class Pass {
  public:
    Pass(const Rows<T> &rows, const double *centres, std::size_t k, const Bounds &bounds,
         std::int32_t *label, double *square)
        : rows_(rows), centres_(centres), k_(k), bounds_(bounds), label_(label), square_(square),
          rounded_(centres, k, rows.p, rows.frame) {}

    // Labels of rows [first, last), then their sums where distances are asked for.
    class Worker {
      public:
        explicit Worker(const Pass &pass) : pass_(pass), packed_(pass.rows_.p * tile) {}

        void operator()(std::size_t first, std::size_t last, double *sums, double *mass,
                        double &total, std::size_t &changed, std::size_t &searched) {
            const Rows<T> &rows = pass_.rows_;
            const bool bounded = pass_.bounds_.lower && pass_.bounds_.move;
            changed_ = searched_ = 0;
            if (bounded)
                keep(first, last);
            else if (rows.tiles && pass_.rounded_.usable())
                for (std::size_t at = first; at < last; at += tile) {
                    const std::size_t count = std::min(tile, last - at);
                    for (std::size_t i = 0; i < count; ++i) numbers_[i] = at + i;
                    search(rows.tiles + at * rows.p, rows.norms + at, count);
                }
            else
                for (std::size_t at = first; at < last; ++at) offer(at);
            flush();
            if (pass_.square_) {
                const Labelled<T> labelled{.X = rows.X,
                                           .p = rows.p,
                                           .weight = rows.weight,
                                           .centres = pass_.centres_,
                                           .label = pass_.label_};
                const Gathered out{.square = pass_.square_, .sums = sums, .mass = mass};
                total = gather_rows(labelled, first, last, out);
            }
            changed = changed_;
            searched = searched_;
        }

      private:
        void keep(std::size_t first, std::size_t last) {
            const Rows<T> &rows = pass_.rows_;
            const Bounds &bounds = pass_.bounds_;
            for (std::size_t i = first; i < last; ++i) {
                const std::size_t c = std::size_t(pass_.label_[i]);
                const double lower = bounds.lower[i] * (1.0 - 1e-12) - bounds.move[c];
                bounds.lower[i] = lower;
                const double own = std::sqrt(squared_distance(
                                       rows.X + i * rows.p, pass_.centres_ + c * rows.p, rows.p)) *
                                   (1.0 + 1e-12);
                if (!(own < lower) && !(own < bounds.half[c])) offer(i);
            }
        }

        void offer(std::size_t row) {
            numbers_[count_++] = row;
            if (count_ == tile) flush();
        }

        void flush() {
            if (count_ == 0) return;
            const Rows<T> &rows = pass_.rows_;
            double norms[tile];
            if (pass_.rounded_.usable())
                pack(rows.X, rows.p, rows.frame, numbers_, count_, packed_.data(), norms);
            search(packed_.data(), norms, count_);
            count_ = 0;
        }

        void search(const float *x, const double *norms, std::size_t count) {
            const bool usable = pass_.rounded_.usable();
            float best[tile], second[tile];
            std::int32_t label[tile];
            if (usable) nearest_two(x, pass_.rounded_.centres(), best, second, label);
            for (std::size_t i = 0; i < count; ++i) {
                const std::size_t row = numbers_[i];
                double rest = 0.0;
                bool sure = usable;
                if (usable) {
                    const double slack = pass_.rounded_.slack(norms[i]);
                    sure = double(second[i]) - double(best[i]) > slack;
                    rest = double(second[i]) - slack + norms[i];
                    const double scale = pass_.rows_.frame.scale;
                    rest = std::sqrt(std::max(0.0, rest)) / scale;
                }
                if (!sure) {
                    label[i] = nearest_exactly(pass_.rows_.X + row * pass_.rows_.p, pass_.centres_,
                                               pass_.k_, pass_.rows_.p, rest);
                    rest = std::sqrt(rest) * (1.0 - 1e-12);
                }
                changed_ += pass_.label_[row] != label[i];
                pass_.label_[row] = label[i];
                if (pass_.bounds_.lower) pass_.bounds_.lower[row] = rest;
            }
            searched_ += count;
        }

        const Pass &pass_;
        std::vector<float> packed_;
        std::size_t numbers_[tile], count_ = 0, changed_ = 0, searched_ = 0;
    };

    Worker worker() const { return Worker(*this); }

  private:
    const Rows<T> rows_;
    const double *centres_;
    std::size_t k_;
    const Bounds bounds_;
    std::int32_t *label_;
    double *square_;
    Rounded rounded_;
};

// Pieces of rows of whole tiles: the same for any number of threads.
std::size_t piece_size(std::size_t n) {
    const std::size_t tiles = (n + tile - 1) / tile;
    return tile * std::max<std::size_t>(8, (tiles + most_pieces - 1) / most_pieces);
}

const double *pointer(const std::optional<Vector<const double>> &array, std::size_t size,
                      const char *what) {
    if (!array) return nullptr;
    if (array->size() != size) throw std::invalid_argument(what);
    return array->data();
}

using Told = std::tuple<double, std::size_t, std::size_t>;
constexpr const char *shapes = "centre_pass: arrays of different shape";

template <typename T>
Told centre_pass(Matrix<const T> X, std::optional<Vector<const double>> weight,
                 std::optional<nb::ndarray<const float, nb::ndim<3>, nb::c_contig>> tiles,
                 std::optional<Vector<const double>> norms, Vector<const double> middle,
                 double scale, Matrix<const double> centres, Vector<std::int32_t> label,
                 Vector<double> square, std::optional<Vector<double>> lower,
                 std::optional<Vector<const double>> half, std::optional<Vector<const double>> move,
                 Matrix<double> sums, Vector<double> mass, int n_threads) {
    const std::size_t n = X.shape(0), p = X.shape(1), k = centres.shape(0);
    if (k == 0 || centres.shape(1) != p || label.size() != n || square.size() != n ||
        middle.size() != p || sums.shape(0) != k || sums.shape(1) != p || mass.size() != k ||
        (lower && lower->size() != n) || bool(half) != bool(move) || (move && !lower) ||
        bool(tiles) != bool(norms))
        throw std::invalid_argument(shapes);
    if (tiles && (tiles->shape(0) != (n + tile - 1) / tile || tiles->shape(1) != p ||
                  tiles->shape(2) != tile))
        throw std::invalid_argument(shapes);
    const Rows<T> rows{X.data(),
                       n,
                       p,
                       pointer(weight, n, shapes),
                       tiles ? tiles->data() : nullptr,
                       pointer(norms, (n + tile - 1) / tile * tile, shapes),
                       {middle.data(), scale}};
    const Bounds bounds{lower ? lower->data() : nullptr, pointer(half, k, shapes),
                        pointer(move, k, shapes)};
    if (bounds.move)
        for (std::size_t i = 0; i < n; ++i)
            if (label.data()[i] < 0 || std::size_t(label.data()[i]) >= k)
                throw std::invalid_argument("centre_pass: a label without a centre");
    const std::size_t size = piece_size(n), pieces = (n + size - 1) / size;
    double *sum = sums.data(), *total_mass = mass.data();
    nb::gil_scoped_release release;
    Interrupt interrupt;
    std::vector<double> parts(pieces * k * (p + 1), 0.0), totals(pieces, 0.0);
    std::vector<std::size_t> changed(pieces, 0), searched(pieces, 0);
    const Pass<T> pass(rows, centres.data(), k, bounds, label.data(), square.data());
    const double work = double(n) * double(p) * double(bounds.move ? 4 : k);
    team::run(n_threads, work, Index(pieces), [&] {
        return [&, worker = pass.worker()](Index piece) mutable {
            if (interrupt.poll()) return;
            const std::size_t first = std::size_t(piece) * size, last = std::min(n, first + size);
            double *own = parts.data() + std::size_t(piece) * k * (p + 1);
            worker(first, last, own, own + k * p, totals[piece], changed[piece], searched[piece]);
        };
    });
    interrupt.rethrow();
    std::fill(sum, sum + k * p, 0.0);
    std::fill(total_mass, total_mass + k, 0.0);
    Told told{0.0, 0, 0};
    for (std::size_t b = 0; b < pieces; ++b) {
        const double *own = parts.data() + b * k * (p + 1);
        for (std::size_t j = 0; j < k * p; ++j) sum[j] += own[j];
        for (std::size_t c = 0; c < k; ++c) total_mass[c] += own[k * p + c];
        std::get<0>(told) += totals[b];
        std::get<1>(told) += changed[b];
        std::get<2>(told) += searched[b];
    }
    return told;
}

// The nearest centre of every row and nothing else.
template <typename T>
void nearest_labels(Matrix<const T> X, Vector<const double> middle, double scale,
                    Matrix<const double> centres, Vector<std::int32_t> label, int n_threads) {
    const std::size_t n = X.shape(0), p = X.shape(1), k = centres.shape(0);
    if (k == 0 || centres.shape(1) != p || label.size() != n || middle.size() != p)
        throw std::invalid_argument("nearest_labels: arrays of different shape");
    const Rows<T> rows{X.data(), n, p, nullptr, nullptr, nullptr, {middle.data(), scale}};
    nb::gil_scoped_release release;
    const Pass<T> pass(rows, centres.data(), k, {nullptr, nullptr, nullptr}, label.data(), nullptr);
    const std::size_t size = piece_size(n), pieces = (n + size - 1) / size;
    team::run(n_threads, double(n) * double(p) * double(k), Index(pieces), [&] {
        return [&, worker = pass.worker()](Index piece) mutable {
            const std::size_t first = std::size_t(piece) * size, last = std::min(n, first + size);
            double total = 0.0;
            std::size_t changed = 0, searched = 0;
            worker(first, last, nullptr, nullptr, total, changed, searched);
        };
    });
}

template <typename T>
void pack_tiles(Matrix<const T> X, Vector<const double> middle, double scale,
                nb::ndarray<float, nb::ndim<3>, nb::c_contig> tiles, Vector<double> norms,
                int n_threads) {
    const std::size_t n = X.shape(0), p = X.shape(1), count = (n + tile - 1) / tile;
    if (middle.size() != p || tiles.shape(0) != count || tiles.shape(1) != p ||
        tiles.shape(2) != tile || norms.size() != count * tile)
        throw std::invalid_argument("pack_tiles: arrays of different shape");
    const T *x = X.data();
    const Frame frame{middle.data(), scale};
    float *out = tiles.data();
    double *square = norms.data();
    nb::gil_scoped_release release;
    team::each(n_threads, double(n) * double(p), Index(count), [&](Index t) {
        std::size_t numbers[tile];
        const std::size_t first = std::size_t(t) * tile, some = std::min(tile, n - first);
        for (std::size_t i = 0; i < some; ++i) numbers[i] = first + i;
        pack(x, p, frame, numbers, some, out + first * p, square + first);
    });
}

// Bounds of Elkan: one on the distance to every centre. The first pass has no label yet (-1).
template <typename T>
std::size_t elkan_labels(Matrix<const T> X, Matrix<const double> centres,
                         Matrix<const double> between, Vector<const double> move,
                         Vector<std::int32_t> label, Matrix<double> lower, int n_threads) {
    const std::size_t n = X.shape(0), p = X.shape(1), k = centres.shape(0);
    if (k == 0 || centres.shape(1) != p || between.shape(0) != k || between.shape(1) != k ||
        move.size() != k || label.size() != n || lower.shape(0) != n || lower.shape(1) != k)
        throw std::invalid_argument("elkan_labels: arrays of different shape");
    const T *x = X.data();
    const double *c = centres.data(), *apart = between.data(), *moved = move.data();
    std::int32_t *labels = label.data();
    double *bounds = lower.data();
    for (std::size_t i = 0; i < n; ++i)
        if (labels[i] < -1 || (labels[i] >= 0 && std::size_t(labels[i]) >= k))
            throw std::invalid_argument("elkan_labels: a label without a centre");
    nb::gil_scoped_release release;
    Interrupt interrupt;
    const std::size_t size = piece_size(n), pieces = (n + size - 1) / size;
    std::vector<std::size_t> changed(pieces, 0);
    team::each(n_threads, double(n) * double(k), Index(pieces), [&](Index piece) {
        if (interrupt.poll()) return;
        const std::size_t first = std::size_t(piece) * size, last = std::min(n, first + size);
        for (std::size_t i = first; i < last; ++i) {
            double *bound = bounds + i * k;
            const std::int32_t before = labels[i];
            std::size_t own = before < 0 ? 0 : std::size_t(before);
            double square = squared_distance(x + i * p, c + own * p, p);
            double distance = std::sqrt(square) * (1.0 + 1e-12);
            for (std::size_t j = 0; j < k; ++j) {
                if (before >= 0) bound[j] = bound[j] * (1.0 - 1e-12) - moved[j];
                if (j == own && before < 0) {
                    bound[j] = std::sqrt(square) * (1.0 - 1e-12);
                    continue;
                }
                if (j == own ||
                    (before >= 0 && (distance < bound[j] || 2.0 * distance < apart[own * k + j])))
                    continue;
                const double other = squared_distance(x + i * p, c + j * p, p);
                bound[j] = std::sqrt(other) * (1.0 - 1e-12);
                if (other < square || (other == square && j < own)) {
                    bound[own] = std::sqrt(square) * (1.0 - 1e-12);
                    own = j;
                    square = other;
                    distance = std::sqrt(square) * (1.0 + 1e-12);
                }
            }
            bound[own] = std::sqrt(square) * (1.0 - 1e-12);
            labels[i] = std::int32_t(own);
            changed[piece] += labels[i] != before;
        }
    });
    interrupt.rethrow();
    std::size_t total = 0;
    for (const std::size_t count : changed) total += count;
    return total;
}

// The running minimum of squared distances to one more point, and its weighted running sum.
template <typename T>
void nearer(Matrix<const T> X, Vector<const double> point, Vector<const double> before,
            Vector<double> after, int n_threads) {
    const std::size_t n = X.shape(0), p = X.shape(1);
    if (point.size() != p || before.size() != n || after.size() != n)
        throw std::invalid_argument("nearer: arrays of different shape");
    const T *x = X.data();
    const double *c = point.data(), *old = before.data();
    double *least = after.data();
    nb::gil_scoped_release release;
    team::each_block(n_threads, double(n) * double(p), n, 4096, [&](std::size_t a, std::size_t b) {
        for (std::size_t i = a; i < b; ++i)
            least[i] = std::min(old[i], squared_distance(x + i * p, c, p));
    });
}

}  // namespace

void bind_cluster_centres(nb::module_ &m) {
    m.attr("CENTRE_TILE") = nb::int_(tile);
    for_tables([&]<typename T>() {
        m.def("nearest_labels", &nearest_labels<T>, fixed("X"), fixed("middle"), nb::arg("scale"),
              fixed("centres"), fixed("label"), nb::arg("n_threads"));
        m.def("centre_pass", &centre_pass<T>, fixed("X"), maybe("weight"), maybe("tiles"),
              maybe("norms"), fixed("middle"), nb::arg("scale"), fixed("centres"), fixed("label"),
              fixed("square"), maybe("lower"), maybe("half"), maybe("move"), fixed("sums"),
              fixed("mass"), nb::arg("n_threads"));
        m.def("pack_tiles", &pack_tiles<T>, fixed("X"), fixed("middle"), nb::arg("scale"),
              fixed("tiles"), fixed("norms"), nb::arg("n_threads"));
        m.def("elkan_labels", &elkan_labels<T>, fixed("X"), fixed("centres"), fixed("between"),
              fixed("move"), fixed("label"), fixed("lower"), nb::arg("n_threads"));
        m.def("nearer", &nearer<T>, fixed("X"), fixed("point"), fixed("before"), fixed("after"),
              nb::arg("n_threads"));
    });
    bind_cluster_two_sides(m);
}

}  // namespace margin
