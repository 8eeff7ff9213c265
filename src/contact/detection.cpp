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

}  // namespace

void detectContacts(const Terrain& terrain, double time, const DetectionSettings& settings, const Dynamics& dynamics,
                    std::vector<ContactFrame>& frames, std::vector<ActiveContact>& active) {
  frames.clear();
  active.clear();
  const Model& model = dynamics.model();
  const double margin = settings.acceleration * settings.step * settings.step;
  LinkMotion last;
  for (int k = 0; k < static_cast<int>(model.candidates.size()); ++k) {
    const ContactCandidate& candidate = model.candidates[k];
    const LinkMotion& motion = motionOf(candidate.link, dynamics, last);
    const Vector3d r_W = motion.X_WL.R * candidate.p_LC;
    const Vector3d p_W = motion.X_WL.p + r_W;

    ActiveContact contact;
    contact.surface = terrain.at(p_W, {time, settings.step});
    contact.surface.gap -= candidate.radius;
    const Vector3d normal = contact.surface.R_WC.col(2);
    const Vector3d lever_W = r_W - candidate.radius * normal;
    const Vector3d v_W = motion.velocity.head<3>() + motion.velocity.tail<3>().cross(lever_W);
    contact.approach = normal.dot(v_W - contact.surface.velocity_W);
    if (contact.surface.gap > margin - settings.step * contact.approach) continue;

    contact.candidate = k;
    contact.p_WC = motion.X_WL.p + lever_W;
    frames.push_back({candidate.link,
                      candidate.radius > 0.0 ? Vector3d(motion.X_WL.R.transpose() * lever_W) : candidate.p_LC,
                      contact.surface.R_WC});
    active.push_back(contact);
  }
}

}  // namespace footfall
