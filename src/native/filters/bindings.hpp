// The loops of this room, for the module.
#pragma once

#include <nanobind/nanobind.h>

namespace margin {

void bind_kalman(nanobind::module_ &m);

}  // namespace margin
