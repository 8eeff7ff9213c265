#pragma once

#include <string>

#include "footfall/base/expression.hpp"
#include "footfall/terrain/height_field.hpp"

namespace footfall {

/// A formula in x and y, for example 0.05*sin(3*x)*cos(2*y), or in other names for them.
///
/// What may stand in it: see Expression. The slopes are the exact derivatives. Where a function has none (the tip of
/// abs or sqrt, where min and max change sides) it is that of one side or zero.
class Formula {
 public:
  /// Names of the variables, and of the field of the scene for errors. A formula may have one variable only.
  struct Names {
    std::string x = "x", y = "y";
    std::string field = "ground.formula";
  };

  /// Throws Error that names the place in the text.
  explicit Formula(const std::string& text, const Names& names = {"x", "y", "ground.formula"});

  Height at(double x, double y) const;
  /// Holds for all points of a rectangle; not always tight, infinite where it cannot be told.
  HeightLimits limits(double x_low, double x_high, double y_low, double y_high) const;

 private:
  Expression expression_;
};

/// A formula over a rectangle around x = y = 0. Beyond its border the height of the border goes on.
class FormulaMap : public HeightMap {
 public:
  /// Throws Error with the place when a height inside is not finite.
  /// @param size_x, size_y of the rectangle [m]
  FormulaMap(const std::string& formula, double size_x, double size_y);

  Height at(double x, double y) const override;
  const HeightLimits& limits() const override { return limits_; }
  Eigen::Vector2d extent() const override { return {2.0 * half_x_, 2.0 * half_y_}; }

 private:
  Formula formula_;
  double half_x_, half_y_;  ///< [m]
  HeightLimits limits_;
};

}  // namespace footfall
