#include "robot.hpp"

#include <algorithm>
#include <cmath>
#include <cstdint>

#include "contact_model.hpp"
#include "footfall/base/error.hpp"
#include "footfall/base/internal/steps_within.hpp"
#include "footfall/spatial/internal/same_bits.hpp"
#include "inside.hpp"
#include "views.hpp"

namespace footfall::python {
namespace {

/// Python's Ctrl-C ends a run after the step it is in.
void checkSignals() {
  const nb::gil_scoped_acquire gil;
  if (PyErr_CheckSignals() != 0) throw nb::python_error();
}

/// A controller in Python sets inputs, targets and the like before each step.
void callController(const nb::object& controller) {
  const nb::gil_scoped_acquire gil;
  controller();
}

/// The models of this library but for `compliant`; those of plug-ins may be anything.
bool isRigid(const std::string& contact_model) { return contact_model == "rigid" || contact_model == "gauss"; }

}  // namespace

Robot::Robot(const Scene& scene, nb::object contact_model, nb::object integrator)
    : rigid_(contact_model.is_none() && isRigid(scene.physics.contact)),
      runner_(scene),
      names_(jointNames(simulation().model())),
      state_(const_cast<State*>(&simulation().state()), names_, simulation().model()),
      input_{simulation().input(), simulation().model(), names_, &guard_},
      result_(simulation(), guard_),
      engine_(simulation()) {
  if (simulation().springs() != nullptr) springs_.emplace(NamedSprings{*simulation().springs(), names_});
  if (!contact_model.is_none())
    simulation().setContactModel(makePythonContactModel(std::move(contact_model), simulation().settings().contact));
  if (!integrator.is_none()) simulation().setIntegrator(makePythonIntegrator(std::move(integrator)));
}

LastResult& Robot::step() {
  const OneThread::Turn turn(guard_);
  const bool elsewhere = isElsewhere();
  {
    const nb::gil_scoped_release others_may_run;
    engine_.simulationMoves();
    runner_.step();
  }
  if (elsewhere) warnOfDepths(1);
  return result_;
}

bool Robot::isElsewhere() const {
  const VectorXd& q = simulation().state().q;
  const VectorXd& end = simulation().result().next.q;  // of no size: no step was made yet
  const VectorXd& known = end.size() > 0 ? end : simulation().world().robot().start.q;
  return !sameBits(known, q);
}

void Robot::warnOfDepths(int stack_level) const {
  if (!rigid_) return;  // forces come from depths
  const std::string told = whatStartsInside(simulation().result(), simulation().model());
  if (!told.empty() && PyErr_WarnEx(PyExc_UserWarning, told.c_str(), stack_level) != 0) throw nb::python_error();
}

/// False also where a step fails again.
bool Robot::stepSucceeds() {
  engine_.simulationMoves();
  try {
    return runner_.step();
  } catch (const Error&) {
    if (simulation().result().status != SolveStatus::failed) throw;
    return false;
  }
}

void Robot::runSteps(long long steps, const nb::object& controller) {
  constexpr int kStepsBetweenSignals = 256;
  const bool controlled = !controller.is_none();
  const nb::gil_scoped_release others_may_run;
  for (long long i = 0; i < steps; ++i) {
    if (controlled) callController(controller);
    const bool elsewhere = isElsewhere();
    if (!stepSucceeds()) throw RunFailed(runner_.failure());
    if (elsewhere) {
      const nb::gil_scoped_acquire gil;
      warnOfDepths(2);  // of him who calls the run() in Python
    }
    if (i % kStepsBetweenSignals == kStepsBetweenSignals - 1) checkSignals();
  }
}

long long Robot::stepsIn(double seconds) const {
  if (!std::isfinite(seconds) || seconds < 0.0)
    throw Error("run", "the time is " + std::to_string(seconds) + " s, expected zero or more");
  return stepsWithin(seconds, runner_.stepSize());
}

void Robot::run(double seconds, const std::optional<std::string>& log_path, const nb::object& controller) {
  const long long steps = stepsIn(seconds);
  const OneThread::Turn turn(guard_);
  if (log_path) runner_.startLog(makeLog(*log_path));
  try {
    runSteps(steps, controller);
  } catch (...) {
    runner_.finishLog();  // what there is up to the failure
    throw;
  }
  runner_.finishLog();
}

bool Robot::advance(long long steps) {
  const OneThread::Turn turn(guard_);
  for (long long i = 0; i < steps; ++i)
    if (!stepSucceeds()) return false;
  return true;
}

bool Robot::aim(const Eigen::Ref<const VectorXd>& action, const Eigen::Ref<const VectorXd>& posture, double scale,
                Eigen::Ref<VectorXd> clipped) {
  guard_.requireNoOther();
  JointSprings* springs = simulation().springs();
  if (springs == nullptr) throw Error("aim", "the scene holds no posture: there are no springs");
  if (posture.size() != springs->target.size() || clipped.size() != posture.size())
    throw Error("aim", "the posture has " + std::to_string(posture.size()) + " joints, expected " +
                           std::to_string(springs->target.size()));
  if (action.size() != posture.size() || !action.allFinite()) return false;
  clipped = action.cwiseMax(-1.0).cwiseMin(1.0);
  springs->target = posture + scale * clipped;
  return true;
}

double Robot::look(Eigen::Ref<VectorXd> seen) const {
  guard_.requireNoOther();
  const State& state = simulation().state();
  const auto joints = static_cast<Eigen::Index>(names_->size());
  if (state.nu.size() < 6 + joints || seen.size() != 10 + 2 * joints)
    throw Error("look", "there is room for " + std::to_string(seen.size()) + " numbers, expected " +
                            std::to_string(10 + 2 * joints) + " of a robot whose base floats");
  const Matrix3d R_BW = state.basePose().R.transpose();
  seen[0] = state.q[2];
  seen.segment<3>(1) = R_BW.col(2);
  seen.segment<3>(4).noalias() = R_BW * state.nu.segment<3>(0);
  seen.segment<3>(7).noalias() = R_BW * state.nu.segment<3>(3);
  seen.segment(10, joints) = state.q.segment(7, joints);
  seen.tail(joints) = state.nu.segment(6, joints);
  return simulation().result().joint_torque.squaredNorm();
}

nb::object Robot::render(int width, int height, const PictureView& view) {
  if (!picture_) picture_.emplace(simulation().scene(), simulation().model());
  const Picture& image = picture_->draw(simulation().state(), simulation().terrain(), view, width, height);
  using Bytes = nb::ndarray<nb::numpy, const std::uint8_t>;
  const auto rows = static_cast<std::size_t>(image.height), columns = static_cast<std::size_t>(image.width);
  return nb::cast(Bytes(image.pixels.data(), {rows, columns, 3}, nb::none())).attr("copy")();
}

}  // namespace footfall::python
