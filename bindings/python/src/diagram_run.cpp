#include <nanobind/stl/filesystem.h>

#include <cmath>
#include <exception>
#include <filesystem>
#include <memory>
#include <optional>

#include "diagram.hpp"
#include "footfall/base/error.hpp"
#include "footfall/base/internal/steps_within.hpp"
#include "footfall/block/linearize.hpp"
#include "footfall/block_library/sinks.hpp"
#include "footfall/diagram/diagram_runner.hpp"
#include "one_thread.hpp"
#include "sealed.hpp"
#include "state.hpp"

namespace footfall::python {
namespace {

/// A diagram with all that it remembers.
class Running {
 public:
  explicit Running(MadeDiagram made) : made_(std::move(made)), runner_(std::make_unique<DiagramRunner>(made_.source)) {}
  /// Throws Error where a block cannot be copied.
  Running(const Running& other) : made_(other.made_), runner_(std::make_unique<DiagramRunner>(*other.runner_)) {}
  Running(Running&&) = default;
  Running& operator=(const Running&) = delete;
  ~Running() {
    try {
      if (runner_) runner_->finish();
    } catch (const std::exception& error) {  // nobody can catch it any more; it is told all the same
      PyErr_SetString(nb::module_::import_("footfall._core").attr("LogError").ptr(), error.what());
      PyErr_WriteUnraisable(nullptr);
    }
  }

  const MadeDiagram& made() const { return made_; }
  const Diagram& diagram() const { return made_.diagram(); }
  /// To be changed.
  Context& context() {
    guard_.requireNoOther();
    return runner_->context();
  }
  const Context& context() const { return runner_->context(); }
  std::string save() const { return runner_->save(); }
  void restore(const std::string& bytes) {
    guard_.requireNoOther();
    runner_->restore(bytes, "snapshot");
  }

  bool step() {
    const OneThread::Turn turn(guard_);
    requireOpen();
    const nb::gil_scoped_release others_may_run;
    return runner_->step();
  }

  bool run(double seconds, const std::optional<std::filesystem::path>& log_path);
  /// Completes what blocks write.
  void close() {
    const OneThread::Turn turn(guard_);
    closed_ = true;
    const nb::gil_scoped_release others_may_run;
    runner_->finish();
  }

  nb::object scope(const std::string& path);
  NamedState state();
  void setState(const NamedState& state);

 private:
  /// A step of a closed run would begin the files of its blocks anew.
  void requireOpen() const {
    if (closed_) throw Error("run", "it was closed, and makes no more steps", "diagram.start() begins another one");
  }
  bool runSteps(long long steps);
  DiagramRobot& robot() {
    guard_.requireNoOther();
    requireRobot(diagram());
    return *runner_->diagramRobot();
  }

