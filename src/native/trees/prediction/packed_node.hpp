// A node of a tree that is laid out for prediction: sixteen bytes, the two children side by side.
#pragma once

#include <cstddef>
#include <cstdint>

namespace margin::trees {

// A row goes to `left + 1` when it does not go left. A leaf points at itself and keeps every row,
// NaN too: its threshold is infinite and its missing values go left. So a walk may take more steps
// than the depth of a leaf, and rows of a block step together without asking where they are.
struct PackedNode {
    double threshold;     // of a categorical node: its number in `sets`
    std::int32_t left;    // within the tree
    std::uint32_t where;  // feature, and the flags of the two highest bits

    static constexpr std::uint32_t missing_left = 1U << 31;
    static constexpr std::uint32_t categorical = 1U << 30;
    static constexpr std::uint32_t feature_mask = categorical - 1;

    std::uint32_t feature() const { return where & feature_mask; }
    bool is_categorical() const { return (where & categorical) != 0; }
};

}  // namespace margin::trees
