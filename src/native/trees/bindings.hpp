// Bindings of this room. Declared here and not in common/native.hpp, which every loop includes.
#pragma once

#include "common/native.hpp"

namespace margin {

void bind_exact_growth(nb::module_ &m);
void bind_exact_sort(nb::module_ &m);
void bind_boosting(nb::module_ &m);
void bind_tree_bins(nb::module_ &m);
void bind_tree_depths(nb::module_ &m);
void bind_tree_growth(nb::module_ &m);
void bind_tree_prediction(nb::module_ &m);
void bind_tree_pruning(nb::module_ &m);
void bind_tree_shap(nb::module_ &m);

}  // namespace margin
