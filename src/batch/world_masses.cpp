#include "batch/world_masses.hpp"

#include <fmt/format.h>

#include <cmath>

#include "footfall/base/error.hpp"

namespace footfall {
namespace {

void requireFactor(const Model& model, int link, double factor) {
  if (factor > 0.0 && std::isfinite(factor)) return;
  throw Error(
      "mass",
      fmt::format("link '{}' has {} of its mass, expected a finite number above zero", model.links[link].name, factor),
      "1 is the mass of the model");
}

void requireBase(const Model& model, double payload, const Vector3d& shift, double mass) {
  if (!(std::isfinite(payload) && (mass > 0.0 || payload == 0.0)))
    throw Error("payload", fmt::format("with {} kg the base '{}' weighs {} kg, expected a finite number above zero",
                                       payload, model.links[0].name, mass));
  if (!shift.allFinite())
    throw Error("com_shift",
                fmt::format("it is ({}, {}, {}) m, expected finite numbers", shift.x(), shift.y(), shift.z()));
}

}  // namespace

WorldMasses::WorldMasses(const Model& model, const Settings& settings)
    : model_(model),
      finder_(model, settings.engine, settings.step),
      masses_(static_cast<Eigen::Index>(model.links.size()) + 4),
      links_(model.links.size()) {}

void WorldMasses::read(const Worlds& worlds, int world) {
  const int links = static_cast<int>(model_.links.size());
  if (worlds.mass.empty())
    masses_.head(links).setOnes();
  else
    masses_.head(links) = worlds.mass.row(world);
  masses_[links] = worlds.payload.empty() ? 0.0 : worlds.payload(world, 0);
  if (worlds.com_shift.empty())
    masses_.tail<3>().setZero();
  else
    masses_.tail<3>() = worlds.com_shift.row(world);
  for (int k = 0; k < links; ++k) {
    requireFactor(model_, k, masses_[k]);
    const SpatialInertia& inertia = model_.links[k].inertia;
    links_[k] = {masses_[k] * inertia.mass, masses_[k], inertia.com};
  }
  links_[0].mass += masses_[links];
  links_[0].com += masses_.tail<3>();
  requireBase(model_, masses_[links], masses_.tail<3>(), links_[0].mass);
}

OwnMasses WorldMasses::of(Worlds& worlds, int world) {
  read(worlds, world);
  Worlds::Weighed& weighed = worlds.weighed[world];
  if (weighed.masses != masses_) {
    finder_.find(links_, weighed.traits);
    weighed.masses = masses_;
  }
  return {links_, weighed.traits};
}

}  // namespace footfall
