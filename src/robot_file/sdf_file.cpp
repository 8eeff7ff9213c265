#include "robot_file/sdf_file.hpp"

#include <fmt/format.h>
#include <tinyxml2.h>

#include <cmath>
#include <limits>
#include <map>

#include "footfall/base/text_number.hpp"
#include "footfall/model/internal/file_joint.hpp"
#include "robot_file/misspelt.hpp"
#include "robot_file/sdf_frames.hpp"
#include "robot_file/urdf_geometry.hpp"
#include "robot_file/urdf_inertia.hpp"
#include "robot_file/xml_element.hpp"

namespace footfall {
namespace {

using Warnings = std::vector<Warning>;

const char* const kWorld = "world";

double numberIn(const XmlElement& owner, const char* tag, double fallback) {
  const auto element = owner.child(tag);
  return element ? element->contentNumbers(1)[0] : fallback;
}

/// What would make energy out of nothing if it were negative; 0 where it is not given.
double nonNegativeIn(const XmlElement& owner, const char* tag) {
  const double value = numberIn(owner, tag, 0.0);
  if (value < 0.0) throw owner.error(fmt::format("<{}> is {}, expected 0 or more", tag, value));
  return value;
}

Vector3d vectorIn(const XmlElement& owner, const char* tag, const Vector3d& fallback) {
  const auto element = owner.child(tag);
  return element ? Vector3d(element->contentNumbers(3)) : fallback;
}

SpatialInertia readSdfInertia(const XmlElement& inertial, Warnings& warnings) {
  SpatialInertia body;
  body.mass = numberIn(inertial, "mass", 1.0);
  if (body.mass < 0.0) throw inertial.error(fmt::format("mass {} kg is negative", body.mass));
  const auto inertia = inertial.child("inertia");
  if (!inertia && saysYes(inertial.text("auto", "false")))
    throw inertial.error("auto=\"true\" is not offered: masses and inertias are not computed from shapes",
                         "write <mass> and <inertia>; Gazebo prints them for such a link: gz model -m MODEL -l LINK");
  if (!inertia) throw inertial.error("<inertia> is missing");
  const auto entry = [&](const char* tag, double fallback) { return numberIn(*inertia, tag, fallback); };
  // All numbers first: an Error thrown inside of Eigen's comma initializer would leave it half done, which it asserts.
  const double xx = entry("ixx", 1.0), yy = entry("iyy", 1.0), zz = entry("izz", 1.0);
  const double xy = entry("ixy", 0.0), xz = entry("ixz", 0.0), yz = entry("iyz", 0.0);
  body.I_com << xx, xy, xz, xy, yy, yz, xz, yz, zz;
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
      refuseFlatMesh(shape, entry.mesh_scale);
      out.push_back(std::move(entry));
    }
  }
}

/// "-inf", "inf" or "infinity".
bool saysInfinite(const XmlElement& limit, const char* tag) {
  const auto element = limit.child(tag);
  const auto value = element ? parseNumber(element->content()) : std::nullopt;
  return value && std::isinf(*value);
}

/// SDF writes infinite or huge numbers, or negative ones for efforts and speeds, where there is no limit.
double limitOf(const std::optional<XmlElement>& limit, const char* tag, double none) {
  if (!limit || saysInfinite(*limit, tag)) return none;
  const double value = numberIn(*limit, tag, none);
  return std::abs(value) > 1e15 ? none : value;
}

double boundOf(const std::optional<XmlElement>& limit, const char* tag) {
  const double value = limitOf(limit, tag, std::numeric_limits<double>::infinity());
  return value > 0.0 ? value : std::numeric_limits<double>::infinity();
}

/// A model that does not move: in a world, a part of the ground.
bool isStatic(const XmlElement& model) {
  const auto flag = model.child("static");
  return flag && saysYes(flag->content());
}

/// A joint as it stands in the file: its frame J in both of its links.
struct SdfJoint {
  XmlElement element;
  std::string name, type, parent, child;
  Pose X_PJ, X_CJ;
  Vector3d axis = Vector3d::UnitZ();  ///< in J
};

/// The joint that leads to a link.
struct Mover {
  std::string parent, joint;
  Vector3d axis_M;  ///< in the model
};

