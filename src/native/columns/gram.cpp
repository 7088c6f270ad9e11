// Symmetric products of the lines of a matrix, centred and weighted on the way into the cache.
#include <nanobind/nanobind.h>
#include <nanobind/ndarray.h>

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <stdexcept>
#include <vector>

#include "columns/lines.hpp"
#include "common/bind.hpp"
#include "common/native.hpp"
#include "common/team.hpp"

namespace margin {
namespace {

constexpr Index strip_lines = 4;   // lines of the other factor in registers
constexpr Index slab_depth = 256;  // a panel of this depth stays in the first-level cache
constexpr Index few_panels = 20;   // panels up to which every slab of depth has a sum of its own
constexpr Index most_slabs = 16;   // fixed, so that the answer does not depend on the threads
constexpr Index tile_panels = 10;  // panels of a tile of the result

// Products are made in registers, several in the time of a number from memory.
double product_work(Index lines, Index depth) {
    return double(lines) * double(lines) * double(depth) / 8;
}

// Adds to `out`, of row length `stride`, the products of 4 * strips lines with the lines of `b`.
MARGIN_CLONES void panel_product(const double *a, const double *b, Index depth, Index strips,
                                 double *out, Index stride) {
    typedef double Quad __attribute__((vector_size(32), aligned(8)));
    for (Index s = 0; s < strips; ++s) {
        const double *left = a + strip_lines * s, *right = b;
        Quad c[strip_lines][3] = {};
        for (Index k = 0; k < depth; ++k, left += panel_lines, right += panel_lines) {
            const Quad r0 = *reinterpret_cast<const Quad *>(right);
            const Quad r1 = *reinterpret_cast<const Quad *>(right + 4);
            const Quad r2 = *reinterpret_cast<const Quad *>(right + 8);
            for (Index i = 0; i < strip_lines; ++i) {
                c[i][0] += left[i] * r0;
                c[i][1] += left[i] * r1;
                c[i][2] += left[i] * r2;
            }
        }
        for (Index i = 0; i < strip_lines; ++i)
            for (Index q = 0; q < 3; ++q) {
                Quad *o = reinterpret_cast<Quad *>(out + (strip_lines * s + i) * stride + 4 * q);
                *o += c[i][q];
            }
    }
}

// Strips of panel `index` that hold lines.
Index strips_of(Index index, Index lines) {
    return std::min(panel_lines / strip_lines,
                    (lines - index * panel_lines + strip_lines - 1) / strip_lines);
}

// out[i][j], i >= j in panels and j < right: the sums of products; `stride` = panel_lines * right.
template <typename T>
void products_of_few_lines(const Lines<T> &lines, Index right, double *out, int threads) {
    const Index n = lines.count(), panels = panels_of(n), stride = panel_lines * right;
    const Index blocks = (lines.depth + slab_depth - 1) / slab_depth;
    const Index slabs = std::clamp<Index>(blocks / 2, 1, most_slabs);
    const Index size = panels * panel_lines * stride;
    std::vector<double> sums(size * slabs);
    team::run(threads, product_work(n, lines.depth), slabs, [&] {
        return [&, packed =
                       std::vector<double>(panels * panel_lines * slab_depth)](Index slab) mutable {
            for (Index b = blocks * slab / slabs; b < blocks * (slab + 1) / slabs; ++b) {
                const Index from = b * slab_depth, depth = std::min(slab_depth, lines.depth - from);
                for (Index i = 0; i < panels; ++i)
                    lines.pack(i, from, depth, packed.data() + i * panel_lines * slab_depth);
                for (Index j = 0; j < right; ++j)
                    for (Index i = j; i < panels; ++i)
                        panel_product(
                            packed.data() + i * panel_lines * slab_depth,
                            packed.data() + j * panel_lines * slab_depth, depth, strips_of(i, n),
                            &sums[slab * size + i * panel_lines * stride + j * panel_lines],
                            stride);
            }
        };
    });
    std::copy_n(sums.data(), size, out);
    for (Index slab = 1; slab < slabs; ++slab)
        for (Index e = 0; e < size; ++e) out[e] += sums[slab * size + e];
}

template <typename T>
void products_of_many_lines(const Lines<T> &lines, Index right, double *out, int threads) {
    const Index n = lines.count(), panels = panels_of(n), stride = panel_lines * right;
    const Index tiles = (panels + tile_panels - 1) / tile_panels;
    std::vector<double> packed(panels * panel_lines * slab_depth);
    const double work = product_work(n, lines.depth);
    for (Index from = 0; from < lines.depth; from += slab_depth) {
        const Index depth = std::min(slab_depth, lines.depth - from);
        team::each(threads, work, panels, [&](Index i) {
            lines.pack(i, from, depth, packed.data() + i * panel_lines * slab_depth);
        });
        team::each(threads, work, tiles * tiles, [&](Index from_last) {
            const Index tile = tiles * tiles - 1 - from_last;
            const Index low = tile / tiles * tile_panels,
                        high = std::min(panels, low + tile_panels);
            const Index left = tile % tiles * tile_panels,
                        end = std::min({right, left + tile_panels, high});
            for (Index j = left; j < end; ++j)
                for (Index i = std::max(low, j); i < high; ++i)
                    panel_product(packed.data() + i * panel_lines * slab_depth,
                                  packed.data() + j * panel_lines * slab_depth, depth,
                                  strips_of(i, n), out + i * panel_lines * stride + j * panel_lines,
                                  stride);
        });
    }
}

// The square part above the diagonal, copied from below it in tiles that fit the cache.
void mirror(double *out, Index size, Index stride) {
    constexpr Index tile = 64;
    for (Index a = 0; a < size; a += tile)
        for (Index b = 0; b <= a; b += tile)
            for (Index i = a; i < std::min(a + tile, size); ++i)
                for (Index j = b; j < std::min(b + tile, i); ++j)
                    out[j * stride + i] = out[i * stride + j];
}

template <typename T>
void line_products(const Lines<T> &lines, Index right, double *out, int threads) {
    if (panels_of(lines.count()) <= few_panels)
        products_of_few_lines(lines, right, out, threads);
    else
        products_of_many_lines(lines, right, out, threads);
    mirror(out, panel_lines * right, panel_lines * right);
}

std::size_t padded(Index lines) { return panels_of(lines) * panel_lines; }

template <typename T>
using Strided = nb::ndarray<const T, nb::ndim<2>, nb::device::cpu>;

template <typename T>
void column_products(Strided<T> X, std::optional<Vector<const double>> weight,
                     std::optional<Matrix<const double>> centre,
                     std::optional<Vector<const std::int64_t>> group,
                     std::optional<Vector<const std::int64_t>> rows, Matrix<const double> targets,
                     Matrix<double> out, int threads) {
    const Index n = X.shape(0), p = X.shape(1);
    const bool fits = (!weight || Index(weight->shape(0)) == n) && Index(targets.shape(0)) == n &&
                      (!centre || Index(centre->shape(1)) == p) &&
                      (!group || (centre && Index(group->shape(0)) == n)) &&
                      (!centre || group || centre->shape(0) == 1);
    const Index lines = p + 1 + Index(targets.shape(1));
    if (!fits || out.shape(0) != padded(lines) || out.shape(1) != padded(p + 1))
        throw std::invalid_argument("column_products: shapes do not fit");
    if (group)
        for (Index i = 0; i < n; ++i)
            if (group->data()[i] < 0 || group->data()[i] >= std::int64_t(centre->shape(0)))
                throw std::invalid_argument("column_products: group out of range");
    if (rows)
        for (Index i = 0; i < Index(rows->shape(0)); ++i)
            if (rows->data()[i] < 0 || rows->data()[i] >= n)
                throw std::invalid_argument("column_products: row out of range");
    const Index depth = rows ? Index(rows->shape(0)) : n;
    Lines<T> view{X.data(), p, depth, Index(X.stride(1)), Index(X.stride(0))};
    view.chosen = rows ? rows->data() : nullptr;
    view.centre = centre ? centre->data() : nullptr;
    view.group = group ? group->data() : nullptr;
    view.targets = targets.data();
    view.n_targets = targets.shape(1);
    view.ones = true;
    nb::gil_scoped_release release;
    if (weight) {
        view.root_weight.assign(weight->data(), weight->data() + n);
        for (double &w : view.root_weight) w = std::sqrt(w);
    }
    line_products(view, panels_of(p + 1), out.data(), threads);
}

template <typename T>
void row_products(Strided<T> X, std::optional<Vector<const double>> centre, Matrix<double> out,
                  int threads) {
    const Index n = X.shape(0), p = X.shape(1);
    if ((centre && Index(centre->shape(0)) != p) || out.shape(0) != padded(n) ||
        out.shape(1) != padded(n))
        throw std::invalid_argument("row_products: shapes do not fit");
    Lines<T> view{X.data(), n, p, Index(X.stride(0)), Index(X.stride(1))};
    view.centre = centre ? centre->data() : nullptr;
    view.centre_by_depth = true;
    nb::gil_scoped_release release;
    line_products(view, panels_of(n), out.data(), threads);
}

}  // namespace

void bind_gram(nb::module_ &m) {
    for_tables([&]<typename T>() {
        m.def("column_products", &column_products<T>, fixed("X"), maybe("weight"), maybe("centre"),
              maybe("group"), maybe("rows"), fixed("targets"), fixed("out"), nb::arg("n_threads"));
        m.def("row_products", &row_products<T>, fixed("X"), maybe("centre"), fixed("out"),
              nb::arg("n_threads"));
    });
    m.attr("gram_panel") = panel_lines;
}

}  // namespace margin
