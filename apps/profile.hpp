#pragma once

#include <chrono>
#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "footfall/block/diagram.hpp"
#include "footfall/step/step.hpp"

namespace footfall::command {

/// Where the time of a run goes: for each stage of the steps, and for each block of a diagram.
class Profile : public DiagramObserver {
 public:
  /// Steps of a simulation: hand stages() to it, and call these around each of its steps.
  StepProfile* stages() { return &stages_; }
  void beginStep();
  void endStep();

  /// Blocks of a diagram by their paths; `robot` is the number of the block in which the steps happen, or −1.
  void setBlocks(const std::vector<std::string>& paths, int robot);
  void begin(int block, Phase phase) override;
  void end(int block, Phase phase) override;

  /// Tables: calls, mean, total and share of each, the largest first.
  std::string text(double wall_seconds) const;

  /// A flame graph for ui.perfetto.dev or chrome://tracing. Holds the first kMostEvents; throws LogError.
  void writeTrace(const std::string& path) const;
  bool traceIsWhole() const { return dropped_ == 0; }
  double traceSeconds() const;  ///< of the run that the trace covers

 private:
  using Clock = std::chrono::steady_clock;
  static constexpr std::size_t kMostEvents = 200'000;

  struct Total {
    std::int64_t calls = 0;
    double seconds = 0.0;
  };
  struct Event {
    int name;      ///< in names_
    Phase phase;   ///< of a block
    float length;  ///< [s]
    double start;  ///< [s]
  };

  double now() const { return std::chrono::duration<double>(Clock::now() - begin_).count(); }
  void add(int name, Phase phase, double start, double length);
  void addStages(double start);
  std::string memoryText() const;
  std::string table(const char* title, std::size_t first, std::size_t last, double wall_seconds) const;

  StepProfile stages_;
  Clock::time_point begin_ = Clock::now();
  double step_start_ = 0.0;
  std::vector<double> block_start_;  ///< of the evaluation under way
  int robot_ = -1;
  std::vector<std::string> names_ = stageNames();  ///< stages, the whole step, then blocks
  std::vector<Total> totals_ = std::vector<Total>(names_.size());
  std::vector<Event> events_;
  std::int64_t dropped_ = 0;

  static std::vector<std::string> stageNames();
};

/// The tables, and where the trace is; `trace` may be empty.
void printProfile(const Profile& profile, const std::string& trace, double wall_seconds);

}  // namespace footfall::command
