#include "model_io/sdf_file.hpp"

#include <fmt/format.h>
#include <tinyxml2.h>

#include <cmath>
#include <limits>
#include <map>
#include <numbers>

#include "footfall/base/suggest.hpp"
#include "model_io/urdf_inertia.hpp"
#include "model_io/xml_element.hpp"

namespace footfall {
namespace {

using Warnings = std::vector<Warning>;

double numberIn(const XmlElement& owner, const char* tag, double fallback) {
  const auto element = owner.child(tag);
  return element ? element->contentNumbers(1)[0] : fallback;
}

Vector3d vectorIn(const XmlElement& owner, const char* tag, const Vector3d& fallback) {
  const auto element = owner.child(tag);
  return element ? Vector3d(element->contentNumbers(3)) : fallback;
}

/// 1.5708 in a file means a right angle. Taken as written, joints that are meant to be parallel would not be, and a
/// planar loop of them could not move.
Vector3d wholeAngles(Vector3d rpy) {
  constexpr double kEighthTurn = std::numbers::pi / 4.0;
  constexpr double kRounding = 1e-5;  // of numbers in files [rad]
  for (double& angle : rpy) {
    const double whole = kEighthTurn * std::round(angle / kEighthTurn);
    if (std::abs(angle - whole) < kRounding) angle = whole;
  }
  return rpy;
}

/// <pose>x y z roll pitch yaw</pose>; identity when there is none.
Pose readPose(const XmlElement& owner) {
  const auto pose = owner.child("pose");
  if (!pose) return {};
  for (const char* attribute : {"relative_to", "frame"})
    if (pose->has(attribute) && !pose->text(attribute, "").empty())
      throw pose->error(fmt::format("{}=\"{}\" is not supported", attribute, pose->text(attribute)),
                        "write the pose in the default frame");
  const VectorXd numbers = pose->contentNumbers(6);
  return {rotationFromRollPitchYaw(wholeAngles(numbers.tail<3>())), numbers.head<3>()};
}

SpatialInertia readSdfInertia(const XmlElement& inertial, Warnings& warnings) {
  SpatialInertia body;
  body.mass = numberIn(inertial, "mass", 1.0);
  if (body.mass < 0.0) throw inertial.error(fmt::format("mass {} kg is negative", body.mass));
  const auto inertia = inertial.child("inertia");
  if (!inertia) throw inertial.error("<inertia> is missing");
  const auto entry = [&](const char* tag, double fallback) { return numberIn(*inertia, tag, fallback); };
  const double xy = entry("ixy", 0.0), xz = entry("ixz", 0.0), yz = entry("iyz", 0.0);
  body.I_com << entry("ixx", 1.0), xy, xz, xy, entry("iyy", 1.0), yz, xz, yz, entry("izz", 1.0);
  checkMoments(*inertia, body.I_com, warnings);
  return body.expressedIn(readPose(inertial));
}

void readGeometries(const XmlElement& link, const std::string& name, std::vector<LinkGeometry>& out) {
  for (const char* role : {"visual", "collision"}) {
    for (const XmlElement& shaped : link.children(role)) {
      const auto geometry = shaped.child("geometry");
      if (!geometry || geometry->children().empty()) continue;
      const XmlElement shape = geometry->children()[0];
      LinkGeometry entry;
      entry.where = geometry->where();
      entry.link = name;
      entry.collision = std::string_view(role) == "collision";
      entry.X_FS = readPose(shaped);
      entry.shape = shape.tag();
      entry.size = vectorIn(shape, "size", Vector3d::Zero());
      entry.radius = numberIn(shape, "radius", 0.0);
      entry.length = numberIn(shape, "length", 0.0);
      if (const auto uri = shape.child("uri")) entry.mesh = uri->content();
      entry.mesh_scale = vectorIn(shape, "scale", Vector3d::Ones());
      out.push_back(std::move(entry));
    }
  }
}

/// SDF writes huge numbers, or negative ones for efforts and speeds, where there is no limit.
double limitOf(const std::optional<XmlElement>& limit, const char* tag, double none) {
  const double value = limit ? numberIn(*limit, tag, none) : none;
  return std::abs(value) > 1e15 ? none : value;
}

double boundOf(const std::optional<XmlElement>& limit, const char* tag) {
  const double value = limitOf(limit, tag, std::numeric_limits<double>::infinity());
  return value > 0.0 ? value : std::numeric_limits<double>::infinity();
}

/// A joint as it stands in the file: its frame J in both of its links.
struct SdfJoint {
  XmlElement element;
  std::string name, type, parent, child;
  Pose X_PJ, X_CJ;
  Vector3d axis = Vector3d::UnitZ();  ///< in J
};

class SdfReader {
 public:
  SdfReader(const XmlElement& model, const std::string& source, Warnings& warnings)
      : model_(model), warnings_(warnings), file_{model.text("name", "robot"), source, {}, {}, {}} {}

