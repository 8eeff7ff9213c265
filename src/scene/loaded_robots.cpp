#include "footfall/scene/loaded_robots.hpp"

namespace footfall {
namespace {

thread_local LoadedRobots* robots_in_use = nullptr;

template <class T>
const T& findOrMake(std::map<std::string, T>& known, const std::string& key, const std::function<T()>& make) {
  const auto found = known.find(key);
  return found != known.end() ? found->second : known.emplace(key, make()).first->second;
}

}  // namespace

LoadedRobots::Use::Use(LoadedRobots& robots) : before_(robots_in_use) { robots_in_use = &robots; }
LoadedRobots::Use::~Use() { robots_in_use = before_; }

LoadedRobots* LoadedRobots::inUse() { return robots_in_use; }

const LoadedModel& LoadedRobots::find(const std::string& key, const std::function<LoadedModel()>& read) {
  return findOrMake(robots_, key, read);
}

const LinkShape& LoadedRobots::findShape(const std::string& key, const std::function<LinkShape()>& make) {
  return findOrMake(shapes_, key, make);
}

}  // namespace footfall
