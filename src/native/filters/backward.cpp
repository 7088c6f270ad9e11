#include "filters/backward.hpp"

#include <algorithm>
#include <cmath>

#include "common/native.hpp"
#include "filters/dense.hpp"

namespace margin::filters {

namespace {

void add(const std::vector<double> &from, double *to, double times = 1.0) {
    if (!to) return;
    for (std::size_t i = 0; i < from.size(); ++i) to[i] += times * from[i];
}

// What no longer changes from step to step, and what the filter left of every step.
struct Still {
    std::size_t n, m;
    const double *D_t, *W, *P, *V, *X, *Ak;
    double f;
    const double *before, *surprise;
};

// Steps back from t to `end` (excluded) with fixed matrices; `r` and `moved` are work space.
MARGIN_CLONES
void walk_back(std::size_t t, std::size_t end, const Still &still, double *r, double *moved,
               const Outputs &out) {
    const auto [n, m, D_t, W, P, V, X, Ak, f, before, surprise] = still;
    double *mean = out.mean, *cov = out.cov, *cross = out.cross;
    double *slope_q = out.slope_q, *slope_r = out.slope_r;
    for (; t > end; --t) {
        const double *v = surprise + t * m;
        if (slope_r) {
            double u = v[0] / f;
            for (std::size_t j = 0; j < n; ++j) u -= Ak[j] * r[j];
            slope_r[0] += 0.5 * u * u;
        }
        for (std::size_t j = 0; j < n; ++j) moved[j] = 0.0;
        for (std::size_t k = 0; k < n; ++k)
            for (std::size_t j = 0; j < n; ++j) moved[j] += D_t[k * n + j] * r[k];
        for (std::size_t k = 0; k < m; ++k)
            for (std::size_t j = 0; j < n; ++j) moved[j] += W[k * n + j] * v[k];
        for (std::size_t j = 0; j < n; ++j) r[j] = moved[j];
        if (mean) {
            double *to = mean + t * n;
            for (std::size_t j = 0; j < n; ++j) to[j] = before[t * n + j];
            for (std::size_t k = 0; k < n; ++k)
                for (std::size_t j = 0; j < n; ++j) to[j] += P[k * n + j] * r[k];
        }
        if (cov)
            for (std::size_t j = 0; j < n * n; ++j) cov[t * n * n + j] = V[j];
        if (cross)
            for (std::size_t j = 0; j < n * n; ++j) cross[t * n * n + j] = X[j];
        if (slope_q)
            for (std::size_t i = 0; i < n; ++i)
                for (std::size_t j = 0; j < n; ++j) slope_q[i * n + j] += 0.5 * r[i] * r[j];
    }
}

}  // namespace

Backward::Backward(const System &system)
    : s_(system), r_(s_.n), r_one_(s_.n), N_(s_.n * s_.n), N_one_(s_.n * s_.n), N_two_(s_.n * s_.n),
      N_later_(s_.n * s_.n), V_(s_.n * s_.n), X_(s_.n * s_.n), room_(s_.n * s_.n),
      spare_(s_.n * s_.n), A_t_(s_.n * s_.n), D_t_(s_.n * s_.n), W_(s_.m * s_.n), Ak_(s_.n) {}

void Backward::run(const Forward &forward, std::size_t first, std::size_t T, const Outputs &out) {
    const std::size_t n = s_.n, m = s_.m;
    for (auto *part : {&r_, &r_one_, &N_, &N_one_, &N_two_})
        std::fill(part->begin(), part->end(), 0.0);
    diffuse_ = false;
    const bool may_settle = s_.constant() && (m == 1 || !out.slope_r);
    bool still = false;  // whether N is what it was one step later, under the same gain
    for (std::size_t t = T; t-- > 0;) {
        const std::size_t g = forward.gain_of[t];
        const Gain &gain = forward.gains[g];
        if (t + 1 < T) {
            const bool same = forward.gain_of[t + 1] == g;
            if (may_settle && same && still && t > 0 && forward.gain_of[t - 1] == g) {
                settle(gain, s_.A.at(0));
                t = run_settled(forward, t, out) + 1;
                still = false;
                continue;
            }
            N_later_ = N_;
            move(s_.A.at(first + t + 1));
        }
        take_back_row(gain, &forward.surprise[t * m], out);
        still = t + 1 < T && forward.gain_of[t + 1] == g && !gain.diffuse &&
                settled(N_.data(), N_later_.data(), n);
        store(gain, &forward.before[t * n], t, T, out);
        if (t > 0 && out.crossed()) {
            cross(gain, forward.gains[forward.gain_of[t - 1]], s_.A.at(first + t));
            add(X_, out.cross_sum);
            if (out.cross) std::copy(X_.begin(), X_.end(), out.cross + t * n * n);
        }
        if (t > 0 && out.slope_q)
            for (std::size_t i = 0; i < n; ++i)
                for (std::size_t j = 0; j < n; ++j)
                    out.slope_q[i * n + j] += 0.5 * (r_[i] * r_[j] - N_[i * n + j]);
    }
}

void Backward::take_back_row(const Gain &gain, const double *v, const Outputs &out) {
    const std::size_t n = s_.n;
    diffuse_ |= gain.diffuse;
    for (std::size_t i = gain.count; i-- > 0;) {
        const double *c = &gain.c[i * n], *k = &gain.k[i * n];
        const bool unbounded = gain.diffuse && gain.f_inf[i] > 0.0;
        const double share = unbounded ? 0.0 : 1.0 / gain.f[i];
        const double u = v[i] * share - dot(k, r_.data(), n);
        if (out.slope_r) {
            double spread = share;
            for (std::size_t j = 0; j < n; ++j) spread += k[j] * dot(&N_[j * n], k, n);
            out.slope_r[gain.which[i]] += 0.5 * (u * u - spread);
        }
        if (unbounded) {
            take_back_diffuse(gain, i, v[i]);
            continue;
        }
        for (std::size_t j = 0; j < n; ++j) r_[j] += c[j] * u;
        take_back(c, k, gain.f[i], N_.data(), room_.data(), n);
        if (!gain.diffuse) continue;
        // The parts of higher order pass through I - k c^T alone.
        const double one = dot(k, r_one_.data(), n);
        for (std::size_t j = 0; j < n; ++j) r_one_[j] -= c[j] * one;
        std::fill(X_.begin(), X_.end(), 0.0);
        for (std::size_t a = 0; a < n; ++a)
            for (std::size_t b = 0; b < n; ++b) X_[a * n + b] = (a == b) - c[a] * k[b];
        for (auto *part : {&N_one_, &N_two_}) {
            product(X_.data(), part->data(), room_.data(), n);
            transpose(X_.data(), spare_.data(), n, n);
            product(room_.data(), spare_.data(), part->data(), n);
        }
    }
}

// With L = I - k c^T and K = -k_one c^T (both transposed when seen backwards):
// r1 = c v / f_inf + L' r1 + K' r0 and so on, powers of the bound collected.
void Backward::take_back_diffuse(const Gain &gain, std::size_t i, double v) {
    const std::size_t n = s_.n;
    const double *c = &gain.c[i * n], *k = &gain.k[i * n], *k_one = &gain.k_one[i * n];
    const double f_inf = gain.f_inf[i], f_two = -gain.f[i] / (f_inf * f_inf);
    const double zero = dot(k, r_.data(), n), one = dot(k, r_one_.data(), n);
    const double tied = dot(k_one, r_.data(), n);
    for (std::size_t j = 0; j < n; ++j) {
        r_one_[j] += c[j] * (v / f_inf - one - tied);
        r_[j] -= c[j] * zero;
    }
    std::vector<double> L(n * n), K(n * n), L_t(n * n), K_t(n * n), zero_new(n * n), one_new(n * n),
        two_new(n * n), part(n * n), left(n * n);
    for (std::size_t a = 0; a < n; ++a)
        for (std::size_t b = 0; b < n; ++b)
            L[a * n + b] = (a == b) - k[a] * c[b], K[a * n + b] = -k_one[a] * c[b];
    transpose(L.data(), L_t.data(), n, n), transpose(K.data(), K_t.data(), n, n);
    const auto between = [&](const std::vector<double> &a, const std::vector<double> &M,
                             const std::vector<double> &b, std::vector<double> &to) {
        product(a.data(), M.data(), left.data(), n);
        product(left.data(), b.data(), part.data(), n);
        add(part, to.data());
    };
    std::vector<double> N_one_t(n * n);
    transpose(N_one_.data(), N_one_t.data(), n, n);
    between(L_t, N_, L, zero_new);
    between(L_t, N_one_, L, one_new), between(K_t, N_, L, one_new), between(L_t, N_, K, one_new);
    between(L_t, N_two_, L, two_new), between(L_t, N_one_t, K, two_new);
    between(K_t, N_one_, L, two_new), between(K_t, N_, K, two_new);
    for (std::size_t a = 0; a < n; ++a)
        for (std::size_t b = 0; b < n; ++b)
            one_new[a * n + b] += c[a] * c[b] / f_inf, two_new[a * n + b] += c[a] * c[b] * f_two;
    N_ = zero_new, N_one_ = one_new, N_two_ = two_new;
}

void Backward::move(const double *A) {
    const std::size_t n = s_.n;
    transpose(A, A_t_.data(), n, n);
    const auto turn = [&](std::vector<double> &r) {
        for (std::size_t i = 0; i < n; ++i) room_[i] = dot(&A_t_[i * n], r.data(), n);
        std::copy(room_.begin(), room_.begin() + n, r.begin());
    };
    turn(r_);
    spare_ = N_;
    sandwich(A_t_.data(), spare_.data(), nullptr, room_.data(), N_.data(), n);
    if (!diffuse_) return;
    turn(r_one_);
    for (auto *part : {&N_one_, &N_two_}) {
        product(A_t_.data(), part->data(), room_.data(), n);
        product(room_.data(), A, part->data(), n);
    }
}

void Backward::covariance(const Gain &gain) {
    const std::size_t n = s_.n;
    sandwich(gain.P.data(), N_.data(), nullptr, room_.data(), spare_.data(), n);
    for (std::size_t i = 0; i < n * n; ++i) V_[i] = gain.P[i] - spare_[i];
    if (!gain.diffuse) return;
    product(gain.P_inf.data(), N_one_.data(), room_.data(), n);
    product(room_.data(), gain.P.data(), spare_.data(), n);
    for (std::size_t i = 0; i < n; ++i)
        for (std::size_t j = 0; j < n; ++j) V_[i * n + j] -= spare_[i * n + j] + spare_[j * n + i];
    sandwich(gain.P_inf.data(), N_two_.data(), nullptr, room_.data(), spare_.data(), n);
    for (std::size_t i = 0; i < n * n; ++i) V_[i] -= spare_[i];
}

// Covariance of a state and the one before: (I - P N) A F, with F after the earlier numbers.
void Backward::cross(const Gain &later, const Gain &earlier, const double *A) {
    const std::size_t n = s_.n;
    product(A, earlier.F.data(), spare_.data(), n);
    product(N_.data(), spare_.data(), room_.data(), n);
    product(later.P.data(), room_.data(), X_.data(), n);
    for (std::size_t i = 0; i < n * n; ++i) X_[i] = spare_[i] - X_[i];
}

void Backward::store(const Gain &gain, const double *before, std::size_t t, std::size_t T,
                     const Outputs &out) {
    const std::size_t n = s_.n;
    if (out.mean)
        for (std::size_t i = 0; i < n; ++i) {
            double sum = before[i] + dot(&gain.P[i * n], r_.data(), n);
            if (gain.diffuse) sum += dot(&gain.P_inf[i * n], r_one_.data(), n);
            out.mean[t * n + i] = sum;
        }
    if (!out.cov && !out.all) return;
    covariance(gain);
    if (out.cov) std::copy(V_.begin(), V_.end(), out.cov + t * n * n);
    add(V_, out.all);
    if (t == 0) add(V_, out.first);
    if (t + 1 == T) add(V_, out.last);
}

void Backward::settle(const Gain &gain, const double *A) {
    const std::size_t n = s_.n, m = s_.m;
    transpose(A, A_t_.data(), n, n);
    std::vector<double> D = A_t_;
    for (std::size_t i = m; i-- > 0;) {
        const double *c = &gain.c[i * n], *k = &gain.k[i * n];
        std::fill(room_.begin(), room_.begin() + n, 0.0);
        for (std::size_t a = 0; a < n; ++a)
            for (std::size_t b = 0; b < n; ++b) room_[b] += k[a] * D[a * n + b];
        for (std::size_t a = 0; a < n; ++a)
            for (std::size_t b = 0; b < n; ++b) D[a * n + b] -= c[a] * room_[b];
        double *w = &W_[i * n];
        std::copy(c, c + n, w);
        for (std::size_t j = i; j-- > 0;) {
            const double inner = dot(&gain.k[j * n], w, n);
            for (std::size_t a = 0; a < n; ++a) w[a] -= gain.c[j * n + a] * inner;
        }
        for (std::size_t a = 0; a < n; ++a) w[a] /= gain.f[i];
    }
    transpose(D.data(), D_t_.data(), n, n);
    for (std::size_t i = 0; i < n; ++i) Ak_[i] = dot(A + i * n, gain.k.data(), n);
    covariance(gain);
    cross(gain, gain, A);
}

std::size_t Backward::run_settled(const Forward &forward, std::size_t t, const Outputs &out) {
    const std::size_t n = s_.n, m = s_.m, g = forward.gain_of[t];
    const Gain &gain = forward.gains[g];
    std::size_t end = t;  // the last step of the same gain before it, excluded
    while (end > 0 && forward.gain_of[end - 1] == g) --end;
    const double steps = double(t - end);
    add(V_, out.all, steps), add(X_, out.cross_sum, steps);
    add(N_, out.slope_q, -0.5 * steps);
    if (out.slope_r) {
        double spread = 1.0 / gain.f[0];
        for (std::size_t i = 0; i < n; ++i) spread += Ak_[i] * dot(&N_[i * n], Ak_.data(), n);
        out.slope_r[0] -= 0.5 * steps * spread;
    }
    const Still still{.n = n,
                      .m = m,
                      .D_t = D_t_.data(),
                      .W = W_.data(),
                      .P = gain.P.data(),
                      .V = V_.data(),
                      .X = X_.data(),
                      .Ak = Ak_.data(),
                      .f = gain.f[0],
                      .before = forward.before.data(),
                      .surprise = forward.surprise.data()};
    walk_back(t, end, still, r_.data(), room_.data(), out);
    return end;
}

}  // namespace margin::filters
