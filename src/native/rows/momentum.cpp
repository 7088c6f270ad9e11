// Epochs of mini-batch steps that remember earlier gradients: averaged gradient, heavy ball,
// Nesterov's look-ahead, and steps scaled by running second moments (Adam).
#include <algorithm>
#include <cmath>
#include <vector>

#include "rows/steps.hpp"

namespace margin {
namespace {

enum class Memory : int { averaged = 0, heavy_ball = 1, nesterov = 2, adaptive = 3 };

struct Memories {
    Memory kind;
    double momentum, second, epsilon;
    std::int64_t taken;  // steps made before this epoch, for the correction of young averages
    double *first_state, *second_state;
};

// Mean gradient of a batch at `point`, penalty included; d = p + 1 with the intercept last.
template <typename Rows>
[[gnu::always_inline]] inline void batch_gradient(const Plan &plan, const Rows &rows,
                                                  std::size_t step, std::size_t p,
                                                  const double *point, double *f) {
    const std::size_t at = plan.first(step), size = plan.size(step);
    std::fill(f, f + p + 1, 0.0);
    double total = 0.0;
    for (std::size_t i = at; i < at + size; ++i) {
        const double g = plan.slope(plan.order[i], point[p] + rows.dot(plan.order[i], point));
        total += g;
        if (g != 0.0) rows.add(plan.order[i], g, f);
    }
    const double share = 1.0 / static_cast<double>(size);
    for (std::size_t j = 0; j < p; ++j) f[j] = share * f[j] + plan.l2 * point[j];
    f[p] = plan.intercept ? share * total : 0.0;
}

template <typename Rows>
[[gnu::always_inline]] inline void remembering_epoch(const Plan &plan, const Rows &rows,
                                                     std::size_t p, const Memories &memory,
                                                     double *w, double *f, double *look) {
    const std::size_t d = p + 1;
    const double mu = memory.momentum;
    double *u = memory.first_state, *q = memory.second_state;
    for (std::size_t k = 0; k < plan.steps; ++k) {
        const double rate = plan.rate[k];
        const double *point = w;
        if (memory.kind == Memory::nesterov) {
            for (std::size_t j = 0; j < d; ++j) look[j] = w[j] + mu * u[j];
            point = look;
        }
        batch_gradient(plan, rows, k, p, point, f);
        if (memory.kind == Memory::averaged) {
            for (std::size_t j = 0; j < d; ++j) {
                u[j] = (1.0 - mu) * u[j] + mu * f[j];
                w[j] -= rate * u[j];
            }
        } else if (memory.kind == Memory::adaptive) {
            const double t = static_cast<double>(memory.taken) + static_cast<double>(k) + 1.0;
            const double young = 1.0 - std::pow(mu, t);
            const double younger = std::sqrt(1.0 - std::pow(memory.second, t));
            for (std::size_t j = 0; j < d; ++j) {
                u[j] = mu * u[j] + (1.0 - mu) * f[j];
                q[j] = memory.second * q[j] + (1.0 - memory.second) * f[j] * f[j];
                w[j] -= rate * (u[j] / young) / (std::sqrt(q[j]) / younger + memory.epsilon);
            }
        } else {
            for (std::size_t j = 0; j < d; ++j) {
                u[j] = mu * u[j] - rate * f[j];
                w[j] += u[j];
            }
        }
    }
}

#define MARGIN_EPOCH(name, T)                                                                      \
    MARGIN_CLONES void name(const Plan &plan, const PlainRows<T> &rows, std::size_t p,             \
                            const Memories &memory, double *w, double *f, double *look) {          \
        remembering_epoch(plan, rows, p, memory, w, f, look);                                      \
    }                                                                                              \
    void run_epoch(const Plan &plan, const PlainRows<T> &rows, std::size_t p,                      \
                   const Memories &memory, double *w, double *f, double *look) {                   \
        name(plan, rows, p, memory, w, f, look);                                                   \
    }
MARGIN_EPOCH(remember_f64, double)
MARGIN_EPOCH(remember_f32, float)
#undef MARGIN_EPOCH

template <typename T, typename I>
void run_epoch(const Plan &plan, const CsrRows<T, I> &rows, std::size_t p, const Memories &memory,
               double *w, double *f, double *look) {
    remembering_epoch(plan, rows, p, memory, w, f, look);
}

struct Settings {
    int kind;
    double momentum, second, epsilon;
    std::int64_t taken;
};

template <typename Rows>
void remember(const Plan &plan, const Rows &rows, const Settings &set, const Vector<double> &w,
              const Vector<double> &first_state, const Vector<double> &second_state) {
    if (set.kind < 0 || set.kind > 3)
        throw std::invalid_argument("momentum: unknown kind of memory");
    if (w.size() == 0 || first_state.size() != w.size() || second_state.size() != w.size())
        throw std::invalid_argument("momentum: arrays of different shape");
    const Memories memory{static_cast<Memory>(set.kind),
                          set.momentum,
                          set.second,
                          set.epsilon,
                          set.taken,
                          first_state.data(),
                          second_state.data()};
    const std::size_t d = w.size();
    double *wp = w.data();
    nb::gil_scoped_release release;
    std::vector<double> f(d), look(d);
    run_epoch(plan, rows, d - 1, memory, wp, f.data(), look.data());
}

template <typename T>
void momentum_dense(int kind, double momentum, double second, double epsilon, std::int64_t taken,
                    int loss, double shape, Matrix<const T> X, Vector<const double> y,
                    std::optional<Vector<const double>> weight, Vector<const std::int64_t> order,
                    std::size_t batch, Rates rate, double l2, bool intercept, Vector<double> w,
                    Vector<double> first_state, Vector<double> second_state) {
    const Plan plan = make_plan({.loss = loss,
                                 .shape = shape,
                                 .y = y,
                                 .weight = weight,
                                 .order = order,
                                 .batch = batch,
                                 .rate = rate,
                                 .mix = std::nullopt,
                                 .l1 = 0.0,
                                 .l2 = l2,
                                 .intercept = intercept},
                                X.shape(0));
    if (w.size() != X.shape(1) + 1)
        throw std::invalid_argument("momentum: arrays of different shape");
    remember(plan, PlainRows<T>{X.data(), X.shape(1)}, {kind, momentum, second, epsilon, taken}, w,
             first_state, second_state);
}

template <typename T, typename I>
void momentum_sparse(int kind, double momentum, double second, double epsilon, std::int64_t taken,
                     int loss, double shape, Vector<const I> indptr, Vector<const I> indices,
                     Vector<const T> data, Vector<const double> y,
                     std::optional<Vector<const double>> weight, Vector<const std::int64_t> order,
                     std::size_t batch, Rates rate, double l2, bool intercept, Vector<double> w,
                     Vector<double> first_state, Vector<double> second_state) {
    const CsrRows<T, I> rows = csr_rows_of<T, I>(indptr, indices, data);
    const Plan plan = make_plan({.loss = loss,
                                 .shape = shape,
                                 .y = y,
                                 .weight = weight,
                                 .order = order,
                                 .batch = batch,
                                 .rate = rate,
                                 .mix = std::nullopt,
                                 .l1 = 0.0,
                                 .l2 = l2,
                                 .intercept = intercept},
                                indptr.size() - 1);
    remember(plan, rows, {kind, momentum, second, epsilon, taken}, w, first_state, second_state);
}

}  // namespace

void bind_momentum(nb::module_ &m) {
    for_tables([&]<typename T>() {
        m.def("momentum_dense", &momentum_dense<T>, nb::arg("kind"), nb::arg("momentum"),
              nb::arg("second"), nb::arg("epsilon"), nb::arg("taken"), nb::arg("loss"),
              nb::arg("shape"), fixed("X"), fixed("y"), maybe("weight"), fixed("order"),
              nb::arg("batch"), fixed("rate"), nb::arg("l2"), nb::arg("intercept"), fixed("w"),
              fixed("first_state"), fixed("second_state"));
    });
    for_compressed([&]<typename T, typename I>() {
        m.def("momentum_sparse", &momentum_sparse<T, I>, nb::arg("kind"), nb::arg("momentum"),
              nb::arg("second"), nb::arg("epsilon"), nb::arg("taken"), nb::arg("loss"),
              nb::arg("shape"), fixed("indptr"), fixed("indices"), fixed("data"), fixed("y"),
              maybe("weight"), fixed("order"), nb::arg("batch"), fixed("rate"), nb::arg("l2"),
              nb::arg("intercept"), fixed("w"), fixed("first_state"), fixed("second_state"));
    });
}

}  // namespace margin
