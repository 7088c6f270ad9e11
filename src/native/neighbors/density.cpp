// Sums of kernels around the points of a tree, with bounds on the error of what is left out.
#include <nanobind/nanobind.h>
#include <nanobind/ndarray.h>

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <stdexcept>

#include "common/bind.hpp"
#include "common/elementary.hpp"
#include "common/interrupt.hpp"
#include "common/native.hpp"
#include "common/team.hpp"
#include "neighbors/arrays.hpp"
#include "neighbors/bindings.hpp"
#include "neighbors/search.hpp"

namespace margin {
namespace {

using namespace neighbors;

// As margin.native.neighbors.densities numbers them.
enum Kernel { gaussian, exponential, tophat, epanechnikov, linear, cosine };

// A kernel as a function of the distance, divided by its value at the point nearest to the query so
// that far from all points nothing underflows.
struct Bump {
    int kernel;
    double bandwidth, nearest;

    bool infinite() const { return kernel == gaussian || kernel == exponential; }

    double log_peak() const {
        if (!infinite()) return 0.0;
        const double u = nearest / bandwidth;
        return kernel == gaussian ? -0.5 * u * u : -u;
    }

    [[gnu::always_inline]] double operator()(double d) const {
        const double u = d / bandwidth;
        switch (kernel) {
            case gaussian: {
                const double a = 0.5 * (d - nearest) * (d + nearest) / (bandwidth * bandwidth);
                return exp_negative(a > 0.0 ? a : 0.0);
            }
            case exponential: {
                const double a = (d - nearest) / bandwidth;
                return exp_negative(a > 0.0 ? a : 0.0);
            }
            case tophat: return u < 1.0 ? 1.0 : 0.0;
            case epanechnikov: return u < 1.0 ? 1.0 - u * u : 0.0;
            case linear: return u < 1.0 ? 1.0 - u : 0.0;
            default: return u < 1.0 ? std::cos(1.5707963267948966 * u) : 0.0;
        }
    }
};

struct Setting {
    Bump bump;
    double rtol, atol;        // atol per unit of weight, of the kernel as it is summed
    const double *weight;     // of every place
    const double *cumulated;  // weight of the leaves before each
    double total;
};

template <typename M>
[[gnu::always_inline]] inline double leaf_sum(const M &measure, const Tree<double> &tree,
                                              const Node &node, const double *q,
                                              const Setting &set) {
    double sum = 0.0, distance[width];
    for (std::size_t b = tree.first_block(node); b < tree.last_block(node); ++b) {
        scan<0>(measure, q, tree.blocks + b * tree.p * width, tree.p, distance);
        const double *weight = set.weight + b * width;
        for (std::size_t j = 0; j < width; ++j)
            sum += weight[j] * set.bump(measure.full(distance[j]));
    }
    return sum;
}

// Nodes near the query first, so that the sum soon bounds what far ones may still matter.
template <typename M>
[[gnu::always_inline]] inline double kernel_sum(const M &measure, const Tree<double> &tree,
                                                const double *q, const Setting &set) {
    Node waiting[64];
    std::size_t count = 0;
    double sum = 0.0;
    waiting[count++] = tree.root();
    const auto least = [&](const Node &node) {
        return measure.full(shrink(tree.p) * bound<0>(measure, tree, node.number, q));
    };
    while (count > 0) {
        const Node node = waiting[--count];
        const double high = set.bump(least(node));
        if (high == 0.0) continue;
        const double low = set.bump(farthest(measure, tree, node.number, q) / shrink(tree.p));
        const double weight = set.cumulated[node.last] - set.cumulated[node.first];
        const double allowed = std::max(set.atol, set.rtol * std::max(low, sum / set.total));
        if (0.5 * (high - low) <= allowed) {
            sum += 0.5 * (high + low) * weight;
        } else if (node.leaf()) {
            sum += leaf_sum(measure, tree, node, q, set);
        } else {
            const Node left = node.left(), right = node.right();
            const bool other = least(right) < least(left);
            waiting[count++] = other ? left : right;
            waiting[count++] = other ? right : left;
        }
    }
    return sum;
}

#define MARGIN_SUM(M)                                                                              \
    MARGIN_CLONES double sum_##M(const M &measure, const Tree<double> &tree, const double *q,      \
                                 const Setting &set) {                                             \
        return kernel_sum(measure, tree, q, set);                                                  \
    }                                                                                              \
    double run_sum(const M &measure, const Tree<double> &tree, const double *q,                    \
                   const Setting &set) {                                                           \
        return sum_##M(measure, tree, q, set);                                                     \
    }
MARGIN_SUM(Euclidean)
MARGIN_SUM(Manhattan)
MARGIN_SUM(Chebyshev)
MARGIN_SUM(Minkowski)
MARGIN_SUM(Canberra)
MARGIN_SUM(BrayCurtis)
MARGIN_SUM(Hamming)
MARGIN_SUM(Jaccard)
MARGIN_SUM(NanEuclidean)
#undef MARGIN_SUM

// out[i] = log sum_j weight_j K(d(q_i, x_j) / h); `log_scale` turns that into a density, which
// atol is measured in.
void kernel_sums(Cube<double> blocks, Vector<const std::int64_t> order, Matrix<const double> lower,
                 Bounds upper, std::size_t leaf_blocks, int code, double power,
                 Vector<const double> weight, Vector<const double> cumulated,
                 Matrix<const double> Q, int kernel, double bandwidth, double log_scale,
                 double atol, double rtol, Vector<double> out, int n_threads) {
    const Tree<double> tree = tree_of<double>(blocks, order, lower, upper, leaf_blocks);
    const std::size_t m = Q.shape(0);
    if (Q.shape(1) != tree.p || weight.size() != order.size() || out.size() != m ||
        cumulated.size() != tree.n_leaves() + 1 || kernel < gaussian || kernel > cosine)
        throw std::invalid_argument("kernel_sums: arrays of different shape");
    const double *q = Q.data(), *wp = weight.data(), *cp = cumulated.data();
    const double total = cp[tree.n_leaves()];
    double *op = out.data();
    nb::gil_scoped_release release;
    Interrupt interrupt;
    with_measure(code, power, [&](auto measure) {
        const double work = 8.0 * double(m) * double(order.size()) * double(tree.p);
        team::run(n_threads, work, Index((m + 15) / 16), [&] {
            return [&, near = Nearest(1)](Index piece) mutable {
                const std::size_t first = std::size_t(piece) * 16, last = std::min(m, first + 16);
                for (std::size_t i = first; i < last && !interrupt.poll(); ++i) {
                    Bump bump{kernel, bandwidth, 0.0};
                    if (bump.infinite()) {
                        near.clear();
                        search(measure, tree, q + i * tree.p, near);
                        near.finish();
                        bump.nearest = measure.full(near[0].distance);
                    }
                    const double peak = bump.log_peak();
                    const double wanted =
                        atol > 0.0 ? std::exp(std::log(atol) - log_scale - peak) : 0.0;
                    const Setting set{bump, rtol, wanted / total, wp, cp, total};
                    const double sum = run_sum(measure, tree, q + i * tree.p, set);
                    op[i] =
                        sum > 0.0 ? peak + std::log(sum) : -std::numeric_limits<double>::infinity();
                }
            };
        });
    });
    interrupt.rethrow();
}

}  // namespace

void bind_neighbor_densities(nb::module_ &m) {
    m.def("kernel_sums", &kernel_sums, fixed("blocks"), fixed("order"), fixed("lower"),
          fixed("upper"), nb::arg("leaf_blocks"), nb::arg("measure"), nb::arg("power"),
          fixed("weight"), fixed("cumulated"), fixed("Q"), nb::arg("kernel"), nb::arg("bandwidth"),
          nb::arg("log_scale"), nb::arg("atol"), nb::arg("rtol"), fixed("out"),
          nb::arg("n_threads"));
}

}  // namespace margin
