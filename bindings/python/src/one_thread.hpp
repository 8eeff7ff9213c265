#pragma once

#include <atomic>
#include <string>
#include <thread>

#include "footfall/base/error.hpp"

namespace footfall::python {

/// Something that one thread steps at a time: a second one gets an error instead of a torn state.
class OneThread {
 public:
  explicit OneThread(std::string what) : what_(std::move(what)) {}
  /// A copy is another thing, which nobody steps yet.
  OneThread(const OneThread& other) : what_(other.what_) {}
  OneThread& operator=(const OneThread&) = delete;

  /// Held while steps are made.
  class Turn {
   public:
    explicit Turn(OneThread& guard) : guard_(guard) {
      std::thread::id nobody{};
      if (!guard_.owner_.compare_exchange_strong(nobody, std::this_thread::get_id())) guard_.refuse(nobody);
    }
    ~Turn() { guard_.owner_ = std::thread::id{}; }
    Turn(const Turn&) = delete;
    Turn& operator=(const Turn&) = delete;

   private:
    OneThread& guard_;
  };

  /// Throws while another thread makes steps. The one that does may go on: a controller sets a state between two steps.
  void requireNoOther() const {
    const std::thread::id owner = owner_;
    if (owner != std::thread::id{} && owner != std::this_thread::get_id()) refuse(owner);
  }

 private:
  [[noreturn]] void refuse(std::thread::id owner) const {
    if (owner == std::this_thread::get_id())
      throw Error(what_, "it is being stepped already, and what it calls (a controller, a part) wants to step it, too",
                  "step a copy() of it");
    throw Error(what_, "another thread is stepping it", "give each thread a " + what_ + " of its own");
  }

  std::string what_;
  std::atomic<std::thread::id> owner_{};
};

}  // namespace footfall::python
