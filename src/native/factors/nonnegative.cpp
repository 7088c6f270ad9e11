// Non-negative least squares of many columns with one matrix, by passes of coordinate descent.
#include <algorithm>
#include <cmath>
#include <stdexcept>
#include <vector>

#include "common/bind.hpp"
#include "common/native.hpp"
#include "common/team.hpp"
#include "factors/bindings.hpp"

namespace margin {

namespace {

constexpr std::size_t width = 16;  // columns that are worked on together
constexpr double little = 1e-4;    // share of the first movement, squared, that ends passes

struct Problem {
    const double *gram, *product;
    double *W;
    std::size_t k, n;
    double l1, l2;
    int passes;
};

// Passes over the columns from `first`, at most width of them, held in `w`; what the projected
// gradient sums up to before the first pass.
MARGIN_CLONES
double descend(const Problem &p, std::size_t first, std::size_t count, double *w, double *b) {
    const std::size_t k = p.k;
    for (std::size_t t = 0; t < k; ++t) {
        double *wt = w + t * width, *bt = b + t * width;
        for (std::size_t j = 0; j < width; ++j) {
            wt[j] = j < count ? p.W[t * p.n + first + j] : 0.0;
            bt[j] = j < count ? p.product[t * p.n + first + j] - p.l1 : 0.0;
        }
    }
    double violation[width] = {}, moved_first = 0.0;
    for (int pass = 0; pass < p.passes; ++pass) {
        double moves[width] = {};
        for (std::size_t t = 0; t < k; ++t) {
            const double *row = p.gram + t * k;
            double slope[width], other[width] = {};  // two sums that do not wait for each other
            double *wt = w + t * width;
            for (std::size_t j = 0; j < width; ++j) slope[j] = p.l2 * wt[j] - b[t * width + j];
            std::size_t r = 0;
            for (; r + 1 < k; r += 2) {
                const double g = row[r], h = row[r + 1], *wr = w + r * width;
                for (std::size_t j = 0; j < width; ++j) {
                    slope[j] += g * wr[j];
                    other[j] += h * wr[width + j];
                }
            }
            if (r < k)
                for (std::size_t j = 0; j < width; ++j) slope[j] += row[r] * w[r * width + j];
            for (std::size_t j = 0; j < width; ++j) slope[j] += other[j];
            if (pass == 0)
                for (std::size_t j = 0; j < width; ++j)
                    violation[j] += std::abs(wt[j] > 0.0 ? slope[j] : std::min(slope[j], 0.0));
            const double size = row[t] + p.l2;
            if (!(size > 0.0)) continue;
            const double step = 1.0 / size;
            for (std::size_t j = 0; j < width; ++j) {
                const double next = std::max(0.0, wt[j] - slope[j] * step), change = next - wt[j];
                moves[j] += change * change;
                wt[j] = next;
            }
        }
        double moved = 0.0;
        for (std::size_t j = 0; j < width; ++j) moved += moves[j];
        if (pass == 0) moved_first = moved;
        if (moved <= little * moved_first) break;
    }
    for (std::size_t t = 0; t < k; ++t)
        for (std::size_t j = 0; j < count; ++j) p.W[t * p.n + first + j] = w[t * width + j];
    double total = 0.0;
    for (std::size_t j = 0; j < width; ++j) total += violation[j];
    return total;
}

double nonnegative_passes(Matrix<double> W, Matrix<const double> gram, Matrix<const double> product,
                          double l1, double l2, int passes, int n_threads) {
    const std::size_t k = W.shape(0), n = W.shape(1);
    if (gram.shape(0) != k || gram.shape(1) != k)
        throw std::invalid_argument("nonnegative_passes: gram must be square, of the rows of W");
    if (product.shape(0) != k || product.shape(1) != n)
        throw std::invalid_argument("nonnegative_passes: product must be of the shape of W");
    if (!k || !n) return 0.0;
    const Problem problem{gram.data(), product.data(), W.data(), k, n, l1, l2, passes};
    const std::size_t blocks = (n + width - 1) / width;
    std::vector<double> violation(blocks);
    nb::gil_scoped_release release;
    const double work = static_cast<double>(n) * static_cast<double>(k * k) * passes;
    team::run(n_threads, work, blocks, [&] {
        return [&, w = std::vector<double>(2 * k * width)](Index i) mutable {
            const std::size_t first = static_cast<std::size_t>(i) * width;
            violation[i] =
                descend(problem, first, std::min(width, n - first), w.data(), w.data() + k * width);
        };
    });
    double total = 0.0;
    for (const double v : violation) total += v;
    return total;
}

}  // namespace

void bind_nonnegative(nb::module_ &m) {
    m.def("nonnegative_passes", &nonnegative_passes, fixed("W"), fixed("gram"), fixed("product"),
          nb::arg("l1"), nb::arg("l2"), nb::arg("passes"), nb::arg("n_threads"));
    bind_nonnegative_rows(m);
}

}  // namespace margin
