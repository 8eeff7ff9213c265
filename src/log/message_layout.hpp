#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "footfall/log/log.hpp"

namespace footfall {

/// How the channels of one bus lie in a message: `l_sole.force.x` becomes field x of field force of field l_sole. All
/// messages have all fields, and so each number has its fixed place: writing one is a copy, and so is reading it.
struct MessageLayout {
  std::string schema_name;           ///< "footfall.Contacts"
  std::string schema;                ///< an encoded FileDescriptorSet
  std::string blank;                 ///< a message of zeros
  std::vector<std::size_t> offsets;  ///< place of each column of the channels in the message [bytes]
};

/// `group` may be empty.
MessageLayout layOut(const std::string& group, const std::vector<Channel>& channels);

}  // namespace footfall
