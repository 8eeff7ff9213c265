#pragma once

#include <memory>
#include <span>
#include <vector>

#include "footfall/collide/solid.hpp"
#include "footfall/contact/contact_place.hpp"
#include "footfall/dynamics/dynamics.hpp"
#include "footfall/model/state.hpp"
#include "footfall/model/tree.hpp"
#include "footfall/terrain/terrain.hpp"

namespace footfall {

/// A candidate that is near enough to the ground, an edge of the ground near a shape, or a point of two shapes that are
/// near enough to each other, to be part of this step's contact problem.
struct ActiveContact {
  /// Of the ground: a candidate of the model. Of an edge of the ground, of a second place of one and of two shapes: a
  /// number above all of those, the same from step to step.
  int candidate = -1;
  ContactFeature feature;  ///< what touches the ground: findContactPlace() says where, at other poses of its link too
  SurfacePoint surface;    ///< of the ground, or of the other shape, relative to which velocities are
  Vector3d p_WC = Vector3d::Zero();  ///< the point of the robot nearest to the ground [m]
  /// Normal velocity at the start of the step, relative to the mean of the ground's in it; < 0: approaching [m/s]
  double approach = 0.0;
  int further_of = -1;   ///< of a second place of a rim, or on a second plane: its candidate of the model
  int shape_point = -1;  ///< of two shapes: which of those that their detector has found
  int edge_point = -1;   ///< of an edge of the ground: which of those that their detector has found
  /// How much faster the ground rises along the normal in the mean of the step than at its start [m/s]
  double ground_rise = 0.0;

  bool isOfTwoShapes() const { return shape_point >= 0; }
  bool isOfGroundEdge() const { return edge_point >= 0; }
};

/// How far ahead of touching a candidate takes part [m]: what it can travel in one step of length dt.
struct DetectionSettings {
  double step = 1e-3;         ///< [s]
  double acceleration = 1e3;  ///< no point of a robot is expected to accelerate more than this [m/s²]
  double extra = 0.0;         ///< farther than that by this much: points that an impact has set in motion [m]
  double extra_joint = 0.0;   ///< the same for the limits of joints [rad or m]
  /// Of each link, whether `extra` is for it: for contacts of one such link at least. Empty: for all.
  std::span<const char> extra_links = {};
  /// Of each link, whether contacts of it are looked for. Empty: of all.
  std::span<const char> only_links = {};

  bool isExtra(LinkIndex link) const { return extra_links.empty() || extra_links[link] != 0; }
  bool concerns(LinkIndex link) const { return only_links.empty() || only_links[link] != 0; }
  DetectionSettings withoutExtra() const {
    DetectionSettings usual = *this;
    usual.extra = 0.0;
    return usual;
  }
};

class GroundEdges;
class ShapeContacts;

/// The shapes of a model, ready to meet each other. Hulls take milliseconds to make, so detectors share them.
using SharedSolids = std::shared_ptr<const std::vector<collide::Solid>>;
SharedSolids makeSolids(const Model& model);

/// Finds the contacts of a step. Most links of a robot are far from the ground most of the time: a limb that cannot
/// touch, however its joints stand, is left out by one question about the ball that it stays in.
class ContactDetector {
 public:
  /// @param solids of this model, or of another one with the same shapes; null: it makes its own where it needs them
  explicit ContactDetector(const Model& model, SharedSolids solids = nullptr);
  ~ContactDetector();

  /// The active contacts at the engine's last update, where the robot is at (q, nu), and the points where they act.
  /// `frames` and `active` keep their memory from call to call.
  void detect(const Terrain& terrain, double time, const DetectionSettings& settings, const VectorXd& q,
              const VectorXd& nu, const RobotDynamics& dynamics, std::vector<ContactFrame>& frames,
              std::vector<ActiveContact>& active);

  /// Of a contact of two shapes from the last detect(): which ones, and where it is at the engine's last update.
  const ShapePair& shapesOf(const ActiveContact& contact) const;
  ContactPlace placeOf(const ActiveContact& contact, const RobotDynamics& kinematics);
  /// Of a contact with an edge of the ground: the shape that meets it, and where, with its link at X_WL.
  const CollisionShape& shapeAtEdge(const ActiveContact& contact) const;
  ContactPlace placeAtEdge(const ActiveContact& contact, const Pose& X_WL, const Terrain& terrain, TimeSpan span);

 private:
  void measureLimbs(const VectorXd& q);
  double fastestPoint(const Tree& tree, const VectorXd& nu) const;
  void leaveOutFarLimbs(const Terrain& terrain, TimeSpan span, const Tree& tree, double travel,
                        const RobotDynamics& dynamics);
  void measureTrees(double margin, double step, const VectorXd& nu, const RobotDynamics& dynamics);

  const Model& model_;
  std::vector<Tree> trees_;
  std::vector<collide::AxisAlignedBox> around_trees_;  ///< scratch
  std::unique_ptr<ShapeContacts> shape_contacts_;      ///< null: no link meets another
  std::unique_ptr<GroundEdges> ground_edges_;          ///< null: no shape meets the ground
  // Of links, in the order of the model.
  std::vector<double> extent_;  ///< of the link's own shapes from its origin; < 0: it has none [m]
  std::vector<double> offset_;  ///< of its joint from its parent's origin [m]
  std::vector<double> reach_;   ///< of the shapes of all that hangs below it, itself included, from its origin [m]
  std::vector<char> far_;       ///< none of its shapes can touch in this step
};

/// Where shapes of links touch each other or are inside of each other, at the engine's last update.
struct TouchingShapes {
  ShapePair shapes;
  double gap = 0.0;  ///< [m]
};
std::vector<TouchingShapes> touchingShapes(const Model& model, const RobotDynamics& kinematics);

}  // namespace footfall
