#include "geometry/orientation.hpp"

#include <array>
#include <cmath>
#include <vector>

namespace footfall {
namespace {

/// A number as an exact sum of doubles that do not overlap, the smallest first (Shewchuk's expansions). Without parts:
/// 0.
using Expansion = std::vector<double>;

Expansion operator+(const Expansion& e, double b) {
  Expansion sum;
  double carry = b;
  for (double part : e) {
    const double total = carry + part, rounded = total - carry;
    const double lost = (carry - (total - rounded)) + (part - rounded);  // total + lost = carry + part, exactly
    if (lost != 0.0) sum.push_back(lost);
    carry = total;
  }
  if (carry != 0.0) sum.push_back(carry);
  return sum;
}

Expansion operator+(Expansion e, const Expansion& f) {
  for (double part : f) e = e + part;
  return e;
}

Expansion operator-(Expansion e) {
  for (double& part : e) part = -part;
  return e;
}

Expansion operator*(const Expansion& e, const Expansion& f) {
  Expansion product;
  for (double a : e)
    for (double b : f) product = product + std::fma(a, b, -(a * b)) + a * b;
  return product;
}

Expansion difference(double a, double b) { return Expansion{} + a + -b; }

int sign(double value) { return (value > 0.0) - (value < 0.0); }

int exactOrientation(const Vector3d& a, const Vector3d& b, const Vector3d& c, const Vector3d& p) {
  std::array<Expansion, 3> ab, ac, ap;
  for (int i = 0; i < 3; ++i) {
    ab[i] = difference(b[i], a[i]);
    ac[i] = difference(c[i], a[i]);
    ap[i] = difference(p[i], a[i]);
  }
  Expansion determinant;
  for (int i = 0; i < 3; ++i) {
    const int j = (i + 1) % 3, k = (i + 2) % 3;
    determinant = determinant + ap[i] * (ab[j] * ac[k] + -(ab[k] * ac[j]));
  }
  return determinant.empty() ? 0 : sign(determinant.back());
}

}  // namespace

int orientation(const Vector3d& a, const Vector3d& b, const Vector3d& c, const Vector3d& p) {
  const Vector3d ab = b - a, ac = c - a, ap = p - a;
  const double determinant = ab.cross(ac).dot(ap);
  // The magnitudes of all products; the determinant in double is wrong by less than 1e-15 of their sum (Shewchuk: 7
  // ulp).
  const Vector3d u = ab.cwiseAbs(), v = ac.cwiseAbs(), w = ap.cwiseAbs();
  const double magnitude = w.x() * (u.y() * v.z() + u.z() * v.y()) + w.y() * (u.z() * v.x() + u.x() * v.z()) +
                           w.z() * (u.x() * v.y() + u.y() * v.x());
  if (std::abs(determinant) > 1e-15 * magnitude) return sign(determinant);
  return exactOrientation(a, b, c, p);
}

}  // namespace footfall
