// Cuts between few rows: each is compared with all others, many columns in one register.
#include <algorithm>

#include "trees/exact/coded/cuts.hpp"

#if defined(__x86_64__) && defined(__GNUC__)
#define MARGIN_FEW_ROWS 1
#include <immintrin.h>
#endif

namespace margin::trees::exact {

#ifdef MARGIN_FEW_ROWS

bool few_rows_run() {
    static const bool runs =
        __builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512bw") &&
        __builtin_cpu_supports("avx512dq") && __builtin_cpu_supports("avx512vl");
    return runs;
}

namespace {

constexpr Index wide = 32, lanes = 8, groups = wide / lanes;  // columns of a pass, of a register

struct Best {
    double proxy[wide];
    std::uint8_t code[wide];
};

// The best cut of each of the columns whose bit is set in `asked`, among their own.
__attribute__((target("avx512f,avx512bw,avx512dq,avx512vl"))) void cut_each(
    const CodedRows &rows, Index first, std::uint32_t asked, const CutRules &rules, Best &out) {
    __m256i own[few_rows], most = _mm256_setzero_si256();
    const std::uint8_t *codes = rows.codes + first;
    for (Index i = 0; i < rows.n; ++i) {
        own[i] = _mm256_maskz_loadu_epi8(asked, codes + i * rows.stride);
        most = _mm256_max_epu8(most, own[i]);
    }
    __m512d best[groups];
    for (__m512d &x : best) x = _mm512_set1_pd(nothing);
    __m256i best_code = _mm256_setzero_si256();
    const __m512d total = _mm512_set1_pd(rules.total.product);
    const __m512d weight = _mm512_set1_pd(rules.total.weight);
    const __m512d least_weight = _mm512_set1_pd(rules.least_weight);
    const __m256i least_rows = _mm256_set1_epi8(static_cast<char>(rules.least_rows));
    const __m256i most_rows = _mm256_set1_epi8(static_cast<char>(rows.n - rules.least_rows));
    for (Index i = 0; i < rows.n; ++i) {
        const std::uint32_t inner = _mm256_cmplt_epu8_mask(own[i], most);
        if (inner == 0) continue;
        __m512d s[groups], w[groups];
        for (Index g = 0; g < groups; ++g) s[g] = w[g] = _mm512_setzero_pd();
        __m256i n_left = _mm256_setzero_si256();
        for (Index j = 0; j < rows.n; ++j) {
            const __mmask32 left = _mm256_cmple_epu8_mask(own[j], own[i]);
            const __m512d product = _mm512_set1_pd(rows.moments[j].product);
            const __m512d one = _mm512_set1_pd(rows.moments[j].weight);
            n_left = _mm256_sub_epi8(n_left, _mm256_movm_epi8(left));
#pragma GCC unroll 4
            for (Index g = 0; g < groups; ++g) {
                const auto mask = static_cast<__mmask8>(left >> (lanes * g));
                s[g] = _mm512_mask_add_pd(s[g], mask, s[g], product);
                w[g] = _mm512_mask_add_pd(w[g], mask, w[g], one);
            }
        }
        const std::uint32_t fits = inner & asked & _mm256_cmpge_epu8_mask(n_left, least_rows) &
                                   _mm256_cmple_epu8_mask(n_left, most_rows);
        const std::uint32_t lower = _mm256_cmplt_epu8_mask(own[i], best_code);
        std::uint32_t taken = 0;
#pragma GCC unroll 4
        for (Index g = 0; g < groups; ++g) {
            const __m512d rest = _mm512_sub_pd(total, s[g]), other = _mm512_sub_pd(weight, w[g]);
            const __m512d proxy = _mm512_add_pd(_mm512_div_pd(_mm512_mul_pd(s[g], s[g]), w[g]),
                                                _mm512_div_pd(_mm512_mul_pd(rest, rest), other));
            const auto heavy = static_cast<__mmask8>(
                _mm512_cmp_pd_mask(w[g], least_weight, _CMP_GE_OQ) &
                _mm512_cmp_pd_mask(other, least_weight, _CMP_GE_OQ) & (fits >> (lanes * g)));
            const __mmask8 above = _mm512_mask_cmp_pd_mask(heavy, proxy, best[g], _CMP_GT_OQ);
            const __mmask8 equal = _mm512_mask_cmp_pd_mask(heavy, proxy, best[g], _CMP_EQ_OQ);
            const auto better = static_cast<__mmask8>(above | (equal & (lower >> (lanes * g))));
            best[g] = _mm512_mask_mov_pd(best[g], better, proxy);
            taken |= static_cast<std::uint32_t>(better) << (lanes * g);
        }
        best_code = _mm256_mask_mov_epi8(best_code, taken, own[i]);
    }
    for (Index g = 0; g < groups; ++g) _mm512_storeu_pd(out.proxy + lanes * g, best[g]);
    _mm256_storeu_si256(reinterpret_cast<__m256i *>(out.code), best_code);
}

}  // namespace

void cut_few(const CodedRows &rows, Index n_columns, const std::uint8_t *usable,
             const CutRules &rules, Cut &best) {
    Best each;
    for (Index first = 0; first < n_columns; first += wide) {
        const Index m = std::min(wide, n_columns - first);
        std::uint32_t asked = m == wide ? ~0U : (1U << m) - 1U;
        if (usable)
            for (Index k = 0; k < m; ++k)
                if (!usable[first + k]) asked &= ~(1U << k);
        cut_each(rows, first, asked, rules, each);
        for (Index k = 0; k < m; ++k)
            if (each.proxy[k] > nothing && best.worse_than(each.proxy[k], first + k))
                best = {each.proxy[k], first + k, each.code[k]};
    }
}

#else

bool few_rows_run() { return false; }

void cut_few(const CodedRows &, Index, const std::uint8_t *, const CutRules &, Cut &) {}

#endif

}  // namespace margin::trees::exact
