#pragma once

#include <atomic>
#include <cstdint>
#include <thread>
#include <vector>

namespace footfall {

/// Threads that wait for work, which those do who are there in time. The caller of run() is worker 0, and never waits
/// for one that has not begun: on a busy machine a thread may take longer to wake up than all the work.
class WorkerPool {
 public:
  /// Throws Error when the system has no more threads.
  explicit WorkerPool(int workers);
  ~WorkerPool();
  WorkerPool(const WorkerPool&) = delete;
  WorkerPool& operator=(const WorkerPool&) = delete;

  int size() const { return static_cast<int>(threads_.size()) + 1; }

  /// Work comes soon: threads that sleep wake up and look out for it, for some hundred microseconds.
  void rouse() { wake(); }

  /// Calls work(worker) here and on threads that wake up meanwhile, and returns when all these calls have. Each call
  /// does what is left to do: when the one here returns, all work must have been taken. They must not throw.
  template <class Work>
  void run(const Work& work) {
    static_assert(noexcept(work(0)), "an exception would end the program");
    start([](const void* any, int worker) { (*static_cast<const Work*>(any))(worker); }, &work);
    work(0);
    finish();
  }

 private:
  using Call = void (*)(const void* work, int worker);

  void wake();
  void start(Call call, const void* work);
  void finish();
  void serve(int worker);
  void stop();

  bool enter();
  void leave();

  static constexpr std::uint32_t kOpen = 1u << 31;

  // On cache lines of their own: the first is written by all as they come and go, the second read by all while they
  // wait, with what they read next beside it.
  alignas(64) std::atomic<std::uint32_t> gate_{0};  ///< how many are at work, and kOpen while others may join them
  alignas(64) std::atomic<std::uint32_t> round_{0};
  std::atomic<bool> ends_{false};
  Call call_ = nullptr;
  const void* work_ = nullptr;
  std::vector<std::thread> threads_;
};

}  // namespace footfall
