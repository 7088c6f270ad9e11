// The exact path of the lasso, from breakpoint to breakpoint.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "columns/cholesky_rows.hpp"
#include "columns/lars_products.hpp"
#include "common/interrupt.hpp"

namespace margin {

struct LarsRules {
    double alpha_min;
    std::size_t max_iter;
    bool leaves;    // the lasso; least angle regression proper lets no column leave
    bool positive;  // coefficients of at least 0
};

enum LarsEvent : std::int64_t { entered = 0, left_out = 1, dependent = 2 };

template <typename Products>
class LarsWalk {
  public:
    std::vector<double> alphas, coefs;  // coefficients of one breakpoint after the other
    Places active;
    std::vector<std::int64_t> events;  // kind, column, kind, column …

    LarsWalk(Products products, std::size_t p, LarsRules rules)
        : products_(std::move(products)), p_(p), rules_(rules), w_(p), c_(p), rates_(p), signs_(p),
          norms_(p), usable_(p), tied_(p), waiting_(p), refused_(p) {
        double longest = 0.0;
        for (std::size_t j = 0; j < p_; ++j) {
            norms_[j] = products_.cross(j, j);
            longest = std::max(longest, norms_[j]);
        }
        for (std::size_t j = 0; j < p_; ++j)
            usable_[j] = norms_[j] > least_rest * least_rest * longest;
        products_.left(w_, c_.data());
    }

    void run(Interrupt &interrupt) {
        double alpha = 0.0;
        for (std::size_t j = 0; j < p_; ++j)
            if (usable_[j]) alpha = std::max(alpha, pull(j));
        const double first = alpha;
        record(alpha);
        while (alphas.size() <= rules_.max_iter && alpha > rules_.alpha_min && !interrupt.poll()) {
            for (std::size_t j = 0; j < p_; ++j) {
                tied_[j] = usable_[j] && pull(j) >= alpha - same * first;
                waiting_[j] = tied_[j] && w_[j] == 0.0;
            }
            choose();
            if (active.empty()) break;
            std::size_t leaver = active.size();
            const double step = reach(alpha, leaver);
            move(step, leaver);
            const bool end = step >= alpha - rules_.alpha_min;
            alpha = end ? rules_.alpha_min : alpha - step;
            record(alpha);
        }
    }

  private:
    static constexpr double least_rest = 1e-10, same = 1e-12, tie = 1e-9;

    double pull(std::size_t j) const { return rules_.positive ? c_[j] : std::abs(c_[j]); }

    void record(double alpha) {
        alphas.push_back(alpha);
        coefs.insert(coefs.end(), w_.begin(), w_.end());
    }

    void tell(LarsEvent kind, std::size_t j) {
        events.push_back(kind);
        events.push_back(std::int64_t(j));
    }

    // Which of the columns that have caught up go along. One at zero goes along if its coefficient
    // then moves away from zero with the sign of its product; it stays behind if its product then
    // falls at least as fast as alpha. Of two equal columns one goes along, the other stays, tied.
    void choose() {
        const Places before = active;
        std::size_t tries = 10;
        std::fill(refused_.begin(), refused_.end(), false);
        for (std::size_t j = 0; j < p_; ++j)
            if (waiting_[j]) {
                signs_[j] = double(c_[j] > 0.0) - double(c_[j] < 0.0);
                tries += 4;
            }
        turn();
        for (; tries > 0; --tries) {
            std::size_t back = active.size();
            double worst = -tie;
            for (std::size_t a = 0; a < active.size() && rules_.leaves; ++a) {
                const double away = direction_[a] * signs_[active[a]];
                if (waiting_[active[a]] && away < worst) worst = away, back = a;
            }
            if (back < active.size()) {
                drop(back);
                turn();
                continue;
            }
            const std::size_t j = laggard();
            if (j == p_) break;
            if (append(j))
                turn();
            else
                refused_[j] = true, tell(dependent, j);
        }
        for (std::size_t j : active)
            if (std::find(before.begin(), before.end(), j) == before.end()) tell(entered, j);
    }

    // The waiting column whose product falls most slowly, if it falls more slowly than alpha.
    std::size_t laggard() const {
        std::size_t best = p_;
        double least = 1.0 - tie;
        for (std::size_t j = 0; j < p_; ++j)
            if (waiting_[j] && !refused_[j] && signs_[j] * rates_[j] < least && !held(j))
                least = signs_[j] * rates_[j], best = j;
        return best;
    }

    bool held(std::size_t j) const {
        return std::find(active.begin(), active.end(), j) != active.end();
    }

    // Change of the active coefficients, and of all products, per unit of alpha.
    void turn() {
        direction_.resize(active.size());
        for (std::size_t a = 0; a < active.size(); ++a) direction_[a] = signs_[active[a]];
        factor_.solve(direction_);
        products_.along(active, direction_, rates_.data());
    }

    bool append(std::size_t j) {
        std::vector<double> cross(active.size());
        for (std::size_t a = 0; a < active.size(); ++a) cross[a] = products_.cross(active[a], j);
        if (!factor_.append(std::move(cross), norms_[j], least_rest)) return false;
        active.push_back(j);
        return true;
    }

    void drop(std::size_t k) {
        factor_.drop(k);
        active.erase(active.begin() + std::ptrdiff_t(k));
    }

    // Length of the segment, and which active coefficient reaches zero at its end, if any.
    double reach(double alpha, std::size_t &leaver) const {
        double step = alpha - rules_.alpha_min;
        std::vector<char> moves(p_);
        for (std::size_t j : active) moves[j] = true;
        for (std::size_t j = 0; j < p_; ++j) {
            if (!usable_[j] || moves[j]) continue;
            const double up = (alpha - c_[j]) / (1.0 - rates_[j]);
            const double down = (alpha + c_[j]) / (1.0 + rates_[j]);
            if (!(tied_[j] && c_[j] > 0.0) && up > 0.0) step = std::min(step, up);
            if (!rules_.positive && !(tied_[j] && c_[j] < 0.0) && down > 0.0)
                step = std::min(step, down);
        }
        for (std::size_t a = 0; a < active.size() && rules_.leaves; ++a) {
            const double zero = -w_[active[a]] / direction_[a];
            if (zero > 0.0 && zero < step) step = zero, leaver = a;
        }
        return step;
    }

    void move(double step, std::size_t leaver) {
        for (std::size_t a = 0; a < active.size(); ++a) w_[active[a]] += step * direction_[a];
        if (leaver < active.size()) {
            w_[active[leaver]] = 0.0;
            tell(left_out, active[leaver]);
            drop(leaver);
        }
        // Products are computed afresh, not updated: errors do not add up along the path.
        products_.left(w_, c_.data());
    }

    Products products_;
    std::size_t p_;
    LarsRules rules_;
    CholeskyRows factor_;
    std::vector<double> w_, c_, rates_, signs_, norms_, direction_;
    std::vector<char> usable_, tied_, waiting_, refused_;
};

}  // namespace margin
