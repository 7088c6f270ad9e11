// The k smallest entries of every row of a matrix, in order, equal ones by their column.
#include <nanobind/nanobind.h>
#include <nanobind/ndarray.h>

#include <cstddef>
#include <cstdint>
#include <stdexcept>

#include "common/bind.hpp"
#include "common/native.hpp"
#include "common/team.hpp"
#include "neighbors/bindings.hpp"
#include "neighbors/nearest.hpp"

namespace margin {
namespace {

using namespace neighbors;

// NaN counts as infinite.
template <typename T>
void select_smallest(Matrix<const T> D, Matrix<double> value, Matrix<std::int64_t> column,
                     int n_threads) {
    const std::size_t m = D.shape(0), n = D.shape(1), k = value.shape(1);
    if (value.shape(0) != m || column.shape(0) != m || column.shape(1) != k || k == 0 || k > n)
        throw std::invalid_argument("select_smallest: arrays of different shape");
    const T *d = D.data();
    double *vp = value.data();
    std::int64_t *cp = column.data();
    nb::gil_scoped_release release;
    team::run(n_threads, double(m) * double(n), Index(m), [&] {
        return [&, near = Nearest(k)](Index i) mutable {
            const T *row = d + std::size_t(i) * n;
            near.clear();
            for (std::size_t j = 0; j < n; ++j) {
                const double x = row[j] == row[j] ? static_cast<double>(row[j])
                                                  : std::numeric_limits<double>::infinity();
                if (x <= near.limit()) near.offer(x, static_cast<std::int64_t>(j));
            }
            near.finish();
            for (std::size_t j = 0; j < k; ++j) {
                vp[std::size_t(i) * k + j] = near[j].distance;
                cp[std::size_t(i) * k + j] = near[j].number;
            }
        };
    });
}

}  // namespace

void bind_neighbor_select(nb::module_ &m) {
    for_tables([&]<typename T>() {
        m.def("select_smallest", &select_smallest<T>, fixed("D"), fixed("value"), fixed("column"),
              nb::arg("n_threads"));
    });
}

}  // namespace margin
