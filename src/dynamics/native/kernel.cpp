// Compiled once for each instruction set; FOOTFALL_ISA names the namespace.
#include "dynamics/native/contact_terms.hpp"
#include "dynamics/native/delassus.hpp"
#include "dynamics/native/factorization.hpp"
#include "dynamics/native/joint_rows.hpp"
#include "dynamics/native/kernel_table.hpp"
#include "dynamics/native/link_sweeps.hpp"
#include "dynamics/native/loop_terms.hpp"

namespace footfall::native::FOOTFALL_ISA {
namespace {

template <class T>
void updateTerms(const Tree& tree, Scratch<T>& w, const T* q, const T* nu) {
  sweepOutward<Outward::all>(tree, q, nu, w);
  sweepInward(tree, w);
}

template <class T>
void update(const Tree& tree, Scratch<T>& w, const T* q, const T* nu) {
  updateTerms(tree, w, q, nu);
  factorize(tree, w);
}

template <class T>
void updateKinematics(const Tree& tree, Scratch<T>& w, const T* q, const T* nu) {
  sweepOutward<Outward::motions>(tree, q, nu, w);
}

void readMotionOfOne(const Tree& tree, Scratch<double>& w, const double* q, const double* nu) {
  readMotion<Outward::motions>(tree, q, nu, w);
}

template <class T>
void updateVelocity(const Tree& tree, Scratch<T>& w, const T* nu) {
  sweepVelocitiesOutward(tree, nu, w);
  sweepForcesInward(tree, w);
}

template <class T>
void addUp(const Tree& tree, const Scratch<T>& w, Totals<T>& totals) {
  totals = sumOverLinks(tree, w);
}

template <class T>
void biasForces(const Tree& tree, const Scratch<T>& w, T* h) {
  Six<T> base{};
  storeSix(w.h_base, base.v);
  writeGeneralized(tree, w.h, base, h);
}

template <class T>
void gravityForces(const Tree& tree, Scratch<T>& w, T* g) {
  Six<T> base{};
  storeSix(sweepGravityInward(tree, w), base.v);
  writeGeneralized(tree, w.x, base, g);
}

/// Calls f<true>() when the contact axes are those of the world: less work.
template <class T, class F>
FOOTFALL_INLINE void withAxes(const ContactSet<T>& set, F f) {
  if (set.world_axes) {
    f.template operator()<true>();
  } else {
    f.template operator()<false>();
  }
}

template <class T>
void placesOfContacts(const Scratch<T>& w, const ContactSet<T>& set, T* p_W, T* v) {
  withAxes(set, [&]<bool kWorldAxes>() { contactPlaces<kWorldAxes>(w, set, p_W, v); });
}

template <class T>
void velocityOfContacts(const Tree& tree, const Scratch<T>& w, const ContactSet<T>& set, const T* nu, T* v) {
  withAxes(set, [&]<bool kWorldAxes>() { contactVelocity<kWorldAxes>(tree, w, set, nu, v); });
}

template <class T>
void biasOfContacts(const Tree& tree, const Scratch<T>& w, const ContactSet<T>& set, T* a) {
  withAxes(set, [&]<bool kWorldAxes>() { contactBias<kWorldAxes>(tree, w, set, a); });
}

template <class T>
void addImpulse(const Tree& tree, const Scratch<T>& w, const ContactSet<T>& set, const T* p, T* tau) {
  withAxes(set, [&]<bool kWorldAxes>() { addContactImpulse<kWorldAxes>(tree, w, set, p, tau); });
}

template <class T>
void delassusOfContacts(const Tree& tree, const Scratch<T>& w, ContactSet<T>& set, T* G) {
  withAxes(set, [&]<bool kWorldAxes>() { delassus<kWorldAxes>(tree, w, set, G); });
}

template <class T>
void jacobianOfContacts(const Tree& tree, const Scratch<T>& w, const ContactSet<T>& set, T* J, std::ptrdiff_t leading) {
  withAxes(set, [&]<bool kWorldAxes>() { contactJacobian<kWorldAxes>(tree, w, set, J, leading); });
}

void delassusOfJointRows(const Tree& tree, const Scratch<double>& w, const ContactSet<double>& set, JointRows& joints,
                         double* G) {
  withAxes(set, [&]<bool kWorldAxes>() { delassusOfJoints<kWorldAxes>(tree, w, set, joints, G); });
}

// --- tables ----------------------------------------------------------------------------------------

/// How the code around the kernels calls a parameter of type A: there, eight numbers are a RobotPack.
template <class A>
struct Outside {
  using Type = A;
};
template <class A>
using OutsideType = typename Outside<A>::Type;
template <>
struct Outside<Lanes> {
  using Type = RobotPack;
};
template <template <class> class Data>
struct Outside<Data<Lanes>> {
  using Type = Data<RobotPack>;
};
template <class A>
struct Outside<const A> {
  using Type = const OutsideType<A>;
};
template <class A>
struct Outside<A&> {
  using Type = OutsideType<A>&;
};
template <class A>
struct Outside<A*> {
  using Type = OutsideType<A>*;
};

/// The same function for callers outside: Lanes and RobotPack are the same eight numbers in memory.
template <auto kFunction>
struct Entry;
template <class... A, void (*kFunction)(A...)>
struct Entry<kFunction> {
  static void call(OutsideType<A>... arguments) { kFunction(reinterpret_cast<A>(arguments)...); }
};

template <class T>
constexpr Kernels<OutsideType<T>> tableFor() {
  return {Entry<update<T>>::call,
          Entry<updateTerms<T>>::call,
          Entry<updateKinematics<T>>::call,
          Entry<addInertias<T>>::call,
          Entry<updateVelocity<T>>::call,
          Entry<factorize<T>>::call,
          Entry<addUp<T>>::call,
          Entry<biasForces<T>>::call,
          Entry<gravityForces<T>>::call,
          Entry<solveMass<T>>::call,
          Entry<multiplyMass<T>>::call,
          Entry<placeContacts<T>>::call,
          Entry<placesOfContacts<T>>::call,
          Entry<velocityOfContacts<T>>::call,
          Entry<biasOfContacts<T>>::call,
          Entry<addImpulse<T>>::call,
          Entry<delassusOfContacts<T>>::call,
          Entry<jacobianOfContacts<T>>::call};
}

}  // namespace

extern const KernelSet kKernels;
const KernelSet kKernels = {tableFor<double>(),
                            tableFor<Lanes>(),
                            {prepareLoops, closeLoops, loopBias, loopGapsAt},
                            {readMotionOfOne, placeLinks<double>},
                            delassusOfJointRows};

}  // namespace footfall::native::FOOTFALL_ISA
