#pragma once

#include <exception>
#include <fstream>
#include <functional>
#include <memory>
#include <string>

#include "footfall/base/error.hpp"
#include "runtime/session.hpp"

namespace footfall::fmu {

/// What both versions of the interface share: a session, a host that wants to hear about errors, and the promise that
/// no exception leaves the library.
class Instance {
 public:
  using Report = std::function<void(const std::string& message)>;

  /// Throws Error when the resources are damaged or belong to another model description.
  Instance(const std::filesystem::path& resources, const std::string& token, Report report)
      : report_(std::move(report)) {
    checkToken(resources, token);
    session_ = std::make_unique<Session>(resources);
  }

  Session& session() { return *session_; }
  double startTime() const { return start_time_; }
  void setStartTime(double time) { start_time_ = time; }

  /// Does something; false and a report when that threw.
  template <class Action>
  bool run(Action&& action) noexcept {
    try {
      action(*session_);
      return true;
    } catch (const std::exception& error) {
      tell(withoutOption(error.what()));
    } catch (...) {
      tell("something that is no std::exception was thrown");
    }
    return false;
  }

  void tell(const std::string& message) noexcept {
    try {
      if (report_) report_(message);
    } catch (...) {  // the host's logger is not ours to judge; there is nobody left to tell
    }
  }

 private:
  /// Readers call a value that was changed by the option of the command. Here it was a parameter.
  static std::string withoutOption(const std::string& message) {
    constexpr std::size_t kDashes = 2;
    return message.starts_with("--set ") ? message.substr(kDashes) : message;
  }
  static void checkToken(const std::filesystem::path& resources, const std::string& token) {
    const std::filesystem::path path = resources / kTokenFile;
    std::ifstream file(path);
    std::string expected;
    if (!std::getline(file, expected))
      throw Error(path.string(), "the resources of the FMU are damaged: this file is missing", "export the FMU again");
    if (expected != token)
      throw Error(path.string(),
                  "the model description has the token '" + token + "', the resources belong to '" + expected + "'",
                  "the FMU was changed or mixed with another one: export it again");
  }

  Report report_;
  std::unique_ptr<Session> session_;
  double start_time_ = 0.0;
};

}  // namespace footfall::fmu
