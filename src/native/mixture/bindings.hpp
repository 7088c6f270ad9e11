// What the extension module binds of this room.
#pragma once

#include "common/native.hpp"

namespace margin {

void bind_mixture_columns(nb::module_ &m);
void bind_mixture_expectation(nb::module_ &m);

}  // namespace margin
