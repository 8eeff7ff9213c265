#include "footfall/contact/impact.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "footfall/contact/gap_velocity.hpp"

namespace footfall {
namespace {

/// An impact that is solved to this share of its velocities does not stop the run, as in worlds of bodies: 1e-4 m/s are
/// a tenth of a micrometre in a step of a millisecond.
constexpr double kAcceptableShare = 1e-4;

/// In place of a gap: no impact of a robot closes a contact that fast [m/s].
constexpr double kAway = 1e3;

/// Largest velocity that contacts would have without impulses [m/s].
double fastest(const ContactProblem& problem, int contacts) {
  double speed = 0.0;
  for (int i = 0; i < contacts; ++i)
    for (int c = 0; c < 3 && problem.b[problem.layout.row(i, 2)] < 0.5 * kAway; ++c)
      speed = std::max(speed, std::abs(problem.b[problem.layout.row(i, c)]));
  return speed;
}

}  // namespace

ImpactModel::ImpactModel(FrictionLaw law, const SolverSettings& settings, double threshold, double fall)
    : settings_(settings), law_(law), threshold_(threshold), fall_(fall) {}

void ImpactModel::reserve(int max_contacts) {
  for (AlignedVector* v : {&approach_, &after_, &size_}) v->assign(ContactLayout::of(max_contacts).rows(), 0.0);
  normal_.reserve(max_contacts);
}

bool ImpactModel::closesFast(double gap, double approach, double dt) const {
  return approach < -threshold_ && gap + dt * approach <= 0.0;
}

/// What the ground gathers within the step is no impact: it lifts what lies on it.
bool ImpactModel::closesFast(const ActiveContact& contact, double dt) const {
  return contact.approach + contact.ground_rise < -threshold_ && closesFast(contact.surface.gap, contact.approach, dt);
}

/// To bounce.
bool ImpactModel::isFastEnough(const ActiveContact& contact, double dt) const {
  const double rebound = -contact.surface.restitution * contact.approach;
  // What would be back within half of a step, at g t²/2 = fall, stays.
  return rebound > 0.0 && 2.0 * dt * rebound >= fall_ && contact.approach + contact.ground_rise < -threshold_;
}

bool ImpactModel::bounces(const ActiveContact& contact, double dt) const {
  return isFastEnough(contact, dt) && closesFast(contact.surface.gap - fall_, contact.approach, dt);
}

bool ImpactModel::bouncesLater(const ActiveContact& contact, double dt) const {
  return isFastEnough(contact, dt) && contact.surface.gap - fall_ + dt * contact.approach > 0.0;
}

bool ImpactModel::waits(const ActiveContact& contact, double dt) const {
  const double gap = contact.surface.gap, approach = contact.approach;
  const bool leaves = approach > threshold_, rests = gap <= kTouchingGap && !leaves && !bouncesLater(contact, dt);
  return contact.surface.restitution > 0.0 && !rests && gap + dt * approach > 0.0;
}

bool ImpactModel::needed(const ConstraintSystem& system, double dt) const {
  for (const ActiveContact& c : system.contacts())
    if (closesFast(c, dt) || bounces(c, dt)) return true;
  for (const JointRow& row : system.jointRows())
    if (row.kind == JointRow::Kind::limit && closesFast(row.gap, row.approach, dt)) return true;
  return false;
}

void ImpactModel::solve(const ContactStepInputs& inputs, ContactSolver& solver, ContactSolution& solution,
                        Bounces order) {
  const auto contacts = inputs.system.contacts();
  const bool elastic =
      std::any_of(contacts.begin(), contacts.end(), [&](const ActiveContact& c) { return bounces(c, inputs.dt); });
  if (!elastic || order == Bounces::none) {
    solveWith(0.0, inputs, solver, solution, order);
    return;
  }
  recordApproach(inputs);
  solveWith(1.0, inputs, solver, solution, order);
  const bool solved = solution.status != SolveStatus::failed;
  if (solved && !makesEnergy(inputs.system.problem(), solution)) return;
  // Newton's restitution with friction can make energy in some poses (Kane's paradox), and what is held from both sides
  // has nowhere to bounce to. Then it is as large as energy and the others allow, found by halving.
  constexpr int kHalvings = 10;  // to a thousandth
  SolverCounters counters = solution.counters;
  const auto tryShare = [&](double share, Bounces bounces) {
    std::fill(solution.impulse.begin(), solution.impulse.end(), 0.0);
    solveWith(share, inputs, solver, solution, bounces);
    counters += solution.counters;
    return solution.status != SolveStatus::failed && !makesEnergy(inputs.system.problem(), solution);
  };
  double allowed = 0.0, too_much = 1.0, last = 1.0;
  const bool hopeless = !solved && !tryShare(std::ldexp(1.0, -kHalvings), order);
  for (int k = 0; k < kHalvings && !hopeless; ++k) {
    last = 0.5 * (allowed + too_much);
    (tryShare(last, order) ? allowed : too_much) = last;
  }
  if (allowed == 0.0)
    tryShare(0.0, Bounces::together);
  else if (last != allowed)
    tryShare(allowed, order);
  solution.counters = counters;
}

/// Contact velocities before the impact: makesEnergy() asks for them.
void ImpactModel::recordApproach(const ContactStepInputs& inputs) {
  const ProblemTerms terms{.law = law_, .dt = inputs.dt, .instant = true};
  const ContactProblem& before = inputs.system.assemble(inputs.dynamics, inputs.nu, terms);
  std::copy(before.b.begin(), before.b.begin() + before.layout.rows(), approach_.begin());
}

/// Work of the impulses on the mean of the velocities before and after. It is zero for an elastic impact, and so must
/// be told from rounding: each velocity is a sum of rows + 1 terms, and the solver leaves it wrong by its residual.
bool ImpactModel::makesEnergy(const ContactProblem& problem, const ContactSolution& solution) {
  constexpr double kEpsilon = std::numeric_limits<double>::epsilon();
  const int rows = problem.layout.rows();
  double work = 0.0, rounding = 0.0;
  problem.velocity(solution.impulse.data(), motion_, after_.data());
  problem.sizeOfResponse(solution.impulse.data(), motion_, size_.data());
  for (int row = 0; row < rows; ++row) {
    const double velocity = approach_[row] + 0.5 * (after_[row] - problem.b[row]);
    const double size = std::abs(approach_[row]) + std::abs(problem.b[row]) + 0.5 * size_[row];
    work += velocity * solution.impulse[row];
    rounding += (rows + 1) * kEpsilon * size * std::abs(solution.impulse[row]) +
                0.5 * solution.residual * std::abs(solution.impulse[row]);
  }
  return work > rounding;
}

/// @param share of the restitution that counts
void ImpactModel::solveWith(double share, const ContactStepInputs& inputs, ContactSolver& solver,
                            ContactSolution& solution, Bounces order) {
  ProblemTerms terms{.law = law_, .dt = inputs.dt, .instant = true};
  normal_.clear();
  for (const ActiveContact& contact : inputs.system.contacts()) {
    if (share > 0.0 && bounces(contact, inputs.dt))
      normal_.push_back(share * contact.surface.restitution * contact.approach);
    else if (share > 0.0 && order == Bounces::in_turn && waits(contact, inputs.dt))
      normal_.push_back(kAway);
    else
      normal_.push_back(gapVelocity(std::max(contact.surface.gap, 0.0), inputs.dt));
  }
  terms.normal = normal_;
  terms.shift = inputs.shift;
  const ContactProblem& problem = inputs.system.assemble(inputs.dynamics, inputs.nu, terms);
  solver.solve(problem, settings_, solution);
  const int contacts = static_cast<int>(inputs.system.contacts().size());
  if (solution.status == SolveStatus::failed && solution.residual <= kAcceptableShare * fastest(problem, contacts))
    solution.status = SolveStatus::inaccurate;
}

}  // namespace footfall
