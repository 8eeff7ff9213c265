#include "run_summary.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "footfall/model/tree.hpp"

namespace footfall::command {
namespace {

std::string line(const char* title, const std::string& text) { return fmt::format("  {:<14} {}\n", title, text); }

/// Angle between two attitudes of the base [deg].
double turnedBy(const State& a, const State& b) {
  const Eigen::AngleAxisd turn(Matrix3d(a.basePose().R.transpose() * b.basePose().R));
  return turn.angle() * 180.0 / EIGEN_PI;
}

/// Of the robot and the bodies that the ground may have to carry; what is fixed hangs on the world [kg].
double floatingMass(const Model& model) {
  double mass = 0.0;
  for (const Tree& tree : treesOf(model)) {
    if (!tree.floats) continue;
    for (int link = tree.base; link < tree.links_end; ++link) mass += model.links[link].inertia.mass;
  }
  return mass;
}

Energy energyOf(const RobotRun& robot) {
  const std::unique_ptr<Dynamics> dynamics = makeDynamics(robot.settings().engine, robot.model());
  dynamics->update(robot.state().q, robot.state().nu);
  return dynamics->energy();
}

}  // namespace

RunSummary::RunSummary(const RobotRun& robot) : start_(robot.state()), start_energy_(energyOf(robot)) {}

void RunSummary::count(const StepResult& result) {
  ++steps_;
  iterations_ += result.iterations;
  most_iterations_ = std::max(most_iterations_, result.iterations);
  worst_residual_ = std::max(worst_residual_, result.residual);
  inaccurate_ += result.status == SolveStatus::inaccurate;
  impacts_ += result.impact;
  ++steps_of_order_[result.order];
}

/// "2 in 99.1 % of the steps, 1 in 0.9 %": an integrator cannot follow everything at its own order.
std::string RunSummary::orderLine() const {
  std::string text;
  for (auto order = steps_of_order_.rbegin(); order != steps_of_order_.rend(); ++order)
    text += fmt::format("{}{} in {:.4g} %{}", text.empty() ? "" : ", ", order->first,
                        100.0 * static_cast<double>(order->second) / static_cast<double>(std::max(steps_, 1LL)),
                        text.empty() ? " of the steps" : "");
  return text.empty() ? "no step" : text;
}

std::string RunSummary::supportLine(const RobotRun& robot) const {
  const Model& model = robot.model();
  const double g = model.gravity.norm();
  if (g == 0.0) return "no gravity";
  const Vector3d up = -model.gravity / g;
  double carried = 0.0;
  int touching = 0;
  for (const ContactReport& contact : robot.result().contacts) {
    if (!contact.other.valid()) carried += contact.force_W.dot(up);
    touching += contact.mode != ContactMode::open;
  }
  std::string said =
      fmt::format("{} of {} touch at the end, they carry {:.3f} N", touching, model.candidates.size(), carried);
  const double weight = floatingMass(model) * g;
  if (weight == 0.0) return said;
  return said + fmt::format(" of the weight of {:.3f} N ({:.4f} %)", weight, 100.0 * carried / weight);
}

std::string RunSummary::baseLine(const State& end, const Model& model) const {
  if (!model.floating_base) return "fixed to the world";
  const Vector3d moved = end.q.head<3>() - start_.q.head<3>();
  return fmt::format("moved by ({:.4g}, {:.4g}, {:.4g}) m, turned by {:.3g} deg", moved.x(), moved.y(), moved.z(),
                     turnedBy(start_, end));
}

std::string RunSummary::text(const RobotRun& robot, double wall_seconds) const {
  const State& end = robot.state();
  const double simulated = end.time - start_.time;
  const Energy energy = energyOf(robot);
  const double steps = static_cast<double>(std::max(steps_, 1LL));
  return fmt::format("{} from t = {:g} s to {:g} s\n", robot.model().name, start_.time, end.time) +
         line("steps", fmt::format("{} in {:.3f} s: {:.1f} × real time, {:.2f} µs a step", steps_, wall_seconds,
                                   simulated / wall_seconds, 1e6 * wall_seconds / steps)) +
         line("solver",
              fmt::format("{:.2f} iterations on average, {} at most; worst residual {:.2g} m/s; {} inaccurate",
                          static_cast<double>(iterations_) / steps, most_iterations_, worst_residual_, inaccurate_)) +
         line("order", orderLine()) + line("impacts", fmt::format("{} steps with an impact", impacts_)) +
         line("contacts", supportLine(robot)) + line("base", baseLine(end, robot.model())) +
         line("energy", fmt::format("{:.6g} J → {:.6g} J (kinetic {:.3g} J)", start_energy_.total(), energy.total(),
                                    energy.kinetic));
}

}  // namespace footfall::command
