#include "sensor/joint_wrench.hpp"

#include "footfall/dynamics/loop_points.hpp"

namespace footfall {
namespace {

/// Sum of wrenches about one point, world axes.
class WrenchSum {
 public:
  explicit WrenchSum(const Vector3d& about_W) : about_W_(about_W) {}

  void add(const Vector3d& p_W, const Vector3d& force_W, const Vector3d& moment_W = Vector3d::Zero()) {
    force_W_ += force_W;
    moment_W_ += moment_W + (p_W - about_W_).cross(force_W);
  }

  Vector6d in(const Matrix3d& R_WS) const {
    Vector6d wrench_S;
    wrench_S << R_WS.transpose() * force_W_, R_WS.transpose() * moment_W_;
    return wrench_S;
  }

 private:
  Vector3d about_W_;
  Vector3d force_W_ = Vector3d::Zero(), moment_W_ = Vector3d::Zero();
};

/// What it takes to move a body as it moves, its weight included: Newton and Euler.
void addBody(const SpatialInertia& inertia, const LinkMotion& link, const Vector3d& gravity, WrenchSum& sum) {
  const Vector3d com_W = link.X_WL * inertia.com;
  const Matrix3d I_W = link.X_WL.R * inertia.I_com * link.X_WL.R.transpose();
  sum.add(com_W, inertia.mass * (link.accelerationAt(com_W) - gravity),
          I_W * link.alpha_W + link.omega_W.cross(I_W * link.omega_W));
}

/// The wrench of a loop acts on its link b at the frame there, and against it on link a, whose axes tell it: those of
/// the other frame may have turned.
struct LoopEnd {
  Vector3d p_W, force_W, moment_W;
};

LoopEnd loopEnd(const Instant& instant, const Loop& loop, const Vector6d& wrench_N) {
  const auto poseOf = [&](LinkIndex link) { return link.valid() ? instant.forced_links[link].X_WL : Pose{}; };
  const Matrix3d R_WN = poseOf(loop.link_a).R * axesOfWrench(instant.model, loop);
  return {poseOf(loop.link_b) * loop.X_BF.p, R_WN * wrench_N.head<3>(), R_WN * wrench_N.tail<3>()};
}

MovingPoint pointOf(const Instant& instant, LinkIndex link, const Vector3d& p_L) {
  if (!link.valid()) return {p_L, Vector3d::Zero()};
  const Vector3d p_W = instant.forced_links[link].X_WL * p_L;
  return {p_W, instant.forced_links[link].velocityAt(p_W)};
}

}  // namespace

Subtree Subtree::below(const Model& model, JointIndex joint) {
  Subtree subtree(model);
  subtree.whole_[joint + 1] = true;
  for (int j = joint + 1; j < static_cast<int>(model.joints.size()); ++j)
    subtree.whole_[j + 1] = model.joints[j].parent.valid() && subtree.whole_[model.joints[j].parent];
  return subtree;
}

Subtree Subtree::below(const Model& model, const FixedJoint& joint) {
  Subtree subtree(model);
  for (int link = joint.links_begin; link < joint.links_end; ++link) subtree.whole_[link] = true;
  subtree.divided_ = model.frames[joint.frame].link;
  subtree.part_ = joint.inertia;
  subtree.frames_begin_ = joint.frame;
  subtree.frames_end_ = joint.frames_end;
  return subtree;
}

Vector6d Subtree::wrenchFromParent(const Instant& instant, const Pose& X_WS) const {
  const Model& model = instant.model;
  const StepResult& result = instant.record.result;
  WrenchSum sum(X_WS.p);
  for (int k = 0; k < static_cast<int>(whole_.size()); ++k)
    if (whole_[k]) addBody(model.links[k].inertia, instant.forced_links[LinkIndex(k)], model.gravity, sum);
  if (divided_.valid()) addBody(part_, instant.forced_links[divided_], model.gravity, sum);
  // The rest of the world does its share of it.
  for (const ContactReport& contact : result.contacts) {
    if (contains(model.frames[contact.frame].link, contact.frame)) sum.add(contact.force_p_W, -contact.force_W);
    if (contact.other.valid() && contains(model.frames[contact.other].link, contact.other))
      sum.add(contact.force_p_W, contact.force_W);
  }
  for (const ExternalWrench& external : instant.record.wrenches)
    if (contains(external.link, external.frame))
      sum.add(instant.forced_links[external.link].X_WL * external.p_LP, -external.wrench_W.head<3>(),
              -external.wrench_W.tail<3>());
  for (std::size_t k = 0; k < result.loop_wrenches.size(); ++k) {
    const Loop& loop = k < model.loops.size() ? model.loops[k] : result.next.ties[k - model.loops.size()];
    const LoopEnd end = loopEnd(instant, loop, result.loop_wrenches[k]);
    if (loop.link_b.valid() && contains(loop.link_b, loop.frame_b)) sum.add(end.p_W, -end.force_W, -end.moment_W);
    if (loop.link_a.valid() && contains(loop.link_a, loop.frame_a)) sum.add(end.p_W, end.force_W, end.moment_W);
  }
  for (const PointSpring& spring : model.point_springs) {
    const MovingPoint a = pointOf(instant, spring.link_a, spring.p_A), b = pointOf(instant, spring.link_b, spring.p_B);
    const Vector3d force_W = forceOnA(spring, a, b);
    if (spring.link_a.valid() && contains(spring.link_a, spring.frame_a)) sum.add(a.p_W, -force_W);
    if (spring.link_b.valid() && contains(spring.link_b, spring.frame_b)) sum.add(b.p_W, force_W);
  }
  return sum.in(X_WS.R);
}

}  // namespace footfall
