// The residual schedule: messages are renewed where their inputs have changed most.
//
// Nodes wait in buckets by the change of their incoming messages since they last sent, one octave
// wide. The fullest octave is emptied in the order of the nodes, which is that of memory: no heap,
// and no message computed only to be compared. The change of the inputs is a guess at the change of
// the outputs, so that before the end all messages are looked at once and what would still change
// is put back.
#include <algorithm>
#include <bit>
#include <cmath>

#include "grid/network.hpp"

namespace margin::grid {
namespace {

int level_of(double size) { return static_cast<int>(std::bit_cast<std::uint64_t>(size) >> 52); }

class Waiting {
  public:
    Waiting(Index nodes, double tol)
        : tol_(tol), lowest_(level_of(tol)), size_(nodes, 0.0), level_(nodes, -1),
          mark_((nodes + 63) / 64) {}

    // A node whose incoming messages have changed by this much more.
    void add(std::int32_t node, double change) {
        size_[node] += change;
        if (!(size_[node] > tol_)) return;
        const int level = level_of(size_[node]) - lowest_;
        if (level == level_[node]) return;
        if (level >= static_cast<int>(buckets_.size())) buckets_.resize(level + 1);
        level_[node] = level;
        buckets_[level].push_back(node);
        top_ = std::max(top_, level);
    }

    // The next node, which then has no change to tell; -1 when there is none.
    std::int32_t take() {
        while (at_ == open_.size()) {
            if (top_ < 0) return -1;
            open_.swap(buckets_[top_]);
            buckets_[top_].clear();
            at_ = 0;
            std::erase_if(open_, [&](std::int32_t node) { return level_[node] != top_; });
            arrange();
            --top_;
        }
        const std::int32_t node = open_[at_++];
        level_[node] = -1;
        size_[node] = 0.0;
        return node;
    }

    // A node that will come soon; -1 when not known.
    std::int32_t soon() const { return at_ + ahead < open_.size() ? open_[at_ + ahead] : -1; }

    double largest() const { return *std::max_element(size_.begin(), size_.end()); }

  private:
    static constexpr std::size_t ahead = 8;

    void arrange() {
        if (open_.size() < mark_.size()) return std::sort(open_.begin(), open_.end());
        for (const std::int32_t node : open_) mark_[node / 64] |= std::uint64_t{1} << (node % 64);
        open_.clear();
        for (std::size_t w = 0; w < mark_.size(); ++w)
            for (std::uint64_t &rest = mark_[w]; rest; rest &= rest - 1)
                open_.push_back(static_cast<std::int32_t>(w * 64 + std::countr_zero(rest)));
    }

    double tol_;
    int lowest_, top_ = -1;
    std::vector<double> size_;
    std::vector<int> level_;
    std::vector<std::vector<std::int32_t>> buckets_;
    std::vector<std::int32_t> open_;
    std::vector<std::uint64_t> mark_;
    std::size_t at_ = 0;
};

[[gnu::always_inline]] inline double largest_gap(const double *a, const double *b, Index n) {
    double gap = 0.0;
#pragma omp simd reduction(max : gap)
    for (Index k = 0; k < n; ++k) {
        const double step = std::fabs(a[k] - b[k]);
        gap = step > gap ? step : gap;
    }
    return gap;
}

MARGIN_CLONES void gaps_of(const double *a, const double *b, Index count, Index n, double *gap) {
    for (Index m = 0; m < count; ++m) gap[m] = largest_gap(a + m * n, b + m * n, n);
}

// Change of every message out of a node.
MARGIN_CLONES void changes_from(const Network &net, Index node, const double *before,
                                const double *messages, double *change) {
    const Index n = net.states, first = net.start[node], degree = net.start[node + 1] - first;
    for (Index d = 0; d < degree; ++d)
        change[d] = largest_gap(messages + static_cast<Index>(net.slot[first + d] ^ 1) * n,
                                before + d * n, n);
}

}  // namespace

int residual_of(const Network &net, const Setting &set, double *messages,
                std::vector<double> &fresh, double tol, double *record, int rounds, int threads,
                Interrupt &interrupt) {
    const Send send = send_of(net.states);
    const Setting plain{set.maximise, 0.0};
    const Index n = net.states, count = static_cast<Index>(fresh.size()) / n;
    std::vector<double> scratch((net.widest + 5) * n), before(net.widest * n), change(net.widest),
        gap(count);
    Waiting waiting(net.nodes, tol);
    // Puts back the senders of all messages that would change; returns the largest change.
    const auto look = [&] {
        const double largest = round_of(net, plain, messages, fresh.data(), threads);
        gaps_of(fresh.data(), messages, count, n, gap.data());
        for (Index m = 0; m < count; ++m)
            if (gap[m] > tol) waiting.add(net.edge[2 * (m / 2) + m % 2], gap[m]);
        return largest;
    };
    look();
    for (int done = 0; done < rounds;) {
        for (Index step = 0; step < count;) {
            const std::int32_t node = waiting.take();
            if (node < 0 || (step % 64 == 0 && interrupt.poll())) break;
            if (const std::int32_t soon = waiting.soon(); soon >= 0)
                for (Index d = net.start[soon]; d < net.start[soon + 1]; ++d) {
                    __builtin_prefetch(messages + static_cast<Index>(net.slot[d]) * n);
                    __builtin_prefetch(messages + static_cast<Index>(net.slot[d] ^ 1) * n, 1);
                }
            const Index first = net.start[node], degree = net.start[node + 1] - first;
            for (Index d = 0; d < degree; ++d) {
                const double *was = messages + static_cast<Index>(net.slot[first + d] ^ 1) * n;
                std::copy(was, was + n, before.data() + d * n);
            }
            const double step_made =
                send(net, set, node, node + 1, messages, messages, scratch.data());
            changes_from(net, node, before.data(), messages, change.data());
            for (Index d = 0; d < degree; ++d) {
                const std::int32_t out = net.slot[first + d] ^ 1;
                waiting.add(net.edge[out / 2 * 2 + (out % 2 == 0 ? 1 : 0)], change[d]);
            }
            // Damped messages have not gone all the way.
            waiting.add(node, set.damping * step_made);
            step += degree;
        }
        if (interrupt.stopped()) return done;
        record[done] = waiting.largest();
        if (record[done] <= tol || done + 1 == rounds) record[done] = look();
        if (record[done++] <= tol) return done;
    }
    return rounds;
}

}  // namespace margin::grid
