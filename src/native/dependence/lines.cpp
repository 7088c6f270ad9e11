// Distances of numbers on two lines: sums over all pairs in O(n log n).
#include <cstddef>
#include <cstdint>
#include <limits>
#include <optional>
#include <stdexcept>
#include <vector>

#include <nanobind/stl/tuple.h>

#include "common/bind.hpp"
#include "common/native.hpp"
#include "common/team.hpp"
#include "dependence/bindings.hpp"
#include "dependence/ranks.hpp"
#include "dependence/rising.hpp"

namespace margin {
namespace {

using dependence::Keyed;
using dependence::Point;

constexpr std::size_t block = 4096;  // rows whose sums are added before they meet the others
constexpr double sort_work = 40.0;

// A number, the sum of its distances to all others, and its rank or its row.
struct Place {
    double value, sum;
    std::uint32_t number;
};

struct Own {
    double sum = 0.0, squares = 0.0;  // of the sums of distances
};

// Calls put(rank, row, value, sum of distances) for all numbers in rising order.
template <typename Put>
Own measure(const double *values, std::size_t n, const Put &put) {
    const std::vector<Keyed> line = dependence::ranked(values, n);
    double total = 0.0, before = 0.0;
    for (const Keyed &entry : line) total += dependence::number(entry.key);
    Own own;
    for (std::size_t first = 0; first < n; first += block) {
        Own part;
        for (std::size_t r = first; r < std::min(n, first + block); ++r) {
            const double value = dependence::number(line[r].key);
            const double rank = static_cast<double>(r), size = static_cast<double>(n);
            const double sum = (2.0 * rank - size) * value + (total - 2.0 * before);
            before += value;
            part.sum += sum, part.squares += sum * sum;
            put(r, line[r].row, value, sum);
        }
        own.sum += part.sum, own.squares += part.squares;
    }
    return own;
}

// Two columns with the distances of each sorted once; pairs of rows may then change.
class DistanceLines {
  public:
    DistanceLines(Vector<const double> x, Vector<const double> y, int n_threads)
        : first_(x.size()), second_(y.size()) {
        const std::size_t n = x.size();
        if (y.size() != n) throw std::invalid_argument("DistanceLines: columns differ in length");
        if (n >= std::numeric_limits<std::uint32_t>::max())
            throw std::invalid_argument("DistanceLines: 2^32 rows and more are too many");
        const double *xp = x.data(), *yp = y.data();
        for (std::size_t i = 0; i < n; ++i)
            if (!(xp[i] - xp[i] == 0.0 && yp[i] - yp[i] == 0.0))
                throw std::invalid_argument("DistanceLines: a number is not finite");
        nb::gil_scoped_release release;
        team::each(n_threads, sort_work * double(n), 2, [&](Index side) {
            if (side == 0)
                own_[0] = measure(
                    xp, n, [&](std::size_t rank, std::uint32_t row, double value, double sum) {
                        first_[rank] = {value, sum, row};
                    });
            else
                own_[1] = measure(
                    yp, n, [&](std::size_t rank, std::uint32_t row, double value, double sum) {
                        second_[row] = {value, sum, static_cast<std::uint32_t>(rank)};
                    });
        });
    }

    // Sum of the sums of distances, and of their squares, for both columns.
    std::tuple<double, double, double, double> own() const {
        return {own_[0].sum, own_[0].squares, own_[1].sum, own_[1].squares};
    }

    // Sums of the products of distances, and of their sums, of row i of x and row order[i] of y.
    std::tuple<double, double> products(std::optional<Vector<const std::int64_t>> order,
                                        int n_threads) const {
        const std::int64_t *partner = order ? order->data() : nullptr;
        if (order) check(*order);
        nb::gil_scoped_release release;
        std::vector<Point> points(first_.size());
        double along = 0.0, straight = 0.0, before = 0.0;
        for (std::size_t from = 0; from < first_.size(); from += block) {
            double part_along = 0.0, part_straight = 0.0;
            for (std::size_t j = from; j < std::min(first_.size(), from + block); ++j) {
                const auto [a, sum, row] = first_[j];
                const auto [b, other, rank] = second_[partner ? std::size_t(partner[row]) : row];
                points[j] = {a, b, rank};
                part_along += sum * other;
                part_straight += a * (2.0 * (static_cast<double>(j) * b - before) + other);
                before += b;
            }
            along += part_along, straight += part_straight;
        }
        // Sum over j of a_j (E_j - F_j) with the distances E_j of b_j to the earlier ones and F_j
        // to the later ones: F_j is its whole sum less E_j, and E_j twice the rises less all steps.
        return {2.0 * (4.0 * dependence::rising_sum(points, n_threads) - straight), along};
    }

  private:
    // Ranks that are there twice would be written past the end.
    void check(const Vector<const std::int64_t> &order) const {
        if (order.size() != second_.size())
            throw std::invalid_argument("DistanceLines: order of another length");
        std::vector<char> seen(second_.size());
        for (std::size_t i = 0; i < order.size(); ++i) {
            const auto row = static_cast<std::size_t>(order.data()[i]);
            if (row >= seen.size() || seen[row]++)
                throw std::invalid_argument("DistanceLines: order must name each row once");
        }
    }

    std::vector<Place> first_, second_;  // by rank, with rows; by row, with ranks
    Own own_[2];
};

}  // namespace

void bind_distance_lines(nb::module_ &m) {
    nb::class_<DistanceLines>(m, "DistanceLines")
        .def(nb::init<Vector<const double>, Vector<const double>, int>(), fixed("x"), fixed("y"),
             nb::arg("n_threads"))
        .def("own", &DistanceLines::own)
        .def("products", &DistanceLines::products, maybe("order"), nb::arg("n_threads"));
}

}  // namespace margin
