// Writes the robot of a scene, standing, as a model of MuJoCo: bench_batch_mjcf SCENE OUT.xml
// The same masses, joints, springs, holding torques, step and friction; contact points become small balls, and contacts
// are MuJoCo's own, soft ones. For benchmarks/batch/mujoco_rollout.py.
#include <fmt/format.h>
#include <fmt/ostream.h>

#include <fstream>
#include <iostream>

#include "footfall/run/simulation.hpp"

namespace footfall {
namespace {

constexpr int kSettle = 3000;     // steps
constexpr double kPoint = 0.001;  // radius of the ball in place of a point [m]

std::string text(const Vector3d& v) { return fmt::format("{} {} {}", v.x(), v.y(), v.z()); }

std::string quaternion(const Matrix3d& R) {
  const Eigen::Quaterniond q(R);
  return fmt::format("{} {} {} {}", q.w(), q.x(), q.y(), q.z());
}

class Writer {
 public:
  Writer(Simulation& simulation, std::ostream& out) : simulation_(simulation), model_(simulation.model()), out_(out) {}

  void write() {
    fmt::print(out_, "<mujoco>\n<option timestep='{}' integrator='implicitfast'/>\n", simulation_.settings().step);
    fmt::print(out_, "<compiler angle='radian' balanceinertia='true'/>\n<worldbody>\n");
    fmt::print(out_, "<geom type='plane' size='0 0 1' friction='0.6 0 0' contype='1' conaffinity='0'/>\n");
    writeLink(0);
    fmt::print(out_, "</worldbody>\n<actuator>\n");
    for (const Dof& dof : model_.dofs) fmt::print(out_, "<motor joint='{}'/>\n", dof.name);
    fmt::print(out_, "</actuator>\n<keyframe><key qpos='");
    const VectorXd& q = simulation_.state().q;
    fmt::print(out_, "{} {} {} {} {} {} {}", q[0], q[1], q[2], q[6], q[3], q[4], q[5]);
    for (Eigen::Index k = 7; k < q.size(); ++k) fmt::print(out_, " {}", q[7 + coordinates_[k - 7]]);
    fmt::print(out_, "' ctrl='");
    for (const double torque : simulation_.holdingTorque()) fmt::print(out_, "{} ", torque);
    fmt::print(out_, "'/></keyframe>\n</mujoco>\n");
  }

 private:
  void writeLink(int number) {
    const Joint* joint = number > 0 ? &model_.joints[number - 1] : nullptr;
    const Pose X = joint ? joint->X_PJ : Pose{};
    fmt::print(out_, "<body name='{}' pos='{}' quat='{}'>\n", model_.links[number].name, text(X.p), quaternion(X.R));
    if (joint == nullptr)
      fmt::print(out_, "<freejoint/>\n");
    else
      writeJoint(*joint);
    writeInertia(model_.links[number].inertia);
    for (const ContactCandidate& point : model_.candidates)
      if (point.link == number)
        fmt::print(out_,
                   "<geom type='sphere' size='{}' pos='{}' mass='0' friction='0.6 0 0' contype='0' conaffinity='1'/>\n",
                   std::max(point.radius, kPoint), text(point.p_LC));
    for (std::size_t j = 0; j < model_.joints.size(); ++j)
      if (model_.joints[j].parent == number) writeLink(static_cast<int>(j) + 1);
    fmt::print(out_, "</body>\n");
  }

  void writeJoint(const Joint& joint) {
    const Dof& dof = model_.dofs[joint.dof];
    const JointSprings& springs = *simulation_.springs();
    coordinates_.push_back(joint.dof);
    fmt::print(out_,
               "<joint name='{}' type='{}' axis='{}' stiffness='{}' springref='{}' damping='{}' armature='{}'/>\n",
               dof.name, traitsOf(joint.kind).turns ? "hinge" : "slide", text(joint.axis), springs.stiffness[joint.dof],
               springs.target[joint.dof], springs.damping[joint.dof] + dof.damping, dof.reflected_inertia);
  }

  void writeInertia(const SpatialInertia& inertia) {
    const Matrix3d& I = inertia.I_com;
    fmt::print(out_, "<inertial mass='{}' pos='{}' fullinertia='{} {} {} {} {} {}'/>\n", inertia.mass,
               text(inertia.com), I(0, 0), I(1, 1), I(2, 2), I(0, 1), I(0, 2), I(1, 2));
  }

  Simulation& simulation_;
  const Model& model_;
  std::ostream& out_;
  std::vector<int> coordinates_;  ///< of the joints in the order of the file
};

}  // namespace
}  // namespace footfall

int main(int argc, char** argv) {
  if (argc != 3) return std::cerr << "bench_batch_mjcf SCENE OUT.xml\n", 2;
  footfall::Simulation simulation(footfall::loadScene(argv[1]));
  for (int k = 0; k < footfall::kSettle; ++k) simulation.step();
  std::ofstream out(argv[2]);
  footfall::Writer(simulation, out).write();
}
