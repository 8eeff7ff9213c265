#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <limits>
#include <span>
#include <utility>

#include "contact/ground_edges.hpp"
#include "contact/manifold_place.hpp"
#include "contact/shape_contacts.hpp"
#include "footfall/base/error.hpp"
#include "footfall/contact/contact.hpp"
#include "footfall/dynamics/point_velocity.hpp"

namespace footfall {
namespace {

constexpr int kMostPoints = 256;      ///< of one shape
constexpr double kSameNormal = 0.99;  ///< cosine of 8°
constexpr double kSameGap = 1e-12;    ///< rounding at a few metres from the origin [m]
/// What goes less far in a step, or less deep into the next slope of the ground, is taken care of by that step [m].
constexpr double kAhead = 10e-6;
constexpr double kSameSlope = 0.995;  ///< cosine of 6°: what turns less is followed within the step

/// The memory for its points is made once for all shapes.
void refuseTooManyPoints(const CollisionShape& body, const Model& model) {
  const int points = maxContactPoints(body.shape);
  if (points > kMostPoints)
    throw Error("link '" + model.links[body.link].name + "'",
                fmt::format("a collision shape has {} contact points, expected {} or fewer", points, kMostPoints),
                "convexHull() makes hulls with fewer corners: HullSettings::max_vertices");
}

/// Of the link that the last candidate was on: candidates of one link follow each other.
struct LinkMotion {
  LinkIndex link;
  Pose X_WL;
  Vector6d velocity = Vector6d::Zero();
};

const LinkMotion& motionOf(LinkIndex link, const RobotDynamics& dynamics, LinkMotion& last) {
  if (last.link != link) last = {link, dynamics.linkPose(link), dynamics.linkVelocity(link)};
  return last;
}

/// An empty one, to be filled where it stays. Contacts are large, and every step has some: memory that is cleared for
/// them, and copies of what has just been written number by number, both take longer.
template <class T>
T& addTo(std::vector<T>& list) {
  static const T empty{};
  list.push_back(empty);
  return list.back();
}

/// Also what it is made of: belts are let into floors.
bool isSameGround(const SurfacePoint& a, const SurfacePoint& b) {
  return std::abs(a.gap - b.gap) < kSameGap && a.R_WC.col(2).dot(b.R_WC.col(2)) > kSameNormal &&
         a.velocity_W == b.velocity_W && a.friction == b.friction && a.restitution == b.restitution;
}

/// Looks at candidates one by one and keeps those that could touch within the step.
class Detection {
 public:
  Detection(const Terrain& terrain, const DetectionSettings& settings, TimeSpan span, const Model& model,
            std::vector<ContactFrame>& frames, std::vector<ActiveContact>& active)
      : terrain_(terrain),
        has_hills_(terrain.hasHills()),
        planes_(terrain.planeCount()),
        span_(span),
        settings_(&settings),
        candidates_(model.candidates.size()),
        frames_(frames),
        active_(active) {}

  void use(const DetectionSettings& settings) { settings_ = &settings; }

  void look(int candidate, const Vector3d& p_LC, double radius, const Vector3d& face_C, const LinkMotion& motion) {
    const ContactFeature feature{.p_L = p_LC, .radius = radius, .face_C = face_C};
    if (radius > 0.0 && has_hills_) return lookAtBall(candidate, feature, motion);
    const ContactPlace place = findBallPlace(p_LC, radius, motion.X_WL, terrain_, span_);
    if (planes_ == 0 && !has_hills_) return look(candidate, feature, place, motion);
    look(candidate, onItsPlane(feature, place, motion), place, motion);
    lookAtOtherPlanes(candidate, feature, {&place, 1}, motion);
    lookAhead(candidate, feature, {&place, 1}, motion);
  }

