#pragma once

#include <memory>

#include "footfall/contact/impact.hpp"
#include "footfall/simulate/integrator.hpp"
#include "footfall/simulate/step.hpp"
#include "simulate/prescribed_motion.hpp"

namespace footfall {

struct Workspace::Parts {
  Parts(const Model& m, const Terrain& t, const Settings& s);

  const Model& model;
  const Terrain& terrain;
  Settings settings;
  std::unique_ptr<Dynamics> dynamics;
  std::unique_ptr<ContactSolver> solver;
  std::unique_ptr<ContactModel> contact_model;
  std::unique_ptr<Integrator> integrator;
  ImpactModel impact_model;
  ConstraintSystem system;
  PrescribedMotion prescribed;

  ContactSolution forces;   ///< of the last step, impulses in [N s]
  ContactSolution impacts;  ///< of the last step
  AlignedVector velocity;   ///< of the contacts at the end of the step [m/s]
  VectorXd nu;              ///< after impacts (nv)
  VectorXd nu_free;         ///< at the end of the step if nothing touched (nv)
  VectorXd nu_end;          ///< (nv)
  VectorXd tau;             ///< generalized forces (nv)
  VectorXd torque;          ///< of the joints (n)
  VectorXd implicit;        ///< inertia that springs and dampers add (n)
  VectorXd bare_inertia;    ///< the same without springs and dampers: scratch for the free motion (n)
  VectorXd reaction;        ///< of contacts, limits and loops at the prescribed joints (nv)
  VectorXd change;          ///< of velocities, scratch for the drives (nv)
  VectorXd middle;          ///< configuration, scratch for the drives (nq)
  StepResult result;
  StepProfile* profile = nullptr;  ///< may be null
};

}  // namespace footfall
