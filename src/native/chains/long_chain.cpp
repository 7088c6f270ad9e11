// Three passes over parts of fixed length: what each part makes of every state before it; where
// each part begins and what is behind it, from part to part; messages within the parts. The parts
// do not depend on the number of threads, and so neither does the answer.
#include "chains/long_chain.hpp"

#include <atomic>
#include <cmath>
#include <vector>

#include "chains/packs.hpp"
#include "common/team.hpp"

namespace margin::chains {
namespace {

constexpr Index part = 512;

struct Scan {
    Index length, k, parts;
    const double *emission, *start, *transition;
    std::vector<double> likelihood;    // of all parts, eight side by side
    std::vector<double> product;       // of every part, [from][to]
    std::vector<std::int64_t> power;   // of every part, [from]
    std::vector<double> top;           // of every part
    std::vector<double> ends, behind;  // state after every part, message from behind it
    std::vector<double> sums;          // expected transitions of eight parts each

    Index groups() const { return (parts + lanes - 1) / lanes; }
    Index first(Index p) const { return p * part; }
    Index last(Index p) const { return std::min(length, (p + 1) * part); }
    double *table(Index g) { return likelihood.data() + g * part * k * lanes; }

    Strands strands(Index g) const {
        Strands out;
        out.k = k;
        for (Index l = 0; l < lanes; ++l) {
            const Index p = g * lanes + l;
            out.clear(l);
            if (p >= parts) continue;
            out.length[l] = last(p) - first(p);
            out.weight[l] = 1.0;
            out.longest = std::max(out.longest, Index(out.length[l]));
        }
        return out;
    }

    bool multiply(Index g) {
        Strands all = strands(g);
        for (Index l = 0; l < lanes; ++l) {
            const Index p = g * lanes + l;
            if (p < parts)
                deal(emission + first(p) * k, last(p) - first(p), all.longest, k, l, table(g));
            else
                deal(emission, 0, all.longest, k, l, table(g));
        }
        double tops[lanes], rows[scanned_states * scanned_states * lanes];
        std::int64_t powers[scanned_states * lanes];
        scale_strands(table(g), k, all.longest, tops);
        for (Index i = 0; i < k; ++i) all.start[i * lanes] = start[i];
        const Swept swept =
            product_strands(all, transition, table(g), g == 0 ? 0 : -1, rows, powers);
        bool good = true;
        for (Index l = 0; l < lanes && g * lanes + l < parts; ++l) {
            const Index p = g * lanes + l;
            good = good && swept.good[l];
            top[p] = tops[l];
            for (Index i = 0; i < k; ++i) {
                power[p * k + i] = powers[i * lanes + l];
                for (Index j = 0; j < k; ++j)
                    product[(p * k + i) * k + j] = rows[(i * k + j) * lanes + l];
            }
        }
        return good;
    }

    // State after every part; the log likelihood is returned.
    double chase(const double *final) {
        double value = 0.0;
        std::vector<double> state(k, 0.0);
        state[0] = 1.0;  // any: the rows of the first part are all alike
        for (Index p = 0; p < parts; ++p) {
            std::int64_t highest = INT64_MIN;
            for (Index i = 0; i < k; ++i)
                if (state[i] > 0.0) highest = std::max(highest, power[p * k + i]);
            double *end = ends.data() + p * k, mass = 0.0;
            for (Index i = 0; i < k; ++i) {
                if (!(state[i] > 0.0)) continue;
                const double share = state[i] * shrunk(power[p * k + i] - highest);
                for (Index j = 0; j < k; ++j) end[j] += share * product[(p * k + i) * k + j];
            }
            for (Index j = 0; j < k; ++j) mass += end[j];
            value += log_mass(top[p], highest, mass);
            for (Index j = 0; j < k; ++j) state[j] = end[j] /= mass;
        }
        if (!final) return value;
        double mass = 0.0;
        for (Index i = 0; i < k; ++i) mass += state[i] * final[i];
        return value + std::log(mass);
    }

    void look_back(const double *final) {
        double *at = behind.data() + (parts - 1) * k;
        for (Index i = 0; i < k; ++i) at[i] = final ? final[i] : 1.0;
        for (Index p = parts - 1; p > 0; --p, at -= k) {
            std::int64_t highest = INT64_MIN;
            for (Index i = 0; i < k; ++i) highest = std::max(highest, power[p * k + i]);
            double most = 0.0;
            for (Index i = 0; i < k; ++i) {
                double sum = 0.0;
                for (Index j = 0; j < k; ++j) sum += product[(p * k + i) * k + j] * at[j];
                at[i - k] = sum * shrunk(power[p * k + i] - highest);
                most = std::max(most, at[i - k]);
            }
            for (Index i = 0; i < k; ++i) at[i - k] /= most;
        }
    }