  /// A shape far from the ground costs one question; a near one is looked at point by point.
  /// @param edges null: the ground has none
  void look(int shape, const CollisionShape& body, const LinkMotion& motion, GroundEdges* edges) {
    const BoundingSphere& bound = body.shape.bound;
    const Vector3d r_W = motion.X_WL.R * bound.centre;
    const Vector3d centre_W = motion.X_WL.p + r_W;
    const double speed = pointVelocity(motion.velocity, r_W).norm() + motion.velocity.tail<3>().norm() * bound.radius;
    const double reach = marginOf(*settings_) + span_.duration * speed;
    const double clearance = terrain_.clearance(centre_W, bound.radius, span_);
    if (clearance > reach) return;
    const SurfacePoint surface = terrain_.at(centre_W, span_);
    // The gap tells where nothing is known of the ground. Others may be nearer to the sides than below: high above a
    // narrow valley a height field does not see its walls.
    if (std::isinf(clearance) && surface.gap > bound.radius + reach) return;

    const Pose& X_LS = body.shape.X_LS;
    const Vector3d up_S = X_LS.R.transpose() * (motion.X_WL.R.transpose() * surface.R_WC.col(2));
    // On a plane the points below reach, with room for rounding. Other grounds may be near on all sides.
    const double ceiling = terrain_.isPlane()
                               ? reach - surface.gap + up_S.dot(X_LS.inverse() * bound.centre) + bound.radius
                               : std::numeric_limits<double>::infinity();
    const int count = contactPoints(body.shape, up_S, scratch_.points, ceiling);
    const std::size_t first = active_.size();
    bool rim_lies_flat = false;
    for (int k = 0; k < count; ++k) {
      const ContactPoint& point = scratch_.points[k];
      const Vector3d p_L = X_LS * point.p_S;
      if (point.kind == ContactPoint::Kind::rim) rim_lies_flat = false;
      // Most corners of a hull that lies on the ground are too high; that is cheap to ask.
      if (terrain_.clearance(motion.X_WL * p_L, point.radius, span_) > reach) continue;
      const int candidate = body.first_candidate + point.feature;
      if (point.kind == ContactPoint::Kind::ball)
        look(candidate, p_L, point.radius, point.face_C, motion);
      else if (point.kind == ContactPoint::Kind::rim)
        rim_lies_flat =
            lookAtRim(candidate, {.p_L = p_L, .radius = point.radius, .axis_L = X_LS.R.col(2)}, reach, motion);
      // Where a rim rolls, its lowest points are all that can touch: fixed points would come down beside them, and a
      // step that takes them along their tangents would see them strike.
      else if (rim_lies_flat)
        look(candidate, p_L, 0.0, Vector3d::Zero(), motion);
    }
    if (edges) lookAtEdges(shape, reach + span_.duration * surface.velocity_W.norm(), motion, first, *edges);
    if (edges && has_hills_) lookAheadOfHills(shape, body, motion, first, *edges);
  }

 private:
  /// Room that nobody fills with zeros: that would cost more than all else that is done for a robot in the air.
  union Scratch {
    Scratch() {}
    std::array<ContactPoint, kMostPoints> points;
  };

  /// For the warm start.
  int numberOf(int candidate, int further) const {
    if (further == 0) return candidate;
    return numberOfTouch(candidates_, static_cast<std::uint32_t>(candidate), 0, static_cast<std::uint32_t>(further));
  }

  Vector3d velocityRelativeToGround(const ContactPlace& place, const LinkMotion& motion) const {
    return pointVelocity(motion.velocity, place.lever_W) - place.surface.velocity_W;
  }

  /// How much faster the ground below a point rises in the mean of the step than at its start. Along its normal most of
  /// it is at rest.
  double riseOf(const SurfacePoint& surface, const Vector3d& p_W) const {
    const Vector3d normal_W = surface.R_WC.col(2);
    const double mean = normal_W.dot(surface.velocity_W);
    return mean == 0.0 ? 0.0 : mean - normal_W.dot(terrain_.at(p_W, span_.start).velocity_W);
  }

