// Bindings of collapsed Gibbs sampling for Dirichlet-process mixtures.
#include <cstdint>
#include <optional>
#include <stdexcept>

#include "common/bind.hpp"
#include "processes/bindings.hpp"
#include "processes/column_clusters.hpp"
#include "processes/normal_clusters.hpp"
#include "processes/sweep.hpp"

namespace margin {
namespace {

using processes::ColumnClusters;
using processes::NormalClusters;
using processes::Partition;

constexpr int proposals = 3;  // of divisions and unions, after every sweep

void check_labels(const Vector<std::int32_t> &label, std::size_t n) {
    if (label.size() != n) throw std::invalid_argument("partition sweep: one label per row");
    for (std::size_t i = 0; i < n; ++i)
        if (label(i) < -1 || label(i) >= static_cast<std::int64_t>(n))
            throw std::invalid_argument("partition sweep: label out of range");
}

template <typename Clusters>
double swept(Clusters &clusters, std::int32_t *label, Index n, double log_alpha, int n_sweeps,
             std::uint64_t seed, std::uint64_t step) {
    Partition<Clusters> partition(clusters, label, n);
    for (int s = 0; s < n_sweeps; ++s) {
        Draws draws(seed, step, s);
        partition.sweep(log_alpha, draws);
        for (int proposal = 0; proposal < proposals; ++proposal)
            partition.split_or_merge(log_alpha, draws);
    }
    return partition.settle();
}

double normal_partition_sweeps(Matrix<double> X, std::optional<Matrix<const std::uint8_t>> holes,
                               Vector<std::int32_t> label, Matrix<const double> lower,
                               double strength, double df, double log_alpha, int n_sweeps,
                               std::uint64_t seed, std::uint64_t step) {
    const Index n = X.shape(0), d = X.shape(1);
    check_labels(label, n);
    if (holes &&
        (static_cast<Index>(holes->shape(0)) != n || static_cast<Index>(holes->shape(1)) != d))
        throw std::invalid_argument("normal_partition_sweeps: arrays of different shape");
    if (static_cast<Index>(lower.shape(0)) != d || static_cast<Index>(lower.shape(1)) != d)
        throw std::invalid_argument("normal_partition_sweeps: arrays of different shape");
    double *xp = X.data();
    const double *lp = lower.data();
    const std::uint8_t *hp = holes ? holes->data() : nullptr;
    std::int32_t *label_p = label.data();

    nb::gil_scoped_release release;
    NormalClusters clusters(xp, hp, n, d, lp, strength, df);
    return swept(clusters, label_p, n, log_alpha, n_sweeps, seed, step);
}

double column_partition_sweeps(Matrix<const double> X, Vector<std::int32_t> label,
                               Vector<const std::int32_t> kind, Vector<const std::int64_t> first,
                               Vector<const double> parameters, double log_alpha, int n_sweeps,
                               std::uint64_t seed, std::uint64_t step) {
    const Index n = X.shape(0), d = X.shape(1);
    check_labels(label, n);
    if (static_cast<Index>(kind.size()) != d || static_cast<Index>(first.size()) != d + 1 ||
        first(d) != static_cast<std::int64_t>(parameters.size()))
        throw std::invalid_argument("column_partition_sweeps: arrays of different shape");
    for (Index j = 0; j < d; ++j) {
        if (kind(j) < 0 || kind(j) > 3 || first(j) > first(j + 1))
            throw std::invalid_argument("column_partition_sweeps: unknown kind of column");
        if (kind(j) != static_cast<std::int32_t>(processes::Kind::categorical)) continue;
        for (Index i = 0; i < n; ++i) {
            const double x = X(i, j);
            if (x == x && !(x >= 0.0 && x < double(first(j + 1) - first(j))))
                throw std::invalid_argument("column_partition_sweeps: state out of range");
        }
    }
    const double *xp = X.data(), *pp = parameters.data();
    const std::int32_t *kp = kind.data();
    const std::int64_t *fp = first.data();
    std::int32_t *label_p = label.data();

    nb::gil_scoped_release release;
    ColumnClusters clusters(xp, d, kp, fp, pp);
    return swept(clusters, label_p, n, log_alpha, n_sweeps, seed, step);
}

}  // namespace

void bind_partition_sweeps(nb::module_ &m) {
    m.def("normal_partition_sweeps", &normal_partition_sweeps, fixed("X"), maybe("holes"),
          fixed("label"), fixed("lower"), nb::arg("strength"), nb::arg("df"), nb::arg("log_alpha"),
          nb::arg("n_sweeps"), nb::arg("seed"), nb::arg("step"));
    m.def("column_partition_sweeps", &column_partition_sweeps, fixed("X"), fixed("label"),
          fixed("kind"), fixed("first"), fixed("parameters"), nb::arg("log_alpha"),
          nb::arg("n_sweeps"), nb::arg("seed"), nb::arg("step"));
}

}  // namespace margin
