#include "footfall/batch/internal/worker_pool.hpp"

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
  wake();
  for (std::thread& thread : threads_) thread.join();
}

void WorkerPool::wake() {
  round_.fetch_add(1, std::memory_order_release);
  round_.notify_all();
}

void WorkerPool::start(Call call, const void* work) {
  call_ = call;
  work_ = work;
  gate_.store(kOpen, std::memory_order_release);
  wake();
}

void WorkerPool::finish() {
  gate_.fetch_and(~kOpen, std::memory_order_acq_rel);
  for (std::uint32_t left = gate_.load(std::memory_order_acquire); left != 0;
       left = gate_.load(std::memory_order_acquire))
    waitWhile(gate_, left);
}

bool WorkerPool::enter() {
  std::uint32_t gate = gate_.load(std::memory_order_acquire);
  while ((gate & kOpen) != 0)
    if (gate_.compare_exchange_weak(gate, gate + 1, std::memory_order_acq_rel)) return true;
  return false;
}

void WorkerPool::leave() {
  if (gate_.fetch_sub(1, std::memory_order_acq_rel) == 1) gate_.notify_all();
}

void WorkerPool::serve(int worker) {
  for (std::uint32_t seen = 0;;) {
    waitWhile(round_, seen);
    seen = round_.load(std::memory_order_acquire);
    if (ends_) return;
    if (!enter()) continue;
    call_(work_, worker);
    leave();
  }
}

}  // namespace footfall
