#include "studio/server/log_contacts.hpp"

#include <algorithm>

#include "footfall/dynamics/point_velocity.hpp"
#include "studio/server/column_finder.hpp"

namespace footfall::studio {
namespace {

constexpr double kNear = 1e-3;  ///< contacts that carry nothing are shown when they are this near to the ground [m]
constexpr double kSlip = 1e-6;  ///< contacts that move faster slide [m/s]

Vector3d vectorAt(const std::vector<double>& values, int first) {
  const Vector3d v(values[static_cast<std::size_t>(first)], values[static_cast<std::size_t>(first) + 1],
                   values[static_cast<std::size_t>(first) + 2]);
  return v.allFinite() ? v : Vector3d::Zero();  // the last row has a state only
}

void copy(const Vector3d& from, double* to) { std::copy_n(from.data(), 3, to); }

}  // namespace

LogContacts::LogContacts(const std::vector<Column>& columns, const Model& model, const Terrain& terrain)
    : model_(model),
      terrain_(terrain),
      dynamics_(makeDynamics("native", model)),
      dynamics_at_end_(makeDynamics("native", model)) {
  const ColumnFinder finder(columns);
  q_ = finder.configuration(model);
  nu_ = finder.velocity(model);
  if (!model.floating_base) nu_.erase(nu_.begin(), nu_.begin() + 6);
  for (int k = 0; k < model.pointCandidates(); ++k) {
    const int force = finder.find(model.candidates[static_cast<std::size_t>(k)].name + ".force.x");
    if (force >= 0) points_.push_back({k, force});
  }
  for (const ContactCandidate& candidate : model.candidates) {
    const auto same = [&](const SoleColumns& sole) { return sole.frame == candidate.frame; };
    if (std::any_of(soles_.begin(), soles_.end(), same)) continue;
    const std::string name = model.frames[candidate.frame].name;
    const int force = finder.find(name + ".force.x"), moment = finder.find(name + ".moment.x");
    const auto of_it = [&](const PointColumns& p) {
      return model.candidates[static_cast<std::size_t>(p.candidate)].frame == candidate.frame;
    };
    if (force >= 0 && moment >= 0)
      soles_.push_back({candidate.frame, force, moment, finder.find(name + ".impulse.x"),
                        std::any_of(points_.begin(), points_.end(), of_it)});
  }
  q_now_.setZero(model.nq());
  nu_now_.setZero(model.nv());
}

void LogContacts::readState(const std::vector<double>& values, Dynamics& dynamics) {
  for (std::size_t i = 0; i < q_.size(); ++i)
    q_now_[static_cast<Eigen::Index>(i)] = values[static_cast<std::size_t>(q_[i])];
  for (std::size_t i = 0; i < nu_.size(); ++i)
    nu_now_[static_cast<Eigen::Index>(i)] = values[static_cast<std::size_t>(nu_[i])];
  dynamics.updateKinematics(q_now_, nu_now_);
}

void LogContacts::find(const std::vector<double>& values, const std::vector<double>* next,
                       std::vector<ContactSample>& contacts) {
  contacts.clear();
  readState(values, *dynamics_);
  readState(next == nullptr ? values : *next, *dynamics_at_end_);
  for (const PointColumns& point : points_) addPoint(point, values, contacts);
  for (const SoleColumns& sole : soles_) addSole(sole, values, contacts);
}

void LogContacts::addPoint(const PointColumns& point, const std::vector<double>& values,
                           std::vector<ContactSample>& contacts) {
  const ContactCandidate& candidate = model_.candidates[static_cast<std::size_t>(point.candidate)];
  const Pose X_WL = dynamics_->linkPose(candidate.link);
  const Vector3d centre = X_WL * candidate.p_LC;
  const SurfacePoint surface = terrain_.at(centre, values[0]);
  const Vector3d force_C = vectorAt(values, point.force);
  const double gap = surface.gap - candidate.radius;
  if (gap > kNear && force_C.isZero(0.0)) return;
  const Vector3d normal = surface.R_WC.col(2), p_WC = centre - candidate.radius * normal;
  const Vector3d centre_at_end = dynamics_at_end_->linkPose(candidate.link) * candidate.p_LC;
  const Matrix3d R_WC_at_end = terrain_.at(centre_at_end, values[0]).R_WC;
  const Vector3d p_at_end = centre_at_end - candidate.radius * R_WC_at_end.col(2);
  const Vector3d velocity_C =
      R_WC_at_end.transpose() * (pointVelocity(*dynamics_at_end_, candidate.link, p_at_end) - surface.velocity_W);
  // Mean forces have the axes of the middle of the step.
  const Matrix3d R_WC = terrain_.at(0.5 * (centre + centre_at_end), values[0]).R_WC;
  ContactSample sample;
  sample.candidate = point.candidate;
  sample.mode = force_C.z() > 0.0 ? (velocity_C.head<2>().norm() > kSlip ? 2.0 : 1.0) : 0.0;
  sample.gap = gap;
  sample.friction = surface.friction;
  copy(p_WC, sample.p_WC);
  copy(normal, sample.normal_W);
  copy(R_WC * force_C, sample.force_W);
  copy(velocity_C, sample.slip_velocity_C);
  contacts.push_back(sample);
}

/// One arrow for a whole sole, where its centre of pressure is: for impulses, and for forces that are not known by
/// points.
void LogContacts::addSole(const SoleColumns& sole, const std::vector<double>& values,
                          std::vector<ContactSample>& contacts) {
  const Pose X_WF = dynamics_->framePose(sole.frame);
  const Vector3d impulse_W = sole.impulse < 0 ? Vector3d::Zero() : Vector3d(X_WF.R * vectorAt(values, sole.impulse));
  const Vector3d force_W = X_WF.R * vectorAt(values, sole.force), moment_W = X_WF.R * vectorAt(values, sole.moment);
  const bool show_force = !sole.has_points && !force_W.isZero(0.0);
  if (!show_force && impulse_W.isZero(0.0)) return;
  const SurfacePoint surface = terrain_.at(X_WF.p, values[0]);
  const Vector3d normal = surface.R_WC.col(2);
  ContactSample sample;
  sample.candidate = -1.0 - int(sole.frame);
  sample.gap = surface.gap;
  sample.friction = surface.friction;
  Vector3d p_W = X_WF.p;
  if (show_force) {
    if (const double along = normal.dot(force_W); along > 0.0) p_W += normal.cross(moment_W) / along;
    sample.mode = 1.0;
    copy(force_W, sample.force_W);
  }
  copy(p_W, sample.p_WC);
  copy(normal, sample.normal_W);
  copy(impulse_W, sample.impulse_W);
  contacts.push_back(sample);
}

}  // namespace footfall::studio