  /// Of a face, the place is its middle, which is what approaches the ground: all of its points are kept, or none.
  /// @param further which further contact of the candidate this is; 0: it has one
  void look(int candidate, const ContactFeature& feature, const ContactPlace& place, const LinkMotion& motion,
            int further = 0) {
    const double approach = place.surface.R_WC.col(2).dot(velocityRelativeToGround(place, motion));
    if (place.surface.gap > reachOf(*settings_, approach)) return;
    const Vector3d lever_W = feature.isOfFace() ? onFace(place, feature).lever_W : place.lever_W;
    ContactFrame& frame = addTo(frames_);
    frame.link = motion.link;
    frame.p_LC = feature.isFixedPoint() ? feature.p_L : Vector3d(motion.X_WL.R.transpose() * lever_W);
    frame.R_WC = place.surface.R_WC;
    ActiveContact& contact = addTo(active_);
    contact.candidate = numberOf(candidate, further);
    contact.feature = feature;
    contact.surface = place.surface;
    contact.p_WC = motion.X_WL.p + lever_W;
    contact.approach = approach;
    contact.further_of = further > 0 ? candidate : -1;
    contact.ground_rise = riseOf(place.surface, contact.p_WC);
  }

  /// Of grounds with several surfaces a contact stays with the plane that it was found on: it would go over to another
  /// one in an inner corner.
  ContactFeature onItsPlane(ContactFeature feature, const ContactPlace& place, const LinkMotion& motion) const {
    for (int k = 0; k < planes_ && feature.plane < 0; ++k) {
      if (isSameGround(terrain_.atPlane(k, motion.X_WL.p + place.lever_W, span_), place.surface)) feature.plane = k;
    }
    return feature;
  }

  /// What is on one face of an inner corner arrives at the other one while the first is nearest.
  void lookAtOtherPlanes(int candidate, const ContactFeature& feature, std::span<const ContactPlace> found,
                         const LinkMotion& motion) {
    ContactFeature other = feature;
    for (int k = 0; k < planes_; ++k) {
      other.plane = k;
      const ContactPlace place = findContactPlace(withoutFace(other), motion.X_WL, terrain_, span_);
      const auto isSame = [&](const ContactPlace& one) {
        return one.surface.R_WC.col(2).dot(place.surface.R_WC.col(2)) > kSameNormal;
      };
      if (std::none_of(found.begin(), found.end(), isSame))
        look(candidate, other, place, motion, CirclePlaces::kMost + k);
    }
  }

  static ContactPlace onFace(ContactPlace place, const ContactFeature& feature) {
    place.moveToFace(feature);
    return place;
  }
  static ContactFeature withoutFace(ContactFeature feature) {
    feature.face_C.setZero();
    return feature;
  }

  /// The place that comes first has the number of the ball, further ones have numbers of their own.
  void lookAtBall(int candidate, const ContactFeature& ball, const LinkMotion& motion) {
    const double speed = motion.velocity.head<3>().norm() + motion.velocity.tail<3>().norm() * ball.p_L.norm();
    BallPlaces found;
    findBallPlaces(ball, motion.X_WL, terrain_, span_, marginOf(*settings_) + span_.duration * speed, found);
    for (int k = 0; k < found.count; ++k) {
      const ContactPlace& place = found.places[k];
      look(candidate, onItsPlane(found.featureOf(k, ball, motion.X_WL), place, motion), place, motion, k);
    }
    const auto places = std::span(found.places).first(static_cast<std::size_t>(found.count));
    lookAtOtherPlanes(candidate, ball, places, motion);
    lookAhead(candidate, ball, places, motion);
  }

  /// Where the link is at the end of the step, if it goes on as it does.
  Pose poseLater(const LinkMotion& motion) const { return poseAfter(span_.duration, motion.X_WL, motion.velocity); }

  /// What slides down a slope of a height field arrives at the next one while the first is below it: inside, unless it
  /// is told before. That slope is a plane until the step is over.
  void lookAhead(int candidate, const ContactFeature& feature, std::span<const ContactPlace> found,
                 const LinkMotion& motion) {
    if (!has_hills_) return;
    const Vector3d lever_W = motion.X_WL.R * feature.p_L;
    if (span_.duration * pointVelocity(motion.velocity, lever_W).norm() < kAhead) return;
    const Pose X_WL = poseLater(motion);
    addSlopeAhead(candidate, feature, findContactPlace(withoutFace(feature), X_WL, terrain_, span_), X_WL, found,
                  motion);
  }

