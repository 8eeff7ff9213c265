#pragma once

#include <memory>
#include <span>
#include <vector>

#include "footfall/dynamics/dynamics.hpp"
#include "footfall/model/tree.hpp"
#include "footfall/step/internal/light_links.hpp"

namespace footfall {

class ZeroPosture;

/// What steps know of the masses of a robot before they begin, worked out once: for a model, or for a robot that weighs
/// something else. It chooses weights and schemes, and is no part of the equations of motion.
struct MassTraits {
  double root_mass = 0.0;  ///< √ of the mass of all [√kg]
  VectorXd reach;          ///< of each tree from its base, however its joints stand [m]
  VectorXd turning;        ///< what a unit of each coordinate's rate adds to the turning of some link (n) [- or 1/m]
  /// Of the joints, in the posture of zeros (n × 1 + holders): of the robot in the air, and with one link held that
  /// may stand on the ground; see holderOfLinks() [1/(kg m²) or 1/kg].
  MatrixXd mobility;
  VectorXd carriers;  ///< mobility of links that carry much more than they weigh, 0 of others (links) [1/(kg m²)]
  bool taut = false;  ///< there are such links

  std::size_t bytes() const;
};

/// Which link of a model is held in which column of MassTraits::mobility, the first of them being 0; −1: nothing of
/// this link can touch.
std::vector<int> holderOfLinks(const Model& model);

/// Works them out, without allocation after the first time. The links weigh what the model says at that time.
class MassTraitsFinder {
 public:
  /// The model must outlive it. @param dt of a step [s]
  MassTraitsFinder(const Model& model, double dt);
  ~MassTraitsFinder();

  /// @param dynamics is moved
  void find(Dynamics& dynamics, MassTraits& traits);

 private:
  void findReach(MassTraits& traits);
  void findMobilities(Dynamics& dynamics, MassTraits& traits);
  void holdLink(FrameIndex frame, int holder, const Dynamics& dynamics, MassTraits& traits);
  void findCarriers(Dynamics& dynamics, MassTraits& traits);

  struct Held {
    FrameIndex frame;
    int holder;
  };

  const Model& model_;
  const double dt_;
  std::vector<Tree> trees_;
  std::vector<Held> held_;
  LightLinkFinder light_links_;
  std::unique_ptr<ZeroPosture> zero_posture_;
  VectorXd column_;               ///< (nv)
  std::vector<double> distance_;  ///< of each link from the base of its tree [m]
  MatrixXd J_, Y_, joints_, held_joints_;
};

/// Those of a model. @param dynamics is moved
MassTraits massTraitsOf(const Model& model, Dynamics& dynamics, double dt);

/// Those of robots that weigh something else than their model says, one after the other.
class OwnMassTraits {
 public:
  /// Throws Error where the engine knows no such robots.
  OwnMassTraits(const Model& model, const std::string& engine, double dt);

  void find(std::span<const LinkMass> masses, MassTraits& traits);

 private:
  const Model bare_;
  Model own_;
  std::unique_ptr<Dynamics> dynamics_;
  MassTraitsFinder finder_;
};

/// Writes masses into a copy of the model that they belong to.
void setLinkMasses(std::span<const LinkMass> masses, const Model& from, Model& to);

}  // namespace footfall
