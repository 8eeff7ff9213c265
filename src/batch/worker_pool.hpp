#pragma once

#include <atomic>
#include <cstdint>
#include <thread>
#include <vector>

namespace footfall {

/// Threads that wait for work that all of them do at once. The caller of run() is worker 0.
class WorkerPool {
 public:
  /// Throws Error when the system has no more threads.
  explicit WorkerPool(int workers);
  ~WorkerPool();
  WorkerPool(const WorkerPool&) = delete;
  WorkerPool& operator=(const WorkerPool&) = delete;

  int size() const { return static_cast<int>(threads_.size()) + 1; }

  /// Calls work(worker) once on each thread, and returns when all calls have. They must not throw.
  template <class Work>
  void run(const Work& work) {
    static_assert(noexcept(work(0)), "an exception would end the program");
    start([](const void* any, int worker) { (*static_cast<const Work*>(any))(worker); }, &work);
    work(0);
    finish();
  }

 private:
  using Call = void (*)(const void* work, int worker);

  void start(Call call, const void* work);
  void finish();
  void serve(int worker);
  void stop();

  Call call_ = nullptr;
  const void* work_ = nullptr;
  std::atomic<bool> ends_{false};
  // On cache lines of their own: one is read by all while they wait, the other written by all as they finish.
  alignas(64) std::atomic<std::uint32_t> round_{0};
  alignas(64) std::atomic<int> busy_{0};
  std::vector<std::thread> threads_;
};

}  // namespace footfall
