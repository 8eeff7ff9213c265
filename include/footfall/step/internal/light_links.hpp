#pragma once

#include <span>
#include <vector>

#include "footfall/dynamics/dynamics.hpp"

namespace footfall {

/// A link that carries others, and how fast it would swing under their weights alone, in the posture of zeros: with
/// ω² = F l/I under the tension F at the end of its lever l (docs/theory.md §5, taut links). By a loop it may carry all
/// of the robot.
struct LightLink {
  LinkIndex link;
  double mobility = 0.0;   ///< how easily it turns across its levers [1/(kg m²)]
  double stiffness = 0.0;  ///< (Δt ω)²; steps that take forces at one place gain energy beyond 4 [-]
  bool by_loop = false;    ///< some of its load is all of the robot, by a loop
};

/// Finds them, without allocation. The links weigh what the model says at that time.
class LightLinkFinder {
 public:
  /// The model must outlive it.
  explicit LightLinkFinder(const Model& model);

  /// All links that carry something, until the next time. @param dynamics stands in the posture of zeros
  std::span<const LightLink> find(double dt, const Dynamics& dynamics);

 private:
  /// Where something pulls at a link.
  struct Pull {
    Vector3d p_L = Vector3d::Zero();  ///< [m]
    LinkIndex by = {};                ///< with all that it carries; not valid: a loop, with all of the robot
    bool by_loop = false;             ///< or by a link that is in one, or carries one that is
  };

  void weigh();
  double mobilityAcross(const Vector3d& lever_W, LinkIndex link, const Dynamics& dynamics);

  const Model& model_;
  std::vector<std::vector<Pull>> pulls_;  ///< at each link
  std::vector<char> looped_;              ///< of each link: a loop is tied to it
  std::vector<double> carried_;           ///< by each link, itself included [kg]
  double all_ = 0.0;                      ///< mass of all [kg]
  std::vector<LightLink> links_;
  VectorXd force_, motion_;
};

/// All links that carry something. @param dynamics is moved
std::vector<LightLink> lightLinks(const Model& model, double dt, Dynamics& dynamics);

}  // namespace footfall
