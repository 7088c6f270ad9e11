// What the extension module binds of this room.
#pragma once

#include "common/native.hpp"

namespace margin {

void bind_cluster_centres(nb::module_ &m);
void bind_cluster_linkage(nb::module_ &m);
void bind_cluster_two_sides(nb::module_ &m);

}  // namespace margin
