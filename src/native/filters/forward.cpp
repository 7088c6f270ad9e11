#include "filters/forward.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "common/native.hpp"
#include "filters/dense.hpp"

namespace margin::filters {

namespace {

constexpr double log_two_pi = 1.8378770664093454836;
// Variances below this share of what they are the difference of are rounding.
constexpr double nothing = 1e-13;

// Rows of one sequence, with what moves and shifts them, and matrices that no longer change.
struct Still {
    std::size_t n, m;
    const double *Y;
    Table b, d;
    const double *A_t, *C_t, *E_t, *K_t, *f;
};

// The state, which moves along, and room for a row of numbers, its surprises and the next state.
struct Walker {
    double *a, *e, *v, *moved;
};

// What is kept of every step; what is absent is not.
struct Kept {
    double *before, *surprise, *after;
};

// Rows from `t` on that are complete, taken in with fixed gains; returns the first that is not.
MARGIN_CLONES
std::size_t walk(const Still &still, std::size_t t, std::size_t T, const Walker &walker,
                 const Kept &kept, double &squares) {
    const std::size_t n = still.n, m = still.m;
    const std::size_t b_stride = still.b.stride, d_stride = still.d.stride;
    const double *Y = still.Y, *b = still.b.data, *d = still.d.data, *f = still.f;
    const double *A_t = still.A_t, *C_t = still.C_t, *E_t = still.E_t, *K_t = still.K_t;
    const auto [a, e, v, moved] = walker;
    const auto [before, surprise, after] = kept;
    double total = 0.0;
    for (; t < T; ++t) {
        const double *y = Y + t * m, *shift = d + t * d_stride;
        bool complete = true;
        for (std::size_t i = 0; i < m; ++i) complete &= !std::isnan(y[i]);
        if (!complete) break;
        if (before)
            for (std::size_t j = 0; j < n; ++j) before[t * n + j] = a[j];
        for (std::size_t i = 0; i < m; ++i) e[i] = y[i] - shift[i], v[i] = 0.0;
        for (std::size_t k = 0; k < n; ++k)
            for (std::size_t i = 0; i < m; ++i) e[i] -= C_t[k * m + i] * a[k];
        for (std::size_t k = 0; k < m; ++k)
            for (std::size_t i = 0; i < m; ++i) v[i] += E_t[k * m + i] * e[k];
        for (std::size_t i = 0; i < m; ++i) total += v[i] * v[i] / f[i];
        if (surprise)
            for (std::size_t i = 0; i < m; ++i) surprise[t * m + i] = v[i];
        for (std::size_t k = 0; k < m; ++k)
            for (std::size_t j = 0; j < n; ++j) a[j] += K_t[k * n + j] * v[k];
        if (after)
            for (std::size_t j = 0; j < n; ++j) after[t * n + j] = a[j];
        if (t + 1 < T) {
            const double *push = b + (t + 1) * b_stride;
            for (std::size_t j = 0; j < n; ++j) moved[j] = push[j];
            for (std::size_t k = 0; k < n; ++k)
                for (std::size_t j = 0; j < n; ++j) moved[j] += A_t[k * n + j] * a[k];
            for (std::size_t j = 0; j < n; ++j) a[j] = moved[j];
        }
    }
    squares = total;
    return t;
}

}  // namespace

void Gain::shape(std::size_t n, std::size_t m) {
    P.resize(n * n), F.resize(n * n), c.resize(m * n), k.resize(m * n), f.resize(m);
    which.resize(m);
}

Forward::Forward(const System &system, std::size_t n_diffuse)
    : s_(system), seen_(s_), n_diffuse_(n_diffuse), a_(s_.n), P_(s_.n * s_.n), P_inf_(s_.n * s_.n),
      earlier_(s_.n * s_.n), room_(s_.n * s_.n), m_(s_.n), m_inf_(s_.n), values_(s_.m),
      moved_(s_.n), zero_(s_.m) {}

Gain &Forward::next_gain(bool keep) {
    const std::size_t at = keep ? n_gains++ : 0;
    if (gains.size() <= at) gains.emplace_back();
    Gain &gain = gains[at];
    gain.shape(s_.n, s_.m);
    gain.diffuse = false;
    return gain;
}

double Forward::run(const double *Y, std::size_t first, std::size_t T, bool keep, double *after) {
    const std::size_t n = s_.n, m = s_.m;
    n_gains = 0, left_ = s_.diffuse ? n_diffuse_ : 0, impossible = false;
    if (keep) gain_of.resize(T), before.resize(T * n), surprise.resize(T * m);
    std::copy(s_.mean, s_.mean + n, a_.begin());
    std::copy(s_.cov, s_.cov + n * n, P_.begin());
    if (left_) std::copy(s_.diffuse, s_.diffuse + n * n, P_inf_.begin());
    const bool may_settle = s_.constant();
    bool comparable = false;  // whether `earlier_` is the covariance one complete step ago
    double log_prob = 0.0;
    seen_.complete = false;
    std::vector<double> v(m);
    for (std::size_t t = 0; t < T;) {
        const std::size_t row = first + t;
        const double *y = Y + row * m;
        seen_.look(y, row);
        if (may_settle && comparable && seen_.complete && settled(P_.data(), earlier_.data(), n)) {
            settle(gains[keep ? n_gains - 1 : 0]);
            const std::size_t end = run_settled(Y, first, t, T, keep, after, log_prob);
            if (keep) std::fill(gain_of.begin() + t, gain_of.begin() + end, n_gains - 1);
            t = end, comparable = false;
            continue;
        }
        Gain &gain = next_gain(keep);
        if (keep) {
            gain_of[t] = n_gains - 1;
            std::copy(a_.begin(), a_.end(), before.begin() + t * n);
        }
        gain.P = P_;
        seen_.values(y, s_.d.at(row), values_.data());
        log_prob += take(gain, values_.data(), v.data());
        gain.F = P_;
        if (keep) std::copy(v.begin(), v.end(), surprise.begin() + t * m);
        if (after) std::copy(a_.begin(), a_.end(), after + t * n);
        comparable = seen_.complete && !gain.diffuse;
        if (comparable) earlier_ = gain.P;
        if (++t == T) break;
        const double *A = s_.A.at(first + t), *b = s_.b.at(first + t);
        for (std::size_t i = 0; i < n; ++i) moved_[i] = b[i] + dot(A + i * n, a_.data(), n);
        a_.swap(moved_);
        sandwich(A, gain.F.data(), s_.Q.at(first + t), room_.data(), P_.data(), n);
        if (left_) {
            std::vector<double> inner = P_inf_;
            sandwich(A, inner.data(), nullptr, room_.data(), P_inf_.data(), n);
        }
    }
    return impossible ? -std::numeric_limits<double>::infinity() : log_prob;
}

double Forward::take(Gain &gain, const double *values, double *v) {
    const std::size_t n = s_.n;
    double log_prob = 0.0;
    gain.count = seen_.count;
    std::copy(seen_.c.begin(), seen_.c.begin() + gain.count * n, gain.c.begin());
    std::copy(seen_.which().begin(), seen_.which().begin() + gain.count, gain.which.begin());
    gain.diffuse = left_ > 0;
    if (gain.diffuse) {
        gain.P_inf = P_inf_;
        gain.f_inf.assign(s_.m, 0.0), gain.k_one.assign(s_.m * n, 0.0);
    }
    for (std::size_t i = 0; i < gain.count; ++i) {
        const double *c = &gain.c[i * n];
        double *k = &gain.k[i * n];
        const double noise = seen_.noise[i], guess = dot(c, a_.data(), n);
        v[i] = values[i] - guess;
        double variance = 0.0, size = noise;
        for (std::size_t j = 0; j < n; ++j) {
            m_[j] = dot(&P_[j * n], c, n);
            variance += c[j] * m_[j], size += c[j] * c[j] * gain.P[j * n + j];
        }
        gain.f[i] = variance + noise;
        if (left_ && take_diffuse(gain, i, v[i], noise, log_prob)) continue;
        if (!(gain.f[i] > nothing * size)) {
            // Known already: it says nothing, or contradicts what is certain.
            const double reach = std::fabs(values[i]) + std::fabs(guess);
            if (std::fabs(v[i]) > 1e-6 * reach + 1e-300) impossible = true;
            gain.f[i] = std::numeric_limits<double>::infinity(), v[i] = 0.0;
            std::fill(k, k + n, 0.0);
            continue;
        }
        const double f = gain.f[i];
        log_prob -= 0.5 * (log_two_pi + std::log(f) + v[i] * v[i] / f);
        for (std::size_t j = 0; j < n; ++j) k[j] = m_[j] / f, a_[j] += k[j] * v[i];
        take_in(m_.data(), f, P_.data(), n);
    }
    return log_prob;
}

// Koopman's exact step for a number that tells of the part without bound.
bool Forward::take_diffuse(Gain &gain, std::size_t i, double v, double noise, double &log_prob) {
    const std::size_t n = s_.n;
    const double *c = &gain.c[i * n];
    double f_inf = 0.0, size = 0.0;
    for (std::size_t j = 0; j < n; ++j) {
        m_inf_[j] = dot(&P_inf_[j * n], c, n);
        f_inf += c[j] * m_inf_[j], size += c[j] * c[j] * gain.P_inf[j * n + j];
    }
    if (!(f_inf > 1e-10 * size) || !(size > 0.0)) return false;
    const double f = gain.f[i];
    double *k = &gain.k[i * n], *k_one = &gain.k_one[i * n];
    gain.f_inf[i] = f_inf;
    log_prob -= 0.5 * (log_two_pi + std::log(f_inf));
    for (std::size_t j = 0; j < n; ++j) {
        k[j] = m_inf_[j] / f_inf;
        k_one[j] = m_[j] / f_inf - m_inf_[j] * f / (f_inf * f_inf);
        a_[j] += k[j] * v;
    }
    // (I - k c) P (I - k c)^T + noise k k^T: definite by construction.
    for (std::size_t r = 0; r < n; ++r)
        for (std::size_t j = 0; j < n; ++j)
            P_[r * n + j] += k[r] * k[j] * f - m_[r] * k[j] - k[r] * m_[j];
    (void)noise;
    take_in(m_inf_.data(), f_inf, P_inf_.data(), n);
    if (--left_ == 0) std::fill(P_inf_.begin(), P_inf_.end(), 0.0);
    return true;
}

void Forward::settle(const Gain &gain) {
    const std::size_t n = s_.n, m = s_.m;
    fixed_.A_t.resize(n * n), fixed_.C_t.resize(n * m), fixed_.E_t.resize(m * m);
    transpose(s_.A.at(0), fixed_.A_t.data(), n, n);
    transpose(s_.C.at(0), fixed_.C_t.data(), m, n);
    fixed_.K_t = gain.k;  // by number: already what `add_times` wants
    // Column j of E: the surprises, one after the other, when only entry j of y - d - C a is 1.
    std::vector<double> unit(m), none(m, 0.0), out(m);
    for (std::size_t j = 0; j < m; ++j) {
        std::fill(unit.begin(), unit.end(), 0.0);
        unit[j] = 1.0;
        seen_.values(unit.data(), none.data(), out.data());
        std::vector<double> a(n, 0.0);
        for (std::size_t i = 0; i < m; ++i) {
            double *e = &fixed_.E_t[j * m + i];
            *e = out[i] - dot(&gain.c[i * n], a.data(), n);
            for (std::size_t r = 0; r < n; ++r) a[r] += gain.k[i * n + r] * *e;
        }
    }
    fixed_.log_det = 0.0;
    for (std::size_t i = 0; i < m; ++i)
        if (std::isfinite(gain.f[i])) fixed_.log_det += log_two_pi + std::log(gain.f[i]);
}

std::size_t Forward::run_settled(const double *Y, std::size_t first, std::size_t t, std::size_t T,
                                 bool keep, double *after, double &log_prob) {
    const std::size_t m = s_.m;
    const Gain &gain = gains[keep ? n_gains - 1 : 0];
    double squares = 0.0;
    std::vector<double> v(m);
    const Still still{.n = s_.n,
                      .m = m,
                      .Y = Y + first * m,
                      .b = {s_.b.at(first), s_.b.stride},
                      .d = {s_.d.at(first), s_.d.stride},
                      .A_t = fixed_.A_t.data(),
                      .C_t = fixed_.C_t.data(),
                      .E_t = fixed_.E_t.data(),
                      .K_t = fixed_.K_t.data(),
                      .f = gain.f.data()};
    const Walker walker{a_.data(), values_.data(), v.data(), moved_.data()};
    const Kept kept{keep ? before.data() : nullptr, keep ? surprise.data() : nullptr, after};
    const std::size_t end = walk(still, t, T, walker, kept, squares);
    log_prob -= 0.5 * (squares + double(end - t) * fixed_.log_det);
    return end;
}

}  // namespace margin::filters
