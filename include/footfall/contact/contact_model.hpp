#pragma once

#include <memory>
#include <span>
#include <string>
#include <string_view>

#include "footfall/contact/constraint_system.hpp"
#include "footfall/solver/contact_solver.hpp"

namespace footfall {

/// Parameters of the `compliant` model.
struct ComplianceSettings {
  double stiffness = 1e5;           ///< of each point [N/m]
  double dissipation = 1.0;         ///< Hunt–Crossley's: force grows by this share for each m/s of approach [s/m]
  double stiction_velocity = 1e-3;  ///< friction reaches its full value at this sliding speed [m/s]
};

struct ContactSettings {
  std::string model = "rigid";
  FrictionLaw law = FrictionLaw::cone;
  SolverSettings solver;
  ComplianceSettings compliance;
};

/// What a contact model gets, to find the impulses that act during a step of length dt.
struct ContactStepInputs {
  const Dynamics& dynamics;  ///< updated at the start of the step, contacts set
  ConstraintSystem& system;  ///< found, its Delassus matrix computed: assemble() makes problems
  const VectorXd& nu;        ///< velocity at the start, after impacts (nv)
  const VectorXd& nu_free;   ///< velocity at the end if nothing touched (nv)
  double dt;                 ///< [s]
  /// Of schemes whose forces belong to the middle of a step, which the engine stands at: what is added to J ν_free,
  /// gaps included, so that the law holds where the scheme wants it; null: the engine stands at the start (rows) [m/s].
  const AlignedVector* shift = nullptr;
  const VectorXd* loop_velocity = nullptr;  ///< the same for the loops (their rows) [m/s]
  /// Something else will do where so many iterations of the solver do not suffice; 0: as many as its settings grant.
  int max_iterations = 0;
};

/// The port to contact models. They write solution.impulse [N s], in the order of the system's problem, which holds the
/// warm start before.
class ContactModel {
 public:
  virtual ~ContactModel() = default;
  virtual std::string_view name() const = 0;

  /// Velocities jump when a contact closes. A soft contact takes its time instead.
  virtual bool hasImpacts() const { return true; }

  /// Takes ContactStepInputs::shift into account: `second_order` is of second order with such models only.
  virtual bool takesShift() const { return false; }

  /// Asks nothing of the problem's G, and so takes problems by trees (ContactProblem::byTrees()).
  virtual bool takesTrees() const { return false; }

  /// Room for this many contacts.
  virtual void reserve(int max_contacts) = 0;

  virtual void solve(const ContactStepInputs& inputs, ContactSolver& solver, ContactSolution& solution) = 0;
};

/// `rigid`, `gauss` or `compliant`; throws Error that names the choices.
std::unique_ptr<ContactModel> makeContactModel(const ContactSettings& settings);

}  // namespace footfall
