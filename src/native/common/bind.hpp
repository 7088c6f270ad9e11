// What bindings share: arguments taken as they are, and loops bound for every type of data.
#pragma once

#include <cstdint>

#include "common/native.hpp"

namespace margin {

// An array that is never converted: a copy of an output would be filled and thrown away.
inline auto fixed(const char *name) { return nb::arg(name).noconvert(); }

// The same, or None.
inline auto maybe(const char *name) { return nb::arg(name).noconvert().none(); }

// bind.operator()<T>() for the types of a table.
template <typename Bind>
void for_tables(const Bind &bind) {
    bind.template operator()<double>();
    bind.template operator()<float>();
}

// bind.operator()<T, I>() for the types of a compressed matrix and of its indices.
template <typename Bind>
void for_compressed(const Bind &bind) {
    bind.template operator()<double, std::int32_t>();
    bind.template operator()<double, std::int64_t>();
    bind.template operator()<float, std::int32_t>();
    bind.template operator()<float, std::int64_t>();
}

}  // namespace margin
