// Domains of products, and where their entries fall in the tables they are made of.
#pragma once

#include <vector>

#include "junction/program.hpp"

namespace margin::junction {

Domain make_domain(std::vector<int> vars, const std::vector<Index> &cards, bool batch);

// The strides are those of the table's own axes; variables it does not have get stride zero.
Map make_map(const Domain &domain, const std::vector<int> &vars, const std::vector<Index> &strides);

// Strides of a table whose last variable runs fastest.
std::vector<Index> row_major(const std::vector<int> &vars, const std::vector<Index> &cards);

Map compact_map(const Domain &domain, const std::vector<int> &vars,
                const std::vector<Index> &cards);

}  // namespace margin::junction