class SdfReader {
 public:
  /// @param axes_in_model axes of joints are written in the model, not in the joint: so did SDF before 1.5
  SdfReader(const XmlElement& model, const std::string& source, bool axes_in_model, Warnings& warnings)
      : model_(model),
        frames_(model),
        axes_in_model_(axes_in_model),
        warnings_(warnings),
        file_{model.text("name", "robot"), source, {}, {}, {}} {}

  UrdfFile read() {
    warnOfMisspelt(model_, sdfElements(), warnings_);
    warnOfOtherModels();
    file_.is_static = isStatic(model_);
    file_.is_sdf = true;
    for (const XmlElement& element : model_.children("link")) readLink(element);
    if (file_.links.empty()) throw model_.error("there is no <link> in it");
    addWorld();
    for (const XmlElement& element : model_.children("joint"))
      if (element.text("type") != "gearbox") readJoint(element);
    for (const XmlElement& element : model_.children("joint"))
      if (element.text("type") == "gearbox") readGearbox(element);
    return std::move(file_);
  }

 private:
  /// Their links and masses would be missing without a word.
  void warnOfOtherModels() {
    for (const XmlElement& inner : model_.children("model"))
      warnings_.push_back(
          {inner.where(), fmt::format("{}: the model '{}' inside of it is not read: its links are missing",
                                      model_.subject(), inner.text("name", ""))});
    for (const XmlElement& include : model_.children("include")) {
      const auto uri = include.child("uri");
      warnings_.push_back(
          {include.where(), fmt::format("{}: it includes '{}', which is not read: its links are missing",
                                        model_.subject(), uri ? uri->content() : "")});
    }
  }

  void readLink(const XmlElement& unnamed) {
    UrdfLink link;
    link.name = unnamed.text("name");
    link.where = unnamed.where();
    const XmlElement element = unnamed.named(fmt::format("link '{}'", link.name));
    X_ML_[link.name] = frames_.poseInModel(link.name, element);
    if (const auto inertial = element.child("inertial")) link.inertia = readSdfInertia(*inertial, warnings_);
    if (const auto gravity = element.child("gravity"); gravity && !saysYes(gravity->content()))
      warnings_.push_back(
          {gravity->where(), fmt::format("{}: <gravity> is '{}', which is not read: all links have weight",
                                         element.subject(), gravity->content())});
    readGeometries(element, link.name, file_.geometries);
    file_.links.push_back(std::move(link));
  }

  /// Joints may tie the model to the world: then it is the root, a link without mass.
  void addWorld() {
    for (const XmlElement& joint : model_.children("joint")) {
      const auto parent = joint.child("parent");
      if (!parent || parent->content() != kWorld || X_ML_.contains(kWorld)) continue;
      X_ML_[kWorld] = {};
      file_.links.insert(file_.links.begin(), UrdfLink{kWorld, joint.where(), {}});
    }
  }

  /// The link at one end of a joint: that which is named there, or which the frame there is attached to.
  std::string linkAt(const XmlElement& end) const {
    const std::string name = end.content();
    return X_ML_.contains(name) ? name : frames_.linkOf(name, end);
  }

  void readJoint(const XmlElement& unnamed) {
    const std::string name = unnamed.text("name");
    const XmlElement element = unnamed.named(fmt::format("joint '{}'", name));
    const XmlElement parent = element.requiredChild("parent"), child = element.requiredChild("child");
    SdfJoint joint{element, name, element.text("type"), linkAt(parent), linkAt(child), {}, {}};
    const Pose X_MJ = frames_.poseInModel(name, element);
    joint.X_PJ = X_ML_.at(joint.parent).inverse() * X_MJ;
    const bool in_child = !refersToOther(element) && joint.child == child.content();  // then no digit is lost
    joint.X_CJ = in_child ? readPose(element) : X_ML_.at(joint.child).inverse() * X_MJ;
    if (element.child("axis")) joint.axis = X_MJ.R.transpose() * axisInModel(element, "axis", X_MJ);
    if (moved_by_.contains(joint.child)) return addLoop(joint);
    moved_by_[joint.child] = {joint.parent, joint.name, X_MJ.R * joint.axis};
    addJoint(joint);
  }

