#include "robot_file/urdf_inertia.hpp"

#include <fmt/format.h>

#include <Eigen/Eigenvalues>

namespace footfall {
namespace {

double readMass(const XmlElement& inertial) {
  const XmlElement element = inertial.requiredChild("mass");
  const double mass = element.number("value");
  if (mass < 0.0) {
    throw element.error(fmt::format("mass {} kg is negative", mass),
                        "a link without mass has none, or no <inertial> at all");
  }
  return mass;
}

Matrix3d readMatrix(const XmlElement& inertia) {
  const double xx = inertia.number("ixx"), yy = inertia.number("iyy"), zz = inertia.number("izz");
  const double xy = inertia.number("ixy", 0.0), xz = inertia.number("ixz", 0.0), yz = inertia.number("iyz", 0.0);
  Matrix3d I;
  I << xx, xy, xz, xy, yy, yz, xz, yz, zz;
  return I;
}

/// Below this a moment of inertia does not matter to any robot with legs: files hold such numbers for decoration.
constexpr double kNegligible = 1e-6;  // [kg m²]
/// Published robots have negative moments down to 0.22 of the largest one; more is a mistake (a sign, a unit).
constexpr double kGross = 0.25;
/// Three or four digits are usual in files: a triangle inequality that fails by less is only rounding.
constexpr double kRounding = 1e-3;

}  // namespace

void checkMoments(const XmlElement& inertia, const Matrix3d& I, std::vector<Warning>& warnings) {
  const Vector3d moments = Eigen::SelfAdjointEigenSolver<Matrix3d>(I, Eigen::EigenvaluesOnly).eigenvalues();
  const double smallest = moments[0], middle = moments[1], largest = moments[2];
  const std::string found = fmt::format("principal moments {:.4g}, {:.4g}, {:.4g} kg m²", smallest, middle, largest);
  if (smallest < -kNegligible && smallest < -kGross * largest) {
    throw inertia.error(found + " are not those of a body: expected all of them positive",
                        "check the signs and that ixy, ixz, iyz are not too large for ixx, iyy, izz");
  }
  const auto warn = [&](const char* what) {
    warnings.push_back({inertia.where(), fmt::format("{}: {}: {}", inertia.subject(), found, what)});
  };
  const double rounding = kRounding * largest;
  if (smallest < -rounding) {
    warn("one of them is negative, which no body has");
  } else if (smallest + middle < largest - rounding) {
    warn("the largest exceeds the sum of the others, which no body has");
  }
}

SpatialInertia readInertia(const XmlElement& inertial, std::vector<Warning>& warnings) {
  SpatialInertia body;
  body.mass = readMass(inertial);
  if (const auto inertia = inertial.child("inertia")) {
    body.I_com = readMatrix(*inertia);
    checkMoments(*inertia, body.I_com, warnings);
  } else if (body.mass > 0.0) {
    warnings.push_back({inertial.where(), inertial.subject() + ": mass without <inertia>; taken as a point mass"});
  }
  return body;
}

}  // namespace footfall
