// A soft ground without friction: a spring and a damper at each point.
#include <algorithm>
#include <footfall/plugin.hpp>

class Ice : public footfall::ContactModel {
 public:
  explicit Ice(const footfall::ContactSettings& settings) : stiffness_(settings.compliance.stiffness) {}

  std::string_view name() const override { return "ice"; }
  bool hasImpacts() const override { return false; }
  void reserve(int) override {}

  void solve(const footfall::ContactStepInputs& inputs, footfall::ContactSolver&,
             footfall::ContactSolution& solution) override {
    const footfall::ContactProblem& problem =
        inputs.system.assemble(inputs.dynamics, inputs.nu, {.dt = inputs.dt, .limit_gaps = false});
    const double damping = 0.1 * stiffness_ * inputs.dt;  // small against what a step can take
    const auto contacts = inputs.system.contacts();
    std::fill(solution.impulse.begin(), solution.impulse.end(), 0.0);
    for (int i = 0; i < static_cast<int>(contacts.size()); ++i) {
      const int normal = problem.layout.row(i, 2);
      const double force = -stiffness_ * contacts[i].surface.gap - damping * problem.b[normal];
      if (contacts[i].surface.gap < 0.0) solution.impulse[normal] = inputs.dt * std::max(force, 0.0);
    }
    solution.status = footfall::SolveStatus::converged;
    solution.iterations = 1;
    solution.residual = 0.0;
    solution.worst_contact = -1;
  }

 private:
  double stiffness_;  ///< physics.stiffness of the scene [N/m]
};

FOOTFALL_CONTACT_MODEL(Ice)
