// Loopy belief propagation on pairwise models whose variables have the same number of states:
// images, lattices, Potts and Ising models.
//
// Messages are stored per directed edge, normalised to sum to one (or to a largest entry of one).
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "common/interrupt.hpp"
#include "common/native.hpp"

namespace margin::grid {

struct Network {
    Index nodes = 0, states = 0;
    const double *unary = nullptr;   // (nodes, states)
    const double *tables = nullptr;  // (kinds, states, states), first axis: the edge's first node
    const std::int32_t *edge = nullptr;  // (edges, 2)
    const std::int32_t *kind = nullptr;  // (edges,)
    std::vector<Index> start;            // per node, into `slot`
    std::vector<std::int32_t>
        slot;                 // incoming messages: 2 e towards the second node, 2 e + 1 first
    std::vector<char> potts;  // per kind: equal diagonal, equal rest
    std::vector<double> transposed;
    Index widest = 0;
};

struct Setting {
    bool maximise;
    double damping;
};

// Lists the messages around every node and looks at the tables; refuses malformed edges.
void prepare(Network &net, Index edges, Index kinds);

// All messages out of the nodes [from, to): reads `old`, writes `fresh` (which may be the same),
// and returns the largest change before damping. `scratch` has (widest + 5) states.
using Send = double (*)(const Network &, const Setting &, Index from, Index to, const double *old,
                        double *fresh, double *scratch);
Send send_of(Index states);

// A round reads the old messages and writes new ones, so nodes are independent of each other and
// the answer does not depend on the number of threads.
double round_of(const Network &net, const Setting &set, const double *old, double *fresh,
                int threads);

// In place, node by node, forwards or backwards: information crosses the graph in one sweep.
double sweep_of(const Network &net, const Setting &set, double *messages, bool forwards);

// In place, always a node whose incoming messages have changed most; returns the rounds made.
int residual_of(const Network &net, const Setting &set, double *messages,
                std::vector<double> &fresh, double tol, double *record, int rounds, int threads,
                Interrupt &interrupt);

// Fills the beliefs of the nodes; returns the Bethe approximation of the log partition function.
double beliefs_of(const Network &net, const double *messages, double *out, Index edges);

}  // namespace margin::grid
