// A dictionary of 64-bit keys to consecutive numbers, exact: keys that hash alike are compared.
#pragma once

#include <bit>
#include <cstddef>
#include <cstdint>
#include <vector>

namespace margin {

inline std::uint64_t mixed_bits(std::uint64_t x) {
    x ^= x >> 32;
    x *= 0xd6e8feb86659fd93ULL;
    x ^= x >> 32;
    x *= 0xd6e8feb86659fd93ULL;
    return x ^ (x >> 32);
}

class KeyTable {
  public:
    explicit KeyTable(std::size_t expected = 0) : slots_(std::bit_ceil(2 * expected + 16), -1) {}

    // Number of a key, in order of first appearance.
    std::int32_t number(std::uint64_t key) {
        std::size_t at = mixed_bits(key) & (slots_.size() - 1);
        while (slots_[at] >= 0) {
            if (keys_[slots_[at]] == key) return slots_[at];
            at = (at + 1) & (slots_.size() - 1);
        }
        const std::int32_t fresh = static_cast<std::int32_t>(keys_.size());
        slots_[at] = fresh;
        keys_.push_back(key);
        if (2 * keys_.size() > slots_.size()) grow();
        return fresh;
    }

    const std::vector<std::uint64_t> &keys() const { return keys_; }

    void clear() {
        if (8 * keys_.size() < slots_.size())
            for (const std::uint64_t key : keys_) {
                std::size_t at = mixed_bits(key) & (slots_.size() - 1);
                while (slots_[at] >= 0) {  // the whole run: what follows has other keys of ours
                    slots_[at] = -1;
                    at = (at + 1) & (slots_.size() - 1);
                }
            }
        else
            slots_.assign(slots_.size(), -1);
        keys_.clear();
    }

  private:
    void grow() {
        slots_.assign(2 * slots_.size(), -1);
        for (std::size_t k = 0; k < keys_.size(); ++k) {
            std::size_t at = mixed_bits(keys_[k]) & (slots_.size() - 1);
            while (slots_[at] >= 0) at = (at + 1) & (slots_.size() - 1);
            slots_[at] = static_cast<std::int32_t>(k);
        }
    }

    std::vector<std::int32_t> slots_;
    std::vector<std::uint64_t> keys_;
};

}  // namespace margin
