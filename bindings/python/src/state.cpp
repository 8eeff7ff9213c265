#include "state.hpp"

#include <nanobind/stl/filesystem.h>
#include <nanobind/stl/tuple.h>

#include <cmath>
#include <filesystem>

#include "copies.hpp"
#include "footfall/base/error.hpp"
#include "footfall/model/loops.hpp"
#include "footfall/record/state_files.hpp"
#include "footfall/spatial/internal/same_bits.hpp"
#include "footfall/step/tie.hpp"
#include "views.hpp"

namespace footfall::python {
namespace {

using Self = nb::handle_t<NamedState>;

NamedState& stateOf(Self self) { return *nb::inst_ptr<NamedState>(self); }

/// Numbers of a further body in q (7) or ν (6).
Eigen::Index bodySize(const State& state, const VectorXd& all) { return &all == &state.q ? 7 : 6; }

Array jointsOf(Self self, VectorXd& all) {
  const State& state = stateOf(self).get();
  const auto n = static_cast<Eigen::Index>(stateOf(self).names()->size());
  return viewOf(all.data() + all.size() - n - bodySize(state, all) * state.free_bodies, n, self);
}

/// Of the further bodies, a row for each.
Array bodiesOf(Self self, VectorXd& all) {
  const State& state = stateOf(self).get();
  const auto rows = static_cast<std::size_t>(state.free_bodies),
             columns = static_cast<std::size_t>(bodySize(state, all));
  return Array(all.data() + all.size() - rows * columns, {rows, columns}, self);
}

JointValues namedJoints(Self self, VectorXd& all) { return {nb::cast(jointsOf(self, all)), stateOf(self).names()}; }

std::vector<double> numbersOf(const Pose& X) {
  std::vector<double> numbers(X.R.data(), X.R.data() + 9);
  numbers.insert(numbers.end(), X.p.data(), X.p.data() + 3);
  return numbers;
}

Pose poseOf(const std::vector<double>& numbers) {
  if (numbers.size() != 12) throw Error("state", "a tie of this pickle has no pose");
  Pose X;
  std::copy_n(numbers.data(), 9, X.R.data());
  std::copy_n(numbers.data() + 9, 3, X.p.data());
  return X;
}

using PackedTie = std::tuple<std::string, std::string, int, int, std::vector<double>, std::vector<double>, int, int>;

std::vector<PackedTie> packTies(const std::vector<Loop>& ties) {
  std::vector<PackedTie> packed;
  for (const Loop& tie : ties)
    packed.emplace_back(tie.name, nameOf(tie.kind), tie.link_a, tie.link_b, numbersOf(tie.X_AF), numbersOf(tie.X_BF),
                        tie.frame_a, tie.frame_b);
  return packed;
}

std::vector<Loop> unpackTies(const std::vector<PackedTie>& packed) {
  std::vector<Loop> ties;
  for (const auto& [name, kind, a, b, X_AF, X_BF, part_a, part_b] : packed)
    ties.push_back({name, loopKindNamed(kind), LinkIndex(a), LinkIndex(b), poseOf(X_AF), poseOf(X_BF),
                    FrameIndex(part_a), FrameIndex(part_b)});
  return ties;
}

/// Everything a state is, as plain numbers: for pickle. Bits survive.
nb::tuple pack(const NamedState& named) {
  const State& s = named.get();
  const Eigen::VectorXi& candidate = s.warm.candidate;
  return nb::make_tuple(s.time, copyOf(s.q), copyOf(s.nu), copyOf(s.motors),
                        std::vector<int>(candidate.data(), candidate.data() + candidate.size()), copyOf(s.warm.impulse),
                        s.warm.minimum_norm, *named.names(), s.count.start, s.count.steps, packTies(s.ties),
                        named.robot());
}

NamedState unpack(const nb::tuple& packed) {
  if (nb::len(packed) != 11 && nb::len(packed) != 12)
    throw Error("state", "this pickle does not hold a state of this version");
  State s;
  s.time = nb::cast<double>(packed[0]);
  s.q = nb::cast<Numbers>(packed[1]);
  s.nu = nb::cast<Numbers>(packed[2]);
  s.motors = nb::cast<Numbers>(packed[3]);
  const auto candidate = nb::cast<std::vector<int>>(packed[4]);
  s.warm.candidate = Eigen::Map<const Eigen::VectorXi>(candidate.data(), static_cast<Eigen::Index>(candidate.size()));
  s.warm.impulse = nb::cast<Numbers>(packed[5]);
  s.warm.minimum_norm = nb::cast<bool>(packed[6]);
  auto names = nb::cast<std::vector<std::string>>(packed[7]);
  s.count = {nb::cast<double>(packed[8]), nb::cast<std::int64_t>(packed[9])};
  s.ties = unpackTies(nb::cast<std::vector<PackedTie>>(packed[10]));
  const auto n = static_cast<Eigen::Index>(names.size());
  s.free_bodies = static_cast<int>((s.q.size() - 7 - n) / 7);
  if (s.q.size() < 7 + n || s.q.size() != 7 + n + 7 * s.free_bodies || s.nu.size() < n + 6 * s.free_bodies)
    throw Error("state", "the sizes in this pickle do not fit each other");
  return {std::move(s), std::make_shared<const std::vector<std::string>>(std::move(names)),
          nb::len(packed) == 12 ? nb::cast<std::string>(packed[11]) : ""};
}

bool sameState(const NamedState& a, const NamedState& b) {
  const State &s = a.get(), &t = b.get();
  return s.time == t.time && sameBits(s.q, t.q) && sameBits(s.nu, t.nu) && sameBits(s.motors, t.motors) &&
         s.warm.candidate.size() == t.warm.candidate.size() && s.warm.candidate == t.warm.candidate &&
         sameBits(s.warm.impulse, t.warm.impulse) && s.warm.minimum_norm == t.warm.minimum_norm && s.ties == t.ties;
}

void saveFile(const NamedState& state, const std::filesystem::path& path) {
  writeStateFile(path.string(), [&](std::ostream& out) { saveState(state.get(), state.robot(), out); });
}

NamedState loadFile(const std::filesystem::path& path, const Model& model) {
  std::ifstream file = openStateFile(path.string());
  return {loadState(model, file, path.string()), model};
}

void bindJointValues(nb::module_& module) {
  nb::class_<JointValues> type(
      module, "JointValues",
      R"(One number for each joint: `values["l_knee"]`, `values[3]`, or all as an array by `numpy.asarray(values)`.

Not a copy: what you write here arrives where it came from.)");
  type.def("__getitem__", &JointValues::get, "joint"_a)
      .def("__setitem__", &JointValues::set, "joint"_a, "value"_a)
      .def("__len__", [](const JointValues& v) { return v.names().size(); })
      .def(
          "__iter__", [](const JointValues& v) { return nb::iter(v.array()); },
          nb::sig("def __iter__(self) -> collections.abc.Iterator[float]"))
      .def("__contains__",
           [](const JointValues& v, const nb::object& name) {
             return nb::isinstance<nb::str>(name) &&
                    std::find(v.names().begin(), v.names().end(), nb::cast<std::string>(name)) != v.names().end();
           })
      .def(
          "__array__",
          [](const JointValues& v, nb::object dtype, nb::object copy) {
            return nb::module_::import_("numpy").attr("array")(v.array(), "dtype"_a = dtype, "copy"_a = copy);
          },
          "dtype"_a = nb::none(), "copy"_a = nb::none())
      .def("keys", &JointValues::names, "names of the joints")
      .def_prop_ro("values", &JointValues::array, "all of them, as a view")
      .def(
          "items", [](const JointValues& v) { return v.toDict().attr("items")(); },
          nb::sig("def items(self) -> collections.abc.ItemsView[str, float]"),
          "(name, number) of each: as of to_dict(), numbers and no view.")
      .def("to_dict", &JointValues::toDict, nb::sig("def to_dict(self) -> dict[str, float]"),
           "All of them by name: numbers, not a view.")
      .def("__repr__", [](const JointValues& v) { return nb::repr(v.toDict()); });
  refuseCopies(type, "JointValues are a view: keep their to_dict(), or a copy of the state");
}

/// For copies and pickles of a simulation.
nb::list packWrenches(const NamedInput& self) {
  nb::list all;
  for (const ExternalWrench& w : self.input.wrenches)
    all.append(nb::make_tuple(int{w.link}, copyOf(VectorXd(w.p_LP)), copyOf(VectorXd(w.wrench_W)), int{w.frame}));
  return all;
}

void unpackWrenches(NamedInput& self, const nb::list& packed) {
  std::vector<ExternalWrench> wrenches;
  for (const nb::handle entry : packed) {
    const auto [link, point, wrench, frame] = nb::cast<std::tuple<int, Numbers, Numbers, int>>(entry);
    requireNumbers("point of a wrench", point, 3);
    requireNumbers("wrench", wrench, 6);
    if (link < 0 || link >= static_cast<int>(self.model.links.size()) ||
        frame >= static_cast<int>(self.model.frames.size()))
      throw Error("wrench", "its link or frame is not one of this robot");
    wrenches.push_back({LinkIndex{link}, Vector3d(point), Vector6d(wrench), FrameIndex{frame}});
  }
  self.guard->requireNoOther();
  self.input.wrenches = std::move(wrenches);
}

void bindInput(nb::module_& module) {
  nb::class_<NamedInput> type(module, "Input", "What acts on the robot from outside of the scene; kept until changed.");
  type.def_prop_rw(
          "tau", [](nb::handle_t<NamedInput> self) { return viewOf(nb::inst_ptr<NamedInput>(self)->input.tau, self); },
          [](NamedInput& self, const Numbers& tau) { assign("tau", tau, self.input.tau); },
          "joint torques or forces, added to what the scene asks for; a view (n) [N m or N]")
      .def_prop_rw(
          "position",
          [](nb::handle_t<NamedInput> self) { return viewOf(nb::inst_ptr<NamedInput>(self)->input.position, self); },
          [](NamedInput& self, const Numbers& position) { assign("position", position, self.input.position); },
          "where prescribed joints are at the end of the next step, if the scene has no law for them; entries of "
          "others stay as they are: a step refuses them; a view (n) [rad or m]")
      .def_prop_rw(
          "velocity",
          [](nb::handle_t<NamedInput> self) { return viewOf(nb::inst_ptr<NamedInput>(self)->input.velocity, self); },
          [](NamedInput& self, const Numbers& velocity) { assign("velocity", velocity, self.input.velocity); },
          "how fast they move there: a position that moves with none is refused; a view (n) [rad/s or m/s]")
      .def_prop_ro(
          "joint",
          [](nb::handle_t<NamedInput> self) {
            NamedInput& input = *nb::inst_ptr<NamedInput>(self);
            return JointValues(nb::cast(viewOf(input.input.tau, self)), input.names);
          },
          "the same by name: `sim.input.joint['l_knee'] = 3.0`")
      .def(
          "add_wrench",
          [](NamedInput& self, const std::string& frame, const Numbers& force, const Numbers& moment,
             const Numbers& at) {
            requireNumbers("force", force, 3);
            requireNumbers("moment", moment, 3);
            requireNumbers("at", at, 3);
            const FrameIndex index = self.model.frame(frame);
            const Frame& f = self.model.frames[index];
            ExternalWrench wrench{f.link, f.X_LF * Vector3d(at), Vector6d::Zero(), index};
            wrench.wrench_W << force, moment;
            self.guard->requireNoOther();
            self.input.wrenches.push_back(wrench);
          },
          "frame"_a, "force"_a, "moment"_a = Numbers(Vector3d::Zero()), "at"_a = Numbers(Vector3d::Zero()),
          "A force [N] and moment [N m] in world axes, at a point of a frame or link [m], from now on.")
      .def("_get_wrenches", &packWrenches, nb::sig("def _get_wrenches(self) -> list[tuple[object, ...]]"))
      .def("_set_wrenches", &unpackWrenches, "wrenches"_a,
           nb::sig("def _set_wrenches(self, wrenches: list[tuple[object, ...]]) -> None"))
      .def(
          "clear_wrenches",
          [](NamedInput& self) {
            self.guard->requireNoOther();
            self.input.wrenches.clear();
          },
          "Takes away all that add_wrench() has added.")
      .def(
          "__len__", [](const NamedInput& self) { return self.input.wrenches.size(); }, "number of wrenches");
  refuseCopies(type, "the Input belongs to its simulation: copy that, or single arrays");
}

void bindSprings(nb::module_& module) {
  nb::class_<NamedSprings> type(module, "Springs", "What holds the posture: tau = stiffness (target − s) − damping ṡ.");
  const auto field = [&type](const char* name, VectorXd JointSprings::*values, const char* doc) {
    type.def_prop_rw(
        name,
        [values](nb::handle_t<NamedSprings> self) {
          return viewOf(nb::inst_ptr<NamedSprings>(self)->springs.*values, self);
        },
        [values, name](NamedSprings& self, const Numbers& given) { assign(name, given, self.springs.*values); }, doc);
  };
  field("stiffness", &JointSprings::stiffness, "a view (n) [N m/rad or N/m]");
  field("damping", &JointSprings::damping, "a view (n) [N m s/rad or N s/m]");
  field("target", &JointSprings::target, "a view (n) [rad or m]");
  type.def_prop_ro(
      "joint",
      [](nb::handle_t<NamedSprings> self) {
        NamedSprings& springs = *nb::inst_ptr<NamedSprings>(self);
        return JointValues(nb::cast(viewOf(springs.springs.target, self)), springs.names);
      },
      "the targets by name: `sim.springs.joint['l_knee'] = -0.6` [rad or m]");
  refuseCopies(type, "Springs belong to their simulation: copy that, or single arrays");
}

}  // namespace

void bindState(nb::module_& module) {
  bindJointValues(module);
  nb::class_<NamedState>(
      module, "State",
      R"(Everything that a simulation remembers. Copy it, pickle it, restore it: the run goes on bit for bit.

`simulation.state` is the state that the simulation is in: its arrays are views, and change with every step. A copy stays as it is.)")
      .def(
          "__init__", [](NamedState* self, const Model& model) { new (self) NamedState(makeState(model), model); },
          "model"_a, "The robot at rest at the origin, all joints at zero.")
      .def_prop_rw(
          "time", [](const NamedState& s) { return s.get().time; },
          [](NamedState& s, double time) {
            if (!std::isfinite(time))
              throw Error("time", "it is " + std::to_string(time) + ", expected a finite number");
            s.get().time = time;
          },
          "[s]")
      .def_prop_rw(
          "q", [](Self self) { return viewOf(stateOf(self).get().q, self); },
          [](NamedState& s, const Numbers& q) { assign("q", q, s.get().q); },
          "base position [m], quaternion (x, y, z, w), joints [rad or m], bodies; a view (nq)")
      .def_prop_rw(
          "nu", [](Self self) { return viewOf(stateOf(self).get().nu, self); },
          [](NamedState& s, const Numbers& nu) { assign("nu", nu, s.get().nu); },
          "base velocity [m/s] and angular velocity [rad/s] in world axes if the base floats, joints; a view (nv)")
      .def_prop_rw(
          "base_position", [](Self self) { return viewOf(stateOf(self).get().q.data(), 3, self); },
          [](NamedState& s, const Numbers& p) { assign("base_position", p, s.get().q.head(3)); },
          "of the base in the world; a view (3) [m]")
      .def_prop_rw(
          "base_quaternion", [](Self self) { return viewOf(stateOf(self).get().q.data() + 3, 4, self); },
          [](NamedState& s, const Numbers& x) {
            requireNumbers("base_quaternion", x, 4);
            if (!(x.norm() > 0.0)) throw Error("base_quaternion", "it is zero, expected a rotation");
            s.get().q.segment(3, 4) = x / x.norm();
          },
          "(x, y, z, w) of the base's rotation in the world; a view (4) [-]")
      .def_prop_ro(
          "base_pose", [](const NamedState& s) { return constant(copyOf(s.get().basePose())); },
          "X_WB, a copy: read-only; base_position and base_quaternion move the base (4 × 4) [-, m]")
      .def_prop_ro(
          "joint", [](Self self) { return namedJoints(self, stateOf(self).get().q); },
          "joint positions by name: `state.joint['l_knee']` [rad or m]")
      .def_prop_ro(
          "joint_velocity", [](Self self) { return namedJoints(self, stateOf(self).get().nu); },
          "joint velocities by name [rad/s or m/s]")
      .def_prop_ro(
          "bodies", [](Self self) { return bodiesOf(self, stateOf(self).get().q); },
          "position [m] and quaternion (x, y, z, w) of each further body, in the order of Model.bodies; a view "
          "(bodies × 7)")
      .def_prop_ro(
          "body_velocities", [](Self self) { return bodiesOf(self, stateOf(self).get().nu); },
          "velocity [m/s] and angular velocity [rad/s] of each further body, world axes; a view (bodies × 6)")
      .def_prop_ro(
          "motors", [](Self self) { return viewOf(stateOf(self).get().motors, self); },
          "torque [N m] and its rate [N m/s] of each motor; a view (2 × motors)")
      .def_prop_ro(
          "ties", [](const NamedState& s) { return namesOf(s.get().ties); },
          "names of the joints that Simulation.tie() or the scene has made, in the order of their making")
      .def_prop_ro("joint_names", [](const NamedState& s) { return *s.names(); })
      .def(
          "copy", [](const NamedState& s) { return s.copy(); }, "One of its own.")
      .def("__copy__", [](const NamedState& s) { return s.copy(); })
      .def(
          "__deepcopy__", [](const NamedState& s, nb::handle) { return s.copy(); }, "memo"_a)
      .def("save", &saveFile, "path"_a, nb::sig("def save(self, path: str | os.PathLike[str]) -> None"),
           "Writes a binary file, exact to the last bit.")
      .def_static("load", &loadFile, "path"_a, "model"_a,
                  nb::sig("def load(path: str | os.PathLike[str], model: Model) -> State"),
                  "Reads what save() or the command wrote.")
      .def(
          "__eq__",
          [](const NamedState& a, const nb::object& other) {
            return nb::isinstance<NamedState>(other) && sameState(a, nb::cast<const NamedState&>(other));
          },
          "other"_a)
      .def("__hash__",
           [](const NamedState&) -> int {
             throw nb::type_error("unhashable type: 'footfall.State' is compared by what it holds, which changes");
           })
      .def("__getstate__", &pack, nb::sig("def __getstate__(self) -> tuple[object, ...]"))
      .def(
          "__setstate__", [](NamedState& self, const nb::tuple& packed) { new (&self) NamedState(unpack(packed)); },
          nb::sig("def __setstate__(self, packed: tuple[object, ...], /) -> None"))
      .def("__repr__", [](const NamedState& s) {
        return "State(time=" + nb::cast<std::string>(nb::repr(nb::float_(s.get().time))) + ", " +
               std::to_string(s.names()->size()) + " joints)";
      });
  bindInput(module);
  bindSprings(module);
}

}  // namespace footfall::python
