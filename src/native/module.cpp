// The extension module: one bind function per family of loops.
#include <nanobind/nanobind.h>
#include <nanobind/stl/string.h>

#if defined(__unix__) || defined(__APPLE__)
#include <pthread.h>
#endif

#include <utility>

#include "chains/bindings.hpp"
#include "cluster/bindings.hpp"
#include "common/native.hpp"
#include "common/team.hpp"
#include "dependence/bindings.hpp"
#include "filters/bindings.hpp"
#include "mixture/bindings.hpp"
#include "neighbors/bindings.hpp"
#include "processes/bindings.hpp"
#include "rows/bindings.hpp"
#include "topics/bindings.hpp"
#include "trees/bindings.hpp"

namespace nb = nanobind;

namespace margin {
void bind_distinct(nb::module_ &m);
void bind_lars(nb::module_ &m);
void bind_possible_d_sep(nb::module_ &m);
}  // namespace margin

namespace {

const char *simd_level() {
#if defined(__x86_64__) && defined(__GNUC__)
    __builtin_cpu_init();
    if (__builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512dq")) return "avx512";
    if (__builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma")) return "avx2";
    return "baseline x86-64";
#else
    return "baseline";
#endif
}

margin::Record build_info() {
    margin::Record info;
#if defined(__VERSION__)
    info["compiler"] = __VERSION__;
#else
    info["compiler"] = "unknown";
#endif
#ifdef _OPENMP
    info["openmp"] = true;
#else
    info["openmp"] = false;
#endif
    info["simd"] = simd_level();
    return info;
}

}  // namespace

NB_MODULE(_native, m) {
#if defined(__unix__) || defined(__APPLE__)
    pthread_atfork(nullptr, nullptr, [] { margin::team::forked = true; });
#endif
    m.def("build_info", &build_info);
    m.def("max_threads", [] { return margin::max_threads(); });
    m.def(
        "set_least_work", [](double work) { return std::exchange(margin::team::least_work, work); },
        nb::arg("work"), "Work from which loops use threads; returns what it was. For tests.");
    margin::bind_averaged_gradient(m);
    margin::bind_cluster_centres(m);
    margin::bind_cluster_linkage(m);
    margin::bind_cached_rows(m);
    margin::bind_chain_log_sums(m);
    margin::bind_chain_moments(m);
    margin::bind_chain_paths(m);
    margin::bind_chain_segments(m);
    margin::bind_chain_sums(m);
    margin::bind_chain_symbols(m);
    margin::bind_chain_viterbi(m);
    margin::bind_column_choices(m);
    margin::bind_column_sums(m);
    margin::bind_contingency(m);
    margin::bind_coordinate(m);
    margin::bind_lars(m);
    margin::bind_count_blocks(m);
    margin::bind_count_products(m);
    margin::bind_counts(m);
    margin::bind_distinct(m);
    margin::bind_dual_face(m);
    margin::bind_dual_hinge(m);
    margin::bind_dual_logistic(m);
    margin::bind_edge_rows(m);
    margin::bind_distance_blocks(m);
    margin::bind_distance_lines(m);
    margin::bind_distance_medians(m);
    margin::bind_function_sums(m);
    margin::bind_gaussian_rows(m);
    margin::bind_gaussian_density(m);
    margin::bind_gram(m);
    margin::bind_graph_kernels(m);
    margin::bind_graph_search(m);
    margin::bind_kalman(m);
    margin::bind_kernel_counts(m);
    margin::bind_kernel_gradients(m);
    margin::bind_kernel_maps(m);
    margin::bind_linear_multiclass(m);
    margin::bind_grid_messages(m);
    margin::bind_junction(m);
    margin::bind_mixture_columns(m);
    margin::bind_mixture_expectation(m);
    margin::bind_moments(m);
    margin::bind_momentum(m);
    margin::bind_multiclass_dual(m);
    margin::bind_naive_bayes(m);
    margin::bind_neighbor_brute(m);
    margin::bind_neighbor_densities(m);
    margin::bind_neighbor_queries(m);
    margin::bind_neighbor_select(m);
    margin::bind_neighbor_trees(m);
    margin::bind_newton(m);
    margin::bind_nonnegative(m);
    margin::bind_hilbert(m);
    margin::bind_pair_squares(m);
    margin::bind_pairwise(m);
    margin::bind_partial_correlation(m);
    margin::bind_partition_sweeps(m);
    margin::bind_pegasos(m);
    margin::bind_pegasos_ascent(m);
    margin::bind_perceptron(m);
    margin::bind_pointwise(m);
    margin::bind_possible_d_sep(m);
    margin::bind_products(m);
    margin::bind_random_walks(m);
    margin::bind_row_order(m);
    margin::bind_row_values(m);
    margin::bind_smo(m);
    margin::bind_spline(m);
    margin::bind_state_space(m);
    margin::bind_stochastic(m);
    margin::bind_string_kernels(m);
    margin::bind_structure_climb(m);
    margin::bind_structure_exact(m);
    margin::bind_structure_scores(m);
    margin::bind_structure_greedy(m);
    margin::bind_table_sum(m);
    margin::bind_tables(m);
    margin::bind_toeplitz(m);
    margin::bind_collapsed_topics(m);
    margin::bind_delayed_topics(m);
    margin::bind_given_topics(m);
    margin::bind_topic_documents(m);
    margin::bind_topic_left_to_right(m);
    margin::bind_tree_kernels(m);
    margin::bind_unit_newton(m);
    margin::bind_exact_growth(m);
    margin::bind_exact_sort(m);
    margin::bind_boosting(m);
    margin::bind_tree_bins(m);
    margin::bind_tree_depths(m);
    margin::bind_tree_growth(m);
    margin::bind_tree_prediction(m);
    margin::bind_tree_pruning(m);
    margin::bind_tree_shap(m);
}
