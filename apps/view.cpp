#include "view.hpp"

#include <filesystem>

#include "footfall/base/error.hpp"
#include "overrides.hpp"
#include "studio/server/live_session.hpp"
#include "studio/server/log_session.hpp"
#include "verbs.hpp"

namespace footfall::command {
namespace {

using SessionPtr = std::unique_ptr<studio::Session>;

SessionPtr openScene(const std::string& path, const ViewOptions& options) {
  studio::LiveOptions live;
  live.overrides = parseOverrides(options.overrides);
  live.playing = !options.paused;
  live.allow_files = options.allow_files;
  return std::make_unique<studio::LiveSession>(path, std::move(live));
}

bool isLog(const std::string& path) {
  const std::string ending = std::filesystem::path(path).extension().string();
  return ending == ".mcap" || ending == ".csv" || ending == ".mat";  // which openLog() refuses in its own words
}

/// The first may be a scene; what it is compared with are logs.
std::vector<SessionPtr> openAll(const ViewOptions& options) {
  std::vector<SessionPtr> sessions;
  for (const std::string& path : options.shown) {
    if (isLog(path))
      sessions.push_back(std::make_unique<studio::LogSession>(path));
    else if (sessions.empty())
      sessions.push_back(openScene(path, options));
    else
      throw Error(path, "only logs can be compared", "write one first: footfall run SCENE --log out.mcap");
  }
  const bool logs_alone = isLog(options.shown.front());
  const char* unread = !options.overrides.empty() ? "--set" : options.allow_files ? "--allow-files" : nullptr;
  if (logs_alone && unread != nullptr)
    throw Error(unread, "a log has been written, and nothing of it can be changed", "it belongs to scenes");
  return sessions;
}

}  // namespace

int view(ViewOptions options) {
  if (options.shown.empty()) options.shown.push_back(demoScene());
  return show(openAll(options), options);
}

}  // namespace footfall::command
