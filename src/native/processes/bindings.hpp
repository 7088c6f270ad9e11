// What the room of random partitions binds.
#pragma once

#include "common/native.hpp"

namespace margin {

void bind_partition_sweeps(nb::module_ &m);

}  // namespace margin
