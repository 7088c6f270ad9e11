#include "chains/both_ends.hpp"

#include <cmath>
#include <vector>

#include "common/native.hpp"

namespace margin::chains {
namespace {

constexpr Index together = 8;     // pairs of steps of one update of the sums
constexpr double faint = 1e-200;  // a message of less has lost states on its way

template <int Octs>
[[gnu::always_inline]] inline Index width(const Chain &chain) {
    return Octs > 0 ? Octs * lanes : chain.wide;
}

// A packed row of k numbers in whole registers, `rest` beyond them; `there` numbers may be read.
[[gnu::always_inline]] inline void widen(const double *row, Index k, Index wide, Index there,
                                         double rest, double *out) {
    if (there < wide) {
        for (Index i = 0; i < wide; ++i) out[i] = i < k ? row[i] : rest;
        return;
    }
    constexpr Places lane{0, 1, 2, 3, 4, 5, 6, 7};
    for (Index c = 0; c < wide; c += lanes)
        store(out + c, lane < Places{} + (k - c) ? load(row + c) : Oct{} + rest);
}

// The other way round.
[[gnu::always_inline]] inline void pack(const double *row, Index k, double *out) {
    Index c = 0;
    for (; c + lanes <= k; c += lanes) store(out + c, load(row + c));
    for (Index i = 0; i < lanes; ++i)
        if (c + i < k) out[c + i] = row[c + i];
}

// Likelihoods of a step over their largest, whose logarithm is returned.
template <int Octs>
[[gnu::always_inline]] inline double scale(const Passage &to, Index t, double *b) {
    const Index k = to.chain.k, wide = width<Octs>(to.chain);
    widen(to.emission + t * k, k, wide, (to.length - t) * k, nowhere, b);
    Oct high = load(b);
    for (Index c = lanes; c < wide; c += lanes) high = load(b + c) > high ? load(b + c) : high;
    const double top = largest(high), base = top == nowhere ? 0.0 : top;
    for (Index c = 0; c < wide; c += lanes) {
        Oct value = base - load(b + c);
        exp_minus(value);
        store(b + c, value);
    }
    return top;
}

// z = x * y; the sum of all.
[[gnu::always_inline]] inline double meet(const double *x, const double *y, Index wide, double *z) {
    Oct sum = {};
    for (Index c = 0; c < wide; c += lanes) {
        const Oct joint = load(x + c) * load(y + c);
        store(z + c, joint);
        sum += joint;
    }
    return total(sum);
}

[[gnu::always_inline]] inline void multiply(double *x, double by, Index wide) {
    for (Index c = 0; c < wide; c += lanes) store(x + c, load(x + c) * by);
}

// The log likelihood so far: most factors wait in a product.
struct Level {
    double value = 0.0, product = 1.0;

    [[gnu::always_inline]] void times(double mass) {
        product *= mass;
        if (product < 1e-100) {
            value += std::log(product);
            product = 1.0;
        }
    }

