#include "result.hpp"

#include <algorithm>
#include <cstddef>
#include <cstring>
#include <iterator>
#include <type_traits>

#include "footfall/base/error.hpp"
#include "footfall/base/suggest.hpp"
#include "views.hpp"

namespace footfall::python {
namespace {

using Self = nb::handle_t<LastResult>;

StepResult& resultOf(Self self) { return nb::inst_ptr<LastResult>(self)->get(); }

/// numpy.dtype of a C++ structure, field by field.
class RecordType {
 public:
  RecordType& field(const char* name, const char* format, std::size_t offset) {
    names_.append(name);
    formats_.append(format);
    offsets_.append(offset);
    return *this;
  }
  nb::object make(std::size_t size) const {
    nb::dict description;
    description["names"] = names_;
    description["formats"] = formats_;
    description["offsets"] = offsets_;
    description["itemsize"] = size;
    return nb::module_::import_("numpy").attr("dtype")(description);
  }

 private:
  nb::list names_, formats_, offsets_;
};

static_assert(std::is_standard_layout_v<ContactReport> && std::is_standard_layout_v<SoleReport>,
              "numpy looks into these structures by the offsets of their fields");
static_assert(sizeof(ContactMode) == 4 && sizeof(FrameIndex) == 4 && sizeof(Vector3d) == 24 && sizeof(Vector6d) == 48);

nb::object contactType() {
  return RecordType()
      .field("candidate", "i4", offsetof(ContactReport, candidate))
      .field("frame", "i4", offsetof(ContactReport, frame))
      .field("other", "i4", offsetof(ContactReport, other))
      .field("gap", "f8", offsetof(ContactReport, gap))
      .field("p_WC", "(3,)f8", offsetof(ContactReport, p_WC))
      .field("R_CW", "(3,3)f8", offsetof(ContactReport, R_WC))  // column by column here, row by row there
      .field("force_C", "(3,)f8", offsetof(ContactReport, force_C))
      .field("force_W", "(3,)f8", offsetof(ContactReport, force_W))
      .field("force_p_W", "(3,)f8", offsetof(ContactReport, force_p_W))
      .field("impulse_C", "(3,)f8", offsetof(ContactReport, impulse_C))
      .field("impulse_W", "(3,)f8", offsetof(ContactReport, impulse_W))
      .field("velocity_C", "(3,)f8", offsetof(ContactReport, velocity_C))
      .field("friction", "f8", offsetof(ContactReport, friction))
      .field("mode", "i4", offsetof(ContactReport, mode))
      .make(sizeof(ContactReport));
}

nb::object soleType() {
  return RecordType()
      .field("frame", "i4", offsetof(SoleReport, frame))
      .field("wrench_F", "(6,)f8", offsetof(SoleReport, wrench_F))
      .field("impulse_F", "(6,)f8", offsetof(SoleReport, impulse_F))
      .make(sizeof(SoleReport));
}

/// Never given back: it would have to happen before Python ends.
nb::handle keptForever(nb::object (*make)()) { return make().release(); }

nb::object contactsOf(Self self) {
  static const nb::handle type = keptForever(contactType);
  auto& contacts = resultOf(self).contacts;
  nb::object copy = recordsOf(contacts.data(), contacts.size(), type, self).attr("copy")();  // their number changes
  // Of two bodies it is a number for the solver alone, beyond all names; logs say −1, too.
  for (std::size_t i = 0; i < contacts.size(); ++i)
    if (contacts[i].other.valid()) copy[i]["candidate"] = -1;
  return copy;
}

nb::object solesOf(Self self) {
  static const nb::handle type = keptForever(soleType);
  auto& soles = resultOf(self).soles;
  return recordsOf(soles.data(), soles.size(), type, self);
}

/// The record of one sole.
nb::object soleNamed(Self self, const std::string& name) {
  const std::vector<std::string> names = nb::inst_ptr<LastResult>(self)->soleNames();
  const auto found = std::find(names.begin(), names.end(), name);
  if (found != names.end()) return solesOf(self)[found - names.begin()];
  const std::vector<std::string> to_come = nb::inst_ptr<LastResult>(self)->solesToCome();
  if (std::find(to_come.begin(), to_come.end(), name) != to_come.end())
    throw Error("result", "there is none of '" + name + "' so far: no step was made", "call step() first");
  throw Error("result", "no frame with contact points is called '" + name + "'",
              didYouMean(name, names.empty() ? to_come : names));
}

nb::object rowsOf(std::vector<Vector6d>& wrenches, Self self) {
  double* first = wrenches.empty() ? nullptr : wrenches.front().data();
  return nb::cast(Array(first, {wrenches.size(), 6}, self));
}

nb::object loopWrenches(Self self) { return rowsOf(resultOf(self).loop_wrenches, self); }
nb::object loopImpulses(Self self) { return rowsOf(resultOf(self).loop_impulses, self); }

template <class T>
nb::bytes bytesOf(const std::vector<T>& records) {
  return nb::bytes(records.data(), records.size() * sizeof(T));
}

template <class T>
std::vector<T> recordsFrom(nb::handle packed) {
  const auto bytes = nb::cast<nb::bytes>(packed);
  if (bytes.size() % sizeof(T) != 0) throw Error("result", "this pickle is damaged");
  std::vector<T> records(bytes.size() / sizeof(T));
  if (!records.empty()) std::memcpy(static_cast<void*>(records.data()), bytes.c_str(), bytes.size());
  return records;
}

/// All that Python sees of a result, for pickle. Bits survive.
nb::tuple pack(const LastResult& last) {
  const StepResult& r = last.get();
  return nb::make_tuple(static_cast<int>(r.status), r.impact, r.iterations, r.residual, bytesOf(r.contacts),
                        bytesOf(r.soles), last.soleNames(), bytesOf(r.loop_wrenches), r.loop_gap,
                        copyOf(r.joint_torque), copyOf(r.limit_torque), copyOf(r.friction_torque), copyOf(r.nu_dot),
                        copyOf(r.q_forces), copyOf(r.nu_forces), r.counters.solves,
                        std::vector<int>(r.counters.steps.begin(), r.counters.steps.end()), r.order,
                        copyOf(r.drive_torque), copyOf(r.drive_impulse), bytesOf(r.loop_impulses));
}

LastResult unpack(const nb::tuple& packed) {
  constexpr std::size_t kBefore = 18, kNow = 21;  // without what drives and loops took
  if (nb::len(packed) != kBefore && nb::len(packed) != kNow)
    throw Error("result", "this pickle does not hold a result of this version");
  StepResult r;
  r.status = static_cast<SolveStatus>(nb::cast<int>(packed[0]));
  r.impact = nb::cast<bool>(packed[1]);
  r.iterations = nb::cast<int>(packed[2]);
  r.residual = nb::cast<double>(packed[3]);
  r.contacts = recordsFrom<ContactReport>(packed[4]);
  r.soles = recordsFrom<SoleReport>(packed[5]);
  auto sole_names = nb::cast<std::vector<std::string>>(packed[6]);
  if (sole_names.size() != r.soles.size()) throw Error("result", "this pickle is damaged");
  r.loop_wrenches = recordsFrom<Vector6d>(packed[7]);
  r.loop_gap = nb::cast<double>(packed[8]);
  VectorXd* const vectors[] = {&r.joint_torque, &r.limit_torque, &r.friction_torque,
                               &r.nu_dot,       &r.q_forces,     &r.nu_forces};
  for (std::size_t i = 0; i < std::size(vectors); ++i) *vectors[i] = nb::cast<Numbers>(packed[9 + i]);
  r.counters.solves = nb::cast<int>(packed[15]);
  const auto steps = nb::cast<std::vector<int>>(packed[16]);
  if (steps.size() != r.counters.steps.size()) throw Error("result", "this pickle is damaged");
  std::copy(steps.begin(), steps.end(), r.counters.steps.begin());
  r.order = nb::cast<int>(packed[17]);
  if (nb::len(packed) == kBefore) return {std::move(r), std::move(sole_names)};
  r.drive_torque = nb::cast<Numbers>(packed[18]);
  r.drive_impulse = nb::cast<Numbers>(packed[19]);
  r.loop_impulses = recordsFrom<Vector6d>(packed[20]);
  return {std::move(r), std::move(sole_names)};
}

nb::typed<nb::dict, nb::str, int> solverStepsOf(const LastResult& last) {
  nb::dict steps;
  for (int k = 0; k < kSolverStages; ++k)
    steps[nameOf(static_cast<SolverStage>(k))] = last.get().counters.steps[static_cast<std::size_t>(k)];
  return steps;
}

std::string describe(const LastResult& last) {
  const StepResult& r = last.get();
  const nb::object status = nb::cast(r.status);
  return "<footfall.StepResult: " + nb::cast<std::string>(status.attr("name")) + ", " +
         std::to_string(r.contacts.size()) + " contacts" + (r.impact ? ", impact>" : ">");
}

}  // namespace

std::vector<std::string> LastResult::soleNames() const {
  if (kept_) return sole_names_;
  std::vector<std::string> names;
  for (const SoleReport& sole : get().soles) names.push_back(simulation_->model().frames[sole.frame].name);
  return names;
}

std::vector<std::string> LastResult::solesToCome() const {
  std::vector<std::string> names;
  if (simulation_ == nullptr || !get().soles.empty()) return names;
  for (const FrameIndex frame : simulation_->model().soles()) names.push_back(simulation_->model().frames[frame].name);
  return names;
}

void bindResult(nb::module_& module) {
  nb::enum_<SolveStatus>(module, "SolveStatus", "How well the contact problems of a step were solved.")
      .value("converged", SolveStatus::converged, "to the tolerance asked for")
      .value("inaccurate", SolveStatus::inaccurate, "not to the tolerance, but acceptable")
      .value("failed", SolveStatus::failed, "the state stays as it was");
  nb::enum_<ContactMode>(module, "ContactMode", nb::is_arithmetic(), "The `mode` of a contact.")
      .value("open", ContactMode::open)
      .value("sticking", ContactMode::sticking)
      .value("sliding", ContactMode::sliding);

  nb::class_<LastResult>(module, "StepResult", R"(What happened in the last step.

Its arrays are views: the next step overwrites them. Keep a copy() of the whole, or copies of arrays; those of the contacts are copies.
Copies and pickles belong to no simulation, and no step changes them.)")
      .def_prop_ro(
          "status", [](const LastResult& r) { return r.get().status; }, "worst of the solves of this step")
      .def_prop_ro(
          "impact", [](const LastResult& r) { return r.get().impact; }, "did velocities jump?")
      .def_prop_ro(
          "order", [](const LastResult& r) { return r.get().order; },
          "of the scheme in this step: 1 where something happened that no smooth motion has (docs/theory.md §5)")
      .def_prop_ro(
          "iterations", [](const LastResult& r) { return r.get().iterations; }, "of all the solves of this step")
      .def_prop_ro(
          "residual", [](const LastResult& r) { return r.get().residual; }, "largest of the solves [m/s]")
      .def_prop_ro(
          "solves", [](const LastResult& r) { return r.get().counters.solves; },
          "contact problems that were solved, also those whose result was not taken")
      .def_prop_ro("solver_steps", &solverStepsOf,
                   "steps of each stage of the native solver, by its name (docs/contact_solver.md)")
      .def_prop_ro("contacts", &contactsOf,
                   R"(The active contacts, as a numpy record array of their own; they belong to the start of the step.

frame, other: numbers in model.frame_names of what touches, and of what it touches, -1: the ground; candidate: number in model.candidate_names, -1
between two bodies; gap [m]; p_WC: position in the world [m]; R_CW: rows are the contact's axes in the world;
force_C, force_W: mean force of the step on `frame` in contact or world axes [N], which acts at force_p_W [m]; impulse_C, impulse_W: of the impact [N s];
velocity_C: relative to the surface at the end of the step [m/s]; friction: Coulomb coefficient [-];
mode: 0 open, 1 sticking, 2 sliding)")
      .def_prop_ro("soles", &solesOf, R"(All the contacts of a frame as one wrench, for each frame with contact points.

frame: its number in model.frame_names; wrench_F: force [N] and moment [N m] of the ground, in the frame's axes and about its origin;
impulse_F: of the impact [N s, N m s])")
      .def("sole", &soleNamed, "frame"_a, "The record of one sole.")
      .def_prop_ro("loop_wrenches", &loopWrenches,
                   R"(force [N] and moment [N m] of each loop on its second link, then of each tie, (loops × 6)

About the origin of its second frame, in the axes of its first one as it was named: those of the world, where that is the world.)")
      .def_prop_ro(
          "loop_gap", [](const LastResult& r) { return r.get().loop_gap; }, "largest of all loops [m]")
      .def_prop_ro(
          "joint_torque", [](Self self) { return viewOf(resultOf(self).joint_torque, self); },
          "by inputs, springs and damping (n) [N m or N]")
      .def_prop_ro(
          "limit_torque", [](Self self) { return viewOf(resultOf(self).limit_torque, self); },
          "of the joint limits (n) [N m or N]")
      .def_prop_ro(
          "friction_torque", [](Self self) { return viewOf(resultOf(self).friction_torque, self); },
          "of the joints' Coulomb friction (n) [N m or N]")
      .def_prop_ro(
          "drive_torque", [](Self self) { return viewOf(resultOf(self).drive_torque, self); },
          "what prescribed joints took to follow their motion (n) [N m or N]")
      .def_prop_ro(
          "drive_impulse", [](Self self) { return viewOf(resultOf(self).drive_impulse, self); },
          "what they took to keep their velocity in the impact (n) [N m s or N s]")
      .def_prop_ro("loop_impulses", &loopImpulses,
                   "impulse of each loop on its second link during the impact, (loops × 6) [N s, N m s]")
      .def_prop_ro(
          "nu_dot", [](Self self) { return viewOf(resultOf(self).nu_dot, self); },
          "mean acceleration of the step without impacts (nv) [m/s², rad/s²]")
      .def_prop_ro(
          "q_forces", [](Self self) { return viewOf(resultOf(self).q_forces, self); },
          "configuration that forces and nu_dot belong to: the middle of the step with second_order (nq)")
      .def_prop_ro(
          "nu_forces", [](Self self) { return viewOf(resultOf(self).nu_forces, self); },
          "velocity there (nv) [m/s, rad/s]")
      .def(
          "__bool__", [](const LastResult& r) { return r.get().status != SolveStatus::failed; }, "Has the step worked?")
      .def("__repr__", &describe)
      .def("copy", &LastResult::copy, "All of it, as it is now: later steps do not change it.")
      .def("__copy__", &LastResult::copy)
      .def(
          "__deepcopy__", [](const LastResult& r, const nb::dict&) { return r.copy(); }, "memo"_a,
          nb::sig("def __deepcopy__(self, memo: dict[int, object]) -> StepResult"))
      .def("__getstate__", &pack, nb::sig("def __getstate__(self) -> tuple[object, ...]"))
      .def(
          "__setstate__", [](LastResult& self, const nb::tuple& packed) { new (&self) LastResult(unpack(packed)); },
          nb::sig("def __setstate__(self, packed: tuple[object, ...], /) -> None"));
}

}  // namespace footfall::python
