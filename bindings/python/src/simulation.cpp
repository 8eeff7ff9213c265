#include "footfall/run/simulation.hpp"

#include <nanobind/stl/map.h>
#include <nanobind/stl/pair.h>
#include <nanobind/stl/unique_ptr.h>

#include <cstdint>
#include <optional>

#include "footfall/base/error.hpp"
#include "footfall/base/suggest.hpp"
#include "footfall/block/linearize.hpp"
#include "footfall/run/linearize.hpp"
#include "robot.hpp"
#include "sealed.hpp"
#include "views.hpp"

namespace footfall::python {
namespace {

nb::object render(Robot& robot, int width, int height, double azimuth, double elevation, std::optional<double> distance,
                  const std::optional<Numbers>& target) {
  PictureView view{azimuth, elevation, distance, std::nullopt};
  if (target) {
    requireNumbers("target", *target, 3);
    view.target = Vector3d(target->head<3>());
  }
  return robot.render(width, height, view);
}

using Row = nb::ndarray<double, nb::ndim<1>, nb::c_contig, nb::device::cpu>;
using ConstantRow = nb::ndarray<const double, nb::ndim<1>, nb::device::cpu>;

Eigen::Map<VectorXd> mapped(const Row& row) { return {row.data(), static_cast<Eigen::Index>(row.size())}; }

Eigen::Map<const VectorXd, 0, Eigen::InnerStride<>> mapped(const ConstantRow& row) {
  return {row.data(), static_cast<Eigen::Index>(row.size()), Eigen::InnerStride<>(row.stride(0))};
}

bool aim(Robot& robot, const ConstantRow& action, const ConstantRow& posture, double scale, const Row& clipped) {
  return robot.aim(mapped(action), mapped(posture), scale, mapped(clipped));
}

double look(const Robot& robot, const Row& seen) { return robot.look(mapped(seen)); }

Scene readScene(const std::string& source, bool is_text, const std::map<std::string, std::string>& set) {
  const std::vector<SceneOverride> overrides(set.begin(), set.end());
  return is_text ? parseScene(source, "scene", overrides) : loadScene(source, overrides);
}

/// What the robot and its sensors remember.
nb::bytes snapshot(Robot& robot) {
  const std::string bytes = sealed(robot.runner().save());
  return nb::bytes(bytes.data(), bytes.size());
}

void restore(Robot& robot, const nb::bytes& bytes) {
  robot.guard().requireNoOther();
  robot.simulationMoves();
  robot.runner().restore(unsealed({bytes.c_str(), bytes.size()}, "snapshot"), "snapshot");
}

nb::tuple readSensor(Robot& robot, const std::string& channel) {
  const SensorReading reading = robot.instrumented().read(channel);
  return nb::make_tuple(reading.time, copyOf(VectorXd(reading.values)));
}

std::vector<std::string> sensorChannels(Robot& robot) {
  std::vector<std::string> names;
  for (const SensorChannel& channel : robot.instrumented().sensors().channels()) names.push_back(channel.name);
  return names;
}

/// The command writes the log that a scene asks for; who is not told misses it after the run.
std::vector<std::string> warningsOf(const Robot& robot) {
  std::vector<std::string> warnings = robot.simulation().warnings();
  const SceneRun& run = robot.simulation().scene().run;
  if (!run.log.empty())
    warnings.push_back((run.where.empty() ? "" : run.where + ": ") + "run.log: '" + run.log +
                       "' is written by `footfall run` alone; here sim.run(log='" + run.log + "') writes it");
  return warnings;
}

/// What the scene says about a loop that is made while it runs.
const TieRequest& tieOfScene(const Robot& robot, const std::string& name) {
  std::vector<std::string> names;
  for (const TimedTie& tie : robot.simulation().world().robot().ties) {
    if (tie.request.name == name) return tie.request;
    names.push_back(tie.request.name);
  }
  throw Error("tie",
              "'" + name +
                  "' is given alone, and no loop of the scene that is made while it runs has this name; expected "
                  "two frames, or the name of a loop that is `commanded`, or has times",
              names.empty() ? "the scene has none: tie('first', 'second')" : suggestOrList(name, names));
}

TieImpact tieTogether(Robot& robot, const std::string& first, const std::optional<std::string>& second,
                      const std::optional<std::string>& joint, const std::optional<std::string>& name,
                      const std::optional<Numbers>& axis, std::optional<double> within) {
  robot.guard().requireNoOther();
  if (!second) {
    const TieRequest request = tieOfScene(robot, first);
    if (joint || name || axis || within)
      throw Error("tie", "'" + first + "' is a loop of the scene, which says joint, axis and how near it must be",
                  "give its name alone, or two frames");
    robot.simulationMoves();
    return robot.simulation().tie(request);
  }
  const std::string kind = joint.value_or("weld");
  TieRequest request{{first, *second}, name.value_or(""), loopKindNamed(kind), Vector3d::UnitZ()};
  if (within) request.within = *within;
  if (axis) {
    if (request.joint != LoopKind::hinge && request.joint != LoopKind::slider)
      throw Error("tie", "axis: it is given, but a " + kind + " has none", "hinges and sliders have one");
    requireNumbers("axis", *axis, 3);
    request.axis = axis->head<3>();
  }
  robot.simulationMoves();
  return robot.simulation().tie(request);
}

void releaseTie(Robot& robot, const std::string& name) {
  robot.guard().requireNoOther();
  robot.simulationMoves();
  robot.simulation().release(name);
}

std::vector<std::string> tieNames(const Robot& robot) {
  std::vector<std::string> names;
  for (const Loop& tie : robot.simulation().ties()) names.push_back(tie.name);
  return names;
}

void bindTieImpact(nb::module_& module) {
  nb::class_<TieImpact>(module, "TieImpact", "What making a tie took: an inelastic impact.")
      .def_ro("name", &TieImpact::name, "of the tie")
      .def_prop_ro(
          "impulse", [](const TieImpact& t) { return copyOf(VectorXd(t.impulse)); },
          "on the link of the second frame, about the origin and in the axes of the joint (6) [N s, N m s]")
      .def_ro("lost_energy", &TieImpact::lost_energy, "kinetic [J]")
      .def("__repr__", [](const TieImpact& t) {
        return "<footfall.TieImpact of '" + t.name + "', lost energy " + std::to_string(t.lost_energy) + " J>";
      });
}

void setState(Robot& robot, const NamedState& state) {
  robot.guard().requireNoOther();
  robot.simulationMoves();
  requireSameRobot(state.robot(), robot.simulation().model(), "state");
  if (&robot.state().get() != &state.get()) robot.simulation().setState(state.get());
}

/// A function of Python as a field of forces: it returns generalized forces.
ForceField fieldOf(nb::object function, int nv) {
  if (function.is_none()) return {};
  return [call = std::move(function), nv](const ForceInstant& at, VectorXd& tau) {
    const nb::gil_scoped_acquire gil;
    tau += numbersFrom("force field", call(at.time, copyOf(at.q), copyOf(at.nu)), nv);
  };
}

void setForceField(Robot& robot, nb::object function) {
  robot.guard().requireNoOther();
  robot.simulation().setForceField(fieldOf(std::move(function), robot.simulation().model().nv()));
}

LinearSystem linearized(Robot& robot) {
  robot.guard().requireNoOther();
  robot.simulationMoves();
  LinearStep step = linearizeStep(robot.simulation());
  const Eigen::Index states = step.A.rows(), inputs = step.B.cols();
  std::vector<std::string> outputs = step.states;
  return {std::move(step.A),
          std::move(step.B),
          MatrixXd::Identity(states, states),
          MatrixXd::Zero(states, inputs),
          std::move(step.states),
          std::move(step.inputs),
          std::move(outputs),
          step.step};
}

}  // namespace

void bindSimulation(nb::module_& module) {
  static nb::exception<RunFailed> failed(module, "RunFailed", PyExc_RuntimeError);
  failed.attr("__doc__") = "A contact solve failed during run(); the state is that before the step.";
  constexpr auto kInside = nb::rv_policy::reference_internal;
  bindTieImpact(module);

  nb::class_<Robot>(module, "_Simulation", nb::is_weak_referenceable())
      .def(
          "__init__",
          [](Robot* self, const std::string& source, bool is_text, const std::map<std::string, std::string>& set,
             nb::object contact_model, nb::object integrator) {
            new (self) Robot(readScene(source, is_text, set), std::move(contact_model), std::move(integrator));
          },
          "source"_a, "is_text"_a, "set"_a, "contact_model"_a.none(), "integrator"_a.none())
      .def("step", &Robot::step, kInside, R"(One step; returns the result.

A failed solve is a value, not an exception: look at `result.status`. The state then stays as it was. A step that fails again from
there raises Error with the reason, so that a loop that nobody watches does not run for ever.)")
      .def(
          "set_force_field", &setForceField, "field"_a.none(),
          nb::sig(
              "def set_force_field(self, field: collections.abc.Callable[[float, numpy.typing.NDArray[numpy.float64], "
              "numpy.typing.NDArray[numpy.float64]], object] | None) -> None"),
          R"(Forces as a function of time and state: `field(time, q, nu)` returns generalized forces in the order of nu.

It is called wherever a step needs forces, several times a step where the integrator looks at several places, and must give
the same answer for the same arguments. None: no such forces.)")
      .def(
          "tie", &tieTogether, "first"_a, "second"_a = nb::none(), "joint"_a = nb::none(), "name"_a = nb::none(),
          "axis"_a = nb::none(), "within"_a = nb::none(),
          nb::sig("def tie(self, first: str, second: str | None = None, joint: str | None = None, name: str | None = "
                  "None, axis: numpy.typing.ArrayLike | None = None, within: float | None = None) -> TieImpact"),
          R"(Ties two frames together as they are to each other now: a hand that takes a ball. One of them may be "world".

One name alone is that of a loop of the scene that is `commanded`, or has times: its frames, joint and nearness are those of the scene.
`joint` is weld (the default), ball, hinge or slider, at the origin of the first frame; `axis` that of a hinge or a slider, in the first frame. What moves
against each other moves together at once: an inelastic impact. Raises Error where the two are farther apart than `within` (default: 0.01) [m], by their
collision shapes, where the name is taken, or where they are held together already. `release()` lets go.)")
      .def("release", &releaseTie, "name"_a, "Takes a tie away again, also one that the scene has made.")
      .def("_aim", &aim, "action"_a.noconvert(), "posture"_a.noconvert(), "scale"_a, "clipped"_a.noconvert())
      .def("_look", &look, "seen"_a.noconvert())
      .def_prop_ro("ties", &tieNames, "names of the ties that there are now")
      .def("_run", &Robot::run, "seconds"_a, "log"_a.none(), "controller"_a.none())
      .def_prop_ro(
          "time", [](const Robot& r) { return r.simulation().time(); }, "[s]")
      .def_prop_ro(
          "dt", [](const Robot& r) { return r.simulation().settings().step; }, "length of a step [s]")
      .def_prop_rw("state", &Robot::state, &setState, kInside,
                   "the present state; assigning copies. Its arrays are views that change with every step")
      .def_prop_ro("input", &Robot::input, kInside, "torques and wrenches that you add")
      .def_prop_ro("springs", &Robot::springs, kInside, "what holds the posture; None when the scene does not hold one")
      .def_prop_ro("result", &Robot::result, kInside, "of the last step")
      .def_prop_ro(
          "_model", [](Robot& r) -> const Model& { return r.simulation().model(); }, kInside)
      .def_prop_ro("dynamics", &Robot::dynamics, kInside,
                   "the physics engine at the present state, also where it is kept while the simulation goes on")
      .def_prop_ro("warnings", &warningsOf, "what was odd about the model file and the scene")
      .def_prop_ro(
          "duration", [](const Robot& r) { return r.simulation().scene().run.duration; }, "that the scene asks for [s]")
      .def("render", &render, "width"_a = 640, "height"_a = 480, "azimuth"_a = 0.7, "elevation"_a = 0.35,
           "distance"_a = nb::none(), "target"_a = nb::none(),
           nb::sig(
               "def render(self, width: int = 640, height: int = 480, azimuth: float = 0.7, elevation: float = 0.35, "
               "distance: float | None = None, target: numpy.typing.ArrayLike | None = None) -> "
               "numpy.typing.NDArray[numpy.uint8]"),
           R"(A picture of the robot on its ground as (height × width × 3) bytes; needs no screen.

The camera stands at an azimuth around the target and an elevation above it [rad], at a distance [m]; default: the whole robot, from
in front and above. The same state gives the same bits.)")
      .def("linearize", &linearized,
           R"(One step around the present state as x⁺ = A x + B u, by central differences of the whole step.

x: base position and orientation (about world axes) where it floats, joint positions, then their velocities, then torque and torque
rate of each motor that takes time, as differences from the present state; u: joint torques, which motors are commanded. Valid while
contacts neither open nor begin to slide. `result` is afterwards that of a trial.)")
      .def("snapshot", &snapshot, R"(State and sensors as bytes; restore() goes on from there bit for bit.

What acts from outside is not in it: `input`, `springs` and force fields stay as they are when it is restored. copy() and pickles have them, too.)")
      .def("restore", &restore, "snapshot"_a)
      .def_prop_ro("sensor_channels", &sensorChannels, "names of what the scene's sensors give")
      .def("read", &readSensor, "channel"_a,
           nb::sig("def read(self, channel: str) -> tuple[float, numpy.typing.NDArray[numpy.float64]]"),
           "The newest sample of a sensor that has arrived: (instant that was measured [s], values). Empty: none yet.")
      .def("describe_failure", [](const Robot& r) { return r.simulation().describeFailure(); });
}

}  // namespace footfall::python
