#pragma once

#include <nlohmann/json_fwd.hpp>
#include <string>
#include <vector>

#include "footfall/spatial/pose.hpp"

namespace footfall::studio {

// Fields of messages from a page; each throws Refused that names the field when it is missing or not what it should be.

std::string textField(const nlohmann::json& message, const char* key);
double numberField(const nlohmann::json& message, const char* key);  ///< finite
Vector3d vectorField(const nlohmann::json& message, const char* key);
/// Numbers of columns, each below `columns`.
std::vector<int> columnsField(const nlohmann::json& message, const char* key, std::size_t columns);

/// A message to a page. Names in robots and logs may hold bytes that are no UTF-8: they are replaced.
std::string jsonText(const nlohmann::json& value);

}  // namespace footfall::studio
