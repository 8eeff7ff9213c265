#include "contact/shape_contacts.hpp"

#include <algorithm>
#include <limits>
#include <utility>

#include "footfall/collide/passing.hpp"
#include "footfall/dynamics/point_velocity.hpp"

namespace footfall {
namespace {

/// No point of a shape is faster [m/s].
double fastestPoint(const Vector6d& V, const Pose& X_WL, const BoundingSphere& bound) {
  return pointVelocity(V, X_WL.R * bound.centre).norm() + V.tail<3>().norm() * bound.radius;
}

/// What goes less deep within the step is taken care of by that step [m].
constexpr double kComesIn = 50e-6;
/// What has one number, and is no farther away than this, is one place: of the size of the smaller body.
constexpr double kSamePart = 0.25;

/// A number that no place has, for one that goes along with the bodies and not with its feature, which is elsewhere.
std::uint32_t elsewhere(std::uint32_t feature) { return feature | 0xc0000000u; }

/// Both points of a contact are taken to be in the middle between the shapes: what acts on one acts on the other.
Vector3d middle(const collide::ManifoldPoint& point) { return 0.5 * (point.p_WA + point.p_WB); }

}  // namespace

Pose poseAfter(double duration, const Pose& X_WL, const Vector6d& V) {
  const Vector3d turn_W = duration * V.tail<3>();
  const double angle = turn_W.norm();
  Pose later = X_WL;
  later.p += duration * V.head<3>();
  if (angle > 0.0) later.R = Eigen::AngleAxisd(angle, turn_W / angle) * later.R;
  return later;
}

SharedSolids makeSolids(const Model& model) {
  std::vector<collide::Solid> solids;
  for (const CollisionShape& body : model.shapes) solids.push_back(collide::makeSolid(body.shape));
  return std::make_shared<const std::vector<collide::Solid>>(std::move(solids));
}

ShapeContacts::ShapeContacts(const Model& model, SharedSolids solids)
    : model_(model),
      solids_(std::move(solids)),
      moving_(model.shapes.size()),
      boxes_(model.shapes.size()),
      near_shapes_(model) {
  for (const CollisionShape& body : model.shapes) farthest_.push_back(radiusAboutOrigin(body.shape.bound));
}

/// Those whose boxes overlap while they move for a step, in ascending order.
void ShapeContacts::findNearPairs(const DetectionSettings& settings, double margin, const RobotDynamics& kinematics) {
  for (const int shape : near_shapes_.shapes()) {
    const LinkIndex link = model_.shapes[shape].link;
    MovingShape& moving = moving_[shape];
    moving.X = kinematics.linkPose(link);
    moving.V = kinematics.linkVelocity(link);
    moving.placed = collide::place((*solids_)[shape], moving.X, static_cast<std::uint32_t>(shape));
    const double fastest = moving.V.head<3>().norm() + moving.V.tail<3>().norm() * farthest_[shape];
    boxes_[shape] = collide::roughBoundsOf(moving.placed, 0.5 * margin + settings.step * fastest);
  }
  near_shapes_.find(boxes_, near_);
  rememberWhatIsApart();
}

/// Both lists are in ascending order, and have room for the same.
void ShapeContacts::rememberWhatIsApart() {
  if (near_.size() > near_pairs_.capacity())
    for (std::vector<NearPair>* pairs : {&near_pairs_, &near_before_}) pairs->reserve(2 * near_.size());
  near_before_.swap(near_pairs_);
  near_pairs_.clear();
  auto before = near_before_.begin();
  for (const ShapePair& shapes : near_) {
    while (before != near_before_.end() && before->shapes < shapes) ++before;
    const bool was_near = before != near_before_.end() && before->shapes == shapes;
    near_pairs_.push_back({shapes, was_near ? before->apart : collide::Apart{}});
  }
}

collide::Placed ShapeContacts::placed(int shape, const Pose& X_WL) const {
  return collide::place((*solids_)[shape], X_WL, static_cast<std::uint32_t>(shape));
}

const std::vector<collide::ManifoldPoint>& ShapeContacts::pointsOf(const ShapePair& pair, const Pose& X_WA,
                                                                   const Pose& X_WB, double margin) {
  return manifold_.of(placed(pair.a, X_WA), placed(pair.b, X_WB), margin);
}

void ShapeContacts::detect(const DetectionSettings& settings, const RobotDynamics& kinematics,
                           std::vector<ContactFrame>& frames, std::vector<ActiveContact>& active) {
  found_.clear();
  findNearPairs(settings, marginOf(settings), kinematics);
  const DetectionSettings usual = settings.withoutExtra();
  for (NearPair& near : near_pairs_) {
    const LinkIndex a = model_.shapes[near.shapes.a].link, b = model_.shapes[near.shapes.b].link;
    if (!settings.concerns(a) && !settings.concerns(b)) continue;
    detectPair(near, settings.isExtra(a) || settings.isExtra(b) ? settings : usual, frames, active);
  }
}

void ShapeContacts::detectPair(NearPair& near, const DetectionSettings& settings, std::vector<ContactFrame>& frames,
                               std::vector<ActiveContact>& active) {
  const CollisionShape &a = model_.shapes[near.shapes.a], &b = model_.shapes[near.shapes.b];
  const Meeting meeting{near.shapes, moving_[near.shapes.a], moving_[near.shapes.b]};
  const double speed =
      fastestPoint(meeting.a.V, meeting.a.X, a.shape.bound) + fastestPoint(meeting.b.V, meeting.b.X, b.shape.bound);
  const double margin = marginOf(settings) + settings.step * speed;
  const auto& points = manifold_.of(meeting.a.placed, meeting.b.placed, margin, &near.apart);
  if (points.empty()) return;  // farther apart than they can come within the step
  const std::size_t first = found_.size();
  for (const collide::ManifoldPoint& point : points) add(point, meeting, settings, frames, active);
  if (turns(meeting, settings)) lookAhead(meeting, first, settings, frames, active);
}

void ShapeContacts::add(const collide::ManifoldPoint& point, const Meeting& meeting, const DetectionSettings& settings,
                        std::vector<ContactFrame>& frames, std::vector<ActiveContact>& active) {
  const auto& [pair, in_a, in_b] = meeting;
  const CollisionShape &a = model_.shapes[pair.a], &b = model_.shapes[pair.b];
  const Vector3d p_W = middle(point);
  const Vector3d v_W = pointVelocity(in_a.V, p_W - in_a.X.p) - pointVelocity(in_b.V, p_W - in_b.X.p);
  const double approach = point.normal_W.dot(v_W);
  if (point.gap > reachOf(settings, approach)) return;
  const Vector3d way_W = settings.step * v_W;
  if (approach < 0.0 && collide::passes(placed(pair.a, in_a.X), placed(pair.b, in_b.X), point, way_W)) return;
  const PairMaterial material = model_.pairMaterial(pair);
  const double face = std::max(a.shape.face, b.shape.face);
  ActiveContact contact;
  contact.surface = {point.gap, axesAlong(point.normal_W), Vector3d::Zero(), material.friction, material.restitution};
  contact.approach = approach;
  contact.shape_point = static_cast<int>(found_.size());
  found_.push_back({pair, touchPoint(point, in_a.X, in_b.X)});
  const Matrix3d& R_WC = contact.surface.R_WC;
  const int count = face > 0.0 ? kFacePoints : 1;
  for (int k = 0; k < count; ++k) {
    contact.candidate =
        numberOfTouch(model_.candidates.size(), static_cast<std::uint32_t>(pair.a), static_cast<std::uint32_t>(pair.b),
                      point.feature + 0x9e3779b9u * static_cast<std::uint32_t>(k));
    if (face > 0.0) contact.feature.face_C = facePoint(face, k);
    contact.p_WC = face > 0.0 ? Vector3d(p_W + R_WC * contact.feature.face_C) : p_W;
    frames.push_back({a.link, in_a.X.inverse() * contact.p_WC, R_WC, b.link, in_b.X.inverse() * contact.p_WC});
    active.push_back(contact);
  }
}

/// So far that other corners and edges may meet at the end of the step than at its start.
bool ShapeContacts::turns(const Meeting& meeting, const DetectionSettings& settings) const {
  return settings.step * (meeting.a.V - meeting.b.V).tail<3>().norm() * smallerSize(meeting) > kComesIn;
}

double ShapeContacts::smallerSize(const Meeting& meeting) const {
  const auto& [pair, in_a, in_b] = meeting;
  return std::min(model_.shapes[pair.a].shape.bound.radius, model_.shapes[pair.b].shape.bound.radius);
}

/// What rolls over corners and edges comes down on others than those that are nearest at the start of the step: the
/// points that would be inside at its end, if both go on as they do. The two ends of a line on something round may have
/// one number.
void ShapeContacts::lookAhead(const Meeting& meeting, std::size_t first, const DetectionSettings& settings,
                              std::vector<ContactFrame>& frames, std::vector<ActiveContact>& active) {
  const auto& [pair, in_a, in_b] = meeting;
  const Pose X_WA = poseAfter(settings.step, in_a.X, in_a.V), X_WB = poseAfter(settings.step, in_b.X, in_b.V);
  const double far = kSamePart * smallerSize(meeting);
  const std::size_t known = found_.size();
  for (const collide::ManifoldPoint& point : pointsOf(pair, X_WA, X_WB, -kComesIn)) {
    TouchPoint later = touchPoint(point, X_WA, X_WB);
    bool is_known = false;
    for (std::size_t i = first; i < known; ++i) {
      if (found_[i].touch.feature != point.feature) continue;
      is_known = (found_[i].touch.p_A - later.p_A).norm() < far || (found_[i].touch.p_B - later.p_B).norm() < far;
      later.feature = elsewhere(point.feature);
    }
    if (is_known) continue;
    const collide::ManifoldPoint now = followed(later, {}, in_a.X, in_b.X);
    if (now.gap > 0.0) add(now, meeting, settings, frames, active);
  }
}

ContactPlace ShapeContacts::placeOf(const ActiveContact& contact, const RobotDynamics& kinematics) {
  const ShapePoint& point = found_[contact.shape_point];
  const CollisionShape &a = model_.shapes[point.shapes.a], &b = model_.shapes[point.shapes.b];
  const Pose X_WA = kinematics.linkPose(a.link), X_WB = kinematics.linkPose(b.link);
  const collide::ManifoldPoint now =
      followed(point.touch, pointsOf(point.shapes, X_WA, X_WB, std::numeric_limits<double>::infinity()), X_WA, X_WB);
  ContactPlace place;
  place.surface.gap = now.gap;
  place.surface.R_WC = axesAlong(now.normal_W);
  place.lever_W = middle(now) - X_WA.p;
  return place;
}

std::vector<TouchingShapes> touchingShapes(const Model& model, const RobotDynamics& kinematics) {
  std::vector<ContactFrame> frames;
  std::vector<ActiveContact> active;
  ShapeContacts contacts(model, makeSolids(model));
  contacts.detect({.step = 0.0, .acceleration = 0.0}, kinematics, frames, active);
  std::vector<TouchingShapes> touching;
  for (const ActiveContact& contact : active) touching.push_back({contacts.shapesOf(contact), contact.surface.gap});
  return touching;
}

}  // namespace footfall
