#include <algorithm>
#include <atomic>
#include <exception>
#include <optional>
#include <string>
#include <thread>
#include <vector>

#include "footfall/base/error.hpp"
#include "footfall/batch/internal/worker_pool.hpp"
#include "robot.hpp"
#include "views.hpp"

namespace footfall::python {
namespace {

constexpr int kMostThreads = 1024;

int validThreads(std::optional<int> threads) {
  if (!threads) return std::max(1, static_cast<int>(std::thread::hardware_concurrency()));
  if (*threads < 1 || *threads > kMostThreads)
    throw Error("threads", "it is " + std::to_string(*threads) + ", expected 1 to " + std::to_string(kMostThreads));
  return *threads;
}

/// A simulation, and what it still has to do.
struct Task {
  Robot* robot;
  long long steps;
  bool failed = false;
  std::exception_ptr error;

  bool ended() const { return steps == 0 || failed || error; }

  void advance(long long portion) noexcept {
    try {
      failed = !robot->advance(portion);
    } catch (...) {
      error = std::current_exception();
    }
    steps -= portion;
  }
};

/// Threads that advance simulations beside the one that asks. They know nothing of Python: the GIL is released once for
/// all, where handing it over for each simulation takes as long as a third of a robot's twenty steps.
class Workers {
 public:
  explicit Workers(std::optional<int> threads) : pool_(validThreads(threads)) {}

  int threads() const { return pool_.size(); }
  /// Work comes soon: threads that sleep wake up meanwhile.
  void rouse() { pool_.rouse(); }
  std::vector<bool> run(const std::vector<Robot*>& robots, const std::vector<double>& seconds);

 private:
  void advanceAll(std::vector<Task>& tasks, long long portion);

  OneThread guard_{"workers"};
  WorkerPool pool_;
};

std::vector<Task> tasksOf(const std::vector<Robot*>& robots, const std::vector<double>& seconds) {
  if (robots.size() != seconds.size())
    throw Error("workers", "there are " + std::to_string(robots.size()) + " simulations and " +
                               std::to_string(seconds.size()) + " times");
  if (std::find(robots.begin(), robots.end(), nullptr) != robots.end())
    throw nb::type_error("one of the simulations is None");
  std::vector<Robot*> sorted = robots;
  std::sort(sorted.begin(), sorted.end());
  if (std::adjacent_find(sorted.begin(), sorted.end()) != sorted.end())
    throw Error("workers", "a simulation is named twice", "copy() makes another one");
  std::vector<Task> tasks;
  for (std::size_t i = 0; i < robots.size(); ++i)
    tasks.push_back({robots[i], robots[i]->stepsIn(seconds[i]), false, {}});
  return tasks;
}

void Workers::advanceAll(std::vector<Task>& tasks, long long portion) {
  const nb::gil_scoped_release others_may_run;
  std::atomic<std::size_t> next{0};
  pool_.run([&](int) noexcept {
    for (std::size_t i = next++; i < tasks.size(); i = next++)
      if (!tasks[i].ended()) tasks[i].advance(std::min(portion, tasks[i].steps));
  });
}

/// In portions, so that Ctrl-C does not have to wait for the last of many steps. What fails ends by itself, the others
/// go on; afterwards the first exception is thrown.
std::vector<bool> Workers::run(const std::vector<Robot*>& robots, const std::vector<double>& seconds) {
  constexpr long long kStepsBetweenSignals = 256;
  const OneThread::Turn turn(guard_);
  std::vector<Task> tasks = tasksOf(robots, seconds);
  while (!std::all_of(tasks.begin(), tasks.end(), [](const Task& task) { return task.ended(); })) {
    advanceAll(tasks, kStepsBetweenSignals);
    if (PyErr_CheckSignals() != 0) throw nb::python_error();
  }
  std::vector<bool> succeeded;
  for (const Task& task : tasks) {
    if (task.error) std::rethrow_exception(task.error);
    succeeded.push_back(!task.failed);
  }
  return succeeded;
}

}  // namespace

void bindWorkers(nb::module_& module) {
  nb::class_<Workers>(module, "_Workers", nb::is_weak_referenceable())
      .def(nb::init<std::optional<int>>(), "threads"_a.none())
      .def_prop_ro("threads", &Workers::threads, "that advance simulations, the caller's among them")
      .def("_rouse", &Workers::rouse)
      .def("_run", &Workers::run, "simulations"_a, "seconds"_a);
}

}  // namespace footfall::python
