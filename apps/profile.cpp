#include "profile.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <fstream>
#include <numeric>

#include "footfall/log/log.hpp"

namespace footfall::command {
namespace {

constexpr int kWholeStep = kStepStages;       ///< its place among the names
constexpr int kFirstBlock = kStepStages + 1;  ///< theirs

const char* phaseName(DiagramObserver::Phase phase) {
  switch (phase) {
    case DiagramObserver::Phase::outputs:
      return "outputs";
    case DiagramObserver::Phase::update:
      return "update";
    case DiagramObserver::Phase::derivatives:
      return "derivatives";
  }
  return "";
}

std::string duration(double seconds) {
  if (seconds >= 1.0) return fmt::format("{:.2f} s", seconds);
  if (seconds >= 1e-3) return fmt::format("{:.2f} ms", 1e3 * seconds);
  return seconds >= 1e-6 ? fmt::format("{:.2f} us", 1e6 * seconds) : fmt::format("{:.0f} ns", 1e9 * seconds);
}

/// Names of blocks come from files: nothing in them may end a JSON text.
std::string jsonText(const std::string& text) {
  std::string result;
  for (const char c : text)
    if (c != '"' && c != '\\' && static_cast<unsigned char>(c) >= 0x20) result += c;
  return result;
}

}  // namespace

std::vector<std::string> Profile::stageNames() {
  std::vector<std::string> names;
  for (int stage = 0; stage < kStepStages; ++stage) names.emplace_back(nameOf(static_cast<StepStage>(stage)));
  names.emplace_back("step");
  return names;
}

void Profile::beginStep() { step_start_ = now(); }

void Profile::endStep() {
  const double end = now();
  add(kWholeStep, Phase::update, step_start_, end - step_start_);
  addStages(step_start_);
}

void Profile::setBlocks(const std::vector<std::string>& paths, int robot) {
  robot_ = robot;
  names_.insert(names_.end(), paths.begin(), paths.end());
  totals_.resize(names_.size());
  block_start_.resize(paths.size());
}

void Profile::begin(int block, Phase) {
  if (block == robot_) stages_.seconds.fill(0.0);
  block_start_[static_cast<std::size_t>(block)] = now();
}

void Profile::end(int block, Phase phase) {
  const double end = now(), start = block_start_[static_cast<std::size_t>(block)];
  add(kFirstBlock + block, phase, start, end - start);
  const auto& stages = stages_.seconds;
  if (block != robot_ || std::all_of(stages.begin(), stages.end(), [](double s) { return s == 0.0; })) return;
  add(kWholeStep, Phase::update, start, std::accumulate(stages.begin(), stages.end(), 0.0));
  addStages(start);
}

void Profile::add(int name, Phase phase, double start, double length) {
  Total& total = totals_[static_cast<std::size_t>(name)];
  ++total.calls;
  total.seconds += length;
  if (events_.size() < kMostEvents)
    events_.push_back({name, phase, static_cast<float>(length), start});
  else
    ++dropped_;
}

/// The stages follow one another without gaps.
void Profile::addStages(double start) {
  for (int stage = 0; stage < kStepStages; ++stage) {
    const double length = stages_.seconds[static_cast<std::size_t>(stage)];
    if (length > 0.0) add(stage, Phase::update, start, length);
    start += length;
  }
}

std::string Profile::table(const char* title, std::size_t first, std::size_t last, double wall_seconds) const {
  std::vector<std::size_t> order;
  std::size_t width = std::strlen(title);
  for (std::size_t k = first; k < last; ++k) {
    if (totals_[k].calls == 0) continue;
    order.push_back(k);
    width = std::max(width, names_[k].size());
  }
  if (order.empty()) return "";
  std::stable_sort(order.begin(), order.end(),
                   [&](std::size_t a, std::size_t b) { return totals_[a].seconds > totals_[b].seconds; });
  std::string text =
      fmt::format("\n  {:<{}}  {:>10}  {:>10}  {:>10}  {:>6}\n", title, width, "calls", "mean", "total", "share");
  for (const std::size_t k : order)
    text += fmt::format("  {:<{}}  {:>10}  {:>10}  {:>10}  {:>5.1f}%\n", names_[k], width, totals_[k].calls,
                        duration(totals_[k].seconds / static_cast<double>(totals_[k].calls)),
                        duration(totals_[k].seconds), 100.0 * totals_[k].seconds / wall_seconds);
  return text;
}

std::string Profile::text(double wall_seconds) const {
  return table("block", kFirstBlock, names_.size(), wall_seconds) +
         table("stage of the step", 0, static_cast<std::size_t>(kFirstBlock), wall_seconds) +
         "  share: of the time that the run took\n" + memoryText();
}

std::string Profile::memoryText() const {
  if (stages_.growths == 0) return "  memory: no step made any\n";
  const std::string times = stages_.growths == 1 ? "once" : fmt::format("{} times", stages_.growths);
  return fmt::format("  memory: grew {} between stages of a step, to room for {} contacts and rows of joints\n", times,
                     stages_.room);
}

double Profile::traceSeconds() const { return events_.empty() ? 0.0 : events_.back().start; }

void Profile::writeTrace(const std::string& path) const {
  errno = 0;
  std::ofstream file(path);
  file << "{\"displayTimeUnit\": \"ns\", \"traceEvents\": [\n"
       << R"({"name": "process_name", "ph": "M", "pid": 1, "args": {"name": "footfall"}})";
  for (const Event& event : events_)
    file << fmt::format(
        ",\n"
        R"({{"name": "{}", "cat": "{}", "ph": "X", "pid": 1, "tid": 1, "ts": {:.3f}, "dur": {:.3f}}})",
        jsonText(names_[static_cast<std::size_t>(event.name)]),
        event.name < kFirstBlock ? "stage" : phaseName(event.phase), 1e6 * event.start, 1e6 * event.length);
  file << fmt::format("\n], \"otherData\": {{\"events that did not fit\": \"{}\"}}}}\n", dropped_);
  file.close();
  if (!file) throw LogError(path, fmt::format("the trace cannot be written: {}", std::strerror(errno)));
}

void printProfile(const Profile& profile, const std::string& trace, double wall_seconds) {
  fmt::print("{}", profile.text(wall_seconds));
  if (trace.empty()) return;
  const std::string covers =
      profile.traceIsWhole() ? "" : fmt::format(", the first {:.3g} s of the run", profile.traceSeconds());
  fmt::print("  {:<14} {}{}; open it in ui.perfetto.dev\n", "trace", trace, covers);
}

}  // namespace footfall::command
