#include "studio/server/session.hpp"

#include <nlohmann/json.hpp>

#include "studio/server/refused.hpp"

namespace footfall::studio {

void Session::command(int, const nlohmann::json& message) {
  throw Refused("", "a log cannot be asked to '" + message.value("do", "") + "'", "only a live simulation can");
}

nlohmann::json Session::answer(int, const std::string& question, const nlohmann::json&) {
  throw Refused("ask", "there is no question '" + question + "' to a log",
                "known: subscribe, row, rows, columns, impact, difference");
}

}  // namespace footfall::studio
