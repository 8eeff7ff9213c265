#pragma once

#include <memory>
#include <span>
#include <string>
#include <vector>

#include "footfall/terrain/ray_cast.hpp"

namespace footfall {

/// Height of the ground above a point of the plane, and how it rises along x and y.
struct Height {
  double z = 0.0;        ///< [m]
  double slope_x = 0.0;  ///< ∂z/∂x [-]
  double slope_y = 0.0;  ///< ∂z/∂y [-]
};

/// Holds for all points of the plane; infinite where nothing is known.
struct HeightLimits {
  double highest = std::numeric_limits<double>::infinity();   ///< [m]
  double steepest = std::numeric_limits<double>::infinity();  ///< length of the slope vector [-]
  /// How much the slope vector changes along a line inside of the extent; infinite where it jumps [1/m]
  double sharpest = std::numeric_limits<double>::infinity();
};

/// A height for every x and y.
class HeightMap {
 public:
  virtual ~HeightMap() = default;
  virtual Height at(double x, double y) const = 0;
  /// z alone of many places, for rays; equal to at() up to rounding. All three are of one length, all places are
  /// finite.
  virtual void heightsAt(std::span<const double> x, std::span<const double> y, std::span<double> z) const {
    for (std::size_t i = 0; i < z.size(); ++i) z[i] = at(x[i], y[i]).z;
  }
  double heightAt(double x, double y) const {
    double z = 0.0;
    heightsAt({&x, 1}, {&y, 1}, {&z, 1});
    return z;
  }
  virtual const HeightLimits& limits() const = 0;
  /// limits().sharpest of no more than what is this near along x and y, and of valleys alone: what bends downwards does
  /// not count where that is known.
  virtual double sharpestNear(double /*x*/, double /*y*/, double /*distance*/) const { return limits().sharpest; }
  /// Of the rectangle around x = y = 0 beyond which nothing changes; zero: it is not known [m].
  virtual Eigen::Vector2d extent() const { return {0.0, 0.0}; }
};

enum class Interpolation {
  bilinear,  ///< straight between the nodes: the normal jumps from cell to cell
  bicubic,   ///< Catmull–Rom: the normal is continuous; may overshoot the nodes
};

/// Heights at the nodes of a grid, as one sees it from above: x to the right, y up, the first row at the far side (+y).
struct HeightTable {
  int rows = 0;                 ///< along y, 2 or more
  int columns = 0;              ///< along x, 2 or more
  std::vector<double> heights;  ///< row by row [m]
};

/// Rows of numbers separated by commas, semicolons or white space; lines that begin with # are skipped.
/// A PGM image (P2 or P5) is recognised by its first bytes; its values are scaled from 0 (black) to 1 (white).
/// @param where the name of the file, for errors
HeightTable parseHeights(const std::string& content, const std::string& where);

/// A grid of heights with its middle at x = y = 0. Beyond its border the height of the border goes on.
class HeightGrid : public HeightMap {
 public:
  /// @param cell  distance of neighbouring nodes [m]
  /// @param scale the heights of the table are multiplied with it [m]
  HeightGrid(HeightTable table, double cell, double scale = 1.0, Interpolation interpolation = Interpolation::bicubic);

  Height at(double x, double y) const override;
  void heightsAt(std::span<const double> x, std::span<const double> y, std::span<double> z) const override;
  const HeightLimits& limits() const override { return limits_; }
  double sharpestNear(double x, double y, double distance) const override;
  Eigen::Vector2d extent() const override { return cell_ * Eigen::Vector2d(table_.columns - 1, table_.rows - 1); }

 private:
  void bilinearHeights(std::span<const double> x, std::span<const double> y, std::span<double> z) const;
  double bicubicHeight(double x, double y) const;
  double node(int row, int column) const;  ///< of the border, beyond it
  void refuseBadHeights() const;
  void findLimits();

  HeightTable table_;
  double cell_;
  Interpolation interpolation_;
  HeightLimits limits_;
};

/// The ground below a height map. Gap and normal are those at the foot of the perpendicular from the point, found by a
/// few steps of a fixed point: exact for slopes and close to the ground; of third order in gap times curvature.
class HeightField : public Terrain, public RayTarget {
 public:
  /// @param origin where the map's x = y = z = 0 is in the world [m]
  HeightField(std::shared_ptr<const HeightMap> map, const Vector3d& origin, const Material& material);

  SurfacePoint at(const Vector3d& p_W, TimeSpan span) const override;
  double clearance(const Vector3d& center_W, double radius, TimeSpan span) const override;
  bool touchesOnce(const Vector3d& center_W, double radius, TimeSpan span) const override;
  GroundDrawing drawing(const Vector3d& around_W) const override;
  void shorten(std::span<const Ray> rays, double time, std::span<double> distance) const override;

 private:
  void shorten(const Ray& ray, double height, double& distance) const;
  double alongRay(const Ray& ray, double limit) const;
  struct Foot {
    Vector3d normal;
    double gap;      ///< distance from the plane that touches the ground there [m]
    Vector3d point;  ///< of the ground, where that plane touches it [m]
  };
  Foot footAt(const Vector3d& p, double x, double y) const;
  Foot footOnEdge(const Vector3d& p, const Foot& one, const Foot& other) const;
  Foot footBelow(const Vector3d& p) const;

  std::shared_ptr<const HeightMap> map_;
  Vector3d origin_;
  Material material_;
};

}  // namespace footfall