  /// @param later where it is inside of the ground then, if it is
  void addSlopeAhead(int candidate, ContactFeature feature, const ContactPlace& later, const Pose& X_WL_later,
                     std::span<const ContactPlace> found, const LinkMotion& motion, int further = 0) {
    if (later.surface.gap > -kAhead || !later.surface.velocity_W.isZero(0.0)) return;
    const Vector3d normal_W = later.surface.R_WC.col(2);
    const auto isSame = [&](const ContactPlace& one) { return one.surface.R_WC.col(2).dot(normal_W) > kSameSlope; };
    if (std::any_of(found.begin(), found.end(), isSame)) return;
    feature.near_W.setZero();
    feature.slope_W = normal_W;
    feature.slope_offset = normal_W.dot(X_WL_later.p + later.lever_W) - later.surface.gap;
    const ContactPlace place = findContactPlace(withoutFace(feature), motion.X_WL, terrain_, span_);
    if (place.surface.gap < 0.0) return;  // it is behind that slope, and comes from where there is no ground
    look(candidate, feature, place, motion, 2 * CirclePlaces::kMost + planes_ + 1 + further);
  }

  /// The place that comes first has the number of the rim, further ones have numbers of their own. At an edge of a
  /// block the normal is that of the rim and the edge, which lookAtEdges() finds: a face of the block is none of
  /// theirs, and which one a point of the edge sees is up to rounding.
  /// @return all of it can touch within the step
  bool lookAtRim(int candidate, const ContactFeature& rim, double reach, const LinkMotion& motion) {
    CirclePlaces found;
    findCirclePlaces(rim, motion.X_WL, terrain_, span_, reach, found);
    bool lies_flat = false;
    std::array<ContactPlace, CirclePlaces::kMost> on_faces;
    std::size_t faces = 0;
    for (int k = 0; k < found.count; ++k) {
      const ContactPlace& place = found.places[k];
      lies_flat = lies_flat || liesFlat(rim, place, motion);
      if (found.at_edge[k] && terrain_.blockCount() > 0) continue;
      look(candidate, onItsPlane(found.featureOf(k, rim, motion.X_WL), place, motion), place, motion, k);
      on_faces[faces++] = place;
    }
    lookAtOtherPlanes(candidate, rim, std::span(on_faces).first(faces), motion);
    if (has_hills_) lookAheadOfRim(candidate, rim, reach, std::span(on_faces).first(faces), motion);
    if (!lies_flat) lookAtRimLater(candidate, rim, reach, found, motion);
    return lies_flat;
  }

  void lookAheadOfRim(int candidate, const ContactFeature& rim, double reach, std::span<const ContactPlace> found,
                      const LinkMotion& motion) {
    const Vector3d lever_W = motion.X_WL.R * rim.p_L;
    if (span_.duration * pointVelocity(motion.velocity, lever_W).norm() < kAhead) return;
    const Pose X_WL = poseLater(motion);
    CirclePlaces later;
    findCirclePlaces(rim, X_WL, terrain_, span_, reach, later);
    for (int k = 0; k < later.count; ++k)
      if (!later.at_edge[k]) addSlopeAhead(candidate, rim, later.places[k], X_WL, found, motion, k);
  }

