#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "footfall/real_time/protocol.hpp"

namespace footfall::real_time {

/// What a run tells a controller about the robot.
struct LinkSettings {
  std::string path;  ///< of the socket's file
  Welcome about;
  std::vector<std::string> joints;  ///< names
  double patience = 10.0;           ///< that a lock-step run has with a controller that does not answer [s]
  double hello_patience = 1.0;      ///< that every run has with one that connects and says nothing [s]
};

/// A command that came from outside: sizes and numbers have been looked at.
struct LinkCommand {
  std::vector<double> torque;   ///< (n) [N m or N]
  std::vector<double> targets;  ///< (n) [rad or m]; empty: none were sent
};

/// The run's end of the socket by which a controller of another process speaks to it; one at a time. Whatever comes
/// from there is looked at before it counts: a message that makes no sense ends the connection, never the run.
class ControllerLink {
 public:
  enum class Outcome {
    command,      ///< there is a new one
    none,         ///< there is none: go on with what was
    gone,         ///< the controller has left
    silent,       ///< lock-step: it did not answer in time
    interrupted,  ///< `stop` said so
  };

  /// Listens; the file is made with mode 0600, and removed at the end. Throws Error when it cannot be made: a file that
  /// is there already is replaced only where it is a socket that nobody listens to.
  explicit ControllerLink(LinkSettings settings);
  ~ControllerLink();
  ControllerLink(const ControllerLink&) = delete;
  ControllerLink& operator=(const ControllerLink&) = delete;

  bool connected() const;
  /// Waits for a controller; false when `stop` says so, which is asked ten times a second.
  bool waitForController(const std::function<bool()>& stop);

  /// Sends a state (time, q, ν, soles) and takes commands: in lock-step waits for the answer to it, else takes what has
  /// come.
  Outcome exchange(std::span<const double> state, LinkCommand& command, const std::function<bool()>& stop);

  /// Tells the controller that the run is over.
  void finish();

  std::int64_t sent() const;           ///< states
  std::int64_t received() const;       ///< commands that counted
  std::int64_t refused() const;        ///< messages that made no sense
  const std::string& refusal() const;  ///< the last of them
  std::string summary() const;

 private:
  struct Parts;
  std::unique_ptr<Parts> parts_;
};

}  // namespace footfall::real_time
