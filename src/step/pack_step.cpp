#include "footfall/step/internal/pack_step.hpp"

#include <algorithm>
#include <array>
#include <cmath>

#include "footfall/contact/gap_velocity.hpp"
#include "footfall/contact/joint_rows.hpp"
#include "footfall/dynamics/batch_dynamics.hpp"
#include "footfall/simd/internal/kernel_choice.hpp"
#include "footfall/solver/contact_pack.hpp"
#include "footfall/step/internal/check_gains.hpp"
#include "step/pack_motion.hpp"
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
/// feet on several points some in ten and more.
constexpr int kMostGuesses = 14;
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

RobotPack packOf(const Flags& flags) {
  RobotPack pack;
  for (int robot = 0; robot < kRobots; ++robot) pack[robot] = flags[robot] ? 1.0 : 0.0;
  return pack;
}

}  // namespace

struct PackStep::Parts {
  Parts(const Model& m, const Plane& ground, const Settings& settings, MassTraits of_model);

  bool add(const StepStart& start, double friction_scale, const OwnMasses* masses);
  void setMasses(const OwnMasses& masses);
  void setTraits(int robot, const MassTraits& own);
  bool isForPacks(const StepStart& start);
  void readWarmStart(const WarmStart& warm);
  void makeNeutral(int robot);
  void step();

  int contacts() const { return static_cast<int>(model.candidates.size()); }
  int row(int contact, int component) const { return component * contacts() + contact; }
  void integrate(const BatchVector& from, const BatchVector& velocity, BatchVector& to);
  void findTurning(const BatchVector& velocity, Numbers& turning) const;
  void leaveOutFast(const BatchVector& velocity);

  void placeInTheMiddle();
  void findContacts();
  void setShift();
  void computeFreeVelocity();
  void setProblem();
  void solveFirst();
  void solveAgain(const Flags& robots);
  void solveSliding(Flags robots);
  Flags takeWhatFits(const Flags& robots, const Numbers& residual);
  void stiffen(int robot);
  void residuals(const BatchVector& impulse, const BatchVector& v, Numbers& residual) const;
  ContactPackNumbers known(const BatchVector& p) const;
  void applyImpulses(const Flags& robots);
  void correct();
  void lookAtTheEnd(const Flags& robots, Numbers& change);
  void biasChange(Numbers& change);
  void leaveOutLost(const Flags& robots, const Numbers& change);
  void leaveOutEnergyMakers(const Flags& robots);
  void describeContacts();

  const Model& model;
  const double dt, tolerance, gravity, sticking;
  const double impact_threshold, fall;  ///< as those of ImpactModel [m/s, m]
  double farthest_turn;                 ///< of links within a step that packs follow [rad]
  const bool unique;                    ///< no link has two contacts: impulses follow from velocities
  const bool takes_sliding;             ///< robots whose contacts slide step in packs
  const SurfacePoint surface;           ///< of the ground, below the world's origin

  const PackMotion& motion;
  PackContacts own_contacts{};  ///< what it is told of contacts
  BatchDynamics middle;         ///< the engine in the middle of the step
  BatchDynamics probe;          ///< poses and velocities at its start, then at its end
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
  alignas(64) Numbers friction{};
  Numbers small_change{};  ///< as SecondOrderStep::smallChange()

