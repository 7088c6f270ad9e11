// Sums over all pairs of points of a plane by one merge sort.
#include <cstddef>
#include <stdexcept>
#include <vector>

#include "common/bind.hpp"
#include "common/native.hpp"

namespace margin {
namespace {

struct Point {
    double a, b;
};

// Merges two runs that are sorted by b. Points of the second come later: each adds its products
// with the lower ones of the first, of which four running sums are enough.
double merge(const Point *first, const Point *middle, const Point *last, Point *out) {
    const Point *left = first, *right = middle;
    double count = 0.0, a = 0.0, b = 0.0, ab = 0.0, total = 0.0;
    while (right != last) {
        while (left != middle && left->b <= right->b) {
            count += 1.0, a += left->a, b += left->b, ab += left->a * left->b;
            *out++ = *left++;
        }
        total += (count * right->a - a) * right->b - (b * right->a - ab);
        *out++ = *right++;
    }
    while (left != middle) *out++ = *left++;
    return total;
}

// Sum of (a_j - a_i)(b_j - b_i) over i < j with b_i <= b_j.
double rising_pairs(Vector<const double> a, Vector<const double> b) {
    const std::size_t n = a.size();
    if (b.size() != n) throw std::invalid_argument("rising_pairs: arrays of different length");
    const double *ap = a.data(), *bp = b.data();
    nb::gil_scoped_release release;
    std::vector<Point> points(n), spare(n);
    for (std::size_t i = 0; i < n; ++i) points[i] = {ap[i], bp[i]};
    double total = 0.0;
    for (std::size_t width = 1; width < n; width *= 2) {
        double level = 0.0;
        for (std::size_t at = 0; at < n; at += 2 * width) {
            const std::size_t middle = at + width < n ? at + width : n;
            const std::size_t end = middle + width < n ? middle + width : n;
            const Point *run = points.data();
            level += merge(run + at, run + middle, run + end, spare.data() + at);
        }
        total += level;
        points.swap(spare);
    }
    return total;
}

}  // namespace

void bind_rising_pairs(nb::module_ &m) {
    m.def("rising_pairs", &rising_pairs, fixed("a"), fixed("b"));
}

}  // namespace margin