  /// A unit vector that the file gives in the joint, in the model, or in another frame.
  Vector3d axisInModel(const XmlElement& joint, const char* tag, const Pose& X_MJ) {
    const XmlElement axis = joint.requiredChild(tag);
    const Vector3d direction = vectorIn(axis, "xyz", Vector3d::UnitZ());
    if (direction.norm() < 1e-6) throw axis.error("<xyz> has no direction");
    return axesOf(axis, X_MJ) * direction.normalized();
  }

  /// Those in which an axis is written, in the model.
  Matrix3d axesOf(const XmlElement& axis, const Pose& X_MJ) {
    const auto xyz = axis.child("xyz");
    const std::string frame = xyz ? xyz->text("expressed_in", "") : "";
    if (frame == "__model__") return Matrix3d::Identity();
    if (!frame.empty()) return frames_.poseInModel(frame, *xyz).R;
    const auto in_model = axis.child("use_parent_model_frame");
    return (in_model ? saysYes(in_model->content()) : axes_in_model_) ? Matrix3d::Identity() : X_MJ.R;
  }

  /// A joint between the body that a gearbox is relative to and one of its two links.
  const Mover& moverOf(const XmlElement& gearbox, const XmlElement& end, const std::string& reference) const {
    const auto found = moved_by_.find(linkAt(end));
    if (found == moved_by_.end() || found->second.parent != reference)
      throw end.error(fmt::format("no joint leads from the reference body '{}' to '{}'", reference, end.content()),
                      fmt::format("{} couples the turns of two joints of that body", gearbox.subject()));
    return found->second;
  }

  /// θ₂ = −ratio θ₁, both counted from the reference body: to the child about <axis2>, to the parent about <axis>. What
  /// turns with the parent, mostly a rotor, follows what turns with the child.
  void readGearbox(const XmlElement& unnamed) {
    const std::string name = unnamed.text("name");
    const XmlElement element = unnamed.named(fmt::format("gearbox '{}'", name));
    const std::string reference = linkAt(element.requiredChild("gearbox_reference_body"));
    const Mover& first = moverOf(element, element.requiredChild("parent"), reference);
    const Mover& second = moverOf(element, element.requiredChild("child"), reference);
    const double ratio = numberIn(element, "gearbox_ratio", 1.0);
    if (ratio == 0.0) throw element.error("<gearbox_ratio> is 0", "a gear has some ratio");
    const Pose X_MJ = frames_.poseInModel(name, element);
    constexpr double kParallel = 0.999;
    const double sense_1 = first.axis_M.dot(axisInModel(element, "axis", X_MJ));
    const double sense_2 = second.axis_M.dot(axisInModel(element, "axis2", X_MJ));
    if (std::min(std::abs(sense_1), std::abs(sense_2)) < kParallel)
      throw element.error(fmt::format("its axes are not those of the joints '{}' and '{}'", first.joint, second.joint),
                          "a gearbox turns about the axes of the joints that it couples");
    for (UrdfJoint& joint : file_.joints)
      if (joint.name == first.joint)
        joint.mimic = UrdfMimic{element.where(), second.joint, -std::copysign(1.0, sense_1 * sense_2) / ratio, 0.0};
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
    const auto axis = joint.element.child("axis");
    if (axis && axis->child("mimic"))
      throw joint.element.error("it closes a loop, and cannot mimic another joint", "let a joint of the tree mimic it");
    warnOfLostProperties(joint);
    const Pose X_JF{rotationWithZ(joint.axis), Vector3d::Zero()};
    file_.loops.push_back({joint.name, joint.element.where(), kind->second, joint.parent, joint.child,
                           joint.X_PJ * X_JF, joint.X_CJ * X_JF});
  }

  /// What lets or stops a joint move is read of joints of the tree only.
  void warnOfLostProperties(const SdfJoint& joint) {
    const auto axis = joint.element.child("axis");
    if (!axis || joint.type == "fixed") return;
    std::string lost;
    for (const std::string& property : loopProperties(*axis, unitsOf(joint.type)))
      lost += (lost.empty() ? "" : ", ") + property;
    if (!lost.empty())
      warnings_.push_back(
          {axis->where(), fmt::format("joint '{}' closes a loop; this of it is not read: {}", joint.name, lost)});
  }

