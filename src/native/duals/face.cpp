// Conjugate gradients on a face of the dual of a linear model: the multipliers strictly between
// their kinks and bounds move together, w follows, and what would leave its interval is cut off.
#include <nanobind/nanobind.h>
#include <nanobind/ndarray.h>
#include <nanobind/stl/tuple.h>

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <stdexcept>
#include <tuple>
#include <vector>

#include "common/native.hpp"
#include "common/team.hpp"
#include "duals/packed_rows.hpp"
#include "duals/rows.hpp"

namespace margin {
namespace {

constexpr std::size_t most_blocks = 8, block_rows = 1024;

struct Outcome {
    std::size_t steps = 0;
    double outside = 0.0, gain = 0.0;  // share of rows cut off, fall of the dual objective
};

template <typename Rows, typename Packed>
class Descent {
  public:
    Descent(const Rows &data, const Dual &dual, double *w, const std::int64_t *rows,
            std::size_t size, int n_threads)
        : data_(data), dual_(dual), w_(w), rows_(rows), size_(size), p_(data.p + 1),
          blocks_(std::clamp<std::size_t>(size / block_rows, 1, most_blocks)), threads_(n_threads),
          unit_(size), slope_(size), low_(size), high_(size), along_(p_), images_(blocks_ * p_),
          shares_(blocks_) {
        open();
    }

    Outcome run(std::size_t limit, double crowd, double tol) {
        Outcome out;
        const double first = step(0.0);
        double before = first;
        turn(0.0);
        while (out.steps < limit && before > tol * tol * first && before > 0) {
            const double energy = self_energy();
            if (!(energy > 0)) break;
            const double after = step(before / energy);
            ++out.steps;
            turn(after / before);
            before = after;
            if (crowd < 1 && (out.outside = outside()) > crowd) break;
        }
        out.outside = outside();
        if (out.steps > 0) out.gain = walk();
        return out;
    }

  private:
    // Slopes at the start, room to the walls, and the residual in units of its largest entry.
    void open() {
        face_ = {std::vector<double>(size_), std::vector<double>(size_), std::vector<double>(size_),
                 std::vector<double>(size_)};
        for (std::size_t k = 0; k < size_; ++k) {
            const std::size_t i = rows_[k];
            const double b = dual_.b[i], e = b > 0 ? dual_.epsilon : b < 0 ? -dual_.epsilon : 0.0;
            slope_[k] = data_.score(i, w_) - dual_.target[i] + dual_.ridge[i] * b + e;
            low_[k] = dual_.low(i) - b;
            high_[k] = dual_.high(i) - b;
            unit_[k] = 1.0 / std::sqrt(dual_.square[i]);
            face_.ridge[k] = dual_.ridge[i] / dual_.square[i];
            face_.residual[k] = -slope_[k] * unit_[k];
            scale_ = std::max(scale_, std::abs(face_.residual[k]));
        }
        for (double &r : face_.residual) r = scale_ > 0 ? r / scale_ : 0.0;
        packed_ = pack(data_, rows_, size_, unit_);
    }

    double step(double length) {
        std::fill(images_.begin(), images_.end(), 0.0f);
        team::each(threads_, 4.0 * double(packed_.values.size()), blocks_, [&](Index block) {
            shares_[block] = {};
            step_rows(packed_, face_, block * size_ / blocks_, (block + 1) * size_ / blocks_,
                      length, along_.data(), images_.data() + block * p_, shares_[block]);
        });
        double sum = 0.0;
        for (const Share &share : shares_) sum += share.residual;
        return sum;
    }

    // The next direction: the residual plus `keep` of the last one; its image likewise.
    void turn(double keep) {
        for (std::size_t k = 0; k < size_; ++k)
            face_.search[k] = face_.residual[k] + keep * face_.search[k];
        for (std::size_t j = 0; j < p_; ++j) {
            float sum = 0.0f;
            for (std::size_t block = 0; block < blocks_; ++block) sum += images_[block * p_ + j];
            along_[j] = sum + static_cast<float>(keep) * along_[j];
        }
    }

    double self_energy() const {
        double sum = 0.0;
        for (float v : along_) sum += static_cast<double>(v) * v;
        for (std::size_t k = 0; k < size_; ++k)
            sum += face_.ridge[k] * face_.search[k] * face_.search[k];
        return sum;
    }

    double move(std::size_t k) const { return scale_ * unit_[k] * face_.move[k]; }

    double outside() const {
        std::size_t count = 0;
        for (std::size_t k = 0; k < size_; ++k) count += move(k) < low_[k] || move(k) > high_[k];
        return static_cast<double>(count) / static_cast<double>(size_);
    }

