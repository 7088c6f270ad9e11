// What the loops over hidden chains bind.
#pragma once

#include "common/native.hpp"

namespace margin {

void bind_chain_log_sums(nb::module_ &m);
void bind_chain_moments(nb::module_ &m);
void bind_chain_paths(nb::module_ &m);
void bind_chain_segments(nb::module_ &m);
void bind_chain_sums(nb::module_ &m);
void bind_chain_symbols(nb::module_ &m);
void bind_chain_viterbi(nb::module_ &m);

}  // namespace margin