  /// A rim that tumbles comes down with another part than the one that is lowest at the start of the step: the points
  /// that are in the ground at its end, if the link goes on as it does.
  void lookAtRimLater(int candidate, const ContactFeature& rim, double reach, const CirclePlaces& now,
                      const LinkMotion& motion) {
    constexpr double kTumbles = 0.02;   // [rad]; slower ones are followed along the rim
    constexpr double kSamePart = 0.25;  // of the radius
    const Vector3d omega_W = motion.velocity.tail<3>(), axis_W = motion.X_WL.R * rim.axis_L;
    if (span_.duration * axis_W.cross(omega_W).norm() < kTumbles) return;
    const Pose X_WL = poseLater(motion);
    CirclePlaces later;
    findCirclePlaces(rim, X_WL, terrain_, span_, reach, later);
    for (int k = 0; k < later.count; ++k) {
      if (later.places[k].surface.gap > 0.0) continue;
      const ContactFeature point{.p_L = X_WL.R.transpose() * later.places[k].lever_W};
      const ContactPlace place = findContactPlace(point, motion.X_WL, terrain_, span_);
      const auto isSame = [&](const ContactPlace& one) {
        return (one.lever_W - place.lever_W).norm() < kSamePart * rim.radius;
      };
      const auto end = now.places.begin() + now.count;
      if (std::none_of(now.places.begin(), end, isSame))
        look(candidate, onItsPlane(point, place, motion), place, motion, CirclePlaces::kMost + planes_ + 1 + k);
    }
  }

  /// All of the rim can come down to the ground of this place within the step.
  bool liesFlat(const ContactFeature& rim, const ContactPlace& place, const LinkMotion& motion) const {
    constexpr double kNearlyFlat = 0.5;  // sine of the tilt; a rim that stands steeper rolls, however small it is
    const Vector3d normal = place.surface.R_WC.col(2);
    const Vector3d middle_W = motion.X_WL.R * rim.p_L;
    const double sine = (motion.X_WL.R * rim.axis_L).cross(normal).norm();
    if (sine > kNearlyFlat) return false;
    ContactPlace opposite = place;
    opposite.lever_W = 2.0 * middle_W - place.lever_W;
    const double gap = place.surface.gap + 2.0 * rim.radius * sine;
    return gap <= reachOf(*settings_, normal.dot(velocityRelativeToGround(opposite, motion)));
  }

  /// What points of the shape see is there already: contacts from `first` on are of this shape.
  void lookAtEdges(int shape, double reach, const LinkMotion& motion, std::size_t first, GroundEdges& edges) {
    constexpr double kSamePlace = 1e-7;  // [m]
    for (const GroundEdges::Point& point : edges.find(shape, motion.X_WL, reach, terrain_, span_)) {
      const Vector3d& p_W = point.touch.p_WA;
      const ContactPlace place{point.surface, p_W - motion.X_WL.p};
      const double approach = point.touch.normal_W.dot(velocityRelativeToGround(place, motion));
      if (point.surface.gap > reachOf(*settings_, approach)) continue;
      const auto isThere = [&](const ActiveContact& other) {
        return (other.p_WC - p_W).norm() < kSamePlace &&
               other.surface.R_WC.col(2).dot(point.touch.normal_W) > kSameNormal;
      };
      if (std::any_of(active_.begin() + static_cast<std::ptrdiff_t>(first), active_.end(), isThere)) continue;
      ActiveContact contact;
      contact.candidate = point.number;
      contact.surface = point.surface;
      contact.p_WC = p_W;
      contact.approach = approach;
      contact.edge_point = point.index;
      contact.ground_rise = riseOf(point.surface, p_W);
      frames_.push_back({motion.link, motion.X_WL.inverse() * p_W, point.surface.R_WC});
      active_.push_back(contact);
    }
  }

