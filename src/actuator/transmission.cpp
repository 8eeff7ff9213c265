#include "footfall/actuator/transmission.hpp"

#include <fmt/format.h>

#include <Eigen/LU>
#include <algorithm>
#include <cmath>

#include "footfall/base/error.hpp"

namespace footfall {
namespace {

constexpr double kRounding = 1e-12;  ///< entries below this share of their neighbours are zeros that were rounded

void requireRange(bool good, const Motor& motor, const char* field, double value, const char* unit,
                  const char* expected, const std::string& where, const char* hint = "") {
  if (good) return;
  throw Error(where, fmt::format("motor '{}': {} is {}{}, expected {}", motor.name, field, value, unit, expected),
              hint);
}

void checkMotor(const Motor& motor, const std::string& where) {
  const auto notNegative = [&](const char* field, double value, const char* unit) {
    requireRange(value >= 0.0 && std::isfinite(value), motor, field, value, unit, "0 or more", where);
  };
  const auto positive = [&](const char* field, double value, const char* unit, const char* hint) {
    requireRange(value > 0.0, motor, field, value, unit, "more than 0", where, hint);
  };
  requireRange(motor.gear_ratio > 0.0 && std::isfinite(motor.gear_ratio), motor, "gear_ratio", motor.gear_ratio, "",
               "more than 0", where);
  notNegative("rotor_inertia", motor.rotor_inertia, " kg m²");
  notNegative("damping_ratio", motor.damping_ratio, "");
  notNegative("viscous", motor.viscous, " N m s/rad");
  notNegative("coulomb", motor.coulomb, " N m");
  positive("natural_frequency", motor.natural_frequency, " rad/s", "leave it out for a motor that follows at once");
  positive("max_torque", motor.max_torque, " N m", "leave it out for a motor without a limit");
  positive("max_speed", motor.max_speed, " rad/s", "leave it out for a motor without a limit");
}

std::string namesOf(const Transmission& transmission, const Model& model) {
  std::string names;
  for (const DofIndex dof : transmission.dofs) names += (names.empty() ? "'" : ", '") + model.dofs[dof].name + "'";
  return names;
}

void checkMatrix(const Transmission& t, const std::string& names, const std::string& where) {
  const auto count = static_cast<Eigen::Index>(t.dofs.size());
  if (t.T.rows() != count || t.T.cols() != count || t.motors.size() != t.dofs.size())
    throw Error(where,
                fmt::format("the transmission of {} has a matrix of {} × {} and {} motors, expected {} × {} and {}",
                            names, t.T.rows(), t.T.cols(), t.motors.size(), count, count, count));
  if (!t.T.allFinite())
    throw Error(where, fmt::format("the transmission of {} has entries that are not finite", names));
  if (!Eigen::FullPivLU<MatrixXd>(t.T).isInvertible())
    throw Error(where, fmt::format("the transmission of {} cannot be inverted", names),
                "its motors must be able to move each joint alone: no column may follow from the others");
}

void checkNotDriven(const Transmission& t, const Model& model, const std::string& where) {
  for (auto dof = t.dofs.begin(); dof != t.dofs.end(); ++dof) {
    bool driven = std::find(t.dofs.begin(), dof, *dof) != dof;
    for (const Transmission& other : model.transmissions)
      driven = driven || std::find(other.dofs.begin(), other.dofs.end(), *dof) != other.dofs.end();
    if (driven)
      throw Error(where, fmt::format("joint '{}' is driven twice", model.dofs[*dof].name), "remove one of them");
  }
}

/// An entry of a symmetric matrix that is zero but for rounding.
bool isRounding(const MatrixXd& A, int i, int j) {
  return A(i, j) * A(i, j) <= kRounding * kRounding * A(i, i) * A(j, j);
}

void addInertia(const Transmission& t, const MatrixXd& inverse, Model& model) {
  VectorXd rotors(t.motors.size());
  for (std::size_t k = 0; k < t.motors.size(); ++k)
    rotors[static_cast<int>(k)] = t.motors[k].gear_ratio * t.motors[k].gear_ratio * t.motors[k].rotor_inertia;
  const MatrixXd reflected = inverse.transpose() * rotors.asDiagonal() * inverse;
  for (int i = 0; i < reflected.rows(); ++i) {
    model.dofs[t.dofs[i]].reflected_inertia += reflected(i, i);
    for (int j = 0; j < i; ++j)
      if (!isRounding(reflected, i, j)) model.couplings.push_back({t.dofs[i], t.dofs[j], reflected(i, j)});
  }
}

void addFriction(const Transmission& t, const MatrixXd& inverse, const std::string& where, Model& model) {
  const VectorXd viscous = viscousMatrix(t).diagonal();
  for (int i = 0; i < viscous.size(); ++i) model.dofs[t.dofs[i]].damping += viscous[i];
  for (int k = 0; k < inverse.rows(); ++k) {
    const Motor& motor = t.motors[k];
    if (motor.coulomb == 0.0) continue;
    int joint = 0;
    const double largest = inverse.row(k).cwiseAbs().maxCoeff(&joint);
    if (inverse.row(k).cwiseAbs().sum() - largest > kRounding * largest)
      throw Error(where,
                  fmt::format("motor '{}' has Coulomb friction and turns with several joints, which is not simulated",
                              motor.name),
                  "leave coulomb out; viscous friction may be coupled");
    model.dofs[t.dofs[joint]].friction += motor.coulomb * largest;
  }
}

}  // namespace

MatrixXd inverseTransmission(const Transmission& transmission) { return transmission.T.inverse(); }

MatrixXd viscousMatrix(const Transmission& transmission) {
  VectorXd viscous(transmission.motors.size());
  for (int k = 0; k < viscous.size(); ++k) viscous[k] = transmission.motors[k].viscous;
  const MatrixXd inverse = inverseTransmission(transmission);
  return inverse.transpose() * viscous.asDiagonal() * inverse;
}

void addTransmission(const Transmission& transmission, const std::string& where, Model& model) {
  if (transmission.dofs.empty()) throw Error(where, "a transmission needs at least one joint");
  checkMatrix(transmission, namesOf(transmission, model), where);
  for (const Motor& motor : transmission.motors) checkMotor(motor, where);
  checkNotDriven(transmission, model, where);
  const MatrixXd inverse = inverseTransmission(transmission);
  addInertia(transmission, inverse, model);
  addFriction(transmission, inverse, where, model);
  model.transmissions.push_back(transmission);
}

}  // namespace footfall