  UrdfFile read() {
    for (const XmlElement& element : model_.children("link")) readLink(element);
    if (file_.links.empty()) throw model_.error("there is no <link> in it");
    for (const XmlElement& element : model_.children("joint")) readJoint(element);
    return std::move(file_);
  }

 private:
  void readLink(const XmlElement& unnamed) {
    UrdfLink link;
    link.name = unnamed.text("name");
    link.where = unnamed.where();
    const XmlElement element = unnamed.named(fmt::format("link '{}'", link.name));
    X_ML_[link.name] = readPose(element);
    if (const auto inertial = element.child("inertial")) link.inertia = readSdfInertia(*inertial, warnings_);
    readGeometries(element, link.name, file_.geometries);
    file_.links.push_back(std::move(link));
  }

  const Pose& poseOf(const XmlElement& end) const {
    const auto found = X_ML_.find(end.content());
    if (found != X_ML_.end()) return found->second;
    std::vector<std::string> names;
    for (const auto& [name, pose] : X_ML_) names.push_back(name);
    throw end.error(fmt::format("there is no link '{}'", end.content()), suggestOrList(end.content(), names));
  }

  void readJoint(const XmlElement& unnamed) {
    const std::string name = unnamed.text("name");
    const XmlElement element = unnamed.named(fmt::format("joint '{}'", name));
    const XmlElement parent = element.requiredChild("parent"), child = element.requiredChild("child");
    const Pose &X_MP = poseOf(parent), &X_MC = poseOf(child);
    SdfJoint joint{element, name, element.text("type"), parent.content(), child.content(), {}, readPose(element)};
    const Pose X_MJ = X_MC * joint.X_CJ;
    joint.X_PJ = X_MP.inverse() * X_MJ;
    if (const auto axis = element.child("axis")) {
      joint.axis = vectorIn(*axis, "xyz", Vector3d::UnitZ());
      const auto in_model = axis->child("use_parent_model_frame");
      if (in_model && (in_model->content() == "1" || in_model->content() == "true"))
        joint.axis = X_MJ.R.transpose() * joint.axis;
      if (joint.axis.norm() < 1e-6) throw axis->error("<xyz> has no direction");
      joint.axis.normalize();
    }
    if (has_joint_[joint.child]) return addLoop(joint);
    has_joint_[joint.child] = true;
    addJoint(joint);
  }

  void addLoop(const SdfJoint& joint) {
    static const std::map<std::string, LoopKind> kKinds = {{"ball", LoopKind::ball},
                                                           {"revolute", LoopKind::hinge},
                                                           {"continuous", LoopKind::hinge},
                                                           {"prismatic", LoopKind::slider},
                                                           {"fixed", LoopKind::weld}};
    const auto kind = kKinds.find(joint.type);
    if (kind == kKinds.end())
      throw joint.element.error(fmt::format("type '{}' cannot close a loop", joint.type),
                                "ball, revolute, continuous, prismatic and fixed can");
    const Pose X_JF{rotationWithZ(joint.axis), Vector3d::Zero()};
    file_.loops.push_back({joint.name, joint.element.where(), kind->second, joint.parent, joint.child,
                           joint.X_PJ * X_JF, joint.X_CJ * X_JF});
  }

