#include "batch/world_stepper.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <optional>
#include <utility>

#include "footfall/base/error.hpp"
#include "footfall/step/describe_failure.hpp"

namespace footfall {
namespace {

double frictionOf(const Worlds& worlds, int world) { return worlds.friction.empty() ? 1.0 : worlds.friction(world, 0); }

/// The command of `delay` steps ago. The first one of an episode is taken for what was commanded before it, too: the
/// robot stands as it holds itself, and nobody knows a command that would have brought it there.
const double* delayedCommand(Worlds& worlds, int world) {
  const int width = worlds.tau.width() + worlds.target.width();
  const int slots = worlds.commands.width() / width;
  double* ring = worlds.commands.row(world).data();
  std::int64_t& commanded = worlds.commanded[world];
  const auto slot = [&](std::int64_t number) { return ring + width * (number % slots); };
  const int copies_to_make = commanded == 0 ? slots : 1;
  for (int k = 0; k < copies_to_make; ++k) {
    double* to = slot(commanded + k);
    to = std::copy_n(worlds.tau.row(world).data(), worlds.tau.width(), to);
    if (!worlds.target.empty()) std::copy_n(worlds.target.row(world).data(), worlds.target.width(), to);
  }
  const auto delay = static_cast<std::int64_t>(worlds.delay(world, 0));
  return slot(commanded++ + slots - delay);
}

/// A world that asks for another delay than it can have fails: it would learn from one that is not there.
void checkDelay(const Worlds& worlds, int world) {
  const int longest = worlds.commands.width() / (worlds.tau.width() + worlds.target.width()) - 1;
  const double delay = worlds.delay(world, 0);
  if (!(delay >= 0.0 && delay <= longest && delay == std::floor(delay)))
    throw Error("delay", fmt::format("it is {} steps, expected a whole number from 0 to {}", delay, longest),
                "`longest_delay` is given where the batch is made");
}

}  // namespace

WorldStepper::WorldStepper(const World& world)
    : ground_(std::make_shared<WorldGround>(*world.terrain)),
      simulation_(onGround(world, ground_)),
      state_(simulation_.state()) {
  simulation_.input().wrenches.reserve(1);
  for (Pack* pack : {&sticking_, &sliding_}) {
    pack->step = PackStep::make(simulation_.model(), *world.terrain, simulation_.settings());
    for (Member& member : pack->members) member.motors = state_.motors;
  }
}

void WorldStepper::reserve(Worlds& worlds, const BatchCommon& common) {
  constexpr int kAnyWorld = 0;
  if (worlds.ownMasses() && !masses_) {
    masses_ = std::make_unique<WorldMasses>(simulation_.model(), simulation_.settings());
    for (Pack* pack : {&sticking_, &sliding_})
      if (pack->step) pack->step->reserveMasses();
  }
  try {
    tryOut(worlds, kAnyWorld, common.initial, common);
  } catch (const Error&) {
    // Worlds that step from there are told.
  }
}

void WorldStepper::tryOut(Worlds& worlds, int world, const State& from, const BatchCommon& common) {
  const std::int64_t commanded = worlds.commanded[world];
  setParameters(worlds, world);
  setMasses(worlds, world);
  setInputs(worlds, world, common);
  worlds.commanded[world] = commanded;
  simulation_.setState(from);
  simulation_.step();
}

void WorldStepper::setInputs(Worlds& worlds, int world, const BatchCommon& common) {
  Input& input = simulation_.input();
  JointSprings* springs = simulation_.springs();
  if (!worlds.commands.empty()) {
    const double* command = delayedCommand(worlds, world);
    input.tau = Eigen::Map<const VectorXd>(command, worlds.tau.width());
    if (!worlds.target.empty())
      springs->target = Eigen::Map<const VectorXd>(command + worlds.tau.width(), worlds.target.width());
  } else {
    if (!worlds.tau.empty()) input.tau = worlds.tau.row(world);
    if (!worlds.target.empty()) springs->target = worlds.target.row(world);
  }
  if (!worlds.generalized.empty()) input.generalized = worlds.generalized.row(world);
  input.wrenches.clear();
  if (!worlds.push.empty() && !worlds.push.row(world).isZero(0.0))
    input.wrenches.push_back({common.push_link, Vector3d::Zero(), worlds.push.row(world)});
}

void WorldStepper::setMasses(Worlds& worlds, int world) {
  if (!masses_) return;
  const OwnMasses own = masses_->of(worlds, world);
  simulation_.setMasses(own.links, own.traits);
}

void WorldStepper::setParameters(Worlds& worlds, int world) {
  if (!worlds.stiffness.empty()) simulation_.springs()->stiffness = worlds.stiffness.row(world);
  if (!worlds.damping.empty()) simulation_.springs()->damping = worlds.damping.row(world);
  if (!worlds.motor_strength.empty()) {
    const auto strength = worlds.motor_strength.row(world);
    for (int i = 0; i < strength.size(); ++i)
      if (!(strength[i] >= 0.0 && std::isfinite(strength[i])))
        throw Error("motor_strength",
                    fmt::format("that of the joint '{}' is {}, expected a finite number, zero or more",
                                simulation_.model().dofs[i].name, strength[i]));
    simulation_.motorStrength() = strength;
  }
  if (!worlds.commands.empty()) checkDelay(worlds, world);
  if (worlds.friction.empty()) return;
  const double friction = worlds.friction(world, 0);
  if (!(friction >= 0.0 && std::isfinite(friction)))
    throw Error("friction", fmt::format("it is {}, expected a finite number, zero or more", friction));
  ground_->setFrictionScale(friction);
}

void WorldStepper::report(Worlds& worlds, int world) {
  const StepResult& result = simulation_.result();
  if (!worlds.sole_wrench.empty())
    for (std::size_t k = 0; k < result.soles.size(); ++k)
      worlds.sole_wrench.row(world).segment<6>(6 * static_cast<Eigen::Index>(k)) = result.soles[k].wrench_F;
  if (!worlds.joint_torque.empty()) worlds.joint_torque.row(world) = result.joint_torque;
}

SolveStatus WorldStepper::stepOnce(Worlds& worlds, int world, const BatchCommon& common) {
  setParameters(worlds, world);
  setMasses(worlds, world);
  setInputs(worlds, world, common);
  worlds.load(world, state_);
  simulation_.swapState(state_);
  const SolveStatus status = simulation_.step().status;
  if (status == SolveStatus::failed) return status;
  worlds.store(world, simulation_.state());
  report(worlds, world);
  return status;
}

SolveStatus WorldStepper::tryStep(Worlds& worlds, int world, const BatchCommon& common) noexcept {
  try {
    return stepOnce(worlds, world, common);
  } catch (...) {
    return SolveStatus::failed;  // a state, an input or a parameter that is refused: describeFailure() says which
  }
}

void WorldStepper::stepAlone(Worlds& worlds, int world, const BatchCommon& common) noexcept {
  const SolveStatus status = tryStep(worlds, world, common);
  worlds.status[world] = std::max(worlds.status[world], status);
  if (status != SolveStatus::failed || !common.auto_reset) return;
  worlds.reset(world, common.initial);
  ++worlds.auto_resets[world];
}

/// Null: this step of the world is not for a pack; all is as before.
WorldStepper::Pack* WorldStepper::addToPack(Worlds& worlds, int world, const BatchCommon& common) noexcept {
  if (!sticking_.step) return nullptr;
  const bool slides = sticking_.step->mightSlide(worlds.warm[world], frictionOf(worlds, world));
  return addTo(slides ? sliding_ : sticking_, worlds, world, common);
}

WorldStepper::Pack* WorldStepper::addTo(Pack& pack, Worlds& worlds, int world, const BatchCommon& common) noexcept {
  const double friction = frictionOf(worlds, world);
  Member& member = pack.members[pack.step->size()];
  member.world = world;
  member.commanded = worlds.commanded[world];
  try {
    setParameters(worlds, world);
    setInputs(worlds, world, common);
    worlds.load(world, state_);
    simulation_.swapState(state_);
    const StepStart start = simulation_.nextStep();
    std::optional<OwnMasses> own;
    if (masses_) own.emplace(masses_->of(worlds, world));
    if (pack.step->add(start, friction, own ? &*own : nullptr)) {
      member.motors = start.state.motors;
      return &pack;
    }
  } catch (...) {  // the step of the world alone is refused for the same reason, and says so
  }
  worlds.commanded[world] = member.commanded;
  return nullptr;
}

void WorldStepper::step(Pack& pack, Worlds& worlds, const BatchCommon& common) noexcept {
  if (!pack.step || pack.step->size() == 0) return;
  pack.step->step();
  for (int robot = 0; robot < pack.step->size(); ++robot) {
    const Member& member = pack.members[robot];
    waits_[member.world - first_] = false;
    --left_[member.world - first_];
    if (pack.step->made(robot)) {
      store(pack, robot, worlds);
    } else {
      worlds.commanded[member.world] = member.commanded;
      stepAlone(worlds, member.world, common);
    }
  }
  pack.step->clear();
}

void WorldStepper::store(const Pack& pack, int robot, Worlds& worlds) {
  const int world = pack.members[robot].world;
  pack.step->storeNext(robot, worlds.q.row(world), worlds.nu.row(world), worlds.warm[world]);
  worlds.motors.row(world) = pack.members[robot].motors;
  worlds.time(world, 0) = worlds.count[world].next(worlds.time(world, 0), simulation_.settings().step);
  if (!worlds.sole_wrench.empty()) pack.step->storeSoleWrenches(robot, worlds.sole_wrench.row(world));
  if (!worlds.joint_torque.empty()) pack.step->storeJointTorque(robot, worlds.joint_torque.row(world));
}

void WorldStepper::step(Worlds& worlds, int begin, int end, int steps, const BatchCommon& common) noexcept {
  first_ = begin;
  for (int world = begin; world < end; ++world) {
    worlds.status[world] = SolveStatus::converged;
    left_[world - begin] = steps;
    waits_[world - begin] = false;
  }
  // Worlds do not wait for each other: packs that are not full are rare before the last steps.
  for (bool any = true; any;) {
    any = false;
    for (int world = begin; world < end; ++world) {
      if (left_[world - begin] == 0 || waits_[world - begin]) continue;
      advance(worlds, world, common);
      any = true;
    }
    if (any) continue;
    any = std::any_of(left_.begin(), left_.begin() + (end - begin), [](int left) { return left > 0; });
    if (any) stepWhatWaits(worlds, common);
  }
}

/// Makes a step of a world, or lets it wait in a pack for others.
void WorldStepper::advance(Worlds& worlds, int world, const BatchCommon& common) noexcept {
  Pack* pack = addToPack(worlds, world, common);
  if (pack == nullptr) {
    stepAlone(worlds, world, common);
    --left_[world - first_];
    return;
  }
  waits_[world - first_] = true;
  if (pack->step->size() == PackStep::kRobots) step(*pack, worlds, common);
}

/// All worlds are in packs that are not full: the fuller one steps, with those of the other one where there is room.
void WorldStepper::stepWhatWaits(Worlds& worlds, const BatchCommon& common) noexcept {
  Pack* fuller = &sticking_;
  Pack* other = &sliding_;
  if (fuller->step->size() < other->step->size()) std::swap(fuller, other);
  const int more = other->step->size();
  if (fuller->step->size() + more <= PackStep::kRobots) {
    for (int robot = 0; robot < more; ++robot) {
      const Member& member = other->members[robot];
      worlds.commanded[member.world] = member.commanded;
      addTo(*fuller, worlds, member.world, common);
    }
    other->step->clear();
  }
  step(*fuller, worlds, common);
}

std::string WorldStepper::describeFailure(Worlds& worlds, int world, const BatchCommon& common) {
  worlds.load(world, state_);
  try {
    tryOut(worlds, world, state_, common);
  } catch (const Error& error) {
    return error.what();
  }
  return simulation_.describeFailure();
}

}  // namespace footfall
