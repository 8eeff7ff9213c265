#include <fmt/format.h>

#include <cerrno>
#include <chrono>
#include <cstring>
#include <fstream>
#include <random>

#include "footfall/base/cannot_write.hpp"
#include "footfall/batch/batch_simulation.hpp"
#include "footfall/log/log.hpp"
#include "interrupt.hpp"
#include "overrides.hpp"
#include "terminal.hpp"
#include "verbs.hpp"

namespace footfall::command {
namespace {

constexpr int kShownFailures = 3;
constexpr int kStepsPerCall = 10;  ///< between two looks at Ctrl-C

void spreadVelocities(const BatchOptions& options, BatchSimulation& batch) {
  if (options.spread == 0.0 || !batch.model().floating_base) return;
  std::mt19937 random(options.seed);
  std::uniform_real_distribution<double> speed(-options.spread, options.spread);
  BatchArray& nu = batch.values("nu");
  for (int world = 0; world < batch.copies(); ++world)
    for (int axis = 0; axis < 2; ++axis) nu(world, axis) += speed(random);
}

/// Steps that were made of each world.
int stepAll(int steps, BatchSimulation& batch) {
  int done = 0;
  while (done < steps && !interrupted()) {
    const int now = std::min(kStepsPerCall, steps - done);
    batch.step(now);
    done += now;
  }
  return done;
}

void writeStates(const std::string& path, BatchSimulation& batch) {
  errno = 0;
  std::ofstream file(path);
  file << "world,failed,time";
  for (const char* name : {"q", "nu"})
    for (int k = 0; k < batch.values(name).width(); ++k) file << fmt::format(",{}[{}]", name, k);
  for (int world = 0; world < batch.copies(); ++world) {
    file << fmt::format("\n{},{},{}", world, batch.status()[world] == SolveStatus::failed ? 1 : 0,
                        batch.values("time")(world, 0));
    for (const char* name : {"q", "nu"})
      for (const double value : batch.values(name).row(world)) file << fmt::format(",{}", value);  // to the last bit
  }
  file << "\n";
  file.close();
  if (!file) throw LogError(path, fmt::format("the states cannot be written: {}", std::strerror(errno)));
}

void reportFailures(BatchSimulation& batch) {
  int shown = 0;
  for (int world = 0; world < batch.copies() && shown < kShownFailures; ++world) {
    if (batch.status()[world] != SolveStatus::failed) continue;
    printError(fmt::format("world {}: {}", world, batch.describeFailure(world)));
    ++shown;
  }
}

}  // namespace

int batch(const BatchOptions& options) {
  const Scene scene = loadScene(options.scene, parseOverrides(options.overrides));
  if (!options.output.empty()) requireWritable(options.output, "the file of states");
  BatchSimulation batch(scene, {.copies = options.copies, .threads = options.threads});
  for (const std::string& warning : batch.warnings()) printWarning(warning);
  spreadVelocities(options, batch);
  endRunOnInterrupt();
  const auto begin = std::chrono::steady_clock::now();
  const int done = stepAll(options.steps, batch);
  const double seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
  const double steps = static_cast<double>(done) * batch.copies();
  const int failed = batch.failedWorlds();
  fmt::print("{} worlds, {} steps of {:g} s each, {} threads\n", batch.copies(), done, batch.settings().step,
             batch.threads());
  fmt::print("{:.4g} steps/s, {:.3g} us a step and thread, {:.3g} s of a robot in one\n", steps / seconds,
             1e6 * seconds * batch.threads() / steps, steps * batch.settings().step / seconds);
  fmt::print("{} failed worlds, {:.3g} kB a copy\n", failed, 1e-3 * static_cast<double>(batch.bytesPerCopy()));
  if (failed > 0) reportFailures(batch);
  if (!options.output.empty()) writeStates(options.output, batch);
  if (done < options.steps) return kInterrupted;
  return failed > 0 ? kRunFailed : kSuccess;
}

}  // namespace footfall::command
