#include <algorithm>
#include <limits>

#include "footfall/contact/gap_velocity.hpp"
#include "footfall/dynamics/point_velocity.hpp"
#include "step/second_order.hpp"
#include "step/second_order_rules.hpp"

// What the end of a step asks of contacts and loops: shifts of their velocities.

namespace footfall {
namespace {

/// Corrections of loops below this do not tell whether they grow [m/s].
constexpr double kLoopRounding = 1e-11;

/// v turned as `from` is turned into `to`, both unit vectors: how tangents of curved ground are carried along.
Vector3d transport(const Vector3d& from, const Vector3d& to, const Vector3d& v) {
  if (from == to) return v;  // of a plane
  const double c = from.dot(to);
  const Vector3d k = from.cross(to);
  return c * v + k.cross(v) + k * (k.dot(v) / (1.0 + c));
}

}  // namespace

/// Open contacts and limits may be reached at the end of the step; what will bounce is open until it does, however
/// near: in a short step all of an approach is. Closed ones stay closed as velocities say; what is left of a gap on
/// either side of zero is taken back slowly: on the level of positions forces would ring. Of bodies that press on each
/// other only what is inside comes out.
void SecondOrderStep::setGapShift() {
  const ContactLayout layout = w_.system.layout();
  std::fill_n(gap_shift_.begin(), layout.rows(), 0.0);
  const auto shiftOf = [&](bool open, bool in_heap, double gap_start, double gap_middle) {
    if (open) return 2.0 * gap_middle / dt_;
    return in_heap ? heapGapVelocity(gap_start, dt_) : closedGapVelocity(gap_start, dt_);
  };
  const auto contacts = w_.system.contacts();
  const int count = static_cast<int>(contacts.size());
  for (int i = 0; i < count; ++i) {
    Motion& motion = motions_[i];
    // A point that has gone far is another one in the middle, and only there it counts.
    const double gap = motion.turned ? motion.gap_middle : motion.gap_start;
    motion.open = std::min(gap, motion.gap_middle) > kTouchingGap || w_.impact_model.bouncesLater(contacts[i], dt_);
    const int island = island_of_row_[i];
    const bool in_heap = islands_.treesOf(island).size() > 1 && island != islands_.ofLoops();
    gap_shift_[layout.row(i, 2)] =
        shiftOf(motion.open, in_heap, motion.flat ? motion.gap_middle : gap, motion.gap_middle);
  }
  const auto rows = w_.system.jointRows();
  for (int k = 0; k < static_cast<int>(rows.size()); ++k) {
    if (rows[k].kind != JointRow::Kind::limit) continue;
    const double middle = rows[k].gap + 0.5 * dt_ * rows[k].approach;
    gap_shift_[layout.row(count + k, 2)] = shiftOf(isOpen(rows[k]), false, recoveredLimitGap(rows[k].gap), middle);
  }
}

/// A limit that may be reached at the end of the step.
bool SecondOrderStep::isOpen(const JointRow& limit) const {
  return std::min(limit.gap, limit.gap + 0.5 * dt_ * limit.approach) > kTouchingGap;
}

void SecondOrderStep::shiftContact(int contact, const Vector3d& shift_C, AlignedVector& shift) const {
  const ContactLayout layout = w_.system.layout();
  for (int c = 0; c < 3; ++c) shift[layout.row(contact, c)] += shift_C[c];
}

/// Before anything is known about the end: what the first half of the step does, the second half does again.
void SecondOrderStep::setFirstShift() {
  const int rows = w_.system.layout().rows();
  std::copy_n(gap_shift_.begin(), rows, shift_.begin());
  std::fill_n(end_shift_.begin(), rows, 0.0);
  loop_shift_.setZero();
  if (slow_) return;
  const ContactLayout layout = w_.system.layout();
  w_.system.contactVelocity(*w_.dynamics, w_.nu, middle_start_);
  const auto frames = w_.system.frames();
  for (int i = 0; i < static_cast<int>(frames.size()); ++i) {
    Motion& motion = motions_[i];
    const Matrix3d& R_WC = frames[i].R_WC;
    if (motion.turned) continue;
    const Vector3d start_C = R_WC.transpose() * transport(motion.normal_start_W, R_WC.col(2), motion.velocity_start_W);
    Vector3d shift_C;
    for (int c = 0; c < 3; ++c) shift_C[c] = middle_start_[layout.row(i, c)] - start_C[c];
    shiftContact(i, shift_C, shift_);
  }
  if (!w_.system.hasLoops()) return;
  w_.system.loops().velocity(*w_.dynamics, loop_middle_);
  loop_shift_ = loop_middle_ - loop_start_;
  loop_change_ = std::numeric_limits<double>::infinity();
  loops_diverge_ = false;
}

void SecondOrderStep::lookAtTheEnd() {
  goToTheEnd(w_.nu_end, w_.end);
  nu_probe_ = w_.nu_end;
  w_.prescribed.place(1.0, w_.end, nu_probe_);
  probe_->updateKinematics(w_.end, nu_probe_);
}

/// What turns below the point that is lifted may go deeper for that, as a coin that is lifted at its edge does with the
/// other one, and all the more the more it is lifted.
void SecondOrderStep::Motion::liftBy(double more) {
  constexpr double kGrows = 2.0, kSmall = 0.1;  // [m/s], 50 µm in a step of a millisecond
  if (lift == 0.0) lacked_first = more;
  lifts_in_vain = lifts_in_vain || more > kGrows * std::max(lacked_first, kSmall);
  lift = lifts_in_vain ? 0.0 : lift + more;
}

/// The law holds for the velocity at the end, with points, normals and loops as they are there.
void SecondOrderStep::setEndShift(const StepStart& start) {
  const ContactLayout layout = w_.system.layout();
  std::copy_n(gap_shift_.begin(), layout.rows(), next_shift_.begin());
  for (int row = 0; row < layout.contacts; ++row) {
    if (isSettled(row)) continue;
    for (int c = 0; c < 3; ++c) end_shift_[layout.row(row, c)] = 0.0;
  }
  w_.system.contactVelocity(*w_.dynamics, w_.nu_end, middle_end_);
  const auto contacts = w_.system.contacts();
  const LinkMotions links(*probe_), links_in_the_middle(*w_.dynamics);
  for (int i = 0; i < static_cast<int>(contacts.size()); ++i) {
    if (isSettled(i)) continue;
    Motion& motion = motions_[i];
    const ActiveContact& contact = contacts[i];
    const ContactFrame& frame = w_.system.frames()[i];
    const Matrix3d& R_WC = frame.R_WC;
    const ContactPlace place = w_.system.placeOf(i, w_.terrain, start.state.time + dt_, links);
    const Vector3d normal = place.surface.R_WC.col(2);
    const bool flat = staysOnFaces(i, links_in_the_middle, R_WC.col(2), links, normal);
    const Vector3d lever_W = flat ? Vector3d(links.pose(frame.link).R * frame.p_LC) : place.lever_W;
    motion.turned = motion.turned || normal.dot(R_WC.col(2)) < kTurnedNormal || goesFar(motion.lever_middle_W, lever_W);
    motion.liftBy(liftOf(motion.gap_start, place.surface.gap, dt_));
    next_shift_[layout.row(i, 2)] -= motion.lift;
    if (motion.turned) continue;
    const Vector3d velocity_W =
        w_.system.leverVelocityOf(i, links, lever_W, place.surface.R_WC) - place.surface.velocity_W;
    motion.slip_end_W = along(normal, velocity_W);
    // The problem takes the ground's velocity off by itself.
    Vector3d shift_C = R_WC.transpose() * (transport(normal, R_WC.col(2), velocity_W) + contact.surface.velocity_W);
    for (int c = 0; c < 3; ++c) shift_C[c] -= middle_end_[layout.row(i, c)];
    shiftContact(i, shift_C, end_shift_);
    if (motion.open) shift_C.z() *= 0.5;  // where it is at the end, and not how fast
    if (slidesThroughout(motion)) {
      // The ground's velocity of the middle is the mean of both ends, to second order.
      const Vector3d ground_C = 0.5 * R_WC.transpose() * (contact.surface.velocity_W - motion.ground_start_W);
      for (int c = 0; c < 2; ++c)
        shift_C[c] = 0.5 * (middle_start_[layout.row(i, c)] - middle_end_[layout.row(i, c)]) + ground_C[c];
    }
    shiftContact(i, shift_C, next_shift_);
  }
  if (!w_.system.hasLoops() || island_steps_[islands_.ofLoops()].settled) return;
  LoopMotion& loops = w_.system.loops();
  loops.velocity(*probe_, next_loop_shift_);
  loops.velocity(*w_.dynamics, w_.nu_end, loop_end_);
  next_loop_shift_ -= loop_end_;
  const double change = (next_loop_shift_ - loop_shift_).lpNorm<Eigen::Infinity>();
  loops_diverge_ = loops_diverge_ || change > std::max(loop_change_, kLoopRounding);
  loop_change_ = change;
}

/// Friction opposes the mean velocity of the step where a contact slides from its start to its end.
bool SecondOrderStep::slidesThroughout(const Motion& motion) const {
  const double start = motion.slip_start_W.norm(), sticking = stickingSpeed();
  if (!(start > sticking)) return false;  // most contacts stick
  const double end = motion.slip_end_W.norm(), change = (motion.slip_end_W - motion.slip_start_W).norm();
  return motion.slip_start_W.dot(motion.slip_end_W) > 0.0 && std::max(change, sticking) < std::min(start, end);
}

}  // namespace footfall