  static JointTraits unitsOf(const std::string& type) {
    return traitsOf(type == "prismatic" ? JointKind::prismatic : JointKind::revolute);
  }

  /// Those that are given, in words.
  static std::vector<std::string> loopProperties(const XmlElement& axis, const JointTraits& units) {
    std::vector<std::string> given;
    const auto dynamics = axis.child("dynamics"), limit = axis.child("limit");
    const auto add = [&](const char* name, const char* tag, const std::string& unit) {
      const double value = dynamics ? numberIn(*dynamics, tag, 0.0) : 0.0;
      if (value != 0.0) given.push_back(fmt::format("{} {} {}", name, value, unit));
    };
    const std::string position = units.position_unit, effort = units.effort_unit;
    add("damping", "damping", fmt::format("{} s/{}", effort, position));
    add("friction", "friction", effort);
    add("spring", "spring_stiffness", fmt::format("{}/{}", effort, position));
    const double infinity = std::numeric_limits<double>::infinity();
    const double lower = limitOf(limit, "lower", -infinity), upper = limitOf(limit, "upper", infinity);
    if (std::isfinite(lower) || std::isfinite(upper))
      given.push_back(fmt::format("limits {:.6g} to {:.6g} {}", lower, upper, position));
    return given;
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
      urdf.child = bodyInJoint(joint.name);
      file_.links.push_back({urdf.child, urdf.where, {}});
      UrdfJoint offset;
      offset.name = jointBesideChild(joint.name);
      offset.where = urdf.where;
      offset.parent = urdf.child;
      offset.child = joint.child;
      offset.X_PJ = joint.X_CJ.inverse();
      file_.joints.push_back(offset);
    }
    file_.joints.push_back(std::move(urdf));
  }

  /// A ball joint turns about every axis; limits about one of them mean nothing.
  void ignoreLimits(const SdfJoint& joint, Dof& dof) {
    constexpr double infinity = std::numeric_limits<double>::infinity();
    if (std::isfinite(dof.lower) || std::isfinite(dof.upper))
      warnings_.push_back({joint.element.where(),
                           fmt::format("ball joint '{}' has limits; those of ball joints are not read", joint.name)});
    dof.lower = -infinity;
    dof.upper = infinity;
  }

  /// One angle does not say where a ball joint is at rest.
  void ignoreSpringReference(const SdfJoint& joint, Dof& dof) {
    if (dof.spring_reference != 0.0)
      warnings_.push_back({joint.element.where(), fmt::format("the spring of ball joint '{}' is at rest at zero; its "
                                                              "<spring_reference> of {} rad is not read",
                                                              joint.name, dof.spring_reference)});
    dof.spring_reference = 0.0;
  }

  /// position = multiplier · (position of the leader − reference) + offset.
  static std::optional<UrdfMimic> mimicOf(const XmlElement& axis) {
    const auto mimic = axis.child("mimic");
    if (!mimic) return std::nullopt;
    if (mimic->text("axis", "axis") != "axis")
      throw mimic->error("axis=\"" + mimic->text("axis") + "\" of the joint is not there", "joints have one axis here");
    const double multiplier = numberIn(*mimic, "multiplier", 1.0);
    const double offset = numberIn(*mimic, "offset", 0.0) - multiplier * numberIn(*mimic, "reference", 0.0);
    return UrdfMimic{mimic->where(), mimic->text("joint"), multiplier, offset};
  }

  void readMotion(const SdfJoint& joint, UrdfJoint& urdf) {
    if (joint.type == "fixed") return;
    const bool slides = joint.type == "prismatic";
    const bool ball = joint.type == "ball";
    if (!slides && !ball && joint.type != "revolute" && joint.type != "continuous")
      throw joint.element.error(fmt::format("type '{}' is not supported here", joint.type),
                                "revolute, continuous, prismatic, ball and fixed joints move links");
    const auto axis = joint.element.child("axis");
    const auto limit = axis ? axis->child("limit") : std::nullopt;
    const auto dynamics = axis ? axis->child("dynamics") : std::nullopt;
    const double infinity = std::numeric_limits<double>::infinity();
    Dof& dof = urdf.properties;
    dof.name = joint.name;
    dof.kind = slides ? JointKind::prismatic : ball ? JointKind::ball : JointKind::revolute;
    dof.lower = limitOf(limit, "lower", -infinity);
    dof.upper = limitOf(limit, "upper", infinity);
    if (ball) ignoreLimits(joint, dof);
    if (dof.lower > dof.upper) throw limit->error("the lower limit exceeds the upper one", "were the limits swapped?");
    dof.max_effort = boundOf(limit, "effort");
    dof.max_velocity = boundOf(limit, "velocity");
    const bool limited = std::isfinite(dof.lower) || std::isfinite(dof.upper);
    urdf.type = ball      ? UrdfJointType::ball
                : slides  ? UrdfJointType::prismatic
                : limited ? UrdfJointType::revolute
                          : UrdfJointType::continuous;
    if (axis) urdf.mimic = mimicOf(*axis);
    if (!dynamics) return;
    dof.damping = nonNegativeIn(*dynamics, "damping");
    dof.friction = nonNegativeIn(*dynamics, "friction");
    dof.spring_stiffness = nonNegativeIn(*dynamics, "spring_stiffness");
    dof.spring_reference = numberIn(*dynamics, "spring_reference", 0.0);
    if (ball) ignoreSpringReference(joint, dof);
  }

  XmlElement model_;
  SdfFrames frames_;
  bool axes_in_model_;
  Warnings& warnings_;
  UrdfFile file_;
  std::map<std::string, Pose> X_ML_;       ///< of each link in the model
  std::map<std::string, Mover> moved_by_;  ///< the joint of the tree that leads to each link
};

