// Many rows down a tree at once, by gathers, where the processor has wide ones.
#pragma once

#include <cstdint>
#include <type_traits>

#include "common/index.hpp"
#include "trees/prediction/packed_node.hpp"

#if defined(__x86_64__) && defined(__GNUC__)
#define MARGIN_WIDE_WALK 1
// GCC 12 calls registers that its own header leaves empty on purpose uninitialised.
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wmaybe-uninitialized"
#include <immintrin.h>
#pragma GCC diagnostic pop
#endif

namespace margin::trees {

#ifdef MARGIN_WIDE_WALK

inline bool wide_walk_runs() {
    static const bool runs = __builtin_cpu_supports("avx512f") &&
                             __builtin_cpu_supports("avx512dq") &&
                             __builtin_cpu_supports("avx512vl");
    return runs;
}

// A register that waits for nobody. A gather keeps the lanes it is not asked for, so the processor
// makes it wait for whoever wrote its target last, which may be another group of rows; compilers
// take any register. Volatile, or one zero would serve all.
__attribute__((target("avx512f"), always_inline)) inline __m512i fresh() {
    __m512i zero;
    asm volatile("vpxorq %0, %0, %0" : "=v"(zero));
    return zero;
}

// Leaves of the rows in whole blocks; returns how many rows that were. The nodes must not be
// categorical. Two groups of eight take turns: one waits for memory while the other computes.
template <typename T>
__attribute__((target("avx512f,avx512dq,avx512vl"))) Index wide_walk(const PackedNode *nodes,
                                                                     Index depth, const T *rows,
                                                                     Index stride, Index n,
                                                                     std::int32_t *out) {
    constexpr int groups = 2, width = 8;
    static_assert(sizeof(PackedNode) == 16 && offsetof(PackedNode, left) == 8);
    const __m512i low = _mm512_set1_epi64(0xFFFFFFFF);
    const __m512i feature_mask = _mm512_set1_epi64(PackedNode::feature_mask);
    const __m512i flag = _mm512_set1_epi64(std::int64_t{PackedNode::missing_left});
    const __m512i lanes = _mm512_set_epi64(7, 6, 5, 4, 3, 2, 1, 0);
    const __m512i offset = _mm512_mullo_epi64(lanes, _mm512_set1_epi64(stride));
    const char *base = reinterpret_cast<const char *>(nodes);
    Index r = 0;
    for (; r + groups * width <= n; r += groups * width) {
        __m512i at[groups];
        for (__m512i &place : at) place = _mm512_setzero_si512();
        for (Index d = 0; d < depth; ++d) {
            __mmask8 moved = 0;
            for (int g = 0; g < groups; ++g) {
                const T *block = rows + (r + g * width) * stride;
                const __m512i place = _mm512_slli_epi64(at[g], 1);  // of eight bytes
                const __m512d threshold =
                    _mm512_mask_i64gather_pd(_mm512_castsi512_pd(fresh()), 0xFF, place, base, 8);
                const __m512i rest = _mm512_mask_i64gather_epi64(fresh(), 0xFF, place, base + 8, 8);
                const __m512i where = _mm512_srli_epi64(rest, 32);
                const __m512i column =
                    _mm512_add_epi64(_mm512_and_epi64(where, feature_mask), offset);
                __m512d x;
                if constexpr (std::is_same_v<T, float>)
                    x = _mm512_cvtps_pd(_mm512_mask_i64gather_ps(
                        _mm512_castps512_ps256(_mm512_castsi512_ps(fresh())), 0xFF, column, block,
                        4));
                else
                    x = _mm512_mask_i64gather_pd(_mm512_castsi512_pd(fresh()), 0xFF, column, block,
                                                 8);
                const __mmask8 above = _mm512_cmp_pd_mask(x, threshold, _CMP_GT_OQ);
                const __mmask8 missing = _mm512_cmp_pd_mask(x, x, _CMP_UNORD_Q);
                const __mmask8 to_left = _mm512_test_epi64_mask(where, flag);
                const __mmask8 right = above | (missing & static_cast<__mmask8>(~to_left));
                __m512i next = _mm512_and_epi64(rest, low);
                next = _mm512_mask_add_epi64(next, right, next, _mm512_set1_epi64(1));
                moved |= _mm512_cmpneq_epi64_mask(next, at[g]);
                at[g] = next;
            }
            if (moved == 0) break;
        }
        for (int g = 0; g < groups; ++g)
            _mm256_storeu_si256(reinterpret_cast<__m256i *>(out + r + g * width),
                                _mm512_cvtepi64_epi32(at[g]));
    }
    return r;
}

#else

inline bool wide_walk_runs() { return false; }

template <typename T>
Index wide_walk(const PackedNode *, Index, const T *, Index, Index, std::int32_t *) {
    return 0;
}

#endif

}  // namespace margin::trees
