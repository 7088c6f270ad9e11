// Ctrl-C inside long loops that have released the GIL.
#pragma once

#include <atomic>
#include <chrono>
#include <exception>
#include <thread>

#include "common/native.hpp"

namespace margin {

// Made in the thread that entered from Python. `poll` may be called from any thread, often: it asks
// Python for pending signals at most once in `pause`, in its own thread only, and is true from the
// first signal on. Loops then end early and `rethrow` raises what the signal handler raised.
class Interrupt {
  public:
    bool poll() {
        if (stopped_.load(std::memory_order_relaxed)) return true;
        if (std::this_thread::get_id() != owner_) return false;
        const auto now = std::chrono::steady_clock::now();
        if (now - last_ < pause) return false;
        last_ = now;
        nb::gil_scoped_acquire acquire;
        if (PyErr_CheckSignals() == 0) return false;
        error_ = std::make_exception_ptr(nb::python_error());
        stopped_.store(true, std::memory_order_relaxed);
        return true;
    }

    bool stopped() const { return stopped_.load(std::memory_order_relaxed); }

    // Outside of parallel regions: what the handler raised, if it was called.
    void rethrow() const {
        if (stopped()) std::rethrow_exception(error_);
    }

    // The same, but a keyboard interrupt is left to the caller, who has something to return.
    bool interrupted() const {
        if (!stopped()) return false;
        try {
            std::rethrow_exception(error_);
        } catch (const nb::python_error &error) {
            nb::gil_scoped_acquire acquire;
            if (!error.matches(PyExc_KeyboardInterrupt)) throw;
        }
        return true;
    }

  private:
    static constexpr std::chrono::milliseconds pause{30};
    const std::thread::id owner_ = std::this_thread::get_id();
    std::chrono::steady_clock::time_point last_ = std::chrono::steady_clock::now();
    std::atomic<bool> stopped_{false};
    std::exception_ptr error_;
};

}  // namespace margin
