// The best cut of a node whose rows lie one after another as codes of bins, for the squared loss.
//
// With the sum s and the weight w of a side, s^2 / w of both is what the means take away; a cut
// sends codes up to its own to the left. Rows that lie together let eight columns be summed by one
// look at a row; few rows are compared with each other, all columns at once, where registers are
// wide enough.
#pragma once

#include <cstdint>
#include <vector>

#include "trees/exact/scan.hpp"

namespace margin::trees::exact {

// Weight times target, and weight: of a row, a bin or a side.
struct Moment {
    double product, weight;
};

// Rows of a node: number i starts at codes + i * stride. Strides are multiples of 16, and what
// lies between the columns and the stride is zero.
struct CodedRows {
    const std::uint8_t *codes;
    Index n, stride;
    const Moment *moments;
};

struct Cut {
    double proxy = nothing;
    Index column = -1;
    std::int32_t code = 0;

    // The larger gain; of equal ones the first column.
    bool worse_than(double other, Index its_column) const {
        return column < 0 ? other > proxy
                          : proxy < other || (proxy == other && its_column < column);
    }
};

// What both sides must have, and what they have together.
struct CutRules {
    Index least_rows;
    double least_weight;
    Moment total;
};

constexpr Index cut_columns = 8;  // summed together

// Sums of one node by bin; memory that is clean before and after.
class BinSums {
  public:
    BinSums()
        : cells_(cut_columns * bins), seen_(cut_columns * bins), counts_(cut_columns * bins) {}

    // Looks at `n_columns` columns from `first` on, at most eight; `usable` may be null. Returns
    // how many of them differ among the rows.
    Index cut(const CodedRows &rows, Index first, Index n_columns, const std::uint8_t *usable,
              const CutRules &rules, Cut &best);

    static constexpr Index bins = 256;

  private:
    bool cut_column(Index place, Index column, Index n, const CutRules &rules, Cut &best);

    std::vector<Moment> cells_;
    std::vector<std::uint8_t> seen_;
    std::vector<std::uint32_t> counts_;
    double product_[bins], weight_[bins], proxy_[bins];
    std::uint32_t rows_left_[bins];
    std::uint8_t code_[bins];
};

// Whether rows are compared with each other, and up to how many.
bool few_rows_run();
constexpr Index few_rows = 32;

// The same answer for at most `few_rows` rows and all usable columns.
void cut_few(const CodedRows &rows, Index n_columns, const std::uint8_t *usable,
             const CutRules &rules, Cut &best);

}  // namespace margin::trees::exact