    // The move found, or a part of it, cut off at the walls; from there to the best point of the
    // straight line. Shorter parts are tried as long as they gain more.
    double walk() {
        std::vector<double> whole(p_), path(p_), x(size_), best, best_path;
        for (std::size_t k = 0; k < size_; ++k) data_.add(rows_[k], move(k), whole.data());
        double gain = 0.0, reach = 0.0;
        for (double part = 1.0; part > 1e-3; part *= 0.5) {
            bool cut = false;
            double slope = 0.0, curvature = 0.0;
            for (std::size_t j = 0; j < p_; ++j) path[j] = part * whole[j];
            for (std::size_t k = 0; k < size_; ++k) {
                x[k] = std::clamp(part * move(k), low_[k], high_[k]);
                slope += slope_[k] * x[k];
                curvature += dual_.ridge[rows_[k]] * x[k] * x[k];
                const double lost = x[k] - part * move(k);
                if (lost == 0.0) continue;
                cut = true;
                data_.add(rows_[k], lost, path.data());
            }
            for (double v : path) curvature += v * v;
            const double to = curvature > 0 ? std::clamp(-slope / curvature, 0.0, 1.0) : 0.0;
            const double now = -to * (slope + 0.5 * to * curvature);
            if (now <= gain && gain > 0) break;
            if (now > gain) gain = now, reach = to, best = x, best_path = path;
            if (!cut) break;
        }
        take(best, best_path, reach);
        return gain;
    }

    // A move to the wall ends there exactly: no rounding may leave the row inside.
    void take(const std::vector<double> &x, const std::vector<double> &path, double reach) {
        for (std::size_t k = 0; k < x.size(); ++k) {
            const std::size_t i = rows_[k];
            const double low = dual_.low(i), high = dual_.high(i);
            const double next = std::clamp(dual_.b[i] + reach * x[k], low, high);
            dual_.b[i] = reach < 1 || x[k] == 0.0 ? next
                         : x[k] == low_[k]        ? low
                         : x[k] == high_[k]       ? high
                                                  : next;
        }
        for (std::size_t j = 0; j < path.size(); ++j) w_[j] += reach * path[j];
    }

    Rows data_;
    Dual dual_;
    double *w_;
    const std::int64_t *rows_;
    std::size_t size_, p_, blocks_;
    int threads_;
    double scale_ = 0.0;
    std::vector<double> unit_, slope_, low_, high_;
    std::vector<float> along_, images_;
    std::vector<Share> shares_;
    Face face_;
    Packed packed_;
};

using Result = std::tuple<std::size_t, double, double>;

template <typename Packed, typename Rows>
Result solved(const Rows &data, const Dual &dual, const Vector<double> &w,
              const Vector<std::int64_t> &rows, std::size_t n, std::size_t limit, double crowd,
              double tol, int n_threads) {
    check_rows(rows, n);
    for (std::size_t k = 0; k < rows.size(); ++k)
        if (!(dual.square[rows.data()[k]] > 0))
            throw std::invalid_argument("dual_face: rows of zeros have no place on a face");
    Outcome out;
    if (rows.size() > 0) {
        nb::gil_scoped_release release;
        out = Descent<Rows, Packed>(data, dual, w.data(), rows.data(), rows.size(), n_threads)
                  .run(limit, crowd, tol);
    }
    return {out.steps, out.outside, out.gain};
}

template <typename T>
Result dense(Matrix<const T> X, Doubles target, Doubles lower, Doubles upper, Doubles ridge,
             Doubles square, double epsilon, double constant, Vector<double> b, Vector<double> w,
             Vector<std::int64_t> rows, std::size_t limit, double crowd, double tol,
             int n_threads) {
    const Dual dual = dual_of(X.shape(0), target, lower, upper, ridge, square, epsilon, b);
    return solved<PackedDense>(dense_rows<T>(X, w.size(), constant), dual, w, rows, X.shape(0),
                               limit, crowd, tol, n_threads);
}

template <typename T, typename I>
Result sparse(Vector<const I> indptr, Vector<const I> indices, Vector<const T> values,
              Doubles target, Doubles lower, Doubles upper, Doubles ridge, Doubles square,
              double epsilon, double constant, Vector<double> b, Vector<double> w,
              Vector<std::int64_t> rows, std::size_t limit, double crowd, double tol,
              int n_threads) {
    const SparseRows<T, I> data = sparse_rows<T, I>(indptr, indices, values, w.size(), constant);
    const std::size_t n = indptr.size() - 1;
    const Dual dual = dual_of(n, target, lower, upper, ridge, square, epsilon, b);
    return solved<PackedSparse>(data, dual, w, rows, n, limit, crowd, tol, n_threads);
}

}  // namespace

void bind_dual_face(nb::module_ &m) {
    for_tables([&]<typename T>() {
        m.def("dual_face_dense", &dense<T>, fixed("X"), fixed("target"), fixed("lower"),
              fixed("upper"), fixed("ridge"), fixed("square"), nb::arg("epsilon"),
              nb::arg("constant"), fixed("b"), fixed("w"), fixed("rows"), nb::arg("limit"),
              nb::arg("crowd"), nb::arg("tol"), nb::arg("n_threads"));
    });
    for_compressed([&]<typename T, typename I>() {
        m.def("dual_face_sparse", &sparse<T, I>, fixed("indptr"), fixed("indices"), fixed("values"),
              fixed("target"), fixed("lower"), fixed("upper"), fixed("ridge"), fixed("square"),
              nb::arg("epsilon"), nb::arg("constant"), fixed("b"), fixed("w"), fixed("rows"),
              nb::arg("limit"), nb::arg("crowd"), nb::arg("tol"), nb::arg("n_threads"));
    });
}

}  // namespace margin
