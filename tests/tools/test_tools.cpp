#include "tools/test_tools.hpp"

#include <unistd.h>

#include <cstdlib>
#include <fstream>

namespace footfall {

TempFolder::TempFolder() {
  std::string name = (std::filesystem::temp_directory_path() / "footfall_XXXXXX").string();
  if (!mkdtemp(name.data())) throw std::runtime_error("no temporary folder");
  path_ = name;
}

TempFolder::~TempFolder() {
  std::error_code ignored;
  std::filesystem::remove_all(path_, ignored);
}

std::filesystem::path TempFolder::write(const std::string& name, const std::string& text) const {
  const std::filesystem::path file = path_ / name;
  std::filesystem::create_directories(file.parent_path());
  std::ofstream(file) << text;
  return file;
}

std::string inertial(double mass) {
  return "<inertial><mass value=\"" + std::to_string(mass) +
         "\"/><inertia ixx=\"0.1\" iyy=\"0.1\" izz=\"0.1\" ixy=\"0\" ixz=\"0\" iyz=\"0\"/></inertial>";
}

std::string link(const std::string& name, double mass) {
  return "<link name=\"" + name + "\">" + inertial(mass) + "</link>\n";
}

std::string joint(const std::string& name, const std::string& type, const std::string& parent, const std::string& child,
                  const std::string& more) {
  return "<joint name=\"" + name + "\" type=\"" + type + "\"><parent link=\"" + parent + "\"/><child link=\"" + child +
         "\"/><origin xyz=\"0 0 1\"/><axis xyz=\"0 0 1\"/><limit lower=\"-1\" upper=\"1\" effort=\"2\" "
         "velocity=\"3\"/>" +
         more + "</joint>\n";
}

std::string robot(const std::string& parts) { return "<robot name=\"test\">\n" + parts + "</robot>\n"; }

bool warns(const LoadedModel& loaded, const std::string& text) {
  for (const Warning& warning : loaded.warnings)
    if (warning.what.find(text) != std::string::npos) return true;
  return false;
}

std::vector<Pose> linkPoses(const Model& model, const VectorXd& s) {
  std::vector<Pose> X_BL(model.links.size());
  for (std::size_t j = 0; j < model.joints.size(); ++j) {
    const Joint& joint = model.joints[j];
    const double position = joint.multiplier * s[joint.dof] + joint.offset;
    Pose X_J;
    if (joint.kind == JointKind::prismatic) {
      X_J.p = position * joint.axis;
    } else if (joint.kind == JointKind::ball) {  // turns behind the last of its three joints
      if (joint.axis == Vector3d::UnitZ())
        X_J.R = expQuaternion(Vector3d(s.segment<3>(joint.dof - 2))).toRotationMatrix();
    } else {
      X_J.R = Eigen::AngleAxisd(position, joint.axis).toRotationMatrix();
    }
    X_BL[j + 1] = X_BL[joint.parent] * joint.X_PJ * X_J;
  }
  return X_BL;
}

SpatialInertia wholeBody(const Model& model, const VectorXd& s) {
  const std::vector<Pose> X_BL = linkPoses(model, s);
  SpatialInertia whole;
  for (std::size_t i = 0; i < model.links.size(); ++i) whole += model.links[i].inertia.expressedIn(X_BL[i]);
  return whole;
}

}  // namespace footfall