  /// What turns about an end of it lays itself onto a hill that nothing of it was near to: where it would be inside at
  /// the end of the step, that point of it stays outside of the plane of the hill there.
  void lookAheadOfHills(int shape, const CollisionShape& body, const LinkMotion& motion, std::size_t first,
                        GroundEdges& edges) {
    constexpr double kSamePart = 0.1;  // of the size of the shape
    const double size = body.shape.bound.radius;
    if (span_.duration * motion.velocity.tail<3>().norm() * size < kAhead) return;
    const Pose X_WL = poseLater(motion);
    int further = 3 * CirclePlaces::kMost + planes_ + 1;
    for (const GroundEdges::Point& point : edges.findHillsAt(shape, X_WL, terrain_, span_)) {
      const Vector3d normal_W = point.touch.normal_W;
      if (point.touch.gap > -kAhead || !point.surface.velocity_W.isZero(0.0)) continue;
      const ContactFeature feature{.p_L = X_WL.inverse() * point.touch.p_WA,
                                   .slope_W = normal_W,
                                   .slope_offset = normal_W.dot(point.touch.p_WA) - point.touch.gap};
      const ContactPlace place = findContactPlace(feature, motion.X_WL, terrain_, span_);
      const auto isSame = [&](const ActiveContact& other) {
        return (other.p_WC - motion.X_WL.p - place.lever_W).norm() < kSamePart * size &&
               other.surface.R_WC.col(2).dot(normal_W) > kSameSlope;
      };
      const auto begin = active_.begin() + static_cast<std::ptrdiff_t>(first);
      if (place.surface.gap < 0.0 || std::any_of(begin, active_.end(), isSame)) continue;
      look(body.first_candidate, feature, place, motion, further++);
    }
  }

