// The sweeps over chains side by side, for every number of states up to eight.
#include "chains/side_by_side.hpp"

#include <cmath>

#include "common/native.hpp"

namespace margin::chains {
namespace {

typedef std::uint64_t Bits __attribute__((vector_size(64), aligned(8)));

constexpr double faint = 1e-200;

inline const Places &whole(const std::int64_t *p) { return *reinterpret_cast<const Places *>(p); }

// The power of two just below a positive number, and the number that takes it away.
[[gnu::always_inline]] inline void halved(const Oct &mass, Places &power, Oct &scale) {
    power = (Places)((Bits)mass >> 52) - 1023;
    scale = (Oct)((1023 - power) << 52);
}

[[gnu::always_inline]] inline void report(const Places &good, const Places &power, const Oct &mass,
                                          Swept &out) {
    for (Index s = 0; s < lanes; ++s) {
        out.good[s] = good[s] != 0;
        out.power[s] = power[s];
        out.mass[s] = mass[s];
    }
}

template <int K>
[[gnu::always_inline]] inline void scale(double *table, Index steps, double *tops) {
    Oct sum = {};
    for (Index t = 0; t < steps; ++t) {
        double *at = table + t * K * lanes;
        Oct top = load(at);
        for (int i = 1; i < K; ++i) top = load(at + i * lanes) > top ? load(at + i * lanes) : top;
        sum += top;
        const Oct base = top == nowhere ? Oct{} : top;
        for (int i = 0; i < K; ++i) {
            Oct value = base - load(at + i * lanes);
            exp_minus(value);
            store(at + i * lanes, value);
        }
    }
    store(tops, sum);
}

// One step: the message moves, meets what is seen, and loses a power of two.
template <int K>
[[gnu::always_inline]] inline void advance(Oct *message, const double *A, const double *seen,
                                           bool moves, const Places &active, Places &good,
                                           Places &power) {
    Oct next[K], mass = {};
    for (int j = 0; j < K; ++j) {
        if (moves) {
            next[j] = message[0] * A[j];
            for (int i = 1; i < K; ++i) next[j] += message[i] * A[i * K + j];
        } else {
            next[j] = message[j];
        }
        next[j] *= load(seen + j * lanes);
        mass += next[j];
    }
    good &= (mass > faint) | ~active;
    Places own;
    Oct scale;
    halved(mass, own, scale);
    power += own & active;
    for (int j = 0; j < K; ++j) message[j] = active ? next[j] * scale : message[j];
}

template <int K>
[[gnu::always_inline]] inline void forward(const Strands &strands, const double *A,
                                           const double *likelihood, double *alpha, double *last,
                                           Swept &out) {
    const Places length = whole(strands.length);
    Places good = Places{} - 1, power = {};
    Oct message[K];
    for (int i = 0; i < K; ++i) message[i] = load(strands.start + i * lanes);
    for (Index t = 0; t < strands.longest; ++t) {
        const Places active = (Places{} + t) < length;
        advance<K>(message, A, likelihood + t * K * lanes, t > 0, active, good, power);
        if (alpha)
            for (int i = 0; i < K; ++i) store(alpha + (t * K + i) * lanes, message[i]);
    }
    Oct mass = {};
    for (int i = 0; i < K; ++i) {
        mass += message[i];
        if (last) store(last + i * lanes, message[i]);
    }
    report(good, power, mass, out);
}

template <int K>
[[gnu::always_inline]] inline void backward(const Strands &strands, const double *A,
                                            const double *likelihood, double *alpha, double *pairs,
                                            Swept &out) {
    const Places length = whole(strands.length);
    const Oct weight = load(strands.weight);
    Places good = Places{} - 1;
    Oct ahead[K] = {};
    for (Index t = strands.longest - 1; t >= 0; --t) {
        const Places active = (Places{} + t) < length, inner = (Places{} + (t + 1)) < length;
        double *a = alpha + t * K * lanes;
        Oct row[K], joint[K], mass = {};
        for (int i = 0; i < K; ++i) {
            row[i] = A[i * K] * ahead[0];
            for (int j = 1; j < K; ++j) row[i] += A[i * K + j] * ahead[j];
            row[i] = inner ? row[i] : load(strands.behind + i * lanes);
            joint[i] = row[i] * load(a + i * lanes);
            mass += joint[i];
        }
        good &= (mass > faint) | ~active;
        const Oct share = weight / mass, paired = inner ? share : Oct{};
        for (int i = 0; i < K; ++i) {
            const Oct left = load(a + i * lanes) * paired;
            double *to = pairs + i * K * lanes;
            for (int j = 0; j < K; ++j)
                store(to + j * lanes, load(to + j * lanes) + left * ahead[j]);
        }
        const double *seen = likelihood + t * K * lanes;
        Oct more = {};
        for (int i = 0; i < K; ++i) {
            store(a + i * lanes, joint[i] * share);
            ahead[i] = row[i] * load(seen + i * lanes);
            more += ahead[i];
        }
        good &= (more > faint) | ~active;
        Places own;
        Oct scale;
        halved(more, own, scale);
        for (int i = 0; i < K; ++i) ahead[i] *= scale;
    }
    report(good, Places{}, Oct{}, out);
}

template <int K>
[[gnu::always_inline]] inline void product(const Strands &strands, const double *A,
                                           const double *likelihood, Index begins, double *rows,
                                           std::int64_t *powers, Swept &out) {
    const Places length = whole(strands.length);
    Places good = Places{} - 1, power[K] = {};
    Oct message[K][K];
    for (int i = 0; i < K; ++i)
        for (int j = 0; j < K; ++j) {
            message[i][j] = Oct{} + A[i * K + j];
            if (begins >= 0) message[i][j][begins] = strands.start[j * lanes + begins];
        }
    for (Index t = 0; t < strands.longest; ++t) {
        const Places active = (Places{} + t) < length;
        for (int i = 0; i < K; ++i)
            advance<K>(message[i], A, likelihood + t * K * lanes, t > 0, active, good, power[i]);
    }
    for (int i = 0; i < K; ++i) {
        for (int j = 0; j < K; ++j) store(rows + (i * K + j) * lanes, message[i][j]);
        for (Index s = 0; s < lanes; ++s) powers[i * lanes + s] = power[i][s];
    }
    report(good, Places{}, Oct{}, out);
}

}  // namespace

#define MARGIN_FOR_STATES(k, call)                                                                 \
    switch (k) {                                                                                   \
        case 1: call(1); break;                                                                    \
        case 2: call(2); break;                                                                    \
        case 3: call(3); break;                                                                    \
        case 4: call(4); break;                                                                    \
        case 5: call(5); break;                                                                    \
        case 6: call(6); break;                                                                    \
        case 7: call(7); break;                                                                    \
        default: call(8);                                                                          \
    }

MARGIN_CLONES void scale_strands(double *table, Index k, Index steps, double *tops){
#define MARGIN_CALL(K) scale<K>(table, steps, tops)
    MARGIN_FOR_STATES(k, MARGIN_CALL)
#undef MARGIN_CALL
}

MARGIN_CLONES void forward_any(const Strands &strands, const double *A, const double *likelihood,
                               double *alpha, double *last, Swept &out){
#define MARGIN_CALL(K) forward<K>(strands, A, likelihood, alpha, last, out)
    MARGIN_FOR_STATES(strands.k, MARGIN_CALL)
#undef MARGIN_CALL
}

MARGIN_CLONES void backward_any(const Strands &strands, const double *A, const double *likelihood,
                                double *alpha, double *pairs, Swept &out){
#define MARGIN_CALL(K) backward<K>(strands, A, likelihood, alpha, pairs, out)
    MARGIN_FOR_STATES(strands.k, MARGIN_CALL)
#undef MARGIN_CALL
}

// More states than four would cost more than they save.
MARGIN_CLONES void product_any(const Strands &strands, const double *A, const double *likelihood,
                               Index begins, double *rows, std::int64_t *powers, Swept &out) {
    switch (strands.k) {
        case 1: product<1>(strands, A, likelihood, begins, rows, powers, out); break;
        case 2: product<2>(strands, A, likelihood, begins, rows, powers, out); break;
        case 3: product<3>(strands, A, likelihood, begins, rows, powers, out); break;
        default: product<4>(strands, A, likelihood, begins, rows, powers, out);
    }
}

Swept forward_strands(const Strands &strands, const double *transition, const double *likelihood,
                      double *alpha, double *last) {
    Swept out;
    forward_any(strands, transition, likelihood, alpha, last, out);
    return out;
}

Swept backward_strands(const Strands &strands, const double *transition, const double *likelihood,
                       double *alpha, double *pairs) {
    Swept out;
    backward_any(strands, transition, likelihood, alpha, pairs, out);
    return out;
}

Swept product_strands(const Strands &strands, const double *transition, const double *likelihood,
                      Index begins, double *product, std::int64_t *power) {
    Swept out;
    product_any(strands, transition, likelihood, begins, product, power, out);
    return out;
}

}  // namespace margin::chains
