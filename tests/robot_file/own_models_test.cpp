// The robots of models/: their inertias are those of their solid shapes, to the last digit.

#include <tinyxml2.h>

#include <sstream>

#include "footfall/robot_file/urdf.hpp"
#include "tools/source_dir.hpp"
#include "tools/test_tools.hpp"

namespace footfall {
namespace {

const std::filesystem::path kModels = std::filesystem::path(sourceDir()) / "models";

Vector3d numbers(const char* text) {
  std::istringstream in(text ? text : "0 0 0");
  Vector3d v = Vector3d::Zero();
  in >> v.x() >> v.y() >> v.z();
  return v;
}

Matrix3d boxInertia(double m, const Vector3d& size) {
  const Vector3d squares = size.cwiseAbs2();
  return Vector3d(m / 12.0 * (squares.sum() * Vector3d::Ones() - squares)).asDiagonal();
}

Matrix3d cylinderInertia(double m, double radius, double length) {
  const double across = m * (3.0 * radius * radius + length * length) / 12.0;
  return Vector3d(across, across, m * radius * radius / 2.0).asDiagonal();
}

/// Inertia of the one collision shape of a link, in the frame of the link.
SpatialInertia solidInertia(const tinyxml2::XMLElement& link, double mass) {
  const auto* collision = link.FirstChildElement("collision");
  const auto* origin = collision->FirstChildElement("origin");
  const auto* shape = collision->FirstChildElement("geometry")->FirstChildElement();
  const std::string kind = shape->Name();
  SpatialInertia solid;
  solid.mass = mass;
  if (kind == "box") solid.I_com = boxInertia(mass, numbers(shape->Attribute("size")));
  if (kind == "sphere") solid.I_com = 0.4 * mass * std::pow(shape->DoubleAttribute("radius"), 2) * Matrix3d::Identity();
  if (kind == "cylinder")
    solid.I_com = cylinderInertia(mass, shape->DoubleAttribute("radius"), shape->DoubleAttribute("length"));
  if (!origin) return solid;
  return solid.expressedIn(
      {rotationFromRollPitchYaw(numbers(origin->Attribute("rpy"))), numbers(origin->Attribute("xyz"))});
}

SpatialInertia statedInertia(const tinyxml2::XMLElement& inertial) {
  const auto* origin = inertial.FirstChildElement("origin");
  const auto* inertia = inertial.FirstChildElement("inertia");
  SpatialInertia stated;
  stated.mass = inertial.FirstChildElement("mass")->DoubleAttribute("value");
  stated.com = numbers(origin ? origin->Attribute("xyz") : nullptr);
  stated.I_com =
      Vector3d(inertia->DoubleAttribute("ixx"), inertia->DoubleAttribute("iyy"), inertia->DoubleAttribute("izz"))
          .asDiagonal();
  return stated;
}

/// The others have the numbers of a paper.
bool saysThatItsShapesAreSolid(const tinyxml2::XMLDocument& document) {
  const tinyxml2::XMLNode* comment = document.FirstChild()->NextSibling();
  return std::string(comment->Value()).find("a test checks them") != std::string::npos;
}

TEST(OwnModels, HaveTheInertiaOfTheirShapes) {
  int checked = 0;
  for (const auto& entry : std::filesystem::directory_iterator(kModels)) {
    if (entry.path().extension() != ".urdf") continue;
    tinyxml2::XMLDocument document;
    ASSERT_EQ(document.LoadFile(entry.path().c_str()), tinyxml2::XML_SUCCESS);
    if (!saysThatItsShapesAreSolid(document)) continue;
    for (auto* link = document.RootElement()->FirstChildElement("link"); link;
         link = link->NextSiblingElement("link")) {
      const auto* inertial = link->FirstChildElement("inertial");
      if (!inertial) continue;
      SCOPED_TRACE(entry.path().filename().string() + " " + link->Attribute("name"));
      const SpatialInertia stated = statedInertia(*inertial);
      const SpatialInertia solid = solidInertia(*link, stated.mass);
      EXPECT_EQ(stated.com, solid.com);
      // Written with all digits; a few roundings on the way, and that of π/2 where a shape is turned.
      EXPECT_LT((stated.I_com - solid.I_com).norm(), 1e-15 * solid.I_com.norm());
      ++checked;
    }
  }
  EXPECT_GE(checked, 30);
}

TEST(OwnModels, LoadWithoutUnexpectedWarnings) {
  const std::vector<std::pair<std::string, int>> dofs = {{"box", 0},
                                                         {"sphere", 0},
                                                         {"rocking_block", 0},
                                                         {"rod", 0},
                                                         {"rimless_wheel", 0},
                                                         {"rr_arm", 2},
                                                         {"biped_round_feet", 6},
                                                         {"quadruped", 12},
                                                         {"slider_gripper", 4},
                                                         {"four_bar", 3},
                                                         {"five_bar", 4},
                                                         {"stewart_platform", 24},
                                                         {"biped_rod_ankles", 22},
                                                         {"two_arm_box", 12},
                                                         {"wheel", 0},
                                                         {"disc", 0},
                                                         {"tippe_top", 0},
                                                         {"whipple_bicycle", 3}};
  UrdfOptions options;
  options.resources = ResourcePath({kModels});
  for (const auto& [name, expected] : dofs) {
    SCOPED_TRACE(name);
    const LoadedModel loaded = loadUrdf(name, options);
    EXPECT_TRUE(loaded.warnings.empty());
    EXPECT_EQ(loaded.model.jointDofs(), expected);
    EXPECT_EQ(loaded.model.name, name);
  }
}

TEST(OwnModels, GripperOpensEvenly) {
  UrdfOptions options;
  options.floating_base = false;
  const Model model = loadUrdf((kModels / "slider_gripper.urdf").string(), options).model;
  VectorXd s = VectorXd::Zero(4);
  s[model.dof("finger_left")] = 0.03;
  const std::vector<Pose> X_BL = linkPoses(model, s);
  const Vector3d left = X_BL[model.link("finger_left_link")].p, right = X_BL[model.link("finger_right_link")].p;
  EXPECT_NEAR(left.y() - right.y(), 0.07, 1e-16);
  EXPECT_NEAR(left.y() + right.y(), 0.0, 1e-16);
}

}  // namespace
}  // namespace footfall
