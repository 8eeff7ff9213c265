#include "footfall/scene/push.hpp"

#include "scene/at_place.hpp"

namespace footfall {

std::vector<Push> resolvePushes(const Scene& scene, const Model& model) {
  std::vector<Push> pushes;
  for (const ScenePush& push : scene.pushes) {
    const FrameIndex index = atPlace(push.where, [&] { return model.frame(push.link); });
    const Frame& frame = model.frames[index];
    ExternalWrench wrench{frame.link, frame.X_LF.p, Vector6d::Zero(), index};
    wrench.wrench_W << push.force, push.moment;
    pushes.push_back({wrench, push.start, push.start + push.duration});
  }
  return pushes;
}

}  // namespace footfall
