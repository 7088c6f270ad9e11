// Room for a table that is kept from one use to the next.
#pragma once

#include <cstddef>
#include <memory>

namespace margin::chains {

// Numbers that are written before they are read: no time is spent on zeros.
class Numbers {
  public:
    double *hold(std::size_t size);

    double *data() const { return data_.get(); }

  private:
    struct Free {
        void operator()(double *numbers) const;
    };
    std::unique_ptr<double, Free> data_;
    std::size_t size_ = 0;
};

}  // namespace margin::chains
