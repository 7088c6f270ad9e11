// Tables of categories: counts of the rows of each class, and sums of log probabilities.
#include <nanobind/nanobind.h>
#include <nanobind/ndarray.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <stdexcept>
#include <vector>

#include "common/bind.hpp"
#include "common/native.hpp"
#include "common/team.hpp"

namespace margin {
namespace {

// Line of the table for value x of column j, or -1 where x is no category of it (NaN included).
template <typename T>
inline std::int64_t line(T x, const std::int64_t *offset, std::size_t j) {
    const std::int64_t size = offset[j + 1] - offset[j];
    if (!(x >= 0) || !(x < static_cast<double>(size))) return -1;
    const std::int64_t whole = static_cast<std::int64_t>(x);
    return static_cast<T>(whole) == x ? offset[j] + whole : -1;
}

void check_offsets(const std::int64_t *offset, std::size_t p, std::size_t lines) {
    bool valid = offset[0] == 0 && offset[p] == static_cast<std::int64_t>(lines);
    for (std::size_t j = 0; j < p; ++j) valid = valid && offset[j] <= offset[j + 1];
    if (!valid) throw std::invalid_argument("tables: offsets must grow from 0 to the lines");
}

template <typename T>
void table_scores(Matrix<const T> X, Vector<const std::int64_t> offset, Matrix<const double> table,
                  Matrix<double> out, int n_threads) {
    const std::size_t n = X.shape(0), p = X.shape(1), classes = table.shape(1);
    if (offset.size() != p + 1 || out.shape(0) != n || out.shape(1) != classes)
        throw std::invalid_argument("table_scores: arrays of different shape");
    check_offsets(offset.data(), p, table.shape(0));
    const T *xp = X.data();
    const std::int64_t *op = offset.data();
    const double *tp = table.data();
    double *sp = out.data();

    nb::gil_scoped_release release;
    const double work = double(n) * double(p) * double(classes + 8);
    team::each_block(n_threads, work, n, 1024, [&](std::size_t first, std::size_t last) {
        for (std::size_t i = first; i < last; ++i) {
            double *row = sp + i * classes;
            std::fill(row, row + classes, 0.0);
            for (std::size_t j = 0; j < p; ++j) {
                const std::int64_t at = line(xp[i * p + j], op, j);
                if (at < 0) continue;
                const double *scores = tp + at * classes;
                for (std::size_t k = 0; k < classes; ++k) row[k] += scores[k];
            }
        }
    });
}

template <typename T>
void table_counts(Matrix<const T> X, Vector<const std::int64_t> code,
                  std::optional<Vector<const double>> weight, Vector<const std::int64_t> offset,
                  Matrix<double> out, int n_threads) {
    const std::size_t n = X.shape(0), p = X.shape(1), classes = out.shape(1);
    if (code.size() != n || offset.size() != p + 1 || (weight && weight->size() != n))
        throw std::invalid_argument("table_counts: arrays of different shape");
    check_offsets(offset.data(), p, out.shape(0));
    const std::int64_t *cp = code.data();
    for (std::size_t i = 0; i < n; ++i)
        if (cp[i] < 0 || cp[i] >= static_cast<std::int64_t>(classes))
            throw std::invalid_argument("table_counts: class code out of range");
    const T *xp = X.data();
    const double *wp = weight ? weight->data() : nullptr;
    const std::int64_t *op = offset.data();
    double *tp = out.data();

    nb::gil_scoped_release release;
    // At most 16 fixed blocks, reduced in order: the same answer for any number of threads.
    const std::size_t size = out.shape(0) * classes,
                      rows = std::max<std::size_t>(4096, (n + 15) / 16);
    const Index blocks = (n + rows - 1) / rows;
    std::vector<double> partial(static_cast<std::size_t>(blocks) * size, 0.0);
    team::each(n_threads, 8.0 * double(n) * double(p), blocks, [&](Index b) {
        double *sums = partial.data() + b * size;
        const std::size_t end = std::min(n, (b + 1) * rows);
        for (std::size_t i = b * rows; i < end; ++i) {
            const double s = wp ? wp[i] : 1.0;
            for (std::size_t j = 0; j < p; ++j) {
                const std::int64_t at = line(xp[i * p + j], op, j);
                if (at >= 0) sums[at * classes + cp[i]] += s;
            }
        }
    });
    std::fill(tp, tp + size, 0.0);
    for (Index b = 0; b < blocks; ++b)
        for (std::size_t j = 0; j < size; ++j) tp[j] += partial[b * size + j];
}

}  // namespace

void bind_tables(nb::module_ &m) {
    for_tables([&]<typename T>() {
        m.def("table_scores", &table_scores<T>, fixed("X"), fixed("offset"), fixed("table"),
              fixed("out"), nb::arg("n_threads"));
        m.def("table_counts", &table_counts<T>, fixed("X"), fixed("code"), maybe("weight"),
              fixed("offset"), fixed("out"), nb::arg("n_threads"));
    });
}

}  // namespace margin
