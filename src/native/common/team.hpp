// How much work is worth a second thread.
#pragma once

namespace margin {

// Numbers read from memory and used once. A pass over fewer takes a millisecond at most, and
// waiting for a second thread, while other programs or the spinning threads of BLAS hold its core,
// costs more than it saves.
constexpr double kTeamWork = 2e6;

inline bool worth_team(int threads, double work) { return threads > 1 && work > kTeamWork; }

}  // namespace margin
