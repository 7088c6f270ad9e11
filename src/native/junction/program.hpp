// The compiled form of exact inference: cliques in an order of work, and for every table that a
// clique multiplies in or sums into, where its entries lie.
#pragma once

#include <cstdint>
#include <vector>

#include "common/index.hpp"

namespace margin::junction {

constexpr Index block_entries = 256;  // of an inner loop: 2 kB, in the nearest cache
constexpr Index batch_entries = 32;   // times 16 rows

// What the caller knows about a variable: nothing, its value in every row, or a factor of its own
// per row (an indicator where it is observed, a likelihood where the evidence is virtual).
enum class Role : std::uint8_t { hidden = 0, sliced = 1, unary = 2 };

// The index space of a product. The last axes, at most `block` entries together, are the inner
// loop.
struct Domain {
    std::vector<int> vars;
    std::vector<Index> dims;
    Index size = 1, block = 1, blocks = 1;
    int outer = 0;  // axes before the block
};

// Where the entries of a domain fall in a table over some of its variables.
struct Map {
    enum class Kind { contiguous, constant, pieces, repeats, scattered };
    std::vector<std::int32_t> inner;
    std::vector<Index> outer;
    Kind kind = Kind::scattered;
    Index run = 1;
};

struct Source {
    enum class Kind { table, message, unary, product };
    Kind kind;
    int id;  // of the factor, the sending clique, the variable, the product
    Map map;
};

struct Product {
    Domain domain;
    std::vector<Source> sources;
};

// One axis of a table laid out as (outer, card, inner).
struct Axis {
    int clique = -1;  // whose separator or home table
    bool separator = true;
    Index outer = 1, card = 1, inner = 1;
};

struct Clique {
    Domain domain;  // axes of the separator towards the parent come last
    int parent = -1;
    std::vector<int> children, separator;
    Index separator_size = 1;
    Map to_separator;
    std::vector<Source> sources;
    std::vector<int> products;  // to evaluate first, in this order
    std::vector<int> base;      // factors that are the same in all rows (batches only)
    std::vector<Map> base_maps;
    std::vector<Map> to_child;  // one per child
    std::vector<int> home;      // variables whose marginals are read from this clique
    Map to_home;
    Index home_size = 0;
    std::vector<int> families;   // factors assigned here
    std::vector<Map> to_family;  // onto the factor's table without its sliced axes
};

struct Program {
    std::vector<Index> cards;
    std::vector<Role> roles;
    std::vector<std::vector<int>> scopes;
    std::vector<Index> table_at;  // start of each factor in the flat buffer, plus end
    std::vector<std::vector<Index>> sliced_stride;  // of each factor: stride of its sliced axes
    std::vector<std::vector<int>> sliced_var;
    std::vector<Index> slice_size;               // entries of a factor without its sliced axes
    std::vector<std::vector<Index>> slice_from;  // full-table offsets of these entries
    std::vector<int> constants;                  // factors without free variables
    std::vector<Product> products;
    std::vector<Clique> cliques;     // parents before children
    std::vector<Axis> axis_of;       // per variable
    std::vector<Index> marginal_at;  // per variable, plus end
    std::vector<int> order;
    bool batch = false;
    int query_clique = -1;  // contains the variables of the joint query
    Map to_query;
    Index query_size = 0;
};

struct Request {
    std::vector<Index> cards;
    std::vector<Role> roles;
    std::vector<std::vector<int>> scopes;
    std::vector<int> query;  // variables that must share a clique, which becomes a root
    std::vector<int> order;  // empty: search
    int heuristic = -1;      // negative: the best of several
    bool batch = false;
};

// The tree of cliques alone: what the cost of a query follows from.
struct CliqueTree {
    std::vector<std::vector<int>> members;
    std::vector<int> parent;    // parents before children
    std::vector<int> node_of;   // per variable: the clique it was eliminated in, -1 if sliced
    std::vector<int> position;  // per variable: place in the order
    std::vector<int> order;
    double entries = 0.0;
    double largest = 0.0;
    int largest_clique = -1;
};

CliqueTree plan(const Request &request);
Program build(const Request &request, const CliqueTree &tree);

// Each marginal is read from the smallest table that has the variable: one step of `build`.
void find_homes(Program &program);

}  // namespace margin::junction
