// The inner loops of exact inference, one block of a clique at a time. One-row versions run along
// the entries of the table, batch versions along `lanes` rows that lie together.
#pragma once

#include "junction/program.hpp"

namespace margin::junction {

constexpr int lanes = 16;

// block = source, or block *= source.
void set_row(double *block, const double *source, const Map &map, Index n);
void multiply_row(double *block, const double *source, const Map &map, Index n);
// out += block, or out = max(out, block), where several entries may fall on the same place.
void add_row(double *out, const double *block, const Map &map, Index n);
void max_row(double *out, const double *block, const Map &map, Index n);

void set_lanes(double *block, const double *source, const Map &map, Index n);
void multiply_lanes(double *block, const double *source, const Map &map, Index n);
void add_lanes(double *out, const double *block, const Map &map, Index n);
void max_lanes(double *out, const double *block, const Map &map, Index n);
// The source is the same for all lanes and lies as the block does.
void spread_lanes(double *block, const double *source, Index n);

}  // namespace margin::junction
