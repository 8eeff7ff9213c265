#include "footfall/step/internal/mass_traits.hpp"

#include <algorithm>
#include <cmath>

#include "footfall/base/error.hpp"
#include "footfall/spatial/internal/least_squares.hpp"
#include "step/joint_mobility.hpp"
#include "step/taut_links.hpp"

namespace footfall {
namespace {

FrameIndex frameOf(const Model& model, LinkIndex link) {
  for (std::size_t f = 0; f < model.frames.size(); ++f)
    if (model.frames[f].link == link) return FrameIndex(static_cast<int>(f));
  return {};
}

/// Farthest mass or contact point of a link from its origin [m]: the radius of gyration counts as mass.
double extentOf(const Model& model, LinkIndex link) {
  const SpatialInertia& inertia = model.links[link].inertia;
  double extent = 0.0;
  if (inertia.mass > 0.0) extent = inertia.com.norm() + std::sqrt(inertia.I_com.trace() / inertia.mass);
  for (const ContactCandidate& candidate : model.candidates)
    if (candidate.link == link)
      extent = std::max(extent, candidate.p_LC.norm() + candidate.radius + candidate.face_C.norm());
  return extent;
}

double reachOf(const Model& model, const Tree& tree, std::vector<double>& distance) {
  double reach = extentOf(model, tree.base);
  distance[tree.base] = 0.0;
  for (int j = tree.base; j + 1 < tree.links_end; ++j) {
    distance[j + 1] = distance[model.joints[j].parent] + model.joints[j].X_PJ.p.norm();
    reach = std::max(reach, distance[j + 1] + extentOf(model, LinkIndex(j + 1)));
  }
  return reach;
}

}  // namespace

MassTraitsFinder::~MassTraitsFinder() = default;

std::size_t MassTraits::bytes() const {
  return sizeof(double) * (reach.size() + turning.size() + mobility.size() + carriers.size());
}

std::vector<int> holderOfLinks(const Model& model) {
  std::vector<int> holders(model.links.size(), -1);
  int count = 0;
  for (const ContactCandidate& candidate : model.candidates)
    if (holders[candidate.link] < 0 && frameOf(model, candidate.link).valid()) holders[candidate.link] = count++;
  return holders;
}

MassTraitsFinder::MassTraitsFinder(const Model& model, double dt)
    : model_(model),
      dt_(dt),
      trees_(treesOf(model)),
      light_links_(model),
      zero_posture_(std::make_unique<ZeroPosture>(model)),
      column_(model.nv()),
      distance_(model.links.size(), 0.0),
      J_(6, model.nv()),
      Y_(model.nv(), 6),
      joints_(model.jointDofs(), 6),
      held_joints_(model.jointDofs(), 6) {
  const std::vector<int> holders = holderOfLinks(model);
  for (std::size_t link = 0; link < holders.size(); ++link)
    if (holders[link] >= 0) held_.push_back({frameOf(model, LinkIndex(static_cast<int>(link))), holders[link]});
}

void MassTraitsFinder::find(Dynamics& dynamics, MassTraits& traits) {
  traits.root_mass = std::sqrt(model_.totalMass());
  findReach(traits);
  findMobilities(dynamics, traits);
  findCarriers(dynamics, traits);
}

void MassTraitsFinder::findReach(MassTraits& traits) {
  traits.reach.resize(static_cast<Eigen::Index>(trees_.size()));
  traits.turning.setZero(model_.jointDofs());
  for (std::size_t k = 0; k < trees_.size(); ++k) {
    const Tree& tree = trees_[k];
    const double reach = traits.reach[static_cast<Eigen::Index>(k)] = reachOf(model_, tree, distance_);
    for (int j = tree.base; j + 1 < tree.links_end; ++j) {
      const Joint& joint = model_.joints[j];
      traits.turning[joint.dof] += std::abs(joint.multiplier) * (traitsOf(joint.kind).turns ? 1.0 : 1.0 / reach);
    }
  }
}

/// (M⁻¹)_ii, and the same less what a held link takes.
void MassTraitsFinder::findMobilities(Dynamics& dynamics, MassTraits& traits) {
  traits.mobility.resize(model_.jointDofs(), 1 + static_cast<Eigen::Index>(held_.size()));
  zero_posture_->go(dynamics, traits.mobility.col(0));
  for (const Held& held : held_) holdLink(held.frame, held.holder, dynamics, traits);
}

void MassTraitsFinder::holdLink(FrameIndex frame, int holder, const Dynamics& dynamics, MassTraits& traits) {
  dynamics.frameJacobian(frame, J_);
  for (int c = 0; c < 6; ++c) {  // M⁻¹ Jᵀ
    column_ = J_.row(c);
    dynamics.solveMass(column_);
    Y_.col(c) = column_;
  }
  const Matrix6d S = pseudoInverse(J_ * Y_);
  joints_ = Y_.middleRows(model_.baseDofs(), model_.jointDofs());
  held_joints_.noalias() = joints_ * S;
  traits.mobility.col(1 + holder) =
      (traits.mobility.col(0) - held_joints_.cwiseProduct(joints_).rowwise().sum()).cwiseMax(0.0);
}

void MassTraitsFinder::findCarriers(Dynamics& dynamics, MassTraits& traits) {
  traits.carriers.setZero(static_cast<Eigen::Index>(model_.links.size()));
  traits.taut = false;
  for (const LightLink& light : light_links_.find(dt_, dynamics)) {
    if (!TautLinks::mightBeStiff(light)) continue;
    traits.carriers[light.link] = light.mobility;
    traits.taut = true;
  }
}

MassTraits massTraitsOf(const Model& model, Dynamics& dynamics, double dt) {
  MassTraits traits;
  MassTraitsFinder(model, dt).find(dynamics, traits);
  return traits;
}

// --- robots that weigh something else ---------------------------------------------------------------

OwnMassTraits::OwnMassTraits(const Model& model, const std::string& engine, double dt)
    : bare_(model), own_(model), dynamics_(makeDynamics(engine, own_)), finder_(own_, dt) {
  if (!dynamics_->setLinkMasses(linkMassesOf(model)))
    throw Error("physics.engine", "the engine '" + engine + "' cannot change the masses of links",
                "the engine 'native' can");
}

void OwnMassTraits::find(std::span<const LinkMass> masses, MassTraits& traits) {
  setLinkMasses(masses, bare_, own_);
  dynamics_->setLinkMasses(masses);
  finder_.find(*dynamics_, traits);
}

void setLinkMasses(std::span<const LinkMass> masses, const Model& from, Model& to) {
  for (std::size_t k = 0; k < masses.size(); ++k) to.links[k].inertia = masses[k].inertiaOf(from.links[k]);
}

}  // namespace footfall
