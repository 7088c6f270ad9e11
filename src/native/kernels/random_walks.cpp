// Common walks of two labelled graphs: sums over all lengths up to a limit, or over all lengths.
#include <nanobind/nanobind.h>
#include <nanobind/ndarray.h>

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <stdexcept>
#include <vector>

#include "common/bind.hpp"
#include "common/native.hpp"
#include "kernels/pair_values.hpp"

namespace margin {
namespace {

struct Graph {
    const std::int64_t *indptr;
    const std::int32_t *heads, *labels;
    std::int32_t first;  // number of its first node among all nodes
    Index n;
    double radius;
    bool symmetric;
};

// One step in the product graph, whose nodes are the pairs of equal label marked in `mask`:
// out = mask . (A x B').
MARGIN_CLONES void product_step(const Graph &a, const Graph &b, const double *mask, const double *x,
                                double *half, double *out) {
    const Index m = b.n;
    for (Index u = 0; u < a.n; ++u) {
        double *row = half + u * m;
        for (Index v = 0; v < m; ++v) row[v] = 0.0;
        for (std::int64_t e = a.indptr[u]; e < a.indptr[u + 1]; ++e) {
            const double *from = x + (a.heads[e] - a.first) * m;
            for (Index v = 0; v < m; ++v) row[v] += from[v];
        }
    }
    for (Index u = 0; u < a.n; ++u)
        for (Index v = 0; v < m; ++v) {
            double sum = 0.0;
            if (mask[u * m + v] != 0.0)
                for (std::int64_t e = b.indptr[v]; e < b.indptr[v + 1]; ++e)
                    sum += half[u * m + (b.heads[e] - b.first)];
            out[u * m + v] = sum;
        }
}

double dot(const std::vector<double> &a, const std::vector<double> &b, Index size) {
    double sum = 0.0;
#pragma omp simd reduction(+ : sum)
    for (Index i = 0; i < size; ++i) sum += a[i] * b[i];
    return sum;
}

class Walks {
  public:
    Walks(double decay, std::int64_t n_steps, Index largest) : decay_(decay), n_steps_(n_steps) {
        for (auto *v : {&mask_, &x_, &half_, &step_, &residual_, &direction_}) v->resize(largest);
    }

    Value operator()(const Graph &a, const Graph &b) {
        const Index size = a.n * b.n;
        for (Index u = 0; u < a.n; ++u)
            for (Index v = 0; v < b.n; ++v)
                mask_[u * b.n + v] = a.labels[u] == b.labels[v] ? 1.0 : 0.0;
        const bool solve = n_steps_ < 0 && a.symmetric && b.symmetric;
        return solve ? by_conjugate_gradients(a, b, size) : by_steps(a, b, size);
    }

  private:
    // Terms of the series one after the other; all are at least 0, so the tail is bounded by the
    // spectral radius.
    Value by_steps(const Graph &a, const Graph &b, Index size) {
        const double ratio = decay_ * a.radius * b.radius;
        std::copy_n(mask_.begin(), size, x_.begin());
        Value sum;
        double term = dot(mask_, x_, size);
        sum.value = term;
        for (std::int64_t l = 1; n_steps_ < 0 || l <= n_steps_; ++l) {
            product_step(a, b, mask_.data(), x_.data(), half_.data(), step_.data());
            for (Index i = 0; i < size; ++i) x_[i] = decay_ * step_[i];
            term = dot(mask_, x_, size);
            sum.value += term;
            sum.slope += double(l) * term;
            if (term == 0.0 || !std::isfinite(term)) break;
            const double left = (double(l) + 1.0 / (1.0 - ratio)) / (1.0 - ratio);
            if (n_steps_ < 0 && term * left <= 1e-16 * sum.value) break;
        }
        return sum;
    }