  OneThread guard_{"run"};
  MadeDiagram made_;
  std::unique_ptr<DiagramRunner> runner_;  ///< null: it was moved from
  bool closed_ = false;
};

/// False when a block has stopped the run.
bool Running::runSteps(long long steps) {
  constexpr int kStepsBetweenSignals = 64;
  const nb::gil_scoped_release others_may_run;
  for (long long i = 0; i < steps; ++i) {
    if (!runner_->step()) return false;
    if (i % kStepsBetweenSignals != kStepsBetweenSignals - 1) continue;
    const nb::gil_scoped_acquire gil;
    if (PyErr_CheckSignals() != 0) throw nb::python_error();
  }
  return true;
}

/// Keeps what there is up to the failure.
void closeAfterFailure(DiagramRunner& runner) {
  try {
    runner.finishLog();
  } catch (...) {
    // Its last row fails as the step did, and that is reported already.
  }
}

bool Running::run(double seconds, const std::optional<std::filesystem::path>& log_path) {
  if (!std::isfinite(seconds) || seconds < 0.0)
    throw Error("run", "the time is " + std::to_string(seconds) + " s, expected zero or more");
  const OneThread::Turn turn(guard_);
  requireOpen();
  if (log_path) runner_->startLog(makeLog(log_path->string()));
  bool goes_on = false;
  try {
    goes_on = runSteps(stepsWithin(seconds, runner_->stepSize()));
  } catch (...) {
    closeAfterFailure(*runner_);
    throw;
  }
  runner_->finishLog();
  const nb::gil_scoped_release others_may_run;
  runner_->flush();  // who asked for two seconds looks for them in the files that blocks write
  return goes_on;
}

/// Times and samples of a Scope, copied.
nb::object Running::scope(const std::string& path) {
  const ScopeSamples& samples = scopeSamples(diagram(), context(), path);
  const std::size_t count = samples.count();
  VectorXd times(static_cast<Eigen::Index>(count));
  MatrixXd values(static_cast<Eigen::Index>(count), count == 0 ? 0 : samples.values(0).size());
  for (std::size_t k = 0; k < count; ++k) {
    times[static_cast<Eigen::Index>(k)] = samples.time(k);
    values.row(static_cast<Eigen::Index>(k)) = samples.values(k).transpose();
  }
  return nb::make_tuple(copyOf(times), copyOf(values));
}

NamedState Running::state() {
  const DiagramRobot& robot = this->robot();
  return {State(robot.state()), robot.model()};
}

void Running::setState(const NamedState& state) {
  requireSameRobot(state.robot(), robot().model(), "state");
  robot().setState(state.get());
}

/// Steps, and says aloud when a block has ended the run: nobody looks at a value that was not asked for.
bool runAndWarn(Running& run, double seconds, const std::optional<std::filesystem::path>& log) {
  const bool goes_on = run.run(seconds, log);
  if (!goes_on && PyErr_WarnEx(PyExc_RuntimeWarning, run.context().stopReason().c_str(), 1) != 0)
    throw nb::python_error();
  return goes_on;
}

nb::object signalView(nb::handle_t<Running> self, const std::string& path) {
  const Context& context = nb::inst_ptr<Running>(self)->context();
  const auto signal = context.signal(path);
  const SignalType type = context.signalType(path);
  using View = nb::ndarray<nb::numpy, const double>;
  if (type.kind != SignalType::Kind::matrix)
    return nb::cast(View(signal.data(), {static_cast<std::size_t>(signal.size())}, self));
  // Column by column in memory: who reshapes a row of numbers as numpy does would get another matrix.
  return nb::cast(View(signal.data(), {static_cast<std::size_t>(type.rows), static_cast<std::size_t>(type.columns)},
                       self, {1, type.rows}));
}

/// Shape of an input that is a matrix, (0, 0) of all others.
std::pair<int, int> matrixShape(const Running& run, const std::string& name) {
  for (const Diagram::Port& port : run.diagram().inputs())
    if (port.name == name && port.type.kind == SignalType::Kind::matrix) return {port.type.rows, port.type.columns};
  return {0, 0};
}

void setInput(Running& run, const std::string& name, const Numbers& values) {
  const auto [rows, columns] = matrixShape(run, name);
  if (rows > 0)
    throw Error(
        name, "it is a row of numbers, expected an array of " + std::to_string(rows) + " × " + std::to_string(columns));
  requireNumbers(name, values, values.size());
  run.context().setInput(name, static_cast<const VectorXd&>(values));
}

using Matrix = nb::ndarray<const double, nb::ndim<2>, nb::f_contig, nb::device::cpu>;

void setMatrix(Running& run, const std::string& name, const Matrix& values) {
  const auto [rows, columns] = matrixShape(run, name);
  const auto given_rows = static_cast<int>(values.shape(0)), given_columns = static_cast<int>(values.shape(1));
  const std::string given = std::to_string(given_rows) + " × " + std::to_string(given_columns);
  if (rows == 0) throw nb::type_error((name + ": it is an array of " + given + ", expected a row of numbers").c_str());
  if (rows != given_rows || columns != given_columns)
    throw Error(name,
                "it is an array of " + given + ", expected " + std::to_string(rows) + " × " + std::to_string(columns));
  const VectorXd numbers = Eigen::Map<const VectorXd>(values.data(), Eigen::Index{rows} * columns);
  requireNumbers(name, Numbers(numbers), numbers.size());
  run.context().setInput(name, numbers);
}

DiscreteBlocks heldWhere(bool hold_discrete) { return hold_discrete ? DiscreteBlocks::hold : DiscreteBlocks::refuse; }

nb::bytes save(const Running& run) {
  const std::string bytes = sealed(run.save());
  return nb::bytes(bytes.data(), bytes.size());
}

void load(Running& run, const nb::bytes& bytes) { run.restore(unsealed({bytes.c_str(), bytes.size()}, "snapshot")); }

nb::tuple reduce(const Running& run) {
  return nb::make_tuple(nb::module_::import_("footfall._diagram").attr("_run_again"),
                        nb::make_tuple(nb::cast(run.made()), save(run)));
}

void bindCopies(nb::class_<Running>& type) {
  type.def(
          "copy", [](const Running& r) { return Running(r); }, "Another run that goes on from here bit for bit.")
      .def("__copy__", [](const Running& r) { return Running(r); })
      .def(
          "__deepcopy__", [](const Running& r, const nb::dict&) { return Running(r); }, "memo"_a,
          nb::sig("def __deepcopy__(self, memo: dict[int, object]) -> DiagramRun"))
      .def("__reduce__", &reduce, nb::sig("def __reduce__(self) -> tuple[object, ...]"))
      .def("snapshot", &save, "All that it remembers, as bytes, exact to the last bit.")
      .def("restore", &load, "snapshot"_a, "Goes on from where snapshot() was called.");
}

}  // namespace

nb::object startRun(const MadeDiagram& made) { return nb::cast(Running(made)); }

void bindDiagramRun(nb::module_& module) {
  nb::class_<Running> type(module, "DiagramRun", R"(A diagram with its states, signals and time: `diagram.start()`.

One thread steps a run at a time; different runs, also of one diagram, go on in parallel. Copies, pickles and snapshots hold all
that it remembers; what its scopes have seen is no part of that.)");
  type.def("__repr__",
           [](const Running& r) {
             return "<footfall.DiagramRun of " + std::to_string(r.diagram().blocks().size()) +
                    " blocks at t = " + nb::cast<std::string>(nb::repr(nb::float_(r.context().time()))) + " s>";
           })
      .def("step", &Running::step, "One base step. False when a block has stopped the run: see stop_reason.")
      .def(
          "run", &runAndWarn, "seconds"_a, "log"_a = nb::none(),
          nb::sig("def run(self, seconds: float, log: str | os.PathLike[str] | None = None) -> bool"),
          R"(Steps for this long [s]. False, and a RuntimeWarning, when a block has stopped the run before: see stop_reason.

`log` is the path of a .csv, .mcap or .mat file: the robot and the signals that the diagram's `log` names; without a robot, all signals. Rows that
blocks `Log` have written can be read when it returns (not those of .mat files: see close()).)")
      .def("close", &Running::close,
           "Completes the files that blocks write (Log); raises LogError where that fails. No step follows. A run that "
           "is forgotten does it, too, and a failure is then printed only.")
      .def(
          "__enter__", [](nb::handle_t<Running> self) { return self; }, nb::sig("def __enter__(self) -> DiagramRun"))
      .def(
          "__exit__", [](Running& r, const nb::args&) { r.close(); },
          nb::sig("def __exit__(self, *raised: object) -> None"))
      .def_prop_ro(
          "diagram", [](const Running& r) { return r.made(); }, "what runs")
      .def_prop_ro(
          "time", [](const Running& r) { return r.context().time(); }, "of the states [s]")
      .def_prop_ro(
          "signal_time", [](const Running& r) { return r.context().signalTime(); }, "of the signals [s]")
      .def_prop_ro(
          "stop_reason", [](const Running& r) { return r.context().stopReason(); }, "empty while all is well")
      .def("signal", &signalView, "path"_a,
           nb::sig("def signal(self, path: str) -> numpy.typing.NDArray[numpy.float64]"),
           "'block.port' or 'block.port.field' as a view that changes with every step, a matrix as (rows × columns); "
           "`diagram.signals` lists them.")
      .def("set_input", &setInput, "name"_a, "values"_a, "An input of the diagram; kept until changed.")
      .def("set_input", &setMatrix, "name"_a, "values"_a, "One that is a matrix, as an array (rows × columns).")
      .def_prop_rw("state", &Running::state, &Running::setState,
                   "of the robot in the diagram, a copy; assigning one moves the robot and the clock")
      .def("scope", &Running::scope, "path"_a,
           nb::sig("def scope(self, path: str) -> tuple[numpy.typing.NDArray[numpy.float64], "
                   "numpy.typing.NDArray[numpy.float64]]"),
           "What a Scope has seen: times [s], and one row of numbers for each, of all its inputs.")
      .def(
          "linearize",
          [](Running& r, bool hold_discrete) { return linearize(r.diagram(), r.context(), heldWhere(hold_discrete)); },
          nb::kw_only(), "hold_discrete"_a = false,
          R"(A, B, C, D from the inputs of the diagram to its outputs, around the present continuous states.

Blocks whose states are not continuous (delays, discrete filters, a robot), or that run at discrete instants, are refused. With
`hold_discrete` their outputs stay as they are: what goes through them is left out.)")
      .def(
          "trim",
          [](Running& r, const std::vector<std::string>& free_inputs, double tolerance, bool hold_discrete) {
            return trim(r.diagram(), r.context(), free_inputs, tolerance, heldWhere(hold_discrete)).residual;
          },
          "free_inputs"_a = std::vector<std::string>{}, "tolerance"_a = 1e-10, nb::kw_only(), "hold_discrete"_a = false,
          "Goes to an operating point near the present one: all rates are zero there. May change continuous states and "
          "the named inputs; returns the largest rate that is left. `hold_discrete`: see linearize().");
  bindCopies(type);
}

}  // namespace footfall::python
