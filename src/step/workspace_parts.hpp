#pragma once

#include <memory>

#include "footfall/contact/impact.hpp"
#include "footfall/step/integrator.hpp"
#include "footfall/step/step.hpp"
#include "step/prescribed_motion.hpp"
#include "step/stiff_flight.hpp"

namespace footfall {

class SecondOrderStep;

struct Workspace::Parts {
  Parts(const Model& m, const Terrain& t, const Settings& s) : Parts(m, t, s, {}, false, nullptr) {}
  /// The same with other ties. The result of the last step goes on living.
  Parts(const Parts& before, const std::vector<Loop>& with_ties)
      : Parts(before.bare_model, before.terrain, before.settings, with_ties, false, &before) {}
  /// The same of a robot whose masses may change.
  static std::unique_ptr<Parts> withOwnModel(const Parts& before);
  ~Parts();

  /// The scheme and the impacts that belong to the integrator and the contact model at hand.
  void chooseScheme();
  /// For as many contacts as the system has: more than before where links touch each other.
  void makeRoom();
  bool keepsByTrees() const;
  /// Springs of this step that its integrator could only take explicitly are too stiff for that.
  bool isStiff() const { return stiff_flight && stiff_flight->tooStiff(implicit); }

  const Model& bare_model;     ///< without ties
  std::vector<Loop> ties;      ///< of the states that are stepped
  bool own_masses;             ///< links weigh something else than the bare model says
  std::unique_ptr<Model> own;  ///< the model with the ties as loops, or with its own masses; null: neither
  const Model& model;          ///< one of the two
  SharedSolids solids;         ///< of either; null where shapes meet neither each other nor blocks
  const Terrain& terrain;
  Settings settings;
  std::unique_ptr<Dynamics> dynamics;
  std::shared_ptr<ContactSolver> solver;  ///< stays when ties change: its megabytes are not asked of the system anew
  std::unique_ptr<ContactModel> contact_model;
  std::unique_ptr<Integrator> integrator;
  std::unique_ptr<SecondOrderStep> second_order;  ///< makes the stages of a step; null: those of the other integrators
  std::unique_ptr<StiffFlight> stiff_flight;      ///< of integrators that take springs explicitly; null: of others
  ImpactModel impact_model;
  ConstraintSystem system;
  PrescribedMotion prescribed;

  int room = -1;                              ///< contacts and joint rows that there is room for
  ContactSolution forces;                     ///< of the last step, impulses in [N s]
  ContactSolution impacts;                    ///< of the last step
  AlignedVector velocity;                     ///< of the contacts at the end of the step [m/s]
  VectorXd nu;                                ///< after impacts (nv)
  VectorXd nu_free;                           ///< at the end of the step if nothing touched (nv)
  VectorXd nu_end;                            ///< (nv)
  bool end_known = false;                     ///< nu_end is that of nu_free and forces
  VectorXd tau;                               ///< generalized forces (nv)
  VectorXd torque;                            ///< of the joints (n)
  VectorXd implicit;                          ///< inertia that springs and dampers add (n)
  VectorXd bare_inertia;                      ///< the same without springs and dampers: scratch for the free motion (n)
  VectorXd reaction;                          ///< of contacts, limits and loops at the prescribed joints (nv)
  VectorXd change;                            ///< of velocities, scratch for the drives (nv)
  VectorXd middle;                            ///< configuration in the middle of the step (nq)
  VectorXd end;                               ///< configuration, scratch (nq)
  VectorXd external;                          ///< forces of springs between points and of the field (nv)
  ForceField force_field;                     ///< may be empty
  std::shared_ptr<StepResult> result_memory;  ///< stays where it is when ties change
  StepResult& result;
  StepProfile* profile = nullptr;  ///< may be null

 private:
  Parts(const Model& m, const Terrain& t, const Settings& s, const std::vector<Loop>& with_ties, bool with_own_masses,
        const Parts* before);
};

}  // namespace footfall
