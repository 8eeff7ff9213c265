#include "footfall/robot_block/robot_setup.hpp"

#include <algorithm>

#include "footfall/base/error.hpp"

namespace footfall {
namespace {

std::vector<FrameIndex> framesWithCandidates(const Model& model) {
  std::vector<FrameIndex> frames;
  for (const ContactCandidate& candidate : model.candidates)
    if (std::find(frames.begin(), frames.end(), candidate.frame) == frames.end()) frames.push_back(candidate.frame);
  return frames;
}

}  // namespace

RobotSetup::RobotSetup(const Scene& scene)
    : world_(buildWorld(scene)), contact_frames_(framesWithCandidates(model())) {}

Input RobotSetup::makeInput(std::size_t wrenches) const {
  Input input = robot().makeInput();
  input.wrenches.reserve(wrenches);
  return input;
}

std::vector<ExternalWrench> RobotSetup::pushPlaces() const {
  std::vector<ExternalWrench> places;
  for (const Push& push : pushes()) places.push_back(push.wrench);
  return places;
}

std::shared_ptr<const Environment> makeRobotEnvironment(const Scene& scene) {
  auto environment = std::make_shared<Environment>();
  environment->set(std::make_shared<Scene>(scene));
  environment->set(std::make_shared<RobotSetup>(scene));
  return environment;
}

std::shared_ptr<const RobotSetup> findRobotSetup(const Parameters& parameters) {
  if (parameters.environment) {
    if (auto setup = parameters.environment->find<RobotSetup>()) return setup;
    if (const auto scene = parameters.environment->find<Scene>()) return std::make_shared<RobotSetup>(*scene);
  }
  throw Error(parameters.where, "the block " + parameters.block + " belongs to a robot, and there is no scene",
              "put the diagram into a scene, or give the blocks makeRobotEnvironment(scene)");
}

}  // namespace footfall
