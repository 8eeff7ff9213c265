#pragma once

#include <string>
#include <utility>

#include "footfall/base/plugin.hpp"

namespace footfall {

/// Calls a part of a plug-in, and makes errors that name it.
class PluginBorder {
 public:
  PluginBorder(std::string kind, std::string name) : kind_(std::move(kind)), name_(std::move(name)) {}

  template <class Call>
  auto call(Call called) const {
    return callPlugin(called, [&](const std::string& problem) { return fault("threw an exception: " + problem); });
  }

  Error fault(const std::string& problem) const { return pluginFault(kind_, name_, problem); }

 private:
  std::string kind_, name_;
};

}  // namespace footfall
