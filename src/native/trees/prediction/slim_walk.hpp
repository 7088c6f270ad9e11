// Many rows of single precision down a tree of eight bytes a node, where the processor has wide
// gathers: half the memory, and one look at a node in the place of two.
#pragma once

#include <bit>
#include <cmath>
#include <cstdint>
#include <limits>
#include <vector>

#include "common/index.hpp"
#include "trees/prediction/packed_node.hpp"
#include "trees/prediction/single_rows.hpp"
#include "trees/prediction/wide_walk.hpp"

namespace margin::trees {

// The largest number of single precision that is not above a threshold: it parts such numbers
// alike.
inline float floor_single(double threshold) {
    const float f = static_cast<float>(threshold);
    return static_cast<double>(f) > threshold
               ? std::nextafter(f, -std::numeric_limits<float>::infinity())
               : f;
}

// The nodes of all trees, in their order. From the low end the upper half of a node holds whether
// missing values go left, the feature, and the left child.
class SlimNodes {
  public:
    // Empty where a feature and a node of the largest tree do not fit together into 31 bits.
    void fill(const std::vector<PackedNode> &nodes, Index n_features, Index most_nodes) {
        feature_bits_ = std::bit_width(static_cast<std::uint64_t>(n_features));
        const int place_bits = std::bit_width(static_cast<std::uint64_t>(most_nodes));
        nodes_.clear();
        if (feature_bits_ + place_bits > 31) return;
        nodes_.reserve(nodes.size());
        for (const PackedNode &node : nodes) {
            const std::uint32_t rest =
                static_cast<std::uint32_t>(node.left) << (feature_bits_ + 1) | node.feature() << 1 |
                ((node.where & PackedNode::missing_left) != 0 ? 1U : 0U);
            nodes_.push_back(static_cast<std::uint64_t>(rest) << 32 |
                             std::bit_cast<std::uint32_t>(floor_single(node.threshold)));
        }
    }

    bool empty() const { return nodes_.empty(); }
    int feature_bits() const { return feature_bits_; }
    const std::uint64_t *from(Index first) const { return nodes_.data() + first; }

  private:
    std::vector<std::uint64_t> nodes_;
    int feature_bits_ = 0;
};

#ifdef MARGIN_WIDE_WALK

// Those rows of sixteen whose value, as it was, is above the threshold, as it was.
__attribute__((target("avx512f"), noinline)) inline unsigned settled(unsigned equal,
                                                                     const __m512i &at,
                                                                     const Rounded &rounded,
                                                                     Index first) {
    alignas(64) std::int32_t place[16];
    _mm512_store_si512(place, at);
    unsigned above = 0;
    for (; equal != 0; equal &= equal - 1) {
        const int k = std::countr_zero(equal);
        const PackedNode &node = rounded.nodes[place[k]];
        if (rounded.rows[(first + k) * rounded.stride + node.feature()] > node.threshold)
            above |= 1U << k;
    }
    return above;
}

// Leaves of the rows in whole blocks; returns how many rows that were. Groups of sixteen take
// turns: one waits for memory while the others compute. `AsTheyWere`: no value has been rounded.
template <bool AsTheyWere>
__attribute__((target("avx512f,avx512dq,avx512vl"))) Index
slim_walk(const std::uint64_t *nodes, int feature_bits, Index depth, const float *rows,
          Index stride, Index n, const Rounded &rounded, std::int32_t *out) {
    constexpr int groups = 4, width = 16;
    const __m512i lane = _mm512_set_epi32(15, 14, 13, 12, 11, 10, 9, 8, 7, 6, 5, 4, 3, 2, 1, 0);
    const __m512i offset = _mm512_mullo_epi32(lane, _mm512_set1_epi32(static_cast<int>(stride)));
    const __m512i lower = _mm512_slli_epi32(lane, 1),
                  upper = _mm512_add_epi32(lower, _mm512_set1_epi32(1));
    const __m512i features = _mm512_set1_epi32(static_cast<int>((1U << feature_bits) - 1));
    const __m512i one = _mm512_set1_epi32(1);
    const auto place_shift = static_cast<unsigned>(feature_bits + 1);
    Index r = 0;
    for (; r + groups * width <= n; r += groups * width) {
        __m512i at[groups];
        for (__m512i &place : at) place = _mm512_setzero_si512();
        for (Index d = 0; d < depth; ++d) {
            __mmask16 moved = 0;
#pragma GCC unroll 4
            for (int g = 0; g < groups; ++g) {
                const float *block = rows + (r + g * width) * stride;
                const __m512i first = _mm512_mask_i32gather_epi64(
                    fresh(), 0xFF, _mm512_castsi512_si256(at[g]), nodes, 8);
                const __m512i second = _mm512_mask_i32gather_epi64(
                    fresh(), 0xFF, _mm512_extracti64x4_epi64(at[g], 1), nodes, 8);
                const __m512 threshold =
                    _mm512_castsi512_ps(_mm512_permutex2var_epi32(first, lower, second));
                const __m512i rest = _mm512_permutex2var_epi32(first, upper, second);
                const __m512i column = _mm512_add_epi32(
                    _mm512_and_epi32(_mm512_srli_epi32(rest, 1), features), offset);
                const __m512 x = _mm512_mask_i32gather_ps(_mm512_castsi512_ps(fresh()), 0xFFFF,
                                                          column, block, 4);
                unsigned above = _mm512_cmp_ps_mask(x, threshold, _CMP_GT_OQ);
                if constexpr (!AsTheyWere) {
                    const unsigned equal = _mm512_cmp_ps_mask(x, threshold, _CMP_EQ_OQ);
                    if (equal != 0) above |= settled(equal, at[g], rounded, r + g * width);
                }
                const __mmask16 missing = _mm512_cmp_ps_mask(x, x, _CMP_UNORD_Q);
                const __mmask16 to_right = _mm512_testn_epi32_mask(rest, one);
                const auto right = static_cast<__mmask16>(above | (missing & to_right));
                __m512i next = _mm512_srli_epi32(rest, place_shift);
                next = _mm512_mask_add_epi32(next, right, next, one);
                moved |= _mm512_cmpneq_epi32_mask(next, at[g]);
                at[g] = next;
            }
            if (moved == 0) break;
        }
        for (int g = 0; g < groups; ++g) _mm512_storeu_si512(out + r + g * width, at[g]);
    }
    return r;
}

#else

template <bool AsTheyWere>
Index slim_walk(const std::uint64_t *, int, Index, const float *, Index, Index, const Rounded &,
                std::int32_t *) {
    return 0;
}

#endif

}  // namespace margin::trees
