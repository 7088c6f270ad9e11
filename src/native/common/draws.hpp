// Random numbers by key: the same key gives the same numbers, whichever thread asks.
#pragma once

#include <cstdint>

#include "common/index.hpp"

namespace margin {

// Splitmix64 from a start that mixes seed and two places (a sweep and a document, say).
class Draws {
  public:
    Draws(std::uint64_t seed, std::uint64_t a, std::uint64_t b)
        : state_(mixed(mixed(mixed(seed) + a) + b)) {}

    std::uint64_t next() {
        state_ += step;
        return finish(state_);
    }

    // In [0, 1), of 53 bits.
    double uniform() { return static_cast<double>(next() >> 11) * 0x1p-53; }

    // From 0 to n - 1; the bias, n / 2^64, is beyond notice.
    Index below(Index n) {
        const auto wide = static_cast<unsigned __int128>(next()) * static_cast<std::uint64_t>(n);
        return static_cast<Index>(wide >> 64);
    }

  private:
    static constexpr std::uint64_t step = 0x9e3779b97f4a7c15;

    static std::uint64_t finish(std::uint64_t z) {
        z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9;
        z = (z ^ (z >> 27)) * 0x94d049bb133111eb;
        return z ^ (z >> 31);
    }
    static std::uint64_t mixed(std::uint64_t z) { return finish(z + step); }

    std::uint64_t state_;
};

}  // namespace margin