  // generalized (nq, nv, n)
  BatchVector q, nu, q_middle, q_end, nu_free, nu_end, nu_mean, h, next_h, tau, applied, change_of_nu;
  BatchVector torque, inertia;
  BatchVector turning_weights;  ///< as MassTraits::turning
  BatchVector link_turning;     ///< no link turns faster than this (links) [rad/s]
  // contacts (3 nc): velocities in contact axes, places in the world
  BatchVector place, v_start, v_middle, v_middle_end, v_end, end_place, b, shift, next_shift, impulse, next_impulse, v,
      part;
  BatchVector v_found;  ///< J ν_end + shift, of the impulses that were found
  // contacts (nc)
  BatchVector gap_start, gap_middle, gap_shift, active, open, scale;
  BatchVector G;
  ContactPackStates states;
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

/// Of each contact: the first one of the same link.
std::vector<int> feetOf(const Model& model) {
  std::vector<int> feet;
  for (const ContactCandidate& candidate : model.candidates) {
    const auto first = std::find_if(model.candidates.begin(), model.candidates.end(),
                                    [&](const ContactCandidate& other) { return other.link == candidate.link; });
    feet.push_back(static_cast<int>(first - model.candidates.begin()));
  }
  return feet;
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
      surface(ground.at(Vector3d::Zero(), 0.0)),
      motion(FOOTFALL_CHOSEN_KERNEL(pack_motion)),
      middle(m),
      probe(m),
      solver(feetOf(m)),
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
      v_found(place),
      gap_start(contacts()),
      gap_middle(gap_start),
      gap_shift(gap_start),
      active(gap_start),
      open(gap_start),
      scale(gap_start),
      G(9 * contacts() * contacts()),
      states(contacts()) {
  std::vector<ContactFrame> frames;
  std::vector<double> radii;
  for (const ContactCandidate& candidate : model.candidates) {
    frames.push_back({candidate.link, candidate.p_LC, surface.R_WC});
    radii.push_back(candidate.radius);
  }
  middle.setContacts(frames, radii);
  probe.setContacts(frames, radii);
  limit_rows.reserve(maxJointRows(model));
  for (int robot = 0; robot < kRobots; ++robot) setTraits(robot, traits);
  describeContacts();
}

void PackStep::Parts::describeContacts() {
  constexpr DetectionSettings kDetection;
  PackContacts& c = own_contacts;
  const Vector3d normal_W = surface.R_WC.col(2);
  c.contacts = contacts();
  c.dt = dt;
  c.normal_x = normal_W.x(), c.normal_y = normal_W.y(), c.normal_z = normal_W.z();
  c.ground_gap = surface.gap;
  c.restitution = surface.restitution;
  c.reach = kDetection.acceleration * dt * dt;
  c.touching = kTouchingGap;
  c.sticking = sticking;
  c.impact_threshold = impact_threshold;
  c.fall = fall;
  c.deep = kDeep;
  c.place = place.data(), c.end_place = end_place.data();
  c.v_start = v_start.data(), c.v_middle = v_middle.data();
  c.v_middle_end = v_middle_end.data(), c.v_end = v_end.data();
  c.shift = shift.data(), c.next_shift = next_shift.data(), c.gap_shift = gap_shift.data();
  c.gap_start = gap_start.data(), c.gap_middle = gap_middle.data();
  c.active = active.data(), c.open = open.data();
  c.impulse = impulse.data(), c.part = part.data();
  c.G = G.data();
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
  limits.find(state.q, state.nu, dt, 0.0, limit_rows);
  return limit_rows.empty();
}

/// The impulses of the last step, candidate by candidate.
void PackStep::Parts::readWarmStart(const WarmStart& warm) {
  for (int k = 0; k < 3 * contacts(); ++k) impulse(k, size) = 0.0;
  for (Eigen::Index slot = 0; slot < warm.candidate.size() && warm.candidate[slot] >= 0; ++slot) {
    const int contact = warm.candidate[slot];
    const auto p = warm.impulse.segment<3>(3 * slot);
    for (int c = 0; c < 3; ++c) impulse(row(contact, c), size) = p[c];
  }
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
  friction[robot] = surface.friction * friction_scale;
  if (!isForPacks(start)) return false;
  readWarmStart(state.warm);
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

/// Half a step from `from` on.
void PackStep::Parts::integrate(const BatchVector& from, const BatchVector& velocity, BatchVector& to) {
  if (model.balls.empty())
    return motion.integrate(model.jointDofs(), 0.5 * dt, from.data(), velocity.data(), to.data());
  for (int robot = 0; robot < kRobots; ++robot) {
    lane_q = from.robot(robot);
    lane_nu = velocity.robot(robot);
    integrateConfiguration(model, lane_nu, 0.5 * dt, lane_q);
    to.robot(robot) = lane_q;
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
/// Robots with links that turn farther in a step than packs follow leave it.
void PackStep::Parts::leaveOutFast(const BatchVector& velocity) {
  Numbers fastest;
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
  for (int r = 0; r < kRobots; ++r) going[r] = going[r] && dt * fastest[r] < farthest_turn;
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
  RobotPack slides, others;
  motion.anySlides(own_contacts, slides);
  for (int robot = 0; robot < kRobots; ++robot) slow[robot] = slow[robot] && slides[robot] == 0.0;
  const bool all_slow = std::all_of(slow.begin(), slow.end(), [](bool one) { return one; });
  if (!all_slow) {
    probe.updateKinematics(q, nu);
    probe.contactPlaces(end_place, v_start);
  }
  motion.findContacts(own_contacts, packOf(slow), others);
  for (int robot = 0; robot < kRobots; ++robot) going[robot] = going[robot] && others[robot] == 0.0;
  for (int i = 0; i < contacts(); ++i)
    for (int robot = 0; robot < kRobots; ++robot)
      gap_shift(i, robot) =
          open(i, robot) != 0.0 ? 2.0 * gap_middle(i, robot) / dt : closedGapVelocity(gap_start(i, robot), dt);
}

/// What the first half of the step does to the contacts, the second half does again; of a slow robot it does nothing.
void PackStep::Parts::setShift() {
  const int nc = contacts();
  motion.combine(3 * nc, 1.0, v_middle.data(), -1.0, v_start.data(), shift.data());
  double* normal = &shift(2 * nc, 0);
  motion.combine(nc, 1.0, normal, 1.0, gap_shift.data(), normal);
}

void PackStep::Parts::computeFreeVelocity() {
  middle.biasForces(h);
  motion.combine(model.nv(), 1.0, applied.data(), -1.0, h.data(), tau.data());
  middle.solveMass(tau);
  motion.combine(model.nv(), 1.0, nu.data(), dt, tau.data(), nu_free.data());
}

// --- forces -----------------------------------------------------------------------------------------

/// b = J ν_free + shift
void PackStep::Parts::setProblem() {
  middle.contactVelocity(nu_free, b);
  motion.combine(3 * contacts(), 1.0, b.data(), 1.0, shift.data(), b.data());
}

void PackStep::Parts::residuals(const BatchVector& p, const BatchVector& velocity, Numbers& residual) const {
  solver.residuals(scale.data(), active.data(), friction.data(), p.data(), velocity.data(), residual.data());
}

/// @param p impulses; v are their velocities
ContactPackNumbers PackStep::Parts::known(const BatchVector& p) const {
  return {active.data(), scale.data(), friction.data(), compliance.data(), p.data(), v.data()};
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
  v_found = v;
  residuals(impulse, v, residual);
  for (int i = 0; i < nc; ++i)
    for (int robot = 0; robot < kRobots; ++robot) {
      const double p = impulse(row(i, 2), robot), better = p - v(row(i, 2), robot) / scale(i, robot);
      guess[robot] = std::max(guess[robot], active(i, robot) * std::max(p, better));
    }
  Flags solved{};
  for (int robot = 0; robot < kRobots; ++robot) {
    solved[robot] = going[robot] && !(minimum_norm[robot] && residual[robot] <= tolerance);
    compliance[robot] = unique ? kRigid * mean[robot] : kShareOfTolerance * tolerance / std::max(guess[robot], 1e-300);
  }
  Flags stick{}, slide{};  // now, or in a correction
  for (int robot = 0; robot < kRobots; ++robot) {
    stick[robot] = going[robot] && !sliding[robot] && (solved[robot] || !slow[robot]);
    slide[robot] = going[robot] && sliding[robot];
  }
  if (any(slide)) solver.statesOf(known(impulse), kNearlySliding, slide, states);
  if (any(stick)) solver.factorise(G.data(), part.data(), compliance.data());
  if (any(solved)) solveAgain(solved);
}

/// Solves the problem at hand: with all that presses sticking, unless that is known to be otherwise; then with states
/// that fit better.
void PackStep::Parts::solveAgain(const Flags& robots) {
  Flags stick{}, slide{}, slip{};  // slip: they were taken to stick, and do not
  for (int robot = 0; robot < kRobots; ++robot) {
    stick[robot] = robots[robot] && going[robot] && !sliding[robot];
    slide[robot] = robots[robot] && going[robot] && sliding[robot];
  }
  if (any(stick)) {
    Numbers residual;
    solver.solve(b.data(), next_impulse.data());
    solver.velocity(G.data(), b.data(), next_impulse.data(), v.data());
    residuals(next_impulse, v, residual);
    const Flags fits = takeWhatFits(stick, residual);
    for (int robot = 0; robot < kRobots; ++robot) {
      if (!stick[robot] || fits[robot]) continue;
      slip[robot] = going[robot] = takes_sliding;
    }
  }
  if (any(slip)) {
    solver.velocity(G.data(), b.data(), impulse.data(), v.data());
    solver.likelyStates(known(impulse), slip, states);
  }
  for (int robot = 0; robot < kRobots; ++robot)
    if (slip[robot]) sliding[robot] = slide[robot] = true;
  if (any(slide)) solveSliding(slide);
}

/// A robot for which no states are found that fit leaves the pack.
void PackStep::Parts::solveSliding(Flags robots) {
  Numbers residual;
  for (int k = 0; k < kMostGuesses && any(robots); ++k) {
    solver.solveSliding(G.data(), b.data(), states, compliance.data(), robots, next_impulse.data());
    solver.velocity(G.data(), b.data(), next_impulse.data(), v.data());
    residuals(next_impulse, v, residual);
    const Flags fits = takeWhatFits(robots, residual);
    for (int robot = 0; robot < kRobots; ++robot) {
      robots[robot] = robots[robot] && !fits[robot];
      if (robots[robot] && !unique && residual[robot] <= kGivingWay * tolerance) stiffen(robot);
    }
    if (any(robots)) solver.guessStates(known(next_impulse), robots, states);
  }
  for (int robot = 0; robot < kRobots; ++robot) going[robot] = going[robot] && !robots[robot];
}

/// Of the robots that are asked for: those for which next_impulse, whose velocity is v, solves the problem.
Flags PackStep::Parts::takeWhatFits(const Flags& robots, const Numbers& residual) {
  Flags fits{};
  for (int robot = 0; robot < kRobots; ++robot) fits[robot] = robots[robot] && residual[robot] <= tolerance;
  const RobotPack asked = packOf(fits);
  motion.takeFor(asked, 3 * contacts(), next_impulse.data(), impulse.data());
  motion.takeFor(asked, 3 * contacts(), v.data(), v_found.data());
  return fits;
}

/// The compliance follows from the largest impulse, which was a guess so far: as in the solver.
void PackStep::Parts::stiffen(int robot) {
  double largest = 0.0;
  for (int i = 0; i < contacts(); ++i) largest = std::max(largest, next_impulse(row(i, 2), robot));
  compliance[robot] = std::min(compliance[robot], kShareOfTolerance * tolerance / largest);
}

/// ν_end = ν_free + M⁻¹ Jᵀ p
void PackStep::Parts::applyImpulses(const Flags& robots) {
  std::fill_n(change_of_nu.data(), kRobots * model.nv(), 0.0);
  middle.addContactImpulse(impulse, change_of_nu);
  middle.solveMass(change_of_nu);
  motion.addFor(packOf(robots), model.nv(), nu_free.data(), 1.0, change_of_nu.data(), nu_end.data());
}

// --- corrections ------------------------------------------------------------------------------------

/// As those of SecondOrderStep::solveForces(), for robots that are not slow.
void PackStep::Parts::correct() {
  Flags robots{};
  Numbers shrinks{}, change{};
  findTurning(nu_end, shrinks);
  leaveOutFast(nu_end);
  for (int robot = 0; robot < kRobots; ++robot) {
    shrinks[robot] *= dt;
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
    const RobotPack asked = packOf(robots);
    motion.addFor(asked, model.nv(), nu_free.data(), -1.0, change_of_nu.data(), nu_free.data());
    motion.takeFor(asked, model.nv(), next_h.data(), h.data());
    motion.takeFor(asked, 3 * contacts(), next_shift.data(), shift.data());
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
  leaveOutEnergyMakers(corrected);
}

/// By how much the problem is another one with what is known about the end. Leaves the better one in next_shift,
/// next_h and change_of_nu. What would have to be lifted leaves the pack.
void PackStep::Parts::lookAtTheEnd(const Flags& robots, Numbers& change) {
  integrate(q_middle, nu_end, q_end);
  probe.updateKinematics(q_end, nu_end);
  probe.contactPlaces(end_place, v_end);
  motion.combine(3 * contacts(), 1.0, v_found.data(), -1.0, shift.data(), v_middle_end.data());
  Numbers next_change;
  biasChange(next_change);
  RobotPack lifts, shift_change;
  motion.setEndShift(own_contacts, packOf(robots), lifts);
  motion.shiftChange(own_contacts, shift_change);
  for (int robot = 0; robot < kRobots; ++robot) {
    if (!robots[robot]) continue;
    change[robot] = next_change[robot] + shift_change[robot];
    going[robot] = going[robot] && lifts[robot] == 0.0;
  }
}

void PackStep::Parts::biasChange(Numbers& change) {
  motion.combine(model.nv(), 0.5, nu.data(), 0.5, nu_end.data(), nu_mean.data());
  middle.updateVelocity(nu_mean);
  middle.biasForces(next_h);
  motion.combine(model.nv(), dt, next_h.data(), -dt, h.data(), tau.data());
  change_of_nu = tau;
  middle.solveMass(change_of_nu);
  change.fill(0.0);
  for (int k = 0; k < model.nv(); ++k)
    for (int robot = 0; robot < kRobots; ++robot) change[robot] += tau(k, robot) * change_of_nu(k, robot);
  for (double& c : change) c = std::sqrt(std::max(c, 0.0));
}

/// Bias forces that were not found: SecondOrderStep::isLost().
void PackStep::Parts::leaveOutLost(const Flags& robots, const Numbers& change) {
  if (!any(robots)) return;
  middle.multiplyMass(nu_end, tau);
  for (int robot = 0; robot < kRobots; ++robot)
    if (robots[robot] && change[robot] * change[robot] > kLost * kLost * nu_end.robot(robot).dot(tau.robot(robot)))
      going[robot] = false;
}

void PackStep::Parts::leaveOutEnergyMakers(const Flags& robots) {
  RobotPack work, accepted;
  motion.combine(3 * contacts(), 1.0, v_found.data(), -1.0, shift.data(), v_middle_end.data());
  motion.contactWork(own_contacts, kGravityShare * gravity * dt, kTurningShare, work, accepted);
  for (int robot = 0; robot < kRobots; ++robot)
    if (robots[robot] && work[robot] > accepted[robot]) going[robot] = false;
}

// --- the step ---------------------------------------------------------------------------------------

void PackStep::Parts::step() {
  for (int robot = size; robot < kRobots; ++robot) makeNeutral(robot);
  leaveOutFast(nu);
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
  const double share = kNearlySliding * parts_->surface.friction * friction;
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
    const Vector3d force_W = p.surface.R_WC * force_C;
    wrenches.segment<3>(6 * sole) += X_WF.R.transpose() * force_W;
    wrenches.segment<3>(6 * sole + 3) += X_WF.R.transpose() * (place_W - X_WF.p).cross(force_W);
  }
}

}  // namespace footfall