    bool within(Index g, bool smooth, double *states) {
        Strands all = strands(g);
        for (Index l = 0; l < lanes && g * lanes + l < parts; ++l) {
            const Index p = g * lanes + l;
            for (Index j = 0; j < k; ++j) {
                double predicted = p ? 0.0 : start[j];
                for (Index i = 0; p && i < k; ++i)
                    predicted += ends[(p - 1) * k + i] * transition[i * k + j];
                all.start[j * lanes + l] = predicted;
                all.behind[j * lanes + l] = behind[p * k + j];
            }
        }
        std::vector<double> alpha(part * k * lanes), pairs(k * k * lanes, 0.0);
        Swept swept = forward_strands(all, transition, table(g), alpha.data(), nullptr);
        bool good = true;
        for (Index l = 0; l < lanes && g * lanes + l < parts; ++l) good = good && swept.good[l];
        if (!good) return false;
        if (smooth) swept = backward_strands(all, transition, table(g), alpha.data(), pairs.data());
        for (Index l = 0; l < lanes && g * lanes + l < parts; ++l) {
            const Index p = g * lanes + l;
            good = good && swept.good[l];
            collect(alpha.data(), last(p) - first(p), k, l, states + first(p) * k);
            if (smooth) add_pairs(pairs.data(), transition, k, l, sums.data() + g * k * k);
            for (Index t = first(p); !smooth && t < last(p); ++t) {
                double mass = 0.0;
                for (Index i = 0; i < k; ++i) mass += states[t * k + i];
                for (Index i = 0; i < k; ++i) states[t * k + i] /= mass;
            }
        }
        return good;
    }

    // Transitions from the last step of a part to the first of the next.
    void bridge(Index p, const double *states, double *counts) const {
        const double *end = ends.data() + (p - 1) * k, *next = states + first(p) * k;
        std::vector<double> joint(k * k);
        double mass = 0.0;
        for (Index j = 0; j < k; ++j) {
            double predicted = 0.0;
            for (Index i = 0; i < k; ++i) predicted += end[i] * transition[i * k + j];
            for (Index i = 0; i < k; ++i) {
                const double own = end[i] * transition[i * k + j];
                mass += joint[i * k + j] = predicted > 0.0 ? own / predicted * next[j] : 0.0;
            }
        }
        for (Index c = 0; c < k * k; ++c) counts[c] += joint[c] / mass;
    }

    // Two to a power of at most zero.
    static double shrunk(std::int64_t power) {
        return power < -1000 ? 0.0 : std::ldexp(1.0, static_cast<int>(power));
    }
};

}  // namespace

bool scan_chain(const LongChain &chain, double *states, double *counts, double &value,
                int n_threads) {
    const auto [emission, length, k, start, transition, final] = chain;
    Scan scan{
        length, k, (length + part - 1) / part, emission, start, transition, {}, {}, {}, {}, {},
        {},     {}};
    const Index groups = scan.groups(), square = k * k;
    scan.likelihood.resize(groups * part * k * lanes);
    scan.product.resize(scan.parts * square);
    scan.power.resize(scan.parts * k);
    scan.top.resize(scan.parts);
    scan.ends.resize(scan.parts * k, 0.0);
    scan.behind.resize(scan.parts * k, 1.0);
    scan.sums.resize(groups * square, 0.0);
    const double work = double(length) * double(square * k);
    std::atomic<bool> good{true};
    team::each(n_threads, work, groups, [&](Index g) {
        if (good.load() && !scan.multiply(g)) good.store(false);
    });
    if (!good.load()) return false;
    value = scan.chase(final);
    if (!std::isfinite(value)) return false;
    if (counts) scan.look_back(final);
    if (!states) return true;
    team::each(n_threads, work, groups, [&](Index g) {
        if (good.load() && !scan.within(g, counts != nullptr, states)) good.store(false);
    });
    if (!good.load()) return false;
    for (Index g = 0; counts && g < groups; ++g)
        for (Index c = 0; c < square; ++c) counts[c] += scan.sums[g * square + c];
    for (Index p = 1; counts && p < scan.parts; ++p) scan.bridge(p, states, counts);
    return true;
}

}  // namespace margin::chains
