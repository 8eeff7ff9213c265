#pragma once

#include "footfall/model/model.hpp"

namespace footfall {

/// Adds the model's inertia couplings to a dense mass matrix (nv × nv).
inline void addInertiaCouplings(const Model& model, MatrixXd& M) {
  for (const InertiaCoupling& coupling : model.couplings) {
    const int a = model.baseDofs() + coupling.a, b = model.baseDofs() + coupling.b;
    M(a, b) += coupling.inertia;
    M(b, a) += coupling.inertia;
  }
}

/// Their part of the kinetic energy at ν [J].
inline double couplingEnergy(const Model& model, const VectorXd& nu) {
  double energy = 0.0;
  for (const InertiaCoupling& coupling : model.couplings)
    energy += coupling.inertia * nu[model.baseDofs() + coupling.a] * nu[model.baseDofs() + coupling.b];
  return energy;
}

}  // namespace footfall
