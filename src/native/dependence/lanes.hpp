// Eight numbers side by side.
#pragma once

#include <cstring>

#include "common/index.hpp"

namespace margin::dependence {

constexpr Index lanes = 8;
typedef double Lanes __attribute__((vector_size(8 * lanes)));

// The same in memory: containers keep the alignment of a class, but not that of a vector.
struct alignas(8 * lanes) Eight {
    double values[lanes];
};

[[gnu::always_inline]] inline void load(const double *values, Lanes &out) {
    std::memcpy(&out, values, sizeof out);
}
[[gnu::always_inline]] inline void load(const Eight &eight, Lanes &out) {
    out = *reinterpret_cast<const Lanes *>(eight.values);
}

[[gnu::always_inline]] inline double sum_of(const Lanes &values) {
    return ((values[0] + values[4]) + (values[1] + values[5])) +
           ((values[2] + values[6]) + (values[3] + values[7]));
}

}  // namespace margin::dependence