  Scratch scratch_;
  const Terrain& terrain_;
  bool has_hills_;
  int planes_;
  TimeSpan span_;
  const DetectionSettings* settings_;
  std::size_t candidates_;
  std::vector<ContactFrame>& frames_;
  std::vector<ActiveContact>& active_;
};

}  // namespace

ContactDetector::ContactDetector(const Model& model, SharedSolids solids)
    : model_(model),
      trees_(treesOf(model)),
      extent_(model.links.size(), -1.0),
      offset_(model.links.size(), 0.0),
      reach_(extent_),
      far_(model.links.size(), 0) {
  if (model.collides()) {
    if (!solids) solids = makeSolids(model);
    shape_contacts_ = std::make_unique<ShapeContacts>(model, solids);
  }
  if (!model.shapes.empty()) ground_edges_ = std::make_unique<GroundEdges>(model, std::move(solids));
  for (const CollisionShape& body : model.shapes) {
    if (!body.meets_ground && !body.meets_shapes) continue;
    if (body.meets_ground) refuseTooManyPoints(body, model);
    extent_[body.link] = std::max(extent_[body.link], radiusAboutOrigin(body.shape.bound));
  }
  for (std::size_t j = 0; j < model.joints.size(); ++j) offset_[j + 1] = model.joints[j].X_PJ.p.norm();
}

ContactDetector::~ContactDetector() = default;

const ShapePair& ContactDetector::shapesOf(const ActiveContact& contact) const {
  return shape_contacts_->shapesOf(contact);
}

ContactPlace ContactDetector::placeOf(const ActiveContact& contact, const RobotDynamics& kinematics) {
  return shape_contacts_->placeOf(contact, kinematics);
}

const CollisionShape& ContactDetector::shapeAtEdge(const ActiveContact& contact) const {
  return ground_edges_->shapeOf(contact);
}

ContactPlace ContactDetector::placeAtEdge(const ActiveContact& contact, const Pose& X_WL, const Terrain& terrain,
                                          TimeSpan span) {
  return ground_edges_->placeOf(contact, X_WL, terrain, span);
}

/// From the tips to the base. A joint that turns keeps its child's origin where it is; one that slides moves it.
void ContactDetector::measureLimbs(const VectorXd& q) {
  reach_ = extent_;
  for (std::size_t child = model_.joints.size(); child > 0; --child) {
    const Joint& joint = model_.joints[child - 1];
    if (reach_[child] < 0.0 || !joint.parent.valid()) continue;
    double distance = offset_[child];
    if (traitsOf(joint.kind).slides) distance += std::abs(joint.multiplier * q[7 + joint.dof] + joint.offset);
    reach_[joint.parent] = std::max(reach_[joint.parent], distance + reach_[child]);
  }
}

/// No point of any shape of a tree is faster than what all of its joints would give it together [m/s].
double ContactDetector::fastestPoint(const Tree& tree, const VectorXd& nu) const {
  double speed = 0.0;
  if (tree.floats)
    speed = nu.segment<3>(tree.velocity).norm() +
            nu.segment<3>(tree.velocity + 3).norm() * std::max(reach_[tree.base], 0.0);
  for (int j = tree.base; j + 1 < tree.links_end; ++j) {
    const Joint& joint = model_.joints[j];
    const double rate = std::abs(joint.multiplier * nu[model_.baseDofs() + joint.dof]);
    speed += traitsOf(joint.kind).slides ? rate : rate * std::max(reach_[j + 1], 0.0);
  }
  return speed;
}

/// @param travel how far a point of the robot may come in this step [m]
void ContactDetector::leaveOutFarLimbs(const Terrain& terrain, TimeSpan span, const Tree& tree, double travel,
                                       const RobotDynamics& dynamics) {
  for (int link = tree.base; link < tree.links_end; ++link) {
    const bool limb_is_far = link > tree.base && far_[model_.joints[link - 1].parent];
    far_[link] = limb_is_far || reach_[link] < 0.0 ||
                 terrain.clearance(dynamics.linkPose(LinkIndex(link)).p, reach_[link], span) > travel;
  }
}

/// Boxes that all shapes of a tree stay in for a step; a little larger, for what their distances are rounded by.
void ContactDetector::measureTrees(double margin, double step, const VectorXd& nu, const RobotDynamics& dynamics) {
  constexpr double kRounding = 1.0 + 1e-9;
  around_trees_.resize(trees_.size());
  for (std::size_t k = 0; k < trees_.size(); ++k) {
    const LinkIndex base(trees_[k].base);
    const Vector3d p_W = dynamics.linkPose(base).p;
    const double reach = kRounding * (std::max(reach_[base], 0.0) + margin + step * fastestPoint(trees_[k], nu));
    around_trees_[k] = {(p_W.array() - reach).matrix(), (p_W.array() + reach).matrix()};
  }
}

void ContactDetector::detect(const Terrain& terrain, double time, const DetectionSettings& settings, const VectorXd& q,
                             const VectorXd& nu, const RobotDynamics& dynamics, std::vector<ContactFrame>& frames,
                             std::vector<ActiveContact>& active) {
  frames.clear();
  active.clear();
  const TimeSpan span(time, settings.step);
  const DetectionSettings usual = settings.withoutExtra();
  const auto settingsOf = [&](LinkIndex link) -> const DetectionSettings& {
    return settings.isExtra(link) ? settings : usual;
  };
  Detection detection(terrain, settings, span, model_, frames, active);
  LinkMotion last;
  for (int k = 0; k < model_.pointCandidates(); ++k) {
    const ContactCandidate& candidate = model_.candidates[k];
    if (!settings.concerns(candidate.link)) continue;
    detection.use(settingsOf(candidate.link));
    detection.look(k, candidate.p_LC, candidate.radius, candidate.face_C, motionOf(candidate.link, dynamics, last));
  }
  if (model_.shapes.empty()) return;
  measureLimbs(q);
  for (const Tree& tree : trees_)
    leaveOutFarLimbs(terrain, span, tree, marginOf(settings) + settings.step * fastestPoint(tree, nu), dynamics);
  ground_edges_->begin(terrain, time);
  GroundEdges* edges = ground_edges_->empty() ? nullptr : ground_edges_.get();
  for (std::size_t k = 0; k < model_.shapes.size(); ++k) {
    const CollisionShape& shape = model_.shapes[k];
    if (far_[shape.link] || !shape.meets_ground || !settings.concerns(shape.link)) continue;
    detection.use(settingsOf(shape.link));
    detection.look(static_cast<int>(k), shape, motionOf(shape.link, dynamics, last), edges);
  }
  if (!shape_contacts_) return;
  if (shape_contacts_->hasRobots()) {
    measureTrees(0.5 * marginOf(settings), settings.step, nu, dynamics);
    shape_contacts_->leaveOutFar(around_trees_);
  }
  shape_contacts_->detect(settings, dynamics, frames, active);
}

}  // namespace footfall
