// What the extension module binds of this room.
#pragma once

#include "common/native.hpp"

namespace margin {

void bind_nonnegative_rows(nb::module_ &m);

}  // namespace margin
