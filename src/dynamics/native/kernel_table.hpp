#pragma once

#include <cstddef>

#include "dynamics/native/types.hpp"

namespace footfall::native {

/// The kernels for one robot (T = double) or eight (T = Pack), compiled for one instruction set. Generalized vectors
/// are in the Model's order, contact vectors in ContactLayout order.
template <class T>
struct Kernels {
  /// Kinematics, M, its factors and h.
  void (*update)(const Tree&, Workspace<T>&, const T* q, const T* nu);
  /// Poses, velocities and inertias of the links alone.
  void (*updateKinematics)(const Tree&, Workspace<T>&, const T* q, const T* nu);
  /// Velocities and h at the poses of the last update.
  void (*updateVelocity)(const Tree&, Workspace<T>&, const T* nu);
  void (*addUp)(const Tree&, const Workspace<T>&, Totals<T>&);
  void (*biasForces)(const Tree&, const Workspace<T>&, T* h);
  void (*gravityForces)(const Tree&, Workspace<T>&, T* g);
  void (*solveMass)(const Tree&, Workspace<T>&, T* x);
  void (*multiplyMass)(const Tree&, Workspace<T>&, const T* x, T* y);

  void (*placeContacts)(const Workspace<T>&, ContactSet<T>&);
  void (*contactVelocity)(const Tree&, const Workspace<T>&, const ContactSet<T>&, const T* nu, T* v);
  void (*contactBias)(const Tree&, const Workspace<T>&, const ContactSet<T>&, T* a);
  void (*addContactImpulse)(const Tree&, const Workspace<T>&, const ContactSet<T>&, const T* p, T* tau);
  void (*delassus)(const Tree&, const Workspace<T>&, ContactSet<T>&, T* G);
  /// Column-major; must be zero before.
  void (*contactJacobian)(const Tree&, const Workspace<T>&, const ContactSet<T>&, T* J, std::ptrdiff_t leading);
};

/// Loops of one robot.
struct LoopKernels {
  /// Gaps and Jacobian of the rows, M⁻¹ Jᵀ, and J M⁻¹ Jᵀ with its factors, at the last update.
  void (*prepare)(const Tree&, const Workspace<double>&, LoopSet&);
  /// x ← x + M⁻¹ Jᵀ λ with J x = −offset.
  void (*close)(const LoopSet&, const double* offset, double* x, double* lambda);
  void (*bias)(const Tree&, const Workspace<double>&, const LoopSet&, double* a);
  void (*gapsAt)(const Tree&, const Workspace<double>&, LoopSet&, const double* q, double* gap);
};

struct KernelSet {
  Kernels<double> one;
  Kernels<Pack> eight;
  LoopKernels loops;
};

/// Those for instructionSet().
const KernelSet& kernels();

}  // namespace footfall::native