    [[gnu::always_inline]] double all() const { return value + std::log(product); }
};

// Pairs of steps that wait to be added up: `together` filtered states, and what is ahead of them.
struct Pairs {
    double *left, *right, *sums;
    Index held = 0;
};

template <int Octs>
[[gnu::always_inline]] inline void add_up(Pairs &pairs, Index k, Index width) {
    const Index wide = Octs > 0 ? Octs * lanes : width;
    for (Index s = pairs.held * wide; s < together * wide; s += lanes) {
        store(pairs.left + s, Oct{});
        store(pairs.right + s, Oct{});
    }
    for (Index c = 0; c < wide; c += lanes) {
        Oct next[together];
        for (Index s = 0; s < together; ++s) next[s] = load(pairs.right + s * wide + c);
        for (Index i = 0; i < k; ++i) {
            Oct sum = load(pairs.sums + i * wide + c);
            for (Index s = 0; s < together; ++s) sum += pairs.left[s * wide + i] * next[s];
            store(pairs.sums + i * wide + c, sum);
        }
    }
    pairs.held = 0;
}

template <int Octs>
[[gnu::always_inline]] inline void add(Pairs &pairs, const double *state, double by,
                                       const double *ahead, Index k, Index width) {
    const Index wide = Octs > 0 ? Octs * lanes : width;
    double *left = pairs.left + pairs.held * wide, *right = pairs.right + pairs.held * wide;
    for (Index c = 0; c < wide; c += lanes) {
        store(left + c, load(state + c) * by);
        store(right + c, load(ahead + c));
    }
    if (++pairs.held == together) add_up<Octs>(pairs, k, wide);
}

// Filtered states of the steps before `last`; likelihoods are left behind where `keeps`.
template <int Octs>
[[gnu::always_inline]] inline void first_forward(const Passage &to, Index last, bool keeps,
                                                 Sweep &sweep, double *b) {
    const Chain &chain = to.chain;
    const Index k = chain.k, wide = width<Octs>(chain);
    Level level;
    for (Index t = 0; t < last; ++t) {
        double *a = to.messages + t * wide;
        const double top = scale<Octs>(to, t, b);
        if (keeps) pack(b, k, to.posterior + t * k);
        if (t)
            times<Octs>(a - wide, chain.forward, k, wide, a);
        else
            for (Index i = 0; i < wide; ++i) a[i] = chain.start[i];
        const double mass = meet(a, b, wide, a);
        if (!(mass > faint)) {
            sweep.clear = false;
            return;
        }
        multiply(a, 1.0 / mass, wide);
        level.value += top;
        level.times(mass);
    }
    sweep.value = level.all();
}

template <int Octs>
[[gnu::always_inline]] inline void first_backward(const Passage &to, Sweep &sweep, double *b,
                                                  double *row) {
    const Chain &chain = to.chain;
    const Index k = chain.k, wide = width<Octs>(chain);
    double value = 0.0;
    for (Index t = to.length - 1; t >= to.middle(); --t) {
        double *w = to.messages + t * wide;
        value += scale<Octs>(to, t, b);
        pack(b, k, to.posterior + t * k);
        if (t + 1 < to.length)
            times<Octs>(w + wide, chain.backward, k, wide, row);
        else
            for (Index i = 0; i < wide; ++i)
                row[i] = i < k ? (chain.final ? chain.final[i] : 1.0) : 0.0;
        const double mass = meet(row, b, wide, w);
        if (!(mass > faint)) {
            sweep.clear = false;
            return;
        }
        multiply(w, 1.0 / mass, wide);
    }
    sweep.value = value;  // the forward sweep knows the rest
}

template <int Octs>
[[gnu::always_inline]] inline void second_forward(const Passage &to, Sweep &sweep, double *room) {
    const Chain &chain = to.chain;
    const Index k = chain.k, wide = width<Octs>(chain), first = to.middle();
    double *b = room, *own = b + wide, *ahead = own + wide, *state = ahead + wide;
    Pairs pairs{state + wide, state + (1 + together) * wide, sweep.sums};
    Level level;
    const double *before = first ? to.messages + (first - 1) * wide : nullptr;
    for (Index t = first; t < to.length; ++t) {
        const double *w = to.messages + t * wide;
        double *posterior = to.posterior + t * k;
        widen(posterior, k, wide, (to.length - t) * k, 0.0, b);
        if (t)
            times<Octs>(before, chain.forward, k, wide, ahead);
        else
            for (Index i = 0; i < wide; ++i) ahead[i] = chain.start[i];
        const double mass = meet(ahead, w, wide, own);
        if (!(mass > faint)) {
            sweep.clear = false;
            return;
        }
        const double inverse = 1.0 / mass;
        multiply(own, inverse, wide);
        pack(own, k, posterior);
        if (t) add<Octs>(pairs, before, inverse, w, k, wide);
        const double rest = meet(ahead, b, wide, state);
        if (!(rest > faint)) {
            sweep.clear = false;
            return;
        }
        multiply(state, 1.0 / rest, wide);
        level.times(rest);
        before = state;
    }
    add_up<Octs>(pairs, k, wide);
    if (chain.final && to.length) {
        double mass = 0.0;
        for (Index i = 0; i < k; ++i) mass += state[i] * chain.final[i];
        if (!(mass > faint)) {
            sweep.clear = false;
            return;
        }
        level.times(mass);
    }
    sweep.value += level.all();
}

template <int Octs>
[[gnu::always_inline]] inline void second_backward(const Passage &to, Sweep &sweep, double *room) {
    const Chain &chain = to.chain;
    const Index k = chain.k, wide = width<Octs>(chain), last = to.middle();
    double *b = room, *own = b + wide, *row = own + wide, *omega = row + wide;
    Pairs pairs{omega + wide, omega + (1 + together) * wide, sweep.sums};
    const double *ahead = to.messages + last * wide;
    for (Index t = last - 1; t >= 0; --t) {
        const double *a = to.messages + t * wide;
        double *posterior = to.posterior + t * k;
        widen(posterior, k, wide, (last - t) * k, 0.0, b);
        times<Octs>(ahead, chain.backward, k, wide, row);
        const double mass = meet(row, a, wide, own);
        if (!(mass > faint)) {
            sweep.clear = false;
            return;
        }
        const double inverse = 1.0 / mass;
        multiply(own, inverse, wide);
        pack(own, k, posterior);
        if (t + 1 < last) add<Octs>(pairs, a, inverse, ahead, k, wide);
        const double most = meet(row, b, wide, omega);
        if (!(most > faint)) {
            sweep.clear = false;
            return;
        }
        multiply(omega, 1.0 / most, wide);
        ahead = omega;
    }
    add_up<Octs>(pairs, k, wide);
}

}  // namespace

#define MARGIN_FOR_WIDTH(chain, call)                                                              \
    switch ((chain).wide / lanes) {                                                                \
        case 1: call(1); break;                                                                    \
        case 2: call(2); break;                                                                    \
        case 3: call(3); break;                                                                    \
        case 4: call(4); break;                                                                    \
        case 5: call(5); break;                                                                    \
        case 6: call(6); break;                                                                    \
        case 7: call(7); break;                                                                    \
        default: call(0);                                                                          \
    }

MARGIN_CLONES void forward_before(const Passage &to, Index last, bool keeps, Sweep &sweep,
                                  double *room){
#define MARGIN_CALL(Octs) first_forward<Octs>(to, last, keeps, sweep, room)
    MARGIN_FOR_WIDTH(to.chain, MARGIN_CALL)
#undef MARGIN_CALL
}

MARGIN_CLONES void backward_after(const Passage &to, Sweep &sweep, double *room){
#define MARGIN_CALL(Octs) first_backward<Octs>(to, sweep, room, room + to.chain.wide)
    MARGIN_FOR_WIDTH(to.chain, MARGIN_CALL)
#undef MARGIN_CALL
}

MARGIN_CLONES void forward_after(const Passage &to, Sweep &sweep, double *room){
#define MARGIN_CALL(Octs) second_forward<Octs>(to, sweep, room)
    MARGIN_FOR_WIDTH(to.chain, MARGIN_CALL)
#undef MARGIN_CALL
}

MARGIN_CLONES void backward_before(const Passage &to, Sweep &sweep, double *room) {
#define MARGIN_CALL(Octs) second_backward<Octs>(to, sweep, room)
    MARGIN_FOR_WIDTH(to.chain, MARGIN_CALL)
#undef MARGIN_CALL
}

void set_out(const Passage &passage, Sweep &sweep) {
    std::vector<double> room(passage.chain.wide);
    forward_before(passage, passage.middle(), true, sweep, room.data());
}

void go_on(const Passage &passage, Sweep &sweep) {
    std::vector<double> room((4 + 2 * together) * passage.chain.wide);
    forward_after(passage, sweep, room.data());
}

void come_back(const Passage &passage, Sweep &sweep) {
    std::vector<double> room(2 * passage.chain.wide);
    backward_after(passage, sweep, room.data());
}

void go_back(const Passage &passage, Sweep &sweep) {
    std::vector<double> room((4 + 2 * together) * passage.chain.wide);
    backward_before(passage, sweep, room.data());
}

void filter_all(const Passage &passage, Sweep &sweep) {
    std::vector<double> room(passage.chain.wide);
    forward_before(passage, passage.length, false, sweep, room.data());
}

}  // namespace margin::chains
