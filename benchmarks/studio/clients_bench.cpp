// What do twenty watching clients, one of which has stopped reading, cost a simulation that runs as fast as it can?
//
// Windows without, with and again without clients take turns, so that whatever else the machine does falls on all. Two
// answers: of the wall clock, which also counts what other programs take away and, on a machine with few cores, what
// server and clients themselves use; and of the time that the processor spent on the simulation's thread, which shows
// whether the simulation has more to do when it is watched. What the thread waited is told apart by the kernel: for a
// core, or for something else, such as a lock that the server holds.

#include <benchmark/benchmark.h>
#include <poll.h>

#include <algorithm>
#include <atomic>
#include <chrono>
#include <filesystem>
#include <fstream>
#include <set>
#include <stdexcept>
#include <thread>
#include <vector>

#include "studio/raw_client.hpp"
#include "studio/server/live_session.hpp"
#include "studio/server/studio.hpp"
#include "thread_time.hpp"
#include "tools/source_dir.hpp"

namespace footfall {
namespace {

using namespace std::chrono_literals;

constexpr int kClients = 20;
constexpr auto kWindow = 250ms;
constexpr auto kSettling = 50ms;  ///< after clients came or left

/// Nineteen clients that read all they get, and one that does not.
class Audience {
 public:
  explicit Audience(const std::string& url) {
    for (int k = 0; k < kClients; ++k) clients_.emplace_back(url);
    reader_ = std::thread([this] { read(); });
  }
  ~Audience() {
    leaving_ = true;
    reader_.join();
  }
  Audience(const Audience&) = delete;
  Audience& operator=(const Audience&) = delete;

 private:
  void read() {
    std::vector<pollfd> waiting;
    for (std::size_t k = 1; k < clients_.size(); ++k) waiting.push_back({clients_[k].socket(), POLLIN, 0});
    while (!leaving_) {
      poll(waiting.data(), waiting.size(), 20);
      for (std::size_t k = 1; k < clients_.size(); ++k) clients_[k].readAll();
    }
  }

  std::vector<studio::test::RawClient> clients_;
  std::atomic<bool> leaving_ = false;
  std::thread reader_;
};

/// What the kernel says about a thread of this process [s].
struct ThreadTimes {
  double running = 0.0;  ///< on a core
  double queued = 0.0;   ///< ready, but no core was free
};

ThreadTimes timesOf(const std::string& thread) {
  std::ifstream file("/proc/self/task/" + thread + "/schedstat");
  double running = 0.0, queued = 0.0;
  if (!(file >> running >> queued)) throw std::runtime_error("this kernel keeps no schedstat");
  return {1e-9 * running, 1e-9 * queued};
}

std::set<std::string> threads() {
  std::set<std::string> names;
  for (const auto& entry : std::filesystem::directory_iterator("/proc/self/task"))
    names.insert(entry.path().filename());
  return names;
}

/// What the simulation did in a window of time.
struct Window {
  double steps_per_second = 0.0;
  double steps_per_processor_second = 0.0;
  double queued = 0.0;   ///< share of the time in which it waited for a core
  double blocked = 0.0;  ///< share of the time in which it waited for something else
};

Window observe(const studio::Recording& recording, const std::string& thread) {
  const auto begin = std::chrono::steady_clock::now();
  const ThreadTimes before = timesOf(thread);
  const std::size_t first = recording.extent().end;
  std::this_thread::sleep_for(kWindow);
  const double steps = static_cast<double>(recording.extent().end - first);
  const ThreadTimes after = timesOf(thread);
  const double wall = std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
  const double running = after.running - before.running, queued = after.queued - before.queued;
  return {steps / wall, steps / running, queued / wall, std::max(0.0, wall - running - queued) / wall};
}

using bench::median;

void watchedByTwenty(benchmark::State& state) {
  studio::LiveOptions options;
  options.speed = 0.0;
  options.most_bytes = std::size_t{64} << 20;
  const std::set<std::string> others = threads();
  auto session = std::make_unique<studio::LiveSession>(sourceDir() + "/scenes/icub.yaml", std::move(options));
  const studio::Recording& recording = session->recording();
  std::set<std::string> added = threads();
  for (const std::string& thread : others) added.erase(thread);
  const std::string simulation = *added.begin();
  std::vector<std::unique_ptr<studio::Session>> sessions;
  sessions.push_back(std::move(session));
  studio::Studio studio(std::move(sessions));
  studio::WebServer server({}, studio);
  std::thread serving([&] { server.run(); });
  std::vector<double> steps, wall_ratios, processor_ratios, queued, blocked;
  Window before = observe(recording, simulation);
  for (auto _ : state) {
    Window watched;
    {
      const Audience audience(server.url());
      std::this_thread::sleep_for(kSettling);
      watched = observe(recording, simulation);
    }
    std::this_thread::sleep_for(kSettling);
    const Window after = observe(recording, simulation);
    const auto ratio = [&](double Window::*speed) { return watched.*speed / (0.5 * (before.*speed + after.*speed)); };
    steps.push_back(after.steps_per_second);
    wall_ratios.push_back(ratio(&Window::steps_per_second));
    processor_ratios.push_back(ratio(&Window::steps_per_processor_second));
    queued.push_back(watched.queued - 0.5 * (before.queued + after.queued));
    blocked.push_back(watched.blocked);
    before = after;
  }
  server.stop();
  serving.join();
  state.counters["asked"] = 0.95;
  state.counters["watched/alone"] = median(wall_ratios);
  state.counters["of processor time"] = median(processor_ratios);
  state.counters["more waiting for a core"] = median(queued);
  state.counters["waiting for locks"] = median(blocked);
  state.counters["steps/s alone"] = median(steps);
}
BENCHMARK(watchedByTwenty)->Iterations(25)->Unit(benchmark::kMillisecond)->UseRealTime();

}  // namespace
}  // namespace footfall
