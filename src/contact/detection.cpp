#include <algorithm>
#include <array>

#include "footfall/contact/contact.hpp"

namespace footfall {
namespace {

/// Pose and velocity of the link that the last candidate was on: candidates of one link follow each other.
struct LinkMotion {
  LinkIndex link;
  Pose X_WL;
  Vector6d velocity = Vector6d::Zero();
};

const LinkMotion& motionOf(LinkIndex link, const Dynamics& dynamics, LinkMotion& last) {
  if (last.link != link) last = {link, dynamics.linkPose(link), dynamics.linkVelocity(link)};
  return last;
}

/// Looks at candidates one by one and keeps those that could touch within the step.
class Detection {
 public:
  Detection(const Terrain& terrain, double time, const DetectionSettings& settings, const Model& model,
            std::vector<ContactFrame>& frames, std::vector<ActiveContact>& active)
      : terrain_(terrain),
        span_(time, settings.step),
        margin_(settings.acceleration * settings.step * settings.step),
        capacity_(static_cast<std::size_t>(model.maxActiveContacts())),
        frames_(frames),
        active_(active) {}

  void look(int candidate, const Vector3d& p_LC, double radius, const LinkMotion& motion) {
    const Vector3d r_W = motion.X_WL.R * p_LC;
    ActiveContact contact;
    contact.surface = terrain_.at(motion.X_WL.p + r_W, span_);
    contact.surface.gap -= radius;
    const Vector3d normal = contact.surface.R_WC.col(2);
    const Vector3d lever_W = r_W - radius * normal;
    const Vector3d v_W = motion.velocity.head<3>() + motion.velocity.tail<3>().cross(lever_W);
    contact.approach = normal.dot(v_W - contact.surface.velocity_W);
    if (contact.surface.gap > margin_ - span_.duration * contact.approach) return;

    contact.candidate = candidate;
    contact.p_WC = motion.X_WL.p + lever_W;
    const Vector3d p_LT = radius > 0.0 ? Vector3d(motion.X_WL.R.transpose() * lever_W) : p_LC;
    keep({motion.link, p_LT, contact.surface.R_WC}, contact);
  }

  /// A shape far from the ground costs one question; a near one is looked at point by point.
  void look(const CollisionShape& body, const LinkMotion& motion) {
    const BoundingSphere& bound = body.shape.bound;
    const Vector3d r_W = motion.X_WL.R * bound.centre;
    const Vector3d centre_W = motion.X_WL.p + r_W;
    const Vector3d omega = motion.velocity.tail<3>();
    const double speed = (motion.velocity.head<3>() + omega.cross(r_W)).norm() + omega.norm() * bound.radius;
    const double reach = margin_ + span_.duration * speed;
    if (terrain_.clearance(centre_W, bound.radius, span_) > reach) return;
    const SurfacePoint surface = terrain_.at(centre_W, span_);
    if (surface.gap > bound.radius + reach) return;

    const Pose& X_LS = body.shape.X_LS;
    const Vector3d up_S = X_LS.R.transpose() * (motion.X_WL.R.transpose() * surface.R_WC.col(2));
    // On flat ground the points below reach; on uneven ground more may be near, up to the size of the shape.
    const double ceiling = reach - surface.gap + up_S.dot(X_LS.inverse() * bound.centre) + bound.radius;
    std::array<ContactPoint, kMostPoints> points;
    const int count = contactPoints(body.shape, up_S, points, ceiling);
    for (int k = 0; k < count; ++k)
      look(body.first_candidate + points[k].feature, X_LS * points[k].p_S, points[k].radius, motion);
  }

 private:
  static constexpr int kMostPoints = 256;  ///< of one shape

  /// Of more contacts than there is room for, those farthest from touching are left out.
  void keep(const ContactFrame& frame, const ActiveContact& contact) {
    if (active_.size() < capacity_) {
      frames_.push_back(frame);
      active_.push_back(contact);
      return;
    }
    const auto nearer = [](const ActiveContact& a, const ActiveContact& b) { return a.surface.gap < b.surface.gap; };
    const auto farthest = std::max_element(active_.begin(), active_.end(), nearer);
    if (!nearer(contact, *farthest)) return;
    frames_[farthest - active_.begin()] = frame;
    *farthest = contact;
  }

  const Terrain& terrain_;
  TimeSpan span_;
  double margin_;  ///< how near a candidate must be that does not move [m]
  std::size_t capacity_;
  std::vector<ContactFrame>& frames_;
  std::vector<ActiveContact>& active_;
};

}  // namespace

void detectContacts(const Terrain& terrain, double time, const DetectionSettings& settings, const Dynamics& dynamics,
                    std::vector<ContactFrame>& frames, std::vector<ActiveContact>& active) {
  frames.clear();
  active.clear();
  const Model& model = dynamics.model();
  Detection detection(terrain, time, settings, model, frames, active);
  LinkMotion last;
  for (int k = 0; k < model.pointCandidates(); ++k) {
    const ContactCandidate& candidate = model.candidates[k];
    detection.look(k, candidate.p_LC, candidate.radius, motionOf(candidate.link, dynamics, last));
  }
  for (const CollisionShape& shape : model.shapes) detection.look(shape, motionOf(shape.link, dynamics, last));
}

}  // namespace footfall
