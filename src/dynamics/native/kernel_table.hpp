#pragma once

#include <cstddef>

#include "dynamics/native/types.hpp"

namespace footfall::native {

/// The kernels for one robot (T = double) or eight (T = RobotPack), compiled for one instruction set. Generalized
/// vectors are in the Model's order, contact vectors in ContactLayout order.
template <class T>
struct Kernels {
  /// Kinematics, M, its factors and h.
  void (*update)(const Tree&, Scratch<T>&, const T* q, const T* nu);
  /// The same without the factors.
  void (*updateTerms)(const Tree&, Scratch<T>&, const T* q, const T* nu);
  /// Poses and velocities of the links alone.
  void (*updateKinematics)(const Tree&, Scratch<T>&, const T* q, const T* nu);
  /// Their inertias, which addUp() needs after that.
  void (*addInertias)(const Tree&, Scratch<T>&);
  /// Velocities and h at the poses of the last update.
  void (*updateVelocity)(const Tree&, Scratch<T>&, const T* nu);
  /// The factors alone, of the M that is there.
  void (*factorize)(const Tree&, Scratch<T>&);
  void (*addUp)(const Tree&, const Scratch<T>&, Totals<T>&);
  void (*biasForces)(const Tree&, const Scratch<T>&, T* h);
  void (*gravityForces)(const Tree&, Scratch<T>&, T* g);
  void (*solveMass)(const Tree&, Scratch<T>&, T* x);
  void (*multiplyMass)(const Tree&, Scratch<T>&, const T* x, T* y);

  void (*placeContacts)(const Scratch<T>&, ContactSet<T>&);
  /// Where contacts are in the world, and how fast they move with the ν of the last update.
  void (*contactPlaces)(const Scratch<T>&, const ContactSet<T>&, T* p_W, T* v);
  void (*contactVelocity)(const Tree&, const Scratch<T>&, const ContactSet<T>&, const T* nu, T* v);
  void (*contactBias)(const Tree&, const Scratch<T>&, const ContactSet<T>&, T* a);
  void (*addContactImpulse)(const Tree&, const Scratch<T>&, const ContactSet<T>&, const T* p, T* tau);
  void (*delassus)(const Tree&, const Scratch<T>&, ContactSet<T>&, T* G);
  /// Column-major; must be zero before.
  void (*contactJacobian)(const Tree&, const Scratch<T>&, const ContactSet<T>&, T* J, std::ptrdiff_t leading);
};

/// Loops of one robot.
struct LoopKernels {
  /// Gaps and Jacobian of the rows, M⁻¹ Jᵀ, and J M⁻¹ Jᵀ with its factors, at the last update.
  void (*prepare)(const Tree&, const Scratch<double>&, LoopSet&);
  /// x ← x + M⁻¹ Jᵀ λ with J x = −offset.
  void (*close)(const LoopSet&, const double* offset, double* x, double* lambda);
  void (*bias)(const Tree&, const Scratch<double>&, const LoopSet&, double* a);
  void (*gapsAt)(const Tree&, const Scratch<double>&, LoopSet&, const double* q, double* gap);
};

/// updateKinematics() of one robot in pieces, where few links are asked for.
struct LinkKernels {
  /// What links are placed by, and the base.
  void (*read)(const Tree&, Scratch<double>&, const double* q, const double* nu);
  /// Links by their numbers, parents first; those that are not listed of their ways have been placed.
  void (*place)(const Tree&, Scratch<double>&, const int* links, int count);
};

struct KernelSet {
  Kernels<double> one;
  Kernels<RobotPack> eight;
  LoopKernels loops;
  LinkKernels links;
  /// Of one robot: the entries of G of joints that stand behind the contacts, after delassus(); others are not written.
  void (*delassusOfJoints)(const Tree&, const Scratch<double>&, const ContactSet<double>&, JointRows&, double* G);
};

/// Those for instructionSet().
const KernelSet& kernels();

}  // namespace footfall::native
