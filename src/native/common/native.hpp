// Shared by all loops: array types, CPU dispatch, threads.
#pragma once

#include <nanobind/nanobind.h>
#include <nanobind/ndarray.h>
#include <nanobind/stl/optional.h>

#include "common/index.hpp"

#ifdef _OPENMP
#include <omp.h>
#endif

// One portable binary: the loader picks the widest version the CPU has.
#if defined(__x86_64__) && defined(__GNUC__) && !defined(__clang__) && defined(__linux__)
#define MARGIN_CLONES __attribute__((target_clones("default", "arch=x86-64-v3", "arch=x86-64-v4")))
#else
#define MARGIN_CLONES
#endif

namespace margin {

namespace nb = nanobind;

template <typename T>
using Vector = nb::ndarray<T, nb::ndim<1>, nb::c_contig, nb::device::cpu>;
template <typename T>
using Matrix = nb::ndarray<T, nb::ndim<2>, nb::c_contig, nb::device::cpu>;

// What is known by name.
using Record = nb::typed<nb::dict, nb::str, nb::any>;

inline int max_threads() {
#ifdef _OPENMP
    return omp_get_max_threads();
#else
    return 1;
#endif
}

inline int thread_index() {
#ifdef _OPENMP
    return omp_get_thread_num();
#else
    return 0;
#endif
}

void bind_averaged_gradient(nb::module_ &m);
void bind_cached_rows(nb::module_ &m);
void bind_column_choices(nb::module_ &m);
void bind_column_sums(nb::module_ &m);
void bind_contingency(nb::module_ &m);
void bind_coordinate(nb::module_ &m);
void bind_count_blocks(nb::module_ &m);
void bind_count_products(nb::module_ &m);
void bind_counts(nb::module_ &m);
void bind_dual_face(nb::module_ &m);
void bind_dual_hinge(nb::module_ &m);
void bind_dual_logistic(nb::module_ &m);
void bind_edge_rows(nb::module_ &m);
void bind_gaussian_rows(nb::module_ &m);
void bind_gram(nb::module_ &m);
void bind_graph_kernels(nb::module_ &m);
void bind_graph_search(nb::module_ &m);
void bind_kernel_counts(nb::module_ &m);
void bind_kernel_gradients(nb::module_ &m);
void bind_kernel_maps(nb::module_ &m);
void bind_linear_multiclass(nb::module_ &m);
void bind_grid_messages(nb::module_ &m);
void bind_hilbert(nb::module_ &m);
void bind_junction(nb::module_ &m);
void bind_moments(nb::module_ &m);
void bind_momentum(nb::module_ &m);
void bind_multiclass_dual(nb::module_ &m);
void bind_naive_bayes(nb::module_ &m);
void bind_newton(nb::module_ &m);
void bind_nonnegative(nb::module_ &m);
void bind_pairwise(nb::module_ &m);
void bind_partial_correlation(nb::module_ &m);
void bind_pegasos(nb::module_ &m);
void bind_pegasos_ascent(nb::module_ &m);
void bind_perceptron(nb::module_ &m);
void bind_pointwise(nb::module_ &m);
void bind_products(nb::module_ &m);
void bind_random_walks(nb::module_ &m);
void bind_row_order(nb::module_ &m);
void bind_row_values(nb::module_ &m);
void bind_smo(nb::module_ &m);
void bind_spline(nb::module_ &m);
void bind_state_space(nb::module_ &m);
void bind_stochastic(nb::module_ &m);
void bind_string_kernels(nb::module_ &m);
void bind_structure_climb(nb::module_ &m);
void bind_structure_exact(nb::module_ &m);
void bind_structure_greedy(nb::module_ &m);
void bind_structure_scores(nb::module_ &m);
void bind_tables(nb::module_ &m);
void bind_toeplitz(nb::module_ &m);
void bind_tree_kernels(nb::module_ &m);

}  // namespace margin
