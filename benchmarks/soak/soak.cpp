// Drops ten robots in random postures, on all of their collision shapes, for as many steps as asked, and counts what
// went wrong; with --stones they fall on loose stones, and their links touch each other.
// The same numbers whatever the number of threads; times are those of the processor. A step that takes longer than a
// millisecond is made again from the same state, and the shortest time counts; in brackets is what was measured first.
//     soak [--steps N] [--robot NAME] [--seed S] [--threads T] [--integrator NAME] [--stones N] [--verbose]

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <exception>
#include <map>
#include <mutex>
#include <string>
#include <thread>
#include <vector>

#include "soak/drop.hpp"

namespace footfall::soak {
namespace {

constexpr int kStepsOfARun = 2000;

struct Options {
  double steps = 1e7;
  std::string robot;  ///< empty: all
  DropOptions drop;
  std::uint64_t seed = 0;
  unsigned threads = std::max(1u, std::thread::hardware_concurrency());
  bool verbose = false;
};

[[noreturn]] void explain(const std::string& problem) {
  std::fprintf(stderr,
               "soak: %s\n  use: soak [--steps N] [--robot NAME] [--seed S] [--threads T] [--integrator NAME] "
               "[--stones N] [--verbose]\n",
               problem.c_str());
  std::exit(2);
}

double numberOf(const char* name, const char* text) {
  char* end = nullptr;
  const double value = text != nullptr ? std::strtod(text, &end) : -1.0;
  if (text == nullptr || *end != '\0' || !(value >= 0.0)) explain(std::string(name) + " needs a number");
  return value;
}

Options read(int count, char** arguments) {
  Options options;
  for (int k = 1; k < count; ++k) {
    const std::string name = arguments[k];
    const char* value = k + 1 < count ? arguments[k + 1] : nullptr;
    if (name == "--verbose") {
      options.verbose = true;
      continue;
    }
    if (name == "--steps") {
      options.steps = numberOf("--steps", value);
    } else if (name == "--seed") {
      options.seed = static_cast<std::uint64_t>(numberOf("--seed", value));
    } else if (name == "--threads") {
      options.threads = std::max(1u, static_cast<unsigned>(numberOf("--threads", value)));
    } else if (name == "--robot" && value != nullptr) {
      options.robot = value;
    } else if (name == "--integrator" && value != nullptr) {
      options.drop.integrator = value;
    } else if (name == "--stones") {
      options.drop.stones = static_cast<int>(numberOf("--stones", value));
    } else {
      explain("'" + name + "' is not known");
    }
    ++k;
  }
  return options;
}

void print(const std::string& name, DropReport& report) {
  std::sort(report.times.begin(), report.times.end());
  std::sort(report.iterations.begin(), report.iterations.end());
  const auto of = [](const auto& sorted, double share) {
    return sorted.empty() ? 0.0
                          : 1.0 * sorted[static_cast<std::size_t>(share * static_cast<double>(sorted.size() - 1))];
  };
  const auto quantile = [&](double share) { return 1e6 * of(report.times, share); };
  std::printf(
      "%-9s %9lld steps  failed %lld  not finite %lld  above 1e-10 %lld (%.4f %%, worst %.1e m/s)  deepest %.1f um  "
      "gain %.2e J (%lld runs)  us median %.1f  99 %% %.0f  99.99 %% %.0f  slowest %.0f (%.0f)  above 1 ms "
      "%lld (%lld)  iterations median %.0f  99 %% %.0f  99.99 %% %.0f  most %.0f\n",
      name.c_str(), static_cast<long long>(report.steps), static_cast<long long>(report.failed),
      static_cast<long long>(report.not_finite), static_cast<long long>(report.inaccurate),
      report.steps > 0 ? 100.0 * static_cast<double>(report.inaccurate) / static_cast<double>(report.steps) : 0.0,
      report.largest_residual, 1e6 * report.deepest, report.energy_gain, static_cast<long long>(report.runs_that_gain),
      quantile(0.5), quantile(0.99), quantile(0.9999), 1e6 * report.slowest, 1e6 * report.slowest_once,
      static_cast<long long>(report.late), static_cast<long long>(report.late_once), of(report.iterations, 0.5),
      of(report.iterations, 0.99), of(report.iterations, 0.9999), of(report.iterations, 1.0));
}

/// Hands out runs to threads, and adds up what they report.
class Soak {
 public:
  explicit Soak(const Options& options) : options_(options) {
    for (const DropRobot& robot : kRobots)
      if (options.robot.empty() || options.robot == robot.name) robots_.push_back(&robot);
    if (robots_.empty()) explain("there is no robot '" + options.robot + "'");
    runs_ = static_cast<std::uint64_t>(std::max(1.0, options.steps / kStepsOfARun));
  }

  int run() {
    std::vector<std::thread> threads;
    for (unsigned k = 0; k < options_.threads; ++k) threads.emplace_back([this] { work(); });
    for (std::thread& thread : threads) thread.join();
    DropReport all;
    for (auto& [name, report] : reports_) {
      print(name, report);
      all.add(report);
    }
    print("all", all);
    for (const auto& [name, message] : refused_)
      std::printf("%-9s could not be loaded: %s\n", name.c_str(), message.c_str());
    return all.failed > 0 || !refused_.empty() ? 1 : 0;
  }

 private:
  void work() {
    for (;;) {
      std::uint64_t run;
      {
        const std::lock_guard lock(mutex_);
        if (next_ >= runs_) return;
        run = next_++;
      }
      make(*robots_[run % robots_.size()], options_.seed + run / robots_.size());
    }
  }

  void make(const DropRobot& robot, std::uint64_t seed) {
    try {
      Drop drop(robot, seed, options_.drop);
      const DropReport report = drop.run(kStepsOfARun);
      const std::lock_guard lock(mutex_);
      reports_[robot.name].add(report);
      if (options_.verbose || report.failed > 0)
        std::printf("%s seed %llu: slowest %.0f us  deepest %.1f um  above 1e-10 %lld  gain %.2e J  %s\n", robot.name,
                    static_cast<unsigned long long>(seed), 1e6 * report.slowest, 1e6 * report.deepest,
                    static_cast<long long>(report.inaccurate), report.energy_gain,
                    report.failed > 0 ? drop.simulation().describeFailure().c_str() : "");
    } catch (const std::exception& error) {
      const std::lock_guard lock(mutex_);
      refused_[robot.name] = error.what();
    }
  }

  const Options options_;
  std::vector<const DropRobot*> robots_;
  std::uint64_t runs_ = 0, next_ = 0;
  std::mutex mutex_;
  std::map<std::string, DropReport> reports_;
  std::map<std::string, std::string> refused_;
};

}  // namespace
}  // namespace footfall::soak

int main(int count, char** arguments) { return footfall::soak::Soak(footfall::soak::read(count, arguments)).run(); }
