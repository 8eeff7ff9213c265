#pragma once

#include <algorithm>
#include <cstdint>
#include <vector>

#include "contact/manifold_place.hpp"
#include "contact/near_shapes.hpp"
#include "footfall/collide/manifold.hpp"
#include "footfall/contact/contact.hpp"

namespace footfall {

/// How near a point must be that does not move [m].
inline double marginOf(const DetectionSettings& settings) {
  return settings.acceleration * settings.step * settings.step + settings.extra;
}

/// How near one must be that moves with this normal velocity. What an impact sets in motion may come from where it was
/// going away: nearer than `extra` it takes part whatever its velocity.
inline double reachOf(const DetectionSettings& settings, double approach) {
  const double reach = marginOf(settings) - settings.step * approach;
  return settings.extra > 0.0 ? std::max(reach, settings.extra) : reach;
}

/// How far the points of a shape are from the origin of its link at most [m].
inline double radiusAboutOrigin(const BoundingSphere& bound) { return bound.centre.norm() + bound.radius; }

/// Where a link is after that time, if it goes on as it does.
Pose poseAfter(double duration, const Pose& X_WL, const Vector6d& V);

/// A point where two shapes of a model touch; frames are those of their links.
struct ShapePoint {
  ShapePair shapes;
  TouchPoint touch;
};

/// A shape, and the link that carries it.
struct MovingShape {
  Pose X;                         ///< of the link, in the world
  Vector6d V = Vector6d::Zero();  ///< of the link's origin, in the world
  collide::Placed placed;
};

/// Two shapes that are near each other.
struct Meeting {
  ShapePair shapes;
  const MovingShape &a, &b;
};

/// Finds where the shapes of links meet each other. Scratch memory.
class ShapeContacts {
 public:
  ShapeContacts(const Model& model, SharedSolids solids);

  /// Whether leaveOutFar() would spare anything.
  bool hasRobots() const { return near_shapes_.hasRobots(); }
  /// The next detect() does not look at robots that no others can come near.
  /// @param around all shapes of each of the model's trees while they move for a step, larger by half of marginOf()
  void leaveOutFar(const std::vector<collide::AxisAlignedBox>& around) { near_shapes_.leaveOutFar(around); }

  /// Appends the contacts of shapes that could touch within the step, at the engine's last update.
  void detect(const DetectionSettings& settings, const RobotDynamics& kinematics, std::vector<ContactFrame>& frames,
              std::vector<ActiveContact>& active);

  /// Where a contact of the last detect() is at the engine's last update; the lever begins at the origin of a's link.
  ContactPlace placeOf(const ActiveContact& contact, const RobotDynamics& kinematics);
  const ShapePair& shapesOf(const ActiveContact& contact) const { return found_[contact.shape_point].shapes; }

 private:
  struct NearPair {
    ShapePair shapes;
    collide::Apart apart;  ///< what is known of the two from the last time, by which no point changes
  };
  void findNearPairs(const DetectionSettings& settings, double margin, const RobotDynamics& kinematics);
  void rememberWhatIsApart();
  void detectPair(NearPair& near, const DetectionSettings& settings, std::vector<ContactFrame>& frames,
                  std::vector<ActiveContact>& active);
  void add(const collide::ManifoldPoint& point, const Meeting& meeting, const DetectionSettings& settings,
           std::vector<ContactFrame>& frames, std::vector<ActiveContact>& active);
  bool turns(const Meeting& meeting, const DetectionSettings& settings) const;
  double smallerSize(const Meeting& meeting) const;
  void lookAhead(const Meeting& meeting, std::size_t first, const DetectionSettings& settings,
                 std::vector<ContactFrame>& frames, std::vector<ActiveContact>& active);
  collide::Placed placed(int shape, const Pose& X_WL) const;
  const std::vector<collide::ManifoldPoint>& pointsOf(const ShapePair& pair, const Pose& X_WA, const Pose& X_WB,
                                                      double margin);

  const Model& model_;
  SharedSolids solids_;                         ///< of all shapes of the model
  std::vector<double> farthest_;                ///< points of all shapes, from the origins of their links [m]
  std::vector<MovingShape> moving_;             ///< those that meet others, at the last detect()
  std::vector<collide::AxisAlignedBox> boxes_;  ///< around those that meet others, during the step
  NearShapes near_shapes_;
  std::vector<ShapePair> near_;
  std::vector<NearPair> near_pairs_, near_before_;  ///< of this detect() and the last one, in the same order as near_
  std::vector<ShapePoint> found_;                   ///< of the last detect()
  PairManifold manifold_;
};

}  // namespace footfall
