#include "result.hpp"

#include <cstddef>
#include <type_traits>

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
  return recordsOf(contacts.data(), contacts.size(), type, self).attr("copy")();  // their number changes
}

nb::object solesOf(Self self) {
  static const nb::handle type = keptForever(soleType);
  auto& soles = resultOf(self).soles;
  return recordsOf(soles.data(), soles.size(), type, self);
}

/// The record of one sole.
nb::object soleNamed(Self self, const std::string& name) {
  const LastResult& last = *nb::inst_ptr<LastResult>(self);
  const FrameIndex frame = last.simulation.model().frame(name);
  const auto& soles = last.get().soles;
  for (std::size_t i = 0; i < soles.size(); ++i)
    if (soles[i].frame == frame) return solesOf(self)[i];
  throw nb::key_error(("the frame '" + name + "' has no contact points").c_str());
}

nb::object loopWrenches(Self self) {
  auto& wrenches = resultOf(self).loop_wrenches;
  double* first = wrenches.empty() ? nullptr : wrenches.front().data();
  return nb::cast(Array(first, {wrenches.size(), 6}, self));
}

}  // namespace

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

Its arrays are views: the next step overwrites them. Copy what you want to keep. Those of the contacts are copies.)")
      .def_prop_ro(
          "status", [](const LastResult& r) { return r.get().status; }, "worst of the solves of this step")
      .def_prop_ro(
          "impact", [](const LastResult& r) { return r.get().impact; }, "did velocities jump?")
      .def_prop_ro(
          "iterations", [](const LastResult& r) { return r.get().iterations; }, "of all the solves of this step")
      .def_prop_ro(
          "residual", [](const LastResult& r) { return r.get().residual; }, "largest of the solves [m/s]")
      .def_prop_ro("contacts", &contactsOf,
                   R"(The active contacts, as a numpy record array of their own; they belong to the start of the step.

candidate: number in model.candidate_names; gap [m]; p_WC: position in the world [m]; R_CW: rows are the contact's axes in the world;
force_C, force_W: mean force of the step in contact or world axes [N], which acts at force_p_W [m]; impulse_C, impulse_W: of the impact [N s];
velocity_C: relative to the surface at the end of the step [m/s]; friction: Coulomb coefficient [-];
mode: 0 open, 1 sticking, 2 sliding)")
      .def_prop_ro("soles", &solesOf, R"(All the contacts of a frame as one wrench, for each frame with contact points.

frame: its number in model.frame_names; wrench_F: force [N] and moment [N m] of the ground, in the frame's axes and about its origin;
impulse_F: of the impact [N s, N m s])")
      .def("sole", &soleNamed, "frame"_a, "The record of one sole.")
      .def_prop_ro("loop_wrenches", &loopWrenches,
                   "force [N] and moment [N m] of each loop on its second link, (loops × 6)")
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
          "nu_dot", [](Self self) { return viewOf(resultOf(self).nu_dot, self); },
          "mean acceleration of the step without impacts (nv) [m/s², rad/s²]")
      .def_prop_ro(
          "q_forces", [](Self self) { return viewOf(resultOf(self).q_forces, self); },
          "configuration that forces and nu_dot belong to: the middle of the step with second_order (nq)")
      .def_prop_ro(
          "nu_forces", [](Self self) { return viewOf(resultOf(self).nu_forces, self); },
          "velocity there (nv) [m/s, rad/s]")
      .def(
          "__bool__", [](const LastResult& r) { return r.get().status != SolveStatus::failed; },
          "Has the step worked?");
}

}  // namespace footfall::python
