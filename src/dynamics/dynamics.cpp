#include "footfall/dynamics/dynamics.hpp"

#include "dynamics/body_dynamics.hpp"
#include "dynamics/forest_dynamics.hpp"
#include "dynamics/native/make_native.hpp"
#include "footfall/base/plugin.hpp"

namespace footfall {

Pose RobotDynamics::framePose(FrameIndex frame) const {
  const Frame& F = model().frames[frame];
  return linkPose(F.link) * F.X_LF;
}

namespace {

std::unique_ptr<Dynamics> makeEngine(const std::string& engine, const Model& model) {
  if (engine == "native") return native::makeNative(model);
  return makeFromPlugin<Dynamics>("engine", engine, "footfall_make_engine", model);
}

}  // namespace

std::unique_ptr<Dynamics> makeDynamics(const std::string& engine, const Model& model) {
  if (model.further_bodies == 0 && !model.collides()) return makeEngine(engine, model);
  return std::make_unique<ForestDynamics>(model, [&](const Model& tree) -> std::unique_ptr<Dynamics> {
    if (engine == "native" && BodyDynamics::describes(tree)) return std::make_unique<BodyDynamics>(tree, "native");
    return makeEngine(engine, tree);
  });
}

}  // namespace footfall
