// What the extension module binds of this room.
#pragma once

#include "common/native.hpp"

namespace margin {

void bind_distance_blocks(nb::module_ &m);
void bind_distance_lines(nb::module_ &m);
void bind_distance_medians(nb::module_ &m);
void bind_function_sums(nb::module_ &m);
void bind_pair_squares(nb::module_ &m);

}  // namespace margin
