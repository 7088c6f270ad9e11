// Radial kernels, their slopes and derivatives in the shape parameter, over arrays of squares.
#include <stdexcept>

#include "common/native.hpp"
#include "kernels/blocks.hpp"
#include "kernels/profiles.hpp"

namespace margin {
namespace {

#define MARGIN_MAP(name, T, function)                                                              \
    MARGIN_CLONES void name(T *s, T a, std::size_t n) {                                            \
        _Pragma("omp simd") for (std::size_t i = 0; i < n; ++i) s[i] = function(s[i], a);          \
    }
#define MARGIN_MAPS(kind, Profile)                                                                 \
    MARGIN_MAP(kind##_f64, double, Profile::value)                                                 \
    MARGIN_MAP(kind##_f32, float, Profile::value)                                                  \
    MARGIN_MAP(kind##_slope_f64, double, Profile::slope)                                           \
    MARGIN_MAP(kind##_slope_f32, float, Profile::slope)
MARGIN_MAPS(gaussian, Gaussian)
MARGIN_MAPS(exponential, Exponential)
MARGIN_MAPS(three_halves, ThreeHalves)
MARGIN_MAPS(five_halves, FiveHalves)
MARGIN_MAPS(gamma, GammaExponential)
MARGIN_MAPS(rational, RationalQuadratic)
MARGIN_MAP(gamma_shape_f64, double, GammaExponential::shape)
MARGIN_MAP(gamma_shape_f32, float, GammaExponential::shape)
MARGIN_MAP(rational_shape_f64, double, RationalQuadratic::shape)
MARGIN_MAP(rational_shape_f32, float, RationalQuadratic::shape)

template <typename T>
inline T plain_decay(T s, T) {
    return decay(s);
}
MARGIN_MAP(city_f64, double, plain_decay)
MARGIN_MAP(city_f32, float, plain_decay)
#undef MARGIN_MAPS
#undef MARGIN_MAP

template <typename T>
Map<T> checked(const Map<T> (&table)[3][kinds], int kind, int order) {
    if (kind < 0 || kind >= kinds || order < 0 || order > 2)
        throw std::invalid_argument("radial kernel: unknown kind");
    if (!table[order][kind] && !(kind == squared && order == 0))
        throw std::invalid_argument("radial kernel: kind without this derivative");
    return table[order][kind];
}

}  // namespace

template <>
Map<double> map_of<double>(int kind, int order) {
    static constexpr Map<double> table[3][kinds] = {
        {nullptr, gaussian_f64, exponential_f64, three_halves_f64, five_halves_f64, gamma_f64,
         rational_f64, city_f64},
        {nullptr, gaussian_slope_f64, exponential_slope_f64, three_halves_slope_f64,
         five_halves_slope_f64, gamma_slope_f64, rational_slope_f64, nullptr},
        {nullptr, nullptr, nullptr, nullptr, nullptr, gamma_shape_f64, rational_shape_f64,
         nullptr}};
    return checked<double>(table, kind, order);
}

template <>
Map<float> map_of<float>(int kind, int order) {
    static constexpr Map<float> table[3][kinds] = {
        {nullptr, gaussian_f32, exponential_f32, three_halves_f32, five_halves_f32, gamma_f32,
         rational_f32, city_f32},
        {nullptr, gaussian_slope_f32, exponential_slope_f32, three_halves_slope_f32,
         five_halves_slope_f32, gamma_slope_f32, rational_slope_f32, nullptr},
        {nullptr, nullptr, nullptr, nullptr, nullptr, gamma_shape_f32, rational_shape_f32,
         nullptr}};
    return checked<float>(table, kind, order);
}

}  // namespace margin
