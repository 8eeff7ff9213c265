#include "studio/server/live_run.hpp"

#include <algorithm>
#include <sstream>

#include "footfall/diagram/all_blocks.hpp"

namespace footfall::studio {

LiveRun::LiveRun(Scene scene)
    : source_(diagramOfScene(std::move(scene), allBlocks())),
      context_(source_.diagram.makeContext()),
      robot_(source_.diagram, context_),
      times_(source_.diagram) {
  robot_.setProfile(&stages_);
}

bool LiveRun::holdsPosture() const {
  const auto& blocks = source_.diagram.blocks();
  return scene().hold.enabled && std::any_of(blocks.begin(), blocks.end(), [](const Diagram::BlockInfo& block) {
           return block.kind == "PostureHold";
         });
}

bool LiveRun::step() {
  times_.clear();
  while (!robot_.due())
    if (!source_.diagram.step(context_, &times_)) return false;
  return source_.diagram.step(context_, &times_);
}

std::string LiveRun::save() const {
  std::ostringstream bytes;
  context_.save(bytes);
  return bytes.str();
}

void LiveRun::restore(const std::string& bytes) {
  std::istringstream in(bytes);
  context_.load(in, "saved state");
}

}  // namespace footfall::studio
