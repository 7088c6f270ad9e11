// Bindings of this room that are not declared in common/native.hpp, which every loop includes.
#pragma once

#include "common/native.hpp"

namespace margin {

void bind_gaussian_density(nb::module_ &m);
void bind_table_sum(nb::module_ &m);
void bind_unit_newton(nb::module_ &m);

}  // namespace margin
