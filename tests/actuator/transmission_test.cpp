#include "footfall/actuator/transmission.hpp"

#include <Eigen/LU>

#include "model/error_of.hpp"

namespace footfall {
namespace {

/// Coordinates alone: all that a transmission needs of a robot.
Model threeJoints() {
  Model model;
  model.name = "arm";
  for (const char* name : {"pitch", "roll", "yaw"}) model.dofs.push_back({.name = name});
  return model;
}

/// A differential for the first two joints, and a third motor that turns with both.
Transmission differential() {
  Transmission t;
  t.dofs = {DofIndex(0), DofIndex(1), DofIndex(2)};
  t.motors.resize(3);
  for (int k = 0; k < 3; ++k) t.motors[k].name = "motor" + std::to_string(k);
  t.T.resize(3, 3);
  t.T << 0.5, -0.5, 0.0, 0.5, 0.5, 0.0, 0.275, 0.275, 0.55;
  return t;
}

MatrixXd reflectedInertia(const Model& model) {
  MatrixXd M = MatrixXd::Zero(model.jointDofs(), model.jointDofs());
  for (int i = 0; i < model.jointDofs(); ++i) M(i, i) = model.dofs[i].reflected_inertia;
  for (const InertiaCoupling& c : model.couplings) M(int{c.a}, int{c.b}) = M(int{c.b}, int{c.a}) = c.inertia;
  return M;
}

TEST(Transmission, RotorsKeepTheirKineticEnergyWhenTheyAreSeenAtTheJoints) {
  Model model = threeJoints();
  Transmission t = differential();
  for (int k = 0; k < 3; ++k) {
    t.motors[k].gear_ratio = 100.0 + 10.0 * k;
    t.motors[k].rotor_inertia = 1e-5 * (k + 1);
  }
  addTransmission(t, "", model);
  const Vector3d motor_speeds(0.3, -0.7, 1.1);
  double rotors = 0.0;
  for (int k = 0; k < 3; ++k) {
    const double rotor_speed = t.motors[k].gear_ratio * motor_speeds[k];
    rotors += 0.5 * t.motors[k].rotor_inertia * rotor_speed * rotor_speed;
  }
  const Vector3d joint_speeds = t.T * motor_speeds;
  EXPECT_NEAR(0.5 * joint_speeds.dot(reflectedInertia(model) * joint_speeds), rotors, 1e-14 * rotors * 100.0);
}

TEST(Transmission, EqualRotorsOnADifferentialAreNotCoupled) {
  Model model = threeJoints();
  Transmission t = differential();
  t.dofs.pop_back(), t.motors.pop_back();
  t.T = MatrixXd(t.T.topLeftCorner<2, 2>());
  for (Motor& motor : t.motors) motor.rotor_inertia = 0.1;
  addTransmission(t, "", model);
  EXPECT_TRUE(model.couplings.empty());
  EXPECT_NEAR(model.dofs[0].reflected_inertia, 0.2, 1e-15);  // both rotors turn as fast as the joint
}

TEST(Transmission, ViscousFrictionDissipatesTheSamePower) {
  Model model = threeJoints();
  Transmission t = differential();
  for (int k = 0; k < 3; ++k) t.motors[k].viscous = 0.2 + 0.1 * k;
  addTransmission(t, "", model);
  const Vector3d motor_speeds(0.3, -0.7, 1.1);
  double power = 0.0;
  for (int k = 0; k < 3; ++k) power += t.motors[k].viscous * motor_speeds[k] * motor_speeds[k];
  const Vector3d joint_speeds = t.T * motor_speeds;
  const MatrixXd D = viscousMatrix(t);
  EXPECT_NEAR(joint_speeds.dot(D * joint_speeds), power, 1e-14);
  for (int i = 0; i < 3; ++i) EXPECT_EQ(model.dofs[i].damping, D(i, i));
}

TEST(Transmission, CoulombFrictionGrowsWithTheReductionBehindTheMotor) {
  Model model = threeJoints();
  Transmission t;
  t.dofs = {DofIndex(1)};
  t.motors = {Motor{.name = "roll", .coulomb = 0.5}};
  t.T = MatrixXd::Constant(1, 1, -0.25);
  addTransmission(t, "", model);
  EXPECT_DOUBLE_EQ(model.dofs[1].friction, 2.0);
}

// --- what can be wrong -----------------------------------------------------------------------------

Error errorWith(void (*spoil)(Transmission&)) {
  Model model = threeJoints();
  Transmission t = differential();
  spoil(t);
  return errorOf([&] { addTransmission(t, "s.yaml:7", model); });
}

TEST(TransmissionError, SecondOrderDynamicsWithZeroFrequency) {
  const Error error = errorWith([](Transmission& t) { t.motors[1].natural_frequency = 0.0; });
  EXPECT_STREQ(error.what(),
               "s.yaml:7: motor 'motor1': natural_frequency is 0 rad/s, expected more than 0\n"
               "  hint: leave it out for a motor that follows at once");
}

TEST(TransmissionError, MatrixThatCannotBeInverted) {
  const Error error = errorWith([](Transmission& t) { t.T.col(1) = 2.0 * t.T.col(0); });
  EXPECT_EQ(error.problem(), "the transmission of 'pitch', 'roll', 'yaw' cannot be inverted");
  EXPECT_EQ(error.where(), "s.yaml:7");
}

TEST(TransmissionError, NumbersOutOfRange) {
  EXPECT_EQ(errorWith([](Transmission& t) { t.motors[2].rotor_inertia = -1e-5; }).problem(),
            "motor 'motor2': rotor_inertia is -1e-05 kg m², expected 0 or more");
  EXPECT_EQ(errorWith([](Transmission& t) { t.motors[0].gear_ratio = 0.0; }).problem(),
            "motor 'motor0': gear_ratio is 0, expected more than 0");
  EXPECT_EQ(errorWith([](Transmission& t) { t.motors[0].max_torque = -1.0; }).problem(),
            "motor 'motor0': max_torque is -1 N m, expected more than 0");
  EXPECT_EQ(errorWith([](Transmission& t) { t.motors[0].viscous = std::nan(""); }).problem(),
            "motor 'motor0': viscous is nan N m s/rad, expected 0 or more");
}

TEST(TransmissionError, SizesThatDoNotFit) {
  EXPECT_EQ(errorWith([](Transmission& t) { t.motors.pop_back(); }).problem(),
            "the transmission of 'pitch', 'roll', 'yaw' has a matrix of 3 × 3 and 2 motors, expected 3 × 3 and 3");
  EXPECT_EQ(errorWith([](Transmission& t) { t.dofs.clear(); }).problem(), "a transmission needs at least one joint");
}

TEST(TransmissionError, JointsThatAreDrivenTwice) {
  EXPECT_EQ(errorWith([](Transmission& t) { t.dofs[2] = t.dofs[0]; }).problem(), "joint 'pitch' is driven twice");
  Model model = threeJoints();
  addTransmission(differential(), "", model);
  EXPECT_EQ(errorOf([&] { addTransmission(differential(), "", model); }).problem(), "joint 'pitch' is driven twice");
}

TEST(TransmissionError, CoulombFrictionOfAMotorThatTurnsWithSeveralJoints) {
  EXPECT_EQ(errorWith([](Transmission& t) { t.motors[0].coulomb = 0.1; }).problem(),
            "motor 'motor0' has Coulomb friction and turns with several joints, which is not simulated");
}

}  // namespace
}  // namespace footfall
