#include "batch/worker_pool.hpp"

#include <fmt/format.h>

#include <system_error>

#include "footfall/base/error.hpp"

namespace footfall {
namespace {

/// Looks again a few thousand times before it sleeps: the next round mostly follows at once, and waking takes longer
/// than a small batch.
template <class Value>
void waitWhile(const std::atomic<Value>& variable, Value old) {
  constexpr int kLooks = 2000;
  for (int k = 0; k < kLooks; ++k) {
    if (variable.load(std::memory_order_acquire) != old) return;
#if defined(__x86_64__)
    __builtin_ia32_pause();
#endif
  }
  variable.wait(old, std::memory_order_acquire);
}

}  // namespace

WorkerPool::WorkerPool(int workers) {
  threads_.reserve(workers - 1);
  try {
    for (int worker = 1; worker < workers; ++worker) threads_.emplace_back([this, worker] { serve(worker); });
  } catch (const std::system_error& error) {
    stop();
    throw Error("threads", fmt::format("the system gave {} of {} threads: {}", size(), workers, error.what()),
                "ask for fewer");
  }
}

WorkerPool::~WorkerPool() { stop(); }

void WorkerPool::stop() {
  ends_ = true;
  start(nullptr, nullptr);
  for (std::thread& thread : threads_) thread.join();
}

void WorkerPool::start(Call call, const void* work) {
  call_ = call;
  work_ = work;
  busy_.store(static_cast<int>(threads_.size()), std::memory_order_relaxed);
  round_.fetch_add(1, std::memory_order_release);
  round_.notify_all();
}

void WorkerPool::finish() {
  for (int busy = busy_.load(std::memory_order_acquire); busy != 0; busy = busy_.load(std::memory_order_acquire))
    waitWhile(busy_, busy);
}

void WorkerPool::serve(int worker) {
  for (std::uint32_t seen = 0;; ++seen) {
    waitWhile(round_, seen);
    if (ends_) return;
    call_(work_, worker);
    if (busy_.fetch_sub(1, std::memory_order_acq_rel) == 1) busy_.notify_all();
  }
}

}  // namespace footfall
