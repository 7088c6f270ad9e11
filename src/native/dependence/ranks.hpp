// Numbers in their order.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

namespace margin::dependence {

struct Keyed {
    std::uint64_t key;
    std::uint32_t row;
};

// The number of a key.
double number(std::uint64_t key);

// The rows of `n` finite numbers in rising order, equal numbers by row, with keys that rise along
// with the numbers.
std::vector<Keyed> ranked(const double *values, std::size_t n);

}  // namespace margin::dependence
