// What the extension module binds of this room.
#pragma once

#include "common/native.hpp"

namespace margin {

void bind_neighbor_brute(nb::module_ &m);
void bind_neighbor_densities(nb::module_ &m);
void bind_neighbor_queries(nb::module_ &m);
void bind_neighbor_select(nb::module_ &m);
void bind_neighbor_trees(nb::module_ &m);

}  // namespace margin
