// The products of a panel, for each set of instructions.
#include "neighbors/panel.hpp"

namespace margin::neighbors {
namespace {

using Pass = bool (*)(const float *const *, const float *, const float *, const float *,
                      std::size_t, float *, unsigned char *);

bool pass_any(const float *const *rows, const float *limits, const float *panel, const float *start,
              std::size_t p, float *values, unsigned char *places) {
    return panel_below<1>(rows, limits, panel, start, p, values, places);
}

#if defined(__x86_64__) && defined(__GNUC__)
__attribute__((target("avx2,fma"))) bool pass_avx2(const float *const *rows, const float *limits,
                                                   const float *panel, const float *start,
                                                   std::size_t p, float *values,
                                                   unsigned char *places) {
    return panel_below<3>(rows, limits, panel, start, p, values, places);
}

__attribute__((target("avx512f,avx512dq,prefer-vector-width=512"))) bool pass_avx512(
    const float *const *rows, const float *limits, const float *panel, const float *start,
    std::size_t p, float *values, unsigned char *places) {
    return panel_below<8>(rows, limits, panel, start, p, values, places);
}
#endif

struct Choice {
    Pass pass;
    std::size_t rows;
};

Choice choose() {
#if defined(__x86_64__) && defined(__GNUC__)
    __builtin_cpu_init();
    if (__builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512dq"))
        return {pass_avx512, 8};
    if (__builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma")) return {pass_avx2, 3};
#endif
    return {pass_any, 1};
}

const Choice chosen = choose();

}  // namespace

std::size_t rows_at_once() { return chosen.rows; }

bool panel_below(const float *const *rows, const float *limits, const float *panel,
                 const float *start, std::size_t p, float *values, unsigned char *places) {
    return chosen.pass(rows, limits, panel, start, p, values, places);
}

}  // namespace margin::neighbors
