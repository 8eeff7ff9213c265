#include "footfall/model/model.hpp"

#include <nanobind/stl/map.h>
#include <nanobind/stl/shared_ptr.h>
#include <nanobind/stl/tuple.h>

#include <filesystem>
#include <system_error>

#include "copies.hpp"
#include "footfall/base/error.hpp"
#include "footfall/robot_file/urdf.hpp"
#include "names.hpp"
#include "views.hpp"

namespace footfall::python {
namespace {

std::shared_ptr<Model> loadModel(const std::string& source, bool floating_base, std::vector<std::string> joints,
                                 std::map<std::string, double> positions) {
  UrdfOptions options;
  options.floating_base = floating_base;
  options.joints = std::move(joints);
  options.positions = std::move(positions);
  const bool is_text = source.find('<') != std::string::npos;
  LoadedModel loaded = is_text ? parseUrdf(source, "urdf", options) : loadUrdf(source, options);
  return std::make_shared<Model>(std::move(loaded.model));
}

/// Models pickle as what they were made of: a file, a text, or a scene.
constexpr const char* kMadeOf = "_made_of";

void makeModel(nb::pointer_and_handle<Model> self, const nb::object& path_or_text, bool floating_base,
               const std::vector<std::string>& joints, const std::map<std::string, double>& positions) {
  std::string source;
  if (!nb::try_cast(nb::object(nb::module_::import_("os").attr("fspath")(path_or_text)), source))
    throw nb::type_error("the source of a model is a path or a text, not bytes");
  new (self.p) Model(*loadModel(source, floating_base, joints, positions));
  std::error_code ignored;
  const bool is_file = std::filesystem::is_regular_file(source, ignored);
  const std::string lasting = is_file ? std::filesystem::absolute(source).string() : source;
  nb::setattr(self.h, kMadeOf, nb::make_tuple("urdf", lasting, floating_base, joints, positions));
}

nb::tuple reduceModel(nb::handle_t<Model> self) {
  if (!nb::hasattr(self, kMadeOf)) throw Error("model", "it does not know what it was made of, and cannot be pickled");
  return nb::make_tuple(nb::module_::import_("footfall._simulation").attr("_model_again"), self.attr(kMadeOf));
}

/// It never changes: a copy is needed by those only who outlive its simulation.
nb::object copyModel(nb::handle_t<Model> self) {
  nb::object copy = nb::cast(Model(*nb::inst_ptr<Model>(self)));
  if (nb::hasattr(self, kMadeOf)) nb::setattr(copy, kMadeOf, self.attr(kMadeOf));
  return copy;
}

template <class List>
std::vector<std::string> namesOf(const List& list) {
  std::vector<std::string> names;
  for (const auto& thing : list) names.push_back(thing.name);
  return names;
}

template <class Getter>
Constant ofEachJoint(const Model& model, Getter get) {
  VectorXd values(model.jointDofs());
  for (int i = 0; i < model.jointDofs(); ++i) values[i] = get(model.dofs[i]);
  return constant(copyOf(values));
}

void bindLink(nb::module_& module) {
  nb::class_<Link> type(module, "Link", "A rigid body, with all that is fixed to it.");
  type.def_ro("name", &Link::name)
      .def_prop_ro(
          "mass", [](const Link& l) { return l.inertia.mass; }, "[kg]")
      .def_prop_ro(
          "center_of_mass", [](const Link& l) { return constant(copyOf(VectorXd(l.inertia.com))); },
          "in the link frame; read-only (3) [m]")
      .def_prop_ro(
          "inertia", [](const Link& l) { return constant(copyOf(MatrixXd(l.inertia.I_com))); },
          "about the centre of mass, in the axes of the link frame; read-only (3 × 3) [kg m²]")
      .def("__repr__", [](const Link& l) { return "Link('" + l.name + "')"; });
  bindPickle(
      type,
      [](const Link& l) {
        return std::tuple(l.name, l.inertia.mass, Numbers(VectorXd(l.inertia.com)),
                          Numbers(Eigen::Map<const VectorXd>(l.inertia.I_com.data(), 9)));
      },
      [](const std::tuple<std::string, double, Numbers, Numbers>& packed) {
        const auto& [name, mass, com, inertia] = packed;
        requireNumbers("centre of mass of a link", com, 3);
        requireNumbers("inertia of a link", inertia, 9);
        return Link{name, {mass, Vector3d(com), Eigen::Map<const Matrix3d>(inertia.data())}};
      });
}

void bindJoint(nb::module_& module) {
  nb::class_<Dof> type(module, "Joint", "A joint coordinate, with what the model file says about it.");
  type.def_ro("name", &Dof::name)
      .def_prop_ro(
          "kind", [](const Dof& d) { return traitsOf(d.kind).name; }, "'revolute', 'prismatic' or 'ball'")
      .def_ro("lower", &Dof::lower, "lower limit [rad or m]")
      .def_ro("upper", &Dof::upper, "upper limit [rad or m]")
      .def_ro("max_velocity", &Dof::max_velocity, "[rad/s or m/s]")
      .def_ro("max_effort", &Dof::max_effort, "[N m or N]")
      .def_ro("damping", &Dof::damping, "viscous friction [N m s/rad or N s/m]")
      .def_ro("friction", &Dof::friction, "Coulomb friction [N m or N]")
      .def_ro("reflected_inertia", &Dof::reflected_inertia, "of the motor, seen at the joint [kg m² or kg]")
      .def("__repr__", [](const Dof& d) { return "Joint('" + d.name + "')"; });
  bindPickle(
      type,
      [](const Dof& d) {
        return std::tuple(d.name, static_cast<int>(d.kind), d.lower, d.upper, d.max_velocity, d.max_effort, d.damping,
                          d.friction, d.reflected_inertia);
      },
      [](const auto& packed) {
        Dof d;
        int kind = 0;
        std::tie(d.name, kind, d.lower, d.upper, d.max_velocity, d.max_effort, d.damping, d.friction,
                 d.reflected_inertia) = packed;
        d.kind = static_cast<JointKind>(kind);
        return d;
      });
}

void bindFrame(nb::module_& module) {
  nb::class_<Frame> type(module, "Frame", "A named frame F fixed to a link L.");
  type.def_ro("name", &Frame::name)
      .def_prop_ro(
          "link", [](const Frame& f) { return int{f.link}; }, "number of its link")
      .def_prop_ro(
          "X_LF", [](const Frame& f) { return constant(copyOf(f.X_LF)); }, "pose in the link; read-only (4 × 4) [-, m]")
      .def("__repr__", [](const Frame& f) { return "Frame('" + f.name + "')"; });
  bindPickle(
      type,
      [](const Frame& f) {
        return std::tuple(f.name, int{f.link}, Numbers(Eigen::Map<const VectorXd>(f.X_LF.R.data(), 9)),
                          Numbers(VectorXd(f.X_LF.p)));
      },
      [](const std::tuple<std::string, int, Numbers, Numbers>& packed) {
        const auto& [name, link, R, p] = packed;
        requireNumbers("R of a frame", R, 9);
        requireNumbers("p of a frame", p, 3);
        Frame frame{name, LinkIndex{link}, {}};
        frame.X_LF.R = Eigen::Map<const Eigen::Matrix3d>(R.data());
        frame.X_LF.p = Vector3d(p);
        return frame;
      });
}

}  // namespace

void bindModel(nb::module_& module) {
  bindLink(module);
  bindJoint(module);
  bindFrame(module);
  nb::class_<Model>(module, "Model", nb::dynamic_attr(), R"(A robot: a tree of links. It never changes.

    model = footfall.Model("robot.urdf")

The argument is a path, package://, model://, a short name as `footfall inspect` knows it, or the text of a URDF file.
`joints` names those that move, in the order of the coordinates; the others are locked at `positions`, or at zero.
A pickle holds what it was made of: the path of the file, the text or the scene.)")
      .def("__init__", &makeModel, "source"_a, nb::kw_only(), "floating_base"_a = true,
           "joints"_a = std::vector<std::string>{}, "positions"_a = std::map<std::string, double>{},
           nb::sig("def __init__(self, source: str | os.PathLike[str], *, floating_base: bool = True, joints: "
                   "collections.abc.Sequence[str] = [], positions: collections.abc.Mapping[str, float] = {}) -> None"))
      .def("__copy__", &copyModel, nb::sig("def __copy__(self) -> Model"))
      .def(
          "__deepcopy__", [](nb::handle_t<Model> self, const nb::dict&) { return copyModel(self); }, "memo"_a,
          nb::sig("def __deepcopy__(self, memo: dict[int, object]) -> Model"))
      .def("__reduce__", &reduceModel, nb::sig("def __reduce__(self) -> tuple[object, ...]"))
      .def_ro("name", &Model::name)
      .def_ro("floating_base", &Model::floating_base)
      .def_prop_ro(
          "bodies",
          [](const Model& m) {
            std::vector<std::string> names;
            for (const Joint& joint : m.joints)
              if (joint.kind == JointKind::free) names.push_back(joint.name);
            return names;
          },
          "names of the further bodies that float, in the order of State.bodies")
      .def_prop_ro(
          "gravity", [](const Model& m) { return constant(copyOf(VectorXd(m.gravity))); },
          "in the world; read-only: `physics.gravity` of the scene sets it (3) [m/s²]")
      .def_prop_ro("mass", &Model::totalMass, "of all links, those of the bodies of the scene included [kg]")
      .def_prop_ro("nq", &Model::nq, "size of q: base position (3), quaternion (4), joints")
      .def_prop_ro("nv", &Model::nv, "size of nu: base velocity (6, if it floats), joints")
      .def_prop_ro("links", [](const Model& m) { return m.links; })
      .def_prop_ro(
          "joints", [](const Model& m) { return m.dofs; }, "the joint coordinates, in the order of q and nu")
      .def_prop_ro("frames", [](const Model& m) { return m.frames; })
      .def_prop_ro("link_names", [](const Model& m) { return namesOf(m.links); })
      .def_prop_ro("joint_names", [](const Model& m) { return namesOf(m.dofs); })
      .def_prop_ro("frame_names", [](const Model& m) { return namesOf(m.frames); })
      .def_prop_ro(
          "candidate_names", [](const Model& m) { return namesOf(m.candidates); },
          "the points that may touch the ground; `candidate` of a contact counts in this list")
      .def(
          "joint", [](const Model& m, const std::string& name) { return m.dofs[m.dof(name)]; }, "name"_a,
          "The joint coordinate of this name.")
      .def(
          "frame", [](const Model& m, const std::string& name) { return m.frames[m.frame(name)]; }, "name"_a,
          "The frame of this name; every link has one.")
      .def(
          "link", [](const Model& m, const std::string& name) { return m.links[m.link(name)]; }, "name"_a,
          "The link of this name.")
      .def_prop_ro(
          "lower", [](const Model& m) { return ofEachJoint(m, [](const Dof& d) { return d.lower; }); },
          "lower limits of the joints; read-only (n) [rad or m]")
      .def_prop_ro(
          "upper", [](const Model& m) { return ofEachJoint(m, [](const Dof& d) { return d.upper; }); },
          "upper limits of the joints; read-only (n) [rad or m]")
      .def_prop_ro(
          "max_effort", [](const Model& m) { return ofEachJoint(m, [](const Dof& d) { return d.max_effort; }); },
          "largest torques or forces of the joints, as the file says; read-only (n) [N m or N]")
      .def("__repr__",
           [](const Model& m) { return "Model('" + m.name + "', " + std::to_string(m.jointDofs()) + " joints)"; });
}

}  // namespace footfall::python
