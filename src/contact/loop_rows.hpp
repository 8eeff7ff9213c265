#pragma once

#include <array>
#include <vector>

#include "footfall/dynamics/dynamics.hpp"

namespace footfall {

/// The loops of a model as rows on velocities. A loop ties a few points of its two frames together, each along some of
/// the frame's axes: a ball one point, a hinge a second one on the axis, a weld a third one beside it. A physics engine
/// then needs to know nothing of loops: it sees points with axes, as contacts are.
class LoopRows {
 public:
  explicit LoopRows(const Model& model);

  int rows() const { return static_cast<int>(rows_.size()); }
  int frames() const { return frames_; }  ///< contact frames that appendFrames() appends

  /// The points of all loops at the engine's last update, after the frames of the contacts.
  void appendFrames(const Dynamics& dynamics, std::vector<ContactFrame>& frames) const;

  /// How far each row is from being closed at the given link poses; metres also for angles, by their lever [m].
  void gaps(const std::vector<Pose>& X_WL, VectorXd& phi) const;

  /// A row: the velocity of frame `plus` less that of frame `minus`, along one axis. Numbers count from the first frame
  /// that appendFrames() appends; −1: the world, at rest.
  struct Row {
    int plus, minus, axis, loop, point;
  };
  const Row& row(int k) const { return rows_[k]; }
  /// Row k of values that the engine gave for its points, of which the loops' begin at `first`.
  double difference(const double* values, const ContactLayout& points, int first, int k) const {
    const Row& row = rows_[k];
    return (row.plus < 0 ? 0.0 : values[points.row(first + row.plus, row.axis)]) -
           (row.minus < 0 ? 0.0 : values[points.row(first + row.minus, row.axis)]);
  }

  /// What the acceleration of row k has beside the points' own at the engine's last update: a slider that turns with
  /// its link a feels −2 ω × v; the points of other loops do not move in link a [m/s²].
  double turningBias(const Dynamics& dynamics, int k) const;

  /// Adds each row's impulse to the engine's points, of which the loops' begin at `first`: the transpose of
  /// difference().
  void spread(const VectorXd& lambda, const ContactLayout& points, int first, double* values) const;

  /// The rows' impulses as one wrench for each loop: on link b, about the origin of its frame on b, in the axes of its
  /// frame on a.
  void wrenches(const VectorXd& lambda, std::vector<Vector6d>& out) const;

 private:
  struct Point {
    int loop;
    Vector3d p_F;  ///< the same in both frames [m]
    std::array<bool, 3> tied;
  };
  void addPoint(const Model& model, const Point& point);

  const Model& model_;
  std::vector<Point> points_;
  std::vector<Row> rows_;
  int frames_ = 0;
};

}  // namespace footfall
