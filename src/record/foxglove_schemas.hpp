#pragma once

#include <string>

#include "footfall/log/log.hpp"

namespace footfall::record {

/// Topics with the message types of Foxglove, as its schemas describe them: other programs draw these without being
/// told how.
MessageSink::Topic frameTransformsTopic(const std::string& name);
MessageSink::Topic sceneUpdateTopic(const std::string& name);

}  // namespace footfall::record
