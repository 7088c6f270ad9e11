// A tree as Python keeps it: arrays whose shapes are checked.
#pragma once

#include <nanobind/nanobind.h>
#include <nanobind/ndarray.h>

#include <cstddef>
#include <cstdint>
#include <optional>
#include <stdexcept>

#include "common/native.hpp"
#include "neighbors/layout.hpp"

namespace margin::neighbors {

template <typename T>
using Cube = nb::ndarray<const T, nb::ndim<3>, nb::c_contig, nb::device::cpu>;
using Bounds = nb::ndarray<const double, nb::c_contig, nb::device::cpu>;

// Without bounds of nodes all blocks are searched.
template <typename T>
Tree<T> tree_of(const Cube<T> &blocks, const Vector<const std::int64_t> &order,
                const std::optional<Matrix<const double>> &lower,
                const std::optional<Bounds> &upper, std::size_t leaf_blocks) {
    Tree<T> tree{blocks.data(),   order.data(),    nullptr,     nullptr,
                 blocks.shape(0), blocks.shape(1), leaf_blocks, false};
    if (blocks.shape(2) != width || order.size() != width * tree.n_blocks || leaf_blocks == 0)
        throw std::invalid_argument("neighbors: blocks of another shape");
    if (!lower) return tree;
    if (!upper || lower->shape(0) != 2 * tree.n_leaves() - 1 || lower->shape(1) != tree.p)
        throw std::invalid_argument("neighbors: nodes of another shape");
    tree.boxes = upper->ndim() == 2;
    if (upper->size() != (tree.boxes ? lower->size() : lower->shape(0)))
        throw std::invalid_argument("neighbors: nodes of another shape");
    tree.lower = lower->data();
    tree.upper = upper->data();
    return tree;
}

}  // namespace margin::neighbors
