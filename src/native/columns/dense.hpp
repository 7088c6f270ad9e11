// Dense data in either order.
#pragma once

#include <stdexcept>

#include "common/native.hpp"

namespace margin {

// Any dense matrix with one contiguous direction.
template <typename T>
using Dense = nb::ndarray<const T, nb::ndim<2>, nb::device::cpu>;

template <typename T>
bool rows_contiguous(const Dense<T> &X) {
    if (X.stride(1) == 1 || X.shape(1) <= 1) return true;
    if (X.stride(0) == 1 || X.shape(0) <= 1) return false;
    throw std::invalid_argument("columns: the matrix must be C- or Fortran-ordered");
}

}  // namespace margin
