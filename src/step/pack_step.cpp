#include "footfall/step/internal/pack_step.hpp"

#include <algorithm>
#include <array>
#include <cmath>

#include "footfall/contact/gap_velocity.hpp"
#include "footfall/contact/joint_rows.hpp"
#include "footfall/dynamics/batch_dynamics.hpp"
#include "footfall/solver/contact_pack.hpp"
#include "footfall/step/internal/check_gains.hpp"
#include "step/second_order_rules.hpp"
#include "step/slow_motion.hpp"
#include "step/spring_weights.hpp"
#include "step/warm_start.hpp"

// The stages of SecondOrderStep (second_order.cpp), for eight robots side by side: entry k of robot r is at 8 k + r.
// Where robots differ in what has to be done, all of it is done for all of them, and each takes what is its own.

namespace footfall {
namespace {

constexpr int kRobots = PackStep::kRobots;
static_assert(kRobots == BatchDynamics::kRobots && kRobots == ContactPack::kProblems);

/// With more, the matrices of eight robots leave the nearest caches: 37 kB of this many.
constexpr int kMostContacts = 8;
/// As the solver's PathRules: contacts give way by this share of its tolerance.
constexpr double kShareOfTolerance = 0.8;
/// Compliance where impulses are unique, as a share of G: no more than rounding.
constexpr double kRigid = 1e-15;
/// Beyond this share of its bound friction is likely to slip in the next step.
constexpr double kNearlySliding = 0.999;
/// Guesses of the states of contacts before a robot leaves the pack: most that are found at all are found in five, of
/// feet on several points some in ten.
constexpr int kMostGuesses = 10;
/// Of the points of a foot that are beyond the limit of friction, those that are this near to the one that is farthest
/// beyond begin to slide: the others may stick when it does.
constexpr double kNearlyFarthest = 0.9;
/// A residual of so many tolerances is what contacts give way by: their states are found, and they have to be stiffer.
constexpr double kGivingWay = 10.0;
/// Points of a foot that slides share its load by how they give way, which is a share of the tolerance. With a finer
/// one rounding would decide.
constexpr double kFinestTolerance = 0.5e-10;

using Numbers = std::array<double, kRobots>;
using Flags = std::array<bool, kRobots>;

bool any(const Flags& flags) {
  return std::any_of(flags.begin(), flags.end(), [](bool flag) { return flag; });
}

}  // namespace

struct PackStep::Parts {
  Parts(const Model& m, const Plane& ground, const Settings& settings, MassTraits of_model);

  bool add(const StepStart& start, double friction_scale, const OwnMasses* masses);
  void setMasses(const OwnMasses& masses);
  void setTraits(int robot, const MassTraits& own);
  bool isForPacks(const StepStart& start);
  bool readWarmStart(const WarmStart& warm);
  void makeNeutral(int robot);
  void step();

  int contacts() const { return static_cast<int>(model.candidates.size()); }
  int row(int contact, int component) const { return component * contacts() + contact; }
  double gapAt(const BatchVector& p_W, int contact, int robot) const;
  void integrate(const BatchVector& from, const BatchVector& velocity, BatchVector& to);
  void turnBases(const BatchVector& from, const BatchVector& velocity, BatchVector& to) const;
  void findTurning(const BatchVector& velocity, Numbers& turning) const;
  double fastestTurning(const VectorXd& velocity);
  void findFastestTurning(const BatchVector& velocity, Numbers& fastest);

  void placeInTheMiddle();
  void findContacts();
  bool slides(int contact, int robot) const;
  void findContact(int contact, Flags& meets);
  void setShift();
  void computeFreeVelocity();
  void setProblem();
  void solveFirst();
  void solveAgain(const Flags& robots);
  void solveSliding(Flags robots);
  void statesOfLastStep(int robot);
  void likelyStates(int robot);
  void guessStates(int robot);
  void guessState(int contact, int robot, double least);
  void stiffen(int robot);
  void setState(int contact, int robot, bool presses, bool slides, double x, double y, double speed);
  void residuals(const BatchVector& impulse, const BatchVector& v, Numbers& residual) const;
  void applyImpulses(const Flags& robots);
  void correct();
  void lookAtTheEnd(const Flags& robots, Numbers& change);
  void biasChange(Numbers& change);
  void endShift(int contact, int robot);
  bool slidesThroughout(int contact, int robot) const;
  double shiftChange(int robot) const;
  void leaveOutLost(const Flags& robots, const Numbers& change);
  bool makesEnergy(int robot) const;

  const Model& model;
  const double dt, tolerance, gravity, sticking;
  const double impact_threshold, fall;  ///< as those of ImpactModel [m/s, m]
  double farthest_turn;                 ///< of links within a step that packs follow [rad]
  const bool unique;                    ///< no link has two contacts: impulses follow from velocities
  const bool takes_sliding;             ///< robots whose contacts slide step in packs
  Matrix3d R_WC;                        ///< axes of all contacts
  Vector3d normal_W;
  double ground_gap;  ///< of the world's origin [m]
  double ground_friction, restitution;

  BatchDynamics middle;  ///< the engine in the middle of the step
  BatchDynamics probe;   ///< poses and velocities at its start, then at its end
  ContactPack solver;
  const MassTraits traits;  ///< of the model
  SlowMotion slow_motion;
  SpringWeights springs;
  JointRowFinder limits;
  std::vector<JointRow> limit_rows;
  State neutral;
  const std::vector<FrameIndex> soles;
  VectorXd lane_q, lane_nu, lane_torque, lane_inertia;  ///< of one robot

  int size = 0;
  Flags going{};    ///< its step can still be made by the pack
  Flags slow{};     ///< as SecondOrderStep::slow_
  Flags sliding{};  ///< some of its contacts slide, or might
  Flags minimum_norm{};
  Numbers friction{};
  Numbers small_change{};  ///< as SecondOrderStep::smallChange()

