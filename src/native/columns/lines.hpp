// Lines of a matrix, centred and weighted on the way into panels.
//
// A "line" is a column of X for the Gram matrix of features and a row for that of samples; "depth"
// is the index summed over. Lines are packed twelve at a time, so that one panel serves as either
// factor of the 4 × 12 register tile.
#pragma once

#include <algorithm>
#include <cstdint>
#include <vector>

#include "common/index.hpp"

namespace margin {

constexpr Index panel_lines = 12;  // lines of a panel: three registers of four numbers

inline Index panels_of(Index lines) { return (lines + panel_lines - 1) / panel_lines; }

// The lines to multiply: those of X, then (features only) a line of ones and the targets.
template <typename T>
struct Lines {
    const T *x;
    Index n_x, depth, line_step, depth_step;
    const double *centre = nullptr;  // one number per line of X, or per depth
    bool centre_by_depth = false;
    const std::int64_t *group = nullptr;   // row of `centre` to use at each depth
    const std::int64_t *chosen = nullptr;  // features only: the rows to use, all in order if none
    std::vector<double> root_weight{};     // empty: ones
    const double *targets = nullptr;       // depth × n_targets, after the line of ones
    Index n_targets = 0;
    bool ones = false;

    Index count() const { return n_x + ones + n_targets; }

    Index place(Index depth_index) const { return chosen ? chosen[depth_index] : depth_index; }

    // Panel `index`, depths [from, from + size), into out[k * panel_lines + line].
    void pack(Index index, Index from, Index size, double *out) const {
        for (Index l = 0; l < panel_lines; ++l) {
            const Index line = index * panel_lines + l;
            if (line < n_x) continue;
            const bool constant = ones && line == n_x, none = line >= count();
            const Index column = line - n_x - ones;
            for (Index k = 0; k < size; ++k)
                out[k * panel_lines + l] = none ? 0.0
                                           : constant
                                               ? 1.0
                                               : targets[place(from + k) * n_targets + column];
        }
        const Index first = index * panel_lines, some = std::min(panel_lines, n_x - first);
        if (some > 0) pack_x(first, some, from, size, out);
        if (root_weight.empty()) return;
        for (Index k = 0; k < size; ++k)
            for (Index l = 0; l < panel_lines; ++l)
                out[k * panel_lines + l] *= root_weight[place(from + k)];
    }

    void pack_x(Index first, Index some, Index from, Index size, double *out) const {
        const T *start = x + first * line_step;
        const double nothing[panel_lines] = {};
        const double *middle = centre && !centre_by_depth ? centre + first : nothing;
        for (Index k = 0; k < size; ++k, out += panel_lines) {
            const T *source = start + place(from + k) * depth_step;
            if (group) middle = centre + group[place(from + k)] * n_x + first;
            const double common = centre_by_depth && centre ? centre[from + k] : 0.0;
            if (some == panel_lines && line_step == 1 && !centre_by_depth)
                for (Index l = 0; l < panel_lines; ++l) out[l] = double(source[l]) - middle[l];
            else if (centre_by_depth)
                for (Index l = 0; l < some; ++l) out[l] = double(source[l * line_step]) - common;
            else
                for (Index l = 0; l < some; ++l) out[l] = double(source[l * line_step]) - middle[l];
        }
    }
};

}  // namespace margin
