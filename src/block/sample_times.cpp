#include <fmt/format.h>

#include <cmath>
#include <numeric>
#include <utility>

#include "block/flat_diagram.hpp"
#include "footfall/base/error.hpp"

namespace footfall {
namespace {

using Kind = SampleTime::Kind;

std::int64_t ticksOf(double time, double step, const Diagram::BlockInfo& block, const char* what) {
  const double ticks = time / step;
  const double whole = std::round(ticks);
  // Periods are written with a few digits ("10 ms"): what is no multiple is off by far more than rounding. Numbers that
  // skip whole ones, or are none, are no multiples either.
  constexpr double kMost = 9007199254740992.0;
  if (!(std::abs(ticks - whole) <= 1e-6 * std::max(1.0, whole)) || std::abs(whole) > kMost)
    throw Error(
        block.where,
        fmt::format("block '{}': the {} {} s is no multiple of the diagram's step {} s", block.path, what, time, step),
        "choose a smaller step, or another period");
  return static_cast<std::int64_t>(whole);
}

void checkPeriod(const Diagram::BlockInfo& block, double step) {
  if (block.sample_time.kind != Kind::discrete) return;
  if (ticksOf(block.sample_time.period, step, block, "period") < 1)
    throw Error(block.where, fmt::format("block '{}': the period {} s is shorter than the diagram's step {} s",
                                         block.path, block.sample_time.period, step));
  ticksOf(block.sample_time.offset, step, block, "offset");
}

/// Both are due whenever one of them is.
SampleTime join(const SampleTime& a, const SampleTime& b, double step) {
  if (a.kind == Kind::constant) return b;
  if (b.kind == Kind::constant) return a;
  if (a.kind == Kind::continuous || b.kind == Kind::continuous) return SampleTime::continuous();
  const auto ticks = [&](double time) { return static_cast<std::int64_t>(std::round(time / step)); };
  const std::int64_t apart = std::abs(ticks(a.offset) - ticks(b.offset));
  const std::int64_t period = std::gcd(std::gcd(ticks(a.period), ticks(b.period)), apart);
  if (period == ticks(a.period)) return a;
  if (period == ticks(b.period)) return b;
  const std::int64_t offset = std::min(ticks(a.offset), ticks(b.offset)) % period;
  return SampleTime::discrete(static_cast<double>(period) * step, static_cast<double>(offset) * step);
}

/// Its outputs, or what it does, may change while its inputs stay the same.
bool changesByItself(const Diagram::BlockInfo& block) {
  return block.interface.discrete_states > 0 || block.interface.outputs.empty() || block.block->makeMemory();
}

class Resolver {
 public:
  Resolver(FlatDiagram& diagram, double step) : diagram_(diagram), step_(step) {}

  void run() {
    while (pass(true)) {
    }
    // What is left depends on itself around loops: take what is known from outside of them.
    while (pass(false)) {
    }
    for (FlatBlock& block : diagram_.blocks)
      if (open(block)) block.info.sample_time = SampleTime::continuous();
  }

 private:
  static bool open(const FlatBlock& block) { return block.info.sample_time.kind == Kind::inherited; }

  /// Settles blocks whose sources (all, or some) are settled; true when there was one.
  bool pass(bool all_sources) {
    for (FlatBlock& block : diagram_.blocks) {
      if (!open(block)) continue;
      const std::optional<SampleTime> inherited = inherit(block, all_sources);
      if (!inherited) continue;
      block.info.sample_time = *inherited;
      settled_ = true;
    }
    return std::exchange(settled_, false);
  }

  std::optional<SampleTime> inherit(const FlatBlock& block, bool all_sources) const {
    SampleTime joined = SampleTime::constant();
    int known = 0, connected = 0;
    for (const FlatInput& input : block.inputs) {
      if (!input.source) continue;
      ++connected;
      if (input.source->block >= 0 && open(diagram_.blocks[input.source->block])) {
        if (all_sources) return std::nullopt;
        continue;
      }
      ++known;
      joined = join(
          joined,
          input.source->block < 0 ? SampleTime::continuous() : diagram_.blocks[input.source->block].info.sample_time,
          step_);
    }
    if (connected == 0) return SampleTime::continuous();
    if (known == 0) return std::nullopt;
    if (joined.kind != Kind::constant) return joined;
    // What remembers something changes even where its inputs do not, and so do loops, which go through such a block.
    if (!all_sources) return std::nullopt;
    return changesByItself(block.info) ? SampleTime::continuous() : joined;
  }

  FlatDiagram& diagram_;
  double step_;
  bool settled_ = false;
};

}  // namespace

void resolveSampleTimes(FlatDiagram& diagram, double step) {
  for (const FlatBlock& block : diagram.blocks) checkPeriod(block.info, step);
  Resolver(diagram, step).run();
}

}  // namespace footfall