std::string quotedNames(const std::vector<XmlElement>& models) {
  std::string names;
  for (const XmlElement& model : models) names += (names.empty() ? "'" : ", '") + model.text("name", "") + "'";
  return names;
}

/// The models of a file, those of its worlds included.
std::vector<XmlElement> modelsIn(const XmlElement& sdf) {
  std::vector<XmlElement> models = sdf.children("model");
  for (const XmlElement& world : sdf.children("world"))
    for (const XmlElement& model : world.children("model")) models.push_back(model);
  return models;
}

[[noreturn]] void throwNoModel(const XmlElement& sdf) {
  std::string included;
  for (const XmlElement& world : sdf.children("world"))
    for (const XmlElement& include : world.children("include"))
      if (const auto uri = include.child("uri")) included += (included.empty() ? "" : ", ") + uri->content();
  throw sdf.error("there is no <model> in it",
                  included.empty() ? "" : "it includes other files, of which you may name one: " + included);
}

/// The model of that name; without a name, the only one that moves.
XmlElement chooseModel(const XmlElement& sdf, const std::string& name) {
  std::vector<XmlElement> models = modelsIn(sdf);
  if (models.empty()) throwNoModel(sdf);
  if (!name.empty()) {
    for (const XmlElement& model : models)
      if (model.text("name", "") == name) return model;
    throw sdf.error(fmt::format("there is no model '{}'", name), "it has " + quotedNames(models));
  }
  if (models.size() > 1) std::erase_if(models, isStatic);
  if (models.empty()) throw sdf.error("all of its models are static", "name one: file.sdf#model");
  if (models.size() > 1)
    throw models[1].error(fmt::format("there are {} models ({}), expected one", models.size(), quotedNames(models)),
                          fmt::format("name it: file.sdf#{}", models[0].text("name", "")));
  return models[0];
}

}  // namespace

bool isSdf(const std::string& text) {
  tinyxml2::XMLDocument document;
  document.Parse(text.c_str(), text.size());
  return !document.Error() && document.RootElement() && std::string_view(document.RootElement()->Name()) == "sdf";
}

UrdfFile parseSdfFile(const std::string& text, const std::string& source, const std::string& name, Warnings& warnings) {
  tinyxml2::XMLDocument document;
  document.Parse(text.c_str(), text.size());
  const XmlElement sdf(*document.RootElement(), source, "sdf");
  const XmlElement model = chooseModel(sdf, name);
  const bool axes_in_model = sdf.has("version") && sdf.number("version") < 1.5;
  return SdfReader(model.named(fmt::format("model '{}'", model.text("name", "robot"))), source, axes_in_model, warnings)
      .read();
}

}  // namespace footfall
