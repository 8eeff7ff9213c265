#pragma once

#include <string>
#include <utility>
#include <vector>

#include "footfall/log/log.hpp"

namespace footfall::mcap {

// How channels are named in a file: both sides use this.

/// The channels of one bus, and where they are in the rows.
struct Group {
  std::string name;  ///< may be empty
  std::vector<Channel> channels;
  std::vector<int> columns;
};

/// In the order in which they appear first.
std::vector<Group> groupsOf(const std::vector<Channel>& channels);

/// Key of the metadata of a channel whose messages are entries of a list; the value is the name of the list.
inline constexpr const char* kListMark = "@list";

std::string topicOf(const std::string& group);
std::string groupOf(const std::string& topic);

/// Metadata of a channel record: "l_sole.force" is "N (x, y, z)".
std::pair<std::string, std::string> describe(const Channel& channel);
Channel parseChannel(const std::string& name, const std::string& description, const std::string& group);

}  // namespace footfall::mcap