  void addJoint(const SdfJoint& joint) {
    UrdfJoint urdf;
    urdf.name = joint.name;
    urdf.where = joint.element.where();
    urdf.parent = joint.parent;
    urdf.child = joint.child;
    urdf.X_PJ = joint.X_PJ;
    urdf.axis = joint.axis;
    readMotion(joint, urdf);
    // A child of URDF lies in its joint; where SDF puts it beside, a body without mass lies between them.
    if (!joint.X_CJ.p.isZero(0.0) || !joint.X_CJ.R.isIdentity(0.0)) {
      urdf.child = joint.name + "/frame";
      file_.links.push_back({urdf.child, urdf.where, {}});
      UrdfJoint offset;
      offset.name = joint.name + "/offset";
      offset.where = urdf.where;
      offset.parent = urdf.child;
      offset.child = joint.child;
      offset.X_PJ = joint.X_CJ.inverse();
      file_.joints.push_back(offset);
    }
    file_.joints.push_back(std::move(urdf));
  }

  void readMotion(const SdfJoint& joint, UrdfJoint& urdf) {
    if (joint.type == "fixed") return;
    const bool slides = joint.type == "prismatic";
    if (!slides && joint.type != "revolute" && joint.type != "continuous")
      throw joint.element.error(fmt::format("type '{}' is not supported here", joint.type),
                                "revolute, continuous, prismatic and fixed joints move links; balls close loops");
    const auto axis = joint.element.child("axis");
    const auto limit = axis ? axis->child("limit") : std::nullopt;
    const auto dynamics = axis ? axis->child("dynamics") : std::nullopt;
    const double infinity = std::numeric_limits<double>::infinity();
    Dof& dof = urdf.properties;
    dof.name = joint.name;
    dof.kind = slides ? JointKind::prismatic : JointKind::revolute;
    dof.lower = limitOf(limit, "lower", -infinity);
    dof.upper = limitOf(limit, "upper", infinity);
    if (dof.lower > dof.upper) throw limit->error("the lower limit exceeds the upper one", "were the limits swapped?");
    dof.max_effort = boundOf(limit, "effort");
    dof.max_velocity = boundOf(limit, "velocity");
    const bool limited = std::isfinite(dof.lower) || std::isfinite(dof.upper);
    urdf.type = slides ? UrdfJointType::prismatic : limited ? UrdfJointType::revolute : UrdfJointType::continuous;
    if (!dynamics) return;
    dof.damping = numberIn(*dynamics, "damping", 0.0);
    dof.friction = numberIn(*dynamics, "friction", 0.0);
    if (const double stiffness = numberIn(*dynamics, "spring_stiffness", 0.0); stiffness != 0.0)
      warnings_.push_back(
          {dynamics->where(), fmt::format("joint '{}': its spring of {} N m/rad is not read; give it as "
                                          "hold.joint_stiffness",
                                          joint.name, stiffness)});
  }

  XmlElement model_;
  Warnings& warnings_;
  UrdfFile file_;
  std::map<std::string, Pose> X_ML_;  ///< of each link in the model
  std::map<std::string, bool> has_joint_;
};

}  // namespace

bool isSdf(const std::string& text) {
  tinyxml2::XMLDocument document;
  document.Parse(text.c_str(), text.size());
  return !document.Error() && document.RootElement() && std::string_view(document.RootElement()->Name()) == "sdf";
}

UrdfFile parseSdfFile(const std::string& text, const std::string& source, Warnings& warnings) {
  tinyxml2::XMLDocument document;
  document.Parse(text.c_str(), text.size());
  const XmlElement sdf(*document.RootElement(), source, "sdf");
  const XmlElement model = sdf.requiredChild("model");
  return SdfReader(model.named(fmt::format("model '{}'", model.text("name", "robot"))), source, warnings).read();
}

}  // namespace footfall
