// The type of counts and positions in loops.
#pragma once

#include <cstddef>

namespace margin {

// Signed: differences may be negative, and a count down may pass zero. What the standard library
// and arrays call their size stays std::size_t.
using Index = std::ptrdiff_t;

}  // namespace margin
