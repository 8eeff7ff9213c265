#include "studio/server/live_run.hpp"

#include <algorithm>

#include "footfall/diagram/all_blocks.hpp"

namespace footfall::studio {

LiveRun::LiveRun(Scene scene) : runner_(diagramOfScene(std::move(scene), allBlocks())), times_(runner_.diagram()) {
  requireRobot(runner_.diagram());
  runner_.setProfile(&stages_, &times_);
}

bool LiveRun::holdsPosture() const {
  const auto& blocks = runner_.diagram().blocks();
  return scene().hold.enabled && std::any_of(blocks.begin(), blocks.end(), [](const Diagram::BlockInfo& block) {
           return block.kind == "PostureHold";
         });
}

bool LiveRun::step() {
  times_.clear();
  while (!robot().due())
    if (!runner_.step()) return false;
  return runner_.step();
}

}  // namespace footfall::studio
