#pragma once

#include <vector>

#include "footfall/contact/loop_motion.hpp"
#include "footfall/step/internal/mass_traits.hpp"

namespace footfall {

/// Links that carry much more than they weigh, as those of a chain with a load at its end. Under the tension F at the
/// end of its lever l such a link swings with ω² = F l/I: for links of a gram that carry a ton that is 20,000 rad/s,
/// and a step whose forces are those of one place feeds energy into everything with Δt ω > 2. Forces that follow the
/// turning of links within the step are an inertia Δt² P that links have beside their own; what swings faster than the
/// step can follow comes to rest (docs/theory.md §5). Robots without such links are recognised once and for all, and
/// pay nothing.
class TautLinks {
 public:
  /// @param dynamics stands where the traits have left it
  TautLinks(const Model& model, Dynamics& dynamics, const MassTraits& traits);

  /// Whether a link carries enough to be looked at in every step.
  static bool mightBeStiff(const LightLink& light);
  /// The links are others: the model's masses have changed, and these are their traits.
  void use(const MassTraits& traits);

  /// Some link of the model carries enough to be looked at in every step.
  bool any() const { return !carriers_.empty(); }

  /// Adds what they need to M, at the engine's last update in the middle of a step of dt. False: nothing is needed.
  bool hold(double dt, Dynamics& dynamics);
  /// The same of a robot whose loops, which are prepared, pull at its links, too.
  /// @param torque of the joints
  bool hold(double dt, const VectorXd& torque, LoopMotion& loops, Dynamics& dynamics);

  /// nu_free −= what light links lose of their swinging in the step from nu on, after hold().
  void damp(const VectorXd& nu, const Dynamics& dynamics, VectorXd& nu_free);

 private:
  /// A link that joints hang on.
  struct Carrier {
    LinkIndex link;
    double mobility;  ///< how easily it turns across its levers, in the posture of zeros [1/(kg m²)]
  };

  void findForces(const Dynamics& dynamics);
  void findLoopForces(const VectorXd& torque, LoopMotion& loops, Dynamics& dynamics);
  void pullByLoops(const Dynamics& dynamics);
  bool add(double dt, Dynamics& dynamics);

  const Model& model_;
  std::vector<Carrier> carriers_;
  std::vector<Vector3d> force_;          ///< that each link and all it carries need for their motion [N]
  std::vector<Matrix3d> tension_;        ///< P of each link [N m], then times Δt² [kg m²]
  std::vector<Vector6d> loop_wrenches_;  ///< on link b of each loop, along axesOfWrench() [N, N m]
  VectorXd loss_, change_;
};

}  // namespace footfall
