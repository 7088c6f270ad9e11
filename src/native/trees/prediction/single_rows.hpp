// Rows of double precision, rounded down to single precision for walks that read half the memory.
#pragma once

#include <vector>

#include "common/index.hpp"
#include "trees/prediction/packed_node.hpp"
#include "trees/prediction/wide_walk.hpp"

namespace margin::trees {

// A value and a threshold that are both rounded down compare as they did, unless they become the
// same number: then the value and the threshold themselves are asked.
struct Rounded {
    const double *rows = nullptr;  // as they were; null where rounding changed none
    Index stride = 0;
    const PackedNode *nodes = nullptr;
};

#ifdef MARGIN_WIDE_WALK

class SingleRows {
  public:
    __attribute__((target("avx512f,avx512dq,avx512vl"))) void fill(const double *rows, Index stride,
                                                                   Index n, Index columns) {
        rows_ = rows;
        row_stride_ = stride;
        stride_ = columns;
        values_.resize(n * columns + 8);
        __mmask8 changed = 0;
        for (Index i = 0; i < n; ++i)
            for (Index j = 0; j < columns; j += 8) {
                const __mmask8 own = columns - j < 8 ? (1U << (columns - j)) - 1 : 0xFF;
                const __m512d x = _mm512_maskz_loadu_pd(own, rows + i * stride + j);
                const __m256 f =
                    _mm512_cvt_roundpd_ps(x, _MM_FROUND_TO_NEG_INF | _MM_FROUND_NO_EXC);
                changed |= _mm512_cmp_pd_mask(_mm512_cvtps_pd(f), x, _CMP_NEQ_OQ);
                // What is written beyond the row is overwritten by the next one.
                _mm256_storeu_ps(values_.data() + i * columns + j, f);
            }
        changed_ = changed != 0;
    }

    bool empty() const { return values_.empty(); }
    const float *data() const { return values_.data(); }
    Index stride() const { return stride_; }
    Rounded rounded(const PackedNode *tree) const {
        return {changed_ ? rows_ : nullptr, row_stride_, tree};
    }

  private:
    std::vector<float> values_;
    const double *rows_ = nullptr;
    Index row_stride_ = 0, stride_ = 0;
    bool changed_ = false;
};

#else

class SingleRows {
  public:
    void fill(const double *, Index, Index, Index) {}
    bool empty() const { return true; }
    const float *data() const { return nullptr; }
    Index stride() const { return 0; }
    Rounded rounded(const PackedNode *) const { return {}; }
};

#endif

}  // namespace margin::trees
