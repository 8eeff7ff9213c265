#include "studio/server/session.hpp"

#include <nlohmann/json.hpp>

#include "footfall/base/error.hpp"

namespace footfall::studio {

void Session::command(int, const nlohmann::json& message) {
  throw Error("", "a log cannot be asked to '" + message.value("do", "") + "'", "only a live simulation can");
}

}  // namespace footfall::studio
