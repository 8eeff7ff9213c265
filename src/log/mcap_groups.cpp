#include "log/mcap_groups.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

namespace footfall::mcap {
namespace {
constexpr const char* kNoGroup = "log";
}

std::vector<Group> groupsOf(const std::vector<Channel>& channels) {
  std::vector<Group> groups;
  int column = 0;
  for (const Channel& channel : channels) {
    auto group = std::find_if(groups.begin(), groups.end(), [&](const Group& g) { return g.name == channel.group; });
    if (group == groups.end()) group = groups.insert(groups.end(), {channel.group, {}, {}});
    group->channels.push_back(channel);
    for (int i = 0; i < channel.size(); ++i) group->columns.push_back(column++);
  }
  return groups;
}

std::string topicOf(const std::string& group) { return "/" + (group.empty() ? std::string(kNoGroup) : group); }

std::string groupOf(const std::string& topic) {
  const std::string group = topic.substr(std::min<std::size_t>(1, topic.size()));
  return group == kNoGroup ? "" : group;
}

std::pair<std::string, std::string> describe(const Channel& channel) {
  if (channel.components.empty()) return {channel.name, channel.unit};
  return {channel.name, fmt::format("{} ({})", channel.unit, fmt::join(channel.components, ", "))};
}

Channel parseChannel(const std::string& name, const std::string& description, const std::string& group) {
  const std::size_t bracket = description.find(" (");
  Channel channel{name, description.substr(0, bracket), {}, group};
  if (bracket == std::string::npos) return channel;
  for (std::size_t start = bracket + 2; start < description.size();) {
    const std::size_t end = description.find_first_of(",)", start);
    channel.components.push_back(description.substr(start, end - start));
    start = end == std::string::npos ? end : end + 2;
  }
  return channel;
}

}  // namespace footfall::mcap
