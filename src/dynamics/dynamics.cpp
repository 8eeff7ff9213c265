#include "footfall/dynamics/dynamics.hpp"

#include "dynamics/native/make_native.hpp"
#include "footfall/base/plugin.hpp"

namespace footfall {

Pose Dynamics::framePose(FrameIndex frame) const {
  const Frame& F = model().frames[frame];
  return linkPose(F.link) * F.X_LF;
}

std::unique_ptr<Dynamics> makeDynamics(const std::string& engine, const Model& model) {
  if (engine == "native") return native::makeNative(model);
  using Maker = Dynamics* (*)(const Model&);
  const auto make = reinterpret_cast<Maker>(pluginSymbol("engine", engine, "footfall_make_engine"));
  return std::unique_ptr<Dynamics>(make(model));
}

}  // namespace footfall