  // generalized (nq, nv, n)
  BatchVector q, nu, q_middle, q_end, nu_free, nu_end, nu_mean, h, next_h, tau, applied, change_of_nu;
  BatchVector torque, inertia;
  BatchVector turning_weights;  ///< as MassTraits::turning
  BatchVector link_turning;     ///< no link turns faster than this (links) [rad/s]
  // contacts (3 nc): velocities in contact axes, places in the world
  BatchVector place, v_start, v_middle, v_middle_end, v_end, end_place, b, shift, next_shift, impulse, next_impulse, v,
      part;
  // contacts (nc)
  BatchVector gap_start, gap_middle, gap_shift, active, open, scale;
  BatchVector G;
  ContactPackStates states;
  std::vector<int> foot;  ///< of each contact: the first contact of its link
  alignas(64) Numbers compliance{};
};

namespace {

double totalReach(const Model& model) {
  double turn = kLittleTurn;
  for (const ContactCandidate& candidate : model.candidates) {
    // The lever of a ball is that of its middle and its radius: where they cancel, little turns go far around.
    const double middle = candidate.p_LC.norm(), lever = std::abs(middle - candidate.radius);
    if (middle > 0.0) turn = std::min(turn, 2.0 * kFarLever * lever / middle);
  }
  return turn;
}

bool eachLinkTouchesWithOnePoint(const Model& model) {
  for (std::size_t i = 1; i < model.candidates.size(); ++i)
    for (std::size_t k = 0; k < i; ++k)
      if (model.candidates[i].link == model.candidates[k].link) return false;
  return true;
}

}  // namespace

PackStep::Parts::Parts(const Model& m, const Plane& ground, const Settings& settings, MassTraits of_model)
    : model(m),
      dt(settings.step),
      tolerance(settings.contact.solver.tolerance),
      gravity(m.gravity.norm()),
      sticking(stickingSpeedOf(m, dt)),
      impact_threshold(impactThreshold(m, settings.step, true)),
      fall(0.5 * gravity * dt * dt),
      farthest_turn(totalReach(m)),
      unique(eachLinkTouchesWithOnePoint(m)),
      takes_sliding(unique || tolerance >= kFinestTolerance),
      middle(m),
      probe(m),
      solver(contacts()),
      traits(std::move(of_model)),
      slow_motion(m, traits),
      springs(m, traits, dt),
      limits(m),
      neutral(makeState(m)),
      soles(m.soles()),
      lane_q(m.nq()),
      lane_nu(m.nv()),
      lane_torque(m.jointDofs()),
      lane_inertia(m.jointDofs()),
      q(m.nq()),
      nu(m.nv()),
      q_middle(m.nq()),
      q_end(m.nq()),
      nu_free(m.nv()),
      nu_end(m.nv()),
      nu_mean(m.nv()),
      h(m.nv()),
      next_h(m.nv()),
      tau(m.nv()),
      applied(m.nv()),
      change_of_nu(m.nv()),
      torque(m.jointDofs()),
      inertia(m.jointDofs()),
      turning_weights(m.jointDofs()),
      link_turning(static_cast<int>(m.links.size())),
      place(3 * contacts()),
      v_start(place),
      v_middle(place),
      v_middle_end(place),
      v_end(place),
      end_place(place),
      b(place),
      shift(place),
      next_shift(place),
      impulse(place),
      next_impulse(place),
      v(place),
      part(place),
      gap_start(contacts()),
      gap_middle(gap_start),
      gap_shift(gap_start),
      active(gap_start),
      open(gap_start),
      scale(gap_start),
      G(9 * contacts() * contacts()),
      states(contacts()) {
  const SurfacePoint surface = ground.at(Vector3d::Zero(), 0.0);
  R_WC = surface.R_WC;
  normal_W = R_WC.col(2);
  ground_gap = surface.gap;
  ground_friction = surface.friction;
  restitution = surface.restitution;
  std::vector<ContactFrame> frames;
  std::vector<double> radii;
  for (const ContactCandidate& candidate : model.candidates) {
    frames.push_back({candidate.link, candidate.p_LC, surface.R_WC});
    radii.push_back(candidate.radius);
    const auto same = std::find_if(model.candidates.begin(), model.candidates.end(),
                                   [&](const ContactCandidate& other) { return other.link == candidate.link; });
    foot.push_back(static_cast<int>(same - model.candidates.begin()));
  }
  middle.setContacts(frames, radii);
  probe.setContacts(frames, radii);
  limit_rows.reserve(maxJointRows(model));
  for (int robot = 0; robot < kRobots; ++robot) setTraits(robot, traits);
}

// --- robots come in ---------------------------------------------------------------------------------

/// A step that cannot be one of a pack is better known before anything is computed.
bool PackStep::Parts::isForPacks(const StepStart& start) {
  constexpr double kFarFromOne = 1e-2;  // as step() has it
  const State& state = start.state;
  const double all = state.q.sum() + state.nu.sum();
  if (!(all - all == 0.0)) return false;  // NOLINT(misc-redundant-expression): is it finite?
  if (!(std::abs(state.q.segment<4>(3).norm() - 1.0) <= kFarFromOne)) return false;
  for (const ExternalWrench& wrench : start.input.wrenches)
    if (wrench.link != LinkIndex(0) || !wrench.p_LP.isZero(0.0)) return false;
  if (!(dt * fastestTurning(state.nu) < farthest_turn)) return false;
  limits.find(state.q, state.nu, dt, 0.0, limit_rows);
  return limit_rows.empty();
}

/// The impulses of the last step, candidate by candidate. False: none pressed.
bool PackStep::Parts::readWarmStart(const WarmStart& warm) {
  for (int k = 0; k < 3 * contacts(); ++k) impulse(k, size) = 0.0;
  bool presses = false;
  for (Eigen::Index slot = 0; slot < warm.candidate.size() && warm.candidate[slot] >= 0; ++slot) {
    const int contact = warm.candidate[slot];
    const auto p = warm.impulse.segment<3>(3 * slot);
    for (int c = 0; c < 3; ++c) impulse(row(contact, c), size) = p[c];
    presses = presses || p.z() > 0.0;
  }
  return presses;
}

void PackStep::Parts::setTraits(int robot, const MassTraits& own) {
  small_change[robot] = gateOf(model, kGate, dt) * dt * own.root_mass;
  turning_weights.robot(robot) = own.turning;
}

/// Of the robot that comes next.
void PackStep::Parts::setMasses(const OwnMasses& masses) {
  middle.setLinkMasses(size, masses.links);
  setTraits(size, masses.traits);
  slow_motion.use(masses.traits);
  springs.use(masses.traits);
}

bool PackStep::Parts::add(const StepStart& start, double friction_scale, const OwnMasses* masses) {
  if (start.springs) checkGains(model, *start.springs);
  if (masses) {
    if (masses->traits.taut) return false;
    setMasses(*masses);
  }
  const int robot = size;
  const State& state = start.state;
  friction[robot] = ground_friction * friction_scale;
  if (!isForPacks(start) || !readWarmStart(state.warm)) return false;
  springs.holdBy(state.warm);
  springs.linearize(start.input, start.springs, state.q, state.nu, lane_torque, lane_inertia);
  const double all = lane_torque.sum() + lane_inertia.sum() + friction[robot];
  if (!(all - all == 0.0)) return false;  // NOLINT(misc-redundant-expression): is it finite?
  slow[robot] =
      slow_motion.slowerThan(gateOf(model, kGate, dt), state.nu) && 0.5 * dt * slow_motion.speed(state.nu) < kThinnest;
  minimum_norm[robot] = state.warm.minimum_norm;
  going[robot] = true;
  q.robot(robot) = state.q;
  nu.robot(robot) = state.nu;
  torque.robot(robot) = lane_torque;
  inertia.robot(robot) = lane_inertia;
  lane_nu.setZero();
  model.jointVelocities(lane_nu) = lane_torque;
  for (const ExternalWrench& wrench : start.input.wrenches) lane_nu.head<6>() += wrench.wrench_W;
  if (start.input.generalized.size() > 0) lane_nu += start.input.generalized;
  applied.robot(robot) = lane_nu;
  ++size;
  return true;
}

/// A place that no robot has taken is computed, too: with numbers that do no harm.
void PackStep::Parts::makeNeutral(int robot) {
  going[robot] = sliding[robot] = false;
  slow[robot] = true;
  friction[robot] = 0.0;
  q.robot(robot) = neutral.q;
  for (BatchVector* vector : {&nu, &applied, &impulse}) vector->robot(robot).setZero();
  torque.robot(robot).setZero();
  inertia.robot(robot).setZero();
}

// --- helpers ----------------------------------------------------------------------------------------

double PackStep::Parts::gapAt(const BatchVector& p_W, int contact, int robot) const {
  return ground_gap + normal_W.x() * p_W(row(contact, 0), robot) + normal_W.y() * p_W(row(contact, 1), robot) +
         normal_W.z() * p_W(row(contact, 2), robot);
}

/// Half a step from `from` on.
void PackStep::Parts::integrate(const BatchVector& from, const BatchVector& velocity, BatchVector& to) {
  if (model.balls.empty()) {
    turnBases(from, velocity, to);
    const auto move = [&](int position, int rate) {
      for (int robot = 0; robot < kRobots; ++robot)
        to(position, robot) = from(position, robot) + 0.5 * dt * velocity(rate, robot);
    };
    for (int c = 0; c < 3; ++c) move(c, c);
    for (int i = 0; i < model.jointDofs(); ++i) move(7 + i, model.baseDofs() + i);
    return;
  }
  for (int robot = 0; robot < kRobots; ++robot) {
    lane_q = from.robot(robot);
    lane_nu = velocity.robot(robot);
    integrateConfiguration(model, lane_nu, 0.5 * dt, lane_q);
    to.robot(robot) = lane_q;
  }
}

/// As expQuaternion() from the left. A base of a pack turns by no more than kLittleTurn in a step: the next terms of
/// these series are below 1e-18.
void PackStep::Parts::turnBases(const BatchVector& from, const BatchVector& velocity, BatchVector& to) const {
  for (int r = 0; r < kRobots; ++r) {
    const double x = 0.25 * dt * velocity(3, r), y = 0.25 * dt * velocity(4, r), z = 0.25 * dt * velocity(5, r);
    const double square = x * x + y * y + z * z;
    const double sine = 1.0 - square / 6.0 * (1.0 - square / 20.0);
    const double w = 1.0 - square / 2.0 * (1.0 - square / 12.0 * (1.0 - square / 30.0));
    const double i = sine * x, j = sine * y, k = sine * z;
    const double qx = from(3, r), qy = from(4, r), qz = from(5, r), qw = from(6, r);
    const double px = w * qx + i * qw + j * qz - k * qy, py = w * qy - i * qz + j * qw + k * qx,
                 pz = w * qz + i * qy - j * qx + k * qw, pw = w * qw - i * qx - j * qy - k * qz;
    const double inverse = 1.0 / std::sqrt(px * px + py * py + pz * pz + pw * pw);
    to(3, r) = inverse * px, to(4, r) = inverse * py, to(5, r) = inverse * pz, to(6, r) = inverse * pw;
  }
}

/// As SlowMotion::turning().
void PackStep::Parts::findTurning(const BatchVector& velocity, Numbers& turning) const {
  for (int r = 0; r < kRobots; ++r)
    turning[r] =
        std::sqrt(velocity(3, r) * velocity(3, r) + velocity(4, r) * velocity(4, r) + velocity(5, r) * velocity(5, r));
  for (int i = 0; i < model.jointDofs(); ++i)
    for (int r = 0; r < kRobots; ++r) turning[r] += turning_weights(i, r) * std::abs(velocity(model.baseDofs() + i, r));
}

/// No link turns faster than its base and the joints on its way to it: what one leg does, the others do not notice.
/// [rad/s]
double PackStep::Parts::fastestTurning(const VectorXd& velocity) {
  double fastest = link_turning(0, size) = velocity.segment<3>(3).norm();
  for (int j = 0; j < static_cast<int>(model.joints.size()); ++j) {
    const Joint& joint = model.joints[j];
    const double own = turning_weights(joint.dof, size) * std::abs(velocity[model.baseDofs() + joint.dof]);
    const double turning = link_turning(j + 1, size) = link_turning(joint.parent, size) + own;
    fastest = std::max(fastest, turning);
  }
  return fastest;
}

/// The same of all robots of the pack.
void PackStep::Parts::findFastestTurning(const BatchVector& velocity, Numbers& fastest) {
  for (int r = 0; r < kRobots; ++r)
    fastest[r] = link_turning(0, r) =
        std::sqrt(velocity(3, r) * velocity(3, r) + velocity(4, r) * velocity(4, r) + velocity(5, r) * velocity(5, r));
  for (int j = 0; j < static_cast<int>(model.joints.size()); ++j) {
    const Joint& joint = model.joints[j];
    const int rate = model.baseDofs() + joint.dof;
    for (int r = 0; r < kRobots; ++r) {
      link_turning(j + 1, r) =
          link_turning(joint.parent, r) + turning_weights(joint.dof, r) * std::abs(velocity(rate, r));
      fastest[r] = std::max(fastest[r], link_turning(j + 1, r));
    }
  }
}

// --- the middle, and the contacts -------------------------------------------------------------------

void PackStep::Parts::placeInTheMiddle() {
  integrate(q, nu, q_middle);
  middle.setImplicitInertia(inertia);
  middle.update(q_middle, nu);
  middle.contactPlaces(place, v_middle);
}

/// Of a slow robot contacts are found in the middle, of others at the start.
void PackStep::Parts::findContacts() {
  for (int contact = 0; contact < contacts(); ++contact)
    for (int robot = 0; robot < kRobots; ++robot)
      if (slides(contact, robot)) slow[robot] = false;
  const bool all_slow = std::all_of(slow.begin(), slow.end(), [](bool one) { return one; });
  if (!all_slow) {
    probe.updateKinematics(q, nu);
    probe.contactPlaces(end_place, v_start);
  }
  Flags meets{};
  for (int contact = 0; contact < contacts(); ++contact) findContact(contact, meets);
  for (int robot = 0; robot < kRobots; ++robot) going[robot] = going[robot] && !meets[robot];
}

/// As SecondOrderStep::anySlides(): with what is known in the middle.
bool PackStep::Parts::slides(int contact, int robot) const {
  const double x = v_middle(row(contact, 0), robot), y = v_middle(row(contact, 1), robot);
  return x * x + y * y > sticking * sticking && gapAt(place, contact, robot) <= kTouchingGap;
}

/// @param meets set where something strikes
void PackStep::Parts::findContact(int contact, Flags& meets) {
  constexpr DetectionSettings kDetection;
  const int x = row(contact, 0), y = row(contact, 1), n = row(contact, 2);
  for (int robot = 0; robot < kRobots; ++robot) {
    const bool is_slow = slow[robot];
    for (const int k : {x, y, n}) v_start(k, robot) = is_slow ? v_middle(k, robot) : v_start(k, robot);
    const double approach = v_start(n, robot);
    const double middle_gap = gapAt(place, contact, robot);
    const double start_gap = is_slow ? middle_gap - 0.5 * dt * approach : gapAt(end_place, contact, robot);
    const bool near = (is_slow ? middle_gap : start_gap) <= kDetection.acceleration * dt * dt - dt * approach;
    const bool is_open = std::min(start_gap, middle_gap) > kTouchingGap;
    gap_middle(contact, robot) = middle_gap;
    gap_start(contact, robot) = start_gap;
    gap_shift(contact, robot) = is_open ? 2.0 * middle_gap / dt : closedGapVelocity(start_gap, dt);
    active(contact, robot) = near ? 1.0 : 0.0;
    open(contact, robot) = is_open ? 1.0 : 0.0;
    const double presses = near && impulse(n, robot) > 0.0 ? 1.0 : 0.0;
    for (const int k : {x, y, n}) {
      part(k, robot) = presses;
      impulse(k, robot) = near ? impulse(k, robot) : 0.0;
    }
    const double end_gap = start_gap + dt * approach, rebound = -restitution * approach;
    const bool fast = approach < -impact_threshold;
    const bool strikes = fast && end_gap <= 0.0;
    const bool bounces = fast && rebound > 0.0 && 2.0 * dt * rebound >= fall && end_gap - fall <= 0.0;
    meets[robot] = meets[robot] || (near && (strikes || bounces));
  }
}

/// What the first half of the step does to the contacts, the second half does again; of a slow robot it does nothing.
void PackStep::Parts::setShift() {
  const int nc = contacts();
  for (int k = 0; k < 3 * nc; ++k)
    for (int robot = 0; robot < kRobots; ++robot) shift(k, robot) = v_middle(k, robot) - v_start(k, robot);
  for (int i = 0; i < nc; ++i)
    for (int robot = 0; robot < kRobots; ++robot) shift(2 * nc + i, robot) += gap_shift(i, robot);
}

void PackStep::Parts::computeFreeVelocity() {
  middle.biasForces(h);
  const int entries = kRobots * model.nv();
  for (int k = 0; k < entries; ++k) tau.data()[k] = applied.data()[k] - h.data()[k];
  middle.solveMass(tau);
  for (int k = 0; k < entries; ++k) nu_free.data()[k] = nu.data()[k] + dt * tau.data()[k];
}

// --- forces -----------------------------------------------------------------------------------------

/// b = J ν_free + shift
void PackStep::Parts::setProblem() {
  middle.contactVelocity(nu_free, b);
  for (int k = 0; k < 3 * contacts() * kRobots; ++k) b.data()[k] += shift.data()[k];
}

void PackStep::Parts::residuals(const BatchVector& p, const BatchVector& velocity, Numbers& residual) const {
  solver.residuals(scale.data(), active.data(), friction.data(), p.data(), velocity.data(), residual.data());
}

/// A robot whose impulses of the last step still hold keeps them, as with the solver.
void PackStep::Parts::solveFirst() {
  const int nc = contacts(), rows = 3 * nc;
  middle.delassus(G);
  setProblem();
  Numbers guess{}, mean{}, residual;
  for (int i = 0; i < nc; ++i)
    for (int robot = 0; robot < kRobots; ++robot) {
      double trace = 0.0;
      for (int c = 0; c < 3; ++c) trace += G(row(i, c) * rows + row(i, c), robot);
      scale(i, robot) = trace / 3.0;
      mean[robot] += trace / rows;
    }
  solver.velocity(G.data(), b.data(), impulse.data(), v.data());
  residuals(impulse, v, residual);
  for (int i = 0; i < nc; ++i)
    for (int robot = 0; robot < kRobots; ++robot) {
      const double p = impulse(row(i, 2), robot), better = p - v(row(i, 2), robot) / scale(i, robot);
      guess[robot] = std::max(guess[robot], active(i, robot) * std::max(p, better));
    }
  Flags solved{};
  for (int robot = 0; robot < kRobots; ++robot) {
    solved[robot] = going[robot] && !(minimum_norm[robot] && residual[robot] <= tolerance);
    going[robot] = going[robot] && guess[robot] > 0.0;
    compliance[robot] = unique ? kRigid * mean[robot] : kShareOfTolerance * tolerance / std::max(guess[robot], 1e-300);
  }
  Flags stick{};  // now, or in a correction
  for (int robot = 0; robot < kRobots; ++robot) {
    stick[robot] = going[robot] && !sliding[robot] && (solved[robot] || !slow[robot]);
    if (going[robot] && sliding[robot]) statesOfLastStep(robot);
  }
  if (any(stick)) solver.factorise(G.data(), part.data(), compliance.data());
  if (any(solved)) solveAgain(solved);
}

/// Solves the problem at hand: with all that presses sticking, unless that is known to be otherwise; then with states
/// that fit better.
void PackStep::Parts::solveAgain(const Flags& robots) {
  Flags slide{};
  for (int robot = 0; robot < kRobots; ++robot) slide[robot] = robots[robot] && going[robot] && sliding[robot];
  Flags stick{}, slip{};
  for (int robot = 0; robot < kRobots; ++robot) stick[robot] = robots[robot] && going[robot] && !sliding[robot];
  if (any(stick)) {
    Numbers residual;
    solver.solve(b.data(), next_impulse.data());
    solver.velocity(G.data(), b.data(), next_impulse.data(), v.data());
    residuals(next_impulse, v, residual);
    for (int robot = 0; robot < kRobots; ++robot) {
      if (!stick[robot]) continue;
      if (residual[robot] <= tolerance) {
        impulse.robot(robot) = next_impulse.robot(robot);
      } else {
        slip[robot] = going[robot] = takes_sliding;
      }
    }
  }
  if (any(slip)) solver.velocity(G.data(), b.data(), impulse.data(), v.data());
  for (int robot = 0; robot < kRobots; ++robot) {
    if (!slip[robot]) continue;
    sliding[robot] = slide[robot] = true;
    likelyStates(robot);
  }
  if (any(slide)) solveSliding(slide);
}

/// A robot for which no states are found that fit leaves the pack.
void PackStep::Parts::solveSliding(Flags robots) {
  Numbers residual;
  for (int k = 0; k < kMostGuesses && any(robots); ++k) {
    solver.solveSliding(G.data(), b.data(), states, compliance.data(), robots, next_impulse.data());
    solver.velocity(G.data(), b.data(), next_impulse.data(), v.data());
    residuals(next_impulse, v, residual);
    for (int robot = 0; robot < kRobots; ++robot) {
      if (!robots[robot]) continue;
      if (residual[robot] <= tolerance) {
        impulse.robot(robot) = next_impulse.robot(robot);
        robots[robot] = false;
        continue;
      }
      if (!unique && residual[robot] <= kGivingWay * tolerance) stiffen(robot);
      guessStates(robot);
    }
  }
  for (int robot = 0; robot < kRobots; ++robot) going[robot] = going[robot] && !robots[robot];
}

/// The compliance follows from the largest impulse, which was a guess so far: as in the solver.
void PackStep::Parts::stiffen(int robot) {
  double largest = 0.0;
  for (int i = 0; i < contacts(); ++i) largest = std::max(largest, next_impulse(row(i, 2), robot));
  compliance[robot] = std::min(compliance[robot], kShareOfTolerance * tolerance / largest);
}

void PackStep::Parts::setState(int contact, int robot, bool presses, bool slides, double x, double y, double speed) {
  const int at = contact * kRobots + robot;
  const double bound = friction[robot] * next_impulse(row(contact, 2), robot);
  states.presses[at] = presses ? 1.0 : 0.0;
  states.sticks[at] = presses && !slides ? 1.0 : 0.0;
  states.x[at] = slides ? x : 1.0;
  states.y[at] = slides ? y : 0.0;
  states.drag[at] = slides ? friction[robot] : 0.0;
  states.give[at] = slides && bound > 0.0 ? std::max(speed / bound - compliance[robot], 0.0) : 0.0;
}

/// For a robot whose contacts slid then. Needs the velocity of these impulses in v.
void PackStep::Parts::statesOfLastStep(int robot) {
  for (int i = 0; i < contacts(); ++i) {
    const double x = impulse(row(i, 0), robot), y = impulse(row(i, 1), robot), n = impulse(row(i, 2), robot);
    const double tangent = std::sqrt(x * x + y * y);
    const bool slides = n > 0.0 && tangent > kNearlySliding * friction[robot] * n;
    for (int c = 0; c < 3; ++c) next_impulse(row(i, c), robot) = impulse(row(i, c), robot);
    const double along = tangent > 0.0 ? -1.0 / tangent : 0.0;
    const double speed =
        std::sqrt(v(row(i, 0), robot) * v(row(i, 0), robot) + v(row(i, 1), robot) * v(row(i, 1), robot));
    setState(i, robot, part(row(i, 2), robot) != 0.0, slides, along * x, along * y, speed);
  }
}

/// For a robot whose contacts stuck so far: where the natural map leads from its impulses, whose velocity is v.
void PackStep::Parts::likelyStates(int robot) {
  for (int i = 0; i < contacts(); ++i) {
    const int x = row(i, 0), y = row(i, 1), n = row(i, 2);
    const double g = scale(i, robot), vx = v(x, robot), vy = v(y, robot);
    const double px = impulse(x, robot) - vx / g, py = impulse(y, robot) - vy / g;
    const double p_n = impulse(n, robot) - v(n, robot) / g, tangent = std::sqrt(px * px + py * py);
    const bool presses = active(i, robot) != 0.0 && p_n > 0.0;
    const bool slides = presses && tangent > friction[robot] * p_n;
    next_impulse(n, robot) = p_n;
    setState(i, robot, presses, slides, -px / tangent, -py / tangent, std::sqrt(vx * vx + vy * vy));
  }
}

/// What next_impulse and its velocity v show to be wrong about the states becomes better. Where points of a foot hold
/// against each other, all of them may be beyond the limit of friction until the first one slides.
void PackStep::Parts::guessStates(int robot) {
  std::array<double, kMostContacts> farthest{};  // of the points of each foot that stick: friction over load
  for (int i = 0; i < contacts() && !unique; ++i) {
    const double x = next_impulse(row(i, 0), robot), y = next_impulse(row(i, 1), robot),
                 n = next_impulse(row(i, 2), robot);
    if (states.sticks[i * kRobots + robot] == 0.0 || !(n > 0.0)) continue;
    farthest[foot[i]] = std::max(farthest[foot[i]], std::sqrt(x * x + y * y) / n);
  }
  for (int i = 0; i < contacts(); ++i)
    if (active(i, robot) != 0.0) guessState(i, robot, kNearlyFarthest * farthest[foot[i]]);
}

/// @param least friction over load with which a point begins to slide
void PackStep::Parts::guessState(int contact, int robot, double least) {
  const int at = contact * kRobots + robot, x = row(contact, 0), y = row(contact, 1), n = row(contact, 2);
  const double vx = v(x, robot), vy = v(y, robot), speed = std::sqrt(vx * vx + vy * vy);
  if (states.presses[at] == 0.0) return setState(contact, robot, v(n, robot) < 0.0, false, 1.0, 0.0, 0.0);
  const double p_n = next_impulse(n, robot), bound = friction[robot] * p_n;
  if (!(p_n > 0.0)) return setState(contact, robot, false, false, 1.0, 0.0, 0.0);
  if (states.sticks[at] == 0.0) {
    // A contact gives way until friction is at its limit, and slides from there on.
    const bool goes_on = vx * states.x[at] + vy * states.y[at] > compliance[robot] * bound;
    return setState(contact, robot, true, goes_on, vx / speed, vy / speed, speed);
  }
  const double px = next_impulse(x, robot), py = next_impulse(y, robot), tangent = std::sqrt(px * px + py * py);
  setState(contact, robot, true, tangent > std::max(bound, least * p_n), -px / tangent, -py / tangent, speed);
}

/// ν_end = ν_free + M⁻¹ Jᵀ p
void PackStep::Parts::applyImpulses(const Flags& robots) {
  std::fill_n(change_of_nu.data(), kRobots * model.nv(), 0.0);
  middle.addContactImpulse(impulse, change_of_nu);
  middle.solveMass(change_of_nu);
  for (int k = 0; k < model.nv(); ++k)
    for (int robot = 0; robot < kRobots; ++robot)
      nu_end(k, robot) = robots[robot] ? nu_free(k, robot) + change_of_nu(k, robot) : nu_end(k, robot);
}

// --- corrections ------------------------------------------------------------------------------------

/// As those of SecondOrderStep::solveForces(), for robots that are not slow.
void PackStep::Parts::correct() {
  Flags robots{};
  Numbers shrinks{}, fastest{}, change{};
  findTurning(nu_end, shrinks);
  findFastestTurning(nu_end, fastest);
  for (int robot = 0; robot < kRobots; ++robot) {
    shrinks[robot] *= dt;
    going[robot] = going[robot] && dt * fastest[robot] < farthest_turn;
    robots[robot] = going[robot] && !slow[robot];
  }
  if (!any(robots)) return;
  const Flags corrected = robots;
  for (int k = 0; k < kMaxCorrections && any(robots); ++k) {
    lookAtTheEnd(robots, change);
    for (int robot = 0; robot < kRobots; ++robot) {
      robots[robot] = robots[robot] && going[robot];
      if (!robots[robot] || change[robot] > small_change[robot]) continue;
      robots[robot] = false;
      change[robot] = 0.0;
    }
    if (!any(robots)) break;
    for (int i = 0; i < model.nv(); ++i)
      for (int robot = 0; robot < kRobots; ++robot) {
        if (!robots[robot]) continue;
        nu_free(i, robot) -= change_of_nu(i, robot);
        h(i, robot) = next_h(i, robot);
      }
    for (int i = 0; i < 3 * contacts(); ++i)
      for (int robot = 0; robot < kRobots; ++robot)
        if (robots[robot]) shift(i, robot) = next_shift(i, robot);
    setProblem();
    solveAgain(robots);
    applyImpulses(robots);
    for (int robot = 0; robot < kRobots; ++robot) {
      if (!robots[robot] || change[robot] * shrinks[robot] > small_change[robot]) continue;
      robots[robot] = false;
      change[robot] = 0.0;
    }
  }
  leaveOutLost(robots, change);
  middle.contactVelocity(nu_end, v_middle_end);
  for (int robot = 0; robot < kRobots; ++robot)
    if (corrected[robot] && makesEnergy(robot)) going[robot] = false;
}

/// By how much the problem is another one with what is known about the end. Leaves the better one in next_shift,
/// next_h and change_of_nu.
void PackStep::Parts::lookAtTheEnd(const Flags& robots, Numbers& change) {
  integrate(q_middle, nu_end, q_end);
  probe.updateKinematics(q_end, nu_end);
  probe.contactPlaces(end_place, v_end);
  middle.contactVelocity(nu_end, v_middle_end);
  Numbers next_change;
  biasChange(next_change);
  for (int i = 0; i < contacts(); ++i)
    for (int robot = 0; robot < kRobots; ++robot)
      if (robots[robot]) endShift(i, robot);
  for (int robot = 0; robot < kRobots; ++robot)
    if (robots[robot]) change[robot] = next_change[robot] + shiftChange(robot);
}

void PackStep::Parts::biasChange(Numbers& change) {
  const int entries = kRobots * model.nv();
  for (int k = 0; k < entries; ++k) nu_mean.data()[k] = 0.5 * (nu.data()[k] + nu_end.data()[k]);
  middle.updateVelocity(nu_mean);
  middle.biasForces(next_h);
  for (int k = 0; k < entries; ++k) tau.data()[k] = dt * (next_h.data()[k] - h.data()[k]);
  change_of_nu = tau;
  middle.solveMass(change_of_nu);
  change.fill(0.0);
  for (int k = 0; k < model.nv(); ++k)
    for (int robot = 0; robot < kRobots; ++robot) change[robot] += tau(k, robot) * change_of_nu(k, robot);
  for (double& c : change) c = std::sqrt(std::max(c, 0.0));
}

/// As SecondOrderStep::setEndShift(). What would have to be lifted leaves the pack.
void PackStep::Parts::endShift(int contact, int robot) {
  if (active(contact, robot) == 0.0) return;
  const double gap_end = gapAt(end_place, contact, robot);
  if (liftOf(gap_start(contact, robot), gap_end, dt) > 0.0) going[robot] = false;
  double shift_C[3];
  for (int c = 0; c < 3; ++c) shift_C[c] = v_end(row(contact, c), robot) - v_middle_end(row(contact, c), robot);
  if (open(contact, robot) != 0.0) shift_C[2] *= 0.5;  // where it is at the end, and not how fast
  if (slidesThroughout(contact, robot))
    for (int c = 0; c < 2; ++c)
      shift_C[c] = 0.5 * (v_middle(row(contact, c), robot) - v_middle_end(row(contact, c), robot));
  for (int c = 0; c < 3; ++c) next_shift(row(contact, c), robot) = shift_C[c];
  next_shift(row(contact, 2), robot) += gap_shift(contact, robot);
}

bool PackStep::Parts::slidesThroughout(int contact, int robot) const {
  const int x = row(contact, 0), y = row(contact, 1);
  const Eigen::Vector2d start(v_start(x, robot), v_start(y, robot)), end(v_end(x, robot), v_end(y, robot));
  return start.dot(end) > 0.0 && std::max((end - start).norm(), sticking) < std::min(start.norm(), end.norm());
}

double PackStep::Parts::shiftChange(int robot) const {
  const int rows = 3 * contacts();
  double change = 0.0;
  for (int i = 0; i < contacts(); ++i) {
    if (active(i, robot) == 0.0 || (open(i, robot) != 0.0 && impulse(row(i, 2), robot) == 0.0)) continue;
    for (int c = 0; c < 3; ++c) {
      const int k = row(i, c);
      const double difference = next_shift(k, robot) - shift(k, robot);
      change = std::max(change, difference * difference / G(k * rows + k, robot));
    }
  }
  return std::sqrt(change);
}

/// Bias forces that were not found: SecondOrderStep::isLost().
void PackStep::Parts::leaveOutLost(const Flags& robots, const Numbers& change) {
  if (!any(robots)) return;
  middle.multiplyMass(nu_end, tau);
  for (int robot = 0; robot < kRobots; ++robot)
    if (robots[robot] && change[robot] * change[robot] > kLost * kLost * nu_end.robot(robot).dot(tau.robot(robot)))
      going[robot] = false;
}

/// As SecondOrderStep::makesEnergy(); nothing has been lifted.
bool PackStep::Parts::makesEnergy(int robot) const {
  double work = 0.0, accepted = 0.0;
  for (int i = 0; i < contacts(); ++i) {
    if (active(i, robot) == 0.0) continue;
    const int n = row(i, 2);
    const double start = v_middle(n, robot), end = v_middle_end(n, robot), p = impulse(n, robot);
    work += p * (0.5 * (start + end) + std::min(gap_shift(i, robot), 0.0));
    accepted += p * (kGravityShare * gravity * dt + kTurningShare * 0.5 * (std::abs(start) + std::abs(end)));
  }
  return work > accepted;
}

// --- the step ---------------------------------------------------------------------------------------

void PackStep::Parts::step() {
  for (int robot = size; robot < kRobots; ++robot) makeNeutral(robot);
  placeInTheMiddle();
  findContacts();
  setShift();
  computeFreeVelocity();
  solveFirst();
  Flags all;
  all.fill(true);
  applyImpulses(all);
  correct();
  integrate(q_middle, nu_end, q_end);
  for (int robot = 0; robot < size; ++robot) {
    const double sum = q_end.robot(robot).sum() + nu_end.robot(robot).sum();
    going[robot] = going[robot] && sum - sum == 0.0;  // NOLINT(misc-redundant-expression): is it finite?
  }
}

// --- outside ----------------------------------------------------------------------------------------

PackStep::PackStep(std::unique_ptr<Parts> parts) : parts_(std::move(parts)) {}
PackStep::~PackStep() = default;

std::unique_ptr<PackStep> PackStep::make(const Model& model, const Terrain& ground, const Settings& settings) {
  const auto* plane = dynamic_cast<const Plane*>(&ground);
  const bool usual = settings.engine == "native" && settings.solver == "native" &&
                     settings.integrator == "second_order" && settings.contact.model == "rigid" &&
                     settings.contact.law == FrictionLaw::cone;
  const int candidates = static_cast<int>(model.candidates.size());
  const bool only_feet = candidates > 0 && candidates <= kMostContacts && model.shapes.empty() && !model.has_faces;
  const bool alone = model.floating_base && model.further_bodies == 0 && model.loops.empty() &&
                     model.point_springs.empty() && !model.hasPrescribedJoints() && !model.hasMimicJoints();
  const bool without_friction =
      std::all_of(model.dofs.begin(), model.dofs.end(), [](const Dof& dof) { return !(dof.friction > 0.0); });
  if (plane == nullptr || !usual || !only_feet || !alone || !without_friction || !BatchDynamics::takes(model))
    return nullptr;
  const std::unique_ptr<Dynamics> engine = makeDynamics(settings.engine, model);
  MassTraits traits = massTraitsOf(model, *engine, settings.step);
  if (traits.taut) return nullptr;
  return std::unique_ptr<PackStep>(new PackStep(std::make_unique<Parts>(model, *plane, settings, std::move(traits))));
}

bool PackStep::mightSlide(const WarmStart& warm, double friction) const {
  const double share = kNearlySliding * parts_->ground_friction * friction;
  for (Eigen::Index slot = 0; slot < warm.candidate.size() && warm.candidate[slot] >= 0; ++slot) {
    const auto p = warm.impulse.segment<3>(3 * slot);
    if (p.head<2>().squaredNorm() > share * share * p.z() * p.z()) return true;
  }
  return false;
}

void PackStep::clear() { parts_->size = 0; }
void PackStep::reserveMasses() {
  const std::vector<LinkMass> same = linkMassesOf(parts_->model);
  for (int robot = 0; robot < kRobots; ++robot) parts_->middle.setLinkMasses(robot, same);
}
bool PackStep::add(const StepStart& start, double friction, const OwnMasses* masses) {
  const bool slides = mightSlide(start.state.warm, friction);
  parts_->sliding[size()] = slides;
  return (!slides || parts_->takes_sliding) && parts_->add(start, friction, masses);
}
int PackStep::size() const { return parts_->size; }
void PackStep::step() { parts_->step(); }
bool PackStep::made(int robot) const { return parts_->going[robot]; }

void PackStep::storeNext(int robot, Eigen::Ref<VectorXd> q, Eigen::Ref<VectorXd> nu, WarmStart& warm) const {
  const Parts& p = *parts_;
  q = p.q_end.robot(robot);
  nu = p.nu_end.robot(robot);
  forgetWarmStart(warm);
  int slot = 0;
  for (int contact = 0; contact < p.contacts(); ++contact) {
    if (p.active(contact, robot) == 0.0) continue;
    warm.candidate[slot] = contact;
    for (int c = 0; c < 3; ++c) warm.impulse[3 * slot + c] = p.impulse(p.row(contact, c), robot);
    ++slot;
  }
  warm.minimum_norm = true;
}

void PackStep::storeJointTorque(int robot, Eigen::Ref<VectorXd> torque) const {
  const Parts& p = *parts_;
  const int base = p.model.baseDofs();
  for (int i = 0; i < p.model.jointDofs(); ++i)
    torque[i] = p.torque(i, robot) - p.inertia(i, robot) * (p.nu_end(base + i, robot) - p.nu(base + i, robot)) / p.dt;
}

void PackStep::storeSoleWrenches(int robot, Eigen::Ref<VectorXd> wrenches) const {
  const Parts& p = *parts_;
  const std::vector<FrameIndex>& soles = p.soles;
  wrenches.setZero();
  for (int i = 0; i < p.contacts(); ++i) {
    const ContactCandidate& candidate = p.model.candidates[i];
    const auto sole = std::find(soles.begin(), soles.end(), candidate.frame) - soles.begin();
    const Pose X_WF = p.middle.linkPose(robot, candidate.link) * p.model.frames[candidate.frame].X_LF;
    Vector3d force_C, place_W;
    for (int c = 0; c < 3; ++c) {
      force_C[c] = p.impulse(p.row(i, c), robot) / p.dt;
      place_W[c] = p.place(p.row(i, c), robot);
    }
    const Vector3d force_W = p.R_WC * force_C;
    wrenches.segment<3>(6 * sole) += X_WF.R.transpose() * force_W;
    wrenches.segment<3>(6 * sole + 3) += X_WF.R.transpose() * (place_W - X_WF.p).cross(force_W);
  }
}

}  // namespace footfall