    // x = (I - decay W)^-1 1; the value is 1'x and its slope in log decay x'x - 1'x.
    Value by_conjugate_gradients(const Graph &a, const Graph &b, Index size) {
        std::fill_n(x_.begin(), size, 0.0);
        std::copy_n(mask_.begin(), size, residual_.begin());
        std::copy_n(mask_.begin(), size, direction_.begin());
        double norm = dot(residual_, residual_, size);
        const double goal = 1e-28 * norm;
        for (Index it = 0; it < 10 * size + 100 && norm > goal; ++it) {
            product_step(a, b, mask_.data(), direction_.data(), half_.data(), step_.data());
            for (Index i = 0; i < size; ++i) step_[i] = direction_[i] - decay_ * step_[i];
            const double length = norm / dot(direction_, step_, size);
            for (Index i = 0; i < size; ++i) x_[i] += length * direction_[i];
            for (Index i = 0; i < size; ++i) residual_[i] -= length * step_[i];
            const double next = dot(residual_, residual_, size), share = next / norm;
            for (Index i = 0; i < size; ++i) direction_[i] = residual_[i] + share * direction_[i];
            norm = next;
        }
        const double sum = dot(mask_, x_, size);
        return {sum, dot(x_, x_, size) - sum};
    }

    double decay_;
    std::int64_t n_steps_;
    std::vector<double> mask_, x_, half_, step_, residual_, direction_;
};

// Pairs of the first `n_left` graphs with the graphs from `right_from` on. A negative number of
// steps means walks of all lengths.
void walk_sums(Vector<const std::int64_t> offsets, Vector<const std::int64_t> indptr,
               Vector<const std::int32_t> heads, Vector<const std::int32_t> labels,
               Vector<const double> radii, Vector<const std::uint8_t> symmetric,
               std::int64_t n_left, std::int64_t right_from, double decay, std::int64_t n_steps,
               int pairs, Matrix<double> values, std::optional<Matrix<double>> slopes,
               int threads) {
    check_starts(indptr, heads.size());
    check_starts(offsets, indptr.size() - 1);
    const std::int64_t graphs = std::int64_t(offsets.size()) - 1;
    if (labels.size() != indptr.size() - 1 || std::int64_t(radii.size()) != graphs ||
        std::int64_t(symmetric.size()) != graphs || n_left < 0 || n_left > graphs ||
        right_from < 0 || right_from > graphs)
        throw std::invalid_argument("walk_sums: arrays do not fit");
    Index largest = 0;
    std::vector<Graph> all(graphs);
    for (std::int64_t g = 0; g < graphs; ++g) {
        const std::int64_t from = offsets.data()[g], to = offsets.data()[g + 1];
        for (std::int64_t e = indptr.data()[from]; e < indptr.data()[to]; ++e)
            if (heads.data()[e] < from || heads.data()[e] >= to)
                throw std::invalid_argument("walk_sums: an edge leaves its graph");
        all[g] = {indptr.data() + from,    heads.data(),
                  labels.data() + from,    static_cast<std::int32_t>(from),
                  Index(to - from),        radii.data()[g],
                  symmetric.data()[g] != 0};
        largest = std::max(largest, all[g].n);
    }
    const PairOutput out(values, slopes, pairs, n_left, graphs - right_from);
    nb::gil_scoped_release release;
    // A step visits the pairs of nodes and of arcs; walks of all lengths take some tens of them.
    const auto size = [&](std::int64_t from, std::int64_t to) {
        const std::int64_t first = offsets.data()[from], last = offsets.data()[to];
        return double(last - first) + double(indptr.data()[last] - indptr.data()[first]);
    };
    const double steps = n_steps < 0 ? 20.0 : double(n_steps) + 1.0;
    const double work = steps * size(0, n_left) * size(right_from, graphs);
    each_pair(out, threads, work, [&] {
        return [&, walks = Walks(decay, n_steps, largest * largest)](Index i, Index j) mutable {
            return walks(all[i], all[right_from + j]);
        };
    });
}

}  // namespace

void bind_random_walks(nb::module_ &m) {
    m.def("walk_sums", &walk_sums, fixed("offsets"), fixed("indptr"), fixed("heads"),
          fixed("labels"), fixed("radii"), fixed("symmetric"), nb::arg("n_left"),
          nb::arg("right_from"), nb::arg("decay"), nb::arg("n_steps"), nb::arg("pairs"),
          fixed("values"), maybe("slopes"), nb::arg("n_threads"));
}

}  // namespace margin
