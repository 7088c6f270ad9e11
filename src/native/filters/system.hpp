// A linear Gaussian system: what a Kalman filter walks over.
#pragma once

#include <cstddef>

namespace margin::filters {

// One matrix for all steps (stride 0), or one for each row of the data.
struct Table {
    const double *data = nullptr;
    std::size_t stride = 0;

    const double *at(std::size_t row) const { return data + row * stride; }
    bool constant() const { return stride == 0; }
};

// x_0 ~ N(mean, cov + k diffuse), k without bound; x_t = A x_{t-1} + b + N(0, Q);
// y_t = C x_t + d + N(0, R). Matrices are dense, by rows.
struct System {
    std::size_t n = 0, m = 0;
    Table A, Q, C, R, b, d;
    const double *mean = nullptr, *cov = nullptr, *diffuse = nullptr;

    bool constant() const { return A.constant() && Q.constant() && C.constant() && R.constant(); }
};

}  // namespace margin::filters
