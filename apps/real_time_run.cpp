#include "real_time_run.hpp"

#include <fmt/format.h>

#include <optional>

#include "footfall/base/error.hpp"
#include "footfall/real_time/controller_link.hpp"
#include "footfall/real_time/pacer.hpp"
#include "footfall/run/simulation.hpp"
#include "interrupt.hpp"
#include "terminal.hpp"

namespace footfall::command {
namespace {

using real_time::ControllerLink;
using real_time::LinkCommand;

/// A controller of another process, as a run sees it.
class OutsideController {
 public:
  OutsideController(Simulation& simulation, const RunOptions& options)
      : simulation_(simulation),
        lock_step_(options.lock_step),
        every_(options.exchange_every),
        link_(settingsFor(simulation, options)) {
    start_targets_ = simulation.springs() == nullptr ? VectorXd() : simulation.springs()->target;
  }

  ControllerLink& link() { return link_; }
  const ControllerLink& link() const { return link_; }

  /// Empty, or why the run ends.
  std::string beforeStep() {
    if (steps_++ % every_ != 0) return "";
    if (lock_step_ && !link_.connected()) {
      if (steps_ > 1) return gone();
      tell("waiting for a controller\n");
      if (!link_.waitForController(interrupted)) return "";
    }
    packState();
    switch (link_.exchange(state_, command_, interrupted)) {
      case ControllerLink::Outcome::command:
        apply();
        break;
      case ControllerLink::Outcome::gone:
        if (lock_step_) return gone();
        letGo();
        break;
      case ControllerLink::Outcome::silent:
        return fmt::format("t = {:g} s: the controller did not answer in time", simulation_.time());
      case ControllerLink::Outcome::none:
      case ControllerLink::Outcome::interrupted:
        break;
    }
    return "";
  }

 private:
  static real_time::LinkSettings settingsFor(Simulation& simulation, const RunOptions& options) {
    const Model& model = simulation.model();
    real_time::LinkSettings settings;
    settings.path = options.socket;
    settings.about.positions = static_cast<std::uint32_t>(model.nq());
    settings.about.velocities = static_cast<std::uint32_t>(model.nv());
    settings.about.joints = static_cast<std::uint32_t>(model.jointDofs());
    settings.about.soles = static_cast<std::uint32_t>(model.soles().size());
    settings.about.lock_step = options.lock_step ? 1 : 0;
    settings.about.holds = simulation.springs() != nullptr ? 1 : 0;
    settings.about.step = simulation.settings().step;
    settings.about.period = simulation.settings().step * options.exchange_every;
    for (const Dof& dof : model.dofs) settings.joints.push_back(dof.name);
    return settings;
  }

  std::string gone() const {
    return fmt::format("t = {:g} s: the controller has gone{}", simulation_.time(),
                       link_.refused() > 0 ? ": " + link_.refusal() : "");
  }

  /// time, q, ν, wrench on each sole; before the first step nothing has touched the soles.
  void packState() {
    const State& state = simulation_.state();
    state_.assign(1, state.time);
    state_.insert(state_.end(), state.q.begin(), state.q.end());
    state_.insert(state_.end(), state.nu.begin(), state.nu.end());
    const std::size_t soles = simulation_.model().soles().size();
    for (std::size_t k = 0; k < soles; ++k) {
      const bool known = k < simulation_.result().soles.size();
      const Vector6d wrench = known ? simulation_.result().soles[k].wrench_F : Vector6d(Vector6d::Zero());
      state_.insert(state_.end(), wrench.begin(), wrench.end());
    }
  }

  void apply() {
    simulation_.input().tau = Eigen::Map<const VectorXd>(command_.torque.data(), simulation_.input().tau.size());
    if (!command_.targets.empty())
      simulation_.springs()->target = Eigen::Map<const VectorXd>(command_.targets.data(), start_targets_.size());
  }

  /// Who has left commands nothing: the scene is what it was before.
  void letGo() {
    simulation_.input().tau.setZero();
    if (simulation_.springs() != nullptr) simulation_.springs()->target = start_targets_;
  }

  Simulation& simulation_;
  bool lock_step_;
  long long every_, steps_ = 0;
  ControllerLink link_;
  LinkCommand command_;
  VectorXd start_targets_;
  std::vector<double> state_;
};

class RealTimeGuest : public RunGuest {
 public:
  explicit RealTimeGuest(const RunOptions& options) : options_(options) {}

  void begin(Runner& runner) override {
    if (!options_.socket.empty()) {
      Simulation* simulation = runner.commanded();
      if (simulation == nullptr)
        throw Error(runner.source(),
                    "it has a diagram, and a controller of another process speaks to scenes without one",
                    "leave out `diagram`, or make the controller a block");
      controller_.emplace(*simulation, options_);
    }
    if (options_.real_time) pacer_.emplace(runner.stepSize());
  }

  std::string beforeStep() override {
    std::string problem = controller_ ? controller_->beforeStep() : "";
    // A lock-step run may have waited long for its controller: the clock starts when there is one.
    if (pacer_ && pacer_->steps() == 0) pacer_->start();
    return problem;
  }

  void afterStep() override {
    if (pacer_) pacer_->wait(interrupted);
  }

  void finish() override {
    if (controller_) controller_->link().finish();
  }

  std::string summary() const override {
    std::string text;
    if (pacer_) text += fmt::format("  {:<14} {}\n", "real time", pacer_->summary());
    if (controller_) text += fmt::format("  {:<14} {}\n", "controller", controller_->link().summary());
    return text;
  }

 private:
  const RunOptions& options_;
  std::optional<OutsideController> controller_;
  std::optional<real_time::Pacer> pacer_;
};

}  // namespace

std::unique_ptr<RunGuest> makeRealTimeGuest(const RunOptions& options) {
  if (options.socket.empty() && options.lock_step)
    throw Error("--lock-step", "there is no controller to wait for", "--socket FILE names where it speaks to the run");
  if (options.socket.empty() && options.exchange_every != 1)
    throw Error("--exchange-every", "there is no controller to exchange messages with", "--socket FILE names where");
  if (options.exchange_every < 1)
    throw Error("--exchange-every", fmt::format("it is {}, expected 1 or more steps", options.exchange_every));
  if (!options.real_time && options.socket.empty()) return nullptr;
  if (options.view) throw Error("--view", "the studio keeps to a clock of its own: leave out --real-time and --socket");
  return std::make_unique<RealTimeGuest>(options);
}

}  // namespace footfall::command
